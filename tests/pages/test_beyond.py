"""Tests of a chapter's extra parts in Streamlit's test runner: they open, judge answers and report errors."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers.waiting import LIMIT
from viz.pages.learn import chapter_extras, chapter_files


def page():
    from viz.pages.learn import chapter_extras, chapter_files

    chapters = chapter_files.shelf().chapters
    for chapter in chapters.values():
        for title, part in chapter_extras.draw_functions_by_title(chapter).items():
            if title.startswith("The score") or chapter.key == "gtm":
                part()
    chapter_extras.draw(chapters["people"])


@pytest.fixture(scope="module")
def app():
    found = AppTest.from_function(page, default_timeout=LIMIT).run()
    assert not found.exception
    return found


def test_parts_are_those_of_the_chapter():
    found = {
        key: [*chapter_extras.draw_functions_by_title(chapter)]
        for key, chapter in chapter_files.shelf().chapters.items()
    }
    assert found["gtm"] == ["The score as a curve", "Greedy against exact"]
    assert found["people"] == ["Order matters"]
    assert found["sia"] == ["The score as a curve", "Order matters"]
    assert found["edits"] == []


def test_nothing_is_drawn_before_it_is_chosen(app):
    assert not any("every pair as the papers do" in caption.value for caption in app.caption)
    app.segmented_control(key="beyond_people").set_value("Order matters").run()
    assert not app.exception
    assert any("every pair as the papers do" in caption.value for caption in app.caption)


def test_a_change_opens_its_grids(app):
    button = next(button for button in app.button if button.key.startswith("change_gtm_0"))
    button.click().run()
    assert not app.exception
    assert any("Exponent e ≈ 1.2925" in text.value for text in app.markdown)


def test_another_sentence_has_another_curve(app):
    app.text_input(key="a_gtm_0").set_value("the bank will").run()
    assert not app.exception
    assert not [button for button in app.button if button.key.startswith("change_gtm_0")]
    app.text_input(key="a_gtm_0").set_value("").run()
    assert not app.exception
    assert any("two candidates and a reference" in info.value for info in app.info)


@pytest.mark.slow
def test_the_hunt_says_yes_and_no(app):
    assert any(info.value.startswith("No: ") for info in app.info)
    app.text_input(key="hunt_candidate").set_value("a b a a").run()
    app.text_input(key="hunt_reference").set_value("a a a b").run()
    assert not app.exception
    assert app.success[0].value.startswith("Yes: greedy adds up to 6, and 8 is possible")
    app.toggle(key="hunt_shown").set_value(True).run()
    assert any("*a b a a* against *a a a b*" in text.value for text in app.markdown)
