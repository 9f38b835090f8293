"""Read a page's state from Streamlit's session and write it there; no other code does so.

A `load` is a stretch of the session with one set of texts: its number is raised when an example, a file or a swap
replaces them. The value of a text area is written only then, or when something is removed or undone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import streamlit as st

import metrics
from metrics.text import TextSettings

from ..links import codec, link, pages
from ..links.codec import Part, RecordField
from ..links.pages import FieldFilter, Page, PageState
from . import controls, language, pending_widgets, similarity

R = TypeVar("R", bound=PageState)
#: The most loads whose texts the back button restores as they were left, and the most letters of all of them, except
#: for the last one's.
LOADS_MOST, LETTERS_MOST = 30, 10_000_000


def open_page() -> Page:
    """Return the page that is open."""
    return pages.find_page(st.session_state.get("page")) or pages.first_page()


def read_state(record: type[R], like: PageState | None = None) -> R:
    """Return the state of the page whose state class is `record`, as the session holds it.

    `like` is a state that was read in the same run. The settings are taken from it, because reading them takes time."""
    page = pages.page_of_record(record)
    state = st.session_state.to_dict()  # all at once, because reading each value takes several locks
    given: dict[str, Any] = {f.name: _session_value(f, state) for f in codec.link_fields(record) if f.kind.plain}
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
    """Return the fields of a page state that hold settings: `text`, `settings` and `objects`."""
    settings: dict[str, dict[str, Any]] = {}
    objects: dict[str, dict[str, Any]] = {}
    for key, metric in metrics.METRICS.items():
        rules = metric.Settings.rules()
        for name, value in controls.changed_settings(key, metric.Settings, state).items():
            (objects if rules[name].kind == "object" else settings).setdefault(key, {})[name] = value
    text = codec.settings_with(TextSettings, controls.changed_settings("text", TextSettings, state))
    return {"text": text, "settings": settings, "objects": objects}


def open_page_state() -> PageState:
    """Return the state of the page that is open."""
    return read_state(open_page().record)


def read_for_run(record: type[R]) -> R:
    """Return the state of a page at the start of a run, and keep it in the session for the page's views."""
    st.session_state.looked = now = read_state(record)
    st.session_state.whole_before = True
    return now


def state_of_this_run(record: type[R]) -> R:
    """Return the state of a page for one of its views.

    It is the state that was read at the start of this run, or is read now if the view runs alone, as a fragment."""
    now = st.session_state.pop("looked", None)
    if isinstance(now, record):
        return now
    pending_widgets.restore_given_values()
    # A run of the view alone directly after a run of the whole page replaces what the latter has drawn of the view and
    # not sent yet. The browser then has nothing of it, and creates the widgets again.
    if st.session_state.pop("whole_before", False):
        pending_widgets.resend_values(widget_keys(record, "texts"))
    return read_state(record)


def widget_keys(record: type[R], *excluded_parts: Part) -> Iterator[str]:
    """Yield the session keys of a page's widgets, and of the widgets for the settings of its metric.

    Fields that belong to one of `excluded_parts` (texts, look or place) are left out."""
    yield from (f.key for f in codec.link_fields(record) if f.widget and f.of not in excluded_parts)
    if not pages.page_of_record(record).has_own_texts:
        key = st.session_state.get("metric", pages.FIRST_METRIC)
        yield from controls.metric_widget_keys(key)


def _session_value(field: RecordField, state: Mapping[str, Any]) -> Any:
    """Return the value of a field in the session; its default if it is missing, or if no link could hold it.

    If a field is None, the view chooses what to show first and stores its choice under `KEY_first`. Such a choice
    counts as the default."""
    value = state.get(field.key)
    if value is None or not field.kind.admits(field.parameter, value):
        return field.default
    return field.default if field.default is None and value == state.get(f"{field.key}_first") else value


def store_state(page_state: PageState, chosen: FieldFilter = pages.accept_every_field) -> None:
    """Write the fields of a page state that pass the filter `chosen` into the session, except settings."""
    state, page = st.session_state, pages.page_of_record(page_state)
    if page.store:
        page_state = page.store(page_state, chosen)
    for f in codec.link_fields(type(page_state)):
        if f.kind.plain and f.key != similarity.KIND and chosen(f):
            value = getattr(page_state, f.name)
            value = codec.replace_surrogates(value) if isinstance(value, str) else value
            if f.widget:
                pending_widgets.give_value(f.key, value)
            else:
                state[f.key] = value


def restore(page_state: PageState, problems: list[str], table: object = None, typed: bool = False) -> None:
    """Write the state of a page into the session, before its widgets are drawn, and open the page if another is open.

    Args:
        page_state: the state.
        problems: messages on what could not be used; they are shown once.
        table: a translation table, or what a workspace file holds of one; None for none.
        typed: whether the texts of `page_state` come from this session, so that they need not be written."""
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
    controls.restore_settings(page_state.text, page_state.settings)
    try:
        similarity.restore(page_state.similarity, table)
    except ValueError as error:
        problems = [*problems, f"The word similarity is not used: {error}."]
    state.problems = problems
    if page.after_restore:
        page.after_restore()


def keep_texts_of_load() -> None:
    """Keep the texts of all pages, so that going back can restore them, and start a new load with another number."""
    state = st.session_state
    state.typed[state.load] = {
        p.name: link.text_parameters(read_state(p.record)) for p in pages.all_pages() if p.content_key in state
    }
    letters = 0
    for n, (load, pages_of) in enumerate(reversed([*state.typed.items()])):
        letters += sum([len(text) for texts in pages_of.values() for text in texts.values()])
        if n >= LOADS_MOST or (n and letters > LETTERS_MOST):
            del state.typed[load]
    state.loads += 1
    state.load = state.loads
