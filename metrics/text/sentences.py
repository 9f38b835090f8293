"""Sentences of a long text, and which of them go together in a translation and its reference.

Where sentences end is a small rule that needs no data and holds for any script: a wrong break costs a line on a page,
and changes no score. What is trained for it needs a model for each language (Punkt of NLTK a download), and the rule of
Unicode (UAX 29) breaks behind "Dr." as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

ENDS = frozenset(".!?。！？…؟۔।")  # of sentences
CLOSING = frozenset("\"'”’»)]}」』）】")  # what may follow the end of a sentence and belongs to it
TITLES = frozenset({"Mr.", "Mrs.", "Ms.", "Dr.", "Prof.", "St.", "Fr.", "Hr.", "Nr."})  # before names
SENTENCES_MOST = 200  # a side, of which it is asked which go together
KNOWN_MOST = 9  # places that a word may have in both texts together, to say where they agree
BAND = 16  # sentences by which the one text may run ahead of the other, beside what their numbers say
AGREEING = 0.5  # of what the texts have in common lies in sentences that go together, where breaks agree


class Bead(NamedTuple):
    """So many sentences of the candidate that go with so many of the reference."""

    candidate: int
    reference: int


#: What can go together, and what it must have in common more than words that stand apart.
_COSTS = {
    Bead(1, 1): 0.0,
    Bead(1, 2): 1.0,
    Bead(2, 1): 1.0,
    Bead(2, 2): 3.0,
    Bead(1, 3): 2.0,
    Bead(3, 1): 2.0,
    Bead(1, 0): 1.0,
    Bead(0, 1): 1.0,
}


def sentences(words: Sequence[str]) -> list[range]:
    """The places of the words of each sentence, as they were typed; all words are in one of them.

    A sentence ends behind a word that ends with a stop, and with more stops and closing marks behind it, where the next
    word does not begin with a small letter and the last one is no initial, title or number of a day. No words have no
    sentence.

    >>> sentences("One two. Three by J. Smith said: “ Four ? ” Five e.g. six".split())
    [range(0, 2), range(2, 11), range(11, 14)]
    """
    out, start, ended = [], 0, False
    for i, word in enumerate(words):
        if _goes_on(word):
            ended = ended or word.strip(_CLOSING)[-1:] in ENDS
            continue
        if ended and i > start and not word[:1].islower():
            out.append(range(start, i))
            start = i
        ended = _ends(word)
    return [*out, range(start, len(words))] if words else []


_CLOSING = "".join(CLOSING)


def _goes_on(word: str) -> bool:
    """Whether a word is nothing but stops and marks that close, and so belongs to the words before it."""
    return bool(word) and all(c in CLOSING or c in ENDS for c in word)


def _ends(word: str) -> bool:
    """Whether a sentence can end behind a word that has letters or digits."""
    bare = word.rstrip(_CLOSING)
    before = bare[:-1].lstrip(_OPENING)
    abbreviates = bare.endswith(".") and (
        (len(before) == 1 and before.isupper()) or f"{before}." in TITLES or (before.isdecimal() and len(before) < 3)
    )
    return bare[-1:] in ENDS and not abbreviates


_OPENING = "\"'“‘„‚«([{「『（【"


def paired(
    candidate: Sequence[str], reference: Sequence[str], rows: Sequence[range], columns: Sequence[range]
) -> list[Bead] | None:
    """Which sentences, at the places `rows` and `columns` of the words, go together, from the first to the last: up to
    three of one text with one of the other, two with two, or one with none. None where the breaks do not agree.

    The beads are those in which most of what the texts have in common lies, where a word counts the less the more
    often it comes; of equally good ones those whose last sentences go together one by one. The order is the texts'
    own: sentences that changed places do not agree.

    >>> a, b = "a b . C d . E f .".split(), "A b ; C d . E g .".split()
    >>> paired(a, b, sentences(a), sentences(b))
    [Bead(candidate=2, reference=1), Bead(candidate=1, reference=1)]
    """
    n, m = len(rows), len(columns)
    if not n or not m or max(n, m) > SENTENCES_MOST:
        return None
    common = _common(candidate, reference, rows, columns)
    best: dict[tuple[int, int], tuple[float, Bead]] = {}
    for x in range(n + 1):
        middle = x * m // n
        for y in range(max(0, middle - BAND), min(m, middle + BAND) + 1):
            ways = [
                (
                    best[x - bead.candidate, y - bead.reference][0] + _common_weight(common, x, y, bead) - cost,
                    -order,
                    bead,
                )
                for order, (bead, cost) in enumerate(_COSTS.items())
                if (x - bead.candidate, y - bead.reference) in best
            ]
            if ways:
                value, _, bead = max(ways)
                best[x, y] = value, bead
            elif x == y == 0:
                best[0, 0] = 0.0, Bead(0, 0)
    if (n, m) not in best:
        return None
    out: list[Bead] = []
    x, y, inside = n, m, 0.0
    while x or y:
        bead = best[x, y][1]
        inside += _common_weight(common, x, y, bead)
        out.append(bead)
        x, y = x - bead.candidate, y - bead.reference
    return out[::-1] if inside and inside >= AGREEING * sum(common.values()) else None


def through(first: Iterable[Bead], second: Iterable[Bead]) -> list[tuple[int, int, int]]:
    """Two candidates' beads with one reference as rows of all three: so many sentences of the first candidate, of the
    reference and of the second, where both ways break the reference at the same place.

    >>> through([Bead(1, 1), Bead(1, 2), Bead(1, 0)], [Bead(2, 1), Bead(1, 1), Bead(0, 1)])
    [(1, 1, 2), (2, 2, 1)]
    """
    ends = [{bead.reference: bead.candidate for bead in accumulate(beads, _add_beads)} for beads in (first, second)]
    out, last = [], (0, 0, 0)
    for at in sorted(ends[0].keys() & ends[1].keys()):
        row_end = (ends[0][at], at, ends[1][at])
        out.append((row_end[0] - last[0], row_end[1] - last[1], row_end[2] - last[2]))
        last = row_end
    return out


def _add_beads(end: Bead, bead: Bead) -> Bead:
    """Where a bead ends that follows others."""
    return Bead(end.candidate + bead.candidate, end.reference + bead.reference)


def _common_weight(common: Mapping[tuple[int, int], float], x: int, y: int, bead: Bead) -> float:
    """What the sentences of a bead that ends before x and y have in common."""
    return sum([common.get((x - a, y - b), 0.0) for a in range(1, bead[0] + 1) for b in range(1, bead[1] + 1)])


def _common(
    candidate: Sequence[str], reference: Sequence[str], rows: Sequence[range], columns: Sequence[range]
) -> Mapping[tuple[int, int], float]:
    """What each two sentences have in common: of each word that both texts have a share, so that it counts as often as
    it comes in the text that has it less often."""
    ours, theirs = _places(candidate, rows), _places(reference, columns)
    out: defaultdict[tuple[int, int], float] = defaultdict(float)
    for word, our_places in ours.items():
        their_places = theirs.get(word)
        if not their_places or len(our_places) * len(their_places) > KNOWN_MOST:
            continue
        share = min(len(our_places), len(their_places)) / (len(our_places) * len(their_places))
        for a in our_places:
            for b in their_places:
                out[a, b] += share
    return out


def _places(words: Sequence[str], parts: Iterable[range]) -> dict[str, list[int]]:
    """The sentences in which each word stands, as often as it does."""
    out: dict[str, list[int]] = {}
    for number, part in enumerate(parts):
        for place in part:
            out.setdefault(words[place], []).append(number)
    return out
