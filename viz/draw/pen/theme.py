"""Colours, type sizes, number formats, and the only ways in which a user's text becomes part of a page or a figure."""

from __future__ import annotations

import html
import math
import re
import unicodedata
from collections.abc import Iterable
from typing import Literal, NamedTuple

from metrics import formula, types

from .short_texts import remembered

# Every colour reaches 3:1 on white and on the dark background, and never carries a meaning alone.
BLUE = "#1B7FC2"  # used
OCHRE = "#B87300"  # dcs's neighbours; bars of metrics where lower is better
GREEN = "#009E73"  # gained, better
MAUVE = "#B5478F"  # lost, worse
VERMILION = "#D55E00"  # selected or hovered, and nothing else
VIOLET = "#6F6AB8"
TEAL, BROWN, OLIVE = "#0E8C9E", "#94694A", "#768A1A"  # of later rounds
GREY = "#8A8A8A"
#: By name, for style sheets and LaTeX.
PALETTE = {
    "blue": BLUE,
    "ochre": OCHRE,
    "green": GREEN,
    "mauve": MAUVE,
    "vermilion": VERMILION,
    "violet": VIOLET,
    "teal": TEAL,
    "brown": BROWN,
    "olive": OLIVE,
    "grey": GREY,
}
UNUSED = GREY  # a match that is not used, wherever it is drawn: one of the palette
PAPER, INK, LINES = "#FFFFFF", "#1F1E1C", "#808080"  # of files; a page has its own
FAINT = "rgba(128,128,128,.20)"  # grid lines
LETTER = 0.56  # breadth of a narrow letter in font sizes
ROUNDS = (BLUE, OCHRE, GREEN, MAUVE, VIOLET, TEAL, BROWN, OLIVE)

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_JOINERS = "\u200c\u200d"  # they hold emoji and Persian words together and print nothing themselves


def rgba(colour: str, alpha: float) -> str:
    """A hex colour with an opacity, as CSS writes it."""
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


def round_colour(number: int) -> str:
    """The colour of round `number`, counted from 1; no two rounds have one but the last ones, which are grey and which
    the digits in their cells tell apart.

    >>> len({round_colour(n) for n in range(1, 10)}), round_colour(9) == round_colour(20)
    (9, True)
    """
    return ROUNDS[number - 1] if number <= len(ROUNDS) else GREY


def round_class(number: int) -> str:
    """The class that gives an element the colour of a round."""
    return f"n{min(number, len(ROUNDS) + 1)}"


# Markers: "dot", "diamond", "triangle" and "hexagon" are filled, "ring" and "hollow", a diamond, are open, "cross" is
# an ✕, "plus" and "minus" are discs with a sign, and a "curve" is an arc.
Kind = Literal[
    "polygon",
    "line",
    "curve",
    "dot",
    "diamond",
    "hollow",
    "triangle",
    "hexagon",
    "cross",
    "plus",
    "minus",
    "ring",
    "digit",
]
# What a shape means.
Role = Literal[
    "block",
    "cut",
    "area",
    "path",
    "link",
    "used",
    "letters",
    "round",
    "arrow",
    "substituted",
    "extra",
    "missing",
    "first",
    "second",
    "both",
    "shared",
    "kept",
    "gained",
    "lost",
    "elsewhere",
    "moved",
    "went",
    "came",
    "new error",
    "gone error",
    "kept error",
    "new area",
    "gone area",
    "kept area",
    "new pair",
    "gone pair",
    "new shift",
    "gone shift",
    "kept shift",
    "number",
    "length",
    "cut through",
    "unused",
    "always",
    "sometimes",
    "pair",
    "absent",
    "aligned",
    "aligned stem",
    "aligned synonym",
    "aligned similar",
    "chunk",
    "discordant",
    "meeting",
    "crossing",
    "hit",
    "filled",
    "filled beside",
    "taken",
    "taken stem",
    "taken synonym",
    "taken similar",
    "considered",
    "rejected",
    "filled now",
    "came from",
    "used up",
    "marked",
    "marked minor",
    "selected",
    "selected block",
    "selected arrow",
]


class ShapeLook(NamedTuple):
    """How the shapes of a role and a kind look, and what is said of them.

    A colour of "" is that of the shape's round, blue where it has none. `fill` is the opacity of the filling, `line`
    the width of the line in pixels, 0 for none, `size` a marker's radius in cells. `legend` are the words of the
    legend, "" where the shape brings its own, `hover` what is said of one that is pointed at, and `word` the classes
    of a word that looks like it in the strips.
    """

    colour: str = BLUE
    fill: float = 1
    line: float = 0
    size: float = 0.25
    style: Literal["solid", "dashed", "dotted"] = "solid"
    legend: str = ""
    hover: str = ""
    word: str = ""


_SHIFTS: tuple[tuple[Role, str, str], ...] = (
    ("new shift", MAUVE, "new shift"),
    ("gone shift", GREEN, "shift that is gone"),
    ("kept shift", GREY, "shift in both"),
)
_ELSEWHERE, _MOVED = "matched elsewhere: the reference word changed", "moved: the word stands elsewhere"

#: The one table of looks, in the order of the legend. SVG, TikZ, strips, legends and hover words are written from it.
LOOKS: dict[tuple[Role, Kind], ShapeLook] = {
    ("block", "polygon"): ShapeLook(fill=0.16, line=1.6, legend="run as a block"),
    ("cut", "polygon"): ShapeLook(GREY, 0, 1.6, style="dashed", legend="run that was cut"),
    ("area", "polygon"): ShapeLook(OCHRE, 0.22, 1.2, legend="neighbours as two triangles"),
    ("path", "line"): ShapeLook(fill=0, line=2, legend="path, in order"),
    ("link", "line"): ShapeLook(fill=0, line=2),
    ("used", "dot"): ShapeLook(legend="match, used", hover="used", word="u"),
    ("used", "diamond"): ShapeLook(legend="same stem", hover="used, same stem", word="u st"),
    ("used", "triangle"): ShapeLook(legend="synonym", hover="used, synonym", word="u sy"),
    ("used", "hexagon"): ShapeLook(legend="similar word", hover="used, similar word", word="u sy"),
    ("letters", "polygon"): ShapeLook(
        fill=0.3, legend="letters that match, by how much of the word they are", hover="letters that match", word="lt"
    ),
    ("letters", "digit"): ShapeLook(INK, size=0.4, legend="how many letters match"),
    ("first", "polygon"): ShapeLook(),
    ("second", "polygon"): ShapeLook(OCHRE),
    ("both", "ring"): ShapeLook(GREY, 0, 1.5, 0.39),
    ("shared", "polygon"): ShapeLook(),
    ("shared", "digit"): ShapeLook(),
    # What became of a cell, a run, an error and a word between two outputs: gains are green and losses mauve, and of
    # errors those that went are green. Swapping the outputs swaps the two.
    ("kept", "polygon"): ShapeLook(fill=0.10, line=1.2, legend="run in both", hover="run in both"),
    ("gained", "polygon"): ShapeLook(GREEN, 0.10, 1.6, legend="new run", hover="new run"),
    ("lost", "polygon"): ShapeLook(
        MAUVE, 0.06, 1.6, style="dashed", legend="run that is gone", hover="run that is gone"
    ),
    ("kept", "line"): ShapeLook(fill=0, line=2, legend="run in both"),
    ("gained", "line"): ShapeLook(GREEN, 0, 2, legend="new run"),
    ("lost", "line"): ShapeLook(MAUVE, 0, 2, style="dashed", legend="run that is gone"),
    ("kept area", "polygon"): ShapeLook(OCHRE, 0.16, 1.2, legend="neighbours in both"),
    ("new area", "polygon"): ShapeLook(GREEN, 0.16, 1.2, legend="new neighbours"),
    ("gone area", "polygon"): ShapeLook(MAUVE, 0.08, 1.2, style="dashed", legend="neighbours that are gone"),
    ("new pair", "line"): ShapeLook(MAUVE, 0, 1.4, legend="new discordant pair"),
    ("gone pair", "line"): ShapeLook(GREEN, 0, 1.4, style="dashed", legend="discordant pair that is gone"),
    **{
        (role, kind): ShapeLook(colour, 1 if kind == "polygon" else 0, 0 if kind == "polygon" else 1.6, legend=says)
        for role, colour, says in _SHIFTS
        for kind in ("line", "polygon")
    },
    ("kept", "dot"): ShapeLook(legend="matched in both", hover="matched in both", word="u"),
    ("gained", "triangle"): ShapeLook(GREEN, legend="newly matched", hover="newly matched", word="u im"),
    ("lost", "cross"): ShapeLook(MAUVE, legend="no longer matched", hover="no longer matched", word="u wo"),
    ("elsewhere", "line"): ShapeLook(VIOLET, 0, 1.2),
    ("elsewhere", "diamond"): ShapeLook(VIOLET, legend=_ELSEWHERE, hover="matched here now", word="u el"),
    ("elsewhere", "hollow"): ShapeLook(VIOLET, 0, 1.6, legend=_ELSEWHERE, hover="matched here before", word="u el"),
    ("moved", "line"): ShapeLook(VIOLET, 0, 1.2),
    ("moved", "hexagon"): ShapeLook(VIOLET, legend=_MOVED, hover="moved to here", word="u mv"),
    ("moved", "ring"): ShapeLook(VIOLET, 0, 1.6, legend=_MOVED, hover="moved from here", word="u mv"),
    ("new error", "polygon"): ShapeLook(MAUVE, 0.12, 1.6, legend="new error", hover="new error: another word"),
    ("new error", "plus"): ShapeLook(MAUVE, legend="new error", hover="new error: extra word"),
    ("new error", "minus"): ShapeLook(MAUVE, legend="new error", hover="new error: missing word"),
    ("gone error", "polygon"): ShapeLook(
        GREEN, 0, 1.6, style="dashed", legend="error that is gone", hover="error that is gone: another word"
    ),
    ("gone error", "plus"): ShapeLook(
        GREEN, 0.3, 1.4, style="dashed", legend="error that is gone", hover="error that is gone: extra word"
    ),
    ("gone error", "minus"): ShapeLook(
        GREEN, 0.3, 1.4, style="dashed", legend="error that is gone", hover="error that is gone: missing word"
    ),
    ("kept error", "polygon"): ShapeLook(GREY, 0, 1.4, legend="error in both", hover="error in both: another word"),
    ("kept error", "plus"): ShapeLook(GREY, size=0.19, legend="error in both", hover="error in both: extra word"),
    ("kept error", "minus"): ShapeLook(GREY, size=0.19, legend="error in both", hover="error in both: missing word"),
    ("number", "digit"): ShapeLook(INK, legend="number of its round or shift"),
    ("cut through", "line"): ShapeLook(GREY, 0, 0.8, legend="row of the other output within a run"),
    ("length", "digit"): ShapeLook(INK, size=0.5, legend="length of a run that such a row cuts"),
    ("went", "line"): ShapeLook(GREY, 0, 1.4, legend="word that is gone", word="went"),
    ("came", "line"): ShapeLook(GREY, 0, 1.6, style="dotted", legend="word that is new", word="came"),
    ("round", "polygon"): ShapeLook("", hover="used"),
    ("round", "digit"): ShapeLook(""),
    ("arrow", "line"): ShapeLook("", 0, 2, style="dashed", legend="where a block is moved"),
    ("arrow", "polygon"): ShapeLook(""),
    ("substituted", "cross"): ShapeLook(MAUVE, legend="substituted word", hover="substituted", word="er es"),
    ("extra", "plus"): ShapeLook(MAUVE, legend="extra word", hover="extra word", word="er ei"),
    ("extra", "line"): ShapeLook(MAUVE, 0, 4),
    ("missing", "minus"): ShapeLook(MAUVE, legend="missing word", hover="missing word", word="er ed"),
    ("missing", "line"): ShapeLook(MAUVE, 0, 4),
    ("unused", "ring"): ShapeLook(UNUSED, 0, 1.5, 0.2, legend="match, not used", hover="match, not used"),
    ("always", "ring"): ShapeLook(VIOLET, 0, 1.6, 0.38, legend="on every best alignment"),
    ("always", "polygon"): ShapeLook(VIOLET, 0, 1.6, legend="on every best alignment"),
    ("sometimes", "polygon"): ShapeLook(VIOLET, 0.3, legend="on some best alignments"),
    # What can be pointed at is at least 1.6 pixels wide.
    ("pair", "curve"): ShapeLook(fill=0, line=1.7, legend="shared pair"),
    ("absent", "curve"): ShapeLook(GREY, 0, 1.2, style="dotted", legend="pair that does not count"),
    ("aligned", "line"): ShapeLook(fill=0, line=2, legend="aligned words"),
    ("aligned", "dot"): ShapeLook(hover="aligned"),
    ("aligned stem", "dot"): ShapeLook(hover="aligned, same stem"),
    ("aligned synonym", "dot"): ShapeLook(hover="aligned, synonyms"),
    ("aligned similar", "dot"): ShapeLook(hover="aligned, similar words"),
    ("aligned stem", "line"): ShapeLook(fill=0, line=2, style="dashed", legend="same stem"),
    ("aligned synonym", "line"): ShapeLook(fill=0, line=2, style="dotted", legend="synonyms"),
    ("aligned similar", "line"): ShapeLook(fill=0, line=2, style="dashed", legend="similar words"),
    ("chunk", "polygon"): ShapeLook(fill=0.14, line=0.8, legend="chunk of several words"),
    ("crossing", "cross"): ShapeLook(
        MAUVE, legend="crossing: two words whose order is reversed", hover="order reversed"
    ),
    ("discordant", "cross"): ShapeLook(MAUVE, legend="discordant pair: two words whose order is reversed"),
    ("meeting", "diamond"): ShapeLook(MAUVE, legend="discordant pair: two words on the same reference word"),
    # A step of an algorithm. Lines are solid, dashed or dotted by what they mean, so that none is told by colour alone;
    # of a text, `size` is half the breadth that it may take of a cell.
    ("hit", "ring"): ShapeLook(UNUSED, 0, 1.5, 0.2, legend="match", hover="match"),
    ("hit", "line"): ShapeLook(UNUSED, 0, 1.6, legend="match", hover="match"),
    ("hit", "polygon"): ShapeLook(UNUSED, 0.22, legend="match", hover="match"),
    ("filled", "digit"): ShapeLook(INK, size=0.42, legend="value of the table"),
    ("filled beside", "digit"): ShapeLook(INK, size=0.26, legend="value of the second table"),
    ("taken", "polygon"): ShapeLook(fill=0.2, line=1.8, legend="taken", hover="taken"),
    ("taken", "dot"): ShapeLook(legend="taken", hover="taken", word="u"),
    ("taken", "line"): ShapeLook(fill=0, line=2, legend="taken", hover="taken"),
    ("taken stem", "diamond"): ShapeLook(legend="taken, same stem", hover="taken, same stem", word="u st"),
    ("taken synonym", "triangle"): ShapeLook(legend="taken, synonyms", hover="taken, synonyms", word="u sy"),
    ("taken similar", "polygon"): ShapeLook(
        fill=0.2, line=1.8, style="dashed", legend="taken, similar words", hover="taken, similar words", word="u sy"
    ),
    ("taken stem", "line"): ShapeLook(
        fill=0, line=2, style="dashed", legend="taken, same stem", hover="taken, same stem", word="u st"
    ),
    ("taken synonym", "line"): ShapeLook(
        fill=0, line=2, style="dotted", legend="taken, synonyms", hover="taken, synonyms", word="u sy"
    ),
    ("taken", "curve"): ShapeLook(fill=0, line=2, legend="taken", hover="taken"),
    ("rejected", "polygon"): ShapeLook(MAUVE, 0, 1.8, style="dotted", legend="rejected", hover="rejected"),
    ("rejected", "line"): ShapeLook(MAUVE, 0, 1.8, style="dotted", legend="rejected", hover="rejected"),
    ("rejected", "curve"): ShapeLook(MAUVE, 0, 1.8, style="dotted", legend="rejected", hover="rejected"),
    ("rejected", "cross"): ShapeLook(MAUVE, size=0.2, legend="rejected", hover="rejected", word="rj"),
    ("considered", "polygon"): ShapeLook(OCHRE, 0.08, 2.2, style="dashed", legend="considered", hover="considered"),
    ("considered", "line"): ShapeLook(
        OCHRE, 0, 2.2, style="dashed", legend="considered", hover="considered", word="co"
    ),
    ("considered", "curve"): ShapeLook(OCHRE, 0, 2.2, style="dashed", legend="considered", hover="considered"),
    ("came from", "polygon"): ShapeLook(VIOLET, 0, 1.8, style="dotted", legend="came from", hover="came from"),
    ("came from", "line"): ShapeLook(VIOLET, 0, 2, legend="came from", hover="came from"),
    ("filled now", "polygon"): ShapeLook(GREEN, 0.14, 2.6, legend="cell of this step", hover="cell of this step"),
    ("used up", "line"): ShapeLook(GREY, 0, 2, legend="word that is used up", word="up"),
    # Errors that people marked, over the words and beside the rows.
    ("marked", "line"): ShapeLook(BROWN, 0, 3, legend="error that people marked", word="mk"),
    ("marked minor", "line"): ShapeLook(
        BROWN, 0, 3, style="dotted", legend="minor error that people marked", word="mk mn"
    ),
    # Selection, in files alone; on a page the style sheet draws it.
    ("selected", "polygon"): ShapeLook(VERMILION, 0.18, 2.2),
    ("selected", "line"): ShapeLook(VERMILION, 0, 2.5),
    **{
        ("selected", kind): ShapeLook(VERMILION)
        for kind in ("dot", "diamond", "triangle", "hexagon", "cross", "plus", "minus")
    },
    ("selected", "digit"): ShapeLook(VERMILION),
    ("selected block", "polygon"): ShapeLook(VERMILION, 0.10, 1.8),
    ("selected arrow", "line"): ShapeLook(VERMILION, 0, 2, style="dashed"),
    ("selected arrow", "polygon"): ShapeLook(VERMILION),
}


def colour_of(look: ShapeLook, number: int = 0) -> str:
    """The colour of a look, for the shape of a round that of the round.

    >>> colour_of(LOOKS["round", "polygon"], 2) == OCHRE, colour_of(LOOKS["arrow", "line"]) == BLUE
    (True, True)
    """
    return look.colour or (round_colour(number) if number else BLUE)


_WORDS: dict[str, tuple[Role, Kind]] = {
    "equal": ("used", "dot"),
    "stem": ("used", "diamond"),
    "synonym": ("used", "triangle"),
    "similar": ("used", "hexagon"),
    "different": ("substituted", "cross"),
    "extra": ("extra", "plus"),
    "missing": ("missing", "minus"),
}


def word_classes(how: str) -> tuple[str, ...]:
    """The classes of a word by how it goes with its partner (a relation), or by what an edit script says of it.

    >>> word_classes("stem"), word_classes("extra")
    (('u', 'st'), ('er', 'ei'))
    """
    return tuple(LOOKS[_WORDS[how]].word.split())


def css() -> str:
    """The palette for style sheets: a variable for each colour, and the classes of rounds."""
    variables = " ".join(f"--{name}: {colour};" for name, colour in {**PALETTE, "unused": UNUSED}.items())
    rounds = "".join(f".{round_class(n)} {{ --c: {round_colour(n)} !important; }}\n" for n in range(1, len(ROUNDS) + 2))
    return f"& {{ {variables} }}\n{rounds}"


def role_colour(role: str, number: int = 0) -> str:
    """The colour of a role, as its first look has it."""
    return next((colour_of(look, number) for (other, _), look in LOOKS.items() if other == role), BLUE)


def tint_alpha(level: int, levels: int) -> float:
    """The opacity of a tint of level 1 to `levels`."""
    share = (level - 1) / max(1, levels - 1)
    return round(0.14 + 0.86 * math.pow(share, 1.3), 2)


LEVELS = 5  # tints that can be told apart


def tint(count: int, total: int) -> int:
    """The level of a tint, from 1 to LEVELS, which stands for all of them.

    >>> [tint(count, 14) for count in (1, 2, 3, 7, 13, 14)]
    [1, 1, 2, 3, 5, 5]
    """
    return max(1, math.ceil(LEVELS * count / max(total, 1)))


def visible(text: str, limit: int = 40) -> str:
    """`text` as it can be shown: unprintable characters as U+FFFD, cut to `limit`, ␣ where nothing is left.

    >>> visible("a\\u202eb"), visible(""), visible("x" * 50, 5)
    ('a�b', '␣', 'xxxx…')
    """
    return types.visible(types.cut(text, limit)) or "␣"


def isolated(text: str, limit: int = 40) -> str:
    """Words of a user for a sentence, as `visible` has them; those from right to left turn nothing beside them.

    >>> isolated("cat"), isolated("שלום") == "\\u2068שלום\\u2069"
    ('cat', True)
    """
    return types.isolated(visible(text, limit))


@remembered(8192)
def safe(text: str, limit: int = 40) -> str:
    """`text` for HTML and for Plotly's labels, which read markup: visible, escaped, `$` too.

    >>> safe("<b>$x$")
    '&lt;b&gt;&#36;x&#36;'
    """
    escaped = html.escape(visible(text, limit), quote=False)
    # Plotly's labels know few entities by name, but all by number.
    return escaped.replace('"', "&#34;").replace("'", "&#39;").replace("$", "&#36;")


#: The direction of an element whose text begins with words from right to left and is not in their language.
LEFT_TO_RIGHT = ' dir="ltr"'


def word(text: str, limit: int = 40) -> str:
    """A user's words as an element that turns nothing beside it; a sentence of ours about isolated words stays one.

    >>> word("<b>")
    '<bdi>&lt;b&gt;</bdi>'
    >>> word(f"{isolated('שלום')}, moved later")[:15]
    '<bdi dir="ltr">'
    """
    ours = re.sub("\u2068[^\u2068\u2069]*\u2069", "", text) if "\u2068" in text else ""
    has_ltr = any(unicodedata.bidirectional(letter) == "L" for letter in ours)
    return f"<bdi{LEFT_TO_RIGHT if has_ltr else ''}>{safe(text, limit)}</bdi>"


def markdown(text: str) -> str:
    """`text` for a widget that reads Markdown, such as `st.warning`: no link, image, formula, emphasis, emoji or icon.
    An invisible word joiner stands behind a colon that could begin a name of the last two.

    >>> print(markdown("![x](#) $y$ rouge_n"))
    \\!\\[x\\](\\#) \\$y\\$ rouge\\_n
    """
    return re.sub(r":(?=\S)", ":\u2060", re.sub(r"([\\`*_\[\]<>$~#|!])", r"\\\1", text))


@remembered(8192)
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


score_text = types.score_text


def change_text(value: float, decimals: int = 3) -> str:
    """A difference of scores with its sign, a true minus; small ones keep two digits.

    >>> change_text(0.0912), change_text(-12.345), change_text(0.000123), change_text(-1e-9), change_text(0.0)
    ('+0.091', '−12.35', '+0.00012', '−1.0 × 10⁻⁹', '0')
    """
    size = abs(value)
    if not size:
        return "0"
    text = score_text(size, decimals)
    if size < 0.5 * 10**-decimals:
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


def count_text(count: int, noun: str) -> str:
    """`1 word`, `1,200 words`."""
    return f"{count:,} {formula.plural(count, noun)}"
