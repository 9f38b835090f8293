"""The evidence of the chosen segment: what changed from A to B there, the edits between them, or one system alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from ...components import links, segment_head
from ...draw.pen import theme
from ...frame import notes
from ...frame.corpora import Scoring
from ...state.inputs import Missing
from ..compare import two_segments
from . import held, marks, opening
from .order import Shown
from .record import SEEN, Corpus

PLACE = "corpus_room"
NEAR_MOST = 600  # letters of a text before or behind


def draw(found: Scoring, shown: Corpus, seen: Shown) -> None:
    """The head and the evidence of the chosen segment."""
    number, sought = seen.chosen, seen.sought
    _head(found, shown, seen, number)
    if shown.seen in ("a", "b"):
        _alone(found, shown, getattr(shown, shown.seen), number, sought)
    else:
        _both(found, shown, seen.sides, number, sought)
    _neighbours(found, shown, number)


def _neighbours(found: Scoring, shown: Corpus, number: int) -> None:
    """The segments before and behind this one in its document, which open."""
    with st.expander("Before and after it in the text", on_change="rerun", key="corpus_neighbours") as expander:
        if not expander.open:
            return
        near = [n for n in (number - 1, number + 1) if 0 <= n < found.size]
        near = [n for n in near if found.document(n) == found.document(number)]
        rows = []
        for n in near:
            texts = [("Source", found.source(n))] if found.material.source else []
            texts += [(found.names[side], found.line(side, n)) for side in (shown.a, shown.b)]
            texts += [(name, line) for name, line in found.material.references_of(n)]
            said = "".join(
                f'<dt>{theme.safe(name, 40)}</dt><dd dir="auto">{theme.safe(line, NEAR_MOST)}</dd>'
                for name, line in texts
            )
            rows.append(f'<button type="button" data-tell="segment:{n}">Segment {n + 1:,}</button><dl>{said}</dl>')
        made = "".join(rows) or "<p>There is none.</p>"
        links.show("corpus_near", f'<div class="near">{made}</div>', partial(opening.told, found))


def _head(found: Scoring, shown: Corpus, seen: Shown, number: int) -> None:
    mark = marks.read(shown.marks).get(number, marks.Mark())
    known = sorted({tag for each in marks.read(shown.marks).values() for tag in each.tags})
    document = f" · {theme.visible(found.document(number), 80)}" if found.document(number) else ""
    where = "not in the filter" if seen.place is None else f"{seen.place + 1:,} of {len(seen.order):,}"
    about = f"{where}{document}"
    names = {**SEEN, "a": found.names[shown.a], "b": found.names[shown.b]}
    ways = [(way, theme.visible(label, 24)) for way, label in names.items()]
    opens = "Open on Compare" if shown.seen in ("difference", "edits") else "Open on Sentence"

    def told(what: str, value: object) -> None:
        state = st.session_state
        if what == "go" and value in (1, -1):
            step = int(value) if seen.place is not None else 0  # from outside of the filter to its first
            state.corpus_segment = int(seen.order[max(0, min(len(seen.order) - 1, seen.at + step))])
        elif what == "way" and value in SEEN:
            state.corpus_seen = value
        elif what == "open":
            open_segment(found, shown, number)
        elif what == "marks" and isinstance(value, list) and len(value) == 2:
            state.corpus_marks = marks.changed(shown.marks, number, *map(str, value))

    place = segment_head.Place(f"Segment {number + 1:,}", about)
    seek = st.session_state.get("corpus_seek", 0)
    segment_head.show(place, ways, shown.seen, opens, (", ".join(mark.tags), mark.note), known, told, seek)


def _both(found: Scoring, shown: Corpus, sides: tuple[int, int], number: int, sought: Sequence[str]) -> None:
    """What changed between the `sides`, to the system that is better in all segments, or the edits; what is
    `sought` is lit."""
    texts = held.both(found, *sides, number)
    if isinstance(texts, Missing):
        notes.say(texts)
        return
    a, b = texts
    names, settings = (found.names[sides[0]], found.names[sides[1]]), two_segments.all_settings(found.settings, shown)
    two_segments.both("corpus_compared", (a, b), names, shown.metric, settings, shown.seen, PLACE, sought)


def _alone(found: Scoring, shown: Corpus, system: int, number: int, sought: Sequence[str]) -> None:
    """One system's evidence."""
    texts = held.texts(found, system, number)
    if isinstance(texts, Missing):
        notes.say(texts)
        return
    two_segments.alone("corpus_evidence", texts, shown.metric, found.settings[shown.metric], PLACE, sought)


def open_segment(found: Scoring, shown: Corpus, number: int) -> None:
    """Open a segment on Compare, or where one system is looked at on Sentence."""
    alone = {"a": shown.a, "b": shown.b}
    systems = [alone[shown.seen]] if shown.seen in alone else found.sides(shown.metric, shown.a, shown.b)
    named = [(found.names[n], found.line(n, number)) for n in systems]
    people = held.judged(found, systems, number)
    two_segments.open_segment(found.material, number, named, shown, shown.seen, people)
