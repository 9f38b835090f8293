"""Draw the evidence of a corpus's segment, for one system's output or for two, and open it on other pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

import metrics
from metrics.types import Segment, Settings, Tokens

from ..components import fragment
from ..draw.compare.comparison import OutputPair
from ..draw.compare.differences import GridRoom
from ..draw.corpus import filter_highlights
from ..draw.evidence.drawn_result import EvidenceLook
from ..draw.pen.text import escape_markdown, safe
from ..draw.texts import ProcessedTexts
from ..state.links import pages
from ..state.links.pages import PageState
from ..state.results import cache
from ..state.results import edits as edits_of
from ..state.results.cache import Problem
from ..state.visit import session, similarity
from . import evidence, output_pair
from .visitor_corpora import VisitorCorpus

FIRST_ROOM = 560  # assumed width in pixels until the browser reports the real one


def show_one_output(
    key: str, texts: ProcessedTexts, metric: str, settings: Settings, place: str, lit_words: Sequence[str] = ()
) -> None:
    """Draw the evidence of one output's score.

    Args:
        key: the key of the component.
        metric: the key of the metric.
        place: the key under which the session has the width of the column it is drawn in (`fragment.place_width`).
        lit_words: words, or parts of words, that are highlighted."""
    result = cache.score(metric, texts.segment, settings)
    if isinstance(result, Problem):
        st.warning(escape_markdown(str(result)))
        return
    fragment_html = evidence.evidence_html(texts, result, EvidenceLook(room=fragment.place_width(place, FIRST_ROOM)))
    if lit_words:
        fragment_html = filter_highlights.mark_sought(
            fragment_html,
            filter_highlights.sought_names_of_texts(
                [("c", texts.segment.candidate), *_references_by_id_prefix(texts.segment)], lit_words
            ),
        )
    fragment.show(key, fragment_html, place=place, browser_keeps_html=True)


def show_two_outputs(
    key: str,
    texts: tuple[ProcessedTexts, ProcessedTexts],
    names: tuple[str, str],
    metric: str,
    settings: Mapping[str, Settings],
    view: str,
    place: str,
    lit_words: Sequence[str] = (),
) -> None:
    """Draw what changed from one output to the other as the difference or, for any other `view`, as edits.

    Args:
        key: the key of the component.
        names: the names of both systems.
        metric: the key of the metric.
        settings: the settings of all metrics by key.
        view: "difference" or "edits".
        place: the key under which the session has the width of the column it is drawn in (`fragment.place_width`).
        lit_words: words, or parts of words, that are highlighted."""
    a, b = texts
    compared = cache.compare_segments(metric, a.segment, b.segment, settings[metric])
    if isinstance(compared, Problem):
        st.warning(escape_markdown(str(compared)))
        return
    pair = OutputPair(a, b, names, *compared)
    room, part = GridRoom(fragment.place_width(place, FIRST_ROOM)), output_pair.part_around_change(pair)
    fragment_html = (
        output_pair.comparison_html(pair, room, part) if view == "difference" else _edits_html(pair, settings, room)
    )
    if lit_words:
        each = [("a", a.segment.candidate), ("b", b.segment.candidate), *_references_by_id_prefix(a.segment)]
        fragment_html = filter_highlights.mark_sought(
            fragment_html, filter_highlights.sought_names_of_texts(each, lit_words)
        )
    fragment.show(key, fragment_html, place=place, browser_keeps_html=True)


def _references_by_id_prefix(segment: Segment) -> list[tuple[str, Tokens]]:
    """Return the words of each reference after the prefix of their ids in the HTML."""
    return [(f"r{k}_", words) for k, words in enumerate(segment.references)]


def _edits_html(pair: OutputPair, settings: Mapping[str, Settings], room: GridRoom) -> str:
    """Return the edits from A to B with what they are worth, as HTML."""
    edit_map = edits_of.find_edit_map(pair.a, pair.b)
    if isinstance(edit_map, Problem):
        return f'<div class="bitext"><p>{safe(str(edit_map), 400)}</p></div>'
    worth = edits_of.worth_of_all(pair.before.metric, pair.a.segment, pair.b.segment.candidate, settings)
    part = output_pair.part_around_change(pair)
    return output_pair.edits_section_html(
        pair, worth, None, output_pair.can_explain_every_row(pair, edit_map), room, part, tries=False
    )


def settings_of_all_metrics(settings: Mapping[str, Settings], state: PageState) -> Mapping[str, Settings]:
    """Return the settings of all metrics by key.

    A metric that the corpus was scored with has those `settings`; other metrics have those of the page."""
    return {key: settings.get(key) or state.settings_of(key) for key in metrics.METRICS}


def open_segment(corpus: VisitorCorpus, systems: Sequence[int], segment: int, state: PageState, view: str) -> None:
    """Open one or two outputs of a segment on the page that shows so many; a callback.

    Source, settings and marked errors are taken along. The browser's back button returns to the same position on this
    page.

    Args:
        systems: the systems whose outputs are opened.
        state: the state of this page.
        view: the view of the page for two outputs."""
    named_lines = [(corpus.names[n], corpus.output_text(n, segment)) for n in systems]
    shared: dict[str, Any] = {
        "references": corpus.references_text(segment),
        "source": corpus.source_text(segment),
        "metric": state.metric,
        "text": state.text,
        "settings": state.settings,
        "similarity": state.similarity,
        "language": state.language,
        "marked": corpus.marked_errors(systems, segment),
    }
    if to := pages.state_with_outputs(named_lines, shared, view):
        session.restore(to, [], similarity.last_table())
        st.session_state.whole_page = True
