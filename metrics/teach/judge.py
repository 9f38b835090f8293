"""Checks answers, and converts questions to plain data with which a page without a server checks in the same way.

There are two programs that judge, because neither serves all: saved files judge in the browser, in
`viz/draw/steps/script/judge.js`, and `metrics.judge` serves programs that call the core. Tests give both the same
answers."""

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

    An answer is a string such as "0,1,2" for a cell, "0" for the first choice, or a number as typed. Several cells are
    separated by spaces, and their order does not matter. An answer that cannot be parsed is not yet right; nothing is
    raised.

    >>> no = AnswerVerdict("no", "It is 2.")
    >>> question = Question("1 + 1?", "choice", "0", {"0": AnswerVerdict("right", "Yes.")}, no, choices=("2", "3"))
    >>> judge(question, " 0 ").how, judge(question, "1").because
    ('right', 'It is 2.')
    """
    given = canonical_answer(answer)
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


def canonical_answer(answer: str) -> str:
    """Return an answer of several cells with the names of the cells sorted and without duplicates.

    >>> canonical_answer(" 1,0,1  0,0,0 1,0,1")
    '0,0,0 1,0,1'
    """
    return " ".join(sorted({*answer.split()}))


# ---------------------------------------------------------------- sets of cells


def _judge_cells(question: Question, rule: CellSetRule, given: str) -> AnswerVerdict:
    """Return the verdict on the cells of the answer `given`: hits, no word twice, in rising order, as good as the best.

    `rule` says which of these are required."""
    names = given.split(" ")
    if not all(_CELL.fullmatch(name) for name in names):
        return question.otherwise
    cells = sorted([Hit(*map(int, name.split(","))) for name in names])
    broken = _broken_rule(question, rule, cells)
    if broken:
        return broken
    runs = group_into_runs(cells)
    weight = weigh_cells(rule, runs)
    marks = tuple(cells)
    if rule.chunks is not None and len(runs) > rule.chunks and weight >= rule.size * (1 - ROUNDING):
        fewer = f"{rule.chunks} {plural(rule.chunks, 'chunk')}"
        return AnswerVerdict(
            "no", f"These are {len(runs)} chunks; the same number of words can match in {fewer}.", marks
        )
    if weight < rule.size * (1 - ROUNDING):
        if rule.power == 1 and not rule.gaps and {*rule.cells.values()} == {1}:
            return AnswerVerdict(
                "no", f"This has {len(cells)} {plural(len(cells), 'word')}; {number(rule.size)} are possible.", marks
            )
        return AnswerVerdict("no", f"This is worth {number(weight)}; {number(rule.size)} is possible.", marks)
    if given == canonical_answer(question.shows):
        return AnswerVerdict("right", "This is what the program takes.", marks)
    return AnswerVerdict("also", "This is as good as what the program takes.", marks)


def _broken_rule(question: Question, rule: CellSetRule, cells: list[Hit]) -> AnswerVerdict | None:
    """Return the verdict for the first requirement of `rule` that the chosen cells break; None if they break none."""
    rows: dict[int, Hit] = {}
    columns: dict[tuple[int, int], Hit] = {}
    for cell in cells:
        if f"{cell.i},{cell.k},{cell.j}" not in rule.cells:
            return AnswerVerdict("no", _explain_no_match(question, rule, cell), (cell,))
        twice = rows.setdefault(cell.i, cell), columns.setdefault(cell[1:], cell)
        for other in twice:
            if other != cell:
                name = _quote(question, cell)
                return AnswerVerdict("no", f"{name} is used twice: each word can match only once.", (other, cell))
    if rule.rising:
        for before, cell in pairwise(cells):
            if before.k != cell.k:
                return AnswerVerdict(
                    "no", "These words are in two references; only one is compared at a time.", (before, cell)
                )
            if cell.j <= before.j:
                text = (
                    f"Wrong order: {_quote(question, cell)} comes before {_quote(question, before)} in the reference."
                )
                return AnswerVerdict("no", text, (before, cell))
    return None


def _quote(question: Question, cell: Hit) -> str:
    """Return the candidate word of a cell in quotation marks, or “This word” if it is not known."""
    return word(question.words[0][cell.i]) if question.words and cell.i < len(question.words[0]) else "This word"


def _explain_no_match(question: Question, rule: CellSetRule, cell: Hit) -> str:
    """Return the sentence that says why a cell that `rule` does not allow is no match."""
    words = question.words
    if len(words) <= cell.k + 1 or cell.i >= len(words[0]) or cell.j >= len(words[cell.k + 1]):
        return "There is no such cell."
    ours, theirs = words[0][cell.i], words[cell.k + 1][cell.j]
    if ours == theirs and any(name.split(",")[1] == str(cell.k) for name in rule.cells):
        return f"{word(ours)} has retired: only free words match now."
    if ours == theirs:
        return f"{word(ours)} is equal, but this question is about another reference."
    return f"{word(ours)} and {word(theirs)} do not match."


def group_into_runs(cells: Iterable[Hit]) -> list[list[Hit]]:
    """Return sorted cells grouped into runs, which are cells that follow each other on a diagonal.

    >>> group_into_runs([Hit(0, 0, 2), Hit(1, 0, 0), Hit(1, 0, 3)])
    [[Hit(i=0, k=0, j=2), Hit(i=1, k=0, j=3)], [Hit(i=1, k=0, j=0)]]
    """
    out: dict[Hit, list[Hit]] = {}
    for cell in cells:
        run = out.pop(Hit(cell.i - 1, cell.k, cell.j - 1), [])
        out[cell] = [*run, cell]
    return sorted(out.values())


def weigh_cells(rule: CellSetRule, runs: Iterable[Iterable[Hit]]) -> float:
    """Return the weight that the rule of a question gives to a set of cells, which are grouped into runs."""
    if rule.gaps:
        path = [Hit(-1, 0, -1), *sorted([cell for run in runs for cell in run])]
        return math.fsum(
            [rule.cells[f"{b.i},{b.k},{b.j}"] / math.sqrt((b.i - a.i) * (b.j - a.j)) for a, b in pairwise(path)]
        )
    each = [sum([rule.cells[f"{cell.i},{cell.k},{cell.j}"] for cell in run]) for run in runs]
    return math.fsum([weight**rule.power for weight in each])


# ---------------------------------------------------------------- plain data


def question_to_dict(question: Question) -> dict[str, Any]:
    """Return a question as plain values for JSON, with everything that is needed to check an answer.

    Marks become `{"mark": type, "cells": ["I,K,J", …], "words": ["c3", "r0_5", …]}`. To get the verdict of `judge`:
    sort the cell names of the answer and look it up in `verdicts`, else check the number by `values` and `rounded`,
    else the set of cells by `rule`, else return `otherwise`.

    >>> yes, no = AnswerVerdict("right", "Yes."), AnswerVerdict("no", "No.")
    >>> question_to_dict(Question("?", "choice", "0", {"0": yes}, no))["verdicts"]
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
        "rule": rule and {**rule._asdict(), "cells": dict(rule.cells)},
    }


def _verdict_to_dict(verdict: AnswerVerdict) -> Mapping[str, Any]:
    """Return a verdict as plain values for JSON."""
    return {"how": verdict.how, "because": verdict.because, "marks": [*map(_mark_to_dict, verdict.marks)]}


def _mark_to_dict(mark: Mark) -> Mapping[str, Any]:
    """Return a mark as plain values for JSON: its type and the names of its cells and words."""
    cells = mark.cells()
    spend(4 + 3 * len(cells))
    words = [name for i, k, j in cells for name in (f"c{i}", f"r{k}_{j}")]
    if isinstance(mark, Edit):
        ours = [f"c{i}" for i in range(mark.i_start, mark.i_end)]
        words = [*ours, *[f"r{mark.k}_{j}" for j in range(mark.j_start, mark.j_end)]]
    return {"mark": type(mark).__name__, "cells": [f"{i},{k},{j}" for i, k, j in cells], "words": words}
