"""Guess whether the lines of a pasted text are texts of their own or pieces of one text.

Lines are texts of their own where each is a reference; they are pieces where one text has paragraphs or was wrapped
at a column."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from metrics.text.hints import UNSPACED

LINES_MOST = 200  # texts with more lines are not examined
LOOKED_AT = 400  # only this many characters of a line are examined
ALIKE = 0.3  # share of the shorter line's letter groups: 98 of 100 reference sets share more, 2 of 100 single texts do
ALIKE_LONG = 0.5  # the share if the candidate is as long as all lines together, which suggests a single text
UNEQUAL = 2.5  # from this ratio of their characters on, one line is far longer than another
NEAR = 1.1  # up to this multiple of the longest line, the candidate's length suggests that each line is a text
COLUMN = 24  # the narrowest column in characters at which texts are wrapped
GROUP, GROUP_UNSPACED = 4, 2  # letters of a group; the latter for scripts whose words have one or two letters


class Block(NamedTuple):
    """The stripped lines between two blank lines of a text."""

    lines: tuple[str, ...]

    @property
    def joined(self) -> str:
        """The lines of the block joined into one text."""
        return join_lines(self.lines)


def split_lines(text: str) -> list[str]:
    """Return the lines of a text, blank ones too, as a text box of the browser shows them.

    >>> split_lines("a\\r\\n\\rb")
    ['a', '', 'b']
    """
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def split_blocks(text: str) -> list[Block]:
    """Return the blocks of consecutive lines in a text, without the blank lines between them."""
    line_groups: list[list[str]] = [[]]
    for line in split_lines(text):
        if line.strip():
            line_groups[-1].append(line.strip())
        elif line_groups[-1]:
            line_groups.append([])
    return [Block(tuple(lines)) for lines in line_groups if lines]


def suggest_joining(text: str, length: int = 0) -> list[str] | None:
    """Return the texts that result when lines are joined that seem to be pieces of one text.

    Return None if each line seems to be a text of its own. References of one sentence, or outputs for it, share words.
    Lines that share few words are pieces of one text if they were wrapped at a column or within sentences. They are
    also pieces of one text if there are blank lines between them, if some lines are far longer than others, or if the
    candidate is as long as all lines together, unless it is nearer to the longest of them. `length` is the number of
    characters of the candidate, 0 if there is none. If blocks of such lines share words, each block is a text.

    >>> suggest_joining("The cat sat on the mat, and the\\ndog that was there too sat on a\\nchair.")
    ['The cat sat on the mat, and the dog that was there too sat on a chair.']
    >>> suggest_joining("The cat sat on the mat.\\nThe cat was on the mat.\\nA cat sat on a mat.") is None
    True
    """
    parts = split_blocks(text)
    lines = [line for block in parts for line in block.lines]
    if not 2 <= len(lines) <= LINES_MOST:
        return None
    all_as_long = _as_long_as_all(lines, length)
    if _have_same_meaning(lines, ALIKE_LONG if all_as_long else ALIKE):
        return None
    wholes = [block.joined for block in parts]
    if 1 < len(wholes) < len(lines) and _have_same_meaning(wholes):
        return wholes
    if any(_is_wrapped(block.lines) for block in parts):
        return [join_lines(lines)]
    if length and length <= NEAR * max(map(len, lines)):
        return None
    return [join_lines(lines)] if len(parts) > 1 or _are_unequal(lines) or all_as_long else None


def _is_wrapped(lines: Sequence[str]) -> bool:
    """Return whether the lines are one text that was wrapped at a column, or within sentences.

    The lengths of only two lines prove nothing, because one is often a little longer."""
    if len(lines) < 2:
        return False
    open_count = sum([not _ends_sentence(line) for line in lines[:-1]])
    if _ends_sentence(lines[-1]) and 2 * open_count >= len(lines) - 1:
        return True
    return is_wrapped_at_column(lines) and (len(lines) > 2 or open_count > 0)


def _ends_sentence(line: str) -> bool:
    """Return whether a line ends with punctuation that ends a sentence."""
    return line.rstrip("\"'”’»)]").endswith(tuple(".!?…:;。！？।؟۔"))


def lines_have_same_meaning(text: str) -> bool:
    """Return whether the lines of a text share so many letters that they must be versions of one sentence."""
    lines = [line for block in split_blocks(text) for line in block.lines]
    return 2 <= len(lines) <= LINES_MOST and _have_same_meaning(lines)


def same_meaning(a: str, b: str) -> bool:
    """Return whether two texts share so many letters that they must be versions of one sentence."""
    return _have_same_meaning([join_lines(a.split()), join_lines(b.split())])


def is_wrapped_at_column(lines: Sequence[str]) -> bool:
    """Return whether lines look like a text that was wrapped at some column.

    They do if each line is so long that the first word of the next one did not fit, and none is longer than the
    column. Lengths are compared in characters, then in displayed columns."""
    line_starts = [line[:LOOKED_AT] for line in lines]
    firsts = [_first_word(line) for line in line_starts[1:]]
    for measure in (len, _display_width):
        widths = [measure(line) for line in line_starts]
        full = min(width + measure(first) for width, first in zip(widths, firsts, strict=False))
        if max(map(_display_width, line_starts)) >= COLUMN and max(widths) < full:
            return True
    return False


def _display_width(text: str) -> int:
    """Return the number of columns in which a text is displayed; letters of some scripts take two."""
    return len(text) + sum(unicodedata.east_asian_width(c) in "WF" for c in text if not c.isascii())


def _first_word(line: str) -> str:
    """Return what wrapping would move up from a line: a space and its first word.

    In a script without spaces it is only the first letter."""
    word = line.split(maxsplit=1)[0]
    return word[:1] if is_unspaced(word[0]) else f" {word}"


def join_lines(lines: Sequence[str]) -> str:
    """Return the lines joined into one text.

    They are joined by a space. Nothing is put after a hyphen at the end of a word, nor in scripts without spaces.

    >>> join_lines(["a state-", "of-the-art", "system"]), join_lines(["我爱北京", "天安门"])
    ('a state-of-the-art system', '我爱北京天安门')
    """
    out = lines[0].strip() if lines else ""
    segmented = any(" " in line.strip() for line in lines)
    for line in (each.strip() for each in lines[1:]):
        if out.endswith("\u00ad"):
            out = out[:-1] + line
        elif re.search(r"\w[-\u2010]$", out[-2:]) or (
            not segmented and is_unspaced(out[-1:]) and is_unspaced(line[:1])
        ):
            out += line
        else:
            out += f" {line}"
    return out


def is_unspaced(letter: str) -> bool:
    """Return whether a character is of a script that puts no spaces between words, or of its punctuation."""
    return not letter.isascii() and unicodedata.name(letter, "").startswith((*UNSPACED, "IDEOGRAPHIC", "FULLWIDTH"))


def _have_same_meaning(lines: Sequence[str], least: float = ALIKE) -> bool:
    """Return whether consecutive lines share, on average, at least the share `least` of their groups of letters."""
    return _shared_letter_groups(tuple([line[:LOOKED_AT] for line in lines])) >= least


@lru_cache(maxsize=32)
def _shared_letter_groups(lines: tuple[str, ...]) -> float:
    """Return the average share, from 0 to 1, of letter groups that a line has in common with the line before it.

    The share is that of the line with fewer groups. It is cached, because the references do not change while the
    candidate is typed."""
    plain_lines = [re.sub(r"\s+", " ", line).casefold() for line in lines]
    letters = "".join(plain_lines)
    group = GROUP_UNSPACED if 2 * sum(map(is_unspaced, letters)) > len(letters) else GROUP
    sets = [{line[n : n + group] for n in range(max(1, len(line) - group + 1))} for line in plain_lines]
    shared = [len(a & b) / min(len(a), len(b)) for a, b in pairwise(sets)]
    return sum(shared) / len(shared)


def _are_unequal(lines: Sequence[str]) -> bool:
    """Return whether the longest line is at least UNEQUAL times as long as the shortest."""
    lengths = [len(line) for line in lines]
    return max(lengths) >= max(COLUMN, UNEQUAL * min(lengths))


def _as_long_as_all(lines: Sequence[str], length: int) -> bool:
    """Return whether `length`, the candidate's, is nearer to that of all lines together than to the longest line's."""
    total = sum(map(len, lines)) + len(lines) - 1
    return length * length > total * max(map(len, lines))
