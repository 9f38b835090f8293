"""Tests of a sheet of exercises: empty grids, then the key, a link for each, and hostile words inert."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby

import pytest
import segno

import metrics
from tests.helpers.cases import TAUGHT as KEYS
from tests.helpers.fragments import read_page
from tests.helpers.segments import HOSTILE
from viz.draw.pen.numbers import score_text
from viz.save.sheet import sheet_html


def test_a_sheet_has_empty_grids_and_then_its_key():
    exercises = metrics.sheet(KEYS, 3, len(KEYS), 5)
    links = [f"https://example.org/learn?exercise={e.code}" for e in exercises]
    html = sheet_html(exercises, links, "Week 3")
    page = read_page(html)
    asked, solved = page.all("article")[: len(KEYS)], page.one("section", "key").all("article")
    assert len(asked) == len(solved) == len(KEYS) and page.all("article")[len(KEYS) :] == solved
    for number, (e, question, answer, link) in enumerate(zip(exercises, asked, solved, links, strict=True), 1):
        label = metrics.METRICS[e.key].label
        assert question.one("h2").text == f"{number}. {label}"
        assert answer.one("h2").text.startswith(f"{number}. {label} =")
        assert not question.having("data-cell") and not question.having("data-term"), e.code
        assert answer.having("data-cell") or answer.having("data-term"), e.code
        score = score_text(e.score, 4)
        assert score in answer.one("h2").text and score not in question.text
        for words in (e.segment.candidate, *e.segment.references):
            assert " ".join(words) in question.text
        assert question.one("a").get("href") == link == question.one("a").text
        labels = [label.text for label in question.all("text") if label.get("data-word").startswith("c")]
        assert labels == [*e.segment.candidate], e.code
        assert [pic.get("aria-label") for pic in question.all("svg") if pic.get("aria-label")] == ["An empty grid"]
        assert question.one("div", "working").text == "Working" and e.code in question.text
        (path,) = [path for path in question.one("div", "qr").all("path") if path.get("class") == "qrline"]
        assert path.get("d") == qr_path(link)  # the QR code that a phone reads as this address
        assert "The grid, solved" in [pic.get("aria-label") for pic in answer.all("svg")]
        assert e.optimal.says() in answer.text and answer.all("math")
        for name in e.given:
            assert type(e.settings).rules()[name].label in question.text
    assert "break-before: page" in html and "<script" not in html and "src=" not in html


def qr_path(text):
    """Return the SVG path of the QR code for `text`: its dark squares row by row."""
    code, out, pen = segno.make(text, micro=False, error="m"), [], None
    for y, row in enumerate(code.matrix):
        x = 0
        for dark, run in groupby(row):
            width = len([*run])
            if dark:
                at = (x + 2, y + 2.5)
                out.append(f"M{at[0]} {at[1]}" if pen is None else f"m{at[0] - pen[0]} {at[1] - pen[1]:g}")
                out.append(f"h{width}")
                pen = at[0] + width, at[1]
            x += width
    return "".join(out)


def test_what_is_no_address_of_the_web_has_no_code():
    (found,) = metrics.sheet(["gtm"], 1, 1, 1)
    for links in ([], ["?page=learn"], ["javascript:alert(1)"], ["https://e.org/" + "x" * 500]):
        page = read_page(sheet_html([found], links))
        assert not page.all("div", "qr") and page.all("article")[0].one("div", "working")


def test_hostile_words_are_inert():
    (plain,) = metrics.sheet(["gtm"], 1, 1, 1)
    hostile = replace(plain, segment=plain.segment._replace(candidate=HOSTILE, references=(HOSTILE[::-1],)))
    html = sheet_html([hostile], ["javascript:alert('1')\"><b>"], "<b>$x$</b>")
    page = read_page(html)
    assert not page.all("script") and not page.all("b") and not page.all("a")
    assert page.one("p", "link").text == "javascript:alert('1')\"><b>"
    assert [h.text for h in page.all("h1")] == ["<b>$x$</b>", "Key"]
    assert page.one("section", "key").all("p")[0].text == "<b>$x$</b>"
    assert not re.search(r"\son\w+=", html)


def test_links_are_one_for_each_or_none():
    exercises = metrics.sheet(["wer", "per"], 1, 2, 1)
    assert not read_page(sheet_html(exercises)).all("p", "link")
    with pytest.raises(ValueError, match="2 exercises, 1 links"):
        sheet_html(exercises, ["https://example.org"])
