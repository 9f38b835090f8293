"""Nudges: a tokeniser that suits the texts better than the one in use, said in a sentence with one click to follow."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from metrics.text import Token

from ..draw.texts import Texts
from .reading import UNSPACED

LOOKED_AT = 200  # tokens of a text, which say enough about how it is written
LONG = 6  # letters of a token on average from which tokens are no words but phrases, in scripts without spaces
LONE = 3  # the same where every text is one token, which could be one word

_OPENING, _CLOSING = '([{"“‘„«‹¿¡', '.,;:!?…)]}"”’»›،؛؟۔।'
_SPLIT = re.compile(r"[\x21-\x7e]")  # 13a splits off the punctuation of ASCII alone


class Nudge(NamedTuple):
    """What is noticed, the tokeniser that would suit, and what a button that chooses it says."""

    says: str
    tokenizer: str
    action: str


def nudge(texts: Sequence[Texts]) -> Nudge | None:
    """What to advise for texts as their tokeniser has split them; None where that suits them.

    What the tokens look like decides, not which tokeniser made them, so nothing is advised that is done already:
    segmented Chinese has short tokens, and 13a leaves no comma at a word.
    """
    if not texts:
        return None
    settings = texts[0].settings
    lines = [*(its.candidate for its in texts), *texts[0].references]
    if settings.tokenizer != "character" and unspaced(lines):
        return Nudge("This script puts no spaces between words.", "character", "Compare characters")
    marks = glued(lines) if settings.tokenizer == "whitespace" else ""
    if not marks:
        return None
    says = "Punctuation is stuck to words, so “word.” and “word” do not match."
    if _SPLIT.search(marks):
        return Nudge(says, "13a", "Split it off (13a)")
    return Nudge(says, "international", "Split it off (international)")


def mark(texts: Sequence[Texts]) -> str:
    """By what texts are known for which a nudge was dismissed: their letters, however they are split."""
    lines = [*(its.candidate for its in texts), *texts[0].references]
    letters = "\n".join(["".join([token.raw for token in line]) for line in lines])
    return hashlib.sha256(letters.encode("utf-8", "surrogatepass")).hexdigest()[:16]


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
            found = _touching(token.raw, last=token is line[-1])
            touching += found
            alone += not found and not any(map(str.isalnum, token.raw))
    return touching if len(touching) > alone else ""


def _touching(word: str, last: bool) -> str:
    """The punctuation before or after a word."""
    inner = word.lstrip(_OPENING).rstrip(_CLOSING)
    if not any(map(str.isalnum, inner)):
        return ""
    before, after = word[: len(word) - len(word.lstrip(_OPENING))], word[len(word.rstrip(_CLOSING)) :]
    if after == "." and not last:
        after = ""
    return before + after
