"""Workbooks (XLSX), read row by row with openpyxl, after every part was held to a bound.

python-calamine is ten times as fast, but gives a sheet as a full rectangle: two cells in opposite corners end the
process for want of memory.
"""

from __future__ import annotations

import datetime
import io
import zipfile
import zlib
from collections.abc import Iterator

from ...types.extras import extra_named
from .. import printable
from ..files import BadData, named
from .roles import role_of
from .sheets import File, Sheet, bounded, listed
from .tables import sheet

#: The bytes that all parts of a workbook may unpack to; markup takes most of them.
MOST_UNPACKED = 100_000_000
#: The bytes that its styles may have, which take longest to read.
MOST_STYLES = 2_000_000
#: Parts that a workbook may have, and rows in a sheet, empty ones between too.
MOST_PARTS = 2_000
MOST_ROWS = 1_048_576
#: Sheets that are looked at.
MOST_SHEETS = 20


def workbook(file: File, data: bytes) -> Sheet:
    """The first sheet whose first row names columns in a usual spelling, else the first with cells. Raises BadData."""
    _checked(file, data)
    with extra_named():
        import openpyxl

    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        names = [each.title for each in book.worksheets]
        found = None
        for each in book.worksheets[:MOST_SHEETS]:
            each.reset_dimensions()  # what the file says of its size may be untrue
            first = next((row for _, row in _rows(file, each, 1)), None)
            if first and (found is None or any(role_of(cell) for cell in first)):
                found = each
                if any(role_of(cell) for cell in first):
                    break
        if found is None:
            raise BadData(f"{named(file.name)} has no cells")
        numbered = [*_rows(file, found, MOST_ROWS)]
        book.close()
    except BadData:
        raise
    except Exception as error:  # whatever openpyxl makes of a broken file
        what = printable(str(error).partition("\n")[0][:200])
        raise BadData(f"{named(file.name)} cannot be read as a workbook: {what or type(error).__name__}") from None
    width = max(len(row) for _, row in numbered)
    rows = [[*row, *[""] * (width - len(row))] for _, row in numbered]
    others = f", of {len(names)} sheets the sheet {printable(found.title)}" if len(names) > 1 else ""
    return sheet(file, f"a workbook{others}", rows, [number for number, _ in numbered], "row")


def _rows(file: File, found: object, most: int) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, with their numbers, without empty cells at the end; at most so many."""
    count = cells = 0
    # Without a last column an empty row is no cells, and what lies between two rows far apart costs nothing.
    rows = found.iter_rows(values_only=True)  # type: ignore[attr-defined]
    for number, values in enumerate(rows, 1):
        if number > MOST_ROWS:
            raise BadData(f"{named(file.name)} has a row beyond {MOST_ROWS:,}, the last that a sheet can have")
        cells += len(values)
        bounded(file, 0, cells)
        row = [_cell(value) for value in values]
        while row and not row[-1]:
            row.pop()
        if row:
            bounded(file, len(row), cells)
            yield number, row
            count += 1
        if count == most:
            return


def _cell(value: object) -> str:
    """What a cell shows: a whole number without decimals, a date as ISO 8601 has it, nothing as an empty text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)


def _checked(file: File, data: bytes) -> None:
    """BadData where the parts unpack to more than they may, or declare entities; nothing is ever unpacked whole."""
    name = named(file.name)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            infos = parts.infolist()
            if not any(info.filename.lower().startswith("xl/") for info in infos):
                inside = listed([info.filename for info in infos], 3)
                raise BadData(
                    f"{name} is a zip archive and no workbook: give the file in it ({inside or 'it is empty'})"
                )
            if len(infos) > MOST_PARTS:
                raise BadData(f"{name} has more than {MOST_PARTS:,} parts, which no workbook has")
            left = MOST_UNPACKED
            for info in infos:
                own = MOST_STYLES if info.filename.endswith("styles.xml") else left
                size, tail = 0, b""
                with parts.open(info) as part:
                    while block := part.read(1 << 16):
                        size += len(block)
                        if size > min(own, left):
                            most = f"{(own if own < left else MOST_UNPACKED) // 1_000_000} MB"
                            what = f"{most} of styles" if own < left else most
                            raise BadData(f"{name} unpacks to more than {what}, which is the most that is read")
                        if b"<!DOCTYPE" in tail + block or b"<!ENTITY" in tail + block:
                            raise BadData(f"{name} declares entities, which are not read")
                        tail = block[-10:]
                left -= size
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError) as error:
        raise BadData(f"{name} is no whole workbook: {printable(str(error)[:200])}") from None
