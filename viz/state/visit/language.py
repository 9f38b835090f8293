"""Determine the language of the texts: recognised from the references, or set by the user.

A recognised language is kept until the references are cleared or replaced. Session keys:

- `language`: the language.
- `language_by`: who set it: "references" (recognised), "reader" (the user), "given" with a link or a file, "example",
  or None without texts.
- `language_of`: the references for which it was last determined, so that nothing is done until they change."""

from __future__ import annotations

import streamlit as st

from metrics.text import LANGUAGES, languages

from ..results.memory import remembered
from . import pending_widgets, similarity

KEY = "language"
SAME = 0.5  # the least share of common words, of the shorter text, for which one text is an edit of the other


@remembered
def recognise_references(references: str) -> str:
    """Return the language that is recognised in the references."""
    return languages.recognise_language([references])


def current_language() -> str:
    """Return the language of the texts in the session, by default English."""
    language: str = st.session_state.get(KEY) or "english"
    return language


def update_language() -> None:
    """Recognise the language again at the start of a run if the references were replaced since the last run.

    A language that the user has set stays; without references, it is English."""
    state = st.session_state
    now, were = state.get("references") or "", state.get("language_of")
    if now == were:
        return
    state.language_of, by = now, state.get("language_by")
    if not now.strip():
        state.language_by = None
        _set_language("english")
    elif by is None or (
        by != "reader" and (current_language() == languages.UNKNOWN or not _is_edit_of_same_text(were or "", now))
    ):
        state.language_by = "references"
        _set_language(recognise_references(now))


def _is_edit_of_same_text(were: str, now: str) -> bool:
    """Return whether the references `now` are an edited version of those that `were` there, rather than other texts.

    They are if they share at least SAME of the different words of the shorter text."""
    a, b = {*were.split()}, {*now.split()}
    return len(a & b) >= SAME * min(len(a), len(b))


def mark_as_given(by: str = "given") -> None:
    """Record that the session's language came with the references; `by` is “given” (a link or file) or “example”."""
    state = st.session_state
    state.language_of = state.get("references") or ""
    state.language_by = by if state.language_of.strip() else None


def set_by_reader() -> None:
    """Record that the user has set the language which is in the session now, and apply it."""
    st.session_state.language_by = "reader"
    _set_language(current_language())


def set_language(language: str) -> None:
    """Set the language as if the user had chosen it in the menu."""
    pending_widgets.give_value(KEY, language)
    set_by_reader()


def recognise_again() -> None:
    """Recognise the language again, even if the user had set it."""
    st.session_state.language_by = st.session_state.language_of = None
    update_language()


def _set_language(language: str) -> None:
    """Set the language in the session, with the similar words and stems that depend on it."""
    if current_language() != language:
        pending_widgets.give_value(KEY, language)
    apply_language()


def apply_language() -> None:
    """Switch the similar words to those of the language, and also the stemmer if stems are in use."""
    state, treated_language = st.session_state, languages.language_for_stems(current_language())
    similarity.switch_language(treated_language)
    if (
        state.get("text.stemmer") == "snowball"
        and treated_language in LANGUAGES
        and state.get("text.language") != treated_language
    ):
        pending_widgets.give_value("text.language", treated_language)


def describe_language() -> str:
    """Return the label of the language menu: the language, and how it was determined."""
    state, now = st.session_state, current_language()
    if state.get("language_by") is None:
        return "Language"
    if now == languages.UNKNOWN:
        return "Unknown language"
    source = {"references": ", from the references", "reader": ", as set"}.get(state.language_by, "")
    return languages.language_label(now) + source


def language_support_text() -> str:
    """Return one or two sentences on whether the app has stems and synonyms for the language."""
    now = current_language()
    if now == languages.UNKNOWN:
        return (
            "The language of the references is not recognised: they have too few words, or it is not known here. They "
            "are treated as English."
        )
    name = languages.language_title(now)
    if languages.has_synonyms(now):
        return f"There are stems and synonyms for {name}."
    if languages.has_stems(now):
        return f"There are stems for {name}; synonyms are WordNet's, which is English, and are left out."
    return f"There are no stems and no synonyms for {name}: equal words match."


def differing_language(references: str) -> str | None:
    """Return the language recognised in the references if it is not the one that a link or a file gave for them.

    Return None if they agree, if none can be recognised, or if no link or file gave the language."""
    if st.session_state.get("language_by") != "given" or not references.strip():
        return None
    recognised_language = recognise_references(references)
    return recognised_language if recognised_language not in (languages.UNKNOWN, current_language()) else None
