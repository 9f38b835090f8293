"""The search for the words of a segment that decide which of two outputs is better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...types import Tokens

#: The causes for which words in a row decide.
IN_A_ROW = ("contiguity", "order", "gaps")
#: The most words of a text that is searched: the time grows with the product of two lengths.
MOST = 400

Places = frozenset[int]


class DecidingWords(NamedTuple):
    """The positions of the words that decide which of two outputs is better.

    Attributes:
        better: the positions of the deciding words in the better output.
        worse: the positions of the words that the worse output has more often than the better one and than any
            reference.
        references: for each reference, the positions of the deciding words that the worse output lacks.
    """

    better: Places
    worse: Places
    references: tuple[Places, ...]


class SharedRun(NamedTuple):
    """A run: words in a row that an output and a reference share.

    Attributes:
        start: the position of the first word in the output.
        reference: the index of the reference.
        reference_start: the position of the first word in the reference.
        length: the number of words.
    """

    start: int
    reference: int
    reference_start: int
    length: int

    @property
    def end(self) -> int:
        return self.start + self.length


def find_deciding_words(better: Tokens, worse: Tokens, references: Sequence[Tokens], cause: str) -> DecidingWords:
    """Return the positions of the words that decide between two outputs, for one cause of their difference.

    For the cause "contiguity", which lies in words in a row, it is the longest run that only the better output shares
    with a reference. For any other cause it is the words that the better output has more often than the worse one, as
    far as a reference has them so often. Nothing is found if a text of the segment has more than `MOST` words.

    >>> find_deciding_words(tuple("abcdz"), tuple("abxcd"), [tuple("abcdy")], "contiguity")
    DecidingWords(better=frozenset({0, 1, 2, 3}), worse=frozenset({2}), references=(frozenset({0, 1, 2, 3}),))
    >>> find_deciding_words(tuple("abz"), tuple("axz"), [tuple("abc")], "matches")
    DecidingWords(better=frozenset({1}), worse=frozenset({1}), references=(frozenset({1}),))
    """
    none: Places = frozenset()
    if max(len(better), len(worse), *map(len, references)) > MOST:
        return DecidingWords(none, none, tuple([none] * len(references)))
    wrong = _unconfirmed_positions(worse, better, references)
    run = longest_new_run(better, worse, references) if cause in IN_A_ROW else None
    if run:
        reference_places = [none] * len(references)
        reference_places[run.reference] = frozenset(range(run.reference_start, run.reference_start + run.length))
        return DecidingWords(frozenset(range(run.start, run.end)), wrong, tuple(reference_places))
    right = _confirmed_positions(better, worse, references)
    words = {better[n] for n in right}
    theirs = Counter(worse)
    reference_places = [frozenset(_positions_beyond(reference, words, theirs)) for reference in references]
    return DecidingWords(right, wrong, tuple(reference_places))


def longest_new_run(better: Tokens, worse: Tokens, references: Sequence[Tokens]) -> SharedRun | None:
    """Return the longest run of words that the better output shares with a reference and that the worse output lacks.

    Of equally long runs, the first one is returned; None if there is none.

    >>> longest_new_run(tuple("zabcd"), tuple("abxcd"), [tuple("abcd")])
    SharedRun(start=1, reference=0, reference_start=0, length=4)
    >>> longest_new_run(tuple("ab"), tuple("ab"), [tuple("ab")])
    """
    new_runs = [
        run
        for k, reference in enumerate(references)
        for run in _maximal_runs(better, reference, k)
        if not _contains_in_a_row(better[run.start : run.end], worse)
    ]
    return min(new_runs, key=lambda run: (-run.length, run.start, run.reference, run.reference_start), default=None)


def _maximal_runs(output: Tokens, reference: Tokens, k: int) -> Iterator[SharedRun]:
    """Yield every run that the output shares with the reference, whose index is `k`, and that cannot be extended."""
    before = [0] * (len(reference) + 1)
    for i, word in enumerate(output):
        row = [0] * (len(reference) + 1)
        for j, other in enumerate(reference):
            if word == other:
                row[j + 1] = size = before[j] + 1
                if i + 1 == len(output) or j + 1 == len(reference) or output[i + 1] != reference[j + 1]:
                    yield SharedRun(i + 1 - size, k, j + 1 - size, size)
        before = row


def _contains_in_a_row(words: Tokens, text: Tokens) -> bool:
    """Return whether `text` contains all of `words` in a row."""
    size = len(words)
    return any(text[at : at + size] == words for at in range(len(text) - size + 1) if text[at] == words[0])


def _confirmed_positions(better: Tokens, worse: Tokens, references: Sequence[Tokens]) -> Places:
    """Return the positions in the better output of confirmed words that the worse output lacks.

    A word is confirmed as often as one reference has it. Of equal words the last ones are returned.
    """
    most: Counter[str] = Counter()
    for reference in references:
        most |= Counter(reference)
    more = (Counter(better) & most) - (Counter(worse) & most)
    return frozenset(_last_positions(better, more))


def _unconfirmed_positions(worse: Tokens, better: Tokens, references: Sequence[Tokens]) -> Places:
    """Return the positions of words that the worse output has more often than the better one and than any reference."""
    most: Counter[str] = Counter()
    for reference in references:
        most |= Counter(reference)
    return frozenset(_last_positions(worse, (Counter(worse) - most) - (Counter(better) - most)))


def _last_positions(text: Tokens, counts: Counter[str]) -> Iterator[int]:
    """Yield the positions of the last occurrences of each word, as many as `counts` has for the word."""
    remaining = Counter(counts)
    for n in reversed(range(len(text))):
        if remaining[text[n]] > 0:
            remaining[text[n]] -= 1
            yield n


def _positions_beyond(reference: Tokens, words: set[str], theirs: Counter[str]) -> Iterator[int]:
    """Yield the positions of those of `words` that a reference has more often than the other output.

    `theirs` are the counts of the words of that output.
    """
    more = Counter({word: count - theirs[word] for word, count in Counter(reference).items() if word in words})
    yield from _last_positions(reference, more)
