"""The scores of candidates as curves over one parameter of their metric, with the values where something changes.

What changes is the alignment of a candidate, or which of two candidates is better. Between sampled values a change is
narrowed down by halving; the values of a whole-numbered parameter are all looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil, isfinite
from typing import Literal, NamedTuple

from ..types import Metric, Result, Segment, SettingRule, Settings
from ..types.work import spend_reading

SAMPLES = 61  # values of a parameter that is no whole number: steps of 0.05 for most
NARROW = 1e-9  # a change is known to lie between two values that differ by no more
MERGED = 1e-6  # changes of the better candidate that are as close are one
ALIKE = 1e-12  # scores that differ by no more are the same
CHANGES_MOST = 24  # of a kind; a curve with more is too restless to be read
WHOLE_MOST = 40  # values of a whole-numbered parameter


class CurveChange(NamedTuple):
    """A value of the parameter where something changes, and what every candidate's result is on either side of it.

    `kind` says what: the alignment of candidate number `candidate`, or which candidate is better (`candidate` is then
    the number of the better one behind it, None where both are alike there). `at` is the simplest number between
    `before` and `after`, the values for which the results stand; for whole numbers it is `after` itself.
    """

    kind: Literal["alignment", "better"]
    candidate: int | None
    at: float
    before: float
    after: float
    results_before: tuple[Result, ...]
    results_after: tuple[Result, ...]


class ParameterCurve(NamedTuple):
    """The scores of each candidate at each of the values, and all changes in their order.

    `complete` is False where more changes of a kind were found than a curve lists.
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
        """Whether the parameter is a whole number."""
        return self.rule.kind == "whole"


def parameters(metric: Metric) -> tuple[str, ...]:
    """The settings of a metric over which a curve can be drawn: its numbers."""
    return tuple([name for name, rule in metric.Settings.rules().items() if rule.kind in ("number", "whole")])


def curve(
    metric: Metric, segments: Sequence[Segment], settings: Settings, parameter: str, samples: int = SAMPLES
) -> ParameterCurve:
    """The curve of some candidates, one segment for each, as a parameter runs through the range that is shown of it.

    The other settings stay as they are. A change that goes and comes back between two sampled values is not seen, and
    what holds at the least value alone is no change.
    Raises ValueError for a setting that is no number and without a candidate, and whatever scoring raises, such as
    TooHard.
    """
    if not segments:
        raise ValueError("a curve must have at least one candidate, got none")
    if parameter not in parameters(metric):
        raise ValueError(
            f"{metric.key} has the parameters {', '.join(parameters(metric)) or 'none'}, got {parameter!r}"
        )
    rule = metric.Settings.rules()[parameter]
    results_by_value: dict[float, tuple[Result, ...]] = {}

    def results(value: float) -> tuple[Result, ...]:
        if value not in results_by_value:
            chosen = replace(settings, **{parameter: value})
            for segment in segments:
                spend_reading((segment.candidate, *segment.references))
            results_by_value[value] = tuple([metric.score(segment, chosen) for segment in segments])
        return results_by_value[value]

    longest = max([len(words) for segment in segments for words in (segment.candidate, *segment.references)])
    values = _values(rule, longest, samples)
    sign = 1 if metric.higher_is_better else -1
    all_changes: list[CurveChange] = []
    complete = True
    for candidate in range(len(segments)):
        each = [
            CurveChange("alignment", candidate, *place, results(place[1]), results(place[2]))
            for place in _places(values, lambda value, c=candidate: alignment(results(value)[c]), rule)  # type: ignore[misc]
        ]
        all_changes, complete = all_changes + each[:CHANGES_MOST], complete and len(each) <= CHANGES_MOST
    if len(segments) == 2:
        finer = sorted({*values, *[value for change in all_changes for value in (change.before, change.after)]})
        each = list(_crossings(finer, lambda value: sign * _better(results(value)), results, rule))
        all_changes, complete = all_changes + each[:CHANGES_MOST], complete and len(each) <= CHANGES_MOST
    scores = tuple([tuple([results(value)[c].score for value in values]) for c in range(len(segments))])
    changes = tuple(sorted(all_changes, key=lambda change: (change.at, change.kind, change.candidate or 0)))
    return ParameterCurve(metric.key, parameter, rule, tuple(values), scores, changes, complete)


def alignment(result: Result) -> Hashable:
    """What two results of a metric share if they use the same marks, whatever these earn."""
    return tuple([(layer.kind, layer.number, frozenset(layer.marks)) for layer in result.layers if layer.marks])


def _better(results: Sequence[Result]) -> int:
    """1 where the first of two scores is larger, −1 where the second is, 0 where they are the same."""
    first, second = [result.score for result in results]
    return 0 if abs(first - second) <= ALIKE else 1 if first > second else -1


# ---------------------------------------------------------------- where


def _values(rule: SettingRule, longest: int, samples: int) -> list[float]:
    """The values of a parameter that are looked at, in order; whole numbers only as far as sentences are long."""
    least, most = rule.slider_range or (rule.least, rule.most)
    if rule.kind == "whole":
        least = int(rule.least)
        most = max(least + 1, min(int(rule.most) if isfinite(rule.most) else longest, longest, least + WHOLE_MOST))
        return [*range(least, most + 1)]
    return [least + (most - least) * n / (samples - 1) for n in range(samples)]


def _places(
    values: Sequence[float], of: Callable[[float], Hashable], rule: SettingRule
) -> Iterator[tuple[float, float, float]]:
    """Where `of` changes: the simplest value, and those before and behind."""
    for low, high in pairwise(values):
        if rule.kind == "whole":
            if of(low) != of(high):
                yield high, low, high
            continue
        while of(low) != of(high):
            before, after = _narrowed(low, high, of)
            if before > values[0]:  # else it is of that end alone, such as e = 1, where all matchings are as large
                yield simplest(before, after), before, after
            low = after


def _narrowed(low: float, high: float, of: Callable[[float], Hashable]) -> tuple[float, float]:
    """Two close values, at the first of which `of` is as at `low`, and at the second no more."""
    start = of(low)
    while high - low > NARROW:
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if of(middle) == start:
            low = middle
        else:
            high = middle
    return low, high


def _crossings(
    values: Sequence[float],
    of: Callable[[float], int],
    results: Callable[[float], tuple[Result, ...]],
    rule: SettingRule,
) -> Iterator[CurveChange]:
    """Where another candidate is better than before; curves that only touch have no change."""
    merged: list[tuple[float, float]] = []
    for _, before, after in _places(values, of, rule):
        if rule.kind != "whole" and merged and before - merged[-1][1] < MERGED:
            before = merged.pop()[0]
        if of(before) != of(after):
            merged.append((before, after))
    for before, after in merged:
        at = after if rule.kind == "whole" else simplest(before, after)
        behind = {1: 0, -1: 1, 0: None}[of(after)]
        yield CurveChange("better", behind, at, before, after, results(before), results(after))


def simplest(low: float, high: float) -> float:
    """The number with the fewest decimals from `low` to `high`.

    >>> simplest(1.9999999996, 2.0000000004), simplest(0.1234567, 0.123459)
    (2.0, 0.123457)
    """
    for digits in range(16):
        scale = 10.0**digits
        least: float = ceil(low * scale) / scale
        if low <= least <= high:
            return least
    return (low + high) / 2
