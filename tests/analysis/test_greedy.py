"""Test the counterexamples to GTM's greedy matching: each is valid, the smallest are found, and their rate is right."""

from itertools import product

import pytest

import metrics
from metrics.alignment import gtm_matching
from metrics.catalogue.gtm.greedy import (
    compare_with_largest,
    counterexamples_of_length,
    measure_greedy,
    smallest_counterexamples,
)
from metrics.types import TooHard
from tests.helpers.corpora import load_token_lines


def rename_words_by_first_use(candidate, reference):
    """Return both sentences with their common words renamed to numbers, in the order of first use.

    All words that only one sentence has get the same name, so that equivalent pairs become equal."""
    names: dict[str, str] = {}
    both = {*candidate} & {*reference}
    return tuple(
        tuple(names.setdefault(word, str(len(names))) if word in both else side for word in words)
        for side, words in (("only here", candidate), ("only there", reference))
    )


def test_the_judge_agrees_with_the_metric():
    for candidate, reference in (("CBBCC", "CCCBC"), ("abaa", "aaab"), ("abab", "abab"), ("ab", "cd"), ("", "a")):
        found = compare_with_largest(tuple(candidate), tuple(reference))
        for solver, power in (("greedy", found.greedy), ("exact", found.best)):
            result = metrics.score("gtm", [*candidate], [[*reference]], solver=solver)
            assert result.stats["match_power"] == power
        assert found.greedy_is_smaller == (found.best > found.greedy)
        assert 0 < found.greedy_share <= 1


@pytest.mark.slow
def test_the_smallest_counterexample_by_trying_everything():
    found = smallest_counterexamples()
    (total,) = {each.word_count for each in found}
    everything = set()
    for words in range(2, total + 1):
        for n in range(1, words):
            for text in product("abc", repeat=words):
                # By symmetry the first word can be a; only the metric judges the pair.
                if text[0] == "a" and compare_with_largest(text[:n], text[n:]).greedy_is_smaller:
                    everything.add(rename_words_by_first_use(text[:n], text[n:]))
                    assert words == total
    assert {rename_words_by_first_use(each.candidate, each.reference) for each in found} == everything


@pytest.mark.slow
def test_no_counterexample_is_listed_twice():
    found = [(each.candidate, each.reference) for each in counterexamples_of_length(9)]
    assert len(found) == len({rename_words_by_first_use(*each) for each in found}) > 1
    assert all(compare_with_largest(*each).greedy_is_smaller for each in found)


def test_where_words_alone_count_greedy_is_right():
    assert smallest_counterexamples(1.0, most=7) == ()


def test_measured_counts_each_pair_once():
    pairs = [*zip(load_token_lines("system.MiSS"), load_token_lines("reference.A"), strict=True)]
    found = measure_greedy([*pairs[:12], (tuple("abaa"), tuple("aaab"))])
    assert (found.pairs, found.largest, found.smaller, found.unknown) == (13, 12, 1, 0)
    assert found.rate == 12 / 13
    assert found.least == pytest.approx((6 / 8) ** 0.5)
    assert measure_greedy([]).rate == 0


def test_what_the_exact_solver_leaves_open_is_counted_apart(monkeypatch):
    monkeypatch.setattr(gtm_matching, "JOINTS_MOST", 1)
    pair = tuple("abaa"), tuple("aaab")
    with pytest.raises(TooHard, match="gives up"):
        compare_with_largest(*pair)
    assert measure_greedy([pair])[:4] == (1, 0, 0, 1)


def test_the_smallest_one_misleads_by_the_order_of_equal_runs():
    """Check what the page says of the smallest counterexample to the greedy search.

    If equally long runs are taken in another order, the search finds the largest matching."""
    (found,) = smallest_counterexamples()
    result = metrics.score("gtm", found.candidate, [found.reference])
    others = metrics.METRICS["gtm"].ties(result, 50).results
    assert {found.greedy, found.best} <= {other.stats["match_power"] for other in others}
