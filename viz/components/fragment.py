"""Draw the HTML of a result as a part of the page.

The browser highlights and selects by itself, and reports selections to the server."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from . import served

ROOM = 1200  # the width of a page in pixels, until the browser has reported it
HIGH = 720  # the height of the window in pixels, until the browser has reported it
SEEN = 0.06  # seconds in which a browser shows what it was sent; what follows later does not delay that

_component = served.component("bitext_fragment", Path(__file__).with_suffix(".js"))
_ahead = st.components.v2.component("bitext_ahead", js="export default function () {}")


def load_scripts_first() -> None:
    """Draw nothing visible, but make the browser load the scripts of fragments first.

    A browser loads the scripts of a page's parts in their order, about a dozen for each kind of part. If this call
    comes first, the evidence appears sooner on a first visit. In later runs an empty placeholder keeps its position,
    which is cheaper."""
    if st.session_state.get("ahead_of_first"):
        st.empty()
    else:
        st.session_state.ahead_of_first = True
        _ahead(key="ahead", data={"ahead": True})


def place_width(place: str = "room", first: int = ROOM) -> int:
    """Return the width in pixels, in steps of 40, that fragments have in a place, such as the whole page.

    Until the browser has reported it, the result is the estimate `first`."""
    return int(st.session_state.get(place) or first)


def window_height() -> int:
    """Return the height of the window in pixels, in steps of 40.

    Until the browser has reported it, the result is the height of a small screen."""
    return int(st.session_state.get("window_high") or HIGH)


def store_measurement(key: str, place: str = "room") -> None:
    """Store the width of a place and the height of the window as a component reported them, if they are plausible."""
    measurement = last_sent(key, "room")
    width, *more = measurement if isinstance(measurement, list | tuple) and measurement else (measurement,)
    if isinstance(width, int | float) and 200 <= width <= 8_000:
        st.session_state[place] = int(width)
    if more and isinstance(more[0], int | float) and 200 <= more[0] <= 8_000:
        st.session_state.window_high = int(more[0])


def on_phone() -> bool:
    """Return whether the page is as narrow as on a phone."""
    return place_width() < 600


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
    """Draw a fragment.

    Args:
        key: the key of the component.
        html: the HTML of the fragment.
        term: the name of the selected term, None if none is.
        on_event: callback that gets the name and value of each thing that the user did, see below.
        off: the fates of words that are switched off in the legend.
        measures: whether the fragment is as wide as its `place`.
        reference: the index of the reference whose grid is open, None to let the fragment choose.
        answer: HTML that answers the last question, "" if nothing was asked, None if questions are not answered.
        place: the name of the place that determines the width, by default the page.
        spot: the words of a long text that are scrolled into view when it is first seen.
        keeps: whether the browser keeps the HTML, so that unchanged HTML is sent only once.
        of_window: whether the fragment is also drawn for the height of the window.

    `on_event` gets one of these names, with its value:

    - "term": the name of the selected term, or None;
    - "off": the fates that are switched off, separated by spaces;
    - "tie": the number of the alignment to show;
    - "tint": whether the cells of ties are tinted;
    - "reference": the index of the reference whose grid is open, None if that follows from the selected term;
    - "sort": the key of the metric by which edits are sorted, with "-" in front if the worst come first, "" for the
      order of the texts;
    - "spot": the positions of the words on both sides that were searched for in a long text;
    - "match", if questions are answered: the name of the word or cell for which the user asks what would change if it
      matched, or None to close the answer."""

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
            "room": place_width(place) if measures else None,
            "high": window_height() if of_window else None,
            **({} if answer is None else {"answer": answer}),
        },
        on_told_change=report,
        on_room_change=lambda: store_measurement(key, place),
        on_lost_change=lambda: send_again(key),
    )


def last_sent(key: str, name: str) -> Any:
    """Return the value that a component sent last under a name, unchecked; None if it sent nothing."""
    values = st.session_state.get(key)
    return values.get(name) if isinstance(values, dict) else None


def clicked_point(key: str) -> dict[str, Any] | None:
    """Return the point of a Plotly chart that was clicked last, unchecked; None if there is none."""
    selection = last_sent(key, "selection")
    points = selection.get("points") if isinstance(selection, dict) else None
    return points[0] if isinstance(points, list) and points and isinstance(points[0], dict) else None


def digest_or_text(key: str, name: str, text: str) -> dict[str, str]:
    """Return the message for a text that the browser keeps: its digest, and the text itself if it has changed.

    The text is under the key `name`. It is left out if it is the one that was sent last."""
    digest = hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
    last_digest, st.session_state[f"{key}_sent"] = st.session_state.get(f"{key}_sent"), digest
    return {"digest": digest} if last_digest == digest else {"digest": digest, name: text}


def send_again(key: str) -> None:
    """Make the next message contain the whole text, because the browser has lost it."""
    st.session_state.pop(f"{key}_sent", None)


def new_events(key: str, sent: object) -> Iterator[tuple[str, object]]:
    """Yield the name and value of each event from a component that was not handled before.

    Each message has its time in the browser, the name of the event, its value, and maybe the reference that was open
    then; the latter gives another event. Malformed messages are skipped."""
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


def measure_page() -> None:
    """Draw an invisible fragment that measures the width of the page, for pages where no other fragment does."""
    show("ruler", '<div class="bitext"></div>')
