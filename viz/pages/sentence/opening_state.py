"""Decide what the Sentence page opens with: its first example, and what it takes from the Compare page.

An example that the user has not changed is replaced, so that no page shows a candidate with the references of
another text. The session holds the candidate as `candidate`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import streamlit as st

import metrics
from metrics.text import TextSettings

from ...frame import lines, slots
from ...frame.examples import BY_NAME, EXAMPLES, PAIRS
from ...state.files.examples import SentenceExample
from ...state.links import pages
from ...state.links.pages import Outputs, Page, PageState
from ...state.results import cache
from ...state.texts import inputs
from ...state.texts.inputs import SYSTEMS_MOST, MissingText
from ...state.visit import language, pending_widgets, session, similarity
from .record import FIRST_OTHER, SentenceState


def enter(former: Page | None) -> None:
    """Give the page a candidate when it opens; the page `former` was open before.

    If it has none yet, or if a pair of the Compare page replaced the references of its example, it takes output A of
    that page. If there is no A either, an example is loaded, unless references were typed on another page."""
    state = st.session_state
    if "candidate" not in state and "systems" not in state:
        if (state.get("references") or "").strip():
            state.candidate = ""
        else:
            load(EXAMPLES[0])
    elif "candidate" not in state:
        pending_widgets.give_value("candidate", _output_a())
    elif _lost_its_references(state.candidate, state.references):
        session.keep_texts_of_load()
        pending_widgets.give_value("candidate", _output_a())
    state.setdefault("view", "metric")
    state.setdefault("other", FIRST_OTHER)


def _output_a() -> str:
    """Return the output of system A on the Compare page."""
    text: str = st.session_state[slots.text_key(slots.slots_of_a_and_b()[0])]
    return text


def _lost_its_references(candidate: str, references: str) -> bool:
    """Return whether `candidate` is an example's but the references are now those of a pair on the Compare page."""
    return (
        (any(candidate == e.candidate for e in EXAMPLES) or any(candidate == p.a for p in PAIRS))
        and example_of(candidate, references) is None
        and any(references == p.references for p in PAIRS)
        and "systems" in st.session_state
        and all(candidate != text for _, text in slots.systems())
    )


def mark_as_restored() -> None:
    """Record that the selections that were restored from a link or file belong to the result restored with them."""
    state = st.session_state
    page_state = session.read_state(SentenceState)
    state.look_of = page_state.result_of
    pending_widgets.give_value(
        "example", example.name if (example := example_of(page_state.candidate, page_state.references)) else None
    )


def reload_state(state: SentenceState) -> SentenceState | None:
    """Return the state to keep for a reload; None if its text is an example's, not the user's own."""
    if session.open_page().has_own_texts:  # the address of that page does not hold this page's references
        return state if has_users_texts(state) else None
    own_text = state.candidate.strip() and all(state.candidate != e.candidate for e in EXAMPLES)
    return state if own_text else None


def load(example: SentenceExample) -> None:
    """Write the texts and settings of an example into the session."""
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
    """Return the example with this candidate and these references; None if there is none."""
    return next((e for e in EXAMPLES if (e.candidate, e.references) == (candidate, references)), None)


def forget_example(page_state: SentenceState) -> None:
    """Clear the menu of examples once a text differs from the chosen example, so that it can be chosen again."""
    state = st.session_state
    if state.get("example") and example_of(page_state.candidate, page_state.references) != BY_NAME[state.example]:
        pending_widgets.give_value("example", None)


def has_users_texts(state: SentenceState) -> bool:
    """Return whether the page holds texts of the user's own, which examples that were not changed are not."""
    texts = state.candidate, state.references
    of_a_pair = any(p.references == texts[1] and texts[0] in [text for _, text in p.systems] for p in PAIRS)
    return bool("".join(texts).strip()) and example_of(*texts) is None and not of_a_pair


def ready() -> None:
    """Score the first example by all metrics, so that caches and WordNet are loaded before the first visitor."""
    first = EXAMPLES[0]
    texts = inputs.read_texts(first.candidate, first.references, TextSettings())
    assert not isinstance(texts, MissingText)
    for key in metrics.METRICS:
        cache.glance(key, texts.segment, metrics.settings(key))


def state_of_output(outputs: Outputs, shared: Mapping[str, Any], view: str) -> SentenceState | None:
    """Return the state that shows one output as the candidate; None for several outputs. See `Page.show_outputs`."""
    return SentenceState(candidate=outputs[0][1], **shared) if len(outputs) == 1 else None


def open_lines_as_outputs(outputs: Outputs) -> None:
    """Open the page that compares several outputs, with the lines of the candidate; a callback.

    The first line stays as the candidate."""
    state = st.session_state
    page_state = session.read_state(SentenceState)
    shared = {each.name: getattr(page_state, each.name) for each in fields(PageState) if each.name != "objects"}
    if to := pages.state_with_outputs(outputs[:SYSTEMS_MOST], {**shared, "source": page_state.source}, "all"):
        rest = len(outputs) - SYSTEMS_MOST
        session.restore(to, [lines.too_many_message(rest)] if rest > 0 else [], similarity.last_table())
        state.candidate = outputs[0][1]  # after all lines have been kept, so that going back brings them back
        state.whole_page = True
