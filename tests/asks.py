"""Define every call that the app makes to a metric within a work limit, to try each on hard texts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import metrics
from metrics import text
from metrics.alignment import bitext
from metrics.analysis import changes, curves, error_classes, sentence, worth
from metrics.analysis.difference import difference
from metrics.teach import judge
from metrics.text import TextSettings
from metrics.types import Metric, Result, Segment, Settings
from viz.draw.evidence import ledger
from viz.draw.pen import grid, marks
from viz.draw.steps import player
from viz.draw.steps.steps import Walk, example_table
from viz.draw.texts import ProcessedTexts

#: A function that prepares a call for a metric, settings and a segment, and returns it; only the call is counted.
PrepareCall = Callable[[Metric, Settings, Segment], Callable[[], Any]]

#: The most words of each text whose steps are shown as a table, and the number of effects that are computed.
TABLE, EFFECTS = 60, 20


def with_result(find: Callable[[Metric, Result], Any]) -> PrepareCall:
    """Return the preparation of a call of `find` with the metric and its result."""

    def prepare(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
        result = metric.score(given, settings)
        return lambda: find(metric, result)

    return prepare


def with_two_results(find: Callable[[Metric, Result, Result], Any]) -> PrepareCall:
    """Return the preparation of a call of `find` with the metric and the results of two candidates.

    The second candidate has the words of the first in another order, a few words of a reference and a new word."""

    def prepare(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
        words, third = given.candidate, len(given.candidate) // 3
        other = (*words[third:], *given.references[0][:third], "new")
        a, b = (metric.score(given._replace(candidate=candidate), settings) for candidate in (words, other))
        return lambda: find(metric, a, b)

    return prepare


def find_reasons(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """Return a call that finds the reason for each unused match, in texts short enough to draw their grid whole."""
    words = given.candidate[: grid.DIRECT]
    short = Segment(words, tuple([reference[: grid.DIRECT] for reference in given.references]))
    result = metric.score(short, settings)
    unused = sorted({*bitext.hits(*short)} - result.cells())

    def call() -> None:
        against = metric.why_not(result) if metric.why_not else lambda _: None
        for hit in unused:
            against(hit)

    return call


def settings_dict(settings: Settings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in type(settings).rules()}


def steps(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """Return a call that runs through all steps of the paper's program."""
    return lambda: sum(1 for _ in metrics.trace(metric.key, *given, **settings_dict(settings)))


def questions(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """Return a call that makes the questions on all steps, with the data that judges the answers."""

    def call() -> None:
        for _, question in metrics.ask(metric.key, *given, every=1, **settings_dict(settings)):
            if question:
                judge.to_dict(question)

    return call


def draw_steps(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """Return a call that draws the player with its first chunk of steps, as large as a page sends at once."""
    most = TABLE if example_table(metric.key, settings) else grid.DIRECT
    candidate, references = given.candidate[:most], tuple([reference[:most] for reference in given.references])
    chosen = TextSettings()
    tokens = [text.process(" ".join(words), chosen) for words in (candidate, *references)]
    texts = ProcessedTexts(Segment(candidate, references), tokens[0], tuple(tokens[1:]), chosen)

    def call() -> None:
        trace = metrics.trace(metric.key, candidate, references, **settings_dict(settings))
        walk = Walk(texts, trace, bitext.hits(candidate, references), 1_000)
        player.chunk(walk)

    return call


def effects(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """Return a call that computes the first `EFFECTS` effects of changing a word."""
    return lambda: [*islice(worth.effects(metric, given, settings), EFFECTS)]


def curve(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """Return a call that computes the score's curve over each numeric setting."""
    return lambda: [curves.curve(metric, [given], settings, name, 5) for name in curves.parameters(metric)]


ASKS: dict[str, PrepareCall] = {
    "score": lambda metric, settings, given: lambda: metric.score(given, settings),
    "statistics": lambda metric, settings, given: lambda: metric.statistics(given, settings),
    "remark": with_result(lambda metric, result: metric.remark and metric.remark(result)),
    "ties": with_result(lambda metric, result: metric.ties and metric.ties(result, 50)),
    "formula": with_result(lambda metric, result: metric.formula(result)),
    "terms": with_result(lambda metric, result: ledger.rows(*result.segment, result, most=500)),
    "cells": with_result(lambda metric, result: marks.cell_uses(result, None)),
    "reasons": find_reasons,
    "slips": with_result(lambda metric, result: metric.slips and metric.slips()(metric, result)),
    "difference": with_two_results(lambda metric, a, b: difference(a, b)),
    "ledger": with_two_results(changes.ledger),
    "sentence": with_two_results(sentence.sentence),
    "steps": steps,
    "questions": questions,
    "drawn": draw_steps,
    "effects": effects,
    "curve": curve,
    "error classes": lambda metric, settings, given: lambda: error_classes.classes_in(given),
}
