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
    isolate_right_to_left,
    replace_unprintable,
)
from metrics.types.work import limited, spend

from .shapes import MARKERS, Point, Shape, Term, arrow, centre, hexagon, square
from .theme import Kind, Role


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected term: the index of its layer, and its index in that layer; both are −1 if none is selected."""

    layer: int = -1
    index: int = -1

    def term_in(self, result: Result, rounds: int | None = None) -> Term | None:
        """Return the selected term in `result`, None if `result` has no such term.

        It may not exist after the text has changed, or if its layer is not among the first `rounds`."""
        if not 0 <= self.layer < len(result.layers):
            return None
        layer = result.layers[self.layer]
        if not (0 <= self.index < len(layer.marks) and is_layer_visible(layer, rounds)):
            return None
        return Term(self.layer, self.index, layer.marks[self.index])


def is_layer_visible(layer: Layer, rounds: int | None) -> bool:
    """Return whether a layer is shown; if `rounds` is given, layers of later rounds than that are hidden."""
    return rounds is None or layer.number is None or layer.number <= rounds


def terms(result: Result, rounds: int | None = None) -> Iterator[Term]:
    """Yield all terms of a result in the order of the list of terms on the page.

    Terms that say that words are out of order come first. If `rounds` is given, terms of later rounds are left out."""
    first = {n for n, _ in costly_layers(result, "order")}
    for n, layer in sorted(enumerate(result.layers), key=lambda each: each[0] not in first):
        if is_layer_visible(layer, rounds):
            for t, mark in enumerate(layer.marks):
                yield Term(n, t, mark)


def count_terms(result: Result, rounds: int | None = None) -> int:
    """Return the number of terms that `terms` yields."""
    return sum(len(layer.marks) for layer in result.layers if is_layer_visible(layer, rounds))


def costly_layers(result: Result, kind: str) -> list[tuple[int, Layer]]:
    """Return the layers, with their indices, whose marks are counted by a statistic of which more is worse.

    `kind` is the kind of the statistic, such as "order"."""
    role = metrics.METRICS[result.metric].role
    return [
        (n, layer)
        for n, layer in enumerate(result.layers)
        if any(role(name).kind == kind and role(name).cost for name in layer.statistics)
    ]


def match_reason(result: Result, cell: Hit) -> str:
    """Return why two different words of a cell match, such as that they have the same stem; "" if they are equal."""
    says = metrics.METRICS[result.metric].because
    return says(result, cell) if says else ""


def badges_by_reference(result: Result) -> dict[int, list[str]]:
    """Return the badges of the references that decide the score, by index of the reference; empty for one reference.

    A badge is a short text next to the reference: `decides`, or the part of the score that the reference decides. Among
    equally good references, it says that they are tied and which one is drawn."""
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
    """The use of a cell by marks: its first round (`number`, 0 for no rounds), and how its two words are related."""

    number: int
    relation: Relation


def cell_uses(result: Result, rounds: int | None = None) -> Mapping[Hit, CellUse]:
    """Return the cells that the marks of a result use, each with its use.

    If several layers use a cell, the first decides. Substituted words have the relation "different". If `rounds` is
    given, later rounds are left out. Raises TooHard if there are too many cells to draw."""
    with limited(CELLS_WORK):
        return _unlimited_cell_uses(result, rounds)


def _unlimited_cell_uses(result: Result, rounds: int | None) -> Mapping[Hit, CellUse]:
    """Return the cells that the marks of a result use, each with its use; the caller must limit the work."""
    candidate, references = result.segment
    out: dict[Hit, CellUse] = {}
    for layer in result.layers:
        if not is_layer_visible(layer, rounds):
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
    """Return the cells of all marks of a layer, each with the relation of its two words."""
    relation = layer.relation
    if isinstance(layer.marks, Deferred):
        return [(cell, relation) for cell in layer.cells()]
    return [
        (cell, "different" if isinstance(mark, Edit) and mark.op == "substitution" else relation)
        for mark in layer.marks
        for cell in mark.cells()
    ]


def drawn_marks(layer: Layer) -> tuple[Mark, ...]:
    """Return the marks of a layer that are drawn; none for pairs of hits, because there may be millions."""
    return () if isinstance(layer.marks, Deferred) else layer.marks


class MatchedLetters(NamedTuple):
    """The letters of a cell's two words that match: positions in the candidate's word, and in the reference's word."""

    ours: frozenset[int]
    theirs: frozenset[int]


def matched_letters_by_cell(layers: Iterable[Layer]) -> Mapping[Hit, MatchedLetters]:
    """Return the matching letters of each cell, from those of the layers whose marks are letters.

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
    """The words that a mark covers: positions in the candidate, and pairs (k, j) of reference and position in it."""

    candidate: tuple[int, ...]
    references: tuple[tuple[int, int], ...]

    def names(self) -> list[str]:
        """Return the names that these words' elements have on a page: `c3`, `r0_4`."""
        return [f"c{i}" for i in self.candidate] + [f"r{k}_{j}" for k, j in self.references]


def touched_words(mark: Mark) -> TouchedWords:
    """Return the words that a mark covers, each once; an insertion or a deletion has words on one side only."""
    if isinstance(mark, Edit):
        return TouchedWords(
            tuple(range(mark.i_start, mark.i_end)), tuple([(mark.k, j) for j in range(mark.j_start, mark.j_end)])
        )
    cells = mark.cells()
    return TouchedWords(tuple(dict.fromkeys(c.i for c in cells)), tuple(dict.fromkeys((c.k, c.j) for c in cells)))


class ShiftDestination(NamedTuple):
    """The destination of a shift: the row before which the block is inserted, and whether that is above its origin."""

    row: int
    up: bool


def shift_destination(shift: Shift, order: Sequence[int]) -> ShiftDestination:
    """Return where a shift moves its block; `order` has the candidate's words, by row, as they are just before it."""
    rest = [*order[: shift.start], *order[shift.end :]]
    # A block that moves up is inserted before the row that then follows it; one that moves down, after the row that
    # then precedes it.
    place = rest[shift.to] if shift.to < shift.start else rest[shift.to - 1] + 1
    return ShiftDestination(place, place <= (min(shift.rows) + max(shift.rows) + 1) / 2)


class OneSidedEdit(NamedTuple):
    """An insertion or a deletion, which has words on one side only: its term in the formula, and the edit itself."""

    term: Term
    edit: Edit

    @property
    def role(self) -> Role:
        """Return the role (meaning) of the shapes that draw this edit."""
        return "extra" if self.edit.op == "insertion" else "missing"

    def line(self, dim: bool) -> Shape:
        """Return the line of this edit in the path of its edit script; with `dim`, it is dimmed."""
        edit = self.edit
        ends = ((edit.i_start, edit.j_start), (edit.i_end, edit.j_end))
        return Shape("line", self.role, edit.k, ends, dim=dim, term=self.term)

    def sign(self, dim: bool) -> Shape:
        """Return the plus or minus sign in the middle of this edit's line; with `dim`, it is dimmed."""
        edit = self.edit
        middle = ((edit.i_start + edit.i_end) / 2, (edit.j_start + edit.j_end) / 2)
        kind: Kind = "plus" if edit.op == "insertion" else "minus"
        return Shape(kind, self.role, edit.k, (middle,), dim=dim, term=self.term)


class ReferenceOrder(NamedTuple):
    """The indices of references in the order in which their grids are shown.

    `open` are those that the score uses, or all if it uses none; their grids are open. The others are `folded`."""

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
        rounds: marks of later rounds than this are left out; None for all.
        layers: the visible layers, with their indices.
        uses: the cells of all marks, and how they are used.
        covered: the cells that are matches, each with the number of its first round, 0 for none.
        letters: the matching letters in each cell whose marks are letters.
        edits: the edits of an edit script, with their terms.
        gaps: the insertions and deletions.
        joined: cells after which the same run continues; the words are drawn as joined.
        shifts: the shifts, with their terms and destinations.
        badges: the badges of the references that decide the score, by index of the reference.
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
        """Collect the marks of a result. Raises TooHard if there are too many cells to draw."""
        used = cell_uses(result, rounds)
        layers = tuple([(n, layer) for n, layer in enumerate(result.layers) if is_layer_visible(layer, rounds)])
        edits = tuple([(term, term.mark) for term in _terms_with_marks(Edit, layers) if isinstance(term.mark, Edit)])
        gaps = tuple([OneSidedEdit(term, edit) for term, edit in edits if edit.op in ("insertion", "deletion")])
        reference_badges = badges_by_reference(result)
        return cls(
            result,
            rounds,
            layers,
            used,
            _matched_cells(used),
            matched_letters_by_cell([layer for _, layer in layers]),
            edits,
            gaps,
            _joined_cells(result),
            tuple(_shifts_with_destinations(result, layers)),
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
        """Return all shapes that draw these marks, back to front.

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
            out += _background_shapes(n, layer, dim)
        out += _run_lines([layer for _, layer in self.layers], dim)
        out += self._edit_script_shapes(dim)
        out += [Shape("ring", "unused", c.k, (centre(c),), c, dim=dim, why=why(c)) for c in unused if c not in used]
        out += self._cells(dim)
        for c in sorted(always):
            if used.get(c, CellUse(0, "equal")).number:
                out.append(Shape("polygon", "always", c.k, square(c.i, c.j, 1), c, dim=dim))
            else:
                out.append(Shape("ring", "always", c.k, (centre(c),), c, dim=dim))
        out += [gap.sign(dim) for gap in self.gaps]
        for moved, shift, place in self.shifts:
            out += _arrow_shapes(moved, shift, place, self.result.layers[moved.layer], dim)
        return out + self._selected_shapes(term) if term is not None else out

    def _cells(self, dim: bool) -> list[Shape]:
        """Return the shapes of all used cells: markers, or squares with the digits of their rounds.

        Digits come last. Shapes with the same look are drawn together, so a square would otherwise cover the digit of
        another."""
        return sorted(self._cell_shapes(dim), key=lambda shape: shape.kind == "digit")

    def _cell_shapes(self, dim: bool) -> Iterator[Shape]:
        """Yield the shapes of all used cells, in the order of the cells; with `dim`, they are dimmed."""
        layers = [layer for _, layer in self.layers]
        cut = {run.cells()[-1]: layer.cut.why for layer in layers if (run := _cut_run(layer)) and layer.cut}
        names = {layer.number: layer.name for layer in layers if layer.number}
        for cell, (number, relation) in sorted(self.uses.items()):
            if cell in self.letters:
                yield from self._letter_shapes(cell, dim)
                continue
            why = match_reason(self.result, cell) if relation not in ("equal", "different") else ""
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

    def _letter_shapes(self, cell: Hit, dim: bool) -> Iterator[Shape]:
        """Yield the shapes of a cell whose words share letters: a filling, and the number of matching letters.

        The cell is filled up to the matching share of its longer word."""
        i, k, j = cell
        ours, theirs = self.letters[cell]
        words = self.result.segment.candidate[i], self.result.segment.references[k][j]
        share = max(len(ours), len(theirs)) / max(map(len, words), default=1)
        top, bottom = i + 0.95 - 0.9 * min(share, 1), i + 0.95
        corners = ((top, j + 0.05), (top, j + 0.95), (bottom, j + 0.95), (bottom, j + 0.05))
        yield Shape("polygon", "letters", k, corners, cell, dim=dim, why=describe_letters(words, ours, theirs))
        yield Shape("digit", "letters", k, (centre(cell),), cell, dim=dim, text=str(len(ours)))

    def _edit_script_shapes(self, dim: bool) -> list[Shape]:
        """Return the shapes of an edit script: paths along corners of cells.

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

    def _selected_shapes(self, term: Term) -> list[Shape]:
        """Return the shapes that highlight the selected term."""
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
            out += _arrow_shapes(term, mark, place, self.result.layers[term.layer], False, "selected arrow")
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

    `ours` and `theirs` are the positions of these letters in the first and in the second word.

    >>> describe_letters(("discussed", "discuss"), range(7), range(7))
    '7 of 9 and 7 letters: discuss·· ~ discuss'
    """
    sides = [
        "".join([letter if at in matched else "·" for at, letter in enumerate(word[:40])])
        for word, matched in zip(words, (ours, theirs), strict=True)
    ]
    lengths = " and ".join([str(len(word)) for word in words])
    ours_text, theirs_text = (isolate_right_to_left(replace_unprintable(side)) for side in sides)
    return f"{len(ours)} of {lengths} letters: {ours_text} ~ {theirs_text}"


def matched_cells(result: Result, rounds: int | None = None) -> Mapping[Hit, int]:
    """Return the cells that the marks of a result use as matches, each with the number of its first round, 0 for none.

    If `rounds` is given, later rounds are left out."""
    return _matched_cells(cell_uses(result, rounds))


def _matched_cells(used: Mapping[Hit, CellUse]) -> Mapping[Hit, int]:
    """Return those of the used cells that are matches, each with the number of its first round, 0 for none."""
    return {cell: use.number for cell, use in used.items() if use.relation != "different"}


def _joined_cells(result: Result) -> frozenset[Hit]:
    """Return the cells after which the same run, or the same stretch of matches in an edit script, continues."""
    return frozenset(
        cell
        for layer in result.layers
        for mark in drawn_marks(layer)
        if isinstance(mark, Run) or (isinstance(mark, Edit) and mark.op == "match")
        for cell in mark.cells()[:-1]
    )


def _split_references(result: Result, used: Collection[int]) -> ReferenceOrder:
    """Split the references into those in `used`, in the order in which they are shown, and the others."""
    everyone = range(len(result.segment.references))
    return ReferenceOrder(
        tuple(references_by_credit([result], used or everyone)), tuple([k for k in everyone if used and k not in used])
    )


def references_by_credit(results: Sequence[Result], ks: Iterable[int]) -> list[int]:
    """Return the indices `ks` of references in the order in which their grids are shown.

    Those that decide the score of a result come first, then those whose marks contribute most."""
    return ranked_references([(metrics.METRICS[result.metric], result) for result in results], ks)


def _shifts_with_destinations(
    result: Result, layers: Iterable[tuple[int, Layer]]
) -> Iterator[tuple[Term, Shift, ShiftDestination]]:
    """Yield each shift in the layers with its term and its destination, in the order in which TER moves the blocks."""
    orders: dict[int, list[int]] = {}
    for term in _terms_with_marks(Shift, layers):
        if isinstance(shift := term.mark, Shift):
            order = orders.get(shift.k) or list(range(len(result.segment.candidate)))
            yield term, shift, shift_destination(shift, order)
            orders[shift.k] = shift.apply(order)


def _terms_with_marks(kind: type, layers: Iterable[tuple[int, Layer]]) -> Iterator[Term]:
    """Yield the terms whose marks are of the type `kind`, such as Edit; all marks of a layer are of the same type."""
    for n, layer in layers:
        if layer.marks and isinstance(layer.marks[0], kind):
            for t, mark in enumerate(layer.marks):
                yield Term(n, t, mark)


# ---------------------------------------------------------------- pieces of shapes


def _cut_run(layer: Layer) -> Run | None:
    """Return the run of a layer of which the metric counts only the beginning; None if there is none."""
    run = layer.marks[layer.cut.t] if layer.cut else None
    return run if isinstance(run, Run) else None


def _background_shapes(n: int, layer: Layer, dim: bool) -> list[Shape]:
    """Return the shapes of layer `n` that are drawn below the dots: areas, blocks, a run's uncounted part, the path."""
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
    """Return the lines through the runs of several layers.

    Each diagonal step is drawn once; its level, which makes it thicker, is the number of layers that use it. For
    example, two neighbouring matches that BLEU counts within a 2-gram, a 3-gram and a 4-gram are joined by a line of
    level 3."""
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


def _arrow_shapes(
    term: Term, shift: Shift, destination: ShiftDestination, layer: Layer, dim: bool, role: Role = "arrow"
) -> list[Shape]:
    """Return the shapes of a shift's arrow, from the moved block to a bar across its columns at the destination."""
    start = max(destination.row, min(shift.rows)) if destination.up else min(destination.row, max(shift.rows) + 1)
    look = Shape("line", role, shift.k, (), number=layer.number or 0, dim=dim, term=term)
    return arrow(look, start, destination.row, (shift.j, shift.j + len(shift.rows)))
