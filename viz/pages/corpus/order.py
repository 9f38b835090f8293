"""The order of the segments, and the rows of their table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import metrics
from metrics.corpus.ledger import CorpusLedger

from ...components.segments import Column
from ...draw.compare.scores import short_names
from ...draw.corpus import rows
from ...draw.pen import theme
from ...frame.corpora import Scoring
from . import columns, filters, marks
from .record import SORTS, Corpus

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


class Shown:
    """The segments of two systems by the chosen metric, told from the one that has the worse corpus score by it to the
    better one, `a` and `b`: numbers of each, their order, and rows to show; those with the `numbers` that a filter
    selects, all where there is none."""

    def __init__(
        self, found: Scoring, shown: Corpus, ledger: CorpusLedger | None, numbers: Order | None = None
    ) -> None:
        self.found, self.shown = found, shown
        self.numbers = numbers
        table = found.tables[shown.metric]
        self.sides = found.sides(shown.metric, shown.a, shown.b)
        self.turned = self.sides != (shown.a, shown.b)
        self.a, self.b = (table.scores[n] for n in self.sides)
        self.worth = np.asarray(ledger.worth) if ledger else None
        self.higher = metrics.METRICS[shown.metric].higher_is_better
        self.most = max(float(self.a.max()), float(self.b.max()), 1e-9)
        self.most_change = max(float(np.abs(self.b - self.a).max()), 1e-9)
        self.most_worth = max(float(np.abs(self.worth).max()), 1e-12) if self.worth is not None else 0.0
        beside = found.tables.get(columns.metric_beside(found, shown))
        self.beside = None if beside is None else beside.metric
        loser, winner = self.sides
        self.other = np.zeros(found.size) if beside is None else beside.scores[winner] - beside.scores[loser]
        self.values = columns.Values(found, shown, filters.facts(found, shown), self.turned)
        self.tags = marks.read(shown.marks)
        #: What it is sorted by: another ledger is another order by worth.
        of = {"worth": f"{id(ledger):x}", "apart": self.beside.key if self.beside else "", "tag": shown.marks}
        self.by = f"{shown.sort} {of.get(shown.sort, '')}"
        # Sorted once: another segment of it is looked at far more often.
        asked = shown.where, shown.marks, shown.metric, shown.a, shown.b, len(found.tables), ledger
        self.order: Order = found.remembered(("order", self.by, shown.up, *asked), self._order)

    def _order(self) -> Order:
        """The numbers of the segments: the most for the better system first, of what is for neither by place."""
        sign = 1 if self.higher else -1
        table = self.found.tables[self.shown.metric]
        values = {
            "worth": sign * (self.b - self.a if self.worth is None else self.worth),
            "delta": sign * (self.b - self.a),
            "a": table.scores[self.shown.a],
            "b": table.scores[self.shown.b],
            "length": self.found.lengths,
            "number": -np.arange(self.found.size),
            "apart": np.abs(self.apart) if self.shown.sort == "apart" else self.a,
        }.get(self.shown.sort)
        if values is None:
            values = self.values.numbers(self.shown.sort)
            if values is not None and self.shown.sort.startswith("delta."):
                values = (self.values.better(self.shown.sort) or 1) * values
        if values is None:  # a column that is not there, or not yet
            values = -np.arange(self.found.size)
        values = values if self.shown.up else -values
        if self.numbers is None:
            return np.argsort(values, kind="stable")
        return self.numbers[np.argsort(values[self.numbers], kind="stable")]

    def _for_b(self, change: NDArray[np.float64]) -> NDArray[np.float64]:
        """Differences by the other metric, larger where they are for the better system."""
        return change if self.beside is None or self.beside.higher_is_better else -change

    @cached_property
    def apart(self) -> NDArray[np.float64]:
        """How much farther for the better system a segment is by the other metric than by the chosen one, as a part of
        all segments: of its places among the differences of each; equal ones have the same place. 0 without another
        metric."""
        if self.beside is None:
            return np.zeros(self.found.size)
        ours = (self.b - self.a) if self.higher else (self.a - self.b)

        def made() -> NDArray[np.float64]:
            return np.asarray(_places(self._for_b(self.other)) - _places(ours))

        asked = "apart", self.shown.metric, self.beside.key, *self.sides
        return self.found.remembered(asked, made)

    @property
    def chosen(self) -> int:
        """The chosen segment, the first of the order where none is; it may be one that the filter does not select."""
        number = self.shown.segment
        return int(self.order[0]) if number is None or number >= self.found.size else number

    @property
    def at(self) -> int:
        """The place of the chosen segment in the order, 0 where it is not in it."""
        return self.place or 0

    @cached_property
    def place(self) -> int | None:
        """The place of the chosen segment in the order, None where the filter does not select it."""
        places = np.flatnonzero(self.order == self.chosen)
        return int(places[0]) if len(places) else None

    def columns(self) -> list[Column]:
        """The columns; the names of the systems as far as there is room."""
        names = [self.found.names[n] for n in self.sides]
        ours, theirs = short_names(names, HEAD_MOST)
        heads = {"number": "No.", "a": ours, "b": theirs, "delta": "Δ", "worth": self._worth_head}
        said = {**SORTS, "a": f"the score of {names[0]}", "b": f"the score of {names[1]}"}
        said["delta"] = f"the score of {names[1]} less that of {names[0]}"
        said["worth"] = f"what the segment adds to the lead of {names[1]}"
        if self.beside is not None:
            heads["apart"] = "Apart"
        out = [Column(self._sorts(name), head, f"Sort by {said[name]}") for name, head in heads.items()]
        given = {"a.": self.found.names[self.shown.a], "b.": self.found.names[self.shown.b]}
        for name, label in self.beside_it.items():
            whose = given.get(name[:2], "")
            out.append(Column(name, label, f"Sort by {label}{f', {whose}' if whose else ''}"))
        return [*out, Column("words", f"{names[0]} → {names[1]}", "", wide=True)]

    def _sorts(self, name: str) -> str:
        """What sorts a column: the first has the scores of the system that is not better, A or B."""
        return {"a": "b", "b": "a"}.get(name, name) if self.turned else name

    @cached_property
    def beside_it(self) -> dict[str, str]:
        """The columns on demand, by name, and what stands above them."""
        return columns.shown_of(self.found, self.shown)

    @cached_property
    def sought(self) -> Sequence[str]:
        """What the segments were chosen for, as `filters.sought` has it."""
        return filters.sought(self.found, self.shown)

    @property
    def _worth_head(self) -> str:
        power = rows.power(self.most_worth)
        return f"Worth ×10{str(-power).translate(_RAISED)}" if power else "Worth"

    def rows(self, start: int, end: int) -> list[dict[str, Any]]:
        """The rows from a place of the order up to another."""
        ours, theirs = (self.found.texts.systems[n] for n in self.sides)
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
            if self.beside is not None:
                cells.append({"text": _percent(float(self.apart[n]))})
            cells += [self.values.cell(name, n) for name in self.beside_it]
            words = rows.words(ours[n], theirs[n], self.sought)
            tags = [(rows.TAG, theme.visible(tag, TAG_MOST)) for tag in self.tags[n].tags] if n in self.tags else []
            out.append({"segment": n, "cells": cells, "words": [*tags, *words]})
        return out
