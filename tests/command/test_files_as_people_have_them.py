"""Tests of small files such as people really have: with headers, markup, missing lines and so on.

Each gives the right scores, or is refused with the place that is wrong."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pytest

import metrics
from metrics.__main__ import main
from metrics.command.files import read_columns
from metrics.text.formats import File, read, recognise_files

CASES = Path(__file__).parents[1] / "data" / "cases"


@pytest.fixture
def call(capsys, monkeypatch):
    """Return a function that runs the program in a folder of the test cases.

    It takes the folder's name and the arguments as one string, and returns the exit status, the parsed JSON (None
    without output) and the messages."""

    def run_in_folder(folder, arguments):
        monkeypatch.chdir(CASES / folder)
        status = main([*arguments.split(), "--format", "json"])
        out, said = capsys.readouterr()
        return status, json.loads(out) if out else None, said

    return run_in_folder


# Folder, arguments, and the right scores by system and metric.
SCORES = [
    ("xliff-translate", "--system A=A.xlf --reference ref.xlf", {"A": {"wer": 0.1, "rouge_l": 0.9}}),
    ("xliff-translate", "--system A=A_copied.xlf --reference ref_copied.xlf", {"A": {"wer": 0.1, "rouge_l": 0.9}}),
    ("xliff-translate", "--system A=A2.xlf --reference ref2.xlf", {"A": {"wer": 0.1}}),
    *[
        ("endings", f"--system A={mt} --reference {ref}", {"A": {"wer": 1 / 14}})
        for mt, ref in (
            ("xlf/handbook_mt.xlf", "xlf/handbook_ref.xlf"),
            ("sdlxliff/handbook_mt.sdlxliff", "sdlxliff/handbook_ref.sdlxliff"),
            ("txlf/handbook_mt.txlf", "txlf/handbook_ref.txlf"),
            ("mixed/handbook_mt.sdlxliff", "mixed/ref.sdlxliff.gz"),
            ("xlf/handbook_mt.xlf", "mixed/ref.XLF"),
        )
    ],
    *[("quotes", f"--corpus {name}.tsv", {"A": {"wer": 0.4}}) for name in ("blank_end", "blank_two", "noquote_blank")],
    ("excel", "--corpus sep.csv", {"A": {"wer": 0.375}}),
    ("excel", "--corpus tail.csv", {"A": {"rouge_l": 11 / 18}}),
    *[
        ("json", f"--corpus pandas{layout}.json", {"hypothesis": {"wer": 3 / 13}})
        for layout in ("", "_index", "_records", "_split")
    ],
    ("json", "--corpus records.jsonl", {"hypothesis": {"wer": 3 / 13}}),
    ("json", "--corpus columns.json", {"prediction": {"wer": 0.1}}),
    ("names", "--corpus systran.tsv", {"DeepL": {"wer": 0.3}, "SYSTRAN": {"wer": 0.2}}),
    ("names", "--corpus pegasus.tsv", {"BART": {"wer": 0.3}, "PEGASUS": {"wer": 0.2}}),
    ("names", "--corpus mt5.tsv", {"BART": {"wer": 0.3}, "mT5": {"wer": 0.2}}),
    ("names", "--corpus mtp.tsv", {"mT5-base": {"wer": 0.3}, "mT5-large": {"wer": 0.2}}),
    ("names", "--corpus reformer.tsv", {"BART": {"wer": 0.3}, "REFORMER": {"wer": 0.2}}),
    ("names", "--corpus xyz.tsv", {"Y": {"wer": 0.3}, "Z": {"wer": 0.2}}),
    ("names", "--corpus dots.tsv", {"GPT-4.1": {"wer": 0.3}, "Claude-3.5": {"wer": 0.2}}),
]


@pytest.mark.parametrize(("folder", "arguments", "right"), SCORES, ids=lambda value: str(value)[:60])
def test_scores_are_right(call, folder, arguments, right):
    asked = ",".join(next(iter(right.values())))
    status, found, _ = call(folder, f"{arguments} --metric {asked}")
    assert status == 0 and found["systems"].keys() == right.keys()
    for system, scores in right.items():
        for key, score in scores.items():
            assert found["systems"][system][key]["score"] == pytest.approx(score, abs=1e-9), (system, key)


@pytest.mark.parametrize("ending", ["xlf", "csv", "jsonl"])
def test_plain_arguments_are_read_as_with_their_options(call, ending):
    _, with_options, _ = call("arguments", f"--system A=A.{ending} --reference ref.{ending} --metric bleu,wer")
    status, found, said = call("arguments", f"A.{ending} ref.{ending} --metric bleu,wer")
    assert status == 0 and f"ref.{ending}: " in said
    for metric in found["results"]:
        score = with_options["systems"]["A"][metric["metric"]]["score"]
        assert math.isclose(metric["score"], score, abs_tol=1e-12)


# Folder, arguments, status, message.
SAID = [
    ("quotes", "--corpus last_short.tsv", 1, "line 6 has 1 column"),
    ("excel", "--corpus latin1.csv", 1, "Windows-1252: iconv"),
    ("json", "--corpus var.jsonl", 0, "up to 3 references a segment"),
    ("json", "--corpus nested.jsonl", 0, "references: a list within a list is read as one list"),
    ("json", "--corpus objects.jsonl", 1, "references: a list of objects is not read"),
    ("json", "--corpus mixed_many.jsonl", 0, "a segment has 3 to 120 of the 120 references"),
    ("json", "--corpus none.jsonl", 0, "none.jsonl, line 2 and 1 more: all references are empty there"),
    ("xliff-translate", "--system A=A.xlf --reference ref.xlf", 0, '1 unit with translate="no" is left out'),
]


@pytest.mark.parametrize(("folder", "arguments", "status", "says"), SAID, ids=lambda value: str(value)[:60])
def test_what_is_left_out_or_wrong_is_said(call, folder, arguments, status, says):
    found, _, said = call(folder, f"{arguments} --metric wer")
    assert found == status and says in said


def test_a_condition_takes_names_with_full_stops(call):
    files = "--system GPT-4.1=a.txt --system Claude-3.5=b.txt --reference ref.txt"
    assert call("names", f"{files} --metric wer --fail-if GPT-4.1.wer>0.1")[0] == 3


def test_a_source_may_say_its_language():
    for name in ("h00", "h01", "h03", "h04", "h05", "h06", "h10", "h11", "h16", "h18"):
        (found,) = recognise_files([File(str(CASES / "headers" / f"{name}.csv"))])
        assert "source" in [role.kind for _, role in found.columns], found.sentence


def test_segments_that_differ_by_nothing_that_counts_are_nobodys():
    """Check that a segment in which both outputs have one error counts for neither system.

    In this corpus these are the first 20 segments, where the outputs differ but their errors are as many."""
    names = ("zero_a.txt", "zero_b.txt", "zero_ref.txt")
    a, b, ref = [[line.split() for line in (CASES / "ties" / name).read_text("utf-8").splitlines()] for name in names]
    for key in ("wer", "ter"):
        found = metrics.corpus_ledger(key, a, b, [[each] for each in ref])
        assert not any(found.worth[:20]) and all(found.worth[20:])


TMX = '<tmx version="1.4"><header srclang="en"/><body>{}</body></tmx>'
UNIT = '<tu><tuv xml:lang="en"><seg>{0}</seg></tuv><tuv xml:lang="de"><seg>{0}</seg></tuv></tu>'
#: Contents of two segments by the description that is expected.
CONTENTS = {
    "XLIFF 1.2": (CASES / "arguments" / "A.xlf").read_bytes(),
    "TMX": TMX.format(UNIT.format("one") + UNIT.format("two")).encode(),
    "JSON lines": (CASES / "arguments" / "A.jsonl").read_bytes(),
    "a list in JSON": b'{"data": [{"hypothesis": "one", "source": "un"}, {"hypothesis": "two", "source": "deux"}]}',
    "a table separated by tabs, with a header": b"source\thypothesis\nun\tone\ndeux\ttwo\n",
    "a table separated by commas, with a header": b'source,hypothesis\nun,"one, or 1"\ndeux,two\n',
    "a table separated by semicolons, with a header": b"source;hypothesis\nun;one\ndeux;two\n",
}
ENDINGS = "xlf sdlxliff mqxliff txlf tmx xml sgm json jsonl jsonlines tsv tab csv".split()
ENDINGS += "txt dat bin po xlsx gz txt.gz xlf.gz".split()
WAYS = [{"role": "system"}, {"role": "reference"}, {"role": "source"}, {}]


@pytest.mark.parametrize("what", CONTENTS)
@pytest.mark.parametrize("ending", [*ENDINGS, ""])
@pytest.mark.parametrize("how", WAYS, ids=str)
def test_what_is_in_a_file_says_how_it_is_written(what, ending, how):
    """Check that markup, JSON and tables are recognised by their content.

    They are recognised under every file name, and also where the file is given as a system, a reference or a source."""
    name, data = f"A.{ending}".removesuffix("."), CONTENTS[what]
    file = File(name, gzip.compress(data) if ending.endswith("gz") else data, **how)
    assert f"{name}: {what}, 2 segments" in recognise_files([file])[0].sentence


@pytest.mark.parametrize("text", ["Yes, sir\nNo, sir\n", "source, reference and more\n1\n", "source,target\na,b,c\n"])
def test_lines_with_commas_are_lines(text):
    assert "one segment per line, 2 lines" in recognise_files([File("A.txt", text.encode())])[0].sentence


@pytest.mark.parametrize("name", ["a.zip", "a.docx", "a.txt", "a.xlsx"])
def test_archives_are_refused(name):
    import io
    import zipfile

    with zipfile.ZipFile(data := io.BytesIO(), "w") as archive:
        archive.writestr("inside.txt", "one")
    with pytest.raises(Exception, match=r"is a zip archive, not a workbook: give the file in it \(inside\.txt\)"):
        read([File(name, data.getvalue(), "system"), File("ref.txt", b"x\n", "reference")])


def test_po_is_read_and_other_markup_is_said():
    po = b'# by hand\nmsgid "a"\nmsgstr "b"\n'
    found = read([File("a.txt", po, "system"), File("ref.txt", b"x\n", "reference")])
    assert [texts.lines for texts in found.systems.values()] == [("b",)]
    found = read([File("a.txt", b"<b>one</b>\n", "system"), File("ref.txt", b"<html>\n", "reference")])
    assert "ref.txt: begins like markup, but is read as one segment per line" in found.notes


@pytest.mark.parametrize("ending", ["trn", "kaldi", "vtt", "srt", "po", "tmx"])
def test_files_of_the_trade_are_read_as_plain_arguments(ending, tmp_path):
    """Check that subtitles and other formats of translators can be given as plain arguments.

    They are read without times, ids and other parts that are not words."""
    forms = {
        "trn": ("{} (a-1)\n{} (a-2)\n", "utf-8"),
        "kaldi": ("a-1 {}\na-2 {}\n", "utf-8"),
        "vtt": ("WEBVTT\n\n00:01.000 --> 00:02.000\n{}\n\n00:02.000 --> 00:03.000\n{}\n", "utf-8"),
        "srt": ("1\n00:00:01,000 --> 00:00:02,000\n{}\n\n2\n00:00:02,000 --> 00:00:03,000\n{}\n", "utf-8"),
        "po": ('msgid "a"\nmsgstr "{}"\nmsgid "b"\nmsgstr "{}"\n', "utf-8"),
        "tmx": (
            '<tmx><header srclang="en"/><body>'
            '<tu><tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="de"><seg>{}</seg></tuv></tu>'
            '<tu><tuv xml:lang="en"><seg>b</seg></tuv><tuv xml:lang="de"><seg>{}</seg></tuv></tu></body></tmx>',
            "utf-16",
        ),
    }
    form, codec = forms[ending]
    paths = [tmp_path / f"{name}.{ending}" for name in ("A", "ref")]
    for path, texts in zip(paths, (("one cat", "two dogs"), ("one hat", "two dogs")), strict=True):
        path.write_bytes(form.format(*texts).encode(codec))
    found = read_columns([str(paths[0])], [str(paths[1])])
    assert found.lines == [["one cat", "two dogs"], ["one hat", "two dogs"]]
