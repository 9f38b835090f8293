"""Define `METRIC`, the record that describes NIST to the rest of the program."""

from __future__ import annotations

import math
from importlib import import_module

from ...alignment.unused_matches import clipped_reason_finder
from ...types import Cause, Metric, about
from . import score

METRIC = Metric(
    key="nist",
    label="NIST",
    name="NIST",
    about=about(score.__doc__),
    family="n-grams",
    citation="Doddington (2002), Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence "
    "Statistics, HLT",
    higher_is_better=True,
    pooling="sum",
    Settings=score.NISTSettings,
    align=score.align,
    from_stats=score.from_stats,
    formula=score.formula,
    role=score.ROLES.__getitem__,
    complete=score.complete,
    composition=score.COMPOSITION,
    most=math.inf,
    why=lambda cause, result: "bits: a match counts its information",
    length_penalty="brevity_penalty",
    summary=score.summary,
    remark=score.remark,
    why_not=clipped_reason_finder,
    corpus=score.corpus,
    account=score.account,
    causes=lambda _: {
        "matches": Cause("more information in {name}", "less information in {name}", "information in {name}")
    },
    program=lambda: import_module(".program", __name__).PROGRAM,
    asks=lambda: import_module(".questions", __name__).NISTQuestions,
    slips=lambda: import_module(".slips", __name__).slips,
    plans=lambda: import_module(".plans", __name__).PLANS,
)
