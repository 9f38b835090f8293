"""Tests that the steps which a metric counts are honest: the lines it executes stay in proportion to them.

Everything that the app asks of a metric is tried, on texts of few, repeated words and on long ones, with settings at
their ends. The texts are the same every time; `make search` tries others."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import metrics
import viz
from metrics.types import Segment, TooHard, segment, work
from tests.helpers.asks import ASKS
from tests.helpers.cases import variants
from tests.helpers.hard_texts import fibonacci_words
from tests.helpers.searching import FREE, examples

FOLDERS = tuple([str(Path(package.__file__ or "").parent) for package in (metrics, viz)])


class LineLimits(NamedTuple):
    """The most lines of code that a call may execute: per counted step, per word that is only read, and per call."""

    step: int
    word: int
    beside: int


#: Loops of scores have short lines; those of steps and questions also make marks and sentences.
SCORES, STEPS_OF_PROGRAMS = LineLimits(40, 150, 15_000), LineLimits(10, 40, 4_000)
OF_PROGRAMS = ("steps", "questions", "drawn")
#: The numbers of steps after which a call is stopped. A player is whole before any part of it is sent.
STEPS, STEPS_DRAWN = 5_000, 30_000


class TooManyLinesError(Exception):
    """Raised inside of a traced call that has executed far more lines than its steps allow."""


def count_lines(call: Callable[[], object], limits: LineLimits, word_count: int) -> int:
    """Return how many lines of the app's code `call` executes, within the limit of work that is now in force.

    The call is stopped once it has executed more than twice the lines that `limits` allow. `word_count` is the
    number of words of the texts."""
    count = 0

    def trace(frame: Any, event: str, _: Any) -> Any:
        nonlocal count
        if event == "line":
            count += 1
            if not count % 1_000 and count > 2 * allowed_lines(limits, word_count):
                raise TooManyLinesError
        return trace if event != "call" or frame.f_code.co_filename.startswith(FOLDERS) else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except (TooHard, TooManyLinesError):
        pass
    except ValueError as error:  # a part that the metric lacks, or a picture that would be too large
        assert str(error)
    finally:
        sys.settrace(before)
    return count


def allowed_lines(limits: LineLimits, word_count: int) -> int:
    """Return how many lines `limits` allow for the steps counted so far and for texts of `word_count` words."""
    return limits.step * work.spent() + limits.word * word_count + limits.beside


def check_work(ask: str, key: str, chosen: dict[str, Any], text: Segment) -> None:
    """Check that one question to a metric executes no more lines than its counted steps allow.

    `ask` is the name of the question in `ASKS`, `key` the metric, `chosen` its settings."""
    metric, settings = metrics.METRICS[key], metrics.settings(key, **chosen)
    if ask in OF_PROGRAMS and not metric.plans:
        return
    words = len(text.candidate) + sum(map(len, text.references))
    bound = STEPS_OF_PROGRAMS if ask in OF_PROGRAMS else SCORES
    try:
        with work.limited(10 * STEPS):
            call = ASKS[ask](metric, settings, text)
    except TooHard:
        return
    with work.limited(STEPS_DRAWN if ask == "drawn" else STEPS):
        lines = count_lines(call, bound, words)
        most = allowed_lines(bound, words)
    assert lines <= most, f"{lines:,} lines, {most:,} allowed: {ask} of {key} {chosen} on {text}"


def hard_segments(word_count: int, reference_count: int) -> list[Segment]:
    """Return segments, with texts of about `word_count` words, each of which is hard for some metric."""
    rng = random.Random(word_count)
    every = [f"w{number}" for number in range(word_count)]
    turn = (["a", "b"] * word_count)[: word_count + 1]
    few = [rng.choices("abc", k=word_count) for _ in range(reference_count + 1)]
    return [
        segment(["a"] * word_count, [["a"] * max(word_count - k, 1) for k in range(reference_count)]),
        segment(["a"] * word_count, [["a"] * (word_count + 1)] * reference_count),
        segment(turn[:word_count], [turn[k % 2 : word_count + k % 2] for k in range(reference_count)]),
        segment(few[0], few[1:]),
        segment(fibonacci_words(word_count), [fibonacci_words(word_count, "b", "a")] * reference_count),
        segment(every, [rng.sample(every, word_count) for _ in range(reference_count)]),
        segment(every, [every] * reference_count),
    ]


SIZES = ((9, 1), (16, 4), (49, 1), (65, 4))
TEXTS = [text for words, references in SIZES for text in hard_segments(words, references)]


def import_lazy_modules(key: str) -> None:
    """Import the modules that metric `key` imports only at first use, so that their lines are not counted."""
    for ask in ASKS.values():
        with suppress(ValueError):  # a part that the metric lacks
            ask(metrics.METRICS[key], metrics.settings(key), segment(["a", "b"], [["b", "a"]]))()


@pytest.mark.slow
@pytest.mark.parametrize("key", metrics.METRICS)
@pytest.mark.parametrize("ask", ASKS)
def test_what_is_asked_is_counted(ask, key):
    import_lazy_modules(key)
    settings = variants(key)
    for number, text in enumerate(TEXTS):
        check_work(ask, key, settings[number % len(settings)] if number % 2 else {}, text)


@st.composite
def repetitive_segments(draw: Any) -> Segment:
    """Draw a segment with texts of few words that repeat: each text consists of pieces, repeated several times."""
    kinds = draw(st.integers(1, 4))
    word = st.integers(0, kinds - 1).map("abcd".__getitem__)
    pieces = draw(st.lists(st.lists(word, min_size=1, max_size=6), min_size=1, max_size=3))

    def sentence() -> list[str]:
        parts = draw(st.lists(st.tuples(st.sampled_from(pieces), st.integers(1, 24)), min_size=1, max_size=5))
        return [word for piece, times in parts for word in piece * times][: 400 if FREE else 60]

    return segment(sentence(), [sentence() for _ in range(draw(st.integers(1, 16 if FREE else 4)))])


@pytest.mark.slow
@pytest.mark.hypothesis
@pytest.mark.parametrize("key", metrics.METRICS)
def test_no_text_is_found_whose_work_is_not_counted(key):
    import_lazy_modules(key)
    settings = variants(key)

    @examples(20, suppress_health_check=[HealthCheck.too_slow])
    @given(st.sampled_from(sorted(ASKS)), st.sampled_from(settings), repetitive_segments())
    def check_one_text(ask: str, chosen: dict[str, Any], text: Segment) -> None:
        check_work(ask, key, chosen, text)

    check_one_text()
