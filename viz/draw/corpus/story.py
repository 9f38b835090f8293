"""Draw why one of two systems is better by a metric: causes, their segments, and the segments that tell most.

The ledger splits the difference of the corpus scores into causes with shares. Causes are bars with their intervals."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np

from metrics.corpus.explanations.segments import SegmentStory
from metrics.corpus.explanations.why import (
    balance_text,
    cause_text,
    count_balance,
    end_sentence,
    is_beyond_chance,
    main_causes_text,
    printed_steps,
)
from metrics.corpus.ledger import CorpusLedger, LedgerStep
from metrics.types import Metric

from ..compare.scores import verdict
from ..pen.numbers import change_text
from ..pen.stylesheets import read_sheets
from ..pen.text import safe

RULES = read_sheets(Path(__file__).parent, "story")
DECIMALS = 4  # decimals of differences of corpus scores
SAID_MOST = 600  # longest sentence, in characters


def story_html(
    metric: Metric,
    names: tuple[str, str],
    corpus_ledger: CorpusLedger,
    opened: Collection[str],
    of: float | None = None,
    dissent_html: str = "",
    kinds: str = "",
) -> str:
    """Return all that is drawn of a ledger from one system to the better one, as HTML.

    Args:
        corpus_ledger: the causes of the difference with their shares.
        opened: expressions of the selected filters of segments, such as "worth > 0".
        of: difference of all segments, where the ledger is of some segments only.
        dissent_html: HTML about a metric that names the other system as better.
        kinds: HTML about kinds of error and words."""
    given = f'<p class="balance">{_balance_html(metric, names, corpus_ledger, opened, of is not None)}</p>'
    left = f"<div>{causes_table(metric, corpus_ledger, opened, of)}{given}</div>"
    return f'<div class="story"><div class="causes">{left}{kinds}{dissent_html}</div></div>'


def ledger_html(metric: Metric, names: tuple[str, str], corpus_ledger: CorpusLedger) -> str:
    """Return the causes of the difference, and how much comes from how many segments, as HTML.

    Each cause has its share, its interval and a bar. The shares sum to the difference."""
    return f'{causes_table(metric, corpus_ledger)}<p class="balance">{_balance_html(metric, names, corpus_ledger)}</p>'


def _balance_html(
    metric: Metric,
    names: tuple[str, str],
    corpus_ledger: CorpusLedger,
    selected: Collection[str] | None = None,
    is_subset: bool = False,
) -> str:
    """Return a sentence, as HTML, on how many segments speak for each system, and how much they contribute.

    `selected` are the expressions of the selected filters; unless it is None, buttons filter each system's segments.
    With `is_subset` the ledger is of some segments only; then a system without segments has a button, too, because its
    segments may be outside the subset."""
    sides = count_balance(metric, corpus_ledger)
    counts = safe(balance_text(*names, sides, DECIMALS), SAID_MOST)
    if selected is None:
        return counts
    signs = "><" if metric.higher_is_better else "<>"
    signed_sides = zip(signs, reversed(names), (sides.for_b, sides.for_a), strict=True)
    opens = [
        _filter_button(f"worth {sign} 0", f"Show those for {safe(name)}", selected)
        for sign, name, side in signed_sides
        if side.segments or is_subset
    ]
    return " ".join([counts, *opens])


def dissenting_ledger(metric: Metric, winner: str, corpus_ledger: CorpusLedger) -> str:
    """Return the causes table of a metric by which the other system, `winner`, is better, folded under a sentence."""
    summary = f"By {safe(metric.label)} {safe(winner)} is better: "
    summary += safe(end_sentence(main_causes_text(metric, corpus_ledger, DECIMALS)), SAID_MOST)
    return f'<details class="other"><summary>{summary}</summary>{causes_table(metric, corpus_ledger)}</details>'


def causes_table(
    metric: Metric, corpus_ledger: CorpusLedger, selected: Collection[str] | None = None, of: float | None = None
) -> str:
    """Return the table of the causes and their sum as HTML.

    `of` is the difference over all segments if the ledger is of some segments only; it is then printed next to the
    sum. `selected` are the expressions of the selected filters; unless it is None, a cause is a button that filters
    its segments."""
    ends = [abs(x) for step in corpus_ledger.steps for x in (step.low, step.high, step.share)]
    most = max(ends, default=0.0) or 1.0
    rows = [
        _cause_row_html(metric, corpus_ledger, step, share, most, selected)
        for step, share in zip(corpus_ledger.steps, printed_steps(corpus_ledger, DECIMALS), strict=True)
    ]
    total = change_text(corpus_ledger.delta, DECIMALS)
    if corpus_ledger.delta and not corpus_ledger.steps:
        rows.insert(0, '<tr><td colspan="3" role="status">Looking for causes.</td></tr>')
    part = "" if of is None else f"of all: {change_text(of, DECIMALS)}"
    rows.append(f'<tr class="sum"><td>{safe(metric.label)}</td><td class="num">{total}</td><td>{part}</td></tr>')
    return f'<table class="corpus_ledger"><tbody>{"".join(rows)}</tbody></table>'


def _filter_button(expression: str, label: str, selected: Collection[str]) -> str:
    """Return a button that turns the filter `expression` on or off, pressed if `selected` has the expression."""
    pressed = str(expression in selected).lower()
    return f'<button type="button" data-tell="filter:{safe(expression)}" aria-pressed="{pressed}">{label}</button>'


def _cause_row_html(
    metric: Metric,
    corpus_ledger: CorpusLedger,
    step: LedgerStep,
    printed: LedgerStep,
    most: float,
    selected: Collection[str] | None,
) -> str:
    """Return the row of a cause; `printed` is the step with its share as it is printed."""
    tone = verdict(step.share, metric.higher_is_better, DECIMALS)
    start, end = sorted((50.0, _bar_position(step.share, most)))
    low, high = _bar_position(step.low, most), _bar_position(step.high, most)
    interval = f"95 % interval {change_text(step.low, DECIMALS)} to {change_text(step.high, DECIMALS)}"
    interval = (
        "One segment, no interval"
        if corpus_ledger.is_single
        else f"{interval}{'' if is_beyond_chance(step) else ': may be chance'}"
    )
    bar = (
        f'<span class="bars" role="img" aria-label="{interval}" title="{interval}">'
        f'<i class="bar {tone}" style="left:{start:.1f}%;width:{end - start:.1f}%"></i>'
        f'<i class="range" style="left:{low:.1f}%;width:{high - low:.1f}%"></i></span>'
    )
    label = safe(cause_text(metric, corpus_ledger, step), SAID_MOST)
    share = change_text(printed.share, DECIMALS) if printed.share or not step.share else "≈ 0"
    if selected is not None and step.share and np.any(corpus_ledger.parts.get(step.cause, 0.0)):
        label = _filter_button(f"worth.{step.cause} {'>' if step.share > 0 else '<'} 0", label, selected)
    return f'<tr><td>{label}</td><td class="num {tone}">{share}</td><td>{bar}</td></tr>'


def _bar_position(value: float, most: float) -> float:
    """Return where on a bar a value is, in percent of the width; 0 is in the middle, and ±`most` is near the edges."""
    return 50 + 48 * value / most


#: The headings of picked segments, by the reason for which they are picked.
PICKED = {"b": "For {b}", "a": "For {a}", "disagreement": "Where metrics disagree"}


def picked_segments_html(picked_segments: Sequence[SegmentStory], names: tuple[str, str]) -> str:
    """Return the segments that tell most as HTML lists, grouped by why they are picked.

    Each has a sentence on what happened there; a click opens the segment. `names` are those of A and B."""
    a, b = (safe(name) for name in names)
    groups: dict[str, list[str]] = {}
    for each in picked_segments:
        head = PICKED.get(each.of, "Clear cases").format(a=a, b=b)
        description = safe(each.says, SAID_MOST)
        link = f'<button type="button" data-tell="segment:{each.segment}">Segment {each.segment + 1:,}</button>'
        groups.setdefault(head, []).append(f"<li>{link} {description}</li>")
    return "".join([f'<h3 class="picked">{head}</h3><ul>{"".join(lines)}</ul>' for head, lines in groups.items()])
