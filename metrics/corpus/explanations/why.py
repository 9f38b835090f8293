"""The explanation of a difference between two systems: its causes, and how much comes from how many segments."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...analysis.causes import ALL, cause_wording, describe_cause
from ...text import printable
from ...types import Metric, signed
from ..ledger import CorpusLedger, LedgerStep
from ..patterns import benjamini_hochberg, sign_test
from .significance import probability

#: The number of segments whose part of a side is reported.
FEW = 10
#: How many causes a sentence names, and the least fraction of the largest cause that a named one must have.
MOST, SLIGHT = 3, 0.05
#: A worth below this is a rounding error.
ROUNDING = 1e-12


def cause(metric: Metric, ledger: CorpusLedger, step: LedgerStep) -> str:
    """Return a step in words, such as "longer runs" or "more edits: 12 more substitutions, 3 fewer shifts"."""
    description = describe_cause(metric, ledger.settings, step.cause, step.name, step.share, step.change)
    if step.cause != "edits" or len(ledger.edits) < 2:
        return description
    kinds = sorted([(name, more) for name, more in ledger.edits.items() if more], key=lambda each: -abs(each[1]))
    each = [f"{abs(more):.0f} {'more' if more > 0 else 'fewer'} {_edit_name(name, more)}" for name, more in kinds]
    return f"{description}: {', '.join(each)}" if each else description


def _edit_name(name: str, more: float) -> str:
    """Return the name of a kind of edit, singular for one edit."""
    return name.removesuffix("s") if abs(more) == 1 else name


def is_sure(step: LedgerStep) -> bool:
    """Return whether 0 lies outside the interval of a step."""
    return step.low > 0 or step.high < 0


def reasons(metric: Metric, ledger: CorpusLedger, decimals: int) -> str:
    """Return the causes that make most of a difference, the largest first, as text.

    "longer runs +0.0115, more matched words +0.0027 (may be chance), …". Causes that are tiny next to the largest one,
    and causes that would be written as 0, are left out.
    """
    clauses = []
    least = SLIGHT * max([abs(step.share) for step in ledger.steps], default=0.0)
    for step in ledger.steps:
        share = signed(step.share, decimals)
        if share[0] in "+−" and abs(step.share) >= least:
            words = describe_cause(metric, ledger.settings, step.cause, step.name, step.share, step.change)
            clauses.append(f"{words} {share}{'' if is_sure(step) else ' (may be chance)'}")
    return ", ".join([*clauses[:MOST], *(["…"] if clauses[MOST:] else [])])


def end_sentence(reasons_text: str) -> str:
    """Return the text of `reasons` with a full stop, unless it ends with an ellipsis."""
    return reasons_text if reasons_text.endswith("…") else f"{reasons_text}."


def equation(a: str, b: str, metric: Metric, ledger: CorpusLedger, decimals: int) -> str:
    """Return the difference as the sum of its causes, each with its 95 % interval unless there is only one segment.

    A cause whose interval contains 0 may be chance. Causes that would be written as 0 are left out.

    "B − A, GTM +0.0142 = +0.0115 longer runs (+0.0071 to +0.0160), +0.0027 more matched words (−0.0010 to +0.0062, may
    be chance)"
    """
    addends = []
    for step in ledger.steps:
        share = signed(step.share, decimals)
        if share[0] in "+−":
            chance = "" if is_sure(step) else ", may be chance"
            interval_text = f" ({signed(step.low, decimals)} to {signed(step.high, decimals)}{chance})"
            addends.append(f"{share} {cause(metric, ledger, step)}{'' if ledger.is_single else interval_text}")
    head = f"{printable(b)} − {printable(a)}, {metric.label} {signed(ledger.delta, decimals)}"
    return f"{head} = {', '.join(addends)}" if addends else head


class CauseCount(NamedTuple):
    """The numbers of segments in which a cause speaks for A and for B.

    Attributes:
        cause: the cause.
        for_a: the number of segments in which it speaks for A.
        for_b: the number of segments in which it speaks for B.
        p: the p value of the sign test.
        q: the rate of false discoveries among the causes with this p or less (Benjamini and Hochberg).
    """

    cause: str
    for_a: int
    for_b: int
    p: float
    q: float


def cause_counts(metric: Metric, ledger: CorpusLedger) -> list[CauseCount]:
    """Return, for each cause of a ledger, in how many segments it speaks for each system."""
    causes = [cause for cause, part in ledger.parts.items() if np.abs(part).max(initial=0.0) > ROUNDING]
    sign = 1 if metric.higher_is_better else -1
    for_b, for_a = (
        np.array([np.count_nonzero(sign * side * ledger.parts[cause] > ROUNDING) for cause in causes], dtype=np.int64)
        for side in (1, -1)
    )
    if not causes:
        return []
    p = sign_test(for_b, for_a)
    each = zip(causes, for_a.tolist(), for_b.tolist(), p.tolist(), benjamini_hochberg(p).tolist(), strict=True)
    return [CauseCount(*one) for one in each]


def counts_text(a: str, b: str, metric: Metric, ledger: CorpusLedger) -> str:
    """Return a sentence on the number of segments in which each cause speaks for B and for A.

    "runs 120 for B, 90 for A (q = 0.041)"

    Where scores are computed from sums, the effect of a penalty on lengths in a segment is counted with the lengths.
    """
    clauses = []
    penalty = next((step.name for step in ledger.steps if step.cause == "penalty"), "")
    for cause_count in cause_counts(metric, ledger):
        if cause_count.cause == "penalty":
            name = penalty or "penalty"
        elif cause_count.cause == "references":
            name = "references"
        else:
            name = cause_wording(metric, ledger.settings, cause_count.cause).noun.format(name=ALL)
            if cause_count.cause == "length" and penalty and "penalty" not in ledger.parts:
                name += f" with the {penalty}"
        sides = f"{cause_count.for_b} for {printable(b)}, {cause_count.for_a} for {printable(a)}"
        clauses.append(f"{name} {sides} ({probability(cause_count.q, 'q')})")
    return f"By segments: {'; '.join(clauses)}." if clauses else ""


class BalanceSide(NamedTuple):
    """The segments that speak for one system.

    Attributes:
        segments: the number of these segments.
        worth: the sum of their worths.
        few: the fraction of that sum that the `FEW` segments with the largest worth make.
    """

    segments: int
    worth: float
    few: float


class Balance(NamedTuple):
    """The segments that speak for A, those that speak for B, and the number that speak for neither."""

    for_a: BalanceSide
    for_b: BalanceSide
    for_neither: int


def balance(metric: Metric, ledger: CorpusLedger) -> Balance:
    """Return how much of the difference comes from how many segments."""
    worth = np.asarray(ledger.worth)
    good = worth if metric.higher_is_better else -worth

    def side(of: np.typing.NDArray[np.bool_]) -> BalanceSide:
        each = np.sort(np.abs(worth[of]))[::-1]
        total = float(each.sum())
        return BalanceSide(len(each), float(worth[of].sum()), float(each[:FEW].sum()) / total if total else 0.0)

    for_neither = int(np.count_nonzero(np.abs(good) <= ROUNDING))
    return Balance(side(good < -ROUNDING), side(good > ROUNDING), for_neither)


def balance_text(a: str, b: str, segment_balance: Balance, decimals: int) -> str:
    """Return the balance in a sentence; a side with more than `FEW` segments is described by how concentrated it is."""
    clauses = []
    for number, (name, side) in enumerate(((b, segment_balance.for_b), (a, segment_balance.for_a))):
        few = f", {100 * side.few:.0f} % of it from the {FEW} with most" if side.segments > FEW else ""
        worth = f" ({signed(side.worth, decimals)}{few})" if side.segments else ""
        count = (f"{side.segments:,}" if side.segments else "none") if number else segments(side.segments)
        verb = "" if number else " speaks" if side.segments == 1 else " speak"
        clauses.append(f"{count}{verb} for {printable(name)}{worth}")
    if segment_balance.for_neither:
        clauses.append(f"{segment_balance.for_neither:,} for neither")
    return f"{', '.join(clauses)}."


def segments(number: int) -> str:
    """Return the number of segments with its noun."""
    return "1 segment" if number == 1 else f"{f'{number:,}' if number else 'no'} segments"
