"""Draw hints: a hint is one line about the texts below their fields, with buttons that act on it.

A hint that the visitor dismissed stays hidden for the same texts, also after a reload."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st

from metrics.text.languages import language_title as titled

from ..draw.pen.text import safe
from ..state.texts import inputs, reading
from ..state.visit import language
from . import rewriting

QUIET_MOST = 8  # dismissed hints that are remembered


class HintButton(NamedTuple):
    """A button of a hint.

    Attributes:
        key: the key of the button.
        says: its label.
        do: its callback.
        given: the arguments of the callback."""

    key: str
    says: str
    do: Callable[..., None]
    given: tuple[object, ...] = ()


def show(key: str, says: str, *actions: HintButton, mark: str = "") -> None:
    """Draw the hint `says` and its buttons.

    `mark` is a hash that identifies the texts that the hint is about. With it, the hint gets a Dismiss button, and is
    not drawn if the visitor has dismissed it for these texts."""
    if mark and mark in _dismissed_marks():
        return
    if mark:
        actions = (*actions, HintButton(f"{key}_dismiss", "Dismiss", dismiss_hint, (mark,)))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"hint_{key}"):
        st.html(f'<div class="guide">{safe(says, 200)}</div>', width="content")
        for action in actions:
            st.button(action.says, key=action.key, type="tertiary", on_click=action.do, args=action.given)


def texts_hash(*texts: str) -> str:
    """Return a short hash that identifies the texts of a hint."""
    return hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def dismiss_hint(mark: str) -> None:
    """Hide the hint with the hash `mark` from now on; a callback."""
    st.session_state.quiet = " ".join([*_dismissed_marks(), mark][-QUIET_MOST:])


def _dismissed_marks() -> Sequence[str]:
    """Return the hashes of the hints that the visitor has dismissed."""
    return (st.session_state.get("quiet") or "").split()


# ---------------------------------------------------------------- hints about lines, rewritten texts and the language


def show_reference_hints(text: str, candidates: Sequence[str]) -> None:
    """Draw the hints about the references, if there are any.

    One says that the last click rewrote the references, and has a button that undoes this. The other says that several
    lines seem to be pieces of one text, and has a button that joins them. `text` is the field for the references;
    `candidates` tell how long a whole text is."""
    if last_rewriting := rewriting.last_rewriting():
        show("rewritten", last_rewriting.says, HintButton("take_back", "Undo", rewriting.undo_rewriting))
    # The shorter of two outputs shows how long a whole text is; the longer one may repeat something.
    wholes = reading.suggest_joining(text, min([len(each.strip()) for each in candidates if each.strip()], default=0))
    if wholes:
        count = len(inputs.reference_lines(text))
        action = HintButton(
            "lines_join", f"Read as {count_in_words(len(wholes))}", join_references, (count, tuple(wholes))
        )
        show("lines", f"{count} lines are read as {count} references.", action, mark=texts_hash("lines", text))


def show_language_hint(text: str) -> None:
    """Draw a hint if the references in `text` are in another language than the page's.

    Its button sets the language to theirs."""
    if other_language := language.differing_language(text):
        current = titled(language.current_language())
        says = f"The texts are treated as {current}; the references are {titled(other_language)}."
        action = HintButton("language_use", f"Use {titled(other_language)}", language.set_language, (other_language,))
        show("language", says, action, mark=texts_hash("language", text))


def join_references(count: int, wholes: Sequence[str]) -> None:
    """Replace the `count` lines of the references by the texts in `wholes`, one line each; a callback."""
    says = f"{count} lines were joined into {count_in_words(len(wholes), 'reference')}."
    rewriting.rewrite_fields(says, {"references": "\n".join(wholes)})


def count_in_words(count: int, noun: str = "") -> str:
    """Return a number as words of a sentence, with the noun in singular or plural.

    >>> count_in_words(1), count_in_words(2, "reference")
    ('one', '2 references')
    """
    number = "one" if count == 1 else str(count)
    return f"{number} {noun}{'s' if count != 1 else ''}" if noun else number
