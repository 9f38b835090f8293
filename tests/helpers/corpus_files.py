"""Make files of a corpus as bytes."""

from __future__ import annotations

import io
import zipfile

import pytest

from metrics.text.formats import File, read

MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml"
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SPREADSHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

SOURCE, A, B = ("Zwei Katzen", "Ein Hund"), ("Two cats", "A dog"), ("2 cats", "One dog")


ONE, TWO = ("Two cats .", "A dog ."), ("A pair of cats", "")


def line_bytes(texts):
    """Return texts as a file's bytes, one per line."""
    return "".join([f"{text}\n" for text in texts]).encode()


def read_corpus(systems, reference, source):
    """Return the material of a corpus; its systems' lines are given by name, and the reference is called R."""
    files = [File(f"{name}.txt", line_bytes(texts), "system", name) for name, texts in systems.items()]
    files += [File("r.txt", line_bytes(reference), "reference", "R"), File("s.txt", line_bytes(source), "source")]
    return read(files)


def tsv_bytes(header, *columns):
    return line_bytes(["\t".join(row) for row in [header, *zip(*columns, strict=True)]])


def workbook_bytes(*rows, sheets=(), formats_by_cell=()):
    """Return a workbook with these rows, more sheets of these titles, and (cell, number format) of some cells."""
    openpyxl = pytest.importorskip("openpyxl")
    workbook = openpyxl.Workbook()
    for row in rows:
        workbook.active.append(row)
    for title in sheets:
        workbook.create_sheet(title).append(["nothing", "known"])
    for cell, form in formats_by_cell:
        workbook.active[cell].number_format = form
    workbook.save(out := io.BytesIO())
    return out.getvalue()


def book(rows_xml, **xml_by_part):
    """Return a workbook (.xlsx bytes) whose only sheet has the raw XML `rows_xml`.

    `xml_by_part` has the XML of further files in its folder xl/."""
    package = "http://schemas.openxmlformats.org/package/2006"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in {
            "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{MAIN}.sheet.main+xml"/>'
            f'<Override PartName="/xl/s.xml" ContentType="{MAIN}.worksheet+xml"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r" '
            f'Type="{RELATION}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook xmlns="{SPREADSHEET}" xmlns:r="{RELATION}"><sheets>'
            '<sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
            f'Type="{RELATION}/worksheet" Target="s.xml"/></Relationships>',
            "xl/s.xml": f'<worksheet xmlns="{SPREADSHEET}"><sheetData>{rows_xml}</sheetData></worksheet>',
            **{f"xl/{name}.xml": text for name, text in xml_by_part.items()},
        }.items():
            made.writestr(name, text)
    return out.getvalue()
