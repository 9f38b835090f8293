"""What a browser keeps for a reload and no link holds: what was typed on the other pages, what pages keep beside, and
the texts for which a nudge was dismissed."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from . import controls, link, pages, session
from .pages import Looked


def beside(shown: Looked) -> str | None:
    """What is to be kept while a page shows this, as a document; None where there is nothing."""
    body: dict[str, Any] = {"pages": _other_pages(shown)}
    body |= {aside.name: aside.give() for page in pages.listed() for aside in page.asides}
    body["quiet"] = st.session_state.get("quiet")
    return json.dumps(body) if any(body.values()) else None


def _other_pages(now: Looked) -> list[str]:
    """What the other pages hold of the reader's own, each as a file."""
    here, out = pages.of(now), []
    for page in pages.listed():
        if page is not here and page.been in st.session_state:
            shown = session.looked(page.record, like=None if here.apart else now)
            own = page.held(shown) if page.held else shown
            out += [link.to_json(own)] if own else []
    return out


def take_beside(document: object) -> None:
    """Take what was kept before the page was loaded again; what is no such document changes nothing."""
    try:
        body = json.loads(document) if isinstance(document, str) else None
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        return
    kept = body.get("pages")
    for page in kept if isinstance(kept, list) else ():
        _take_page(page)
    for page in pages.listed():
        for aside in page.asides:
            aside.take(body.get(aside.name))
    if isinstance(body.get("quiet"), str):
        st.session_state.quiet = body["quiet"]


def _take_page(document: object) -> None:
    """What another page held; what it shares with the page that is open is there already."""
    here = session.open_page()
    try:
        shown, _, _ = link.from_json(document if isinstance(document, str) else "")
    except ValueError:
        return
    page = pages.of(shown)
    if page is here:
        return
    if page.apart:
        session.put(shown)
    elif here.apart:  # whose address has nothing of what the others share
        session.put(shown)
        controls.restore(shown.text, shown.settings)
    else:
        own = [f.name for f in page.own]
        session.put(shown, lambda f: f.name in own)
