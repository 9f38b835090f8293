"""The papers' programs that can be watched, by the key of their metric."""

from __future__ import annotations

from . import (
    bleu,
    dcs,
    gtm_steps,
    meteor,
    nist,
    per,
    ribes,
    rouge_l,
    rouge_n,
    rouge_s,
    rouge_w,
    sia,
    ter,
    wer,
)
from .steps import Program

PROGRAMS: dict[str, Program] = {
    "bleu": bleu.PROGRAM,
    "nist": nist.PROGRAM,
    "rouge_n": rouge_n.PROGRAM,
    "rouge_l": rouge_l.PROGRAM,
    "rouge_w": rouge_w.PROGRAM,
    "rouge_s": rouge_s.PROGRAM,
    "gtm": gtm_steps.PROGRAM,
    "sia": sia.PROGRAM,
    "dcs": dcs.PROGRAM,
    "meteor": meteor.PROGRAM,
    "ribes": ribes.PROGRAM,
    "wer": wer.PROGRAM,
    "per": per.PROGRAM,
    "ter": ter.PROGRAM,
}
