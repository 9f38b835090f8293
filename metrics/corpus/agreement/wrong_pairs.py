"""Finds pairs of outputs of a segment that a metric ranks against people, and the words that explain each.

It computes the edits from the output that people prefer to the output that the metric prefers, and the share of each
edit in the metric's difference (`analysis.edit_shares`). An edit that the metric rewards although it adds words that
people marked as wrong shows an error that the metric missed."""

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

#: Shares of at most this size are rounding.
EQUAL = 1e-9


class WrongPair(NamedTuple):
    """Two outputs of a segment that a metric ranks in the order opposite to people's.

    Attributes:
        segment: index of the segment.
        better: index of the system whose output people prefer.
        worse: index of the system whose output the metric prefers.
        people: difference of the human scores, above 0.
        metric: difference of the metric scores, above 0.
        size: the smaller of both differences, in standard deviations of the human and of the metric scores."""

    segment: int
    better: int
    worse: int
    people: float
    metric: float
    size: float


class WrongPairs(NamedTuple):
    """The pairs of outputs of a segment that a metric ranks against people, and counts of the other pairs.

    Pairs that people tie are not counted at all.

    Attributes:
        pairs: the pairs ranked against people, largest first.
        right: number of pairs that the metric ranks as people do.
        tied: number of pairs that the metric ties and people do not."""

    pairs: tuple[WrongPair, ...]
    right: int
    tied: int


def find_wrong_pairs(people: Array, metric: Array) -> WrongPairs:
    """Return the pairs of systems within segments that a metric ranks against people.

    Both arrays are systems × segments, higher is better, NaN where there is no value. Pairs of equal size are ordered
    by segment.

    >>> found = find_wrong_pairs(np.array([[0.0, 0.0], [-5.0, -1.0]]), np.array([[0.2, 0.6], [0.4, 0.5]]))
    >>> found.pairs[0][:3], round(found.pairs[0].people, 6), round(found.pairs[0].metric, 6), found.right
    ((0, 0, 1), 5.0, 0.2, 1)
    """
    x, y, valid = correlation.system_differences(people, metric)
    y = np.where(np.abs(y) > correlation.rounding_margin(metric), y, 0.0)
    sizes = np.minimum(np.abs(x) / _deviation(people, metric), np.abs(y) / _deviation(metric, people))
    pair, segment = np.nonzero(valid & (x * y < 0))
    order = np.lexsort((pair, segment, -sizes[pair, segment]))
    one, other = np.triu_indices(len(people), 1)
    pairs = []
    for p, s in zip(pair[order].tolist(), segment[order].tolist(), strict=True):
        better, worse = int(one[p]), int(other[p])
        if x[p, s] < 0:
            better, worse = worse, better
        pairs.append(WrongPair(s, better, worse, abs(float(x[p, s])), abs(float(y[p, s])), float(sizes[p, s])))
    right = int((valid & (x * y > 0)).sum())
    return WrongPairs(tuple(pairs), right, int((valid & (x != 0) & (y == 0)).sum()))


def _deviation(values: Array, other: Array) -> float:
    """Return the standard deviation of `values` where both arrays have a value; 1 where they are all equal."""
    shared_values = values[~(np.isnan(values) | np.isnan(other))]
    return float(shared_values.std()) or 1.0 if len(shared_values) else 1.0


class RewardedEdit(NamedTuple):
    """An edit from the better output of a pair to the worse one that raises the metric's opinion of it.

    Attributes:
        start: position of the first word of the better output that is replaced.
        end: position after the last replaced word.
        at: position of the first new word, in the worse output.
        at_end: position after the last new word.
        share: what the edit is worth to the metric, above 0.
        marked: positions of the new words that people marked as errors."""

    start: int
    end: int
    at: int
    at_end: int
    share: float
    marked: tuple[int, ...]


class ExplainedPair(NamedTuple):
    """A pair that a metric ranks against people, with the edits that explain why it prefers the worse output.

    Attributes:
        pair: the pair.
        earned: the edits that the metric rewards, largest share first.
        lost: sum of the shares of all other edits, 0 or below.
        marked_better: positions of the words that people marked as errors in the better output.
        marked_worse: positions of the words that people marked as errors in the worse output.
        words: number of words of the worse output."""

    pair: WrongPair
    earned: tuple[RewardedEdit, ...]
    lost: float
    marked_better: tuple[int, ...]
    marked_worse: tuple[int, ...]
    words: int

    @property
    def earns_marked_credit(self) -> bool:
        """Return whether the metric rewards an edit of this pair that adds a word that people marked as an error."""
        return any(each.marked for each in self.earned)

    @property
    def chance(self) -> float:
        """Return the probability that `earns_marked_credit` is true by chance.

        It is the share of cyclic shifts of the marked positions for which it is true; 0 for an output without words."""
        new = {i for each in self.earned for i in range(each.at, each.at_end)}
        turned = range(self.words)
        hits = [any((i + by) % self.words in new for i in self.marked_worse) for by in turned]
        return sum(hits) / len(hits) if hits else 0.0


def explain_pair(
    metric: Metric,
    settings: Settings,
    pair: WrongPair,
    outputs: tuple[Sequence[Token], Sequence[Token]],
    references: Sequence[Tokens],
    marked: tuple[frozenset[int], frozenset[int]],
    most_edits: int = MOST_EACH,
) -> ExplainedPair:
    """Return the edits that explain why a metric prefers the output of `pair` that people find worse.

    `outputs` and `marked` have the better output first; `marked` are the positions of the words that people marked as
    errors. For more than `most_edits` edits only some orders of the edits are evaluated. Raises TooHard if the
    computation is too large.

    >>> from metrics import METRICS, settings
    >>> from metrics.text.processing import process
    >>> better, worse = process("a cat sat here"), process("the cat ate there")
    >>> found = explain_pair(
    ...     METRICS["rouge_l"], settings("rouge_l"), WrongPair(0, 0, 1, 5.0, 0.2, 1.0), (better, worse),
    ...     [tuple("the cat was there".split())], (frozenset(), frozenset({3})),
    ... )
    >>> [(each.start, each.at, round(each.share, 2), each.marked) for each in found.earned], found.earns_marked_credit
    ([(0, 0, 0.25, ()), (3, 3, 0.25, (3,))], True)
    """
    better, worse = (forms(tokens) for tokens in outputs)
    earned, lost = [], 0.0
    for edit in edit_shares(metric, Segment(better, tuple(references)), worse, settings, most_edits):
        share = metric.sign * edit.share
        if share > EQUAL:
            earned.append(_rewarded_edit(edit, share, marked[1]))
        else:
            lost += min(share, 0.0)
    earned.sort(key=lambda each: (-each.share, each.at))
    return ExplainedPair(pair, tuple(earned), lost, tuple(sorted(marked[0])), tuple(sorted(marked[1])), len(worse))


def _rewarded_edit(edit: EditShare, share: float, marked: frozenset[int]) -> RewardedEdit:
    """Return the record of an edit that the metric rewards by `share`; `marked` are the marked positions."""
    end = edit.at + len(edit.words)
    return RewardedEdit(
        edit.start, edit.end, edit.at, end, share, tuple([i for i in range(edit.at, end) if i in marked])
    )


class PairRequest(NamedTuple):
    """A request to explain a pair that a metric ranks against people, with the texts that this needs.

    Attributes:
        pair: the pair.
        lines: lines of both outputs, the better first.
        references: words of each reference.
        spans: the spans that people marked as errors in each output, the better first."""

    pair: WrongPair
    lines: tuple[str, str]
    references: tuple[Tokens, ...]
    spans: tuple[tuple[ErrorSpan, ...], tuple[ErrorSpan, ...]] = ((), ())


def explain_pairs(
    metric: Metric, settings: Settings, text: TextSettings, requests: Sequence[PairRequest]
) -> list[ExplainedPair]:
    """Return for each requested pair the edits that explain why a metric prefers the worse output.

    Pairs that are too hard to compute are left out."""
    out = []
    for each in requests:
        better, worse = (process(line, text) for line in each.lines)
        marked = marked_words(better, each.spans[0]), marked_words(worse, each.spans[1])
        with suppress(TooHard):
            out.append(explain_pair(metric, settings, each.pair, (better, worse), each.references, marked))
    return out


class MarkedCredit(NamedTuple):
    """The share of the pairs ranked against people in which a metric credits a word that people marked as an error.

    Attributes:
        pairs: number of pairs that the metric ranks against people.
        explained: number of pairs that were explained.
        earning: number of explained pairs in which a marked word earns credit.
        chance: the number expected if the marked words were at any other position, by cyclic shifts.
        drawn: whether the explained pairs were drawn at random; if not, they are the largest."""

    pairs: int
    explained: int
    earning: int
    chance: float
    drawn: bool = False

    def says(self, label: str) -> str:
        """Return this count as a sentence about the metric called `label`.

        >>> MarkedCredit(412, 412, 251, 230.0).says("BLEU")
        'In 61 % of 412 pairs that BLEU ranks against people, a marked word earns credit (by chance 56 %).'
        >>> MarkedCredit(412, 100, 50, 50.0).says("BLEU")[:59]
        'In 50 % of the 100 largest of 412 pairs that BLEU ranks aga'
        >>> MarkedCredit(9776, 1000, 500, 400.0, drawn=True).says("BLEU")[:54]
        'In 50 % of a random 1,000 of all 9,776 pairs that BLEU'
        """
        if not self.explained:
            return f"No pair that {label} ranks against people has been examined."
        sample_text = f"a random {self.explained:,} of all " if self.drawn else f"the {self.explained:,} largest of "
        sample_text = "" if self.explained == self.pairs else sample_text
        part, chance = (f"{100 * many / self.explained:.0f} %" for many in (self.earning, self.chance))
        pairs = f"{sample_text}{self.pairs:,} pairs that {label} ranks against people"
        return f"In {part} of {pairs}, a marked word earns credit (by chance {chance})."


def marked_credit(misranked: WrongPairs, explained: Sequence[ExplainedPair], drawn: bool = False) -> MarkedCredit:
    """Return how often a word that people marked as an error earns credit in the explained pairs.

    `drawn` says that the pairs were drawn at random; if not, they are the largest."""
    earning = sum([1 for each in explained if each.earns_marked_credit])
    return MarkedCredit(
        len(misranked.pairs), len(explained), earning, math.fsum([each.chance for each in explained]), drawn
    )


def random_pairs(misranked: WrongPairs, most: int, seed: int = SEED) -> list[WrongPair]:
    """Return at most `most` of the wrong pairs, drawn at random without replacement, in drawing order.

    The same seed gives the same pairs.

    >>> pairs = tuple([WrongPair(n, 0, 1, 1.0, 1.0, 1.0) for n in range(9)])
    >>> some = random_pairs(WrongPairs(pairs, 0, 0), 4)
    >>> len({*some}), {*some} <= {*pairs}, some == random_pairs(WrongPairs(pairs, 0, 0), 4)
    (4, True, True)
    >>> random_pairs(WrongPairs((), 0, 0), 4)
    []
    """
    order = np.random.default_rng(seed).permutation(len(misranked.pairs))
    return [misranked.pairs[n] for n in order[:most]]
