"""One candidate and its references, as checked tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    pass
from .words import brief

Tokens: TypeAlias = tuple[str, ...]


class Segment(NamedTuple):
    """One candidate and its references, at least one, all as tokens."""

    candidate: Tokens
    references: tuple[Tokens, ...]


_SEQUENCES = (tuple, list)  # what most callers give: spares the slower tests


def tokens(words: object, name: str, number: int | None = None) -> Tokens:
    """`words` as a tuple of strings; TypeError for a bare string or for anything in it that is not one.

    The error calls the words by `name` and, where they are one of several, `number`.
    """
    if isinstance(words, _SEQUENCES):
        out = tuple(words)
        try:
            "".join(out)  # the quickest test of many words
            return out
        except TypeError:
            pass
    # Only now: most words are right and need no name.
    name = name if number is None else f"{name} {number}"
    if isinstance(words, str | bytes | bytearray):
        raise TypeError(
            f"{name} must be a sequence of tokens, got the string {words[:40]!r}; split it into words first"
        )
    # A set has no order, and an array of no dimensions cannot be gone through.
    if not isinstance(words, Iterable) or isinstance(words, set | frozenset) or getattr(words, "ndim", 1) == 0:
        raise TypeError(f"{name} must be a sequence of tokens, got {type(words).__name__}")
    out = tuple(words)
    for position, word in enumerate(out):
        if not isinstance(word, str):
            raise TypeError(f"{name} must hold strings, got {brief(word)} at position {position}")
    return out


def segment(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> Segment:
    """A checked Segment: TypeError where a string stands for tokens, ValueError without references."""
    if not isinstance(references, _SEQUENCES) and (
        isinstance(references, str | bytes) or not isinstance(references, Iterable)
    ):
        raise TypeError("references must be a list of token sequences, one for each reference")
    checked = tuple([tokens(reference, "reference", number) for number, reference in enumerate(references, 1)])
    if not checked:
        raise ValueError("references must hold at least one reference, got none")
    return Segment(tokens(candidate, "candidate"), checked)
