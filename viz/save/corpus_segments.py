"""The segments of a corpus as CSV, TSV, XLSX and JSONL: their scores, marks and texts, in the order that is given.

Every file begins by saying which segments these are, and how the scores are made. All texts are anybody's: no
spreadsheet takes one for a formula.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from metrics.corpus.table import Array, StatisticsTable
from metrics.text import beyond, csv_cell, printable
from metrics.text.formats import Material
from metrics.text.formats.cell_formats import escaped
from metrics.text.tabular import row

#: What a sheet of a workbook can hold: rows, and letters of a cell.
ROWS_MOST, LETTERS_MOST = 1_048_576, 32_767


class SegmentSheet(NamedTuple):
    """Segments, ready to be written: what the file says of itself, sentence by sentence, the names of the columns, and
    the columns. Those of an array have numbers, others texts; of "tags" each is a list of texts."""

    about: Sequence[str]
    heads: Sequence[str]
    columns: Sequence[Any]

    @property
    def size(self) -> int:
        """How many cells there are."""
        return sum(map(len, self.columns))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The cells of each segment: whole numbers, numbers, texts and lists of texts."""
        return zip(
            *[each.tolist() if isinstance(each, np.ndarray) else each for each in self.columns],
            strict=True,
        )


def sheet(
    material: Material,
    systems: tuple[str, str],
    tables: Sequence[StatisticsTable],
    at: tuple[int, int],
    worth: Array | None,
    marks: Mapping[int, tuple[Sequence[str], str]],
    order: NDArray[np.intp],
    about: Sequence[str],
) -> SegmentSheet:
    """Two systems, by their names and where they stand in the tables, in the segments of an order. Columns are called
    as the filter calls them; there are none for what no segment can have."""
    which = order.tolist()
    a, b = at
    columns: dict[str, Any] = {"number": order + 1}
    if material.documents:
        columns["document"] = [material.documents[n] for n in which]
    for table in tables:
        key = table.metric.key
        ours, theirs = table.scores[a][order], table.scores[b][order]
        columns |= {f"a.{key}": ours, f"b.{key}": theirs, f"delta.{key}": theirs - ours}
    if worth is not None:
        columns["worth"] = worth[order]
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
    """Lines with commas, after comment lines that say which segments these are. A text that a spreadsheet would take
    for a formula gets an apostrophe in front."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([[f"# {printable(each)}"] for each in sheet.about])
    writer.writerow(sheet.heads)
    for cells in sheet.rows():
        writer.writerow([_plain(cell) for cell in cells])
    return out.getvalue()


def tsv_text(sheet: SegmentSheet) -> str:
    """The same with tabs, each segment on one line, with what would break it, or a terminal would obey, as its code."""
    lines = [row([f"# {each}"]) for each in sheet.about]
    lines.append(row(sheet.heads))
    lines += [row([_plain(cell) for cell in cells]) for cells in sheet.rows()]
    return "\n".join(lines) + "\n"


def _plain(cell: Any) -> str | float:
    """A cell as one value, harmless in a spreadsheet."""
    if isinstance(cell, list):
        cell = ", ".join(cell)
    return csv_cell(_without_control(cell)) if isinstance(cell, str) else cell  # type: ignore[no-any-return]


def jsonl_text(sheet: SegmentSheet) -> str:
    """A first line that says which segments these are, then an object for each, in ASCII, its texts to the letter."""
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
    """A workbook: a sheet with the segments, below a row of names that stays, and one that says which they are. Texts
    are texts, whatever they begin with. ValueError where there are more than a sheet holds.

    It is written here because libraries that write workbooks put their sheets, and so what was uploaded, into
    temporary files, or keep an object for every cell.
    """
    size = len(sheet.columns[0])
    if size >= ROWS_MOST:
        raise ValueError(beyond("", size, "segments", ROWS_MOST - 1, "a sheet holds"))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for name, text in _parts().items():
            file.writestr(name, text)
        for number, rows in enumerate((_segment_rows(sheet), _about_rows(sheet)), 1):
            with file.open(f"xl/worksheets/sheet{number}.xml", "w", force_zip64=True) as part:
                stays = '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/>'
                views = f"{stays}</sheetView></sheetViews>" if number == 1 else ""
                part.write(f'{_HEAD}<worksheet xmlns="{_MAIN}">{views}<sheetData>'.encode())
                for cells in rows:
                    part.write(f"<row>{''.join(map(_cell, cells))}</row>".encode())
                part.write(b"</sheetData></worksheet>")
    return out.getvalue()


def _segment_rows(sheet: SegmentSheet) -> Iterator[Sequence[Any]]:
    yield sheet.heads
    yield from sheet.rows()


def _about_rows(sheet: SegmentSheet) -> Iterator[Sequence[str]]:
    yield from [[each] for each in sheet.about]
    texts = [text for texts in sheet.columns if not isinstance(texts, np.ndarray) for text in texts]
    if any(_units(_HALF.sub("\ufffd", text)) > LETTERS_MOST for text in texts if isinstance(text, str)):
        yield [f"A cell holds {LETTERS_MOST:,} letters; of longer texts it has the beginning, with … at the end."]


def _cell(value: Any) -> str:
    if isinstance(value, int | float):
        return f"<c><v>{value!r}</v></c>"
    text = _HALF.sub("\ufffd", ", ".join(value) if isinstance(value, list) else value)
    if _units(text) > LETTERS_MOST:
        text = text.encode("utf-16-le")[: 2 * (LETTERS_MOST - 1)].decode("utf-16-le", "ignore") + "…"
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(escaped(text))}</t></is></c>' if text else "<c/>"


def _units(text: str) -> int:
    """The letters of a text as a workbook counts them: those beyond the first 65,536 twice."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


_HALF = re.compile("[\ud800-\udfff]")
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def _without_control(text: str) -> str:
    """A text with the sign of replacement for what no file of text may have."""
    return _NO_TEXT.sub("\ufffd", text)


def _parts() -> dict[str, str]:
    """All of a workbook but its sheets."""
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
