"""Slips: the numbers that common mistakes give instead of a score, each named in one sentence.

>>> from metrics import METRICS, score
>>> result = score("gtm", "the cat sat".split(), ["the cat slept here".split()])
>>> [(round(slip.number, 3), slip.says) for slip in slips(METRICS["gtm"], result)][:2]
[(1.143, 'Forgot the root: the matching has the size 4 to the power of 1/2, not 4.'), \
(0.667, 'That is P alone, which divides by the 3 words of the candidate; F also needs R, which divides by 4.')]
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..formula import format_number, text
from ..types import Metric, Result, Segment
from .records import AnswerValue, AnswerVerdict, Question
from .typed import join_slips

#: Numbers that differ by less cannot be told apart when they are typed with three decimals.
APART = 0.0005


class NumberSlip(NamedTuple):
    """The number that a slip, or each of several, gives, and the sentences that name it."""

    number: float
    says: str


def candidates(metric: Metric, result: Result) -> Iterator[NumberSlip]:
    """The slips that can be made on a result, in the order of how common they are; numbers may coincide."""
    if metric.slips:
        for number, says in metric.slips()(metric, result):
            if math.isfinite(number):
                yield NumberSlip(float(number), says)
    for number, says in _of_references(metric, result):
        yield NumberSlip(number, says)
    if metric.higher_is_better and math.isinf(metric.most):  # no share of anything
        return
    yield NumberSlip(
        100 * result.score,
        f"That is the score in per cent: as a fraction it is {format_number(result.score)}, or write the sign %.",
    )


def _of_references(metric: Metric, result: Result) -> Iterator[NumberSlip]:
    """The score against each reference alone, and the mean of these, where there are several."""
    candidate, references = result.segment
    if len(references) < 2:
        return
    single_scores = [metric.score(Segment(candidate, (r,)), result.settings).score for r in references]
    k = result.decides.get("score")
    if k is None and len({*result.decides.values()}) == 1:
        k = next(iter(result.decides.values()))
    if "brevity_penalty" in result.decides:  # one reference for the length, all for the matches
        k = None
    counts = f"reference {k + 1} is the one that counts" if k is not None else "the others count too"
    for number, score in enumerate(single_scores, 1):
        if number - 1 != k:
            yield NumberSlip(score, f"That is the score against reference {number} alone; {counts}.")
    many = len(references)
    yield NumberSlip(
        math.fsum(single_scores) / many,
        f"That is the mean of the scores against the {many} references; {metric.label} does not take this mean.",
    )


def slips(metric: Metric, result: Result) -> tuple[NumberSlip, ...]:
    """The slips of a result, without those whose number is the score; those of one number are told together."""
    return merged(candidates(metric, result), result.score)


def merged(raw_slips: Iterable[NumberSlip], right: float) -> tuple[NumberSlip, ...]:
    """Slips without those that give the right number, and those that cannot be told apart as one."""
    groups: list[list[NumberSlip]] = []
    for slip in raw_slips:
        if abs(slip.number - right) < APART:
            continue
        equal_group = next((group for group in groups if abs(group[0].number - slip.number) < APART), None)
        if equal_group is None:
            groups.append([slip])
        elif slip.says not in [other.says for other in equal_group]:
            equal_group.append(slip)
    return tuple([NumberSlip(group[0].number, join_slips([slip.says for slip in group])) for group in groups])


# ---------------------------------------------------------------- the question


def number_question(asks: str, right: float, answer: str, known_slips: Iterable[NumberSlip] = ()) -> Question:
    """A question that is answered by a number: how the right one is computed, and the slips that are known."""
    shows = format_number(right, 4)
    values = [AnswerValue(right, 0, AnswerVerdict("right", f"Right: {answer}."))]
    values += [AnswerValue(slip.number, 0, AnswerVerdict("no", slip.says)) for slip in known_slips]
    verdicts = {shows: values[0].verdict}
    otherwise = AnswerVerdict("no", "It is none of the slips that are known here.")
    return Question(asks, "number", shows, verdicts, otherwise, values=tuple(values), rounded=True, answer=answer)


def compute(metric: Metric, result: Result) -> Question:
    """The question for the score of a result, with the slips of its metric."""
    *_, last = metric.formula(result)
    what = "what does the candidate score" if metric.higher_is_better else "what is the candidate's rate"
    asks = f"Compute {metric.label}: {what}?"
    answer = equation(metric.label, result.score, text(last.forms[-1]))
    return number_question(asks, result.score, answer, slips(metric, result))


def equation(name: str, value: float, form: str = "") -> str:
    """A number with its name, and with how it is computed where a formula says so.

    >>> equation("P", 0.375, "3/8 words"), equation("the number of chunks", 3)
    ('P = 3/8 words = 0.3750', 'the number of chunks = 3')
    """
    end = format_number(value, 4)
    return f"{name} = {form} = {end}" if form.partition(" ")[0] not in ("", end) else f"{name} = {end}"
