"""What one output has right again and again that the other has not: n-grams that the references confirm.

All n-grams of all texts are numbered with numpy, order by order, and counted by segment; an n-gram is confirmed as
often as its segment has it, up to how often one reference has it. Whether that is chance, the sign test says: of the
segments in which A and B have it confirmed unequally often, in how many B leads. Where many n-grams are looked at,
some differ by chance; Benjamini and Hochberg's q is the part of such among those that are at least as telling.

Sources: Monroe, Colaresi and Quinn (2008), log-odds with an informative Dirichlet prior; Benjamini and Hochberg (1995).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..types import Tokens

#: Words or characters of the longest n-grams.
ORDERS = 4
#: Segments in which the outputs must differ: with fewer no test could tell.
LEAST = 6
#: How strongly an n-gram that is rare is drawn to what all n-grams are.
PRIOR = 10.0
#: What is more than chance.
LEVEL = 0.05


class Pattern(NamedTuple):
    """An n-gram that the references have `there` times, of which A and B have `a` and `b` confirmed; B leads in
    `for_b` segments and A in `for_a`. `odds` is by how many of its deviations B's log-odds are above A's, `p` the sign
    test's and `q` the part of false ones among all with this p or less. `segments` are those in which they differ."""

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
    def turned(self) -> Pattern:
        """The same counted from B to A."""
        return self._replace(a=self.b, b=self.a, for_a=self.for_b, for_b=self.for_a, odds=-self.odds)


def patterns(
    a: Sequence[Tokens], b: Sequence[Tokens], references: Sequence[Sequence[Tokens]], orders: int = ORDERS
) -> list[Pattern]:
    """The n-grams that A and B have confirmed unequally often, in at least six segments, the most telling first.

    Of an n-gram and a longer one that says the same of the same segments only the longer one is given.

    >>> seen = [("a", "b")] * 8
    >>> found = patterns([("a",)] * 8, seen, [[line] for line in seen])
    >>> [(each.words, each.for_b, round(each.p, 6)) for each in found]
    [(('a', 'b'), 8, 0.007813)]
    """
    return tested(list(_counted(a, b, references, orders)))


def tested(untested: Sequence[Pattern]) -> list[Pattern]:
    """N-grams with their log-odds, p and q among all of them, the most telling first. Of an n-gram and a longer one
    that says the same of the same segments only the longer one is given."""
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
        if not any(_inside(each.words, other) for other in longer_grams):
            longer_grams.append(each.words)
            out.append(each)
    place = {each.words: n for n, each in enumerate(tested_patterns)}
    return sorted(out, key=lambda each: place[each.words])


def _inside(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return any(other[at : at + len(words)] == words for at in range(len(other) - len(words) + 1))


def _counted(
    a: Sequence[Tokens], b: Sequence[Tokens], references: Sequence[Sequence[Tokens]], orders: int
) -> Iterator[Pattern]:
    """All n-grams in which the outputs differ in enough segments, not tested yet."""
    if not references:
        return
    number_of: dict[str, int] = {}
    flat: list[int] = []
    of_text: list[int] = []
    sides: list[tuple[int, int]] = []  # of each text, whose it is and of which segment
    for side, texts in enumerate((a, b)):
        for segment, line in enumerate(texts):
            sides.append((side, segment))
            _add(line, number_of, flat, of_text, len(sides) - 1)
    for segment, each in enumerate(references):
        for k, line in enumerate(each):
            sides.append((2 + k, segment))
            _add(line, number_of, flat, of_text, len(sides) - 1)
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
        # How often each text has each n-gram; then, of the references of a segment, the most.
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


def _add(line: Tokens, number_of: dict[str, int], flat: list[int], of_text: list[int], text: int) -> None:
    flat += [number_of.setdefault(word, len(number_of) + 1) for word in line]
    flat.append(0)
    of_text += [text] * (len(line) + 1)


def sign_test(wins: NDArray[np.int64], losses: NDArray[np.int64]) -> NDArray[np.float64]:
    """The exact two-sided p of so many wins and losses, where both are as likely.

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
    p_values: NDArray[np.float64] = p[back.ravel()]
    return p_values


def log_odds(
    a: NDArray[np.float64], b: NDArray[np.float64], in_references: NDArray[np.float64], prior: float = PRIOR
) -> NDArray[np.float64]:
    """By how many of its deviations the log-odds of B's confirmed part of each n-gram are above those of A's, both
    drawn to the part of all n-grams."""
    part = (a.sum() + b.sum()) / max(2 * in_references.sum(), 1)
    yes, no = prior * max(part, 1e-9), prior * max(1 - part, 1e-9)

    def odds(confirmed: NDArray[np.float64]) -> NDArray[np.float64]:
        log_ratio: NDArray[np.float64] = np.log((confirmed + yes) / (in_references - confirmed + no))
        return log_ratio

    variance = sum(1 / (confirmed + yes) + 1 / (in_references - confirmed + no) for confirmed in (a, b))
    out: NDArray[np.float64] = (odds(b) - odds(a)) / np.sqrt(variance)
    return out


def benjamini_hochberg(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each of several p the part of false ones among all that are no greater.

    >>> benjamini_hochberg(np.array([0.01, 0.04, 0.03])).round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    order = np.argsort(p, kind="stable")
    q = p[order] * len(p) / np.arange(1, len(p) + 1)
    out = np.empty_like(q)
    out[order] = np.minimum.accumulate(q[::-1])[::-1].clip(max=1.0)
    return out
