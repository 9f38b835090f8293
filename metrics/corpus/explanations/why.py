"""The explanation of a difference between two systems' scores: its causes, and from how many segments it comes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...analysis.causes import ALL, cause_wording, describe_cause
from ...analysis.rounding import shares_as_printed
from ...text import printable
from ...types import Metric, signed_text
from ..ledger import CorpusLedger, LedgerStep
from ..patterns import benjamini_hochberg, sign_test
from .significance import probability_text

#: The number of segments whose part of a side is reported.
FEW = 10
#: How many causes a sentence names, and the least fraction of the largest cause that a named one must have.
MOST, SLIGHT = 3, 0.05
#: A worth below this is a rounding error.
ROUNDING = 1e-12


def printed_steps(ledger: CorpusLedger, decimals: int) -> list[LedgerStep]:
    """Return the steps of a ledger with their shares rounded, so that they sum to the difference as it is printed."""
    shares = shares_as_printed([step.share for step in ledger.steps], ledger.delta, decimals)
    return [step._replace(share=share) for step, share in zip(ledger.steps, shares, strict=True)]


def cause_text(metric: Metric, ledger: CorpusLedger, step: LedgerStep) -> str:
    """Return a ledger step in words, such as "longer runs" or "more edits: 12 more substitutions, 3 fewer shifts"."""
    description = describe_cause(metric, ledger.settings, step.cause, step.name, step.share, step.change)
    if step.cause != "edits" or len(ledger.edits) < 2:
        return description
    kinds = sorted([(name, more) for name, more in ledger.edits.items() if more], key=lambda each: -abs(each[1]))
    each = [f"{abs(more):.0f} {'more' if more > 0 else 'fewer'} {_edit_name(name, more)}" for name, more in kinds]
    return f"{description}: {', '.join(each)}" if each else description


def _edit_name(name: str, more: float) -> str:
    """Return the name of a kind of edit, in the singular if `more`, the number of edits, is one."""
    return name.removesuffix("s") if abs(more) == 1 else name


def is_beyond_chance(step: LedgerStep) -> bool:
    """Return whether a ledger step is more than chance: its 95 % interval does not contain 0."""
    return step.low > 0 or step.high < 0


def main_causes_text(metric: Metric, ledger: CorpusLedger, decimals: int) -> str:
    """Return the causes that make most of a difference as text, the largest first.

    "longer runs +0.0115, more matched words +0.0027 (may be chance), …". Causes that are tiny next to the largest one,
    and causes that would be written as 0, are left out.
    """
    clauses = []
    least = SLIGHT * max([abs(step.share) for step in ledger.steps], default=0.0)
    for step in printed_steps(ledger, decimals):
        share = signed_text(step.share, decimals)
        if share[0] in "+−" and abs(step.share) >= least:
            words = describe_cause(metric, ledger.settings, step.cause, step.name, step.share, step.change)
            clauses.append(f"{words} {share}{'' if is_beyond_chance(step) else ' (may be chance)'}")
    return ", ".join([*clauses[:MOST], *(["…"] if clauses[MOST:] else [])])


def end_sentence(reasons_text: str) -> str:
    """Return the text of `main_causes_text` with a full stop at its end, unless it ends with an ellipsis."""
    return reasons_text if reasons_text.endswith("…") else f"{reasons_text}."


def difference_equation(a: str, b: str, metric: Metric, ledger: CorpusLedger, decimals: int) -> str:
    """Return the difference of two systems' scores as text: the sum of its causes, each with its 95 % interval.

    A cause whose interval contains 0 may be chance. Causes that would be written as 0 are left out. A single segment
    has no intervals.

    "B − A, GTM +0.0142 = +0.0115 longer runs (+0.0071 to +0.0160), +0.0027 more matched words (−0.0010 to +0.0062, may
    be chance)"
    """
    addends = []
    for step in printed_steps(ledger, decimals):
        share = signed_text(step.share, decimals)
        if share[0] in "+−":
            chance = "" if is_beyond_chance(step) else ", may be chance"
            interval_text = f" ({signed_text(step.low, decimals)} to {signed_text(step.high, decimals)}{chance})"
            addends.append(f"{share} {cause_text(metric, ledger, step)}{'' if ledger.is_single else interval_text}")
    head = f"{printable(b)} − {printable(a)}, {metric.label} {signed_text(ledger.delta, decimals)}"
    return f"{head} = {', '.join(addends)}" if addends else head


class CauseCount(NamedTuple):
    """The numbers of segments in which a cause favours system A and system B, with a sign test.

    Attributes:
        cause: the cause.
        for_a: the number of segments in which it favours A.
        for_b: the number of segments in which it favours B.
        p: the p value of the sign test.
        q: the false discovery rate among the causes with this p or less (Benjamini and Hochberg).
    """

    cause: str
    for_a: int
    for_b: int
    p: float
    q: float


def cause_counts(metric: Metric, ledger: CorpusLedger) -> list[CauseCount]:
    """Return, for each cause of a ledger, in how many segments it favours each system."""
    causes = [cause for cause, part in ledger.parts.items() if np.abs(part).max(initial=0.0) > ROUNDING]
    for_b, for_a = (
        np.array([np.count_nonzero(sign * ledger.parts[cause] > ROUNDING) for cause in causes], dtype=np.int64)
        for sign in (metric.sign, -metric.sign)
    )
    if not causes:
        return []
    p = sign_test(for_b, for_a)
    each = zip(causes, for_a.tolist(), for_b.tolist(), p.tolist(), benjamini_hochberg(p).tolist(), strict=True)
    return [CauseCount(*one) for one in each]


def cause_counts_text(a: str, b: str, metric: Metric, ledger: CorpusLedger) -> str:
    """Return a sentence on how many segments favour B and A, for each cause.

    "runs 120 for B, 90 for A (q = 0.041)"

    Where scores are computed from sums, the effect of a length penalty in a segment is counted with the lengths.
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
        clauses.append(f"{name} {sides} ({probability_text(cause_count.q, 'q')})")
    return f"By segments: {'; '.join(clauses)}." if clauses else ""


class BalanceSide(NamedTuple):
    """The segments that favour one of two systems.

    Attributes:
        segments: the number of these segments.
        worth: the sum of their worths.
        few: the fraction of that sum that comes from the `FEW` segments with the largest worth.
    """

    segments: int
    worth: float
    few: float


class Balance(NamedTuple):
    """The division of a corpus's segments between two systems.

    Attributes:
        for_a: the segments that favour A.
        for_b: the segments that favour B.
        for_neither: the number of segments that favour neither.
    """

    for_a: BalanceSide
    for_b: BalanceSide
    for_neither: int


def count_balance(metric: Metric, ledger: CorpusLedger) -> Balance:
    """Return how many segments of a ledger favour each system, and how much of the difference they make."""
    worth = np.asarray(ledger.worth)
    good = worth if metric.higher_is_better else -worth

    def side(of: np.typing.NDArray[np.bool_]) -> BalanceSide:
        each = np.sort(np.abs(worth[of]))[::-1]
        total = float(each.sum())
        return BalanceSide(len(each), float(worth[of].sum()), float(each[:FEW].sum()) / total if total else 0.0)

    for_neither = int(np.count_nonzero(np.abs(good) <= ROUNDING))
    return Balance(side(good < -ROUNDING), side(good > ROUNDING), for_neither)


def balance_text(a: str, b: str, segment_balance: Balance, decimals: int) -> str:
    """Return a sentence on how many segments favour each system.

    The printed worths sum to the printed difference. Of more than `FEW` segments it also says how much of their worth
    the largest ones make.
    """
    clauses = []
    both = segment_balance.for_b.worth, segment_balance.for_a.worth
    worths = shares_as_printed(both, sum(both), decimals)
    for number, (name, side) in enumerate(((b, segment_balance.for_b), (a, segment_balance.for_a))):
        few = f", {100 * side.few:.0f} % of it from the {FEW} largest" if side.segments > FEW else ""
        worth = f" ({signed_text(worths[number], decimals)}{few})" if side.segments else ""
        count = (f"{side.segments:,}" if side.segments else "none") if number else segments_text(side.segments)
        verb = "" if number else " counts" if side.segments == 1 else " count"
        clauses.append(f"{count}{verb} for {printable(name)}{worth}")
    if segment_balance.for_neither:
        clauses.append(f"{segment_balance.for_neither:,} for neither")
    return f"{', '.join(clauses)}."


def segments_text(number: int) -> str:
    """Return a number of segments with its noun, such as "1 segment" or "2 segments"."""
    return "1 segment" if number == 1 else f"{f'{number:,}' if number else 'no'} segments"
