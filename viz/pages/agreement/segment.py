"""The chosen output, or pair of outputs: how people rated it, and the evidence of the metric's score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from metrics.corpus.agreement import AgreementTable as Table
from metrics.types import Settings

from ...components import fragment, segment_head
from ...draw.agreement import ratings
from ...draw.evidence import words
from ...draw.evidence.fragment import root
from ...draw.pen import theme
from ...frame import notes
from ...state.inputs import MissingText
from ..compare import two_segments
from . import chosen_output, pairs, visitor_corpus
from .agreement_job import AgreementJob
from .chosen_output import ChosenOutput, Listed
from .record import SEEN, AgreementState

PLACE = "agreement_room"


def sides() -> list[Any]:
    """The left side of the page, and the right, where the chosen output stands."""
    return st.columns([7, 5], gap="medium")


def draw(
    corpus: AgreementJob, state: AgreementState, table: Table, listed: Listed, settings: Settings | None = None
) -> None:
    """The chosen output, or pair of outputs: its head, how people rated it, and its evidence by the metric, with the
    `settings` that the corpus was scored with where no others are named."""
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


def _head(corpus: AgreementJob, state: AgreementState, listed: Listed, chosen: ChosenOutput) -> None:
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
    """How people rated the output, or both."""
    systems = [chosen.system] if chosen.other is None else [chosen.system, chosen.other]
    return ratings.draw(
        chosen.segment, [(corpus.systems[n], ratings.ratings(corpus.judged, n, chosen.segment)) for n in systems]
    )


def _draw_pair(corpus: AgreementJob, state: AgreementState, table: Table, chosen: ChosenOutput, other: int) -> None:
    """Why the metric prefers the one, and what is different, or one of both alone."""
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
    texts = visitor_corpus.texts(corpus, system, segment)
    if isinstance(texts, MissingText):
        _unscored(corpus, (system,), segment, texts)
        return
    two_segments.show_one_output(
        "agreement_evidence", texts, state.metric, settings or corpus.settings[state.metric], PLACE
    )


def _unscored(corpus: AgreementJob, systems: Sequence[int], segment: int, why: MissingText) -> None:
    """Outputs of which no metric draws anything, with what people marked in them."""
    named_texts = visitor_corpus.unreferenced_texts(corpus, systems, segment)
    fragment.show("agreement_marked", root("words", words.outputs(named_texts)), place=PLACE, keeps=True)
    notes.say(why)


def _open(corpus: AgreementJob, state: AgreementState, chosen: ChosenOutput) -> None:
    """Open the output on Sentence, or the pair on Compare, with all that it needs."""
    systems = [chosen.system] if chosen.other is None else [chosen.system, chosen.other]
    if chosen.other is not None and state.seen in ("better", "worse"):
        systems = [systems[state.seen == "worse"]]
    named_lines = [(corpus.systems[n], corpus.line(n, chosen.segment)) for n in systems]
    two_segments.open_segment(corpus.material, chosen.segment, named_lines, state, state.seen, corpus.judged)
