"""Collect and draw how people rated an output."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from metrics.text.judgements import JudgementRecord

from ..pen.text import bdi_word, safe


class JudgeRating(NamedTuple):
    """The value that one judge gave an output on one scale."""

    scale: str
    judge: str
    value: float


def output_ratings(judged: JudgementRecord, system: int, segment: int) -> list[JudgeRating]:
    """Return all ratings of one output, on every scale and by every judge.

    `system` and `segment` are the indices of the output's system and segment."""
    return [
        JudgeRating(name, judged.judges[judge], float(value))
        for name, each in judged.ratings.items()
        for judge, value in enumerate(each[system, segment])
        if not math.isnan(value)
    ]


def draw(segment: int, outputs: Sequence[tuple[str, Sequence[JudgeRating]]]) -> str:
    """Return the ratings of the outputs of one segment as HTML.

    `segment` is the index of the segment, from 0. `outputs` has a pair for each system: its name, and the ratings of
    its output."""
    lines = []
    for system, given in outputs:
        rated = ", ".join(
            [f"{safe(each.scale, 60)} <b>{rating_text(each.value)}</b> by {bdi_word(each.judge, 40)}" for each in given]
        )
        of = bdi_word(system, 40) if len(outputs) > 1 else "People"
        lines.append(f"<p>{of}: {rated or 'nobody rated it'}</p>")
    inside = "".join(lines)
    return f'<section class="said chosen" data-segment="{segment}" aria-label="How people rated it">{inside}</section>'


def rating_text(value: float) -> str:
    """Return a rating as text with at most six digits and a true minus sign.

    >>> rating_text(-25.0), rating_text(1.75)
    ('−25', '1.75')
    """
    return f"{value:.6g}".replace("-", "−")
