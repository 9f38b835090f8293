"""Slow reference implementations by the definitions: recursions are written out and all possibilities tried."""

from __future__ import annotations

import math
from functools import cache
from itertools import chain, combinations, pairwise


def lcs(a, b):
    """Return the length of the longest common subsequence of `a` and `b`."""
    return _lcs(tuple(a), tuple(b))


@cache
def _lcs(a, b):
    if not a or not b:
        return 0
    if a[-1] == b[-1]:
        return _lcs(a[:-1], b[:-1]) + 1
    return max(_lcs(a[:-1], b), _lcs(a, b[:-1]))


def distance(a, b):
    """Return the edit distance between `a` and `b`."""
    return _distance(tuple(a), tuple(b))


@cache
def _distance(a, b):
    if not a or not b:
        return len(a) + len(b)
    corner = _distance(a[:-1], b[:-1]) + (a[-1] != b[-1])
    return min(corner, _distance(a[:-1], b) + 1, _distance(a, b[:-1]) + 1)


def beam_table(a, b, width):
    """Return the edit distances of all prefixes as TERCOM finds them: (i, j) mapped to the distance.

    Only cells at most `width` from the straight line between the corners are filled."""
    slope = len(b) / len(a) if a else 1
    width = math.ceil(slope / 2 + width) if width < slope / 2 else width
    table = {(0, j): j for j in range(len(b) + 1)}
    for i in range(1, len(a) + 1):
        for j in range(len(b) + 1):
            if math.floor(i * slope) - width <= j < math.floor(i * slope) + width or (i == len(a) and j == len(b)):
                ways = [table.get((i - 1, j), math.inf) + 1, table.get((i, j - 1), math.inf) + 1]
                if j:
                    ways.append(table.get((i - 1, j - 1), math.inf) + (a[i - 1] != b[j - 1]))
                table[i, j] = min(ways)
    return table


def hits(candidate, references):
    """Return all cells (i, k, j) of equal words."""
    return [
        (i, k, j)
        for i, ours in enumerate(candidate)
        for k, reference in enumerate(references)
        for j, theirs in enumerate(reference)
        if ours == theirs
    ]


def subsets(items, most=8):
    """Return all subsets of the first `most` items."""
    items = [*items][:most]
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def matchings_of(names):
    """Return all sets of cells, named “i,k,j” in `names`, in which no word is used twice."""
    columns = {}
    for name in names:
        columns.setdefault(name.split(",")[0], []).append(name)

    def search(rows, used):
        if not rows:
            yield ()
            return
        for name in columns[rows[0]]:
            place = name.partition(",")[2]
            if place not in used:
                yield from ((name, *rest) for rest in search(rows[1:], used | {place}))
        yield from search(rows[1:], used)

    return search(sorted(columns, key=int), frozenset())


def is_matching(cells):
    """Return whether the cells use no word twice."""
    return len({i for i, _, _ in cells}) == len({(k, j) for _, k, j in cells}) == len({*cells})


def is_rising(cells):
    """Return whether the cells are of one reference and rise in both sentences."""
    cells = sorted(cells)
    return all(a[0] < b[0] and a[2] < b[2] and a[1] == b[1] for a, b in pairwise(cells))


def run_lengths(cells):
    """Return the lengths of the runs that the cells form."""
    starts = [(i, k, j) for i, k, j in cells if (i - 1, k, j - 1) not in cells]
    out = []
    for i, k, j in starts:
        length = 0
        while (i + length, k, j + length) in cells:
            length += 1
        out.append(length)
    return out


def free_runs(candidate, references, rows, columns):
    """Return all runs of matching words outside `rows` and `columns`, and all parts of such runs, as tuples of cells.

    `rows` has positions i in the candidate, `columns` pairs (k, j) of a reference and a position in it."""
    free = {(i, k, j) for i, k, j in hits(candidate, references) if i not in rows and (k, j) not in columns}
    out = []
    for i, k, j in free:
        cells = []
        while (i, k, j) in free:
            cells.append((i, k, j))
            out.append(tuple(cells))
            i, j = i + 1, j + 1
    return out


def occurrences(words, sentence):
    """Return the positions in `sentence` at which `words` start."""
    words = tuple(words)
    return [t for t in range(len(sentence)) if tuple(sentence[t : t + len(words)]) == words]


def ribes_place(candidate, reference, i):
    """Return the reference position to which RIBES aligns word `i` of the candidate, or None.

    The first context that occurs exactly once in both sentences decides."""
    for size in range(len(candidate)):
        for start, end in ((i - size, i + 1), (i, i + 1 + size)):
            if start >= 0 and end <= len(candidate):
                words = candidate[start:end]
                if len(occurrences(words, candidate)) == len(occurrences(words, reference)) == 1:
                    return occurrences(words, reference)[0] + i - start
    return None


def ribes_places(candidate, reference):
    """Return the reference positions to which RIBES aligns the candidate's words, in the candidate's order.

    A single aligned word counts only in a reference of one word."""
    places = [ribes_place(candidate, reference, i) for i in range(len(candidate))]
    places = [j for j in places if j is not None]
    return places if len(places) > 1 or len(reference) == 1 else []


def is_close(a, b):
    return math.isclose(a, b, rel_tol=1e-12)
