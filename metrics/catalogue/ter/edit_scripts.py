"""Shortest edit scripts inside a beam around the diagonal, which TER takes once no shift helps any more."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from ...types.work import spend

#: Which corners of the grid the beam holds: for each row of corners, from the first on, the columns as bits.
Beam: TypeAlias = list[int]

#: The edit distance of the beginnings of a candidate and a reference.
Distances: TypeAlias = Callable[[str, str], float]


class Script(NamedTuple):
    """A shortest edit script from the candidate's words, in their present order, to a reference.

    `substituted` and `extra` are bits of positions in the present order, `replaced` and `missing` of positions in the
    reference. `places[j]` is how many candidate words the script has passed once it has passed reference word j.
    """

    substituted: int
    extra: int
    replaced: int
    missing: int
    places: list[int]

    def distance(self) -> int:
        """The number of edits."""
        return self.substituted.bit_count() + self.extra.bit_count() + self.missing.bit_count()

    def inside(self, beam: Beam) -> bool:
        """Whether its way is surely inside a beam, which then leaves the script as it is.

        The corners before and behind each reference word are looked at. Between them it only passes extra words, along
        a column whose rows in the beam are one stretch, and no shortest script has those right after missing words.
        """
        return all(not i or beam[i - 1] >> j & beam[i] >> j + 1 & 1 for j, i in enumerate(self.places))


def shortest_script(
    words: str, reference: str, distance: float, distances: Distances, beam: Beam | None = None
) -> Script:
    """The script that sacreBLEU's edit distance traces; `distance` is that of the whole sentences.

    With a beam, distances outside are infinite, and equal words whose match leads there do not match.

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


def vectors(hits: Sequence[int], columns: int, beam: Beam | None = None) -> Iterator[tuple[int, int]]:
    """For each row of the table of distances, the first one included, where the distance is one more and where it is
    one less than in the column before, as bits of columns.

    The table is filled a row at a time by addition of bit vectors (Myers 1999, as Hyyrö 2003 writes them). `hits[i]`
    are, as bits, the reference words that equal candidate word i. Outside the beam the distance is infinite.

    >>> [(bin(more), bin(less)) for more, less in vectors([0b01, 0b10], 2)]  # a b for a b
    [('0b11', '0b0'), ('0b10', '0b1'), ('0b0', '0b11')]
    """
    spend((len(hits) + columns) // 2)
    if beam:
        # Outside the beam nothing matches. A way through there is then no shorter than one along the beam's edge, so
        # all distances inside come out as if there were nothing outside.
        hits = [row & (inside >> 1 & above) for row, inside, above in zip(hits, beam[1:], beam, strict=False)]
    full = (1 << columns) - 1
    wide = (4 << columns) - 1  # x ^ wide has the bits of ~x, which would be negative: slower
    # `level` is where the distance is the same as one row up and one column back; `lower`, shifted by one, where it is
    # one more than a row up.
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


def table(hits: Sequence[int], columns: int, beam: Beam | None = None) -> Distances:
    """All distances, from the `vectors`.

    >>> distances = table([0b001, 0b100, 0b010], 3)  # a c b for a b c
    >>> distances("ac", "ab"), distances("acb", "abc")
    (1, 2)
    """
    rows = [*vectors(hits, columns, beam)]

    def distance(words: str, reference: str) -> float:
        i, j = len(words), len(reference)
        if beam and not beam[i] >> j & 1:
            return math.inf
        before = (1 << j) - 1
        more, less = rows[i]
        return i + (more & before).bit_count() - (less & before).bit_count()

    return distance


def beam_of(rows: int, columns: int, width: int) -> Beam:
    """The corners that sacreBLEU's edit distance looks at: `width` columns on each side of a diagonal that leads from
    corner to corner, more where the diagonal is so flat that it would leave the beam, and all of the first row and of
    the end of the last.
    """
    slope = columns / rows if rows else 1.0
    if width < slope / 2:
        width = math.ceil(slope / 2 + width)
    beam = [(2 << columns) - 1]
    for i in range(1, rows + 1):
        middle = math.floor(i * slope)
        right = min(columns + 1, middle + width) if i < rows else columns + 1
        beam.append((1 << right) - (1 << max(0, middle - width)))
    return beam
