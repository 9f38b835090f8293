"""METEOR's matchings: as many words as can be matched, in as few chunks as can be, with the smallest distance.

Which words may be matched is given by keys: words of one key match, unless `Pairs.loose` says which of them do. A
matching uses no word twice. Where two matches follow each other directly in both sentences they are a joint; a chunk
is a stretch of joints, so that a matching has as many chunks as matches less its joints. The distance of a match
(i, j) is |i − j|, that of a matching the sum.

To find the fewest chunks is to find the most joints that can stand together, which is hard in general (it is the
minimum common string partition) and easy in most sentences. A joint is settled where its words are in no other joint
with anything else: with words of one key any two pairs can change partners, so some best matching has it, and one
without it could be improved. What is left falls into small parts that share no word, and each is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, product
from typing import Any, NamedTuple, TypeAlias

from .bitext import Reference, long_runs
from .types import TooHard

#: A candidate position and a reference position that are matched.
Cell: TypeAlias = tuple[int, int]

#: The longest sentences, in words, that are searched exactly, and the steps that a search may take.
LONGEST, STEPS = 80, 20_000

#: How many matchings of a part are told apart, and how many paths a beam search keeps (METEOR 1.5's number).
MOST, BEAM = 1000, 40


class Pairs:
    """Which words of two sentences may be matched: those of one key or, for a loose key, the cells that it lists.

    `candidate` and `reference` are indexes of the keys of the sentences' words.
    """

    def __init__(
        self, candidate: Reference, reference: Reference, loose: Mapping[Any, frozenset[Cell]] | None = None
    ) -> None:
        self.candidate, self.reference, self.loose = candidate, reference, loose or {}

    @cached_property
    def shared(self) -> list[tuple[Any, list[int], list[int]]]:
        """Every key that both sentences have, with its candidate and its reference positions."""
        places = self.reference.places.get
        return [(key, rows, columns) for key, rows in self.candidate.places.items() if (columns := places(key))]

    @cached_property
    def runs(self) -> list[tuple[int, int, int]]:
        """Diagonal stretches of at least two cells as (length, i, j); a loose key may forbid some of their cells."""
        return long_runs(self.candidate.tokens, self.reference)

    @cached_property
    def joints(self) -> list[Cell]:
        """All joints, each by the first of its two cells."""
        all_joints = [(i + d, j + d) for length, i, j in self.runs for d in range(length - 1)]
        if not self.loose:
            return all_joints
        return [(i, j) for i, j in all_joints if self.allows(i, j) and self.allows(i + 1, j + 1)]

    def allows(self, i: int, j: int) -> bool:
        """Whether two words of one key may be matched."""
        cells = self.loose.get(self.candidate.tokens[i])
        return cells is None or (i, j) in cells

    @cached_property
    def simple(self) -> bool:
        """Whether all joints can stand together because no two of their runs share a word."""
        if self.loose:
            return False
        rows = columns = 0
        for length, i, j in self.runs:
            block = (1 << length) - 1
            if rows & block << i or columns & block << j:
                return False
            rows |= block << i
            columns |= block << j
        return True

    @cached_property
    def matches(self) -> int:
        """How many words can be matched."""
        if not self.loose:
            return sum([min(len(rows), len(columns)) for _, rows, columns in self.shared])
        return sum([len(self.fill(key, rows, columns)) for key, rows, columns in self.shared])

    @cached_property
    def chunks(self) -> int:
        """The fewest chunks of as many matches. TooHard where that needs more than `STEPS` steps."""
        if self.simple:
            return self.matches - sum([length - 1 for length, _, _ in self.runs])
        return self.matches - len(self.settled) - sum(map(len, self.most_joints))

    def fill(self, key: Any, rows: Sequence[int], columns: Sequence[int]) -> list[Cell]:
        """The largest matching of some words of one key, of those the one of smallest distance."""
        cells = self.loose.get(key)
        return nearest(rows, columns) if cells is None else nearest_among(rows, columns, cells)

    # ------------------------------------------------------------ parts

    @cached_property
    def _crowded(self) -> tuple[set[int], set[int]]:
        """The rows and the columns in which joints have several cells."""
        column_of: dict[int, int] = {}
        row_of: dict[int, int] = {}
        rows, columns = set(), set()
        for start in self.joints:
            for i, j in _both(start):
                if column_of.setdefault(i, j) != j:
                    rows.add(i)
                if row_of.setdefault(j, i) != i:
                    columns.add(j)
        return rows, columns

    def _is_settled(self, joint: Cell) -> bool:
        rows, columns = self._crowded
        keys = self.candidate.tokens
        return not any(i in rows or j in columns or keys[i] in self.loose for i, j in _both(joint))

    @cached_property
    def settled(self) -> list[Cell]:
        """The joints that every best matching has."""
        return [joint for joint in self.joints if self._is_settled(joint)]

    @cached_property
    def parts(self) -> list[list[Cell]]:
        """The other joints, in parts that share no row or column with several cells, and no loose key."""
        rows, columns = self._crowded
        keys = self.candidate.tokens

        def links(joint: Cell) -> Iterator[tuple[str, Any]]:
            for i, j in _both(joint):
                if i in rows:
                    yield "row", i
                if j in columns:
                    yield "column", j
                if keys[i] in self.loose:
                    yield "key", keys[i]

        return connected([joint for joint in self.joints if not self._is_settled(joint)], links)

    @cached_property
    def most_joints(self) -> list[tuple[Cell, ...]]:
        """For each part the most joints that can stand together without a match less."""
        return [_Search(self, [part], [len(part)]).best() for part in self.parts]


def _both(joint: Cell) -> tuple[Cell, Cell]:
    i, j = joint
    return joint, (i + 1, j + 1)


def connected(items: Sequence[Any], links: Callable[[Any], Iterable[Any]]) -> list[list[Any]]:
    """The items in groups: those that share a link, directly or through others. All in their order.

    >>> connected(["ab", "cd", "bc", "e"], list)
    [['ab', 'cd', 'bc'], ['e']]
    """
    group_of: dict[Any, list[Any]] = {}
    groups: dict[int, list[Any]] = {}
    order = {id(item): n for n, item in enumerate(items)}
    for item in items:
        merged = [item]
        tokens = list(links(item))
        for token in tokens:
            other = group_of.get(token)
            if other is not None and other is not merged:
                groups.pop(id(other), None)
                merged = other if merged == [item] and not groups.get(id(merged)) else merged
        groups[id(merged)] = merged
    return list(groups.values())
