"""Define `METRIC`, the record that describes SIA to the rest of the program."""

from __future__ import annotations

from importlib import import_module

from ...types import Metric, about
from . import score

METRIC = Metric(
    key="sia",
    label="SIA",
    name="Stochastic Iterative Alignment",
    about=about(score.__doc__),
    family="subsequences",
    citation="Liu and Gildea (2006), Stochastic Iterative Alignment for Machine Translation Evaluation, COLING/ACL",
    higher_is_better=True,
    pooling="mean",
    Settings=score.SIASettings,
    align=score.align,
    from_stats=score.from_stats,
    formula=score.formula,
    role=score.role,
    complete=score.complete,
    composition=score.COMPOSITION,
    why=lambda cause, result: "words: a word after a gap counts less, and so does a word of a later round",
    length_penalty="length_penalty",
    summary=score.summary,
    account=score.account,
    left_out=score.left_out,
    ties=score.ties,
    why_not=score.why_not,
    because=score.because,
    variants={"SIA, one round": {"iterative": False, "length_penalty": False}},
    program=lambda: import_module(".program", __name__).PROGRAM,
    asks=lambda: import_module(".questions", __name__).SIAQuestions,
    slips=lambda: import_module(".slips", __name__).slips,
    plans=lambda: import_module(".plans", __name__).PLANS,
)
