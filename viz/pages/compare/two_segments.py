"""The evidence of a corpus's segment: of one output, or what is different in another, and where each can be opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

import metrics
from metrics.text.formats import Material
from metrics.text.judgements import Judged
from metrics.types import Segment, Settings, Tokens

from ...components import fragment
from ...draw.compare.comparison import Pair
from ...draw.compare.differences import Room
from ...draw.corpus import sought
from ...draw.evidence.drawn import Look
from ...draw.pen import theme
from ...draw.texts import Texts
from ...frame import evidence, outputs
from ...state import cache, session, similarity
from ...state import edits as edits_of
from ...state.cache import Problem
from ...state.inputs import NAME_MOST
from ...state.pages import Looked
from ..sentence.record import Sentence
from . import edits, two_outputs
from .record import Compare

FIRST_ROOM = 560  # pixels until the browser has told


def alone(key: str, texts: Texts, metric: str, settings: Settings, place: str, lit: Sequence[str] = ()) -> None:
    """The evidence of one output, in a component of a `key` at a `place` (`fragment.room`), in which the words and
    parts of words `lit` are lit."""
    result = cache.score(metric, texts.segment, settings)
    if isinstance(result, Problem):
        st.warning(theme.markdown(str(result)))
        return
    made = evidence.markup(texts, result, Look(room=fragment.room(place, FIRST_ROOM)))
    if lit:
        made = sought.lit(made, sought.of_sides([("c", texts.segment.candidate), *_references(texts.segment)], lit))
    fragment.show(key, made, place=place, keeps=True)


def both(
    key: str,
    texts: tuple[Texts, Texts],
    names: tuple[str, str],
    metric: str,
    settings: Mapping[str, Settings],
    seen: str,
    place: str,
    lit: Sequence[str] = (),
) -> None:
    """What changed from one output to another, or, where that is how they are `seen`, the edits; the words and parts of
    words `lit` are lit."""
    a, b = texts
    compared = cache.compared(metric, a.segment, b.segment, settings[metric])
    if isinstance(compared, Problem):
        st.warning(theme.markdown(str(compared)))
        return
    pair = Pair(a, b, names, *compared)
    room, part = Room(fragment.room(place, FIRST_ROOM)), two_outputs.part_of(pair)
    made = two_outputs.markup(pair, room, part) if seen == "difference" else _edits(pair, settings, room)
    if lit:
        each = [("a", a.segment.candidate), ("b", b.segment.candidate), *_references(a.segment)]
        made = sought.lit(made, sought.of_sides(each, lit))
    fragment.show(key, made, place=place, keeps=True)


def _references(segment: Segment) -> list[tuple[str, Tokens]]:
    return [(f"r{k}_", words) for k, words in enumerate(segment.references)]


def _edits(pair: Pair, settings: Mapping[str, Settings], room: Room) -> str:
    """The edits from A to B with what they are worth."""
    between = edits_of.between_of(pair.a, pair.b)
    if isinstance(between, Problem):
        return f'<div class="bitext"><p>{theme.safe(str(between), 400)}</p></div>'
    worth = edits_of.worth_of_all(pair.before.metric, pair.a.segment, pair.b.segment.candidate, settings)
    part = two_outputs.part_of(pair)
    return edits.markup(pair, worth, None, edits.every_row(pair, between), room, part, tries=False)


def all_settings(settings: Mapping[str, Settings], shown: Looked) -> Mapping[str, Settings]:
    """The settings of all metrics: those that a corpus was scored with, and of others those of the page."""
    return {key: settings.get(key) or shown.settings_of(key) for key in metrics.METRICS}


def open_segment(
    material: Material,
    segment: int,
    named: Sequence[tuple[str, str]],
    shown: Looked,
    seen: str,
    judged: Judged | None,
) -> None:
    """Open outputs of a segment, by their systems' names, on Compare, or a single one on Sentence, with all that they
    need and what people marked; the browser's way back leads to the same place here."""
    shared: dict[str, Any] = {
        "references": "\n".join(outputs.references(material, segment)),
        "source": outputs.source(material, segment),
        "metric": shown.metric,
        "text": shown.text,
        "settings": shown.settings,
        "similarity": shown.similarity,
        "language": shown.language,
        "marked": outputs.marks(material, judged, [name for name, _ in named], segment),
    }
    to: Sentence | Compare
    if len(named) == 1:
        to = Sentence(candidate=named[0][1], **shared)
    else:
        systems = tuple([(name[:NAME_MOST], line) for name, line in named])
        to = Compare(systems=systems, compare=seen, wordless=not all(line for _, line in named), **shared)
    session.restore(to, [], similarity.last_table())
    st.session_state.whole_page = True
