"""Draw a fragment, the HTML of all that is drawn of a result, as a part of a page.

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
    """Make the browser load the scripts of fragments before those of other elements; nothing visible is drawn.

    A browser loads the scripts of a page's elements in the order of the elements, about a dozen for each kind of
    element. If this call comes first, the evidence appears sooner on a first visit. In later runs an empty placeholder
    keeps its position, which is cheaper."""
    if st.session_state.get("ahead_of_first"):
        st.empty()
    else:
        st.session_state.ahead_of_first = True
        _ahead(key="ahead", data={"ahead": True})


def place_width(place: str = "room", estimate: int = ROOM) -> int:
    """Return the width in pixels, in steps of 40, of a place where fragments are drawn.

    `place` is the name of the place; "room", the default, is the whole page. Until the browser has reported the width,
    the result is the estimate `estimate`."""
    return int(st.session_state.get(place) or estimate)


def window_height() -> int:
    """Return the height of the browser's window in pixels, in steps of 40.

    Until the browser has reported it, the result is the height of a small screen."""
    return int(st.session_state.get("window_high") or HIGH)


def store_measurement(key: str, place: str = "room") -> None:
    """Keep the width of `place` and the height of the window, as the component `key` reported them, if plausible."""
    measurement = last_sent(key, "room")
    width, *more = measurement if isinstance(measurement, list | tuple) and measurement else (measurement,)
    if isinstance(width, int | float) and 200 <= width <= 8_000:
        st.session_state[place] = int(width)
    if more and isinstance(more[0], int | float) and 200 <= more[0] <= 8_000:
        st.session_state.window_high = int(more[0])


def is_phone_wide() -> bool:
    """Return whether the page is as narrow as on a phone: less than 600 pixels."""
    return place_width() < 600


def show(
    key: str,
    html: str,
    term: str | None = None,
    on_event: Callable[[str, object], None] | None = None,
    off_classes: Sequence[str] = (),
    fits_place: bool = True,
    reference: int | None = None,
    answer: str | None = None,
    place: str = "room",
    scroll_to: tuple[int, int] | None = None,
    browser_keeps_html: bool = False,
    depends_on_height: bool = False,
) -> None:
    """Draw a fragment, HTML with highlighting and selecting in the browser.

    Args:
        key: the key of the component.
        html: the HTML of the fragment.
        term: the name of the selected term, None if none is.
        on_event: callback that gets the name and value of each thing that the user did, see below.
        off_classes: the classes of words (by what became of them, such as kept or lost) that the legend switches off.
        fits_place: whether the fragment is as wide as its `place`, so that its width is measured and sent.
        reference: the index of the reference whose grid is open, None to let the fragment choose.
        answer: HTML that answers the last question, "" if nothing was asked, None if questions are not answered.
        place: the name of the place that determines the width, by default the page.
        scroll_to: the words of a long text, as positions in candidate and reference, to scroll to at first.
        browser_keeps_html: whether the browser keeps the HTML, so that unchanged HTML is sent only once.
        depends_on_height: whether the drawing depends on the height of the window.

    `on_event` gets one of these names, with its value:

    - "term": the name of the selected term, or None;
    - "off": the classes of words that are switched off, separated by spaces;
    - "tie": the number of the alignment to show, of several that are equally good;
    - "tint": whether the cells in which equally good alignments differ are tinted;
    - "reference": the index of the reference whose grid is open, None if that follows from the selected term;
    - "sort": the key of the metric by which edits are sorted, with "-" in front if the worst come first, "" for the
    order of the texts;
    - "spot": the positions of the words on both sides that were searched for in a long text;
    - "match", if questions are answered: the name of the word or cell for which the user asks what would change if it
    matched, or None to close the answer."""
    _component(
        key=key,
        data={
            **(digest_or_text(key, "html", html) if browser_keeps_html else {"html": html}),
            "term": term,
            "off": " ".join(off_classes),
            "reference": None if reference is None else str(reference),
            "spot": scroll_to,
            "room": place_width(place) if fits_place else None,
            "high": window_height() if depends_on_height else None,
            **({} if answer is None else {"answer": answer}),
        },
        on_told_change=event_reporter(key, on_event or (lambda name, value: None)),
        on_room_change=lambda: store_measurement(key, place),
        on_lost_change=lambda: send_whole_text_again(key),
    )


def last_sent(key: str, name: str) -> Any:
    """Return the value `name` that the component `key` sent last, unchecked; None if it sent nothing."""
    values = st.session_state.get(key)
    return values.get(name) if isinstance(values, dict) else None


def clicked_point(key: str) -> dict[str, Any] | None:
    """Return the point that was clicked last in the Plotly chart `key`, unchecked; None if there is none."""
    selection = last_sent(key, "selection")
    points = selection.get("points") if isinstance(selection, dict) else None
    return points[0] if isinstance(points, list) and points and isinstance(points[0], dict) else None


def digest_or_text(key: str, name: str, text: str) -> dict[str, str]:
    """Return the data that send `text` to a browser that keeps it: its digest, and the text only if it has changed.

    The text is under the key `name`. It is left out if the component `key` was sent the same text last."""
    digest = hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
    last_digest, st.session_state[f"{key}_sent"] = st.session_state.get(f"{key}_sent"), digest
    return {"digest": digest} if last_digest == digest else {"digest": digest, name: text}


def send_whole_text_again(key: str) -> None:
    """Make the next message to the component `key` contain the whole text, because the browser has lost it."""
    st.session_state.pop(f"{key}_sent", None)


def new_events(key: str, sent: object) -> Iterator[tuple[str, object]]:
    """Yield the name and value of each event that the component `key` sent and that was not handled before.

    `sent` is the list of messages that the browser sent. Each has its time in the browser, the name of the event, its
    value, and maybe the reference whose grid was open then; that gives a second event "reference". Malformed messages
    are skipped."""
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


def event_reporter(key: str, on_event: Callable[[str, object], None]) -> Callable[[], None]:
    """Return a callback that calls `on_event` with the name and value of each new event of the component `key`."""

    def report() -> None:
        for name, value in new_events(key, last_sent(key, "told")):
            on_event(name, value)

    return report


def measure_page() -> None:
    """Draw an invisible fragment that measures the width of the page, for pages where no other fragment does."""
    show("ruler", '<div class="bitext"></div>')
