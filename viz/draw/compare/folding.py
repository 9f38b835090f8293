"""Fold rows of a difference that are alike in both outputs, or that have no match with a reference.

Each run of such rows is drawn in the height of one row, with its cells closer together."""

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
    """The folded rows from `start` up to but not including `end`."""

    start: int
    end: int

    @property
    def rows(self) -> int:
        """Return the number of folded rows."""
        return self.end - self.start


Folds = tuple[Fold, ...]


def unchanged_rows(diff: MatchDifference, of_steps: Collection[int] = (), around: int = 0) -> set[int]:
    """Return the rows with a word of both outputs whose cells are the same in both.

    The rows `of_steps` are excluded, and so are `around` rows on either side of each row that is not alike."""
    moved = [place.row for pair in diff.moved for place in pair]
    other = {place.row for place in (*diff.gained, *diff.lost)}.union(moved, of_steps)
    other |= {number for number, row in enumerate(diff.rows) if None in row}
    return {*range(len(diff.rows))} - {number + by for number in other for by in range(-around, around + 1)}


def unmatched_rows(diff: MatchDifference, k: int, errors: Collection[int] = ()) -> set[int]:
    """Return the rows in which neither output uses a cell with reference `k`, without the rows `errors`."""
    moved = [place for pair in diff.moved for place in pair]
    used = {place.row for place in (*diff.kept_places, *diff.gained, *diff.lost, *moved) if place.k == k}
    return {*range(len(diff.rows))} - used - {*errors}


def runs(rows: Collection[int], fewest: int = FEWEST) -> Folds:
    """Return the runs of successive rows that have at least `fewest` rows."""
    out: list[Fold] = []
    for row in sorted(rows):
        if out and out[-1].end == row:
            out[-1] = Fold(out[-1].start, row + 1)
        else:
            out.append(Fold(row, row + 1))
    return tuple([fold for fold in out if fold.rows >= fewest])


def drawn_position(folds: Folds, row: float) -> float:
    """Return the vertical position of a row in the folded grid, in rows as drawn."""
    less = 0
    for start, end in folds:
        if row <= start:
            break
        if row < end:
            return start - less + (row - start) / (end - start)
        less += end - start - 1
    return row - less


def folded_labels(labels: Sequence[str], folds: Folds) -> list[str]:
    """Return the labels of the rows as drawn; a fold has one label with its number of words."""
    out = []
    for number, fold in _drawn_rows(len(labels), folds):
        out.append(labels[number] if fold is None else f"⋯ {fold.rows} words")
    return out


def folded_shapes(shapes: Sequence[Shape], folds: Folds) -> list[Shape]:
    """Return the shapes at the positions of their drawn rows.

    Lines of unmatched words of one output are omitted inside folds, because they would fill the fold."""
    return [
        shape._replace(points=tuple([(drawn_position(folds, r), c) for r, c in shape.points]))
        for shape in shapes
        if shape.role not in ("went", "came") or not _in_fold(folds, shape.points[0][0])
    ]


def _in_fold(folds: Folds, row: float) -> bool:
    return any(start <= row < end for start, end in folds)


def name_rows(drawn: Picture, labels: Sequence[str], folds: Folds) -> Picture:
    """Return a picture of folded rows in which each word has the name of its own row.

    The words of a fold are in the picture, but invisible."""
    numbers = [*_drawn_rows(len(labels), folds)]

    def words(label: Label) -> Iterator[Label]:
        """Yield the labels that replace `label`."""
        if not label.word.startswith("c"):
            yield label
            return
        number, fold = numbers[int(label.word[1:])]
        if fold is None:
            yield label._replace(word=f"c{number}")
            return
        yield label._replace(word="")
        yield from [label._replace(text=labels[n], word=f"c{n}", unseen=True) for n in range(*fold)]

    return replace(drawn, labels=[each for label in drawn.labels for each in words(label)], folds=folds)


def _drawn_rows(rows: int, folds: Folds) -> Iterator[tuple[int, Fold | None]]:
    """Yield the index of each drawn row, and its fold or None; the index of a fold is that of its first row."""
    starts, number = {fold.start: fold for fold in folds}, 0
    while number < rows:
        fold = starts.get(number)
        yield number, fold
        number = fold.end if fold else number + 1
