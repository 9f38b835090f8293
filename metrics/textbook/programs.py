"""The papers' programs that can be watched, by the key of their metric."""

from __future__ import annotations

from . import bleu, dcs, meteor, nist, per, ribes, rouge_l, sia, ter, wer
from .steps import Program

PROGRAMS: dict[str, Program] = {
    "bleu": bleu.PROGRAM,
    "nist": nist.PROGRAM,
    "rouge_l": rouge_l.PROGRAM,
    "sia": sia.PROGRAM,
    "dcs": dcs.PROGRAM,
    "meteor": meteor.PROGRAM,
    "ribes": ribes.PROGRAM,
    "wer": wer.PROGRAM,
    "per": per.PROGRAM,
    "ter": ter.PROGRAM,
}
