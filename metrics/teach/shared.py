"""Questions that several metrics share: sets of cells to draw, precision, recall, F, and the way back."""

from __future__ import annotations

from collections.abc import Sequence

from ..types import Mark
from .asking import cell_name, no, numeric
from .mistakes import of_f
from .records import CellSetRule, Question
from .steps import number


def draw(
    text: str, rule: CellSetRule, best: Sequence[Mark], words: tuple[tuple[str, ...], ...], optimal: int = 1
) -> Question:
    """A question for a set of cells that a rule judges; `best` shows one that is right."""
    shows = " ".join(sorted([cell_name(cell) for mark in best for cell in mark.cells()]))
    return Question(text, "cells", shows, {}, no("Draw it by its cells."), rule=rule, words=words, optimal=optimal)


# ---------------------------------------------------------------- numbers that several metrics share


def ratio(letter: str, value: float, above: float, total: float, other: float, whose: str, what: str) -> Question:
    """P or R as `what` divided by `whose`; the other total is the slip."""
    name = {"P": "precision P", "R": "recall R"}[letter]
    slips = [(above, "This is not divided yet.")]
    if other:
        slips.append((above / other, f"This is divided by the other length. {letter} divides by {whose}."))
    if above:
        slips.append((total / above, "This is turned around."))
    because = f"{number(above)} / {number(total)}: {what}, divided by {whose}."
    if not total:
        because = f"There is nothing to divide by, so {letter} is 0."
    return numeric(f"What is the {name}?", value, because, f"{letter} is {what}, divided by {whose}.", slips)


def f_mean(p: float, r: float, value: float) -> Question:
    """F as the harmonic mean of P and R, with the slips that exercises know of it."""
    return numeric(
        "What is F?", value, "It is the harmonic mean of P and R.", "F is 2PR / (P + R).", [*of_f(p, r, ("n", "m"))]
    )
