"""The table of terms beside a result's formula: each row is one mark, each column one entry here."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from html import escape
from itertools import groupby
from typing import NamedTuple

from metrics import formula
from metrics.types import Layer

from ..pen import theme
from ..pen.marks import count_terms, counting, touched
from . import ledger
from .arcs import picture_kind
from .drawn_result import DrawnResult
from .ledger import TermRow

ROWS_MOST = 500  # terms of the table; the CSV holds all
ORDER_MOST = 5_000  # of them those that break the order of words, which are the reason: all but in a long text


class TermColumn(NamedTuple):
    """A column: its heading, the classes of its cells, by which style sheets and scripts know them, and what stands in
    the cell of a row, as HTML; `hint` is said of a cell that is pointed at."""

    heading: str
    look: str
    shows: Callable[[TermRow], str]
    hint: Callable[[TermRow], str] | None = None

    def cell(self, row: TermRow) -> str:
        hint = f' title="{self.hint(row)}"' if self.hint else ""
        return f'<td class="{self.look}"{hint}>{self.shows(row)}</td>'


def _term(row: TermRow) -> str:
    note = f"<small> ({theme.safe(row.note, 300)})</small>" if row.note else ""
    return f"{theme.word(row.term, 2_000)}{note}"


def _whole(row: TermRow) -> str:
    return theme.safe(row.term, 2_000)


def _breakable(words: str) -> str:
    """The places of a term's words as HTML whose lines end behind a sign, and in no range.

    >>> _breakable("2–3 × 4–5, R1")
    '<span>2–3 ×</span> <span>4–5,</span> R1'
    """
    return re.sub("(?<![^ ])[^ ]+–[^ ]+(?: [×→])?", r"<span>\g<0></span>", escape(words))


COLUMNS = (
    TermColumn("Words", "what", _term, _whole),
    TermColumn("Places", "where", lambda row: f"<bdi>{_breakable(row.words)}</bdi>"),
    TermColumn("Credit", "credit", lambda row: escape(row.credit)),
    TermColumn("Value", "num value", lambda row: formula.format_number(row.value)),
)
_HEAD = "".join([f'<th scope="col" class="{column.look}">{column.heading}</th>' for column in COLUMNS])


def html(drawn: DrawnResult) -> str:
    """A row for each term, at most ROWS_MOST where they have no picture of their own: its words, credit and share; rows
    of several layers under their names."""
    result, rounds = drawn.result, drawn.rounds
    texts = drawn.texts
    breaks = sum([len(layer.marks) for _, layer in counting(result, "order", cost=True)])
    # What is drawn as a mark of its own can be chosen.
    most = None if picture_kind(result) else max(ROWS_MOST, min(breaks, ORDER_MOST))
    rows = ledger.rows(texts.candidate_words, texts.reference_words, result, rounds, most, drawn.formula)
    if not rows:
        return f'<p class="note">No match is used, so the score is {formula.format_number(result.score)}.</p>'
    titles = result.layer_titles()
    body = []
    for layer, members in groupby(rows, key=lambda row: row.of.layer):
        if len(result.layers) > 1:
            body.append(_group(titles[layer], result.layers[layer]))
        body += map(_row, members)
    more = count_terms(result, rounds) - len(rows)
    note = f'<p class="more">and {theme.count_text(more, "more term")}, all of them in the CSV</p>' if more > 0 else ""
    return (
        '<div class="terms"><table role="grid"><caption class="sr">Terms of the score; choose one to light its cells '
        f"and words</caption><thead><tr>{_HEAD}</tr></thead><tbody>{''.join(body)}</tbody></table></div>{note}"
    )


def _group(title: str, layer: Layer) -> str:
    """The row above a layer's terms: its title, its weight and the sum of its credits."""
    weight = f", weight {layer.weight:.4g}" if layer.weight != 1 else ""
    return (
        f'<tr class="title"><th colspan="{len(COLUMNS) - 1}" scope="rowgroup">{escape(title)}{weight}</th>'
        f'<td class="num">{formula.format_number(math.fsum(layer.credits))}</td></tr>'
    )


def _row(row: TermRow) -> str:
    layer, t, mark = row.of
    cells = " ".join(f"{c.i},{c.k},{c.j}" for c in mark.cells())
    names = " ".join(touched(mark).names())
    return (
        f'<tr class="term" data-term="{layer}:{t}" data-cells="{cells}" data-words="{names}" tabindex="-1" '
        f'aria-selected="false">{"".join([column.cell(row) for column in COLUMNS])}</tr>'
    )
