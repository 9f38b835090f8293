"""The papers' experiments, each to be repeated on a reader's own data."""

from . import ding, lin_och, liu_gildea, orange, turian
from .experiment import Experiment as Experiment

#: All of them, in the order in which a page lists them.
EXPERIMENTS: tuple[Experiment, ...] = (
    lin_och.EXPERIMENT,
    orange.EXPERIMENT,
    liu_gildea.EXPERIMENT,
    liu_gildea.COMPONENTS,
    turian.EXPERIMENT,
    ding.EXPERIMENT,
)
