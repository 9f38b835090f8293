"""ROUGE-S: the record of all that is known of it."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

from .. import score

METRIC = replace(
    score.ROUGE_S,
    variants={"ROUGE-S0": {"max_skip": 0}},
    program=lambda: import_module(".program", __name__).PROGRAM,
    asks=lambda: import_module(".questions", __name__).Pairs,
    slips=lambda: import_module(".slips", __name__).slips,
    plans=lambda: import_module(".plans", __name__).PLANS,
)
