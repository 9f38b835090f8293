"""Tests of exercise tasks on the Learn page: which of two candidates is better, and making a sentence."""

import pytest

import metrics
from tests.helpers.cases import TAUGHT
from tests.helpers.pages import LearnPage, State
from viz.draw.learn import exercise
from viz.draw.pen.numbers import score_text
from viz.draw.pen.text import safe
from viz.pages.learn import chapter_files, lessons
from viz.pages.learn import exercise as learn_exercise
from viz.pages.learn.record import LearnState

CODES = ["gtm-1-7", "gtm-2-7-which", "gtm-1-7-make"]


pytestmark = pytest.mark.usefixtures("tiny_chapter")


def exercise_data(code, **more):
    """Return the data that the Learn page sends to the browser for the exercise `code`, and the page.

    `more` are further parameters of the address."""
    page = LearnPage(chapter="tiny", screen="6", exercise=code, **more)
    return page.screen, page


@pytest.mark.parametrize("code", CODES)
def test_every_task_has_its_screen_and_its_link(code):
    sent, page = exercise_data(code)
    task = metrics.exercise_of(code).task
    assert next(group["chosen"] for group in sent["groups"] if group["name"] == "task") == task
    assert page.address["exercise"] == code
    assert (sent["own"] is not None) == (task == "make")
    assert sent["html"].count('class="bitext side"') == (2 if task == "which" else 0)


def test_the_score_is_asked_part_by_part():
    for code in ("gtm-1-7", "wer-2-3", "bleu-3-2"):
        found = metrics.exercise_of(code)
        html = exercise_data(code)[0]["html"]
        parts = [each for each in metrics.whole_questions(found)[1:] if each.kind == "number"]
        assert parts and all(f'<span class="asks">{safe(each.text, 200)}</span>' in html for each in parts)


@pytest.mark.slow
@pytest.mark.parametrize("key", TAUGHT)
def test_an_exercise_says_every_rule_that_it_needs(key):
    """Check that an exercise states the numbers of its formula, its settings and the metric's rules in words."""
    for seed in range(1, 7):
        found = metrics.exercise(key, seed, 3)
        html = exercise.exercise_html(found, chapter_files.drawn_example, 600)
        before, about = html.partition('class="part reveal"')[0], metrics.METRICS[key].about
        assert all(safe(text, 60)[:50] in before for text in about.text) and exercise.numbers_text(found) in before
        rules = metrics.METRICS[key].Settings.rules()
        assert all(safe(rules[name].help, 60)[:30] in before for name in found.given)
        assert 'class="bd"' not in html.partition('class="after"')[0], "which reference decides is not told before"


def test_the_references_of_two_candidates_stand_once():
    found = metrics.exercise_of("rouge_l-3-4-which")
    html = exercise.exercise_html(found, chapter_files.drawn_example, 600)
    for reference in found.segment.references:
        assert html.count(f"<i><bdi>{' '.join(reference)}</bdi></i>") == 1


def test_the_page_does_not_say_which_is_better_before_it_is_asked():
    sent, _ = exercise_data("gtm-2-7-which")
    before = sent["html"].partition("inspector")[0]
    assert before.count("<h3>Candidate") == 2 and before.count('<b class="after">') == 2
    assert "A: “" not in sent["html"] and sent["html"].count("data-answer=") >= 3


def test_a_sentence_is_judged_by_the_core():
    found = metrics.exercise_of("gtm-1-7-make")
    task = metrics.sentence_task(found)
    sent, _ = exercise_data("gtm-1-7-make", made=" ".join(task.shows))
    assert 'data-how="right">Right: this scores exactly 0.' in sent["html"] and "told" in sent["html"]
    known = {*found.segment.references[0], *task.shows}
    assert {*sent["own"]["words"]} == known and [*sent["own"]["words"]] == sorted(known, key=str.lower)
    sent, _ = exercise_data("gtm-1-7-make", made="nothing like it")
    assert 'data-how="no">This scores 0, which is' in sent["html"]
    sent, _ = exercise_data("gtm-1-7-make", made="a " * 31)
    assert "This sentence has 31 words, 1 more than the 30 that fit." in sent["html"]
    assert sent["own"]["fields"][0]["value"] == "a " * 31  # the typed text is kept
    sent, _ = exercise_data("gtm-1-7-make", made=" ")
    assert "Type a sentence first." in sent["html"]
    sent, _ = exercise_data("gtm-1-7-make", made="<script>alert(1)</script> $x$")
    assert "<script" not in sent["html"] and "&lt;script&gt;" in sent["html"]


@pytest.mark.parametrize("key", TAUGHT)
def test_who_is_to_make_a_sentence_is_not_shown_the_score_that_is_asked_for(key):
    """Check that a sentence-making task shows a reference, never the candidate whose score is asked for.

    The same code without its task asks for that score."""
    for level in (1, 2, 3):
        found = metrics.exercise_of(f"{key}-{level}-5-make")
        for made in ("", "a " * 31):
            text, example, hunt = lessons.made_sentence(LearnState(made=made), found)
            assert example.result.segment.candidate == found.segment.references[0]
            assert text == made or text == " ".join(found.segment.references[0])
            html = exercise.typed_sentence_screen(found, example, hunt, chapter_files.drawn_example, 600)
            assert score_text(example.result.score, 3) in html
            assert score_text(found.score, 3) not in html and score_text(found.score, 4) not in html


def test_what_the_reader_does(monkeypatch):
    state = State()
    state.update(exercise="gtm-2-7", lesson_load=1, made="x")
    monkeypatch.setattr(lessons.st, "session_state", state)
    (chapter,) = chapter_files.shelf().chapters.values()
    learn_exercise.handle_event(chapter, "task", "make")
    assert (state.exercise, state.made) == ("gtm-2-7-make", "")
    learn_exercise.handle_event(chapter, "own", {"candidate": "a b c"})
    assert state.made == "a b c"
    learn_exercise.handle_event(chapter, "pair", True)
    assert tuple(state.made.split()) == metrics.exercise_of("gtm-2-7").other
    learn_exercise.handle_event(chapter, "level", 3)
    assert state.exercise.startswith("gtm-3-") and state.exercise.endswith("-make")
    learn_exercise.handle_event(chapter, "task", "nothing")
    assert state.exercise.endswith("-make")
