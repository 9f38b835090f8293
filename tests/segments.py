"""Segments for the tests of pictures and tables, and results on them; what a picture must show, found the slow way."""

from __future__ import annotations

from functools import cache
from typing import Any

import metrics
from metrics.types import Hit, Result

HOSTILE = ("<b>", "$x$", "%{x}", "&amp;", "<script>alert(1)</script>", "a\u202eb", "\x00", "\ud800", "\"'", "=1+1")

SEGMENTS: dict[str, tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]] = {
    "one reference": (("police", "kill", "the", "gunman"), (("police", "killed", "the", "gunman"),)),
    "two references": (
        tuple("England with France discussed this crisis in London".split()),
        (
            tuple("Britain and France consulted about this crisis in London with each other".split()),
            tuple("England and France discussed the crisis in London".split()),
        ),
    ),
    "precision and recall from two references": (("a", "b", "c", "d"), (tuple("abcxyz"), ("a", "b"))),
    "repeats": (tuple("ababa"), (tuple("babaa"), tuple("aa"))),
    "a run cut by GTM's cap": (tuple("abcabcabc"), (tuple("abcab"), tuple("cabc"))),
    "one word": (("a",), (("a",),)),
    "no match": (tuple("abc"), (tuple("de"), tuple("f"))),
    "one row, many columns": (("a",), (tuple("bcadeafg"),)),
    "hostile": (HOSTILE, (HOSTILE[::-1], HOSTILE[3:])),
}
SETTINGS: dict[str, list[dict[str, Any]]] = {  # beside the defaults
    "rouge_n": [{"order": 2}],
    "rouge_s": [{"max_skip": 1, "unigrams": True}],
    "gtm": [{"exponent": 1.0}],
    "dcs": [{"overlap": "disjoint"}],
}
CASES = [(key, name, given) for key in metrics.METRICS for given in ({}, *SETTINGS.get(key, ())) for name in SEGMENTS]


def case_id(value: object) -> str:
    return str(value).strip("{}").replace("'", "") or "defaults"


def result_of(key: str, name: str, given: dict[str, Any] | None = None) -> Result:
    return _result(key, name, tuple((given or {}).items()))


@cache
def _result(key: str, name: str, given: tuple[tuple[str, Any], ...]) -> Result:
    return metrics.score(key, *SEGMENTS[name], **dict(given))


def all_hits(result: Result) -> list[Hit]:
    """Every pair of equal words."""
    candidate, references = result.segment
    return [
        Hit(i, k, j)
        for k, reference in enumerate(references)
        for i, a in enumerate(candidate)
        for j, b in enumerate(reference)
        if a == b
    ]


def layers_shown(result: Result, rounds: int | None = None) -> list[Any]:
    return [x for x in result.layers if rounds is None or x.number is None or x.number <= rounds]


def used_cells(result: Result, rounds: int | None = None) -> set[Hit]:
    return {cell for layer in layers_shown(result, rounds) for mark in layer.marks for cell in mark.cells()}
