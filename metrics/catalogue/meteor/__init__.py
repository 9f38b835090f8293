"""Define `METRIC`, the record that describes METEOR to the rest of the program."""

from __future__ import annotations

from functools import partial
from importlib import import_module

from ...alignment.unused_matches import reason_by_reference, used_word_finder
from ...types import Cause, Metric, about
from . import score, settings

METRIC = Metric(
    key="meteor",
    label="METEOR",
    name="Metric for evaluation of translation with explicit ordering",
    family="blocks",
    citation="Banerjee and Lavie (2005), METEOR: An Automatic Metric for MT Evaluation with Improved Correlation with "
    "Human Judgments, ACL; its numbers are parameters since Lavie and Agarwal (2007)",
    higher_is_better=True,
    pooling="sum",
    Settings=settings.METEORSettings,
    align=score.align,
    from_stats=score.from_stats,
    complete=score.complete,
    composition=score.COMPOSITION,
    formula=score.formula,
    role=score.ROLES.__getitem__,
    summary=score.summary,
    remark=score.remark,
    left_out=settings.left_out,
    needs=("nltk",),
    ties=score.ties,
    why_not=partial(reason_by_reference, reason_finder=used_word_finder),
    because=score.because,
    about=about(score.__doc__),
    variants={"METEOR": {"stages": ("exact", "stem")}},  # no synonyms: they depend on the WordNet installed
    account=score.account,
    sights=score.sights,
    causes=lambda _: {"contiguity": Cause("more chunks", "fewer chunks", "chunks", True)},
    program=lambda: import_module(".program", __name__).PROGRAM,
    asks=lambda: import_module(".questions", __name__).METEORQuestions,
    slips=lambda: import_module(".slips", __name__).slips,
    plans=lambda: import_module(".plans", __name__).PLANS,
)
