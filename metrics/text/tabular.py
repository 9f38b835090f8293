"""Write the lines of tables: as CSV, with tabs between cells, in LaTeX or in Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from .processing import printable


def rows_as_csv(rows: Iterable[Iterable[str | float]]) -> str:
    """Return the rows of a table as CSV, one line each.

    >>> rows_as_csv([["a", "b"], ["c, d", 0.5]])
    'a,b\\n"c, d",0.5\\n'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def tab_separated_line(cells: Sequence[str | float]) -> str:
    """Return one line of a table, with tabs between its cells.

    >>> tab_separated_line(["a", 0.5, 'b"\\n'])
    'a\\t0.5\\t"b""\\\\n"'
    """
    out = io.StringIO()
    texts = [printable(cell) if isinstance(cell, str) else cell for cell in cells]
    csv.writer(out, delimiter="\t", lineterminator="").writerow(texts)
    return out.getvalue()


def latex_table_lines(columns: str, table: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a LaTeX table that needs no package.

    The first row of `table` is the header, and the cells are LaTeX already. `columns` has a letter for the alignment of
    each column, such as "lrr"."""
    head, *body = [" & ".join(cells) + r" \\" for cells in table]
    yield rf"\begin{{tabular}}{{{columns}}}"
    yield from (r"\hline", head, r"\hline", *body, r"\hline", r"\end{tabular}")


def markdown_table_lines(table: Sequence[Sequence[str]], labels: int = 1) -> Iterator[str]:
    """Yield the lines of a Markdown table.

    The first row of `table` is the header, and the cells are Markdown already. Only the first `labels` columns are
    aligned to the left.

    >>> print(*markdown_table_lines([["System", "BLEU"], ["A", "0.25"]]), sep="\\n")
    | System | BLEU |
    |---|---:|
    | A | 0.25 |
    """
    head, *body = [f"| {' | '.join(cells)} |" for cells in table]
    yield from (head, "|" + "---|" * labels + "---:|" * (len(table[0]) - labels), *body)


_ESCAPES = {**{c: f"\\{c}" for c in "&%$#_{}"}, "~": r"\~{}", "^": r"\^{}", "\\": r"\textbackslash{}"}


def escape_latex(text: str) -> str:
    """Return plain text escaped for LaTeX.

    >>> print(escape_latex("50 % of a_b"))
    50 \\% of a\\_b
    """
    return "".join([_ESCAPES.get(c, c) for c in printable(text)])
