"""Tests of tiles for making a sentence with a wanted score: every sentence has the score that the core gives it."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

import metrics
from metrics.teach import segment_questions, tiles
from metrics.teach.exercises import LEVELS, MOST_SEED
from tests.helpers.cases import TAUGHT as KEYS


def random_tasks(key):
    """Return a task to make a sentence from tiles for each level, from random exercises on metric `key`."""
    rng = random.Random(f"tiles-{key}")
    return [metrics.sentence_task(metrics.exercise(key, rng.randint(1, MOST_SEED), level)) for level in LEVELS]


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_every_sentence_has_its_score(key):
    for task in random_tasks(key):
        laid = metrics.sentence_tiles(task)
        sentences = [*tiles.tile_sequences(len(laid.tiles))]
        assert len(sentences) == len(laid.places) and len({*sentences}) == len(sentences)
        assert all(a < b for a, b in zip(laid.scores, laid.scores[1:], strict=False))
        for sentence, place in zip(sentences, laid.places, strict=True):
            words = [word for n in sentence for word in laid.tiles[n]]
            given = {name: getattr(task.settings, name) for name in type(task.settings).rules()}
            assert laid.scores[place] == metrics.score(key, words, task.references, **given).score, words


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_the_sentence_that_is_shown_can_be_laid(key):
    for task in random_tasks(key):
        laid = metrics.sentence_tiles(task)
        assert laid.words_of_sentence(laid.shows) == task.shows and len({*laid.shows}) == len(laid.shows)
        at = [*tiles.tile_sequences(len(laid.tiles))].index(laid.shows)
        assert abs(laid.scores[laid.places[at]] - task.target_score) < segment_questions.EQUAL
        known = {word for reference in task.references for word in reference}
        assert 4 <= len(laid.tiles) <= tiles.MOST
        assert any(word not in known for words in laid.tiles for word in words), "a word that the references lack"
        assert [*laid.tiles] == sorted(laid.tiles, key=lambda words: " ".join(words).lower()), "no order is given away"


def test_sentences_of_fewer_tiles_come_first():
    assert [*tiles.tile_sequences(3)] == [s for length in (1, 2, 3) for s in permutations(range(3), length)]


def test_a_word_that_comes_twice_has_two_tiles():
    task = segment_questions.SentenceTask("gtm", (tuple("abcd"),), metrics.settings("gtm"), 0.5, tuple("axaya"), "")
    laid = metrics.sentence_tiles(task)
    assert laid.words_of_sentence(laid.shows) == task.shows and laid.tiles.count(("a",)) > 1
