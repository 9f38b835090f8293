"""The address of what a page shows, so that a reload or a copied address brings it back; the browser writes it where
`components.address.show` stands.

`address` is its query, `place` what makes it a step of the browser's history of its own, and `kept` the texts that are
too long for it, which the browser keeps under a name in the address.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

import streamlit as st

from metrics.text.similarity import TranslationTable

from . import link, session, similarity
from .pages import PageState

VISITED_MOST = 1_000  # addresses whose load is known
TABLE_MOST = 20_000  # words of a translation table that a browser keeps


def key(query: Mapping[str, str]) -> str:
    """A query as one text, whatever its order."""
    return json.dumps(sorted(query.items()))


def keep(first_state: PageState) -> PageState:
    """Make the address of what a page shows after it was drawn: its views may have settled what is looked at. It gives
    back that record; `first_state` is the one with which the run has begun."""
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
    """Whether the texts have just become too long for a link, which is to be said once."""
    state = st.session_state
    if link.link(page_state) is not None or state.get("said_too_long"):
        return False
    state.said_too_long = True
    return True


def _table_to_keep() -> dict[str, object] | None:
    """The translation table in use, if it is small enough for a browser to keep."""
    table = similarity.current()[1]
    if not isinstance(table, TranslationTable) or len(table) > TABLE_MOST:
        return None
    return similarity.saved(table)
