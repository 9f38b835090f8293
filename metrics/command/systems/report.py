"""The content of a report on several systems: scores, intervals, paired tests, ledgers, patterns."""

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
from ...corpus.explanations.segments import SegmentStory, disputed_stories, pick_stories
from ...corpus.explanations.tables import SystemsTables
from ...corpus.file_warnings import Files
from ...corpus.ledger import CorpusLedger, corpus_ledger
from ...corpus.pairs import SystemPair
from ...corpus.pairs import pairs as pairs_of
from ...corpus.patterns import LEVEL, Pattern, patterns
from ...corpus.resampling import Interval
from ...corpus.signatures import Signature, agreement, changed_signatures, signatures
from ...corpus.table import Array, StatisticsTable
from ...corpus.tasks import Workers
from ...corpus.unavailable_metrics import MissingMetric, missing
from ...text import TextSettings, languages, printable
from ...text.files import BadData
from ...types import Metric, Settings, TooHard
from ..call import SystemsCall, Tell
from ..language import TextLanguage
from . import human_judgements
from .file_checks import CheckedTexts
from .human_judgements import CallAgreement, CallJudgements

#: The number of segments from whose references the language is recognised for stems, if it is not known yet.
RECOGNISED = 500


class DifferenceCauses(NamedTuple):
    """The causes of the difference between two systems by a metric, and the segments that show it best.

    Attributes:
        a: the name of the first system.
        b: the name of the second system.
        metric: the metric.
        ledger: the ledger of B's score less A's.
        picks: the segments that show the causes best.
        led: the same with the better system as B; None where B is the better one here.
    """

    a: str
    b: str
    metric: Metric
    ledger: CorpusLedger
    picks: Sequence[SegmentStory]
    led: DifferenceCauses | None = None

    @property
    def to_better(self) -> DifferenceCauses:
        """Return the causes with the better system as B."""
        return self.led or self


class SystemsDisagreement(NamedTuple):
    """The verdicts of several metrics on two systems, where they may name different winners.

    Attributes:
        a: the name of the first system.
        b: the name of the second system.
        says: which metrics name which winner and why; "" where all name the same one.
        rows: the ledgers side by side; empty where all metrics name the same winner.
        torn: the segments about which the metrics disagree most.
    """

    a: str
    b: str
    says: str
    rows: Sequence[Sequence[str]]
    torn: Sequence[SegmentStory]


class Patterns(NamedTuple):
    """The n-grams and errors in which two systems differ.

    Attributes:
        a: the name of the first system.
        b: the name of the second system.
        word_patterns: the n-grams of words that differ by more than chance.
        tried: how many n-grams of words were tested.
        characters: the n-grams of characters that differ by more than chance.
        characters_tried: how many n-grams of characters were tested.
        errors: the errors of each class that both systems have.
    """

    a: str
    b: str
    word_patterns: list[Pattern]
    tried: int
    characters: list[Pattern]
    characters_tried: int
    errors: list[ErrorCount]


class VerdictAcrossMetrics(NamedTuple):
    """The common verdict of all metrics on two systems, in sentences."""

    a: str
    b: str
    says: str


class SystemsReport(NamedTuple):
    """Everything that a report on several systems holds.

    Attributes:
        call: what the call asks for.
        text: the text processing.
        size: the number of segments.
        tables: the scores and statistics by each metric.
        signatures: the signature of each metric.
        intervals: the interval of each system by the metric's key.
        pairs: the paired tests.
        agreed: for each pair, how often people agreed with such a difference; None where that is not known.
        why: the causes of differences.
        disagreements: where metrics name different winners.
        patterns: n-grams and errors in which systems differ.
        spoken: the language, where a score depends on it.
        notes: sentences that are printed with the scores.
        missing: the metrics without a score.
        checked: the texts and what their checks found.
        agreement: how well metrics agree with people, if the call asks for that.
    """

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
    spoken: TextLanguage | None
    notes: Sequence[str]
    missing: Sequence[MissingMetric]
    checked: CheckedTexts
    agreement: CallAgreement | None = None

    @property
    def scored(self) -> bool:
        """Return whether metrics are scored, because there is a reference."""
        return bool(self.call.references)

    def scores(self) -> dict[str, dict[str, float]]:
        """Return the corpus scores by system and metric."""
        out: dict[str, dict[str, float]] = {name: {} for name in self.call.systems}
        for table in self.tables:
            for name, score in zip(out, table.corpus_scores(), strict=True):
                out[name][table.metric.key] = float(score)
        return out

    def verdicts_across_metrics(self) -> Iterator[VerdictAcrossMetrics]:
        """Yield what all metrics say of each tested pair of systems; nothing for a single metric."""
        if len(self.tables) < 2:
            return
        for a, b in dict.fromkeys([(pair.a, pair.b) for pair in self.pairs]):
            votes = [across_metrics.vote(pair) for pair in self.pairs if (pair.a, pair.b) == (a, b)]
            yield VerdictAcrossMetrics(a, b, across_metrics.sentence((a, b), votes, self.call.decimals))

    @property
    def compared(self) -> SystemsTables:
        """Return the tables of the systems and of their paired tests."""
        of = self.tables, self.signatures, self.intervals, self.pairs, self.agreed, self.call.decimals
        return SystemsTables([*self.call.systems], *of)


def report(
    call: SystemsCall,
    checked: CheckedTexts,
    metrics: Sequence[tuple[Metric, Settings]],
    text: TextSettings,
    spoken: TextLanguage | None,
    notes: Sequence[str],
    tell: Tell,
    say: Callable[[str], None],
    workers: Workers | None,
    judged: CallJudgements | None = None,
) -> SystemsReport:
    """Score the systems and return the report that the call asks for. Raises BadData.

    `tell` is called with the progress, `say` with sentences on problems that were solved. Without `workers` this
    machine scores.
    """
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
    signed = changed_signatures(signed, [offer.system for offer in checked.made_repairs()], call.clean)
    drawn = resampling.resampled(tables) if tables and (call.confidence or call.paired) else []
    intervals = {
        table.metric.key: its
        for table, each in zip(tables, drawn, strict=False)
        if call.confidence and (its := resampling.intervals(each, table.size))
    }
    interval_notes = ["One segment has no interval."] if call.confidence and len(texts.references) == 1 else []
    pairs, agreed = _pairs(call, tables, drawn, text, number) if tables and call.paired else ([], [])
    why = [*_difference_causes(call, texts, tables)]
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
    """Return the report on judgements without a reference. Raises BadData.

    It says how well judges and the scores of other programs agree with people.
    """
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
    """Return the tests of each system against the one that the call names, and how often people agreed with each."""
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


def _difference_causes(
    call: SystemsCall, texts: jobs.ScoringCorpus, tables: Sequence[StatisticsTable]
) -> Iterator[DifferenceCauses]:
    """Yield the causes of the differences that the call asks for, by each metric."""
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
                picks = pick_stories(metric, turned, theirs, ours, printed_names[::-1], call.decimals)
                led = DifferenceCauses(b, a, metric, turned, picks)
            yield DifferenceCauses(
                a, b, metric, ledger, pick_stories(metric, ledger, ours, theirs, printed_names, call.decimals), led
            )


def _disagreements(
    call: SystemsCall, texts: jobs.ScoringCorpus, why: Sequence[DifferenceCauses]
) -> Iterator[SystemsDisagreement]:
    """Yield what the metrics together say of each pair of systems that the call asks about."""
    names = [*call.systems]
    for a, b in call.why:
        ledgers = [(each.metric, each.ledger) for each in why if (each.a, each.b) == (a, b)]
        ours, theirs = (texts.segments(names.index(name)) for name in (a, b))
        rows = winners.side_by_side(ledgers, call.decimals) if winners.split(ledgers) else []
        torn = disputed_stories(ledgers, ours, theirs, (printable(a), printable(b)), call.decimals)
        yield SystemsDisagreement(a, b, winners.sentence(a, b, ledgers, call.decimals), rows, torn)


def _patterns(a: str, b: str, texts: jobs.ScoringCorpus, text: TextSettings, spoken: TextLanguage | None) -> Patterns:
    """Return the n-grams and errors in which the systems `a` and `b` differ."""
    at = [texts.names.index(name) for name in (a, b)]
    ours, theirs = (texts.systems[n] for n in at)
    words, characters = patterns(ours, theirs, texts.references), character_patterns(ours, theirs, texts.references)
    try:
        errors = error_counts(texts.segments(at[0]), texts.segments(at[1]), *_stemmer(texts, text, spoken))
    except TooHard as error:
        raise BadData(f"the errors of {a} and {b}: {error}") from None
    sure = ([each for each in group if each.q < LEVEL] for group in (words, characters))
    return Patterns(a, b, next(sure), len(words), next(sure), len(characters), errors)


def _stemmer(texts: jobs.ScoringCorpus, text: TextSettings, spoken: TextLanguage | None) -> tuple[str, str]:
    """Return the stemmer and its language by which inflections are recognised.

    They are those of the text processing, or else those of the language of the texts.
    """
    if text.stemmer != "none":
        return text.stemmer, text.language
    sample = [" ".join(line) for each in texts.references[:RECOGNISED] for line in each]
    language = spoken.treated_language if spoken else languages.language_for_stems(languages.recognise_language(sample))
    return languages.stemmer(language) or ("none", "english")
