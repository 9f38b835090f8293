"""Tests of errors that people marked, as drawn: on the words, beside the rows, in the source, and as a list."""

from dataclasses import replace

import pytest

import metrics
from metrics.text import TextSettings
from tests.helpers.fragments import read
from tests.helpers.segments import all_hits
from viz.draw.compare import comparison
from viz.draw.compare.differences import GridRoom
from viz.draw.evidence import error_spans, words
from viz.draw.evidence.drawn_result import DrawnResult
from viz.draw.evidence.figure import picture_of
from viz.draw.evidence.fragment import fragment
from viz.draw.pen import svg
from viz.draw.texts import MarkedError
from viz.save import tikz
from viz.save.sentence_page import page_html
from viz.state.texts import inputs
from viz.state.texts.marked_errors import marks_of_text

CANDIDATE, REFERENCE = "the cat sat on <b>mats</b> today", "the cat sat on the mat today"
SOURCE = "  猫今天\n坐在  $x$ 垫子上"
MARKS = (
    MarkedError("target", 4, 11, "Accuracy/Mistranslation", "Major", "rater1"),
    MarkedError("target", 8, 14, "Fluency", "Minor", "rater2"),
    MarkedError("target", 15, 26, "<i>Style</i>", "Critical"),
    MarkedError("source", 0, 1, "Omission", "Major"),
    MarkedError("target", 3, 3, "Omission", "Minor"),
)


@pytest.fixture(scope="module")
def drawn():
    marks = marks_of_text(CANDIDATE, SOURCE.strip(), MARKS)
    texts = inputs.read_texts(CANDIDATE, REFERENCE, TextSettings(), source=SOURCE.strip(), marks=marks)
    result = metrics.METRICS["gtm"].score(texts.segment, metrics.settings("gtm"))
    return DrawnResult(texts, result, all_hits(result), width=900)


def marked_words(html):
    return {e.get("data-word"): e for e in read(html).all("span", "mk") if e.get("data-word")}


def test_words_that_a_mark_touches_have_its_look_and_say_it(drawn):
    found = marked_words(words.word_lines_html(drawn))
    assert {name: e.classes & {"mn", "mj"} for name, e in found.items()} == {
        "c1": {"mj"},
        "c2": {"mj"},  # the more severe of two marks; the minor one continues after it
        "c3": {"mn"},
        "c4": set(),
    }
    assert found["c2"].get("data-says") == ("marked: Major, Accuracy/Mistranslation (rater1); Minor, Fluency (rater2)")
    assert {"u"} <= found["c1"].classes, "what the metric says of a word is seen too"


def test_the_list_says_all_of_it_in_words_and_lights_the_words(drawn):
    (listed,) = read(words.word_lines_html(drawn)).all("ul", "ms")
    assert [item.text for item in listed.all("li")] == [
        "Minor, Omission between words",
        "Major, Accuracy/Mistranslation (rater1) “cat sat”",
        "Minor, Fluency (rater2) “sat on”",
        "Critical, <i>Style</i> “<b>mats</b>”",
        "Major, Omission “猫” in the source",
    ]
    assert [item.get("data-words") for item in listed.all("li")] == ["", "c1 c2", "c2 c3", "c4", ""]


def test_the_source_is_marked_letter_by_letter(drawn):
    (source,) = read(words.source_line(drawn.texts)).all("div", "src")
    assert source.text == "猫今天 坐在 $x$ 垫子上"
    assert [(mark.text, mark.get("data-says")) for mark in source.all("mark")] == [("猫", "marked: Major, Omission")]
    assert error_spans.source_html("ab cd", [MarkedError("source", 1, 4, "", "")], 3) == (
        'a<mark class="mk" data-says="marked: an error">b </mark>…'
    )


def test_grids_files_and_legend_have_them(drawn):
    picture = picture_of(drawn, saved=True)
    lines = [(group.ink.dotted, len(group.members)) for group in picture.groups if "marked" in group.members[0].name]
    assert lines == [(False, 2), (True, 1)], "the row of c3 alone is minor"
    texts = {key.text for key in picture.key}
    assert {"error that people marked", "minor error that people marked"} <= texts
    for written in (svg.svg_file(picture), fragment(drawn), page_html(drawn)):
        assert "minor error that people marked" in written
    assert "people marked" in tikz.document(picture)
    assert 'class="tk u' in page_html(drawn) and 'data-says="marked: Major' in page_html(drawn)


@pytest.mark.parametrize(("key", "width"), [("ribes", 900), ("meteor", 300), ("rouge_s", 900)])
def test_pictures_without_a_grid_have_them_under_the_words(drawn, key, width):
    result = metrics.METRICS[key].score(drawn.texts.segment, metrics.settings(key))
    seen = replace(drawn, result=result, picture="arcs", width=width)
    picture = picture_of(seen, saved=True)
    lines = [placed for group in picture.groups for placed in group.members if placed.name == "line marked"]
    assert len(lines) == 4 and "minor error that people marked" in svg.svg_file(picture)
    for label, line in zip([e for e in picture.labels if e.word in ("c1", "c2", "c4")], lines, strict=False):
        (x1, y1), (x2, y2) = line.points
        assert abs((x1 + x2) / 2 - label.x) < 60 and abs((y1 + y2) / 2 - label.y) < 60
        assert (abs(y1 - y2) < 1e-9) == (label.turn == 0)
    assert picture_of(replace(seen, texts=replace(drawn.texts, marked=()))).key != picture.key


def test_without_marks_nothing_is_drawn(drawn):
    texts = replace(drawn.texts, marked=())
    html = fragment(replace(drawn, texts=texts))
    assert "mk" not in html.replace("mark", "") and 'class="ms"' not in html


def test_two_outputs_have_each_its_own(drawn):
    old, new = (CANDIDATE, MARKS), ("a cat sat today", (MarkedError("target", 2, 9, "Fluency", "Minor"),))
    kept = [each for text, marks in (old, new) for each in marks_of_text(text, "", marks)]
    a, b = inputs.read_systems([("", old[0]), ("", new[0])], REFERENCE, TextSettings(), marks=kept)
    before, after = (metrics.score("gtm", t.segment.candidate, t.segment.references) for t in (a, b))
    found, steps = metrics.analysis.difference.match_difference(before, after), metrics.ledger(before, after)
    pair = comparison.OutputPair(a, b, ("old", "new <"), before, after, found, steps)
    html = comparison.fragment(pair, [all_hits(before), all_hits(after)], GridRoom(900))
    assert {"a1", "a2", "a3", "a4", "b1", "b2"} == marked_words(html).keys()
    tree = read(html)
    assert [e.text for e in tree.all("div", "lb") if "Marked" in e.text] == ["Marked in old", "Marked in new <"]
    assert len(tree.all("ul", "ms")) == 2 and "error that people marked" in tree.text


def test_a_long_text_has_them_in_its_columns():
    candidate = " ".join([f"w{n % 97}" for n in range(220)])
    marks = marks_of_text(candidate, "", [MarkedError("target", 0, 5, "x", "Major")])
    texts = inputs.read_texts(candidate, candidate, TextSettings(), marks=marks)
    result = metrics.METRICS["rouge_l"].score(texts.segment, metrics.settings("rouge_l"))
    html = fragment(DrawnResult(texts, result, (), picture="text"))
    (word, other) = [e for e in read(html).all(of="mk") if e.get("data-word")]
    assert word.get("data-word") == "c0" and other.get("data-says") == "marked: Major, x"
    assert "error that people marked" in html and "“<bdi>w0 w1</bdi>”" in html
