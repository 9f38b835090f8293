"""The splitting of a corpus's texts into words, for scoring."""

from __future__ import annotations

from ..text import TextSettings
from ..text.formats import Material
from ..text.processing import words
from ..types import Tokens
from .jobs import ScoringCorpus


def split_corpus(material: Material, settings: TextSettings) -> ScoringCorpus:
    """Split the texts of files into words, and return the outputs and references of each segment.

    Equal lines are processed once, and equal words are in memory once. An empty line of references means that the
    segment has no such reference; a segment whose references are all empty has one without words.
    """
    processed: dict[str, Tokens] = {}
    interned: dict[str, str] = {}

    def of_line(line: str) -> Tokens:
        if line not in processed:
            processed[line] = tuple([interned.setdefault(word, word) for word in words(line, settings)])
        return processed[line]

    references = []
    for each in zip(*[texts.lines for texts in material.references.values()], strict=True):
        reference_lines = [line for line in each if line.strip()] or [each[0]]
        references.append(tuple(map(of_line, reference_lines)))
    outputs = tuple([tuple(map(of_line, texts.lines)) for texts in material.systems.values()])
    return ScoringCorpus(tuple(material.systems), outputs, tuple(references))
