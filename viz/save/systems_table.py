"""Write the scores of several systems by all metrics as CSV, and as a table of a web page."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from html import escape

from metrics.text import csv_cell
from metrics.text.tabular import rows_as_csv

from ..draw.compare.scores import BEST, ScoreRow, better_direction, number_duplicates
from ..draw.pen.numbers import score_text
from ..draw.pen.text import safe, visible
from ..state.texts.inputs import NAME_MOST


def scores_csv(rows: Sequence[ScoreRow], names: Sequence[str], signatures: Mapping[str, str]) -> str:
    """Return CSV with a line for each metric and a column for each system.

    A line has whether higher or lower scores are better, the score of every system with all digits, and the
    signature. A missing score is empty, and the last cell says why. A name that a spreadsheet would take for a
    formula gets an apostrophe in front."""
    heads = [csv_cell(visible(name, NAME_MOST + 3)) for name in number_duplicates(names)]
    lines = [["metric", "better", *heads, "signature", "problem"]]
    for row in rows:
        better = "higher" if row.higher_is_better else "lower"
        scores = ["" if value is None else repr(value) for value in row.values]
        repeat = signatures[row.key]
        lines.append([row.label, better, *scores, visible(repeat, len(repeat)), row.problem])
    return rows_as_csv(lines)


def scores_html(rows: Sequence[ScoreRow], names: Sequence[str], chosen: Container[str], decimals: int) -> str:
    """Return an HTML table with a row for each metric and a column for each system, the best score of a row marked.

    The rows of the metrics in `chosen` are tinted."""
    heads = "".join([f'<th class="num">{heading(name)}</th>' for name in number_duplicates(names)])
    body = []
    for row in rows:
        sign, says = better_direction(row.higher_is_better)
        tint = ' class="sel"' if row.key in chosen else ""
        cells = "".join([_score_cell(row, system, decimals) for system in range(len(row.values))])
        name = f'{escape(row.label)} <span title="{says}">{sign}</span>'
        body.append(f"<tr{tint}><td>{name}</td>{cells}</tr>\n")
    return (
        f'<div class="scroll all"><table><thead><tr><th>Metric</th>{heads}</tr></thead><tbody>\n{"".join(body)}'
        f'</tbody></table></div>\n<p class="note">↑ higher is better, ↓ lower is better, {BEST} best of the row</p>'
    )


UNBROKEN_MOST = 13  # up to this number of letters, a word of a name is never broken, not even at a hyphen


def heading(name: str) -> str:
    """Return the name of a system as HTML that breaks between its words, but not within short words."""
    words = visible(name, 2 * NAME_MOST + 5).split(" ")
    parts = [
        f'<span class="whole">{safe(word, UNBROKEN_MOST)}</span>' if 0 < len(word) <= UNBROKEN_MOST else safe(word, 200)
        for word in words
    ]
    return f"<bdi>{' '.join(parts)}</bdi>"


def _score_cell(row: ScoreRow, system: int, decimals: int) -> str:
    """Return the HTML table cell of the system with the index `system`, marked if its score is the best of the row."""
    value = row.values[system]
    if value is None:
        return f'<td class="num" title="{safe(row.problem, 400)}">–</td>'
    best = system in row.best
    look, mark = ("num better", f"{BEST} ") if best else ("num", "")
    return f'<td class="{look}" title="{value!r}">{mark}{score_text(value, decimals)}</td>'
