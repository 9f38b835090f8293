"""Common blocks count by their squares; blocks that also follow each other count extra.

The first matching collects the blocks of l words that candidate and reference have in common, wherever they are: cs1.
The second finds the blocks that are neighbours, next to each other and in the same order in both sentences, with any
number of unmatched words between them: cs2. A chain is a row of neighbours, l₁ and l₂ are the lengths of two of them,
n and m those of candidate and reference.

    A = √(m·n)
    cs0 = words of the longest chain / A
    cs1 = √(Σ l²) / A
    cs2 = √(Σ l₁ · l₂) / A
    dcs = √(cs1² + cs2²)

The paper's text calls dcs the geometric mean of cs1 and cs2; its definition, Figure 1 and Table 1 give the formula
shown here. Blocks of the published program may overlap, which can lift a score above 1. Of several references the one
that gives the best score counts.

Rewards: long blocks, even if they were moved, and in addition blocks that keep their order. Each l² is the area
of a square on the grid, each product l₁·l₂ that of two triangles beside the diagonal between two squares.

Cannot see: how many words lie between two neighbours, except through the lengths of the sentences. Where blocks
overlap, a word is counted twice: "C A A B" scores a full 1 against "C A B". And n and m have the same effect, so that
too short and too long look the same.

Source: Ding, Utiyama and Sumita, Structured Common Subsequences for Automatic Machine Translation Evaluation, section
3, Figure 1 and Table 1.

>>> from metrics import score
>>> r = score("dcs", list("EABFD"), [list("ABCDE")])
>>> [round(v, 4) for v in (*r.parts.values(), r.score)]
[0.6, 0.4899, 0.2828, 0.5657]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise, repeat, zip_longest
from operator import mul, or_
from typing import NamedTuple, TypeAlias

from ...alignment.bitext import hit_column_masks, indexed, long_runs
from ...alignment.references import best_reference
from ...alignment.runs import GreedyRuns, longest_runs_from, run_starts_by_length
from ...formula import (
    CreditSum,
    FormulaStep,
    Number,
    Power,
    Product,
    Quotient,
    SquareRoot,
    Sum,
    Symbol,
    number_of,
    step,
)
from ...types import (
    ARITHMETIC,
    UNEVEN,
    Account,
    Alignment,
    Amount,
    Layer,
    MeasuredAspect,
    Neighbours,
    Result,
    Run,
    Score,
    Segment,
    Settings,
    StatisticRole,
    Tokens,
    matched_words_clause,
    pieces_phrase,
    runs_aspect,
    setting,
    words_aspect,
)
from ...types.work import spend


@dataclass(frozen=True, slots=True)
class DCSSettings(Settings):
    """The settings of dcs: whether blocks may overlap."""

    overlap: str = setting(
        "published",
        "choice",
        "Overlap",
        "published lets blocks overlap, as the authors' program does; disjoint uses every word at most once.",
        options=("published", "disjoint"),
    )


#: A block as (i, k, j, length), in the order of the fields of `Run`.
Block: TypeAlias = tuple[int, int, int, int]


class PreparedGrid(NamedTuple):
    """The grid of a candidate and one reference, in the form that the search for blocks needs.

    Attributes:
        columns: for each reference word a bit mask of the candidate positions that equal it; an empty mask closes the
            list.
        runs: the runs of two or more hits as (−length, i, j), sorted: longest first, then lowest `i`, then lowest
            `j`."""

    columns: list[int]
    runs: list[tuple[int, int, int]]


#: The number of neighbouring hits of two sentences above which their runs, maybe millions, are not listed.
LISTED_MOST = 10_000


def prepared_grids(segment: Segment) -> list[PreparedGrid | None]:
    """Return the prepared grid for each reference of a segment; None where it has too many runs to list.

    >>> prepared_grids(Segment(("a", "b"), (("b",), ("a", "b"))))
    [PreparedGrid(columns=[2, 0], runs=[]), PreparedGrid(columns=[1, 2, 0], runs=[(-2, 0, 0)])]
    """
    candidate = indexed(segment.candidate)
    out: list[PreparedGrid | None] = []
    for reference in segment.references:
        columns = hit_column_masks(candidate, reference)
        if len(candidate.tokens) * len(reference) > LISTED_MOST:
            spend((len(candidate.tokens) + len(reference)) // 4)
            if (
                sum([(left_column << 1 & column).bit_count() for left_column, column in pairwise(columns)])
                > LISTED_MOST
            ):
                out.append(None)
                continue
        out.append(PreparedGrid(columns, sorted(long_runs(columns))))
    return out


def squares_and_products_limit(grid: PreparedGrid) -> int:
    """Return an upper limit of the sum of squares and products that the published program can reach on this grid.

    It is quick, because it does not choose among runs. All runs count as blocks, and so does every other column with a
    hit: a run that is not taken frees at most as many words for single hits as it has. The products of neighbours are
    largest if the largest blocks are in the middle and the others alternate to the left and to the right."""
    lengths, covered = [], 0
    for negative, _, j in grid.runs:
        lengths.append(-negative)
        covered |= (1 << -negative) - 1 << j
    lengths += [1] * (len(grid.columns) - grid.columns.count(0) - covered.bit_count())
    squares, products = map(mul, lengths, lengths), map(mul, lengths[:1] + lengths, lengths[1:])
    return int(sum(squares) + sum(products))


def published_blocks(candidate: Tokens, k: int, reference: Tokens, grid: PreparedGrid | None) -> list[Block]:
    """Return the blocks that the published program finds, in the candidate's order.

    As in Table 1's `nosub`, maximal runs are taken as blocks, longest first, if they have an unused word on both sides;
    blocks may overlap. Ties go to the run that ends first in the candidate, then to the one that ends first in the
    reference. `grid` is the prepared grid, None if it has too many runs to list. The list is empty if the sentences
    share no word."""
    if grid is None:
        return _blocks_of_many_runs(candidate, k, reference)
    columns, runs = grid
    free_rows, free_columns = (1 << len(candidate)) - 1, (1 << len(columns)) - 1
    blocks = []
    for negative, i, j in runs:
        full = (1 << -negative) - 1
        down = full << i & free_rows
        if down:
            across = full << j & free_columns
            if across:
                free_rows ^= down
                free_columns ^= across
                blocks.append((i, k, j, -negative))
    # Single hits come last and need both words free; those inside a longer run are not maximal.
    singles = []
    for j, column in enumerate(columns):
        rows = column & free_rows
        if rows and free_columns >> j & 1:
            rows &= ~(columns[j - 1] << 1 | columns[j + 1] >> 1)
            while rows:
                i = rows.bit_length() - 1
                rows ^= 1 << i
                singles.append((i, k, j, 1))
    spend(len(singles) + len(runs))
    for single in sorted(singles):
        i, _, j, _ = single
        if free_rows >> i & 1 and free_columns >> j & 1:
            free_rows ^= 1 << i
            free_columns ^= 1 << j
            blocks.append(single)
    blocks.sort()
    return blocks


def _blocks_of_many_runs(candidate: Tokens, k: int, reference: Tokens) -> list[Block]:
    """Return the same blocks as `published_blocks`, for a grid with too many runs to list.

    It is fast because it looks only at runs that have unused words."""
    rows = [*map(indexed(reference).position_mask_by_word.get, candidate, repeat(0))]
    planes = run_starts_by_length(rows)
    # A maximal run begins at a hit without a hit before it on its diagonal.
    begin = [row & ~(above << 1) for above, row in zip([0, *rows], rows, strict=False)]
    free_rows = sum([1 << i for i, row in enumerate(rows) if row])
    free_columns = reduce(or_, rows, 0)
    blocks = []
    while free_rows and free_columns and any(begin):
        length, longest_begins = longest_runs_from(begin, planes)
        full = (1 << length) - 1
        open_columns = _start_mask(free_columns, length)
        for i, columns in enumerate(longest_begins):
            down = full << i & free_rows
            columns &= open_columns
            if down and columns:
                j = (columns & -columns).bit_length() - 1
                free_rows ^= down
                free_columns &= ~(full << j)
                open_columns = _start_mask(free_columns, length)
                blocks.append((i, k, j, length))
        begin = [begin_bits & ~used_bits for begin_bits, used_bits in zip_longest(begin, longest_begins, fillvalue=0)]
    blocks.sort()
    return blocks


def _start_mask(free: int, length: int) -> int:
    """Return a bit mask of the positions where a stretch that contains a position of `free` can start.

    `free` is a bit mask, too, and the stretch has `length` positions. With 3 positions, a stretch that starts at 2, 3
    or 4 contains position 4:

    >>> bin(_start_mask(0b10000, 3))
    '0b11100'
    """
    out, reach = free, 1
    while reach < length:
        step = min(reach, length - reach)
        out |= out >> step
        reach += step
    return out


def disjoint_blocks(candidate: Tokens, k: int, reference: Tokens, grid: PreparedGrid | None) -> list[Block]:
    """Return the blocks of the disjoint variant, which uses every word once, in the candidate's order.

    The longest run of unused words is taken first. If a run loses some words to a longer one, its rest counts as a
    shorter run. Ties go to the run that ends first in the candidate, then to the one that ends first in the
    reference."""
    # `GreedyRuns` takes the last of equally long runs, but here the first is wanted: so read both sentences backwards.
    n, m = len(candidate), len(reference)
    words = GreedyRuns([*map(indexed(reference[::-1]).position_mask_by_word.get, candidate[::-1], repeat(0))], m)
    block_runs = words.long_runs + words.take_single_cells()
    return sorted([(n - i - length, k, m - j - length, length) for length, i, j in block_runs])


class BlockMatching(NamedTuple):
    """The blocks that candidate and reference share, and the sums that the score needs of them.

    Attributes:
        blocks: the blocks in the candidate's order.
        followers: indices of the blocks that are neighbours of the block before them.
        squares: the sum of the squared lengths of the blocks.
        products: the sum, over pairs of neighbours, of the product of their lengths.
        longest_chain: the number of words in the longest chain of neighbours."""

    blocks: list[Block]
    followers: list[int]
    squares: int
    products: int
    longest_chain: int


def blocks_with_neighbours(blocks: list[Block]) -> BlockMatching:
    """Return the blocks with their neighbours: blocks that follow each other in both sentences, with no block between.

    `blocks` are in the candidate's order. Table 1 ranks blocks by where they end, and chains those whose two ranks
    rise by exactly 1. No block lies within another in either sentence, so the order of the starts is the order of
    the ends."""
    following = dict(pairwise(sorted([j for _, _, j, _ in blocks])))
    followers = []
    squares = products = longest = chain = last_length = 0
    next_j = -1  # where, in the reference, the block after the last one starts
    for number, (_, _, j, length) in enumerate(blocks):
        squares += length * length
        if j == next_j:
            followers.append(number)
            products += last_length * length
            chain += length
        else:
            chain = length
        if chain > longest:
            longest = chain
        next_j, last_length = following.get(j, -1), length
    return BlockMatching(blocks, followers, squares, products, longest)


def align(segment: Segment, settings: DCSSettings, marks: bool) -> Alignment:
    candidate, references = segment
    published = settings.overlap == "published"
    parts: list[PreparedGrid | None] = prepared_grids(segment) if published else [None] * len(references)
    # Limits on the square of dcs times n; n is the same for all references.
    limits = [math.inf] * len(references)
    if len(references) > 1:
        for k, (part, reference) in enumerate(zip(parts, references, strict=True)):
            if part:
                limits[k] = squares_and_products_limit(part) / max(len(reference), 1)

    def evaluate_reference(k: int) -> tuple[float, BlockMatching]:
        find = published_blocks if published else disjoint_blocks
        matching = blocks_with_neighbours(find(candidate, k, references[k], parts[k]))
        return (matching.squares + matching.products) / max(len(references[k]), 1), matching

    decides, matching = best_reference(limits, evaluate_reference)
    stats: dict[str, float] = {
        "squares": matching.squares,
        "products": matching.products,
        "longest_chain": matching.longest_chain,
        "candidate_length": len(candidate),
        "reference_length": len(references[decides]),
    }
    return Alignment(stats, _layers(matching, decides) if marks else (), {"score": decides})


def _layers(matching: BlockMatching, k: int) -> tuple[Layer, ...]:
    blocks = tuple(map(tuple.__new__, repeat(Run), matching.blocks))
    squares = tuple([length * length for _, _, _, length in matching.blocks])
    pairs = [(blocks[number - 1], blocks[number]) for number in matching.followers]
    products = tuple([a.length * b.length for a, b in pairs])
    neighbours = tuple(map(tuple.__new__, repeat(Neighbours), pairs))
    return (
        Layer("blocks", blocks, squares, statistics=("squares",), area=True, k=k, kind="blocks", noun="block"),
        Layer(
            "neighbours", neighbours, products, statistics=("products",), k=k, kind="neighbours", noun="pair of blocks"
        ),
    )


#: The role of each statistic, by its name.
ROLES = {
    "squares": StatisticRole("match"),
    "products": StatisticRole("contiguity"),
    "longest_chain": StatisticRole("other"),
    "candidate_length": StatisticRole("candidate length"),
    "reference_length": StatisticRole("reference length"),
}


def from_stats(stats: Mapping[str, Amount], settings: DCSSettings) -> Score[Amount]:
    squares, products = stats["squares"], stats["products"]
    calc = ARITHMETIC[type(squares)]
    side = calc.divisor(calc.sqrt(stats["reference_length"] * stats["candidate_length"]))
    parts = {
        "cs0": stats["longest_chain"] / side,
        "cs1": calc.sqrt(squares) / side,
        "cs2": calc.sqrt(products) / side,
    }
    return Score(calc.sqrt(squares + products) / side, parts)


def complete(
    stats: dict[str, float], settings: DCSSettings, words: Mapping[str, float], references: tuple[Tokens, ...]
) -> None:
    """Correct in place `stats` that mix two outputs of a segment (`Metric.complete`).

    `words["squares"]` is the number of words in blocks. The squares are at most those of one block of all these words,
    and the products at most those of two such blocks. The candidate becomes long enough for these words."""
    most = words.get("squares", math.inf)
    if "squares" in words:
        needed = min(most, stats["reference_length"]) if settings.overlap == "disjoint" else bool(most)
        stats["candidate_length"] = max(stats["candidate_length"], needed)
    if settings.overlap == "disjoint":
        most = min(most, stats["candidate_length"], stats["reference_length"])
    stats["squares"] = squares = max(0.0, min(stats["squares"], most * most))
    stats["products"] = min(stats["products"], (most * most - squares) / 2)


def formula(result: Result) -> tuple[FormulaStep, ...]:
    stats = result.stats
    blocks, follow = result.layers
    lengths = [number_of(stats[name], "word") for name in ("reference_length", "candidate_length")]
    a = step("A", SquareRoot(Product(*lengths)))
    two = Number(2)
    squares = step("squares", CreditSum(0, [Power(Number(b.length), two) for b in blocks.marks if isinstance(b, Run)]))
    pairs = [(p.first, p.second) for p in follow.marks if isinstance(p, Neighbours)]
    products = step("neighbours", CreditSum(1, [Product(Number(p.length), Number(q.length)) for p, q in pairs]))
    chain = stats["longest_chain"]
    return (
        a,
        squares,
        products,
        step(
            "cs_0",
            Quotient(Symbol("longest chain", chain), a.symbol()),
            Quotient(number_of(chain, "word"), a.symbol()),
        ),
        step("cs_1", Quotient(SquareRoot(squares.number()), a.symbol()), same_line=True),
        step("cs_2", Quotient(SquareRoot(products.number()), a.symbol()), same_line=True),
        step("dcs", Quotient(SquareRoot(Sum(squares.number(), products.number())), a.symbol())),
    )


def remark(result: Result) -> str:
    """Return a sentence that blocks overlap, because this can lift the score above 1; empty if none overlap."""
    blocks = [mark for mark in result.layers[0].marks if isinstance(mark, Run)]
    rows = sum(block.length for block in blocks) - len({cell.i for block in blocks for cell in block.cells()})
    columns = sum(block.length for block in blocks) - len({cell.j for block in blocks for cell in block.cells()})
    if rows or columns:
        return "Blocks overlap, as the published program allows: a word that lies in two of them counts in both."
    return ""


def summary(result: Result) -> str:
    count = len(result.layers[0].marks)
    return f"{count} block" if count == 1 else f"{count} blocks"


def account(result: Result) -> Account:
    """Return the clause and the counts with which a verdict explains the dcs score.

    They say how many words are in blocks, in how many blocks, and what the squares and the neighbours contribute."""
    blocks, neighbours = (layer.marks for layer in result.layers)
    lengths = [len(block.cells()) for block in blocks]
    matched = len({cell.i for block in blocks for cell in block.cells()})
    says = matched_words_clause(matched, len(result.segment.candidate)) + pieces_phrase(lengths, "block")
    says += "; some words are in two of them" if sum(lengths) > matched else ""
    if neighbours:
        parts = result.parts
        says += f"; the areas of blocks give {parts['cs1']:.2f}, those between neighbours {parts['cs2']:.2f}"
    elif len(blocks) > 1:
        says += "; no two blocks are neighbours"
    n, m = result.stats["candidate_length"], result.stats["reference_length"]
    if matched and min(n, m) < UNEVEN * max(n, m):
        says += f"; it is {'short' if n < m else 'long'} compared with the reference"
    return Account(says, matched, len(blocks), max(lengths, default=0))


def sights(result: Result) -> Sequence[MeasuredAspect]:
    """Return the aspects that dcs measures of a translation, from 0 to 1 each: words in blocks, and long blocks."""
    lengths = [len(run.cells()) for run in result.layers[0].marks]
    n, m = result.stats["candidate_length"], result.stats["reference_length"]
    words = words_aspect(min(sum(lengths), n, m), n, m)
    if not words.value or sum(lengths) > min(n, m):  # blocks that overlap count words twice
        return (words,) if words.value else ()
    return words, runs_aspect(min(1.0, result.score / words.value), lengths)
