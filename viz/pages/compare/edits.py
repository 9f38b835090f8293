"""The view of edits: A and B as one line, what every edit between them is worth to every metric, and what one did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

import metrics
from metrics.analysis.unchanged import unchanged
from metrics.types import Result, Settings

from ...components import fragment as component
from ...draw.compare import differences
from ...draw.compare.comparison import Pair
from ...draw.compare.comparison import changed as changed_cells
from ...draw.compare.differences import Names, Room
from ...draw.edits import compared, did, typed, verdict
from ...draw.edits.between import Between, Worth
from ...draw.pen import theme
from ...draw.pen.grid import Window
from ...draw.texts import Texts
from ...state import cache, codec, scoring, session
from ...state import edits as edits_of
from ...state.cache import Problem
from ...state.memory import remembered
from ...state.scoring import rows_for_pair
from . import chosen, editing, two_outputs
from .record import Compare

#: What each of so many rows did, of texts with so many words in all, is found at once; else what the chosen one did.
ROWS_MOST, WORDS_MOST = 12, 300


def draw(pair: Pair, part: Window | None, shown: Compare) -> None:
    """The line, the table and below them the words and grids of A and B."""
    a, b = pair.a, pair.b
    between = edits_of.between_of(a, b)
    if isinstance(between, Problem):
        st.warning(theme.markdown(str(between)))
        return
    worth = _worth(pair, shown)
    row = chosen.chosen_edit(shown, len(between.rows))
    every = every_row(pair, between)

    def told(what: str, value: object) -> None:
        if what == "term":
            number = row_of(value, len(between.rows))
            chosen.choose_edit(number)
            if part and number is not None and (change := _change_of(pair, between, number)) is not None:
                chosen.show_change(change)
        elif what == "sort":
            chosen.sort_edits(value)
        elif what == "off":
            chosen.switch_off(value)
        elif what == "reference":
            chosen.open_reference(value, len(pair.references))
        elif what == "open" and value in ("rows=all", "rows=folded"):
            st.session_state.all_rows = value == "rows=all"
        elif what == "open" and value in (f"{compared.METRICS}=all", f"{compared.METRICS}=few"):
            st.session_state.edits_every = value.endswith("all")
        elif what == "open" and (number := tried(value, len(between.rows))) is not None:
            _try(number, between, a, b)

    made = markup(pair, worth, None if every else row, every, two_outputs.room(), part, shown.by, shown.rows)
    term = None if row is None else between.term(row)
    known = shown.reference is not None and shown.reference < len(pair.references) and not part
    opened_ = shown.reference if known else None
    component.show("edits", made, term, told, shown.off, reference=opened_, of_window=True)
    if between.rows and any(not each.shares and not each.problem for each in worth):
        st.button("Look at the other metrics", key="edits_more")  # a run goes on by itself


def says(a: Texts, b: Texts, shown: Compare) -> str:
    """What all metrics say of A and B, as HTML."""
    rows = rows_for_pair(scoring.glances(shown, a), scoring.glances(shown, b), metrics.METRICS)
    why = {}
    for row in rows:
        if row.verdict == "same":
            before, after = (scoring.score(shown, row.key, texts) for texts in (a, b))
            if not isinstance(before, Problem) and not isinstance(after, Problem):
                why[row.key] = unchanged(metrics.METRICS[row.key], before, after)
    return verdict.sentence(rows, why)


BESIDE_MOST = 3  # metrics beside the chosen one, as long as not all of them are asked for


def _worth(pair: Pair, shown: Compare) -> list[Worth]:
    """What the edits are worth to the chosen metric, and to three others or to all: those first that sacreBLEU has,
    which most people report."""
    others = sorted(metrics.METRICS, key=lambda key: metrics.METRICS[key].sacrebleu is None)
    few = (pair.before.metric, *[key for key in others if key != pair.before.metric][:BESIDE_MOST])
    by = shown.by.removeprefix("-")
    keys = [key for key in metrics.METRICS if shown.every or key in (*few, by)]
    settings: Mapping[str, Settings] = {key: shown.settings_of(key) for key in keys}
    with st.spinner("Looking at what every edit is worth"):
        return edits_of.worth_of_all(pair.before.metric, pair.a.segment, pair.b.segment.candidate, settings)


def every_row(pair: Pair, between: Between) -> bool:
    """Whether what each row did is found at once."""
    words = sum(map(len, (pair.a.candidate, pair.b.candidate, *pair.a.references)))
    return len(between.rows) <= ROWS_MOST and words <= WORDS_MOST


def markup(
    pair: Pair,
    worth: Sequence[Worth],
    row: int | None,
    every: bool,
    room: Room,
    part: Window | None,
    by: str = "",
    rows: bool = False,
    tries: bool = True,
) -> str:
    """The edits as HTML for a place with so much `room`, with what one `row` did, or `every` one, and where they
    may be taken back, with what `tries` it."""
    found = tuple([(each.metric.key, each.shares, each.problem) for each in worth])
    return _fragment(pair.a, pair.b, pair.names, *pair.results, found, row, every, tries, room, part, by, rows)


@remembered
def _fragment(
    a: Texts,
    b: Texts,
    names: Names,
    before: Result,
    after: Result,
    found: tuple[tuple[str, Any, str], ...],
    row: int | None,
    every: bool,
    tries: bool,
    *look: Any,
) -> str:
    changed, between = cache.changes(before, after), edits_of.between_of(a, b)
    assert not isinstance(changed, Problem) and not isinstance(between, Problem), "found before it is drawn"
    pair, (room, part, by, all_rows) = Pair(a, b, names, before, after, *changed), look
    worth = [Worth(metrics.METRICS[key], shares, problem) for key, shares, problem in found]
    windows = differences.windows(pair.found.rows, part) if part else (None, None)
    hits = [
        cache.window_hits(texts.segment, window) if window else cache.hits(texts.segment)
        for texts, window in zip((a, b), windows, strict=True)
    ]
    wanted = range(len(between.rows)) if every else [row] if row is not None else []
    shared = wanted if worth[0].shares else ()
    opened = {number: edits_of.opened(pair, between, number, worth[0], tries=tries) for number in shared}
    return compared.fragment(
        pair, between, worth, opened, hits, room, part, by.removeprefix("-"), by.startswith("-"), all_rows
    )


def _change_of(pair: Pair, between: Between, row: int) -> int | None:
    """The number of the changed cell of a long comparison that is nearest to an edit; None where no cell changed."""
    span = between.spans(row)[0]
    side, at = (0, span.a) if span.a < span.a_end else (1, span.b)
    place = next((n for n, words in enumerate(pair.found.rows) if words[side] == at), 0)
    changed = list(enumerate(changed_cells(pair.found)))
    return min(changed, key=lambda each: abs(each[1].row - place))[0] if changed else None


def row_of(name: object, count: int) -> int | None:
    """The number of the row that has a name, one of `count`; the browser may send anything."""
    return codec.number_sent(name.removeprefix("edit:"), count) if isinstance(name, str) else None


def tried(value: object, count: int) -> int | None:
    """The number of the row that a button tries, None for other buttons."""
    start = f"{did.TRY}="
    if not isinstance(value, str) or not value.startswith(start):
        return None
    return codec.number_sent(value.removeprefix(start), count)


def _try(row: int, between: Between, a: Texts, b: Texts) -> None:
    """Take a copy of B in which an edit is taken back to the what-if, where the text before it can be brought back."""
    shown = session.looked(Compare)
    before, after = shown.sides
    given = shown.systems[before][1], shown.systems[after][1]
    changed = typed.taken_back(between, row, a, b, given, lambda text: cache.tokens(text, b.settings))
    editing.start_whatif(after)
    editing.edit_whatif(changed.text)
    st.session_state.compare_view = "whatif"
