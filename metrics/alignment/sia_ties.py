"""The ties of SIA: every choice among equally good chains, followed through the later rounds.

Rounds of equal worth make a stage. All chains of that worth are there when the stage begins, since what a chain earns
does not depend on the words retired before. So a stage takes chains that share no word, as many as fit, and which of
them makes the earlier round is all the same. Chains whose credits differ by no more than rounding are equally good.
Two alignments are the same where they have the same chains.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from math import sqrt
from typing import Any, NamedTuple, TypeAlias

from ..types import Hit
from ..types.work import Enough, Work, spend
from .edits import unlinked
from .sia_chains import Chain, Done, Round, Row, best_chain
from .ties import ROUNDING, Tied, differ, maximal_sets

#: Steps that the search may take, some tens of milliseconds' work, and what a stage costs at the least.
WORK = 40_000
STAGE_WORK = 100

#: What is used before a stage: the number of rounds, the rows as bits, the columns of each reference as bits.
_State: TypeAlias = tuple[int, int, tuple[int, ...]]


class _Choice(NamedTuple):
    """The rounds of one stage, the sum of their weighted credits, and the stage that follows."""

    rounds: list[Round]
    gain: float
    after: _Stage


@dataclass(slots=True)
class _Stage:
    """What can follow from a state on.

    There are `count` ways to go on. All use the cells in `always` and some those in `possible`; `least` and `most` are
    the smallest and the largest sum of weighted credits.
    """

    choices: list[_Choice]
    count: int
    always: frozenset[Hit]
    possible: frozenset[Hit]
    least: float
    most: float

    def ways(self) -> Iterator[list[Round]]:
        """All ways to go on; that of the result itself first, if this stage is on it."""
        if not self.choices:
            yield []
        for rounds, _, after in self.choices:
            for rest in after.ways():
                yield rounds + rest

    def extreme(self, largest: bool) -> list[Round]:
        """The first way with the smallest or the largest sum."""
        if not self.choices:
            return []
        if largest:
            rounds, _, after = max(self.choices, key=lambda choice: choice.gain + choice.after.most)
        else:
            rounds, _, after = min(self.choices, key=lambda choice: choice.gain + choice.after.least)
        return rounds + after.extreme(largest)


_END = _Stage([], 1, frozenset(), frozenset(), 0.0, 0.0)


def _stage(choices: list[_Choice]) -> _Stage:
    cells = [frozenset().union(*map(_cells, choice.rounds)) for choice in choices]
    always = [used | choice.after.always for used, choice in zip(cells, choices, strict=True)]
    possible = [used | choice.after.possible for used, choice in zip(cells, choices, strict=True)]
    return _Stage(
        choices,
        sum(choice.after.count for choice in choices),
        always[0].intersection(*always),
        possible[0].union(*possible),
        min(choice.gain + choice.after.least for choice in choices),
        max(choice.gain + choice.after.most for choice in choices),
    )


def _cells(sia_round: Round) -> frozenset[Hit]:
    return frozenset([Hit(i, sia_round.k, j) for i, j, _ in sia_round.cells])


def tied(
    own_rounds: list[Round], grids: Sequence[list[Row]], iterative: bool, weight: Callable[[int], float], most: int
) -> Tied[list[Round]]:
    """The rounds that are as good as `own_rounds`, at most `most` with these: all choices among equally good chains.

    `grids` are the `free_rows` of the segment, `weight(number)` what round `number` is multiplied by. The score can
    depend on the choice: it leaves other words for the later rounds.
    """
    search = _StageSearch(own_rounds, grids, iterative, weight)
    start = search.start()
    depends = differ([start.least, start.most])
    ways = start.ways()
    if depends:  # after the given one itself those of the lowest and the highest score
        ways = chain(islice(ways, 1), [start.extreme(False), start.extreme(True)], ways)
    different = {frozenset(map(_cells, way)): way for way in islice(ways, most + 2)}
    first_ways = [*islice(different.values(), most)]
    return Tied(
        start.count,
        search.exact,
        len(first_ways),
        iter(first_ways[1:]),
        start.always,
        start.possible - start.always,
        depends,
    )


class _StageSearch:
    """A search through all stages as far as its work goes; once that is done, `exact` is False."""

    def __init__(
        self, own_rounds: list[Round], grids: Sequence[list[Row]], iterative: bool, weight: Callable[[int], float]
    ) -> None:
        self.exact = True
        self.iterative, self.weight = iterative, weight
        self._own = own_rounds
        self._grids = grids
        self._rows = [sum(1 << i for i, _, _ in grid) for grid in self._grids]
        self._work = Work(WORK)
        self._stages: dict[_State, _Stage] = {}
        self._searched: dict[tuple[int, int, int], tuple[float, list[Done]]] = {}

    def start(self) -> _Stage:
        """The first stage."""
        grids = len(self._grids)
        return self._next((0, 0, (0,) * grids), [math.inf] * grids, self._own) or _END

    def _next(self, state: _State, bounds: list[float], own_rounds: list[Round] | None) -> _Stage | None:
        """The stage that begins with a state, None where there is no work left for it.

        `bounds` are what the best chain of each reference earns at the most. `own_rounds` are the remaining rounds of
        the result, where the stage is on their way: they are known without a search.
        """
        if own_rounds == [] or (state[0] and not self.iterative):
            return _END
        if state in self._stages:
            return self._stages[state]
        picked: list[list[Round]] = []
        try:
            self._work.spend(STAGE_WORK)
            tied, bounds = self._best(state, bounds)
            if not tied:
                return _END
            for chosen in self._sets(tied):
                picked.append(chosen)  # noqa: PERF402, since these stay where the search stops
        except Enough:
            self.exact = False
        if own_rounds:
            picked = self._own_first(picked, own_rounds)
        choices = []
        for t, rounds in enumerate(picked):
            after = self._next(
                _state_after(state, rounds), bounds, own_rounds[len(rounds) :] if own_rounds and not t else None
            )
            if after:
                choices.append(_Choice(rounds, self._gain(state[0], rounds), after))
        if not choices:
            return None
        self._stages[state] = _stage(choices)
        return self._stages[state]

    def _own_first(self, picked: list[list[Round]], own_rounds: list[Round]) -> list[list[Round]]:
        """The result's own rounds of a stage before the others; all its remaining rounds where they were not found."""
        cells = [{*map(_cells, option)} for option in picked]
        mine = next((t for t, option in enumerate(cells) if option == {*map(_cells, own_rounds[: len(option)])}), None)
        if mine is None:
            return [own_rounds, *picked]
        return [own_rounds[: len(picked[mine])], *picked[:mine], *picked[mine + 1 :]]

    def _gain(self, before: int, rounds: list[Round]) -> float:
        """The weighted credits of rounds that come after `before` others."""
        return math.fsum(
            self.weight(number) * math.fsum([credit for _, _, credit in cells])
            for number, (_, cells) in enumerate(rounds, before + 1)
        )

    def _sets(self, tied: list[Round]) -> Iterator[list[Round]]:
        """What a stage can take of its chains: as many as fit, or one where there is one round."""
        if not self.iterative:
            yield from ([stage_chain] for stage_chain in tied)
            return
        self._work.spend(len(tied) ** 2)
        masks = [_masks(stage_chain) for stage_chain in tied]
        conflicts = [
            sum(
                1 << t
                for t, (k, rows, columns) in enumerate(masks)
                if s != t and (rows & masks[s][1] or (k == masks[s][0] and columns & masks[s][2]))
            )
            for s in range(len(masks))
        ]
        for chosen in maximal_sets(conflicts, self._work):
            yield [tied[t] for t in chosen]

    def _best(self, state: _State, bounds: list[float]) -> tuple[list[Round], list[float]]:
        """The chains that are best in a state, none where nothing earns any, and what each reference earns at most."""
        _, rows, columns = state
        bounds = [*bounds]
        chains_by_reference: dict[int, list[Done]] = {}
        most = 0.0
        for k in sorted(range(len(bounds)), key=lambda k: -bounds[k]):
            if bounds[k] >= most * (1 - ROUNDING):
                bounds[k], chains_by_reference[k] = self._chains(k, rows, columns[k])
                most = max(most, bounds[k])
        if not most:
            return [], bounds
        least = most * (1 - ROUNDING)
        return [
            chain for k in sorted(chains_by_reference) for chain in self._traced(k, chains_by_reference[k], least)
        ], bounds

    def _chains(self, k: int, rows: int, columns: int) -> tuple[float, list[Done]]:
        """What the best chain of reference `k` earns where these words are used, and the best chains of all cells."""
        key = (k, rows & self._rows[k], columns)
        if key not in self._searched:
            free = [
                (i, [j for j in places if not columns >> j & 1], ratios)
                for i, places, ratios in self._grids[k]
                if not rows >> i & 1
            ]
            free = [row for row in free if row[1]]
            self._work.spend(sum(len(places) for _, places, _ in free))
            row_chains: list[Done] = []
            self._searched[key] = best_chain(free, row_chains)[2], row_chains
        return self._searched[key]

    def _traced(self, k: int, row_chains: list[Done], least: float) -> Iterator[Round]:
        """The chains that earn `least` or more, traced from their last cells: no trace ends in vain."""
        # The row and the chain of a cell, what the cells after it earn, and those cells, linked.
        ends: list[tuple[int, Chain, float, Any]] = [
            (number, end, 0.0, None)
            for number, (_, _, chains, _) in enumerate(row_chains)
            for end in chains
            if end[2] >= least
        ]
        while ends:
            number, (i, j, _, ratio, _), later_credit, cells = ends.pop()
            self._work.spend(1)
            credit = ratio / sqrt((i + 1) * (j + 1))
            if credit + later_credit >= least:
                yield Round(k, unlinked(((i, j, credit), cells)))
            for earlier in range(number - 1, -1, -1):
                row, _, chains, peak = row_chains[earlier]
                if peak + ratio / sqrt(i - row) + later_credit < least:
                    break
                self._work.spend(1)
                spend(len(chains) // 4)
                for before in chains:
                    if before[1] >= j:
                        break
                    credit = ratio / sqrt((i - row) * (j - before[1]))
                    if before[2] + credit + later_credit >= least:
                        ends.append((earlier, before, credit + later_credit, ((i, j, credit), cells)))


def _masks(sia_round: Round) -> tuple[int, int, int]:
    """The reference of a chain, its rows and its columns as bits."""
    return sia_round.k, sum(1 << i for i, _, _ in sia_round.cells), sum(1 << j for _, j, _ in sia_round.cells)


def _state_after(state: _State, new_rounds: list[Round]) -> _State:
    """The state after more rounds."""
    number, rows, columns = state
    after = [*columns]
    for sia_round in new_rounds:
        k, more_rows, more_columns = _masks(sia_round)
        rows |= more_rows
        after[k] |= more_columns
    return number + len(new_rounds), rows, tuple(after)
