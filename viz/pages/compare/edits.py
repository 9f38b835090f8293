"""Draw the Edits view: A and B as one line, the worth of every edit by the metrics, and what each edit did."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

import metrics
from metrics.analysis.equal_scores import equal_score_reason
from metrics.types import Settings

from ...components import fragment as component
from ...draw.compare.comparison import OutputPair
from ...draw.compare.comparison import changed_cells as changed_cells
from ...draw.edits import edit_effect, edits_html, typed, verdict
from ...draw.edits.edit_map import EditMap, MetricShares
from ...draw.pen.grid import Window
from ...draw.pen.text import escape_markdown
from ...draw.texts import ProcessedTexts
from ...frame import output_pair
from ...state.links import codec
from ...state.results import cache, scoring
from ...state.results import edits as edits_of
from ...state.results.cache import Problem
from ...state.visit import session
from . import editing, session_choices, two_outputs
from .record import CompareState


def draw(pair: OutputPair, part: Window | None, state: CompareState) -> None:
    """Draw the line of edits from A to B, what each edit is worth, and the words and grids of A and B.

    `part` is the part of a long comparison that is shown, None for the whole."""
    a, b = pair.a, pair.b
    edit_map = edits_of.find_edit_map(a, b)
    if isinstance(edit_map, Problem):
        st.warning(escape_markdown(str(edit_map)))
        return
    worth = _worth_by_metric(pair, state)
    row = session_choices.chosen_edit(state, len(edit_map.rows))
    explain_all = output_pair.can_explain_every_row(pair, edit_map)

    def handle_event(what: str, value: object) -> None:
        if what == "term":
            number = parse_row(value, len(edit_map.rows))
            session_choices.choose_edit(number)
            if part and number is not None and (change := _nearest_changed_cell(pair, edit_map, number)) is not None:
                session_choices.show_change(change)
        elif what == "sort":
            session_choices.sort_edits(value)
        elif what == "open" and value in (f"{edits_html.METRICS}=all", f"{edits_html.METRICS}=few"):
            st.session_state.edits_every = value.endswith("all")
        elif what == "open" and (number := parse_row_to_undo(value, len(edit_map.rows))) is not None:
            _try_without_edit(number, edit_map, a, b)
        else:
            two_outputs.handle_grid_event(what, value, len(pair.references))

    fragment_html = output_pair.edits_section_html(
        pair, worth, None if explain_all else row, explain_all, two_outputs.page_grid_room(), part, state.by, state.rows
    )
    term = None if row is None else edit_map.row_name(row)
    opened = two_outputs.opened_reference(pair, part, state)
    component.show("edits", fragment_html, term, handle_event, state.off, reference=opened, depends_on_height=True)
    if edit_map.rows and any(not each.shares and not each.problem for each in worth):
        st.button("Look at the other metrics", key="edits_more")  # the rerun by the click continues the search


def verdict_html(a: ProcessedTexts, b: ProcessedTexts, state: CompareState) -> str:
    """Return a sentence on which output is better by how many metrics, as HTML."""
    rows = scoring.rows_for_systems([scoring.glances(state, texts) for texts in (a, b)], metrics.METRICS)
    why = {}
    for row in rows:
        if row.verdict == "same":
            before, after = (scoring.score(state, row.key, texts) for texts in (a, b))
            if not isinstance(before, Problem) and not isinstance(after, Problem):
                why[row.key] = equal_score_reason(metrics.METRICS[row.key], before, after)
    return verdict.sentence(rows, why)


BESIDE_MOST = 3  # metrics in addition to the selected one, unless the visitor asks for all


def _worth_by_metric(pair: OutputPair, state: CompareState) -> list[MetricShares]:
    """Return what the edits are worth to the selected metric, and to three other metrics or to all.

    Metrics that sacreBLEU also has come first among the others, because most people report them."""
    others = sorted(metrics.METRICS, key=lambda key: metrics.METRICS[key].sacrebleu is None)
    few = (pair.before.metric, *[key for key in others if key != pair.before.metric][:BESIDE_MOST])
    by = state.by.removeprefix("-")
    keys = [key for key in metrics.METRICS if state.every or key in (*few, by)]
    settings: Mapping[str, Settings] = {key: state.settings_of(key) for key in keys}
    with st.spinner("Computing what every edit is worth"):
        return edits_of.worth_of_all(pair.before.metric, pair.a.segment, pair.b.segment.candidate, settings)


def _nearest_changed_cell(pair: OutputPair, edit_map: EditMap, row: int) -> int | None:
    """Return the index of the changed cell nearest to an edit, around which a long comparison is shown.

    `row` is the edit's row. None if no cell changed."""
    span = edit_map.spans(row)[0]
    side, at = (0, span.a) if span.a < span.a_end else (1, span.b)
    place = next((n for n, words in enumerate(pair.difference.rows) if words[side] == at), 0)
    changed = list(enumerate(changed_cells(pair.difference)))
    return min(changed, key=lambda each: abs(each[1].row - place))[0] if changed else None


def parse_row(name: object, count: int) -> int | None:
    """Return the row that the browser names as "edit:N", None if it is invalid; there are `count` rows."""
    return codec.parse_sent_number(name.removeprefix("edit:"), count) if isinstance(name, str) else None


def parse_row_to_undo(value: object, count: int) -> int | None:
    """Return the row whose edit is taken back by the button that the browser names, None for other buttons.

    There are `count` rows."""
    start = f"{edit_effect.TRY}="
    if not isinstance(value, str) or not value.startswith(start):
        return None
    return codec.parse_sent_number(value.removeprefix(start), count)


def _try_without_edit(row: int, edit_map: EditMap, a: ProcessedTexts, b: ProcessedTexts) -> None:
    """Make the what-if text a copy of B in which the edit in this row is taken back, and open the what-if view."""
    state = session.read_state(CompareState)
    before, after = state.sides
    given = state.systems[before][1], state.systems[after][1]
    changed = typed.text_without_row(edit_map, row, a, b, given, lambda text: cache.tokens(text, b.settings))
    editing.start_whatif(after)
    editing.edit_whatif(changed.text)
    st.session_state.compare_view = "whatif"
