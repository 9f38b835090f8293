"""The slips that can be made on all four ROUGE metrics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...formula import counted, format_number
from ...teach.mistakes import RawSlips, of_beta, of_f, ratio, who
from ...types import Metric, Result, f_measure


def of_rouge(metric: Metric, result: Result, per: tuple[str, str]) -> RawSlips:
    """What all four ROUGE metrics have in common: F, and the β of it."""
    yield from of_f_measure(result.parts["precision"], result.parts["recall"], per, result.settings)


def of_f_measure(p: float, r: float, per: tuple[str, str], settings: Any) -> RawSlips:
    """What is taken for F of P and R, and the β of it; `per` says what P and R divide by."""
    if settings.f_measure == "lin_och":
        yield from of_f(p, r, per, ratio(p, r), "P/R")
        return
    yield from of_f(p, r, per, settings.beta)
    yield from of_beta(p, r, settings.beta)


def per(result: Result, noun: str, suffix: str = "") -> tuple[str, str]:
    """What P and R divide by: R by one reference, or by all where their counts are summed."""
    if "candidate_total" not in result.stats:
        return "the candidate's length", "the reference's"
    n, m = (result.stats[name] for name in ("candidate_total", "reference_total"))
    many = 1 if result.decides else len(result.segment.references)
    ours = f"the candidate's {counted(n / many, noun)}{suffix}"
    if many > 1:
        return f"{many} times {ours}", f"all references' {format_number(m)}"
    return ours, f"{who(result.segment.references, deciding(result)[1])}'s {format_number(m)}"


def f_of(result: Result, counts: Sequence[float], totals: Sequence[float]) -> float:
    """F of other counts for P and for R, over other totals."""
    (ours, theirs), (n, m) = counts, totals
    return f_with(result, ratio(ours, n), ratio(theirs, m))


def f_with(result: Result, p: float, r: float) -> float:
    """F of another precision and recall, with the β of the settings."""
    settings: Any = result.settings
    return f_measure(p, r, ratio(p, r) if settings.f_measure == "lin_och" else settings.beta)


def of_one(result: Result) -> bool:
    """Whether P and R are each of one reference, whose words can be counted in another way, and no sums or means."""
    return "candidate_total" in result.stats and (bool(result.decides) or len(result.segment.references) == 1)


def deciding(result: Result) -> tuple[int, int]:
    """The references of P and of R."""
    p = result.decides.get("precision", result.decides.get("score", 0))
    return p, result.decides.get("recall", p)
