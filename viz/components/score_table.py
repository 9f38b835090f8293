"""The table of all metrics for two systems or more: scores, how they differ, and the choice of a metric."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import streamlit as st

from viz.draw import theme
from viz.draw.scores import BEST, MARKS, ScoreRow, delta_text, direction, short_names

_DASH = "–"

# A table of the browser's own: st.dataframe takes a third of a second to appear, and a screen reader reads this one.
_component = st.components.v2.component(
    "bitext_scores",
    js="\n".join(
        [Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("table.js", "score_table.js")]
    ),
    isolate_styles=False,
)


class Column(NamedTuple):
    """A column: the metric's name, the scores of system number `system`, their difference, or what that means.

    `short` is its head where there is no room for the name.
    """

    kind: Literal["metric", "score", "delta", "verdict"]
    name: str
    system: int = 0
    short: str = ""


def pair_columns(a: str = "A", b: str = "B") -> list[Column]:
    """The columns of a comparison of two systems that have these names."""
    return [
        Column("metric", "Metric"),
        Column("score", a, 0),
        Column("score", b, 1),
        Column("delta", "Δ"),
        Column("verdict", "Verdict"),
    ]


def system_columns(names: Sequence[str], order: Iterable[int] | None = None) -> list[Column]:
    """The columns of a comparison of several systems: a score of each, in which the best are marked. `order` are the
    numbers of the systems from left to right, None stands for the order of the names."""
    short = short_names(names)
    systems = range(len(names)) if order is None else order
    return [Column("metric", "Metric"), *[Column("score", names[n], n, short[n]) for n in systems]]


def show(
    rows: Sequence[ScoreRow],
    columns: Sequence[Column],
    selected: str,
    pick: Callable[[str], None],
    key: str = "scores",
    most: int = 14,
) -> None:
    """Draw the table, `most` rows high; `pick` is called with the key of a chosen metric.

    The browser sorts by itself and keeps the order when the page runs again.
    """

    def report() -> None:
        chosen = st.session_state[key].pick
        if any(row.key == chosen for row in rows):
            pick(chosen)

    _component(key=key, data={"key": key, **_data(rows, columns, selected, most)}, on_pick_change=report)


def _data(rows: Sequence[ScoreRow], columns: Sequence[Column], selected: str, most: int) -> dict[str, Any]:
    """What the browser needs: the text of every cell, and the number by which its column sorts."""
    pair = any(column.kind == "delta" for column in columns)
    return {
        "pair": pair,
        "columns": [
            {
                "id": f"{column.kind}{column.system}",
                "name": theme.visible(column.short or column.name),
                "title": _title(column, columns),
                "numeric": column.kind in ("score", "delta"),
                "first": "up" if column.kind == "metric" else "down",
            }
            for column in columns
        ],
        "rows": [
            {
                "key": row.key,
                "label": _said(row, columns, pair),
                "title": theme.visible(row.problem, 400) if row.problem else "",
                "cells": [_cell(row, column, pair) for column in columns],
                "order": [_order(position, row, column) for column in columns],
            }
            for position, row in enumerate(rows)
        ],
        "selected": selected,
        "height": 38 + 29 * most if len(rows) > most else None,
        "caption": "Scores of all metrics; choose one to see what made it",
    }


def _cell(row: ScoreRow, column: Column, pair: bool) -> dict[str, str]:
    """A cell's text, its tone (a class of the style sheet), the signs before and after it, and what a screen reader
    adds."""
    text = tone = mark = after = said = ""
    if column.kind == "metric":
        text = theme.visible(row.label)
        if not pair:
            after, said = direction(row.higher_is_better)
    elif column.kind == "score":
        value = row.values[column.system]
        text = _DASH if value is None else theme.score_text(value)
        if not pair and column.system in row.best:
            tone, mark, said = "best", BEST, "best"
    elif row.delta is None or row.verdict is None:
        text = _DASH
    else:
        tone = row.verdict
        text, mark = (delta_text(row.delta), "") if column.kind == "delta" else (row.verdict, MARKS[row.verdict])
    return {"text": text, "tone": tone, "mark": mark, "after": after, "said": said}


def _order(position: int, row: ScoreRow, column: Column) -> float | None:
    """The number by which a row stands in a column's order; None comes last."""
    if column.kind == "metric":
        return position
    if column.kind == "score":
        return row.values[column.system]
    if column.kind == "delta":
        return row.gain
    return None if row.verdict is None else ("worse", "same", "better").index(row.verdict)


def _title(column: Column, columns: Sequence[Column]) -> str:
    """What a column holds and how it sorts."""
    if column.kind == "metric":
        return "Sort in the order of the catalogue"
    if column.kind == "score":
        return f"Scores of {theme.visible(column.name, 200)}"
    a, b = [theme.visible(c.name, 60) for c in columns if c.kind == "score"][:2]
    if column.kind == "delta":
        return f"{b} minus {a}. Sorts by how much better {b} is; of error rates less is better."
    return f"Whether {b} is better or worse than {a}"


def _said(row: ScoreRow, columns: Sequence[Column], pair: bool) -> str:
    """A row in one sentence, for a screen reader."""
    parts = []
    for column in columns:
        cell = _cell(row, column, pair)
        name = "" if column.kind in ("metric", "verdict") else theme.visible(column.name) + " "
        parts.append(name + cell["text"] + (f", {cell['said']}" if cell["said"] else ""))
    return ", ".join(parts) + (f". {theme.visible(row.problem, 400)}" if row.problem else "")
