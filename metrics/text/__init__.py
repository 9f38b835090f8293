"""Raw strings stop here: normalise, lower, tokenise and stem a text, and know where in it each token was typed."""

from .processing import (
    LANGUAGES,
    TextSegment,
    TextSettings,
    Token,
    Tracked,
    beyond,
    csv_cell,
    forms,
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
    "beyond",
    "csv_cell",
    "forms",
    "lowered",
    "nfkc",
    "normalised",
    "printable",
    "process",
    "segment_text",
    "stem",
    "unescaped",
]
