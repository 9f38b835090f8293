"""The papers' programs that can be watched, by the key of their metric."""

from __future__ import annotations

from . import rouge_l
from .steps import Program

PROGRAMS: dict[str, Program] = {
    "rouge_l": rouge_l.PROGRAM,
}
