"""Figures: what is drawn is the result, all of it and nothing else, in its place."""

import json
import math
from collections import Counter
from html import unescape
from itertools import groupby

import plotly.graph_objects as go
import pytest
from segments import CASES, SEGMENTS, all_hits, case_id, layers_shown, result_of, used_cells

import metrics
from metrics.types import Hit, Neighbours, Run, SkipBigram
from viz import charts, grid, marks, theme, words
from viz.grid import Geometry, Window
from viz.marks import Selection

every_case = pytest.mark.parametrize(("key", "name", "given"), CASES, ids=case_id)
GEO = Geometry(24, 9, True)


def draw(result, chosen=None, rounds=None, geo=GEO, window=None):
    drawn = marks.shapes(result, all_hits(result), chosen, rounds)
    return grid.figure(*result.segment, drawn, geo, window=window)


class Seen:
    """What a figure shows, read back from its traces: lists of what lies in which reference's panel."""

    def __init__(self, figure):
        self.layout = figure["layout"]
        of_axis = {"x" + suffix: k for k, suffix in self.layout["meta"]["panels"]}
        self.dots, self.digits, self.polygons, self.lines = {}, {}, {}, {}  # by name, colour or fill
        self.opacities = Counter()
        for trace in figure["data"]:
            k = of_axis[trace["xaxis"]]
            assert trace["yaxis"] == trace["xaxis"].replace("x", "y")
            points = list(zip(trace["x"], trace["y"], strict=True))
            if trace["mode"] == "markers":
                cells = [Hit(y, k, x) for x, y in points]
                self.add(self.dots, trace["name"], cells, trace)
                assert [grid.clicked({"customdata": data}) for data in trace["customdata"]] == cells
            elif trace["mode"] == "text":
                cells = [(Hit(int(y), k, int(x)), text) for (x, y), text in zip(points, trace["text"], strict=True)]
                self.add(self.digits, trace["textfont"]["color"], cells, trace)
            else:
                pieces = [list(g) for gap, g in groupby(points, key=lambda p: p[0] is None) if not gap]
                # Back to rows and columns whose cells start at whole numbers.
                pieces = [(k, [(y + 0.5, x + 0.5) for x, y in piece]) for piece in pieces]
                filled = trace.get("fill") == "toself"
                assert not filled or all(p[0] == p[-1] for _, p in pieces), "polygons are closed"
                self.add(self.polygons if filled else self.lines, trace["line"]["color"], pieces, trace)

    def add(self, found, name, things, trace):
        found.setdefault(name, []).extend(things)
        if name not in (theme.FAINT, theme.BARRIER) and trace.get("marker", {}).get("color") != "rgba(0,0,0,0)":
            self.opacities[name, trace.get("opacity", 1.0)] += len(things)

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


def check_against(seen, result, rounds):
    used, layers = used_cells(result, rounds), layers_shown(result, rounds)
    numbered = {c for x in layers if x.number for m in x.marks for c in m.cells()}
    dots = seen.dots.get("used", [])
    assert Counter(dots) == Counter(used)  # clear markers over the cells of rounds, visible ones over the others
    assert Counter(seen.dots.get("match, not used", [])) == Counter(set(all_hits(result)) - used)
    assert "selected" not in seen.dots and theme.VERMILION not in {**seen.polygons, **seen.lines, **seen.digits}

    digits = [d for found in seen.digits.values() for d in found]
    first = {}
    for layer in layers:
        for mark in layer.marks if layer.number else ():
            for cell in mark.cells():
                first.setdefault(cell, str(layer.number))
    assert Counter(digits) == Counter(first.items())

    blocks = [(m.k, m.length) for x in layers if x.area for m in x.marks if isinstance(m, Run)]
    triangles = [
        (m.first.k, c) for x in layers for m, c in zip(x.marks, x.credits, strict=True) if isinstance(m, Neighbours)
    ]
    drawn = [p for found in seen.polygons.values() for p in found]
    squares = [(k, p) for k, p in drawn if len(p) == 5]
    assert len(squares) == len(blocks) + len(numbered)
    if not numbered:
        assert sorted((k, round(area(p), 9)) for k, p in squares) == sorted((k, round(n * n, 9)) for k, n in blocks)
    shown = [(k, p) for k, p in drawn if len(p) == 4]
    assert len(shown) == 2 * len(triangles)
    assert math.isclose(sum(area(p) for _, p in shown), sum(credit for _, credit in triangles), abs_tol=1e-9)

    paths = {}
    for layer in layers:
        for mark in layer.marks if layer.path else ():
            for c in mark.cells():
                paths.setdefault((layer.name, c.k), []).append((c.i + 0.5, c.j + 0.5))
    links = sum(not (x.area or x.path) and m.length > 1 for x in layers for m in x.marks if isinstance(m, Run))
    lines = [
        line for colour, found in seen.lines.items() if colour not in (theme.FAINT, theme.BARRIER) for line in found
    ]
    expected = [(k, points) for (_, k), points in paths.items() if len(points) > 1]
    assert all(line in lines for line in expected)
    assert len(lines) == len(expected) + links


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
        squares = [(k, p) for k, p in seen.polygons[theme.VERMILION] if math.isclose(area(p), 0.94**2)]
        assert Counter(seen.inside(squares)) == Counter(term.mark.cells())
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
    for cell in used_cells(result):
        of_cell = [Selection(t.layer, t.t) for t in marks.terms(result) if cell in t.mark.cells()]
        visited, at = [], None
        for _ in of_cell:
            at = marks.term_at(result, cell, at)
            visited.append(at)
        assert visited == of_cell and marks.term_at(result, cell, at) == of_cell[0]
    for cell in set(all_hits(result)) - used_cells(result):
        assert marks.term_at(result, cell) is None


def test_a_click_finds_only_terms_of_rounds_that_are_shown():
    result = result_of("sia", "two references")
    (cell,) = result.layers[2].marks[0].cells()
    assert marks.term_at(result, cell) == Selection(2, 0)
    assert marks.term_at(result, cell, rounds=2) is None


# ---------------------------------------------------------------- geometry

w = "w"
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
        assert "selected pair" in words.arcs_legend(figure)


def test_too_many_pairs_are_no_arcs():
    assert charts.has_arcs(metrics.score("rouge_s", ["a"] * 37, [["a"] * 37]))  # 666 pairs
    assert not charts.has_arcs(metrics.score("rouge_s", ["a"] * 38, [["a"] * 38]))  # 703
    assert not charts.has_arcs(result_of("gtm", "one reference"))


# ---------------------------------------------------------------- the overview


@pytest.mark.parametrize(("n", "m"), [(150, 140), (300, 300), (2000, 1900), (400, 10), (181, 181)])
def test_the_overview_counts_every_match(n, m):
    from viz import cache

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


def test_hits_of_a_window_are_those_of_the_grid_inside_it():
    from viz import cache

    result = result_of("gtm", "repeats")
    for window in (Window(0, 1, 2, 3, 2), Window(1, 0, 0, 99, 99), Window(0, 4, 4, 1, 1)):
        inside = [h for h in all_hits(result) if window.holds(h)]
        assert sorted(cache.window_hits(result.segment, window)) == sorted(inside)
