"""Find shortest edit scripts inside a beam around the diagonal, which TER uses once no shift helps any more."""

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
    """A shortest edit script from the candidate's words, in their present order, to a reference.

    Attributes:
        substituted, extra: bit sets of positions in the present order.
        replaced, missing: bit sets of positions in the reference.
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
        """Return whether the path of the script is surely inside a beam, so that the beam does not change the script.

        The method checks the corners before and after each reference word. Between them the path only passes extra
        words, along a column whose rows in the beam are contiguous, and no shortest script has extra words right after
        missing words."""
        return all(not i or beam[i - 1] >> j & beam[i] >> j + 1 & 1 for j, i in enumerate(self.places))


def shortest_script(
    words: str, reference: str, distance: float, distances: Distances, beam: Beam | None = None
) -> Script:
    """Return the script that sacreBLEU's edit distance traces; `distance` is that of the whole sentences.

    With a beam, distances outside are infinite, and equal words whose match leads outside do not match. Ties, read from
    the end: a match or a substitution first, then an extra candidate word, then a missing one.

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


def distance_vectors(hits: Sequence[int], columns: int, beam: Beam | None = None) -> Iterator[tuple[int, int]]:
    """Yield, for each row of the table, where the distance is one more and one less than in the column before.

    Both are bit sets of columns; the first row is included. The table is filled a row at a time by addition of bit
    vectors (Myers 1999, as Hyyrö 2003 writes them). `hits[i]` is the bit set of the reference words that equal
    candidate word i. Outside the beam the distance is infinite.

    >>> [(bin(more), bin(less)) for more, less in distance_vectors([0b01, 0b10], 2)]  # a b for a b
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
    """Return a function that looks up all distances, computed by `distance_vectors`.

    >>> distances = distance_table([0b001, 0b100, 0b010], 3)  # a c b for a b c
    >>> distances("ac", "ab"), distances("acb", "abc")
    (1, 2)
    """
    rows = [*distance_vectors(hits, columns, beam)]

    def distance(words: str, reference: str) -> float:
        i, j = len(words), len(reference)
        if beam and not beam[i] >> j & 1:
            return math.inf
        before = (1 << j) - 1
        more, less = rows[i]
        return i + (more & before).bit_count() - (less & before).bit_count()

    return distance


def beam_of(rows: int, columns: int, width: int) -> Beam:
    """Return the corners that sacreBLEU's edit distance visits.

    They are `width` columns on each side of a diagonal from corner to corner, more if the slope is so large that the
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
