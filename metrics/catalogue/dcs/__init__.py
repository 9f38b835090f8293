"""Define `METRIC`, the record that describes dcs to the rest of the program."""

from __future__ import annotations

from functools import partial
from importlib import import_module

from ...alignment.unused_matches import reason_by_reference, used_word_finder
from ...types import Cause, Metric, about
from . import score

METRIC = Metric(
    key="dcs",
    label="dcs",
    name="Double common subsequence score",
    about=about(score.__doc__),
    family="blocks",
    citation="Ding, Utiyama and Sumita, Structured Common Subsequences for Automatic Machine Translation Evaluation",
    higher_is_better=True,
    pooling="mean",
    Settings=score.DCSSettings,
    align=score.align,
    from_stats=score.from_stats,
    formula=score.formula,
    role=score.ROLES.__getitem__,
    complete=score.complete,
    summary=score.summary,
    remark=score.remark,
    why_not=partial(reason_by_reference, reason_finder=used_word_finder),
    account=score.account,
    sights=score.sights,
    # A block counts more if it is longer, and also if a neighbour follows it.
    causes=lambda _: {"contiguity": Cause("longer or closer runs", "shorter or farther runs", "runs")},
    program=lambda: import_module(".program", __name__).PROGRAM,
    asks=lambda: import_module(".questions", __name__).DCSQuestions,
    slips=lambda: import_module(".slips", __name__).slips,
    plans=lambda: import_module(".plans", __name__).PLANS,
)
