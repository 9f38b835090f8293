"""The phrases, shared by several metrics, that say what a metric counts in one result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .words import number_in_words

#: Where the smaller of two fractions is less than this part of the larger one, the text reports both.
UNEVEN = 2 / 3


class Account(NamedTuple):
    """The explanation of what one score is made of: a clause for the reader, and the counts in it.

    The numbers in `says` are the other fields, or parts of the result with two decimals; any other count is written in
    words. A count is None where the metric does not use it.

    Attributes:
        says: a clause in plain words, without its subject and without a full stop.
        matched: how many words of the candidate match.
        pieces: in how many runs, blocks, chunks or rounds the matched words lie.
        longest: how many words the longest of these pieces has.
        errors: the number of errors that an error rate counts.
    """

    says: str
    matched: int | None = None
    pieces: int | None = None
    longest: int | None = None
    errors: int | None = None


def matched_words_clause(matched: int, words: int, does: tuple[str, str] = ("matches", "match")) -> str:
    """Return a clause that says how many of a candidate's words match, such as "36 of 42 words match".

    `does` are other verbs to use, in the singular and the plural.

    >>> matched_words_clause(36, 42), matched_words_clause(1, 7), matched_words_clause(0, 7)
    ('36 of 42 words match', '1 of 7 words matches', 'none of 7 words matches')
    >>> all_match = [matched_words_clause(number, number) for number in (7, 2, 1)]
    >>> (*all_match, matched_words_clause(0, 1, ("can stay", "can stay")))
    ('all 7 words match', 'both words match', 'its one word matches', 'its one word cannot stay')
    """
    one, many = does
    if words == 1:
        return f"its one word {one}" if matched else f"its one word {_negate_verb(one)}"
    if not matched:
        return f"neither word {one}" if words == 2 else f"none of {words} words {one}"
    if matched == words:
        return f"both words {many}" if words == 2 else f"all {words} words {many}"
    return f"{matched} of {words} words {one if matched == 1 else many}"


def _negate_verb(verb: str) -> str:
    """Return the negation of a verb: "does not match", or "cannot …" for "can …"."""
    return "does not match" if verb == "matches" else verb.replace("can ", "cannot ", 1)


def pieces_phrase(lengths: Sequence[int], noun: str = "piece") -> str:
    """Return a phrase, to follow that of `matched_words_clause`, on how many pieces the matched words form.

    `lengths` are the lengths of the pieces in words, and `noun` says what a piece is called. Return "" for fewer than
    two matched words.

    >>> pieces_phrase([13, 2, 2]), pieces_phrase([4]), pieces_phrase([1, 1, 1], "chunk"), pieces_phrase([1])
    (', in 3 pieces; the longest has 13', ', in one piece', ', in 3 chunks of one word', '')
    """
    if sum(lengths) < 2:
        return ""
    if len(lengths) == 1:
        return f", in one {noun}"
    longest = max(lengths)
    return f", in {len(lengths)} {noun}s" + (" of one word" if longest == 1 else f"; the longest has {longest}")


def uneven_lengths_clause(precision: float, recall: float) -> str:
    """Return a clause that says that the candidate is much too short or too long, with precision and recall.

    Return "" where neither value is less than `UNEVEN` times the other one.

    >>> uneven_lengths_clause(0.8, 0.4), uneven_lengths_clause(0.5, 0.5)
    ('; it is short: precision 0.80, recall 0.40', '')
    """
    if min(precision, recall) >= UNEVEN * max(precision, recall):
        return ""
    return f"; it is {'short' if recall < precision else 'long'}: precision {precision:.2f}, recall {recall:.2f}"


def shortness_clause(penalty: float, name: str = "brevity penalty") -> str:
    """Return a clause with the penalty of a candidate that is too short; "" where the penalty rounds to 1.00.

    `penalty` is a factor from 0 to 1, and `name` its name.

    >>> shortness_clause(0.9667), shortness_clause(1.0)
    ('; it is short: brevity penalty 0.97', '')
    """
    return f"; it is short: {name} {penalty:.2f}" if f"{penalty:.2f}" != "1.00" else ""


def ngram_in_words(order: int) -> str:
    """Return the name of n-grams in plain words, such as "four words in a row" for the order 4.

    >>> ngram_in_words(1), ngram_in_words(4)
    ('words', 'four words in a row')
    """
    return "words" if order == 1 else f"{number_in_words(order)} words in a row"


def errors_phrase(wrong_words: int, extra_words: int, missing_words: int) -> str:
    """Return a phrase that counts the wrong, the extra and the missing words.

    >>> errors_phrase(9, 3, 5), errors_phrase(0, 0, 0)
    ('17 errors: 9 words wrong, 3 too many, 5 missing', 'no error')
    >>> errors_phrase(0, 1, 0), errors_phrase(0, 0, 2), errors_phrase(1, 1, 0)
    ('1 error: 1 word too many', '2 errors: 2 words missing', '2 errors: 1 word wrong, 1 too many')
    """
    total = wrong_words + extra_words + missing_words
    kinds = [
        (count, what)
        for count, what in ((wrong_words, "wrong"), (extra_words, "too many"), (missing_words, "missing"))
        if count
    ]
    if not kinds:
        return "no error"
    (count, what), *others = kinds
    phrases = [f"{count} word{'s' * (count != 1)} {what}", *(f"{count} {what}" for count, what in others)]
    return f"{total} error{'s' * (total != 1)}: {', '.join(phrases)}"
