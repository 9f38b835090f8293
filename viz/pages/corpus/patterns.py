"""Draw the words and parts of words that one system has right more often, and the kinds of error it makes more often.

Each row opens its segments."""

from __future__ import annotations

import streamlit as st

from metrics.corpus.patterns import Pattern

from ...components import links
from ...draw.corpus import patterns
from ...draw.pen.text import escape_markdown, visible
from ...frame.corpora import CorpusJob
from ...state.links import codec
from . import open_target
from .filter import filters
from .filter.filters import SelectedSegments
from .record import CorpusState


def draw(job: CorpusJob, state: CorpusState, selected: SelectedSegments) -> None:
    """Draw the tables of words, of parts of words and of kinds of error, or a sentence while they are computed.

    Only the selected segments are searched. Each table goes from the worse to the better system by the selected
    metric."""
    request = state.a, state.b, selected.subset
    sides = job.order_worse_first(state.score_key, state.a, state.b)
    turned = sides != (state.a, state.b)
    names, scope_text = (job.names[sides[0]], job.names[sides[1]]), open_target.describe_scope(job, selected)
    # The newest request is answered first.
    errors, characters, words = (
        job.error_counts_by_kind(*request),
        job.word_part_patterns(*request),
        job.word_patterns(*request),
    )
    if words is None:
        open_target.draw_pending(job, "Looking for words that one system has right and the other has not.")
        return
    _draw_table("corpus_patterns", words, turned, names, "word", scope_text)
    if characters is None:
        open_target.draw_pending(job, "Looking for parts of words.")
        return
    _draw_table(
        "corpus_characters",
        characters,
        turned,
        names,
        "character",
        f"{scope_text}; {patterns.END} is the end of a word",
    )
    if errors is None:
        open_target.draw_pending(job, "Counting errors by their kinds.")
    elif isinstance(errors, str):
        st.warning(escape_markdown(visible(errors, 400)))
    else:

        def open_error(name: str, value: str) -> None:
            if name == "error" and (number := codec.parse_sent_number(value, len(errors))) is not None:
                open_target.add_filter_part(filters.error_part(errors[number]))

        drawn = [each.swapped if turned else each for each in errors]
        links.show("corpus_errors", patterns.error_counts_table(drawn, names, scope_text), open_error)


def _draw_table(
    key: str, found_patterns: list[Pattern], turned: bool, names: tuple[str, str], unit: str, scope_text: str
) -> None:
    """Draw a table of patterns.

    Args:
        key: the key of the component.
        turned: whether A is the better system; the patterns are then turned, so that the better system is second.
        names: the names of the worse and the better system.
        unit: what the patterns consist of, "word" or "character".
        scope_text: a text on the segments that were searched."""
    place = {each.words: n for n, each in enumerate(found_patterns)}

    def open_pattern(name: str, value: str) -> None:
        if name == "pattern" and (number := codec.parse_sent_number(value, len(found_patterns))) is not None:
            open_target.add_filter_part(filters.pattern_part(found_patterns[number], unit))

    drawn = [each.swapped if turned else each for each in found_patterns]
    table_html = patterns.draw(drawn, names, unit, lambda each: f"pattern:{place[each.words]}", scope_text)
    links.show(key, table_html, open_pattern)
