"""Colours, type sizes, number formats, and the only ways in which a user's text becomes part of a page or a figure."""

from __future__ import annotations

import html
import math
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

# Every colour reaches 3:1 on white and on the dark background, and never carries a meaning alone.
BLUE = "#1B7FC2"  # used
OCHRE = "#B87300"  # dcs's neighbours; bars of metrics where lower is better
GREEN = "#009E73"  # gained, better
MAUVE = "#B5478F"  # lost, worse
VERMILION = "#D55E00"  # selected or hovered, and nothing else
VIOLET = "#6F6AB8"
GREY = "#8A8A8A"  # a match that is not used
FAINT = "rgba(128,128,128,.20)"  # grid lines
LETTER = 0.56  # breadth of a narrow letter in font sizes
ROUNDS = (BLUE, OCHRE, GREEN, MAUVE, VIOLET)

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_JOINERS = "\u200c\u200d"  # they hold emoji and Persian words together and print nothing themselves


def rgba(colour: str, alpha: float) -> str:
    """A hex colour with an opacity, as CSS writes it."""
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


def round_colour(number: int) -> str:
    """The colour of round `number`, counted from 1; after the palette's end it starts again (cells carry digits)."""
    return ROUNDS[(number - 1) % len(ROUNDS)]


def round_class(number: int) -> str:
    """The class that gives an element the colour of a round."""
    return f"n{(number - 1) % len(ROUNDS) + 1}"


_COLOURS = {  # role of a shape → its colour; those of rounds have the round's
    "area": OCHRE,
    "unused": GREY,
    "substituted": MAUVE,
    "extra": MAUVE,
    "missing": MAUVE,
    "first": BLUE,
    "second": OCHRE,
    "both": GREY,
    "shared": BLUE,
    "kept": BLUE,
    "gained": GREEN,
    "lost": MAUVE,
    "moved": VIOLET,
    "always": VIOLET,
    "sometimes": VIOLET,
    "absent": GREY,
    "discordant": MAUVE,
    "crossing": MAUVE,
    "selected": VERMILION,
    "selected block": VERMILION,
    "selected arrow": VERMILION,
}


def role_colour(role: str, number: int = 0) -> str:
    """The colour of a shape by its role (`marks.Role`) and the number of its round, blue where the role has none.

    >>> role_colour("missing") == MAUVE, role_colour("round", 2) == OCHRE, role_colour("link") == BLUE
    (True, True, True)
    """
    return _COLOURS.get(role) or (round_colour(number) if number else BLUE)


def tint_alpha(level: int, levels: int) -> float:
    """The opacity of a tint of level 1 to `levels`."""
    share = (level - 1) / max(1, levels - 1)
    return round(0.14 + 0.86 * math.pow(share, 1.3), 2)


def visible(text: str, limit: int = 40) -> str:
    """`text` as it can be shown: unprintable characters as U+FFFD, cut to `limit`, ␣ where nothing is left.

    >>> visible("a\\u202eb"), visible(""), visible("x" * 50, 5)
    ('a�b', '␣', 'xxxx…')
    """
    cut = len(text) > limit
    text = text[: limit - 1] if cut else text
    shown = "".join([c if c.isprintable() or c in _JOINERS else "\ufffd" for c in text])
    return (shown + "…" if cut else shown) or "␣"


@lru_cache(maxsize=8192)
def safe(text: str, limit: int = 40) -> str:
    """`text` for HTML and for Plotly's labels, which read markup: visible, escaped, `$` too.

    >>> safe("<b>$x$")
    '&lt;b&gt;&#36;x&#36;'
    """
    escaped = html.escape(visible(text, limit), quote=False)
    # Plotly's labels know few entities by name, but all by number.
    return escaped.replace('"', "&#34;").replace("'", "&#39;").replace("$", "&#36;")


def markdown(text: str) -> str:
    """`text` for a widget that reads Markdown, such as `st.warning`: no link, image, formula or emphasis in it.

    >>> print(markdown("![x](http://example.org) $y$ rouge_n"))
    \\!\\[x\\](http://example.org) \\$y\\$ rouge\\_n
    """
    return re.sub(r"([\\`*_\[\]<>$~#|!])", r"\\\1", text)


@lru_cache(maxsize=8192)
def breadth(text: str) -> float:
    """The width of a label in units of a narrow letter: wide characters count 1.8, combining ones nothing."""
    units = 0.0
    for c in text:
        if unicodedata.combining(c) or c in _JOINERS or unicodedata.category(c) == "Mn":
            continue
        units += 1.8 if unicodedata.east_asian_width(c) in "WF" else 1.0
    return units


def direction(words: Iterable[str]) -> str:
    """`rtl` if the first letter with a direction is written from right to left, else `ltr`.

    The browser's own dir=auto passes over isolated words, and every word is one.

    >>> direction(["1", "שלום", "a"]), direction(["-"])
    ('rtl', 'ltr')
    """
    for word in words:
        for c in word[:64]:
            bidi = unicodedata.bidirectional(c)
            if bidi in ("L", "R", "AL"):
                return "ltr" if bidi == "L" else "rtl"
    return "ltr"


def score_text(value: float) -> str:
    """A score on a tile: three decimals, two from ten on."""
    return f"{value:.3f}" if abs(value) < 9.9995 else f"{value:.2f}"


def signed(value: float) -> str:
    """A difference of scores with its sign, a true minus; small ones keep two digits.

    >>> signed(0.0912), signed(-12.345), signed(0.000123), signed(-1e-9), signed(0.0)
    ('+0.091', '−12.35', '+0.00012', '−1.0 × 10⁻⁹', '0')
    """
    size = abs(value)
    if not size:
        return "0"
    text = score_text(size)
    if size < 0.0005:
        digits, _, power = f"{size:.1e}".partition("e-")
        tiny = f"{digits} × 10⁻{str(int(power)).translate(_SUPERSCRIPTS)}"
        text = tiny if int(power) > 5 else f"{size:.{int(power) + 1}f}"
    return ("+" if value > 0 else "−") + text


def fraction_text(value: float) -> str:
    """A share in little room: `.59`, `1.0`."""
    return f"{value:.2f}".removeprefix("0") if value < 0.995 else f"{value:.1f}"


def positions_text(first: int, count: int) -> str:
    """1-based positions of `count` words from the 0-based `first` on: `5–8`, or `5`."""
    return f"{first + 1}–{first + count}" if count > 1 else str(first + 1)


def many(count: int) -> str:
    """A count that may have hundreds of digits.

    >>> many(1234), many(2**120)
    ('1,234', 'about 1.3 × 10³⁶')
    """
    if count < 10**9:
        return f"{count:,}"
    # Python writes no number of more than 4,300 digits, but its logarithm is quick.
    power = int(math.log10(count))
    if 10**power > count:
        power -= 1
    leading = count * 10 // 10**power / 10
    return f"about {leading:.1f} × 10{str(power).translate(_SUPERSCRIPTS)}"


def plural(count: int, noun: str, many: str = "") -> str:
    """`1 word`, `1,200 words`; the plural is `many` where it is no s more."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"
