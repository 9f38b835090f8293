"""Draw the tables of how far metrics agree with people, one for segments and one for systems.

Each row is a metric, each column a coefficient such as Pearson. Each cell shows the value, and its interval as a line
on the scale of the column. Rows whose difference may be chance share a cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from metrics.corpus.agreement import (
    COEFFICIENTS,
    LEVELS,
    AgreementCell,
    AgreementColumnKind,
    AgreementComparison,
    AgreementRow,
    AgreementTable,
    Coefficient,
    CoefficientValue,
    UndefinedCoefficient,
    Williams,
)
from metrics.corpus.agreement.agreement_table import chance_upper_end
from metrics.corpus.agreement.coefficients import Level
from metrics.corpus.patterns import LEVEL

from ..corpus.axes import ColumnScale
from ..pen.stylesheets import read_sheets
from ..pen.text import bdi_word, isolated, safe

RULES = read_sheets(Path(__file__).parent, "agreement")
#: The headings of the levels.
LEVEL_HEADS: Mapping[Level, str] = {"segment": "Segments", "system": "Systems"}
NAME_MOST = 28
#: NEAR: how many rows the sentence names as no worse than the first. ALPHA: two rows differ where p is below it.
NEAR, ALPHA = 4, LEVEL


class CoefficientView(NamedTuple):
    """The sort order and the selected row of the tables, as the visitor chose them.

    Attributes:
        level: "segment" or "system", the table that the visitor sorted.
        sort: key of the coefficient that this table is sorted by; the other table is sorted by Pearson.
        chosen: key of the selected row."""

    level: Level
    sort: str
    chosen: str


def coefficient_text(value: float) -> str:
    """Return a coefficient with three decimals and a true minus sign.

    >>> coefficient_text(-0.0312), coefficient_text(0.5)
    ('−0.031', '0.500')
    """
    return f"{value:.3f}".replace("-", "−")


def sorted_rows(table: AgreementTable, level: Level, coefficient_key: str) -> list[AgreementRow]:
    """Return the rows of the table at `level`, sorted by a coefficient, the highest value first.

    Rows without a value come last. The rows that are not metrics (chance, and a single judge) come after all others."""

    def sort_key(row: AgreementRow) -> tuple[bool, float]:
        cell = row.cells_at(level).get(coefficient_key)
        value = cell.coefficient.value if cell and isinstance(cell.coefficient, CoefficientValue) else -2.0
        return row.column.kind in (AgreementColumnKind.CHANCE, AgreementColumnKind.JUDGE), -value

    return sorted(table.rows, key=sort_key)


def draw(table: AgreementTable, view: CoefficientView) -> str:
    """Return two tables as HTML: agreement over segments and agreement over systems."""
    return (
        f'<section class="agreed" aria-label="Agreement with people">{_level_table_html(table, "segment", view)}'
        f"{_level_table_html(table, 'system', view)}</section>"
    )


def _level_table_html(table: AgreementTable, level: Level, look: CoefficientView) -> str:
    names = LEVELS[level]
    sort = look.sort if look.level == level else "pearson"
    rows = sorted_rows(table, level, sort)
    scales = {name: _column_scale([row.cells_at(level).get(name) for row in rows]) for name in names}
    standing = table.standings.get(level)
    clusters = dict(zip(standing.keys, standing.clusters, strict=True)) if standing else {}
    heads = "".join([_column_head_html(table, level, name, look) for name in names])
    means = ", of the means of segment scores" if level == "system" else ""
    says = f"Rows of one cluster cannot be told apart (PERM-BOTH of Pearson{means})"
    cluster = f'<th class="cluster" title="{says}">Cluster</th>'
    body = "".join(
        [_row_html(row, level, scales, clusters.get(row.column.key), look, table.stage != "intervals") for row in rows]
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{LEVEL_HEADS[level]}"><table class="coefficients" '
        f'data-level="{level}"><thead><tr><th class="level">{LEVEL_HEADS[level]}</th>{heads}{cluster}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _column_head_html(table: AgreementTable, level: Level, name: str, look: CoefficientView) -> str:
    sorted_ = (level, name) == (look.level, look.sort)
    label = COEFFICIENTS[name].head.format(tau=table.tau)
    says = safe(f"Sort by {COEFFICIENTS[name].label} over {LEVEL_HEADS[level].lower()}", 200)
    arrow = '<span class="arrow">↓</span>' if sorted_ else ""
    return (
        f'<th aria-sort="{"descending" if sorted_ else "none"}"><button type="button" '
        f'data-tell="sort:{level}/{name}" title="{says}">{label}{arrow}</button></th>'
    )


def _column_scale(cells: Sequence[AgreementCell | None]) -> ColumnScale:
    """Return the scale of a column with the given cells, from its lowest to its highest value or interval end.

    It starts at 0 where nothing is below 0. A cell is None while its value is not computed yet."""
    ends = [0.0]
    for cell in cells:
        if cell and isinstance(cell.coefficient, CoefficientValue):
            ends += [cell.coefficient.value, *(cell.interval or ())]
    return ColumnScale.over(ends)


def _row_html(
    row: AgreementRow,
    level: Level,
    scales: Mapping[str, ColumnScale],
    cluster: int | None,
    look: CoefficientView,
    tests_pending: bool,
) -> str:
    column, cells = row.column, row.cells_at(level)
    plain = column.kind in (AgreementColumnKind.CHANCE, AgreementColumnKind.JUDGE)
    name = bdi_word(column.label, NAME_MOST)
    event = f"row:{column.key}"
    row_label = name if plain else f'<button type="button" data-tell="{safe(event, 300)}">{name}</button>'
    numbers = "".join([_cell_html(cells.get(key), scale, column.label, event, plain) for key, scale in scales.items()])
    of_cluster = "…" if tests_pending and not plain else "–" if cluster is None else str(cluster)
    kind = {AgreementColumnKind.CHANCE: "chance", AgreementColumnKind.JUDGE: "judge"}.get(column.kind, "")
    chosen = " chosen" if column.key == look.chosen and not plain else ""
    title = f' title="{safe(column.label, 300)}"' if len(column.label) > NAME_MOST else ""
    return (
        f'<tr class="{kind}{chosen}" data-row="{safe(column.key, 300)}"><th scope="row"{title}>{row_label}</th>'
        f'{numbers}<td class="cluster">{of_cluster}</td></tr>'
    )


def _cell_html(cell: AgreementCell | None, scale: ColumnScale, label: str, event: str, plain: bool) -> str:
    if cell is None:
        return '<td class="none">…</td>'
    if not isinstance(cell.coefficient, CoefficientValue):
        return f'<td class="none" title="{safe(cell.coefficient.text, 300)}">–</td>'
    text, ends = coefficient_text(cell.coefficient.value), _interval_text(cell)
    epsilon = "" if cell.coefficient.epsilon is None else f"; ε = {cell.coefficient.epsilon:.3g}"
    says = safe(f"{label}: {text}" + (f", 95 % interval {ends}" if ends else "") + epsilon, 300)
    track = scale.dot_html(cell.coefficient.value, cell.interval)
    return f'<td title="{says}"><b>{text}</b>{track}<small>{ends}</small></td>'


def _interval_text(cell: AgreementCell) -> str:
    return " to ".join([coefficient_text(end) for end in cell.interval or ()])


def coefficient_cells(*coefficients: Coefficient) -> str:
    """Return cells of a table with coefficients, as HTML; an undefined one says why in its tooltip."""
    return "".join(
        [
            f"<td>{coefficient_text(each.value)}</td>"
            if isinstance(each, CoefficientValue)
            else f'<td title="{safe(each.text, 200)}">–</td>'
            for each in coefficients
        ]
    )


def describe_best_metric(table: AgreementTable, level: Level) -> str:
    """Return a sentence, as plain text, on which metric agrees best with people by Pearson.

    The sentence also names the metrics that are not worse by more than chance. The result is "" while the
    significance tests are not done."""
    standing = table.standings.get(level)
    rows = [
        row
        for row in sorted_rows(table, level, "pearson")
        if row.column.kind in (AgreementColumnKind.METRIC, AgreementColumnKind.EXTERNAL)
    ]
    if standing is None or not rows or rows[0].column.key not in standing.keys:
        return ""
    cell, first = rows[0].cells_at(level)["pearson"], standing.keys.index(rows[0].column.key)
    if not isinstance(cell.coefficient, CoefficientValue):
        return ""
    ends = f", 95 % interval {_interval_text(cell)}" if cell.interval else ""
    p = dict(zip(standing.keys, standing.p[first], strict=True))
    near = [row.column.label for row in rows[1:] if p.get(row.column.key, 0.0) >= ALPHA]
    where = "Over segments" if level == "segment" else f"Over the {table.judged_systems} judged systems"
    name = isolated(rows[0].column.label, NAME_MOST)
    head = f"{where}, {name} agrees best with people by Pearson ({coefficient_text(cell.coefficient.value)}{ends})"
    reach = chance_upper_end(table, level)
    if reach is not None and cell.coefficient.value <= reach:
        few = f"{table.judged_systems} systems" if level == "system" else "these judgements"
        lots = f" Randomly ordered scores reach {coefficient_text(reach)}: {few} are too few to rule out chance."
    else:
        lots = ""
    by = " by the means of segment scores" if level == "system" else ""
    if not rows[1:]:
        return f"{head}.{lots}"
    if not near:
        return f"{head}; all others are behind{by} by more than chance.{lots}"
    if len(near) == len(rows) - 1:
        return f"{head}; no other is behind{by} by more than chance.{lots}"
    near_names = ", ".join([isolated(each, NAME_MOST) for each in near[:NEAR]])
    more = f" and {len(near) - NEAR} more" if len(near) > NEAR else ""
    return f"{head}; not behind{by} by more than chance: {near_names}{more}.{lots}"


def describe_comparison(comparison: AgreementComparison, labels: tuple[str, str], level: Level, name: str) -> str:
    """Return a sentence, as plain text, on which of two rows agrees better with people.

    It also says whether chance explains the difference. `labels` are the labels of the two rows in the order of
    `comparison`, and `name` is the key of the coefficient."""
    one, other = (isolated(label, NAME_MOST) for label in labels)
    where = f"Over {LEVEL_HEADS[level].lower()}, by {COEFFICIENTS[name].label}"
    if isinstance(comparison.permuted, UndefinedCoefficient):
        sentence = f"{where}, {one} and {other} cannot be compared. {comparison.permuted.text}"
    else:
        ahead = comparison.permuted.difference >= 0
        first, second = (one, other) if ahead else (other, one)
        values, p = (each if ahead else each[::-1] for each in (comparison.permuted.values, comparison.permuted.p))
        verdict = "that is more than chance" if p[0] < ALPHA else "that may be chance"
        means = " of the means of segment scores" if level == "system" else ""
        sentence = (
            f"{where}{means}, {first} ({coefficient_text(values[0])}) is "
            f"{coefficient_text(values[0] - values[1])} ahead of {second} ({coefficient_text(values[1])}): {verdict} "
            f"(PERM-BOTH, p = {p_value_text(p[0])}, {comparison.trials:,} permutations)."
        )
    if comparison.williams is None:
        return sentence
    if isinstance(comparison.williams[0], UndefinedCoefficient):
        return f"{sentence} {comparison.williams[0].text}"
    better = min(comparison.williams, key=lambda each: each.p if isinstance(each, Williams) else 1.0)
    assert isinstance(better, Williams)
    which = one if better is comparison.williams[0] else other
    return (
        f"{sentence} Williams' test on the corpus scores, which treats systems as independent, puts {which} ahead: "
        f"t = {better.t:.2f} with {better.freedom} degrees of freedom, p = {p_value_text(better.p)}."
    )


def p_value_text(p: float) -> str:
    """Return a p-value as text with three decimals, or "below 0.001"."""
    return f"{p:.3f}" if p >= 0.001 else "below 0.001"
