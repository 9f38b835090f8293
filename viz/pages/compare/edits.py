"""Draw the Edits view: A and B as one line, the worth of every edit by the metrics, and what each edit did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

import metrics
from metrics.analysis.equal_scores import equal_score_reason
from metrics.types import Result, Settings

from ...components import fragment as component
from ...draw.compare import differences
from ...draw.compare.comparison import OutputPair
from ...draw.compare.comparison import changed_cells as changed_cells
from ...draw.compare.differences import GridRoom, Names
from ...draw.edits import edit_effect, edits_html, typed, verdict
from ...draw.edits.edit_map import EditMap, MetricShares
from ...draw.pen import theme
from ...draw.pen.grid import Window
from ...draw.texts import ProcessedTexts
from ...state import cache, codec, scoring, session
from ...state import edits as edits_of
from ...state.cache import Problem
from ...state.memory import remembered
from ...state.scoring import rows_for_pair
from . import editing, session_choices, two_outputs
from .record import CompareState

#: The most rows, and the most words of all texts, for which every row is explained; else only the selected row is.
ROWS_MOST, WORDS_MOST = 12, 300


def draw(pair: OutputPair, part: Window | None, state: CompareState) -> None:
    """Draw the line of edits from A to B, what each edit is worth, and the words and grids of A and B.

    `part` is the part of a long comparison that is shown, None for the whole."""
    a, b = pair.a, pair.b
    edit_map = edits_of.find_edit_map(a, b)
    if isinstance(edit_map, Problem):
        st.warning(theme.escape_markdown(str(edit_map)))
        return
    worth = _worth_by_metric(pair, state)
    row = session_choices.chosen_edit(state, len(edit_map.rows))
    explain_all = can_explain_every_row(pair, edit_map)

    def handle_event(what: str, value: object) -> None:
        if what == "term":
            number = parse_row(value, len(edit_map.rows))
            session_choices.choose_edit(number)
            if part and number is not None and (change := _nearest_changed_cell(pair, edit_map, number)) is not None:
                session_choices.show_change(change)
        elif what == "sort":
            session_choices.sort_edits(value)
        elif what == "off":
            session_choices.switch_off_fates(value)
        elif what == "reference":
            session_choices.open_reference(value, len(pair.references))
        elif what == "open" and value in ("rows=all", "rows=folded"):
            st.session_state.all_rows = value == "rows=all"
        elif what == "open" and value in (f"{edits_html.METRICS}=all", f"{edits_html.METRICS}=few"):
            st.session_state.edits_every = value.endswith("all")
        elif what == "open" and (number := parse_row_to_undo(value, len(edit_map.rows))) is not None:
            _try_without_edit(number, edit_map, a, b)

    fragment_html = edits_section_html(
        pair, worth, None if explain_all else row, explain_all, two_outputs.page_grid_room(), part, state.by, state.rows
    )
    term = None if row is None else edit_map.row_name(row)
    reference_exists = state.reference is not None and state.reference < len(pair.references) and not part
    opened_ = state.reference if reference_exists else None
    component.show("edits", fragment_html, term, handle_event, state.off, reference=opened_, depends_on_height=True)
    if edit_map.rows and any(not each.shares and not each.problem for each in worth):
        st.button("Look at the other metrics", key="edits_more")  # the rerun by the click continues the search


def verdict_html(a: ProcessedTexts, b: ProcessedTexts, state: CompareState) -> str:
    """Return a sentence on which output is better by how many metrics, as HTML."""
    rows = rows_for_pair(scoring.glances(state, a), scoring.glances(state, b), metrics.METRICS)
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


def can_explain_every_row(pair: OutputPair, edit_map: EditMap) -> bool:
    """Return whether the texts and edits are few enough to explain every row of edits at once."""
    words = sum(map(len, (pair.a.candidate, pair.b.candidate, *pair.a.references)))
    return len(edit_map.rows) <= ROWS_MOST and words <= WORDS_MOST


def edits_section_html(
    pair: OutputPair,
    worth: Sequence[MetricShares],
    row: int | None,
    explain_all: bool,
    room: GridRoom,
    part: Window | None,
    by: str = "",
    rows: bool = False,
    tries: bool = True,
) -> str:
    """Return the edits from A to B as HTML.

    Args:
        worth: what the edits are worth to each metric.
        row: the index of the row of edits that is explained, None for none.
        explain_all: whether every row is explained.
        room: the width and height in pixels that the drawing may have.
        part: the part of a long comparison that is shown, None for the whole.
        by: the metric that edits are sorted by, with "-" before it for the reverse order; "" for the order of the
            texts.
        rows: whether the rows of the grid that are folded by default are shown.
        tries: whether edits get a button that takes them back in a copy of B."""
    worth_rows = tuple([(each.metric.key, each.shares, each.problem) for each in worth])
    return _cached_edits_html(
        pair.a, pair.b, pair.names, *pair.results, worth_rows, row, explain_all, tries, room, part, by, rows
    )


@remembered
def _cached_edits_html(
    a: ProcessedTexts,
    b: ProcessedTexts,
    names: Names,
    before: Result,
    after: Result,
    worth_rows: tuple[tuple[str, Any, str], ...],
    row: int | None,
    explain_all: bool,
    tries: bool,
    *display: Any,
) -> str:
    """Return the edits from A to B as HTML; cached by its arguments.

    `worth_rows` has the key of each metric, what the edits are worth to it, and the problem that prevents knowing it.
    `display` are `edits_section_html`'s parameters `room`, `part`, `by` and `rows`."""
    changed, edit_map = cache.find_changes(before, after), edits_of.find_edit_map(a, b)
    assert not isinstance(changed, Problem) and not isinstance(edit_map, Problem), "found before it is drawn"
    pair, (room, part, by, all_rows) = OutputPair(a, b, names, before, after, *changed), display
    worth = [MetricShares(metrics.METRICS[key], shares, problem) for key, shares, problem in worth_rows]
    windows = differences.output_windows(pair.difference.rows, part) if part else (None, None)
    hits = [
        cache.window_hits(texts.segment, window) if window else cache.hits(texts.segment)
        for texts, window in zip((a, b), windows, strict=True)
    ]
    target_rows = range(len(edit_map.rows)) if explain_all else [row] if row is not None else []
    shared = target_rows if worth[0].shares else ()
    opened = {number: edits_of.edit_effect_html(pair, edit_map, number, worth[0], tries=tries) for number in shared}
    return edits_html.fragment(
        pair, edit_map, worth, opened, hits, room, part, by.removeprefix("-"), by.startswith("-"), all_rows
    )


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
