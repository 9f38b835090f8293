"""The evidence of the chosen segment: what changed from A to B there, or of one system alone."""

from __future__ import annotations

import streamlit as st

from ...components import fragment
from ...draw.compare.comparison import Pair
from ...draw.evidence.fragment import header
from ...draw.pen import theme
from ...frame import notes
from ...state import cache
from ...state.cache import Problem
from ...state.inputs import Missing
from ..compare import two_outputs
from . import held
from .corpora import Scoring
from .record import Corpus

PLACE = "corpus_room"
FIRST_ROOM = 560  # pixels until the browser has told


def draw(found: Scoring, shown: Corpus, segment: int) -> None:
    """The comparison of a segment."""
    names = found.names[shown.a], found.names[shown.b]
    a, b = (held.texts(found, system, segment) for system in (shown.a, shown.b))
    for texts in (a, b):
        if isinstance(texts, Missing):
            notes.say(texts)
            return
    assert not isinstance(a, Missing) and not isinstance(b, Missing)
    settings = found.settings[shown.metric]
    compared = cache.compared(shown.metric, a.segment, b.segment, settings)
    if isinstance(compared, Problem):
        st.warning(theme.markdown(str(compared)))
        return
    pair = Pair(a, b, names, *compared)
    room = fragment.room(PLACE, FIRST_ROOM)
    made = two_outputs.markup(pair, room, two_outputs.part_of(pair))
    st.html(header(f"Segment {segment + 1}", ""))
    fragment.show("corpus_compared", made, place=PLACE)
