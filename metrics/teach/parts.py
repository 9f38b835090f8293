"""Loads the optional parts of a metric that are for teaching.

Each function raises ValueError, with one sentence, if the metric lacks the part."""

from __future__ import annotations

from typing import Any

from ..types import Metric
from .asking import Asking
from .plans import Plans
from .steps import Program


def program(metric: Metric) -> Program:
    """Return the program of the metric's paper."""
    metric_program: Program = _load_part(metric, "program", "no program whose steps could be watched")
    return metric_program


def asks(metric: Metric) -> type[Asking]:
    """Return the class that asks about the steps of the metric's program."""
    asker_type: type[Asking] = _load_part(metric, "asks", "no questions about the steps of its program")
    return asker_type


def plans(metric: Metric) -> Plans:
    """Return the plans of the metric's exercises."""
    metric_plans: Plans = _load_part(metric, "plans", "no exercises")
    return metric_plans


def _load_part(metric: Metric, name: str, lacking: str) -> Any:
    """Return a part of the metric; raise ValueError if the metric lacks it."""
    load = getattr(metric, name)
    if load is None:
        raise ValueError(f"{metric.label} has {lacking}")
    return load()
