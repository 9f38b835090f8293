"""Tests of long texts drawn in columns: all words are shown, ribbons join matched words, and the map counts matches."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import metrics
from metrics.text.sentences import sentences
from metrics.types import Hit, Layer, Result, Run
from tests.helpers.fragments import Element, drawn_result, process_texts, read
from tests.helpers.segments import all_hits, cell_relations, every_case, made_result, result_of
from viz.draw.evidence import columns, words
from viz.draw.evidence.drawn_result import DrawnResult
from viz.draw.evidence.fragment import fragment
from viz.draw.texts import ProcessedTexts

pytestmark = pytest.mark.usefixtures("made_metric")


def draw_columns(result: Result, **more: Any) -> Element:
    return read(columns.columns(drawn_result(result, hits=(), picture="text", **more)))


def drawn_ribbons(tree: Element) -> list[tuple[int, int, int, int, set[str]]]:
    """Return the ribbons, bands that join runs of matched words, as (i, k, j, length in words, CSS classes)."""
    out = []
    for svg in tree.all("svg", "ribbons"):
        for group in svg.all("g"):
            for ribbon in group.get("data-ribbons").split():
                i, j, *length = map(int, ribbon.split(","))
                out.append((i, int(svg.get("data-reference")), j, length[0] if length else 1, group.classes))
    return out


def ribbon_cells(found: list[tuple[int, int, int, int, set[str]]]) -> list[Hit]:
    return [Hit(i + d, k, j + d) for i, k, j, length, _ in found for d in range(length)]


@every_case
def test_ribbons_are_the_cells_that_the_result_joins(key: str, name: str, given: dict[str, Any]) -> None:
    result = result_of(key, name, given)
    found = drawn_ribbons(draw_columns(result))
    cells = ribbon_cells(found)
    expected = cell_relations(result)
    assert len(cells) == len(set(cells)) and set(cells) == set(expected)
    for i, k, j, length, classes in found:
        for d in range(length):
            looks = columns.theme.word_classes(expected[Hit(i + d, k, j + d)])
            assert set(looks) <= classes


@every_case
def test_words_are_all_there_once_and_look_as_in_the_strips(key: str, name: str, given: dict[str, Any]) -> None:
    result = result_of(key, name, given)
    tree = draw_columns(result)
    found = {e.get("data-word"): e for e in tree.having("data-word")}
    assert len(found) == len(tree.having("data-word"))
    strips = read(words.word_lines_html(drawn_result(result)))
    for element in strips.having("data-word"):
        there = found.pop(element.get("data-word"))
        assert there.classes - {"tight"} == element.classes and there.get("data-says") == element.get("data-says")
        assert there.text == element.text
    assert found == {}


def test_runs_are_one_ribbon_and_stay_apart_where_the_metric_does_not_join_them() -> None:
    text = "a b c d".split()
    joined = drawn_ribbons(draw_columns(metrics.score("gtm", text, [text])))
    assert [found[:4] for found in joined] == [(0, 0, 0, 4)]
    apart = drawn_ribbons(draw_columns(metrics.score("per", text, [text])))
    assert [found[:4] for found in apart] == [(n, 0, n, 1) for n in range(4)]
    path = drawn_ribbons(draw_columns(metrics.score("wer", text, [["a", "b", "x", "d"]])))
    assert [found[:4] for found in path if "u" in found[4]] == [(0, 0, 0, 2), (3, 0, 3, 1)]
    two = made_result("a b a b", ["a b a b"], Layer("runs", (Run(0, 0, 0, 2), Run(2, 0, 2, 2)), (1.0, 1.0)))
    assert [found[:4] for found in drawn_ribbons(draw_columns(two))] == [(0, 0, 0, 2), (2, 0, 2, 2)]


def long_texts(rows: list[str], *references: list[str], **settings: Any) -> tuple[ProcessedTexts, Result]:
    texts = process_texts(" ".join(rows), *map(" ".join, references), **settings)
    return texts, metrics.score("gtm", texts.segment.candidate, texts.segment.references)


SENTENCE = "The {0} of the word{0} is <b>{0}</b> & so.".format
LONG = [word for n in range(40) for word in SENTENCE(n).split()]


def test_the_fragment_of_a_long_text_has_all_its_words_its_ribbons_and_a_map() -> None:
    texts, result = long_texts(LONG, LONG[9:] + LONG[:9], ["The", "end."])
    tree = read(fragment(DrawnResult(texts, result, (), picture="text")))
    assert len(tree.having("data-word")) == 2 * len(LONG) + 2
    assert not [b for b in tree.all("b") if b.text.isdecimal()], "no word is markup"
    cells = ribbon_cells(drawn_ribbons(tree))
    assert sorted(cells) == sorted({c for layer in result.layers for m in layer.marks for c in m.cells()})
    side = tree.all("div", "side")[0]
    assert [len(p.having("data-word")) for p in side.all("p")] == [len(part) for part in sentences(LONG)]
    assert [word for p in side.all("p") for word in p.text.split()] == LONG
    (one, two) = tree.all("svg", "map")
    assert (one.get("data-rows"), one.get("data-columns"), two.get("data-columns")) == (str(len(LONG)),) * 2 + ("2",)


def test_sentences_stand_in_rows_where_their_breaks_agree() -> None:
    other = [word for n, word in enumerate(LONG) if n % 7 != 3]
    texts, result = long_texts(LONG, other)
    (side,) = read(columns.columns(DrawnResult(texts, result, (), picture="text"))).all(
        "div", "ref", data_reference="0"
    )[1:]
    beads = [tuple(map(int, bead.split(","))) for bead in side.get("data-rows").split()]
    assert (sum(a for a, _ in beads), sum(b for _, b in beads)) == (len(sentences(LONG)), len(sentences(other)))
    turned = [word for n in reversed(range(40)) for word in SENTENCE(n).split()]
    texts, result = long_texts(LONG, turned)
    tree = read(columns.columns(DrawnResult(texts, result, (), picture="text")))
    side = tree.all("div", "ref", data_reference="0")[1]
    assert "data-rows" not in side.attributes


def test_texts_without_spaces_are_written_without() -> None:
    line = "我们从光中认识宇宙。我们站在地球上。" * 12
    texts = process_texts(line, line, tokenizer="character")
    assert len(texts.candidate) > 130
    result = metrics.score("gtm", texts.segment.candidate, texts.segment.references)
    side = read(columns.columns(DrawnResult(texts, result, (), picture="text"))).all("div", "side")[0]
    assert side.text == line and len(side.all("p")) == 24
    assert len(side.all(of="tight")) == len(line) - 1


def test_a_direction_and_a_huge_word_stay_in_their_place() -> None:
    rows = [*("سلام دنيا.".split() * 70), "\u202e</p><script>", "x" * 10_000]
    texts, result = long_texts(rows, rows)
    html = columns.columns(DrawnResult(texts, result, (), picture="text"))
    side = read(html).all("div", "side")[0]
    assert {p.get("dir") for p in side.all("p")} == {"rtl"}
    assert "\u202e" not in html and "<script" not in html and len(html) < 100_000


# ---------------------------------------------------------------- many ribbons


def test_of_very_many_ribbons_the_longest_are_drawn_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "RIBBONS_MOST", 2)
    result = metrics.score("gtm", "a b c x d y e f".split(), ["a b c z d v e f".split()])
    tree = draw_columns(result)
    assert [found[:4] for found in drawn_ribbons(tree)] == [(0, 0, 0, 3), (6, 0, 6, 2)]
    assert "the 2 longest of 3 ribbons are drawn" in tree.one("p", "note").text
    assert not draw_columns(metrics.score("gtm", ["a"], [["a"]])).all("p", "note")


# ---------------------------------------------------------------- the map


@pytest.mark.parametrize(("n", "m", "step"), [(1, 1, 1), (60, 3, 1), (61, 60, 2), (131, 5, 3), (2000, 1, 34)])
def test_squares_are_so_large_that_a_map_has_at_most_sixty(n: int, m: int, step: int) -> None:
    assert columns.words_per_square(n, m) == columns.words_per_square(m, n) == step


@pytest.mark.parametrize("step", [1, 3, 7])
def test_a_map_counts_every_match(step: int) -> None:
    rng = random.Random(step)
    text = [rng.choice("abcdefgh") for _ in range(50)]
    result = metrics.score("gtm", text, [[rng.choice("abcdefghij") for _ in range(33)], ["z"]])
    for k in (0, 1):
        expected = Counter((c.i // step, c.j // step) for c in all_hits(result) if c.k == k)
        assert columns.count_hits_by_square(result.segment, k, step) == expected


def test_a_map_tints_the_squares_that_hold_used_cells() -> None:
    text = [f"w{n}" for n in range(131)]
    result = metrics.score("gtm", [*text, "w0"], [text])
    drawn = drawn_result(result, hits=(), picture="text")
    (svg,) = read(columns.maps_html(drawn)).all("svg", "map")
    used = set()
    for path in svg.all("path", "used"):
        for stroke in path.get("d").split("M")[1:]:
            column, row, length = map(int, stroke.replace(".5h", " ").split())
            used |= {(row, column + d) for d in range(length)}
    assert used == {(n, n) for n in range(44)}, "three words a square"
