"""A trace with its questions: what is asked before each step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..catalogue.bleu.questions import Information, Precisions
from ..catalogue.dcs.questions import Blocks
from ..catalogue.gtm.questions import Matching
from ..catalogue.meteor.questions import Alignments
from ..catalogue.per.questions import Bags
from ..catalogue.ribes.questions import Ranks
from ..catalogue.rouge.rouge_l.questions import Longest
from ..catalogue.rouge.rouge_n.questions import Grams, Pairs
from ..catalogue.rouge.rouge_w.questions import Runs
from ..catalogue.sia.questions import Rounds
from ..catalogue.ter.questions import Shifts
from ..catalogue.wer.questions import Edits
from .asking import Asking
from .programs import PROGRAMS
from .records import Question
from .steps import Step, Trace

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
