"""Draw why one system is better by the selected metric.

It draws the causes, kinds of error and words, how much comes from how many segments, and the most telling segments."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import metrics
from metrics.corpus.explanations.segments import SegmentStory, disputed_stories, pick_stories
from metrics.corpus.ledger import CorpusLedger, ledger_of_segments
from metrics.text import process

from ...components import links, points
from ...draw.compare.scores import short_names
from ...draw.corpus import cards, courses, story
from ...draw.corpus.cards import Card, CardGroup
from ...draw.corpus.points import CanvasChart
from ...draw.pen import theme
from ...frame.corpora import CorpusJob
from ...state.memory import remembered
from . import charts, explanations, filters, kinds, open_target
from .filters import Selected
from .record import CorpusState
from .record import parts as parts_of

NAME_MOST = 18  # letters of a system's name in the chart
REFERENCES_MOST = 3  # most references of a segment in a card


def draw(job: CorpusJob, state: CorpusState, selected: Selected) -> None:
    """Draw the ledger with kinds of error and words, the chart of cumulated worth, and the most telling segments.

    A click on a cause, a finding or a card opens its segments."""
    metric = metrics.METRICS[state.metric]

    def open_told(name: str, value: str) -> None:
        parts = filters.current()
        part_place = next((place for place, part in enumerate(parts) if part.expression == value), None)
        if name == "filter" and part_place is not None:
            filters.remove(part_place)
            return
        if name in kinds.NAMES:
            kinds.open_segments(job, state, selected, name, value)
        else:
            open_target.open_target(job, name, value)
        if name == "filter" and value.startswith("worth"):  # the most telling segments first, for either system
            st.session_state.update(
                corpus_sort="worth", corpus_up=(">" in value) != metric.higher_is_better, corpus_segment=None
            )
        open_target.scroll_to_segment()

    ledger = job.ledger(state.metric, state.a, state.b)
    with st.container(key="corpus_why"):
        links.show("corpus_story", markup(job, state, selected), open_told)
        if isinstance(ledger, CorpusLedger) and selected.size:
            drawn = charts.remembered(
                job,
                ("curve", state.a, state.b, ledger, selected.subset),
                lambda: _curve(job, state, ledger, selected),
            )
            points.show("corpus_curve", drawn.markup, drawn.points, open_told)
    if selected.mask is None and job.has_causes(state.metric, state.a, state.b) and isinstance(ledger, CorpusLedger):
        other_metric = explanations.disagreeing_metric(job, state)
        other_ledger = job.known_ledger(other_metric, state.a, state.b) if other_metric else None
        cards_html = _cards(job, state.metric, state.a, state.b, ledger, other_metric, other_ledger)
        links.show("corpus_cards", cards_html, open_told)


def _curve(job: CorpusJob, state: CorpusState, ledger: CorpusLedger, selected: Selected) -> CanvasChart:
    """Return the chart of what the segments are worth, cumulated."""
    metric, numbers = metrics.METRICS[state.metric], selected.numbers
    numbers = np.arange(job.size) if numbers is None else numbers
    ours, theirs = short_names(_names(job, state, state.metric), NAME_MOST)
    look = metric.label, metric.higher_is_better, (ours, theirs)
    return courses.cumulated_chart(
        np.asarray(ledger.worth)[numbers], numbers, *look, open_target.describe_segments(job, numbers)
    )


def _names(job: CorpusJob, state: CorpusState, key: str) -> tuple[str, str]:
    """Return the names of both systems, that of the better one by a metric last."""
    other, better = job.sides(key, state.a, state.b)
    return job.names[other], job.names[better]


def markup(job: CorpusJob, state: CorpusState, selected: Selected) -> str:
    """Return all that is known of the causes, as HTML."""
    metric, names = metrics.METRICS[state.metric], _names(job, state, state.metric)
    ledger = job.ledger(state.metric, state.a, state.b)
    if isinstance(ledger, str):
        return f'<div class="story"><p>{theme.safe(ledger, story.SAID_MOST)}</p></div>'
    if not ledger or not selected.size:
        return '<div class="story"></div>'
    opened = [part.expression for part in parts_of(state.where)]
    if selected.subset is not None:
        numbers = selected.subset.numbers

        def make_ledger() -> CorpusLedger:
            return ledger_of_segments(metric, ledger, numbers, _longer(job, state, numbers))

        given = job.remembered(("given", ledger, selected.subset), make_ledger)
        return story.story_html(metric, names, given, opened, ledger.delta)
    beside_html = ""
    key = explanations.disagreeing_metric(job, state)
    if key and job.has_causes(key, state.a, state.b):
        its, winner = job.ledger(key, state.a, state.b), _names(job, state, key)[1]
        if isinstance(its, CorpusLedger):
            beside_html = story.dissenting_ledger(metrics.METRICS[key], winner, its)
    kinds_html = kinds.markup(job, state) if state.a != state.b and explanations.has_test_and_causes(job, state) else ""
    return story.story_html(metric, names, ledger, opened, dissent_html=beside_html, kinds=kinds_html)


def _longer(job: CorpusJob, state: CorpusState, numbers: NDArray[np.intp]) -> float:
    """Return by how much the better system's outputs are longer than the other's, in the units that the metric counts.

    Only the segments in `numbers` count."""
    table, sides = job.tables[state.metric], job.sides(state.metric, state.a, state.b)
    lengths = [n for n, name in enumerate(table.names) if table.metric.role(name).kind == "candidate length"]
    if lengths:
        ours, theirs = (float(table.statistics[system][numbers, lengths[0]].sum()) for system in sides)
        return theirs - ours
    ours_, theirs_ = (job.texts.systems[n] for n in sides)
    return float(sum([len(theirs_[n]) - len(ours_[n]) for n in numbers.tolist()]))


# ---------------------------------------------------------------- segments


@remembered
def _cards(
    job: CorpusJob,
    key: str,
    a: int,
    b: int,
    ledger: CorpusLedger,
    other: str,
    other_ledger: CorpusLedger | None,
) -> str:
    """Return the cards of the most telling segments, as HTML.

    The segments worth most for each system are open. Folded are clear cases of one cause, and segments on which the
    metric and the `other` one disagree; `other_ledger` is that metric's ledger from A to B."""
    metric, sides = metrics.METRICS[key], job.sides(key, a, b)
    names = job.names[sides[0]], job.names[sides[1]]
    ours, theirs = (job.texts.segments(n) for n in sides)
    picks = pick_stories(metric, ledger, ours, theirs, names, story.DECIMALS)
    torn: list[SegmentStory] = []
    if other_ledger is not None and (mine := job.known_ledger(key, a, b)):
        metric_ledgers = [(metric, mine), (metrics.METRICS[other], other_ledger)]
        one, two = (job.texts.segments(n) for n in (a, b))
        torn = disputed_stories(metric_ledgers, one, two, (job.names[a], job.names[b]), story.DECIMALS)
    of_side = {side: [each for each in picks if each.of == side] for side in ("b", "a")}
    card_sides = [
        CardGroup(f"Most for {name}", [_card(job, sides, each, side == "b") for each in of_side[side]])
        for side, name in (("b", names[1]), ("a", names[0]))
    ]
    rest = [each for each in picks if each.of not in of_side]
    return cards.draw(card_sides, story.picked_segments_html([*rest, *torn], names))


def _card(job: CorpusJob, sides: tuple[int, int], pick: SegmentStory, for_better: bool) -> Card:
    """Return the card of a segment, with the deciding words highlighted.

    `for_better` says whether the segment speaks for the better system, the second of `sides`."""
    number = pick.segment
    texts = [job.line(n, number) for n in sides]
    references = job.material.references_of(number)[:REFERENCES_MOST]
    return Card(
        number,
        pick.why,
        cards.lines(
            job.source(number) if job.material.source else None,
            [(job.names[n], process(text, job.text), text) for n, text in zip(sides, texts, strict=True)],
            [(name, process(text, job.text), text) for name, text in references],
            pick.cause,
            for_better,
        ),
    )
