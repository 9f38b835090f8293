"""What a call about several systems asks for: scores, intervals, paired tests, ledgers, patterns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...corpus import jobs, resampling
from ...corpus.ledger import CorpusLedger, corpus_ledger
from ...corpus.patterns import LEVEL, Pattern, patterns
from ...corpus.resampling import Interval
from ...corpus.table import Array, Table
from ...text import TextSettings
from ...text.files import BadData, named
from ...types import Metric, Settings, TooHard, signature
from ..call import Call, Tell
from ..language import Spoken


class Pair(NamedTuple):
    """Two systems held against each other by a metric: the difference is B's score less A's. The p of randomisation is
    also given corrected for how many systems are held against A (Holm)."""

    a: str
    b: str
    metric: Metric
    scores: tuple[float, float]
    interval: Interval
    p_bootstrap: float
    p_randomisation: float
    p_corrected: float

    @property
    def delta(self) -> float:
        return self.scores[1] - self.scores[0]


class Why(NamedTuple):
    """What made the difference of two systems by a metric."""

    a: str
    b: str
    ledger: CorpusLedger


class Patterns(NamedTuple):
    """The n-grams of two systems that differ by more than chance, of so many that were looked at."""

    a: str
    b: str
    found: list[Pattern]
    tried: int


class Report(NamedTuple):
    """All that is written. `intervals` are those of each system by metric."""

    call: Call
    text: TextSettings
    size: int
    tables: Sequence[Table]
    signatures: Sequence[str]
    intervals: Mapping[str, Sequence[Interval]]
    pairs: Sequence[Pair]
    why: Sequence[Why]
    patterns: Sequence[Patterns]
    spoken: Spoken | None
    notes: Sequence[str]

    def scores(self) -> dict[str, dict[str, float]]:
        """The corpus scores by system and metric."""
        out: dict[str, dict[str, float]] = {name: {} for name in self.call.systems}
        for table in self.tables:
            for name, score in zip(out, table.corpus_scores(), strict=True):
                out[name][table.metric.key] = float(score)
        return out


def report(
    call: Call,
    texts: jobs.Corpus,
    asked: Sequence[tuple[Metric, Settings]],
    text: TextSettings,
    spoken: Spoken | None,
    notes: Sequence[str],
    tell: Tell,
) -> Report:
    """Score the systems and find what the call asks for. Raises BadData for a segment that is too hard."""

    def told(progress: jobs.Progress) -> None:
        tell(sum(progress.done.values()) / (progress.size * len(progress.done)), progress.seconds)

    job = jobs.Job([(metric.key, settings) for metric, settings in asked], texts, call.jobs, told)
    found = {table.metric.key: table for table in job.tables()}
    for hard in job.hard:
        file = [*call.systems.values()][hard.system]
        raise BadData(f"{named(file)}, line {hard.segment + 1}: {hard.metric}: {hard.why}")
    tables = [found[metric.key] for metric, _ in asked]
    counts = {len(each) for each in texts.references}
    number = counts.pop() if len(counts) == 1 else "var"
    signatures = [signature(table.metric.key, table.settings, text.signature(), number) for table in tables]
    drawn = resampling.resampled(tables) if call.confidence or call.paired else []
    intervals = {
        table.metric.key: [resampling.interval(scores) for scores in each]
        for table, each in zip(tables, drawn, strict=False)
        if call.confidence
    }
    return Report(
        call,
        text,
        len(texts.references),
        tables,
        signatures,
        intervals,
        _pairs(call, tables, drawn) if call.paired else [],
        [*_why(call, texts, tables)],
        [_patterns(a, b, texts) for a, b in call.patterns],
        spoken,
        notes,
    )


def _pairs(call: Call, tables: Sequence[Table], drawn: Sequence[Array]) -> list[Pair]:
    """The paired tests of each system against the one that is named."""
    names = [*call.systems]
    a = names.index(call.paired or "")
    others = [n for n in range(len(names)) if n != a]
    found = resampling.randomised(tables, [(a, b) for b in others])
    out = []
    for table, samples, ps in zip(tables, drawn, found, strict=True):
        scores = table.corpus_scores()
        for b, p, corrected in zip(others, ps, resampling.holm(ps), strict=True):
            between = resampling.interval(samples[b] - samples[a])
            bootstrap = resampling.bootstrap(samples[a], samples[b], float(scores[b] - scores[a]))
            both = float(scores[a]), float(scores[b])
            out.append(Pair(names[a], names[b], table.metric, both, between, bootstrap, p, corrected))
    return out


def _why(call: Call, texts: jobs.Corpus, tables: Sequence[Table]) -> Iterator[Why]:
    names = [*call.systems]
    for a, b in call.why:
        at = names.index(a), names.index(b)
        for table in tables:
            ours, theirs = (texts.segments(n) for n in at)
            try:
                yield Why(a, b, corpus_ledger(table.metric, table.settings, ours, theirs, table.of(at)))
            except TooHard as error:
                raise BadData(f"why {b} differs from {a} by {table.metric.key}: {error}") from None


def _patterns(a: str, b: str, texts: jobs.Corpus) -> Patterns:
    ours, theirs = (texts.systems[texts.names.index(name)] for name in (a, b))
    tried = patterns(ours, theirs, texts.references)
    return Patterns(a, b, [each for each in tried if each.q < LEVEL], len(tried))
