"""The corpus of a visitor: which one it is, how a tab finds it again, and what is read of it."""

from __future__ import annotations

import streamlit as st

import metrics

from ...draw.texts import Texts
from ...state import inputs
from ...state.inputs import Kind, Missing
from . import corpora
from .corpora import Scoring
from .record import Corpus

LOST = "The server has begun anew and has this corpus no longer: choose its files again. Settings are as they were."


EMPTY = Missing(Kind.WORDLESS, "This segment has no words on one of its sides, so that nothing can be drawn.")


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


def changed(found: Scoring, shown: Corpus) -> str:
    """That what is set now is not what the corpus was scored with, "" where it is."""
    other = [key for key, settings in found.settings.items() if settings != shown.settings_of(key)]
    if found.text == shown.text and not other:
        return ""
    what = "the text processing" if found.text != shown.text else ""
    labels = ", ".join([metrics.METRICS[key].label for key in other])
    both = " and ".join([each for each in (what, f"the settings of {labels}" if other else "") if each])
    return f"{both[0].upper()}{both[1:]} changed since this was scored; the scores are those of before."


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


def references(found: Scoring, segment: int) -> list[str]:
    """The references of a segment that have words, each on one line."""
    each = [line for _, line in found.material.references_of(segment)]
    return [line.replace("\n", " ") for line in each if line.strip()]


def texts(found: Scoring, system: int, segment: int) -> Texts | Missing:
    """A segment of a system, ready to be drawn."""
    given = found.line(system, segment), "\n".join(references(found, segment)), found.text
    whole = inputs.read(*given, source=found.source(segment))
    if not isinstance(whole, Missing) or not whole.is_untyped:
        return whole
    return inputs.one_sided(*given, source=found.source(segment)) or EMPTY


def both(found: Scoring, a: int, b: int, segment: int) -> list[Texts] | Missing:
    """A segment of two systems, ready to be drawn."""
    systems = [(found.names[n], found.line(n, segment)) for n in (a, b)]
    lines = "\n".join(references(found, segment))
    whole = inputs.read_systems(systems, lines, found.text, source=found.source(segment))
    return EMPTY if isinstance(whole, Missing) and whole.is_untyped else whole
