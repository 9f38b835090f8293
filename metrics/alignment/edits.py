"""Edit distance of words: how many, by which script, and how many scripts are as short.

A script turns the candidate into the reference with the fewest substitutions, insertions and deletions of one word
each. An insertion is a word that the candidate has and the reference lacks, as speech recognition counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rapidfuzz.distance import LCSseq, Levenshtein

from ..types import Edit, Result, Segment, Tokens, TooHard
from ..types.work import spend
from .lcs import spelled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    _Plane: TypeAlias = NDArray[np.int32]

#: Edit(*fields) from a tuple of fields, without the call in Python that the class itself would make.
_edit: Any = partial(tuple.__new__, Edit)

#: The most places on shortest scripts that `ShortestScripts` counts through, and the most cells that it looks at.
MOST_PLACES = 50_000
MOST_CELLS = 1_000_000


class Nearest(NamedTuple):
    """The reference `k` of the lowest error rate, `errors` of its script, and the two sentences to be compared."""

    k: int
    errors: int
    candidate: Sequence[str]
    reference: Sequence[str]


def nearest(segment: Segment) -> Nearest:
    """The reference of the fewest errors for its length; of equal ones the first. The rate of an empty one is `errors`.

    >>> nearest(Segment(("a", "b"), (("a", "c"), ("a", "b", "c")))).k
    1
    """
    candidate, references = comparable(*segment)
    distance = Levenshtein.distance
    counts = [distance(reference, candidate) for reference in references]
    k = 0
    if len(counts) > 1:
        rates = [errors / (len(reference) or 1) for errors, reference in zip(counts, references, strict=True)]
        k = rates.index(min(rates))
    return Nearest(k, counts[k], candidate, references[k])


def comparable(
    candidate: Sequence[str], references: Sequence[Sequence[str]]
) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """The sentences such that RapidFuzz tells their words apart.

    It compares letters by their code and longer words by Python's hash, of 64 bits and salted. Only the empty word,
    whose hash is 0, would be taken for the letter of code 0: where the candidate has one of these, every word gets a
    letter of its own.
    """
    return spelled(candidate, references) if "" in candidate or "\0" in candidate else (candidate, references)


def hit_count(candidate: Sequence[str], reference: Sequence[str]) -> int:
    """How many words the script of `edit_script` matches; the sentences are `comparable`.

    >>> hit_count("abcd", "xbd")
    2
    """
    return sum([block.size for block in Levenshtein.editops(reference, candidate).as_matching_blocks()])


def edit_script(candidate: Sequence[str], k: int, reference: Sequence[str]) -> list[Edit]:
    """A shortest script between two `comparable` sentences, in order; the steps tile both sentences.

    Matches are as long as they can be, every other step has one word. Ties are RapidFuzz's: words that both sentences
    begin with are matched first, then words that both end with. What is left is traced from the end: a reference word
    is deleted if the distance is less without it; else a candidate word is inserted if the candidate without it is
    nearer to the reference than to the reference without its last word; else the two words are matched or
    substituted. Only sentences of thousands of words are halved first, and each half is traced by itself.

    >>> [edit.op for edit in edit_script("abxd", 0, "abcde")]
    ['match', 'substitution', 'match', 'deletion']
    """
    out = []
    i = j = 0
    op: str
    at_j: int
    at_i: int
    for op, at_j, at_i in Levenshtein.editops(reference, candidate).as_list():  # type: ignore[assignment]
        if at_i > i:
            out.append(("match", i, at_i, k, j, at_j))
        i, j = at_i, at_j
        if op == "replace":
            i, j = at_i + 1, at_j + 1
            out.append(("substitution", at_i, i, k, at_j, j))
        elif op == "insert":
            i = at_i + 1
            out.append(("insertion", at_i, i, k, j, j))
        else:
            j = at_j + 1
            out.append(("deletion", i, i, k, at_j, j))
    if i < len(candidate):
        out.append(("match", i, len(candidate), k, j, len(reference)))
    return list(map(_edit, out))


def script(candidate: Sequence[str], reference: Sequence[str], k: int = 0) -> list[Edit]:
    """The `edit_script` of any two sentences.

    >>> script(["so", "it", "goes"], ["so", "goes"])[1]
    Edit(op='insertion', i_start=1, i_end=2, k=0, j_start=1, j_end=1)
    """
    candidate, (reference,) = comparable(candidate, [reference])
    return edit_script(candidate, k, reference)


def fullest_script(candidate: Sequence[str], reference: Sequence[str], k: int = 0) -> list[Edit]:
    """Of the shortest scripts of two sentences one that matches most words, so that it substitutes fewest.

    That is the `script` where it matches as many. Else it is traced from the end: the two words are matched or
    substituted where that leads to such a script, else a reference word is deleted, else a candidate word inserted.
    Sentences with more than MOST_CELLS cells have their `script`.

    >>> [edit.op for edit in fullest_script("a real wave of it".split(), "which is a real it wave".split())]
    ['deletion', 'deletion', 'match', 'insertion', 'insertion', 'match', 'deletion']
    """
    ours, (theirs,) = comparable(candidate, [reference])
    plain_script = edit_script(ours, k, theirs)
    n, m = len(ours), len(theirs)
    if n * m > MOST_CELLS or hit_count(ours, theirs) == LCSseq.similarity(ours, theirs):
        return plain_script
    import numpy as np

    spend(n + m + n * m // 100)
    letters = {word: t for t, word in enumerate(dict.fromkeys([*candidate, *reference]))}
    rows, columns = (np.array([letters[word] for word in words], dtype=np.int32) for words in (candidate, reference))
    error = min(n, m) + 1  # weighs more than all matches
    plane = _distances(rows, columns, error, -1).tolist()
    cells = []
    i, j = n, m
    while i and j:
        cost = -1 if candidate[i - 1] == reference[j - 1] else error
        if plane[i][j] == plane[i - 1][j - 1] + cost:
            i, j = i - 1, j - 1
            cells.append((i, j))
        elif plane[i][j] == plane[i][j - 1] + error:
            j -= 1
        else:
            i -= 1
    return filled(cells[::-1], tuple(candidate), k, tuple(reference))


class ShortestScripts:
    """All scripts of the fewest edits between two sentences: how many, which cells they use, and the first few.

    A place is a pair (i, j) of numbers of words read. A shortest script never inserts and deletes next to each other,
    since a substitution would do for both; so two scripts that match and substitute the same cells are one.

    >>> scripts = ShortestScripts(("a", "a", "b"), ("a", "b"))
    >>> scripts.count, sorted(scripts.always()), sorted(scripts.sometimes())
    (2, [(2, 1)], [(0, 0), (1, 0)])
    """

    def __init__(self, candidate: Tokens, reference: Tokens) -> None:
        """TooHard where that would take too long: see MOST_CELLS and MOST_PLACES."""
        import numpy as np

        n, m = len(candidate), len(reference)
        if n * m > MOST_CELLS:
            raise TooHard(f"there are {n} × {m} cells, more than {MOST_CELLS}")
        letters = {word: t for t, word in enumerate(dict.fromkeys(candidate + reference))}
        rows = np.array([letters[word] for word in candidate], dtype=np.int32)
        columns = np.array([letters[word] for word in reference], dtype=np.int32)
        before = _distances(rows, columns)
        after = _distances(rows[::-1], columns[::-1])[::-1, ::-1]
        least = before[n, m]
        places = int(np.count_nonzero(before + after == least))
        if places > MOST_PLACES:
            raise TooHard(f"the shortest scripts go through more than {MOST_PLACES} places")
        spend(10 * (n + m) + n * m // 100 + 2 * places)
        cost = rows[:, None] != columns[None, :]
        #: Each place on a shortest script, in order, with the places from which one step of such a script leads to it.
        self._steps: dict[tuple[int, int], list[tuple[int, int]]] = {(0, 0): []}
        steps = [
            (i + down, j + right, i, j)
            for down, right, plane in (
                (1, 1, before[:-1, :-1] + cost + after[1:, 1:] == least),
                (1, 0, before[:-1] + 1 + after[1:] == least),
                (0, 1, before[:, :-1] + 1 + after[:, 1:] == least),
            )
            for i, j in np.argwhere(plane).tolist()
        ]
        # Of the steps to one place those from above come first: rows ascend, and then columns.
        for i, j, from_i, from_j in sorted(steps):
            self._steps.setdefault((i, j), []).append((from_i, from_j))
        self._end = (n, m)
        self._ways = {(0, 0): 1}  # scripts from the beginning to each place
        for place, origins in self._steps.items():
            if origins:
                self._ways[place] = sum([self._ways[origin] for origin in origins])
        self.count: int = self._ways[self._end]
        self._shares = self._through()

    def _through(self) -> dict[tuple[int, int], int]:
        """For each cell that some script matches or substitutes, the number of scripts that do."""
        ways_to_end = dict.fromkeys(self._steps, 0)  # scripts from each place to the end
        ways_to_end[self._end] = 1
        out = {}
        for place, origins in reversed(self._steps.items()):
            for origin in origins:
                ways_to_end[origin] += ways_to_end[place]
                if origin[0] < place[0] and origin[1] < place[1]:
                    out[origin] = self._ways[origin] * ways_to_end[place]
        return out

    def always(self) -> list[tuple[int, int]]:
        """The cells that every script matches or substitutes."""
        return [cell for cell, share in self._shares.items() if share == self.count]

    def sometimes(self) -> list[tuple[int, int]]:
        """The cells that some scripts match or substitute, but not all."""
        return [cell for cell, share in self._shares.items() if share < self.count]

    def __iter__(self) -> Iterator[list[tuple[int, int]]]:
        """The scripts one after the other, each as its cells in order; neighbours in this order are alike."""
        stack: list[tuple[tuple[int, int], tuple[Any, ...]]] = [(self._end, ())]
        while stack:
            place, cells = stack.pop()
            if place == (0, 0):
                yield unlinked(cells)
            for origin in self._steps[place]:
                aligned = origin[0] < place[0] and origin[1] < place[1]
                stack.append((origin, (origin, cells) if aligned else cells))


def _distances(rows: _Plane, columns: _Plane, error: int = 1, match: int = 0) -> _Plane:
    """The plane of edit distances: entry (i, j) is that of the first i and the first j words, where each edit and each
    match counts so much."""
    import numpy as np

    ramp = error * np.arange(len(columns) + 1, dtype=np.int32)
    out = np.empty((len(rows) + 1, len(columns) + 1), dtype=np.int32)
    out[0] = ramp
    for i, word in enumerate(rows):
        row = out[i] + error
        np.minimum(row[1:], out[i, :-1] + np.where(columns != word, error, match), out=row[1:])
        # A row of insertions from the best entry on the left costs one edit a column.
        out[i + 1] = np.minimum.accumulate(row - ramp) + ramp
    return out


def unlinked(cells: Any) -> list[Any]:
    """The things of a linked list, each a pair of a thing and the rest, from the first on.

    >>> unlinked((1, (2, ())))
    [1, 2]
    """
    out = []
    while cells:
        cell, cells = cells
        out.append(cell)
    return out


def filled(cells: Sequence[tuple[int, int]], candidate: Tokens, k: int, reference: Tokens) -> list[Edit]:
    """The script that matches and substitutes these cells: rising, with words left over on one side at most between.

    >>> [edit.op for edit in filled([(1, 0)], ("a", "b"), 0, ("b", "c"))]
    ['insertion', 'match', 'deletion']
    """
    out: list[Edit] = []
    i = j = 0
    for at_i, at_j in [*cells, (len(candidate), len(reference))]:
        out += [Edit("insertion", t, t + 1, k, j, j) for t in range(i, at_i)]
        out += [Edit("deletion", at_i, at_i, k, t, t + 1) for t in range(j, at_j)]
        i, j = at_i + 1, at_j + 1
        if at_i == len(candidate) or at_j == len(reference):
            break
        if candidate[at_i] != reference[at_j]:
            out.append(Edit("substitution", at_i, i, k, at_j, j))
        elif out and out[-1].op == "match":
            out[-1] = out[-1]._replace(i_end=i, j_end=j)
        else:
            out.append(Edit("match", at_i, i, k, at_j, j))
    return out


def remark_on_rate(result: Result) -> str:
    """How an error rate above 1 comes about, "" for any other."""
    if result.score <= 1:
        return ""
    if not result.segment.references[result.decides["score"]]:
        return "The reference is empty: every word of the candidate is an error, over a length of 1."
    return "The rate is above 1: there are more errors than words in the reference."
