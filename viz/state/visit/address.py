"""Keep the address of what a page shows in the session, so that a reload or a copied address restores it.

`components.address.show` writes the address in the browser. The session holds three values for it: `address`, the
query parameters; `place`, a string that changes with each step of the browser's history; and `kept`, a JSON document
with the texts if they are too long for the address. The browser stores that document under a name that the address
holds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

import streamlit as st

from metrics.text.similarity import TranslationTable

from ..links import link
from ..links.pages import PageState
from . import session, similarity

VISITED_MOST = 1_000  # the last addresses whose load is kept
TABLE_MOST = 20_000  # the most words of a translation table that a browser keeps


def query_key(query: Mapping[str, str]) -> str:
    """Return the query parameters as one string, which does not depend on their order."""
    return json.dumps(sorted(query.items()))


def store_address(first_state: PageState) -> PageState:
    """Write the address of what the page shows into the session, and return the page's current state.

    Call this after the page was drawn, because its views may have changed the state. `first_state` is the state at
    the start of the run; the settings are taken from it."""
    state, page_state = st.session_state, session.read_state(type(first_state), like=first_state)
    query, table = link.to_query(page_state), _table_to_keep()
    document = None
    if link.link(page_state) is None or table:
        document = link.to_document(page_state, {"table": table} if table else {})
        name = hashlib.sha256(document.encode()).hexdigest()[:12]
        query = {**link.to_query(link.without_parts(page_state, "texts")), link.KEPT: name}
    state.address, state.kept = query, document
    state.place = query_key({**link.to_query(link.without_parts(page_state, "texts", "look")), "load": str(state.load)})
    state.visited[query_key(query)] = state.load
    for old in list(state.visited)[:-VISITED_MOST]:
        del state.visited[old]
    return page_state


def should_warn_too_long(page_state: PageState) -> bool:
    """Return whether to warn that the texts have just become too long for a link.

    This is True only once a session, because the user is not warned again."""
    state = st.session_state
    if link.link(page_state) is not None or state.get("said_too_long"):
        return False
    state.said_too_long = True
    return True


def _table_to_keep() -> dict[str, object] | None:
    """Return the translation table in use as JSON types.

    Return None if none is in use, or if it has more than TABLE_MOST words, too many for a browser to keep."""
    table = similarity.current_similarity()[1]
    if not isinstance(table, TranslationTable) or len(table) > TABLE_MOST:
        return None
    return similarity.saved_table(table)
