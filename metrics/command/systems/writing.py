"""The formats in which a report on several systems is written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ...corpus import resampling
from ...corpus.patterns import LEVEL
from ...formula import counted
from ...text import csv_cell, printable
from ...types import Metric, __version__, signed
from ..output import latex, row, tabular
from .report import Pair, Patterns, Report, Why

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
