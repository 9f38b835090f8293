"""Combines the steps of a trace with the questions that are asked before them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .asking import Asking
from .records import Question
from .steps import ProgramStep, Trace


def steps_with_questions(
    asks: type[Asking], trace: Trace, interval: int
) -> Iterator[tuple[ProgramStep, Question | None]]:
    """Yield each step of the trace with the question to ask before it is shown; None for no question."""
    asker = asks(trace, trace.code, interval)
    for number, step in enumerate(trace):
        line = trace.code.names[step.line]
        question = asker.question_before(line, step)
        if question:
            about = () if question.kind == "cells" else tuple(asker.about(line, step))
            question = replace(question, step=number, about=about, k=step.table.k if step.table else None)
        yield step, question
