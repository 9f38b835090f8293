"""The registry of the papers' experiments, which readers can repeat on their own data."""

from . import ding, lin_och, liu_gildea, orange, turian
from .experiment import Experiment as Experiment

#: All experiments, in the order in which a page lists them.
EXPERIMENTS: tuple[Experiment, ...] = (
    lin_och.EXPERIMENT,
    orange.EXPERIMENT,
    liu_gildea.EXPERIMENT,
    liu_gildea.COMPONENTS,
    turian.EXPERIMENT,
    ding.EXPERIMENT,
)
