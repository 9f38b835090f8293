"""Order matters: the papers' small sentences under every metric, and which of them each metric cannot tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple

from ..types import Metric, Segment, Settings

ALIKE = 1e-12  # scores that differ by no more are the same

#: How a metric puts two sentences: as the paper does, the other way round, or as equally good.
Order = Literal["same", "reversed", "alike"]


class OrderCase(NamedTuple):
    """Candidates for one reference, by name, in the order in which a paper's authors judge them, the best first."""

    reference: tuple[str, str]
    candidates: tuple[tuple[str, str], ...]
    source: str

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The names of every two candidates, the better one first."""
        return tuple(combinations([name for name, _ in self.candidates], 2))


class Variant(NamedTuple):
    """A metric with some settings, and what it is called in a table."""

    key: str
    label: str
    settings: Mapping[str, Any] = {}


class Claim(NamedTuple):
    """What a paper says of a pair under a variant, by its label: "alike", or the name of the one that is better."""

    label: str
    pair: tuple[str, str]
    says: str
    where: str


class VariantRow(NamedTuple):
    """A variant's scores by the names of the candidates, and how it puts every pair."""

    variant: Variant
    higher_is_better: bool
    scores: Mapping[str, float]
    orders: Mapping[tuple[str, str], Order]

    @property
    def alike(self) -> tuple[tuple[str, str], ...]:
        """The pairs that it cannot tell apart."""
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

#: What the papers say of these sentences.
CLAIMS = (
    Claim("BLEU-2", ("S2", "S3"), "alike", f"{_LIN} 2"),
    Claim("BLEU-2", ("S4", "S3"), "S4", f"{_LIN} 3.1"),
    Claim("ROUGE-L", ("S2", "S3"), "S2", f"{_LIN} 3.1"),
    Claim("ROUGE-L", ("S4", "S3"), "alike", f"{_LIN} 3.1"),
    Claim("ROUGE-S", ("S2", "S4"), "S2", f"{_LIN} 4"),
    Claim("ROUGE-S", ("S4", "S3"), "S4", f"{_LIN} 4"),
    Claim("ROUGE-W", ("mt1", "mt2"), "alike", f"{_LIU} 2"),
    Claim("BLEU", ("mt1", "mt2"), "alike", f"{_LIU} 2"),
    Claim("ROUGE-S", ("mt1", "mt2"), "alike", f"{_LIU} 2"),
    Claim("METEOR", ("mt1", "mt2"), "mt1", f"{_LIU} 2"),
    Claim("SIA, one round", ("mt1", "mt2"), "mt1", f"{_LIU} 3.1"),
)


def variants(metrics: Mapping[str, Metric]) -> tuple[Variant, ...]:
    """Every metric with its defaults, in their order, followed by its own variants; one of its own name replaces it."""
    out: list[Variant] = []
    for key, metric in metrics.items():
        if metric.label not in metric.variants:
            out.append(Variant(key, metric.label))
        out += [Variant(key, label, given) for label, given in metric.variants.items()]
    return tuple(out)


def table(metrics: Mapping[str, Metric], cases: Sequence[OrderCase] = CASES) -> tuple[VariantRow, ...]:
    """A row for every metric and variant, with the scores of all candidates of the cases."""
    return tuple([_row(metrics[variant.key], variant, cases) for variant in variants(metrics)])


def _row(metric: Metric, variant: Variant, cases: Sequence[OrderCase]) -> VariantRow:
    settings: Settings = metric.Settings(**variant.settings)
    scores: dict[str, float] = {}
    orders: dict[tuple[str, str], Order] = {}
    for case in cases:
        references = (tuple(case.reference[1].split()),)
        for name, words in case.candidates:
            scores[name] = metric.score(Segment(tuple(words.split()), references), settings).score
        for pair in case.pairs():
            orders[pair] = order(metric.higher_is_better, *[scores[name] for name in pair])
    return VariantRow(variant, metric.higher_is_better, scores, orders)


def order(higher_is_better: bool, first: float, second: float) -> Order:
    """How the scores of two sentences put them, of which the first is meant to be better.

    >>> order(True, 0.75, 0.5), order(False, 0.75, 0.5), order(True, 0.5, 0.5)
    ('same', 'reversed', 'alike')
    """
    if abs(first - second) <= ALIKE:
        return "alike"
    return "same" if (first > second) is higher_is_better else "reversed"


def holds(claim: Claim, rows: Sequence[VariantRow]) -> bool:
    """Whether a paper's claim agrees with the scores."""
    row = next(row for row in rows if row.variant.label == claim.label)
    if claim.says == "alike":
        return row.orders[claim.pair] == "alike"
    return row.orders[claim.pair] == ("same" if claim.says == claim.pair[0] else "reversed")
