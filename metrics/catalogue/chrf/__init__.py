"""Define `METRIC`, the record that describes chrF to the rest of the program."""

from __future__ import annotations

from importlib import import_module

from ...types import Metric, about
from . import descriptions, score

METRIC = Metric(
    key="chrf",
    label="chrF",
    name="chrF",
    about=about(score.__doc__),
    family="n-grams",
    citation="Popović (2015), chrF: character n-gram F-score for automatic MT evaluation; Popović (2017), chrF++: "
    "words helping character n-grams",
    higher_is_better=True,
    pooling="sum",
    Settings=score.ChrFSettings,
    align=score.align,
    from_stats=score.from_stats,
    formula=score.formula,
    role=score.ROLES.__getitem__,
    complete=score.complete,
    composition=score.COMPOSITION,
    remark=score.remark,
    why_not=score.why_not,
    variants={"chrF++": {"word_order": 2}},
    account=score.account,
    sights=score.sights,
    causes=descriptions.causes,
    sacrebleu=descriptions.sacrebleu,
    reported=1,
    program=lambda: import_module(".program", __name__).PROGRAM,
    asks=lambda: import_module(".questions", __name__).ChrFQuestions,
    slips=lambda: import_module(".slips", __name__).slips,
    plans=lambda: import_module(".plans", __name__).PLANS,
)
