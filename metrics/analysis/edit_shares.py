"""The worth of every edit between two texts according to a metric.

The edits of a word diff are the players of a game (Shapley 1953), whose value is the score of the first text after some
of them. An edit's share is what it adds to the score, averaged over all orders in which the edits can be made. Along
each order the additions sum to the difference of the scores. So the shares do as well, even if the mean is over some of
the orders only.

>>> from metrics import METRICS, settings
>>> a, b = "the old cat sat".split(), "the cat slept".split()
>>> of = Segment(tuple(a), (tuple(b),))
>>> for edit in edit_shares(METRICS["rouge_l"], of, tuple(b), settings("rouge_l")):
...     print(a[edit.start : edit.end], edit.words, round(edit.share, 3))
['old'] () 0.119
['sat'] ('slept',) 0.31
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from rapidfuzz.distance import Indel

from ..types import Metric, Segment, Settings, Tokens, TooHard
from ..types.work import spend, spent, steps_left
from .difference import word_diff
from .shares import shapley_values
from .worth import score_of

#: The numbers of edits up to which all orders count, by scoring all sets of edits: of one metric, and of each of many.
MOST, MOST_EACH = 11, 8

#: For more edits, the number of random orders that count, each together with its reverse.
PAIRS = 24

#: The similarity of letters from which two words opposite each other are one edit, such as "equal" and "equals".
ALIKE = 0.6

#: A single word only counts as moved if it has more letters: that "as" is removed here and added there means little.
MOST_COMMON = 4

#: The number of word pairs above which a stretch of changed words is not searched for similar or moved words.
MOST_PAIRS = 10_000

# ---------------------------------------------------------------- the edits


class WordEdit(NamedTuple):
    """An edit that replaces the words of the first text from `start` to `end` (exclusive) by `words`.

    `words` begin at position `at` of the other text. `words` are empty if the edit only removes, and `start` equals
    `end` if it only adds. Words that move are removed by one edit and added by another; both have the same number
    `move`, counted from 0. Other edits have None.
    """

    start: int
    end: int
    words: Tokens
    at: int
    move: int | None


class _ChangedRange(NamedTuple):
    """A range of changed words, of which an edit is made: `a` to `a_end` in A and `b` to `b_end` in B.

    The ends are exclusive.
    """

    a: int
    a_end: int
    b: int
    b_end: int


def word_edits(a: Tokens, b: Tokens) -> tuple[WordEdit, ...]:
    """Return the edits that turn A into B, in order. From B to A they are the same edits, reversed.

    All changed words between two words that both texts share are one edit, with two exceptions. Two words opposite each
    other with almost the same letters are a separate edit. Words that are removed in one place and added in another are
    separate edits too, if they are two or more in a row, or one longer word that both texts have exactly once.

    >>> [(e.start, e.end, e.words) for e in word_edits(("we", "had", "equal", "right"), ("they", "own", "equals"))]
    [(0, 2, ('they', 'own')), (2, 3, ('equals',)), (3, 4, ())]
    >>> [(e.start, e.end, e.words, e.move) for e in word_edits(tuple("abxyz"), tuple("xyzab"))]
    [(0, 2, (), 0), (5, 5, ('a', 'b'), 0)]
    """
    first, second = sorted((a, b))
    stretches = _changed_stretches(first, second)
    gone_moves, came = _number_moves(first, second, stretches)
    piece_moves = []
    for piece in chain.from_iterable(
        [_stretch_edits(first, second, stretch, gone_moves, came) for stretch in stretches]
    ):
        move = None
        if piece.b == piece.b_end:
            move = gone_moves.get(piece.a)
        elif piece.a == piece.a_end:
            move = came.get(piece.b)
        piece_moves.append((piece if first is a else _ChangedRange(piece.b, piece.b_end, piece.a, piece.a_end), move))
    return tuple([WordEdit(p.a, p.a_end, b[p.b : p.b_end], p.b, move) for p, move in piece_moves])


def apply_edits(text: Tokens, edits: Sequence[WordEdit]) -> Tokens:
    """Return the text after making some of its edits, which must be in order.

    >>> apply_edits(("a", "c"), [WordEdit(1, 1, ("b",), 1, None)])
    ('a', 'b', 'c')
    """
    out: list[str] = []
    at = 0
    for edit in edits:
        out += text[at : edit.start]
        out += edit.words
        at = edit.end
    return (*out, *text[at:])


def _changed_stretches(a: Tokens, b: Tokens) -> list[_ChangedRange]:
    """Return the stretches of changed words between words that both texts share, in order."""
    out = []
    i = j = ends_i = ends_j = 0
    for row in (*word_diff(a, b), None):
        if row is None or None not in row:
            if (ends_i, ends_j) != (i, j):
                out.append(_ChangedRange(i, ends_i, j, ends_j))
            i, j = ends_i, ends_j = ends_i + 1, ends_j + 1
        elif row.a is None:
            ends_j += 1
        else:
            ends_i += 1
    return out


def _number_moves(a: Tokens, b: Tokens, stretches: Sequence[_ChangedRange]) -> tuple[dict[int, int], dict[int, int]]:
    """Return the moves: the number of the move by the position of each moved word, in A and in B.

    The longest moves are found first. `stretches` are the changed stretches of both texts.
    """
    gone_moves, came = dict[int, int](), dict[int, int]()
    single_words = {word for word, count in Counter(a).items() if count == 1} & {
        word for word, count in Counter(b).items() if count == 1
    }
    theirs: dict[str, list[int]] = {}
    for stretch in stretches:
        for j in range(stretch.b, stretch.b_end):
            theirs.setdefault(b[j], []).append(j)
    ends_a, ends_b = (
        {p: end for s in stretches for p in range(s[side], s[side + 1]) for end in [s[side + 1]]} for side in (0, 2)
    )
    pairs = [(i, j) for i in ends_a for j in theirs.get(a[i], ())]
    if len(pairs) > MOST_PAIRS:
        return gone_moves, came
    spend(len(pairs))
    lengths: dict[tuple[int, int], int] = {}
    for i, j in sorted(pairs, reverse=True):
        longer = i + 1 < ends_a[i] and j + 1 < ends_b[j]
        lengths[i, j] = 1 + (lengths.get((i + 1, j + 1), 0) if longer else 0)
    number = 0
    for (i, j), length in sorted(lengths.items(), key=lambda item: (-item[1], item[0])):
        free = next((t for t in range(length) if i + t in gone_moves or j + t in came), length)
        if free > 1 or (free == 1 and a[i] in single_words and len(a[i]) > MOST_COMMON):
            gone_moves |= dict.fromkeys(range(i, i + free), number)
            came |= dict.fromkeys(range(j, j + free), number)
            number += 1
    return gone_moves, came


def _stretch_edits(
    a: Tokens, b: Tokens, stretch: _ChangedRange, gone_moves: dict[int, int], came: dict[int, int]
) -> Iterator[_ChangedRange]:
    """Yield the edits of a changed stretch as ranges, in order in both texts.

    `gone_moves` and `came` have the number of the move of each moved word, by its position in A and in B.
    """
    i, j, i_end, j_end = stretch.a, stretch.b, stretch.a_end, stretch.b_end
    alike = []
    if (i_end - i) * (j_end - j) <= MOST_PAIRS:
        staying = [t for t in range(i, i_end) if t not in gone_moves], [t for t in range(j, j_end) if t not in came]
        alike = _similar_pairs(a, b, *staying)
    for x, y in [*alike, (i_end, j_end)]:
        ours, theirs = _moving_ranges(i, x, gone_moves), _moving_ranges(j, y, came)
        while ours or theirs:
            start = end = ours[0][0] if ours else x
            at = stop = theirs[0][0] if theirs else y
            one_moves = next((side for side in (ours, theirs) if side and side[0][2] is not None), None)
            if one_moves is not theirs and ours:
                end = ours.pop(0)[1]
            if one_moves is not ours and theirs:
                stop = theirs.pop(0)[1]
            yield _ChangedRange(start, end, at, stop)
        if x < i_end:
            yield _ChangedRange(x, x + 1, y, y + 1)
        i, j = x + 1, y + 1


def _moving_ranges(start: int, end: int, moves: dict[int, int]) -> list[tuple[int, int, int | None]]:
    """Return the ranges of positions from `start` to `end` whose words belong to one move, or to none.

    Each is (start, end, number of the move or None). `moves` has the number of the move by position.
    """
    out: list[tuple[int, int, int | None]] = []
    for t in range(start, end):
        if out and out[-1][2] == moves.get(t):
            out[-1] = (out[-1][0], t + 1, out[-1][2])
        else:
            out.append((t, t + 1, moves.get(t)))
    return out


def _similar_pairs(a: Tokens, b: Tokens, ours: Sequence[int], theirs: Sequence[int]) -> list[tuple[int, int]]:
    """Return pairs of words with almost the same letters, in order in both texts, with the largest total similarity.

    `ours` and `theirs` are the positions in A and in B that may be paired; so are the returned pairs. The similarity of
    two words ignores case, and is 0 if it is below ALIKE.
    """
    spend(len(ours) * len(theirs))
    best = [[0.0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    folded = [b[j].casefold() for j in theirs]
    shared = [[Indel.normalized_similarity(a[i].casefold(), word, score_cutoff=ALIKE) for word in folded] for i in ours]
    for s in range(len(ours) - 1, -1, -1):
        for t in range(len(theirs) - 1, -1, -1):
            pair_score = best[s + 1][t + 1] + shared[s][t] if shared[s][t] else 0.0
            best[s][t] = max(best[s + 1][t], best[s][t + 1], pair_score)
    out, s, t = [], 0, 0
    while s < len(ours) and t < len(theirs) and best[s][t]:
        if shared[s][t] and best[s][t] == best[s + 1][t + 1] + shared[s][t]:
            out.append((ours[s], theirs[t]))
            s, t = s + 1, t + 1
        elif best[s][t] == best[s + 1][t]:
            s += 1
        else:
            t += 1
    return out


# ---------------------------------------------------------------- what they are worth


class EditShare(NamedTuple):
    """An edit and its `share` of the difference of the scores; the first five fields are those of `WordEdit`.

    Attributes:
        share: what the edit adds to the score, averaged over the orders of making the edits.
        back: the score of the other text if only this edit is undone, for a move both of its edits. It shows the effect
            given all other edits, so it can differ much from `share`.
        orders: the number of orders that `share` averages over; 0 if over all orders, exactly.
    """

    start: int
    end: int
    words: Tokens
    at: int
    move: int | None
    share: float
    back: float
    orders: int = 0


def edit_shares(
    metric: Metric, segment: Segment, other: Tokens, settings: Settings, most: int = MOST
) -> tuple[EditShare, ...]:
    """Return the edits from the segment's candidate to the text `other`, each with its share of the scores' difference.

    A share is what the edit adds to the score, averaged over all orders of making the edits, if there are at most
    `most` edits. For more edits, the average is over pairs of a random order and its reverse, always the same ones;
    fewer pairs, at least one, if the work limit is nearly reached. The shares always sum to the difference of the
    scores. From the other text to the candidate the shares have the opposite sign. If the texts are equal, there are no
    edits. Raises TooHard if not even one pair of orders can be scored.

    >>> from metrics import METRICS, settings
    >>> edit_shares(METRICS["wer"], Segment(("a",), (("a",),)), ("a",), settings("wer"))
    ()
    """
    edits = word_edits(segment.candidate, other)
    if not edits:
        return ()
    everything = (1 << len(edits)) - 1
    known_scores: dict[int, float] = {}

    def score_after(chosen: int) -> float:
        """Return the score after the edits that are set in the bit mask `chosen`; cached."""
        if chosen not in known_scores:
            text = apply_edits(segment.candidate, [edit for p, edit in enumerate(edits) if chosen >> p & 1])
            known_scores[chosen] = score_of(metric, segment._replace(candidate=text), settings)
        return known_scores[chosen]

    before = spent()
    difference = score_after(everything) - score_after(0)
    dear = spent() - before
    orders = 0
    if len(edits) <= most and dear * (1 << len(edits)) / 2 <= steps_left():
        shares = shapley_values(len(edits), [score_after(chosen) for chosen in range(1 << len(edits))])
    else:
        orders, shares = _sampled_shares(len(edits), score_after)
    # The rounding error is added to the largest share, where it matters least.
    largest = max(range(len(edits)), key=lambda p: abs(shares[p]))
    shares[largest] += difference - math.fsum(shares)
    move_bits: dict[int | None, int] = {}  # the edits of each move; other edits, whose move is None, are not in it
    for p, edit in enumerate(edits):
        if edit.move is not None:
            move_bits[edit.move] = move_bits.get(edit.move, 0) | 1 << p
    backs = [score_after(everything ^ move_bits.get(edit.move, 1 << p)) for p, edit in enumerate(edits)]
    return tuple([EditShare(*edit, shares[p], backs[p], orders) for p, edit in enumerate(edits)])


def _sampled_shares(count: int, value: Callable[[int], float]) -> tuple[int, list[float]]:
    """Return the number of random orders that were scored, and what each edit adds, averaged over them.

    `value(chosen)` is the score after the edits in the bit mask `chosen`. Raises TooHard if not even two orders can be
    scored.
    """
    random_orders = random.Random(count)
    added: list[list[float]] = [[] for _ in range(count)]
    orders = 0
    while orders < 2 * PAIRS:
        before = spent()
        order = random_orders.sample(range(count), count)
        new = []
        try:
            for way in (order, order[::-1]):
                chosen = 0
                for p in way:
                    new.append((p, value(chosen | 1 << p) - value(chosen)))
                    chosen |= 1 << p
        except TooHard:
            if not orders:
                raise
            break
        for p, more in new:
            added[p].append(more)
        orders += 2
        if spent() - before > steps_left():
            break
    return orders, [math.fsum(each) / orders for each in added]
