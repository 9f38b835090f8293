"""Tests of hints: advice on options that the program writes to the standard error before it scores.

The advised option gives the score that the hint promises."""

from __future__ import annotations

import json
import re

import pytest

from metrics.__main__ import main

PLAIN = ["The house was sold , didn't it ?", "The old boat was sold , wasn't it ?", "a chair & a table for a guest"]
FILES = {
    "plain": PLAIN,
    "bpe": ["The hou@@ se was s@@ old , didn't it ?", *PLAIN[1:]],
    "escaped": [line.replace("'", "&#39;").replace("&", "&amp;") for line in PLAIN],
    "unseen": [line.replace("sold", "so\u00adld") for line in PLAIN],
    "nfd": ["the cafe\u0301 opens daily", "at nine on Sundays"],
    "nfc": ["the café opens daily", "at nine on Sundays"],
    "thai": ["วันนี้อากาศร้อน", "เขาซื้อหนังสือใหม่"],
    "thai_ref": ["วันนี้อากาศร้อนมาก", "เขาซื้อหนังสือเล่มใหม่"],
}
ADVISED = [
    ("bpe", "plain", "--clean pieces"),
    ("escaped", "plain", "--clean escapes"),
    ("plain", "escaped", "--clean escapes"),
    ("unseen", "plain", "--clean unseen"),
    ("nfd", "nfc", "--normalize"),
    ("thai", "thai_ref", "--tokenize character"),
]


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, lines in FILES.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")

    def call_program(*argv, status=0):
        try:
            assert main([*argv]) == status
        except SystemExit as stop:
            assert stop.code == status
        return capsys.readouterr()

    return call_program


def equivalent_calls(ours, theirs):
    """Return the arguments of three calls that score the texts `ours` against `theirs`, and so give the same hints.

    They give the texts as a plain argument, with a file to compare, and as a system."""
    return [ours, theirs], [ours, theirs, "--compare", ours], [f"--system=A={ours}", f"--reference={theirs}"]


@pytest.mark.parametrize(("ours", "theirs", "option"), ADVISED)
def test_an_option_is_advised_with_the_score_that_it_gives(run, ours, theirs, option):
    for way in equivalent_calls(ours, theirs):
        out, err = run(*way, "-m", "bleu,wer", "-f", "json")
        assert json.loads(out)
        (said,) = [line for line in err.splitlines() if "as it is" in line]
        assert said.endswith(f"; use {option}.")
        _, after = re.search(r"BLEU (0\.\d{4}) as it is, ([01]\.\d{4}) with ", said).groups()
        out, err = run(*way, *option.split(), "-m", "bleu,wer")
        assert "as it is" not in err and re.search(rf"\b{re.escape(after)}\b", out)


def test_nothing_is_said_of_texts_that_are_as_they_should_be(run):
    for way in equivalent_calls("plain", "plain"):
        assert "as it is" not in run(*way, "-m", "bleu").err


def test_what_is_taken_out_is_said_and_signed(run):
    for way in equivalent_calls("bpe", "escaped"):
        out = run(*way, "-m", "bleu", "--clean", "pieces,escapes", "--clean", "unseen").out
        for done in ("the pieces joined", "escapes written as characters", "the invisible characters removed"):
            assert f"The texts are scored with {done}." in out
        assert "|cleaned:pieces+escapes+unseen" in out
    assert "cleaned" not in run("plain", "plain", "-m", "bleu").out


def test_hints_are_in_json(run):
    (hint,) = json.loads(run(*equivalent_calls("unseen", "plain")[2], "-m", "wer", "-f", "json").out)["hints"]
    assert hint["file"] == "unseen" and hint["option"] == "--clean unseen" and hint["metric"] == "WER"
    assert hint["score"] > hint["with"] == 0 and hint["segments"] == 3 and "soft hyphen" in hint["says"]


def test_what_cannot_be_taken_out_is_named(run):
    err = run("plain", "plain", "--clean", "words", status=2).err
    assert "clean must be one of pieces, joints, tags, escapes, unseen, got 'words'" in err
