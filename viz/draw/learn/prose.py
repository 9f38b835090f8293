"""Turn the texts of chapters into HTML: paragraphs, words in *italics*, $formulas$, and numbers computed in {braces}.

Braces contain names of examples with a number of them, such as `main.score`, `main.precision` or
`main.length.candidate`, and sums, differences, products and quotients of these. `main.rouge_l.score` is the score of
the same sentence by another metric with its defaults. A format such as `.2f` or `+` may follow a colon."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Mapping
from html import escape

import metrics
from metrics import formula
from metrics.formula import notation
from metrics.types import Result

from ..pen.numbers import change_text
from ..pen.text import visible
from .chapter import ChapterExample

_INLINE = re.compile(r"\$([^$\n]+)\$|\*([^*\n]+)\*|\{([^{}\n]+)\}")
_FILLED = re.compile(r"\{([^{}\n]+)\}")
_SIGNS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: _power(a, b),
}


def html(text: str, examples: Mapping[str, ChapterExample]) -> str:
    """Return a text of several paragraphs as HTML.

    Raises ValueError, with a sentence, for a formula or a number that cannot be read."""
    out = []
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = [line.strip() for line in block.splitlines() if line.strip()]
        if lines and all(map(_is_equation, lines)):
            out.append(_definitions_html([fill_numbers(line[1:-1], examples) for line in lines]))
        elif lines and all(line.startswith("- ") for line in lines):
            out.append(f"<ul>{''.join(f'<li>{inline(line[2:], examples)}</li>' for line in lines)}</ul>")
        elif lines:
            out.append(f"<p>{inline(' '.join(lines), examples)}</p>")
    return "".join(out)


def _is_equation(line: str) -> bool:
    """Return whether a line is one formula with something on both sides of an equals sign."""
    inner = line[1:-1]
    return line[:1] == line[-1:] == "$" and "$" not in inner and "=" in inner[1:-1]


def inline(text: str, examples: Mapping[str, ChapterExample]) -> str:
    """Return a text of one paragraph as HTML, without the `<p>` element around it."""
    out, at = [], 0
    for match in _INLINE.finditer(text):
        math_, words, number = match.groups()
        out.append(_text_between(text[at : match.start()]))
        if math_ is not None:
            out.append(_formula_html(fill_numbers(math_, examples)))
        elif words is not None:
            out.append(f"<i><bdi>{_escaped(fill_numbers(words, examples))}</bdi></i>")
        else:
            out.append(f"<b>{_escaped(number_text(number, examples))}</b>")
        at = match.end()
    return "".join([*out, _text_between(text[at:])])


def _text_between(text: str) -> str:
    """Return text outside of italics, formulas and braces, escaped.

    Raises ValueError for a `*`, `$`, `{` or `}` in it, which has no partner."""
    if stray_sign := re.search(r"[{}$*]", text):
        near = text[max(0, stray_sign.start() - 15) : stray_sign.end() + 15].strip()
        raise ValueError(
            f"{stray_sign[0]} has no partner in {near!r}; put words between asterisks, formulas between "
            "dollar signs, numbers in braces"
        )
    return _escaped(text)


def fill_numbers(text: str, examples: Mapping[str, ChapterExample]) -> str:
    """Return a text with each expression in braces replaced by its printed number."""
    return _FILLED.sub(lambda match: number_text(match[1], examples), text)


def _escaped(text: str) -> str:
    return escape("".join([visible(c) if c != " " else c for c in text]))


def _definitions_html(lines: list[str]) -> str:
    """Return equations, each on a line of its own, as HTML."""
    try:
        return f'<div class="formula">{formula.mathml(notation.parse_definitions(lines))}</div>'
    except (ValueError, RecursionError) as error:
        raise ValueError(f"a formula cannot be read: {error}") from None


def _formula_html(text: str) -> str:
    """Return a formula within a line of text, with or without " = ", as MathML."""
    name, *rest = text.split(" = ")
    try:
        parts = [formula.mathml(notation.parse_definitions([f"x = {part}"])[0].forms[0]) for part in (name, *rest)]
    except (ValueError, RecursionError):
        raise ValueError(
            f"a formula cannot be read: {text!r:.80}; write it in the signs of metrics/formula/notation.py"
        ) from None
    return f"<math>{'<mo>=</mo>'.join(parts)}</math>"


# ---------------------------------------------------------------- numbers


def number_text(given: str, examples: Mapping[str, ChapterExample]) -> str:
    """Return the number that an expression in braces gives, printed in the format after its colon."""
    text, _, how = given.partition(":")
    number = expression_value(text.strip(), examples)
    if not how:
        return formula.format_number(number)
    if how == "+":
        return change_text(number)
    if not re.fullmatch(r"[+]?(\.\d)?[dfg%]?", how) or (how.endswith("d") and "." in how):
        raise ValueError(f"{how!r:.20} is not a number format; write one such as .2f or +")
    return format(int(number) if how.endswith("d") else number, how).replace("-", "−")


def expression_value(text: str, examples: Mapping[str, ChapterExample]) -> float:
    """Return the value of an expression such as `main.score - other.score`, whose names are those of examples.

    Raises ValueError, with a sentence for the author, where there is none."""
    unreadable = f"{{{text:.60}}} cannot be read; write one such as {{main.score}}"
    # Python's parser raises MemoryError for too deep nesting, and before 3.11.4 ValueError for a null byte.
    try:
        expression = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(unreadable) from None
    try:
        result = _finite_value(expression, examples)
    except RecursionError:
        raise ValueError(unreadable) from None
    except ArithmeticError:
        raise ValueError(f"{{{text:.60}}} has no value") from None
    return result + 0.0  # turns −0 into 0


def _power(a: float, b: float) -> float:
    try:
        return math.pow(a, b)
    except ValueError:  # such as the square root of −1
        raise ArithmeticError from None


def _finite_value(node: ast.expr, examples: Mapping[str, ChapterExample]) -> float:
    """Return the value of a node of an expression's syntax tree. Raises ArithmeticError where it is not finite."""
    result = _any_value(node, examples)
    if not math.isfinite(result):
        raise ArithmeticError
    return result


def _any_value(node: ast.expr, examples: Mapping[str, ChapterExample]) -> float:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return float(node.value)  # type: ignore[arg-type]
    if isinstance(node, ast.BinOp) and type(node.op) in _SIGNS:
        return _SIGNS[type(node.op)](_finite_value(node.left, examples), _finite_value(node.right, examples))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_finite_value(node.operand, examples)
    if isinstance(node, ast.Attribute | ast.Name):
        return _named_number(ast.unparse(node).split("."), examples)
    raise ValueError(f"{{{_source_text(node):.60}}} cannot be computed; only names, numbers and + - * / ** are allowed")


def _source_text(node: ast.expr) -> str:
    try:
        return ast.unparse(node)
    except ValueError:  # Python refuses to print an integer of thousands of digits
        return "…"


def _named_number(path: list[str], examples: Mapping[str, ChapterExample]) -> float:
    name, *rest = path
    if name not in examples:
        raise ValueError(f"{name!r:.60} is not an example of this chapter; it has {', '.join(examples)}")
    example, result = examples[name], examples[name].result
    if rest and rest[0] in metrics.METRICS:
        segment = example.texts.segment
        result, rest = metrics.METRICS[rest[0]].score(segment, metrics.settings(rest[0])), rest[1:] or ["score"]
    known_numbers = named_numbers(result)
    if (number_name := ".".join(rest)) not in known_numbers:
        raise ValueError(
            f"{name!r:.60} has no {number_name or 'number of its own'!r:.60}; it has {', '.join(known_numbers)}"
        )
    return known_numbers[number_name]


def named_numbers(result: Result) -> dict[str, float]:
    """Return all numbers of a result that a text can name, by name, such as "score" or "length.candidate"."""
    candidate, references = result.segment
    plain = {name: v for name, v in result.settings.to_dict().items() if isinstance(v, int | float)}
    hits = sum(word == other for word in candidate for reference in references for other in reference)
    return {
        "score": result.score,
        "matches": hits,  # pairs of equal words; overwritten below where the metric counts matches itself
        **result.stats,
        **result.parts,
        "length.candidate": len(candidate),
        "length.reference": len(references[0]),
        **{f"length.reference_{k + 1}": len(reference) for k, reference in enumerate(references)},
        "terms": sum(len(layer.marks) for layer in result.layers),
        **{f"settings.{name}": float(v) for name, v in plain.items()},
    }
