"""Find and count texts for which GTM's greedy matching is not the largest.

Turian, Shen and Melamed (2003), section 2.2, report that greedy finds a maximum matching in 99 % of cases and at least
80 % of its size in the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import fsum
from typing import NamedTuple

from ...alignment.gtm_matching import exact_matching, greedy_lengths
from ...types import Segment, Tokens, TooHard

MOST = 9  # words of both sentences together up to which `smallest_counterexamples` searches: less than a second
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class GreedyCase(NamedTuple):
    """A candidate and a reference with two sums of length^exponent: of the greedy matching and of the largest one."""

    candidate: Tokens
    reference: Tokens
    exponent: float
    greedy: float
    best: float

    @property
    def missed(self) -> bool:
        """Whether greedy misses the largest matching, so that this case is a counterexample."""
        return self.best > self.greedy * (1 + 1e-12)

    @property
    def share(self) -> float:
        """The size of the greedy matching divided by that of the largest; 1 if nothing matches."""
        return (self.greedy / self.best) ** (1 / self.exponent) if self.best else 1.0

    @property
    def words(self) -> int:
        """The number of words of both sentences together."""
        return len(self.candidate) + len(self.reference)


def compare_with_largest(candidate: Tokens, reference: Tokens, exponent: float = 2.0) -> GreedyCase:
    """Return the sums of the greedy and of the largest matching for one reference.

    Raises TooHard if the exact solver gives up.

    >>> found = compare_with_largest(tuple("CBBCC"), tuple("CCCBC"))
    >>> found.greedy, found.best, found.missed
    (6.0, 8.0, True)
    """
    segment = Segment(candidate, (reference,))
    greedy = fsum([length**exponent for length in greedy_lengths(segment)])
    best = fsum([run.length**exponent for run in exact_matching(segment, exponent)])
    return GreedyCase(candidate, reference, exponent, greedy, best)


def smallest_counterexamples(exponent: float = 2.0, most: int = MOST) -> tuple[GreedyCase, ...]:
    """Return all counterexamples with the fewest words on both sides together, at most `most`; () if there are none.

    They are ordered by the candidate's length. Words are named a, b, c … in the order of the candidate, so
    counterexamples that differ only in the names of words are listed once. All words that the other sentence lacks have
    one name.

    >>> [("".join(found.candidate), "".join(found.reference)) for found in smallest_counterexamples()]
    [('abaa', 'aaab')]
    """
    for total in range(2, most + 1):
        if cases := tuple(counterexamples(total, exponent)):
            return cases
    return ()


def counterexamples(total: int, exponent: float = 2.0) -> Iterator[GreedyCase]:
    """Yield all counterexamples with `total` words on both sides together, but only one per renaming of words."""
    for length in range(1, total):
        for numbers, kinds in _word_numberings(length):
            if kinds == length or not kinds:  # without a repeated word no two runs conflict in the reference
                continue
            candidate = _words(numbers, LETTERS[kinds])
            for others in product(range(-1, kinds), repeat=total - length):
                if len({*others} - {-1}) < kinds:
                    continue  # a word that only the candidate has is numbered −1 in another numbering
                greedy_case = compare_with_largest(candidate, _words(others, LETTERS[kinds + 1]), exponent)
                if greedy_case.missed:
                    yield greedy_case


def _word_numberings(length: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield all ways to number `length` words, with how many different words each has.

    Words are numbered in the order of their first use; −1 is a word that the other sentence lacks."""
    if not length:
        yield (), 0
        return
    for numbers, kinds in _word_numberings(length - 1):
        for number in range(-1, kinds + 1):
            yield (*numbers, number), max(kinds, number + 1)


def _words(numbers: Iterable[int], other: str) -> Tokens:
    return tuple([LETTERS[number] if number >= 0 else other for number in numbers])


class GreedyMeasurement(NamedTuple):
    """The counts of a measurement: how often the greedy matching of a pair of sentences was the largest.

    Attributes:
        pairs: the number of pairs of sentences.
        largest: the pairs for which the greedy matching was the largest.
        smaller: the pairs for which it was smaller.
        unknown: the pairs for which the exact solver gave up.
        least: the smallest ratio of the greedy matching's size to the largest size."""

    pairs: int
    largest: int
    smaller: int
    unknown: int
    least: float

    @property
    def rate(self) -> float:
        """The share of the pairs for which the greedy matching is known to be the largest."""
        return self.largest / self.pairs if self.pairs else 0.0


def count_greedy_misses(pairs: Iterable[tuple[Tokens, Tokens]], exponent: float = 2.0) -> GreedyMeasurement:
    """Return how often greedy finds the largest matching of the given pairs (candidate, reference).

    >>> count_greedy_misses([(("a", "b"), ("a", "b")), (tuple("abaa"), tuple("aaab"))]).rate
    0.5
    """
    count = largest = smaller = unknown = 0
    least = 1.0
    for candidate, reference in pairs:
        count += 1
        try:
            greedy_case = compare_with_largest(candidate, reference, exponent)
        except TooHard:
            unknown += 1
            continue
        largest, smaller = largest + (not greedy_case.missed), smaller + greedy_case.missed
        least = min(least, greedy_case.share)
    return GreedyMeasurement(count, largest, smaller, unknown, least)
