"""Draw small sentences from papers on word order, scored by every metric, as a table.

It says for each pair of candidates whether a metric orders it as the paper does."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from metrics.analysis import word_order
from metrics.analysis.word_order import Order, OrderCase, OrderClaim, VariantRow

from ..evidence.fragment import root_element
from ..pen.numbers import score_text
from ..pen.text import safe

#: The sign, the CSS class and the text for each order of a pair.
_SIGNS: dict[Order, tuple[str, str, str]] = {
    "same": ("▲", "better", "as the paper"),
    "reversed": ("✕", "worse", "reversed"),
    "alike": ("=", "tie", "alike"),
}


def fragment(
    rows: Sequence[VariantRow],
    cases: Sequence[OrderCase] = word_order.CASES,
    claims: Sequence[OrderClaim] = word_order.CLAIMS,
) -> str:
    """Return the sentences, the table of their scores, its legend, and the papers' claims that do not hold, as HTML."""
    parts = "".join([_sentences_html(case) for case in cases])
    return root_element(
        "order",
        f'<div class="tasks">{parts}</div>{_table_html(rows, cases)}{_key_html()}{_failed_claims_html(rows, claims)}',
    )


def _sentences_html(case: OrderCase) -> str:
    """Return the reference of a case and its candidates as HTML, the best by the paper first."""
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td><bdi>{safe(words, 200)}</bdi></td></tr>"
        for name, words in (case.reference, *case.candidates)
    )
    return f'<div><p class="more">{escape(case.source)}, the best first:</p><table class="rf">{rows}</table></div>'


def _table_html(rows: Sequence[VariantRow], cases: Sequence[OrderCase]) -> str:
    """Return the table with a row for each metric: the scores of the candidates, and how it orders each pair."""
    head = "".join([f'<th class="num">{escape(name)}</th>' for case in cases for name, _ in case.candidates])
    pairs = [pair for case in cases for pair in case.pairs()]
    head += "".join([f"<th>{escape(a)}, {escape(b)}</th>" for a, b in pairs])
    body = "".join([_metric_row_html(row) for row in rows])
    return (
        '<div class="scores order"><table><thead><tr><th>Metric</th>'
        f"{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _metric_row_html(row: VariantRow) -> str:
    scores = "".join([f'<td class="num">{score_text(score)}</td>' for score in row.scores.values()])
    orders = "".join([_order_cell_html(pair_order) for pair_order in row.orders.values()])
    return f"<tr><th>{escape(row.variant.label)}</th>{scores}{orders}</tr>"


def _order_cell_html(pair_order: Order) -> str:
    sign, look, says = _SIGNS[pair_order]
    return f'<td class="{look}"><span aria-hidden="true">{sign}</span> {escape(says)}</td>'


def _key_html() -> str:
    return (
        '<p class="more">The better one of each pair, by the paper, comes first. '
        "WER, PER and TER are error rates: lower is better. METEOR here matches words and stems.</p>"
    )


def _failed_claims_html(rows: Sequence[VariantRow], claims: Sequence[OrderClaim]) -> str:
    """Return the claims of papers that do not hold, with the scores that show it, as HTML."""
    notes = []
    for claim in claims:
        if word_order.claim_holds(claim, rows):
            continue
        scores = next(row for row in rows if row.variant.label == claim.label).scores
        first, second = claim.pair
        says = "cannot tell them apart" if claim.says == "alike" else f"puts {claim.says} first"
        notes.append(
            f'<p class="note">{escape(claim.where)}, say of {escape(first)} and {escape(second)} that '
            f"{escape(claim.label)} {escape(says)}. It scores them {score_text(scores[first])} and "
            f"{score_text(scores[second])}.</p>"
        )
    return "".join(notes)


def summary_sentence(rows: Sequence[VariantRow]) -> str:
    """Return a sentence on which metrics order every pair as the papers do."""
    right = [row.variant.label for row in rows if {*row.orders.values()} == {"same"}]
    listed = f"{', '.join(right[:-1])} and {right[-1]}" if len(right) > 1 else "".join(right) or "No metric"
    return f"{listed} order{'' if len(right) > 1 else 's'} every pair as the papers do."
