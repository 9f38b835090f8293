"""The rows of the table of segments: numbers as they are printed, bars, and what changed from A's words to B's."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from rapidfuzz.distance import Indel

from metrics.types import Tokens

from ..compare.scores import DECIMALS, verdict
from ..pen import theme
from ..pen.stylesheets import read_sheets

RULES = read_sheets(Path(__file__).parent, "rows")
#: Letters and words of a row that are shown.
WORD_MOST, WORDS_MOST = 40, 40
#: Of words that both outputs have, those that are shown before and behind a change.
AROUND = 3
#: The side of a tag among the words of a row.
TAG = 2
#: Words from which on two outputs are not compared word by word in a row.
COMPARED_MOST = 400


def score(value: float, most: float) -> dict[str, Any]:
    """A cell with a score, and a bar for its share of the largest one."""
    return {"text": theme.score_text(value), "bar": _share(value, most), "tone": "score"}


def change(value: float, most: float, higher_is_better: bool) -> dict[str, Any]:
    """A cell with a difference of a segment's scores, and a bar whose tone says whether it is for the better."""
    return _signed(value, most, higher_is_better, DECIMALS)


def power(most: float) -> int:
    """The power of ten by which what segments give is shown so that the largest has one digit before the point.

    >>> power(0.00032), power(0.02), power(0.0)
    (4, 2, 0)
    """
    return max(0, -math.floor(math.log10(most))) if most > 0 else 0


def worth(value: float, most: float, higher_is_better: bool) -> dict[str, Any]:
    """A cell with what a segment gives, times ten to the `power` of the largest."""
    scale = 10.0 ** power(most)
    return _signed(value * scale, most * scale, higher_is_better, 2)


def _signed(value: float, most: float, higher_is_better: bool, decimals: int) -> dict[str, Any]:
    tone = verdict(value, higher_is_better, decimals)
    text = "0" if tone == "same" else theme.change_text(value, decimals)
    return {"text": text, "bar": 0.0 if tone == "same" else _share(value, most), "tone": tone}


def _share(value: float, most: float) -> float:
    return round(min(1.0, abs(value) / most), 2) if most else 0.0


def words(a: Tokens, b: Tokens, sought: Collection[str] = ()) -> list[tuple[int, str]]:
    """What two outputs have, in one line: -1 with words that A alone has, 1 with those that B alone has, 0 with those
    of both, of which a few stand around each change; of long outputs the beginning, or what stands around the first of
    what is `sought` that one of them has; a blank in it is where a word begins or ends.

    >>> words(("the", "cat", "sat"), ("the", "dog", "sat"))
    [(0, 'the'), (-1, 'cat'), (1, 'dog'), (0, 'sat')]
    >>> words(tuple("abcdefghx"), tuple("abcdefghy"))
    [(0, '… f g h'), (-1, 'x'), (1, 'y')]
    """
    if max(len(a), len(b)) > COMPARED_MOST:
        a, b = a[:COMPARED_MOST], b[:COMPARED_MOST]
    pieces = [*_pieces(a, b)]
    out: list[tuple[int, str]] = []
    if before := _count_skipped(pieces, sought):
        pieces = pieces[before:]
        out.append((0, "…"))
    words_left = WORDS_MOST
    for n, (side, part) in enumerate(pieces):
        parts = [part] if side or len(pieces) == 1 else _around(part, n == 0, n == len(pieces) - 1)
        visible_words = [theme.visible(word, WORD_MOST) for part in parts for word in part[:words_left]]
        words_left -= len(visible_words)
        if visible_words:
            out.append((side, " ".join(visible_words)))
        if words_left <= 0:
            out.append((0, "…"))
            break
    return out


def _count_skipped(pieces: Sequence[tuple[int, Sequence[str]]], sought: Collection[str]) -> int:
    """How many pieces stand well before the first that has a word of what is sought, 0 where all have room."""
    sought_parts = {part.casefold() for each in sought for part in _each_word(each)}
    if not sought_parts or sum([len(part) for _, part in pieces]) <= WORDS_MOST // 2:
        return 0
    texts = [f" {' '.join(part)} ".casefold() for _, part in pieces]
    has = [any(word in text for word in sought_parts) for text in texts]
    changed = [n for n, each in enumerate(has) if each and pieces[n][0]] or [n for n, each in enumerate(has) if each]
    return max(0, changed[0] - 2) if changed else 0


def _each_word(sought: str) -> list[str]:
    """Each of several words, or a part of one as it is."""
    words = sought.split()
    return [f" {word} " for word in words] if len(words) > 1 else [sought]


def _around(part: Sequence[str], first: bool, last: bool) -> list[Sequence[str]]:
    """Of words that both have those that stand next to what one of them has."""
    most = AROUND if first or last else 2 * AROUND
    if len(part) <= most + 1:  # an ellipsis in the place of one word says less than the word
        return [part]
    before, behind = part[:AROUND], part[len(part) - AROUND :]
    return [("…",), behind] if first else [before, ("…",)] if last else [before, ("…",), behind]


def _pieces(a: Tokens, b: Tokens) -> Iterator[tuple[int, Sequence[str]]]:
    came: list[Sequence[str]] = []  # A's words come first, whichever way round they were found
    for step in Indel.opcodes(a, b):
        if step.tag == "insert":
            came.append(b[step.dest_start : step.dest_end])
            continue
        if step.tag == "equal":
            yield from [(1, words) for words in came]
            came = []
        yield (0 if step.tag == "equal" else -1), a[step.src_start : step.src_end]
    yield from [(1, words) for words in came]
