"""Errors that people marked belong to a text: they go with it into links and files, and not with another one."""

import json

import pytest

from metrics.text import TextSettings
from metrics.text.judgements import Judged, Span
from viz.draw.texts import Marked
from viz.pages.compare.record import Compare
from viz.pages.sentence.record import Sentence
from viz.state import inputs, link
from viz.state.marked import Of, digest, of, of_output, on

MARKS = (Marked("target", 2, 5, "Accuracy", "Major", "x"), Marked("source", 0, 1, "Omission", "Minor"))


def marks_of(candidate, kept, source="s"):
    return inputs.read(candidate, "a reference", TextSettings(), source=source, marks=kept).marked


def test_marks_are_shown_on_the_text_that_they_are_of_and_on_no_other():
    kept = of("a cat", "s", MARKS)
    assert marks_of("a cat", kept) == MARKS
    assert marks_of("a dog", kept) == () and marks_of("a cat", ()) == ()
    assert marks_of("a cat", kept, "another source") == MARKS[:1]
    assert of("a cat", "s", ()) == ()


def test_white_space_around_a_text_moves_its_marks():
    kept = of(
        "  a cat",
        " s",
        [Marked("target", 4, 7, "", ""), Marked("source", 1, 2, "", ""), Marked("target", 0, 1, "", "")],
    )
    assert marks_of(" a cat\n", kept) == (Marked("target", 3, 6, "", ""), Marked("source", 0, 1, "", ""))


def test_of_several_outputs_each_has_its_own():
    kept = of("a cat", "s", MARKS[:1])
    found = inputs.read_systems([("A", "a dog"), ("B", "a cat")], "a reference", TextSettings(), source="s", marks=kept)
    assert [texts.marked for texts in found] == [(), MARKS[:1]]


@pytest.mark.parametrize("page", [Sentence, Compare])
def test_links_and_files_hold_them(page):
    texts = {"candidate": "a cat"} if page is Sentence else {"systems": (("A", "a cat"), ("B", "a dog"))}
    shown = page(references="r", marked=of("a cat", "s", MARKS), **texts)
    again, problems = link.from_query(link.to_query(shown))
    assert again == shown and not problems
    assert link.from_json(link.to_json(shown))[0] == shown
    assert "the errors that people marked" in link.held(shown)


@pytest.mark.parametrize(
    "value",
    [
        "[1]",
        '[["a","b",[["t",1,2,"","",3]]]]',
        '[["a","b",[["t",2,1,"","",""]]]]',
        '[["a","b",[["t",-2,1,"","",""]]]]',
        '[["a","b",[["z",0,1,"","",""]]]]',
        '[["a","b",[["t",true,1,"","",""]]]]',
        '[["a","b",[["t",0,1,""]]]]',
        '[["a",1,[]]]',
        "{",
        "{}x",
        "[" * 5_000,
        json.dumps([["a", "b", [["t", 0, 1, "y" * 300, "", ""]]]]),
    ],
)
def test_what_is_none_is_said(value):
    from viz.state.codec import Packed

    query = {"page": "sentence", "candidate": "a", "marked": Packed(10**6).text(value)}
    shown, problems = link.from_query(query)
    assert shown.marked == () and len(problems) == 1 and "errors that people marked" in problems[0]


def test_judges_are_named_where_there_are_several():
    spans = (
        Span(0, 1, 1, "target", 0, 3, "Fluency", "Minor"),
        Span(0, 1, 0, "source", 0, 3, "", ""),
        Span(1, 1, 0, "target", 0, 3, "", ""),
    )
    judged = Judged(("A", "B"), 2, ("x", "y"), (), {}, spans)
    assert of_output(judged, 0, 1) == (
        Marked("target", 0, 3, "Fluency", "Minor", "y"),
        Marked("source", 0, 3, "", "", "x"),
    )
    assert of_output(judged, 1, 1) == (Marked("target", 0, 3, "", ""),)
    assert of_output(judged, 0, 0) == () and of_output(None, 0, 0) == ()


def test_digests_tell_texts_apart():
    assert digest("\ud800") != digest("\ud801") and on.__doc__
    assert Of(digest("a"), digest(""), ()).text == digest(" a ")
