"""What one system has right more often than the other, words and parts of words, and kinds of error that one makes more
often: each opens its segments."""

from __future__ import annotations

import streamlit as st

from metrics.corpus.patterns import Pattern

from ...components import links
from ...draw.corpus import patterns
from ...draw.pen import theme
from ...frame.corpora import Scoring
from ...state import codec
from . import filters, opening
from .filters import Selected
from .record import Corpus, Part


def draw(found: Scoring, shown: Corpus, selected: Selected) -> None:
    """The tables of patterns in the selected segments, and below them kinds of error, from the worse to the better
    system by the chosen metric; until they are found, a sign that they are looked for."""
    asked = shown.a, shown.b, selected.some
    sides = found.sides(shown.metric, shown.a, shown.b)
    turned = sides != (shown.a, shown.b)
    names, looked = (found.names[sides[0]], found.names[sides[1]]), opening.whole(found, selected)
    # What is asked for last is found first.
    errors, characters, words = found.errors(*asked), found.characters(*asked), found.patterns(*asked)
    if words is None:
        opening.wait(found, "Looking for words that one system has right and the other has not.")
        return
    _table("corpus_patterns", words, turned, names, "word", looked)
    if characters is None:
        opening.wait(found, "Looking for parts of words.")
        return
    _table(
        "corpus_characters", characters, turned, names, "character", f"{looked}; {patterns.END} is the end of a word"
    )
    if errors is None:
        opening.wait(found, "Counting errors by their kinds.")
    elif isinstance(errors, str):
        st.warning(theme.markdown(theme.visible(errors, 400)))
    else:

        def told(name: str, value: str) -> None:
            if name == "error" and (number := codec.number_sent(value, len(errors))) is not None:
                said = f"{errors[number].error.label}: more errors in one than in the other"
                opening.select(Part(said, "", errors[number].segments))

        drawn = [each.turned if turned else each for each in errors]
        links.show("corpus_errors", patterns.errors(drawn, names, looked), told)


def _table(key: str, found: list[Pattern], turned: bool, names: tuple[str, str], unit: str, looked: str) -> None:
    place = {each.words: n for n, each in enumerate(found)}
    part_of = filters.of_pattern if unit == "word" else filters.of_part

    def told(name: str, value: str) -> None:
        if name == "pattern" and (number := codec.number_sent(value, len(found))) is not None:
            opening.select(part_of(found[number]))

    drawn = [each.turned if turned else each for each in found]
    made = patterns.draw(drawn, names, unit, lambda each: f"pattern:{place[each.words]}", looked)
    links.show(key, made, told)
