"""N-grams, skip-bigrams and their clipped counts: how much two multisets share, and which occurrences match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import TypeVar

from ..types import Run, Segment, Tokens, quote_text
from ..types.work import spend

T = TypeVar("T")


def ngrams(words: Sequence[T], order: int) -> list[tuple[T, ...]]:
    """Return the n-grams of `order` words of a sentence by start position; none if the sentence is too short.

    >>> ngrams("abcd", 3)
    [('a', 'b', 'c'), ('b', 'c', 'd')]
    """
    return list(zip(*(words[d:] for d in range(order)), strict=False))


def repeated_occurrences(items: Iterable[T]) -> list[T]:
    """Return every occurrence of each item except its first one, in order.

    >>> repeated_occurrences("abacaba")
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
    """Return the number of skip-bigrams of a sentence of `length` words; C(length, 2) if `max_skip` is None, no limit.

    >>> skip_bigram_total(4, None), skip_bigram_total(4, 1), skip_bigram_total(1, None)
    (6, 5, 0)
    """
    widest = length - 1 if max_skip is None else min(max_skip + 1, length - 1)
    return widest * length - widest * (widest + 1) // 2 if length else 0


def clipped_counts(items: Iterable[Hashable], others: Iterable[Iterable[Hashable]]) -> list[int]:
    """Return, for each collection in `others`, how many items it shares with `items`.

    An item counts as often as the collection that has fewer of it.

    >>> clipped_counts("aab", ("aaa", "bc"))
    [2, 1]
    """
    counts = Counter(items)
    out = []
    for other in others:
        unpaired_counts = dict(counts)  # item → number of its occurrences without a partner so far
        get = unpaired_counts.get
        shared = 0
        for item in other:
            count = get(item)
            if count:
                unpaired_counts[item] = count - 1
                shared += 1
        out.append(shared)
    return out


def leftmost_pairs(items: Sequence[Hashable], others: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return the pairs of occurrences that the clipped count matches, as (index in `items`, index in `others`).

    Equal items are paired leftmost with leftmost, and none is used twice. Clipped counts say how many occurrences
    match, not which ones. Leftmost first is a convention that keeps pictures stable. The pairs ascend in the first
    index.

    >>> leftmost_pairs("aab", "xbaa")
    [(0, 2), (1, 3), (2, 1)]
    """
    first: dict[Hashable, int] = {}  # item → its leftmost free occurrence, −1 when all are used
    next_places = [-1] * len(others)  # for each occurrence, the next one of the same item, or −1
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
    """The counted skip-bigrams of a candidate, to be compared with the skip-bigrams of any number of references.

    For each word, one integer packs the numbers of times that each candidate word follows it, in one bit field for each
    following word. Adding two such integers adds the counts of all their pairs at once.
    """

    def __init__(self, candidate: Sequence[str], longest: int, reach: int) -> None:
        """Count the skip-bigrams of the candidate.

        `longest` is the largest number of words of any sentence; it determines the width of the bit fields. `reach` is
        the largest distance between the two words of a pair, 1 for bigrams.
        """
        self.reach = reach
        # A field is wide enough for the number of all pairs, plus a top bit for comparisons.
        self.width = (longest * longest).bit_length() + 1
        self.units = {word: 1 << self.width * t for t, word in enumerate(dict.fromkeys(candidate))}
        self.tops = sum(self.units.values()) << (self.width - 1)
        self.counts = self._packed_follower_counts(candidate)

    def _packed_follower_counts(self, words: Sequence[str]) -> dict[str, int]:
        """Return how often each candidate word follows each word of `words` within reach.

        Only words that the candidate has are included. The counts for one word are packed into one integer, with a bit
        field for each following word.
        """
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

    def shared_count(self, reference: Sequence[str]) -> int:
        """Return the clipped count with a reference: the sum over all word pairs of the smaller of the two counts.

        >>> SkipBigramCounts(("a", "b", "a", "b"), longest=4, reach=4).shared_count(("a", "b", "b"))
        3
        """
        counts, tops, shift = self.counts, self.tops, self.width - 1
        total = 0
        for word, theirs in self._packed_follower_counts(reference).items():
            ours = counts[word]
            # The top bit of a field survives where ours ≥ theirs; spread over the field, it masks the surplus.
            difference = (ours | tops) - theirs
            larger = difference & tops
            total += ours - (difference & (larger - (larger >> shift)))
        # Each field is a digit to the base 2^width, so the number is congruent to the sum of its fields.
        return total % ((1 << self.width) - 1)


class NgramOccurrences:
    """The occurrences of a candidate's n-grams in its references, as bit masks.

    All references are concatenated in one bit mask, with a field of `stride` bits for each. At least the last bit of a
    field is empty, so no n-gram extends from one reference into the next. The place mask of an n-gram has a bit set at
    the first word of each of its occurrences. Two n-grams of one order that occur at all are the same exactly if their
    place masks are equal. So a place mask identifies an n-gram, and 0 means that it occurs nowhere.

    BLEU and NIST clip in the same way: an n-gram counts at most as often as in the reference that has most of it. This
    says how many of its occurrences count, not which ones. By our convention, an n-gram is drawn where the longest
    n-gram that contains it is drawn, the leftmost of equally long ones first. An n-gram that is in no longer one
    follows the n-gram before it if it can, so that phrases stay together; else it goes where most of the words after it
    match as well. Of equally good places, and of the places of an n-gram that the candidate has more than once, the
    leftmost free ones are taken from left to right, in the reference that has most of the n-gram, the first of several
    such references.
    """

    __slots__ = ("fields", "stride", "words")

    def __init__(self, candidate: Tokens, references: Sequence[Tokens]) -> None:
        """Index the positions of every candidate word in the references, of which there must be at least one."""
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

    def place_masks_by_order(self, most: int) -> Iterator[list[int]]:
        """Yield, for the orders 1 to `most`, the place masks of the candidate's n-grams from left to right.

        A place mask has a bit set at each occurrence in the references. The iterator stops early if the candidate is
        shorter than `most` words.

        >>> [*NgramOccurrences(("a", "b", "a"), [("a", "b"), ("a",)]).place_masks_by_order(4)]
        [[9, 2, 9], [1, 0], [0]]
        """
        places = words = self.words
        for order in range(1, min(most, len(words)) + 1):
            yield places
            places = [mask and mask & word >> order for mask, word in zip(places, words[order:], strict=False)]

    def fullest_reference(self, places: int) -> int:
        """Return the part of a place mask that lies in the reference with the most set bits.

        On ties it is the first such reference. `places` is the bit mask of the occurrences of an n-gram in all
        references.

        >>> NgramOccurrences(("a",), [("a", "b"), ("a", "a"), ("a", "a")]).fullest_reference(0b011011001)
        24
        """
        return max([places & field for field in self.fields], key=int.bit_count)

    def count_by_clipped_mask(self, places: list[int]) -> dict[int, int]:
        """Return how often each clipped n-gram counts, by its place mask.

        An n-gram is clipped if it counts less often than the candidate has it. `places` has the place mask of the
        candidate's n-gram at each position.

        >>> NgramOccurrences(("a", "a", "b", "b"), [("a", "b", "b")]).count_by_clipped_mask([1, 1, 6, 6])
        {1: 1}
        """
        masks = [*filter(None, places)]
        if len({*masks}) == len(masks):
            return {}
        out = {}
        for mask, more in Counter(repeated_occurrences(masks)).items():
            ours = more + 1
            # With more places than this, at least one reference has the n-gram often enough.
            if mask.bit_count() <= (ours - 1) * len(self.fields):
                theirs = self.fullest_reference(mask).bit_count()
                if theirs < ours:
                    out[mask] = theirs
        return out

    def drop_uncounted_places(self, places: list[int]) -> list[int]:
        """Return the place masks of the candidate's n-grams, with 0 for occurrences that do not count.

        `places` has the place mask of the candidate's n-gram at each position. Of each n-gram the leftmost occurrences
        count.

        >>> NgramOccurrences(("a", "a", "b", "b"), [("a", "b", "b")]).drop_uncounted_places([1, 1, 6, 6])
        [1, 0, 6, 6]
        """
        remaining_counts = self.count_by_clipped_mask(places)
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
        """Return, for the orders 1 to `most`, a run for each n-gram occurrence that counts, from left to right.

        >>> words, reference = ("the", "cat", "saw", "the", "dog"), ("the", "dog", "saw", "the", "cat")
        >>> [(run.i, run.j) for run in NgramOccurrences(words, [reference]).runs_by_order(2)[0]]
        [(0, 3), (1, 4), (2, 2), (3, 0), (4, 1)]
        """
        places_by_order, stride = [*self.place_masks_by_order(most)], self.stride
        repeats_by_order: list[dict[int, list[int]]] = []
        for places in places_by_order:  # a repeated n-gram begins with a repeated shorter one, so stop at none
            repeats_by_order.append(
                self._repeated_starts(places) if not repeats_by_order or repeats_by_order[-1] else {}
            )
        order_runs: list[list[Run]] = [[] for _ in range(most)]
        longer: list[int] = []
        new = tuple.__new__  # spares the checks of a named tuple
        for order in range(len(places_by_order), 0, -1):
            places, several = places_by_order[order - 1], repeats_by_order[order - 1]
            if longer:  # an n-gram is contained in a longer one as its first words or as its last words
                place_triples = zip(places, [*longer, 0], [0, *longer], strict=False)
                drawn_places = [
                    before + 1 if before < place else place or (self._leftmost_place(mask, order) if mask else 0)
                    for mask, place, before in place_triples
                ]
            else:
                drawn_places = self._draw_longest(places, order, several)
            for mask, starts in several.items():
                counted = self._draw_repeated(mask, starts, order, longer)
                for i in starts:
                    drawn_places[i] = counted.get(i, 0)
            order_runs[order - 1] = [
                new(Run, (i, place // stride & _MOST_REFERENCES, place % stride, order))
                for i, place in enumerate(drawn_places)
                if place
            ]
            longer = drawn_places
        return order_runs

    def _draw_longest(self, places: Sequence[int], order: int, repeated_masks: Container[int]) -> list[int]:
        """Return the encoded places where the n-grams of the longest order are drawn, 0 for those in `repeated_masks`.

        `places` has the place mask of the n-gram at each candidate position. The encoding is explained at
        `_REFERENCES`.
        """
        unit = self.stride << _REFERENCES
        drawn_places: list[int] = []
        add = drawn_places.append
        bit = 0  # the place of the previous n-gram
        for mask in places:
            if not mask or mask in repeated_masks:
                add(0)
                bit = 0
            else:
                bit = bit << 1 & mask or (
                    mask if mask & (mask - 1) == 0 else self._longest_continued_place(places[len(drawn_places) :])
                )
                add(bit.bit_length() - 1 - order * unit)
        return drawn_places

    def _leftmost_place(self, mask: int, order: int) -> int:
        """Return the encoded place where an n-gram that is in no longer one is drawn.

        It is the leftmost place of the place mask `mask` in the reference that has most of the n-gram. If there are
        only two places, it is the left one, in whichever reference. The encoding is explained at `_REFERENCES`.
        """
        first = self.fullest_reference(mask) if mask.bit_count() > 2 else mask
        return (first & -first).bit_length() - 1 - order * (self.stride << _REFERENCES)

    def _longest_continued_place(self, places: Sequence[int]) -> int:
        """Return the place of the first n-gram after which the most n-grams also match in the reference.

        The place is a mask of one bit. `places` has the place masks of this n-gram and of those that follow it in the
        candidate.

        >>> NgramOccurrences(("a", "b", "c"), [("a", "x", "a", "b")])._longest_continued_place([0b101, 0b1000, 0])
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
        """Return the candidate positions of each n-gram that the candidate has more than once, by its place mask."""
        masks = [*filter(None, places)]
        if len({*masks}) == len(masks):
            return {}
        out: dict[int, list[int]] = {mask: [] for mask in repeated_occurrences(masks)}
        for i, mask in enumerate(places):
            if mask in out:
                out[mask].append(i)
        return out

    def _draw_repeated(self, mask: int, starts: Sequence[int], order: int, longer: Sequence[int]) -> dict[int, int]:
        """Return the encoded places where a repeated n-gram is drawn, by the candidate position of the occurrence.

        Only occurrences that count are included: first the ones in the longest n-grams, then the leftmost ones. `mask`
        is the place mask of the n-gram, `starts` are its candidate positions, and `longer` has the encoded places of
        the n-grams that are one word longer. The encoding is explained at `_REFERENCES`.
        """
        most, unit = self.fullest_reference(mask), self.stride << _REFERENCES
        count = min(len(starts), most.bit_count())
        out: dict[int, int] = {}
        taken_places = 0
        wishes = []
        for start in starts:
            for d in (0, 1):  # the occurrence is the first words of a longer n-gram, or its last words
                if 0 <= start - d < len(longer) and longer[start - d]:
                    rank, place = divmod(longer[start - d] + d, unit)
                    wishes.append((rank, start, place))
        for rank, i, place in sorted(wishes):
            if len(out) < count and i not in out and not taken_places >> place & 1:
                out[i] = rank * unit + place
                taken_places |= 1 << place
        rest = most & ~taken_places  # has at least as many free places as occurrences that still count
        for i in starts:
            if len(out) == count:
                break
            if i not in out:
                first = rest & -rest
                out[i] = first.bit_length() - 1 - order * unit
                rest ^= first
        return out


#: Where an n-gram is drawn is encoded as one negative integer, which is faster to build and compare than a pair: the
#: bit index of its place, minus `stride << _REFERENCES` times the length of the longest n-gram that contains it there.
#: 0 means that the n-gram is not drawn.
_REFERENCES = 20
_MOST_REFERENCES = (1 << _REFERENCES) - 1


#: The number of bits of a grid up to which `clipped_totals` is faster than `NgramOccurrences`.
GRID_LIMIT = 40_000


def clipped_totals(candidate: Tokens, references: Sequence[Tokens], most: int) -> list[int]:
    """Return how many n-grams of each order from 1 to `most` count, after clipping.

    This is faster than counting the runs of `Occurrences.runs_by_order`. The whole grid is one integer with a row of
    bits for each reference word, and a bit in it for each candidate word. The grid shifted by one row and one bit
    overlaps with itself where two consecutive words match.

    >>> clipped_totals(("a", "a", "b"), [("a", "b"), ("b", "b", "a")], 4)
    [2, 1, 0, 0]
    """
    size = len(candidate) // 8 + 1  # bytes per row; the last bit is always empty
    width = 8 * size
    words: list[str | None] = []
    starts = []
    for reference in references:
        starts.append(len(words) * width)
        words += reference
        words.append(None)  # an empty row prevents n-grams from extending into the next reference
    if len(words) * width > GRID_LIMIT:
        occurrences = NgramOccurrences(candidate, references)
        totals = [
            sum(map(bool, occurrences.drop_uncounted_places(places)))
            for places in occurrences.place_masks_by_order(most)
        ]
        return totals + [0] * (most - len(totals))
    masks: dict[str | None, int] = {}
    bit = 1
    for word in candidate:
        masks[word] = masks.get(word, 0) | bit
        bit += bit
    rows = {word: mask.to_bytes(size, "little") for word, mask in masks.items()}
    grid = ends = int.from_bytes(b"".join(map(rows.get, words, repeat(bytes(size)))), "little")
    # The n-grams that the candidate has more than once, each as the bits of the positions of its last words.
    several = [mask for mask in masks.values() if mask & (mask - 1)]
    first = b"\1" + bytes(size - 1)
    columns = [int.from_bytes(first * len(reference), "little") for reference in references] if several else []
    out = []
    for _ in range(most):
        folded_ends, count = ends, len(words)
        while count > 1:  # combine all rows into the first one
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
            several = _longer_repeats(several, candidate, masks)
    return out


def _longer_repeats(several: list[int], candidate: Tokens, masks: Mapping[str | None, int]) -> list[int]:
    """Return the repeated n-grams that are one word longer than the given repeated ones.

    An n-gram is given as a bit mask of the candidate positions of its last words. `masks` has the bit mask of the
    positions of each candidate word.
    """
    out = []
    for mask in several:
        rest = mask << 1 & (1 << len(candidate)) - 1
        while rest:
            equal_ends = rest & masks[candidate[rest.bit_length() - 1]]
            rest ^= equal_ends
            if equal_ends & (equal_ends - 1):
                out.append(equal_ends)
    return out


def describe_clipping(segment: Segment, most: int, named_most: int = 3) -> str:
    """Return a sentence that names clipped n-grams of 1 to `most` words, or "" if no n-gram is clipped.

    An n-gram is clipped if it counts less often than the candidate has it. The sentence names `named_most` n-grams at
    most, shorter ones first, then from left to right.

    >>> describe_clipping(Segment(tuple("aaab"), (("b", "a", "a"),)), 4)
    'Clipped: “a” counts 2 of 3, “a a” counts 1 of 2.'
    """
    candidate, references = segment
    occurrences = NgramOccurrences(candidate, references)
    clipped_ngrams = []
    for order, places in enumerate(occurrences.place_masks_by_order(most), 1):
        for mask, clipped in occurrences.count_by_clipped_mask(places).items():
            start = places.index(mask)
            clipped_ngrams.append((candidate[start : start + order], clipped, places.count(mask)))
    phrases = [
        f"{quote_text(' '.join(words))} counts {clipped} of {count}"
        for words, clipped, count in clipped_ngrams[:named_most]
    ]
    more = f", and {len(clipped_ngrams) - named_most} more" if len(clipped_ngrams) > named_most else ""
    return f"Clipped: {', '.join(phrases)}{more}." if phrases else ""
