"""Find and count sentence pairs for which GTM's greedy matching is smaller than the largest matching.

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
    """A candidate and a reference for which the greedy matching is compared with the largest one.

    `greedy` and `best` are the sums of length^exponent over the runs of the greedy and of the largest matching."""

    candidate: Tokens
    reference: Tokens
    exponent: float
    greedy: float
    best: float

    @property
    def greedy_is_smaller(self) -> bool:
        """Whether the greedy matching is smaller than the largest one, so that this case is a counterexample."""
        return self.best > self.greedy * (1 + 1e-12)

    @property
    def greedy_share(self) -> float:
        """The greedy matching's size divided by the largest matching's size; 1 if nothing matches."""
        return (self.greedy / self.best) ** (1 / self.exponent) if self.best else 1.0

    @property
    def word_count(self) -> int:
        """The number of words of candidate and reference together."""
        return len(self.candidate) + len(self.reference)


def compare_with_largest(candidate: Tokens, reference: Tokens, exponent: float = 2.0) -> GreedyCase:
    """Return the greedy and the largest matching's sums of length^exponent for a candidate and one reference.

    Raises TooHard if the exact solver gives up.

    >>> found = compare_with_largest(tuple("CBBCC"), tuple("CCCBC"))
    >>> found.greedy, found.best, found.greedy_is_smaller
    (6.0, 8.0, True)
    """
    segment = Segment(candidate, (reference,))
    greedy = fsum([length**exponent for length in greedy_lengths(segment)])
    best = fsum([run.length**exponent for run in exact_matching(segment, exponent)])
    return GreedyCase(candidate, reference, exponent, greedy, best)


def smallest_counterexamples(exponent: float = 2.0, most: int = MOST) -> tuple[GreedyCase, ...]:
    """Return the shortest sentence pairs for which greedy misses the largest matching; () if none is short enough.

    `most` is the highest number of words of both sentences together that is searched; all pairs of the lowest number
    that has any are returned, ordered by the candidate's length. Words are named a, b, c … in the order of the
    candidate, so pairs that differ only in the names of words are listed once. All words that the other sentence lacks
    have one name.

    >>> [("".join(found.candidate), "".join(found.reference)) for found in smallest_counterexamples()]
    [('abaa', 'aaab')]
    """
    for total in range(2, most + 1):
        if cases := tuple(counterexamples_of_length(total, exponent)):
            return cases
    return ()


def counterexamples_of_length(total: int, exponent: float = 2.0) -> Iterator[GreedyCase]:
    """Yield all counterexamples to greedy with `total` words in both sentences together, one per renaming of words."""
    for length in range(1, total):
        for numbers, kinds in _word_numberings(length):
            if kinds == length or not kinds:  # without a repeated word no two runs conflict in the reference
                continue
            candidate = _spell_words(numbers, LETTERS[kinds])
            for others in product(range(-1, kinds), repeat=total - length):
                if len({*others} - {-1}) < kinds:
                    continue  # a word that only the candidate has is numbered −1 in another numbering
                greedy_case = compare_with_largest(candidate, _spell_words(others, LETTERS[kinds + 1]), exponent)
                if greedy_case.greedy_is_smaller:
                    yield greedy_case


def _word_numberings(length: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield all ways to write a sentence of `length` words with numbers for words, and how many different words it has.

    Words are numbered in the order of their first use; −1 is a word that the other sentence lacks."""
    if not length:
        yield (), 0
        return
    for numbers, kinds in _word_numberings(length - 1):
        for number in range(-1, kinds + 1):
            yield (*numbers, number), max(kinds, number + 1)


def _spell_words(numbers: Iterable[int], other: str) -> Tokens:
    return tuple([LETTERS[number] if number >= 0 else other for number in numbers])


class GreedyMeasurement(NamedTuple):
    """The counts of how often the greedy matching of a sentence pair was the largest.

    Attributes:
        pairs: the number of sentence pairs.
        largest: how many pairs have a greedy matching that is the largest.
        smaller: how many pairs have a greedy matching that is smaller than the largest.
        unknown: how many pairs were too hard for the exact solver.
        least: the lowest ratio of the greedy matching's size to the largest size; 1 if there are no pairs."""

    pairs: int
    largest: int
    smaller: int
    unknown: int
    least: float

    @property
    def rate(self) -> float:
        """The fraction of the pairs for which greedy is known to find the largest matching; 0 if there are no pairs."""
        return self.largest / self.pairs if self.pairs else 0.0


def measure_greedy(pairs: Iterable[tuple[Tokens, Tokens]], exponent: float = 2.0) -> GreedyMeasurement:
    """Return the counts of how often greedy finds the largest matching of the given pairs (candidate, reference).

    >>> measure_greedy([(("a", "b"), ("a", "b")), (tuple("abaa"), tuple("aaab"))]).rate
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
        largest, smaller = largest + (not greedy_case.greedy_is_smaller), smaller + greedy_case.greedy_is_smaller
        least = min(least, greedy_case.greedy_share)
    return GreedyMeasurement(count, largest, smaller, unknown, least)
