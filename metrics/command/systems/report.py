"""What a call about several systems asks for: scores, intervals, paired tests, ledgers, patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ...corpus import jobs, resampling
from ...corpus.agreement import Note, Remark
from ...corpus.characters import character_patterns
from ...corpus.cluster import NoCluster
from ...corpus.errors import ErrorCount, error_counts
from ...corpus.explanations import across_metrics, winners
from ...corpus.explanations.segments import SegmentStory, told_picks, told_torn
from ...corpus.explanations.tables import SystemsTables
from ...corpus.file_warnings import Files
from ...corpus.ledger import CorpusLedger, corpus_ledger
from ...corpus.pairs import SystemPair
from ...corpus.pairs import pairs as pairs_of
from ...corpus.patterns import LEVEL, Pattern, patterns
from ...corpus.resampling import Interval
from ...corpus.signatures import Signature, agreement, of_changed, signatures
from ...corpus.table import Array, StatisticsTable
from ...corpus.tasks import Workers
from ...corpus.unavailable_metrics import MissingMetric, missing
from ...text import TextSettings, languages, printable
from ...text.files import BadData
from ...types import Metric, Settings, TooHard
from ..call import SystemsCall, Tell
from ..language import Spoken
from . import human_judgements
from .file_checks import CheckedTexts
from .human_judgements import Agreed, CallJudgements

#: Segments whose references tell the language, where a call does not say it and no metric asks for it.
RECOGNISED = 500


class DifferenceCauses(NamedTuple):
    """What made the difference of two systems by a metric, B's score less A's, and the segments that show it best.
    `led` is the same told to the better system, which is its B; None where B is the better one here."""

    a: str
    b: str
    metric: Metric
    ledger: CorpusLedger
    picks: Sequence[SegmentStory]
    led: DifferenceCauses | None = None

    @property
    def to_better(self) -> DifferenceCauses:
        return self.led or self


class SystemsDisagreement(NamedTuple):
    """What is said of two systems by several metrics: which name which winner and why, "" where all name the same one,
    the ledgers side by side where they do not, and the segments of which the metrics disagree most."""

    a: str
    b: str
    says: str
    rows: Sequence[Sequence[str]]
    torn: Sequence[SegmentStory]


class Patterns(NamedTuple):
    """The n-grams of two systems that differ by more than chance, of so many that were looked at, those of words and
    those of characters, and how many errors of each class both have."""

    a: str
    b: str
    word_patterns: list[Pattern]
    tried: int
    characters: list[Pattern]
    characters_tried: int
    errors: list[ErrorCount]


class Across(NamedTuple):
    """What all metrics say of two systems, in sentences."""

    a: str
    b: str
    says: str


class SystemsReport(NamedTuple):
    """All that is written. `intervals` are those of each system by metric; `agreed` is how often people agreed with a
    difference like that of each of the `pairs`, None where that is not known. Metrics without a score are `missing`.
    `agreement` is how well metrics agree with people, where a call asks for that."""

    call: SystemsCall
    text: TextSettings
    size: int
    tables: Sequence[StatisticsTable]
    signatures: Sequence[Signature]
    intervals: Mapping[str, Sequence[Interval]]
    pairs: Sequence[SystemPair]
    agreed: Sequence[float | None]
    why: Sequence[DifferenceCauses]
    disagreements: Sequence[SystemsDisagreement]
    patterns: Sequence[Patterns]
    spoken: Spoken | None
    notes: Sequence[str]
    missing: Sequence[MissingMetric]
    checked: CheckedTexts
    agreement: Agreed | None = None

    @property
    def scored(self) -> bool:
        """Whether there is a reference, so that metrics are scored."""
        return bool(self.call.references)

    def scores(self) -> dict[str, dict[str, float]]:
        """The corpus scores by system and metric."""
        out: dict[str, dict[str, float]] = {name: {} for name in self.call.systems}
        for table in self.tables:
            for name, score in zip(out, table.corpus_scores(), strict=True):
                out[name][table.metric.key] = float(score)
        return out

    def across(self) -> Iterator[Across]:
        """What all metrics say of each pair of systems that is tested by several."""
        if len(self.tables) < 2:
            return
        for a, b in dict.fromkeys([(pair.a, pair.b) for pair in self.pairs]):
            votes = [across_metrics.vote(pair) for pair in self.pairs if (pair.a, pair.b) == (a, b)]
            yield Across(a, b, across_metrics.sentence((a, b), votes, self.call.decimals))

    @property
    def compared(self) -> SystemsTables:
        """The systems and their paired tests."""
        of = self.tables, self.signatures, self.intervals, self.pairs, self.agreed, self.call.decimals
        return SystemsTables([*self.call.systems], *of)


def report(
    call: SystemsCall,
    checked: CheckedTexts,
    metrics: Sequence[tuple[Metric, Settings]],
    text: TextSettings,
    spoken: Spoken | None,
    notes: Sequence[str],
    tell: Tell,
    say: Callable[[str], None],
    workers: Workers | None,
    judged: CallJudgements | None = None,
) -> SystemsReport:
    """Score the systems and find what the call asks for. Raises BadData."""
    texts = checked.texts

    def tell_progress(progress: jobs.JobProgress) -> None:
        tell(sum(progress.segments_done.values()) / (progress.size * len(progress.segments_done)), progress.seconds)

    job = jobs.Job(
        [(metric.key, settings) for metric, settings in metrics], texts, call.jobs, tell_progress, say, workers
    )
    try:
        tables_by_key = {table.metric.key: table for table in job.tables()}
    except NoCluster as error:
        raise BadData(str(error)) from None
    tables = [tables_by_key[metric.key] for metric, _ in metrics if metric.key in tables_by_key]
    counts = {len(each) for each in texts.references}
    number = counts.pop() if len(counts) == 1 else "var"
    signed = signatures(tables, text, number, bool(call.confidence), call.paired is not None)
    signed = of_changed(signed, [offer.system for offer in checked.made_repairs()], call.clean)
    drawn = resampling.resampled(tables) if tables and (call.confidence or call.paired) else []
    intervals = {
        table.metric.key: its
        for table, each in zip(tables, drawn, strict=False)
        if call.confidence and (its := resampling.intervals(each, table.size))
    }
    interval_notes = ["One segment has no interval."] if call.confidence and len(texts.references) == 1 else []
    pairs, agreed = _pairs(call, tables, drawn, text, number) if tables and call.paired else ([], [])
    why = [*_why(call, texts, tables)]
    return SystemsReport(
        call,
        text,
        len(texts.references),
        tables,
        signed,
        intervals,
        pairs,
        agreed,
        why,
        [*_disagreements(call, texts, why)],
        [_patterns(a, b, texts, text, spoken) for a, b in call.patterns],
        spoken,
        [*notes, *interval_notes, *checked.notes()],
        missing(job.hard, job.lost),
        checked,
        human_judgements.agreement(judged, tables, texts) if judged else None,
    )


def unscored(call: SystemsCall, text: TextSettings, judged: CallJudgements) -> SystemsReport:
    """What is found of judgements without a reference: how well judges, and the scores of other programs, agree with
    people. Raises BadData."""
    nothing = jobs.ScoringCorpus(tuple(call.systems), (), ())
    judged_agreement = human_judgements.agreement(judged, (), nothing)
    sentence = (
        "Without a reference no metric is scored: what stands here are judges, chance and other programs' scores."
    )
    table = replace(judged_agreement.table, remarks=(Remark(Note.UNSCORED, sentence), *judged_agreement.table.remarks))
    return SystemsReport(
        call,
        text,
        judged.judged.size,
        tables=(),
        signatures=(),
        intervals={},
        pairs=(),
        agreed=(),
        why=(),
        disagreements=(),
        patterns=(),
        spoken=None,
        notes=(),
        missing=(),
        checked=CheckedTexts(nothing, Files({}, ()), (), (), (), ()),
        agreement=judged_agreement._replace(table=table),
    )


def _pairs(
    call: SystemsCall,
    tables: Sequence[StatisticsTable],
    drawn: Sequence[Array],
    text: TextSettings,
    references: int | str,
) -> tuple[list[SystemPair], list[float | None]]:
    """The paired tests of each system against the one that is named, and how often people agreed with each."""
    names = [*call.systems]
    tested_pairs = pairs_of(names, tables, drawn, names.index(call.paired or ""))
    by_key = {table.metric.key: table for table in tables}
    agreed = [
        agreement(
            by_key[pair.metric.key].select_systems([names.index(pair.a), names.index(pair.b)]),
            text,
            references,
            pair.delta,
        )
        for pair in tested_pairs
    ]
    return tested_pairs, agreed


def _why(call: SystemsCall, texts: jobs.ScoringCorpus, tables: Sequence[StatisticsTable]) -> Iterator[DifferenceCauses]:
    names = [*call.systems]
    for a, b in call.why:
        at = names.index(a), names.index(b)
        ours, theirs = (texts.segments(n) for n in at)
        for table in tables:
            metric = table.metric
            try:
                ledger = corpus_ledger(metric, table.settings, ours, theirs, table.select_systems(at))
            except TooHard as error:
                raise BadData(f"why {b} differs from {a} by {metric.key}: {error}") from None
            printed_names = printable(a), printable(b)
            led = None
            if ledger.delta and (ledger.delta > 0) != metric.higher_is_better:
                turned = ledger.turned
                picks = told_picks(metric, turned, theirs, ours, printed_names[::-1], call.decimals)
                led = DifferenceCauses(b, a, metric, turned, picks)
            yield DifferenceCauses(
                a, b, metric, ledger, told_picks(metric, ledger, ours, theirs, printed_names, call.decimals), led
            )


def _disagreements(
    call: SystemsCall, texts: jobs.ScoringCorpus, why: Sequence[DifferenceCauses]
) -> Iterator[SystemsDisagreement]:
    names = [*call.systems]
    for a, b in call.why:
        ledgers = [(each.metric, each.ledger) for each in why if (each.a, each.b) == (a, b)]
        ours, theirs = (texts.segments(names.index(name)) for name in (a, b))
        rows = winners.side_by_side(ledgers, call.decimals) if winners.split(ledgers) else []
        torn = told_torn(ledgers, ours, theirs, (printable(a), printable(b)), call.decimals)
        yield SystemsDisagreement(a, b, winners.sentence(a, b, ledgers, call.decimals), rows, torn)


def _patterns(a: str, b: str, texts: jobs.ScoringCorpus, text: TextSettings, spoken: Spoken | None) -> Patterns:
    at = [texts.names.index(name) for name in (a, b)]
    ours, theirs = (texts.systems[n] for n in at)
    words, characters = patterns(ours, theirs, texts.references), character_patterns(ours, theirs, texts.references)
    try:
        errors = error_counts(texts.segments(at[0]), texts.segments(at[1]), *_stemmer(texts, text, spoken))
    except TooHard as error:
        raise BadData(f"the errors of {a} and {b}: {error}") from None
    sure = ([each for each in group if each.q < LEVEL] for group in (words, characters))
    return Patterns(a, b, next(sure), len(words), next(sure), len(characters), errors)


def _stemmer(texts: jobs.ScoringCorpus, text: TextSettings, spoken: Spoken | None) -> tuple[str, str]:
    """The stems by which inflections are known: those of the texts, or those of their language."""
    if text.stemmer != "none":
        return text.stemmer, text.language
    sample = [" ".join(line) for each in texts.references[:RECOGNISED] for line in each]
    language = spoken.treated_language if spoken else languages.treated_as(languages.recognised(sample))
    return languages.stemmer(language) or ("none", "english")
