"""Tests of the player's markup and data: what the script shows at a step is what the trace says."""

import json
import re
import xml.etree.ElementTree as ET
from itertools import islice

import pytest

import metrics
from metrics.teach.judge import question_to_dict
from metrics.teach.records import AnswerVerdict, Question
from metrics.teach.steps import TEXT_MOST
from tests.helpers.cases import TAUGHT
from tests.helpers.fragments import process_texts, read
from tests.helpers.markup import WORDS, check_allowed
from tests.helpers.segments import all_hits, word_names
from tests.helpers.walks import SEGMENTS, walk_of
from viz.draw.evidence.drawn_result import DrawnResult
from viz.draw.evidence.fragment import fragment
from viz.draw.pen import script_bundle
from viz.draw.pen.numbers import score_text
from viz.draw.pen.shapes import Shape
from viz.draw.steps import player
from viz.draw.steps.steps import DrawnSteps


def test_markup_has_words_lines_and_room_for_every_look():
    for key in TAUGHT:
        walk = walk_of(key, *SEGMENTS[0])
        root = read(player.markup(walk))
        check_allowed(root)
        assert [li.text for li in root.one("ol", "code").all("li")] == [line.lstrip() for line in walk.trace.lines]
        words = [e.one("bdi").text for e in root.all("span", "tk")]
        assert words == [word for side in (walk.texts.candidate_words, *walk.texts.reference_words) for word in side]
        dotted = {e.get("data-word") for e in root.all("span", "h")}
        assert dotted == word_names(all_hits(walk.steps[-1].result))
        assert len(root.all("g", "pool")) == len(walk.layers())
        assert root.one("p", "says").get("aria-live") == "polite"


@pytest.mark.parametrize(
    ("stemmer", "says"), [("porter", "Words are quoted as they are compared: by their stems."), ("none", "")]
)
def test_stems_are_not_quoted_as_if_they_were_typed(stemmer, says):
    """Check the note that words are quoted by their stems, which stands at steps and remarks that quote words.

    BLEU's remark, for example, quotes words that count too often."""
    texts = process_texts("the policies policies were dropped", "the policy was dropped", stemmer=stemmer)
    walk = DrawnSteps(texts, metrics.trace("bleu", *texts.segment), [], 840)
    assert [p.text for p in read(player.markup(walk)).all("p", "note") if "quoted" in p.text] == [says] * bool(says)
    result = metrics.score("bleu", *texts.segment)
    shown = read(fragment(DrawnResult(texts, result, [], remark="“polici” counts 1 of 2."))).text
    assert ("“polici” counts 1 of 2. " + says).strip() in shown and ("quoted" in shown) is bool(says)
    assert "quoted" not in read(fragment(DrawnResult(texts, result, [], remark="No words."))).text


def check_pool(walk, data):
    """Check that each shape of the steps is sent to the script as its own element or as a moved copy of another one."""
    for part, (look, *rest) in zip(walk.pool, data["pool"], strict=True):
        if not isinstance(part, Shape):
            assert (look, *rest) == (part.look, part.name)
            continue
        pattern, row, column = rest
        assert look == walk.layer_of(part)
        there, wanted = (ET.fromstring(text) for text in (data["patterns"][pattern], walk.markup(part)))
        for a, b in zip(there.iter(), wanted.iter(), strict=True):
            assert (a.tag, a.text) == (b.tag, b.text)
            assert [a.get(name) for name in ("class", "data-cell")] == [b.get(name) for name in ("class", "data-cell")]
            right, down = column * walk.base.cell, row * walk.base.cell
            assert [x + right for x in x_values(a)] == pytest.approx(x_values(b), abs=0.02)
            assert [y + down for y in y_values(a)] == pytest.approx(y_values(b), abs=0.02)


def point_numbers(element):
    points = element.get("points", "") + " " + element.get("d", "")
    return [*map(float, re.findall(r"-?[\d.]+", points))]


def x_values(element):
    return [float(element.get(name)) for name in ("x", "cx") if element.get(name)] + point_numbers(element)[::2]


def y_values(element):
    return [float(element.get(name)) for name in ("y", "cy") if element.get(name)] + point_numbers(element)[1::2]


def decoded_steps(steps):
    """Return the steps as the browser's script decodes them: with the indices of the shapes that go on and off."""
    out, end, last = [], 0, {}
    for step in steps:
        step = {"line": last.get("line"), "score": last.get("score")} | step
        for name in ("on", "off"):
            coded, step[name] = step.get(name, ()), []
            for gap, length in zip(coded[::2], coded[1::2], strict=True):
                step[name] += range(end + gap, end + gap + length)
                end += gap + length
        out.append(step)
        last = step
    return out


def test_data_say_what_the_steps_say():
    for key in TAUGHT:
        walk = walk_of(key, *SEGMENTS[0])
        data = json.loads(script_bundle.json_text(player.steps_data(walk)))
        assert data["done"] and data["end"] and data["from"] == data["pool_from"] == 0
        assert len(data["pool"]) == len(walk.pool)
        check_pool(walk, data)
        taken = []
        for step, frame, shown in zip(walk.steps, walk.frames, decoded_steps(data["steps"]), strict=True):
            assert (shown["text"], shown["line"]) == (step.text, step.line)
            assert len(shown["text"]) <= TEXT_MOST
            assert (shown["on"], shown["off"]) == ([*frame.shown_numbers], [*frame.hidden])
            assert shown.get("score") == (None if step.score is None else score_text(step.score))
            assert shown.get("decision") == (step.decision.name if step.decision else None)
            assert bool(shown.get("rejected")) == bool(step.rejected)
            assert bool(shown.get("decides")) == (bool(step.decision) or [*step.taken_marks] != taken)
            taken = [*step.taken_marks]
            for reason in {reason for _, reason in step.rejected}:
                assert (
                    any(line.endswith(reason) for line in shown["rejected"]) or len(shown["rejected"]) > player.REASONS
                )
            if place := shown.get("place"):
                assert 0 <= place[0] <= walk.base.width and 0 <= place[1] <= walk.base.height
        assert walk.steps[-1].result is not None


def test_numbers_of_the_formula_gather():
    walk = walk_of("rouge_n", "a b c".split(), ["a b d".split()])
    steps = player.steps_data(walk)["steps"]
    assert steps[0]["known"] == {"N": "1", "n": "3", "m": "3", "β": "1"} and steps[-1]["known"] == {"F": "0.667"}
    assert {"matches": "2"} in [step.get("known") for step in steps]
    places = {place.get("data-known") for place in read(player.markup(walk)).all("mrow")}
    assert {name for step in steps for name in step.get("known", ())} <= places


@pytest.mark.slow
def test_every_number_that_is_known_has_its_place():
    for key, candidate, references in [(key, *segment) for key in TAUGHT for segment in SEGMENTS]:
        walk = walk_of(key, candidate, references)
        places = {place.get("data-known") for place in read(player.markup(walk)).all("mrow")}
        known = {name for step in player.steps_data(walk)["steps"] for name in step.get("known", ())}
        assert known <= places, key


def test_settings_are_printed_as_they_were_given():
    (first, *_) = player.steps_data(walk_of("meteor", "a b".split(), ["a".split()]))["steps"]
    assert (first["known"]["α"], first["known"]["γ"]) == ("0.9", "0.5")


def test_what_is_not_known_any_more_is_said():
    walk = walk_of("rouge_l", "a b".split(), [["a"], ["b", "a"]])
    told = [step["known"] for step in player.steps_data(walk)["steps"] if "known" in step]
    assert {"P": None, "R": None, "LCS": None, "m": "2"} in told


def test_rejected_marks_are_told_by_their_reasons():
    walk = walk_of("gtm", "a b c a b".split(), ["a b x".split()])
    told = [line for step in player.steps_data(walk)["steps"] for line in step.get("rejected", ())]
    assert "a b (1–2 × 1–2): shares a word with one already taken" in told


def test_steps_come_in_pieces(monkeypatch):
    monkeypatch.setattr(player, "AT_ONCE", 50)
    walk = walk_of("rouge_l", *SEGMENTS[0], count=0)
    chunks = [player.steps_data(walk)]
    assert len(walk.steps) == 50 and not chunks[0]["done"] and not chunks[0]["end"]
    while not chunks[-1]["done"]:
        chunks.append(player.steps_data(walk, chunks[-1]["from"] + len(chunks[-1]["steps"])))
    assert len(chunks) > 2
    steps = [step for chunk in chunks for step in chunk["steps"]]
    pool = [part for chunk in chunks for part in chunk["pool"]]
    whole = walk_of("rouge_l", *SEGMENTS[0])
    monkeypatch.undo()
    again = player.steps_data(whole)
    assert pool == again["pool"]
    assert decoded_steps(steps) == decoded_steps(again["steps"])
    assert max(pattern for _, pattern, *_ in pool if not isinstance(pattern, str)) < len(again["patterns"])
    seen, all_steps = 0, iter(decoded_steps(steps))
    for chunk in chunks:
        assert chunk["pool_from"] == seen
        seen += len(chunk["pool"])
        assert all(
            part < seen
            for step, _ in zip(islice(all_steps, len(chunk["steps"])), chunk["steps"], strict=True)
            for part in step["on"]
        )
    # A chunk can be requested again and is the same.
    assert player.steps_data(walk, 0)["pool"][: len(chunks[0]["pool"])] == chunks[0]["pool"]


def test_hostile_words_are_words():
    for key in TAUGHT:
        walk = walk_of(key, WORDS[:10], [WORDS[9::-1]], count=300)
        check_allowed(read(player.markup(walk)))
        data = player.steps_data(walk)
        text = script_bundle.json_text(data)
        assert not set(text) & set("<>&") and text.isascii()
        assert json.loads(text)["steps"][0]["text"] == walk.steps[0].text
        drawn = [(look, data["patterns"][rest[0]] if len(rest) > 1 else rest[0]) for look, *rest in data["pool"]]
        for look, markup in drawn:
            if isinstance(look, int):
                check_allowed(read(markup))


def test_questions_stand_at_their_steps():
    known = walk_of("rouge_l", ["a"], [["a"]])
    yes, no = AnswerVerdict("right", "It is."), AnswerVerdict("no", "Not so.")
    question = Question("Which?", "choice", "0", {"0": yes}, no, choices=("a", "b"))
    trace = metrics.trace("rouge_l", ["a"], [["a"]])
    asked = ((step, question if n == 1 else None) for n, step in enumerate(trace))
    walk = DrawnSteps(known.texts, trace, known.hits, 600, asked)
    data = player.steps_data(walk, at=1)
    assert [n for n, step in enumerate(data["steps"]) if "question" in step] == [1] and data["at"] == 1
    assert data["steps"][1]["question"] == question_to_dict(question)
    assert [step["text"] for step in data["steps"]] == [step.text for step in known.steps]
