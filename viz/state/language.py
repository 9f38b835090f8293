"""The language of the texts: recognised from the references once, kept until they are cleared or replaced, or set.

The session holds it as `language`, and under `language_by` how it came there: "references", "reader", "given" with a
link or a file, "example", or None while there is nothing to recognise. `language_of` are the references that this was
last decided for, so that nothing is done where they are as they were.
"""

from __future__ import annotations

import streamlit as st

from metrics.text import LANGUAGES, languages

from . import pending_widgets, similarity
from .memory import remembered

KEY = "language"
SAME = 0.5  # the share of the words of two references, of the fewer, from which one was made of the other


@remembered
def recognised(references: str) -> str:
    """The language of references."""
    return languages.recognised([references])


def current() -> str:
    """The language of the texts."""
    language: str = st.session_state.get(KEY) or "english"
    return language


def settle() -> None:
    """Decide on the language where the references have changed, at the start of a run."""
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
    """Whether references were changed, not replaced."""
    a, b = {*were.split()}, {*now.split()}
    return len(a & b) >= SAME * min(len(a), len(b))


def mark_as_given(by: str = "given") -> None:
    """The language came with the references."""
    state = st.session_state
    state.language_of = state.get("references") or ""
    state.language_by = by if state.language_of.strip() else None


def set_by_reader() -> None:
    """The reader has chosen the language that the session holds."""
    st.session_state.language_by = "reader"
    _use(current())


def choose(language: str) -> None:
    """Set the language as a reader does."""
    pending_widgets.give_value(KEY, language)
    set_by_reader()


def from_references() -> None:
    """Have the language recognised anew, whatever was set."""
    st.session_state.language_by = st.session_state.language_of = None
    settle()


def _use(language: str) -> None:
    """What depends on the language follows it."""
    if current() != language:
        pending_widgets.give_value(KEY, language)
    follow()


def follow() -> None:
    """Let similar words be those of the language, and stems that are asked for."""
    state, treated_language = st.session_state, languages.treated_as(current())
    similarity.follow(treated_language)
    if (
        state.get("text.stemmer") == "snowball"
        and treated_language in LANGUAGES
        and state.get("text.language") != treated_language
    ):
        pending_widgets.give_value("text.language", treated_language)


def describe_language() -> str:
    """The language and where it comes from, as a control names it."""
    state, now = st.session_state, current()
    if state.get("language_by") is None:
        return "Language"
    if now == languages.UNKNOWN:
        return "Unknown language"
    source = {"references": ", from the references", "reader": ", as set"}.get(state.language_by, "")
    return languages.label(now) + source


def explained() -> str:
    """What the language has and has not, in a sentence or two."""
    now = current()
    if now == languages.UNKNOWN:
        return (
            "The references do not tell their language: they are too few words, or it is none that is known here. They "
            "are treated as English."
        )
    name = languages.title(now)
    if languages.has_synonyms(now):
        return f"There are stems and synonyms for {name}."
    if languages.has_stems(now):
        return f"There are stems for {name}; synonyms are WordNet's, which is English, and are left out."
    return f"There are no stems and no synonyms for {name}: equal words match."


def differing_language(references: str) -> str | None:
    """The language that references are in where that is another one than they came with; None where it is not, or
    where nobody can tell. What was recognised or set here is not doubted."""
    if st.session_state.get("language_by") != "given" or not references.strip():
        return None
    recognised_language = recognised(references)
    return recognised_language if recognised_language not in (languages.UNKNOWN, current()) else None
