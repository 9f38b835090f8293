"""Lay out grids and their words: the size of cells, and the position of each box, heading and label in pixels."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from .grid import LABEL, Window
from .placed_shapes import text_width
from .short_texts import cache_short_texts
from .text import visible

MOST_WORDS = 250  # the most words of a sentence in a picture
LEAST_FONT = 7  # pixels; smaller labels are replaced by positions
EDGE = 6  # pixels between a grid and the words at its left
SIGN = 12  # pixels by which the sign of an edit may extend beyond the edge of a grid
TICK = 9  # font size of positions in pixels
NUMBERED = 5  # the position of every fifth word is written

Words = Sequence[str]
Side = Literal["left", "right", "centre"]


class GridBox(NamedTuple):
    """The rectangle that the grid of one reference takes up in a picture.

    Attributes:
        k: the index of the reference.
        x: the left edge in pixels.
        y: the top edge in pixels.
        rows: the number of rows.
        columns: the number of columns.
        border: the number of extra rows above and columns at the left, which belong to no word."""

    k: int
    x: float
    y: float
    rows: int
    columns: int
    border: int = 0


class Label(NamedTuple):
    """A text next to the grid, such as a word or the number of a position.

    Attributes:
        text: the text.
        x: the horizontal position, in pixels, of the text's `side`.
        y: the vertical position, in pixels, of the text's centre.
        side: which side of the text is at `x`.
        turn: the rotation, in degrees anticlockwise.
        word: the name and class of the word, `c3` or `r0_4`; "" if the label is not a word.
        along: the names of the words that are highlighted together with this one, "" if there are none.
        unseen: whether the label is invisible and exists only so that scripts find its name."""

    text: str
    x: float
    y: float
    side: Side
    turn: int = 0
    word: str = ""
    along: str = ""
    unseen: bool = False


class GridSentence:
    """The words of one side of a grid, with the widths of their labels, measured once for all sizes of cells."""

    def __init__(self, words: Words) -> None:
        self.words = words

    @cached_property
    def word_widths(self) -> list[float]:
        """Return the width of each word as it is written, in units of the font size."""
        return [_label_width(word[: LABEL + 1]) for word in self.words]

    @cached_property
    def widest_word(self) -> float:
        """Return the width of the widest of these words, in units of the font size."""
        return max(self.word_widths or [0.5])

    def __len__(self) -> int:
        return len(self.words)

    def tick_labels(self, font: int) -> list[tuple[int, str]]:
        """Return the texts to write next to the grid, each with the index of its row or column.

        These are the words, or, if `font` is 0 because words would be too small, the number of every tenth word."""
        if font:
            return list(enumerate(self.words))
        return [(n, str(n + 1)) for n in range(9, len(self.words), 10)]

    def widest_label_pixels(self, font: int) -> float:
        """Return the width in pixels of the widest label, at the font size `font` (0 if only numbers are written)."""
        if font:
            return self.widest_word * font
        return max([_label_width(text) for _, text in self.tick_labels(font)] or [0.5]) * TICK

    def overhang_pixels(self, cell: int, font: int) -> float:
        """Return how far slanted words above the columns extend to the right of the last column, in pixels.

        `cell` is the size of cells and `font` the font size, both in pixels."""
        reach = [
            breadth * font * 0.72 - (len(self.words) - j - 0.5) * cell for j, breadth in enumerate(self.word_widths)
        ]
        return max([0.0, *reach]) + font * 0.3


@cache_short_texts
def _label_width(text: str) -> float:
    """Return the width of a label, cut to the longest that is written, in units of the font size."""
    return text_width(visible(text, LABEL))


class GridLayout:
    """The layout of the grids of several references in pixels: their boxes, headings and words.

    Cells have `cell` pixels, and there are `columns` references side by side. If all references are in one row, they
    are joined: they share the candidate's words at the left. Where words would be too small, the number of every tenth
    word is written instead."""

    def __init__(
        self,
        candidate: GridSentence,
        references: Sequence[GridSentence],
        cell: int,
        columns: int,
        shown_references: Sequence[int] | None = None,
        headed: bool = True,
        border: int = 0,
    ) -> None:
        self.candidate, self.references = candidate, references
        self.cell, self.font, self.border = cell, (font := font_size_for_cell(cell)), border * cell
        self.shown_references = shown_references = (
            range(len(references)) if shown_references is None else shown_references
        )
        self.joined = columns >= len(shown_references)
        self.boxes: list[GridBox] = []
        above = max([references[k].widest_label_pixels(font) for k in shown_references])
        self.turn = 0 if not font or above + 6 <= cell else 45 if cell >= 20 else 90
        self.head = {0: (font or TICK) + 10, 45: above * 0.72 + font * 0.6 + 10, 90: above + 6}[self.turn]
        self.head += self.border
        left_edge = max(0.5 * (font or TICK), candidate.widest_label_pixels(font)) + 12 + self.border
        self.title = 22 if headed and len(references) > 1 else 0
        broad = {
            k: len(references[k]) * cell + (references[k].overhang_pixels(cell, font) if self.turn == 45 else 0)
            for k in shown_references
        }
        y = 6.0
        for first in range(0, len(shown_references), columns):
            x, y = left_edge, y + self.title + self.head
            for k in shown_references[first : first + columns]:
                self.boxes.append(GridBox(k, x, y, len(candidate), len(references[k]), border))
                x += (len(references[k]) + 1 + border) * cell if self.joined else max(broad.values()) + 20 + left_edge
            y += len(candidate) * cell + 14
        beyond = max(SIGN, 4 + TICK * len(str(len(candidate))) * 0.6)  # space for signs of edits and positions of words
        # Whole pixels, because a browser would scale another width, and the words with it, down a little.
        self.width = math.ceil(max(box.x + broad[box.k] for box in self.boxes) + beyond)
        self.height = math.ceil(y)

    def headings(self) -> list[Label]:
        """Return a label above each box with the name of its reference; none if there is only one reference."""
        out = []
        for box in self.boxes if self.title else ():
            name = next(
                n
                for n in ("Reference ", "Ref. ", "")
                if text_width(n + "00") * 13 < (box.columns + 1) * self.cell or not n
            )
            out.append(Label(f"{name}{box.k + 1}", box.x, box.y - self.head - 10, "left"))
        return out

    def labels(self) -> list[Label]:
        """Return the labels of all words: the references' above the boxes and the candidate's at their left."""
        out = []
        for box in self.boxes:
            out += self._labels_above(box)
            if box is self.boxes[0] or not self.joined:
                out += self._labels_beside(box)
        return out

    def _labels_above(self, box: GridBox) -> list[Label]:
        """Return the labels of a reference's words, above its box."""
        y = box.y - self.border - (7 if self.turn else 5 + (self.font or TICK) / 2)
        side: Side = "left" if self.turn else "centre"
        return [
            Label(text, box.x + (j + 0.5) * self.cell, y, side, self.turn, f"r{box.k}_{j}" if self.font else "")
            for j, text in self.references[box.k].tick_labels(self.font)
        ]

    def _labels_beside(self, box: GridBox) -> list[Label]:
        """Return the labels of the candidate's words, at the left of a box."""
        x = box.x - self.border - EDGE
        return [
            Label(text, x, box.y + (i + 0.5) * self.cell, "right", 0, f"c{i}" if self.font else "")
            for i, text in self.candidate.tick_labels(self.font)
        ]


def font_size_for_cell(cell: int) -> int:
    """Return the font size in pixels of words next to cells of `cell` pixels; 0 if they would be too small to read."""
    font = int(max(9, min(14, cell * 0.74))) if cell >= LEAST else int(cell * 0.74)
    return font if font >= LEAST_FONT else 0


# ---------------------------------------------------------------- how large cells can be


class GridFit(NamedTuple):
    """The size of cells with which grids fit into a given space.

    Attributes:
        cell: the size of cells in pixels.
        columns: the number of references side by side."""

    cell: int
    columns: int


#: The largest cells in pixels, by the number of words that a sentence must stay below; the smallest cells of
#: references side by side; the smallest cells of all.
LARGEST, BESIDE, LEAST = {12: 48, 24: 30, MOST_WORDS: 24}, 10, 9
READABLE = 19  # pixels; words next to cells of this size have the largest font


def fit_grids(
    rows: Words,
    references: Sequence[Words],
    shown_references: Sequence[int],
    width: int,
    border: int = 0,
    high: int | None = None,
    readable: int = READABLE,
) -> GridFit:
    """Return the largest cells with which the grids of several references fit into `width` pixels.

    As many references as fit with cells of BESIDE pixels are side by side, or else one below the other. If even the
    smallest cells do not fit, the picture is wider than its container, which then scrolls.

    Args:
        rows: the words of the rows.
        references: the words of each reference.
        shown_references: the indices of the references to draw.
        width: the width of the space in pixels.
        border: the number of extra rows and columns before those of words.
        high: the height in pixels into which the grids should fit, too; None for any height.
        readable: the size of cells, in pixels, below which cells are not shrunk because of `high`."""
    ours, theirs = GridSentence(rows), [*map(GridSentence, references)]

    def fits(cell: int, columns: int) -> bool:
        layout = GridLayout(ours, theirs, cell, columns, shown_references, border=border)
        return layout.width <= width and (high is None or cell <= readable or layout.height <= high)

    most = _largest_cell([rows, *(references[k] for k in shown_references)])
    for columns in range(len(shown_references), 0, -1):
        least = BESIDE if columns > 1 else LEAST
        if fits(least, columns) or columns == 1:
            fitting_sizes = bisect_right(range(least, most + 1), False, key=lambda cell: not fits(cell, columns))
            return GridFit(least + max(0, fitting_sizes - 1), columns)
    raise AssertionError("one column is always tried")


def fit_single_grids(rows: Sequence[Words], references: Sequence[Words], width: int, high: int) -> tuple[int, int]:
    """Return the largest cells with which grids that are shown one at a time fit into `width` × `high` pixels.

    The result is the size of the cells and the height of the highest grid, in pixels. Each reference's grid has its own
    rows and no heading. Cells have at least LEAST pixels, whatever the space."""
    ours, theirs = [*map(GridSentence, rows)], [*map(GridSentence, references)]

    def tried(cell: int) -> list[GridLayout]:
        return [
            GridLayout(sentence, theirs, cell, 1, shown_references=(k,), headed=False)
            for k, sentence in enumerate(ours)
        ]

    def fits(cell: int) -> bool:
        return all(layout.width <= width and layout.height <= high for layout in tried(cell))

    most = _largest_cell([*rows, *references])
    cell = LEAST + bisect_right(range(LEAST + 1, most + 1), False, key=lambda cell: not fits(cell))
    return cell, max(layout.height for layout in tried(cell))


def _largest_cell(sentences: Sequence[Words]) -> int:
    """Return the largest size of cells, in pixels, that is used for sentences of these lengths."""
    longest = max(map(len, sentences))
    return next((cell for words, cell in LARGEST.items() if longest < words), LEAST)


def position_number_labels(box: GridBox, cell: int, window: Window | None = None, rows: bool = True) -> Iterator[Label]:
    """Yield labels that number every fifth word, from 1, below the grid in `box` and, with `rows`, at its right.

    `rows` is False if the rows are not the words of a single text. `window` says which part of the grid is drawn."""
    first_row, first_column = (window.i, window.j) if window else (0, 0)
    bottom, right = box.y + box.rows * cell, box.x + box.columns * cell
    for j in range(-(first_column + 1) % NUMBERED, box.columns, NUMBERED):
        yield Label(str(first_column + j + 1), box.x + (j + 0.5) * cell, bottom + 7, "centre")
    if rows:
        for i in range(-(first_row + 1) % NUMBERED, box.rows, NUMBERED):
            yield Label(str(first_row + i + 1), right + 3, box.y + (i + 0.5) * cell, "left")


def grid_lines(box: GridBox, cell: int) -> Iterator[tuple[float, float, float, float]]:
    """Yield the lines between the cells of a grid and around it, each as x1, y1, x2, y2 in pixels.

    If cells are tiny, only every tenth line is drawn."""
    step = 1 if cell >= 9 else 10
    left_edge, top = box.x - box.border * cell, box.y - box.border * cell
    right, bottom = box.x + box.columns * cell, box.y + box.rows * cell
    for i in {*range(-box.border, box.rows, step), 0, box.rows}:
        yield left_edge, box.y + i * cell, right, box.y + i * cell
    for j in {*range(-box.border, box.columns, step), 0, box.columns}:
        yield box.x + j * cell, top, box.x + j * cell, bottom
