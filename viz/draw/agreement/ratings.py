"""How people rated an output."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from metrics.text.judgements import JudgementRecord

from ..pen import theme


class JudgeRating(NamedTuple):
    """What a judge gave on a scale."""

    scale: str
    judge: str
    value: float


def ratings(judged: JudgementRecord, system: int, segment: int) -> list[JudgeRating]:
    """All ratings of an output."""
    return [
        JudgeRating(name, judged.judges[judge], float(value))
        for name, each in judged.ratings.items()
        for judge, value in enumerate(each[system, segment])
        if not math.isnan(value)
    ]


def draw(segment: int, outputs: Sequence[tuple[str, Sequence[JudgeRating]]]) -> str:
    """How judges rated outputs of a segment, from 0, by the names of their systems."""
    lines = []
    for system, given in outputs:
        rated = ", ".join(
            [
                f"{theme.safe(each.scale, 60)} <b>{rating_text(each.value)}</b> by {theme.word(each.judge, 40)}"
                for each in given
            ]
        )
        of = theme.word(system, 40) if len(outputs) > 1 else "People"
        lines.append(f"<p>{of}: {rated or 'nobody rated it'}</p>")
    inside = "".join(lines)
    return f'<section class="said chosen" data-segment="{segment}" aria-label="How people rated it">{inside}</section>'


def rating_text(value: float) -> str:
    """A rating as it was given, with a true minus.

    >>> rating_text(-25.0), rating_text(1.75)
    ('−25', '1.75')
    """
    return f"{value:.6g}".replace("-", "−")
