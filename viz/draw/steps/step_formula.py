"""The formula of a metric with the numbers that are known at each step, for the page's script and for files."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from xml.etree.ElementTree import Element, fromstring

import metrics
from metrics import formula
from metrics.formula import notation
from metrics.teach.steps import Step, Trace, number

from ..pen import typeset
from ..pen.typeset import Set

SETTINGS = frozenset("αβγew")  # names of formulas that are printed as they were given
SIZE, GAP = 12, 7  # pixels: letters in a picture, and the space between two lines

#: A definition: the sides of its equals signs, each a `math` element.
Sides = tuple[Element, ...]
#: Numbers as they are printed, by the names that they have in the formula.
Known = Mapping[str, str]


def places(trace: Trace) -> str:
    """The formula as MathML in which a script fills in what is known."""
    most = getattr(trace.settings, "max_order", None)
    return notation.places(metrics.METRICS[trace.metric].about.formula, most)


def news(known: dict[str, float], step: Step) -> dict[str, str | None]:
    """What a step changes in what is known of the formula, as it is printed; None for what is not known any more."""
    out: dict[str, str | None] = {}
    for name, value in step.known.items():
        if not math.isnan(value) and value != known.get(name):
            known[name] = value
            plain = name in SETTINGS and value == round(value, 2)
            out[name] = formula.given(value).text() if plain else number(value)
        elif math.isnan(value) and known.pop(name, None) is not None:
            out[name] = None
    return out


def known_at(steps: Sequence[Step]) -> Iterator[dict[str, str]]:
    """What is known at each step of a trace, from the first one on."""
    values: dict[str, float] = {}
    printed: dict[str, str | None] = {}
    for step in steps:
        printed |= news(values, step)
        yield {name: text for name, text in printed.items() if text is not None}


class Formula:
    """The formula of a trace; what is made of the same numbers is made once."""

    def __init__(self, trace: Trace) -> None:
        tree = fromstring(f"<div>{places(trace)}</div>")
        self._lines = [[tuple(step) for step in line] for line in tree]
        self._names = {e.get("data-known", "") for e in tree.iter()} - {""}
        self._filled: dict[tuple[tuple[str, str], ...], list[list[Sides]]] = {}
        self._typeset: dict[tuple[tuple[str, str], ...], list[Set]] = {}

    def filled(self, known: Known) -> list[list[Sides]]:
        """Its lines, each of one definition or several, with these numbers in their places; the side of a value that is
        not known is left out."""
        key = self._key(known)
        if key not in self._filled:
            self._filled[key] = [[_filled(sides, known) for sides in line] for line in self._lines]
        return self._filled[key]

    def typeset(self, known: Known) -> list[Set]:
        """Its lines as they are drawn."""
        key = self._key(known)
        if key not in self._typeset:
            self._typeset[key] = [_line(line) for line in self.filled(known)]
        return self._typeset[key]

    def told(self, before: Known, now: Known) -> list[str]:
        """The definitions in which there are other numbers than before, as plain text."""
        was, filled = ([sides for line in self.filled(known) for sides in line] for known in (before, now))
        told = [(_text(old), _text(new)) for old, new in zip(was, filled, strict=True)]
        return [new for old, new in told if new != old and any(name in now for name in self._names)]

    def _key(self, known: Known) -> tuple[tuple[str, str], ...]:
        return tuple([(name, known[name]) for name in sorted(self._names & {*known})])


def drawn_at(trace: Trace, steps: Sequence[Step]) -> list[Set]:
    """The formula at each of these steps, the first of a trace, all of one height: lines stay in their places."""
    one = Formula(trace)
    states = [one.typeset(known) for known in known_at(steps)]
    high = [(max(line.up for line in lines), max(line.down for line in lines)) for lines in zip(*states, strict=True)]
    return [_below(lines, high) for lines in states]


def _below(lines: Sequence[Set], high: Sequence[tuple[float, float]]) -> Set:
    """Lines below each other, each of a height above and below its base line."""
    pieces, y = list[typeset.Piece](), -float(GAP)
    for line, (up, down) in zip(lines, high, strict=True):
        pieces += line.moved(0, y + GAP + up)
        y += GAP + up + down
    return Set(max(line.width for line in lines), 0, y, tuple(pieces))


def _filled(sides: Sides, known: Known) -> Sides:
    out = []
    for side in sides:
        copy = deepcopy(side)
        if _fill(copy, known):
            out.append(copy)
    return tuple(out)


def _fill(e: Element, known: Known) -> bool:
    """Put numbers into their places; False where the value that stands there is not known."""
    name = e.get("data-known", "")
    if name in known:
        e[:] = [_number(known[name])]
        return True
    return e.get("class") != "value" and all(_fill(child, known) for child in e)


def _number(text: str) -> Element:
    e = Element("mn")
    e.text = text
    return e


def _line(definitions: Sequence[Sides]) -> Set:
    apart = Set(2 * SIZE, 0, 0)
    sets = [typeset.beside([typeset.typeset(side, SIZE) for side in sides]) for sides in definitions]
    line = typeset.beside([part for one in sets for part in (apart, one)][1:])
    first, *others = line.pieces  # it may be narrower than is thought here, and lines begin below each other
    return line._replace(pieces=(first._replace(x=0, first=True), *others))


def _text(sides: Sides) -> str:
    return "".join(map(typeset.text, sides))
