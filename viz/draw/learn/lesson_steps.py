"""Play the steps of a metric's algorithm on an example of a chapter, each asked about before it is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import metrics
from metrics.teach.records import Question
from metrics.teach.steps import ProgramStep, Trace
from metrics.types import Hit, Result, Tokens

from ..pen.numbers import count_text
from ..steps import player
from ..steps.steps import AT_ONCE, DrawnSteps
from .chapter import ChapterExample

HIGH = 430  # height of a grid in pixels, so that it is visible with the words above it and the buttons below it
ELSEWHERE = "or open them on the Sentence page, whose view Steps goes through all."


def describe_too_many_steps(example: ChapterExample) -> str:
    """Return a sentence on how to shorten an example with more steps than a lesson can show; "" where all fit.

    The steps are counted without drawing or asking anything, which takes a tenth of the time."""
    references = example.result.segment.references
    if _fits(example.result, references):
        return ""
    fit = next((k for k in range(len(references) - 1, 0, -1) if _fits(example.result, references[:k])), 0)
    first = f"the first {count_text(fit, 'reference')}" if fit > 1 else "only the first reference"
    says = f"Keep {first}" if fit else "Shorten them"
    return f"These sentences take more than the {AT_ONCE:,} steps that fit a lesson. {says}, {ELSEWHERE}"


def player_data(example: ChapterExample, hits: Sequence[Hit], width: int, high: int = HIGH) -> dict[str, Any]:
    """Return the markup and the steps for the browser's player of an example, whose steps must all fit.

    The picture is `width` pixels wide and at most `high` pixels high, and `hits` are the matches of the grid."""
    result = example.result
    walk = DrawnSteps(
        example.texts, _trace(result, result.segment.references), hits, width, asked_steps(example), high=high
    )
    walk.make_steps(AT_ONCE)
    return {"html": player.markup(walk), "chunk": player.steps_data(walk)}


def asked_steps(example: ChapterExample) -> Iterator[tuple[ProgramStep, Question | None]]:
    """Yield the steps of the metric's algorithm on an example, each with the question before it or None."""
    return metrics.ask(example.metric, *example.result.segment, **_settings_of(example.result))


def _fits(result: Result, references: Sequence[Tokens]) -> bool:
    return sum(1 for _ in islice(_trace(result, references), AT_ONCE + 1)) <= AT_ONCE


def _trace(result: Result, references: Sequence[Tokens]) -> Trace:
    return metrics.trace(result.metric, result.segment.candidate, references, **_settings_of(result))


def _settings_of(result: Result) -> dict[str, Any]:
    return {name: getattr(result.settings, name) for name in type(result.settings).rules()}
