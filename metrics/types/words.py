"""The formatting of values, numbers and texts for errors and pages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_BACKWARDS = ("R", "AL", "AN")  # Unicode's bidirectional classes of letters and digits of right-to-left scripts

#: The invisible marks around words that are read in their own direction: first strong isolate, pop directional isolate.
_ISOLATE, _END = "\u2068", "\u2069"


def brief_repr(value: object) -> str:
    """Return the repr of a value, cut to 60 characters, for an error message.

    >>> brief_repr("one"), len(brief_repr(["one"] * 100)), brief_repr(10**5000)
    ("'one'", 60, 'a number too long to be written')
    """
    try:
        text = repr(value)
    except ValueError:  # Python's own limit for integers
        return "a number too long to be written"
    return text if len(text) <= 60 else f"{text[:59]}…"


def quote_text(text: str, most_characters: int = 32) -> str:
    """Return a text in quotation marks, cut to `most_characters` characters.

    U+FFFD takes the place of unprintable characters.

    >>> quote_text("cat"), quote_text("incomprehensibilities", 12), quote_text("a\\n")
    ('“cat”', '“incomprehen…”', '“a�”')
    """
    text = replace_unprintable(text[: most_characters + 1])
    return f"“{isolate_right_to_left(text if len(text) <= most_characters else f'{text[: most_characters - 1]}…')}”"


def isolate_right_to_left(words: str) -> str:
    """Return `words` between invisible isolate marks if some of them are written from right to left.

    The marks keep the numbers and signs next to such words in their order. Other words are returned unchanged.

    >>> isolate_right_to_left("cat"), isolate_right_to_left("שלום") == "\\u2068שלום\\u2069"
    ('cat', True)
    """
    if words.isascii() or not any(unicodedata.bidirectional(c) in _BACKWARDS for c in words):
        return words
    return f"{_ISOLATE}{words}{_END}"


def remove_isolates(text: str) -> str:
    """Return the text without the invisible isolate marks that `isolate_right_to_left` adds.

    >>> remove_isolates(isolate_right_to_left("שלום")) == "שלום"
    True
    """
    return text.replace(_ISOLATE, "").replace(_END, "")


def cut_text(text: str, most_characters: int) -> str:
    """Return the text cut to at most `most_characters` characters; words between isolate marks keep both marks.

    >>> cut_text("abcdef", 4), cut_text(f"a {isolate_right_to_left('שלום')}", 5) == f"a {isolate_right_to_left('ש…')}"
    ('abc…', True)
    """
    if len(text) <= most_characters:
        return text
    head = text[: most_characters - 1]
    begins, ends = head.rfind(_ISOLATE), head.rfind(_END)
    return head[:begins] + isolate_right_to_left(f"{head[begins + 1 :]}…") if begins > ends else f"{head}…"


def signed_text(value: float, digits: int = 3) -> str:
    """Return a number with its sign and `digits` decimals; minus is U+2212, and a number that rounds to 0 has no sign.

    >>> signed_text(0.1278), signed_text(-0.0166), signed_text(-1e-9)
    ('+0.128', '−0.017', '0.000')
    """
    text = f"{value:+.{digits}f}"
    return text.replace("-", "−") if float(text) else text[1:]


_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def number_in_words(count: float) -> str:
    """Return a whole number as an English word, or in digits from thirteen on; 0 is "no".

    >>> number_in_words(0), number_in_words(2), number_in_words(13)
    ('no', 'two', '13')
    """
    return _NUMBERS[int(count)] if count < len(_NUMBERS) else f"{count:.0f}"


def join_words(each: Sequence[object]) -> str:
    """Return the entries as a list in a sentence.

    >>> join_words(["WER", "PER", "TER"]), join_words([1])
    ('WER, PER and TER', '1')
    """
    texts = [*map(str, each)]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def score_text(value: float, decimals: int = 3) -> str:
    """Return a score as text with `decimals` decimals, and with one decimal less from ten on.

    >>> score_text(0.35249), score_text(12.34567), score_text(9.9996)
    ('0.352', '12.35', '10.00')
    """
    return f"{value:.{decimals if abs(value) < 10 - 0.5 * 10**-decimals else decimals - 1}f}"


def replace_unprintable(text: str) -> str:
    """Return the text with U+FFFD in place of each character that cannot be printed.

    The joiners that words and emoji need are kept, and so are isolate marks (`isolate_right_to_left`) that form a pair.

    >>> isolated = isolate_right_to_left("שלום")
    >>> replace_unprintable("a\\n"), replace_unprintable(isolated) == isolated, replace_unprintable("\\u2068a")
    ('a�', True, '�a')
    """
    if text.isprintable():
        return text
    return "".join([part if _is_isolated(part) else _replace_unprintable(part) for part in _PARTS.split(text)])


#: Splits a text around isolated words and keeps these words.
_PARTS = re.compile(f"({_ISOLATE}[^\u2066-\u2069]+{_END})")


def _is_isolated(part: str) -> bool:
    """Return whether `part` is the result of `isolate_right_to_left` for printable words."""
    return (
        part[:1] == _ISOLATE
        and isolate_right_to_left(part[1:-1]) == part
        and _replace_unprintable(part[1:-1]) == part[1:-1]
    )


def _replace_unprintable(text: str) -> str:
    """Return the text with U+FFFD in place of each character that cannot be printed, except the two joiners."""
    return "".join([c if c.isprintable() or c in "\u200c\u200d" else "\ufffd" for c in text])
