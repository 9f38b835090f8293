"""Tests of a saved chapter: it is small and inert, and offers sentences to choose where none can be typed."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

import metrics
from metrics.teach.exercises import LEVELS
from viz.pages.learn import chapter_files, variants
from viz.pages.learn.save_menu import ROUND_TASKS, saved_chapter

CHAPTERS = list(chapter_files.shelf().chapters)
MOST = 2_000_000  # bytes


@cache
def save_chapter(key):
    return saved_chapter(chapter_files.shelf().chapters[key], 5)


def script_data(html):
    """Return the data that a saved chapter gives its script: steps to play and further sentences, by screen."""
    data = re.search(r"^chapterPage\((.*)\);$", html, re.MULTILINE)[1]
    return json.loads(f"[{data}]")


@pytest.mark.slow
@pytest.mark.parametrize("key", CHAPTERS)
def test_a_saved_chapter_asks_all_that_the_page_asks(key):
    chapter = chapter_files.shelf().chapters[key]
    html = save_chapter(key)
    assert len(html.encode()) < MOST
    assert html.count('class="screen') == len(chapter.screens) + len(ROUND_TASKS) * len(LEVELS)
    assert html.count('class="word_lines tiles"') == 2 * len(LEVELS), "two sentences of each level are made"
    played = {int(n): steps for n, steps in script_data(html)[0].items() if int(n) >= len(chapter.screens)}
    assert len(played) == 2 * len(LEVELS), "two exercises of each level are answered step by step"
    asked = [step["question"] for steps in played.values() for step in steps["chunk"]["steps"] if "question" in step]
    assert {question["kind"] for question in asked} >= question_kinds(chapter)
    assert all(question["optimal"] for question in asked), "the number of optimal answers is stated"
    root = [re.search(r'data-metric="(\w+)"', steps["html"])[1] for steps in played.values()]
    assert {*root} == {*chapter.metrics}, "each metric is answered step by step"


def question_kinds(chapter):
    """Return the kinds of questions that are asked in the steps of the chapter's metrics."""
    exercises = metrics.sheet(chapter.metrics, 2, len(chapter.metrics), 5)
    asked = [question for e in exercises for _, question in metrics.ask(e.key, *e.segment, **e.given) if question]
    return {question.kind for question in asked}


@pytest.mark.parametrize(("key", "kind"), [("gtm", "cells"), ("lcs", "cells"), ("sia", "cells"), ("meteor", "cells")])
def test_exercises_of_a_saved_chapter_are_drawn(key, kind):
    html = save_chapter(key)
    asked = [s["question"] for p in script_data(html)[0].values() for s in p["chunk"]["steps"] if "question" in s]
    assert any(question["kind"] == kind and question["rule"] for question in asked)


@pytest.mark.parametrize("key", CHAPTERS)
def test_there_are_sentences_to_choose_from(key):
    chapter = chapter_files.shelf().chapters[key]
    html = save_chapter(key)
    others = {int(n): found for n, found in script_data(html)[1].items()}
    assert [*others] == [n for n, screen in enumerate(chapter.screens) if screen.kind in ("idea", "blind")]
    for n, found in others.items():
        screen, candidates = chapter.screens[n], [text for text, _ in found["choices"]]
        first = screen.pair[0] if screen.pair else screen.example
        assert candidates[0] == first.candidate and 4 <= len({*candidates}) == len(candidates) <= variants.MOST
        if screen.pair:
            assert candidates[found["pair"]] == screen.pair[1].candidate
            assert 'data-how="right"' in found["choices"][found["pair"]][1]
        assert len({example.result.score for example in variants.choose_variants(chapter, screen)}) > 2
