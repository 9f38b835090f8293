"""The papers' programs that can be watched, by the key of their metric."""

from __future__ import annotations

from . import bleu, nist, per, sia, wer
from .rouge import ROUGE_L
from .steps import Program

PROGRAMS: dict[str, Program] = {
    "rouge_l": ROUGE_L,
    "bleu": bleu.PROGRAM,
    "nist": nist.PROGRAM,
    "sia": sia.PROGRAM,
    "wer": wer.PROGRAM,
    "per": per.PROGRAM,
}
