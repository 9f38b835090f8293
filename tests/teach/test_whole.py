"""Tests of questions on a whole segment, about its numbers or for a sentence with a wanted score."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import metrics
from metrics.teach import exercises, segment_questions, typed
from metrics.types import Segment
from tests.helpers.cases import TAUGHT as KEYS

SEEDS = (1, 2, 3)


def exercises_of(key):
    return [metrics.exercise(key, seed, level) for level in exercises.LEVELS for seed in SEEDS]


# ---------------------------------------------------------------- parts


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_parts_are_asked_and_judged(key):
    for e in exercises_of(key):
        result = metrics.METRICS[key].score(e.segment, e.settings)
        first, *parts, which = metrics.whole_questions(e)
        assert first == e.question and which.kind == "choice" and parts
        for question in parts:
            value = question.values[0].number
            assert value in (*result.stats.values(), *result_parts(result).values()), question
            assert metrics.judge_number(question, question.shows).how == "right", question.text
            assert metrics.judge(question, f"{value:.5f}").how == "right"
            assert metrics.judge(question, "rubbish").because.startswith("“rubbish” is not a number here")
            for slip in question.values[1:]:
                assert metrics.judge_number(question, f"{slip.number:.7f}").how == "no", (question.text, slip)


#: The beginning of a question on one of several references, and the part of the score that this reference decides.
OF_ONE = {"For P, ": "precision", "For R, ": "recall", "Against the reference that counts, ": "score"}


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_a_part_of_one_of_several_references_has_one_answer(key):
    """Check that every reference that could be the deciding one gives the same number, and that the answer names it."""
    metric = metrics.METRICS[key]
    for seed in range(1, 41):
        e = metrics.exercise(key, seed, 3)
        if len(e.segment.references) == 1:
            continue
        result = metric.score(e.segment, e.settings)
        alone = [metric.score(Segment(e.segment.candidate, (r,)), e.settings) for r in e.segment.references]
        for question in segment_questions.part_questions(metric, result):
            begins = next((begins for begins in OF_ONE if question.text.startswith(begins)), None)
            says = question.values[0].verdict.because
            if begins is None:
                assert "longest common" not in question.text and "WLCS" not in question.text, e.code
                assert "score" not in result.decides and "against" not in says, (e.code, question.text)
                continue
            plain = question.text.removeprefix(begins).casefold()
            parts, asked = result_parts(result), metric.plans().part_questions
            (name,) = [n for n, part in asked.items() if part.asks.casefold() == plain and n in parts]
            of = OF_ONE[begins]
            ranks = [other.score if of == "score" else other.parts[of] for other in alone]
            best = max(ranks) if metric.higher_is_better else min(ranks)
            counts = [k for k, rank in enumerate(ranks) if abs(rank - best) < 1e-9]
            if key == "ter":  # TER's reference is decided by edits, because its length is the mean of all
                counts = [k for k, other in enumerate(alone) if other.parts["edits"] == result.parts["edits"]]
            for k in counts:
                assert abs(result_parts(alone[k])[name] - question.values[0].number) < 1e-9, (e.code, question.text)
            assert any(f"reference {k + 1} = " in says or f"{'₁₂'[k]} = " in says for k in counts), says


def result_parts(result):
    return metrics.METRICS[result.metric].plans().parts(result)


def test_the_count_of_p_and_the_count_of_r_are_asked_apart():
    metric = metrics.METRICS["rouge_w"]
    e = metrics.exercise_of("rouge_w-3-6")
    found = {
        q.text: q.values[0].verdict.because
        for q in segment_questions.part_questions(metric, metric.score(e.segment, e.settings))
    }
    assert found["For P, what is WLCS, the sum of the runs' weights?"] == "Right: WLCS₁ = 7.8986."  # 5^1.2 + 1
    assert found["For R, what is WLCS, the sum of the runs' weights?"] == "Right: WLCS₂ = 5.7372."  # 3^1.2 + 2
    assert found["What is R, the recall?"].startswith("Right: R = (WLCS₂/")


def test_a_part_is_left_out_where_equally_good_references_differ():
    # Both references give WER 1/2, with one edit and with two.
    metric, segment = metrics.METRICS["wer"], Segment(tuple("ab"), (tuple("ax"), tuple("abcd")))
    assert not segment_questions.part_questions(metric, metric.score(segment, metrics.settings("wer")))
    # Both give R = 1/2 in ROUGE-L, with an LCS of 1 word and of 2 words; P is better against the second.
    metric, segment = metrics.METRICS["rouge_l"], Segment(tuple("abz"), (tuple("ax"), tuple("abcd")))
    result = metric.score(segment, metrics.settings("rouge_l"))
    asked = [question.text for question in segment_questions.part_questions(metric, result)]
    assert [text[:5] for text in asked] == ["For P", "What ", "What "]


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
            assert (verdict.how == "no") == (abs(score - task.target_score) >= 1e-9), (e.code, text)
            if verdict.how == "no":
                side = "too high" if score > task.target_score else "too low"
                assert side in verdict.because and verdict.because.endswith("."), verdict


def test_a_sentence_of_the_same_score_is_also_right():
    task = segment_questions.SentenceTask("per", (tuple("abc"),), metrics.settings("per"), 1 / 3, tuple("ab"), "")
    verdicts = [metrics.judge_sentence(task, text).how for text in ("a b", "b a", "a b x", "a", "a b c")]
    assert verdicts == ["right", "also", "also", "no", "no"]


def test_a_score_that_is_printed_rounded_is_met_by_its_equal_alone():
    task = segment_questions.SentenceTask("per", (tuple("abc"),), metrics.settings("per"), 1 / 3, tuple("ab"), "")
    said = "Right: this scores exactly 0.3333 (rounded)."
    assert metrics.judge_sentence(task, "a b").because == said
    for near in (1e-5, 1e-4):  # 1e-5 is not visible in print, 1e-4 is
        assert metrics.judge_sentence(replace(task, target_score=1 / 3 + near), "a b").how == "no"


@pytest.mark.parametrize("text", ["", "  \n ", "a " * 31, "a" * 401])
def test_a_sentence_that_cannot_be_judged_is_refused(text):
    task = metrics.sentence_task(metrics.exercise("gtm", 1))
    with pytest.raises(ValueError, match=r"^[A-Z][^\n]{10,80}\.$"):
        metrics.judge_sentence(task, text)


# ---------------------------------------------------------------- typed numbers

READ = {  # typed text → its value and unit
    text: (value, unit)
    for value, unit, texts in [
        (0.375, 0.001, ["0.375", "0,375", "37.5 %", "37,5%"]),
        (0.375, 0, [" 3 / 8 ", "3⁄8"]),
        (0.5, 0.1, [".5"]),
        (0.5, 0, ["√16/8", "√(1/4)", "sqrt(16)/8"]),
        *[(-0.25, 0.01, ["−0.25"]), (12, 0, ["2√4·3"]), (1.5, 0.1, ["１.５"]), (3, 0, ["21/7"])],
        *[(7, 1, ["7"]), (0, 1, ["0"]), (100_000, 100_000, ["1e5"]), (0.000667, 1e-6, ["6.67e-4"])],
    ]
    for text in texts
}


@pytest.mark.parametrize("text", READ)
def test_numbers_are_read(text):
    value, unit = READ[text]
    found = typed.read_number(text)
    assert found.value == pytest.approx(value) and found.unit == pytest.approx(unit)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "two", "1e", "e5", "1e9999", "1e400", "0y10", "nan", "inf", "1/0", "0/0", "√", "√-1", "1//2"),
        *("/2", "2/", "1.2.3", "1,000.5", "%", "--1", "1%%", "0.5^", "(1", "1)", "()", "__import__('os')", "9" * 101),
        *("√(1/0)", "1\x00", "½2", "1/2√3", "log(2)", "\ud800"),
    ],
)
def test_rubbish_is_refused_in_one_sentence(text):
    with pytest.raises(ValueError, match=r"^[^\n]{10,160}\.$"):
        typed.read_number(text)


def test_what_fits_a_value():
    third = 2 / 3
    for text in ("2/3", "0.67", "0.66", "0,667", "0.666", "66.67 %", "66.7%", "4/6", "0.6667"):
        assert typed.equals_or_rounds_to(typed.read_number(text), third), text
    for text in ("0.7", "0.6", "0.65", "0.68", "0.665", "0.668", "1", "-0.67", "67", "0.66700", "2/4"):
        assert not typed.equals_or_rounds_to(typed.read_number(text), third), text
    assert typed.equals_or_rounds_to(typed.read_number("0.5"), 0.5)
    assert not typed.equals_or_rounds_to(typed.read_number("0.5"), 0.5004)
    # Cut to two decimals 0.24 is not 0.23, though 0.23 + 0.01 > 0.24.
    assert not typed.equals_or_rounds_to(typed.read_number("0.23"), 0.24)
    assert typed.is_rounded_too_far(typed.read_number("0.7"), third)
    assert not typed.is_rounded_too_far(typed.read_number("0.71"), third)
