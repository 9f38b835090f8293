"""How many answers are optimal: the alignments, or choices of what counts, that give a result's score.

The metrics that find equally good alignments themselves are asked; for the others they are counted here, in sentences
of an exercise's length.

>>> from metrics import METRICS, score
>>> result = score("per", "the cat the".split(), ["the dog".split()])
>>> optimal(METRICS["per"], result)
Optimal(number=2, what='ways to pair up equal words', unique=True)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any, NamedTuple

from rapidfuzz.distance import Levenshtein

from ..alignment.edits import ShortestScripts
from ..catalogue.ter.program import beam_script, trials
from ..types import Metric, Result, Run, Tokens
from ..types.work import spend
from .slips_matches import longest_run, ngrams


class Optimal(NamedTuple):
    """How many answers are optimal, what they are, and whether all of them are known to have the same score."""

    number: int
    what: str
    unique: bool

    def says(self) -> str:
        """A sentence for students.

        >>> Optimal(1, "matchings", True).says(), Optimal(2, "matchings", True).says()
        ('One answer alone is optimal.', '2 matchings are equally good.')
        """
        return "One answer alone is optimal." if self.number == 1 else f"{self.number:,} {self.what} are equally good."


#: What is counted, where it is not an alignment of words.
WHAT = {
    "bleu": "ways to choose the n-grams that count",
    "nist": "ways to choose the n-grams that count",
    "rouge_n": "ways to pair up equal n-grams",
    "rouge_l": "longest common subsequences",
    "rouge_w": "best common sequences",
    "rouge_s": "ways to choose the pairs that count",
    "gtm": "matchings",
    "sia": "choices of chains",
    "dcs": "choices of blocks",
    "meteor": "matchings",
    "ribes": "alignments",
    "wer": "shortest scripts",
    "per": "ways to pair up equal words",
    "ter": "ways to shift and edit",
}

#: Answers that are counted one by one at the most.
MOST = 2_000


def optimal(metric: Metric, result: Result) -> Optimal:
    """The number of optimal answers; `unique` is False where the score depends on the choice, or where it is not known.

    Of several references those that decide are looked at.
    """
    if metric.ties:
        ties = metric.ties(result, 1)
        return Optimal(ties.count, WHAT[metric.key], ties.exact and not ties.depends)
    count, unique = _COUNTS[metric.key](result)
    return Optimal(count, WHAT[metric.key], unique)


def _deciding(result: Result) -> list[Tokens]:
    """The references that decide, each once; all of them where none is named."""
    references = result.segment.references
    return [references[k] for k in dict.fromkeys(result.decides.values())] or [*references]


def pairings(ours: Iterable[Hashable], theirs: Iterable[Hashable]) -> int:
    """The largest matchings of equal things.

    >>> pairings("aab", "ab"), pairings("aa", "aa")
    (2, 2)
    """
    a, b = Counter(ours), Counter(theirs)
    return math.prod([math.perm(max(a[x], b[x]), min(a[x], b[x])) for x in a.keys() & b.keys()])


def _of_pairings(result: Result) -> tuple[int, bool]:
    order = int(result.settings.to_dict().get("order", 1))
    ours = ngrams(result.segment.candidate, order)
    return math.prod([pairings(ours, ngrams(r, order)) for r in _deciding(result)]), True


def _of_skip_bigrams(result: Result) -> tuple[int, bool]:
    settings: Any = result.settings

    def pairs(words: Tokens) -> list[tuple[str, str]]:
        reach = len(words) if settings.max_skip is None else settings.max_skip + 1
        return [(words[a], words[b]) for a, b in combinations(range(len(words)), 2) if b - a <= reach]

    candidate, count = result.segment.candidate, 1
    for reference in _deciding(result):
        count *= choices(pairs(candidate), [pairs(reference)])
        if settings.unigrams:
            count *= choices(candidate, [reference])
    return count, True


def choices(ours: Iterable[Hashable], theirs: Iterable[Iterable[Hashable]]) -> int:
    """The choices of which of our things count, each as often as the one of theirs that has most of it.

    >>> choices("aaab", ["a", "aa"])
    3
    """
    known = [Counter(things) for things in theirs]
    return math.prod([math.comb(k, min(k, max(of[x] for of in known))) for x, k in Counter(ours).items()])


def _of_clipping(result: Result) -> tuple[int, bool]:
    """The choices among the occurrences of each n-gram in the candidate, order by order."""
    candidate, references = result.segment
    orders = range(1, int(result.settings.to_dict()["max_order"]) + 1)
    return math.prod([choices(ngrams(candidate, n), [ngrams(r, n) for r in references]) for n in orders]), True


def _of_weighted_sequences(result: Result) -> tuple[int, bool]:
    """The common sequences of the most weight; unknown where the procedure has missed that."""
    settings: Any = result.settings
    count, unique = 1, True
    for k in dict.fromkeys(result.decides.values()):
        marks = next(layer.marks for layer in result.layers if layer.k == k)
        found = math.fsum([mark.length**settings.weight for mark in marks if isinstance(mark, Run)])
        best, often = weighted_sequences(result.segment.candidate, result.segment.references[k], settings.weight)
        count *= often
        unique = unique and abs(best - found) < 1e-9
    return count, unique


def weighted_sequences(candidate: Tokens, reference: Tokens, weight: float) -> tuple[float, int]:
    """The greatest sum of the runs' lengths to the power of the weight, and how many common sequences have it.

    >>> weighted_sequences(tuple("ab"), tuple("abxb"), 2.0)
    (4.0, 1)
    """
    spend(len(candidate) * (len(reference) + 1))
    # What is best in all cells above and left of (i, j), by row and column, and in how many ways; of a run of each
    # length that ends in a cell. Two runs taken as one weigh more, so that what splits a run is never best in the end.
    best = [[(0.0, 1)] * (len(reference) + 1) for _ in range(len(candidate) + 1)]
    before: dict[int, list[tuple[float, int]]] = {}
    for i, ours in enumerate(candidate):
        ends: dict[int, list[tuple[float, int]]] = {}
        for j, theirs in enumerate(reference):
            above, left, corner = best[i][j + 1], best[i + 1][j], best[i][j]
            ways = [above, left, (corner[0], -corner[1])]  # what is in both is counted once
            if ours == theirs:
                longer = before.get(j - 1, []) if weight > 1 else []
                spend(len(longer))
                ends[j] = [_plus(corner, 1.0)]
                ends[j] += [_plus(way, (k + 1) ** weight - k**weight) for k, way in enumerate(longer, 1)]
                ways += ends[j]
            best[i + 1][j + 1] = _best(ways)
        before = ends
    return best[-1][-1]


def _plus(way: tuple[float, int], worth: float) -> tuple[float, int]:
    return way[0] + worth, way[1]


def _best(ways: Sequence[tuple[float, int]]) -> tuple[float, int]:
    most = max(worth for worth, _ in ways)
    return most, sum([count for worth, count in ways if most - worth <= 1e-12 * most])


def fewest_chunks(length: int, places: Mapping[int, Sequence[int]]) -> int:
    """How many of the matchings of `length` candidate words have most matches and of those the fewest chunks;
    `places[i]` are the words that word i may match. It takes as much memory as `textbook.meteor.grown` without a limit.

    >>> fewest_chunks(2, {0: [0, 1], 1: [0, 1]}), fewest_chunks(2, {0: [0, 2], 1: [1]})
    (1, 1)
    """
    states: dict[tuple[int, int | None], tuple[tuple[int, int], int]] = {(0, None): ((0, 0), 1)}
    for i in range(length):
        later = sum([1 << j for j in {j for row in range(i + 1, length) for j in places.get(row, ())}])
        after: dict[tuple[int, int | None], tuple[tuple[int, int], int]] = {}
        spend(5 * len(states))
        for (used, last), ((matches, joints), count) in states.items():
            ways: list[tuple[int | None, tuple[int, int]]] = [(None, (matches, joints))]
            for j in places.get(i, ()):
                if not used >> j & 1:
                    ways.append((j, (matches + 1, joints + (last == j - 1))))
            for at, worth in ways:
                goes_on = at is not None and at + 1 in places.get(i + 1, ())
                key = (used if at is None else used | 1 << at) & later, at if goes_on else None
                most, many = after.get(key, (worth, 0))
                after[key] = (worth, count) if worth > most else (most, many + count * (worth == most))
        states = after
    best = max(worth for worth, _ in states.values())
    return sum([count for worth, count in states.values() if worth == best])


def _alone(result: Result) -> tuple[int, bool]:
    return 1, True


# ---------------------------------------------------------------- dcs: blocks in any order of equally long ones


def _of_blocks(result: Result) -> tuple[int, bool]:
    candidate, (reference, *_) = result.segment.candidate, _deciding(result)
    published = result.settings.to_dict()["overlap"] == "published"
    found = {*(overlapping if published else disjoint)(candidate, reference)}
    worth = {_worth(blocks) for blocks in found}
    return len(found), len(found) < MOST and len(worth) == 1


#: Blocks as i, j and length.
_Blocks = frozenset[tuple[int, int, int]]


def _worth(blocks: _Blocks) -> int:
    """Squares and products of neighbours, as `dcs.second_matching` has them."""
    rows, columns = sorted(blocks), sorted(blocks, key=lambda block: block[1])
    rank = {block: t for t, block in enumerate(columns)}
    follow = [(a, b) for a, b in pairwise(rows) if rank[b] == rank[a] + 1]
    return sum([length**2 for _, _, length in blocks]) + sum([a[2] * b[2] for a, b in follow])


def _runs(candidate: Tokens, reference: Tokens) -> list[tuple[int, int, int]]:
    """The maximal runs as i, j and length."""
    hits = {(i, j) for i, a in enumerate(candidate) for j, b in enumerate(reference) if a == b}
    out = []
    for i, j in hits:
        if (i - 1, j - 1) not in hits:
            length = 1
            while (i + length, j + length) in hits:
                length += 1
            out.append((i, j, length))
    return sorted(out, key=lambda run: -run[2])


def overlapping(candidate: Tokens, reference: Tokens) -> Iterator[_Blocks]:
    """What the published program can end with: maximal runs, the longest first, of which some word is free on either
    side; equally long ones in any order. The same may come again."""
    runs = _runs(candidate, reference)

    def search(left: frozenset[int], blocks: _Blocks) -> Iterator[_Blocks]:
        state = left, blocks
        if state in seen or len(seen) > MOST:
            return
        seen.add(state)
        rows = {i + d for i, _, length in blocks for d in range(length)}
        columns = {j + d for _, j, length in blocks for d in range(length)}
        open_runs = [
            t
            for t in left
            if not {runs[t][0] + d for d in range(runs[t][2])} <= rows
            and not {runs[t][1] + d for d in range(runs[t][2])} <= columns
        ]
        if not open_runs:
            yield blocks
            return
        longest = max(runs[t][2] for t in open_runs)
        rest = frozenset(open_runs)
        for t in open_runs:
            if runs[t][2] == longest:
                yield from search(rest - {t}, blocks | {runs[t]})

    seen: set[Any] = set()
    return search(frozenset(range(len(runs))), frozenset())


def disjoint(candidate: Tokens, reference: Tokens) -> Iterator[_Blocks]:
    """The longest runs of free words first, equally long ones in any order. The same may come again."""
    seen: set[_Blocks] = set()

    def search(blocks: _Blocks) -> Iterator[_Blocks]:
        if blocks in seen or len(seen) > MOST:
            return
        seen.add(blocks)
        rows = {i + d for i, _, length in blocks for d in range(length)}
        columns = {j + d for _, j, length in blocks for d in range(length)}
        ours = tuple([f"used {i}" if i in rows else word for i, word in enumerate(candidate)])
        theirs = tuple([f"gone {j}" if j in columns else word for j, word in enumerate(reference)])
        runs = _runs(ours, theirs)
        if not runs:
            yield blocks
        for run in runs:
            if run[2] == runs[0][2]:
                yield from search(blocks | {run})

    return search(frozenset())


# ---------------------------------------------------------------- TER: every shift that saves as much


def _of_shifts(result: Result) -> tuple[int, bool]:
    """The ways of every reference that is as near as the one that decides; all must need as many edits."""
    count, totals = 0, set[int]()
    settings: Any = result.settings
    for reference in _deciding(result):
        for total, ways in shifted(result.segment.candidate, reference, settings.max_shift_size):
            totals.add(total)
            count += ways
    return count, totals == {int(result.parts["edits"])}


def shifted(candidate: Tokens, reference: Tokens, size: int) -> Iterator[tuple[int, int]]:
    """Edits and numbers of shortest scripts, for every series of shifts each of which saves most of all.

    >>> list(shifted(("b", "a"), ("a", "b"), 10))
    [(1, 1), (1, 1)]
    """
    distance = Levenshtein.distance(candidate, reference)
    moves: dict[tuple[int, ...], Tokens] = {}
    most = 0
    script = beam_script(candidate, reference, 25)
    longest = min(size, longest_run(candidate, reference))  # no longer block equals words of the reference
    for trial in trials(candidate, reference, script, longest, 50):
        saved = distance - Levenshtein.distance(trial.words, reference)
        if saved >= max(most, 1):
            moves = moves if saved == most else {}
            most = saved
            moves[trial.start, trial.length, trial.to] = tuple(trial.words)
    if not moves:
        yield distance, ShortestScripts(candidate, reference).count
        return
    for words in moves.values():
        for total, ways in shifted(words, reference, size):
            yield total + 1, ways


_COUNTS: Mapping[str, Callable[[Result], tuple[int, bool]]] = {
    "bleu": _of_clipping,
    "nist": _of_clipping,
    "rouge_n": _of_pairings,
    "rouge_w": _of_weighted_sequences,
    "rouge_s": _of_skip_bigrams,
    "dcs": _of_blocks,
    "ribes": _alone,
    "per": _of_pairings,
    "ter": _of_shifts,
}
