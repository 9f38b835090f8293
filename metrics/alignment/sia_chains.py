"""The chains of SIA: cells that rise in both sentences, of most credit, round after round until no word is left.

A cell earns s / √(Δi·Δj), where Δi and Δj are its distances from the cell before and s is 1 for equal words, else their
similarity. Figures 4 to 6 of Liu and Gildea (2006), Stochastic Iterative Alignment for Machine Translation Evaluation.
"""

from __future__ import annotations

import math
import sys
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from numbers import Real
from typing import NamedTuple, TypeAlias

from ..types import Segment, Tokens, TooHard, brief
from ..types.work import spend
from .bitext import indexed
from .edits import comparable
from .lcs import lcs_length, lcs_path

_SQRT2 = sqrt(2)

#: How alike two words are: a number of at least 0, the same in either order.
Similarity: TypeAlias = Callable[[str, str], float]

# ---------------------------------------------------------------- one round

#: Cells that a round searches at the most: about those of two texts of 2,000 letters. Where most words are alike the
#: search grows faster than the number of cells, and a page must not wait for hours.
CELLS_MOST = 300_000

#: The free cells of a candidate word in one reference: i, their columns, ascending, and the word's similarity to every
#: word of the reference, or None where the cells are hits.
Row: TypeAlias = tuple[int, list[int], list[float] | None]

#: The best chain that ends at a cell: i, j, the chain's credit, the similarity of the two words, the chain before.
Chain: TypeAlias = "tuple[int, int, float, float, Chain | None]"

#: A row whose chains are known: i, the columns, the chains, and the most credit of any chain up to this row.
Done: TypeAlias = tuple[int, list[int], list[Chain], float]

#: Where chains start from, just before both sentences.
_START: Chain = (-1, -1, 0.0, 1.0, None)


def best_chain(
    rows: Sequence[Row], row_chains: list[Done] | None = None, floor: float = 0.0, width: int = sys.maxsize
) -> Chain:
    """The rising chain of most credit through the cells of `rows`; the empty start where nothing earns any.

    Ties, between chains and between the predecessors of a cell, go to the cell of lowest i, then of lowest j. The
    result is that of an exhaustive search to the last bit, but only cells that can matter are looked at. `row_chains`,
    an empty list, receives the best chains of all cells.

    A `floor` spares work where no cell earns more than 1 and all columns lie below `width`: cells through which no
    chain can earn so much are left out. If the result earns less than the floor, so does every chain.

    The search is that of the plain recurrence, in which every cell looks back at all cells above and on the left:

        credit(i, j) = max(credit(i', j') + s / √((i - i')(j - j'))), starting from credit(-1, -1) = 0

    >>> from metrics.catalogue.sia import program as sia
    >>> ours, theirs = tuple("abcbdab"), tuple("bdcaabab")
    >>> (rows,) = free_rows(Segment(ours, (theirs,)))
    >>> chain = best_chain(rows)
    >>> (chain[2], path(chain)) == sia.best_chain(ours, theirs)
    True
    """
    row_chains = [] if row_chains is None else row_chains
    # The staircase: columns, ascending, and the chain of most credit that ends up to there. A row enters it from the
    # right, so that its cells see only the rows before.
    stairs, peaks = [-1], [_START]
    best, most = _START, 0.0
    last_row = last_column = -1  # the last of all cells so far
    outermost = True  # whether the best chain reaches both
    rows_left = len(rows)
    spend(rows_left)
    for i, columns, ratios in rows:
        j = columns[0]
        if outermost and j > last_column and j == columns[-1] and not ratios:
            # The only hit of its row, beyond all cells so far: other chains are farther away and earn less.
            most += 1.0 / sqrt((i - last_row) * (j - last_column))
            best = (i, j, most, 1.0, best)
            stairs.append(j)
            peaks.append(best)
            row_chains.append((i, columns, [best], most))
            last_row, last_column = i, j
            rows_left -= 1
            continue
        chains: list[Chain] = []
        for j in reversed(columns):
            ratio = ratios[j] if ratios else 1.0
            stair = bisect_left(stairs, j)
            before = peaks[stair - 1]
            last_i, last_j, credit, _, _ = before
            gap = (i - last_i) * (j - last_j)
            if gap == 1 and not ratios:  # no chain is nearer
                total = credit + 1.0
            else:
                columns_left = width - j
                if credit + (rows_left if rows_left < columns_left else columns_left) < floor:
                    continue
                total = credit + ratio / sqrt(gap)
                # Another chain can do as well only if it ends in a row or a column in between, or where the
                # difference is too small to be felt.
                if stair > 1 and (
                    last_i < last_row
                    or (last_j < last_column and last_j < j - 1)
                    or credit + ratio / sqrt(gap + 1) == total
                ):
                    total, before = _predecessor(row_chains, i, j, ratio, before, total)
            chain: Chain = (i, j, total, ratio, before)
            chains.append(chain)
            if stair == len(stairs):
                stairs.append(j)
                peaks.append(chain)
            else:
                end = stair
                while end < len(stairs) and peaks[end][2] <= total:
                    end += 1
                if end > stair or stairs[end] > j:
                    stairs[stair:end] = [j]
                    peaks[stair:end] = [chain]
            if total > most or (total == most and best[0] == i):
                best, most = chain, total
        rows_left -= 1
        if len(columns) > 2:
            spend(len(columns))
        if chains:
            chains.reverse()
            if len(chains) < len(columns):
                columns = [j for _, j, _, _, _ in chains]
            row_chains.append((i, columns, chains, most))
            last_row, last_column = i, max(last_column, columns[-1])
            outermost = best[0] == last_row and best[1] == last_column
    return best


def _predecessor(
    row_chains: list[Done], i: int, j: int, ratio: float, before: Chain, total: float
) -> tuple[float, Chain]:
    """The most credit that a chain can have at (i, j), and the chain before it.

    `before` is the chain of most credit among those left of j, and gives `total`. Another chain can do as well only
    if its gap product Δi·Δj is smaller: at most `limit`. Float addition and division never turn an order round, so
    that the limit misses nothing, not even a tie; among equals the last found, which is the first of the grid, wins.
    """
    last_i, last_j, most, _, _ = before
    limit = (i - last_i) * (j - last_j)
    if most + ratio / sqrt(limit + 1) == total:
        limit = sys.maxsize  # a similarity too small to be felt
    cells_scanned = 0  # rows and cells
    for row_i, columns, chains, peak in reversed(row_chains):
        down = i - row_i
        if down > limit:
            break
        cells_scanned += 1
        if columns[0] >= j:
            continue
        if peak < most and peak + ratio / sqrt(down) < total:
            break
        n = first = bisect_left(columns, j) - 1
        leftmost = j - limit // down
        while n >= 0 and (column := columns[n]) >= leftmost:
            reached = chains[n][2] + ratio / sqrt(down * (j - column))
            if reached >= total:
                before = chains[n]
                if reached > total:
                    total = reached
                    smaller = int((ratio / (total - most)) ** 2) + 1
                    if smaller < limit and most + ratio / sqrt(smaller + 1) < total:
                        limit = smaller
                        leftmost = j - limit // down
            n -= 1
        cells_scanned += first - n
    if cells_scanned > 2:
        spend(1 + cells_scanned // 3)
    return total, before


def _diagonal(length: int) -> Chain:
    """The chain of the cells (0, 0), (1, 1) and so on, which earn 1 each.

    It is the best chain where a reference of that length is the beginning of the candidate: every other chain of hits
    has fewer cells, or as many of which one earns at most 1/√2.
    """
    chain = _START
    for i in range(length):
        chain = (i, i, chain[2] + 1.0, 1.0, chain)
    return chain


def path(chain: Chain) -> list[tuple[int, int, float]]:
    """The cells (i, j) of a chain from the first on, with the credit that each earns: s / √(Δi·Δj)."""
    cells = []
    i, j, _, ratio, before = chain
    while before is not None:
        cells.append((i, j, ratio / sqrt((i - before[0]) * (j - before[1]))))
        i, j, _, ratio, before = before
    return cells[::-1]


def _is_whole(chain: Chain, words_left: Mapping[int, str]) -> bool:
    """Whether all candidate words of the chain are still left."""
    i, _, _, _, before = chain
    while before is not None:
        if i not in words_left:
            return False
        i, _, _, _, before = before
    return True


# ---------------------------------------------------------------- all rounds

#: What sums of credits are multiplied by before they serve as a floor, so that rounding cannot raise one too high.
_FLOOR = 1 - 1e-9


class _Open:
    """What is left to align in reference `k`, looked for no earlier than it has to be."""

    __slots__ = ("chain", "fresh", "k", "reference", "rows", "used_columns")

    def __init__(self, k: int, reference: Tokens, rows: list[Row] | None = None) -> None:
        self.k, self.reference = k, reference
        self.rows = rows  # None: those of equal words, not looked for yet
        self.fresh = rows is not None  # whether they take account of all words retired so far
        self.chain: Chain | None = None  # the best one, once it is known
        self.used_columns: set[int] = set()

    def refresh(self, words_left: Mapping[int, str]) -> list[Row]:
        """The rows of the candidate words in `words_left`, by position, without the columns of the last chain."""
        rows = (
            _equal_rows(words_left, self.reference)
            if self.rows is None
            else [row for row in self.rows if row[0] in words_left]
        )
        if rows and self.used_columns:
            used_columns, self.used_columns = self.used_columns, set()
            rows = [
                (i, free, ratios)
                for i, columns, ratios in rows
                if (free := [j for j in columns if j not in used_columns])
            ]
        self.rows, self.fresh = rows, True
        return rows

    def search(self, floor: float) -> float:
        """Find the best chain and return what it earns; where none earns `floor`, find none and return that.

        Raises TooHard where there are too many cells.
        """
        rows, width = self.rows or [], len(self.reference)
        if len(rows) * width > CELLS_MOST:
            cells = sum([len(columns) for _, columns, _ in rows])
            if cells > CELLS_MOST:
                raise TooHard(
                    f"SIA would have to search {cells:,} matches with reference {self.k + 1}, more than the "
                    f"{CELLS_MOST:,} that it can; shorten the texts, or compare words instead of characters"
                )
        chain = best_chain(rows, None, floor, width)
        if chain[2] < floor:
            return floor
        self.chain = chain
        return chain[2]

    def retire(self, words_left: Mapping[int, str]) -> None:
        """Forget the chain where one of its words is no longer in `words_left`."""
        if self.chain is None or not _is_whole(self.chain, words_left):
            self.chain, self.fresh = None, False


def _bound(rows: list[Row]) -> float:
    """What no chain through `rows` can exceed: what the rows earn if each follows the one before as closely as it can.

    Added up in the order of the chains, so that it holds for their floating sums to the last bit.
    """
    total = 0.0
    last_i, last_columns = -1, [-1]
    for i, columns, ratios in rows:
        most = max([ratios[j] for j in columns]) if ratios else 1.0
        down = i - last_i
        if down > 1:
            total += most / sqrt(down)
        elif columns[0] - 1 in last_columns or (
            len(columns) > 1 and not {j - 1 for j in columns}.isdisjoint(last_columns)
        ):
            total += most
        else:
            total += most / _SQRT2
        last_i, last_columns = i, columns
    return total


class Round(NamedTuple):
    """One round: the number of the reference that had the best chain, and the chain's cells with their credits."""

    k: int
    cells: list[tuple[int, int, float]]


def rounds(segment: Segment, similarity: Similarity | None = None, iterative: bool = True) -> list[Round]:
    """Figure 6: in each round the best chain over all references, whose words are then retired, until none earns any.

    One round only unless `iterative`. Ties go to the lowest reference. A reference is searched only while it could win
    the round, and searched again only when its chain has lost a word.
    """
    candidate, references = segment
    equal = similarity is None
    most: list[float]  # what the best chain of each reference earns or, until it is known, what none can exceed
    floor = 0.0  # no chain that earns less can win the round
    if equal:
        for k, reference in enumerate(references):
            if candidate and reference[: len(candidate)] == candidate:  # every word earns 1, which no other chain does
                return [Round(k, [(i, i, 1.0) for i in range(len(candidate))])]
        grids = [*map(_Open, range(len(references)), references)]
        most, floor = _limits(segment)
        for k, reference in enumerate(references):
            if candidate[: len(reference)] == reference:
                grids[k].chain, most[k] = _diagonal(len(reference)), float(len(reference))
    else:
        all_rows = free_rows(segment, similarity)
        grids = [*map(_Open, range(len(references)), references, all_rows)]
        most = [*map(_bound, all_rows)]
    contested = sum([limit > floor for limit in most]) > 1  # else a tighter limit helps nobody
    words_left = dict(enumerate(candidate))
    out: list[Round] = []
    while (limit := max(most)) > 0:
        k = most.index(limit)
        winner = grids[k]
        if winner.chain:
            cells = path(winner.chain)
            out.append(Round(k, cells))
            if winner.rows is None or len(winner.rows) == len(cells):  # no word is left
                most[k] = 0.0
            if not iterative or not any(most):
                break
            for i, j, _ in cells:
                del words_left[i]
                winner.used_columns.add(j)
            for grid in grids:
                grid.retire(words_left)
            floor, contested = 0.0, len(grids) > 1
        elif not winner.fresh:
            rows = winner.refresh(words_left)
            if contested or not rows:
                most[k] = min(limit, _bound(rows))
        else:
            most[k] = winner.search(floor)
            if equal and winner.chain:
                floor = max(floor, most[k] * _FLOOR)
    return out


def _limits(segment: Segment) -> tuple[list[float], float]:
    """What no chain of hits can exceed, for each reference, and a floor below the best chain of all.

    A chain of hits is a common subsequence of which each word earns at most 1; the floor is what a longest one earns.
    """
    candidate, references = comparable(*segment)
    limits = [float(len(candidate))]
    if len(references) > 1:
        limits = [float(lcs_length(candidate, reference)) for reference in references]
    floor = 0.0
    last_i = last_j = -1
    for i, j, length in lcs_path(candidate, references[limits.index(max(limits))]):
        floor += 1 / sqrt((i - last_i) * (j - last_j)) + length - 1
        last_i, last_j = i + length - 1, j + length - 1
    return limits, floor * _FLOOR


def free_rows(segment: Segment, similarity: Similarity | None = None) -> list[list[Row]]:
    """The cells of each reference before the first round."""
    candidate, references = segment
    if similarity is None:
        words = dict(enumerate(candidate))
        return [_equal_rows(words, reference) for reference in references]
    ratio = _remembered(similarity)
    return [_similar_rows(candidate, reference, ratio) for reference in references]


def _equal_rows(words: Mapping[int, str], reference: Tokens) -> list[Row]:
    """The hits of candidate words, given by position."""
    places: dict[str, list[int]] = {word: [] for word in words.values()}
    for j, word in enumerate(reference):
        if word in places:
            places[word].append(j)
    return [(i, columns, None) for i, word in words.items() if (columns := places[word])]


def _similar_rows(candidate: Tokens, reference: Tokens, ratio: Similarity) -> list[Row]:
    row_by_word: dict[str, tuple[list[int], list[float]]] = {}
    for word in candidate:
        if word not in row_by_word:
            spend(len(indexed(reference).places))
            of = {other: 1.0 if other == word else ratio(word, other) for other in indexed(reference).places}
            ratios = [of[other] for other in reference]
            row_by_word[word] = [j for j, r in enumerate(ratios) if r > 0], ratios
    return [(i, *row_by_word[word]) for i, word in enumerate(candidate) if row_by_word[word][0]]


def _remembered(similarity: Similarity) -> Similarity:
    """`similarity`, asked once for each pair of words in either order, its answers checked."""
    ratio_by_pair: dict[tuple[str, str], float] = {}

    def ratio(a: str, b: str) -> float:
        pair = (a, b) if a < b else (b, a)
        if pair not in ratio_by_pair:
            value = similarity(a, b)
            if not isinstance(value, Real) or not 0 <= value < math.inf:
                raise ValueError(
                    f"similarity must be a finite number of at least 0, got {brief(value)} for {a!r}, {b!r}"
                )
            ratio_by_pair[pair] = float(value)
        return ratio_by_pair[pair]

    return ratio
