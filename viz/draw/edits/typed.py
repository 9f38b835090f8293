"""Undo one edit in a text as it was typed, with spaces and capitals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from metrics.text import Token, forms

from ..compare.worth import ChangedText, with_space
from ..texts import ProcessedTexts
from .edit_effect import undo_row
from .edit_map import EditMap, EditSpan

#: The spaces to try before and after words that are put back: first none, as none is needed before a full stop.
_SPACES = (("", ""), (" ", ""), ("", " "), (" ", " "))


def text_without_row(
    edit_map: EditMap,
    row: int,
    a: ProcessedTexts,
    b: ProcessedTexts,
    typed: tuple[str, str],
    tokens: Callable[[str], tuple[Token, ...]],
) -> ChangedText:
    """Return B's text with the edits of one row undone.

    `typed` are both texts as typed, and `tokens` splits a text into words. The edits are undone in B's typed text,
    with A's words as typed, where that gives the right words. Otherwise the result is the words joined by spaces,
    and even that is not always exact."""
    back = undo_row(edit_map, row, a, b)
    target_forms = back.segment.candidate
    for text in _candidate_texts(edit_map.spans(row), a, b, typed, tokens):
        if forms(tokens(text)) == target_forms:
            return ChangedText(text, True)
    plain = " ".join(back.candidate_words)
    return ChangedText(plain, forms(tokens(plain)) == target_forms)


def _candidate_texts(
    spans: Sequence[EditSpan],
    a: ProcessedTexts,
    b: ProcessedTexts,
    typed: tuple[str, str],
    tokens: Callable[[str], tuple[Token, ...]],
) -> Iterator[str]:
    """Yield B's typed text with words of A put back in place of `spans`, with every choice of spaces around them.

    Nothing is yielded where the typed text does not give B's words."""
    ours, theirs = typed
    if tokens(theirs) != b.candidate:
        return
    ours_unchanged = tokens(ours) == a.candidate
    for spaces in product(_SPACES, repeat=len(spans)):
        text = theirs
        for span, (before, after) in reversed([*zip(spans, spaces, strict=True)]):
            start, end = _edit_span(span, b, theirs)
            words = a.candidate[span.a : span.a_end]
            inserted_text = (
                ours[words[0].start : words[-1].end]
                if ours_unchanged and words
                else " ".join([word.raw for word in words])
            )
            text = text[:start] + (before + inserted_text + after if inserted_text else "") + text[end:]
        yield text


def _edit_span(span: EditSpan, b: ProcessedTexts, typed: str) -> tuple[int, int]:
    """Return the start and end (letter positions) of an edit's words of B in the typed text, or the place for them.

    Words without a replacement take a space with them, because none is left over then."""
    if span.b == span.b_end:
        start = b.candidate[span.b].start if span.b < len(b.candidate) else len(typed.rstrip())
        return start, start
    start, end = b.candidate[span.b].start, b.candidate[span.b_end - 1].end
    return with_space(start, end, typed) if span.a == span.a_end else (start, end)
