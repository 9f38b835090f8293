"""Common blocks count by their squares; blocks that also follow each other count extra.

The first matching collects the blocks of l words that candidate and reference have in common, wherever they stand: cs1.
The second finds the blocks that are neighbours, next to each other and in the same order in both sentences, with any
number of unmatched words between them: cs2. A chain is a row of neighbours, n and m are the lengths of candidate and
reference.

    A = √(m·n)
    cs0 = words of the longest chain / A
    cs1 = √(Σ l²) / A
    cs2 = √(Σ l·l') / A,  l and l' of two neighbours
    dcs = √(cs1² + cs2²)

The paper's text calls dcs the geometric mean of cs1 and cs2; its definition, Figure 1 and Table 1 say what stands here.
Blocks of the published program may overlap, which can lift a score above 1. Of several references the one that gives
the best score counts.

Rewards: long blocks, even where they were moved, and on top of that blocks that keep their order. Each l² is the area
of a square on the grid, each product l·l' that of two triangles beside the diagonal between two squares.

Cannot see: how many words lie between two neighbours, but for the lengths of the sentences. Where blocks overlap, a
word is counted twice: "C A A B" scores a full 1 against "C A B". And n and m enter alike, so that too short and too
long look the same.

Source: Ding, Utiyama and Sumita, Structured Common Subsequences for Automatic Machine Translation Evaluation, section
3, Figure 1 and Table 1.

>>> from metrics import score
>>> r = score("dcs", list("EABFD"), [list("ABCDE")])
>>> [round(v, 4) for v in (*r.parts.values(), r.score)]
[0.6, 0.4899, 0.2828, 0.5657]
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise, repeat
from typing import NamedTuple

from .bitext import indexed, long_runs
from .formula import Number, Power, Product, Quotient, Root, Step, Sum, Symbol, Terms, step
from .types import (
    Alignment,
    Layer,
    Metric,
    Neighbours,
    Result,
    Run,
    Score,
    Segment,
    Settings,
    Tokens,
    about,
    first_line,
    setting,
)


@dataclass(frozen=True, slots=True)
class DCSSettings(Settings):
    overlap: str = setting(
        "published",
        "choice",
        "Overlap",
        "published lets blocks overlap, as the authors' program does; disjoint uses every word once.",
        options=("published", "disjoint"),
    )


def hit_columns(candidate: Tokens, reference: Tokens) -> list[int]:
    """The grid by columns: for each reference word the candidate positions of the same word, as the bits of a number.

    By columns and not by rows because the index that they are read from is then the candidate's, which is built once
    for all its references.

    >>> hit_columns(("a", "b"), ("b", "a", "b"))
    [2, 1, 2]
    """
    get = indexed(candidate).masks.get
    return [get(word, 0) for word in reference]


def published_blocks(candidate: Tokens, k: int, reference: Tokens) -> list[Run]:
    """Table 1's `nosub`: maximal runs, longest first, while some word on either side is still free; blocks may overlap.

    Ties go to the run that ends first in the candidate, then to the one that ends first in the reference. The blocks
    stand in the candidate's order; there are none where the sentences share no word.
    """
    columns = hit_columns(candidate, reference)
    columns.append(0)  # stands right of the last column and, as columns[-1], left of the first
    free_rows, free_columns = (1 << len(candidate)) - 1, (1 << len(reference)) - 1
    blocks = []
    for negative, i, j in sorted(_long_runs(columns)):
        full = (1 << -negative) - 1
        down = full << i & free_rows
        if down:
            across = full << j & free_columns
            if across:
                free_rows ^= down
                free_columns ^= across
                blocks.append((i, k, j, -negative))
    # Single hits come last and need their one cell free; those inside a longer run are not maximal.
    singles = []
    for j, column in enumerate(columns):
        if column & free_rows and free_columns >> j & 1:
            rows = column & free_rows & ~(columns[j - 1] << 1) & ~(columns[j + 1] >> 1)
            while rows:
                i = rows.bit_length() - 1
                rows ^= 1 << i
                singles.append((i, k, j, 1))
    for single in sorted(singles):
        i, _, j, _ = single
        if free_rows >> i & 1 and free_columns >> j & 1:
            free_rows ^= 1 << i
            free_columns ^= 1 << j
            blocks.append(single)
    blocks.sort()
    return list(map(tuple.__new__, repeat(Run), blocks))


def _long_runs(columns: list[int]) -> list[tuple[int, int, int]]:
    """The maximal runs of at least two hits as (−length, i, j); the last of the grid's columns must be empty."""
    out = []
    left = continued_left = 0
    for j, column in enumerate(columns):
        continued = left << 1 & column  # hits whose neighbour one up and one to the left is a hit
        if continued:
            seconds = continued & ~(continued_left << 1)
            while seconds:
                i = seconds.bit_length() - 1
                seconds ^= 1 << i
                end, bit = j + 1, 2 << i
                while columns[end] & bit:
                    end += 1
                    bit <<= 1
                out.append((j - 1 - end, i - 1, j - 1))
        left, continued_left = column, continued
    return out


def disjoint_blocks(candidate: Tokens, k: int, reference: Tokens) -> list[Run]:
    """Runs whose words are all still free, longest first; what is left of a run is offered again as a shorter one.

    No word is used twice. Ties and order as in `published_blocks`.
    """
    used_rows, used_columns = bytearray(len(candidate)), bytearray(len(reference))
    offered: dict[int, list[tuple[int, int]]] = {}
    for length, i, j in long_runs(candidate, indexed(reference)):
        offered.setdefault(length, []).append((i, j))
    blocks = []
    for length in range(max(offered, default=0), 1, -1):
        for i, j in sorted(offered.get(length, ())):
            used = [a or b for a, b in zip(used_rows[i : i + length], used_columns[j : j + length], strict=True)]
            if not any(used):
                used_rows[i : i + length] = used_columns[j : j + length] = b"\1" * length
                blocks.append(Run(i, k, j, length))
                continue
            start = 0
            for taken, stretch in groupby(used):
                size = len(list(stretch))
                if not taken:
                    offered.setdefault(size, []).append((i + start, j + start))
                start += size
    # Every hit that is still free is a remainder of length 1.
    places = indexed(reference).places
    for i, word in enumerate(candidate):
        free = [] if used_rows[i] else [j for j in places.get(word, ()) if not used_columns[j]]
        if free:
            used_columns[free[0]] = 1
            blocks.append(Run(i, k, free[0], 1))
    blocks.sort()
    return blocks


class Matching(NamedTuple):
    """The blocks, the neighbours among them, the credits of both, and the words of the longest chain of neighbours."""

    blocks: list[Run]
    neighbours: list[tuple[Run, Run]]
    squares: list[float]
    products: list[float]
    longest_chain: float


def second_matching(blocks: list[Run]) -> Matching:
    """Neighbours: blocks that come directly after each other in both sentences, in the same order.

    Table 1 ranks blocks by where they end and chains those whose two ranks rise by exactly 1. No block lies within
    another, in either sentence, so the order of the starts is the order of the ends.
    """
    following = dict(pairwise(sorted([j for _, _, j, _ in blocks])))
    neighbours, squares, products = [], [], []
    longest = chain = last_length = 0.0
    next_j, last = -1, None  # where the block after the last one starts in the reference
    for block in blocks:
        _, _, j, length = block
        squares.append(length * length)
        if last and j == next_j:
            neighbours.append((last, block))
            products.append(last_length * length)
            chain += length
        else:
            chain = length
        if chain > longest:
            longest = chain
        next_j, last, last_length = following.get(j, -1), block, length
    return Matching(blocks, neighbours, squares, products, longest)


def _align(segment: Segment, settings: DCSSettings, marks: bool) -> Alignment:
    candidate, references = segment
    find = published_blocks if settings.overlap == "published" else disjoint_blocks
    best, decides, top = Matching([], [], [], [], 0), 0, 0.0
    for k, reference in enumerate(references):
        matching = second_matching(find(candidate, k, reference))
        # The square of dcs but for n, which is the same for all references.
        value = (sum(matching.squares) + sum(matching.products)) / max(len(reference), 1)
        if value > top:
            best, decides, top = matching, k, value
    blocks, neighbours, squares, products, longest_chain = best
    stats: dict[str, float] = {
        "squares": sum(squares),
        "products": sum(products),
        "longest_chain": longest_chain,
        "candidate_length": len(candidate),
        "reference_length": len(references[decides]),
    }
    if not marks:
        return Alignment(stats, (), {"score": decides})
    pairs = tuple(map(tuple.__new__, repeat(Neighbours), neighbours))
    layers = (
        Layer("blocks", tuple(blocks), tuple(squares), statistics=("squares",), area=True),
        Layer("neighbours", pairs, tuple(products), statistics=("products",)),
    )
    return Alignment(stats, layers, {"score": decides})


def _from_stats(stats: Mapping[str, float], settings: DCSSettings) -> Score:
    squares, products = stats["squares"], stats["products"]
    side = math.sqrt(stats["reference_length"] * stats["candidate_length"])
    if not side:
        return Score(0.0, {"cs0": 0.0, "cs1": 0.0, "cs2": 0.0})
    parts = {
        "cs0": stats["longest_chain"] / side,
        "cs1": math.sqrt(squares) / side,
        "cs2": math.sqrt(products) / side,
    }
    return Score(math.sqrt(squares + products) / side, parts)


def _formula(result: Result) -> tuple[Step, ...]:
    stats = result.stats
    blocks, follow = result.layers
    a = step("A", Root(Product(Number(stats["reference_length"]), Number(stats["candidate_length"]))))
    two = Number(2)
    squares = step("squares", Terms(0, [Power(Number(b.length), two) for b in blocks.marks if isinstance(b, Run)]))
    pairs = [(p.first, p.second) for p in follow.marks if isinstance(p, Neighbours)]
    products = step("neighbours", Terms(1, [Product(Number(p.length), Number(q.length)) for p, q in pairs]))
    chain = stats["longest_chain"]
    return (
        a,
        squares,
        products,
        step(
            "cs_0",
            Quotient(Symbol("longest chain", chain), a.symbol()),
            Quotient(Number(chain), a.symbol()),
        ),
        step("cs_1", Quotient(Root(squares.number()), a.symbol()), beside=True),
        step("cs_2", Quotient(Root(products.number()), a.symbol()), beside=True),
        step("dcs", Quotient(Root(Sum(squares.number(), products.number())), a.symbol())),
    )


def _remark(result: Result) -> str:
    """That blocks overlap, where they do, since it can lift the score above 1."""
    blocks = [mark for mark in result.layers[0].marks if isinstance(mark, Run)]
    rows = sum(block.length for block in blocks) - len({cell.i for block in blocks for cell in block.cells()})
    columns = sum(block.length for block in blocks) - len({cell.j for block in blocks for cell in block.cells()})
    if rows or columns:
        return "Blocks overlap, as the published program allows: a word that lies in two of them counts in both."
    return ""


def _summary(result: Result) -> str:
    count = len(result.layers[0].marks)
    return f"{count} block" if count == 1 else f"{count} blocks"


METRIC = Metric(
    key="dcs",
    label="dcs",
    name="Double common subsequence score",
    idea=first_line(__doc__),
    about=about(__doc__),
    family="blocks",
    citation="Ding, Utiyama and Sumita, Structured Common Subsequences for Automatic Machine Translation Evaluation",
    higher_is_better=True,
    pooling="mean",
    Settings=DCSSettings,
    align=_align,
    from_stats=_from_stats,
    formula=_formula,
    summary=_summary,
    remark=_remark,
)
