"""Find what keeps words of the texts from matching, and offer to repair it with one click.

The offer is a tokeniser that suits the texts better, normalised characters, or texts without the markup that was
copied with them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from metrics.text import Token, forms, hints, markup
from metrics.text.hints import LOOKED_AT

from ...draw.texts import ProcessedTexts

_QUOTES, _AROUND = '"“”„«»‹›‘', ".,;:!?…()[]"
_QUOTE = re.compile(f"[{_QUOTES}]")
_CUT = ("tis", "twas", "twere", "til", "till", "cause", "em", "im", "er", "round", "bout", "neath", "re", "ve", "ll")
QUOTED_MOST = 40  # the most words of a quotation between apostrophes


class Nudge(NamedTuple):
    """Advice on the texts, with a button that follows it.

    Attributes:
        says: what was noticed.
        action: the label of the button.
        tokenizer: the tokeniser that the button chooses; "" for none.
        markup: the kind of markup that the button removes from the texts; "" for none.
        nfkc: whether the button normalises the texts with Unicode's NFKC."""

    says: str
    action: str
    tokenizer: str = ""
    markup: str = ""
    nfkc: bool = False


def find_nudge(texts: Sequence[ProcessedTexts], typed: Sequence[str] = ()) -> Nudge | None:
    """Return advice for the texts; None if there is nothing to advise.

    `texts` are the texts as tokenised, `typed` the same as the user typed them. The advice depends on the tokens,
    not on the chosen tokeniser, so nothing is advised that is done already."""
    if not texts:
        return None
    settings = texts[0].settings
    if first_markup := markup.find_first_markup(typed, settings.tokenizer):
        kind, example = first_markup
        return Nudge(markup.describe_markup(kind, example), markup.KINDS[kind].action, markup=kind)
    lines = [*(its.candidate for its in texts), *texts[0].references]
    if settings.tokenizer != "character" and hints.is_unspaced([[token.raw for token in line] for line in lines]):
        return Nudge(f"{hints.UNSPACED_SAYS}.", hints.UNSPACED_ACTION, "character")
    references = list(map(forms, texts[0].references))
    if alike := next(filter(None, [hints.find_lookalike(forms(its.candidate), references) for its in texts]), None):
        says = f"{alike.says}."
        if alike.unseen and any(markup.first_occurrence("unseen", text, "") for text in typed):
            return Nudge(says, markup.KINDS["unseen"].action, markup="unseen")
        if not alike.unseen:
            return Nudge(says, hints.NORMALISE_ACTION, nfkc=True)
    quoted = find_quoted_word(lines) if settings.tokenizer in ("whitespace", "13a") else None
    split = "13a" if quoted is None or quoted.ascii else "international"
    raw_words = [[token.raw for token in line] for line in lines]
    marks = hints.touching_punctuation(raw_words) if settings.tokenizer == "whitespace" else ""
    if marks:
        split = split if hints.splits_with_13a(marks) else "international"
        return Nudge(f"{hints.TOUCHING_SAYS}.", f"Split it off ({split})", split)
    if quoted:
        says = f"Quotation marks are attached to words, so {quoted.word} and {quoted.bare} do not match."
        return Nudge(says, f"Split them off ({split})", split)
    return None


def dismissal_digest(texts: Sequence[ProcessedTexts], advice: Nudge) -> str:
    """Return a digest by which the session remembers that the user dismissed this advice for these texts.

    It depends on the letters of the texts, not on their tokens. Advice on markup has another digest than advice on
    the tokeniser."""
    lines = [*(its.candidate for its in texts), *texts[0].references]
    letters = "\n".join(["".join([token.raw for token in line]) for line in lines])
    return hashlib.sha256((letters + advice.markup).encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Quoted(NamedTuple):
    """A word that a quotation mark touches.

    Attributes:
        word: the word with the mark.
        bare: the word without the mark.
        ascii: whether all such marks in the texts are ASCII, so that the tokeniser 13a splits them off."""

    word: str
    bare: str
    ascii: bool


def find_quoted_word(lines: Iterable[Sequence[Token]]) -> Quoted | None:
    """Return the first word that a quotation mark touches; None if there is none.

    A sign for inches or seconds is not a quotation mark, and an apostrophe is one only if a later one closes it."""
    first: tuple[str, str] | None = None
    splits = True
    for line in lines:
        words = [token.raw for token in line[:LOOKED_AT]]
        for place, word in enumerate(words):
            if word[0] != "'" and not _QUOTE.search(word):
                continue
            inner = word.strip(_QUOTES + _AROUND) if _QUOTE.search(word) else ""
            single = word[0] == "'" and _is_quoted(words[place:])
            if not single and (not any(map(str.isalnum, inner)) or hints.INCHES.fullmatch(word)):
                continue
            bare = inner or word.strip("'" + _AROUND)
            # A word without inner quotation marks is the better example.
            if not first or (_QUOTE.search(first[1]) and not _QUOTE.search(bare)):
                first = word, bare
            splits &= not single and not any(mark in word and not mark.isascii() for mark in _QUOTES)
    return Quoted(*first, splits) if first else None


def _is_quoted(words: Sequence[str]) -> bool:
    """Return whether the first of `words` starts with an apostrophe that one of these words closes."""
    opens = re.match(r"'[^\W\d_]{2,}", words[0]) and words[0].lower().strip("'") not in _CUT
    return bool(opens) and any(re.search(r"\w['][.,;:!?)]*$|\w[.,;:!?)]+'$", word) for word in words[:QUOTED_MOST])
