"""Draw the table of terms next to a result's formula, in which each row is a mark with its credit."""

from __future__ import annotations

import math
import re
from html import escape
from itertools import groupby

from metrics import formula
from metrics.types import Layer

from ..pen.marks import costly_layers, count_terms, touched_words
from ..pen.numbers import count_text
from ..pen.text import bdi_word, safe
from . import ledger
from .arcs import picture_kind
from .drawn_result import DrawnResult
from .ledger import TermRow

ROWS_MOST = 500  # how many terms the table has; the CSV file has all
ORDER_MOST = 5_000  # the same limit for pairs in reversed order, which explain the score: only long texts exceed it


def _breakable_positions(words: str) -> str:
    """Return the positions of a term as HTML that breaks lines only after a sign, never in a range.

    >>> _breakable_positions("2–3 × 4–5, R1")
    '<span>2–3 ×</span> <span>4–5,</span> R1'
    """
    return re.sub("(?<![^ ])[^ ]+–[^ ]+(?: [×→])?", r"<span>\g<0></span>", escape(words))


#: The headings of the columns, by the CSS classes of their cells, by which style sheets and scripts find them.
COLUMNS = {"what": "Words", "where": "Places", "credit": "Credit", "num value": "Value"}
_HEAD = "".join([f'<th scope="col" class="{look}">{heading}</th>' for look, heading in COLUMNS.items()])


def html(drawn: DrawnResult) -> str:
    """Return the table as HTML, with a row for each term: its words, positions, credit and value.

    Where there are several layers, their names are above their rows. Where the terms have no picture of their own, at
    most ROWS_MOST rows are shown."""
    result, rounds = drawn.result, drawn.rounds
    texts = drawn.texts
    breaks = sum([len(layer.marks) for _, layer in costly_layers(result, "order")])
    # Terms that are drawn in a picture can be selected there, so all of them need a row.
    most = None if picture_kind(result) else max(ROWS_MOST, min(breaks, ORDER_MOST))
    rows = ledger.term_rows(texts.candidate_words, texts.reference_words, result, rounds, most, drawn.formula)
    if not rows:
        return f'<p class="note">No match is used, so the score is {formula.format_number(result.score)}.</p>'
    titles = result.layer_titles()
    body = []
    for layer, members in groupby(rows, key=lambda row: row.of.layer):
        if len(result.layers) > 1:
            body.append(_layer_row_html(titles[layer], result.layers[layer]))
        body += map(_term_row_html, members)
    more = count_terms(result, rounds) - len(rows)
    note = f'<p class="more">and {count_text(more, "more term")}, all of them in the CSV</p>' if more > 0 else ""
    return (
        '<div class="terms"><table role="grid"><caption class="sr">Terms of the score; choose one to light its cells '
        f"and words</caption><thead><tr>{_HEAD}</tr></thead><tbody>{''.join(body)}</tbody></table></div>{note}"
    )


def _layer_row_html(title: str, layer: Layer) -> str:
    """Return the row above a layer's terms: its title, its weight and the sum of its credits."""
    weight = f", weight {layer.weight:.4g}" if layer.weight != 1 else ""
    return (
        f'<tr class="title"><th colspan="{len(COLUMNS) - 1}" scope="rowgroup">{escape(title)}{weight}</th>'
        f'<td class="num">{formula.format_number(math.fsum(layer.credits))}</td></tr>'
    )


def _term_row_html(row: TermRow) -> str:
    layer, t, mark = row.of
    cells = " ".join(f"{c.i},{c.k},{c.j}" for c in mark.cells())
    names = " ".join(touched_words(mark).names())
    note = f"<small> ({safe(row.note, 300)})</small>" if row.note else ""
    return (
        f'<tr class="term" data-term="{layer}:{t}" data-cells="{cells}" data-words="{names}" tabindex="-1" '
        f'aria-selected="false"><td class="what" title="{safe(row.term, 2_000)}">{bdi_word(row.term, 2_000)}{note}</td>'
        f'<td class="where"><bdi>{_breakable_positions(row.words)}</bdi></td><td class="credit">{escape(row.credit)}'
        f'</td><td class="num value">{formula.format_number(row.value)}</td></tr>'
    )
