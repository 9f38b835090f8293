"""Draw where a metric is wrong: the pairs of outputs that it ranks against people, the clearest first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

import metrics
from metrics.corpus.agreement import AgreementColumn, WrongPairs
from metrics.corpus.agreement import AgreementTable as Table

from ...components import segments
from ...draw.agreement import why
from ...draw.compare.scores import short_names
from ...draw.corpus import rows
from ...draw.pen.text import safe, visible
from . import chosen_output, pairs, segment
from .agreement_job import AgreementJob
from .chosen_output import OutputList
from .record import SORTS, AgreementState

NAME_MOST = 22  # letters of a system's name, which fills at most two lines


def draw(corpus: AgreementJob, state: AgreementState, table: Table) -> None:
    """Draw the table of pairs, and at the right the selected pair with the edits that the metric rewards."""
    left_side, right = segment.left_and_right_columns()
    of = chosen_output.find_column(table, chosen_output.selected_column_key(corpus, state))
    if of is None:
        left_side.info(chosen_output.why_not_scored(corpus))
        return
    wrong_pairs = pairs.misranked_pairs(corpus, table, of)
    order = _pair_order(corpus, table, of, wrong_pairs, state)
    with left_side:
        _draw_counts(corpus, table, of, wrong_pairs)
        if not wrong_pairs.pairs:
            return
        _draw_table(corpus, state, of, wrong_pairs, order)
    with right:
        listed = [pairs.pair_as_selection(wrong_pairs.pairs[n]) for n in order]
        says = f"pair of outputs that {of.label} ranks against people"
        segment.draw(corpus, state, table, OutputList(listed, says))


def _pair_order(
    corpus: AgreementJob, table: Table, column: AgreementColumn, wrong_pairs: WrongPairs, state: AgreementState
) -> Sequence[int]:
    """Return the indices of the pairs in the order in which the visitor sorts them; cached."""

    def sort_pairs() -> list[int]:
        all_pairs = wrong_pairs.pairs
        values = {
            "size": [-each.size for each in all_pairs],
            "people": [-each.people for each in all_pairs],
            "metric": [-each.metric for each in all_pairs],
            "number": [float(each.segment) for each in all_pairs],
        }[state.by]
        return [int(n) for n in np.argsort(-np.array(values) if state.up else np.array(values), kind="stable")]

    return corpus.cached(("pairs", column.key, table.scale, state.by, state.up), sort_pairs)


def _draw_counts(corpus: AgreementJob, table: Table, column: AgreementColumn, wrong_pairs: WrongPairs) -> None:
    """Draw sentences on how many pairs there are, and how many of them give credit to a marked word.

    Credit is what the metric gives to a match; a marked word is one that people marked as an error."""
    sentence = why.describe_counts(wrong_pairs, column.label)
    if not sentence:
        st.info("People never prefer one output of a segment to another, so no pair can be ranked against them.")
        return
    more = ""
    if column.key in metrics.METRICS and corpus.judged.spans:
        credit_sentences = [
            each.says(column.label)
            for each in pairs.marked_credits(corpus, table, column, wrong_pairs)
            if each.explained
        ]
        more = (
            f"<p><b>{safe(' '.join(credit_sentences), 600)}</b></p>"
            if credit_sentences
            else "<p>Looking for reasons …</p>"
        )
    st.html(f'<div class="answers"><p>{sentence}</p>{more}</div>')


def _draw_table(
    corpus: AgreementJob, state: AgreementState, column: AgreementColumn, wrong_pairs: WrongPairs, order: Sequence[int]
) -> None:
    """Draw the table of the pairs; `order` has the indices of the pairs as they are sorted."""
    names = short_names(corpus.names, NAME_MOST)
    most = max(each.people for each in wrong_pairs.pairs), max(each.metric for each in wrong_pairs.pairs)
    sizes = max(each.size for each in wrong_pairs.pairs)
    at_of = corpus.cached(("at", id(order)), lambda: {n: at for at, n in enumerate(order)})
    chosen = chosen_output.chosen_output(
        corpus, state, OutputList([pairs.pair_as_selection(wrong_pairs.pairs[order[0]])])
    )
    number = next((n for n, each in enumerate(wrong_pairs.pairs) if pairs.pair_as_selection(each) == chosen), None)

    def make_rows(start: int, end: int) -> list[dict[str, Any]]:
        out = []
        for n in order[start:end]:
            pair = wrong_pairs.pairs[n]
            outputs = [corpus.output_text(system, pair.segment).split() for system in (pair.better, pair.worse)]
            cells = [
                {"text": str(pair.segment + 1)},
                {"text": names[pair.better], "tone": "name"},
                {"text": names[pair.worse], "tone": "name"},
                rows.score_cell(pair.people, most[0]) | {"text": f"{pair.people:.4g}"},
                rows.score_cell(pair.metric, most[1]),
                rows.score_cell(pair.size, sizes) | {"text": f"{pair.size:.2f}"},
            ]
            words = rows.diff_pieces(tuple(outputs[0]), tuple(outputs[1]))
            out.append({"segment": n, "of": pair.segment, "cells": cells, "words": words})
        return out

    heads = [
        segments.SegmentColumn("number", "No.", f"Sort by {SORTS['number']}"),
        segments.SegmentColumn("better", "Better", "The output that people prefer"),
        segments.SegmentColumn("worse", "Preferred", f"The output that {visible(column.label, 40)} prefers"),
        segments.SegmentColumn("people", "People by", f"Sort by {SORTS['people']}"),
        segments.SegmentColumn("metric", f"{visible(column.label, 8)} by", f"Sort by {SORTS['metric']}"),
        segments.SegmentColumn("size", "Clear", f"Sort by {SORTS['size']}, in standard deviations"),
        segments.SegmentColumn("words", "People's choice → the metric's", "", wide=True),
    ]
    segments.show(
        heads,
        make_rows,
        len(order),
        f"{corpus.name[:6]} {column.key} {state.scale} {state.by}",
        state.by,
        state.up,
        number,
        at_of.get(number, 0) if number is not None else 0,
        _sort_by,
        partial(_select_pair, wrong_pairs),
        key="agreement_pairs",
    )


def _sort_by(name: str) -> None:
    """Sort the pairs by the column `name`, or reverse the order if they are sorted by it already; a callback."""
    state = st.session_state
    if name in SORTS:
        state.agreement_up = (
            not state.get("agreement_up", False) if state.get("agreement_by", "size") == name else False
        )
        state.agreement_by = name


def _select_pair(wrong_pairs: WrongPairs, number: int) -> None:
    """Select the pair with this index; a callback."""
    if number < len(wrong_pairs.pairs):
        chosen_output.select_output(pairs.pair_as_selection(wrong_pairs.pairs[number]))
