"""Tests that the screen of a sentence to be made of tiles holds the core's verdict on every sentence."""

from __future__ import annotations

import random
import re
from html import unescape

import pytest

import metrics
from metrics.teach.exercises import LEVELS
from metrics.teach.tiles import tile_sequences
from tests.helpers.cases import TAUGHT as KEYS
from viz.draw.learn import exercise, tiles
from viz.pages.learn import chapter_files


def board_attributes(board):
    """Return the `data-` attributes of an exercise's board of tiles: name mapped to unescaped value."""
    return {name: unescape(value) for name, value in re.findall(r'data-(\w+)="([^"]*)"', board.partition(">")[0])}


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_what_is_said_of_a_sentence_is_what_the_core_says(key):
    rng = random.Random(key)
    for level in LEVELS:
        task = metrics.sentence_task(metrics.exercise(key, rng.randint(1, 99_999), level))
        laid = metrics.sentence_tiles(task)
        table = board_attributes(tiles.tiles_html(task, laid))
        said, wide = table["said"].split("|"), len(table["places"]) // len(laid.places)
        assert tuple(map(int, table["shows"].split())) == laid.shows
        every = [*enumerate(tile_sequences(len(laid.tiles)))]
        for n, sentence in [*rng.sample(every, 12), next(each for each in every if each[1] == laid.shows)]:
            verdict = metrics.judge_sentence(task, " ".join(laid.words_of_sentence(sentence)))
            at = int(table["places"][n * wide : n * wide + wide], 36)
            assert (verdict.how == "no") == bool(said[at]), sentence
            if verdict.how == "no":
                side = "high" if at > said.index("") else "low"
                text = table["missed"].replace("{}", "%s") % (*said[at].split(), side)
                assert verdict.because.partition(":")[0].removesuffix(".") + "." == text
            else:
                assert verdict.because == table["met"]


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_a_screen_has_the_words_of_the_tiles_in_its_picture(key):
    """Check that the picture has a row for each tile, in order, and that no mark gives away what the metric uses."""
    found = metrics.exercise_of(f"{key}-3-4-make")
    laid = metrics.sentence_tiles(metrics.sentence_task(found))
    html = exercise.exercise_html(found, chapter_files.drawn_example, 720)
    pool = html[html.index("pool") : html.index('class="before"')]
    words = re.findall(r"<bdi>(.*?)</bdi>", pool)
    assert words == [word for each in laid.tiles for word in each] and pool.count("data-tile") == len(laid.tiles)
    picture = html[html.index("<svg") : html.index("</svg>")]
    assert re.findall(r'data-word="c\d+"[^>]*>(.*?)</text>', picture) == words
    assert {*re.findall(r'data-says="(.*?)"', picture)} <= {"match"} and "data-term" not in picture
