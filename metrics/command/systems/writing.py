"""The writers of a report on several systems, one for each output format."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ...corpus import resampling
from ...corpus.agreement import LEVELS, Overlap
from ...corpus.explanations import agreement
from ...corpus.explanations.patterns import character_patterns_text, errors_text, word_patterns_text
from ...corpus.explanations.significance import pair_verdict
from ...corpus.explanations.tables import escape_markdown
from ...corpus.explanations.two_systems import SystemDifference
from ...corpus.explanations.why import (
    balance_text,
    cause_counts,
    cause_counts_text,
    cause_text,
    count_balance,
    difference_equation,
    is_beyond_chance,
)
from ...text import csv_cell, printable
from ...text.tabular import tab_separated_line
from .report import SystemsDisagreement, SystemsPatterns, SystemsReport


def causes_text(difference: SystemDifference, decimals: int) -> Iterator[str]:
    """Yield the explanation of a difference as lines of text, with the better system as B.

    The lines are the difference as the sum of its causes, how many segments it comes from, and the segments that show
    it best.
    """
    difference = difference.better_last
    metric, ledger, names = difference.metric, difference.ledger, difference.systems.names
    yield _equation(difference, decimals)
    if ledger.delta or any(ledger.worth):
        yield f"  {balance_text(*names, count_balance(metric, ledger), decimals)}"
        yield f"  {cause_counts_text(*names, metric, ledger)}".rstrip()
    heads = {side: f"most for {name}" for side, name in zip("ab", difference.systems.printed_names, strict=True)}
    for pick in difference.stories(decimals):
        yield f"  {heads.get(pick.of, 'nearly all by one cause')}: segment {pick.segment + 1}, {pick.says}"


def _equation(difference: SystemDifference, decimals: int) -> str:
    """Return the equation "difference of the scores = sum of its causes" as text."""
    return difference_equation(*difference.systems.names, difference.metric, difference.ledger, decimals)


def disagreement_lines(disagreement: SystemsDisagreement) -> Iterator[str]:
    """Yield lines on which metrics disagree about two systems, and the segments about which they disagree most."""
    if disagreement.says:
        yield disagreement.says
        yield from _align_columns(disagreement.rows)
    for pick in disagreement.torn:
        yield f"The metrics disagree about segment {pick.segment + 1}: {pick.says}"


def patterns_lines(patterns: SystemsPatterns) -> Iterator[str]:
    """Yield lines on the n-grams of words, the n-grams of characters, and the errors in which two systems differ."""
    yield from word_patterns_text(patterns.a, patterns.b, patterns.word_patterns, patterns.tried)
    yield from character_patterns_text(patterns.a, patterns.b, patterns.characters)
    yield from errors_text(patterns.a, patterns.b, patterns.errors)


def as_text(report: SystemsReport) -> Iterator[str]:
    """Yield the report as text: a row for each system, then tests, causes and patterns, then the signatures."""
    digits = report.call.decimals
    yield report.call.text_head(report.size)
    if report.has_scores:
        yield ""
    if report.call.sentence:
        yield from _align_columns(_segment_rows(report, digits))
    elif report.has_scores:
        head = ["system", *[table.metric.key for table in report.tables]]
        rows = [
            head,
            *[
                [printable(name), *report.comparison_tables.score_cells(n, " ± ")]
                for n, name in enumerate(report.call.systems)
            ],
        ]
        yield from _align_columns(rows)
    if report.pairs:
        yield ""
        yield from _verdict_sentences(report)
        yield from report.comparison_tables.verdicts()
    for why in report.why:
        yield ""
        yield from causes_text(why, digits)
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
        yield f"{agreement.table_title(table)}."
        for level in LEVELS:
            yield ""
            yield from _align_columns(
                [agreement.column_headings(table, level), *agreement.table_rows(table, level, digits)]
            )
        if marked:
            yield ""
            yield from _align_columns([agreement.MARKED, *agreement.marked_span_rows(table, marked, digits)])
        yield ""
        yield from agreement.remark_lines(table, marked)
    if report.has_scores:
        yield ""
    yield from [*report.notes, ""] if report.notes else []
    yield from report.comparison_tables.signature_lines()


def _verdict_sentences(report: SystemsReport) -> Iterator[str]:
    """Yield, for each tested pair of systems, the sentence on what all metrics say.

    The sentence begins with the names of the pair if there are several pairs.
    """
    each = [*report.verdicts_across_metrics()]
    for of in each:
        head = f"{printable(of.a)} and {printable(of.b)}: " if len(each) > 1 else ""
        yield f"{head}{of.says}"


def _align_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield each row of cells as a line of text, with the columns aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells]).rstrip()


def _segment_rows(report: SystemsReport, digits: int | None) -> list[list[str]]:
    """Return the rows of a table: a header, then, for each segment and system, the score by each metric.

    The scores have `digits` decimals; they are exact if `digits` is None.
    """
    rows = [["segment", "system", *[table.metric.key for table in report.tables]]]
    for number in range(report.size):
        for n, name in enumerate(report.call.systems):
            scores = [float(table.scores[n, number]) for table in report.tables]
            cells = [repr(score) if digits is None else f"{score:.{digits}f}" for score in scores]
            rows.append([str(number + 1), printable(name), *cells])
    return rows


def as_json(report: SystemsReport) -> Iterator[str]:
    """Yield the report as one JSON object in ASCII, in which segments count from 0."""
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
        **report.call.json_head(report.size, files=report.call.systems),
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
                "left_empty": list(offer.repair.empty_segments),
                "done": offer in report.checked.made_repairs(),
                "says": offer.sentence(report.call.decimals),
            }
            for offer in report.checked.offers
        ]
        + [
            {
                "system": name,
                "metric": "",
                "score": None,
                "repaired": None,
                "taken_out": list(each.repair.taken_lines),
                "left_empty": list(each.repair.empty_segments),
                "done": True,
                "says": f"it is scored with {each.does}",
            }
            for name, each in report.checked.line_repairs.items()
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
                "says": pair_verdict(pair, report.call.decimals, agreed),
            }
            for pair, agreed in zip(report.pairs, report.agreed, strict=True)
        ],
        "across": [each._asdict() for each in report.verdicts_across_metrics()],
        "why": [
            {
                "a": why.systems.names[0],
                "b": why.systems.names[1],
                "metric": why.ledger.metric,
                "delta": why.ledger.delta,
                "low": why.ledger.low,
                "high": why.ledger.high,
                "steps": [
                    {**step._asdict(), "says": cause_text(why.metric, why.ledger, step), "sure": is_beyond_chance(step)}
                    for step in why.ledger.steps
                ],
                "segments": list(why.ledger.worth),
                **_balance_json(why),
                "causes": [count._asdict() for count in cause_counts(why.metric, why.ledger)],
                "picks": [pick._asdict() for pick in why.stories(report.call.decimals)],
                "says": _equation(why.better_last, report.call.decimals),
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
            of_people["marked"] = {key: list(map(_overlap_json, of)) for key, of in report.agreement.marked.items()}
        document["agreement"] = of_people
    yield json.dumps(document, indent=None if report.call.sentence else 2, allow_nan=False)


def _overlap_json(overlap: Overlap) -> dict[str, Any]:
    """Return the JSON object that says how much of what a metric finds wrong lies in spans that people marked."""
    values = {name: getattr(overlap, name) for name in ("fault", "number", "marked", "share", "chance")}
    return {**values, "difference": overlap.difference._asdict()}


def _balance_json(why: SystemDifference) -> dict[str, Any]:
    """Return how many segments speak for A, for B and for neither, as JSON fields."""
    sides = count_balance(why.metric, why.ledger)
    return {"for_a": sides.for_a._asdict(), "for_b": sides.for_b._asdict(), "for_neither": sides.for_neither}


def as_tsv(report: SystemsReport) -> Iterator[str]:
    """Yield tab-separated lines: a header, then a line for each system and metric, or for each segment and system.

    Numbers are exact.
    """
    if report.call.sentence:
        yield from map(tab_separated_line, _segment_rows(report, None))
        return
    if report.has_scores:
        yield tab_separated_line(["system", "metric", "score", "low", "high", "signature"])
    scores = report.scores()
    for n, name in enumerate(report.call.systems):
        for table, sign in zip(report.tables, report.signatures, strict=True):
            key = table.metric.key
            ends = report.intervals[key][n] if key in report.intervals else ("", "")
            yield tab_separated_line([csv_cell(name), key, scores[name][key], *ends, sign.whole])
    if report.agreement:
        if report.has_scores:
            yield ""
        yield from map(tab_separated_line, agreement.long_table_rows(report.agreement.table))


def as_markdown(report: SystemsReport) -> Iterator[str]:
    """Yield the report as Markdown: tables, then sentences on the tests and the causes, then the signatures."""
    compared = report.comparison_tables
    if report.has_scores:
        yield from compared.markdown()
    yield from [f"- {escape_markdown(text)}" for text in _verdict_sentences(report)]
    if report.agreement:
        if report.has_scores:
            yield ""
        yield from agreement.markdown_tables(*report.agreement, report.call.decimals)
    text = [line for why in report.why for line in causes_text(why, report.call.decimals)]
    text += [line for disagreement in report.disagreements for line in disagreement_lines(disagreement)]
    text += [line for of in report.patterns for line in patterns_lines(of)]
    for lines in (text, [*compared.signature_lines()]):
        if lines:
            yield ""
            yield from [f"    {line}" for line in lines]


def as_latex(report: SystemsReport) -> Iterator[str]:
    """Yield a LaTeX tabular of the scores, with intervals if requested, and one of the paired tests.

    They need no package. The signatures and the sentences on the pairs are comments above them.
    """
    if report.has_scores:
        yield from report.comparison_tables.latex()
    if report.agreement:
        yield from agreement.latex_tables(*report.agreement, report.call.decimals)


WRITERS = {"text": as_text, "json": as_json, "tsv": as_tsv, "markdown": as_markdown, "latex": as_latex}
