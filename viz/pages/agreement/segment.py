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
from ...draw.pen import theme
from ...frame import notes
from ...state.inputs import MissingText
from ..compare import two_segments
from . import chosen_output, pairs, visitor_corpus
from .agreement_job import AgreementJob
from .chosen_output import ChosenOutput, OutputList
from .record import SEEN, AgreementState

PLACE = "agreement_room"


def sides() -> list[Any]:
    """Return the columns of the page: the left one for a view, and the right one for the selected output."""
    return st.columns([7, 5], gap="medium")


def draw(
    corpus: AgreementJob, state: AgreementState, table: Table, listed: OutputList, settings: Settings | None = None
) -> None:
    """Draw the selected output or pair: its head, how people rated it, and its evidence by the metric.

    Without `settings`, those that the corpus was scored with are used."""
    chosen = chosen_output.chosen_output(corpus, state, listed)
    if chosen is None:
        st.info("Nobody judged an output here.")
        return
    _head(corpus, state, listed, chosen)
    st.html(_ratings_html(corpus, chosen))
    if chosen.other is None:
        _evidence(corpus, state, chosen.system, chosen.segment, settings)
    else:
        _draw_pair(corpus, state, table, chosen, chosen.other)


def _head(corpus: AgreementJob, state: AgreementState, listed: OutputList, chosen: ChosenOutput) -> None:
    """Draw the head of the selected output, with its place in the list and the buttons that move on and open it."""
    place = next((n for n, each in enumerate(listed.outputs) if each == chosen), None)
    where = "" if place is None else f"{place + 1:,} of {len(listed.outputs):,}"
    document = theme.visible(corpus.document(chosen.segment), 80) if corpus.document(chosen.segment) else ""
    about = " · ".join([each for each in (where, listed.says, document) if each])
    ways, opens, of = [], "Open on Sentence", theme.visible(corpus.systems[chosen.system], 40)
    if chosen.other is not None:
        names = {**SEEN, "better": corpus.systems[chosen.system], "worse": corpus.systems[chosen.other]}
        ways = [(way, theme.visible(label, 24)) for way, label in names.items()]
        of = f"{of}, {theme.visible(corpus.systems[chosen.other], 40)}"
        opens = "Open on Compare" if state.seen in ("difference", "edits") else opens

    def handle_action(what: str, value: object) -> None:
        if what == "go" and value in (1, -1) and listed.outputs:
            at = 0 if place is None else max(0, min(len(listed.outputs) - 1, place + int(str(value))))
            chosen_output.choose(listed.outputs[at])
        if what == "way" and value in SEEN:
            st.session_state.agreement_seen = value
        if what == "open":
            _open(corpus, state, chosen)

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
    """Return how people rated the output, or both outputs of a pair, as HTML."""
    systems = [chosen.system] if chosen.other is None else [chosen.system, chosen.other]
    return ratings.draw(
        chosen.segment, [(corpus.systems[n], ratings.ratings(corpus.judged, n, chosen.segment)) for n in systems]
    )


def _draw_pair(corpus: AgreementJob, state: AgreementState, table: Table, chosen: ChosenOutput, other: int) -> None:
    """Draw why the metric prefers one output of the pair, and what differs between them, or one of the two alone."""
    texts = visitor_corpus.pair_texts(corpus, (chosen.system, other), chosen.segment)
    if isinstance(texts, MissingText):
        _unscored(corpus, (chosen.system, other), chosen.segment, texts)
        return
    a, b = texts
    if html := pairs.why_of(corpus, table, chosen_output.column(corpus, state), chosen, (a, b)):
        st.html(html)
    if state.seen in ("better", "worse"):
        _evidence(corpus, state, chosen.system if state.seen == "better" else other, chosen.segment)
        return
    names = corpus.systems[chosen.system], corpus.systems[other]
    settings = two_segments.all_settings(corpus.settings, state)
    two_segments.show_two_outputs("agreement_compared", (a, b), names, state.metric, settings, state.seen, PLACE)


def _evidence(
    corpus: AgreementJob, state: AgreementState, system: int, segment: int, settings: Settings | None = None
) -> None:
    """Draw the evidence of one output."""
    texts = visitor_corpus.texts(corpus, system, segment)
    if isinstance(texts, MissingText):
        _unscored(corpus, (system,), segment, texts)
        return
    two_segments.show_one_output(
        "agreement_evidence", texts, state.metric, settings or corpus.settings[state.metric], PLACE
    )


def _unscored(corpus: AgreementJob, systems: Sequence[int], segment: int, why: MissingText) -> None:
    """Draw outputs that no metric can score, with what people marked in them, and why there are no scores."""
    named_texts = visitor_corpus.unreferenced_texts(corpus, systems, segment)
    fragment.show("agreement_marked", root_element("words", words.outputs(named_texts)), place=PLACE, keeps=True)
    notes.show_missing_text(why)


def _open(corpus: AgreementJob, state: AgreementState, chosen: ChosenOutput) -> None:
    """Open the output on Sentence, or the pair on Compare, in a callback."""
    systems = [chosen.system] if chosen.other is None else [chosen.system, chosen.other]
    if chosen.other is not None and state.seen in ("better", "worse"):
        systems = [systems[state.seen == "worse"]]
    named_lines = [(corpus.systems[n], corpus.line(n, chosen.segment)) for n in systems]
    two_segments.open_segment(corpus.material, chosen.segment, named_lines, state, state.seen, corpus.judged)
