"""The table of a corpus's segments, of which the browser has those that are seen."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from ..state import codec
from . import served
from .fragment import digest_or_text, last_sent, new_events, send_again

#: Rows that the browser is given at once: of another order first those that are seen at once.
WINDOW, FIRST = 50, 30
SEGMENTS_MOST = 10_000_000

_table = served.component("bitext_segments", Path(__file__).with_suffix(".js"))


class SegmentColumn(NamedTuple):
    """A column by the name of what sorts it, what stands above it, and what it is."""

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
    """Draw the rows around the one `at` a place in the order, or where the browser is in that order, which is known by
    what it is `of`. `rows` gives those from a place up to another, each with its number, and the segment that it is
    `of` where that is another one. `turn` is called with the column that is to sort, `pick` with the number of the
    segment that is chosen, and `open_` with that of one that is opened by Enter. What is `sought` is lit; a blank in
    it is where a word begins or ends."""
    order = f"{of} {up} {total}"
    browser_start = _start_in_order((st.session_state.get(key) or {}).get("start"), order, total)
    high, start = (
        (WINDOW, browser_start) if browser_start is not None else (FIRST, max(0, min(total - FIRST, at - FIRST // 3)))
    )
    last = _start_in_order(st.session_state.get(f"{key}_start"), order, total)
    if browser_start is None and last is not None and last <= at < last + FIRST:  # the browser has that row
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
            # With another row chosen the rows are the same. As one text, Streamlit compares them at a glance.
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
    """A row in a few bytes: what is sent when segments are sorted is mostly this."""
    cells = [[cell["text"], *([cell.get("bar"), cell["tone"]] if "tone" in cell else [])] for cell in row["cells"]]
    return [row["segment"], cells, row["words"], *([row["of"]] if "of" in row else [])]


def _start_in_order(sent: object, order: str, total: int) -> int | None:
    """Where the browser is in an order, None where it is not in this one."""
    if isinstance(sent, list | tuple) and len(sent) == 2 and sent[0] == order:
        return codec.number_sent(sent[1], total)
    return None
