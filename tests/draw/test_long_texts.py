"""Tests of two long outputs in columns: all words are shown, and each match has a ribbon for kept, lost or gained."""

from __future__ import annotations

import random
from typing import Any

import pytest

import metrics
from metrics.analysis.difference import DiffPlace, matched_cells
from metrics.text import TextSettings
from metrics.text.sentences import sentences
from metrics.types import Hit
from tests.helpers.fragments import Element, read
from viz.draw.compare import comparison, differences, long_texts
from viz.draw.compare.comparison import OutputPair
from viz.state.results import cache
from viz.state.texts import inputs

RNG = random.Random(3)
TALE = [word for n in range(30) for word in f"The n{n} of a word{n} and of n{n % 7} <b>{n}</b> is it.".split()]


def randomly_changed(words: list[str], share: float) -> list[str]:
    return [word if RNG.random() > share or word.endswith(".") else f"x{RNG.randrange(40)}" for word in words]


A, B, OTHER = randomly_changed(TALE, 0.3), randomly_changed(TALE, 0.3), randomly_changed(TALE, 0.2)[: len(TALE) // 2]
B = [*B[:40], *B[52:90], *B[40:52], *B[90:]]


def output_pair(key: str, a: list[str] = A, b: list[str] = B, *references: list[str]) -> OutputPair:
    given = "\n".join(" ".join(words) for words in references or (TALE, OTHER))
    texts = inputs.read_systems([("A", " ".join(a)), ("B", " ".join(b))], given, TextSettings())
    assert not isinstance(texts, inputs.MissingText)
    compared = cache.compare_segments(key, texts[0].segment, texts[1].segment, metrics.settings(key))
    assert not isinstance(compared, cache.Problem)
    return OutputPair(texts[0], texts[1], ("Left", "<Right>"), *compared)


def draw_columns(each: OutputPair, first: int = 0) -> Element:
    assert each.is_long
    part = differences.window_around(each.difference, each.references)._replace(k=first)
    return read(comparison.word_lines_html(each, ([], []), part))


def ribbon_cells(tree: Element, side: str) -> dict[Hit, tuple[str, set[str]]]:
    """Return the cells that the ribbons, bands between matched words, of output `side` cover.

    Each cell occurs once and is mapped to (what became of the match, CSS classes)."""
    out: dict[Hit, tuple[str, set[str]]] = {}
    for svg in tree.all("svg", "ribbons", data_side=side):
        for group in svg.all("g"):
            for ribbon in group.get("data-ribbons").split():
                i, j, *length = map(int, ribbon.split(","))
                for d in range(length[0] if length else 1):
                    cell = Hit(i + d, int(svg.get("data-reference")), j + d)
                    assert cell not in out
                    out[cell] = group.get("class").split()[0], group.classes
    return out


@pytest.mark.slow
@pytest.mark.parametrize("key", metrics.METRICS)
def test_ribbons_are_the_matches_of_both_by_what_became_of_them(key: str) -> None:
    each = output_pair(key) if key not in ("ter", "sia") else output_pair(key, A[:140], B[:140])
    tree, found = draw_columns(each), each.difference
    moved = {place for places in found.moved for place in places}
    for side, result in zip("ab", each.results, strict=True):
        rows = differences.rows_by_position(found.rows, side)
        shown = ribbon_cells(tree, side)
        if fewer := tree.all("p", "note"):
            assert key == "rouge_s" and "ribbons are drawn" in fewer[0].text and set(shown) < matched_cells(result)
        else:
            assert set(shown) == matched_cells(result), "the score that is read is what is seen"
        for (i, k, j), (fate, _) in shown.items():
            place = DiffPlace(rows[i], k, j)
            assert (fate == "kept") == (place in found.kept_places)
            assert (fate == "lost") == (place in found.lost) and (fate == "gained") == (place in found.gained)
            assert (fate in ("moved", "elsewhere")) == (place in moved)


def test_every_word_is_there_once_and_is_no_markup() -> None:
    tree = draw_columns(output_pair("gtm"), 1)
    names = [e.get("data-word") for e in tree.having("data-word")]
    sides = (("a", A), ("b", B), ("r0_", TALE), ("r1_", OTHER))
    assert sorted(names) == sorted(f"{side}{n}" for side, words in sides for n in range(len(words)))
    (a,) = tree.all("div", "side")[:1]
    words = [e.one("bdi").text for e in a.having("data-word")]
    assert words == A
    assert [e.text for e in tree.all("div", "lb")] == ["Left", "<Right>", "Reference 1", "Reference 2"]
    hidden = {e.get("data-reference") for e in tree.having("hidden")}
    assert hidden == {"0"}


def test_rows_are_those_of_all_three() -> None:
    def row_word_counts(each: OutputPair) -> list[list[int]]:
        (side,) = [e for e in draw_columns(each).all("div", "side") if e.get("data-reference") == "0"]
        return [[*map(int, row.split(","))] for row in side.get("data-rows").split()]

    other = randomly_changed(TALE, 0.3)
    rows = row_word_counts(output_pair("gtm", A, other))
    assert [sum(column) for column in zip(*rows, strict=True)] == [len(sentences(each)) for each in (A, TALE, other)]
    assert len(rows) > 10
    turned = [word for n in reversed(range(30)) for word in TALE[11 * n : 11 * n + 11]]
    assert row_word_counts(output_pair("gtm", A, turned)) == []


def test_an_output_without_words_has_none() -> None:
    tree = draw_columns(output_pair("gtm", A, []))
    assert tree.all("div", "side")[1].text == "no words" and not ribbon_cells(tree, "b")
    maps = read(long_texts.overview_maps_html(*_columns_arguments(output_pair("gtm", A, []))))
    assert len(maps.all("svg", "map")) == 2, "A's with both references"


def _columns_arguments(each: OutputPair) -> tuple[Any, ...]:
    return (each.a, each.b), each.marks, each.names, 0
