"""Tests that a metric needs only a folder and a line in the catalogue to take part in everything the core does.

What a metric may lack, such as exercises, is reported in one sentence when it is asked for."""

import math
import os
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest

import metrics
from metrics.analysis import curves, error_classes, word_order
from metrics.teach.plans import PartQuestion
from metrics.types import segment
from tests.helpers.app import ROOT
from tests.helpers.new_metric import BARE, WHOLE, copy_per_folder

CANDIDATE = "the gunman was killed by the police".split()
REFERENCES = ["police killed the gunman".split(), "the gunman was shot dead by police".split()]
OTHER = "the gunman was shot by the the police".split()


@pytest.fixture(params=["whole_metric", "bare_metric"])
def metric(request):
    return request.getfixturevalue(request.param)


def test_it_is_scored(metric):
    found, known = (metrics.score(key, CANDIDATE, REFERENCES) for key in (metric.key, "per"))
    assert found.metric == metric.key and found.signature() == known.signature().replace("per", metric.key)
    assert (found.score, found.parts, found.layers) == (known.score, known.parts, known.layers)
    assert metric.label in [m.label for m in metrics.METRICS.values()] and metrics.settings(metric.key)
    segments = [CANDIDATE, OTHER], [REFERENCES, REFERENCES[:1]]
    corpus, same = (metrics.corpus_score(key, *segments) for key in (metric.key, "per"))
    assert (corpus.metric, corpus.score, corpus.parts) == (metric.key, same.score, same.parts)


def test_two_outputs_are_compared(metric):
    a, b = (metrics.score(metric.key, words, REFERENCES) for words in (CANDIDATE, OTHER))
    steps = metrics.ledger(a, b)
    assert math.fsum(step.share for step in steps) == pytest.approx(b.score - a.score)
    assert metrics.explain(a, b).endswith(".")
    known = [metrics.score("per", words, REFERENCES) for words in (CANDIDATE, OTHER)]
    assert metrics.explain(a, b) == metrics.explain(*known)


def test_the_rest_of_the_core_takes_it(metric):
    result = metrics.score(metric.key, CANDIDATE, REFERENCES)
    assert metric.formula(result)[-1].value == pytest.approx(result.score)
    assert [row for row in word_order.variant_table(metrics.METRICS) if row.variant.key == metric.key]
    assert error_classes.classify_segment(result.segment)
    with pytest.raises(ValueError, match=f"^{metric.key} has the parameters none, got 'beta'$"):
        curves.parameter_curve(metric, [segment(CANDIDATE, REFERENCES)], metrics.settings(metric.key), "beta")


# ---------------------------------------------------------------- with everything for teaching


def test_its_program_is_watched_and_asked(whole_metric):
    key = whole_metric.key
    found, known = ([*metrics.trace(name, CANDIDATE, REFERENCES)] for name in (key, "per"))
    assert [step.text for step in found] == [step.text for step in known]
    assert found[-1].result == metrics.score(key, CANDIDATE, REFERENCES)
    assert metrics.pseudo_code(key) == metrics.pseudo_code("per")
    asked = [question for _, question in metrics.ask(key, CANDIDATE, REFERENCES) if question]
    assert asked and {metrics.judge(question, question.shows).how for question in asked} == {"right"}


@pytest.mark.parametrize("level", [1, 2, 3])
def test_it_has_exercises(whole_metric, level):
    key = whole_metric.key
    found = metrics.exercise(key, 7, level)
    assert found.code == f"{key}-{level}-7" and metrics.exercise_of(found.code) == found
    assert found.score == metrics.score(key, *found.segment).score
    slips = [value.verdict.because for value in found.question.values]
    assert len(slips) > 3 and any("an error rate counts what is wrong" in slip for slip in slips)
    for question in metrics.whole_questions(found):
        assert metrics.judge(question, question.shows).how == "right"
    assert metrics.which_question(found).choices
    task = metrics.sentence_task(found)
    assert metrics.judge_sentence(task, " ".join(task.shows)).how == "right" and metrics.sentence_tiles(task).tiles
    assert {made.key for made in metrics.sheet([key, "gtm"], level, 4)} == {key, "gtm"}


def test_a_part_of_a_new_name_is_asked_for(whole_metric, monkeypatch):
    asked = PartQuestion(
        "How many words are apart?", "the words apart", slips=lambda result, value: [(value + 1, "One less.")]
    )
    changed = replace(
        whole_metric.plans(),
        parts=lambda result: {"apart": result.parts["common"] + 2},
        part_questions={"apart": asked},
    )
    monkeypatch.setitem(metrics.METRICS, whole_metric.key, replace(whole_metric, plans=lambda: changed))
    _, question, _ = metrics.whole_questions(metrics.exercise(whole_metric.key, 7))
    right = question.values[0].number
    assert question.text == "How many words are apart?" and right > 2
    assert question.values[0].verdict.because == f"Right: the words apart = {right:g}."
    said = {value.verdict.because: value.number for value in question.values}
    assert said["One less."] == right + 1 and said["The fraction is upside down."] == 1 / right


def test_slips_alone_may_be_missing(whole_metric, monkeypatch):
    monkeypatch.setitem(metrics.METRICS, whole_metric.key, replace(whole_metric, slips=None))
    question = metrics.exercise(whole_metric.key, 7).question
    assert metrics.judge(question, question.shows).how == "right"


def test_questions_alone_may_be_missing(whole_metric, monkeypatch):
    monkeypatch.setitem(metrics.METRICS, whole_metric.key, replace(whole_metric, asks=None))
    assert [*metrics.trace(whole_metric.key, CANDIDATE, REFERENCES)]
    with pytest.raises(ValueError, match=r"^Words apart has no questions about the steps of its program$"):
        metrics.ask(whole_metric.key, CANDIDATE, REFERENCES)


# ---------------------------------------------------------------- without


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (lambda key: metrics.trace(key, CANDIDATE, REFERENCES), "no program with steps to watch"),
        (lambda key: metrics.ask(key, CANDIDATE, REFERENCES), "no program with steps to watch"),
        (lambda key: metrics.pseudo_code(key), "no program with steps to watch"),
        (lambda key: metrics.exercise(key, 7), "no exercises"),
        (lambda key: metrics.exercise_of(f"{key}-1-7"), "no exercises"),
        (lambda key: metrics.sheet(["gtm", key]), "no exercises"),
        (lambda key: metrics.whole_questions(replace(metrics.exercise("per", 7), key=key)), "no exercises"),
        (lambda key: metrics.which_question(replace(metrics.exercise("per", 7), key=key)), "no exercises"),
    ],
)
def test_what_it_lacks_is_said(bare_metric, asked, said):
    with pytest.raises(ValueError, match=f"^Bare words has {said}$"):
        asked(bare_metric.key)


# ---------------------------------------------------------------- a folder and a line


@pytest.mark.slow
def test_a_folder_and_a_line_are_all(tmp_path):
    """Check, in a copy of the core, that two new metrics are known to the command line by a folder and a line each.

    Scoring by one of them does not import the code for teaching (`metrics.teach`)."""
    core = tmp_path / "metrics"
    shutil.copytree(ROOT / "metrics", core, ignore=shutil.ignore_patterns("__pycache__"))
    listed = core / "catalogue" / "__init__.py"
    text = listed.read_text(encoding="utf8")
    for (key, label), bare in ((WHOLE, False), (BARE, True)):
        copy_per_folder(core / "catalogue", key, label, bare)
        text = text.replace("per.METRIC,", f"per.METRIC, {key}.METRIC,").replace("nist, per,", f"nist, per, {key},")
    listed.write_text(text, encoding="utf8")
    for name, words in (("candidate", CANDIDATE), ("reference", REFERENCES[0])):
        (tmp_path / name).write_text(" ".join(words) + "\n", encoding="utf8")
    keys = f"per,{WHOLE[0]},{BARE[0]}"
    called = [sys.executable, "-m", "metrics", "candidate", "reference", "--metric", keys, "--format", "tsv"]
    out = subprocess.run(called, cwd=tmp_path, env=os.environ | {"PYTHONPATH": ""}, capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    scores = {line.split("\t")[0]: line.split("\t")[2] for line in out.stdout.splitlines() if "\tscore\t" in line}
    assert set(scores) == {"per", WHOLE[0], BARE[0]} and len({*scores.values()}) == 1, out.stdout
    asked = f"import sys, metrics; metrics.score('{WHOLE[0]}', ['a'], [['a']]); print(*sys.modules, sep='\\n')"
    out = subprocess.run([sys.executable, "-c", asked], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert f"metrics.catalogue.{WHOLE[0]}.score" in out.stdout and "metrics.teach" not in out.stdout
