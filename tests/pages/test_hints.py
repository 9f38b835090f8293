"""Tests that the hint “these lines are one reference” appears only where outputs of all lengths suggest it."""

from __future__ import annotations

from typing import Any

import pytest

from viz.frame import hints

FIRST = "And you can be bent so much that you're caught in orbit around the Sun, as the Earth is."
SECOND = "When it is so much bent, it will orbit the sun just like the Earth moves around the sun."


@pytest.mark.parametrize(
    ("outputs", "said"),
    [((90, 170), []), ((170, 180), ["lines"]), ((170, 0), ["lines"]), ((90, 0), [])],
    ids=["one long", "both long", "one long, one to come", "one short, one to come"],
)
def test_one_long_output_makes_no_lines_one_reference(outputs, said, monkeypatch):
    shown: list[Any] = []
    monkeypatch.setattr(hints, "show", lambda key, *_, **__: shown.append(key))
    monkeypatch.setattr(hints.rewriting, "last_rewriting", lambda: None)
    hints.show_reference_hints(f"{FIRST}\n{SECOND}", ["x" * length for length in outputs])
    assert shown == said
