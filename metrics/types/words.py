"""How errors and pages say a value, a number's change and a text."""

from __future__ import annotations

import re
import unicodedata

_BACKWARDS = ("R", "AL", "AN")  # what Unicode calls letters and digits of scripts from right to left

#: They begin and end words that are read in a direction of their own.
_ISOLATE, _END = "\u2068", "\u2069"


def brief(value: object) -> str:
    """A value as an error says it: its repr, cut where it is long.

    >>> brief("one"), len(brief(["one"] * 100)), brief(10**5000)
    ("'one'", 60, 'a number too long to be written')
    """
    try:
        text = repr(value)
    except ValueError:  # Python's own limit for integers
        return "a number too long to be written"
    return text if len(text) <= 60 else f"{text[:59]}…"


def quoted(text: str, room: int = 32) -> str:
    """Text in quotation marks, what cannot be printed as U+FFFD, cut where it is too long.

    >>> quoted("cat"), quoted("incomprehensibilities", 12), quoted("a\\n")
    ('“cat”', '“incomprehen…”', '“a�”')
    """
    text = visible(text[: room + 1])
    return f"“{isolated(text if len(text) <= room else f'{text[: room - 1]}…')}”"


def isolated(words: str) -> str:
    """Words within invisible marks where some are written from right to left: numbers and signs beside them keep their
    order.

    >>> isolated("cat"), isolated("שלום") == "\\u2068שלום\\u2069"
    ('cat', True)
    """
    if words.isascii() or not any(unicodedata.bidirectional(c) in _BACKWARDS for c in words):
        return words
    return f"{_ISOLATE}{words}{_END}"


def unisolated(text: str) -> str:
    """The text without the marks of `isolated`.

    >>> unisolated(isolated("שלום")) == "שלום"
    True
    """
    return text.replace(_ISOLATE, "").replace(_END, "")


def cut(text: str, room: int) -> str:
    """The text cut where it is longer, also where that is within words that are isolated.

    >>> cut("abcdef", 4), cut(f"a {isolated('שלום')}", 5) == f"a {isolated('ש…')}"
    ('abc…', True)
    """
    if len(text) <= room:
        return text
    head = text[: room - 1]
    begins, ends = head.rfind(_ISOLATE), head.rfind(_END)
    return head[:begins] + isolated(f"{head[begins + 1 :]}…") if begins > ends else f"{head}…"


def signed(value: float, digits: int = 3) -> str:
    """A number with its sign, a true minus; one that rounds to 0 has none.

    >>> signed(0.1278), signed(-0.0166), signed(-1e-9)
    ('+0.128', '−0.017', '0.000')
    """
    text = f"{value:+.{digits}f}"
    return text.replace("-", "−") if float(text) else text[1:]


_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def in_words(count: float) -> str:
    """A number in words, from thirteen on in digits.

    >>> in_words(0), in_words(2), in_words(13)
    ('no', 'two', '13')
    """
    return _NUMBERS[int(count)] if count < len(_NUMBERS) else f"{count:.0f}"


def score_text(value: float, decimals: int = 3) -> str:
    """A score with three decimals, or as many as are given, one less from ten on.

    >>> score_text(0.35249), score_text(12.34567), score_text(9.9996)
    ('0.352', '12.35', '10.00')
    """
    return f"{value:.{decimals if abs(value) < 10 - 0.5 * 10**-decimals else decimals - 1}f}"


def visible(text: str) -> str:
    """The text with U+FFFD for what cannot be printed, but for the joiners that words and emoji need, and for whole
    marks of `isolated`.

    >>> visible("a\\n"), visible(isolated("שלום")) == isolated("שלום"), visible("\\u2068a")
    ('a�', True, '�a')
    """
    if text.isprintable():
        return text
    return "".join([part if _isolated(part) else _printed(part) for part in _PARTS.split(text)])


#: Text that is cut where words are isolated, with these.
_PARTS = re.compile(f"({_ISOLATE}[^\u2066-\u2069]+{_END})")


def _isolated(part: str) -> bool:
    return part[:1] == _ISOLATE and isolated(part[1:-1]) == part and _printed(part[1:-1]) == part[1:-1]


def _printed(text: str) -> str:
    return "".join([c if c.isprintable() or c in "\u200c\u200d" else "\ufffd" for c in text])
