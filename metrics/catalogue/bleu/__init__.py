"""Define `METRIC`, the record that describes BLEU to the rest of the program."""

from __future__ import annotations

from importlib import import_module

from ...alignment.unused_matches import clipped_reason_finder
from ...types import Cause, Metric, about
from . import descriptions, score

METRIC = Metric(
    key="bleu",
    label="BLEU",
    name="BLEU",
    about=about(score.__doc__),
    family="n-grams",
    citation="Papineni, Roukos, Ward and Zhu (2002), BLEU: A Method for Automatic Evaluation of Machine Translation",
    higher_is_better=True,
    pooling="sum",
    Settings=score.BLEUSettings,
    align=score.align,
    from_stats=score.from_stats,
    formula=score.formula,
    role=score.ROLES.__getitem__,
    sentence_settings=score.sentence_settings,
    complete=score.complete,
    composition=score.COMPOSITION,
    zero=score.zero,
    length_penalty="brevity_penalty",
    summary=score.summary,
    remark=score.remark,
    why_not=clipped_reason_finder,
    variants={"BLEU-2": {"max_order": 2}},  # BLEU-4 is 0 for most short sentences
    account=score.account,
    sights=score.sights,
    causes=lambda _: {"matches": Cause("more matching {name}", "fewer matching {name}", "matching {name}")},
    sacrebleu=descriptions.sacrebleu,
    reported=2,
    agreement=descriptions.AGREEMENT,
    program=lambda: import_module(".program", __name__).PROGRAM,
    asks=lambda: import_module(".questions", __name__).BLEUQuestions,
    slips=lambda: import_module(".slips", __name__).slips,
    plans=lambda: import_module(".plans", __name__).PLANS,
)
