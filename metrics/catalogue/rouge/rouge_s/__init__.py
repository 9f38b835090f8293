"""Define `METRIC`, the record that describes ROUGE-S to the rest of the program."""

from __future__ import annotations

from functools import partial
from importlib import import_module

from ....alignment.unused_matches import reason_by_reference
from ....types import Cause, Metric, about
from .. import formula
from .. import score as rouge
from . import score

METRIC = Metric(
    key="rouge_s",
    label="ROUGE-S",
    name="ROUGE-S",
    about=about(score.__doc__),
    family="skip-bigrams",
    citation="Lin and Och (2004), Automatic Evaluation of Machine Translation Quality Using Longest Common Subsequence "
    "and Skip-Bigram Statistics, ACL",
    higher_is_better=True,
    pooling="mean",
    Settings=score.RougeSSettings,
    align=partial(rouge.align, score.KIND),
    from_stats=partial(rouge.from_stats, score.KIND),
    formula=partial(formula.formula, score.KIND),
    role=rouge.ROLES.__getitem__,
    complete=partial(rouge.complete, score.KIND),
    composition=rouge.composition(score.KIND),
    why=rouge.why,
    variants={"ROUGE-S0": {"max_skip": 0}},
    why_not=partial(reason_by_reference, reason_finder=score.without_pair),
    account=score.account,
    causes=lambda _: {
        "matches": Cause("more matching pairs of words", "fewer matching pairs of words", "matching pairs of words")
    },
    program=lambda: import_module(".program", __name__).PROGRAM,
    asks=lambda: import_module(".questions", __name__).RougeSQuestions,
    slips=lambda: import_module(".slips", __name__).slips,
    plans=lambda: import_module(".plans", __name__).PLANS,
)
