"""Define `METRIC`, the record that describes WER to the rest of the program."""

from __future__ import annotations

import math
from functools import partial
from importlib import import_module

from ...alignment.edits import remark_on_rate
from ...alignment.unused_matches import off_script_reason_finder, reason_by_reference
from ...types import Metric, about
from . import score

METRIC = Metric(
    key="wer",
    label="WER",
    name="Word error rate",
    family="edits",
    citation="Nießen, Och, Leusch and Ney (2000), An Evaluation Tool for Machine Translation, LREC",
    higher_is_better=False,
    pooling="sum",
    Settings=score.WERSettings,
    align=score.align,
    from_stats=score.from_stats,
    formula=score.formula,
    role=score.ROLES.__getitem__,
    composition=score.COMPOSITION,
    most=math.inf,
    why_not=partial(reason_by_reference, reason_finder=off_script_reason_finder),
    summary=score.summary,
    remark=remark_on_rate,
    ties=score.ties,
    about=about(score.__doc__),
    account=score.account,
    sights=score.sights,
    program=lambda: import_module(".program", __name__).PROGRAM,
    asks=lambda: import_module(".questions", __name__).WERQuestions,
    slips=lambda: import_module(".slips", __name__).slips,
    plans=lambda: import_module(".plans", __name__).PLANS,
)
