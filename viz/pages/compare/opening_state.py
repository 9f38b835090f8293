"""How the Compare page is opened: what it begins with, what it takes from the Sentence page, its examples."""

from __future__ import annotations

import streamlit as st

from metrics.text import TextSettings

from ...state import controls, language, pending_widgets, reading, session
from ...state.examples import ComparisonExample
from ...state.pages import Page
from ..sentence.examples import EXAMPLES
from . import slots
from .examples import PAIR_BY_NAME, PAIRS
from .record import CompareState


def enter(former: Page | None) -> None:
    """What was typed on the Sentence page is A, an untouched example gives way to a pair; systems once there stay,
    unless they are an untouched pair whose references the Sentence page has replaced."""
    state = st.session_state
    candidate, references = state.get("candidate") or "", state.get("references") or ""
    if former is None and not candidate:  # a link left it to the page, which makes the candidate of A
        state.pop("candidate", None)
    texts, pair = (state.get("candidate"), state.get("references")), PAIRS[0]
    example = next((e for e in EXAMPLES if (e.candidate, e.references) == texts), None)
    if "systems" in state:
        untouched = next((p for p in PAIRS if p.systems == slots.systems()), None)
        if not untouched or references == untouched.references or not candidate.strip() or candidate == untouched.a:
            return
        pair = untouched
    if example is None and (candidate + references).strip():
        slots.put_all([("", candidate), ("", "")])
        return
    if "metric" not in state:
        state.metric = pair.metric
    session.leave()
    if pair.text or (example and (example.text or example.settings)):
        new = of_pair(pair)
        controls.restore(new.text, new.settings)  # settings that belong to an example leave with it, others stay
    pending_widgets.give_value("references", pair.references)
    pending_widgets.give_value("source", pair.source)
    pending_widgets.give_value("pair", pair.name)
    slots.put_all(pair.systems)


def restored() -> None:
    """Take what was chosen for that of the comparison that was restored."""
    state = st.session_state
    if "systems" in state:
        page_state = session.read_state(CompareState)
        state.step_of, state.effect_of = page_state.comparison_of, None
        pending_widgets.give_value("pair", pair.name if (pair := pair_of(page_state)) else None)


def reload_state(state: CompareState) -> CompareState | None:
    """The page for a reload, where its systems are the reader's own."""
    return state if all(pair.systems != state.systems for pair in PAIRS) else None


def load_pair(pair: ComparisonExample) -> None:
    """Put an example into the session."""
    session.restore(of_pair(pair), [])
    language.mark_as_given("example")


def of_pair(pair: ComparisonExample) -> CompareState:
    """An example as the page shows it."""
    return CompareState(
        references=pair.references,
        text=TextSettings(**pair.text),
        metric=pair.metric,
        systems=pair.systems,
        source=pair.source,
        compare=pair.view or st.session_state.get("compare_view") or "difference",
    )


def pair_of(state: CompareState) -> ComparisonExample | None:
    """The pair that is shown untouched."""
    return next((p for p in PAIRS if (p.systems, p.references) == (state.systems, state.references)), None)


def forget_example(page_state: CompareState) -> None:
    """Empty the menu of examples as soon as a text is no longer the pair's, so that it can be chosen again."""
    state = st.session_state
    if state.get("pair") and pair_of(page_state) != PAIR_BY_NAME[state.pair]:
        pending_widgets.give_value("pair", None)


def drop_source(source: str, references: str) -> bool:
    """Empty the source of a pair whose references have been replaced by other texts; whether it was emptied."""
    of = next((pair for pair in PAIRS if pair.source and pair.source == source), None)
    if of is None or not references.strip() or reading.same_meaning(of.references, references):
        return False
    pending_widgets.give_value("source", "")
    return True


def pasted(state: CompareState) -> bool:
    """Whether the page holds texts of the user's own; untouched examples are none."""
    given = any(text.strip() for _, text in state.systems) or state.references.strip()
    return bool(given) and pair_of(state) is None
