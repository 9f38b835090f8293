"""Words to change, add and take away, where moving a whole block of words costs just one edit.

The translation edit rate. Shifts come first: as long as moving one block of candidate words lowers the edit distance
to the reference, the move that lowers it most is made. Of equally good moves the longest block goes first, then the
leftmost block, then the leftmost place. What is left is an edit script of single words: S substitutions, I insertions
of words that the reference lacks, and D deletions of words that the candidate lacks. The reference of the fewest edits
counts, the first one on ties, over the average length m of all references.

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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heapreplace
from itertools import repeat
from typing import Any, NamedTuple, TypeAlias, TypeVar

from rapidfuzz.distance import Levenshtein

from .bitext import indexed
from .formula import Number, Quotient, Step, Sum, Symbol, Terms, step
from .lcs import lcs_length, spelled
from .types import (
    Alignment,
    Edit,
    Layer,
    Metric,
    Relation,
    Result,
    Score,
    Segment,
    Settings,
    Shift,
    about,
    first_line,
    setting,
)

Words = TypeVar("Words", str, list[int])


@dataclass(frozen=True, slots=True)
class TERSettings(Settings):
    max_shift_size: int = setting(
        10,
        "whole",
        "Longest block",
        "How many words may move at once; 0 allows no shifts.",
        least=0,
        shown=(0, 20),
    )
    max_shift_distance: int = setting(
        50,
        "whole",
        "Farthest match",
        "How far apart the block and the words it equals may begin in the two sentences.",
        least=0,
        shown=(0, 100),
    )
    beam_width: int = setting(
        25,
        "whole",
        "Beam",
        "How many words an edit script may stray from the diagonal of the grid.",
        least=1,
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

#: The beam row by row, as bits: the columns that may be reached by a diagonal step, and those that the row above has.
Beam: TypeAlias = "list[tuple[int, int]]"


class Script(NamedTuple):
    """A shortest edit script from the candidate's words, in their present order, to a reference.

    `substituted` and `extra` are bits of positions in the present order, `replaced` and `missing` of positions in the
    reference. `places[j]` is how many candidate words the script has passed once it has passed reference word j;
    `met[i]` are, as bits, the reference words that go with candidate word i: its partner, and missing words after it.
    """

    substituted: int
    extra: int
    replaced: int
    missing: int
    places: list[int]
    met: list[int]

    def distance(self) -> int:
        """The number of edits."""
        return self.substituted.bit_count() + self.extra.bit_count() + self.missing.bit_count()


def shortest_script(hits: Sequence[int], columns: int, beam: Beam | None = None) -> Script:
    """The script that sacreBLEU's edit distance traces; `hits[i]` are the reference words that equal candidate word i.

    Ties, read from the end: a match or a substitution first, then an extra candidate word, then a missing one.
    The distances are found a row at a time by addition of bit vectors (Myers 1999, as Hyyrö 2003 writes them).

    >>> script = shortest_script([0b001, 0b100, 0b010], 3)  # a c b for a b c
    >>> script.distance(), bin(script.substituted)
    (2, '0b110')
    """
    full = (1 << columns) - 1
    wide = (4 << columns) - 1  # x ^ wide has the bits of ~x, which would be negative: slower
    if beam:
        # Outside the beam nothing matches. A way through there is then no shorter than one along the beam's edge, so
        # all distances inside come out as if there were nothing outside.
        hits = [row & diagonal for row, (diagonal, _) in zip(hits, beam, strict=True)]
    # Per row, as bits of columns: where the distance is one more and one less than in the column before; where it is
    # the same as one row up and one column back; and, shifted by one, where it is one more than a row up.
    more, less = full, 0
    same, below = [], []
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
        same.append(level)
        below.append(lower)
    if beam:
        same = [level | ~diagonal for level, (diagonal, _) in zip(same, beam, strict=True)]
        below = [lower & above for lower, (_, above) in zip(below, beam, strict=True)]
    i, j = len(hits), columns
    substituted = extra = replaced = missing = 0
    places, met = [0] * columns, [0] * i
    while i and j:
        column = 1 << j - 1
        if hits[i - 1] & column:
            j -= 1
            places[j] = i
            i -= 1
            met[i] |= column
        elif not same[i - 1] & column:
            j -= 1
            places[j] = i
            i -= 1
            met[i] |= column
            substituted |= 1 << i
            replaced |= column
        elif below[i - 1] & column << 1:
            i -= 1
            extra |= 1 << i
        else:
            j -= 1
            places[j] = i
            met[i - 1] |= column
            missing |= column
    return Script(substituted, extra | (1 << i) - 1, replaced, missing | (1 << j) - 1, places, met)


def beam_of(rows: int, columns: int, width: int) -> Beam:
    """The cells that sacreBLEU's edit distance looks at: `width` columns on each side of a diagonal that leads from
    corner to corner, more where the diagonal is so flat that it would leave the beam, and all of the end of the last
    row.
    """
    slope = columns / rows if rows else 1.0
    if width < slope / 2:
        width = math.ceil(slope / 2 + width)
    out = []
    first, last = 0, columns + 1  # the row above: the first column, and the one behind the last
    for i in range(1, rows + 1):
        middle = math.floor(i * slope)
        left, right = max(0, middle - width), min(columns + 1, middle + width)
        if i == rows:
            right = columns + 1
        start, end = max(left, first + 1), min(right, last + 1)
        out.append((((1 << end) - (1 << start)) >> 1 if start < end else 0, (1 << last) - (1 << first)))
        first, last = left, right
    return out


# ---------------------------------------------------------------- shifts

#: A shift to be tried: minus its length, its start, the place it aims at, and where its words stand in the reference.
#: The smallest of equally good ones is made.
Trial: TypeAlias = tuple[int, int, int, int]


def trials(hits: Sequence[int], script: Script, settings: TERSettings, most: int) -> tuple[list[Trial], int]:
    """The shifts that may be tried next, and their number with repetitions and those that move nothing.

    A block is tried if it equals words of the reference that begin near it, if the script has an error in both, and if
    it does not hold the word that the first of those words goes with. It is tried before the reference's words and
    after each of them, wherever that is in the candidate. Stops once `most` are found.
    """
    n, size, reach = len(hits), settings.max_shift_size, settings.max_shift_distance
    places, met = script.places, script.met
    wrong = script.substituted | script.extra
    missed = [0, script.replaced | script.missing]  # by length: where words of the reference begin that hold an error
    near = (1 << 2 * reach + 1) - 1 if max(n, len(places)) > reach + 1 else 0
    out: list[Trial] = []
    count = 0
    for start, row in enumerate(hits):
        cells = row & ~met[start]
        if not cells:
            continue
        if near:
            cells &= near << start >> reach
        errors = wrong >> start
        for length in range(1, min(size, n - start) + 1):
            if length > 1:
                cells &= hits[start + length - 1] >> length - 1 & ~met[start + length - 1]
            if not cells:
                break
            if not errors & (1 << length) - 1:
                continue
            while len(missed) <= length:
                missed.append(missed[-1] | missed[1] >> len(missed) - 1)
            starts = cells & missed[length]
            while starts:
                column = starts & -starts
                starts ^= column
                j = column.bit_length() - 1
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
    return out, count


def moved(words: Words, trial: Trial) -> Words:
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
    """What the search finds for one reference: the shifts in order, the script after them, the words as spelled then,
    and whether it ended because too many shifts were tried."""

    shifts: list[Trial]
    script: Script
    words: str
    stopped: bool

    def edits(self) -> int:
        return len(self.shifts) + self.script.distance()


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

    def fewest(self) -> int:
        """A number of edits that the search cannot go below: without shifts, or with one and the best it can do."""
        return min(self.distance, self.bound + 1)

    @cached_property
    def _beam(self) -> Beam:
        return beam_of(len(self.candidate), len(self.reference), self.settings.beam_width)

    def script(self, hits: list[int], distance: int) -> Script:
        """The script for an order of the words whose distance without a beam is known."""
        return shortest_script(hits, len(self.reference), None if distance <= self._surely else self._beam)

    def search(self, hits: list[int]) -> Search:
        """The greedy search for shifts; `hits` as in `shortest_script`."""
        words, distance = self.candidate, self.distance
        script: Script | None = None
        shifts: list[Trial] = []
        left = self.settings.max_candidates
        while True:
            script = script or self.script(hits, distance)
            distance = script.distance()
            if distance == self.bound:
                return Search(shifts, script, words, False)
            tried, count = trials(hits, script, self.settings, left)
            left -= count
            if left <= 0:
                return Search(shifts, script, words, True)
            best = self._best(words, hits, tried, distance)
            if not best:
                return Search(shifts, script, words, False)
            distance, trial, script = best
            words, hits = moved(words, trial), moved(hits, trial)
            shifts.append(trial)

    def _best(
        self, words: str, hits: list[int], tried: list[Trial], distance: int
    ) -> tuple[int, Trial, Script | None] | None:
        """The shift to be made, the distance after it and its script where that is known; None where none helps.

        The distance without the beam is never larger than with it. So only the shift that is best without it need be
        looked at with it, and after that only those that are as good as it is then.
        """
        distances = map(Levenshtein.distance, [moved(words, trial) for trial in tried], repeat(self.reference))
        offers = [offer for offer in zip(distances, tried, strict=False) if offer[0] < distance]
        if not offers:
            return None
        after, trial = min(offers)
        if after <= self._surely:
            return after, trial, None
        heapify(offers)
        known: dict[Trial, Script] = {}
        while offers:
            after, trial = offers[0]
            if after <= self._surely or trial in known:
                return after, trial, known.get(trial)
            script = known[trial] = self.script(moved(hits, trial), after)
            if script.distance() < distance:
                heapreplace(offers, (script.distance(), trial))
            else:
                heappop(offers)
        return None


# ---------------------------------------------------------------- the metric


def _align(segment: Segment, settings: TERSettings, marks: bool) -> Alignment:
    candidate, references = segment
    k, found = _fewest_edits(segment, settings)
    n = len(candidate)
    script = found.script
    substitutions, insertions = script.substituted.bit_count(), script.extra.bit_count()
    stats = {
        "shifts": len(found.shifts),
        "substitutions": substitutions,
        "insertions": insertions,
        "deletions": script.missing.bit_count(),
        "hits": n - substitutions - insertions,
        "reference_length": sum(map(len, references)) / len(references),
    }
    return Alignment(stats, _layers(found, n, k) if marks else (), {"score": k})


def _fewest_edits(segment: Segment, settings: TERSettings) -> tuple[int, Search]:
    """The reference of the fewest edits, the first of equal ones, and what the search finds for it.

    Only references that may have fewer than those before them are searched, the most promising first.
    """
    candidate, references = spelled(*segment)
    bag = "".join(sorted(candidate))
    comparisons = [Comparison(candidate, bag, reference, settings) for reference in references]
    best: tuple[int, int, Search] | None = None
    for fewest, k in sorted([(comparison.fewest(), k) for k, comparison in enumerate(comparisons)]):
        if best is None or (fewest, k) < best[:2]:
            found = comparisons[k].search(_hits(segment, k))
            edits = found.edits()
            if best is None or (edits, k) < best[:2]:
                best = edits, k, found
    assert best, "a segment has a reference"
    return best[1], best[2]


def _hits(segment: Segment, k: int) -> list[int]:
    """For each candidate word, as bits, the words of reference `k` that equal it."""
    masks = indexed(segment.references[k]).masks
    return [masks.get(word, 0) for word in segment.candidate]


def _layers(found: Search, n: int, k: int) -> tuple[Layer, ...]:
    """A layer for each shift and one for each kind of edit; positions are those of the candidate as it was.

    A missing word stands behind the word that it follows after the shifts.
    """
    layers = []
    order = list(range(n))
    for number, (negative, start, place, j) in enumerate(found.shifts, 1):
        end = start - negative
        to = place + negative if place > end else min(place, n + negative)
        shift = Shift(start, end, to, k, j, tuple(order[start:end]))
        order = shift.apply(order)
        layers.append(Layer(f"shift {number}", (shift,), (1,), 1.0, ("shifts",), number=number))
    edits: dict[str, list[Any]] = {"substitution": [], "insertion": [], "deletion": [], "match": []}
    script = found.script
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
    for name, op in _LAYERS.items():
        marks = tuple(map(tuple.__new__, repeat(Edit), edits[op]))
        relation: Relation = "different" if op == "substitution" else "equal"
        layers.append(Layer(name, marks, (1,) * len(marks), 1.0, (name,), relation=relation))
    return tuple(layers)


_LAYERS = {"substitutions": "substitution", "insertions": "insertion", "deletions": "deletion", "hits": "match"}
_EDITS = ("shifts", "substitutions", "insertions", "deletions")


def _from_stats(stats: Mapping[str, float], settings: TERSettings) -> Score:
    edits, length = sum([stats[name] for name in _EDITS]), stats["reference_length"]
    return Score(edits / (length or 1), {"edits": edits, "shifts": stats["shifts"], "reference_length": length})


def _formula(result: Result) -> tuple[Step, ...]:
    terms = [Terms(t, [Number(1)] * len(layer.marks)) for t, layer in enumerate(result.layers)]
    shifts, s, i, d = (
        step("shifts", Sum(*terms[:-4]) if terms[:-4] else Number(0)),
        step("S", terms[-4], beside=True),
        step("I", terms[-3], beside=True),
        step("D", terms[-2], beside=True),
    )
    lengths = [Number(len(reference)) for reference in result.segment.references]
    m = step("m", Quotient(Sum(*lengths), Number(len(lengths))) if len(lengths) > 1 else lengths[0])
    edits = (shifts, s, i, d)
    above = Sum(*[part.symbol() for part in edits]), Sum(*[part.number() for part in edits])
    below = m.symbol() if m.value else Symbol("max(m, 1)", 1)
    return *edits, m, step("TER", Quotient(above[0], below), Quotient(above[1], Number(m.value or 1)))


def _summary(result: Result) -> str:
    edits = int(result.parts["edits"])
    return f"{edits} edit{'s' * (edits != 1)}"


def _remark(result: Result) -> str:
    """What cut the search for the reference that decides, else how a rate above 1 comes about."""
    segment, settings, k = result.segment, result.settings, result.decides["score"]
    assert isinstance(settings, TERSettings)
    candidate, references = spelled(*segment)
    found = Comparison(candidate, "".join(sorted(candidate)), references[k], settings).search(_hits(segment, k))
    if found.stopped:
        return (
            f"The search for shifts ended at its limit of {settings.max_candidates:,} tries, as sacreBLEU's does: "
            "more shifts might save edits."
        )
    edits, shortest = found.script.distance(), Levenshtein.distance(found.words, references[k])
    if edits > shortest:
        return f"The beam hides a shorter script: after the shifts {edits} edits are found, {shortest} would do."
    if result.score <= 1:
        return ""
    if not any(segment.references):
        return "There are no words in any reference: every word of the candidate is an edit, over a length of 1."
    return "The rate is above 1: there are more edits than words in a reference of average length."


METRIC = Metric(
    key="ter",
    label="TER",
    name="Translation edit rate",
    idea=first_line(__doc__),
    about=about(__doc__),
    family="edits",
    citation="Snover, Dorr, Schwartz, Micciulla and Makhoul (2006), A Study of Translation Edit Rate with Targeted "
    "Human Annotation, AMTA",
    higher_is_better=False,
    pooling="sum",
    Settings=TERSettings,
    align=_align,
    from_stats=_from_stats,
    formula=_formula,
    summary=_summary,
    remark=_remark,
)
