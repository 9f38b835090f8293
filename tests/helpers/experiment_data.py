"""Small input data for the experiments of papers: real translations with judgements invented for the tests."""

from dataclasses import replace

import numpy as np

from metrics.corpus.agreement.columns import external_column
from metrics.corpus.agreement.experiments.experiment import ExperimentData, ExperimentOptions
from metrics.text.judgements import JudgementRecord, RatingScale
from tests.helpers.corpora import SYSTEMS, load_lines


def make_data(
    size: int = 12, judges: int = 2, scales: tuple[str, ...] = ("adequacy",), systems: int = 3, **options: object
) -> ExperimentData:
    """Return experiment data with two references and random judgements from 1 to 5.

    Args:
        size: the number of segments.
        judges: the number of judges; with more than two about 30 % of the judgements are missing.
        scales: the names of the scales; each has its own judgements.
        systems: the number of systems. The first three are real; each further one leaves out words of a real one.
        options: fields of the experiment's `Options`."""
    random = np.random.default_rng(7)
    texts = {name.removeprefix("system."): tuple(load_lines(name)[:size]) for name in SYSTEMS}
    for n in range(systems - 3):
        texts[f"cut {n}"] = tuple([" ".join(line.split()[n::2]) for line in texts["SMU"]])
    names = tuple(texts)
    shape = (len(names), size, judges)
    ratings = {name: random.integers(1, 6, shape).astype(float) for name in scales}
    if judges > 2:
        for each in ratings.values():
            each[random.random(shape) < 0.3] = np.nan
    judged = JudgementRecord(
        names, size, tuple(f"judge {n}" for n in range(judges)), tuple(map(RatingScale, scales)), ratings
    )
    references = tuple(zip(load_lines("reference.A")[:size], load_lines("reference.B")[:size], strict=True))
    return ExperimentData(
        names, tuple(texts.values()), references, (), judged, options=ExperimentOptions(draws=40, **options)
    )


def with_judgements(given: ExperimentData, ratings: np.ndarray, scale: str = "adequacy") -> ExperimentData:
    """Return a copy of `given` whose only judgements are `ratings` by one judge, shaped systems × segments."""
    judged = JudgementRecord(given.systems, given.size, ("one",), (RatingScale(scale),), {scale: ratings[:, :, None]})
    return replace(given, judged=judged)


def with_external_scores(given: ExperimentData, scores: dict[str, np.ndarray]) -> ExperimentData:
    """Return a copy of `given` with scores by other programs.

    `scores` maps a program's name to its scores, shaped systems × segments; higher is better."""
    return replace(given, others=tuple([external_column(name, each) for name, each in scores.items()]))


def run_checking_progress(experiment, given: ExperimentData):
    """Run `experiment` on `given` and return its result; check its progress reports on the way.

    The reported share of work done never decreases, and it ends at 1."""
    parts: list[float] = []
    out = experiment.run(given, lambda progress: parts.append(progress.share_done))
    assert parts == sorted(parts) and parts[0] >= 0 and parts[-1] == 1
    return out
