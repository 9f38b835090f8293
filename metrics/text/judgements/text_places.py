"""Find the segments and positions in the judged texts that correspond to texts in a file of judgements."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..formats.material import Material


def without_white_space(text: str) -> str:
    """Return a text without its white space, the form in which texts are compared."""
    return "".join(text.split())


class TextIndex(NamedTuple):
    """The segments in which each text occurs.

    Attributes:
        outputs: for each system, the segments by text of the output, without white space.
        sources: the segments by source text, without white space."""

    outputs: Mapping[str, Mapping[str, Sequence[int]]]
    sources: Mapping[str, Sequence[int]]

    def find_segments(self, system: str, target: str, source: str) -> frozenset[int]:
        """Return the segments that have both texts, or the one text that is known; an empty set if neither is."""
        segment_sets = [frozenset(of[key]) for of, key in self._lookups(system, target, source) if key and key in of]
        return frozenset.intersection(*segment_sets) if segment_sets else frozenset()

    def _lookups(self, system: str, target: str, source: str) -> list[tuple[Mapping[str, Sequence[int]], str]]:
        """Return the tables to search, each with the text to look up in it."""
        return [
            (self.outputs.get(system, {}), without_white_space(target)),
            (self.sources, without_white_space(source)),
        ]


def index_texts(material: Material) -> TextIndex:
    """Return the index of the outputs and sources of the material."""
    outputs = {name: _segments_by_text(texts.lines) for name, texts in material.systems.items()}
    return TextIndex(outputs, _segments_by_text(material.source.lines) if material.source else {})


def _segments_by_text(lines: Sequence[str]) -> dict[str, list[int]]:
    """Return the segments in which each text occurs, by the text without white space."""
    out: dict[str, list[int]] = {}
    for place, line in enumerate(lines):
        out.setdefault(without_white_space(line), []).append(place)
    return out


def row_segments_by_text(keys: Sequence[str], segment_sets: Sequence[frozenset[int]], size: int) -> list[int | None]:
    """Return the segment of each row, None if nothing tells it.

    `keys` has the key of each row's segment in the file, `segment_sets` the segments whose texts are those of the row,
    and `size` is the number of segments.

    All rows with the same key belong to one segment: the one that most of their texts identify, counting only texts
    that occur once. The remaining keys are placed if they are numbers: at the same distance from the nearest placed
    number as in the file, and, if the row's texts occur, in one of their segments.

    >>> candidates = [frozenset({0}), frozenset({0, 7}), frozenset(), frozenset({2, 5})]
    >>> row_segments_by_text(["84", "84", "85", "86"], candidates, 9)
    [0, 0, 1, 2]
    """
    votes: dict[str, Counter[int]] = {}
    may: dict[str, frozenset[int]] = {}
    for key, segments in zip(keys, segment_sets, strict=True):
        if len(segments) == 1:
            votes.setdefault(key, Counter()).update(segments)
        key_segments = may.get(key)
        may[key] = key_segments & segments or key_segments if key_segments and segments else key_segments or segments
    by_key = {key: each.most_common(1)[0][0] for key, each in votes.items()}
    numbers = sorted([(int(key), place) for key, place in by_key.items() if _is_number(key)])
    for key, segments in may.items():
        if key not in by_key and (place := _nearest_segment(key, segments, numbers, size)) is not None:
            by_key[key] = place
    return [by_key.get(key) for key in keys]


def _is_number(key: str) -> bool:
    """Return whether a key is a whole number of at most nine digits."""
    return key.isascii() and key.isdecimal() and len(key) < 10


def _nearest_segment(key: str, segments: frozenset[int], numbers: Sequence[tuple[int, int]], size: int) -> int | None:
    """Return the segment of a key that no text identifies, inferred from the nearest placed numbers.

    `segments` are the segments that have the texts of the key, and `numbers` the placed keys with their segments,
    sorted. Without placed numbers, or for a key that is not a number, it is the first of `segments`, None if there are
    none."""
    if not _is_number(key) or not numbers:
        return min(segments, default=None)
    number = int(key)
    at = bisect_left(numbers, (number, -1))
    near = [numbers[n] for n in (at - 1, at) if 0 <= n < len(numbers)]
    near.sort(key=lambda each: abs(each[0] - number))
    places = [place + number - other for other, place in near]
    inside = [place for place in places if 0 <= place < size and (not segments or place in segments)]
    if inside and (segments or len({*places}) == 1):
        return inside[0]
    return min(segments, key=lambda place: abs(place - places[0]), default=None)


def move_span(start: int, end: int, given: str, own_text: str) -> tuple[int, int] | None:
    """Return the range of letters in `own_text` that corresponds to the half-open range in `given`.

    The two texts may differ in white space; None if they differ in anything else.

    >>> move_span(2, 5, "a  bc", " a bc"), move_span(0, 1, "a", "b")
    ((3, 5), None)
    """
    if given == own_text:
        return start, end
    if without_white_space(given) != without_white_space(own_text):
        return None
    before, marked_length = len(without_white_space(given[:start])), len(without_white_space(given[start:end]))
    places = [at for at, letter in enumerate(own_text) if not letter.isspace()]
    first = places[before] if before < len(places) else len(own_text)
    return first, (places[before + marked_length - 1] + 1 if marked_length else first)
