"""Write the segments of a corpus as CSV, TSV, XLSX and JSONL: their scores, tags and texts, in a given order.

Which segments these are and how the scores are made stands in a text file of its own for CSV and TSV, so that every
program reads the names of the columns first, and in the other files themselves. The texts are not trusted: they are
escaped so that no spreadsheet takes one for a formula."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from metrics.corpus.table import Array
from metrics.text import csv_cell, describe_excess, printable
from metrics.text.formats import Material
from metrics.text.formats.cell_formats import encode_workbook_escapes
from metrics.text.tabular import rows_as_csv, tab_separated_line

#: The most rows of a sheet of a workbook, and the most letters of a cell.
ROWS_MOST, LETTERS_MOST = 1_048_576, 32_767


class SegmentSheet(NamedTuple):
    """A table of segments that is ready to be written as a file.

    Attributes:
        about: sentences on which segments these are and how their scores are made.
        heads: the names of the columns.
        columns: the columns. An array has numbers, another sequence has texts; each cell of “tags” is a list of
            texts."""

    about: Sequence[str]
    heads: Sequence[str]
    columns: Sequence[Any]

    @property
    def size(self) -> int:
        """The number of cells."""
        return sum(map(len, self.columns))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the row of each segment: a tuple of whole numbers, floats, texts and lists of texts.

        None stands for a missing number."""
        return zip(*map(_cells, self.columns), strict=True)


def _cells(column: Any) -> Sequence[Any]:
    """Return the cells of a column, None for each missing number."""
    if not isinstance(column, np.ndarray):
        return column  # type: ignore[no-any-return]
    if not np.isnan(column).any():
        return column.tolist()  # type: ignore[no-any-return]
    return [None if each != each else each for each in column.tolist()]


def segment_sheet(
    material: Material,
    systems: tuple[str, str],
    numbers: Mapping[str, Array | NDArray[np.int64]],
    marks: Mapping[int, tuple[Sequence[str], str]],
    order: NDArray[np.intp],
    about: Sequence[str],
) -> SegmentSheet:
    """Return the table of segments with the outputs and scores of two systems, ready to be written.

    All columns have the names that the filter of the Corpus page uses. There is no column for what no segment has.

    Args:
        material: the files of the corpus.
        systems: the names of systems A and B.
        numbers: by the name of a column, its number for each segment of the corpus; NaN where there is none.
        marks: by the index of a segment, the tags and the note that the user gave it.
        order: the indices of the segments to write, in this order.
        about: sentences on which segments these are."""
    which = order.tolist()
    columns: dict[str, Any] = {"number": order + 1}
    if material.documents:
        columns["document"] = [material.documents[n] for n in which]
    columns |= {name: values[order] for name, values in numbers.items()}
    if marks:
        none: tuple[Sequence[str], str] = (), ""
        columns["tags"] = [[*marks.get(n, none)[0]] for n in which]
        columns["note"] = [marks.get(n, none)[1] for n in which]
    if material.source:
        columns["source"] = [material.source.lines[n] for n in which]
    several = len(material.references) > 1
    for k, texts in enumerate(material.references.values(), 1):
        columns[f"reference.{k}" if several else "reference"] = [texts.lines[n] for n in which]
    for side, name in zip("ab", systems, strict=True):
        columns[side] = [material.systems[name].lines[n] for n in which]
    return SegmentSheet([*about], [*columns], [*columns.values()])


def csv_text(sheet: SegmentSheet) -> str:
    """Return the segments as CSV, the names of the columns first.

    A text that a spreadsheet would take for a formula gets an apostrophe in front."""
    return rows_as_csv(chain([sheet.heads], ([_safe_cell(cell) for cell in cells] for cells in sheet.rows())))


def tsv_text(sheet: SegmentSheet) -> str:
    """Return the segments as TSV with a line for each, after a line with the names of the columns.

    Characters that would break a line, or control a terminal, are written as their codes."""
    lines = [tab_separated_line(sheet.heads)]
    lines += [tab_separated_line([_safe_cell(cell) for cell in cells]) for cells in sheet.rows()]
    return "\n".join(lines) + "\n"


def about_text(sheet: SegmentSheet) -> str:
    """Return as text which segments a CSV or TSV file has, how their scores are made, and what its columns are."""
    columns = f"Columns, by the names that the filter has for them: {', '.join(sheet.heads)}."
    return "".join([f"{printable(each)}\n" for each in (*sheet.about, columns)])


def _safe_cell(cell: Any) -> str | float:
    """Return the value of a cell as a number, or as a text that is harmless in a spreadsheet; "" for no number."""
    if cell is None:
        return ""
    if isinstance(cell, list):
        cell = ", ".join(cell)
    return csv_cell(_replace_forbidden(cell)) if isinstance(cell, str) else cell  # type: ignore[no-any-return]


def jsonl_text(sheet: SegmentSheet) -> str:
    """Return the segments as JSONL in ASCII: an object that says which they are, then an object for each segment.

    Texts are unchanged."""
    lines = [json.dumps({"about": [*sheet.about]})]
    lines += [json.dumps(dict(zip(sheet.heads, cells, strict=True)), allow_nan=False) for cells in sheet.rows()]
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- a workbook

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_SHEETS = ("Segments", "About")
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def xlsx_bytes(sheet: SegmentSheet) -> bytes:
    """Return the segments as a workbook of Excel.

    One sheet has the segments, below a fixed row of column names; the other says which segments these are. Texts are
    stored as texts, never as formulas. Raises ValueError if there are more segments than a sheet holds.

    The workbook is written here because libraries for workbooks put the sheets, and so what was uploaded, into
    temporary files, or keep an object for every cell."""
    size = len(sheet.columns[0])
    if size >= ROWS_MOST:
        raise ValueError(describe_excess("", size, "segments", ROWS_MOST - 1, "a sheet holds"))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for name, text in _workbook_files().items():
            file.writestr(name, text)
        for number, rows in enumerate((chain([sheet.heads], sheet.rows()), _about_rows(sheet)), 1):
            with file.open(f"xl/worksheets/sheet{number}.xml", "w", force_zip64=True) as part:
                stays = '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/>'
                views = f"{stays}</sheetView></sheetViews>" if number == 1 else ""
                part.write(f'{_HEAD}<worksheet xmlns="{_MAIN}">{views}<sheetData>'.encode())
                for cells in rows:
                    part.write(f"<row>{''.join(map(_cell_xml, cells))}</row>".encode())
                part.write(b"</sheetData></worksheet>")
    return out.getvalue()


def _about_rows(sheet: SegmentSheet) -> Iterator[Sequence[str]]:
    """Yield the rows of the workbook's sheet that says which segments these are, and whether texts are cut."""
    yield from [[each] for each in sheet.about]
    texts = [text for texts in sheet.columns if not isinstance(texts, np.ndarray) for text in texts]
    if any(_utf16_length(_SURROGATE.sub("\ufffd", text)) > LETTERS_MOST for text in texts if isinstance(text, str)):
        yield [f"A cell holds {LETTERS_MOST:,} letters; longer texts are cut and end with …."]


def _cell_xml(value: Any) -> str:
    """Return the XML of a workbook's cell; a text that is too long for a cell is cut."""
    if value is None:
        return "<c/>"
    if isinstance(value, int | float):
        return f"<c><v>{value!r}</v></c>"
    text = _SURROGATE.sub("\ufffd", ", ".join(value) if isinstance(value, list) else value)
    if _utf16_length(text) > LETTERS_MOST:
        text = text.encode("utf-16-le")[: 2 * (LETTERS_MOST - 1)].decode("utf-16-le", "ignore") + "…"
    return (
        f'<c t="inlineStr"><is><t xml:space="preserve">{escape(encode_workbook_escapes(text))}</t></is></c>'
        if text
        else "<c/>"
    )


def _utf16_length(text: str) -> int:
    """Return the length of a text in UTF-16 units, as a workbook counts it: rarer characters count twice."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_ALLOWED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def _replace_forbidden(text: str) -> str:
    """Return the text with all characters that XML does not allow replaced by U+FFFD."""
    return _NOT_ALLOWED.sub("\ufffd", text)


def _workbook_files() -> dict[str, str]:
    """Return the content of the files in a workbook's zip, except its sheets, by path."""
    numbers = range(1, len(_SHEETS) + 1)
    types = "".join(
        [f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{_TYPE}.worksheet+xml"/>' for n in numbers]
    )
    sheets = "".join([f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"/>' for n, name in enumerate(_SHEETS, 1)])
    relations = "".join(
        [f'<Relationship Id="rId{n}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>' for n in numbers]
    )
    return {
        "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>{types}</Types>',
        "_rels/.rels": f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{relations}'
        "</Relationships>",
    }
