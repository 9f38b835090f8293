"""Whether a mark that a step of a trace rejects really breaks the rule that the step names."""

from __future__ import annotations

from collections import Counter

from metrics.textbook import bleu, dcs, ribes, sia, steps, ter
from metrics.types import Run


def is_clipped(mark, step):
    """The places of the n-gram are considered: as many are taken as the reference with most of them has."""
    places = {(place.k, place.j) for place in step.considered}
    counted = [run for run in step.taken if run.length == mark.length and (run.k, run.j) in places]
    return len(counted) == max(Counter(k for k, _ in places).values())


def is_used_up(mark, step):
    return all(place.j not in step.free.references[place.k] for place in step.considered)


def is_covered(mark, step):
    rows, columns = {cell.i for cell in mark.cells()}, {cell.j for cell in mark.cells()}
    return not (rows & step.free.candidate and columns & step.free.references[mark.k])


def is_apart(mark, step):
    """One of the two orders of the blocks does not have the second directly behind the first."""
    blocks = [block for block in step.taken if isinstance(block, Run)]
    orders = sorted(blocks), sorted(blocks, key=lambda block: block.j)
    return any(order.index(mark.first) + 1 != order.index(mark.second) for order in orders)


#: For each reason a check of a mark that is rejected for it at a step.
BROKEN = {
    steps.USED_UP: is_used_up,
    bleu.CLIPPED: is_clipped,
    dcs.COVERED: is_covered,
    dcs.APART: is_apart,
    ribes.NOT_ONCE: lambda mark, step: len(step.considered) != 1,
    ribes.ALONE: lambda mark, step: step.considered == [mark],
    ribes.DISCORDANT: lambda mark, step: mark.first.j >= mark.second.j,
    ter.LESS: lambda mark, step: mark not in step.taken,  # test_ter knows the sentences
    ter.NO_GAIN: lambda mark, step: mark not in step.taken,
    sia.ANOTHER: lambda mark, step: mark.k != step.taken[-1].k,
}
