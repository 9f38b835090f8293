"""Rows of a difference that are alike in both outputs, or that have nothing with a reference, folded: each run of them
takes the height of one row, in which its cells stand closer together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from metrics.analysis.difference import MatchDifference

from ..pen.layout import Label
from ..pen.picture import Picture
from ..pen.shapes import Shape

FEWEST = 3  # rows that are worth folding


class Fold(NamedTuple):
    """The rows from `start` to before `end`."""

    start: int
    end: int

    @property
    def rows(self) -> int:
        return self.end - self.start


Folds = tuple[Fold, ...]


def alike(diff: MatchDifference, of_steps: Collection[int] = (), around: int = 0) -> set[int]:
    """The rows with a word of both outputs whose cells are the same in both, but for the rows `of_steps`, and for so
    many rows `around` those."""
    moved = [place.row for pair in diff.moved for place in pair]
    other = {place.row for place in (*diff.gained, *diff.lost)}.union(moved, of_steps)
    other |= {number for number, row in enumerate(diff.rows) if None in row}
    return {*range(len(diff.rows))} - {number + by for number in other for by in range(-around, around + 1)}


def bare(diff: MatchDifference, k: int, errors: Collection[int] = ()) -> set[int]:
    """The rows of which neither output uses a cell with reference `k`, but for those of its `errors`."""
    moved = [place for pair in diff.moved for place in pair]
    used = {place.row for place in (*diff.kept_places, *diff.gained, *diff.lost, *moved) if place.k == k}
    return {*range(len(diff.rows))} - used - {*errors}


def runs(rows: Collection[int], fewest: int = FEWEST) -> Folds:
    """Rows as runs of at least so many."""
    out: list[Fold] = []
    for row in sorted(rows):
        if out and out[-1].end == row:
            out[-1] = Fold(out[-1].start, row + 1)
        else:
            out.append(Fold(row, row + 1))
    return tuple([fold for fold in out if fold.rows >= fewest])


def level(folds: Folds, row: float) -> float:
    """Where a row begins, counted in rows as they are drawn."""
    less = 0
    for start, end in folds:
        if row <= start:
            break
        if row < end:
            return start - less + (row - start) / (end - start)
        less += end - start - 1
    return row - less


def folded_labels(labels: Sequence[str], folds: Folds) -> list[str]:
    """The words beside the rows as they are drawn."""
    out = []
    for number, fold in _drawn_rows(len(labels), folds):
        out.append(labels[number] if fold is None else f"⋯ {fold.rows} words")
    return out


def folded_shapes(shapes: Sequence[Shape], folds: Folds) -> list[Shape]:
    """Shapes where their rows are drawn, but for the lines of words that went or came, which would fill a fold."""
    return [
        shape._replace(points=tuple([(level(folds, r), c) for r, c in shape.points]))
        for shape in shapes
        if shape.role not in ("went", "came") or not _inside(folds, shape.points[0][0])
    ]


def _inside(folds: Folds, row: float) -> bool:
    return any(start <= row < end for start, end in folds)


def name_rows(drawn: Picture, labels: Sequence[str], folds: Folds) -> Picture:
    """A picture of folded rows in which each word has the name of its own row; those of a fold are there unseen."""
    numbers = [*_drawn_rows(len(labels), folds)]

    def words(label: Label) -> Iterator[Label]:
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
    """Each row as it is drawn: its number, of a fold that of its first one, and the fold."""
    starts, number = {fold.start: fold for fold in folds}, 0
    while number < rows:
        fold = starts.get(number)
        yield number, fold
        number = fold.end if fold else number + 1
