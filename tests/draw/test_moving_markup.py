"""Tests of the tiles by which a reader moves a candidate's words: which sentences have them, and their markup."""

import json

import pytest

import metrics
from tests.helpers.fragments import drawn_result, process_texts, read
from viz.draw.evidence.drawn_result import DrawnResult
from viz.draw.learn import moving
from viz.draw.pen.numbers import score_text
from viz.draw.texts import ProcessedTexts


@pytest.mark.parametrize("key", metrics.METRICS)
def test_tiles_hold_the_words_and_what_the_score_is_made_of(key):
    words = "the <b>cat</b> sat & \"sat\" on 'the' $mat$".split()
    result = metrics.score(key, words, [["the", "cat", "sat", "on", "the", "mat"]])
    board = read(moving.movable_words_html(drawn_result(result))).all("div", "moving")[0]
    assert [e.attributes["data-tile"] for e in board.all("button", "tile")] == words
    held = {name.removeprefix("data-"): value for name, value in board.attributes.items()}
    assert float(held["score"]) == result.score and held["said"] == score_text(result.score)
    assert [name for name, _ in json.loads(held["parts"])] == [name.replace("_", " ") for name in result.parts]
    assert bool(held["better"]) == (not metrics.METRICS[key].higher_is_better)


def test_words_are_put_together_as_they_are_read_or_are_no_tiles():
    for tokenizer, candidate, between in (
        ("whitespace", "a b, c", " "),
        ("13a", "a b, c", " "),
        ("whitespace", "a", " "),  # whitespace can be doubled
        ("character", "abc", ""),
    ):
        assert moving.word_separator(process_texts(candidate, candidate, tokenizer=tokenizer)) == between
    many = ["a"] * (moving.MOST + 1)
    assert moving.movable_words_html(drawn_result(metrics.score("gtm", many, [["a"]]))) == ""
    assert moving.movable_words_html(drawn_result(metrics.score("gtm", many[:-1], [["a"]])))
    other = process_texts("a b", "a b")
    tokens = tuple([token._replace(raw="a b") for token in other.candidate])
    apart = ProcessedTexts(other.segment, tokens, other.references, other.settings)
    assert moving.word_separator(apart) is None
    assert moving.movable_words_html(DrawnResult(apart, metrics.score("gtm", *other.segment), [])) == ""
