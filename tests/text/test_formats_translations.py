"""Test files of translation tools: XLIFF, TMX and PO, as different programs write them."""

from __future__ import annotations

import pytest

from metrics.text.files import BadData
from metrics.text.formats import File, read


def xliff_document(*targets):
    """Return XLIFF with a unit for each target; None makes one without a target."""
    units = ""
    for number, target in enumerate(targets, 1):
        inner = "" if target is None else f"<target>{target}</target>"
        units += f'<trans-unit id="{number}"><source>s{number}</source>{inner}</trans-unit>'
    return f'<xliff version="1.2"><file original="f"><body>{units}</body></file></xliff>'


def xliff_file(*targets, name="A.xlf", **given):
    return File(name, xliff_document(*targets).encode(), **given)


def read_target(text, keep_tags=False):
    return read([xliff_file(text)], keep_tags=keep_tags).systems["A"].lines[0]


SEG = '<mrk mtype="seg" mid="{}">{}</mrk>'


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (SEG.format(1, "One.") + SEG.format(2, "Two."), "One. Two."),
        (SEG.format(1, "One. ") + SEG.format(2, "Two."), "One. Two."),
        (SEG.format(1, "One.") + " " + SEG.format(2, "Two."), "One. Two."),
        (SEG.format(1, "One.") + '<x id="1"/>' + SEG.format(2, "Two."), "One. Two."),
        ("<g>" + SEG.format(1, "One.") + "</g><g>" + SEG.format(2, "<g>Two</g>.") + "</g>", "One. Two."),
        (SEG.format(1, "One") + "/" + SEG.format(2, "Two"), "One/Two"),
        (SEG.format(1, "One.") + SEG.format(2, "") + SEG.format(3, "Two."), "One. Two."),
        (SEG.format(1, "你好。") + SEG.format(2, "再见。"), "你好。再见。"),
        (SEG.format(1, "안녕") + SEG.format(2, "친구"), "안녕 친구"),
        ('un<mrk mtype="protected">do</mrk>ne', "undone"),
    ],
)
def test_segments_that_touch_are_not_one_word(text, right):
    assert read_target(text) == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('ge<ph id="1">x</ph>sperrt', "gesperrt"),
        ('ge<x id="1"/>sperrt', "gesperrt"),
        ('ge<it id="1" pos="open">x</it>sperrt', "gesperrt"),
        ('one<x id="1" ctype="lb"/>two', "one two"),
        ('one<ph id="1" subType="xlf:lb"/>two', "one two"),
        ('<bpt id="1">x</bpt>a<ept id="1">x</ept>b', "ab"),
    ],
)
def test_tags_without_text_cut_no_word(text, right):
    assert read_target(text) == right and read_target(text, keep_tags=True) != right


@pytest.mark.parametrize("how", ["unit", "group", "file"])
@pytest.mark.parametrize("version", ["1.2", "2.0"])
def test_what_is_not_to_be_translated_is_no_segment(version, how):
    inner = "<source>{0}</source><target>{0}</target>"
    one = {
        "1.2": "<trans-unit id='{0}'{1}>{2}</trans-unit>",
        "2.0": "<unit id='{0}'{1}><segment>{2}</segment></unit>",
    }[version]
    no, plain = " translate='no'", one.format("b", "", inner.format("@@"))
    left_out = {
        "unit": one.format("b", no, inner.format("@@")),
        "group": f"<group{no}>{plain}</group>",
        "file": f"</file><file{no}>{plain}",
    }[how]
    units = one.format("a", "", inner.format("one")) + left_out
    found = read([File("A.xlf", f"<xliff version='{version}'><file>{units}</file></xliff>".encode())])
    assert found.systems["A"].lines == ("one",) and 'translate="no" is left out' in found.notes[0]


def test_a_unit_without_target_is_not_translated():
    full = xliff_file("one", "two", name="ref.xlf")
    for second in ("", None):
        found = read([xliff_file("one", second), full])
        assert found.systems["A"].lines == ("one", "")
    assert found.notes == ("A.xlf: 1 unit without target: counted as not translated, like an empty one",)
    source = xliff_file(None, None)
    found = read([source, full])
    assert not found.systems and found.source.lines == ("s1", "s2")
    with pytest.raises(BadData, match="no unit has a target, so nothing is translated"):
        read([source._replace(role="system"), full])


DECLARED = '<?xml version="1.0" encoding="{}"?>'
TEXT = xliff_document("Brücke, žába")


@pytest.mark.parametrize(
    ("declared", "codec", "mark"),
    [
        ("UTF-16", "utf-16-le", b"\xff\xfe"),
        ("UTF-16", "utf-16-be", b"\xfe\xff"),
        ("UTF-16LE", "utf-16-le", b""),
        ("utf-16", "utf-16-be", b""),
        ("", "utf-16-le", b"\xff\xfe"),
        ("UTF-32", "utf-32-le", b"\xff\xfe\0\0"),
        ("windows-1250", "cp1250", b""),
        ("ISO-8859-2", "iso8859-2", b""),
        ("ISO-8859-2", "utf-8", b""),  # the declared encoding is wrong
        ("UTF-16", "utf-8", b""),
        ("utf-8", "utf-8", b"\xef\xbb\xbf"),
    ],
)
def test_xml_is_read_in_the_encoding_that_it_declares(declared, codec, mark):
    data = mark + ((DECLARED.format(declared) if declared else "") + TEXT).encode(codec)
    assert read([File("A.xlf", data)]).systems["A"].lines == ("Brücke, žába",)


def test_other_encodings_of_many_bytes_a_letter():
    for codec, text in (
        ("shift_jis", "橋は閉鎖中"),
        ("gb18030", "桥关闭了"),
        ("iso-2022-jp", "橋は閉鎖中"),
        ("euc-kr", "다리"),
    ):
        data = (DECLARED.format(codec) + xliff_document(text)).encode(codec)
        assert read([File("A.xlf", data)]).systems["A"].lines == (text,)
    with pytest.raises(BadData, match=r"A\.xlf says that its encoding is klingon, which is not known"):
        read([File("A.xlf", DECLARED.format("klingon").encode() + b"<xliff/>")])


# ---------------------------------------------------------------- TMX


def tmx_bytes(*units, header='srclang="en"'):
    body = "".join(
        [
            f"<tu{more}>"
            + "".join([f'<tuv xml:lang="{lang}"><seg>{text}</seg></tuv>' for lang, text in texts])
            + "</tu>"
            for more, *texts in units
        ]
    )
    return f'<tmx version="1.4"><header {header}/><body>{body}</body></tmx>'.encode()


def tmx_unit_texts(number, source="en-US", target="de-DE", attributes=""):
    return attributes, (target, f"t{number}"), (source, f"s{number}")


def tmx_file(*units, column="", **given):
    """Return a file of TMX that is given as a reference."""
    return File("m.tmx", tmx_bytes(*units, **given), "reference", "", column)


@pytest.mark.parametrize(
    ("header", "source"),
    [
        ("en", "en-US"),
        ("en-US", "en-US"),
        ("en_US", "en-US"),
        ("EN", "en-us"),
        ("en-us", "EN"),
        ("EN_gb", "en"),
        ("en", "EN_US"),
    ],
)
def test_the_source_is_in_the_language_that_is_meant(header, source):
    units = tmx_unit_texts(1, source), tmx_unit_texts(2, source)
    found = read([tmx_file(*units, header=f'srclang="{header}"')])
    assert (found.source.lines, [*found.references]) == (("s1", "s2"), ["de-DE"])


def test_a_unit_says_more_of_its_source_than_the_header():
    own = ' srclang="en-US"'
    for header in ('srclang="de-DE"', 'srclang="*all*"', ""):
        units = tmx_unit_texts(1, attributes=own), tmx_unit_texts(2, attributes=own)
        found = read([tmx_file(*units, header=header)])
        assert found.source.lines == ("s1", "s2") and found.references["de-DE"].lines == ("t1", "t2")
    both = tmx_file(tmx_unit_texts(1), tmx_unit_texts(2, attributes=' srclang="de"'))
    found = read([both])
    assert found.source.lines == ("s1", "t2") and found.references["target"].lines == ("t1", "s2")
    assert "m.tmx: the language of the source (srclang) is not the same in all units" in found.notes
    assert read([both._replace(column="de")]).references["de-DE"].lines == ("t1", "t2")


@pytest.mark.parametrize("header", ['srclang="*all*"', "", 'srclang="fr"'])
def test_no_language_is_the_source_where_none_is_named(header):
    file = tmx_file(tmx_unit_texts(1), tmx_unit_texts(2), header=header)
    with pytest.raises(BadData, match=r"m\.tmx has the columns de-DE, en-US; say which is meant, such as m\.tmx:de-DE"):
        read([file])
    assert read([file._replace(column="de")]).references["de-DE"].lines == ("t1", "t2")


@pytest.mark.parametrize("asked", ["de", "DE", "de-DE", "de_de", "de-AT"])
def test_a_language_is_asked_for_in_any_spelling(asked):
    assert read([tmx_file(tmx_unit_texts(1), column=asked)]).references["de-DE"].lines == ("t1",)


def test_a_language_that_is_several_is_not_guessed():
    file = tmx_file(("", ("en", "s"), ("de-DE", "a"), ("de-AT", "b")), column="de")
    with pytest.raises(BadData, match=r"m\.tmx has no column de; its columns are en, de-DE, de-AT"):
        read([file])
    assert read([file._replace(column="de-AT")]).references["de-AT"].lines == ("b",)
    apart = tmx_file(tmx_unit_texts(1), tmx_unit_texts(2, "en-GB", "de-AT"))
    assert read([apart]).references["de-DE"].lines == ("t1", "t2")
    assert "m.tmx: no unit has both, so merged: de-AT and de-DE, en-GB and en-US" in read([apart]).notes


@pytest.mark.parametrize("body", ["<tu><tuv xml:lang='en'>a</tuv></tu>", "<tu/>", "<tu><prop>a</prop></tu>"])
def test_units_without_segment_are_named(body):
    with pytest.raises(BadData, match=r"m\.tmx, line 2: a unit has (?:a|no) <tuv> with.*<seg>"):
        read([File("m.tmx", f"<tmx><header srclang='en'/><body>\n{body}</body></tmx>".encode(), "reference")])


def test_names_of_characters_below_a_document_type():
    data = tmx_bytes(("", ("en", "a"), ("de", "auf&nbsp;der&auml;&unknown;"))).replace(
        b"<tmx", b"<!DOCTYPE tmx SYSTEM 'x'><tmx", 1
    )
    assert read([File("m.tmx", data, "reference")]).references["de"].lines == ("auf\u00a0derä&unknown;",)


# ---------------------------------------------------------------- PO

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
PO = r"""
# by hand
#: main.c:1
msgctxt "menu"
msgid "Open"
msgstr "Öffnen"

#, c-format, fuzzy
#| msgid "Save"
msgid ""
"Save "
"\"as\"\n"
msgstr "Sichern\t"
"als\n"

msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d Datei"
msgstr[1] "%d Dateien"
msgid "Close"
msgstr ""

#~ msgid "Old"
#~ msgstr "Alt"
"""


def test_catalogues():
    found = read([File("de.po", (HEADER + PO).encode())])
    assert found.systems["de"].lines == ("Öffnen", "Sichern\tals\n", "%d Datei", "%d Dateien", "")
    assert found.source.lines == ("Open", 'Save "as"\n', "%d file", "%d files", "Close")
    assert found.keys == ("menu|Open", 'Save "as"\n', "%d file [0]", "%d file [1]", "Close")
    assert found.notes == ("de.po: 1 fuzzy entry, read like the others", "de.po: 1 obsolete entry (#~), left out")
    assert [found.systems["de"].where(n) for n in (0, 1)] == ["de.po, line 7", "de.po, line 13"]


def test_catalogues_are_joined_by_msgid():
    entries = ['msgid "a"\nmsgstr "{}a"\n', 'msgid "b"\nmsgstr "{}b"\n']
    first, second = "".join(entries), "".join(entries[::-1])
    found = read([File("A.po", first.format("", "").encode()), File("ref.po", second.format("x", "x").encode())])
    assert found.systems["A"].lines == ("b", "a") and found.references["ref"].lines == ("xb", "xa")


def test_catalogues_in_other_encodings_and_without_translations():
    data = (HEADER + PO).replace("UTF-8", "ISO-8859-1").encode("latin-1")
    assert read([File("de.po", data)]).systems["de"].lines[0] == "Öffnen"
    template = File("all.pot", (HEADER.replace("UTF-8", "CHARSET") + 'msgid "a"\nmsgstr ""\n').encode())
    found = read([template, File("A.txt", b"one\n")])
    assert found.source.lines == ("a",) and [*found.systems] == ["A"]
    with pytest.raises(BadData, match="no entry has a translation"):
        read([template._replace(role="system")])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('msgid "a"\nmsgstr "b\n', "a.po, line 2 is not valid PO (gettext): "),
        ('msgid "a"\nmsgstr "b"\nwords\n', "a.po, line 3 is not valid PO (gettext): words"),
        ('msgid "a"\nmsgid "b"\nmsgstr ""\n', "a.po, line 1: the entry has no msgstr"),
        ('msgid "a"\nmsgstr "b"\nmsgstr "c"\n', "a.po, line 3: the entry has msgstr already"),
        (HEADER, "a.po is PO (gettext) without entries"),
    ],
)
def test_broken_catalogues(text, says):
    with pytest.raises(BadData) as raised:
        read([File("a.po", text.encode())])
    assert says in str(raised.value)
