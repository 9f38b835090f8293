"""Loads the optional modules of a metric that are for teaching: its program, its questions and its exercises.

Each function raises ValueError, with one sentence, if the metric lacks the module."""

from __future__ import annotations

from typing import Any

from ..types import Metric
from .asking import StepQuestions
from .plans import Plans
from .steps import Program


def load_program(metric: Metric) -> Program:
    """Return the metric's program: the pseudo-code and the steps of its paper's algorithm."""
    metric_program: Program = _load_for_teaching(metric, "program", "no program with steps to watch")
    return metric_program


def load_question_class(metric: Metric) -> type[StepQuestions]:
    """Return the metric's class that asks questions about the steps of its program."""
    asker_type: type[StepQuestions] = _load_for_teaching(metric, "asks", "no questions about the steps of its program")
    return asker_type


def load_plans(metric: Metric) -> Plans:
    """Return what the metric's exercises are made of: settings by level, and questions."""
    metric_plans: Plans = _load_for_teaching(metric, "plans", "no exercises")
    return metric_plans


def _load_for_teaching(metric: Metric, name: str, lacking: str) -> Any:
    """Return the value of the metric's loader `name`; raise ValueError, which says `lacking`, if it has none."""
    load = getattr(metric, name)
    if load is None:
        raise ValueError(f"{metric.label} has {lacking}")
    return load()
