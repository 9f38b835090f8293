"""The evidence of the chosen segment: what changed from A to B there, the edits between them, or one system alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

import metrics
from metrics.types import Result, Settings

from ...components import fragment, segment_head
from ...draw.compare.comparison import Pair
from ...draw.evidence.drawn import Look
from ...draw.pen import theme
from ...draw.texts import Texts
from ...frame import evidence, notes
from ...state import cache, session, similarity
from ...state import edits as edits_of
from ...state.cache import Problem
from ...state.inputs import NAME_MOST, Missing
from ..compare import edits, two_outputs
from ..compare.record import Compare
from ..sentence.record import Sentence
from . import held, marks
from .corpora import Scoring
from .order import Shown
from .record import SEEN, Corpus

PLACE = "corpus_room"
FIRST_ROOM = 560  # pixels until the browser has told


def draw(found: Scoring, shown: Corpus, seen: Shown) -> None:
    """The head and the evidence of the chosen segment."""
    number = seen.chosen
    _head(found, shown, seen, number)
    if shown.seen in ("a", "b"):
        _alone(found, shown, getattr(shown, shown.seen), number)
    else:
        _both(found, shown, number)


def _head(found: Scoring, shown: Corpus, seen: Shown, number: int) -> None:
    mark = marks.read(shown.marks).get(number, marks.Mark())
    known = sorted({tag for each in marks.read(shown.marks).values() for tag in each.tags})
    document = f" · {theme.visible(found.document(number), 80)}" if found.document(number) else ""
    about = f"{seen.at + 1:,} of {len(seen.order):,}{document}"
    names = {**SEEN, "a": found.names[shown.a], "b": found.names[shown.b]}
    ways = [(way, theme.visible(label, 24)) for way, label in names.items()]
    opens = "Open on Compare" if shown.seen in ("difference", "edits") else "Open on Sentence"

    def told(what: str, value: object) -> None:
        state = st.session_state
        if what == "go" and value in (1, -1):
            state.corpus_segment = int(seen.order[max(0, min(len(seen.order) - 1, seen.at + int(value)))])
        elif what == "way" and value in SEEN:
            state.corpus_seen = value
        elif what == "open":
            open_segment(found, shown, number)
        elif what == "marks" and isinstance(value, list) and len(value) == 2:
            state.corpus_marks = marks.changed(shown.marks, number, *map(str, value))

    place = segment_head.Place(f"Segment {number + 1:,}", about)
    segment_head.show(place, ways, shown.seen, opens, ", ".join(mark.tags), mark.note, known, told)


def _both(found: Scoring, shown: Corpus, number: int) -> None:
    """What changed from A to B, or the edits."""
    texts = held.both(found, shown.a, shown.b, number)
    if isinstance(texts, Missing):
        notes.say(texts)
        return
    a, b = texts
    compared = cache.compared(shown.metric, a.segment, b.segment, found.settings[shown.metric])
    if isinstance(compared, Problem):
        st.warning(theme.markdown(str(compared)))
        return
    pair = Pair(a, b, (found.names[shown.a], found.names[shown.b]), *compared)
    settings = {key: found.settings.get(key) or shown.settings_of(key) for key in metrics.METRICS}
    room, part = fragment.room(PLACE, FIRST_ROOM), two_outputs.part_of(pair)
    made = two_outputs.markup(pair, room, part) if shown.seen == "difference" else _edits(pair, settings, room)
    fragment.show("corpus_compared", made, place=PLACE)


def _edits(pair: Pair, settings: Mapping[str, Settings], room: int) -> str:
    """The edits from A to B with what they are worth."""
    between = edits_of.between_of(pair.a, pair.b)
    if isinstance(between, Problem):
        return f'<div class="bitext"><p>{theme.safe(str(between), 400)}</p></div>'
    worth = edits_of.worth_of_all(pair.before.metric, pair.a.segment, pair.b.segment.candidate, settings)
    part = two_outputs.part_of(pair)
    return edits.markup(pair, worth, None, edits.every_row(pair, between), room, part, tries=False)


def _alone(found: Scoring, shown: Corpus, system: int, number: int) -> None:
    """One system's evidence."""
    texts = held.texts(found, system, number)
    if isinstance(texts, Missing):
        notes.say(texts)
        return
    result = cache.score(shown.metric, texts.segment, found.settings[shown.metric])
    if isinstance(result, Problem):
        st.warning(theme.markdown(str(result)))
        return
    _evidence(texts, result)


def _evidence(texts: Texts, result: Result) -> None:
    look = Look(room=fragment.room(PLACE, FIRST_ROOM))
    fragment.show("corpus_evidence", evidence.markup(texts, result, look), place=PLACE)


def open_segment(found: Scoring, shown: Corpus, number: int) -> None:
    """Open a segment on Compare, or where one system is looked at on Sentence, with all that it needs; the browser's
    way back leads to the same place here."""
    references = "\n".join(held.references(found, number))
    source = found.source(number)
    shared: dict[str, Any] = {
        "references": references,
        "source": source,
        "metric": shown.metric,
        "text": shown.text,
        "settings": shown.settings,
        "similarity": shown.similarity,
        "language": shown.language,
    }
    lines = {side: found.line(getattr(shown, side), number) for side in ("a", "b")}
    to: Sentence | Compare
    if shown.seen in lines:
        to = Sentence(candidate=lines[shown.seen], **shared)
    else:
        named = [(found.names[getattr(shown, side)][:NAME_MOST], line) for side, line in lines.items()]
        to = Compare(systems=tuple(named), compare=shown.seen, wordless=not all(lines.values()), **shared)
    session.restore(to, [], similarity.last_table())
    st.session_state.whole_page = True
