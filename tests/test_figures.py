"""Figures: what is drawn is the result, all of it and nothing else, in its place."""

import base64
import json
import math
import re
from collections import Counter
from html import unescape
from itertools import combinations, groupby, pairwise
from typing import NamedTuple
from xml.etree import ElementTree

import plotly.graph_objects as go
import pytest
from segments import (
    CASES,
    MADE,
    SEGMENTS,
    all_hits,
    case_id,
    edits,
    layers_shown,
    numbers,
    relations,
    result_of,
    used_cells,
)

import metrics
from metrics import formula
from metrics.types import Edit, Hit, Layer, Neighbours, Result, Run, Segment, Shift, SkipBigram
from viz.draw import charts, crossings, grid, marks, svg, theme, words
from viz.draw.grid import Geometry, Window
from viz.draw.marks import Selection

every_case = pytest.mark.parametrize(("key", "name", "given"), CASES, ids=case_id)
GEO = Geometry(24, 9, True)


def draw(result, chosen=None, rounds=None, geo=GEO, window=None):
    drawn = marks.shapes(result, all_hits(result), chosen, rounds)
    return grid.figure(*result.segment, drawn, geo, window=window)


w = "w"


class Line(NamedTuple):
    k: int
    points: tuple[tuple[float, float], ...]
    width: float
    dashed: bool

    def pieces(self):
        return [(self.k, piece) for piece in pairwise(self.points)]


class Seen:
    """What a figure shows, read back from its traces: lists of what lies in which reference's panel."""

    def __init__(self, figure):
        self.layout = figure["layout"]
        of_axis = {"x" + suffix: k for k, suffix in self.layout["meta"]["panels"]}
        self.dots, self.digits, self.polygons, self.lines = {}, {}, {}, {}  # by name, colour or fill
        self.signs, self.symbols = {}, {}  # by name
        self.opacities = Counter()
        for trace in figure["data"]:
            k = of_axis[trace["xaxis"]]
            assert trace["yaxis"] == trace["xaxis"].replace("x", "y")
            points = list(zip(trace["x"], trace["y"], strict=True))
            clicks = [grid.clicked({"customdata": data}) for data in trace.get("customdata", [])]
            if clicks and isinstance(clicks[0], Selection):
                places = [(k, (y + 0.5, x + 0.5)) for x, y in points]
                says = [tuple(data[:2]) for data in trace["customdata"]]
                self.add(self.signs, trace["name"], list(zip(places, clicks, trace["text"], says, strict=True)), trace)
            elif trace["mode"] == "markers":
                cells = [Hit(y, k, x) for x, y in points]
                self.add(self.dots, trace["name"], cells, trace)
                assert clicks == cells
                for data in trace["customdata"]:
                    assert data[7] == ("=" if data[0] == data[2] else "≠" if trace["marker"]["symbol"] == "x" else "≈")
                self.symbols.setdefault(trace["name"], set()).add(trace["marker"]["symbol"])
            elif trace["mode"] == "text":
                cells = [(Hit(int(y), k, int(x)), text) for (x, y), text in zip(points, trace["text"], strict=True)]
                self.add(self.digits, trace["textfont"].get("color", "ink"), cells, trace)
            else:
                pieces = [list(g) for gap, g in groupby(points, key=lambda p: p[0] is None) if not gap]
                # Back to rows and columns whose cells start at whole numbers.
                pieces = [(k, [(y + 0.5, x + 0.5) for x, y in piece]) for piece in pieces]
                if trace.get("fill") == "toself":
                    assert all(p[0] == p[-1] for _, p in pieces), "polygons are closed"
                    self.add(self.polygons, trace["line"]["color"], pieces, trace)
                else:
                    style = trace["line"]
                    lines = [Line(k, tuple(p), style["width"], "dash" in style) for k, p in pieces]
                    self.add(self.lines, style["color"], lines, trace)

    def add(self, found, name, things, trace):
        found.setdefault(name, []).extend(things)
        if name not in (theme.FAINT, theme.BARRIER) and trace.get("marker", {}).get("color") != "rgba(0,0,0,0)":
            self.opacities[name, trace.get("opacity", 1.0)] += len(things)

    def drawn(self, but=()):
        """All lines but those between cells."""
        colours = [colour for colour in self.lines if colour not in (theme.FAINT, theme.BARRIER, *but)]
        return [line for colour in colours for line in self.lines[colour]]

    def inside(self, polygons):
        """The whole cells whose middle a list of squares encloses."""
        return {
            Hit(math.floor(min(r for r, _ in p)), k, math.floor(min(c for _, c in p)))
            for k, p in polygons
            if len(p) == 5
        }


def area(polygon):
    return abs(sum(a * d - b * c for (a, b), (c, d) in zip(polygon, polygon[1:] + polygon[:1], strict=True))) / 2


# ---------------------------------------------------------------- the grid


@every_case
def test_the_grid_shows_each_mark_once_and_nothing_else(key, name, given):
    result = result_of(key, name, given)
    figure = draw(result)
    go.Figure(figure)  # raises for whatever Plotly does not know
    json.dumps(figure, allow_nan=False)
    check_against(Seen(figure), result, None)


SAYS = {
    "equal": ("used", "circle"),
    "stem": ("same stem", "diamond"),
    "synonym": ("synonym", "triangle-up"),
    "similar": ("similar word", "hexagon"),
    "different": ("substituted", "x"),
}


def check_against(seen, result, rounds):
    used, layers = relations(result, rounds), layers_shown(result, rounds)
    first = numbers(result, rounds)
    by_name = {name: [] for name, _ in SAYS.values()}
    for cell, relation in used.items():
        # Clear markers over the cells of rounds, visible ones over the others.
        by_name["used" if cell in first else SAYS[relation][0]].append(cell)
    for relation, (name, symbol) in SAYS.items():
        assert Counter(seen.dots.get(name, [])) == Counter(by_name[name])
        visible = [cell for cell, r in used.items() if r == relation and cell not in first]
        assert not visible or symbol in seen.symbols[name]
    assert Counter(seen.dots.get("match, not used", [])) == Counter(set(all_hits(result)) - set(used))
    assert "selected" not in {*seen.dots, *seen.signs}
    assert theme.VERMILION not in {**seen.polygons, **seen.lines, **seen.digits}

    digits = [d for found in seen.digits.values() for d in found]
    assert Counter(digits) == Counter((cell, str(number)) for cell, number in first.items())

    blocks = [(m.k, m.length) for x in layers if x.area for m in x.marks if isinstance(m, Run)]
    triangles = [
        (m.first.k, c) for x in layers for m, c in zip(x.marks, x.credits, strict=True) if isinstance(m, Neighbours)
    ]
    shifts = [m for x in layers for m in x.marks if isinstance(m, Shift)]
    drawn = [p for found in seen.polygons.values() for p in found]
    squares = [(k, p) for k, p in drawn if len(p) == 5]
    alike = [cell for cell in first if used[cell] == "equal"]
    assert len(squares) == len(blocks) + len(alike)
    assert sum(len(p) == 7 for _, p in drawn) == len(first) - len(alike), "hexagons of words that are not equal"
    if not first:
        assert sorted((k, round(area(p), 9)) for k, p in squares) == sorted((k, round(n * n, 9)) for k, n in blocks)
    shown = [(k, p) for k, p in drawn if len(p) == 4]
    assert len(shown) == 2 * len(triangles) + len(shifts), "triangles, and the heads of arrows"
    if not shifts:
        assert math.isclose(sum(area(p) for _, p in shown), sum(credit for _, credit in triangles), abs_tol=1e-9)
    assert len(squares) + len(shown) + len(first) - len(alike) == len(drawn)
    check_lines(seen, layers)
    check_signs(seen, result)


def check_lines(seen, layers):
    paths = {}
    for layer in layers:
        for mark in layer.marks if layer.path else ():
            for c in mark.cells():
                paths.setdefault((layer.name, c.k), []).append((c.i + 0.5, c.j + 0.5))
    lines = [line for line in seen.drawn() if not line.dashed]
    for (_, k), points in paths.items():
        if len(points) > 1:
            lines.remove(Line(k, tuple(points), 2.0, False))

    # The links: each step from a cell to the next once, the thicker the more layers have it.
    steps = Counter()
    for layer in layers:
        if not (layer.area or layer.path):
            runs = [mark.cells() for mark in layer.marks if isinstance(mark, Run)]
            steps.update({step for cells in runs for step in pairwise(cells)})
    links = [line for line in lines if line.points[0][0] % 1]
    found = {}
    for k, ((i, j), (i_end, j_end)), width, _ in links:
        for d in range(round(i_end - i)):
            step = (Hit(int(i) + d, k, int(j) + d), Hit(int(i) + d + 1, k, int(j) + d + 1))
            assert step not in found, "a step is drawn once"
            found[step] = width
        assert i_end - i == j_end - j > 0
    assert found == {step: grid.line_width("link", level, 24) for step, level in steps.items()}

    # Edit scripts: every edit is a piece of a line between corners; where one ends another goes on.
    script = [mark for layer in layers for mark in layer.marks if isinstance(mark, Edit)]
    ends = [((e.k), ((e.i_start, e.j_start), (e.i_end, e.j_end))) for e in script]
    gaps = [end for end, e in zip(ends, script, strict=True) if e.op in ("insertion", "deletion")]
    mauve = [line for line in lines if line.width == grid.line_width("missing", 0, 24)]
    assert Counter(piece for line in mauve for piece in line.pieces()) == Counter(gaps)
    assert all(line in seen.lines[theme.MAUVE] for line in mauve)
    corners = [line for line in lines if line not in links and line not in mauve]
    assert Counter(piece for line in corners for piece in line.pieces()) == Counter(ends)
    assert all(line in seen.lines[theme.BLUE] for line in corners)
    starts = Counter((line.k, line.points[0]) for line in corners)
    assert not [line for line in corners if starts[line.k, line.points[-1]]], "lines that meet are one"


def check_signs(seen, result):
    candidate, references = result.segment
    expected = {}
    for n, layer in enumerate(result.layers):
        for t, mark in enumerate(layer.marks):
            if isinstance(mark, Edit) and mark.op in ("insertion", "deletion"):
                says, sign = ("extra word", "+") if mark.op == "insertion" else ("missing word", "−")
                middle = ((mark.i_start + mark.i_end) / 2, (mark.j_start + mark.j_end) / 2)
                shown = candidate[mark.i_start : mark.i_end] if sign == "+" else references[mark.k]
                shown = shown if sign == "+" else shown[mark.j_start : mark.j_end]
                first = mark.i_start if sign == "+" else mark.j_start
                data = (theme.safe(" ".join(shown), 80), theme.positions_text(first, len(shown)))
                expected.setdefault(says, []).append(((mark.k, middle), Selection(n, t), sign, data))
    assert {name: Counter(found) for name, found in seen.signs.items()} == {
        name: Counter(found) for name, found in expected.items()
    }


@every_case
def test_an_edit_script_that_tiles_is_one_path(key, name, given):
    result = result_of(key, name, given)
    script = edits(result, "match", "substitution", "insertion", "deletion")
    if not script or any(isinstance(m, Shift) for x in result.layers for m in x.marks):
        return
    n, m = len(result.segment.candidate), len(result.segment.references[script[0].k])
    (path,) = [s for s in marks.shapes(result) if s.role == "path"]
    assert (path.points[0], path.points[-1]) == ((0, 0), (n, m))
    assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in pairwise(path.points))


def test_lines_grow_thicker_with_their_level():
    assert [grid.line_width("link", level, 24) for level in (1, 2, 3, 4)] == [2, 3.5, 5, 6.5]
    assert grid.line_width("missing", 0, 24) > grid.line_width("path", 0, 24) > grid.line_width("path", 0, 9)


def test_moved_blocks_are_not_joined():
    result = result_of("made", "shifts")
    paths = [s.points for s in marks.shapes(result) if s.role == "path"]
    assert sorted(paths) == [((0, 8), (2, 10)), ((2, 0), (5, 3), (6, 4), (8, 6)), ((8, 8), (9, 8)), ((9, 6), (11, 8))]


ARROWS = {  # round → bar, shaft, head: (row, column) pairs
    # "in London", rows 0 and 1, columns 8 and 9, moves down behind the last row.
    ("shifts", 1): [((11, 8), (11, 10)), ((2, 9), (10.6, 9)), ((11, 9), (10.6, 8.76), (10.6, 9.24))],
    # "and France", rows 9 and 10, columns 6 and 7, moves up in front of "yesterday" in row 8.
    ("shifts", 2): [((8, 6), (8, 8)), ((9, 7), (8.4, 7)), ((8, 7), (8.4, 6.76), (8.4, 7.24))],
    # "b c", rows 1 and 2, moves behind "d" in row 3.
    ("a block of words from apart", 1): [((4, 1), (4, 3)), ((3, 2), (3.6, 2)), ((4, 2), (3.6, 1.76), (3.6, 2.24))],
    # "d b", rows 3 and 1, moves in front of "a" in row 0.
    ("a block of words from apart", 2): [((0, 0), (0, 2)), ((1, 1), (0.4, 1)), ((0, 1), (0.4, 0.76), (0.4, 1.24))],
}


@pytest.mark.parametrize("name", ["shifts", "a block of words from apart"])
@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_arrows_show_where_blocks_go(name, rounds):
    result = result_of("made", name)
    seen = Seen(draw(result, rounds=rounds))
    for number in (1, 2):
        colour, k = theme.round_colour(number), result.layers[0].marks[0].k
        found = [rounded(line.points) for line in seen.lines.get(colour, []) if line.dashed]
        found += [rounded(p[:-1]) for other, p in seen.polygons.get(colour, []) if len(p) == 4 and other == k]
        assert found == (ARROWS[name, number] if number <= rounds else [])
    for number in range(1, rounds + 1):
        seen = Seen(draw(result, Selection(number - 1, 0), rounds=rounds))
        assert [rounded(line.points) for line in seen.lines[theme.VERMILION]] == ARROWS[name, number][:2]
        (head,) = [p for _, p in seen.polygons[theme.VERMILION] if len(p) == 4]
        assert rounded(head[:-1]) == ARROWS[name, number][2]


def rounded(points):
    return tuple([(round(row, 6), round(column, 6)) for row, column in points])


@pytest.mark.parametrize("rounds", [0, 1, 2, 3])
def test_only_the_rounds_asked_for_are_drawn(rounds):
    result = result_of("sia", "two references")
    check_against(Seen(draw(result, rounds=rounds)), result, rounds)


@every_case
def test_a_chosen_term_is_vermilion_and_the_rest_steps_back(key, name, given):
    result = result_of(key, name, given)
    for term in list(marks.terms(result))[:6]:
        figure = draw(result, Selection(term.layer, term.t))
        seen = Seen(figure)
        digits = [cell for cell, _ in seen.digits.get(theme.VERMILION, [])]
        assert Counter(seen.dots.get("selected", []) + digits) == Counter(term.mark.cells())
        squares = [(k, p) for k, p in seen.polygons.get(theme.VERMILION, []) if math.isclose(area(p), 0.94**2)]
        assert Counter(seen.inside(squares)) == Counter(term.mark.cells())
        if isinstance(term.mark, Edit) and term.mark.op in ("insertion", "deletion"):
            _, i, i_end, k, j, j_end = term.mark
            (line,), ((place, selection, *_),) = seen.lines[theme.VERMILION], seen.signs["selected"]
            assert line[:2] == (k, ((i, j), (i_end, j_end)))
            assert (place, selection) == ((k, ((i + i_end) / 2, (j + j_end) / 2)), Selection(term.layer, term.t))
        else:
            assert "selected" not in seen.signs
        assert json.dumps(figure).count(theme.VERMILION) > 0
        for name_, opacity in seen.opacities:
            selected = name_ in (theme.VERMILION, "selected")
            assert opacity == 1.0 if selected else opacity <= 0.5, f"{name_} at {opacity}"


def test_a_term_of_a_hidden_round_is_not_selected():
    result = result_of("sia", "two references")
    last = Selection(2, 0)
    assert last.of(result).mark == result.layers[2].marks[0] and last.of(result, 2) is None
    assert draw(result, last, rounds=2) == draw(result, None, rounds=2)


@pytest.mark.parametrize(
    "chosen", [Selection(), Selection(9, 0), Selection(0, 9), Selection(-1, -1), Selection(0, -1)], ids=str
)
def test_a_selection_of_nothing_draws_nothing(chosen):
    result = result_of("gtm", "one reference")
    assert chosen.of(result) is None
    assert draw(result, chosen) == draw(result)


@every_case
@pytest.mark.parametrize("geo", [GEO, Geometry(9, 1, False)], ids=["joined", "stacked"])
def test_everything_lies_inside_its_panel_and_cells_are_square(key, name, given, geo):
    result = result_of(key, name, given)
    term = next(marks.terms(result), None)
    figure = draw(result, Selection(term.layer, term.t) if term else None, geo=geo)
    layout = figure["layout"]
    for trace in figure["data"]:
        across, down = layout[trace["xaxis"].replace("x", "xaxis")], layout[trace["yaxis"].replace("y", "yaxis")]
        barrier = trace.get("line", {}).get("color") == theme.BARRIER
        for x, y in zip(trace["x"], trace["y"], strict=True):
            assert x is None or barrier or min(across["range"]) <= x <= max(across["range"])
            assert y is None or min(down["range"]) <= y <= max(down["range"])
    for number, (k, suffix) in enumerate(layout["meta"]["panels"]):
        across, down = layout["xaxis" + suffix], layout["yaxis" + suffix]
        for axis, pixels in ((across, layout["width"]), (down, layout["height"])):
            assert 0 <= axis["domain"][0] < axis["domain"][1] <= 1
            size = (axis["domain"][1] - axis["domain"][0]) * pixels / abs(axis["range"][1] - axis["range"][0])
            assert math.isclose(size, geo.cell, rel_tol=1e-9)
        assert across["tickvals"] == list(range(len(result.segment.references[k])))
        assert down["tickvals"] == list(range(len(result.segment.candidate)))
        assert down["range"][0] > down["range"][1], "the first word is at the top"
        assert number == k


def test_panels_do_not_overlap():
    for geo in (GEO, Geometry(14, 2, False), Geometry(9, 1, False)):
        layout = grid.figure("abc", ["ab", "abcd", "a", "xyz"], [], geo)["layout"]
        boxes = [(layout["xaxis" + s]["domain"], layout["yaxis" + s]["domain"]) for _, s in layout["meta"]["panels"]]
        for n, (x, y) in enumerate(boxes):
            for other_x, other_y in boxes[:n]:
                assert x[0] >= other_x[1] or other_x[0] >= x[1] or y[0] >= other_y[1] or other_y[0] >= y[1]


def test_hostile_words_are_only_words():
    for key in metrics.METRICS:
        result = result_of(key, "hostile")
        for figure in (draw(result), charts.arcs(result.segment.candidate, result)):
            texts = [
                text for name, axis in figure["layout"].items() if "axis" in name for text in axis.get("ticktext", [])
            ]
            texts += [s for t in figure["data"] for data in t.get("customdata", []) for s in data if isinstance(s, str)]
            assert len(texts) > 10
            for text in texts:
                assert not set("<>$\"'\u202e\x00\ud800") & set(text.replace("&#36;", "")), text
    layout = draw(result_of("gtm", "hostile"))["layout"]
    shown = ["<b>", "$x$", "%{x}", "&amp;", "<script>alert(1…", "a\ufffdb", "\ufffd", "\ufffd", "\"'", "=1+1"]
    assert [unescape(label) for label in layout["yaxis"]["ticktext"]] == shown


@pytest.mark.parametrize(
    "data", [None, "abcdefgh", [], [1] * 7, [1] * 9, {"i": 1}], ids=["nothing", "text", "empty", "7", "9", "mapping"]
)
def test_a_click_on_nothing_is_no_cell(data):
    assert grid.clicked({"customdata": data}) is None
    assert grid.clicked({}) is None
    if not isinstance(data, str):
        assert charts.clicked_arc({"customdata": data}) is None
        assert charts.clicked_square({"customdata": data}) is None


@every_case
def test_clicks_on_a_cell_visit_all_its_terms(key, name, given):
    result = result_of(key, name, given)
    for cell in relations(result):
        of_cell = [Selection(t.layer, t.t) for t in marks.terms(result) if cell in t.mark.cells()]
        visited, at = [], None
        for _ in of_cell:
            at = marks.term_at(result, cell, at)
            visited.append(at)
        assert visited == of_cell and marks.term_at(result, cell, at) == of_cell[0]
    for cell in set(all_hits(result)) - used_cells(result):
        assert marks.term_at(result, cell) is None
    for term in marks.terms(result):  # an edit without a cell comes as what its marker carries
        chosen = Selection(term.layer, term.t)
        assert marks.term_at(result, chosen) == chosen == marks.term_at(result, chosen, chosen)
    assert marks.term_at(result, Selection(9, 0)) is None


def test_a_click_finds_only_terms_of_rounds_that_are_shown():
    result = result_of("sia", "two references")
    (cell,) = result.layers[2].marks[0].cells()
    assert marks.term_at(result, cell) == Selection(2, 0)
    assert marks.term_at(result, cell, rounds=2) is None


# ---------------------------------------------------------------- ties, two results, many results


@every_case
def test_ties_are_rings_and_tints(key, name, given):
    result = result_of(key, name, given)
    used = sorted(used_cells(result))
    always, sometimes = frozenset(used[::2]), frozenset(used[1::2]) | (set(all_hits(result)) - set(used))
    drawn = marks.shapes(result, all_hits(result), ties=(always, sometimes))
    seen = Seen(grid.figure(*result.segment, drawn, GEO))
    violet = [(k, p) for k, p in seen.polygons.get(theme.VIOLET, []) if math.isclose(area(p), 1)]
    in_rounds = {cell for cell in always if cell in numbers(result)}
    assert Counter(seen.dots.get("used, on every best alignment", [])) == Counter(always - in_rounds)
    assert Counter(seen.inside(violet)) == Counter(sometimes | in_rounds) and len(violet) == len(sometimes | in_rounds)
    without = [s for s in drawn if s.role not in ("always", "sometimes")]
    assert without == marks.shapes(result, all_hits(result))
    legend = words.legend(drawn)
    assert ("on every best alignment" in legend) == bool(always)
    assert ("on some best alignments" in legend) == bool(sometimes)


@pytest.mark.parametrize("name", SEGMENTS)
@pytest.mark.parametrize(("a", "b"), [("gtm", "rouge_l"), ("sia", "dcs"), ("rouge_n", "rouge_n")])
def test_an_overlay_shows_which_of_two_uses_each_cell(name, a, b):
    first, second = result_of(a, name), result_of(b, name)
    drawn = marks.overlay(first, second, all_hits(first), ("One", "Two"))
    figure = grid.figure(*first.segment, drawn, GEO)
    go.Figure(figure)
    seen = Seen(figure)
    ours, theirs = used_cells(first), used_cells(second)
    halves = {}
    for colour, cells in ((theme.BLUE, ours), (theme.OCHRE, theirs)):
        found = seen.polygons.get(colour, [])
        halves[colour] = {Hit(int(p[0][0]), k, int(p[0][1])): p for k, p in found}
        assert set(halves[colour]) == cells and len(found) == len(cells)
    for side, colour in ((-1, theme.BLUE), (1, theme.OCHRE)):
        for cell, p in halves[colour].items():
            assert all(side * (column - cell.j - 0.5) > 0 for _, column in p), "a half on its own side"
    assert Counter(seen.dots.get("used by both", [])) == Counter(ours & theirs)
    assert Counter(seen.dots.get("match, not used", [])) == Counter(set(all_hits(first)) - ours - theirs)
    clear = [t for t in figure["data"] if t.get("marker", {}).get("color") == "rgba(0,0,0,0)"]
    says = {
        grid.clicked({"customdata": data}): text
        for trace in clear
        for data, text in zip(trace["customdata"], trace["text"], strict=True)
    }
    assert says == {
        cell: "used by both" if cell in ours & theirs else f"used by {'One' if cell in ours else 'Two'}"
        for cell in ours | theirs
    }
    legend = words.legend(drawn)
    assert ("used by One" in legend, "used by Two" in legend) == (bool(ours), bool(theirs))
    assert ("used by both" in legend) == bool(ours & theirs)


def test_an_overlay_is_named_after_its_metrics():
    a, b = result_of("gtm", "two references"), result_of("rouge_l", "two references")
    assert {s.says for s in marks.overlay(a, b)} == {"used by GTM", "used by ROUGE-L", "used by both"}
    assert "&lt;b&gt;" in words.legend(marks.overlay(a, b, names=("<b>", "x")))


def counted(name):
    """The results of the first metrics on a segment, and how many of them use each cell."""
    results = [result_of(key, name) for key in ("rouge_n", "rouge_l", "gtm", "sia", "dcs")]
    return results, Counter(cell for result in results for cell in used_cells(result))


@pytest.mark.parametrize("name", SEGMENTS)
def test_shared_cells_have_their_number_and_its_tint(name):
    results, counts = counted(name)
    hits = all_hits(results[0])
    drawn = marks.shared(counts, len(results), hits)
    figure = grid.figure(*results[0].segment, drawn, GEO)
    go.Figure(figure)
    seen = Seen(figure)
    digits = [d for found in seen.digits.values() for d in found]
    assert Counter(digits) == Counter((cell, str(count)) for cell, count in counts.items())
    assert Counter(seen.dots.get("match, not used", [])) == Counter(set(hits) - set(counts))
    fills = {}
    for trace in figure["data"]:
        for x, y in zip(trace["x"], trace["y"], strict=True) if trace.get("fill") else ():
            if x is not None:
                of_axis = {"x" + suffix: k for k, suffix in figure["layout"]["meta"]["panels"]}
                fills.setdefault(trace["fillcolor"], set()).add(Hit(round(y), of_axis[trace["xaxis"]], round(x)))
    by_count = {}
    for cell, count in counts.items():
        by_count.setdefault(count, set()).add(cell)
    assert sorted(map(sorted, fills.values())) == sorted(map(sorted, by_count.values())), "five counts, five tints"
    legend = words.legend(drawn)
    assert all((f"used by {count}<" in legend) == (count in by_count) for count in range(1, 6))


def test_tints_grow_darker():
    alphas = [theme.tint_alpha(level, marks.LEVELS) for level in range(1, marks.LEVELS + 1)]
    assert alphas == sorted(set(alphas)) and alphas[0] > 0.1 and alphas[-1] == 1
    for total in (1, 2, 14, 30):
        levels = [marks.tint(count, total) for count in range(1, total + 1)]
        assert levels == sorted(levels) and levels[-1] == marks.LEVELS and levels[0] >= 1
    drawn = marks.shared({Hit(0, 0, 0): 1, Hit(1, 0, 1): 2, Hit(2, 0, 2): 14}, 14)
    assert [says for says, _ in marks.legend(drawn)] == ["used by 1 to 2", "used by 14"]
    counts = {Hit(n, 0, n): n + 1 for n in range(14)}
    words_ = [w] * 14
    figure = grid.figure(words_, [words_], marks.shared(counts, 14), GEO)
    assert sum(trace.get("fill") == "toself" for trace in figure["data"]) == marks.LEVELS
    digits = Seen(figure).digits  # white on dark tints, the page's ink on pale ones
    assert {colour: {int(text) for _, text in found} for colour, found in digits.items()} == {
        "ink": set(range(1, 9)),
        "white": set(range(9, 15)),
    }


BADGES = [  # decides → the badges of each reference
    ({"score": 1}, {1: ["decides"]}),
    ({"precision": 0, "recall": 0}, {0: ["decides"]}),
    ({"precision": 1, "recall": 0}, {1: ["decides precision"], 0: ["decides recall"]}),
    ({"brevity_penalty": 1}, {1: ["decides brevity penalty"]}),
    ({}, {}),
]


@pytest.mark.parametrize(("decides", "badges"), BADGES)
def test_badges_say_what_a_reference_decides(decides, badges):
    for count in (1, 2):
        segment = Segment(("a",), (("a",),) * count)
        assert marks.badges(Result("made", None, segment, 0, {}, {}, (), decides)) == (badges if count > 1 else {})


# ---------------------------------------------------------------- small grids


def image(html):
    """The elements of a small grid's SVG, and the attributes of its image."""
    (found,) = re.findall(r"<img [^>]*>", html)
    attributes = dict(re.findall(r'(\w+)="([^"]*)"', found))
    head, _, data = attributes.pop("src").partition(",")
    assert head == "data:image/svg+xml;base64"
    return ElementTree.fromstring(base64.b64decode(data)), attributes


def corners(path):
    """The points at which the pieces of a path start."""
    return [(float(x), float(y)) for x, y in re.findall(r"M([\d.-]+) ([\d.-]+)", path.get("d"))]


@every_case
def test_small_grids_hold_every_tint_and_every_mark(key, name, given, monkeypatch):
    monkeypatch.setitem(metrics.METRICS, "made", MADE)
    result = result_of(key, name, given)
    counts = {cell: n % 5 + 1 for n, cell in enumerate(sorted({*all_hits(result), *used_cells(result)}))}
    root, attributes = image(svg.small(result, counts, 5, all_hits(result), room=900))
    width, height = float(root.get("width")), float(root.get("height"))
    assert (attributes["width"], attributes["height"]) == (root.get("width"), root.get("height"))
    assert attributes["alt"].endswith(theme.plural(len(used_cells(result)), "cell"))
    paths = [e for e in root if e.tag.endswith("path")]
    tints = [e for e in paths if "fill-opacity" in e.attrib and re.search(r"h\d+v", e.get("d"))]
    assert Counter(len(corners(e)) for e in tints) == Counter(Counter(counts.values()).values())
    opacities = [float(e.get("fill-opacity")) for e in tints]
    assert opacities == sorted(set(opacities))
    for x, y in [place for e in paths for place in corners(e)]:
        assert -8 <= x <= width + 8 and -8 <= y <= height + 8
    pieces = Counter(shape.role for shape in marks.shapes(result, all_hits(result)) if shape.kind != "digit")
    panels = len(result.segment.references)
    drawn = sum(len(corners(e)) for e in paths[panels:] if e not in tints)
    assert drawn == sum(pieces.values())


SMALL = [  # rows, columns of each reference → panels in a row, cell
    (4, [6], 1, 14),
    (8, [12, 8], 2, 13),
    (30, [30], 1, 9),
    (30, [29, 30, 28, 28], 2, 4),
    (100, [100], 1, 3),
    (130, [130], 1, 3),
    (130, [130] * 4, 2, 3),
    (1, [9] * 9, 2, 14),
    (0, [0], 1, 14),
]


@pytest.mark.parametrize(("rows", "columns", "a_row", "cell"), SMALL)
def test_small_grids_use_their_room(rows, columns, a_row, cell):
    result = metrics.score("gtm", [w] * rows, [["x"] * n for n in columns])
    root, attributes = image(svg.small(result, {}, 1))
    frames = [corners(e) for e in root if e.tag.endswith("path")][: len(columns)]
    lefts = [min(x for x, _ in frame) for frame in frames]
    assert sum(y == frames[0][0][1] for ((_, y), *_) in frames) == a_row
    assert lefts[0] == lefts[a_row % len(lefts)] == 1
    if a_row > 1:
        assert lefts[1] - lefts[0] == (columns[0] + 1) * cell
    rest = [sum(columns[at : at + a_row]) + len(columns[at : at + a_row]) - 1 for at in range(0, len(columns), a_row)]
    assert int(attributes["width"]) == max(1, *rest) * cell + 2
    assert int(attributes["width"]) <= 282 or cell == 3


# ---------------------------------------------------------------- geometry

SIZES = [  # rows, columns of each reference, phone → panels in a row, beside, cell (the limits of each arrangement)
    (4, [4], False, 1, True, 36),
    (4, [28], False, 1, True, 24),
    (4, [29], False, 1, False, 30),
    (4, [10, 17], False, 2, True, 24),  # a barrier stands between the two
    (4, [10, 18], False, 2, False, 30),
    (4, [64], False, 1, False, 18),
    (4, [65], False, 1, False, 17),
    (4, [30, 33], False, 2, False, 18),
    (4, [30, 34], False, 2, False, 16),  # two a row
    (4, [39] * 4, False, 2, False, 14),
    (4, [40] * 4, False, 1, False, 28),  # one below the other
    (4, [128], False, 1, False, 9),
    (130, [130], False, 1, False, 9),
    (130, [131], False, None, None, None),
    (131, [4], False, None, None, None),
    (8, [7, 9], True, 1, False, 30),
    (30, [30], True, 1, False, 13),
    (131, [4], True, None, None, None),
]


@pytest.mark.parametrize(("rows", "columns", "phone", "a_row", "beside", "cell"), SIZES)
def test_the_arrangement_follows_the_room(rows, columns, phone, a_row, beside, cell):
    candidate, references = [w] * rows, [[w] * n for n in columns]
    geo = grid.geometry(candidate, references, phone)
    assert (geo and (geo.columns, geo.beside, geo.cell)) == (a_row and (a_row, beside, cell))


@pytest.mark.parametrize("breadth", [1, 5, 16, 60])
@pytest.mark.parametrize("columns", [[5], [21], [12, 13], [60], [33, 35], [30] * 4, [110]])
def test_figures_fit_their_room(breadth, columns):
    candidate, references = ["x" * breadth] * 8, [["y" * breadth] * n for n in columns]
    geo = grid.geometry(candidate, references)
    width = grid.figure(candidate, references, [], geo)["layout"]["width"]
    assert width <= (grid.BESIDE if geo.beside else grid.FULL) or geo.cell == 9


def test_the_geometry_depends_on_the_texts_only():
    candidate, references = SEGMENTS["two references"]
    geo = grid.geometry(candidate, references)
    frames = []
    for key in metrics.METRICS:
        layout = draw(result_of(key, "two references"), geo=geo)["layout"]
        frames.append({n: v for n, v in layout.items() if n != "annotations"})
    assert frames.count(frames[0]) == len(metrics.METRICS)


# ---------------------------------------------------------------- a window of a long text


def test_a_window_shows_only_what_touches_it():
    rng_words = [f"w{n % 7}" for n in range(60)]
    reference = [f"w{n * 3 % 7}" for n in range(55)]
    for key in ("gtm", "rouge_l", "sia", "dcs"):
        result = metrics.score(key, rng_words, [reference[:10], reference])
        window = Window(1, 20, 12, 15, 18)
        figure = draw(result, geo=Geometry(22, 1, False), window=window)
        go.Figure(figure)
        seen = Seen(figure)
        shown = {cell for cells in seen.dots.values() for cell in cells}
        expected = {
            h for h in {*all_hits(result), *used_cells(result)} if h.k == 1 and 20 <= h.i < 35 and 12 <= h.j < 30
        }
        assert shown == expected and expected
        for k, polygon in (p for found in seen.polygons.values() for p in found):
            rows, columns = zip(*polygon, strict=True)
            assert k == 1 and min(rows) < 35 and max(rows) > 20 and min(columns) < 30 and max(columns) > 12
        assert figure["layout"]["xaxis"]["range"] == pytest.approx([11.47, 29.53])
        assert figure["layout"]["yaxis"]["ticktext"] == [f"w{n % 7}" for n in range(20, 35)]
        own = [t for t in figure["data"] if t.get("line", {}).get("color") != theme.FAINT]
        assert all(t["cliponaxis"] for t in own), "what leaves the window is cut off"


# ---------------------------------------------------------------- arcs


def pairs_of(result):
    return {(m.first.i, m.second.i) for x in result.layers for m in x.marks if isinstance(m, SkipBigram)}


@pytest.mark.parametrize("name", SEGMENTS)
@pytest.mark.parametrize("max_skip", [None, 0, 1])
def test_arcs_are_the_pairs(name, max_skip):
    result = result_of("rouge_s", name, {"max_skip": max_skip})
    candidate = result.segment.candidate
    shared = pairs_of(result)
    assert charts.has_arcs(result) == bool(shared)
    figure = charts.arcs(candidate, result, max_skip=max_skip)
    go.Figure(figure)
    drawn = {t["name"]: t for t in figure["data"] if t["mode"] == "markers"}
    found = drawn.get("shared pair", {"x": [], "y": [], "customdata": []})
    assert sorted(found["x"]) == sorted((a + b) / 2 for a, b in shared)
    for x, data in zip(found["x"], found["customdata"], strict=True):
        mark = charts.clicked_arc({"customdata": data}).of(result).mark
        assert (mark.first.i + mark.second.i) / 2 == x
        assert data[:3] == [
            theme.safe(candidate[mark.first.i]),
            theme.safe(candidate[mark.second.i]),
            mark.second.i - mark.first.i - 1,
        ]
    n, reach = len(candidate), len(candidate) if max_skip is None else max_skip + 1
    lacking = [(a, b) for a in range(n) for b in range(a + 1, n) if b - a <= reach and (a, b) not in shared]
    dotted = drawn.get("not in the reference", {"x": [], "customdata": []})
    assert sorted(dotted["x"]) == sorted((a + b) / 2 for a, b in lacking)
    assert all(charts.clicked_arc({"customdata": data}) is None for data in dotted["customdata"])
    legend = words.arcs_legend(figure)
    assert ("shared pair" in legend, "reference lacks" in legend) == (bool(shared), bool(lacking))


def test_a_chosen_pair_is_vermilion_whichever_reference_it_is_chosen_in():
    result = metrics.score("rouge_s", tuple("abc"), [tuple("abc"), tuple("abc")], multi_reference="sum")
    terms = list(marks.terms(result))
    assert len(terms) == 6 and len(pairs_of(result)) == 3
    for term in terms:
        figure = charts.arcs(tuple("abc"), result, Selection(term.layer, term.t))
        chosen = [t for t in figure["data"] if t.get("name") == "selected"]
        assert [t["x"] for t in chosen] == [[(term.mark.first.i + term.mark.second.i) / 2]]
        assert sum(len(t["x"]) for t in figure["data"] if t.get("name") == "shared pair") == 2
        assert "selected" in words.arcs_legend(figure)


def test_too_many_pairs_are_no_arcs():
    assert charts.has_arcs(metrics.score("rouge_s", ["a"] * 37, [["a"] * 37]))  # 666 pairs
    assert not charts.has_arcs(metrics.score("rouge_s", ["a"] * 38, [["a"] * 38]))  # 703
    assert not charts.has_arcs(result_of("gtm", "one reference"))


# ---------------------------------------------------------------- crossings


def order_result(candidate, reference, k=0):
    """A result on the order of words that occur once: all pairs of common words."""
    candidate, reference = tuple(candidate), tuple(reference)
    hits = [Hit(i, k, reference.index(word)) for i, word in enumerate(candidate) if word in reference]
    pairs = [SkipBigram(a, b) for a, b in combinations(hits, 2)]
    layers = [
        Layer(name, tuple(p for p in pairs if (p.first.j < p.second.j) == rising), (), statistics=(name,))
        for name, rising in (("concordant", True), ("discordant", False))
    ]
    return Result("made", None, Segment(candidate, ((),) * k + (reference,)), 0, {}, {}, tuple(layers), {})


ORDERS = [
    ("abcd", "abcd"),
    ("abcd", "dcba"),
    ("abcd", "cdab"),
    ("xaybz", "bqa"),
    ("ab", "b"),
    ("ab", "ba"),
    ("aab", "ab"),  # two words that share a place are not in order
    ("a", "bca"),
]


@pytest.mark.parametrize(("candidate", "reference"), ORDERS)
@pytest.mark.parametrize("k", [0, 1])
def test_every_discordant_pair_is_a_crossing(candidate, reference, k):
    result = order_result(candidate, reference, k)
    assert charts.has_crossings(result)
    figure = charts.arcs(candidate, result)
    go.Figure(figure)
    json.dumps(figure, allow_nan=False)
    traces = {t.get("name"): t for t in figure["data"]}
    hits = sorted({hit for x in result.layers for m in x.marks for hit in m})
    lines = traces.get("aligned words", {"x": [], "y": []})
    found = [(lines["x"][at], lines["x"][at + 1]) for at in range(0, len(lines["x"]), 3)]
    top, bottom = (figure["layout"][axis] for axis in ("xaxis2", "xaxis"))
    assert [unescape(t) for t in top["ticktext"]] == list(candidate)
    assert found == [(top["tickvals"][h.i], bottom["tickvals"][h.j]) for h in hits]
    assert lines["y"] == [1, 0, None] * len(hits)
    knots = traces.get("discordant pair", {"x": [], "y": [], "customdata": []})
    pairs = [(1, t, mark) for t, mark in enumerate(result.layers[1].marks)]
    assert [data[3:] for data in knots["customdata"]] == [[layer, t] for layer, t, _ in pairs]
    for x, y, data in zip(knots["x"], knots["y"], knots["customdata"], strict=True):
        mark = charts.clicked_arc({"customdata": data}).of(result).mark
        for hit in mark:  # the crossing lies on both lines
            a, b = top["tickvals"][hit.i], bottom["tickvals"][hit.j]
            assert math.isclose(x, b + y * (a - b), abs_tol=0.003)
    legend = words.arcs_legend(figure)
    assert ("aligned words" in legend, "discordant pair" in legend) == (bool(hits), bool(pairs))
    for trace in figure["data"]:
        if trace.get("xaxis") == "x2":
            assert [charts.clicked_arc({"customdata": data}) for data in trace["customdata"]] == [None] * len(
                trace["x"]
            )


@pytest.mark.parametrize(("candidate", "reference"), ORDERS[:3])
def test_a_chosen_pair_has_vermilion_lines(candidate, reference):
    result = order_result(candidate, reference)
    for term in marks.terms(result):
        figure = charts.arcs(candidate, result, Selection(term.layer, term.t))
        chosen = [t for t in figure["data"] if t.get("name") == "selected"]
        assert len(chosen[0]["x"]) == 6 and chosen[0]["line"]["color"] == theme.VERMILION
        assert [t["customdata"][0][3:] for t in chosen[1:]] == ([[1, term.t]] if term.layer else [])
        (rest,) = [t for t in figure["data"] if t.get("name") == "aligned words"]
        assert len(rest["x"]) == 3 * (len(candidate) - 2) and rest["opacity"] < 0.5
        knots = [t for t in figure["data"] if t.get("name") == "discordant pair"]
        shown = sum(len(t["x"]) for t in knots)
        assert shown == len(result.layers[1].marks) - (term.layer == 1)
        assert "selected" in words.arcs_legend(figure)


def test_crossings_show_words_as_typed_and_hostile_ones_as_words():
    result = result_of("made", "discordant pairs")
    shown = charts.arcs(("<b>", "$x$", "c", "d"), result, references=(("x",), ("C", "<a>", "D", "B")))["layout"]
    assert [unescape(t) for t in shown["xaxis"]["ticktext"]] == ["C", "<a>", "D", "B"]
    assert [unescape(t) for t in shown["xaxis2"]["ticktext"]] == ["<b>", "$x$", "c", "d"]
    for axis in (shown["xaxis"], shown["xaxis2"]):
        assert not any(set("<>$") & set(t.replace("&#36;", "")) for t in axis["ticktext"])


MATCHED = [  # candidate, reference, lines of each look
    ("on the mat the cat sat", "the cat sat on the mat", {"aligned words": 6}),
    ("on the mat the cats sat", "the cat sat on the mat", {"aligned words": 5, "same stem": 1}),
    ("a b c", "a b c", {"aligned words": 3}),
    ("dogs bark", "barking dog", {"same stem": 2}),
]


@pytest.mark.parametrize(("candidate", "reference", "lines"), MATCHED)
@pytest.mark.parametrize("k", [0, 1])
def test_matches_are_lines_chunks_bands_and_crossings_knots(candidate, reference, lines, k):
    references = [["x"]] * k + [reference.split()]
    result = metrics.score("meteor", candidate.split(), references, stages=("exact", "stem"))
    assert charts.has_arcs(result) and charts.has_crossings(result) and charts.drawn_first(result) == "Grid"
    figure = charts.arcs(result.segment.candidate, result)
    go.Figure(figure)
    json.dumps(figure, allow_nan=False)
    traces = {t["name"]: t for t in figure["data"] if t.get("name")}
    assert {name: len(t["x"]) // 3 for name, t in traces.items() if name in (*crossings.NAMES.values(),)} == lines
    cells = [(hit.i, hit.j) for hit in result.cells()]
    assert len(traces.get("crossing", {"x": []})["x"]) == sum(a < c and b > d for a, b in cells for c, d in cells)
    long = [m for m in result.layers[-1].marks if m.length > 1]
    assert len(traces.get("chunk", {"x": []})["x"]) == 6 * len(long)
    entries = words.arcs_legend(figure)
    assert all(theme.safe(name) in entries for name in traces)
    for term in marks.terms(result):
        data = charts.arcs(result.segment.candidate, result, Selection(term.layer, term.t))["data"]
        chosen = [t for t in data if t.get("name") == "selected"]
        assert sum(len(t["x"]) // 3 for t in chosen if "fill" not in t) == len(term.mark.cells())
        assert any("fill" in t for t in chosen) == (len(term.mark.cells()) > 1)
        if len(term.mark.cells()) == 1 and term.layer < len(result.layers) - 1:  # a dot at an end picks the match
            dots = [t for t in data if t.get("xaxis") == "x2" and t["marker"]["color"] == theme.VERMILION]
            assert charts.clicked_arc({"customdata": dots[0]["customdata"][0]}) == Selection(term.layer, term.t)


def test_too_many_matches_have_no_lines():
    turned = [str(n) for n in range(39)]
    assert not charts.has_arcs(metrics.score("meteor", turned, [turned[::-1]]))  # 741 crossings
    assert charts.has_arcs(metrics.score("meteor", turned[:37], [turned[36::-1]]))  # 666
    assert charts.has_arcs(metrics.score("meteor", turned, [turned]))
    assert not charts.has_arcs(metrics.score("meteor", ["a"] * 131, [["a"] * 131]))
    assert not charts.has_arcs(metrics.score("meteor", ["a"], [["b"]]))


def test_skip_bigrams_of_one_sentence_are_arcs():
    assert not charts.has_crossings(result_of("rouge_s", "one reference"))


# ---------------------------------------------------------------- lengths


def lengths_of(n, references, key="bleu", penalty=0.5, used=None, decides=None):
    used = len(references[decides]) if used is None else used
    segment = Segment(("w",) * n, tuple(map(tuple, references)))
    part, length = metrics.METRICS[key].length_penalty, "mean_reference_length" if key == "sia" else "reference_length"
    decided = {} if decides is None else {part: decides}
    return Result(key, None, segment, 0, {part: penalty}, {"candidate_length": n, length: used}, (), decided)


LENGTHS = [  # result → caption, and the share of the room of the candidate, of what it is short of, and of the line
    (lengths_of(4, ["x" * 5], decides=0), "Brevity penalty 0.500 4 words against the 5 of the reference", 80, 20, 100),
    (lengths_of(4, ["xx", "x" * 8], decides=1), "… 4 words against the 8 of reference 2", 50, 50, 100),
    (lengths_of(4, ["xx", "x" * 8], decides=0), "… 4 words against the 2 of reference 1", 50, 0, 25),
    (lengths_of(1, ["xx", "x"], "sia", used=1.5), "… 1 word against 1.50, the mean of the references", 50, 25, 75),
    (lengths_of(4, ["xx", "x" * 8], used=5, decides=0), "… against 5, the mean of the references", 50, 12.5, 62.5),
    (lengths_of(0, [""], "sia", 0.0, decides=0), "Length penalty 0 0 words against the 0", 0, 0, 0),
]


@pytest.mark.parametrize(("result", "says", "own", "short", "line"), LENGTHS)
def test_lengths_are_bars(result, says, own, short, line):
    html = charts.lengths(result)
    text = " ".join(re.sub("<[^>]*>", " ", html).split())
    assert text.startswith(says) if says[0] != "…" else says[2:] in text
    assert f'class="own" style="width:{own:.2f}%"' in html
    found = re.search(r'<u style="left:([\d.]+)%;width:([\d.]+)%">', html)
    assert (found is not None) == bool(short) and (not found or [float(x) for x in found.groups()] == [own, short])
    assert f'<div class="used"><s style="left:{line:.2f}%">' in html
    references = result.segment.references
    longest = max(len(result.segment.candidate), *map(len, references), 1)
    bars = re.findall(r'<i style="width:([\d.]+)%">', html)
    assert [float(bar) for bar in bars] == [pytest.approx(100 * len(r) / longest, abs=0.01) for r in references]
    assert re.findall(r"<em>(.*?)</em>", html) == [str(len(s)) for s in (result.segment.candidate, *references)]


def test_many_lengths_stand_in_one_row():
    references = ["x" * n for n in (3, 4, 4, 8, 6, 5)]
    html = charts.lengths(lengths_of(4, references, decides=3))
    assert "6 references" in html and "<em>3–8</em>" in html
    row, _, line = html.partition('class="used"')
    assert [float(x) for x in re.findall(r'<s style="left:([\d.]+)%">', row)] == [37.5, 50, 62.5, 75, 100]
    assert "left:100.00%" in line
    assert "5 references" not in charts.lengths(lengths_of(4, references[:5], decides=3))


@pytest.mark.parametrize("key", metrics.METRICS)
def test_every_penalty_on_lengths_is_drawn(key):
    for name in SEGMENTS:
        result = result_of(key, name)
        html = charts.lengths(result)
        named = [part for part in ("brevity_penalty", "length_penalty") if part in result.parts]
        assert bool(html) == bool(named)
        for part in named:
            assert f"{part.replace('_', ' ').capitalize()} {formula.shown(result.parts[part])}" in html


# ---------------------------------------------------------------- the overview


@pytest.mark.parametrize(("n", "m"), [(150, 140), (300, 300), (2000, 1900), (400, 10), (181, 181)])
def test_the_overview_counts_every_match(n, m):
    from viz.state import cache

    candidate, reference = [f"w{i % 50}" for i in range(n)], [f"w{j % 40}" for j in range(m)]
    result = metrics.score("gtm", candidate, [reference])
    used = used_cells(result)
    step = charts.overview_step(n, m)
    assert math.ceil(max(n, m) / step) <= 90
    counted = cache.density(result.segment, 0, step)
    rows, columns = Counter(candidate), Counter(reference)
    assert sum(counted.values()) == sum(rows[word] * columns[word] for word in rows)
    figure = charts.overview(n, m, counted, used, Window(0, 3, 4, 40, 10))
    go.Figure(figure)
    squares, frame = figure["data"]
    assert sum(data[2] for data in squares["customdata"]) == sum(counted.values())
    assert sum(data[3] for data in squares["customdata"]) == len(used)
    for x, y, data in zip(squares["x"], squares["y"], squares["customdata"], strict=True):
        assert 0 < x < m and 0 < y < n, "a square beyond the axes is not drawn"
        assert charts.clicked_square({"customdata": data}) == (int(y), int(x))
        assert counted[int(y) // step, int(x) // step] == data[2]
    assert (min(frame["x"]), max(frame["x"]), min(frame["y"]), max(frame["y"])) == (4, 14, 3, 43)


FLAT = [  # rows and columns of a line's ends → whether a window of rows 5 to 9 and columns 2 to 4 shows it
    (((5, 2), (5, 3)), True),  # along the upper border
    (((9, 2), (9, 3)), True),
    (((4, 2), (4, 3)), False),
    (((10, 2), (10, 3)), False),
    (((5, 4), (6, 4)), True),  # along the right border
    (((5, 1), (6, 1)), False),
    (((3, 2), (5, 2)), False),  # ends where the window starts
    (((3, 2), (6, 2)), True),
    (((8, 1), (9, 2)), False),  # a cell beside it
    (((8, 1), (9, 3)), True),
    (((5, 2),), True),
    (((9, 4),), True),
    (((9.5, 4),), False),
]


@pytest.mark.parametrize(("points", "shown"), FLAT)
def test_what_lies_on_the_border_of_a_window_is_shown(points, shown):
    shape = marks.Shape("line", "missing", 1, points)
    assert Window(1, 5, 2, 4, 2).touches(shape) == shown
    assert not Window(0, 5, 2, 4, 2).touches(shape)


def test_a_window_holds_the_edits_inside_it():
    candidate = [f"w{n}" for n in range(150)]
    reference = [word for n, word in enumerate(candidate) if n % 10 != 3]  # w3, w13, … are extra
    result = metrics.score("wer", candidate, [reference])
    window = Window(0, 20, 15, 30, 20)
    figure = draw(result, geo=Geometry(22, 1, False), window=window)
    go.Figure(figure)
    seen = Seen(figure)
    rows = [selection.of(result).mark.i_start for _, selection, *_ in seen.signs["extra word"]]
    assert rows == [23, 33]  # w13 and w43 are extra in columns outside of the window
    assert {c.i for c in seen.dots["used"]} == {n for n in range(20, 39) if n % 10 != 3}


def test_hits_of_a_window_are_those_of_the_grid_inside_it():
    from viz.state import cache

    result = result_of("gtm", "repeats")
    for window in (Window(0, 1, 2, 3, 2), Window(1, 0, 0, 99, 99), Window(0, 4, 4, 1, 1)):
        inside = [h for h in all_hits(result) if window.holds(h)]
        assert sorted(cache.window_hits(result.segment, window)) == sorted(inside)
