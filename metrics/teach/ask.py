"""Combines the steps of a metric's computation with the questions that are asked before them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .asking import StepQuestions
from .records import Question
from .steps import ProgramStep, Trace


def steps_with_questions(
    asks: type[StepQuestions], trace: Trace, interval: int
) -> Iterator[tuple[ProgramStep, Question | None]]:
    """Yield each step of the trace with the question to ask before it is shown, or None if nothing is asked.

    `asks` is the metric's class of questions. Of repeated steps of a kind, one in `interval` gets a question."""
    asker = asks(trace, trace.code, interval)
    for number, step in enumerate(trace):
        line = trace.code.names[step.line]
        question = asker.question_before(line, step)
        if question:
            about = () if question.kind == "cells" else tuple(asker.about(line, step))
            question = replace(question, step=number, about=about, k=step.table.k if step.table else None)
        yield step, question
