"""Tests of saved files: the shapes of the screen, well-formed, hostile words escaped, and a signature in each."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import metrics
from metrics.types import Result, SkipBigram
from tests.helpers.comparisons import ASCII_HOSTILE, HOSTILE
from tests.helpers.fragments import Element, process_texts, read_page
from tests.helpers.latex import compile_documents
from tests.helpers.markup import check_self_contained
from tests.helpers.segments import MADE_RESULTS, first_rounds, used_cells
from viz.draw.evidence import ledger
from viz.draw.evidence.drawn_result import DrawnResult
from viz.draw.evidence.figure import HIGH, picture_of
from viz.draw.evidence.fragment import fragment
from viz.draw.pen import marks, svg, theme
from viz.draw.pen.grid import Window
from viz.draw.pen.marks import Selection
from viz.draw.pen.numbers import score_text
from viz.draw.pen.text import visible
from viz.draw.texts import ProcessedTexts
from viz.frame.examples import BY_NAME
from viz.save import sentence_page, tikz
from viz.state.results import cache
from viz.state.results import edits as verdicts

SVG = "{http://www.w3.org/2000/svg}"
ENGLISH = "GTM, two references (SIA, Figure 8)"
HEBREW = "Hebrew, right to left"


def example_texts(name: str) -> ProcessedTexts:
    example = BY_NAME[name]
    return process_texts(example.candidate, *example.references.split("\n"), **example.text)


def score_texts(texts: ProcessedTexts, key: str, **settings: Any) -> Result:
    return cache.score(key, texts.segment, metrics.settings(key, **settings))


def signature(texts: ProcessedTexts, result: Result) -> str:
    return result.signature(texts.settings.signature())


def draw_result(
    texts: ProcessedTexts, result: Result, chosen: Selection | None = None, rounds: int | None = None, **more: Any
) -> DrawnResult:
    """Return a result as the page draws it, with its matches, its ties and its remark."""
    hits = more.pop("hits", cache.hits(texts.segment))
    ties = more.pop("ties", cache.ties(result))
    return DrawnResult(texts, result, hits, ties, chosen=chosen, rounds=rounds, remark=cache.remark(result), **more)


def as_svg(found: DrawnResult) -> str:
    return svg.svg_file(picture_of(found, saved=True))


def as_tex(found: DrawnResult) -> str:
    return tikz.document(picture_of(found, saved=True))


def page_main(found: DrawnResult) -> Element:
    """Return the `main` element of a saved web page."""
    html = sentence_page.page_html(found)
    return read_page(html).one("main")


CASES = [
    (ENGLISH, "rouge_n", {"order": 2}, Selection(0, 0), None),
    (ENGLISH, "rouge_l", {}, None, None),
    (ENGLISH, "rouge_w", {}, Selection(0, 1), None),
    (ENGLISH, "rouge_s", {}, Selection(0, 3), None),
    (ENGLISH, "gtm", {}, Selection(0, 0), None),
    (ENGLISH, "sia", {}, Selection(0, 1), None),
    (ENGLISH, "sia", {}, None, 1),
    (ENGLISH, "dcs", {}, Selection(1, 0), None),
    ("English, 30 words and four references", "gtm", {}, None, None),
    (HEBREW, "rouge_l", {}, None, None),
    ("Japanese, by characters", "dcs", {}, None, None),
    *[(name, "made", {}, None, None) for name in MADE_RESULTS],
    ("stages and chunks", "made", {}, Selection(2, 0), None),
    ("shifts", "made", {}, Selection(1, 0), None),
    ("shifts", "made", {}, None, 1),
    ("edits of several words", "made", {}, Selection(3, 1), None),
    ("edits of several words", "made", {}, Selection(4, 0), None),
    ("hostile edits", "made", {}, Selection(0, 0), None),
]
KINDS = "polygon line dot diamond triangle hexagon cross plus minus ring digit".split()


def example_case(name: str, key: str, **settings: Any) -> tuple[ProcessedTexts, Result]:
    """Return an example's texts and result by metric `key`, or for “made” a handmade result and its texts."""
    if key != "made":
        texts = example_texts(name)
        return texts, score_texts(texts, key, **settings)
    result = MADE_RESULTS[name]
    texts = process_texts(" ".join(result.segment.candidate), *map(" ".join, result.segment.references))
    assert texts.segment == result.segment
    return texts, result


@pytest.mark.usefixtures("made_metric")
@pytest.mark.parametrize("name, key, settings, chosen, rounds", CASES)
def test_every_shape_is_one_element_and_one_line(
    name: str, key: str, settings: dict[str, Any], chosen: Selection | None, rounds: int | None
) -> None:
    texts, result = example_case(name, key, **settings)
    found = draw_result(texts, result, chosen, rounds)
    ties = found.ties if found.ties and found.ties.count > 1 else None
    tied = (ties.always, ties.sometimes) if ties else None
    shapes = marks.ResultMarks.from_result(result, rounds).shapes(found.hits, chosen, tied)
    open_ = {box.k for box in picture_of(found).boxes}
    shapes = [s for s in shapes if s.k in open_]
    assert {cell.k for cell in used_cells(result, rounds)} <= open_
    expected = Counter(f"{s.kind} {s.role.replace(' ', '-')}" for s in shapes)
    cells = Counter(f"x{s.cell.i}_{s.cell.k}_{s.cell.j}" for s in shapes if s.cell)
    cells += Counter(f"t{s.term.layer}_{s.term.t}" for s in shapes if s.kind in ("plus", "minus") and s.term)

    root = ElementTree.fromstring(as_svg(found))
    classes = [e.get("class", "").split() for e in root.iter() if e.get("class", "").split()[:1] != []]
    shown = [c for c in classes if c[0] in KINDS]
    assert Counter(" ".join(c[:2]) for c in shown) == expected and expected
    assert Counter(c[2] for c in shown if len(c) == 3) == cells

    lines = re.findall(
        rf"^\\(?:fill|draw|filldraw|node)\b.*; % ((?:{'|'.join(KINDS)}) .*)$", as_tex(found), re.MULTILINE
    )
    assert Counter(" ".join(line.split()[:2]) for line in lines) == expected
    assert Counter(line.split()[2] for line in lines if len(line.split()) == 3) == cells


LOOKS = [  # result, class of a shape, its tag, its corners, its colour
    ("stages and chunks", "dot used x0_0_1", "circle", 0, theme.BLUE),
    ("stages and chunks", "diamond used x1_0_2", "polygon", 4, theme.BLUE),
    ("stages and chunks", "triangle used x3_0_4", "polygon", 3, theme.BLUE),
    ("rounds of similar words", "hexagon used x5_0_6", "polygon", 6, theme.BLUE),
    ("rounds of similar words", "polygon round x1_0_2", "polygon", 6, theme.BLUE),
    ("rounds of similar words", "polygon round x3_0_4", "polygon", 6, theme.OCHRE),
    ("rounds of similar words", "polygon round x0_0_1", "polygon", 4, theme.BLUE),
    ("shifts", "cross substituted x5_1_3", "polygon", 12, theme.MAUVE),
    ("shifts", "plus extra t3_0", "g", 12, theme.MAUVE),
    ("edits of several words", "minus missing t4_0", "g", 4, theme.MAUVE),
]


@pytest.mark.usefixtures("made_metric")
@pytest.mark.parametrize("name, classes, tag, count, colour", LOOKS)
def test_each_kind_of_marker_has_its_outline(name: str, classes: str, tag: str, count: int, colour: str) -> None:
    texts, result = example_case(name, "made")
    root = ElementTree.fromstring(as_svg(draw_result(texts, result)))
    group, shape = next((g, e) for g in root.iter(SVG + "g") for e in g if e.get("class") == classes)
    assert (shape.tag, group.get("fill")) == (SVG + tag, colour)
    corners = re.findall(r"-?[\d.]+,-?[\d.]+", shape.get("points", ""))
    if tag == "g":  # a disc with a sign
        disc, sign = shape
        assert disc.tag == SVG + "circle" and sign.get("fill") != colour
        corners = re.findall(r"-?[\d.]+ -?[\d.]+", sign.get("d", ""))
    assert len(corners) == count
    lines = [line for line in as_tex(draw_result(texts, result)).splitlines() if line.endswith(f"; % {classes}")]
    assert len(lines) == 1 and lines[0].count("--") == count
    assert ("gridpaper" in lines[0]) == (tag == "g")


@pytest.mark.usefixtures("made_metric")
def test_moves_are_dashed_and_paths_are_not() -> None:
    texts, result = example_case("shifts", "made")
    root = ElementTree.fromstring(as_svg(draw_result(texts, result)))
    lines = [(g, e) for g in root.iter(SVG + "g") for e in g if e.get("class", "").startswith("line ")]
    looks = {e.get("class", "").split()[1]: g.get("stroke-dasharray") for g, e in lines}
    assert looks == {"path": None, "extra": None, "arrow": "5 3"}
    assert as_tex(draw_result(texts, result)).count("dash pattern") == 2 + 1  # two rounds, and the legend


def test_a_shape_lies_on_its_cell() -> None:
    texts = example_texts(ENGLISH)
    root = ElementTree.fromstring(as_svg(draw_result(texts, score_texts(texts, "gtm"))))
    circles = root.iter(SVG + "circle")
    dot = {e.get("class", "").split()[-1]: (float(e.get("cx", 0)), float(e.get("cy", 0))) for e in circles}
    (x0, y0), (x1, y1), (x2, y2) = dot["x0_1_0"], dot["x6_1_6"], dot["x7_1_7"]
    cell = x2 - x1
    assert cell > 20 and y2 - y1 == cell
    assert (x1 - x0, y1 - y0) == (6 * cell, 6 * cell)
    first_panel = dot["x1_0_9"]
    assert x0 - first_panel[0] == (12 - 9 + 1) * cell  # the rest of the first reference, and the barrier


def test_words_stand_beside_their_rows_and_columns() -> None:
    texts = example_texts(ENGLISH)
    root = ElementTree.fromstring(as_svg(draw_result(texts, score_texts(texts, "gtm"))))
    words = {e.get("class"): e.text for e in root.iter(SVG + "text") if re.match("[cr][0-9]", e.get("class") or "")}
    assert [words[f"c{i}"] for i in range(8)] == list(texts.candidate_words)
    assert [words[f"r1_{j}"] for j in range(8)] == list(texts.reference_words[1])


def test_right_to_left_words_keep_their_side() -> None:
    texts = example_texts(HEBREW)
    root = ElementTree.fromstring(as_svg(draw_result(texts, score_texts(texts, "rouge_l"))))
    beside = next(e for e in root.iter(SVG + "text") if e.get("class") == "c0")
    assert beside.get("direction") == "rtl" and beside.get("text-anchor") == "start"  # begins at the right
    assert r"\rtl{ירושלים\ltr{2024.5}!}" in tikz.tex("ירושלים2024.5!")
    assert tikz.tex("שלום") == r"\rtl{שלום}"


# ---------------------------------------------------------------- files show what the screen shows


def svg_elements(text: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(text).iter())


def elements_of_class(text: str, name: str) -> list[ElementTree.Element]:
    return [e for e in svg_elements(text) if name in (e.get("class") or "").split()]


@pytest.mark.parametrize("key", ["rouge_s", "meteor", "ribes"])
def test_arcs_are_saved_where_arcs_are_seen(key: str) -> None:
    texts = process_texts("on the mat the cats sat", "the cat sat on the mat")
    result = score_texts(texts, key)
    for kind in ("arcs", "grid"):
        found = draw_result(texts, result, picture=kind)
        file, root = as_svg(found), page_main(found)
        assert bool(elements_of_class(file, "grid")) == (kind == "grid") == bool(root.all("path", "grid"))
        names = ("curve", "aligned") if kind == "arcs" else ("used",)
        assert any(elements_of_class(file, name) for name in names) and any(root.all(of=name) for name in names)
        assert (".. controls" in as_tex(found)) == (kind == "arcs" and key == "rouge_s")
    pairs = sum(isinstance(m, SkipBigram) for x in result.layers for m in x.marks)
    if key == "rouge_s":
        assert len(elements_of_class(as_svg(draw_result(texts, result, picture="arcs")), "pair")) == pairs > 0


@pytest.mark.parametrize("rounds", [1, 2, 3, None])
def test_the_shown_rounds_are_saved_and_the_title_says_their_score(rounds: int | None) -> None:
    texts = example_texts(ENGLISH)
    result = score_texts(texts, "sia")
    found = draw_result(texts, result, rounds=rounds)
    so_far = {1: "0.250 after 1 round", 2: "0.256 after 2 rounds"}.get(rounds or 0)
    title = f"SIA {result.score:.3f}" + (f", {so_far}" if so_far else "")
    digits = {e.get("data-cell"): e.text for e in elements_of_class(as_svg(found), "digit")}
    assert digits == {f"{c.i},{c.k},{c.j}": str(n) for c, n in first_rounds(result, rounds).items()}
    root = page_main(found)
    assert {e.get("data-cell"): e.text for e in root.all("text", "digit")} == digits
    assert f"<title>{title}</title>" in as_svg(found) and f"<title>{title}</title>" in sentence_page.page_html(found)
    assert [e.text for e in elements_of_class(as_svg(found), "score")] == [title]
    assert as_tex(found).splitlines()[0] == f"% {title}"


def test_the_tie_that_is_stepped_to_is_saved() -> None:
    texts = process_texts("x a b y", "x b a y")
    ties = cache.ties(score_texts(texts, "rouge_l"))
    assert ties and len(ties.results) == 2
    seen = []
    for tie, result in enumerate(ties.results):
        found = draw_result(texts, result, ties=ties, tie=tie)
        used = {e.get("data-cell") for e in elements_of_class(as_svg(found), "used")}
        assert used == {f"{c.i},{c.k},{c.j}" for c in result.cells()}
        assert {e.get("data-cell") for e in page_main(found).all(of="used")} == used
        assert f"number {tie + 1} is shown" in page_main(found).text
        (layer,) = json.loads(sentence_page.result_json(texts, result))["layers"]
        assert layer["marks"][1][:3] == [1 + tie, 0, 2 - tie]
        seen.append(used)
    assert seen[0] != seen[1]


@pytest.mark.parametrize("tint", [True, False])
def test_the_tint_of_ties_is_saved_as_it_is_seen(tint: bool) -> None:
    texts = process_texts("x a b y", "x b a y")
    found = draw_result(texts, score_texts(texts, "rouge_l"), tint=tint)
    for role, count in (("always", 2), ("sometimes", 2)):
        assert len(elements_of_class(as_svg(found), role)) == (count if tint else 0)
        assert as_tex(found).count(f" {role} x") == (count if tint else 0)
    legend = "".join(e.text or "" for e in svg_elements(as_svg(found)))
    assert ("on every best alignment" in legend, "on some best alignments" in legend) == (tint, tint)
    (root,) = [e for e in page_main(found).children if "bitext" in e.classes]
    assert ("tint" in root.classes) == tint


def test_the_chosen_term_is_saved() -> None:
    texts = example_texts(ENGLISH)
    result = score_texts(texts, "gtm")
    chosen = Selection(0, 0)
    cells = {f"{c.i},{c.k},{c.j}" for c in result.layers[0].marks[0].cells()}
    found = draw_result(texts, result, chosen)
    picked = [e for e in elements_of_class(as_svg(found), "selected") if e.tag == SVG + "polygon"]
    assert {e.get("data-cell") for e in picked} == cells and len(cells) > 1
    assert theme.VERMILION in as_svg(found) and "{gridvermilion}" in as_tex(found)
    assert "selected term" in as_svg(found) and as_tex(found).count("% polygon selected x") == len(cells)
    (root,) = [e for e in page_main(found).children if "bitext" in e.classes]
    assert root.get("data-chosen") == "0:0"
    plain = draw_result(texts, result)
    assert theme.VERMILION not in as_svg(plain) and not elements_of_class(as_svg(plain), "selected")
    arcs = draw_result(texts, score_texts(texts, "rouge_s"), Selection(0, 2), picture="arcs")
    (group,) = [g for g in ElementTree.fromstring(as_svg(arcs)).iter(SVG + "g") if g.get("stroke") == theme.VERMILION]
    assert [e.get("data-term") for e in group] == ["0:2"]


def test_a_window_is_saved_as_a_window() -> None:
    candidate = " ".join(f"w{n}" for n in range(200))
    texts = process_texts(candidate, candidate)
    window = Window(0, 20, 20, 10, 10)
    hits = cache.window_hits(texts.segment, window)
    found = draw_result(texts, score_texts(texts, "gtm"), hits=hits, window=window, ties=None)
    for words in (
        {e.get("data-word") for e in svg_elements(as_svg(found)) if e.get("data-word")},
        {e.get("data-word") for e in page_main(found).one("div", "figure").having("data-word")},
    ):
        assert words == {f"{side}{n}" for side in ("c", "r0_") for n in range(20, 30)}
    assert len(elements_of_class(as_svg(found), "used")) == 10


# ---------------------------------------------------------------- all metrics and all formats


@pytest.mark.parametrize("key", metrics.METRICS)
@pytest.mark.parametrize("words", [(ASCII_HOSTILE, "x"), (HOSTILE, HOSTILE, "x =1+1")], ids=["no match", "hostile"])
def test_every_format_for_every_metric(key: str, words: tuple[str, ...]) -> None:
    texts = process_texts(*words)
    result = score_texts(texts, key)
    table = ledger.csv_text(texts.candidate_words, texts.reference_words, result, signature(texts, result))
    found = draw_result(texts, result)
    files = [as_svg(found), as_tex(found), sentence_page.page_html(found), table]
    for text in files:
        text.encode("utf-8")  # raises for an unpaired surrogate
        assert signature(texts, result) in text.replace("<wbr>", "").replace(r"\textbar{}", "|")
        shown = re.sub("\u2068[^\u2066-\u2069]+\u2069", "", text)  # removes isolated right-to-left words
        assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown)
        assert "w" * 100 not in text
    for picture in files[:2]:
        assert f"{metrics.METRICS[key].label} {score_text(result.score)}" in picture
    assert json.loads(sentence_page.result_json(texts, result))["signature"] == signature(texts, result)
    ElementTree.fromstring(files[0])


def test_a_signature_with_the_name_of_a_file_is_as_harmless_as_a_word() -> None:
    class Table:
        signature = "a\n\\input{x}\ud800</desc><script>\u202e"

        def __call__(self, a: str, b: str) -> float:
            return 0.0

    texts = example_texts(ENGLISH)
    result = score_texts(texts, "sia", similarity=Table())
    found = draw_result(texts, result)
    drawing, tex, html = as_svg(found), as_tex(found), sentence_page.page_html(found)
    ElementTree.fromstring(drawing)
    shown = html[html.index("<main>") : html.index("</main>")]
    assert "<script" not in drawing + shown and "&lt;script" in drawing and "&lt;script" in shown
    code = [re.sub(r"(?<!\\)%.*", "", line) for line in tex.splitlines()]  # what TeX reads, without comments
    assert not any(r"\input" in line for line in code)
    for text in (drawing, tex, html, sentence_page.result_json(texts, result)):
        text.encode("utf-8")
        assert "\u202e" not in text


def test_empty_sentences() -> None:
    for words in [("", "a b"), ("a b", ""), ("", "")]:
        texts = process_texts(*words)
        for key in metrics.METRICS:
            result = score_texts(texts, key)
            found = draw_result(texts, result)
            ElementTree.fromstring(as_svg(found))
            assert as_tex(found) and sentence_page.page_html(found) and sentence_page.result_json(texts, result)


# ---------------------------------------------------------------- the page


def test_the_page_is_the_fragment_that_is_seen() -> None:
    texts = example_texts(ENGLISH)
    for key, metric in metrics.METRICS.items():
        found = draw_result(texts, score_texts(texts, key), width=900, reference_scores=["0.1", "0.2"])
        html = sentence_page.page_html(found)
        assert fragment(found) in html
        header = page_main(found).one("header")
        assert (header.one("h1").text, header.one("p").text) == (metric.name, metric.about.idea)


def test_the_page_loads_nothing_and_runs_its_own_script_alone() -> None:
    texts = process_texts(HOSTILE, HOSTILE, ENGLISH)
    html = sentence_page.page_html(draw_result(texts, score_texts(texts, "sia"), Selection(0, 0)))
    check_self_contained(html)
    shown = read_page(html).one("main")
    for word in ASCII_HOSTILE.split():
        assert word[:15] in shown.text


def test_a_page_without_a_script_may_run_none() -> None:
    html = sentence_page.document("x", "", ["<p>a</p>"])
    assert "script-src" not in html and "<script" not in html and "default-src 'none'" in html


@pytest.mark.slow
def test_the_page_makes_the_metrics_remark() -> None:
    said = 0
    for name in (ENGLISH, "METEOR, two chunks", "BLEU, clipped counts: the the the"):
        texts = example_texts(name)
        for key, metric in metrics.METRICS.items():
            result = score_texts(texts, key)
            sentence = metric.remark(result) if metric.remark else ""
            notes = [e.text for e in page_main(draw_result(texts, result)).all("p", "note")]
            assert (sentence.replace("`", "") in notes) == bool(sentence)
            said += bool(sentence)
    assert said


def test_the_page_draws_the_lengths_where_they_are_penalised() -> None:
    texts = example_texts(ENGLISH)
    seen = set()
    for key in metrics.METRICS:
        result = score_texts(texts, key)
        penalised = any("_penalty" in part for part in result.parts)
        assert len(page_main(draw_result(texts, result)).all("div", "len")) == penalised
        seen.add(penalised)
    assert seen == {True, False}


# ---------------------------------------------------------------- long texts


def test_too_many_matches_are_one_sentence() -> None:
    texts = process_texts("a " * 250, "a " * 250)
    found = draw_result(texts, score_texts(texts, "rouge_n"))
    holds = "The grid has 62,500 matches, 22,500 more than the 40,000 that a picture can hold"
    says = f"{holds}; choose a part of the texts"
    for draw in (as_svg, as_tex):
        with pytest.raises(ValueError, match=f"^{re.escape(says)}$"):
            draw(found)
    assert page_main(found).one("div", "figure").text == f"{says}."


def test_a_tall_picture_fits_a_page_of_tex() -> None:
    sentence = " ".join(f"w{n}" for n in range(120))
    texts = process_texts(sentence, *[sentence] * 12)
    tex = as_tex(draw_result(texts, score_texts(texts, "rouge_l", multi_reference="sum"), ties=None))
    found = re.search(r"y=-([\d.]+)pt", tex)
    assert found
    lowest = max(float(y) for y in re.findall(r"\([\d.]+,([\d.]+)\)", tex))
    assert 10_000 < lowest < 16_383 and lowest * float(found[1]) < 14_000
    texts = process_texts(sentence, *[sentence] * 16)
    with pytest.raises(ValueError, match=r"^The picture would be \d\d,\d\d\d pixels high, more than the 16,000"):
        as_svg(draw_result(texts, score_texts(texts, "rouge_l", multi_reference="sum"), ties=None))


# ---------------------------------------------------------------- TeX


KINDS_OF_MARKS = ["stages and chunks", "rounds of similar words", "shifts", "edits of several words", "n-grams"]


@pytest.mark.slow
@pytest.mark.usefixtures("made_metric")
def test_any_words_compile_with_lualatex(tmp_path: Path) -> None:
    """Check that LuaLaTeX compiles hostile words in sentences and in edits."""
    texts = process_texts(HOSTILE, HOSTILE, "昨日 の " + BY_NAME[HEBREW].candidate)
    result = score_texts(texts, "sia")
    any_words = draw_result(texts, result, Selection(0, 1), verdict=verdicts.verdict_for_file(texts, result))
    any_edits = draw_result(*example_case("hostile edits", "made"), Selection(2, 0))
    compile_documents("lualatex", [as_tex(any_words), as_tex(any_edits)], tmp_path)


@pytest.mark.slow
@pytest.mark.usefixtures("made_metric")
def test_ascii_words_and_every_kind_of_mark_compile_with_pdflatex(tmp_path: Path) -> None:
    texts = process_texts(ASCII_HOSTILE + " a\x00b", ASCII_HOSTILE, "w" * 40)
    documents = [as_tex(draw_result(texts, score_texts(texts, "dcs"), Selection(0, 0)))]
    for name in KINDS_OF_MARKS:
        texts, result = example_case(name, "made")
        documents.append(as_tex(draw_result(texts, result, Selection(len(result.layers) - 1, 0))))
    edited = process_texts("the cat sat 'down'", " ".join(f"w{n}" for n in range(12)))
    for key in metrics.METRICS:
        result = score_texts(edited, key)
        documents.append(as_tex(draw_result(edited, result, verdict=verdicts.verdict_for_file(edited, result))))
    compile_documents("pdflatex", documents, tmp_path)


def test_a_word_ends_no_comment_and_opens_no_command() -> None:
    texts = process_texts("a\u2028\\input{x} b\x0bc %d", "%d")
    tex = as_tex(draw_result(texts, score_texts(texts, "gtm")))
    assert r"\input" not in tex and r"\textbackslash{}input\{x\}" in tex
    assert r"{\%d}; % word" in tex
    allowed = ("%", "\\", "  ", "},", "]", "")
    assert all(line.startswith(allowed) for line in tex.splitlines())


# ---------------------------------------------------------------- the verdict

HOSTILE_EDITS = [
    ("a <b>&amp;</b> c", "a $x$ c"),
    ("a \\input{x} c", "a \ud800 c"),
    ("a שלום c", "a سلام c"),
    ("a ‮x c", "a %{x} c"),
]


@pytest.mark.parametrize(("candidate", "reference"), HOSTILE_EDITS)
def test_a_file_has_the_verdict_first(candidate: str, reference: str) -> None:
    texts = process_texts(candidate, reference)
    result = score_texts(texts, "wer")
    verdict = verdicts.verdict_for_file(texts, result)
    assert verdict is not None and verdict.costs
    found = draw_result(texts, result, verdict=verdict)
    shown = page_main(found)
    (root,) = [each for each in shown.children if each.get("data-metric")]
    first, frame = root.children[:2]
    assert "verdict" in first.classes and "frame" in frame.classes
    words = [visible(text.split()[1]) for text in (candidate, reference)]
    assert [word.text for word in first.all("bdi")] == words
    assert first.text.startswith("WER 0.333: 1 error: 1 word wrong; 2 of 3 words can stay.")
    assert not first.all("script") and len(first.all("b")) == 3  # the score, and the words of both sides
    caption = re.findall(r'<text class="score".*?>(.*?)</text>', as_svg(found))
    said = unescape(" ".join(caption))
    assert said.split() == visible(verdict.text, 2_000).split()
    assert "WER 0.333: 1 error: 1 word wrong" in as_tex(found)


def test_rounds_that_are_left_out_have_no_verdict_under_their_picture() -> None:
    texts = process_texts("the cat cat sat", "cat the sat cat")
    result = score_texts(texts, "sia")
    verdict = verdicts.verdict_for_file(texts, result)
    assert picture_of(draw_result(texts, result, rounds=1, verdict=verdict), saved=True).says == ""
    assert picture_of(draw_result(texts, result, verdict=verdict), saved=True).says == (verdict and verdict.text)


# ---------------------------------------------------------------- JSON and CSV


def test_the_verdict_stands_first_in_json() -> None:
    texts = process_texts("the cow sat", "the cat sat")
    result = score_texts(texts, "gtm")
    found = verdicts.verdict_for_file(texts, result)
    assert found is not None
    body = json.loads(sentence_page.result_json(texts, result, found))
    assert next(iter(body)) == "verdict" and body["score"] == result.score
    assert body["verdict"]["text"] == found.text and body["verdict"]["matched"] == 2
    assert body["verdict"]["cost"]["share"] == found.cost.share  # type: ignore[union-attr]
    assert "Biggest cost: “cow” for “cat”, " in found.text


def test_json_holds_the_result_the_words_and_their_places() -> None:
    typed = "Cats \ud800x  cats"
    texts = process_texts(typed, "a cats", "cats", lowercase=True)
    result = score_texts(texts, "gtm")
    text = sentence_page.result_json(texts, result)
    assert text.isascii()
    body = json.loads(text)
    assert list(body)[:4] == ["metric", "signature", "score", "parts"]
    assert body["signature"] == signature(texts, result) and "case:lc" in body["signature"]
    assert body["text"]["settings"] == texts.settings.to_dict()
    assert body["text"]["candidate"][1] == {"raw": "\ud800x", "form": "\ud800x", "start": 5, "end": 7}
    assert all(typed[t["start"] : t["end"]] == t["raw"] for t in body["text"]["candidate"])
    for name, value in json.loads(json.dumps(result.to_dict())).items():
        assert name == "signature" or body[name] == value
    assert max(map(len, text.splitlines())) < 200


def test_csv_is_read_back_and_runs_nothing_in_a_spreadsheet() -> None:
    words = '=1+1 +a -b @c a,b "q"'
    texts = process_texts(words, " ".join(reversed(words.split())))
    result = score_texts(texts, "rouge_n")
    assert len(result.layers[0].marks) == 6
    text = ledger.csv_text(texts.candidate_words, texts.reference_words, result, signature(texts, result))
    first, _, rest = text.partition("\n")
    assert first == f"# {signature(texts, result)}"
    rows = list(csv.DictReader(io.StringIO(rest, newline="")))
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]
    terms = [row for row in rows if row["layer"] != "formula"]
    credits = [credit for layer in result.layers for credit in layer.credits]
    assert [float(row["value"]) for row in terms] == credits
    assert float(rows[-1]["value"]) == result.score


def test_csv_quotes_words_and_keeps_every_digit() -> None:
    texts = process_texts('a,b "q" =1+1 x', '=1+1 x "q" a,b')
    result = score_texts(texts, "sia")
    text = ledger.csv_text(texts.candidate_words, texts.reference_words, result, signature(texts, result))
    rows = list(csv.DictReader(io.StringIO(text.partition("\n")[2], newline="")))
    assert {"'=1+1", "x", '"q"', "a,b"} == {row["term"] for row in rows if row["layer"] != "formula"}
    values = [float(row["value"]) for row in rows if row["layer"] != "formula"]
    assert values == [credit for layer in result.layers for credit in layer.credits]


def test_a_grid_that_stands_alone_is_seen_as_a_whole() -> None:
    """Check that a single grid fits into a window with readable words, while stacked grids keep their cell size."""
    words = [f"w{n}" for n in range(33)]
    alone = process_texts(" ".join(words), " ".join(words[1:]))
    below = process_texts(" ".join(words), " ".join(words[:20]), " ".join(words[20:] * 2))
    high = [picture_of(draw_result(texts, score_texts(texts, "bleu"), width=1200)).height for texts in (alone, below)]
    assert all(19 * 33 < h <= HIGH for h in high) and HIGH < 24 * 33
    assert picture_of(draw_result(below, score_texts(below, "bleu"), width=500)).height > HIGH
