"""Run SIA step by step (Liu and Gildea 2006, Figures 4 to 6): every cell looks back at every earlier cell."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from heapq import nlargest
from typing import Any, NamedTuple

from ...teach.empty_texts import describe_wordless_texts
from ...teach.steps import (
    CONFLICT,
    Decision,
    FreeWords,
    GrowingTable,
    Prefix,
    Program,
    ProgramStep,
    PseudoCode,
    Rejected,
    TableCell,
    all_free,
    count,
    number,
    of_reference,
    same_cells,
    unknown,
    word,
)
from ...types import Hit, Mark, Result, Segment
from ...types.work import spend

#: The cells of a chain as (i, j, credit).
Cells = list[tuple[int, int, float]]
Similarity = Callable[[str, str], float]


class ChainEnd(NamedTuple):
    """The best chain (sequence of cells that go down and to the right) that ends at cell (i, j).

    Attributes:
        s: the similarity of the cell's two words.
        total: the credit of the whole chain.
        earned: the credit of this cell.
        before: the cell before it in the chain, None if the chain begins here.
        ways: the two best choices for the cell before it, the best first."""

    i: int
    j: int
    s: float
    total: float
    earned: float
    before: tuple[int, int] | None
    ways: tuple[tuple[int, int], ...]


def chain_ends(
    candidate: Sequence[str],
    reference: Sequence[str],
    used_i: Set[int] = frozenset(),
    used_j: Set[int] = frozenset(),
    similarity: Similarity | None = None,
) -> Iterator[ChainEnd]:
    """Yield, for each cell of two unused similar words, the best chain that ends there (Figures 3 and 4, or 5).

    `used_i` and `used_j` are the candidate and reference positions that earlier rounds used. Without `similarity` only
    equal words align. Every cell looks back at all cells before it. Cells come by `i` and then by `j`.

    >>> [(end.i, end.j, end.total, end.before) for end in chain_ends("ab", "ab")]
    [(0, 0, 1.0, None), (1, 1, 2.0, (0, 0))]
    """
    ends: list[ChainEnd] = []
    for i, ours in enumerate(candidate):
        spend(len(reference) // 2)
        for j, theirs in enumerate(reference):
            s = 1.0 if ours == theirs else similarity(ours, theirs) if similarity else 0.0
            if i in used_i or j in used_j or s <= 0:
                continue
            earned = s / math.sqrt((i + 1) * (j + 1))
            total, before = earned, None
            ways = []
            for end in ends:
                if end.i < i and end.j < j:
                    cell_credit = s / math.sqrt((i - end.i) * (j - end.j))
                    ways.append((end.total + cell_credit, (end.i, end.j)))
                    if end.total + cell_credit > total:
                        total, earned, before = end.total + cell_credit, cell_credit, (end.i, end.j)
            spend(3 + len(ends) // 8 + len(ways))
            best = nlargest(2, ways, key=lambda way: way[0])
            ends.append(ChainEnd(i, j, s, total, earned, before, tuple([at for _, at in best])))
            yield ends[-1]


def best_of_chains(ends: Mapping[tuple[int, int], ChainEnd]) -> tuple[float, Cells]:
    """Return the credit and the cells (i, j, credit) of the best chain, the first of equally good ones.

    `ends` maps each cell to the best chain that ends there."""
    last = max(ends.values(), key=lambda end: end.total, default=None)
    best = last.total if last else 0.0
    cells: Cells = []
    while last is not None:
        cells.append((last.i, last.j, last.earned))
        last = ends[last.before] if last.before else None
    return best, cells[::-1]


def best_chain(
    candidate: Sequence[str],
    reference: Sequence[str],
    used_i: Set[int] = frozenset(),
    used_j: Set[int] = frozenset(),
    similarity: Similarity | None = None,
) -> tuple[float, Cells]:
    """Return the credit of the best chain of one round, and its cells as (i, j, credit).

    `used_i` and `used_j` are the positions that earlier rounds used, which are left out. Ties go to the cell that comes
    first, by i and then by j.

    >>> best_chain("abc", "axc")
    (1.5, [(0, 0, 1.0), (2, 2, 0.5)])
    """
    ends = chain_ends(candidate, reference, used_i, used_j, similarity)
    return best_of_chains({(end.i, end.j): end for end in ends})


def rounds(
    candidate: Sequence[str],
    references: Sequence[Sequence[str]],
    similarity: Similarity | None = None,
    iterative: bool = True,
) -> list[tuple[int, Cells]]:
    """Return the rounds, each as (index of the reference, cells of its best chain); the cells are (i, j, credit).

    Only the first round is returned unless `iterative`. Of references with equally good chains the first is taken.

    >>> rounds("ab", ["ba"])
    [(0, [(0, 1, 0.7071067811865475)]), (0, [(1, 0, 0.7071067811865475)])]
    """
    used_i: set[int] = set()
    used_j: list[set[int]] = [set() for _ in references]
    out: list[tuple[int, Cells]] = []
    while True:
        best, k, cells = 0.0, 0, []
        for each, reference in enumerate(references):
            credit, path = best_chain(candidate, reference, used_i, used_j[each], similarity)
            if credit > best:
                best, k, cells = credit, each, path
        if best == 0:
            return out
        out.append((k, cells))
        if not iterative:
            return out
        used_i |= {i for i, _, _ in cells}
        used_j[k] |= {j for _, j, _ in cells}


def chain_credit(candidate: Sequence[str], reference: Sequence[str]) -> float:
    """Return the credit of the best chain in which only equal words align, computed without the chain itself.

    >>> chain_credit("abc", "axc")
    1.5
    """
    best: dict[tuple[int, int], float] = {}
    for i, ours in enumerate(candidate, 1):
        for j, theirs in enumerate(reference, 1):
            if ours == theirs:
                value = 1 / math.sqrt(i * j)
                for (n, p), before in best.items():
                    if n < i and p < j:
                        value = max(value, before + 1 / math.sqrt((i - n) * (j - p)))
                best[i, j] = value
    return max(best.values(), default=0.0)


# ---------------------------------------------------------------- step by step

#: The reason why the chain of a reference is not taken.
ANOTHER = "the chain of another reference earns as much or more"

#: Names of the formula's numbers: the sum over the cells of a round, the sum over the rounds, the numbers of a cell.
ALL_CELLS, ALL_ROUNDS, ONE_CELL = "Σ s/√(Δi·Δj)", "Σ α^r·round_r", ("s", "Δi", "Δj")

_EXPONENTS = {"geometric": "r", "squaring": "2^(r−1)", "undecayed_first": "(r−1)"}


def code(settings: Any) -> PseudoCode:
    figure = "Figures 3 and 5" if settings.similarity else "Figures 3 and 4"
    weight = f"α^{_EXPONENTS[settings.schedule]} · " if settings.iterative else ""
    lines = {
        "start": "each round r, each reference:  each cell (i, j) of free words with s > 0",
        "cell": f"    c(i, j) ← max(c(a, b) + s / √((i−a)·(j−b)))   ({figure})",
        "before": "    of cells a < i, b < j, or of the start (0, 0) with c = 0",
        "chain": "chain ← back from the cell of the largest c",
        "take": "take the chain of the best reference   (Figure 6)",
        "add": f"    score ← score + {weight}c / n   (Figure 3, as in eq. 1)",
        "retire": "    retire its words   (Figure 7)",
        "end": "until no c is above 0" if settings.iterative else "one round only",
    }
    if settings.length_penalty:
        lines["penalty"] = "penalty ← 1 if n > mean m, else n / mean m   (§3.3)"
    return PseudoCode(**lines, score=f"SIA ← {'penalty · ' if settings.length_penalty else ''}score")


def round_weight(turn: int, settings: Any) -> float:
    """Return the factor by which the credits of round `turn`, counted from 1, are multiplied."""
    if not settings.iterative:
        return 1.0
    if settings.schedule == "squaring":
        return float(settings.decay ** (2.0 ** min(turn - 1, 1023)))
    return float(settings.decay ** (turn - (settings.schedule == "undecayed_first")))


def steps(segment: Segment, settings: Any, score: Callable[[], Result]) -> Iterator[ProgramStep]:
    """Yield the steps of SIA's program.

    In each round all cells are filled, a chain is taken and its words are used up; the score follows."""
    candidate, references = segment
    n, mean = len(candidate), sum(map(len, references)) / len(references)
    lines, free = code(settings), all_free(segment)
    penalty = 1.0 if n > mean or not settings.length_penalty else n / mean if mean else 0.0
    taken_marks: list[Mark] = []
    total = 0.0
    turn = 0
    while True:
        turn += 1
        weight = round_weight(turn, settings)
        chains: list[tuple[float, Cells]] = []
        sheets: list[GrowingTable] = []
        for k in range(len(references)):
            sheet, ends = GrowingTable(f"round {turn}", n + 1, len(references[k]) + 1, k), {}
            sheet.fill(TableCell(0, 0, 0))
            sheets.append(sheet)
            of = of_reference(k, segment)
            text = f"Round {turn}{of}: find the best cell before every free cell."
            known_numbers = {
                "n": n or math.nan,
                "m": mean or math.nan,
                "α": settings.decay,
                "r": turn,
                **unknown("round_r", ALL_CELLS, *ONE_CELL),
            }
            yield ProgramStep(
                text,
                lines["start"],
                taken_marks=Prefix(taken_marks),
                table=sheet.snapshot(),
                free=free,
                score=penalty * total,
                known_values=known_numbers,
            )
            used_i = set(range(n)) - free.candidate
            used_j = set(range(len(references[k]))) - free.references[k]
            for end in chain_ends(candidate, references[k], used_i, used_j, settings.similarity):
                ends[end.i, end.j] = end
                yield _cell_step(end, sheet, segment, taken_marks, free, penalty * total, lines)
            chains.append(best_of_chains(ends))
            best, cells = chains[-1]
            text = f"The best chain{of} earns {number(best)} with {count(len(cells), 'word')}."
            if not cells:
                text = f"Nothing is left to align{of and f' with{of[3:]}'}."
            hits = tuple([Hit(i, k, j) for i, j, _ in cells])
            at = (cells[-1][0] + 1, cells[-1][1] + 1) if cells else None
            table = sheet.snapshot(at)
            yield ProgramStep(
                text,
                lines["chain"],
                hits,
                Prefix(taken_marks),
                table=table,
                free=free,
                score=penalty * total,
                known_values={ALL_CELLS: best},
            )
        k = max(range(len(chains)), key=lambda k: chains[k][0])
        gain, cells = chains[k]
        if not cells:
            break
        chain_hits = [Hit(i, k, j) for i, j, _ in cells]
        others = [
            Hit(i, other, j) for other, (_, other_cells) in enumerate(chains) if other != k for i, j, _ in other_cells
        ]
        taken_marks += chain_hits
        total += weight * sum([credit for _, _, credit in cells]) / n
        choice = Decision("reference", (*chain_hits, *others)) if others else None
        which = f"Reference {k + 1} earns the most" if len(chains) > 1 else "This chain is taken"
        yield ProgramStep(
            f"{which}: {number(gain)} / {n}, times {number(weight)}, is {number(weight * gain / n)}.",
            lines["take"],
            chain_hits,
            Prefix(taken_marks),
            [Rejected(hit, ANOTHER) for hit in others],
            table=sheets[k].snapshot((chain_hits[-1].i + 1, chain_hits[-1].j + 1)),
            free=free,
            score=penalty * total,
            decision=choice,
            known_values={ALL_CELLS: gain, "round_r": gain / n, ALL_ROUNDS: total},
        )
        if not settings.iterative:
            break
        lost = _blocked_cells(chain_hits, k, sheets)
        free = free.without_marks(*chain_hits)
        yield ProgramStep(
            f"{count(len(chain_hits), 'word')} of the candidate and of reference {k + 1} retire: "
            f"{len(free.candidate)} of the candidate are free.",
            lines["retire"],
            chain_hits,
            Prefix(taken_marks),
            [Rejected(hit, CONFLICT) for hit in lost],
            table=sheets[k].snapshot(),
            free=free,
            score=penalty * total,
        )
    text = f"No cell is left: {count(turn - 1, 'round')} in all." if settings.iterative else "There is only one round."
    if why := describe_wordless_texts(segment):
        text = f"Nothing can be aligned: {why}."
    known_numbers = {ALL_ROUNDS: total, **({} if chains[k][1] else unknown("r", "round_r", ALL_CELLS, *ONE_CELL))}
    yield ProgramStep(
        text,
        lines["end"],
        taken_marks=Prefix(taken_marks),
        free=free,
        score=penalty * total,
        known_values=known_numbers,
    )
    if settings.length_penalty:
        text = f"The candidate has {count(n, 'word')}, the mean reference {number(mean)}: penalty {number(penalty)}."
        known_numbers = {"penalty": penalty}
        yield ProgramStep(
            text,
            lines["penalty"],
            taken_marks=Prefix(taken_marks),
            free=free,
            score=penalty * total,
            known_values=known_numbers,
        )
    result = score()
    assert same_cells(taken_marks, result)
    text = f"The rounds sum to {number(total)}."
    if settings.length_penalty:
        text = f"{number(penalty)} · {number(total)} = {number(penalty * total)}."
    known_numbers = {"SIA": penalty * total}
    if not settings.length_penalty:
        known_numbers |= {"min(1, n/m)": 1, "penalty": 1}
    yield ProgramStep(
        text,
        lines["score"],
        taken_marks=Prefix(taken_marks),
        free=free,
        score=penalty * total,
        result=result,
        known_values=known_numbers,
    )


def _cell_step(
    end: ChainEnd,
    sheet: GrowingTable,
    segment: Segment,
    taken_marks: list[Mark],
    free: FreeWords,
    score: float,
    lines: PseudoCode,
) -> ProgramStep:
    """Return the step that fills the table's cell at which the chain `end` ends.

    `score` is the score of the rounds so far."""
    i, j, s, total, _, before, ways = end
    k = sheet.k
    a, b = (before[0] + 1, before[1] + 1) if before else (0, 0)
    sheet.fill(TableCell(i + 1, j + 1, total, ((a, b),)))
    down, right = i + 1 - a, j + 1 - b
    sum_of = f"{number(sheet[a, b].value)} + {number(s)}/√({down}·{right})"
    options = tuple([Hit(at[0], k, at[1]) for at in ways])
    return ProgramStep(
        f"{word(segment.candidate[i])} after c({a}, {b}): {sum_of} = {number(total)}.",
        lines["cell" if before else "before"],
        (Hit(i, k, j),),
        Prefix(taken_marks),
        table=sheet.snapshot((i + 1, j + 1)),
        free=free,
        score=score,
        decision=Decision("cell before", options) if len(options) > 1 else None,
        known_values=dict(zip(ONE_CELL, (s, down, right), strict=True)),
    )


def _blocked_cells(chain_hits: Sequence[Hit], k: int, sheets: Sequence[GrowingTable]) -> list[Hit]:
    """Return the cells of a round's tables that later rounds cannot use, because the chain uses one of their words."""
    rows, columns, taken_cells = {i for i, _, _ in chain_hits}, {j for _, _, j in chain_hits}, {*chain_hits}
    spend(sum([len(sheet.cells) for sheet in sheets]) // 3)
    return [
        Hit(row - 1, sheet.k, column - 1)
        for sheet in sheets
        for row, column, _, came in sheet.cells
        if came and (row - 1 in rows or (sheet.k == k and column - 1 in columns))
        if (row - 1, sheet.k, column - 1) not in taken_cells
    ]


PROGRAM = Program(code, steps)
