"""Draw the outcome of a repeated experiment as HTML tables, with the numbers of its paper next to ours.

The module also finds the outputs that a click on a row, a point or a grid opens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from metrics.corpus.agreement.experiments.experiment import (
    Experiment,
    ExperimentOutcome,
    ExperimentRow,
    ExperimentTable,
    ExperimentValue,
    OpenedOutput,
)

from ..corpus.axes import ColumnScale
from ..pen.stylesheets import read_sheets
from ..pen.text import safe

RULES = read_sheets(Path(__file__).parent, "experiments")
#: How many letters of a name a table shows.
NAME_MOST = 48
#: A table that explains others is folded if it has more rows than this.
FEW = 3
_CHOICE = re.compile(r"([tcg])(\d{1,4})(?:\.(\d{1,4}))?(?:\.(\d{1,4}))?")


class TablePairing(NamedTuple):
    """A table computed here with its index, and the tables printed in the paper that are drawn at its right."""

    number: int
    ours: ExperimentTable
    printed: tuple[ExperimentTable, ...]


def pair_tables(
    printed: Sequence[ExperimentTable], ours: Sequence[ExperimentTable]
) -> tuple[list[TablePairing], list[ExperimentTable]]:
    """Return the tables computed here with the paper's tables that belong to them, and the paper's remaining tables.

    A table computed here belongs to the printed tables whose keys its `paper` field lists, or to the one with its own
    key where that field is empty."""
    out = []
    for n, table in enumerate(ours):
        keys = table.paper or (table.key,)
        out.append(TablePairing(n, table, tuple([each for each in printed if each.key in keys])))
    stand = {each.key for pair in out for each in pair.printed}
    return out, [table for table in printed if table.key not in stand]


def outputs_opened_by(outcome: ExperimentOutcome, choice: str) -> tuple[OpenedOutput, ...]:
    """Return the outputs that the selected element opens.

    `choice` names the element: `t0.3` is row 3 of table 0, `c1.0.7` is point 7 of curve 0 of chart 1, and `g2` is
    grid 2. The result is empty where no such element exists, because a link or a browser may send any text."""
    choice_match = _CHOICE.fullmatch(choice)
    if not choice_match:
        return ()
    kind, *rest = choice_match.groups()
    at = [int(n) for n in rest if n is not None]
    try:
        if kind == "t" and len(at) == 2:
            return outcome.tables[at[0]].rows[at[1]].opens
        if kind == "c" and len(at) == 3:
            return outcome.charts[at[0]].curves[at[1]].points[at[2]].opens
        if kind == "g" and len(at) == 1:
            place = outcome.grids[at[0]].opens
            return (place,) if place else ()
    except IndexError:
        pass
    return ()


# ---------------------------------------------------------------- numbers


def number_text(value: float, probability: bool = False) -> str:
    """Return a number computed here as text: three decimals, none for whole numbers, and a true minus sign.

    A `probability` below 0.0005 is written as less than 0.001.

    >>> texts = [number_text(value) for value in (-0.0312, 529.0, 0.0, 0.00002, -0.0004)]
    >>> (*texts, number_text(0.00002, True))
    ('−0.031', '529', '0', '0.000', '−0.000', '<0.001')
    """
    if probability and value < 0.0005:
        return "<0.001"
    text = f"{value:,.0f}" if float(value).is_integer() and (abs(value) > 1 or not value) else f"{value:.3f}"
    return text.replace("-", "−")


def most_decimals(table: ExperimentTable) -> int:
    """Return the largest number of decimals in a table of the paper, or 2 for a table without numbers."""
    values = [value.value for row in table.rows for value in row.values if value and value.value is not None]
    return max([len(f"{value:.6g}".partition(".")[2]) for value in values], default=2)


def printed_number(value: float, places: int) -> str:
    """Return a number in the style of the paper, with `places` decimals and no zero before the point.

    >>> printed_number(0.8, 2), printed_number(-0.12, 2)
    ('.80', '−.12')
    """
    text = f"{abs(value):.{places}f}".removeprefix("0") if abs(value) < 1 else f"{abs(value):.{places}f}"
    return f"−{text}" if value < 0 else text


# ---------------------------------------------------------------- HTML


def result_tables_html(
    experiment: Experiment, outcome: ExperimentOutcome, chosen: str = "", still: bool = False
) -> str:
    """Return all tables of an outcome as HTML, each next to the paper's tables that belong to it.

    Tables of the paper that belong to none of them follow. `chosen` is the name of the selected row, such as "t0.3".
    With `still`, as in a saved file, no row is a button."""
    pairs, others = pair_tables(experiment.printed.tables, outcome.tables)
    out = [_comparison_table_html(each, chosen, still) for each in pairs]
    out += [_paper_table_html(table) for table in others]
    return f'<section class="found">{"".join(out)}</section>' if out else ""


def _comparison_table_html(pair: TablePairing, chosen: str, still: bool) -> str:
    ours, printed = pair.ours, pair.printed
    columns = "".join([f'<th scope="col">{safe(name, NAME_MOST)}</th>' for name in ours.columns])
    theirs = "".join([f'<th scope="col" class="paper">{safe(n, NAME_MOST)}</th>' for t in printed for n in t.columns])
    groups = ""
    if printed:
        spans = "".join(
            [
                f'<th colspan="{len(t.columns)}" class="paper"><b>{safe(t.source or "The paper", 80)}</b> '
                f"<span>{safe(t.title, 120)}</span></th>"
                for t in printed
            ]
        )
        groups = f'<tr class="groups"><td></td><th colspan="{len(ours.columns)}"><b>Here</b></th>{spans}</tr>'
    scales = [_column_scale(ours, n) for n in range(len(ours.columns))]
    rows = []
    for n, row in enumerate(ours.rows):
        name = f"t{pair.number}.{n}"
        cells = "".join([_cell_html(v, each, ours.probabilities) for v, each in zip(row.values, scales, strict=True)])
        cells += "".join([_paper_cells_html(table, row.name) for table in printed])
        kind = " ".join([*(["beside"] if row.is_baseline else []), *(["chosen"] if name == chosen else [])])
        rows.append(f'<tr class="{kind}">{_row_head_html(row, name, still)}{cells}</tr>')
    ours_names = {row.name for row in ours.rows}
    empty = '<td class="none"></td>' * len(ours.columns)
    for name in dict.fromkeys([row.name for table in printed for row in table.rows if row.name not in ours_names]):
        cells = "".join([_paper_cells_html(table, name) for table in printed])
        rows.append(f'<tr class="only"><th scope="row">{safe(name, NAME_MOST)}</th>{empty}{cells}</tr>')
    better = {True: "Lower is better.", False: "", None: ""}[ours.lower_is_better]
    note = f'<p class="note">{better}</p>' if better else ""
    figure = _table_figure_html(ours.title, f"<thead>{groups}<tr><td></td>{columns}{theirs}</tr></thead>", rows, note)
    # A table of values that are neither better nor worse, such as differences with p, only explains others: fold it.
    folded = ours.lower_is_better is None and len(ours.rows) > FEW
    return f"<details><summary>{safe(ours.title, 200)}</summary>{figure}</details>" if folded else figure


def _table_figure_html(title: str, head: str, rows: Sequence[str], note: str = "") -> str:
    label = safe(title, 200)
    return (
        f'<figure class="result"><figcaption>{label}</figcaption><div class="wide" tabindex="0" role="region" '
        f'aria-label="{label}"><table>{head}<tbody>{"".join(rows)}</tbody></table></div>{note}</figure>'
    )


def _paper_table_html(table: ExperimentTable) -> str:
    """Return a folded table of the paper to which no table computed here belongs, as HTML."""
    columns = "".join([f'<th scope="col" class="paper">{safe(name, NAME_MOST)}</th>' for name in table.columns])
    rows = [
        f'<tr><th scope="row">{safe(row.name, NAME_MOST)}</th>{_paper_cells_html(table, row.name)}</tr>'
        for row in table.rows
    ]
    title = f"{table.source}: {table.title}" if table.source else table.title
    figure = _table_figure_html(title, f"<thead><tr><td></td>{columns}</tr></thead>", rows)
    return f"<details><summary>{safe(title, 200)}</summary>{figure}</details>"


def _row_head_html(row: ExperimentRow, name: str, still: bool) -> str:
    row_name = safe(row.name, NAME_MOST)
    if still or not row.opens:
        return f'<th scope="row">{row_name}</th>'
    says = safe(f"{row.name}: the segments that show it", 200)
    return f'<th scope="row"><button type="button" data-tell="opens:{name}" title="{says}">{row_name}</button></th>'


def _column_scale(table: ExperimentTable, column: int) -> ColumnScale:
    """Return the scale of a column, from its lowest to its highest value or interval end.

    It starts at 0 where nothing is below 0."""
    ends = [0.0]
    for row in table.rows:
        if (value := row.values[column]) and value.value is not None:
            ends += [each for each in (value.value, value.low, value.high) if each is not None]
    return ColumnScale.over(ends)


def _cell_html(value: ExperimentValue | None, scale: ColumnScale, probability: bool) -> str:
    if value is None:
        return '<td class="none"></td>'
    if value.value is None:
        return f'<td class="none" title="{safe(value.why, 200)}">–</td>'
    text = safe(number_text(value.value, probability), 40)
    if value.low is None or value.high is None:
        return f"<td><b>{text}</b></td>"
    interval_text = safe(f"{number_text(value.low)} to {number_text(value.high)}", 60)
    bar = scale.dot_html(value.value, (value.low, value.high))
    return f'<td title="{text}, 95 % interval {interval_text}"><b>{text}</b> <small>{interval_text}</small>{bar}</td>'


def _paper_cells_html(table: ExperimentTable, name: str) -> str:
    row = next((each for each in table.rows if each.name == name), None)
    if row is None:
        return '<td class="paper none"></td>' * len(table.columns)
    places, out = most_decimals(table), []
    for value in row.values:
        if value is None:
            out.append('<td class="paper none"></td>')
        elif value.value is None:
            out.append(f'<td class="paper none" title="{safe(value.why, 200)}">–</td>')
        else:
            ends = [printed_number(each, places) for each in (value.low, value.high) if each is not None]
            interval_text = f"<small>{ends[0]}–{ends[1]}</small>" if len(ends) == 2 else ""
            out.append(f'<td class="paper"><b>{printed_number(value.value, places)}</b>{interval_text}</td>')
    return "".join(out)


def experiment_description_html(experiment: Experiment) -> str:
    """Return the description of an experiment as HTML: its paper, facts from it, and what is done otherwise here."""
    facts = "".join(
        [f"<li>{safe(fact.says, 400)} <span>{safe(fact.source, 80)}</span></li>" for fact in experiment.printed.facts]
    )
    paper_facts = f"<h4>What the paper says</h4><ul>{facts}</ul>" if facts else ""
    other = "".join([f"<li>{safe(each, 400)}</li>" for each in experiment.differs])
    differs = f"<h4>What differs here</h4><ul>{other}</ul>" if other else ""
    return (
        f'<div class="of-paper"><p class="source">{safe(experiment.paper, 400)}</p>'
        f'<div class="sides"><div>{paper_facts}</div><div>{differs}</div></div></div>'
    )


def outcome_notes_html(outcome: ExperimentOutcome) -> str:
    """Return the notes of an outcome as an HTML list: what was omitted, and which claims of the paper do not hold."""
    listed = "".join([f"<li>{safe(each, 600)}</li>" for each in outcome.notes])
    return f'<ul class="notes">{listed}</ul>' if listed else ""
