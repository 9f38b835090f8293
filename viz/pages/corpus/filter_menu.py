"""Draw the menu that adds parts to the filter of segments, and says which names and expressions the filter knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from metrics.analysis.causes import describe_segment_cause
from metrics.corpus.filter import quote_string
from metrics.corpus.ledger import CorpusLedger
from metrics.corpus.patterns import LEVEL
from metrics.types import Metric

from ...draw.pen.text import escape_markdown, safe, visible
from ...frame.corpora import CorpusJob
from . import marks, open_target
from .filter import filter_names, filters
from .filter.filter_names import NameMeaning
from .filter.filters import SelectedSegments
from .record import CorpusState, FilterPart

#: Most patterns, documents and tags that the menu offers of each.
OFFERED_MOST = 200
CLICK = "A click puts an example into the field, in place of what stands there."
TEXTS = {"": "either output", "a": "A", "b": "B", "ref": "a reference", "source": "the source"}

T = TypeVar("T")


def draw(job: CorpusJob, state: CorpusState, selected: SelectedSegments) -> None:
    """Draw the menu: examples, selectors of causes, patterns, documents and tags, fields for texts, and all names."""
    with st.popover("Add a filter", on_change="rerun", key="corpus_filter_menu") as popover:
        if not popover.open:
            return
        choices, names = st.tabs(["Examples and choices", "All names"])
        facts = filters.filter_facts(job, state)
        examples, meanings = job.cached(
            ("names", state.marks, state.score_key, state.a, state.b, state.columns, len(job.tables), job.revision()),
            lambda: (filter_names.examples(job, state, facts), filter_names.name_meanings(job, state, facts)),
        )
        with choices:
            _draw_examples(examples)
            _draw_choices(job, state)
        with names:
            _draw_names(meanings, filter_names.other_metrics(job, state), state.score_key)


def _draw_choices(job: CorpusJob, state: CorpusState) -> None:
    """Draw selectors of causes, patterns, documents and tags, and fields for texts to search for."""
    metric = job.metric(state.score_key)
    names = job.names[state.a], job.names[state.b]
    if isinstance(ledger := job.ledger(state.score_key, state.a, state.b), CorpusLedger):
        sides = job.order_worse_first(state.score_key, state.a, state.b)
        wording = cause_filters(metric, ledger, (job.names[sides[0]], job.names[sides[1]]))
        if wording:
            _draw_selector("Cause", "cause", wording, lambda each: FilterPart(each, each))
    _draw_patterns(job, state, names)
    if documents := job.material.documents:
        each = list(dict.fromkeys(documents))[:OFFERED_MOST]
        _draw_selector(
            "Document", "document", {name: name for name in each}, lambda name: filters.document_part(job, name)
        )
    if tags := sorted({tag for mark in marks.read_marks(state.marks).values() for tag in mark.tags})[:OFFERED_MOST]:
        _draw_selector("Tag", "tag", {tag: tag for tag in tags}, lambda tag: _part_from_text("tag = {}", tag))
    texts = {name: wording for name, wording in TEXTS.items() if name != "source" or job.material.source}
    st.selectbox("Look in", list(texts), key="corpus_filter_in", format_func=texts.__getitem__)
    _draw_text_field("Has the words", "has")
    _draw_text_field("Matches the regular expression", "matches")


def _draw_examples(examples: Sequence[str]) -> None:
    """Draw a button for each example; a click puts it into the field of the filter."""
    if examples:
        st.caption(CLICK)
        with st.container(horizontal=True, gap="small", key="corpus_filter_examples"):
            for n, expression in enumerate(examples):
                _draw_expression(expression, f"corpus_example_{n}")


def _draw_names(meanings: Sequence[NameMeaning], others: Mapping[str, str], metric: str) -> None:
    """Draw the list of all names with what they mean, each with an example that a click puts into the field.

    `others` are the labels of the metrics that are not the selected one, `metric`, by name."""
    st.caption(CLICK)
    with st.container(key="corpus_filter_names", gap=None):
        for each in meanings:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                names = " or ".join([f"<code>{safe(name, 60)}</code>" for name in each.names])
                st.html(f"<p>{names}: {safe(each.says, 300)}.</p>")
                if each.example:
                    _draw_expression(each.example, f"corpus_name_{each.names[0]}")
    labels = ", ".join([f"<code>{safe(key, 40)}</code> {safe(label, 40)}" for key, label in others.items()])
    other = f"In place of <code>{safe(metric, 40)}</code>, also after a., b. and delta.: {labels}."
    paragraphs = "".join([f"<p>{each}</p>" for each in (*([other] if labels else []), *filter_names.GRAMMAR)])
    st.html(f'<div class="filter_note">{paragraphs}</div>')


def _draw_expression(expression: str, key: str) -> None:
    """Draw a button that puts an expression into the field of the filter."""
    shown = visible(expression, 80)
    label = escape_markdown(shown) if "`" in shown else f"`{shown}`"  # else ">=" would be drawn as another sign
    st.button(label, key=key, on_click=filters.set_typed_expression, args=(expression,))


def cause_filters(metric: Metric, ledger: CorpusLedger, names: tuple[str, str]) -> dict[str, str]:
    """Return the filters by cause of the difference: descriptions by filter expression.

    There is one for each cause and each system, if the cause speaks for that system in some segments. `ledger` goes
    from the first to the second of the systems called `names`."""
    out = {}
    for cause, part in ledger.parts.items():
        for sign, name in ((1, names[1]), (-1, names[0])):
            above = (sign > 0) == metric.higher_is_better
            count = int(((part if above else -part) > filters.ROUNDING).sum())
            if not count:
                continue
            phrase = {"length": "lengths", "penalty": "penalty", "references": "references"}.get(cause)
            phrase = phrase or describe_segment_cause(metric, ledger.settings, cause, "", 1.0 if above else -1.0)
            out[f"worth.{cause} {'>' if above else '<'} 0"] = f"{phrase}, for {name} ({count:,})"
    return out


def _draw_patterns(job: CorpusJob, state: CorpusState, names: tuple[str, str]) -> None:
    """Draw the selector of words that one system has right more often, or that they are being computed.

    `names` are those of A and B."""
    patterns = job.word_patterns(state.a, state.b)
    if patterns is None:
        open_target.draw_pending(job, "Looking for words that one system has right and the other has not.")
        return
    telling = [each for each in patterns if each.q < LEVEL][:OFFERED_MOST]
    offered = {
        n: f"“{' '.join(each.words)}”, more often right in {names[each.for_b > each.for_a]}"
        for n, each in enumerate(telling)
    }
    if offered:
        _draw_selector("Pattern", "pattern", offered, lambda n: filters.pattern_part(telling[n], "word"))


def _draw_selector(label: str, name: str, offered: dict[T, str], part: Callable[[T], FilterPart]) -> None:
    """Draw a selector whose choice becomes a part of the filter.

    Args:
        label: the label of the selector.
        name: the end of its session key.
        offered: the labels of the choices by value.
        part: makes the part of the filter from a value."""
    key = f"corpus_filter_{name}"

    def add_chosen() -> None:
        if (value := st.session_state[key]) is not None:
            _add_or_report(lambda: part(value))
            st.session_state[key] = None

    st.selectbox(
        label,
        list(offered),
        index=None,
        key=key,
        format_func=lambda each: visible(offered[each], 80),
        placeholder="Choose",
        on_change=add_chosen,
    )


def _draw_text_field(label: str, call: str) -> None:
    """Draw a field whose text becomes a part of the filter once it is entered.

    `call` is the function that the expression of that part calls with the text: "has" or "matches"."""
    key = f"corpus_filter_{call}"

    def add_entered() -> None:
        if text := st.session_state[key]:
            of = st.session_state.get("corpus_filter_in", "")
            _add_or_report(lambda: _part_from_text(f"{of}.{call}({{}})" if of else f"{call}({{}})", text))
            st.session_state[key] = ""

    st.text_input(label, key=key, on_change=add_entered)


def _part_from_text(form: str, text: str) -> FilterPart:
    """Return the filter part whose expression is `form` with the quoted `text` in place of its braces."""
    expression = form.format(quote_string(text))
    return FilterPart(expression, expression)


def _add_or_report(make: Callable[[], Any]) -> None:
    """Add the filter part that `make` returns, or report why it cannot be made."""
    try:
        filters.add_part(make())
    except ValueError as error:
        st.session_state.problems = [f"The filter cannot be made: {error}."]
        st.session_state.whole_page = True
