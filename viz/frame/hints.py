"""Hints: a sentence about the texts in one line below the inputs, with the clicks that follow it. What was dismissed
stays away for its texts, also when the page is loaded again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st

from metrics.text.languages import title as titled

from ..draw.pen import theme
from ..state import inputs, language, reading
from . import rewriting

QUIET_MOST = 8  # hints that stay away


class Action(NamedTuple):
    """A click: the key of its button, what it says, and what it does with what is given."""

    key: str
    says: str
    do: Callable[..., None]
    given: tuple[object, ...] = ()


def show(key: str, says: str, *actions: Action, mark: str = "") -> None:
    """A sentence and its clicks; with a `mark`, by which its texts are known, it can be dismissed, and is not shown
    where it was."""
    if mark and mark in _quiet():
        return
    if mark:
        actions = (*actions, Action(f"{key}_dismiss", "Dismiss", dismiss, (mark,)))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"hint_{key}"):
        st.html(f'<div class="guide">{theme.safe(says, 200)}</div>', width="content")
        for action in actions:
            st.button(action.says, key=action.key, type="tertiary", on_click=action.do, args=action.given)


def mark_of(*texts: str) -> str:
    """By what texts are known for which something was dismissed."""
    return hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def dismiss(mark: str) -> None:
    """Have a hint stay away."""
    st.session_state.quiet = " ".join([*_quiet(), mark][-QUIET_MOST:])


def _quiet() -> Sequence[str]:
    return (st.session_state.get("quiet") or "").split()


# ---------------------------------------------------------------- lines, and what was rewritten


def references(text: str, candidates: Sequence[str]) -> None:
    """Say that the lines of the references are read as so many references where they rather are pieces of fewer, with
    the click that joins them; and what was rewritten, with the click that takes it back."""
    if last_rewriting := rewriting.last():
        show("rewritten", last_rewriting.says, Action("take_back", "Take it back", rewriting.take_back))
    # Of two outputs of one sentence the shorter one says how long a text is; the longer may have said something twice.
    wholes = reading.suggest_joining(text, min([len(each.strip()) for each in candidates if each.strip()], default=0))
    if wholes:
        count = len(inputs.lines(text))
        action = Action("lines_join", f"Read as {counted(len(wholes))}", join_references, (count, tuple(wholes)))
        show("lines", f"{count} lines are read as {count} references.", action, mark=mark_of("lines", text))


def languages(text: str) -> None:
    """Say that references which came with a language are in another one, with the click that takes it."""
    if other_language := language.differing_language(text):
        says = f"The texts are treated as {titled(language.current())}; the references are {titled(other_language)}."
        action = Action("language_use", f"Use {titled(other_language)}", use_language, (other_language,))
        show("language", says, action, mark=mark_of("language", text))


def use_language(name: str) -> None:
    """Treat the texts as being in a language."""
    language.choose(name)


def join_references(count: int, wholes: Sequence[str]) -> None:
    """Put references of a line each into the place of those whose `count` lines were theirs."""
    says = f"{count} lines were joined to {counted(len(wholes), 'reference')}."
    rewriting.rewrite(says, {"references": "\n".join(wholes)})


def counted(count: int, noun: str = "") -> str:
    """A number as sentences say it, with what is counted.

    >>> counted(1), counted(2, "reference")
    ('one', '2 references')
    """
    number = "one" if count == 1 else str(count)
    return f"{number} {noun}{'s' if count != 1 else ''}" if noun else number
