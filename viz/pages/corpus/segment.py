"""Draw the evidence of the selected segment: the difference from A to B, the edits, or one system alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import partial

import streamlit as st

from ...components import links, segment_head
from ...draw.compare.scores import short_names
from ...draw.pen.text import safe, visible
from ...frame import notes, two_segments
from ...frame.corpora import CorpusJob
from ...state.links import codec
from ...state.texts.inputs import MissingText
from . import marks, open_target
from .record import SEEN, CorpusState
from .segment_rows import SegmentTable

PLACE = "corpus_room"
NAME_MOST, LETTERS_MOST = 24, 400  # letters of a system's name, and of a name that is shortened
NEAR_MOST = 600  # letters of a text of a neighbouring segment


def draw(job: CorpusJob, state: CorpusState, segment_table: SegmentTable) -> None:
    """Draw the head and the evidence of the selected segment, and its neighbours in the document."""
    number, sought = segment_table.chosen_segment, segment_table.searched_words
    _draw_head(job, state, segment_table, number)
    if state.seen in ("a", "b"):
        _draw_system(job, state, getattr(state, state.seen), number, sought)
    else:
        _draw_change(job, state, segment_table.sides, number, sought)
    _draw_neighbours(job, state, number)


def _draw_neighbours(job: CorpusJob, state: CorpusState, number: int) -> None:
    """Draw the segments before and after segment `number` in its document; a click opens them."""
    with st.expander("Before and after it in the text", on_change="rerun", key="corpus_neighbours") as expander:
        if not expander.open:
            return
        near = [n for n in (number - 1, number + 1) if 0 <= n < job.segment_count]
        near = [n for n in near if job.document_name(n) == job.document_name(number)]
        rows = []
        for n in near:
            texts = [("Source", job.source_text(n))] if job.material.source else []
            texts += [(job.names[side], job.output_text(side, n)) for side in (state.a, state.b)]
            texts += [(name, line) for name, line in job.material.references_of(n)]
            entries = "".join(
                f'<dt>{safe(name, 40)}</dt><dd dir="auto">{safe(line, NEAR_MOST)}</dd>' for name, line in texts
            )
            rows.append(f'<button type="button" data-tell="segment:{n}">Segment {n + 1:,}</button><dl>{entries}</dl>')
        near_html = "".join(rows) or "<p>There is none.</p>"
        links.show("corpus_near", f'<div class="near">{near_html}</div>', partial(open_target.open_target, job))


def _draw_head(job: CorpusJob, page_state: CorpusState, segment_table: SegmentTable, number: int) -> None:
    """Draw the head of segment `number`: its position in the order, the ways to show it, and its tags and note."""
    mark = marks.read_marks(page_state.marks).get(number, marks.SegmentMark())
    known_tags = sorted({tag for each in marks.read_marks(page_state.marks).values() for tag in each.tags})
    document = f" · {visible(job.document_name(number), 80)}" if job.document_name(number) else ""
    where = (
        "not in the filter"
        if segment_table.chosen_row_or_none is None
        else f"{segment_table.chosen_row_or_none + 1:,} of {len(segment_table.order):,}"
    )
    about = f"{where}{document}"
    labels = [visible(job.names[n], LETTERS_MOST) for n in (page_state.a, page_state.b)]
    ways = [*{**SEEN, **dict(zip("ab", short_names(labels, NAME_MOST), strict=True))}.items()]
    opens = "Open on Compare" if page_state.seen in ("difference", "edits") else "Open on Sentence"

    def handle_event(what: str, value: object) -> None:
        state = st.session_state
        if what == "go" and value in (1, -1):
            step = (
                int(value) if segment_table.chosen_row_or_none is not None else 0
            )  # from outside the filter, go to its first
            state.corpus_segment = int(
                segment_table.order[max(0, min(len(segment_table.order) - 1, segment_table.chosen_row + step))]
            )
        elif what == "way" and value in SEEN:
            state.corpus_seen = value
        elif what == "open":
            open_segment(job, page_state, number)
        elif what == "marks" and isinstance(value, list) and len(value) == 2:
            state.corpus_marks = marks.replace_mark(page_state.marks, number, *map(str, value))

    place = segment_head.SegmentHeading(f"Segment {number + 1:,}", about)
    seek = st.session_state.get("corpus_seek", 0)
    segment_head.show(
        place, ways, page_state.seen, opens, (", ".join(mark.tags), mark.note), known_tags, handle_event, seek
    )


def _draw_change(
    job: CorpusJob, state: CorpusState, sides: tuple[int, int], number: int, sought: Sequence[str]
) -> None:
    """Draw the difference between two systems' outputs for segment `number`, or the edits, as the page state says.

    `sides` are the systems, the one that is better on all segments last. Words in `sought` are highlighted."""
    texts = job.drawable_pair(sides, number)
    if isinstance(texts, MissingText):
        notes.show_missing_text(texts)
        return
    a, b = texts
    names = job.names[sides[0]], job.names[sides[1]]
    settings = two_segments.settings_of_all_metrics({key: job.segment_settings(key) for key in job.settings}, state)
    two_segments.show_two_outputs("corpus_compared", (a, b), names, state.metric, settings, state.seen, PLACE, sought)


def _draw_system(job: CorpusJob, state: CorpusState, system: int, number: int, sought: Sequence[str]) -> None:
    """Draw the evidence of one system's output for segment `number`; words in `sought` are highlighted."""
    texts = job.drawable_output(system, number)
    if isinstance(texts, MissingText):
        notes.show_missing_text(texts)
        return
    two_segments.show_one_output(
        "corpus_evidence", texts, state.metric, job.segment_settings(state.metric), PLACE, sought
    )


def open_segment(job: CorpusJob, state: CorpusState, number: int) -> None:
    """Open segment `number` on Compare or, where one system alone is shown, on Sentence; a callback.

    The selected metric has the settings there with which single segments are scored."""
    settings = job.segment_settings(state.metric)
    if settings != job.settings[state.metric]:
        changed = codec.changed_settings(settings)
        state = dataclasses.replace(state, settings={**state.settings, state.metric: changed})
    system_by_view = {"a": state.a, "b": state.b}
    systems = (
        [system_by_view[state.seen]]
        if state.seen in system_by_view
        else job.order_worse_first(state.score_key, state.a, state.b)
    )
    two_segments.open_segment(job, systems, number, state, state.seen)
