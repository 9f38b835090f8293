"""Tests of the view of each word's worth: its table, its filters, and trying a change in the what-if."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import PHONE, end_app, free_port, start_app
from contrast import use_colour_scheme
from effects import GTM, effects_of, score_of, slow_wer, texts_of, without_tags
from streamlit.testing.v1 import AppTest
from waiting import LIMIT

import metrics
from metrics.analysis.difference import matched_cells
from viz.draw.compare import worth
from viz.draw.pen import theme
from viz.pages.compare import effects as searches
from viz.pages.compare import word_worth

APP = """
import sys

import streamlit as st
from viz.draw.evidence.fragment import STYLE
from viz.frame.head import RULES

from viz.pages.compare.record import CompareState
from viz.state import controls, inputs, navigation, session
from viz.pages.compare import word_worth

st.set_page_config(layout="wide")
st.html(f"<style>{STYLE}{RULES}</style>")
state = st.session_state
state.setdefault("compare_view", "words")
navigation.prepare_run(CompareState)
for name in ("system_0", "system_1", "references", "metric"):
    if name in st.query_params and f"set {name}" not in state:
        state[name] = state[f"set {name}"] = st.query_params[name]


@st.fragment
def view():
    page_state = session.read_state(CompareState)
    texts = inputs.read_systems(page_state.systems, state.references, page_state.text)
    word_worth.draw(texts[0], page_state.names[0], 0, page_state)
    st.text(f"view: {state.get('compare_view')}, what if: {state.whatif}")


view()
"""
OUTPUT, REFERENCES = "the gunman was shot by police dead .", "the gunman was shot to death by the police ."


class View:
    """The view of each word's worth, on a page of its own in Streamlit's test runner."""

    def __init__(self, path, output=OUTPUT, references=REFERENCES, metric="gtm"):
        script = path / "page.py"
        script.write_text(APP, encoding="utf-8")
        self.at = AppTest.from_file(str(script), default_timeout=LIMIT)
        for name, value in (("system_0", output), ("system_1", "x"), ("references", references), ("metric", metric)):
            self.at.query_params[name] = value
        self.run()

    def run(self):
        self.at.run()
        assert not self.at.exception, self.at.exception[0].stack_trace
        return self

    @property
    def html(self):
        return "\n".join(element.proto.body for element in self.at.get("html"))

    @property
    def table(self):
        (component,) = self.at.get("bidi_component")
        return json.loads(component.proto.json)

    @property
    def warnings(self):
        return [warning.value for warning in self.at.warning]

    def button(self, label):
        return next((b for b in self.at.button if b.label == label), None)

    def press(self, label):
        self.button(label).click()
        return self.run()

    def choose(self, n):
        self.at.session_state["effect"] = n
        return self.run()


def used_words(key, texts):
    """Return the positions of the output's words that the metric uses in a match."""
    return {cell.i for cell in matched_cells(metrics.score(key, *texts.segment))}


@pytest.mark.parametrize("key", metrics.METRICS)
def test_the_view(tmp_path, key):
    """Check that the view shows every metric's score, the worth of its words, and its findings."""
    view = View(tmp_path, metric=key)
    texts = texts_of(OUTPUT, REFERENCES)
    metric, effects = metrics.METRICS[key], effects_of(key, texts)
    assert metric.name in view.html and f"<b>{theme.score_text(score_of(key, texts))}</b>" in view.html
    used = used_words(key, texts)
    assert (
        worth.word_line_html(texts, "A", effects, metric, worth.chip_effects(effects, metric, used=used)) in view.html
    )
    assert [row["n"] for row in view.table["rows"]] == worth.sorted_effect_indices(effects, metric, used=used)
    assert view.warnings == [] and view.button("Try it") is None and view.button("Go on") is None


def test_the_view_says_which_words_are_too_many(tmp_path):
    view = View(tmp_path, "the cat sat on the mat the cat xx yy", "the cat sat on the mat", "per")
    assert (
        "These four words cost 0.667 together (the, word 7; cat, word 8; xx; yy): without them the score would be"
        in (without_tags(view.html))
    )


def test_the_view_calls_no_word_missing_that_is_there(tmp_path):
    view = View(tmp_path, "the gunman police killed", "police killed the gunman", "per")
    assert "No single word that a shortest edit script puts in would make the score better." in without_tags(view.html)
    assert "missing" not in view.html.partition("</style>")[2] and not re.search(
        "missing|restore", json.dumps(view.table)
    )


def test_a_matched_word_that_costs_says_why(tmp_path):
    """Check that a hover text explains why a matched word costs, and that a selected change is explained too."""
    view = View(tmp_path, "a b c x d y z", "a b c d")
    why = "The text would have 6 words without it, not 7, though one fewer word would match."
    tips = view.table["tips"]
    assert tips["4"].endswith(f", better. {why}"), "d, which matches"
    assert [n for n, said in tips.items() if ". " in said] == ["4"]
    assert f"<p>{why}</p>" in view.choose(4).html
    assert "<p>It splits a run of 4 into 3 and 1.</p>" in view.choose(3).html


def test_filters_and_orders(tmp_path):
    view = View(tmp_path)
    texts = texts_of(OUTPUT, REFERENCES)
    effects, used = effects_of("gtm", texts), used_words("gtm", texts)
    for show in worth.SHOWN:
        for order in worth.ORDERS:
            for key, value in (("attribution_show", show), ("attribution_order", order)):
                (switch,) = [w for w in view.at.get("button_group") if w.key == key]
                switch.set_value(value)
            view.run()
            assert [row["n"] for row in view.table["rows"]] == worth.sorted_effect_indices(
                effects, GTM, show, order, used
            )


def test_a_change_is_tried_in_the_what_if(tmp_path):
    """Check that a selected change is described, and that trying it opens the what-if with the changed text."""
    view = View(tmp_path).choose(6)
    assert "Delete <b><bdi>dead</bdi></b>, word 7" in view.html and view.table["selected"] == 6
    view.press("Try it")
    state = view.at.session_state
    assert (state.whatif_of, state.whatif, state.compare_view) == (0, "the gunman was shot by police .", "whatif")
    assert state.system_0 == OUTPUT
    view.at.session_state["metric"] = "wer"
    view.run()
    assert view.button("Try it") is None and view.table["selected"] == -1  # the selection belongs to the other metric


def test_an_empty_output_has_only_words_to_put_in(tmp_path):
    view = View(tmp_path, output=" ", references="the cat", metric="rouge_l")
    assert [row["words"] for row in view.table["rows"]] == [["the"], ["cat"]]
    assert "no words" in view.html and "as the only word" in view.html
    view.choose(1).press("Try it")
    assert view.at.session_state.whatif == "cat"


def test_a_metric_that_cannot_score_says_so(tmp_path, monkeypatch):
    monkeypatch.setitem(metrics.METRICS, "wer", slow_wer(too_hard_at=0))
    view = View(tmp_path, output="no one scores this", metric="wer")
    assert view.warnings == [theme.escape_markdown("WER: there is <too> much of it.")] and not view.at.get(
        "bidi_component"
    )


def test_a_search_without_end_says_what_it_covered(tmp_path, monkeypatch):
    monkeypatch.setattr(searches, "SECONDS_MOST", 0.02)
    monkeypatch.setattr(word_worth, "QUIET", 0.0)
    monkeypatch.setattr(word_worth, "STEP", 0.0)
    monkeypatch.setitem(metrics.METRICS, "wer", slow_wer(0.012))
    view = View(tmp_path, output="a sentence that takes its time", metric="wer")
    note = re.search(r"Tried so far: the deletion of the first (\d) words?, which is \1 of 1\d changes\.", view.html)
    assert note and 1 <= int(note[1]) <= 2 and len(view.table["rows"]) == int(note[1])
    assert "together" not in view.html
    monkeypatch.setattr(searches, "SECONDS_MOST", 60)
    view.press("Go on")
    assert "Tried so far" not in view.html and len(view.table["rows"]) > 10 and view.button("Go on") is None


def test_a_search_that_gets_too_hard_shows_what_it_has(tmp_path, monkeypatch):
    monkeypatch.setitem(metrics.METRICS, "wer", slow_wer(too_hard_at=4))
    view = View(tmp_path, output="too hard after a while", metric="wer")
    assert view.warnings == [theme.escape_markdown("WER: there is <too> much of it.")]
    assert "the deletion of the first 2 words" in view.html and view.button("Go on") is None


# ---------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def view_url(tmp_path_factory) -> Iterator[str]:
    """Yield the address of an app that shows only this view."""
    script = tmp_path_factory.mktemp("words") / "page.py"
    script.write_text(APP, encoding="utf-8")
    port = free_port()
    app = start_app(port, script)
    yield f"http://127.0.0.1:{port}"
    end_app(app)


@pytest.fixture
def visit(new_page: Callable[..., Any], view_url: str) -> Iterator[Callable[..., Any]]:
    """Yield a function that opens the view, and check at the end that no page had an error or a dialog."""
    pages, faults = [], []

    def open_(output: str = OUTPUT, references: str = REFERENCES, **options: Any) -> Any:
        from urllib.parse import urlencode

        page = new_page(**options)
        pages.append(page)
        page.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
        page.goto(f"{view_url}/?{urlencode({'system_0': output, 'system_1': 'x', 'references': references})}")
        page.wait_for_selector(".effects tbody tr")
        return page

    yield open_
    for page in pages:
        page.close()
    assert not faults


@pytest.mark.alone
def test_words_and_rows_belong_together(visit) -> None:
    """Check that hovering a word shows its worth and highlights its row, and that clicking it selects the row."""
    page = visit()
    dead = page.locator(".worth .e6")
    dead.hover()
    assert page.locator(".tip").inner_text() == worth.tooltip_text(
        effects_of("gtm", texts_of(OUTPUT, REFERENCES))[6], texts_of(OUTPUT, REFERENCES), GTM
    )
    assert page.locator(".effects .lit").get_attribute("data-n") == "6"
    page.locator(".effects tr[data-n='0']").hover()
    assert page.locator(".worth .lit").inner_text() == "the" and page.locator(".tip").count() == 0
    dead.click()
    page.wait_for_selector(".worth .e6.sel")
    assert page.locator(".effects tr[aria-selected=true]").get_attribute("data-n") == "6"
    page.locator(".effects tr[data-n='6']").focus()
    page.keyboard.press("Escape")
    page.wait_for_selector(".worth:not(:has(.sel))")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.wait_for_selector(".worth .sel")
    page.get_by_role("button", name="Try it").click()
    page.wait_for_function("document.body.innerText.includes('view: whatif, what if: the gunman')")


@pytest.mark.alone
@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_nothing_is_broader_than_the_page(visit, options) -> None:
    hostile = "<img src=x onerror=alert(1)> $x$ %{x} \u202eevil שלום עולם " + "w" * 300
    page = visit(hostile, hostile[::-1] + "\n" + "z" * 300, **options)
    for scheme in ("light", "dark"):
        use_colour_scheme(page, scheme)
        width = page.evaluate("document.documentElement.clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for place in (".worth", ".effects", ".fx"):
            box = page.locator(place).first.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width, (scheme, place)
