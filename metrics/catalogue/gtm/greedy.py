"""Where GTM's greedy matching is not the largest: judged, searched for, and measured on real data.

Turian, Shen and Melamed (2003), section 2.2, report that greedy finds a maximum matching in 99 % of cases and at least
80 % of its size in the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import fsum
from typing import NamedTuple

from ...alignment.gtm_matching import exact_matching, greedy_lengths
from ...types import Segment, Tokens, TooHard

MOST = 9  # words of both sentences up to which a smallest counterexample is searched: less than a second
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class GreedyCase(NamedTuple):
    """A candidate and a reference, with what the greedy and the largest matching add up to: Σ length^e."""

    candidate: Tokens
    reference: Tokens
    exponent: float
    greedy: float
    best: float

    @property
    def missed(self) -> bool:
        """Whether greedy misses the largest matching: whether this is a counterexample."""
        return self.best > self.greedy * (1 + 1e-12)

    @property
    def share(self) -> float:
        """The size of the greedy matching over that of the largest; 1 where nothing matches."""
        return (self.greedy / self.best) ** (1 / self.exponent) if self.best else 1.0

    @property
    def words(self) -> int:
        """The words of both sentences together."""
        return len(self.candidate) + len(self.reference)


def judged(candidate: Tokens, reference: Tokens, exponent: float = 2.0) -> GreedyCase:
    """What greedy and the exact solver find on one reference. Raises TooHard where the exact one gives up.

    >>> found = judged(tuple("CBBCC"), tuple("CCCBC"))
    >>> found.greedy, found.best, found.missed
    (6.0, 8.0, True)
    """
    segment = Segment(candidate, (reference,))
    greedy = fsum([length**exponent for length in greedy_lengths(segment)])
    best = fsum([run.length**exponent for run in exact_matching(segment, exponent)])
    return GreedyCase(candidate, reference, exponent, greedy, best)


def smallest(exponent: float = 2.0, most: int = MOST) -> tuple[GreedyCase, ...]:
    """All counterexamples with the fewest words on both sides together, at most `most`; () where there is none.

    Lengths ascend. Words are a, b, c … in the order in which the candidate has them, so that two counterexamples that
    differ only in the names of their words are one; a word that the other sentence lacks is the same one everywhere.

    >>> [("".join(found.candidate), "".join(found.reference)) for found in smallest()]
    [('abaa', 'aaab')]
    """
    for total in range(2, most + 1):
        if cases := tuple(counterexamples(total, exponent)):
            return cases
    return ()


def counterexamples(total: int, exponent: float = 2.0) -> Iterator[GreedyCase]:
    """All counterexamples with so many words on both sides together, up to the names of words."""
    for length in range(1, total):
        for numbers, kinds in _word_numberings(length):
            if kinds == length or not kinds:  # where no word stands twice, no two runs conflict in the reference
                continue
            candidate = _words(numbers, LETTERS[kinds])
            for others in product(range(-1, kinds), repeat=total - length):
                if len({*others} - {-1}) < kinds:
                    continue  # a word that only the candidate has: named otherwise already
                greedy_case = judged(candidate, _words(others, LETTERS[kinds + 1]), exponent)
                if greedy_case.missed:
                    yield greedy_case


def _word_numberings(length: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """All ways to fill so many places with words in the order of their first use, −1 being one of no use; and how many
    words of use there are."""
    if not length:
        yield (), 0
        return
    for numbers, kinds in _word_numberings(length - 1):
        for number in range(-1, kinds + 1):
            yield (*numbers, number), max(kinds, number + 1)


def _words(numbers: Iterable[int], other: str) -> Tokens:
    return tuple([LETTERS[number] if number >= 0 else other for number in numbers])


class Measured(NamedTuple):
    """Of so many pairs of sentences, how many greedy matchings were the largest, how many were smaller, and for how
    many the exact solver gave up; and the smallest share that a greedy matching had of the largest size."""

    pairs: int
    largest: int
    smaller: int
    unknown: int
    least: float

    @property
    def rate(self) -> float:
        """The share of the pairs for which greedy is known to be the largest."""
        return self.largest / self.pairs if self.pairs else 0.0


def measured(pairs: Iterable[tuple[Tokens, Tokens]], exponent: float = 2.0) -> Measured:
    """How often greedy finds the largest matching of a candidate and a reference.

    >>> measured([(("a", "b"), ("a", "b")), (tuple("abaa"), tuple("aaab"))]).rate
    0.5
    """
    count = largest = smaller = unknown = 0
    least = 1.0
    for candidate, reference in pairs:
        count += 1
        try:
            greedy_case = judged(candidate, reference, exponent)
        except TooHard:
            unknown += 1
            continue
        largest, smaller = largest + (not greedy_case.missed), smaller + greedy_case.missed
        least = min(least, greedy_case.share)
    return Measured(count, largest, smaller, unknown, least)
