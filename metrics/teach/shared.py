"""Makes questions that several metrics share: sets of cells to draw, precision, recall and F."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..types import Mark
from .asking import cell_name, no, numeric
from .mistakes import f_slips
from .records import CellSetRule, Question
from .steps import number


def cell_set_question(
    text: str, rule: CellSetRule, best: Sequence[Mark], words: tuple[tuple[str, ...], ...], optimal: int = 1
) -> Question:
    """Return a question that is answered by a set of cells of the grid.

    `rule` says which sets are right, and `best` are the marks of a right one. `words` are those of the candidate and of
    each reference, and `optimal` is the number of right answers."""
    shows = " ".join(sorted([cell_name(cell) for mark in best for cell in mark.cells()]))
    return Question(
        text, "cells", shows, {}, no("Choose its cells in the grid."), rule=rule, words=words, optimal=optimal
    )


def cells_of_equal_words(candidate: Sequence[str], references: Mapping[int, Sequence[str]]) -> dict[str, float]:
    """Return the weight 1 for each cell of the grid in which equal words meet, by the name of the cell."""
    return {
        cell_name((i, k, j)): 1.0
        for k, reference in references.items()
        for i, ours in enumerate(candidate)
        for j, theirs in enumerate(reference)
        if ours == theirs
    }


# ---------------------------------------------------------------- numbers that several metrics share


def ratio_question(
    letter: str, value: float, above: float, total: float, other: float, whose: str, what: str
) -> Question:
    """Return the question for P or R, which is `what` divided by `whose`; both are phrases.

    `value` is the answer, `above` the numerator and `total` the denominator. Dividing by `other`, the length of the
    other text, is a slip."""
    name = {"P": "precision P", "R": "recall R"}[letter]
    slips = [(above, "This is not divided yet.")]
    if other:
        slips.append((above / other, f"This is divided by the other length. {letter} divides by {whose}."))
    if above:
        slips.append((total / above, "The fraction is upside down."))
    because = f"{number(above)} / {number(total)}: {what}, divided by {whose}."
    if not total:
        because = f"There is nothing to divide by, so {letter} is 0."
    return numeric(f"What is the {name}?", value, because, f"{letter} is {what}, divided by {whose}.", slips)


def f_question(p: float, r: float, value: float) -> Question:
    """Return the question for F, whose `value` is the harmonic mean of P and R; it recognises common mistakes."""
    return numeric(
        "What is F?", value, "It is the harmonic mean of P and R.", "F is 2PR / (P + R).", [*f_slips(p, r, ("n", "m"))]
    )
