"""Draw Help, and the line under the text fields: what the page is for, or a hint that helps with the texts."""

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
    """Open the Help dialog; its content is made only when it opens."""
    from ..draw.evidence import guide

    fragment.show("help_shown", guide.html(), measures=False)


def show(pasted: bool, texts: Sequence[ProcessedTexts], boxes: Mapping[str, str] | None = None) -> None:
    """Draw the line under the text fields: what the page is for until something is `pasted`, then a hint.

    `texts` are the texts that could be read, empty if one is missing. `boxes` are the typed texts by the session's keys
    of their fields; a click on a hint can remove markup from them."""
    if not pasted:
        st.html(f'<div class="guide"><b>Bitext Grid</b> {session.open_page().about}</div>')
    elif nudge := nudges.nudge(texts, list((boxes or {}).values())):
        settings = {"tokenizer": nudge.tokenizer} if nudge.tokenizer else {"nfkc": True} if nudge.nfkc else {}
        do, given = (apply_settings, (settings,)) if settings else (_clean, (nudge.markup, boxes or {}))
        hints.show(
            "nudge",
            nudge.says,
            hints.Action("nudge_follow", nudge.action, do, given),
            mark=nudges.dismissal_digest(texts, nudge),
        )


def _clean(kind: str, boxes: Mapping[str, str]) -> None:
    """Remove markup of a kind from the texts in `boxes`, in a callback."""
    cleaned_texts = {key: markup.clean_kind(kind, text) for key, text in boxes.items()}
    changed = {key: text for key, text in cleaned_texts.items() if text != boxes[key]}
    rewriting.rewrite(markup.KINDS[kind].done_message, changed)


def apply_settings(settings: Mapping[str, object]) -> None:
    """Set text settings, given by name, in a callback."""
    for name, value in settings.items():
        pending_widgets.give_value(controls.widget_key("text", name), value)
