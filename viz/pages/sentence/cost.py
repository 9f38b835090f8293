"""Draw the view “What it cost”: the edits from the candidate to a reference, and what each costs by every metric.

The costs are computed only while the view is open, the costs by the chosen metric first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace

import streamlit as st

import metrics
from metrics.analysis.edit_sentence import EditExplanation, edit_rows, explain_row
from metrics.analysis.sentence import QuotedWords
from metrics.types import Result, Settings

from ...components import fragment as component
from ...draw.edits import cost as drawing
from ...draw.edits.cost import EditCostView
from ...draw.edits.edit_map import EditMap, MetricShares
from ...draw.evidence import figure
from ...draw.evidence.drawn_result import EvidenceLook, is_long
from ...draw.evidence.fragment import header
from ...draw.pen import svg
from ...draw.pen.marks import references_by_credit
from ...draw.pen.text import escape_markdown
from ...draw.texts import ProcessedTexts
from ...frame import evidence
from ...save import cost_files, sentence_page, tikz
from ...save.sentence_page import Files
from ...state.links import codec
from ...state.results import cache, scoring
from ...state.results import edits as edits_of
from ...state.results.cache import Problem, bounded
from ...state.results.memory import remembered
from .record import SentenceState

NAME = "What it cost"
IDEA = (
    "The edits from the candidate to a reference: what each costs now, and on average over all orders of making them."
)
EXPLAINED_MOST = 12  # the most edits that are explained in a sentence, those with the largest shares
EXPLANATION_WORK = 300_000  # steps of work that one explanation may take
ROWS_MOST = 150  # up to this number of edits all metrics are shown, beyond it only the chosen one
BEFORE = 10  # words shown before the chosen edit in the detail of a long text
EDITS_MOST = 100_000
MANY = 15  # beyond this number of edits a spinner is shown


def draw(texts: ProcessedTexts, state: SentenceState) -> None:
    """Draw the view for the chosen reference, by default the reference that decides the score."""
    result = scoring.score(state, state.metric, texts)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="above"):
        st.html(header(NAME, IDEA))
        if len(texts.references) > 1:
            _reference_menu(result, texts, state)
    if isinstance(result, Problem):
        st.warning(escape_markdown(str(result)))
        return
    k = reference_of_edits(result, texts, state)
    edit_map = _edit_map(texts, k)
    if isinstance(edit_map, Problem):
        st.warning(escape_markdown(str(edit_map)))
        return
    waits = _costs_by_others_are_missing(texts, result, k, state, edit_map)
    with st.spinner("Trying orders of the edits") if len(edit_map.edits) > MANY else nullcontext():
        worth = worth_of(texts, result, k, state, edit_map, 0.0 if waits else WAIT)
        cost = cost_of(texts, result, k, state, edit_map, worth, component.place_width())
    _draw_cost(cost, state)
    if not waits and any(not each.shares and not each.problem for each in worth) and edit_map.rows:
        st.button("Continue", key="cost_more", on_click=lambda: st.session_state.pop("cost_of", None))
    if waits:
        # The costs by the chosen metric are drawn above, before the other metrics are computed.
        worth_of(texts, result, k, state, edit_map, WAIT)
        st.session_state.cost_of = _request_key(texts, result, k, state)
        st.rerun()


WAIT = 2.5  # seconds after which no further metric is started


def _request_key(texts: ProcessedTexts, result: Result, k: int, state: SentenceState) -> tuple[object, ...]:
    """Return all that the costs depend on: segment, index of the reference, all settings, and metric."""
    return texts.segment, k, tuple([state.settings_of(key) for key in metrics.METRICS]), result.metric


def _costs_by_others_are_missing(
    texts: ProcessedTexts, result: Result, k: int, state: SentenceState, edit_map: EditMap
) -> bool:
    """Return whether the costs by the metrics other than the chosen one are still to be computed.

    False if there are no edits, or too many to compute them."""
    if not edit_map.rows or len(edit_map.rows) > ROWS_MOST:
        return False
    return st.session_state.get("cost_of") != _request_key(texts, result, k, state)


def _reference_menu(result: Result | Problem, texts: ProcessedTexts, state: SentenceState) -> None:
    """Draw the menu of the reference to which the edits lead."""
    deciding = deciding_first(result, len(texts.references))
    st.session_state.way_shown = reference_of_edits(result, texts, state)

    def choose() -> None:
        st.session_state.way, st.session_state.edit = st.session_state.way_shown, None

    st.segmented_control(
        "Reference",
        deciding,
        key="way_shown",
        required=True,
        format_func=lambda k: f"Reference {k + 1}",
        label_visibility="collapsed",
        on_change=choose,
    )


def deciding_first(result: Result | Problem, count: int) -> list[int]:
    """Return the indices of `count` references in the order of their grids, the ones that decide the score first."""
    return [*range(count)] if isinstance(result, Problem) else references_by_credit([result], range(count))


def reference_of_edits(result: Result | Problem, texts: ProcessedTexts, state: SentenceState) -> int:
    """Return the index of the reference to which the edits lead: the chosen one, else the first that decides."""
    count = len(texts.references)
    return state.way if state.way is not None and state.way < count else deciding_first(result, count)[0]


def _edit_map(texts: ProcessedTexts, k: int) -> EditMap | Problem:
    """Return the edits from the candidate to reference `k`, or a `Problem` if they are too hard to find."""
    edits = edits_of.edits_between(texts.segment.candidate, texts.segment.references[k])
    return edits if isinstance(edits, Problem) else drawing.edit_map_of(texts, k, edits)


def worth_of(
    texts: ProcessedTexts, result: Result, k: int, state: SentenceState, edit_map: EditMap, seconds: float
) -> list[MetricShares]:
    """Return what the edits to reference `k` are worth by each metric, the chosen one first.

    No further metric is started after `seconds`. Of more than ROWS_MOST edits only the chosen metric is computed."""
    segment, other = texts.segment, texts.segment.references[k]
    if not edit_map.rows:
        return [MetricShares(metrics.METRICS[result.metric])]
    if len(edit_map.rows) > ROWS_MOST:
        return [edits_of.worth_of(result.metric, segment, other, result.settings, True)]
    settings: Mapping[str, Settings] = {key: state.settings_of(key) for key in metrics.METRICS}
    return edits_of.worth_of_all(result.metric, segment, other, settings, seconds)


@remembered
def _explanations(result: Result, texts: ProcessedTexts, k: int) -> dict[int, EditExplanation]:
    """Return explanations of the edits to reference `k` with the largest shares, by their row in the table."""
    segment, other = texts.segment, texts.segment.references[k]
    metric = metrics.METRICS[result.metric]
    worth = edits_of.worth_of(result.metric, segment, other, result.settings, True)
    words = QuotedWords(texts.candidate_words, texts.reference_words[k], texts.reference_words)
    rows = edit_rows(worth.shares)
    largest = sorted(range(len(rows)), key=lambda row: -abs(sum([edit.share for edit in rows[row]])))
    out: dict[int, EditExplanation] = {}
    for row in largest[:EXPLAINED_MOST]:
        explanation = bounded(
            metric.label,
            lambda row=row: explain_row(metric, segment, other, result.settings, worth.shares, rows[row], words),  # type: ignore[misc]
            EXPLANATION_WORK,
        )
        if not isinstance(explanation, Problem):
            out[row] = explanation
    return out


def cost_of(
    texts: ProcessedTexts,
    result: Result,
    k: int,
    state: SentenceState,
    edit_map: EditMap,
    worth: Sequence[MetricShares],
    room: int,
) -> EditCostView:
    """Return all data that the view draws, `room` pixels wide; in a long text the detail shows the chosen edit.

    `worth` is what the edits of `edit_map`, which lead to reference `k`, are worth by each metric."""
    look = replace(state.look(result.metric, room), term=None, rounds=None, tie=0, picture="grid")
    if is_long(texts) and edit_map.rows:
        look = _look_at_edit(look, edit_map, k, state)
    end = cache.glance(result.metric, texts.segment._replace(candidate=texts.segment.references[k]), result.settings)
    return EditCostView(
        evidence.drawn_result(texts, result, look),
        k,
        edit_map,
        worth,
        _explanations(result, texts, k) if edit_map.rows and worth[0].shares else {},
        None if isinstance(end, Problem) else end.score,
    )


def _look_at_edit(look: EvidenceLook, edit_map: EditMap, k: int, state: SentenceState) -> EvidenceLook:
    """Return `look` with the visible part of a long text moved to the chosen edit, by default the first."""
    row = state.edit if state.edit is not None and state.edit < len(edit_map.rows) else 0
    span = edit_map.spans(row)[0]
    i, j = max(1, span.a - BEFORE + 1), max(1, span.b - BEFORE + 1)
    return replace(look, detail_i=i, detail_j=j, detail_reference=k)


def _draw_cost(cost: EditCostView, state: SentenceState) -> None:
    """Draw the view from its data, and handle its events."""
    edit_map = cost.edit_map

    def handle_event(what: str, value: object) -> None:
        if what == "term":
            number = value.partition(":")[2] if isinstance(value, str) else ""
            st.session_state.edit = codec.parse_sent_number(number, EDITS_MOST)

    chosen = state.edit if state.edit is not None and state.edit < len(edit_map.rows) else None
    component.show("cost", drawing.fragment(cost), None if chosen is None else edit_map.row_name(chosen), handle_event)


def files(texts: ProcessedTexts, state: SentenceState) -> Files | Problem:
    """Return the files as which this view can be saved, or the `Problem` that prevents it."""
    result = scoring.score(state, state.metric, texts)
    if isinstance(result, Problem):
        return result
    k = reference_of_edits(result, texts, state)
    edit_map = _edit_map(texts, k)
    if isinstance(edit_map, Problem):
        return edit_map
    cost = cost_of(
        texts, result, k, state, edit_map, worth_of(texts, result, k, state, edit_map, WAIT), component.place_width()
    )
    cost = replace(cost, drawn=replace(cost.drawn, verdict=edits_of.verdict_for_file(texts, result)))
    title = f"{NAME}: {figure.title_of(cost.drawn)}"
    return f"{state.metric}_cost", [
        ("Page, HTML", "html", lambda: sentence_page.view_html(title, title, IDEA, drawing.fragment(cost))),
        ("Edits, CSV", "csv", lambda: cost_files.csv_text(cost)),
        ("Edits, JSON", "json", lambda: cost_files.json_text(cost)),
        ("Figure, SVG", "svg", lambda: svg.svg_file(figure.picture_of(cost.drawn, saved=True))),
        ("Figure, TikZ", "tex", lambda: tikz.document(figure.picture_of(cost.drawn, saved=True))),
    ]
