"""The Sentence page: one candidate, its references, and for every metric the cells that made its score."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

import streamlit as st

import metrics
from metrics.types import Result
from viz.components import address
from viz.draw.texts import ProcessedTexts
from viz.frame import fields, guide, hints, lines, menus, notes, strip
from viz.frame.examples import BY_NAME, clear_stale_source
from viz.pages.sentence import (
    look,
    one_metric,
    opening_state,
    save_menu,
    steps,
    verdict,
)
from viz.pages.sentence.record import VIEWS, SentenceState
from viz.pages.sentence.views import DRAWN
from viz.state.results import scoring
from viz.state.texts import inputs
from viz.state.texts.inputs import MissingText
from viz.state.visit import navigation, pending_widgets, session

# ---------------------------------------------------------------- inputs


def page() -> None:
    """Draw the whole page: the text areas, the notes on the texts, and the sentence view."""
    state = navigation.prepare_run(SentenceState)
    if state is None:
        address.ask_for_texts()
        return
    if _leave_missing_view(state) or clear_stale_source(state.source, state.references):
        state = session.read_for_run(SentenceState)
    box = st.container(key="inputs")
    with box:
        st.text_area(
            "Candidate", key="candidate", height=116, placeholder="Paste a machine translation", persist_state="session"
        )
        fields.draw_references_field()
        menus.language_menu()
        fields.draw_source_field(state.source, bool((state.candidate + state.references).strip()))
        opening_state.forget_example(state)
        menus.example_menu(BY_NAME, "example", _load_chosen_example)
        menus.draw_menu_row(menus.text_menu, menus.share_menu, save_menu.show)
    texts = inputs.read_texts(state.candidate, state.references, state.text, source=state.source, marks=state.marked)
    if not isinstance(texts, MissingText):
        with box:
            fields.draw_folded_texts(texts)
    # One container for all notes: Streamlit identifies the fragment below, and clicks in it, by its position.
    with st.container(key="notes"):
        notes.show(state, not isinstance(texts, MissingText))
        lines.draw_note_on_lines("The candidate", state.candidate, "None", opening_state.open_lines_as_outputs)
        hints.show_language_hint(state.references)
        hints.show_reference_hints(state.references, [state.candidate])
        boxes = {"candidate": state.candidate, "references": state.references}
        guide.draw_guide_line(
            opening_state.has_users_texts(state), [] if isinstance(texts, MissingText) else [texts], boxes
        )
    if not isinstance(texts, MissingText):
        sentence_view(state.typed_texts, texts)
    elif half := inputs.read_one_sided(state.candidate, state.references, state.text, state.source, state.marked):
        sentence_view(state.typed_texts, half, texts)
    else:
        address.show(state)
        notes.show_missing_text(texts)


def _load_chosen_example() -> None:
    """Load the example that was chosen in the menu of examples."""
    pending_widgets.restore_given_values()
    if name := st.session_state.get("example"):
        opening_state.load(BY_NAME[name])


# ---------------------------------------------------------------- scores


EMPTY_SIDE = "The steps for an empty text are below."
LONG = 200  # beyond this number of candidate words, a spinner is shown while scoring


@st.fragment
def sentence_view(typed: tuple[object, ...], texts: ProcessedTexts, missing: MissingText | None = None) -> None:
    """Draw the score strip and the open view, such as “Steps”.

    `typed` are the fields of the state from which `texts` were read; if they have changed since, the whole page runs
    again. `missing` is None, or says which side has no words; then only the steps can be shown."""
    state = look.with_played_round(session.state_of_this_run(SentenceState))
    # One event can report both a click and the text typed into the area that the click leaves.
    if st.session_state.pop("whole_page", False) or state.typed_texts != typed or _leave_missing_view(state):
        st.rerun()
    if missing:
        place = st.empty()
    long = len(texts.candidate) > LONG  # for shorter texts the spinner would take longer than the scoring
    markup = None if long or missing else _score_and_markup(texts, state)
    menus.draw_choice_buttons("View", "view", {view: VIEWS[view] for view in _view_names(state)})
    if missing:
        with place:
            steps_said = state.view == "steps" and missing.is_untyped
            notes.show_missing_text(replace(missing, advice=EMPTY_SIDE) if steps_said else missing)
        if state.view != "steps":
            steps.forget()
            address.show(state)
            return
    tiles = st.container() if long else nullcontext()  # placed before the spinner, which must not move them
    with st.spinner("Scoring") if long else nullcontext():
        glances = scoring.glances(state, texts)
    with tiles:
        strip.show(strip.score_tiles(glances), state.metric, _open_metric, verdict.verdict(texts, state))
    if state.view != "steps":
        steps.forget()
    DRAWN[state.view].draw(texts, state, markup)
    address.show(state)


def _view_names(state: SentenceState) -> list[str]:
    """Return the names of the views that the chosen metric has; not every metric has steps."""
    return [name for name, view in DRAWN.items() if view.needs(state)]


def _leave_missing_view(page_state: SentenceState) -> bool:
    """Leave a view that the chosen metric does not have, and note it for the user; return whether it was left."""
    if page_state.view in _view_names(page_state):
        return False
    state, label = st.session_state, metrics.METRICS[page_state.metric].label
    state.problems = [*state.get("problems", []), f"{label} has no steps to watch; its score is shown instead."]
    pending_widgets.give_value("view", "metric")
    return True


def _score_and_markup(texts: ProcessedTexts, state: SentenceState) -> str | None:
    """Compute the scores by all metrics, and return the HTML of the evidence if the open view shows it, else None.

    This takes time, so it is done before anything is sent: a browser draws at once what arrives together."""
    scoring.glances(state, texts)
    if state.view == "metric" and isinstance(result := scoring.score(state, state.metric, texts), Result):
        return one_metric.evidence_html(texts, result, one_metric.look_of(state))
    return None


def _open_metric() -> None:
    """Open the view of one metric after a click on its tile, if the open view is not about a single metric."""
    if st.session_state.view in ("all", "errors"):
        pending_widgets.give_value("view", "metric")


page()
