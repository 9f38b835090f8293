"""The corpus of a visitor: which one it is, how a tab finds it again, and what is read of it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from metrics.text.judgements import Judged

from ...draw.texts import Texts
from ...frame import corpora, outputs
from ...frame.corpora import Scoring
from ...state.inputs import Missing

LOST = "The server has begun anew and has this corpus no longer: choose its files again. Settings are as they were."


def scoring() -> Scoring | None:
    """The visitor's corpus, None where there is none."""
    found: Scoring | None = st.session_state.get("corpus")
    return found


def begin(scoring: Scoring) -> None:
    """Score a corpus, in the place of the former one."""
    drop()
    st.session_state.update(corpus=corpora.add(scoring), corpus_lost=False)
    st.session_state.corpus_segment = None
    scoring.start()


def drop() -> None:
    """Forget the corpus."""
    if former := st.session_state.pop("corpus", None):
        former.stop()


def name() -> str | None:
    """What the tab keeps for a reload."""
    found = scoring()
    return found.name if found else None


def take(kept: object) -> None:
    """Find what the tab had before it was loaded again."""
    if not isinstance(kept, str) or scoring():
        return
    if found := corpora.named(kept):
        st.session_state.corpus = found
        st.session_state.whole_page = True
    else:
        st.session_state.corpus_lost = True


def texts(found: Scoring, system: int, segment: int) -> Texts | Missing:
    """A segment of a system, ready to be drawn with what people marked in it."""
    return outputs.texts(found.material, found.text, found.names[system], segment, judged(found, [system], segment))


def both(found: Scoring, a: int, b: int, segment: int) -> list[Texts] | Missing:
    """A segment of two systems, ready to be drawn with what people marked in them."""
    people = judged(found, [a, b], segment)
    return outputs.both(found.material, found.text, (found.names[a], found.names[b]), segment, people)


def judged(found: Scoring, systems: Sequence[int], segment: int) -> Judged | None:
    """What people said, where they said it of these outputs: of a system whose lines were moved it was of others."""
    names = [found.names[n] for n in systems]
    lines = [[m.systems[name].lines[segment : segment + 1] for name in names] for m in (found.material, found.stands)]
    return found.judged if lines[0] == lines[1] else None
