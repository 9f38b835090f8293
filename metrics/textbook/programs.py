"""The papers' programs that can be watched, by the key of their metric."""

from __future__ import annotations

from .per import PER
from .rouge import ROUGE_L
from .steps import Program
from .wer import WER

PROGRAMS: dict[str, Program] = {
    "rouge_l": ROUGE_L,
    "wer": WER,
    "per": PER,
}
