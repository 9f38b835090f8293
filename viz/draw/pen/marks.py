"""What is known of a result's marks: which cells and words they use, and the shapes that show them.

The SVG and the TikZ picture are written from the same shapes, so they show the same evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import metrics
from metrics.analysis.deciding_references import ranked, tied
from metrics.types import (
    Deferred,
    Edit,
    Hit,
    Layer,
    Letters,
    Mark,
    Neighbours,
    Relation,
    Result,
    Run,
    Shift,
    SkipBigram,
    isolated,
    visible,
)
from metrics.types.work import limited, spend

from .shapes import MARKERS, Point, Shape, Term, arrow, centre, hexagon, square
from .theme import Kind, Role


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen term, or none."""

    layer: int = -1
    index: int = -1

    def term_in(self, result: Result, rounds: int | None = None) -> Term | None:
        """The term in `result`, None if there is none, for instance after the text has changed, or if its layer is not
        among the first `rounds`."""
        if not 0 <= self.layer < len(result.layers):
            return None
        layer = result.layers[self.layer]
        if not (0 <= self.index < len(layer.marks) and is_visible(layer, rounds)):
            return None
        return Term(self.layer, self.index, layer.marks[self.index])


def is_visible(layer: Layer, rounds: int | None) -> bool:
    """Whether a layer is shown with the first `rounds` of the numbered ones."""
    return rounds is None or layer.number is None or layer.number <= rounds


def terms(result: Result, rounds: int | None = None) -> Iterator[Term]:
    """All terms of a result in the ledger's order, what breaks the order of words first; of its numbered layers only
    the first `rounds`."""
    first = {n for n, _ in counting(result, "order", cost=True)}
    for n, layer in sorted(enumerate(result.layers), key=lambda each: each[0] not in first):
        if is_visible(layer, rounds):
            for t, mark in enumerate(layer.marks):
                yield Term(n, t, mark)


def count_terms(result: Result, rounds: int | None = None) -> int:
    """How many terms there are."""
    return sum(len(layer.marks) for layer in result.layers if is_visible(layer, rounds))


def counting(result: Result, kind: str, cost: bool = False) -> list[tuple[int, Layer]]:
    """The layers, with their numbers, whose marks are counted by a statistic that is of a kind in the metric's score,
    and more of which is worse if it is a `cost`."""
    role = metrics.METRICS[result.metric].role
    return [
        (n, layer)
        for n, layer in enumerate(result.layers)
        if any(role(name).kind == kind and role(name).cost >= cost for name in layer.statistics)
    ]


def because(result: Result, cell: Hit) -> str:
    """Why two words match that are not the same; "" where they are."""
    says = metrics.METRICS[result.metric].because
    return says(result, cell) if says else ""


def badges(result: Result) -> dict[int, list[str]]:
    """What to write beside the references that decide the score alone: `decides`, or which part each decides; of
    several that are equally good that they are tied, and which of them is drawn."""
    if len(result.segment.references) < 2:
        return {}
    metric, decides = metrics.METRICS[result.metric], result.decides
    whole = len({*decides.values()}) == 1 and metric.length_penalty not in decides
    out: dict[int, list[str]] = {}
    for part, k in decides.items():
        # Which reference a length is measured against is no question of the better one.
        ties = {k} if part == metric.length_penalty else {*tied(metric, result, part)}
        if whole:
            ties = ties.intersection(*[tied(metric, result, other) for other in decides])
        of = "" if whole else part.replace("_", " ")
        for n in sorted(ties):
            says = [*(["decides"] if len(ties) == 1 else ["tied"]), *(["for"] if of and len(ties) > 1 else []), of]
            out.setdefault(n, []).append(" ".join(filter(None, says)) + (", drawn" if n == k and len(ties) > 1 else ""))
        if whole:
            break
    return out


# ---------------------------------------------------------------- cells and words


#: Steps that it may take to look through the cells of a result: those of half a million.
CELLS_WORK = 1_500_000


class Use(NamedTuple):
    """How a cell is used: the number of its (first) round, 0 where it has none, and how its words go together."""

    number: int
    relation: Relation


def uses(result: Result, rounds: int | None = None) -> Mapping[Hit, Use]:
    """The cells of all marks. What the first layer says of a cell holds; the relation of substituted words is
    "different". Raises TooHard where there are too many to be drawn."""
    with limited(CELLS_WORK):
        return _uses(result, rounds)


def _uses(result: Result, rounds: int | None) -> Mapping[Hit, Use]:
    candidate, references = result.segment
    out: dict[Hit, Use] = {}
    for layer in result.layers:
        if not is_visible(layer, rounds):
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


def drawn_marks(layer: Layer) -> tuple[Mark, ...]:
    """A layer's marks, but no pairs of hits: there can be millions, and nothing is drawn for them."""
    return () if isinstance(layer.marks, Deferred) else layer.marks


class Covered(NamedTuple):
    """Which letters of a cell's two words match, as places in the candidate's and in the reference's word."""

    ours: frozenset[int]
    theirs: frozenset[int]


def letters_in(layers: Iterable[Layer]) -> Mapping[Hit, Covered]:
    """The letters that match in each cell, of layers whose marks lie on letters. Raises TooHard where there are too
    many to be drawn."""
    letters_by_cell: dict[Hit, tuple[set[int], set[int]]] = {}
    with limited(CELLS_WORK):
        for layer in layers:
            if layer.unit != "character":
                continue
            for mark in layer.marks:
                if not isinstance(mark, Letters):
                    continue
                spend(1 + mark.length)
                for i, j, at, to, length in mark.pieces:
                    ours, theirs = letters_by_cell.setdefault(Hit(i, mark.k, j), (set(), set()))
                    ours.update(range(at, at + length))
                    theirs.update(range(to, to + length))
    return {cell: Covered(frozenset(ours), frozenset(theirs)) for cell, (ours, theirs) in letters_by_cell.items()}


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


class Gap(NamedTuple):
    """An insertion or a deletion, as a term and as an edit: words of one side only."""

    term: Term
    edit: Edit

    @property
    def role(self) -> Role:
        return "extra" if self.edit.op == "insertion" else "missing"

    def line(self, dim: bool) -> Shape:
        """Its piece of the script's path."""
        edit = self.edit
        ends = ((edit.i_start, edit.j_start), (edit.i_end, edit.j_end))
        return Shape("line", self.role, edit.k, ends, dim=dim, term=self.term)

    def sign(self, dim: bool) -> Shape:
        """Its marker, in the middle of its line."""
        edit = self.edit
        middle = ((edit.i_start + edit.i_end) / 2, (edit.j_start + edit.j_end) / 2)
        kind: Kind = "plus" if edit.op == "insertion" else "minus"
        return Shape(kind, self.role, edit.k, (middle,), dim=dim, term=self.term)


class References(NamedTuple):
    """The references that are used, in the order of `by_credit`, and the others; where none is used, all are `open`."""

    open: tuple[int, ...]
    folded: tuple[int, ...]

    @property
    def order(self) -> tuple[int, ...]:
        """All of them, the one that matters most first."""
        return self.open + self.folded


# ---------------------------------------------------------------- all that is known


@dataclass(frozen=True, slots=True, eq=False)
class ResultMarks:
    """All that is known of the marks of a result, of its numbered layers only those of the first `rounds`.

    `layers` are those that are shown, with their numbers; `uses` the cells of all marks and how they are used, and
    `covered` those of them that are matches, each with the number of its (first) round, 0 where it has none. `letters`
    are those that match in cells whose marks lie on letters. `edits` are the terms of an edit script, `gaps` those that
    have words of one side only. `joined` are cells after which the same run goes on, in whatever round: words joined in
    the token strips. `shifts` says of each where it puts its block, `badges` what to write beside the references that
    decide the score alone, and `references` which are used.
    """

    result: Result
    rounds: int | None
    layers: tuple[tuple[int, Layer], ...]
    uses: Mapping[Hit, Use]
    covered: Mapping[Hit, int]
    letters: Mapping[Hit, Covered]
    edits: tuple[tuple[Term, Edit], ...]
    gaps: tuple[Gap, ...]
    joined: frozenset[Hit]
    shifts: tuple[tuple[Term, Shift, Landing], ...]
    badges: Mapping[int, Sequence[str]]
    references: References

    @classmethod
    def from_result(cls, result: Result, rounds: int | None = None) -> ResultMarks:
        """Raises TooHard where there are too many cells to be drawn."""
        used = uses(result, rounds)
        layers = tuple([(n, layer) for n, layer in enumerate(result.layers) if is_visible(layer, rounds)])
        edits = tuple([(term, term.mark) for term in _terms_of(Edit, layers) if isinstance(term.mark, Edit)])
        gaps = tuple([Gap(term, edit) for term, edit in edits if edit.op in ("insertion", "deletion")])
        reference_badges = badges(result)
        return cls(
            result,
            rounds,
            layers,
            used,
            _matches(used),
            letters_in([layer for _, layer in layers]),
            edits,
            gaps,
            _joined(result),
            tuple(_shifts(result, layers)),
            reference_badges,
            _references(result, {cell.k for cell in used} | {gap.edit.k for gap in gaps}),
        )

    # ------------------------------------------------------------ shapes

    def shapes(
        self,
        unused: Iterable[Hit] = (),
        chosen: Selection | None = None,
        ties: tuple[frozenset[Hit], frozenset[Hit]] | None = None,
        why: Callable[[Hit], str] = lambda hit: "",
    ) -> list[Shape]:
        """Everything to draw, back to front.

        `unused` are the hits of the grid (those that the result uses are left out), `chosen` the selected term, which
        dims the rest. `ties` are the cells that all the equally good alignments use, and those that only some of them
        use. `why` says what stands against a hit that is not used.
        """
        term = chosen.term_in(self.result, self.rounds) if chosen else None
        dim, used = term is not None, self.uses
        always, sometimes = ties or ((), ())
        out = [Shape("polygon", "sometimes", c.k, square(c.i, c.j, 1), c, dim=dim) for c in sorted(sometimes)]
        for n, layer in self.layers:
            out += _behind(n, layer, dim)
        out += _links([layer for _, layer in self.layers], dim)
        out += self._script(dim)
        out += [Shape("ring", "unused", c.k, (centre(c),), c, dim=dim, why=why(c)) for c in unused if c not in used]
        out += self._cells(dim)
        for c in sorted(always):
            if used.get(c, Use(0, "equal")).number:
                out.append(Shape("polygon", "always", c.k, square(c.i, c.j, 1), c, dim=dim))
            else:
                out.append(Shape("ring", "always", c.k, (centre(c),), c, dim=dim))
        out += [gap.sign(dim) for gap in self.gaps]
        for moved, shift, place in self.shifts:
            out += _arrow(moved, shift, place, self.result.layers[moved.layer], dim)
        return out + self._selected(term) if term is not None else out

    def _cells(self, dim: bool) -> list[Shape]:
        """The markers of used cells, or the squares and digits of their rounds.

        Digits come last: shapes that look alike are drawn together, so that a square would cover the digit of another.
        """
        return sorted(self._marked(dim), key=lambda shape: shape.kind == "digit")

    def _marked(self, dim: bool) -> Iterator[Shape]:
        layers = [layer for _, layer in self.layers]
        cut = {run.cells()[-1]: layer.cut.why for layer in layers if (run := _cut_run(layer)) and layer.cut}
        names = {layer.number: layer.name for layer in layers if layer.number}
        for cell, (number, relation) in sorted(self.uses.items()):
            if cell in self.letters:
                yield from self._letters(cell, dim)
                continue
            why = because(self.result, cell) if relation not in ("equal", "different") else ""
            if number:
                similar = relation != "equal"
                corners = hexagon(cell) if similar else square(cell.i, cell.j, 1, 0.07)
                yield Shape(
                    "polygon", "round", cell.k, corners, cell, number, dim, int(similar), names[number], why=why
                )
                yield Shape("digit", "round", cell.k, (centre(cell),), cell, number, dim)
            else:
                role: Role = "substituted" if relation == "different" else "used"
                at, says = (centre(cell),), cut.get(cell, "")
                yield Shape(MARKERS[relation], role, cell.k, at, cell, dim=dim, says=says, why=why)

    def _letters(self, cell: Hit, dim: bool) -> Iterator[Shape]:
        """A cell filled as far as letters of its longer word match, with how many these are."""
        i, k, j = cell
        ours, theirs = self.letters[cell]
        words = self.result.segment.candidate[i], self.result.segment.references[k][j]
        share = max(len(ours), len(theirs)) / max(map(len, words), default=1)
        top, bottom = i + 0.95 - 0.9 * min(share, 1), i + 0.95
        corners = ((top, j + 0.05), (top, j + 0.95), (bottom, j + 0.95), (bottom, j + 0.05))
        yield Shape("polygon", "letters", k, corners, cell, dim=dim, why=letters_said(words, ours, theirs))
        yield Shape("digit", "letters", k, (centre(cell),), cell, dim=dim, text=str(len(ours)))

    def _script(self, dim: bool) -> list[Shape]:
        """An edit script as a path along corners: diagonal through the cells of a match or a substitution, down past a
        word that is extra, across past one that is missing.

        Edits are joined where one ends in the corner where another starts, so a script that tiles both sentences is one
        path, and one whose rows were moved is as many as it has pieces in order.
        """
        lines: list[tuple[int, list[Point]]] = []
        ends: dict[tuple[int, int, int], list[Point]] = {}
        for _, edit in sorted(self.edits, key=lambda pair: (pair[1].k, pair[1].i_start + pair[1].j_start)):
            line = ends.pop((edit.k, edit.i_start, edit.j_start), None)
            if line is None:
                line = [(edit.i_start, edit.j_start)]
                lines.append((edit.k, line))
            line.append((edit.i_end, edit.j_end))
            ends[edit.k, edit.i_end, edit.j_end] = line
        out = [Shape("line", "path", k, tuple(line), dim=dim) for k, line in lines]
        return out + [gap.line(dim) for gap in self.gaps]

    def _selected(self, term: Term) -> list[Shape]:
        """What stands out of a chosen term."""
        mark = term.mark
        out: list[Shape] = []
        if isinstance(mark, Neighbours):
            out += [Shape("polygon", "selected block", area.k, area.corners) for area in mark.areas()]
        if isinstance(mark, Run) and mark.length > 1:
            out.append(Shape("polygon", "selected block", mark.k, square(mark.i, mark.j, mark.length)))
        if isinstance(mark, SkipBigram):
            out.append(Shape("line", "selected", mark.first.k, (centre(mark.first), centre(mark.second))))
        if isinstance(mark, Shift):
            place = next(place for moved, _, place in self.shifts if moved[:2] == term[:2])
            out += _arrow(term, mark, place, self.result.layers[term.layer], False, "selected arrow")
        for cell in mark.cells():
            number, relation = self.uses[cell]
            out.append(Shape("polygon", "selected", cell.k, square(cell.i, cell.j, 1, 0.03), cell, number))
            if cell not in self.letters:
                kind = "digit" if number else MARKERS[relation]
                out.append(Shape(kind, "selected", cell.k, (centre(cell),), cell, number))
        if isinstance(mark, Edit) and mark.op in ("insertion", "deletion"):
            gap = Gap(term, mark)
            out += [gap.line(False)._replace(role="selected"), gap.sign(False)._replace(role="selected")]
        return out


def letters_said(words: tuple[str, str], ours: Collection[int], theirs: Collection[int]) -> str:
    """Which letters of two words match.

    >>> letters_said(("discussed", "discuss"), range(7), range(7))
    '7 of 9 and 7 letters: discuss·· ~ discuss'
    """
    sides = [
        "".join([letter if at in matched else "·" for at, letter in enumerate(word[:40])])
        for word, matched in zip(words, (ours, theirs), strict=True)
    ]
    lengths = " and ".join([str(len(word)) for word in words])
    return f"{len(ours)} of {lengths} letters: {isolated(visible(sides[0]))} ~ {isolated(visible(sides[1]))}"


def covered(result: Result, rounds: int | None = None) -> Mapping[Hit, int]:
    """The cells that some mark uses as a match, each with the number of its (first) round, 0 where it has none."""
    return _matches(uses(result, rounds))


def _matches(used: Mapping[Hit, Use]) -> Mapping[Hit, int]:
    return {cell: use.number for cell, use in used.items() if use.relation != "different"}


def _joined(result: Result) -> frozenset[Hit]:
    return frozenset(
        cell
        for layer in result.layers
        for mark in drawn_marks(layer)
        if isinstance(mark, Run) or (isinstance(mark, Edit) and mark.op == "match")
        for cell in mark.cells()[:-1]
    )


def _references(result: Result, used: Collection[int]) -> References:
    everyone = range(len(result.segment.references))
    return References(
        tuple(by_credit([result], used or everyone)), tuple([k for k in everyone if used and k not in used])
    )


def by_credit(results: Sequence[Result], ks: Iterable[int]) -> list[int]:
    """References in the order in which their grids stand: see `analysis.deciding_references.ranked`."""
    return ranked([(metrics.METRICS[result.metric], result) for result in results], ks)


def _shifts(result: Result, layers: Iterable[tuple[int, Layer]]) -> Iterator[tuple[Term, Shift, Landing]]:
    orders: dict[int, list[int]] = {}
    for term in _terms_of(Shift, layers):
        if isinstance(shift := term.mark, Shift):
            order = orders.get(shift.k) or list(range(len(result.segment.candidate)))
            yield term, shift, landing(shift, order)
            orders[shift.k] = shift.apply(order)


def _terms_of(kind: type, layers: Iterable[tuple[int, Layer]]) -> Iterator[Term]:
    """The terms whose marks are of one kind; the marks of a layer are all of one."""
    for n, layer in layers:
        if layer.marks and isinstance(layer.marks[0], kind):
            for t, mark in enumerate(layer.marks):
                yield Term(n, t, mark)


# ---------------------------------------------------------------- pieces of shapes


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
    for t, mark in enumerate(drawn_marks(layer)):
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
            run_cells = {cell for mark in drawn_marks(layer) if isinstance(mark, Run) for cell in mark.cells()[:-1]}
            steps.update(run_cells)
            names |= {layer.noun} if run_cells else set()
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


def _arrow(term: Term, shift: Shift, place: Landing, layer: Layer, dim: bool, role: Role = "arrow") -> list[Shape]:
    """A line from the moved block up or down to a bar across its columns, which lies where the block is put."""
    start = max(place.row, min(shift.rows)) if place.up else min(place.row, max(shift.rows) + 1)
    look = Shape("line", role, shift.k, (), number=layer.number or 0, dim=dim, term=term)
    return arrow(look, start, place.row, (shift.j, shift.j + len(shift.rows)))
