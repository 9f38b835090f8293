"""The report on several systems, before it is written: scores, intervals, paired tests, ledgers and patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ...corpus import jobs, resampling
from ...corpus.agreement import Remark, RemarkKind
from ...corpus.cluster import ClusterUnavailable
from ...corpus.errors import ErrorCount
from ...corpus.explanations import across_metrics, winners
from ...corpus.explanations.segments import SegmentStory
from ...corpus.explanations.tables import SystemsTables
from ...corpus.explanations.two_systems import SystemDifference, TwoSystems, find_disputed
from ...corpus.file_warnings import ComparedFiles, sentences_by_system
from ...corpus.pairs import SystemPair
from ...corpus.pairs import compare_with_others as pairs_of
from ...corpus.patterns import LEVEL, Pattern
from ...corpus.resampling import Interval
from ...corpus.signatures import Signature, changed_signatures, people_agreement_rate, signatures
from ...corpus.table import Array, StatisticsTable
from ...corpus.tasks import Workers
from ...corpus.unavailable_metrics import MissingMetric, missing_metrics
from ...text import TextSettings, languages
from ...text.files import BadData
from ...types import Metric, Settings, TooHard, reference_count
from ..call import SystemsCall, Tell
from ..language import TextLanguage
from . import human_judgements
from .file_checks import CheckedTexts
from .human_judgements import CallAgreement, CallJudgements

#: The number of segments from whose references the language is recognised for stems, if it is not known yet.
RECOGNISED = 500


class SystemsDisagreement(NamedTuple):
    """The segments, and the verdicts, about which several metrics disagree for systems A and B.

    Attributes:
        a: the name of system A.
        b: the name of system B.
        says: which metrics name which system as better and why; "" where all name the same one.
        rows: the ledgers of all metrics as rows of one table; empty where all metrics name the same system.
        torn: the segments about which the metrics disagree most.
    """

    a: str
    b: str
    says: str
    rows: Sequence[Sequence[str]]
    torn: Sequence[SegmentStory]


class SystemsPatterns(NamedTuple):
    """The n-grams and errors in which systems A and B differ.

    Attributes:
        a: the name of system A.
        b: the name of system B.
        word_patterns: the n-grams of words that differ by more than chance.
        tried: how many n-grams of words were tested.
        characters: the n-grams of characters that differ by more than chance.
        characters_tried: how many n-grams of characters were tested.
        errors: the number of errors of each class, by system.
    """

    a: str
    b: str
    word_patterns: Sequence[Pattern]
    tried: int
    characters: Sequence[Pattern]
    characters_tried: int
    errors: Sequence[ErrorCount]


class VerdictAcrossMetrics(NamedTuple):
    """The sentence `says` on how many metrics call system `a` better and how many `b`."""

    a: str
    b: str
    says: str


class SystemsReport(NamedTuple):
    """Everything that a report on several systems holds.

    Attributes:
        call: what the call requests.
        text: the text processing.
        size: the number of segments.
        tables: for each metric, the scores and statistics of all systems.
        signatures: the signature of each metric.
        intervals: for each metric's key, the interval of each system's score; empty if not requested.
        pairs: the paired tests of one system against each other system, by each metric.
        agreed: for each pair, how often people agreed with such a difference; None where that is not known.
        why: the causes of the requested differences.
        disagreements: the pairs of systems about which metrics disagree.
        patterns: for the requested pairs, the n-grams and errors in which the systems differ.
        spoken: the language of the texts; None where no score depends on it.
        notes: sentences that are printed with the scores.
        missing: the metrics that have no score.
        checked: the scored texts and what the checks of the files found.
        agreement: how well the metrics agree with people; None if not requested.
    """

    call: SystemsCall
    text: TextSettings
    size: int
    tables: Sequence[StatisticsTable]
    signatures: Sequence[Signature]
    intervals: Mapping[str, Sequence[Interval]]
    pairs: Sequence[SystemPair]
    agreed: Sequence[float | None]
    why: Sequence[SystemDifference]
    disagreements: Sequence[SystemsDisagreement]
    patterns: Sequence[SystemsPatterns]
    spoken: TextLanguage | None
    notes: Sequence[str]
    missing: Sequence[MissingMetric]
    checked: CheckedTexts
    agreement: CallAgreement | None = None

    @property
    def has_scores(self) -> bool:
        """Return whether the report has scores by metrics, which need a reference."""
        return bool(self.call.references)

    def scores(self) -> dict[str, dict[str, float]]:
        """Return the corpus scores of the report: for each system, its score by the key of each metric."""
        out: dict[str, dict[str, float]] = {name: {} for name in self.call.systems}
        for table in self.tables:
            for name, score in zip(out, table.corpus_scores(), strict=True):
                out[name][table.metric.key] = float(score)
        return out

    def verdicts_across_metrics(self) -> Iterator[VerdictAcrossMetrics]:
        """Yield, for each tested pair of systems, the sentence on what all metrics say; nothing for a single metric."""
        if len(self.tables) < 2:
            return
        for a, b in dict.fromkeys([(pair.a, pair.b) for pair in self.pairs]):
            votes = [across_metrics.vote_of_pair(pair) for pair in self.pairs if (pair.a, pair.b) == (a, b)]
            yield VerdictAcrossMetrics(a, b, across_metrics.verdict_across_metrics((a, b), votes))

    @property
    def comparison_tables(self) -> SystemsTables:
        """Return the tables of scores and paired tests, which can be written as Markdown or LaTeX."""
        of = self.tables, self.signatures, self.intervals, self.pairs, self.agreed, self.call.decimals
        return SystemsTables([*self.call.systems], *of, doubts=sentences_by_system(self.checked.doubts))


def make_report(
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
    """Score the systems and return the report that the call requests. Raises BadData.

    `checked` are the texts to score, `spoken` is their language, and `notes` are printed with the scores. `tell` is
    called with the progress, `say` with sentences on problems that were solved. `workers` do the scoring; without them
    this machine does. `judged` are people's judgements, if agreement is requested.
    """
    texts = checked.texts

    def tell_progress(progress: jobs.JobProgress) -> None:
        tell(sum(progress.segments_done.values()) / (progress.size * len(progress.segments_done)), progress.seconds)

    job = jobs.Job(
        [(metric.key, settings) for metric, settings in metrics], texts, call.jobs, tell_progress, say, workers
    )
    try:
        tables_by_key = {table.metric.key: table for table in job.tables()}
    except ClusterUnavailable as error:
        raise BadData(str(error)) from None
    tables = [tables_by_key[metric.key] for metric, _ in metrics if metric.key in tables_by_key]
    number = reference_count(texts.references)
    signed = signatures(tables, text, number, bool(call.confidence), call.paired is not None)
    signed = changed_signatures(signed, checked.repaired_systems(), call.clean)
    drawn = resampling.scores_of_resamples(tables) if tables and (call.confidence or call.paired) else []
    intervals = {
        table.metric.key: its
        for table, each in zip(tables, drawn, strict=False)
        if call.confidence and (its := resampling.intervals(each, table.size))
    }
    interval_notes = ["A single segment has no interval."] if call.confidence and len(texts.references) == 1 else []
    pairs, agreed = _paired_tests(call, tables, drawn, text, number) if tables and call.paired else ([], [])
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
        [*_disagreements(call, why)],
        [_patterns(a, b, texts, text, spoken) for a, b in call.patterns],
        spoken,
        [*notes, *interval_notes, *checked.repair_notes()],
        missing_metrics(job.hard, job.lost),
        checked,
        human_judgements.measure_agreement(judged, tables, texts) if judged else None,
    )


def report_without_references(call: SystemsCall, text: TextSettings, judged: CallJudgements) -> SystemsReport:
    """Return the report for a call that has people's judgements but no reference. Raises BadData.

    It says how well each human judge, and each other program's scores, agree with people.
    """
    nothing = jobs.ScoringCorpus(tuple(call.systems), (), ())
    judged_agreement = human_judgements.measure_agreement(judged, (), nothing)
    sentence = "Without a reference no metric is scored: the table has only judges, chance and other programs' scores."
    table = replace(
        judged_agreement.table, remarks=(Remark(RemarkKind.UNSCORED, sentence), *judged_agreement.table.remarks)
    )
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
        checked=CheckedTexts(nothing, ComparedFiles({}, ()), (), (), (), (), {}),
        agreement=judged_agreement._replace(table=table),
    )


def _paired_tests(
    call: SystemsCall,
    tables: Sequence[StatisticsTable],
    drawn: Sequence[Array],
    text: TextSettings,
    references: int | str,
) -> tuple[list[SystemPair], list[float | None]]:
    """Return the paired tests of each system against `call.paired`, and how often people agreed with each difference.

    `drawn` are, for each table, the systems' scores on resamples. `references` is the number of references of a
    segment, or "var" where it differs.
    """
    names = [*call.systems]
    tested_pairs = pairs_of(names, tables, drawn, names.index(call.paired or ""))
    by_key = {table.metric.key: table for table in tables}
    agreed = [
        people_agreement_rate(
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
) -> Iterator[SystemDifference]:
    """Yield the causes of the difference of each pair in `call.why`, by each metric."""
    for pair in call.why:
        systems, at = _two_systems(texts, pair)
        for table in tables:
            try:
                yield systems.explain(table.metric, table.select_systems(at))
            except TooHard as error:
                raise BadData(f"why {pair[1]} differs from {pair[0]} by {table.metric.key}: {error}") from None


def _two_systems(texts: jobs.ScoringCorpus, pair: tuple[str, str]) -> tuple[TwoSystems, tuple[int, int]]:
    """Return the outputs of two systems, given by their names, and the indices of the systems."""
    a, b = (texts.names.index(name) for name in pair)
    return TwoSystems(pair, texts.segments(a), texts.segments(b)), (a, b)


def _disagreements(call: SystemsCall, differences: Sequence[SystemDifference]) -> Iterator[SystemsDisagreement]:
    """Yield, for each pair in `call.why`, which metrics name which system, and where they disagree most."""
    for a, b in call.why:
        of_pair = [each for each in differences if each.systems.names == (a, b)]
        ledgers = [(each.metric, each.ledger) for each in of_pair]
        rows = winners.ledger_table_rows(ledgers, call.decimals) if winners.split_by_winner(ledgers) else []
        says = winners.winners_sentence(a, b, ledgers, call.decimals)
        yield SystemsDisagreement(a, b, says, rows, find_disputed(of_pair, call.decimals))


def _patterns(
    a: str, b: str, texts: jobs.ScoringCorpus, text: TextSettings, spoken: TextLanguage | None
) -> SystemsPatterns:
    """Return the n-grams and errors in which the outputs of systems `a` and `b` differ."""
    words, parts, errors = _two_systems(texts, (a, b))[0].find_patterns(_stemmer(texts, text, spoken))
    if isinstance(errors, str):
        raise BadData(f"the errors of {a} and {b}: {errors}")
    sure = ([each for each in group if each.q < LEVEL] for group in (words, parts))
    return SystemsPatterns(a, b, next(sure), len(words), next(sure), len(parts), errors)


def _stemmer(texts: jobs.ScoringCorpus, text: TextSettings, spoken: TextLanguage | None) -> tuple[str, str]:
    """Return the name of the stemmer by which inflections are recognised, and the language of its stems.

    They come from the text processing or, if it does not stem, from the language of the texts.
    """
    if text.stemmer != "none":
        return text.stemmer, text.language
    sample = [" ".join(line) for each in texts.references[:RECOGNISED] for line in each]
    language = (
        spoken.stemming_language if spoken else languages.language_for_stems(languages.recognise_language(sample))
    )
    return languages.stemmer(language) or ("none", "english")
