"""Define `METRIC`, the record that describes RIBES to the rest of the program."""

from __future__ import annotations

from functools import partial
from importlib import import_module

from ...alignment.unused_matches import reason_by_reference
from ...types import Cause, Metric, about
from . import score

METRIC = Metric(
    key="ribes",
    label="RIBES",
    name="Rank-based Intuitive Bilingual Evaluation Score",
    family="word order",
    citation="Isozaki, Hirao, Duh, Sudoh and Tsukada (2010), Automatic Evaluation of Translation Quality for Distant "
    "Language Pairs, EMNLP",
    higher_is_better=True,
    pooling="mean",
    Settings=score.RIBESSettings,
    align=score.align,
    from_stats=score.from_stats,
    complete=score.complete,
    composition=score.COMPOSITION,
    formula=score.formula,
    role=score.ROLES.__getitem__,
    length_penalty="brevity_penalty",
    summary=score.summary,
    remark=score.remark,
    about=about(score.__doc__),
    why_not=partial(reason_by_reference, reason_finder=score.explain_unaligned),
    account=score.account,
    sights=score.sights,
    causes=lambda _: {
        "matches": Cause("more aligned words", "fewer aligned words", "aligned words"),
        "order": Cause("more pairs out of order", "fewer pairs out of order", "pairs out of order", True),
    },
    program=lambda: import_module(".program", __name__).PROGRAM,
    asks=lambda: import_module(".questions", __name__).RIBESQuestions,
    slips=lambda: import_module(".slips", __name__).slips,
    plans=lambda: import_module(".plans", __name__).PLANS,
)
