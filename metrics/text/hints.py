"""What keeps words of texts from matching that mean the same: scripts that put no spaces between words, and words that
look alike and differ."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from . import markup

LOOKED_AT = 200  # tokens of a text, which say enough about how it is written
LONG = 6  # letters of a token on average from which tokens are no words but phrases, in scripts without spaces
LONE = 3  # the same where every text is one token, which could be one word

#: Scripts that put no spaces between words, as the first words of their letters' names.
UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "YI", "HALFWIDTH")
#: What is said of them, without a full stop, and what clicks do that help.
UNSPACED_SAYS, UNSPACED_ACTION = "This script puts no spaces between words", "Compare characters"
NORMALISE_ACTION = "Normalise (NFKC)"
_ALIKE = "Words look alike and differ: "


def unspaced(lines: Iterable[Sequence[str]]) -> bool:
    """Whether most letters of texts are of a script that puts no spaces between words, in tokens that are longer than
    words.

    >>> unspaced([["猫在垫子上"], ["猫坐在垫子上"]]), unspaced([["我", "爱", "北京", "天安门"]])
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
    """Two words that look alike and differ: what is said of them, without a full stop, and whether characters that are
    not seen make it, which can be taken out; else normalising makes them equal."""

    says: str
    unseen: bool


def lookalike(candidate: Iterable[str], references: Iterable[Sequence[str]]) -> Lookalike | None:
    """The first words of a candidate and of its references that look alike and differ, of those that the other side has
    not; None where there are none.

    >>> lookalike(["Auto\\u00adbahn"], [["Autobahn"]]).says
    'Words look alike and differ: “Autobahn” has a soft hyphen in one text and none in another'
    >>> lookalike(["cafe"], [["café"]]) is None
    True
    """
    theirs = {word for reference in references for word in reference}
    ours = {*candidate}
    unmatched = [word for word in ours - theirs if word]
    others = theirs - ours
    if not unmatched or not others or all(map(str.isascii, (*unmatched, *others))):
        return None
    looks = {_look(word): word for word in sorted(others)}
    for word in sorted(unmatched):
        look = _look(word)
        if look and (other := looks.get(look)) is not None:
            if unicodedata.normalize("NFC", word) == unicodedata.normalize("NFC", other):
                return Lookalike(f"{_ALIKE}“{look}” is written in two ways of Unicode, such as NFC and NFD", False)
            return Lookalike(f"{_ALIKE}“{look}” has {_unseen(word, other)} in one text and none in another", True)
    return None


def _look(word: str) -> str:
    """A word as a reader sees it."""
    return word if word.isascii() else unicodedata.normalize("NFC", markup.cleaned("unseen", word))


def _unseen(word: str, other: str) -> str:
    """What of two words is not seen, and is in one of them."""
    example = markup.example("unseen", word, "") or markup.example("unseen", other, "")
    name = unicodedata.name(example[0]).lower()
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
