"""The chains of SIA: cells that ascend in both sentences, with the most credit, found in rounds until no word is left.

A cell earns s / √(Δi·Δj), where Δi and Δj are its distances from the previous cell, and s is 1 for equal words, else
their similarity. Figures 4 to 6 of Liu and Gildea (2006), Stochastic Iterative Alignment for Machine Translation
Evaluation.
"""

from __future__ import annotations

import math
import sys
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from numbers import Real
from typing import NamedTuple, TypeAlias

from ..types import Segment, Tokens, TooHard, brief_repr
from ..types.work import spend
from .bitext import indexed
from .edits import make_comparable
from .lcs import lcs_length, lcs_path

_SQRT2 = sqrt(2)

#: A function that returns the similarity of two words: at least 0, and the same in either order.
Similarity: TypeAlias = Callable[[str, str], float]

# ---------------------------------------------------------------- one round

#: The most cells that a round searches: about as many as two texts of 2,000 letters have. Where most words are similar,
#: the search time grows faster than the number of cells, and a page must not wait for hours.
CELLS_MOST = 300_000

#: The free cells of a candidate word in one reference: i, the columns of the cells, ascending, and the similarities of
#: the word to all words of the reference, or None where all cells are hits.
Row: TypeAlias = tuple[int, list[int], list[float] | None]

#: The best chain that ends at a cell: i, j, the chain's credit, the similarity of the two words, the preceding chain.
Chain: TypeAlias = "tuple[int, int, float, float, Chain | None]"

#: A row whose chains are known: i, the columns, the chains, and the largest credit of any chain up to this row.
RowChains: TypeAlias = tuple[int, list[int], list[Chain], float]

#: The empty chain, which ends just before both sentences.
_START: Chain = (-1, -1, 0.0, 1.0, None)


def best_chain(
    rows: Sequence[Row], row_chains: list[RowChains] | None = None, floor: float = 0.0, width: int = sys.maxsize
) -> Chain:
    """Return the ascending chain with the most credit through the cells of `rows`; the empty chain if none earns any.

    Ties, between chains and between the predecessors of a cell, go to the cell of lowest i, then of lowest j. The
    result is that of an exhaustive search to the last bit, but only cells that can matter are visited. An empty list
    passed as `row_chains` receives the best chain of every visited cell.

    A `floor`, a credit that is known to be possible, saves work if no cell earns more than 1 and all columns are below
    `width`: cells through which no chain can reach the floor are skipped. If the result earns less than the floor, so
    does every chain.

    The search computes the plain recurrence, in which every cell considers all cells above and to the left:

        credit(i, j) = max(credit(i', j') + s / √((i - i')(j - j'))), starting from credit(-1, -1) = 0

    >>> from metrics.catalogue.sia import program as sia
    >>> ours, theirs = tuple("abcbdab"), tuple("bdcaabab")
    >>> (rows,) = rows_before_first_round(Segment(ours, (theirs,)))
    >>> chain = best_chain(rows)
    >>> (chain[2], chain_cells(chain)) == sia.best_chain(ours, theirs)
    True
    """
    row_chains = [] if row_chains is None else row_chains
    # The staircase: ascending columns, each with the chain of most credit that ends at or before it. The cells of a row
    # are entered from right to left, so that they only see earlier rows.
    stairs, peaks = [-1], [_START]
    best, most = _START, 0.0
    last_row = last_column = -1  # the largest row and column of all cells so far
    outermost = True  # whether the best chain ends at both
    rows_left = len(rows)
    spend(rows_left)
    for i, columns, ratios in rows:
        j = columns[0]
        if outermost and j > last_column and j == columns[-1] and not ratios:
            # The only hit of its row, beyond all earlier cells: all other chains end farther away and earn less.
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
            if gap == 1 and not ratios:  # no chain can end nearer
                total = credit + 1.0
            else:
                columns_left = width - j
                if credit + (rows_left if rows_left < columns_left else columns_left) < floor:
                    continue
                total = credit + ratio / sqrt(gap)
                # Another chain can be equally good only if it ends in a row or column in between, or if rounding
                # hides the difference.
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
    row_chains: list[RowChains], i: int, j: int, ratio: float, before: Chain, total: float
) -> tuple[float, Chain]:
    """Return the most credit that a chain ending at (i, j) can have, and the chain that precedes this cell.

    `row_chains` are the chains of all earlier rows, and `ratio` is the similarity of the two words of the cell.
    `before` is the chain with the most credit of those left of j, and leads to the credit `total`. Another chain can be
    equally good only if its gap product Δi·Δj is smaller, that is at most `limit`. Floating-point addition and division
    never reverse an order, so the limit excludes no better chain and no tie. On ties the last one found, which is the
    first in the grid, wins.
    """
    last_i, last_j, most, _, _ = before
    limit = (i - last_i) * (j - last_j)
    if most + ratio / sqrt(limit + 1) == total:
        limit = sys.maxsize  # the similarity is so small that rounding hides it
    cells_scanned = 0  # the number of visited rows and cells
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


def _diagonal_chain(length: int) -> Chain:
    """Return the chain of the cells (0, 0), (1, 1) and so on, `length` cells that earn 1 each.

    It is the best chain if a reference of this length is a prefix of the candidate: every other chain of hits has fewer
    cells, or as many, of which one earns at most 1/√2.
    """
    chain = _START
    for i in range(length):
        chain = (i, i, chain[2] + 1.0, 1.0, chain)
    return chain


def chain_cells(chain: Chain) -> list[tuple[int, int, float]]:
    """Return the cells of a chain in order, as (i, j, credit).

    The credit of a cell is s / √(Δi·Δj): the similarity of its words over the root of its distances from the previous
    cell.
    """
    cells = []
    i, j, _, ratio, before = chain
    while before is not None:
        cells.append((i, j, ratio / sqrt((i - before[0]) * (j - before[1]))))
        i, j, _, ratio, before = before
    return cells[::-1]


def _is_still_free(chain: Chain, words_left: Mapping[int, str]) -> bool:
    """Return whether no candidate word of the chain has been aligned yet.

    `words_left` has the words that are still free, by position.
    """
    i, _, _, _, before = chain
    while before is not None:
        if i not in words_left:
            return False
        i, _, _, _, before = before
    return True


# ---------------------------------------------------------------- all rounds

#: The factor that lowers a sum of credits before it serves as a floor, so that rounding cannot make the floor too high.
_FLOOR = 1 - 1e-9


class _OpenReference:
    """The words of one reference that are not aligned yet, between two rounds of SIA.

    Its rows (the cells of each candidate word) and its best chain are computed as late as possible.
    """

    __slots__ = ("chain", "fresh", "k", "reference", "rows", "used_columns")

    def __init__(self, k: int, reference: Tokens, rows: list[Row] | None = None) -> None:
        """Start with all words of reference `k` unaligned.

        `rows` are the cells of each candidate word, or None to search for equal words only when that is needed.
        """
        self.k, self.reference = k, reference
        self.rows = rows  # None: the rows of equal words, which have not been searched yet
        self.fresh = rows is not None  # whether the rows exclude all words that have been aligned so far
        self.chain: Chain | None = None  # the best chain, once it is known
        self.used_columns: set[int] = set()

    def remove_aligned_cells(self, words_left: Mapping[int, str]) -> list[Row]:
        """Remove the cells of words that have been aligned from the rows, and return the rows.

        `words_left` has the candidate words that are still free, by position.
        """
        rows = (
            _rows_of_equal_words(words_left, self.reference)
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

    def find_best_chain(self, floor: float) -> float:
        """Find the best chain of this reference, store it and return its credit.

        If no chain reaches the credit `floor`, store none and return `floor`. Raises TooHard if there are too many
        cells.
        """
        rows, width = self.rows or [], len(self.reference)
        if len(rows) * width > CELLS_MOST:
            cells = sum([len(columns) for _, columns, _ in rows])
            if cells > CELLS_MOST:
                raise TooHard(
                    f"SIA would have to search {cells:,} matches with reference {self.k + 1}, more than the "
                    f"{CELLS_MOST:,} that it can search; shorten the texts, or compare words instead of characters"
                )
        chain = best_chain(rows, None, floor, width)
        if chain[2] < floor:
            return floor
        self.chain = chain
        return chain[2]

    def drop_broken_chain(self, words_left: Mapping[int, str]) -> None:
        """Drop the chain if one of its candidate words has been aligned, that is if it is no longer in `words_left`."""
        if self.chain is None or not _is_still_free(self.chain, words_left):
            self.chain, self.fresh = None, False


def _credit_bound(rows: list[Row]) -> float:
    """Return an upper bound on the credit of any chain through `rows`.

    It is the credit that the rows earn if each follows the previous one as closely as possible.

    It is summed in the order of the chains, so that it also bounds their floating-point sums to the last bit.
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
    """A round of SIA: the index of the reference with the best chain, and the cells of that chain as (i, j, credit)."""

    k: int
    cells: list[tuple[int, int, float]]


def rounds(segment: Segment, similarity: Similarity | None = None, iterative: bool = True) -> list[Round]:
    """Return the rounds of SIA (Figure 6).

    In each round the best chain over all references is taken, and its words are removed. The rounds end when no chain
    earns any credit, or after the first one unless `iterative`. `similarity` is the similarity of two different words;
    None means that only equal words match. Ties go to the lowest reference.

    A reference is searched only if it could win the round, and searched again only if its chain has lost a word.
    """
    candidate, references = segment
    equal = similarity is None
    most: list[float]  # for each reference, the credit of its best chain, or an upper bound until that is known
    floor = 0.0  # a chain with less credit cannot win the round
    if equal:
        for k, reference in enumerate(references):
            if candidate and reference[: len(candidate)] == candidate:  # every word earns 1, the most possible
                return [Round(k, [(i, i, 1.0) for i in range(len(candidate))])]
        grids = [*map(_OpenReference, range(len(references)), references)]
        most, floor = _credit_limits_and_floor(segment)
        for k, reference in enumerate(references):
            if candidate[: len(reference)] == reference:
                grids[k].chain, most[k] = _diagonal_chain(len(reference)), float(len(reference))
    else:
        all_rows = rows_before_first_round(segment, similarity)
        grids = [*map(_OpenReference, range(len(references)), references, all_rows)]
        most = [*map(_credit_bound, all_rows)]
    contested = sum([limit > floor for limit in most]) > 1  # else a tighter limit saves no work
    words_left = dict(enumerate(candidate))
    out: list[Round] = []
    while (limit := max(most)) > 0:
        k = most.index(limit)
        winner = grids[k]
        if winner.chain:
            cells = chain_cells(winner.chain)
            out.append(Round(k, cells))
            if winner.rows is None or len(winner.rows) == len(cells):  # no word is left
                most[k] = 0.0
            if not iterative or not any(most):
                break
            for i, j, _ in cells:
                del words_left[i]
                winner.used_columns.add(j)
            for grid in grids:
                grid.drop_broken_chain(words_left)
            floor, contested = 0.0, len(grids) > 1
        elif not winner.fresh:
            rows = winner.remove_aligned_cells(words_left)
            if contested or not rows:
                most[k] = min(limit, _credit_bound(rows))
        else:
            most[k] = winner.find_best_chain(floor)
            if equal and winner.chain:
                floor = max(floor, most[k] * _FLOOR)
    return out


def _credit_limits_and_floor(segment: Segment) -> tuple[list[float], float]:
    """Return an upper bound on the credit of the chains of each reference, and a credit that some chain reaches.

    Both are for chains of equal words. Such a chain is a common subsequence in which each word earns at most 1. The
    second value is the credit of a longest common subsequence; it serves as a floor for the search.
    """
    candidate, references = make_comparable(*segment)
    limits = [float(len(candidate))]
    if len(references) > 1:
        limits = [float(lcs_length(candidate, reference)) for reference in references]
    floor = 0.0
    last_i = last_j = -1
    for i, j, length in lcs_path(candidate, references[limits.index(max(limits))]):
        floor += 1 / sqrt((i - last_i) * (j - last_j)) + length - 1
        last_i, last_j = i + length - 1, j + length - 1
    return limits, floor * _FLOOR


def rows_before_first_round(segment: Segment, similarity: Similarity | None = None) -> list[list[Row]]:
    """Return the rows of each reference before the first round: the cells that each candidate word could align there.

    `similarity` is the similarity of two different words; None means that only equal words match.
    """
    candidate, references = segment
    if similarity is None:
        words = dict(enumerate(candidate))
        return [_rows_of_equal_words(words, reference) for reference in references]
    ratio = _cached_similarity(similarity)
    return [_rows_of_similar_words(candidate, reference, ratio) for reference in references]


def _rows_of_equal_words(words: Mapping[int, str], reference: Tokens) -> list[Row]:
    """Return the rows of cells with equal words. `words` are the candidate words by position."""
    places: dict[str, list[int]] = {word: [] for word in words.values()}
    for j, word in enumerate(reference):
        if word in places:
            places[word].append(j)
    return [(i, columns, None) for i, word in words.items() if (columns := places[word])]


def _rows_of_similar_words(candidate: Tokens, reference: Tokens, ratio: Similarity) -> list[Row]:
    """Return the rows of cells with equal or similar words.

    Each row also has the similarity of its candidate word to all reference words, which `ratio` computes.
    """
    row_by_word: dict[str, tuple[list[int], list[float]]] = {}
    for word in candidate:
        if word not in row_by_word:
            spend(len(indexed(reference).positions_by_word))
            of = {other: 1.0 if other == word else ratio(word, other) for other in indexed(reference).positions_by_word}
            ratios = [of[other] for other in reference]
            row_by_word[word] = [j for j, r in enumerate(ratios) if r > 0], ratios
    return [(i, *row_by_word[word]) for i, word in enumerate(candidate) if row_by_word[word][0]]


def _cached_similarity(similarity: Similarity) -> Similarity:
    """Return `similarity` with a cache for pairs of words in either order.

    The returned function raises ValueError if a similarity is not a finite number of at least 0.
    """
    ratio_by_pair: dict[tuple[str, str], float] = {}

    def ratio(a: str, b: str) -> float:
        pair = (a, b) if a < b else (b, a)
        if pair not in ratio_by_pair:
            value = similarity(a, b)
            if not isinstance(value, Real) or not 0 <= value < math.inf:
                raise ValueError(
                    f"similarity must be a finite number of at least 0, got {brief_repr(value)} for {a!r}, {b!r}"
                )
            ratio_by_pair[pair] = float(value)
        return ratio_by_pair[pair]

    return ratio
