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
from ...jobs import Corpus, Job
from ...jobs import Progress as JobProgress
from ...missing import missing
from ...processes import run_each_in_process
from ...table import Array
from ...table import Table as Scores
from .experiment import Given, Options, Place, Progress, Tell

T = TypeVar("T")


class Wanted(NamedTuple):
    """Scores that an experiment asks for, by a name of its own: a metric with settings of it, the texts processed in
    some way, and which references take part, by their numbers from 0; None says all."""

    name: str
    key: str
    settings: Settings
    text: TextSettings
    references: tuple[int, ...] | None = None


class Found(NamedTuple):
    """The scores by the names that they were asked for with, and sentences about those that cannot be had."""

    scores: Mapping[str, Scores]
    notes: tuple[str, ...]


def wanted(
    name: str, key: str, text: TextSettings, references: tuple[int, ...] | None = None, **settings: object
) -> Wanted:
    """The same with settings by name."""
    return Wanted(name, key, settings_of(key, **settings).of_texts(text.language), text, references)


def settings_of(key: str, **given: object) -> Any:
    """Settings of a metric by name, with its defaults in the place of those that are not given."""
    return METRICS[key].Settings(**given)


def scored(data: Given, asked: Sequence[Wanted], tell: Tell, part: tuple[float, float] = (0.0, 1.0)) -> Found:
    """Score all that is asked for, which takes the `part` of the experiment from one of its ends to the other."""
    groups: dict[tuple[TextSettings, tuple[int, ...] | None], list[Wanted]] = {}
    for each in asked:
        groups.setdefault((each.text, each.references), []).append(each)
    out: dict[str, Scores] = {}
    notes: list[str] = []
    done, size = 0, max(1, data.size)
    for (text, references), of_texts in groups.items():
        corpus = corpus_of(data, text, references)
        for some in _rounds(of_texts):
            names = {each.key: each.name for each in some}
            what = f"Scores {', '.join(names.values())}"

            def told(progress: JobProgress, what: str = what, done: int = done) -> None:
                share = (done + sum(progress.done.values()) / size) / len(asked)
                tell(Progress(within(part, share), what))

            options = data.options
            keys = [(each.key, each.settings) for each in some]
            job = Job(keys, corpus, options.jobs, told, workers=options.workers, most=options.most)
            for table in job.tables():
                out[names[table.metric.key]] = table
            notes += [f"{each.says(data.systems)}." for each in missing(job.hard, job.lost)]
            done += len(some)
    return Found({each.name: out[each.name] for each in asked if each.name in out}, tuple(dict.fromkeys(notes)))


def within(part: tuple[float, float], share: float) -> float:
    """How much of an experiment is done where a share is of one of its parts."""
    return min(part[1], part[0] + (part[1] - part[0]) * share)


def _rounds(asked: Sequence[Wanted]) -> list[list[Wanted]]:
    """Parts of what is asked for in which each metric stands once."""
    rounds: list[list[Wanted]] = []
    for each in asked:
        free = next((some for some in rounds if all(other.key != each.key for other in some)), None)
        if free is None:
            rounds.append(free := [])
        free.append(each)
    return rounds


def corpus_of(data: Given, text: TextSettings, references: tuple[int, ...] | None = None) -> Corpus:
    """The texts as words, with some of the references. A line that stands several times is processed once."""
    of_line = reader(text)
    some = data.references
    if references is not None:
        some = tuple([tuple([each[k] for k in references if k < len(each)]) or each[:1] for each in some])
    return Corpus(
        data.systems,
        tuple([tuple(map(of_line, lines)) for lines in data.candidates]),
        tuple([tuple(map(of_line, each)) for each in some]),
    )


def reader(text: TextSettings) -> Callable[[str], Tokens]:
    """What makes words of lines, of the same line once."""
    seen: dict[str, Tokens] = {}

    def of_line(line: str) -> Tokens:
        if line not in seen:
            seen[line] = words(line, text)
        return seen[line]

    return of_line


def reread(scores: Scores, settings: Settings) -> Scores:
    """The same statistics read with other settings, such as BLEU's of up to 12 words with a smaller `max_order`; those
    that these have not are left out."""
    kept = scores.metric.statistics(Segment(("a",), (("a",),)), settings)
    at = [n for n, name in enumerate(scores.names) if name in kept]
    names, statistics = tuple([scores.names[n] for n in at]), scores.statistics[:, :, at]
    columns = dict(zip(names, np.ascontiguousarray(np.moveaxis(statistics, 2, 0).reshape(len(names), -1)), strict=True))
    found: Array = np.asarray(scores.metric.from_stats(columns, settings).score).reshape(scores.scores.shape)
    return replace(scores, settings=settings, names=names, statistics=statistics, scores=found)


def sign(metric: Metric) -> float:
    """What scores are multiplied with so that higher is better."""
    return 1.0 if metric.higher_is_better else -1.0


def opened(scores: Scores, system: int, segment: int) -> Place:
    """A segment of a system, as the metric sees it that gave these scores, but for what is no plain value, such as a
    similarity of words."""
    default, ours = scores.metric.Settings(), scores.settings
    plain = [name for name, rule in ours.rules().items() if rule.kind != "object"]
    changed = tuple([(n, getattr(ours, n)) for n in plain if getattr(default, n) != getattr(ours, n)])
    return Place(system, segment, scores.metric.key, changed)


def stemmed(text: TextSettings) -> TextSettings:
    """The same texts in lower case and as stems: Porter's of English, Snowball's of another language."""
    stemmer = "porter" if text.language == "english" else "snowball"
    return replace(text, lowercase=True, stemmer=stemmer)


def statistics(
    data: Given,
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
    for n, found in enumerate(each_of(data.options, _statistics, given)):
        out.append(found)
        tell(Progress(within(part, (n + 1) / number), what))
    return out


def each_of(options: Options, do: Callable[..., T], given: Sequence[tuple[Any, ...]]) -> Iterator[T]:
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
    known = _last[signature]
    return [METRICS[key].statistics(segment, known) for segment in segments]
