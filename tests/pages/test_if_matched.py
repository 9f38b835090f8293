"""Tests of a click on an unused match or an unmatched word: every metric's score if it matched."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

import metrics
from tests.helpers.pages import SentencePage
from viz.pages.sentence.if_matched import valid_target_name

GIVEN = {"candidate": "the cat hat a tail", "references": "the cat has a long tail", "metric": "gtm"}


def answer_markup(page):
    """Return the HTML that says what the scores would be if the clicked word matched."""
    found = next(json.loads(c.proto.json) for c in page.at.get("bidi_component") if "answer" in c.proto.json)
    return found["answer"]


def visible_words(markup):
    return unescape(re.sub("<[^>]*>", " ", markup)).split()


@pytest.mark.parametrize(
    ("asked", "says", "after"),
    [
        ("c2", "If has replaced hat", "the cat has a tail"),
        ("r0_2", "If has replaced hat", "the cat has a tail"),
        ("r0_4", "If long were put in, where the reference has it", "the cat hat a long tail"),
    ],
)
def test_every_metric_now_and_then(asked, says, after):
    page = SentencePage(**GIVEN, asked=asked)
    said = visible_words(answer_markup(page))
    assert " ".join(said).startswith(f"× {says} ")
    for key, metric in metrics.METRICS.items():
        scores = [
            metrics.score(key, text.split(), [GIVEN["references"].split()]).score
            for text in (GIVEN["candidate"], after)
        ]
        at = said.index(metric.label)
        assert [float(number) for number in said[at + 1 : at + 3]] == [round(score, 3) for score in scores], key
    assert page.address["asked"] == asked


@pytest.mark.parametrize(
    ("candidate", "references", "asked", "says", "after"),
    [
        # The comma moves in place of the candidate's own comma, not of the word opposite the reference's comma.
        (
            "a , b ,",
            ["a , b curve"],
            "3,0,1",
            "word 4, were moved to where the reference has its word 2, in place of the candidate's word 2 ",
            "a , b",
        ),
        ("a , b c", ["x", "a , b ,"], "1,1,3", "word 2, were moved to where reference 2 has its word 4 ", "a b , c"),
    ],
)
def test_the_two_words_of_a_ring_are_those_that_match(candidate, references, asked, says, after):
    page = SentencePage(candidate=candidate, references="\n".join(references), metric="wer", asked=asked)
    said = " ".join(visible_words(answer_markup(page)))
    assert said.startswith(f"× If , , {says}"), said
    found = metrics.score("gtm", after.split(), [each.split() for each in references]).score
    assert re.search(rf"GTM [0-9.]+ {found:.3f} ", said)


def test_nothing_is_asked_at_first_and_nothing_stays_with_other_texts():
    assert answer_markup(SentencePage(**GIVEN)) == ""
    page = SentencePage(**GIVEN, asked="c2")
    page.type("another text", "a text")
    assert answer_markup(page) == "" and "asked" not in page.address
    assert answer_markup(SentencePage(**GIVEN, asked="c99")) == answer_markup(SentencePage(**GIVEN, asked="r7_0")) == ""


def test_a_word_in_its_place_is_not_wrong():
    page = SentencePage(candidate="a b a", references="a b a", metric="gtm", asked="0,0,2")
    assert "a is where the reference has it, so no word is wrong" in " ".join(visible_words(answer_markup(page)))


def test_hostile_words_and_what_a_browser_may_send():
    page = SentencePage(candidate="<b>x</b> $y$", references="<i>\u202ez $y$", metric="wer", asked="c0")
    assert "<i>" not in answer_markup(page) and "\u202e" not in answer_markup(page)
    assert "&lt;i&gt;" in answer_markup(page)
    assert [valid_target_name(value) for value in ("c3", "r0_4", "1,0,2")] == ["c3", "r0_4", "1,0,2"]
    assert [valid_target_name(value) for value in (None, 3, "c", "x1", "c1 ", "1,2", ["c1"], "c99999")] == [None] * 8


def test_right_to_left():
    page = SentencePage(candidate="הילד הלך", references="הילד רץ", metric="gtm", asked="c1")
    assert '<b class="q" dir="rtl"><bdi>רץ</bdi></b> replaced' in answer_markup(page)
