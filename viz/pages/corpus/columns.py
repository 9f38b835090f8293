"""The columns that can stand beside those that the table of segments always has: lengths, documents, tags, scores and
differences by other metrics, and scores that files gave. They are called as the filter calls them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

import metrics
from metrics.corpus.filter import Facts, NotYetError
from metrics.corpus.table import Array

from ...draw.corpus import rows
from ...draw.pen import theme
from ...frame.corpora import CorpusJob
from . import marks
from .record import COLUMNS_MOST, CorpusState, columns_of

#: What of a metric, or of a score that files gave, is a column.
SIDES = {"delta": "Δ", "a": "A", "b": "B"}
PLAIN = {"length": "Length", "document": "Document", "tag": "Tags"}
LETTERS_MOST = 24  # of a document, tags or the name of a score


def given_scores(job: CorpusJob) -> Mapping[str, str]:
    """The names of the scores that files gave, by what the filter calls them: no metric's key, and no other one's."""
    out: dict[str, str] = {}
    for name in job.material.scores:
        filter_name = re.sub(r"\W+", "_", name.casefold()).strip("_") or "score"
        filter_name = (
            f"given_{filter_name}" if filter_name in metrics.METRICS or not filter_name[0].isalpha() else filter_name
        )
        while filter_name in out:
            filter_name += "_"
        out[filter_name] = name
    return out


def numbers(job: CorpusJob, a: int, b: int) -> Mapping[str, Any]:
    """What gives the numbers of the scores that files gave, by their names in the filter: not a number where a segment
    has none."""
    out: dict[str, Any] = {}
    for filter_name, name in given_scores(job).items():
        of_a, of_b = (partial(_file_scores, job, name, system) for system in (a, b))
        out |= {filter_name: of_b, f"a.{filter_name}": of_a, f"b.{filter_name}": of_b}
        out[f"delta.{filter_name}"] = partial(_subtract, of_b, of_a)
    return out


def _file_scores(job: CorpusJob, name: str, system: int) -> Array:
    scores = job.material.scores[name].get(job.names[system])
    return np.array([np.nan if each is None else each for each in scores or [None] * job.size], dtype=np.float64)


def _subtract(b: Any, a: Any) -> Array:
    return np.asarray(b() - a(), dtype=np.float64)


def offered(job: CorpusJob, state: CorpusState) -> dict[str, str]:
    """The columns that there are, by name, and what each is called."""
    out = {name: label for name, label in PLAIN.items() if name != "document" or job.material.documents}
    scored = [key for key in metrics.METRICS if key in job.tables and key != state.metric]
    for side, sign in SIDES.items():
        out |= {f"{side}.{key}": f"{sign} {metrics.METRICS[key].label}" for key in scored}
        out |= {
            f"{side}.{filter_name}": f"{sign} {name[:LETTERS_MOST]}" for filter_name, name in given_scores(job).items()
        }
    return out


def shown_columns(job: CorpusJob, state: CorpusState) -> dict[str, str]:
    """The columns that are shown, those of them that there are."""
    column_labels = offered(job, state)
    return {name: column_labels[name] for name in columns_of(state.columns) if name in column_labels}


def metric_beside(job: CorpusJob, state: CorpusState) -> str:
    """The metric whose differences are the first that stand beside, with which the chosen one may disagree; "" without
    one."""
    delta_keys = (name.removeprefix("delta.") for name in shown_columns(job, state) if name.startswith("delta."))
    return next((key for key in delta_keys if key in metrics.METRICS), "")


class Values:
    """The cells of columns, by the numbers of the segments; `facts` has the numbers. Where A is the better system by
    the chosen metric they are `turned`: differences are A's scores less B's."""

    def __init__(self, job: CorpusJob, state: CorpusState, facts: Facts, turned: bool = False) -> None:
        self.job, self.facts, self.turned = job, facts, turned
        self.tags = marks.read(state.marks)
        self._known: dict[str, Array | None] = {}

    def numbers(self, name: str) -> Array | None:
        """What segments are sorted by, the largest first but for texts; None while it is not known, and where there is
        no such column."""
        if name not in self._known:
            self._known[name] = self._numbers(name)
        return self._known[name]

    def _numbers(self, name: str) -> Array | None:
        if name in ("document", "tag"):
            texts = [self.text(name, n).casefold() for n in range(self.job.size)]
            places = np.unique(texts, return_inverse=True)[1].astype(np.float64)
            return np.where([bool(text) for text in texts], -places, -np.inf)
        try:
            values = self.facts.numbers[name]() if name in self.facts.numbers else None
            return -values if values is not None and self.turned and name.startswith("delta.") else values
        except NotYetError:
            return None

    def text(self, name: str, segment: int) -> str:
        """A cell that has words."""
        if name == "document":
            return self.job.document(segment)
        return ", ".join(self.tags[segment].tags) if segment in self.tags else ""

    def better(self, name: str) -> int:
        """1 where more of a column is better, -1 where less is, 0 where that is not known."""
        metric = metrics.METRICS.get(name.rpartition(".")[2])
        return 0 if metric is None else 1 if metric.higher_is_better else -1

    def cell(self, name: str, segment: int) -> dict[str, Any]:
        """A cell as it is shown."""
        if name in ("document", "tag"):
            return {"text": theme.visible(self.text(name, segment), LETTERS_MOST)}
        each = self.numbers(name)
        value = np.nan if each is None else float(each[segment])
        if each is None or np.isnan(value):
            return {"text": "…" if each is None else "–"}
        if name == "length":
            return {"text": f"{value:.0f}"}
        if not self.better(name):
            return {"text": (theme.change_text if name.startswith("delta.") else _plain)(value)}
        most = max(float(np.nanmax(np.abs(each))), 1e-9)
        if name.startswith("delta."):
            return rows.change(value, most, self.better(name) > 0)
        return rows.score(value, most)


def _plain(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")


# ---------------------------------------------------------------- the menu


def menu(job: CorpusJob, state: CorpusState) -> None:
    """The choice of the columns."""
    with st.popover("Columns", on_change="rerun", key="corpus_columns_menu") as popover:
        if not popover.open:
            return
        column_labels = offered(job, state)
        st.session_state.corpus_columns_chosen = [*shown_columns(job, state)]
        st.multiselect(
            "Beside number, scores, Δ, worth and words",
            list(column_labels),
            key="corpus_columns_chosen",
            format_func=lambda name: theme.markdown(theme.visible(column_labels[name], 40)),
            max_selections=COLUMNS_MOST,
            on_change=_store_columns,
            placeholder="Lengths, other metrics, …",
        )
        st.caption(
            "A column's head sorts by it. With another metric's Δ it is also shown how far the two disagree; scores "
            "that files gave are offered by their names."
        )


def _store_columns() -> None:
    st.session_state.corpus_columns = ",".join(st.session_state.corpus_columns_chosen)
