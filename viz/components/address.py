"""Keep the browser in step with what a page shows: its address bar, its history, and texts too long for a link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from ..state.links import link
from ..state.links.pages import PageState
from ..state.visit import address as addresses
from ..state.visit import navigation, pending_widgets, reload, session
from . import served
from .fragment import last_sent

_component = served.component("bitext_address", Path(__file__).with_suffix(".js"))


def show(start_state: PageState) -> None:
    """Write the address of the page into the browser's address bar.

    `start_state` is the page state with which this run began. If the page shows another view than before, the address
    becomes a new entry in the browser's history; otherwise, as while typing, it replaces the current entry.

    Texts that the address cannot hold are kept in the browser's session storage. After a reload, or after the server
    restarted, the browser sends what it kept (`reload.reload_document`). If it kept nothing, the server does not run
    the page again."""
    state, page_state = st.session_state, addresses.store_address(start_state)
    if state.kept is not None:
        _component(key="kept", data={"keep": state.kept, "name": state.address[link.KEPT]})
    if (document := reload.reload_document(page_state)) is not None:
        _component(key="beside", data={"keep": document, "name": "beside"})
    _component(
        key="address_bar",
        data={
            "query": link.format_query(state.address),
            "place": state.place,
            "arrivals": state.arrivals,
            "session": state.opened,
            "beside": document is not None,
        },
        on_beside_change=lambda: reload.restore_document(last_sent("address_bar", "beside")),
    )
    if (number := pending_widgets.confirmation_number()) is not None:
        # This is not in a fragment of its own. If the run of an outer fragment is aborted for the next one, Streamlit
        # 1.67 drops what that run had not sent, but still sends what an inner fragment had. The browser would have to
        # insert that after elements that it never received, and would show nothing any more.
        _component(key="confirm", data={"confirm": number}, on_has_change=lambda: _receive_confirmation(page_state))


def _receive_confirmation(page_state: PageState) -> None:
    """Handle the browser's message that it has received everything up to the request that the server numbered.

    The message also contains the values of the widgets. If they differ from `page_state`, which was drawn, the whole
    page runs again."""
    state = st.session_state
    if "confirm" in state:  # otherwise this request was answered before
        pending_widgets.confirm(last_sent("confirm", "has"))
        state.whole_before = False  # all that the run of the whole page drew has arrived
    if link.without_parts(session.read_state(type(page_state)), "look") != link.without_parts(page_state, "look"):
        state.whole_page = True


def ask_for_texts() -> None:
    """Ask the browser for the texts that the address names but cannot hold; when they come, the page runs again.

    This draws an invisible component. Nothing else may be drawn in this run."""
    _component(
        key="kept_texts",
        data={"wanted": navigation.wanted_texts()},
        on_found_change=lambda: navigation.restore_kept_texts(_found_document("kept_texts")),
    )


def may_be_reload() -> bool:
    """Return whether the browser may hold texts from before a reload of this tab, so that it is worth asking for them.

    That is so in a session's first run, in a browser, at an address that a page wrote. Must be called before
    `navigation.prepare_run`, which marks the session as started."""
    return "opened" not in st.session_state and bool(st.query_params) and bool(st.context.headers)


def ask_for_document() -> None:
    """Ask the browser for the page state that it kept before the tab was reloaded; when it comes, the page runs again.

    This draws an invisible component. Nothing else may be drawn in this run."""
    _component(
        key="kept_beside",
        data={"reloaded": True},
        on_found_change=lambda: reload.restore_document(_found_document("kept_beside")),
    )


def _found_document(key: str) -> Any:
    """Return the document that the component `key` has found in the browser, unchecked; None if there is none."""
    message = last_sent(key, "found")
    return message.get("document") if isinstance(message, dict) else None
