"""Read tables with a header, separated by tabs, commas or semicolons."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from ...formula import count_with_noun
from .. import printable
from ..files import BadData, file_label
from .roles import role_of_column_name
from .sheets import MOST_COLUMNS, File, FileSheet, SheetColumn, check_sheet_size

_NAMES = {"\t": "tabs", ",": "commas", ";": "semicolons"}
#: The first line with which a spreadsheet program states the separator.
_SAYS_SEPARATOR = re.compile(r"sep=([\t,;])\r?(?:\n|$)", re.I)
#: By separator, the pattern of a quoted cell: between two quotation marks, with inner marks doubled.
_QUOTED = {sign: re.compile(rf'(?:^|(?<=[{sign}\r\n]))"(?:[^"]|"")*+"(?=[{sign}\r\n]|\Z)') for sign in _NAMES}


def text_table_sheet(file: File, text: str) -> FileSheet:
    """Return the columns of a table in text form whose first line is the header.

    Raises BadData, with the line, for rows of unequal length."""
    skipped = 0
    if separator_match := _SAYS_SEPARATOR.match(text):
        text, skipped = text[separator_match.end() :], 1
    first = text.partition("\n")[0]
    tabs = file.ending in ("tsv", "tab", "txt") or "\t" in first
    likely = "\t" if tabs else max(",;", key=lambda sign: (_count_known_names(first, sign), first.count(sign)))
    separator = separator_match.group(1) if separator_match else header_separator(text) or likely
    check_sheet_size(file, 0, text.count(separator) + text.count("\n"))
    rows, lines = _parse_rows(file, text, separator)
    if not rows:
        raise BadData(f"{file_label(file.name)} is empty; it must have a header and rows")
    return sheet_with_header(
        file, f"a table separated by {_NAMES[separator]}", rows, [line + skipped for line in lines]
    )


def sheet_with_header(
    file: File, what: str, rows: Sequence[Sequence[str]], lines: Sequence[int], unit: str = "line"
) -> FileSheet:
    """Return the columns of a table, given its rows, of which the first is the header. Raises BadData.

    `what` is the name of the format in words, and `lines` has the position of each row in the file, counted in
    `unit`."""
    header = [name.strip() for name in rows[0]]
    check_sheet_size(file, len(header), len(header) * len(rows))
    for row, line in zip(rows, lines, strict=True):
        if len(row) != len(header):
            raise BadData(
                f"{file_label(file.name)}, {unit} {line} has {count_with_noun(len(row), 'column')}, but the header has "
                f"{len(header)}"
            )
    twice = next((name for name in header if name and header.count(name) > 1), None)
    if twice is not None:
        raise BadData(
            f"{file_label(file.name)}, {unit} {lines[0]}: the column {printable(twice)} occurs twice in the header"
        )
    if len(rows) < 2:
        raise BadData(f"{file_label(file.name)} has a header and nothing below it")
    cells = zip(*rows[1:], strict=True)
    columns = [SheetColumn(name, column) for name, column in zip(header, cells, strict=True)]
    return FileSheet(file, f"{what}, with a header", columns, lines[1:], unit)


def header_separator(text: str) -> str | None:
    """Return the character that separates the cells of the first line, None if that line is not a header.

    With tabs, one known column name makes the line a header. With commas or semicolons, which also occur in sentences,
    all names must be known.

    >>> header_separator("id\\thypothesis\\n"), header_separator("hypothesis,reference\\n")
    ('\\t', ',')
    >>> header_separator("Yes, sir\\n")
    """
    first = text.partition("\n")[0]
    if "\t" in first:
        return "\t" if _count_known_names(first, "\t") else None
    return next(
        (sign for sign in ",;" if sign in first and _count_known_names(first, sign) == _count_names(first, sign)), None
    )


def is_even_table(text: str) -> bool:
    """Return whether all rows of a text have as many cells as its first line, and there are at least two rows.

    >>> is_even_table("id\\thypothesis\\n1\\tone\\n"), is_even_table("an id\\tstands here\\nonce\\n")
    (True, False)
    """
    rows, _ = _unquoted_rows(text, separator := header_separator(text) or "\t")
    quotes = separator != "\t" and '"' in text  # quoted cells may contain separators and line feeds
    return len(rows) > 1 and (quotes or all(len(row) == len(rows[0]) for row in rows))


def _count_known_names(line: str, separator: str) -> int:
    """Return how many of the column names in a header line are known, such as "source".

    Only the first MOST_COLUMNS + 1 names are looked at, because a table with more columns is not read."""
    names = line[:100_000].split(separator, MOST_COLUMNS + 1)[: MOST_COLUMNS + 1]
    return sum(role_of_column_name(name.strip().strip('"')) is not None for name in names)


def _count_names(line: str, separator: str) -> int:
    """Return how many column names a header line has, at most MOST_COLUMNS + 1."""
    return min(line.count(separator), MOST_COLUMNS) + 1


_Rows = tuple[Sequence[Sequence[str]], Sequence[int]]


def _parse_rows(file: File, text: str, separator: str) -> _Rows:
    """Return the rows of a table and the line on which each begins, without empty rows at the end.

    Nothing in a file says whether a quotation mark quotes a cell or is a plain character. It quotes if that reading
    gives rows of equal length, accounts for every quotation mark, and the unquoted reading does not give rows of equal
    length. If both readings do, a quoted line feed would swallow rows, so quotes then count only without one; between
    tabs also only if a mark is doubled or the header has one."""
    raw = _unquoted_rows(text, separator)
    if '"' not in text:
        return raw
    quoted = _quoted_rows(file, text, separator)
    if quoted is None or not _is_rectangular(quoted):
        return raw if quoted is None or _is_rectangular(raw) or separator == "\t" else quoted
    folded = [cell for row in quoted[0] for cell in row if "\n" in cell or "\r" in cell]
    if _is_rectangular(raw):
        sure = (
            separator != "\t" or any('""' in cell[1:-1] for row in raw[0] for cell in row) or '"' in "".join(raw[0][0])
        )
        return quoted if sure and not folded else raw
    return raw if separator == "\t" and any("\t" in cell for cell in folded) else quoted


def _is_rectangular(rows: _Rows) -> bool:
    """Return whether all rows have as many cells as the first."""
    return all(len(row) == len(rows[0][0]) for row in rows[0])


def _unquoted_rows(text: str, separator: str) -> _Rows:
    """Return the rows of a table in which quotation marks are plain characters and every line feed ends a row."""
    end = "\n" if "\n" in text else "\r"
    rows = [line.removesuffix("\r").split(separator) for line in text.split(end)]
    return _without_empty_end(rows, range(1, len(rows) + 1))


def _quoted_rows(file: File, text: str, separator: str) -> _Rows | None:
    """Return the rows of a table whose cells may be quoted. Raises BadData if a cell is too long.

    None means that a quotation mark is not at the edge of a cell, so that marks cannot be quotes."""
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
    except csv.Error as error:  # a cell that is longer than the csv module accepts
        raise BadData(f"{file_label(file.name)}, line {start}: {printable(str(error))}") from None
    return _without_empty_end(rows, lines)


def _without_empty_end(rows: Sequence[Sequence[str]], lines: Sequence[int]) -> _Rows:
    """Return the rows and their lines, without the empty rows at the end."""
    size = len(rows)
    while size and not any(cell.strip() for cell in rows[size - 1]):
        size -= 1
    return rows[:size], lines[:size]
