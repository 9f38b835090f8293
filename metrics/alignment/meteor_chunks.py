"""METEOR's matchings: as many matched words as possible, in as few chunks as possible, at the smallest distance.

Words that may be matched have the same key. A key is loose if only some of its words match each other;
`MeteorPairs.loose` lists the cells that do. A matching uses no word twice. Two matches that follow each other directly
in both sentences form a joint. A chunk is a stretch of joints, so the number of chunks is the number of matches minus
the number of joints. The distance of a match (i, j) is |i − j|, and that of a matching is the sum over its matches.

So the fewest chunks mean the most compatible joints: those that pair no word with two different words. Finding them is
hard in general (it is the minimum common string partition problem) and easy in most sentences. A joint is settled if no
other joint pairs its words differently: since words of one key may exchange partners freely, a matching without it
could be improved. The other joints fall into small sets that share no word, and each set is searched.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import NamedTuple, TypeAlias, TypeVar

from ..types import TooHard
from ..types.work import spend
from .bitext import Reference, hit_column_masks, lazy_attribute, long_runs
from .meteor_cells import Cell, all_nearest_matchings, nearest_matching, nearest_matching_within
from .ngrams import clipped_counts

T = TypeVar("T")

#: Words of one key: their candidate positions and their reference positions.
Group: TypeAlias = tuple[Sequence[int], Sequence[int]]

#: The number of steps that a search may take.
STEPS = 20_000

#: Up to this number of joints, the most compatible ones are counted without a `_JointSearch`. With so few, the search
#: could never reach STEPS: it takes at most one step for each choice among the first joints, 2 + 4 + 8 and so on.
FEW = 13

#: The number of matchings of a part that `MeteorPairs.alternatives` lists.
MOST = 1000


class MeteorPairs:
    """The words of two sentences that METEOR may match, and the best matchings of them.

    `candidate` and `reference` index the keys of the words: words with equal keys may be matched. `loose` has, for keys
    of which not all words match each other, the cells that do. `common`, if known, is the number of shared keys, where
    each key counts as often as the sentence that has fewer of it. Everything is computed on first access.

    >>> candidate, reference = tuple("the cat the dog".split()), tuple("the dog saw the cat".split())
    >>> pairs = MeteorPairs(Reference(candidate), Reference(reference))
    >>> pairs.matches, pairs.chunks, pairs.matching().cells
    (4, 2, ((0, 3), (1, 4), (2, 0), (3, 1)))
    """

    def __init__(
        self,
        candidate: Reference,
        reference: Reference,
        loose: Mapping[str, frozenset[Cell]] | None = None,
        common: int | None = None,
    ) -> None:
        self.candidate, self.reference, self.loose, self.common = candidate, reference, loose or {}, common

    # ------------------------------------------------------------ matches and chunks

    @lazy_attribute
    def is_identical(self) -> bool:
        """Return whether the two sentences are the same. Then only the diagonal is one chunk at distance 0."""
        return self.candidate.tokens == self.reference.tokens and not self.loose

    @lazy_attribute
    def matches(self) -> int:
        """Return the largest number of words that can be matched."""
        if self.loose:
            return sum(
                [len(self._nearest_fill(key, rows, columns)) for key, (rows, columns) in self._shared_positions.items()]
            )
        if self.common is None:
            self.common = clipped_counts(self.candidate.tokens, [self.reference.tokens])[0]
        return self.common

    @lazy_attribute
    def chunks(self) -> int:
        """Return the fewest chunks of a matching of all matchable words.

        Raises TooHard after more than `STEPS` steps.
        """
        if self.is_identical:
            return min(self.matches, 1)
        if not self.loose and self._contested_positions == (0, 0):
            return self.matches - sum([length - 1 for length, _, _ in self._runs])
        settled, others = self._joints
        if len(others) <= FEW and not self.loose:
            return self.matches - len(settled) - max_compatible_joints(others)
        return self.matches - len(settled) - sum(map(len, self._largest_joint_sets))

    @lazy_attribute
    def _shared_positions(self) -> dict[str, Group]:
        """Return the candidate positions and the reference positions of every key that both sentences have, by key."""
        places = self.reference.positions_by_word.get
        return {
            key: (rows, columns) for key, rows in self.candidate.positions_by_word.items() if (columns := places(key))
        }

    @lazy_attribute
    def _runs(self) -> list[tuple[int, int, int]]:
        """Return the maximal diagonals of at least two cells with equal keys, as (length, i, j)."""
        columns = hit_column_masks(self.candidate, self.reference.tokens)
        return [(-negative, i, j) for negative, i, j in long_runs(columns)]

    # ------------------------------------------------------------ joints, settled and others

    @lazy_attribute
    def _contested_positions(self) -> tuple[int, int]:
        """Return two bit masks: the candidate positions and the reference positions that several runs use."""
        rows = columns = crowded_rows = crowded_columns = 0
        for length, i, j in self._runs:
            down = (1 << length) - 1 << i
            across = (1 << length) - 1 << j
            crowded_rows |= rows & down
            crowded_columns |= columns & across
            rows |= down
            columns |= across
        return crowded_rows, crowded_columns

    @lazy_attribute
    def _joints(self) -> tuple[list[Cell], list[Cell]]:
        """Return the joints that every best matching has, and all other joints.

        A joint is two neighbouring cells on a diagonal; it is given as the first of them.
        """
        rows, columns = self._contested_positions
        settled: list[Cell] = []
        others: list[Cell] = []
        for length, i, j in sorted(self._runs, key=_run_end):
            spend(length // 4)
            crowded_rows, crowded_columns = rows >> i, columns >> j
            for d in range(length - 1):
                joint = i + d, j + d
                if self.loose and not self._may_match_joint(joint):
                    continue
                if (crowded_rows | crowded_columns) >> d & 3 or (self.loose and self._has_loose_key(joint)):
                    others.append(joint)
                else:
                    settled.append(joint)
        return settled, others

    def _may_match_joint(self, joint: Cell) -> bool:
        """Return whether the words of both cells of a joint (two neighbouring cells on a diagonal) may be matched."""
        keys = self.candidate.tokens
        return all(cell in self.loose.get(keys[cell[0]], (cell,)) for cell in _joint_cells(joint))

    def _has_loose_key(self, joint: Cell) -> bool:
        """Return whether a word of the joint has a loose key, one of which not all words match each other."""
        return any(self.candidate.tokens[i] in self.loose for i, _ in _joint_cells(joint))

    @lazy_attribute
    def _joint_sets(self) -> list[list[Cell]]:
        """Return the joints that are not settled, divided into sets that can be searched separately.

        Joints of different sets are always compatible, because two sets share no contested position and no loose
        key.
        """
        keys, n, m = self.candidate.tokens, len(self.candidate.tokens), len(self.reference.tokens)
        crowded = self._contested_positions[0] | self._contested_positions[1] << n
        bit_of = {key: 1 << n + m + t for t, key in enumerate(self.loose)}
        parts: list[tuple[int, list[Cell]]] = []
        for joint in self._joints[1]:
            i, j = joint
            shared = (3 << i | 3 << n + j) & crowded
            if bit_of:
                shared |= bit_of.get(keys[i], 0) | bit_of.get(keys[i + 1], 0)
            spend(1 + len(parts) // 8)
            part = [joint]
            separate_parts = []
            for other in parts:
                if other[0] & shared:
                    shared |= other[0]
                    part = other[1] + part
                else:
                    separate_parts.append(other)
            parts = [*separate_parts, (shared, part)]
        return [part for _, part in parts]

    @lazy_attribute
    def _largest_joint_sets(self) -> list[tuple[Cell, ...]]:
        """Return, for each of the independent `_joint_sets`, its largest subset of compatible joints.

        Only subsets that do not reduce the number of matches are considered.
        """
        groups = {key: self._shared_positions[key] for key in self.loose}
        return [_JointSearch(self, [part], [len(part)], groups, weigh=False).best() for part in self._joint_sets]

    # ------------------------------------------------------------ matchings

    def _nearest_fill(self, key: str, rows: Sequence[int], columns: Sequence[int]) -> list[Cell]:
        """Return the largest matching with the smallest distance of some words of one key.

        `rows` are the candidate positions and `columns` the reference positions of the words to match.
        """
        cells = self.loose.get(key)
        return nearest_matching(rows, columns) if cells is None else nearest_matching_within(rows, columns, cells)

    @lazy_attribute
    def _settled_columns(self) -> dict[int, int]:
        """Return the reference position of each candidate word whose match is certain, by candidate position.

        The word is in a settled joint, or both sentences have its key only once.
        """
        fixed: dict[int, int] = {}
        for joint in self._joints[0]:
            fixed.update(_joint_cells(joint))
        for rows, columns in self._shared_positions.values():
            if len(rows) == 1 and len(columns) == 1:
                fixed[rows[0]] = columns[0]
        return fixed

    @lazy_attribute
    def _open_groups(self) -> dict[str, Group]:
        """Return the candidate and reference positions of the words whose matches are not settled, by key."""
        fixed, used = self._settled_columns, set(self._settled_columns.values())
        out: dict[str, Group] = {}
        for key, (rows, columns) in self._shared_positions.items():
            if len(rows) > 1 or len(columns) > 1:
                free_rows = [i for i in rows if i not in fixed]
                free_columns = [j for j in columns if j not in used]
                if free_rows and free_columns:
                    out[key] = free_rows, free_columns
        return out

    @lazy_attribute
    def _clusters(self) -> list[tuple[list[int], list[str]]]:
        """Return clusters of joint sets that share a key, each as the indexes of its joint sets and their keys.

        The distances of joint sets that share a key depend on each other, so a cluster is searched as a whole.
        """
        keys, groups = self.candidate.tokens, self._open_groups
        spend(sum(map(len, self._joint_sets)) // 2)
        of_part = [
            list(dict.fromkeys(keys[i] for joint in part for i, _ in _joint_cells(joint) if keys[i] in groups))
            for part in self._joint_sets
        ]
        clusters = group_by_shared_links(range(len(of_part)), lambda number: of_part[number] or [("part", number)])
        return [(numbers, list(dict.fromkeys(key for n in numbers for key in of_part[n]))) for numbers in clusters]

    def _search_of_cluster(self, numbers: Sequence[int], keys: Sequence[str]) -> _JointSearch:
        """Return the search for the smallest distance in one cluster of joint sets.

        It starts from the largest sets of compatible joints. `numbers` are the indexes of the joint sets in the
        cluster, and `keys` are the keys of their words.
        """
        parts, most = [self._joint_sets[n] for n in numbers], [self._largest_joint_sets[n] for n in numbers]
        search = _JointSearch(
            self, parts, list(map(len, most)), {key: self._open_groups[key] for key in keys}, weigh=True
        )
        search.start_from([joint for joints in most for joint in joints])
        return search

    def matching(self) -> ChunkMatching:
        """Return a best matching.

        Of equally good matchings, one is chosen in which words of one key are matched in order and to the lower
        positions where possible. The result depends only on the sentences.
        """
        if self.is_identical:
            return ChunkMatching(tuple([(i, i) for i in range(len(self.candidate.tokens))]), True)
        column_of, certain = dict(self._settled_columns), True
        for numbers, keys in self._clusters:
            search = self._search_of_cluster(numbers, keys)
            for joint in search.best():
                column_of.update(_joint_cells(joint))
            certain = certain and search.certain
        if self._open_groups:
            used = set(column_of.values())
            for key, (rows, columns) in self._open_groups.items():
                free = [j for j in columns if j not in used]
                column_of.update(self._nearest_fill(key, [i for i in rows if i not in column_of], free))
        return ChunkMatching(tuple(sorted(column_of.items())), certain)

    def alternatives(self) -> Alternatives:
        """Return all best matchings, as choices that can be combined freely.

        At most MOST options are listed for each choice. Raises TooHard if a search takes more than `STEPS` steps.
        """
        if self.is_identical:
            return Alternatives(self.matching().cells, [], True)
        choices, complete, joined = [], True, set()
        for numbers, keys in self._clusters:
            joined |= set(keys)
            search = self._search_of_cluster(numbers, keys)
            options: list[tuple[Cell, ...]] = []
            for joints in search.all():
                cells = dict(
                    cell for joint in joints for cell in _joint_cells(joint) if cell[0] not in self._settled_columns
                )
                options += islice(self._completed_matchings(cells, keys), MOST + 1 - len(options))
            choices.append(options[:MOST])
            complete = complete and search.certain and len(options) <= MOST
        for key in self._open_groups:
            if key not in joined:
                options = list(islice(self._completed_matchings({}, [key]), MOST + 1))
                choices.append(options[:MOST])
                complete = complete and len(options) <= MOST
        return Alternatives(tuple(sorted(self._settled_columns.items())), choices, complete)

    def _completed_matchings(self, column_of: dict[int, int], keys: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
        """Yield the given cells combined with each best way to match the other words of the keys.

        `column_of` has the given cells as candidate position → reference position.
        """
        used = set(column_of.values())
        fills = []
        for key in keys:
            rows, columns = self._open_groups[key]
            free = tuple([i for i in rows if i not in column_of]), tuple([j for j in columns if j not in used])
            fills.append(list(islice(all_nearest_matchings(*free, self.loose.get(key)), MOST + 1)))
        for fill in product(*fills):
            yield tuple(sorted((*column_of.items(), *(cell for cells in fill for cell in cells))))


class ChunkMatching(NamedTuple):
    """A matching: its cells by candidate position, and whether their distance is `certain` to be the smallest."""

    cells: tuple[Cell, ...]
    certain: bool


class Alternatives(NamedTuple):
    """The set of all best matchings. Each consists of the cells `fixed` and one option from each of the `choices`.

    If `complete` is False, there are more options than the listed ones.
    """

    fixed: tuple[Cell, ...]
    choices: list[list[tuple[Cell, ...]]]
    complete: bool


def _run_end(run: tuple[int, int, int]) -> Cell:
    """Return the candidate and reference positions at which a run, given as (length, i, j), ends (exclusive)."""
    length, i, j = run
    return i + length, j + length


def _joint_cells(joint: Cell) -> tuple[Cell, Cell]:
    """Return the two neighbouring cells of a joint, which is given as the first of them."""
    i, j = joint
    return joint, (i + 1, j + 1)


class _JointSearch:
    """A branch-and-bound search over all sets of compatible joints, row by row.

    A joint is two neighbouring cells on a diagonal, given as the first of them. The best set has the most joints, and
    then, if `weigh` is set, the smallest distance of the words in `groups`. The words of a loose key must keep the
    largest possible number of matches. `parts` has the joints in independent sets, and `sizes` bounds the number of
    joints of each set.
    """

    def __init__(
        self,
        pairs: MeteorPairs,
        parts: Sequence[Sequence[Cell]],
        sizes: Sequence[int],
        groups: Mapping[str, Group],
        weigh: bool,
    ) -> None:
        """Sort the joints by row, and compute for each row how many joints it and the later rows can add at most."""
        self.pairs, self.groups, self.weigh = pairs, groups, weigh
        spend(sum(map(len, parts)) + sum([len(rows) for rows, _ in groups.values()]) // 4)
        self.rows: list[tuple[int, list[int]]] = []
        self.ceilings: list[int] = []  # for each row, the largest number of joints in this and all later rows
        later_joints = sum(sizes)
        for part, size in zip(parts, sizes, strict=True):
            later_joints -= size
            columns_of: dict[int, list[int]] = {}
            for i, j in part:
                columns_of.setdefault(i, []).append(j)
            rows = sorted(columns_of.items())
            ceilings: list[int] = []
            columns: set[int] = set()
            for number, (_, js) in enumerate(reversed(rows), 1):
                columns.update(js)
                ceilings.append(later_joints + min(number, len(columns), size))
            # Cells near the diagonal come first, so that small distances are found early.
            self.rows += [(i, sorted(js, key=lambda j, i=i: (abs(i - j), j))) for i, js in rows]  # type: ignore[misc]
            self.ceilings += reversed(ceilings)
        self.ceilings.append(0)
        self.key_of = {i: key for key, (rows, _) in groups.items() for i in rows}
        self.prices: dict[tuple[str, frozenset[Cell]], float] = {}
        self.goal: tuple[int, float] = (-1, 0)
        self.found: list[tuple[Cell, ...]] = []
        self.certain = True

    def start_from(self, joints: Sequence[Cell]) -> None:
        """Set `joints`, a set that is known to have the most joints, as the best set so far."""
        cells: dict[str, set[Cell]] = {key: set() for key in self.groups}
        for joint in joints:
            for cell in _joint_cells(joint):
                if cell[0] in self.key_of:
                    cells[self.key_of[cell[0]]].add(cell)
        self.goal = len(joints), -sum(self._key_distance(key, frozenset(those)) for key, those in cells.items())
        self.found = [tuple(joints)]

    def best(self) -> tuple[Cell, ...]:
        """Return the best set of joints; of several equally good ones, the first one found.

        Raises TooHard if the steps run out before the most joints are known. If they are known from the start, it
        returns the best set found so far, and `certain` becomes False.
        """
        self._start_search(find_all=False)
        return self.found[-1]

    def all(self) -> list[tuple[Cell, ...]]:
        """Return all sets of joints that are as good as the best one.

        If `certain` is False, these are only some of them.
        """
        first = self.best()
        if self.certain:
            self.found = []
            self._start_search(find_all=True)
        return self.found or [first]

    def _start_search(self, find_all: bool) -> None:
        """Search from the first row for a better set of joints, or, with `find_all`, for all equally good sets."""
        self.find_all, self.steps = find_all, STEPS
        self.chosen: list[Cell] = []
        self.column_of: dict[int, int] = {}
        self.row_of: dict[int, int] = {}
        self.cells: dict[str, frozenset[Cell]] = dict.fromkeys(self.groups, frozenset())
        try:
            self._search_from_row(0, sum(self._key_distance(key, frozenset()) for key in self.groups))
        except TooHard:
            if not self.weigh:
                raise
            self.certain = False
        finally:
            spend(8 * (STEPS - self.steps))

    def _search_from_row(self, t: int, cost: float) -> None:
        """Continue the search at the row with index `t`.

        `cost` is the smallest distance that is still possible with the joints chosen so far.
        """
        self.steps -= 1
        if self.steps < 0 or len(self.found) > MOST:
            raise TooHard(f"the search for the fewest chunks takes more than {STEPS} steps")
        value = len(self.chosen) + self.ceilings[t], -cost
        if value < self.goal or (value == self.goal and not self.find_all):
            return
        if t == len(self.rows):
            if not self.find_all:
                self.goal, self.found = value, []
            self.found.append(tuple(self.chosen))
            return
        i, columns = self.rows[t]
        if i in self.column_of:
            columns = [self.column_of[i]] if self.column_of[i] in columns else []
        for j in columns:
            cells = _joint_cells((i, j))
            if all(self.column_of.get(a, b) == b and self.row_of.get(b, a) == a for a, b in cells):
                self._try_joint(t, (i, j), [cell for cell in cells if cell[0] not in self.column_of], cost)
        self._search_from_row(t + 1, cost)

    def _try_joint(self, t: int, joint: Cell, new_cells: Sequence[Cell], cost: float) -> None:
        """Continue the search with one more joint, then remove the joint again.

        `t` is the index of its row, `new_cells` are its cells that no earlier joint uses, and `cost` is the smallest
        distance that is possible without the joint.
        """
        before = []
        for i, j in new_cells:
            self.column_of[i], self.row_of[j] = j, i
            key = self.key_of.get(i)
            if key is not None:
                cells = self.cells[key]
                before.append((key, cells))
                self.cells[key] = cells | {(i, j)}
                cost += self._key_distance(key, self.cells[key]) - self._key_distance(key, cells)
                if cost == math.inf:
                    break
        else:
            self.chosen.append(joint)
            self._search_from_row(t + 1, cost)
            self.chosen.pop()
        for key, cells in reversed(before):
            self.cells[key] = cells
        for i, j in new_cells:
            self.column_of.pop(i, None)
            self.row_of.pop(j, None)

    def _key_distance(self, key: str, cells: frozenset[Cell]) -> float:
        """Return the smallest distance that the words of a key can have if they use these cells.

        It is infinite if these cells reduce the number of matches. It is 0 if the search does not `weigh` distances.
        """
        price = self.prices.get((key, cells))
        if price is None:
            rows, columns = self.groups[key]
            spend((len(rows) + len(columns)) // 20)
            used_rows, used_columns = {i for i, _ in cells}, {j for _, j in cells}
            rest = self.pairs._nearest_fill(
                key, [i for i in rows if i not in used_rows], [j for j in columns if j not in used_columns]
            )
            if key in self.pairs.loose and len(rest) + len(cells) < len(self.pairs._nearest_fill(key, rows, columns)):
                price = math.inf
            else:
                price = sum([abs(i - j) for i, j in (*cells, *rest)]) if self.weigh else 0
            self.prices[key, cells] = price
        return price


def max_compatible_joints(joints: Sequence[Cell]) -> int:
    """Return the size of the largest set of compatible joints.

    A joint is two neighbouring cells on a diagonal, given as the first of them. Two joints are incompatible if they
    pair a word differently: they lie on different diagonals, and share a row or a column.

    >>> max_compatible_joints([(0, 0), (1, 4), (2, 5)])
    2
    """
    by_row: dict[int, int] = {}
    by_column: dict[int, int] = {}
    by_diagonal: dict[int, int] = {}
    bit = 1
    for i, j in joints:
        by_row[i] = by_row.get(i, 0) | bit
        by_column[j] = by_column.get(j, 0) | bit
        by_diagonal[j - i] = by_diagonal.get(j - i, 0) | bit
        bit <<= 1
    row, column = by_row.get, by_column.get
    against = [
        (row(i - 1, 0) | row(i, 0) | row(i + 1, 0) | column(j - 1, 0) | column(j, 0) | column(j + 1, 0))
        & ~by_diagonal[j - i]
        for i, j in joints
    ]
    return _max_independent(bit - 1, against)


def _max_independent(free: int, against: Sequence[int]) -> int:
    """Return the size of the largest subset of `free` without two joints that exclude each other.

    `free` is a bit mask with a bit for each joint; `against[t]` is the bit mask of the joints that joint `t`
    excludes.
    """
    most = 0
    while free:
        last = free.bit_length() - 1
        free ^= 1 << last
        rivals = free & against[last]
        # A joint with one rival is in some largest subset: it can replace the rival wherever that is chosen.
        if rivals & (rivals - 1):
            return most + max(1 + _max_independent(free & ~rivals, against), _max_independent(free, against))
        free ^= rivals
        most += 1
    return most


def group_by_shared_links(items: Sequence[T], links: Callable[[T], Sequence[Hashable]]) -> list[list[T]]:
    """Return the items in groups: two items are in one group if they share a link, directly or through other items.

    `links` returns the links of an item, at least one.

    >>> group_by_shared_links(["ab", "e", "cd", "bc"], list)
    [['ab', 'cd', 'bc'], ['e']]
    """
    above: dict[Hashable, Hashable] = {}

    def representative(link: Hashable) -> Hashable:
        """Return the link that represents the group of `link`."""
        above.setdefault(link, link)
        while above[link] != link:
            above[link] = link = above[above[link]]
        return link

    for item in items:
        first, *others = links(item)
        for other in others:
            above[representative(other)] = representative(first)
    groups: dict[Hashable, list[T]] = {}
    for item in items:
        groups.setdefault(representative(links(item)[0]), []).append(item)
    return list(groups.values())
