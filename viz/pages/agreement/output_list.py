"""Draw outputs as rows of a table in which one can be selected."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from metrics.corpus.agreement import AgreementColumn
from metrics.corpus.agreement import AgreementTable as Table

from ...components import segments
from ...draw.compare.scores import short_names
from ...draw.corpus import rows
from ...draw.pen.text import visible
from . import agreement_job, chosen_output
from .agreement_job import AgreementJob
from .chosen_output import OutputList
from .record import AgreementState

NAME_MOST = 22  # letters of a system's name, which fills at most two lines
WORDS_MOST = 26


def draw(
    corpus: AgreementJob,
    state: AgreementState,
    table: Table,
    scores_column: AgreementColumn | None,
    listed: OutputList,
    key: str,
) -> None:
    """Draw a table of the listed outputs, with people's judgement, the score and the words of each.

    `scores_column` is the column of the agreement table with the scores; if it is None, no scores are drawn. `key` is
    the key of the component."""
    names = short_names(corpus.names, NAME_MOST)
    chosen = chosen_output.chosen_output(corpus, state, listed)
    places = {(each.system, each.segment): at for at, each in enumerate(listed.outputs)}
    at = None if chosen is None else places.get((chosen.system, chosen.segment))
    worst = float(np.nanmax(np.abs(table.people), initial=0.0)) or 1.0
    most = 1.0 if scores_column is None else float(np.nanmax(np.abs(scores_column.scores), initial=0.0)) or 1.0

    def make_rows(start: int, end: int) -> list[dict[str, Any]]:
        out = []
        for each in listed.outputs[start:end]:
            people = float(table.people[each.system, each.segment])
            words = corpus.output_text(each.system, each.segment).split()
            cells = [
                {"text": str(each.segment + 1)},
                {"text": names[each.system], "tone": "name"},
                rows.score_cell(abs(people), worst) | {"text": f"{people:.4g}".replace("-", "−")},
            ]
            if scores_column is not None:
                score = float(scores_column.scores[each.system, each.segment])
                cells.append(rows.score_cell(abs(score), most) | {"text": f"{score:.3f}".replace("-", "−")})
            cut = " ".join([visible(word) for word in words[:WORDS_MOST]])
            number = agreement_job.output_number(corpus, each.system, each.segment)
            out.append({"segment": number, "of": each.segment, "cells": cells, "words": [(0, cut)]})
        return out

    heads = [
        segments.SegmentColumn("number", "No.", "The place in the files"),
        segments.SegmentColumn("system", "System", "Whose output it is"),
        segments.SegmentColumn("people", "People", f"The judgement on {visible(table.scale, 40)}"),
        segments.SegmentColumn("words", "Output", "", wide=True),
    ]
    if scores_column is not None:
        heads.insert(3, segments.SegmentColumn("score", chosen_output.axis_label(scores_column), "The score"))
    segments.show(
        heads,
        make_rows,
        len(listed.outputs),
        f"{corpus.name[:6]} {state.view} {state.choice} {scores_column.key if scores_column else ''} {table.scale}",
        "",
        False,
        None if chosen is None else agreement_job.output_number(corpus, chosen.system, chosen.segment),
        at or 0,
        lambda name: None,
        partial(chosen_output.select_output_by_number, corpus),
        key=key,
    )
