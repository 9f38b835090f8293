"""Tests of errors that people marked in a text.

Links and files keep the marks with the text, and another text does not show them."""

import json

import pytest

from metrics.text import TextSettings
from metrics.text.judgements import ErrorSpan, JudgementRecord
from viz.draw.texts import MarkedError
from viz.pages.compare.record import CompareState
from viz.pages.sentence.record import SentenceState
from viz.state.links import link
from viz.state.texts import inputs
from viz.state.texts.marked_errors import TextMarks, attach_marks, digest, marks_of_output, marks_of_text

MARKS = (MarkedError("target", 2, 5, "Accuracy", "Major", "x"), MarkedError("source", 0, 1, "Omission", "Minor"))


def marks_read_with(candidate, kept_marks, source="s"):
    return inputs.read_texts(candidate, "a reference", TextSettings(), source=source, marks=kept_marks).marked


def test_marks_are_shown_on_the_text_that_they_are_of_and_on_no_other():
    kept = marks_of_text("a cat", "s", MARKS)
    assert marks_read_with("a cat", kept) == MARKS
    assert marks_read_with("a dog", kept) == () and marks_read_with("a cat", ()) == ()
    assert marks_read_with("a cat", kept, "another source") == MARKS[:1]
    assert marks_of_text("a cat", "s", ()) == ()


def test_white_space_around_a_text_moves_its_marks():
    kept = marks_of_text(
        "  a cat",
        " s",
        [MarkedError("target", 4, 7, "", ""), MarkedError("source", 1, 2, "", ""), MarkedError("target", 0, 1, "", "")],
    )
    assert marks_read_with(" a cat\n", kept) == (
        MarkedError("target", 3, 6, "", ""),
        MarkedError("source", 0, 1, "", ""),
    )


def test_of_several_outputs_each_has_its_own():
    kept = marks_of_text("a cat", "s", MARKS[:1])
    found = inputs.read_systems([("A", "a dog"), ("B", "a cat")], "a reference", TextSettings(), source="s", marks=kept)
    assert [texts.marked for texts in found] == [(), MARKS[:1]]


@pytest.mark.parametrize("page", [SentenceState, CompareState])
def test_links_and_files_hold_them(page):
    texts = {"candidate": "a cat"} if page is SentenceState else {"systems": (("A", "a cat"), ("B", "a dog"))}
    shown = page(references="r", marked=marks_of_text("a cat", "s", MARKS), **texts)
    again, problems = link.from_query(link.to_query(shown))
    assert again == shown and not problems
    assert link.from_json(link.to_json(shown))[0] == shown
    assert "the errors that people marked" in link.describe_link(shown)


@pytest.mark.parametrize(
    "value",
    [
        *("[1]", '[["a","b",[["t",1,2,"","",3]]]]', '[["a","b",[["t",2,1,"","",""]]]]'),
        *('[["a","b",[["t",-2,1,"","",""]]]]', '[["a","b",[["z",0,1,"","",""]]]]'),
        *('[["a","b",[["t",true,1,"","",""]]]]', '[["a","b",[["t",0,1,""]]]]', '[["a",1,[]]]', "{", "{}x", "[" * 5_000),
        json.dumps([["a", "b", [["t", 0, 1, "y" * 300, "", ""]]]]),
    ],
)
def test_what_is_none_is_said(value):
    from viz.state.links.codec import PackedText

    query = {"page": "sentence", "candidate": "a", "marked": PackedText(10**6).text(value)}
    shown, problems = link.from_query(query)
    assert shown.marked == () and len(problems) == 1 and "errors that people marked" in problems[0]


def test_judges_are_named_where_there_are_several():
    spans = (
        ErrorSpan(0, 1, 1, "target", 0, 3, "Fluency", "Minor"),
        ErrorSpan(0, 1, 0, "source", 0, 3, "", ""),
        ErrorSpan(1, 1, 0, "target", 0, 3, "", ""),
    )
    judged = JudgementRecord(("A", "B"), 2, ("x", "y"), (), {}, spans)
    assert marks_of_output(judged, 0, 1) == (
        MarkedError("target", 0, 3, "Fluency", "Minor", "y"),
        MarkedError("source", 0, 3, "", "", "x"),
    )
    assert marks_of_output(judged, 1, 1) == (MarkedError("target", 0, 3, "", ""),)
    assert marks_of_output(judged, 0, 0) == () and marks_of_output(None, 0, 0) == ()


def test_digests_tell_texts_apart():
    assert digest("\ud800") != digest("\ud801") and attach_marks.__doc__
    assert TextMarks(digest("a"), digest(""), ()).text == digest(" a ")
