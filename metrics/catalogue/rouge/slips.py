"""List the slips that can be made on all four ROUGE metrics: wrong numbers, each with a sentence on the mistake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...formula import count_with_noun, format_number
from ...teach.mistakes import RawSlips, beta_slips, divide_or_zero, f_slips, reference_name
from ...types import Metric, Result, f_measure


def shared_slips(metric: Metric, result: Result, per: tuple[str, str]) -> RawSlips:
    """Yield the scores that come from a wrong F or a wrong β, each with an explanation.

    `per` are two texts that say what P and R divide by."""
    yield from f_measure_slips(result.parts["precision"], result.parts["recall"], per, result.settings)


def f_measure_slips(p: float, r: float, per: tuple[str, str], settings: Any) -> RawSlips:
    """Yield the scores that come from computing F of `p` and `r` wrongly, each with an explanation.

    `per` are two texts that say what P and R divide by."""
    if settings.f_measure == "lin_och":
        yield from f_slips(p, r, per, divide_or_zero(p, r), "P/R")
        return
    yield from f_slips(p, r, per, settings.beta)
    yield from beta_slips(p, r, settings.beta)


def divisor_texts(result: Result, noun: str, suffix: str = "") -> tuple[str, str]:
    """Return two texts for explanations: what P divides by, and what R divides by, with the numbers.

    R divides by one reference's total or, if counts are summed, by that of all references. `noun` is the singular of
    what is counted, and `suffix` is added to the candidate's text."""
    if "candidate_total" not in result.stats:
        return "the candidate's length", "the reference's"
    n, m = (result.stats[name] for name in ("candidate_total", "reference_total"))
    many = 1 if result.decides else len(result.segment.references)
    ours = f"the candidate's {count_with_noun(n / many, noun)}{suffix}"
    if many > 1:
        return f"{many} times {ours}", f"all references' {format_number(m)}"
    return ours, f"{reference_name(result.segment.references, references_of_p_and_r(result)[1])}'s {format_number(m)}"


def f_of_counts(result: Result, counts: Sequence[float], totals: Sequence[float]) -> float:
    """Return F for other counts than the result's: `counts` are those of P and R, and `totals` their divisors."""
    (ours, theirs), (n, m) = counts, totals
    return f_of_p_and_r(result, divide_or_zero(ours, n), divide_or_zero(theirs, m))


def f_of_p_and_r(result: Result, p: float, r: float) -> float:
    """Return F for another precision and recall than the result's, with the β of its settings."""
    settings: Any = result.settings
    return f_measure(p, r, divide_or_zero(p, r) if settings.f_measure == "lin_och" else settings.beta)


def has_single_references(result: Result) -> bool:
    """Return whether one reference decides P and one decides R, so that neither is a sum or a mean over several."""
    return "candidate_total" in result.stats and (bool(result.decides) or len(result.segment.references) == 1)


def references_of_p_and_r(result: Result) -> tuple[int, int]:
    """Return the index of the reference that decides P, and that of the reference that decides R."""
    p = result.decides.get("precision", result.decides.get("score", 0))
    return p, result.decides.get("recall", p)
