"""A picture in pixels, from which the SVG and the TikZ picture are written, and a result's grids laid out as one.

Grids are made from `marks.shapes` on screen and in files, so a saved picture shows the same evidence.
"""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from metrics.text import beyond
from metrics.types import Hit

from ..memory import remembered
from . import marks, theme
from .grid import LABEL, Window
from .marks import Entry, Point, Shape, Term
from .theme import LOOKS, Kind

MOST_WORDS, MOST_HITS = 250, 40_000  # what a picture can hold: words of a sentence, and matches
MOST_HEIGHT = 16_000  # pixels; TeX counts no further
CAPTION_ROOM = 420  # pixels across, at least, for a title and a signature
LEAST_FONT = 7  # pixels; smaller labels are left out and positions take their place
EDGE = 6  # pixels between a grid and the words at its left
TICK, CAPTION = 9, 11  # pixels: positions, and the signature

Words = Sequence[str]
Side = Literal["left", "right", "centre"]


class Box(NamedTuple):
    """The cells of reference `k`: the top left corner in pixels, and how many rows and columns there are.

    Above and at the left of it are `border` rows and columns more, which stand for no word.
    """

    k: int
    x: float
    y: float
    rows: int
    columns: int
    border: int = 0


class Label(NamedTuple):
    """A word beside the grid, `turn` degrees anticlockwise. `side` of the text is at (x, y), centred in height.

    `word` names the word that it is, `c3` or `r0_4`, which is its class too; "" for what is no word. `along` are the
    names of words on other sides that go with it (`sided`). One that is `unseen` is there for its name alone.
    """

    text: str
    x: float
    y: float
    side: Side
    turn: int = 0
    word: str = ""
    along: str = ""
    unseen: bool = False


class Ink(NamedTuple):
    """How a shape is coloured: the opacity of its filling (0: none) and the width of its line (0: none).

    `strength` is the opacity of each line for itself, so that lines which cross are darker there.
    """

    colour: str
    fill: float
    line: float
    dashed: bool = False
    dotted: bool = False
    strength: float = 1

    @property
    def gap(self) -> float:
        """From dot to dot of a dotted line, in pixels."""
        return 2.2 * self.line + 0.6


class Placed(NamedTuple):
    """A shape in pixels: a line, a text, a circle (one point), a polygon or a curve.

    `size` is a radius or a type size, `text` what a digit says, `name` its classes; `sign` is written on a circle. The
    points of a curve are those of a cubic Bézier curve: its start, two control points, its end. `term` is the term that
    the shape stands for, by the numbers of its layer and in it, and `cell` the cell, whose row is a word of `side`.
    `says` is what is said of it when it is pointed at, where that is not what its group says. `lead` and `words` are as
    in `Shape`.
    """

    kind: Kind
    points: tuple[Point, ...]
    size: float
    text: str
    name: str
    sign: tuple[Point, ...] = ()
    term: tuple[int, int] | None = None
    cell: Hit | None = None
    says: str = ""
    side: str = ""
    lead: str = ""
    words: str = ""


class Group(NamedTuple):
    """Shapes of one look; `says` is what is said of one that is pointed at."""

    ink: Ink
    opacity: float
    members: list[Placed]
    says: str = ""


class Key(NamedTuple):
    """An entry of the legend; `word` are the classes of words that look so in the strips, `under` what lies under the
    sample."""

    ink: Ink
    sample: Placed
    text: str
    word: str = ""
    under: tuple[tuple[Ink, Placed], ...] = ()

    def drawn(self) -> tuple[tuple[Ink, Placed], ...]:
        """All that is drawn of the sample, back to front."""
        return (*self.under, (self.ink, self.sample))


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that is drawn, in pixels, for a writer to put into its format."""

    title: str
    signature: str
    width: float
    height: float  # without the caption
    cell: int
    font: int
    joined: bool
    boxes: list[Box]
    labels: list[Label]
    headings: list[Label]
    groups: list[Group]
    key: list[Key]
    window: Window | None = None  # the part that is drawn, where it is not the whole
    folds: tuple[tuple[int, int], ...] = ()  # first row and last but one of those that share the height of one
    side: str = ""  # whose words the rows are, where several grids of the same references stand on one page


def ink_of(shape: Shape) -> Ink:
    """How a shape is coloured, by the table of looks."""
    look = LOOKS[shape.role, shape.kind]
    if shape.kind == "digit":
        pale = shape.role == "shared" and shape.level < marks.LEVELS
        on_paper = shape.dim or pale or look.colour == theme.INK
        return Ink(theme.INK if on_paper else theme.PAPER, 1, 0)
    colour, fill, line = theme.colour_of(look, shape.number), look.fill, look.line
    if shape.kind == "curve":
        return Ink(colour, fill, line, look.style == "dashed", look.style == "dotted", 0.28 if shape.dim else 1)
    if shape.kind == "line":
        line += 1.5 * max(0, shape.level - 1)  # one of the next level is half as thick again
    elif shape.role == "shared":
        fill = theme.tint_alpha(shape.level, marks.LEVELS)
    elif shape.role == "selected" and shape.number:
        fill, line = 1, 0  # so that its digit is read on vermilion and not on the round's faint colour
    return Ink(colour, fill, line, look.style == "dashed", look.style == "dotted")


def picture_on(
    rows: Words,
    references: Sequence[Words],
    shapes: Sequence[Shape],
    cell: int,
    columns: int,
    title: str = "",
    signature: str = "",
    room_for: Words = (),
    shown: Sequence[int] | None = None,
    headed: bool = True,
    border: int = 0,
) -> Picture:
    """The picture of shapes on any rows, with cells of `cell` pixels and `columns` references side by side.

    Words are left out where cells are too small for them. There is room at the left for the words of `room_for` too, so
    that grids of other rows below each other have their columns in line. `shown` are the numbers of the references that
    are drawn, in this order, all of them where it is None; each has its name above it where there are several and the
    picture is `headed`. `border` is how many rows and columns a table has before those of words. Raises ValueError, as
    `picture_of` does, where the picture would be too high.
    """
    layout = _Layout(rows, references, cell, columns, font_of(cell), room_for, shown, headed, border)
    if layout.height > MOST_HEIGHT:
        raise ValueError(
            f"The picture would be {layout.height:,.0f} pixels high, more than the {MOST_HEIGHT:,} that fit; "
            "choose a part of the texts"
        )
    return Picture(
        title,
        signature,
        layout.width,
        layout.height,
        cell,
        layout.font,
        layout.joined,
        layout.boxes,
        _aside(layout.labels, layout.boxes, shapes, cell),
        layout.headings,
        groups_of(shapes, layout.boxes, cell),
        key_of(marks.legend(shapes)),
    )


def _aside(labels: Sequence[Label], boxes: Sequence[Box], shapes: Sequence[Shape], cell: int) -> list[Label]:
    """Labels, moved out of the way of the signs of edits that stand on the edges of grids."""
    of = {box.k: box for box in boxes}
    signs = [(of[s.k], *s.points[0]) for s in shapes if s.kind in ("plus", "minus") and s.k in of]
    left = {(box.x - EDGE, box.y + row * cell) for box, row, column in signs if column <= 0}
    top = {(box.y - EDGE, box.x + column * cell) for box, row, column in signs if row <= 0}
    return [
        label._replace(x=label.x - EDGE)
        if label.side == "right" and any(abs(label.x - x) < 1 and abs(label.y - y) < 1 for x, y in left)
        else label._replace(y=label.y - EDGE)
        if label.side != "right" and any(abs(label.x - x) < 1 and 0 <= y - label.y < cell for y, x in top)
        else label
        for label in labels
    ]


def window_on(
    rows: Words,
    references: Sequence[Words],
    shapes: Sequence[Shape],
    window: Window,
    cell: int,
    room_for: Words = (),
) -> Picture:
    """The picture of a part of one reference's grid; shapes beyond it are left out or cut off where they are drawn."""
    k, i, j, count, breadth = window
    inside = [
        shape._replace(k=0, points=tuple([(r - i, c - j) for r, c in shape.points]))
        for shape in shapes
        if window.touches(shape)
    ]
    drawn = picture_on(rows[i : i + count], [references[k][j : j + breadth]], inside, cell, 1, room_for=room_for)
    return replace(drawn, labels=[in_text(label, window) for label in drawn.labels], window=window)


def sided(
    picture: Picture, side: str, along: Sequence[str] = (), leads: Mapping[tuple[int, int], str] | None = None
) -> Picture:
    """A picture for a page on which several stand, whose rows are words of different sides over the same references.

    The names of words and cells at the left begin with `side` instead of the candidate's `c`: `b3` and `b3,0,5`.
    `along` has for each row the names of the words on other sides that go with it. Such a page has no terms of one
    result: `leads` says to what those of this picture lead.
    """

    def renamed(label: Label) -> Label:
        if not label.word.startswith("c"):
            return label
        row = int(label.word[1:])
        return label._replace(word=f"{side}{row}", along=along[row] if along else "")

    def moved(shape: Placed) -> Placed:
        lead = (leads or {}).get(shape.term, "") if shape.term else shape.lead
        return shape._replace(side=side, term=None, lead=lead)

    groups = [g._replace(members=[moved(shape) for shape in g.members]) for g in picture.groups]
    return replace(picture, side=side, groups=groups, labels=[renamed(label) for label in picture.labels])


def in_text(label: Label, window: Window) -> Label:
    """A label of a window, which is named by its place in the window, with its name in the texts."""
    if not label.word:
        return label
    side, place = label.word[0], int(label.word[1:].rpartition("_")[2])
    return label._replace(word=f"c{window.i + place}" if side == "c" else f"r{window.k}_{window.j + place}")


class Fit(NamedTuple):
    """Cells of `cell` pixels and how many references stand side by side."""

    cell: int
    columns: int


#: The largest cells in pixels for sentences of fewer words than these; the least side by side; the least of all.
LARGEST, BESIDE, LEAST = {12: 48, 24: 30, MOST_WORDS: 24}, 10, 9
READABLE = 19  # pixels of a cell beside which words are written as large as beside any


def fit(
    rows: Words,
    references: Sequence[Words],
    shown: Sequence[int],
    width: int,
    room_for: Words = (),
    border: int = 0,
    high: int | None = None,
) -> Fit:
    """The largest cells with which the grids of the `shown` references fit into `width` pixels, and into `high` ones if
    they can with cells of READABLE pixels.

    As many references as fit with cells of BESIDE pixels stand side by side, else each is below the other. Where even
    the smallest cells do not fit, the picture is broader than its room, which then scrolls. `room_for` and `border` as
    in `picture_on`.
    """
    return _fit(tuple(rows), tuple(map(tuple, references)), tuple(shown), width, tuple(room_for), border, high)


class Size(NamedTuple):
    """Cells of `cell` pixels, and the breadth and the height of the picture in pixels."""

    cell: int
    breadth: float
    height: float


def fit_one(rows: Sequence[Words], references: Sequence[Words], width: int, high: int) -> Size:
    """The largest cells with which each reference's grid, beside its own rows and without a heading, fits into
    `width` × `high` pixels.

    As in `fit` cells have at least LEAST pixels, whatever the room.
    """
    return _fit_one(tuple(map(tuple, rows)), tuple(map(tuple, references)), width, high)


@remembered
def _fit_one(rows: tuple[tuple[str, ...], ...], references: tuple[tuple[str, ...], ...], width: int, high: int) -> Size:
    longest = max(map(len, (*rows, *references)))
    most = next((cell for words, cell in LARGEST.items() if longest < words), LEAST)

    def tried(cell: int) -> list[_Layout]:
        each = enumerate(rows)
        return [_Layout(own, references, cell, 1, font_of(cell), (), (k,), False) for k, own in each]

    def fits(cell: int) -> bool:
        return all(layout.width <= width and layout.height <= high for layout in tried(cell))

    cell = LEAST + bisect_right(range(LEAST + 1, most + 1), False, key=lambda cell: not fits(cell))
    found = tried(cell)
    return Size(cell, max(layout.width for layout in found), max(layout.height for layout in found))


@remembered
def _fit(
    rows: tuple[str, ...],
    references: tuple[tuple[str, ...], ...],
    shown: tuple[int, ...],
    width: int,
    room_for: tuple[str, ...],
    border: int,
    high: int | None,
) -> Fit:
    """As `fit`; several layouts have to be tried."""
    longest = max([len(rows), *(len(references[k]) for k in shown)])
    most = next((cell for words, cell in LARGEST.items() if longest < words), LEAST)

    def fits(cell: int, columns: int) -> bool:
        layout = _Layout(rows, references, cell, columns, font_of(cell), room_for, shown, border=border)
        return layout.width <= width and (high is None or cell <= READABLE or layout.height <= high)

    for columns in range(len(shown), 0, -1):
        least = BESIDE if columns > 1 else LEAST
        if fits(least, columns) or columns == 1:
            found = bisect_right(range(least, most + 1), False, key=lambda cell: not fits(cell, columns))
            return Fit(least + max(0, found - 1), columns)
    raise AssertionError("one column is always tried")


def font_of(cell: int) -> int:
    """The type size of words beside cells; 0 where they would be too small to be read."""
    font = int(max(8, min(14, cell * 0.74))) if cell >= LEAST else int(cell * 0.74)
    return font if font >= LEAST_FONT else 0


def groups_of(shapes: Iterable[Shape], boxes: Iterable[Box], cell: int) -> list[Group]:
    """Shapes in pixels, those of one look and one reason together, in the order in which they come."""
    box_of = {box.k: box for box in boxes}
    groups: dict[tuple[Any, ...], Group] = {}
    for shape in shapes:
        if shape.k not in box_of:
            continue
        look = (shape.kind, shape.role, shape.number, shape.dim, shape.level, shape.why)
        if look not in groups:
            # Digits stay readable, and curves show through each other.
            faint = 0.5 if shape.kind == "digit" else 1 if shape.kind == "curve" else 0.28
            says = LOOKS[shape.role, shape.kind].hover or shape.says
            says = f"{says}: {shape.why}" if shape.why else says  # each reason stands there once
            groups[look] = Group(_thin(ink_of(shape), cell), faint if shape.dim else 1, [], says)
        groups[look].members.append(_drawn(shape, box_of[shape.k], cell))
    return list(groups.values())


def check(matches: int) -> None:
    """ValueError if a picture cannot hold so many matches."""
    if matches > MOST_HITS:
        said = beyond("The grid", matches, "matches", MOST_HITS, "a picture can hold")
        raise ValueError(f"{said}; choose a part of the texts")


def chosen_in(picture: Picture, term: Term) -> Picture:
    """A picture without a selection of its own with the shapes of a term on top of the others, which step back."""
    name, cells = (term.layer, term.t), set(term.mark.cells())
    groups, picked = [], []
    for group in picture.groups:
        mine = [p for p in group.members if p.term == name or p.cell in cells]
        others = [p for p in group.members if p not in mine]
        groups.append(group._replace(opacity=0.28 * group.opacity, members=others))
        ink = group.ink._replace(colour=theme.VERMILION, line=group.ink.line * 1.5)
        picked += [Group(ink, 1, mine)] if mine else []
    return replace(picture, groups=[group for group in groups if group.members] + picked)


def _thin(ink: Ink, cell: float) -> Ink:
    """Thinner lines for small cells."""
    return ink._replace(line=round(ink.line * max(0.4, min(1.0, cell / 14)), 2))


def _drawn(shape: Shape, box: Box, cell: float) -> Placed:
    points = tuple([(box.x + column * cell, box.y + row * cell) for row, column in shape.points])
    name = f"{shape.kind} {shape.role.replace(' ', '-')}"
    if shape.cell:
        name += f" x{shape.cell.i}_{shape.cell.k}_{shape.cell.j}"
    if shape.term and shape.kind in ("plus", "minus"):  # what has no cell to be named by
        name += f" t{shape.term.layer}_{shape.term.t}"
    if shape.kind == "digit":
        size = cell * 0.48
    else:  # tiny markers fill their cell
        # Dots are no larger than 10 pixels, and what is larger than a dot stays so.
        size = max(LOOKS[shape.role, shape.kind].size * min(40, cell), min(1.5, cell * 0.48))
    term = (shape.term.layer, shape.term.t) if shape.term else None
    if shape.text:  # as large as fits into its part of a cell
        half = cell * LOOKS[shape.role, shape.kind].size
        size = min(1.14 * half, 2 * half / max(ems(shape.text), 0.5))
    placed = marker(shape.kind, points, size, name, shape.text or str(shape.number))
    hover = LOOKS[shape.role, shape.kind].hover
    # What a group says holds for all its shapes; markers of changed cells say each where their words are.
    says = f"{hover}, {shape.says}" if hover and shape.says and shape.kind != "polygon" else ""
    return placed._replace(term=term, cell=shape.cell, says=says, lead=shape.lead, words=shape.words)


def marker(kind: Kind, points: tuple[Point, ...], size: float, name: str, number: str = "") -> Placed:
    """A shape with a marker's outline, by which a writer need know circles, polygons, lines and texts only."""
    if kind in _OUTLINES:
        ((x, y),) = points
        outline = tuple([(x + size * a, y + size * b) for a, b in _OUTLINES[kind]])
        return Placed(kind, outline, 0, "", name)
    if kind in ("plus", "minus"):
        ((x, y),) = points
        sign = tuple([(x + size * a, y + size * b) for a, b in (_PLUS if kind == "plus" else _MINUS)])
        return Placed(kind, points, size, "", name, sign)
    return Placed(kind, points, size, number if kind == "digit" else "", name)


def arch(start: float, end: float, y: float, high: float) -> tuple[Point, ...]:
    """A curve from (start, y) up and down to (end, y), `high` pixels at its top."""
    control = y - high * 4 / 3
    return ((start, y), (start, control), (end, control), (end, y))


def _turned(points: Iterable[Point]) -> tuple[Point, ...]:
    """By 45 degrees."""
    return tuple([((x - y) * math.sqrt(0.5), (x + y) * math.sqrt(0.5)) for x, y in points])


_S, _L = 0.17, 0.62  # half the breadth and half the length of a sign's strokes, in radii
_MINUS = ((-_L, -_S), (_L, -_S), (_L, _S), (-_L, _S))
_PLUS: tuple[Point, ...] = ((-_S, -_L), (_S, -_L), (_S, -_S), (_L, -_S), (_L, _S), (_S, _S))
_PLUS += ((_S, _L), (-_S, _L), (-_S, _S), (-_L, _S), (-_L, -_S), (-_S, -_S))
_OUTLINES: dict[str, tuple[Point, ...]] = {
    "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    "hollow": ((0, -1.15), (1.15, 0), (0, 1.15), (-1.15, 0)),
    "triangle": ((0, -1.25), (1.2, 0.85), (-1.2, 0.85)),
    "hexagon": tuple([(1.1 * math.sin(n * math.pi / 3), 1.1 * math.cos(n * math.pi / 3)) for n in range(6)]),
    "cross": _turned([(x * 1.75, y * 1.75) for x, y in _PLUS]),
}


def key_of(entries: Iterable[Entry]) -> list[Key]:
    """The legend's entries as they are drawn; samples lie in a square of 12 pixels."""
    out, listed = [], [*entries]
    for says, shape in listed:
        if shape.kind == "curve":
            points: tuple[Point, ...] = arch(0, 12, 11, 9)
        elif shape.kind == "line":
            points = ((0, 6), (12, 6))
        elif shape.role == "area":
            points = ((0, 0), (12, 12), (0, 12))
        elif shape.kind == "polygon" and shape.cell:
            points = tuple([((c - shape.cell.j) * 12, (r - shape.cell.i) * 12) for r, c in shape.points])
        elif shape.kind == "polygon":
            points = ((0, 0), (12, 0), (12, 12), (0, 12))
        else:
            points = ((6, 6),)
        size = 5.5 if shape.kind in ("plus", "minus") else 5
        # The words of a hexagon look alike, in a round or not; those of a dot look as all used ones do.
        similar = shape.role == "round" and shape.level
        look = LOOKS["used", "hexagon"] if similar else LOOKS[shape.role, shape.kind]
        word = look.word if (shape.role, shape.kind) != ("used", "dot") else ""
        if shape.text:
            size = 10
        sample = marker(shape.kind, points, size, "key", shape.text or str(shape.number))
        out.append(Key(ink_of(shape)._replace(strength=1), sample, says, word))
    # What two use has the mark of each.
    halves = {entry.shape.role: (key.ink, key.sample) for entry, key in zip(listed, out, strict=True)}
    under = tuple([halves[role] for role in _HALVES if role in halves])
    both = [entry.shape.role == "both" for entry in listed]
    return [key._replace(under=under) if of_two else key for key, of_two in zip(out, both, strict=True)]


_HALVES: tuple[theme.Role, ...] = ("first", "second")


class _Layout:
    """Where boxes and labels go. Panels in one row are joined: they share the candidate's words at the left.

    Without a `font` words have no room, and every tenth position is written instead.
    """

    def __init__(
        self,
        candidate: Words,
        references: Sequence[Words],
        cell: int,
        columns: int,
        font: int,
        room_for: Words = (),
        shown: Sequence[int] | None = None,
        headed: bool = True,
        border: int = 0,
    ) -> None:
        self.cell, self.font, self.border = cell, font, border * cell
        shown = range(len(references)) if shown is None else shown
        self.joined = columns >= len(shown)
        self.boxes: list[Box] = []
        self.labels: list[Label] = []
        self.headings: list[Label] = []
        above = max([room_of(references[k], font) for k in shown])
        self.turn = 0 if not font or above + 6 <= cell else 45 if cell >= 20 else 90
        head = {0: (font or TICK) + 10, 45: above * 0.72 + font * 0.6 + 10, 90: above + 12}[self.turn]
        head += self.border
        left = max(room_of(candidate, font), room_of(room_for, font)) + 12 + self.border
        title = 22 if headed and len(references) > 1 else 0
        broad = {
            k: len(references[k]) * cell + (_over(references[k], cell, font) if self.turn == 45 else 0) for k in shown
        }
        y = 6.0
        for first in range(0, len(shown), columns):
            x, y = left, y + title + head
            for k in shown[first : first + columns]:
                box = Box(k, x, y, len(candidate), len(references[k]), border)
                self.boxes.append(box)
                if title:
                    name = next(
                        n for n in ("Reference ", "Ref. ", "") if ems(n + "00") * 13 < (box.columns + 1) * cell or not n
                    )
                    self.headings.append(Label(f"{name}{k + 1}", x, y - head - 10, "left"))
                self._write_above(box, references[k])
                if k == shown[first] or not self.joined:
                    self._write_beside(box, candidate)
                x += (len(references[k]) + 1 + border) * cell if self.joined else max(broad.values()) + 20 + left
            y += len(candidate) * cell + 14
        self.width = max(box.x + broad[box.k] for box in self.boxes) + 8
        self.height = y

    def _write_above(self, box: Box, reference: Words) -> None:
        y = box.y - self.border - (7 if self.turn else 5 + (self.font or TICK) / 2)
        for j, text in _written(reference, self.font):
            x = box.x + (j + 0.5) * self.cell
            name = f"r{box.k}_{j}" if self.font else ""
            self.labels.append(Label(text, x, y, "left" if self.turn else "centre", self.turn, name))

    def _write_beside(self, box: Box, candidate: Words) -> None:
        for i, text in _written(candidate, self.font):
            y = box.y + (i + 0.5) * self.cell
            self.labels.append(Label(text, box.x - self.border - EDGE, y, "right", 0, f"c{i}" if self.font else ""))


def _written(sentence: Words, font: int) -> list[tuple[int, str]]:
    """What stands beside the grid: positions from 0 with words, or every tenth with its number."""
    if font:
        return list(enumerate(sentence))
    return [(n, str(n + 1)) for n in range(9, len(sentence), 10)]


def room_of(sentence: Words, font: int) -> float:
    """Pixels that the broadest label of a sentence needs."""
    return max([_breadth(text[: LABEL + 1]) for _, text in _written(sentence, font)] or [0.5]) * (font or TICK)


@lru_cache(maxsize=8192)
def _breadth(text: str) -> float:
    """The breadth of a label in type sizes."""
    return ems(theme.visible(text, LABEL))


def _over(reference: Words, cell: int, font: int) -> float:
    """How far slanted words reach beyond the last column."""
    reach = [
        _breadth(word[: LABEL + 1]) * font * 0.72 - (len(reference) - j - 0.5) * cell
        for j, word in enumerate(reference)
    ]
    return max([0.0, *reach]) + font * 0.3


def ems(text: str) -> float:
    """The breadth of a text in type sizes, rather too large than too small."""
    out = 0.0
    for c in text:
        if unicodedata.category(c) in ("Mn", "Me", "Cf"):
            continue
        if unicodedata.east_asian_width(c) in "WF":
            out += 1.25 if unicodedata.category(c) == "So" else 1.0
        elif c in "ijlI.,:;'|![]()ftr ":
            out += 0.36
        else:
            out += 0.92 if c in "mwMW@%…" else 0.7 if c.isupper() else 0.59
    return out


def grid_lines(box: Box, cell: int) -> Iterator[tuple[float, float, float, float]]:
    """The lines of a panel with its border, x1 y1 x2 y2; every tenth where cells are tiny."""
    step = 1 if cell >= 9 else 10
    left, top = box.x - box.border * cell, box.y - box.border * cell
    right, bottom = box.x + box.columns * cell, box.y + box.rows * cell
    for i in {*range(-box.border, box.rows, step), 0, box.rows}:
        yield left, box.y + i * cell, right, box.y + i * cell
    for j in {*range(-box.border, box.columns, step), 0, box.columns}:
        yield box.x + j * cell, top, box.x + j * cell, bottom


def px(value: float) -> str:
    """A coordinate, at most two decimals.

    >>> px(-1.7999999999999998), px(3.0), px(-0.001)
    ('-1.8', '3', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def placed_key(picture: Picture, y: float) -> tuple[list[tuple[Key, float, float]], float]:
    """Each entry of the legend with its top left corner, wrapped to the picture's width, and where the legend ends."""
    out, x = [], 8.0
    for entry in picture.key:
        room = 12 + 6 + ems(entry.text) * 12 + 18
        if x > 8 and x + room - 18 > picture.width:
            x, y = 8.0, y + 20
        out.append((entry, x, y))
        x += room
    return out, y + (22 if picture.key else 0)


def title_room(title: str) -> float:
    """Pixels that a title needs under a picture."""
    return ems(title) * CAPTION * 1.1


def caption_lines(picture: Picture) -> list[str]:
    """The score, and the signature in lines that fit the picture, cut after its bars."""
    most = max(40, int((picture.width - 16) / (CAPTION * 0.61)))
    lines = [""]
    for part in re.findall(r"[^|]*\|?", theme.visible(picture.signature, 2_000)):
        if lines[-1] and len(lines[-1]) + len(part) > most:
            lines.append("")
        lines[-1] += part
    return [picture.title, *lines]
