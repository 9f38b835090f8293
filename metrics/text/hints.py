"""Find why words that mean the same do not match.

The reasons are scripts without spaces between words, and words that look alike but differ in their characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from . import markup

LOOKED_AT = 200  # the first tokens of a text, which are enough to judge how it is written
LONG = 6  # in scripts without spaces, tokens of on average this many letters are phrases, not words
LONE = 3  # the same limit if every text is a single token, which could be one word

#: Scripts without spaces between words, by the first words of the Unicode names of their letters.
UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "YI", "HALFWIDTH")
#: The message about them, without a full stop, and the labels of the buttons that help.
UNSPACED_SAYS, UNSPACED_ACTION = "This script puts no spaces between words", "Compare characters"
NORMALISE_ACTION = "Normalise (NFKC)"
_ALIKE = "Words look alike and differ: "


def is_unspaced(lines: Iterable[Sequence[str]]) -> bool:
    """Return whether texts are in a script without spaces between words and their tokens are longer than words.

    More than half of the letters must be of such a script.

    >>> is_unspaced([["猫在垫子上"], ["猫坐在垫子上"]]), is_unspaced([["我", "爱", "北京", "天安门"]])
    (True, False)
    """
    letters = foreign = tokens = 0
    lone = True
    for line in lines:
        lone &= len(line) <= 1
        for token in line[:LOOKED_AT]:
            if token.isascii():
                letters += sum(map(str.isalpha, token))
                continue
            token_letters = [c for c in token if c.isalpha()]
            mine = sum(unicodedata.name(c, "").startswith(UNSPACED) for c in token_letters)
            letters, foreign, tokens = letters + len(token_letters), foreign + mine, tokens + bool(mine)
    return 2 * foreign > letters and foreign >= (LONE if lone else LONG) * tokens


class Lookalike(NamedTuple):
    """A message about two words that look alike and differ.

    Attributes:
        says: the message, without a full stop.
        unseen: whether invisible characters cause the difference, which can be removed; else NFC normalisation does."""

    says: str
    unseen: bool


def find_lookalike(candidate: Iterable[str], references: Iterable[Sequence[str]]) -> Lookalike | None:
    """Return a message about the first two words that look alike and differ, None if there are none.

    Only candidate words that no reference has are compared, with reference words that the candidate does not have.

    >>> find_lookalike(["Auto\\u00adbahn"], [["Autobahn"]]).says
    'Words look alike and differ: “Autobahn” has a soft hyphen in one text and none in another'
    >>> find_lookalike(["cafe"], [["café"]]) is None
    True
    """
    theirs = {word for reference in references for word in reference}
    ours = {*candidate}
    unmatched = [word for word in ours - theirs if word]
    others = theirs - ours
    if not unmatched or not others or all(map(str.isascii, (*unmatched, *others))):
        return None
    looks = {_visible_form(word): word for word in sorted(others)}
    for word in sorted(unmatched):
        look = _visible_form(word)
        if look and (other := looks.get(look)) is not None:
            if unicodedata.normalize("NFC", word) == unicodedata.normalize("NFC", other):
                return Lookalike(f"{_ALIKE}“{look}” is written in two ways of Unicode, such as NFC and NFD", False)
            return Lookalike(f"{_ALIKE}“{look}” has {_unseen_name(word, other)} in one text and none in another", True)
    return None


def _visible_form(word: str) -> str:
    """Return a word as a reader sees it: composed, and without invisible characters."""
    return word if word.isascii() else unicodedata.normalize("NFC", markup.clean_kind("unseen", word))


def _unseen_name(word: str, other: str) -> str:
    """Return the name of an invisible character that is in one of two words, with an article."""
    example = markup.first_occurrence("unseen", word, "") or markup.first_occurrence("unseen", other, "")
    name = unicodedata.name(example[0]).lower()
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
