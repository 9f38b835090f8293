"""Words to change, add and take away, where moving a whole block of words costs just one edit.

The translation edit rate. Shifts come first: as long as moving one block of candidate words lowers the edit distance
to the reference, the move that lowers it most is made. Of equally good moves the longest block goes first, then the
leftmost block, then the leftmost place. What is left is an edit script of single words: S substitutions, I insertions,
which are candidate words without a partner, and D deletions, reference words without one. The reference of the fewest
edits counts, the first one on ties, over the average length m of all references.

    TER = (shifts + S + I + D) / m

Only a block that equals words of the reference may move, where the script has an error in it and in those words. Limits
keep the search short: the length of a block, how far its words may stand from those of the reference, how far the
script may stray from the diagonal of the grid, and how many shifts are tried. The search is greedy, so fewer edits may
be possible than it finds. It follows sacreBLEU 2.6.0, with the words as they are given. References
that are all empty count as one word.

Rewards: the reference's words in the reference's order, and phrases of it that merely stand elsewhere: "the gunman
police killed" needs one edit to become "police killed the gunman", where the word error rate counts four.

Cannot see: how far a block moved, or what that does to the meaning: "all birds can not fly" is one edit from "not all
birds can fly". Nor that a wrong word comes close: "kill" for "killed" is as wrong as "banana".

Source: Snover, Dorr, Schwartz, Micciulla and Makhoul (2006), A Study of Translation Edit Rate with Targeted Human
Annotation, AMTA; details as in sacreBLEU, which follows the authors' program tercom.

>>> from metrics import score
>>> result = score("ter", "on the old mat the cat sat".split(), ["the cat sat quietly on the old mat".split()])
>>> result.score, dict(result.parts)
(0.25, {'edits': 2, 'shifts': 1, 'reference_length': 8.0})
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heapreplace
from itertools import repeat
from typing import Any, NamedTuple, TypeAlias

from rapidfuzz.distance import Levenshtein

from ...alignment.lcs import lcs_length, spelled
from ...formula import Number, Quotient, Step, Sum, Symbol, Terms, mean_of, number_of, step
from ...types import (
    LENGTH_MOST,
    Alignment,
    Edit,
    Layer,
    Relation,
    Result,
    Role,
    Score,
    Segment,
    Settings,
    Shift,
    setting,
)
from ...types.work import spend


@dataclass(frozen=True, slots=True)
class TERSettings(Settings):
    """The limits of the search for shifts and scripts; the defaults are sacreBLEU's."""

    max_shift_size: int = setting(
        10,
        "whole",
        "Longest block",
        "How many words may move at once; 0 allows no shifts.",
        least=0,
        most=LENGTH_MOST,
        shown=(0, 20),
    )
    max_shift_distance: int = setting(
        50,
        "whole",
        "Farthest match",
        "How far apart the block and the words it equals may begin in the two sentences.",
        least=0,
        most=LENGTH_MOST,
        shown=(0, 100),
    )
    beam_width: int = setting(
        25,
        "whole",
        "Beam",
        "How many words an edit script may stray from the diagonal of the grid.",
        least=1,
        most=LENGTH_MOST,
        shown=(1, 50),
    )
    max_candidates: int = setting(
        1000,
        "whole",
        "Most shifts tried",
        "The search ends, without a last shift, when so many were tried.",
        least=1,
        most=5_000,
        step=100,
        shown=(100, 5000),
    )


# ---------------------------------------------------------------- edit scripts

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


# ---------------------------------------------------------------- shifts

#: A shift to be tried: minus its length, its start, the place it aims at, and where its words stand in the reference.
#: The smallest of equally good ones is made.
Trial: TypeAlias = tuple[int, int, int, int]


def trials(
    words: str, columns: Mapping[str, int], script: Script, settings: TERSettings, most: int
) -> tuple[list[Trial], int]:
    """The shifts that may be tried next, and their number with repetitions and those that move nothing.

    A block is tried if it equals words of the reference that begin near it, if the script has an error in both, and if
    it does not hold the word that the first of those words goes with. It is tried before the reference's words and
    after each of them, wherever that is in the candidate. Stops once `most` are found.
    """
    n, size, reach = len(words), settings.max_shift_size, settings.max_shift_distance
    places = script.places
    missed = [0, script.replaced | script.missing]  # by length: where words of the reference begin that hold an error
    near = (1 << 2 * reach + 1) - 1 if max(n, len(places)) > reach + 1 else 0
    out: list[Trial] = []
    count = 0
    wrong = script.substituted | script.extra
    while wrong:
        # The blocks whose first error is this one: they start with it or up to the error before.
        error = wrong.bit_length() - 1
        wrong ^= 1 << error
        equal = columns[words[error]]  # where words of the reference begin that equal those from the start to the error
        if not equal:
            continue
        before = max(wrong.bit_length() - 1, error - size)
        start = error
        while equal and start > before:
            cells = equal & near << start >> reach if near else equal
            for length in range(error - start + 1, min(size, n - start) + 1):
                if start + length - 1 > error:
                    cells &= columns[words[start + length - 1]] >> length - 1
                if not cells:
                    break
                while len(missed) <= length:
                    missed.append(missed[-1] | missed[1] >> len(missed) - 1)
                starts = cells & missed[length]
                while starts:
                    column = starts & -starts
                    starts ^= column
                    j = column.bit_length() - 1
                    if start < places[j] <= start + length:
                        continue
                    place = places[j - 1] if j else 0
                    count += 1
                    if place != start:
                        out.append((-length, start, place, j))
                    for later in places[j : j + length]:
                        if later != place:
                            place = later
                            count += 1
                            if place != start:
                                out.append((-length, start, place, j))
                if count >= most:
                    return out, count
            start -= 1
            equal = equal >> 1 & columns[words[start]]
    return out, count


def moved(words: str, trial: Trial) -> str:
    """The words after a shift.

    The place counts in the sentence as it is. Places within the block and just behind it move the block as many words
    to the right as they are from its start.

    >>> moved("abcdef", (-2, 2, 1, 0)), moved("abcdef", (-2, 0, 1, 0)), moved("abcdef", (-2, 0, 4, 0))
    ('acdbef', 'cabdef', 'cdabef')
    """
    negative, start, place, _ = trial
    end = start - negative
    if place < start:
        return words[:place] + words[start:end] + words[place:start] + words[end:]
    if place <= end:
        place -= negative
    return words[:start] + words[end:place] + words[start:end] + words[place:]


class Search(NamedTuple):
    """What the search finds for one reference: the shifts in order; then the words, as spelled; their distance
    to the reference; and whether it ended because too many shifts were tried.

    The script is None where nothing has asked for it yet: where the distance is as low as any order's, it shows what
    the script counts.
    """

    shifts: list[Trial]
    words: str
    distance: int
    script: Script | None
    stopped: bool

    def edits(self) -> int:
        return len(self.shifts) + self.distance


class Comparison:
    """A candidate beside one reference, both as `spelled` writes them.

    `distance` is their edit distance without a beam, and no order of the candidate's words has one below `bound`.
    """

    def __init__(self, candidate: str, bag: str, reference: str, settings: TERSettings) -> None:
        """`bag` are the letters of the candidate, sorted."""
        self.candidate, self.reference, self.settings = candidate, reference, settings
        n, m = len(candidate), len(reference)
        self.distance = Levenshtein.distance(candidate, reference)
        self.bound = max(n, m) - lcs_length(bag, "".join(sorted(reference)))
        # A script of d edits passes at most (d + |n - m|) / 2 columns from the diagonal. Two columns for rounding.
        self._surely = 2 * settings.beam_width - 4 - abs(n - m)

    @cached_property
    def _beam(self) -> Beam:
        return beam_of(len(self.candidate), len(self.reference), self.settings.beam_width)

    @cached_property
    def _columns(self) -> dict[str, int]:
        """For each word the positions where the reference has it, as bits."""
        columns = dict.fromkeys(self.candidate + self.reference, 0)
        bit = 1
        for word in self.reference:
            columns[word] |= bit
            bit <<= 1
        return columns

    def script(self, words: str, distance: int) -> Script:
        """The script for an order of the words whose distance without a beam is known."""
        reference = self.reference
        if max(len(words), len(reference)) <= 128:  # the few distances of a trace are then quicker than a table of all
            script = shortest_script(words, reference, distance, Levenshtein.distance)
            if distance <= self._surely or script.inside(self._beam):
                return script
        beam = None if distance <= self._surely else self._beam
        distances = table([self._columns[word] for word in words], len(reference), beam)
        spend(len(words) + len(reference))
        return shortest_script(words, reference, distances(words, reference), distances, beam)

    def distance_in_beam(self, words: str) -> int:
        """How many edits the script for an order of the words has where the beam may count."""
        more = less = 0
        for more, less in vectors([self._columns[word] for word in words], len(self.reference), self._beam):  # noqa: B007
            pass
        return len(words) + more.bit_count() - less.bit_count()

    def search(self, most: float = math.inf) -> Search | None:
        """The greedy search for shifts; None if it finds early that it needs more than `most` edits."""
        words, distance = self.candidate, self.distance
        script: Script | None = None
        shifts: list[Trial] = []
        left = self.settings.max_candidates
        # What is left takes the distance without further shifts, and with one at best the bound.
        while len(shifts) + min(distance, self.bound + 1) <= most:
            if distance > min(self.bound, self._surely):  # else it is the bound, in any script
                script = script or self.script(words, distance)
                distance = script.distance()
            if not script or distance == self.bound:
                return Search(shifts, words, distance, script, False)
            tried, count = trials(words, self._columns, script, self.settings, left)
            left -= count
            best = self._best(words, tried, distance) if tried and left > 0 else None
            if not best:
                return Search(shifts, words, distance, script, left <= 0)
            distance, trial, script = best
            words = moved(words, trial)
            shifts.append(trial)
        return None

    def _best(self, words: str, tried: list[Trial], distance: int) -> tuple[int, Trial, Script | None] | None:
        """The shift to be made, the distance after it and its script where that is known; None where none helps."""
        if distance > self._surely:
            return self._best_in_beam(words, tried, distance)
        least, best = distance, None
        for trial in sorted(tried):
            # A block of so many words lowers the distance by twice as much at most, and longer blocks come first.
            if least == self.bound or least <= distance + 2 * trial[0]:
                break
            spend(1 + len(words) * len(self.reference) // 20_000)
            after = Levenshtein.distance(moved(words, trial), self.reference)
            if after < least:
                least, best = after, trial
        return best and (least, best, None)

    def _best_in_beam(self, words: str, tried: list[Trial], distance: int) -> tuple[int, Trial, Script | None] | None:
        """The same where the beam may count.

        The distance without the beam is never larger than with it. So only the shift that is best without it need be
        looked at with it, and after that only those that are as good as it is then.
        """
        spend(len(tried) * (1 + len(words) * len(self.reference) // 20_000))
        distances = map(Levenshtein.distance, [moved(words, trial) for trial in tried], repeat(self.reference))
        offers = [offer for offer in zip(distances, tried, strict=False) if offer[0] < distance]
        heapify(offers)
        known: dict[Trial, int] = {}  # the distances without the beam of those that were looked at with it
        while offers:
            after, trial = offers[0]
            if after <= self._surely:
                return after, trial, None
            if trial in known:
                return after, trial, self.script(moved(words, trial), known[trial])
            known[trial] = after
            in_beam = self.distance_in_beam(moved(words, trial))
            if in_beam < distance:
                heapreplace(offers, (in_beam, trial))
            else:
                heappop(offers)
        return None

    def counts(self, found: Search) -> tuple[int, int, int]:
        """How many words of the last script are substituted, extra and missing."""
        if script := found.script:
            return script.substituted.bit_count(), script.extra.bit_count(), script.missing.bit_count()
        # A script at the bound has all hits that any order can have, and no extra word beside a missing one.
        longer = len(self.candidate) - len(self.reference)
        return found.distance - abs(longer), max(longer, 0), max(-longer, 0)


# ---------------------------------------------------------------- the metric


def align(segment: Segment, settings: TERSettings, marks: bool) -> Alignment:
    candidate, references = segment
    k, compared, found = _fewest_edits(segment, settings)
    n = len(candidate)
    substitutions, insertions, deletions = compared.counts(found)
    stats = {
        "shifts": len(found.shifts),
        "substitutions": substitutions,
        "insertions": insertions,
        "deletions": deletions,
        "hits": n - substitutions - insertions,
        "reference_length": sum(map(len, references)) / len(references),
    }
    if not marks:
        return Alignment(stats, (), {"score": k})
    script = found.script or compared.script(found.words, found.distance)
    return Alignment(stats, _layers(found.shifts, script, n, k), {"score": k})


def _fewest_edits(segment: Segment, settings: TERSettings) -> tuple[int, Comparison, Search]:
    """The reference of the fewest edits, the first of equal ones, with its comparison and what the search finds.

    The nearest is searched first. A search ends without a result as soon as it cannot have fewer edits than one before.
    """
    candidate, references = spelled(*segment)
    bag = "".join(sorted(candidate))
    comparisons = [Comparison(candidate, bag, reference, settings) for reference in references]
    best: tuple[int, int, Search] | None = None
    most: float = math.inf
    for _, k in sorted([(comparison.distance, k) for k, comparison in enumerate(comparisons)]):
        if best:
            most = best[0] - (k > best[1])
        found = comparisons[k].search(most)
        if found and found.edits() <= most:
            best = found.edits(), k, found
    assert best, "a segment has a reference"
    return best[1], comparisons[best[1]], best[2]


def _layers(shifts: list[Trial], script: Script, n: int, k: int) -> tuple[Layer, ...]:
    """A layer for each shift and one for each kind of edit; positions are those of the candidate as it was.

    A missing word stands behind the word that it follows after the shifts.
    """
    layers = []
    order = list(range(n))
    for number, (negative, start, place, j) in enumerate(shifts, 1):
        end = start - negative
        to = place + negative if place > end else min(place, n + negative)
        shift = Shift(start, end, to, k, j, tuple(order[start:end]))
        order = shift.apply(order)
        layers.append(
            Layer(f"shift {number}", (shift,), (1,), 1.0, ("shifts",), number=number, k=k, kind="shifts", noun="shift")
        )
    edits: dict[str, list[Any]] = {"substitution": [], "insertion": [], "deletion": [], "match": []}
    substituted, extra, missing = script.substituted, script.extra, script.missing
    j = behind = 0
    for i in order:
        while missing & 1:
            edits["deletion"].append(("deletion", behind, behind, k, j, j + 1))
            j += 1
            missing >>= 1
        behind = i + 1
        if extra & 1:
            edits["insertion"].append(("insertion", i, behind, k, j, j))
        else:
            op = "substitution" if substituted & 1 else "match"
            edits[op].append((op, i, behind, k, j, j + 1))
            j += 1
            missing >>= 1
        extra >>= 1
        substituted >>= 1
    edits["deletion"] += [("deletion", behind, behind, k, t, t + 1) for t in range(j, j + missing.bit_length())]
    for name, (noun, op) in _LAYERS.items():
        marks = tuple(map(tuple.__new__, repeat(Edit), edits[op]))
        relation: Relation = "different" if op == "substitution" else "equal"
        layers.append(
            Layer(
                name,
                marks,
                (1,) * len(marks),
                1.0,
                (name,),
                relation=relation,
                k=k,
                kind=name,
                noun=noun,
            )
        )
    return tuple(layers)


#: The statistics that have a layer each: what one of the edits is called, and what it does.
_LAYERS = {
    "substitutions": ("substitution", "substitution"),
    "insertions": ("insertion", "insertion"),
    "deletions": ("deletion", "deletion"),
    "hits": ("hit", "match"),
}
_EDITS = ("shifts", "substitutions", "insertions", "deletions")


#: What each statistic is.
ROLES = {
    "shifts": Role("edit", cost=True),
    "substitutions": Role("edit", cost=True),
    "insertions": Role("edit", cost=True),
    "deletions": Role("edit", cost=True),
    "hits": Role("match"),
    "reference_length": Role("reference length"),
}


def from_stats(stats: Mapping[str, float], settings: TERSettings) -> Score:
    edits, length = sum([stats[name] for name in _EDITS]), stats["reference_length"]
    return Score(edits / (length or 1), {"edits": edits, "shifts": stats["shifts"], "reference_length": length})


def formula(result: Result) -> tuple[Step, ...]:
    terms = [Terms(t, [Number(1)] * len(layer.marks), "edit") for t, layer in enumerate(result.layers)]
    shifts, s, i, d = (
        step("shifts", Sum(*terms[:-4]) if terms[:-4] else number_of(0, "edit")),
        step("S", terms[-4], beside=True),
        step("I", terms[-3], beside=True),
        step("D", terms[-2], beside=True),
    )
    m = step("m", mean_of([*map(len, result.segment.references)], "word"))
    edits = (shifts, s, i, d)
    above = Sum(*[part.symbol() for part in edits]), Sum(*[part.number() for part in edits])
    below = m.symbol() if m.value else Symbol("max(m, 1)", 1)
    return *edits, m, step("TER", Quotient(above[0], below), Quotient(above[1], number_of(m.value or 1, "word")))


def summary(result: Result) -> str:
    edits = int(result.parts["edits"])
    return f"{edits} edit{'s' * (edits != 1)}"


def remark(result: Result) -> str:
    """What cut the search for the reference that decides, else how a rate above 1 comes about."""
    segment, settings, k = result.segment, result.settings, result.decides["score"]
    assert isinstance(settings, TERSettings)
    candidate, references = spelled(*segment)
    found = Comparison(candidate, "".join(sorted(candidate)), references[k], settings).search()
    assert found
    said = []
    edits, shortest = found.distance, Levenshtein.distance(found.words, references[k])
    if edits > shortest:
        said.append(f"The beam hides a shorter script: after the shifts {edits} edits are found, {shortest} would do.")
        without = Levenshtein.distance(candidate, references[k])
        if found.edits() > without:
            said.append(f"So there are more edits than without shifts and without a beam, which are WER's {without}.")
    if found.stopped:
        said.append(
            f"The search for shifts ended at its limit of {settings.max_candidates:,} tries, as sacreBLEU's does: "
            "more shifts might save edits."
        )
    if said:
        return " ".join(said)
    if result.score <= 1:
        return ""
    if not any(segment.references):
        return "There are no words in any reference: every word of the candidate is an edit, over a length of 1."
    return "The rate is above 1: there are more edits than words in a reference of average length."
