"""Find shortest edit scripts inside a beam, a band around the table's diagonal that limits sacreBLEU's search."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from ...types.work import spend

#: The corners of the grid inside the beam: for each row of corners, from the first on, the columns as bits.
Beam: TypeAlias = list[int]

#: A function that returns the edit distance of a prefix of the candidate and a prefix of the reference.
Distances: TypeAlias = Callable[[str, str], float]


class Script(NamedTuple):
    """A shortest edit script from the candidate, with its words in the order after the shifts so far, to a reference.

    Attributes:
        substituted, extra: bit masks of the candidate positions, in this order, that are substituted or too much.
        replaced, missing: bit masks of the reference positions that are substituted or missing.
        places: `places[j]` is how many candidate words the script has passed once it has passed reference word j."""

    substituted: int
    extra: int
    replaced: int
    missing: int
    places: list[int]

    def distance(self) -> int:
        """Return the number of edits."""
        return self.substituted.bit_count() + self.extra.bit_count() + self.missing.bit_count()

    def inside(self, beam: Beam) -> bool:
        """Return whether the script's path is surely inside the beam, so that the beam does not change the script.

        The method checks the corners before and after each reference word. Between them the path only passes extra
        words, along a column whose rows in the beam are contiguous, and no shortest script has extra words right after
        missing words."""
        return all(not i or beam[i - 1] >> j & beam[i] >> j + 1 & 1 for j, i in enumerate(self.places))


def shortest_script(
    words: str, reference: str, distance: float, distances: Distances, beam: Beam | None = None
) -> Script:
    """Return the shortest edit script that sacreBLEU finds.

    `distances(words, reference)` returns the edit distance of two prefixes, and `distance` is that of the whole
    sentences. With a beam, distances outside are infinite, and equal words whose match leads outside do not match.
    Ties, read from the end: a match or a substitution first, then an extra candidate word, then a missing one.

    >>> from rapidfuzz.distance import Levenshtein
    >>> script = shortest_script("acb", "abc", 2, Levenshtein.distance)
    >>> script.distance(), bin(script.substituted)
    (2, '0b110')
    """
    i, j = len(words), len(reference)
    places = [0] * j
    substituted = extra = replaced = missing = 0
    while i and j:
        if words[i - 1] == reference[j - 1] and (not beam or beam[i - 1] >> j - 1 & 1):
            j -= 1
            places[j] = i
            i -= 1
            continue
        distance -= 1
        before = words[: i - 1]
        if distances(before, reference[: j - 1]) == distance:
            j -= 1
            places[j] = i
            i -= 1
            substituted |= 1 << i
            replaced |= 1 << j
        elif distances(before, reference[:j]) == distance:
            i -= 1
            extra |= 1 << i
        else:
            j -= 1
            places[j] = i
            missing |= 1 << j
    return Script(substituted, extra | (1 << i) - 1, replaced, missing | (1 << j) - 1, places)


def rise_and_fall_masks(hits: Sequence[int], columns: int, beam: Beam | None = None) -> Iterator[tuple[int, int]]:
    """Yield two bit masks for each row of the table of edit distances: where it rises and where it falls.

    A bit of the first mask says that the distance in the next column is one more, a bit of the second that it is one
    less. The first row is included. A row is filled at once by addition of bit vectors (Myers 1999, as Hyyrö 2003
    writes them). `hits[i]` is the bit mask of the reference words that equal candidate word i. Outside the beam the
    distance is infinite.

    >>> [(bin(more), bin(less)) for more, less in rise_and_fall_masks([0b01, 0b10], 2)]  # a b for a b
    [('0b11', '0b0'), ('0b10', '0b1'), ('0b0', '0b11')]
    """
    spend((len(hits) + columns) // 2)
    if beam:
        # Nothing matches outside the beam. So a path outside is not shorter than one along the beam's edge, and all
        # distances inside are as if paths could not leave the beam.
        hits = [row & (inside >> 1 & above) for row, inside, above in zip(hits, beam[1:], beam, strict=False)]
    full = (1 << columns) - 1
    wide = (4 << columns) - 1  # x ^ wide has the bits of ~x, but is not negative, which is faster
    # `level` marks where the distance equals the one a row up and a column back; `lower`, shifted by one, marks where
    # it is one more than a row up.
    more, less = full, 0
    yield more, less
    for row in hits:
        if row:
            level = (((row & more) + more) ^ more) | row | less
            lower = (less | (level | more) ^ wide) << 1 | 1
            more = ((level & more) << 1 | (level | lower) ^ wide) & full
        else:
            level = less
            lower = (more ^ wide) << 1 | 1
            more = ((level | lower) ^ wide) & full
        less = lower & level & full
        yield more, less


def distance_table(hits: Sequence[int], columns: int, beam: Beam | None = None) -> Distances:
    """Return a function that looks up the edit distance of a prefix of the candidate and a prefix of the reference.

    `hits[i]` is the bit mask of the reference words that equal candidate word i, and `columns` the reference's length.

    >>> distances = distance_table([0b001, 0b100, 0b010], 3)  # a c b for a b c
    >>> distances("ac", "ab"), distances("acb", "abc")
    (1, 2)
    """
    rows = [*rise_and_fall_masks(hits, columns, beam)]

    def distance(words: str, reference: str) -> float:
        i, j = len(words), len(reference)
        if beam and not beam[i] >> j & 1:
            return math.inf
        before = (1 << j) - 1
        more, less = rows[i]
        return i + (more & before).bit_count() - (less & before).bit_count()

    return distance


def make_beam(rows: int, columns: int, width: int) -> Beam:
    """Return the beam of sacreBLEU's edit distance: for each row of the table a bit mask of the corners inside it.

    These are `width` columns on each side of a diagonal from corner to corner, more if the slope is so large that the
    diagonal would leave the beam, and all of the first row and of the end of the last."""
    slope = columns / rows if rows else 1.0
    if width < slope / 2:
        width = math.ceil(slope / 2 + width)
    beam = [(2 << columns) - 1]
    for i in range(1, rows + 1):
        middle = math.floor(i * slope)
        right = min(columns + 1, middle + width) if i < rows else columns + 1
        beam.append((1 << right) - (1 << max(0, middle - width)))
    return beam
