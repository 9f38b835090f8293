"""Define the exercises on dcs, and count the choices of blocks that its rules leave open."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from ...teach.optimal import MOST, deciding
from ...teach.plans import ExercisePlan, PartQuestion, Plans, missed_root_slip
from ...types import Result, Tokens


def _count_block_choices(result: Result) -> tuple[int, bool]:
    """Return the number of choices of blocks, and whether all choices are known and have the same score."""
    candidate, (reference, *_) = result.segment.candidate, deciding(result)
    published = result.settings.to_dict()["overlap"] == "published"
    block_sets = {*(overlapping_block_sets if published else disjoint_block_sets)(candidate, reference)}
    worth = {_squares_and_products(blocks) for blocks in block_sets}
    return len(block_sets), len(block_sets) < MOST and len(worth) == 1


#: A set of blocks as (i, j, length).
_Blocks = frozenset[tuple[int, int, int]]


def _squares_and_products(blocks: _Blocks) -> int:
    """Return the blocks' squares and the products of neighbours, summed; `score.second_matching` defines neighbours."""
    rows, columns = sorted(blocks), sorted(blocks, key=lambda block: block[1])
    rank = {block: t for t, block in enumerate(columns)}
    follow = [(a, b) for a, b in pairwise(rows) if rank[b] == rank[a] + 1]
    return sum([length**2 for _, _, length in blocks]) + sum([a[2] * b[2] for a, b in follow])


def _runs(candidate: Tokens, reference: Tokens) -> list[tuple[int, int, int]]:
    """Return the maximal runs as (i, j, length), the longest first."""
    hits = {(i, j) for i, a in enumerate(candidate) for j, b in enumerate(reference) if a == b}
    out = []
    for i, j in hits:
        if (i - 1, j - 1) not in hits:
            length = 1
            while (i + length, j + length) in hits:
                length += 1
            out.append((i, j, length))
    return sorted(out, key=lambda run: -run[2])


def overlapping_block_sets(candidate: Tokens, reference: Tokens) -> Iterator[_Blocks]:
    """Yield the sets of blocks with which the published program can end.

    It takes maximal runs of which some word is free on either side, the longest first, and equally long ones in any
    order. The same set may be yielded more than once."""
    runs = _runs(candidate, reference)

    def search(runs_left: frozenset[int], blocks: _Blocks) -> Iterator[_Blocks]:
        state = runs_left, blocks
        if state in seen_states or len(seen_states) > MOST:
            return
        seen_states.add(state)
        rows = {i + d for i, _, length in blocks for d in range(length)}
        columns = {j + d for _, j, length in blocks for d in range(length)}
        open_runs = [
            t
            for t in runs_left
            if not {runs[t][0] + d for d in range(runs[t][2])} <= rows
            and not {runs[t][1] + d for d in range(runs[t][2])} <= columns
        ]
        if not open_runs:
            yield blocks
            return
        longest = max(runs[t][2] for t in open_runs)
        rest = frozenset(open_runs)
        for t in open_runs:
            if runs[t][2] == longest:
                yield from search(rest - {t}, blocks | {runs[t]})

    seen_states: set[Any] = set()
    return search(frozenset(range(len(runs))), frozenset())


def disjoint_block_sets(candidate: Tokens, reference: Tokens) -> Iterator[_Blocks]:
    """Yield the sets of blocks that come from taking the longest run of free words again and again.

    Equally long runs are taken in any order. The same set may be yielded more than once."""
    seen_blocks: set[_Blocks] = set()

    def search(blocks: _Blocks) -> Iterator[_Blocks]:
        if blocks in seen_blocks or len(seen_blocks) > MOST:
            return
        seen_blocks.add(blocks)
        rows = {i + d for i, _, length in blocks for d in range(length)}
        columns = {j + d for _, j, length in blocks for d in range(length)}
        ours = tuple([f"used {i}" if i in rows else word for i, word in enumerate(candidate)])
        theirs = tuple([f"gone {j}" if j in columns else word for j, word in enumerate(reference)])
        runs = _runs(ours, theirs)
        if not runs:
            yield blocks
        for run in runs:
            if run[2] == runs[0][2]:
                yield from search(blocks | {run})

    return search(frozenset())


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
