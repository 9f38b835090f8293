"""List the slips that can be made on dcs: wrong numbers, each with the sentence that names the mistake."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from ...formula import format_number
from ...teach.mistakes import RawSlips, count_of_words, reference_name
from ...types import Metric, Neighbours, Result, Run


def slips(metric: Metric, result: Result) -> RawSlips:
    stats, parts = result.stats, result.parts
    n, m, squares, products = (stats[k] for k in ("candidate_length", "reference_length", "squares", "products"))
    if not n or not m or not squares:
        return
    side, root = math.sqrt(n * m), math.sqrt(squares + products)
    yield from root_slip(squares, products, side)
    if products:
        yield from squares_slip(squares, side)
        yield parts["cs1"] + parts["cs2"], "Added cs1 and cs2: squares and products are added before the root is taken."
        yield parts["cs2"], "That is cs2, the neighbours alone: the squares of the blocks count too."
        twice = math.sqrt(squares + 2 * products) / side
        yield (
            twice,
            "Counted the neighbours twice: two blocks that follow each other add the product of their lengths once.",
        )
    else:
        pairs = _products_of_non_neighbours(result)
        yield math.sqrt(squares + pairs) / side, "Multiplied blocks that do not follow each other in both sentences."
    yield root / n, f"Divided by the candidate's {count_of_words(n)}: dcs divides by √(n·m)."
    yield (
        root / m,
        f"Divided by {reference_name(result.segment.references, result.decides['score'])}'s {count_of_words(m)}: "
        "dcs divides by √(n·m).",
    )
    yield 2 * root / (n + m), "Divided by the mean of the two lengths: dcs divides by √(n·m)."
    yield root / (n * m), "Divided by n·m: dcs divides by √(n·m)."
    yield parts["cs0"], "That is cs0, the longest chain: dcs takes all blocks."
    blocks = [mark.length for mark in result.layers[0].marks if isinstance(mark, Run)]
    yield from lengths_slip(blocks, side)


def root_slip(squares: float, products: float, side: float) -> RawSlips:
    """Yield the score that comes from forgetting the square root, with the sentence that explains the mistake.

    `side` is A = √(m·n), by which dcs divides."""
    yield (
        (squares + products) / side,
        f"Forgot the root: dcs takes √({format_number(squares)} + {format_number(products)}).",
    )


def squares_slip(squares: float, side: float) -> RawSlips:
    """Yield the score that comes from counting only the squares of the blocks, without the products of neighbours.

    `side` is A = √(m·n), by which dcs divides. The sentence that explains the mistake comes with the score."""
    explanation = "That is cs1, the squares of the blocks alone: blocks that follow each other count too."
    yield math.sqrt(squares) / side, explanation


def lengths_slip(lengths: Sequence[float], side: float) -> RawSlips:
    """Yield the score that comes from adding up the blocks' lengths instead of their squares.

    `side` is A = √(m·n), by which dcs divides. The sentence that explains the mistake comes with the score."""
    yield sum(lengths) / side, "Counted the words of the blocks: a block counts the square of its length."


def _products_of_non_neighbours(result: Result) -> float:
    """Return the sum of the length products of blocks that are consecutive in the candidate but are not neighbours.
    END"""
    blocks = [mark for mark in result.layers[0].marks if isinstance(mark, Run)]
    neighbours = {(pair.first, pair.second) for pair in result.layers[1].marks if isinstance(pair, Neighbours)}
    return sum([a.length * b.length for a, b in pairwise(blocks) if (a, b) not in neighbours])
