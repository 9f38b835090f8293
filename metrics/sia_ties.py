"""The ties of SIA: every choice among equally good chains, followed through the later rounds.

Rounds of equal worth make a stage. All chains of that worth are there when the stage begins, since what a chain earns
does not depend on the words retired before. So a stage takes chains that share no word, as many as fit, and which of
them makes the earlier round is all the same. Chains whose credits differ by no more than rounding are equally good.
Two alignments are the same where they have the same chains.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from math import sqrt
from typing import Any, NamedTuple, TypeAlias, cast

from .sia import METRIC, Done, Round, SIASettings, aligned, best_chain, free_rows
from .ties import ROUNDING, Enough, Work, differ, maximal_sets
from .types import Hit, Result, Ties

#: Steps that the search may take, some tens of milliseconds' work, and what a stage costs at the least.
WORK = 40_000
STAGE_WORK = 100

#: What is used before a stage: the number of rounds, the rows as bits, the columns of each reference as bits.
_State: TypeAlias = tuple[int, int, tuple[int, ...]]


class _Choice(NamedTuple):
    """The rounds of one stage, the sum of their weighted credits, and the stage that follows."""

    found: list[Round]
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
        for found, _, after in self.choices:
            for rest in after.ways():
                yield found + rest

    def extreme(self, largest: bool) -> list[Round]:
        """The first way with the smallest or the largest sum."""
        if not self.choices:
            return []
        if largest:
            found, _, after = max(self.choices, key=lambda choice: choice.gain + choice.after.most)
        else:
            found, _, after = min(self.choices, key=lambda choice: choice.gain + choice.after.least)
        return found + after.extreme(largest)


_END = _Stage([], 1, frozenset(), frozenset(), 0.0, 0.0)


def _stage(choices: list[_Choice]) -> _Stage:
    cells = [frozenset().union(*map(_cells, choice.found)) for choice in choices]
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


def _cells(found: Round) -> frozenset[Hit]:
    return frozenset([Hit(i, found.k, j) for i, j, _ in found.cells])


def ties(result: Result, most: int) -> Ties:
    """The equally good alignments. The score can depend on the choice: it leaves other words for the later rounds."""
    search = _Search(result)
    start = search.start()
    depends = differ([start.least, start.most])
    ways = start.ways()
    if depends:  # after the result itself those of the lowest and the highest score
        ways = chain(islice(ways, 1), [start.extreme(False), start.extreme(True)], ways)
    different = {frozenset(map(_cells, way)): way for way in islice(ways, most + 2)}

    def other(way: list[Round]) -> Result:
        stats, layers, _ = aligned(result.segment, search.settings, way)
        score, parts = METRIC.from_stats(stats, search.settings)
        return replace(result, score=score, parts=parts, stats=stats, layers=layers)

    results = (result, *map(other, islice(different.values(), 1, most)))
    return Ties(start.count, search.exact, results, start.always, start.possible - start.always, depends)


class _Search:
    """A search through all stages as far as its work goes; once that is done, `exact` is False."""

    def __init__(self, result: Result) -> None:
        self.exact = True
        self.settings = cast(SIASettings, result.settings)
        self._own = [
            Round(
                cast(Hit, layer.marks[0]).k,
                [(cell.i, cell.j, credit) for mark, credit in zip(layer.marks, layer.credits, strict=True)
                 for cell in mark.cells()],
            )
            for layer in result.layers
        ]
        self._grids = free_rows(result.segment, self.settings)
        self._rows = [sum(1 << i for i, _, _ in grid) for grid in self._grids]
        self._work = Work(WORK)
        self._stages: dict[_State, _Stage] = {}
        self._searched: dict[tuple[int, int, int], tuple[float, list[Done]]] = {}

    def start(self) -> _Stage:
        """The first stage."""
        grids = len(self._grids)
        return self._next((0, 0, (0,) * grids), [math.inf] * grids, self._own) or _END

    def _next(self, state: _State, bounds: list[float], own: list[Round] | None) -> _Stage | None:
        """The stage that begins with a state, None where there is no work left for it.

        `bounds` are what the best chain of each reference earns at the most. `own` are the remaining rounds of the
        result, where the stage is on their way: they are known without a search.
        """
        if own == [] or (state[0] and not self.settings.iterative):
            return _END
        if state in self._stages:
            return self._stages[state]
        picked: list[list[Round]] = []
        try:
            self._work.spend(STAGE_WORK)
            tied, bounds = self._best(state, bounds)
            if not tied:
                return _END
            if own:
                cells = {_cells(found) for found in tied}
                first = next((t for t, found in enumerate(own) if _cells(found) not in cells), len(own))
                picked.append(own[:first])
                ...
            picked += self._sets(tied)
        except Enough:
            self.exact = False
