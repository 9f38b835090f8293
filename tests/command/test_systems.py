"""Tests of several systems on the command line.

Scores, intervals, significance tests and ledgers are the core's, and faults of files and calls are reported in one
sentence."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

import metrics
from metrics import catalogue
from metrics.__main__ import main, request
from metrics.command.call import parse_condition
from metrics.corpus import cluster
from tests.helpers.corpora import FOLDER as TED
from tests.helpers.hard_texts import metric_too_hard_for

A, B, C = (str(TED / f"system.{name}.en.txt") for name in ("MiSS", "Online-W", "SMU"))
REFERENCES = ["--reference", str(TED / "reference.A.en.txt"), "--reference", str(TED / "reference.B.en.txt")]
THREE = ["--system", f"A={A}", "--system", f"B={B}", "--system", f"C={C}", *REFERENCES]


def read_words(file):
    return [line.split() for line in Path(file).read_text("utf-8").splitlines()]


def read_references():
    return [list(each) for each in zip(*(read_words(file) for file in REFERENCES[1::2]), strict=True)]


@pytest.fixture
def run(capsys):
    def call_program(*argv, status=0):
        """Call the program; the hint that these texts are not tokenised, which all calls get, is left out."""
        assert main([*argv]) == status
        done = capsys.readouterr()
        lines = done.err.splitlines(keepends=True)
        return done._replace(err="".join([line for line in lines if "punctuation is attached to words" not in line]))

    return call_program


def test_scores_intervals_pairs_and_ledgers_are_those_of_the_core(run):
    keys = ["bleu", "rouge_l", "ter"]
    asked = ["--confidence", "--paired", "A", "--why", "A,B", "-f", "json"]
    found, references = json.loads(run(*THREE, "-m", ",".join(keys), *asked).out), read_references()
    for name, file in (("A", A), ("B", B), ("C", C)):
        for key in keys:
            got = found["systems"][name][key]
            expected = metrics.corpus_score(key, read_words(file), references).score
            assert got["score"] == pytest.approx(expected, abs=1e-13)
            assert got["low"] < got["score"] < got["high"]
    assert [(pair["a"], pair["b"], pair["metric"]) for pair in found["pairs"]] == [
        ("A", other, key) for key in keys for other in "BC"
    ]
    for pair in found["pairs"]:
        one, two = (found["systems"][pair[side]][pair["metric"]]["score"] for side in "ab")
        assert pair["delta"] == pytest.approx(two - one, abs=1e-13)
        assert pair["low"] <= pair["delta"] <= pair["high"]
        assert 0 < pair["p_randomisation"] <= pair["p_corrected"] <= 1
    for row in found["why"]:
        ledger = metrics.corpus_ledger(row["metric"], read_words(A), read_words(B), references)
        assert [step["share"] for step in row["steps"]] == [step.share for step in ledger.steps]
        assert row["segments"] == list(ledger.worth) and sum(row["segments"]) == pytest.approx(row["delta"], abs=1e-9)


def test_the_better_system_is_named_for_error_rates_too(run):
    said = run(*THREE, "-m", "bleu,ter", "--paired", "A").out
    systems = json.loads(run(*THREE, "-m", "bleu,ter", "-f", "json").out)["systems"]
    assert systems["A"]["bleu"]["score"] > systems["B"]["bleu"]["score"]
    assert systems["A"]["ter"]["score"] < systems["B"]["ter"]["score"]
    verdicts = [line for line in said.splitlines() if line.endswith(").") and "B" in line.split()]
    assert "A and B: BLEU prefers A, " in said and "2 of 2 metrics prefer A, " in said
    assert len(verdicts) == 2 and all(line.startswith("A is ") for line in verdicts)


@pytest.mark.slow
def test_what_is_said_is_in_the_json_and_in_every_format(run):
    asked = [*THREE[:-2], "-m", "bleu,ter", "--tokenize", "13a", "--confidence", "--paired", "A", "--why", "A,B"]
    found = json.loads(run(*asked, "-f", "json").out)
    by_key = {(pair["metric"], pair["b"]): pair for pair in found["pairs"]}
    assert by_key["bleu", "B"]["people_agreed"] and by_key["ter", "B"]["people_agreed"] is None
    assert all(pair["corrected_for"] == 2 for pair in found["pairs"])
    drawn = "resamples:1000|trials:10000|seed:12345"
    assert all(sign.endswith(drawn) for sign in found["signatures"].values())
    theirs = "nrefs:1|bs:1000|ar:10000|seed:12345|case:mixed|eff:no|tok:13a|smooth:none|version:2.6.0"
    assert found["sacrebleu"] == {"bleu": theirs}  # sacreBLEU's signature has BLEU only: TER takes words as they are
    for why in found["why"]:
        assert sum(why[side]["worth"] for side in ("for_a", "for_b")) == pytest.approx(why["delta"], abs=1e-9)
        assert why["low"] <= why["delta"] <= why["high"]
        assert all(pick["worth"] == why["segments"][pick["segment"]] for pick in why["picks"])
        # The sentence speaks of the better system first; the numbers are B's minus A's.
        better = (why["delta"] > 0) == metrics.METRICS[why["metric"]].higher_is_better
        assert why["says"].startswith("B − A, " if better else "A − B, ")
        # What is printed adds up, so a share may differ from the rounded one by a unit of the last decimal.
        shares = [step["share"] * (1 if better else -1) for step in why["steps"] if abs(step["share"]) > 0.0001]
        equation = re.sub(r" \([^()]*\)", "", why["says"]).replace("−", "-")
        total, *printed = map(float, re.findall(r"[+-]\d\.\d{4}", equation))
        assert sum(printed) == pytest.approx(total, abs=1e-9)
        assert all(min(abs(share - each) for each in printed) < 0.0001 for share in shares)
    (across,) = [each for each in found["across"] if each["b"] == "B"]
    assert across["says"] == "BLEU prefers B, beyond chance. 2 of 2 metrics prefer B, all beyond chance."
    for form in ("text", "markdown", "latex"):
        said = run(*asked, "-f", form).out
        assert all(pair["says"] in said.replace("\\", "") for pair in found["pairs"])
        assert said.count(drawn) == 1 and said.count(theirs) == 1 and "Kocmi" in said
        assert (said.count("\\pm") if form == "latex" else said.count(" ± ")) == 6
        assert form == "latex" or found["why"][0]["says"] in said
        assert form == "latex" or f"A and B: {across['says']}" in said
    rows = run(*asked, "-f", "tsv").out.splitlines()
    assert all(row.split("\t")[-1].endswith(drawn) for row in rows[1:])
    plain = run(*THREE, "-m", "bleu").out
    assert "±" not in plain and drawn not in plain


def test_patterns_are_said_or_that_there_are_none(run, tmp_path):
    without = tmp_path / "without.txt"
    lines = Path(A).read_text("utf-8").splitlines()
    without.write_text("\n".join(" ".join(w for w in line.split() if w != "the") for line in lines) + "\n", "utf-8")
    two = ["--system", f"A={A}", "--system", f"X={without}", *REFERENCES, "-m", "per", "--patterns", "A,X"]
    said = run(*two).out
    assert "A has these n-grams right more often, by more than chance:\n" in said and "X has these" not in said
    (of,) = json.loads(run(*two, "-f", "json").out)["patterns"]
    assert all(each["for_a"] > each["for_b"] == 0 and "the" in each["words"] for each in of["found"])
    assert of["characters"] and all(each["for_a"] > each["for_b"] for each in of["characters"])
    missing = next(each for each in of["errors"] if each["error"] == "Missing")
    assert missing["b"] > missing["a"] and f"Missing: A {missing['a']}, X {missing['b']} errors" in said
    assert "A has these parts of words right more often" in said
    same = run("--system", f"A={A}", "--system", f"B={A}", *REFERENCES, "-m", "per", "--patterns", "A,B").out
    assert "A and B: of 0 n-grams, neither has any right more often by more than chance" in same


@pytest.mark.parametrize("form", ["text", "tsv", "latex", "markdown"])
@pytest.mark.parametrize("more", [[], ["--sentence"]])
def test_every_format_names_every_system(run, form, more):
    said = run(*THREE, "-m", "gtm", "-f", form, *more).out
    assert (all(f"{name}" in said for name in "ABC") and "gtm|exponent:2.0" in said) or form == "tsv"
    if form == "tsv" and more:
        assert len(said.splitlines()) == 1 + 3 * 60


def test_a_condition_that_holds_ends_with_its_own_status(run):
    done = run(*THREE, "-m", "bleu", "--fail-if", "B.bleu - A.bleu < 0", status=3)
    assert done.err == "python -m metrics: --fail-if holds: B.bleu - A.bleu < 0.\n" and "bleu" in done.out
    run(*THREE, "-m", "bleu", "--fail-if", "A.bleu - B.bleu < 0")
    assert parse_condition("A.ter>=0.5").holds({"A": {"ter": 0.5}})
    assert parse_condition("a<b.ter > .5").minuend == ("a<b", "ter")
    assert parse_condition("a-b.x.ter - c - d.wer < 1")[1:3] == (("a-b.x", "ter"), ("c - d", "wer"))
    parts = "", "<", "A.ter", "A.ter >", "ter > 1", "A.1 > 1", "A.ter - .wer > 1", "A .ter > 1"
    for given in (*parts, "A.ter > 1.2.3", "A.ter > 1e999", f"A.ter > {'9' * 5_000}"):
        with pytest.raises(ValueError, match="a condition reads like"):
            parse_condition(given)
    assert not parse_condition("A.ter > 5e-1").holds({"A": {"ter": 0.5}})


def test_slipped_and_empty_lines_are_warned_of_and_repaired_where_asked(run, tmp_path):
    lines = Path(A).read_text("utf-8").splitlines()
    slipped = tmp_path / "slipped.txt"
    slipped.write_text("\n".join([*lines[:30], "a line too many", *lines[30:-2], ""]) + "\n", "utf-8")
    call = ["--system", f"S={slipped}", "--system", f"B={B}", *REFERENCES, "-m", "bleu"]
    done = run(*call)
    said = done.err.splitlines()
    assert len(said) == 3
    assert said[0].endswith("slipped.txt, line 60: the output of S is empty there.")
    assert "slipped.txt, line 32: from here on the lines fit the references 1 line before them better" in said[1]
    assert said[1].endswith("line 31 may be extra.")
    mended = [*read_words(A)[:58], [], []]
    stands, right = (
        metrics.corpus_score("bleu", each, read_references()).score for each in (read_words(slipped), mended)
    )
    assert stands < right
    assert f"BLEU {stands:.4f} as it is, {right:.4f} with" in said[2]
    assert said[2].endswith("with line 31 taken out and segment 60 left empty; --repair S does this.")
    assert f"S       {stands:.4f}" in done.out and "repair" not in done.out
    done = run(*call, "--repair", "S")
    assert done.err.splitlines()[:2] == said[:2] and done.err.splitlines()[2].endswith("; this repair is made.")
    assert "S is repaired: line 31 taken out and segment 60 left empty." in done.out and "|repaired:S" in done.out
    for form in ("tsv", "latex", "markdown"):
        assert "repaired:S" in run(*call, "--repair", "S", "-f", form).out, form
    found = json.loads(run(*call, "--repair", "S", "-f", "json").out)
    (repair,) = found["repairs"]
    assert repair["done"] and (repair["taken_out"], repair["left_empty"]) == ([31], [60])
    assert found["systems"]["S"]["bleu"]["score"] == repair["repaired"] > repair["score"] == pytest.approx(stands)
    assert repair["repaired"] == pytest.approx(right)
    assert [(each["kind"], each["system"], each["lines"]) for each in found["warnings"]] == [
        ("empty", "S", [60]),
        ("slipped", "S", [32]),
    ]
    (marked,) = [line for line in run(*call, "-f", "markdown").out.splitlines() if line.startswith("| S ")]
    assert marked.startswith("| S ‡ | ")
    said = run("--system", f"A={A}", *REFERENCES, "-m", "bleu", "--repair", "A")
    assert said.err.count("\n") == 1 and "no lines are shifted, so there is nothing to repair" in said.err
    assert "repaired" not in said.out


def test_a_file_of_one_line_fewer_is_repaired_where_asked(run, tmp_path):
    """Check that a lost line is named, and that its segment is scored as empty only where the call asks for it."""
    lines = Path(A).read_text("utf-8").splitlines()
    short = tmp_path / "short.txt"
    short.write_text("\n".join([*lines[:30], *lines[31:]]) + "\n", "utf-8")
    call = ["--system", f"S={short}", "--system", f"B={B}", *REFERENCES, "-m", "bleu"]
    refused = run(*call, status=1)
    assert not refused.out and "all must hold the same segments" in refused.err
    assert refused.err.endswith("; --repair S scores it with segment 31 left empty.\n")
    done = run(*call, "--repair", "S")
    assert "short.txt: it is scored with segment 31 left empty." in done.err
    assert "line 31: the output" not in done.err  # the repair says it
    outputs = read_words(A)
    outputs[30] = []
    expected = metrics.corpus_score("bleu", outputs, read_references()).score
    assert f"S       {expected:.4f}" in done.out
    assert "S is repaired: segment 31 left empty." in done.out and "|repaired:S" in done.out
    found = json.loads(run(*call, "--repair", "S", "-f", "json").out)
    assert found["systems"]["S"]["bleu"]["score"] == pytest.approx(expected)
    (repair,) = found["repairs"]
    assert repair["done"] and (repair["taken_out"], repair["left_empty"]) == ([], [31])
    short.write_text("\n".join(reversed(lines[:-1])) + "\n", "utf-8")  # nothing says which line is lost
    assert "--repair" not in run(*call, "--repair", "S", status=1).err


def test_files_of_references_are_doubted(run):
    assert "are equal to a reference" in run("--system", f"R={REFERENCES[1]}", *REFERENCES, "-m", "per").err


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["--system", "A"], "a system is given as NAME=FILE, got 'A'"),
        (["--system", f"A={A}"], "systems need --system NAME=FILE and --reference FILE, each at least once"),
        (["--system", f"A={A}", "--system", f"A={B}", *REFERENCES], "'A' is given twice"),
        ([*THREE, "--paired", "D"], "there is no system 'D'; the systems are A, B, C"),
        ([*THREE, "--repair", "D"], "there is no system 'D'; the systems are A, B, C"),
        ([A, REFERENCES[1], "--repair", "A"], "--repair needs systems, which --system gives"),
        ([*THREE, "--why", "A"], "two systems are given as NAME,NAME, got 'A'"),
        ([*THREE, "--fail-if", "B is bad"], "a condition reads like 'B.bleu - A.bleu < -0.005'"),
        (
            [*THREE, "-m", "bleu", "--fail-if", "A.ter > 1"],
            "the condition names ter, which is not one of the metrics bleu",
        ),
        ([*THREE, "--alignments"], "--alignments is for one file of translations, not for systems"),
        ([*THREE, "more.txt"], "with --system every file needs an option; 'more.txt' has none"),
        ([A, REFERENCES[1], "--confidence"], "--confidence needs systems, which --system gives"),
        ([A, REFERENCES[1], "-f", "markdown"], "the format markdown is only for systems"),
        ([*THREE, "--jobs", "9" * 5_000], "must be a whole number from 1 to 512, got '999"),
        ([*THREE, "--jobs", "0"], "must be a whole number from 1 to 512, got '0'"),
    ],
)
def test_wrong_calls_end_in_a_sentence(run, argv, says):
    done = run(*argv, status=2)
    assert says in done.err and done.err.count("\n") == 1 and not done.out


def test_files_of_other_lengths(run, tmp_path):
    short = tmp_path / "short.txt"
    short.write_text("one\n", "utf-8")
    done = run("--system", f"A={A}", "--system", f"S={short}", *REFERENCES, status=1)
    assert "short.txt has 1 line, but" in done.err and "has 60; all must hold the same segments" in done.err


@pytest.fixture
def too_hard_for_gtm(monkeypatch):
    """Make two of system B's outputs too hard for GTM, so that GTM cannot score the corpus of B."""
    hard = {tuple(read_words(B)[4]), tuple(read_words(B)[11])}
    monkeypatch.setitem(catalogue.METRICS, "gtm", metric_too_hard_for("gtm", hard))


def test_a_metric_for_which_segments_are_too_hard_is_said_and_the_others_are_given(run, too_hard_for_gtm):
    said = run(*THREE, "-m", "bleu,gtm,ter", "--confidence", "--paired", "A", "-f", "json", status=1)
    found = json.loads(said.out)
    assert all([*of] == ["bleu", "ter"] for of in found["systems"].values())
    assert {pair["metric"] for pair in found["pairs"]} == {"bleu", "ter"}
    hard = [{"system": "B", "segment": number, "why": "too many possible"} for number in (4, 11)]
    assert found["missing"] == [{"metric": "gtm", "too_hard": hard, "lost": []}]
    assert said.err.splitlines() == [
        f"python -m metrics: gtm has no score: {B}, lines 5, 12: too many possible.",
        "python -m metrics: no score for 1 metric of 3.",
    ]
    only = run(*THREE, "-m", "gtm", "--confidence", "--paired", "A", status=1)
    assert "gtm has no score" in only.err and "no score for 1 metric of 1" in only.err


def test_a_condition_on_a_metric_that_cannot_be_had_is_not_passed(run, too_hard_for_gtm):
    asked = [*THREE, "-m", "bleu,gtm", "--fail-if"]
    assert "--fail-if cannot be checked, because it needs gtm" in run(*asked, "B.gtm < 0", status=1).err
    assert "--fail-if holds" in run(*asked, "B.bleu > 0", status=3).err


@pytest.mark.slow
def test_a_scheduler_that_is_not_there_is_one_sentence(run, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    for address in ("tcp://127.0.0.1:1", "nonsense://here"):
        *_, said = run(*THREE, "-m", "bleu", "--scheduler", address, status=1).err.splitlines()
        assert said.startswith(f"python -m metrics: there is no Dask scheduler at {address}: ")
    monkeypatch.setitem(sys.modules, "distributed", None)
    *_, said = run(*THREE, "-m", "bleu", "--scheduler", "tcp://127.0.0.1:1", status=1).err.splitlines()
    assert said.endswith("distributed is needed for that and is not installed: pip install 'bitext-grid[cluster]'.")
    with pytest.raises(SystemExit, match="2"):
        request([A, REFERENCES[1], "--scheduler", "tcp://127.0.0.1:1"])
