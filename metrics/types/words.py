"""The wording of values, numbers, changes and texts in errors and on pages."""

from __future__ import annotations

import re
import unicodedata

_BACKWARDS = ("R", "AL", "AN")  # Unicode's bidirectional classes of letters and digits of right-to-left scripts

#: The invisible marks around words that are read in their own direction: first strong isolate, pop directional isolate.
_ISOLATE, _END = "\u2068", "\u2069"


def brief(value: object) -> str:
    """Return the repr of a value for an error message, cut to 60 characters.

    >>> brief("one"), len(brief(["one"] * 100)), brief(10**5000)
    ("'one'", 60, 'a number too long to be written')
    """
    try:
        text = repr(value)
    except ValueError:  # Python's own limit for integers
        return "a number too long to be written"
    return text if len(text) <= 60 else f"{text[:59]}…"


def quoted(text: str, room: int = 32) -> str:
    """Return a text in quotation marks, cut to `room` characters, with U+FFFD for unprintable characters.

    >>> quoted("cat"), quoted("incomprehensibilities", 12), quoted("a\\n")
    ('“cat”', '“incomprehen…”', '“a�”')
    """
    text = visible(text[: room + 1])
    return f"“{isolated(text if len(text) <= room else f'{text[: room - 1]}…')}”"


def isolated(words: str) -> str:
    """Return words between invisible marks if some are written from right to left.

    The marks keep the numbers and signs next to such words in order.

    >>> isolated("cat"), isolated("שלום") == "\\u2068שלום\\u2069"
    ('cat', True)
    """
    if words.isascii() or not any(unicodedata.bidirectional(c) in _BACKWARDS for c in words):
        return words
    return f"{_ISOLATE}{words}{_END}"


def unisolated(text: str) -> str:
    """Return the text without the marks that `isolated` adds.

    >>> unisolated(isolated("שלום")) == "שלום"
    True
    """
    return text.replace(_ISOLATE, "").replace(_END, "")


def cut(text: str, room: int) -> str:
    """Return the text cut to `room` characters; a cut within isolated words keeps them isolated.

    >>> cut("abcdef", 4), cut(f"a {isolated('שלום')}", 5) == f"a {isolated('ש…')}"
    ('abc…', True)
    """
    if len(text) <= room:
        return text
    head = text[: room - 1]
    begins, ends = head.rfind(_ISOLATE), head.rfind(_END)
    return head[:begins] + isolated(f"{head[begins + 1 :]}…") if begins > ends else f"{head}…"


def signed(value: float, digits: int = 3) -> str:
    """Return a number with its sign, where minus is U+2212; a number that rounds to 0 has no sign.

    >>> signed(0.1278), signed(-0.0166), signed(-1e-9)
    ('+0.128', '−0.017', '0.000')
    """
    text = f"{value:+.{digits}f}"
    return text.replace("-", "−") if float(text) else text[1:]


_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def in_words(count: float) -> str:
    """Return a whole number as a word, or in digits from thirteen on; 0 is "no".

    >>> in_words(0), in_words(2), in_words(13)
    ('no', 'two', '13')
    """
    return _NUMBERS[int(count)] if count < len(_NUMBERS) else f"{count:.0f}"


def score_text(value: float, decimals: int = 3) -> str:
    """Return a score with `decimals` decimals, and with one less from ten on.

    >>> score_text(0.35249), score_text(12.34567), score_text(9.9996)
    ('0.352', '12.35', '10.00')
    """
    return f"{value:.{decimals if abs(value) < 10 - 0.5 * 10**-decimals else decimals - 1}f}"


def visible(text: str) -> str:
    """Return the text with U+FFFD for each character that cannot be printed.

    The joiners that words and emoji need are kept, and so are the marks of `isolated` where they form a pair.

    >>> visible("a\\n"), visible(isolated("שלום")) == isolated("שלום"), visible("\\u2068a")
    ('a�', True, '�a')
    """
    if text.isprintable():
        return text
    return "".join([part if _is_isolated(part) else _printed(part) for part in _PARTS.split(text)])


#: Splits a text around isolated words and keeps these words.
_PARTS = re.compile(f"({_ISOLATE}[^\u2066-\u2069]+{_END})")


def _is_isolated(part: str) -> bool:
    """Return whether `part` is what `isolated` makes of printable words."""
    return part[:1] == _ISOLATE and isolated(part[1:-1]) == part and _printed(part[1:-1]) == part[1:-1]


def _printed(text: str) -> str:
    """Return the text with U+FFFD for each character that cannot be printed, except the two joiners."""
    return "".join([c if c.isprintable() or c in "\u200c\u200d" else "\ufffd" for c in text])
