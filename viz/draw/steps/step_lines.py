"""Draw the marks of a step as arcs over the candidate's words, or as crossing lines between the words of two sentences.

The shapes have the same roles as on a grid and are written by the same code. That code places shapes in a grid's box
for each reference; here each box is at the corner of the picture with cells of UNIT pixels, so coordinates of points
are pixels divided by UNIT."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from metrics.teach.steps import ProgramStep
from metrics.types import Edit, Hit, Mark, Relation, Run, SkipBigram

from ..evidence import arcs
from ..evidence.arcs import EDGE, GAP, LEAST_WIDTH, NEST, ArcHeights, LineEnds, row_height, word_labels, word_rows
from ..pen import legend
from ..pen.layout import GridBox, Label
from ..pen.marks import touched_words
from ..pen.picture import Picture, group_shapes_by_look
from ..pen.placed_shapes import arch
from ..pen.shapes import Point, Shape
from ..pen.theme import ExaminedRole, Kind, Role
from .step_shapes import role_of

Words = Sequence[str]
LinesKind = Literal["arcs", "crossings"]

UNIT = 18  # pixels of a cell, the unit of points; markers and lines are as large as in grid cells of this size
STUB = 14  # length in pixels of a line from a word that leads nowhere
FEW = 40  # with more rejected marks than this, marks are faint and pairs have no ✕
BESIDE: dict[ExaminedRole, float] = {"considered": 3, "rejected": -3}  # offset in pixels, so that taken marks show too
HANG = 26  # most pixels that a curve hangs below its words
AROUND = 60  # pixels around a place that should be visible too
TALL, LOW = 240, 150  # most pixels between two sentences: with one reference, and with several


class Focus(NamedTuple):
    """The part of the picture that should be in sight at a step, in pixels.

    `across` and `high` say how much is in sight on either side of (`x`, `y`), and above and below it."""

    x: float
    y: float
    across: float = AROUND
    high: float = AROUND


class WordPicture:
    """A picture of words without a grid, and the shapes of a step's marks on it; base class of `Arcs` and `Crossings`.

    Attributes:
        base: the picture without marks.
        boxes: a box for each reference, relative to which shapes are placed.
        hits: shapes of matches that are always visible."""

    base: Picture
    boxes: list[GridBox]
    hits: list[Shape]

    def step_marks(self, step: ProgramStep) -> Iterator[tuple[str, Sequence[Any]]]:
        """Yield ("taken", "considered" or "rejected", marks) for what a step does with marks.

        Where references are compared, all of their marks are considered; those that are taken or rejected are only
        shown as such. Each considered or rejected mark is paired with whether it is faint."""
        rejected = [mark for mark, _ in step.rejected]
        considered, faint = step.considered, False
        if _compares_references(step):
            faint = len(rejected) > FEW
            done_marks = {*step.taken_marks, *rejected}
            considered = [mark for mark in considered if mark not in done_marks]
        yield "taken", step.taken_marks
        yield "considered", [(mark, False) for mark in considered]
        yield "rejected", [(mark, faint) for mark in self.separate_marks(rejected)]

    def separate_marks(self, rejected: list[Mark]) -> list[Mark]:
        """Return the rejected marks that this picture draws as shapes of their own: by default all."""
        return rejected

    def mark_shapes(self, name: str, what: Any) -> Iterator[Shape]:
        """Yield the shapes of the mark `what`, which `step_marks` yields with `name`, such as "taken".

        A mark that is not taken comes paired with whether it is faint."""
        if name == "taken":
            yield from self.taken_shapes(what)
        else:
            mark, faint = what
            for shape in self.examined_shapes(mark, "considered" if name == "considered" else "rejected"):
                if not (faint and shape.kind == "cross" and shape.words):  # many pairs have no ✕
                    yield shape._replace(dim=faint)

    def taken_shapes(self, mark: Mark) -> Iterator[Shape]:
        """Yield the shapes of a mark that a step takes."""
        raise NotImplementedError

    def examined_shapes(self, mark: Mark, role: ExaminedRole) -> Iterator[Shape]:
        """Yield the shapes of a mark that a step considers or rejects, as `role` says."""
        raise NotImplementedError

    def place(self, mark: Mark) -> Focus:
        """Return the part of this picture that should be in sight for a mark."""
        raise NotImplementedError


def create_picture(
    way: LinesKind,
    rows: Words,
    references: Sequence[Words],
    hits: Sequence[Hit],
    width: int,
    title: str,
    relation: Callable[[Hit], Relation] = lambda _: "equal",
) -> WordPicture:
    """Return the picture of the kind `way`, "arcs" or "crossings", `width` pixels wide.

    `rows` are the candidate's words. `relation` maps a cell to why its words match: equal, same stem, and so on."""
    if way == "arcs":
        return Arcs(rows, references, hits, width, title)
    return Crossings(rows, references, hits, width, title, relation)


def chosen_mark(step: ProgramStep, before: ProgramStep | None) -> Mark | None:
    """Return the mark that a step takes, or of the reference that it chooses; None where it does neither.

    `before` is the step before it, or None."""
    taken_marks = step.taken_marks[-1:]
    if (
        before
        and len(step.taken_marks) <= len(before.taken_marks)
        and tuple(taken_marks) == tuple(before.taken_marks[-1:])
    ):
        taken_marks = taken_marks if _compares_references(step) else ()
    return taken_marks[0] if taken_marks else None


def _compares_references(step: ProgramStep) -> bool:
    """Return whether a step compares references: whether it considers or rejects marks of several ones."""
    examined_marks = [*step.considered, *[mark for mark, _ in step.rejected]]
    return len({_reference_index(mark) for mark in examined_marks}) > 1


def _reference_index(mark: Mark) -> int:
    """Return the index of a mark's reference."""
    return mark.k if isinstance(mark, Edit | Run | Hit) else mark.cells()[0].k


def _pixel_shape(kind: Kind, role: Role, mark: Mark, points: Iterable[Point], cell: Hit | None = None) -> Shape:
    """Return a shape of a mark whose `points` are (x, y) in pixels.

    Without a `cell` it has the names of the mark's words, so that a script can highlight them."""
    names = "" if cell else " ".join(touched_words(mark).names())
    return Shape(
        kind, role, _reference_index(mark), tuple([(y / UNIT, x / UNIT) for x, y in points]), cell, words=names
    )


def _square_around(x: float, y: float) -> tuple[Point, ...]:
    """Return the corners of a square of 14 pixels around a point."""
    return tuple([(x + a * 7, y + b * 7) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


def _base_picture(
    size: tuple[float, float],
    font: int,
    title: str,
    labels: list[Label],
    headings: list[Label],
    boxes: list[GridBox],
    hits: list[Shape],
) -> Picture:
    groups = group_shapes_by_look(hits, boxes, UNIT)
    key = legend.drawn_entries(legend.legend_entries_of_shapes(hits))
    return Picture(title, "", *size, UNIT, font, False, [], labels, headings, groups, key)


# ---------------------------------------------------------------- arcs


class Arcs(WordPicture):
    """Pairs of words as arcs over the candidate.

    The arcs of later references are below those of earlier ones. From CROWDED words on, taken pairs are faint, so that
    considered ones are seen."""

    def __init__(self, rows: Words, references: Sequence[Words], hits: Sequence[Hit], width: int, title: str) -> None:
        row_layout = word_rows(None, [rows], width)
        (self.places,) = row_layout.places
        length = self.places[-1] - self.places[0] if len(rows) > 1 else 1.0
        self.rise = ArcHeights.over_length(length)
        self.foot = EDGE + max(self.rise.high, STUB) + BESIDE["considered"]
        self.faint = len(rows) >= arcs.CROWDED
        self.boxes = [GridBox(k, 0, 0, 0, 0) for k in range(len(references))]
        self.hits = []
        labels = word_labels(rows, self.places, row_layout, self.foot + 3, "c")
        size = max(row_layout.width, min(width, LEAST_WIDTH)), self.foot + 3 + row_height(rows, row_layout) + 8
        self.base = _base_picture(size, row_layout.font, title, labels, [], self.boxes, self.hits)

    def step_marks(self, step: ProgramStep) -> Iterator[tuple[str, Sequence[Any]]]:
        yield from super().step_marks(step)
        # A pair that no reference has is two marks, one for each word; an arc shows that they are considered together.
        pair = [mark for mark in step.considered if isinstance(mark, Edit)]
        is_pair = len(pair) == 2 == len(step.considered) and pair[0].i_start < pair[1].i_start
        yield "between", [tuple(pair)] if is_pair else ()

    def mark_shapes(self, name: str, what: Any) -> Iterator[Shape]:
        if name != "between":
            yield from super().mark_shapes(name, what)
            return
        first, second = what
        points = self._arch(first.i_start, second.i_start, 0, BESIDE["considered"])
        names = f"c{first.i_start} c{second.i_start}"
        yield _pixel_shape("curve", "considered", first, points)._replace(k=0, words=names)

    def taken_shapes(self, mark: Mark) -> Iterator[Shape]:
        if isinstance(mark, SkipBigram):
            yield _pixel_shape("curve", "taken", mark, self._pair_arch(mark))._replace(dim=self.faint)
            return
        for cell in mark.cells():
            yield _pixel_shape("dot", "taken", cell, [(self.places[cell.i], self.foot)], cell)

    def examined_shapes(self, mark: Mark, role: ExaminedRole) -> Iterator[Shape]:
        if isinstance(mark, SkipBigram):
            points = self._pair_arch(mark, BESIDE[role])
            yield _pixel_shape("curve", role, mark, points)
            if role == "rejected":
                yield _pixel_shape("cross", role, mark, [_curve_middle(points)])
        elif isinstance(mark, Edit) and not mark.cells():
            for i in range(mark.i_start, mark.i_end):
                x = self.places[i]  # the same for each reference, so that it is sent once
                yield _pixel_shape("line", role, mark, ((x, self.foot), (x, self.foot - STUB)))._replace(
                    k=0, words=f"c{i}"
                )
        else:
            for cell in mark.cells():
                x = self.places[cell.i]
                yield _pixel_shape("polygon", role, cell, _square_around(x, self.foot), cell)
                if role == "rejected":
                    yield _pixel_shape("cross", role, cell, [(x, self.foot)], cell)

    def place(self, mark: Mark) -> Focus:
        words = touched_words(mark).candidate
        left_x, right = (self.places[words[0]], self.places[words[-1]]) if words else (0.0, 0.0)
        return Focus((left_x + right) / 2, self.foot, (right - left_x) / 2 + 40)

    def _pair_arch(self, pair: SkipBigram, offset: float = 0) -> tuple[Point, ...]:
        return self._arch(pair.first.i, pair.second.i, pair.first.k, offset)

    def _arch(self, first: int, second: int, k: int, offset: float) -> tuple[Point, ...]:
        """Return the curve of an arc for reference `k` between two candidate words.

        It is raised and widened by `offset` pixels."""
        start, end = self.places[first], self.places[second]
        high = self.rise.height(end - start)
        return arch(start - offset, end + offset, self.foot, max(high / 2, high - NEST * k) + offset)


def _curve_middle(points: Sequence[Point]) -> Point:
    """Return the middle of a Bézier curve with four points."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = points
    return (ax + 3 * bx + 3 * cx + dx) / 8, (ay + 3 * by + 3 * cy + dy) / 8


# ---------------------------------------------------------------- crossings


class Crossings(WordPicture):
    """The candidate's words above those of each reference, with a line for each match that is taken or considered.

    Lines of reordered words cross. Other matches are thin lines. A pair of aligned words is a curve that hangs from
    the candidate."""

    def __init__(
        self,
        rows: Words,
        references: Sequence[Words],
        hits: Sequence[Hit],
        width: int,
        title: str,
        relation: Callable[[Hit], Relation],
    ) -> None:
        self.relation = relation
        row_layout = word_rows(rows, references, width)
        above, *below = row_layout.places
        several = len(references) > 1
        self.boxes, self.orders = [], dict[int, LineEnds]()
        labels, headings, y = [], [], 0.0
        for k, reference in enumerate(references):
            if several:
                headings.append(Label(f"Reference {k + 1}", EDGE, y + 12, "left"))
                y += 22
            top = y + EDGE + row_height(rows, row_layout) + GAP
            bottom = top + min(LOW if several else TALL, 80 + 12 * max(len(rows), len(reference)))
            self.orders[k] = LineEnds(above, below[k], top, bottom)
            self.boxes.append(GridBox(k, 0, 0, 0, 0))
            labels += word_labels(rows, above, row_layout, top - GAP, "c", up=True)
            labels += word_labels(reference, below[k], row_layout, bottom + GAP, f"r{k}_")
            y = bottom + GAP + row_height(reference, row_layout) + 8
        size = max(row_layout.width, min(width, LEAST_WIDTH)), y
        self.hits = [_pixel_shape("line", "hit", hit, self._line_ends(hit), hit)._replace(dim=True) for hit in hits]
        self.base = _base_picture(size, row_layout.font, title, labels, headings, self.boxes, self.hits)

    def separate_marks(self, rejected: list[Mark]) -> list[Mark]:
        """Return the rejected marks without pairs both of whose hits are rejected, too."""
        rejected_hits = {mark for mark in rejected if isinstance(mark, Hit)}
        return [mark for mark in rejected if not (isinstance(mark, SkipBigram) and rejected_hits.issuperset(mark))]

    def taken_shapes(self, mark: Mark) -> Iterator[Shape]:
        if isinstance(mark, Run) and mark.length > 1:
            yield self._chunk_band(mark, "taken")
        for cell in mark.cells():
            ends = self._line_ends(cell)
            yield _pixel_shape("line", role_of(self.relation(cell)), cell, ends, cell)
            for end in ends:
                yield _pixel_shape("dot", "taken", cell, [end], cell)

    def examined_shapes(self, mark: Mark, role: ExaminedRole) -> Iterator[Shape]:
        if isinstance(mark, SkipBigram):
            yield from self._pair_shapes(mark, role)
        elif isinstance(mark, Edit) and not mark.cells():
            for i in range(mark.i_start, mark.i_end):
                order = self.orders[mark.k]
                x = order.above[i]
                yield _pixel_shape("line", role, mark, ((x, order.top), (x, order.top + STUB)))._replace(words=f"c{i}")
        else:
            if isinstance(mark, Run) and mark.length > 1:
                yield self._chunk_band(mark, role)
            for cell in mark.cells():
                ends = self._line_ends(cell, BESIDE[role])
                yield _pixel_shape("line", role, cell, ends, cell)
                if role == "rejected":
                    yield _pixel_shape("cross", role, cell, [_midpoint(*ends)], cell)

    def _pair_shapes(self, pair: SkipBigram, role: ExaminedRole) -> Iterator[Shape]:
        """Yield a curve between the two candidate words of a pair of aligned words.

        A rejected pair also has an ✕, where its lines cross if they do."""
        order = self.orders[pair.first.k]
        start, end = order.above[pair.first.i], order.above[pair.second.i]
        points = arch(start, end, order.top, -min(HANG, 8 + (end - start) / 8) - BESIDE[role])
        yield _pixel_shape("curve", role, pair, points)
        if role == "considered":
            for hit in pair:
                yield _pixel_shape("line", role, hit, self._line_ends(hit, BESIDE[role]), hit)
        else:
            crossed = pair.second.j <= pair.first.j
            yield _pixel_shape("cross", role, pair, [order.crossing(pair) if crossed else _curve_middle(points)])

    def place(self, mark: Mark) -> Focus:
        order, words = self.orders[_reference_index(mark)], touched_words(mark).candidate
        x = order.above[words[0]] if words else 0.0
        return Focus(x, (order.top + order.bottom) / 2, high=(order.bottom - order.top) / 2 + 60)

    def _line_ends(self, hit: Hit, offset: float = 0) -> tuple[Point, Point]:
        """Return the ends of the line of a hit, `offset` pixels to the right of its words."""
        (a, top), (b, bottom) = self.orders[hit.k].ends(hit)
        return (a + offset, top), (b + offset, bottom)

    def _chunk_band(self, run: Run, role: Role) -> Shape:
        return _pixel_shape("polygon", role, run, self.orders[run.k].chunk_corners(run.cells()))


def _midpoint(start: Point, end: Point) -> Point:
    """Return the middle of a straight line."""
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
