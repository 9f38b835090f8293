"""Where a metric is wrong: pairs of outputs that it ranks against people, the clearest first, and what made it so."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

import metrics
from metrics.corpus.agreement import Agreement as Table
from metrics.corpus.agreement import Column, WrongPairs

from ...components import segments
from ...draw.agreement import why
from ...draw.compare.scores import short_names
from ...draw.corpus import rows
from ...draw.pen import theme
from . import looking, pairs, segment
from .agreeing import Agreeing
from .looking import Listed
from .record import SORTS, Agreement

NAME_MOST = 22  # letters of a system's name, in two lines


def draw(found: Agreeing, shown: Agreement, table: Table) -> None:
    """The pairs, and at the right the chosen one with the edits that the metric rewards."""
    left, right = segment.sides()
    of = looking.of_table(table, looking.column(found, shown))
    if of is None:
        left.info(looking.not_scored(found))
        return
    known = pairs.wrong(found, table, of)
    order = _order(found, table, of, known, shown)
    with left:
        _say(found, table, of, known)
        if not known.pairs:
            return
        _table(found, shown, of, known, order)
    with right:
        listed = [pairs.chosen_of(known.pairs[n]) for n in order]
        says = f"pair of outputs that {of.label} ranks against people"
        segment.draw(found, shown, table, Listed(listed, says))


def _order(found: Agreeing, table: Table, of: Column, known: WrongPairs, shown: Agreement) -> Sequence[int]:
    """The places of the pairs in the order that is asked for."""

    def make() -> list[int]:
        every = known.pairs
        values = {
            "size": [-each.size for each in every],
            "people": [-each.people for each in every],
            "metric": [-each.metric for each in every],
            "number": [float(each.segment) for each in every],
        }[shown.by]
        return [int(n) for n in np.argsort(-np.array(values) if shown.up else np.array(values), kind="stable")]

    return found.remembered(("pairs", of.key, table.scale, shown.by, shown.up), make)


def _say(found: Agreeing, table: Table, of: Column, known: WrongPairs) -> None:
    """How many pairs there are, and in how many of them a marked word earns credit."""
    said = why.counts(known, of.label)
    if not said:
        st.info("People prefer no output of a segment to another one, so that nothing can be ranked against them.")
        return
    more = ""
    if of.key in metrics.METRICS and found.judged.spans:
        told = [each.says(of.label) for each in pairs.credits_of(found, table, of, known) if each.explained]
        more = f"<p><b>{theme.safe(' '.join(told), 600)}</b></p>" if told else "<p>Looking why …</p>"
    st.html(f'<div class="answers"><p>{said}</p>{more}</div>')


def _table(found: Agreeing, shown: Agreement, of: Column, known: WrongPairs, order: Sequence[int]) -> None:
    names = short_names(found.systems, NAME_MOST)
    most = max(each.people for each in known.pairs), max(each.metric for each in known.pairs)
    sizes = max(each.size for each in known.pairs)
    at_of = found.remembered(("at", id(order)), lambda: {n: at for at, n in enumerate(order)})
    chosen = looking.chosen(found, shown, Listed([pairs.chosen_of(known.pairs[order[0]])]))
    number = next((n for n, each in enumerate(known.pairs) if pairs.chosen_of(each) == chosen), None)

    def some(start: int, end: int) -> list[dict[str, Any]]:
        out = []
        for n in order[start:end]:
            pair = known.pairs[n]
            outputs = [found.line(system, pair.segment).split() for system in (pair.better, pair.worse)]
            cells = [
                {"text": str(pair.segment + 1)},
                {"text": names[pair.better], "tone": "name"},
                {"text": names[pair.worse], "tone": "name"},
                rows.score(pair.people, most[0]) | {"text": f"{pair.people:.4g}"},
                rows.score(pair.metric, most[1]),
                rows.score(pair.size, sizes) | {"text": f"{pair.size:.2f}"},
            ]
            words = rows.words(tuple(outputs[0]), tuple(outputs[1]))
            out.append({"segment": n, "of": pair.segment, "cells": cells, "words": words})
        return out

    heads = [
        segments.Column("number", "No.", f"Sort by {SORTS['number']}"),
        segments.Column("better", "Better", "The output that people prefer"),
        segments.Column("worse", "Preferred", f"The output that {theme.visible(of.label, 40)} prefers"),
        segments.Column("people", "People by", f"Sort by {SORTS['people']}"),
        segments.Column("metric", f"{theme.visible(of.label, 8)} by", f"Sort by {SORTS['metric']}"),
        segments.Column("size", "Clear", f"Sort by {SORTS['size']}, in standard deviations"),
        segments.Column("words", "People's choice → the metric's", "", wide=True),
    ]
    segments.show(
        heads,
        some,
        len(order),
        f"{found.name[:6]} {of.key} {shown.scale} {shown.by}",
        shown.by,
        shown.up,
        number,
        at_of.get(number, 0) if number is not None else 0,
        _turn,
        partial(_pick, known),
        partial(_pick, known),
        key="agreement_pairs",
    )


def _turn(name: str) -> None:
    """Sort by a column, in a callback."""
    state = st.session_state
    if name in SORTS:
        state.agreement_up = (
            not state.get("agreement_up", False) if state.get("agreement_by", "size") == name else False
        )
        state.agreement_by = name


def _pick(known: WrongPairs, number: int) -> None:
    """Look at a pair, in a callback."""
    if number < len(known.pairs):
        looking.choose(pairs.chosen_of(known.pairs[number]))
