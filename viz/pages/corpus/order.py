"""The order of the segments, and the rows of their table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import metrics
from metrics.corpus.ledger import CorpusLedger

from ...components.segments import Column
from ...draw.compare.scores import short_names
from ...draw.corpus import rows
from .corpora import Scoring
from .record import SORTS, Corpus

Order = NDArray[np.intp]
HEAD_MOST = 11  # letters of a system's name above its column
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Shown:
    """The segments of two systems by the chosen metric: numbers of each, their order, and rows to show; those with the
    `numbers` that a filter selects, all where there is none."""

    def __init__(
        self, found: Scoring, shown: Corpus, ledger: CorpusLedger | None, numbers: Order | None = None
    ) -> None:
        self.found, self.shown = found, shown
        self.numbers = numbers
        table = found.tables[shown.metric]
        self.a, self.b = table.scores[shown.a], table.scores[shown.b]
        self.worth = np.asarray(ledger.worth) if ledger else None
        self.higher = metrics.METRICS[shown.metric].higher_is_better
        self.most = max(float(self.a.max()), float(self.b.max()), 1e-9)
        self.most_change = max(float(np.abs(self.b - self.a).max()), 1e-9)
        self.most_worth = max(float(np.abs(self.worth).max()), 1e-12) if self.worth is not None else 0.0
        #: What it is sorted by: another ledger is another order by worth.
        self.by = f"{shown.sort} {id(ledger):x}" if shown.sort == "worth" else shown.sort
        self.order = self._order()

    def _order(self) -> Order:
        """The numbers of the segments: the most for B first, of what is for neither by place."""
        sign = 1 if self.higher else -1
        values = {
            "worth": sign * (self.b - self.a if self.worth is None else self.worth),
            "delta": sign * (self.b - self.a),
            "a": self.a,
            "b": self.b,
            "length": self.found.lengths,
            "number": -np.arange(self.found.size),
        }[self.shown.sort]
        values = values if self.shown.up else -values
        if self.numbers is None:
            return np.argsort(values, kind="stable")
        return self.numbers[np.argsort(values[self.numbers], kind="stable")]

    @property
    def chosen(self) -> int:
        """The chosen segment, the first of the order where none is; it may be one that the filter does not select."""
        number = self.shown.segment
        return int(self.order[0]) if number is None or number >= self.found.size else number

    @property
    def at(self) -> int:
        """The place of the chosen segment in the order, 0 where it is not in it."""
        places = np.flatnonzero(self.order == self.chosen)
        return int(places[0]) if len(places) else 0

    def columns(self, names: tuple[str, str]) -> list[Column]:
        """The columns; the names of the systems as far as there is room."""
        ours, theirs = short_names(names, HEAD_MOST)
        heads = {"number": "No.", "a": ours, "b": theirs, "delta": "Δ", "worth": self._worth_head}
        out = [Column(name, head, f"Sort by {SORTS[name]}") for name, head in heads.items()]
        return [*out, Column("words", f"{names[0]} → {names[1]}", "", wide=True)]

    @property
    def _worth_head(self) -> str:
        power = rows.power(self.most_worth)
        return f"Worth × 10{str(-power).translate(_RAISED)}" if power else "Worth"

    def rows(self, start: int, end: int) -> list[dict[str, Any]]:
        """The rows from a place of the order up to another."""
        ours, theirs = (self.found.texts.systems[n] for n in (self.shown.a, self.shown.b))
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
            out.append({"segment": n, "cells": cells, "words": rows.words(ours[n], theirs[n])})
        return out
