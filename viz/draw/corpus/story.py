"""What is said of two systems by a metric: the sentence, and the ledger of the causes as bars with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from metrics.corpus.ledger import CorpusLedger, Step

from ..compare.scores import verdict
from ..pen import theme

DECIMALS = 4  # of corpus scores' differences


def ledger(found: CorpusLedger, higher_is_better: bool, says: Sequence[str]) -> str:
    """The causes of the difference from A's score to B's, each with its share, its interval and a bar; `says` are the
    causes in words, in their order. Shares sum to the difference."""
    ends = [abs(x) for step in found.steps for x in (step.low, step.high, step.share)]
    most = max(ends, default=0.0) or 1.0
    lines = [_row(step, said, most, higher_is_better) for step, said in zip(found.steps, says, strict=True)]
    total = f'<tr class="sum"><td>Δ</td><td class="num">{theme.change_text(found.delta, DECIMALS)}</td><td></td></tr>'
    return f'<table class="corpus_ledger"><tbody>{"".join(lines)}{total}</tbody></table>'


def _row(step: Step, said: str, most: float, higher_is_better: bool) -> str:
    tone = verdict(step.share, higher_is_better, DECIMALS)
    start, end = sorted((50.0, _at(step.share, most)))
    low, high = _at(step.low, most), _at(step.high, most)
    interval = f"95 % interval {theme.change_text(step.low, DECIMALS)} to {theme.change_text(step.high, DECIMALS)}"
    bar = (
        f'<span class="bars" role="img" aria-label="{interval}" title="{interval}">'
        f'<i class="bar {tone}" style="left:{start:.1f}%;width:{end - start:.1f}%"></i>'
        f'<i class="range" style="left:{low:.1f}%;width:{high - low:.1f}%"></i></span>'
    )
    share = theme.change_text(step.share, DECIMALS)
    return f'<tr><td>{escape(said)}</td><td class="num {tone}">{share}</td><td>{bar}</td></tr>'


def _at(value: float, most: float) -> float:
    """Where a value lies, in hundredths of the breadth of the bars, with 0 in the middle."""
    return 50 + 48 * value / most
