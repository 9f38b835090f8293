"""The formats in which a report on several systems is written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ...corpus import resampling
from ...corpus.agreement import LEVELS, Overlap
from ...corpus.telling import agreement
from ...corpus.telling.patterns import characters_text, errors_text, patterns_text
from ...corpus.telling.significance import verdict
from ...corpus.telling.tables import marked_down
from ...corpus.telling.why import balance, balance_text, cause, cause_counts, counts_text, equation, sure
from ...formula import counted
from ...text import csv_cell, printable
from ...text.tabular import row
from ...types import __version__
from .report import Apart, Patterns, Report, Why


def why_text(why: Why, decimals: int) -> Iterator[str]:
    """The causes, how much comes from how many segments, and the segments that show it best, from the side of the
    better system."""
    why = why.to_better
    yield _equation(why, decimals)
    if why.ledger.delta or any(why.ledger.worth):
        yield f"  {balance_text(why.a, why.b, balance(why.metric, why.ledger), decimals)}"
        yield f"  {counts_text(why.a, why.b, why.metric, why.ledger)}".rstrip()
    heads = {"b": f"most for {printable(why.b)}", "a": f"most for {printable(why.a)}"}
    for pick in why.picks:
        yield f"  {heads.get(pick.of, 'nearly all by one cause')}: segment {pick.segment + 1}, {pick.says}"


def _equation(why: Why, decimals: int) -> str:
    return equation(why.a, why.b, why.metric, why.ledger, decimals)


def apart_text(apart: Apart) -> Iterator[str]:
    """What metrics that disagree say, and of which segments they disagree most."""
    if apart.says:
        yield apart.says
        yield from _aligned(apart.rows)
    for pick in apart.torn:
        yield f"The metrics disagree about segment {pick.segment + 1}: {pick.says}"


def of_patterns(of: Patterns) -> Iterator[str]:
    """The n-grams of words, those of characters, and the errors."""
    yield from patterns_text(of.a, of.b, of.found, of.tried)
    yield from characters_text(of.a, of.b, of.characters)
    yield from errors_text(of.a, of.b, of.errors)


def as_text(found: Report) -> Iterator[str]:
    """A row for each system, then what the pairs and the ledgers say, then the signatures."""
    digits = found.call.decimals
    yield f"{counted(found.size, 'segment')}, {counted(len(found.call.references), 'reference')}"
    if found.scored:
        yield ""
    if found.call.sentence:
        yield from _aligned(_segment_rows(found, digits))
    elif found.scored:
        head = ["system", *[table.metric.key for table in found.tables]]
        rows = [
            head,
            *[[printable(name), *found.compared.cells(n, " ± ")] for n, name in enumerate(found.call.systems)],
        ]
        yield from _aligned(rows)
    if found.pairs:
        yield ""
        yield from _across(found)
        yield from found.compared.verdicts()
    for why in found.why:
        yield ""
        yield from why_text(why, digits)
    for apart in found.apart:
        if said := [*apart_text(apart)]:
            yield ""
            yield from said
    for of in found.patterns:
        yield ""
        yield from of_patterns(of)
    if found.agreement:
        yield ""
        table, marked = found.agreement
        yield f"{agreement.title(table)}."
        for level in LEVELS:
            yield ""
            yield from _aligned([agreement.head(table, level), *agreement.rows(table, level, digits)])
        if marked:
            yield ""
            yield from _aligned([agreement.MARKED, *agreement.marked_rows(table, marked, digits)])
        yield ""
        yield from agreement.said(table, marked)
    if found.scored:
        yield ""
    yield from [*found.notes, ""] if found.notes else []
    yield from found.compared.signature_lines()


def _across(found: Report) -> Iterator[str]:
    """What all metrics say of each pair, which is named where there are several."""
    each = [*found.across()]
    for of in each:
        head = f"{printable(of.a)} and {printable(of.b)}: " if len(each) > 1 else ""
        yield f"{head}{of.says}"


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
        "signatures": {sign.key: sign.whole for sign in found.signatures},
        "sacrebleu": {sign.key: sign.sacrebleu for sign in found.signatures if sign.sacrebleu},
        "resampling": {"resamples": resampling.RESAMPLES, "trials": resampling.TRIALS, "seed": resampling.SEED},
        "warnings": [
            {
                "kind": doubt.kind.value,
                "system": doubt.system,
                "file": doubt.file,
                "lines": list(doubt.lines),
                "says": doubt.sentence,
            }
            for doubt in found.checked.doubts
        ],
        "hints": [
            {
                "file": hint.file,
                "metric": hint.metric,
                "score": hint.scores[0],
                "with": hint.scores[1],
                "segments": hint.segments,
                "option": hint.help.option,
                "says": hint.sentence(found.call.decimals),
            }
            for hint in found.checked.hints
        ],
        "repairs": [
            {
                "system": offer.system,
                "metric": offer.metric.key,
                "score": offer.scores and offer.scores[0],
                "repaired": offer.scores and offer.scores[1],
                "taken_out": list(offer.repair.taken),
                "left_empty": list(offer.repair.empty),
                "done": offer in found.checked.done(),
                "says": offer.sentence(found.call.decimals),
            }
            for offer in found.checked.offers
        ],
        "systems": systems,
        "missing": [each.to_dict([*found.call.systems]) for each in found.missing],
        "pairs": [
            {
                "a": pair.a,
                "b": pair.b,
                "metric": pair.metric.key,
                "delta": pair.delta,
                **(pair.interval._asdict() if pair.interval else {"low": None, "high": None}),
                "p_bootstrap": pair.p_bootstrap,
                "p_randomisation": pair.p_randomisation,
                "p_corrected": pair.p_corrected,
                "corrected_for": pair.others,
                "people_agreed": agreed,
                "says": verdict(pair, found.call.decimals, agreed),
            }
            for pair, agreed in zip(found.pairs, found.agreed, strict=True)
        ],
        "across": [each._asdict() for each in found.across()],
        "why": [
            {
                "a": why.a,
                "b": why.b,
                "metric": why.ledger.metric,
                "delta": why.ledger.delta,
                "low": why.ledger.low,
                "high": why.ledger.high,
                "steps": [
                    {**step._asdict(), "says": cause(why.metric, why.ledger, step), "sure": sure(step)}
                    for step in why.ledger.steps
                ],
                "segments": list(why.ledger.worth),
                **_balance(why),
                "causes": [count._asdict() for count in cause_counts(why.metric, why.ledger)],
                "picks": [pick._asdict() for pick in why.picks],
                "says": _equation(why.to_better, found.call.decimals),
            }
            for why in found.why
        ],
        "disagreements": [
            {"a": apart.a, "b": apart.b, "says": apart.says, "picks": [pick._asdict() for pick in apart.torn]}
            for apart in found.apart
        ],
        "patterns": [
            {
                "a": of.a,
                "b": of.b,
                "tried": of.tried,
                "found": [each._asdict() for each in of.found],
                "characters_tried": of.characters_tried,
                "characters": [each._asdict() for each in of.characters],
                "errors": [each._asdict() | {"error": each.error.label} for each in of.errors],
            }
            for of in found.patterns
        ],
    }
    if found.agreement:
        of_people = found.agreement.table.to_dict()
        if found.agreement.marked:
            of_people["marked"] = {key: list(map(_overlap, of)) for key, of in found.agreement.marked.items()}
        document["agreement"] = of_people
    yield json.dumps(document, indent=None if found.call.sentence else 2, allow_nan=False)


def _overlap(of: Overlap) -> dict[str, Any]:
    found = {name: getattr(of, name) for name in ("fault", "number", "marked", "share", "chance")}
    return {**found, "difference": of.difference._asdict()}


def _balance(why: Why) -> dict[str, Any]:
    found = balance(why.metric, why.ledger)
    return {"for_a": found.for_a._asdict(), "for_b": found.for_b._asdict(), "for_neither": found.neither}


def as_tsv(found: Report) -> Iterator[str]:
    """A header, then a line for each system and metric, or for each segment and system; exact numbers."""
    if found.call.sentence:
        yield from map(row, _segment_rows(found, None))
        return
    if found.scored:
        yield row(["system", "metric", "score", "low", "high", "signature"])
    scores = found.scores()
    for n, name in enumerate(found.call.systems):
        for table, sign in zip(found.tables, found.signatures, strict=True):
            key = table.metric.key
            ends = found.intervals[key][n] if key in found.intervals else ("", "")
            yield row([csv_cell(name), key, scores[name][key], *ends, sign.whole])
    if found.agreement:
        if found.scored:
            yield ""
        yield from map(row, agreement.flat(found.agreement.table))


def as_markdown(found: Report) -> Iterator[str]:
    """A table for a page of text, with intervals where they are asked for; what the pairs and the ledgers say and the
    signatures stand below."""
    compared = found.compared
    if found.scored:
        yield from compared.markdown()
    yield from [f"- {marked_down(said)}" for said in _across(found)]
    if found.agreement:
        if found.scored:
            yield ""
        yield from agreement.markdown(*found.agreement, found.call.decimals)
    said = [line for why in found.why for line in why_text(why, found.call.decimals)]
    said += [line for apart in found.apart for line in apart_text(apart)]
    said += [line for of in found.patterns for line in of_patterns(of)]
    for lines in (said, [*compared.signature_lines()]):
        if lines:
            yield ""
            yield from [f"    {line}" for line in lines]


def as_latex(found: Report) -> Iterator[str]:
    """A tabular that needs no package, with intervals where they are asked for, and one of the pairs; the signatures
    and what the pairs say are comments above them."""
    if found.scored:
        yield from found.compared.latex()
    if found.agreement:
        yield from agreement.latex_tables(*found.agreement, found.call.decimals)


WRITERS = {"text": as_text, "json": as_json, "tsv": as_tsv, "markdown": as_markdown, "latex": as_latex}
