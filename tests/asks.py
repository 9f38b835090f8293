"""All that the app asks of a metric within a limit of work, to be tried on texts that are hard for it."""

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
from viz.draw.steps.steps import Walk, table_of
from viz.draw.texts import ProcessedTexts

#: Makes ready what is asked of a metric with these settings on a segment, and gives the call that is to be counted.
Ask = Callable[[Metric, Settings, Segment], Callable[[], Any]]

#: Words a side of texts that are stepped through: of the largest table, and of the largest grid that is drawn whole.
TABLE, EFFECTS = 60, 20


def of_result(find: Callable[[Metric, Result], Any]) -> Ask:
    """What is asked of a result."""

    def ask(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
        result = metric.score(given, settings)
        return lambda: find(metric, result)

    return ask


def of_two(find: Callable[[Metric, Result, Result], Any]) -> Ask:
    """What is asked of two results, that of the candidate and that of one with its words in another order."""

    def ask(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
        words, third = given.candidate, len(given.candidate) // 3
        other = (*words[third:], *given.references[0][:third], "new")
        a, b = (metric.score(given._replace(candidate=candidate), settings) for candidate in (words, other))
        return lambda: find(metric, a, b)

    return ask


def reasons(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """What stands against each match that is not used, of texts whose grid is drawn whole."""
    words = given.candidate[: grid.DIRECT]
    short = Segment(words, tuple([reference[: grid.DIRECT] for reference in given.references]))
    result = metric.score(short, settings)
    unused = sorted({*bitext.hits(*short)} - result.cells())

    def call() -> None:
        against = metric.why_not(result) if metric.why_not else lambda _: None
        for hit in unused:
            against(hit)

    return call


def given_to(settings: Settings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in type(settings).rules()}


def steps(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """The steps of the paper's program, each as it is asked for."""
    return lambda: sum(1 for _ in metrics.trace(metric.key, *given, **given_to(settings)))


def questions(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """The questions on the steps, with all that judges an answer."""

    def call() -> None:
        for _, question in metrics.ask(metric.key, *given, every=1, **given_to(settings)):
            if question:
                judge.to_dict(question)

    return call


def drawn(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """The player with the first steps, as many as a page sends at once."""
    most = TABLE if table_of(metric.key, settings) else grid.DIRECT
    candidate, references = given.candidate[:most], tuple([reference[:most] for reference in given.references])
    chosen = TextSettings()
    tokens = [text.process(" ".join(words), chosen) for words in (candidate, *references)]
    texts = ProcessedTexts(Segment(candidate, references), tokens[0], tuple(tokens[1:]), chosen)

    def call() -> None:
        trace = metrics.trace(metric.key, candidate, references, **given_to(settings))
        walk = Walk(texts, trace, bitext.hits(candidate, references), 1_000)
        player.chunk(walk)

    return call


def effects(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """What the first words are worth."""
    return lambda: [*islice(worth.effects(metric, given, settings), EFFECTS)]


def curve(metric: Metric, settings: Settings, given: Segment) -> Callable[[], Any]:
    """The score as each number among the settings changes."""
    return lambda: [curves.curve(metric, [given], settings, name, 5) for name in curves.parameters(metric)]


ASKS: dict[str, Ask] = {
    "score": lambda metric, settings, given: lambda: metric.score(given, settings),
    "statistics": lambda metric, settings, given: lambda: metric.statistics(given, settings),
    "remark": of_result(lambda metric, result: metric.remark and metric.remark(result)),
    "ties": of_result(lambda metric, result: metric.ties and metric.ties(result, 50)),
    "formula": of_result(lambda metric, result: metric.formula(result)),
    "terms": of_result(lambda metric, result: ledger.rows(*result.segment, result, most=500)),
    "cells": of_result(lambda metric, result: marks.uses(result, None)),
    "reasons": reasons,
    "slips": of_result(lambda metric, result: metric.slips and metric.slips()(metric, result)),
    "difference": of_two(lambda metric, a, b: difference(a, b)),
    "ledger": of_two(changes.ledger),
    "sentence": of_two(sentence.sentence),
    "steps": steps,
    "questions": questions,
    "drawn": drawn,
    "effects": effects,
    "curve": curve,
    "error classes": lambda metric, settings, given: lambda: error_classes.classes_in(given),
}
