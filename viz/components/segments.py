"""Draw the table of a corpus's segments; the browser gets only the rows that are visible."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from ..state import codec
from . import served
from .fragment import digest_or_text, last_sent, new_events, send_again

#: How many rows are sent at once: usually, and first of all when the order has changed.
WINDOW, FIRST = 50, 30
SEGMENTS_MOST = 10_000_000

_table = served.component("bitext_segments", Path(__file__).with_suffix(".js"))


class SegmentColumn(NamedTuple):
    """A column of the table.

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
    of: str,
    sort: str,
    up: bool,
    chosen: int | None,
    at: int,
    turn: Callable[[str], None],
    pick: Callable[[int], None],
    open_: Callable[[int], None],
    key: str = "segments",
    sought: Sequence[str] = (),
) -> None:
    """Draw the rows around position `at` of the order, or where the browser has scrolled to in that order.

    Args:
        columns: the columns.
        rows: returns the rows from one position up to another. Each has the number by which it is picked as `segment`
            and, if that is not the number of its segment in the corpus, that number as `of`.
        total: the number of rows.
        of: identifies the order, together with `up` and `total`.
        sort: the name of the column that sorts.
        up: whether the order is ascending.
        chosen: the number of the selected segment.
        at: the position to show.
        turn: called with the name of the column that is to sort.
        pick: called with the number of a selected segment.
        open_: called with the number of a segment that was opened with Enter.
        key: the key of the component.
        sought: words to highlight; a blank in one is a word boundary."""
    order = f"{of} {up} {total}"
    browser_start = _start_in_order((st.session_state.get(key) or {}).get("start"), order, total)
    high, start = (
        (WINDOW, browser_start) if browser_start is not None else (FIRST, max(0, min(total - FIRST, at - FIRST // 3)))
    )
    last = _start_in_order(st.session_state.get(f"{key}_start"), order, total)
    if browser_start is None and last is not None and last <= at < last + FIRST:  # the browser has that row already
        start = last
    st.session_state[f"{key}_start"] = order, start

    def report() -> None:
        for name, value in new_events(key, last_sent(key, "told")):
            number = codec.number_sent(value, SEGMENTS_MOST)
            if name == "sort" and value in [column.name for column in columns]:
                turn(str(value))
            elif name == "segment" and number is not None:
                pick(number)
            elif name == "open" and number is not None:
                open_(number)

    part = {
        "columns": [column._asdict() for column in columns],
        "rows": [_packed(row) for row in rows(start, min(total, start + high))],
        "start": start,
        "sought": [words.lower() for words in sought],
    }
    _table(
        key=key,
        data={
            # Selecting another row leaves the rows unchanged. As a single text they are compared quickly by Streamlit.
            **digest_or_text(key, "part", json.dumps(part, ensure_ascii=False, separators=(",", ":"))),
            "total": total,
            "sort": sort,
            "up": up,
            "order": order,
            "chosen": chosen,
        },
        on_told_change=report,
        on_start_change=lambda: None,
        on_lost_change=lambda: send_again(key),
    )


def _packed(row: Mapping[str, Any]) -> list[Any]:
    """Return a row in a short form, because most of what is sent when the table is sorted is rows."""
    cells = [[cell["text"], *([cell.get("bar"), cell["tone"]] if "tone" in cell else [])] for cell in row["cells"]]
    return [row["segment"], cells, row["words"], *([row["of"]] if "of" in row else [])]


def _start_in_order(sent: object, order: str, total: int) -> int | None:
    """Return the position of the browser in an order, None if the browser is in another order."""
    if isinstance(sent, list | tuple) and len(sent) == 2 and sent[0] == order:
        return codec.number_sent(sent[1], total)
    return None
