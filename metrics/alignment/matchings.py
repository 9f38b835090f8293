"""All matchings that choose their long runs group by group and then match every word that is left: counted and listed.

The matchings of the General Text Matcher are of this kind. Long runs, of two and more hits, conflict only within
groups, so each group chooses by itself. The words left over are matched one by one, as many as there are on both
sides, in any way: no two such hits ever lie on a diagonal next to each other or to a run, since they would have been
part of a longer run. Two matchings are the same where they use the same cells.

Where several references are capped, only the longest runs count; those of the shortest length that still counts are
chosen among all of that length.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, groupby
from math import ceil, comb, perm, prod
from operator import and_
from typing import TypeAlias

from ..types import Hit, Run, Segment
from ..types.work import spend
from .bitext import hits

#: The long runs that one group takes.
Choice: TypeAlias = tuple[Run, ...]

#: The words that runs cover, each with how often.
_Cover: TypeAlias = frozenset[tuple[str, int]]

#: How many covers are counted through: more need many groups whose choices cover different words.
COVERS_MOST = 500


class Matchings:
    """The matchings of a segment, of at most `cap` words, where each group takes one of its `choices`.

    `exact` is False where choices had to be left out to bound the work, never the first one of a group. `size` is the
    number of cells of a matching. `whole` says that the cap, where it is reached, cuts off single hits only: matchings
    can be counted, and their cells told, only then.
    """

    def __init__(self, segment: Segment, choices: Sequence[Sequence[Choice]], cap: float) -> None:
        self.segment = segment
        self.exact = True
        self._ours = Counter(segment.candidate)
        self._theirs = Counter(word for reference in segment.references for word in reference)
        matched = sum(min(count, self._theirs[word]) for word, count in self._ours.items())
        self.choices: list[Sequence[Choice]] = []
        self._shared: Counter[str] = Counter()  # what the groups cover whatever they choose
        self._covers: dict[_Cover, int] = {frozenset(): 1}  # what they cover beyond that, in how many ways
        for options in choices:
            self._add(options)
        self._cap = cap
        self.size = ceil(min(cap, matched))
        self._full = self.size == matched  # as many words are matched as there are on both sides
        self.whole = cap >= matched or sum(max(map(_length, options)) for options in self.choices) < cap

    def _add(self, options: Sequence[Choice]) -> None:
        words = [
            Counter(self.segment.candidate[cell.i] for run in choice for cell in run.cells()) for choice in options
        ]
        shared = reduce(and_, words)
        kinds = Counter(frozenset((covered - shared).items()) for covered in words)
        if len(kinds) > 1 and len(kinds) * len(self._covers) > COVERS_MOST:
            self.exact = False
            options, shared, kinds = options[:1], words[0], Counter([frozenset[tuple[str, int]]()])
        self.choices.append(options)
        self._shared += shared
        covers: dict[_Cover, int] = {}
        for cover, ways in self._covers.items():
            for kind, more in kinds.items():
                joint_cover = frozenset((Counter(dict(cover)) + Counter(dict(kind))).items()) if kind else cover
                covers[joint_cover] = covers.get(joint_cover, 0) + ways * more
        self._covers = covers

    # ------------------------------------------------------------ how many

    def count(self) -> int:
        """How many there are with these choices."""
        return sum(ways * self._fillings(self._shared + Counter(dict(cover))) for cover, ways in self._covers.items())

    def _fillings(self, covered: Counter[str]) -> int:
        """In how many ways single hits can be taken once long runs have covered these words."""
        free_counts = [
            (count - covered[word], self._theirs[word] - covered[word])
            for word, count in self._ours.items()
            if word in self._theirs
        ]
        if self._full:
            return prod([perm(max(a, b), min(a, b)) for a, b in free_counts])
        singles = self.size - sum(covered.values())
        ways = [1]  # by the number of hits
        for a, b in free_counts:
            of_word = [comb(a, t) * perm(b, t) for t in range(min(a, b) + 1)]
            ways = [
                sum(ways[total - t] * more for t, more in enumerate(of_word) if 0 <= total - t < len(ways))
                for total in range(min(singles, len(ways) + len(of_word) - 2) + 1)
            ]
        return ways[singles]

    # ------------------------------------------------------------ which cells

    def cells(self) -> tuple[frozenset[Hit], frozenset[Hit]]:
        """The cells that all of them use, and those that only some use."""
        used = [_ChoiceUse(options) for options in self.choices]
        of_row = {i: group for group in used for i in group.rows}
        of_column = {place: group for group in used for place in group.columns}
        possible, in_all_runs = [], set()
        for hit in hits(*self.segment):
            i, k, j = hit
            across, down = of_row.get(i, _NOWHERE), of_column.get((k, j), _NOWHERE)
            in_run = across.cells.get(hit, 0)
            row_free, column_free = ~across.rows.get(i, 0) & across.all, ~down.columns.get((k, j), 0) & down.all
            # Two groups choose apart, one group must leave both words free at once.
            if in_run or (row_free & column_free if across is down else row_free and column_free):
                possible.append(hit)
            if in_run and in_run == across.all:
                in_all_runs.add(hit)
        always = frozenset(self._only(possible) if self._full else in_all_runs)
        return always, frozenset(possible) - always

    def _only(self, possible: list[Hit]) -> Iterator[Hit]:
        """The cells that have no rival.

        Of a word that is no more frequent in the candidate than in the references every matching matches every place
        in the candidate: a cell is in all of them just where it is the only one possible in its row. Likewise for
        columns where the word is no more frequent in the references.
        """
        rows = Counter(hit.i for hit in possible)
        columns = Counter((hit.k, hit.j) for hit in possible)
        for hit in possible:
            word = self.segment.candidate[hit.i]
            ours, theirs = self._ours[word], self._theirs[word]
            if (ours <= theirs and rows[hit.i] == 1) or (ours >= theirs and columns[hit.k, hit.j] == 1):
                yield hit

    # ------------------------------------------------------------ one after the other

    def filled(self, picked: Sequence[Choice]) -> Iterator[list[Run]]:
        """The matchings with these choices, the longest runs first; the last run may exceed the cap.

        No two have the same cells, but where not `whole` two with different choices can.
        """
        long = sorted([run for choice in picked for run in choice], key=lambda run: (-run.length, -run.i))
        covered = int(_length(long))
        if covered > self._cap:
            yield from orders(long, self._cap)
            return
        for singles in self._singles(long, self.size - covered):
            yield long + singles

    def _singles(self, long: Sequence[Run], size: int) -> Iterator[list[Run]]:
        """The ways to take `size` single hits of the words that `long` leaves free, the last candidate words first."""
        candidate, references = self.segment
        rows = {cell.i for run in long for cell in run.cells()}
        columns = {(cell.k, cell.j) for run in long for cell in run.cells()}
        places: dict[str, list[tuple[int, int]]] = {}  # the free ones, the last first
        for k in range(len(references) - 1, -1, -1):
            for j in range(len(references[k]) - 1, -1, -1):
                if (k, j) not in columns:
                    places.setdefault(references[k][j], []).append((k, j))
        free = [i for i in range(len(candidate) - 1, -1, -1) if i not in rows and candidate[i] in places]
        word_counts: Counter[str] = Counter()
        following = []  # for each free row, how many more rows of its word come after it
        for i in reversed(free):
            following.append(word_counts[candidate[i]])
            word_counts[candidate[i]] += 1
        following.reverse()
        # The hits that may be left out.
        spare = sum(min(count, len(places[word])) for word, count in word_counts.items()) - size
        used: set[tuple[int, int] | None] = set()

        spend(len(rows) + sum(map(len, places.values())) + len(free))

        def ways(depth: int) -> Iterator[tuple[tuple[int, int] | None, int]]:
            """The places for a row and then None, to leave it out; with what each takes of `spare`."""
            now = [place for place in places[candidate[free[depth]]] if place not in used]
            for place in now:
                yield place, 0
            cost = 1 if following[depth] < len(now) else 0
            if cost <= spare:
                yield None, cost

        trail: list[tuple[tuple[int, int] | None, int]] = []
        singles: list[Run] = []
        if not size:
            yield []
            return
        open_rows = [ways(0)]
        while open_rows:
            spend(2)
            if len(trail) == len(open_rows):  # back in a row that has been decided before
                place, cost = trail.pop()
                used.discard(place)
                spare += cost
                if place:
                    singles.pop()
            step = next(open_rows[-1], None)
            if step is None:
                open_rows.pop()
                continue
            trail.append(step)
            place, cost = step
            used.add(place)
            spare -= cost
            if place:
                singles.append(Run(free[len(trail) - 1], *place, 1))
            if len(singles) == size:
                yield [*singles]
            else:
                open_rows.append(ways(len(trail)))


class _ChoiceUse:
    """What the choices of a group use: for each cell, row and column the choices that do, as bits; `all` are all."""

    def __init__(self, options: Sequence[Choice]) -> None:
        self.all = (1 << len(options)) - 1
        self.cells: dict[Hit, int] = {}
        self.rows: dict[int, int] = {}
        self.columns: dict[tuple[int, int], int] = {}
        for number, choice in enumerate(options):
            bit = 1 << number
            for run in choice:
                for cell in run.cells():
                    i, k, j = cell
                    self.cells[cell] = self.cells.get(cell, 0) | bit
                    self.rows[i] = self.rows.get(i, 0) | bit
                    self.columns[k, j] = self.columns.get((k, j), 0) | bit


_NOWHERE = _ChoiceUse([()])  # for words that no long run uses


def _length(runs: Sequence[Run]) -> float:
    return sum(run.length for run in runs)


def orders(runs: Sequence[Run], cap: float) -> Iterator[list[Run]]:
    """Which runs can be the longest that reach `cap`, in all ways; the last one may exceed it.

    >>> [[run.i for run in way] for way in orders([Run(0, 0, 0, 1), Run(1, 0, 5, 2), Run(4, 0, 4, 1)], 3)]
    [[1, 0], [1, 4]]
    """
    before: list[Run] = []
    for length, group in groupby(sorted(runs, key=lambda run: -run.length), key=lambda run: run.length):
        alike = [*group]
        if length * len(alike) > cap:
            fitting = int(cap // length)
            for picked in combinations(alike, fitting):
                if fitting * length == cap:
                    yield [*before, *picked]
                else:
                    yield from ([*before, *picked, run] for run in alike if run not in picked)
            return
        before += alike
        cap -= length * len(alike)
    yield before
