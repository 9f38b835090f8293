"""Count and list all matchings that choose long runs separately for each group and then match all remaining words.

The matchings of the General Text Matcher are of this kind. Long runs, of at least two hits, conflict only within
groups, so each group chooses independently. The remaining words are matched one by one, as many as both sides have, in
any way. No two such hits are neighbours on a diagonal, and none is the neighbour of a run, since they would have been
part of a longer run. Two matchings are the same if they use the same cells.

Where several references are capped, only the longest runs count. Of the runs that have the shortest length that still
counts, any may be the ones that count.
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

#: The long runs that a matching takes from one group.
Choice: TypeAlias = tuple[Run, ...]

#: The words that runs cover, each with its number of occurrences.
_Cover: TypeAlias = frozenset[tuple[str, int]]

#: The largest number of covers that are counted. Only many groups whose choices cover different words have more.
COVERS_MOST = 500


class Matchings:
    """The matchings of a segment where each group of conflicting runs takes one of its `choices`.

    A matching has at most `cap` words.

    Attributes:
        exact: False if choices were dropped to bound the work. The first choice of a group is never dropped.
        size: the number of cells of a matching.
        cap_removes_singles_only: whether the cap, if it is reached, removes single hits only. Matchings can be counted,
            and their cells determined, only then.
    """

    def __init__(self, segment: Segment, choices: Sequence[Sequence[Choice]], cap: float) -> None:
        """Combine the choices of all groups. `choices` has, for each group, the sets of long runs that it can take."""
        self.segment = segment
        self.exact = True
        self._ours = Counter(segment.candidate)
        self._theirs = Counter(word for reference in segment.references for word in reference)
        matched = sum(min(count, self._theirs[word]) for word, count in self._ours.items())
        self.choices: list[Sequence[Choice]] = []
        self._shared: Counter[str] = Counter()  # the words that the groups cover with every choice
        self._covers: dict[_Cover, int] = {frozenset(): 1}  # further covered words → number of combined choices
        for options in choices:
            self._add_group(options)
        self._cap = cap
        self.size = ceil(min(cap, matched))
        self._full = self.size == matched  # whether every word is matched as often as both sides have it
        self.cap_removes_singles_only = (
            cap >= matched or sum(max(map(_total_length, options)) for options in self.choices) < cap
        )

    def _add_group(self, options: Sequence[Choice]) -> None:
        """Add a group of conflicting runs; `options` are the sets of long runs that it can take."""
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
        """Return the number of matchings over all combinations of choices.

        Only valid if `cap_removes_singles_only`.
        """
        return sum(
            ways * self._count_singles(self._shared + Counter(dict(cover))) for cover, ways in self._covers.items()
        )

    def _count_singles(self, covered: Counter[str]) -> int:
        """Return the number of ways to match the remaining words one by one.

        `covered` has the words that the long runs match, each with its number of occurrences.
        """
        free_counts = [
            (count - covered[word], self._theirs[word] - covered[word])
            for word, count in self._ours.items()
            if word in self._theirs
        ]
        if self._full:
            return prod([perm(max(a, b), min(a, b)) for a, b in free_counts])
        singles = self.size - sum(covered.values())
        ways = [1]  # ways[n]: the number of ways to take n hits
        for a, b in free_counts:
            of_word = [comb(a, t) * perm(b, t) for t in range(min(a, b) + 1)]
            ways = [
                sum(ways[total - t] * more for t, more in enumerate(of_word) if 0 <= total - t < len(ways))
                for total in range(min(singles, len(ways) + len(of_word) - 2) + 1)
            ]
        return ways[singles]

    # ------------------------------------------------------------ which cells

    def always_and_sometimes_cells(self) -> tuple[frozenset[Hit], frozenset[Hit]]:
        """Return the cells that all matchings use, and the cells that only some use.

        Only valid if `cap_removes_singles_only`.
        """
        used = [_ChoiceMasks(options) for options in self.choices]
        of_row = {i: group for group in used for i in group.rows}
        of_column = {place: group for group in used for place in group.columns}
        possible, in_all_runs = [], set()
        for hit in hits(*self.segment):
            i, k, j = hit
            across, down = of_row.get(i, _NOWHERE), of_column.get((k, j), _NOWHERE)
            in_run = across.cells.get(hit, 0)
            row_free, column_free = ~across.rows.get(i, 0) & across.all, ~down.columns.get((k, j), 0) & down.all
            # Two groups choose independently, but a single group must leave both words free in the same choice.
            if in_run or (row_free & column_free if across is down else row_free and column_free):
                possible.append(hit)
            if in_run and in_run == across.all:
                in_all_runs.add(hit)
        always = frozenset(self._cells_without_rival(possible) if self._full else in_all_runs)
        return always, frozenset(possible) - always

    def _cells_without_rival(self, possible: list[Hit]) -> Iterator[Hit]:
        """Yield the cells that every matching uses; `possible` are the cells that at least one matching uses.

        If a word occurs in the candidate no more often than in the references, every matching matches all its candidate
        positions. So a cell is in all matchings exactly if it is the only possible one in its row. The same holds for
        columns if the word occurs in the references no more often than in the candidate.
        """
        rows = Counter(hit.i for hit in possible)
        columns = Counter((hit.k, hit.j) for hit in possible)
        for hit in possible:
            word = self.segment.candidate[hit.i]
            ours, theirs = self._ours[word], self._theirs[word]
            if (ours <= theirs and rows[hit.i] == 1) or (ours >= theirs and columns[hit.k, hit.j] == 1):
                yield hit

    # ------------------------------------------------------------ one after the other

    def matchings_with(self, picked: Sequence[Choice]) -> Iterator[list[Run]]:
        """Yield the matchings that use the picked long runs, each with the longest runs first.

        `picked` has one choice for each group of conflicting runs. The last run may exceed the cap. No two matchings
        have the same cells, but if not `cap_removes_singles_only`, matchings of two different picks may.
        """
        long = sorted([run for choice in picked for run in choice], key=lambda run: (-run.length, -run.i))
        covered = int(_total_length(long))
        if covered > self._cap:
            yield from choose_longest_runs(long, self._cap)
            return
        for singles in self._single_hit_sets(long, self.size - covered):
            yield long + singles

    def _single_hit_sets(self, long: Sequence[Run], size: int) -> Iterator[list[Run]]:
        """Yield the ways to take `size` single hits from words that the runs `long` leave free.

        Hits of the last candidate words come first.
        """
        candidate, references = self.segment
        rows = {cell.i for run in long for cell in run.cells()}
        columns = {(cell.k, cell.j) for run in long for cell in run.cells()}
        places: dict[str, list[tuple[int, int]]] = {}  # word → its free positions (k, j), the last one first
        for k in range(len(references) - 1, -1, -1):
            for j in range(len(references[k]) - 1, -1, -1):
                if (k, j) not in columns:
                    places.setdefault(references[k][j], []).append((k, j))
        free = [i for i in range(len(candidate) - 1, -1, -1) if i not in rows and candidate[i] in places]
        word_counts: Counter[str] = Counter()
        following = []  # for each free row, the number of later free rows with the same word
        for i in reversed(free):
            following.append(word_counts[candidate[i]])
            word_counts[candidate[i]] += 1
        following.reverse()
        # The number of hits that may be left out.
        spare = sum(min(count, len(places[word])) for word, count in word_counts.items()) - size
        used: set[tuple[int, int] | None] = set()

        spend(len(rows) + sum(map(len, places.values())) + len(free))

        def word_options(depth: int) -> Iterator[tuple[tuple[int, int] | None, int]]:
            """Yield the options for the free candidate word with index `depth`, each with its cost.

            An option is a reference position (k, j), or finally None to leave the word unmatched. The cost is how many
            of the `spare` hits, which may be left out, it uses up.
            """
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
        open_rows = [word_options(0)]
        while open_rows:
            spend(2)
            if len(trail) == len(open_rows):  # backtracking: undo the previous decision of this row
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
                open_rows.append(word_options(len(trail)))


class _ChoiceMasks:
    """An index that says which choices of a group use a cell, a row or a column.

    `cells`, `rows` and `columns` map it to a bit mask with one bit for each choice. In `all` the bits of all choices
    are set.
    """

    def __init__(self, options: Sequence[Choice]) -> None:
        """Index the cells, rows and columns that each choice in `options` uses."""
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


_NOWHERE = _ChoiceMasks([()])  # the default for rows and columns that no long run uses


def _total_length(runs: Sequence[Run]) -> float:
    """Return the total length of the runs."""
    return sum(run.length for run in runs)


def choose_longest_runs(runs: Sequence[Run], cap: float) -> Iterator[list[Run]]:
    """Yield all ways to choose the longest runs until `cap` words are reached; the last run of a choice may exceed it.

    There are several ways if only some of equally long runs fit. If all runs together do not exceed `cap`, they are the
    only choice.

    >>> [[run.i for run in way] for way in choose_longest_runs([Run(0, 0, 0, 1), Run(1, 0, 5, 2), Run(4, 0, 4, 1)], 3)]
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
