"""Test what words are worth: the effect of changing one word, and the best words to delete together."""

from __future__ import annotations

import random

import pytest

import metrics
from metrics.analysis.edit_sentence import explain_word_change
from metrics.analysis.worth import (
    JointDeletion,
    WordChangeEffect,
    candidate_after,
    costly_deletions,
    count_word_changes,
    joint_deletions,
    word_change_effects,
)
from metrics.types import Segment, segment
from tests.helpers.cases import KEYS, segments
from tests.helpers.effects import GTM, SURPLUS, WER, delete, find_joint, insert, replace, score_of
from tests.helpers.fragments import process_texts

# ---------------------------------------------------------------- one word


@pytest.mark.parametrize("key", KEYS)
def test_effects_are_what_scoring_the_changed_candidate_gives(key):
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    for candidate, references in segments(7, 15):
        one = segment(candidate, references)
        found = [*word_change_effects(metric, one, settings)]
        assert len(found) == count_word_changes(one)
        base = metrics.score(key, *one).score
        assert [e.i for e in found if e.action == "delete"] == list(range(len(candidate)))
        for effect in found:
            score = metrics.score(key, candidate_after(effect, one), references).score
            assert (effect.score, effect.delta) == (score, score - base)


LONGER = ["a b c d", "a b c d e f g x"]


@pytest.mark.parametrize(
    ("key", "candidate", "references", "n", "says"),
    [
        ("gtm", "a b c x d y z", ["a b c d"], 3, "It splits a run of 4 into 3 and 1."),
        (  # a word that matches but lowers the score
            "gtm",
            "a b c x d y z",
            ["a b c d"],
            4,
            "The text would have 6 words without it, not 7, though one fewer word would match.",
        ),
        ("wer", "a x", ["a b"], 2, "One fewer substitution would be needed."),
        ("wer", "a x", ["a b"], 1, "The number of errors would stay the same."),
        (
            "bleu",
            "a b c d e f g",
            LONGER,
            6,
            "The brevity penalty would be 1.000, not 0.867; "
            "reference 1 would decide the brevity penalty, not reference 2.",
        ),
        ("bleu", "a b c d e f g", LONGER, 7, "The brevity penalty would be 1.000, not 0.867."),
    ],
)
def test_why_a_change_would_do_what_it_does(key, candidate, references, n, says):
    one, settings = segment(candidate.split(), [each.split() for each in references]), metrics.settings(key)
    found = [*word_change_effects(metrics.METRICS[key], one, settings)]
    assert explain_word_change(metrics.METRICS[key], one, settings, found[n]) == says


@pytest.mark.parametrize("seed", range(40))
def test_every_missing_word_is_put_back_where_it_belongs(seed):
    for candidate, references in segments(seed, 3):
        one = Segment(candidate, tuple(references[:1]))
        restored = [
            e for e in word_change_effects(metrics.METRICS["wer"], one, metrics.settings("wer")) if e.action != "delete"
        ]
        errors = metrics.score("wer", *one).stats
        assert len(restored) <= errors["substitutions"] + errors["deletions"]
        distance = sum(errors[name] for name in ("substitutions", "insertions", "deletions"))
        for effect in restored:
            after = metrics.score("wer", candidate_after(effect, one), one.references).stats
            assert sum(after[name] for name in ("substitutions", "insertions", "deletions")) == distance - 1


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        (WordChangeEffect("delete", 1, -1, -1, 0, 0), "ac"),
        (WordChangeEffect("insert", 0, 0, 1, 0, 0), "yabc"),
        (WordChangeEffect("insert", 3, 0, 0, 0, 0), "abcx"),
        (WordChangeEffect("replace", 2, 0, 1, 0, 0), "aby"),
    ],
)
def test_applied(effect, expected):
    assert candidate_after(effect, Segment(tuple("abc"), (("x", "y"),))) == tuple(expected)


def test_a_word_of_two_references_is_tried_once():
    one = segment(["a"], [["a", "b"], ["a", "b"], ["b", "a"]])
    found = [
        e for e in word_change_effects(metrics.METRICS["gtm"], one, metrics.settings("gtm")) if e.action == "insert"
    ]
    assert [(e.i, e.k, e.j) for e in found] == [(1, 0, 1), (0, 2, 0)]


def test_only_deletions_that_help_cost():
    some = [delete(0, -0.2), delete(1, 0.1), delete(2, 0.0), delete(3, 0.2), delete(4, -0.0004), delete(5, 0.1 + 1e-12)]
    some += [insert(1, 1, 0.1), replace(1, 2, -0.3)]
    assert [effect.i for effect in costly_deletions(some, GTM)] == [3, 1, 5]
    assert [effect.i for effect in costly_deletions(some, WER)] == [0]


# ---------------------------------------------------------------- several words


def find_joint_deletions(
    score_by_deletion: dict[tuple[int, ...], float], metric=GTM, used_words=(), word_count=3
) -> list[JointDeletion]:
    """Return the successive results of the search for the best joint deletion in a text of `word_count` words.

    `score_by_deletion` maps tuples of deleted positions to scores; all other deletions get the worst score.
    `used_words`
    is handed to the search as the words that marks use."""
    bad = 0.0 if metric.higher_is_better else 1.0
    effects = [
        WordChangeEffect("delete", i, -1, -1, score_by_deletion.get((i,), bad), score_by_deletion.get((i,), bad) - 0.5)
        for i in range(word_count)
    ]
    return [*joint_deletions(effects, metric, used_words, lambda gone: score_by_deletion.get(tuple(gone), bad))]


@pytest.mark.parametrize(
    ("scores", "used", "expected"),
    [
        ({}, (), None),
        ({(1,): 0.6}, (), JointDeletion((1,), 0.6, True)),
        ({(1,): 0.6, (0, 1): 0.7}, (), JointDeletion((0, 1), 0.7, True)),  # word 0 costs nothing alone
        ({(0,): 0.6, (1,): 0.55, (2,): 0.6}, (), JointDeletion((2,), 0.6, True)),  # the later of two equally good words
        # The word that no match uses is deleted.
        ({(0,): 0.6, (1,): 0.55, (2,): 0.6}, (2,), JointDeletion((0,), 0.6, True)),
        # The costliest are deleted together.
        ({(0,): 0.6, (1,): 0.58, (2,): 0.57, (0, 1, 2): 0.7}, (), JointDeletion((0, 1, 2), 0.7, True)),
        ({(0,): 0.6, (1,): 0.58, (0, 1): 0.6}, (), JointDeletion((0,), 0.6, True)),  # the smallest set of the best
        ({(0,): 0.6, (1,): 0.58, (0, 1): 0.6 + 1e-12}, (), JointDeletion((0,), 0.6, True)),  # equal within rounding
    ],
)
def test_together(scores, used, expected):
    """Check the search for words to delete together.

    It deletes the most helpful word until no deletion helps, and also tries the words that cost most together."""
    found = find_joint_deletions(scores, GTM, used)
    assert (found[-1] if found else None) == expected
    turned = find_joint_deletions({gone: 1 - score for gone, score in scores.items()}, WER, used)
    assert [(joint.words, joint.ended) for joint in turned] == [(joint.words, joint.ended) for joint in found]


def test_the_best_so_far_gets_better_and_never_claims_too_much():
    found = find_joint_deletions({(0,): 0.6, (1,): 0.58, (2,): 0.57, (0, 1): 0.65, (0, 1, 2): 0.6, (0, 2): 0.7})
    assert [joint.score for joint in found] == sorted([joint.score for joint in found])
    assert [joint.ended for joint in found] == [False] * (len(found) - 1) + [True]
    assert found[-1] == JointDeletion((0, 2), 0.7, True)


@pytest.mark.parametrize("key", metrics.METRICS)
def test_all_surplus_words_are_found(key):
    """Check a candidate that repeats words: only the surplus copies are deleted together, which leaves the reference.

    Deleting any one copy would raise the score."""
    joint = find_joint(key, SURPLUS)
    assert joint and joint.words == (6, 7, 8, 9) and joint.ended
    assert joint.score == metrics.score(key, SURPLUS.segment.references[0], SURPLUS.segment.references).score


@pytest.mark.parametrize("key", ["rouge_l", "gtm"])
def test_words_are_scored_anew_after_each_deletion(key):
    """Check that the search scores the words again after each deletion.

    Only then does it see which copies of a word are surplus; deleting the words that cost most all at once is worse."""
    texts = process_texts("x a b a c c", "a a a c")
    joint = find_joint(key, texts)
    assert joint and joint.ended and joint.words in ((0, 2, 4), (0, 2, 5))  # either of the two c at positions 4 and 5
    assert joint.score == pytest.approx(6 / 7)


@pytest.mark.parametrize("key", [key for key in metrics.METRICS if key != "nist"])
def test_no_single_further_deletion_helps(key):
    """Check the joint deletion: one more deletion does not improve its score, and no single deletion scores better."""
    rng, metric = random.Random(3), metrics.METRICS[key]
    sign = 1 if metric.higher_is_better else -1
    for _ in range(12):
        texts = process_texts(" ".join(rng.choices("abcde", k=9)), " ".join(rng.choices("abcd", k=5)))
        joint = find_joint(key, texts)
        for i in range(9):
            alone = sign * score_of(key, texts, (i,))
            if joint is None:
                assert alone < sign * score_of(key, texts) + 0.0005
                continue
            assert joint.ended and joint.score == score_of(key, texts, joint.words)
            assert alone <= sign * joint.score + 1e-9
            assert sign * score_of(key, texts, (*joint.words, i)) <= sign * joint.score + 1e-9
