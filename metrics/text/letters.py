"""Work with the letters of texts: count them, locate them in words, and pair the letter n-grams of two texts.

The letters of a text are those of its words in order, with or without a space between two words."""

from __future__ import annotations

import re
import string
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from ..types import LetterPiece, Letters, Tokens

_PUNCTUATION = frozenset(string.punctuation)
_WORD = re.compile(r"\S+")


def counted_text(words: Tokens, whitespace: bool) -> str:
    """Return the characters of a text that a letter metric counts: the words joined by spaces.

    Without `whitespace`, the words are joined without any white space."""
    joined = (" " if whitespace else "").join(words)
    return joined if whitespace else "".join(joined.split())


def chrf_word_spans(line: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end position of each word of a line, as chrF++ splits lines into words.

    A punctuation mark at the end of a word is a separate word; if there is none, a mark at its beginning is.

    >>> [line[start:end] for line in ['(hi) "no" a.'] for start, end in chrf_word_spans(line)]
    ['(hi', ')', '"no', '"', 'a', '.']
    """
    for word_match in _WORD.finditer(line):
        start, end = word_match.span()
        if end - start == 1:
            yield start, end
        elif line[end - 1] in _PUNCTUATION:
            yield start, end - 1
            yield end - 1, end
        elif line[start] in _PUNCTUATION:
            yield start, start + 1
            yield start + 1, end
        else:
            yield start, end


class ChrfWords(NamedTuple):
    """The words of a text as chrF++ splits them.

    Attributes:
        words: the words.
        spans: the start and end position of each word among the letters that are counted."""

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


def split_chrf_words(tokens: Tokens, whitespace: bool) -> ChrfWords:
    """Split a text, given as tokens, into words as chrF++ does.

    With `whitespace`, the spaces between tokens count as letters in the positions of the words.

    >>> split_chrf_words(("a", "cat."), False)
    ChrfWords(words=('a', 'cat', '.'), spans=((0, 1), (1, 4), (4, 5)))
    """
    line = " ".join(tokens)
    spans = [*chrf_word_spans(line)]
    words = tuple([line[start:end] for start, end in spans])
    if not whitespace:
        at = 0
        for number, word in enumerate(words):
            spans[number] = at, at + len(word)
            at += len(word)
    return ChrfWords(words, tuple(spans))


# ---------------------------------------------------------------- which n-grams are paired, and where they stand


def pair_ngrams(orders: Sequence[Sequence[Sequence[Hashable]]], matches: Sequence[int]) -> list[list[int]]:
    """Pair equal n-grams of a candidate and a reference: as many of each order as are counted as matches.

    `orders` has the n-grams of candidate and reference for each order, from the lowest. `matches` has the number of
    n-grams to pair in each order. Return, for each order, a list that has for each n-gram of the candidate the position
    of its partner in the reference, or -1.

    Counts say how many n-grams match, not which. By our convention, n-grams within a longer matched n-gram are paired
    as that one is. Of the others, the leftmost free n-gram is paired with the leftmost free equal one. No n-gram is
    used twice.

    >>> pair_ngrams([("abab", "xabb"), (["ab", "ba", "ab"], ["xa", "ab", "bb"])], [3, 1])
    [[1, 2, -1, 3], [1, -1, -1]]
    """
    out: list[list[int]] = []
    longer: list[int] = []
    for (ours, theirs), match in zip(reversed(orders), reversed(matches), strict=True):
        partners = [*longer, -1] if longer else [-1] * len(ours)
        used_places = {*longer}
        used_places.discard(-1)
        pair_count = len(used_places)
        before = -1
        for i, j in enumerate(partners if pair_count < match else ()):
            # This n-gram ends the longer n-gram that begins one position before.
            if j < 0 <= before and before + 1 not in used_places:
                partners[i] = before + 1
                used_places.add(before + 1)
                pair_count += 1
            before = j
        if pair_count < match:
            free: dict[Hashable, list[int]] = {}
            for j in range(len(theirs) - 1, -1, -1):
                if j not in used_places:
                    free.setdefault(theirs[j], []).append(j)
            for i, j in enumerate(partners):
                if j < 0 and (places := free.get(ours[i])):
                    partners[i] = places.pop()
        out.append(partners)
        longer = partners
    return out[::-1]


def paired_runs(places: Sequence[int]) -> list[tuple[int, int, int]]:
    """Group paired n-grams into runs that are consecutive in both texts.

    `places` has for each n-gram of the candidate the position of its partner in the reference, or -1. Each run is
    returned as its first position in the candidate, its first position in the reference, and its number of n-grams.

    >>> paired_runs([3, 4, -1, 0, 6])
    [(0, 3, 2), (3, 0, 1), (4, 6, 1)]
    """
    out = []
    first = after = -1
    for i, j in enumerate(places):
        if j != after or j < 0:
            if first >= 0:
                out.append((first, places[first], i - first))
            first = i if j >= 0 else -1
        after = j + 1 if j >= 0 else -1
    if first >= 0:
        out.append((first, places[first], len(places) - first))
    return out


class LetterPositions:
    """For each letter of a text, its word and where that word begins and ends.

    Attributes:
        word: the index of the word of each letter, -1 for a space.
        starts: the position of the first letter of that word.
        ends: the position after the last letter of that word.

    With `spaced`, there is a space between two words; it counts as a word by itself in `starts` and `ends`."""

    __slots__ = ("ends", "starts", "word")

    def __init__(self, words: Tokens, with_spaces: bool) -> None:
        self.word: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        for number, word in enumerate(words):
            if with_spaces and number:
                at = len(self.word)
                self.word.append(-1)
                self.starts.append(at)
                self.ends.append(at + 1)
            at, size = len(self.word), len(word)
            self.word += [number] * size
            self.starts += [at] * size
            self.ends += [at + size] * size


def letter_mark(candidate: LetterPositions, reference: LetterPositions, k: int, i: int, j: int, length: int) -> Letters:
    """Return a mark for `length` letters that match, cut into pieces at the word boundaries of both texts.

    The letters begin at letter `i` of the candidate and at letter `j` of reference `k`.

    >>> a, b = LetterPositions(("the", "cat"), False), LetterPositions(("then", "at"), False)
    >>> letter_mark(a, b, 0, 0, 0, 3).pieces
    (LetterPiece(i=0, j=0, at=0, to=0, length=3),)
    >>> letter_mark(a, b, 0, 4, 4, 2).pieces
    (LetterPiece(i=1, j=1, at=1, to=0, length=2),)
    """
    pieces: list[LetterPiece] = []
    end, add = i + length, pieces.append
    new = tuple.__new__  # faster than calling the class
    while i < end:
        step = min(candidate.ends[i], end) - i
        other = reference.ends[j] - j
        if other < step:
            step = other
        word = candidate.word[i]
        if word >= 0:
            add(new(LetterPiece, (word, reference.word[j], i - candidate.starts[i], j - reference.starts[j], step)))
        i += step
        j += step
    return new(Letters, (k, length, tuple(pieces)))
