"""Choose the sentences that a saved chapter offers, because none can be scored there that the reader types.

They are sentences of the chapter, and some made from them by one change."""

from __future__ import annotations

from collections.abc import Iterator

from ...draw.learn.chapter import Chapter, ChapterExample, Screen
from ...state.results import cache
from ...state.results.cache import Problem
from ...state.texts import inputs
from ...state.texts.inputs import MissingText
from . import chapter_reader

MOST = 6  # the most sentences to choose from


def choose_variants(chapter: Chapter, screen: Screen) -> list[ChapterExample]:
    """Return the candidate of a screen, and up to MOST - 1 other candidates over its references.

    A screen with a pair gives its first candidate, and the second is among the others. The chapter's own examples
    are collected first, then changed candidates, each only if its score differs from all so far. After the first,
    they are sorted by their text."""
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
        ) == _common_part(first):
            examples.setdefault(chapter_example.candidate, chapter_example)
    scores = {example.result.score for example in examples.values()}
    for candidate in _changed_candidates(first):
        variant = None if candidate in examples or len(examples) >= MOST else _scored(first, candidate)
        if variant and all(abs(variant.result.score - score) > 1e-9 for score in scores):
            examples[candidate] = variant
            scores.add(variant.result.score)
    visible_examples = [*examples.values()][:MOST]
    return [first, *sorted(visible_examples[1:], key=lambda example: example.candidate)]


def _common_part(example: ChapterExample) -> tuple[object, ...]:
    """Return what two examples must share to be compared: references, metric, settings and text processing."""
    return example.references, example.metric, example.settings, example.texts.settings


def _changed_candidates(first: ChapterExample) -> Iterator[str]:
    """Yield the first reference, then the candidate of `first` with one change at a time, as text."""
    words = first.candidate.split()
    half = len(words) // 2
    yield inputs.reference_lines(first.references)[0].strip()
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
    """Return the candidate scored over the references of `first`; None if it cannot be scored."""
    texts = inputs.read_texts(candidate, first.references, first.texts.settings, chapter_reader.ROOM)
    if isinstance(texts, MissingText):
        return None
    result = cache.score(first.metric, texts.segment, first.settings)
    return (
        None if isinstance(result, Problem) else ChapterExample(first.name, candidate, first.references, texts, result)
    )
