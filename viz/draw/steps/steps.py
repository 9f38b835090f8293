"""The steps of an algorithm as they are drawn: a pool of elements, each drawn once, and what every step shows of them.

A page's script shows and hides the pool's elements; the picture of a step, for files, is made from the same shapes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import metrics
from metrics.teach.records import Question
from metrics.teach.steps import Prefix, ProgramStep, StepTable, Trace
from metrics.types import Edit, Hit, Mark, Settings, Shift, TooHard, signature
from metrics.types.work import spend

from ..pen import layout, legend, picture, svg, theme
from ..pen.picture import Picture
from ..pen.shapes import Shape
from ..pen.theme import LOOKS, Kind, Role
from ..texts import ProcessedTexts
from . import step_lines
from .step_lines import Focus
from .step_shapes import StepWord, cell_of, digits, examined_shapes, hit_of, move, taken_shapes, words_of

#: Steps that are sent at once, and elements that they may show and hide in all; the rest follow as one goes.
AT_ONCE, SHOWN_AT_ONCE = 5_000, 120_000
#: Steps of work that making and drawing one takes, and that each element takes which it shows or hides.
STEP_WORK, ELEMENT_WORK = 100, 6
#: Pixels that a cell has at least where a table's value stands in it, and where two do.
READABLE, READABLE_TWO = 22, 30
UNKNOWN = 840  # pixels that a picture is drawn for until its room is known

#: Looks of a step, back to front.
ORDER: tuple[tuple[Role, Kind], ...] = (
    ("hit", "polygon"),
    ("hit", "ring"),
    ("hit", "line"),
    ("taken", "polygon"),
    ("taken similar", "polygon"),
    ("rejected", "polygon"),
    ("came from", "polygon"),
    ("considered", "polygon"),
    ("filled now", "polygon"),
    ("filled", "digit"),
    ("filled beside", "digit"),
    ("extra", "line"),
    ("missing", "line"),
    ("taken", "line"),
    ("taken stem", "line"),
    ("taken synonym", "line"),
    ("taken", "curve"),
    ("taken", "dot"),
    ("taken stem", "diamond"),
    ("taken synonym", "triangle"),
    ("substituted", "cross"),
    ("extra", "plus"),
    ("missing", "minus"),
    ("rejected", "line"),
    ("considered", "curve"),
    ("rejected", "curve"),
    ("considered", "line"),
    ("rejected", "cross"),
    ("came from", "line"),
)
_PLACE = {look: n for n, look in enumerate(ORDER)}

Part = Shape | StepWord
#: What a step shows, by which it is told from what others show.
Key = tuple[Any, ...]


class Frame(NamedTuple):
    """What a step shows that the one before it does not, and what it hides of it, as numbers of the pool."""

    shown_numbers: tuple[int, ...]
    hidden: tuple[int, ...]


class Walk:
    """The steps of a trace as they are drawn, made as they are asked for.

    `hits` are the matches of the grid. `width` is the room in pixels, and `high` what a grid is no higher than where it
    stays readable. `asked_steps` are the trace's steps with what is asked before each, where something is. With
    `lines` the picture is no grid but arcs or crossing lines, of a program that fills no table. `pool`, `frames`,
    `questions`, `sizes` and `element_counts` grow with the steps.
    """

    def __init__(
        self,
        texts: ProcessedTexts,
        trace: Trace,
        hits: Sequence[Hit],
        width: int | None = None,
        asked_steps: Iterator[tuple[ProgramStep, Question | None]] | None = None,
        lines: step_lines.Way | None = None,
        high: int | None = None,
    ) -> None:
        self.texts, self.trace, self.hits = texts, trace, hits
        self._asked_steps = asked_steps or ((step, None) for step in trace)
        self.questions: dict[int, Question] = {}  # by the numbers of their steps
        table = table_of(trace.metric, trace.settings)
        self.border = table.border if table else 0
        self.steps: list[ProgramStep] = []
        self.ended = False
        self.pool: list[Part] = []
        self.frames: list[Frame] = []
        self.sizes: list[int] = []  # of the pool after each step
        self.element_counts: list[int] = []  # elements that were looked at up to each step
        self._element_count = 0
        rows, references = texts.candidate_words, texts.reference_words
        label = metrics.METRICS[trace.metric].label
        kind = "Pairs of words" if lines == "arcs" else "Matching words"
        name = f"{kind}, and what {label} does with them"
        self._problem: TooHard | None = None
        self.patterns: list[str] = []  # elements of which others are copies
        self.patterns_before: dict[int, int] = {}  # by how many elements of the pool were sent
        self._patterns: dict[Shape, int] = {}
        self._patterns_by: dict[str, int] = {}
        self._numbers: dict[Part, int] = {}
        self._of: dict[Key, tuple[int, ...]] = {}
        self._count: Counter[int] = Counter()  # how many things of the present step show an element
        self._before: dict[str, Sequence[Any]] = {}
        self._cells: dict[tuple[int, int], Key] = {}  # of the table as it stands
        spend(500 + 20 * (len(rows) + sum(map(len, references))) + 5 * len(hits))
        self.lines = None
        if lines and not table:
            self.lines = step_lines.lines(lines, rows, references, hits, width or UNKNOWN, name, trace.relation)
            self.base, self.boxes, self.shapes = self.lines.base, self.lines.boxes, self.lines.hits
            return
        everyone = tuple(range(len(references)))
        fit = layout.fit(rows, references, everyone, width or UNKNOWN, border=self.border, high=high)
        least = READABLE_TWO if table and table.second_table else READABLE
        if table and fit.cell < least:
            fit = layout.Fit(least, 1)
        self.shapes = [hit_of(hit, bool(self.border)) for hit in hits]
        self.base = picture.picture_on(rows, references, self.shapes, *fit, title=name, border=self.border)
        self.boxes = self.base.boxes

    # ------------------------------------------------------------ steps

    def make(self, count: int, most: float = math.inf) -> None:
        """Make steps and their frames until there are `count`, or all there are, or they have drawn more than `most`
        elements since the beginning. Raises TooHard where the program
        takes more work than may be done, and again whenever more steps are asked for."""
        if self._problem and count > len(self.steps):
            raise self._problem
        try:
            while len(self.steps) < count and (self.element_counts[-1] if self.element_counts else 0) <= most:
                step, question = next(self._asked_steps)
                spend(STEP_WORK)
                if question:
                    self.questions[len(self.steps)] = question
                self.steps.append(step)
                self.frames.append(self._frame(step))
                self.sizes.append(len(self.pool))
                self.element_counts.append(self._element_count)
                self.ended = step.result is not None
        except StopIteration:
            return
        except TooHard as problem:  # a generator that has raised makes no more
            self._problem = problem
            raise

    def _frame(self, step: ProgramStep) -> Frame:
        """What changes with a step: what it shares with the one before it is not looked at."""
        come: list[Key] = []
        removed_keys: list[Key] = []
        self._fill(step.table, come, removed_keys)
        for name, now in self._sources(step):
            before = self._before.get(name, ())
            if isinstance(now, Prefix) and now.grows_from(before):
                come += [(name, mark) for mark in now[len(before) :]]
            elif tuple(now) != tuple(before):
                come += [(name, key) for key in now]
                removed_keys += [(name, key) for key in before]
            self._before[name] = now
        spend(len(come) + len(removed_keys))
        touched: dict[int, bool] = {}
        for keys, by in ((come, 1), (removed_keys, -1)):
            for key in keys:
                numbers = self._elements(key)
                self._element_count += len(numbers)
                spend(ELEMENT_WORK * len(numbers))
                for number in numbers:
                    touched.setdefault(number, self._count[number] > 0)
                    self._count[number] += by
        shown_numbers = [number for number, was in touched.items() if not was and self._count[number] > 0]
        hidden = [number for number, was in touched.items() if was and not self._count[number]]
        return Frame(tuple(sorted(shown_numbers)), tuple(sorted(hidden)))

    def _fill(self, table: StepTable | None, come: list[Key], removed_keys: list[Key]) -> None:
        """The values that a table has now and had not before; of a cell that is filled again the last one holds."""
        now, before = table.filled if table else (), self._before.get("filled", ())
        self._before["filled"] = now
        if not (isinstance(now, Prefix) and now.grows_from(before)):
            removed_keys += self._cells.values()
            self._cells, before = {}, ()
        if table:
            for key in _values(table, len(before)):
                if old := self._cells.get(key[2:4]):
                    removed_keys.append(old)
                self._cells[key[2:4]] = key
                come.append(key)

    def _elements(self, key: Key) -> tuple[int, ...]:
        """The numbers of what shows a key; elements that are new join the pool."""
        if key not in self._of:
            numbers = []
            self._element_count += 1
            for part in self._parts(key):
                if part not in self._numbers:
                    self._numbers[part] = len(self.pool)
                    self.pool.append(part)
                numbers.append(self._numbers[part])
            self._of[key] = tuple(dict.fromkeys(numbers))
        return self._of[key]

    # ------------------------------------------------------------ what is drawn

    def keys(self, step: ProgramStep) -> list[Key]:
        """All that a step shows, found from the step alone."""
        values = {key[2:4]: key for key in _values(step.table)} if step.table else {}
        return [*values.values(), *[(name, key) for name, step_items in self._sources(step) for key in step_items]]

    def parts(self, number: int) -> list[Part]:
        """What the step of a number, from 0, draws and says of words, each part once."""
        all_parts = [part for key in self.keys(self.steps[number]) for part in self._parts(key)]
        return list(dict.fromkeys(all_parts))

    def picture(self, number: int) -> Picture:
        """The whole picture of a step that was made, with its title and its signature, as files show it."""
        drawn = [part for part in self.parts(number) if isinstance(part, Shape)]
        drawn += self.shapes
        drawn.sort(key=self.layer_of)
        key = legend.keys(legend.entries(drawn))
        title = self.title(number)
        width = max(self.base.width, picture.CAPTION_ROOM, picture.title_room(title))
        groups = picture.groups_of(drawn, self.boxes, self.base.cell)
        return replace(self.base, title=title, signature=self.signature(), width=width, groups=groups, key=key)

    def title(self, number: int) -> str:
        """The title of the step of a number, from 0, in files."""
        return f"{metrics.METRICS[self.trace.metric].label}, step {number + 1}: {self.steps[number].text}"

    def signature(self) -> str:
        """What is needed to repeat the steps."""
        text, references = self.texts.settings.signature(), len(self.texts.references)
        return signature(self.trace.metric, self.trace.settings, text, references)

    def markup(self, part: Shape) -> str:
        """A shape of the pool as an SVG element."""
        (group,) = picture.groups_of([part], self.boxes, self.base.cell) or (None,)
        return svg.element(group.members[0]) if group else ""

    def pattern(self, part: Shape) -> tuple[int, int, int]:
        """The number of the element of which a shape is a copy, in `patterns`, and by how many rows and columns it is
        moved from there: cells of a table are alike, and there can be thousands. Lines stand where they are."""
        row, column = (
            (0, 0) if part.cell or self.lines else (math.floor(part.points[0][0]), math.floor(part.points[0][1]))
        )
        moved = part._replace(points=tuple([(r - row, c - column) for r, c in part.points]))
        moved = moved._replace(points=tuple([(round(r, 9), round(c, 9)) for r, c in moved.points]))
        if moved not in self._patterns:
            markup = self.markup(moved)
            self._patterns[moved] = self._patterns_by.setdefault(markup, len(self.patterns))
            if self._patterns[moved] == len(self.patterns):
                self.patterns.append(markup)
        return self._patterns[moved], row, column

    def layer_of(self, part: Shape) -> int:
        """The number of the place among `layers` in which a shape stands."""
        return _PLACE[part.role, part.kind] + (len(ORDER) if self.lines and not part.dim else 0)

    def layers(self) -> list[str]:
        """An empty place for the pool's shapes of each look, in the order in which they lie over each other; lines that
        are faint lie under all others."""
        out = []
        for dim in (True, False) if self.lines else (False,):
            for role, kind in ORDER:
                text = "0" if kind == "digit" else ""
                look = Shape(kind, role, self.boxes[0].k, ((0.0, 0.0),), text=text, dim=dim)
                (group,) = picture.groups_of([look], self.boxes, self.base.cell)
                out.append(svg.layer(group.ink, group.says, group.opacity))
        return out

    def legend(self) -> str:
        """What the elements of all steps so far mean, as HTML."""
        shapes = [part for part in self.pool if isinstance(part, Shape)]
        words = {part.look for part in self.pool if isinstance(part, StepWord)}
        shapes += self.shapes[:1]
        if LOOKS["used up", "line"].word in words:
            shapes.append(Shape("line", "used up", 0, ((0, 0), (0, 1))))
        return svg.key_html(legend.keys(legend.entries(shapes)))

    def _parts(self, key: Key) -> list[Part]:
        """The elements that show a key."""
        name, what, *rest = key
        if name == "value":
            return [*digits(what, *rest)]
        if name == "cell":
            return [*cell_of(*what)]
        if name == "used":
            return [StepWord(what, LOOKS["used up", "line"].word)]
        if name == "moved":
            return [*move(what[0], "taken", what[1])]
        mark, order = what if name in ("considered", "rejected") else (what, ())
        drawn = self.lines.parts(name, what) if self.lines else self._mark(name, mark, order)
        return [*drawn, *(words_of(name, mark, self.trace.relation) if name != "between" else ())]

    def _mark(self, name: str, mark: Mark, order: Sequence[int]) -> Iterator[Shape]:
        if name == "taken":
            return taken_shapes(mark, bool(self.border), self.trace.relation)
        return examined_shapes(
            mark, "considered" if name == "considered" else "rejected", self.texts, bool(self.border), order
        )

    def _sources(self, step: ProgramStep) -> Iterator[tuple[str, Sequence[Any]]]:
        """What a step shows beside the values of a table, by what it is."""
        yield from self.lines.sources(step) if self.lines else _sources(step, self.texts)
        yield "used", _used(step, self.texts)

    def focus(self, number: int) -> Focus | None:
        """The place that the step of a number, from 0, is about: what it takes, else what it looks at. None where it is
        about the cell of its table, or about none."""
        step, cell = self.steps[number], self.base.cell
        mark = step_lines.chosen_mark(step, self.steps[number - 1] if number else None)
        if mark is None and step.table and step.table.cell:
            return None
        mark = mark or next(iter([*step.considered[:1], *step.taken_marks[-1:]]), None)
        if mark is None:
            return None
        if self.lines:
            return self.lines.place(mark)
        row, k, column = mark.cells()[0] if mark.cells() else _corner(mark)
        box = next(box for box in self.boxes if box.k == k)
        row = min(row, len(self.texts.candidate) - 1)  # behind the last word nothing is drawn
        column = min(column, len(self.texts.references[k]) - 1)
        return Focus(box.x + (column + 0.5) * cell, box.y + (row + 0.5) * cell)


# ---------------------------------------------------------------- what a step shows


def _corner(mark: Mark) -> tuple[int, int, int]:
    """Where an edit without cells begins."""
    assert isinstance(mark, Edit)
    return mark.i_start, mark.k, mark.j_start


@lru_cache(maxsize=256)
def table_of(metric: str, settings: Settings) -> StepTable | None:
    """A table such as a program fills, of one word a side; None where it fills none."""
    given = {name: getattr(settings, name) for name in type(settings).rules()}
    for candidate in (["a"], ["a", "b"]):
        for step in metrics.trace(metric, candidate, [["a"]], **given):
            if step.table:
                return step.table
    return None


def _sources(step: ProgramStep, texts: ProcessedTexts) -> Iterator[tuple[str, Sequence[Any]]]:
    """What a step shows on a grid, by what it is."""
    order, moved = _moves(step, texts)
    yield "taken", step.taken_marks
    yield "moved", moved
    yield "considered", [(mark, _shifted(mark, order)) for mark in step.considered]
    yield "rejected", [(rejected.mark, _shifted(rejected.mark, order)) for rejected in step.rejected]
    table = step.table
    yield "cell", [(table.k, table.border, table.cell)] if table and table.cell else ()


def _moves(
    step: ProgramStep, texts: ProcessedTexts
) -> tuple[dict[int, list[int]], list[tuple[Shift, tuple[int, ...]]]]:
    """The order of the candidate's words before the moves that a step looks at, by the reference for which they are;
    and the moves that are taken, each with the order before it."""
    orders: dict[int, list[int]] = {}
    moved = []
    for mark in step.taken_marks:
        if isinstance(mark, Shift):
            order = orders.get(mark.k) or list(range(len(texts.candidate)))
            moved.append((mark, tuple(order)))
            if mark not in step.considered:
                orders[mark.k] = mark.apply(order)
    return orders, moved


def _shifted(mark: Mark, orders: dict[int, list[int]]) -> tuple[int, ...]:
    """The order of words on which a move counts, () where it is the candidate's own or the mark is no move."""
    return tuple(orders.get(mark.k, ())) if isinstance(mark, Shift) else ()


def _used(step: ProgramStep, texts: ProcessedTexts) -> Sequence[str]:
    """The names of words that nothing may use any more."""
    if step.free is None:
        return ()
    out = [f"c{i}" for i in range(len(texts.candidate)) if i not in step.free.candidate]
    for k, free in enumerate(step.free.references):
        out += [f"r{k}_{j}" for j in range(len(texts.references[k])) if j not in free]
    return out


def _values(table: StepTable, start: int = 0) -> Iterator[Key]:
    """The cells of a table and of the one beside it, from a number on: what is written, and where."""
    second_values = table.second_table.filled if table.second_table else ()
    for number, cell in enumerate(table.filled[start:], start):
        other = value_text(second_values[number].value) if number < len(second_values) else ""
        yield "value", table.k, cell.row - table.border, cell.column - table.border, value_text(cell.value), other


def value_text(value: float) -> str:
    """A value of a table in the room of a cell.

    >>> [value_text(value) for value in (3.0, 0.354, 12.25, 1.26, 40_000, -0.5)]
    ['3', '.35', '12.2', '1.3', '4e4', '−.50']
    """
    size, sign = abs(value), "−" if value < 0 else ""
    if size >= 1_000:
        return f"{sign}{size:.0e}".replace("e+0", "e").replace("e+", "e")
    if size == int(size):
        return f"{sign}{int(size)}"
    return sign + (theme.fraction_text(size) if size < 0.995 else f"{size:.1f}")
