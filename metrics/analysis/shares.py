"""The worth of each changed statistic on the way from A's score to B's: Shapley values, limited to possible scores.

The value of a set of changes is the score of a mixture: what the changes touch is taken from B, everything else from A.
A mixture must be one that some candidate and reference could have. So statistics that only change together are one
item, and `Metric.complete` limits the others to each other. The share of an item is what it adds to a mixture, averaged
over all orders in which the items could change (Shapley 1953).

If a score is made of a few values (`Metric.composition`), such as precision and recall, this is done twice. A value is
worth what it adds, averaged over all orders in which the values could change. An item gets, for each value, its share
of what it adds to that value, averaged over all orders of the items. So a value's worth depends only on the values of A
and B, and all shares together sum to the difference of the scores.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from typing import Any, Literal, NamedTuple

from ..types import Composition, Mark, Metric, Result
from ..types.work import spend

#: The number of changes above which the last changes of a statistic are merged: each further one doubles the work.
MOST_CHANGES = 12

#: Smaller shares are rounding.
NOTHING = 1e-13


class MarkChange(NamedTuple):
    """A mark and the change of its credit from A to B.

    Its `kind` is "gained" if only B has the mark, "lost" if only A has it, and "changed" if its credit differs.
    """

    kind: Literal["gained", "lost", "changed"]
    mark: Mark
    credit: float


class LedgerLine(NamedTuple):
    """A step of a ledger whose share is not computed yet.

    Attributes:
        cause, name: the cause of the change, and the name of what changes.
        amounts: for each statistic that the line contributes to, its contribution in A and in B.
        before, after: the amounts in A and in B that the ledger shows.
        marks: the marks that explain the change.
        words: the numbers of matched words in A and in B, if the line counts them and not only their contiguity or
            gaps.
        place: a sort key for lines of one cause, the same from A to B as from B to A.
    """

    cause: str
    name: str
    amounts: Mapping[str, tuple[float, float]]
    before: float
    after: float
    marks: tuple[MarkChange, ...] = ()
    words: tuple[float, float] = (0.0, 0.0)
    place: tuple[int, ...] = ()

    def changes(self) -> bool:
        """Return whether an amount of this ledger line changes, or its marks change places."""
        return bool(self.marks) or any(before != after for before, after in self.amounts.values())


#: Lines that can only change together.
Item = tuple[LedgerLine, ...]


def changed_items(items: Sequence[Item], most: int) -> list[Item]:
    """Return the items that change, without their unchanged lines; at most `most`, since some are merged.

    An item is a tuple of ledger lines that only change together. Items of the most frequent statistic and cause are
    merged first, such as the words of rounds, or their gaps. Then whole statistics are merged, such as orders of
    n-grams.
    """
    out = [changed_lines for item in items if (changed_lines := tuple([line for line in item if line.changes()]))]
    while len(out) > most:
        single = [item for item in out if len(item) == 1 and item[0].marks]
        kinds = [(item[0].cause, *item[0].amounts) for item in single]
        (most_kind, number), *_ = Counter(kinds).most_common(1)
        first, second = [item for item, kind in zip(single, kinds, strict=True) if number == 1 or kind == most_kind][
            -2:
        ]
        out = [(_merge_lines(*first, *second),) if item is first else item for item in out if item is not second]
    return out


def _merge_lines(first: LedgerLine, second: LedgerLine) -> LedgerLine:
    """Return one ledger line with the summed amounts and all marks of two lines."""
    names = dict.fromkeys((*first.amounts, *second.amounts))
    none = (0.0, 0.0)
    amounts = {name: _sum_pairs(first.amounts.get(name, none), second.amounts.get(name, none)) for name in names}
    return first._replace(
        name=first.name if first.name.endswith(" and later") else f"{first.name} and later",
        amounts=amounts,
        before=first.before + second.before,
        after=first.after + second.after,
        marks=first.marks + second.marks,
        words=_sum_pairs(first.words, second.words),
    )


def _sum_pairs(first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float]:
    """Return the elementwise sum of two pairs."""
    return first[0] + second[0], first[1] + second[1]


#: A share divided among the values of the composition.
Parts = tuple[float, ...]


def composition_of(metric: Metric) -> Composition:
    """Return a metric's composition: the values of which its score is made, and how they make it.

    A metric without one gets a composition with the score as its single value.
    """
    return metric.composition or Composition(
        lambda stats, settings: {"score": metric.from_stats(stats, settings).score}, lambda values, _: values["score"]
    )


class ShapleyGame:
    """The Shapley game of the changes from A to B: its players are the items, its values the scores of all mixtures.

    A mixture takes the statistics of some items from B and all others from A. It is given as a bit mask of the items
    taken from B.
    """

    def __init__(self, metric: Metric, a: Result, b: Result, items: Sequence[Item], most: int = MOST_CHANGES) -> None:
        """Compute the scores of all mixtures; the items that change are merged until there are at most `most`."""
        self.metric, self.a, self.b = metric, a, b
        self._composition = composition_of(metric)
        self.items = changed_items(items, most)
        # Statistics are summed from their parts, because the difference of two large sums would lose a small one.
        lines = [*chain.from_iterable(items)]
        fixed = dict(a.stats) | dict.fromkeys(chain.from_iterable([line.amounts for line in lines]), 0.0)
        words = dict.fromkeys([name for line in lines if any(line.words) for name in line.amounts], 0.0)
        for line in lines:
            if not line.changes():
                for name, (amount, _) in line.amounts.items():
                    fixed[name] += amount
                    if any(line.words):
                        words[name] += line.words[0]
        # For each statistic, its amounts in all mixtures; each item doubles their number.
        self._stats = {name: [amount] for name, amount in fixed.items()}
        self._words = {name: [amount] for name, amount in words.items()}
        for item in self.items:
            self._double_mixtures(self._stats, [each for line in item for each in line.amounts.items()])
            self._double_mixtures(
                self._words, [(name, line.words) for line in item for name in line.amounts if name in words]
            )
        # A run of GTM that is capped to part of a word may count less than the rounding error of the sums.
        for at, result in ((0, a), (-1, b)):
            for name, sums in self._stats.items():
                exact = result.stats.get(name, 0.0)
                if math.isclose(sums[at], exact, rel_tol=1e-9, abs_tol=1e-9):
                    sums[at] = exact
        self.full = (1 << len(self.items)) - 1
        self._mixed = [self._mixture_values(chosen) for chosen in range(self.full + 1)]
        self.names = tuple(self._mixed[0])
        self.values: list[float] = [self._composition.score(values, a.settings) for values in self._mixed]
        # If a statistic that affects the score were not among the items, the shares would not sum to the difference.
        for result, value in ((a, self.values[0]), (b, self.values[-1])):
            assert math.isclose(value, result.score, rel_tol=1e-9, abs_tol=1e-9), (result.metric, value, result.score)

    @staticmethod
    def _double_mixtures(amounts: dict[str, list[float]], more: Sequence[tuple[str, tuple[float, float]]]) -> None:
        """Extend the amounts of each statistic, in place, by the mixtures that include one more item.

        `amounts` has the amount of each statistic in every mixture so far. `more` has the contribution of the new item
        to a statistic, in A and in B.
        """
        touched = dict(more)
        for name, sums in amounts.items():
            before, after = touched.get(name, (0.0, 0.0))
            if before or after:
                amounts[name] = [amount + before for amount in sums] + [amount + after for amount in sums]
            else:
                sums += sums

    def mixture_score(self, chosen: int, line: LedgerLine, more: float) -> float:
        """Return the score of a mixture in which the credit of a ledger line is increased by `more`.

        `chosen` is the bit mask of the items taken from B.
        """
        score: float = self._composition.score(self._mixture_values(chosen, line, more), self.a.settings)
        return score

    def _mixture_values(self, chosen: int, line: LedgerLine | None = None, more: float = 0.0) -> Mapping[str, float]:
        """Return the values that make up the score of a mixture, by name.

        `chosen` is the bit mask of the items taken from B. The credit of `line`, if given, is increased by `more`.
        """
        spend(10 + len(self._stats))
        stats = {name: sums[chosen] for name, sums in self._stats.items()}
        words = {name: sums[chosen] for name, sums in self._words.items()}
        for name in line.amounts if line else ():
            stats[name] += more
            if line and any(line.words):
                words[name] += more
        if self.metric.complete:
            self.metric.complete(stats, self.a.settings, words, self.a.segment.references)
        return self._composition.values(stats, self.a.settings)

    def value_ends(self) -> dict[str, tuple[float, float]]:
        """Return each value that makes up the score, by name, as (its amount in A, its amount in B)."""
        return {name: (self._mixed[0][name], self._mixed[-1][name]) for name in self.names}

    def item_shares(self) -> list[Parts]:
        """Return each item's share of the score's difference, divided among the values that make up the score.

        The share is what the item adds to a mixture, averaged over all orders of the items.
        """
        parts = []
        for name in self.names:
            worth = self._mean_scores(name)
            adds = [worth[values[name]] for values in self._mixed]
            parts.append(shapley_values(len(self.items), adds))
        return [*zip(*parts, strict=True)]

    def _mean_scores(self, name: str) -> dict[float, float]:
        """Return the mean score for each amount that the value `name` has in a mixture, by amount.

        The mean is over the orders in which the other values change.
        """
        ends = self._mixed[0], self._mixed[-1]
        amounts = {values[name] for values in self._mixed}
        spend(len(amounts) << len(ends[0]))
        return {amount: _mean_score(self._composition, name, amount, *ends, self.a.settings) for amount in amounts}

    def line_shares(self) -> list[tuple[LedgerLine, Parts]]:
        """Return the ledger lines of all items with their shares, in no particular order.

        A share is divided among the values that make up the score.
        """
        out: list[tuple[LedgerLine, Parts]] = []
        for item, share in zip(self.items, self.item_shares(), strict=True):
            out += zip(item, self._split_share(item, share), strict=True)
        return out

    def _split_share(self, item: Item, share: Parts) -> list[Parts]:
        """Return the share of each ledger line of an item: what its change adds alone, plus a part of the remainder.

        `share` is the share of the whole item. The remainder is divided in proportion to what the changes add alone.
        """
        if len(item) == 1:
            return [share]
        whole = math.fsum(share)
        worth = [self._unit_worth(line) * (line.after - line.before) for line in item]
        remainder, gross = whole - math.fsum(worth), math.fsum(map(abs, worth))
        each = [amount + (remainder * abs(amount) / gross if gross else 0.0) for amount in worth]
        return [rescaled_parts(share, whole, amount) for amount in each]

    def _unit_worth(self, line: LedgerLine) -> float:
        """Return what one more unit of a ledger line adds to the score, averaged over A and B."""
        adds = []
        for result in (self.a, self.b):
            more = dict(result.stats)
            for name in line.amounts:
                more[name] += 1
            adds.append(self.metric.from_stats(more, result.settings).score - result.score)
        return sum(adds) / 2

    def credit_unit_worth(self, line: LedgerLine, amount: float) -> float:
        """Return what one unit of a ledger line's credit is worth, for a line whose gained and lost credits cancel.

        It is what A and B would lose without `amount` of the credit, per unit, averaged over both.
        """
        less = -amount if line.before + line.after >= 0 else amount
        adds: list[float] = [self.mixture_score(chosen, line, less) - self.values[chosen] for chosen in (0, self.full)]
        return sum(adds) / 2 / less


def value_shares(
    composition: Composition, before: Mapping[str, float], after: Mapping[str, float], settings: Any
) -> list[float]:
    """Return what each value of which a score is made adds to the score on the way from A to B.

    `before` and `after` are the values in A and in B by name. The shares are averaged over all orders in which the
    values could change, and come in the order of `before`.
    """
    scores = [
        [_mean_score(composition, name, end[name], before, after, settings) for end in (before, after)]
        for name in before
    ]
    return [score_after - score_before for score_before, score_after in scores]


def _mean_score(
    composition: Composition,
    name: str,
    amount: float,
    before: Mapping[str, float],
    after: Mapping[str, float],
    settings: Any,
) -> float:
    """Return the score if the value `name` is `amount`, averaged over the orders in which the other values change.

    `before` and `after` are all values in A and in B by name.
    """
    others = [other for other in before if other != name]
    sizes = shapley_weights(len(before))
    return math.fsum(
        [
            sizes[size] * composition.score({**before, **{each: after[each] for each in moved}, name: amount}, settings)
            for size in range(len(others) + 1)
            for moved in combinations(others, size)
        ]
    )


def shapley_weights(count: int) -> list[float]:
    """Return the weights of a Shapley value for `count` players.

    Entry s is the fraction of all orders in which a given set of s players comes first, directly before a given player.
    """
    return [math.factorial(s) * math.factorial(count - s - 1) / math.factorial(count) for s in range(count)]


def shapley_values(count: int, values: Sequence[float]) -> list[float]:
    """Return what each of `count` players adds to a game's value, averaged over all orders in which they can join.

    `values[chosen]` is the value of the players in the bit mask `chosen`. What a player adds depends only on the set of
    players before it, so the sets are weighted, not the orders.

    >>> shapley_values(2, [0.0, 0.25, 0.5, 1.0])
    [0.375, 0.625]
    """
    weights = shapley_weights(count)
    sets = range(1 << count)
    return [
        math.fsum([weights[s.bit_count()] * (values[s | 1 << p] - values[s]) for s in sets if not s >> p & 1])
        for p in range(count)
    ]


def rescaled_parts(parts: Parts, whole: float, share: float) -> Parts:
    """Return the parts of a share, multiplied so that they sum to `share` instead of `whole`.

    If `whole` is 0, the first part gets everything.

    >>> rescaled_parts((0.25, 0.5), 0.75, 0.375), rescaled_parts((0.0, 0.0), 0.0, 0.5)
    ((0.125, 0.25), (0.5, 0.0))
    """
    if abs(whole) <= NOTHING:
        return (share, *[0.0] * (len(parts) - 1))
    return tuple([part * share / whole for part in parts])


def clamped_shares(shares: Sequence[float], before: float, after: float, most: float) -> list[float]:
    """Return the shares, adjusted so that the running score stays between 0 and `most` on the way from A to B and back.

    `before` and `after` are the scores of A and B. The way back takes the same steps in the same order with the
    opposite sign. So a running score r on the way there is before + after − r on the way back. What would lead outside
    the possible range is not part of the difference: a share is cut off at the limit, and the next share in the other
    direction is reduced by as much. The shares still sum to the difference.

    >>> clamped_shares([-0.75, 0.5], 0.5, 0.25, 1.0)
    [-0.5, 0.25]
    """
    most = max(most, before, after)
    lowest, highest = max(0.0, before + after - most), min(most, before + after)
    out, run, last = [], before, before
    for number, share in enumerate(shares, start=1):
        run += share
        possible_score = after if number == len(shares) else min(max(run, lowest), highest)
        out.append(possible_score - last if abs(possible_score - last) > NOTHING else 0.0)
        last += out[-1]
    return out
