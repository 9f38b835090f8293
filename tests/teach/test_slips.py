"""Tests of slips on any sentence and with any settings: none gives the right number, none fails; some by hand."""

from __future__ import annotations

import math
import random
import re
from dataclasses import replace
from itertools import combinations

import pytest

import metrics
from metrics.teach import segment_questions
from metrics.teach import slips as slips_of
from metrics.teach.records import AnswerValue, AnswerVerdict, Question
from metrics.teach.slips import APART, distinct_slips
from metrics.types import TooHard
from tests.helpers.cases import TAUGHT as KEYS
from tests.helpers.cases import random_segment, real_pairs, variants


def random_results(key):
    rng = random.Random(key)
    settings = [metrics.settings(key, **given) for given in variants(key) if "similarity" not in given]
    metric = metrics.METRICS[key]
    for chosen in settings:
        for _ in range(2):
            try:
                yield metric.score(random_segment(rng), chosen)
            except TooHard:
                continue
    for a, _, *references in real_pairs()[:3]:
        yield metrics.score(key, a, references)


@pytest.mark.parametrize("key", KEYS)
def test_no_slip_gives_the_right_number(key):
    metric = metrics.METRICS[key]
    for result in random_results(key):
        found = distinct_slips(metric, result)
        assert all(math.isfinite(s.number) and abs(s.number - result.score) >= APART for s in found), result
        assert all(abs(a.number - b.number) >= APART for a, b in combinations(found, 2))
        for slip in found:
            assert slip.says.endswith(".") and "  " not in slip.says and re.match("[A-Z]", slip.says), slip
            assert "nan" not in slip.says and "inf " not in slip.says
        question = slips_of.score_question(metric, result)
        assert metrics.judge_number(question, f"{result.score:.6f}").how == "right", result
        for part in segment_questions.part_questions(metric, result):
            assert metrics.judge_number(part, part.shows).how == "right", part


def verdict_on(key, candidate, references, number, **given):
    """Return the explanation that is given where `number` is typed as the score of the candidate."""
    metric = metrics.METRICS[key]
    result = metrics.score(key, candidate.split(), [r.split() for r in references], **given)
    return metrics.judge(slips_of.score_question(metric, result), number).because


OF_FOUR_WORDS = "That is the number of edits: an error rate divides by the reference's 4 words."
#: Metric, candidate, references, settings, a slip's number worked by hand, and what is said about it.
BY_HAND = [
    ("gtm", "the cat sat", ["the cat slept here"], {}, "8/7", "Forgot the root"),
    ("gtm", "the cat sat", ["the cat slept here"], {}, "2/3", "That is P alone"),
    ("gtm", "the cat sat", ["the cat slept here"], {}, "50 %", "That is R alone"),
    ("gtm", "a b c d", ["c d a b x"], {}, "8/9", "Forgot the exponent"),
    ("gtm", "a b x", ["a b", "c d e f"], {"exponent": 1.0}, "4/9", "Divided by all 6 words of the references"),
    ("rouge_n", "a a b", ["a b"], {}, "1,2", "Counted a word twice"),
    ("rouge_n", "a b c d", ["a b x"], {"order": 2}, "2/7", "Divided by the 4 and 3 words"),
    ("rouge_l", "a b c d", ["c d a b e"], {}, "8/9", "Counted all 4 words in common"),
    ("rouge_l", "a x b y c", ["a b c z"], {}, "2/9", "Counted only the longest run"),
    ("rouge_w", "a b c", ["a b d e"], {"weight": 2.0}, "8/25", "Forgot the root"),
    ("rouge_s", "a b c", ["a b d e"], {}, "2/7", "Divided by 3 and 4 words"),
    ("bleu", "a b c", ["a b c d e"], {"max_order": 2}, "1", "Forgot the brevity penalty"),
    ("bleu", "a b x", ["a b c"], {"max_order": 2}, "7/12", "Took the arithmetic mean"),
    ("bleu", "a b x", ["a b c"], {"max_order": 2}, "1/3", "Forgot the root"),
    ("bleu", "a a b", ["a b"], {"max_order": 2}, "0.7071", "Counted a repeated n-gram"),
    # P = (1 + 1)/2 and R = (2/4 + 1/3)/2, so chrF = 25/53.
    ("chrf", "ab", ["abcd"], {"char_order": 2}, "10/17", "Forgot β"),
    ("chrf", "ab", ["abcd"], {"char_order": 2}, "5/9", "Counted only single letters"),
    ("chrf", "ab", ["abcd"], {"char_order": 2}, "0.4701", "Took the mean of the F of each order"),
    ("nist", "a b", ["a b c d"], {"max_order": 1}, "2", "Forgot the brevity penalty"),
    ("nist", "a b x y", ["a b c d"], {"max_order": 1}, "0.6931", "Took the natural logarithm"),
    ("nist", "a b x", ["a b c d", "e f g h i j"], {"max_order": 1}, "1.5622", "Took 4 for r"),
    ("sia", "a b", ["a b c d"], {}, "1/2", "Counted the first round fully"),
    ("sia", "a b x", ["a b c d"], {}, "1/3", "Forgot the length penalty"),
    ("dcs", "a b", ["a b c"], {}, "1.6330", "Forgot the root"),
    ("meteor", "a b", ["a b c"], {"stages": ("exact",)}, "20/29", "Forgot the penalty"),
    ("ribes", "a c b", ["a b c"], {}, "1/3", "Took τ as it is"),
    ("wer", "a b c x", ["a b c"], {}, "0.25", "Divided by the candidate's 4 words"),
    ("wer", "a x c", ["a b c"], {}, "2/3", "Counted a substitution as two"),
    ("per", "a b c x", ["a b c d e"], {}, "0.6", "the share of the reference's 5 words that are found"),
    ("ter", "c a b", ["a b c x"], {}, "1/4", "Counted shifts as 0"),
    ("ter", "a b", ["a b c d", "a b c d e f"], {}, "0.5", "Divided by the 4 words of one reference"),
    ("wer", "a b x", ["a b c d"], {}, "2", OF_FOUR_WORDS),
    ("wer", "a b c", ["a b c d"], {}, "1", "That is the number of edits: an error rate divides"),
    ("per", "b a x", ["a b c d"], {}, "2", OF_FOUR_WORDS),
    ("ter", "c a b", ["a b c x"], {}, "2", OF_FOUR_WORDS),
    # F with β = 2 is 5PR/(R + 4P); here P = 2/4 and R = 2/5.
    ("rouge_n", "a b x y", ["a b c d e"], {"beta": 2.0}, "1/12", "Forgot the factor 1 + β² = 5 of F = 5PR/(R + 4P)."),
    (
        "rouge_n",
        "a b x y",
        ["a b c d e"],
        {"beta": 2.0},
        "0.45",
        "(1 + β²)PR/(R + β²P); for β = 2 this is 5PR/(R + 4P)",
    ),
    ("rouge_n", "a b x y", ["a b c d e"], {"beta": 2.0}, "0.4472", "for β = 2 this is 5PR/(R + 4P)"),
    ("rouge_n", "a b x y", ["a b c d e"], {"beta": 2.0}, "0.2", "That is P·R: F divides 5PR by R + 4P."),
    ("rouge_n", "a b x y", ["a b c d e"], {"beta": 2.0}, "2/9", "No known mistake gives this number."),
    (
        "rouge_n",
        "a b x y",
        ["a b c d e"],
        {"beta": 0.5},
        "0.38",
        "Forgot the factor 1 + β² = 1.25 of F = 1.25PR/(R + 0.25P).",
    ),
    ("rouge_n", "a b x y", ["a b c d e"], {}, "2/9", "Forgot the factor 2 of F = 2PR/(P + R)."),
    ("rouge_n", "a b x y", ["a b c d e"], {}, "0.45", "F is the harmonic mean 2PR/(P + R)."),
    # With several references, the sentence says which one is meant, or that it is their mean.
    (
        "bleu",
        "a b",
        ["a b c", "a"],
        {"max_order": 1},
        "0.6065",
        "Took 3 for r: 1 and 3 are equally close to 2, and then",
    ),
    ("ter", "a b", ["a b c d", "a b c d e f"], {}, "1", "TER divides by the references' mean of 5 words"),
    ("ter", "a b", ["a b c d"], {}, "1", "an error rate divides by the reference's 4"),
    ("wer", "a b", ["x y z u v w", "a b c d"], {}, "1", "an error rate divides by reference 2's 4"),
    ("wer", "a b", ["a b c d"], {}, "1", "an error rate divides by the reference's 4"),
    ("per", "a b", ["x y z u v w", "a b c d"], {}, "1", "an error rate divides by reference 2's 4"),
    ("sia", "a b", ["a b c d", "a b c d e f"], {}, "0.08", "Divided by the references' mean of 5 words"),
    ("gtm", "a b", ["a b c d", "a b c d e f"], {}, "0.4", "R alone, which divides by the references' mean of 5 words"),
    ("rouge_n", "a b x", ["x y z u v w", "a b c d"], {}, "0.5", "R alone, which divides by reference 2's 4"),
    ("rouge_w", "a b x", ["x y z u v w", "a b c d"], {}, "0.5", "R alone, which divides by reference 2's 4 to that"),
    ("dcs", "a b x", ["x y z u v w", "a b c d"], {}, "0.5", "Divided by reference 2's 4 words"),
    ("ribes", "a c b x y", ["z v", "a b c d e f"], {}, "0.5495", "by reference 2's 6"),
]


@pytest.mark.parametrize(("key", "candidate", "references", "given", "number", "says"), BY_HAND)
def test_slips_worked_by_hand(key, candidate, references, given, number, says):
    assert says in verdict_on(key, candidate, references, number, **given)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["wer", "per", "ter"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_number_of_edits_is_a_slip_of_every_exercise_on_a_rate(key, level):
    for seed in range(1, 31):
        e = metrics.exercise(key, seed, level)
        result = metrics.METRICS[key].score(e.segment, e.settings)
        edits = round(result.score * result.stats["reference_length"])
        said = metrics.judge_number(e.question, f"{edits}")
        assert said.how == "no" and "the number of edits" in said.because, (e.code, edits, said)


#: A right number, a typed text, and what is said about it.
WHOLE = [
    (0.96, "1", "It is not 1; a whole number is not accepted as rounded. The right number is lower."),
    (0.004, "0", "It is not 0; a whole number is not accepted as rounded. The right number is higher."),
    (0.96, "8/8", "It is not 1; a whole number is not accepted as rounded. The right number is lower."),
    (0.996, "100 %", "Rounded to a whole number: give more decimals."),
    (1.4, "1", "It is not 1; a whole number is not accepted as rounded. The right number is higher."),
    (0.996, "1.00", "Rounded to a whole number: give more decimals."),
    (0.004, "0.00", "Rounded to a whole number: give more decimals."),
    (0.996, "0.99", "Yes."),
    (1e-6, "0.0000", "Yes."),
    (1e-6, "0", "It is not 0; a whole number is not accepted as rounded. The right number is higher."),
    (0.004, "0.004", "Yes."),
    (2.8, "3", "A whole number is not accepted as rounded. The right number is lower."),
    (12.9999, "13.00", "Yes."),
    (1.0, "1", "Yes."),
    (1.0, "100 %", "Yes."),
    (0.0, "0", "Yes."),
    (3.0, "1", "Not yet. The right number is higher."),
]


@pytest.mark.parametrize(("right", "text", "says"), WHOLE)
@pytest.mark.parametrize("within", [0, 0.0051])
def test_a_whole_number_is_no_rounding(right, text, says, within):
    values = (
        AnswerValue(right, within, AnswerVerdict("right", "Yes.")),
        AnswerValue(right + 0.3, within, AnswerVerdict("no", "Slip.")),
    )
    question = Question("?", "number", "", {}, AnswerVerdict("no", "Not yet."), values=values, rounded=True)
    assert metrics.judge_number(question, text).because == says
    steps = replace(question, rounded=False)
    assert (metrics.judge_number(steps, text).how == "right") <= (says == "Yes.")


@pytest.mark.parametrize("key", ["rouge_n", "rouge_l", "rouge_w", "rouge_s", "gtm"])
@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0, 3.0])
def test_who_follows_what_is_said_of_f_gets_the_score(key, beta):
    if key == "gtm" and beta != 1:
        return
    result = metrics.score(
        key, "a b c x y".split(), ["a b c d e f".split()], **({"beta": beta} if key != "gtm" else {})
    )
    followed = 0
    for slip in distinct_slips(metrics.METRICS[key], result):
        for top, below in re.findall(r"([\d.]+)PR(?:/\(| by )([PR][^).]*(?:\.\d+)?P?)", slip.says):
            p, r = result.parts["precision"], result.parts["recall"]
            numbers = [float(each.strip().rstrip("PR") or 1) * (p if "P" in each else r) for each in below.split("+")]
            assert math.isclose(float(top) * p * r / sum(numbers), result.score), slip
            followed += 1
        for factor in re.findall(r"Forgot the factor (?:1 \+ β² = )?([\d.]+) of", slip.says):
            assert math.isclose(float(factor) * slip.number, result.score), slip
            followed += 1
    assert followed >= 3


SAID_TWICE = "gtm rouge_l bleu nist sia dcs meteor ribes wer per ter".split()


@pytest.mark.slow
@pytest.mark.parametrize("key", SAID_TWICE)
def test_a_slip_of_the_score_has_one_sentence_in_exercises_and_in_steps(key):
    """Check that a slip's sentence means the same number in an exercise and in the question on the last step."""
    metric, both = metrics.METRICS[key], set()
    for seed in range(1, 21):
        e = metrics.exercise(key, seed, 2)
        found = {says: number for number, says in metric.slips()(metric, metric.score(e.segment, e.settings))}
        *_, last = [
            question
            for _, question in metrics.ask(key, *e.segment, **e.settings.to_dict())
            if question and question.kind == "number"
        ]
        for value in last.values[1:]:
            if value.verdict.because in found:
                both.add(value.verdict.because)
                assert found[value.verdict.because] == pytest.approx(value.number, abs=1e-9), value
    assert both
