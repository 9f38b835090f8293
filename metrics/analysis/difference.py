"""The cells that two outputs use as matches, placed side by side on the rows of a word diff.

>>> from metrics import score
>>> references = ["police killed the gunman".split()]
>>> a, b = (score("gtm", words.split(), references) for words in ("the gunman kill police", "police kill the gunman"))
>>> [tuple(row) for row in word_diff(a.segment.candidate, b.segment.candidate)]
[(None, 0), (None, 1), (0, 2), (1, 3), (2, None), (3, None)]
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from operator import attrgetter, itemgetter
from typing import NamedTuple

from ..alignment.edits import make_comparable
from ..alignment.lcs import lcs_path
from ..types import Deferred, Edit, Hit, Result, Tokens
from ..types.work import spend


class DiffRow(NamedTuple):
    """A row of the word diff: the position of its word in A and in B.

    The position is None in an output that lacks the word there.
    """

    a: int | None
    b: int | None


class DiffPlace(NamedTuple):
    """A cell of the grid on the rows of the word diff: its row, its reference, and its position in the reference."""

    row: int
    k: int
    j: int


@dataclass(frozen=True, slots=True)
class MatchDifference:
    """The cells that two results use as matches, compared on the rows of their word diff.

    Attributes:
        rows: the rows of the word diff.
        kept_places: the cells that both use.
        gained: the cells that only B uses, except moved ones.
        lost: the cells that only A uses, except moved ones.
        moved: pairs of a lost and a gained cell: a word is matched with another reference word now, or a reference word
            with the same word elsewhere in the output.

    Where references are pooled (a match counts once, whichever reference has it), a word is either matched or not. Then
    all cells of a word that is matched in both are kept, and cells have moved if the same word is matched elsewhere in
    the output.
    """

    rows: tuple[DiffRow, ...]
    kept_places: tuple[DiffPlace, ...]
    gained: tuple[DiffPlace, ...]
    lost: tuple[DiffPlace, ...]
    moved: tuple[tuple[DiffPlace, DiffPlace], ...]


def word_diff(a: Tokens, b: Tokens) -> tuple[DiffRow, ...]:
    """Return the rows of the word diff of two outputs, which aligns a longest common subsequence of their words.

    Between two shared words, the words of A alone come before the words of B alone.

    >>> [tuple(row) for row in word_diff(("a", "b", "c"), ("a", "x", "c"))]
    [(0, 0), (1, None), (None, 1), (2, 2)]
    """
    first, second = sorted((a, b))  # so that ties do not depend on which output is called A
    ours, (theirs,) = make_comparable(first, [second])
    path = [(i, j, length) if first is a else (j, i, length) for i, j, length in lcs_path(ours, theirs)]
    out: list[DiffRow] = []
    i = j = 0
    for at_i, at_j, length in [*path, (len(a), len(b), 0)]:
        out += [DiffRow(t, None) for t in range(i, at_i)]
        out += [DiffRow(None, t) for t in range(j, at_j)]
        out += [DiffRow(at_i + t, at_j + t) for t in range(length)]
        i, j = at_i + length, at_j + length
    return tuple(out)


class RowNumbers(NamedTuple):
    """The rows of the word diff: for each position in A and in B, the index of the row of its word."""

    a: dict[int, int]
    b: dict[int, int]


def row_numbers(rows: Iterable[DiffRow]) -> RowNumbers:
    """Return the index of the word-diff row of every word, by its position in A and in B."""
    out = RowNumbers({}, {})
    for number, row in enumerate(rows):
        if row.a is not None:
            out.a[row.a] = number
        if row.b is not None:
            out.b[row.b] = number
    return out


def match_difference(a: Result, b: Result) -> MatchDifference:
    """Return the cells that two results use as matches, divided into kept, gained, lost and moved ones.

    The results are of one metric over the same references. Lost and gained cells of one row are paired first, then
    those of one reference word, in the order of the grid. No cell is in two pairs. Where references are pooled, rows of
    the same word are paired; a cell is in several pairs if its row has fewer cells than the other row.
    """
    rows = word_diff(a.segment.candidate, b.segment.candidate)
    row_of = row_numbers(rows)
    ours = {DiffPlace(row_of.a[i], k, j) for i, k, j in matched_cells(a)}
    theirs = {DiffPlace(row_of.b[i], k, j) for i, k, j in matched_cells(b)}
    if pools_references(a, b):
        return _pooled_difference(rows, ours, theirs, a, b)
    lost, gained = sorted(ours - theirs), sorted(theirs - ours)
    spend(4 * (len(lost) + len(gained)))
    moved: list[tuple[DiffPlace, DiffPlace]] = []
    words = b.segment.candidate
    for place_key in (itemgetter(0), itemgetter(1, 2)):
        waiting: dict[Hashable, deque[DiffPlace]] = {}
        for place in lost:
            waiting.setdefault((place_key(place), _word_of_a(place, rows, a)), deque()).append(place)
        new, gained, paired_places = gained, [], set()
        for place in new:
            partners = waiting.get((place_key(place), words[rows[place.row].b or 0]))
            if partners:
                paired_places.add(partners[0])
                moved.append((partners.popleft(), place))
            else:
                gained.append(place)
        lost = [place for place in lost if place not in paired_places]
    return MatchDifference(rows, tuple(sorted(ours & theirs)), tuple(gained), tuple(lost), tuple(sorted(moved)))


def pools_references(*results: Result) -> bool:
    """Return whether these results pool the references: whether a match counts once, whichever reference has it."""
    return any(layer.pooled for result in results for layer in result.layers)


def _pooled_difference(
    rows: tuple[DiffRow, ...], ours: set[DiffPlace], theirs: set[DiffPlace], a: Result, b: Result
) -> MatchDifference:
    """Return the difference of two results whose references are pooled.

    `rows` is the word diff, and `ours` and `theirs` are the cells that A and B use as matches.
    """
    shared_rows = {place.row for place in ours} & {place.row for place in theirs}
    kept_places = sorted({place for place in ours | theirs if place.row in shared_rows})
    lost, gained = (_cells_by_row(places.difference(kept_places)) for places in (ours, theirs))
    spend(4 * (len(lost) + len(gained)))
    waiting: dict[str, deque[int]] = {}
    for row, cells in lost.items():
        waiting.setdefault(_word_of_a(cells[0], rows, a), deque()).append(row)
    moved: list[tuple[DiffPlace, DiffPlace]] = []
    for row, cells in [*gained.items()]:
        if partners := waiting.get(b.segment.candidate[rows[row].b or 0]):
            before = lost.pop(partners.popleft())
            for n in range(max(len(before), len(cells))):
                moved.append((before[min(n, len(before) - 1)], cells[min(n, len(cells) - 1)]))
            del gained[row]
    new, lost_places = (tuple(chain.from_iterable(each.values())) for each in (gained, lost))
    return MatchDifference(rows, tuple(kept_places), new, lost_places, tuple(sorted(moved)))


def _cells_by_row(places: set[DiffPlace]) -> dict[int, list[DiffPlace]]:
    """Return the cells grouped by their row in the word diff, all in order."""
    return {row: [*cells] for row, cells in groupby(sorted(places), key=attrgetter("row"))}


def matched_reference_words(result: Result) -> set[tuple[int, int]]:
    """Return the reference words that are matched, as pairs (reference, position).

    Where references are pooled (a match counts once, whichever reference has it), a word is matched in each reference
    that has it, as often as it counts, from the left.
    """
    if not pools_references(result):
        return {(k, j) for _, k, j in matched_cells(result)}
    counts, out = matched_words(result), set[tuple[int, int]]()
    for k, words in enumerate(result.segment.references):
        counts_left = counts.copy()
        for j, word in enumerate(words):
            if counts_left[word]:
                counts_left[word] -= 1
                out.add((k, j))
    return out


def matched_words(result: Result) -> Counter[str]:
    """Return how often each word of the candidate is matched."""
    return Counter([result.segment.candidate[i] for i in {cell.i for cell in matched_cells(result)}])


def _word_of_a(place: DiffPlace, rows: Sequence[DiffRow], a: Result) -> str:
    """Return A's word in the row of a cell. `rows` is the word diff."""
    return a.segment.candidate[rows[place.row].a or 0]


def matched_cells(result: Result) -> set[Hit]:
    """Return the cells that some mark uses as a match. If layers disagree about a cell, the first one decides."""
    out: dict[Hit, bool] = {}
    for layer in result.layers:
        if isinstance(layer.marks, Deferred):
            out |= {cell: out.get(cell, True) for cell in layer.cells()}
            continue
        for mark in layer.marks:
            matches = not (isinstance(mark, Edit) and mark.op == "substitution")
            for cell in mark.cells():
                out.setdefault(cell, matches)
    spend(2 * len(out))
    return {cell for cell, matches in out.items() if matches}


def positions_in_one_output(rows: Iterable[DiffRow], a: Result, b: Result) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the positions of the words that only A has, and the positions of the words that only B has.

    `rows` is the word diff. A word in a row of only one output has merely moved, and is not included, if the other
    output has it in such a row as well. If one output has a word more often, its surplus copies are the unmatched ones
    first, and of these the last ones.
    """
    lone_places = [
        [row.a for row in rows if row.b is None and row.a is not None],
        [row.b for row in rows if row.a is None and row.b is not None],
    ]
    counts = [Counter([r.segment.candidate[i] for i in side]) for r, side in zip((a, b), lone_places, strict=True)]
    out = []
    for result, side in zip((a, b), lone_places, strict=True):
        words, used = result.segment.candidate, {cell.i for cell in matched_cells(result)}
        moved = counts[0] & counts[1]
        own_places = []
        for i in sorted(side, key=lambda i: (i not in used, i)):
            if moved[words[i]]:
                moved[words[i]] -= 1
            else:
                own_places.append(i)
        out.append(tuple(sorted(own_places)))
    return out[0], out[1]
