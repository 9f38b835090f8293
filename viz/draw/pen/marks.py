"""Compute which cells and words the marks of a result use, and the shapes that show them.

The SVG and the TikZ picture are made from the same shapes, so they show the same evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import metrics
from metrics.analysis.deciding_references import ranked_references, tied_references
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
    """The selected term, by its layer and its index in the layer; −1 if none is selected."""

    layer: int = -1
    index: int = -1

    def term_in(self, result: Result, rounds: int | None = None) -> Term | None:
        """Return the selected term in `result`, None if it does not exist.

        It may not exist after the text has changed, or if its layer is not among the first `rounds`."""
        if not 0 <= self.layer < len(result.layers):
            return None
        layer = result.layers[self.layer]
        if not (0 <= self.index < len(layer.marks) and is_visible(layer, rounds)):
            return None
        return Term(self.layer, self.index, layer.marks[self.index])


def is_visible(layer: Layer, rounds: int | None) -> bool:
    """Return whether a layer is shown, if only the first `rounds` numbered layers are; None shows all."""
    return rounds is None or layer.number is None or layer.number <= rounds


def terms(result: Result, rounds: int | None = None) -> Iterator[Term]:
    """Yield all terms of a result in the ledger's order; terms that break the order of words come first.

    Of the numbered layers, only the first `rounds` are included."""
    first = {n for n, _ in layers_of_kind(result, "order", cost=True)}
    for n, layer in sorted(enumerate(result.layers), key=lambda each: each[0] not in first):
        if is_visible(layer, rounds):
            for t, mark in enumerate(layer.marks):
                yield Term(n, t, mark)


def count_terms(result: Result, rounds: int | None = None) -> int:
    """Return the number of terms that `terms` yields."""
    return sum(len(layer.marks) for layer in result.layers if is_visible(layer, rounds))


def layers_of_kind(result: Result, kind: str, cost: bool = False) -> list[tuple[int, Layer]]:
    """Return the layers, with their indices, whose marks are counted by a statistic of the given kind.

    With `cost`, only statistics count for which more is worse."""
    role = metrics.METRICS[result.metric].role
    return [
        (n, layer)
        for n, layer in enumerate(result.layers)
        if any(role(name).kind == kind and role(name).cost >= cost for name in layer.statistics)
    ]


def because(result: Result, cell: Hit) -> str:
    """Return why two different words match; "" if they are equal."""
    says = metrics.METRICS[result.metric].because
    return says(result, cell) if says else ""


def badges_by_reference(result: Result) -> dict[int, list[str]]:
    """Return the badges of the references that decide the score, by index; none if there is only one reference.

    A badge is `decides`, or names the part that the reference decides. Among equally good references, it says that they
    are tied and which one is drawn."""
    if len(result.segment.references) < 2:
        return {}
    metric, decides = metrics.METRICS[result.metric], result.decides
    whole = len({*decides.values()}) == 1 and metric.length_penalty not in decides
    out: dict[int, list[str]] = {}
    for part, k in decides.items():
        # The reference for the length is chosen by its length, not because it is better, so there are no ties.
        ties = {k} if part == metric.length_penalty else {*tied_references(metric, result, part)}
        if whole:
            ties = ties.intersection(*[tied_references(metric, result, other) for other in decides])
        of = "" if whole else part.replace("_", " ")
        for n in sorted(ties):
            says = [*(["decides"] if len(ties) == 1 else ["tied"]), *(["for"] if of and len(ties) > 1 else []), of]
            out.setdefault(n, []).append(" ".join(filter(None, says)) + (", drawn" if n == k and len(ties) > 1 else ""))
        if whole:
            break
    return out


# ---------------------------------------------------------------- cells and words


#: The most work for going through the cells of a result: enough for half a million cells.
CELLS_WORK = 1_500_000


class CellUse(NamedTuple):
    """The use of a cell: the number of its first round, 0 for none, and the relation of its words."""

    number: int
    relation: Relation


def cell_uses(result: Result, rounds: int | None = None) -> Mapping[Hit, CellUse]:
    """Return how each cell is used by the marks of a result.

    If several layers use a cell, the first decides. Substituted words have the relation "different". Raises TooHard if
    there are too many cells to draw."""
    with limited(CELLS_WORK):
        return _uses(result, rounds)


def _uses(result: Result, rounds: int | None) -> Mapping[Hit, CellUse]:
    """Return how each cell is used, as `cell_uses` does, without limiting the work."""
    candidate, references = result.segment
    out: dict[Hit, CellUse] = {}
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
                out[cell] = CellUse(number, relation)
            elif number and not before.number:
                out[cell] = CellUse(number, before.relation)
    return out


def _cells(layer: Layer) -> list[tuple[Hit, Relation]]:
    """Return the cells of a layer's marks, each with its relation."""
    relation = layer.relation
    if isinstance(layer.marks, Deferred):
        return [(cell, relation) for cell in layer.cells()]
    return [
        (cell, "different" if isinstance(mark, Edit) and mark.op == "substitution" else relation)
        for mark in layer.marks
        for cell in mark.cells()
    ]


def drawn_marks(layer: Layer) -> tuple[Mark, ...]:
    """Return the marks of a layer; none if they are pairs of hits, because there may be millions and none is drawn."""
    return () if isinstance(layer.marks, Deferred) else layer.marks


class MatchedLetters(NamedTuple):
    """The letters of a cell's two words that match, as positions in the candidate's and in the reference's word."""

    ours: frozenset[int]
    theirs: frozenset[int]


def letters_in(layers: Iterable[Layer]) -> Mapping[Hit, MatchedLetters]:
    """Return the matching letters in each cell, for layers whose marks are letters.

    Raises TooHard if there are too many to draw."""
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
    return {
        cell: MatchedLetters(frozenset(ours), frozenset(theirs)) for cell, (ours, theirs) in letters_by_cell.items()
    }


class TouchedWords(NamedTuple):
    """The words of a mark: positions in the candidate, and pairs (k, j) for words of references."""

    candidate: tuple[int, ...]
    references: tuple[tuple[int, int], ...]

    def names(self) -> list[str]:
        """Return the names of the words' elements on a page: `c3`, `r0_4`."""
        return [f"c{i}" for i in self.candidate] + [f"r{k}_{j}" for k, j in self.references]


def touched_words(mark: Mark) -> TouchedWords:
    """Return the words of a mark, each once; an insertion or a deletion has words on one side only."""
    if isinstance(mark, Edit):
        return TouchedWords(
            tuple(range(mark.i_start, mark.i_end)), tuple([(mark.k, j) for j in range(mark.j_start, mark.j_end)])
        )
    cells = mark.cells()
    return TouchedWords(tuple(dict.fromkeys(c.i for c in cells)), tuple(dict.fromkeys((c.k, c.j) for c in cells)))


class ShiftDestination(NamedTuple):
    """The destination of a moved block: the row before which it is inserted, and whether that is above its origin."""

    row: int
    up: bool


def shift_destination(shift: Shift, order: Sequence[int]) -> ShiftDestination:
    """Return the destination of a shift, given the order of the candidate's words just before it."""
    rest = [*order[: shift.start], *order[shift.end :]]
    # A block that moves up is inserted before the row that then follows it; one that moves down, after the row that
    # then precedes it.
    place = rest[shift.to] if shift.to < shift.start else rest[shift.to - 1] + 1
    return ShiftDestination(place, place <= (min(shift.rows) + max(shift.rows) + 1) / 2)


class OneSidedEdit(NamedTuple):
    """An insertion or a deletion, as a term and as an edit: an edit with words on one side only."""

    term: Term
    edit: Edit

    @property
    def role(self) -> Role:
        """Return the role of its shapes."""
        return "extra" if self.edit.op == "insertion" else "missing"

    def line(self, dim: bool) -> Shape:
        """Return its segment of the path of the edit script."""
        edit = self.edit
        ends = ((edit.i_start, edit.j_start), (edit.i_end, edit.j_end))
        return Shape("line", self.role, edit.k, ends, dim=dim, term=self.term)

    def sign(self, dim: bool) -> Shape:
        """Return its marker, in the middle of its line."""
        edit = self.edit
        middle = ((edit.i_start + edit.i_end) / 2, (edit.j_start + edit.j_end) / 2)
        kind: Kind = "plus" if edit.op == "insertion" else "minus"
        return Shape(kind, self.role, edit.k, (middle,), dim=dim, term=self.term)


class ReferenceOrder(NamedTuple):
    """The references that are used, in the order of `references_by_credit`, and the others; if none is used, all are
    `open`."""

    open: tuple[int, ...]
    folded: tuple[int, ...]

    @property
    def order(self) -> tuple[int, ...]:
        """Return all references, the most important first."""
        return self.open + self.folded


# ---------------------------------------------------------------- all that is known


@dataclass(frozen=True, slots=True, eq=False)
class ResultMarks:
    """Everything that pictures need to know about the marks of a result.

    Attributes:
        result: the result.
        rounds: only the first `rounds` numbered layers count, None for all.
        layers: the visible layers, with their indices.
        uses: the cells of all marks, and how they are used.
        covered: the cells that are matches, each with the number of its first round, 0 for none.
        letters: the matching letters in each cell whose marks are letters.
        edits: the terms of an edit script.
        gaps: the edits with words on one side only.
        joined: cells after which the same run continues; the token strips join their words.
        shifts: the shifts, with their destinations.
        badges: the badges of the references that decide the score.
        references: which references are used."""

    result: Result
    rounds: int | None
    layers: tuple[tuple[int, Layer], ...]
    uses: Mapping[Hit, CellUse]
    covered: Mapping[Hit, int]
    letters: Mapping[Hit, MatchedLetters]
    edits: tuple[tuple[Term, Edit], ...]
    gaps: tuple[OneSidedEdit, ...]
    joined: frozenset[Hit]
    shifts: tuple[tuple[Term, Shift, ShiftDestination], ...]
    badges: Mapping[int, Sequence[str]]
    references: ReferenceOrder

    @classmethod
    def from_result(cls, result: Result, rounds: int | None = None) -> ResultMarks:
        """Return the marks of a result. Raises TooHard if there are too many cells to draw."""
        used = cell_uses(result, rounds)
        layers = tuple([(n, layer) for n, layer in enumerate(result.layers) if is_visible(layer, rounds)])
        edits = tuple([(term, term.mark) for term in _terms_of(Edit, layers) if isinstance(term.mark, Edit)])
        gaps = tuple([OneSidedEdit(term, edit) for term, edit in edits if edit.op in ("insertion", "deletion")])
        reference_badges = badges_by_reference(result)
        return cls(
            result,
            rounds,
            layers,
            used,
            _matched_cells(used),
            letters_in([layer for _, layer in layers]),
            edits,
            gaps,
            _joined_cells(result),
            tuple(_shift_landings(result, layers)),
            reference_badges,
            _split_references(result, {cell.k for cell in used} | {gap.edit.k for gap in gaps}),
        )

    # ------------------------------------------------------------ shapes

    def shapes(
        self,
        unused: Iterable[Hit] = (),
        chosen: Selection | None = None,
        ties: tuple[frozenset[Hit], frozenset[Hit]] | None = None,
        why: Callable[[Hit], str] = lambda hit: "",
    ) -> list[Shape]:
        """Return everything to draw, back to front.

        Args:
            unused: the hits of the grid; hits that the result uses are left out.
            chosen: the selected term, for which all other shapes are dimmed.
            ties: the cells that all equally good alignments use, and the cells that only some of them use.
            why: returns the reason why a hit is not used."""
        term = chosen.term_in(self.result, self.rounds) if chosen else None
        dim, used = term is not None, self.uses
        always, sometimes = ties or ((), ())
        out = [Shape("polygon", "sometimes", c.k, square(c.i, c.j, 1), c, dim=dim) for c in sorted(sometimes)]
        for n, layer in self.layers:
            out += _shapes_below_dots(n, layer, dim)
        out += _run_lines([layer for _, layer in self.layers], dim)
        out += self._script(dim)
        out += [Shape("ring", "unused", c.k, (centre(c),), c, dim=dim, why=why(c)) for c in unused if c not in used]
        out += self._cells(dim)
        for c in sorted(always):
            if used.get(c, CellUse(0, "equal")).number:
                out.append(Shape("polygon", "always", c.k, square(c.i, c.j, 1), c, dim=dim))
            else:
                out.append(Shape("ring", "always", c.k, (centre(c),), c, dim=dim))
        out += [gap.sign(dim) for gap in self.gaps]
        for moved, shift, place in self.shifts:
            out += _arrow(moved, shift, place, self.result.layers[moved.layer], dim)
        return out + self._selected(term) if term is not None else out

    def _cells(self, dim: bool) -> list[Shape]:
        """Return the markers of used cells, or the squares and digits of their rounds.

        Digits come last. Shapes with the same look are drawn together, so a square would otherwise cover the digit of
        another."""
        return sorted(self._cell_shapes(dim), key=lambda shape: shape.kind == "digit")

    def _cell_shapes(self, dim: bool) -> Iterator[Shape]:
        """Yield the shapes of each used cell."""
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
        """Yield a cell that is filled in proportion to the matching letters of its longer word, and their number."""
        i, k, j = cell
        ours, theirs = self.letters[cell]
        words = self.result.segment.candidate[i], self.result.segment.references[k][j]
        share = max(len(ours), len(theirs)) / max(map(len, words), default=1)
        top, bottom = i + 0.95 - 0.9 * min(share, 1), i + 0.95
        corners = ((top, j + 0.05), (top, j + 0.95), (bottom, j + 0.95), (bottom, j + 0.05))
        yield Shape("polygon", "letters", k, corners, cell, dim=dim, why=describe_letters(words, ours, theirs))
        yield Shape("digit", "letters", k, (centre(cell),), cell, dim=dim, text=str(len(ours)))

    def _script(self, dim: bool) -> list[Shape]:
        """Return an edit script as paths along corners of cells.

        A path goes diagonally through a match or a substitution, down past an extra word, and across past a missing
        word. Edits are joined where one ends in the corner in which another starts. So a script that covers both
        sentences in order is one path; a script whose rows were moved has a path for each contiguous piece."""
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
        """Return the highlighted shapes of the selected term."""
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
            gap = OneSidedEdit(term, mark)
            out += [gap.line(False)._replace(role="selected"), gap.sign(False)._replace(role="selected")]
        return out


def describe_letters(words: tuple[str, str], ours: Collection[int], theirs: Collection[int]) -> str:
    """Return a phrase that says which letters of two words match.

    >>> describe_letters(("discussed", "discuss"), range(7), range(7))
    '7 of 9 and 7 letters: discuss·· ~ discuss'
    """
    sides = [
        "".join([letter if at in matched else "·" for at, letter in enumerate(word[:40])])
        for word, matched in zip(words, (ours, theirs), strict=True)
    ]
    lengths = " and ".join([str(len(word)) for word in words])
    return f"{len(ours)} of {lengths} letters: {isolated(visible(sides[0]))} ~ {isolated(visible(sides[1]))}"


def matched_cells(result: Result, rounds: int | None = None) -> Mapping[Hit, int]:
    """Return the cells that a mark uses as a match, each with the number of its first round, 0 for none."""
    return _matched_cells(cell_uses(result, rounds))


def _matched_cells(used: Mapping[Hit, CellUse]) -> Mapping[Hit, int]:
    """Return the cells that are matches, each with the number of its first round."""
    return {cell: use.number for cell, use in used.items() if use.relation != "different"}


def _joined_cells(result: Result) -> frozenset[Hit]:
    """Return the cells after which the same run or match continues."""
    return frozenset(
        cell
        for layer in result.layers
        for mark in drawn_marks(layer)
        if isinstance(mark, Run) or (isinstance(mark, Edit) and mark.op == "match")
        for cell in mark.cells()[:-1]
    )


def _split_references(result: Result, used: Collection[int]) -> ReferenceOrder:
    """Return the used references, in order, and the others."""
    everyone = range(len(result.segment.references))
    return ReferenceOrder(
        tuple(references_by_credit([result], used or everyone)), tuple([k for k in everyone if used and k not in used])
    )


def references_by_credit(results: Sequence[Result], ks: Iterable[int]) -> list[int]:
    """Return references in the order in which their grids are shown; see
    `analysis.deciding_references.ranked_references`."""
    return ranked_references([(metrics.METRICS[result.metric], result) for result in results], ks)


def _shift_landings(
    result: Result, layers: Iterable[tuple[int, Layer]]
) -> Iterator[tuple[Term, Shift, ShiftDestination]]:
    """Yield the shifts with their destinations, in order."""
    orders: dict[int, list[int]] = {}
    for term in _terms_of(Shift, layers):
        if isinstance(shift := term.mark, Shift):
            order = orders.get(shift.k) or list(range(len(result.segment.candidate)))
            yield term, shift, shift_destination(shift, order)
            orders[shift.k] = shift.apply(order)


def _terms_of(kind: type, layers: Iterable[tuple[int, Layer]]) -> Iterator[Term]:
    """Yield the terms whose marks are of one kind; all marks of a layer are of the same kind."""
    for n, layer in layers:
        if layer.marks and isinstance(layer.marks[0], kind):
            for t, mark in enumerate(layer.marks):
                yield Term(n, t, mark)


# ---------------------------------------------------------------- pieces of shapes


def _cut_run(layer: Layer) -> Run | None:
    """Return the run of a layer of which only the beginning counts, None if there is none."""
    run = layer.marks[layer.cut.t] if layer.cut else None
    return run if isinstance(run, Run) else None


def _shapes_below_dots(n: int, layer: Layer, dim: bool) -> list[Shape]:
    """Return what is drawn below the dots of layer `n`: areas, blocks, the part cut off a run, the path."""
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


_LEVELS = 4  # thicker lines would not be readable


def _run_lines(layers: Iterable[Layer], dim: bool) -> list[Shape]:
    """Return the lines through runs. Each diagonal step is drawn once; its level is the number of layers that use it.

    For example, two neighbouring matches that BLEU counts within a 2-gram, a 3-gram and a 4-gram are joined by a line
    of level 3."""
    steps: Counter[Hit] = Counter()  # how many layers use a step; a step is identified by its first cell
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


def _arrow(
    term: Term, shift: Shift, place: ShiftDestination, layer: Layer, dim: bool, role: Role = "arrow"
) -> list[Shape]:
    """Return a line from the moved block to its destination, which is a bar across its columns."""
    start = max(place.row, min(shift.rows)) if place.up else min(place.row, max(shift.rows) + 1)
    look = Shape("line", role, shift.k, (), number=layer.number or 0, dim=dim, term=term)
    return arrow(look, start, place.row, (shift.j, shift.j + len(shift.rows)))
