"""The steps of a metric's algorithm on an example of a chapter, each asked for before it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import metrics
from metrics.questions.ask import ASKERS
from metrics.questions.judge import to_dict
from metrics.types import Hit
from viz.draw import player
from viz.draw.chapter import Example
from viz.draw.steps import AT_ONCE, Walk

SCRIPT = player.SCRIPT


def played(example: Example, hits: Sequence[Hit], width: int) -> dict[str, Any] | None:
    """Markup and steps for `player.js`, in so many pixels; None where there are more steps than are sent at once."""
    result = example.result
    given = {name: getattr(result.settings, name) for name in type(result.settings).rules()}
    walk = Walk(example.texts, metrics.trace(result.metric, *result.segment, **given), hits, width)
    walk.make(AT_ONCE)
    if not walk.ended:
        return None
    asked = metrics.ask(result.metric, *result.segment, **given) if result.metric in ASKERS else ()
    questions = {n: to_dict(question) for n, (_, question) in enumerate(asked) if question}
    return {"html": player.markup(walk), "chunk": player.chunk(walk, 0, 0, questions)}
