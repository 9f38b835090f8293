"""Where a metric is wrong: pairs of outputs of a segment that it ranks against people, and the words that made it so.

From the output that people prefer to the one that the metric prefers the edits are found, and what each is worth to
the metric (`analysis.edit_shares`). An edit that the metric rewards and that brings in words which people marked as
wrong says what it did not see.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from ...analysis.edit_shares import MOST_EACH, EditShare, edit_shares
from ...text import TextSettings, process
from ...text.judgements import ErrorSpan
from ...text.processing import Token, forms
from ...types import Metric, Segment, Settings, Tokens, TooHard
from ..resampling import SEED
from ..table import Array
from . import correlation
from .marked_reasons import marked_words

#: Shares that are smaller are rounding.
EQUAL = 1e-9


class Wrong(NamedTuple):
    """A pair of outputs, by their systems, of a segment: people prefer `better`, by `people`, and the metric the other,
    by `metric`, both above 0. `size` is the smaller of both differences in standard deviations of people's and of the
    metric's scores."""

    segment: int
    better: int
    worse: int
    people: float
    metric: float
    size: float


class WrongPairs(NamedTuple):
    """The pairs that a metric ranks against people, largest first; how many it ranks as they do, and how many it ties
    that they do not. Pairs that people tie are in none of these."""

    pairs: tuple[Wrong, ...]
    right: int
    tied: int


def find_wrong_pairs(people: Array, metric: Array) -> WrongPairs:
    """The pairs of systems within a segment that a metric ranks against people; both are systems × segments, higher is
    better, NaN where there is no value. Of pairs as large as each other those of the first segment come first.

    >>> found = find_wrong_pairs(np.array([[0.0, 0.0], [-5.0, -1.0]]), np.array([[0.2, 0.6], [0.4, 0.5]]))
    >>> found.pairs[0][:3], round(found.pairs[0].people, 6), round(found.pairs[0].metric, 6), found.right
    ((0, 0, 1), 5.0, 0.2, 1)
    """
    x, y, valid = correlation.differences(people, metric)
    y = np.where(np.abs(y) > correlation.rounding(metric), y, 0.0)
    sizes = np.minimum(np.abs(x) / _deviation(people, metric), np.abs(y) / _deviation(metric, people))
    pair, segment = np.nonzero(valid & (x * y < 0))
    order = np.lexsort((pair, segment, -sizes[pair, segment]))
    one, other = np.triu_indices(len(people), 1)
    pairs = []
    for p, s in zip(pair[order].tolist(), segment[order].tolist(), strict=True):
        better, worse = int(one[p]), int(other[p])
        if x[p, s] < 0:
            better, worse = worse, better
        pairs.append(Wrong(s, better, worse, abs(float(x[p, s])), abs(float(y[p, s])), float(sizes[p, s])))
    right = int((valid & (x * y > 0)).sum())
    return WrongPairs(tuple(pairs), right, int((valid & (x != 0) & (y == 0)).sum()))


def _deviation(values: Array, other: Array) -> float:
    """The standard deviation of values where both have some, 1 where they are all the same."""
    shared_values = values[~(np.isnan(values) | np.isnan(other))]
    return float(shared_values.std()) or 1.0 if len(shared_values) else 1.0


class Earned(NamedTuple):
    """An edit from the better output to the worse that the metric rewards, by `share` above 0: words `start` to `end`
    of the better one, half-open, became words `at` to `at_end` of the worse. `marked` are those of the new words that
    people marked."""

    start: int
    end: int
    at: int
    at_end: int
    share: float
    marked: tuple[int, ...]


class ExplainedPair(NamedTuple):
    """Why a metric prefers the worse output: the edits that it rewards, the largest share first, what all others take
    from that (`lost`, 0 or below), and the words that people marked of either output; the worse has so many `words`."""

    pair: Wrong
    earned: tuple[Earned, ...]
    lost: float
    marked_better: tuple[int, ...]
    marked_worse: tuple[int, ...]
    words: int

    @property
    def earns(self) -> bool:
        """Whether a marked word earns credit: whether an edit that is rewarded brings one in."""
        return any(each.marked for each in self.earned)

    @property
    def chance(self) -> float:
        """How often one would earn credit, were the marked words turned round within the output to any place."""
        new = {i for each in self.earned for i in range(each.at, each.at_end)}
        turned = range(self.words)
        hits = [any((i + by) % self.words in new for i in self.marked_worse) for by in turned]
        return sum(hits) / len(hits) if hits else 0.0


def explained(
    metric: Metric,
    settings: Settings,
    pair: Wrong,
    outputs: tuple[Sequence[Token], Sequence[Token]],
    references: Sequence[Tokens],
    marked: tuple[frozenset[int], frozenset[int]],
    most: int = MOST_EACH,
) -> ExplainedPair:
    """Why a metric prefers the worse of two outputs: the better and the worse one, with the places of the words that
    people marked in either (`marked.marked_words`). Of more than `most` edits some orders count, see
    `analysis.edit_shares`. Raises TooHard where the work is too much.

    >>> from metrics import METRICS, settings
    >>> from metrics.text.processing import process
    >>> better, worse = process("a cat sat here"), process("the cat ate there")
    >>> found = explained(
    ...     METRICS["rouge_l"], settings("rouge_l"), Wrong(0, 0, 1, 5.0, 0.2, 1.0), (better, worse),
    ...     [tuple("the cat was there".split())], (frozenset(), frozenset({3})),
    ... )
    >>> [(each.start, each.at, round(each.share, 2), each.marked) for each in found.earned], found.earns
    ([(0, 0, 0.25, ()), (3, 3, 0.25, (3,))], True)
    """
    better, worse = (forms(tokens) for tokens in outputs)
    sign = 1.0 if metric.higher_is_better else -1.0
    earned, lost = [], 0.0
    for edit in edit_shares(metric, Segment(better, tuple(references)), worse, settings, most):
        share = sign * edit.share
        if share > EQUAL:
            earned.append(_earned(edit, share, marked[1]))
        else:
            lost += min(share, 0.0)
    earned.sort(key=lambda each: (-each.share, each.at))
    return ExplainedPair(pair, tuple(earned), lost, tuple(sorted(marked[0])), tuple(sorted(marked[1])), len(worse))


def _earned(edit: EditShare, share: float, marked: frozenset[int]) -> Earned:
    end = edit.at + len(edit.words)
    return Earned(edit.start, edit.end, edit.at, end, share, tuple([i for i in range(edit.at, end) if i in marked]))


class PairRequest(NamedTuple):
    """A pair that is to be explained: the lines of both outputs, the better first, the words of the references, and
    what people marked in either."""

    pair: Wrong
    lines: tuple[str, str]
    references: tuple[Tokens, ...]
    spans: tuple[tuple[ErrorSpan, ...], tuple[ErrorSpan, ...]] = ((), ())


def explain(
    metric: Metric, settings: Settings, text: TextSettings, requests: Sequence[PairRequest]
) -> list[ExplainedPair]:
    """Why a metric prefers the worse output of each pair; those are left out of which the work is too much."""
    out = []
    for each in requests:
        better, worse = (process(line, text) for line in each.lines)
        marked = marked_words(better, each.spans[0]), marked_words(worse, each.spans[1])
        with suppress(TooHard):
            out.append(explained(metric, settings, each.pair, (better, worse), each.references, marked))
    return out


class Credit(NamedTuple):
    """Of pairs that a metric ranks against people, how many there are, how many were explained, the largest first or,
    where they are `drawn`, by lot, and in how many of these a marked word earns credit; `chance` is in how many one
    would if the marked words stood at any other place of the output, the mean over turning them round."""

    pairs: int
    explained: int
    earning: int
    chance: float
    drawn: bool = False

    def says(self, label: str) -> str:
        """That as a sentence.

        >>> Credit(412, 412, 251, 230.0).says("BLEU")
        'Of 412 pairs that BLEU ranks against people, in 61 % a marked word earns credit (by chance 56 %).'
        >>> Credit(412, 100, 50, 50.0).says("BLEU")[:59]
        'Of the 100 largest of 412 pairs that BLEU ranks against peo'
        >>> Credit(9776, 1000, 500, 400.0, drawn=True).says("BLEU")[:54]
        'Of a random 1,000 of all 9,776 pairs that BLEU ranks a'
        """
        if not self.explained:
            return f"No pair that {label} ranks against people has been looked at."
        sample_text = f"a random {self.explained:,} of all " if self.drawn else f"the {self.explained:,} largest of "
        sample_text = "" if self.explained == self.pairs else sample_text
        part, chance = (f"{100 * many / self.explained:.0f} %" for many in (self.earning, self.chance))
        pairs = f"{sample_text}{self.pairs:,} pairs that {label} ranks against people"
        return f"Of {pairs}, in {part} a marked word earns credit (by chance {chance})."


def credit(misranked: WrongPairs, explained: Sequence[ExplainedPair], drawn: bool = False) -> Credit:
    """How often a marked word earns credit among the pairs that were explained, the largest or those `drawn` by lot."""
    earning = sum([1 for each in explained if each.earns])
    return Credit(len(misranked.pairs), len(explained), earning, math.fsum([each.chance for each in explained]), drawn)


def random_pairs(misranked: WrongPairs, most: int, seed: int = SEED) -> list[Wrong]:
    """At most so many of the pairs that a metric ranks against people, drawn by lot from all, in the order in which
    they were drawn; the same ones always.

    >>> pairs = tuple([Wrong(n, 0, 1, 1.0, 1.0, 1.0) for n in range(9)])
    >>> some = random_pairs(WrongPairs(pairs, 0, 0), 4)
    >>> len({*some}), {*some} <= {*pairs}, some == random_pairs(WrongPairs(pairs, 0, 0), 4)
    (4, True, True)
    >>> random_pairs(WrongPairs((), 0, 0), 4)
    []
    """
    order = np.random.default_rng(seed).permutation(len(misranked.pairs))
    return [misranked.pairs[n] for n in order[:most]]
