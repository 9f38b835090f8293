"""Keep in the session the address of what a page shows, so that a reload or a copied address restores it.

`components.address.show` writes it in the browser. The session key `address` is its query, `place` identifies a step
of the browser's history, and `kept` are the texts that are too long for the address; the browser stores them under a
name that the address holds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

import streamlit as st

from metrics.text.similarity import TranslationTable

from . import link, session, similarity
from .pages import PageState

VISITED_MOST = 1_000  # the last addresses whose load is kept
TABLE_MOST = 20_000  # the most words of a translation table that a browser keeps


def key(query: Mapping[str, str]) -> str:
    """Return a query as one string that does not depend on its order."""
    return json.dumps(sorted(query.items()))


def keep(first_state: PageState) -> PageState:
    """Write the address of what the page shows into the session, and return the page's record.

    This is done after the page was drawn, because its views may have changed the state. `first_state` is the record
    with which the run began."""
    state, page_state = st.session_state, session.read_state(type(first_state), like=first_state)
    query, table = link.to_query(page_state), _table_to_keep()
    document = None
    if link.link(page_state) is None or table:
        document = link.to_document(page_state, {"table": table} if table else {})
        name = hashlib.sha256(document.encode()).hexdigest()[:12]
        query = {**link.to_query(link.without_parts(page_state, "texts")), link.KEPT: name}
    state.address, state.kept = query, document
    state.place = key({**link.to_query(link.without_parts(page_state, "texts", "look")), "load": str(state.load)})
    state.visited[key(query)] = state.load
    for old in list(state.visited)[:-VISITED_MOST]:
        del state.visited[old]
    return page_state


def too_long(page_state: PageState) -> bool:
    """Return whether the texts have become too long for a link and the user was not told yet."""
    state = st.session_state
    if link.link(page_state) is not None or state.get("said_too_long"):
        return False
    state.said_too_long = True
    return True


def _table_to_keep() -> dict[str, object] | None:
    """Return the translation table in use, if it is small enough for a browser to keep."""
    table = similarity.current()[1]
    if not isinstance(table, TranslationTable) or len(table) > TABLE_MOST:
        return None
    return similarity.saved_table(table)
