"""How the Compare page is opened: what it begins with, what it takes from the Sentence page, its examples."""

from __future__ import annotations

import streamlit as st

from metrics.text import TextSettings

from ...state import controls, handed, language, reading, session
from ...state.examples import Pair
from ...state.pages import Page
from ..sentence.examples import EXAMPLES
from . import slots
from .examples import PAIR_BY_NAME, PAIRS
from .record import Compare


def enter(former: Page | None) -> None:
    """What was typed on the Sentence page is A, an untouched example gives way to a pair; systems once there stay,
    unless they are an untouched pair whose references the Sentence page has replaced."""
    state = st.session_state
    candidate, references = state.get("candidate") or "", state.get("references") or ""
    if former is None and not candidate:  # a link left it to the page, which makes the candidate of A
        state.pop("candidate", None)
    shown, pair = (state.get("candidate"), state.get("references")), PAIRS[0]
    example = next((e for e in EXAMPLES if (e.candidate, e.references) == shown), None)
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
    handed.put("references", pair.references)
    handed.put("source", pair.source)
    handed.put("pair", pair.name)
    slots.put_all(pair.systems)


def restored() -> None:
    """Take what was chosen for that of the comparison that was restored."""
    state = st.session_state
    if "systems" in state:
        shown = session.looked(Compare)
        state.step_of, state.effect_of = shown.comparison_of, None
        handed.put("pair", pair.name if (pair := pair_of(shown)) else None)


def held(shown: Compare) -> Compare | None:
    """The page for a reload, where its systems are the reader's own."""
    return shown if all(pair.systems != shown.systems for pair in PAIRS) else None


def load_pair(pair: Pair) -> None:
    """Put an example into the session."""
    session.restore(of_pair(pair), [])
    language.given("example")


def of_pair(pair: Pair) -> Compare:
    """An example as the page shows it."""
    return Compare(
        references=pair.references,
        text=TextSettings(**pair.text),
        metric=pair.metric,
        systems=pair.systems,
        source=pair.source,
        compare=pair.view or st.session_state.get("compare_view") or "difference",
    )


def pair_of(shown: Compare) -> Pair | None:
    """The pair that is shown untouched."""
    return next((p for p in PAIRS if (p.systems, p.references) == (shown.systems, shown.references)), None)


def forget_example(shown: Compare) -> None:
    """Empty the menu of examples as soon as a text is no longer the pair's, so that it can be chosen again."""
    state = st.session_state
    if state.get("pair") and pair_of(shown) != PAIR_BY_NAME[state.pair]:
        handed.put("pair", None)


def drop_source(source: str, references: str) -> bool:
    """Empty the source of a pair whose references have been replaced by other texts; whether it was emptied."""
    of = next((pair for pair in PAIRS if pair.source and pair.source == source), None)
    if of is None or not references.strip() or reading.same_meaning(of.references, references):
        return False
    handed.put("source", "")
    return True


def pasted(shown: Compare) -> bool:
    """Whether the page holds texts of the user's own; untouched examples are none."""
    given = any(text.strip() for _, text in shown.systems) or shown.references.strip()
    return bool(given) and pair_of(shown) is None
