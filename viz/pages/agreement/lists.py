"""Outputs as rows of a table, of which one is chosen."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from metrics.corpus.agreement import Agreement as Table
from metrics.corpus.agreement import Column

from ...components import segments
from ...draw.compare.scores import short_names
from ...draw.corpus import rows
from ...draw.pen import theme
from . import agreeing, looking
from .agreeing import Agreeing
from .looking import Chosen, Listed
from .record import Agreement

NAME_MOST = 22  # letters of a system's name, in two lines
WORDS_MOST = 26


def draw(found: Agreeing, shown: Agreement, table: Table, of: Column | None, listed: Listed, key: str) -> None:
    """The listed outputs: people's judgement, the score, and the words."""
    names = short_names(found.systems, NAME_MOST)
    chosen = looking.chosen(found, shown, listed)
    places = {(each.system, each.segment): at for at, each in enumerate(listed.outputs)}
    at = None if chosen is None else places.get((chosen.system, chosen.segment))
    worst = float(np.nanmax(np.abs(table.people), initial=0.0)) or 1.0
    most = 1.0 if of is None else float(np.nanmax(np.abs(of.scores), initial=0.0)) or 1.0

    def some(start: int, end: int) -> list[dict[str, Any]]:
        out = []
        for each in listed.outputs[start:end]:
            people = float(table.people[each.system, each.segment])
            words = found.line(each.system, each.segment).split()
            cells = [
                {"text": str(each.segment + 1)},
                {"text": names[each.system], "tone": "name"},
                rows.score(abs(people), worst) | {"text": f"{people:.4g}".replace("-", "−")},
            ]
            if of is not None:
                score = float(of.scores[each.system, each.segment])
                cells.append(rows.score(abs(score), most) | {"text": f"{score:.3f}".replace("-", "−")})
            cut = " ".join([theme.visible(word) for word in words[:WORDS_MOST]])
            number = agreeing.number_of(found, each.system, each.segment)
            out.append({"segment": number, "of": each.segment, "cells": cells, "words": [(0, cut)]})
        return out

    heads = [
        segments.Column("number", "No.", "The place in the files"),
        segments.Column("system", "System", "Whose output it is"),
        segments.Column("people", "People", f"The judgement on {theme.visible(table.scale, 40)}"),
        *([] if of is None else [segments.Column("score", looking.label_of(of), "The score")]),
        segments.Column("words", "Output", "", wide=True),
    ]
    segments.show(
        heads,
        some,
        len(listed.outputs),
        f"{found.name[:6]} {shown.view} {shown.choice} {of.key if of else ''} {table.scale}",
        "",
        False,
        None if chosen is None else agreeing.number_of(found, chosen.system, chosen.segment),
        at or 0,
        lambda name: None,
        partial(_pick, found),
        partial(_pick, found),
        key=key,
    )


def _pick(found: Agreeing, number: int) -> None:
    if number < len(found.systems) * found.size:
        looking.choose(Chosen(*agreeing.output_of(found, number)))
