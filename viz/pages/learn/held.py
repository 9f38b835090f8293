"""What a chapter's file says, held against the core: a paper's printed number, and the answers to its questions."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence

import metrics
from metrics import formula

from ...draw.learn import prose
from ...draw.learn.chapter import Example

_NUMBER = re.compile(r"([-−]?\d+(?:\.(\d+))?)\s*(?:/\s*(\d+(?:\.\d+)?)|(%))?")
_COMPARED = re.compile("(==|!=|<=|>=|<|>)")
_ALIKE = 1e-9  # numbers that are no further apart are equal
_SIGNS: dict[str, Callable[[float, float], bool]] = {
    "==": lambda a, b: math.isclose(a, b, rel_tol=_ALIKE, abs_tol=_ALIKE),
    "!=": lambda a, b: not math.isclose(a, b, rel_tol=_ALIKE, abs_tol=_ALIKE),
    "<": lambda a, b: b - a > _ALIKE,
    ">": lambda a, b: a - b > _ALIKE,
    "<=": lambda a, b: a - b <= _ALIKE,
    ">=": lambda a, b: b - a <= _ALIKE,
}


def printed(given: str, ours: str, examples: Mapping[str, Example]) -> str:
    """What is wrong with a printed number that is not ours, "" where it is ours, to the digits that it has, and where
    it is no number or ours is none."""
    found = _NUMBER.fullmatch(given.strip())
    inner = re.fullmatch(r"\{([^{}\n]+)\}", ours.strip())
    if found is None or inner is None:
        return ""
    expression = inner[1].partition(":")[0].strip()
    number = prose.value(expression, examples)
    text, decimals, under, percent = found.groups()
    said = float(text.replace("−", "-"))
    if under:
        agrees = float(under) != 0 and _SIGNS["=="](number, said / float(under))
    else:
        agrees = abs((100 * number if percent else number) - said) <= 0.5 * 10 ** -len(decimals or "") + _ALIKE
    if agrees:
        return ""
    return (
        f"printed is {given.strip():.40}, and ours is {formula.shown(number)} ({expression}); "
        "say in erratum why, or in ours what is to stand beside it"
    )


def comparison(text: str, examples: Mapping[str, Example]) -> str:
    """What is wrong with a comparison that does not hold, such as `a.score > b.score == 1 / 2`, "" where it holds.
    ValueError, in a sentence, where it is none."""
    sides = [side.strip() for side in _COMPARED.split(text)]
    if len(sides) < 3:
        raise ValueError(f"{text!r:.60} is no comparison; write one such as a.score > b.score")
    numbers = [prose.value(side, examples) for side in sides[::2]]
    if all(_SIGNS[sides[2 * n + 1]](numbers[n], numbers[n + 1]) for n in range(len(numbers) - 1)):
        return ""
    signs = [*sides[1::2], ""]
    said = " ".join([f"{formula.shown(number)} {sign}" for number, sign in zip(numbers, signs, strict=True)])
    return f"“{text.strip():.80}” does not hold ({said.strip()}); correct the answer, or this comparison"


def typed(
    right: float, within: float, texts: Sequence[str], own: Example | None, examples: Mapping[str, Example]
) -> str:
    """What is wrong with an answer that is typed and that the core has nowhere: not among the numbers of the examples
    and not in the `texts` of its screen. It says what the core has of the screen's `own` example, the nearest first."""
    computed = [prose.value(each.partition(":")[0].strip(), examples) for text in texts for each in _computed(text)]
    known = [number for example in examples.values() for number in prose.numbers(example.result).values()]
    if any(abs(right - number) <= max(within, _ALIKE) for number in (*computed, *known)):
        return ""
    near = ""
    if own:
        numbers = prose.numbers(own.result)
        name = min(numbers, key=lambda each: abs(numbers[each] - right))
        near = f"; the nearest of {own.name} is {name}, {formula.shown(numbers[name])}"
    proof = f'right = "{{{own.name if own else "main"}.score}}"'
    return (
        f"ask's right is {right:g}, which is no number of the examples{near}; compute it, as in {proof}, "
        "or prove it in holds"
    )


def chosen(choices: Sequence[str], right: int, own: Example | None, examples: Mapping[str, Example]) -> str:
    """What is wrong with the right one of choices that are all numbers, where it is no number of the screen's `own`
    example and another one is; "" for all else. Small whole numbers can be anything, and say nothing."""
    numbers = [_number(choice, examples) for choice in choices]
    known = prose.numbers(own.result) if own else {}
    named = [
        next((name for name, value in known.items() if number is not None and _same(choice, number, value)), "")
        for choice, number in zip(choices, numbers, strict=True)
    ]
    others = [n for n, name in enumerate(named) if name and n != right]
    whole = all(number is not None and number == int(number) for number in numbers)
    if None in numbers or whole or named[right] or len(others) != 1 or own is None:
        return ""
    (at,) = others
    return (
        f"ask's right is {right}, {choices[right]:.40}, which is no number of {own.name}, and choice {at}, "
        f"{choices[at]:.40}, is its {named[at]}; correct right, or prove it in holds"
    )


def _computed(text: str) -> list[str]:
    """What stands in braces."""
    return re.findall(r"\{([^{}\n]+)\}", text)


def _number(choice: str, examples: Mapping[str, Example]) -> float | None:
    """The number that a choice is, typed or computed."""
    inner = re.fullmatch(r"\{([^{}\n]+)\}", choice.strip())
    if inner:
        return prose.value(inner[1].partition(":")[0].strip(), examples)
    found = _NUMBER.fullmatch(choice.strip())
    if found is None:
        return None
    number = float(found[1].replace("−", "-"))
    number = number / float(found[3]) if found[3] and float(found[3]) else number / 100 if found[4] else number
    return number if math.isfinite(number) else None


def _same(choice: str, number: float, value: float) -> bool:
    """Whether a choice is a value, to the digits that it has."""
    found = _NUMBER.fullmatch(choice.strip())
    digits = len(found[2] or "") + (2 if found[4] else 0) if found and not found[3] else 9
    return abs(number - value) <= 0.5 * math.pow(10, -digits) + _ALIKE


def better(text: str, choices: Sequence[str], right: int, own: Example | None, other: Example | None) -> str:
    """What is wrong with the right answer to which of two candidates that are drawn the metric scores higher, lower,
    better or worse, "" where nothing is, and where something else is asked or another metric is named."""
    score = re.search(r"\bscor(?:es?|ed|ing)\b", text)
    asked = re.findall(r"\b(?:higher|lower|better|worse)\b", text[score.end() :]) if score else []
    if not asked or own is None or other is None or own.candidate == other.candidate:
        return ""
    metric = metrics.METRICS[own.metric]
    named = [each for each in metrics.METRICS.values() if re.search(rf"\b{re.escape(each.label)}(?![\w-])", text)]
    if named not in ([], [metric]):
        return ""
    quoted = [_quoted(choice, own, other) for choice in choices]
    if {own.candidate, other.candidate} - {*quoted}:
        return ""
    a, b = own.result.score, other.result.score
    high = asked[-1] == "higher" or asked[-1] == ("better" if metric.higher_is_better else "worse")
    core = "" if _SIGNS["=="](a, b) else (own if (a > b) == high else other).candidate
    if quoted[right] == core:
        return ""
    return (
        f"ask's right is {right}, {choices[right]:.60}, and {metric.label} scores “{own.candidate:.40}” "
        f"{formula.shown(a)} and “{other.candidate:.40}” {formula.shown(b)}; correct right, or prove it in holds"
    )


def _quoted(choice: str, own: Example, other: Example) -> str:
    """The candidate that a choice is, "" where it is neither."""
    words = choice.strip().strip("*").strip()
    return words if words in (own.candidate, other.candidate) else ""
