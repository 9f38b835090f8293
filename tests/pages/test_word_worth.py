"""Tests of the view of each word's worth: its table, its filters, and trying a change in the what-if."""

from __future__ import annotations

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

import metrics
from metrics.analysis.difference import matched_cells
from tests.helpers.effects import GTM, effects_of, score_of, slow_wer, without_tags
from tests.helpers.fragments import process_texts
from tests.helpers.pages import AppPage
from tests.helpers.waiting import LIMIT
from tests.helpers.word_worth import APP, OUTPUT, REFERENCES
from viz.draw.compare import worth
from viz.draw.pen.numbers import score_text
from viz.draw.pen.text import escape_markdown
from viz.pages.compare import effects as searches
from viz.pages.compare import word_worth


class View(AppPage):
    """The view of each word's worth, on a page of its own in Streamlit's test runner."""

    def __init__(self, path, output=OUTPUT, references=REFERENCES, metric="gtm"):
        script = path / "page.py"
        script.write_text(APP, encoding="utf-8")
        app = AppTest.from_file(str(script), default_timeout=LIMIT)
        super().__init__(app, system_0=output, system_1="x", references=references, metric=metric)

    @property
    def table(self):
        (data,) = self.component_data
        return data

    def button(self, label):
        return next((b for b in self.at.button if b.label == label), None)

    def choose(self, n):
        return self.set_state(effect=n)


def used_words(key, texts):
    """Return the positions of the output's words that the metric uses in a match."""
    return {cell.i for cell in matched_cells(metrics.score(key, *texts.segment))}


@pytest.mark.parametrize("key", metrics.METRICS)
def test_the_view(tmp_path, key):
    """Check that the view shows every metric's score, the worth of its words, and its findings."""
    view = View(tmp_path, metric=key)
    texts = process_texts(OUTPUT, REFERENCES)
    metric, effects = metrics.METRICS[key], effects_of(key, texts)
    assert metric.name in view.html and f"<b>{score_text(score_of(key, texts))}</b>" in view.html
    used = used_words(key, texts)
    chips = worth.chip_effects(effects, metric, used=used)
    assert worth.word_line_html(texts, "A", effects, metric, chips) in view.html
    assert [row["n"] for row in view.table["rows"]] == worth.sorted_effect_indices(effects, metric, used=used)
    assert view.warnings == [] and view.button("Try it") is None and view.button("Continue") is None


def test_the_view_says_which_words_are_too_many(tmp_path):
    view = View(tmp_path, "the cat sat on the mat the cat xx yy", "the cat sat on the mat", "per")
    says = "These four words cost 0.667 together (the, word 7; cat, word 8; xx; yy): without them the score would be"
    assert says in without_tags(view.html)


def test_the_view_calls_no_word_missing_that_is_there(tmp_path):
    view = View(tmp_path, "the gunman police killed", "police killed the gunman", "per")
    assert "No single word that a shortest edit script puts in would make the score better." in without_tags(view.html)
    assert "missing" not in view.html.partition("</style>")[2]
    assert not re.search("missing|restore", json.dumps(view.table))


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
    texts = process_texts(OUTPUT, REFERENCES)
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
    assert view.warnings == [escape_markdown("WER: there is <too> much of it.")] and not view.at.get("bidi_component")


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
    view.press("Continue")
    assert "Tried so far" not in view.html and len(view.table["rows"]) > 10 and view.button("Continue") is None


def test_a_search_that_gets_too_hard_shows_what_it_has(tmp_path, monkeypatch):
    monkeypatch.setitem(metrics.METRICS, "wer", slow_wer(too_hard_at=4))
    view = View(tmp_path, output="too hard after a while", metric="wer")
    assert view.warnings == [escape_markdown("WER: there is <too> much of it.")]
    assert "the deletion of the first 2 words" in view.html and view.button("Continue") is None
