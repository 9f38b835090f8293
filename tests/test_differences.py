"""Differences drawn: every changed cell and word once, in its place and class, and the steps of the score."""

import json
import re
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st
from segments import HOSTILE

import metrics
from metrics.analysis.changes import Change, Difference, Piece, Place, Row, difference
from metrics.types import Hit, Run
from viz.draw import differences, marks, picture, svg, theme
from viz.draw.grid import Window
from viz.draw.marks import Shape

REFERENCES = tuple(
    tuple(line.split())
    for line in ("the gunman was shot to death by the police .", "the gunman was killed by police .")
)
A, B = (
    tuple(line.split()) for line in ("the gunman was shot by police dead .", "the gunman was shot dead by the police .")
)


def pair(key="gtm", a=A, b=B, references=REFERENCES):
    results = metrics.score(key, a, references), metrics.score(key, b, references)
    return *results, difference(*results)


def made(rows, kept=(), gained=(), lost=(), moved=()):
    def cells(places):
        return tuple(Place(*place) for place in places)

    return Difference(
        tuple(Row(*row) for row in rows),
        cells(kept),
        cells(gained),
        cells(lost),
        tuple((Place(*a), Place(*b)) for a, b in moved),
    )


MADE = made(
    [(0, 0), (1, None), (None, 1), (2, 2), (3, 3), (4, None), (None, 4)],
    kept=[(0, 0, 0)],
    gained=[(2, 0, 5)],
    lost=[(1, 1, 2)],
    moved=[((3, 0, 1), (3, 0, 4)), ((4, 0, 3), (4, 1, 3)), ((5, 0, 2), (6, 0, 2))],
)
MADE_REFERENCES = (tuple("uvwxyz"), tuple("uvwx"))
MADE_LABELS = differences.row_labels(tuple("abcde"), tuple("fghij"), MADE.rows)


# ---------------------------------------------------------------- the grid


def test_counts():
    assert differences.counts(MADE) == {"kept": 1, "gained": 1, "lost": 1, "moved": 3}
    assert differences.counts(made([])) == {"kept": 0, "gained": 0, "lost": 0, "moved": 0}


def test_row_labels():
    assert MADE_LABELS == ["f", "− b", "+ g", "h", "i", "− e", "+ j"]
    labels = differences.row_labels(("", "\x00"), ("x",), (Row(0, None), Row(1, 0)))
    assert labels == ["− ␣", "x"]


def looks(found, chosen=None):
    return {(s.kind, s.role, s.cell and Place(*s.cell)) for s in differences.shapes(found, chosen)}


def test_each_changed_cell_has_its_shape():
    assert looks(MADE) == {
        ("dot", "kept", (0, 0, 0)),
        ("triangle", "gained", (2, 0, 5)),
        ("cross", "lost", (1, 1, 2)),
        ("hollow", "moved", (3, 0, 1)),
        ("diamond", "moved", (3, 0, 4)),
        ("hollow", "moved", (4, 0, 3)),
        ("diamond", "moved", (4, 1, 3)),
        ("hollow", "moved", (5, 0, 2)),
        ("diamond", "moved", (6, 0, 2)),
        ("line", "moved", None),
    }
    lines = [s.points for s in differences.shapes(MADE) if s.kind == "line"]
    # From edge to edge of the markers; none where a cell moved to another reference's panel.
    assert lines == [((3.5, 1.8), (3.5, 4.2)), ((5.8, 2.5), (6.2, 2.5))]
    assert differences.shapes(made([])) == []


def test_a_chosen_step_is_ringed_and_dims_the_rest():
    chosen = [Place(0, 0, 0), Place(3, 0, 4), Place(1, 0, 0)]  # the last is no match, as a substitution is none
    drawn = differences.shapes(MADE, chosen)
    rings = [s for s in drawn if s.role == "selected"]
    assert [tuple(s.cell) for s in rings] == sorted(chosen) and not any(s.dim for s in rings)
    assert theme.role_colour("selected") == theme.VERMILION
    clear = {(s.kind, s.cell and tuple(s.cell)) for s in drawn if not s.dim} - {("polygon", tuple(c)) for c in chosen}
    # Both ends of a moved match and the line between them stay.
    assert clear == {("dot", (0, 0, 0)), ("hollow", (3, 0, 1)), ("diamond", (3, 0, 4)), ("line", None)}
    assert sum(s.dim for s in drawn if s.kind == "line") == 1
    for none in (None, []):  # a change of lengths has no cells
        assert not any(s.dim or s.role == "selected" for s in differences.shapes(MADE, none))


def drawn_of(found, labels, references, chosen=None, cell=24, columns=2):
    """The difference's picture as SVG that stands in a page, as a tree."""
    shown = picture.picture_on(labels, references, differences.shapes(found, chosen), cell, columns)
    return ElementTree.fromstring(svg.inline(picture.sided(shown, "d")))


def markers(root):
    """Kind and role → the places of its markers, with what the pointer reads there."""
    out = {}
    for group in root.iter("g"):
        for e in group:
            if e.get("data-cell") and not e.get("class").startswith("polygon"):
                row, k, j = re.fullmatch(r"d(\d+),(\d+),(\d+)", e.get("data-cell")).groups()
                kind, role, *_ = e.get("class").split()
                out.setdefault((kind, role), {})[int(row), int(k), int(j)] = e.get("data-says") or group.get(
                    "data-says"
                )
    return out


def test_the_picture_draws_rows_of_the_difference():
    root = drawn_of(MADE, MADE_LABELS, MADE_REFERENCES, [Place(0, 0, 0)])
    labels = [e.text for e in root.iter("text") if (e.get("data-word") or "").startswith("d")]
    assert labels == MADE_LABELS
    found = markers(root)
    assert {name: set(cells) for name, cells in found.items()} == {
        ("dot", "kept"): {(0, 0, 0)},
        ("triangle", "gained"): {(2, 0, 5)},
        ("cross", "lost"): {(1, 1, 2)},
        ("hollow", "moved"): {(3, 0, 1), (4, 0, 3), (5, 0, 2)},
        ("diamond", "moved"): {(3, 0, 4), (4, 1, 3), (6, 0, 2)},
    }
    assert found["dot", "kept"][0, 0, 0] == "kept, word 1 of A and word 1 of B"
    assert found["cross", "lost"][1, 1, 2] == "lost, word 2 of A"
    assert found["triangle", "gained"][2, 0, 5] == "gained, word 2 of B"
    moved = found["hollow", "moved"]
    assert moved[4, 0, 3] == "moved from here, word 4 of A and word 4 of B; now with word 4 of reference 2"
    assert moved[5, 0, 2] == "moved from here, word 5 of A; now with word 3 of reference 1, as word 5 of B"
    to = found["diamond", "moved"][6, 0, 2]
    assert to == "moved to here, word 5 of B; before with word 3 of reference 1, as word 5 of A"
    inks = {}
    for group in root.iter("g"):
        for e in group:
            if e.get("data-cell") and not e.get("class").startswith("polygon"):
                colour = group.get("stroke") if group.get("fill") == "none" else group.get("fill")
                inks[tuple(e.get("class").split()[:2])] = colour
    assert inks == {
        ("dot", "kept"): theme.BLUE,
        ("triangle", "gained"): theme.GREEN,
        ("cross", "lost"): theme.MAUVE,
        ("hollow", "moved"): theme.VIOLET,
        ("diamond", "moved"): theme.VIOLET,
    }


def test_the_legend_names_what_is_drawn_with_a_sample_of_each():
    def entries(drawn):
        legend = svg.legend(picture.picture_on(MADE_LABELS, MADE_REFERENCES, drawn, 24, 2))
        says = [said for said in re.sub("<[^>]*>", "|", legend).split("|") if said]
        assert legend.count("<svg") == len(says)
        return says

    assert entries(differences.shapes(MADE)) == ["kept", "gained", "lost", "moved from", "moved to"]
    assert entries(differences.shapes(made([(0, 0)], kept=[(0, 0, 0)]), [Place(0, 0, 0)])) == [
        "kept",
        "cells of the chosen step",
    ]
    assert entries([]) == []


@pytest.mark.parametrize("key", metrics.METRICS)
def test_shapes_of_every_metric_are_its_cells(key):
    a, b, found = pair(key)
    row_of = [{row[side]: n for n, row in enumerate(found.rows)} for side in (0, 1)]
    ours, theirs = ({Place(row_of[side][c.i], c.k, c.j) for c in marks.covered(r)} for side, r in ((0, a), (1, b)))
    drawn = [s for s in differences.shapes(found) if s.kind != "line"]
    places = {(s.kind, Place(*s.cell)) for s in drawn}
    assert len(places) == len(drawn)
    assert {p for kind, p in places if kind in ("dot", "cross", "hollow")} == ours
    assert {p for kind, p in places if kind in ("dot", "triangle", "diamond")} == theirs
    for change in metrics.ledger(a, b):
        cells = differences.places(change, found.rows)
        assert all(0 <= p.row < len(found.rows) and 0 <= p.j < len(REFERENCES[p.k]) for p in cells)
        rings = {s.cell for s in differences.shapes(found, cells) if s.role == "selected"}
        assert rings == {Hit(*p) for p in cells}


def test_places_of_a_step_lie_on_the_rows_of_their_own_output():
    rows = (Row(0, None), Row(None, 0), Row(1, 1), Row(2, 2))
    pieces = (
        Piece("lost", Hit(0, 0, 4), -1.0, -0.1),
        Piece("gained", Hit(0, 1, 5), 1.0, 0.1),
        Piece("changed", Run(1, 0, 2, 2), 2.0, 0.2),
    )
    change = Change("matches", "words", 1, 2, 0.2, pieces)
    assert differences.places(change, rows) == {(0, 0, 4), (1, 1, 5), (2, 0, 2), (3, 0, 3)}
    assert differences.places(change._replace(pieces=()), rows) == frozenset()


# ---------------------------------------------------------------- equal cells, windows, files


def lines(drawing):
    """Where the lines of the first grid stand across, and how far they are apart."""
    path = re.search(r'class="grid" .*?\bd="(.*?)"', drawing)[1]
    across = sorted(
        {float(x) for x, _, x2, _ in (re.findall(r"-?[\d.]+", piece) for piece in path.split("M")[1:]) if x == x2}
    )
    return across[0], {round(after - before, 2) for before, after in pairwise(across)}, len(across)


@pytest.mark.parametrize("width", [1200, 340])
def test_grids_of_a_b_and_difference_have_equal_cells_in_line(width):
    a, b, found = pair()
    labels = differences.row_labels(A, B, found.rows)
    fit = differences.layout(A, B, labels, REFERENCES, width)
    assert fit.beside is (width == 1200)
    drawings = [
        svg.inline(picture.picture_on(rows, REFERENCES, drawn, fit.cell, fit.columns, room_for=labels))
        for rows, drawn in ((A, marks.shapes(a)), (B, marks.shapes(b)), (labels, differences.shapes(found)))
    ]
    for drawing in drawings:
        assert float(ElementTree.fromstring(drawing).get("width")) <= (width - 24) / 2 if fit.beside else width
    assert len({(left, count) for left, _, count in map(lines, drawings)}) == 1
    assert all(lines(drawing)[1:] == ({float(fit.cell)}, len(REFERENCES[0]) + 1) for drawing in drawings)


def test_a_part_of_a_drawing_keeps_the_cells_names():
    words = tuple(f"w{n}" for n in range(60))
    drawn = [Shape("dot", "used", 0, (marks.centre(Hit(n, 0, n)),), Hit(n, 0, n)) for n in range(60)]
    whole = picture.picture_on(words, (words,), drawn, 14, 1)
    part = picture.window_on(words, (words,), drawn, Window(0, 20, 25, 10, 10), 14)
    along = [f"b{n + 1}" for n in range(60)]
    shown = [svg.inline(picture.sided(each, "a", along)) for each in (whole, part)]
    named = [set(re.findall(r'data-cell="a(\d+),0,(\d+)"', drawing)) for drawing in shown]
    assert len(named[0]) == 60 and named[1] == {(str(n), str(n)) for n in range(25, 30)}
    assert shown[1].count("<svg") == 2 and shown[0].count("<svg") == 1, "a part is cut off at its edges"
    assert set(re.findall(r">(w\d+)<", shown[1])) == {f"w{n}" for n in range(20, 35)}
    rows = re.findall(r'data-word="a(\d+)" data-with="b(\d+)".*?>w(\d+)<', shown[1])
    assert rows == [(str(n), str(n + 1), str(n)) for n in range(20, 30)]
    assert 'data-side="a" data-k="0" data-i="20" data-j="25"' in shown[1]


def test_the_layout_steps_down_with_length():
    def layout(n, *lengths, width=1200):
        sentence = ["word"] * n
        return differences.layout(sentence, sentence, ["+ word"] * n, [["word"] * m for m in lengths], width)

    assert layout(9, 9).beside and layout(9, 9).cell == max(picture.LARGEST.values())
    assert layout(9, 9, 9)[1:] == (2, True), "references are joined"
    assert layout(20, 24, 24)[1:] == (1, True), "one below the other"
    assert layout(50, 50)[1:] == (1, False) and layout(50, 50).cell > 14
    assert layout(130, 130) == (picture.LEAST, 1, False)
    assert layout(40, 40, width=340) == (picture.LEAST, 1, False)
    assert layout(0, 3).beside
    for width in range(340, 2000, 40):
        found = layout(20, 24, 24, width=width)
        assert not found.beside or found.cell >= differences.BESIDE


def test_windows_show_the_same_words():
    part = Window(0, 1, 2, 4, 3)  # rows 1 to 4 of MADE
    assert differences.windows(MADE.rows, part) == (Window(0, 1, 2, 3, 3), Window(0, 1, 2, 3, 3))
    only_a = Window(1, 5, 0, 1, 4)
    assert differences.windows(MADE.rows, only_a) == (Window(1, 4, 0, 1, 4), Window(1, 4, 0, 0, 4))
    empty = picture.window_on(tuple("fghij"), MADE_REFERENCES, [], Window(1, 4, 0, 0, 4), 24)
    assert not [e for e in ElementTree.fromstring(svg.inline(empty)).iter("text") if e.get("data-word", "")[0] == "c"]


def test_the_first_window_shows_the_first_change():
    n = 200
    reference = tuple(f"w{i}" for i in range(n))
    found = made(
        [(i, i) for i in range(n)], kept=[(i, 0, i) for i in range(n)], gained=[(150, 0, 199)], lost=[(140, 0, 3)]
    )
    assert differences.window(found, [reference]) == Window(0, 120, 0, 40, 40)
    assert differences.window(found, [reference], Place(199, 0, 199)) == Window(0, 160, 160, 40, 40)
    assert differences.window(made([(0, 0)]), [("a", "b")]) == Window(0, 0, 0, 1, 2)
    part = differences.window(found, [reference])
    ElementTree.fromstring(svg.inline(picture.window_on(reference, [reference], differences.shapes(found), part, 14)))


def test_a_drawing_has_the_same_shapes_and_cells():
    _, _, found = pair()
    labels = differences.row_labels(A, B, found.rows)
    drawn = differences.shapes(found, [Place(0, 0, 0)])
    root = drawn_of(found, labels, REFERENCES, [Place(0, 0, 0)])
    classes = [e.get("class", "").split() for e in root.iter()]
    for shape in drawn:
        name = [shape.kind, shape.role, *([f"x{shape.cell.i}_{shape.cell.k}_{shape.cell.j}"] if shape.cell else [])]
        assert classes.count(name) == 1
    hollow = next(g for g in root.iter("g") for e in g if e.get("class", "").startswith("hollow "))
    assert hollow.get("fill") == "none" and hollow.get("stroke") == theme.VIOLET
    ElementTree.fromstring(svg.inline(picture.picture_on((), [()], [], 9, 1)))


def test_right_to_left_labels_keep_their_full_stop_at_the_left():
    words, a, b = ("שלום.", "abc.", "."), ("הבית.",), ("הבית",)
    shown = svg.inline(picture.picture_on(words, [words], [], 24, 1))
    for e in ElementTree.fromstring(shown).iter("text"):
        assert (e.get("direction") == "rtl") == (e.text == "שלום."), "a word is written in its own direction"
    assert ">שלום.<" in shown, "the characters stay in the order in which they are read"
    ours, theirs, found = pair("gtm", a, b, (("הבית",),))
    strip = differences.strips(a, b, ours, theirs, found)
    assert "<bdi>הבית.</bdi>" in strip and strip.count('dir="rtl"') == 2


# ---------------------------------------------------------------- words


class Strips(HTMLParser):
    """Lines of words: (text, classes, sign); `words` has the names of the words and those of their partners."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.lines, self.names, self.directions, self.words, self.open = [], [], [], {}, []
        self.feed(html)
        assert not self.open, "every tag is closed"

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        assert tag in ("div", "span", "bdi", "sup", "b", "ins", "del"), tag
        assert set(attrs) <= {"class", "dir", "data-word", "data-with"}, attrs
        classes = (attrs.get("class") or "").split()
        self.open.append((tag, classes))
        if "lb" in classes:
            self.names.append("")
        elif "ws" in classes:
            self.lines.append([])
            self.directions.append(attrs["dir"])
        elif tag in ("ins", "del") or (tag == "span" and self.lines):
            self.lines[-1].append(["", set(classes) or {tag}, ""])
            if "data-word" in attrs:
                assert attrs["data-word"] not in self.words, "names are unambiguous"
                self.words[attrs["data-word"]] = attrs.get("data-with", "").split()

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        inside = [tag for tag, _ in self.open]
        if any("lb" in classes for _, classes in self.open):
            self.names[-1] += data
        elif "sup" in inside:
            self.lines[-1][-1][2] += data
        elif {"span", "ins", "del"} & {*inside}:
            self.lines[-1][-1][0] += data


def look(word):
    """The class of a word, by its colour and whether it is tinted, and its sign."""
    _, classes, sign = word
    name = "improving" if "im" in classes else "worsening" if "wo" in classes else "confirmed" if "u" in classes else ""
    assert ("ul" in classes) <= ("wo" in classes)
    return name + ("" if "u" in classes or not name else " underlined"), sign


CLASSES = [
    # references, A, B, what became of A's words and of B's
    ("abc", "abc", "abc", "= = =", "= = ="),
    ("abc", "abx", "abc", "= = .", "= = +"),
    ("abc", "abc", "abx", "= = -", "= = _"),
    ("abc", "abx", "aby", "= = .", "= = _"),
    ("ab", "xab", "abx", ". = =", "= = ."),  # a wrong word elsewhere is no new one
    ("ab", "xab", "abxx", ". = =", "= = . _"),
    ("abcd", "dabc", "abcd", "~ = = =", "= = = ~"),
    ("ab", "", "ab", "", "+ +"),
    ("ab", "ab", "", "- -", ""),
    ("", "ab", "ac", ". .", ". _"),
]
SAYS = {
    "=": ("confirmed", ""),
    "~": ("confirmed", "↔"),
    "+": ("improving", "▲"),
    "-": ("worsening", "✕"),
    "_": ("worsening underlined", "✕"),
    ".": ("", ""),
}


@pytest.mark.parametrize(("reference", "a", "b", "of_a", "of_b"), CLASSES)
def test_classes_of_words(reference, a, b, of_a, of_b):
    ours, theirs, found = pair("per", tuple(a), tuple(b), (tuple(reference),))
    read = Strips(differences.strips(tuple(a), tuple(b), ours, theirs, found))
    for line, sentence, expected in zip(read.lines, (a, b), (of_a, of_b), strict=True):
        if sentence:
            assert [word[0] for word in line] == list(sentence)
            assert [look(word) for word in line] == [SAYS[sign] for sign in expected.split()]
        else:
            assert [word[0] for word in line] == ["no words"]


def test_a_word_that_moves_to_another_word_of_the_reference_is_confirmed():
    found = made(
        [(0, None), (1, 0), (None, 1), (None, 2)],
        kept=[(1, 0, 1)],
        lost=[(0, 0, 0)],
        gained=[(2, 0, 2), (3, 0, 3)],
    )
    a, b, _ = pair("per", ("x", "a"), ("a", "y", "x"), (("x", "a", "y", "x"),))
    read = Strips(differences.strips(("x", "a"), ("a", "y", "x"), a, b, found))
    assert [[look(word) for word in line] for line in read.lines] == [
        [SAYS["~"], SAYS["="]],
        [SAYS["="], SAYS["+"], SAYS["~"]],
    ]
    assert read.words == {"a0": ["b2"], "a1": ["b0"], "b0": ["a1"], "b1": [], "b2": ["a0"]}


def test_classes_can_be_switched_off():
    a, b, found = pair()
    every = Strips(differences.strips(A, B, a, b, found))
    seen = {look(word)[0].split(" ")[0] for line in every.lines for word in line}
    assert seen == {"confirmed", "improving", ""}
    for name in ("confirmed", "improving"):
        read = Strips(differences.strips(A, B, a, b, found, [name]))
        assert {look(word)[0] for line in read.lines for word in line} == {name, ""}
        assert (name in differences.strip_legend([name])) and differences.strip_legend([name]).count("<i") == 1
    plain = Strips(differences.strips(A, B, a, b, found, []))
    assert all(look(word) == ("", "") for line in plain.lines for word in line)


@given(
    *[st.lists(st.sampled_from("abcd"), max_size=7).map(tuple) for _ in range(3)],
    st.sampled_from(list(metrics.METRICS)),
)
def test_a_word_is_tinted_if_its_output_matches_it(a, b, reference, key):
    ours, theirs, found = pair(key, a, b, (reference,))
    read = Strips(differences.strips(a, b, ours, theirs, found))
    tally = []
    for line, result, sentence in zip(read.lines, (ours, theirs), (a, b), strict=True):
        line = line if sentence else []
        assert [i for i, word in enumerate(line) if "u" in word[1]] == sorted({c.i for c in marks.covered(result)})
        tally.append([look(word)[0] for word in line].count("confirmed"))
    assert tally[0] == tally[1], "a word that is matched in both has a partner in each"
    if a == b:
        signs = {look(word)[0] for line in read.lines for word in line if "no" not in word[1]}
        assert signs <= {"confirmed", ""}


def test_words_know_the_words_of_their_row():
    a, b, found = pair()
    html = differences.strips(A, B, a, b, found)
    read = Strips(html)
    assert list(read.words) == [f"a{i}" for i in range(len(A))] + [f"b{i}" for i in range(len(B))]
    for row in found.rows:
        names = differences.names_of(row)
        assert names == tuple(f"{side}{at}" for side, at in (("a", row.a), ("b", row.b)) if at is not None)
        for name in names:
            assert set(names) - {name} <= set(read.words[name])
    for name, others in read.words.items():
        assert all(name in read.words[other] for other in others), "partners know each other"
    assert "↔" in html and read.directions == ["ltr", "ltr"]


def test_a_chosen_step_and_a_part_of_the_words():
    a, b, found = pair()
    gained, (old, new) = found.gained[0], found.moved[0]
    read = Strips(differences.strips(A, B, a, b, found, chosen=[gained, old]))
    lit = [[word[0] for word in line if "chosen" in word[1]] for line in read.lines]
    assert lit == [[A[found.rows[old.row].a]], [B[found.rows[gained.row].b]]]
    assert old.row == new.row  # so B's word of that row is not chosen though it stands there
    part = Window(0, 3, 0, 3, 5)  # shot, + dead, by
    read = Strips(differences.strips(A, B, a, b, found, part=part))
    assert [[word[0] for word in line] for line in read.lines] == [["shot", "by"], ["shot", "dead", "by"]]
    (line,) = Strips(differences.diff_strip(A, B, found.rows, part)).lines
    assert [word[0] for word in line] == ["shot", "+dead", "by"]


def test_stems_keep_their_line():
    a, b, found = pair("meteor", ("the", "cats"), ("the", "cats", "sat"), (("the", "cat", "sat"),))
    read = Strips(differences.strips(("the", "cats"), ("the", "cats", "sat"), a, b, found))
    assert {"u", "st"} <= read.lines[1][1][1]


def test_the_diff_in_one_line():
    _, _, found = pair()
    (line,) = Strips(differences.diff_strip(A, B, found.rows)).lines
    expected = "the gunman was shot +dead by +the police dead .".split()
    assert [word[0] for word in line] == expected
    assert [word[0] for word in line if "ins" in word[1]] == ["+dead", "+the"]
    assert [word[0] for word in line if "del" in word[1]] == ["dead"]
    assert Strips(differences.diff_strip((), (), ())).lines == [[["no words", {"no"}, ""]]]


def test_hostile_words_and_names_are_text():
    a, b = HOSTILE, (*HOSTILE[::-1], "שלום", "w" * 10_000)
    ours, theirs, found = pair("gtm", a, b, (HOSTILE, b))
    names = ("<script>$x$", "B\u202e")
    for html in (
        differences.strips(a, b, ours, theirs, found, names=names),
        differences.diff_strip(a, b, found.rows),
        differences.diff_legend(names),
    ):
        assert "<script" not in html and "$" not in html and "w" * 100 not in html
        assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e\ud800-\udfff]", html)
    read = Strips(differences.strips(a, b, ours, theirs, found, names=names))
    assert [word[0] for word in read.lines[0]] == [unescape(theme.safe(word, 60)) for word in a]
    labels = differences.row_labels(a, b, found.rows)
    shown = picture.picture_on(labels, (HOSTILE, b), differences.shapes(found), 24, 2, names[0])
    shown = svg.inline(picture.sided(shown, "d")) + svg.legend(shown)
    assert "<script" not in shown and "$x$" not in shown
    ElementTree.fromstring(f"<div>{shown}</div>")
    assert Strips(differences.strips(("שלום",), (), *pair("gtm", ("שלום",), ())[:3])).directions[0] == "rtl"


# ---------------------------------------------------------------- the waterfall


def change(name, share, before=1.0, after=2.0):
    return Change("matches", name, before, after, share, ())


STEPS = [change("words", 0.038, 7, 8), change("runs", 0.092, 3, 2), change("length", -0.039, 8, 9)]


def traces(figure):
    out = {}
    for trace in figure["data"]:
        out.setdefault(trace.get("name", trace["line"]["color"] if "line" in trace else ""), []).append(trace)
    return out


def bars(figure):
    """Row → (left, right, colour, opacity) of its bar."""
    out = {}
    for trace in traces(figure).get("steps", []):
        xs, ys = trace["x"], trace["y"]
        for n in range(0, len(xs), 6):
            row = round((min(ys[n : n + 5]) + max(ys[n : n + 5])) / 2)
            out[row] = (min(xs[n : n + 5]), max(xs[n : n + 5]), trace["fillcolor"], trace["opacity"])
    return out


def check(figure):
    go.Figure(figure)
    json.dumps(figure, allow_nan=False)
    layout = figure["layout"]
    low, high = layout["xaxis"]["range"]
    assert low < high and layout["width"] - layout["margin"]["l"] - layout["margin"]["r"] >= 80
    for trace in figure["data"]:
        assert all(low <= x <= high for x in trace["x"] if x is not None)
    assert all(low <= x <= high for x in layout["xaxis"]["tickvals"])
    assert len({*layout["xaxis"]["ticktext"]}) == len(layout["xaxis"]["ticktext"])


def test_the_waterfall_goes_from_a_to_b():
    figure = differences.waterfall(STEPS, 0.555, 0.646)
    check(figure)
    layout = figure["layout"]
    assert layout["yaxis"]["ticktext"] == ["A", "words 7 to 8", "runs 3 to 2", "length 8 to 9", "B"]
    assert layout["yaxis"]["range"][0] > layout["yaxis"]["range"][1], "A stands above"
    assert layout["xaxis"]["range"][0] > 0.5, "the axis does not start at zero"
    drawn = bars(figure)
    assert [drawn[n][2:] for n in (1, 2, 3)] == [(theme.GREEN, 1.0)] * 2 + [(theme.MAUVE, 1.0)]
    ends = [drawn[n][:2] for n in (1, 2, 3)]
    assert ends == [pytest.approx(e) for e in ((0.555, 0.593), (0.593, 0.685), (0.646, 0.685))]
    (shares,) = traces(figure)["shares"]
    assert [text.strip() for text in shares["text"]] == ["0.555", "+0.038", "+0.092", "−0.039", "0.646"]
    (scores,) = traces(figure)["scores"]
    assert scores["x"] == [0.555, 0.555, None, 0.646, 0.646, None] and scores["line"]["color"] == theme.BLUE
    assert layout["xaxis"]["ticktext"] == ["0.55", "0.60", "0.65"][-len(layout["xaxis"]["ticktext"]) :]


def test_lower_is_better_for_error_rates():
    figure = differences.waterfall(STEPS, 0.555, 0.646, higher_is_better=False)
    assert [bars(figure)[n][2] for n in (1, 2, 3)] == [theme.MAUVE, theme.MAUVE, theme.GREEN]
    texts = [text.strip() for text in traces(figure)["shares"][0]["text"]]
    assert texts == ["0.555", "+0.038 worse", "+0.092 worse", "−0.039 better", "0.646"]


def test_steps_are_clicked_anywhere_in_their_row():
    figure = differences.waterfall(STEPS, 0.555, 0.646)
    (targets,) = traces(figure)["targets"]
    low, high = figure["layout"]["xaxis"]["range"]
    for row, step in ((1, 0), (2, 1), (3, 2)):
        points = [(x, d) for x, y, d in zip(targets["x"], targets["y"], targets["customdata"], strict=True) if y == row]
        assert {differences.clicked_step({"customdata": data}) for _, data in points} == {step}
        xs = sorted(x for x, _ in points)
        across = figure["layout"]["width"] - figure["layout"]["margin"]["l"] - figure["layout"]["margin"]["r"]
        gap = max([xs[0] - low, *[b - a for a, b in pairwise(xs)], high - xs[-1]])
        assert gap / (high - low) * across <= targets["marker"]["size"] + 1e-6
    assert all(trace.get("hoverinfo") == "skip" for trace in figure["data"] if trace is not targets)
    assert targets["customdata"][0] == [0, "words", "7 to 8", "+0.038", "0.593"]
    for point in ({}, {"customdata": None}, {"customdata": ["a", "b", 1, 0, 0]}, {"customdata": [1, 2]}):
        assert differences.clicked_step(point) is None


def test_a_chosen_step_is_framed_and_the_others_step_back():
    figure = differences.waterfall(STEPS, 0.555, 0.646, chosen=1)
    assert [bars(figure)[n][3] for n in (1, 2, 3)] == [0.28, 1.0, 0.28]
    (frame,) = traces(figure)["chosen"]
    assert frame["line"]["color"] == theme.VERMILION and {min(y for y in frame["y"] if y), 2} == {1.7, 2}
    for none in (None, -1, 3):
        assert "chosen" not in traces(differences.waterfall(STEPS, 0.555, 0.646, chosen=none))


def test_the_smallest_of_many_steps_stand_together():
    shares = [0.01 * (-1) ** n * (n + 1) for n in range(30)]
    many = [change(f"step {n}", share) for n, share in enumerate(shares)]
    figure = differences.waterfall(many, 0.5, 0.5 + sum(shares))
    check(figure)
    labels = figure["layout"]["yaxis"]["ticktext"]
    assert labels[1:-2] == [f"step {n} 1 to 2" for n in range(19, 30)] and labels[-2] == "19 more"
    drawn = bars(figure)
    assert len(drawn) == differences.STEPS_MOST
    assert drawn[12][1] - drawn[12][0] == pytest.approx(abs(sum(shares[:19])))
    (targets,) = traces(figure)["targets"]
    assert {differences.clicked_step({"customdata": d}) for d in targets["customdata"]} == {*range(19, 30), None}
    picked = differences.waterfall(many, 0.5, 0.5 + sum(shares), chosen=3)
    assert [opacity for *_, opacity in bars(picked).values()].count(1.0) == 1 and bars(picked)[12][3] == 1.0
    twelve = differences.waterfall(many[:12], 0.5, 0.5 + sum(shares[:12]))
    assert "more" not in " ".join(twelve["layout"]["yaxis"]["ticktext"])


@pytest.mark.parametrize(
    ("steps", "a", "texts"),
    [
        ([], 0.5, ["0.500", "0.500"]),
        ([], 0.0, ["0.000", "0.000"]),
        ([change("words", 0.1)], 0.5, ["0.500", "+0.100", "0.600"]),
        ([change("words", 1e-9), change("length", -3e-9)], 0.5, ["0.500", "+1.0 × 10⁻⁹", "−3.0 × 10⁻⁹", "0.500"]),
        ([change("words", 0.0, 4, 4)], 0.5, ["0.500", "0", "0.500"]),
        ([change("words", 1e-17)], 0.5, ["0.500", "+1.0 × 10⁻¹⁷", "0.500"]),
        ([change("words", 12.5)], 3.4, ["3.400", "+12.50", "15.90"]),
        ([change("words", -1.0)], 1.0, ["1.000", "−1.000", "0.000"]),
    ],
)
@pytest.mark.parametrize("room", [640, 356])
def test_waterfalls_of_odd_sizes(steps, a, texts, room):
    figure = differences.waterfall(steps, a, a + sum(s.share for s in steps), room=room)
    check(figure)
    assert [text.strip() for text in traces(figure)["shares"][0]["text"]] == texts
    assert figure["layout"]["width"] == room
    low, high = figure["layout"]["xaxis"]["range"]
    across = room - figure["layout"]["margin"]["l"] - figure["layout"]["margin"]["r"]
    for left, right, _, _ in bars(figure).values():
        assert (right - left) / (high - low) * across > 1.9, "every bar is seen"


def test_values_are_told_apart_and_long_labels_take_two_lines():
    steps = [change("precision, round 2: contiguity", 0.01, 1.0012, 1.0013), change("words", 0.1, 7, 8)]
    wide, narrow = (differences.waterfall(steps, 0.1, 0.21, room=room) for room in (900, 356))
    assert wide["layout"]["yaxis"]["ticktext"][1] == "precision, round 2: contiguity 1.0012 to 1.0013"
    label = narrow["layout"]["yaxis"]["ticktext"][1]
    assert label == "precision, round 2:…<br>1.0012 to 1.0013"
    assert narrow["layout"]["height"] > wide["layout"]["height"]
    for figure in (wide, narrow):
        check(figure)


def test_names_are_text():
    figure = differences.waterfall([], 0.1, 0.1, ("<b>$x$", "y" * 400))
    check(figure)
    first, last = figure["layout"]["yaxis"]["ticktext"]
    assert first == theme.safe("<b>$x$") and len(last) < 60


@pytest.mark.parametrize("key", metrics.METRICS)
def test_the_waterfall_of_every_metric(key):
    a, b, _ = pair(key)
    steps = metrics.ledger(a, b)
    figure = differences.waterfall(steps, a.score, b.score, higher_is_better=metrics.METRICS[key].higher_is_better)
    check(figure)
    (shares,) = traces(figure)["shares"]
    assert len(shares["text"]) == min(len(steps), differences.STEPS_MOST) + 2
