"""The steps of a metric's algorithm on an example of a chapter, each asked for before it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import metrics
from metrics.types import Hit
from viz.draw import player
from viz.draw.chapter import Example
from viz.draw.steps import AT_ONCE, Walk

SCRIPT = player.SCRIPT
HIGH = 430  # pixels that a grid may be high, so that it is seen with the words above it and the buttons below


def played(example: Example, hits: Sequence[Hit], width: int) -> dict[str, Any] | None:
    """Markup and steps for `player.js`, in so many pixels; None where there are more steps than are sent at once."""
    result = example.result
    given = {name: getattr(result.settings, name) for name in type(result.settings).rules()}
    trace = metrics.trace(result.metric, *result.segment, **given)
    asked = metrics.ask(result.metric, *result.segment, **given)
    walk = Walk(example.texts, trace, hits, width, asked, high=HIGH)
    walk.make(AT_ONCE)
    return {"html": player.markup(walk), "chunk": player.chunk(walk)} if walk.ended else None
