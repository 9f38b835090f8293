"""Help, and the first line under the inputs: what the page is until something is pasted, then a nudge
where one helps."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ..components import fragment
from ..draw.texts import Texts
from ..state import controls, handed, nudges, session
from . import hints


@st.dialog("Help", width="large")
def open_help() -> None:
    """Open Help; nothing of it is made before."""
    from ..draw.evidence import guide

    fragment.show("help_shown", guide.html(), measures=False)


def show(pasted: bool, texts: Sequence[Texts]) -> None:
    """Say one thing: what the page is until something is `pasted`, then a nudge; `texts` are those that could be read,
    none where something is missing."""
    if not pasted:
        st.html(f'<div class="guide"><b>Bitext Grid</b> {session.open_page().about}</div>')
    elif found := nudges.nudge(texts):
        follow = hints.Action("nudge_follow", found.action, _follow, (found.tokenizer,))
        hints.show("nudge", found.says, follow, mark=nudges.mark(texts))


def _follow(tokenizer: str) -> None:
    handed.put(controls.widget_key("text", "tokenizer"), tokenizer)
