"""Whatever the app asks of a metric, the work is counted where it is done: lines of Python stay in proportion to steps.

Texts of few words that repeat themselves, and long ones, with settings at their ends. The same texts are tried every
time; `make search` looks for others.
"""

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
from hard_texts import fibonacci
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from searching import FREE, examples

import metrics
import viz
from metrics.types import Segment, TooHard, segment, work

FOLDERS = tuple([str(Path(package.__file__ or "").parent) for package in (metrics, viz)])


class Bound(NamedTuple):
    """Lines that a step may take, that a word may take which is only read, and that any call may take."""

    step: int
    word: int
    beside: int


#: The loops of scores are of short lines, those of steps and questions make marks and sentences.
SCORES, STEPS_OF_PROGRAMS = Bound(40, 150, 15_000), Bound(10, 40, 4_000)
OF_PROGRAMS = ("steps", "questions", "drawn")
#: Steps after which a call is stopped; a player is there before anything of it is sent.
STEPS, STEPS_DRAWN = 5_000, 30_000


class TooManyLinesError(Exception):
    """A call has taken more lines than its steps allow."""


def lines_of(call: Callable[[], object], bound: Bound, words: int) -> int:
    """How many lines of the app a call executes, within the limit of work that is set. It is stopped where they are far
    too many."""
    count = 0

    def trace(frame: Any, event: str, _: Any) -> Any:
        nonlocal count
        if event == "line":
            count += 1
            if not count % 1_000 and count > 2 * allowed(bound, words):
                raise TooManyLinesError
        return trace if event != "call" or frame.f_code.co_filename.startswith(FOLDERS) else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except (TooHard, TooManyLinesError):
        pass
    except ValueError as error:  # what a metric lacks, or a picture that would be too large
        assert str(error)
    finally:
        sys.settrace(before)
    return count


def allowed(bound: Bound, words: int) -> int:
    """How many lines the steps that were counted so far allow."""
    return bound.step * work.spent() + bound.word * words + bound.beside


def check(ask: str, key: str, chosen: dict[str, Any], text: Segment) -> None:
    """What is asked takes no more lines than its steps allow."""
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
        lines = lines_of(call, bound, words)
        most = allowed(bound, words)
    assert lines <= most, f"{lines:,} lines, {most:,} allowed: {ask} of {key} {chosen} on {text}"


def hard(words: int, references: int) -> list[Segment]:
    """Texts of so many words that are hard for some metric."""
    rng = random.Random(words)
    every = [f"w{number}" for number in range(words)]
    turn = (["a", "b"] * words)[: words + 1]
    few = [rng.choices("abc", k=words) for _ in range(references + 1)]
    return [
        segment(["a"] * words, [["a"] * max(words - k, 1) for k in range(references)]),
        segment(["a"] * words, [["a"] * (words + 1)] * references),
        segment(turn[:words], [turn[k % 2 : words + k % 2] for k in range(references)]),
        segment(few[0], few[1:]),
        segment(fibonacci(words), [fibonacci(words, "b", "a")] * references),
        segment(every, [rng.sample(every, words) for _ in range(references)]),
        segment(every, [every] * references),
    ]


SIZES = ((9, 1), (16, 4), (49, 1), (65, 4))
TEXTS = [text for words, references in SIZES for text in hard(words, references)]


def warm(key: str) -> None:
    """Import what is imported when it is first used."""
    for ask in ASKS.values():
        with suppress(ValueError):  # what a metric lacks
            ask(metrics.METRICS[key], metrics.settings(key), segment(["a", "b"], [["b", "a"]]))()


@pytest.mark.slow
@pytest.mark.parametrize("key", metrics.METRICS)
@pytest.mark.parametrize("ask", ASKS)
def test_what_is_asked_is_counted(ask, key):
    warm(key)
    settings = variants(key)
    for number, text in enumerate(TEXTS):
        check(ask, key, settings[number % len(settings)] if number % 2 else {}, text)


@st.composite
def texts(draw: Any) -> Segment:
    """Sentences of few words that repeat themselves: pieces, several times each, of pieces."""
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
    warm(key)
    settings = variants(key)

    @examples(20, suppress_health_check=[HealthCheck.too_slow])
    @given(st.sampled_from(sorted(ASKS)), st.sampled_from(settings), texts())
    def search(ask: str, chosen: dict[str, Any], text: Segment) -> None:
        check(ask, key, chosen, text)

    search()
