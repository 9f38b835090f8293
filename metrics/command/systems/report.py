"""What a call about several systems asks for: scores, intervals, paired tests, ledgers, patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ...corpus import jobs, resampling
from ...corpus.agreement import Note, Remark
from ...corpus.characters import character_patterns
from ...corpus.cluster import NoCluster
from ...corpus.doubts import Files
from ...corpus.errors import ErrorCount, error_counts
from ...corpus.ledger import CorpusLedger, corpus_ledger
from ...corpus.missing import Missing, missing
from ...corpus.pairs import Pair
from ...corpus.pairs import pairs as pairs_of
from ...corpus.patterns import LEVEL, Pattern, patterns
from ...corpus.resampling import Interval
from ...corpus.signatures import Signature, agreement, of_changed, signatures
from ...corpus.table import Array, Table
from ...corpus.tasks import Workers
from ...corpus.telling import across, winners
from ...corpus.telling.segments import Told, told_picks, told_torn
from ...corpus.telling.tables import Systems
from ...text import TextSettings, languages, printable
from ...text.files import BadData
from ...types import Metric, Settings, TooHard
from ..call import Call, Tell
from ..language import Spoken
from . import people
from .checking import Checked
from .people import Agreed, Judgements

#: Segments whose references tell the language, where a call does not say it and no metric asks for it.
RECOGNISED = 500


class Why(NamedTuple):
    """What made the difference of two systems by a metric, B's score less A's, and the segments that show it best.
    `led` is the same told to the better system, which is its B; None where B is the better one here."""

    a: str
    b: str
    metric: Metric
    ledger: CorpusLedger
    picks: Sequence[Told]
    led: Why | None = None

    @property
    def to_better(self) -> Why:
        return self.led or self


class Apart(NamedTuple):
    """What is said of two systems by several metrics: which name which winner and why, "" where all name the same one,
    the ledgers side by side where they do not, and the segments of which the metrics disagree most."""

    a: str
    b: str
    says: str
    rows: Sequence[Sequence[str]]
    torn: Sequence[Told]


class Patterns(NamedTuple):
    """The n-grams of two systems that differ by more than chance, of so many that were looked at, those of words and
    those of characters, and how many errors of each class both have."""

    a: str
    b: str
    found: list[Pattern]
    tried: int
    characters: list[Pattern]
    characters_tried: int
    errors: list[ErrorCount]


class Across(NamedTuple):
    """What all metrics say of two systems, in sentences."""

    a: str
    b: str
    says: str


class Report(NamedTuple):
    """All that is written. `intervals` are those of each system by metric; `agreed` is how often people agreed with a
    difference like that of each of the `pairs`, None where that is not known. Metrics without a score are `missing`.
    `agreement` is how well metrics agree with people, where a call asks for that."""

    call: Call
    text: TextSettings
    size: int
    tables: Sequence[Table]
    signatures: Sequence[Signature]
    intervals: Mapping[str, Sequence[Interval]]
    pairs: Sequence[Pair]
    agreed: Sequence[float | None]
    why: Sequence[Why]
    apart: Sequence[Apart]
    patterns: Sequence[Patterns]
    spoken: Spoken | None
    notes: Sequence[str]
    missing: Sequence[Missing]
    checked: Checked
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
            votes = [across.vote(pair) for pair in self.pairs if (pair.a, pair.b) == (a, b)]
            yield Across(a, b, across.sentence((a, b), votes, self.call.decimals))

    @property
    def compared(self) -> Systems:
        """The systems and their paired tests."""
        of = self.tables, self.signatures, self.intervals, self.pairs, self.agreed, self.call.decimals
        return Systems([*self.call.systems], *of)


def report(
    call: Call,
    checked: Checked,
    asked: Sequence[tuple[Metric, Settings]],
    text: TextSettings,
    spoken: Spoken | None,
    notes: Sequence[str],
    tell: Tell,
    say: Callable[[str], None],
    workers: Workers | None,
    judged: Judgements | None = None,
) -> Report:
    """Score the systems and find what the call asks for. Raises BadData."""
    texts = checked.texts

    def told(progress: jobs.Progress) -> None:
        tell(sum(progress.done.values()) / (progress.size * len(progress.done)), progress.seconds)

    job = jobs.Job([(metric.key, settings) for metric, settings in asked], texts, call.jobs, told, say, workers)
    try:
        found = {table.metric.key: table for table in job.tables()}
    except NoCluster as error:
        raise BadData(str(error)) from None
    tables = [found[metric.key] for metric, _ in asked if metric.key in found]
    counts = {len(each) for each in texts.references}
    number = counts.pop() if len(counts) == 1 else "var"
    signed = signatures(tables, text, number, bool(call.confidence), call.paired is not None)
    signed = of_changed(signed, [offer.system for offer in checked.done()], call.clean)
    drawn = resampling.resampled(tables) if tables and (call.confidence or call.paired) else []
    intervals = {
        table.metric.key: its
        for table, each in zip(tables, drawn, strict=False)
        if call.confidence and (its := resampling.intervals(each, table.size))
    }
    alone = ["One segment has no interval."] if call.confidence and len(texts.references) == 1 else []
    pairs, agreed = _pairs(call, tables, drawn, text, number) if tables and call.paired else ([], [])
    why = [*_why(call, texts, tables)]
    return Report(
        call,
        text,
        len(texts.references),
        tables,
        signed,
        intervals,
        pairs,
        agreed,
        why,
        [*_apart(call, texts, why)],
        [_patterns(a, b, texts, text, spoken) for a, b in call.patterns],
        spoken,
        [*notes, *alone, *checked.notes()],
        missing(job.hard, job.lost),
        checked,
        people.agreement(judged, tables, texts) if judged else None,
    )


def unscored(call: Call, text: TextSettings, judged: Judgements) -> Report:
    """What is found of judgements without a reference: how well judges, and the scores of other programs, agree with
    people. Raises BadData."""
    nothing = jobs.Corpus(tuple(call.systems), (), ())
    found = people.agreement(judged, (), nothing)
    said = "Without a reference no metric is scored: what stands here are judges, chance and other programs' scores."
    table = replace(found.table, remarks=(Remark(Note.UNSCORED, said), *found.table.remarks))
    return Report(
        call,
        text,
        judged.judged.size,
        tables=(),
        signatures=(),
        intervals={},
        pairs=(),
        agreed=(),
        why=(),
        apart=(),
        patterns=(),
        spoken=None,
        notes=(),
        missing=(),
        checked=Checked(nothing, Files({}, ()), (), (), (), ()),
        agreement=found._replace(table=table),
    )


def _pairs(
    call: Call, tables: Sequence[Table], drawn: Sequence[Array], text: TextSettings, references: int | str
) -> tuple[list[Pair], list[float | None]]:
    """The paired tests of each system against the one that is named, and how often people agreed with each."""
    names = [*call.systems]
    found = pairs_of(names, tables, drawn, names.index(call.paired or ""))
    by_key = {table.metric.key: table for table in tables}
    agreed = [
        agreement(by_key[pair.metric.key].of([names.index(pair.a), names.index(pair.b)]), text, references, pair.delta)
        for pair in found
    ]
    return found, agreed


def _why(call: Call, texts: jobs.Corpus, tables: Sequence[Table]) -> Iterator[Why]:
    names = [*call.systems]
    for a, b in call.why:
        at = names.index(a), names.index(b)
        ours, theirs = (texts.segments(n) for n in at)
        for table in tables:
            metric = table.metric
            try:
                ledger = corpus_ledger(metric, table.settings, ours, theirs, table.of(at))
            except TooHard as error:
                raise BadData(f"why {b} differs from {a} by {metric.key}: {error}") from None
            shown = printable(a), printable(b)
            led = None
            if ledger.delta and (ledger.delta > 0) != metric.higher_is_better:
                turned = ledger.turned
                picks = told_picks(metric, turned, theirs, ours, shown[::-1], call.decimals)
                led = Why(b, a, metric, turned, picks)
            yield Why(a, b, metric, ledger, told_picks(metric, ledger, ours, theirs, shown, call.decimals), led)


def _apart(call: Call, texts: jobs.Corpus, why: Sequence[Why]) -> Iterator[Apart]:
    names = [*call.systems]
    for a, b in call.why:
        ledgers = [(each.metric, each.ledger) for each in why if (each.a, each.b) == (a, b)]
        ours, theirs = (texts.segments(names.index(name)) for name in (a, b))
        rows = winners.side_by_side(ledgers, call.decimals) if winners.split(ledgers) else []
        torn = told_torn(ledgers, ours, theirs, (printable(a), printable(b)), call.decimals)
        yield Apart(a, b, winners.sentence(a, b, ledgers, call.decimals), rows, torn)


def _patterns(a: str, b: str, texts: jobs.Corpus, text: TextSettings, spoken: Spoken | None) -> Patterns:
    at = [texts.names.index(name) for name in (a, b)]
    ours, theirs = (texts.systems[n] for n in at)
    words, characters = patterns(ours, theirs, texts.references), character_patterns(ours, theirs, texts.references)
    try:
        errors = error_counts(texts.segments(at[0]), texts.segments(at[1]), *_stemmer(texts, text, spoken))
    except TooHard as error:
        raise BadData(f"the errors of {a} and {b}: {error}") from None
    sure = ([each for each in found if each.q < LEVEL] for found in (words, characters))
    return Patterns(a, b, next(sure), len(words), next(sure), len(characters), errors)


def _stemmer(texts: jobs.Corpus, text: TextSettings, spoken: Spoken | None) -> tuple[str, str]:
    """The stems by which inflections are known: those of the texts, or those of their language."""
    if text.stemmer != "none":
        return text.stemmer, text.language
    some = [" ".join(line) for each in texts.references[:RECOGNISED] for line in each]
    own = spoken.own if spoken else languages.treated_as(languages.recognised(some))
    return languages.stemmer(own) or ("none", "english")
