"""Where metrics name different winners: why, as far as their ledgers say so."""

from __future__ import annotations

from collections.abc import Sequence

from ...text import printable
from ...types import Metric, signed
from ..ledger import CorpusLedger, Step
from . import why

#: Metrics of which is said what speaks for their winner.
MOST = 3


def split(ledgers: Sequence[tuple[Metric, CorpusLedger]]) -> tuple[list[int], list[int]] | None:
    """Which of the ledgers of two systems name A, and which name B; None where all of them name the same."""
    sides: tuple[list[int], list[int]] = [], []
    for n, (metric, ledger) in enumerate(ledgers):
        if ledger.delta:
            sides[(ledger.delta > 0) == metric.higher_is_better].append(n)
    return sides if all(sides) else None


def sentence(a: str, b: str, ledgers: Sequence[tuple[Metric, CorpusLedger]], decimals: int) -> str:
    """Which metrics name which system, and what speaks most for it in their ledgers; "" where all name the same.

    "GTM names B, mostly for longer runs (+0.0115); TER names A, mostly for fewer edits (−0.0040)."
    """
    found = split(ledgers)
    if not found:
        return ""
    said = []
    for name, side in ((b, found[1]), (a, found[0])):
        labels = _listed([ledgers[n][0].label for n in side])
        verb = "names" if len(side) == 1 else "name"
        reasons = []
        for n in side[:MOST]:
            metric, ledger = ledgers[n]
            if step := _speaks_most(ledger):
                of = "" if len(side) == 1 else f"{metric.label} "
                # A step is told of B; what is said for A is what B has less of.
                chance = "" if why.sure(step) else ", which may be chance"
                reasons.append(
                    f"{of}because {printable(b)} has {why.cause(metric, ledger, step)} "
                    f"({signed(step.share, decimals)}{chance})"
                )
        because = f", {'; '.join(reasons)}" if reasons else ""
        said.append(f"{labels} {verb} {printable(name)}{because}")
    return f"{'. '.join(said)}."


def _speaks_most(ledger: CorpusLedger) -> Step | None:
    """The largest step to the side of the winner."""
    return next((step for step in ledger.steps if (step.share > 0) == (ledger.delta > 0)), None)


def _listed(labels: Sequence[str]) -> str:
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"


def side_by_side(ledgers: Sequence[tuple[Metric, CorpusLedger]], decimals: int) -> list[list[str]]:
    """The ledgers as the rows of a table: a column for each metric and a row for each cause, headed by what it is
    called in ledgers, with the shares."""
    causes = list(dict.fromkeys([step.cause for _, ledger in ledgers for step in ledger.steps]))
    rows = [["", *[metric.label for metric, _ in ledgers]]]
    for cause in causes:
        shares = [[step.share for step in ledger.steps if step.cause == cause] for _, ledger in ledgers]
        rows.append([cause, *[signed(sum(each), decimals) if each else "" for each in shares]])
    rows.append(["difference", *[signed(ledger.delta, decimals) for _, ledger in ledgers]])
    return rows
