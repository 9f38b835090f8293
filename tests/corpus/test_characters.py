"""Tests of a corpus's character n-grams and error counts against slow counts, and of the sentences about them."""

import random
from collections import Counter

import numpy as np
import pytest

from metrics.analysis.error_classes import ErrorClass, classify_segment, count_classes
from metrics.corpus import characters
from metrics.corpus.characters import ORDERS, find_character_patterns
from metrics.corpus.errors import error_counts
from metrics.corpus.explanations.patterns import character_patterns_text, errors_text, word_patterns_text
from metrics.corpus.patterns import LEVEL, benjamini_hochberg, sign_test
from metrics.types import Segment
from tests.helpers.corpora import SYSTEMS, count_patterns_slowly, load_segments, load_token_lines


def character_ngrams(line):
    return Counter(
        f" {word} "[at : at + order] for order in ORDERS for word in line for at in range(len(word) + 3 - order)
    )


@pytest.mark.parametrize("part", [7, 1000])
def test_counts_are_those_of_a_slow_count(part, monkeypatch):
    monkeypatch.setattr(characters, "PART", part)
    chance = random.Random(part)
    words = ["".join(chance.choices("abc", k=chance.randrange(1, 5))) for _ in range(12)]
    texts = [[tuple(chance.choices(words, k=chance.randrange(7))) for _ in range(60)] for _ in range(4)]
    references = [[x, y][: chance.choice((1, 2))] for x, y in zip(texts[2], texts[3], strict=True)]
    want = count_patterns_slowly(texts[0], texts[1], references, character_ngrams)
    found = find_character_patterns(texts[0], texts[1], references)
    given = {"".join(each.words) for each in found}
    assert len(given) > 10
    for gram, of in want.items():  # a pattern that is not returned is part of a longer one in the same segments
        assert gram in given or any(gram in other and want[other][3:] == of[3:] for other in given)
    for each in found:
        of = want["".join(each.words)]
        assert of == [each.there, each.a, each.b, each.for_a, each.for_b, [*each.segments]]


def test_real_systems_differ_in_parts_of_words():
    a = load_token_lines(SYSTEMS[0])
    b = [tuple(word.removesuffix("s") for word in line) for line in a]
    found = [each for each in find_character_patterns(a, b, [[line] for line in a]) if each.q < LEVEL]
    assert found and all(each.for_a > each.for_b == 0 for each in found)
    assert "s " in "".join(found[0].words)
    texts = ["".join(each.words) for each in found]
    assert not any(x in y for x in texts for y in texts if x != y)
    said = [*character_patterns_text("A", "B\x1b", found)]
    assert said[0].startswith("A has these parts of words right more often") and "s_" in said[1]
    assert len(said) <= 12 and not any("\x1b" in line for line in said)
    assert find_character_patterns(a, a, [[line] for line in a]) == [] == find_character_patterns([], [], [])
    assert find_character_patterns([()] * 9, [()] * 9, [[()]] * 9) == []


def test_a_word_of_any_length_is_looked_at_only_so_far():
    long = "ab" * 10**6
    assert find_character_patterns([(long,)] * 8, [("x",)] * 8, [[(long,)]] * 8)[0].for_a == 8


@pytest.mark.parametrize("stemmer", ["none", "porter"])
def test_errors_are_those_of_the_sentences(stemmer):
    a, b = (load_segments(name) for name in SYSTEMS[:2])
    totals, ahead = [Counter(), Counter()], Counter()
    for pair in zip(a, b, strict=True):
        each = []
        for side, segment in enumerate(pair):
            counts = {
                count.error: count.reference if count.error is ErrorClass.MISSING else count.candidate
                for count in classify_segment(segment, stemmer).counts()
            }
            assert count_classes(segment, stemmer) == counts
            totals[side].update(counts)
            each.append(counts)
        for error in ErrorClass:
            ahead[error, "b"] += each[1][error] < each[0][error]
            ahead[error, "a"] += each[0][error] < each[1][error]
    found = error_counts(a, b, stemmer)
    assert [each.error for each in found] == [*ErrorClass]
    for each in found:
        assert (each.a, each.b) == (totals[0][each.error], totals[1][each.error])
        assert (each.for_a, each.for_b) == (ahead[each.error, "a"], ahead[each.error, "b"])
        assert each.p == sign_test(np.array([each.for_b]), np.array([each.for_a]))[0]
    assert [each.q for each in found] == pytest.approx(
        benjamini_hochberg(np.array([each.p for each in found])).tolist()
    )
    assert (found[0].a > 0) == (stemmer != "none"), "without stems nothing is an inflection"


def test_who_has_fewer_errors_is_said_the_right_way_round():
    references = (("the", "cat", "sat"),)
    a, b = ([Segment(tuple(text.split()), references)] * 8 for text in ("cat the sat", "the cat sat on"))
    said = [*errors_text("A", "B", error_counts(a, b))]
    assert said == [
        "Word order: A 8, B 0 errors; B has fewer in 8 segments, A in 0: B has fewer, by more than chance (q = 0.020)",
        "Extra: A 0, B 8 errors; B has fewer in 0 segments, A in 8: A has fewer, by more than chance (q = 0.020)",
    ]
    assert "may be chance" in next(errors_text("A", "B", error_counts(a[:4], b[:4])))


def test_nothing_is_an_answer():
    assert [*word_patterns_text("A", "B", [], 1)] == [
        "A and B: of 1 n-gram, neither has any right more often by more than chance"
    ]
    assert [*character_patterns_text("A", "B", [])] == []
