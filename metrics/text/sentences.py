"""Split a long text into sentences, and find which sentences of a translation and its reference correspond.

The rule for the ends of sentences is small, needs no data and works for any script: a wrong break costs a line on a
page and changes no score. Trained splitters need a model for each language (NLTK's Punkt needs a download), and the
rule of Unicode (UAX 29) breaks after "Dr." as well."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

ENDS = frozenset(".!?。！？…؟۔।")  # marks that end a sentence
CLOSING = frozenset("\"'”’»)]}」』）】")  # marks that may follow the end of a sentence and belong to it
TITLES = frozenset({"Mr.", "Mrs.", "Ms.", "Dr.", "Prof.", "St.", "Fr.", "Hr.", "Nr."})  # abbreviations before names
SENTENCES_MOST = 200  # the most sentences of a text; longer texts are not paired
KNOWN_MOST = 9  # words with more pairs of occurrences than this are no evidence
BAND = 16  # how many sentences a pair may be away from the diagonal of the two texts
AGREEING = 0.5  # breaks agree if at least this share of the common words is in corresponding sentences


class Bead(NamedTuple):
    """A group of consecutive sentences of two texts that correspond.

    Attributes:
        candidate: the number of sentences of the candidate in the group.
        reference: the number of sentences of the reference in the group."""

    candidate: int
    reference: int


#: The possible beads, and the cost of each in common words.
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
    """Split a text into sentences; return the range of word positions of each.

    Every word is in exactly one sentence, and an empty text has none. A sentence ends after a word that ends with a
    full stop or similar mark, including further marks and closing quotes after it. The next word must not begin with a
    small letter, and the last word must not be an initial, a title or the number of a day.

    >>> sentences("One two. Three by J. Smith said: “ Four ? ” Five e.g. six".split())
    [range(0, 2), range(2, 11), range(11, 14)]
    """
    out, start, ended = [], 0, False
    for i, word in enumerate(words):
        if _belongs_to_previous(word):
            ended = ended or word.strip(_CLOSING)[-1:] in ENDS
            continue
        if ended and i > start and not word[:1].islower():
            out.append(range(start, i))
            start = i
        ended = _can_end_sentence(word)
    return [*out, range(start, len(words))] if words else []


_CLOSING = "".join(CLOSING)


def _belongs_to_previous(word: str) -> bool:
    """Return whether a word consists of stops and closing marks only, and so belongs to the words before it."""
    return bool(word) and all(c in CLOSING or c in ENDS for c in word)


def _can_end_sentence(word: str) -> bool:
    """Return whether a sentence can end after a word: it ends with a mark such as a full stop.

    A word that is an abbreviation cannot end a sentence."""
    bare = word.rstrip(_CLOSING)
    before = bare[:-1].lstrip(_OPENING)
    abbreviates = bare.endswith(".") and (
        (len(before) == 1 and before.isupper()) or f"{before}." in TITLES or (before.isdecimal() and len(before) < 3)
    )
    return bare[-1:] in ENDS and not abbreviates


_OPENING = "\"'“‘„‚«([{「『（【"


def align_sentences(
    candidate: Sequence[str], reference: Sequence[str], rows: Sequence[range], columns: Sequence[range]
) -> list[Bead] | None:
    """Return which sentences of candidate and reference correspond, in order, as beads (groups of sentences).

    `rows` and `columns` are the ranges of word positions of the sentences of the candidate and of the reference. A bead
    has up to three sentences of one text with one of the other, two with two, or one with none. None is returned if
    fewer than half of the common words are in corresponding sentences, or if there are too many sentences.

    The beads are chosen so that corresponding sentences share as many words as possible; a word counts less the more
    often it occurs. Of equally good solutions, the one whose last sentences correspond one to one is chosen. The order
    of sentences is kept: sentences that changed places do not correspond.

    >>> a, b = "a b . C d . E f .".split(), "A b ; C d . E g .".split()
    >>> align_sentences(a, b, sentences(a), sentences(b))
    [Bead(candidate=2, reference=1), Bead(candidate=1, reference=1)]
    """
    n, m = len(rows), len(columns)
    if not n or not m or max(n, m) > SENTENCES_MOST:
        return None
    common = _common_weights(candidate, reference, rows, columns)
    best: dict[tuple[int, int], tuple[float, Bead]] = {}
    for x in range(n + 1):
        middle = x * m // n
        for y in range(max(0, middle - BAND), min(m, middle + BAND) + 1):
            ways = [
                (
                    best[x - bead.candidate, y - bead.reference][0] + _bead_weight(common, x, y, bead) - cost,
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
        inside += _bead_weight(common, x, y, bead)
        out.append(bead)
        x, y = x - bead.candidate, y - bead.reference
    return out[::-1] if inside and inside >= AGREEING * sum(common.values()) else None


def join_beads(first: Iterable[Bead], second: Iterable[Bead]) -> list[tuple[int, int, int]]:
    """Return rows of corresponding sentences of two candidates and their reference.

    `first` and `second` are the beads of the two candidates with the reference. Each row has the number of sentences of
    the first candidate, of the reference and of the second candidate. Rows end where both candidates break the
    reference at the same position.

    >>> join_beads([Bead(1, 1), Bead(1, 2), Bead(1, 0)], [Bead(2, 1), Bead(1, 1), Bead(0, 1)])
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
    """Return the numbers of sentences up to the end of `bead`; `end` has the numbers up to its start."""
    return Bead(end.candidate + bead.candidate, end.reference + bead.reference)


def _bead_weight(common: Mapping[tuple[int, int], float], x: int, y: int, bead: Bead) -> float:
    """Return the weight of the words that candidate and reference share within a bead.

    The bead's last sentences are `x - 1` of the candidate and `y - 1` of the reference. `common` has the weight for
    each pair of sentences."""
    return sum([common.get((x - a, y - b), 0.0) for a in range(1, bead[0] + 1) for b in range(1, bead[1] + 1)])


def _common_weights(
    candidate: Sequence[str], reference: Sequence[str], rows: Sequence[range], columns: Sequence[range]
) -> Mapping[tuple[int, int], float]:
    """Return the weight of the words that two sentences share, for each pair of sentences of the two texts.

    `rows` and `columns` are the ranges of word positions of the sentences of candidate and reference. A pair is given
    by the indices of its two sentences; pairs without a common word are missing. Each word that both texts have is
    distributed over the pairs of sentences that have it. In total it counts as often as it occurs in the text that has
    it less often."""
    ours, theirs = _sentences_by_word(candidate, rows), _sentences_by_word(reference, columns)
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


def _sentences_by_word(words: Sequence[str], parts: Iterable[range]) -> dict[str, list[int]]:
    """Return a dict from each word to the indices of the sentences in which it occurs, once per occurrence.

    `parts` are the ranges of word positions of the sentences."""
    out: dict[str, list[int]] = {}
    for number, part in enumerate(parts):
        for place in part:
            out.setdefault(words[place], []).append(number)
    return out
