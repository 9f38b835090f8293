"""Tests of n-gram patterns against a slow count and against chance."""

import math
import random
from collections import Counter

import numpy as np
import pytest

from metrics.corpus.patterns import LEVEL, benjamini_hochberg, find_word_patterns, log_odds, sign_test
from tests.helpers.corpora import SYSTEMS, count_patterns_slowly, load_segments, load_token_lines


def sign_test_p(most, n):
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(most, n + 1)) / 2**n)


def count_ngrams(words, orders=3):
    return Counter(words[at : at + order] for order in range(1, orders + 1) for at in range(len(words) - order + 1))


@pytest.mark.parametrize("seed", range(4))
def test_counts_are_those_of_a_slow_count(seed):
    chance = random.Random(seed)
    texts = [[tuple(chance.choices("abcd", k=chance.randrange(9))) for _ in range(40)] for _ in range(4)]
    references = [[x, y][: chance.choice((1, 2))] for x, y in zip(texts[2], texts[3], strict=True)]
    want = count_patterns_slowly(texts[0], texts[1], references, count_ngrams)
    found = find_word_patterns(texts[0], texts[1], references, 3)
    assert found
    for each in found:
        assert want[each.words] == [each.there, each.a, each.b, each.for_a, each.for_b, [*each.segments]]
    given = {each.words for each in found}
    for words, of in want.items():  # a pattern that is not returned is part of a longer one in the same segments
        assert words in given or any(
            len(other) > len(words) and want[other][3:] == of[3:] and "".join(words) in "".join(other)
            for other in given
        )


def test_the_sign_test_is_the_binomial():
    for n in range(1, 40):
        for k in range(n + 1):
            (p,) = sign_test(np.array([k]), np.array([n - k]))
            assert p == pytest.approx(sign_test_p(max(k, n - k), n), rel=1e-9)


def test_log_odds_and_the_false_part_are_those_of_a_slow_program():
    chance = random.Random(2)
    there = [chance.randrange(1, 60) for _ in range(50)]
    a, b = ([chance.randrange(n + 1) for n in there] for _ in range(2))
    part = (sum(a) + sum(b)) / (2 * sum(there))
    found = log_odds(*(np.array(each, dtype=float) for each in (a, b, there)))
    for x, y, n, odds in zip(a, b, there, found, strict=True):
        # The prior adds ten occurrences of each, confirmed in the same proportion as all occurrences.
        ours, theirs = ((each + 10 * part, n - each + 10 * (1 - part)) for each in (x, y))
        variance = sum(1 / each for each in (*ours, *theirs))
        want = (math.log(theirs[0] / theirs[1]) - math.log(ours[0] / ours[1])) / math.sqrt(variance)
        assert odds == pytest.approx(want, abs=1e-12)
    p = [chance.random() ** 3 for _ in range(40)] + [0.5, 0.5, 1.0]
    ranked = sorted(p)
    for each, q in zip(p, benjamini_hochberg(np.array(p)), strict=True):
        # q is the smallest false discovery rate over all levels that include this pattern.
        want = min(level * len(p) / sum(other <= level for other in p) for level in ranked if level >= each)
        assert q == pytest.approx(min(want, 1.0), abs=1e-12)


def test_nothing_is_more_than_chance_where_outputs_are_swapped_by_chance():
    """Check that hardly any corpus has a pattern, where the outputs of each segment are swapped at random.

    After the swaps no n-gram belongs to one system more than to the other."""
    chance = random.Random(3)
    a, b = load_token_lines(SYSTEMS[0]), load_token_lines(SYSTEMS[1])
    references = [segment.references for segment in load_segments(SYSTEMS[0])]
    false = 0
    for _ in range(20):
        swapped = [(x, y) if chance.random() < 0.5 else (y, x) for x, y in zip(a, b, strict=True)]
        found = find_word_patterns([x for x, _ in swapped], [y for _, y in swapped], references)
        false += any(each.q < LEVEL for each in found)
    assert false <= 3


def test_what_one_output_always_lacks_is_found():
    a = [tuple(word for word in line if word != "the") for line in load_token_lines(SYSTEMS[0])]
    b = load_token_lines(SYSTEMS[0])
    first, *_ = find_word_patterns(a, b, [segment.references for segment in load_segments(SYSTEMS[0])])
    assert "the" in first.words and first.for_a == 0 and first.q < 1e-4
    assert find_word_patterns([], [], []) == find_word_patterns([()] * 9, [()] * 9, [[()]] * 9) == []
