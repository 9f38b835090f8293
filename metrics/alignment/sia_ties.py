"""The ties of SIA: every choice among equally good chains, followed through the later rounds.

Consecutive rounds whose chains have equal credit form a stage. All chains of this credit exist when the stage begins,
since a chain's credit does not depend on the words used before. So a stage takes as many chains as fit without sharing
a word, and their order does not matter. Chains whose credits differ only by rounding are equally good. Two alignments
are the same if they have the same chains.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from math import sqrt
from typing import Any, NamedTuple, TypeAlias

from ..types import FirstFew, Hit, Result, Ties
from ..types.work import Enough, Work, spend
from .edits import linked_list_items
from .sia_chains import Chain, Round, Row, RowChains, best_chain
from .ties import ROUNDING, differ_beyond_rounding, maximal_conflict_free_sets

#: The steps that the search may take, which need some tens of milliseconds, and the minimum steps of a stage.
WORK = 40_000
STAGE_WORK = 100

#: The state before a stage: the number of rounds so far, the used rows, and the used columns of each reference as bits.
_State: TypeAlias = tuple[int, int, tuple[int, ...]]


class _Choice(NamedTuple):
    """A way through a stage: its rounds, the sum `gain` of their weighted credits, and the stage that follows."""

    rounds: list[Round]
    gain: float
    after: _Stage


@dataclass(slots=True)
class _Stage:
    """A stage, that is rounds of equal credit, and all ways to continue from it to the end of the alignment.

    Attributes:
        choices: the ways through this stage.
        count: the number of ways to continue to the end.
        always: the cells that all ways use.
        possible: the cells that at least one way uses.
        least, most: the smallest and the largest sum of weighted credits of a way to the end.
    """

    choices: list[_Choice]
    count: int
    always: frozenset[Hit]
    possible: frozenset[Hit]
    least: float
    most: float

    def ways(self) -> Iterator[list[Round]]:
        """Yield all ways to continue from this stage to the end, each as its rounds.

        The way of the result itself comes first if it goes through this stage.
        """
        if not self.choices:
            yield []
        for rounds, _, after in self.choices:
            for rest in after.ways():
                yield rounds + rest

    def extreme_way(self, largest: bool) -> list[Round]:
        """Return the way to the end with the largest sum of weighted credits, or the smallest one if not `largest`.

        On ties it is the first such way.
        """
        if not self.choices:
            return []
        if largest:
            rounds, _, after = max(self.choices, key=lambda choice: choice.gain + choice.after.most)
        else:
            rounds, _, after = min(self.choices, key=lambda choice: choice.gain + choice.after.least)
        return rounds + after.extreme_way(largest)


_END = _Stage([], 1, frozenset(), frozenset(), 0.0, 0.0)


def _make_stage(choices: list[_Choice]) -> _Stage:
    """Return the stage with the given choices, of which there is at least one.

    Counts, cells and sums are computed from the choices.
    """
    cells = [frozenset().union(*map(_hits, choice.rounds)) for choice in choices]
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


def _hits(sia_round: Round) -> frozenset[Hit]:
    """Return the cells of a round as hits."""
    return frozenset([Hit(i, sia_round.k, j) for i, j, _ in sia_round.cells])


def tied_sia_alignments(
    result: Result,
    grids: Sequence[list[Row]],
    iterative: bool,
    weight: Callable[[int], float],
    most: int,
    draw: Callable[[list[Round]], Result],
) -> Ties:
    """Return the alignments that are as good as that of the result; at most `most` are listed.

    They come from all choices among equally good chains. `grids` has the `free_rows` of each reference, `iterative`
    says whether there may be more than one round, and `weight(number)` is the factor of round `number`. `draw` builds
    the result of another alignment. The score can depend on the choice, because each choice leaves other words for the
    later rounds.
    """
    own_rounds = [
        Round(
            layer.k or 0, [(cell.i, cell.j, credit) for cell, credit in zip(layer.cells(), layer.credits, strict=True)]
        )
        for layer in result.layers
    ]
    search = _StageSearch(own_rounds, grids, iterative, weight)
    start = search.start()
    depends = differ_beyond_rounding([start.least, start.most])
    ways = start.ways()
    if depends:  # after the given alignment come those with the lowest and the highest score
        ways = chain(islice(ways, 1), [start.extreme_way(False), start.extreme_way(True)], ways)
    different = {frozenset(map(_hits, way)): way for way in islice(ways, most + 2)}
    first_ways = [*islice(different.values(), most)]
    results = FirstFew(result, len(first_ways), map(draw, first_ways[1:]))
    return Ties(start.count, search.exact, results, start.always, start.possible - start.always, depends)


class _StageSearch:
    """A search through all stages of tied SIA alignments, within a bounded amount of work.

    `exact` is False if the bound was reached, so that ties may be missing.
    """

    def __init__(
        self, own_rounds: list[Round], grids: Sequence[list[Row]], iterative: bool, weight: Callable[[int], float]
    ) -> None:
        """Prepare the search; `own_rounds` are the rounds of the result, the rest is as for `tied_sia_alignments`."""
        self.exact = True
        self.iterative, self.weight = iterative, weight
        self._own = own_rounds
        self._grids = grids
        self._rows = [sum(1 << i for i, _, _ in grid) for grid in self._grids]
        self._work = Work(WORK)
        self._stages: dict[_State, _Stage] = {}
        self._searched: dict[tuple[int, int, int], tuple[float, list[RowChains]]] = {}

    def start(self) -> _Stage:
        """Return the first stage, from which all ways to the end are known."""
        grids = len(self._grids)
        return self._stage_at((0, 0, (0,) * grids), [math.inf] * grids, self._own) or _END

    def _stage_at(self, state: _State, bounds: list[float], own_rounds: list[Round] | None) -> _Stage | None:
        """Return the stage that begins with a state, or None if no work is left for it.

        `bounds` are upper bounds on the credit of the best chain of each reference. `own_rounds` are the remaining
        rounds of the result if the stage is on their way, else None; they are known without a search.
        """
        if own_rounds == [] or (state[0] and not self.iterative):
            return _END
        if state in self._stages:
            return self._stages[state]
        picked: list[list[Round]] = []
        try:
            self._work.spend(STAGE_WORK)
            tied, bounds = self._best_chains(state, bounds)
            if not tied:
                return _END
            for chosen in self._chain_sets(tied):
                picked.append(chosen)  # noqa: PERF402, since these stay where the search stops
        except Enough:
            self.exact = False
        if own_rounds:
            picked = self._own_first(picked, own_rounds)
        choices = []
        for t, rounds in enumerate(picked):
            after = self._stage_at(
                _state_after(state, rounds), bounds, own_rounds[len(rounds) :] if own_rounds and not t else None
            )
            if after:
                choices.append(_Choice(rounds, self._weighted_credit(state[0], rounds), after))
        if not choices:
            return None
        self._stages[state] = _make_stage(choices)
        return self._stages[state]

    def _own_first(self, picked: list[list[Round]], own_rounds: list[Round]) -> list[list[Round]]:
        """Return the choices of a stage with the rounds of the result itself first.

        `own_rounds` are the remaining rounds of the result. If the search did not find them, all of them together come
        first.
        """
        cells = [{*map(_hits, option)} for option in picked]
        mine = next((t for t, option in enumerate(cells) if option == {*map(_hits, own_rounds[: len(option)])}), None)
        if mine is None:
            return [own_rounds, *picked]
        return [own_rounds[: len(picked[mine])], *picked[:mine], *picked[mine + 1 :]]

    def _weighted_credit(self, before: int, rounds: list[Round]) -> float:
        """Return the sum of the weighted credits of `rounds`; `before` is the number of earlier rounds."""
        return math.fsum(
            self.weight(number) * math.fsum([credit for _, _, credit in cells])
            for number, (_, cells) in enumerate(rounds, before + 1)
        )

    def _chain_sets(self, tied: list[Round]) -> Iterator[list[Round]]:
        """Yield the sets of equally good chains that a stage can take together.

        A set has as many chains as fit without sharing a word, or a single chain if the alignment has only one round.
        `tied` are the chains.
        """
        if not self.iterative:
            yield from ([stage_chain] for stage_chain in tied)
            return
        self._work.spend(len(tied) ** 2)
        masks = [_reference_and_masks(stage_chain) for stage_chain in tied]
        conflicts = [
            sum(
                1 << t
                for t, (k, rows, columns) in enumerate(masks)
                if s != t and (rows & masks[s][1] or (k == masks[s][0] and columns & masks[s][2]))
            )
            for s in range(len(masks))
        ]
        for chosen in maximal_conflict_free_sets(conflicts, self._work):
            yield [tied[t] for t in chosen]

    def _best_chains(self, state: _State, bounds: list[float]) -> tuple[list[Round], list[float]]:
        """Return the best chains in a state, and a new upper bound on the credit for each reference.

        `bounds` are the old upper bounds. There are no chains if none earns any credit.
        """
        _, rows, columns = state
        bounds = [*bounds]
        chains_by_reference: dict[int, list[RowChains]] = {}
        most = 0.0
        for k in sorted(range(len(bounds)), key=lambda k: -bounds[k]):
            if bounds[k] >= most * (1 - ROUNDING):
                bounds[k], chains_by_reference[k] = self._chains_of_reference(k, rows, columns[k])
                most = max(most, bounds[k])
        if not most:
            return [], bounds
        least = most * (1 - ROUNDING)
        return [
            chain for k in sorted(chains_by_reference) for chain in self._trace_chains(k, chains_by_reference[k], least)
        ], bounds

    def _chains_of_reference(self, k: int, rows: int, columns: int) -> tuple[float, list[RowChains]]:
        """Return the credit of the best chain of reference `k`, and the best chain that ends at each cell, by row.

        `rows` and `columns` are bit masks of the words that are already used.
        """
        key = (k, rows & self._rows[k], columns)
        if key not in self._searched:
            free = [
                (i, [j for j in places if not columns >> j & 1], ratios)
                for i, places, ratios in self._grids[k]
                if not rows >> i & 1
            ]
            free = [row for row in free if row[1]]
            self._work.spend(sum(len(places) for _, places, _ in free))
            row_chains: list[RowChains] = []
            self._searched[key] = best_chain(free, row_chains)[2], row_chains
        return self._searched[key]

    def _trace_chains(self, k: int, row_chains: list[RowChains], least: float) -> Iterator[Round]:
        """Yield the chains of reference `k` that earn at least the credit `least`, traced back from their last cells.

        `row_chains` has the best chain that ends at each cell. Every trace leads to a chain.
        """
        # For each open cell: its row number, its chain, the credit of the cells after it, and these cells, linked.
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
                yield Round(k, linked_list_items(((i, j, credit), cells)))
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


def _reference_and_masks(sia_round: Round) -> tuple[int, int, int]:
    """Return the reference of a round, and its candidate positions and reference positions as two bit masks."""
    return sia_round.k, sum(1 << i for i, _, _ in sia_round.cells), sum(1 << j for _, j, _ in sia_round.cells)


def _state_after(state: _State, new_rounds: list[Round]) -> _State:
    """Return the state after the new rounds: their number is added, and their words are used."""
    number, rows, columns = state
    after = [*columns]
    for sia_round in new_rounds:
        k, more_rows, more_columns = _reference_and_masks(sia_round)
        rows |= more_rows
        after[k] |= more_columns
    return number + len(new_rounds), rows, tuple(after)
