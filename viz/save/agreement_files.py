"""Write as files how well metrics agree with people.

The files are tables in CSV, LaTeX and Markdown, the judged outputs with all scores, and the results of the papers'
experiments."""

from __future__ import annotations

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
from metrics.corpus.explanations.tables import escape_markdown
from metrics.text import csv_cell, printable
from metrics.text.judgements import JudgementRecord
from metrics.text.tabular import escape_latex, latex_table_lines, markdown_table_lines, rows_as_csv

from ..draw.agreement import reasons, results

DECIMALS = 3


def table_csv(agreement_result: AgreementTable) -> str:
    """Return CSV with a line for each coefficient of each metric at each level (segment or system).

    Numbers have all digits; undefined values are empty."""
    return _csv(agreement.long_table_rows(agreement_result))


def table_text(
    form: str, agreement_result: AgreementTable, signatures: Sequence[str], marked: Mapping[str, Sequence[Overlap]] = {}
) -> str:
    """Return the tables of coefficients, the remarks on them, and the signatures of the scores, as one text.

    `form` is “latex” or “markdown”. `marked` has, by metric, how much of what it finds wrong lies in words that
    people marked."""
    if form == "latex":
        signed = [f"% {printable(each)}" for each in signatures]
        return "\n".join([*agreement.latex_tables(agreement_result, marked, DECIMALS), *signed, ""])
    signed = [f"    {printable(each)}" for each in signatures]
    return "\n".join([*agreement.markdown_tables(agreement_result, marked, DECIMALS), "", *signed, ""])


def outputs_csv(agreement_result: AgreementTable, judged: JudgementRecord) -> str:
    """Return CSV with a line for each judged output.

    It has the ratings of each judge on each scale, the number of marked errors, and the scores by all metrics, where
    higher is better."""
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


def wrong_pairs_csv(
    pairs: Sequence[WrongPair], systems: Sequence[str], why: Mapping[WrongPair, ExplainedPair | None]
) -> str:
    """Return CSV with a line for each pair of outputs that a metric ranks against people.

    It has the output that people prefer, the other one that the metric prefers, both differences, and whether a
    marked word earns credit (empty if not known). `systems` are their names, and `why` maps a pair to its
    explanation."""

    def lines() -> Iterator[list[str | float]]:
        yield ["segment", "better", "worse", "people", "metric", "marked word earns credit"]
        for pair in pairs:
            explained = why.get(pair)
            earns = "" if explained is None else "yes" if explained.earns_marked_credit else "no"
            yield [pair.segment + 1, systems[pair.better], systems[pair.worse], pair.people, pair.metric, earns]

    return _csv(lines())


def reasons_csv(inside: Sequence[Overlap], counts: Sequence[FindingCorrelation]) -> str:
    """Return CSV with a line for each kind of fault that a metric finds, then one for each thing that it counts.

    A kind of fault has its number, the share that lies in words that people marked, the share expected by chance,
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
    return rows_as_csv([csv_cell(printable(cell)) if isinstance(cell, str) else cell for cell in row] for row in rows)


# ---------------------------------------------------------------- the papers' experiments


def experiment_csv(experiment: Experiment, outcome: ExperimentOutcome) -> str:
    """Return CSV with a line for each number in the tables and curves of an experiment, ours and the paper's."""

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
    """Return four CSV cells for a value: the number, both ends of its interval, and why there is none."""
    return [*["" if each is None else each for each in value[:3]], value.why]


def experiment_text(form: str, experiment: Experiment, outcome: ExperimentOutcome) -> str:
    """Return our tables of an experiment next to the paper's, with notes on what differs from the paper.

    `form` is “latex” or “markdown”."""
    pairs, others = results.pair_tables(experiment.printed.tables, outcome.tables)
    tables = [*[(pair.ours, pair.printed) for pair in pairs], *[(None, (table,)) for table in others]]
    write = _latex if form == "latex" else _markdown
    return "\n".join([*write(experiment, outcome, tables), ""])


_Tables = Sequence[tuple[ExperimentTable | None, Sequence[ExperimentTable]]]


def _joined_rows(ours: ExperimentTable | None, printed: Sequence[ExperimentTable]) -> tuple[list[str], list[list[str]]]:
    """Return the column heads and the rows of our table with the columns of the paper's tables at its right."""
    heads = [*(ours.columns if ours else ()), *[f"{column} (paper)" for table in printed for column in table.columns]]
    names = [row.name for table in (ours, *printed) if table for row in table.rows]
    body = []
    for name in dict.fromkeys(names):
        cells = [_value_text(ours.value(name, column), None) for column in ours.columns] if ours else []
        for table in printed:
            places = results.most_decimals(table)
            cells += [_value_text(table.value(name, column), places) for column in table.columns]
        body.append([name, *cells])
    return heads, body


def _value_text(value: ExperimentValue | None, places: int | None) -> str:
    """Return a value with its interval as text; “–” if it is undefined, "" if the table has none.

    Numbers have `places` decimals, as in the paper; None gives DECIMALS."""
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
    """Return the titles of our table and of the paper's tables, joined by semicolons."""
    theirs = [f"{table.source}: {table.title}" if table.source else table.title for table in printed]
    return "; ".join([*([ours.title] if ours else []), *[f"paper: {each}" for each in theirs]])


def _markdown(experiment: Experiment, outcome: ExperimentOutcome, tables: _Tables) -> Iterator[str]:
    """Yield the lines of a Markdown document with our tables of an experiment next to the paper's."""
    yield f"# {escape_markdown(experiment.title)}"
    yield ""
    yield f"{escape_markdown(experiment.paper)}."
    for ours, printed in tables:
        heads, body = _joined_rows(ours, printed)
        yield ""
        yield f"{escape_markdown(_joined_title(ours, printed))}"
        yield ""
        yield from markdown_table_lines([[*map(escape_markdown, row)] for row in (["", *heads], *body)])
    yield ""
    yield from [f"- {escape_markdown(each)}" for each in (*outcome.notes, *experiment.differs)]


def _latex(experiment: Experiment, outcome: ExperimentOutcome, tables: _Tables) -> Iterator[str]:
    """Yield the lines of LaTeX with our tables of an experiment next to the paper's."""
    remarks = (experiment.title, f"{experiment.paper}.", *outcome.notes, *experiment.differs)
    yield from [f"% {printable(each)}" for each in remarks]
    for ours, printed in tables:
        heads, body = _joined_rows(ours, printed)
        yield f"% {printable(_joined_title(ours, printed))}"
        cells = [[escape_latex(cell).replace("–", "--").replace("-0", "$-$0") for cell in row] for row in body]
        yield from latex_table_lines("l" + "r" * len(heads), [["", *map(_latex_with_greek, heads)], *cells])


def _latex_with_greek(text: str) -> str:
    """Return `text` escaped for LaTeX, with the Greek letters ρ and α as commands."""
    return escape_latex(text).replace("ρ", r"$\rho$").replace("α", r"$\alpha$")
