"""Draw the selected output or pair of outputs: how people rated it, and the evidence of the metric's score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from metrics.corpus.agreement import AgreementTable as Table
from metrics.types import Settings

from ...components import fragment, segment_head
from ...draw.agreement import ratings
from ...draw.evidence import words
from ...draw.evidence.fragment import root_element
from ...draw.pen.text import visible
from ...frame import notes, two_segments
from ...state.texts.inputs import MissingText
from . import chosen_output, pairs
from .agreement_job import AgreementJob
from .chosen_output import ChosenOutput, OutputList
from .record import SEEN, AgreementState

PLACE = "agreement_room"


def left_and_right_columns() -> list[Any]:
    """Return the two columns of the page: the left one for a view, the right one for the selected output."""
    return st.columns([7, 5], gap="medium")


def draw(
    corpus: AgreementJob, state: AgreementState, table: Table, listed: OutputList, settings: Settings | None = None
) -> None:
    """Draw the selected output or pair of outputs: its head, how people rated it, and the evidence of its score.

    `listed` are the outputs of the view; the first is drawn if none is selected. `settings` are those of the metric, by
    default those with which the corpus was scored."""
    chosen = chosen_output.chosen_output(corpus, state, listed)
    if chosen is None:
        st.info("Nobody judged an output here.")
        return
    _draw_head(corpus, state, listed, chosen)
    st.html(_ratings_html(corpus, chosen))
    if chosen.other is None:
        _draw_evidence(corpus, state, chosen.system, chosen.segment, settings)
    else:
        _draw_pair(corpus, state, table, chosen, chosen.other)


def _draw_head(corpus: AgreementJob, state: AgreementState, listed: OutputList, chosen: ChosenOutput) -> None:
    """Draw the head of the selected output: its position in the list, and buttons that go on and open it."""
    place = next((n for n, each in enumerate(listed.outputs) if each == chosen), None)
    where = "" if place is None else f"{place + 1:,} of {len(listed.outputs):,}"
    document = visible(corpus.document_name(chosen.segment), 80) if corpus.document_name(chosen.segment) else ""
    about = " · ".join([each for each in (where, listed.says, document) if each])
    ways, opens, of = [], "Open on Sentence", visible(corpus.names[chosen.system], 40)
    if chosen.other is not None:
        names = {**SEEN, "better": corpus.names[chosen.system], "worse": corpus.names[chosen.other]}
        ways = [(way, visible(label, 24)) for way, label in names.items()]
        of = f"{of}, {visible(corpus.names[chosen.other], 40)}"
        opens = "Open on Compare" if state.seen in ("difference", "edits") else opens

    def handle_action(what: str, value: object) -> None:
        if what == "go" and value in (1, -1) and listed.outputs:
            at = 0 if place is None else max(0, min(len(listed.outputs) - 1, place + int(str(value))))
            chosen_output.select_output(listed.outputs[at])
        if what == "way" and value in SEEN:
            st.session_state.agreement_seen = value
        if what == "open":
            _open_on_other_page(corpus, state, chosen)

    title = f"Segment {chosen.segment + 1:,} · {of}"
    segment_head.show(
        segment_head.SegmentHeading(title, about),
        ways,
        state.seen,
        opens,
        None,
        [],
        handle_action,
        key="agreement_head",
    )


def _ratings_html(corpus: AgreementJob, chosen: ChosenOutput) -> str:
    """Return how people rated the selected output, or both outputs of a pair, as HTML."""
    systems = [chosen.system] if chosen.other is None else [chosen.system, chosen.other]
    return ratings.draw(
        chosen.segment, [(corpus.names[n], ratings.output_ratings(corpus.judged, n, chosen.segment)) for n in systems]
    )


def _draw_pair(corpus: AgreementJob, state: AgreementState, table: Table, chosen: ChosenOutput, other: int) -> None:
    """Draw why the metric prefers the other output of the pair, and how the two differ, or one of them alone.

    `other` is the system of the second output. The page state says which of these is shown."""
    texts = corpus.drawable_pair((chosen.system, other), chosen.segment)
    if isinstance(texts, MissingText):
        _draw_unscored(corpus, (chosen.system, other), chosen.segment, texts)
        return
    a, b = texts
    if html := pairs.rewarded_edits_html(
        corpus, table, chosen_output.selected_column_key(corpus, state), chosen, (a, b)
    ):
        st.html(html)
    if state.seen in ("better", "worse"):
        _draw_evidence(corpus, state, chosen.system if state.seen == "better" else other, chosen.segment)
        return
    names = corpus.names[chosen.system], corpus.names[other]
    settings = two_segments.settings_of_all_metrics(corpus.settings, state)
    two_segments.show_two_outputs("agreement_compared", (a, b), names, state.metric, settings, state.seen, PLACE)


def _draw_evidence(
    corpus: AgreementJob, state: AgreementState, system: int, segment: int, settings: Settings | None = None
) -> None:
    """Draw the evidence of one output's score, by default with the settings with which the corpus was scored."""
    texts = corpus.drawable_output(system, segment)
    if isinstance(texts, MissingText):
        _draw_unscored(corpus, (system,), segment, texts)
        return
    two_segments.show_one_output(
        "agreement_evidence", texts, state.metric, settings or corpus.settings[state.metric], PLACE
    )


def _draw_unscored(corpus: AgreementJob, systems: Sequence[int], segment: int, why: MissingText) -> None:
    """Draw outputs that no metric can score, with the errors that people marked in them, and the reason `why`."""
    named_texts = corpus.drawable_unreferenced_outputs(systems, segment)
    fragment.show(
        "agreement_marked", root_element("words", words.output_lines(named_texts)), place=PLACE, browser_keeps_html=True
    )
    notes.show_missing_text(why)


def _open_on_other_page(corpus: AgreementJob, state: AgreementState, chosen: ChosenOutput) -> None:
    """Open the selected output on Sentence, or the pair on Compare; a callback."""
    systems = [chosen.system] if chosen.other is None else [chosen.system, chosen.other]
    if chosen.other is not None and state.seen in ("better", "worse"):
        systems = [systems[state.seen == "worse"]]
    two_segments.open_segment(corpus, systems, chosen.segment, state, state.seen)
