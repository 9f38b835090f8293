"""The views of all metrics and of two."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import metrics
from metrics.types import Result
from viz.components import fragment as component
from viz.draw import several
from viz.draw.fragment import header, inspector_width
from viz.draw.texts import Texts
from viz.state import cache, session
from viz.views import one_metric


def _results(texts: Texts, keys: Sequence[str]) -> dict[str, Result]:
    """The results of the metrics that can score the texts."""
    out = {}
    for key in keys:
        result = session.score(key, texts)
        if isinstance(result, Result):
            out[key] = result
    return out


def _width() -> int:
    return component.room() - inspector_width(component.room())


def all_metrics(texts: Texts) -> None:
    """Every metric's alignment, small, over cells tinted by how many metrics use them, and where opinions divide."""
    results = _results(texts, list(metrics.METRICS))
    st.html(
        header(
            "All metrics",
            f"The stronger a cell's colour, the more of the {len(results)} metrics use it. Choose a metric for all its "
            "evidence.",
        )
    )
    if one_metric.is_long(texts):
        st.info("The sentence is too long for all grids on one page; up to 130 words a side they stand here.")
        return
    component.show("several", several.all_metrics(texts, results, cache.hits(texts.segment), _width()), told=_open)


def _open(what: str, key: object) -> None:
    """Show one metric's evidence."""
    if what == "open" and key in metrics.METRICS:
        st.session_state.metric, st.session_state.view = key, "metric"


def two_metrics(texts: Texts) -> None:
    """Two metrics on one grid: the cells that one uses, that the other uses, and that both use."""
    state = st.session_state
    first = state.metric
    others = [key for key in metrics.METRICS if key != first]
    if state.get("other") not in others:
        state.other = "rouge_l" if first != "rouge_l" else "gtm"
    left, right = st.columns([8, 3], gap="medium", vertical_alignment="bottom")
    with right:
        second = st.selectbox(
            "Compare with", others, key="other", format_func=lambda k: metrics.METRICS[k].label, persist_state="session"
        )
    results = _results(texts, [first, second])
    names = [metrics.METRICS[key].label for key in (first, second)]
    with left:
        st.html(header(" and ".join(names), "Cells that one of them uses, that the other uses, and that both use."))
    if len(results) < 2:
        missing = next(metrics.METRICS[key].label for key in (first, second) if key not in results)
        st.warning(f"{missing} cannot score this sentence, so there is nothing to compare. Choose another metric.")
        return
    if one_metric.is_long(texts):
        st.info("The sentence is too long for one grid; up to 130 words a side it stands here.")
        return
    a, b = (one_metric.looked_at(texts, result).result for result in results.values())
    component.show("several", several.two_metrics(texts, a, b, cache.hits(texts.segment), _width()))
