"""Tests of the token strips: a word's look is what the result says of it, and a word is never markup."""

from __future__ import annotations

from typing import Any

import pytest

import metrics
from metrics.types import Hit, Layer, Result, Run, Segment
from tests.helpers.fragments import Element, drawn_result, read
from tests.helpers.segments import (
    CASES,
    MADE,
    all_hits,
    cell_relations,
    edits,
    every_case,
    first_rounds,
    matching_letters,
    result_of,
    used_cells,
    word_names,
    words_by_name,
    words_of,
)
from viz.draw.evidence import words
from viz.draw.evidence.figure import picture_of
from viz.draw.pen import svg, theme
from viz.draw.pen.grid import Window
from viz.draw.pen.marks import Selection
from viz.draw.pen.text import visible

pytestmark = pytest.mark.usefixtures("made_metric")


def draw_strips(result: Result, **more: Any) -> Element:
    """Return the element that holds the strips of `result`."""
    (box,) = read(words.word_lines_html(drawn_result(result, **more))).children
    return box


def words_in(box: Element) -> dict[str, Element]:
    """Return the elements of the words in the strips, by word name such as c0 or r1_2; each name occurs once."""
    found = box.all("span", "tk")
    assert len({e.get("data-word") for e in found}) == len(found)
    return {e.get("data-word"): e for e in found}


@every_case
def test_the_look_of_a_word_is_what_the_result_says(key: str, name: str, given: dict[str, Any]) -> None:
    check_looks(result_of(key, name, given), None)


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_look_follows_the_rounds(rounds: int) -> None:
    check_looks(result_of("sia", "two references"), rounds)


LOOKS = {"equal": {"u"}, "stem": {"u", "st"}, "synonym": {"u", "sy"}, "similar": {"u", "sy"}, "different": {"er", "es"}}


def check_looks(result: Result, rounds: int | None) -> None:
    found = words_in(draw_strips(result, rounds=rounds))
    hit = word_names(all_hits(result))
    runs = [m for x in result.layers for m in x.marks if isinstance(m, Run)]
    joined = {name for m in [*runs, *edits(result, "match")] for name in word_names(m.cells()[:-1])}
    looks: dict[str, set[str]] = {}
    first_round: dict[str, int | None] = {}
    for op, look in (("insertion", "ei"), ("deletion", "ed")):
        for mark in edits(result, op):
            looks |= {name: {"er", look} for name in words_of(mark)}
    in_rounds = first_rounds(result, rounds)
    for cell, relation in reversed(
        cell_relations(result, rounds).items()
    ):  # reversed, so that a word's first cell decides
        looks |= dict.fromkeys(word_names([cell]), LOOKS[relation])
        first_round |= dict.fromkeys(word_names([cell]), in_rounds.get(cell))
    lettered: dict[str, set[int]] = {}
    for cell, sides in matching_letters(result).items():
        for name, letters in zip((f"c{cell.i}", f"r{cell.k}_{cell.j}"), sides, strict=True):
            lettered.setdefault(name, set()).update(letters)
    looks |= {name: {"lt"} for name in lettered}
    shown = {name: visible(word, 60) for name, word in words_by_name(result).items()}
    assert {name: e.one("bdi").text for name, e in found.items()} == shown
    for name, e in found.items():
        number = first_round.get(name)
        expected = {"tk", *looks.get(name, {"h"} if name in hit else set())} | ({"j"} if name in joined else set())
        assert e.classes == expected | ({f"n{(number - 1) % 5 + 1}"} if number else set()), name
        assert [sup.text for sup in e.all("sup")] == ([str(number)] if number else [])
        word, matched = words_by_name(result)[name], sorted(lettered.get(name, ()))
        assert "".join(u.text for u in e.all("u")) == "".join(visible(word[at]) for at in matched)


def test_all_looks_of_words_are_among_the_cases() -> None:
    seen = {c for case in CASES for e in words_in(draw_strips(result_of(*case))).values() for c in e.classes}
    assert seen == {"tk", "u", "h", "j", "lt", "st", "sy", "er", "es", "ei", "ed", "n1", "n2", "n3", "n4"}


def test_a_choice_changes_no_word() -> None:
    """Check that choosing a term does not change the strips, because the script highlights words without the server."""
    result = result_of("sia", "two references")
    assert words.word_lines_html(drawn_result(result, chosen=Selection(0, 0))) == words.word_lines_html(
        drawn_result(result)
    )


def test_labels_badges_and_directions() -> None:
    hebrew = tuple("הרכבת הגיעה".split())
    box = draw_strips(metrics.score("rouge_l", hebrew, [hebrew, ("the", "train")]))
    assert [line.get("dir") for line in box.all("div", "ws")] == ["rtl", "rtl", "ltr"]
    labels = [label.text.replace("\xa0", " ") for label in box.all("div", "lb")]
    assert labels == ["Candidate", "Reference 1decides", "Reference 2"]
    one = draw_strips(result_of("gtm", "one reference"))
    assert [label.text for label in one.all("div", "lb")] == ["Candidate", "Reference"]


SIZES = [(45, [45], {"word_lines"}), (45, [46], {"word_lines", "sm"}), (130, [131], {"word_lines", "sm", "tall"})]


@pytest.mark.parametrize(("rows", "columns", "classes"), SIZES)
def test_long_texts_are_smaller(rows: int, columns: list[int], classes: set[str]) -> None:
    assert draw_strips(metrics.score("gtm", ["a"] * rows, [["b"] * n for n in columns])).classes == classes


def test_a_window_shows_its_words_only() -> None:
    candidate, reference = [f"w{n % 9}" for n in range(60)], [f"w{n % 7}" for n in range(50)]
    result = metrics.score("gtm", candidate, [["x"], reference])
    window = Window(1, 5, 20, 10, 8)
    inside = [h for h in all_hits(result) if window.holds(h)]
    box = draw_strips(result, hits=inside, window=window)
    found = words_in(box)
    assert set(found) == {f"c{i}" for i in range(5, 15)} | {f"r1_{j}" for j in range(20, 28)}
    used = {c for c in used_cells(result) if window.holds(c)}
    assert {name for name, e in found.items() if "u" in e.classes} == word_names(used)
    assert len(box.all("div", "ln")) == 2


# ---------------------------------------------------------------- next to the strips


def test_long_lists_of_rounds_are_cut() -> None:
    layers = tuple([Layer(f"round {n + 1}", (Hit(n, 0, n),), (1.0,), number=n + 1) for n in range(12)])
    letters = tuple("abcdefghijkl")
    result = Result("made", MADE.Settings(), Segment(letters, (letters,)), 12, {}, {}, layers, {})
    entries = read(svg.legend_html(picture_of(drawn_result(result)).key)).one("div", "lg").children
    assert [entry.text for entry in entries] == [f"round {n}" for n in range(1, 9)]
    colours = [entry.one("g").get("fill") for entry in entries]
    assert colours == [theme.round_colour(n) for n in range(1, 9)]
