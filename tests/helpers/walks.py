"""Draw the steps of a metric's program, as walks that tests read."""

from __future__ import annotations

from typing import Any

import metrics
from metrics.types import segment
from tests.helpers.corpora import load_token_lines
from tests.helpers.fragments import texts_of
from tests.helpers.segments import all_hits
from viz.draw.steps.steps import DrawnSteps


def walk_of(key, candidate, references, count=10_000, width=840, **given):
    words = segment(candidate, references)
    trace = metrics.trace(key, *words, **given)
    result = metrics.METRICS[key].score(words, metrics.settings(key, **given))
    walk = DrawnSteps(texts_of(result), trace, all_hits(result), width)
    walk.make_steps(count)
    return walk


REAL = (load_token_lines("system.MiSS")[1][:9], [load_token_lines("reference.A")[1][:9]])


SEGMENTS = [
    ("the cat sat on the mat the end".split(), ["on the mat the cat sat".split(), "the cat was on a mat".split()]),
    REAL,
    ([], [["a", "b"]]),
    (["a"], [[], ["a"]]),
]


def shown_at(walk):
    """Yield the set of shapes that are visible at each step.

    Each frame changes the set by the shapes that it hides and shows."""
    now = set()
    for frame in walk.frames:
        assert now >= set(frame.hidden) and not now & set(frame.shown_numbers)
        now = now - set(frame.hidden) | set(frame.shown_numbers)
        yield {walk.pool[number] for number in now}


def walk_of_texts(key: str, candidate: str, *references: str, **given: Any) -> DrawnSteps:
    words = segment(candidate.split(), [reference.split() for reference in references])
    result = metrics.METRICS[key].score(words, metrics.settings(key, **given))
    return DrawnSteps(texts_of(result), metrics.trace(key, *words, **given), all_hits(result))


POLICE = ("police kill the gunman", "police killed the gunman", "the gunman police <b>$x$")
