"""Define the exercises on dcs, and count the block choices that the rules of dcs allow where runs are equally long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from ...alignment.bitext import runs
from ...teach.optimal import MOST, deciding_references
from ...teach.plans import ExercisePlan, PartQuestion, Plans, missed_root_slip
from ...types import Result, Tokens


def _count_block_choices(result: Result) -> tuple[int, bool]:
    """Return the number of ways to choose blocks, and whether all ways are known and give the same score.

    Not all ways are known if the search stopped at its limit."""
    candidate, (reference, *_) = result.segment.candidate, deciding_references(result)
    published = result.settings.to_dict()["overlap"] == "published"
    block_sets = {*(overlapping_block_sets if published else disjoint_block_sets)(candidate, reference)}
    worth = {_squares_and_products(blocks) for blocks in block_sets}
    return len(block_sets), len(block_sets) < MOST and len(worth) == 1


#: A block as (i, j, length), and a set of blocks.
_Block = tuple[int, int, int]
_Blocks = frozenset[_Block]


def _squares_and_products(blocks: _Blocks) -> int:
    """Return the sum of the squared block lengths plus the products of the lengths of neighbouring blocks.

    Neighbours directly follow each other, in the candidate's order of blocks and in the reference's."""
    rows, columns = sorted(blocks), sorted(blocks, key=lambda block: block[1])
    rank = {block: t for t, block in enumerate(columns)}
    follow = [(a, b) for a, b in pairwise(rows) if rank[b] == rank[a] + 1]
    return sum([length**2 for _, _, length in blocks]) + sum([a[2] * b[2] for a, b in follow])


def _maximal_runs(candidate: Tokens, reference: Tokens) -> list[_Block]:
    """Return the maximal runs as (i, j, length), the longest first."""
    found = [(i, j, int(length)) for i, _, j, length in runs(candidate, (reference,))]
    return sorted(found, key=lambda run: -run[2])


def overlapping_block_sets(candidate: Tokens, reference: Tokens) -> Iterator[_Blocks]:
    """Yield each set of blocks that the published program can end with; blocks are (i, j, length).

    The program takes a maximal run if at least one of its words is still unused in each sentence. It takes the longest
    run first; equally long runs are tried in every order here. A set may be yielded more than once."""
    maximal_runs = _maximal_runs(candidate, reference)

    def open_runs(rows: set[int], columns: set[int]) -> list[_Block]:
        return [
            (i, j, length)
            for i, j, length in maximal_runs
            if not {*range(i, i + length)} <= rows and not {*range(j, j + length)} <= columns
        ]

    return _block_sets(open_runs, frozenset(), set())


def disjoint_block_sets(candidate: Tokens, reference: Tokens) -> Iterator[_Blocks]:
    """Yield each set of blocks that repeatedly taking the longest run of unused words can end with.

    Blocks are (i, j, length). Equally long runs are tried in every order. A set may be yielded more than once."""

    def open_runs(rows: set[int], columns: set[int]) -> list[_Block]:
        ours = tuple([f"used {i}" if i in rows else word for i, word in enumerate(candidate)])
        theirs = tuple([f"gone {j}" if j in columns else word for j, word in enumerate(reference)])
        return _maximal_runs(ours, theirs)

    return _block_sets(open_runs, frozenset(), set())


def _block_sets(
    open_runs: Callable[[set[int], set[int]], list[_Block]], blocks: _Blocks, seen_blocks: set[_Blocks]
) -> Iterator[_Blocks]:
    """Yield each set of blocks that contains `blocks` and cannot grow, if one of the longest open runs is taken next.

    `open_runs` returns the runs that can be taken, the longest first, given the rows and columns of the blocks so far.
    Sets in `seen_blocks` are not searched again; the search stops once there are too many of them."""
    if blocks in seen_blocks or len(seen_blocks) > MOST:
        return
    seen_blocks.add(blocks)
    rows = {i + d for i, _, length in blocks for d in range(length)}
    columns = {j + d for _, j, length in blocks for d in range(length)}
    ways = open_runs(rows, columns)
    if not ways:
        yield blocks
    for run in ways:
        if run[2] == ways[0][2]:
            yield from _block_sets(open_runs, blocks | {run}, seen_blocks)


PLANS = Plans(
    ([ExercisePlan({})], [ExercisePlan({})], [ExercisePlan({}, 2), ExercisePlan({"overlap": "disjoint"})]),
    "choices of blocks",
    _count_block_choices,
    seldom_tied=True,
    part_questions={
        "cs0": PartQuestion("What is cs0, the longest chain's part?", "cs0", "cs_0"),
        "cs1": PartQuestion("What is cs1, the part of the blocks' squares?", "cs1", "cs_1", missed_root_slip),
        "cs2": PartQuestion("What is cs2, the part of the neighbours?", "cs2", "cs_2", missed_root_slip),
    },
)
