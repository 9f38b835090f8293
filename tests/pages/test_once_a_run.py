"""Tests that each run reads the page's state once: no settings are built again, no view asks the session again."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import metrics
from tests.helpers.pages import AppPage
from viz.state.visit import controls

SENTENCE = {"page": "sentence", "candidate": "a cat sat", "references": "the cat sat", "gtm.exponent": "1.5"}
COMPARE = {"page": "compare", "system.1": "a cat", "system.2": "the cat", "references": "the cat sat"}
TYPED = [(SENTENCE | {"view": view}, "candidate") for view in ("metric", "steps", "all", "two", "errors")]
TYPED += [(COMPARE | {"compare": view}, "system_0") for view in ("difference", "words", "all")]


@pytest.mark.parametrize(("query", "key"), TYPED, ids=[[*query.values()][-1] for query, _ in TYPED])
def test_a_typed_text_reads_each_setting_once(query: dict[str, str], key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = AppPage(**query)
    asked: Counter[str] = Counter()
    own = controls.changed_settings

    def count_change(owner: str, cls: Any, state: Any) -> dict[str, Any]:
        asked[owner] += 1
        return own(owner, cls, state)

    monkeypatch.setattr(controls, "changed_settings", count_change)
    assert page.enter(key, "one cat sat down").address
    assert asked == Counter(["text", *metrics.METRICS])


def test_settings_that_are_at_their_defaults_are_made_once() -> None:
    from viz.pages.sentence.record import SentenceState

    first, second = SentenceState(), SentenceState(settings={"sia": {"decay": 0.25}})
    assert first.settings_of("gtm") is second.settings_of("gtm") and first.settings_of("gtm") == metrics.settings("gtm")
    assert second.settings_of("sia") is second.settings_of("sia") == metrics.settings("sia", decay=0.25)
