"""Set the texts that the Compare page opens with: those of the Sentence page, an example, or restored ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from metrics.text import TextSettings

from ...frame import slots
from ...frame.examples import EXAMPLES, PAIR_BY_NAME, PAIRS
from ...state.files.examples import ComparisonExample
from ...state.links.pages import Outputs, Page
from ...state.texts.inputs import NAME_MOST, SYSTEMS_LEAST, SYSTEMS_MOST
from ...state.visit import controls, language, pending_widgets, session
from .record import CompareState


def enter(former: Page | None) -> None:
    """Set the systems when the visitor enters the page; `former` is the page that was left, None for none.

    A candidate typed on the Sentence page becomes A. An untouched example there is replaced by an example of two
    outputs. Systems that the session has already stay, unless they are an untouched example whose references the
    Sentence page has replaced."""
    state = st.session_state
    candidate, references = state.get("candidate") or "", state.get("references") or ""
    if former is None and not candidate:  # a link set it empty; the page makes A the candidate
        state.pop("candidate", None)
    texts, pair = (state.get("candidate"), state.get("references")), PAIRS[0]
    example = next((e for e in EXAMPLES if (e.candidate, e.references) == texts), None)
    if "systems" in state:
        untouched = next((p for p in PAIRS if p.systems == slots.systems()), None)
        if not untouched or references == untouched.references or not candidate.strip() or candidate == untouched.a:
            return
        pair = untouched
    if example is None and (candidate + references).strip():
        slots.replace_systems([("", candidate), ("", "")])
        return
    if "metric" not in state:
        state.metric = pair.metric
    session.keep_texts_of_load()
    if pair.text or (example and (example.text or example.settings)):
        new = state_of_example(pair)
        controls.restore_settings(
            new.text, new.settings
        )  # drop the settings of the former example, keep the visitor's own
    pending_widgets.give_value("references", pair.references)
    pending_widgets.give_value("source", pair.source)
    pending_widgets.give_value("pair", pair.name)
    slots.replace_systems(pair.systems)


def restored() -> None:
    """Assign the selected step and edit to the comparison that a link or file has just restored.

    The selection would be dropped if it belonged to another comparison."""
    state = st.session_state
    if "systems" in state:
        page_state = session.read_state(CompareState)
        state.step_of, state.effect_of = page_state.comparison_key, None
        pending_widgets.give_value("pair", pair.name if (pair := example_of_state(page_state)) else None)


def reload_state(state: CompareState) -> CompareState | None:
    """Return the page state for the browser to keep for a reload, None if its systems are an untouched example."""
    return state if all(pair.systems != state.systems for pair in PAIRS) else None


def load_pair(pair: ComparisonExample) -> None:
    """Load an example of two outputs into the session."""
    session.restore(state_of_example(pair), [])
    language.mark_as_given("example")


def state_of_example(pair: ComparisonExample) -> CompareState:
    """Return the page state that shows an example of two outputs."""
    return CompareState(
        references=pair.references,
        text=TextSettings(**pair.text),
        metric=pair.metric,
        systems=pair.systems,
        source=pair.source,
        compare=pair.view or st.session_state.get("compare_view") or "difference",
    )


def example_of_state(state: CompareState) -> ComparisonExample | None:
    """Return the example that the page shows with systems and references unchanged, None if there is none."""
    return next((p for p in PAIRS if (p.systems, p.references) == (state.systems, state.references)), None)


def forget_example(page_state: CompareState) -> None:
    """Clear the selector of examples once a text differs from the selected one, so that it can be selected again."""
    state = st.session_state
    if state.get("pair") and example_of_state(page_state) != PAIR_BY_NAME[state.pair]:
        pending_widgets.give_value("pair", None)


def has_own_texts(state: CompareState) -> bool:
    """Return whether the page holds texts of the visitor's own, rather than nothing or an untouched example."""
    given = any(text.strip() for _, text in state.systems) or state.references.strip()
    return bool(given) and example_of_state(state) is None


def state_of_outputs(outputs: Outputs, shared: Mapping[str, Any], view: str) -> CompareState | None:
    """Return the state that compares the first two of several outputs; None for one or too many.

    See `Page.show_outputs`."""
    if not SYSTEMS_LEAST <= len(outputs) <= SYSTEMS_MOST:
        return None
    systems = tuple([(name[:NAME_MOST], text) for name, text in outputs])
    wordless = not all(text for _, text in outputs)
    return CompareState(systems=systems, compare=view or "difference", wordless=wordless, **shared)
