"""A question, what may be answered, and how an answer is judged.

Answers are texts, so that a page, a saved file and a test give them alike: a cell is `"I,K,J"` and a word `"c3"` or
`"r0_5"`, as pictures name them, a cell of a table is `"t:ROW,COLUMN"`, a choice its number from 0 on, a number as it is
typed. Several of them, in any order, are joined by spaces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..types import Mark

#: What is answered: one cell, word or n-gram of the picture, several cells, a value for a cell of a table, one of the
#: choices, or a number.
Kind = Literal["cell", "word", "cells", "choice", "number"]


class AnswerVerdict(NamedTuple):
    """How an answer is judged: `right` is what the program does, `also` another optimum, `no` neither.

    `because` is one sentence: for `no` the rule that the answer breaks. `marks` are the cells that show it.
    """

    how: Literal["right", "also", "no"]
    because: str
    marks: tuple[Mark, ...] = ()


class AnswerValue(NamedTuple):
    """A number that may be typed, how far another may be from it, and its verdict: the right one, or a slip."""

    number: float
    tolerance: float
    verdict: AnswerVerdict


class CellSetRule(NamedTuple):
    """Which sets of cells are right: `size` of the `cells` (or of weight `size`, where they have weights), no two in
    one row or column, and rising in both sentences where `rising`.

    Where `power` is not 1, the weight of a set is the sum over its runs, cells that follow each other on a diagonal, of
    the weight of the run's cells to this power. Where `chunks` is given, the set has no more runs than so many. With
    `gaps` the weight of each cell is divided by √(rows · columns) from the cell before it, or from the start.
    """

    cells: Mapping[str, float]
    size: float
    rising: bool = True
    power: float = 1.0
    chunks: int | None = None
    gaps: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked before the step with number `step` of a trace is shown (None: about a whole segment).

    `verdicts` judges every answer that is worth a sentence of its own, `otherwise` all the rest; `values` judges
    numbers, the right one first, of which two decimals are asked for where they are to be `rounded`; `rule` sets of
    cells. `shows` is the answer that "Show me" gives, `optimal` how many answers are right, a run being one whichever
    of its cells is clicked, and 0 where counting takes too much work. A question that is answered in the picture or by
    a number may have `choices` beside that, such as “none of them”.
    `words` are those of the candidate and of each reference, where `rule` judges. `about` are the cells and words that
    are asked about, named as in answers, and `k` is the reference whose table it is, where a table is filled. `asks` is
    the question alone where `text` quotes sentences, which a page may show beside it, and `answer` is the right number
    with how it is computed, without a word of praise.
    """

    text: str
    kind: Kind
    shows: str
    verdicts: Mapping[str, AnswerVerdict]
    otherwise: AnswerVerdict
    step: int | None = None
    choices: tuple[str, ...] = ()
    values: tuple[AnswerValue, ...] = ()
    rounded: bool = False
    rule: CellSetRule | None = None
    optimal: int = 1
    words: tuple[tuple[str, ...], ...] = ()
    about: tuple[str, ...] = ()
    k: int | None = None
    asks: str = ""
    answer: str = ""
