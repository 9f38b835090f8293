"""Draw the view of all metrics and the view of two metrics of the Sentence page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

import metrics
from metrics.types import Result

from ...components import fragment as component
from ...draw.evidence import several_metrics
from ...draw.evidence.drawn_result import is_long
from ...draw.evidence.fragment import header, inspector_width
from ...draw.pen import svg
from ...draw.texts import ProcessedTexts
from ...frame import evidence
from ...save import sentence_page, tikz
from ...save.sentence_page import Files
from ...state.results import cache, scoring
from ...state.results.cache import Problem
from ...state.results.memory import remembered
from ...state.visit import pending_widgets
from .record import SentenceState


def _colour_legend(first: str, second: str) -> str:
    """Return a sentence on which colour stands for which of the metrics called `first` and `second`."""
    return (
        f"A blue left half is used by {first}, an ochre right half by {second}, a whole disc in a ring by both. A "
        "small ring is a match that neither uses."
    )


def _results_by_key(texts: ProcessedTexts, state: SentenceState, keys: Sequence[str]) -> dict[str, Result]:
    """Return the results of the metrics in `keys`, by key, without metrics that cannot score the texts."""
    out = {}
    for key in keys:
        result = scoring.score(state, key, texts)
        if isinstance(result, Result):
            out[key] = result
    return out


def _picture_width() -> int:
    """Return the width in pixels of the picture beside the inspector."""
    return component.place_width() - inspector_width(component.place_width())


def all_metrics(texts: ProcessedTexts, state: SentenceState) -> None:
    """Draw every metric's alignment as a small grid, with cells tinted by how many metrics use them.

    The cells on which the metrics disagree are listed below."""
    results = _results_by_key(texts, state, list(metrics.METRICS))
    st.html(
        header(
            "All metrics",
            f"The stronger a cell's colour, the more of the {len(results)} metrics use it. Choose a metric to see all "
            "its evidence.",
        )
    )
    if is_long(texts):
        st.info("The sentence is too long for all grids on one page; up to 130 words a side, they are shown here.")
        return
    component.show("several", _all_metrics_html(texts, _picture_width(), *results.values()), on_event=_open_metric)


@remembered
def _all_metrics_html(texts: ProcessedTexts, width: int, *results: Result) -> str:
    """Return the HTML of the view of all metrics, with pictures `width` pixels wide; cached."""
    return several_metrics.all_metrics(
        texts, {result.metric: result for result in results}, cache.hits(texts.segment), width
    )


def files_of_all_metrics(texts: ProcessedTexts, state: SentenceState) -> Files:
    """Return the files as which the view of all metrics can be saved."""
    results, hits, width = (
        _results_by_key(texts, state, list(metrics.METRICS)),
        cache.hits(texts.segment),
        _picture_width(),
    )
    idea = f"The cells that {len(results)} metrics use"
    page = partial(several_metrics.all_metrics, texts, results, hits, width)
    return "all_metrics", [
        ("Figure, SVG", "svg", lambda: svg.svg_file(several_metrics.picture_of_all(texts, results, hits, width))),
        ("Page, HTML", "html", lambda: sentence_page.view_html("All metrics", "All metrics", idea, page())),
        ("Results, JSON", "json", lambda: sentence_page.results_json(texts, results.values())),
        ("Figure, TikZ", "tex", lambda: tikz.document(several_metrics.picture_of_all(texts, results, hits, width))),
    ]


def _open_metric(what: str, key: object) -> None:
    """Open the evidence of the metric `key` after a click; `what` is the event that the browser sent."""
    if what == "open" and key in [*metrics.METRICS]:
        st.session_state.metric = key
        pending_widgets.give_value("view", "metric")


def two_metrics(texts: ProcessedTexts, state: SentenceState) -> None:
    """Draw two metrics on one grid: the cells that only one of them uses, and the cells that both use."""
    first, second = state.metric_pair
    st.session_state.other = second
    left_column, right = st.columns([8, 3], gap="medium", vertical_alignment="bottom")
    with right:
        others = [key for key in metrics.METRICS if key != first]
        st.selectbox(
            "Compare with", others, key="other", format_func=lambda k: metrics.METRICS[k].label, persist_state="session"
        )
    results = _results_by_key(texts, state, [first, second])
    names = [metrics.METRICS[key].label for key in (first, second)]
    with left_column:
        st.html(header(" and ".join(names), _colour_legend(*names)))
    if len(results) < 2:
        missing = next(metrics.METRICS[key].label for key in (first, second) if key not in results)
        st.warning(f"{missing} cannot score this sentence, so there is nothing to compare. Choose another metric.")
        return
    if is_long(texts):
        st.info("The sentence is too long for one grid; up to 130 words a side, it is shown here.")
        return
    a, b = _shown_results(texts, state, results)
    component.show("several", several_metrics.two_metrics(texts, a, b, cache.hits(texts.segment), _picture_width()))


def _shown_results(texts: ProcessedTexts, state: SentenceState, results: Mapping[str, Result]) -> tuple[Result, Result]:
    """Return the results of two metrics; the chosen metric's has the alignment that the user stepped to."""
    room = component.place_width()
    a, b = (evidence.drawn_result(texts, result, state.look(key, room)).result for key, result in results.items())
    return a, b


def files_of_two_metrics(texts: ProcessedTexts, state: SentenceState) -> Files | Problem:
    """Return the files as which the view of two metrics can be saved, or the `Problem` that prevents it."""
    keys = state.metric_pair
    results = _results_by_key(texts, state, keys)
    for key in keys:
        if isinstance(problem := scoring.score(state, key, texts), Problem):
            return problem
    a, b = _shown_results(texts, state, results)
    hits, width = cache.hits(texts.segment), _picture_width()
    names = [metrics.METRICS[result.metric].label for result in (a, b)]
    name, colours = " and ".join(names), _colour_legend(*names)
    return "_".join(keys), [
        ("Figure, SVG", "svg", lambda: svg.svg_file(several_metrics.picture_of_two(texts, a, b, hits, width))),
        (
            "Page, HTML",
            "html",
            lambda: sentence_page.view_html(name, name, colours, several_metrics.two_metrics(texts, a, b, hits, width)),
        ),
        ("Results, JSON", "json", lambda: sentence_page.results_json(texts, [a, b])),
        ("Figure, TikZ", "tex", lambda: tikz.document(several_metrics.picture_of_two(texts, a, b, hits, width))),
    ]
