"""Define `METRIC`, the record that describes ROUGE-N to the rest of the program."""

from __future__ import annotations

from functools import partial
from importlib import import_module

from ....alignment.unused_matches import reason_by_reference
from ....types import Metric, about
from .. import formula
from .. import score as rouge
from . import score

METRIC = Metric(
    key="rouge_n",
    label="ROUGE-N",
    name="ROUGE-N",
    about=about(score.__doc__),
    family="n-grams",
    citation="Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries, Text Summarization Branches Out",
    higher_is_better=True,
    pooling="mean",
    Settings=score.RougeNSettings,
    align=partial(rouge.align, score.KIND),
    from_stats=partial(rouge.from_stats, score.KIND),
    formula=partial(formula.formula, score.KIND),
    role=rouge.ROLES.__getitem__,
    complete=partial(rouge.complete, score.KIND),
    composition=rouge.composition(score.KIND),
    why=rouge.why,
    why_not=partial(reason_by_reference, reason_finder=score.without_ngram),
    account=score.account,
    sights=score.sights,
    causes=score.causes,
    program=lambda: import_module(".program", __name__).PROGRAM,
    asks=lambda: import_module(".questions", __name__).RougeNQuestions,
    slips=lambda: import_module(".slips", __name__).slips,
    plans=lambda: import_module(".plans", __name__).PLANS,
)
