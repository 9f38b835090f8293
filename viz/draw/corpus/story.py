"""What is said of two systems by a metric: the ledger of the causes as bars with their intervals, how much comes from
how many segments, and the segments that tell the most."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np

from metrics.corpus.explanations.segments import SegmentStory
from metrics.corpus.explanations.why import balance, balance_text, cause, ended, reasons, sure
from metrics.corpus.ledger import CorpusLedger, LedgerStep
from metrics.types import Metric

from ..compare.scores import verdict
from ..pen import theme
from ..pen.stylesheets import read_sheets

RULES = read_sheets(Path(__file__).parent, "story")
DECIMALS = 4  # of corpus scores' differences
SAID_MOST = 600  # characters of what is said of a segment


def whole(
    metric: Metric,
    names: tuple[str, str],
    corpus_ledger: CorpusLedger,
    opened: Collection[str],
    of: float | None = None,
    dissent_html: str = "",
    kinds: str = "",
) -> str:
    """All that is said of a ledger from one of two systems to the better one: its causes, and how much comes from how
    many segments; beside them, as markup, `kinds` of error and words, and `dissent_html` about a metric that names
    another winner. Of a ledger of some segments `of` is the difference of all. `opened` are the filters that are
    chosen."""
    given = f'<p class="balance">{_balance(metric, names, corpus_ledger, opened, of is not None)}</p>'
    causes_html = (
        f'<div class="causes"><div>{causes(metric, corpus_ledger, opened, of)}{given}</div>{kinds}{dissent_html}</div>'
    )
    return f'<div class="story">{causes_html}</div>'


def ledger(metric: Metric, names: tuple[str, str], corpus_ledger: CorpusLedger) -> str:
    """The causes of the difference from one score to the other, each with its share, its interval and a bar, and what
    segments give; shares sum to the difference."""
    return f'{causes(metric, corpus_ledger)}<p class="balance">{_balance(metric, names, corpus_ledger)}</p>'


def _balance(
    metric: Metric,
    names: tuple[str, str],
    corpus_ledger: CorpusLedger,
    selected: Collection[str] | None = None,
    is_subset: bool = False,
) -> str:
    """How much comes from how many segments. Where filters may be `selected`, both sides open theirs; where these
    are not all segments (`is_subset`), a side that has none opens its own, too."""
    sides = balance(metric, corpus_ledger)
    counts = theme.safe(balance_text(*names, sides, DECIMALS), SAID_MOST)
    if selected is None:
        return counts
    signs = "><" if metric.higher_is_better else "<>"
    signed_sides = zip(signs, reversed(names), (sides.for_b, sides.for_a), strict=True)
    opens = [
        _opening(f"worth {sign} 0", f"Show those for {theme.safe(name)}", selected)
        for sign, name, side in signed_sides
        if side.segments or is_subset
    ]
    return " ".join([counts, *opens])


def dissenting_ledger(metric: Metric, winner: str, corpus_ledger: CorpusLedger) -> str:
    """The ledger of a metric that names another winner, folded below its causes in words."""
    summary = f"By {theme.safe(metric.label)} {theme.safe(winner)} is better: "
    summary += theme.safe(ended(reasons(metric, corpus_ledger, DECIMALS)), SAID_MOST)
    return f'<details class="other"><summary>{summary}</summary>{causes(metric, corpus_ledger)}</details>'


def causes(
    metric: Metric, corpus_ledger: CorpusLedger, selected: Collection[str] | None = None, of: float | None = None
) -> str:
    """The causes alone, and their sum, which is a part of the difference `of` all segments where that is given. Where
    filters may be `selected`, causes open their segments, and those that are selected show it."""
    ends = [abs(x) for step in corpus_ledger.steps for x in (step.low, step.high, step.share)]
    most = max(ends, default=0.0) or 1.0
    rows = [_row(metric, corpus_ledger, step, most, selected) for step in corpus_ledger.steps]
    total = theme.change_text(corpus_ledger.delta, DECIMALS)
    if corpus_ledger.delta and not corpus_ledger.steps:
        rows.insert(0, '<tr><td colspan="3" role="status">Looking for causes.</td></tr>')
    part = "" if of is None else f"of all: {theme.change_text(of, DECIMALS)}"
    rows.append(f'<tr class="sum"><td>{theme.safe(metric.label)}</td><td class="num">{total}</td><td>{part}</td></tr>')
    return f'<table class="corpus_ledger"><tbody>{"".join(rows)}</tbody></table>'


def _opening(expression: str, label: str, selected: Collection[str]) -> str:
    """A button that selects segments by an expression, and once more selects them no longer."""
    pressed = str(expression in selected).lower()
    return (
        f'<button type="button" data-tell="filter:{theme.safe(expression)}" aria-pressed="{pressed}">{label}</button>'
    )


def _row(
    metric: Metric, corpus_ledger: CorpusLedger, step: LedgerStep, most: float, selected: Collection[str] | None
) -> str:
    tone = verdict(step.share, metric.higher_is_better, DECIMALS)
    start, end = sorted((50.0, _bar_position(step.share, most)))
    low, high = _bar_position(step.low, most), _bar_position(step.high, most)
    interval = f"95 % interval {theme.change_text(step.low, DECIMALS)} to {theme.change_text(step.high, DECIMALS)}"
    interval = (
        "One segment, no interval"
        if corpus_ledger.is_single
        else f"{interval}{'' if sure(step) else ': may be chance'}"
    )
    bar = (
        f'<span class="bars" role="img" aria-label="{interval}" title="{interval}">'
        f'<i class="bar {tone}" style="left:{start:.1f}%;width:{end - start:.1f}%"></i>'
        f'<i class="range" style="left:{low:.1f}%;width:{high - low:.1f}%"></i></span>'
    )
    label, share = theme.safe(cause(metric, corpus_ledger, step), SAID_MOST), theme.change_text(step.share, DECIMALS)
    if selected is not None and step.share and np.any(corpus_ledger.parts.get(step.cause, 0.0)):
        label = _opening(f"worth.{step.cause} {'>' if step.share > 0 else '<'} 0", label, selected)
    return f'<tr><td>{label}</td><td class="num {tone}">{share}</td><td>{bar}</td></tr>'


def _bar_position(value: float, most: float) -> float:
    """Where a value lies, in hundredths of the breadth of the bars, with 0 in the middle."""
    return 50 + 48 * value / most


#: What stands above segments that are picked for it.
PICKED = {"b": "For {b}", "a": "For {a}", "disagreement": "Where metrics disagree"}


def picks(picked_segments: Sequence[SegmentStory], names: tuple[str, str]) -> str:
    """The segments that tell the most, each with what happened there; a click opens it."""
    a, b = (theme.safe(name) for name in names)
    groups: dict[str, list[str]] = {}
    for each in picked_segments:
        head = PICKED.get(each.of, "Clear cases").format(a=a, b=b)
        description = theme.safe(each.says, SAID_MOST)
        link = f'<button type="button" data-tell="segment:{each.segment}">Segment {each.segment + 1:,}</button>'
        groups.setdefault(head, []).append(f"<li>{link} {description}</li>")
    return "".join([f'<h3 class="picked">{head}</h3><ul>{"".join(lines)}</ul>' for head, lines in groups.items()])
