"""The steps of a metric's algorithm on an example of a chapter, each asked for before it is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import metrics
from metrics.teach.records import Question
from metrics.teach.steps import ProgramStep, Trace
from metrics.types import Hit, Result, Tokens

from ..pen import theme
from ..steps import player
from ..steps.steps import AT_ONCE, Walk
from .chapter import ChapterExample

HIGH = 430  # pixels that a grid may be high, so that it is seen with the words above it and the buttons below
ELSEWHERE = "or open them on the Sentence page, whose view Steps goes through all."


def too_many(example: ChapterExample) -> str:
    """The sentence that says what would fit where an example has more steps than are sent at once, "" where it has not.

    The steps are counted without anything being drawn or asked, which takes a tenth of the time.
    """
    references = example.result.segment.references
    if _few(example.result, references):
        return ""
    fit = next((k for k in range(len(references) - 1, 0, -1) if _few(example.result, references[:k])), 0)
    first = f"the first {theme.count_text(fit, 'reference')}" if fit > 1 else "the first reference alone"
    says = f"Keep {first}" if fit else "Shorten them"
    return f"These sentences take more than the {AT_ONCE:,} steps that fit a lesson. {says}, {ELSEWHERE}"


def played(example: ChapterExample, hits: Sequence[Hit], width: int, high: int = HIGH) -> dict[str, Any]:
    """Markup and steps for a player, in so many pixels across and down, of an example that has not too many."""
    result = example.result
    walk = Walk(example.texts, _trace(result, result.segment.references), hits, width, asked_steps(example), high=high)
    walk.make(AT_ONCE)
    return {"html": player.markup(walk), "chunk": player.chunk(walk)}


def asked_steps(example: ChapterExample) -> Iterator[tuple[ProgramStep, Question | None]]:
    """The steps of an example, each with what is asked before it is shown."""
    return metrics.ask(example.metric, *example.result.segment, **_settings_of(example.result))


def _few(result: Result, references: Sequence[Tokens]) -> bool:
    return sum(1 for _ in islice(_trace(result, references), AT_ONCE + 1)) <= AT_ONCE


def _trace(result: Result, references: Sequence[Tokens]) -> Trace:
    return metrics.trace(result.metric, result.segment.candidate, references, **_settings_of(result))


def _settings_of(result: Result) -> dict[str, Any]:
    return {name: getattr(result.settings, name) for name in type(result.settings).rules()}
