"""Define `METRIC`, the record that describes ROUGE-W to the rest of the program."""

from __future__ import annotations

from functools import partial
from importlib import import_module

from ....alignment.unused_matches import off_path_reason_finder, reason_by_reference
from ....types import Metric, about
from .. import formula
from .. import score as rouge
from . import score

METRIC = Metric(
    key="rouge_w",
    label="ROUGE-W",
    name="ROUGE-W",
    about=about(score.__doc__),
    family="subsequences",
    citation="Lin and Och (2004), Automatic Evaluation of Machine Translation Quality Using Longest Common Subsequence "
    "and Skip-Bigram Statistics, ACL",
    higher_is_better=True,
    pooling="mean",
    Settings=score.RougeWSettings,
    align=partial(rouge.align, score.KIND),
    from_stats=partial(rouge.from_stats, score.KIND),
    formula=partial(formula.formula, score.KIND),
    role=rouge.ROLES.__getitem__,
    complete=partial(rouge.complete, score.KIND),
    composition=rouge.composition(score.KIND),
    why=score.why,
    remark=score.remark,
    why_not=partial(reason_by_reference, reason_finder=off_path_reason_finder),
    account=score.account,
    sights=score.sights,
    causes=rouge.ordered_word_causes,
    program=lambda: import_module(".program", __name__).PROGRAM,
    asks=lambda: import_module(".questions", __name__).RougeWQuestions,
    slips=lambda: import_module(".slips", __name__).slips,
    plans=lambda: import_module(".plans", __name__).PLANS,
)
