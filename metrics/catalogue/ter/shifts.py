"""Search for shifts greedily: move the block that lowers the edit distance most, as long as one lowers it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heapreplace
from itertools import repeat
from typing import NamedTuple, TypeAlias

from rapidfuzz.distance import Levenshtein

from ...alignment.lcs import lcs_length
from ...types import LENGTH_MOST, Settings, setting
from ...types.work import spend
from .edit_scripts import Beam, Script, distance_table, make_beam, rise_and_fall_masks, shortest_script


@dataclass(frozen=True, slots=True)
class TERSettings(Settings):
    """The settings of TER: the limits of the search for shifts and scripts; the defaults are those of sacreBLEU."""

    max_shift_size: int = setting(
        10,
        "whole",
        "Longest block",
        "How many words may move at once; 0 allows no shifts.",
        least=0,
        most=LENGTH_MOST,
        slider_range=(0, 20),
    )
    max_shift_distance: int = setting(
        50,
        "whole",
        "Farthest match",
        "How far apart the block and the words it equals may begin in the two sentences.",
        least=0,
        most=LENGTH_MOST,
        slider_range=(0, 100),
    )
    beam_width: int = setting(
        25,
        "whole",
        "Beam",
        "How many words an edit script may stray from the diagonal of the grid.",
        least=1,
        most=LENGTH_MOST,
        slider_range=(1, 50),
    )
    max_candidates: int = setting(
        1000,
        "whole",
        "Most shifts tried",
        "The search ends, without a last shift, when this many were tried.",
        least=1,
        most=5_000,
        step=100,
        slider_range=(100, 5000),
    )


#: A shift to be tried as (−length, start, target place, position of its words in the reference).
#: Of equally good ones the smallest tuple is made.
Trial: TypeAlias = tuple[int, int, int, int]


def shifts_to_try(
    words: str, columns: Mapping[str, int], script: Script, settings: TERSettings, most: int
) -> tuple[list[Trial], int]:
    """Return the shifts to try next, and their number including repetitions and shifts that move nothing.

    `columns` maps each word (written as one letter) to a bit mask of its positions in the reference. A block is
    tried if it equals words of the reference that begin near it, if the script has an error in both, and if it does
    not contain the word that the script aligns with the first of those words. It is tried before the candidate words
    that the script aligns with the reference's words, and after each of them. The search stops once `most` shifts
    are found."""
    n, size, reach = len(words), settings.max_shift_size, settings.max_shift_distance
    places = script.places
    missed = [0, script.replaced | script.missing]  # by length: where reference words with an error begin
    near = (1 << 2 * reach + 1) - 1 if max(n, len(places)) > reach + 1 else 0
    out: list[Trial] = []
    count = blocks_tried = 0
    wrong = script.substituted | script.extra
    while wrong:
        # Try the blocks whose first error is this one: they start at it, or before it but after the error before.
        error = wrong.bit_length() - 1
        wrong ^= 1 << error
        equal = columns[words[error]]  # where the reference has the words from `start` to `error`
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
                blocks_tried += 1
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
                    for later_place in places[j : j + length]:
                        if later_place != place:
                            place = later_place
                            count += 1
                            if place != start:
                                out.append((-length, start, place, j))
                if count >= most:
                    spend(blocks_tried // 2 + count)
                    return out, count
            start -= 1
            equal = equal >> 1 & columns[words[start]]
    spend(blocks_tried // 2 + count)
    return out, count


def shift_block(words: str, trial: Trial) -> str:
    """Return the words after a shift.

    The shift is (−length, start, place, j), where the block goes to `place`, counted in the sentence before the shift.
    Places within the block and just after it move the block as many words to the right as they are from its start.

    >>> shift_block("abcdef", (-2, 2, 1, 0)), shift_block("abcdef", (-2, 0, 1, 0)), shift_block("abcdef", (-2, 0, 4, 0))
    ('acdbef', 'cabdef', 'cdabef')
    """
    negative, start, place, _ = trial
    end = start - negative
    if place < start:
        return words[:place] + words[start:end] + words[place:start] + words[end:]
    if place <= end:
        place -= negative
    return words[:start] + words[end:place] + words[start:end] + words[place:]


class ShiftSearch(NamedTuple):
    """The result of the search for shifts with one reference.

    Attributes:
        shifts: the shifts in the order in which they are made.
        words: the sentence after the shifts, each word written as one letter.
        distance: the edit distance of this sentence to the reference.
        script: the edit script after the shifts; None if it was not needed, since no order has a lower distance.
        stopped: whether the search ended because too many shifts were tried."""

    shifts: list[Trial]
    words: str
    distance: int
    script: Script | None
    stopped: bool

    def edits(self) -> int:
        return len(self.shifts) + self.distance


class ShiftComparison:
    """The comparison of a candidate with one reference; each word of both is written as one letter.

    `distance` is their edit distance without a beam. `bound` is a lower limit of the distance for any order of the
    candidate's words, since it does not look at the order."""

    def __init__(self, candidate: str, bag: str, reference: str, settings: TERSettings) -> None:
        """Compare the sentences, which have one letter for each word.

        `bag` is the candidate with its letters sorted, so that several comparisons can share it."""
        self.candidate, self.reference, self.settings = candidate, reference, settings
        n, m = len(candidate), len(reference)
        self.distance = Levenshtein.distance(candidate, reference)
        self.bound = max(n, m) - lcs_length(bag, "".join(sorted(reference)))
        # A script of d edits stays within (d + |n - m|) / 2 columns of the diagonal. Up to this distance the beam
        # does not matter; two columns are subtracted for rounding.
        self._surely = 2 * settings.beam_width - 4 - abs(n - m)

    @cached_property
    def _beam(self) -> Beam:
        return make_beam(len(self.candidate), len(self.reference), self.settings.beam_width)

    @cached_property
    def _word_masks(self) -> dict[str, int]:
        """The positions of each word in the reference, as a bit mask by word."""
        columns = dict.fromkeys(self.candidate + self.reference, 0)
        bit = 1
        for word in self.reference:
            columns[word] |= bit
            bit <<= 1
        return columns

    def script(self, words: str, distance: int) -> Script:
        """Return the edit script from `words`, an order of the candidate's words, to the reference.

        `distance` is their edit distance without the beam."""
        reference = self.reference
        if max(len(words), len(reference)) <= 128:  # computing few distances is then faster than a table
            script = shortest_script(words, reference, distance, Levenshtein.distance)
            if distance <= self._surely or script.inside(self._beam):
                return script
        beam = None if distance <= self._surely else self._beam
        distances = distance_table([self._word_masks[word] for word in words], len(reference), beam)
        spend(len(words) + len(reference))
        return shortest_script(words, reference, distances(words, reference), distances, beam)

    def distance_in_beam(self, words: str) -> int:
        """Return the edit distance of `words` to the reference inside the beam.

        It is needed only where the beam may matter; without the beam the distance is quicker to compute."""
        more = less = 0
        masks = [self._word_masks[word] for word in words]
        for more, less in rise_and_fall_masks(masks, len(self.reference), self._beam):  # noqa: B007
            pass
        return len(words) + more.bit_count() - less.bit_count()

    def search(self, most: float = math.inf) -> ShiftSearch | None:
        """Return the result of the greedy search for shifts.

        None if it becomes clear that this reference needs more than `most` edits, so that another one is better."""
        words, distance = self.candidate, self.distance
        script: Script | None = None
        shifts: list[Trial] = []
        tries_left = self.settings.max_candidates
        # The rest needs `distance` edits without further shifts, and at best `bound + 1` with one.
        while len(shifts) + min(distance, self.bound + 1) <= most:
            if distance > min(self.bound, self._surely):  # else every script has this distance
                script = script or self.script(words, distance)
                distance = script.distance()
            if not script or distance == self.bound:
                return ShiftSearch(shifts, words, distance, script, False)
            tried, count = shifts_to_try(words, self._word_masks, script, self.settings, tries_left)
            tries_left -= count
            best = self._best_shift(words, tried, distance) if tried and tries_left > 0 else None
            if not best:
                return ShiftSearch(shifts, words, distance, script, tries_left <= 0)
            distance, trial, script = best
            words = shift_block(words, trial)
            shifts.append(trial)
        return None

    def _best_shift(self, words: str, tried: list[Trial], distance: int) -> tuple[int, Trial, Script | None] | None:
        """Return the best of the shifts `tried`: the edit distance after it, the shift, and the script after it.

        `distance` is the distance before. The script is None if it is not known. None is returned if no shift lowers
        the distance."""
        if distance > self._surely:
            return self._shift_in_beam(words, tried, distance)
        least, best = distance, None
        for trial in sorted(tried):
            # Moving a block lowers the distance by at most twice its length, and longer blocks come first.
            if least == self.bound or least <= distance + 2 * trial[0]:
                break
            spend(1 + len(words) * len(self.reference) // 20_000)
            after = Levenshtein.distance(shift_block(words, trial), self.reference)
            if after < least:
                least, best = after, trial
        return best and (least, best, None)

    def _shift_in_beam(self, words: str, tried: list[Trial], distance: int) -> tuple[int, Trial, Script | None] | None:
        """Return the best of the shifts `tried`, for distances at which the beam may matter.

        The result is the edit distance after the shift, the shift, and the script after it or None. The distance
        without the beam is never larger than with it. So only the shift that is best without it is computed with it,
        and after that only shifts whose plain distance is at most the distance found."""
        spend(len(tried) * (1 + len(words) * len(self.reference) // 20_000))
        distances = map(Levenshtein.distance, [shift_block(words, trial) for trial in tried], repeat(self.reference))
        offers = [offer for offer in zip(distances, tried, strict=False) if offer[0] < distance]
        heapify(offers)
        plain_distances: dict[Trial, int] = {}  # distances without the beam, of shifts computed with it
        while offers:
            after, trial = offers[0]
            if after <= self._surely:
                return after, trial, None
            if trial in plain_distances:
                return after, trial, self.script(shift_block(words, trial), plain_distances[trial])
            plain_distances[trial] = after
            in_beam = self.distance_in_beam(shift_block(words, trial))
            if in_beam < distance:
                heapreplace(offers, (in_beam, trial))
            else:
                heappop(offers)
        return None

    def count_edit_kinds(self, search: ShiftSearch) -> tuple[int, int, int]:
        """Return the numbers of substituted, extra and missing words in the edit script after the shifts."""
        if script := search.script:
            return script.substituted.bit_count(), script.extra.bit_count(), script.missing.bit_count()
        # A script at the bound has all hits that any order can have, and not both extra and missing words.
        longer = len(self.candidate) - len(self.reference)
        return search.distance - abs(longer), max(longer, 0), max(-longer, 0)
