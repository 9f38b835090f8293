"""Where a text that a file of judgements gives stands among the texts that were judged."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..formats.material import Material


def bare(text: str) -> str:
    """A text without its white space, by which texts are compared."""
    return "".join(text.split())


class Index(NamedTuple):
    """The segments that have a text, without its white space: outputs by system, and sources."""

    outputs: Mapping[str, Mapping[str, Sequence[int]]]
    sources: Mapping[str, Sequence[int]]

    def find_segments(self, system: str, target: str, source: str) -> frozenset[int]:
        """The segments that have these texts: both, or the one that is known."""
        segment_sets = [frozenset(of[key]) for of, key in self._lookups(system, target, source) if key and key in of]
        return frozenset.intersection(*segment_sets) if segment_sets else frozenset()

    def _lookups(self, system: str, target: str, source: str) -> list[tuple[Mapping[str, Sequence[int]], str]]:
        return [(self.outputs.get(system, {}), bare(target)), (self.sources, bare(source))]


def index(material: Material) -> Index:
    """Where each text of the material stands."""
    outputs = {name: _places(texts.lines) for name, texts in material.systems.items()}
    return Index(outputs, _places(material.source.lines) if material.source else {})


def _places(lines: Sequence[str]) -> dict[str, list[int]]:
    out: dict[str, list[int]] = {}
    for place, line in enumerate(lines):
        out.setdefault(bare(line), []).append(place)
    return out


def placed(keys: Sequence[str], segment_sets: Sequence[frozenset[int]], size: int) -> list[int | None]:
    """The segment of each row, of which are known the key of its segment in the file, and the segments that have its
    texts; None where nothing tells.

    Rows of a key are of one segment: that which most of its texts have that stand once only. The others follow where
    keys are numbers: they lie from their segment as far as the nearest number before or behind them does, of the
    segments that have their texts where some have.

    >>> placed(["84", "84", "85", "86"], [frozenset({0}), frozenset({0, 7}), frozenset(), frozenset({2, 5})], 9)
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
    return key.isascii() and key.isdecimal() and len(key) < 10


def _nearest_segment(key: str, segments: frozenset[int], numbers: Sequence[tuple[int, int]], size: int) -> int | None:
    """The segment of a key that has no text of its own, by the numbers that have."""
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


def moved(start: int, end: int, given: str, own_text: str) -> tuple[int, int] | None:
    """The letters of a text, half-open, from those of the same text in a file, which may have other white space; None
    where it is another text.

    >>> moved(2, 5, "a  bc", " a bc"), moved(0, 1, "a", "b")
    ((3, 5), None)
    """
    if given == own_text:
        return start, end
    if bare(given) != bare(own_text):
        return None
    before, marked_length = len(bare(given[:start])), len(bare(given[start:end]))
    places = [at for at, letter in enumerate(own_text) if not letter.isspace()]
    first = places[before] if before < len(places) else len(own_text)
    return first, (places[before + marked_length - 1] + 1 if marked_length else first)
