"""Tests of a hostile visitor: no message, workspace or chapter causes a traceback or delays other visitors."""

from __future__ import annotations

import json
import random
import time

import pytest
import streamlit as st
from streamlit.components.v2.bidi_component.serialization import BidiComponentSerde, deserialize_trigger_list
from streamlit.elements.widgets.number_input import NumberInputSerde
from streamlit.elements.widgets.selectbox import SelectboxSerde
from streamlit.elements.widgets.slider import SliderSerde
from streamlit.elements.widgets.text_widgets import TextAreaSerde
from streamlit.proto.NumberInput_pb2 import NumberInput
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import WStates

from metrics.text import TextSettings
from tests.helpers.app import ROOT
from tests.helpers.attacks import TEXTS, attack_app
from tests.helpers.pages import State
from tests.helpers.searching import FREE
from tests.helpers.waiting import LIMIT
from viz.components.widget_values import is_valid_value
from viz.frame import plain_texts
from viz.pages.agreement import upload as agreement_entering
from viz.pages.agreement import visitor_corpus as agreement_held
from viz.pages.agreement.record import AgreementState
from viz.pages.compare.record import CompareState
from viz.pages.corpus import visitor_corpus
from viz.pages.corpus.record import CorpusState
from viz.pages.learn import chapter_reader
from viz.pages.sentence.record import SentenceState
from viz.state.links import link, pages

LONG = LIMIT / 6  # seconds; even on a slow machine everything takes less


@pytest.mark.alone
def test_messages_of_a_hostile_visitor(tmp_path):
    found = attack_app(500, 1, tmp_path / "log")
    assert found.tracebacks == []
    assert found.slowest[0].seconds < LONG, found.slowest[0].what
    assert found.p95 < LONG


# ---------------------------------------------------------------- values of widgets


def widget_metadata(serde, kind, deserialize=None):
    return WidgetMetadata("id", deserialize or serde.deserialize, lambda value: value, kind)


TEXT = widget_metadata(TextAreaSerde("x"), "string_value")
CHOICE = widget_metadata(
    SelectboxSerde(["a", "b"], formatted_options=["A", "B"], formatted_option_to_option_index={"A": 0, "B": 1}),
    "string_value",
)
NUMBER = widget_metadata(SliderSerde([1.0], Slider.INT, True, None, 1.0, 9.0), "double_array_value")
WHOLE = widget_metadata(NumberInputSerde(None, NumberInput.INT, 1, 9), "double_value")
COMPONENT = widget_metadata(BidiComponentSerde(), "json_value")
EVENTS = widget_metadata(None, "json_trigger_value", deserialize_trigger_list)

SENT = [
    *[(TEXT, sent, True) for sent in ({"string_value": "any <b>text</b>"}, {})],
    *[(TEXT, sent, False) for sent in ({"bool_value": True}, {"json_value": '"x"'})],
    (CHOICE, {"string_value": "B"}, True),
    *[(CHOICE, sent, False) for sent in ({"string_value": "C"}, {"string_value": "b"}, {"int_value": 1})],
    (NUMBER, {"double_array_value": [9.0]}, True),
    *[(NUMBER, {"double_array_value": [number]}, False) for number in (9.5, float("nan"), -float("inf"))],
    (NUMBER, {"string_array_value": ["1,0"]}, False),
    *[(WHOLE, sent, True) for sent in ({"int_value": 9}, {"double_value": 9.0})],  # browsers send the first
    *[(WHOLE, sent, False) for sent in ({"int_value": 10}, {"double_value": float("nan")}, {"string_value": "9"})],
    (COMPONENT, {"json_value": '{"told": [[1, "term", null]]}'}, True),
    (COMPONENT, {"json_value": '{"told": "\\ud83d\\ude00"}'}, True),
    *[(COMPONENT, {"json_value": text}, False) for text in ('{"told": "\\ud83d"}', '{"room": 1e999}', '{"room": NaN}')],
    *[(COMPONENT, {"json_value": text}, False) for text in ('{"room": ' + "9" * 5_000 + "}", "[" * 40_000, "[]", "")],
    (EVENTS, {"json_trigger_value": '[{"event": "told", "value": [1]}]'}, True),
    (EVENTS, {"json_trigger_value": '[{"event": ["told"], "value": 1}]'}, False),
    *[(EVENTS, {"json_trigger_value": text}, False) for text in ('[{"value": 1}]', "[1]", "{}")],
]


@pytest.mark.parametrize(("known", "sent", "good"), SENT, ids=range(len(SENT)))
def test_values_that_a_widget_can_have(known, sent, good):
    state = WidgetState(id="id")
    for name, value in sent.items():
        if isinstance(value, list):
            getattr(state, name).data.extend(value)
        else:
            setattr(state, name, value)
    assert is_valid_value(known, state) is good


def test_the_type_of_a_widget_outlives_a_value_that_was_cleared():
    """Check that a widget keeps its value type after its value was cleared.

    An example was once cleared by typing, and then no example could be chosen any more."""
    states = WStates()
    states.set_widget_metadata(CHOICE)
    for sent, now in ((WidgetState(id="id"), None), (WidgetState(id="id", string_value="B"), "b")):
        states.set_widget_from_proto(sent)
        assert states["id"] == now
    states.set_widget_from_proto(WidgetState(id="id", bool_value=True))
    assert states["id"] == "b"


# ---------------------------------------------------------------- files


def workspaces():
    """Yield one workspace file as JSON for each page that has texts of its own."""
    texts = {
        "systems": {"a": ["the cat sat", "a dog"], "b": ["the cat", "dogs"]},
        "references": {"r": ["the cat sat down", "a dog"]},
    }
    rows = {
        "ratings": [{"line": "1", "system": "a", "rater": "j", "overall": "3"}],
        "spans": [{"line": "1", "system": "a", "start": "0", "end": "3", "category": "x", "severity": "minor"}],
        "higher_is_better": {"overall": True},
        "scores": {"COMET": {"a": [0.1, 0.2], "b": [None, 0.3]}},
        "says": "said",
    }
    english = TextSettings(lowercase=True)
    yield link.to_json(SentenceState(candidate="the cat sat", references="the cat\na cat", text=english))
    yield link.to_json(CompareState(references="the cat", metric="bleu"), {"table": "chat cat 0.5"})
    for name, record in (("corpus", CorpusState()), ("judged", AgreementState())):
        yield link.to_json(record, {name: {**texts, **rows}})


def node_paths(value, path=()):
    """Yield the path of every node in a JSON value."""
    yield path
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from node_paths(each, (*path, key))


def damage_json(text, rng):
    """Return the JSON `text` with one or two nodes, or up to four letters, replaced by hostile values.

    `rng` is the random generator."""
    if rng.random() < 0.3:
        letters = list(text)
        for _ in range(rng.randint(1, 4)):
            letters[rng.randrange(len(letters))] = rng.choice('"[]{},:\\0 x')
        return "".join(letters)
    body = json.loads(text)
    for _ in range(rng.randint(1, 2)):
        *path, last = rng.choice([each for each in node_paths(body) if each] or [("x",)])
        inside = body
        for key in path:
            inside = inside[key]
        inside[last] = rng.choice(
            [None, True, -1, 1e308, 10**400, [], {}, [[]], {"x": 1}, [1, "x"], *TEXTS, "\ud800", float("nan")]
        )
    return json.dumps(body)


def test_damaged_workspaces_are_read_or_refused(monkeypatch):
    monkeypatch.setattr(visitor_corpus, "begin_scoring", lambda scoring: None)
    monkeypatch.setattr(agreement_entering, "score_corpus", lambda *given: None)
    monkeypatch.setattr(agreement_held, "restore_selection", lambda shown: None)
    made, rng = [*workspaces()], random.Random(1)
    opened = 0
    for n in range(200 * max(FREE, 1)):
        monkeypatch.setattr(st, "session_state", State())
        text, begun = damage_json(made[n % len(made)], rng), time.monotonic()
        try:
            shown, problems, extra = link.from_json(text)
            page = pages.page_of_record(shown)
            if page.take:
                page.take(shown, extra)
            opened += 1
        except ValueError as error:
            problems = [str(error)]
        assert all(isinstance(each, str) and each for each in problems)
        assert time.monotonic() - begun < LONG, text[:1_000]
    assert opened > 20


def test_a_workspace_as_it_was_saved_is_read(monkeypatch):
    """Check that the undamaged workspaces are read; otherwise the test above would damage files of another kind."""
    monkeypatch.setattr(agreement_entering, "score_corpus", lambda *given: None)
    for text in workspaces():
        _, problems, extra = link.from_json(text)
        assert problems == []
        for name in ("corpus", "judged"):
            if name in extra:
                assert len(plain_texts.material_from_json(extra[name])) == 2


def test_damaged_chapters_are_read_or_refused():
    tiny = (ROOT / "tests" / "data" / "chapters" / "tiny.toml").read_text(encoding="utf-8")
    pieces = ['"', "'", '"""', "\n", "[", "]", "{", "}", "=", "{1e9999*1e9999}", "{9**9**9}", " " * 20_000, "\\", "#"]
    rng = random.Random(2)
    for _ in range(60 * max(FREE, 1)):
        text = tiny
        for _ in range(rng.randint(1, 3)):
            a, b = sorted(rng.choices(range(len(text)), k=2))
            text = rng.choice([text[:a] + rng.choice(pieces) + text[a:], text[:a] + text[min(b, a + 20) :]])
        begun = time.monotonic()
        found = chapter_reader.checked("mine", text)
        assert found.chapter is not None or found.messages
        assert all(isinstance(each, str) and each for each in found.messages)
        assert time.monotonic() - begun < LONG, text
