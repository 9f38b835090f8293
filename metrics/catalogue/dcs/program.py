"""Run dcs step by step as Table 1 of its paper prints it.

Source: Ding, Utiyama and Sumita, Structured Common Subsequences for Automatic Machine Translation Evaluation."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from ...teach.empty_texts import describe_wordless_texts
from ...teach.steps import (
    CONFLICT,
    Choice,
    Decision,
    GrowingTable,
    Prefix,
    Program,
    ProgramStep,
    PseudoCode,
    Rejected,
    TableCell,
    all_free,
    choose_reference,
    count,
    number,
    of_reference,
    phrase,
    same_cells,
    unknown,
    word,
)
from ...types import Hit, Mark, Neighbours, Result, Run, Segment
from ...types.work import spend

#: A block as (i, j, length): it ends after `i` words of x and `j` words of y.
Ended: TypeAlias = tuple[int, int, int]
#: The non-empty strings of a table by their cells (i, j).
Strings: TypeAlias = dict[tuple[int, int], list[Any]]


class Table1(NamedTuple):
    """The four scores of the program, and its blocks as (i in the candidate, j in the reference, length)."""

    cs0: float
    cs1: float
    cs2: float
    dcs: float
    blocks: list[tuple[int, int, int]]


def dcs_table1(x: Sequence[Hashable], y: Sequence[Hashable]) -> Table1:
    """Return the scores and blocks of the published program (Table 1), translated to Python 3 function by function.

    `x` is the reference and `y` the candidate. As printed the program does not run on any version of Python: it adds a
    token to a list, divides a list by a number, and its loop variables hide the sentences. Its tables are nearly empty,
    so here they store only the cells that hold something. Nothing else is changed.

    >>> dcs_table1("abc", "abxc").blocks
    [(0, 0, 2), (3, 2, 1)]
    """
    if not x or not y:
        return Table1(0.0, 0.0, 0.0, 0.0, [])
    first: Strings = {}
    for _ in fill_first_table(x, y, first):
        pass
    good = [(i, j, length) for i, j, length, is_block in nosub(x, y, first) if is_block]
    chains = [[length for _, _, length in chain] for chain in neighbour_chains(good)]
    # the paper's function `score`
    side = (len(x) * len(y)) ** 0.5
    s0 = max([0] + [sum(chain) for chain in chains])
    s1 = sum(length**2 for chain in chains for length in chain)
    s2 = sum(chain[t] * chain[t + 1] for chain in chains for t in range(len(chain) - 1))
    blocks = sorted((j - length, i - length, length) for i, j, length in good)
    return Table1(s0 / side, s1**0.5 / side, s2**0.5 / side, (s1 + s2) ** 0.5 / side, blocks)


def fill_first_table(x: Sequence[Hashable], y: Sequence[Hashable], first: Strings) -> Iterator[tuple[int, int]]:
    """Fill the table `first` with the runs of equal words, and yield each cell (i, j) that is filled.

    The table maps cell (i, j) to the run that ends there, where `i` words of the reference `x` and `j` words of the
    candidate `y` are read. A match extends the run that ends at cell (i − 1, j − 1)."""
    for i, j in _cells_by_column(len(x), len(y)):
        if x[i - 1] == y[j - 1]:
            first[i, j] = first.pop((i - 1, j - 1), [])
            first[i, j].append(x[i - 1])
            yield i, j


def nosub(x: Sequence[Hashable], y: Sequence[Hashable], first: Strings) -> Iterator[tuple[int, int, int, bool]]:
    """Yield the runs in the table `first`, the longest first, as (i, j, length, kept); the run ends at cell (i, j).

    A run is kept as a block if at least one of its words in `x`, and one in `y`, is in no block that was kept before.
    The name is that of Table 1."""
    strings = [(string, at) for at, string in first.items()]  # in the order in which they were matched
    xm, ym = [1 for _ in x], [1 for _ in y]
    xp, yp = [0 for _ in x], [0 for _ in y]
    strings.sort(key=lambda s: -len(s[0]))
    for string, (i, j) in strings:
        length = len(string)
        spend(1 + length // 10)
        good = bool(sum(xm[i - length : i]) and sum(ym[j - length : j]))
        if good:
            xm[i - length : i], ym[j - length : j] = xp[i - length : i], yp[j - length : j]
        yield i, j, length, good


def neighbour_chains(good: Sequence[Ended]) -> list[list[Ended]]:
    """Return the chains of neighbouring blocks, which the paper's second matching counts.

    Blocks are (i, j, length), where i and j are their ends in `x` and `y`. A block continues a chain if its rank by i
    and its rank by j are both one more than those of the chain's last block.

    >>> neighbour_chains([(2, 2, 2), (3, 4, 1)])
    [[(2, 2, 2), (3, 4, 1)]]
    """
    # the paper's function `rank`
    x_rank = {block: r for r, block in enumerate(sorted(good, key=lambda b: b[0]), 1)}
    y_rank = {block: r for r, block in enumerate(sorted(good, key=lambda b: b[1]), 1)}
    # the second matching
    second = {(x_rank[block], y_rank[block]): [block] for block in good}
    ranks = sorted(second, key=lambda at: (at[1], at[0]))
    for i, j in ranks:
        second[i, j] = second.pop((i - 1, j - 1), []) + second[i, j]
    return [second[at] for at in ranks if at in second]


def take_disjoint_blocks(x: Sequence[Hashable], y: Sequence[Hashable]) -> Iterator[tuple[Ended, list[Ended]]]:
    """Yield each block that the disjoint variant takes, with the list of all runs of unused words at that time.

    It replaces `nosub`: it takes the longest run of unused words again and again. Of equally long runs it takes the
    first by end in `y`, then in `x`.

    >>> [block for block, _ in take_disjoint_blocks("abc", "abxc")]
    [(2, 2, 2), (3, 4, 1)]
    """
    used_x: set[int] = set()
    used_y: set[int] = set()
    while True:
        spend(len(x) * len(y) // 10)
        lengths: dict[tuple[int, int], int] = {}
        for i, j in _cells_by_column(len(x), len(y)):
            if x[i - 1] == y[j - 1] and i not in used_x and j not in used_y:
                lengths[i, j] = lengths.pop((i - 1, j - 1), 0) + 1
        runs = [(i, j, length) for (i, j), length in lengths.items()]
        if not runs:
            return
        best = min(runs, key=lambda run: (-run[2], run[1], run[0]))
        yield best, runs
        used_x |= set(range(best[0] - best[2] + 1, best[0] + 1))
        used_y |= set(range(best[1] - best[2] + 1, best[1] + 1))


def _cells_by_column(lx: int, ly: int) -> Iterator[tuple[int, int]]:
    for j in range(1, ly + 1):
        spend(lx // 3)
        for i in range(1, lx + 1):
            yield i, j


# ---------------------------------------------------------------- step by step

#: Reasons why a run does not become a block, and why two blocks are not neighbours.
COVERED = "all its words in one of the sentences are covered"
APART = "another block lies between them, or their order is reversed"

#: The names of the formula's numbers that the step "parts" finds.
PARTS = ("words of the longest chain", "cs0", "cs1", "cs2")


def code(settings: Any) -> PseudoCode:
    if settings.overlap == "published":
        blocks = {
            "match": "each xᵢ = yⱼ:  t(i, j) ← t(i−1, j−1) + xᵢ   (Table 1, 1st cs)",
            "choose": "the longest runs first   (nosub)",
            "take": "    keep one if it has a free word in x and a free word in y",
            "drop": "    else drop it",
        }
    else:
        blocks = {
            "choose": "while words are free:  all runs of free words",
            "take": "    keep the longest and use its words",
        }
    return PseudoCode(
        **blocks,
        rank="number the blocks by their ends in x, and in y   (rank)",
        chain="neighbours:  both numbers rise by 1   (2nd cs)",
        apart="    else not",
        side="A ← √(|x| · |y|)",
        parts="cs0 ← longest chain / A,  cs1 ← √Σ l² / A,  cs2 ← √Σ l·l' / A   (score)",
        score="dcs ← √(cs1² + cs2²) = √(Σ l² + Σ l·l') / A",
        best="keep the reference with the best dcs",
    )


def steps(segment: Segment, settings: Any, score: Callable[[], Result]) -> Iterator[ProgramStep]:
    """Yield the steps of dcs's program: the comparison with each reference, then the choice of the best one."""
    comparisons = [_DcsComparison(segment, settings, k) for k in range(len(segment.references))]
    for one in comparisons:
        yield from one.steps()
    squares = [one.square for one in comparisons]
    best = comparisons[squares.index(max(squares))]  # exact, so that rounding does not decide
    values = [best.value if one.square == best.square else one.value for one in comparisons]
    choice = choose_reference(values, [one.taken for one in comparisons])
    result = score()
    assert same_cells(best.taken, result)
    yield best.last_step(choice, result)


class _DcsComparison:
    """The comparison of the candidate with reference `k`, from which the program's steps are made.

    Attributes:
        squares, products: the sums so far of squared block lengths, and of products of neighbouring blocks' lengths.
        value: the dcs score of these sums.
        square: the squared score times the candidate's length, as an exact fraction: the same for equal references."""

    def __init__(self, segment: Segment, settings: Any, k: int) -> None:
        self.segment, self.settings, self.k, self.lines = segment, settings, k, code(settings)
        self.x, self.y = segment.references[k], segment.candidate
        self.of = of_reference(k, segment)
        self.free = all_free(segment)
        self.taken: list[Mark] = []
        self.blocks: list[Ended] = []
        self.squares = self.products = 0
        self.known = unknown("A", *PARTS, "dcs") | {"n": len(self.y) or math.nan, "m": len(self.x) or math.nan}
        self.side = (len(self.x) * len(self.y)) ** 0.5

    @property
    def value(self) -> float:
        return float((self.squares + self.products) ** 0.5 / self.side) if self.side else 0.0

    @property
    def square(self) -> Fraction:
        return Fraction(self.squares + self.products, max(len(self.x), 1))

    def last_step(self, choice: Choice, result: Result) -> ProgramStep:
        """Return the last step of the trace, which chooses this reference as the best one."""
        _, text, considered_marks, others, decision = choice
        return self._step(text, "best", considered=considered_marks, rejected=others, decision=decision, result=result)

    def steps(self) -> Iterator[ProgramStep]:
        if self.settings.overlap == "published":
            yield from self._published_steps()
        else:
            yield from self._disjoint_steps()
        yield from self._neighbour_steps()

    def _run_mark(self, block: Ended) -> Run:
        i, j, length = block
        return Run(j - length, self.k, i - length, length)

    def _quote_block(self, block: Ended) -> str:
        return phrase(" ".join(self.x[block[0] - block[2] : block[0]]), 24)

    def _step(self, text: str, line: str, **more: Any) -> ProgramStep:
        known_values = {**self.known, "Σ l²": self.squares, "Σ l_1·l_2": self.products}
        marks = Prefix(self.taken)
        return ProgramStep(
            text,
            self.lines[line],
            taken_marks=marks,
            free=self.free,
            score=self.value,
            known_values=known_values,
            **more,
        )

    def _published_steps(self) -> Iterator[ProgramStep]:
        first: Strings = {}
        sheet = GrowingTable("words of the run", len(self.y) + 1, len(self.x) + 1, self.k)
        for i, j in fill_first_table(self.x, self.y, first):
            length, corner = len(first[i, j]), (j - 1, i - 1)
            sheet.fill(TableCell(j, i, length, (corner,) if length > 1 else ()))
            after = f"continues a run: {length} words" if length > 1 else "begins a run"
            text = f"{word(self.x[i - 1])} at ({i}, {j}) {after}."
            yield self._step(text, "match", considered=(Hit(j - 1, self.k, i - 1),), table=sheet.snapshot((j, i)))
        runs = [*nosub(self.x, self.y, first)]
        longest = f"; the longest has {count(runs[0][2], 'word')}" if runs else ""
        text = f"{count(len(runs), 'run')} of equal words{self.of and f' with{self.of[3:]}'}{longest}."
        marks = [self._run_mark((i, j, length)) for i, j, length, _ in runs]
        yield self._step(text, "choose", considered=marks, table=sheet.snapshot())
        for i, j, length, good in runs:
            block = i, j, length
            run = self._run_mark(block)
            if good:
                covered = length - len(self.free.candidate.intersection(range(j - length, j)))
                self._keep_block(block)
                size = f"{count(length, 'word')}{', some covered' if covered else ''}"
                text = f"{self._quote_block(block)} is a block of {size}."
                yield self._step(text, "take", considered=(run,))
            else:
                text = f"{self._quote_block(block)} is dropped: in one sentence all its words are covered."
                yield self._step(text, "drop", considered=(run,), rejected=(Rejected(run, COVERED),))

    def _disjoint_steps(self) -> Iterator[ProgramStep]:
        for block, runs in take_disjoint_blocks(self.x, self.y):
            marks = [self._run_mark(run) for run in runs]
            text = f"{count(len(runs), 'run')} of free words{self.of and f' with{self.of[3:]}'}."
            yield self._step(text, "choose", considered=marks)
            self._keep_block(block)
            block_run = self._run_mark(block)
            cells = block_run.cells()
            rows, columns = {cell.i for cell in cells}, {cell.j for cell in cells}
            spend(len(marks) + sum([length for _, _, length in runs]))
            lost = [
                mark
                for mark in marks
                if mark != block_run and any(cell.i in rows or cell.j in columns for cell in mark.cells())
            ]
            equal = tuple([mark for mark in marks if mark.length == block_run.length])
            yield self._step(
                f"{self._quote_block(block)} is the longest: a block of {count(block[2], 'word')}.",
                "take",
                considered=(block_run,),
                rejected=[Rejected(mark, CONFLICT) for mark in lost],
                decision=Decision("run", equal) if len(equal) > 1 else None,
            )

    def _keep_block(self, block: Ended) -> None:
        self.blocks.append(block)
        self.squares += block[2] ** 2
        self.taken.append(self._run_mark(block))
        self.free = self.free.without_marks(self._run_mark(block))

    def _neighbour_steps(self) -> Iterator[ProgramStep]:
        n, m = len(self.y), len(self.x)
        chains = neighbour_chains(self.blocks)
        follows = {(a, b) for chain in chains for a, b in pairwise(chain)}
        ordered = sorted(self.blocks, key=lambda block: block[1])
        places = {block: rank for rank, block in enumerate(sorted(self.blocks), 1)}
        text = " ".join([str(places[block]) for block in ordered][:7]) + (" …" if len(ordered) > 7 else "")
        text = f"The blocks' numbers in the reference, in the candidate's order: {text}."
        if not ordered:
            text = f"There is no block{self.of and f' with{self.of[3:]}'}."
        yield self._step(text, "rank", considered=Prefix(self.taken))
        for a, b in pairwise(ordered):
            pair = Neighbours(self._run_mark(a), self._run_mark(b))
            numbers = f"Numbers {places[a]} and {places[b]}"
            if (a, b) in follows:
                self.taken.append(pair)
                self.products += a[2] * b[2]
                text = f"{numbers}: neighbours, {a[2]} · {b[2]} = {a[2] * b[2]}."
                yield self._step(text, "chain", considered=(pair,))
            else:
                text = f"{numbers}: not neighbours."
                yield self._step(text, "apart", considered=(pair,), rejected=(Rejected(pair, APART),))
        squares, products, side = self.squares, self.products, self.side
        self.known |= {"A": side or math.nan}
        yield self._step(f"A{self.of} = √({m} · {n}) = {number(side)}.", "side")
        if self.blocks:
            longest = max(sum(block[2] for block in chain) for chain in chains)
            parts = (
                ("cs0", longest, longest),
                ("cs1", f"√{squares}", squares**0.5),
                ("cs2", f"√{products}", products**0.5),
            )
            text = ", ".join([f"{name} = {above}/A = {number(value / side)}" for name, above, value in parts])
            self.known |= dict(zip(PARTS, (longest, *[value / side for _, _, value in parts]), strict=True))
            yield self._step(f"{text}.", "parts")
        text = f"√({squares} + {products}) / {number(side)} = {number(self.value)}."
        if not side:
            text = f"dcs = 0: {describe_wordless_texts(self.segment, self.k)}."
        self.known |= {"dcs": self.value}
        yield self._step(text, "score")


PROGRAM = Program(code, steps)
