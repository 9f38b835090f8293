"""Read a page's record from Streamlit's session and write it there; no other code does so.

Texts belong to a `load`: the number of the last example, file or swap that put new texts there. The value of a text
area is written only when something is loaded, swapped, removed or undone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import streamlit as st

import metrics
from metrics.text import TextSettings

from . import codec, controls, language, link, pages, pending_widgets, similarity
from .codec import Part, RecordField
from .pages import FieldFilter, Page, PageState

R = TypeVar("R", bound=PageState)
#: The most loads whose texts the back button restores as they were left, and the most letters of all of them, except
#: for the last one's.
LOADS_MOST, LETTERS_MOST = 30, 10_000_000


def open_page() -> Page:
    """Return the page that is open."""
    return pages.find_page(st.session_state.get("page")) or pages.first_page()


def read_state(record: type[R], like: PageState | None = None) -> R:
    """Return the state of the page whose record this is.

    `like` is a record of the same run, from which the settings are taken instead of the session."""
    page = pages.page_of_record(record)
    state = st.session_state.to_dict()  # all at once, because reading each value takes several locks
    given: dict[str, Any] = {f.name: _session_value(f, state) for f in codec.fields(record) if f.kind.plain}
    for name, key, default in codec.session_fields(record):
        given[name] = state.get(key, default)
    if not page.has_own_texts:
        given |= (
            _settings(state)
            if like is None
            else {name: getattr(like, name) for name in ("text", "settings", "objects")}
        )
        given["similarity"] = similarity.kind_in_records(state, given["similarity"])
    raw_state: Any = record(**given)
    settled: Any = page.read(raw_state) if page.read else raw_state
    now: R = settled
    return now


def _settings(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the text processing, the changed settings of all metrics, and those of them that no link holds."""
    settings: dict[str, dict[str, Any]] = {}
    objects: dict[str, dict[str, Any]] = {}
    for key, metric in metrics.METRICS.items():
        rules = metric.Settings.rules()
        for name, value in controls.changed(key, metric.Settings, state).items():
            (objects if rules[name].kind == "object" else settings).setdefault(key, {})[name] = value
    text = codec.settings_with(TextSettings, controls.changed("text", TextSettings, state))
    return {"text": text, "settings": settings, "objects": objects}


def open_page_state() -> PageState:
    """Return the state of the open page."""
    return read_state(open_page().record)


def read_for_run(record: type[R]) -> R:
    """Read the state of a page at the start of a run, and keep it for its views."""
    st.session_state.looked = now = read_state(record)
    st.session_state.whole_before = True
    return now


def state_of_this_run(record: type[R]) -> R:
    """Return the state of a page for a view: as read in this run, or read now if the view runs alone."""
    now = st.session_state.pop("looked", None)
    if isinstance(now, record):
        return now
    pending_widgets.restore_given_values()
    # A run of the view alone directly after a run of the whole page replaces what the latter has drawn of the view and
    # not sent yet. The browser then has nothing of it, and creates the widgets again.
    if st.session_state.pop("whole_before", False):
        pending_widgets.resend_values(widget_keys(record, "texts"))
    return read_state(record)


def widget_keys(record: type[R], *but: Part) -> Iterator[str]:
    """Yield the keys of the widgets of a page, and of the settings of its metric.

    Fields of the parts `but` are left out."""
    yield from (f.key for f in codec.fields(record) if f.widget and f.of not in but)
    if not pages.page_of_record(record).has_own_texts:
        key = st.session_state.get("metric", pages.FIRST_METRIC)
        yield from controls.keys_of(key)


def _session_value(field: RecordField, state: Mapping[str, Any]) -> Any:
    """Return the session's value of a field, its default if there is none or if a link cannot hold it.

    If a field is None, the view chooses what to show first. The view stores its choice under `KEY_first`, and that
    value counts as the default."""
    value = state.get(field.key)
    if value is None or not field.kind.admits(field.parameter, value):
        return field.default
    return field.default if field.default is None and value == state.get(f"{field.key}_first") else value


def store_state(page_state: PageState, chosen: FieldFilter = pages.accept_every_field) -> None:
    """Write the `chosen` fields of a record into the session, except settings."""
    state, page = st.session_state, pages.page_of_record(page_state)
    if page.store:
        page_state = page.store(page_state, chosen)
    for f in codec.fields(type(page_state)):
        if f.kind.plain and f.key != similarity.KIND and chosen(f):
            value = getattr(page_state, f.name)
            value = codec.sendable(value) if isinstance(value, str) else value
            if f.widget:
                pending_widgets.give_value(f.key, value)
            else:
                state[f.key] = value


def restore(page_state: PageState, problems: list[str], table: object = None, typed: bool = False) -> None:
    """Write the state of a page into the session, before its widgets are drawn, and have the page opened.

    `problems` are shown once. `table` is a translation table, or what a file holds of one. Fields of other pages are
    kept, and so are the texts if they are `typed`, that is, those of the session already."""
    state, page = st.session_state, pages.page_of_record(page_state)
    if state.get("page") not in (None, page.name):
        state.wanted = page.name
    if page.has_own_texts:
        store_state(page_state)
        state.problems = problems
        return
    if typed:
        store_state(page_state, lambda f: f.of != "texts")
    else:
        keep_texts_of_load()
        store_state(page_state)
        language.mark_as_given()
    controls.restore(page_state.text, page_state.settings)
    try:
        similarity.restore(page_state.similarity, table)
    except ValueError as error:
        problems = [*problems, f"The word similarity is not used: {error}."]
    state.problems = problems
    if page.after_restore:
        page.after_restore()


def keep_texts_of_load() -> None:
    """Keep the texts of all pages before others replace them, and start a new load."""
    state = st.session_state
    state.typed[state.load] = {
        p.name: link.texts_of(read_state(p.record)) for p in pages.all_pages() if p.content_key in state
    }
    letters = 0
    for n, (load, pages_of) in enumerate(reversed([*state.typed.items()])):
        letters += sum([len(text) for texts in pages_of.values() for text in texts.values()])
        if n >= LOADS_MOST or (n and letters > LETTERS_MOST):
            del state.typed[load]
    state.loads += 1
    state.load = state.loads
