"""The papers' programs that can be watched, by the key of their metric."""

from __future__ import annotations

from ..catalogue.bleu import program as bleu
from ..catalogue.dcs import program as dcs
from ..catalogue.gtm import program as gtm_steps
from ..catalogue.meteor import program as meteor
from ..catalogue.nist import program as nist
from ..catalogue.per import program as per
from ..catalogue.ribes import program as ribes
from ..catalogue.rouge.rouge_l import program as rouge_l
from ..catalogue.rouge.rouge_n import program as rouge_n
from ..catalogue.rouge.rouge_s import program as rouge_s
from ..catalogue.rouge.rouge_w import program as rouge_w
from ..catalogue.sia import program as sia
from ..catalogue.ter import program as ter
from ..catalogue.wer import program as wer
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
