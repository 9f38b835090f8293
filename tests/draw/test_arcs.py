"""Tests of skip-bigrams drawn as arcs and word order as crossing lines: each is drawn once, in place, with its text."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import metrics
from metrics.types import Hit, Layer, Result, Run, Segment, SkipBigram
from tests.helpers.fragments import drawn_result
from tests.helpers.latex import compile_documents
from tests.helpers.segments import (
    HOSTILE,
    MADE,
    MADE_RESULTS,
    SEGMENTS,
    marks_by_term,
    result_of,
    shapes_by_term,
    word_names,
)
from viz.draw.evidence import arcs
from viz.draw.evidence.figure import picture_of
from viz.draw.pen import svg, theme
from viz.draw.pen.grid import Window
from viz.draw.pen.layout import Label
from viz.draw.pen.picture import Picture
from viz.draw.pen.placed_shapes import PlacedShape, text_width
from viz.draw.pen.text import visible
from viz.frame.examples import BY_NAME
from viz.save import tikz

SVG = "{http://www.w3.org/2000/svg}"
LONG = BY_NAME["English, 30 words and four references"]
HEBREW = BY_NAME["Hebrew, right to left"]
FIRST = BY_NAME["GTM, two references (SIA, Figure 8)"]
WIDTHS = (380, 700, 1100)

pytestmark = pytest.mark.usefixtures("made_metric")


def score_texts(key: str, candidate: str, references: str, **settings: Any) -> Result:
    return metrics.score(key, candidate.split(), [r.split() for r in references.split("\n")], **settings)


def draw_picture(result: Result, width: int = 700) -> Picture:
    draw = arcs.crossings if any("discordant" in layer.statistics for layer in result.layers) else arcs.arcs
    draw = arcs.crossings if any("chunks" in layer.statistics for layer in result.layers) else draw
    return draw(*result.segment, result, width)


def drawn_elements(picture: Picture) -> list[ElementTree.Element]:
    """Return the elements of the picture's SVG file, without those of its legend."""
    root = ElementTree.fromstring(svg.svg_file(picture))
    return [e for e in root.iter() if (e.get("class") or "key").split()[0] != "key"]


def elements_of_class(picture: Picture, name: str) -> list[ElementTree.Element]:
    return [e for e in drawn_elements(picture) if classes_of(e) == name]


def classes_of(element: ElementTree.Element) -> str:
    """Return the classes of a drawn element, without those such as `w3` that name the words of an arc."""
    return re.sub(r" w\d+", "", element.get("class", ""))


def parse_numbers(text: str | None) -> list[float]:
    return [float(n) for n in re.findall(r"-?[\d.]+", text or "")]


def points_of(element: ElementTree.Element) -> list[tuple[float, float]]:
    found = parse_numbers(element.get("points") or element.get("d"))
    return list(zip(found[::2], found[1::2], strict=True))


def word_positions(picture: Picture) -> dict[str, float]:
    return {label.word: label.x for label in picture.labels}


def legend_texts(picture: Picture) -> list[str]:
    return [entry.text for entry in picture.key]


# ---------------------------------------------------------------- arcs


@pytest.mark.parametrize("name", SEGMENTS)
@pytest.mark.parametrize("max_skip", [None, 0, 1])
def test_every_shared_pair_is_one_arc_between_its_words(name: str, max_skip: int | None) -> None:
    result = result_of("rouge_s", name, {"max_skip": max_skip})
    candidate = result.segment.candidate
    shared = marks_by_term(result, SkipBigram)
    assert arcs.picture_kind(result) == ("arcs" if shared else None)
    picture = draw_picture(result)
    at = word_positions(picture)
    assert list(at) == [f"c{i}" for i in range(len(candidate))]
    found = elements_of_class(picture, "curve pair")
    assert Counter(e.get("data-term") for e in found) == Counter([*shared])
    for element in found:
        mark = shared[element.get("data-term") or ""]
        (a, foot), (_, first), (_, second), (b, end) = points_of(element)
        assert (a, b) == pytest.approx((at[f"c{mark.first.i}"], at[f"c{mark.second.i}"]), abs=0.006)
        assert foot == end and first == second < foot
        assert foot - (foot - first) * 3 / 4 >= 1, "the top of the arc is in the picture"
        assert picture.labels[0].y > foot
    n, reach = len(candidate), len(candidate) if max_skip is None else max_skip + 1
    ours = {(m.first.i, m.second.i) for m in shared.values()}
    lacking = [(a, b) for a, b in combinations(range(n), 2) if b - a <= reach and (a, b) not in ours]
    dotted = elements_of_class(picture, "curve absent")
    ends = sorted((points_of(e)[0][0], points_of(e)[-1][0]) for e in dotted)
    expected = sorted((at[f"c{a}"], at[f"c{b}"]) for a, b in lacking)
    assert len(ends) == len(expected)
    for found_ends, pair in zip(ends, expected, strict=True):
        assert found_ends == pytest.approx(pair, abs=0.006)
    assert all(e.get("data-term") is None for e in dotted)
    whose = sorted({mark.first.k + 1 for mark in shared.values()})
    with_whom = f"pair shared with reference{'s' * (len(whose) > 1)} {' and '.join(map(str, whose))}"
    shared_text = with_whom if len(result.segment.references) > 1 else "shared pair"
    assert legend_texts(picture) == [shared_text] * bool(shared) + ["pair that does not count"] * bool(lacking)


def test_shared_pairs_are_solid_and_others_dotted_and_neither_is_filled() -> None:
    root = ElementTree.fromstring(svg.svg_file(draw_picture(result_of("rouge_s", "one reference"))))
    looks = {classes_of(e): g for g in root.iter(SVG + "g") for e in g if (e.get("class") or "").startswith("curve")}
    pair, absent = looks["curve pair"], looks["curve absent"]
    assert (pair.get("stroke"), absent.get("stroke")) == (theme.BLUE, theme.GREY)
    assert pair.get("stroke-dasharray") is None and absent.get("stroke-dasharray") is not None
    assert float(pair.get("stroke-width") or 0) >= 1.6, "wide enough to be pointed at"
    assert pair.get("fill") == absent.get("fill") == "none"


def test_a_pair_that_several_references_share_has_an_arc_for_each() -> None:
    result = metrics.score("rouge_s", tuple("abc"), [tuple("abc"), tuple("abc")], multi_reference="sum")
    found = elements_of_class(draw_picture(result), "curve pair")
    assert sorted(e.get("data-term") or "" for e in found) == ["0:0", "0:1", "0:2", "1:0", "1:1", "1:2"]
    assert len({e.get("d") for e in found}) == 6
    assert len({(points_of(e)[0], points_of(e)[-1]) for e in found}) == 3


def test_an_arc_is_higher_than_those_under_it() -> None:
    result = metrics.score("rouge_s", tuple("abcdefgh"), [tuple("abcdefgh")])
    found = [points_of(e) for e in elements_of_class(draw_picture(result), "curve pair")]
    tops = {round(end[0] - start[0]): high for start, (_, high), _, end in found}
    ordered = [high for _, high in sorted(tops.items())]
    assert len(ordered) > 6 and all(a > b for a, b in pairwise(ordered))


def test_too_many_pairs_are_no_arcs_and_the_legend_counts_what_is_left_out() -> None:
    most = metrics.score("rouge_s", ["a"] * 37, [["a"] * 37])  # 666 pairs
    beyond = metrics.score("rouge_s", ["a"] * 39, [["a"] * 39])  # 741 pairs
    assert arcs.has_arcs(most) and arcs.picture_kind(beyond) is None
    assert len(elements_of_class(draw_picture(most), "curve pair")) == 666
    assert legend_texts(draw_picture(most)) == ["shared pair"]
    assert len(elements_of_class(draw_picture(beyond), "curve pair")) == arcs.ARCS_MOST == 700
    assert legend_texts(draw_picture(beyond)) == ["shared pair, and 41 more pairs not drawn"]
    with pytest.raises(ValueError, match="no picture other than its grid"):
        arcs.picture_of(*beyond.segment, beyond, 700)
    words = [str(n) for n in range(27)]
    for last, count, says in ((26, 325, "pair that does not count"), (27, 0, "351 pairs that do not count, not drawn")):
        result = metrics.score("rouge_s", words[:last], [["x", "y"]])
        assert legend_texts(draw_picture(result)) == [says] and not arcs.has_arcs(result)
        assert len(elements_of_class(draw_picture(result), "curve absent")) == count


def test_many_arcs_show_through_each_other() -> None:
    few = draw_picture(score_texts("rouge_s", FIRST.candidate, FIRST.references))
    many = draw_picture(score_texts("rouge_s", LONG.candidate, LONG.references))
    assert 'stroke-opacity="0.35"' in svg.svg_file(many) and "draw opacity=0.35" in tikz.document(many)
    assert "stroke-opacity" not in "".join(svg.picture_elements(few)[0])


def test_what_has_no_pairs_has_no_picture() -> None:
    assert arcs.picture_kind(result_of("gtm", "one reference")) is None
    assert draw_picture(result_of("rouge_s", "no candidate")).labels == []


# ---------------------------------------------------------------- crossings


def order_result(candidate: Iterable[str], reference: Iterable[str], k: int = 0) -> Result:
    """Return a result of a made-up word-order metric: aligned words, and their concordant and discordant pairs.

    Every word occurs at most once in each text. The texts are reference `k`; the references before it are dummies."""
    candidate, reference = tuple(candidate), tuple(reference)
    hits = tuple([Hit(i, k, reference.index(word)) for i, word in enumerate(candidate) if word in reference])
    pairs = [SkipBigram(a, b) for a, b in combinations(hits, 2)]
    layers = [Layer("aligned", hits, (1.0,) * len(hits), statistics=("aligned",))]
    for name, rising in (("concordant", True), ("discordant", False)):
        marks = tuple(p for p in pairs if (p.first.j < p.second.j) == rising)
        layers.append(Layer(name, marks, (1.0,) * len(marks), statistics=(name,)))
    segment = Segment(candidate, (("x",),) * k + (reference,))
    return Result("made", MADE.Settings(), segment, 0, {}, {}, tuple(layers), {})


ORDERS = [
    ("abcd", "abcd"),
    ("abcd", "dcba"),
    ("abcd", "cdab"),
    ("xaybz", "bqa"),
    ("ab", "b"),
    ("ab", "ba"),
    ("aab", "ab"),  # two words at the same position are not in order
    ("a", "bca"),
    (("a", "immeasurable", "b", "of"), ("of", "b", "immeasurable", "a", "with")),
]


def cell_of(element: ElementTree.Element) -> Hit:
    return Hit(*map(int, (element.get("data-cell") or "").split(",")))


@pytest.mark.parametrize(("candidate", "reference"), ORDERS)
@pytest.mark.parametrize("k", [0, 1])
@pytest.mark.parametrize("width", [120, 700])
def test_every_discordant_pair_is_a_crossing(candidate: str, reference: str, k: int, width: int) -> None:
    result = order_result(candidate, reference, k)
    picture = draw_picture(result, width)
    at = word_positions(picture)
    assert [label.text for label in picture.labels] == [*candidate, *reference]
    assert list(at) == [f"c{i}" for i in range(len(candidate))] + [f"r{k}_{j}" for j in range(len(reference))]
    hits = marks_by_term(result, Hit)
    lines = elements_of_class(picture, "line aligned")
    assert {e.get("data-term"): cell_of(e) for e in lines} == hits and len(lines) == len(hits)
    ends = {cell_of(e): points_of(e) for e in lines}
    for hit, ((x, top), (x_end, bottom)) in ends.items():
        assert (x, x_end) == pytest.approx((at[f"c{hit.i}"], at[f"r{hit.k}_{hit.j}"]), abs=0.006)
        assert picture.labels[0].y < top < bottom < picture.labels[-1].y
    dots = [(cell_of(e), e.get("data-term"), float(e.get("cx", 0))) for e in elements_of_class(picture, "dot aligned")]
    assert sorted(dots) == sorted((hit, term, x) for term, hit in hits.items() for x, _ in ends[hit])
    knots, meetings = elements_of_class(picture, "cross discordant"), elements_of_class(picture, "diamond meeting")
    pairs = {term: mark for term, mark in marks_by_term(result, SkipBigram).items() if term.startswith("2:")}
    assert Counter(e.get("data-term") for e in [*knots, *meetings]) == Counter([*pairs])
    one_word = {term for term, (first, second) in pairs.items() if first.j == second.j}
    assert {e.get("data-term") for e in meetings} == one_word, "what is on one reference word is not called reversed"
    for element in meetings:  # a crossing lies between the two lines, near the word at which they meet
        x, y = (sum(corner[n] for corner in points_of(element)) / 4 for n in (0, 1))
        (a, top), (b, bottom) = ends[pairs[element.get("data-term") or ""].first]
        (a_other, _), _ = ends[pairs[element.get("data-term") or ""].second]
        assert top < y < bottom - 4 and min(a, a_other, b) <= x <= max(a, a_other, b)
    for element in knots:
        corners = points_of(element)
        x, y = (sum(corner[n] for corner in corners) / len(corners) for n in (0, 1))
        for hit in pairs[element.get("data-term") or ""]:  # the crossing lies on both lines
            (a, top), (b, bottom) = ends[hit]
            assert math.isclose(x, a + (y - top) / (bottom - top) * (b - a), abs_tol=0.1)
    says = ["discordant pair: two words whose order is reversed"] * bool(knots)
    says += ["discordant pair: two words on the same reference word"] * bool(meetings)
    assert legend_texts(picture) == ["aligned words"] * bool(hits) + says


def test_which_picture_order_has() -> None:
    assert arcs.picture_kind(order_result("ab", "ba")) == "crossings"
    assert arcs.picture_kind(order_result("a", "bca")) is None
    turned = [str(n) for n in range(39)]
    assert arcs.picture_kind(metrics.score("meteor", turned, [turned[::-1]])) is None  # 741 crossings
    assert arcs.picture_kind(metrics.score("meteor", turned[:37], [turned[36::-1]])) == "crossings"  # 666 crossings
    assert arcs.picture_kind(metrics.score("meteor", turned, [turned])) == "crossings"
    assert arcs.picture_kind(metrics.score("meteor", ["a"] * 131, [["a"] * 131])) is None
    assert arcs.picture_kind(metrics.score("meteor", ["a"], [["b"]])) is None
    assert arcs.grid_first(metrics.score("meteor", turned, [turned]))
    assert not arcs.grid_first(order_result("ab", "ba"))


def test_crossings_beyond_the_most_are_counted_in_the_legend() -> None:
    turned = [str(n) for n in range(39)]
    for result in (metrics.score("meteor", turned, [turned[::-1]]), order_result(turned, turned[::-1])):
        picture = draw_picture(result)
        assert legend_texts(picture)[-1] == "words whose order is reversed, and 41 more not drawn"
        assert sum(e.get("class", "").startswith("cross ") for e in drawn_elements(picture)) == 700


MATCHED = [  # candidate, reference, number of lines by style
    ("on the mat the cat sat", "the cat sat on the mat", {"aligned words": 6}),
    ("on the mat the cats sat", "the cat sat on the mat", {"aligned words": 5, "same stem": 1}),
    ("a b c", "a b c", {"aligned words": 3}),
    ("dogs bark", "barking dog", {"same stem": 2}),
]
DASHES = {"aligned words": None, "same stem": "5 3"}


@pytest.mark.parametrize(("candidate", "reference", "lines"), MATCHED)
@pytest.mark.parametrize("k", [0, 1])
def test_matches_are_lines_and_chunks_bands(candidate: str, reference: str, lines: dict[str, int], k: int) -> None:
    result = score_texts("meteor", candidate, "x\n" * k + reference, stages=("exact", "stem"))
    picture = draw_picture(result)
    root = ElementTree.fromstring(svg.svg_file(picture))
    found = [
        (g.get("stroke-dasharray"), e) for g in root.iter(SVG + "g") for e in g if e.get("class") == "line aligned"
    ]
    assert Counter(dash for dash, _ in found) == {DASHES[name]: count for name, count in lines.items()}
    matches = marks_by_term(result, Hit)
    assert {e.get("data-term"): cell_of(e) for _, e in found} == matches and len(found) == len(matches)
    crossed = sum(a.i < b.i and a.j > b.j for a in matches.values() for b in matches.values())
    knots = elements_of_class(picture, "cross crossing")
    assert len(knots) == crossed and all(e.get("data-term") is None for e in knots)
    chunks = {term: mark for term, mark in marks_by_term(result, Run).items() if mark.length > 1}
    bands = elements_of_class(picture, "polygon chunk")
    assert Counter(e.get("data-term") for e in bands) == Counter([*chunks])
    at = word_positions(picture)
    for element in bands:
        run = chunks[element.get("data-term") or ""]
        (a, top), (b, _), (b_end, bottom), (a_end, _) = points_of(element)
        inside = [(at[f"c{hit.i}"], at[f"r{hit.k}_{hit.j}"]) for hit in run.cells()]
        assert all(a < x < b and a_end < y < b_end for x, y in inside) and top < bottom
        others = {name for name in at if name.startswith("c")} - word_names(run.cells())
        assert not any(a < at[name] < b for name in others)
    names = [*lines, *["chunk of several words"] * bool(chunks)]
    assert legend_texts(picture)[: len(names)] == names
    assert any("crossing" in text for text in legend_texts(picture)) == bool(crossed)


def test_synonyms_are_dotted_lines() -> None:
    hits = (Hit(0, 0, 0), Hit(1, 0, 1))
    layers = (
        Layer("synonym", hits, (1.0, 1.0), statistics=("synonym",), relation="synonym"),
        Layer("chunks", (Run(0, 0, 0, 2),), (1.0,), statistics=("chunks",), relation="synonym"),
    )
    segment = Segment(("car", "big"), (("auto", "large"),))
    picture = draw_picture(Result("made", MADE.Settings(), segment, 0, {}, {}, layers, {}))
    assert legend_texts(picture) == ["synonyms", "chunk of several words"]
    assert 'stroke-linecap="round"' in svg.svg_file(picture)


# ---------------------------------------------------------------- words, space and files


def label_box(label: Label, font: float) -> tuple[float, float, float, float]:
    """Return the left, right, top and bottom of a drawn word in pixels, with letters as wide as `text_width` says."""
    breadth = text_width(visible(label.text, 16)) * font
    if not label.turn:
        return label.x - breadth / 2, label.x + breadth / 2, label.y - font * 0.6, label.y + font * 0.6
    far, near = breadth * math.sqrt(0.5), font * 0.45
    if label.side == "left":
        return label.x - near, label.x + far + near, label.y - far - near, label.y + near
    return label.x - far - near, label.x + near, label.y - near, label.y + far + near


def shape_box(shape: PlacedShape) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in shape.points], [y for _, y in shape.points]
    top = ys[0] + (min(ys) - ys[0]) * 3 / 4 if shape.kind == "curve" else min(ys)
    return min(xs), max(xs), top, max(ys)


@pytest.mark.parametrize("example", [FIRST, LONG, HEBREW], ids=lambda e: e.name)
@pytest.mark.parametrize(
    "key, settings", [("rouge_s", {}), ("rouge_s", {"max_skip": 4}), ("ribes", {}), ("meteor", {})]
)
@pytest.mark.parametrize("width", WIDTHS)
def test_everything_has_room(example: Any, key: str, settings: dict[str, Any], width: int) -> None:
    result = score_texts(key, example.candidate, example.references, **settings)
    assert arcs.picture_kind(result) == ("arcs" if key == "rouge_s" else "crossings")
    picture = draw_picture(result, width)
    assert picture.width <= width or (example is LONG and width == 380)
    boxes = [label_box(label, picture.font) for label in picture.labels]
    boxes += [shape_box(shape) for group in picture.groups for shape in group.members]
    for left, right, top, bottom in boxes:
        assert left >= 0 and right <= picture.width and top >= 1 and bottom <= picture.height
    for before, after in pairwise(picture.labels):
        if before.word[0] != after.word[0]:
            continue
        if not before.turn:
            assert label_box(after, picture.font)[0] - label_box(before, picture.font)[1] > 0.3 * picture.font
        else:  # slanted lines of text are apart by their height
            assert (after.x - before.x) * math.sqrt(0.5) >= 1.05 * picture.font


def test_words_stand_level_where_they_fit() -> None:
    turns = [
        {label.turn for label in draw_picture(score_texts("rouge_s", LONG.candidate, LONG.references), width).labels}
        for width in (380, 1100, 1800)
    ]
    assert turns == [{45}, {45}, {0}]


@pytest.mark.parametrize("key", ["rouge_s", "ribes"])
def test_hostile_words_are_words(key: str) -> None:
    result = metrics.score(key, HOSTILE, [HOSTILE[::-1]]) if key == "ribes" else result_of(key, "hostile")
    picture = draw_picture(result)
    text = svg.svg_file(picture)
    assert "<b>" not in text and "<script" not in text and "$" not in text
    root = ElementTree.fromstring(text)
    words = [(e.get("data-word"), e.text) for e in root.iter(SVG + "text") if e.get("data-word")]
    candidate = [(f"c{i}", visible(word, 16)) for i, word in enumerate(result.segment.candidate)]
    assert words[: len(candidate)] == candidate
    assert len(words) == len(candidate) * (2 if key == "ribes" else 1)
    assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e\ud800-\udfff]", text + tikz.document(picture))


@pytest.mark.parametrize("key", ["rouge_s", "meteor"])
@pytest.mark.parametrize("width", [200, 1100])
def test_right_to_left_words_keep_their_place(key: str, width: int) -> None:
    result = score_texts(key, HEBREW.candidate, HEBREW.references)
    picture = draw_picture(result, width)
    words = [e for e in drawn_elements(picture) if e.get("data-word")]
    assert words and all(e.get("direction") == "rtl" for e in words)
    first = next(e for e in words if e.get("data-word") == "c0")
    # Right-to-left text starts at its right end: the far end of a slanted word above the picture, the near end below.
    slanted = "end" if key == "meteor" else "start"
    assert first.get("text-anchor") == (slanted if width == 200 else "middle")
    assert r"\rtl{" in tikz.document(picture)


def test_a_picture_has_its_title_and_its_signature() -> None:
    picture = replace(
        draw_picture(score_texts("rouge_s", FIRST.candidate, FIRST.references)), title="ROUGE-S 0.5", signature="a|b"
    )
    for text in (svg.svg_file(picture), tikz.document(picture).replace(r"\textbar{}", "|")):
        assert "ROUGE-S 0.5" in text and "a|b" in text


def test_tex_has_a_line_for_each_shape() -> None:
    for result in (score_texts("rouge_s", FIRST.candidate, FIRST.references), order_result("abcd", "cdab")):
        picture = draw_picture(result)
        tex = tikz.document(picture)
        expected = Counter(shape.name for group in picture.groups for shape in group.members)
        assert Counter(re.findall(r"^\\(?:fill|draw|filldraw)\b.*; % ((?!key).*)$", tex, re.MULTILINE)) == expected
        assert tex.count(".. controls") == sum(n for name, n in expected.items() if name.startswith("curve")) + sum(
            entry.sample.kind == "curve" for entry in picture.key
        )


def test_pictures_compile_with_pdflatex(tmp_path: Path) -> None:
    words = ["dogs", "{%}", "\\input{x}", "bark"], [["barking", "\\input{x}", "{%}", "dog"]]
    results = [metrics.score(key, *words) for key in ("rouge_s", "meteor", "ribes")]
    compile_documents("pdflatex", [tikz.document(draw_picture(result)) for result in results], tmp_path)


@pytest.mark.slow
def test_right_to_left_pictures_compile_with_lualatex(tmp_path: Path) -> None:
    results = [score_texts(key, HEBREW.candidate, HEBREW.references) for key in ("rouge_s", "meteor")]
    compile_documents("lualatex", [tikz.document(draw_picture(result, 380)) for result in results], tmp_path)


# ---------------------------------------------------------------- grids


CASES = [*[("made", name) for name in MADE_RESULTS]]
CASES += [(key, "two references") for key in ("gtm", "dcs", "sia", "ter", "bleu")]


@pytest.mark.parametrize(("key", "name"), CASES)
def test_marks_of_grids_say_which_cell_or_which_term_they_stand_for(key: str, name: str) -> None:
    result = result_of(key, name)
    picture = picture_of(drawn_result(result, hits=()))
    marked = list(ElementTree.fromstring(svg.svg_file(picture)).iter())
    for e in marked:
        cell = re.search(r" x(\d+)_(\d+)_(\d+)", e.get("class") or "")
        assert e.get("data-cell") == (",".join(cell.groups()) if cell else None)
        word = re.fullmatch(r"c\d+|r\d+_\d+", e.get("class") or "")
        assert e.get("data-word") == (word[0] if word else None)
    assert Counter(e.get("data-term") for e in marked if e.get("data-term")) == shapes_by_term(result)


def test_a_window_names_cells_and_words_by_their_place_in_the_texts() -> None:
    candidate, reference = [f"a{n}" for n in range(9)], [f"b{n}" for n in range(9)]
    reference[6] = "a4"
    result = metrics.score("gtm", candidate, [["x"], reference])
    assert result.cells() == {Hit(4, 1, 6)}
    picture = picture_of(drawn_result(result, window=Window(1, 3, 5, 2, 3)))
    elements_ = list(ElementTree.fromstring(svg.svg_file(picture)).iter(SVG + "text"))
    words = {e.get("data-word"): e.text for e in elements_ if e.get("data-word")}
    assert words == {"c3": "a3", "c4": "a4", "r1_5": "b5", "r1_6": "a4", "r1_7": "b7"}
    assert 'data-cell="4,1,6"' in svg.svg_file(picture)
