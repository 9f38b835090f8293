"""Test the edits between two texts and their shares in the difference of the scores.

All edits together make the other text, and an edit's share is its mean effect over all orders of making the edits."""

from __future__ import annotations

import itertools
import math

import pytest

import metrics
from metrics.analysis.edit_shares import MOST, PAIRS, WordEdit, apply_edits, edit_shares, word_edits
from metrics.types import Segment, TooHard, segment
from metrics.types.work import limited
from tests.helpers.cases import CASES, KEYS
from tests.helpers.output_pairs import random_pairs, real_pairs

# ---------------------------------------------------------------- the edits


@pytest.mark.parametrize("pairs", [random_pairs(1, 300), real_pairs(2, 150)], ids=["random", "real"])
def test_all_edits_give_the_other_text_and_both_ways_are_the_same(pairs):
    for a, b, _ in pairs:
        edits = word_edits(a, b)
        assert apply_edits(a, edits) == b
        assert [*edits] == sorted(edits, key=lambda edit: (edit.start, edit.end))
        assert all(b[e.at : e.at + len(e.words)] == e.words and (e.words or e.start < e.end) for e in edits)
        back = [(e.at, e.at + len(e.words), a[e.start : e.end], e.start, e.move) for e in edits]
        assert [tuple(edit) for edit in word_edits(b, a)] == back


@pytest.mark.parametrize("pairs", [random_pairs(3, 300), real_pairs(4, 150)], ids=["random", "real"])
def test_a_move_is_two_edits_of_the_same_words(pairs):
    found = 0
    for a, b, _ in pairs:
        moves = {}
        for edit in word_edits(a, b):
            if edit.move is not None:
                moves.setdefault(edit.move, []).append((a[edit.start : edit.end], edit.words))
        for one, other in moves.values():
            assert () in one and one == other[::-1]
        found += len(moves)
    assert found > 2


@pytest.mark.parametrize(
    ("a", "b", "edits"),
    [
        ("the cat sat", "the cat sat", []),
        ("", "a b", [("", "a b", None)]),
        ("a b", "", [("a b", "", None)]),
        (
            "er hat gleiche Rechte",
            "er besitzt gleichen Rechte",
            [("hat", "besitzt", None), ("gleiche", "gleichen", None)],
        ),
        ("we saw it yesterday", "yesterday we saw it", [("", "yesterday", 0), ("yesterday", "", 0)]),
        ("as we saw it", "we saw it as", [("as", "", None), ("", "as", None)]),
        ("x the house y z", "y x q the house z", [("", "y", None), ("", "q", None), ("y", "", None)]),
        ("now we came here first", "first we came here", [("", "first", 0), ("now", "", None), ("first", "", 0)]),
    ],
)
def test_what_one_edit_is(a, b, edits):
    ours, theirs = tuple(a.split()), tuple(b.split())
    found = word_edits(ours, theirs)
    assert [(" ".join(ours[e.start : e.end]), " ".join(e.words), e.move) for e in found] == edits


def test_very_long_texts_have_edits():
    a, b = tuple([f"a{t}" for t in range(3000)]), tuple([f"b{t}" for t in range(2000)])
    with limited(1_000_000):
        assert word_edits(a, b) == (WordEdit(0, 3000, b, 0, None),)


# ---------------------------------------------------------------- what they are worth


def shares_by_all_orders(key, candidate, references, edits, **given):
    """Return the share of each edit in the change of the score: its mean effect over all orders of making the edits."""
    known = {}

    def score_after(chosen):
        if chosen not in known:
            known[chosen] = metrics.score(
                key, apply_edits(candidate, [edits[p] for p in sorted(chosen)]), references, **given
            ).score
        return known[chosen]

    shares = [0.0] * len(edits)
    for order in itertools.permutations(range(len(edits))):
        for n, p in enumerate(order):
            shares[p] += score_after(frozenset(order[: n + 1])) - score_after(frozenset(order[:n]))
    return [share / math.factorial(len(edits)) for share in shares]


@pytest.mark.parametrize(("key", "given"), CASES)
def test_shares_sum_to_the_difference(key, given):
    brute = 0
    for a, b, references in [*random_pairs(5, 9), *real_pairs(6, 2)]:
        found = metrics.edits(key, a, b, references, **given)
        before, after = (metrics.score(key, words, references, **given).score for words in (a, b))
        assert math.fsum([edit.share for edit in found]) == pytest.approx(after - before, abs=1e-12)
        assert apply_edits(a, found) == b
        if len(found) <= 5:
            brute += len(found) > 1
            assert [e.share for e in found] == pytest.approx(
                shares_by_all_orders(key, a, references, found, **given), abs=1e-9
            )
    assert brute


@pytest.mark.parametrize("key", KEYS)
def test_taken_back_alone(key):
    for a, b, references in random_pairs(7, 25):
        found = metrics.edits(key, a, b, references)
        for edit in found:
            left = [e for e in found if e is not edit and (e.move is None or e.move != edit.move)]
            assert edit.back == metrics.score(key, apply_edits(a, left), references).score


@pytest.mark.parametrize("most", [MOST, 3], ids=["all orders", "some orders"])
@pytest.mark.parametrize("key", KEYS)
def test_from_the_other_text_shares_have_the_other_sign(key, most):
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    for a, b, references in real_pairs(8, 3):
        forth = edit_shares(metric, Segment(a, references), b, settings, most)
        back = edit_shares(metric, Segment(b, references), a, settings, most)
        assert [e.share for e in forth] == pytest.approx([-e.share for e in back], abs=1e-12)


def test_of_many_edits_some_orders_are_near_all():
    worst = 0.0
    metric, settings = metrics.METRICS["gtm"], metrics.settings("gtm")
    for a, b, references in real_pairs(9, 12):
        if not 4 < len(word_edits(a, b)) <= MOST:
            continue
        exact, near = (edit_shares(metric, Segment(a, references), b, settings, most) for most in (MOST, 0))
        assert {e.orders for e in exact} == {0}
        assert {e.orders for e in near} == {2 * PAIRS}
        assert math.fsum([e.share for e in near]) == pytest.approx(math.fsum([e.share for e in exact]), abs=1e-12)
        worst = max([worst, *[abs(x.share - y.share) for x, y in zip(exact, near, strict=True)]])
    assert 0 < worst < 0.03


def test_less_work_is_fewer_orders_and_too_little_is_said():
    metric, settings = metrics.METRICS["wer"], metrics.settings("wer")
    a, b = tuple([f"a{t}" for t in range(60)]), tuple([f"a{t}" if t % 2 else f"b{t % 7}x" for t in range(60)])
    one = segment(a, [b])
    orders = []
    for steps in (100_000, 30_000_000):
        with limited(steps):
            found = edit_shares(metric, one, b, settings)
        assert math.fsum([e.share for e in found]) == pytest.approx(-0.5, abs=1e-12)
        orders += {e.orders for e in found}
    assert 2 <= orders[0] < orders[1] == 2 * PAIRS
    with limited(1000), pytest.raises(TooHard):
        edit_shares(metric, one, b, settings)


@pytest.mark.parametrize(
    ("arguments", "error"), [(("gtm", ["a"], "b", [["a"]]), TypeError), (("x", ["a"], ["b"], [["a"]]), ValueError)]
)
def test_wrong_arguments(arguments, error):
    with pytest.raises(error):
        metrics.edits(*arguments)
