"""What is looked at in Streamlit's session, and back: the one place where a page's record is read from the session's
keys and written into them.

Texts belong to a `load`, the number of what was last put into their place (an example, a file, a swap). A text area's
value is written only when something is loaded, swapped, removed or undone.
"""

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
#: Loads whose texts the back button brings back as they were left, and the letters that these have together, but for
#: the last one's.
LOADS_MOST, LETTERS_MOST = 30, 10_000_000


def open_page() -> Page:
    """The page that is open."""
    return pages.find_page(st.session_state.get("page")) or pages.first()


def read_state(record: type[R], like: PageState | None = None) -> R:
    """What a page shows, by the type of its record. Where there is a record of this run that it is `like`, its settings
    are that one's."""
    page = pages.page_of_record(record)
    state = st.session_state.to_dict()  # at once, for each value takes several locks by itself
    given: dict[str, Any] = {f.name: _session_value(f, state) for f in codec.fields(record) if f.kind.plain}
    for name, key, default in codec.session_fields(record):
        given[name] = state.get(key, default)
    if not page.has_own_texts:
        given |= (
            _settings(state)
            if like is None
            else {name: getattr(like, name) for name in ("text", "settings", "objects")}
        )
        given["similarity"] = similarity.kind_kept(state, given["similarity"])
    raw_state: Any = record(**given)
    settled: Any = page.read(raw_state) if page.read else raw_state
    now: R = settled
    return now


def _settings(state: Mapping[str, Any]) -> dict[str, Any]:
    """How texts are processed, the settings of all metrics that are changed, and those of them that no link holds."""
    settings: dict[str, dict[str, Any]] = {}
    objects: dict[str, dict[str, Any]] = {}
    for key, metric in metrics.METRICS.items():
        rules = metric.Settings.rules()
        for name, value in controls.changed(key, metric.Settings, state).items():
            (objects if rules[name].kind == "object" else settings).setdefault(key, {})[name] = value
    text = codec.settings_with(TextSettings, controls.changed("text", TextSettings, state))
    return {"text": text, "settings": settings, "objects": objects}


def open_page_state() -> PageState:
    """What the page that is open shows."""
    return read_state(open_page().record)


def begin(record: type[R]) -> R:
    """Read what a page shows at the start of a run, for its views too."""
    st.session_state.looked = now = read_state(record)
    st.session_state.whole_before = True
    return now


def this_run(record: type[R]) -> R:
    """What a page shows, for a view: as the page has read it in this run, or read now where the view runs alone."""
    now = st.session_state.pop("looked", None)
    if isinstance(now, record):
        return now
    pending_widgets.settle()
    # A run of a view alone that follows one of the whole page at once takes the place of what that has drawn of the
    # view and not sent yet: the browser has nothing of it then, and makes its widgets anew.
    if st.session_state.pop("whole_before", False):
        pending_widgets.resend_values(widgets(record, "texts"))
    return read_state(record)


def widgets(record: type[R], *but: Part) -> Iterator[str]:
    """The keys of what can be typed and set on a page, with the settings of its metric, but for some parts."""
    yield from (f.key for f in codec.fields(record) if f.widget and f.of not in but)
    if not pages.page_of_record(record).has_own_texts:
        key = st.session_state.get("metric", pages.FIRST_METRIC)
        yield from controls.keys_of(key)


def _session_value(field: RecordField, state: Mapping[str, Any]) -> Any:
    """The session's value of a field, its default where there is none or none that a link can hold.

    Where a field leaves it to the view what is shown at first, the view says under `KEY_first` what that is.
    """
    value = state.get(field.key)
    if value is None or not field.kind.admits(field.parameter, value):
        return field.default
    return field.default if field.default is None and value == state.get(f"{field.key}_first") else value


def store_state(page_state: PageState, chosen: FieldFilter = pages.accept_every_field) -> None:
    """Put the chosen ones of a record's fields into the session, but for settings."""
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
    """Put what a page shows into the session, before its widgets are drawn, and have the page opened; `problems` are
    shown once, and `table` is a translation table or what a file holds of one. What only other pages have is kept, and
    so are the texts if they are those that were `typed`."""
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
        leave()
        store_state(page_state)
        language.mark_as_given()
    controls.restore(page_state.text, page_state.settings)
    try:
        similarity.restore(page_state.similarity, table)
    except ValueError as error:
        problems = [*problems, f"The word similarity is not used: {error}."]
    state.problems = problems
    if page.restored:
        page.restored()


def leave() -> None:
    """Remember the texts of all pages before others take their place, which are a load of their own."""
    state = st.session_state
    state.typed[state.load] = {
        p.name: link.texts_of(read_state(p.record)) for p in pages.listed() if p.content_key in state
    }
    letters = 0
    for n, (load, pages_of) in enumerate(reversed([*state.typed.items()])):
        letters += sum([len(text) for texts in pages_of.values() for text in texts.values()])
        if n >= LOADS_MOST or (n and letters > LETTERS_MOST):
            del state.typed[load]
    state.loads += 1
    state.load = state.loads
