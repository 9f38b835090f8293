"""What a browser keeps for a reload and no link holds: what was typed on the other pages, the former what-if texts, and
the texts for which a nudge was dismissed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import streamlit as st

from . import codec, controls, lessons, link, session, slots
from .examples import EXAMPLES, PAIRS
from .link import Learn, Page

PAST_KEPT = 20  # former what-if texts that outlive a reload


def beside() -> str | None:
    """What is to be kept, as a document; None where there is nothing."""
    state = st.session_state
    body = {
        "pages": _other_pages(),
        "past": list(state.get("whatif_past") or ())[-PAST_KEPT:],
        "quiet": state.get("quiet"),
    }
    return json.dumps(body) if any(body.values()) else None


def _other_pages() -> list[str]:
    """What the other pages hold of the reader's own, each as a file."""
    own = {"sentence": _has_sentence, "compare": _has_systems, "learn": _has_chapter}
    here = st.session_state.get("page")
    return [link.to_json(session.workspace(page)) for page, has in own.items() if page != here and has()]


def _has_sentence() -> bool:
    state = st.session_state
    candidate = state.get("candidate") or ""
    if state.get("page") == "learn":  # whose address has no references of the Sentence page
        return session.pasted("sentence")
    return bool(candidate.strip()) and all(candidate != e.candidate for e in EXAMPLES)


def _has_systems() -> bool:
    return "systems" in st.session_state and all(pair.systems != slots.systems() for pair in PAIRS)


def _has_chapter() -> bool:
    return bool(st.session_state.get("chapter"))


def take_beside(document: object) -> None:
    """Take what was kept before the page was loaded again; what is no such document changes nothing."""
    try:
        body = json.loads(document) if isinstance(document, str) else None
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        return
    pages = body.get("pages")
    for page in pages if isinstance(pages, list) else ():
        _take_page(page)
    state, past = st.session_state, body.get("past")
    if isinstance(past, list) and all(map(_is_former, past)) and state.get("whatif_of") is not None:
        state.whatif_past = tuple([(of, link.sendable(text)) for of, text in past])
    if isinstance(body.get("quiet"), str):
        state.quiet = body["quiet"]


def _take_page(document: object) -> None:
    state = st.session_state
    try:
        shown, _, _ = link.from_json(document if isinstance(document, str) else "")
    except ValueError:
        return
    if shown.page == state.get("page"):
        return
    if isinstance(shown, Learn):
        lessons.put(replace(shown, present=False))
    elif state.get("page") == "learn":  # what the Sentence and the Compare page share is not there yet
        session.put_fields(shown, lambda f: True)
        controls.restore(shown.text, shown.settings)
    else:
        shared = {f.name for f in codec.fields(Page)}
        session.put_fields(shown, lambda f: f.name not in shared)


def _is_former(entry: Any) -> bool:
    """Whether this is the slot of a system and a text that was made of its own."""
    return (
        isinstance(entry, list)
        and len(entry) == 2
        and isinstance(entry[0], int)
        and entry[0] in slots.used()
        and isinstance(entry[1], str)
    )
