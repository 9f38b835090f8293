"""The explanation of why metrics name different winners, as far as their ledgers show it."""

from __future__ import annotations

from collections.abc import Sequence

from ...text import printable
from ...types import Metric, signed
from ..ledger import CorpusLedger, LedgerStep
from . import why

#: For how many metrics of a side the reason is given.
MOST = 3


#: The indices of the ledgers that name A, and of those that name B.
Sides = tuple[list[int], list[int]]


def split(ledgers: Sequence[tuple[Metric, CorpusLedger]]) -> Sides | None:
    """Return the indices of the ledgers that name A and of those that name B; None where all name the same system."""
    sides: Sides = [], []
    for n, (metric, ledger) in enumerate(ledgers):
        if ledger.delta:
            sides[(ledger.delta > 0) == metric.higher_is_better].append(n)
    return sides if all(sides) else None


def sentence(a: str, b: str, ledgers: Sequence[tuple[Metric, CorpusLedger]], decimals: int) -> str:
    """Return which metrics name which system, and what speaks most for it in their ledgers.

    The ledgers go from A to B. Return "" where all name the same system.

    "GTM names B, because B has longer runs (+0.0115). TER names A, because A has fewer edits (−0.0040)." No reasons are
    given where all metrics that name one of the two may do so by chance, because the intervals of their differences
    contain 0.
    """
    sides = split(ledgers)
    if not sides:
        return ""
    certain: Sides = tuple([[n for n in side if ledgers[n][1].sure] for side in sides])  # type: ignore[assignment]
    if not all(certain):
        sentences = [
            f"{_labels_with_verb(sides[n], ledgers)} {printable((a, b)[n])}{_chance_clause(sides[n], certain[n])}"
            for n in (1, 0)
        ]
        return f"{'; '.join(sentences)}."
    sentences = []
    for winner in (1, 0):
        name, side = (a, b)[winner], certain[winner]
        reasons = []
        for n in side[:MOST]:
            metric, ledger = ledgers[n]
            ledger = ledger if winner else ledger.turned
            if step := _speaks_most(ledger):
                of = "" if len(side) == 1 else f"{metric.label} "
                chance = "" if why.is_sure(step) else ", which may be chance"
                reasons.append(
                    f"{of}because {printable(name)} has {why.cause(metric, ledger, step)} "
                    f"({signed(step.share, decimals)}{chance})"
                )
        sentences.append(f"{_labels_with_verb(side, ledgers)} {printable(name)}, {'; '.join(reasons)}".rstrip(", "))
    doubtful = [ledgers[n][0].label for n in sorted({*sides[0], *sides[1]} - {*certain[0], *certain[1]})]
    if doubtful:
        sentences.append(f"By {_listed(doubtful)} the difference may be chance")
    return f"{'. '.join(sentences)}."


def _labels_with_verb(side: Sequence[int], ledgers: Sequence[tuple[Metric, CorpusLedger]]) -> str:
    """Return the labels of the metrics with the verb "name"."""
    return f"{_listed([ledgers[n][0].label for n in side])} {'names' if len(side) == 1 else 'name'}"


def _chance_clause(side: Sequence[int], certain: Sequence[int]) -> str:
    """Return a clause that the verdicts may be chance; "" if some are certain."""
    if certain:
        return ""
    return ", which may be chance" if len(side) == 1 else ", each of which may be chance"


def _speaks_most(ledger: CorpusLedger) -> LedgerStep | None:
    """Return the largest step in favour of the winner."""
    return next((step for step in ledger.steps if (step.share > 0) == (ledger.delta > 0)), None)


def _listed(labels: Sequence[str]) -> str:
    """Return the labels joined by commas and "and"."""
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"


def side_by_side(ledgers: Sequence[tuple[Metric, CorpusLedger]], decimals: int) -> list[list[str]]:
    """Return the ledgers as the rows of a table, with a column of shares for each metric and a row for each cause.

    A row begins with the name of its cause in ledgers.
    """
    causes = list(dict.fromkeys([step.cause for _, ledger in ledgers for step in ledger.steps]))
    rows = [["", *[metric.label for metric, _ in ledgers]]]
    for cause in causes:
        shares = [[step.share for step in ledger.steps if step.cause == cause] for _, ledger in ledgers]
        rows.append([cause, *[signed(sum(each), decimals) if each else "" for each in shares]])
    rows.append(["difference", *[signed(ledger.delta, decimals) for _, ledger in ledgers]])
    return rows
