"""Make a user's text safe to show, measure it, and find its direction; no other functions escape text."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable

from metrics import types

from .short_texts import cache_short_texts

LETTER = 0.56  # the width of a narrow letter, in units of the font size
_JOINERS = "\u200c\u200d"  # invisible characters that some emoji and Persian words need


def visible(text: str, limit: int = 40) -> str:
    """Return `text` so that it can be shown: no unprintable characters, not too long and not empty.

    Unprintable characters become U+FFFD, the text is cut to `limit` characters, and an empty text becomes ␣.

    >>> visible("a\\u202eb"), visible(""), visible("x" * 50, 5)
    ('a�b', '␣', 'xxxx…')
    """
    return types.replace_unprintable(types.cut_text(text, limit)) or "␣"


def isolated(text: str, limit: int = 40) -> str:
    """Return a user's words so that they can be shown within a sentence of ours.

    Unprintable characters are replaced and the text is cut to `limit` characters. Words written from right to left are
    enclosed in isolation marks, so that they do not reverse the text around them.

    >>> isolated("cat"), isolated("שלום") == "\\u2068שלום\\u2069"
    ('cat', True)
    """
    return types.isolate_right_to_left(visible(text, limit))


@cache_short_texts
def safe(text: str, limit: int = 40) -> str:
    """Return a user's `text` escaped for HTML and for Plotly's labels, which interpret markup.

    Unprintable characters are replaced and the text is cut to `limit` characters. The sign `$` is escaped too.

    >>> safe("<b>$x$")
    '&lt;b&gt;&#36;x&#36;'
    """
    escaped = html.escape(visible(text, limit), quote=False)
    # Plotly's labels support few named entities, but all numeric ones.
    return escaped.replace('"', "&#34;").replace("'", "&#39;").replace("$", "&#36;")


#: The direction of an element whose text begins with right-to-left words but is in a left-to-right language.
LEFT_TO_RIGHT = ' dir="ltr"'


def bdi_word(text: str, limit: int = 40) -> str:
    """Return a user's words as an HTML element `<bdi>`, whose direction does not affect the text around it.

    If `text` is a sentence of ours around isolated words, the element has the direction of our sentence.

    >>> bdi_word("<b>")
    '<bdi>&lt;b&gt;</bdi>'
    >>> bdi_word(f"{isolated('שלום')}, moved later")[:15]
    '<bdi dir="ltr">'
    """
    ours = re.sub("\u2068[^\u2068\u2069]*\u2069", "", text) if "\u2068" in text else ""
    has_ltr = any(unicodedata.bidirectional(letter) == "L" for letter in ours)
    return f"<bdi{LEFT_TO_RIGHT if has_ltr else ''}>{safe(text, limit)}</bdi>"


def escape_markdown(text: str) -> str:
    """Return `text` escaped for a widget that reads Markdown, such as `st.warning`.

    It cannot become a link, image, formula, emphasis, emoji or icon. After a colon that could begin the name of an
    emoji or icon, an invisible word joiner is inserted.

    >>> print(escape_markdown("![x](#) $y$ rouge_n"))
    \\!\\[x\\](\\#) \\$y\\$ rouge\\_n
    """
    return re.sub(r":(?=\S)", ":\u2060", re.sub(r"([\\`*_\[\]<>$~#|!])", r"\\\1", text))


@cache_short_texts
def label_width(text: str) -> float:
    """Return the width of a label in units of a narrow letter: wide characters count 1.8, combining ones 0."""
    units = 0.0
    for c in text:
        if unicodedata.combining(c) or c in _JOINERS or unicodedata.category(c) == "Mn":
            continue
        units += 1.8 if unicodedata.east_asian_width(c) in "WF" else 1.0
    return units


def writing_direction(words: Iterable[str]) -> str:
    """Return the direction of writing of a text: "rtl" if its first letter is written from right to left, else "ltr".

    Characters without a direction, such as digits, do not count. The browser's own dir=auto does not work here, because
    it ignores isolated words, and every word is isolated.

    >>> writing_direction(["1", "שלום", "a"]), writing_direction(["-"])
    ('rtl', 'ltr')
    """
    for word in words:
        for c in word[:64]:
            bidi = unicodedata.bidirectional(c)
            if bidi in ("L", "R", "AL"):
                return "ltr" if bidi == "L" else "rtl"
    return "ltr"
