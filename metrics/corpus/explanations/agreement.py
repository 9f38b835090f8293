"""The tables of how metrics agree with people, as text, Markdown, LaTeX and tab-separated values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...text import printable
from ...text.tabular import latex, tabular
from ..agreement import LABELS, LEVELS, AgreementCell, AgreementRow, AgreementTable, CoefficientValue, Overlap
from ..agreement.agreement_table import Level
from .tables import marked_down

#: The headings of the levels.
_LEVEL: dict[Level, str] = {"segment": "Segments", "system": "Systems"}
_GROUP = {"none": "all outputs at once", "item": "the mean over segments", "sys": "the mean over systems"}


def title(table: AgreementTable) -> str:
    """Return the title of the table."""
    return (
        f"Agreement with people on {printable(table.scale)}: {table.judged:,} judged outputs of {len(table.systems)} "
        f"systems, {table.segments:,} segments"
    )


def head(table: AgreementTable, level: Level) -> list[str]:
    """Return the column headings of a level: the metrics, the coefficients and, if they are known, the clusters."""
    clusters = ["cluster"] if level in table.standings else []
    return [_LEVEL[level], *[_label(table, name) for name in LEVELS[level]], *clusters]


def _label(table: AgreementTable, name: str) -> str:
    """Return the label of a coefficient; Kendall's names its form."""
    return f"Kendall τ-{table.tau}" if name == "kendall" else LABELS[name]


def rows(table: AgreementTable, level: Level, decimals: int, separator: str = " to ") -> list[list[str]]:
    """Return a row for each metric, in the table's order, with its coefficients, their intervals and its cluster.

    `separator` stands between the ends of an interval. An undefined value is a dash.
    """
    clusters = table.standings.get(level)
    of = dict(zip(clusters.keys, clusters.clusters, strict=True)) if clusters else None
    out = []
    for row in table.rows:
        cells = [_cell(row, level, name, decimals, separator) for name in LEVELS[level]]
        out.append([row.column.label, *cells, *([] if of is None else [str(of.get(row.column.key, "–"))])])
    return out


def _cell(row: AgreementRow, level: Level, name: str, decimals: int, separator: str) -> str:
    """Return a coefficient with its interval as text."""
    cell = row.cells_at(level).get(name)
    if cell is None or not isinstance(cell.coefficient, CoefficientValue):
        return "–"
    value = f"{cell.coefficient.value:.{decimals}f}"
    if cell.interval is None:
        return value
    return f"{value} ({cell.interval.low:.{decimals}f}{separator}{cell.interval.high:.{decimals}f})"


#: The column headings of the table on marked spans.
MARKED = ("Found wrong", "", "number", "in marked spans", "by chance", "difference")


def marked_rows(table: AgreementTable, marked: Mapping[str, Sequence[Overlap]], decimals: int) -> list[list[str]]:
    """Return a row for each metric and each kind of what it finds wrong.

    It has the number of such words or places, the fraction in spans that people marked, the fraction expected by
    chance, and the interval of the difference.
    """
    return [
        [
            table.row(key).column.label,
            each.fault,
            f"{each.number:,}",
            f"{each.share:.{decimals}f}",
            f"{each.chance:.{decimals}f}",
            f"{each.difference.low:.{decimals}f} to {each.difference.high:.{decimals}f}",
        ]
        for key, of in marked.items()
        for each in of
    ]


def remark_lines(table: AgreementTable, marked: Mapping[str, Sequence[Overlap]] = {}) -> Iterator[str]:
    """Yield sentences on the grouping of coefficients, the table's remarks, and how marked spans are compared."""
    yield f"Coefficients of segments are over {_GROUP[table.group]}; the accuracy is within segments always."
    yield from [each.text for each in table.remarks]
    if marked:
        yield (
            "By chance is which part of what a metric finds wrong would touch a marked span, were it drawn from all "
            "words of the same outputs; the difference has its 95 % interval over segments."
        )


def markdown(table: AgreementTable, marked: Mapping[str, Sequence[Overlap]], decimals: int) -> Iterator[str]:
    """Yield a Markdown table for each level, then the remarks."""
    for level in LEVELS:
        names = head(table, level)
        yield f"| {' | '.join(names)} |"
        yield "|---|" + "---:|" * (len(names) - 1)
        for label, *cells in rows(table, level, decimals):
            yield f"| {' | '.join([marked_down(label), *cells])} |"
        yield ""
    if marked:
        yield f"| {' | '.join(MARKED)} |"
        yield "|---|---|" + "---:|" * (len(MARKED) - 2)
        yield from [f"| {' | '.join(map(marked_down, cells))} |" for cells in marked_rows(table, marked, decimals)]
        yield ""
    yield f"{title(table)}."
    yield ""
    yield from [f"- {marked_down(each)}" for each in remark_lines(table, marked)]


def latex_tables(table: AgreementTable, marked: Mapping[str, Sequence[Overlap]], decimals: int) -> Iterator[str]:
    """Yield a tabular for each level that needs no package; the remarks are comments above them."""
    yield from [f"% {printable(each)}" for each in (title(table), *remark_lines(table, marked))]
    for level in LEVELS:
        names = [latex(name).replace("τ", r"$\tau$") for name in head(table, level)]
        body = [
            [latex(label), *[cell.replace("-", "$-$").replace("–", "--") for cell in cells]]
            for label, *cells in rows(table, level, decimals)
        ]
        yield from tabular("l" + "r" * (len(names) - 1), [names, *body])
    if marked:
        body = [
            [latex(label), fault, *[cell.replace("-", "$-$") for cell in cells]]
            for label, fault, *cells in marked_rows(table, marked, decimals)
        ]
        yield from tabular("ll" + "r" * (len(MARKED) - 2), [MARKED, *body])


def flat(table: AgreementTable) -> Iterator[list[str | float]]:
    """Yield a header and a row for each level, metric and coefficient, with exact numbers.

    Undefined values are empty.
    """
    yield ["level", "metric", "coefficient", "value", "low", "high", "epsilon"]
    for level in LEVELS:
        for row in table.rows:
            for name, cell in row.cells_at(level).items():
                yield [level, row.column.key, name, *_exact(cell)]


def _exact(cell: AgreementCell) -> list[str | float]:
    """Return the cells of a coefficient: its value, the ends of its interval, and the epsilon of its ties."""
    if not isinstance(cell.coefficient, CoefficientValue):
        return ["", "", "", ""]
    low, high = cell.interval or ("", "")
    return [cell.coefficient.value, low, high, "" if cell.coefficient.epsilon is None else cell.coefficient.epsilon]
