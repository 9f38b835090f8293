"""Tests that no texts that a page accepts block it: every answer takes a limited number of steps or is refused.

Steps are counted, not timed. `test_work_of_asks.py` checks that the count is right, and `bench_metrics.py` measures
the seconds."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

import metrics
from metrics.analysis import worth
from metrics.types import TooHard, segment, work
from tests.helpers.hard_texts import change_candidate, hard_texts
from viz.draw.evidence import ledger
from viz.draw.pen import marks
from viz.state.results import cache, memory
from viz.state.results.cache import Problem

HARD = {name: text for name, text in hard_texts() if name != "five words, sixteen references"}
#: For each text the metrics that give up on it; all others score it.
TOO_HARD = {
    "one word": set(),
    "two words in turn": {"sia", "meteor"},
    "two words at random": {"sia", "meteor"},
    "Fibonacci words": {"sia", "meteor"},
    "sixteen references": {"sia", "meteor"},
    "no word twice": {"sia"},
}


def answer_within(call: Callable[[], Any], most: int = cache.WORK) -> Any:
    """Return the result of `call`, or None if it raises `TooHard`; fail if it takes more than `most` steps.

    The message of `TooHard` must be one line without a full stop."""
    with work.limited(most):
        try:
            answer = call()
        except TooHard as error:
            said = str(error)
            assert said and "\n" not in said and not said.endswith(".")
            return None
        assert work.spent() <= most
        return answer


@pytest.mark.slow
@pytest.mark.parametrize("key", metrics.METRICS)
@pytest.mark.parametrize("name", HARD)
def test_hard_texts_are_answered(name, key):
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    result = answer_within(lambda: metric.score(HARD[name], settings))
    assert (result is None) == (key in TOO_HARD[name])
    if result:
        assert metric.remark is None or answer_within(lambda: metric.remark(result)) is not None
        assert metric.ties is None or answer_within(lambda: metric.ties(result, 50)) is not None
        assert metric.formula(result)
        assert len(ledger.term_rows(*result.segment, result, most=500)) == min(500, marks.count_terms(result))
        answer_within(lambda: marks.cell_uses(result, None))
        assert sum(result.contributions()) >= 0


@pytest.mark.slow
@pytest.mark.parametrize("key", metrics.METRICS)
@pytest.mark.parametrize("name", ["two words in turn"])
def test_what_changed_between_two_hard_outputs_is_answered(name, key):
    memory.empty_cache()
    compared = cache.compare_segments(key, HARD[name], change_candidate(HARD[name]), metrics.settings(key))
    if isinstance(compared, Problem):
        return
    before, after, difference, steps = compared
    assert sum(step.share for step in steps) == pytest.approx(after.score - before.score, abs=1e-9)
    assert len(difference.rows) >= len(HARD[name].candidate)


def test_what_cannot_be_scored_is_a_problem_once(monkeypatch):
    """Check that every function of the cache gives the same sentence for a text that is too hard for a metric.

    The metric is asked only once. Texts that it can score are not affected."""
    asked = []

    def align(segment, settings, marks):
        asked.append(segment)
        if len(segment.candidate) == 3:
            raise TooHard("this takes <too> long")
        return metrics.METRICS["wer"].align(segment, settings, marks)

    hard = dataclasses.replace(metrics.METRICS["wer"], key="hard", label="Hard", align=align)
    monkeypatch.setitem(metrics.METRICS, "hard", hard)
    memory.empty_cache()
    long, short, settings = segment(["a", "b", "c"], [["a"]]), segment(["a"], [["a"]]), metrics.settings("wer")
    problem = Problem("Hard", "this takes <too> long")
    assert str(problem) == "Hard: this takes <too> long."
    assert cache.score("hard", long, settings) == cache.glance("hard", long, settings) == problem
    for pair in ((short, long), (long, short)):
        assert cache.compare_segments("hard", *pair, settings) == problem
    assert asked.count(long) == 1, "that it is too hard is remembered too"
    scored = cache.compare_segments("hard", short, short, settings)
    assert isinstance(scored, cache.ComparedResults) and scored.before.score == 0
    assert not isinstance(cache.glance("hard", short, settings), Problem)


def test_what_is_too_hard_beside_a_score_is_left_out(monkeypatch):
    def raise_too_hard(*given):
        raise TooHard("no")

    result = cache.score("gtm", segment(["a", "b"], [["a"]]), metrics.settings("gtm"))
    monkeypatch.setitem(
        metrics.METRICS, "gtm", dataclasses.replace(metrics.METRICS["gtm"], ties=raise_too_hard, remark=raise_too_hard)
    )
    assert cache.has_drawable_cells(result, None)
    monkeypatch.setattr(marks, "cell_uses", raise_too_hard)
    memory.empty_cache()
    assert (cache.ties(result), cache.remark(result)) == (None, "")
    assert not cache.has_drawable_cells(result, None)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["gtm", "rouge_w", "dcs", "ter", "meteor", "sia"])
def test_what_words_are_worth_is_answered_word_by_word(key):
    """Check that the effect of each changed word on the score takes a limited number of steps."""
    trials = worth.word_change_effects(metrics.METRICS[key], HARD["two words in turn"], metrics.settings(key))
    tried = [answer_within(lambda: next(trials, None), 400_000) for _ in range(3)]
    assert all(tried) or key in ("meteor", "sia", "rouge_w")


def test_steps_are_counted_and_limited():
    with work.limited(100):
        work.spend(60)
        with work.limited(1_000):  # an inner limit cannot exceed the outer one
            assert work.steps_left() == 40
            work.spend(10)
            assert work.spent() == 10
        assert (work.spent(), work.steps_left()) == (70, 30)
        with pytest.raises(TooHard):
            work.spend(31)
    with work.limited():
        work.spend(10**9)
        assert work.spent() == 10**9
