"""Write lines of tables: with tabs between cells, and in LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from .processing import printable


def row(cells: Sequence[str | float]) -> str:
    """Return a line with tabs between its cells.

    >>> row(["a", 0.5, 'b"\\n'])
    'a\\t0.5\\t"b""\\\\n"'
    """
    out = io.StringIO()
    texts = [printable(cell) if isinstance(cell, str) else cell for cell in cells]
    csv.writer(out, delimiter="\t", lineterminator="").writerow(texts)
    return out.getvalue()


def tabular(columns: str, table: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a LaTeX table that needs no package.

    The first row is the header, and cells are LaTeX already. `columns` has the alignment of each column."""
    head, *body = [" & ".join(cells) + r" \\" for cells in table]
    yield rf"\begin{{tabular}}{{{columns}}}"
    yield from (r"\hline", head, r"\hline", *body, r"\hline", r"\end{tabular}")


_ESCAPES = {**{c: f"\\{c}" for c in "&%$#_{}"}, "~": r"\~{}", "^": r"\^{}", "\\": r"\textbackslash{}"}


def latex(text: str) -> str:
    """Return plain text escaped for LaTeX.

    >>> print(latex("50 % of a_b"))
    50 \\% of a\\_b
    """
    return "".join([_ESCAPES.get(c, c) for c in printable(text)])
