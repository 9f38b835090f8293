"""Small data for the papers' experiments: real translations, and judgements that were made up for the tests."""

from dataclasses import replace

import numpy as np
from corpora import FOLDER, SYSTEMS

from metrics.corpus.agreement.columns import external
from metrics.corpus.agreement.experiments.experiment import ExperimentData, Options
from metrics.text.judgements import JudgementRecord, RatingScale


def raw(name: str, size: int) -> tuple[str, ...]:
    return tuple((FOLDER / f"{name}.en.txt").read_text(encoding="utf-8").splitlines()[:size])


def data(
    size: int = 12, judges: int = 2, scales: tuple[str, ...] = ("adequacy",), systems: int = 3, **options: object
) -> ExperimentData:
    """Three systems, or others of which each leaves words of theirs out, with two references, and judgements from 1 to
    5, some of them missing where there are more than two judges."""
    random = np.random.default_rng(7)
    texts = {name.removeprefix("system."): raw(name, size) for name in SYSTEMS}
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
    references = tuple(zip(raw("reference.A", size), raw("reference.B", size), strict=True))
    return ExperimentData(names, tuple(texts.values()), references, (), judged, options=Options(draws=40, **options))


def judged_as(given: ExperimentData, ratings: np.ndarray, scale: str = "adequacy") -> ExperimentData:
    """The same with other judgements of one judge, systems × segments."""
    judged = JudgementRecord(given.systems, given.size, ("one",), (RatingScale(scale),), {scale: ratings[:, :, None]})
    return replace(given, judged=judged)


def with_others(given: ExperimentData, scores: dict[str, np.ndarray]) -> ExperimentData:
    """The same with scores of other programs, systems × segments, higher being better."""
    return replace(given, others=tuple([external(name, each) for name, each in scores.items()]))


def told(experiment, given: ExperimentData):
    """What comes of an experiment; it tells how far it is, ever further, and ends at 1."""
    parts: list[float] = []
    out = experiment.run(given, lambda progress: parts.append(progress.share_done))
    assert parts == sorted(parts) and parts[0] >= 0 and parts[-1] == 1
    return out
