"""Draw the steps of a metric's algorithm: a pool of picture elements, each drawn once, and which of them a step shows.

A page's script shows and hides the pool's elements; the picture of a step, for files, is made from the same shapes."""

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

from ..pen import layout, legend, picture, svg
from ..pen.numbers import fraction_text
from ..pen.picture import Picture
from ..pen.shapes import Shape
from ..pen.theme import LOOKS, Kind, Role
from ..texts import ProcessedTexts
from . import step_lines
from .step_lines import Focus
from .step_shapes import (
    StepWord,
    cell_shapes,
    examined_shapes,
    hit_shape,
    marked_words,
    shift_shapes,
    table_value_shapes,
    taken_shapes,
)

#: How many steps are sent at once, and how many elements they may show and hide in total; the rest follow on demand.
AT_ONCE, SHOWN_AT_ONCE = 5_000, 120_000
#: The work of making and drawing a step, and of each element that it shows or hides.
STEP_WORK, ELEMENT_WORK = 100, 6
#: The least size of a cell in pixels with one value of a table in it, and with two values.
READABLE, READABLE_TWO = 22, 30
UNKNOWN = 840  # width in pixels that a picture is drawn for while the available width is unknown

#: The looks of a step, back to front.
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
#: Identifies one thing that a step shows; equal things of several steps have equal keys.
Key = tuple[Any, ...]


class Frame(NamedTuple):
    """The elements that a step shows and hides compared with the step before it, as indices in the pool of elements."""

    shown_numbers: tuple[int, ...]
    hidden: tuple[int, ...]


class DrawnSteps:
    """The steps of a trace as they are drawn, made on demand.

    Args:
        hits: the matches of the grid.
        width: available width in pixels, or None where unknown.
        asked_steps: the trace's steps, each with the question before it or None.
        lines: "arcs" or "crossings" for a picture without a grid, for a program that fills no table.
        high: height in pixels that a grid does not exceed while it is readable.

    The attributes `pool` (all elements so far), `frames`, `questions`, `sizes` and `element_counts` grow with the
    steps."""

    def __init__(
        self,
        texts: ProcessedTexts,
        trace: Trace,
        hits: Sequence[Hit],
        width: int | None = None,
        asked_steps: Iterator[tuple[ProgramStep, Question | None]] | None = None,
        lines: step_lines.LinesKind | None = None,
        high: int | None = None,
    ) -> None:
        self.texts, self.trace, self.hits = texts, trace, hits
        self._asked_steps = asked_steps or ((step, None) for step in trace)
        self.questions: dict[int, Question] = {}  # by the index of the step
        table = example_table(trace.metric, trace.settings)
        self.border = table.border if table else 0
        self.steps: list[ProgramStep] = []
        self.ended = False
        self.pool: list[Part] = []
        self.frames: list[Frame] = []
        self.sizes: list[int] = []  # sizes of the pool after each step
        self.element_counts: list[int] = []  # how many elements were examined up to each step
        self._element_count = 0
        rows, references = texts.candidate_words, texts.reference_words
        label = metrics.METRICS[trace.metric].label
        kind = "Pairs of words" if lines == "arcs" else "Matching words"
        name = f"{kind}, and what {label} does with them"
        self._problem: TooHard | None = None
        self.patterns: list[str] = []  # SVG elements that others are copies of
        self.patterns_before: dict[int, int] = {}  # sent patterns, by the number of sent elements of the pool
        self._patterns: dict[Shape, int] = {}
        self._patterns_by: dict[str, int] = {}
        self._numbers: dict[Part, int] = {}
        self._numbers_by_key: dict[Key, tuple[int, ...]] = {}
        self._count: Counter[int] = Counter()  # how many keys of the present step show an element
        self._before: dict[str, Sequence[Any]] = {}
        self._cells: dict[tuple[int, int], Key] = {}  # present values of the table
        spend(500 + 20 * (len(rows) + sum(map(len, references))) + 5 * len(hits))
        self.lines = None
        if lines and not table:
            self.lines = step_lines.create_picture(
                lines, rows, references, hits, width or UNKNOWN, name, trace.relation
            )
            self.base, self.boxes, self.shapes = self.lines.base, self.lines.boxes, self.lines.hits
            return
        everyone = tuple(range(len(references)))
        fit = layout.fit_grids(rows, references, everyone, width or UNKNOWN, border=self.border, high=high)
        least = READABLE_TWO if table and table.second_table else READABLE
        if table and fit.cell < least:
            fit = layout.GridFit(least, 1)
        self.shapes = [hit_shape(hit, bool(self.border)) for hit in hits]
        self.base = picture.lay_out_picture(rows, references, self.shapes, *fit, title=name, border=self.border)
        self.boxes = self.base.boxes

    # ------------------------------------------------------------ steps

    def make_steps(self, count: int, most: float = math.inf) -> None:
        """Make steps until there are `count` of them or all, or until they show and hide more than `most` elements.

        Raises TooHard where the program takes more work than is allowed, and again whenever more steps are
        requested."""
        if self._problem and count > len(self.steps):
            raise self._problem
        try:
            while len(self.steps) < count and (self.element_counts[-1] if self.element_counts else 0) <= most:
                step, question = next(self._asked_steps)
                spend(STEP_WORK)
                if question:
                    self.questions[len(self.steps)] = question
                self.steps.append(step)
                self.frames.append(self._next_frame(step))
                self.sizes.append(len(self.pool))
                self.element_counts.append(self._element_count)
                self.ended = step.result is not None
        except StopIteration:
            return
        except TooHard as problem:  # a generator that has raised yields nothing more
            self._problem = problem
            raise

    def _next_frame(self, step: ProgramStep) -> Frame:
        """Return the elements that a step shows and hides; what it shares with the step before it is not examined."""
        come: list[Key] = []
        removed_keys: list[Key] = []
        self._update_table(step.table, come, removed_keys)
        for name, now in self._shown_items(step):
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
                numbers = self._element_numbers(key)
                self._element_count += len(numbers)
                spend(ELEMENT_WORK * len(numbers))
                for number in numbers:
                    touched.setdefault(number, self._count[number] > 0)
                    self._count[number] += by
        shown_numbers = [number for number, was in touched.items() if not was and self._count[number] > 0]
        hidden = [number for number, was in touched.items() if was and not self._count[number]]
        return Frame(tuple(sorted(shown_numbers)), tuple(sorted(hidden)))

    def _update_table(self, table: StepTable | None, come: list[Key], removed_keys: list[Key]) -> None:
        """Record the values that a table gains with a step; in a cell that is filled again, the last value holds.

        The keys of new values are added to `come`, and those of replaced values to `removed_keys`."""
        now, before = table.filled if table else (), self._before.get("filled", ())
        self._before["filled"] = now
        if not (isinstance(now, Prefix) and now.grows_from(before)):
            removed_keys += self._cells.values()
            self._cells, before = {}, ()
        if table:
            for key in _table_values(table, len(before)):
                if old := self._cells.get(key[2:4]):
                    removed_keys.append(old)
                self._cells[key[2:4]] = key
                come.append(key)

    def _element_numbers(self, key: Key) -> tuple[int, ...]:
        """Return the indices of the elements that show the thing with a key; new elements are added to the pool."""
        if key not in self._numbers_by_key:
            numbers = []
            self._element_count += 1
            for part in self._parts(key):
                if part not in self._numbers:
                    self._numbers[part] = len(self.pool)
                    self.pool.append(part)
                numbers.append(self._numbers[part])
            self._numbers_by_key[key] = tuple(dict.fromkeys(numbers))
        return self._numbers_by_key[key]

    # ------------------------------------------------------------ what is drawn

    def keys(self, step: ProgramStep) -> list[Key]:
        """Return the keys of all things that a step shows, computed from this step alone."""
        values = {key[2:4]: key for key in _table_values(step.table)} if step.table else {}
        return [*values.values(), *[(name, key) for name, step_items in self._shown_items(step) for key in step_items]]

    def parts(self, number: int) -> list[Part]:
        """Return the shapes, and the words with their classes, that step `number` (from 0) shows, each once."""
        all_parts = [part for key in self.keys(self.steps[number]) for part in self._parts(key)]
        return list(dict.fromkeys(all_parts))

    def picture(self, number: int) -> Picture:
        """Return the whole picture of step `number` (from 0), with title and signature, for files.

        The step must have been made already."""
        drawn = [part for part in self.parts(number) if isinstance(part, Shape)]
        drawn += self.shapes
        drawn.sort(key=self.layer_of)
        key = legend.drawn_entries(legend.legend_entries_of_shapes(drawn))
        title = self.title(number)
        width = max(self.base.width, picture.CAPTION_ROOM, picture.title_width_pixels(title))
        groups = picture.group_shapes_by_look(drawn, self.boxes, self.base.cell)
        return replace(self.base, title=title, signature=self.signature(), width=width, groups=groups, key=key)

    def title(self, number: int) -> str:
        """Return the title of step `number` (from 0) in files."""
        return f"{metrics.METRICS[self.trace.metric].label}, step {number + 1}: {self.steps[number].text}"

    def signature(self) -> str:
        """Return the signature of these steps: all settings that are needed to repeat them, in one line."""
        text, references = self.texts.settings.signature(), len(self.texts.references)
        return signature(self.trace.metric, self.trace.settings, text, references)

    def markup(self, part: Shape) -> str:
        """Return a shape as an SVG element."""
        (group,) = picture.group_shapes_by_look([part], self.boxes, self.base.cell) or (None,)
        return svg.shape_element(group.members[0]) if group else ""

    def pattern(self, part: Shape) -> tuple[int, int, int]:
        """Return the index of a shape's pattern in `patterns`, and the shape's offset from it in rows and columns.

        A pattern is an SVG element of which others are copies: a table can have thousands of cells that look alike.
        Lines have no offset."""
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
        """Return the index of the SVG layer that a shape is in, among those that `layers` returns."""
        return _PLACE[part.role, part.kind] + (len(ORDER) if self.lines and not part.dim else 0)

    def layers(self) -> list[str]:
        """Return an empty SVG layer for each look, back to front; the layers of faint lines come first."""
        out = []
        for dim in (True, False) if self.lines else (False,):
            for role, kind in ORDER:
                text = "0" if kind == "digit" else ""
                look = Shape(kind, role, self.boxes[0].k, ((0.0, 0.0),), text=text, dim=dim)
                (group,) = picture.group_shapes_by_look([look], self.boxes, self.base.cell)
                out.append(svg.empty_group(group.ink, group.says, group.opacity))
        return out

    def legend(self) -> str:
        """Return the legend of the elements of all steps so far, as HTML."""
        shapes = [part for part in self.pool if isinstance(part, Shape)]
        words = {part.look for part in self.pool if isinstance(part, StepWord)}
        shapes += self.shapes[:1]
        if LOOKS["used up", "line"].word in words:
            shapes.append(Shape("line", "used up", 0, ((0, 0), (0, 1))))
        return svg.legend_html(legend.drawn_entries(legend.legend_entries_of_shapes(shapes)))

    def _parts(self, key: Key) -> list[Part]:
        """Return the shapes, and the words with their classes, that show the thing with a key."""
        name, what, *rest = key
        if name == "value":
            return [*table_value_shapes(what, *rest)]
        if name == "cell":
            return [*cell_shapes(*what)]
        if name == "used":
            return [StepWord(what, LOOKS["used up", "line"].word)]
        if name == "moved":
            return [*shift_shapes(what[0], "taken", what[1])]
        mark, order = what if name in ("considered", "rejected") else (what, ())
        drawn = self.lines.mark_shapes(name, what) if self.lines else self._mark_shapes(name, mark, order)
        return [*drawn, *(marked_words(name, mark, self.trace.relation) if name != "between" else ())]

    def _mark_shapes(self, name: str, mark: Mark, order: Sequence[int]) -> Iterator[Shape]:
        if name == "taken":
            return taken_shapes(mark, bool(self.border), self.trace.relation)
        return examined_shapes(
            mark, "considered" if name == "considered" else "rejected", self.texts, bool(self.border), order
        )

    def _shown_items(self, step: ProgramStep) -> Iterator[tuple[str, Sequence[Any]]]:
        """Yield (name, things) for each kind of thing that a step shows, such as "taken" marks.

        Values of a table are not included."""
        yield from self.lines.step_marks(step) if self.lines else _shown_items(step, self.texts)
        yield "used", _used_up_words(step, self.texts)

    def focus_of_step(self, number: int) -> Focus | None:
        """Return the part of the picture that should be in sight at step `number` (from 0).

        That is the place of the mark that it takes, or else of a mark that it considers. None where the step
        fills a cell of its table, which the script finds itself, or concerns no place."""
        step, cell = self.steps[number], self.base.cell
        mark = step_lines.chosen_mark(step, self.steps[number - 1] if number else None)
        if mark is None and step.table and step.table.cell:
            return None
        mark = mark or next(iter([*step.considered[:1], *step.taken_marks[-1:]]), None)
        if mark is None:
            return None
        if self.lines:
            return self.lines.place(mark)
        row, k, column = mark.cells()[0] if mark.cells() else _edit_start(mark)
        box = next(box for box in self.boxes if box.k == k)
        row = min(row, len(self.texts.candidate) - 1)  # nothing is drawn after the last word
        column = min(column, len(self.texts.references[k]) - 1)
        return Focus(box.x + (column + 0.5) * cell, box.y + (row + 0.5) * cell)


# ---------------------------------------------------------------- what a step shows


def _edit_start(mark: Mark) -> tuple[int, int, int]:
    """Return where an edit without cells begins: candidate position, reference, and position in the reference."""
    assert isinstance(mark, Edit)
    return mark.i_start, mark.k, mark.j_start


@lru_cache(maxsize=256)
def example_table(metric: str, settings: Settings) -> StepTable | None:
    """Return an example of the dynamic-programming table that a metric's algorithm fills, or None where it fills none.

    The example comes from texts of one or two words."""
    given = {name: getattr(settings, name) for name in type(settings).rules()}
    for candidate in (["a"], ["a", "b"]):
        for step in metrics.trace(metric, candidate, [["a"]], **given):
            if step.table:
                return step.table
    return None


def _shown_items(step: ProgramStep, texts: ProcessedTexts) -> Iterator[tuple[str, Sequence[Any]]]:
    """Yield (name, things) for each kind of thing that a step shows on a grid, such as "taken" marks."""
    order, moved = _shift_orders(step, texts)
    yield "taken", step.taken_marks
    yield "moved", moved
    yield "considered", [(mark, _order_before(mark, order)) for mark in step.considered]
    yield "rejected", [(rejected.mark, _order_before(rejected.mark, order)) for rejected in step.rejected]
    table = step.table
    yield "cell", [(table.k, table.border, table.cell)] if table and table.cell else ()


def _shift_orders(
    step: ProgramStep, texts: ProcessedTexts
) -> tuple[dict[int, list[int]], list[tuple[Shift, tuple[int, ...]]]]:
    """Return the order of the candidate's words before the shifts that a step considers, and the shifts taken so far.

    The orders, lists of word positions, are keyed by reference. Each taken shift is paired with the order before it."""
    orders: dict[int, list[int]] = {}
    moved = []
    for mark in step.taken_marks:
        if isinstance(mark, Shift):
            order = orders.get(mark.k) or list(range(len(texts.candidate)))
            moved.append((mark, tuple(order)))
            if mark not in step.considered:
                orders[mark.k] = mark.apply(order)
    return orders, moved


def _order_before(mark: Mark, orders: dict[int, list[int]]) -> tuple[int, ...]:
    """Return the order of candidate words to which a shift's positions refer.

    It is () for the candidate's own order, and for marks that are not shifts."""
    return tuple(orders.get(mark.k, ())) if isinstance(mark, Shift) else ()


def _used_up_words(step: ProgramStep, texts: ProcessedTexts) -> Sequence[str]:
    """Return the names of the words that a step says are used up, so that no later match can take them."""
    if step.free is None:
        return ()
    out = [f"c{i}" for i in range(len(texts.candidate)) if i not in step.free.candidate]
    for k, free in enumerate(step.free.references):
        out += [f"r{k}_{j}" for j in range(len(texts.references[k])) if j not in free]
    return out


def _table_values(table: StepTable, start: int = 0) -> Iterator[Key]:
    """Yield the keys of a table's values from index `start` on.

    A key has the place in the grid, the value as text, and the value of the second table as text or ""."""
    second_values = table.second_table.filled if table.second_table else ()
    for number, cell in enumerate(table.filled[start:], start):
        other = value_text(second_values[number].value) if number < len(second_values) else ""
        yield "value", table.k, cell.row - table.border, cell.column - table.border, value_text(cell.value), other


def value_text(value: float) -> str:
    """Return a value of a table as text that fits a cell.

    >>> [value_text(value) for value in (3.0, 0.354, 12.25, 1.26, 40_000, -0.5)]
    ['3', '.35', '12.2', '1.3', '4e4', '−.50']
    """
    size, sign = abs(value), "−" if value < 0 else ""
    if size >= 1_000:
        return f"{sign}{size:.0e}".replace("e+0", "e").replace("e+", "e")
    if size == int(size):
        return f"{sign}{int(size)}"
    return sign + (fraction_text(size) if size < 0.995 else f"{size:.1f}")
