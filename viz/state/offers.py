"""A setting that is offered as one click where scores are 0 for want of it, and where they are not because of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import metrics
from metrics.types import Result, Rule

from ..draw.evidence.drawn import Offer
from ..draw.pen import theme
from . import cache


def offer(results: Sequence[Result]) -> Offer | None:
    """What is offered beside results of one metric with the same settings; None where nothing is."""
    say = metrics.METRICS[results[0].metric].zero
    if not say:
        return None
    if all(not result.score for result in results):
        return _lifting(results, " ".join([say(result) for result in results]).strip())
    return _lowering(results) if all(result.score for result in results) else None


def _lifting(results: Sequence[Result], reason: str) -> Offer | None:
    """Of the settings with which none of the scores is 0 the one that the reason names, or else the first."""
    found = []
    for name, rule in type(results[0].settings).rules().items() if reason else ():
        values: Sequence[object] = rule.options if rule.kind == "choice" else (True,) if rule.kind == "flag" else ()
        for value in values:
            scores = _scores(results, name, value)
            if scores and all(scores):
                named = (rule.label.lower() if value is True else f"“{value}”") in reason
                found.append((named, Offer(name, value, f"Use {_named(rule, value)}: {_written(scores)}")))
    return max(found, key=lambda each: each[0], default=(False, None))[1]


def _lowering(results: Sequence[Result]) -> Offer | None:
    """The setting without which all of the scores would be 0 for a reason that it lifts."""
    settings, defaults = results[0].settings, metrics.settings(results[0].metric)
    for name, rule in type(settings).rules().items():
        value, plain = getattr(settings, name), getattr(defaults, name)
        if rule.kind not in ("choice", "flag") or value == plain:
            continue
        scores = _scores(results, name, plain)
        if scores and not any(scores):
            return Offer(name, plain, f"Turn off {_named(rule, value)}: {_written(scores)}")
    return None


def _scores(results: Sequence[Result], name: str, value: object) -> list[float]:
    """All scores with another value of a setting; none where one of them cannot be found."""
    given: dict[str, Any] = {name: value}
    settings = replace(results[0].settings, **given)
    found = [cache.glance(result.metric, result.segment, settings) for result in results]
    scores = [each.score for each in found if not isinstance(each, cache.Problem)]
    return scores if len(scores) == len(results) else []


def _named(rule: Rule, value: object) -> str:
    return rule.label.lower() + ("" if value is True else f" “{value}”")


def _written(scores: Sequence[float]) -> str:
    return " and ".join([theme.score_text(score) for score in scores])
