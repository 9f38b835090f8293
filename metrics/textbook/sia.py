"""The rounds of Liu and Gildea (2006), Figures 4 to 6: every cell looks back at every earlier cell."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set

#: The cells of a chain as (i, j, credit).
Cells = list[tuple[int, int, float]]
Similarity = Callable[[str, str], float]


def best_chain(
    candidate: Sequence[str],
    reference: Sequence[str],
    used_i: Set[int] = frozenset(),
    used_j: Set[int] = frozenset(),
    similarity: Similarity | None = None,
) -> tuple[float, Cells]:
    """One round without the words that are used: the credit of the best chain, and its cells.

    Ties go to the cell that comes first, by i and then by j.

    >>> best_chain("abc", "axc")
    (1.5, [(0, 0, 1.0), (2, 2, 0.5)])
    """
    best_at: dict[tuple[int, int], tuple[float, float, tuple[int, int] | None]] = {}
    best: float = 0.0
    end: tuple[int, int] | None = None
    for i, word in enumerate(candidate):
        for j, other in enumerate(reference):
            s = 1.0 if word == other else similarity(word, other) if similarity else 0.0
            if i in used_i or j in used_j or s <= 0:
                continue
            total = earned = s / math.sqrt((i + 1) * (j + 1))
            before = None
            for (a, b), (credit, _, _) in best_at.items():  # by i, then j
                if a < i and b < j:
                    here = s / math.sqrt((i - a) * (j - b))
                    if credit + here > total:
                        total, earned, before = credit + here, here, (a, b)
            best_at[i, j] = total, earned, before
            if total > best:
                best, end = total, (i, j)
    cells: Cells = []
    while end is not None:
        _, earned, before = best_at[end]
        cells.append((*end, earned))
        end = before
    return best, cells[::-1]


def rounds(
    candidate: Sequence[str],
    references: Sequence[Sequence[str]],
    similarity: Similarity | None = None,
    iterative: bool = True,
) -> list[tuple[int, Cells]]:
    """All rounds, or the first alone: the reference of the best chain, the first of equal ones, and its cells.

    >>> rounds("ab", ["ba"])
    [(0, [(0, 1, 0.7071067811865475)]), (0, [(1, 0, 0.7071067811865475)])]
    """
    used_i: set[int] = set()
    used_j: list[set[int]] = [set() for _ in references]
    out: list[tuple[int, Cells]] = []
    while True:
        best, k, cells = 0.0, 0, []
        for number, reference in enumerate(references):
            found, path = best_chain(candidate, reference, used_i, used_j[number], similarity)
            if found > best:
                best, k, cells = found, number, path
        if best == 0:
            return out
        out.append((k, cells))
        if not iterative:
            return out
        used_i |= {i for i, _, _ in cells}
        used_j[k] |= {j for _, j, _ in cells}


def chain_credit(candidate: Sequence[str], reference: Sequence[str]) -> float:
    """What the best chain of hits earns, without its cells: the plain dynamic program over hits.

    >>> chain_credit("abc", "axc")
    1.5
    """
    best: dict[tuple[int, int], float] = {}
    for i, word in enumerate(candidate, 1):
        for j, other in enumerate(reference, 1):
            if word == other:
                value = 1 / math.sqrt(i * j)
                for (n, p), before in best.items():
                    if n < i and p < j:
                        value = max(value, before + 1 / math.sqrt((i - n) * (j - p)))
                best[i, j] = value
    return max(best.values(), default=0.0)
