"""Write and restore what a browser keeps for a reload and what no link holds.

This is what was typed on the other pages, the `asides` of the pages, and the texts for which advice was dismissed."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from ..links import link, pages
from ..links.pages import PageState
from . import controls, session


def reload_document(state: PageState) -> str | None:
    """Return the JSON document that the browser keeps while a page shows `state`; None if there is nothing to keep."""
    body: dict[str, Any] = {"pages": _other_pages(state)}
    body |= {aside.name: aside.give() for page in pages.all_pages() for aside in page.asides}
    body["quiet"] = st.session_state.get("quiet")
    return json.dumps(body) if any(body.values()) else None


def _other_pages(now: PageState) -> list[str]:
    """Return the user's own content of every page except the one of the state `now`, each as a workspace file."""
    current_page, out = pages.page_of_record(now), []
    for page in pages.all_pages():
        if page is not current_page and page.content_key in st.session_state:
            state = session.read_state(page.record, like=None if current_page.has_own_texts else now)
            own_state = page.reload_state(state) if page.reload_state else state
            out += [link.to_json(own_state)] if own_state else []
    return out


def restore_document(document: object) -> None:
    """Restore what `reload_document` kept before the reload; a malformed document changes nothing."""
    try:
        body = json.loads(document) if isinstance(document, str) else None
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        return
    page_documents = body.get("pages")
    for page in page_documents if isinstance(page_documents, list) else ():
        _restore_page(page)
    for page in pages.all_pages():
        for aside in page.asides:
            aside.take(body.get(aside.name))
    if isinstance(body.get("quiet"), str):
        st.session_state.quiet = body["quiet"]


def _restore_page(document: object) -> None:
    """Restore the content of another page from its workspace file, except what it shares with the open page."""
    current_page = session.open_page()
    try:
        state, _, _ = link.from_json(document if isinstance(document, str) else "")
    except ValueError:
        return
    page = pages.page_of_record(state)
    if page is current_page:
        return
    if page.has_own_texts:
        session.store_state(state)
    elif current_page.has_own_texts:  # its address holds nothing of what the other pages share
        session.store_state(state)
        controls.restore_settings(state.text, state.settings)
    else:
        own_names = [f.name for f in page.own_fields]
        session.store_state(state, lambda f: f.name in own_names)
