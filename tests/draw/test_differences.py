"""Tests of drawn differences: each changed cell and word is drawn once, in place, and swapping A and B mirrors all."""

import math
import re
from collections import Counter
from dataclasses import replace
from html import unescape
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import metrics
from metrics.alignment.bitext import hits
from metrics.analysis.changes import ChangePiece, LedgerChange
from metrics.analysis.difference import (
    DiffPlace,
    DiffRow,
    MatchDifference,
    match_difference,
    pools_references,
    positions_in_one_output,
)
from metrics.analysis.sentence import plain_text, printed_steps
from metrics.types import Hit, Run
from tests.helpers.cases import real_pairs
from tests.helpers.fragments import output_pair, read, texts_of
from tests.helpers.searching import examples
from tests.helpers.segments import HOSTILE
from viz.draw.compare import changed_marks, changed_words, changes_table, comparison, differences, folding
from viz.draw.compare.differences import GridRoom
from viz.draw.pen import marks, picture, svg, theme
from viz.draw.pen.grid import Window
from viz.draw.pen.layout import LARGEST, LEAST
from viz.draw.pen.marks import ResultMarks
from viz.draw.pen.shapes import Shape, centre
from viz.draw.pen.text import safe
from viz.draw.pen.theme import LOOKS

REFERENCES = tuple(
    tuple(line.split())
    for line in ("the gunman was shot to death by the police .", "the gunman was killed by police .")
)
A = tuple("the gunman was shot by police dead .".split())
B = tuple("the gunman was shot dead by the police .".split())

LINE = st.lists(st.sampled_from("abcd"), min_size=1, max_size=8).map(tuple)


def score_pair(key="gtm", a=A, b=B, references=REFERENCES):
    results = metrics.score(key, a, references), metrics.score(key, b, references)
    return *results, match_difference(*results)


def make_difference(rows, kept=(), gained=(), lost=(), moved=()):
    def cells(places):
        return tuple(DiffPlace(*place) for place in places)

    return MatchDifference(
        tuple(DiffRow(*row) for row in rows),
        cells(kept),
        cells(gained),
        cells(lost),
        tuple((DiffPlace(*a), DiffPlace(*b)) for a, b in moved),
    )


MADE = make_difference(
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
    assert differences.count_cells_by_fate(MADE) == {"kept": 1, "gained": 1, "lost": 1, "moved": 3}
    assert differences.count_cells_by_fate(make_difference([])) == {"kept": 0, "gained": 0, "lost": 0, "moved": 0}


def test_row_labels():
    assert MADE_LABELS == ["f", "− b", "+ g", "h", "i", "− e", "+ j"]
    labels = differences.row_labels(("", "\x00"), ("x",), (DiffRow(0, None), DiffRow(1, 0)))
    assert labels == ["− ␣", "x"]


def shape_looks(found, unused=()):
    return {(s.kind, s.role, s.cell and DiffPlace(*s.cell)) for s in differences.cell_shapes(found, unused)}


def test_each_changed_cell_has_its_shape():
    assert shape_looks(MADE, [DiffPlace(0, 1, 3)]) == {
        *(("dot", "kept", (0, 0, 0)), ("triangle", "gained", (2, 0, 5)), ("cross", "lost", (1, 1, 2))),
        *(("hollow", "elsewhere", (3, 0, 1)), ("diamond", "elsewhere", (3, 0, 4)), ("line", "elsewhere", None)),
        *(("hollow", "elsewhere", (4, 0, 3)), ("diamond", "elsewhere", (4, 1, 3)), ("ring", "moved", (5, 0, 2))),
        *(("hexagon", "moved", (6, 0, 2)), ("line", "moved", None), ("ring", "unused", (0, 1, 3))),
    }
    lines = [s.points for s in differences.cell_shapes(MADE) if s.kind == "line"]
    # Lines run between the edges of the markers. A cell that moved to another reference's panel gets no line.
    assert lines == [((3.5, 1.8), (3.5, 4.2)), ((5.8, 2.5), (6.2, 2.5))]
    assert differences.cell_shapes(make_difference([])) == []


def drawn_difference(found, labels, references, cell=24, columns=2):
    """Return the root element of the SVG picture of the difference `found`, as it is inlined in a page.

    `cell` is the size of a cell in pixels, and `columns` the number of grids side by side."""
    shown = picture.lay_out_picture(labels, references, differences.cell_shapes(found), cell, columns)
    return ElementTree.fromstring(svg.svg_in_page(picture.rename_row_side(shown, "d")))


def markers_by_look(root):
    """Return the markers of a picture: (kind, role) mapped to (colour, hover text by cell (row, k, j))."""
    out = {}
    for group in root.iter("g"):
        colour = group.get("stroke") if group.get("fill") == "none" else group.get("fill")
        for e in group:
            if e.get("data-cell") and not e.get("class").startswith("polygon"):
                cell = re.fullmatch(r"d(\d+),(\d+),(\d+)", e.get("data-cell")).groups()
                known, says = out.setdefault(tuple(e.get("class").split()[:2]), (colour, {}))
                assert known == colour
                says[tuple(map(int, cell))] = e.get("data-says") or group.get("data-says")
    return out


def test_the_picture_draws_rows_of_the_difference():
    root = drawn_difference(MADE, MADE_LABELS, MADE_REFERENCES)
    labels = [e.text for e in root.iter("text") if (e.get("data-word") or "").startswith("d")]
    assert labels == MADE_LABELS
    found = markers_by_look(root)
    assert {look: (colour, {*says}) for look, (colour, says) in found.items()} == {
        ("dot", "kept"): (theme.BLUE, {(0, 0, 0)}),
        ("triangle", "gained"): (theme.GREEN, {(2, 0, 5)}),
        ("cross", "lost"): (theme.MAUVE, {(1, 1, 2)}),
        ("hollow", "elsewhere"): (theme.VIOLET, {(3, 0, 1), (4, 0, 3)}),
        ("diamond", "elsewhere"): (theme.VIOLET, {(3, 0, 4), (4, 1, 3)}),
        ("ring", "moved"): (theme.VIOLET, {(5, 0, 2)}),
        ("hexagon", "moved"): (theme.VIOLET, {(6, 0, 2)}),
    }
    says = {cell: text for _, own in found.values() for cell, text in own.items()}
    assert says[0, 0, 0] == "matched in both, word 1 of A and word 1 of B"
    assert says[1, 1, 2] == "no longer matched, word 2 of A"
    assert says[2, 0, 5] == "newly matched, word 2 of B"
    assert says[4, 0, 3] == "matched here before, word 4 of A and word 4 of B; now with word 4 of reference 2"
    assert says[5, 0, 2] == "moved from here, word 5 of A; now with word 3 of reference 1, as word 5 of B"
    assert says[6, 0, 2] == "moved to here, word 5 of B; before with word 3 of reference 1, as word 5 of A"


def test_the_legend_names_what_is_drawn_with_a_sample_of_each():
    def legend_entries(drawn):
        legend = svg.legend_html(picture.lay_out_picture(MADE_LABELS, MADE_REFERENCES, drawn, 24, 2).key)
        says = [said for said in re.sub("<[^>]*>", "|", legend).split("|") if said]
        assert legend.count("<svg") == len(says)
        return says

    assert legend_entries(differences.cell_shapes(MADE)) == [
        "matched in both",
        "newly matched",
        "no longer matched",
        "matched elsewhere: the reference word changed",
        "moved: the word is elsewhere",
    ]
    assert legend_entries([]) == []


@pytest.mark.parametrize("key", metrics.METRICS)
def test_shapes_of_every_metric_are_its_cells(key):
    a, b, found = score_pair(key)
    row_of = [{row[side]: n for n, row in enumerate(found.rows)} for side in (0, 1)]
    ours, theirs = (
        {DiffPlace(row_of[side][c.i], c.k, c.j) for c in marks.matched_cells(r)} for side, r in ((0, a), (1, b))
    )
    drawn = [s for s in differences.cell_shapes(found) if s.kind != "line"]
    places = {(s.kind, DiffPlace(*s.cell)) for s in drawn}
    assert len(places) == len(drawn)
    if pools_references(a, b):  # with pooled references, a match that both outputs have may use different cells
        ours, theirs = ours.union(found.kept_places), theirs.union(found.kept_places)
    assert {p for kind, p in places if kind in ("dot", "cross", "hollow", "ring")} == ours
    assert {p for kind, p in places if kind in ("dot", "triangle", "diamond", "hexagon")} == theirs
    idle = differences.unused_matches(found, hits(*a.segment), hits(*b.segment))
    assert idle.isdisjoint(ours | theirs) and len(idle | ours | theirs) >= len({*hits(*b.segment)})
    for change in metrics.ledger(a, b):
        cells = differences.cells_of_step(change, found.rows)
        assert all(0 <= p.row < len(found.rows) and 0 <= p.j < len(REFERENCES[p.k]) for p in cells)


POOLED = ("the cat sat on the mat".split(), "on the mat the cat sat down".split())


@pytest.mark.parametrize("key", ["bleu", "nist"])
def test_a_match_that_moves_between_pooled_references_changes_no_strip_and_no_line(key):
    a, b, found = score_pair(key, tuple("cat sat here".split()), tuple("the cat sat down".split()), POOLED)
    became = changed_words.word_fates(found, a, b)
    assert [became.a[n] for n, row in enumerate(found.rows) if row.a is not None] == ["kept", "kept", "nothing"]
    assert changed_words.reference_fates(found, 0, a, b) == ["gained", "kept", "kept", "nothing", "unused", "nothing"]
    first = ["nothing", "unused", "nothing", "gained", "kept", "kept", "gained"]
    assert changed_words.reference_fates(found, 1, a, b) == first, "the first “the” is not the one that is drawn"
    assert not [s for s in changed_marks.run_lines(found.rows, a, b, {}) if s.role == "lost"]
    kept = [s for s in changed_marks.run_lines(found.rows, a, b, {}) if s.role == "kept"]
    assert {s.k for s in kept} == {0, 1}, "“cat sat” is drawn where A has it and where B has it"


def test_places_of_a_step_lie_on_the_rows_of_their_own_output():
    rows = (DiffRow(0, None), DiffRow(None, 0), DiffRow(1, 1), DiffRow(2, 2))
    pieces = (
        ChangePiece("lost", Hit(0, 0, 4), -1.0, -0.1),
        ChangePiece("gained", Hit(0, 1, 5), 1.0, 0.1),
        ChangePiece("changed", Run(1, 0, 2, 2), 2.0, 0.2),
    )
    change = LedgerChange("matches", "words", 1, 2, 0.2, pieces)
    assert differences.cells_of_step(change, rows) == {(0, 0, 4), (1, 1, 5), (2, 0, 2), (3, 0, 3)}
    assert differences.cells_of_step(change._replace(pieces=()), rows) == frozenset()


# ---------------------------------------------------------------- equal cells, windows and files


@pytest.mark.parametrize("width", [1200, 340])
def test_grids_of_a_b_and_difference_have_equal_cells(width):
    view = compare_outputs("gtm")
    shown = comparison.fragment(view, hits_of_both(view), GridRoom(width))
    drawings = re.findall(r'<svg[^>]*role="img".*?</svg>(?=</div>)', shown, re.S)
    assert len(drawings) == 4, "the difference with each reference, A's grid, and B's"
    assert len({size for drawing in drawings for size in re.findall('data-size="(.*?)"', drawing)}) == 1
    for drawing in drawings:
        assert float(ElementTree.fromstring(drawing).get("width")) <= width


def test_a_part_of_a_drawing_keeps_the_cells_names():
    words = tuple(f"w{n}" for n in range(60))
    drawn = [Shape("dot", "used", 0, (centre(Hit(n, 0, n)),), Hit(n, 0, n)) for n in range(60)]
    whole = picture.lay_out_picture(words, (words,), drawn, 14, 1)
    part = picture.lay_out_window(words, (words,), drawn, Window(0, 20, 25, 10, 10), 14)
    along = [f"b{n + 1}" for n in range(60)]
    shown = [svg.svg_in_page(picture.rename_row_side(each, "a", along)) for each in (whole, part)]
    named = [set(re.findall(r'data-cell="a(\d+),0,(\d+)"', drawing)) for drawing in shown]
    assert len(named[0]) == 60 and named[1] == {(str(n), str(n)) for n in range(25, 30)}
    assert shown[1].count("<svg") == 2 and shown[0].count("<svg") == 1, "a part is cut off at its edges"
    assert set(re.findall(r">(w\d+)<", shown[1])) == {f"w{n}" for n in range(20, 35)}
    rows = re.findall(r'data-word="a(\d+)" data-with="b(\d+)".*?>w(\d+)<', shown[1])
    assert rows == [(str(n), str(n + 1), str(n)) for n in range(20, 30)]
    assert 'data-side="a" data-k="0" data-i="20" data-j="25"' in shown[1]


def test_the_layout_steps_down_with_length():
    def layout(n, *lengths, width=1200):
        return differences.layout_for_room(["+ word"] * n, [["word"] * m for m in lengths], GridRoom(width))

    assert layout(5, 7).cell == LARGEST[12]
    assert layout(9, 9).cell < LARGEST[12], "so that the grid and what stands above it are seen together"
    assert layout(9, 9, 20) == layout(9, 20), "each reference has a grid of its own"
    assert layout(45, 32, 32, 32, 32).cell == LEAST
    assert layout(37, 32, width=1800).cell > 12
    assert layout(45, 32, width=960).cell == LEAST
    assert layout(130, 130).cell == LEAST
    assert layout(40, 40, width=340).cell == LEAST
    low, high = (differences.layout_for_room(["w"] * 20, [["w"] * 20], GridRoom(1200, n)) for n in (380, 700))
    assert low.cell < high.cell and not low.over, "a grid is seen as a whole in the window that there is"


ALIKE = tuple(f"w{n}" for n in range(16))
CHANGED = (*ALIKE[:12], "x", "y", *ALIKE[13:])


def test_rows_that_are_alike_are_folded_where_there_is_little_room():
    view = compare_outputs("gtm", ALIKE, CHANGED, (ALIKE,))
    rows = view.difference.rows  # rows w0 to w11 are equal, w12 is gone, x and y are new, and w13 to w15 are equal
    folds = folding.fold_rows(folding.unchanged_rows(view.difference))
    assert folds == ((0, 12), (15, 18)) and len(rows) == 18
    of_steps = folding.unchanged_rows(view.difference, {4, 16})
    assert folding.fold_rows(of_steps) == ((0, 4), (5, 12)), "what belongs to a step, and fewer than three"
    assert folding.fold_rows({0, 1, 4, 5, 6}, 2) == ((0, 2), (4, 7))
    beside_changes = folding.unchanged_rows(view.difference, (), 1)
    assert folding.fold_rows(beside_changes) == ((0, 11),), "with one row on each side of what changed"
    assert [folding.drawn_position(folds, row) for row in (0, 6, 12, 13, 15, 16.5, 18)] == [0, 0.5, 1, 2, 4, 4.5, 5]
    assert folding.drawn_position((), 7.5) == 7.5
    labels = ["⋯ 12 words", "− w12", "+ x", "+ y", "⋯ 3 words"]
    assert folding.folded_labels(view.labels, folds) == labels
    ways = [[()], [folds]]
    assert differences.folded_layout(view.labels, [ALIKE], GridRoom(1200), ways).folds == (), "there is room"
    tight = ["w" * 12] * 18
    least = differences.layout_for_room(tight, [ALIKE * 5], GridRoom(1200))
    assert least.cell < differences.LEGIBLE
    assert differences.folded_layout(tight, [ALIKE * 5], GridRoom(1200), [[folds]]) == least

    fit = differences.DifferenceLayout(14, (folds,))
    drawn = svg.svg_in_page(comparison.difference_picture(view, hits_of_both(view), fit, k=0))
    assert 'data-folds="0-12 15-18" data-k="0"' in drawn and 'data-rows="5"' in drawn
    assert drawn.count('class="fold"') == 2
    wer = compare_outputs("wer", ALIKE, CHANGED, (ALIKE,))
    keys = [
        comparison.difference_picture(wer, hits_of_both(wer), fit._replace(folds=f), k=0).key for f in ((), (folds,))
    ]
    assert keys[0] == keys[1], "samples of the legend are not folded"
    named = re.findall(r'class="d(\d+)( unseen)?" data-word="d(\d+)"', drawn)
    assert sorted(int(n) for n, _, _ in named) == [*range(18)], "each row has its name"
    assert [int(n) for n, unseen, _ in named if not unseen] == [12, 13, 14]
    assert [e for e in re.findall(r"<text[^>]*>([^<]*)</text>", drawn) if "⋯" in e] == [labels[0], labels[-1]]
    heights = [
        float(e.get("cy"))
        for e in ElementTree.fromstring(drawn).iter("circle")
        if int(e.get("data-cell", "d99,").partition(",")[0][1:]) < 12
    ]
    assert len(heights) == 12 and max(heights) - min(heights) < 14, "all of a fold lie in one row"


def test_rows_that_have_nothing_with_a_reference_are_folded_in_its_grid_alone():
    a, b = tuple("abcdefghij"), tuple("abcdexghij")
    _, _, found = score_pair("bleu", a, b, (tuple("abcde"), tuple("fghij")))
    assert [len(folding.unmatched_rows(found, k)) for k in (0, 1)] == [6, 6]
    assert folding.fold_rows(folding.unmatched_rows(found, 0)) == ((5, 11),)
    unmatched = folding.unmatched_rows(found, 1)
    assert folding.unmatched_rows(found, 1, {0}) == unmatched - {0} != unmatched
    ours, theirs, found = score_pair("wer", a, b, (tuple("abcde"), tuple("abcdefghij")))
    errors = changed_marks.changed_error_rows(found.rows, ours, theirs)
    assert errors == {1: {n for n, row in enumerate(found.rows) if row.a is None}}, "an error that is new"
    fit = differences.DifferenceLayout(11, ((), ((0, 4),)))
    assert (fit.reference_folds(0), fit.reference_folds(1), fit.reference_folds(None)) == ((), ((0, 4),), ())


DIFFERENT = [  # two outputs with few rows in common, and four references; all real sentences but the second
    "With the help of modern astronomical telescopes, we have been able to collect dazzling and silent images of the "
    "universe - a series of images dating back to the Big Bang.",
    "A series of pictures, which can be followed back as far as the Big Bang, was gathered when astronomers with "
    "modern telescopes took quiet and dazzling images of our whole universe from the ground.",
    "And with all of our modern telescopes, we've been able to collect this stunning silent movie of the universe -- "
    "these series of snapshots that go all the way back to the Big Bang.",
    "With the help of modern astronomical telescopes, we've been able to collect stunning and silent movies of the "
    "universe — this series of movies can be traced back to the Big Bang.",
    "With the help of modern astronomical telescopes, we have been able to collect dazzling and silent images of the "
    "universe-a series of images that can be traced back to the Big Bang.",
    "With the help of modern astronomical telescopes, we have been able to collect dazzling, silent images of the "
    "universe - a series of images going all the way back to the Big Bang.",
]


@pytest.mark.parametrize("key", metrics.METRICS)
def test_a_grid_in_which_nearly_every_row_changed_is_seen_at_once(key):
    """Check that folding rows makes a grid of 58 rows fit the window, which it exceeds by over 100 pixels otherwise."""
    a, b, *references = [tuple(text.split()) for text in DIFFERENT]
    view = compare_outputs(key, a, b, tuple(references))
    assert len(view.difference.rows) == 58 and comparison.difference_layout(view, GridRoom(1200)).over > 100
    fit = comparison.difference_layout(view, GridRoom(1200), folds=True)
    # For chrF nearly every word matches some letters, so hardly any column can be folded.
    assert key == "chrf" or (fit.cell >= (9 if key in ("wer", "ter", "dcs") else 10) and fit.over <= 4)


def test_a_page_can_ask_for_all_rows():
    reference = tuple(f"w{n}" for n in range(40))
    view = compare_outputs("gtm", reference, (*reference[:30], "x", *reference[31:]), (reference,))

    def buttons(all_rows):
        return re.findall(
            '<button[^>]*data-open="(.*?)">(.*?)</button>',
            comparison.fragment(view, hits_of_both(view), GridRoom(1200), all_rows=all_rows),
        )

    assert buttons(False) == [("rows=all", "Show all 41 rows")]
    assert buttons(True) == [("rows=folded", "Show fewer rows")]
    same = compare_outputs("gtm", reference, reference, (reference,))
    assert "data-folds" not in comparison.fragment(same, hits_of_both(same), GridRoom(1200), all_rows=False)
    assert buttons(None) == [], "a file has all rows"


def test_the_legend_switches_words_by_what_became_of_them():
    view = compare_outputs("gtm")
    legend = read(comparison.fragment(view, hits_of_both(view), GridRoom(1200))).all(of="lg")[0]
    switches = {e.get("data-fate"): e.text for e in legend.all("button")}
    assert all(e.get("aria-pressed") == "true" for e in legend.all("button"))
    assert switches["kept"] == "matched in both" and switches["gained"] == "newly matched"
    became = changed_words.word_fates(view.difference, view.before, view.after)
    assert switches.keys() >= {*became.a.values(), *became.b.values()}
    says = [e.text for e in legend.children if e.tag == "span"]
    assert any(text.endswith("word that is new") for text in says), "is said beside its fate"


def test_a_word_that_only_moved_is_neither_gone_nor_new():
    moved = "after weeks of protests the government met".split()
    new = "the government met after weeks of strikes".split()
    references = ["the government met after weeks of protests".split()]
    view = compare_outputs("rouge_l", moved, new, references)
    strips = changed_words.output_lines((view.a, view.b), view.marks, view.difference)
    for strip, word, look in ((strips[0], "protests", "went"), (strips[1], "strikes", "came")):
        drawn = [e for e in read(strip.html).all("span") if theme.LOOKS[look, "line"].word in e.classes]
        assert [e.text.rstrip("−+✕▲") for e in drawn] == [word]
    shorter = compare_outputs("rouge_l", [*moved, "now"], new[:-1], references)
    (step,) = [step for step in shorter.steps if step.cause == "length"]
    assert [[*moved, "now"][i] for i in step.gone] == ["now"] and not step.came


@pytest.mark.slow
@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=7).map(tuple), LINE, LINE)
@example(tuple("axa"), tuple("bca"), tuple("xa"))
@examples(150)
def test_of_copies_those_that_match_are_not_called_gone(a, b, reference):
    """Check that, of a word that A has more often than B, the copies that match nothing are struck out first."""
    view = compare_outputs("wer", a, b, (reference,))
    for side, result, name, look in ((0, view.before, "a", "went"), (1, view.after, "b", "came")):
        alone = [
            [row[at] for row in view.difference.rows if row[at] is not None and row[1 - at] is None] for at in (0, 1)
        ]
        copies = [Counter(r.segment.candidate[i] for i in own) for r, own in zip(view.results, alone, strict=True)]
        matched = {cell.i for cell in ResultMarks.from_result(result).covered}
        own = positions_in_one_output(view.difference.rows, *view.results)[side]
        strip = changed_words.output_lines((view.a, view.b), view.marks, view.difference)[side].html
        struck = [
            int(e.get("data-word").removeprefix(name))
            for e in read(f"<div>{strip}</div>").all("span", "tk")
            if set(LOOKS[look, "line"].word.split()) <= e.classes
        ]
        for word in set(result.segment.candidate):
            here = [i for i in alone[side] if result.segment.candidate[i] == word]
            stays = min(copies[0][word], copies[1][word])
            most = max(0, sum(i in matched for i in here) - stays)
            for said in (own, struck):
                gone = [i for i in said if result.segment.candidate[i] == word]
                assert sum(i in matched for i in gone) <= most
            assert len([i for i in own if i in here]) == len(here) - stays


def test_windows_show_the_same_words():
    part = Window(0, 1, 2, 4, 3)  # rows 1 to 4 of MADE
    assert differences.output_windows(MADE.rows, part) == (Window(0, 1, 2, 3, 3), Window(0, 1, 2, 3, 3))
    only_a = Window(1, 5, 0, 1, 4)
    assert differences.output_windows(MADE.rows, only_a) == (Window(1, 4, 0, 1, 4), Window(1, 4, 0, 0, 4))
    empty = picture.lay_out_window(tuple("fghij"), MADE_REFERENCES, [], Window(1, 4, 0, 0, 4), 24)
    assert not [
        e for e in ElementTree.fromstring(svg.svg_in_page(empty)).iter("text") if e.get("data-word", "")[0] == "c"
    ]


def test_the_first_window_shows_the_first_change():
    n = 200
    reference = tuple(f"w{i}" for i in range(n))
    found = make_difference(
        [(i, i) for i in range(n)], kept=[(i, 0, i) for i in range(n)], gained=[(150, 0, 199)], lost=[(140, 0, 3)]
    )
    assert differences.window_around(found, [reference]) == Window(0, 120, 0, 40, 40)
    assert differences.window_around(found, [reference], DiffPlace(199, 0, 199)) == Window(0, 160, 160, 40, 40)
    assert differences.window_around(make_difference([(0, 0)]), [("a", "b")]) == Window(0, 0, 0, 1, 2)
    part = differences.window_around(found, [reference])
    ElementTree.fromstring(
        svg.svg_in_page(picture.lay_out_window(reference, [reference], differences.cell_shapes(found), part, 14))
    )


def test_a_drawing_has_the_same_shapes_and_cells():
    _, _, found = score_pair()
    labels = differences.row_labels(A, B, found.rows)
    drawn = differences.cell_shapes(found)
    root = drawn_difference(found, labels, REFERENCES)
    classes = [e.get("class", "").split() for e in root.iter()]
    for shape in drawn:
        name = [shape.kind, shape.role, *([f"x{shape.cell.i}_{shape.cell.k}_{shape.cell.j}"] if shape.cell else [])]
        assert classes.count(name) == 1
    hollow = next(g for g in root.iter("g") for e in g if e.get("class", "").startswith("hollow "))
    assert hollow.get("fill") == "none" and hollow.get("stroke") == theme.VIOLET
    ElementTree.fromstring(svg.svg_in_page(picture.lay_out_picture((), [()], [], 9, 1)))


def test_right_to_left_labels_keep_their_full_stop_at_the_left():
    words, a, b = ("שלום.", "abc.", "."), ("הבית.",), ("הבית",)
    shown = svg.svg_in_page(picture.lay_out_picture(words, [words], [], 24, 1))
    for e in ElementTree.fromstring(shown).iter("text"):
        assert (e.get("direction") == "rtl") == (e.text == "שלום."), "a word is written in its own direction"
    assert ">שלום.<" in shown, "the characters stay in the order in which they are read"
    ours, theirs, found = score_pair("gtm", a, b, (("הבית",),))
    strip = strips_html(ours, theirs, found)
    assert "<bdi>הבית.</bdi>" in strip and strip.count('dir="rtl"') == 2


# ---------------------------------------------------------------- words


class Strips:
    """The strips of words in `html`: each line as a list of (text, CSS classes, sign), and its direction.

    The attribute `words` maps the name of each word to the names of the words that belong to it in other lines."""

    def __init__(self, html):
        root = read(html)
        for e in root:
            assert e.tag in ("div", "span", "bdi", "sup", "b", "ins", "del"), e.tag
            assert set(e.attributes) <= {"class", "dir", "data-word", "data-with", "data-says"}, e.attributes
        strips, named = root.all(of="ws"), root.having("data-word")
        self.directions = [strip.get("dir") for strip in strips]
        self.lines = [[read_word(word) for word in strip.children] for strip in strips]
        self.words = {e.get("data-word"): e.get("data-with").split() for e in named}
        assert len(self.words) == len(named), "names are unambiguous"


def read_word(element):
    """Return the text, the CSS classes and the sign of a word in a strip."""
    sign = "".join([e.text for e in element.all("sup")])
    return element.text.removesuffix(sign), element.classes or {element.tag}, sign


def strips_html(a, b, found, names=("A", "B")):
    both_marks = (ResultMarks.from_result(a), ResultMarks.from_result(b))
    return changed_words.word_lines_html(
        changed_words.output_lines((texts_of(a), texts_of(b)), both_marks, found, names), 0
    )


def compare_outputs(key="gtm", a=A, b=B, references=REFERENCES):
    """Return outputs `a` and `b` with their scores, difference and ledger, as the Compare page draws them."""
    return output_pair(*score_pair(key, a, b, references)[:2])


def hits_of_both(view):
    return [hits(*texts.segment) for texts in (view.a, view.b)]


SIGNS = {"~": "↔", "%": "↕", "+": "▲", "-": "✕", "x": "−", "g": "−", "n": "+", "h": "+"}  # others have none
CLASSES = [
    # The columns are: reference, A, B, and the fates of A's words, B's words and the reference's words.
    ("abc", "abc", "abc", "===", "===", "==="),
    ("abc", "abx", "abc", "==x", "==+", "==+"),
    ("abc", "abc", "abx", "==-", "==n", "==-"),
    ("abc", "abx", "aby", "==x", "==n", "==_"),
    ("abx", "abx", "abxx", "===", "===h", "==="),  # the reference has the word, but it is already matched
    ("abcd", "dabc", "abcd", "%===", "===%", "===%"),
    ("ab", "a", "ba", "=", "+=", "=+"),
    ("", "ab", "ac", "_x", "_n", ""),
]


def look_character(word):
    """Return the character by which the table `CLASSES` writes how a word of a strip looks."""
    _, classes, sign = word
    colour = next((name for name in ("el", "mv", "im", "wo") if name in classes), "")
    if "u" in classes:
        return {"el": "~", "mv": "%", "im": "+", "wo": "-", "": "="}[colour]
    assert not colour, "what is not matched has no colour"
    occurs = "h" in classes
    return {"−": "gx", "+": "hn", "": "._"}[sign][not occurs]


@pytest.mark.parametrize(("reference", "a", "b", "of_a", "of_b", "of_r"), CLASSES)
def test_classes_of_words(reference, a, b, of_a, of_b, of_r):
    ours, theirs, found = score_pair("per", tuple(a), tuple(b), (tuple(reference),))
    read = Strips(strips_html(ours, theirs, found))
    for line, sentence, expected in zip(read.lines, (a, b), (of_a, of_b), strict=True):
        assert [word[0] for word in line] == list(sentence)
        assert "".join(map(look_character, line)) == expected
        assert [word[2] for word in line] == [SIGNS.get(sign, "") for sign in expected]
    words = changed_words.reference_line(tuple(reference), "R", found, 0, (ours, theirs)).html
    (line,) = Strips(words).lines
    assert "".join(map(look_character, line if reference else [])) == of_r


def test_words_that_went_or_came_are_struck_out_or_bold_and_belong_to_their_step():
    view = compare_outputs("gtm", tuple("axb"), tuple("abyy"), (tuple("abc"),))
    read = Strips(strips_html(view.before, view.after, view.difference))
    assert [[word[0] for word in line if {"went", "came"} & word[1]] for line in read.lines] == [["x"], ["y", "y"]]
    (number,) = [n for n, step in enumerate(view.steps) if step.gone or step.came]
    assert {"a1", "b2", "b3"} <= set(
        re.search('data-words="(.*?)"', changes_table.step_attributes(view.score_steps, number))[1].split()
    )
    bands = [s for s in comparison.difference_shapes(view, hits_of_both(view)) if s.role in ("went", "came")]
    assert {(s.role, s.lead) for s in bands} == {("went", f"step:{number}"), ("came", f"step:{number}")}
    shown = comparison.fragment(view, hits_of_both(view), GridRoom(1200))
    read = unescape(re.sub("<[^>]*>", "", shown))
    assert "Gone without a match: “x”. New without a match: “y y”." in read
    apart = compare_outputs("gtm", tuple("abc"), ("x,", "a", "y", "b", "c"), (tuple("abc"),))
    read = unescape(re.sub("<[^>]*>", "", changes_table.steps_table_html(apart.score_steps)))
    assert "New without a match: “x,”, “y”." in read


def test_quoted_words_are_told_from_the_sentence_around_them():
    view = compare_outputs("per", tuple("axx"), ("a", ",", "and"), (("a", ",", "b", "and"),))
    said = unescape(re.sub("<[^>]*>", "", comparison.describe_cause(view)))
    assert said == plain_text(comparison.explanation_parts(view))
    assert said == "All of −0.500, which is better, comes from two more matched words: “, and”."


def test_no_words():
    ours, theirs, found = score_pair("per", (), tuple("ab"), (tuple("ab"),))
    read = Strips(strips_html(ours, theirs, found))
    assert [[word[0] for word in line] for line in read.lines] == [["no words"], ["a", "b"]]


@examples(100)
@given(
    *[st.lists(st.sampled_from("abcd"), max_size=7).map(tuple) for _ in range(3)],
    st.sampled_from(list(metrics.METRICS)),
)
def test_a_word_is_tinted_if_its_output_matches_it(a, b, reference, key):
    ours, theirs, found = score_pair(key, a, b, (reference,))
    read = Strips(strips_html(ours, theirs, found))
    tally = []
    for line, result, sentence in zip(read.lines, (ours, theirs), (a, b), strict=True):
        line = line if sentence else []
        assert [i for i, word in enumerate(line) if "u" in word[1]] == sorted(
            {c.i for c in marks.matched_cells(result)}
        )
        # A word looks as if it matches nothing only where no reference has it.
        assert all(word[0] not in reference for word in line if look_character(word) in "_xn")
        tally.append(sum(look_character(word) in "=~%" for word in line))
    assert tally[0] == tally[1], "a word that is matched in both has a partner in each"


MIRROR = {"im": "wo", "wo": "im", "went": "came", "came": "went", "better": "worse", "worse": "better"}
MIRROR |= {"gained": "lost", "lost": "gained", "new-error": "gone-error", "gone-error": "new-error"}


@pytest.mark.slow
@examples(100)
@given(
    *[st.lists(st.sampled_from("abc"), max_size=6).map(tuple) for _ in range(3)], st.sampled_from(list(metrics.METRICS))
)
def test_swapping_the_outputs_swaps_the_colours(a, b, reference, key):
    """Check that swapping A and B mirrors the look of every word, cell, error and step."""
    there, back = compare_outputs(key, a, b, (reference,)), compare_outputs(key, b, a, (reference,))

    def words_of(view):
        lines = Strips(strips_html(view.before, view.after, view.difference)).lines
        lines += Strips(changed_words.reference_line(reference, "R", view.difference, 0, view.results).html).lines
        return [[sorted(word[1]) for word in line] for line in lines]

    ours, theirs = words_of(there), words_of(back)
    mirrored = [[sorted(MIRROR.get(name, name) for name in word) for word in line] for line in theirs]
    assert ours == [mirrored[1], mirrored[0], mirrored[2]]

    def cells_of(view):
        shapes = comparison.difference_shapes(view, hits_of_both(view))
        return sorted(theme.colour_of(theme.LOOKS[s.role, s.kind]) for s in shapes if s.cell and s.kind != "digit")

    swapped = {theme.GREEN: theme.MAUVE, theme.MAUVE: theme.GREEN}
    assert cells_of(there) == sorted(swapped.get(colour, colour) for colour in cells_of(back))
    tones = [
        sorted(re.findall('rect class="(.*?)"', changes_table.steps_table_html(view.score_steps)))
        for view in (there, back)
    ]
    assert tones[0] == sorted(MIRROR.get(tone, tone) for tone in tones[1])


def test_words_know_the_words_of_their_row():
    a, b, found = score_pair()
    read = Strips(strips_html(a, b, found))
    assert list(read.words) == [f"a{i}" for i in range(len(A))] + [f"b{i}" for i in range(len(B))]
    for row in found.rows:
        names = differences.row_word_names(row)
        assert names == tuple(f"{side}{at}" for side, at in (("a", row.a), ("b", row.b)) if at is not None)
        for name in names:
            assert set(names) - {name} <= set(read.words[name])
    for name, others in read.words.items():
        assert all(name in read.words[other] for other in others), "partners know each other"
    assert read.directions == ["ltr", "ltr"]


def test_stems_keep_their_line():
    a, b, found = score_pair("meteor", ("the", "cats"), ("the", "cats", "sat"), (("the", "cat", "sat"),))
    read = Strips(strips_html(a, b, found))
    assert {"u", "st"} <= read.lines[1][1][1]


def test_hostile_words_and_names_are_text():
    a, b = HOSTILE, (*HOSTILE[::-1], "שלום", "w" * 10_000)
    view = replace(compare_outputs("gtm", a, b, (HOSTILE, b)), names=("<script>$x$", "B\u202e"))
    html = comparison.fragment(view, hits_of_both(view), GridRoom(1200))
    assert "<script" not in html and "$" not in html and "w" * 100 not in html
    assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e\ud800-\udfff]", html)
    read = Strips(strips_html(view.before, view.after, view.difference, names=view.names))
    assert [word[0] for word in read.lines[0]] == [unescape(safe(word, 60)) for word in a]
    assert Strips(strips_html(*score_pair("gtm", ("שלום",), ())[:3])).directions[0] == "rtl"


# ---------------------------------------------------------------- runs, errors and rounds


def shapes_of_roles(key, a, b, reference, roles):
    """Return the shapes with the given roles on the grid of the difference, all its shapes, and the compared outputs.

    The first value is a set of (role, kind, row, column), with the row and column of the shape's first point."""
    view = compare_outputs(key, tuple(a), tuple(b), (tuple(reference),))
    shapes = comparison.difference_shapes(view, hits_of_both(view))
    return {(s.role, s.kind, *s.points[0]) for s in shapes if s.role in roles}, shapes, view


def test_errors_are_new_gone_or_kept():
    roles = {"new error", "gone error", "kept error"}
    found, shapes, _ = shapes_of_roles("wer", "axc", "abdc", "abc", roles)  # A has x instead of b, and B has an extra d
    assert found == {("gone error", "polygon", 1.2, 1.2), ("new error", "plus", 3.5, 2.0)}
    assert all(s.lead for s in shapes if s.role in ("new error", "gone error")), "each leads to the step it caused"
    same, _, _ = shapes_of_roles("wer", "axc", "axc", "abc", roles)
    assert same == {("kept error", "polygon", 1.2, 1.2)}


def test_runs_are_blocks_in_both_new_or_gone_and_lead_to_their_step():
    found, shapes, view = shapes_of_roles(
        "gtm", "abxcd", "abcd", "abcd", {"kept", "gained", "lost", "cut through", "length"}
    )
    blocks = {(role, row, column) for role, kind, row, column in found if kind == "polygon"}
    # A's runs ab and cd are two blocks. B's run abcd is one, although the row of x cuts it.
    assert blocks == {("lost", 0.0, 0.0), ("lost", 3.0, 2.0), ("gained", 0.0, 0.0)}
    (box,) = [s for s in shapes if s.kind == "polygon" and s.role == "gained"]
    assert box.points == ((0, 0), (0, 4), (5, 4), (5, 0)), "from the first row of the run to its last"
    hatched = [point for s in shapes if s.role == "cut through" for point in s.points]
    assert {math.floor(row) for row, _ in hatched} <= {2, 3} and {row for row, _ in hatched} == {2.0, 3.0}
    assert (min(c for _, c in hatched), max(c for _, c in hatched)) == (0, 4), "the row of x, as broad as the box"
    assert [(s.text, s.points) for s in shapes if s.role == "length"] == [("4", ((0.5, 3.5),))]
    contiguity = next(n for n, step in enumerate(view.steps) if step.cause == "contiguity")
    assert {s.lead for s in shapes if s.kind == "polygon"} == {f"step:{contiguity}"}


def test_a_run_that_no_row_cuts_is_a_square_without_its_length():
    _, shapes, _ = shapes_of_roles("gtm", "abc", "abd", "abcd", {"kept", "gained", "lost", "cut through", "length"})
    boxes = [s for s in shapes if s.kind == "polygon"]
    assert {s.points for s in boxes} == {((0, 0), (0, 3), (3, 3), (3, 0)), ((0, 0), (0, 2), (2, 2), (2, 0))}
    assert not [s for s in shapes if s.role in ("cut through", "length")]


def test_cells_of_rounds_have_their_numbers():
    found, shapes, _ = shapes_of_roles("sia", "abc", "acb", "abc", {"number"})
    assert found and all(s.number in (1, 2) and s.says.startswith("round in ") for s in shapes if s.role == "number")


@pytest.mark.slow
@given(LINE, LINE, LINE)
@example(tuple("abc"), tuple("bca"), tuple("abc"))
@examples(40)
def test_the_tip_of_a_round_says_of_each_output_its_own(a, b, reference):
    """Check that a cell's hover text gives its round in A and its round in B.

    The text is read from the page, where one text may serve many marks, and compared with both results."""
    view = compare_outputs("sia", a, b, (reference,))
    wanted = {}
    for name, side, result in (("A", 0, view.before), ("B", 1, view.after)):
        row_of = {row[side]: number for number, row in enumerate(view.difference.rows)}
        for layer in result.layers:
            for cell in layer.cells():
                wanted.setdefault((row_of[cell.i], cell.k, cell.j), {}).setdefault(name, layer.number)
    said = {}
    root = read(comparison.fragment(view, hits_of_both(view), GridRoom(1200), all_rows=True))
    for group in root.all("g"):
        for e in group.children:
            if {"digit", "number"} <= e.classes:
                row, k, j = map(int, e.get("data-cell").removeprefix("d").split(","))
                text = e.get("data-says") or group.get("data-says")
                said[row, k, j] = {name: int(number) for name, number in re.findall(r"([AB]): (\d+)", text)}
                assert int(e.text) == wanted[row, k, j].get("B", wanted[row, k, j].get("A"))
    assert said == wanted


def test_signs_and_blocks_of_the_outputs_own_grids_lead_to_their_step():
    view = compare_outputs("wer", tuple("abx"), tuple("ab"), (tuple("abc"),))
    fit = comparison.difference_layout(view, GridRoom(1200))
    for side, own in zip("ab", comparison.own_pictures(view, hits_of_both(view), fit), strict=True):
        drawn = svg.svg_in_page(own.picture)
        terms = set(re.findall('data-term="(.*?)"', drawn))
        assert terms <= {f"step:{n}" for n in range(len(view.steps))}, "no term of one result"
        assert terms or side == "a"


# ---------------------------------------------------------------- the steps of the score


def ledger_change(name, share, before=1.0, after=2.0, cause="matches", **more):
    return LedgerChange(cause, name, before, after, share, (), **more)


STEPS = (
    ledger_change("words", 0.038, 7, 8),
    ledger_change("runs", 0.092, 3, 2),
    ledger_change("length", -0.039, 8, 9, "length"),
)


def ledger_of_changes(changes, start=0.555, higher_is_better=True):
    view = compare_outputs()
    end = start + sum(step.share for step in changes)
    before, after = (replace(view.before, score=score) for score in (start, end))
    return view.score_steps._replace(before=before, after=after, steps=changes, higher_is_better=higher_is_better)


def ledger_bars(table):
    """Return (tone, start, length) of each bar in a ledger's HTML table.

    The tone is the class for better or worse; start and length are in percent of the column's width."""
    found = re.findall(r'<rect class="(\w+)" x="([\d.]+)%" width="([\d.]+)%"', table)
    return [(tone, float(x), float(width)) for tone, x, width in found]


def test_bars_go_from_a_to_b_one_after_the_other():
    table = changes_table.steps_table_html(ledger_of_changes(STEPS))
    (one, x1, w1), (two, x2, w2), (three, x3, w3) = ledger_bars(table)
    assert (one, two, three) == ("better", "better", "worse")
    assert x1 + w1 == pytest.approx(x2, abs=0.02) and x2 + w2 == pytest.approx(x3 + w3, abs=0.02)
    assert w1 / w2 == pytest.approx(0.038 / 0.092, rel=0.01) and w3 / w2 == pytest.approx(0.039 / 0.092, rel=0.01)
    assert all(x >= 0 and x + width <= 100 for _, x, width in ledger_bars(table))
    assert re.findall(r'<tr class="term" data-term="(.*?)"', table) == ["step:0", "step:1", "step:2"]
    assert [unescape(t) for t in re.findall(r'<td class="num share \w+" title="(.*?)">', table)] == [
        *("+0.130000", "+0.038000", "+0.092000", "−0.039000")[1:]
    ]
    assert "7 → 8" in table and '>Matches</th><td class="num better">+0.130<' in table
    assert table.count('class="title"') == 1, "a cause with one step needs no heading"


@pytest.mark.parametrize("key", metrics.METRICS)
def test_the_shares_of_the_table_are_those_of_the_sentence_and_sum_as_printed(key):
    for a, b, *references in real_pairs()[::4]:
        view = compare_outputs(key, tuple(a), tuple(b), tuple(map(tuple, references)))
        digits, units = printed_steps(view.steps, 3)
        table = changes_table.steps_table_html(view.score_steps)
        cells = re.findall(r'<td class="num share \w+" title="[^"]*">(.*?)<', table)
        shown = [0 if cell in ("0", "≈ 0") else round(float(cell.replace("−", "-")) * 10**digits) for cell in cells]
        titles = [cell for cell in cells if cell not in ("0", "≈ 0")]
        assert shown == units and all(len(cell.partition(".")[2]) == digits for cell in titles)
        assert sum(shown) == round(float(f"{view.delta:.{digits}f}") * 10**digits)
        small = [step.share for step, unit in zip(view.steps, units, strict=True) if not unit]
        assert all(abs(share) < 1e-4 for share in small), "with a decimal more before it is printed as 0"


def test_lower_is_better_for_error_rates():
    table = changes_table.steps_table_html(ledger_of_changes(STEPS, higher_is_better=False))
    assert [tone for tone, *_ in ledger_bars(table)] == ["worse", "worse", "better"]


@pytest.mark.parametrize(
    "changes",
    [
        (),
        (ledger_change("words", 1e-9),),
        (ledger_change("words", 0.0, 4, 4),),
        (ledger_change("a", 0.5), ledger_change("b", -0.5)),
    ],
)
def test_odd_steps(changes):
    table = changes_table.steps_table_html(ledger_of_changes(changes, 0.0))
    assert len(ledger_bars(table)) == len(changes) and "nan" not in table


def test_values_are_told_apart_and_have_true_minus_signs():
    assert changes_table.format_values(ledger_change("", 0, 1.0012, 1.0013)) == ("1.0012", "1.0013")
    assert changes_table.format_values(ledger_change("", 0, -0.5, 7)) == ("−0.50", "7")


def test_equal_marks_are_counted_and_costs_have_their_own_words():
    view = compare_outputs("wer", tuple("xxab"), tuple("ab"), (tuple("ab"),))
    (step,) = [step for step in view.steps if step.cause == "edits"]
    (row,) = changes_table.mark_rows(view.score_steps, step)
    assert (row.times, row.label, row.tone) == (2, "▲ gone", "better")
    assert len(changes_table.mark_rows(view.score_steps, step, group_equal=False)) == 2
    back = compare_outputs("wer", tuple("ab"), tuple("xxab"), (tuple("ab"),))
    (step,) = [step for step in back.steps if step.cause == "edits"]
    assert [row.label for row in changes_table.mark_rows(back.score_steps, step)] == ["✕ new"]
    assert "× 2" in changes_table.steps_table_html(back.score_steps)


@pytest.mark.parametrize("key", metrics.METRICS)
def test_every_metric_calls_better_what_makes_it_better(key):
    view = compare_outputs(key)
    for step in view.steps:
        for row in changes_table.mark_rows(view.score_steps, step):
            right = (row.share > 0) == view.higher_is_better
            assert row.tone == ("same" if not row.share else "better" if right else "worse")
            assert not (row.word == "gained" and row.tone == "worse"), "nothing is gained that makes the score worse"
    assert read(comparison.fragment(view, hits_of_both(view), GridRoom(1200))).one("div", "pair")


# ---------------------------------------------------------------- chunks, neighbours, pairs and shifts


def test_chunks_are_lines_in_both_new_or_gone():
    _, shapes, _ = shapes_of_roles("meteor", "abxcd", "abcyd", "abcd", ("kept", "gained", "lost"))
    lines = {(s.role, s.points) for s in shapes if s.kind == "line" and s.role in ("kept", "gained", "lost")}
    # The rows are a, b, −x, c, +y, d. Both outputs have the chunk a b; A has the chunk c d, and B has b c.
    assert lines == {
        ("kept", ((0.5, 0.5), (1.5, 1.5))),
        ("lost", ((3.5, 2.5), (5.5, 3.5))),
        ("gained", ((1.5, 1.5), (3.5, 2.5))),
    }
    assert all(s.lead.startswith("step:") for s in shapes if s.kind == "line" and s.role in ("gained", "lost"))


def test_neighbours_are_triangles_on_the_rows_of_the_difference():
    roles = ("kept area", "new area", "gone area")
    _, shapes, _ = shapes_of_roles("dcs", "abxcd", "abxcdzef", "abycdef", roles)
    assert {(s.role, s.points) for s in shapes if s.role == "kept area"} == {
        ("kept area", ((2.0, 3), (0.0, 3), (2.0, 5))),
        ("kept area", ((3.0, 2), (3.0, 0), (5.0, 2))),
    }
    assert [s.role for s in shapes if s.role in roles].count("new area") == 2
    _, back, _ = shapes_of_roles("dcs", "abxcdzef", "abxcd", "abycdef", roles)
    swapped = {"new area": "gone area", "gone area": "new area", "kept area": "kept area"}
    ours = {(swapped[s.role], s.points) for s in shapes if s.role in roles}
    assert ours == {(s.role, s.points) for s in back if s.role in roles}


def test_discordant_pairs_that_changed_are_lines_where_they_are_few():
    _, shapes, view = shapes_of_roles("ribes", "bacd", "abdc", "abcd", ("new pair", "gone pair"))
    lines = {(s.role, s.points) for s in shapes if s.role in ("new pair", "gone pair")}
    assert len(lines) == 2 and {role for role, _ in lines} == {"new pair", "gone pair"}
    assert changed_marks.describe_omitted_pairs(view.difference.rows, view.before, view.after) == ""
    words = tuple(f"w{n}" for n in range(14))
    view = compare_outputs("ribes", words, words[::-1], (words,))
    said = "Of the discordant pairs 91 are new, too many to be drawn."
    assert changed_marks.describe_omitted_pairs(view.difference.rows, view.before, view.after).startswith(said)
    assert said in comparison.fragment(view, hits_of_both(view), GridRoom(1200))
    assert not changed_marks.discordant_pair_lines(view.difference.rows, view.before, view.after, {})
    words = tuple(f"w{n}" for n in range(110))
    view = compare_outputs("ribes", words, words[::-1], (words,))
    said = changed_marks.describe_omitted_pairs(view.difference.rows, view.before, view.after)
    assert said.startswith("The discordant pairs are too many to be drawn.")
    assert not changed_marks.discordant_pair_lines(view.difference.rows, view.before, view.after, {})


def test_shifts_are_arrows_in_both_new_or_gone():
    roles = ("kept shift", "new shift", "gone shift")
    for a, b, role in (("cdabxe", "cdabe", "kept shift"), ("abcde", "cdabe", "new shift"), ("cdabe", "abcde", "gone")):
        _, shapes, view = shapes_of_roles("ter", a, b, "abcde", roles)
        arrows = [s for s in shapes if s.role in roles]
        assert {s.role.split()[0] for s in arrows} == {role.split()[0]}
        assert [s.kind for s in arrows] == ["line", "line", "polygon"], "a bar, a line and its head"
        if role != "kept shift":
            assert all(s.lead.startswith("step:") for s in arrows)
    _, shapes, view = shapes_of_roles("ter", "cdabxe", "cdabe", "abcde", roles)
    own = [s for s in ResultMarks.from_result(view.after).shapes() if s.role == "arrow"]
    assert [s.points for s in shapes if s.role == "kept shift"] == [s.points for s in own], "all rows lie before x"


def test_the_merged_line_has_every_word_once_and_those_of_one_output_marked():
    """Check that each word is on the merged line once, and that the words of one output only are marked.

    A word that is elsewhere in the other output is both struck out and bold, so that the line can be read as either
    text."""
    view = compare_outputs("gtm", tuple("a b c d".split()), tuple("c a b d e".split()), (tuple("a b d e".split()),))
    tokens = read(comparison.merged_line(view)).all("span", of="tk")
    went, came = LOOKS["went", "line"].word, LOOKS["came", "line"].word
    looks = [token.get("class").split() for token in tokens]
    names = [token.get("data-word") for token in tokens]
    ours = [token.one("bdi").text for token, look in zip(tokens, looks, strict=True) if came not in look]
    theirs = [token.one("bdi").text for token, look in zip(tokens, looks, strict=True) if went not in look]
    assert ours == "a b c d".split() and theirs == "c a b d e".split()
    assert len({*names}) == len(view.difference.rows)
