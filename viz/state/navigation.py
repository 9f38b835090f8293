"""Where a visitor is: the page that a session opens, the browser's going back and forward, the way from page to page.

Every change of page, view, metric, setting or side is a step of the browser's history (`address`); `arrivals` counts
how often the browser itself went somewhere. Going back within a load keeps what was typed since, going back to another
load brings back the texts that it had when it was left. What is typed on a page stays while another page is open.
"""

from __future__ import annotations

import secrets

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from . import address, codec, controls, language, link, pages, pending_widgets, session, similarity
from .pages import Page
from .session import R

NOT_HERE = (
    "{} of this address were too long for a link, and this tab does not have them. Send the workspace file under Share "
    "instead."
)


def start(record: type[R]) -> R | None:
    """Make the state of a page ready, before its widgets are drawn, and read what it shows.

    It is made once a session, from the link or as the page begins, when the browser went back or forward from its
    address, and when the page is opened from another one. A link or a file of another page opens that page. None where
    the texts are still to come from the browser.
    """
    state, back = st.session_state, False
    page = pages.page_of_record(record)
    pending_widgets.settle()
    if "opened" not in state:
        state.opened, state.load, state.loads, state.arrivals = secrets.token_hex(4), 0, 0, 0
        state.visited, state.typed = {}, {}
        _open_address(_address())
    elif back := _went_back():
        state.arrivals += 1
        _go_back(_address(), page)
        # The browser tells nothing of the page as it goes back: what was done just before may be lost on the way, and
        # all widgets are written, whatever is typed into them meanwhile.
        pending_widgets.resend_values((*session.widgets(record), *page.keys))
    if wanted_texts() is not None:
        return None
    target_page = pages.find_page(state.pop("wanted", None)) or page
    if target_page is not page:
        # With the address as it is, which is then no step of its own on the way.
        st.switch_page(target_page.script, query_params=state.get("address") or _address())
    if state.get("page") != page.name:
        former = pages.find_page(state.get("page"))
        state.left = {**state.get("left", {}), state.get("page"): state.get("references")}
        state.page = page.name
        _carry_over()
        if not (back and page.content_key in state):
            _enter(page, former)
    if not page.has_own_texts:
        language.settle()
    return session.begin(record)


def _enter(page: Page, former: Page | None) -> None:
    """Make ready what a page needs when it is opened, and note whether its texts now stand beside other references."""
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
    """The references that the texts of this page had when it was left, where another page has changed them since, and
    that page."""
    state = st.session_state
    were: tuple[str, str] | None = state.get("references_were")
    other = pages.find_page(state.get("other_page"))
    return (were[0], other) if were and other and were[1] == state.references else None


def bring_references_back() -> None:
    """Undo the change of the references that another page has made."""
    if (were := former_references()) is not None:
        session.leave()
        pending_widgets.give_value("references", were[0])


def _address() -> dict[str, str]:
    return {name: st.query_params[name] for name in st.query_params}


def _open_address(query: dict[str, str]) -> None:
    """What a session starts with, where its link holds anything."""
    state = st.session_state
    if link.KEPT in query:
        state.kept_wanted = query
        return
    if not link.is_known_link(query):
        state.problems = link.page_of(query)[1]
        return
    page_state, problems = link.from_query(query)
    session.restore(page_state, problems)
    if query.get("page") == page_state.page or page_state.owns_unnamed(query):
        state.wanted = page_state.page


def _carry_over() -> None:
    """Write every value of the former page's widgets again, before the new page draws its own.

    Streamlit 1.67 keeps a value across pages (`persist_state`) only if its widget was drawn in two runs; after one, a
    widget of the same key on the next page would start empty.
    """
    state = st.session_state
    controls.keep()
    for page in pages.listed():
        for key in (*[f.key for f in codec.fields(page.record) if f.kind.plain], *page.keys):
            if key in state:
                state[key] = state[key]


# ---------------------------------------------------------------- back and forward


def _went_back() -> bool:
    """Whether this run is the browser's going back or forward."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def _go_back(query: dict[str, str], page: Page) -> None:
    """Show what an address of before showed, with the texts of its load as they were left."""
    state = st.session_state
    if not link.is_known_link(query) or link.page_of(query)[0] is not page:
        return
    if page.has_own_texts and link.KEPT not in query:  # its addresses hold what was typed at each
        session.restore(link.from_query(query)[0], [])
        return
    visited_load = state.visited.get(address.key(query))
    if visited_load == state.load:
        typed = link.texts_of(session.read_state(page.record))
        session.restore(link.from_query(_without_texts(query) | typed)[0], [], similarity.last_table(), typed=True)
        return
    session.leave()
    if visited_load is None and link.KEPT in query:
        state.kept_wanted = query
        return
    texts = state.typed.get(visited_load, {}).get(page.name, {})
    page_state = link.from_query((_without_texts(query) | texts) if texts else query)[0]
    session.restore(page_state, [], similarity.last_table())
    if visited_load is not None:
        state.load = visited_load


def _without_texts(query: dict[str, str]) -> dict[str, str]:
    """An address without its texts, and without what stands for them."""
    texts = link.texts_of(link.from_query({k: v for k, v in query.items() if k != link.KEPT})[0])
    return {name: text for name, text in query.items() if name not in texts and name != link.KEPT}


# ---------------------------------------------------------------- texts that are kept in the browser


def wanted_texts() -> str | None:
    """The name of the address's texts that the browser is to send, if it is to send any."""
    query = st.session_state.get("kept_wanted")
    return query[link.KEPT] if query else None


def take_kept(document: object) -> None:
    """Go on with the texts that the browser had kept; None where it has none."""
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
