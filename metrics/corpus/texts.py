"""The texts of files, processed for scoring."""

from __future__ import annotations

from ..text import TextSettings
from ..text.formats import Material
from ..text.processing import words
from ..types import Tokens
from .jobs import Corpus


def corpus(material: Material, settings: TextSettings) -> Corpus:
    """The outputs and the references of each segment, as words. A line that stands several times is processed once, and
    a word stands in memory once.

    An empty line of references says that the segment has no such reference; where all are empty it has one without
    words.
    """
    seen: dict[str, Tokens] = {}
    same: dict[str, str] = {}

    def of_line(line: str) -> Tokens:
        if line not in seen:
            seen[line] = tuple([same.setdefault(word, word) for word in words(line, settings)])
        return seen[line]

    references = []
    for each in zip(*[texts.lines for texts in material.references.values()], strict=True):
        there = [line for line in each if line.strip()] or [each[0]]
        references.append(tuple(map(of_line, there)))
    outputs = tuple([tuple(map(of_line, texts.lines)) for texts in material.systems.values()])
    return Corpus(tuple(material.systems), outputs, tuple(references))
