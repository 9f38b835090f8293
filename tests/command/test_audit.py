"""Tests of the audit, a file with everything that is needed to rebuild the scores of a corpus.

It rebuilds every score, and a change to the audit or to the texts is found."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest

import metrics
from metrics.__main__ import main
from metrics.command import audit
from metrics.text import files
from metrics.text.files import BadData

CANDIDATES = ["the cat sat on the mat", "", "police kill the gunman", "a b c d e f"]
REFERENCES = [
    ["a cat sat on a mat", "x", "police killed the gunman", "a b x d e f"],
    ["the cat is on the mat", "", "the gunman was killed by police", "f e d c b a"],
]
KEYS = "bleu,nist,rouge_l,rouge_s,gtm,sia,dcs,ribes,wer,ter"


@pytest.fixture
def audit_and_text_files(tmp_path):
    """Write texts and the audit of their scores; return the paths of the audit, the candidate and the references."""
    names = []
    for name, lines in (("candidate", CANDIDATES), ("one", REFERENCES[0]), ("two", REFERENCES[1])):
        path = tmp_path / name
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        names.append(str(path))
    out = str(tmp_path / "audit.jsonl")
    assert main([*names, "--metric", KEYS, "--gtm-exponent", "1.5", "--lowercase", "--audit", out]) == 0
    return [out, *names]


def read_audit_rows(audit_and_text_files):
    return [json.loads(line) for line in Path(audit_and_text_files[0]).read_text(encoding="utf-8").splitlines()]


def verify_changed_rows(audit_and_text_files, changed):
    Path(audit_and_text_files[0]).write_text("".join(f"{json.dumps(row)}\n" for row in changed), encoding="utf-8")
    return audit.verify_audit(audit_and_text_files[0], audit_and_text_files[1:])


def test_every_score_is_rebuilt(audit_and_text_files, capsys):
    capsys.readouterr()
    assert main(["verify", *audit_and_text_files]) == 0
    *rebuilt, summary = capsys.readouterr().out.splitlines()
    assert summary == "40 results rebuilt, every score follows from its marks"
    head, *results = read_audit_rows(audit_and_text_files)
    candidates = [line.split() for line in CANDIDATES]
    references = [[line.split() for line in both if line] or [[]] for both in zip(*REFERENCES, strict=True)]
    assert head["corpus"]["gtm"]["score"] == metrics.corpus_score("gtm", candidates, references, exponent=1.5).score
    assert {row["metric"] for row in results} == {*KEYS.split(",")} and len(results) == 40
    assert all(row["signature"].startswith(f"{row['metric']}|") and "case:lc" in row["signature"] for row in results)
    assert [line.split() for line in rebuilt] == [
        [key, f"{of['score']:.4f}", of["signature"]] for key, of in head["corpus"].items()
    ]


def change_value_at(row, *path, to):
    *way, last = path
    for part in way:
        row = row[part]
    row[last] = to(row[last])


CHANGES = {
    "score": (("score",), lambda value: value + 1e-6, "its statistics give"),
    "huge": (("score",), lambda value: 10**400, "its statistics give"),
    "not a number": (("score",), lambda value: True, "its statistics give"),
    "infinite": (("stats", "match_size_power"), lambda value: float("inf"), "the credits of its marks sum to"),
    "too huge": (("layers", 0, "credits", 0), lambda value: 10**400, "this is not the result of a metric"),
    "no statistic": (("stats",), lambda value: {}, "its statistics are [], rebuilt ["),
    "credit": (("layers", 0, "credits", 0), lambda value: value + 0.5, "the credits of its marks sum to"),
    "statistic": (("stats", "match_size_power"), lambda value: value + 1, "the credits of its marks sum to"),
    "mark": (("layers", 0, "marks", 0, 0), lambda value: value + 1, "its layers 1, marks 1 1 is"),
    "text": (("candidate", 0), lambda word: f"{word}s", "the words of the candidate are not those of the files"),
    "signature": (
        ("signature",),
        lambda text: text.replace("1.5", "2.0"),
        "its signature is another one: the audit has 'exponent:2.0', here it is 'exponent:1.5'",
    ),
    "setting": (("settings", "exponent"), lambda value: 3.0, "its settings, exponent is 3.0, but 1.5 when rebuilt"),
    "part": (("parts", "recall"), lambda value: value / 2, "its parts, recall is"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_is_changed_is_found(audit_and_text_files, what):
    changed = read_audit_rows(audit_and_text_files)
    row = next(row for row in changed[1:] if row["metric"] == "gtm" and row["segment"] == 3)
    way, to, says = CHANGES[what]
    if what in ("statistic", "infinite"):
        way = ("stats", next(iter(row["layers"][0]["statistics"])))
    change_value_at(row, *way, to=to)
    faults = verify_changed_rows(audit_and_text_files, changed).faults
    assert faults and all(fault.startswith("segment 3, gtm: ") for fault in faults)
    assert any(says in fault for fault in faults), faults


def test_a_corpus_score_a_lost_segment_and_other_texts_are_found(audit_and_text_files):
    head, *results = read_audit_rows(audit_and_text_files)
    changed = json.loads(json.dumps(head))
    changed["corpus"]["bleu"]["score"] += 1e-6
    (fault,) = verify_changed_rows(audit_and_text_files, [changed, *results]).faults
    assert fault.startswith("bleu: the corpus's score is")
    faults = verify_changed_rows(audit_and_text_files, [head, *results[:-1], results[0]]).faults
    assert "segment 1, bleu: it is there twice" in faults and "ter: 1 segment missing, the first is 4" in faults
    assert verify_changed_rows(audit_and_text_files, [head, *results]).faults == []
    other = "a cat sat on a mat\ny\npolice killed the gunman\na b x d e f\n"
    Path(audit_and_text_files[2]).write_text(other, encoding="utf-8")
    faults = audit.verify_audit(audit_and_text_files[0], audit_and_text_files[1:]).faults
    assert all(fault.startswith(("segment 2, ", "nist", "bleu")) for fault in faults)


HEAD = '{"kind": "bitext-grid audit", "text": {}, "segments": 4, "corpus": '


@pytest.mark.parametrize(
    "first",
    [
        *("", "[]", "{}", '{"kind": "bitext-grid audit"}', "\x00", '{"kind": 3}', "\udcff"),
        *(f"{HEAD}{corpus}" for corpus in ("{}}", '{"gtm": 1}}', '{"x": {}}}', '{"bleu": {"settings": {"a": 1}}}}')),
        f'{HEAD}{{"per": {{"settings": {{}}}}}}, "clean": ["words"]}}',
    ],
)
def test_what_is_no_audit_is_said(audit_and_text_files, first):
    Path(audit_and_text_files[0]).write_text(f"{first}\n", encoding="utf-8", errors="surrogateescape")
    with pytest.raises(BadData, match="audit"):
        audit.verify_audit(audit_and_text_files[0], audit_and_text_files[1:])


@pytest.mark.parametrize("row", ['{"metric": ["gtm"], "segment": 1}', '{"metric": "gtm", "segment": true}', '{"a": 1}'])
def test_a_line_without_a_segment_is_a_fault(audit_and_text_files, row):
    with Path(audit_and_text_files[0]).open("a", encoding="utf-8") as file:
        file.write(row)
    (fault,) = audit.verify_audit(audit_and_text_files[0], audit_and_text_files[1:]).faults
    assert fault.startswith("line 42: there is no segment")


def test_what_was_removed_from_the_texts_is_removed_again(audit_and_text_files, capsys):
    out, candidate, *references = audit_and_text_files
    Path(candidate).write_text("the c@@ at sat\n\nx &amp; y\na b c\n", encoding="utf-8")
    call = [candidate, *references, "--metric", "per", "--clean", "pieces,escapes", "--audit", out]
    assert main(call) == 0 and read_audit_rows(audit_and_text_files)[1]["candidate"][1] == "cat"
    capsys.readouterr()
    assert main(["verify", *audit_and_text_files]) == 0 and "cleaned:pieces+escapes" in capsys.readouterr().out


def test_an_audit_may_be_larger_than_other_files_and_packed(audit_and_text_files, monkeypatch, tmp_path):
    out, *names = audit_and_text_files
    packed = tmp_path / "audit.jsonl.gz"
    packed.write_bytes(gzip.compress(Path(out).read_bytes()))
    rows = Path(out).read_bytes().splitlines(True)
    monkeypatch.setattr(files, "MOST_BYTES", max(map(len, rows)))
    assert sum(map(len, rows)) > 2 * files.MOST_BYTES
    assert audit.verify_audit(str(packed), names).holds and audit.verify_audit(out, names).holds
    monkeypatch.setattr(files, "MOST_BYTES", max(map(len, rows)) - 1)
    with pytest.raises(BadData, match=r"audit\.jsonl, line \d+ has more than"):
        audit.verify_audit(out, names)
    monkeypatch.undo()
    packed.write_bytes(packed.read_bytes()[:-99])
    with pytest.raises(BadData, match="is not a valid gzip file"):
        audit.verify_audit(str(packed), names)


def test_another_version_or_a_missing_package_leaves_a_metric_unchecked(audit_and_text_files, monkeypatch, capsys):
    head, *results = read_audit_rows(audit_and_text_files)
    head["corpus"]["gtm"]["signature"] = head["corpus"]["gtm"]["signature"].replace("v:", "v:9.")
    checked = verify_changed_rows(audit_and_text_files, [head, *results])
    assert [*checked.unchecked] == ["gtm"] and checked.results == 36 and not checked.faults and not checked.holds
    assert checked.unchecked["gtm"] == f"the audit has 'v:9.{head['version']}', here it is 'v:{head['version']}'"
    monkeypatch.setitem(sys.modules, "nltk", None)
    head["corpus"] = {"meteor": {"score": 1.0, "settings": {}}}
    checked = verify_changed_rows(audit_and_text_files, [head, *[row | {"metric": "meteor"} for row in results]])
    assert "bitext-grid[text]" in checked.unchecked["meteor"]
    assert [*audit.audit_check_lines(checked)][-1] == "0 results rebuilt, 0 faults"
    capsys.readouterr()
    assert main(["verify", *audit_and_text_files]) == 1


def test_similar_words_of_an_object_are_said_not_to_be_checked(audit_and_text_files):
    head, *results = read_audit_rows(audit_and_text_files)
    head["corpus"]["sia"]["settings"]["similarity"] = "table"
    checked = verify_changed_rows(audit_and_text_files, [head, *results])
    assert [*checked.unchecked] == ["sia"] and checked.results == 36 and not checked.faults and not checked.holds
    says = "sia is not checked: the audit names its similar words, but does not contain them"
    assert says in audit.audit_check_lines(checked)
