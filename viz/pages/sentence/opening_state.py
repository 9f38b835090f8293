"""How the Sentence page is opened: what it begins with, what it takes from the Compare page, its examples.

`candidate` is its text. Untouched examples give way, so that no page shows texts beside another's references.
"""

from __future__ import annotations

import streamlit as st

import metrics
from metrics.text import TextSettings

from ...state import cache, inputs, language, pending_widgets, session
from ...state.examples import SentenceExample
from ...state.inputs import MissingText
from ...state.pages import Page
from ..compare import slots
from ..compare.examples import PAIRS
from .examples import BY_NAME, EXAMPLES
from .record import FIRST_OTHER, SentenceState


def enter(former: Page | None) -> None:
    """A is the candidate where there is none yet, or where its example's references were replaced by a pair's; where
    there is no A either, an example is loaded, unless references were typed on another page."""
    state = st.session_state
    if "candidate" not in state and "systems" not in state:
        if (state.get("references") or "").strip():
            state.candidate = ""
        else:
            load(EXAMPLES[0])
    elif "candidate" not in state:
        pending_widgets.give_value("candidate", _a())
    elif _lost_its_references(state.candidate, state.references):
        session.leave()
        pending_widgets.give_value("candidate", _a())
    state.setdefault("view", "metric")
    state.setdefault("other", FIRST_OTHER)


def _a() -> str:
    text: str = st.session_state[slots.text_key(slots.sides()[0])]
    return text


def _lost_its_references(candidate: str, references: str) -> bool:
    return (
        (any(candidate == e.candidate for e in EXAMPLES) or any(candidate == p.a for p in PAIRS))
        and example_of(candidate, references) is None
        and any(references == p.references for p in PAIRS)
        and "systems" in st.session_state
        and all(candidate != text for _, text in slots.systems())
    )


def restored() -> None:
    """Take what was looked at for that of the result that was restored."""
    state = st.session_state
    page_state = session.read_state(SentenceState)
    state.look_of = page_state.result_of
    pending_widgets.give_value(
        "example", example.name if (example := example_of(page_state.candidate, page_state.references)) else None
    )


def reload_state(state: SentenceState) -> SentenceState | None:
    """The page for a reload, where its text is the reader's own."""
    if session.open_page().has_own_texts:  # whose address has no references of this page
        return state if pasted(state) else None
    own_text = state.candidate.strip() and all(state.candidate != e.candidate for e in EXAMPLES)
    return state if own_text else None


def load(example: SentenceExample) -> None:
    """Put an example into the session."""
    state = st.session_state
    session.restore(
        SentenceState(
            candidate=example.candidate,
            references=example.references,
            source=example.source,
            text=TextSettings(**example.text),
            metric=example.metric,
            settings={example.metric: example.settings} if example.settings else {},
            view=state.get("view") or "metric",
            other=state.get("other") or FIRST_OTHER,
            language=example.language,
        ),
        state.get("problems") or [],
    )
    language.mark_as_given("example")


def example_of(candidate: str, references: str) -> SentenceExample | None:
    """The example with these texts."""
    return next((e for e in EXAMPLES if (e.candidate, e.references) == (candidate, references)), None)


def forget_example(page_state: SentenceState) -> None:
    """Empty the menu of examples as soon as a text is no longer the example's, so that it can be chosen again."""
    state = st.session_state
    if state.get("example") and example_of(page_state.candidate, page_state.references) != BY_NAME[state.example]:
        pending_widgets.give_value("example", None)


def pasted(state: SentenceState) -> bool:
    """Whether the page holds texts of the user's own; untouched examples are none."""
    texts = state.candidate, state.references
    of_a_pair = any(p.references == texts[1] and texts[0] in [text for _, text in p.systems] for p in PAIRS)
    return bool("".join(texts).strip()) and example_of(*texts) is None and not of_a_pair


def ready() -> None:
    """Score the first example, which looks for WordNet too."""
    first = EXAMPLES[0]
    texts = inputs.read(first.candidate, first.references, TextSettings())
    assert not isinstance(texts, MissingText)
    for key in metrics.METRICS:
        cache.glance(key, texts.segment, metrics.settings(key))
