"""The search for n-grams that one system's outputs have right more often than another's, as the references confirm.

All n-grams of all texts are numbered with numpy, length by length, and counted by segment. An n-gram of an output is
confirmed as often as its segment has it, but at most as often as one reference has it. The sign test says whether a
difference is chance: of the segments where A and B have the n-gram confirmed unequally often, it counts those in which
B has it more often. Where many n-grams are tested, some differ by chance; Benjamini and Hochberg's q is the expected
fraction of those among the n-grams with the same p or less.

Sources: Monroe, Colaresi and Quinn (2008), log-odds with an informative Dirichlet prior; Benjamini and Hochberg (1995).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..types import Tokens

#: The length of the longest n-grams in words.
ORDERS = 4
#: The least number of segments in which the outputs must differ: with fewer, no test could be significant.
LEAST = 6
#: How strongly the rate of a rare n-gram is drawn to the rate of all n-grams.
PRIOR = 10.0
#: The significance level: a p or q below it is more than chance.
LEVEL = 0.05


class Pattern(NamedTuple):
    """An n-gram, with how often the outputs of A and B have it confirmed by the references.

    Attributes:
        words: the n-gram; for an n-gram of characters, its characters.
        there: how often the references have it.
        a: how often A has it confirmed.
        b: how often B has it confirmed.
        for_a: the number of segments in which A has it confirmed more often.
        for_b: the number of segments in which B has it confirmed more often.
        odds: by how many standard deviations B's log-odds are above A's.
        p: the p value of the sign test.
        q: the false discovery rate among all n-grams with this p or less.
        segments: the indices of the segments in which A and B have it confirmed unequally often.
    """

    words: tuple[str, ...]
    there: int
    a: int
    b: int
    for_a: int
    for_b: int
    odds: float
    p: float
    q: float
    segments: tuple[int, ...]

    @property
    def swapped(self) -> Pattern:
        """Return this pattern with A and B swapped."""
        return self._replace(a=self.b, b=self.a, for_a=self.for_b, for_b=self.for_a, odds=-self.odds)


def find_word_patterns(
    a: Sequence[Tokens], b: Sequence[Tokens], references: Sequence[Sequence[Tokens]], orders: int = ORDERS
) -> list[Pattern]:
    """Return the n-grams that A and B have confirmed unequally often in at least six segments, lowest p first.

    `a` and `b` are the outputs, `references` the references of the same segments, and `orders` the largest n. Of an
    n-gram and a longer one with the same differences in the same segments only the longer one is returned.

    >>> seen = [("a", "b")] * 8
    >>> found = find_word_patterns([("a",)] * 8, seen, [[line] for line in seen])
    >>> [(each.words, each.for_b, round(each.p, 6)) for each in found]
    [(('a', 'b'), 8, 0.007813)]
    """
    return rank_by_significance(list(_differing_ngrams(a, b, references, orders)))


def rank_by_significance(untested: Sequence[Pattern]) -> list[Pattern]:
    """Test whether n-grams differ by chance; return them with log-odds, p and q, lowest p first.

    Of an n-gram and a longer one with the same differences in the same segments only the longer one is returned.
    """
    if not untested:
        return []
    p = sign_test(np.array([each.for_b for each in untested]), np.array([each.for_a for each in untested]))
    counts = np.array([(each.a, each.b, each.there) for each in untested], dtype=np.float64)
    odds = log_odds(*counts.T)
    q = benjamini_hochberg(p)
    tested_patterns = [
        each._replace(odds=float(o), p=float(x), q=float(y)) for each, o, x, y in zip(untested, odds, p, q, strict=True)
    ]
    tested_patterns.sort(key=lambda each: (each.p, -abs(each.odds), -len(each.words), each.words))
    out: list[Pattern] = []
    longer: dict[tuple[tuple[int, ...], int, int], list[tuple[str, ...]]] = {}
    for each in sorted(tested_patterns, key=lambda each: -len(each.words)):
        longer_grams = longer.setdefault((each.segments, each.for_a, each.for_b), [])
        if not any(_is_contained(each.words, other) for other in longer_grams):
            longer_grams.append(each.words)
            out.append(each)
    place = {each.words: n for n, each in enumerate(tested_patterns)}
    return sorted(out, key=lambda each: place[each.words])


def _is_contained(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether `other` contains `words` in a row."""
    return any(other[at : at + len(words)] == words for at in range(len(other) - len(words) + 1))


def _differing_ngrams(
    a: Sequence[Tokens], b: Sequence[Tokens], references: Sequence[Sequence[Tokens]], orders: int
) -> Iterator[Pattern]:
    """Yield the n-grams that A and B have confirmed unequally often in at least `LEAST` segments, without p yet.

    `orders` is the largest n.
    """
    if not references:
        return
    number_of: dict[str, int] = {}
    flat: list[int] = []
    of_text: list[int] = []
    sides: list[tuple[int, int]] = []  # for each text its side (0 is A, 1 is B, 2 + k is reference k) and its segment
    for side, texts in enumerate((a, b)):
        for segment, line in enumerate(texts):
            sides.append((side, segment))
            _append_word_numbers(line, number_of, flat, of_text, len(sides) - 1)
    for segment, each in enumerate(references):
        for k, line in enumerate(each):
            sides.append((2 + k, segment))
            _append_word_numbers(line, number_of, flat, of_text, len(sides) - 1)
    words, text = np.array(flat, dtype=np.int64), np.array(of_text, dtype=np.int64)
    side, segment_of = np.array(sides, dtype=np.int64).T
    at = np.flatnonzero(words)
    gram = words[at]
    names = [*number_of]
    size = len(references)
    for order in range(1, orders + 1):
        if order > 1:
            inside = at + order - 1 < len(words)
            at, gram = at[inside], gram[inside]
            whole = words[at + order - 1] > 0
            at, gram = at[whole], gram[whole]
            gram = gram * (len(number_of) + 1) + words[at + order - 1]
        if not len(at):
            return
        _, first, gram = np.unique(gram, return_index=True, return_inverse=True)
        gram = gram.ravel()
        # How often each text has each n-gram, then the maximum over the references of each segment.
        cells, counts = np.unique(gram * len(sides) + text[at], return_counts=True)
        of_gram, of_side = cells // len(sides), cells % len(sides)
        place = of_gram * size + segment_of[of_side]
        places, where = np.unique(place, return_inverse=True)
        counted = np.zeros((3, len(places)), dtype=np.int64)
        for kind in (0, 1):
            mine = side[of_side] == kind
            counted[kind, where[mine]] = counts[mine]
        theirs = side[of_side] >= 2
        np.maximum.at(counted[2], where[theirs], counts[theirs])
        ours = np.minimum(counted[:2], counted[2])
        which, lead = places // size, ours[1] - ours[0]

        def total(
            values: NDArray[np.int64], which: NDArray[np.int64] = which, n: int = len(first)
        ) -> NDArray[np.int64]:
            return np.bincount(which, values, n).astype(np.int64)

        for_a, for_b = total((lead < 0).astype(np.int64)), total((lead > 0).astype(np.int64))
        in_references, in_a, in_b = total(counted[2]), total(ours[0]), total(ours[1])
        differ = np.flatnonzero(lead)
        differ = differ[np.argsort(which[differ], kind="stable")]
        starts = np.searchsorted(which[differ], np.arange(len(first) + 1))
        for n in np.flatnonzero(for_a + for_b >= LEAST):
            spot = at[first[n]]
            gram_words = tuple([names[word - 1] for word in words[spot : spot + order]])
            segments = tuple((places[differ[starts[n] : starts[n + 1]]] % size).tolist())
            yield Pattern(
                gram_words,
                int(in_references[n]),
                int(in_a[n]),
                int(in_b[n]),
                int(for_a[n]),
                int(for_b[n]),
                0.0,
                1.0,
                1.0,
                segments,
            )
        gram = gram + 1


def _append_word_numbers(
    line: Tokens, number_of: dict[str, int], flat: list[int], of_text: list[int], text: int
) -> None:
    """Append the numbers of the line's words to `flat`, and the index `text` of the line to `of_text` for each of them.

    `number_of` maps words to their numbers, from 1, and gets the new words. A final 0 separates the line from the next
    one, so that no n-gram spans two lines.
    """
    flat += [number_of.setdefault(word, len(number_of) + 1) for word in line]
    flat.append(0)
    of_text += [text] * (len(line) + 1)


def sign_test(wins: NDArray[np.int64], losses: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return, for each pair of a number of wins and one of losses, the exact two-sided p that both are equally likely.

    >>> sign_test(np.array([8, 3]), np.array([0, 3])).round(6).tolist()
    [0.007813, 1.0]
    """
    pairs, back = np.unique(np.stack([np.maximum(wins, losses), wins + losses]), axis=1, return_inverse=True)
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, pairs[1].max(initial=0) + 2)))])
    p = np.ones(pairs.shape[1])
    for n, (most, tried) in enumerate(pairs.T):
        if tried:
            tail = np.arange(most, tried + 1)
            p[n] = min(1.0, 2 * math.fsum(np.exp(logs[tried] - logs[tail] - logs[tried - tail] - tried * math.log(2))))
    return p[back.ravel()]


def log_odds(
    a: NDArray[np.float64], b: NDArray[np.float64], in_references: NDArray[np.float64], prior: float = PRIOR
) -> NDArray[np.float64]:
    """Return, for each n-gram, by how many standard deviations B's log-odds of having it confirmed are above A's.

    `a` and `b` say how often each n-gram is confirmed, out of the `in_references` times that references have it. The
    odds are drawn towards the rate over all n-grams, more strongly the larger `prior` is.
    """
    part = (a.sum() + b.sum()) / max(2 * in_references.sum(), 1)
    yes, no = prior * max(part, 1e-9), prior * max(1 - part, 1e-9)

    def odds(confirmed: NDArray[np.float64]) -> NDArray[np.float64]:
        log_ratio: NDArray[np.float64] = np.log((confirmed + yes) / (in_references - confirmed + no))
        return log_ratio

    variance = sum(1 / (confirmed + yes) + 1 / (in_references - confirmed + no) for confirmed in (a, b))
    out: NDArray[np.float64] = (odds(b) - odds(a)) / np.sqrt(variance)
    return out


def benjamini_hochberg(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the false discovery rate q of each p value: the expected fraction of chance findings among all p up to it.

    >>> benjamini_hochberg(np.array([0.01, 0.04, 0.03])).round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    order = np.argsort(p, kind="stable")
    q = p[order] * len(p) / np.arange(1, len(p) + 1)
    out = np.empty_like(q)
    out[order] = np.minimum.accumulate(q[::-1])[::-1].clip(max=1.0)
    return out
