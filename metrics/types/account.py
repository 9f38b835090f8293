"""What a metric counts in one result, in a sentence and in numbers: the words that several metrics say alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .words import in_words

#: Of two fractions the smaller is told as well where it is less than so much of the larger.
UNEVEN = 2 / 3


class Account(NamedTuple):
    """What a score is made of, by its metric's own lights.

    `says` is a clause in plain words, without what it is of and without its end. Its numbers are the others here, or
    parts of the result with two decimals; what else is counted stands in words. `matched` is how many words of the
    candidate match; `pieces` is in how many runs, blocks, chunks or rounds they are, and `longest` how many words are
    in the longest of these; `errors` is what an error rate counts. None is what a metric does not look at.
    """

    says: str
    matched: int | None = None
    pieces: int | None = None
    longest: int | None = None
    errors: int | None = None


def words_match(matched: int, words: int, does: tuple[str, str] = ("matches", "match")) -> str:
    """How many of a candidate's words match, or do something else.

    >>> words_match(36, 42), words_match(1, 7), words_match(0, 7)
    ('36 of 42 words match', '1 of 7 words matches', 'none of 7 words matches')
    >>> words_match(7, 7), words_match(2, 2), words_match(1, 1), words_match(0, 1, ("can stay", "can stay"))
    ('all 7 words match', 'both words match', 'its one word matches', 'its one word cannot stay')
    """
    one, many = does
    if words == 1:
        return f"its one word {one}" if matched else f"its one word {_not(one)}"
    if not matched:
        return f"neither word {one}" if words == 2 else f"none of {words} words {one}"
    if matched == words:
        return f"both words {many}" if words == 2 else f"all {words} words {many}"
    return f"{matched} of {words} words {one if matched == 1 else many}"


def _not(verb: str) -> str:
    return "does not match" if verb == "matches" else verb.replace("can ", "cannot ", 1)


def in_pieces(lengths: Sequence[int], noun: str = "piece") -> str:
    """In how many pieces the matched words are, to stand behind them; "" of less than two words.

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
    """That a candidate is much shorter or longer than what it is held against, so that one of the two is far lower.

    >>> lengths_differ(0.8, 0.4), lengths_differ(0.5, 0.5)
    ('; it is short: precision 0.80, recall 0.40', '')
    """
    if min(precision, recall) >= UNEVEN * max(precision, recall):
        return ""
    return f"; it is {'short' if recall < precision else 'long'}: precision {precision:.2f}, recall {recall:.2f}"


def shortness(penalty: float, name: str = "brevity penalty") -> str:
    """What a candidate loses that is too short; "" where it is not.

    >>> shortness(0.9667), shortness(1.0)
    ('; it is short: brevity penalty 0.97', '')
    """
    return f"; it is short: {name} {penalty:.2f}" if f"{penalty:.2f}" != "1.00" else ""


def in_a_row(order: int) -> str:
    """What an n-gram is called.

    >>> in_a_row(1), in_a_row(4)
    ('words', 'four words in a row')
    """
    return "words" if order == 1 else f"{in_words(order)} words in a row"


def errors_of(wrong: int, more: int, fewer: int) -> str:
    """How many errors there are and of which kinds: words that are wrong, too many and missing.

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
