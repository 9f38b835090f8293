"""The menu of what segments can be filtered by, for who writes no expression: each choice is a part of the filter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

import metrics
from metrics.analysis.causes import told_of_one
from metrics.corpus.filter import quoted
from metrics.corpus.ledger import CorpusLedger
from metrics.corpus.patterns import LEVEL
from metrics.types import Metric

from ...draw.pen import theme
from ...frame.corpora import Scoring
from . import filters, marks, opening
from .filters import Selected
from .record import Corpus, Part

#: Patterns, documents and tags that the menu offers.
OFFERED_MOST = 200
TEXTS = {"": "either output", "a": "A", "b": "B", "ref": "a reference", "source": "the source"}

T = TypeVar("T")


def draw(found: Scoring, shown: Corpus, selected: Selected) -> None:
    """Causes, patterns, documents and tags to choose from, words and regular expressions to type."""
    with st.popover("Add a filter", on_change="rerun", key="corpus_filter_menu") as popover:
        if not popover.open:
            return
        metric = metrics.METRICS[shown.metric]
        names = found.names[shown.a], found.names[shown.b]
        if isinstance(ledger := found.ledger(shown.metric, shown.a, shown.b), CorpusLedger):
            sides = found.sides(shown.metric, shown.a, shown.b)
            said = causes(metric, ledger, (found.names[sides[0]], found.names[sides[1]]))
            if said:
                _choice("Cause", "cause", said, lambda each: Part(each, each))
        _patterns(found, shown, names)
        if documents := found.material.documents:
            each = list(dict.fromkeys(documents))[:OFFERED_MOST]
            _choice(
                "Document", "document", {name: name for name in each}, lambda name: filters.of_document(found, name)
            )
        if tags := sorted({tag for mark in marks.read(shown.marks).values() for tag in mark.tags})[:OFFERED_MOST]:
            _choice("Tag", "tag", {tag: tag for tag in tags}, lambda tag: _asking("tag = {}", tag))
        texts = {name: said for name, said in TEXTS.items() if name != "source" or found.material.source}
        st.selectbox("Look in", list(texts), key="corpus_filter_in", format_func=texts.__getitem__)
        _typed("Has the words", "has")
        _typed("Matches the regular expression", "matches")


def causes(metric: Metric, ledger: CorpusLedger, names: tuple[str, str]) -> dict[str, str]:
    """What selects the segments in which a cause speaks for the second of two systems, to which a ledger goes, or for
    the first, and how that reads."""
    out = {}
    for cause, part in ledger.parts.items():
        for sign, name in ((1, names[1]), (-1, names[0])):
            above = (sign > 0) == metric.higher_is_better
            count = int(((part if above else -part) > filters.ROUNDING).sum())
            if not count:
                continue
            said = {"length": "lengths", "penalty": "penalty", "references": "references"}.get(cause)
            said = said or told_of_one(metric, ledger.settings, cause, "", 1.0 if above else -1.0)
            out[f"worth.{cause} {'>' if above else '<'} 0"] = f"{said}, for {name} ({count:,})"
    return out


def _patterns(found: Scoring, shown: Corpus, names: tuple[str, str]) -> None:
    known = found.patterns(shown.a, shown.b)
    if known is None:
        opening.wait(found, "Looking for words that one system has right and the other has not.")
        return
    telling = [each for each in known if each.q < LEVEL][:OFFERED_MOST]
    offered = {
        n: f"“{' '.join(each.words)}”, more often right in {names[each.for_b > each.for_a]}"
        for n, each in enumerate(telling)
    }
    if offered:
        _choice("Pattern", "pattern", offered, lambda n: filters.of_pattern(telling[n]))


def _choice(label: str, name: str, offered: dict[T, str], part: Callable[[T], Part]) -> None:
    """Something to choose, which becomes a part."""
    key = f"corpus_filter_{name}"

    def chosen() -> None:
        if (value := st.session_state[key]) is not None:
            _add(lambda: part(value))
            st.session_state[key] = None

    st.selectbox(
        label,
        list(offered),
        index=None,
        key=key,
        format_func=lambda each: theme.markdown(theme.visible(offered[each], 80)),
        placeholder="Choose",
        on_change=chosen,
    )


def _typed(label: str, call: str) -> None:
    """Something to type, which becomes a part once it is entered."""
    key = f"corpus_filter_{call}"

    def entered() -> None:
        if text := st.session_state[key]:
            of = st.session_state.get("corpus_filter_in", "")
            _add(lambda: _asking(f"{of}.{call}({{}})" if of else f"{call}({{}})", text))
            st.session_state[key] = ""

    st.text_input(label, key=key, on_change=entered)


def _asking(form: str, text: str) -> Part:
    expression = form.format(quoted(text))
    return Part(expression, expression)


def _add(make: Callable[[], Any]) -> None:
    try:
        filters.add(make())
    except ValueError as error:
        st.session_state.problems = [f"The filter cannot be made: {error}."]
        st.session_state.whole_page = True
