"""Offer, with one click, a setting without which scores are 0, or offer to turn such a setting off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import metrics
from metrics.types import Result, SettingRule

from ...draw.evidence.drawn_result import SettingOffer
from ...draw.pen.numbers import score_text
from . import cache


def find_offer(results: Sequence[Result]) -> SettingOffer | None:
    """Return the setting to offer for results of one metric with the same settings; None if there is nothing to offer.

    If all scores are 0, it is a setting with which none is 0. If none is 0, it is the one to turn off without which
    all would be 0."""
    say = metrics.METRICS[results[0].metric].zero
    if not say:
        return None
    if all(not result.score for result in results):
        return _offer_to_turn_on(results) if any(say(result) for result in results) else None
    return _offer_to_turn_off(results) if all(result.score for result in results) else None


def _offer_to_turn_on(results: Sequence[Result]) -> SettingOffer | None:
    """Return the offer of a setting with which none of the scores is 0; None if there is none.

    Of several settings, one with which single segments of a corpus are scored is
    offered, else the first."""
    usual = metrics.METRICS[results[0].metric].settings_of_segment(results[0].settings)
    ranked_offers = []
    for name, rule in type(results[0].settings).rules().items():
        values: Sequence[object] = rule.options if rule.kind == "choice" else (True,) if rule.kind == "flag" else ()
        for value in values:
            scores = _scores(results, name, value)
            if scores and all(scores):
                offer = SettingOffer(name, value, f"Use {_describe_setting(rule, value)}: {_scores_text(scores)}")
                ranked_offers.append((getattr(usual, name) == value, offer))
    return max(ranked_offers, key=lambda each: each[0], default=(False, None))[1]


def _offer_to_turn_off(results: Sequence[Result]) -> SettingOffer | None:
    """Return the offer to turn off a setting without which all scores would be 0; None if there is none."""
    settings, defaults = results[0].settings, metrics.settings(results[0].metric)
    for name, rule in type(settings).rules().items():
        value, plain = getattr(settings, name), getattr(defaults, name)
        if rule.kind not in ("choice", "flag") or value == plain:
            continue
        scores = _scores(results, name, plain)
        if scores and not any(scores):
            return SettingOffer(name, plain, f"Turn off {_describe_setting(rule, value)}: {_scores_text(scores)}")
    return None


def _scores(results: Sequence[Result], name: str, value: object) -> list[float]:
    """Return the scores of all results with the setting `name` at `value`; empty if one cannot be computed."""
    given: dict[str, Any] = {name: value}
    settings = replace(results[0].settings, **given)
    glances = [cache.glance(result.metric, result.segment, settings) for result in results]
    scores = [each.score for each in glances if not isinstance(each, cache.Problem)]
    return scores if len(scores) == len(results) else []


def _describe_setting(rule: SettingRule, value: object) -> str:
    """Return the label of a setting in lower case, followed by its value unless it is switched on."""
    return rule.label.lower() + ("" if value is True else f" “{value}”")


def _scores_text(scores: Sequence[float]) -> str:
    """Return the scores as text, joined by “and”."""
    return " and ".join([score_text(score) for score in scores])
