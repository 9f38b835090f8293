"""A number as a student types it: digits with a comma or a point, fractions, products, square roots, per cent.

>>> read("3/8").value, read("0,375").value, read("37.5 %").value, round(read("√14/10").value, 4)
(0.375, 0.375, 0.375, 0.3742)
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from .records import Question, Verdict

#: What a number may look like, for the sentence that refuses all else.
EXAMPLES = "0.375, 3/8, 37.5 % or √14/10"

#: Letters that are read at the most.
LONGEST = 40

#: Decimals that a rounded answer must have.
DECIMALS = 2

#: Answers that differ by less are equal but for rounding of the computer's own.
EQUAL = 1e-9


class Typed(NamedTuple):
    """A number, and the unit of its last decimal: 0.001 for "0.375" and for "37.5 %", 0 for whole numbers, fractions
    and roots, which are exact."""

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
_DECIMAL = r"(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)"
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
    if lonely:
        decimals = _decimals(body) + 2 * per_cent
        return Typed(value, 10.0**-decimals if decimals else 0.0)
    return Typed(value, 2 * doubt * abs(value))


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
    value, decimals = float(digits.replace(",", ".")), _decimals(digits)
    return value, 0.5 * 10.0**-decimals / value if decimals and value else 0.0


def _decimals(digits: str) -> int:
    return len(digits.replace(",", ".").partition(".")[2])


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
    unit = typed.unit or (1.0 if typed.value == int(typed.value) else 0.0)
    return unit > 10.0**-DECIMALS + EQUAL and abs(typed.value - value) <= unit / 2 and not fits(typed, value)


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

    It may be rounded or cut to two decimals or more, and written as `typed.read` reads it; the right one comes first,
    then every slip that it may stand for. ValueError in one sentence for what is no number.

    >>> from metrics.teach.records import Value
    >>> says, p = Verdict("right", "Right."), Verdict("no", "That is P alone.")
    >>> values = Value(0.375, 0.005, says), Value(0.6, 0.005, p)
    >>> question = Question("How many?", "number", "3/8", {}, Verdict("no", "Not yet."), values=values)
    >>> [judge_number(question, text)[:2] for text in ("3/8", "0.37", "60 %")]
    [('right', 'Right.'), ('right', 'Right.'), ('no', 'That is P alone.')]
    >>> judge_number(question, "0.4").because
    'Rounded too far: give at least two decimals.'
    >>> judge_number(question, "0.5").because
    'Not yet: the number is lower.'
    """
    typed = read(text)
    right, *others = question.values
    if fits(typed, right.number):
        return right.verdict
    near = [value for value in others if fits(typed, value.number)]
    if len(near) == 1:
        return near[0].verdict
    if near:  # a number of few decimals may stand for several
        near.sort(key=lambda value: abs(value.number - typed.value))
        return Verdict("no", together([value.verdict.because for value in near]))
    if too_coarse(typed, right.number):
        return Verdict("no", "Rounded too far: give at least two decimals.")
    return _not_yet(question, typed, right.number)


def _not_yet(question: Question, typed: Typed, right: float) -> Verdict:
    """The general verdict, with the side on which the number lies."""
    side = "lower" if typed.value > right else "higher"
    said = question.otherwise.because.removesuffix(".")
    return question.otherwise._replace(because=f"{said}: the number is {side}.")
