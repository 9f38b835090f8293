"""The browser's address bar, its history, and what it keeps for a reload because a link cannot hold it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ..state import address as addresses
from ..state import link, navigation, pending_widgets, reload, session
from ..state.pages import PageState
from . import served
from .fragment import last_sent

_component = served.component("bitext_address", Path(__file__).with_suffix(".js"))


def show(start_state: PageState) -> None:
    """Write the address of what a page shows, whose run has begun with this record: a step of the history where
    another place is shown, in the place of the former one otherwise, as for typing.

    Texts that the address cannot hold are kept in the browser's session storage. After a reload, and where the server
    has begun anew, it sends what else it has kept (`reload.reload_document`); where it has nothing, the server does not
    run for it.
    """
    state, page_state = st.session_state, addresses.keep(start_state)
    if state.kept is not None:
        _component(key="kept", data={"keep": state.kept, "name": state.address[link.KEPT]})
    if (document := reload.reload_document(page_state)) is not None:
        _component(key="beside", data={"keep": document, "name": "beside"})

    def receive_document() -> None:
        reload.restore_document(last_sent("address_bar", "beside"))

    _component(
        key="address_bar",
        data={
            "query": link.format_query(state.address),
            "place": state.place,
            "arrivals": state.arrivals,
            "session": state.opened,
            "beside": document is not None,
        },
        on_beside_change=receive_document,
    )
    if (number := pending_widgets.to_confirm()) is not None:
        # No fragment of its own: where a run of the one around it is given up for the next, Streamlit 1.67 drops what
        # that had not sent, but not what a fragment in it had; and a browser that is to put this behind what it never
        # got shows nothing any more.
        _component(key="confirm", data={"confirm": number}, on_has_change=lambda: _confirmed(page_state))


def _confirmed(page_state: PageState) -> None:
    """The browser says that it has all that was sent until it was asked. With that it tells what its widgets hold:
    where that is not the `page_state` that is drawn, the whole page runs again."""
    state = st.session_state
    if "confirm" in state:  # else what this answers was answered before
        pending_widgets.confirm(last_sent("confirm", "has"))
        state.whole_before = False  # what the whole page has drawn has arrived
    if link.without_parts(session.read_state(type(page_state)), "look") != link.without_parts(page_state, "look"):
        state.whole_page = True


def ask() -> None:
    """Have the browser send the texts that the address names, and nothing else: with them the page runs again."""

    def receive_texts() -> None:
        message = last_sent("kept_texts", "found")
        navigation.take_kept(message.get("document") if isinstance(message, dict) else None)

    _component(key="kept_texts", data={"wanted": navigation.wanted_texts()}, on_found_change=receive_texts)


def may_have_kept() -> bool:
    """Whether this is a session's first run, in a browser, at an address that a page wrote: the tab may have been
    loaded again, and have kept something. Asked before `navigation.start`."""
    return "opened" not in st.session_state and bool(st.query_params) and bool(st.context.headers)


def ask_for_document() -> None:
    """Have the browser send what it kept before the page was loaded again, and nothing else: with it the page runs
    again."""

    def receive_document() -> None:
        message = last_sent("kept_beside", "found")
        reload.restore_document(message.get("document") if isinstance(message, dict) else None)

    _component(key="kept_beside", data={"reloaded": True}, on_found_change=receive_document)
