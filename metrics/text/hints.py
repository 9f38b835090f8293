"""Find why words that mean the same do not match, so that a page can tell the user.

The reasons are scripts without spaces between words, punctuation that touches words, and words that look alike but
differ in their characters."""

from __future__ import annotations

import re
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
TOUCHING_SAYS = "Punctuation is attached to words, so “word.” and “word” do not match"
_ALIKE = "Words look alike but differ: "


_OPENING, _CLOSING = '([{"“‘„«‹¿¡', '.,;:!?…)]}"”’»›،؛؟۔।'
#: Numbers with a sign for inches or seconds, which is no quotation mark.
INCHES = re.compile(r"[(]?[0-9][0-9.,'/′×x-]*[\"”″][.,;:!?)]*")
_ASCII_MARK = re.compile(r"[\x21-\x7e]")


def touching_punctuation(lines: Iterable[Sequence[str]]) -> str:
    """Return all punctuation that touches words; "" if more punctuation is separate from words than touches them.

    `lines` has the tokens of each text. A full stop counts only at the end of a text, because others may belong to
    abbreviations.

    >>> touching_punctuation([["Well,", "e.g.", "cats."]]), touching_punctuation([["Well", ",", "cats", "."]])
    (',.', '')
    """
    touching, alone_count = "", 0
    for line in lines:
        end = len(line) - 1
        for place, word in enumerate(line[:LOOKED_AT]):
            if word[0].isalnum() and word[-1].isalnum():
                continue
            touching_marks = _punctuation_around(word, last=place == end)
            touching += touching_marks
            alone_count += not touching_marks and not any(map(str.isalnum, word))
    return touching if len(touching) > alone_count else ""


def _punctuation_around(word: str, last: bool) -> str:
    """Return the punctuation directly before and after a word; the full stop counts only if `last` is True."""
    inner = word.lstrip(_OPENING).rstrip(_CLOSING)
    if not any(map(str.isalnum, inner)) or INCHES.fullmatch(word):
        return ""
    before, after = word[: len(word) - len(word.lstrip(_OPENING))], word[len(word.rstrip(_CLOSING)) :]
    if after == "." and not last:
        after = ""
    return before + after


def splits_with_13a(marks: str) -> bool:
    """Return whether the tokeniser 13a splits any of these marks off, as it does only with punctuation of ASCII."""
    return bool(_ASCII_MARK.search(marks))


def is_unspaced(lines: Iterable[Sequence[str]]) -> bool:
    """Return whether texts were split into phrases instead of words, because their script has no spaces between words.

    `lines` has the tokens of each text. More than half of the letters must be of such a script, and the tokens longer
    than words usually are.

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
        unseen: True if the words differ by invisible characters, which can be removed; False if they differ in their
            Unicode normal form, so that normalisation (NFC) makes them equal."""

    says: str
    unseen: bool


def find_lookalike(candidate: Iterable[str], references: Iterable[Sequence[str]]) -> Lookalike | None:
    """Return a message about the first two words that look alike but differ; None if there are none.

    A word of the candidate that no reference has is compared with words of the references that the candidate does not
    have. The words are taken in sorted order.

    >>> find_lookalike(["Auto\\u00adbahn"], [["Autobahn"]]).says
    'Words look alike but differ: “Autobahn” has a soft hyphen in one text and none in another'
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
                return Lookalike(f"{_ALIKE}“{look}” is written in two Unicode forms, such as NFC and NFD", False)
            return Lookalike(
                f"{_ALIKE}“{look}” has {_invisible_character_name(word, other)} in one text and none in another", True
            )
    return None


def _visible_form(word: str) -> str:
    """Return a word as a reader sees it: in Unicode's composed form (NFC), and without invisible characters."""
    return word if word.isascii() else unicodedata.normalize("NFC", markup.remove_markup_kind("unseen", word))


def _invisible_character_name(word: str, other: str) -> str:
    """Return the name of the first invisible character in either of two words, with an article: "a soft hyphen"."""
    example = markup.first_occurrence("unseen", word, "") or markup.first_occurrence("unseen", other, "")
    name = unicodedata.name(example[0]).lower()
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
