"""Small input data for the experiments of papers: real translations with judgements invented for the tests."""

from dataclasses import replace

import numpy as np
from corpora import FOLDER, SYSTEMS

from metrics.corpus.agreement.columns import external
from metrics.corpus.agreement.experiments.experiment import ExperimentData, Options
from metrics.text.judgements import JudgementRecord, RatingScale


def raw_lines(name: str, size: int) -> tuple[str, ...]:
    return tuple((FOLDER / f"{name}.en.txt").read_text(encoding="utf-8").splitlines()[:size])


def make_data(
    size: int = 12, judges: int = 2, scales: tuple[str, ...] = ("adequacy",), systems: int = 3, **options: object
) -> ExperimentData:
    """Return experiment data with two references and random judgements from 1 to 5.

    The first three systems are real. Each further system leaves out words of a real one. With more than two judges
    about 30 % of the judgements are missing."""
    random = np.random.default_rng(7)
    texts = {name.removeprefix("system."): raw_lines(name, size) for name in SYSTEMS}
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
    references = tuple(zip(raw_lines("reference.A", size), raw_lines("reference.B", size), strict=True))
    return ExperimentData(names, tuple(texts.values()), references, (), judged, options=Options(draws=40, **options))


def with_judgements(given: ExperimentData, ratings: np.ndarray, scale: str = "adequacy") -> ExperimentData:
    """Return `given` with its judgements replaced by those of one judge, shaped systems × segments."""
    judged = JudgementRecord(given.systems, given.size, ("one",), (RatingScale(scale),), {scale: ratings[:, :, None]})
    return replace(given, judged=judged)


def with_external_scores(given: ExperimentData, scores: dict[str, np.ndarray]) -> ExperimentData:
    """Return `given` with external scores of other programs, each shaped systems × segments; higher is better."""
    return replace(given, others=tuple([external(name, each) for name, each in scores.items()]))


def run_checking_progress(experiment, given: ExperimentData):
    """Return the result of running `experiment` on `given`, and check its progress reports.

    The reported share never decreases, and it ends at 1."""
    parts: list[float] = []
    out = experiment.run(given, lambda progress: parts.append(progress.share_done))
    assert parts == sorted(parts) and parts[0] >= 0 and parts[-1] == 1
    return out
