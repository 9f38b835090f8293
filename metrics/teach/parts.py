"""The optional parts of a metric that are for teaching: loaded, or a ValueError in one sentence where it lacks them."""

from __future__ import annotations

from typing import Any

from ..types import Metric
from .asking import Asking
from .plans import Plans
from .steps import Program


def program(metric: Metric) -> Program:
    """The paper's program."""
    metric_program: Program = _loaded(metric, "program", "no program whose steps could be watched")
    return metric_program


def asks(metric: Metric) -> type[Asking]:
    """What asks about the steps of its program."""
    asker_type: type[Asking] = _loaded(metric, "asks", "no questions about the steps of its program")
    return asker_type


def plans(metric: Metric) -> Plans:
    """What its exercises are made of."""
    metric_plans: Plans = _loaded(metric, "plans", "no exercises")
    return metric_plans


def _loaded(metric: Metric, name: str, lacking: str) -> Any:
    load = getattr(metric, name)
    if load is None:
        raise ValueError(f"{metric.label} has {lacking}")
    return load()
