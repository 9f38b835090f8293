"""Define `METRIC`, the record that describes TER to the rest of the program."""

from __future__ import annotations

import math
from functools import partial
from importlib import import_module

from ...alignment.unused_matches import off_script_reason_finder, reason_by_reference
from ...types import Metric, about
from . import score, shifts

METRIC = Metric(
    key="ter",
    label="TER",
    name="Translation edit rate",
    about=about(score.__doc__),
    family="edits",
    citation="Snover, Dorr, Schwartz, Micciulla and Makhoul (2006), A Study of Translation Edit Rate with Targeted "
    "Human Annotation, AMTA",
    higher_is_better=False,
    pooling="sum",
    Settings=shifts.TERSettings,
    align=score.align,
    from_stats=score.from_stats,
    formula=score.formula,
    role=score.ROLES.__getitem__,
    composition=score.COMPOSITION,
    most=math.inf,
    why_not=partial(reason_by_reference, reason_finder=off_script_reason_finder),
    summary=score.summary,
    remark=score.remark,
    account=score.account,
    sights=score.sights,
    sacrebleu=score.sacrebleu,
    program=lambda: import_module(".program", __name__).PROGRAM,
    asks=lambda: import_module(".questions", __name__).TERQuestions,
    slips=lambda: import_module(".slips", __name__).slips,
    plans=lambda: import_module(".plans", __name__).PLANS,
)
