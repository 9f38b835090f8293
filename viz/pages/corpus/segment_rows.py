"""Sort the segments of two systems, and make the rows of their table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.corpus.ledger import CorpusLedger
from metrics.corpus.table import Array

from ...components.segments import SegmentColumn
from ...draw.compare.scores import short_names
from ...draw.corpus import rows
from ...draw.pen.text import visible
from ...frame.corpora import CorpusJob
from . import columns, marks
from .columns import TableColumn
from .filter import filters
from .record import SORTS, CorpusState

Order = NDArray[np.intp]
HEAD_MOST, NAME_MOST = 9, 30  # letters of a system's name above its column, and in the menu of orders
LETTERS_MOST = 400  # letters of a name that is shortened
TAG_MOST = 16  # letters of a tag in a row
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _percent(share: float) -> str:
    """Return a share as a whole percentage with its sign, without the percent sign.

    >>> _percent(-0.004), _percent(-0.06)
    ('0', '−6')
    """
    whole = round(100 * share)
    return f"{whole:+d}".replace("-", "−") if whole else "0"


class SegmentTable:
    """The table of the segments of two systems by the selected metric: their values, order and rows.

    The first system is the worse one by corpus score, the second the better one.

    Attributes:
        sides: the indices of the first and the second system.
        turned: whether the first system is B.
        a, b: the score of each segment by the first and by the second system.
        numbers: the indices of the segments that the filter selects, None for all.
        worth: what each segment gives to the difference of the corpus scores, None while that is not known.
        other_metric: the metric with which the selected one is compared, None if no column of it is shown.
        order: the indices of the shown segments in the order of the table."""

    def __init__(
        self, job: CorpusJob, state: CorpusState, ledger: CorpusLedger | None, numbers: Order | None = None
    ) -> None:
        self.job, self.state = job, state
        self.numbers = numbers
        table = job.table(state.score_key)
        self.sides = job.order_worse_first(state.score_key, state.a, state.b)
        self.turned = self.sides != (state.a, state.b)
        self.a, self.b = (table.scores[n] for n in self.sides)
        self.worth = np.asarray(ledger.worth) if ledger else None
        self.higher = job.metric(state.score_key).higher_is_better
        self.most = max(float(np.abs(self.a).max()), float(np.abs(self.b).max()), 1e-9)
        self.most_change = max(float(np.abs(self.b - self.a).max()), 1e-9)
        self.most_worth = max(float(np.abs(self.worth).max()), 1e-12) if self.worth is not None else 0.0
        beside_key = columns.compared_metric(job, state)
        beside_table = job.table(beside_key) if beside_key else None
        self.other_metric = None if beside_table is None else beside_table.metric
        self.values = columns.CellValues(job, state, filters.filter_facts(job, state), self.turned)
        self.tags = marks.read_marks(state.marks)
        #: The sort key with all that changes the order; another ledger, for example, is another order by worth.
        by_sort = {
            "worth": f"{id(ledger):x}",
            "apart": self.other_metric.key if self.other_metric else "",
            "tag": state.marks,
        }
        self.by = f"{state.sort} {by_sort.get(state.sort, '')}"
        # Cached, because selecting a segment is far more frequent than sorting.
        order_key = state.where, state.marks, state.score_key, state.a, state.b, len(job.tables), ledger
        self.order: Order = job.cached(("order", self.by, state.up, *order_key), self._sorted_segments)

    def _sorted_segments(self) -> Order:
        """Return the indices of the shown segments in the order of the table; ties are in the order of the files."""
        sort = self.state.sort
        column = self.column_of_name.get(sort) or self.values.column(sort, sort, shown=False)
        values = column.values()
        if values is None:  # a column that does not exist, or is not known yet
            values = self._file_order()
        values = values if self.state.up else -values
        if self.numbers is None:
            return np.argsort(values, kind="stable")
        return self.numbers[np.argsort(values[self.numbers], kind="stable")]

    @cached_property
    def column_of_name(self) -> dict[str, TableColumn]:
        """The columns by name, in the order of the table, with those that are not shown."""
        score_key, sign = self.state.score_key, 1 if self.higher else -1
        names = [self.job.names[n] for n in self.sides]
        heads = short_names(names, HEAD_MOST)
        menu_names = short_names([visible(name, LETTERS_MOST) for name in names], NAME_MOST)
        other, better = menu_names
        first, second = ("b", "a") if self.turned else ("a", "b")
        deltas, metric = self.b - self.a, self.other_metric
        two_metrics = f"the metric and {metric.label}" if metric else "two metrics"
        columns = [
            TableColumn(
                "number",
                "No.",
                SORTS["number"],
                "number",
                self._file_order,
                lambda n: {"text": str(n + 1)},
                ("As in the files", "From the end of the files"),
                rank=5,
            ),
            self._score_column(first, self.a, 0, heads[0], other),
            self._score_column(second, self.b, 1, heads[1], better),
            TableColumn(
                "delta",
                "Δ",
                f"the score of {names[1]} minus that of {names[0]}",
                f"{'-' if self.turned else ''}delta.{score_key}",
                lambda: sign * deltas,
                lambda n: rows.difference_cell(float(deltas[n]), self.most_change, self.higher),
                (f"Largest Δ, {other} → {better}", f"Smallest Δ, {other} → {better}"),
                rank=1,
            ),
            TableColumn(
                "worth",
                self._worth_head,
                f"what the segment adds to the lead of {names[1]}",
                "worth",
                lambda: sign * (deltas if self.worth is None else self.worth),
                self._worth_cell,
                (f"Most for {better}", f"Most for {other}"),
                rank=0,
            ),
            TableColumn(
                "apart",
                "Apart",
                SORTS["apart"],
                "apart",
                lambda: np.abs(self.disagreement),
                lambda n: {"text": _percent(float(self.disagreement[n]))},
                (f"Most apart by {two_metrics}", f"Least apart by {two_metrics}"),
                rank=6,
                shown=metric is not None,
            ),
        ]
        extra = {"length": "Length", **self.extra_columns}
        columns += [self.values.column(name, label, name in self.extra_columns) for name, label in extra.items()]
        return {column.name: column for column in columns}

    def _score_column(self, name: str, scores: Array, side: int, label: str, menu_name: str) -> TableColumn:
        """Return the column of the scores of one side, 0 for the first; `menu_name` is that of its system."""
        return TableColumn(
            name,
            label,
            f"the score of {self.job.names[self.sides[side]]}",
            f"{name}.{self.state.score_key}",
            lambda: scores,
            lambda n: rows.score_cell(float(scores[n]), self.most),
            (f"Highest score of {menu_name}", f"Lowest score of {menu_name}"),
            rank=2 if name == "a" else 3,
        )

    def _file_order(self) -> Array:
        """Return a value for each segment that puts the segments into the order of the files."""
        return -np.arange(self.job.segment_count, dtype=np.float64)

    @property
    def columns(self) -> list[TableColumn]:
        """The columns that the table shows, in their order."""
        return [column for column in self.column_of_name.values() if column.shown]

    def _worth_cell(self, segment: int) -> dict[str, Any]:
        """Return the cell of what a segment gives, “…” while that is not known."""
        if self.worth is None:
            return {"text": "…"}
        return rows.worth_cell(float(self.worth[segment]), self.most_worth, self.higher)

    @cached_property
    def disagreement(self) -> NDArray[np.float64]:
        """How far the other metric and the selected one disagree on each segment (`columns.disagreement`).

        All values are 0 if there is no other metric."""
        apart = columns.disagreement(self.job, self.state)
        return np.zeros(self.job.segment_count) if apart is None else apart

    @property
    def chosen_segment(self) -> int:
        """The index of the selected segment, by default of the first in the order; the filter may exclude it."""
        number = self.state.segment
        return int(self.order[0]) if number is None or number >= self.job.segment_count else number

    @property
    def chosen_row(self) -> int:
        """The row of the selected segment in the table, 0 if the filter excludes it."""
        return self.chosen_row_or_none or 0

    @cached_property
    def chosen_row_or_none(self) -> int | None:
        """The row of the selected segment in the table, None if the filter excludes it."""
        places = np.flatnonzero(self.order == self.chosen_segment)
        return int(places[0]) if len(places) else None

    def column_heads(self) -> list[SegmentColumn]:
        """Return the heads of the table's columns, with names of systems shortened to fit."""
        first, second = (self.job.names[n] for n in self.sides)
        heads = [
            SegmentColumn(each.name, each.label, f"Sort by {each.sorts_by}. In the filter: {each.expression}.")
            for each in self.columns
        ]
        return [*heads, SegmentColumn("words", f"{first} → {second}", "", wide=True)]

    @cached_property
    def extra_columns(self) -> dict[str, str]:
        """The labels of the optional columns that are shown, by name."""
        return columns.shown_columns(self.job, self.state)

    @cached_property
    def searched_words(self) -> Sequence[str]:
        """The words and parts of words that the filter searches for, which are highlighted."""
        return filters.searched_words(self.job, self.state)

    @property
    def _worth_head(self) -> str:
        """The head of the worth column, with the power of ten by which its values are scaled."""
        power = rows.scale_power(self.most_worth)
        return f"Worth ×10{str(-power).translate(_RAISED)}" if power else "Worth"

    def rows(self, start: int, end: int) -> list[dict[str, Any]]:
        """Return the rows from `start` up to, but without, `end`, as the browser's table takes them."""
        ours, theirs = (self.job.texts.systems[n] for n in self.sides)
        columns, out = self.columns, []
        for n in self.order[start:end].tolist():
            cells = [column.cell(n) for column in columns]
            words = rows.diff_pieces(ours[n], theirs[n], self.searched_words)
            tags = [(rows.TAG, visible(tag, TAG_MOST)) for tag in self.tags[n].tags] if n in self.tags else []
            out.append({"segment": n, "cells": cells, "words": [*tags, *words]})
        return out
