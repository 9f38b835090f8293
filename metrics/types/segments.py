"""The segment: one candidate with its references, as tokens that have been checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from .words import brief_repr

Tokens: TypeAlias = tuple[str, ...]


class Segment(NamedTuple):
    """A candidate with its references, of which there is at least one, all split into tokens."""

    candidate: Tokens
    references: tuple[Tokens, ...]


_SEQUENCES = (tuple, list)  # the types that most callers pass, which need no slower test


def checked_tokens(words: object, name: str, number: int | None = None) -> Tokens:
    """Check that `words` is a sequence of strings and return it as a tuple.

    Raises TypeError for a bare string, for anything else that is not an ordered iterable, and for a member that is not
    a string. The error message calls the argument `name`, followed by `number` if it is given.
    """
    if isinstance(words, _SEQUENCES):
        out = tuple(words)
        try:
            "".join(out)  # the fastest way to check that all members are strings
            return out
        except TypeError:
            pass
    # The name is made only here, because most calls raise nothing and need none.
    name = name if number is None else f"{name} {number}"
    if isinstance(words, str | bytes | bytearray):
        raise TypeError(
            f"{name} must be a sequence of tokens, got the string {words[:40]!r}; split it into words first"
        )
    # A set has no order, and an array of zero dimensions cannot be iterated.
    if not isinstance(words, Iterable) or isinstance(words, set | frozenset) or getattr(words, "ndim", 1) == 0:
        raise TypeError(f"{name} must be a sequence of tokens, got {type(words).__name__}")
    out = tuple(words)
    for position, word in enumerate(out):
        if not isinstance(word, str):
            raise TypeError(f"{name} must hold strings, got {brief_repr(word)} at position {position}")
    return out


def segment(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> Segment:
    """Return a Segment of a candidate and its references, after checking that they are sequences of strings.

    Raises TypeError where a string is passed for tokens, and ValueError without references.
    """
    if not isinstance(references, _SEQUENCES) and (
        isinstance(references, str | bytes) or not isinstance(references, Iterable)
    ):
        raise TypeError("references must be a list of token sequences, one for each reference")
    checked = tuple([checked_tokens(reference, "reference", number) for number, reference in enumerate(references, 1)])
    if not checked:
        raise ValueError("references must hold at least one reference, got none")
    return Segment(checked_tokens(candidate, "candidate"), checked)
