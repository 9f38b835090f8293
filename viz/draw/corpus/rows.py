"""Make the cells of the segment table as data: printed numbers, bars, and what changed from A's words to B's."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from rapidfuzz.distance import Indel

from metrics.types import Tokens

from ..compare.scores import DECIMALS, verdict
from ..pen.numbers import change_text, score_text
from ..pen.stylesheets import read_sheets
from ..pen.text import visible

RULES = read_sheets(Path(__file__).parent, "rows")
#: Differences are called the same only if they are equal to so many decimals, which are more than what is printed.
EXACT = 9
#: How many letters of a word, and how many words of a row, are shown.
WORD_MOST, WORDS_MOST = 40, 40
#: How many common words are shown before and after a change.
AROUND = 3
#: The side that marks a tag among the words of a row, where words have -1, 0 or 1.
TAG = 2
#: How many words of each output are compared in a row; the rest is ignored.
COMPARED_MOST = 400


def score_cell(value: float, most: float) -> dict[str, Any]:
    """Return the data of a cell with a segment's score, and a bar for its share of `most`, the largest score."""
    return {"text": score_text(value), "bar": _bar_share(value, most), "tone": "score"}


def difference_cell(value: float, most: float, higher_is_better: bool) -> dict[str, Any]:
    """Return the data of a cell with the difference of a segment's scores, and a bar.

    The colour of the bar says whether it is an improvement; its length is the share of `most`, the largest
    difference."""
    return _signed_cell(value, most, higher_is_better, DECIMALS)


def scale_power(most: float) -> int:
    """Return the exponent p with which `most`, the largest worth of a segment, times 10 to the power p is at least 1.

    The worth of segments is printed times that power, because it is tiny in large corpora. The least result is 0.

    >>> scale_power(0.00032), scale_power(0.02), scale_power(0.0)
    (4, 2, 0)
    """
    return max(0, -math.floor(math.log10(most))) if most > 0 else 0


def worth_cell(value: float, most: float, higher_is_better: bool) -> dict[str, Any]:
    """Return the data of a cell with a segment's worth: what it contributes to the difference of the corpus scores.

    The worth is printed times the power of ten that `scale_power` gives for `most`, the largest worth."""
    scale = 10.0 ** scale_power(most)
    return _signed_cell(value * scale, most * scale, higher_is_better, 2)


def _signed_cell(value: float, most: float, higher_is_better: bool, decimals: int) -> dict[str, Any]:
    tone = verdict(value, higher_is_better, EXACT)
    text = "0" if tone == "same" else change_text(value, decimals)
    return {"text": text, "bar": 0.0 if tone == "same" else _bar_share(value, most), "tone": tone}


def _bar_share(value: float, most: float) -> float:
    return round(min(1.0, abs(value) / most), 2) if most else 0.0


def diff_pieces(a: Tokens, b: Tokens, sought: Collection[str] = ()) -> list[tuple[int, str]]:
    """Return the difference of two outputs as one line of (side, words) pairs.

    The side is -1 for words of A alone, 1 for words of B alone, and 0 for words of both, of which only a few around
    each change are kept. Long lines are cut at the end. Where a word that is `sought` occurs late, the line starts
    near its first occurrence instead; a blank in a sought string is a word boundary.

    >>> diff_pieces(("the", "cat", "sat"), ("the", "dog", "sat"))
    [(0, 'the'), (-1, 'cat'), (1, 'dog'), (0, 'sat')]
    >>> diff_pieces(tuple("abcdefghx"), tuple("abcdefghy"))
    [(0, '… f g h'), (-1, 'x'), (1, 'y')]
    """
    if max(len(a), len(b)) > COMPARED_MOST:
        a, b = a[:COMPARED_MOST], b[:COMPARED_MOST]
    pieces = [*_diff_pieces(a, b)]
    out: list[tuple[int, str]] = []
    if before := _count_skipped(pieces, sought):
        pieces = pieces[before:]
        out.append((0, "…"))
    words_left = WORDS_MOST
    for n, (side, part) in enumerate(pieces):
        parts = [part] if side or len(pieces) == 1 else _near_changes(part, n == 0, n == len(pieces) - 1)
        visible_words = [visible(word, WORD_MOST) for part in parts for word in part[:words_left]]
        words_left -= len(visible_words)
        if visible_words:
            out.append((side, " ".join(visible_words)))
        if words_left <= 0:
            out.append((0, "…"))
            break
    return out


def _count_skipped(pieces: Sequence[tuple[int, Sequence[str]]], sought: Collection[str]) -> int:
    """Return how many pieces of a word diff to skip at the start so that the first sought word is visible.

    Pieces are (side, words) pairs. The result is 0 where nothing is sought or where all pieces fit."""
    sought_parts = {part.casefold() for each in sought for part in _search_terms(each)}
    if not sought_parts or sum([len(part) for _, part in pieces]) <= WORDS_MOST // 2:
        return 0
    texts = [f" {' '.join(part)} ".casefold() for _, part in pieces]
    has = [any(word in text for word in sought_parts) for text in texts]
    changed = [n for n, each in enumerate(has) if each and pieces[n][0]] or [n for n, each in enumerate(has) if each]
    return max(0, changed[0] - 2) if changed else 0


def _search_terms(sought: str) -> list[str]:
    """Return the words of a sought phrase, each between blanks (word boundaries), or a single string as it is."""
    words = sought.split()
    return [f" {word} " for word in words] if len(words) > 1 else [sought]


def _near_changes(part: Sequence[str], first: bool, last: bool) -> list[Sequence[str]]:
    """Return the words of a stretch common to A and B that are next to a change, with an ellipsis for the others.

    `first` and `last` are whether the stretch begins or ends the line, where it has no change next to it."""
    most = AROUND if first or last else 2 * AROUND
    if len(part) <= most + 1:  # an ellipsis would save at most one word
        return [part]
    before, behind = part[:AROUND], part[len(part) - AROUND :]
    return [("…",), behind] if first else [before, ("…",)] if last else [before, ("…",), behind]


def _diff_pieces(a: Tokens, b: Tokens) -> Iterator[tuple[int, Sequence[str]]]:
    came: list[Sequence[str]] = []  # B's words wait here, so that A's words of a change come first
    for step in Indel.opcodes(a, b):
        if step.tag == "insert":
            came.append(b[step.dest_start : step.dest_end])
            continue
        if step.tag == "equal":
            yield from [(1, words) for words in came]
            came = []
        yield (0 if step.tag == "equal" else -1), a[step.src_start : step.src_end]
    yield from [(1, words) for words in came]
