"""Other sentences to choose from where none can be typed: a chapter's own, and some that one change makes."""

from __future__ import annotations

from collections.abc import Iterator

from ...draw.learn.chapter import Chapter, ChapterExample, Screen
from ...state import cache, inputs
from ...state.cache import Problem
from ...state.inputs import MissingText
from . import chapter_reader

MOST = 6  # sentences to choose from


def variants(chapter: Chapter, screen: Screen) -> list[ChapterExample]:
    """The candidate of a screen and others over its references; of a pair the first one, and the second among others.

    The chapter's own come first, then those that say something new: each has another score than those before it.
    """
    first = screen.pair[0] if screen.pair else screen.example
    assert first
    examples = {first.candidate: first}
    if screen.pair:
        examples[screen.pair[1].candidate] = screen.pair[1]
    for chapter_example in chapter.examples.values():
        if (
            chapter_example.references,
            chapter_example.metric,
            chapter_example.settings,
            chapter_example.texts.settings,
        ) == _frame(first):
            examples.setdefault(chapter_example.candidate, chapter_example)
    scores = {example.result.score for example in examples.values()}
    for candidate in _changed(first):
        variant = None if candidate in examples or len(examples) >= MOST else _scored(first, candidate)
        if variant and all(abs(variant.result.score - score) > 1e-9 for score in scores):
            examples[candidate] = variant
            scores.add(variant.result.score)
    visible_examples = [*examples.values()][:MOST]
    return [first, *sorted(visible_examples[1:], key=lambda example: example.candidate)]


def _frame(example: ChapterExample) -> tuple[object, ...]:
    return example.references, example.metric, example.settings, example.texts.settings


def _changed(first: ChapterExample) -> Iterator[str]:
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


def _scored(first: ChapterExample, candidate: str) -> ChapterExample | None:
    texts = inputs.read(candidate, first.references, first.texts.settings, chapter_reader.ROOM)
    if isinstance(texts, MissingText):
        return None
    result = cache.score(first.metric, texts.segment, first.settings)
    return (
        None if isinstance(result, Problem) else ChapterExample(first.name, candidate, first.references, texts, result)
    )
