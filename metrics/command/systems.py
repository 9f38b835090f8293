"""The command line's systems: several files of translations over the same references, which is better, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..corpus import jobs, resampling
from ..corpus.ledger import CorpusLedger, corpus_ledger
from ..corpus.patterns import LEVEL, Pattern, patterns
from ..corpus.resampling import Interval
from ..corpus.slipped import Slip, slips
from ..corpus.table import Array, Table
from ..formula import counted
from ..text import TextSettings, csv_cell, printable
from ..text.files import BadData, lines, named
from ..text.processing import forms, process
from ..types import Metric, Settings, TooHard, __version__, signature, signed
from .call import Call, Tell
from .language import Spoken
from .output import latex, row, tabular


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


# ---------------------------------------------------------------- reading


def read(call: Call) -> tuple[list[list[str]], list[list[str]]]:
    """The lines of the systems and of the references. Raises BadData."""
    systems = [lines(file) for file in call.systems.values()]
    references = [lines(file) for file in call.references]
    files = [*call.systems.values(), *call.references]
    for file, column in zip(files[1:], [*systems[1:], *references], strict=True):
        if len(column) != len(systems[0]):
            raise BadData(
                f"{named(file)} has {counted(len(column), 'line')}, but {named(files[0])} has {len(systems[0])}; "
                "all must hold the same segments, one a line"
            )
    return systems, references


def corpus(call: Call, systems: list[list[str]], references: list[list[str]], text: TextSettings) -> jobs.Corpus:
    """The texts processed, each line once. An empty line in one of several references says that the segment has no such
    reference; where all are empty it has one without words."""
    seen: dict[str, tuple[str, ...]] = {}
    same: dict[str, str] = {}  # a word of a corpus stands in memory once

    def words(line: str) -> tuple[str, ...]:
        if line not in seen:
            seen[line] = tuple([same.setdefault(word, word) for word in forms(process(line, text))])
        return seen[line]

    of_segments = []
    for each in zip(*references, strict=True):
        there = [line for line in each if line.strip()] or [each[0]]
        of_segments.append(tuple([words(line) for line in there]))
    outputs = tuple([tuple([words(line) for line in column]) for column in systems])
    return jobs.Corpus(tuple(call.systems), outputs, tuple(of_segments))


def warnings(call: Call, texts: jobs.Corpus, columns: list[list[str]]) -> Iterator[str]:
    """What looks wrong about the files, each in a sentence with its file and line."""
    for (name, file), output, column in zip(call.systems.items(), texts.systems, columns, strict=True):
        empty = [number for number, line in enumerate(column, 1) if not line.strip()]
        if empty:
            more = f" and {len(empty) - 1} more" if len(empty) > 1 else ""
            yield f"{named(file)}, line {empty[0]}{more}: the output of {printable(name)} is empty there"
        equal = sum(line in each for line, each in zip(output, texts.references, strict=True) if line)
        if equal > 0.9 * len(output) and len(output) > 10:
            yield f"{named(file)}: {equal} of {len(output)} lines are equal to a reference; is it a file of references?"
        for slip in slips(output, texts.references):
            yield f"{named(file)}, line {slip.line}: {_slipped(slip)}"


def _slipped(slip: Slip) -> str:
    if not slip.offset:
        return "from here on each line stands beside its own references again"
    side = "before" if slip.offset < 0 else "after"
    what = "too many" if slip.offset < 0 else "missing"
    number = abs(slip.offset)
    return (
        f"from here on each line fits the references {counted(number, 'line')} {side} it better than its own; "
        f"{counted(number, 'line')} may be {what}"
    )


# ---------------------------------------------------------------- scoring


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


# ---------------------------------------------------------------- writing

#: Segments that are named for and against.
NAMED = 3


def verdict(pair: Pair, decimals: int) -> str:
    """What a pair says, in a sentence: what is more than chance goes by randomisation, corrected for all systems."""
    a, b, metric = printable(pair.a), printable(pair.b), pair.metric
    p = f"p = {pair.p_corrected:.4f}"
    if not pair.delta:
        return f"{a} and {b} have the same {metric.label}."
    better, worse = (b, a) if (pair.delta > 0) == metric.higher_is_better else (a, b)
    by = f"{abs(pair.delta):.{decimals}f} {metric.label}"
    if pair.p_corrected < LEVEL:
        return f"{better} is better than {worse} by {by} ({p})."
    return f"{better} is ahead of {worse} by {by}, which may be chance ({p})."


def why_text(why: Why, metric: Metric, decimals: int) -> Iterator[str]:
    """The causes, and which segments made the difference."""
    found = why.ledger
    steps = [f"{signed(step.share, decimals)} {step.name or step.cause}" for step in found.steps]
    head = f"{printable(why.b)} − {printable(why.a)}, {metric.label} {signed(found.delta, decimals)}"
    yield f"{head} = {', '.join(steps)}" if steps else head
    sign = 1 if metric.higher_is_better else -1
    for_b = [(n, worth) for n, worth in enumerate(found.worth, 1) if sign * worth > 0]
    for_a = [(n, worth) for n, worth in enumerate(found.worth, 1) if sign * worth < 0]
    if for_b or for_a:
        sides = [(for_b, why.b), (for_a, why.a)]
        said = [
            f"{counted(len(side), 'segment')} for {printable(name)} ({signed(sum(w for _, w in side), decimals)})"
            for side, name in sides
        ]
        most = [
            f"most for {printable(name)}: "
            + ", ".join(str(n) for n, _ in sorted(side, key=lambda each: -abs(each[1]))[:NAMED])
            for side, name in sides
            if side
        ]
        yield f"  {', '.join(said)}; {'; '.join(most)}"


def patterns_text(of: Patterns) -> Iterator[str]:
    """For each system what it has right more often, or that nothing is more than chance."""
    a, b = printable(of.a), printable(of.b)
    if not of.found:
        yield f"{a} and {b}: of {counted(of.tried, 'n-gram')} none is confirmed more often by more than chance"
    for name, side in ((a, -1), (b, 1)):
        those = [each for each in of.found if (each.for_b - each.for_a) * side > 0]
        if those:
            yield f"{name} has right more often, by more than chance:"
        for each in those:
            ours, theirs = (each.a, each.b) if name == a else (each.b, each.a)
            words = " ".join(map(printable, each.words))
            yield f"  {words}  {ours} against {theirs} of {each.there} times (q = {each.q:.4f})"


def as_text(found: Report) -> Iterator[str]:
    """A row for each system, then what the pairs and the ledgers say, then the signatures."""
    digits, names = found.call.decimals, [*found.call.systems]
    yield f"{counted(found.size, 'segment')}, {counted(len(found.call.references), 'reference')}"
    yield ""
    if found.call.sentence:
        yield from _aligned(_segment_rows(found, digits))
    else:
        head = ["system", *[table.metric.key for table in found.tables]]
        rows = [head]
        scores = found.scores()
        for n, name in enumerate(names):
            cells = []
            for table in found.tables:
                key = table.metric.key
                low_high = found.intervals.get(key)
                half = f" ± {(low_high[n].high - low_high[n].low) / 2:.{digits}f}" if low_high else ""
                cells.append(f"{scores[name][key]:.{digits}f}{half}")
            rows.append([printable(name), *cells])
        yield from _aligned(rows)
    if found.pairs:
        yield ""
        yield from [verdict(pair, digits) for pair in found.pairs]
    for why in found.why:
        table = next(table for table in found.tables if table.metric.key == why.ledger.metric)
        yield ""
        yield from why_text(why, table.metric, digits)
    for of in found.patterns:
        yield ""
        yield from patterns_text(of)
    yield ""
    yield from [*found.notes, ""] if found.notes else []
    yield from map(printable, found.signatures)
    if found.pairs or found.intervals:
        yield f"resamples:{resampling.RESAMPLES}|trials:{resampling.TRIALS}|seed:{resampling.SEED}"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells]).rstrip()


def _segment_rows(found: Report, digits: int | None) -> list[list[str]]:
    """A row for each segment and system, with the score of each metric; exact where no digits are given."""
    rows = [["segment", "system", *[table.metric.key for table in found.tables]]]
    for number in range(found.size):
        for n, name in enumerate(found.call.systems):
            scores = [float(table.scores[n, number]) for table in found.tables]
            cells = [repr(score) if digits is None else f"{score:.{digits}f}" for score in scores]
            rows.append([str(number + 1), printable(name), *cells])
    return rows


def as_json(found: Report) -> Iterator[str]:
    """One object, in ASCII; segments count from 0, as in Python."""
    scores = found.scores()
    systems: dict[str, dict[str, Any]] = {}
    for n, name in enumerate(found.call.systems):
        systems[name] = {}
        for table in found.tables:
            key = table.metric.key
            of: dict[str, Any] = {"score": scores[name][key]}
            if key in found.intervals:
                of |= found.intervals[key][n]._asdict()
            if found.call.sentence:
                of["segments"] = table.scores[n].tolist()
            systems[name][key] = of
    document = {
        "version": __version__,
        "files": dict(found.call.systems),
        "references": list(found.call.references),
        "segments": found.size,
        "text": found.text.to_dict(),
        "language": found.spoken.to_dict() if found.spoken else None,
        "signatures": {t.metric.key: sign for t, sign in zip(found.tables, found.signatures, strict=True)},
        "resampling": {"resamples": resampling.RESAMPLES, "trials": resampling.TRIALS, "seed": resampling.SEED},
        "systems": systems,
        "pairs": [
            {
                "a": pair.a,
                "b": pair.b,
                "metric": pair.metric.key,
                "delta": pair.delta,
                **pair.interval._asdict(),
                "p_bootstrap": pair.p_bootstrap,
                "p_randomisation": pair.p_randomisation,
                "p_corrected": pair.p_corrected,
                "says": verdict(pair, found.call.decimals),
            }
            for pair in found.pairs
        ],
        "why": [
            {
                "a": why.a,
                "b": why.b,
                "metric": why.ledger.metric,
                "delta": why.ledger.delta,
                "steps": [step._asdict() for step in why.ledger.steps],
                "segments": list(why.ledger.worth),
            }
            for why in found.why
        ],
        "patterns": [
            {"a": of.a, "b": of.b, "tried": of.tried, "found": [each._asdict() for each in of.found]}
            for of in found.patterns
        ],
    }
    yield json.dumps(document, indent=None if found.call.sentence else 2, allow_nan=False)


def as_tsv(found: Report) -> Iterator[str]:
    """A header, then a line for each system and metric, or for each segment and system; exact numbers."""
    if found.call.sentence:
        yield from map(row, _segment_rows(found, None))
        return
    yield row(["system", "metric", "score", "low", "high", "signature"])
    scores = found.scores()
    for n, name in enumerate(found.call.systems):
        for table, sign in zip(found.tables, found.signatures, strict=True):
            key = table.metric.key
            ends = found.intervals[key][n] if key in found.intervals else ("", "")
            yield row([csv_cell(name), key, scores[name][key], *ends, sign])


def as_markdown(found: Report) -> Iterator[str]:
    """A table for a page of text, with the signatures below."""
    digits, scores = found.call.decimals, found.scores()
    yield "| System | " + " | ".join([table.metric.label for table in found.tables]) + " |"
    yield "|---|" + "---:|" * len(found.tables)
    for name in found.call.systems:
        cells = [f"{scores[name][table.metric.key]:.{digits}f}" for table in found.tables]
        yield f"| {printable(name).replace('|', chr(92) + '|')} | {' | '.join(cells)} |"
    yield ""
    yield from [f"    {printable(sign)}" for sign in found.signatures]


def as_latex(found: Report) -> Iterator[str]:
    """A tabular that needs no package; the signatures are comments above it."""
    digits, scores = found.call.decimals, found.scores()
    yield from [f"% {printable(sign)}" for sign in found.signatures]
    rows = [["system", *[latex(table.metric.label) for table in found.tables]]]
    for name in found.call.systems:
        rows.append([latex(name), *[f"{scores[name][table.metric.key]:.{digits}f}" for table in found.tables]])
    yield from tabular("l" + "r" * len(found.tables), rows)


WRITERS = {"text": as_text, "json": as_json, "tsv": as_tsv, "markdown": as_markdown, "latex": as_latex}
