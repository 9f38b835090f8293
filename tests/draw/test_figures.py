"""Tests of shapes and pictures: each mark of the result is drawn, nothing else is, and all are in place."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import plotly.graph_objects as go
import pytest

import metrics
from metrics import formula
from metrics.analysis.difference import match_difference
from metrics.types import Edit, Hit, Layer, Letters, Neighbours, Result, Run, Segment, Shift
from tests.helpers.fragments import drawn_result, read, texts_of
from tests.helpers.segments import (
    CASES,
    SEGMENTS,
    all_hits,
    cell_relations,
    edits,
    every_case,
    first_rounds,
    layers_shown,
    matching_letters,
    result_of,
    used_cells,
)
from viz.draw.compare import differences
from viz.draw.evidence import charts
from viz.draw.evidence.figure import picture_of
from viz.draw.evidence.several_metrics import picture_of_all
from viz.draw.pen import layout, legend, marks, overlay, picture, placed_shapes, svg, theme
from viz.draw.pen.grid import Window
from viz.draw.pen.marks import Selection
from viz.draw.pen.numbers import count_text
from viz.draw.pen.shapes import Shape, square
from viz.draw.pen.theme import LOOKS

KEYS = tuple(metrics.METRICS)
pytestmark = pytest.mark.usefixtures("made_metric")


def result_shapes(result: Result, chosen: Selection | None = None, rounds: int | None = None) -> list[Shape]:
    return marks.ResultMarks.from_result(result, rounds).shapes(all_hits(result), chosen)


def shapes_of_role(drawn: list[Shape], *roles: str, kind: str = "") -> list[Shape]:
    return [s for s in drawn if s.role in roles and (not kind or s.kind == kind)]


def count_cells(drawn: list[Shape]) -> Counter[Hit | None]:
    return Counter(s.cell for s in drawn)


def count_line_segments(drawn: list[Shape]) -> Counter[Any]:
    """Count the straight pieces of the drawn lines, by index of the reference and by start and end point."""
    return Counter((s.k, piece) for s in drawn for piece in pairwise(s.points))


def polygon_area(polygon: Any) -> float:
    corners = zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    return float(abs(sum(a * d - b * c for (a, b), (c, d) in corners)) / 2)


# ---------------------------------------------------------------- shapes


@every_case
def test_each_mark_is_drawn_once_and_nothing_else(key: str, name: str, given: dict[str, Any]) -> None:
    result = result_of(key, name, given)
    drawn = result_shapes(result)
    check_shapes_of_result(drawn, result, None)
    assert not any(s.dim or s.role.startswith("selected") for s in drawn)


MARKERS = {
    "equal": ("used", "dot"),
    "stem": ("used", "diamond"),
    "synonym": ("used", "triangle"),
    "similar": ("used", "hexagon"),
    "different": ("substituted", "cross"),
}


def check_shapes_of_result(drawn: list[Shape], result: Result, rounds: int | None) -> None:
    used, first, layers = cell_relations(result, rounds), first_rounds(result, rounds), layers_shown(result, rounds)
    checked: list[Shape] = []

    def check_cells(found: list[Shape], expected: Any) -> None:
        assert count_cells(found) == Counter(expected)
        for s in found:
            assert s.cell and s.k == s.cell.k
            middle = [sum(values) / len(values) for values in zip(*s.points, strict=True)]
            assert middle == pytest.approx([s.cell.i + 0.5, s.cell.j + 0.5])
        checked.extend(found)

    lettered = matching_letters(result)
    for relation, (role, kind) in MARKERS.items():
        own = [c for c, r in used.items() if r == relation and c not in first and c not in lettered]
        check_cells(shapes_of_role(drawn, role, kind=kind), own)
    check_cells(shapes_of_role(drawn, "letters", kind="digit"), list(lettered))
    fills = shapes_of_role(drawn, "letters", kind="polygon")
    assert count_cells(fills) == Counter(list(lettered))
    for s, digit in zip(fills, shapes_of_role(drawn, "letters", kind="digit"), strict=True):
        assert s.cell
        ours, theirs = lettered[s.cell]
        words = result.segment.candidate[s.cell.i], result.segment.references[s.k][s.cell.j]
        assert digit.text == str(len(ours))
        assert polygon_area(s.points) == pytest.approx(0.81 * max(len(ours), len(theirs)) / max(map(len, words)))
    checked.extend(fills)
    check_cells(shapes_of_role(drawn, "unused"), set(all_hits(result)) - set(used))
    squares, digits = shapes_of_role(drawn, "round", kind="polygon"), shapes_of_role(drawn, "round", kind="digit")
    check_cells(squares, list(first))
    check_cells(digits, list(first))
    for s in [*squares, *digits]:
        assert s.number == first[s.cell]
    for s in squares:
        assert len(s.points) == (4 if used[s.cell] == "equal" else 6), "hexagons of words that are not equal"

    terms = [(n, t, layer, mark) for n, layer in enumerate(result.layers) for t, mark in enumerate(layer.marks)]
    terms = [term for term in terms if term[2] in layers]
    blocks = shapes_of_role(drawn, "block")
    assert [(s.term[:2], s.k, s.points[0], round(polygon_area(s.points), 9)) for s in blocks if s.term] == [
        ((n, t), m.k, (m.i, m.j), round(m.length**2, 9)) for n, t, x, m in terms if x.area and isinstance(m, Run)
    ]
    whole = shapes_of_role(drawn, "cut")
    cuts = [(n, t, m, x.cut.length) for n, t, x, m in terms if x.cut and x.cut.t == t]
    assert [(s.term[:2], s.points[0], polygon_area(s.points)) for s in whole if s.term] == [
        ((n, t), (m.i, m.j), length**2) for n, t, m, length in cuts
    ]
    triangles = shapes_of_role(drawn, "area")
    expected = [(n, t, m) for n, t, _, m in terms if isinstance(m, Neighbours)]
    assert Counter(s.term[:2] for s in triangles if s.term) == {(n, t): 2 for n, t, _ in expected}
    assert Counter((s.k, s.points) for s in triangles) == Counter(
        (a.k, a.corners) for *_, m in expected for a in m.areas()
    )
    credit = math.fsum(result.layers[n].credits[t] for n, t, _ in expected)
    if result.metric != "made":
        assert math.fsum(polygon_area(s.points) for s in triangles) == pytest.approx(credit), (
            "as large as what they earn"
        )
    arrows = shapes_of_role(drawn, "arrow")
    shifts = {(n, t): x.number for n, t, x, m in terms if isinstance(m, Shift)}
    assert Counter((s.term[:2], s.number) for s in arrows if s.term) == dict.fromkeys(shifts.items(), 3)
    checked += [*blocks, *whole, *triangles, *arrows]
    checked += check_lines(drawn, layers, rounds)
    checked += check_edit_signs(drawn, terms)
    assert Counter(map(id, checked)) == Counter(map(id, drawn)), "each shape once, and no other"


def check_lines(drawn: list[Shape], layers: list[Layer], rounds: int | None) -> list[Shape]:
    lines = shapes_of_role(drawn, "path")
    through: dict[tuple[str, int], list[tuple[float, float]]] = {}
    for layer in layers:
        for mark in layer.marks if layer.path else ():
            for c in mark.cells():
                through.setdefault((layer.name, c.k), []).append((c.i + 0.5, c.j + 0.5))
    rest = [(s.k, s.points) for s in lines]
    for (_, k), points in through.items():
        if len(points) > 1:
            rest.remove((k, tuple(points)))

    # Links: each step from one cell to the next is drawn once, thicker the more layers share it.
    steps: Counter[Any] = Counter()
    for layer in layers:
        if not (layer.area or layer.path):
            runs = [mark.cells() for mark in layer.marks if isinstance(mark, Run)]
            steps.update({step for run in runs for step in pairwise(run)})
    links = shapes_of_role(drawn, "link")
    found: dict[Any, int] = {}
    for s in links:
        (i, j), (i_end, j_end) = s.points
        assert i_end - i == j_end - j > 0
        for d in range(round(i_end - i)):
            step = (Hit(int(i) + d, s.k, int(j) + d), Hit(int(i) + d + 1, s.k, int(j) + d + 1))
            assert step not in found, "a step is drawn once"
            found[step] = s.level
    assert found == {step: min(level, 4) for step, level in steps.items()}

    # Edit scripts: every edit is a segment between two corners, and the next edit starts where it ends.
    script = [mark for layer in layers for mark in layer.marks if isinstance(mark, Edit)]
    ends = Counter((e.k, ((e.i_start, e.j_start), (e.i_end, e.j_end))) for e in script)
    assert Counter((k, piece) for k, points in rest for piece in pairwise(points)) == ends
    starts = Counter((k, points[0]) for k, points in rest)
    assert not [points for k, points in rest if starts[k, points[-1]]], "lines that meet are one"
    gaps = shapes_of_role(drawn, "extra", "missing", kind="line")
    assert count_line_segments(shapes_of_role(gaps, "extra")) == Counter(
        {e: n for e, n in ends.items() if e[1][0][1] == e[1][1][1]}
    )
    assert count_line_segments(shapes_of_role(gaps, "missing")) == Counter(
        {e: n for e, n in ends.items() if e[1][0][0] == e[1][1][0]}
    )
    return [*lines, *links, *gaps]


def check_edit_signs(drawn: list[Shape], terms: list[Any]) -> list[Shape]:
    signs = shapes_of_role(drawn, "extra", kind="plus") + shapes_of_role(drawn, "missing", kind="minus")
    roles = {"insertion": "extra", "deletion": "missing"}
    assert Counter((s.role, s.k, s.points, s.term[:2]) for s in signs if s.term) == Counter(
        (roles[m.op], m.k, (((m.i_start + m.i_end) / 2, (m.j_start + m.j_end) / 2),), (n, t))
        for n, t, _, m in terms
        if isinstance(m, Edit) and m.op in roles
    )
    return signs


def test_the_checks_of_shapes_see_something() -> None:
    """Check that every role of shapes occurs in some test case, so that none of the checks above is empty."""
    seen = {s.role for case in CASES for s in result_shapes(result_of(*case))}
    assert seen == set("letters block cut area path link used round arrow substituted extra missing unused".split())


@every_case
def test_an_edit_script_that_tiles_is_one_path(key: str, name: str, given: dict[str, Any]) -> None:
    result = result_of(key, name, given)
    script = edits(result, "match", "substitution", "insertion", "deletion")
    if not script or any(isinstance(m, Shift) for x in result.layers for m in x.marks):
        return
    n, m = len(result.segment.candidate), len(result.segment.references[script[0].k])
    (path,) = shapes_of_role(result_shapes(result), "path")
    assert (path.points[0], path.points[-1]) == ((0, 0), (n, m))
    assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in pairwise(path.points))


def test_lines_grow_thicker_with_their_level() -> None:
    widths = [placed_shapes.ink_of(Shape("line", "link", 0, (), level=level)).line for level in (1, 2, 3, 4)]
    assert widths == [2, 3.5, 5, 6.5]
    assert LOOKS["missing", "line"].line > LOOKS["path", "line"].line


def test_moved_blocks_are_not_joined() -> None:
    paths = [s.points for s in shapes_of_role(result_shapes(result_of("made", "shifts")), "path")]
    assert sorted(paths) == [((0, 8), (2, 10)), ((2, 0), (5, 3), (6, 4), (8, 6)), ((8, 8), (9, 8)), ((9, 6), (11, 8))]


ARROWS = {  # round → points (row, column) of bar, shaft and head
    # “in London” in rows 0 and 1, columns 8 and 9, moves behind the last row.
    ("shifts", 1): [((11, 8), (11, 10)), ((2, 9), (10.6, 9)), ((11, 9), (10.6, 8.76), (10.6, 9.24))],
    # “and France” in rows 9 and 10, columns 6 and 7, moves in front of “yesterday” in row 8.
    ("shifts", 2): [((8, 6), (8, 8)), ((9, 7), (8.4, 7)), ((8, 7), (8.4, 6.76), (8.4, 7.24))],
    # “b c” in rows 1 and 2 moves behind “d” in row 3.
    ("a block of words from apart", 1): [((4, 1), (4, 3)), ((3, 2), (3.6, 2)), ((4, 2), (3.6, 1.76), (3.6, 2.24))],
    # “d b” in rows 3 and 1 moves in front of “a” in row 0.
    ("a block of words from apart", 2): [((0, 0), (0, 2)), ((1, 1), (0.4, 1)), ((0, 1), (0.4, 0.76), (0.4, 1.24))],
}


@pytest.mark.parametrize("name", ["shifts", "a block of words from apart"])
@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_arrows_show_where_blocks_go(name: str, rounds: int) -> None:
    result = result_of("made", name)
    drawn = result_shapes(result, rounds=rounds)
    for number in (1, 2):
        found = [round_points(s.points) for s in shapes_of_role(drawn, "arrow") if s.number == number]
        assert found == (ARROWS[name, number] if number <= rounds else [])
    for number in range(1, rounds + 1):
        drawn = result_shapes(result, Selection(number - 1, 0), rounds=rounds)
        assert [round_points(s.points) for s in shapes_of_role(drawn, "selected arrow")] == ARROWS[name, number]


def round_points(points: Any) -> Any:
    return tuple([(round(row, 6), round(column, 6)) for row, column in points])


@pytest.mark.parametrize("rounds", [0, 1, 2, 3])
def test_only_the_rounds_asked_for_are_drawn(rounds: int) -> None:
    result = result_of("sia", "two references")
    check_shapes_of_result(result_shapes(result, rounds=rounds), result, rounds)


@every_case
def test_a_chosen_term_is_drawn_on_top_and_the_rest_steps_back(key: str, name: str, given: dict[str, Any]) -> None:
    result = result_of(key, name, given)
    by_layer = [Selection(n, t) for n, x in enumerate(result.layers) for t in (0, len(x.marks) - 1) if x.marks]
    plain = result_shapes(result)
    for chosen in by_layer:
        drawn = result_shapes(result, chosen)
        own = [s for s in drawn if s.role.startswith("selected")]
        mark = result.layers[chosen.layer].marks[chosen.index]
        assert drawn == [s._replace(dim=True) for s in plain] + own and own
        on_cells = [s for s in own if s.cell]
        assert count_cells(shapes_of_role(on_cells, "selected", kind="polygon")) == Counter(mark.cells())
        markers = [s for s in on_cells if s.kind != "polygon"]
        assert count_cells(markers) == Counter([] if isinstance(mark, Letters) else mark.cells())
        for s in markers:
            usual = next(p for p in plain if p.cell == s.cell and p.kind == s.kind)
            assert s.points == usual.points and s.number == usual.number, "the mark itself, in another colour"
        others = Counter((s.role, s.kind, s.k, s.points) for s in own if not s.cell)
        expected: Counter[Any] = Counter()
        if isinstance(mark, Neighbours):
            expected.update(("selected block", "polygon", a.k, a.corners) for a in mark.areas())
            assert len(mark.areas()) == 2
        elif isinstance(mark, Run) and mark.length > 1:
            expected[("selected block", "polygon", mark.k, square(mark.i, mark.j, mark.length))] = 1
        elif isinstance(mark, Edit) and mark.op in ("insertion", "deletion"):
            kind = "plus" if mark.op == "insertion" else "minus"
            ends = ((mark.i_start, mark.j_start), (mark.i_end, mark.j_end))
            middle = ((mark.i_start + mark.i_end) / 2, (mark.j_start + mark.j_end) / 2)
            expected.update([("selected", "line", mark.k, ends), ("selected", kind, mark.k, (middle,))])
        elif hasattr(mark, "second"):
            line = ((mark.first.i + 0.5, mark.first.j + 0.5), (mark.second.i + 0.5, mark.second.j + 0.5))
            expected[("selected", "line", mark.first.k, line)] = 1
        elif isinstance(mark, Shift):
            arrow = [s for s in plain if s.role == "arrow" and s.term and s.term[:2] == (chosen.layer, chosen.index)]
            expected.update(("selected arrow", s.kind, s.k, s.points) for s in arrow)
        assert others == expected


def test_a_term_of_a_hidden_round_is_not_selected() -> None:
    result = result_of("sia", "two references")
    last = Selection(2, 0)
    assert last.term_in(result, 2) is None
    found = last.term_in(result)
    assert found and found.mark == result.layers[2].marks[0]
    assert result_shapes(result, last, rounds=2) == result_shapes(result, None, rounds=2)


@pytest.mark.parametrize(
    "chosen", [Selection(), Selection(9, 0), Selection(0, 9), Selection(-1, -1), Selection(0, -1)], ids=str
)
def test_a_selection_of_nothing_draws_nothing(chosen: Selection) -> None:
    result = result_of("gtm", "one reference")
    assert chosen.term_in(result) is None
    assert result_shapes(result, chosen) == result_shapes(result)


# ---------------------------------------------------------------- pictures


@every_case
@pytest.mark.parametrize("width", [1200, 300])
def test_everything_lies_inside_its_panel_and_says_its_cell(
    key: str, name: str, given: dict[str, Any], width: int
) -> None:
    result = result_of(key, name, given)
    drawn = picture_of(drawn_result(result, width=width))
    boxes = {box.k: box for box in drawn.boxes}
    assert boxes and all(box.rows == len(result.segment.candidate) for box in drawn.boxes)
    assert all(box.columns == len(result.segment.references[box.k]) for box in drawn.boxes)
    expected = Counter(f"{s.kind} {s.role}" for s in result_shapes(result) if s.k in boxes)
    members = [p for group in drawn.groups for p in group.members]
    assert Counter(" ".join(p.name.split()[:2]) for p in members) == expected
    for p in members:
        xs, ys = zip(*p.points, strict=True)
        around = [
            box
            for box in drawn.boxes
            if box.x - 0.01 <= min(xs) <= max(xs) <= box.x + box.columns * drawn.cell + 0.01
            and box.y - 0.01 <= min(ys) <= max(ys) <= box.y + box.rows * drawn.cell + 0.01
        ]
        assert len(around) == 1
        if p.cell:
            box = boxes[p.cell.k]
            middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
            if p.kind != "triangle" and "letters" not in p.name:  # the centre of a triangle is lower than its middle
                assert middle[0] == pytest.approx(box.x + (p.cell.j + 0.5) * drawn.cell)
                assert middle[1] == pytest.approx(box.y + (p.cell.i + 0.5) * drawn.cell)
            assert around == [box]
    for a, b in pairwise(drawn.boxes):
        apart = a.x + a.columns * drawn.cell <= b.x or a.y + a.rows * drawn.cell <= b.y
        assert apart, "panels do not overlap"
    assert drawn.width <= max(width, 8 + drawn.boxes[0].x + max(b.columns for b in drawn.boxes) * 9 + 200)


@every_case
def test_shapes_have_the_ink_of_their_look(key: str, name: str, given: dict[str, Any]) -> None:
    result = result_of(key, name, given)
    for group in picture_of(drawn_result(result)).groups:
        for p in group.members:
            kind, role = p.name.split()[:2]
            look = LOOKS[role, kind]  # type: ignore[index]
            if kind == "digit":
                assert group.ink.colour == (look.colour if role == "letters" else theme.PAPER)
            elif look.colour:
                assert group.ink.colour == look.colour
            else:
                assert group.ink.colour in theme.ROUNDS
            assert (group.ink.fill > 0) == (look.fill > 0) and (group.ink.line > 0) == (look.line > 0)
            assert group.ink.dashed == (look.style == "dashed") and group.opacity == 1


FITS = [  # rows, columns of each reference, width in pixels → pixels of a cell, references side by side
    *((4, [4], 840, 48, 1), (13, [12], 840, 30, 1), (30, [30], 1200, 24, 1), (30, [30], 380, 11, 1)),
    *((8, [8, 8], 840, 47, 2), (30, [30] * 4, 840, 12, 2), (130, [130], 380, 9, 1)),
]


@pytest.mark.parametrize(("rows", "columns", "width", "cell", "beside"), FITS)
def test_cells_are_as_large_as_their_room(rows: int, columns: list[int], width: int, cell: int, beside: int) -> None:
    references = tuple([("w",) * n for n in columns])
    found = layout.fit_grids(("w",) * rows, references, tuple(range(len(columns))), width)
    assert found == (cell, beside)

    def picture_width(size: int) -> float:
        return picture.lay_out_picture(("w",) * rows, references, (), size, beside).width

    assert picture_width(cell) <= width or cell == layout.LEAST
    longest = max(rows, *columns)
    most = next(size for words, size in layout.LARGEST.items() if longest < words)
    assert cell == most or picture_width(cell + 1) > width, "no larger ones fit"


def test_all_metrics_have_the_same_grid() -> None:
    boxes = [picture_of(drawn_result(result_of(key, "one reference"), width=700)).boxes for key in KEYS]
    assert len(boxes) > 9 and all(other == boxes[0] for other in boxes)


# ---------------------------------------------------------------- ties, two results and many results


@every_case
def test_ties_are_rings_and_tints(key: str, name: str, given: dict[str, Any]) -> None:
    result = result_of(key, name, given)
    used = sorted(used_cells(result))
    always, sometimes = frozenset(used[::2]), frozenset(used[1::2]) | (set(all_hits(result)) - set(used))
    drawn = marks.ResultMarks.from_result(result).shapes(all_hits(result), ties=(always, frozenset(sometimes)))
    in_rounds = {cell for cell in always if cell in first_rounds(result)}
    assert count_cells(shapes_of_role(drawn, "always", kind="ring")) == Counter(always - in_rounds)
    assert count_cells(shapes_of_role(drawn, "always", kind="polygon")) == Counter(in_rounds)
    assert count_cells(shapes_of_role(drawn, "sometimes")) == Counter(sometimes)
    assert all(polygon_area(s.points) == 1 for s in shapes_of_role(drawn, "always", "sometimes", kind="polygon"))
    assert [s for s in drawn if s.role not in ("always", "sometimes")] == result_shapes(result)
    named = [says for says, _ in legend.legend_entries_of_shapes(drawn)]
    assert ("on every best alignment" in named) == bool(always)
    assert ("on some best alignments" in named) == bool(sometimes)


@pytest.mark.parametrize("name", SEGMENTS)
@pytest.mark.parametrize(("a", "b"), [("gtm", "rouge_l"), ("sia", "dcs"), ("rouge_n", "rouge_n")])
def test_an_overlay_shows_which_of_two_uses_each_cell(name: str, a: str, b: str) -> None:
    first, second = result_of(a, name), result_of(b, name)
    drawn = overlay.overlay(first, second, all_hits(first), ("One", "Two"))
    ours, theirs = used_cells(first), used_cells(second)
    assert count_cells(shapes_of_role(drawn, "first")) == Counter(ours)
    assert count_cells(shapes_of_role(drawn, "second")) == Counter(theirs)
    for s in shapes_of_role(drawn, "first", "second"):
        side = -1 if s.role == "first" else 1
        assert s.cell and all(side * (column - s.cell.j - 0.5) > 0 for _, column in s.points), "on its own side"
        assert s.says == ("used by One" if s.role == "first" else "used by Two")
    assert count_cells(shapes_of_role(drawn, "both")) == Counter(ours & theirs)
    assert count_cells(shapes_of_role(drawn, "unused")) == Counter(set(all_hits(first)) - ours - theirs)
    assert {s.says for s in shapes_of_role(drawn, "both")} <= {"used by both"}
    named = [says for says, _ in legend.legend_entries_of_shapes(drawn)]
    assert ("used by One" in named, "used by Two" in named) == (bool(ours), bool(theirs))
    assert ("used by both" in named) == bool(ours & theirs)


def test_an_overlay_is_named_after_its_metrics() -> None:
    a, b = result_of("gtm", "two references"), result_of("rouge_l", "two references")
    assert {s.says for s in overlay.overlay(a, b)} == {"used by GTM", "used by ROUGE-L", "used by both"}


@pytest.mark.parametrize("name", SEGMENTS)
def test_shared_cells_have_their_number_and_its_tint(name: str) -> None:
    results = [result_of(key, name) for key in ("rouge_n", "rouge_l", "gtm", "sia", "dcs")]
    counts = Counter(cell for result in results for cell in used_cells(result))
    hits = all_hits(results[0])
    drawn = overlay.overlay_many(counts, len(results), hits)
    digits, squares = shapes_of_role(drawn, "shared", kind="digit"), shapes_of_role(drawn, "shared", kind="polygon")
    assert Counter({s.cell: s.number for s in digits}) == counts == Counter({s.cell: s.number for s in squares})
    assert count_cells(shapes_of_role(drawn, "unused")) == Counter(set(hits) - set(counts))
    fills = {s.number: placed_shapes.ink_of(s).fill for s in squares}
    assert sorted(fills.values()) == [fills[count] for count in sorted(fills)], "the more, the darker"
    assert len(set(fills.values())) == len(set(counts.values())), "five counts, five tints"
    named = [says for says, _ in legend.legend_entries_of_shapes(drawn)]
    assert {f"used by {count}" for count in counts.values()} == {says for says in named if says.startswith("used")}


def covered_digits(drawn: picture.Picture) -> list[picture.PlacedShape]:
    """Return the digits in cells of the picture that are covered by a filled shape of a later group."""
    out, seen = [], dict[tuple[int, ...], list[picture.PlacedShape]]()
    for group in drawn.groups:
        for member in group.members:
            if member.cell and member.kind == "digit":
                seen.setdefault(member.cell, []).append(member)
            elif member.cell and group.ink.fill and "selected" not in member.name:
                out += seen.get(member.cell, ())
    return out


def test_no_number_is_under_its_cell() -> None:
    """Check that no filled shape covers a number, although shapes that look alike are drawn as one group.

    That group may include shapes of later cells."""
    drawn = 0
    for name in SEGMENTS:
        results = {key: result_of(key, name) for key in KEYS}
        texts, hits = texts_of(results["gtm"]), all_hits(results["gtm"])
        pictures = [picture_of_all(texts, results, hits, 800)]
        pictures += [picture_of(drawn_result(result)) for result in results.values()]
        for each in pictures:
            assert not covered_digits(each), each.title
            drawn += sum([member.kind == "digit" for group in each.groups for member in group.members])
    assert drawn > 100


def test_tints_grow_darker() -> None:
    alphas = [theme.tint_alpha(level, theme.LEVELS) for level in range(1, theme.LEVELS + 1)]
    assert alphas == sorted(set(alphas)) and alphas[0] > 0.1 and alphas[-1] == 1
    for total in (1, 2, 14, 30):
        levels = [theme.tint_level(count, total) for count in range(1, total + 1)]
        assert levels == sorted(levels) and levels[-1] == theme.LEVELS and levels[0] >= 1
    drawn = overlay.overlay_many({Hit(0, 0, 0): 1, Hit(1, 0, 1): 2, Hit(2, 0, 2): 14}, 14)
    assert [says for says, _ in legend.legend_entries_of_shapes(drawn)] == ["used by 1 to 2", "used by 14"]


def test_a_difference_is_drawn_by_what_changed() -> None:
    """Check the shapes where “big” replaces “cat”: a cross on the lost cell and a triangle on the gained one."""
    reference = ["the big cat sat".split()]
    before, after = (metrics.score("rouge_n", c.split(), reference) for c in ("the cat sat", "the big sat"))
    found = match_difference(before, after)
    drawn = differences.cell_shapes(found)
    by_look: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for s in drawn:
        assert s.cell
        by_look.setdefault((s.role, s.kind), []).append((s.cell.k, s.cell.j))
    assert by_look == {("kept", "dot"): [(0, 0), (0, 3)], ("lost", "cross"): [(0, 2)], ("gained", "triangle"): [(0, 1)]}


BADGES = [  # metric, settings, references, and each reference's badges for the candidate “a b”
    ("wer", {}, ["x y", "a b"], {1: ["decides"]}),
    ("wer", {}, ["a x", "a y"], {0: ["tied, drawn"], 1: ["tied"]}),
    ("wer", {}, ["a b c d e f", "a x", "a y"], {1: ["tied, drawn"], 2: ["tied"]}),
    ("rouge_n", {}, ["x y", "a c"], {1: ["decides"]}),
    ("rouge_n", {}, ["a b c", "b"], {0: ["decides precision"], 1: ["decides recall"]}),
    (
        "rouge_n",
        {},
        ["a b c d", "b a c", "b"],
        {0: ["tied for precision, drawn"], 1: ["tied for precision"], 2: ["decides recall"]},
    ),
    ("rouge_n", {}, ["a x", "a y"], {0: ["tied, drawn"], 1: ["tied"]}),
    ("bleu", {}, ["x y", "a b c"], {0: ["decides brevity penalty"]}),
    ("bleu", {}, ["x y", "a b"], {0: ["decides brevity penalty"]}),
    ("gtm", {}, ["x y", "a b"], {}),
    ("wer", {}, ["a b"], {}),
]


@pytest.mark.parametrize(("key", "given", "references", "badges"), BADGES)
def test_badges_say_what_a_reference_decides(
    key: str, given: dict[str, Any], references: list[str], badges: dict[int, list[str]]
) -> None:
    result = metrics.score(key, ["a", "b"], [text.split() for text in references], **given)
    assert marks.badges_by_reference(result) == badges


# ---------------------------------------------------------------- small grids


def path_starts(path: str) -> list[tuple[float, float]]:
    """Return the points at which the pieces of an SVG path start."""
    return [(float(x), float(y)) for x, y in re.findall(r"M([\d.-]+) ([\d.-]+)", path)]


@every_case
def test_small_grids_hold_every_tint_and_every_mark(key: str, name: str, given: dict[str, Any]) -> None:
    result = result_of(key, name, given)
    counts = {cell: n % 5 + 1 for n, cell in enumerate(sorted({*all_hits(result), *used_cells(result)}))}
    root = read(svg.small_grids_svg(result, counts, 5, all_hits(result), room=900)).one("svg", "small")
    used = count_text(len(used_cells(result)), "cell")
    assert root.get("aria-label") == root.one("title").text == f"{metrics.METRICS[key].label} uses {used}"
    width, height = float(root.get("width")), float(root.get("height"))
    paths = [(e, path_starts(e.get("d"))) for e in root.all("path")]
    tints = [(e, found) for e, found in paths if re.search(r"h\d+v", e.get("d"))]
    assert Counter(len(found) for _, found in tints) == Counter(Counter(counts.values()).values())
    opacities = [float(e.get("fill-opacity")) for e, _ in tints]
    assert opacities == sorted(set(opacities))
    for x, y in [place for _, found in paths for place in found]:
        assert -8 <= x <= width + 8 and -8 <= y <= height + 8
    drawn = [s for s in result_shapes(result) if s.kind != "digit"]
    panels = len(result.segment.references)
    others = [e for e, _ in tints]
    assert sum(len(found) for e, found in paths[panels:] if e not in others) == len(drawn)


SMALL = [  # rows, columns of each reference → panels in a row, pixels of a cell
    *((4, [6], 1, 14), (8, [12, 8], 2, 13), (30, [30], 1, 9), (30, [29, 30, 28, 28], 2, 4), (100, [100], 1, 3)),
    *((130, [130], 1, 3), (130, [130] * 4, 2, 3), (1, [9] * 9, 2, 14), (0, [0], 1, 14)),
]


@pytest.mark.parametrize(("rows", "columns", "a_row", "cell"), SMALL)
def test_small_grids_use_their_room(rows: int, columns: list[int], a_row: int, cell: int) -> None:
    result = metrics.score("gtm", ["w"] * rows, [["x"] * n for n in columns])
    root = read(svg.small_grids_svg(result, {}, 1)).one("svg", "small")
    frames = [path_starts(e.get("d")) for e in root.all("path")][: len(columns)]
    lefts = [min(x for x, _ in frame) for frame in frames]
    assert sum(y == frames[0][0][1] for ((_, y), *_) in frames) == a_row
    assert lefts[0] == lefts[a_row % len(lefts)] == 1
    if a_row > 1:
        assert lefts[1] - lefts[0] == (columns[0] + 1) * cell
    rest = [sum(columns[at : at + a_row]) + len(columns[at : at + a_row]) - 1 for at in range(0, len(columns), a_row)]
    assert int(root.get("width")) == max(1, *rest) * cell + 2
    assert int(root.get("width")) <= 282 or cell == 3


# ---------------------------------------------------------------- lengths


def result_of_lengths(
    n: int,
    references: list[str],
    key: str = "bleu",
    penalty: float = 0.5,
    used: float | None = None,
    decides: int | None = None,
) -> Result:
    used = len(references[decides or 0]) if used is None else used
    segment = Segment(("w",) * n, tuple(map(tuple, references)))
    part, length = metrics.METRICS[key].length_penalty, "mean_reference_length" if key == "sia" else "reference_length"
    decided = {} if decides is None else {part: decides}
    return Result(
        key, metrics.settings(key), segment, 0, {part: penalty}, {"candidate_length": n, length: used}, (), decided
    )


LENGTHS = [  # result → caption, and the width of three parts: the candidate, what it lacks, and the line
    (
        result_of_lengths(4, ["x" * 5], decides=0),
        "Brevity penalty 0.500 4 words against the 5 of the reference",
        80,
        20,
        100,
    ),
    (result_of_lengths(4, ["xx", "x" * 8], decides=1), "… 4 words against the 8 of reference 2", 50, 50, 100),
    (result_of_lengths(4, ["xx", "x" * 8], decides=0), "… 4 words against the 2 of reference 1", 50, 0, 25),
    (
        result_of_lengths(1, ["xx", "x"], "sia", used=1.5),
        "… 1 word against 1.50, the mean of the references",
        50,
        25,
        75,
    ),
    (result_of_lengths(4, ["xx", "x" * 8], "nist", used=5), "… against 5, the mean of the references", 50, 12.5, 62.5),
    (result_of_lengths(0, [""], "sia", 0.0, decides=0), "Length penalty 0 0 words against the 0", 0, 0, 0),
]


@pytest.mark.parametrize(("result", "says", "own", "short", "line"), LENGTHS)
def test_lengths_are_bars(result: Result, says: str, own: float, short: float, line: float) -> None:
    html = charts.lengths_html(result)
    root = read(html)
    text = " ".join(re.sub("<[^>]*>", " ", html).split())
    assert text.startswith(says) if says[0] != "…" else says[2:] in text
    assert root.one("rect", "own").get("width") == f"{own:.2f}%"
    lacking = [(e.get("x1"), e.get("x2")) for e in root.all("line", "short")]
    assert lacking == ([(f"{own:.2f}%", f"{own + short:.2f}%")] if short else [])
    used = root.one("svg", "used").one("line")
    assert used.get("x1") == used.get("x2") == f"{line:.2f}%"
    sentences = (result.segment.candidate, *result.segment.references)
    longest = max(1, *map(len, sentences))
    bars = [float(e.get("width").removesuffix("%")) for e in root.all("rect")]
    assert bars == [pytest.approx(100 * len(s) / longest, abs=0.01) for s in sentences]
    assert [e.text for e in root.all("em")] == [str(len(s)) for s in sentences]


def test_many_lengths_stand_in_one_row() -> None:
    references = ["x" * n for n in (3, 4, 4, 8, 6, 5)]
    root = read(charts.lengths_html(result_of_lengths(4, references, decides=3)))
    assert "6 references" in root.text and [e.text for e in root.all("em")] == ["4", "3–8"]
    ticks = [e for e in root.all("line") if e.get("y2") == "8"]
    assert [e.get("x1") for e in ticks] == ["37.50%", "50.00%", "62.50%", "75.00%", "100.00%"]
    assert root.one("svg", "used").one("line").get("x1") == "100.00%"
    assert "5 references" not in charts.lengths_html(result_of_lengths(4, references[:5], decides=3))


@pytest.mark.parametrize("key", metrics.METRICS)
def test_every_penalty_on_lengths_is_drawn(key: str) -> None:
    for name in SEGMENTS:
        result = result_of(key, name)
        html = charts.lengths_html(result)
        named = [part for part in ("brevity_penalty", "length_penalty") if part in result.parts]
        assert bool(html) == bool(named)
        for part in named:
            assert f"{part.replace('_', ' ').capitalize()} {formula.format_number(result.parts[part])}" in html


def test_a_penalty_that_is_switched_off_is_not_drawn() -> None:
    tokens = "a b c".split()
    assert charts.lengths_html(metrics.score("sia", tokens[:2], [tokens]))
    assert not charts.lengths_html(metrics.score("sia", tokens[:2], [tokens], length_penalty=False))


# ---------------------------------------------------------------- the overview


@pytest.mark.parametrize(("n", "m"), [(150, 140), (300, 300), (2000, 1900), (400, 10), (181, 181)])
def test_the_overview_counts_every_match(n: int, m: int) -> None:
    from viz.state.results import cache

    candidate, reference = [f"w{i % 50}" for i in range(n)], [f"w{j % 40}" for j in range(m)]
    result = metrics.score("gtm", candidate, [reference])
    used = used_cells(result)
    step = charts.words_per_square(n, m)
    assert math.ceil(max(n, m) / step) <= 90
    counted = cache.hits_per_square(result.segment, 0, step)
    rows, columns = Counter(candidate), Counter(reference)
    assert sum(counted.values()) == sum(rows[word] * columns[word] for word in rows)
    figure = charts.overview_figure(n, m, counted, used, Window(0, 3, 4, 40, 10))
    go.Figure(figure)  # Plotly raises for an unknown property
    squares, frame = figure["data"]
    assert sum(data[2] for data in squares["customdata"]) == sum(counted.values())
    assert sum(data[3] for data in squares["customdata"]) == len(used)
    for x, y, data in zip(squares["x"], squares["y"], squares["customdata"], strict=True):
        assert 0 < x < m and 0 < y < n, "a square beyond the axes is not drawn"
        assert charts.clicked_square({"customdata": data}) == (int(y), int(x))
        assert counted[int(y) // step, int(x) // step] == data[2]
    assert (min(frame["x"]), max(frame["x"]), min(frame["y"]), max(frame["y"])) == (4, 14, 3, 43)


FLAT = [  # (row, column) of a line's ends → whether the window of rows 5 to 9 and columns 2 to 4 shows it
    (((5, 2), (5, 3)), True),  # along the upper border
    (((9, 2), (9, 3)), True),
    (((4, 2), (4, 3)), False),
    (((10, 2), (10, 3)), False),
    (((5, 4), (6, 4)), True),  # along the right border
    (((5, 1), (6, 1)), False),
    (((3, 2), (5, 2)), False),  # ends where the window starts
    (((3, 2), (6, 2)), True),
    (((8, 1), (9, 2)), False),  # in the next cell outside
    (((8, 1), (9, 3)), True),
    (((5, 2),), True),
    (((9, 4),), True),
    (((9.5, 4),), False),
]


@pytest.mark.parametrize(("points", "shown"), FLAT)
def test_what_lies_on_the_border_of_a_window_is_shown(points: Any, shown: bool) -> None:
    shape = marks.Shape("line", "missing", 1, points)
    assert Window(1, 5, 2, 4, 2).touches(shape) == shown
    assert not Window(0, 5, 2, 4, 2).touches(shape)


def test_a_window_holds_the_edits_inside_it() -> None:
    candidate = [f"w{n}" for n in range(150)]
    reference = [word for n, word in enumerate(candidate) if n % 10 != 3]  # w3, w13, … are extra words
    result = metrics.score("wer", candidate, [reference])
    drawn = picture_of(drawn_result(result, hits=(), window=Window(0, 20, 15, 30, 20)))
    members = [p for group in drawn.groups for p in group.members]
    extra = [p.term for p in members if p.name.startswith("plus extra")]
    rows = [result.layers[n].marks[t].i_start for n, t in extra]
    assert rows == [23, 33]  # w13 and w43 are extra words too, in columns outside the window
    assert {p.cell.i for p in members if p.cell} == {n for n in range(20, 39) if n % 10 != 3}


def test_hits_of_a_window_are_those_of_the_grid_inside_it() -> None:
    from viz.state.results import cache

    result = result_of("gtm", "repeats")
    for window in (Window(0, 1, 2, 3, 2), Window(1, 0, 0, 99, 99), Window(0, 4, 4, 1, 1)):
        inside = [h for h in all_hits(result) if window.holds(h)]
        assert sorted(cache.window_hits(result.segment, window)) == sorted(inside) and inside


# ---------------------------------------------------------------- signs on the edges


EDGED = [("wer", "a b c", "a b"), ("wer", "x a b", "a b"), ("wer", "a b", "a b c"), ("ter", "a b", "x a b")]


@pytest.mark.parametrize("cell", [8, 24, 48])
@pytest.mark.parametrize(("key", "candidate", "reference"), EDGED)
def test_signs_on_the_edges_are_seen_whole(key, candidate, reference, cell):
    result = metrics.score(key, candidate.split(), [reference.split()])
    drawn = picture.lay_out_picture(*result.segment, marks.ResultMarks.from_result(result).shapes(), cell, 1)
    signs = [shape for group in drawn.groups for shape in group.members if shape.sign]
    assert signs
    for sign in signs:
        ((x, y),) = sign.points
        assert sign.size <= x <= drawn.width - sign.size and sign.size <= y <= drawn.height - sign.size


def test_signs_on_the_edges_of_a_text_are_not_cut_off_by_a_window():
    words = [f"w{n}" for n in range(60)]
    result = metrics.score("wer", ["x", *words, "y"], [words])
    shapes, (candidate, references) = marks.ResultMarks.from_result(result).shapes(), result.segment
    for start, sides in ((0, "left above"), (22, "right below"), (10, "")):
        drawn = picture.lay_out_window(candidate, references, shapes, Window(0, start, min(start, 20), 40, 40), 14)
        of = dict(zip(("left", "above", "right", "below"), drawn.beyond, strict=True))
        assert {side for side, pixels in of.items() if pixels} == set(sides.split())
        assert all(pixels in (0, layout.SIGN) for pixels in drawn.beyond)
        inner = ElementTree.fromstring(svg.svg_in_page(drawn)).find(".//svg")
        box = drawn.boxes[0]
        assert float(inner.get("x")) == box.x - of["left"]
        assert float(inner.get("width")) == box.columns * 14 + of["left"] + of["right"]


def test_signs_of_a_small_grid_lie_within_it():
    result = metrics.score("wer", "x a b c".split(), ["a b".split()])
    small = ElementTree.fromstring(svg.small_grids_svg(result, {}, 1, room=60))
    left, top, wide, _ = map(float, (small.get("viewBox") or "").split())
    assert wide <= 60 and left == top < 0
    ends = [float(n) for path in small.iter("path") for n in re.findall(r"M(-?[\d.]+) ", path.get("d") or "")]
    assert left <= min(ends) < 0, "the sign of the first word lies on the left edge of the grid"
    plain = ElementTree.fromstring(svg.small_grids_svg(metrics.score("wer", ["a"], [["a"]]), {}, 1, room=60))
    assert (plain.get("viewBox") or "").startswith("0 0 ")
