"""Tests of chapter screens: the markup is inert, hostile words stay words, and questions come before answers."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import metrics
from metrics import formula
from metrics.text import TextSettings
from tests.helpers.app import ROOT
from tests.helpers.cases import TAUGHT
from tests.helpers.fragments import read
from tests.helpers.markup import WORDS, check_allowed
from viz.draw.evidence.figure import picture_of
from viz.draw.learn import exercise, lesson
from viz.draw.learn.chapter import Screen, ScreenQuestion
from viz.pages.learn import chapter_files, lessons

TINY = ROOT / "tests" / "data" / "chapters"


def scored_example(candidate, references, key="gtm", **given):
    found = lessons.scored("x", candidate, references, key, metrics.settings(key, **given), TextSettings())
    assert not isinstance(found, str), found
    return found


def check_inert(html):
    """Check that the markup has no script, link or handler; attributes that the lesson's script reads are allowed."""
    root = read(html)
    for e in root:
        for name in [n for n in e.attributes if n.startswith("data-") or n in ("hidden", "role", "type", "class")]:
            if e.tag in ("button", "section", "div", "p", "mtr"):
                del e.attributes[name]
    for e in list(root):
        e.inside = [part for part in e.inside if isinstance(part, str) or part.tag not in ("h3", "ul", "li")]
    check_allowed(root)


@pytest.mark.parametrize("key", TAUGHT)
def test_hostile_words_stand_as_words(key):
    words = scored_example(" ".join(WORDS), " ".join(WORDS[::-1]), key)
    screen = Screen("idea", "<b>title</b>", "<p>x</p>", "<p>y</p>", words, ScreenQuestion("<p>z</p>", ("a", "b"), 1))
    html = lesson.screen_html(screen, chapter_files.drawn_example, 700)
    check_inert(html)
    assert "<script" not in html and "&lt;b&gt;title" in html


@pytest.mark.slow
def test_every_screen_of_every_chapter_is_drawn_and_asks_first():
    for chapter in [*chapter_files.shelf(TINY).chapters.values(), *chapter_files.shelf().chapters.values()]:
        for screen in chapter.screens:
            html = lesson.screen_html(screen, chapter_files.drawn_example, 700)
            root = read(html)
            assert root.all("h2")[0].text == screen.title, chapter.key
            quiz = root.all("section", "quiz")
            assert bool(quiz) == bool(screen.ask)
            assert ("told" in root.children[0].classes) == (not quiz and not screen.pair)
            if quiz:
                order = [e.classes for e in root.all("section", "part")]
                assert "quiz" in next(c for c in order if c & {"quiz", "reveal"}), "it asks before it reveals"


def test_a_screen_of_an_exercise_has_every_slip():
    found = metrics.exercise("gtm", 7, 3)
    root = read(exercise.exercise_html(found, chapter_files.drawn_example, 700))
    lines = [question for question in metrics.whole_questions(found)[1:] if question.kind == "number"]
    judged = [root.one("div", "whole"), *root.all("div", "part")]
    assert len(lines) + 1 == len(judged)
    for verdicts, question in zip(judged, [found.question, *lines], strict=True):
        numbers = [float(e.get("data-number")) for e in verdicts.having("data-number")]
        assert numbers == [value.number for value in question.values]
    assert root.one("section", "quiz").get("data-shows") == found.question.shows


def test_what_cannot_be_told_apart_is_judged_by_the_core():
    first = scored_example("the man likes cats", "the man hates cats")
    for words, found in (("the man likes cats", False), ("the man likes", False), ("the man loves cats", True)):
        assert lesson.check_same_score(first, scored_example(words, "the man hates cats")).succeeded == found


def test_other_metrics_are_asked_too_and_a_copy_of_a_reference_is_none():
    def scored(candidate, key):
        return scored_example(candidate, "the patient should not take this drug", key)

    first = scored("the patient never should take this drug", "rouge_l")
    moved = scored("the patient always should take this drug", "rouge_l")
    worse = scored("the patient take should this drug never", "rouge_l")
    assert lesson.check_same_score(first, moved, ["gtm", "sia"]).says == "ROUGE-L, GTM and SIA cannot tell them apart."
    assert not lesson.check_same_score(first, worse, ["gtm"]).succeeded
    near, far = scored("this drug the patient should take", "per"), scored("take should patient the drug this", "per")
    assert lesson.check_same_score(near, far).succeeded
    assert lesson.check_same_score(near, far, ["gtm"]).says.startswith("GTM tells them apart: ")
    copies = [scored_example(words, "we left\nwe went", "bleu", max_order=2) for words in ("we left", "we went")]
    judged = lesson.check_same_score(*copies)
    assert judged.says.startswith("That is a reference, word for word") and not judged.succeeded


def test_what_a_sentence_says_is_known_of_listed_ones_alone():
    """Check that a reader's sentence with an equal score is no answer by that alone: a heap of words can have it too.

    The task is to find another meaning with the same score; what a sentence means is known only if the chapter lists
    it."""
    chapter = chapter_files.shelf().chapters["gtm"]
    screen = chapter.screens[-1]
    first, second = screen.pair
    for text, found, says in (
        ("the gunman shot police", True, "it is the gunman who acts."),
        (second.candidate, True, "it is the gunman who acts."),
        ("banana the gunman police", False, "the meaning of your sentence is not known here"),
        ("police banana the gunman", False, "the meaning of your sentence is not known here"),
        ("police killed", False, "GTM tells them apart"),
    ):
        twin = scored_example(text, first.references)
        judged = lesson.check_reader_sentence(screen, first, twin)
        assert judged.succeeded == found and says in judged.says, text
        html = lesson.screen_html(screen, chapter_files.drawn_example, 700, twin=twin)
        assert ("blind told" in html) == found
        assert f"{len(screen.others)} sentences are known to say something else" in html


def test_a_question_of_two_draws_both_and_their_scores_after_the_answer():
    for chapter in chapter_files.shelf(TINY).chapters.values():
        screen = chapter.screens[0]
        root = read(lesson.screen_html(screen, chapter_files.drawn_example, 900))
        sides = root.all("div", "side")
        assert [side.one("h3").one("b", "after").text for side in sides] == [
            f"{each.result.score:.3f}" for each in (screen.example, screen.other)
        ]
        for side in sides:
            before, after = side.all("div", "before")[0], side.all("div", "after")[0]
            assert not before.having("data-term") and after.having("data-term")


def test_which_reference_decides_is_not_said_before_the_answer():
    words = scored_example("we left early", "we went\nwe left early today", "meteor", stages=["exact"])
    question = lesson.ask_html(ScreenQuestion("<p>z</p>", (), 1))
    html = lesson.asked_screen("t", chapter_files.drawn_example(words, 700), "", question, "", 700)
    before, after = [part for part in read(html).all("div") if part.attributes.get("class") in ("before", "after")][:2]
    assert "decides" in after.text and "decides" not in before.text


def test_signs_on_the_edge_of_a_grid_leave_its_words_free():
    words = scored_example("so we left", "we left early", "wer")
    drawn = chapter_files.drawn_example(words, 700)
    plain, signed = [
        {label.word: (label.x, label.y) for label in picture_of(each).labels}
        for each in (replace(drawn, result=replace(drawn.result, layers=())), drawn)
    ]
    assert {name for name in plain if plain[name] != signed[name]} == {"c0"}
    assert signed["c0"][0] < plain["c0"][0]


def test_the_style_sheet_leaves_formulas_alone():
    """Check that lesson rules do not match formulas, whose ellipses also have the classes dots, before and after.

    The rules must therefore name an element along with these classes."""
    ellipsis = re.findall(r'class="(dots \w+)"', Path(formula.to_mathml.__file__).read_text(encoding="utf-8"))
    assert set(ellipsis) == {"dots before", "dots after"}
    bare = re.findall(r"(?<![\w\]])\.(?:dots|before|after)(?=\s*[,){])", lesson.STYLE)
    assert not bare
