"""Other sentences to choose from where none can be typed: a chapter's own, and some that one change makes."""

from __future__ import annotations

from collections.abc import Iterator

from ...draw.learn.chapter import Chapter, Example, Screen
from ...state import cache, inputs
from ...state.cache import Problem
from ...state.inputs import Missing
from . import chapter_reader

MOST = 6  # sentences to choose from


def variants(chapter: Chapter, screen: Screen) -> list[Example]:
    """The candidate of a screen and others over its references; of a pair the first one, and the second among others.

    The chapter's own come first, then those that say something new: each has another score than those before it.
    """
    first = screen.pair[0] if screen.pair else screen.example
    assert first
    found = {first.candidate: first}
    if screen.pair:
        found[screen.pair[1].candidate] = screen.pair[1]
    for own in chapter.examples.values():
        if (own.references, own.metric, own.settings, own.texts.settings) == _frame(first):
            found.setdefault(own.candidate, own)
    scores = {example.result.score for example in found.values()}
    for candidate in _changed(first):
        made = None if candidate in found or len(found) >= MOST else _scored(first, candidate)
        if made and all(abs(made.result.score - score) > 1e-9 for score in scores):
            found[candidate] = made
            scores.add(made.result.score)
    shown = [*found.values()][:MOST]
    return [first, *sorted(shown[1:], key=lambda example: example.candidate)]


def _frame(example: Example) -> tuple[object, ...]:
    return example.references, example.metric, example.settings, example.texts.settings


def _changed(first: Example) -> Iterator[str]:
    """The candidate with one change; each keeps its words as they are typed."""
    words = first.candidate.split()
    half = len(words) // 2
    yield inputs.lines(first.references)[0].strip()
    for after in (
        [*words[half:], *words[:half]],
        words[1:],
        [*words[: half - 1], *words[half : half + 1], *words[half - 1 : half], *words[half + 1 :]] if half else words,
        words[: max(1, half)],
        words[::-1],
        [*words, *words[:1]],
        [*words[:half], *words[half + 1 :]],
    ):
        if after:
            yield " ".join(after)


def _scored(first: Example, candidate: str) -> Example | None:
    texts = inputs.read(candidate, first.references, first.texts.settings, chapter_reader.ROOM)
    if isinstance(texts, Missing):
        return None
    result = cache.score(first.metric, texts.segment, first.settings)
    return None if isinstance(result, Problem) else Example(first.name, candidate, first.references, texts, result)
