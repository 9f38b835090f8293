"""A picture in pixels, from which the SVG and the TikZ picture are written: shapes laid out on their grids.

Grids are made from the same shapes on screen and in files, so a saved picture shows the same evidence.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from metrics.text import beyond

from . import legend, theme
from .grid import Window
from .layout import EDGE, SIGN, TICK, Box, GridLayout, GridSentence, Label, Words, numbers
from .legend import Key
from .placed_shapes import Ink, PlacedShape, ems, ink_of, marker
from .shapes import Shape, Term
from .theme import LOOKS

MOST_HITS = 40_000  # matches that a picture can hold
MOST_HEIGHT = 16_000  # pixels; TeX counts no further
CAPTION_ROOM = 420  # pixels across, at least, for a title and a signature
CAPTION = 11  # pixels: the signature


class ShapeGroup(NamedTuple):
    """Shapes of one look; `says` is what is said of one that is pointed at."""

    ink: Ink
    opacity: float
    members: list[PlacedShape]
    says: str = ""


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
    groups: list[ShapeGroup]
    key: list[Key]
    window: Window | None = None  # the part that is drawn, where it is not the whole
    folds: tuple[tuple[int, int], ...] = ()  # first row and last but one of those that share the height of one
    side: str = ""  # whose words the rows are, where several grids of the same references stand on one page
    says: str = ""  # a sentence that stands under it in place of its title
    beyond: tuple[int, int, int, int] = (
        0,
        0,
        0,
        0,
    )  # pixels left, above, right and below a window in which shapes go on


def picture_on(
    rows: Words,
    references: Sequence[Words],
    shapes: Sequence[Shape],
    cell: int,
    columns: int,
    title: str = "",
    signature: str = "",
    room_for: Words = (),
    shown_references: Sequence[int] | None = None,
    headed: bool = True,
    border: int = 0,
) -> Picture:
    """The picture of shapes on any rows, with cells of `cell` pixels and `columns` references side by side.

    Words are left out where cells are too small for them. There is room at the left for the words of `room_for` too, so
    that grids of other rows below each other have their columns in line. `shown_references` are the numbers of the
    references that are drawn, in this order, all of them where it is None; each has its name above it where there are
    several and the picture is `headed`. `border` is how many rows and columns a table has before those of words. Raises
    ValueError, as `picture_of` does, where the picture would be too high.
    """
    sentences = [*map(GridSentence, references)]
    layout = GridLayout(
        GridSentence(rows), sentences, cell, columns, GridSentence(room_for), shown_references, headed, border
    )
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
        _aside(layout.labels(), layout.boxes, shapes, cell),
        layout.headings(),
        groups_of(shapes, layout.boxes, cell),
        legend.keys(legend.entries(shapes)),
    )


def _aside(labels: Sequence[Label], boxes: Sequence[Box], shapes: Sequence[Shape], cell: int) -> list[Label]:
    """Labels, moved out of the way of the signs of edits and of people's marks, which stand on the edges of grids."""
    of = {box.k: box for box in boxes}
    signs = [(of[s.k], *s.points[0]) for s in shapes if s.kind in ("plus", "minus") and s.k in of]
    left_signs = {(box.x - EDGE, box.y + row * cell) for box, row, column in signs if column <= 0}
    for shape in [s for s in shapes if s.role in ("marked", "marked minor") and s.k in of]:
        rows = range(math.floor(shape.points[0][0]), math.ceil(shape.points[-1][0]))
        left_signs |= {(of[shape.k].x - EDGE, of[shape.k].y + (row + 0.5) * cell) for row in rows}
    top = {(box.y - EDGE, box.x + column * cell) for box, row, column in signs if row <= 0}
    return [
        label._replace(x=label.x - EDGE)
        if label.side == "right" and any(abs(label.x - x) < 1 and abs(label.y - y) < 1 for x, y in left_signs)
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
    # What lies on the edges of the texts is seen whole, what goes beyond the window is cut off.
    ends = (j == 0, i == 0, j + breadth >= len(references[k]), i + count >= len(rows))
    beyond = (SIGN * ends[0], SIGN * ends[1], SIGN * ends[2], SIGN * ends[3])
    labels = [in_text(label, window) for label in drawn.labels]
    return replace(drawn, labels=labels, window=window, beyond=beyond)


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

    def moved(shape: PlacedShape) -> PlacedShape:
        lead = (leads or {}).get(shape.term, "") if shape.term else shape.lead
        return shape._replace(side=side, term=None, lead=lead)

    groups = [g._replace(members=[moved(shape) for shape in g.members]) for g in picture.groups]
    return replace(picture, side=side, groups=groups, labels=[renamed(label) for label in picture.labels])


def numbers_of(picture: Picture) -> list[Label]:
    """The places of words beside the grids of a picture: of the rows at the right of the last of those that are joined,
    but not of rows that are those of two outputs or share their height."""
    rows = picture.side != "d" and not picture.folds
    last = picture.boxes[-1] if picture.boxes else None
    return [
        label
        for box in picture.boxes
        for label in numbers(box, picture.cell, picture.window, rows and (box is last or not picture.joined))
    ]


def in_text(label: Label, window: Window) -> Label:
    """A label of a window, which is named by its place in the window, with its name in the texts."""
    if not label.word:
        return label
    side, place = label.word[0], int(label.word[1:].rpartition("_")[2])
    return label._replace(word=f"c{window.i + place}" if side == "c" else f"r{window.k}_{window.j + place}")


def groups_of(shapes: Iterable[Shape], boxes: Iterable[Box], cell: int) -> list[ShapeGroup]:
    """Shapes in pixels in their order, those together that look alike and of which the same is said."""
    box_of = {box.k: box for box in boxes}
    groups: dict[tuple[Any, ...], ShapeGroup] = {}
    for shape in shapes:
        if shape.k not in box_of:
            continue
        says = LOOKS[shape.role, shape.kind].hover or shape.says
        look = (shape.kind, shape.role, shape.number, shape.dim, shape.level, shape.why, says)
        if look not in groups:
            # Digits stay readable, and curves show through each other.
            faint = 0.5 if shape.kind == "digit" else 1 if shape.kind == "curve" else 0.28
            says = f"{says}: {shape.why}" if shape.why else says  # each reason stands there once
            groups[look] = ShapeGroup(_thin(ink_of(shape), cell), faint if shape.dim else 1, [], says)
        groups[look].members.append(_place_shape(shape, box_of[shape.k], cell))
    return list(groups.values())


def check(matches: int) -> None:
    """ValueError if a picture cannot hold so many matches."""
    if matches > MOST_HITS:
        sentence = beyond("The grid", matches, "matches", MOST_HITS, "a picture can hold")
        raise ValueError(f"{sentence}; choose a part of the texts")


def highlight_term(picture: Picture, term: Term) -> Picture:
    """A picture without a selection of its own with the shapes of a term on top of the others, which step back."""
    name, cells = (term.layer, term.t), set(term.mark.cells())
    groups, picked = [], []
    for group in picture.groups:
        mine = [p for p in group.members if p.term == name or p.cell in cells]
        others = [p for p in group.members if p not in mine]
        groups.append(group._replace(opacity=0.28 * group.opacity, members=others))
        ink = group.ink._replace(colour=theme.VERMILION, line=group.ink.line * 1.5)
        picked += [ShapeGroup(ink, 1, mine)] if mine else []
    return replace(picture, groups=[group for group in groups if group.members] + picked)


def _thin(ink: Ink, cell: float) -> Ink:
    """Thinner lines for small cells."""
    return ink._replace(line=round(ink.line * max(0.4, min(1.0, cell / 14)), 2))


def _place_shape(shape: Shape, box: Box, cell: float) -> PlacedShape:
    points = tuple([(box.x + column * cell, box.y + row * cell) for row, column in shape.points])
    name = f"{shape.kind} {shape.role.replace(' ', '-')}"
    if shape.cell:
        name += f" x{shape.cell.i}_{shape.cell.k}_{shape.cell.j}"
    if shape.term and shape.kind in ("plus", "minus"):  # what has no cell to be named by
        name += f" t{shape.term.layer}_{shape.term.t}"
    if shape.kind == "digit":  # it can be read in small cells, too
        size = max(cell * 0.48, min(TICK, cell))
    else:  # tiny markers fill their cell
        # Dots are no larger than 10 pixels, and what is larger than a dot stays so.
        size = max(LOOKS[shape.role, shape.kind].size * min(40, cell), min(1.5, cell * 0.48))
    term = (shape.term.layer, shape.term.t) if shape.term else None
    if shape.text:  # as large as fits into its part of a cell, and as can be read
        half = cell * LOOKS[shape.role, shape.kind].size
        size = max(min(1.14 * half, 2 * half / max(ems(shape.text), 0.5)), min(TICK, cell))
    placed = marker(shape.kind, points, size, name, shape.text or str(shape.number))
    hover = LOOKS[shape.role, shape.kind].hover
    # What a group says holds for all its shapes; markers of changed cells say each where their words are.
    says = f"{hover}, {shape.says}" if hover and shape.says and shape.kind != "polygon" else ""
    # The cells of ties lie under others and are mostly unseen: they stand for nothing that can be chosen.
    shape_cell = None if shape.role in ("always", "sometimes") else shape.cell
    return placed._replace(term=term, cell=shape_cell, says=says, lead=shape.lead, words=shape.words)


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


def caption_lines(picture: Picture) -> list[tuple[str, str]]:
    """The lines under a picture, each with its kind: its title, or what it `says` in place of it ("score"), and its
    signature ("signature"). They fit the picture: the one is cut between words, the other after its bars."""
    most = max(40, int((picture.width - 16) / (CAPTION * 0.61)))
    score_lines = [picture.title]
    if picture.says:
        score_lines = _lines(_WORDS.findall(theme.visible(picture.says, 2_000)), most)
    signed = _lines(re.findall(r"[^|]*\|?", theme.visible(picture.signature, 2_000)), most)
    return [*[("score", line.strip()) for line in score_lines], *[("signature", line) for line in signed]]


#: Words with the spaces before them; those that are isolated stay together.
_WORDS = re.compile(r"\s*(?:[^\s\u2068]*\u2068[^\u2068\u2069]*\u2069\S*|\S+)")


def _lines(parts: Iterable[str], most: int) -> list[str]:
    """Parts one after the other, on a new line where one would be longer than that."""
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1]) + len(part) > most:
            lines.append("")
        lines[-1] += part
    return lines
