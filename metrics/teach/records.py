"""Defines questions, their possible answers, and the verdict on an answer.

Answers are strings, so a page, a saved file and a test all use the same form. A cell is `"I,K,J"`, a word is `"c3"` or
`"r0_5"`, as pictures name them. A cell of a table is `"t:ROW,COLUMN"`, a choice is its index from 0, and a number is as
typed. Several cells, in any order, are joined by spaces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..types import Mark

#: The kinds of answers: one cell, word or n-gram of the picture, several cells, one of the choices, or a number (also
#: for the value of a cell of a table).
Kind = Literal["cell", "word", "cells", "choice", "number"]


class AnswerVerdict(NamedTuple):
    """The verdict on a student's answer, with a reason.

    `how` is `right` for what the program does, `also` for another optimum, and `no` for anything else. `because` is one
    sentence, for `no` the rule that the answer breaks. `marks` are the cells that show it."""

    how: Literal["right", "also", "no"]
    because: str
    marks: tuple[Mark, ...] = ()


class AnswerValue(NamedTuple):
    """A number that a student may type, how far the typed number may be from it, and the verdict on it.

    It is the right number or one that a common mistake gives."""

    number: float
    tolerance: float
    verdict: AnswerVerdict


class CellSetRule(NamedTuple):
    """The rule that says which sets of cells are a right answer.

    No two cells may share a row or a column.

    Attributes:
        cells: the cells that may be chosen, with their weights.
        size: the number of cells, or their total weight, that the set must reach.
        rising: whether the cells must rise in both sentences: a later candidate word in a later reference word.
        power: if not 1, the weight of a set is the sum over its runs (cells that follow each other on a diagonal) of
            the run's weight to this power.
        chunks: maximum number of runs; None for no limit.
        gaps: whether the weight of each cell is divided by √(rows · columns), its distance from the cell before it or
            from the start."""

    cells: Mapping[str, float]
    size: float
    rising: bool = True
    power: float = 1.0
    chunks: int | None = None
    gaps: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a student, asked before a step of a trace is shown, or about a whole segment.

    Attributes:
        kind: how it is answered.
        shows: the answer that the “Show me” button gives.
        verdicts: verdicts for the answers that have their own sentence.
        otherwise: verdict for all other answers.
        step: index of the step; None for a question about a whole segment.
        choices: the choices, also in addition to answering in the picture or by a number, such as “none of them”.
        values: numbers with their verdicts, the right one first.
        rounded: whether a number may be rounded, to at least two decimals.
        rule: the rule for sets of cells.
        optimal: number of right answers, where a run counts once for all its cells; 0 if counting is too much work.
        words: words of the candidate and of each reference, if the answer is checked by `rule`.
        about: cells and words that are asked about, named as in answers.
        k: reference of the table, if a table is filled.
        asks: the question without the quoted sentences, which a page may show beside it.
        answer: the right number and how it is computed."""

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
