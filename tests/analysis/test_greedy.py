"""Test the counterexamples to greedy matching: each is valid, none smaller is missed, and their rate is measured."""

from itertools import product

import pytest
from cases import ROOT

import metrics
from metrics.alignment import gtm_matching
from metrics.catalogue.gtm.greedy import (
    compare_with_largest,
    count_greedy_misses,
    counterexamples,
    smallest_counterexamples,
)
from metrics.types import TooHard


def normalised(candidate, reference):
    """Return both sentences with shared words numbered by first use.

    All words that only one sentence has become one word, so that equivalent pairs are equal."""
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
        assert found.missed == (found.best > found.greedy)
        assert 0 < found.share <= 1


@pytest.mark.slow
def test_the_smallest_counterexample_by_trying_everything():
    found = smallest_counterexamples()
    (total,) = {each.words for each in found}
    everything = set()
    for words in range(2, total + 1):
        for n in range(1, words):
            for text in product("abc", repeat=words):
                # By symmetry the first word can be a; only the metric judges the pair.
                if text[0] == "a" and compare_with_largest(text[:n], text[n:]).missed:
                    everything.add(normalised(text[:n], text[n:]))
                    assert words == total
    assert {normalised(each.candidate, each.reference) for each in found} == everything


@pytest.mark.slow
def test_no_counterexample_is_listed_twice():
    found = [(each.candidate, each.reference) for each in counterexamples(9)]
    assert len(found) == len({normalised(*each) for each in found}) > 1
    assert all(compare_with_largest(*each).missed for each in found)


def test_where_words_alone_count_greedy_is_right():
    assert smallest_counterexamples(1.0, most=7) == ()


def test_measured_counts_each_pair_once():
    lines = [
        (ROOT / "tests/data/ted-zh-en" / name).read_text(encoding="utf-8").splitlines()[:12]
        for name in ("system.MiSS.en.txt", "reference.A.en.txt")
    ]
    pairs = [(tuple(a.split()), tuple(b.split())) for a, b in zip(*lines, strict=True)]
    found = count_greedy_misses([*pairs, (tuple("abaa"), tuple("aaab"))])
    assert (found.pairs, found.largest, found.smaller, found.unknown) == (13, 12, 1, 0)
    assert found.rate == 12 / 13
    assert found.least == pytest.approx((6 / 8) ** 0.5)
    assert count_greedy_misses([]).rate == 0


def test_what_the_exact_solver_leaves_open_is_counted_apart(monkeypatch):
    monkeypatch.setattr(gtm_matching, "JOINTS_MOST", 1)
    pair = tuple("abaa"), tuple("aaab")
    with pytest.raises(TooHard, match="gives up"):
        compare_with_largest(*pair)
    assert count_greedy_misses([pair])[:4] == (1, 0, 0, 1)


def test_the_smallest_one_misleads_by_the_order_of_equal_runs():
    """Check what the page says: taking equal runs in another order, the greedy solver finds the largest matching."""
    (found,) = smallest_counterexamples()
    result = metrics.score("gtm", found.candidate, [found.reference])
    others = metrics.METRICS["gtm"].ties(result, 50).results
    assert {found.greedy, found.best} <= {other.stats["match_power"] for other in others}
