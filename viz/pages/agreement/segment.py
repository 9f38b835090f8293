"""The chosen output, or pair of outputs: how people rated it, and the evidence of the metric's score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from metrics.corpus.agreement import Agreement as Table
from metrics.types import Settings

from ...components import fragment, segment_head
from ...draw.agreement import said
from ...draw.evidence import words
from ...draw.evidence.fragment import root
from ...draw.pen import theme
from ...frame import notes
from ...state.inputs import Missing
from ..compare import two_segments
from . import held, looking, pairs
from .agreeing import Agreeing
from .looking import Chosen, Listed
from .record import SEEN, Agreement

PLACE = "agreement_room"


def sides() -> list[Any]:
    """The left side of the page, and the right, where the chosen output stands."""
    return st.columns([7, 5], gap="medium")


def draw(found: Agreeing, shown: Agreement, table: Table, listed: Listed, settings: Settings | None = None) -> None:
    """The chosen output, or pair of outputs: its head, how people rated it, and its evidence by the metric, with the
    `settings` that the corpus was scored with where no others are named."""
    chosen = looking.chosen(found, shown, listed)
    if chosen is None:
        st.info("Nobody judged an output here.")
        return
    _head(found, shown, listed, chosen)
    st.html(_said(found, chosen))
    if chosen.other is None:
        _evidence(found, shown, chosen.system, chosen.segment, settings)
    else:
        _both(found, shown, table, chosen, chosen.other)


def _head(found: Agreeing, shown: Agreement, listed: Listed, chosen: Chosen) -> None:
    place = next((n for n, each in enumerate(listed.outputs) if each == chosen), None)
    where = "" if place is None else f"{place + 1:,} of {len(listed.outputs):,}"
    document = theme.visible(found.document(chosen.segment), 80) if found.document(chosen.segment) else ""
    about = " · ".join([each for each in (where, listed.says, document) if each])
    ways, opens, of = [], "Open on Sentence", theme.visible(found.systems[chosen.system], 40)
    if chosen.other is not None:
        names = {**SEEN, "better": found.systems[chosen.system], "worse": found.systems[chosen.other]}
        ways = [(way, theme.visible(label, 24)) for way, label in names.items()]
        of = f"{of}, {theme.visible(found.systems[chosen.other], 40)}"
        opens = "Open on Compare" if shown.seen in ("difference", "edits") else opens

    def told(what: str, value: object) -> None:
        if what == "go" and value in (1, -1) and listed.outputs:
            at = 0 if place is None else max(0, min(len(listed.outputs) - 1, place + int(str(value))))
            looking.choose(listed.outputs[at])
        if what == "way" and value in SEEN:
            st.session_state.agreement_seen = value
        if what == "open":
            _open(found, shown, chosen)

    title = f"Segment {chosen.segment + 1:,} · {of}"
    segment_head.show(segment_head.Place(title, about), ways, shown.seen, opens, None, [], told, key="agreement_head")


def _said(found: Agreeing, chosen: Chosen) -> str:
    """How people rated the output, or both."""
    systems = [chosen.system] if chosen.other is None else [chosen.system, chosen.other]
    return said.draw(
        chosen.segment, [(found.systems[n], said.ratings(found.judged, n, chosen.segment)) for n in systems]
    )


def _both(found: Agreeing, shown: Agreement, table: Table, chosen: Chosen, other: int) -> None:
    """Why the metric prefers the one, and what is different, or one of both alone."""
    texts = held.both(found, (chosen.system, other), chosen.segment)
    if isinstance(texts, Missing):
        _unscored(found, (chosen.system, other), chosen.segment, texts)
        return
    a, b = texts
    if made := pairs.why_of(found, table, looking.column(found, shown), chosen, (a, b)):
        st.html(made)
    if shown.seen in ("better", "worse"):
        _evidence(found, shown, chosen.system if shown.seen == "better" else other, chosen.segment)
        return
    names = found.systems[chosen.system], found.systems[other]
    settings = two_segments.all_settings(found.settings, shown)
    two_segments.both("agreement_compared", (a, b), names, shown.metric, settings, shown.seen, PLACE)


def _evidence(found: Agreeing, shown: Agreement, system: int, segment: int, settings: Settings | None = None) -> None:
    texts = held.texts(found, system, segment)
    if isinstance(texts, Missing):
        _unscored(found, (system,), segment, texts)
        return
    two_segments.alone("agreement_evidence", texts, shown.metric, settings or found.settings[shown.metric], PLACE)


def _unscored(found: Agreeing, systems: Sequence[int], segment: int, why: Missing) -> None:
    """Outputs of which no metric draws anything, with what people marked in them."""
    named = held.alone(found, systems, segment)
    fragment.show("agreement_marked", root("words", words.outputs(named)), place=PLACE, keeps=True)
    notes.say(why)


def _open(found: Agreeing, shown: Agreement, chosen: Chosen) -> None:
    """Open the output on Sentence, or the pair on Compare, with all that it needs."""
    systems = [chosen.system] if chosen.other is None else [chosen.system, chosen.other]
    if chosen.other is not None and shown.seen in ("better", "worse"):
        systems = [systems[shown.seen == "worse"]]
    named = [(found.systems[n], found.line(n, chosen.segment)) for n in systems]
    two_segments.open_segment(found.material, chosen.segment, named, shown, shown.seen, found.judged)
