"""How many texts the lines of a text are: each line one of its own, as references are pasted, or pieces of one text
that has paragraphs or was broken at a column."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from metrics.text.hints import UNSPACED

LINES_MOST = 200  # lines that are looked at
LOOKED_AT = 400  # characters of a line that are looked at
ALIKE = 0.3  # of the shorter line's groups of letters: in 98 of 100 reference sets more is shared, in 2 of 100 texts
ALIKE_LONG = 0.5  # the same where the candidate is as long as all lines together, which speaks for one text by itself
UNEQUAL = 2.5  # times as many characters as another line has
NEAR = 1.1  # times the longest line's characters, up to which a candidate speaks for lines as texts of their own
COLUMN = 24  # characters of the narrowest column that texts are broken at
GROUP, GROUP_UNSPACED = 4, 2  # letters that are compared at a time, the latter in scripts whose words have one or two


class Block(NamedTuple):
    """Lines between blank lines, stripped."""

    lines: tuple[str, ...]

    @property
    def joined(self) -> str:
        """The lines as one."""
        return join(self.lines)


def split(text: str) -> list[str]:
    """The lines of a text, blank ones too: what a text box shows as lines.

    >>> split("a\\r\\n\\rb")
    ['a', '', 'b']
    """
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def blocks(text: str) -> list[Block]:
    """The lines of a text that stand together, without the blank ones between them."""
    line_groups: list[list[str]] = [[]]
    for line in split(text):
        if line.strip():
            line_groups[-1].append(line.strip())
        elif line_groups[-1]:
            line_groups.append([])
    return [Block(tuple(lines)) for lines in line_groups if lines]


def suggest_joining(text: str, length: int = 0) -> list[str] | None:
    """The texts that lines rather are than each a text of its own; None where nothing speaks for it.

    References of one sentence, or outputs for it, share words. Lines that share few are pieces of one text where they
    were broken at a column or within sentences. They are, too, where there are blank lines between them, where some are
    far longer than others, or where the candidate is as long as all of them together, unless it is rather as long as
    the longest of them; it has `length` characters, 0 where there is none. Where blocks of such lines share words, each
    block is a text.

    >>> suggest_joining("The cat sat on the mat, and the\\ndog that was there too sat on a\\nchair.")
    ['The cat sat on the mat, and the dog that was there too sat on a chair.']
    >>> suggest_joining("The cat sat on the mat.\\nThe cat was on the mat.\\nA cat sat on a mat.") is None
    True
    """
    parts = blocks(text)
    lines = [line for block in parts for line in block.lines]
    if not 2 <= len(lines) <= LINES_MOST:
        return None
    all_as_long = _as_long_as_all(lines, length)
    if _alike(lines, ALIKE_LONG if all_as_long else ALIKE):
        return None
    wholes = [block.joined for block in parts]
    if 1 < len(wholes) < len(lines) and _alike(wholes):
        return wholes
    if any(_broken(block.lines) for block in parts):
        return [join(lines)]
    if length and length <= NEAR * max(map(len, lines)):
        return None
    return [join(lines)] if len(parts) > 1 or _unequal(lines) or all_as_long else None


def _broken(lines: Sequence[str]) -> bool:
    """Whether lines were broken at a column, or within sentences. Of two lines one is often a little longer, so that
    their lengths say nothing."""
    if len(lines) < 2:
        return False
    open_count = sum([not _ends(line) for line in lines[:-1]])
    if _ends(lines[-1]) and 2 * open_count >= len(lines) - 1:
        return True
    return at_column(lines) and (len(lines) > 2 or open_count > 0)


def _ends(line: str) -> bool:
    """Whether a line ends as a sentence does."""
    return line.rstrip("\"'”’»)]").endswith(tuple(".!?…:;。！？।؟۔"))


def alike(text: str) -> bool:
    """Whether the lines of a text share so many words that each is a text of its own, of the same meaning."""
    lines = [line for block in blocks(text) for line in block.lines]
    return 2 <= len(lines) <= LINES_MOST and _alike(lines)


def same_meaning(a: str, b: str) -> bool:
    """Whether two texts share so many words that they mean the same."""
    return _alike([join(a.split()), join(b.split())])


def at_column(lines: Sequence[str]) -> bool:
    """Whether lines are as a text that was broken at some column: each is so long that the first word of the next one
    did not fit, and none is longer than the column, in characters or as broad as they are shown."""
    line_starts = [line[:LOOKED_AT] for line in lines]
    firsts = [_first(line) for line in line_starts[1:]]
    for measure in (len, _width):
        widths = [measure(line) for line in line_starts]
        full = min(width + measure(first) for width, first in zip(widths, firsts, strict=False))
        if max(map(_width, line_starts)) >= COLUMN and max(widths) < full:
            return True
    return False


def _width(text: str) -> int:
    """How broad a text is in columns: letters of some scripts take two."""
    return len(text) + sum(unicodedata.east_asian_width(c) in "WF" for c in text if not c.isascii())


def _first(line: str) -> str:
    """The first word of a line with the space before it, its first letter where the script has no spaces."""
    word = line.split(maxsplit=1)[0]
    return word[:1] if unspaced(word[0]) else f" {word}"


def join(lines: Sequence[str]) -> str:
    """Lines as one: with a space between them, but none after a hyphen at a word and where the script has none.

    >>> join(["a state-", "of-the-art", "system"]), join(["我爱北京", "天安门"])
    ('a state-of-the-art system', '我爱北京天安门')
    """
    out = lines[0].strip() if lines else ""
    segmented = any(" " in line.strip() for line in lines)
    for line in (each.strip() for each in lines[1:]):
        if out.endswith("\u00ad"):
            out = out[:-1] + line
        elif re.search(r"\w[-\u2010]$", out[-2:]) or (not segmented and unspaced(out[-1:]) and unspaced(line[:1])):
            out += line
        else:
            out += f" {line}"
    return out


def unspaced(letter: str) -> bool:
    """Whether a character is of a script that puts no spaces between words, or of its punctuation."""
    return not letter.isascii() and unicodedata.name(letter, "").startswith((*UNSPACED, "IDEOGRAPHIC", "FULLWIDTH"))


def _alike(lines: Sequence[str], least: float = ALIKE) -> bool:
    """Whether lines share so much with the ones before them that they are texts of the same meaning."""
    return _shared(tuple([line[:LOOKED_AT] for line in lines])) >= least


@lru_cache(maxsize=32)
def _shared(lines: tuple[str, ...]) -> float:
    """The share of its groups of letters that a line has in common with the one before it, of the shorter of both, on
    average. It is remembered, for the references stay while the candidate is typed."""
    plain_lines = [re.sub(r"\s+", " ", line).casefold() for line in lines]
    letters = "".join(plain_lines)
    group = GROUP_UNSPACED if 2 * sum(map(unspaced, letters)) > len(letters) else GROUP
    sets = [{line[n : n + group] for n in range(max(1, len(line) - group + 1))} for line in plain_lines]
    shared = [len(a & b) / min(len(a), len(b)) for a, b in pairwise(sets)]
    return sum(shared) / len(shared)


def _unequal(lines: Sequence[str]) -> bool:
    lengths = [len(line) for line in lines]
    return max(lengths) >= max(COLUMN, UNEQUAL * min(lengths))


def _as_long_as_all(lines: Sequence[str], length: int) -> bool:
    """Whether a candidate of this length is nearer to all lines together than to the longest one."""
    total = sum(map(len, lines)) + len(lines) - 1
    return length * length > total * max(map(len, lines))
