"""Formats numbers, lists and clauses for the sentences on edits."""

from __future__ import annotations

import re

from ..types import number_in_words


def more_or_fewer(count: float, plural: str, more: bool) -> str:
    """Return a phrase such as "one more word" or "three fewer words", from the count and the plural noun.

    `more` says whether it is "more" or "fewer".
    """
    return f"{number_in_words(count)} {'more' if more else 'fewer'} {singular_or_plural(count, plural)}"


def singular_or_plural(count: float, plural: str) -> str:
    """Return the singular or plural of a noun, as it fits `count`; in a noun with "of" or "that", the word before it.

    >>> nouns = [(1, "matching pairs of words"), (1, "matched words"), (2, "matching n-grams")]
    >>> tuple([singular_or_plural(number, noun) for number, noun in nouns])
    ('matching pair of words', 'matched word', 'matching n-grams')
    """
    if count != 1:
        return plural
    head, of, tail = re.split(r"( of | that |$)", plural, maxsplit=1)
    return f"{head.removesuffix('s')}{of}{tail.replace('carry', 'carries')}"


def count_noun(count: float, plural: str) -> str:
    """Return a count with its noun, such as "1 word" or "3 words", from the plural noun."""
    return f"{count:.0f} {plural.removesuffix('s') if count == 1 else plural}"


def first_statement(text: str) -> str:
    """Return the first statement of a sentence, changed so that it fits inside another sentence."""
    return re.split("[:;]", text[:1].lower() + text[1:])[0].removesuffix(".")
