"""A number as a student types it, and how it is judged: the one rule for steps, exercises and chapters.

Digits with a comma or a point, powers of ten, fractions, products, square roots and per cent are read.
`viz/draw/steps/script/typed.js` does the same in a page, and a test holds it equal to this.

>>> read("3/8").value, read("0,375").value, read("37.5 %").value, round(read("√14/10").value, 4)
(0.375, 0.375, 0.375, 0.3742)
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from .records import Question, Value, Verdict

#: What a number may look like, for the sentence that refuses all else.
EXAMPLES = "0.375, 3/8, 37.5 % or √14/10"

#: Letters that are read at the most.
LONGEST = 40

#: Decimals that a rounded answer must have.
DECIMALS = 2

#: Answers that differ by less are equal but for rounding of the computer's own.
EQUAL = 1e-9


class Typed(NamedTuple):
    """A number, and the unit of its last digit: 0.001 for "0.375" and for "37.5 %", 1 for "3", 0 for fractions and
    roots of whole numbers, which are exact."""

    value: float
    unit: float = 0.0


_SIGNS = {
    **dict.fromkeys("−–‒", "-"),
    **dict.fromkeys("⁄∕÷", "/"),
    **dict.fromkeys("*×⋅∙", "·"),
    **{chr(ord("０") + digit): str(digit) for digit in range(10)},
    "％": "%",
    "，": ",",
    "．": ".",
}
_WRITTEN = str.maketrans(_SIGNS)
_DECIMAL = r"(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
_FACTOR = re.compile(rf"(?P<plain>{_DECIMAL})?(?:√(?:\((?P<inner>{_DECIMAL}(?:/{_DECIMAL})?)\)|(?P<root>{_DECIMAL})))?")


def read(text: str) -> Typed:
    """The number that a text says; factors are multiplied and divided from left to right, a root is of one number.

    ValueError in one sentence for all else, also for a division by 0. Nothing is ever evaluated.

    >>> read("two thirds")
    Traceback (most recent call last):
    ValueError: “two thirds” is no number here; write one such as 0.375, 3/8, 37.5 % or √14/10.
    """
    plain = "".join(text.translate(_WRITTEN).split()).replace("sqrt", "√")
    if not plain:
        raise ValueError(f"Type a number, such as {EXAMPLES}.")
    if len(plain) > LONGEST:
        raise ValueError(f"A number has at most {LONGEST} characters here; write one such as {EXAMPLES}.")
    sign, per_cent = (-1 if plain[0] == "-" else 1), plain.endswith("%")
    body = plain.removeprefix("-").removeprefix("+").removesuffix("%")
    value, doubt = 1.0, 0.0  # the doubt is the share of the value by which rounded numbers in it may be off
    lonely = re.fullmatch(_DECIMAL, body)
    operator = "·"
    for part in re.split(r"([/·])", _apart(body)):
        if part in ("/", "·"):
            operator = part
            continue
        found, share = _factor(part.replace("|", "/"), text)
        if operator == "/" and not found:
            raise ValueError(f"“{_shown(text)}” divides by 0; write a number such as {EXAMPLES}.")
        value = value * found if operator == "·" else value / found
        doubt += share
    value *= sign * (0.01 if per_cent else 1)
    if not math.isfinite(value):
        raise ValueError(f"“{_shown(text)}” is too large; write a number such as {EXAMPLES}.")
    return Typed(value, _unit(body, 2 * per_cent) if lonely else 2 * doubt * abs(value))


def _apart(body: str) -> str:
    """A fraction under a root keeps its stroke where the others part factors."""
    return re.sub(r"\([^()]*\)", lambda inner: inner[0].replace("/", "|"), body)


def _factor(part: str, text: str) -> tuple[float, float]:
    """A factor's value, and the share by which its rounded numbers may be off."""
    found = _FACTOR.fullmatch(part)
    if not found or not part:
        raise ValueError(f"“{_shown(text)}” is no number here; write one such as {EXAMPLES}.")
    value, doubt = 1.0, 0.0
    if plain := found["plain"]:
        value, doubt = _plain(plain)
    if under := found["inner"] or found["root"]:
        top, _, bottom = under.partition("/")
        inner, share = _plain(top)
        if bottom:
            below, more = _plain(bottom)
            if not below:
                raise ValueError(f"“{_shown(text)}” divides by 0; write a number such as {EXAMPLES}.")
            inner, share = inner / below, share + more
        value, doubt = value * math.sqrt(inner), doubt + share / 2
    return value, doubt


def _plain(digits: str) -> tuple[float, float]:
    value, rounded = float(digits.replace(",", ".")), re.search("[.,][0-9]", digits)
    return value, 0.5 * _unit(digits) / value if rounded and value else 0.0


def _unit(digits: str, further: int = 0) -> float:
    """What 1 in the last digit is worth, which stands so many places `further` behind the point."""
    plain, _, power = digits.replace(",", ".").lower().partition("e")
    return float(f"1e{int(power or 0) - len(plain.partition('.')[2]) - further}")


def _shown(text: str) -> str:
    """A text for a sentence: on one line, printable, not too long."""
    plain = "".join([c if c.isprintable() else " " for c in text[: LONGEST + 20]]).strip()
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"


def fits(typed: Typed, value: float) -> bool:
    """Whether a typed number is the value: exactly, or rounded or cut to the decimals that were typed, two at least.

    >>> [fits(read(text), 2 / 3) for text in ("0.67", "0.66", "0.667", "0.6", "2/3", "0.665")]
    [True, True, True, False, True, False]
    """
    away = abs(typed.value - value)
    if away <= EQUAL * max(1.0, abs(value)):
        return True
    unit = typed.unit
    if not 0 < unit <= 10.0**-DECIMALS + EQUAL:
        return False
    cut = abs(typed.value) < abs(value) < abs(typed.value) + unit and typed.value * value >= 0
    return away <= unit / 2 + EQUAL or cut


def too_coarse(typed: Typed, value: float) -> bool:
    """Whether a typed number would be the value, had it not been rounded to fewer than two decimals."""
    rough = typed.unit > 10.0**-DECIMALS + EQUAL
    return rough and abs(typed.value - value) <= typed.unit / 2 and not fits(typed, value)


# ---------------------------------------------------------------- judged

#: Slips that are named where several give the same number.
NAMED_MOST = 2

_GIVE, _OR = " this number. ", " Or: "


def together(said: Sequence[str]) -> str:
    """The sentences of slips that give one number, as one text; some may be such texts themselves.

    >>> together(["That is P.", "That is R."])
    'Two slips give this number. That is P. Or: That is R.'
    """
    said = [each for text in said for each in text.rpartition(_GIVE)[2].split(_OR)]
    if len(said) == 1:
        return said[0]
    count = "Two slips give" if len(said) == 2 else "Several slips give"
    return f"{count}{_GIVE}{_OR.join(said[:NAMED_MOST])}"


def judge_number(question: Question, text: str) -> Verdict:
    """How a typed number answers a question of the kind "number": right, a slip that is named, or not yet.

    It is written as `read` reads it, and stands for the values that it `means`. The right one comes first, then every
    slip; where a number is to be `rounded`, one of few decimals may stand for several slips, and who has made none
    hears on which side the right one lies. ValueError in one sentence for what is no number.

    >>> from metrics.teach.records import Value
    >>> says, p = Verdict("right", "Right."), Verdict("no", "That is P alone.")
    >>> values = Value(0.375, 0, says), Value(0.6, 0, p)
    >>> question = Question("How many?", "number", "3/8", {}, Verdict("no", "Not yet."), values=values, rounded=True)
    >>> [judge_number(question, text)[:2] for text in ("3/8", "0.37", "60 %")]
    [('right', 'Right.'), ('right', 'Right.'), ('no', 'That is P alone.')]
    >>> judge_number(question, "0.4").because
    'Rounded too far: give at least two decimals.'
    >>> judge_number(question, "0.5").because
    'Not yet. The number is lower.'
    """
    typed, right = read(text), question.values[0]
    meant = [value for value in question.values if means(typed, value, question.rounded)]
    if meant and (meant[0] is right or len(meant) == 1 or not question.rounded):
        return meant[0].verdict
    if not question.rounded:
        return question.otherwise
    if meant:
        meant.sort(key=lambda value: abs(value.number - typed.value))
        return Verdict("no", together([value.verdict.because for value in meant]))
    if too_coarse(typed, right.number):
        return Verdict("no", "Rounded too far: give at least two decimals.")
    side = "lower" if typed.value > right.number else "higher"
    return question.otherwise._replace(because=f"{question.otherwise.because} The number is {side}.")


def means(typed: Typed, value: Value, rounded: bool) -> bool:
    """Whether a typed number stands for a value of a question: it is no further from it than the value allows. One that
    is to be `rounded` may also be what `fits`; of others the decimals are looked at where there are any.

    >>> third = Value(1 / 3, 0.0051, Verdict("right", "Yes."))
    >>> [[means(read(text), third, rounded) for text in ("1/3", "0.33", "0.337", "0.3")] for rounded in (True, False)]
    [[True, True, True, False], [True, True, False, False]]
    """
    away = abs(typed.value - value.number)
    if rounded:
        return away <= value.within or fits(typed, value.number)
    return away <= value.within and (typed.unit >= 1 or away <= EQUAL + 1.01 * typed.unit)
