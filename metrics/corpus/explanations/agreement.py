"""The tables that show how well metrics agree with people, as text, Markdown, LaTeX and tab-separated values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...text import printable
from ...text.tabular import escape_latex, latex_table_lines, markdown_table_lines
from ..agreement import COEFFICIENTS, LEVELS, AgreementCell, AgreementRow, AgreementTable, CoefficientValue, Overlap
from ..agreement.coefficients import Level
from .tables import escape_markdown

#: The headings of the levels.
_LEVEL: dict[Level, str] = {"segment": "Segments", "system": "Systems"}
_GROUP = {"none": "all outputs at once", "item": "the mean over segments", "sys": "the mean over systems"}


def table_title(table: AgreementTable) -> str:
    """Return the title of the table of agreement."""
    return (
        f"Agreement with people on {printable(table.scale)}: {table.judged:,} judged outputs of {len(table.systems)} "
        f"systems, {table.segments:,} segments"
    )


def column_headings(table: AgreementTable, level: Level) -> list[str]:
    """Return the column headings of the table for a level, such as segments or systems.

    They are the metric, the coefficients and, if known, the cluster of metrics that do not differ by more than chance.
    """
    clusters = ["cluster"] if level in table.standings else []
    return [_LEVEL[level], *[_coefficient_label(table, name) for name in LEVELS[level]], *clusters]


def _coefficient_label(table: AgreementTable, name: str) -> str:
    """Return the label of a coefficient; that of Kendall's τ says which form of it the table has."""
    coefficient = COEFFICIENTS[name]
    return coefficient.head.format(tau=table.tau) if "{tau}" in coefficient.head else coefficient.label


def table_rows(table: AgreementTable, level: Level, decimals: int, separator: str = " to ") -> list[list[str]]:
    """Return a table row for each metric, with its coefficients, their intervals and its cluster at a level.

    `separator` is the text between the two ends of an interval. An undefined value is a dash.
    """
    clusters = table.standings.get(level)
    of = dict(zip(clusters.keys, clusters.clusters, strict=True)) if clusters else None
    out = []
    for row in table.rows:
        cells = [_coefficient_text(row, level, name, decimals, separator) for name in LEVELS[level]]
        out.append([row.column.label, *cells, *([] if of is None else [str(of.get(row.column.key, "–"))])])
    return out


def _coefficient_text(row: AgreementRow, level: Level, name: str, decimals: int, separator: str) -> str:
    """Return a metric's coefficient, with its interval if it has one, as text; a dash if it is undefined."""
    cell = row.cells_at(level).get(name)
    if cell is None or not isinstance(cell.coefficient, CoefficientValue):
        return "–"
    value = f"{cell.coefficient.value:.{decimals}f}"
    if cell.interval is None:
        return value
    return f"{value} ({cell.interval.low:.{decimals}f}{separator}{cell.interval.high:.{decimals}f})"


#: The column headings of the table on marked spans.
MARKED = ("Found wrong", "", "number", "in marked spans", "by chance", "difference")


def marked_span_rows(table: AgreementTable, marked: Mapping[str, Sequence[Overlap]], decimals: int) -> list[list[str]]:
    """Return a table row for each metric and each kind of error that it finds.

    A row has the number of words or places that the metric finds wrong, the fraction of them in spans that people
    marked, the fraction expected by chance, and the interval of the difference. `marked` has these by the metric's key.
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
    """Yield the sentences below the table: how coefficients are grouped, remarks, and how marked spans are compared."""
    yield f"Coefficients of segments: {_GROUP[table.group]}; the accuracy: always within segments."
    yield from [each.text for each in table.remarks]
    if marked:
        yield (
            "“By chance” is the part that would touch a marked span if what a metric finds wrong were drawn from all "
            "words of the same outputs; the difference is given by its 95 % interval over segments."
        )


def markdown_tables(table: AgreementTable, marked: Mapping[str, Sequence[Overlap]], decimals: int) -> Iterator[str]:
    """Yield the lines of a Markdown table for each level, then the remarks.

    `marked` has, by metric, the overlaps of what it finds wrong with the spans that people marked.
    """
    for level in LEVELS:
        rows = [[escape_markdown(label), *cells] for label, *cells in table_rows(table, level, decimals)]
        yield from markdown_table_lines([column_headings(table, level), *rows])
        yield ""
    if marked:
        rows = [[*map(escape_markdown, cells)] for cells in marked_span_rows(table, marked, decimals)]
        yield from markdown_table_lines([MARKED, *rows], 2)
        yield ""
    yield f"{table_title(table)}."
    yield ""
    yield from [f"- {escape_markdown(each)}" for each in remark_lines(table, marked)]


def latex_tables(table: AgreementTable, marked: Mapping[str, Sequence[Overlap]], decimals: int) -> Iterator[str]:
    """Yield the lines of a LaTeX tabular for each level, which needs no package; remarks are comments above them."""
    yield from [f"% {printable(each)}" for each in (table_title(table), *remark_lines(table, marked))]
    for level in LEVELS:
        names = [escape_latex(name).replace("τ", r"$\tau$") for name in column_headings(table, level)]
        body = [
            [escape_latex(label), *[cell.replace("-", "$-$").replace("–", "--") for cell in cells]]
            for label, *cells in table_rows(table, level, decimals)
        ]
        yield from latex_table_lines("l" + "r" * (len(names) - 1), [names, *body])
    if marked:
        body = [
            [escape_latex(label), fault, *[cell.replace("-", "$-$") for cell in cells]]
            for label, fault, *cells in marked_span_rows(table, marked, decimals)
        ]
        yield from latex_table_lines("ll" + "r" * (len(MARKED) - 2), [MARKED, *body])


def long_table_rows(table: AgreementTable) -> Iterator[list[str | float]]:
    """Yield one long table: a header, and a row for each level, metric and coefficient, with exact numbers.

    Undefined values are empty.
    """
    yield ["level", "metric", "coefficient", "value", "low", "high", "epsilon"]
    for level in LEVELS:
        for row in table.rows:
            for name, cell in row.cells_at(level).items():
                yield [level, row.column.key, name, *_exact_cells(cell)]


def _exact_cells(cell: AgreementCell) -> list[str | float]:
    """Return a coefficient as table cells: its value, the ends of its interval, and its tie threshold epsilon."""
    if not isinstance(cell.coefficient, CoefficientValue):
        return ["", "", "", ""]
    low, high = cell.interval or ("", "")
    return [cell.coefficient.value, low, high, "" if cell.coefficient.epsilon is None else cell.coefficient.epsilon]
