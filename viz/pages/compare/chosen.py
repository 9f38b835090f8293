"""What is chosen in one comparison, which belongs to its texts and settings, in Streamlit's session."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ...draw.compare.changed_words import FATES
from ...state import codec, session
from ...state.pages import FIRST_METRIC
from . import slots
from .record import Compare

#: Keys of what belongs to one comparison, and how it is at first.
STEP = {"step": None, "change": None, "grid_reference": None}


def read(given: dict[str, Any]) -> dict[str, Any]:
    """The fields of the record with the systems, and without what was chosen in another comparison."""
    given |= {"systems": slots.systems(), "sides": slots.sides()}
    if st.session_state.get("step_of") != comparison_now():
        given |= {f.name: f.default for f in codec.fields(Compare) if f.key in STEP}
    if st.session_state.get("compare_view") != "words":
        given["effect"] = None  # nobody can say whether its texts are still there
    return given


def chosen_step(count: int) -> int | None:
    """The chosen one of `count` steps from A to B; None if there is none, or if it was chosen in another comparison."""
    state, now = st.session_state, comparison_now()
    if state.get("step_of") is None:
        state.step_of = now
    step: int | None = state.get("step")
    return step if step is not None and step < count and state.step_of == now else None


def choose_step(step: int | None) -> None:
    """Choose a step of the comparison that is shown, or none."""
    _keep_steps()
    st.session_state.step = step


def open_reference(number: object, count: int) -> None:
    """Keep which of `count` references has its grid open; the browser may send anything."""
    _keep_steps()
    st.session_state.grid_reference = codec.number_sent(number, count)


def opened_reference(count: int) -> int | None:
    """The one of `count` references whose grid is open; None where the step says it, or in another comparison."""
    state = st.session_state
    reference: int | None = state.get("grid_reference")
    known = reference is not None and reference < count and state.get("step_of") in (None, comparison_now())
    return reference if known else None


def chosen_effect(of: object) -> int | None:
    """The chosen change of a word `of` what is shown; what was chosen of something else is given up."""
    state = st.session_state
    if state.get("effect_of") not in (None, of):
        state.effect = None
    state.effect_of = of
    effect: int | None = state.get("effect")
    return effect


def choose_effect(effect: int | None) -> None:
    """Choose a change of a word of what is shown, or none."""
    st.session_state.effect = effect


def switch_off(fates: object) -> None:
    """Show words of these fates, a space between them, no more as such; the browser may send anything."""
    given = fates.split() if isinstance(fates, str) else []
    st.session_state.fates_off = tuple(sorted({*given}.intersection(FATES)))


def switched_off() -> tuple[str, ...]:
    """The fates of words that are not shown as such."""
    off: tuple[str, ...] = st.session_state.get("fates_off") or ()
    return off


def shown_change() -> int | None:
    """The change of a long comparison around which its part is shown; None for the first one."""
    state = st.session_state
    change: int | None = state.get("change") if state.get("step_of") in (None, comparison_now()) else None
    return change


def show_change(number: int) -> None:
    """Show the part of a long comparison around one of its changes."""
    _keep_steps()
    st.session_state.change = number


def _keep_steps() -> None:
    """What is chosen of another comparison belongs to that one."""
    state, now = st.session_state, comparison_now()
    if state.get("step_of") not in (None, now):
        for key, at_first in STEP.items():
            state[key] = at_first
    state.step_of = now


def comparison_now() -> tuple[object, ...]:
    """What the steps that are shown follow from."""
    state = st.session_state
    metric = state.get("metric") or FIRST_METRIC
    settings = session.text_settings(), metric, session.metric_settings(metric)
    return (*slots.compared(), state.get("references"), *settings)
