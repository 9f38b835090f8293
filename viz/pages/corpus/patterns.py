"""Draw the words and parts of words that one system has right more often, and the kinds of error it makes more.

Each row opens its segments."""

from __future__ import annotations

import streamlit as st

from metrics.corpus.patterns import Pattern

from ...components import links
from ...draw.corpus import patterns
from ...draw.pen import theme
from ...frame.corpora import CorpusJob
from ...state import codec
from . import filters, open_target
from .filters import Selected
from .record import CorpusState, FilterPart


def draw(job: CorpusJob, state: CorpusState, selected: Selected) -> None:
    """Draw the tables of patterns in the selected segments, then the kinds of error, or that they are being computed.

    Each table goes from the worse to the better system by the selected metric."""
    request = state.a, state.b, selected.subset
    sides = job.sides(state.metric, state.a, state.b)
    turned = sides != (state.a, state.b)
    names, scope_text = (job.names[sides[0]], job.names[sides[1]]), open_target.describe_scope(job, selected)
    # The newest request is answered first.
    errors, characters, words = job.errors(*request), job.characters(*request), job.patterns(*request)
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
        st.warning(theme.markdown(theme.visible(errors, 400)))
    else:

        def open_error(name: str, value: str) -> None:
            if name == "error" and (number := codec.number_sent(value, len(errors))) is not None:
                label = f"{errors[number].error.label}: more errors in one than in the other"
                open_target.select(FilterPart(label, "", errors[number].segments))

        drawn = [each.turned if turned else each for each in errors]
        links.show("corpus_errors", patterns.errors(drawn, names, scope_text), open_error)


def _draw_table(
    key: str, found_patterns: list[Pattern], turned: bool, names: tuple[str, str], unit: str, scope_text: str
) -> None:
    """Draw a table of patterns of words or characters."""
    place = {each.words: n for n, each in enumerate(found_patterns)}
    part_of = filters.of_pattern if unit == "word" else filters.of_part

    def open_pattern(name: str, value: str) -> None:
        if name == "pattern" and (number := codec.number_sent(value, len(found_patterns))) is not None:
            open_target.select(part_of(found_patterns[number]))

    drawn = [each.turned if turned else each for each in found_patterns]
    table_html = patterns.draw(drawn, names, unit, lambda each: f"pattern:{place[each.words]}", scope_text)
    links.show(key, table_html, open_pattern)
