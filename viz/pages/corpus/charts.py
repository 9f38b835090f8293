"""Draw the charts of the selected segments, from the worse to the better system; parts of a chart open segments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import metrics
from metrics.corpus.groups import score_group
from metrics.corpus.table import StatisticsTable
from metrics.types import Metric

from ...components import points
from ...draw.corpus import courses, groups, histogram
from ...draw.corpus import points as dots
from ...draw.corpus.pair_charts import PairCharts
from ...draw.corpus.points import CanvasChart
from ...frame.corpora import CorpusJob
from . import open_target, order_menu
from .record import CorpusState
from .segment_rows import SegmentTable

#: Most cached charts of one corpus.
KEPT = 48

_chart_cache: WeakKeyDictionary[CorpusJob, dict[object, CanvasChart]] = WeakKeyDictionary()


def draw(job: CorpusJob, state: CorpusState, segment_table: SegmentTable) -> None:
    """Draw the charts, and the selector of the metric with which the selected one is compared.

    By default that is the first other scored metric, if there is one."""
    numbers = np.sort(segment_table.order)
    if not len(numbers):
        st.info("No segment is left by the filter.")
        return
    others = [key for key in metrics.METRICS if job.is_scored(key) and key != state.score_key]
    against = state.against if state.against in others else next(iter(others), "")
    points.highlight_segment(segment_table.chosen_segment)
    with st.container(key="corpus_charts"):
        order_menu.draw_sentence_scores_note(job, state)
        chart_key = (
            state.score_key,
            job.metric(state.score_key).higher_is_better,
            state.a,
            state.b,
            against,
            hash(numbers.tobytes()),
        )
        for name, make in page_charts(job, state, numbers, against):
            drawn = cached_chart(job, (name, *chart_key), make)
            points.show(f"chart_{name}", drawn.markup, drawn.points or None, partial(open_target.open_target, job))
    if len(others) > 1:
        st.session_state.corpus_against = against
        st.selectbox(
            "Compare the metric with",
            others,
            key="corpus_against",
            format_func=lambda key: job.metric(key).label,
            width=220,
        )


def page_charts(
    job: CorpusJob, state: CorpusState, numbers: NDArray[np.intp], against: str
) -> Iterator[tuple[str, Callable[[], CanvasChart]]]:
    """Yield each chart's name and the function that makes the chart.

    `numbers` are the indices of the shown segments; `against` is the metric with which the selected one is compared."""
    metric, table = job.metric(state.score_key), job.table(state.score_key)
    sides = job.order_worse_first(state.score_key, state.a, state.b)
    turned = sides != (state.a, state.b)
    of = open_target.describe_segments(job, numbers)
    pair = PairCharts(table, sides, turned, (job.names[sides[0]], job.names[sides[1]]), numbers, job.lengths, of)
    worse, better = pair.scores
    yield "changes", lambda: CanvasChart(pair.differences_html(), {})
    yield "pair", lambda: dots.pair_chart(worse, better, numbers, *pair.look, of)
    if against:
        metric_pair = metric, job.metric(against)
        yield "metrics", lambda: _two_metrics_chart(job, sides, turned, numbers, metric_pair, pair.names, of)
    yield "along", lambda: courses.differences_chart(better - worse, numbers, *pair.look, of)
    yield "lengths", lambda: CanvasChart(pair.lengths_html(), {})
    documents = job.material.documents
    if documents and len({*documents}) > 1:
        yield (
            "documents",
            lambda: CanvasChart(
                groups.differences_by_document_chart(_document_groups(job, sides, table, numbers), *pair.look, of), {}
            ),
        )


def _document_groups(
    job: CorpusJob, sides: tuple[int, int], table: StatisticsTable, numbers: NDArray[np.intp]
) -> list[groups.SegmentGroup]:
    """Return the shown segments grouped by document, with both systems' scores of each document.

    `sides` are the systems, and `numbers` the indices of the shown segments."""
    inside: dict[str, list[int]] = {}
    for n in numbers.tolist():
        inside.setdefault(job.document_name(n), []).append(n)
    document_groups = []
    for name, its in inside.items():
        scored = score_group(table, *sides, np.array(its, dtype=np.intp))
        document_groups.append(groups.SegmentGroup(name, f"document:{its[0]}", len(its), *scored))
    return document_groups


def _two_metrics_chart(
    job: CorpusJob,
    sides: tuple[int, int],
    turned: bool,
    numbers: NDArray[np.intp],
    metric_pair: tuple[Metric, Metric],
    names: tuple[str, str],
    of: str,
) -> CanvasChart:
    """Return the chart of the differences of two systems' scores by two metrics.

    Args:
        sides: the systems, the better one last.
        turned: whether A is the better one.
        numbers: the indices of the shown segments.
        names: the names of the systems as the chart shows them.
        of: a text on how many segments are shown."""
    tables = [job.tables[metric.key].scores for metric in metric_pair]
    one, other = (scores[sides[1]][numbers] - scores[sides[0]][numbers] for scores in tables)
    better, worse = (
        [_clear_difference_filter(metric, good != turned) for metric in metric_pair] for good in (True, False)
    )
    tells = [f"filter:{better[0]} and {worse[1]}", f"filter:{better[1]} and {worse[0]}"]
    labels = metric_pair[0].label, metric_pair[1].label
    higher = metric_pair[0].higher_is_better, metric_pair[1].higher_is_better
    return dots.metrics_chart(one, other, numbers, labels, higher, names, tells, of)


def _clear_difference_filter(metric: Metric, better: bool) -> str:
    """Return the filter of the segments in which B is clearly better by a metric, or with `better` False clearly worse.

    Clearly is by at least the difference that the histogram does not count as none."""
    sign = ">= " if better == metric.higher_is_better else "<= -"
    return f"delta.{metric.key} {sign}{histogram.SAME:g}"


def cached_chart(job: CorpusJob, key: object, make: Callable[[], CanvasChart]) -> CanvasChart:
    """Return the chart cached under `key`; where it is missing, call `make` for it.

    Charts are cached because a click on a point changes none of them."""
    job_charts = _chart_cache.setdefault(job, {})
    if key not in job_charts:
        for old in [*job_charts][: max(0, len(job_charts) - KEPT + 1)]:
            job_charts.pop(old, None)
        job_charts[key] = make()
    return job_charts[key]
