"""Scores texts for experiments: several metrics and settings, with texts processed in several ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ....catalogue import METRICS
from ....text import TextSettings
from ....text.processing import words
from ....types import Metric, Segment, Settings, Tokens
from ...jobs import Job, ScoringCorpus
from ...jobs import JobProgress as JobProgress
from ...processes import run_each_in_process
from ...table import Array
from ...table import StatisticsTable as Scores
from ...unavailable_metrics import missing_metrics
from .experiment import ExperimentData, ExperimentOptions, ExperimentProgress, OpenedOutput, ProgressCallback

T = TypeVar("T")


class ScoreRequest(NamedTuple):
    """A request of an experiment for the scores of one metric.

    Attributes:
        name: name that the experiment uses for the scores.
        key: key of the metric.
        settings: settings of the metric.
        text: how the texts are processed.
        references: indices of the references to use; None for all."""

    name: str
    key: str
    settings: Settings
    text: TextSettings
    references: tuple[int, ...] | None = None


class ScoringResult(NamedTuple):
    """The scores by the names of their requests, and sentences about scores that could not be computed."""

    scores: Mapping[str, Scores]
    notes: tuple[str, ...]


def score_request(
    name: str, key: str, text: TextSettings, references: tuple[int, ...] | None = None, **settings: object
) -> ScoreRequest:
    """Return a request for scores of the metric `key`, with the settings given as keyword arguments.

    `name` is the experiment's name for the scores; `references` are the indices of those to use, None for all."""
    return ScoreRequest(name, key, settings_of(key, **settings).of_texts(text.language), text, references)


def settings_of(key: str, **given: object) -> Any:
    """Return the settings of the metric `key` with the given values; all other settings keep their defaults."""
    return METRICS[key].Settings(**given)


def scored(
    data: ExperimentData,
    requests: Sequence[ScoreRequest],
    tell: ProgressCallback,
    progress_range: tuple[float, float] = (0.0, 1.0),
) -> ScoringResult:
    """Return the scores for all requests, by their names.

    `progress_range` is the range of the experiment's progress (0 to 1) that this covers, reported to `tell`."""
    groups: dict[tuple[TextSettings, tuple[int, ...] | None], list[ScoreRequest]] = {}
    for each in requests:
        groups.setdefault((each.text, each.references), []).append(each)
    out: dict[str, Scores] = {}
    notes: list[str] = []
    scored_count, size = 0, max(1, data.size)
    for (text, references), of_texts in groups.items():
        corpus = corpus_of(data, text, references)
        for round_requests in _split_rounds(of_texts):
            names = {each.key: each.name for each in round_requests}
            what = f"Scores {', '.join(names.values())}"

            def report_progress(progress: JobProgress, what: str = what, count_before: int = scored_count) -> None:
                share = (count_before + sum(progress.segments_done.values()) / size) / len(requests)
                tell(ExperimentProgress(overall_share(progress_range, share), what))

            options = data.options
            keys = [(each.key, each.settings) for each in round_requests]
            job = Job(keys, corpus, options.jobs, report_progress, workers=options.workers, most=options.most)
            for table in job.tables():
                out[names[table.metric.key]] = table
            notes += [f"{each.reason_sentence(data.systems)}." for each in missing_metrics(job.hard, job.lost)]
            scored_count += len(round_requests)
    return ScoringResult(
        {each.name: out[each.name] for each in requests if each.name in out}, tuple(dict.fromkeys(notes))
    )


def overall_share(progress_range: tuple[float, float], share: float) -> float:
    """Return the share of the whole experiment that is done when `share` of `progress_range` is done."""
    return min(progress_range[1], progress_range[0] + (progress_range[1] - progress_range[0]) * share)


def _split_rounds(requests: Sequence[ScoreRequest]) -> list[list[ScoreRequest]]:
    """Return the requests split into batches in which each metric occurs only once, as a scoring job requires."""
    rounds: list[list[ScoreRequest]] = []
    for each in requests:
        free = next(
            (round_requests for round_requests in rounds if all(other.key != each.key for other in round_requests)),
            None,
        )
        if free is None:
            rounds.append(free := [])
        free.append(each)
    return rounds


def corpus_of(data: ExperimentData, text: TextSettings, references: tuple[int, ...] | None = None) -> ScoringCorpus:
    """Return the data's texts split into words, ready to score, with the references of the given indices.

    Repeated lines are split only once."""
    of_line = reader(text)
    chosen_references = data.references
    if references is not None:
        chosen_references = tuple(
            [tuple([each[k] for k in references if k < len(each)]) or each[:1] for each in chosen_references]
        )
    return ScoringCorpus(
        data.systems,
        tuple([tuple(map(of_line, lines)) for lines in data.candidates]),
        tuple([tuple(map(of_line, each)) for each in chosen_references]),
    )


def reader(text: TextSettings) -> Callable[[str], Tokens]:
    """Return a function that splits a line into words as the settings say, and caches the words of each line."""
    tokens_by_line: dict[str, Tokens] = {}

    def of_line(line: str) -> Tokens:
        if line not in tokens_by_line:
            tokens_by_line[line] = words(line, text)
        return tokens_by_line[line]

    return of_line


def rescore(scores: Scores, settings: Settings) -> Scores:
    """Return a metric's scores computed again, without scoring, from the same statistics with other settings.

    For example, BLEU of smaller `max_order` follows from the statistics of order 12. Statistics that the new settings
    do not use are dropped."""
    needed_stats = scores.metric.statistics(Segment(("a",), (("a",),)), settings)
    at = [n for n, name in enumerate(scores.names) if name in needed_stats]
    names, statistics = tuple([scores.names[n] for n in at]), scores.statistics[:, :, at]
    columns = dict(zip(names, np.ascontiguousarray(np.moveaxis(statistics, 2, 0).reshape(len(names), -1)), strict=True))
    new_scores: Array = np.asarray(scores.metric.from_stats(columns, settings).score).reshape(scores.scores.shape)
    return replace(scores, settings=settings, names=names, statistics=statistics, scores=new_scores)


def output_place(scores: Scores, system: int, segment: int) -> OpenedOutput:
    """Return the output of a system and a segment for a page to open with the metric and settings of `scores`.

    Settings that are not plain values, such as a similarity of words, are left out."""
    default, ours = scores.metric.Settings(), scores.settings
    plain = [name for name, rule in ours.rules().items() if rule.kind != "object"]
    changed = tuple([(n, getattr(ours, n)) for n in plain if getattr(default, n) != getattr(ours, n)])
    return OpenedOutput(system, segment, scores.metric.key, changed)


def stemmed(text: TextSettings) -> TextSettings:
    """Return the text settings with lower case and stems: Porter's stemmer for English, Snowball for others."""
    stemmer = "porter" if text.language == "english" else "snowball"
    return replace(text, lowercase=True, stemmer=stemmer)


def statistics(
    data: ExperimentData,
    metric: Metric,
    settings: Settings,
    text: TextSettings,
    tell: ProgressCallback,
    progress_range: tuple[float, float],
    what: str,
) -> list[list[Mapping[str, float]]]:
    """Return the statistics of a metric for each output, as lists of systems × segments.

    `progress_range` is the range of the experiment's progress (0 to 1) that this covers, and `what` its description;
    both are reported to `tell`."""
    corpus, number = corpus_of(data, text), len(data.systems)
    given = [(metric.key, settings, corpus.segments(n)) for n in range(number)]
    out = []
    for n, system_stats in enumerate(run_for_each(data.options, _segment_statistics, given)):
        out.append(system_stats)
        tell(ExperimentProgress(overall_share(progress_range, (n + 1) / number), what))
    return out


def run_for_each(options: ExperimentOptions, do: Callable[..., T], given: Sequence[tuple[Any, ...]]) -> Iterator[T]:
    """Yield the result of calling `do` with each tuple of arguments, in order.

    It runs in this process, or if the options ask for several jobs, in other processes of this machine."""
    if options.jobs == 1 and options.workers is None:
        yield from (do(*arguments) for arguments in given)
    else:
        yield from run_each_in_process(options.jobs, do, given)


#: The last settings in this process by their signature, kept because a similarity caches its results.
_last_settings: dict[str, Settings] = {}


def _segment_statistics(key: str, settings: Settings, segments: Sequence[Segment]) -> list[Mapping[str, float]]:
    """Return the statistics of the metric `key` for each segment.

    It uses the last equal settings of this process again, since their similarity of words caches its results."""
    signature = f"{key}|{settings.signature()}"
    if signature not in _last_settings:
        _last_settings.clear()
        _last_settings[signature] = settings
    cached_settings = _last_settings[signature]
    return [METRICS[key].statistics(segment, cached_settings) for segment in segments]
