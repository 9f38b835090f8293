"""Tests that every question on a step judges all answers as the definition does.

No optimal answer is refused, and nothing else is accepted. Each line of a program that is asked about has a rule that
finds the right answers the slow way, before the step is shown. Of the step itself the rule knows only its subject.
"""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from itertools import takewhile

import pytest

import metrics
from metrics import types
from metrics.teach.asking import cell_name
from metrics.teach.judge import canonical_answer, question_to_dict
from metrics.text import wordnet
from tests.helpers.cases import random_segment, real_pairs
from tests.helpers.segments import HOSTILE
from tests.helpers.teach import slow
from tests.helpers.teach.asked import cases, possible_answers
from tests.helpers.teach.rules import RULES

#: Sentences with questions that random sentences seldom raise.
SHORT_OR_LONG = [(tuple("abc"), (tuple("abcdefgh"), tuple("ab"))), (tuple("ab"), (tuple("abcdefgh"), tuple("ab")))]
MORE = {
    **dict.fromkeys(["rouge_n", "rouge_l", "rouge_w", "rouge_s"], SHORT_OR_LONG),
    "meteor": [
        (tuple("the cats ran quickly".split()), (tuple("the cat quickly run a cat rapidly".split()),)),
        (tuple("bbaabaa"), (tuple("baabbab"),)),  # more matchings than the program keeps
    ],
    "sia": [(tuple("acabbcccaa"), (tuple("acaabac"),))],  # two chains that are equal but for rounding
    "gtm": [
        (tuple("baabba"), (tuple("babba"),)),
        (tuple("aacacc"), (tuple("bccca"), tuple("cbc"))),
        (tuple("abbabb"), (tuple("bababb"),)),
    ],
}

#: Decisions that are questions only where some answer would be wrong.
SOMETIMES = {("gtm", "branch")}


@pytest.mark.slow
@pytest.mark.parametrize("key", RULES)
def test_every_answer_is_judged_as_the_slow_rule_does(key):
    rules, settings = RULES[key]
    rng = random.Random(key)
    met = Counter()
    tried = [(random_segment(rng, most=6, references=2), settings[turn % len(settings)]) for turn in range(40)]
    tried += [(segment, given) for segment in MORE.get(key, []) for given in settings]
    for segment, given in tried:
        for case in cases(key, segment, given):
            if case.question is None:
                assert case.step.decision is None or (key, case.line) in SOMETIMES or has_one_way(case), case.step.text
                continue
            met[case.line] += 1
            check_answers(case, rules[case.line](case))
    never = {*rules} - {*met}
    assert not never or (never == {"synonym"} and wordnet.version() is None), "a line is never asked about"


def has_one_way(case):
    """Return whether the step leaves nothing to decide.

    This is so where only one of two references is left, and in the part of a table where both texts begin with the same
    words, because only one way leads back there."""
    if case.line == "several":
        return len(case.segment.references) == 2
    (edit,) = case.step.considered
    both = zip(case.segment.candidate, case.segment.references[edit.k], strict=False)
    return min(edit.i_end, edit.j_end) <= len([*takewhile(lambda pair: pair[0] == pair[1], both)])


def check_answers(case, accepts):
    question = case.question
    where = case.key, case.segment, case.step.text, question.text
    shown = metrics.judge(question, question.shows)
    assert shown.how == "right", (*where, question.shows, shown)
    assert accepts(question.shows), (*where, question.shows)
    assert len(question.text) <= 95, question.text
    for name in question.about:
        assert name.startswith(("t:", "c")) or name in map(cell_name, slow.hits(*case.segment)), where
        assert question.kind not in ("cell", "word") or not accepts(name), where
    tried = possible_answers(case)
    assert question.optimal == count_optimal(case, accepts, tried), where
    for answer in tried:
        verdict = metrics.judge(question, answer)
        assert (verdict.how != "no") == bool(accepts(answer)), (*where, answer, verdict)
        assert 0 < len(verdict.because) <= 110, verdict.because
        assert verdict.because.isprintable()
    check_marks(case)


def count_optimal(case, accepts, tried):
    """Return how many of the answers `tried` are optimal by the slow rule `accepts`.

    A run is one answer, whichever of its cells is clicked."""
    question = case.question
    if question.kind == "number":
        return sum(value.verdict.how != "no" for value in question.values)
    if question.kind == "cells":
        tried = [" ".join(cells) for cells in slow.matchings_of(question.rule.cells)]
    accepted = {canonical_answer(answer) for answer in tried if accepts(answer)}
    if question.kind == "cell":
        return len({metrics.judge(question, answer).marks[:1] or answer for answer in accepted})
    return len(accepted)


def check_marks(case):
    """Check that the marks that each verdict points to are inside the texts, and that the question survives JSON."""
    question = case.question
    plain = question_to_dict(question)
    assert json.loads(json.dumps(plain)) == plain
    verdicts = [*question.verdicts.values(), question.otherwise, *[value.verdict for value in question.values]]
    for verdict in verdicts:
        assert 0 < len(verdict.because) <= 110, verdict.because
        assert verdict.because.isprintable(), verdict.because
        for mark in verdict.marks:
            for i, k, j in mark.cells():
                assert 0 <= i < len(case.candidate) and 0 <= j < len(case.references[k])


def test_long_and_hostile_words_make_no_verdict_long_or_unprintable():
    long = "incomprehensibilities" * 3
    segments = [
        ((long, "a", long, "b", long + "s"), ((long, long, "b", "a"), (long, "a", long))),
        (HOSTILE[:6], (HOSTILE[5::-1], HOSTILE[2:8])),
        (HOSTILE[6:], (HOSTILE[:5:-1],)),
    ]
    for key in RULES:
        for segment in segments:
            for case in cases(key, segment, {}):
                if case.question is not None:
                    assert len(case.question.text) <= 95, case.question.text
                    assert all(text.isprintable() for text in (case.question.text, *case.question.choices))
                    check_marks(case)


def test_the_empty_word_is_not_the_letter_of_code_0():
    """Check that an empty word differs from the letter with code 0, which RapidFuzz confuses."""
    for _, question in metrics.ask("rouge_l", ["b", "\0"], [["b", "a", ""]]):
        assert question is None or metrics.judge(question, question.shows).how == "right", question.text


@pytest.mark.parametrize("weight", [10.7, 12.1])
def test_show_me_types_large_numbers_exactly_enough(weight):
    words = list("abcd")
    asked = [q for _, q in metrics.ask("rouge_w", words, [words], every=1, weight=weight) if q]
    assert max(value.number for question in asked for value in question.values) > 1e4
    for question in asked:
        assert metrics.judge(question, question.shows).how == "right", (question.text, question.shows)


def test_what_comes_again_is_asked_as_often_as_one_wants():
    words = "the cat the dog sat on the mat".split()
    few, many = (
        sum(question is not None for _, question in metrics.ask("rouge_l", words, [words[::-1]], every=every))
        for every in (1000, 1)
    )
    assert few < 20 < 64 < many
    for every in (0, -1, 1.5, math.nan, True, None, "7"):
        with pytest.raises(ValueError, match=r"^every must be "):
            metrics.ask("rouge_l", words, [words], every=every)


def test_a_number_is_as_exact_as_its_decimals():
    words, reference = tuple("abcdefghxx"), tuple("abcdefghyyy")
    asked = [q for _, q in metrics.ask("rouge_l", words, [reference]) if q and q.text.startswith("What is R")]
    right = 8 / 11
    (question,) = asked
    for answer, how in (("0.727", "right"), ("0.73", "right"), (".7272", "right"), ("8/11", "right"), ("0,72", "no")):
        assert metrics.judge(question, answer).how == how, (answer, right)
    for answer in ("0.725", "0.7", "0.728999", "7/10", "0.7311", "8"):
        assert metrics.judge(question, answer).how == "no", answer


def test_answers_are_sets():
    (question,) = [
        question
        for _, question in metrics.ask("rouge_l", tuple("abc"), [tuple("abc")])
        if question and question.kind == "cells"
    ]
    assert metrics.judge(question, " 2,0,2 0,0,0  1,0,1 1,0,1 ").how == "right"
    assert canonical_answer(question.shows) == question.shows
    assert metrics.judge(question, "").how == "no"
    assert "2" in metrics.judge(question, "0,0,0 1,0,1").because


def choice_questions(key):
    """Yield the questions that the metric `key` asks on exercises, real sentences, random ones and very short ones."""
    rng, texts = random.Random(key), []
    for number in range(27):
        found = metrics.exercise(key, 1 + number // 3, 1 + number % 3)
        yield from metrics.whole_questions(found)
        texts += [(found.segment, found.given), (found.segment._replace(candidate=found.other), found.given)]
    texts += [(types.segment(a[:12], [r[:12] for r in references[:2]]), {}) for a, _, *references in real_pairs()[:6]]
    texts += [(random_segment(rng, most=7, references=2), rng.choice(RULES[key][1])) for _ in range(30)]
    texts += [(types.segment([*a], [[*b]]), {}) for a in ("", "a", "ab") for b in ("", "a", "ba")]
    for words, given in texts:
        yield from [question for _, question in metrics.ask(key, *words, every=3, **given) if question]


@pytest.mark.slow
@pytest.mark.parametrize("key", RULES)
def test_who_may_choose_has_a_choice(key):
    """Check that a choice has at least two different answers, one of them right, and that no other answer is right."""
    asked = [question for question in choice_questions(key) if question.kind == "choice"]
    assert len(asked) >= 27
    for question in asked:
        assert len({*question.choices}) == len(question.choices) >= 2, question
        offered = [metrics.judge(question, str(number)).how for number in range(len(question.choices))]
        assert "right" in offered and offered[int(question.shows)] == "right", question
        assert metrics.judge(question, str(len(question.choices))).how == "no"
