"""Define what a column of the table of segments is, and the optional columns, under the same names as in the filter.

The optional columns are lengths, documents, tags, scores and differences by other metrics, and scores that came with
the files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

import metrics
from metrics.corpus.filter import FilterFacts, NotYetError
from metrics.corpus.standings import scaled_ranks
from metrics.corpus.table import Array

from ...draw.corpus import rows
from ...draw.pen.numbers import change_text
from ...draw.pen.text import visible
from ...frame.corpora import CorpusJob
from . import scoring
from .record import COLUMNS_MOST, PLAIN, CorpusState, PlainColumn, parse_columns

#: The columns of a metric, or of a score that came with the files: prefix of the name → start of the label.
SIDES = {"delta": "Δ", "a": "A", "b": "B"}
LETTERS_MOST = 24  # letters of a document, of tags or of the name of a score


@dataclass(frozen=True)
class TableColumn:
    """A column of the table of segments.

    Attributes:
        name: the name under which links and the browser know it as an order of the segments.
        label: what stands above it.
        sorts_by: what the table is sorted by where it is sorted by this column, in words.
        expression: the expression of the filter that has its values.
        values: returns a value for each segment; the segment with the largest comes first. None while they are unknown.
        cell: returns the cell of a segment, as the browser's table takes it.
        orders: the order by this column and its reverse, in the words of the menu of orders.
        rank: its place in that menu.
        shown: whether the table shows it; the segments can be sorted by it in any case."""

    name: str
    label: str
    sorts_by: str
    expression: str
    values: Callable[[], Array | None]
    cell: Callable[[int], dict[str, Any]]
    orders: tuple[str, str]
    rank: int = 10
    shown: bool = True


def file_score_functions(job: CorpusJob, a: int, b: int) -> Mapping[str, Any]:
    """Return functions that compute the scores that came with the files, by their names in the filter.

    Each returns an array with a value for each segment, NaN where it has no score. `a` and `b` are the systems; a name
    may begin with "a.", "b." or, for B's score less A's, "delta."."""
    out: dict[str, Any] = {}
    for filter_name, name in job.score_names.items():
        of_a, of_b = (partial(_file_scores, job, name, system) for system in (a, b))
        out |= {filter_name: of_b, f"a.{filter_name}": of_a, f"b.{filter_name}": of_b}
        out[f"delta.{filter_name}"] = partial(_call_and_subtract, of_b, of_a)
    return out


def _file_scores(job: CorpusJob, name: str, system: int) -> Array:
    """Return a system's scores that came with the files, NaN where a segment has none."""
    scores = job.material.scores[name].get(job.names[system])
    return np.array(
        [np.nan if each is None else each for each in scores or [None] * job.segment_count], dtype=np.float64
    )


def _call_and_subtract(b: Any, a: Any) -> Array:
    """Return the result of calling `b` less the result of calling `a`."""
    return np.asarray(b() - a(), dtype=np.float64)


def plain_columns(job: CorpusJob) -> dict[str, PlainColumn]:
    """Return the columns of no metric that a corpus has, by name."""
    return {name: column for name, column in PLAIN.items() if not column.needs or getattr(job.material, column.needs)}


def available_columns(job: CorpusJob, state: CorpusState) -> dict[str, str]:
    """Return the labels of the optional columns that can be selected, by name."""
    out = {name: column.label for name, column in plain_columns(job).items()}
    scored = [key for key in metrics.METRICS if job.is_scored(key) and key != state.score_key]
    for side, sign in SIDES.items():
        out |= {f"{side}.{key}": f"{sign} {job.metric(key).label}" for key in scored}
        out |= {
            f"{side}.{filter_name}": f"{sign} {name[:LETTERS_MOST]}" for filter_name, name in job.score_names.items()
        }
    return out


def shown_columns(job: CorpusJob, state: CorpusState) -> dict[str, str]:
    """Return the labels of the optional columns that are selected and exist, by name."""
    column_labels = available_columns(job, state)
    return {name: column_labels[name] for name in parse_columns(state.columns) if name in column_labels}


def compared_metric(job: CorpusJob, state: CorpusState) -> str:
    """Return the key of the metric of the first selected column of differences, "" if there is none.

    The table says how far this metric and the selected one disagree."""
    delta_keys = (name.removeprefix("delta.") for name in shown_columns(job, state) if name.startswith("delta."))
    return next((key for key in delta_keys if job.is_scored(key)), "")


def disagreement(job: CorpusJob, state: CorpusState) -> Array | None:
    """Return how far the compared metric and the selected one disagree on each segment, from -1 to 1; cached.

    Each metric ranks the segments by the difference between the systems, scaled to 0 to 1; the best segment for the
    system that is better by the selected metric is highest, and ties share a rank. The value is the rank by the
    compared metric less that by the selected one. None if no metric is compared or the selected one is not scored."""
    compared = compared_metric(job, state)
    if not compared or not job.is_scored(state.score_key):
        return None
    before, after = job.order_worse_first(state.score_key, state.a, state.b)

    def compute_ranks(key: str) -> Array:
        scores, sign = job.table(key).scores, job.metric(key).sign
        return scaled_ranks(sign * (scores[after] - scores[before]))

    cache_key = "apart", state.score_key, compared, before, after
    return job.cached(cache_key, lambda: np.asarray(compute_ranks(compared) - compute_ranks(state.score_key)))


class CellValues:
    """The values and cells of the optional columns, by segment.

    Args:
        facts: the functions that compute the values of the columns.
        turned: whether A is the better system by the selected metric; differences are then A's scores less B's."""

    def __init__(self, job: CorpusJob, state: CorpusState, facts: FilterFacts, turned: bool = False) -> None:
        self.job, self.state, self.facts, self.turned = job, state, facts, turned
        self._known: dict[str, Array | None] = {}
        self._known_texts: dict[str, Sequence[Collection[str]]] = {}

    def column(self, name: str, label: str, shown: bool = True) -> TableColumn:
        """Return an optional column, whose label is known."""
        whose = {"a.": self.job.names[self.state.a], "b.": self.job.names[self.state.b]}.get(name[:2])
        is_difference, orders = name.startswith("delta."), PLAIN[name].orders if name in PLAIN else None

        def sorted_values() -> Array | None:
            values = self.numbers(name)
            return (self.direction(name) or 1) * values if is_difference and values is not None else values

        return TableColumn(
            name,
            label,
            f"{label}, {whose}" if whose else label,
            f"-{name}" if is_difference and self.turned else name,
            sorted_values,
            partial(self.cell, name),
            orders or (f"By {label}", f"By {label}, reversed"),
            rank=4 if orders else 10,
            shown=shown,
        )

    def numbers(self, name: str) -> Array | None:
        """Return a value for each segment, by which the segments are sorted, the largest first; cached.

        For a column of texts, the values put the texts into alphabetical order. None if the column does not exist or
        its values are not known yet."""
        if name not in self._known:
            self._known[name] = self._compute_numbers(name)
        return self._known[name]

    def _compute_numbers(self, name: str) -> Array | None:
        """Compute a value for each segment by which the segments are sorted."""
        if self.is_text(name):
            texts = [self.text(name, n).casefold() for n in range(self.job.segment_count)]
            places = np.unique(texts, return_inverse=True)[1].astype(np.float64)
            return np.where([bool(text) for text in texts], -places, -np.inf)
        try:
            values = self.facts.numbers[name]() if name in self.facts.numbers else None
            return -values if values is not None and self.turned and name.startswith("delta.") else values
        except NotYetError:
            return None

    def text(self, name: str, segment: int) -> str:
        """Return the text of a segment's cell in a column of texts."""
        if name not in self._known_texts:
            self._known_texts[name] = self.facts.labels[name]() if name in self.facts.labels else ()
        texts = self._known_texts[name]
        return ", ".join(texts[segment]) if texts else ""

    def is_text(self, name: str) -> bool:
        """Return whether the values of a column are texts."""
        return name in PLAIN and PLAIN[name].is_text

    def direction(self, name: str) -> int:
        """Return 1 if higher is better in a column, -1 if lower is, 0 if that is not known."""
        key = name.rpartition(".")[2]
        return self.job.metric(key).sign if self.job.is_scored(key) else 0

    def cell(self, name: str, segment: int) -> dict[str, Any]:
        """Return a segment's cell in a column as the browser's table takes it: its text, and how it is drawn."""
        if self.is_text(name):
            return {"text": visible(self.text(name, segment), LETTERS_MOST)}
        each = self.numbers(name)
        value = np.nan if each is None else float(each[segment])
        if each is None or np.isnan(value):
            return {"text": "…" if each is None else "–"}
        if name in PLAIN and PLAIN[name].is_whole:
            return {"text": f"{value:.0f}"}
        if not self.direction(name):
            return {"text": (change_text if name.startswith("delta.") else _four_digits)(value)}
        most = max(float(np.nanmax(np.abs(each))), 1e-9)
        if name.startswith("delta."):
            return rows.difference_cell(value, most, self.direction(name) > 0)
        return rows.score_cell(value, most)


def _four_digits(value: float) -> str:
    """Return a number with four significant digits."""
    return f"{value:.4g}".replace("-", "−")


# ---------------------------------------------------------------- the menu


def draw_columns_menu(job: CorpusJob, state: CorpusState) -> None:
    """Draw the menu that selects the optional columns of the table of segments."""
    with st.popover("Columns", on_change="rerun", key="corpus_columns_menu") as popover:
        if not popover.open:
            return
        column_labels = available_columns(job, state)
        st.session_state.corpus_columns_chosen = [*shown_columns(job, state)]
        st.multiselect(
            "Besides number, scores, Δ, worth and words",
            list(column_labels),
            key="corpus_columns_chosen",
            format_func=lambda name: visible(column_labels[name], 40),
            max_selections=COLUMNS_MOST,
            on_change=_store_columns,
            placeholder="Lengths, other metrics, …",
        )
        st.caption(
            "Click a column's head to sort by it. Another metric's Δ also shows how far the two disagree; scores "
            f"from files are listed by their names. {scoring.unscored_note(job)}"
        )


def _store_columns() -> None:
    """Store the selected columns; a callback."""
    st.session_state.corpus_columns = ",".join(st.session_state.corpus_columns_chosen)
