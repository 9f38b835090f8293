"""The order of the segments, and the rows of their table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import metrics
from metrics.corpus.ledger import CorpusLedger

from ...components.segments import SegmentColumn
from ...draw.compare.scores import short_names
from ...draw.corpus import rows
from ...draw.pen import theme
from ...frame.corpora import CorpusJob
from . import columns, filters, marks
from .record import SORTS, CorpusState

Order = NDArray[np.intp]
HEAD_MOST = 9  # letters of a system's name above its column
TAG_MOST = 16  # letters of a tag in a row
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _places(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The place of each value among all, from 0 to 1; equal values have the same, the middle of theirs.

    >>> _places(np.array([3.0, 1.0, 3.0, 7.0])).tolist()
    [0.5, 0.0, 0.5, 1.0]
    """
    _, group, sizes = np.unique(values.round(9), return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    return np.asarray((ends - (sizes + 1) / 2)[group] / max(1, len(values) - 1))


def _percent(share: float) -> str:
    """A share with its sign, in hundredths.

    >>> _percent(-0.004), _percent(-0.06)
    ('0', '−6')
    """
    whole = round(100 * share)
    return f"{whole:+d}".replace("-", "−") if whole else "0"


class SegmentTable:
    """The segments of two systems by the chosen metric, told from the one that has the worse corpus score by it to the
    better one, `a` and `b`: numbers of each, their order, and rows to show; those with the `numbers` that a filter
    selects, all where there is none."""

    def __init__(
        self, job: CorpusJob, state: CorpusState, ledger: CorpusLedger | None, numbers: Order | None = None
    ) -> None:
        self.job, self.state = job, state
        self.numbers = numbers
        table = job.tables[state.metric]
        self.sides = job.sides(state.metric, state.a, state.b)
        self.turned = self.sides != (state.a, state.b)
        self.a, self.b = (table.scores[n] for n in self.sides)
        self.worth = np.asarray(ledger.worth) if ledger else None
        self.higher = metrics.METRICS[state.metric].higher_is_better
        self.most = max(float(self.a.max()), float(self.b.max()), 1e-9)
        self.most_change = max(float(np.abs(self.b - self.a).max()), 1e-9)
        self.most_worth = max(float(np.abs(self.worth).max()), 1e-12) if self.worth is not None else 0.0
        beside_table = job.tables.get(columns.metric_beside(job, state))
        self.other_metric = None if beside_table is None else beside_table.metric
        loser, winner = self.sides
        self.other = (
            np.zeros(job.size) if beside_table is None else beside_table.scores[winner] - beside_table.scores[loser]
        )
        self.values = columns.Values(job, state, filters.facts(job, state), self.turned)
        self.tags = marks.read(state.marks)
        #: What it is sorted by: another ledger is another order by worth.
        by_sort = {
            "worth": f"{id(ledger):x}",
            "apart": self.other_metric.key if self.other_metric else "",
            "tag": state.marks,
        }
        self.by = f"{state.sort} {by_sort.get(state.sort, '')}"
        # Sorted once: another segment of it is looked at far more often.
        order_key = state.where, state.marks, state.metric, state.a, state.b, len(job.tables), ledger
        self.order: Order = job.remembered(("order", self.by, state.up, *order_key), self._order)

    def _order(self) -> Order:
        """The numbers of the segments: the most for the better system first, of what is for neither by place."""
        sign = 1 if self.higher else -1
        table = self.job.tables[self.state.metric]
        values = {
            "worth": sign * (self.b - self.a if self.worth is None else self.worth),
            "delta": sign * (self.b - self.a),
            "a": table.scores[self.state.a],
            "b": table.scores[self.state.b],
            "length": self.job.lengths,
            "number": -np.arange(self.job.size),
            "apart": np.abs(self.disagreement) if self.state.sort == "apart" else self.a,
        }.get(self.state.sort)
        if values is None:
            values = self.values.numbers(self.state.sort)
            if values is not None and self.state.sort.startswith("delta."):
                values = (self.values.better(self.state.sort) or 1) * values
        if values is None:  # a column that is not there, or not yet
            values = -np.arange(self.job.size)
        values = values if self.state.up else -values
        if self.numbers is None:
            return np.argsort(values, kind="stable")
        return self.numbers[np.argsort(values[self.numbers], kind="stable")]

    def _for_b(self, change: NDArray[np.float64]) -> NDArray[np.float64]:
        """Differences by the other metric, larger where they are for the better system."""
        return change if self.other_metric is None or self.other_metric.higher_is_better else -change

    @cached_property
    def disagreement(self) -> NDArray[np.float64]:
        """How much farther for the better system a segment is by the other metric than by the chosen one, as a part of
        all segments: of its places among the differences of each; equal ones have the same place. 0 without another
        metric."""
        if self.other_metric is None:
            return np.zeros(self.job.size)
        ours = (self.b - self.a) if self.higher else (self.a - self.b)

        def compute_disagreement() -> NDArray[np.float64]:
            return np.asarray(_places(self._for_b(self.other)) - _places(ours))

        cache_key = "apart", self.state.metric, self.other_metric.key, *self.sides
        return self.job.remembered(cache_key, compute_disagreement)

    @property
    def chosen_segment(self) -> int:
        """The chosen segment, the first of the order where none is; it may be one that the filter does not select."""
        number = self.state.segment
        return int(self.order[0]) if number is None or number >= self.job.size else number

    @property
    def chosen_row(self) -> int:
        """The place of the chosen segment in the order, 0 where it is not in it."""
        return self.place or 0

    @cached_property
    def place(self) -> int | None:
        """The place of the chosen segment in the order, None where the filter does not select it."""
        places = np.flatnonzero(self.order == self.chosen_segment)
        return int(places[0]) if len(places) else None

    def columns(self) -> list[SegmentColumn]:
        """The columns; the names of the systems as far as there is room."""
        names = [self.job.names[n] for n in self.sides]
        ours, theirs = short_names(names, HEAD_MOST)
        heads = {"number": "No.", "a": ours, "b": theirs, "delta": "Δ", "worth": self._worth_head}
        sort_labels = {**SORTS, "a": f"the score of {names[0]}", "b": f"the score of {names[1]}"}
        sort_labels["delta"] = f"the score of {names[1]} less that of {names[0]}"
        sort_labels["worth"] = f"what the segment adds to the lead of {names[1]}"
        if self.other_metric is not None:
            heads["apart"] = "Apart"
        out = [SegmentColumn(self._sorts(name), head, f"Sort by {sort_labels[name]}") for name, head in heads.items()]
        given = {"a.": self.job.names[self.state.a], "b.": self.job.names[self.state.b]}
        for name, label in self.extra_columns.items():
            whose = given.get(name[:2], "")
            out.append(SegmentColumn(name, label, f"Sort by {label}{f', {whose}' if whose else ''}"))
        return [*out, SegmentColumn("words", f"{names[0]} → {names[1]}", "", wide=True)]

    def _sorts(self, name: str) -> str:
        """What sorts a column: the first has the scores of the system that is not better, A or B."""
        return {"a": "b", "b": "a"}.get(name, name) if self.turned else name

    @cached_property
    def extra_columns(self) -> dict[str, str]:
        """The columns on demand, by name, and what stands above them."""
        return columns.shown_columns(self.job, self.state)

    @cached_property
    def sought(self) -> Sequence[str]:
        """What the segments were chosen for, as `filters.sought` has it."""
        return filters.sought(self.job, self.state)

    @property
    def _worth_head(self) -> str:
        power = rows.power(self.most_worth)
        return f"Worth ×10{str(-power).translate(_RAISED)}" if power else "Worth"

    def rows(self, start: int, end: int) -> list[dict[str, Any]]:
        """The rows from a place of the order up to another."""
        ours, theirs = (self.job.texts.systems[n] for n in self.sides)
        out = []
        for n in self.order[start:end].tolist():
            a, b = float(self.a[n]), float(self.b[n])
            cells = [
                {"text": str(n + 1)},
                rows.score(a, self.most),
                rows.score(b, self.most),
                rows.change(b - a, self.most_change, self.higher),
            ]
            if self.worth is None:
                cells.append({"text": "…"})
            else:
                cells.append(rows.worth(float(self.worth[n]), self.most_worth, self.higher))
            if self.other_metric is not None:
                cells.append({"text": _percent(float(self.disagreement[n]))})
            cells += [self.values.cell(name, n) for name in self.extra_columns]
            words = rows.words(ours[n], theirs[n], self.sought)
            tags = [(rows.TAG, theme.visible(tag, TAG_MOST)) for tag in self.tags[n].tags] if n in self.tags else []
            out.append({"segment": n, "cells": cells, "words": [*tags, *words]})
        return out
