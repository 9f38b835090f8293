"""The table of terms as a part of the page: rows that can be chosen, and the light between words, cells and terms."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from itertools import islice
from pathlib import Path

import streamlit as st

from metrics import formula
from metrics.types import Edit, Hit, Mark, Result
from viz.draw import ledger, theme
from viz.draw.marks import Selection, count_terms, terms, touched
from viz.draw.texts import Texts

KEY = "terms"
ROWS_MOST = 500  # rows sent to the browser; the CSV holds all

# A table of the browser's own instead of st.dataframe: that one takes a third of a second to appear and reports a
# choice 0.15 s late, and a screen reader reads this one.
_component = st.components.v2.component(
    "bitext_evidence",
    js="\n".join([Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("table.js", "evidence.js")]),
    isolate_styles=False,
)


def show(
    texts: Texts,
    result: Result,
    chosen: Selection | None,
    rounds: int | None,
    most: int,
    hits: Sequence[Hit],
    pick: Callable[[int], None],
) -> None:
    """Draw the table, `most` rows high; `pick` is called with the number of a chosen row, -1 to choose none.

    `hits` are the matches that hovering a word lights.
    """
    shown = ledger.rows(texts.candidate_words, texts.reference_words, result, rounds, ROWS_MOST)
    columns = ["Term", "Words", "Credit", "Value"]
    rows = [[r.term, r.words, r.credit, formula.shown(r.value)] for r in shown]
    # With several layers each one's rows stand under its name, weight and sum.
    groups, first = [], 0
    for layer in result.layers:
        if len(result.layers) > 1 and layer.marks and (rounds is None or (layer.number or 0) <= rounds):
            weight = f", weight {layer.weight:.4g}" if layer.weight != 1 else ""
            groups.append([first, f"{layer.name}{weight}", formula.shown(math.fsum(layer.credits))])
            first += len(layer.marks)
    selected = ledger.row_of(result, chosen, rounds) if chosen else None

    def report() -> None:
        row = st.session_state[KEY].pick
        if row is not None:
            pick(int(row))

    found = [term.mark for term in islice(terms(result, rounds), ROWS_MOST)]
    more = count_terms(result, rounds) - len(shown)
    _component(
        key=KEY,
        data={
            "columns": columns,
            "numeric": [name == "Value" for name in columns],
            "rows": rows,
            "groups": groups,
            "cells": [[list(cell) for cell in mark.cells()] for mark in found],
            "words": [touched(mark).names() for mark in found],
            "gaps": [_gap(mark) for mark in found],
            "hits": [list(hit) for hit in hits],
            "selected": -1 if selected is None else selected,
            "height": 38 + 33 * min(most, max(1, len(rows))),
            "caption": "Terms of the score; choose one to light its cells and words",
            "empty": f"No match is used, so the score is {formula.shown(result.score)}.",
            "more": f"and {theme.plural(more, 'more term')}, all of them in the CSV" if more else "",
        },
        on_pick_change=report,
    )


def plain(
    key: str,
    columns: Sequence[str],
    numeric: Collection[str],
    rows: Sequence[Sequence[str]],
    groups: Sequence[Sequence[object]],
    selected: int,
    most: int,
    caption: str,
    empty: str,
    pick: Callable[[int], None],
) -> None:
    """Draw a table of any rows, without the light between words and cells.

    A group is the number of its first row, its name and its value. `pick` is called as in `show`.
    """

    def report() -> None:
        row = st.session_state[key].pick
        if row is not None:
            pick(int(row))

    nothing: list[list[object]] = [[] for _ in rows]
    _component(
        key=key,
        data={
            "columns": columns,
            "numeric": [name in numeric for name in columns],
            "rows": rows,
            "groups": groups,
            "cells": nothing,
            "words": nothing,
            "gaps": [None] * len(rows),
            "hits": [],
            "selected": selected,
            "height": 38 + 33 * min(most, max(1, len(rows) + len(groups))),
            "caption": caption,
            "empty": empty,
            "more": "",
        },
        on_pick_change=report,
    )


def _gap(mark: Mark) -> list[int] | None:
    """Where an insertion or a deletion lies, which has no cell: reference, rows and columns."""
    if isinstance(mark, Edit) and mark.op in ("insertion", "deletion"):
        return [mark.k, mark.i_start, mark.i_end, mark.j_start, mark.j_end]
    return None
