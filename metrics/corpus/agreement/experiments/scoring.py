"""Scores for experiments: several metrics and settings of them, of texts processed in several ways."""

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
from ...unavailable_metrics import missing
from .experiment import ExperimentData, ExperimentPlace, ExperimentProgress, Options, Tell

T = TypeVar("T")


class ScoreRequest(NamedTuple):
    """Scores that an experiment asks for, by a name of its own: a metric with settings of it, the texts processed in
    some way, and which references take part, by their numbers from 0; None says all."""

    name: str
    key: str
    settings: Settings
    text: TextSettings
    references: tuple[int, ...] | None = None


class ScoringResult(NamedTuple):
    """The scores by the names that they were asked for with, and sentences about those that cannot be had."""

    scores: Mapping[str, Scores]
    notes: tuple[str, ...]


def score_request(
    name: str, key: str, text: TextSettings, references: tuple[int, ...] | None = None, **settings: object
) -> ScoreRequest:
    """The same with settings by name."""
    return ScoreRequest(name, key, settings_of(key, **settings).of_texts(text.language), text, references)


def settings_of(key: str, **given: object) -> Any:
    """Settings of a metric by name, with its defaults in the place of those that are not given."""
    return METRICS[key].Settings(**given)


def scored(
    data: ExperimentData, requests: Sequence[ScoreRequest], tell: Tell, part: tuple[float, float] = (0.0, 1.0)
) -> ScoringResult:
    """Score all that is asked for, which takes the `part` of the experiment from one of its ends to the other."""
    groups: dict[tuple[TextSettings, tuple[int, ...] | None], list[ScoreRequest]] = {}
    for each in requests:
        groups.setdefault((each.text, each.references), []).append(each)
    out: dict[str, Scores] = {}
    notes: list[str] = []
    scored_count, size = 0, max(1, data.size)
    for (text, references), of_texts in groups.items():
        corpus = corpus_of(data, text, references)
        for round_requests in _rounds(of_texts):
            names = {each.key: each.name for each in round_requests}
            what = f"Scores {', '.join(names.values())}"

            def report_progress(progress: JobProgress, what: str = what, count_before: int = scored_count) -> None:
                share = (count_before + sum(progress.segments_done.values()) / size) / len(requests)
                tell(ExperimentProgress(overall_share(part, share), what))

            options = data.options
            keys = [(each.key, each.settings) for each in round_requests]
            job = Job(keys, corpus, options.jobs, report_progress, workers=options.workers, most=options.most)
            for table in job.tables():
                out[names[table.metric.key]] = table
            notes += [f"{each.says(data.systems)}." for each in missing(job.hard, job.lost)]
            scored_count += len(round_requests)
    return ScoringResult(
        {each.name: out[each.name] for each in requests if each.name in out}, tuple(dict.fromkeys(notes))
    )


def overall_share(part: tuple[float, float], share: float) -> float:
    """How much of an experiment is done where a share is of one of its parts."""
    return min(part[1], part[0] + (part[1] - part[0]) * share)


def _rounds(requests: Sequence[ScoreRequest]) -> list[list[ScoreRequest]]:
    """Parts of what is asked for in which each metric stands once."""
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
    """The texts as words, with some of the references. A line that stands several times is processed once."""
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
    """What makes words of lines, of the same line once."""
    tokens_by_line: dict[str, Tokens] = {}

    def of_line(line: str) -> Tokens:
        if line not in tokens_by_line:
            tokens_by_line[line] = words(line, text)
        return tokens_by_line[line]

    return of_line


def reread(scores: Scores, settings: Settings) -> Scores:
    """The same statistics read with other settings, such as BLEU's of up to 12 words with a smaller `max_order`; those
    that these have not are left out."""
    needed_stats = scores.metric.statistics(Segment(("a",), (("a",),)), settings)
    at = [n for n, name in enumerate(scores.names) if name in needed_stats]
    names, statistics = tuple([scores.names[n] for n in at]), scores.statistics[:, :, at]
    columns = dict(zip(names, np.ascontiguousarray(np.moveaxis(statistics, 2, 0).reshape(len(names), -1)), strict=True))
    new_scores: Array = np.asarray(scores.metric.from_stats(columns, settings).score).reshape(scores.scores.shape)
    return replace(scores, settings=settings, names=names, statistics=statistics, scores=new_scores)


def sign(metric: Metric) -> float:
    """What scores are multiplied with so that higher is better."""
    return 1.0 if metric.higher_is_better else -1.0


def opened(scores: Scores, system: int, segment: int) -> ExperimentPlace:
    """A segment of a system, as the metric sees it that gave these scores, but for what is no plain value, such as a
    similarity of words."""
    default, ours = scores.metric.Settings(), scores.settings
    plain = [name for name, rule in ours.rules().items() if rule.kind != "object"]
    changed = tuple([(n, getattr(ours, n)) for n in plain if getattr(default, n) != getattr(ours, n)])
    return ExperimentPlace(system, segment, scores.metric.key, changed)


def stemmed(text: TextSettings) -> TextSettings:
    """The same texts in lower case and as stems: Porter's of English, Snowball's of another language."""
    stemmer = "porter" if text.language == "english" else "snowball"
    return replace(text, lowercase=True, stemmer=stemmer)


def statistics(
    data: ExperimentData,
    metric: Metric,
    settings: Settings,
    text: TextSettings,
    tell: Tell,
    part: tuple[float, float],
    what: str,
) -> list[list[Mapping[str, float]]]:
    """The statistics of a metric for each output, systems × segments, for what its score alone does not say."""
    corpus, number = corpus_of(data, text), len(data.systems)
    given = [(metric.key, settings, corpus.segments(n)) for n in range(number)]
    out = []
    for n, system_stats in enumerate(run_each(data.options, _statistics, given)):
        out.append(system_stats)
        tell(ExperimentProgress(overall_share(part, (n + 1) / number), what))
    return out


def run_each(options: Options, do: Callable[..., T], given: Sequence[tuple[Any, ...]]) -> Iterator[T]:
    """What a function gives for each of these arguments, in their order: by this process, or where several score by
    others of this machine, as many at once."""
    if options.jobs == 1 and options.workers is None:
        yield from (do(*arguments) for arguments in given)
    else:
        yield from run_each_in_process(options.jobs, do, given)


#: The last settings in this process and their signature: a similarity of words remembers what it found for some.
_last: dict[str, Settings] = {}


def _statistics(key: str, settings: Settings, segments: Sequence[Segment]) -> list[Mapping[str, float]]:
    signature = f"{key}|{settings.signature()}"
    if signature not in _last:
        _last.clear()
        _last[signature] = settings
    cached_settings = _last[signature]
    return [METRICS[key].statistics(segment, cached_settings) for segment in segments]
