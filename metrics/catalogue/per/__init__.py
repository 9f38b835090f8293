"""Define `METRIC`, the record that describes PER to the rest of the program."""

from __future__ import annotations

import math
from functools import partial
from importlib import import_module

from ...alignment.edits import remark_on_rate
from ...alignment.unused_matches import reason_by_reference, used_word_finder
from ...types import Metric, about
from . import score

METRIC = Metric(
    key="per",
    label="PER",
    name="Position-independent error rate",
    family="edits",
    citation="Tillmann, Vogel, Ney, Zubiaga and Sawaf (1997), Accelerated DP Based Search for Statistical Translation",
    higher_is_better=False,
    pooling="sum",
    Settings=score.PERSettings,
    align=score.align,
    from_stats=score.from_stats,
    complete=score.complete,
    composition=score.COMPOSITION,
    most=math.inf,
    formula=score.formula,
    role=score.ROLES.__getitem__,
    summary=score.summary,
    remark=remark_on_rate,
    why_not=partial(reason_by_reference, reason_finder=used_word_finder),
    about=about(score.__doc__),
    account=score.account,
    sights=score.sights,
    program=lambda: import_module(".program", __name__).PROGRAM,
    asks=lambda: import_module(".questions", __name__).PERQuestions,
    slips=lambda: import_module(".slips", __name__).slips,
    plans=lambda: import_module(".plans", __name__).PLANS,
)
