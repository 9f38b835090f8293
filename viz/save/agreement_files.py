"""Write how metrics agree with people as files.

These are tables in CSV, LaTeX and Markdown, the judged outputs with all scores, and the results of the papers'
experiments."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from metrics.corpus.agreement import (
    AgreementTable,
    CoefficientValue,
    ExplainedPair,
    FindingCorrelation,
    Overlap,
    WrongPair,
)
from metrics.corpus.agreement.experiments.experiment import (
    Experiment,
    ExperimentOutcome,
    ExperimentTable,
    ExperimentValue,
)
from metrics.corpus.explanations import agreement
from metrics.corpus.explanations.tables import marked_down
from metrics.text import csv_cell, printable
from metrics.text.judgements import JudgementRecord
from metrics.text.tabular import latex, tabular

from ..draw.agreement import reasons, results

DECIMALS = 3


def table_csv(agreement_result: AgreementTable) -> str:
    """Return a CSV line for each level, metric and coefficient, with all digits; undefined values are empty."""
    return _csv(agreement.flat(agreement_result))


def table_text(
    form: str, agreement_result: AgreementTable, signatures: Sequence[str], marked: Mapping[str, Sequence[Overlap]] = {}
) -> str:
    """Return the tables of both levels in LaTeX or Markdown, the remarks on them, and the signatures of the scores."""
    if form == "latex":
        signed = [f"% {printable(each)}" for each in signatures]
        return "\n".join([*agreement.latex_tables(agreement_result, marked, DECIMALS), *signed, ""])
    signed = [f"    {printable(each)}" for each in signatures]
    return "\n".join([*agreement.markdown(agreement_result, marked, DECIMALS), "", *signed, ""])


def outputs_csv(agreement_result: AgreementTable, judged: JudgementRecord) -> str:
    """Return a CSV line for each judged output.

    It has the ratings of each judge on each scale, the number of marked errors, and all scores, where higher is
    better."""
    columns = [row.column for row in agreement_result.rows if row.column.people is None]
    rated = [(name, n) for name in judged.ratings for n in range(len(judged.judges))]
    rated = [(name, n) for name, n in rated if not np.isnan(judged.ratings[name][:, :, n]).all()]
    marks: dict[tuple[int, int], int] = {}
    for span in judged.spans:
        marks[span.system, span.segment] = marks.get((span.system, span.segment), 0) + 1

    def lines() -> Iterator[list[str | float]]:
        heads = [f"{name} by {judged.judges[n]}" for name, n in rated]
        yield ["segment", "system", *heads, "marked errors", *[column.key for column in columns]]
        for system, segment in np.argwhere(~np.isnan(agreement_result.people)).tolist():
            values = [judged.ratings[name][system, segment, n] for name, n in rated]
            scores = [column.scores[system, segment] for column in columns]
            name, many = judged.systems[system], marks.get((system, segment), 0)
            yield [segment + 1, name, *map(_number_or_empty, values), many, *map(_number_or_empty, scores)]

    return _csv(lines())


def wrong_csv(pairs: Sequence[WrongPair], systems: Sequence[str], why: Mapping[WrongPair, ExplainedPair | None]) -> str:
    """Return a CSV line for each pair of outputs that a metric ranks against people.

    It has the output that people prefer, the one that the metric prefers, both differences, and whether a marked
    word earns credit (empty if not known)."""

    def lines() -> Iterator[list[str | float]]:
        yield ["segment", "better", "worse", "people", "metric", "marked word earns credit"]
        for pair in pairs:
            explained = why.get(pair)
            earns = "" if explained is None else "yes" if explained.earns else "no"
            yield [pair.segment + 1, systems[pair.better], systems[pair.worse], pair.people, pair.metric, earns]

    return _csv(lines())


def reasons_csv(inside: Sequence[Overlap], counts: Sequence[FindingCorrelation]) -> str:
    """Return a CSV line for each kind of finding of a metric, then one for each thing that it counts.

    A kind of finding has its number, the share that lies in words that people marked, the share expected by chance,
    and the interval of the difference. A counted thing has its correlations with people. Undefined values are empty."""

    def lines() -> Iterator[list[str | float]]:
        yield [
            *("what", "name", "number", "in marked words", "by chance", "difference low", "difference high"),
            *("pearson", "kendall", "within segments"),
        ]
        for each in inside:
            yield ["found wrong", each.fault, each.number, each.share, each.chance, *each.difference, "", "", ""]
        for one in counts:
            coefficients = [
                each.value if isinstance(each, CoefficientValue) else ""
                for each in (one.pearson, one.kendall, one.within_segments)
            ]
            yield [f"counted: {reasons.KINDS[one.what]}", one.name, "", "", "", "", "", *coefficients]

    return _csv(lines())


def _number_or_empty(value: float) -> str | float:
    """Return the number, or "" if it is NaN."""
    return "" if np.isnan(value) else float(value)


def _csv(rows: Iterator[list[str | float]]) -> str:
    """Return the rows as CSV, with texts escaped so that no spreadsheet takes one for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        writer.writerow([csv_cell(printable(cell)) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue()


# ---------------------------------------------------------------- the papers' experiments


def experiment_csv(experiment: Experiment, outcome: ExperimentOutcome) -> str:
    """Return a CSV line for each number of tables and curves, ours and the paper's, with all digits."""

    def table_lines(table: ExperimentTable, origin: str) -> Iterator[list[str | float]]:
        for row in table.rows:
            for column, value in zip(table.columns, row.values, strict=True):
                if value:
                    yield [origin, table.key, row.name, column, *_value_cells(value)]

    def lines() -> Iterator[list[str | float]]:
        yield ["of", "table or chart", "row or curve", "column or x", "value", "low", "high", "why there is none"]
        for table in outcome.tables:
            yield from table_lines(table, "here")
        for chart in outcome.charts:
            for curve in chart.curves:
                for x, y, low, high, _ in curve.points:
                    yield ["here", chart.key, curve.name, x, *_value_cells(ExperimentValue(y, low, high))]
        for table in experiment.printed.tables:
            yield from table_lines(table, table.source or "the paper")

    return _csv(lines())


def _value_cells(value: ExperimentValue) -> list[str | float]:
    """Return the cells of a value: the number, its interval, and why there is none."""
    return [*["" if each is None else each for each in value[:3]], value.why]


def experiment_text(form: str, experiment: Experiment, outcome: ExperimentOutcome) -> str:
    """Return our tables next to the paper's in LaTeX or Markdown, and what differs from the paper."""
    pairs, others = results.pair_tables(experiment.printed.tables, outcome.tables)
    tables = [*[(pair.ours, pair.printed) for pair in pairs], *[(None, (table,)) for table in others]]
    write = _latex if form == "latex" else _markdown
    return "\n".join([*write(experiment, outcome, tables), ""])


_Tables = Sequence[tuple[ExperimentTable | None, Sequence[ExperimentTable]]]


def _joined_rows(ours: ExperimentTable | None, printed: Sequence[ExperimentTable]) -> tuple[list[str], list[list[str]]]:
    """Return the column heads and the rows of our table with the paper's at its right."""
    heads = [*(ours.columns if ours else ()), *[f"{column} (paper)" for table in printed for column in table.columns]]
    names = [row.name for table in (ours, *printed) if table for row in table.rows]
    body = []
    for name in dict.fromkeys(names):
        cells = [_cell(ours.value(name, column), None) for column in ours.columns] if ours else []
        for table in printed:
            places = results.decimals(table)
            cells += [_cell(table.value(name, column), places) for column in table.columns]
        body.append([name, *cells])
    return heads, body


def _cell(value: ExperimentValue | None, places: int | None) -> str:
    """Return a number with its interval as text; `places` decimals as in the paper, by default DECIMALS."""
    if value is None:
        return ""
    if value.value is None:
        return "–"

    def format_number(number: float) -> str:
        return f"{number:.{DECIMALS}f}" if places is None else f"{number:.{places}f}"

    ends = (
        ""
        if value.low is None or value.high is None
        else f" ({format_number(value.low)} to {format_number(value.high)})"
    )
    return f"{format_number(value.value)}{ends}"


def _joined_title(ours: ExperimentTable | None, printed: Sequence[ExperimentTable]) -> str:
    """Return the titles of our table and of the paper's, joined."""
    theirs = [f"{table.source}: {table.title}" if table.source else table.title for table in printed]
    return "; ".join([*([ours.title] if ours else []), *[f"paper: {each}" for each in theirs]])


def _markdown(experiment: Experiment, outcome: ExperimentOutcome, tables: _Tables) -> Iterator[str]:
    """Yield the lines of the experiment in Markdown."""
    yield f"# {marked_down(experiment.title)}"
    yield ""
    yield f"{marked_down(experiment.paper)}."
    for ours, printed in tables:
        heads, body = _joined_rows(ours, printed)
        yield ""
        yield f"{marked_down(_joined_title(ours, printed))}"
        yield ""
        yield f"|  | {' | '.join(map(marked_down, heads))} |"
        yield "|---|" + "---:|" * len(heads)
        yield from [f"| {' | '.join(map(marked_down, row))} |" for row in body]
    yield ""
    yield from [f"- {marked_down(each)}" for each in (*outcome.notes, *experiment.differs)]


def _latex(experiment: Experiment, outcome: ExperimentOutcome, tables: _Tables) -> Iterator[str]:
    """Yield the lines of the experiment in LaTeX."""
    remarks = (experiment.title, f"{experiment.paper}.", *outcome.notes, *experiment.differs)
    yield from [f"% {printable(each)}" for each in remarks]
    for ours, printed in tables:
        heads, body = _joined_rows(ours, printed)
        yield f"% {printable(_joined_title(ours, printed))}"
        cells = [[latex(cell).replace("–", "--").replace("-0", "$-$0") for cell in row] for row in body]
        yield from tabular("l" + "r" * len(heads), [["", *map(_latex_with_greek, heads)], *cells])


def _latex_with_greek(text: str) -> str:
    """Return `text` escaped for LaTeX, with its Greek letters as commands."""
    return latex(text).replace("ρ", r"$\rho$").replace("α", r"$\alpha$")
