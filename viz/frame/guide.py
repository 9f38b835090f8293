"""Draw the Help dialog, and the line under the text fields: what the page is for, or a hint about the texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from metrics.text import markup

from ..components import fragment
from ..draw.texts import ProcessedTexts
from ..state.texts import nudges
from ..state.visit import controls, pending_widgets, session
from . import hints, rewriting


@st.dialog("Help", width="large")
def open_help(key_groups: Sequence[str]) -> None:
    """Open the Help dialog, with the keys of the page (see `Page.key_groups`); its content is made only now."""
    from ..draw.evidence import guide

    fragment.show("help_shown", guide.help_html(key_groups), fits_place=False)


def draw_guide_line(pasted: bool, texts: Sequence[ProcessedTexts], boxes: Mapping[str, str] | None = None) -> None:
    """Draw the line under the text fields: what the page is for, or a hint about the texts if there is one.

    Args:
        pasted: whether the page holds texts of the visitor's own; only then is a hint drawn.
        texts: the texts as they were read; empty if a text is missing.
        boxes: the typed texts by the session keys of their fields; a click on a hint can remove markup from them."""
    if not pasted:
        st.html(f'<div class="guide"><b>Bitext Grid</b> {session.open_page().about}</div>')
    elif nudge := nudges.find_nudge(texts, list((boxes or {}).values())):
        settings = {"tokenizer": nudge.tokenizer} if nudge.tokenizer else {"nfkc": True} if nudge.nfkc else {}
        do, given = (set_text_settings, (settings,)) if settings else (_remove_markup, (nudge.markup, boxes or {}))
        hints.show(
            "nudge",
            nudge.says,
            hints.HintButton("nudge_follow", nudge.action, do, given),
            mark=nudges.dismissal_digest(texts, nudge),
        )


def _remove_markup(kind: str, boxes: Mapping[str, str]) -> None:
    """Remove markup of one kind, such as HTML tags, from the text fields in `boxes`; a callback.

    `boxes` has the typed texts by the session keys of their fields."""
    cleaned_texts = {key: markup.remove_markup_kind(kind, text) for key, text in boxes.items()}
    changed = {key: text for key, text in cleaned_texts.items() if text != boxes[key]}
    rewriting.rewrite_fields(markup.KINDS[kind].done_message, changed)


def set_text_settings(settings: Mapping[str, object]) -> None:
    """Set text settings, such as the tokenizer, to the values in `settings`, by name; a callback."""
    for name, value in settings.items():
        pending_widgets.give_value(controls.widget_key("text", name), value)
