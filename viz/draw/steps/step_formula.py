"""Fill the formula of a metric with the numbers that are known at each step, for the page's script and for files."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import metrics
from metrics import formula
from metrics.formula import notation
from metrics.teach.steps import ProgramStep, Trace, number

from ..pen import typeset
from ..pen.typeset import FillingTypesetter, PrintedNumbers, TypesetPart

SETTINGS = frozenset("αβγew")  # names of settings, whose values are printed as given
SIZE, GAP = 12, 7  # pixels: letters in a picture, and the space between two lines

T = TypeVar("T")


def empty_formula(trace: Trace) -> str:
    """Return the formula of a trace's metric as MathML with empty places, which a script fills with known numbers."""
    return formula.mathml(_definitions(trace))


def _definitions(trace: Trace) -> Sequence[formula.FormulaStep]:
    most = getattr(trace.settings, "max_order", None)
    return notation.parse_with_value_places(metrics.METRICS[trace.metric].about.formula, most)


def number_changes(known_numbers: dict[str, float], step: ProgramStep) -> dict[str, str | None]:
    """Return the numbers of the formula that a step changes, as printed text by name, and update `known_numbers`.

    The text is None for a number that is not known any more."""
    out: dict[str, str | None] = {}
    for name, value in step.known_values.items():
        if not math.isnan(value) and value != known_numbers.get(name):
            known_numbers[name] = value
            plain = name in SETTINGS and value == round(value, 2)
            out[name] = formula.text(formula.setting_number(value)) if plain else number(value)
        elif math.isnan(value) and known_numbers.pop(name, None) is not None:
            out[name] = None
    return out


def numbers_at_steps(steps: Sequence[ProgramStep]) -> Iterator[dict[str, str]]:
    """Yield, for each step of a trace from the first one on, the known numbers of the formula as text by name."""
    values: dict[str, float] = {}
    printed: dict[str, str | None] = {}
    for step in steps:
        printed |= number_changes(values, step)
        yield {name: text for name, text in printed.items() if text is not None}


class Formula:
    """The formula of a trace's metric with its known numbers filled in; texts and pictures of it are cached."""

    def __init__(self, trace: Trace) -> None:
        self._lines: list[list[formula.FormulaStep]] = []
        for definition in _definitions(trace):
            if definition.same_line and self._lines:
                self._lines[-1].append(definition)
            else:
                self._lines.append([definition])
        self._names = notation.replaceable_names([definition for line in self._lines for definition in line])
        self._typeset: dict[tuple[tuple[str, str], ...], list[TypesetPart]] = {}
        self._texts: dict[tuple[tuple[str, str], ...], list[str]] = {}

    def write_lines(
        self, writer: Callable[[PrintedNumbers], FillingTypesetter[T]], known_numbers: PrintedNumbers
    ) -> list[list[list[T]]]:
        """Return the lines of this formula, written with the known numbers in their places.

        `writer` makes the typesetter from the numbers. Each line is a list of definitions, and each definition a list
        of its sides around the equals signs. A side with an unknown value is left out."""
        one = writer(known_numbers)
        return [[_sides(definition, one) for definition in line] for line in self._lines]

    def typeset(self, known_numbers: PrintedNumbers) -> list[TypesetPart]:
        """Return the lines of this formula with the known numbers as they are drawn in pictures."""
        key = self._key(known_numbers)
        if key not in self._typeset:
            self._typeset[key] = [
                _typeset_line(line) for line in self.write_lines(typeset.PictureTypesetter, known_numbers)
            ]
        return self._typeset[key]

    def changed_definitions(self, before: PrintedNumbers, now: PrintedNumbers) -> list[str]:
        """Return the definitions of this formula whose known numbers differ from those of `before`, as plain text."""
        text_pairs = zip(self._text(before), self._text(now), strict=True)
        return [new for old, new in text_pairs if new != old and any(name in now for name in self._names)]

    def _text(self, known_numbers: PrintedNumbers) -> list[str]:
        key = self._key(known_numbers)
        if key not in self._texts:
            lines = self.write_lines(typeset.PlainTextTypesetter, known_numbers)
            self._texts[key] = ["".join(sides) for line in lines for sides in line]
        return self._texts[key]

    def _key(self, known_numbers: PrintedNumbers) -> tuple[tuple[str, str], ...]:
        return tuple([(name, known_numbers[name]) for name in sorted(self._names & {*known_numbers})])


def _sides(definition: formula.FormulaStep, writer: FillingTypesetter[T]) -> list[T]:
    out = [writer.left_side(definition)]
    for form in definition.forms:
        if not isinstance(form, formula.ValuePlace) or form.name in writer.known_numbers:
            out.append(writer.row([writer.sign("="), writer.set(form)]))
    return out


def formula_at_steps(trace: Trace, steps: Sequence[ProgramStep]) -> list[TypesetPart]:
    """Return the picture of the formula at each of `steps`, which begin with the first step of the trace.

    Each line is at the same height in all pictures, so that nothing jumps."""
    one = Formula(trace)
    states = [one.typeset(known_numbers) for known_numbers in numbers_at_steps(steps)]
    high = [(max(line.up for line in lines), max(line.down for line in lines)) for lines in zip(*states, strict=True)]
    return [_stack_lines(lines, high) for lines in states]


def _stack_lines(lines: Sequence[TypesetPart], high: Sequence[tuple[float, float]]) -> TypesetPart:
    """Return lines of a formula below each other; `high` has the pixels of each line above and below its base line."""
    pieces, y = list[typeset.FormulaPiece](), -float(GAP)
    for line, (up, down) in zip(lines, high, strict=True):
        pieces += line.moved(0, y + GAP + up)
        y += GAP + up + down
    return TypesetPart(max(line.width for line in lines), 0, y, tuple(pieces))


def _typeset_line(definitions: Sequence[Sequence[typeset.Sized]]) -> TypesetPart:
    spacer = TypesetPart(2 * SIZE, 0, 0)
    sets = [
        typeset.join_typeset_parts([typeset.join_typeset_parts(side(SIZE)) for side in sides]) for sides in definitions
    ]
    line = typeset.join_typeset_parts([part for one in sets for part in (spacer, one)][1:])
    first, *others = line.pieces  # the first piece may be drawn narrower than computed; start every line at the left
    return line._replace(pieces=(first._replace(x=0, first=True), *others))
