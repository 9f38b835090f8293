"""Test where the sentences of long texts end, and which sentences of two texts belong together."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

import pytest

from metrics.text import sentences as module
from metrics.text.sentences import AGREEING, SENTENCES_MOST, Bead, align_sentences, sentences

BEADS = [(1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (1, 0), (0, 1)]  # allowed pairings, the preferred one first
COSTS = dict(zip(BEADS, [0, 1, 1, 3, 2, 2, 1, 1], strict=True))


def split_sentences(text: str) -> list[str]:
    words = text.split()
    parts = sentences(words)
    assert [place for part in parts for place in part] == list(range(len(words))), "every word is in one sentence"
    return [" ".join(words[part.start : part.stop]) for part in parts]


@pytest.mark.parametrize(
    "text",
    [
        *("", "No stop at all", "One two. | Three!", 'He said: "Go." | "Why?" | She left.', "“ Go . ” | He went ."),
        *("What?! | No ... | Really ! ? ! | Yes", "i.e. this, e.g. that, and so on... as ever. | End."),
        "Mr. Smith and Dr. (Prof. J. R. Jones) met. | They spoke.",
        *("Am 3. Mai kam er. | Nr. 7 auch. | Es war 1999. | Dann ging er.", "Version 1.5 is out. | 3 people came."),
        "これ は 本 。 | 「 行く 。 」 | はい ！ ？ | 終 わ り",
        *("ذهب إلى البيت. | هل عاد؟ | نعم.", "वह गया। | वह आया।", ". . ."),
        *(") One. | Two", "<b>. | </b>!"),
    ],
)
def test_sentences_end_behind_stops(text: str) -> None:
    assert split_sentences(text.replace("|", " ")) == [part.strip() for part in text.split("|") if part.strip()]


def test_an_empty_word_is_a_word() -> None:
    assert sentences(["", "a.", "", "B"]) == [range(2), range(2, 4)]


# ---------------------------------------------------------------- paired sentences


def random_sentences(rng: random.Random, count: int, words: Sequence[str]) -> tuple[list[str], list[range]]:
    """Return `words` as a list, and the ranges of positions of `count` random sentences that cover them."""
    ends = [0, *sorted(rng.sample(range(1, len(words)), count - 1)), len(words)]
    return list(words), [range(start, end) for start, end in pairwise(ends)]


def word_shares(a: Sequence[str], b: Sequence[str]) -> dict[tuple[int, int], float]:
    """Return the share of each pair of equal words, by positions (i, j), computed from the definition.

    The share is min(x, y) / (x · y) for a word that `a` has x times and `b` has y times."""
    ours, theirs = Counter(a), Counter(b)
    return {
        (i, j): min(ours[x], theirs[y]) / (ours[x] * theirs[y])
        for i, x in enumerate(a)
        for j, y in enumerate(b)
        if x == y and ours[x] * theirs[y] <= module.KNOWN_MOST
    }


def bead_sequences(n: int, m: int) -> Iterator[list[tuple[int, int]]]:
    """Yield every sequence of beads (p, q) that covers `n` sentences of one text and `m` of the other.

    A bead joins p sentences of one text with q of the other."""
    if not n and not m:
        yield []
    for a, b in BEADS:
        if a <= n and b <= m:
            yield from ([(a, b), *rest] for rest in bead_sequences(n - a, m - b))


def pair_slowly(a: Sequence[str], b: Sequence[str], rows: list[range], columns: list[range]) -> list[Bead] | None:
    """Return the best sequence of beads, found by trying all; None if the texts have too few words in common.

    `rows` and `columns` are the ranges of the sentences in `a` and `b`."""
    shared = word_shares(a, b)

    def shares_within_beads(way: list[tuple[int, int]]) -> list[float]:
        out, x, y = [], 0, 0
        for p, q in way:
            ours = {place for part in rows[x : x + p] for place in part}
            theirs = {place for part in columns[y : y + q] for place in part}
            out.append(sum(share for (i, j), share in shared.items() if i in ours and j in theirs))
            x, y = x + p, y + q
        return out

    def value_and_tie_order(way: list[tuple[int, int]]) -> tuple[float, list[int]]:
        value = sum(shares_within_beads(way)) - sum(COSTS[bead] for bead in way)
        return value, [-BEADS.index(bead) for bead in reversed(way)]

    best = max(bead_sequences(len(rows), len(columns)), key=value_and_tie_order)
    share = sum(shares_within_beads(best))
    return [Bead(*bead) for bead in best] if share and share >= AGREEING * sum(shared.values()) else None


@pytest.mark.slow
def test_sentences_that_go_together_are_those_of_a_slow_search() -> None:
    rng = random.Random(5)
    agreed = 0
    for _ in range(80):
        # No word occurs more than twice, so all shares are exact floats.
        words = [f"w{n}" for n in range(14)] + ["the", "the"]
        rng.shuffle(words)
        other = [word if rng.random() < 0.7 else f"v{at}" for at, word in enumerate(words)]
        if rng.random() < 0.6:
            rng.shuffle(other)
        a, rows = random_sentences(rng, rng.randint(1, 5), words)
        b, columns = random_sentences(rng, rng.randint(3, 5), other)
        expected = pair_slowly(a, b, rows, columns)
        assert align_sentences(a, b, rows, columns) == expected
        agreed += expected is not None
    assert 20 < agreed < 75, "both happen"


def test_beads_take_all_sentences_of_both_texts() -> None:
    rng = random.Random(7)
    words = [f"{'W' if n % 6 == 0 else 'w'}{n}{'.' if n % 6 == 5 else ''}" for n in range(900)]
    other = [word for word in words if rng.random() < 0.8]
    rows, columns = sentences(words), sentences(other)
    beads = align_sentences(words, other, rows, columns)
    assert beads is not None
    ends = list(accumulate(beads, lambda at, bead: Bead(at[0] + bead[0], at[1] + bead[1])))
    assert ends[-1] == (len(rows), len(columns))
    last = [
        (int(words[rows[x - 1].stop - 1][1:].rstrip(".")), int(other[columns[y - 1].stop - 1][1:].rstrip(".")))
        for x, y in ends
    ]
    assert all(abs(ours - theirs) <= 12 for ours, theirs in last), "no further than two sentences"
    assert sum(abs(ours - theirs) <= 6 for ours, theirs in last) > 0.9 * len(last)


def test_breaks_of_texts_with_nothing_in_common_do_not_agree() -> None:
    a, b = "A b. C d. E f.".split(), "G h. I j. K l.".split()
    assert align_sentences(a, b, sentences(a), sentences(b)) is None
    assert align_sentences([], b, [], sentences(b)) is None
    turned = [*a[4:], *a[2:4], *a[:2]]
    assert align_sentences(a, turned, sentences(a), sentences(turned)) is None, "sentences that changed places"


def test_very_many_sentences_are_not_asked_about() -> None:
    words = [f"W{n}." for n in range(SENTENCES_MOST + 1)]
    parts = sentences(words)
    assert len(parts) == SENTENCES_MOST + 1 and align_sentences(words, words, parts, parts) is None
    fewer = words[:-1]
    assert align_sentences(fewer, fewer, parts[:-1], parts[:-1]) == [(1, 1)] * SENTENCES_MOST
