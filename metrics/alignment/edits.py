"""Edit distance of words: the number of edits, the script of edits, and the number of equally short scripts.

A script turns the candidate into the reference with the fewest substitutions, insertions and deletions of one word
each. An insertion is a word that the candidate has and the reference lacks, as in speech recognition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rapidfuzz.distance import LCSseq, Levenshtein

from ..types import ARITHMETIC, Composition, Edit, Result, Segment, Tokens, TooHard
from ..types.work import spend
from .lcs import words_as_letters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    _Plane: TypeAlias = NDArray[np.int32]

#: Makes an Edit from a tuple of its fields, faster than the class does, because no Python function is called.
_edit: Any = partial(tuple.__new__, Edit)

#: The largest numbers of edit-table entries on shortest scripts, and of grid cells, that `ShortestScripts` accepts.
MOST_PLACES = 50_000
MOST_CELLS = 1_000_000


class NearestReference(NamedTuple):
    """The reference with the lowest error rate, prepared for comparison with the candidate.

    Attributes:
        k: the index of the reference.
        errors: the number of edits of its shortest script.
        candidate, reference: the two sentences, as `make_comparable` returns them.
    """

    k: int
    errors: int
    candidate: Sequence[str]
    reference: Sequence[str]


def nearest_reference(segment: Segment) -> NearestReference:
    """Return the reference with the fewest errors divided by its length, the first one on ties.

    An empty reference counts as one word long here.

    >>> nearest_reference(Segment(("a", "b"), (("a", "c"), ("a", "b", "c")))).k
    1
    """
    candidate, references = make_comparable(*segment)
    distance = Levenshtein.distance
    counts = [distance(reference, candidate) for reference in references]
    k = 0
    if len(counts) > 1:
        rates = [errors / (len(reference) or 1) for errors, reference in zip(counts, references, strict=True)]
        k = rates.index(min(rates))
    return NearestReference(k, counts[k], candidate, references[k])


def make_comparable(
    candidate: Sequence[str], references: Sequence[Sequence[str]]
) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """Return the sentences in a form in which RapidFuzz can tell their words apart; usually this is their given form.

    RapidFuzz compares letters by their code, and longer words by Python's hash, which has 64 bits and is salted. Only
    the empty word, whose hash is 0, would be mistaken for the letter with code 0. If the candidate has one of these
    two, every word is replaced by a letter of its own.
    """
    return words_as_letters(candidate, references) if "" in candidate or "\0" in candidate else (candidate, references)


def script_match_count(candidate: Sequence[str], reference: Sequence[str]) -> int:
    """Return the number of words that the shortest script of `edit_script` matches.

    The sentences must come from `make_comparable`, because RapidFuzz compares words by their hashes.

    >>> script_match_count("abcd", "xbd")
    2
    """
    return sum([block.size for block in Levenshtein.editops(reference, candidate).as_matching_blocks()])


def edit_script(candidate: Sequence[str], k: int, reference: Sequence[str]) -> list[Edit]:
    """Return a script with the fewest edits from the candidate to reference `k`, in order.

    It covers both sentences completely. The sentences must come from `make_comparable`, because RapidFuzz compares
    words by their hashes.

    Each match is as long as possible; every other edit has one word. Ties are broken as in RapidFuzz: words at the
    common beginning are matched first, then words at the common end. The rest is traced backwards from the end: a
    reference word is deleted if that makes the distance smaller; else a candidate word is inserted if the candidate
    without it is nearer to the reference than to the reference without its last word; else the two words are matched or
    substituted. Only sentences of thousands of words are first split in half, and each half is traced separately.

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


def shortest_script(candidate: Sequence[str], reference: Sequence[str], k: int = 0) -> list[Edit]:
    """Return a script with the fewest edits from the candidate to reference `k`, the same as `edit_script` returns.

    In contrast to `edit_script`, any two sentences are allowed, not only those that come from `make_comparable`.

    >>> shortest_script(["so", "it", "goes"], ["so", "goes"])[1]
    Edit(op='insertion', i_start=1, i_end=2, k=0, j_start=1, j_end=1)
    """
    candidate, (reference,) = make_comparable(candidate, [reference])
    return edit_script(candidate, k, reference)


def most_matching_script(candidate: Sequence[str], reference: Sequence[str], k: int = 0) -> list[Edit]:
    """Return, of the scripts with the fewest edits, one that matches the most words and so substitutes the fewest.

    It is the one that `shortest_script` returns if that matches as many words. Else it is traced backwards from the
    end: the two words are matched or substituted if that leads to such a script, else a reference word is deleted, else
    a candidate word is inserted. For sentences with more than MOST_CELLS grid cells it is always the one of
    `shortest_script`, to bound the work.

    >>> [edit.op for edit in most_matching_script("a real wave of it".split(), "which is a real it wave".split())]
    ['deletion', 'deletion', 'match', 'insertion', 'insertion', 'match', 'deletion']
    """
    ours, (theirs,) = make_comparable(candidate, [reference])
    plain_script = edit_script(ours, k, theirs)
    n, m = len(ours), len(theirs)
    if n * m > MOST_CELLS or script_match_count(ours, theirs) == LCSseq.similarity(ours, theirs):
        return plain_script
    spend(n + m + n * m // 100)
    error = min(n, m) + 1  # one error weighs more than all possible matches
    rows, columns = _word_numbers(candidate, reference)
    plane = _distance_table(rows, columns, error, -1).tolist()
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
    return script_from_cells(cells[::-1], tuple(candidate), k, tuple(reference))


class ShortestScripts:
    """The set of all scripts with the fewest edits between two sentences: their number, and an iterator over them.

    Each script is given by the cells that it matches or substitutes. A shortest script never has an insertion next to a
    deletion, since one substitution would replace both. So two scripts with the same cells are the same script.

    >>> scripts = ShortestScripts(("a", "a", "b"), ("a", "b"))
    >>> scripts.count, sorted(scripts.cells_in_all_scripts()), sorted(scripts.cells_in_some_scripts())
    (2, [(2, 1)], [(0, 0), (1, 0)])
    """

    def __init__(self, candidate: Tokens, reference: Tokens) -> None:
        """Count the scripts.

        Raises TooHard if that would take too long: for more than MOST_CELLS grid cells, or if the shortest scripts go
        through more than MOST_PLACES entries of the edit table. Entry (i, j) is reached when `i` candidate words and
        `j` reference words are read.
        """
        import numpy as np

        n, m = len(candidate), len(reference)
        if n * m > MOST_CELLS:
            raise TooHard(f"there are {n} × {m} cells, more than {MOST_CELLS}")
        rows, columns = _word_numbers(candidate, reference)
        before = _distance_table(rows, columns)
        after = _distance_table(rows[::-1], columns[::-1])[::-1, ::-1]
        least = before[n, m]
        places = int(np.count_nonzero(before + after == least))
        if places > MOST_PLACES:
            raise TooHard(f"the shortest scripts go through more than {MOST_PLACES} places")
        spend(10 * (n + m) + n * m // 100 + 2 * places)
        cost = rows[:, None] != columns[None, :]
        #: The table entries on shortest scripts, in order, each mapped to the entries from which one edit leads to it.
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
        # Sorted, so that of the steps that lead to one place the steps from above come first.
        for i, j, from_i, from_j in sorted(steps):
            self._steps.setdefault((i, j), []).append((from_i, from_j))
        self._end = (n, m)
        self._ways = {(0, 0): 1}  # the number of scripts from the beginning to each place
        for place, origins in self._steps.items():
            if origins:
                self._ways[place] = sum([self._ways[origin] for origin in origins])
        self.count: int = self._ways[self._end]
        self._shares = self._script_counts()

    def _script_counts(self) -> dict[tuple[int, int], int]:
        """Return, for each cell that some script matches or substitutes, the number of scripts that do."""
        ways_to_end = dict.fromkeys(self._steps, 0)  # the number of scripts from each place to the end
        ways_to_end[self._end] = 1
        out = {}
        for place, origins in reversed(self._steps.items()):
            for origin in origins:
                ways_to_end[origin] += ways_to_end[place]
                if origin[0] < place[0] and origin[1] < place[1]:
                    out[origin] = self._ways[origin] * ways_to_end[place]
        return out

    def cells_in_all_scripts(self) -> list[tuple[int, int]]:
        """Return the cells that every script matches or substitutes."""
        return [cell for cell, share in self._shares.items() if share == self.count]

    def cells_in_some_scripts(self) -> list[tuple[int, int]]:
        """Return the cells that some scripts, but not all, match or substitute."""
        return [cell for cell, share in self._shares.items() if share < self.count]

    def __iter__(self) -> Iterator[list[tuple[int, int]]]:
        """Yield the shortest scripts, each as the cells that it matches or substitutes, in order.

        Consecutive scripts differ little.
        """
        stack: list[tuple[tuple[int, int], tuple[Any, ...]]] = [(self._end, ())]
        while stack:
            place, cells = stack.pop()
            if place == (0, 0):
                yield linked_list_items(cells)
            for origin in self._steps[place]:
                aligned = origin[0] < place[0] and origin[1] < place[1]
                stack.append((origin, (origin, cells) if aligned else cells))


def _word_numbers(candidate: Sequence[str], reference: Sequence[str]) -> tuple[_Plane, _Plane]:
    """Return both sentences with a number for each word, the same for equal words."""
    import numpy as np

    numbers = {word: t for t, word in enumerate(dict.fromkeys([*candidate, *reference]))}
    rows, columns = (np.array([numbers[word] for word in words], dtype=np.int32) for words in (candidate, reference))
    return rows, columns


def _distance_table(rows: _Plane, columns: _Plane, error: int = 1, match: int = 0) -> _Plane:
    """Return the table of edit distances: entry (i, j) is the distance between the first i and the first j words.

    `rows` and `columns` are the words of the two sentences as numbers. Each edit costs `error`, and each match costs
    `match`.
    """
    import numpy as np

    ramp = error * np.arange(len(columns) + 1, dtype=np.int32)
    out = np.empty((len(rows) + 1, len(columns) + 1), dtype=np.int32)
    out[0] = ramp
    for i, word in enumerate(rows):
        row = out[i] + error
        np.minimum(row[1:], out[i, :-1] + np.where(columns != word, error, match), out=row[1:])
        # Going right within a row costs one edit for each column.
        out[i + 1] = np.minimum.accumulate(row - ramp) + ramp
    return out


def linked_list_items(cells: Any) -> list[Any]:
    """Return the items of a linked list, first to last.

    `cells` is the list: a pair (item, rest of the list), or a falsy value for the empty list.

    >>> linked_list_items((1, (2, ())))
    [1, 2]
    """
    out = []
    while cells:
        cell, cells = cells
        out.append(cell)
    return out


def script_from_cells(cells: Sequence[tuple[int, int]], candidate: Tokens, k: int, reference: Tokens) -> list[Edit]:
    """Return the script that matches or substitutes exactly the given cells, and inserts or deletes all other words.

    The cells must ascend in both sentences. Between two consecutive cells, unused words may lie on one side only, since
    a substitution would use a word on each side.

    >>> [edit.op for edit in script_from_cells([(1, 0)], ("a", "b"), 0, ("b", "c"))]
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


def rate_composition(noun: str, count_errors: Callable[[Mapping[str, Any]], Any]) -> Composition:
    """Return the composition of an error rate: the errors, called `noun`, and the reference length that divides them.

    `count_errors(stats)` returns the number of errors.
    """
    return Composition(
        lambda stats, _: {noun: count_errors(stats), "reference length": stats["reference_length"]},
        lambda values, _: ARITHMETIC[type(values[noun])].rate(values[noun], values["reference length"]),
    )


def remark_on_rate(result: Result) -> str:
    """Return a sentence that explains why the error rate of a result is above 1, or "" for a lower rate."""
    if result.score <= 1:
        return ""
    if not result.segment.references[result.decides["score"]]:
        return "The reference is empty: every word of the candidate is an error, divided by a length of 1."
    return "The rate is above 1: there are more errors than words in the reference."
