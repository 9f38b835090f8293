"""Nudges: what keeps words of the texts from matching, said in a sentence with one click that mends it: a tokeniser
that suits them better than the one in use, or texts without the markup that was copied with them."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from metrics.text import Token

from ..draw.texts import Texts
from . import markup
from .reading import UNSPACED

LOOKED_AT = 200  # tokens of a text, which say enough about how it is written
LONG = 6  # letters of a token on average from which tokens are no words but phrases, in scripts without spaces
LONE = 3  # the same where every text is one token, which could be one word

_OPENING, _CLOSING = '([{"“‘„«‹¿¡', '.,;:!?…)]}"”’»›،؛؟۔।'
_QUOTES, _AROUND = '"“”„«»‹›‘', ".,;:!?…()[]"
_QUOTE = re.compile(f"[{_QUOTES}]")
_INCHES = re.compile(r"[(]?[0-9][0-9.,'/′×x-]*[\"”″][.,;:!?)]*")
_CUT = ("tis", "twas", "twere", "til", "till", "cause", "em", "im", "er", "round", "bout", "neath", "re", "ve", "ll")
QUOTED_MOST = 40  # words of a quotation between apostrophes
_SPLIT = re.compile(r"[\x21-\x7e]")  # 13a splits off the punctuation of ASCII alone


class Nudge(NamedTuple):
    """What is noticed, what a button that follows it says, and the tokeniser that would suit, or else the kind of
    markup that it takes out of the texts."""

    says: str
    action: str
    tokenizer: str = ""
    markup: str = ""


def nudge(texts: Sequence[Texts], typed: Sequence[str] = ()) -> Nudge | None:
    """What to advise for texts as their tokeniser has split them, and as they were `typed`; None where that suits them.

    What the tokens look like decides, not which tokeniser made them, so nothing is advised that is done already:
    segmented Chinese has short tokens, and 13a leaves no comma at a word.
    """
    if not texts:
        return None
    settings = texts[0].settings
    if found := markup.first(typed, settings.tokenizer):
        kind, example = found
        return Nudge(markup.said(kind, example), markup.KINDS[kind].action, markup=kind)
    lines = [*(its.candidate for its in texts), *texts[0].references]
    if settings.tokenizer != "character" and unspaced(lines):
        return Nudge("This script puts no spaces between words.", "Compare characters", "character")
    quoted = quotes(lines) if settings.tokenizer in ("whitespace", "13a") else None
    split = "13a" if quoted is None or quoted.ascii else "international"
    marks = glued(lines) if settings.tokenizer == "whitespace" else ""
    if marks:
        split = split if _SPLIT.search(marks) else "international"
        says = "Punctuation is stuck to words, so “word.” and “word” do not match."
        return Nudge(says, f"Split it off ({split})", split)
    if quoted:
        says = f"Quotation marks are stuck to words, so {quoted.word} and {quoted.bare} do not match."
        return Nudge(says, f"Split them off ({split})", split)
    return None


def mark(texts: Sequence[Texts], found: Nudge) -> str:
    """By what texts are known for which a nudge was dismissed: their letters, however they are split. One about markup
    is another than one about a tokeniser."""
    lines = [*(its.candidate for its in texts), *texts[0].references]
    letters = "\n".join(["".join([token.raw for token in line]) for line in lines])
    return hashlib.sha256((letters + found.markup).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def unspaced(lines: Iterable[Sequence[Token]]) -> bool:
    """Whether most letters are of a script that puts no spaces between words, in tokens that are longer than words."""
    letters = foreign = tokens = 0
    lone = True
    for line in lines:
        lone &= len(line) <= 1
        for token in line[:LOOKED_AT]:
            if token.raw.isascii():
                letters += sum(map(str.isalpha, token.raw))
                continue
            own = [c for c in token.raw if c.isalpha()]
            mine = sum(unicodedata.name(c, "").startswith(UNSPACED) for c in own)
            letters, foreign, tokens = letters + len(own), foreign + mine, tokens + bool(mine)
    return 2 * foreign > letters and foreign >= (LONE if lone else LONG) * tokens


def glued(lines: Iterable[Sequence[Token]]) -> str:
    """The punctuation that touches words, "" where more of it stands alone.

    A full stop counts only at the end of a text, for others may belong to abbreviations.
    """
    touching, alone = "", 0
    for line in lines:
        shown = line[:LOOKED_AT]
        for token in shown:
            if token.raw[0].isalnum() and token.raw[-1].isalnum():
                continue
            found = _touching(token.raw, last=token is line[-1])
            touching += found
            alone += not found and not any(map(str.isalnum, token.raw))
    return touching if len(touching) > alone else ""


class Quoted(NamedTuple):
    """A word with a quotation mark that touches it, that word without it, and whether 13a splits off all such marks."""

    word: str
    bare: str
    ascii: bool


def quotes(lines: Iterable[Sequence[Token]]) -> Quoted | None:
    """The first word that a quotation mark touches, None where there is none.

    A sign of inches or seconds is no quotation mark, and an apostrophe is one only where a later one closes it.
    """
    first: tuple[str, str] | None = None
    splits = True
    for line in lines:
        shown = [token.raw for token in line[:LOOKED_AT]]
        for place, word in enumerate(shown):
            if word[0] != "'" and not _QUOTE.search(word):
                continue
            inner = word.strip(_QUOTES + _AROUND) if _QUOTE.search(word) else ""
            single = word[0] == "'" and _is_quoted(shown[place:])
            if not single and (not any(map(str.isalnum, inner)) or _INCHES.fullmatch(word)):
                continue
            bare = inner or word.strip("'" + _AROUND)
            if not first or (_QUOTE.search(first[1]) and not _QUOTE.search(bare)):  # one that shows it well
                first = word, bare
            splits &= not single and not any(mark in word and not mark.isascii() for mark in _QUOTES)
    return Quoted(*first, splits) if first else None


def _is_quoted(words: Sequence[str]) -> bool:
    """Whether the first word begins with an apostrophe that opens a quotation which a later one closes."""
    opens = re.match(r"'[^\W\d_]{2,}", words[0]) and words[0].lower().strip("'") not in _CUT
    return bool(opens) and any(re.search(r"\w['][.,;:!?)]*$|\w[.,;:!?)]+'$", word) for word in words[:QUOTED_MOST])


def _touching(word: str, last: bool) -> str:
    """The punctuation before or after a word."""
    inner = word.lstrip(_OPENING).rstrip(_CLOSING)
    if not any(map(str.isalnum, inner)) or _INCHES.fullmatch(word):
        return ""
    before, after = word[: len(word) - len(word.lstrip(_OPENING))], word[len(word.rstrip(_CLOSING)) :]
    if after == "." and not last:
        after = ""
    return before + after
