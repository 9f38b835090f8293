"""Which words of a segment decide between two outputs of it: those that make the better one better, and what the other
one wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...types import Tokens

#: Causes of which the words in a row decide.
IN_A_ROW = ("contiguity", "order", "gaps")
#: Words of a text from which on nothing is looked for in it: the time grows with the product of two.
MOST = 400

Places = frozenset[int]


class Decisive(NamedTuple):
    """The places of the words that decide, from 0, in the `better` output, in the `worse` one those that it has alone
    and no reference has, and in each reference those that only the better one has."""

    better: Places
    worse: Places
    references: tuple[Places, ...]


class DecidesStretch(NamedTuple):
    """Words in a row: where they begin in an output, the number of the reference and where they begin there."""

    start: int
    reference: int
    reference_start: int
    length: int

    @property
    def end(self) -> int:
        return self.start + self.length


def decisive(better: Tokens, worse: Tokens, references: Sequence[Tokens], cause: str) -> Decisive:
    """The words that decide. Of a cause that lies in words in a row it is the longest run that is new
    (`longest_new_run`); of any other the words that the better output has more often than the worse one, and a
    reference as often; of too long texts none.

    >>> decisive(tuple("abcdz"), tuple("abxcd"), [tuple("abcdy")], "contiguity")
    Decisive(better=frozenset({0, 1, 2, 3}), worse=frozenset({2}), references=(frozenset({0, 1, 2, 3}),))
    >>> decisive(tuple("abz"), tuple("axz"), [tuple("abc")], "matches")
    Decisive(better=frozenset({1}), worse=frozenset({1}), references=(frozenset({1}),))
    """
    none: Places = frozenset()
    if max(len(better), len(worse), *map(len, references)) > MOST:
        return Decisive(none, none, tuple([none] * len(references)))
    wrong = _unconfirmed(worse, better, references)
    run = longest_new_run(better, worse, references) if cause in IN_A_ROW else None
    if run:
        reference_places = [none] * len(references)
        reference_places[run.reference] = frozenset(range(run.reference_start, run.reference_start + run.length))
        return Decisive(frozenset(range(run.start, run.end)), wrong, tuple(reference_places))
    right = _confirmed(better, worse, references)
    words = {better[n] for n in right}
    theirs = Counter(worse)
    reference_places = [frozenset(_beyond(reference, words, theirs)) for reference in references]
    return Decisive(right, wrong, tuple(reference_places))


def longest_new_run(better: Tokens, worse: Tokens, references: Sequence[Tokens]) -> DecidesStretch | None:
    """The longest run of words of an output that a reference has in a row and the other output has not, the first of
    equal ones; None where there is none.

    >>> longest_new_run(tuple("zabcd"), tuple("abxcd"), [tuple("abcd")])
    DecidesStretch(start=1, reference=0, reference_start=0, length=4)
    >>> longest_new_run(tuple("ab"), tuple("ab"), [tuple("ab")])
    """
    new_runs = [
        run
        for k, reference in enumerate(references)
        for run in _runs(better, reference, k)
        if not _stands(better[run.start : run.end], worse)
    ]
    return min(new_runs, key=lambda run: (-run.length, run.start, run.reference, run.reference_start), default=None)


def _runs(output: Tokens, reference: Tokens, k: int) -> Iterator[DecidesStretch]:
    """The runs of both that no word more would fit."""
    before = [0] * (len(reference) + 1)
    for i, word in enumerate(output):
        row = [0] * (len(reference) + 1)
        for j, other in enumerate(reference):
            if word == other:
                row[j + 1] = size = before[j] + 1
                if i + 1 == len(output) or j + 1 == len(reference) or output[i + 1] != reference[j + 1]:
                    yield DecidesStretch(i + 1 - size, k, j + 1 - size, size)
        before = row


def _stands(words: Tokens, text: Tokens) -> bool:
    """Whether a text has words in a row."""
    size = len(words)
    return any(text[at : at + size] == words for at in range(len(text) - size + 1) if text[at] == words[0])


def _confirmed(better: Tokens, worse: Tokens, references: Sequence[Tokens]) -> Places:
    """The words that the better output has beyond the worse one, and a reference has too, the last of equal ones."""
    most: Counter[str] = Counter()
    for reference in references:
        most |= Counter(reference)
    more = (Counter(better) & most) - (Counter(worse) & most)
    return frozenset(_last(better, more))


def _unconfirmed(worse: Tokens, better: Tokens, references: Sequence[Tokens]) -> Places:
    """The words that the worse output has beyond the better one, which no reference has so often."""
    most: Counter[str] = Counter()
    for reference in references:
        most |= Counter(reference)
    return frozenset(_last(worse, (Counter(worse) - most) - (Counter(better) - most)))


def _last(text: Tokens, counts: Counter[str]) -> Iterator[int]:
    """The places of so many of each word, from the end."""
    remaining = Counter(counts)
    for n in reversed(range(len(text))):
        if remaining[text[n]] > 0:
            remaining[text[n]] -= 1
            yield n


def _beyond(reference: Tokens, words: set[str], theirs: Counter[str]) -> Iterator[int]:
    """The places in a reference of words that it has beyond what an output has of them."""
    more = Counter({word: count - theirs[word] for word, count in Counter(reference).items() if word in words})
    yield from _last(reference, more)
