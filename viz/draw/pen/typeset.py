"""Formulas where nothing shows MathML: the MathML of `metrics.formula` as pieces of a picture and as plain text.

It is read into a tree of elements, in which nothing is what a user typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple
from xml.etree.ElementTree import Element

from . import theme
from .picture import ems, px

SMALL, LOW = 0.74, 0.9  # type sizes of indices and exponents, and of the parts of a fraction
AXIS = 0.28  # type sizes from the base line to the middle of signs
#: Type sizes on both sides of a sign, and of a sum's sign behind it.
_SPACES = {"+": 0.24, "−": 0.24, "·": 0.2, "=": 0.3}
_BEHIND = {",": 0.25, "∑": 0.14}
_RAISED, _LOWERED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"), str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_FUNCTION = "\u2061"  # stands between a function and its brackets, and is not seen


class Piece(NamedTuple):
    """A text whose middle is at x on the base line y, or its `first` letter, where it begins a line; a line through
    points where there is no text."""

    x: float
    y: float
    size: float
    text: str = ""
    slanted: bool = False
    points: tuple[tuple[float, float], ...] = ()
    first: bool = False


class Set(NamedTuple):
    """What is typeset: its breadth, how far it reaches above and below its base line, in pixels, and its pieces."""

    width: float
    up: float
    down: float
    pieces: tuple[Piece, ...] = ()

    def moved(self, x: float, y: float = 0) -> tuple[Piece, ...]:
        """The pieces elsewhere."""
        return tuple(
            [
                piece._replace(
                    x=piece.x + x, y=piece.y + y, points=tuple([(right + x, down + y) for right, down in piece.points])
                )
                for piece in self.pieces
            ]
        )


def beside(parts: Iterable[Set]) -> Set:
    """Several on one base line."""
    x, up, down, pieces = 0.0, 0.0, 0.0, list[Piece]()
    for part in parts:
        pieces += part.moved(x)
        x, up, down = x + part.width, max(up, part.up), max(down, part.down)
    return Set(x, up, down, tuple(pieces))


def typeset(e: Element, size: float) -> Set:
    """An element and what it holds, in letters of so many pixels."""
    if e.tag in ("mn", "mtext", "mi", "mo"):
        return _letters(e, size)
    if e.tag == "mfrac":
        return _fraction(typeset(e[0], LOW * size), typeset(e[1], LOW * size), size)
    if e.tag in ("msup", "msub"):
        base, other = typeset(e[0], size), typeset(e[1], SMALL * size)
        y = 0.2 * size if e.tag == "msub" else -max(0.36 * size, base.up - 0.42 * size)
        pieces = base.pieces + other.moved(base.width + 0.04 * size, y)
        width = base.width + other.width + 0.1 * size
        return Set(width, max(base.up, other.up - y), max(base.down, other.down + y), pieces)
    if e.tag == "mtable":
        return _rows([typeset(row, size) for row in e], size)
    if any(child.get("class") == "tall" for child in e):
        return _fenced(beside([typeset(child, size) for child in e[1:-1]]), size)
    inner = beside([typeset(child, size) for child in e])
    return _root(inner, size) if e.tag == "msqrt" else inner


def _letters(e: Element, size: float) -> Set:
    text = (e.text or "").replace(_FUNCTION, "")
    if not text:
        return Set(0, 0, 0)
    room = _SPACES.get(text, 0) * size
    width, slanted = ems(text) * size, e.tag == "mi" and len(text) == 1 and text != "⋯"
    piece = Piece(room + width / 2, 0, size, text, slanted)
    behind = 0.12 * size if e.tag == "mi" and len(text) > 1 else _BEHIND.get(text, 0) * size
    return Set(width + 2 * room + behind, 0.74 * size, 0.2 * size, (piece,))


def _fraction(top: Set, bottom: Set, size: float) -> Set:
    width, axis, gap = max(top.width, bottom.width) + 0.3 * size, -AXIS * size, 0.14 * size
    above, below = axis - gap - top.down, axis + gap + bottom.up
    bar = Piece(0, 0, size, points=((0.06 * size, axis), (width - 0.06 * size, axis)))
    pieces = (*top.moved((width - top.width) / 2, above), bar, *bottom.moved((width - bottom.width) / 2, below))
    return Set(width, top.up - above, bottom.down + below, pieces)


def _fenced(inner: Set, size: float) -> Set:
    """In brackets as high as what they hold."""
    large = max(size, (inner.up + inner.down) / 0.98)
    y, width = (inner.down - inner.up) / 2 + 0.27 * large, 0.3 * size + 0.06 * large
    left, right = (Piece(x, y, large, sign) for x, sign in ((width / 2, "("), (1.5 * width + inner.width, ")")))
    pieces = (left, *inner.moved(width), right)
    return Set(2 * width + inner.width, inner.up + 0.06 * size, inner.down + 0.06 * size, pieces)


def _root(inner: Set, size: float) -> Set:
    top, left = -inner.up - 0.1 * size, 0.62 * size
    bend = ((0.06, -0.3), (0.2, -0.36), (0.36, inner.down / size - 0.06))
    line = (*[(x * size, y * size) for x, y in bend], (0.58 * size, top), (left + inner.width, top))
    pieces = (Piece(0, 0, size, points=line), *inner.moved(left))
    return Set(left + inner.width + 0.08 * size, 0.06 * size - top, inner.down, pieces)


def _rows(rows: Sequence[Set], size: float) -> Set:
    """Rows below each other, whose middle is at the height of signs."""
    gap = 0.2 * size
    high = sum([row.up + row.down for row in rows]) + gap * (len(rows) - 1)
    y, pieces = -AXIS * size - high / 2, list[Piece]()
    top = y
    for row in rows:
        pieces += row.moved(0, y + row.up)
        y += row.up + row.down + gap
    return Set(max(row.width for row in rows), -top, top + high, tuple(pieces))


def svg(pieces: Iterable[Piece]) -> str:
    """Pieces as SVG, in the colour of paper's ink."""
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


def text(e: Element) -> str:
    """An element and what it holds as plain text.

    >>> from xml.etree.ElementTree import fromstring
    >>> sum_of = "<mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow>"
    >>> text(fromstring(f"<mfrac><mi>s</mi>{sum_of}</mfrac>")), text(fromstring(f"<msup>{sum_of}<mn>2</mn></msup>"))
    ('s/(n + 1)', '(n + 1)²')
    """
    if e.tag in ("mn", "mtext", "mi", "mo"):
        letters = (e.text or "").replace(_FUNCTION, "")
        return f" {letters} " if letters in _SPACES else f"{letters} " if letters in _BEHIND else letters
    if e.tag == "mfrac":
        return f"{_alone(e[0], ' /')}/{_alone(e[1], ' /')}"
    if e.tag in ("msup", "msub"):
        base, other = _alone(e[0], " /^"), text(e[1])
        if other.isdecimal():
            return base + other.translate(_RAISED if e.tag == "msup" else _LOWERED)
        return f"{base}{'^' if e.tag == 'msup' else '_'}{_alone(e[1], ' /')}"
    inner = "".join(map(text, e))
    return f"√{_alone(e, ' /^')}" if e.tag == "msqrt" else inner


def _alone(e: Element, loose: str) -> str:
    """As plain text, in brackets where it has one of the `loose` signs and would not hold together without."""
    inside = "".join(map(text, e)) if e.tag == "msqrt" else text(e)
    whole = _bracketed(inside.removeprefix("√")) or _named(e)
    return f"({inside})" if any(sign in inside for sign in loose) and not whole else inside


def _named(e: Element) -> bool:
    """Whether an element is one name, of several words perhaps."""
    leaves = [leaf for leaf in e.iter() if len(leaf) == 0 and leaf.text]
    return len(leaves) == 1 and leaves[0].tag == "mtext"


def _bracketed(inside: str) -> bool:
    """Whether a text begins with a bracket that closes at its end.

    >>> _bracketed("(a) + (b)"), _bracketed("(a + b)")
    (False, True)
    """
    deep = 0
    for at, letter in enumerate(inside):
        deep += (letter == "(") - (letter == ")")
        if deep <= 0:
            return at == len(inside) - 1 and letter == ")"
    return False
