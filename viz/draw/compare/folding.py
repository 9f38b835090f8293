"""Fold rows of a difference that are alike in both outputs, or that have no match with a reference.

Each stretch of such rows is drawn in the height of one row, with its cells closer together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from metrics.analysis.difference import MatchDifference

from ..pen.layout import Label
from ..pen.picture import Picture
from ..pen.shapes import Shape

FEWEST = 3  # fewer rows are not worth folding


class Fold(NamedTuple):
    """A stretch of rows that are drawn as one: from index `start` up to but not including `end`."""

    start: int
    end: int

    @property
    def rows(self) -> int:
        """Return the number of folded rows."""
        return self.end - self.start


Folds = tuple[Fold, ...]


def unchanged_rows(diff: MatchDifference, step_rows: Collection[int] = (), around: int = 0) -> set[int]:
    """Return the indices of the rows that have a word of both outputs, with which both use the same cells.

    `step_rows` are rows with marks of a step; they are excluded. So are `around` rows on either side of each excluded
    row, so that changes are seen in context."""
    moved = [place.row for pair in diff.moved for place in pair]
    other = {place.row for place in (*diff.gained, *diff.lost)}.union(moved, step_rows)
    other |= {number for number, row in enumerate(diff.rows) if None in row}
    return {*range(len(diff.rows))} - {number + by for number in other for by in range(-around, around + 1)}


def unmatched_rows(diff: MatchDifference, k: int, errors: Collection[int] = ()) -> set[int]:
    """Return the indices of the rows in which neither output uses a cell with reference `k`.

    `errors` are rows with extra or wrong words; they are excluded."""
    moved = [place for pair in diff.moved for place in pair]
    used = {place.row for place in (*diff.kept_places, *diff.gained, *diff.lost, *moved) if place.k == k}
    return {*range(len(diff.rows))} - used - {*errors}


def fold_rows(rows: Collection[int], fewest: int = FEWEST) -> Folds:
    """Return the stretches of successive row indices that have at least `fewest` rows, as folds."""
    out: list[Fold] = []
    for row in sorted(rows):
        if out and out[-1].end == row:
            out[-1] = Fold(out[-1].start, row + 1)
        else:
            out.append(Fold(row, row + 1))
    return tuple([fold for fold in out if fold.rows >= fewest])


def drawn_position(folds: Folds, row: float) -> float:
    """Return where a row is drawn in the folded grid, counted in drawn rows; `row` may be within a row, such as 2.5."""
    less = 0
    for start, end in folds:
        if row <= start:
            break
        if row < end:
            return start - less + (row - start) / (end - start)
        less += end - start - 1
    return row - less


def folded_labels(labels: Sequence[str], folds: Folds) -> list[str]:
    """Return the labels of the drawn rows; a fold has one label, which says its number of words."""
    out = []
    for number, fold in _drawn_rows(len(labels), folds):
        out.append(labels[number] if fold is None else f"⋯ {fold.rows} words")
    return out


def folded_shapes(shapes: Sequence[Shape], folds: Folds) -> list[Shape]:
    """Return the shapes of a grid, moved to where their rows are drawn after folding.

    Lines of unmatched words of one output are omitted inside folds, because they would fill the fold."""
    return [
        shape._replace(points=tuple([(drawn_position(folds, r), c) for r, c in shape.points]))
        for shape in shapes
        if shape.role not in ("went", "came") or not _in_fold(folds, shape.points[0][0])
    ]


def _in_fold(folds: Folds, row: float) -> bool:
    return any(start <= row < end for start, end in folds)


def name_unfolded_rows(drawn: Picture, labels: Sequence[str], folds: Folds) -> Picture:
    """Return the picture of a folded grid with the words of its rows named by the rows before folding.

    `labels` are the labels of these rows. The words of a fold are in the picture, but invisible, so that a script can
    highlight them."""
    numbers = [*_drawn_rows(len(labels), folds)]

    def replacing_labels(label: Label) -> Iterator[Label]:
        """Yield the labels that replace `label`: for a fold, its visible label and its invisible words."""
        if not label.word.startswith("c"):
            yield label
            return
        number, fold = numbers[int(label.word[1:])]
        if fold is None:
            yield label._replace(word=f"c{number}")
            return
        yield label._replace(word="")
        yield from [label._replace(text=labels[n], word=f"c{n}", unseen=True) for n in range(*fold)]

    return replace(drawn, labels=[each for label in drawn.labels for each in replacing_labels(label)], folds=folds)


def _drawn_rows(rows: int, folds: Folds) -> Iterator[tuple[int, Fold | None]]:
    """Yield (index, fold) for each drawn row: its first row before folding, and its fold or None.

    `rows` is the number of rows before folding."""
    starts, number = {fold.start: fold for fold in folds}, 0
    while number < rows:
        fold = starts.get(number)
        yield number, fold
        number = fold.end if fold else number + 1
