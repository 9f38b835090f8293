"""Decide on the language of the texts: recognised from the references, or set by the reader.

A recognised language is kept until the references are cleared or replaced. Session keys:

- `language`: the language.
- `language_by`: who set it: "references", "reader", "given" with a link or a file, "example", or None without texts.
- `language_of`: the references for which it was last decided, so that nothing is done until they change."""

from __future__ import annotations

import streamlit as st

from metrics.text import LANGUAGES, languages

from . import pending_widgets, similarity
from .memory import remembered

KEY = "language"
SAME = 0.5  # the least share of common words, of the shorter text, for which one text is an edit of the other


@remembered
def recognised(references: str) -> str:
    """Return the language of references."""
    return languages.recognise_language([references])


def current() -> str:
    """Return the language of the texts."""
    language: str = st.session_state.get(KEY) or "english"
    return language


def update_language() -> None:
    """Decide on the language at the start of a run, if the references have changed."""
    state = st.session_state
    now, were = state.get("references") or "", state.get("language_of")
    if now == were:
        return
    state.language_of, by = now, state.get("language_by")
    if not now.strip():
        state.language_by = None
        _use("english")
    elif by is None or (by != "reader" and (current() == languages.UNKNOWN or not _is_edited(were or "", now))):
        state.language_by = "references"
        _use(recognised(now))


def _is_edited(were: str, now: str) -> bool:
    """Return whether references were edited rather than replaced, by the share of common words."""
    a, b = {*were.split()}, {*now.split()}
    return len(a & b) >= SAME * min(len(a), len(b))


def mark_as_given(by: str = "given") -> None:
    """Record that the language came with the references."""
    state = st.session_state
    state.language_of = state.get("references") or ""
    state.language_by = by if state.language_of.strip() else None


def set_by_reader() -> None:
    """Record that the reader has chosen the language in the session."""
    st.session_state.language_by = "reader"
    _use(current())


def choose(language: str) -> None:
    """Set the language as if the reader had chosen it."""
    pending_widgets.give_value(KEY, language)
    set_by_reader()


def from_references() -> None:
    """Recognise the language again, whatever was set."""
    st.session_state.language_by = st.session_state.language_of = None
    update_language()


def _use(language: str) -> None:
    """Set the language, and what depends on it."""
    if current() != language:
        pending_widgets.give_value(KEY, language)
    apply_language()


def apply_language() -> None:
    """Set similar words to those of the language, and also its stems if stems are in use."""
    state, treated_language = st.session_state, languages.language_for_stems(current())
    similarity.follow(treated_language)
    if (
        state.get("text.stemmer") == "snowball"
        and treated_language in LANGUAGES
        and state.get("text.language") != treated_language
    ):
        pending_widgets.give_value("text.language", treated_language)


def describe_language() -> str:
    """Return the label of the control: the language and where it comes from."""
    state, now = st.session_state, current()
    if state.get("language_by") is None:
        return "Language"
    if now == languages.UNKNOWN:
        return "Unknown language"
    source = {"references": ", from the references", "reader": ", as set"}.get(state.language_by, "")
    return languages.language_label(now) + source


def language_support_text() -> str:
    """Return one or two sentences on what the app has for the language: stems, synonyms, or neither."""
    now = current()
    if now == languages.UNKNOWN:
        return (
            "The references do not tell their language: they are too few words, or it is none that is known here. They "
            "are treated as English."
        )
    name = languages.language_title(now)
    if languages.has_synonyms(now):
        return f"There are stems and synonyms for {name}."
    if languages.has_stems(now):
        return f"There are stems for {name}; synonyms are WordNet's, which is English, and are left out."
    return f"There are no stems and no synonyms for {name}: equal words match."


def differing_language(references: str) -> str | None:
    """Return the language of references if it differs from the one that came with them.

    Return None if it does not differ, if it cannot be recognised, or if the language was recognised or set here."""
    if st.session_state.get("language_by") != "given" or not references.strip():
        return None
    recognised_language = recognised(references)
    return recognised_language if recognised_language not in (languages.UNKNOWN, current()) else None
