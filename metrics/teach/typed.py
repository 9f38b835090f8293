"""Checks a number that a student types, with one rule for steps, exercises and chapters.

`expression.read` parses the number. `viz/draw/steps/script/typed.js` does the same in a page, and a test checks that
both agree."""

from __future__ import annotations

from collections.abc import Sequence

from .expression import TypedNumber, read_number
from .records import AnswerValue, AnswerVerdict, Question

#: Number of decimals that a rounded answer must have, and number of decimals that are shown, as in 0.0000.
DECIMALS, SHOWN = 2, 4

#: Answers that differ by less are equal up to floating-point rounding.
EQUAL = 1e-9


def equals_or_rounds_to(typed: TypedNumber, value: float) -> bool:
    """Return whether a typed number equals the value, exactly or as a rounding.

    It may be rounded or truncated to the typed decimals, which must be at least two.

    >>> [equals_or_rounds_to(read_number(text), 2 / 3) for text in ("0.67", "0.66", "0.667", "0.6", "2/3", "0.665")]
    [True, True, True, False, True, False]
    """
    away = abs(typed.value - value)
    if away <= EQUAL * max(1.0, abs(value)):
        return True
    unit = typed.unit
    if not 0 < unit <= 10.0**-DECIMALS + EQUAL or is_whole(typed):
        return False
    cut = abs(typed.value) < abs(value) < abs(typed.value) + unit - EQUAL and typed.value * value >= 0
    return away <= unit / 2 + EQUAL or cut


def is_whole(typed: TypedNumber) -> bool:
    """Return whether a typed number is an integer, which is not accepted as a rounding of another number.

    0 and 1 count as integers however they are written, since they mean “nothing” or “all”, unless all four decimals
    that pages show are typed. Other integers count only if typed without decimals.

    >>> [is_whole(read_number(text)) for text in ("1", "1.00", "100 %", "8/8", "0.0", "3", "3.00", "0.96", "0.0000")]
    [True, True, True, True, True, True, False, False, False]
    """
    if 0 < typed.unit <= 10.0**-SHOWN * (1 + EQUAL):
        return False
    whole = abs(typed.value - round(typed.value)) <= EQUAL
    return whole and (abs(typed.value) <= 1 + EQUAL or typed.unit >= 1)


def is_rounded_too_far(typed: TypedNumber, value: float) -> bool:
    """Return whether a typed number would be right but is rounded too far: to under two decimals, or to 0 or 1."""
    if abs(typed.value - value) > typed.unit / 2 or equals_or_rounds_to(typed, value):
        return False
    return typed.unit < 1 if is_whole(typed) else typed.unit > 10.0**-DECIMALS + EQUAL


# ---------------------------------------------------------------- judging

#: Maximum number of slips that are named if several give the same number.
NAMED_MOST = 2

_GIVE, _OR = " this number. ", " Or: "

#: The reply to a rounded number that means both the right value and a slip.
MORE = "A common mistake gives the same rounded number: give one more decimal."


def join_slips(sentences: Sequence[str]) -> str:
    """Return one text with the sentences of several slips that give the same number.

    Items of `sentences` may themselves be such texts.

    >>> join_slips(["That is P.", "That is R."])
    'Two mistakes give this number. That is P. Or: That is R.'
    """
    sentences = [each for text in sentences for each in text.rpartition(_GIVE)[2].split(_OR)]
    if len(sentences) == 1:
        return sentences[0]
    count = "Two mistakes give" if len(sentences) == 2 else "Several mistakes give"
    return f"{count}{_GIVE}{_OR.join(sentences[:NAMED_MOST])}"


def judge_number(question: Question, text: str) -> AnswerVerdict:
    """Return the verdict on a number that a student typed: right, a named slip, or not yet right.

    The text is compared with the values of the question, the right one first, then every slip. If a number may be
    `rounded`, few decimals can mean both the right value and a slip, or several slips. In the first case one more
    decimal is asked for. If it means no value, the verdict says on which side the right one is. Raises ValueError, with
    one sentence, for a text that is not a number.

    >>> from dataclasses import replace
    >>> says, p = AnswerVerdict("right", "Right."), AnswerVerdict("no", "That is P alone.")
    >>> values, otherwise = (AnswerValue(0.375, 0, says), AnswerValue(0.6, 0, p)), AnswerVerdict("no", "Not yet.")
    >>> question = Question("How many?", "number", "3/8", {}, otherwise, values=values, rounded=True)
    >>> [judge_number(question, text)[:2] for text in ("3/8", "0.37", "60 %")]
    [('right', 'Right.'), ('right', 'Right.'), ('no', 'That is P alone.')]
    >>> judge_number(question, "0.4").because
    'Rounded too far: give at least two decimals.'
    >>> near = replace(question, values=(*values, AnswerValue(0.3721, 0, p)))
    >>> judge_number(near, "0.37").because, judge_number(near, "0.375").because
    ('A common mistake gives the same rounded number: give one more decimal.', 'Right.')
    >>> judge_number(question, "0.5").because
    'Not yet. The right number is lower.'
    >>> judge_number(question, "0").because
    'It is not 0; a whole number is not accepted as rounded. The right number is higher.'
    """
    typed, right = read_number(text), question.values[0]
    meanings = [value for value in question.values if means_value(typed, value, question.rounded)]
    if len(meanings) > 1 and meanings[0] is right and question.rounded and typed.unit:
        return AnswerVerdict("no", MORE)
    if meanings and (meanings[0] is right or len(meanings) == 1 or not question.rounded):
        return meanings[0].verdict
    if not question.rounded:
        return question.otherwise
    if meanings:
        meanings.sort(key=lambda value: abs(value.number - typed.value))
        return AnswerVerdict("no", join_slips([value.verdict.because for value in meanings]))
    if is_rounded_too_far(typed, right.number):
        much = "to a whole number: give more" if is_whole(typed) else "too far: give at least two"
        return AnswerVerdict("no", f"Rounded {much} decimals.")
    says = question.otherwise.because
    if is_whole(typed) and abs(right.number - round(right.number)) > EQUAL:
        opening = {0: "It is not 0; a", 1: "It is not 1; a"}.get(round(typed.value), "A")
        says = f"{opening} whole number is not accepted as rounded."
    side = "lower" if typed.value > right.number else "higher"
    return question.otherwise._replace(because=f"{says} The right number is {side}.")


def means_value(typed: TypedNumber, value: AnswerValue, rounded: bool) -> bool:
    """Return whether a typed number means a value of a question, that is whether it is within the value's tolerance.

    If numbers may be `rounded`, a correct rounding also means the value. If not, any typed decimals must agree. An
    integer means no other number, unless the tolerance is at least half a unit.

    >>> third = AnswerValue(1 / 3, 0.0051, AnswerVerdict("right", "Yes."))
    >>> answers = [read_number(text) for text in ("1/3", "0.33", "0.337", "0.3")]
    >>> [[means_value(answer, third, rounded) for answer in answers] for rounded in (True, False)]
    [[True, True, True, False], [True, True, False, False]]
    """
    away = abs(typed.value - value.number)
    if is_whole(typed) and value.tolerance < 0.5:
        return away <= EQUAL * max(1.0, abs(value.number))
    if rounded:
        return away <= value.tolerance or equals_or_rounds_to(typed, value.number)
    return away <= value.tolerance and (typed.unit >= 1 or away <= EQUAL + 1.01 * typed.unit)
