"""Test each format of files: good files are read, broken ones are refused with the place, gzipped ones read the same.

The texts are two segments of two systems and two references."""

from __future__ import annotations

import gzip
import io
import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.text.files import BadData
from metrics.text.formats import File, files_in_folder, read
from metrics.text.formats.sheets import ColumnRole
from tests.helpers.corpus_files import ONE, SOURCE, TWO, A, B, line_bytes, tsv_bytes, workbook_bytes
from tests.helpers.searching import FREE


def json_lines_bytes(*rows):
    return line_bytes([json.dumps(row) for row in rows])


def xliff_bytes(targets, version="1.2"):
    units = {
        "1.2": '<trans-unit id="{}"><source>{}</source><target>{}</target></trans-unit>',
        "2.0": '<unit id="{}"><segment><source>{}</source><target>{}</target></segment></unit>',
    }[version]
    body = "\n".join([units.format(n, s, t) for n, (s, t) in enumerate(zip(SOURCE, targets, strict=True), 1)])
    body = f"<body>{body}</body>" if version == "1.2" else body
    space = f"urn:oasis:names:tc:xliff:document:{version}"
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="{version}" xmlns="{space}">'
    return f'{head}<file id="f" original="cats.txt">\n{body}</file></xliff>\n'.encode()


def wmt_bytes(**texts_by_side):
    """Return a file in WMT's XML format; the texts' names are `src`, or `ref_` or `hyp_` with a name."""

    def side_xml(name, texts):
        kind, _, who = name.partition("_")
        attribute = {"src": "", "ref": f' translator="{who}"', "hyp": f' system="{who}"'}[kind]
        segments = "\n".join([f'<seg id="{n}">{text}</seg>' for n, text in enumerate(texts, 1)])
        return f'<{kind} lang="x"{attribute}><p>{segments}</p></{kind}>'

    body = "\n".join([side_xml(name, texts) for name, texts in texts_by_side.items()])
    return f'<dataset id="d"><collection id="c"><doc id="pets">\n{body}</doc></collection></dataset>'.encode()


def sgml_bytes(kind, name, texts):
    body = "\n".join([f'<seg id="{n}"> {text} </seg>' for n, text in enumerate(texts, 1)])
    return f'<{kind} setid="s">\n<DOC docid="pets" sysid="{name}">\n{body}\n</DOC></{kind}>\n'.encode()


TMX = (
    '<?xml version="1.0"?><!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4"><header srclang="de-AT"/><body>'
    + "".join(
        [
            f'<tu><tuv xml:lang="de-AT"><seg>{s}</seg></tuv><tuv xml:lang="en"><seg>{r}</seg></tuv></tu>\n'
            for s, r in zip(SOURCE, ONE, strict=True)
        ]
    )
    + "</body></tmx>"
).encode()
COMET = {
    f"out/system.{name}.en": [
        {"src": s, "mt": m, "ref": r, "COMET": c} for s, m, r, c in zip(SOURCE, texts, ONE, (0.5, 0.75), strict=True)
    ]
    for name, texts in (("A", A), ("B", B))
}
TABLE = ("src", "reference", "ref2", "A", "B", "A.COMET", "domain")
ROWS = (SOURCE, ONE, TWO, A, B, ("0.5", "None"), ("pets", "pets"))
TESTSET = json_lines_bytes(
    *[
        {"doc_id": n, "src_text": s, "refs": {"refA": {"ref": r}}}
        for n, s, r in zip(("pets-1", "pets-2"), SOURCE, ONE, strict=True)
    ]
)
#: By case: the files, and what is read from them: systems, references, whether there is a source, scores.
GOOD = {
    "a line a segment": (
        {
            "A.txt": line_bytes(A),
            "system.B.en.txt": line_bytes(B),
            "reference.one.en.txt": line_bytes(ONE),
            "source.de": line_bytes(SOURCE),
        },
        ({"A": A, "B": B}, {"one": ONE}, True, {}),
    ),
    "line ends and a mark": (
        {"A.txt": b"\xef\xbb\xbfTwo cats\r\nA dog", "B.txt": b"2 cats\rOne dog\r", "ref.txt": line_bytes(ONE)},
        ({"A": A, "B": B}, {"ref": ONE}, False, {}),
    ),
    "TSV": (
        {"t.tsv": tsv_bytes(TABLE, *ROWS)},
        ({"A": A, "B": B}, {"reference": ONE, "ref2": TWO}, True, {"COMET": {"A": (0.5, None)}}),
    ),
    "CSV": (
        {"t.csv": b'source;ref;mt;score\r\nZwei Katzen;"Two cats .";"Two cats";1\r\nEin Hund;A dog .;A dog;2\r\n'},
        ({"mt": A}, {"ref": ONE}, True, {"score": {"mt": (1.0, 2.0)}}),
    ),
    "XLSX": (
        {"t.xlsx": workbook_bytes(TABLE, *zip(*ROWS, strict=True), sheets=["more"])},
        ({"A": A, "B": B}, {"reference": ONE, "ref2": TWO}, True, {"COMET": {"A": (0.5, None)}}),
    ),
    "JSONL by key": (
        {
            "test.jsonl": TESTSET,
            "B.jsonl": json_lines_bytes(
                {"doc_id": "pets-2", "hypothesis": B[1]}, {"doc_id": "pets-1", "hypothesis": B[0]}
            ),
        },
        ({"B": B}, {"refA": ONE}, True, {}),
    ),
    "JSONL with all": (
        {
            "all.jsonl": json_lines_bytes(
                *[
                    {"id": n, "src_text": s, "tgt_text": {"refA": r, "A": a}, "scores": {"A": {"esa": n}}}
                    for n, (s, r, a) in enumerate(zip(SOURCE, ONE, A, strict=True))
                ]
            )
        },
        ({"A": A}, {"refA": ONE}, True, {"esa": {"A": (0.0, 1.0)}}),
    ),
    "COMET's JSON": (
        {"comet.json": json.dumps(COMET).encode()},
        ({"A": A, "B": B}, {"ref": ONE}, True, {"COMET": {"A": (0.5, 0.75), "B": (0.5, 0.75)}}),
    ),
    "XLIFF 1.2": ({"A.xlf": xliff_bytes(A), "ref.xliff": xliff_bytes(ONE)}, ({"A": A}, {"ref": ONE}, True, {})),
    "XLIFF 2": (
        {"A.xlf": xliff_bytes(A, "2.0"), "ref.xlf": xliff_bytes(ONE, "2.0")},
        ({"A": A}, {"ref": ONE}, True, {}),
    ),
    "TMX": ({"memory.tmx": TMX, "A.txt": line_bytes(A)}, ({"A": A}, {"en": ONE}, True, {})),
    "WMT's XML": (
        {"test.xml": wmt_bytes(src=SOURCE, ref_one=ONE, ref_two=TWO[:1], hyp_A=A, hyp_B=B)},
        ({"A": A, "B": B}, {"one": ONE, "two": TWO}, True, {}),
    ),
    "SGML": (
        {
            "src.sgm": sgml_bytes("srcset", "", SOURCE),
            "ref.sgm": sgml_bytes("refset", "one", ONE),
            "A.sgm": sgml_bytes("tstset", "A", A),
        },
        ({"A": A}, {"one": ONE}, True, {}),
    ),
    "mt-metrics-eval": (
        {
            "wmt/sources/de-en.txt": line_bytes(SOURCE),
            "wmt/documents/de-en.docs": line_bytes(["news pets", "news pets"]),
            "wmt/references/de-en.refA.txt": line_bytes(ONE),
            "wmt/references/de-en.refB.jsonl": json_lines_bytes({"target": TWO[0]}, {"target": TWO[1]}),
            "wmt/system-outputs/de-en/A.txt": line_bytes(A),
            "wmt/system-outputs/de-en/refA.txt": line_bytes(ONE),
            "wmt/human-scores/de-en.mqm.seg.score": b"A\t-1\nA\tNone\n",
            "wmt/human-scores/de-en.mqm.sys.score": b"A\t-1\n",
            "wmt/metric-scores/de-en/COMET-refA.seg.score": b"A 0.5\nA 0.75\n",
        },
        ({"A": A}, {"refA": ONE, "refB": TWO}, True, {"mqm": {"A": (-1.0, None)}, "COMET-refA": {"A": (0.5, 0.75)}}),
    ),
}


def write_files(folder, files):
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def read_contents(files, **more):
    """Return the contents of `files`, which are given as bytes by name.

    They are (lines by system, lines by reference, whether the source is SOURCE, scores)."""
    found = read([File(name, data) for name, data in files.items()], **more)
    assert [each.file for each in found.files] == [*files] or len(found.files) < len(files)
    return (
        {name: texts.lines for name, texts in found.systems.items()},
        {name: texts.lines for name, texts in found.references.items()},
        found.source is not None and found.source.lines == SOURCE,
        found.scores,
    )


@pytest.mark.parametrize("case", GOOD)
def test_good_files(case):
    files, expected = GOOD[case]
    assert read_contents(files) == expected


@pytest.mark.parametrize("case", GOOD)
def test_gzipped_files(case):
    files, expected = GOOD[case]
    assert read_contents({f"{name}.gz": gzip.compress(data) for name, data in files.items()}) == expected


@pytest.mark.parametrize("case", ["TSV", "JSONL by key", "mt-metrics-eval"])
def test_folders(case, tmp_path):
    files, expected = GOOD[case]
    write_files(tmp_path, files)
    (tmp_path / "LICENSE").write_text("none")
    (tmp_path / ".hidden").write_text("none")
    found = read(files_in_folder(str(tmp_path)))
    assert {name: texts.lines for name, texts in found.systems.items()} == expected[0]
    assert {name: texts.lines for name, texts in found.references.items()} == expected[1]
    assert found.scores == expected[3]


def test_a_language_pair_of_a_folder_is_named(tmp_path):
    files, *_ = GOOD["mt-metrics-eval"]
    for pair in ("de-en", "en-de"):
        write_files(tmp_path, {name.replace("de-en", pair): data for name, data in files.items()})
    with pytest.raises(BadData, match="there are 2 language pairs: de-en, en-de; name one"):
        files_in_folder(str(tmp_path))
    assert all("en-de" in file.name for file in files_in_folder(f"{tmp_path}:en-de"))
    with pytest.raises(BadData, match="there is no language pair xx; there are de-en, en-de"):
        files_in_folder(f"{tmp_path}:xx")


def test_where_segments_stand_and_what_they_belong_to():
    found = read([File(name, data) for name, data in GOOD["JSONL by key"][0].items()])
    assert found.systems["B"].where(0) == "B.jsonl, line 2"
    assert found.references["refA"].where(0) == "test.jsonl, line 1"
    assert found.keys == ("pets-1", "pets-2")
    found = read([File("t.csv", b'doc,ref,mt\nd,"a\nb",x\ne,c,y\n')])
    assert [found.systems["mt"].where(k) for k in range(2)] == ["t.csv, line 2", "t.csv, line 4"]
    assert found.documents == ("d", "e") and found.references["ref"].lines == ("a\nb", "c")
    found = read([File("test.xml", wmt_bytes(src=SOURCE, ref_one=ONE, hyp_A=A))])
    assert (found.documents, found.keys) == (("pets", "pets"), ("1", "2"))
    assert found.systems["A"].where(1) == "test.xml, line 3"
    found = read([File("t.xlsx", workbook_bytes(["ref", "mt"], ["a", 2.0], [], ["b", True]))])
    assert found.systems["mt"].lines == ("2", "TRUE") and found.systems["mt"].where(1) == "t.xlsx, row 4"
    assert [name for name, _ in read([File("t.tsv", tsv_bytes(TABLE, *ROWS))]).references_of(1)] == ["reference"]


def test_what_is_recognised_is_said():
    found = read([File("t.tsv", tsv_bytes(TABLE, *ROWS))])
    assert [each.sentence for each in found.files] == [
        "t.tsv: a table separated by tabs, with a header, 2 segments; src (source), reference, "
        "ref2 (reference ref2), A (system A), B (system B), A.COMET (score A.COMET); left out: domain"
    ]
    assert dict(found.files[0].columns)["ref2"] == ColumnRole("reference", "ref2") and found.files[0].guessed
    found = read([File("a.txt", line_bytes(A), "system", "A"), File("r.txt", line_bytes(ONE), "reference")])
    assert [each.sentence for each in found.files] == [
        "a.txt: one segment per line, 2 lines, system A",
        "r.txt: one segment per line, 2 lines, reference r",
    ]
    assert not any(each.guessed for each in found.files) and not found.notes


def test_what_is_recognised_can_be_corrected():
    files = [File("t.tsv", tsv_bytes(("one", "two", "ref"), A, B, ONE))]
    assert [*read(files).systems] == ["one", "two"]
    found = read(files, {"two": "reference:B", "t.tsv:ref": "nothing", "one": "system:X"})
    assert ([*found.systems], [*found.references]) == (["X"], ["B"])
    assert read([File("a.txt", line_bytes(A)), File("b.txt", line_bytes(B))], {"b.txt": "source"}).source.lines == B
    with pytest.raises(BadData, match="no file has the column three, which was given as system C"):
        read(files, {"three": "system:C"})
    with pytest.raises(ValueError, match="a role is one of system, reference"):
        read(files, {"one": "translation"})


def test_one_text_of_a_file_is_asked_for():
    table = tsv_bytes(TABLE, *ROWS)
    found = read(
        [File("t.tsv", table, "system", "X", "B"), File("t.tsv", table, "reference"), File("m.tmx", TMX, "source")]
    )
    assert found.systems["X"].lines == B and [*found.references] == ["reference", "ref2"]
    assert read([File("t.tsv", table, "reference", "", "a")]).references["A"].lines == A
    with pytest.raises(BadData, match=r"t.tsv has the columns src, .*; say which is meant, such as t.tsv:A"):
        read([File("t.tsv", table, "system", "X")])
    with pytest.raises(BadData, match=r"t\.tsv has no column C; its columns are src, reference"):
        read([File("t.tsv", table, "system", "X", "C")])
    memory = TMX.replace(b"</tu>", b'<tuv xml:lang="fr"><seg>f</seg></tuv></tu>')
    assert read([File("m.tmx", memory, "reference", "", "fr")]).references["fr"].lines == ("f", "f")
    with pytest.raises(BadData, match="the files hold no texts"):
        read([File("s.tsv", b"id\tdomain\n1\tx\n")])


def test_tags_are_left_out_or_kept():
    body = (
        'Click <g id="1">here</g><x id="2"/>, <bpt id="3">{b}</bpt>now<ept id="3">{/b}</ept> <mrk mtype="seg">go</mrk>'
    )
    file = File("A.xlf", xliff_bytes((body, "A dog")))
    found = read([file])
    assert found.systems["A"].lines[0] == "Click here, now go"
    assert found.notes == ("A.xlf: 4 inline tags are removed without splitting words",)
    found = read([file], keep_tags=True)
    assert found.systems["A"].lines[0].split() == "Click <1> here </1> <2/> , <3> now </3> go".split()
    assert found.notes == ("A.xlf: 4 inline tags are kept as words such as <1>",)
    second = xliff_bytes(('a<pc id="1">b</pc><ph id="2"/><cp hex="0007"/>', "c"), "2.0")
    assert read([File("A.xlf", second)]).systems["A"].lines[0] == "ab\x07"


@pytest.mark.parametrize("name", ["pe.txt", "en-de.pe", "x.post-edited.txt", "postedits.txt", "PE.txt", "mtpe.de.txt"])
def test_post_edited_references_make_ter_hter(name):
    found = read([File("A.txt", line_bytes(A)), File(name, line_bytes(ONE), "reference")])
    (reference,) = found.edited
    assert found.notes == (
        f"{reference} is a post-edited output: TER is the HTER of the system whose output was edited",
    )
    found = read([File("t.tsv", tsv_bytes(("mt", "pe", "ref"), A, ONE, ONE))])
    assert found.edited == {"pe"} and "TER against it alone is the HTER" in found.notes[0]


@pytest.mark.parametrize("name", ["ref.es-PE.txt", "ref_es-PE.txt", "open.txt", "peter.txt", "reference.txt"])
def test_other_references_do_not(name):
    files = [File("A.txt", line_bytes(A)), File(name, line_bytes(ONE), "reference")]
    assert not read(files).edited and len(read(files, edited=True).edited) == 1


#: Broken files, and the error message for them.
BROKEN = [
    (
        {"a.txt": b"x\n", "ref.txt": b"x\ny\n"},
        "ref.txt has 2 lines, but a.txt has 1; all must hold the same segments, one a",
    ),
    ({"a.txt": b"x\n\xff\n"}, "a.txt must be UTF-8, but byte 1 of line 2 is 0xFF"),
    ({"a b.txt": "x".encode("utf-16")}, "it looks like UTF-16: iconv -f UTF-16 -t UTF-8 'a b.txt' > new.txt"),
    ({"a.txt": "words\n".encode("utf-16-le")}, "is zero; it looks like UTF-16LE: iconv -f UTF-16LE -t UTF-8 a.txt"),
    ({"a.txt": "words\n".encode("utf-16-be")}, "is zero; it looks like UTF-16BE: iconv -f UTF-16BE"),
    ({"a.txt": gzip.compress(gzip.compress(b"x\n"))}, "it looks like gzip: gzip -dc a.txt > new.txt"),
    ({"a.txt": b"\xfd7zXZ\0\xff"}, "it looks like xz: xz -dc a.txt > new.txt"),
    ({"a.gz": gzip.compress(b"x\n" * 99)[:-9]}, "a.gz is not a valid gzip file: "),
    ({"a.txt": b""}, "a.txt is empty"),
    ({"t.tsv": b"ref\tmt\na\tb\na\n"}, "t.tsv, line 3 has 1 column, but the header has 2"),
    ({"t.tsv": b"ref\tmt\tmt\na\tb\tc\n"}, "t.tsv, line 1: the column mt occurs twice in the header"),
    ({"t.tsv": b"ref\tmt\n"}, "t.tsv has a header and nothing below it"),
    ({"t.tsv": b"Two cats\tA dog\nx\ty\n"}, "none of the columns Two cats, A dog has a known name"),
    (
        {"t.tsv": b"line\tsystem\tmqm\n1\tA\t0\n2\tA\t0\n1\tB\t0\n2\tB\t0\n"},
        "the column system names the system of each row",
    ),
    ({"t.tsv": b"ref\tmt\tscore\na\tb\t1e999\n"}, "t.tsv, line 2: score must be a number, got 1e999"),
    ({"t.csv": b'ref,mt\na,"b\nc,"d, e"\n'}, "t.csv, line 3 has 3 columns, but the header has 2"),
    ({"t.tsv": b"ref\tmt\na\tb\n\nc\td\n"}, "t.tsv, line 3 has 1 column, but the header has 2"),
    ({"t.csv": "ref;mt\na;zu sp\u00e4t\n".encode("cp1252")}, "looks like Windows-1252: iconv -f WINDOWS-1252 -t UTF-8"),
    ({"t.xlsx": b"PK\x03\x04 nothing"}, "t.xlsx is not a valid workbook: "),
    ({"t.xlsx": b"x"}, "t.xlsx is not a valid workbook: "),
    (
        {"x.jsonl": b'{"ref": "a", "mt": "b"}\n{"ref": }\n'},
        "x.jsonl, line 2 is not valid JSON: Expecting value at character 9",
    ),
    ({"x.jsonl": b'{"ref": "a", "mt": "b"}\n[1]\n'}, "x.jsonl, line 2 is a list, not an object"),
    ({"x.jsonl": b'{"ref": "a", "mt": "b"}\n{"ref": "a"}\n'}, "x.jsonl, line 2: the output of mt is missing"),
    ({"x.jsonl": b'{"mt": "a", "mt": "b"}\n'}, "x.jsonl, line 1: an object has mt twice"),
    ({"x.jsonl": b'{"mt": "a\\ud800"}\n'}, "half of a surrogate pair is not a character: a\\ud800"),
    ({"x.json": b'{"a": [{"mt": "x"}], "b": [{"mt": "x"}, {"mt": "y"}]}'}, "x.json: b has 2 segments, but a has 1"),
    (
        {"x.json": b'{"a": [{"mt": "x", "ref": "r"}], "b": [{"mt": "x", "ref": "s"}]}'},
        "x.json, entry 1: ref of b differs from that of a",
    ),
    (
        {"test.jsonl": TESTSET, "A.jsonl": json_lines_bytes({"doc_id": "pets-1", "hypothesis": "x"})},
        "A.jsonl: the key pets-2",
    ),
    (
        {
            "test.jsonl": TESTSET,
            "A.jsonl": json_lines_bytes(*[{"doc_id": f"pets-{n}", "hypothesis": "x"} for n in (1, 2, 3)]),
        },
        "A.jsonl, line 3: the key pets-3 is not in test.jsonl",
    ),
    (
        {
            "test.jsonl": TESTSET,
            "A.jsonl": json_lines_bytes(*[{"doc_id": f"pets-{n}", "hypothesis": "x"} for n in (1, 2, 2)]),
        },
        "A.jsonl, line 3: the key pets-2 is already in line 2",
    ),
    ({"source.txt": line_bytes(SOURCE)}, "the files hold no texts of systems or references"),
    ({"A.xlf": xliff_bytes(A)[:-9]}, "A.xlf, line 4 is not valid XML: "),
    ({"A.xlf": b"<xliff version='1.2'><file/></xliff>"}, "A.xlf is XLIFF without units"),
    ({"A.xml": b"<html/>"}, "A.xml is markup of an unknown kind: it begins with <html>"),
    ({"A.xml": wmt_bytes(src=SOURCE, hyp_A=A[:1])}, "A.xml, line 3: the output of A is missing"),
    (
        {"A.xml": wmt_bytes(hyp_A=A).replace(b'"2"', b'"1"')},
        "A.xml, line 3: segment 1 of document pets occurs twice in hyp A",
    ),
    ({"A.sgm": sgml_bytes("tstset", "A", A).replace(b"</seg>", b"", 1)}, "A.sgm, line 3: a segment does not end"),
    ({"A.txt": b"x\n", "B.jsonl": b'{"hypothesis":"y"}\n', "system.A.txt": b"x\n"}, "the system A is in A.txt already"),
]


@pytest.mark.parametrize(("files", "says"), BROKEN, ids=lambda value: value[:50] if isinstance(value, str) else "")
def test_broken_files(files, says):
    with pytest.raises(BadData) as raised:
        read_contents(files)
    assert says in str(raised.value)
    assert str(raised.value).isprintable()


def test_what_is_missing_is_noted():
    found = read([File("A.txt", line_bytes(A)), File("ref.txt", b"\nx\n")])
    assert found.notes == ("ref.txt, line 1: all references are empty there",)
    found = read([File("A.txt", line_bytes(A)), File("ref.1.txt", line_bytes(ONE)), File("ref.2.txt", line_bytes(TWO))])
    assert found.notes == ("ref.2.txt: 1 of 2 segments have the reference 2",)
    found = read([File("t.tsv", tsv_bytes(("ref", "A", "B", "C.esa", "length"), ONE, A, B, ("1", "2"), ("1", "2")))])
    assert found.scores == {} and found.notes == (
        "t.tsv: the scores C.esa are left out, because the column's name contains no system",
    )


def test_files_with_and_without_keys_are_joined_by_order():
    found = read([File("test.jsonl", TESTSET), File("A.txt", line_bytes(A))])
    assert found.systems["A"].lines == A and found.keys == ("pets-1", "pets-2")
    backwards = json_lines_bytes({"doc_id": "pets-2", "hypothesis": B[1]}, {"doc_id": "pets-1", "hypothesis": B[0]})
    found = read([File("test.jsonl", TESTSET), File("A.txt", line_bytes(A)), File("B.jsonl", backwards)])
    assert (found.systems["A"].lines, found.systems["B"].lines) == (A, B)
    assert "A.txt has no keys: its segments are joined by their order to test.jsonl" in found.notes[0]


def test_quotation_marks_in_tables():
    """Check that quotation marks in a tab-separated table are text, unless they enclose whole cells."""
    raw = b'ref\tmt\n"Hello," he said.\t"Bye"\n"a" b\tc\n'
    assert read([File("t.tsv", raw)]).systems["mt"].lines == ('"Bye"', "c")
    quoted = b'ref\tmt\n"""Hello"" he said."\t"a\tb"\nx\ty\n'
    found = read([File("t.tsv", quoted)])
    assert (found.references["ref"].lines[0], found.systems["mt"].lines[0]) == ('"Hello" he said.', "a\tb")


@pytest.mark.parametrize(
    ("name", "data", "reference"),
    [
        ("t.tsv", 'ref\tmt\n"Sie lachte.\t"x\nEs regnete.\ty\nJa."\tz"\n\n', ['"Sie lachte.', "Es regnete.", 'Ja."']),
        ("t.tsv", 'ref\tmt\n"Zwei\nZeilen."\tx\n"""a"""\ty\n', ["Zwei\nZeilen.", '"a"']),
        ("t.tsv", "ref\tmt\na\tb\n\t\n\n", ["a"]),
        ("t.csv", 'ref,mt\n"b,x\nc,d\ne",y\n', ['"b', "c", 'e"']),
        ("t.csv", 'ref,mt\n"a, b",c\n"x ""y""",z\n', ["a, b", 'x "y"']),
        ("t.csv", "sep=;\r\nref;mt\r\na;b\r\n", ["a"]),
        ("t.csv", '\ufeff"ref";mt\na;b\n;\n;\n', ["a"]),
    ],
    ids=["swallow", "pandas", "blank", "lines", "csv", "sep", "excel"],
)
def test_tables_lose_no_row(name, data, reference):
    """Check that reading a table loses no row.

    Quotation marks enclose cells only where this fits the whole file; empty rows at the end are ignored."""
    (column,) = read([File(name, data.encode())]).references.values()
    assert [*column.lines] == reference


# ---------------------------------------------------------------- any texts

TEXTS = st.lists(
    st.tuples(*[st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=9)] * 2),
    min_size=1,
    max_size=4,
)


@given(TEXTS)
@settings(max_examples=40, deadline=None)
def test_what_is_written_is_read(pairs):
    references, outputs = (tuple(column) for column in zip(*pairs, strict=True))
    rows = [{"ref": r, "mt": f"x{m}"} for r, m in pairs]
    expected = references, tuple([f"x{m}" for m in outputs])

    import csv
    from xml.sax.saxutils import escape

    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, ["ref", "mt"], quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(rows)
    units = "".join(
        [
            f"<trans-unit id='{n}'><source>{escape('x' + row['ref'] + 'x')}</source>"
            f"<target>{escape(row['mt'] + 'x')}</target></trans-unit>"
            for n, row in enumerate(rows)
        ]
    )
    for file in (File("t.csv", text.getvalue().encode()), File("t.jsonl", json_lines_bytes(*rows))):
        found = read([file])
        assert (found.references["ref"].lines, found.systems["mt"].lines) == expected
    if not any(
        ord(c) in range(0xFFFE, 0x110000, 0x10000) or c in "\ufffe\uffff" for row in rows for c in "".join(row.values())
    ):
        found = read([File("a.xlf", f"<xliff version='1.2'><file>{units}</file></xliff>".encode())])
        assert found.systems["a"].lines == tuple([f"{each}x" for each in expected[1]])
        assert found.source.lines == tuple([f"x{each}x" for each in references])


#: Pieces of the formats' syntax, inserted at random positions.
PIECES = [
    *(b'"', b"\t", b"\n", b"\r", b"<", b">", b"&", b"{", b"}", b"[", b"]", b":", b",", b"\0", b"\xff"),
    *(b"\xe2\x80\xae", b"-", b'"a":1,', b"ref", b"mt", b"system", b"score", b"doc_id", b"id", b"null", b"1e999"),
    *(b"NaN", b"<seg>", b"</seg>", b"&a;"),
]


@pytest.mark.parametrize("case", GOOD)
def test_damaged_files_are_read_or_refused(case):
    """Check files with changed, lost or doubled bytes: each is read consistently, or refused in one sentence."""
    random = Random(case)
    for _ in range(60 * max(FREE, 1)):
        files = dict(GOOD[case][0])
        for _ in range(random.randint(1, 3)):
            name = random.choice([*files])
            data = files[name]
            a, b = sorted(random.choices(range(len(data) + 1), k=2))
            files[name] = random.choice(
                [data[:a] + random.choice(PIECES) + data[a:], data[:a] + data[min(b, a + 20) :], data[:b] + data[a:]]
            )
        try:
            found = read([File(name, data) for name, data in files.items()])
        except BadData as error:
            assert str(error).isprintable()
            continue
        columns = [*found.systems.values(), *found.references.values(), *filter(None, [found.source])]
        assert {len(texts.lines) for texts in columns} == {len(texts.numbers) for texts in columns} == {len(found)}
        assert all(len(column) == len(found) for each in found.scores.values() for column in each.values())
        assert all(each.isprintable() for each in (*found.notes, *[file.sentence for file in found.files]))
