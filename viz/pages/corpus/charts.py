"""The charts of the segments that are shown, from the worse to the better system by the chosen metric: each place of
one opens segments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import metrics
from metrics.corpus.groups import of_some
from metrics.corpus.table import Table
from metrics.types import Metric

from ...components import points
from ...draw.compare.scores import short_names
from ...draw.corpus import courses, groups, histogram
from ...draw.corpus import points as dots
from ...draw.corpus.points import Drawn
from ...frame.corpora import Scoring
from . import opening
from .order import Shown
from .record import Corpus

NAME_MOST = 18  # letters of a system's name in a chart
#: Charts of one corpus that are kept: those of a few looks.
KEPT = 48

_kept: WeakKeyDictionary[Scoring, dict[object, Drawn]] = WeakKeyDictionary()


def draw(found: Scoring, shown: Corpus, seen: Shown) -> None:
    """The charts, and the metric that the chosen one is held against."""
    numbers = np.sort(seen.order)
    if not len(numbers):
        st.info("No segment is left by the filter.")
        return
    against = _against(found, shown)
    points.light(seen.chosen)
    with st.container(key="corpus_charts"):
        asked = shown.metric, shown.a, shown.b, against, hash(numbers.tobytes())
        for name, make in _charts(found, shown, seen, numbers, against):
            drawn = remembered(found, (name, *asked), make)
            points.show(f"chart_{name}", drawn.markup, drawn.points or None, partial(opening.told, found))
    others = [key for key in metrics.METRICS if key in found.tables and key != shown.metric]
    if len(others) > 1:
        st.session_state.corpus_against = against
        st.selectbox(
            "Hold the metric against",
            others,
            key="corpus_against",
            format_func=lambda key: metrics.METRICS[key].label,
            width=220,
        )


def _against(found: Scoring, shown: Corpus) -> str:
    """The metric that the chosen one is held against: the first other one where none is asked for; "" without one."""
    others = [key for key in metrics.METRICS if key in found.tables and key != shown.metric]
    return shown.against if shown.against in others else next(iter(others), "")


def _charts(
    found: Scoring, shown: Corpus, seen: Shown, numbers: NDArray[np.intp], against: str
) -> Iterator[tuple[str, Callable[[], Drawn]]]:
    """Each chart by its name, and what draws it."""
    metric, table = metrics.METRICS[shown.metric], found.tables[shown.metric]
    sides = found.sides(shown.metric, shown.a, shown.b)
    turned = sides != (shown.a, shown.b)
    one, other = short_names((found.names[sides[0]], found.names[sides[1]]), NAME_MOST)
    names = one, other
    of = opening.of(found, numbers)
    worse, better = (table.scores[n][numbers] for n in sides)
    look = metric.label, metric.higher_is_better, names
    tell = partial(_of_bar, metric, turned)
    yield "changes", lambda: Drawn(histogram.draw(better - worse, *look, tell, of), {})
    yield "pair", lambda: dots.of_pair(worse, better, numbers, *look, of)
    if against:
        both = metric, metrics.METRICS[against]
        yield "metrics", lambda: _two_metrics(found, sides, turned, numbers, both, names, of)
    yield "along", lambda: courses.along(better - worse, numbers, *look, of)

    def lengths() -> Drawn:
        made = groups.of_lengths(table, sides, found.lengths, numbers, "filter:{low} <= length <= {high}".format)
        return Drawn(groups.lengths(made, *look, of), {})

    yield "lengths", lengths
    documents = found.material.documents
    if documents and len({*documents}) > 1:
        yield "documents", lambda: Drawn(groups.documents(_documents(found, sides, table, numbers), *look, of), {})


def _documents(found: Scoring, sides: tuple[int, int], table: Table, numbers: NDArray[np.intp]) -> list[groups.Group]:
    """The documents of the segments that are shown, with their scores."""
    inside: dict[str, list[int]] = {}
    for n in numbers.tolist():
        inside.setdefault(found.document(n), []).append(n)
    made = []
    for name, its in inside.items():
        scored = of_some(table, *sides, np.array(its, dtype=np.intp))
        made.append(groups.Group(name, f"document:{its[0]}", len(its), *scored))
    return made


def _of_bar(metric: Metric, turned: bool, bar: histogram.Bar) -> str:
    """The filter of the segments that a bar counts. Filters have B's score less A's, which of differences that are
    `turned` is the opposite."""
    low, high = bar.low, bar.high
    if turned:
        low, high = (None if end is None else -end for end in (high, low))
    delta = f"delta.{metric.key}"
    if low is None or high is None:
        end, sign = (high, "<=") if low is None else (low, ">=")
        return f"filter:{delta} {sign} {end:.9g}"
    # What lies on an edge counts to the bar that is farther from zero.
    signs = "<=" if low > 0 else "<", "<=" if high < 0 else "<"
    return f"filter:{low:.9g} {signs[0]} {delta} {signs[1]} {high:.9g}"


def _two_metrics(
    found: Scoring,
    sides: tuple[int, int],
    turned: bool,
    numbers: NDArray[np.intp],
    both: tuple[Metric, Metric],
    names: tuple[str, str],
    of: str,
) -> Drawn:
    tables = [found.tables[metric.key].scores for metric in both]
    one, other = (scores[sides[1]][numbers] - scores[sides[0]][numbers] for scores in tables)
    better, worse = ([_clear(metric, good != turned) for metric in both] for good in (True, False))
    tells = [f"filter:{better[0]} and {worse[1]}", f"filter:{better[1]} and {worse[0]}"]
    labels = both[0].label, both[1].label
    higher = both[0].higher_is_better, both[1].higher_is_better
    return dots.of_metrics(one, other, numbers, labels, higher, names, tells, of)


def _clear(metric: Metric, better: bool) -> str:
    """The filter of the segments in which B is better by a metric, or worse."""
    sign = ">= " if better == metric.higher_is_better else "<= -"
    return f"delta.{metric.key} {sign}{histogram.SAME:g}"


def remembered(found: Scoring, key: object, make: Callable[[], Drawn]) -> Drawn:
    """A chart, drawn once: a click on a point of one changes none."""
    known = _kept.setdefault(found, {})
    if key not in known:
        for old in [*known][: max(0, len(known) - KEPT + 1)]:
            known.pop(old, None)
        known[key] = make()
    return known[key]
