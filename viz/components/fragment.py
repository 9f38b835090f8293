"""A fragment as a part of a page, which lights and chooses in the browser and tells the server what was chosen."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from . import served

ROOM = 1200  # pixels that a page is drawn for until the browser has told its width
HIGH = 720  # pixels that the window is taken to have until the browser has told its height
SEEN = 0.06  # seconds after which a browser has shown what it was sent: what follows later does not hold it up

_component = served.component("bitext_fragment", Path(__file__).with_suffix(".js"))
_ahead = st.components.v2.component("bitext_ahead", js="export default function () {}")


def ahead() -> None:
    """Draw nothing. A browser fetches the programs of a page's parts in their order, a dozen for each kind: those of
    fragments come first where this stands first, and the evidence is seen sooner on a first visit. Later a place is
    kept for it, which costs less."""
    if st.session_state.get("ahead_of_first"):
        st.empty()
    else:
        st.session_state.ahead_of_first = True
        _ahead(key="ahead", data={"ahead": True})


def room(place: str = "room", first: int = ROOM) -> int:
    """The width in pixels, in steps of 40, that fragments have in a place, such as a whole page; until the browser has
    told it, what it may be at `first`."""
    return int(st.session_state.get(place) or first)


def window_height() -> int:
    """The height of the window in pixels, in steps of 40; until the browser has told it, that of a small screen."""
    return int(st.session_state.get("window_high") or HIGH)


def measured(key: str, place: str = "room") -> None:
    """Keep the width that a component has told of its place, and the height of the window beside it, if they can be
    such."""
    measurement = last_sent(key, "room")
    width, *more = measurement if isinstance(measurement, list | tuple) and measurement else (measurement,)
    if isinstance(width, int | float) and 200 <= width <= 8_000:
        st.session_state[place] = int(width)
    if more and isinstance(more[0], int | float) and 200 <= more[0] <= 8_000:
        st.session_state.window_high = int(more[0])


def on_phone() -> bool:
    """Whether there is only the room of a phone."""
    return room() < 600


def show(
    key: str,
    html: str,
    term: str | None = None,
    on_event: Callable[[str, object], None] | None = None,
    off: Sequence[str] = (),
    measures: bool = True,
    reference: int | None = None,
    answer: str | None = None,
    place: str = "room",
    spot: tuple[int, int] | None = None,
    keeps: bool = False,
    of_window: bool = False,
) -> None:
    """Draw a fragment; `term` is the name of the chosen term, and its legend has switched `off` some fates of words.
    One that `measures` is as broad as its `place`, by default the page; with `of_window` it is drawn for the height of
    the window, too. `reference` is the one whose grid is open, None for the fragment's own choice. `answer` is HTML
    about what was asked last, "" where nothing was, None where nobody answers. Of a long text that is shown as a whole,
    words at the `spot` are brought into view when it is first seen.

    `on_event` is called with what the user did: ("term", the name of the term that is chosen now, or None), ("off", the
    fates that are switched off now, a space between them), ("tie", the number of the alignment that is asked for),
    ("tint", whether the cells of ties are tinted), ("reference", the number of the one whose grid is open, None
    where the chosen term alone would open it), ("sort", the key of the metric by which edits are sorted, after "-"
    where the worst come first, "" where they stand as in the texts), ("spot", the places of the words of both sides
    where a long text was sought), and, where somebody answers, ("match", the name of the word or the cell of which is
    asked what would be if it matched, None to leave).
    """

    def report() -> None:
        for name, value in new_events(key, last_sent(key, "told")):
            if on_event:
                on_event(name, value)

    _component(
        key=key,
        data={
            **(digest_or_text(key, "html", html) if keeps else {"html": html}),
            "term": term,
            "off": " ".join(off),
            "reference": None if reference is None else str(reference),
            "spot": spot,
            "room": room(place) if measures else None,
            "high": window_height() if of_window else None,
            **({} if answer is None else {"answer": answer}),
        },
        on_told_change=report,
        on_room_change=lambda: measured(key, place),
        on_lost_change=lambda: send_again(key),
    )


def last_sent(key: str, name: str) -> Any:
    """What a component has sent last by a name, as the browser sent it; None where there is nothing."""
    values = st.session_state.get(key)
    return values.get(name) if isinstance(values, dict) else None


def clicked_point(key: str) -> dict[str, Any] | None:
    """The point of a Plotly chart that was clicked last, whatever it holds; None where there is none."""
    selection = last_sent(key, "selection")
    points = selection.get("points") if isinstance(selection, dict) else None
    return points[0] if isinstance(points, list) and points and isinstance(points[0], dict) else None


def digest_or_text(key: str, name: str, text: str) -> dict[str, str]:
    """What is sent of a text that the browser keeps: its digest, and under its `name` all of it where the browser was
    sent another one last."""
    digest = hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
    last_digest, st.session_state[f"{key}_sent"] = st.session_state.get(f"{key}_sent"), digest
    return {"digest": digest} if last_digest == digest else {"digest": digest, name: text}


def send_again(key: str) -> None:
    """Send the whole text the next time: the browser does not have what it was sent once."""
    st.session_state.pop(f"{key}_sent", None)


def new_events(key: str, sent: object) -> Iterator[tuple[str, object]]:
    """What a component tells that it has not told before: each message has its time in the browser, the name of what
    was done, its value and perhaps the reference that is open then."""
    last_event_key = f"{key}_heard"
    for message in sent if isinstance(sent, list | tuple) else ():
        if not isinstance(message, list | tuple) or len(message) not in (3, 4):
            continue
        at, name, value, *also = message
        if not isinstance(at, int | float) or not st.session_state.get(last_event_key, -1.0) < at < math.inf:
            continue
        st.session_state[last_event_key] = at
        yield str(name), value
        yield from [("reference", reference) for reference in also]


def measure() -> None:
    """Draw nothing, and learn how broad the page is, where no fragment takes its whole width."""
    show("ruler", '<div class="bitext"></div>')
