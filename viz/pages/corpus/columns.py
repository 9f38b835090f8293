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
from ...frame.corpora import Scoring
from . import marks
from .record import COLUMNS_MOST, Corpus, columns_of

#: What of a metric, or of a score that files gave, is a column.
SIDES = {"delta": "Δ", "a": "A", "b": "B"}
PLAIN = {"length": "Length", "document": "Document", "tag": "Tags"}
LETTERS_MOST = 24  # of a document, tags or the name of a score


def given_scores(found: Scoring) -> Mapping[str, str]:
    """The names of the scores that files gave, by what the filter calls them: no metric's key, and no other one's."""
    out: dict[str, str] = {}
    for name in found.material.scores:
        called = re.sub(r"\W+", "_", name.casefold()).strip("_") or "score"
        called = f"given_{called}" if called in metrics.METRICS or not called[0].isalpha() else called
        while called in out:
            called += "_"
        out[called] = name
    return out


def numbers(found: Scoring, a: int, b: int) -> Mapping[str, Any]:
    """What gives the numbers of the scores that files gave, by their names in the filter: not a number where a segment
    has none."""
    out: dict[str, Any] = {}
    for called, name in given_scores(found).items():
        of_a, of_b = (partial(_given, found, name, system) for system in (a, b))
        out |= {called: of_b, f"a.{called}": of_a, f"b.{called}": of_b}
        out[f"delta.{called}"] = partial(_less, of_b, of_a)
    return out


def _given(found: Scoring, name: str, system: int) -> Array:
    scores = found.material.scores[name].get(found.names[system])
    return np.array([np.nan if each is None else each for each in scores or [None] * found.size], dtype=np.float64)


def _less(b: Any, a: Any) -> Array:
    return np.asarray(b() - a(), dtype=np.float64)


def offered(found: Scoring, shown: Corpus) -> dict[str, str]:
    """The columns that there are, by name, and what each is called."""
    out = {name: said for name, said in PLAIN.items() if name != "document" or found.material.documents}
    scored = [key for key in metrics.METRICS if key in found.tables and key != shown.metric]
    for side, sign in SIDES.items():
        out |= {f"{side}.{key}": f"{sign} {metrics.METRICS[key].label}" for key in scored}
        out |= {f"{side}.{called}": f"{sign} {name[:LETTERS_MOST]}" for called, name in given_scores(found).items()}
    return out


def shown_of(found: Scoring, shown: Corpus) -> dict[str, str]:
    """The columns that are shown, those of them that there are."""
    there = offered(found, shown)
    return {name: there[name] for name in columns_of(shown.columns) if name in there}


def metric_beside(found: Scoring, shown: Corpus) -> str:
    """The metric whose differences are the first that stand beside, with which the chosen one may disagree; "" without
    one."""
    wanted = (name.removeprefix("delta.") for name in shown_of(found, shown) if name.startswith("delta."))
    return next((key for key in wanted if key in metrics.METRICS), "")


class Values:
    """The cells of columns, by the numbers of the segments; `facts` has the numbers. Where A is the better system by
    the chosen metric they are `turned`: differences are A's scores less B's."""

    def __init__(self, found: Scoring, shown: Corpus, facts: Facts, turned: bool = False) -> None:
        self.found, self.facts, self.turned = found, facts, turned
        self.tags = marks.read(shown.marks)
        self._known: dict[str, Array | None] = {}

    def numbers(self, name: str) -> Array | None:
        """What segments are sorted by, the largest first but for texts; None while it is not known, and where there is
        no such column."""
        if name not in self._known:
            self._known[name] = self._numbers(name)
        return self._known[name]

    def _numbers(self, name: str) -> Array | None:
        if name in ("document", "tag"):
            texts = [self.text(name, n).casefold() for n in range(self.found.size)]
            places = np.unique(texts, return_inverse=True)[1].astype(np.float64)
            return np.where([bool(text) for text in texts], -places, -np.inf)
        try:
            found = self.facts.numbers[name]() if name in self.facts.numbers else None
            return -found if found is not None and self.turned and name.startswith("delta.") else found
        except NotYetError:
            return None

    def text(self, name: str, segment: int) -> str:
        """A cell that has words."""
        if name == "document":
            return self.found.document(segment)
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


def menu(found: Scoring, shown: Corpus) -> None:
    """The choice of the columns."""
    with st.popover("Columns", on_change="rerun", key="corpus_columns_menu") as popover:
        if not popover.open:
            return
        there = offered(found, shown)
        st.session_state.corpus_columns_chosen = [*shown_of(found, shown)]
        st.multiselect(
            "Beside number, scores, Δ, worth and words",
            list(there),
            key="corpus_columns_chosen",
            format_func=lambda name: theme.markdown(theme.visible(there[name], 40)),
            max_selections=COLUMNS_MOST,
            on_change=_chosen,
            placeholder="Lengths, other metrics, …",
        )
        st.caption(
            "A column's head sorts by it. With another metric's Δ it is also shown how far the two disagree; scores "
            "that files gave are offered by their names."
        )


def _chosen() -> None:
    st.session_state.corpus_columns = ",".join(st.session_state.corpus_columns_chosen)
