"""Saved files: the same shapes as on screen, well-formed, hostile words escaped, the signature in each."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from collections import Counter
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from conftest import missing
from segments import MADE, MADE_RESULTS

import metrics
from metrics.text import TextSettings, forms, process
from metrics.types import Result, Segment
from viz.draw import ledger, marks, svg, theme
from viz.draw.marks import Selection
from viz.draw.texts import Texts
from viz.save import export, tikz
from viz.state import cache, inputs
from viz.state.examples import BY_NAME

SVG = "{http://www.w3.org/2000/svg}"
ENGLISH = "SIA, Figure 8 (two references)"
HEBREW = "Hebrew, right to left"
ASCII_HOSTILE = (
    r"""<script>alert(1)</script> ]]> $x$ %{x} &amp; "q' `b^^M \input{x} \end{document} ~_# {}} --> |- =1+1 @a"""
)
HOSTILE = (
    ASCII_HOSTILE
    + " a\x00b \ud800z a\u202eb \u2066c שלום!2024 ירושלים2024.5 👩‍👩‍👧‍👦 e\u0301 \u0301 ＝x "
    + "w" * 20_000
)


def texts_of(name: str) -> Texts:
    example = BY_NAME[name]
    texts = inputs.read(example.candidate, example.references, TextSettings(**example.text))
    assert isinstance(texts, Texts)
    return texts


def texts_from(candidate: str, *references: str) -> Texts:
    settings = TextSettings()
    words, others = process(candidate, settings), tuple(process(r, settings) for r in references)
    return Texts(Segment(forms(words), tuple(map(forms, others))), words, others, settings)


def scored(texts: Texts, key: str, **settings: Any) -> Result:
    return cache.score(key, texts.segment, metrics.settings(key, **settings))


def signature(texts: Texts, result: Result) -> str:
    return result.signature(texts.settings.signature())


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


@pytest.fixture
def made_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(metrics.METRICS, "made", MADE)


def case(name: str, key: str, **settings: Any) -> tuple[Texts, Result]:
    """An example's texts with a metric's result, or a result that is made by hand with its texts."""
    if key != "made":
        texts = texts_of(name)
        return texts, scored(texts, key, **settings)
    result = MADE_RESULTS[name]
    texts = texts_from(" ".join(result.segment.candidate), *map(" ".join, result.segment.references))
    assert texts.segment == result.segment
    return texts, result


@pytest.mark.usefixtures("made_metric")
@pytest.mark.parametrize("name, key, settings, chosen, rounds", CASES)
def test_every_shape_is_one_element_and_one_line(
    name: str, key: str, settings: dict[str, Any], chosen: Selection | None, rounds: int | None
) -> None:
    texts, result = case(name, key, **settings)
    shapes = marks.shapes(result, cache.hits(texts.segment), chosen, rounds, cache.tie_cells(result))
    expected = Counter(f"{s.kind} {s.role.replace(' ', '-')}" for s in shapes)
    cells = Counter(f"x{s.cell.i}_{s.cell.k}_{s.cell.j}" for s in shapes if s.cell)
    cells += Counter(f"t{s.term.layer}_{s.term.t}" for s in shapes if s.kind in ("plus", "minus") and s.term)

    root = ElementTree.fromstring(svg.svg(texts, result, chosen, rounds))
    classes = [e.get("class", "").split() for e in root.iter() if e.get("class", "").split()[:1] != []]
    drawn = [c for c in classes if c[0] in KINDS]
    assert Counter(" ".join(c[:2]) for c in drawn) == expected
    assert Counter(c[2] for c in drawn if len(c) == 3) == cells

    lines = re.findall(
        rf"^\\(?:fill|draw|filldraw|node)\b.*; % ((?:{'|'.join(KINDS)}) .*)$",
        tikz.tikz(texts, result, chosen, rounds),
        re.MULTILINE,
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
    texts, result = case(name, "made")
    root = ElementTree.fromstring(svg.svg(texts, result))
    group, shape = next((g, e) for g in root.iter(SVG + "g") for e in g if e.get("class") == classes)
    assert (shape.tag, group.get("fill")) == (SVG + tag, colour)
    corners = re.findall(r"-?[\d.]+,-?[\d.]+", shape.get("points", ""))
    if tag == "g":  # a disc with a sign
        disc, sign = shape
        assert disc.tag == SVG + "circle" and sign.get("fill") != colour
        corners = re.findall(r"-?[\d.]+ -?[\d.]+", sign.get("d", ""))
    assert len(corners) == count
    lines = [line for line in tikz.tikz(texts, result).splitlines() if line.endswith(f"; % {classes}")]
    assert len(lines) == 1 and lines[0].count("--") == count
    assert ("gridpaper" in lines[0]) == (tag == "g")


@pytest.mark.usefixtures("made_metric")
def test_moves_are_dashed_and_paths_are_not() -> None:
    texts, result = case("shifts", "made")
    root = ElementTree.fromstring(svg.svg(texts, result))
    looks = {
        e.get("class", "").split()[1]: g.get("stroke-dasharray")
        for g in root.iter(SVG + "g")
        for e in g
        if e.get("class", "").startswith("line ")
    }
    assert looks == {"path": None, "extra": None, "arrow": "5 3"}
    assert tikz.tikz(texts, result).count("dash pattern") == 2 + 1  # two rounds, and the legend


def test_a_shape_lies_on_its_cell() -> None:
    texts = texts_of(ENGLISH)
    root = ElementTree.fromstring(svg.svg(texts, scored(texts, "rouge_l")))
    circles = root.iter(SVG + "circle")
    dot = {e.get("class", "").split()[-1]: (float(e.get("cx", 0)), float(e.get("cy", 0))) for e in circles}
    (x0, y0), (x1, y1), (x2, y2) = dot["x0_1_0"], dot["x6_1_6"], dot["x7_1_7"]
    cell = x2 - x1
    assert cell > 20 and y2 - y1 == cell
    assert (x1 - x0, y1 - y0) == (6 * cell, 6 * cell)
    first_panel = dot["x1_0_9"]
    assert x0 - first_panel[0] == (12 - 9 + 1) * cell  # the rest of the first reference, and the barrier


def test_words_stand_beside_their_rows_and_columns() -> None:
    texts = texts_of(ENGLISH)
    root = ElementTree.fromstring(svg.svg(texts, scored(texts, "gtm")))
    words = {e.get("class"): e.text for e in root.iter(SVG + "text") if re.match("[cr][0-9]", e.get("class") or "")}
    assert [words[f"c{i}"] for i in range(8)] == list(texts.candidate_words)
    assert [words[f"r1_{j}"] for j in range(8)] == list(texts.reference_words[1])


def test_right_to_left_words_keep_their_side() -> None:
    texts = texts_of(HEBREW)
    root = ElementTree.fromstring(svg.svg(texts, scored(texts, "rouge_l")))
    beside = next(e for e in root.iter(SVG + "text") if e.get("class") == "c0")
    assert beside.get("direction") == "rtl" and beside.get("text-anchor") == "start"  # reading starts at the right
    assert r"\rtl{ירושלים\ltr{2024.5}!}" in tikz.tex("ירושלים2024.5!")
    assert tikz.tex("שלום") == r"\rtl{שלום}"


# ---------------------------------------------------------------- all metrics, all formats


@pytest.mark.parametrize("key", metrics.METRICS)
@pytest.mark.parametrize("words", [(ASCII_HOSTILE, "x"), (HOSTILE, HOSTILE, "x =1+1")], ids=["no match", "hostile"])
def test_every_format_for_every_metric(key: str, words: tuple[str, ...]) -> None:
    texts = texts_from(*words)
    result = scored(texts, key)
    table = ledger.csv_text(texts.candidate_words, texts.reference_words, result, signature(texts, result))
    files = [svg.svg(texts, result), tikz.tikz(texts, result), export.page_html(texts, result), table]
    for text in files:
        text.encode("utf-8")  # no unpaired surrogates
        assert signature(texts, result) in text.replace("<wbr>", "").replace(r"\textbar{}", "|")
        assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text)
        assert "w" * 100 not in text
    for picture in files[:2]:
        assert f"{metrics.METRICS[key].label} {theme.score_text(result.score)}" in picture
    assert json.loads(export.result_json(texts, result))["signature"] == signature(texts, result)
    ElementTree.fromstring(files[0])


def test_a_signature_with_the_name_of_a_file_is_as_harmless_as_a_word() -> None:
    class Table:
        signature = "a\n\\input{x}\ud800</desc><script>\u202e"

        def __call__(self, a: str, b: str) -> float:
            return 0.0

    texts = texts_of(ENGLISH)
    result = scored(texts, "sia", similarity=Table())
    drawing, tex, page = (draw(texts, result) for draw in (svg.svg, tikz.tikz, export.page_html))
    ElementTree.fromstring(drawing)
    assert "<script" not in drawing + page and "&lt;script" in drawing and "&lt;script" in page
    code = [re.sub(r"(?<!\\)%.*", "", line) for line in tex.splitlines()]  # what TeX reads: no comments
    assert not any(r"\input" in line for line in code)
    for text in (drawing, tex, page, export.result_json(texts, result)):
        text.encode("utf-8")
        assert "\u202e" not in text


def test_empty_sentences() -> None:
    for words in [("", "a b"), ("a b", ""), ("", "")]:
        texts = texts_from(*words)
        for key in metrics.METRICS:
            result = scored(texts, key)
            ElementTree.fromstring(svg.svg(texts, result))
            assert tikz.tikz(texts, result) and export.page_html(texts, result) and export.result_json(texts, result)


# ---------------------------------------------------------------- the page


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "wbr", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_page_is_well_formed_runs_nothing_and_loads_nothing() -> None:
    texts = texts_from(HOSTILE, HOSTILE, ENGLISH)
    page = export.page_html(texts, scored(texts, "sia"), Selection(0, 0))
    tags = Tags(page)
    assert tags.open == []
    names = {tag for tag, _ in tags.seen}
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "form", "base", "image", "use", "a"}
    for _, attributes in tags.seen:
        assert not {a for a in attributes if a.startswith("on") or a in ("src", "href", "xlink:href")}
    assert re.findall(r"https?:[^\"]*", page) == ["http://www.w3.org/2000/svg"]
    assert "url(" not in page and "@import" not in page
    policy = next(a["content"] for tag, a in tags.seen if a.get("http-equiv") == "Content-Security-Policy")
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    shown = "".join(tags.text)
    for word in ASCII_HOSTILE.split():
        assert word[:15] in shown


def test_the_page_shows_every_term_formula_and_reference() -> None:
    texts = texts_of(ENGLISH)
    result = scored(texts, "dcs")
    page = export.page_html(texts, result)
    assert page.count("<tr>") == len(ledger.rows(texts.candidate_words, texts.reference_words, result)) + 2 + 2
    assert page.count('<p class="step">') == len(ledger.steps(result))
    assert metrics.METRICS["dcs"].idea in page and '<span class="bd">decides</span>' in page
    assert "<tr class=sel>" in export.page_html(texts, result, Selection(1, 0))


def test_the_page_makes_the_metrics_remark() -> None:
    for name in BY_NAME:
        texts = texts_of(name)
        for key, metric in metrics.METRICS.items():
            result = scored(texts, key)
            sentence = metric.remark(result) if metric.remark else ""
            assert ('class="remark">' + escape(sentence) in export.page_html(texts, result)) == bool(sentence)


def test_hover_rules_join_words_and_cells() -> None:
    texts = texts_of(ENGLISH)
    page = export.page_html(texts, scored(texts, "gtm"))
    assert "main:has(.c5:hover) :is(.c5,.i5),main:has(.i5:hover) .c5{--lit:#D55E00}" in page
    assert "main:has(.r1_5:hover) :is(.r1_5,.j1_5),main:has(.j1_5:hover) .r1_5{--lit:#D55E00}" in page
    targets = re.findall(r'<rect class="at i(\d+) j(\d+)_(\d+)"', page)
    assert sorted((int(i), int(k), int(j)) for i, k, j in targets) == sorted(map(tuple, cache.hits(texts.segment)))
    long = texts_from("a b c " * 80, "a b " * 80, "b c " * 110)
    assert "main:has(" not in export.page_html(long, scored(long, "gtm"))


@pytest.mark.usefixtures("made_metric")
def test_targets_name_what_meets_and_what_is_wrong() -> None:
    texts, result = case("edits of several words", "made")
    page = export.page_html(texts, result)
    titles = dict(re.findall(r'<rect class="at ([^"]*)"[^>]*><title>([^<]*)</title>', page))
    assert titles["i0 j1_0"] == "a (1) = a (1), used"
    assert titles["i2 j1_2"] == "c (3) ≠ p (3), substituted"
    assert titles["i4"] == "y (5), extra word" and titles["i7 i8"] == "z z (8–9), extra word"
    assert titles["j1_5 j1_6"] == "r s (6–7), missing word"
    boxes = re.findall(r'<rect class="at (i7 i8|j1_5 j1_6)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="', page)
    (_, x, y, width), (_, x2, y2, width2) = sorted(boxes)  # "z z" lies at column 8 from row 7 on
    cell = float(width2) / 2
    assert float(width) == cell / 2 and float(x) - float(x2) == pytest.approx((8 - 0.25 - 5) * cell, abs=0.02)
    assert float(y) - float(y2) == pytest.approx((7 - 6 + 0.25) * cell, abs=0.02)
    assert [f'<span class="er {look}">' in page for look in ("es", "ei", "ed")] == [True] * 3
    texts, result = case("stages and chunks", "made")
    page = export.page_html(texts, result)
    assert "cats (2) ≈ cat (3), same stem<" in page and "on (4) ≈ upon (5), synonym<" in page
    assert 'class="er' not in page and '<span class="u st">same stem</span>' in page


def test_the_page_draws_the_lengths_where_they_are_penalised() -> None:
    texts = texts_of(ENGLISH)
    for key in metrics.METRICS:
        result = scored(texts, key)
        assert ('<div class="len"' in export.page_html(texts, result)) == any(
            "_penalty" in part for part in result.parts
        )


# ---------------------------------------------------------------- long texts


def test_small_cells_have_positions_instead_of_words() -> None:
    candidate = " ".join(f"w{n}" for n in range(200))
    texts = texts_from(candidate, candidate)
    root = ElementTree.fromstring(svg.svg(texts, scored(texts, "gtm")))
    words = [e.text for e in root.iter(SVG + "text") if e.text and e.text.isdigit()]
    assert words.count("200") == 2 and "w5" not in words
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    assert 800 < width < 1500 and 800 < height < 1500


@pytest.mark.parametrize(
    "candidate, references, says",
    [
        ("a " * 251, ["a"], "The candidate has 251 words, 1 more than the 250 that a picture can hold"),
        ("a", ["b", "a b c " * 400], "Reference 2 has 1,200 words, 950 more than the 250 that a picture can hold"),
        ("a " * 250, ["a " * 250], "The grid has 62,500 matches, 22,500 more than the 40,000 that a picture can hold"),
    ],
)
def test_too_large_is_one_sentence(candidate: str, references: list[str], says: str) -> None:
    texts = texts_from(candidate, *references)
    result = scored(texts, "rouge_n")
    for draw in (svg.svg, tikz.tikz):
        with pytest.raises(ValueError, match=re.escape(says) + "; choose a part of the texts$"):
            draw(texts, result)
    assert says in export.page_html(texts, result)


def test_a_tall_picture_fits_a_page_of_tex() -> None:
    sentence = " ".join(f"w{n}" for n in range(250))
    texts = texts_from(sentence, *[sentence] * 12)
    tex = tikz.tikz(texts, scored(texts, "rouge_l"))
    found = re.search(r"y=-([\d.]+)pt", tex)
    assert found
    lowest = max(float(y) for y in re.findall(r"\([\d.]+,([\d.]+)\)", tex))
    assert lowest < 16_383 and lowest * float(found[1]) < 14_000
    texts = texts_from(sentence, *[sentence] * 16)
    with pytest.raises(ValueError, match=r"^The picture would be 2\d,\d\d\d pixels high, more than the 16,000"):
        svg.svg(texts, scored(texts, "rouge_l"))


# ---------------------------------------------------------------- TeX


def compile_tex(program: str, tex: str, folder: Path) -> None:
    if not shutil.which(program):
        missing(program)
    (folder / "picture.tex").write_text(tex, encoding="utf-8")
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "picture.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, timeout=120)
    assert run.returncode == 0, run.stdout.decode("utf-8", "replace")[-2000:]
    assert (folder / "picture.pdf").read_bytes().startswith(b"%PDF")
    assert b"(1 page" in run.stdout
    assert "Missing character" not in (folder / "picture.log").read_text("utf-8", "replace")


def test_any_words_compile_with_lualatex(tmp_path: Path) -> None:
    texts = texts_from(HOSTILE, HOSTILE, "昨日 の " + BY_NAME[HEBREW].candidate)
    compile_tex("lualatex", tikz.tikz(texts, scored(texts, "sia"), Selection(0, 1)), tmp_path)


def test_ascii_words_compile_with_pdflatex(tmp_path: Path) -> None:
    texts = texts_from(ASCII_HOSTILE + " a\x00b", ASCII_HOSTILE, "w" * 40)
    compile_tex("pdflatex", tikz.tikz(texts, scored(texts, "dcs"), Selection(0, 0)), tmp_path)


@pytest.mark.usefixtures("made_metric")
@pytest.mark.parametrize(
    "name", ["stages and chunks", "rounds of similar words", "shifts", "edits of several words", "n-grams"]
)
def test_every_kind_of_mark_compiles(name: str, tmp_path: Path) -> None:
    texts, result = case(name, "made")
    compile_tex("pdflatex", tikz.tikz(texts, result, Selection(len(result.layers) - 1, 0)), tmp_path)


@pytest.mark.usefixtures("made_metric")
def test_hostile_edits_compile(tmp_path: Path) -> None:
    texts, result = case("hostile edits", "made")
    compile_tex("lualatex", tikz.tikz(texts, result, Selection(2, 0)), tmp_path)


def test_a_word_ends_no_comment_and_opens_no_command() -> None:
    texts = texts_from("a\u2028\\input{x} b\x0bc %d", "%d")
    tex = tikz.tikz(texts, scored(texts, "gtm"))
    assert r"\input" not in tex and r"\textbackslash{}input\{x\}" in tex
    assert r"{\%d}; % word" in tex
    allowed = ("%", "\\", "  ", "},", "]", "")
    assert all(line.startswith(allowed) for line in tex.splitlines())


# ---------------------------------------------------------------- JSON and CSV


def test_json_holds_the_result_the_words_and_their_places() -> None:
    typed = "Cats \ud800x  cats"
    texts = inputs.read(typed, "a cats\ncats", TextSettings(lowercase=True))
    assert isinstance(texts, Texts)
    result = scored(texts, "gtm")
    text = export.result_json(texts, result)
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
    texts = texts_from(words, " ".join(reversed(words.split())))
    result = scored(texts, "rouge_n")
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
    texts = texts_from('a,b "q" =1+1 x', '=1+1 x "q" a,b')
    result = scored(texts, "sia")
    text = ledger.csv_text(texts.candidate_words, texts.reference_words, result, signature(texts, result))
    rows = list(csv.DictReader(io.StringIO(text.partition("\n")[2], newline="")))
    assert {"'=1+1", "x", '"q"', "a,b"} == {row["term"] for row in rows if row["layer"] != "formula"}
    values = [float(row["value"]) for row in rows if row["layer"] != "formula"]
    assert values == [credit for layer in result.layers for credit in layer.credits]
