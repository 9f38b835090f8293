"""Define every call that the app makes to a metric within a work limit, so that a test can try each on hard texts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import metrics
from metrics import text
from metrics.alignment import bitext
from metrics.analysis import changes, curves, error_classes, sentence, worth
from metrics.analysis.difference import match_difference
from metrics.teach import judge
from metrics.text import TextSettings
from metrics.types import Metric, Result, Segment, Settings
from viz.draw.evidence import ledger
from viz.draw.pen import grid, marks
from viz.draw.steps import player
from viz.draw.steps.steps import DrawnSteps, example_table
from viz.draw.texts import ProcessedTexts

#: A function that prepares a call for a metric, settings and a segment, and returns it; only the call is counted.
PrepareCall = Callable[[Metric, Settings, Segment], Callable[[], Any]]

#: The most words of each text whose steps are shown as a table, and the number of effects that are computed.
TABLE, EFFECTS = 60, 20


def prepare_with_result(find: Callable[[Metric, Result], Any]) -> PrepareCall:
    """Return a function that scores a segment and returns the call of `find` with the metric and the result."""

    def prepare(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
        result = metric.score(given, settings)
        return lambda: find(metric, result)

    return prepare


def prepare_call_on_two_results(find: Callable[[Metric, Result, Result], Any]) -> PrepareCall:
    """Return a function that scores two candidates and returns the call of `find` with the metric and both results.

    The second candidate has the words of the first in another order, a few words of a reference and a new word."""

    def prepare(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
        words, third = given.candidate, len(given.candidate) // 3
        other = (*words[third:], *given.references[0][:third], "new")
        a, b = (metric.score(given._replace(candidate=candidate), settings) for candidate in (words, other))
        return lambda: find(metric, a, b)

    return prepare


def prepare_reasons(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """Return a call that finds, for each match that the metric does not use, the reason why.

    The texts are cut so short that a page draws their whole grid."""
    words = given.candidate[: grid.DIRECT]
    short = Segment(words, tuple([reference[: grid.DIRECT] for reference in given.references]))
    result = metric.score(short, settings)
    unused = sorted({*bitext.hits(*short)} - result.cells())

    def call() -> None:
        against = metric.why_not(result) if metric.why_not else lambda _: None
        for hit in unused:
            against(hit)

    return call


def setting_by_name(settings: Settings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in type(settings).rules()}


def prepare_steps(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """Return a call that runs through all steps of the metric's program on the segment."""
    return lambda: sum(1 for _ in metrics.trace(metric.key, *given, **setting_by_name(settings)))


def prepare_questions(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """Return a call that makes the exercise questions on all steps, with the data by which the page judges answers."""

    def call() -> None:
        for _, question in metrics.ask(metric.key, *given, every=1, **setting_by_name(settings)):
            if question:
                judge.question_to_dict(question)

    return call


def prepare_step_drawing(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """Return a call that draws the player of a program's steps with as many steps as the page sends at once."""
    most = TABLE if example_table(metric.key, settings) else grid.DIRECT
    candidate, references = given.candidate[:most], tuple([reference[:most] for reference in given.references])
    chosen = TextSettings()
    tokens = [text.process(" ".join(words), chosen) for words in (candidate, *references)]
    texts = ProcessedTexts(Segment(candidate, references), tokens[0], tuple(tokens[1:]), chosen)

    def call() -> None:
        trace = metrics.trace(metric.key, candidate, references, **setting_by_name(settings))
        walk = DrawnSteps(texts, trace, bitext.hits(candidate, references), 1_000)
        player.steps_data(walk)

    return call


def prepare_effects(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """Return a call that computes the effects of the first `EFFECTS` changes of one word."""
    return lambda: [*islice(worth.word_change_effects(metric, given, settings), EFFECTS)]


def prepare_curves(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """Return a call that computes, for each numeric setting, the score as a curve over the setting."""
    return lambda: [
        curves.parameter_curve(metric, [given], settings, name, 5) for name in curves.numeric_settings(metric)
    ]


ASKS: dict[str, PrepareCall] = {
    "score": lambda metric, settings, given: lambda: metric.score(given, settings),
    "statistics": lambda metric, settings, given: lambda: metric.statistics(given, settings),
    "remark": prepare_with_result(lambda metric, result: metric.remark and metric.remark(result)),
    "ties": prepare_with_result(lambda metric, result: metric.ties and metric.ties(result, 50)),
    "formula": prepare_with_result(lambda metric, result: metric.formula(result)),
    "terms": prepare_with_result(lambda metric, result: ledger.term_rows(*result.segment, result, most=500)),
    "cells": prepare_with_result(lambda metric, result: marks.cell_uses(result, None)),
    "reasons": prepare_reasons,
    "slips": prepare_with_result(lambda metric, result: metric.slips and metric.slips()(metric, result)),
    "difference": prepare_call_on_two_results(lambda metric, a, b: match_difference(a, b)),
    "ledger": prepare_call_on_two_results(changes.ledger),
    "sentence": prepare_call_on_two_results(sentence.difference_sentence),
    "steps": prepare_steps,
    "questions": prepare_questions,
    "drawn": prepare_step_drawing,
    "effects": prepare_effects,
    "curve": prepare_curves,
    "error classes": lambda metric, settings, given: lambda: error_classes.classify_segment(given),
}
