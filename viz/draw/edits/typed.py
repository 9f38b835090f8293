"""A text with one edit taken back, as it would have been typed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from metrics.text import Token, forms

from ..compare.worth import ChangedText
from ..texts import ProcessedTexts
from .edit_effect import take_back_row
from .edit_map import EditMap, EditSpan

#: What may stand on both sides of words that are put back. No space where none is needed, as before a full stop.
_SPACES = (("", ""), (" ", ""), ("", " "), (" ", " "))


def taken_back(
    edit_map: EditMap,
    row: int,
    a: ProcessedTexts,
    b: ProcessedTexts,
    typed: tuple[str, str],
    tokens: Callable[[str], tuple[Token, ...]],
) -> ChangedText:
    """B's text with the edits of one row taken back; `typed` are both texts as they stand in their fields, and `tokens`
    splits a text into words.

    It is made in what was typed where that gives the right words, A's words as they were typed there; else the words
    stand with spaces between them, and even that is not always exact.
    """
    back = take_back_row(edit_map, row, a, b)
    target_forms = back.segment.candidate
    for text in _tries(edit_map.spans(row), a, b, typed, tokens):
        if forms(tokens(text)) == target_forms:
            return ChangedText(text, True)
    plain = " ".join(back.candidate_words)
    return ChangedText(plain, forms(tokens(plain)) == target_forms)


def _tries(
    spans: Sequence[EditSpan],
    a: ProcessedTexts,
    b: ProcessedTexts,
    typed: tuple[str, str],
    tokens: Callable[[str], tuple[Token, ...]],
) -> Iterator[str]:
    """What was typed as B with words of A, with spaces around them in every way."""
    ours, theirs = typed
    if tokens(theirs) != b.candidate:
        return
    ours_unchanged = tokens(ours) == a.candidate
    for spaces in product(_SPACES, repeat=len(spans)):
        text = theirs
        for span, (before, after) in reversed([*zip(spans, spaces, strict=True)]):
            start, end = _slice(span, b, theirs)
            words = a.candidate[span.a : span.a_end]
            inserted_text = (
                ours[words[0].start : words[-1].end]
                if ours_unchanged and words
                else " ".join([word.raw for word in words])
            )
            text = text[:start] + (before + inserted_text + after if inserted_text else "") + text[end:]
        yield text


def _slice(span: EditSpan, b: ProcessedTexts, typed: str) -> tuple[int, int]:
    """Where in the typed text the words of B stand, or would stand; those that only go take a space with them."""
    if span.b == span.b_end:
        start = b.candidate[span.b].start if span.b < len(b.candidate) else len(typed.rstrip())
        return start, start
    start, end = b.candidate[span.b].start, b.candidate[span.b_end - 1].end
    if span.a == span.a_end:
        at_boundary = start == 0 or typed[start - 1].isspace()
        if at_boundary and typed[end : end + 1].isspace():
            end += 1
        elif at_boundary and start:
            start -= 1
    return start, end
