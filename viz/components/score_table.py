"""Draw the table of all metrics' scores for two or more systems, in which the user selects a metric."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..draw.compare.scores import BEST, ScoreRow, better_direction, short_names
from ..draw.pen.numbers import score_text
from ..draw.pen.text import isolated, visible
from . import served
from .fragment import last_sent

_DASH = "–"

# A plain HTML table: st.dataframe takes a third of a second to appear, and this one works with screen readers.
_component = served.component("bitext_scores", Path(__file__).with_suffix(".js"))


class ScoreColumn(NamedTuple):
    """A column of the table of scores.

    Attributes:
        name: the header.
        system: the index of the system whose scores the column has; None for the column of metric names.
        short: the header where there is no room for the name."""

    name: str
    system: int | None = None
    short: str = ""


def system_columns(names: Sequence[str], order: Iterable[int] | None = None) -> list[ScoreColumn]:
    """Return the columns of the table for several systems: the names of the metrics, then the scores of each system.

    `order` has the indices of the systems from left to right, None for the order of `names`."""
    short = short_names(names)
    systems = range(len(names)) if order is None else order
    return [ScoreColumn("Metric"), *[ScoreColumn(names[n], n, short[n]) for n in systems]]


def show(
    rows: Sequence[ScoreRow],
    columns: Sequence[ScoreColumn],
    selected: str,
    pick: Callable[[str], None],
    key: str = "scores",
    most: int = 15,
) -> None:
    """Draw the table of scores; `pick` is called with the key of a metric that the user selects.

    `selected` is the key of the selected metric. At most `most` rows are visible; the others are reached by scrolling.
    The browser sorts the table, and keeps the order when the page runs again."""

    def report() -> None:
        chosen = last_sent(key, "pick")
        if any(row.key == chosen for row in rows):
            pick(chosen)

    _component(key=key, data={"key": key, **_table_data(rows, columns, selected, most)}, on_pick_change=report)


def _table_data(rows: Sequence[ScoreRow], columns: Sequence[ScoreColumn], selected: str, most: int) -> dict[str, Any]:
    """Return what the browser draws: the text of every cell, and the numbers by which its column is sorted.

    `selected` is the key of the selected metric, and `most` how many rows are visible at once."""
    return {
        "columns": [
            {
                "id": "metric" if column.system is None else f"score{column.system}",
                "name": visible(column.short or column.name),
                "title": _column_tooltip(column),
                "numeric": column.system is not None,
                "first": "up" if column.system is None else "down",
            }
            for column in columns
        ],
        "rows": [
            {
                "key": row.key,
                "label": _row_sentence(row, columns),
                "title": visible(row.problem, 400) if row.problem else "",
                "cells": [_cell_data(row, column) for column in columns],
                "order": [position if column.system is None else row.values[column.system] for column in columns],
            }
            for position, row in enumerate(rows)
        ],
        "selected": selected,
        "height": 38 + 29 * most if len(rows) > most else None,
        "caption": "Scores of all metrics; choose one to see what made it",
    }


def _cell_data(row: ScoreRow, column: ScoreColumn) -> dict[str, str]:
    """Return a cell of the table: its text, CSS class, the signs before and after it, and text for screen readers."""
    if column.system is None:
        after, spoken_text = better_direction(row.higher_is_better)
        return {"text": visible(row.label), "tone": "", "mark": "", "after": after, "said": spoken_text}
    value = row.values[column.system]
    text = _DASH if value is None else score_text(value)
    best = column.system in row.best
    return {
        "text": text,
        "tone": "best" if best else "",
        "mark": BEST if best else "",
        "after": "",
        "said": "best" if best else "",
    }


def _column_tooltip(column: ScoreColumn) -> str:
    """Return the tooltip of a column: what it holds, or for the metric names how it sorts."""
    if column.system is None:
        return "Sort in the order of the catalogue"
    return f"Scores of {isolated(column.name, 200)}"


def _row_sentence(row: ScoreRow, columns: Sequence[ScoreColumn]) -> str:
    """Return a row of the table as one sentence, for screen readers."""
    parts = []
    for column in columns:
        cell = _cell_data(row, column)
        name = "" if column.system is None else isolated(column.name) + " "
        parts.append(name + cell["text"] + (f", {cell['said']}" if cell["said"] else ""))
    return ", ".join(parts) + (f". {visible(row.problem, 400)}" if row.problem else "")
