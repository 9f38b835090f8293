"""The table of how metrics agree with people: a coefficient a column, each with its interval as a line on the column's
scale, the rows that cannot be told apart in one cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from metrics.corpus.agreement import (
    LABELS,
    LEVELS,
    Agreement,
    Cell,
    Comparison,
    Kind,
    Row,
    Undefined,
    Value,
    Williams,
)
from metrics.corpus.agreement.agree import Level, chance_reaches
from metrics.corpus.patterns import LEVEL

from ..pen import theme

RULES = Path(__file__).with_name("agreement.css").read_text(encoding="utf-8")
#: What stands above the columns, and what the levels are called.
HEADS: Mapping[str, str] = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall",
    "accuracy": "Accuracy",
    "spa": "Soft acc.",
}
LEVEL_HEADS: Mapping[Level, str] = {"segment": "Segments", "system": "Systems"}
NAME_MOST = 28
#: Rows that are named as no worse than the first, and below which p two are told apart.
NEAR, ALPHA = 4, LEVEL


class Look(NamedTuple):
    """How the table is looked at: the level and the coefficient that it is sorted by, and the key of the chosen row."""

    level: Level
    sort: str
    chosen: str


def number(value: float) -> str:
    """A coefficient in three decimals, with a true minus.

    >>> number(-0.0312), number(0.5)
    ('−0.031', '0.500')
    """
    return f"{value:.3f}".replace("-", "−")


def ordered(table: Agreement, level: Level, name: str) -> list[Row]:
    """The rows, the best first, without a value last; chance and one judge behind all others."""

    def place(row: Row) -> tuple[bool, float]:
        cell = row.of(level).get(name)
        value = cell.found.value if cell and isinstance(cell.found, Value) else -2.0
        return row.column.kind in (Kind.CHANCE, Kind.JUDGE), -value

    return sorted(table.rows, key=place)


def draw(table: Agreement, look: Look) -> str:
    """The tables of both levels."""
    return (
        f'<section class="agreed" aria-label="Agreement with people">{_level(table, "segment", look)}'
        f"{_level(table, 'system', look)}</section>"
    )


def _level(table: Agreement, level: Level, look: Look) -> str:
    names = LEVELS[level]
    sort = look.sort if look.level == level else "pearson"
    rows = ordered(table, level, sort)
    scales = {name: _scale([row.of(level).get(name) for row in rows]) for name in names}
    standing = table.standings.get(level)
    clusters = dict(zip(standing.keys, standing.clusters, strict=True)) if standing else {}
    heads = "".join([_head(table, level, name, look) for name in names])
    means = ", of the means of segment scores" if level == "system" else ""
    says = f"Rows of one cluster cannot be told apart (PERM-BOTH of Pearson{means})"
    cluster = f'<th class="cluster" title="{says}">Cluster</th>'
    body = "".join(
        [_row(row, level, scales, clusters.get(row.column.key), look, table.stage != "intervals") for row in rows]
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{LEVEL_HEADS[level]}"><table class="coefficients" '
        f'data-level="{level}"><thead><tr><th class="level">{LEVEL_HEADS[level]}</th>{heads}{cluster}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _head(table: Agreement, level: Level, name: str, look: Look) -> str:
    sorted_ = (level, name) == (look.level, look.sort)
    label = f"Kendall τ-{table.tau}" if name == "kendall" else HEADS[name]
    says = theme.safe(f"Sort by {LABELS[name]} over {LEVEL_HEADS[level].lower()}", 200)
    arrow = '<span class="arrow">↓</span>' if sorted_ else ""
    return (
        f'<th aria-sort="{"descending" if sorted_ else "none"}"><button type="button" '
        f'data-tell="sort:{level}/{name}" title="{says}">{label}{arrow}</button></th>'
    )


class _Scale(NamedTuple):
    low: float
    high: float

    def at(self, value: float) -> float:
        return 100 * (value - self.low) / (self.high - self.low)


def _scale(cells: Sequence[Cell | None]) -> _Scale:
    """From 0, or what lies below it, to the largest end of an interval."""
    ends = [0.0]
    for cell in cells:
        if cell and isinstance(cell.found, Value):
            ends += [cell.found.value, *(cell.interval or ())]
    return _Scale(min(ends), max(max(ends), min(ends) + 1e-9))


def _row(row: Row, level: Level, scales: Mapping[str, _Scale], cluster: int | None, look: Look, waits: bool) -> str:
    column, cells = row.column, row.of(level)
    plain = column.kind in (Kind.CHANCE, Kind.JUDGE)
    name = theme.word(column.label, NAME_MOST)
    told = f"row:{column.key}"
    said = name if plain else f'<button type="button" data-tell="{theme.safe(told, 300)}">{name}</button>'
    numbers = "".join([_cell(cells.get(key), scale, column.label, told, plain) for key, scale in scales.items()])
    of_cluster = "…" if waits and not plain else "–" if cluster is None else str(cluster)
    kind = {Kind.CHANCE: "chance", Kind.JUDGE: "judge"}.get(column.kind, "")
    chosen = " chosen" if column.key == look.chosen and not plain else ""
    title = f' title="{theme.safe(column.label, 300)}"' if len(column.label) > NAME_MOST else ""
    return (
        f'<tr class="{kind}{chosen}" data-row="{theme.safe(column.key, 300)}"><th scope="row"{title}>{said}</th>'
        f'{numbers}<td class="cluster">{of_cluster}</td></tr>'
    )


def _cell(cell: Cell | None, scale: _Scale, label: str, told: str, plain: bool) -> str:
    if cell is None:
        return '<td class="none">…</td>'
    if not isinstance(cell.found, Value):
        return f'<td class="none" title="{theme.safe(cell.found.text, 300)}">–</td>'
    value = cell.found.value
    text, ends, line = number(value), "", ""
    if cell.interval:
        low, high = (scale.at(end) for end in cell.interval)
        ends = f"{number(cell.interval.low)} to {number(cell.interval.high)}"
        line = f'<i class="range" style="left:{low:.1f}%;width:{max(0.0, high - low):.1f}%"></i>'
    epsilon = "" if cell.found.epsilon is None else f"; ε = {cell.found.epsilon:.3g}"
    says = theme.safe(f"{label}: {text}" + (f", 95 % interval {ends}" if ends else "") + epsilon, 300)
    track = f'<span class="reach">{line}<i class="at" style="left:{scale.at(value):.1f}%"></i></span>'
    inside = f"<b>{text}</b>{track}<small>{ends}</small>"
    return f'<td title="{says}">{inside}</td>'


def answer(table: Agreement, level: Level) -> str:
    """Who agrees best with people at a level by Pearson, and who is not behind by more than chance, as plain text; ""
    before it is known."""
    standing = table.standings.get(level)
    rows = [row for row in ordered(table, level, "pearson") if row.column.kind in (Kind.METRIC, Kind.EXTERNAL)]
    if standing is None or not rows or rows[0].column.key not in standing.keys:
        return ""
    cell, first = rows[0].of(level)["pearson"], standing.keys.index(rows[0].column.key)
    if not isinstance(cell.found, Value):
        return ""
    ends = f", 95 % interval {number(cell.interval.low)} to {number(cell.interval.high)}" if cell.interval else ""
    p = dict(zip(standing.keys, standing.p[first], strict=True))
    near = [row.column.label for row in rows[1:] if p.get(row.column.key, 0.0) >= ALPHA]
    where = "Over segments" if level == "segment" else f"Over the {table.judged_systems} judged systems"
    name = theme.isolated(rows[0].column.label, NAME_MOST)
    head = f"{where} {name} agrees best with people by Pearson ({number(cell.found.value)}{ends})"
    reach = chance_reaches(table, level)
    if reach is not None and cell.found.value <= reach:
        few = f"{table.judged_systems} systems" if level == "system" else "these judgements"
        lots = f" Scores in any order reach {number(reach)}: {few} are too few to tell it from chance."
    else:
        lots = ""
    by = " by the means of segment scores" if level == "system" else ""
    if not rows[1:]:
        return f"{head}.{lots}"
    if not near:
        return f"{head}; all others are behind{by} by more than chance.{lots}"
    if len(near) == len(rows) - 1:
        return f"{head}; no other is behind{by} by more than chance.{lots}"
    some = ", ".join([theme.isolated(each, NAME_MOST) for each in near[:NEAR]])
    more = f" and {len(near) - NEAR} more" if len(near) > NEAR else ""
    return f"{head}; not behind{by} by more than chance: {some}{more}.{lots}"


def compared(found: Comparison, labels: tuple[str, str], level: Level, name: str) -> str:
    """Which of two rows agrees better with people by a coefficient, and whether that is chance, as plain text."""
    one, other = (theme.isolated(label, NAME_MOST) for label in labels)
    where = f"Over {LEVEL_HEADS[level].lower()}, by {LABELS[name]}"
    if isinstance(found.permuted, Undefined):
        said = f"{where}, {one} and {other} cannot be compared. {found.permuted.text}"
    else:
        ahead = found.permuted.difference >= 0
        first, second = (one, other) if ahead else (other, one)
        values, p = (each if ahead else each[::-1] for each in (found.permuted.values, found.permuted.p))
        verdict = "that is more than chance" if p[0] < ALPHA else "that may be chance"
        means = " of the means of segment scores" if level == "system" else ""
        said = (
            f"{where}{means}, {first} ({number(values[0])}) is {number(values[0] - values[1])} ahead of {second} "
            f"({number(values[1])}): {verdict} (PERM-BOTH, p = {p_text(p[0])}, {found.trials:,} permutations)."
        )
    if found.williams is None:
        return said
    if isinstance(found.williams[0], Undefined):
        return f"{said} {found.williams[0].text}"
    better = min(found.williams, key=lambda each: each.p if isinstance(each, Williams) else 1.0)
    assert isinstance(better, Williams)
    which = one if better is found.williams[0] else other
    return (
        f"{said} Williams' test, of the corpus scores and as if systems were independent, has {which} ahead: "
        f"t = {better.t:.2f} of {better.freedom} degrees of freedom, p = {p_text(better.p)}."
    )


def p_text(p: float) -> str:
    """A p in three decimals, that of no permutation as below."""
    return f"{p:.3f}" if p >= 0.001 else "below 0.001"
