"""Tables with a header: separated by tabs, commas or semicolons."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from ...formula import counted
from .. import printable
from ..files import BadData, file_label
from .roles import role_of
from .sheets import MOST_COLUMNS, File, FileSheet, SheetColumn, bounded

_NAMES = {"\t": "tabs", ",": "commas", ";": "semicolons"}
#: The first line by which a spreadsheet says what separates the cells.
_SAYS_SEPARATOR = re.compile(r"sep=([\t,;])\r?(?:\n|$)", re.I)
#: By separators, cells that are quoted: from one quotation mark to another, those between doubled.
_QUOTED = {sign: re.compile(rf'(?:^|(?<=[{sign}\r\n]))"(?:[^"]|"")*+"(?=[{sign}\r\n]|\Z)') for sign in _NAMES}


def table(file: File, text: str) -> FileSheet:
    """A table whose first line is its header. Raises BadData, with the line, where rows differ in length."""
    skipped = 0
    if separator_match := _SAYS_SEPARATOR.match(text):
        text, skipped = text[separator_match.end() :], 1
    first = text.partition("\n")[0]
    tabs = file.ending in ("tsv", "tab", "txt") or "\t" in first
    likely = "\t" if tabs else max(",;", key=lambda sign: (_count_usual_names(first, sign), first.count(sign)))
    separator = separator_match.group(1) if separator_match else header_separator(text) or likely
    bounded(file, 0, text.count(separator) + text.count("\n"))
    rows, lines = _rows(file, text, separator)
    if not rows:
        raise BadData(f"{file_label(file.name)} is empty; it must have a header and rows")
    return sheet(file, f"a table separated by {_NAMES[separator]}", rows, [line + skipped for line in lines])


def sheet(file: File, what: str, rows: Sequence[Sequence[str]], lines: Sequence[int], unit: str = "line") -> FileSheet:
    """What a table holds whose first row is its header. Raises BadData."""
    header = [name.strip() for name in rows[0]]
    bounded(file, len(header), len(header) * len(rows))
    for row, line in zip(rows, lines, strict=True):
        if len(row) != len(header):
            raise BadData(
                f"{file_label(file.name)}, {unit} {line} has {counted(len(row), 'column')}, but the header has "
                f"{len(header)}"
            )
    twice = next((name for name in header if name and header.count(name) > 1), None)
    if twice is not None:
        raise BadData(
            f"{file_label(file.name)}, {unit} {lines[0]}: the column {printable(twice)} stands twice in the header"
        )
    if len(rows) < 2:
        raise BadData(f"{file_label(file.name)} has a header and nothing below it")
    cells = zip(*rows[1:], strict=True)
    columns = [SheetColumn(name, column) for name, column in zip(header, cells, strict=True)]
    return FileSheet(file, f"{what}, with a header", columns, lines[1:], unit)


def header_separator(text: str) -> str | None:
    """What separates the names of columns in the first line of a text, None where that is no header: tabs, where one of
    the names is usual, or commas or semicolons, where all are.

    >>> header_separator("id\\thypothesis\\n"), header_separator("hypothesis,reference\\n")
    ('\\t', ',')
    >>> header_separator("Yes, sir\\n")
    """
    first = text.partition("\n")[0]
    if "\t" in first:
        return "\t" if _count_usual_names(first, "\t") else None
    return next(
        (sign for sign in ",;" if sign in first and _count_usual_names(first, sign) == _count_names(first, sign)), None
    )


def is_even(text: str) -> bool:
    """Whether the rows of a text have as many cells as its header, and there are two at least.

    >>> is_even("id\\thypothesis\\n1\\tone\\n"), is_even("an id\\tstands here\\nonce\\n")
    (True, False)
    """
    rows, _ = _raw(text, separator := header_separator(text) or "\t")
    quotes = separator != "\t" and '"' in text  # which may hold separators and line feeds
    return len(rows) > 1 and (quotes or all(len(row) == len(rows[0]) for row in rows))


def _count_usual_names(line: str, separator: str) -> int:
    """How many names of columns are usual, of the first ones: a table of more is not read."""
    names = line[:100_000].split(separator, MOST_COLUMNS + 1)[: MOST_COLUMNS + 1]
    return sum(role_of(name.strip().strip('"')) is not None for name in names)


def _count_names(line: str, separator: str) -> int:
    return min(line.count(separator), MOST_COLUMNS) + 1


_Rows = tuple[Sequence[Sequence[str]], Sequence[int]]


def _rows(file: File, text: str, separator: str) -> _Rows:
    """The rows of a table, and the lines in which they begin; those at the end that hold nothing are none.

    Whether a quotation mark is one or quotes a cell is nowhere said. It quotes where that makes rows of one length of
    the whole file and fits every quotation mark in it, and the lines as they stand do not have one length; where they
    have, too, a quoted line feed would swallow rows, and between tabs only doubled marks or a quoted header are sure.
    """
    raw = _raw(text, separator)
    if '"' not in text:
        return raw
    quoted = _quoted(file, text, separator)
    if quoted is None or not _even(quoted):
        return raw if quoted is None or _even(raw) or separator == "\t" else quoted
    folded = [cell for row in quoted[0] for cell in row if "\n" in cell or "\r" in cell]
    if _even(raw):
        sure = (
            separator != "\t" or any('""' in cell[1:-1] for row in raw[0] for cell in row) or '"' in "".join(raw[0][0])
        )
        return quoted if sure and not folded else raw
    return raw if separator == "\t" and any("\t" in cell for cell in folded) else quoted


def _even(rows: _Rows) -> bool:
    """Whether all rows have as many cells as the first."""
    return all(len(row) == len(rows[0][0]) for row in rows[0])


def _raw(text: str, separator: str) -> _Rows:
    """The rows of a table in which a quotation mark is one, and a line feed ends a row."""
    end = "\n" if "\n" in text else "\r"
    rows = [line.removesuffix("\r").split(separator) for line in text.split(end)]
    return _without_end(rows, range(1, len(rows) + 1))


def _quoted(file: File, text: str, separator: str) -> _Rows | None:
    """The rows of a table whose cells may be quoted, None where a quotation mark fits no cell. Raises BadData."""
    if '"' in _QUOTED[separator].sub("", text):
        return None
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    start = 1
    try:
        for row in reader:
            rows.append(row or [""])
            lines.append(start)
            start = reader.line_num + 1
    except csv.Error as error:  # a cell that is longer than the module takes
        raise BadData(f"{file_label(file.name)}, line {start}: {printable(str(error))}") from None
    return _without_end(rows, lines)


def _without_end(rows: Sequence[Sequence[str]], lines: Sequence[int]) -> _Rows:
    """Rows without those at the end that hold nothing."""
    size = len(rows)
    while size and not any(cell.strip() for cell in rows[size - 1]):
        size -= 1
    return rows[:size], lines[:size]
