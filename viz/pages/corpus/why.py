"""Why the better of two systems is better by the chosen metric: the causes, kinds of error and words, how much comes
from how many segments, and the segments that tell the most."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import metrics
from metrics.corpus.ledger import CorpusLedger, of_segments
from metrics.corpus.telling.segments import Told, told_picks, told_torn
from metrics.text import process

from ...components import links, points
from ...draw.compare.scores import short_names
from ...draw.corpus import cards, courses, story
from ...draw.corpus.cards import Card, Side
from ...draw.corpus.points import Drawn
from ...draw.pen import theme
from ...frame.corpora import Scoring
from ...state.memory import remembered
from . import charts, filters, kinds, opening, telling
from .filters import Selected
from .record import Corpus
from .record import parts as parts_of

NAME_MOST = 18  # letters of a system's name in the curve
REFERENCES_MOST = 3  # references of a segment that stand in a card


def draw(found: Scoring, shown: Corpus, selected: Selected) -> None:
    """The ledger, whose causes open their segments, kinds of error and words, beside them what segments give, added up,
    and below them the segments that tell the most, which open."""
    metric = metrics.METRICS[shown.metric]

    def open_told(name: str, value: str) -> None:
        parts = filters.current()
        here = next((place for place, part in enumerate(parts) if part.expression == value), None)
        if name == "filter" and here is not None:
            filters.remove(here)
            return
        if name in kinds.NAMES:
            kinds.open_segments(found, shown, selected, name, value)
        else:
            opening.told(found, name, value)
        if name == "filter" and value.startswith("worth"):  # the most telling first, on whichever side
            st.session_state.update(
                corpus_sort="worth", corpus_up=(">" in value) != metric.higher_is_better, corpus_segment=None
            )
        opening.seek()

    ledger = found.ledger(shown.metric, shown.a, shown.b)
    with st.container(key="corpus_why"):
        links.show("corpus_story", markup(found, shown, selected), open_told)
        if isinstance(ledger, CorpusLedger) and selected.size:
            drawn = charts.remembered(
                found,
                ("curve", shown.a, shown.b, ledger, selected.some),
                lambda: _curve(found, shown, ledger, selected),
            )
            points.show("corpus_curve", drawn.markup, drawn.points, open_told)
    if selected.mask is None and found.has_causes(shown.metric, shown.a, shown.b) and isinstance(ledger, CorpusLedger):
        beside = telling.disagreeing_metric(found, shown)
        known = found.known_ledger(beside, shown.a, shown.b) if beside else None
        made = _cards(found, shown.metric, shown.a, shown.b, ledger, beside, known)
        links.show("corpus_cards", made, open_told)


def _curve(found: Scoring, shown: Corpus, ledger: CorpusLedger, selected: Selected) -> Drawn:
    metric, numbers = metrics.METRICS[shown.metric], selected.numbers
    numbers = np.arange(found.size) if numbers is None else numbers
    ours, theirs = short_names(_names(found, shown, shown.metric), NAME_MOST)
    look = metric.label, metric.higher_is_better, (ours, theirs)
    return courses.cumulated(np.asarray(ledger.worth)[numbers], numbers, *look, opening.of(found, numbers))


def _names(found: Scoring, shown: Corpus, key: str) -> tuple[str, str]:
    """The names of both systems, that of the better one by a metric last."""
    other, better = found.sides(key, shown.a, shown.b)
    return found.names[other], found.names[better]


def markup(found: Scoring, shown: Corpus, selected: Selected) -> str:
    """All that is said of causes, as HTML."""
    metric, names = metrics.METRICS[shown.metric], _names(found, shown, shown.metric)
    ledger = found.ledger(shown.metric, shown.a, shown.b)
    if isinstance(ledger, str):
        return f'<div class="story"><p>{theme.safe(ledger, story.SAID_MOST)}</p></div>'
    if not ledger or not selected.size:
        return '<div class="story"></div>'
    opened = [part.expression for part in parts_of(shown.where)]
    if selected.some is not None:
        numbers = selected.some.numbers

        def make_ledger() -> CorpusLedger:
            return of_segments(metric, ledger, numbers, _longer(found, shown, numbers))

        given = found.remembered(("given", ledger, selected.some), make_ledger)
        return story.whole(metric, names, given, opened, ledger.delta)
    beside = ""
    key = telling.disagreeing_metric(found, shown)
    if key and found.has_causes(key, shown.a, shown.b):
        its, winner = found.ledger(key, shown.a, shown.b), _names(found, shown, key)[1]
        if isinstance(its, CorpusLedger):
            beside = story.beside(metrics.METRICS[key], winner, its)
    said = kinds.markup(found, shown) if shown.a != shown.b and telling.is_known(found, shown) else ""
    return story.whole(metric, names, ledger, opened, beside=beside, kinds=said)


def _longer(found: Scoring, shown: Corpus, numbers: NDArray[np.intp]) -> float:
    """By how much the outputs of the better system are longer than the other's on some segments, in what the metric
    counts."""
    table, sides = found.tables[shown.metric], found.sides(shown.metric, shown.a, shown.b)
    lengths = [n for n, name in enumerate(table.names) if table.metric.role(name).kind == "candidate length"]
    if lengths:
        ours, theirs = (float(table.statistics[system][numbers, lengths[0]].sum()) for system in sides)
        return theirs - ours
    ours_, theirs_ = (found.texts.systems[n] for n in sides)
    return float(sum([len(theirs_[n]) - len(ours_[n]) for n in numbers.tolist()]))


# ---------------------------------------------------------------- segments


@remembered
def _cards(
    found: Scoring,
    key: str,
    a: int,
    b: int,
    ledger: CorpusLedger,
    other: str,
    known: CorpusLedger | None,
) -> str:
    """The segments that tell the most, of each system those worth most for it, open; folded, clear cases of one cause
    and segments of which the metric and an `other` one, whose ledger from A to B is `known`, disagree."""
    metric, sides = metrics.METRICS[key], found.sides(key, a, b)
    names = found.names[sides[0]], found.names[sides[1]]
    ours, theirs = (found.texts.segments(n) for n in sides)
    told = told_picks(metric, ledger, ours, theirs, names, story.DECIMALS)
    torn: list[Told] = []
    if known is not None and (mine := found.known_ledger(key, a, b)):
        both = [(metric, mine), (metrics.METRICS[other], known)]
        one, two = (found.texts.segments(n) for n in (a, b))
        torn = told_torn(both, one, two, (found.names[a], found.names[b]), story.DECIMALS)
    of_side = {side: [each for each in told if each.of == side] for side in ("b", "a")}
    shown = [
        Side(f"Most for {name}", [_card(found, sides, each, side == "b") for each in of_side[side]])
        for side, name in (("b", names[1]), ("a", names[0]))
    ]
    rest = [each for each in told if each.of not in of_side]
    return cards.draw(shown, story.picks([*rest, *torn], names))


def _card(found: Scoring, sides: tuple[int, int], told: Told, for_better: bool) -> Card:
    """A segment with its texts, in which the words that decide are lit; `for_better` where it speaks for the second of
    both systems."""
    number = told.segment
    texts = [found.line(n, number) for n in sides]
    references = found.material.references_of(number)[:REFERENCES_MOST]
    return Card(
        number,
        told.why,
        cards.lines(
            found.source(number) if found.material.source else None,
            [(found.names[n], process(text, found.text), text) for n, text in zip(sides, texts, strict=True)],
            [(name, process(text, found.text), text) for name, text in references],
            told.cause,
            for_better,
        ),
    )
