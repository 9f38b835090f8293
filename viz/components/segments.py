"""Draw the table of a corpus's segments; the browser gets only the rows that are visible."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from ..state.links import codec
from . import served
from .fragment import digest_or_text, event_reporter, send_whole_text_again

#: How many rows are sent at once: usually, and first of all when the order has changed.
WINDOW, FIRST = 50, 30
SEGMENTS_MOST = 10_000_000

_table = served.component("bitext_segments", Path(__file__).with_suffix(".js"))


class SegmentColumn(NamedTuple):
    """A column of the table of segments.

    Attributes:
        name: the name by which the table is sorted.
        head: the header.
        title: what the column holds, as a tooltip.
        wide: whether the column is wide."""

    name: str
    head: str
    title: str
    wide: bool = False


def show(
    columns: Sequence[SegmentColumn],
    rows: Callable[[int, int], Sequence[Mapping[str, Any]]],
    total: int,
    order_name: str,
    sort: str,
    ascending: bool,
    chosen: int | None,
    first_position: int,
    sort_by: Callable[[str], None],
    pick: Callable[[int], None],
    open_: Callable[[int], None] | None = None,
    key: str = "segments",
    highlighted_words: Sequence[str] = (),
) -> None:
    """Draw the table of segments, with the rows around position `first_position`, or where the browser has scrolled to.

    Only the rows near what is visible are sent. A position that the browser reported counts only if it is in the same
    order of segments.

    Args:
        columns: the columns.
        rows: a function that returns the rows from one position up to another. Each row has as `segment` the number by
            which it is picked and, if that is not the number of its segment in the corpus, that number as `of`.
        total: the number of rows.
        order_name: a text that identifies the order of the rows, together with `ascending` and `total`.
        sort: the name of the column by which the rows are sorted.
        ascending: whether the order is ascending.
        chosen: the number of the selected segment, None if none is.
        first_position: the position of the row to show.
        sort_by: called with the name of a column by which the user wants to sort, or whose order to reverse.
        pick: called with the number of a segment that the user selects.
        open_: called with the number of a segment that the user opens with Enter, by default `pick`.
        key: the key of the component.
        highlighted_words: words to highlight; a blank in one is a word boundary."""
    order = f"{order_name} {ascending} {total}"
    browser_start = _start_in_order((st.session_state.get(key) or {}).get("start"), order, total)
    high, start = (
        (WINDOW, browser_start)
        if browser_start is not None
        else (FIRST, max(0, min(total - FIRST, first_position - FIRST // 3)))
    )
    last = _start_in_order(st.session_state.get(f"{key}_start"), order, total)
    if (
        browser_start is None and last is not None and last <= first_position < last + FIRST
    ):  # the browser has that row already
        start = last
    st.session_state[f"{key}_start"] = order, start

    def handle_event(name: str, value: object) -> None:
        number = codec.parse_sent_number(value, SEGMENTS_MOST)
        if name == "sort" and value in [column.name for column in columns]:
            sort_by(str(value))
        elif name == "segment" and number is not None:
            pick(number)
        elif name == "open" and number is not None:
            (open_ or pick)(number)

    part = {
        "columns": [column._asdict() for column in columns],
        "rows": [_compact_row(row) for row in rows(start, min(total, start + high))],
        "start": start,
        "sought": [words.lower() for words in highlighted_words],
    }
    _table(
        key=key,
        data={
            # Selecting another row leaves the rows unchanged. As a single text they are compared quickly by Streamlit.
            **digest_or_text(key, "part", json.dumps(part, ensure_ascii=False, separators=(",", ":"))),
            "total": total,
            "sort": sort,
            "up": ascending,
            "order": order,
            "chosen": chosen,
        },
        on_told_change=event_reporter(key, handle_event),
        on_start_change=lambda: None,
        on_lost_change=lambda: send_whole_text_again(key),
    )


def _compact_row(row: Mapping[str, Any]) -> list[Any]:
    """Return a row as a list without names, because most of what is sent when the table is sorted is rows."""
    cells = [[cell["text"], *([cell.get("bar"), cell["tone"]] if "tone" in cell else [])] for cell in row["cells"]]
    return [row["segment"], cells, row["words"], *([row["of"]] if "of" in row else [])]


def _start_in_order(sent: object, order: str, total: int) -> int | None:
    """Return the position to which the browser has scrolled; None if the browser shows another order of segments.

    `sent` is a pair of an order's identifier and a position, as stored or received; `order` is the identifier of the
    current order, which has `total` rows."""
    if isinstance(sent, list | tuple) and len(sent) == 2 and sent[0] == order:
        return codec.parse_sent_number(sent[1], total)
    return None
