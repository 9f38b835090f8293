"""Questions on a whole segment: numbers, two candidates and why, a sentence of a wanted score."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from cases import KEYS

import metrics
from metrics.questions import exercises, typed, whole
from metrics.types import Segment

SEEDS = (1, 2, 3)


def exercises_of(key):
    return [metrics.exercise(key, seed, level) for level in exercises.LEVELS for seed in SEEDS]


# ---------------------------------------------------------------- parts


@pytest.mark.parametrize("key", KEYS)
def test_parts_are_asked_and_judged(key):
    for e in exercises_of(key):
        result = metrics.METRICS[key].score(e.segment, e.settings)
        first, *parts, which = metrics.whole_questions(e)
        assert first == e.question and which.kind == "choice" and parts
        for question in parts:
            value = question.values[0].number
            assert value in (*result.parts.values(), result.parts.get("substitutions", 0) + _id(result)), question
            assert metrics.judge_number(question, question.shows).how == "right", question.text
            assert metrics.judge(question, f"{value:.5f}").how == "right"
            assert metrics.judge(question, "rubbish").because.startswith("“rubbish” is no number")
            for slip in question.values[1:]:
                assert metrics.judge_number(question, f"{slip.number:.7f}").how == "no", (question.text, slip)


def _id(result):
    return result.parts.get("insertions", 0) + result.parts.get("deletions", 0)


# ---------------------------------------------------------------- which of two, and why


def facts(result):
    """Facts about a candidate that reasons are made of, found anew."""
    candidate, references = result.segment
    windows = [
        length
        for r in references
        for length in range(1, len(candidate) + 1)
        for i in range(len(candidate) - length + 1)
        for j in range(len(r) - length + 1)
        if candidate[i : i + length] == r[j : j + length]
    ]
    return {
        "more of its words are in a reference": max((Counter(candidate) & Counter(r)).total() for r in references),
        "its longest run of a reference's words is longer": max(windows, default=0),
        "it is longer": len(candidate),
        "it is shorter": -len(candidate),
    }


def mean_run(result):
    lengths = [m.length for layer in result.layers for m in layer.marks if hasattr(m, "length")]
    return sum(length**2 for length in lengths) / max(sum(lengths), 1)


def marks(result):
    return sum(len(layer.marks) for layer in result.layers)


#: What must be more where a right reason says that it is.
SAID = {
    "more of its matching words count": lambda result: len({cell.i for cell in result.cells()}),
    "more of its n-grams match": marks,
    "more of its pairs match": marks,
    "its matches stand in longer runs": mean_run,
    "it has fewer chunks": lambda result: -result.parts["chunks"],
    "it has fewer discordant pairs": lambda result: -result.stats["discordant"],
    "its length helps it most: it is longer": lambda result: len(result.segment.candidate),
    "its length helps it most: it is shorter": lambda result: -len(result.segment.candidate),
}


def check_choice(metric, a, b, question):
    """One answer names the better candidate with what the ledger says; every other one is false."""
    better = "A" if (a.score > b.score) == metric.higher_is_better else "B"
    sides = {"A": (a, b), "B": (b, a)}
    assert len({*question.choices}) == len(question.choices) >= 3
    right = [n for n in range(len(question.choices)) if question.verdicts[f"{n}"].how == "right"]
    assert [f"{n}" for n in right] == [question.shows]
    assert metrics.judge(question, question.shows).how == "right"
    for number, choice in enumerate(question.choices):
        who, _, reason = choice.partition(": because ")
        own, other = (facts(result).get(reason) for result in sides[who])
        if number in right:
            assert who == better and own is None, choice
            if reason in SAID:
                more, less = map(SAID[reason], sides[who])
                assert more > less, choice
        else:
            assert own is not None and (who != better or own <= other), choice


@pytest.mark.parametrize("key", KEYS)
def test_wrong_reasons_are_false_for_the_pair(key):
    metric, rng = metrics.METRICS[key], random.Random(key)
    pairs = []
    for e in exercises_of(key):
        pairs.append(
            [metric.score(e.segment._replace(candidate=c), e.settings) for c in (e.segment.candidate, e.other)]
        )
    for _ in range(12):
        words = [tuple(rng.choices("abcdef", k=rng.randint(1, 8))) for _ in range(4)]
        settings = metric.Settings(**exercises._PLANS[key][0][0].given)
        pairs.append([metric.score(Segment(c, tuple(words[2:])), settings) for c in words[:2]])
    asked = 0
    for a, b in pairs:
        question = whole.compare(metric, a, b)
        if question is None:
            continue
        asked += 1
        check_choice(metric, a, b, question)
        again = whole.compare(metric, b, a)
        assert again is not None
        check_choice(metric, b, a, again)
    assert asked >= 15


def test_equal_scores_are_not_compared():
    metric = metrics.METRICS["per"]
    a, b = (metrics.score("per", words.split(), ["the cat sat".split()]) for words in ("the cat", "cat the"))
    assert whole.compare(metric, a, b) is None


# ---------------------------------------------------------------- a sentence


@pytest.mark.parametrize("key", KEYS)
def test_sentences_are_judged_by_the_core(key):
    rng = random.Random(key)
    for e in exercises_of(key):
        task = metrics.sentence_task(e)
        shown = metrics.judge_sentence(task, " ".join(task.shows))
        assert shown.how == "right"
        words = [word for reference in e.segment.references for word in reference]
        texts = [" ".join(e.segment.candidate), *[" ".join(r) for r in e.segment.references], "nothing like it"]
        texts += [" ".join(rng.choices(words, k=rng.randint(1, 10))) for _ in range(4)]
        for text in texts:
            score = metrics.METRICS[key].score(e.segment._replace(candidate=tuple(text.split())), e.settings).score
            verdict = metrics.judge_sentence(task, text)
            assert (verdict.how == "no") == (abs(score - task.wanted) >= 1e-9), (e.code, text)
            if verdict.how == "no":
                side = "too high" if score > task.wanted else "too low"
                assert side in verdict.because and verdict.because.endswith("."), verdict


def test_a_sentence_of_the_same_score_is_also_right():
    task = whole.Task("per", (tuple("abc"),), metrics.settings("per"), 1 / 3, tuple("ab"), "")
    verdicts = [metrics.judge_sentence(task, text).how for text in ("a b", "b a", "a b x", "a", "a b c")]
    assert verdicts == ["right", "also", "also", "no", "no"]


def test_a_score_that_is_printed_rounded_is_met_by_its_equal_alone():
    task = whole.Task("per", (tuple("abc"),), metrics.settings("per"), 1 / 3, tuple("ab"), "")
    said = "Right: this scores exactly 0.3333 (rounded)."
    assert metrics.judge_sentence(task, "a b").because == said
    for near in (1e-5, 1e-4):  # the same when it is printed; another number
        assert metrics.judge_sentence(replace(task, wanted=1 / 3 + near), "a b").how == "no"


@pytest.mark.parametrize("text", ["", "  \n ", "a " * 31, "a" * 401])
def test_a_sentence_that_cannot_be_judged_is_refused(text):
    task = metrics.sentence_task(metrics.exercise("gtm", 1))
    with pytest.raises(ValueError, match=r"^[A-Z][^\n]{10,80}\.$"):
        metrics.judge_sentence(task, text)


# ---------------------------------------------------------------- numbers as they are typed

READ = {
    "0.375": (0.375, 0.001),
    "0,375": (0.375, 0.001),
    ".5": (0.5, 0.1),
    " 3 / 8 ": (0.375, 0),
    "37.5 %": (0.375, 0.001),
    "37,5%": (0.375, 0.001),
    "−0.25": (-0.25, 0.01),
    "3⁄8": (0.375, 0),
    "√16/8": (0.5, 0),
    "2√4·3": (12, 0),
    "√(1/4)": (0.5, 0),
    "sqrt(16)/8": (0.5, 0),
    "１.５": (1.5, 0.1),
    "7": (7, 0),
    "0": (0, 0),
}


@pytest.mark.parametrize("text", READ)
def test_numbers_are_read(text):
    value, unit = READ[text]
    found = typed.read(text)
    assert found.value == pytest.approx(value) and found.unit == pytest.approx(unit)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "two",
            "1e5",
            "0x10",
            "nan",
            "inf",
            "1/0",
            "0/0",
            "√",
            "√-1",
            "1//2",
            "/2",
            "2/",
            "1.2.3",
            "1,000.5",
        ),
        *(
            "%",
            "--1",
            "1%%",
            "0.5^2",
            "(1",
            "1)",
            "()",
            "__import__('os')",
            "9" * 41,
            "√(1/0)",
            "1\x00",
            "½²",
            "\ud800",
        ),
    ],
)
def test_rubbish_is_refused_in_one_sentence(text):
    with pytest.raises(ValueError, match=r"^[^\n]{10,160}\.$"):
        typed.read(text)


def test_what_fits_a_value():
    third = 2 / 3
    for text in ("2/3", "0.67", "0.66", "0,667", "0.666", "66.67 %", "66.7%", "4/6", "0.6667"):
        assert typed.fits(typed.read(text), third), text
    for text in ("0.7", "0.6", "0.65", "0.68", "0.665", "0.668", "1", "-0.67", "67", "0.66700", "2/4"):
        assert not typed.fits(typed.read(text), third), text
    assert typed.fits(typed.read("0.5"), 0.5) and not typed.fits(typed.read("0.5"), 0.5004)
    assert typed.too_coarse(typed.read("0.7"), third) and not typed.too_coarse(typed.read("0.71"), third)
