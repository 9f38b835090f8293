"""Equally good alignments: their number, the first few of them, and the cells that all or only some of them use.

A metric can split its alignment into independent parts, for example one for each reference, find the `EqualChoices`
(the equally good choices of cells) of each part, and combine them with `combined_ties`. Or it finds whole alignments,
one after the other, the given one first. Two alignments are the same if they use the same cells; only for SIA it also
matters which cells form one chain.

Counting is exact as long as the work stays bounded. Beyond the bound `exact` is False, and there may be more alignments
than were found.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, product
from math import prod
from typing import NamedTuple, TypeAlias

from ..types import FirstFew, Hit, Result, Ties, Tokens
from ..types.work import Work, spend
from .bitext import indexed
from .lcs import Stretch

#: The cells of one alignment, or of a part of it, ordered by candidate position and then in any stable order.
Cells: TypeAlias = tuple[Hit, ...]

#: Scores that differ by less count as equal: they have the same credits, added in another order.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class EqualChoices:
    """The equally good choices of cells in one part of an alignment.

    Attributes:
        count: the number of choices, or a lower bound if `exact` is False.
        exact: whether all choices were counted.
        first: the first few choices, the result's own one first.
        always: the cells in all choices that were found.
        sometimes: the cells in some, but not all, of the choices that were found.
    """

    count: int
    exact: bool
    first: tuple[Cells, ...]
    always: frozenset[Hit]
    sometimes: frozenset[Hit]


#: The ways of a part in which nothing can be aligned: a single way without cells.
NOTHING = EqualChoices(1, True, ((),), frozenset(), frozenset())


def uncounted_choice(chosen: Cells) -> EqualChoices:
    """Return the `EqualChoices` of a part in which a search for ties would take too long.

    They have only the chosen cells, and are not exact."""
    return EqualChoices(1, False, (chosen,), frozenset(), frozenset())


def combined_ties(
    result: Result, parts: Sequence[EqualChoices], most: int, draw: Callable[[tuple[Cells, ...]], Result]
) -> Ties:
    """Return the ties of a result whose alignment has independent parts, where every choice gives the same score.

    `parts` has the equally good choices of cells of each part, `draw` builds a result from one choice for each part,
    and `most` is the largest number of results. The number of ties is the product of the parts' counts.
    """
    size = min(most, prod([len(part.first) for part in parts]))
    picks = islice(product(*[part.first for part in parts]), 1, None)
    return Ties(
        count=prod([part.count for part in parts]),
        exact=all(part.exact for part in parts),
        results=FirstFew(result, size, map(draw, picks)),
        always=frozenset().union(*[part.always for part in parts]),
        sometimes=frozenset().union(*[part.sometimes for part in parts]),
    )


def differ_beyond_rounding(values: Sequence[float]) -> bool:
    """Return whether some of the values, which are at least 0, differ by more than rounding.

    >>> differ_beyond_rounding([0.1 + 0.2, 0.3]), differ_beyond_rounding([0.3, 0.31])
    (False, True)
    """
    return max(values) - min(values) > ROUNDING * max(values)


def chosen_first(chosen: Cells, others: Iterator[Cells], most: int) -> tuple[Cells, ...]:
    """Return the first `most` ways to choose cells: the chosen one, then the others in their order.

    The chosen way is skipped among the others.
    """
    chosen_cells = set(chosen)
    return (chosen, *islice((cells for cells in others if {*cells} != chosen_cells), most - 1))


def diagonal_stretches(cells: Cells) -> list[Stretch]:
    """Return the maximal diagonal stretches of an ascending path of cells, as (i, j, length).

    >>> diagonal_stretches((Hit(0, 0, 0), Hit(1, 0, 1), Hit(3, 0, 2)))
    [(0, 0, 2), (3, 2, 1)]
    """
    out: list[Stretch] = []
    for i, _, j in cells:
        if out and (i, j) == (out[-1][0] + out[-1][2], out[-1][1] + out[-1][2]):
            out[-1] = (*out[-1][:2], out[-1][2] + 1)
        else:
            out.append((i, j, 1))
    return out


# ---------------------------------------------------------------- bounded searches


def maximal_conflict_free_sets(conflicts: Sequence[int], work: Work) -> Iterator[list[int]]:
    """Yield all maximal sets of items without conflicts, each once: no further item can be added to such a set.

    Items are numbered from 0, and `conflicts[t]` is a bit mask of the items that conflict with item t. These are the
    sets that taking one item after another, in any order, can end with. The algorithm is that of Bron and Kerbosch,
    with pivots.

    >>> list(maximal_conflict_free_sets([0b010, 0b101, 0b010], Work(1000)))  # the middle one conflicts with both others
    [[0, 2], [1]]
    """

    def extend_set(chosen: list[int], free: int, past: int) -> Iterator[list[int]]:
        """Yield the maximal sets that extend `chosen` by items of `free`.

        `free` and `past` are bit masks of items that conflict with no chosen one; the items of `past` were tried
        before.
        """
        if not free:
            if not past:
                yield chosen
            return
        work.spend(1 + free.bit_count())
        spend(2 * free.bit_count())
        pivot = min(_set_bits(free | past), key=lambda t: (free & conflicts[t] | free & 1 << t).bit_count())
        for t in _set_bits(free & conflicts[pivot] | free & 1 << pivot):
            rest = ~(conflicts[t] | 1 << t)
            yield from extend_set([*chosen, t], free & rest, past & rest)
            free &= ~(1 << t)
            past |= 1 << t

    free_things = [t for t, others in enumerate(conflicts) if not others]
    contested = (1 << len(conflicts)) - 1
    for t in free_things:
        contested &= ~(1 << t)
    for chosen in extend_set([], contested, 0):
        yield sorted(free_things + chosen)


def _set_bits(mask: int) -> Iterator[int]:
    """Yield the indexes of the set bits, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


# ---------------------------------------------------------------- longest common subsequences

#: The largest number of hits that are searched, which takes about a second.
HITS_MOST = 1_000_000


def common_subsequences(candidate: Tokens, k: int, reference: Tokens, chosen: Cells, most: int) -> EqualChoices:
    """Return the longest common subsequences of the candidate and reference `k`, as sets of cells.

    A hit has rank r if the longest chain that ends there has r hits. A longest subsequence has one hit of each rank, so
    the subsequences are the paths from rank to rank. If the hits of a rank are sorted by row and, within a row, from
    right to left, their columns never increase. So the hits of the next rank that can follow a hit are contiguous, and
    the sum of their counts is the difference of two prefix sums.

    `chosen` is the subsequence of the result, which comes first of the `most` listed ones. If the sentences have
    nothing in common, the empty set is the only way. Beyond HITS_MOST hits the ways are not counted.
    """
    places = indexed(reference).positions_by_word
    hits = sum([len(places.get(word, ())) for word in candidate])
    if hits > HITS_MOST:
        return uncounted_choice(chosen)
    spend(hits)
    ranks = _hits_by_rank(candidate, places)
    # For each hit, the number of ways from it to the end. Hits without any are left out.
    onward: list[list[int]] = []
    following = _Rank([], [])
    good: list[_Rank] = []
    for rank in reversed(ranks):
        if good:
            sums = [*accumulate(onward[-1], initial=0)]
            counts = []
            for i, j in rank.hits():
                first, end = following.hits_after(i, j)
                counts.append(sums[end] - sums[first] if end > first else 0)
        else:
            counts = [1] * len(rank.rows)
        following = rank.keep_nonzero(counts)
        good.append(following)
        onward.append([count for count in counts if count])
    good.reverse()
    onward.reverse()
    total = sum(onward[0]) if onward else 1
    always: set[Hit] = set()
    sometimes: set[Hit] = set()
    back: list[int] = []  # for each hit, the number of ways from the beginning to it
    for number, rank in enumerate(good):
        if number:
            sums = [*accumulate(back, initial=0)]
            before = good[number - 1]
            ends = [before.hits_before(i, j) for i, j in rank.hits()]
            back = [sums[end] - sums[first] for first, end in ends]
        else:
            back = [1] * len(rank.rows)
        for (i, j), to, ways_on in zip(rank.hits(), back, onward[number], strict=True):
            (always if to * ways_on == total else sometimes).add(Hit(i, k, j))
    others = (tuple([Hit(i, k, j) for i, j in path]) for path in _rank_paths(good))
    first_few = chosen_first(chosen, others, most)
    return EqualChoices(total, True, first_few, frozenset(always), frozenset(sometimes))


class _Rank(NamedTuple):
    """The hits of one rank, sorted by row, then from right to left.

    A hit has rank r if the longest ascending chain that ends there has r hits. So rows never decrease and columns never
    increase. Columns are stored negated, so that they can be searched by bisection.
    """

    rows: list[int]
    negative_columns: list[int]

    def hits(self) -> list[tuple[int, int]]:
        """Return the hits as (row, column)."""
        return [(i, -j) for i, j in zip(self.rows, self.negative_columns, strict=True)]

    def keep_nonzero(self, counts: Sequence[int]) -> _Rank:
        """Return the rank with only those hits whose entry in `counts` is not 0."""
        return _Rank(
            [i for i, w in zip(self.rows, counts, strict=True) if w],
            [j for j, w in zip(self.negative_columns, counts, strict=True) if w],
        )

    def hits_after(self, i: int, j: int) -> tuple[int, int]:
        """Return the range of this rank's hits below and to the right of (i, j), as (start, end) of their indexes."""
        return bisect_right(self.rows, i), bisect_left(self.negative_columns, -j)

    def hits_before(self, i: int, j: int) -> tuple[int, int]:
        """Return the range of this rank's hits above and to the left of (i, j), as (start, end) of their indexes."""
        return bisect_right(self.negative_columns, -j), bisect_left(self.rows, i)


def _hits_by_rank(candidate: Tokens, places: dict[str, list[int]]) -> list[_Rank]:
    """Return all hits by rank: entry r has the hits at which the longest ascending chain has r + 1 hits.

    `places` has the positions of each reference word.
    """
    ends: list[int] = []  # ends[r]: the leftmost column in which a chain of r + 1 hits ends so far
    ranks: list[_Rank] = []
    for i, word in enumerate(candidate):
        for j in reversed(places.get(word, ())):  # from right to left, so that hits of one row cannot form a chain
            rank = bisect_left(ends, j)
            if rank == len(ends):
                ends.append(j)
                ranks.append(_Rank([], []))
            else:
                ends[rank] = j
            ranks[rank].rows.append(i)
            ranks[rank].negative_columns.append(-j)
    return ranks


def _rank_paths(ranks: list[_Rank]) -> Iterator[list[tuple[int, int]]]:
    """Yield all paths that go through one hit of each rank, each as its (row, column) cells.

    Every hit must have a hit of the next rank below and to the right of it.
    """
    hits = [rank.hits() for rank in ranks]
    if not ranks:
        yield []
        return
    open_hits = [iter(hits[0])]
    path: list[tuple[int, int]] = []
    while open_hits:
        del path[len(open_hits) - 1 :]
        cell = next(open_hits[-1], None)
        if cell is None:
            open_hits.pop()
            continue
        path.append(cell)
        depth = len(path)
        if depth == len(ranks):
            yield [*path]
        else:
            first, end = ranks[depth].hits_after(*cell)
            open_hits.append(iter(hits[depth][first:end]))
