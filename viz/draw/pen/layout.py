"""Where grids and their words go: how large cells can be, and the corner of each box, heading and label in pixels."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from . import theme
from .grid import LABEL, Window
from .placed_shapes import ems
from .short_texts import remembered

MOST_WORDS = 250  # of a sentence in a picture
LEAST_FONT = 7  # pixels; smaller labels are left out and positions take their place
EDGE = 6  # pixels between a grid and the words at its left
SIGN = 12  # pixels beyond a grid's edge that the sign of an edit which lies on it takes at the most
TICK = 9  # pixels: positions
NUMBERED = 5  # words after which the place of one is written

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


class GridSentence:
    """The words of one side of a grid, and what room they need beside cells of any size; measured once."""

    def __init__(self, words: Words) -> None:
        self.words = words

    @cached_property
    def breadths(self) -> list[float]:
        """The breadth of each word in type sizes, as it is written."""
        return [_breadth(word[: LABEL + 1]) for word in self.words]

    @cached_property
    def broadest(self) -> float:
        return max(self.breadths or [0.5])

    def __len__(self) -> int:
        return len(self.words)

    def tick_labels(self, font: int) -> list[tuple[int, str]]:
        """What stands beside the grid: positions from 0 with words, or every tenth with its number."""
        if font:
            return list(enumerate(self.words))
        return [(n, str(n + 1)) for n in range(9, len(self.words), 10)]

    def room(self, font: int) -> float:
        """Pixels that the broadest label needs."""
        if font:
            return self.broadest * font
        return max([_breadth(text) for _, text in self.tick_labels(font)] or [0.5]) * TICK

    def over(self, cell: int, font: int) -> float:
        """How far slanted words reach beyond the last column."""
        reach = [breadth * font * 0.72 - (len(self.words) - j - 0.5) * cell for j, breadth in enumerate(self.breadths)]
        return max([0.0, *reach]) + font * 0.3


@remembered(8192)
def _breadth(text: str) -> float:
    """The breadth of a label in type sizes."""
    return ems(theme.visible(text, LABEL))


class GridLayout:
    """Where the boxes of some references go, with cells of `cell` pixels and `columns` references side by side.
    Those in one row are joined: they share the candidate's words at the left.

    Without a `font` words have no room, and every tenth position is written instead.
    """

    def __init__(
        self,
        candidate: GridSentence,
        references: Sequence[GridSentence],
        cell: int,
        columns: int,
        room_for: GridSentence | None = None,
        shown_references: Sequence[int] | None = None,
        headed: bool = True,
        border: int = 0,
    ) -> None:
        self.candidate, self.references = candidate, references
        self.cell, self.font, self.border = cell, (font := font_of(cell)), border * cell
        self.shown_references = shown_references = (
            range(len(references)) if shown_references is None else shown_references
        )
        self.joined = columns >= len(shown_references)
        self.boxes: list[Box] = []
        above = max([references[k].room(font) for k in shown_references])
        self.turn = 0 if not font or above + 6 <= cell else 45 if cell >= 20 else 90
        self.head = {0: (font or TICK) + 10, 45: above * 0.72 + font * 0.6 + 10, 90: above + 6}[self.turn]
        self.head += self.border
        left_edge = max(candidate.room(font), (room_for or GridSentence(())).room(font)) + 12 + self.border
        self.title = 22 if headed and len(references) > 1 else 0
        broad = {
            k: len(references[k]) * cell + (references[k].over(cell, font) if self.turn == 45 else 0)
            for k in shown_references
        }
        y = 6.0
        for first in range(0, len(shown_references), columns):
            x, y = left_edge, y + self.title + self.head
            for k in shown_references[first : first + columns]:
                self.boxes.append(Box(k, x, y, len(candidate), len(references[k]), border))
                x += (len(references[k]) + 1 + border) * cell if self.joined else max(broad.values()) + 20 + left_edge
            y += len(candidate) * cell + 14
        beyond = max(SIGN, 4 + TICK * len(str(len(candidate))) * 0.6)  # signs of edits, places of words
        # In whole pixels, or a browser would draw it, and its words, a little smaller.
        self.width = math.ceil(max(box.x + broad[box.k] for box in self.boxes) + beyond)
        self.height = math.ceil(y)

    def headings(self) -> list[Label]:
        """The name of each reference above its box, where there are several."""
        out = []
        for box in self.boxes if self.title else ():
            name = next(
                n for n in ("Reference ", "Ref. ", "") if ems(n + "00") * 13 < (box.columns + 1) * self.cell or not n
            )
            out.append(Label(f"{name}{box.k + 1}", box.x, box.y - self.head - 10, "left"))
        return out

    def labels(self) -> list[Label]:
        """The words above and beside the boxes."""
        out = []
        for box in self.boxes:
            out += self._labels_above(box)
            if box is self.boxes[0] or not self.joined:
                out += self._labels_beside(box)
        return out

    def _labels_above(self, box: Box) -> list[Label]:
        y = box.y - self.border - (7 if self.turn else 5 + (self.font or TICK) / 2)
        side: Side = "left" if self.turn else "centre"
        return [
            Label(text, box.x + (j + 0.5) * self.cell, y, side, self.turn, f"r{box.k}_{j}" if self.font else "")
            for j, text in self.references[box.k].tick_labels(self.font)
        ]

    def _labels_beside(self, box: Box) -> list[Label]:
        x = box.x - self.border - EDGE
        return [
            Label(text, x, box.y + (i + 0.5) * self.cell, "right", 0, f"c{i}" if self.font else "")
            for i, text in self.candidate.tick_labels(self.font)
        ]


def font_of(cell: int) -> int:
    """The type size of words beside cells; 0 where they would be too small to be read."""
    font = int(max(9, min(14, cell * 0.74))) if cell >= LEAST else int(cell * 0.74)
    return font if font >= LEAST_FONT else 0


# ---------------------------------------------------------------- how large cells can be


class Fit(NamedTuple):
    """Cells of `cell` pixels and how many references stand side by side."""

    cell: int
    columns: int


class Size(NamedTuple):
    """Cells of `cell` pixels, and the breadth and the height of the picture in pixels."""

    cell: int
    breadth: float
    height: float


#: The largest cells in pixels for sentences of fewer words than these; the least side by side; the least of all.
LARGEST, BESIDE, LEAST = {12: 48, 24: 30, MOST_WORDS: 24}, 10, 9
READABLE = 19  # pixels of a cell beside which words are written as large as beside any


def fit(
    rows: Words,
    references: Sequence[Words],
    shown_references: Sequence[int],
    width: int,
    room_for: Words = (),
    border: int = 0,
    high: int | None = None,
    readable: int = READABLE,
) -> Fit:
    """The largest cells with which the grids of the `shown_references` fit into `width` pixels, and into `high` ones if
    they can with cells of `readable` pixels.

    As many references as fit with cells of BESIDE pixels stand side by side, else each is below the other. Where even
    the smallest cells do not fit, the picture is broader than its room, which then scrolls. `room_for` and `border` as
    in `picture_on`.
    """
    ours, theirs, more = GridSentence(rows), [*map(GridSentence, references)], GridSentence(room_for)

    def fits(cell: int, columns: int) -> bool:
        layout = GridLayout(ours, theirs, cell, columns, more, shown_references, border=border)
        return layout.width <= width and (high is None or cell <= readable or layout.height <= high)

    most = _largest([rows, *(references[k] for k in shown_references)])
    for columns in range(len(shown_references), 0, -1):
        least = BESIDE if columns > 1 else LEAST
        if fits(least, columns) or columns == 1:
            fitting_sizes = bisect_right(range(least, most + 1), False, key=lambda cell: not fits(cell, columns))
            return Fit(least + max(0, fitting_sizes - 1), columns)
    raise AssertionError("one column is always tried")


def fit_one(rows: Sequence[Words], references: Sequence[Words], width: int, high: int) -> Size:
    """The largest cells with which each reference's grid, beside its own rows and without a heading, fits into
    `width` × `high` pixels.

    As in `fit` cells have at least LEAST pixels, whatever the room.
    """
    ours, theirs = [*map(GridSentence, rows)], [*map(GridSentence, references)]

    def tried(cell: int) -> list[GridLayout]:
        return [
            GridLayout(sentence, theirs, cell, 1, shown_references=(k,), headed=False)
            for k, sentence in enumerate(ours)
        ]

    def fits(cell: int) -> bool:
        return all(layout.width <= width and layout.height <= high for layout in tried(cell))

    most = _largest([*rows, *references])
    cell = LEAST + bisect_right(range(LEAST + 1, most + 1), False, key=lambda cell: not fits(cell))
    layouts = tried(cell)
    return Size(cell, max(layout.width for layout in layouts), max(layout.height for layout in layouts))


def _largest(sentences: Sequence[Words]) -> int:
    longest = max(map(len, sentences))
    return next((cell for words, cell in LARGEST.items() if longest < words), LEAST)


def numbers(box: Box, cell: int, window: Window | None = None, rows: bool = True) -> Iterator[Label]:
    """The place of every fifth word, counted from 1 in its text, below the columns of a panel and, where its `rows` are
    the words of one text, at the right of these."""
    first_row, first_column = (window.i, window.j) if window else (0, 0)
    bottom, right = box.y + box.rows * cell, box.x + box.columns * cell
    for j in range(-(first_column + 1) % NUMBERED, box.columns, NUMBERED):
        yield Label(str(first_column + j + 1), box.x + (j + 0.5) * cell, bottom + 7, "centre")
    if rows:
        for i in range(-(first_row + 1) % NUMBERED, box.rows, NUMBERED):
            yield Label(str(first_row + i + 1), right + 3, box.y + (i + 0.5) * cell, "left")


def grid_lines(box: Box, cell: int) -> Iterator[tuple[float, float, float, float]]:
    """The lines of a panel with its border, x1 y1 x2 y2; every tenth where cells are tiny."""
    step = 1 if cell >= 9 else 10
    left_edge, top = box.x - box.border * cell, box.y - box.border * cell
    right, bottom = box.x + box.columns * cell, box.y + box.rows * cell
    for i in {*range(-box.border, box.rows, step), 0, box.rows}:
        yield left_edge, box.y + i * cell, right, box.y + i * cell
    for j in {*range(-box.border, box.columns, step), 0, box.columns}:
        yield box.x + j * cell, top, box.x + j * cell, bottom
