"""Tests that everything the app asks of a metric counts its work: executed lines stay in proportion to counted steps.

The texts are of few, repeated words or long, with settings at their ends. They are the same every time; `make
search` tries others."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from asks import ASKS
from cases import variants
from hard_texts import fibonacci_words
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from searching import FREE, examples

import metrics
import viz
from metrics.types import Segment, TooHard, segment, work

FOLDERS = tuple([str(Path(package.__file__ or "").parent) for package in (metrics, viz)])


class LineLimits(NamedTuple):
    """The limits on executed lines: per counted step, per word that is only read, and per call."""

    step: int
    word: int
    beside: int


#: Loops of scores have short lines; those of steps and questions also make marks and sentences.
SCORES, STEPS_OF_PROGRAMS = LineLimits(40, 150, 15_000), LineLimits(10, 40, 4_000)
OF_PROGRAMS = ("steps", "questions", "drawn")
#: The numbers of steps after which a call is stopped. A player is whole before any part of it is sent.
STEPS, STEPS_DRAWN = 5_000, 30_000


class TooManyLinesError(Exception):
    """A call has executed more lines than its steps allow."""


def count_lines(call: Callable[[], object], bound: LineLimits, words: int) -> int:
    """Return how many lines of the app a call executes within the present limit of work.

    The call is stopped once the lines are far too many."""
    count = 0

    def trace(frame: Any, event: str, _: Any) -> Any:
        nonlocal count
        if event == "line":
            count += 1
            if not count % 1_000 and count > 2 * allowed_lines(bound, words):
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


def allowed_lines(bound: LineLimits, words: int) -> int:
    """Return how many lines the steps counted so far allow."""
    return bound.step * work.spent() + bound.word * words + bound.beside


def check_work(ask: str, key: str, chosen: dict[str, Any], text: Segment) -> None:
    """Check that a question to a metric executes no more lines than its steps allow."""
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


def hard_segments(words: int, references: int) -> list[Segment]:
    """Return texts of about `words` words that are hard for some metric."""
    rng = random.Random(words)
    every = [f"w{number}" for number in range(words)]
    turn = (["a", "b"] * words)[: words + 1]
    few = [rng.choices("abc", k=words) for _ in range(references + 1)]
    return [
        segment(["a"] * words, [["a"] * max(words - k, 1) for k in range(references)]),
        segment(["a"] * words, [["a"] * (words + 1)] * references),
        segment(turn[:words], [turn[k % 2 : words + k % 2] for k in range(references)]),
        segment(few[0], few[1:]),
        segment(fibonacci_words(words), [fibonacci_words(words, "b", "a")] * references),
        segment(every, [rng.sample(every, words) for _ in range(references)]),
        segment(every, [every] * references),
    ]


SIZES = ((9, 1), (16, 4), (49, 1), (65, 4))
TEXTS = [text for words, references in SIZES for text in hard_segments(words, references)]


def import_lazily(key: str) -> None:
    """Import everything that is only imported at its first use."""
    for ask in ASKS.values():
        with suppress(ValueError):  # a part that the metric lacks
            ask(metrics.METRICS[key], metrics.settings(key), segment(["a", "b"], [["b", "a"]]))()


@pytest.mark.slow
@pytest.mark.parametrize("key", metrics.METRICS)
@pytest.mark.parametrize("ask", ASKS)
def test_what_is_asked_is_counted(ask, key):
    import_lazily(key)
    settings = variants(key)
    for number, text in enumerate(TEXTS):
        check_work(ask, key, settings[number % len(settings)] if number % 2 else {}, text)


@st.composite
def texts(draw: Any) -> Segment:
    """Draw sentences of few, repeated words: pieces, each repeated several times."""
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
    import_lazily(key)
    settings = variants(key)

    @examples(20, suppress_health_check=[HealthCheck.too_slow])
    @given(st.sampled_from(sorted(ASKS)), st.sampled_from(settings), texts())
    def search(ask: str, chosen: dict[str, Any], text: Segment) -> None:
        check_work(ask, key, chosen, text)

    search()
