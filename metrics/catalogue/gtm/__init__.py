"""Define `METRIC`, the record that describes GTM to the rest of the program."""

from __future__ import annotations

from importlib import import_module

from ...types import Metric, about
from . import score

METRIC = Metric(
    key="gtm",
    label="GTM",
    name="General Text Matcher",
    about=about(score.__doc__),
    family="blocks",
    citation="Turian, Shen and Melamed (2003), Evaluation of Machine Translation and its Evaluation, MT Summit IX",
    higher_is_better=True,
    pooling="sum",
    Settings=score.GTMSettings,
    align=score.align,
    from_stats=score.from_stats,
    complete=score.complete,
    composition=score.COMPOSITION,
    why=score.why,
    formula=score.formula,
    role=score.ROLES.__getitem__,
    remark=score.remark,
    ties=score.ties,
    why_not=score.why_not,
    variants={"GTM, e = 1": {"exponent": 1.0}},
    account=score.account,
    sights=score.sights,
    program=lambda: import_module(".program", __name__).PROGRAM,
    asks=lambda: import_module(".questions", __name__).MatchingQuestions,
    slips=lambda: import_module(".slips", __name__).slips,
    plans=lambda: import_module(".plans", __name__).PLANS,
)
