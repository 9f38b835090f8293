"""Test in a browser of errors that people marked in an output.

The words of the output and of the source show the errors, and an entry of the list of errors highlights its words."""

from urllib.parse import urlencode

import pytest

from tests.helpers.browsing import LOADED
from viz.draw.texts import MarkedError
from viz.pages.sentence.record import SentenceState
from viz.state.links.link import to_query
from viz.state.texts.marked_errors import marks_of_text

CANDIDATE, SOURCE = "the cat sat on the mat", "die Katze saß"
pytestmark = pytest.mark.alone

MARKS = marks_of_text(
    CANDIDATE,
    SOURCE,
    [
        MarkedError("target", 4, 11, "Accuracy/Mistranslation", "Major"),
        MarkedError("source", 4, 9, "Omission", "Minor"),
    ],
)
LINK = "?" + urlencode(
    to_query(
        SentenceState(candidate=CANDIDATE, references="the cat sat down", source=SOURCE, metric="gtm", marked=MARKS)
    )
)


def test_marks_say_what_they_are_and_light_their_words(visit):
    page = visit(LINK, LOADED)
    page.locator(".word_lines [data-word=c1]").hover()
    assert page.locator(".tip").inner_text() == "marked: Major, Accuracy/Mistranslation"
    page.locator(".src mark").hover()
    assert page.locator(".tip").inner_text() == "marked: Minor, Omission"
    page.locator(".ms li").first.hover()
    lit = page.locator(".word_lines .tk.lit").evaluate_all("words => words.map((word) => word.dataset.word)")
    assert lit == ["c1", "c2"]
    word = page.locator(".word_lines [data-word=c2]")
    over = word.evaluate("word => getComputedStyle(word, '::before').borderTopStyle")
    assert over == "solid"
