"""The effect of an edit on runs of matches: which run is broken without it, and which runs replace others."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..types import Hit, Layer, Result, Run


class BrokenRun(NamedTuple):
    """A run that is broken in one result: its whole length, the lengths of its pieces in text order, and its cells."""

    length: int
    parts: list[int]
    cells: frozenset[Hit]


def longest_broken_run(before: Result, after: Result, back: Sequence[int | None]) -> BrokenRun | None:
    """Return the longest run of the second result that is broken into pieces in the first one, or None.

    The texts of the two results differ by one edit. `back` has, for each word of the second text, the position of the
    same word in the first text, or None if the edit added it. A run only counts if every cell, except those of added
    words, belongs to a run of the first result, and if it contains those runs completely.
    """
    ours = {  # by cell: the index of its run, and the length of that run
        (cell.i, cell.k, cell.j): (number, math.ceil(run.length))
        for number, run in enumerate(_rewarded_runs(before.layers))
        for cell in run.cells()
    }
    lengths = dict(ours.values())
    for run in sorted(_rewarded_runs(after.layers), key=lambda run: -run.length):
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
                return BrokenRun(int(run.length), [*parts.values()], frozenset(run.cells()))
    return None


def exchanged_run_lengths(before: Result, after: Result) -> tuple[list[int], list[int]]:
    """Return the lengths of the first result's runs that the second lacks, and the reverse.

    Both lists have the longest first. Runs are compared by length only: if one result has more runs of a length, the
    surplus is listed.
    """
    ours, theirs = (Counter([math.ceil(run.length) for run in _rewarded_runs(each.layers)]) for each in (before, after))
    lost, gained = (sorted(more.elements(), reverse=True) for more in (ours - theirs, theirs - ours))
    return lost, gained


def _rewarded_runs(layers: Iterable[Layer]) -> list[Run]:
    """Return the runs of those layers in which longer runs count more; single words are runs of length 1."""
    out = list[Run]()
    for layer in layers:
        if layer.area:
            for mark in layer.marks:
                if isinstance(mark, Run):
                    out.append(mark)
                elif isinstance(mark, Hit):
                    out.append(Run(*mark, 1.0))
    return out
