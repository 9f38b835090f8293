"""Help, and the first line under the inputs: what the page is until something is pasted, then a nudge
where one helps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from metrics.text import markup

from ..components import fragment
from ..draw.texts import ProcessedTexts
from ..state import controls, nudges, pending_widgets, session
from . import hints, rewriting


@st.dialog("Help", width="large")
def open_help() -> None:
    """Open Help; nothing of it is made before."""
    from ..draw.evidence import guide

    fragment.show("help_shown", guide.html(), measures=False)


def show(pasted: bool, texts: Sequence[ProcessedTexts], boxes: Mapping[str, str] | None = None) -> None:
    """Say one thing: what the page is until something is `pasted`, then a nudge; `texts` are those that could be read,
    none where something is missing, and `boxes` those that are typed, by the session's keys of their boxes, where
    markup can be taken out of them."""
    if not pasted:
        st.html(f'<div class="guide"><b>Bitext Grid</b> {session.open_page().about}</div>')
    elif nudge := nudges.nudge(texts, list((boxes or {}).values())):
        settings = {"tokenizer": nudge.tokenizer} if nudge.tokenizer else {"nfkc": True} if nudge.nfkc else {}
        do, given = (follow, (settings,)) if settings else (_clean, (nudge.markup, boxes or {}))
        hints.show(
            "nudge",
            nudge.says,
            hints.Action("nudge_follow", nudge.action, do, given),
            mark=nudges.mark(texts, nudge),
        )


def _clean(kind: str, boxes: Mapping[str, str]) -> None:
    """Take markup of a kind out of the texts in boxes."""
    cleaned_texts = {key: markup.cleaned(kind, text) for key, text in boxes.items()}
    changed = {key: text for key, text in cleaned_texts.items() if text != boxes[key]}
    rewriting.rewrite(markup.KINDS[kind].done_message, changed)


def follow(settings: Mapping[str, object]) -> None:
    """Take settings of the text processing, by their names."""
    for name, value in settings.items():
        pending_widgets.give_value(controls.widget_key("text", name), value)
