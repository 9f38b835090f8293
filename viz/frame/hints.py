"""Draw hints: one line about the texts below the fields, with buttons that act on it.

A dismissed hint stays hidden for the same texts, also after a reload."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st

from metrics.text.languages import language_title as titled

from ..draw.pen import theme
from ..state import inputs, language, reading
from . import rewriting

QUIET_MOST = 8  # dismissed hints that are remembered


class Action(NamedTuple):
    """A button of a hint: its key, its label, its callback, and the arguments of the callback."""

    key: str
    says: str
    do: Callable[..., None]
    given: tuple[object, ...] = ()


def show(key: str, says: str, *actions: Action, mark: str = "") -> None:
    """Draw a hint and its buttons.

    With a `mark`, which identifies the texts of the hint, it gets a Dismiss button, and is not drawn if it was
    dismissed."""
    if mark and mark in _quiet():
        return
    if mark:
        actions = (*actions, Action(f"{key}_dismiss", "Dismiss", dismiss, (mark,)))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"hint_{key}"):
        st.html(f'<div class="guide">{theme.safe(says, 200)}</div>', width="content")
        for action in actions:
            st.button(action.says, key=action.key, type="tertiary", on_click=action.do, args=action.given)


def mark_of(*texts: str) -> str:
    """Return a short hash that identifies the texts of a hint."""
    return hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def dismiss(mark: str) -> None:
    """Hide the hint with this mark from now on, in a callback."""
    st.session_state.quiet = " ".join([*_quiet(), mark][-QUIET_MOST:])


def _quiet() -> Sequence[str]:
    """Return the marks of the dismissed hints."""
    return (st.session_state.get("quiet") or "").split()


# ---------------------------------------------------------------- hints about lines, rewritten texts and the language


def show_reference_hints(text: str, candidates: Sequence[str]) -> None:
    """Draw the hints about the references: lines that seem to be pieces of fewer texts, and the last rewriting.

    The first has a button that joins the lines, the second one that undoes the rewriting."""
    if last_rewriting := rewriting.last():
        show("rewritten", last_rewriting.says, Action("take_back", "Take it back", rewriting.take_back))
    # The shorter of two outputs shows how long a whole text is; the longer one may repeat something.
    wholes = reading.suggest_joining(text, min([len(each.strip()) for each in candidates if each.strip()], default=0))
    if wholes:
        count = len(inputs.reference_lines(text))
        action = Action("lines_join", f"Read as {counted(len(wholes))}", join_references, (count, tuple(wholes)))
        show("lines", f"{count} lines are read as {count} references.", action, mark=mark_of("lines", text))


def show_language_hint(text: str) -> None:
    """Draw the hint that the references are in another language than the texts came with, and a button that sets it."""
    if other_language := language.differing_language(text):
        says = f"The texts are treated as {titled(language.current())}; the references are {titled(other_language)}."
        action = Action("language_use", f"Use {titled(other_language)}", use_language, (other_language,))
        show("language", says, action, mark=mark_of("language", text))


def use_language(name: str) -> None:
    """Set the language of the texts, in a callback."""
    language.choose(name)


def join_references(count: int, wholes: Sequence[str]) -> None:
    """Replace the references, `count` lines, by the texts in `wholes`, one line each, in a callback."""
    says = f"{count} lines were joined to {counted(len(wholes), 'reference')}."
    rewriting.rewrite(says, {"references": "\n".join(wholes)})


def counted(count: int, noun: str = "") -> str:
    """Return a number as sentences say it, with the noun in singular or plural.

    >>> counted(1), counted(2, "reference")
    ('one', '2 references')
    """
    number = "one" if count == 1 else str(count)
    return f"{number} {noun}{'s' if count != 1 else ''}" if noun else number
