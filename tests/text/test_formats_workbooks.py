"""Test workbooks: escaped characters, numbers and dates as cells show them, and cells with errors."""

from __future__ import annotations

import datetime
import io

import pytest

from metrics.text.formats import File, read
from metrics.text.formats.cell_formats import decode_workbook_escapes, encode_workbook_escapes, format_value
from tests.helpers.corpus_files import book, workbook_bytes

NOON = datetime.datetime(2024, 3, 5, 15, 9, 7)


def read_output_lines(data):
    (texts,) = read([File("t.xlsx", data)]).systems.values()
    return texts.lines


def text_cell(place, text):
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


TOP = f'<row r="1">{text_cell("A1", "ref")}{text_cell("B1", "mt")}</row>'
SHARED = '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{}</sst>'
ESCAPES = {
    "one_x000D_two": "one\rtwo",
    "The tag _x005F_x000D_ stays": "The tag _x000D_ stays",
    "a_x0009_b_x000a_c": "a\tb\nc",
    "_x005F_x005F_": "_x005F_",
    "x005F_ and _x00_ and x000D_": "x005F_ and _x00_ and x000D_",
    "_xD83D__xDE00_": "😀",
    "_xD83D_": "_xD83D_",
}


@pytest.mark.parametrize("text", ESCAPES)
@pytest.mark.parametrize("how", ["inline", "formula", "shared"])
def test_escapes_are_characters_and_decoded_once(text, how, monkeypatch):
    cell = {
        "inline": text_cell("B2", text),
        "formula": f'<c r="B2" t="str"><f>A1</f><v>{text}</v></c>',
        "shared": '<c r="B2" t="s"><v>0</v></c>',
    }[how]
    rows = f'{TOP}<row r="2">{text_cell("A2", "x")}{cell}</row>'
    data = book(rows)
    if how == "shared":
        strings = SHARED.format(f'<si><r><t>{text}</t></r><rPh sb="0" eb="1"><t>ruby</t></rPh></si>')
        data = with_shared_strings_declared(book(rows, sharedStrings=strings))
    assert read_output_lines(data) == (ESCAPES[text],)
    assert decode_workbook_escapes(encode_workbook_escapes(ESCAPES[text])) == ESCAPES[text]


def with_shared_strings_declared(data):
    """Return a workbook (.xlsx bytes) with an entry for shared strings added to its list of content types."""
    import zipfile

    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name == "[Content_Types].xml":
                kind = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
                text = text.replace(
                    b"</Types>", b'<Override PartName="/xl/sharedStrings.xml" ContentType="' + kind + b'"/></Types>'
                )
            new.writestr(name, text)
    return out.getvalue()


@pytest.mark.parametrize(
    ("value", "form", "right"),
    [
        *((0.5, "0%", "50%"), (0.1255, "0.0%", "12.6%"), (42, "0000", "0042"), (1234567.5, "#,##0.00", "1,234,567.50")),
        *((1234567, "#,##0,", "1,235"), (-3.5, '0.0;[Red]"("0.0")"', "(3.5)"), (0, '0;-0;"none"', "none")),
        *((123456789, "000-00-0000", "123-45-6789"), (12345, "0.00E+00", "1.23E+04")),
        *((1234.5, "#,##0.00\\ [$€-407]", "1,234.50 €"), (3, '0 "cats"', "3 cats"), (5, '[<10]"few";"many"', "few")),
        *((50, '[<10]"few";"many"', "many"), (0.1 + 0.2, "General", "0.3"), (7.0, "General", "7")),
        *((1 / 3, "# ?/?", "0.3333333333"), (NOON, "yyyy-mm-dd hh:mm:ss", "2024-03-05 15:09:07")),
        *((NOON, "d.m.yy", "5.3.24"), (NOON, "dddd, d mmmm yyyy", "Tuesday, 5 March 2024")),
        *((NOON, "ddd mmm d, h:mm AM/PM", "Tue Mar 5, 3:09 PM"), (NOON, "mm:ss", "09:07")),
        (datetime.datetime(2024, 3, 5), "mm-dd-yy", "2024-03-05"),
        *((datetime.timedelta(hours=30, minutes=5), "[h]:mm", "30:05"), (datetime.time(5, 6), "h:mm", "5:06")),
        (True, "0%", "TRUE"),
    ],
)
def test_cells_are_read_as_they_are_shown(value, form, right):
    assert format_value(value, form) == right
    data = workbook_bytes(("ref", "mt"), ("x", "word"), ("y", value), formats_by_cell=[("B3", form)])
    assert read_output_lines(data)[1] == right


def test_scores_keep_the_decimals_that_are_not_shown():
    rows = ("id", "ref", "mt", "COMET", "rated mt"), (7, "x", "word", 0.8512, 0.25), (12, "y", "2", 0.5, 1)
    formats = [(f"{letter}{row}", form) for row in (2, 3) for letter, form in (("A", "000"), ("D", "0.0"), ("E", "0%"))]
    found = read([File("t.xlsx", workbook_bytes(*rows, formats_by_cell=formats))])
    assert found.scores == {"COMET": {"mt": (0.8512, 0.5)}, "rated": {"mt": (0.25, 1.0)}} and found.keys == (
        "007",
        "012",
    )


def test_errors_are_said_with_their_cells():
    cells = "".join([f'<c r="{c}3" t="e"><v>{error}</v></c>' for c, error in (("A", "#NAME?"), ("B", "#DIV/0!"))])
    found = read([File("t.xlsx", book(f'{TOP}<row r="3">{cells}</row>'))])
    assert found.notes == ("t.xlsx: A3 (#NAME?), B3 (#DIV/0!) are formula errors and are read as text",)
    clean = workbook_bytes(("ref", "mt"), ("x", "#NAME"), ("y", "a"))
    assert not read([File("t.xlsx", clean)]).notes


def test_dates_of_no_country_are_said():
    day = datetime.datetime(2024, 3, 5)
    formats = [("A2", "mm-dd-yy"), ("B3", "d.m.yyyy")]
    data = workbook_bytes(("ref", "mt"), (day, "word"), ("y", day), formats_by_cell=formats)
    assert read([File("t.xlsx", data)]).notes == (
        "t.xlsx: A2 (2024-03-05): dates in this format differ by country; here they are in ISO 8601",
    )
