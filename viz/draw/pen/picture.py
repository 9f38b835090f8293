"""Lay out shapes as a picture in pixels, from which the SVG and the TikZ picture are written.

Grids on screen and in files come from the same shapes, so a saved picture shows the same evidence."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from metrics.text import describe_excess

from . import legend, theme
from .grid import Window
from .layout import EDGE, SIGN, TICK, GridBox, GridLayout, GridSentence, Label, Words, position_number_labels
from .legend import DrawnEntry
from .placed_shapes import Ink, PlacedShape, ink_of, marker_shape, text_width
from .shapes import Shape, Term
from .text import visible
from .theme import LOOKS

MOST_HITS = 40_000  # the most matches in a picture
MOST_HEIGHT = 16_000  # pixels; TeX has no larger lengths
CAPTION_ROOM = 420  # the smallest width in pixels for a title and a signature
CAPTION = 11  # font size of the signature in pixels


class ShapeGroup(NamedTuple):
    """Shapes with the same look, which are drawn together.

    Attributes:
        ink: their colours and lines.
        opacity: the opacity of the group, less than 1 if it is dimmed.
        members: the shapes.
        says: the text that is shown when one of them is pointed at."""

    ink: Ink
    opacity: float
    members: list[PlacedShape]
    says: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that is drawn in a picture of grids, in pixels; a writer converts it to a format such as SVG.

    Attributes:
        title: the title.
        signature: the settings needed to repeat the score, printed below the picture.
        width: the width.
        height: the height without the caption.
        cell: the size of cells.
        font: the font size of words, 0 if they are too small to be written.
        joined: whether the grids are in one row and share the words at the left.
        boxes: the place of each grid.
        labels: the words and the numbers of words.
        headings: the names of the references.
        groups: the shapes, back to front.
        key: the entries of the legend.
        window: the part of a long text's grid that is drawn, None for the whole.
        folds: for each group of rows that share the height of one row, the first and the end but one.
        side: the side to which the rows belong, if a page has several grids of the same references.
        says: a sentence below the picture, instead of its title.
        beyond: the pixels left of, above, right of and below a window where shapes are still drawn."""

    title: str
    signature: str
    width: float
    height: float
    cell: int
    font: int
    joined: bool
    boxes: list[GridBox]
    labels: list[Label]
    headings: list[Label]
    groups: list[ShapeGroup]
    key: list[DrawnEntry]
    window: Window | None = None
    folds: tuple[tuple[int, int], ...] = ()
    side: str = ""
    says: str = ""
    beyond: tuple[int, int, int, int] = (0, 0, 0, 0)


def lay_out_picture(
    rows: Words,
    references: Sequence[Words],
    shapes: Sequence[Shape],
    cell: int,
    columns: int,
    title: str = "",
    shown_references: Sequence[int] | None = None,
    headed: bool = True,
    border: int = 0,
) -> Picture:
    """Lay out shapes on the grids of one or more references.

    Words are left out if cells are too small for them. Raises ValueError if the picture would be too high.

    Args:
        rows: the words of the rows.
        references: the words of each reference, the columns.
        shapes: the shapes to draw.
        cell: the size of cells in pixels.
        columns: how many references are side by side.
        title: the title.
        shown_references: the indices of the references to draw, in this order; None for all.
        headed: whether each of several references has its name above it.
        border: the number of extra rows and columns before those of words, as in a table of a program's steps."""
    sentences = [*map(GridSentence, references)]
    layout = GridLayout(GridSentence(rows), sentences, cell, columns, shown_references, headed, border)
    if layout.height > MOST_HEIGHT:
        raise ValueError(
            f"The picture would be {layout.height:,.0f} pixels high, more than the {MOST_HEIGHT:,} that fit; "
            "choose a part of the texts"
        )
    return Picture(
        title,
        "",
        layout.width,
        layout.height,
        cell,
        layout.font,
        layout.joined,
        layout.boxes,
        _labels_clear_of_signs(layout.labels(), layout.boxes, shapes, cell),
        layout.headings(),
        group_shapes_by_look(shapes, layout.boxes, cell),
        legend.drawn_entries(legend.legend_entries_of_shapes(shapes)),
    )


def _labels_clear_of_signs(
    labels: Sequence[Label], boxes: Sequence[GridBox], shapes: Sequence[Shape], cell: int
) -> list[Label]:
    """Return the labels, moved outwards where a sign at the edge of a grid would cover them.

    Such signs belong to edits and to errors that people marked."""
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


def lay_out_window(
    rows: Words, references: Sequence[Words], shapes: Sequence[Shape], window: Window, cell: int
) -> Picture:
    """Lay out a part of one reference's grid; shapes outside are left out or clipped when drawn.

    `rows` and `references` are the words of the whole texts, and `window` says which part to draw. `cell` is the size
    of cells in pixels."""
    k, i, j, count, breadth = window
    inside = [
        shape._replace(k=0, points=tuple([(r - i, c - j) for r, c in shape.points]))
        for shape in shapes
        if window.touches(shape)
    ]
    drawn = lay_out_picture(rows[i : i + count], [references[k][j : j + breadth]], inside, cell, 1)
    # Shapes at the ends of the texts are shown completely; shapes that extend beyond the window are clipped.
    ends = (j == 0, i == 0, j + breadth >= len(references[k]), i + count >= len(rows))
    beyond = (SIGN * ends[0], SIGN * ends[1], SIGN * ends[2], SIGN * ends[3])
    labels = [label_in_text(label, window) for label in drawn.labels]
    return replace(drawn, labels=labels, window=window, beyond=beyond)


def rename_row_side(
    picture: Picture, side: str, along: Sequence[str] = (), leads: Mapping[tuple[int, int], str] | None = None
) -> Picture:
    """Return a picture whose rows are named as the words of the side `side`, for a page with several grids.

    The grids have the same references, but rows of different texts. The names of words and cells at the left begin with
    `side` instead of the candidate's `c`: `b3` and `b3,0,5`. `along` has for each row the names of the corresponding
    words on other sides. Such a page has no terms of a single result, so `leads` maps the terms of this picture to the
    names of what they highlight instead."""

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


def picture_position_labels(picture: Picture) -> list[Label]:
    """Return the labels with the positions of words, next to the grids of a picture.

    Rows are numbered at the right of the last of several joined grids. They are not numbered if they belong to two
    outputs or if several share one height."""
    rows = picture.side != "d" and not picture.folds
    last = picture.boxes[-1] if picture.boxes else None
    return [
        label
        for box in picture.boxes
        for label in position_number_labels(
            box, picture.cell, picture.window, rows and (box is last or not picture.joined)
        )
    ]


def label_in_text(label: Label, window: Window) -> Label:
    """Return a label of a window with the name of its word in the whole text, instead of its name in the window."""
    if not label.word:
        return label
    side, place = label.word[0], int(label.word[1:].rpartition("_")[2])
    return label._replace(word=f"c{window.i + place}" if side == "c" else f"r{window.k}_{window.j + place}")


def group_shapes_by_look(shapes: Iterable[Shape], boxes: Iterable[GridBox], cell: int) -> list[ShapeGroup]:
    """Convert shapes from cells to pixels, and group those with the same look and the same text to show, in order.

    `boxes` are the places of the references' grids, and `cell` is the size of cells in pixels."""
    box_of = {box.k: box for box in boxes}
    groups: dict[tuple[Any, ...], ShapeGroup] = {}
    for shape in shapes:
        if shape.k not in box_of:
            continue
        says = LOOKS[shape.role, shape.kind].hover or shape.says
        look = (shape.kind, shape.role, shape.number, shape.dim, shape.level, shape.why, says)
        if look not in groups:
            # Dimmed digits stay readable. Curves are dimmed line by line, so that crossings are visible.
            faint = 0.5 if shape.kind == "digit" else 1 if shape.kind == "curve" else 0.28
            says = f"{says}: {shape.why}" if shape.why else says  # shapes with the same reason share a group
            groups[look] = ShapeGroup(_thinner_ink(ink_of(shape), cell), faint if shape.dim else 1, [], says)
        groups[look].members.append(_place_shape(shape, box_of[shape.k], cell))
    return list(groups.values())


def check_match_count(matches: int) -> None:
    """Raise ValueError if there are more matches than a picture can hold."""
    if matches > MOST_HITS:
        sentence = describe_excess("The grid", matches, "matches", MOST_HITS, "a picture can hold")
        raise ValueError(f"{sentence}; choose a part of the texts")


def highlight_term(picture: Picture, term: Term) -> Picture:
    """Return a picture in which a term is selected: its shapes are on top, and the others are dimmed.

    `picture` must have no selection yet."""
    name, cells = (term.layer, term.t), set(term.mark.cells())
    groups, picked = [], []
    for group in picture.groups:
        mine = [p for p in group.members if p.term == name or p.cell in cells]
        others = [p for p in group.members if p not in mine]
        groups.append(group._replace(opacity=0.28 * group.opacity, members=others))
        ink = group.ink._replace(colour=theme.VERMILION, line=group.ink.line * 1.5)
        picked += [ShapeGroup(ink, 1, mine)] if mine else []
    return replace(picture, groups=[group for group in groups if group.members] + picked)


def _thinner_ink(ink: Ink, cell: float) -> Ink:
    """Return the ink with thinner lines if cells are small; `cell` is their size in pixels."""
    return ink._replace(line=round(ink.line * max(0.4, min(1.0, cell / 14)), 2))


def _place_shape(shape: Shape, box: GridBox, cell: float) -> PlacedShape:
    """Convert a shape from cells to pixels, in the grid at `box`, with its CSS classes and its text.

    `cell` is the size of cells in pixels."""
    points = tuple([(box.x + column * cell, box.y + row * cell) for row, column in shape.points])
    name = f"{shape.kind} {shape.role.replace(' ', '-')}"
    if shape.cell:
        name += f" x{shape.cell.i}_{shape.cell.k}_{shape.cell.j}"
    if shape.term and shape.kind in ("plus", "minus"):  # these shapes have no cell by which they could be named
        name += f" t{shape.term.layer}_{shape.term.t}"
    if shape.kind == "digit":  # readable in small cells, too
        size = max(cell * 0.48, min(TICK, cell))
    else:  # tiny markers fill their cell
        # Dots have a radius of at most 10 pixels; larger markers stay larger in proportion.
        size = max(LOOKS[shape.role, shape.kind].size * min(40, cell), min(1.5, cell * 0.48))
    term = (shape.term.layer, shape.term.t) if shape.term else None
    if shape.text:  # as large as fits into its part of a cell, but readable
        half = cell * LOOKS[shape.role, shape.kind].size
        size = max(min(1.14 * half, 2 * half / max(text_width(shape.text), 0.5)), min(TICK, cell))
    placed = marker_shape(shape.kind, points, size, name, shape.text or str(shape.number))
    hover = LOOKS[shape.role, shape.kind].hover
    # The text of a group applies to all its shapes; a marker of a changed cell also says where its words are.
    says = f"{hover}, {shape.says}" if hover and shape.says and shape.kind != "polygon" else ""
    # Cells of ties are below other shapes and mostly hidden, so they cannot be selected.
    shape_cell = None if shape.role in ("always", "sometimes") else shape.cell
    return placed._replace(term=term, cell=shape_cell, says=says, lead=shape.lead, words=shape.words)


def lay_out_legend(picture: Picture, y: float) -> tuple[list[tuple[DrawnEntry, float, float]], float]:
    """Return where each entry of the legend goes, and the y coordinate where the legend ends.

    Each entry comes with the x and y of its top left corner. The legend begins at `y`; entries are wrapped to the width
    of the picture."""
    out, x = [], 8.0
    for entry in picture.key:
        room = 12 + 6 + text_width(entry.text) * 12 + 18
        if x > 8 and x + room - 18 > picture.width:
            x, y = 8.0, y + 20
        out.append((entry, x, y))
        x += room
    return out, y + (22 if picture.key else 0)


def title_width_pixels(title: str) -> float:
    """Return the width in pixels that a title takes below a picture."""
    return text_width(title) * CAPTION * 1.1


def caption_lines(picture: Picture) -> list[tuple[str, str]]:
    """Return the lines below a picture, each with its kind: "score" or "signature".

    A line of the kind "score" is the title, or the picture's `says` instead. Lines are broken to fit the picture: a
    sentence between words, a signature after its vertical bars."""
    most = max(40, int((picture.width - 16) / (CAPTION * 0.61)))
    score_lines = [picture.title]
    if picture.says:
        score_lines = _wrapped_lines(_WORDS.findall(visible(picture.says, 2_000)), most)
    signed = _wrapped_lines(re.findall(r"[^|]*\|?", visible(picture.signature, 2_000)), most)
    return [*[("score", line.strip()) for line in score_lines], *[("signature", line) for line in signed]]


#: Words with the spaces before them; text between isolation marks stays together.
_WORDS = re.compile(r"\s*(?:[^\s\u2068]*\u2068[^\u2068\u2069]*\u2069\S*|\S+)")


def _wrapped_lines(parts: Iterable[str], most: int) -> list[str]:
    """Join parts of a text into lines of at most `most` letters; a longer part is a line by itself."""
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1]) + len(part) > most:
            lines.append("")
        lines[-1] += part
    return lines
