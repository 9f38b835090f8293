"""The ledger of two systems: why the corpus score of B differs from that of A, by cause and by segment.

The causes are words matched, longer runs, order, edits and lengths. Their shares, and the worths of the segments, each
sum to the difference of the scores. They are computed in three steps.

First, in each segment the causes are the players of a game. A set of causes is valued not by the score but by all
statistics of the mixture in which these causes are as in B, after `Metric.complete`. The effect of a cause on the
statistics is its Shapley value in this game. So the effects of the causes sum to the change of every statistic, and can
be summed over segments.

Second, over the corpus the same causes are the players of a game for the score of the summed statistics; the share of a
cause is its Shapley value. Where a metric averages segments, the share of a cause is instead the mean of its shares in
the ledgers of the sentences (`analysis.changes`), in which all lengths are included.

Third, the worth of a segment is the sum, over the statistics, of the price of a statistic times its change in the
segment. A price is the slope of the score by the statistic, averaged along the straight line from A's sums to B's
(Aumann and Shapley 1974). The Shapley value of the segments tends to this where there are many of them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..analysis import causes, changes
from ..analysis.shares import LedgerLine, composition_of, shapley_weights
from ..types import Metric, Result, Segment, Settings, TooHard
from .resampling import RESAMPLES, ROUNDING, interval, resample_sums
from .table import Array, StatisticsTable
from .table import score_table as table_of


class LedgerStep(NamedTuple):
    """A cause of the difference between two systems' corpus scores, with its share of the difference.

    Attributes:
        cause: one of `analysis.changes.CAUSES`.
        name: what distinguishes several steps of the same cause, such as "2-grams"; "" if there is only one.
        share: what the cause contributes to the difference.
        low: the lower end of the 95 % interval of the share.
        high: the upper end of the 95 % interval of the share.
        change: how much more B has than A of what the cause counts; 0 for a value that follows from lengths alone.
    """

    cause: str
    name: str
    share: float
    low: float
    high: float
    change: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class CorpusLedger:
    """The difference of the corpus scores of systems A and B, divided among causes and among segments.

    Attributes:
        metric: the key of the metric.
        settings: its settings.
        scores: the scores of A and B.
        delta: B's score less A's.
        steps: the causes, the largest first; their shares sum to `delta`.
        worth: what each segment contributes; the numbers sum to `delta`.
        parts: for each cause, the part of each segment's worth that the cause makes; the part of values that follow
            from lengths alone counts with the lengths.
        edits: for each kind of edit, how many more B has than A; empty for a metric that does not sum edits.
        low: the lower end of the 95 % interval of `delta`.
        high: the upper end of the 95 % interval of `delta`.
    """

    metric: str
    settings: Settings
    scores: tuple[float, float]
    delta: float
    steps: tuple[LedgerStep, ...]
    worth: tuple[float, ...]
    parts: Mapping[str, Array]
    edits: Mapping[str, float]
    low: float
    high: float

    @property
    def is_beyond_chance(self) -> bool:
        """Return whether the difference of this ledger is more than chance: its 95 % interval does not contain 0."""
        return not self.is_single and (self.low > 0 or self.high < 0)

    @property
    def is_single(self) -> bool:
        """Return whether this ledger has only one segment and therefore no intervals."""
        return len(self.worth) == 1 and self.low == self.high

    @property
    def swapped(self) -> CorpusLedger:
        """Return this ledger with A and B swapped: the difference of A's score less B's."""
        steps = [
            step._replace(share=-step.share, low=-step.high, high=-step.low, change=-step.change) for step in self.steps
        ]
        return replace(
            self,
            scores=(self.scores[1], self.scores[0]),
            delta=-self.delta,
            steps=tuple(steps),
            worth=tuple([-worth for worth in self.worth]),
            parts={cause: -part for cause, part in self.parts.items()},
            edits={kind: -more for kind, more in self.edits.items()},
            low=-self.high,
            high=-self.low,
        )


def corpus_ledger(
    metric: Metric, settings: Settings, a: Sequence[Segment], b: Sequence[Segment], table: StatisticsTable | None = None
) -> CorpusLedger:
    """Return the ledger from system A to system B by a metric.

    `a` and `b` are the segments with the outputs of A and B, at least one and with the same references. `table` is the
    statistics table of the two systems; without it the segments are scored. Raises ValueError if the segments or their
    references differ, and what scoring raises.
    """
    if not a or len(a) != len(b):
        raise ValueError(f"two systems need the same segments, at least one; got {len(a)} and {len(b)}")
    for number, (ours, theirs) in enumerate(zip(a, b, strict=True), 1):
        if ours.references != theirs.references:
            raise ValueError(f"segment {number}: both systems need the same references, got others")
    if metric.pooling == "mean":
        return _ledger_of_means(metric, settings, a, b)
    table = table or table_of(metric, settings, [a, b])
    if metric.corpus:
        return ledger_from_roles(table)
    of_cause: dict[Player, Array] = {}
    more: dict[Player, float] = defaultdict(float)
    nouns = _noun_by_statistic(metric, settings, table.names)
    for number, (ours, theirs) in enumerate(zip(a, b, strict=True)):
        if ours.candidate != theirs.candidate:
            with _naming_segment_in_errors(number):
                results = metric.score(ours, settings), metric.score(theirs, settings)
                moves = _effects_of_causes(metric, *results, table.names, nouns)
            for player, (moved, change) in moves.items():
                of_cause.setdefault(player, np.zeros((len(a), len(table.names))))[number] = moved
                more[player] += change
    return _ledger_of_sums(table, of_cause, more)


@contextmanager
def _naming_segment_in_errors(number: int) -> Iterator[None]:
    """Add "segment N" to the message of a TooHard raised within this context, where N is the index `number` plus 1."""
    try:
        yield
    except TooHard as error:
        raise TooHard(f"segment {number + 1}: {error}") from None


def ledger_from_roles(table: StatisticsTable) -> CorpusLedger:
    """Return the ledger of a table's two systems from the roles of the statistics (`Metric.role`), without the texts.

    So the number of matches and their order or contiguity are separate causes only if they are separate statistics.
    Raises ValueError for a metric that averages segments.
    """
    if table.metric.pooling == "mean":
        raise ValueError(f"{table.metric.key} averages segments: its scores alone say nothing of causes")
    of_cause: dict[Player, Array] = {}
    more: dict[Player, float] = {}
    difference = table.statistics[1] - table.statistics[0]
    nouns = _noun_by_statistic(table.metric, table.settings, table.names)
    roles = {name: table.metric.role(name) for name in table.names}
    for n, (name, role) in enumerate(roles.items()):
        source = role.of or name  # a statistic that follows from another one has the cause of that one
        cause = _CAUSES.get(roles[source].kind)
        if cause and difference[:, n].any():
            player = cause, nouns.get(source, "")
            of_cause.setdefault(player, np.zeros_like(difference))[:, n] = difference[:, n]
            if not role.of:
                summed = float(difference[:, n].sum())
                # Of several lengths, the first one is that of the output.
                more[player] = more.get(player, 0.0) + summed if cause == "edits" else more.get(player, summed)
    return _ledger_of_sums(table, of_cause, more)


# ---------------------------------------------------------------- causes

#: A cause and the name of its statistic, "" if the cause has only one.
Player = tuple[str, str]

_CAUSES: Mapping[str, str] = {
    "match": "matches",
    "order": "order",
    "contiguity": "contiguity",
    "edit": "edits",
    "candidate length": "length",
    "reference length": "references",
}


def _noun_by_statistic(metric: Metric, settings: Settings, names: Sequence[str]) -> dict[str, str]:
    """Return what each statistic that counts matches is called, such as "2-grams"; empty if the metric has only one.

    `names` are the names of the metric's statistics.
    """
    counted = [name for name in names if metric.role(name).kind == "match"]
    if len(counted) < 2:
        return {}
    words = tuple("abcdefghij")  # enough words for every order
    layers = metric.score(Segment(words, (words,)), settings).layers
    nouns = {name: layer.kind for layer in layers for name in layer.statistics}
    return {name: nouns.get(name, name) for name in counted}


def _effects_of_causes(
    metric: Metric, a: Result, b: Result, names: Sequence[str], nouns: Mapping[str, str]
) -> dict[Player, tuple[Array, float]]:
    """Return, for each cause of the change from result `a` to result `b`, its effect on the statistics and its amount.

    The effect is an array in the order of `names`, the metric's statistics; the effects of all causes sum to the change
    of the statistics. The amount is how much more B has of what the cause counts. `nouns` names the statistics of a
    cause that has several.
    """
    before, after = ([float(r.stats.get(name, 0.0)) for name in names] for r in (a, b))
    groups: dict[Player, list[LedgerLine]] = defaultdict(list)
    for line in chain.from_iterable(changes.ledger_items(metric, a, b)):
        if line.changes():
            line_nouns = [nouns[name] for name in line.amounts if name in nouns]
            groups[(line.cause, line_nouns[0] if line_nouns else "")].append(line)
    players = [*groups]
    more = [math.fsum([line.after - line.before for line in groups[player]]) for player in players] or [0.0]
    if len(players) < 2:
        only = players[0] if players else ("length", "")
        return {only: (np.subtract(after, before), more[0])} if before != after else {}
    lines = [groups[player] for player in players]
    full = (1 << len(players)) - 1
    values = np.empty((full + 1, len(names)))
    values[0], values[full] = before, after
    base = dict.fromkeys(names, 0.0) | dict(a.stats)
    for mask in range(1, full):
        stats, words = dict(base), dict[str, float]()
        for n, each in enumerate(lines):
            included = mask >> n & 1
            for line in each:
                for name, (was, now) in line.amounts.items():
                    if included:
                        stats[name] += now - was
                    if any(line.words):
                        words[name] = words.get(name, 0.0) + line.words[included]
        if metric.complete:
            metric.complete(stats, a.settings, words, a.segment.references)
        values[mask] = [stats[name] for name in names]
    return dict(zip(players, zip(shapley_values(values), more, strict=True), strict=True))


def shapley_values(values: Array) -> list[Array]:
    """Return the Shapley value of each player of a game, as a row of the columns of `values`.

    Row m of `values` is the value of the set of players whose bits are set in the bit mask m.

    >>> shapley_values(np.array([[0.0], [1.0], [1.0], [4.0]]))
    [array([2.]), array([2.])]
    """
    count = len(values).bit_length() - 1
    masks = np.arange(len(values))
    of = np.array([*shapley_weights(count), 0.0])[[mask.bit_count() for mask in range(len(values))]]
    out = []
    for n in range(count):
        masks_without = masks[masks >> n & 1 == 0]
        out.append(of[masks_without] @ (values[masks_without | 1 << n] - values[masks_without]))
    return out


def _ledger_of_sums(
    table: StatisticsTable, of_cause: Mapping[Player, Array], more: Mapping[Player, float]
) -> CorpusLedger:
    """Return the ledger of a metric that computes its score from summed statistics.

    `of_cause` maps each cause to its effects on the statistics of each segment (segments × statistics), and `more` maps
    it to how much more of it B has over all segments.
    """
    players = [player for player, moved in of_cause.items() if moved.any()]
    columns = [table.statistics[0], *[of_cause[player] for player in players]]
    totals = [each.sum(axis=0)[None] for each in columns]
    shares = _cause_shares(table, players, *totals)
    drawn = _cause_shares(table, players, *_resample_sums(columns)) if players else {}
    steps = [
        LedgerStep(*player, float(share[0]), *interval(drawn[player]), more.get(player, 0.0))
        for player, share in shares.items()
    ]
    each = statistic_prices(table)
    parts: dict[str, Array] = {}
    for cause, name in players:
        parts[cause] = parts.get(cause, 0.0) + _worth_at_prices(table, of_cause[cause, name], each)
    return _make_ledger(table, steps, segment_worths(table, each), parts, drawn.values())


def _resample_sums(columns: Sequence[Array]) -> list[Array]:
    """Return the sums of each array over the resamples, equal to the result of `sums`.

    Columns that are all 0 are not computed, which saves time, because a cause changes few statistics.
    """
    changed = [each.any(axis=0) for each in columns]
    resampled_sums = [np.zeros((RESAMPLES, each.shape[1])) for each in columns]
    drawn = resample_sums([each[:, nonzero] for each, nonzero in zip(columns, changed, strict=True)])
    for each, nonzero, values in zip(resampled_sums, changed, drawn, strict=True):
        each[:, nonzero] = values
    return resampled_sums


def _cause_shares(
    table: StatisticsTable, players: Sequence[Player], before: Array, *moved: Array
) -> dict[Player, Array]:
    """Return the share of each cause in the difference of the scores, for each row of sums.

    `before` are A's sums, rows × statistics, and each array in `moved` is the change by one of `players`, in the same
    shape. Values that follow from lengths alone (`Composition.length_causes`) have shares of their own. Shares are
    Shapley values, as in the ledger of a sentence.
    """
    if not players:
        return {}
    composition, settings = composition_of(table.metric), table.settings
    mixed = []
    rounding = ROUNDING * sum([np.abs(each) for each in (before, *moved)])
    for mask in range(1 << len(players)):
        mixture = before + sum([each for n, each in enumerate(moved) if mask >> n & 1])
        # In a few segments the causes' shares of a statistic may sum to more than the statistic. What rounding leaves
        # of a statistic that is 0 must not become a divisor.
        mixture = np.where(mixture > rounding, mixture, 0.0)
        columns = dict(zip(table.names, np.ascontiguousarray(mixture.T), strict=True))
        mixed.append({name: np.asarray(each) for name, each in composition.values(columns, settings).items()})
    out: dict[Player, Array] = {}
    of = shapley_weights(len(players))
    first, last = mixed[0], mixed[-1]
    for name in first:
        others, worth = [other for other in first if other != name], []
        sizes = shapley_weights(len(first))
        for values in mixed:
            score = np.zeros(len(before))
            for size in range(len(others) + 1):
                for changed in combinations(others, size):
                    ends = {other: (last if other in changed else first)[other] for other in others}
                    in_order = {each: values[name] if each == name else ends[each] for each in first}
                    score += sizes[size] * composition.score(in_order, settings)
            worth.append(score)
        for n, player in enumerate(players):
            at = (composition.length_causes[name], name) if name in composition.length_causes else player
            share = out.setdefault(at, np.zeros(len(before)))
            for mask in range(len(mixed)):
                if not mask >> n & 1:
                    share += of[mask.bit_count()] * (worth[mask | 1 << n] - worth[mask])
    return {player: share for player, share in out.items() if share.any()}


def _ledger_of_means(metric: Metric, settings: Settings, a: Sequence[Segment], b: Sequence[Segment]) -> CorpusLedger:
    """Return the ledger of a metric whose corpus score is the mean of the segments' scores.

    It is the mean of the ledgers of the segments.
    """
    of_cause: dict[str, Array] = {}
    more: dict[str, float] = defaultdict(float)
    scores = np.empty((2, len(a)))
    for number, (ours, theirs) in enumerate(zip(a, b, strict=True)):
        with _naming_segment_in_errors(number):
            x, y = metric.score(ours, settings), metric.score(theirs, settings)
            moves = changes.share_and_change_by_cause(metric, x, y) if ours.candidate != theirs.candidate else {}
        scores[:, number] = x.score, y.score
        for cause, (share, change) in moves.items():
            of_cause.setdefault(cause, np.zeros(len(a)))[number] = share / len(a) if abs(share) > ROUNDING else 0.0
            more[cause] += change
    drawn = resample_sums([each[:, None] for each in of_cause.values()]) if of_cause else []
    penalty_name = next(iter(metric.composition.length_causes), "") if metric.composition else ""
    steps = [
        LedgerStep(
            cause, penalty_name if cause == "penalty" else "", math.fsum(each), *interval(sample[:, 0]), more[cause]
        )
        for (cause, each), sample in zip(of_cause.items(), drawn, strict=True)
    ]
    table = StatisticsTable(metric, settings, (), np.empty((2, len(a), 0)), scores)
    return _make_ledger(table, steps, segment_worths(table), of_cause, [sample[:, 0] for sample in drawn])


def _make_ledger(
    table: StatisticsTable,
    steps: Sequence[LedgerStep],
    worth: Array,
    parts: Mapping[str, Array],
    drawn: Iterable[Array],
) -> CorpusLedger:
    """Return a ledger made of its causes, the segments' worths, and the parts of the worths by cause.

    `drawn` holds, for each cause, its share in each resample; their sums give the interval of the difference.
    """
    before, after = map(float, table.corpus_scores())
    resampled_deltas = sum(drawn, np.zeros(1))
    delta_interval = interval(resampled_deltas) if len(resampled_deltas) > 1 else (0.0, 0.0)
    ordered = tuple(sorted([step for step in steps if step.share], key=lambda step: -abs(step.share)))
    each = tuple([float(number) for number in worth])
    summed = table.statistics.sum(axis=1)
    edits = {
        name: float(summed[1, n] - summed[0, n])
        for n, name in enumerate(table.names)
        if table.metric.role(name).kind == "edit"
    }
    return CorpusLedger(
        table.metric.key, table.settings, (before, after), after - before, ordered, each, parts, edits, *delta_interval
    )


# ---------------------------------------------------------------- segments


def ledger_of_segments(
    metric: Metric, ledger: CorpusLedger, segments: NDArray[np.intp], extra_words: float
) -> CorpusLedger:
    """Return the ledger of what a selection of segments contributes to the difference over the whole corpus.

    `ledger` is the ledger of the corpus and `segments` are the indices of the selection. The new difference is the sum
    of the selected worths. `extra_words` is how many more words B's outputs have in these segments than A's. The
    intervals come from the variance of the contributions, and say how much such segments contribute among as many as
    the corpus has.

    >>> from metrics import METRICS, settings
    >>> a, b = (Segment(tuple(text.split()), (("a", "b", "c"),)) for text in ("a b", "a b c"))
    >>> whole = corpus_ledger(METRICS["wer"], settings("wer"), [a, a, a], [b, a, b])
    >>> some = ledger_of_segments(METRICS["wer"], whole, np.array([1, 2]), 1)
    >>> round(whole.delta, 3), round(some.delta, 3), [(step.cause, round(step.share, 3)) for step in some.steps]
    (-0.222, -0.111, [('edits', -0.111)])
    """
    worth = np.asarray(ledger.worth)
    chosen = np.zeros(len(worth), dtype=bool)
    chosen[segments] = True

    def part_interval(part: Array) -> tuple[float, float, float]:
        given = np.where(chosen, part, 0.0)
        total, far = math.fsum(given), _NORMAL * math.sqrt(len(given)) * float(given.std())
        return total, total - far, total + far

    def change(cause: str, share: float) -> float:
        # A statistic has one price, so the sign of its share says which system has more of it, except for lengths.
        if cause in ("length", "penalty", "references"):
            return extra_words if cause == "length" else 0.0
        good = (share > 0) == metric.higher_is_better
        return 1.0 if good != causes.cause_wording(metric, ledger.settings, cause).cost else -1.0

    given = [(cause, part_interval(part)) for cause, part in ledger.parts.items()]
    penalty = next((step.name for step in ledger.steps if step.cause == "penalty"), "")
    names = {"penalty": penalty}
    steps = [LedgerStep(cause, names.get(cause, ""), *each, change(cause, each[0])) for cause, each in given]
    steps = sorted([step for step in steps if abs(step.share) > ROUNDING], key=lambda step: -abs(step.share))
    total, low, high = part_interval(worth)
    parts = {cause: part[segments] for cause, part in ledger.parts.items()}
    return replace(
        ledger,
        delta=total,
        steps=tuple(steps),
        worth=tuple(worth[segments].tolist()),
        parts=parts,
        edits={},
        low=low,
        high=high,
    )


#: A normal value lies within this many standard deviations of its mean in 95 of 100 cases.
_NORMAL = 1.96


def segment_worths(table: StatisticsTable, known_prices: Array | None = None) -> Array:
    """Return what each segment contributes to the difference of the scores of a table's two systems.

    The contributions sum to the difference. `known_prices` are the prices of the statistics (`statistic_prices`), if
    they are already computed."""
    moved: Array = table.summed_columns[1] - table.summed_columns[0]
    if table.metric.pooling == "mean":
        return np.where(np.abs(moved[:, 0]) > ROUNDING, moved[:, 0], 0.0) / table.size
    return _worth_at_prices(table, moved, statistic_prices(table) if known_prices is None else known_prices)


#: The relative error of a price. A smaller worth is taken as 0: the least worth of a count is far larger, about the
#: score divided by the number of all words.
_OFF = 1e-8


def _worth_at_prices(table: StatisticsTable, moved: Array, each: Array) -> Array:
    """Return the worth of each segment: the changes of its statistics times their prices, summed.

    `moved` are the changes, segments × statistics, and `each` are the prices. The worth is exactly 0 where the changes
    cancel each other.
    """
    worth: Array = moved @ each
    scale = float(np.abs(table.corpus_scores()).max()) / max(1, table.size)
    zero = np.abs(worth) <= _OFF * (np.abs(moved) @ np.abs(each) + scale)
    off, worth = math.fsum(worth[zero]), np.where(zero, 0.0, worth)
    size = np.abs(worth)  # what was rounded to 0 is distributed over the others, so that the sum stays the same
    return worth + off * size / size.sum() if off and size.any() else worth


#: The nodes and weights of a rule for the integral over an interval from 0 to 1, exact for polynomials to degree 15.
_NODES, _WEIGHTS = (each / 2 for each in np.polynomial.legendre.leggauss(8))
#: The line is halved where the score has a kink, until a piece is no longer than 2 to the power of minus this.
_DEPTH = 40
#: The most pieces with a kink that are halved again; with more of them the rule does not get better.
_PIECES = 64
#: How far the slopes along a piece may differ from the change of the score there, relative to the scores.
_NEAR = 1e-11
#: The step of a statistic for its slope, as a fraction of its change on the piece.
_STEP = 1e-3


def statistic_prices(table: StatisticsTable) -> Array:
    """Return the price of each statistic: what one more of it adds to the score on the way from A's sums to B's.

    A price is an average along the straight line between the sums. The prices times the changes of the statistics sum
    to the difference of the scores. The line is divided where the slopes do not explain the change of the score, as at
    the length where a brevity penalty ends. Where the score leaves 0, or jumps, because a count leaves 0, the whole
    change is attributed to this count.
    """
    before, after = table.summed_columns.sum(axis=1)
    way = after - before
    scores = table.corpus_scores()
    total = np.zeros(len(way))
    pieces = [(0.0, 1.0)]
    for depth in range(_DEPTH + 1):
        starts, ends = np.array(pieces).T
        points = starts[:, None] + (ends - starts)[:, None] * (_NODES + 0.5)
        slopes = _slopes(table, before, way, points, ends - starts)
        each = np.einsum("pns,n->ps", slopes, _WEIGHTS) * (ends - starts)[:, None]  # pieces × statistics
        real = _scores_on_line(table, before, after, ends) - _scores_on_line(table, before, after, starts)
        off = real - each @ way
        near = np.abs(off) <= _NEAR * max(1.0, float(scores.max()))
        total += each[near].sum(axis=0)
        if depth == _DEPTH or np.count_nonzero(~near) > _PIECES:
            for n in np.flatnonzero(~near):
                total += each[n] + _prices_of_rest(off[n], each[n], way, (before, after)[int(ends[n] > 0.5)])
            break
        pieces = [
            half
            for n in np.flatnonzero(~near)
            for middle in ((starts[n] + ends[n]) / 2,)
            for half in ((starts[n], middle), (middle, ends[n]))
        ]
        if not pieces:
            break
    return total + _prices_of_rest(float(scores[1] - scores[0]) - float(total @ way), total, way, np.ones(len(way)))


def _prices_of_rest(off: float, each: Array, way: Array, end: Array) -> Array:
    """Return prices that make up the part `off` of a change of the score that the prices `each` do not explain.

    `way` is the change of each statistic along the line, and `end` the statistics at the end where the score jumps. The
    part is attributed to the counts that are 0 at `end`, or else in proportion to what each statistic contributes at
    the prices `each`.
    """
    leaving = (end == 0) & (way != 0)
    parts = np.where(leaving, 1.0, 0.0) if leaving.any() else np.abs(each * way)
    if not parts.any():
        parts = np.abs(way)
    out = np.zeros(len(way))
    np.divide(off * parts / (parts.sum() or 1.0), way, out=out, where=(way != 0) & (parts != 0))
    return out


def _scores_on_line(table: StatisticsTable, before: Array, after: Array, at: Array) -> Array:
    """Return the scores at the positions `at` of the line from the sums `before` (0) to `after` (1).

    At position 1 the sums are exactly `after`.
    """
    sums = before + at[:, None] * (after - before)
    sums[at == 1] = after
    return table.scores_of_sums(sums)


def _slopes(table: StatisticsTable, before: Array, way: Array, points: Array, lengths: Array) -> Array:
    """Return the slope of the score by each statistic at points of the line: pieces × points × statistics.

    The line starts at the sums `before` and changes by `way`; `lengths` are the lengths of its pieces. The slopes are
    differences of fourth order.
    """
    point_sums = before + points[..., None] * way
    # Where two outputs have nearly equal sums, the segments may still differ in both directions, so the step is not 0.
    # No statistic becomes negative, and a statistic that is 0 in both outputs has no price.
    step = _STEP * np.maximum(np.abs(way), _STEP * np.abs(point_sums)) * lengths[:, None, None]
    step = np.minimum(step, np.abs(point_sums) / 4)
    present = np.abs(before) + np.abs(before + way) > 0
    step[..., ~present] = 1.0
    moved = np.zeros((4, *point_sums.shape, len(way)))
    moved[:] = point_sums[..., None, :]
    for n in np.flatnonzero(present):
        for m, times in enumerate((1, -1, 2, -2)):
            moved[m, ..., n, n] += times * step[..., n]
    near, less, far, lesser = table.scores_of_sums(moved)
    slopes: Array = (8 * (near - less) - (far - lesser)) / (12 * step)
    return slopes
