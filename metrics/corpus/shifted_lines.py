"""The search for shifted lines: where a text file has lost, inserted or doubled lines, so that later lines do not fit.

A line is compared with the references of its neighbours by the words that they share, weighted by their rarity (idf),
and, where texts share few words, as a source and its translation do, by their lengths. A path assigns each line an
offset to the reference that it fits. The best path has the largest sum of evidence, where every change of the offset
has a price and inserted lines have no partner (Viterbi 1967). So the search needs no dictionary, and no line decides
alone.
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

#: The largest offset that is searched, in both directions: three shifts of three lines each.
FARTHEST = 9
#: The price of a change of the offset, in overlaps: that of two lines that fit well.
PRICE = 2.0
#: The least lines of a stretch that is reported, and by how much, in overlaps, they must fit better at its offset than
#: at others. In real shifted outputs no stretch fits better by less than 0.18; in other texts one in a hundred by more.
LEAST, BETTER = 4, 0.15
#: Where the mean overlap of lines is less than this, texts share too few words, so lengths are used too.
FEW = 0.15
#: The overlap that a natural logarithm of a likelihood ratio of lengths counts as, and the most that one line counts.
LENGTH, MOST = 0.25, 0.5
#: Above this mean length tokens are not words: then, as in Chinese and Japanese, pairs of letters are compared.
UNSPACED = 12
#: The lines of a block in which lengths are taken to have one offset; with fewer lines, lengths say too little.
BLOCK = 20


class LineShift(NamedTuple):
    """A line at which the offset between a file's lines and their references changes.

    Attributes:
        line: the first line with the new offset, from 1.
        offset: the new offset: from here on a line fits the references of the line `offset` further on; 0 means its own
            references.
        before: the offset of the lines before.
    """

    line: int
    offset: int
    before: int = 0

    @property
    def extra_lines(self) -> range:
        """Return the numbers, from 1, of the lines just before this shift that are too many."""
        return range(self.line - max(0, self.before - self.offset), self.line)

    @property
    def missing_line_count(self) -> int:
        """Return how many lines are missing just before this shift."""
        return max(0, self.offset - self.before)


class ReferenceMatcher:
    """An index of the references of each segment, at least one, that says how well lines of other files fit them."""

    def __init__(self, references: Sequence[Sequence[Tokens]]) -> None:
        self.size = len(references)
        letters = [len(word) for each in references for line in each for word in line]
        self.unspaced = sum(letters) > UNSPACED * len(letters)
        self.first = [each[0] for each in references]
        counts = Counter(
            [word for each in references for word in {w for line in each for w in self._comparable_pieces(line)}]
        )
        self._ids = {word: number for number, word in enumerate(counts)}
        rare = math.log(self.size + 1)
        self._weights = np.array([*[(rare - math.log(number)) ** 2 for number in counts.values()], rare**2])
        most = max([len(each) for each in references], default=0)
        columns = [[each[k] if k < len(each) else () for each in references] for k in range(most)]
        self._columns = [self._line_words(column) for column in columns]
        self._norms = [self._vector_norms(*column, self.size) for column in self._columns]

    def _comparable_pieces(self, line: Tokens) -> Sequence[str]:
        """Return the pieces by which a line is compared: its words, or pairs of letters in scripts without spaces."""
        if not self.unspaced:
            return line
        letters = "".join(line)
        return [letters[i : i + 2] for i in range(max(1, len(letters) - 1))]

    def _line_words(self, lines: Sequence[Tokens]) -> tuple[Array, Array]:
        """Return the distinct words of each line as two arrays: the word's number, and the index of the line with it.

        The arrays are sorted by word number. A "word" is a piece by which lines are compared.
        """
        unknown: dict[str, int] = {}  # words that no reference has; each has a number of its own
        ids, first = self._ids, len(self._ids)
        pieces = [self._comparable_pieces(line) for line in lines]
        words = [
            ids[word] if word in ids else first + unknown.setdefault(word, len(unknown))
            for line in pieces
            for word in line
        ]
        at = np.repeat(np.arange(len(lines)), [len(line) for line in pieces])
        word_lines = np.unique(np.array(words, dtype=np.int64) * (len(lines) + 1) + at)
        return word_lines // (len(lines) + 1), word_lines % (len(lines) + 1)

    def _idf_weights(self, words: Array) -> Array:
        """Return the idf weight of each word number; words that no reference has share one weight."""
        return self._weights[np.minimum(words, len(self._weights) - 1)]

    def _vector_norms(self, words: Array, at: Array, size: int) -> Array:
        """Return the norm of each line's vector of weighted words; 1 for a line without words.

        `words` and `at` are the word numbers and the indices of their lines; there are `size` lines.
        """
        norms = np.sqrt(np.bincount(at, self._idf_weights(words), size))
        return np.where(norms > 0, norms, 1.0)

    def word_overlaps(self, lines: Sequence[Tokens], offsets: Iterable[int]) -> Array:
        """Return how well each line fits the references at each offset, from 0 to 1, as an array lines × offsets.

        Entry (i, n) is the largest cosine of line i with a reference of segment i + `offsets[n]`, where a word is
        weighted by the logarithm of how few of the lines have it. It is 0 where there is no such segment.
        """
        words, at = self._line_words(lines)
        line_norms, weight = self._vector_norms(words, at, len(lines)), self._idf_weights(words)
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

    def best_overlap(self, line: Tokens) -> float:
        """Return the largest overlap, from 0 to 1, of a line with any of the references."""
        words, _ = self._line_words([line])
        weight = self._idf_weights(words)
        line_norm, best_overlap = math.sqrt(weight.sum()) or 1.0, 0.0
        for (theirs, at), norm in zip(self._columns, self._norms, strict=True):
            common = np.zeros(self.size)
            for word, of in zip(words, weight, strict=True):
                start, end = np.searchsorted(theirs, [word, word + 1])
                common[at[start:end]] += of
            best_overlap = max(best_overlap, float((common / norm).max(initial=0.0)) / line_norm)
        return best_overlap

    def length_evidence(self, lines: Sequence[Tokens]) -> Array:
        """Return how well the length of each line fits the first reference at each offset, as an array lines × offsets.

        Entry (i, n) is the natural logarithm of how much likelier the length of line i is next to segment i + offset
        than next to any segment; it is 0 where there is no such segment. The logarithms of the lengths in letters are
        taken to differ by a mean and a normal deviation (Gale and Church 1993), whose size is that of the offset that
        fits best in each block of lines.
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
        """Return the evidence that each line belongs to the segment at each offset, as an array lines × offsets.

        Offsets go from −`FARTHEST` to `FARTHEST`. The evidence is the overlap of words; that of lengths is added where
        texts share few words.
        """
        scores = self.word_overlaps(lines, range(-FARTHEST, FARTHEST + 1))
        if len(lines) >= BLOCK and scores.max(axis=1).mean() < FEW:
            scores = scores + np.clip(LENGTH * self.length_evidence(lines), -MOST, MOST)
        return scores


def find_line_shifts(lines: Sequence[Tokens], matcher: ReferenceMatcher) -> tuple[LineShift, ...]:
    """Return the positions in a file where its lines become shifted against the references, in order.

    `lines` are the words of each line. The result is empty if no line is shifted, and if most lines fit no reference
    nearby, because then the file is not merely shifted. The file may have another number of lines than there are
    references.

    >>> lines = [tuple(text.split()) for text in "one a/two b/three c/four d/five e/six f/seven g/eight h".split("/")]
    >>> find_line_shifts([*lines[:3], ("put", "in"), *lines[3:]], ReferenceMatcher([[line] for line in lines]))
    (LineShift(line=5, offset=-1, before=0),)
    """
    if not lines or not matcher.size:
        return ()
    evidence = matcher.evidence(lines)
    sure = [each for each in offset_path(evidence) if _is_reliable(evidence[each.line - 1 : each.end - 1], each.offset)]
    if sum(each.end - each.line for each in sure) < len(lines) / 2:
        return ()
    out, last = list[LineShift](), 0
    for line, _, offset in sure:
        if offset != last:
            out.append(LineShift(line, offset, last))
            last = offset
    return tuple(out)


def _is_reliable(evidence: Array, offset: int) -> bool:
    """Return whether a stretch of lines shows a shift: it is long enough, and its lines fit clearly best at `offset`.

    `evidence` holds the rows of these lines.
    """
    if len(evidence) < LEAST:
        return False
    at = offset + evidence.shape[1] // 2
    others = np.delete(evidence, at, axis=1)
    return float(evidence[:, at].mean() - others.mean()) >= BETTER


class ShiftedStretch(NamedTuple):
    """A stretch of lines that fit the references at the same offset.

    Attributes:
        line: the first line, from 1.
        end: the line after the last one.
        offset: how many segments further on the references of these lines are.
    """

    line: int
    end: int
    offset: int


def offset_path(evidence: Array, price: float = PRICE) -> list[ShiftedStretch]:
    """Return the best assignment of offsets to lines, as stretches of lines with the same offset.

    It has the largest sum of `evidence` (lines × offsets), less `price` for each change of the offset. The offset
    before the first line is 0. Where the offset falls by n, the n lines before the change have no partner. Of equally
    good assignments, the one that keeps its offset is returned.

    >>> offset_path(np.array([[0, 0.9, 0], [0.1, 0, 0], *[[0.9, 0.1, 0]] * 4]))
    [ShiftedStretch(line=1, end=2, offset=0), ShiftedStretch(line=3, end=7, offset=-1)]
    """
    size, width = evidence.shape
    middle = width // 2
    best = np.full((size + 1, width), -np.inf)
    best[0, middle] = 0.0
    falling = best.copy()  # the best value of the cells from which a falling offset can arrive here
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
    out = list[ShiftedStretch]()
    number, end, at = size, size + 1, int(np.argmax(best[size]))
    while number:
        way = came[number, at]
        if way or number == 1:
            out.append(ShiftedStretch(number, end, at - middle))
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
    """The repair of a file with shifted lines: which line each segment gets.

    Attributes:
        places: for each segment, the index of the line that it gets; None where a line was lost, so that its output is
            empty.
        taken_lines: the lines, from 1, that are removed: inserted lines, and lines at the end that have no segment.
    """

    places: tuple[int | None, ...]
    taken_lines: tuple[int, ...]

    @property
    def empty_segments(self) -> tuple[int, ...]:
        """Return the segments, from 1, that this repair leaves empty."""
        return tuple([number for number, place in enumerate(self.places, 1) if place is None])

    def apply(self, lines: Sequence[T], nothing: T) -> list[T]:
        """Return, for each segment, the line that this repair gives it, or `nothing` if it gets none.

        >>> make_repair(6, [LineShift(4, -1)], 6).apply("abxcde", "")
        ['a', 'b', 'c', 'd', 'e', '']
        """
        return [nothing if place is None else lines[place] for place in self.places]


def make_repair(lines: int, shifts: Sequence[LineShift], segment_count: int) -> Repair:
    """Return the repair of a file with the given shifts.

    `lines` is the number of lines of the file, and `segment_count` the number of segments.

    >>> make_repair(3, [LineShift(3, 1)], 4)
    Repair(places=(0, 1, None, 2), taken_lines=())
    """
    places: list[int | None] = [None] * segment_count
    extra = {line for slip in shifts for line in slip.extra_lines}
    offset, following = 0, iter(shifts)
    slip = next(following, None)
    taken_lines = []
    for line in range(1, lines + 1):
        if slip and slip.line == line:
            offset, slip = slip.offset, next(following, None)
        if line in extra or not 0 < line + offset <= segment_count:
            taken_lines.append(line)
        else:
            places[line + offset - 1] = line - 1
    return Repair(tuple(places), tuple(taken_lines))
