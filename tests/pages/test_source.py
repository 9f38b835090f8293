"""Tests of the source, an optional third text: it is shown above the words and saved, but never scored.

It is kept and cleared together with the other texts."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import metrics
from metrics.text import TextSettings
from tests.helpers.app import ROOT
from tests.helpers.waiting import LIMIT
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


def run_app(shown: Any) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=LIMIT)
    at.query_params.update(link.to_query(shown))
    return rerun_app(at)


def rerun_app(at: AppTest) -> AppTest:
    at.run()
    assert not at.exception, at.exception[0].stack_trace
    return at


def visible_html(at: AppTest) -> str:
    """Return the HTML of the page: its HTML elements and the data of its components."""
    told = [json.loads(component.proto.json) for component in at.get("bidi_component")]
    fragments = [json.dumps(data, ensure_ascii=False).replace('\\"', '"') for data in told]
    return "\n".join([*[element.proto.body for element in at.get("html")], *fragments])


def shown_sources(at: AppTest) -> list[str]:
    """Return the sources that are shown above words."""
    return re.findall(r'<div class="lb">Source</div><div class="ws src" dir="\w+">(.*?)</div>', visible_html(at))


def press_source_button(at: AppTest) -> AppTest:
    at.button(key=KEY).click()
    return rerun_app(at)


@pytest.mark.parametrize("view", [view for view in VIEWS if view not in ("all", "two")])
def test_it_stands_above_the_words_of_a_sentence(view: str) -> None:
    at = run_app(SentenceState(**{**ONE.__dict__, "view": view}))
    assert shown_sources(at) == [SHOWN] and "<b>Katze" not in visible_html(at)
    assert shown_sources(run_app(SentenceState(candidate="a", references="b", view=view))) == []


@pytest.mark.parametrize("view", COMPARE_VIEWS)
def test_it_stands_above_the_words_of_a_comparison(view: str) -> None:
    at = run_app(CompareState(systems=TWO.systems, references=TWO.references, source=SOURCE, compare=view))
    assert shown_sources(at) == [SHOWN]


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
    assert run_app(shown).session_state["address"]["source"] == SOURCE


@pytest.mark.parametrize("shown", [ONE, TWO])
def test_its_field_opens_and_closes_and_keeps_it(shown: Any) -> None:
    at = run_app(shown)
    assert at.button(key=KEY).label == "Edit the source" and not [a for a in at.text_area if a.key == "source"]
    press_source_button(at).text_area(key="source").set_value("Der Hund")
    assert shown_sources(rerun_app(at)) == ["Der Hund"] and at.session_state["address"]["source"] == "Der Hund"
    press_source_button(at)
    assert not [a for a in at.text_area if a.key == "source"]
    at.text_area(key="references").set_value("a dog")
    assert shown_sources(rerun_app(at)) == ["Der Hund"], "it is kept while its field is closed"


@pytest.mark.parametrize("shown", [ONE, TWO])
def test_it_goes_with_the_other_texts(shown: Any) -> None:
    at = run_app(shown)
    boxes = [area.key for area in at.text_area if area.key != "source"]
    for key in boxes:
        assert at.session_state["source"] == SOURCE
        at.text_area(key=key).set_value("")
        rerun_app(at)
    assert at.session_state["source"] == "" and "source" not in at.session_state["address"]


def test_it_can_be_typed_first() -> None:
    at = run_app(SentenceState(candidate="a"))
    at.text_area(key="candidate").set_value("")
    press_source_button(rerun_app(at)).text_area(key="source").set_value("Der Hund")
    assert rerun_app(at).session_state["source"] == "Der Hund"
    at.text_area(key="candidate").set_value("the dog")
    assert rerun_app(at).session_state["source"] == "Der Hund"


def test_an_example_brings_its_own_or_none() -> None:
    known = next(pair for pair in PAIRS if pair.source)
    at = run_app(TWO)
    at.selectbox(key="pair").set_value(known.name)
    assert rerun_app(at).session_state["source"] == known.source and shown_sources(at)
    at = run_app(ONE)
    at.selectbox(key="example").set_value(EXAMPLES[0].name)
    assert rerun_app(at).session_state["source"] == ""


@pytest.mark.parametrize("page", ["sentence", "compare"])
def test_that_of_an_example_goes_when_its_references_are_replaced(page: str) -> None:
    known = next(pair for pair in PAIRS if pair.source)
    shown = {"references": known.references, "source": known.source}
    at = run_app(
        SentenceState(candidate=known.a, **shown)
        if page == "sentence"
        else CompareState(systems=known.systems, **shown)
    )
    at.text_area(key="references").set_value(known.references.replace("see", "saw"))
    assert len(shown_sources(rerun_app(at))) == 1, "an edited reference has the same source"
    at.text_area(key="references").set_value("Nobody has been to this house for a very long time.")
    assert shown_sources(rerun_app(at)) == [] and "source" not in at.session_state["address"]


def test_pages_share_it() -> None:
    at = run_app(ONE)
    at.switch_page("viz/pages/compare/page.py")
    rerun_app(at).text_area(key="system_1").set_value("a cat slept .")
    assert shown_sources(rerun_app(at)) == [SHOWN]
    at.switch_page("viz/pages/learn/page.py")
    rerun_app(rerun_app(at)).switch_page("viz/pages/sentence/page.py")
    assert shown_sources(rerun_app(at)) == [SHOWN]


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
