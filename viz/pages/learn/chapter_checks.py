"""What a chapter's file says, held against the core: a paper's printed number, and the answers to its questions."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence

import metrics
from metrics import formula

from ...draw.learn import prose
from ...draw.learn.chapter import ChapterExample

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


def printed(given: str, ours: str, examples: Mapping[str, ChapterExample]) -> str:
    """What is wrong with a printed number that is not ours, "" where it is ours, to the digits that it has, and where
    it is no number or ours is none."""
    number_match = _NUMBER.fullmatch(given.strip())
    inner = re.fullmatch(r"\{([^{}\n]+)\}", ours.strip())
    if number_match is None or inner is None:
        return ""
    expression = inner[1].partition(":")[0].strip()
    number = prose.value(expression, examples)
    text, decimals, under, percent = number_match.groups()
    printed_number = float(text.replace("−", "-"))
    if under:
        agrees = float(under) != 0 and _SIGNS["=="](number, printed_number / float(under))
    else:
        agrees = (
            abs((100 * number if percent else number) - printed_number) <= 0.5 * 10 ** -len(decimals or "") + _ALIKE
        )
    if agrees:
        return ""
    return (
        f"printed is {given.strip():.40}, and ours is {formula.format_number(number)} ({expression}); "
        "say in erratum why, or in ours what is to stand beside it"
    )


def comparison(text: str, examples: Mapping[str, ChapterExample]) -> str:
    """What is wrong with a comparison that does not hold, such as `a.score > b.score == 1 / 2`, "" where it holds.
    ValueError, in a sentence, where it is none."""
    sides = [side.strip() for side in _COMPARED.split(text)]
    if len(sides) < 3:
        raise ValueError(f"{text!r:.60} is no comparison; write one such as a.score > b.score")
    numbers = [prose.value(side, examples) for side in sides[::2]]
    if all(_SIGNS[sides[2 * n + 1]](numbers[n], numbers[n + 1]) for n in range(len(numbers) - 1)):
        return ""
    signs = [*sides[1::2], ""]
    evaluated_text = " ".join(
        [f"{formula.format_number(number)} {sign}" for number, sign in zip(numbers, signs, strict=True)]
    )
    return f"“{text.strip():.80}” does not hold ({evaluated_text.strip()}); correct the answer, or this comparison"


def check_typed_answer(
    right: float,
    tolerance: float,
    texts: Sequence[str],
    own_example: ChapterExample | None,
    examples: Mapping[str, ChapterExample],
) -> str:
    """What is wrong with an answer that is typed and that the core has nowhere: not among the numbers of the examples
    and not in the `texts` of its screen. It says what the core has of the screen's `own_example`, the nearest first."""
    computed = [prose.value(each.partition(":")[0].strip(), examples) for text in texts for each in _computed(text)]
    known_numbers = [number for example in examples.values() for number in prose.numbers(example.result).values()]
    if any(abs(right - number) <= max(tolerance, _ALIKE) for number in (*computed, *known_numbers)):
        return ""
    near = ""
    if own_example:
        numbers = prose.numbers(own_example.result)
        name = min(numbers, key=lambda each: abs(numbers[each] - right))
        near = f"; the nearest of {own_example.name} is {name}, {formula.format_number(numbers[name])}"
    proof = f'right = "{{{own_example.name if own_example else "main"}.score}}"'
    return (
        f"ask's right is {right:g}, which is no number of the examples{near}; compute it, as in {proof}, "
        "or prove it in holds"
    )


def check_choice(
    choices: Sequence[str], right: int, own_example: ChapterExample | None, examples: Mapping[str, ChapterExample]
) -> str:
    """What is wrong with the right one of choices that are all numbers, where it is no number of the screen's
    `own_example` and another one is; "" for all else. Small whole numbers can be anything, and say nothing."""
    numbers = [_number(choice, examples) for choice in choices]
    own_numbers = prose.numbers(own_example.result) if own_example else {}
    number_names = [
        next(
            (
                name
                for name, value in own_numbers.items()
                if number is not None and _is_same_number(choice, number, value)
            ),
            "",
        )
        for choice, number in zip(choices, numbers, strict=True)
    ]
    others = [n for n, name in enumerate(number_names) if name and n != right]
    whole = all(number is not None and number == int(number) for number in numbers)
    if None in numbers or whole or number_names[right] or len(others) != 1 or own_example is None:
        return ""
    (at,) = others
    return (
        f"ask's right is {right}, {choices[right]:.40}, which is no number of {own_example.name}, and choice {at}, "
        f"{choices[at]:.40}, is its {number_names[at]}; correct right, or prove it in holds"
    )


def _computed(text: str) -> list[str]:
    """What stands in braces."""
    return re.findall(r"\{([^{}\n]+)\}", text)


def _number(choice: str, examples: Mapping[str, ChapterExample]) -> float | None:
    """The number that a choice is, typed or computed."""
    inner = re.fullmatch(r"\{([^{}\n]+)\}", choice.strip())
    if inner:
        return prose.value(inner[1].partition(":")[0].strip(), examples)
    number_match = _NUMBER.fullmatch(choice.strip())
    if number_match is None:
        return None
    number = float(number_match[1].replace("−", "-"))
    number = (
        number / float(number_match[3])
        if number_match[3] and float(number_match[3])
        else number / 100
        if number_match[4]
        else number
    )
    return number if math.isfinite(number) else None


def _is_same_number(choice: str, number: float, value: float) -> bool:
    """Whether a choice is a value, to the digits that it has."""
    number_match = _NUMBER.fullmatch(choice.strip())
    digits = len(number_match[2] or "") + (2 if number_match[4] else 0) if number_match and not number_match[3] else 9
    return abs(number - value) <= 0.5 * math.pow(10, -digits) + _ALIKE


def better(
    text: str, choices: Sequence[str], right: int, own_example: ChapterExample | None, other: ChapterExample | None
) -> str:
    """What is wrong with the right answer to which of two candidates that are drawn the metric scores higher, lower,
    better or worse, "" where nothing is, and where something else is asked or another metric is named."""
    score = re.search(r"\bscor(?:es?|ed|ing)\b", text)
    comparatives = re.findall(r"\b(?:higher|lower|better|worse)\b", text[score.end() :]) if score else []
    if not comparatives or own_example is None or other is None or own_example.candidate == other.candidate:
        return ""
    metric = metrics.METRICS[own_example.metric]
    named_metrics = [
        each for each in metrics.METRICS.values() if re.search(rf"\b{re.escape(each.label)}(?![\w-])", text)
    ]
    if named_metrics not in ([], [metric]):
        return ""
    quoted = [_quoted(choice, own_example, other) for choice in choices]
    if {own_example.candidate, other.candidate} - {*quoted}:
        return ""
    a, b = own_example.result.score, other.result.score
    high = comparatives[-1] == "higher" or comparatives[-1] == ("better" if metric.higher_is_better else "worse")
    core = "" if _SIGNS["=="](a, b) else (own_example if (a > b) == high else other).candidate
    if quoted[right] == core:
        return ""
    return (
        f"ask's right is {right}, {choices[right]:.60}, and {metric.label} scores “{own_example.candidate:.40}” "
        f"{formula.format_number(a)} and “{other.candidate:.40}” {formula.format_number(b)}; "
        "correct right, or prove it in holds"
    )


def _quoted(choice: str, own_example: ChapterExample, other: ChapterExample) -> str:
    """The candidate that a choice is, "" where it is neither."""
    words = choice.strip().strip("*").strip()
    return words if words in (own_example.candidate, other.candidate) else ""
