"""Lines that slipped: where a file and the one beside it part by a line that was lost, put in or doubled.

A line is compared with its neighbours' references by the words that they have in common, weighted by their rarity
(idf), and, where texts have few words in common, as a source and its translation, by their lengths. The offsets of all
lines are the path of the largest sum, where every change of the offset has its price (Viterbi 1967) and lines put in
stand beside nothing: it needs no dictionary, and no line decides by itself.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from ..types import Tokens
from .table import Array

T = TypeVar("T")

#: How far lines are looked for, on both sides: three slips of three lines each.
FARTHEST = 9
#: What a change of the offset costs, in overlaps: what two lines have that fit well.
PRICE = 2.0
#: Lines that a stretch must have to be told, and how much better they must fit where they are said to than elsewhere
#: nearby, in overlaps. Of real outputs that slipped no stretch fits by less than 0.18; of other texts one in a hundred
#: by more.
LEAST, BETTER = 4, 0.15
#: Texts whose lines have less in common than this, in the mean, have too few words in common to do without lengths.
FEW = 0.15
#: What a natural logarithm of how much likelier a length is counts as, in overlaps, and the most that one line counts.
LENGTH, MOST = 0.25, 0.5
#: Letters that words have, in the mean, where they are no words: Chinese and Japanese are compared by pairs of letters.
UNSPACED = 12
#: Lines among which the offset of lengths is taken to be one; of fewer lengths say too little.
BLOCK = 20


class LineSlip(NamedTuple):
    """From output line `line`, from 1, on, each line fits the references of the line `offset` further on, and those
    before it the ones `before` further on; an offset of 0 says that from here on lines fit their own again."""

    line: int
    offset: int
    before: int = 0

    @property
    def extra(self) -> range:
        """The lines just before it that are too many."""
        return range(self.line - max(0, self.before - self.offset), self.line)

    @property
    def missing(self) -> int:
        """How many lines are missing before it."""
        return max(0, self.offset - self.before)


class ReferenceMatcher:
    """What files are compared with: of each segment at least one reference."""

    def __init__(self, references: Sequence[Sequence[Tokens]]) -> None:
        self.size = len(references)
        letters = [len(word) for each in references for line in each for word in line]
        self.unspaced = sum(letters) > UNSPACED * len(letters)
        self.first = [each[0] for each in references]
        counts = Counter([word for each in references for word in {w for line in each for w in self._pieces(line)}])
        self._ids = {word: number for number, word in enumerate(counts)}
        rare = math.log(self.size + 1)
        self._weights = np.array([*[(rare - math.log(number)) ** 2 for number in counts.values()], rare**2])
        most = max([len(each) for each in references], default=0)
        columns = [[each[k] if k < len(each) else () for each in references] for k in range(most)]
        self._columns = [self._words(column) for column in columns]
        self._norms = [self._norm(*column, self.size) for column in self._columns]

    def _pieces(self, line: Tokens) -> Sequence[str]:
        """What lines are compared by: their words, or the pairs of their letters."""
        if not self.unspaced:
            return line
        letters = "".join(line)
        return [letters[i : i + 2] for i in range(max(1, len(letters) - 1))]

    def _words(self, lines: Sequence[Tokens]) -> tuple[Array, Array]:
        """The words of the lines, each once a line and by its number, and the lines in which they stand, by words."""
        unknown: dict[str, int] = {}  # words of no reference: each has a number of its own
        ids, first = self._ids, len(self._ids)
        pieces = [self._pieces(line) for line in lines]
        words = [
            ids[word] if word in ids else first + unknown.setdefault(word, len(unknown))
            for line in pieces
            for word in line
        ]
        at = np.repeat(np.arange(len(lines)), [len(line) for line in pieces])
        word_lines = np.unique(np.array(words, dtype=np.int64) * (len(lines) + 1) + at)
        return word_lines // (len(lines) + 1), word_lines % (len(lines) + 1)

    def _weight(self, words: Array) -> Array:
        weights: Array = self._weights[np.minimum(words, len(self._weights) - 1)]
        return weights

    def _norm(self, words: Array, at: Array, size: int) -> Array:
        norms = np.sqrt(np.bincount(at, self._weight(words), size))
        return np.where(norms > 0, norms, 1.0)

    def overlaps(self, lines: Sequence[Tokens], offsets: Iterable[int]) -> Array:
        """Lines × offsets: what line i has in common with the references of line i + offset, from 0 to 1, the best
        reference; 0 where there is no such line.

        It is the cosine of the lines' words, each weighted by the logarithm of how few of the lines have it.
        """
        words, at = self._words(lines)
        line_norms, weight = self._norm(words, at, len(lines)), self._weight(words)
        room = max(len(lines), self.size)
        out = []
        for offset in offsets:
            best = np.zeros(len(lines))
            reference_lines = at + offset
            inside = (reference_lines >= 0) & (reference_lines < self.size)
            keys, lines_of, weights = words[inside] * room + reference_lines[inside], at[inside], weight[inside]
            to = np.clip(np.arange(len(lines)) + offset, 0, self.size - 1)
            for (theirs, theirs_at), norm in zip(self._columns, self._norms, strict=True):
                have = theirs * room + theirs_at
                if not len(have):
                    continue
                matching = have[np.minimum(np.searchsorted(have, keys), len(have) - 1)] == keys
                common = np.bincount(lines_of[matching], weights[matching], len(lines))
                best = np.maximum(best, common / line_norms / norm[to])
            out.append(best)
        return np.array(out).T

    def best(self, line: Tokens) -> float:
        """The most that a line has in common with any of the references."""
        words, _ = self._words([line])
        weight = self._weight(words)
        line_norm, best_overlap = math.sqrt(weight.sum()) or 1.0, 0.0
        for (theirs, at), norm in zip(self._columns, self._norms, strict=True):
            common = np.zeros(self.size)
            for word, of in zip(words, weight, strict=True):
                start, end = np.searchsorted(theirs, [word, word + 1])
                common[at[start:end]] += of
            best_overlap = max(best_overlap, float((common / norm).max(initial=0.0)) / line_norm)
        return best_overlap

    def lengths(self, lines: Sequence[Tokens]) -> Array:
        """Lines × offsets: how much likelier the length of line i is beside that of the first reference of line
        i + offset than beside any, as a natural logarithm; 0 where there is no such line.

        Logarithms of lengths in letters are taken to differ by a mean and a normal deviation (Gale and Church 1993),
        whose size is that of the offset that fits best in each block of lines.
        """
        ours = np.log1p([sum(map(len, line)) for line in lines])
        theirs = np.log1p([sum(map(len, line)) for line in self.first])
        spread = float(np.std(ours))
        out = np.zeros((len(ours), 2 * FARTHEST + 1))
        inside = np.zeros(out.shape, dtype=bool)
        for n in range(out.shape[1]):
            to = np.arange(len(ours)) + n - FARTHEST
            inside[:, n] = (to >= 0) & (to < len(theirs))
            out[:, n] = ours - theirs[np.clip(to, 0, len(theirs) - 1)]
        out -= float(np.mean(ours)) - float(np.mean(theirs))
        if not spread:
            return np.zeros(out.shape)
        blocks = [out[start : start + BLOCK] for start in range(0, len(out), BLOCK)]
        least = max(math.sqrt(np.mean([(block**2).mean(axis=0).min() for block in blocks])), 0.1 * spread)
        base_likelihood = ((ours - np.mean(ours)) / spread) ** 2 / 2
        likelier = math.log(spread / least) - (out / least) ** 2 / 2 + base_likelihood[:, None]
        return np.where(inside, likelier, 0.0)

    def evidence(self, lines: Sequence[Tokens]) -> Array:
        """Lines × offsets: what speaks for line i standing beside line i + offset, words, and lengths where words are
        few."""
        scores = self.overlaps(lines, range(-FARTHEST, FARTHEST + 1))
        if len(lines) >= BLOCK and scores.max(axis=1).mean() < FEW:
            scores = scores + np.clip(LENGTH * self.lengths(lines), -MOST, MOST)
        return scores


def slips(lines: Sequence[Tokens], matcher: ReferenceMatcher) -> tuple[LineSlip, ...]:
    """Where the lines of a file part from those that it is held against, in their order; none where they do not, and
    none where most lines fit nothing nearby: such a file did not slip. The numbers of lines may differ.

    >>> lines = [tuple(text.split()) for text in "one a/two b/three c/four d/five e/six f/seven g/eight h".split("/")]
    >>> slips([*lines[:3], ("put", "in"), *lines[3:]], ReferenceMatcher([[line] for line in lines]))
    (LineSlip(line=5, offset=-1, before=0),)
    """
    if not lines or not matcher.size:
        return ()
    evidence = matcher.evidence(lines)
    sure = [each for each in path(evidence) if _fits(evidence[each.line - 1 : each.end - 1], each.offset)]
    if sum(each.end - each.line for each in sure) < len(lines) / 2:
        return ()
    out, last = list[LineSlip](), 0
    for line, _, offset in sure:
        if offset != last:
            out.append(LineSlip(line, offset, last))
            last = offset
    return tuple(out)


def _fits(evidence: Array, offset: int) -> bool:
    """Whether a stretch is told: its lines fit at this offset better than at the others."""
    if len(evidence) < LEAST:
        return False
    at = offset + evidence.shape[1] // 2
    others = np.delete(evidence, at, axis=1)
    return float(evidence[:, at].mean() - others.mean()) >= BETTER


class SlippedStretch(NamedTuple):
    """The lines from `line`, from 1, up to `end` stand beside those `offset` further on."""

    line: int
    end: int
    offset: int


def path(evidence: Array, price: float = PRICE) -> list[SlippedStretch]:
    """The path of the largest sum of what speaks for it, less `price` for each change of the offset, before the first
    line 0. Where the offset falls by n, the n lines before the change stand beside nothing. Of equal paths the one that
    stays.

    >>> path(np.array([[0, 0.9, 0], [0.1, 0, 0], *[[0.9, 0.1, 0]] * 4]))
    [SlippedStretch(line=1, end=2, offset=0), SlippedStretch(line=3, end=7, offset=-1)]
    """
    size, width = evidence.shape
    middle = width // 2
    best = np.full((size + 1, width), -np.inf)
    best[0, middle] = 0.0
    falling = best.copy()  # the best of the places from which an offset that falls can come here
    came = np.zeros((size + 1, width), dtype=np.int8)
    up, down = np.full(width, -np.inf), np.full(width, -np.inf)
    for number in range(1, size + 1):
        before = best[number - 1]
        up[1:] = np.maximum.accumulate(before)[:-1]
        if number > 1:
            down[:-1] = falling[number - 2, 1:]
        jump = np.maximum(up, down) - price
        stays = before >= jump
        came[number] = np.where(stays, 0, np.where(up >= down, 1, -1))
        best[number] = falling[number] = np.where(stays, before, jump) + evidence[number - 1]
        falling[number, :-1] = np.maximum(best[number, :-1], falling[number - 1, 1:])
    out = list[SlippedStretch]()
    number, end, at = size, size + 1, int(np.argmax(best[size]))
    while number:
        way = came[number, at]
        if way or number == 1:
            out.append(SlippedStretch(number, end, at - middle))
        if way > 0:
            number, at = number - 1, int(np.argmax(best[number - 1, :at]))
        elif way < 0:
            far = range(1, min(width - at, number))
            fell = max(far, key=lambda far: best[number - 1 - far, at + far])
            number, at = number - 1 - fell, at + fell
        else:
            number -= 1
            continue
        end = number + 1
    return out[::-1]


class Repair(NamedTuple):
    """How a file that slipped is put right: for each segment the number of its line, from 0, or None where a line was
    lost; its output is empty then. Lines that were put in, and those without a segment behind the last one, are taken
    out."""

    places: tuple[int | None, ...]
    taken_lines: tuple[int, ...]

    @property
    def empty(self) -> tuple[int, ...]:
        """The segments, from 1, that are left empty."""
        return tuple([number for number, place in enumerate(self.places, 1) if place is None])

    def apply(self, lines: Sequence[T], nothing: T) -> list[T]:
        """The lines in their places, `nothing` where there is none.

        >>> repair(6, [LineSlip(4, -1)], 6).apply("abxcde", "")
        ['a', 'b', 'c', 'd', 'e', '']
        """
        return [nothing if place is None else lines[place] for place in self.places]


def repair(lines: int, file_slips: Sequence[LineSlip], size: int) -> Repair:
    """What puts a file of so many lines right, beside so many segments. `taken_lines` are those, from 1, that are out.

    >>> repair(3, [LineSlip(3, 1)], 4)
    Repair(places=(0, 1, None, 2), taken_lines=())
    """
    places: list[int | None] = [None] * size
    extra = {line for slip in file_slips for line in slip.extra}
    offset, following = 0, iter(file_slips)
    slip = next(following, None)
    taken_lines = []
    for line in range(1, lines + 1):
        if slip and slip.line == line:
            offset, slip = slip.offset, next(following, None)
        if line in extra or not 0 < line + offset <= size:
            taken_lines.append(line)
        else:
            places[line + offset - 1] = line - 1
    return Repair(tuple(places), tuple(taken_lines))
