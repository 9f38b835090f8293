"""N-grams, skip-bigrams and their clipped counts: what is shared by two multisets, and by which occurrences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import TypeVar

from ..types import Run, Segment, Tokens, quoted
from ..types.work import spend

T = TypeVar("T")


def ngrams(words: Sequence[T], order: int) -> list[tuple[T, ...]]:
    """The n-grams of a sentence by start position; none if it is too short.

    >>> ngrams("abcd", 3)
    [('a', 'b', 'c'), ('b', 'c', 'd')]
    """
    return list(zip(*(words[d:] for d in range(order)), strict=False))


def repeats(items: Iterable[T]) -> list[T]:
    """The items that have been there before, as often as they come again.

    >>> repeats("abacaba")
    ['a', 'a', 'b', 'a']
    """
    seen_items = set()
    out = []
    for item in items:
        if item in seen_items:
            out.append(item)
        else:
            seen_items.add(item)
    return out


def skip_bigram_total(length: int, max_skip: int | None) -> int:
    """How many skip-bigrams a sentence of `length` words has: C(length, 2) without a limit.

    >>> skip_bigram_total(4, None), skip_bigram_total(4, 1), skip_bigram_total(1, None)
    (6, 5, 0)
    """
    widest = length - 1 if max_skip is None else min(max_skip + 1, length - 1)
    return widest * length - widest * (widest + 1) // 2 if length else 0


def clipped_counts(items: Iterable[Hashable], others: Iterable[Iterable[Hashable]]) -> list[int]:
    """How many items a bag shares with each of the others: every item as often as the bag with fewer of it has it.

    >>> clipped_counts("aab", ("aaa", "bc"))
    [2, 1]
    """
    counts = Counter(items)
    out = []
    for other in others:
        unpaired_counts = dict(counts)  # of each item how many have no partner yet
        get = unpaired_counts.get
        shared = 0
        for item in other:
            count = get(item)
            if count:
                unpaired_counts[item] = count - 1
                shared += 1
        out.append(shared)
    return out


def paired(items: Sequence[Hashable], others: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Which occurrences the clipped count pairs up, as indexes: leftmost with leftmost, no occurrence twice.

    Clipped counts say how many occurrences match, not which: leftmost first is a convention, so that pictures are
    stable. The pairs ascend in the first index.

    >>> paired("aab", "xbaa")
    [(0, 2), (1, 3), (2, 1)]
    """
    first: dict[Hashable, int] = {}  # the leftmost free occurrence of each item, −1 when all are used
    next_places = [-1] * len(others)  # the next occurrence of the same item
    for t in range(len(others) - 1, -1, -1):
        item = others[t]
        next_places[t] = first.get(item, -1)
        first[item] = t
    out = []
    for s, item in enumerate(items):
        t = first.get(item, -1)
        if t >= 0:
            out.append((s, t))
            first[item] = next_places[t]
    return out


class SkipBigramCounts:
    """The skip-bigrams of a candidate, counted, to be compared with those of any number of references.

    For each word the numbers of times that each candidate word follows it, packed into one integer, a field for each
    word: one addition of such integers counts all pairs that begin at one position.
    """

    def __init__(self, candidate: Sequence[str], longest: int, reach: int) -> None:
        """No sentence is longer than `longest`; the words of a pair are at most `reach` apart, 1 for bigrams."""
        self.reach = reach
        # Wide enough for the number of all pairs, and a bit on top for comparisons.
        self.width = (longest * longest).bit_length() + 1
        self.units = {word: 1 << self.width * t for t, word in enumerate(dict.fromkeys(candidate))}
        self.tops = sum(self.units.values()) << (self.width - 1)
        self.counts = self._followers(candidate)

    def _followers(self, words: Sequence[str]) -> dict[str, int]:
        """For each candidate word in `words` the packed numbers of the candidate words in reach after it."""
        units, reach = self.units, self.reach
        out: dict[str, int] = {}
        window = 0  # the sum of the units of the words in reach
        if reach >= len(words) - 1:
            for word in reversed(words):
                if unit := units.get(word):
                    out[word] = out.get(word, 0) + window
                    window += unit
            return out
        unit_words = [(i, word, units[word]) for i, word in enumerate(words) if word in units]
        end = len(unit_words)  # the window is unit_words[t + 1 : end] when word t is counted
        for i, word, unit in reversed(unit_words):
            while unit_words[end - 1][0] > i + reach:
                end -= 1
                window -= unit_words[end][2]
            out[word] = out.get(word, 0) + window
            window += unit
        return out

    def shared(self, reference: Sequence[str]) -> int:
        """The clipped count: the sum over all pairs of words of the smaller of the two counts.

        >>> SkipBigramCounts(("a", "b", "a", "b"), longest=4, reach=4).shared(("a", "b", "b"))
        3
        """
        counts, tops, shift = self.counts, self.tops, self.width - 1
        total = 0
        for word, theirs in self._followers(reference).items():
            ours = counts[word]
            # A top bit survives where ours ≥ theirs; spread over its field it picks the surplus to be taken off.
            difference = (ours | tops) - theirs
            larger = difference & tops
            total += ours - (difference & (larger - (larger >> shift)))
        # Each field is a digit to the base 2^width, and a number is congruent to the sum of its digits.
        return total % ((1 << self.width) - 1)


class Occurrences:
    """Where the n-grams of a candidate occur in its references, as the set bits of numbers.

    The references stand behind each other in one number, a field of `stride` bits for each, of which at least the last
    is empty, so that no n-gram reaches from one reference into the next. The places of an n-gram are the bits of its
    first words. N-grams of one order that occur at all are the same exactly if their places are: so a number stands
    for an n-gram, and 0 for all that occur nowhere.

    BLEU and NIST clip alike: an n-gram counts at most as often as in the reference that has most of it. This says how
    many of its occurrences count, not which. By our convention an n-gram is drawn where the longest one through it
    lies, the leftmost of equally long ones first. What is in no longer one follows the n-gram before it where it can,
    so that phrases stay whole, and else goes where the most words after it match too. Of equally good places, and of
    those of an n-gram that the candidate has more than once, it takes from left to right the leftmost free ones of the
    reference that has most of it, the first of several such references.
    """

    __slots__ = ("fields", "stride", "words")

    def __init__(self, candidate: Tokens, references: Sequence[Tokens]) -> None:
        self.stride = stride = max(map(len, references)) + 1
        spend(len(candidate) * (4 + stride * len(references) // 500))
        places = dict.fromkeys(candidate, 0)
        get = places.get
        first = 1
        fields = []
        for reference in references:
            bit = first
            for word in reference:
                mask = get(word)
                if mask is not None:
                    places[word] = mask | bit
                bit += bit
            fields.append(bit - first)
            first <<= stride
        self.words = [places[word] for word in candidate]
        self.fields = fields

    def orders(self, most: int) -> Iterator[list[int]]:
        """For the orders 1 to `most`, or as far as the candidate has any, the places of its n-grams from left to right.

        >>> [*Occurrences(("a", "b", "a"), [("a", "b"), ("a",)]).orders(4)]
        [[9, 2, 9], [1, 0], [0]]
        """
        places = words = self.words
        for order in range(1, min(most, len(words)) + 1):
            yield places
            places = [mask and mask & word >> order for mask, word in zip(places, words[order:], strict=False)]

    def fullest_reference(self, places: int) -> int:
        """Those of the places that lie in the reference that has most of them, the first of several such.

        >>> Occurrences(("a",), [("a", "b"), ("a", "a"), ("a", "a")]).fullest_reference(0b011011001)
        24
        """
        return max([places & field for field in self.fields], key=int.bit_count)

    def clipped(self, places: list[int]) -> dict[int, int]:
        """The n-grams that count less often than the candidate has them, and how often they count.

        >>> Occurrences(("a", "a", "b", "b"), [("a", "b", "b")]).clipped([1, 1, 6, 6])
        {1: 1}
        """
        masks = [*filter(None, places)]
        if len({*masks}) == len(masks):
            return {}
        out = {}
        for mask, more in Counter(repeats(masks)).items():
            ours = more + 1
            # With more places than that, one of the references has the n-gram often enough.
            if mask.bit_count() <= (ours - 1) * len(self.fields):
                theirs = self.fullest_reference(mask).bit_count()
                if theirs < ours:
                    out[mask] = theirs
        return out

    def counted(self, places: list[int]) -> list[int]:
        """The places with 0 also for the n-grams that do not count: of each n-gram the leftmost do.

        >>> Occurrences(("a", "a", "b", "b"), [("a", "b", "b")]).counted([1, 1, 6, 6])
        [1, 0, 6, 6]
        """
        remaining_counts = self.clipped(places)
        if not remaining_counts:
            return places
        out = []
        for mask in places:
            if mask in remaining_counts:
                rest = remaining_counts[mask]
                remaining_counts[mask] = max(rest - 1, 0)
                out.append(mask if rest else 0)
            else:
                out.append(mask)
        return out

    def runs_by_order(self, most: int) -> list[list[Run]]:
        """For the orders 1 to `most` the occurrences that count, a run for each, from left to right.

        >>> words, reference = ("the", "cat", "saw", "the", "dog"), ("the", "dog", "saw", "the", "cat")
        >>> [(run.i, run.j) for run in Occurrences(words, [reference]).runs_by_order(2)[0]]
        [(0, 3), (1, 4), (2, 2), (3, 0), (4, 1)]
        """
        places_by_order, stride = [*self.orders(most)], self.stride
        repeats_by_order: list[dict[int, list[int]]] = []
        for places in places_by_order:  # what comes again begins with something shorter that does
            repeats_by_order.append(
                self._repeated_starts(places) if not repeats_by_order or repeats_by_order[-1] else {}
            )
        order_runs: list[list[Run]] = [[] for _ in range(most)]
        longer: list[int] = []
        new = tuple.__new__  # spares the checks of a named tuple
        for order in range(len(places_by_order), 0, -1):
            places, several = places_by_order[order - 1], repeats_by_order[order - 1]
            if longer:  # an n-gram is the first words of one that is longer by a word, or its last words
                place_triples = zip(places, [*longer, 0], [0, *longer], strict=False)
                drawn_places = [
                    before + 1 if before < place else place or (self._leftmost_place(mask, order) if mask else 0)
                    for mask, place, before in place_triples
                ]
            else:
                drawn_places = self._longest(places, order, several)
            for mask, starts in several.items():
                counted = self._several(mask, starts, order, longer)
                for i in starts:
                    drawn_places[i] = counted.get(i, 0)
            order_runs[order - 1] = [
                new(Run, (i, place // stride & _MOST_REFERENCES, place % stride, order))
                for i, place in enumerate(drawn_places)
                if place
            ]
            longer = drawn_places
        return order_runs

    def _longest(self, places: Sequence[int], order: int, repeated_masks: Container[int]) -> list[int]:
        """Where the n-grams of the longest order are drawn, but for those in `repeated_masks`."""
        unit = self.stride << _REFERENCES
        drawn_places: list[int] = []
        add = drawn_places.append
        bit = 0  # the place of the n-gram before
        for mask in places:
            if not mask or mask in repeated_masks:
                add(0)
                bit = 0
            else:
                bit = bit << 1 & mask or (
                    mask if mask & (mask - 1) == 0 else self._farthest(places[len(drawn_places) :])
                )
                add(bit.bit_length() - 1 - order * unit)
        return drawn_places

    def _leftmost_place(self, mask: int, order: int) -> int:
        """Where an n-gram is drawn that is in no longer one: of two places the left one counts, whether they lie in one
        reference or in two."""
        first = self.fullest_reference(mask) if mask.bit_count() > 2 else mask
        return (first & -first).bit_length() - 1 - order * (self.stride << _REFERENCES)

    def _farthest(self, places: Sequence[int]) -> int:
        """Of the places of the first n-gram that from which the longest row of n-grams goes on.

        >>> Occurrences(("a", "b", "c"), [("a", "x", "a", "b")])._farthest([0b101, 0b1000, 0])
        4
        """
        best = places[0]
        for after, mask in enumerate(places):
            rest = best & mask >> after
            if not rest:
                break
            best = rest
        first = self.fullest_reference(best) if best.bit_count() > 2 else best
        return first & -first

    def _repeated_starts(self, places: Sequence[int]) -> dict[int, list[int]]:
        """The n-grams that the candidate has more than once, with their positions."""
        masks = [*filter(None, places)]
        if len({*masks}) == len(masks):
            return {}
        out: dict[int, list[int]] = {mask: [] for mask in repeats(masks)}
        for i, mask in enumerate(places):
            if mask in out:
                out[mask].append(i)
        return out

    def _several(self, mask: int, starts: Sequence[int], order: int, longer: Sequence[int]) -> dict[int, int]:
        """Which of the occurrences of an n-gram count, and where: first those in the longest n-grams, then leftmost."""
        most, unit = self.fullest_reference(mask), self.stride << _REFERENCES
        count = min(len(starts), most.bit_count())
        out: dict[int, int] = {}
        taken_places = 0
        wishes = []
        for start in starts:
            for d in (0, 1):  # as the first words of a longer one, and as its last words
                if 0 <= start - d < len(longer) and longer[start - d]:
                    rank, place = divmod(longer[start - d] + d, unit)
                    wishes.append((rank, start, place))
        for rank, i, place in sorted(wishes):
            if len(out) < count and i not in out and not taken_places >> place & 1:
                out[i] = rank * unit + place
                taken_places |= 1 << place
        rest = most & ~taken_places  # as many as are left to count are free there at least
        for i in starts:
            if len(out) == count:
                break
            if i not in out:
                first = rest & -rest
                out[i] = first.bit_length() - 1 - order * unit
                rest ^= first
        return out


#: Where an n-gram is drawn is one number below 0, which is quicker to make and to compare than a pair: the bit of its
#: place, less `stride << _REFERENCES` times the words of the longest n-gram that it is part of there. 0 says: nowhere.
_REFERENCES = 20
_MOST_REFERENCES = (1 << _REFERENCES) - 1


#: Bits of a grid up to which `clipped_totals` is faster than `Occurrences`.
GRID_LIMIT = 40_000


def clipped_totals(candidate: Tokens, references: Sequence[Tokens], most: int) -> list[int]:
    """For the orders 1 to `most` how many n-grams count: as many as `Occurrences.runs_by_order` gives, only faster.

    The whole grid is one number, a row of bits for each word of the references, in which a bit stands for a word of the
    candidate. Shifted by a row and a bit it meets itself where two words in a row match.

    >>> clipped_totals(("a", "a", "b"), [("a", "b"), ("b", "b", "a")], 4)
    [2, 1, 0, 0]
    """
    size = len(candidate) // 8 + 1  # bytes of a row; the last bit is empty
    width = 8 * size
    words: list[str | None] = []
    starts = []
    for reference in references:
        starts.append(len(words) * width)
        words += reference
        words.append(None)  # an empty row keeps n-grams inside their references
    if len(words) * width > GRID_LIMIT:
        occurrences = Occurrences(candidate, references)
        totals = [sum(map(bool, occurrences.counted(places))) for places in occurrences.orders(most)]
        return totals + [0] * (most - len(totals))
    masks: dict[str | None, int] = {}
    bit = 1
    for word in candidate:
        masks[word] = masks.get(word, 0) | bit
        bit += bit
    rows = {word: mask.to_bytes(size, "little") for word, mask in masks.items()}
    grid = ends = int.from_bytes(b"".join(map(rows.get, words, repeat(bytes(size)))), "little")
    # The n-grams that the candidate has more than once, each as the bits of its last words.
    several = [mask for mask in masks.values() if mask & (mask - 1)]
    first = b"\1" + bytes(size - 1)
    columns = [int.from_bytes(first * len(reference), "little") for reference in references] if several else []
    out = []
    for _ in range(most):
        folded_ends, count = ends, len(words)
        while count > 1:  # fold the rows onto the first
            count = (count + 1) // 2
            folded_ends |= folded_ends >> count * width
        folded_ends &= bit - 1
        total = folded_ends.bit_count()
        for mask in several:
            if mask & folded_ends:
                ours, theirs = mask.bit_count(), 0
                column = mask.bit_length() - 1
                for start, rows_of in zip(starts, columns, strict=True):
                    theirs = max(theirs, (ends >> start + column & rows_of).bit_count())
                    if theirs >= ours:
                        break
                else:
                    total -= ours - theirs
        out.append(total)
        ends = ends << width + 1 & grid
        if several:
            several = _longer(several, candidate, masks)
    return out


def _longer(several: list[int], candidate: Tokens, masks: Mapping[str | None, int]) -> list[int]:
    """From the n-grams that a candidate has more than once those that are a word longer, as the bits of last words."""
    out = []
    for mask in several:
        rest = mask << 1 & (1 << len(candidate)) - 1
        while rest:
            equal_ends = rest & masks[candidate[rest.bit_length() - 1]]
            rest ^= equal_ends
            if equal_ends & (equal_ends - 1):
                out.append(equal_ends)
    return out


def clipping(segment: Segment, most: int, room: int = 3) -> str:
    """A sentence on the n-grams of 1 to `most` words that count less often than the candidate has them, "" for none.

    Names `room` of them, shorter ones first, then from left to right.

    >>> clipping(Segment(tuple("aaab"), (("b", "a", "a"),)), 4)
    'Clipped: “a” counts 2 of 3, “a a” counts 1 of 2.'
    """
    candidate, references = segment
    occurrences = Occurrences(candidate, references)
    clipped_ngrams = []
    for order, places in enumerate(occurrences.orders(most), 1):
        for mask, clipped in occurrences.clipped(places).items():
            start = places.index(mask)
            clipped_ngrams.append((candidate[start : start + order], clipped, places.count(mask)))
    phrases = [
        f"{quoted(' '.join(words))} counts {clipped} of {count}" for words, clipped, count in clipped_ngrams[:room]
    ]
    more = f", and {len(clipped_ngrams) - room} more" if len(clipped_ngrams) > room else ""
    return f"Clipped: {', '.join(phrases)}{more}." if phrases else ""
