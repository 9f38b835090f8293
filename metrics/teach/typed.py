"""How a number that a student types is judged: the one rule for steps, exercises and chapters.

`expression.read` says what was typed. `viz/draw/steps/script/typed.js` does the same in a page, and a test holds it
equal to this.
"""

from __future__ import annotations

from collections.abc import Sequence

from .expression import TypedNumber, read
from .records import AnswerValue, AnswerVerdict, Question

#: Decimals that a rounded answer must have, and those with which numbers are shown, 0.0000 too.
DECIMALS, SHOWN = 2, 4

#: Answers that differ by less are equal but for rounding of the computer's own.
EQUAL = 1e-9


def fits(typed: TypedNumber, value: float) -> bool:
    """Whether a typed number is the value: exactly, or rounded or cut to the decimals that were typed, two at least.

    >>> [fits(read(text), 2 / 3) for text in ("0.67", "0.66", "0.667", "0.6", "2/3", "0.665")]
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
    """Whether a typed number is a whole one, which is no rounding of any other: 0 and 1 however they are written, since
    they say that nothing or everything is so, unless with all the decimals that are shown, and others without decimals.

    >>> [is_whole(read(text)) for text in ("1", "1.00", "100 %", "8/8", "0.0", "3", "3.00", "0.96", "0.0000")]
    [True, True, True, True, True, True, False, False, False]
    """
    if 0 < typed.unit <= 10.0**-SHOWN * (1 + EQUAL):
        return False
    whole = abs(typed.value - round(typed.value)) <= EQUAL
    return whole and (abs(typed.value) <= 1 + EQUAL or typed.unit >= 1)


def too_coarse(typed: TypedNumber, value: float) -> bool:
    """Whether a typed number would be the value, had it not been rounded to fewer than two decimals, or to 0 or 1."""
    if abs(typed.value - value) > typed.unit / 2 or fits(typed, value):
        return False
    return typed.unit < 1 if is_whole(typed) else typed.unit > 10.0**-DECIMALS + EQUAL


# ---------------------------------------------------------------- judged

#: Slips that are named where several give the same number.
NAMED_MOST = 2

_GIVE, _OR = " this number. ", " Or: "

#: What is said of a rounded number that stands for the right one, and for a slip as well.
MORE = "So rounded, this is also what a known slip gives: give one more decimal."


def join_slips(sentences: Sequence[str]) -> str:
    """The sentences of slips that give one number, as one text; some may be such texts themselves.

    >>> join_slips(["That is P.", "That is R."])
    'Two slips give this number. That is P. Or: That is R.'
    """
    sentences = [each for text in sentences for each in text.rpartition(_GIVE)[2].split(_OR)]
    if len(sentences) == 1:
        return sentences[0]
    count = "Two slips give" if len(sentences) == 2 else "Several slips give"
    return f"{count}{_GIVE}{_OR.join(sentences[:NAMED_MOST])}"


def judge_number(question: Question, text: str) -> AnswerVerdict:
    """How a typed number answers a question of the kind "number": right, a slip that is named, or not yet.

    It is written as `read` reads it, and stands for the values that it `means`. The right one comes first, then every
    slip. Where a number is to be `rounded`, one of few decimals may stand for the right one and a slip, so that one
    more is asked for, or for several slips, and who has made none hears on which side the right one lies. ValueError in
    one sentence for what is no number.

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
    ('So rounded, this is also what a known slip gives: give one more decimal.', 'Right.')
    >>> judge_number(question, "0.5").because
    'Not yet. The number is lower.'
    >>> judge_number(question, "0").because
    'It is not 0; a whole number is not taken as a rounding. The number is higher.'
    """
    typed, right = read(text), question.values[0]
    meanings = [value for value in question.values if means(typed, value, question.rounded)]
    if len(meanings) > 1 and meanings[0] is right and question.rounded and typed.unit:
        return AnswerVerdict("no", MORE)
    if meanings and (meanings[0] is right or len(meanings) == 1 or not question.rounded):
        return meanings[0].verdict
    if not question.rounded:
        return question.otherwise
    if meanings:
        meanings.sort(key=lambda value: abs(value.number - typed.value))
        return AnswerVerdict("no", join_slips([value.verdict.because for value in meanings]))
    if too_coarse(typed, right.number):
        much = "to a whole number: give more" if is_whole(typed) else "too far: give at least two"
        return AnswerVerdict("no", f"Rounded {much} decimals.")
    says = question.otherwise.because
    if is_whole(typed) and abs(right.number - round(right.number)) > EQUAL:
        opening = {0: "It is not 0; a", 1: "It is not 1; a"}.get(round(typed.value), "A")
        says = f"{opening} whole number is not taken as a rounding."
    side = "lower" if typed.value > right.number else "higher"
    return question.otherwise._replace(because=f"{says} The number is {side}.")


def means(typed: TypedNumber, value: AnswerValue, rounded: bool) -> bool:
    """Whether a typed number stands for a value of a question: it is no further from it than the value allows. One that
    is to be `rounded` may also be what `fits`; of others the decimals are looked at where there are any. A whole number
    means no other one, unless half a unit or more is allowed.

    >>> third = AnswerValue(1 / 3, 0.0051, AnswerVerdict("right", "Yes."))
    >>> [[means(read(text), third, rounded) for text in ("1/3", "0.33", "0.337", "0.3")] for rounded in (True, False)]
    [[True, True, True, False], [True, True, False, False]]
    """
    away = abs(typed.value - value.number)
    if is_whole(typed) and value.tolerance < 0.5:
        return away <= EQUAL * max(1.0, abs(value.number))
    if rounded:
        return away <= value.tolerance or fits(typed, value.number)
    return away <= value.tolerance and (typed.unit >= 1 or away <= EQUAL + 1.01 * typed.unit)
