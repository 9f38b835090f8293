"""Tests of files in several formats on the command line, such as tables, JSON lines and archives.

The program says what it recognises before it scores. The scores equal those of the same lines in plain files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from metrics.__main__ import main
from tests.helpers.corpora import FOLDER as TED

NAMES = {"A": "system.MiSS.en.txt", "B": "system.SMU.en.txt", "R": "reference.A.en.txt", "S": "source.zh.txt"}
TEXTS = {name: (TED / file).read_text("utf-8").splitlines() for name, file in NAMES.items()}
PLAIN = ["--system", f"A={TED / NAMES['A']}", "--system", f"B={TED / NAMES['B']}", "--reference", str(TED / NAMES["R"])]


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    rows = [*zip(*TEXTS.values(), strict=True)]
    write_file("table.tsv", "\n".join(["\t".join(row) for row in (("A", "B", "ref", "source"), *rows)]) + "\n")
    write_file(
        "test.jsonl",
        *[json.dumps({"doc_id": n, "src_text": s, "refs": {"R": {"ref": r}}}) for n, (_, _, r, s) in enumerate(rows)],
    )
    for name in "AB":
        lines = [json.dumps({"doc_id": n, "hypothesis": text}) for n, text in enumerate(TEXTS[name])]
        Path(f"{name}.jsonl.gz").write_bytes(gzip.compress("\n".join(lines[::-1]).encode()))

    def call_program(*argv, status=0):
        assert main([*argv, "-m", "bleu,ter", "-f", "json"]) == status
        done = capsys.readouterr()
        # These texts are not tokenised, which all calls say.
        lines = [line for line in done.err.splitlines() if "punctuation is attached to words" not in line]
        return json.loads(done.out) if done.out else {}, lines

    return call_program


def write_file(name, *lines):
    Path(name).write_text("\n".join(lines), "utf-8")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--corpus", "table.tsv"], 1),
        (["--corpus", "test.jsonl", "--corpus", "B.jsonl.gz", "--corpus", "A.jsonl.gz"], 3),
        (["--system", "A=A.jsonl.gz", "--system", "B=B.jsonl.gz", "--reference", "test.jsonl"], 3),
        (["--system", "A=table.tsv:A", "--system", "B=table.tsv:b", "--reference", "table.tsv:ref"], 3),
        (["--system", "A=table.tsv:A", "--corpus", "B.jsonl.gz", "--corpus", "test.jsonl"], 4),
        ([*PLAIN, "--source", "table.tsv:source"], 1),
        (PLAIN, 0),
    ],
)
def test_numbers_are_those_of_the_lines(run, argv, said):
    plain, quiet = run(*PLAIN)
    found, err = run(*argv)
    assert not quiet and len(err) == said
    assert {name: found["systems"][name] for name in "AB"} == plain["systems"]
    assert found["segments"] == plain["segments"] == 60


def test_what_is_recognised_is_said(run):
    _, err = run("--corpus", "table.tsv", "--paired", "A", "--why", "A,B")
    assert err == [
        "python -m metrics: table.tsv: a table separated by tabs, with a header, 60 segments; A (system A), "
        "B (system B), ref (reference ref), source."
    ]


def test_columns_are_corrected_and_references_said_to_be_edited(run):
    found, err = run("--corpus", "table.tsv", "--column", "B=reference:B", "--post-edited")
    assert [*found["systems"]] == ["A"] and found["references"] == ["table.tsv", "table.tsv"]
    assert "B (reference B)" in err[0] and "B, ref are post-edited outputs: TER" in err[1]
    _, err = run("--corpus", "table.tsv", "--column", "C=source", status=1)
    assert err == ["python -m metrics: no file has the column C, which was given as source."]


def test_folders_are_read(run, tmp_path):
    (tmp_path / "all").mkdir()
    for file in NAMES.values():
        (tmp_path / "all" / file).write_bytes((TED / file).read_bytes())
    found, err = run("--corpus", "all")
    plain, _ = run(*PLAIN)
    assert found["systems"]["MiSS"] == plain["systems"]["A"] and len(err) == 4
    assert err[0] == "python -m metrics: all/reference.A.en.txt: one segment per line, 60 lines, reference A."


def test_a_file_with_a_colon_in_its_name_comes_first(run):
    write_file("table.tsv:A", *TEXTS["B"])
    plain, _ = run(*PLAIN)
    found, err = run("--system", "A=table.tsv:A", "--reference", "table.tsv")
    assert found["systems"]["A"] == plain["systems"]["B"] and len(err) == 1


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["--corpus", "A.jsonl.gz"], "the files hold no references: A.jsonl.gz: JSON lines, 60 segments; doc_id (key)"),
        (["--corpus", "none"], "none does not exist"),
        (["--corpus", "."], "the system A is in"),
        (["--corpus", "table.tsv", "--paired", "C"], "there is no system 'C'; the systems are A, B"),
        (["--system", "A=table.tsv", "--reference", "table.tsv"], "say which is meant, such as table.tsv:A"),
    ],
)
def test_files_that_cannot_be_scored(run, argv, says):
    _, err = run(*argv, status=1)
    assert len(err) == 1 and says in err[0]


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["--corpus", "table.tsv", "--column", "A"], "a column and its role are given as COLUMN=ROLE, got 'A'"),
        (["--corpus", "table.tsv", "--column", "A=b"], "a role is one of system, reference, source"),
        (["a.txt", "b.txt", "--source", "table.tsv"], "--source needs systems, which --system gives"),
        (["--source", "table.tsv", "--system", f"A={TED}"], "each at least once, or --corpus FILE"),
    ],
)
def test_wrong_calls(run, argv, says):
    _, err = run(*argv, status=2)
    assert len(err) == 1 and says in err[0]
