"""Equally good alignments: how many there are, the first few of them, and which cells all or only some of them use.

A metric splits its alignment into parts that choose independently of each other (references, say), finds the `Ways` of
each part and combines them (`combined_ties`); or it finds whole alignments, which are `Tied`, one after the other. Two
alignments are the same where they use the same cells; only SIA asks as well which cells are in one chain.

Counting is exact as long as the work stays bounded: beyond a bound `exact` is False and there may be more alignments
than those that were found.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, product
from math import prod
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from ..types import FirstFew, Hit, Result, Ties, Tokens
from ..types.work import Work, spend
from .bitext import indexed
from .lcs import Stretch

#: The marks of one alignment.
T = TypeVar("T")

#: The cells of one alignment, or of a part of it, by candidate position and, there, in any stable order.
Cells: TypeAlias = tuple[Hit, ...]

#: Scores that differ by less are equal: the same credits, added up in another order.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Ways:
    """The equally good choices of cells in one part of an alignment.

    There are `count` of them, or at least as many where `exact` is False; `first` are the first few, the one that the
    result has chosen first. `always` are the cells of all of them and `sometimes` those of some, as far as they were
    found.
    """

    count: int
    exact: bool
    first: tuple[Cells, ...]
    always: frozenset[Hit]
    sometimes: frozenset[Hit]


#: The ways of a part in which nothing can be aligned: the one without cells.
NOTHING = Ways(1, True, ((),), frozenset(), frozenset())


def uncounted(chosen: Cells) -> Ways:
    """What is known where the search for other ways would be too much work: only the one that was chosen."""
    return Ways(1, False, (chosen,), frozenset(), frozenset())


def combined_ties(
    result: Result, parts: Sequence[Ways], most: int, draw: Callable[[tuple[Cells, ...]], Result]
) -> Ties:
    """The ties of a result whose parts choose independently, where every choice gives the same score.

    `draw` makes a result from one way for each part. The counts of the parts multiply.
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


@dataclass(frozen=True, slots=True)
class Tied(Generic[T]):
    """What a search for the alignments that are as good as a given one has found, as marks of some type.

    The first `size` are at hand: the given one, and `others` without it, found one after the other; the rest is as in
    `Ties`.
    """

    count: int
    exact: bool
    size: int
    others: Iterator[T]
    always: frozenset[Hit]
    sometimes: frozenset[Hit]
    depends: bool

    def ties_for(self, result: Result, draw: Callable[[T], Result]) -> Ties:
        """The ties of the result that has the given alignment; `draw` makes the result of another."""
        results = FirstFew(result, self.size, map(draw, self.others))
        return Ties(self.count, self.exact, results, self.always, self.sometimes, self.depends)


def listed(
    alignments: Sequence[T], cells: Sequence[frozenset[Hit]], worth: Sequence[float], most: int, exact: bool = True
) -> Tied[T]:
    """What is tied where all alignments are at hand, the given one first; no two have the same cells.

    The score depends on the choice where two alignments differ in what they are worth by more than rounding. Then the
    first ones of the lowest and the highest worth come next, so that they are among those given.
    """
    always = cells[0].intersection(*cells)
    depends = differ(worth)
    order = [0, worth.index(min(worth)), worth.index(max(worth))] if depends else []
    listed_numbers = [*islice(dict.fromkeys([*order, *range(len(alignments))]), most)]
    sometimes = cells[0].union(*cells) - always
    return Tied(
        len(alignments),
        exact,
        len(listed_numbers),
        iter([alignments[t] for t in listed_numbers[1:]]),
        always,
        sometimes,
        depends,
    )


def differ(values: Sequence[float]) -> bool:
    """Whether values of at least 0 differ by more than rounding.

    >>> differ([0.1 + 0.2, 0.3]), differ([0.3, 0.31])
    (False, True)
    """
    return max(values) - min(values) > ROUNDING * max(values)


def chosen_first(chosen: Cells, others: Iterator[Cells], most: int) -> tuple[Cells, ...]:
    """The first `most` ways: the one that was chosen, then the others in their order."""
    chosen_cells = set(chosen)
    return (chosen, *islice((cells for cells in others if {*cells} != chosen_cells), most - 1))


def stretches(cells: Cells) -> list[Stretch]:
    """A rising path of cells as its maximal diagonal stretches.

    >>> stretches((Hit(0, 0, 0), Hit(1, 0, 1), Hit(3, 0, 2)))
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


def maximal_sets(conflicts: Sequence[int], work: Work) -> Iterator[list[int]]:
    """All sets of things, no two of which conflict, to which no other thing can be added; each once.

    They are the sets that taking one thing after the other, in any order, can end with. `conflicts[t]` has the bits of
    the things with which thing t conflicts. The algorithm is that of Bron and Kerbosch, with pivots.

    >>> list(maximal_sets([0b010, 0b101, 0b010], Work(1000)))  # the middle one conflicts with both others
    [[0, 2], [1]]
    """

    def search(chosen: list[int], free: int, past: int) -> Iterator[list[int]]:
        if not free:
            if not past:
                yield chosen
            return
        work.spend(1 + free.bit_count())
        spend(2 * free.bit_count())
        pivot = min(_bits(free | past), key=lambda t: (free & conflicts[t] | free & 1 << t).bit_count())
        for t in _bits(free & conflicts[pivot] | free & 1 << pivot):
            rest = ~(conflicts[t] | 1 << t)
            yield from search([*chosen, t], free & rest, past & rest)
            free &= ~(1 << t)
            past |= 1 << t

    free_things = [t for t, others in enumerate(conflicts) if not others]
    contested = (1 << len(conflicts)) - 1
    for t in free_things:
        contested &= ~(1 << t)
    for chosen in search([], contested, 0):
        yield sorted(free_things + chosen)


def _bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


# ---------------------------------------------------------------- longest common subsequences

#: Hits that are looked through at the most, a second's work.
HITS_MOST = 1_000_000


def common_subsequences(candidate: Tokens, k: int, reference: Tokens, chosen: Cells, most: int) -> Ways:
    """The longest common subsequences of the candidate and reference `k`, as sets of cells.

    A hit has rank r where the longest chain that ends there has r hits. A longest subsequence has one hit of each
    rank, so they are the paths from rank to rank. Sorted by row and, within a row, from right to left, the columns of
    one rank's hits never rise: what can follow a hit is a stretch of the next rank's hits, and a sum of counts over it
    is the difference of two sums from the left.

    Where nothing is in common the empty set is the only one. `chosen` is one of them. Not counted beyond HITS_MOST
    hits.
    """
    places = indexed(reference).places
    hits = sum([len(places.get(word, ())) for word in candidate])
    if hits > HITS_MOST:
        return uncounted(chosen)
    spend(hits)
    ranks = _by_rank(candidate, places)
    # How many ways lead on from each hit to the end; hits with none are left out.
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
        following = rank.where(counts)
        good.append(following)
        onward.append([count for count in counts if count])
    good.reverse()
    onward.reverse()
    total = sum(onward[0]) if onward else 1
    always: set[Hit] = set()
    sometimes: set[Hit] = set()
    back: list[int] = []  # how many ways lead to each hit
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
    return Ways(total, True, first_few, frozenset(always), frozenset(sometimes))


class _Rank(NamedTuple):
    """The hits of one rank, by row, then from right to left: rows rise and columns fall, neither strictly."""

    rows: list[int]
    negative_columns: list[int]

    def hits(self) -> list[tuple[int, int]]:
        return [(i, -j) for i, j in zip(self.rows, self.negative_columns, strict=True)]

    def where(self, counts: Sequence[int]) -> _Rank:
        """Those whose place in `counts` is not 0."""
        return _Rank(
            [i for i, w in zip(self.rows, counts, strict=True) if w],
            [j for j, w in zip(self.negative_columns, counts, strict=True) if w],
        )

    def hits_after(self, i: int, j: int) -> tuple[int, int]:
        """The stretch of hits below and right of (i, j): its first place and the place behind it."""
        return bisect_right(self.rows, i), bisect_left(self.negative_columns, -j)

    def hits_before(self, i: int, j: int) -> tuple[int, int]:
        """The stretch of hits above and left of (i, j)."""
        return bisect_right(self.negative_columns, -j), bisect_left(self.rows, i)


def _by_rank(candidate: Tokens, places: dict[str, list[int]]) -> list[_Rank]:
    """All hits by rank. `ends[r]` is the leftmost column in which a chain of r + 1 hits ends so far."""
    ends: list[int] = []
    ranks: list[_Rank] = []
    for i, word in enumerate(candidate):
        for j in reversed(places.get(word, ())):  # from the right, so that a row does not see its own hits
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
    """All paths through the ranks, each as its cells. Every hit leads on to the end."""
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
