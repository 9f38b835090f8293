"""Estimate how long a student takes for a chapter, from what there is to read, to follow and to answer."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import metrics
from metrics.teach import parts
from metrics.teach.records import Question
from metrics.teach.steps import ProgramStep
from metrics.types.work import spend

from ...draw.learn import lesson_steps
from ...draw.learn.chapter import ChapterExample, Screen
from ...state.results import cache
from ...state.results.cache import Problem

#: A student's pace: words read in a minute, and the seconds to look at a screen's picture, to choose or click an
#: answer, to work out a number, to follow a step, to try sentences of one's own, and to do an exercise.
WORDS_A_MINUTE = 200
LOOK, CHOOSE, WORK_OUT, FOLLOW, TRY, EXERCISE = 15, 20, 30, 3, 60, 240


STEP_WORK = 400  # steps of work counted for one step of an algorithm with its question


def estimated_minutes(screens: Sequence[Screen]) -> int:
    """Return how many minutes a student takes for the screens, all steps of their algorithms, and one exercise.

    This is an estimate from the numbers of words, steps and questions, not a measurement."""
    seconds, words = float(EXERCISE), 0
    for screen in screens:
        ask = screen.ask
        texts = [screen.title, screen.text, screen.reveal, screen.erratum, *screen.hints]
        texts += [ask.text, *ask.choices, ask.because] if ask else []
        seconds += LOOK + (TRY if screen.kind in ("idea", "blind") else 0)
        seconds += (CHOOSE if ask.choices else WORK_OUT) if ask else 0
        if screen.kind == "algorithm" and screen.example:
            for step, question in _asked_steps(screen.example):
                texts += [step.text, question.text] if question else [step.text]
                seconds += (WORK_OUT if question.kind == "number" else CHOOSE) if question else FOLLOW
        words += sum(
            [len(re.sub("<[^>]*+(>?)", lambda tag: " " if tag[1] else tag[0], text).split()) for text in texts]
        )
    return math.ceil(seconds / 60 + words / WORDS_A_MINUTE)


def _asked_steps(example: ChapterExample) -> Sequence[tuple[ProgramStep, Question | None]]:
    """Return the steps of an example, each with the question about it, if any; empty if there are too many."""

    def find() -> list[tuple[ProgramStep, Question | None]]:
        out = []
        for each in lesson_steps.asked_steps(example):
            spend(STEP_WORK)
            out.append(each)
        return out

    asked_steps = cache.bounded(example.metric, find)
    return () if isinstance(asked_steps, Problem) else asked_steps


def lacks_steps(key: str) -> str:
    """Return a message that says why the metric `key` has no steps to ask about, "" if it has them."""
    metric = metrics.METRICS[key]
    try:
        parts.load_program(metric), parts.load_question_class(metric)
    except ValueError as error:
        return str(error)
    return ""
