"""Tests of the question which of two candidates is better: true reasons, one that decides, and no use in guessing."""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache

import pytest

import metrics
from metrics.teach import exercises, which_better
from metrics.types import Neighbours, Run, SkipBigram
from tests.helpers.cases import TAUGHT as KEYS
from tests.helpers.searching import FREE

#: The seeds of each metric and level; all hundred of them in a free search.
SEEDS = range(1, 101 if FREE else 7)


@cache
def pose_question(key, level, seed):
    """Return an exercise, its question on which of two candidates is better, and the results of both candidates."""
    metric = metrics.METRICS[key]
    found = metrics.exercise_of(f"{key}-{level}-{seed}-which")
    both = [metric.score(found.segment._replace(candidate=c), found.settings) for c in found.weighed.candidates]
    return found, metrics.which_question(found), both


def all_questions(keys=KEYS):
    return [pose_question(key, level, seed) for key in keys for level in exercises.LEVELS for seed in SEEDS]


def split_choice(choice):
    side, reason = choice.split(": because ")
    return side, reason


# ---------------------------------------------------------------- true reasons


def run_lengths(result):
    return [mark.length for layer in result.layers for mark in layer.marks if isinstance(mark, Run)]


def word_count(result):
    return len(result.segment.candidate)


def matched_count(result):
    return len({cell.i for cell in result.cells()})


def mark_count(result):
    return sum([len(layer.marks) for layer in result.layers])


def unordered_edits(result):
    """Return the number of edits that the words need in any order, counted one word after another."""
    (k,) = {*result.decides.values()}
    free, found = [*result.segment.references[k]], 0
    for word in result.segment.candidate:
        if word in free:
            free.remove(word)
            found += 1
    return max(word_count(result), len(result.segment.references[k])) - found


def edit_count(result):
    return sum([result.parts.get(name, 0) for name in ("substitutions", "insertions", "deletions", "edits")])


def neighbour_count(result):
    return sum([isinstance(mark, Neighbours) for layer in result.layers for mark in layer.marks])


def pair_count(result):
    return sum([isinstance(mark, SkipBigram) for layer in result.layers for mark in layer.marks])


def penalty(result):
    (name,) = {"brevity_penalty", "length_penalty"} & {*result.parts}
    return result.parts[name]


#: A count for each reason: the larger it is, the truer the reason.
COUNTED = {
    r"it has more words(, apart from the penalty)?": word_count,
    r"it has fewer words(, apart from the penalty)?": lambda result: -word_count(result),
    r"more of its words match under .*": matched_count,
    r"more of its n-grams match under .*": mark_count,
    r"more of its pairs match under .*": pair_count,
    r"its matches form longer runs": lambda result: (
        sum(n * n for n in run_lengths(result)) / max(sum(run_lengths(result)), 1)
    ),
    r"more of its runs follow each other": neighbour_count,
    r"it has fewer chunks": lambda result: -result.parts["chunks"],
    r"it has fewer discordant pairs": lambda result: -result.stats["discordant"],
    r"the length penalty costs it less": penalty,
    r"gaps between its matches cost it less": None,  # a sum over rounds, which the ledger's tests check
    r"its words, in any order, need fewer edits": lambda result: -unordered_edits(result),
    r"its word order needs fewer edits": lambda result: unordered_edits(result) - edit_count(result),
}


def reason_lead(reason, own, other):
    """Return by how much more a reason, such as “it is longer”, holds for result `own` than for result `other`.

    It is counted independently of the code under test; NaN where the reason cannot be counted."""
    (count,) = [count for pattern, count in COUNTED.items() if re.fullmatch(pattern, reason)]
    return count(own) - count(other) if count else math.nan


@pytest.mark.slow
@pytest.mark.hypothesis
@pytest.mark.parametrize("key", KEYS)
def test_the_right_answer_is_the_better_candidate_with_a_true_reason_that_decides(key):
    metric, told = metrics.METRICS[key], Counter()
    for found, question, both in all_questions([key]):
        sides = dict(zip("AB", zip(both, reversed(both), strict=True), strict=True))
        better = "A" if (both[0].score > both[1].score) == metric.higher_is_better else "B"
        right, reason = split_choice(question.choices[int(question.shows)])
        assert right == better and [v.how for v in question.verdicts.values()].count("right") == 1, found.code
        assert len(question.choices) == 4 == len({*question.choices})
        reasons = {split_choice(choice)[1] for choice in question.choices}
        assert len(reasons) == 2
        worse, best = sorted(both, key=lambda result: result.score, reverse=not metric.higher_is_better)
        shares = {each.says: each.share for each in which_better.comparison_reasons(metric, worse, best)}
        rest = next(iter(reasons - {reason}))
        assert shares[reason] >= 1.25 * max(abs(share) for says, share in shares.items() if says != reason)
        assert shares[rest] < 0 or shares[reason] >= 2 * shares[rest]
        for side, says in [split_choice(choice) for choice in question.choices]:
            because = question.verdicts[f"{question.choices.index(f'{side}: because {says}')}"].because
            ahead = reason_lead(says, *sides[side])
            true = side == better if says == reason or shares[says] > 0 else side != better
            assert math.isnan(ahead) or (ahead > 0) == true, (found.code, side, says)
            if (side, says) != (right, reason):
                other = "B" if side == "A" else "A"
                assert ("true of it" in because or "That is true," in because) == true, (found.code, because)
                assert (f"true of {other}" in because) != true, (found.code, because)
                told[side == better, true] += 1
    # Wrong answers: the other candidate's true reason, a minor true reason, and reasons that are false.
    assert all(told[kind] >= 2 for kind in [(False, True), (True, False), (False, False)]), told


@pytest.mark.hypothesis
def test_either_reason_could_decide():
    """Check that in nearly all questions either of the two reasons could make a candidate the better one.

    Pairs of candidates are drawn until there is one for each reason; otherwise another plan nearly always has one."""
    even = [found.weighed.even for found, _, _ in all_questions()]
    assert sum(even) >= 0.97 * len(even)


# ---------------------------------------------------------------- guessing without the sentences


def reason_of(choice):
    return split_choice(choice)[1]


def learn_reasons(training):
    """Return how often each reason was the right one, as a share of the times it was offered, by (metric, reason)."""
    offered, right = Counter(), Counter()
    for found, question in training:
        for n, choice in enumerate(question.choices):
            offered[found.key, reason_of(choice)] += 1
            right[found.key, reason_of(choice)] += f"{n}" == question.shows
    return {name: right[name] / offered[name] for name in offered}


def longest_choices(found, choices, learnt):
    return [c for c in choices if len(c) == max(map(len, choices))]


def shortest_choices(found, choices, learnt):
    return [c for c in choices if len(c) == min(map(len, choices))]


def first_choice(found, choices, learnt):
    return choices[:1]


def last_choice(found, choices, learnt):
    return choices[-1:]


def choices_unlike_the_others(found, choices, learnt):
    often = Counter(map(reason_of, choices)), Counter([c[0] for c in choices])
    return [c for c in choices if 1 in (often[0][reason_of(c)], often[1][c[0]])]


def choices_most_often_right(found, choices, learnt):
    most = max(learnt.get((found.key, reason_of(c)), 0) for c in choices)
    return [c for c in choices if learnt.get((found.key, reason_of(c)), 0) == most]


def choices_not_most_often_wrong(found, choices, learnt):
    """Return the choices without those whose reason was right least often in `learnt`.

    `learnt` maps a metric and a reason to the share of questions in which it was right."""
    least = min(learnt.get((found.key, reason_of(c)), 0) for c in choices)
    return [c for c in choices if learnt.get((found.key, reason_of(c)), 0) > least]


STRATEGIES = [
    *(longest_choices, shortest_choices, first_choice, last_choice, choices_unlike_the_others),
    *(choices_most_often_right, choices_not_most_often_wrong),
]


def share_right(strategy, asked, training):
    """Return the share of the questions `asked` that a strategy answers right.

    The strategy guesses among the choices that it leaves; it may learn from the questions in `training`."""
    total, learnt = 0.0, learn_reasons(training)
    for found, question in asked:
        left = strategy(found, question.choices, learnt) or question.choices
        total += (question.choices[int(question.shows)] in left) / len(left)
    return total / len(asked)


def share_right_when_learnt(strategy, keys):
    """Return (share of right answers, number of questions) of a strategy on all questions on the metrics `keys`.

    Reasons that are often right are learnt on the even seeds and used on the odd ones, and the other way round."""
    halves = [], []
    for found, question, _ in all_questions(keys):
        halves[found.seed % 2].append((found, question))
    n = sum(map(len, halves))
    return sum(share_right(strategy, *pair) * len(pair[0]) / n for pair in (halves, halves[::-1])), n


@pytest.mark.hypothesis
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_who_has_not_read_the_sentences_is_right_by_chance(strategy):
    """Check that no strategy of guessing does better or worse than chance, 1/4.

    With n questions, a strategy at chance that leaves one or two answers stays within 3·√(3/16 / n) of 1/4, except one
    time in seven hundred."""
    got, n = share_right_when_learnt(strategy, KEYS)
    assert abs(got - 0.25) <= 3 * math.sqrt(3 / 16 / n), got


@pytest.mark.hypothesis
@pytest.mark.parametrize("key", KEYS)
def test_no_metric_is_answered_by_what_is_often_right(key):
    """Check that no strategy beats chance on a single metric; the bound is wider because its questions are few."""
    for strategy in STRATEGIES:
        got, n = share_right_when_learnt(strategy, [key])
        assert got <= 0.25 + 3.5 * math.sqrt(3 / 16 / n), (strategy.__name__, got)


def test_a_strategy_would_be_caught():
    """Check that the strategies succeed where the right answer has a wording of its own, as it once had."""
    rng, old = random.Random(3), []
    for found, question, _ in all_questions(KEYS[:3]):
        wordings = ["it has most", "it is longer", "it is longer", "it is shorter"]
        choices = tuple([f"{side}: because {says}" for side, says in zip("ABBA", wordings, strict=True)])
        order = rng.sample(range(4), 4)
        mixed = tuple([choices[n] for n in order])
        old.append((found, replace(question, choices=mixed, shows=f"{order.index(0)}")))
    assert share_right(choices_most_often_right, old, old) > 0.9
    assert share_right(choices_not_most_often_wrong, old, old) > 0.4
    assert share_right(choices_unlike_the_others, old, old) > 0.4


# ---------------------------------------------------------------- in use


def test_a_code_gives_the_same_question_for_ever():
    found, question, _ = pose_question("gtm", 2, 7)
    again = metrics.which_question(metrics.exercise_of("gtm-2-7"))
    assert again == question == metrics.whole_questions(found)[-1]
    told = defaultdict(set)
    for found, question, _ in all_questions(["gtm", "wer"]):
        told[found.key].update(map(reason_of, question.choices))
    assert told["wer"] == {"its words, in any order, need fewer edits", "its word order needs fewer edits"}
    assert told["gtm"] == {"it has fewer words", "its matches form longer runs", "more of its words match under GTM"}


def test_the_other_reason_of_one_that_always_decides_is_another_plans():
    """Check that settings with which one reason always decides are replaced by the defaults, at the same level.

    With β = 2 the length never decides ROUGE-L."""
    codes = [metrics.exercise("rouge_l", seed, 3) for seed in range(1, 9)]
    weighted = next(found for found in codes if found.given)
    posed = metrics.exercise_of(f"{weighted.code}-which")
    assert weighted.given == {"beta": 2.0} and posed.given == {} and posed.weighed.even
    assert len(posed.segment.references) == 2 and posed.code == f"{weighted.code}-which"


def test_equal_scores_are_not_compared():
    metric = metrics.METRICS["per"]
    a, b = (metrics.score("per", words.split(), ["the cat sat".split()]) for words in ("the cat", "cat the"))
    assert not [*which_better.weighable_pairs(metric, a, b)]
