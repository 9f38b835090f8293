"""The explanation of why metrics call different systems better, as far as their ledgers show it."""

from __future__ import annotations

from collections.abc import Sequence

from ...text import printable
from ...types import Metric, join_words, signed_text
from ..ledger import CorpusLedger, LedgerStep
from . import why

#: For how many metrics of a side the reason is given.
MOST = 3


#: The indices of the ledgers that name A, and of those that name B.
Sides = tuple[list[int], list[int]]


def split_by_winner(ledgers: Sequence[tuple[Metric, CorpusLedger]]) -> Sides | None:
    """Return the indices of the ledgers that call A better, and of those that call B better.

    Return None if all of them call the same system better.
    """
    sides: Sides = [], []
    for n, (metric, ledger) in enumerate(ledgers):
        if ledger.delta:
            sides[(ledger.delta > 0) == metric.higher_is_better].append(n)
    return sides if all(sides) else None


def winners_sentence(a: str, b: str, ledgers: Sequence[tuple[Metric, CorpusLedger]], decimals: int) -> str:
    """Return which metrics call which system better, and the cause that favours it most by these metrics.

    The ledgers go from A to B. Return "" where all call the same system better.

    "GTM prefers B, because B has longer runs (+0.0115). TER prefers A, because A has fewer edits (−0.0040)." No reasons
    are given where all metrics that prefer one of the two may do so by chance, because the intervals of their
    differences contain 0.
    """
    sides = split_by_winner(ledgers)
    if not sides:
        return ""
    certain: Sides = tuple([[n for n in side if ledgers[n][1].is_beyond_chance] for side in sides])  # type: ignore[assignment]
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
            ledger = ledger if winner else ledger.swapped
            if step := _largest_step_for_winner(ledger):
                of = "" if len(side) == 1 else f"{metric.label} "
                chance = "" if why.is_beyond_chance(step) else ", which may be chance"
                reasons.append(
                    f"{of}because {printable(name)} has {why.cause_text(metric, ledger, step)} "
                    f"({signed_text(step.share, decimals)}{chance})"
                )
        sentences.append(f"{_labels_with_verb(side, ledgers)} {printable(name)}, {'; '.join(reasons)}".rstrip(", "))
    doubtful = [ledgers[n][0].label for n in sorted({*sides[0], *sides[1]} - {*certain[0], *certain[1]})]
    if doubtful:
        sentences.append(f"By {join_words(doubtful)} the difference may be chance")
    return f"{'. '.join(sentences)}."


def _labels_with_verb(side: Sequence[int], ledgers: Sequence[tuple[Metric, CorpusLedger]]) -> str:
    """Return the labels of the metrics of one side with the verb "prefer", such as "GTM and TER prefer".

    `side` are the indices of their ledgers.
    """
    return f"{join_words([ledgers[n][0].label for n in side])} {'prefers' if len(side) == 1 else 'prefer'}"


def _chance_clause(side: Sequence[int], certain: Sequence[int]) -> str:
    """Return a clause that the verdicts of a side may be chance; "" if some, whose indices are `certain`, are not."""
    if certain:
        return ""
    return ", which may be chance" if len(side) == 1 else ", each of which may be chance"


def _largest_step_for_winner(ledger: CorpusLedger) -> LedgerStep | None:
    """Return the largest step of a ledger in favour of the better system; None if there is none."""
    return next((step for step in ledger.steps if (step.share > 0) == (ledger.delta > 0)), None)


def ledger_table_rows(ledgers: Sequence[tuple[Metric, CorpusLedger]], decimals: int) -> list[list[str]]:
    """Return the ledgers as table rows: a row for each cause, with its share by each metric.

    A row begins with the name of its cause in ledgers.
    """
    causes = list(dict.fromkeys([step.cause for _, ledger in ledgers for step in ledger.steps]))
    rows = [["", *[metric.label for metric, _ in ledgers]]]
    for cause in causes:
        shares = [[step.share for step in ledger.steps if step.cause == cause] for _, ledger in ledgers]
        rows.append([cause, *[signed_text(sum(each), decimals) if each else "" for each in shares]])
    rows.append(["difference", *[signed_text(ledger.delta, decimals) for _, ledger in ledgers]])
    return rows
