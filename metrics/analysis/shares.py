"""What each part of the statistics is worth on the way from A's score to B's: Shapley's shares, kept to the possible.

The value of a set of changes is the score of a mixture, in which what the changes touch is B's and all else is A's. A
mixture must be one that some candidate and reference could have: statistics that only change together are one item
here, and `Metric.complete` limits the others to each other. The share of an item is what it adds to a mixture, in the
mean over all orders in which the items could change (Shapley 1953).

Where a score is made of a few values (`Metric.composition`), such as precision and recall, this is done twice: a value
is worth what it adds in the mean over all orders in which the values could change, and an item has for each value the
share of that which it adds in the mean over all orders of the items. So what a value is worth depends on the values of
A and B alone, and all shares together sum to the difference of the scores.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from typing import Any, Literal, NamedTuple

from ..types import Composition, Mark, Metric, Result
from ..types.work import spend

#: Changes beyond which the last ones of a statistic are taken together: each one more doubles the work.
MOST_CHANGES = 12

#: A share smaller than this is rounding.
NOTHING = 1e-13


class Moved(NamedTuple):
    """A mark that only B has ("gained") or only A ("lost"), or whose credit "changed": by how much it counts more."""

    kind: Literal["gained", "lost", "changed"]
    mark: Mark
    credit: float


class LedgerLine(NamedTuple):
    """A step whose share is still to be found.

    `amounts` are what it makes up of statistics in A and in B, `marks` those that explain the change. `before` and
    `after` are what is shown of it. `words` are how many words count, in A and in B, where that is a statistic's part.
    `place` orders the lines of a cause, for A and B as for B and A.
    """

    cause: str
    name: str
    amounts: Mapping[str, tuple[float, float]]
    before: float
    after: float
    marks: tuple[Moved, ...] = ()
    words: tuple[float, float] = (0.0, 0.0)
    place: tuple[int, ...] = ()

    def changes(self) -> bool:
        """Whether an amount changes, or marks change places."""
        return bool(self.marks) or any(before != after for before, after in self.amounts.values())


#: Lines that only change together.
Item = tuple[LedgerLine, ...]


def changed(items: Sequence[Item], most: int) -> list[Item]:
    """The items that change, without their lines that do not, at most `most` of them: the last are taken together.

    First the ones of the statistic and cause with the most of them, such as the words of rounds, or their gaps; then
    statistics, such as orders of n-grams.
    """
    out = [changed_lines for item in items if (changed_lines := tuple([line for line in item if line.changes()]))]
    while len(out) > most:
        single = [item for item in out if len(item) == 1 and item[0].marks]
        kinds = [(item[0].cause, *item[0].amounts) for item in single]
        (most_kind, number), *_ = Counter(kinds).most_common(1)
        first, second = [item for item, kind in zip(single, kinds, strict=True) if number == 1 or kind == most_kind][
            -2:
        ]
        out = [(_merged(*first, *second),) if item is first else item for item in out if item is not second]
    return out


def _merged(first: LedgerLine, second: LedgerLine) -> LedgerLine:
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
    return first[0] + second[0], first[1] + second[1]


#: The parts of a share: what each value of the composition has of it.
Parts = tuple[float, ...]


def composition_of(metric: Metric) -> Composition:
    """A metric's composition; where it has none, its score is the one value."""
    return metric.composition or Composition(
        lambda stats, settings: {"score": metric.from_stats(stats, settings).score}, lambda values, _: values["score"]
    )


class Game:
    """The scores of all mixtures of A's and B's statistics: the items of a set, given as bits, are B's."""

    def __init__(self, metric: Metric, a: Result, b: Result, items: Sequence[Item], most: int = MOST_CHANGES) -> None:
        self.metric, self.a, self.b = metric, a, b
        self._composition = composition_of(metric)
        self.items = changed(items, most)
        # Statistics are added up from their parts: the difference of two large sums would round a small one away.
        lines = [*chain.from_iterable(items)]
        fixed = dict(a.stats) | dict.fromkeys(chain.from_iterable([line.amounts for line in lines]), 0.0)
        words = dict.fromkeys([name for line in lines if any(line.words) for name in line.amounts], 0.0)
        for line in lines:
            if not line.changes():
                for name, (amount, _) in line.amounts.items():
                    fixed[name] += amount
                    if any(line.words):
                        words[name] += line.words[0]
        # For each statistic its amounts in all mixtures; each item doubles their number.
        self._stats = {name: [amount] for name, amount in fixed.items()}
        self._words = {name: [amount] for name, amount in words.items()}
        for item in self.items:
            self._double(self._stats, [each for line in item for each in line.amounts.items()])
            self._double(self._words, [(name, line.words) for line in item for name in line.amounts if name in words])
        # A run of GTM that is cut to part of a word may count less than the rounding of its words and the rest.
        for at, result in ((0, a), (-1, b)):
            for name, sums in self._stats.items():
                exact = result.stats.get(name, 0.0)
                if math.isclose(sums[at], exact, rel_tol=1e-9, abs_tol=1e-9):
                    sums[at] = exact
        self.full = (1 << len(self.items)) - 1
        self._mixed = [self._values(chosen) for chosen in range(self.full + 1)]
        self.names = tuple(self._mixed[0])
        self.values: list[float] = [self._composition.score(values, a.settings) for values in self._mixed]
        # Where a statistic that counts is missing among the items, the shares would explain another difference.
        for result, value in ((a, self.values[0]), (b, self.values[-1])):
            assert math.isclose(value, result.score, rel_tol=1e-9, abs_tol=1e-9), (result.metric, value, result.score)

    @staticmethod
    def _double(amounts: dict[str, list[float]], more: Sequence[tuple[str, tuple[float, float]]]) -> None:
        touched = dict(more)
        for name, sums in amounts.items():
            before, after = touched.get(name, (0.0, 0.0))
            if before or after:
                amounts[name] = [amount + before for amount in sums] + [amount + after for amount in sums]
            else:
                sums += sums

    def value(self, chosen: int, line: LedgerLine, more: float) -> float:
        """The score of a mixture, in which a line has `more` credit."""
        score: float = self._composition.score(self._values(chosen, line, more), self.a.settings)
        return score

    def _values(self, chosen: int, line: LedgerLine | None = None, more: float = 0.0) -> Mapping[str, float]:
        """The values of a mixture of which the score is made."""
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

    def ends(self) -> dict[str, tuple[float, float]]:
        """Each value of the composition in A and in B."""
        return {name: (self._mixed[0][name], self._mixed[-1][name]) for name in self.names}

    def shapley(self) -> list[Parts]:
        """Each item's share: what it adds to a mixture, in the mean over all orders of the items, value by value."""
        count = len(self.items)
        sizes = weights(count)
        parts = []
        for name in self.names:
            worth = self._worth(name)
            adds = [worth[values[name]] for values in self._mixed]
            parts.append(
                [
                    math.fsum(
                        [
                            sizes[chosen.bit_count()] * (adds[chosen | 1 << n] - adds[chosen])
                            for chosen in range(self.full + 1)
                            if not chosen >> n & 1
                        ]
                    )
                    for n in range(count)
                ]
            )
        return [*zip(*parts, strict=True)]

    def _worth(self, name: str) -> dict[float, float]:
        """What the score is for each of a value's amounts, in the mean over the orders in which the others change."""
        ends = self._mixed[0], self._mixed[-1]
        amounts = {values[name] for values in self._mixed}
        spend(len(amounts) << len(ends[0]))
        return {amount: _mean_score(self._composition, name, amount, *ends, self.a.settings) for amount in amounts}

    def shares(self) -> list[tuple[LedgerLine, Parts]]:
        """The lines of all items with their shares, in no order."""
        out: list[tuple[LedgerLine, Parts]] = []
        for item, share in zip(self.items, self.shapley(), strict=True):
            out += zip(item, self._split(item, share), strict=True)
        return out

    def _split(self, item: Item, share: Parts) -> list[Parts]:
        """The share of lines that change together: what each change adds by itself; what is left in proportion."""
        if len(item) == 1:
            return [share]
        whole = math.fsum(share)
        worth = [self._rate(line) * (line.after - line.before) for line in item]
        remainder, gross = whole - math.fsum(worth), math.fsum(map(abs, worth))
        each = [amount + (remainder * abs(amount) / gross if gross else 0.0) for amount in worth]
        return [scaled(share, whole, amount) for amount in each]

    def _rate(self, line: LedgerLine) -> float:
        """What one more of a line adds to A's score and to B's, in the mean."""
        adds = []
        for result in (self.a, self.b):
            more = dict(result.stats)
            for name in line.amounts:
                more[name] += 1
            adds.append(self.metric.from_stats(more, result.settings).score - result.score)
        return sum(adds) / 2

    def slope(self, line: LedgerLine, amount: float) -> float:
        """What a credit of a line is worth where its gained and lost credits cancel: what A and B would lose without
        `amount` of it, in the mean."""
        less = -amount if line.before + line.after >= 0 else amount
        adds: list[float] = [self.value(chosen, line, less) - self.values[chosen] for chosen in (0, self.full)]
        return sum(adds) / 2 / less


def of_values(
    composition: Composition, before: Mapping[str, float], after: Mapping[str, float], settings: Any
) -> list[float]:
    """What each value adds to the score on the way from some to others, in the mean over all orders of the values."""
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
    """The score with an amount of one value, in the mean over the orders in which the others change."""
    others = [other for other in before if other != name]
    sizes = weights(len(before))
    return math.fsum(
        [
            sizes[size] * composition.score({**before, **{each: after[each] for each in moved}, name: amount}, settings)
            for size in range(len(others) + 1)
            for moved in combinations(others, size)
        ]
    )


def weights(count: int) -> list[float]:
    """By the number of players before one of so many: in which part of all orders just they come before it."""
    return [math.factorial(s) * math.factorial(count - s - 1) / math.factorial(count) for s in range(count)]


def scaled(parts: Parts, whole: float, share: float) -> Parts:
    """The parts of a share that is another one than their sum, in proportion; all in the first where that is 0.

    >>> scaled((0.25, 0.5), 0.75, 0.375), scaled((0.0, 0.0), 0.0, 0.5)
    ((0.125, 0.25), (0.5, 0.0))
    """
    if abs(whole) <= NOTHING:
        return (share, *[0.0] * (len(parts) - 1))
    return tuple([part * share / whole for part in parts])


def kept_possible(shares: Sequence[float], before: float, after: float, most: float) -> list[float]:
    """The shares, in their order, so that the running score stays between 0 and `most` on the way to B and back.

    The way back takes the same steps in the same order with the other sign, so a running score r on the way there is
    before + after − r on the way back. What would lead beyond the possible is no part of the difference: a share is cut
    by it, and the next one that leads back is cut by as much. They still sum to the difference.

    >>> kept_possible([-0.75, 0.5], 0.5, 0.25, 1.0)
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
