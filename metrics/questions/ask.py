"""A trace with its questions: what is asked before each step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..textbook.programs import PROGRAMS
from ..textbook.steps import Step, Trace
from .asking import Asking
from .bags import Bags
from .bleu import Information, Precisions
from .dcs import Blocks
from .gtm import Matching
from .meteor import Alignments
from .records import Question
from .ribes import Ranks
from .rouge_l import Longest
from .rouge_n import Grams, Pairs
from .rouge_w import Runs
from .sia import Rounds
from .ter import Shifts
from .wer import Edits

ASKERS: dict[str, type[Asking]] = {
    "bleu": Precisions,
    "nist": Information,
    "rouge_n": Grams,
    "rouge_l": Longest,
    "rouge_s": Pairs,
    "rouge_w": Runs,
    "gtm": Matching,
    "sia": Rounds,
    "dcs": Blocks,
    "meteor": Alignments,
    "ribes": Ranks,
    "wer": Edits,
    "per": Bags,
    "ter": Shifts,
}


def asked(trace: Trace, every: int) -> Iterator[tuple[Step, Question | None]]:
    """The steps of a trace, each with the question to ask before it is shown."""
    code = PROGRAMS[trace.metric].code(trace.settings)
    asker = ASKERS[trace.metric](trace, code, every)
    for number, step in enumerate(trace):
        line = code.names[step.line]
        question = asker.at(line, step)
        if question:
            about = () if question.kind == "cells" else tuple(asker.about(line, step))
            question = replace(question, step=number, about=about, k=step.table.k if step.table else None)
        yield step, question
