"""How errors and pages say a value, a number's change and a text."""

from __future__ import annotations


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
    return f"“{text}”" if len(text) <= room else f"“{text[: room - 1]}…”"


def signed(value: float, digits: int = 3) -> str:
    """A number with its sign, a true minus; one that rounds to 0 has none.

    >>> signed(0.1278), signed(-0.0166), signed(-1e-9)
    ('+0.128', '−0.017', '0.000')
    """
    text = f"{value:+.{digits}f}"
    return text.replace("-", "−") if float(text) else text[1:]


def visible(text: str) -> str:
    """The text with U+FFFD for what cannot be printed, but for the joiners that words and emoji need.

    >>> visible("a\\n")
    'a�'
    """
    if text.isprintable():
        return text
    return "".join([c if c.isprintable() or c in "\u200c\u200d" else "\ufffd" for c in text])
