"""Follow a visitor through the pages: which page a session opens, back and forward, and the change of page.

Every change of page, view, metric, setting or side is a step of the browser's history (`address`). The session's
`arrivals` counts how often the browser itself moved to a step. A load is a stretch of a session that starts when an
example, a file or a swap replaces the texts. Going back within a load keeps what was typed since; going back to
another load restores the texts that it had when it was left. What is typed on a page is kept while another page is
open."""

from __future__ import annotations

import secrets

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ..links import codec, link, pages
from ..links.pages import Page
from . import address, controls, language, pending_widgets, session, similarity
from .session import R

NOT_HERE = (
    "{} of this address were too long for a link, and this tab does not have them. Send the workspace file under Share "
    "instead."
)


def prepare_run(record: type[R]) -> R | None:
    """Prepare the state of a page before its widgets are drawn, and return it.

    The state is set from the link, or from the page's defaults, at the start of a session; from the address when the
    browser went back or forward; and by the page itself when it is opened from another one. A link or a file of
    another page opens that page. Return None if the browser still has to send the texts."""
    state, back = st.session_state, False
    page = pages.page_of_record(record)
    pending_widgets.restore_given_values()
    if "opened" not in state:
        state.opened, state.load, state.loads, state.arrivals = secrets.token_hex(4), 0, 0, 0
        state.visited, state.typed = {}, {}
        _open_address(_query_parameters())
    elif back := _is_history_step():
        state.arrivals += 1
        _go_back(_query_parameters(), page)
        # The browser sends no widget values as it goes back, so what was done just before may be lost. Therefore all
        # widgets are written, whatever is typed into them meanwhile.
        pending_widgets.resend_values((*session.widget_keys(record), *page.keys))
    if wanted_texts() is not None:
        return None
    target_page = pages.find_page(state.pop("wanted", None)) or page
    if target_page is not page:
        # Keep the address, so that the switch is not a step of the history.
        st.switch_page(target_page.script, query_params=state.get("address") or _query_parameters())
    if state.get("page") != page.name:
        former = pages.find_page(state.get("page"))
        state.left = {**state.get("left", {}), state.get("page"): state.get("references")}
        state.page = page.name
        _carry_over()
        if not (back and page.content_key in state):
            _enter(page, former)
    if not page.has_own_texts:
        language.update_language()
    return session.read_for_run(record)


def _enter(page: Page, former: Page | None) -> None:
    """Prepare what a page needs when it is opened, and record whether its references have changed meanwhile.

    `former` is the page that was open before; None at the start of a session."""
    state = st.session_state
    load, were = state.load, state.left.get(page.name)
    if former and not former.has_own_texts:
        state.other_page = former.name
    if page.enter:
        page.enter(former)
    elif page.content_key not in state:
        session.store_state(page.record(), lambda f: page.has_own_texts or f in page.own_fields or f.key not in state)
    changed = were is not None and were != state.references and load == state.load
    state.references_were = (were, state.references) if changed else None


def former_references() -> tuple[str, Page] | None:
    """Return the references that the open page had when it was left, and the page that has changed them since.

    Return None if no other page has changed them."""
    state = st.session_state
    were: tuple[str, str] | None = state.get("references_were")
    other = pages.find_page(state.get("other_page"))
    return (were[0], other) if were and other and were[1] == state.references else None


def bring_references_back() -> None:
    """Restore the references of the open page that another page has changed."""
    if (were := former_references()) is not None:
        session.keep_texts_of_load()
        pending_widgets.give_value("references", were[0])


def _query_parameters() -> dict[str, str]:
    """Return the query parameters of the browser's address."""
    return {name: st.query_params[name] for name in st.query_params}


def _open_address(query: dict[str, str]) -> None:
    """Set the first state of a session from the link, if it has any parameter of this app."""
    state = st.session_state
    if link.KEPT in query:
        state.kept_wanted = query
        return
    if not link.is_known_link(query):
        state.problems = link.find_page_of_link(query)[1]
        return
    page_state, problems = link.from_query(query)
    session.restore(page_state, problems)
    if query.get("page") == page_state.page or page_state.owns_unnamed(query):
        state.wanted = page_state.page


def _carry_over() -> None:
    """Write the values of all pages' widgets into the session again, before a newly opened page draws its own.

    Streamlit 1.67 keeps a value across pages (`persist_state`) only if its widget was drawn in two runs. After a
    single run, a widget of the same key on the next page would start empty."""
    state = st.session_state
    controls.rewrite_settings()
    for page in pages.all_pages():
        for key in (*[f.key for f in codec.link_fields(page.record) if f.kind.plain], *page.keys):
            if key in state:
                state[key] = state[key]


# ---------------------------------------------------------------- back and forward


def _is_history_step() -> bool:
    """Return whether the browser started this run by going back or forward in its history."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def _go_back(query: dict[str, str], page: Page) -> None:
    """Restore what the page showed at the address `query`, with the texts as they were when that load was left."""
    state = st.session_state
    if not link.is_known_link(query) or link.find_page_of_link(query)[0] is not page:
        return
    if page.has_own_texts and link.KEPT not in query:  # each of its addresses holds the texts of that step
        session.restore(link.from_query(query)[0], [])
        return
    visited_load = state.visited.get(address.query_key(query))
    if visited_load == state.load:
        typed = link.text_parameters(session.read_state(page.record))
        session.restore(link.from_query(_without_texts(query) | typed)[0], [], similarity.last_table(), typed=True)
        return
    session.keep_texts_of_load()
    if visited_load is None and link.KEPT in query:
        state.kept_wanted = query
        return
    texts = state.typed.get(visited_load, {}).get(page.name, {})
    page_state = link.from_query((_without_texts(query) | texts) if texts else query)[0]
    session.restore(page_state, [], similarity.last_table())
    if visited_load is not None:
        state.load = visited_load


def _without_texts(query: dict[str, str]) -> dict[str, str]:
    """Return query parameters without the texts, and without the name of texts that the browser keeps."""
    texts = link.text_parameters(link.from_query({k: v for k, v in query.items() if k != link.KEPT})[0])
    return {name: text for name, text in query.items() if name not in texts and name != link.KEPT}


# ---------------------------------------------------------------- texts that are kept in the browser


def wanted_texts() -> str | None:
    """Return the name of the texts that the browser is asked to send; None if none are needed."""
    query = st.session_state.get("kept_wanted")
    return query[link.KEPT] if query else None


def restore_kept_texts(document: object) -> None:
    """Restore the texts that the browser kept, from its JSON `document`; None if the browser does not have them."""
    query = st.session_state.pop("kept_wanted", None)
    if query is None:
        return
    rest = {name: text for name, text in query.items() if name != link.KEPT}
    try:
        texts, extra = link.from_document(document)
        page_state, problems = link.from_query(rest | texts)
    except ValueError:
        extra, (page_state, _) = {}, link.from_query(rest)
        problems = [NOT_HERE.format(page_state.long)]
    st.session_state.said_too_long = problems != [NOT_HERE.format(page_state.long)]
    session.restore(page_state, problems, extra.get("table"))
