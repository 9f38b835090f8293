"""Normalise, lowercase, tokenise and stem raw texts.

Every token keeps its position in the text as typed. No raw text passes beyond this package: the metrics get tokens."""

from .processing import (
    LANGUAGES,
    TextSegment,
    TextSettings,
    Token,
    Tracked,
    csv_cell,
    describe_excess,
    forms,
    graphemes,
    lowered,
    nfkc,
    normalised,
    printable,
    process,
    segment_text,
    stem,
    unescaped,
)

__all__ = [
    "LANGUAGES",
    "TextSegment",
    "TextSettings",
    "Token",
    "Tracked",
    "csv_cell",
    "describe_excess",
    "forms",
    "graphemes",
    "lowered",
    "nfkc",
    "normalised",
    "printable",
    "process",
    "segment_text",
    "stem",
    "unescaped",
]
