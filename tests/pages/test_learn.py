"""Tests of the Learn page in Streamlit's test runner: the list, every screen, links, and the reader's sentences."""

from dataclasses import replace

import pytest

import metrics
from tests.helpers.app import ROOT
from tests.helpers.fragments import texts_of
from tests.helpers.pages import LearnPage, State
from viz.draw.learn import lesson_steps
from viz.draw.learn.chapter import ChapterExample
from viz.pages.learn import chapter as learn_chapter
from viz.pages.learn import chapter_files, chapter_reader, lessons
from viz.pages.learn import exercise as learn_exercise
from viz.pages.learn.save_menu import saved_chapter
from viz.pages.sentence.record import SentenceState

pytestmark = pytest.mark.usefixtures("tiny_chapter")


def test_the_list_names_every_chapter():
    (card,) = LearnPage().component_data_with("chapters")["chapters"]
    assert (card["key"], card["title"], card["metrics"]) == ("tiny", "Hits and GTM", "GTM")
    assert card["numbers"] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("screen", range(1, 7))
def test_every_screen_has_a_link_of_its_own(screen):
    page = LearnPage(chapter="tiny", screen=str(screen))
    assert page.screen["screen"] == screen and not page.warnings
    assert page.address == {"page": "learn", "chapter": "tiny"} | ({"screen": str(screen)} if screen > 1 else {})


@pytest.fixture
def longer_chapter(monkeypatch):
    """Return the small chapter with a second idea before its algorithm and a second pair at its end."""
    text = (ROOT / "tests" / "data" / "chapters" / "tiny.toml").read_text(encoding="utf-8")
    head, *screens = text.split("[[screens]]")
    again = [f'\nname = "Once more {n}"{screens[n]}' for n in (1, 4)]
    text = "[[screens]]".join([head, *screens[:2], again[0], *screens[2:], again[1]])
    found = chapter_reader.read("tiny.toml", text)
    monkeypatch.setattr(chapter_files, "shelf", lambda folder=None: chapter_files.Shelf({"tiny": found}, ()))
    return found


def test_a_link_keeps_its_screen_in_a_longer_chapter(longer_chapter):
    """Check that old links still open their screens in a longer chapter.

    The first screen of each kind, and the exercise, keep their old numbers wherever they are."""
    assert longer_chapter.numbers_of_kinds == (1, 2, 12, 3, 4, 5, 15, 6)
    for number, place in ((1, 1), (2, 2), (12, 3), (3, 4), (4, 5), (5, 6), (15, 7), (6, 8)):
        page = LearnPage(chapter="tiny", screen=str(number))
        assert page.screen["screen"] == place and page.address.get("screen", "1") == str(number)
        assert page.screen["numbers"] == [*longer_chapter.numbers_of_kinds] and not page.warnings
    assert page.screen["names"][2] == "Once more 1" and page.screen["code"] == "" != page.screen["new"]


def test_one_goes_through_a_longer_chapter_in_its_order(longer_chapter, monkeypatch):
    state = State(chapter="tiny", screen=1, lesson_load=0, present=False)
    for module in (lessons.st, learn_chapter.st):
        monkeypatch.setattr(module, "session_state", state)
    gone = []
    for place in range(1, 9):
        learn_chapter.handle_event(longer_chapter, "screen", place)
        gone.append(state.screen)
    assert gone == [*longer_chapter.numbers_of_kinds]
    for before, after, kept in ((2, 12, ""), (12, 3, "mine"), (3, 2, "mine"), (2, 2, "mine")):
        state.screen, state.lesson_candidate = before, "mine"
        lessons.go_to_screen(longer_chapter, after)
        assert state.lesson_candidate == kept, "another idea has its own sentence"
    for before, after, kept in ((5, 15, ""), (4, 15, ""), (5, 4, "mine"), (15, 6, ""), (5, 5, "mine")):
        state.screen, state.twin = before, "mine"
        lessons.go_to_screen(longer_chapter, after)
        assert state.twin == kept, "what was made of one pair is not another's"


@pytest.mark.slow
def test_a_longer_chapter_is_saved_with_all_its_screens(longer_chapter):
    html = saved_chapter(longer_chapter, 5)
    assert html.count('class="screen') == 25 and html.count('data-name="Once more') == 2


def test_a_bad_link_says_so():
    page = LearnPage(chapter="nothing")
    assert page.component_data_with("chapters") and "There is no chapter with the name nothing." in page.warnings[0]
    page = LearnPage(chapter="tiny", screen="9")
    assert page.screen["screen"] == 1 and page.warnings == ["This chapter has no screen 9. This is its first one."]
    page = LearnPage(chapter="tiny", screen="900")
    assert page.screen["screen"] == 1 and "screen is not used" in page.warnings[0]
    assert LearnPage(chapter="tiny", present="1").screen["present"]


def test_it_asks_before_it_shows():
    html = LearnPage(chapter="tiny").screen["html"]
    assert 'class="bitext side"' in html and "Show me" in html and 'data-how="right"' in html
    before, _, after = html.partition('<div class="after">')
    after = after.partition('<div class="before">')[0]
    assert "block" not in before and "block" in after, "what the metric takes is not seen before"


def test_the_readers_sentence_takes_the_place_of_the_chapters():
    page = LearnPage(chapter="tiny", screen="2", candidate="the red mat", references="the red mat")
    own = page.screen["own"]
    assert [f["value"] for f in own["fields"]] == ["the red mat", "the red mat"]
    assert ">1</b>" in page.screen["html"] or "1.000" in page.screen["html"]
    assert page.address["candidate"] == "the red mat"
    assert {act["name"] for act in page.screen["acts"]} == {"again", "sentence"}


@pytest.mark.parametrize("screen", ["2", "3"])
@pytest.mark.parametrize("own", [{"candidate": "the red mat"}, {"references": "the mat"}, {"metric": "wer"}])
def test_of_the_readers_sentence_nothing_is_asked_that_is_of_the_chapters(screen, own):
    asked = LearnPage(chapter="tiny", screen=screen)
    assert "What the chapter says about its own sentence" not in asked.screen["html"]
    html = LearnPage(chapter="tiny", screen=screen, **own).screen["html"]
    assert "quiz" not in html and "reveal" not in html, "the chapter's answer is another"
    assert "What the chapter says about its own sentence" in html
    assert (", by GTM<" in html) == ("metric" in own)
    assert ('class="score"' in html) == (screen == "2"), "the steps ask before they show"


def test_a_metric_stays_chosen_while_a_sentence_cannot_be_shown(monkeypatch):
    shelf = chapter_files.shelf()
    two = {"tiny": replace(shelf.chapters["tiny"], metrics=("gtm", "wer"))}
    monkeypatch.setattr(chapter_files, "shelf", lambda folder=None: shelf._replace(chapters=two))
    for candidate in ("the mat", " ", "word " * 41):
        screen = LearnPage(chapter="tiny", screen="2", metric="wer", candidate=candidate).screen
        assert screen["groups"][0]["chosen"] == "wer" and 'data-metric="wer"' in screen["html"]


def test_what_does_not_fit_is_said_and_kept():
    long = " ".join(["word"] * 41)
    page = LearnPage(chapter="tiny", screen="2", candidate=long)
    own = page.screen["own"]
    assert own["says"].startswith("The candidate has 41 words, 1 more than the 40 that fit")
    assert own["says"].endswith(".")
    assert own["fields"][0]["value"] == long
    page = LearnPage(chapter="tiny", screen="2", references="\n".join("abcde"))
    assert "5 references are 1 more than the 4 that fit a lesson" in page.screen["own"]["says"]
    page = LearnPage(chapter="tiny", screen="2", candidate=" ")
    assert page.screen["own"]["says"] == "Paste a candidate here." and page.screen["own"]["fields"][0]["value"] == ""


@pytest.mark.parametrize(
    ("twin", "says", "found"),
    [
        ("", "have the same words", False),
        (" ", ">Paste a candidate here.</p>", False),
        ("the man likes dogs", "tells them apart", False),
        ("the man loathes cats", "cannot tell them apart", True),
        ("the man eats cats", "cannot tell them apart. Nothing is said of what he likes.", True),
        ("The man EATS cats", "tells them apart", False),
        ("the man EATS cats", "Nothing is said of what he likes.", True),
        ("banana the man cats", "But the meaning of your sentence is not known here", False),
        ("the man banana cats", "cannot tell them apart. But the meaning of your sentence is not known here", False),
    ],
)
def test_the_core_judges_what_cannot_be_told_apart(twin, says, found):
    html = LearnPage(chapter="tiny", screen="5", **({"twin": twin} if twin else {})).screen["html"]
    assert says in html and ("blind told" in html) == found
    assert html.count('class="found"') == 1 and ("same words" in html) == (not twin)


def test_other_pages_keep_their_texts():
    page = LearnPage(chapter="tiny", screen="2", candidate="the red mat")
    page.set_state(wanted="sentence", whole_page=True)
    state = page.at.session_state
    assert state["page"] == "sentence"
    assert state["candidate"] != "the red mat", "a lesson's sentence stays in the lesson"
    page.set_state(wanted="learn", whole_page=True)
    assert state["lesson_candidate"] == "the red mat" and page.screen["screen"] == 2


def test_from_a_sentence_to_its_chapter_and_back(monkeypatch):
    shown = lessons.state_from_sentence(
        SentenceState(candidate="a b", references="a c", settings={"gtm": {"exponent": 1.5}})
    )
    assert (shown.chapter, shown.screen, shown.settings) == ("tiny", 2, {"gtm": {"exponent": 1.5}})
    lesson = chapter_files.shelf().chapters["tiny"].examples["main"]
    monkeypatch.setattr(lessons.st, "session_state", state := State())
    monkeypatch.setattr(lessons.session, "restore", lambda shown, problems: state.update(shown=shown))
    lessons.open_example(lesson)
    assert state.whole_page and isinstance(state.shown, SentenceState)
    assert (state.shown.metric, state.shown.candidate) == ("gtm", lesson.candidate)


def test_an_exercise_has_a_link_and_levels():
    page = LearnPage(chapter="tiny", screen="6", exercise="gtm-2-48213")
    shown = metrics.exercise_of("gtm-2-48213")
    assert "Compute GTM" in page.screen["html"] and page.screen["code"] == "gtm-2-48213"
    assert f'data-number="{shown.score!r}"' in page.screen["html"]
    assert page.screen["groups"][0]["chosen"] == 2 and page.screen["new"] == "New exercise"
    page.set_state(exercise="gtm-3-7")
    assert page.address["exercise"] == "gtm-3-7" and "Exponent e = 3" in page.screen["html"]


@pytest.mark.parametrize("code", ["gtm-2-x9", "gtm-7-1", "nothing", "bleurt-1-1", "gtm-1-0", "<b>-1-1"])
def test_a_broken_seed_is_said_and_a_new_exercise_offered(code):
    page = LearnPage(chapter="tiny", screen="6", exercise=code)
    assert "is not known" in page.screen["html"] and "<b>-" not in page.screen["html"]
    assert page.screen["new"] == "New exercise" and page.screen["screen"] == 6


@pytest.mark.parametrize("code", ["gtm-2-48213", "gtm-2-x9", "nothing"])
def test_an_exercise_without_a_chapter_opens_the_one_of_its_metric(code):
    page = LearnPage(exercise=code)
    assert page.screen["chapter"] == "tiny" and page.screen["screen"] == 6 and page.screen["code"] == code
    assert ("is not known" in page.screen["html"]) == (code != "gtm-2-48213")


def test_what_is_too_long_for_a_screen_is_said_once():
    page = LearnPage(chapter="tiny", screen="5", twin="x " * 41)
    html = page.screen["html"]
    assert "The candidate has 41 words, 1 more than the 40 that fit a lesson." in html
    assert not page.screen["own"]["says"]
    assert "Both candidates" not in html and "The second candidate" not in html
    assert page.screen["own"]["fields"][0]["value"] == "x " * 41


@pytest.mark.slow
def test_steps_that_are_too_many_are_said():
    words = " ".join(f"w{n}" for n in range(40))
    page = LearnPage(chapter="tiny", screen="3", candidate=words, references="\n".join([words] * 4), metric="rouge_l")
    assert page.screen["player"] is None
    assert page.screen["unplayed"].startswith(
        "These sentences take more than the 5,000 steps that fit a lesson. Keep the first 3 references, or open"
    )
    again = LearnPage(chapter="tiny", screen="3", candidate=words, references="\n".join([words] * 3), metric="rouge_l")
    assert again.screen["player"]["chunk"]["done"] and again.screen["unplayed"] == ""


def test_too_many_steps_are_refused_before_any_is_drawn(monkeypatch):
    def fail_if_drawn(*_):
        raise AssertionError("drawn")

    monkeypatch.setattr(lesson_steps, "DrawnSteps", fail_if_drawn)
    monkeypatch.setattr(lesson_steps, "AT_ONCE", 60)
    result = metrics.score("rouge_l", "a b c d e f".split(), ["a b c d e f".split(), "a x c d y f".split(), ["b"]])
    long = ChapterExample("long", "", "", texts_of(result), result)
    assert "Keep only the first reference, or" in lesson_steps.describe_too_many_steps(long)
    monkeypatch.setattr(lesson_steps, "AT_ONCE", 10)
    assert "Shorten them, or" in chapter_files.step_player(long, 600)


@pytest.mark.slow
def test_a_saved_chapter_asks_for_nothing():
    html = saved_chapter(chapter_files.shelf().chapters["tiny"], 5)
    assert html.count('class="screen') == 23 and "Content-Security-Policy" in html
    assert "http" not in html.replace("http-equiv", "").replace("http://www.w3.org", "")
    (first, *_) = metrics.sheet(["gtm"], 1, 4, 5)
    assert f'data-number="{first.score!r}"' in html


@pytest.fixture
def two_reference_chapter():
    """Return the small chapter with exercises on two references."""
    text = (ROOT / "tests" / "data" / "chapters" / "tiny.toml").read_text(encoding="utf-8")
    text = text.replace('metrics = ["gtm"]', 'metrics = ["gtm", "rouge_l"]').replace("references = 1", "references = 2")
    return chapter_reader.read(
        "tiny.toml", text.replace('metric = "gtm", task = "score"', 'metric = "rouge_l", task = "which"')
    )


def test_every_exercise_is_the_one_that_the_chapter_wants(two_reference_chapter, monkeypatch):
    monkeypatch.setattr(
        chapter_files, "shelf", lambda folder=None: chapter_files.Shelf({"tiny": two_reference_chapter}, ())
    )
    page = LearnPage(chapter="tiny", screen="6")
    assert page.screen["names"][3] == "The figure"
    groups = {group["name"]: group["chosen"] for group in page.screen["groups"]}
    assert groups == {"metric": "rouge_l", "task": "which"}, "one level needs no choice"
    assert "Reference 2" in page.screen["html"]
    state = State()
    monkeypatch.setattr(lessons.st, "session_state", state)
    state.update(exercise="", lesson_load=0)
    codes = {lessons.first_code(two_reference_chapter)}
    for name, value in [("new", 1)] * 8 + [("metric", "gtm"), ("task", "score")]:
        learn_exercise.handle_event(two_reference_chapter, name, value)
        codes.add(state.exercise)
    assert len(codes) > 8 and {len(metrics.exercise_of(code).segment.references) for code in codes} == {2}


@pytest.mark.slow
def test_a_chapter_on_several_references_saves_no_other_exercises(two_reference_chapter):
    html = saved_chapter(two_reference_chapter, 7)
    assert html.count(", level 3") == 18 and ", level 1" not in html
    found = metrics.sheet(two_reference_chapter.metrics, 3, 12, 7, 2)
    assert all(len(each.segment.references) == 2 for each in found) and len({each.code for each in found}) == 12
    with pytest.raises(ValueError, match="level 1 has no exercises with 2 references"):
        metrics.sheet(two_reference_chapter.metrics, 1, 3, 7, 2)
