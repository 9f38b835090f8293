"""Test files that are made to do harm: each is read or refused quickly, in one sentence and with little memory."""

from __future__ import annotations

import gzip
import tracemalloc

import pytest

from metrics.text import files
from metrics.text.files import BadData
from metrics.text.formats import File, markup, objects, po, read, sheets, transcripts, workbook
from metrics.text.formats.cell_formats import format_value
from tests.helpers.corpus_files import book


def row_xml(number, *cells):
    inner = "".join(
        [f'<c r="{c}{number}" t="inlineStr"><is><t>{text}</t></is></c>' for c, text in zip("AB", cells, strict=False)]
    )
    return f'<row r="{number}">{inner}</row>'


TOP = row_xml(1, "ref", "mt")
LAUGHS = (
    '<!DOCTYPE r [<!ENTITY a0 "ha">'
    + "".join([f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 9)])
    + "]><xliff version='1.2'><file original='&a8;'>"
    "<trans-unit id='1'><source>&a8;</source></trans-unit></file></xliff>"
)
OUTSIDE = (
    '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    '<dataset><doc id="d">\n<src><seg id="1">&a;</seg></src></doc></dataset>'
)
UNITS = "<trans-unit id='1'><source>{0}</source><target>{0}</target></trans-unit>"
#: By kind of attack: the name of a file, its content, and the error message for it.
HOSTILE = {
    "gzip": ("a.txt.gz", gzip.compress(bytes(20_000_000)), "a.txt.gz unpacks to more than 1 MB"),
    "large": ("a.txt", b"x" * 1_000_001, "a.txt has more than 1 MB"),
    "zeros": ("a.txt", bytes(1000), "a.txt must be UTF-8, but one byte in four is zero"),
    "lines": ("a.txt", b"\n" * 20_001, "a.txt has more than 20,000 lines"),
    "columns": ("t.tsv", b"ref\tmt" + b"\tx" * 600 + b"\n", "t.tsv has 602 columns; the limit is 500"),
    "cells": ("t.tsv", b"ref\tmt\n" + b"\t" * 60_000, "t.tsv has more than 50,000 cells"),
    "empty rows": ("t.csv", b"ref,mt\n" + b"\n" * 60_000, "t.csv has more than 50,000 cells"),
    "a field": ("t.csv", b'ref,mt\na,"' + b"x" * 200_000 + b'"\n', "t.csv, line 2: field larger than field limit"),
    "a name": ("t.tsv", b"ref\t" + b"_" * 50_000 + b"\na\tb\n", "has a column with a name of 50,000 letters: ____"),
    "workbook": ("t.xlsx", book(TOP, more="x" * 20_000_000), "t.xlsx unpacks to more than 2 MB, the limit"),
    "styles": ("t.xlsx", book(TOP, styles="x" * 1_500_000), "t.xlsx unpacks to more than 1 MB of styles"),
    "a far row": ("t.xlsx", book(TOP + row_xml(99_999_999_999, "a", "b")), "t.xlsx has a row beyond 1,048,576"),
    "entities in a workbook": (
        "t.xlsx",
        book(TOP, more='<!DOCTYPE r [<!ENTITY a "b">]><r/>'),
        "t.xlsx declares entities, which are not read",
    ),
    "laughs": ("a.xlf", LAUGHS.encode(), "a.xlf, line 1: an entity is declared, which is not read"),
    "an outer file": ("a.xml", OUTSIDE.encode(), "a.xml, line 1: an entity is declared, which is not read"),
    "deep XML": ("a.xlf", b"<xliff>" + b"<group>" * 5_000, "a.xlf, line 1: elements are nested more than 256"),
    "deep JSON": (
        "a.jsonl",
        b'{"mt":' + b"[" * 40_000 + b"]" * 40_000 + b"}",
        "line 1: lists or objects are nested too",
    ),
    "many lists": ("a.json", b"[" + b"[]," * 60_000 + b"1]", "a.json has more than 50,000 lists and objects"),
    "a long number": ("a.jsonl", b'{"mt":' + b"9" * 6_000 + b"}", "a.jsonl, line 1: a number has too many digits"),
    "infinity": (
        "a.jsonl",
        b'{"ref":"r","mt":"x","COMET":Infinity}',
        "a.jsonl, line 1: COMET must be a number, got inf",
    ),
    "segments without ends": ("a.sgm", b"<tstset><doc>" + b"<seg>" * 100_000, "a.sgm, line 1: a segment does not end"),
    "many of one language": (
        "a.tmx",
        b"<tmx><body><tu>" + b'<tuv xml:lang="de"><seg/></tuv>' * 5_000 + b"</tu></body></tmx>",
        "a.tmx has 501 columns; the limit is 500",
    ),
    "many tags": (
        "a.xlf",
        b"<xliff><trans-unit><source>" + b"<g/>" * 30_000 + b"</source></trans-unit></xliff>",
        "a.xlf, line 1: a segment has more than 20,000 inline tags",
    ),
    "many numbers": ("a.json", b"[" + b"0," * 60_000 + b"0]", "a.json has more than 50,000 commas"),
    "comments": ("a.xml", b"<!--" * 200_000, "a.xml is markup of an unknown kind"),
    "many entities": (
        "a.tmx",
        b"<!DOCTYPE tmx SYSTEM 'a'><tmx>" + b"&a;" * 60_000,
        "a.tmx has more than 50,000 entities",
    ),
    "a strange encoding": (
        "a.xlf",
        b'<?xml version="1.0" encoding="punycode"?><x/>',
        "its encoding is punycode, which is",
    ),
    "bytes of no encoding": (
        "a.xlf",
        b'<?xml version="1.0" encoding="cp1252"?>\x81',
        "must be cp1252, as it begins, but byte",
    ),
    "a long catalogue": ("a.po", b'msgid "a"\nmsgstr ""\n' + b'"x"\n' * 30_000, "a.po has more than 20,000 lines"),
    "quotation marks in a catalogue": (
        "a.po",
        b'msgid "a"\nmsgstr "' + b'\\"' * 200_000,
        "a.po, line 2 is not valid PO (gettext): ",
    ),
    "long subtitles": (
        "a.srt",
        b"1\n00:00:01,000 --> 00:00:02,000\na\n" + b"\n" * 30_000,
        "has more than 20,000 lines",
    ),
    "brackets in a transcript": ("a.trn", b"(" * 500_000, "a.trn, line 1 has no id in brackets at its end"),
    "half tags": ("a.sgm", b"<tstset>" + b"<doc " * 150_000, "a.sgm has no segments"),
}


@pytest.fixture(autouse=True)
def small_bounds(monkeypatch):
    """Lower the limits on files to about a fiftieth, so that files that exceed them are quick to make."""
    for module, name, value in (
        (files, "MOST_BYTES", 1_000_000),
        (files, "MOST_LINES", 20_000),
        (sheets, "MOST_CELLS", 50_000),
        (workbook, "MOST_UNPACKED", 2_000_000),
        (workbook, "MOST_STYLES", 1_000_000),
        (po, "MOST_LINES", 20_000),
        (transcripts, "MOST_LINES", 20_000),
        (markup, "MOST_ENTITIES", 50_000),
        (objects, "MOST_CONTAINERS", 50_000),
        (objects, "MOST_COMMAS", 50_000),
    ):
        assert getattr(module, name) > value
        monkeypatch.setattr(module, name, value)


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files_end_in_a_sentence(case):
    name, data, says = HOSTILE[case]
    with pytest.raises(BadData) as raised:
        read([File(name, data)])
    said = str(raised.value)
    assert says in said and said.isprintable() and len(said) < 400


@pytest.mark.parametrize("case", ["gzip", "workbook", "styles", "many lists"])
def test_nothing_is_unpacked_whole(case):
    name, data, _ = HOSTILE[case]
    with pytest.raises(BadData):  # import what the reader needs before memory is measured
        read([File(name, data)])
    tracemalloc.start()
    try:
        with pytest.raises(BadData):
            read([File(name, data)])
        assert tracemalloc.get_traced_memory()[1] < 6_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "header",
    [b"QUJD" * 3_000_000, b"<![CDATA[" + b"]" * 12_000_000 + b"]]>", b"<!--" + b"<a " * 4_000_000 + b"-->"],
    ids=["text", "CDATA", "comment"],
)
def test_what_stands_before_the_units_may_be_long(header, monkeypatch):
    """Check that a long header or comment before the translation units of an XLIFF file is read.

    Some XLIFF files hold the translated workbook in their header, and no limit of a library may be below ours."""
    monkeypatch.setattr(files, "MOST_BYTES", 50_000_000)
    file = b"<file><header><internal-file>" + header + b"</internal-file></header></file>"
    found = read([File("a.xlf", b"<xliff version='1.2'>" + file + UNITS.format("one").encode() + b"</xliff>")])
    assert found.systems["a"].lines == ("one",)
    commented = b"<!--" + b"<a " * 40_000 + b"-->\n<xliff version='1.2'>" + UNITS.format("one").encode() + b"</xliff>"
    assert read([File("a.xlf", commented)]).systems["a"].lines == ("one",)


@pytest.mark.parametrize(
    "form", ["0" * 5_000, "0" * 200 + "." + "0" * 50, "[" * 5_000, '"' * 255, "\\" * 255, "#," * 100]
)
def test_formats_of_numbers_are_bounded(form):
    for value in (1.5e300, 5e-324, -1, 1e15):
        assert len(format_value(value, form)) < 1_000


def test_cells_in_far_corners_make_no_rectangle():
    """Check that two cells in far corners of a sheet do not allocate memory for all cells between them.

    One library crashes the process on such a sheet."""
    far = '<row r="1048576"><c r="A1048576" t="inlineStr"><is><t>a</t></is></c><c r="B1048576"><v>1</v></c></row>'
    found = read([File("t.xlsx", book(TOP + far))])
    assert found.systems["mt"].lines == ("1",) and found.systems["mt"].where(0) == "t.xlsx, row 1048576"
    with pytest.raises(BadData, match=r"t\.xlsx has 16,384 columns"):
        read([File("t.xlsx", book(TOP + '<row r="2"><c r="XFD2"><v>1</v></c></row>'))])


def test_nothing_is_fetched():
    """Check that an external document type is not fetched, and that its entities stay as they are written."""
    text = f"<!DOCTYPE x SYSTEM 'file:///etc/passwd'>\n<xliff version='1.2'>{UNITS.format('a&b;')}</xliff>"
    assert read([File("a.xlf", text.encode())]).systems["a"].lines == ("a&b;",)


def test_names_are_printable():
    header = "ref\t\x1b[2J\u202eA\t\u202eB.COMET"
    found = read([File("\x1b[31m.tsv", f"{header}\na\tb\t1\n".encode())])
    assert [*found.systems] == [r"\x1b[2J\u202eA"]
    assert all(each.sentence.isprintable() for each in found.files) and all(note.isprintable() for note in found.notes)


def test_characters_that_are_none_stay_in_the_text():
    found = read([File("A.txt", "a\x00b\u2028c\x85d\x0ce\rf\n".encode()), File("ref.txt", b"x\n")])
    assert found.systems["A"].lines == ("a\x00b\u2028c\x85d\x0ce\rf",)
