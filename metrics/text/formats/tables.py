"""Tables with a header: separated by tabs, commas or semicolons."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from ...formula import counted
from .. import printable
from ..files import BadData, named
from .roles import role_of
from .sheets import Column, File, Sheet, bounded

_NAMES = {"\t": "tabs", ",": "commas", ";": "semicolons"}
_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def table(file: File, text: str) -> Sheet:
    """A table whose first line is its header. Raises BadData, with the line, where rows differ in length."""
    first = text.partition("\n")[0]
    tabs = file.ending in ("tsv", "tab", "txt") or "\t" in first
    separator = "\t" if tabs else max(",;", key=lambda sign: (_known(first, sign), first.count(sign)))
    bounded(file, 0, text.count(separator) + text.count("\n"))
    rows, lines = (_raw(text) if tabs else None) or _quoted(file, text, separator)
    return sheet(file, f"a table separated by {_NAMES[separator]}", rows, lines)


def sheet(file: File, what: str, rows: Sequence[Sequence[str]], lines: Sequence[int], unit: str = "line") -> Sheet:
    """What a table holds whose first row is its header. Raises BadData."""
    header = [name.strip() for name in rows[0]]
    bounded(file, len(header), len(header) * len(rows))
    for row, line in zip(rows, lines, strict=True):
        if len(row) != len(header):
            raise BadData(
                f"{named(file.name)}, {unit} {line} has {counted(len(row), 'column')}, but the header has {len(header)}"
            )
    twice = next((name for name in header if name and header.count(name) > 1), None)
    if twice is not None:
        raise BadData(
            f"{named(file.name)}, {unit} {lines[0]}: the column {printable(twice)} stands twice in the header"
        )
    if len(rows) < 2:
        raise BadData(f"{named(file.name)} has a header and nothing below it")
    cells = zip(*rows[1:], strict=True)
    columns = [Column(name, column) for name, column in zip(header, cells, strict=True)]
    return Sheet(file, f"{what}, with a header", columns, lines[1:], unit)


def is_header(text: str) -> bool:
    """Whether the first line of a text names at least two columns, one of them in a usual spelling."""
    first = text.partition("\n")[0]
    return "\t" in first and _known(first, "\t") > 0


def _known(line: str, separator: str) -> int:
    return sum(role_of(name.strip().strip('"')) is not None for name in line[:100_000].split(separator))


def _raw(text: str) -> tuple[list[list[str]], Sequence[int]] | None:
    """The rows of a table in which a quotation mark is one, and a line feed ends a row; None where cells are quoted.

    They are where all that have a quotation mark begin and end with one and double those between, and one is doubled or
    stands in the header; and where lines differ in length.
    """
    end = "\n" if "\n" in text else "\r"
    lines = [line.removesuffix("\r") for line in text.removesuffix(end).split(end)]
    rows = [line.split("\t") for line in lines]
    if any('"' in line for line in lines):
        cells = [cell for row in rows for cell in row if '"' in cell]
        sure = any('""' in cell[1:-1] for cell in cells) or '"' in lines[0]
        if sure and all(_QUOTED.fullmatch(cell) for cell in cells):
            return None
        if any(len(row) != len(rows[0]) for row in rows) and any(cell.startswith('"') for cell in cells):
            return None
    return rows, range(1, len(rows) + 1)


def _quoted(file: File, text: str, separator: str) -> tuple[list[list[str]], list[int]]:
    """The rows of a table whose cells may be quoted, and the lines in which they begin. Empty lines are none."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    start = 1
    try:
        for row in reader:
            if row:
                rows.append(row)
                lines.append(start)
            start = reader.line_num + 1
    except csv.Error as error:
        raise BadData(f"{named(file.name)}, line {start}: {printable(str(error))}") from None
    if not rows:
        raise BadData(f"{named(file.name)} is empty; it must have a header and rows")
    return rows, lines
