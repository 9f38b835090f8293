"""The scores of candidates as curves over one parameter of their metric, and the values at which something changes.

A change concerns the alignment of a candidate, or which of two candidates is better. Between sampled values it is
located by bisection. The values of a whole-numbered parameter are all tried.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil, isfinite
from typing import Literal, NamedTuple

from ..types import Metric, Result, Segment, SettingRule, Settings
from ..types.work import spend_reading

SAMPLES = 61  # sampled values of a parameter that is not a whole number: steps of 0.05 for most parameters
NARROW = 1e-9  # a change is located between two values that differ by at most this much
MERGED = 1e-6  # changes of the better candidate that are at most this far apart count as one
ALIKE = 1e-12  # scores that differ by at most this much are the same
CHANGES_MOST = 24  # changes of one kind; a curve with more of them would be unreadable
WHOLE_MOST = 40  # the most values of a whole-numbered parameter


class CurveChange(NamedTuple):
    """A value of the parameter at which the curve changes, and every candidate's result on both sides of it.

    Attributes:
        kind: "alignment" if a candidate's alignment changes, "better" if another candidate becomes better.
        candidate: the index of the candidate whose alignment changes, or of the one that becomes better; None if both
            become equal.
        at: the simplest number between `before` and `after`; for whole numbers `after` itself.
        before, after: the parameter values of the results.
        results_before, results_after: every candidate's result at these values.
    """

    kind: Literal["alignment", "better"]
    candidate: int | None
    at: float
    before: float
    after: float
    results_before: tuple[Result, ...]
    results_after: tuple[Result, ...]


class ParameterCurve(NamedTuple):
    """The scores of candidates as curves over a parameter of their metric, and all changes in order.

    Attributes:
        metric: the key of the metric.
        parameter, rule: the name of the setting that varies, and the rule for its values.
        values: the sampled values of the parameter.
        scores: for each candidate, its score at each value.
        changes: the changes, by their value.
        complete: False if more changes of a kind were found than a curve lists.
    """

    metric: str
    parameter: str
    rule: SettingRule
    values: tuple[float, ...]
    scores: tuple[tuple[float, ...], ...]
    changes: tuple[CurveChange, ...]
    complete: bool = True

    @property
    def whole(self) -> bool:
        """Whether the parameter takes whole numbers only."""
        return self.rule.kind == "whole"


def numeric_settings(metric: Metric) -> tuple[str, ...]:
    """Return the names of a metric's numeric settings, over which a curve can be drawn."""
    return tuple([name for name, rule in metric.Settings.rules().items() if rule.kind in ("number", "whole")])


def parameter_curve(
    metric: Metric, segments: Sequence[Segment], settings: Settings, parameter: str, samples: int = SAMPLES
) -> ParameterCurve:
    """Return the scores of some candidates as curves over the displayed range of a parameter.

    Each segment has one candidate. The other settings keep their values. `samples` is the number of sampled values. A
    change that is reversed between two sampled values is not found. A difference between the smallest value and all
    others is not a change.

    Raises ValueError if the setting is not a number or there is no candidate, and whatever scoring raises, such as
    TooHard.
    """
    if not segments:
        raise ValueError("a curve must have at least one candidate, got none")
    if parameter not in numeric_settings(metric):
        raise ValueError(
            f"{metric.key} has the parameters {', '.join(numeric_settings(metric)) or 'none'}, got {parameter!r}"
        )
    rule = metric.Settings.rules()[parameter]
    results_by_value: dict[float, tuple[Result, ...]] = {}

    def results(value: float) -> tuple[Result, ...]:
        """Return the results of all candidates at a value of the parameter; cached."""
        if value not in results_by_value:
            chosen = replace(settings, **{parameter: value})
            for segment in segments:
                spend_reading((segment.candidate, *segment.references))
            results_by_value[value] = tuple([metric.score(segment, chosen) for segment in segments])
        return results_by_value[value]

    longest = max([len(words) for segment in segments for words in (segment.candidate, *segment.references)])
    values = _sample_values(rule, longest, samples)
    sign = 1 if metric.higher_is_better else -1
    all_changes: list[CurveChange] = []
    complete = True
    for candidate in range(len(segments)):
        each = [
            CurveChange("alignment", candidate, *place, results(place[1]), results(place[2]))
            for place in _change_points(values, lambda value, c=candidate: alignment_key(results(value)[c]), rule)  # type: ignore[misc]
        ]
        all_changes, complete = all_changes + each[:CHANGES_MOST], complete and len(each) <= CHANGES_MOST
    if len(segments) == 2:
        finer = sorted({*values, *[value for change in all_changes for value in (change.before, change.after)]})
        each = list(_better_changes(finer, lambda value: sign * _compare_scores(results(value)), results, rule))
        all_changes, complete = all_changes + each[:CHANGES_MOST], complete and len(each) <= CHANGES_MOST
    scores = tuple([tuple([results(value)[c].score for value in values]) for c in range(len(segments))])
    changes = tuple(sorted(all_changes, key=lambda change: (change.at, change.kind, change.candidate or 0)))
    return ParameterCurve(metric.key, parameter, rule, tuple(values), scores, changes, complete)


def alignment_key(result: Result) -> Hashable:
    """Return a key that is equal for two results of a metric if they use the same marks, even if the credits differ."""
    return tuple([(layer.kind, layer.number, frozenset(layer.marks)) for layer in result.layers if layer.marks])


def _compare_scores(results: Sequence[Result]) -> int:
    """Return 1 if the first of two scores is larger, −1 if the second is, and 0 if they are the same."""
    first, second = [result.score for result in results]
    return 0 if abs(first - second) <= ALIKE else 1 if first > second else -1


# ---------------------------------------------------------------- where


def _sample_values(rule: SettingRule, longest: int, samples: int) -> list[float]:
    """Return the values of a parameter at which the curve is computed, in order.

    Whole numbers end at `longest`, the length of the longest sentence, or earlier.
    """
    least, most = rule.slider_range or (rule.least, rule.most)
    if rule.kind == "whole":
        least = int(rule.least)
        most = max(least + 1, min(int(rule.most) if isfinite(rule.most) else longest, longest, least + WHOLE_MOST))
        return [*range(least, most + 1)]
    return [least + (most - least) * n / (samples - 1) for n in range(samples)]


def _change_points(
    values: Sequence[float], observe: Callable[[float], Hashable], rule: SettingRule
) -> Iterator[tuple[float, float, float]]:
    """Yield the parameter values at which `observe(value)` changes, as (simplest value, one before, one after).

    The simplest value is the number with the fewest decimals between the other two. `values` are the sampled values.
    """
    for low, high in pairwise(values):
        if rule.kind == "whole":
            if observe(low) != observe(high):
                yield high, low, high
            continue
        while observe(low) != observe(high):
            before, after = _bisect_change(low, high, observe)
            if before > values[0]:  # else only the end differs, as at e = 1, where all matchings are equally large
                yield simplest_between(before, after), before, after
            low = after


def _bisect_change(low: float, high: float, observe: Callable[[float], Hashable]) -> tuple[float, float]:
    """Return two close values between `low` and `high`, between which `observe(value)` changes.

    At the first value `observe` returns the same as at `low`, at the second it does not.
    """
    start = observe(low)
    while high - low > NARROW:
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if observe(middle) == start:
            low = middle
        else:
            high = middle
    return low, high


def _better_changes(
    values: Sequence[float],
    observe: Callable[[float], int],
    results: Callable[[float], tuple[Result, ...]],
    rule: SettingRule,
) -> Iterator[CurveChange]:
    """Yield the changes at which a different candidate becomes the better one. Curves that only touch have no change.

    `observe(value)` is 1 if the first candidate is better, −1 if the second is, and 0 if they are equal.
    `results(value)` are the results of both.
    """
    merged: list[tuple[float, float]] = []
    for _, before, after in _change_points(values, observe, rule):
        if rule.kind != "whole" and merged and before - merged[-1][1] < MERGED:
            before = merged.pop()[0]
        if observe(before) != observe(after):
            merged.append((before, after))
    for before, after in merged:
        at = after if rule.kind == "whole" else simplest_between(before, after)
        behind = {1: 0, -1: 1, 0: None}[observe(after)]
        yield CurveChange("better", behind, at, before, after, results(before), results(after))


def simplest_between(low: float, high: float) -> float:
    """Return the number with the fewest decimals in the range from `low` to `high`.

    >>> simplest_between(1.9999999996, 2.0000000004), simplest_between(0.1234567, 0.123459)
    (2.0, 0.123457)
    """
    for digits in range(16):
        scale = 10.0**digits
        least: float = ceil(low * scale) / scale
        if low <= least <= high:
            return least
    return (low + high) / 2
