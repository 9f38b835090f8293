"""Read workbooks (XLSX) row by row with openpyxl, after checking the unpacked size of every file inside.

python-calamine is ten times as fast, but it returns a sheet as a full rectangle: two cells in opposite corners exhaust
the memory. It also does not say how a number is displayed. The texts that cells share are read from the file directly,
because openpyxl decodes only some of the escapes in them (`_x000D_`)."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ...types.extras import extra_named_in_errors
from .. import printable
from ..files import BadData, file_label
from .cell_formats import cell_value_text, decode_workbook_escapes, format_value, is_date_by_country
from .roles import role_of_column_name
from .sheets import File, FileSheet, check_sheet_size, join_names
from .tables import sheet_with_header

#: The most bytes that all parts of a workbook may unpack to; most of them are markup.
MOST_UNPACKED = 100_000_000
#: The most bytes of its styles, which take longest to read.
MOST_STYLES = 2_000_000
#: The most parts of a workbook, and the most rows of a sheet, empty rows included.
MOST_PARTS = 2_000
MOST_ROWS = 1_048_576
#: The most sheets that are looked at.
MOST_SHEETS = 20


def workbook_sheet(file: File, data: bytes) -> FileSheet:
    """Read one sheet of a workbook into columns; its first row is the header. Raises BadData.

    It is the first sheet with a known column name in its first row, else the first sheet with any cells."""
    _check_unpacked_files(file, data)
    with extra_named_in_errors():
        from openpyxl.reader.excel import ExcelReader

    try:
        reader = ExcelReader(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        reader.read_strings = lambda: _read_shared_texts(reader)
        reader.read()
        book = reader.wb
        names = [each.title for each in book.worksheets]
        chosen_sheet = None
        for each in book.worksheets[:MOST_SHEETS]:
            each.reset_dimensions()  # the size that the file states may be wrong
            first = next((row for _, row in _iterate_rows(file, each, 1)), None)
            if first and (chosen_sheet is None or any(role_of_column_name(cell.text) for cell in first)):
                chosen_sheet = each
                if any(role_of_column_name(cell.text) for cell in first):
                    break
        if chosen_sheet is None:
            raise BadData(f"{file_label(file.name)} has no cells")
        numbered = [*_iterate_rows(file, chosen_sheet, MOST_ROWS)]
        book.close()
    except BadData:
        raise
    except Exception as error:  # openpyxl raises many kinds of errors for a broken file
        what = printable(str(error).partition("\n")[0][:200])
        raise BadData(f"{file_label(file.name)} cannot be read as a workbook: {what or type(error).__name__}") from None
    width = max(len(row) for _, row in numbered)
    rows = [[*row, *[_EMPTY] * (width - len(row))] for _, row in numbered]
    of_numbers = [_holds_scores(rows[0][at].text, [row[at] for row in rows[1:]]) for at in range(width)]
    texts = [
        [cell.text if number else cell.shown_text for cell, number in zip(row, of_numbers, strict=True)] for row in rows
    ]
    others = f", sheet {printable(chosen_sheet.title)} of {len(names)} sheets" if len(names) > 1 else ""
    out = sheet_with_header(file, f"a workbook{others}", texts, [number for number, _ in numbered], "row")
    odd = [
        (f"{column_letters(at + 1)}{number}", cell)
        for number, row in numbered
        for at, cell in enumerate(row)
        if not of_numbers[at] and (cell.is_error or is_date_by_country(cell.value, cell.form))
    ]
    notes = []
    if wrong := [f"{place} ({cell.text})" for place, cell in odd if cell.is_error]:
        are = "are formula errors and are read as text" if wrong[1:] else "is a formula error and is read as text"
        notes.append(f"{join_names(wrong, 4)} {are}")
    if dates := [f"{place} ({cell.shown_text})" for place, cell in odd if not cell.is_error]:
        notes.append(f"{join_names(dates, 4)}: dates in this format differ by country; here they are in ISO 8601")
    return replace(out, notes=notes)


class _Cell(NamedTuple):
    """A cell of a sheet.

    Attributes:
        text: the value as a text, without a number format.
        value: the value itself, for numbers and dates.
        form: the number format, for numbers and dates.
        is_error: whether the cell holds an error, such as `#NAME?`."""

    text: str
    value: object = None
    form: str = ""
    is_error: bool = False

    @property
    def is_number(self) -> bool:
        """Return whether this cell holds a number."""
        return isinstance(self.value, int | float) and not isinstance(self.value, bool)

    @property
    def shown_text(self) -> str:
        """Return the text that this cell shows to a reader of the workbook."""
        return self.text if self.value is None else format_value(self.value, self.form)


_EMPTY = _Cell("")


def _holds_scores(name: str, cells: Sequence[_Cell]) -> bool:
    """Return whether a column holds scores, given its name and cells.

    Scores are read with all their decimals, other cells as they are shown."""
    role = role_of_column_name(name)
    return role.kind == "score" if role else all(cell.is_number for cell in cells if cell.text)


def _read_shared_texts(reader: Any) -> None:
    """Add the texts that cells of a workbook share to `reader.shared_strings`, exactly as the file has them.

    It replaces a method of openpyxl's `reader` that decodes some of the escapes."""
    from openpyxl.cell.text import Text
    from openpyxl.xml.constants import SHARED_STRINGS, SHEET_MAIN_NS
    from openpyxl.xml.functions import iterparse

    if (part := reader.package.find(SHARED_STRINGS)) is not None:
        with reader.archive.open(part.PartName[1:]) as source:
            for _, node in iterparse(source):
                if node.tag == f"{{{SHEET_MAIN_NS}}}si":
                    reader.shared_strings.append(Text.from_tree(node).content)
                    node.clear()


def _iterate_rows(file: File, worksheet: object, most: int) -> Iterator[tuple[int, list[_Cell]]]:
    """Yield up to `most` rows that are not empty: the row number and the cells, without empty cells at the end.

    Raises BadData if the sheet is too large."""
    count = cells = 0
    # Without a stated last column, empty rows have no cells, so a gap between two rows far apart costs nothing.
    rows = worksheet.iter_rows()  # type: ignore[attr-defined]
    for number, values in enumerate(rows, 1):
        if number > MOST_ROWS:
            raise BadData(f"{file_label(file.name)} has a row beyond {MOST_ROWS:,}, the last that a sheet can have")
        cells += len(values)
        check_sheet_size(file, 0, cells)
        row = [_convert_cell(value) for value in values]
        while row and not row[-1].text:
            row.pop()
        if row:
            check_sheet_size(file, len(row), cells)
            yield number, row
            count += 1
        if count == most:
            return


def _convert_cell(cell: Any) -> _Cell:
    """Convert a cell of openpyxl into a `_Cell`."""
    value = cell.value
    if value is None:
        return _EMPTY
    if isinstance(value, str):
        return _Cell(decode_workbook_escapes(value) if cell.data_type == "s" else value, is_error=cell.data_type == "e")
    return _Cell(cell_value_text(value), value, cell.number_format)


def column_letters(column: int) -> str:
    """Return the letters that name a column of a workbook, given its number from 1.

    >>> column_letters(1), column_letters(27)
    ('A', 'AA')
    """
    out = ""
    while column:
        column, last = divmod(column - 1, 26)
        out = chr(ord("A") + last) + out
    return out


def _check_unpacked_files(file: File, data: bytes) -> None:
    """Raise BadData if the files in a workbook, a zip archive, unpack to too many bytes or declare entities.

    They are read block by block, so that a small archive cannot fill the memory."""
    name = file_label(file.name)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            infos = parts.infolist()
            if not any(info.filename.lower().startswith("xl/") for info in infos):
                inside = join_names([info.filename for info in infos], 3)
                raise BadData(
                    f"{name} is a zip archive, not a workbook: give the file in it ({inside or 'it is empty'})"
                )
            if len(infos) > MOST_PARTS:
                raise BadData(f"{name} has more than {MOST_PARTS:,} parts, which no workbook has")
            bytes_left = MOST_UNPACKED
            for info in infos:
                part_limit = MOST_STYLES if info.filename.endswith("styles.xml") else bytes_left
                size, tail = 0, b""
                with parts.open(info) as part:
                    while block := part.read(1 << 16):
                        size += len(block)
                        if size > min(part_limit, bytes_left):
                            most = f"{(part_limit if part_limit < bytes_left else MOST_UNPACKED) // 1_000_000} MB"
                            what = f"{most} of styles" if part_limit < bytes_left else most
                            raise BadData(f"{name} unpacks to more than {what}, the limit")
                        if b"<!DOCTYPE" in tail + block or b"<!ENTITY" in tail + block:
                            raise BadData(f"{name} declares entities, which are not read")
                        tail = block[-10:]
                bytes_left -= size
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError) as error:
        raise BadData(f"{name} is not a valid workbook: {printable(str(error)[:200])}") from None
