"""Draw all systems of a corpus: their ranks with intervals, and which pairs differ by more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from metrics.corpus.resampling import Interval
from metrics.corpus.standings import Standings

from ..compare.scores import short_names
from ..pen.numbers import change_text, score_text
from ..pen.text import bdi_word, isolated, safe, visible
from .axes import ColumnScale
from .patterns import probability_html

LEVEL = 0.05
NAME, HEAD = 26, 12  # letters of a name in a row, and in a column heading
DECIMALS = 4


class SystemStanding(NamedTuple):
    """The standing of a system by one metric.

    Attributes:
        system: index of the system.
        score: corpus score.
        interval: 95 % interval of the score over resamples, or None for a corpus of one segment.
        rank: rank from 1.
        ranks: 95 % interval of the rank.
        others: ranks of the system by other metrics, None where unknown."""

    system: int
    score: float
    interval: Interval | None
    rank: int
    ranks: tuple[int, int]
    others: tuple[int | None, ...] = ()


def ranks_table(
    standings: Sequence[SystemStanding],
    names: Sequence[str],
    metric: str,
    others: Sequence[str],
    chosen: tuple[int, int],
) -> str:
    """Return the table of the systems as HTML, in the order given, with their scores as points on the same scale.

    `names` are all systems' names by index, `metric` is the label of the metric, and `others` are the labels of the
    other metrics whose ranks are shown. `chosen` are the indices of the systems that are A and B now."""
    scale = ColumnScale.over([end for each in standings for end in (each.interval or (each.score,))])
    heads = "".join([f'<th class="other">{safe(label)}</th>' for label in others])
    rows = []
    for each in standings:
        around = each.interval or Interval(each.score, each.score)
        interval_text = (
            f"95 % interval {around.low:.3f} to {around.high:.3f}" if each.interval else "One segment, no interval"
        )
        label = f' role="img" aria-label="{interval_text}" title="{interval_text}"'
        bar = scale.dot_html(each.score, around, label)
        first, last = each.ranks
        place = f"{first}" if first == last else f"{first}–{last}"
        sides = "".join([f'<b class="side">{"AB"[n]}</b>' for n, system in enumerate(chosen) if system == each.system])
        row = "".join([f'<td class="other">{"–" if rank is None else rank}</td>' for rank in each.others])
        rows.append(
            f"<tr><td>{each.rank}</td><td>{place}</td><th>{bdi_word(names[each.system], NAME)} {sides}</th>"
            f'<td>{score_text(each.score)}</td><td class="bars">{bar}</td>{row}</tr>'
        )
    over = f'<th colspan="{len(others)}" class="group">Rank by other metrics</th>' if others else ""
    return (
        '<div class="wide" tabindex="0"><table class="ranks"><thead>'
        f'<tr class="group"><td colspan="5"></td>{over}</tr>'
        f"<tr><th>Rank</th><th>Interval</th><th>System</th><th>{safe(metric)}</th>"
        f'<th class="bars">95 % interval</th>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )


def pairs_matrix(
    standings: Sequence[SystemStanding],
    names: Sequence[str],
    tests: Standings,
    chosen: tuple[int, int],
) -> str:
    """Return the matrix of all pairs of systems as HTML, the best system first.

    Above the diagonal is the p value of the randomisation test, corrected for all pairs; below it is the difference of
    the scores. `tests` has the p values, which like `names` are indexed by system. `chosen` are the indices of the
    systems that are A and B now. A click makes a pair A and B, with the better system as B."""
    short = short_names(names, HEAD)
    count = len(names) * (len(names) - 1) // 2
    corrected = f", corrected for {count:,} pairs p = {{:.4f}}" if count > 1 else ""
    heads = "".join(
        [f'<th scope="col"><span>{bdi_word(short[each.system], HEAD + 4)}</span></th>' for each in standings]
    )
    rows = []
    for n, ours in enumerate(standings):
        cells = [f'<th scope="row">{bdi_word(short[ours.system], HEAD + 4)}</th>']
        for m, theirs in enumerate(standings):
            if n == m:
                cells.append('<td class="none"></td>')
                continue
            better, worse = (ours, theirs) if n < m else (theirs, ours)
            value, raw = tests.p[better.system][worse.system], tests.p_raw[better.system][worse.system]
            delta = better.score - worse.score
            is_significant = value < LEVEL and delta != 0
            text = probability_html(value) if n < m else change_text(ours.score - theirs.score, 3)
            kind = ("told" if is_significant else "untold") + (
                " chosen" if {better.system, worse.system} == {*chosen} else ""
            )
            mark = "*" if is_significant and n < m else ""
            description = (
                f"{visible(names[better.system], 60)} over {visible(names[worse.system], 60)}: "
                f"{change_text(delta, DECIMALS)}, p = {raw:.4f}{corrected.format(value)}"
            )
            says = safe(description, 300)
            cells.append(
                f'<td><button type="button" class="{kind}" data-tell="pair:{worse.system},{better.system}" '
                f'title="{says}" aria-label="{says}">{text}{mark}</button></td>'
            )
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<div class="wide" tabindex="0"><table class="matrix"><thead><tr><td></td>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def describe_first(
    standings: Sequence[SystemStanding], names: Sequence[str], p: Sequence[Sequence[float]], metric: str
) -> str:
    """Return a sentence on the best system and those that do not differ from it by more than chance, as plain text.

    `standings` has the best system first; `names`, and the p values `p` of all pairs, are indexed by system."""
    first = standings[0]
    near = [each for each in standings[1:] if p[first.system][each.system] >= LEVEL or each.score == first.score]
    head = f"{isolated(names[first.system], 60)} is first by {metric}"
    if not near:
        return f"{head}; it differs from all others by more than chance."
    near_names = ", ".join([isolated(names[each.system], 60) for each in near[:3]])
    more = f" and {len(near) - 3} more" if len(near) > 3 else ""
    return f"{head}; not clearly different from it: {near_names}{more}."
