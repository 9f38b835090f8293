"""Finds slips: the numbers that common mistakes give instead of a score, each named in one sentence.

>>> from metrics import METRICS, score
>>> result = score("gtm", "the cat sat".split(), ["the cat slept here".split()])
>>> [(round(slip.number, 3), slip.says) for slip in distinct_slips(METRICS["gtm"], result)][:2]
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
    """A number that one or several common mistakes give, with the sentences that name them."""

    number: float
    says: str


def possible_slips(metric: Metric, result: Result) -> Iterator[NumberSlip]:
    """Yield the numbers that common mistakes give instead of the score, the most common mistake first.

    Numbers may coincide."""
    if metric.slips:
        for number, says in metric.slips()(metric, result):
            if math.isfinite(number):
                yield NumberSlip(float(number), says)
    for number, says in _reference_slips(metric, result):
        yield NumberSlip(number, says)
    if metric.higher_is_better and math.isinf(metric.most):  # a score without an upper limit is no percentage
        return
    yield NumberSlip(
        100 * result.score,
        f"That is the score in per cent: write {format_number(result.score)} as a fraction, or add the sign %.",
    )


def _reference_slips(metric: Metric, result: Result) -> Iterator[NumberSlip]:
    """Yield the score against each reference alone that does not decide, and the mean of the scores against each.

    Nothing is yielded if there is only one reference."""
    candidate, references = result.segment
    if len(references) < 2:
        return
    single_scores = [metric.score(Segment(candidate, (r,)), result.settings).score for r in references]
    k = result.decides.get("score")
    if k is None and len({*result.decides.values()}) == 1:
        k = next(iter(result.decides.values()))
    if "brevity_penalty" in result.decides:  # one reference decides the length, all count for the matches
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


def distinct_slips(metric: Metric, result: Result) -> tuple[NumberSlip, ...]:
    """Return the numbers that common mistakes give instead of the score, without those that equal it.

    Mistakes that give the same number are one item."""
    return merge_slips(possible_slips(metric, result), result.score)


def merge_slips(raw_slips: Iterable[NumberSlip], right: float) -> tuple[NumberSlip, ...]:
    """Return the slips without those that give the `right` number.

    Slips whose numbers cannot be told apart when typed are merged into one."""
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
    """Return a question that is answered by a number, and that recognises the slips `known_slips`.

    `asks` is the question, `right` the number, and `answer` an equation of how it is computed."""
    shows = format_number(right, 4)
    values = [AnswerValue(right, 0, AnswerVerdict("right", f"Right: {answer}."))]
    values += [AnswerValue(slip.number, 0, AnswerVerdict("no", slip.says)) for slip in known_slips]
    verdicts = {shows: values[0].verdict}
    otherwise = AnswerVerdict("no", "No known mistake gives this number.")
    return Question(asks, "number", shows, verdicts, otherwise, values=tuple(values), rounded=True, answer=answer)


def score_question(metric: Metric, result: Result) -> Question:
    """Return the question for the score of a result; it recognises the numbers that common mistakes give."""
    *_, last = metric.formula(result)
    what = "what does the candidate score" if metric.higher_is_better else "what is the candidate's rate"
    asks = f"Compute {metric.label}: {what}?"
    answer = equation(metric.label, result.score, text(last.forms[-1]))
    return number_question(asks, result.score, answer, distinct_slips(metric, result))


def equation(name: str, value: float, form: str = "") -> str:
    """Return “name = value”, with the expression `form` between them if there is one.

    >>> equation("P", 0.375, "3/8 words"), equation("the number of chunks", 3)
    ('P = 3/8 words = 0.3750', 'the number of chunks = 3')
    """
    end = format_number(value, 4)
    return f"{name} = {form} = {end}" if form.partition(" ")[0] not in ("", end) else f"{name} = {end}"
