"""Letters of texts: what is counted of them, where they stand in words, and the stretches that n-grams make up.

A text is its words' letters one behind the other, with or without a space between two words.
"""

from __future__ import annotations

import re
import string
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from ..types import LetterPiece, Letters, Tokens

_PUNCTUATION = frozenset(string.punctuation)
_WORD = re.compile(r"\S+")


def line_of(words: Tokens, whitespace: bool) -> str:
    """What letters are counted in: the words with a space between two of them, or without any white space."""
    joined = (" " if whitespace else "").join(words)
    return joined if whitespace else "".join(joined.split())


def chrf_words(line: str) -> Iterator[tuple[int, int]]:
    """Where the words of chrF++ begin and end in a line: a mark at the end of a word is a word of its own, or else one
    at its beginning.

    >>> [line[start:end] for line in ['(hi) "no" a.'] for start, end in chrf_words(line)]
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
    """The words of chrF++ in a text, and for each where it begins and ends among the letters that are counted."""

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


def words_of(tokens: Tokens, whitespace: bool) -> ChrfWords:
    """The words of chrF++; a space counts as a letter where `whitespace` says so.

    >>> words_of(("a", "cat."), False)
    ChrfWords(words=('a', 'cat', '.'), spans=((0, 1), (1, 4), (4, 5)))
    """
    line = " ".join(tokens)
    spans = [*chrf_words(line)]
    words = tuple([line[start:end] for start, end in spans])
    if not whitespace:
        at = 0
        for number, word in enumerate(words):
            spans[number] = at, at + len(word)
            at += len(word)
    return ChrfWords(words, tuple(spans))


# ---------------------------------------------------------------- which n-grams are paired, and where they stand


def placed(orders: Sequence[Sequence[Sequence[Hashable]]], matches: Sequence[int]) -> list[list[int]]:
    """Which occurrences count, for each order: for each place of the candidate the place in the reference with which
    its n-gram is paired, -1 for none. `orders` has both texts' n-grams, `matches` how many are to be paired.

    Counts say how many n-grams match, not which. By our convention those that are in a longer matched one stay with
    it, and of the others the leftmost free one is paired with the leftmost free one. No n-gram is used twice.

    >>> placed([("abab", "xabb"), (["ab", "ba", "ab"], ["xa", "ab", "bb"])], [3, 1])
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
            # The last letters of the longer one that begins before it.
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


def stretches(places: Sequence[int]) -> list[tuple[int, int, int]]:
    """N-grams that follow each other in both texts, as the first place in each and how many they are.

    >>> stretches([3, 4, -1, 0, 6])
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


class LetterPlaces:
    """Where the letters of a text are: `words` has the number of the word for each place, `first` the place where that
    word begins, `last` the one behind its last letter. A space is a word's own beginning and end."""

    __slots__ = ("ends", "starts", "word")

    def __init__(self, words: Tokens, spaced: bool) -> None:
        self.word: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        for number, word in enumerate(words):
            if spaced and number:
                at = len(self.word)
                self.word.append(-1)
                self.starts.append(at)
                self.ends.append(at + 1)
            at, size = len(self.word), len(word)
            self.word += [number] * size
            self.starts += [at] * size
            self.ends += [at + size] * size


def letters(candidate: LetterPlaces, reference: LetterPlaces, k: int, i: int, j: int, length: int) -> Letters:
    """The stretch of so many letters from place `i` of the candidate and place `j` of reference `k` on.

    >>> a, b = LetterPlaces(("the", "cat"), False), LetterPlaces(("then", "at"), False)
    >>> letters(a, b, 0, 0, 0, 3).pieces
    (LetterPiece(i=0, j=0, at=0, to=0, length=3),)
    >>> letters(a, b, 0, 4, 4, 2).pieces
    (LetterPiece(i=1, j=1, at=1, to=0, length=2),)
    """
    pieces: list[LetterPiece] = []
    end, add = i + length, pieces.append
    new = tuple.__new__  # spares the checks of a named tuple
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
