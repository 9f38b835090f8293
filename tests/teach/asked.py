"""A question with what was shown before it, the answers that are tried on it, and rules that many metrics share."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Any

import slow
from slow import near

import metrics


@dataclass
class Case:
    """A question with what was shown before it."""

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
        """The names of the lines of the pseudo-code."""
        return self.code.names

    @property
    def taken_marks(self):
        """What is taken before the step."""
        return self.before[-1].taken_marks if self.before else ()

    @property
    def k(self):
        """The reference of the table that the step shows."""
        return self.step.table.k

    @property
    def cell(self):
        return self.step.table.cell

    def score(self, k=None, **given):
        """The score, or that against one reference alone."""
        references = self.references if k is None else [self.references[k]]
        return metrics.score(self.key, self.candidate, references, **{**self.given, **given})

    @property
    def given(self):
        return {name: getattr(self.settings, name) for name in type(self.settings).rules()}

    def times(self, *lines):
        """How many steps with one of these lines were shown before."""
        return sum(self.code.names[step.line] in lines for step in self.before)


def cases(key, segment, given, every=1):
    trace = metrics.trace(key, *segment, **given)
    code = trace.code
    before = []
    for step, question in metrics.ask(key, *segment, every=every, **given):
        yield Case(key, trace.segment, trace.settings, code, code.names[step.line], question, step, [*before])
        before.append(step)


# ---------------------------------------------------------------- the answers that are tried


def answers(case):
    """All answers that can be clicked or chosen, and numbers around those that are judged, each once."""
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


def parsed(answer):
    """The cells of an answer, None where there are none."""
    try:
        cells = {tuple(map(int, name.split(","))) for name in answer.split()}
    except ValueError:
        return None
    return cells if cells and all(len(cell) == 3 for cell in cells) else None


# ---------------------------------------------------------------- rules that many share


def number_is(value):
    """Only this number, or it rounded."""

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
        # Where more decimals are typed they are looked at.
        decimals = answer.partition(".")[2]
        return away <= (min(within, 1e-9 + 1.01 * 10 ** -len(decimals)) if decimals.isdigit() else within)

    return accepts


def chosen(question, good):
    """The choices whose text `good` accepts."""

    def accepts(answer):
        return answer.isdigit() and int(answer) < len(question.choices) and bool(good(question.choices[int(answer)]))

    return accepts


def best_references(values, low=False, of=None):
    """The references with the best of the values."""

    def rule(case):
        each = {k: values(case, k) for k in range(len(case.references)) if of is None or k in of(case)}
        best = min(each.values()) if low else max(each.values())
        return chosen(case.question, lambda text: near(each.get(int(text.split()[1]) - 1, math.nan), best))

    return rule


def part(case, name):
    return case.score().parts[name]


def begun(case):
    """The candidate and the reference of the table, as far as the cell."""
    return case.candidate[: case.cell.row], case.references[case.k][: case.cell.column]
