"""The corpus of a visitor: which one it is, how a tab finds it again, and what is read of it."""

from __future__ import annotations

import streamlit as st

from ...draw.texts import Texts
from ...state import inputs
from ...state.inputs import Missing
from . import corpora
from .corpora import Scoring

LOST = "The server has begun anew and has this corpus no longer: choose its files again. Settings are as they were."


def scoring() -> Scoring | None:
    """The visitor's corpus, None where there is none."""
    found: Scoring | None = st.session_state.get("corpus")
    return found


def begin(scoring: Scoring) -> None:
    """Score a corpus, in the place of the former one."""
    drop()
    st.session_state.corpus = corpora.add(scoring)
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
    """A segment of a system, ready to be drawn."""
    source = found.source[segment] if found.source else ""
    references = "\n".join(line.replace("\n", " ") for line in found.references[segment] if line.strip())
    return inputs.read(found.lines[system][segment], references, found.text, source=source)
