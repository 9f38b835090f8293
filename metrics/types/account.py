"""The wording, in a clause and in numbers, of what a metric counts in one result, shared by several metrics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .words import in_words

#: Where the smaller of two fractions is less than this part of the larger one, the text reports both.
UNEVEN = 2 / 3


class Account(NamedTuple):
    """The parts that one score is made of, in the terms of its metric.

    The numbers in `says` are the other fields, or parts of the result with two decimals; any other count is written in
    words. A number is None where the metric does not look at it.

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


def words_match(matched: int, words: int, does: tuple[str, str] = ("matches", "match")) -> str:
    """Return a clause that says how many of a candidate's words match, or do what the verbs in `does` say.

    >>> words_match(36, 42), words_match(1, 7), words_match(0, 7)
    ('36 of 42 words match', '1 of 7 words matches', 'none of 7 words matches')
    >>> words_match(7, 7), words_match(2, 2), words_match(1, 1), words_match(0, 1, ("can stay", "can stay"))
    ('all 7 words match', 'both words match', 'its one word matches', 'its one word cannot stay')
    """
    one, many = does
    if words == 1:
        return f"its one word {one}" if matched else f"its one word {_negated(one)}"
    if not matched:
        return f"neither word {one}" if words == 2 else f"none of {words} words {one}"
    if matched == words:
        return f"both words {many}" if words == 2 else f"all {words} words {many}"
    return f"{matched} of {words} words {one if matched == 1 else many}"


def _negated(verb: str) -> str:
    """Return the negation of a verb: "does not match", or "cannot …" for "can …"."""
    return "does not match" if verb == "matches" else verb.replace("can ", "cannot ", 1)


def in_pieces(lengths: Sequence[int], noun: str = "piece") -> str:
    """Return a phrase that says in how many pieces the matched words lie, to append to `words_match`.

    `lengths` are the lengths of the pieces in words. Return "" for fewer than two matched words.

    >>> in_pieces([13, 2, 2]), in_pieces([4]), in_pieces([1, 1, 1], "chunk"), in_pieces([1])
    (', in 3 pieces; the longest has 13', ', in one piece', ', in 3 chunks of one word', '')
    """
    if sum(lengths) < 2:
        return ""
    if len(lengths) == 1:
        return f", in one {noun}"
    longest = max(lengths)
    return f", in {len(lengths)} {noun}s" + (" of one word" if longest == 1 else f"; the longest has {longest}")


def lengths_differ(precision: float, recall: float) -> str:
    """Return a clause that says the candidate is much too short or too long, with its precision and recall.

    Return "" where neither value is less than `UNEVEN` times the other one.

    >>> lengths_differ(0.8, 0.4), lengths_differ(0.5, 0.5)
    ('; it is short: precision 0.80, recall 0.40', '')
    """
    if min(precision, recall) >= UNEVEN * max(precision, recall):
        return ""
    return f"; it is {'short' if recall < precision else 'long'}: precision {precision:.2f}, recall {recall:.2f}"


def shortness(penalty: float, name: str = "brevity penalty") -> str:
    """Return a clause with the penalty of a candidate that is too short; "" where the penalty rounds to 1.00.

    >>> shortness(0.9667), shortness(1.0)
    ('; it is short: brevity penalty 0.97', '')
    """
    return f"; it is short: {name} {penalty:.2f}" if f"{penalty:.2f}" != "1.00" else ""


def in_a_row(order: int) -> str:
    """Return the name of an n-gram of this order in plain words.

    >>> in_a_row(1), in_a_row(4)
    ('words', 'four words in a row')
    """
    return "words" if order == 1 else f"{in_words(order)} words in a row"


def errors_of(wrong: int, more: int, fewer: int) -> str:
    """Return a phrase that counts the errors by kind: words that are wrong, words too many and words missing.

    >>> errors_of(9, 3, 5), errors_of(0, 0, 0)
    ('17 errors: 9 words wrong, 3 too many, 5 missing', 'no error')
    >>> errors_of(0, 1, 0), errors_of(0, 0, 2), errors_of(1, 1, 0)
    ('1 error: 1 word too many', '2 errors: 2 words missing', '2 errors: 1 word wrong, 1 too many')
    """
    total = wrong + more + fewer
    kinds = [(count, what) for count, what in ((wrong, "wrong"), (more, "too many"), (fewer, "missing")) if count]
    if not kinds:
        return "no error"
    (count, what), *others = kinds
    phrases = [f"{count} word{'s' * (count != 1)} {what}", *(f"{count} {what}" for count, what in others)]
    return f"{total} error{'s' * (total != 1)}: {', '.join(phrases)}"
