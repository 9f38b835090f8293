"""Judges answers, and converts questions to plain data from which a page without a server can judge in the same way."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from ..formula import plural
from ..types import Edit, Hit, Mark
from ..types.work import spend
from .records import AnswerVerdict, CellSetRule, Question
from .steps import number, word
from .typed import judge_number

#: Weights whose relative difference is smaller are equal up to rounding.
ROUNDING = 1e-12

_CELL = re.compile(r"[0-9]{1,6},[0-9]{1,6},[0-9]{1,6}")


def judge(question: Question, answer: str) -> AnswerVerdict:
    """Return whether an answer is right, equally good or not yet right, and why.

    Answers are written as `records` describes. The order of several parts, and spaces, do not matter. Numbers are
    judged by `typed.judge_number`. An answer that cannot be parsed is not yet right; nothing is raised.

    >>> no = AnswerVerdict("no", "It is 2.")
    >>> question = Question("1 + 1?", "choice", "0", {"0": AnswerVerdict("right", "Yes.")}, no, choices=("2", "3"))
    >>> judge(question, " 0 ").how, judge(question, "1").because
    ('right', 'It is 2.')
    """
    given = canonical(answer)
    if given in question.verdicts:
        return question.verdicts[given]
    if question.values:
        try:
            return judge_number(question, answer)
        except ValueError as error:
            return AnswerVerdict("no", str(error))
    if question.rule and given:
        return _judge_cells(question, question.rule, given)
    return question.otherwise


def canonical(answer: str) -> str:
    """Return an answer with its parts sorted and without duplicates.

    >>> canonical(" 1,0,1  0,0,0 1,0,1")
    '0,0,0 1,0,1'
    """
    return " ".join(sorted({*answer.split()}))


# ---------------------------------------------------------------- sets of cells


def _judge_cells(question: Question, rule: CellSetRule, given: str) -> AnswerVerdict:
    """Return the verdict on a set of cells by its rule: hits, no word twice, in rising order, as large as the best."""
    names = given.split(" ")
    if not all(_CELL.fullmatch(name) for name in names):
        return question.otherwise
    cells = sorted([Hit(*map(int, name.split(","))) for name in names])
    broken = _broken_rule(question, rule, cells)
    if broken:
        return broken
    runs = runs_of(cells)
    weight = weight_of(rule, runs)
    marks = tuple(cells)
    if rule.chunks is not None and len(runs) > rule.chunks and weight >= rule.size * (1 - ROUNDING):
        fewer = f"{rule.chunks} {plural(rule.chunks, 'chunk')}"
        return AnswerVerdict("no", f"These are {len(runs)} chunks; as many words can match in {fewer}.", marks)
    if weight < rule.size * (1 - ROUNDING):
        if rule.power == 1 and not rule.gaps and {*rule.cells.values()} == {1}:
            return AnswerVerdict(
                "no", f"This has {len(cells)} {plural(len(cells), 'word')}; {number(rule.size)} are possible.", marks
            )
        return AnswerVerdict("no", f"This is worth {number(weight)}; {number(rule.size)} is possible.", marks)
    if given == canonical(question.shows):
        return AnswerVerdict("right", "This is what the program takes.", marks)
    return AnswerVerdict("also", "As good as what the program takes.", marks)


def _broken_rule(question: Question, rule: CellSetRule, cells: list[Hit]) -> AnswerVerdict | None:
    """Return the verdict for the first rule that a set of cells breaks; None if it breaks none."""
    rows: dict[int, Hit] = {}
    columns: dict[tuple[int, int], Hit] = {}
    for cell in cells:
        if f"{cell.i},{cell.k},{cell.j}" not in rule.cells:
            return AnswerVerdict("no", _why_no_match(question, rule, cell), (cell,))
        twice = rows.setdefault(cell.i, cell), columns.setdefault(cell[1:], cell)
        for other in twice:
            if other != cell:
                name = _quote(question, cell)
                return AnswerVerdict("no", f"{name} is used twice: each word matches once at the most.", (other, cell))
    if rule.rising:
        for before, cell in pairwise(cells):
            if before.k != cell.k:
                return AnswerVerdict(
                    "no", "These words lie in two references; one is compared at a time.", (before, cell)
                )
            if cell.j <= before.j:
                text = f"{_quote(question, cell)} falls: in the reference it stands before {_quote(question, before)}."
                return AnswerVerdict("no", text, (before, cell))
    return None


def _quote(question: Question, cell: Hit) -> str:
    """Return the candidate word of a cell in quotation marks, or “This word” if it is not known."""
    return word(question.words[0][cell.i]) if question.words and cell.i < len(question.words[0]) else "This word"


def _why_no_match(question: Question, rule: CellSetRule, cell: Hit) -> str:
    """Return the reason why a cell cannot be part of the set."""
    words = question.words
    if len(words) <= cell.k + 1 or cell.i >= len(words[0]) or cell.j >= len(words[cell.k + 1]):
        return "There is no such cell."
    ours, theirs = words[0][cell.i], words[cell.k + 1][cell.j]
    if ours == theirs and any(name.split(",")[1] == str(cell.k) for name in rule.cells):
        return f"{word(ours)} has retired: only free words match now."
    if ours == theirs:
        return f"{word(ours)} is equal, but this question is about another reference."
    return f"{word(ours)} and {word(theirs)} do not match."


def runs_of(cells: Iterable[Hit]) -> list[list[Hit]]:
    """Return sorted cells grouped into runs: cells that follow each other on a diagonal.

    >>> runs_of([Hit(0, 0, 2), Hit(1, 0, 0), Hit(1, 0, 3)])
    [[Hit(i=0, k=0, j=2), Hit(i=1, k=0, j=3)], [Hit(i=1, k=0, j=0)]]
    """
    out: dict[Hit, list[Hit]] = {}
    for cell in cells:
        run = out.pop(Hit(cell.i - 1, cell.k, cell.j - 1), [])
        out[cell] = [*run, cell]
    return sorted(out.values())


def weight_of(rule: CellSetRule, runs: Iterable[Iterable[Hit]]) -> float:
    """Return the weight of a set of cells by a rule."""
    if rule.gaps:
        path = [Hit(-1, 0, -1), *sorted([cell for run in runs for cell in run])]
        return math.fsum(
            [rule.cells[f"{b.i},{b.k},{b.j}"] / math.sqrt((b.i - a.i) * (b.j - a.j)) for a, b in pairwise(path)]
        )
    each = [sum([rule.cells[f"{cell.i},{cell.k},{cell.j}"] for cell in run]) for run in runs]
    return math.fsum([weight**rule.power for weight in each])


# ---------------------------------------------------------------- plain data


def to_dict(question: Question) -> dict[str, Any]:
    """Return a question as JSON types, with everything that is needed to judge an answer.

    Marks become `{"mark": type, "cells": ["I,K,J", …], "words": ["c3", "r0_5", …]}`. To judge as `judge` does: sort the
    parts of the answer and look it up in `verdicts`, else judge the number by `values` and `rounded`, else the set of
    cells by `rule`, else return `otherwise`.

    >>> yes, no = AnswerVerdict("right", "Yes."), AnswerVerdict("no", "No.")
    >>> to_dict(Question("?", "choice", "0", {"0": yes}, no))["verdicts"]
    {'0': {'how': 'right', 'because': 'Yes.', 'marks': []}}
    """
    rule = question.rule
    spend(20 + 4 * len(question.verdicts))
    return {
        "text": question.text,
        "kind": question.kind,
        "shows": question.shows,
        "step": question.step,
        "choices": [*question.choices],
        "optimal": question.optimal,
        "words": [[*words] for words in question.words],
        "about": [*question.about],
        "k": question.k,
        "verdicts": {answer: _verdict_to_dict(verdict) for answer, verdict in question.verdicts.items()},
        "otherwise": _verdict_to_dict(question.otherwise),
        "values": [
            {"number": value.number, "within": value.tolerance, "verdict": _verdict_to_dict(value.verdict)}
            for value in question.values
        ],
        "rounded": question.rounded,
        "rule": None
        if rule is None
        else {
            "cells": dict(rule.cells),
            "size": rule.size,
            "rising": rule.rising,
            "power": rule.power,
            "chunks": rule.chunks,
            "gaps": rule.gaps,
        },
    }


def _verdict_to_dict(verdict: AnswerVerdict) -> Mapping[str, Any]:
    """Return a verdict as JSON types."""
    return {"how": verdict.how, "because": verdict.because, "marks": [*map(_mark_to_dict, verdict.marks)]}


def _mark_to_dict(mark: Mark) -> Mapping[str, Any]:
    """Return a mark as JSON types, with its cells and words."""
    cells = mark.cells()
    spend(4 + 3 * len(cells))
    words = [name for i, k, j in cells for name in (f"c{i}", f"r{k}_{j}")]
    if isinstance(mark, Edit):
        ours = [f"c{i}" for i in range(mark.i_start, mark.i_end)]
        words = [*ours, *[f"r{mark.k}_{j}" for j in range(mark.j_start, mark.j_end)]]
    return {"mark": type(mark).__name__, "cells": [f"{i},{k},{j}" for i, k, j in cells], "words": words}
