"""What an edit does to runs of matches: which run is in pieces without it, and which there are in place of others."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..types import Hit, Layer, Result, Run


class Broken(NamedTuple):
    """A run in pieces: its length, the lengths of the pieces in the order of the text, and the cells of the whole."""

    length: int
    parts: list[int]
    cells: frozenset[Hit]


def broken(before: Result, after: Result, back: Sequence[int | None]) -> Broken | None:
    """The longest run of the second result that is in pieces in the first one.

    `back` says for each word of the second text where the same word stands in the first one, None where it has none.
    Only runs of which every cell but those of the edit itself is in a run of the first result, too, and which lack
    nothing of these; None where there is no such run.
    """
    ours = _numbered(before)
    lengths = dict(ours.values())
    for run in sorted(_runs(after.layers), key=lambda run: -run.length):
        parts: dict[int, int] = {}
        new = 0
        for i, k, j in run.cells():
            at = back[i]
            old_run = None if at is None else ours.get((at, k, j))
            if at is not None and old_run is None:
                break
            if old_run is None:
                new += 1
            else:
                parts[old_run[0]] = parts.get(old_run[0], 0) + 1
        else:
            entire = all(lengths[number] == length for number, length in parts.items())
            if parts and entire and (len(parts) > 1 or new) and run.length == int(run.length):
                return Broken(int(run.length), [*parts.values()], frozenset(run.cells()))
    return None


def exchanged(before: Result, after: Result) -> tuple[list[int], list[int]]:
    """The lengths of the runs that the first result has beyond those of the second one, and the other way round, the
    longest first: of runs of equal length only how many more there are counts."""
    ours, theirs = (Counter([math.ceil(run.length) for run in _runs(each.layers)]) for each in (before, after))
    lost, gained = (sorted(more.elements(), reverse=True) for more in (ours - theirs, theirs - ours))
    return lost, gained


def _numbered(result: Result) -> dict[tuple[int, int, int], tuple[int, int]]:
    """The cells of all runs, each with the number of its run and how long that is."""
    return {
        (cell.i, cell.k, cell.j): (number, math.ceil(run.length))
        for number, run in enumerate(_runs(result.layers))
        for cell in run.cells()
    }


def _runs(layers: Iterable[Layer]) -> list[Run]:
    """The runs that count more the longer they are, single words too."""
    out = list[Run]()
    for layer in layers:
        if layer.area:
            for mark in layer.marks:
                if isinstance(mark, Run):
                    out.append(mark)
                elif isinstance(mark, Hit):
                    out.append(Run(*mark, 1.0))
    return out
