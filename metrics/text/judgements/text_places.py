"""Find where the texts in a file of judgements occur in the judged texts: in which segments, and at which letters."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..formats.material import Material


def without_white_space(text: str) -> str:
    """Return a text without any white space, so that texts compare equal however they are spaced."""
    return "".join(text.split())


class TextIndex(NamedTuple):
    """An index that maps texts to the segments in which they occur.

    Attributes:
        outputs: for each system, its outputs without white space, mapped to the indices of segments.
        sources: the source texts without white space, mapped to the indices of segments."""

    outputs: Mapping[str, Mapping[str, Sequence[int]]]
    sources: Mapping[str, Sequence[int]]

    def find_segments(self, system: str, target: str, source: str) -> frozenset[int]:
        """Return the indices of the segments with the output `target` of `system` and with the text `source`.

        If only one of the two texts is in this index, its segments are returned; if neither is, the empty set."""
        segment_sets = [
            frozenset(of[key]) for of, key in self._text_lookups(system, target, source) if key and key in of
        ]
        return frozenset.intersection(*segment_sets) if segment_sets else frozenset()

    def _text_lookups(self, system: str, target: str, source: str) -> list[tuple[Mapping[str, Sequence[int]], str]]:
        """Return two pairs of an index and the text to look up in it: for the output `target` and for the source."""
        return [
            (self.outputs.get(system, {}), without_white_space(target)),
            (self.sources, without_white_space(source)),
        ]


def index_texts(material: Material) -> TextIndex:
    """Return the index of all outputs and source texts of the material."""
    outputs = {name: _segments_by_text(texts.lines) for name, texts in material.systems.items()}
    return TextIndex(outputs, _segments_by_text(material.source.lines) if material.source else {})


def _segments_by_text(lines: Sequence[str]) -> dict[str, list[int]]:
    """Return a dict from each text, without white space, to the indices of the lines that have it."""
    out: dict[str, list[int]] = {}
    for place, line in enumerate(lines):
        out.setdefault(without_white_space(line), []).append(place)
    return out


def row_segments_by_text(keys: Sequence[str], segment_sets: Sequence[frozenset[int]], size: int) -> list[int | None]:
    """Return the index of the segment that each row of a table is about, None where it cannot be found.

    Args:
        keys: the key of the segment in each row, such as a number.
        segment_sets: for each row, the segments that have the texts in that row.
        size: the number of segments.

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
    numbers = sorted([(int(key), place) for key, place in by_key.items() if _is_short_number(key)])
    for key, segments in may.items():
        if key not in by_key and (place := _nearest_segment(key, segments, numbers, size)) is not None:
            by_key[key] = place
    return [by_key.get(key) for key in keys]


def _is_short_number(key: str) -> bool:
    """Return whether a key is a whole number of at most nine digits."""
    return key.isascii() and key.isdecimal() and len(key) < 10


def _nearest_segment(
    key: str, segments: frozenset[int], numbers: Sequence[tuple[int, int]], segment_count: int
) -> int | None:
    """Return the segment of a key that no text identifies, inferred from the keys with the nearest numbers.

    `segments` are the segments that have the texts of the key's rows, and `numbers` the keys that are placed already,
    sorted, with their segments. Without such keys, or for a key that is not a number, the first of `segments` is
    returned, None if there are none."""
    if not _is_short_number(key) or not numbers:
        return min(segments, default=None)
    number = int(key)
    at = bisect_left(numbers, (number, -1))
    near = [numbers[n] for n in (at - 1, at) if 0 <= n < len(numbers)]
    near.sort(key=lambda each: abs(each[0] - number))
    places = [place + number - other for other, place in near]
    inside = [place for place in places if 0 <= place < segment_count and (not segments or place in segments)]
    if inside and (segments or len({*places}) == 1):
        return inside[0]
    return min(segments, key=lambda place: abs(place - places[0]), default=None)


def move_span(start: int, end: int, given_text: str, own_text: str) -> tuple[int, int] | None:
    """Return the range of letters in `own_text` for the half-open range from `start` to `end` in the text `given_text`.

    The two texts may differ in white space; None is returned if they differ in anything else.

    >>> move_span(2, 5, "a  bc", " a bc"), move_span(0, 1, "a", "b")
    ((3, 5), None)
    """
    if given_text == own_text:
        return start, end
    if without_white_space(given_text) != without_white_space(own_text):
        return None
    before, marked_length = (
        len(without_white_space(given_text[:start])),
        len(without_white_space(given_text[start:end])),
    )
    places = [at for at, letter in enumerate(own_text) if not letter.isspace()]
    first = places[before] if before < len(places) else len(own_text)
    return first, (places[before + marked_length - 1] + 1 if marked_length else first)
