"""What is looked at in Streamlit's session, and back: the one place where a page's record is read from the session's
keys and written into them.

Texts belong to a `load`, the number of what was last put into their place (an example, a file, a swap). A text area's
value is written only when something is loaded, swapped, removed or undone.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

import metrics
from metrics.text import TextSettings
from metrics.types import Result, Settings, signature

from ..draw.texts import Texts
from . import cache, codec, controls, link, pages, similarity
from .cache import Glance, Problem
from .codec import Field
from .pages import Chosen, Looked, Page

LOADS_MOST = 30  # loads whose texts the back button brings back as they were left


def open_page() -> Page:
    """The page that is open."""
    return pages.named(st.session_state.get("page")) or pages.first()


def looked(page: Page | None = None) -> Looked:
    """What a page shows; None is the page that is open."""
    page = page or open_page()
    changed = {key: codec.changed(metric_settings(key)) for key in metrics.METRICS}
    given: dict[str, Any] = {f.name: _held(f) for f in codec.fields(page.record) if f.kind.plain}
    given |= {"text": text_settings(), "settings": {key: values for key, values in changed.items() if values}}
    return page.record(**(page.read(given) if page.read else given))


def _held(field: Field) -> Any:
    """The session's value of a field, its default where there is none or none that a link can hold.

    Where a field leaves it to the view what is shown at first, the view says under `KEY_first` what that is.
    """
    value = st.session_state.get(field.key)
    if value is None or not field.kind.admits(field.parameter, value):
        return field.default
    return field.default if field.default is None and value == st.session_state.get(f"{field.key}_first") else value


def put(shown: Looked, chosen: Chosen = pages.every) -> None:
    """Put the chosen ones of a record's fields into the session, but for settings."""
    state, page = st.session_state, pages.of(shown)
    if page.put:
        shown = page.put(shown, chosen)
    for f in codec.fields(type(shown)):
        if f.kind.plain and f.key != similarity.KIND and chosen(f):
            value = getattr(shown, f.name)
            state[f.key] = codec.sendable(value) if isinstance(value, str) else value


def restore(shown: Looked, problems: list[str], table: object = None, typed: bool = False) -> None:
    """Put what a page shows into the session, before its widgets are drawn, and have the page opened; `problems` are
    shown once. What only other pages have is kept, and so are the texts if they are those that were `typed`."""
    state, page = st.session_state, pages.of(shown)
    if state.get("page") not in (None, page.name):
        state.wanted = page.name
    if page.apart:
        put(shown)
        state.problems = problems
        return
    if typed:
        put(shown, lambda f: f.of != "texts")
    else:
        leave()
        put(shown)
    controls.restore(shown.text, shown.settings)
    try:
        similarity.restore(shown.similarity, table)
    except ValueError as error:
        problems = [*problems, f"The word similarity is not used: {error}."]
    state.problems = problems
    if page.restored:
        page.restored()


def leave() -> None:
    """Remember the texts of all pages before others take their place, which are a load of their own."""
    state = st.session_state
    state.typed[state.load] = {p.name: link.texts_of(looked(p)) for p in pages.listed() if p.been in state}
    for old in list(state.typed)[:-LOADS_MOST]:
        del state.typed[old]
    state.loads += 1
    state.load = state.loads


# ---------------------------------------------------------------- settings and results


def text_settings() -> TextSettings:
    """How texts are processed."""
    settings = controls.read("text", TextSettings)
    assert isinstance(settings, TextSettings)
    return settings


def metric_settings(key: str) -> Settings:
    """The settings of a metric."""
    return controls.read(key, metrics.METRICS[key].Settings)


def signatures(references: int) -> dict[str, str]:
    """The signature of every metric's scores on texts with so many references, by the settings in use."""
    text = text_settings().signature()
    return {key: signature(key, metric_settings(key), text, references) for key in metrics.METRICS}


def score(key: str, texts: Texts) -> Result | Problem:
    """The result of a metric on texts, by the settings in use."""
    return cache.score(key, texts.segment, metric_settings(key))


def glances(texts: Texts) -> dict[str, Glance | Problem]:
    """What every metric's tile shows of texts, by the settings in use."""
    return {key: cache.glance(key, texts.segment, metric_settings(key)) for key in metrics.METRICS}
