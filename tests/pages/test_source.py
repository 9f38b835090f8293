"""Tests of the source, an optional third text: it is shown above the words and saved, but never scored.

It is kept and cleared together with the other texts."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import metrics
from metrics.text import TextSettings
from tests.helpers.pages import AppPage
from viz.draw.evidence.words import SOURCE_MOST, source_line
from viz.draw.texts import ProcessedTexts
from viz.frame.examples import EXAMPLES, PAIRS
from viz.pages.compare.record import VIEWS as COMPARE_VIEWS
from viz.pages.compare.record import CompareState
from viz.pages.sentence.record import VIEWS, SentenceState
from viz.save import comparison_report, sentence_page
from viz.state.links import link
from viz.state.texts import inputs

SOURCE = "Die <b>Katze</b>\nschläft $x$."
SHOWN = "Die &lt;b&gt;Katze&lt;/b&gt; schläft &#36;x&#36;."
ONE = SentenceState(candidate="the cat sleeps .", references="a cat sleeps .", source=SOURCE)
TWO = CompareState(
    systems=(("A", "the cat sleeps ."), ("B", "a cat slept .")), references="a cat sleeps .", source=SOURCE
)
KEY = "source_button"


def open_page(shown: Any) -> AppPage:
    return AppPage(**link.to_query(shown))


def visible_html(page: AppPage) -> str:
    """Return the HTML of the page: its HTML elements and the data of its components."""
    fragments = [json.dumps(data, ensure_ascii=False).replace('\\"', '"') for data in page.component_data]
    return "\n".join([*[element.proto.body for element in page.at.get("html")], *fragments])


def shown_sources(page: AppPage) -> list[str]:
    """Return the sources that are shown above words."""
    return re.findall(r'<div class="lb">Source</div><div class="ws src" dir="\w+">(.*?)</div>', visible_html(page))


@pytest.mark.parametrize("view", [view for view in VIEWS if view not in ("all", "two")])
def test_it_stands_above_the_words_of_a_sentence(view: str) -> None:
    page = open_page(SentenceState(**{**ONE.__dict__, "view": view}))
    assert shown_sources(page) == [SHOWN] and "<b>Katze" not in visible_html(page)
    assert shown_sources(open_page(SentenceState(candidate="a", references="b", view=view))) == []


@pytest.mark.parametrize("view", COMPARE_VIEWS)
def test_it_stands_above_the_words_of_a_comparison(view: str) -> None:
    page = open_page(CompareState(systems=TWO.systems, references=TWO.references, source=SOURCE, compare=view))
    assert shown_sources(page) == [SHOWN]


def test_nothing_is_scored_by_it() -> None:
    texts = [inputs.read_texts("the cat", "a cat", TextSettings(), source=source) for source in ("", SOURCE)]
    assert all(isinstance(each, ProcessedTexts) for each in texts) and texts[0] != texts[1]
    assert texts[0].segment == texts[1].segment


@pytest.mark.parametrize("shown", [ONE, TWO])
def test_links_and_files_hold_it(shown: Any) -> None:
    assert link.from_query(link.to_query(shown)) == (shown, [])
    assert link.from_json(link.to_json(shown))[0] == shown
    assert "the source" in link.describe_link(shown)
    assert "source" not in link.to_query(type(shown)()) and "the source" not in link.describe_link(type(shown)())
    assert open_page(shown).address["source"] == SOURCE


@pytest.mark.parametrize("shown", [ONE, TWO])
def test_its_field_opens_and_closes_and_keeps_it(shown: Any) -> None:
    page = open_page(shown)
    assert page.at.button(key=KEY).label == "Edit the source" and not page.has_widget("source")
    page.press(KEY).enter("source", "Der Hund")
    assert shown_sources(page) == ["Der Hund"] and page.address["source"] == "Der Hund"
    page.press(KEY)
    assert not page.has_widget("source")
    page.enter("references", "a dog")
    assert shown_sources(page) == ["Der Hund"], "it is kept while its field is closed"


@pytest.mark.parametrize("shown", [ONE, TWO])
def test_it_goes_with_the_other_texts(shown: Any) -> None:
    page = open_page(shown)
    boxes = [area.key for area in page.at.text_area if area.key != "source"]
    for key in boxes:
        assert page.at.session_state["source"] == SOURCE
        page.enter(key, "")
    assert page.at.session_state["source"] == "" and "source" not in page.address


def test_it_can_be_typed_first() -> None:
    page = open_page(SentenceState(candidate="a"))
    page.enter("candidate", "")
    page.press(KEY).enter("source", "Der Hund")
    assert page.at.session_state["source"] == "Der Hund"
    page.enter("candidate", "the dog")
    assert page.at.session_state["source"] == "Der Hund"


def test_an_example_brings_its_own_or_none() -> None:
    known = next(pair for pair in PAIRS if pair.source)
    page = open_page(TWO)
    page.enter("pair", known.name)
    assert page.at.session_state["source"] == known.source and shown_sources(page)
    page = open_page(ONE)
    page.enter("example", EXAMPLES[0].name)
    assert page.at.session_state["source"] == ""


@pytest.mark.parametrize("page", ["sentence", "compare"])
def test_that_of_an_example_goes_when_its_references_are_replaced(page: str) -> None:
    known = next(pair for pair in PAIRS if pair.source)
    shown = {"references": known.references, "source": known.source}
    page = open_page(
        SentenceState(candidate=known.a, **shown)
        if page == "sentence"
        else CompareState(systems=known.systems, **shown)
    )
    page.enter("references", known.references.replace("see", "saw"))
    assert len(shown_sources(page)) == 1, "an edited reference has the same source"
    page.enter("references", "Nobody has been to this house for a very long time.")
    assert shown_sources(page) == [] and "source" not in page.address


def test_pages_share_it() -> None:
    page = open_page(ONE)
    page.at.switch_page("viz/pages/compare/page.py")
    page.run().enter("system_1", "a cat slept .")
    assert shown_sources(page) == [SHOWN]
    page.at.switch_page("viz/pages/learn/page.py")
    page.run().at.switch_page("viz/pages/sentence/page.py")
    assert shown_sources(page.run()) == [SHOWN]


def test_reports_have_it() -> None:
    a, b = inputs.read_systems(TWO.systems, TWO.references, TextSettings(), source=SOURCE)
    names, settings = ("A", "B"), {key: metrics.settings(key) for key in metrics.METRICS}
    page = comparison_report.page_html(a, b, names, "gtm", settings)
    assert f'<dt>Source</dt><dd dir="ltr">{SHOWN}</dd>' in page and "<b>Katze" not in page
    saved = json.loads(comparison_report.report_json(a, b, names, "gtm", settings))
    assert {saved["results"][side]["text"]["source"] for side in "ab"} == {SOURCE}
    without = inputs.read_texts("the cat", "a cat", TextSettings())
    result = metrics.score("gtm", without.segment.candidate, without.segment.references)
    assert "source" not in sentence_page.result_dict(without, result)["text"]
    assert "<dt>Source" not in comparison_report.page_html(without, without, names, "gtm", settings)


def test_a_long_one_is_cut_where_it_is_shown() -> None:
    texts = inputs.read_texts("the cat", "a cat", TextSettings(), source="wort " * 50_000)
    assert len(source_line(texts)) < SOURCE_MOST + 200
