"""Typeset formulas where MathML is not available: as pieces of a picture, and as plain text.

Both convert the trees of `metrics.formula`, and write numbers in place of the names whose values are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple, TypeVar

from metrics.formula import APPLIED, LOWERED, RAISED, Typesetter, TypesettingOptions

from . import theme
from .placed_shapes import px, text_width

T = TypeVar("T")

SMALL, LOW = 0.74, 0.9  # relative font sizes of indices and exponents, and of the parts of a fraction
AXIS = 0.28  # the height of the middle of signs above the base line, in units of the font size
#: The space on both sides of a sign, and the space after a sign, in units of the font size.
_SPACES = {"+": 0.24, "−": 0.24, "·": 0.2, "=": 0.3}
_BEHIND = {",": 0.25, "∑": 0.14}

#: Printed numbers by their names in the formula.
PrintedNumbers = Mapping[str, str]


class FormulaPiece(NamedTuple):
    """A text or a line of a typeset formula, in pixels.

    Attributes:
        x: the position of the text's middle; of its start if `first`.
        y: the position of the text's base line.
        size: the font size.
        text: the text, "" for a line.
        slanted: whether the text is italic.
        points: the points of a line, () for a text.
        first: whether `x` is the start of the text, as at the beginning of a line."""

    x: float
    y: float
    size: float
    text: str = ""
    slanted: bool = False
    points: tuple[tuple[float, float], ...] = ()
    first: bool = False


class TypesetPart(NamedTuple):
    """A part of a formula, typeset: its size and its texts and lines, relative to the start of its base line.

    Attributes:
        width: the width in pixels.
        up: the height above the base line in pixels.
        down: the depth below the base line in pixels.
        pieces: its texts and lines."""

    width: float
    up: float
    down: float
    pieces: tuple[FormulaPiece, ...] = ()

    def moved(self, x: float, y: float = 0) -> tuple[FormulaPiece, ...]:
        """Return the texts and lines of this part, moved by `x` pixels to the right and `y` pixels down."""
        return tuple(
            [
                piece._replace(
                    x=piece.x + x, y=piece.y + y, points=tuple([(right + x, down + y) for right, down in piece.points])
                )
                for piece in self.pieces
            ]
        )


def join_typeset_parts(parts: Iterable[TypesetPart]) -> TypesetPart:
    """Join typeset parts of a formula side by side on one base line."""
    x, up, down, pieces = 0.0, 0.0, 0.0, list[FormulaPiece]()
    for part in parts:
        pieces += part.moved(x)
        x, up, down = x + part.width, max(up, part.up), max(down, part.down)
    return TypesetPart(x, up, down, tuple(pieces))


class FillingTypesetter(Typesetter[T]):
    """A typesetter of formulas that writes the values in `known_numbers` in place of their names."""

    def __init__(self, known_numbers: PrintedNumbers) -> None:
        super().__init__(TypesettingOptions())
        self.known_numbers = known_numbers

    def place(self, name: str, inner: T) -> T:
        return self.number(self.known_numbers[name]) if name in self.known_numbers else inner


#: A function that returns the parts on one base line, given the font size in pixels.
Sized = Callable[[float], Sequence[TypesetPart]]


class PictureTypesetter(FillingTypesetter[Sized]):
    """A typesetter that converts a formula into texts and lines of a picture."""

    def number(self, digits: str) -> Sized:
        return lambda size: [_typeset_text(digits, size)]

    def name(self, letters: str) -> Sized:
        slanted, behind = len(letters) == 1 and letters != "⋯", 0.12 if len(letters) > 1 else 0.0
        return lambda size: [_typeset_text(letters, size, slanted, behind)]

    def sign(self, sign: str, infix: bool = False) -> Sized:
        return lambda size: [_typeset_text(sign, size, False, _BEHIND.get(sign, 0))] if sign != APPLIED else []

    def row(self, pieces: Sequence[Sized]) -> Sized:
        return lambda size: [part for piece in pieces for part in piece(size)]

    def fraction(self, top: Sized, bottom: Sized) -> Sized:
        return lambda size: [_typeset_fraction(_joined(top, LOW * size), _joined(bottom, LOW * size), size)]

    def raised(self, base: Sized, exponent: Sized) -> Sized:
        return lambda size: [_typeset_script(_joined(base, size), _joined(exponent, SMALL * size), size, True)]

    def lowered(self, base: Sized, index: Sized) -> Sized:
        return lambda size: [_typeset_script(_joined(base, size), _joined(index, SMALL * size), size, False)]

    def root(self, inner: Sized) -> Sized:
        return lambda size: [_typeset_root(_joined(inner, size), size)]

    def fenced(self, inner: Sized, tall: bool) -> Sized:
        if tall:
            return lambda size: [_typeset_brackets(_joined(inner, size), size)]
        whole = self.row([self.sign("("), inner, self.sign(")")])
        return lambda size: [_joined(whole, size)]

    def rows(self, rows: Sequence[Sized]) -> Sized:
        return lambda size: [_typeset_stack([_joined(row, size) for row in rows], size)]

    def place(self, name: str, inner: Sized) -> Sized:
        filled = super().place(name, inner)
        return lambda size: [_joined(filled, size)]


def _joined(piece: Sized, size: float) -> TypesetPart:
    return join_typeset_parts(piece(size))


def _typeset_text(text: str, size: float, slanted: bool = False, space_after: float = 0.0) -> TypesetPart:
    """Typeset a text of a formula with the space around it, at the font size `size` in pixels.

    `space_after` is additional space after it, in units of the font size."""
    room, width = _SPACES.get(text, 0) * size, text_width(text) * size
    piece = FormulaPiece(room + width / 2, 0, size, text, slanted)
    return TypesetPart(width + 2 * room + space_after * size, 0.74 * size, 0.2 * size, (piece,))


def _typeset_script(base: TypesetPart, other: TypesetPart, size: float, raised: bool) -> TypesetPart:
    """Typeset an exponent (`raised`) or an index `other` behind `base`."""
    y = -max(0.36 * size, base.up - 0.42 * size) if raised else 0.2 * size
    pieces = base.pieces + other.moved(base.width + 0.04 * size, y)
    width = base.width + other.width + 0.1 * size
    return TypesetPart(width, max(base.up, other.up - y), max(base.down, other.down + y), pieces)


def _typeset_fraction(top: TypesetPart, bottom: TypesetPart, size: float) -> TypesetPart:
    """Typeset a fraction with its bar."""
    width, axis, gap = max(top.width, bottom.width) + 0.3 * size, -AXIS * size, 0.14 * size
    above, below = axis - gap - top.down, axis + gap + bottom.up
    bar = FormulaPiece(0, 0, size, points=((0.06 * size, axis), (width - 0.06 * size, axis)))
    pieces = (*top.moved((width - top.width) / 2, above), bar, *bottom.moved((width - bottom.width) / 2, below))
    return TypesetPart(width, top.up - above, bottom.down + below, pieces)


def _typeset_brackets(inner: TypesetPart, size: float) -> TypesetPart:
    """Typeset brackets around a part of a formula, as high as that part."""
    large = max(size, (inner.up + inner.down) / 0.98)
    y, width = (inner.down - inner.up) / 2 + 0.27 * large, 0.3 * size + 0.06 * large
    left_bracket, right = (
        FormulaPiece(x, y, large, sign) for x, sign in ((width / 2, "("), (1.5 * width + inner.width, ")"))
    )
    pieces = (left_bracket, *inner.moved(width), right)
    return TypesetPart(2 * width + inner.width, inner.up + 0.06 * size, inner.down + 0.06 * size, pieces)


def _typeset_root(inner: TypesetPart, size: float) -> TypesetPart:
    """Typeset a part of a formula under a root sign."""
    top, left_edge = -inner.up - 0.1 * size, 0.62 * size
    bend = ((0.06, -0.3), (0.2, -0.36), (0.36, inner.down / size - 0.06))
    line = (*[(x * size, y * size) for x, y in bend], (0.58 * size, top), (left_edge + inner.width, top))
    pieces = (FormulaPiece(0, 0, size, points=line), *inner.moved(left_edge))
    return TypesetPart(left_edge + inner.width + 0.08 * size, 0.06 * size - top, inner.down, pieces)


def _typeset_stack(rows: Sequence[TypesetPart], size: float) -> TypesetPart:
    """Typeset parts of a formula below each other, centred at the height of signs such as "="."""
    gap = 0.2 * size
    high = sum([row.up + row.down for row in rows]) + gap * (len(rows) - 1)
    y, pieces = -AXIS * size - high / 2, list[FormulaPiece]()
    top = y
    for row in rows:
        pieces += row.moved(0, y + row.up)
        y += row.up + row.down + gap
    return TypesetPart(max(row.width for row in rows), -top, top + high, tuple(pieces))


def pieces_svg(pieces: Iterable[FormulaPiece]) -> str:
    """Return the texts and lines of a formula as an SVG group; "" if there are none."""
    out = []
    for piece in pieces:
        if piece.points:
            line = "L".join(f"{px(x)} {px(y)}" for x, y in piece.points)
            out.append(f'<path d="M{line}" fill="none" stroke="{theme.INK}" stroke-width="{px(piece.size / 14)}"/>')
        else:
            slanted = ' font-style="italic"' * piece.slanted + ' text-anchor="start"' * piece.first
            place = f'x="{px(piece.x)}" y="{px(piece.y)}" font-size="{px(piece.size)}"'
            out.append(f"<text {place}{slanted}>{escape(piece.text)}</text>")
    return f'<g class="formula" fill="{theme.INK}" text-anchor="middle">{"".join(out)}</g>' if out else ""


# ---------------------------------------------------------------- plain text


class PlainTextTypesetter(FillingTypesetter[str]):
    """A typesetter that converts a formula into plain text.

    It adds spaces around signs, and brackets where a fraction bar, exponent or root groups terms."""

    def number(self, digits: str) -> str:
        return digits

    def name(self, letters: str) -> str:
        return letters

    def sign(self, sign: str, infix: bool = False) -> str:
        if sign == APPLIED:
            return ""
        return f" {sign} " if sign in _SPACES else f"{sign} " if sign in _BEHIND else sign

    def row(self, pieces: Sequence[str]) -> str:
        return "".join(pieces)

    def fraction(self, top: str, bottom: str) -> str:
        return f"{_bracket_if_loose(top, ' /')}/{_bracket_if_loose(bottom, ' /')}"

    def raised(self, base: str, exponent: str) -> str:
        return _bracket_if_loose(base, " /^") + (
            exponent.translate(RAISED) if exponent.isdecimal() else f"^{_bracket_if_loose(exponent, ' /')}"
        )

    def lowered(self, base: str, index: str) -> str:
        return _bracket_if_loose(base, " /^") + (
            index.translate(LOWERED) if index.isdecimal() else f"_{_bracket_if_loose(index, ' /')}"
        )

    def root(self, inner: str) -> str:
        return f"√{_bracket_if_loose(inner, ' /^')}"

    def fenced(self, inner: str, tall: bool) -> str:
        return f"({inner})"

    def rows(self, rows: Sequence[str]) -> str:
        return "".join(rows)


def _bracket_if_loose(inside: str, loose: str) -> str:
    """Return a part of a formula, in brackets if it contains a sign in `loose` and has none around it yet."""
    whole = _is_bracketed(inside.removeprefix("√"))
    return f"({inside})" if any(sign in inside for sign in loose) and not whole else inside


def _is_bracketed(inside: str) -> bool:
    """Return whether one pair of brackets encloses the whole text.

    >>> _is_bracketed("(a) + (b)"), _is_bracketed("(a + b)")
    (False, True)
    """
    deep = 0
    for at, letter in enumerate(inside):
        deep += (letter == "(") - (letter == ")")
        if deep <= 0:
            return at == len(inside) - 1 and letter == ")"
    return False
