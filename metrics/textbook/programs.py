"""The papers' programs that can be watched, by the key of their metric."""

from __future__ import annotations

from . import gtm_steps, rouge_l, rouge_n, rouge_s, rouge_w
from .steps import Program

PROGRAMS: dict[str, Program] = {
    "rouge_n": rouge_n.PROGRAM,
    "rouge_l": rouge_l.PROGRAM,
    "rouge_w": rouge_w.PROGRAM,
    "rouge_s": rouge_s.PROGRAM,
    "gtm": gtm_steps.PROGRAM,
}
