"""Draw why one system is better by the selected metric.

It draws the causes, kinds of error and words, how much comes from how many segments, and the most telling segments."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from metrics.corpus.agreement.columns import NO_CAUSES
from metrics.corpus.explanations.segments import SegmentStory
from metrics.corpus.explanations.two_systems import SystemDifference, find_disputed
from metrics.corpus.ledger import CorpusLedger, ledger_of_segments
from metrics.text import process

from ...components import links, points
from ...draw.compare.scores import short_names
from ...draw.corpus import cards, courses, story
from ...draw.corpus.cards import Card, CardGroup
from ...draw.corpus.pair_charts import NAME_MOST
from ...draw.corpus.points import CanvasChart
from ...draw.pen.text import safe
from ...frame.corpora import CorpusJob
from ...state.results.memory import remembered
from . import charts, explanations, kinds, open_target
from .filter import filters
from .filter.filters import SelectedSegments
from .record import CorpusState
from .record import parse_filter as parts_of

REFERENCES_MOST = 3  # most references of a segment in a card


def draw(job: CorpusJob, state: CorpusState, selected: SelectedSegments) -> None:
    """Draw the ledger with kinds of error and words, the chart of cumulated worth, and the most telling segments.

    A click on a cause, a finding or a card opens its segments."""
    metric = job.metric(state.score_key)

    def open_clicked(name: str, value: str) -> None:
        if name == "turn":
            if value in job.given_tables:  # the browser may send anything
                job.turn_given(value)
                st.session_state.whole_page = True
            return
        parts = filters.current_parts()
        part_place = next((place for place, part in enumerate(parts) if part.expression == value), None)
        if name == "filter" and part_place is not None:
            filters.remove_part(part_place)
            return
        if name in kinds.NAMES:
            kinds.open_finding(job, state, name, value)
        else:
            open_target.open_target(job, name, value)
        if name == "filter" and value.startswith("worth"):  # the most telling segments first, for either system
            st.session_state.update(
                corpus_sort="worth", corpus_up=(">" in value) != metric.higher_is_better, corpus_segment=None
            )
        open_target.scroll_to_segment()

    ledger = job.ledger(state.score_key, state.a, state.b)
    with st.container(key="corpus_why"):
        links.show("corpus_story", causes_html(job, state, selected), open_clicked)
        if isinstance(ledger, CorpusLedger) and selected.size:
            drawn = charts.cached_chart(
                job,
                ("curve", state.a, state.b, ledger, selected.subset),
                lambda: _worth_curve(job, state, ledger, selected),
            )
            points.show("corpus_curve", drawn.markup, drawn.points, open_clicked)
    if (
        selected.mask is None
        and not state.given
        and job.ledger_has_causes(state.score_key, state.a, state.b)
        and isinstance(ledger, CorpusLedger)
    ):
        other_metric = explanations.disagreeing_metric(job, state)
        other_ledger = job.known_ledger(other_metric, state.a, state.b) if other_metric else None
        cards_html = _cards_html(job, state.score_key, state.a, state.b, ledger, other_metric, other_ledger)
        links.show("corpus_cards", cards_html, open_clicked)


def _worth_curve(job: CorpusJob, state: CorpusState, ledger: CorpusLedger, selected: SelectedSegments) -> CanvasChart:
    """Return the chart of how much of the difference comes from how many segments.

    It shows the worth of the segments, sorted and summed up."""
    metric, numbers = job.metric(state.score_key), selected.segment_indices
    numbers = np.arange(job.segment_count) if numbers is None else numbers
    ours, theirs = short_names(_names_worse_first(job, state, state.score_key), NAME_MOST)
    look = metric.label, metric.higher_is_better, (ours, theirs)
    return courses.cumulated_worth_chart(
        np.asarray(ledger.worth)[numbers], numbers, *look, open_target.describe_segments(job, numbers)
    )


def _names_worse_first(job: CorpusJob, state: CorpusState, key: str) -> tuple[str, str]:
    """Return the names of A and B in the order worse, better by a metric."""
    other, better = job.order_worse_first(key, state.a, state.b)
    return job.names[other], job.names[better]


def causes_html(job: CorpusJob, state: CorpusState, selected: SelectedSegments) -> str:
    """Return HTML on the causes of the difference as far as they are known, with kinds of error and words."""
    metric, names = job.metric(state.score_key), _names_worse_first(job, state, state.score_key)
    ledger = job.ledger(state.score_key, state.a, state.b)
    if state.given:
        is_better, other = ("Higher", "lower is") if metric.higher_is_better else ("Lower", "higher is")
        turn = f'<button type="button" data-tell="turn:{safe(state.given)}">No, {other}</button>'
        return f'<div class="story"><p>{safe(f"{NO_CAUSES}. {is_better} is better.", 400)} {turn}</p></div>'
    if isinstance(ledger, str):
        return f'<div class="story"><p>{safe(ledger, story.SAID_MOST)}</p></div>'
    if not ledger or not selected.size:
        return '<div class="story"></div>'
    opened = [part.expression for part in parts_of(state.where)]
    if selected.subset is not None:
        numbers = selected.subset.segment_indices

        def make_ledger() -> CorpusLedger:
            return ledger_of_segments(metric, ledger, numbers, _length_difference(job, state, numbers))

        given = job.cached(("given", ledger, selected.subset), make_ledger)
        return story.story_html(metric, names, given, opened, ledger.delta)
    beside_html = ""
    key = explanations.disagreeing_metric(job, state)
    if key and job.ledger_has_causes(key, state.a, state.b):
        its, winner = job.ledger(key, state.a, state.b), _names_worse_first(job, state, key)[1]
        if isinstance(its, CorpusLedger):
            beside_html = story.dissenting_ledger(job.metric(key), winner, its)
    kinds_html = (
        kinds.findings_html(job, state) if state.a != state.b and explanations.has_test_and_causes(job, state) else ""
    )
    return story.story_html(metric, names, ledger, opened, dissent_html=beside_html, kinds=kinds_html)


def _length_difference(job: CorpusJob, state: CorpusState, numbers: NDArray[np.intp]) -> float:
    """Return by how much the better system's outputs are longer than the other's, in the segments `numbers`.

    Lengths are in the units that the metric counts, by default words."""
    table, sides = job.table(state.score_key), job.order_worse_first(state.score_key, state.a, state.b)
    lengths = [n for n, name in enumerate(table.names) if table.metric.role(name).kind == "candidate length"]
    if lengths:
        ours, theirs = (float(table.statistics[system][numbers, lengths[0]].sum()) for system in sides)
        return theirs - ours
    ours_, theirs_ = (job.texts.systems[n] for n in sides)
    return float(sum([len(theirs_[n]) - len(ours_[n]) for n in numbers.tolist()]))


# ---------------------------------------------------------------- segments


@remembered
def _cards_html(
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
    metric and another one disagree.

    Args:
        key: the key of the selected metric.
        ledger: its ledger, from the worse to the better system.
        other: the key of a metric by which the other system is better, "" if there is none.
        other_ledger: the ledger of that metric from A to B, None if it is not known."""
    metric, sides = job.metric(key), job.order_worse_first(key, a, b)
    names = job.names[sides[0]], job.names[sides[1]]
    picks = SystemDifference(job.two_systems(*sides), metric, ledger).stories(story.DECIMALS)
    torn: list[SegmentStory] = []
    if other_ledger is not None and (mine := job.known_ledger(key, a, b)):
        systems = job.two_systems(a, b)
        both = ((metric, mine), (job.metric(other), other_ledger))
        torn = find_disputed([SystemDifference(systems, *each) for each in both], story.DECIMALS)
    of_side = {side: [each for each in picks if each.of == side] for side in ("b", "a")}
    card_sides = [
        CardGroup(f"Most for {name}", [_card(job, sides, each, side == "b") for each in of_side[side]])
        for side, name in (("b", names[1]), ("a", names[0]))
    ]
    rest = [each for each in picks if each.of not in of_side]
    return cards.draw(card_sides, story.picked_segments_html([*rest, *torn], names))


def _card(job: CorpusJob, sides: tuple[int, int], segment_story: SegmentStory, for_better: bool) -> Card:
    """Return the card of the segment of a story, with the words that decide highlighted.

    `sides` are the systems, the better one last. `for_better` says whether the segment speaks for the better one."""
    number = segment_story.segment
    texts = [job.output_text(n, number) for n in sides]
    references = job.material.references_of(number)[:REFERENCES_MOST]
    return Card(
        number,
        segment_story.why,
        cards.card_lines(
            job.source_text(number) if job.material.source else None,
            [(job.names[n], process(text, job.text), text) for n, text in zip(sides, texts, strict=True)],
            [(name, process(text, job.text), text) for name, text in references],
            segment_story.cause,
            for_better,
        ),
    )
