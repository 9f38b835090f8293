"""How each type of mark is drawn: a result becomes a list of shapes in cell units, which every kind of picture shares.

The SVG and the TikZ picture are written from the same shapes, so they show the same evidence.
Cell (i, j) covers rows i to i + 1 and columns j to j + 1 of the panel of its reference.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import metrics
from metrics.types import Deferred, Edit, Hit, Layer, Mark, Neighbours, Relation, Result, Run, Shift, SkipBigram
from metrics.types.work import limited, spend

from ..memory import remembered
from .theme import LOOKS, Kind, Role

Point = tuple[float, float]


class Term(NamedTuple):
    """A mark as the ledger names it: its layer's number, its number in the layer, and the mark."""

    layer: int
    t: int
    mark: Mark


class Shape(NamedTuple):
    """One thing to draw on the panel of reference `k`.

    `points` are (row, column) pairs; `cell` is the cell under a marker or a digit, and `term` the one term that a shape
    without a cell stands for: an insertion, a deletion, a block, an area or an arrow; `number` is the round; `dim`
    shapes step back behind a selected term. `level` says how strong a shape of its role is, and `says` how it is called
    where its role has no name for it, or what the words of a changed cell are. `why` is what stands against a match
    that is not used, or who uses a shared one. `lead` names what the shape leads to where that is no term of one
    result, such as a step between two. `text` is what a digit says that is no number of a round. `words` are the names
    of the words that a shape joins which stands for no cell, where a page has no row that says so.
    """

    kind: Kind
    role: Role
    k: int
    points: tuple[Point, ...]
    cell: Hit | None = None
    number: int = 0
    dim: bool = False
    level: int = 0
    says: str = ""
    term: Term | None = None
    lead: str = ""
    why: str = ""
    text: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen term, or none."""

    layer: int = -1
    index: int = -1

    def of(self, result: Result, rounds: int | None = None) -> Term | None:
        """The term in `result`, None if there is none, for instance after the text has changed, or if its layer is not
        among the first `rounds`."""
        if not 0 <= self.layer < len(result.layers):
            return None
        layer = result.layers[self.layer]
        if not (0 <= self.index < len(layer.marks) and shown(layer, rounds)):
            return None
        return Term(self.layer, self.index, layer.marks[self.index])


def shown(layer: Layer, rounds: int | None) -> bool:
    """Whether a layer is shown with the first `rounds` of the numbered ones."""
    return rounds is None or layer.number is None or layer.number <= rounds


def terms(result: Result, rounds: int | None = None) -> Iterator[Term]:
    """All terms of a result in the ledger's order; of its numbered layers only the first `rounds`."""
    for n, layer in enumerate(result.layers):
        if shown(layer, rounds):
            for t, mark in enumerate(layer.marks):
                yield Term(n, t, mark)


def _terms_of(kind: type, result: Result, rounds: int | None) -> Iterator[Term]:
    """The terms whose marks are of one kind; the marks of a layer are all of one."""
    for n, layer in enumerate(result.layers):
        if layer.marks and isinstance(layer.marks[0], kind) and shown(layer, rounds):
            for t, mark in enumerate(layer.marks):
                yield Term(n, t, mark)


def count_terms(result: Result, rounds: int | None = None) -> int:
    """How many terms there are."""
    return sum(len(layer.marks) for layer in result.layers if shown(layer, rounds))


# ---------------------------------------------------------------- cells and words


#: Steps that it may take to look through the cells of a result: those of half a million.
CELLS_WORK = 1_500_000


class Use(NamedTuple):
    """How a cell is used: the number of its (first) round, 0 where it has none, and how its words go together."""

    number: int
    relation: Relation


@remembered
def uses(result: Result, rounds: int | None = None) -> Mapping[Hit, Use]:
    """The cells of all marks. What the first layer says of a cell holds; the relation of substituted words is
    "different". Raises TooHard where there are too many to be drawn."""
    with limited(CELLS_WORK):
        return _uses(result, rounds)


def _uses(result: Result, rounds: int | None) -> Mapping[Hit, Use]:
    candidate, references = result.segment
    out: dict[Hit, Use] = {}
    for layer in result.layers:
        if not shown(layer, rounds):
            continue
        number = layer.number or 0
        cells = _cells(layer)
        spend(len(cells))
        for cell, relation in cells:
            before = out.get(cell)
            if before is None:
                i, k, j = cell
                if relation in ("equal", "similar"):
                    relation = "equal" if candidate[i] == references[k][j] else "similar"
                out[cell] = Use(number, relation)
            elif number and not before.number:
                out[cell] = Use(number, before.relation)
    return out


def _marks(layer: Layer) -> tuple[Mark, ...]:
    """A layer's marks, but no pairs of hits: there can be millions, and nothing is drawn for them."""
    return () if isinstance(layer.marks, Deferred) else layer.marks


def _cells(layer: Layer) -> list[tuple[Hit, Relation]]:
    """The cells of a layer's marks, each with its relation."""
    relation = layer.relation
    if isinstance(layer.marks, Deferred):
        return [(cell, relation) for cell in layer.cells()]
    return [
        (cell, "different" if isinstance(mark, Edit) and mark.op == "substitution" else relation)
        for mark in layer.marks
        for cell in mark.cells()
    ]


@remembered
def covered(result: Result, rounds: int | None = None) -> Mapping[Hit, int]:
    """The cells that some mark uses as a match, each with the number of its (first) round, 0 where it has none."""
    return {cell: use.number for cell, use in uses(result, rounds).items() if use.relation != "different"}


class Touched(NamedTuple):
    """The words of a mark: positions in the candidate, and (k, j) of words of references."""

    candidate: tuple[int, ...]
    references: tuple[tuple[int, int], ...]

    def names(self) -> list[str]:
        """The names of the words' elements on a page: `c3`, `r0_4`."""
        return [f"c{i}" for i in self.candidate] + [f"r{k}_{j}" for k, j in self.references]


def touched(mark: Mark) -> Touched:
    """The words that a mark is about, each once; an insertion or a deletion is about words of one side."""
    if isinstance(mark, Edit):
        return Touched(
            tuple(range(mark.i_start, mark.i_end)), tuple([(mark.k, j) for j in range(mark.j_start, mark.j_end)])
        )
    cells = mark.cells()
    return Touched(tuple(dict.fromkeys(c.i for c in cells)), tuple(dict.fromkeys((c.k, c.j) for c in cells)))


def counting(result: Result, kind: str, cost: bool = False) -> list[tuple[int, Layer]]:
    """The layers, with their numbers, whose marks are counted by a statistic that is of a kind in the metric's score,
    and more of which is worse if it is a `cost`."""
    role = metrics.METRICS[result.metric].role
    return [
        (n, layer)
        for n, layer in enumerate(result.layers)
        if any(role(name).kind == kind and role(name).cost >= cost for name in layer.statistics)
    ]


@remembered
def neighbours_in_runs(result: Result) -> set[Hit]:
    """Cells after which the same run goes on: words joined in the token strips."""
    return {
        cell
        for layer in result.layers
        for mark in _marks(layer)
        if isinstance(mark, Run) or (isinstance(mark, Edit) and mark.op == "match")
        for cell in mark.cells()[:-1]
    }


def gaps(result: Result, rounds: int | None = None) -> list[Term]:
    """The insertions and deletions: edits that have words of one side only."""
    return [
        term
        for term in _terms_of(Edit, result, rounds)
        if isinstance(term.mark, Edit) and term.mark.op in ("insertion", "deletion")
    ]


# ---------------------------------------------------------------- shapes


def square(i: float, j: float, size: float, inset: float = 0.0) -> tuple[Point, ...]:
    """The corners of a square of cells."""
    a, b, c, d = i + inset, i + size - inset, j + inset, j + size - inset
    return ((a, c), (a, d), (b, d), (b, c))


def hexagon(cell: Hit) -> tuple[Point, ...]:
    """A hexagon as broad as the square of a round's cell."""
    i, _, j = cell
    return tuple([(i + row, j + column) for row, column in _CORNERS])


_CORNERS = ((0.07, 0.28), (0.07, 0.72), (0.5, 0.97), (0.93, 0.72), (0.93, 0.28), (0.5, 0.03))


def centre(cell: Hit) -> Point:
    """The middle of a cell."""
    return (cell.i + 0.5, cell.j + 0.5)


_MARKERS: dict[Relation, Kind] = {
    "equal": "dot",
    "stem": "diamond",
    "synonym": "triangle",
    "similar": "hexagon",
    "different": "cross",
}


def shapes(
    result: Result,
    unused: Iterable[Hit] = (),
    chosen: Selection | None = None,
    rounds: int | None = None,
    ties: tuple[frozenset[Hit], frozenset[Hit]] | None = None,
    why: Callable[[Hit], str] = lambda hit: "",
) -> list[Shape]:
    """Everything to draw for a result, back to front.

    `unused` are the hits of the grid (those that the result uses are left out), `chosen` the selected term, which
    dims the rest, and `rounds` the number of numbered layers to show. `ties` are the cells that all the equally good
    alignments use, and those that only some of them use. `why` says what stands against a hit that is not used.
    """
    term = chosen.of(result, rounds) if chosen else None
    dim = term is not None
    layers = [layer for layer in result.layers if shown(layer, rounds)]
    always, sometimes = ties or ((), ())
    out = [Shape("polygon", "sometimes", c.k, square(c.i, c.j, 1), c, dim=dim) for c in sorted(sometimes)]
    for n, layer in enumerate(result.layers):
        if shown(layer, rounds):
            out += _behind(n, layer, dim)
    out += _links(layers, dim)
    out += _script(result, rounds, dim)
    used = uses(result, rounds)
    out += [Shape("ring", "unused", c.k, (centre(c),), c, dim=dim, why=why(c)) for c in unused if c not in used]
    cut = {run.cells()[-1]: layer.cut.why for layer in layers if (run := _cut_run(layer)) and layer.cut}
    names = {layer.number: layer.name for layer in layers if layer.number}
    for cell, (number, relation) in sorted(used.items()):
        if number:
            similar = relation != "equal"
            corners = hexagon(cell) if similar else square(cell.i, cell.j, 1, 0.07)
            out.append(Shape("polygon", "round", cell.k, corners, cell, number, dim, int(similar), names[number]))
            out.append(Shape("digit", "round", cell.k, (centre(cell),), cell, number, dim))
        else:
            role: Role = "substituted" if relation == "different" else "used"
            out.append(Shape(_MARKERS[relation], role, cell.k, (centre(cell),), cell, dim=dim, says=cut.get(cell, "")))
    for c in sorted(always):
        if used.get(c, Use(0, "equal")).number:
            out.append(Shape("polygon", "always", c.k, square(c.i, c.j, 1), c, dim=dim))
        else:
            out.append(Shape("ring", "always", c.k, (centre(c),), c, dim=dim))
    out += [_sign(gap, dim) for gap in gaps(result, rounds)]
    out += _arrows(result, rounds, dim)
    if term is not None:
        out += _selected(result, term, used)
    return out


def _cut_run(layer: Layer) -> Run | None:
    """The run of a layer of which only the beginning counts."""
    run = layer.marks[layer.cut.t] if layer.cut else None
    return run if isinstance(run, Run) else None


def _behind(n: int, layer: Layer, dim: bool) -> list[Shape]:
    """What lies under the dots of layer `n`: areas, blocks, what was cut off of a run, the path."""
    out: list[Shape] = []
    if (run := _cut_run(layer)) and layer.cut:
        whole = square(run.i, run.j, layer.cut.length)
        out.append(Shape("polygon", "cut", run.k, whole, dim=dim, term=Term(n, layer.cut.t, run)))
    for t, mark in enumerate(_marks(layer)):
        term = Term(n, t, mark)
        if isinstance(mark, Neighbours):
            out += [Shape("polygon", "area", area.k, area.corners, dim=dim, term=term) for area in mark.areas()]
        elif isinstance(mark, Run) and layer.area:
            corners = square(mark.i, mark.j, mark.length)
            out.append(Shape("polygon", "block", mark.k, corners, dim=dim, term=term))
    if layer.path:
        cells = [cell for mark in layer.marks if not isinstance(mark, Edit) for cell in mark.cells()]
        for k in sorted({cell.k for cell in cells}):
            line = tuple(centre(cell) for cell in cells if cell.k == k)
            if len(line) > 1:
                out.append(Shape("line", "path", k, line, number=layer.number or 0, dim=dim))
    return out


_LEVELS = 4  # a line cannot be drawn much thicker


def _links(layers: Iterable[Layer], dim: bool) -> list[Shape]:
    """The lines through runs: each step of a diagonal is drawn once, its level is the number of layers that use it.

    So a word pair that BLEU matches as part of a 4-gram, where 2-grams and 3-grams cover it too, has level 3.
    """
    steps: Counter[Hit] = Counter()  # a step is named by its first cell
    names = set()
    for layer in layers:
        if not (layer.area or layer.path):
            found = {cell for mark in _marks(layer) if isinstance(mark, Run) for cell in mark.cells()[:-1]}
            steps.update(found)
            names |= {layer.noun} if found else set()
    says = names.pop() if len(names) == 1 else "run"  # "chunk", "2-gram"
    out: list[Shape] = []
    start = last = None
    for cell in sorted(steps, key=lambda c: (c.k, c.j - c.i, c.i)):
        level = min(steps[cell], _LEVELS)
        if last is None or start is None or cell != Hit(last.i + 1, last.k, last.j + 1) or level != out[-1].level:
            start = cell
        else:
            out.pop()
        last = cell
        end = Hit(cell.i + 1, cell.k, cell.j + 1)
        out.append(Shape("line", "link", cell.k, (centre(start), centre(end)), dim=dim, level=level, says=says))
    return out


def _script(result: Result, rounds: int | None, dim: bool) -> list[Shape]:
    """An edit script as a path along corners: diagonal through the cells of a match or a substitution, down past a
    word that is extra, across past one that is missing.

    Edits are joined where one ends in the corner where another starts, so a script that tiles both sentences is one
    path, and one whose rows were moved is as many as it has pieces in order.
    """
    edits = [term.mark for term in _terms_of(Edit, result, rounds) if isinstance(term.mark, Edit)]
    lines: list[tuple[int, list[Point]]] = []
    ends: dict[tuple[int, int, int], list[Point]] = {}
    for edit in sorted(edits, key=lambda e: (e.k, e.i_start + e.j_start)):
        line = ends.pop((edit.k, edit.i_start, edit.j_start), None)
        if line is None:
            line = [(edit.i_start, edit.j_start)]
            lines.append((edit.k, line))
        line.append((edit.i_end, edit.j_end))
        ends[edit.k, edit.i_end, edit.j_end] = line
    out = [Shape("line", "path", k, tuple(line), dim=dim) for k, line in lines]
    return out + [_gap_line(term, dim) for term in gaps(result, rounds)]


def _gap_line(term: Term, dim: bool) -> Shape:
    edit = term.mark
    assert isinstance(edit, Edit)
    role: Role = "extra" if edit.op == "insertion" else "missing"
    ends = ((edit.i_start, edit.j_start), (edit.i_end, edit.j_end))
    return Shape("line", role, edit.k, ends, dim=dim, term=term)


def _sign(term: Term, dim: bool) -> Shape:
    """The marker of an insertion or a deletion, in the middle of its line."""
    edit = term.mark
    assert isinstance(edit, Edit)
    middle = ((edit.i_start + edit.i_end) / 2, (edit.j_start + edit.j_end) / 2)
    if edit.op == "insertion":
        return Shape("plus", "extra", edit.k, (middle,), dim=dim, term=term)
    return Shape("minus", "missing", edit.k, (middle,), dim=dim, term=term)


def _arrows(result: Result, rounds: int | None, dim: bool) -> list[Shape]:
    """From each moved block to the row at which it is put."""
    return [
        shape for term, order in shifts(result, rounds) for shape in _arrow(term, order, result.layers[term.layer], dim)
    ]


def shifts(result: Result, rounds: int | None = None) -> Iterator[tuple[Term, list[int]]]:
    """Each shift with the order of the candidate's words just before it."""
    orders: dict[int, list[int]] = {}
    for term in _terms_of(Shift, result, rounds):
        if isinstance(shift := term.mark, Shift):
            order = orders.get(shift.k) or list(range(len(result.segment.candidate)))
            yield term, order
            orders[shift.k] = shift.apply(order)


_HEAD, _HALF = 0.4, 0.24  # length and half the breadth of an arrow's head, in cells


def _arrow(term: Term, order: list[int], layer: Layer, dim: bool, role: Role = "arrow") -> list[Shape]:
    """A line from the moved block up or down to a bar across its columns, which lies where the block is put."""
    shift = term.mark
    assert isinstance(shift, Shift)
    place, up = landing(shift, order)
    start = max(place, min(shift.rows)) if up else min(place, max(shift.rows) + 1)
    look = Shape("line", role, shift.k, (), number=layer.number or 0, dim=dim, term=term)
    return arrow(look, start, place, (shift.j, shift.j + len(shift.rows)))


class Landing(NamedTuple):
    """The row in front of which a moved block is put, and whether that is up from where it was."""

    row: int
    up: bool


def landing(shift: Shift, order: Sequence[int]) -> Landing:
    """Where a shift puts its block, where `order` is that of the candidate's words just before it."""
    rest = [*order[: shift.start], *order[shift.end :]]
    # In front of the row that follows it when it moves up, behind the row that it follows when it moves down.
    place = rest[shift.to] if shift.to < shift.start else rest[shift.to - 1] + 1
    return Landing(place, place <= (min(shift.rows) + max(shift.rows) + 1) / 2)


def arrow(look: Shape, start: float, place: float, across: tuple[float, float]) -> list[Shape]:
    """A line with a head from a row to a bar across some columns; `look` is how its lines look."""
    (left, right), way = across, -1 if place <= start else 1
    middle, length = (left + right) / 2, min(_HEAD, abs(place - start))
    neck = place - way * length
    out = [look._replace(points=((place, left), (place, right)))]
    if length:
        out.append(look._replace(points=((start, middle), (neck, middle))))
        head = ((place, middle), (neck, middle - _HALF), (neck, middle + _HALF))
        out.append(look._replace(kind="polygon", points=head))
    return out


def _selected(result: Result, term: Term, used: Mapping[Hit, Use]) -> list[Shape]:
    mark = term.mark
    out: list[Shape] = []
    if isinstance(mark, Neighbours):
        out += [Shape("polygon", "selected block", area.k, area.corners) for area in mark.areas()]
    if isinstance(mark, Run) and mark.length > 1:
        out.append(Shape("polygon", "selected block", mark.k, square(mark.i, mark.j, mark.length)))
    if isinstance(mark, SkipBigram):
        out.append(Shape("line", "selected", mark.first.k, (centre(mark.first), centre(mark.second))))
    if isinstance(mark, Shift):
        order = next(order for other, order in shifts(result, None) if other[:2] == term[:2])
        out += _arrow(term, order, result.layers[term.layer], False, "selected arrow")
    for cell in mark.cells():
        number, relation = used[cell]
        out.append(Shape("polygon", "selected", cell.k, square(cell.i, cell.j, 1, 0.03), cell, number))
        kind = "digit" if number else _MARKERS[relation]
        out.append(Shape(kind, "selected", cell.k, (centre(cell),), cell, number))
    if isinstance(mark, Edit) and mark.op in ("insertion", "deletion"):
        out.append(_gap_line(term, False)._replace(role="selected"))
        out.append(_sign(term, False)._replace(role="selected"))
    return out


# ---------------------------------------------------------------- two results on one grid


def overlay(a: Result, b: Result, unused: Iterable[Hit] = (), names: tuple[str, str] | None = None) -> list[Shape]:
    """The cells that two results on the same words use: a left half disc for `a`, a right half disc for `b`.

    So a whole disc, which has a ring around it, is used by both. `names` are those of the metrics where None is given;
    `unused` are the hits of the grid, of which those that neither uses are drawn as such.
    """
    first, second = names or (metrics.METRICS[a.metric].label, metrics.METRICS[b.metric].label)
    of_a, of_b = covered(a), covered(b)
    out = [Shape("ring", "unused", c.k, (centre(c),), c) for c in unused if c not in of_a and c not in of_b]
    for cell in sorted({*of_a, *of_b}):
        both = cell in of_a and cell in of_b
        if cell in of_a:
            out.append(Shape("polygon", "first", cell.k, _half(cell, -1), cell, says=f"used by {first}"))
        if cell in of_b:
            out.append(Shape("polygon", "second", cell.k, _half(cell, 1), cell, says=f"used by {second}"))
        if both:
            out.append(Shape("ring", "both", cell.k, (centre(cell),), cell, says="used by both"))
    return out


_ARC = tuple([(-math.cos(math.pi * n / 12), math.sin(math.pi * n / 12)) for n in range(13)])


def _half(cell: Hit, side: int) -> tuple[Point, ...]:
    """Half a disc, the left one for side −1, the right one for 1; the two do not quite touch."""
    i, j = centre(cell)
    return tuple([(i + 0.3 * row, j + side * (0.03 + 0.3 * column)) for row, column in _ARC])


# ---------------------------------------------------------------- many results on one grid

LEVELS = 5  # tints that can be told apart


def shared(
    counts: Mapping[Hit, int], total: int, unused: Iterable[Hit] = (), names: Mapping[Hit, str] | None = None
) -> list[Shape]:
    """Cells tinted by how many of `total` results use them, with that number; `unused` are the hits of the grid, and
    `names` say which results use a cell."""
    out = [Shape("ring", "unused", c.k, (centre(c),), c) for c in unused if c not in counts]
    for cell, count in sorted(counts.items()):
        says, level = f"used by {count} of {total}", tint(count, total)
        corners, who = square(cell.i, cell.j, 1, 0.04), (names or {}).get(cell, "")
        out.append(Shape("polygon", "shared", cell.k, corners, cell, count, level=level, says=says, why=who))
        out.append(Shape("digit", "shared", cell.k, (centre(cell),), cell, count, level=level))
    return out


def tint(count: int, total: int) -> int:
    """The level of a tint, from 1 to LEVELS, which stands for all of them.

    >>> [tint(count, 14) for count in (1, 2, 3, 7, 13, 14)]
    [1, 1, 2, 3, 5, 5]
    """
    return max(1, math.ceil(LEVELS * count / max(total, 1)))


# ---------------------------------------------------------------- legend and badges

ROUNDS_NAMED = 8  # in the legend; the digits name the others


class Entry(NamedTuple):
    """An entry of the legend: what it says, and a shape of those that it speaks of."""

    says: str
    shape: Shape


def legend(drawn: Iterable[Shape]) -> list[Entry]:
    """What the shapes of a picture mean, each meaning once."""
    looks: dict[tuple[Role, Kind], list[Shape]] = {}
    for shape in drawn:
        looks.setdefault((shape.role, shape.kind), []).append(shape)
    out = []
    for look, about in LOOKS.items():
        members, says = looks.get(look, []), about.legend
        if look == ("round", "polygon"):
            rounds = {shape.number: shape._replace(level=0) for shape in members}
            out += [Entry(rounds[number].says, rounds[number]) for number in sorted(rounds)[:ROUNDS_NAMED]]
            out += [Entry("similar word", shape) for shape in members if shape.level][:1]
        elif look == ("shared", "polygon"):
            out += _tints(members)
        elif look == ("link", "line") and any(shape.level > 1 for shape in members):
            out.append(Entry("run, thicker where more n-grams hold it", members[0]))
        elif look == ("used", "dot") and any(("used", _MARKERS[other]) in looks for other in _OTHERS):
            out += [Entry("same word", shape) for shape in members[:1]]
        else:
            out += [Entry(says or shape.says, shape) for shape in members[:1] if says or shape.says]
    if chosen := [shape for (role, _), members in looks.items() for shape in members if role == "selected"]:
        out.append(Entry(chosen[0].says or "selected term", Shape("polygon", "selected", 0, square(0, 0, 1))))
    # Similar words can be in rounds and outside of them, ties be rings and squares: the first look stands for both.
    return [entry for n, entry in enumerate(out) if entry.says not in [other.says for other in out[:n]]]


def _tints(members: Iterable[Shape]) -> list[Entry]:
    """An entry for each tint, with the numbers that it stands for."""
    levels: dict[int, list[Shape]] = {}
    for shape in sorted(members, key=lambda s: s.number):
        levels.setdefault(shape.level, []).append(shape)
    out = []
    for _, shapes in sorted(levels.items()):
        low, high = shapes[0].number, shapes[-1].number
        out.append(Entry(f"used by {low}" if low == high else f"used by {low} to {high}", shapes[-1]))
    return out


_OTHERS: tuple[Relation, ...] = ("stem", "synonym", "similar")


def badges(result: Result) -> dict[int, list[str]]:
    """What to write beside the references that decide the score alone: `decides`, or which part each decides."""
    if len(result.segment.references) < 2:
        return {}
    if len(set(result.decides.values())) == 1 and metrics.METRICS[result.metric].length_penalty not in result.decides:
        return {next(iter(result.decides.values())): ["decides"]}
    out: dict[int, list[str]] = {}
    for part, k in result.decides.items():
        out.setdefault(k, []).append(f"decides {part.replace('_', ' ')}")
    return out
