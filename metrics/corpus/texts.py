"""The splitting of a corpus's texts into words, for scoring."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..text import TextSettings
from ..text.formats import Material
from ..text.processing import words
from ..types import Tokens
from .jobs import MetricRequest, ScoringCorpus, expected_seconds

#: The number of segments on which the cost of metrics is measured.
SAMPLE = 20


def split_corpus(material: Material, settings: TextSettings, segments: Sequence[int] | None = None) -> ScoringCorpus:
    """Split the texts of files into words, and return the outputs and references of `segments`, by default of all.

    Equal lines are processed once, and equal words are in memory once. An empty line of references means that the
    segment has no such reference; a segment whose references are all empty has one without words.
    """
    processed: dict[str, Tokens] = {}
    interned: dict[str, str] = {}

    def of_line(line: str) -> Tokens:
        if line not in processed:
            processed[line] = tuple([interned.setdefault(word, word) for word in words(line, settings)])
        return processed[line]

    def chosen(lines: Sequence[str]) -> Sequence[str]:
        return lines if segments is None else [lines[n] for n in segments]

    references = []
    for each in zip(*[chosen(texts.lines) for texts in material.references.values()], strict=True):
        reference_lines = [line for line in each if line.strip()] or [each[0]]
        references.append(tuple(map(of_line, reference_lines)))
    outputs = tuple([tuple(map(of_line, chosen(texts.lines))) for texts in material.systems.values()])
    return ScoringCorpus(tuple(material.systems), outputs, tuple(references))


def measure_costs(
    material: Material, settings: TextSettings, requests: Sequence[MetricRequest], most: float = math.inf
) -> dict[str, float]:
    """Return, for each metric's key, about how many seconds one process needs to score the texts of files by it.

    It is measured on a few segments from all over the files. A segment that takes more than `most` steps is too hard.
    """
    size = len(material)
    sample = range(size) if size <= SAMPLE else [size * n // SAMPLE for n in range(SAMPLE)]
    return expected_seconds(requests, split_corpus(material, settings, sample), size, most)
