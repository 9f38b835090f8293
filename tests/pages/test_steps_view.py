"""Tests of the view of steps in Streamlit's test runner: what it plays, parts of long texts, and its link."""

import json

import pytest

import metrics
from tests.helpers.cases import TAUGHT
from tests.helpers.pages import SentencePage
from viz.draw.steps import player as players
from viz.draw.steps import steps as drawn
from viz.pages.sentence import steps
from viz.pages.sentence.record import VIEWS
from viz.state.results import cache
from viz.state.texts.inputs import PAGE

LONG = " ".join([f"w{n}" for n in range(20)] + ["."] + [f"v{n}" for n in range(70)])


class StepsPage(SentencePage):
    def __init__(self, **query):
        super().__init__(view="steps", **query)

    @property
    def data(self):
        (found,) = [e for e in self.at.get("bidi_component") if e.proto.id.endswith("player")]
        return json.loads(found.proto.json)

    @property
    def buttons(self):
        return {b.label: b for b in self.at.button if (b.key or "").startswith("part_")}


@pytest.mark.slow
def test_every_metric_plays_its_program():
    page = StepsPage(candidate="the cat sat on a mat", references="a mat the cat sat\nthe cat", metric="bleu")
    words = (("the", "cat", "sat", "on", "a", "mat"), (("a", "mat", "the", "cat", "sat"), ("the", "cat")))
    for key in TAUGHT:
        page.set_state(metric=key)
        wanted = [step.text for step in metrics.trace(key, *words)]
        assert [step["text"] for step in page.data["chunk"]["steps"]] == wanted, key
        assert page.data["chunk"]["done"] and f'data-metric="{key}"' in page.data["html"]
        assert not page.buttons


@pytest.mark.slow
@pytest.mark.parametrize(
    ("candidate", "references", "missing"),
    [("a b", " ", "a reference"), ("", "a b", "a candidate"), ("", "a b\na", "a candidate")],
)
def test_an_empty_side_has_its_steps(candidate, references, missing):
    page = StepsPage(candidate=candidate, references=references, metric="bleu")
    words = candidate.split(), [line.split() for line in references.splitlines()]
    for key in TAUGHT:
        page.set_state(metric=key)
        wanted = [step.text for step in metrics.trace(key, *words)]
        assert [step["text"] for step in page.data["chunk"]["steps"]] == wanted, key
        assert any("no words" in text for text in wanted)
    assert page.messages == [f"Paste {missing} above, or choose an example. The steps for an empty text are below."]
    page.set("view", "metric")
    assert not page.fragments and "Scores and the grid appear here." in page.messages[0]
    page.set("view", "steps")
    assert page.data["chunk"]["steps"] and page.typed_texts == (candidate, references)


def test_nothing_has_no_steps():
    page = StepsPage(candidate="", references=" ", metric="gtm")
    assert page.messages == ["Paste a candidate and at least one reference above, or choose an example. " + PAGE.advice]
    assert all(e.proto.id.endswith("strip") is False for e in page.at.get("bidi_component"))


@pytest.mark.slow
def test_steps_have_the_pictures_of_the_metric():
    page = StepsPage(candidate="the cat sat on a mat", references="a mat the cat sat\nthe cat", metric="rouge_s")
    offered = {}
    for key in TAUGHT:
        page.set_state(metric=key)  # the default picture of one metric does not stay for the next
        switches = [w for w in page.at.get("button_group") if w.key == "picture"]
        offered[key] = [option.content for option in switches[0].proto.options] if switches else None
        lines = key in ("rouge_s", "ribes")  # chunks are clearest on a grid
        assert f'class="drawing {"lines" if lines else "grid"}"' in page.data["html"], key
    choices = {"rouge_s": ["Arcs", "Grid"], "ribes": ["Lines", "Grid"], "meteor": ["Lines", "Grid"]}
    assert offered == {key: choices.get(key) for key in TAUGHT}
    page.set_state(metric="ribes")
    page.set_state(walk_step=4)
    page.set("picture", "grid")
    assert 'class="drawing grid"' in page.data["html"] and page.data["chunk"]["at"] == 3
    assert page.address["picture"] == "grid" and page.address["step"] == "4"
    again = StepsPage(**{name: text for name, text in page.address.items() if name != "view"})
    assert 'class="drawing grid"' in again.data["html"]
    for one in (page, again):  # a choice stays, whatever is viewed in between
        one.set_state(metric="meteor")
        one.set_state(metric="gtm")
        one.set_state(metric="ribes")
        assert 'class="drawing grid"' in one.data["html"] and one.address["picture"] == "grid"
    again.set_state(metric="meteor")
    again.set("picture", "arcs")
    assert 'class="drawing lines"' in again.data["html"] and again.address["picture"] == "arcs"


def test_more_pairs_than_one_picture_holds_can_be_stepped_through():
    words = " ".join(f"w{n}" for n in range(42))
    page = StepsPage(candidate=words, references=words, metric="rouge_s")  # 861 pairs
    assert 'class="drawing lines"' in page.data["html"]
    page.set("view", "metric")
    assert not [w for w in page.at.get("button_group") if w.key == "picture"]


def test_settings_change_the_program():
    page = StepsPage(candidate="a b c d", references="a b d", metric="rouge_w")
    before = page.data["html"]
    page.set_state(**{"rouge_w.variant": "optimal"}) if "rouge_w.variant" in page.at.session_state else None
    trace = metrics.trace("rouge_w", "a b c d".split(), ["a b d".split()])
    assert all(line.strip()[:6] in before for line in trace.lines[:1])


def test_the_step_is_in_the_link_and_belongs_to_its_texts():
    page = StepsPage(candidate="a b c", references="a b d", metric="gtm", step="3")
    assert page.data["chunk"]["at"] == 2 and page.address["step"] == "3"
    page.set_state(walk_step=5)
    assert page.address["step"] == "5"
    page.type("a b x", "a b d")
    assert "step" not in page.address and page.data["chunk"]["at"] == 0


def test_the_same_steps_are_sent_while_nothing_else_changes():
    page = StepsPage(candidate="a b c", references="a b d", metric="rouge_l")
    before = page.data
    page.set_state(walk_step=4)
    after = page.data
    assert after["html"] == before["html"] and after["name"] == before["name"]
    assert after["chunk"]["pool"] == before["chunk"]["pool"] and after["chunk"]["steps"] == before["chunk"]["steps"]
    page.set_state(walk_from=None)  # the browser has the steps already
    assert page.data == before | {"html": None, "chunk": None}
    page.set_state(walk_from=0)
    assert page.data["html"] == before["html"]
    page.type("a b c", "a b")
    assert page.data["name"] != before["name"] and page.data["chunk"]["steps"]


def test_steps_that_are_wanted_follow(monkeypatch):
    monkeypatch.setattr(players, "AT_ONCE", 30)
    page = StepsPage(candidate="a b c d e f g", references="a b c d e f g h", metric="rouge_l")
    first = page.data["chunk"]
    assert len(first["steps"]) == 30 and not first["done"]
    page.set_state(walk_from=30)
    assert page.data["chunk"]["from"] == 30 and page.data["chunk"]["pool_from"] == len(first["pool"])
    page.set_state(walk_from=10_000)  # more steps than exist
    assert page.data["chunk"]["from"] <= 60
    page.type("a b", "a c")
    assert page.data["chunk"]["from"] == 0
    page.set("view", "metric")
    assert "walk" not in page.at.session_state


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["rouge_l", "wer", "sia"])
def test_a_table_of_long_texts_is_stepped_through_in_parts(metric):
    page = StepsPage(candidate=LONG, references=LONG, metric=metric)
    (said,) = [c.value for c in page.at.caption if "table" in c.value]
    assert "91 words are too many to follow; at most 60 a side fit." in said
    words = page.data["html"].count('class="tk')
    assert words == 2 * 21 and set(page.buttons) >= {"First sentence", f"First {steps.WINDOW} words"}
    page.buttons[f"First {steps.WINDOW} words"].click()
    page.run()
    assert page.data["html"].count('class="tk') == 2 * steps.WINDOW and page.address["part"] == "1"
    page.buttons[f"Next {steps.WINDOW} words"].click()
    page.run()
    assert page.address["part"] == "41" and "v19" in page.data["html"] and ">w3<" not in page.data["html"]
    page.buttons["First sentence"].click()
    page.run()
    assert page.data["html"].count('class="tk') == 2 * 21 and page.address["part"] == "0"
    page.set_state(metric="gtm")  # GTM fills no table
    assert page.data["html"].count('class="tk') == 2 * 91 and not page.buttons


@pytest.mark.slow
def test_long_texts_without_a_sentence_have_windows():
    long = " ".join(f"w{n}" for n in range(130))
    page = StepsPage(candidate=long, references=long, metric="wer")
    assert "First sentence" not in page.buttons
    assert page.data["html"].count('class="tk') == 2 * steps.WINDOW
    page = StepsPage(candidate=long, references=long, metric="wer", part="0")
    assert page.data["html"].count('class="tk') == 2 * steps.WINDOW


@pytest.mark.slow
def test_steps_that_show_very_much_are_sent_in_smaller_pieces():
    words = " ".join("ab"[n * n % 7 % 2] for n in range(60))
    page = StepsPage(candidate=words, references=words[::-1], metric="gtm")
    chunk = page.data["chunk"]
    assert 0 < len(chunk["steps"]) < players.AT_ONCE and not chunk["done"]
    assert len(page.at.get("bidi_component")) and len(json.dumps(chunk)) < 4_000_000
    page.set_state(walk_from=len(chunk["steps"]))
    assert page.data["chunk"]["from"] == len(chunk["steps"]) and page.data["chunk"]["steps"]


def test_what_is_too_hard_is_said_in_a_sentence(monkeypatch):
    monkeypatch.setattr(drawn, "STEP_WORK", cache.WORK)
    page = StepsPage(candidate="a b c", references="a b d", metric="gtm")
    (said,) = [w.value for w in page.at.warning]
    assert said.startswith("GTM: this takes more work than") and said.endswith(".")
    assert page.typed_texts == ("a b c", "a b d")


def test_a_view_is_in_the_menu():
    assert list(VIEWS)[:2] == ["metric", "steps"]
