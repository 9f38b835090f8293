"""Check a chapter's file against the core: the numbers that papers print, and the answers to its questions.

Each function returns a message for the author of the file, "" if nothing is wrong."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence

import metrics
from metrics import formula

from ...draw.learn import prose
from ...draw.learn.chapter import ChapterExample

_NUMBER = re.compile(r"([-−]?\d+(?:\.(\d+))?)\s*(?:/\s*(\d+(?:\.\d+)?)|(%))?")
_COMPARISON_SIGN = re.compile("(==|!=|<=|>=|<|>)")
_TOLERANCE = 1e-9  # numbers at most this far apart are equal
_SIGNS: dict[str, Callable[[float, float], bool]] = {
    "==": lambda a, b: math.isclose(a, b, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE),
    "!=": lambda a, b: not math.isclose(a, b, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE),
    "<": lambda a, b: b - a > _TOLERANCE,
    ">": lambda a, b: a - b > _TOLERANCE,
    "<=": lambda a, b: a - b <= _TOLERANCE,
    ">=": lambda a, b: b - a <= _TOLERANCE,
}


def printed_number_problem(given: str, ours: str, examples: Mapping[str, ChapterExample]) -> str:
    """Return a message if the number `given`, which a paper prints, differs from the computed number `ours`.

    The numbers are compared to the decimals that `given` has. Return "" if they agree, and also if `given` is not a
    number or `ours` is not an expression in braces."""
    number_match = _NUMBER.fullmatch(given.strip())
    inner = re.fullmatch(r"\{([^{}\n]+)\}", ours.strip())
    if number_match is None or inner is None:
        return ""
    expression = inner[1].partition(":")[0].strip()
    number = prose.expression_value(expression, examples)
    text, decimals, under, percent = number_match.groups()
    printed_number = float(text.replace("−", "-"))
    if under:
        agrees = float(under) != 0 and _SIGNS["=="](number, printed_number / float(under))
    else:
        agrees = (
            abs((100 * number if percent else number) - printed_number) <= 0.5 * 10 ** -len(decimals or "") + _TOLERANCE
        )
    if agrees:
        return ""
    return (
        f"printed is {given.strip():.40}, but ours is {formula.format_number(number)} ({expression}); "
        "explain it in erratum, or give in ours what to show beside it"
    )


def check_comparison(text: str, examples: Mapping[str, ChapterExample]) -> str:
    """Return a message if a comparison such as `a.score > b.score == 1 / 2` does not hold, "" if it does.

    The names in it are those of `examples`. Raises ValueError, with a full sentence, if `text` is not a comparison."""
    sides = [side.strip() for side in _COMPARISON_SIGN.split(text)]
    if len(sides) < 3:
        raise ValueError(f"{text!r:.60} is no comparison; write one such as a.score > b.score")
    numbers = [prose.expression_value(side, examples) for side in sides[::2]]
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
    """Return a message if the right answer to a question was typed as a number that the core never computes.

    Args:
        right: the right answer.
        tolerance: how far the answer may be from a computed number.
        texts: the texts of the screen; the numbers computed in them count too.
        own_example: the example that the screen shows; the message names its nearest number.
        examples: all examples of the chapter, in whose numbers the answer is looked for."""
    computed = [
        prose.expression_value(each.partition(":")[0].strip(), examples)
        for text in texts
        for each in _braced_expressions(text)
    ]
    known_numbers = [number for example in examples.values() for number in prose.named_numbers(example.result).values()]
    if any(abs(right - number) <= max(tolerance, _TOLERANCE) for number in (*computed, *known_numbers)):
        return ""
    near = ""
    if own_example:
        numbers = prose.named_numbers(own_example.result)
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
    """Return a message if another choice than the right one is the only number of `own_example`, else "".

    `right` is the index of the right choice. Only questions whose choices are all numbers are checked. Choices that
    are all whole numbers are not, because a small whole number can be anything."""
    numbers = [_shown_number(choice, examples) for choice in choices]
    own_numbers = prose.named_numbers(own_example.result) if own_example else {}
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


def _braced_expressions(text: str) -> list[str]:
    """Return the expressions in `text` that are in braces; the core computes them."""
    return re.findall(r"\{([^{}\n]+)\}", text)


def _shown_number(choice: str, examples: Mapping[str, ChapterExample]) -> float | None:
    """Return the number that a choice shows, typed or computed; None if it is not a finite number."""
    inner = re.fullmatch(r"\{([^{}\n]+)\}", choice.strip())
    if inner:
        return prose.expression_value(inner[1].partition(":")[0].strip(), examples)
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
    """Return whether `number`, which `choice` shows, equals `value` to the decimals that it shows."""
    number_match = _NUMBER.fullmatch(choice.strip())
    digits = len(number_match[2] or "") + (2 if number_match[4] else 0) if number_match and not number_match[3] else 9
    return abs(number - value) <= 0.5 * math.pow(10, -digits) + _TOLERANCE


def check_better_candidate(
    text: str, choices: Sequence[str], right: int, own_example: ChapterExample | None, other: ChapterExample | None
) -> str:
    """Return a message if the metric scores another candidate better than the one that a question calls better.

    The question has “score” and then “higher”, “lower”, “better” or “worse” in its `text`; its choices quote the
    candidates of the two examples, and `right` is the index of its right choice. Return "" if the answer is right,
    for all other questions, and for questions that name another metric."""
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
    quoted = [_quoted_candidate(choice, own_example, other) for choice in choices]
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


def _quoted_candidate(choice: str, own_example: ChapterExample, other: ChapterExample) -> str:
    """Return the candidate of the two examples that `choice` quotes, "" if it quotes neither."""
    words = choice.strip().strip("*").strip()
    return words if words in (own_example.candidate, other.candidate) else ""
