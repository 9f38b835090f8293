"""Turn raw texts into tokens: normalise, lowercase, tokenise and stem them.

Every token keeps its position in the text as typed. No raw text passes beyond this package: the metrics get tokens."""

from .processing import (
    LANGUAGES,
    TextSegment,
    TextSettings,
    Token,
    TrackedText,
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
    "TrackedText",
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
