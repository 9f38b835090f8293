"""The writers of a report on several systems, one for each format."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ...corpus import resampling
from ...corpus.agreement import LEVELS, Overlap
from ...corpus.explanations import agreement
from ...corpus.explanations.patterns import characters_text, errors_text, patterns_text
from ...corpus.explanations.significance import verdict
from ...corpus.explanations.tables import marked_down
from ...corpus.explanations.why import balance, balance_text, cause, cause_counts, counts_text, equation, is_sure
from ...formula import counted
from ...text import csv_cell, printable
from ...text.tabular import row
from ...types import __version__
from .report import DifferenceCauses, Patterns, SystemsDisagreement, SystemsReport


def why_text(why: DifferenceCauses, decimals: int) -> Iterator[str]:
    """Yield the causes of a difference, how much comes from how many segments, and the segments that show it best.

    The better of the two systems is taken as B.
    """
    why = why.to_better
    yield _equation(why, decimals)
    if why.ledger.delta or any(why.ledger.worth):
        yield f"  {balance_text(why.a, why.b, balance(why.metric, why.ledger), decimals)}"
        yield f"  {counts_text(why.a, why.b, why.metric, why.ledger)}".rstrip()
    heads = {"b": f"most for {printable(why.b)}", "a": f"most for {printable(why.a)}"}
    for pick in why.picks:
        yield f"  {heads.get(pick.of, 'nearly all by one cause')}: segment {pick.segment + 1}, {pick.says}"


def _equation(why: DifferenceCauses, decimals: int) -> str:
    """Return the difference of the scores as the sum of its causes."""
    return equation(why.a, why.b, why.metric, why.ledger, decimals)


def disagreement_lines(disagreement: SystemsDisagreement) -> Iterator[str]:
    """Yield what metrics that disagree say, and the segments about which they disagree most."""
    if disagreement.says:
        yield disagreement.says
        yield from _aligned(disagreement.rows)
    for pick in disagreement.torn:
        yield f"The metrics disagree about segment {pick.segment + 1}: {pick.says}"


def patterns_lines(of: Patterns) -> Iterator[str]:
    """Yield the n-grams of words, those of characters, and the errors."""
    yield from patterns_text(of.a, of.b, of.word_patterns, of.tried)
    yield from characters_text(of.a, of.b, of.characters)
    yield from errors_text(of.a, of.b, of.errors)


def as_text(report: SystemsReport) -> Iterator[str]:
    """Yield a row for each system, then what the pairs and the ledgers say, then the signatures."""
    digits = report.call.decimals
    yield f"{counted(report.size, 'segment')}, {counted(len(report.call.references), 'reference')}"
    if report.scored:
        yield ""
    if report.call.sentence:
        yield from _aligned(_segment_rows(report, digits))
    elif report.scored:
        head = ["system", *[table.metric.key for table in report.tables]]
        rows = [
            head,
            *[[printable(name), *report.compared.cells(n, " ± ")] for n, name in enumerate(report.call.systems)],
        ]
        yield from _aligned(rows)
    if report.pairs:
        yield ""
        yield from _across(report)
        yield from report.compared.verdicts()
    for why in report.why:
        yield ""
        yield from why_text(why, digits)
    for disagreement in report.disagreements:
        if lines := [*disagreement_lines(disagreement)]:
            yield ""
            yield from lines
    for of in report.patterns:
        yield ""
        yield from patterns_lines(of)
    if report.agreement:
        yield ""
        table, marked = report.agreement
        yield f"{agreement.title(table)}."
        for level in LEVELS:
            yield ""
            yield from _aligned([agreement.head(table, level), *agreement.rows(table, level, digits)])
        if marked:
            yield ""
            yield from _aligned([agreement.MARKED, *agreement.marked_rows(table, marked, digits)])
        yield ""
        yield from agreement.remark_lines(table, marked)
    if report.scored:
        yield ""
    yield from [*report.notes, ""] if report.notes else []
    yield from report.compared.signature_lines()


def _across(report: SystemsReport) -> Iterator[str]:
    """Yield what all metrics say of each pair of systems; the pair is named if there are several."""
    each = [*report.verdicts_across_metrics()]
    for of in each:
        head = f"{printable(of.a)} and {printable(of.b)}: " if len(each) > 1 else ""
        yield f"{head}{of.says}"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows as lines of text in aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells]).rstrip()


def _segment_rows(report: SystemsReport, digits: int | None) -> list[list[str]]:
    """Return a header and a row for each segment and system, with the score by each metric.

    The scores have `digits` decimals; without `digits` they are exact.
    """
    rows = [["segment", "system", *[table.metric.key for table in report.tables]]]
    for number in range(report.size):
        for n, name in enumerate(report.call.systems):
            scores = [float(table.scores[n, number]) for table in report.tables]
            cells = [repr(score) if digits is None else f"{score:.{digits}f}" for score in scores]
            rows.append([str(number + 1), printable(name), *cells])
    return rows


def as_json(report: SystemsReport) -> Iterator[str]:
    """Yield one JSON object in ASCII; segments count from 0, as in Python."""
    scores = report.scores()
    systems: dict[str, dict[str, Any]] = {}
    for n, name in enumerate(report.call.systems):
        systems[name] = {}
        for table in report.tables:
            key = table.metric.key
            of: dict[str, Any] = {"score": scores[name][key]}
            if key in report.intervals:
                of |= report.intervals[key][n]._asdict()
            if report.call.sentence:
                of["segments"] = table.scores[n].tolist()
            systems[name][key] = of
    document = {
        "version": __version__,
        "files": dict(report.call.systems),
        "references": list(report.call.references),
        "segments": report.size,
        "text": report.text.to_dict(),
        "language": report.spoken.to_dict() if report.spoken else None,
        "signatures": {sign.key: sign.whole for sign in report.signatures},
        "sacrebleu": {sign.key: sign.sacrebleu for sign in report.signatures if sign.sacrebleu},
        "resampling": {"resamples": resampling.RESAMPLES, "trials": resampling.TRIALS, "seed": resampling.SEED},
        "warnings": [
            {
                "kind": doubt.kind.value,
                "system": doubt.system,
                "file": doubt.file,
                "lines": list(doubt.lines),
                "says": doubt.sentence,
            }
            for doubt in report.checked.doubts
        ],
        "hints": [
            {
                "file": hint.file,
                "metric": hint.metric,
                "score": hint.scores[0],
                "with": hint.scores[1],
                "segments": hint.segments,
                "option": hint.help.option,
                "says": hint.sentence(report.call.decimals),
            }
            for hint in report.checked.hints
        ],
        "repairs": [
            {
                "system": offer.system,
                "metric": offer.metric.key,
                "score": offer.scores and offer.scores[0],
                "repaired": offer.scores and offer.scores[1],
                "taken_out": list(offer.repair.taken_lines),
                "left_empty": list(offer.repair.empty),
                "done": offer in report.checked.made_repairs(),
                "says": offer.sentence(report.call.decimals),
            }
            for offer in report.checked.offers
        ],
        "systems": systems,
        "missing": [each.to_dict([*report.call.systems]) for each in report.missing],
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
                "says": verdict(pair, report.call.decimals, agreed),
            }
            for pair, agreed in zip(report.pairs, report.agreed, strict=True)
        ],
        "across": [each._asdict() for each in report.verdicts_across_metrics()],
        "why": [
            {
                "a": why.a,
                "b": why.b,
                "metric": why.ledger.metric,
                "delta": why.ledger.delta,
                "low": why.ledger.low,
                "high": why.ledger.high,
                "steps": [
                    {**step._asdict(), "says": cause(why.metric, why.ledger, step), "sure": is_sure(step)}
                    for step in why.ledger.steps
                ],
                "segments": list(why.ledger.worth),
                **_balance(why),
                "causes": [count._asdict() for count in cause_counts(why.metric, why.ledger)],
                "picks": [pick._asdict() for pick in why.picks],
                "says": _equation(why.to_better, report.call.decimals),
            }
            for why in report.why
        ],
        "disagreements": [
            {
                "a": disagreement.a,
                "b": disagreement.b,
                "says": disagreement.says,
                "picks": [pick._asdict() for pick in disagreement.torn],
            }
            for disagreement in report.disagreements
        ],
        "patterns": [
            {
                "a": of.a,
                "b": of.b,
                "tried": of.tried,
                "found": [each._asdict() for each in of.word_patterns],
                "characters_tried": of.characters_tried,
                "characters": [each._asdict() for each in of.characters],
                "errors": [each._asdict() | {"error": each.error.label} for each in of.errors],
            }
            for of in report.patterns
        ],
    }
    if report.agreement:
        of_people = report.agreement.table.to_dict()
        if report.agreement.marked:
            of_people["marked"] = {key: list(map(_overlap, of)) for key, of in report.agreement.marked.items()}
        document["agreement"] = of_people
    yield json.dumps(document, indent=None if report.call.sentence else 2, allow_nan=False)


def _overlap(of: Overlap) -> dict[str, Any]:
    """Return, as a JSON object, how much of what a metric finds wrong lies in spans that people marked."""
    values = {name: getattr(of, name) for name in ("fault", "number", "marked", "share", "chance")}
    return {**values, "difference": of.difference._asdict()}


def _balance(why: DifferenceCauses) -> dict[str, Any]:
    """Return the balance of a difference as JSON fields."""
    sides = balance(why.metric, why.ledger)
    return {"for_a": sides.for_a._asdict(), "for_b": sides.for_b._asdict(), "for_neither": sides.for_neither}


def as_tsv(report: SystemsReport) -> Iterator[str]:
    """Yield a header, then a line for each system and metric, or for each segment and system, with exact numbers."""
    if report.call.sentence:
        yield from map(row, _segment_rows(report, None))
        return
    if report.scored:
        yield row(["system", "metric", "score", "low", "high", "signature"])
    scores = report.scores()
    for n, name in enumerate(report.call.systems):
        for table, sign in zip(report.tables, report.signatures, strict=True):
            key = table.metric.key
            ends = report.intervals[key][n] if key in report.intervals else ("", "")
            yield row([csv_cell(name), key, scores[name][key], *ends, sign.whole])
    if report.agreement:
        if report.scored:
            yield ""
        yield from map(row, agreement.flat(report.agreement.table))


def as_markdown(report: SystemsReport) -> Iterator[str]:
    """Yield Markdown tables, then sentences on the pairs and ledgers, then the signatures.

    The tables have intervals if the call asks for them.
    """
    compared = report.compared
    if report.scored:
        yield from compared.markdown()
    yield from [f"- {marked_down(text)}" for text in _across(report)]
    if report.agreement:
        if report.scored:
            yield ""
        yield from agreement.markdown(*report.agreement, report.call.decimals)
    text = [line for why in report.why for line in why_text(why, report.call.decimals)]
    text += [line for disagreement in report.disagreements for line in disagreement_lines(disagreement)]
    text += [line for of in report.patterns for line in patterns_lines(of)]
    for lines in (text, [*compared.signature_lines()]):
        if lines:
            yield ""
            yield from [f"    {line}" for line in lines]


def as_latex(report: SystemsReport) -> Iterator[str]:
    """Yield a tabular of the systems and one of the pairs, which need no package.

    They have intervals if the call asks for them.

    The signatures and the sentences on the pairs are comments above them.
    """
    if report.scored:
        yield from report.compared.latex()
    if report.agreement:
        yield from agreement.latex_tables(*report.agreement, report.call.decimals)


WRITERS = {"text": as_text, "json": as_json, "tsv": as_tsv, "markdown": as_markdown, "latex": as_latex}
