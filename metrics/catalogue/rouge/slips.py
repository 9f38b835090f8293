"""List the slips that can be made on all four ROUGE metrics: wrong numbers, each with a sentence on the mistake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...formula import counted, format_number
from ...teach.mistakes import RawSlips, beta_slips, f_slips, ratio, reference_name
from ...types import Metric, Result, f_measure


def shared_slips(metric: Metric, result: Result, per: tuple[str, str]) -> RawSlips:
    """Yield the slips on F and its β, which all four ROUGE metrics share."""
    yield from f_measure_slips(result.parts["precision"], result.parts["recall"], per, result.settings)


def f_measure_slips(p: float, r: float, per: tuple[str, str], settings: Any) -> RawSlips:
    """Yield the slips of computing F of P and R in another way; `per` says what P and R divide by."""
    if settings.f_measure == "lin_och":
        yield from f_slips(p, r, per, ratio(p, r), "P/R")
        return
    yield from f_slips(p, r, per, settings.beta)
    yield from beta_slips(p, r, settings.beta)


def divisor_texts(result: Result, noun: str, suffix: str = "") -> tuple[str, str]:
    """Return texts on what P and R divide by: R by one reference's total, or by that of all if counts are summed."""
    if "candidate_total" not in result.stats:
        return "the candidate's length", "the reference's"
    n, m = (result.stats[name] for name in ("candidate_total", "reference_total"))
    many = 1 if result.decides else len(result.segment.references)
    ours = f"the candidate's {counted(n / many, noun)}{suffix}"
    if many > 1:
        return f"{many} times {ours}", f"all references' {format_number(m)}"
    return ours, f"{reference_name(result.segment.references, references_of_p_and_r(result)[1])}'s {format_number(m)}"


def f_of_counts(result: Result, counts: Sequence[float], totals: Sequence[float]) -> float:
    """Return F with other counts for P and for R, divided by other totals."""
    (ours, theirs), (n, m) = counts, totals
    return f_of_p_and_r(result, ratio(ours, n), ratio(theirs, m))


def f_of_p_and_r(result: Result, p: float, r: float) -> float:
    """Return F of another precision and recall, with the β of the settings."""
    settings: Any = result.settings
    return f_measure(p, r, ratio(p, r) if settings.f_measure == "lin_och" else settings.beta)


def has_single_references(result: Result) -> bool:
    """Return whether P and R each come from one reference, not from sums or means over several."""
    return "candidate_total" in result.stats and (bool(result.decides) or len(result.segment.references) == 1)


def references_of_p_and_r(result: Result) -> tuple[int, int]:
    """Return the index of the reference that decides P, and of the one that decides R."""
    p = result.decides.get("precision", result.decides.get("score", 0))
    return p, result.decides.get("recall", p)
