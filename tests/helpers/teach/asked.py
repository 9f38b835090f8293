"""A question with the steps before it, answers to try on it, and rules for right answers that several metrics share.

A rule is a function that returns whether an answer, as the page sends it, is right."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Any

import metrics
from tests.helpers.teach import slow
from tests.helpers.teach.slow import is_close


@dataclass
class Case:
    """A question on a step of a traced program, with the steps that were shown before it."""

    key: str
    segment: Any
    settings: Any
    code: Any
    line: str
    question: Any
    step: Any
    before: list = field(default_factory=list)

    @property
    def candidate(self):
        return self.segment.candidate

    @property
    def references(self):
        return self.segment.references

    @property
    def lines(self):
        """Return the names of the lines of the traced program's pseudo-code."""
        return self.code.names

    @property
    def taken_marks(self):
        """Return the marks that had been taken before the question's step."""
        return self.before[-1].taken_marks if self.before else ()

    @property
    def k(self):
        """Return the index of the reference whose table the question's step shows."""
        return self.step.table.k

    @property
    def cell(self):
        return self.step.table.cell

    def score(self, k=None, **given):
        """Return the metric's result, or its result against reference `k` alone if `k` is given.

        `given` overrides settings."""
        references = self.references if k is None else [self.references[k]]
        return metrics.score(self.key, self.candidate, references, **{**self.given, **given})

    @property
    def given(self):
        return {name: getattr(self.settings, name) for name in type(self.settings).rules()}

    def count_steps(self, *lines):
        """Return how many of the steps before the question are at one of the pseudo-code lines with these names."""
        return sum(self.code.names[step.line] in lines for step in self.before)


def cases(key, segment, given, every=1):
    trace = metrics.trace(key, *segment, **given)
    code = trace.code
    before = []
    for step, question in metrics.ask(key, *segment, every=every, **given):
        yield Case(key, trace.segment, trace.settings, code, code.names[step.line], question, step, [*before])
        before.append(step)


# ---------------------------------------------------------------- the answers that are tried


def possible_answers(case):
    """Return the answers to try on the question, each once.

    These are all that can be clicked or chosen, and numbers around those that the question judges."""
    question, (candidate, references) = case.question, case.segment
    out = [str(number) for number in range(len(question.choices) + 1)]
    if question.kind == "cell":
        out += [
            f"{i},{k},{j}"
            for i in range(len(candidate) + 1)
            for k, reference in enumerate(references)
            for j in range(len(reference) + 1)
        ]
        most = max(map(len, references)) + 2
        out += [f"t:{i},{j}" for i in range(len(candidate) + 2) for j in range(most)]
    if question.kind == "word":
        out += [f"c{i}" for i in range(len(candidate) + 1)]
        out += [f"r{k}_{j}" for k, reference in enumerate(references) for j in range(len(reference) + 1)]
    if question.kind == "cells":
        found = slow.hits(candidate, references)
        random.Random(len(found)).shuffle(found)
        shown = [tuple(map(int, name.split(","))) for name in question.shows.split()]
        rest = [cell for cell in found if cell not in shown]
        out += [" ".join("{},{},{}".format(*cell) for cell in cells) for cells in slow.subsets(shown + rest)]
        out += [" ".join("{},{},{}".format(*cell) for cell in cells) for cells in slow.subsets(rest + shown)]
        out += ["0,0,0 0,0,1 0,0,2", "9,9,9", "x"]
    if question.kind == "number":
        numbers = {value.number for value in question.values} | {*range(-1, 12)}
        out += [repr(float(a + d)) for a in numbers for d in (0, 0.004, -0.004, 0.006, -0.006, 0.5)]
        out += [f"{a:.{digits}f}" for a in numbers for digits in (0, 1, 2, 3) if abs(a) < 1e6]
        out += ["x", "", "nan", "1/0"]
    return [*dict.fromkeys(out)]


def parse_cells(answer):
    """Return the set of cells (i, k, j) in an answer such as “0,0,1 1,0,2”, or None if it names no cells."""
    try:
        cells = {tuple(map(int, name.split(","))) for name in answer.split()}
    except ValueError:
        return None
    return cells if cells and all(len(cell) == 3 for cell in cells) else None


# ---------------------------------------------------------------- rules that several metrics share


def accept_number(value):
    """Return a rule that accepts the number `value` as an answer, exact or rounded."""

    if abs(value) >= 1e6:
        within = 0.0051 * 10 ** math.floor(math.log10(abs(value)))
    elif value == round(value):
        within = 1e-9
    else:
        within = 0.0051 if abs(value) >= 0.1 else 0.051 * 10 ** math.floor(math.log10(abs(value)))

    def accepts(answer):
        try:
            away = abs(float(answer) - value)
        except ValueError:
            return False
        # The more decimals are typed, the more are checked.
        decimals = answer.partition(".")[2]
        return away <= (min(within, 1e-9 + 1.01 * 10 ** -len(decimals)) if decimals.isdigit() else within)

    return accepts


def accept_choices(question, good):
    """Return a rule for a multiple-choice question; it accepts the choices for whose text `good` returns True."""

    def accepts(answer):
        return answer.isdigit() and int(answer) < len(question.choices) and bool(good(question.choices[int(answer)]))

    return accepts


def accept_best_references(values, low=False, eligible=None):
    """Return a function that makes, for a case, a rule that accepts the choices of a reference with the best value.

    Args:
        values: a function that returns the value of reference `k`, from the case and `k`.
        low: whether the lowest value is the best.
        eligible: a function that returns the references to compare, from the case; None compares all."""

    def rule(case):
        each = {k: values(case, k) for k in range(len(case.references)) if eligible is None or k in eligible(case)}
        best = min(each.values()) if low else max(each.values())
        return accept_choices(case.question, lambda text: is_close(each.get(int(text.split()[1]) - 1, math.nan), best))

    return rule


def score_part(case, name):
    return case.score().parts[name]


def table_prefixes(case):
    """Return the prefixes of the candidate and of the table's reference that end at the current cell of the table."""
    return case.candidate[: case.cell.row], case.references[case.k][: case.cell.column]
