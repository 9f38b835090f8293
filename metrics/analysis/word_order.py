"""Compares metrics by word order: the papers' small example sentences, and which of them each metric scores equally."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple

from ..types import Metric, Segment, Settings

ALIKE = 1e-12  # scores that differ by at most this much are the same

#: How a metric orders two sentences: as the paper does, reversed, or as equally good.
Order = Literal["same", "reversed", "alike"]


class OrderCase(NamedTuple):
    """An example of a paper: a reference and candidates, each as (name, words), and the source.

    The candidates are in the order in which the paper's authors judge them, the best first.
    """

    reference: tuple[str, str]
    candidates: tuple[tuple[str, str], ...]
    source: str

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return the names of every two candidates of this example, the better one first."""
        return tuple(combinations([name for name, _ in self.candidates], 2))


class MetricVariant(NamedTuple):
    """A metric with some settings, and its label in a table of metrics."""

    key: str
    label: str
    settings: Mapping[str, Any] = {}


class OrderClaim(NamedTuple):
    """A paper's statement on how a metric variant orders two candidates: "alike", or the name of the better one."""

    label: str
    pair: tuple[str, str]
    says: str
    where: str


class VariantRow(NamedTuple):
    """The scores of a metric variant by candidate name, and how it orders every pair of candidates."""

    variant: MetricVariant
    higher_is_better: bool
    scores: Mapping[str, float]
    orders: Mapping[tuple[str, str], Order]

    @property
    def alike(self) -> tuple[tuple[str, str], ...]:
        """The pairs of candidates that the variant scores equally."""
        return tuple([pair for pair, order in self.orders.items() if order == "alike"])


CASES = (
    OrderCase(
        ("S1", "police killed the gunman"),
        (
            ("S2", "police kill the gunman"),
            ("S4", "the gunman police killed"),
            ("S3", "the gunman kill police"),
        ),
        "Lin and Och (2004), sections 2 to 4",
    ),
    OrderCase(
        ("reference", "life is just like a box of tasty chocolate"),
        (
            ("mt1", "life is like one nice chocolate in box"),
            ("mt2", "life is of one nice chocolate in box"),
        ),
        "Liu and Gildea (2006), Figure 1",
    ),
)

_LIN, _LIU = "Lin and Och (2004), section", "Liu and Gildea (2006), section"

#: The papers' statements on these sentences.
CLAIMS = (
    OrderClaim("BLEU-2", ("S2", "S3"), "alike", f"{_LIN} 2"),
    OrderClaim("BLEU-2", ("S4", "S3"), "S4", f"{_LIN} 3.1"),
    OrderClaim("ROUGE-L", ("S2", "S3"), "S2", f"{_LIN} 3.1"),
    OrderClaim("ROUGE-L", ("S4", "S3"), "alike", f"{_LIN} 3.1"),
    OrderClaim("ROUGE-S", ("S2", "S4"), "S2", f"{_LIN} 4"),
    OrderClaim("ROUGE-S", ("S4", "S3"), "S4", f"{_LIN} 4"),
    OrderClaim("ROUGE-W", ("mt1", "mt2"), "alike", f"{_LIU} 2"),
    OrderClaim("BLEU", ("mt1", "mt2"), "alike", f"{_LIU} 2"),
    OrderClaim("ROUGE-S", ("mt1", "mt2"), "alike", f"{_LIU} 2"),
    OrderClaim("METEOR", ("mt1", "mt2"), "mt1", f"{_LIU} 2"),
    OrderClaim("SIA, one round", ("mt1", "mt2"), "mt1", f"{_LIU} 3.1"),
)


def variants(metrics: Mapping[str, Metric]) -> tuple[MetricVariant, ...]:
    """Return every metric with its default settings, in order, each followed by the variants that it defines.

    If a variant has the same label as its metric, it replaces the defaults.
    """
    out: list[MetricVariant] = []
    for key, metric in metrics.items():
        if metric.label not in metric.variants:
            out.append(MetricVariant(key, metric.label))
        out += [MetricVariant(key, label, given) for label, given in metric.variants.items()]
    return tuple(out)


def variant_table(metrics: Mapping[str, Metric], cases: Sequence[OrderCase] = CASES) -> tuple[VariantRow, ...]:
    """Return a table row for every metric and variant, with the scores of all candidates of the cases."""
    return tuple([_variant_row(metrics[variant.key], variant, cases) for variant in variants(metrics)])


def _variant_row(metric: Metric, variant: MetricVariant, cases: Sequence[OrderCase]) -> VariantRow:
    """Return the table row of one metric variant."""
    settings: Settings = metric.Settings(**variant.settings)
    scores: dict[str, float] = {}
    orders: dict[tuple[str, str], Order] = {}
    for case in cases:
        references = (tuple(case.reference[1].split()),)
        for name, words in case.candidates:
            scores[name] = metric.score(Segment(tuple(words.split()), references), settings).score
        for pair in case.pairs():
            orders[pair] = compare_order(metric.higher_is_better, *[scores[name] for name in pair])
    return VariantRow(variant, metric.higher_is_better, scores, orders)


def compare_order(higher_is_better: bool, first: float, second: float) -> Order:
    """Return how a metric orders two sentences by their scores, where the first sentence should be better.

    It is "same" if the first one is scored better, "reversed" if the second one is, and "alike" if both scores are
    equal.

    >>> compare_order(True, 0.75, 0.5), compare_order(False, 0.75, 0.5), compare_order(True, 0.5, 0.5)
    ('same', 'reversed', 'alike')
    """
    if abs(first - second) <= ALIKE:
        return "alike"
    return "same" if (first > second) is higher_is_better else "reversed"


def claim_holds(claim: OrderClaim, rows: Sequence[VariantRow]) -> bool:
    """Return whether the scores in the table agree with a paper's claim."""
    row = next(row for row in rows if row.variant.label == claim.label)
    if claim.says == "alike":
        return row.orders[claim.pair] == "alike"
    return row.orders[claim.pair] == ("same" if claim.says == claim.pair[0] else "reversed")
