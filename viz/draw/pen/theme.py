"""Colours, font sizes and number formats, and the only functions that make a user's text safe to show."""

from __future__ import annotations

import html
import math
import re
import unicodedata
from collections.abc import Iterable
from typing import Literal, NamedTuple

from metrics import formula, types

from .short_texts import cache_short_texts

# Every colour has a contrast of 3:1 to white and to the dark background. No meaning is expressed by colour alone.
BLUE = "#1B7FC2"  # used
OCHRE = "#B87300"  # dcs's neighbours; bars of metrics where lower is better
GREEN = "#009E73"  # gained, better
MAUVE = "#B5478F"  # lost, worse
VERMILION = "#D55E00"  # reserved for what is selected or hovered
VIOLET = "#6F6AB8"
TEAL, BROWN, OLIVE = "#0E8C9E", "#94694A", "#768A1A"  # later rounds
GREY = "#8A8A8A"
#: The colours by name, for style sheets and LaTeX.
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
UNUSED = GREY  # matches that are not used, in all pictures
PAPER, INK, LINES = "#FFFFFF", "#1F1E1C", "#808080"  # for files; a page has its own colours
FAINT = "rgba(128,128,128,.20)"  # grid lines
LETTER = 0.56  # the width of a narrow letter, in units of the font size
ROUNDS = (BLUE, OCHRE, GREEN, MAUVE, VIOLET, TEAL, BROWN, OLIVE)

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_JOINERS = "\u200c\u200d"  # invisible characters that some emoji and Persian words need


def css_rgba(colour: str, alpha: float) -> str:
    """Return a hex colour with the opacity `alpha` in CSS, as `rgba(…)`."""
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


def round_colour(number: int) -> str:
    """Return the colour of round `number`, counted from 1.

    The first rounds have distinct colours. All later ones are grey; the digits in their cells tell them apart.

    >>> len({round_colour(n) for n in range(1, 10)}), round_colour(9) == round_colour(20)
    (9, True)
    """
    return ROUNDS[number - 1] if number <= len(ROUNDS) else GREY


def round_class(number: int) -> str:
    """Return the CSS class that gives an element the colour of round `number`, counted from 1."""
    return f"n{min(number, len(ROUNDS) + 1)}"


# The geometric kinds of shapes. "dot", "diamond", "triangle" and "hexagon" are filled; "ring" and "hollow" (a diamond)
# are outlines; "cross" is an ✕; "plus" and "minus" are discs with a sign; "curve" is an arc.
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
# The meanings of shapes.
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


class ShapeStyle(NamedTuple):
    """The look of the shapes of one role and kind, and the texts about them.

    Attributes:
        colour: the colour; "" for the colour of the shape's round, or blue without one.
        fill: the opacity of the filling.
        line: the width of the line in pixels, 0 for none.
        size: the radius of a marker, in cells.
        style: the style of the line.
        legend: the text in the legend, "" if each shape has its own.
        hover: the text shown when a shape is pointed at.
        word: the CSS classes of words with this look."""

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
_ELSEWHERE, _MOVED = "matched elsewhere: the reference word changed", "moved: the word is elsewhere"

#: The looks of all shapes, in the order of the legend. SVG, TikZ, strips, legends and hover texts use this table.
LOOKS: dict[tuple[Role, Kind], ShapeStyle] = {
    ("block", "polygon"): ShapeStyle(fill=0.16, line=1.6, legend="run as a block"),
    ("cut", "polygon"): ShapeStyle(GREY, 0, 1.6, style="dashed", legend="run that was cut"),
    ("area", "polygon"): ShapeStyle(OCHRE, 0.22, 1.2, legend="neighbours as two triangles"),
    ("path", "line"): ShapeStyle(fill=0, line=2, legend="path, in order"),
    ("link", "line"): ShapeStyle(fill=0, line=2),
    ("used", "dot"): ShapeStyle(legend="match, used", hover="used", word="u"),
    ("used", "diamond"): ShapeStyle(legend="same stem", hover="used, same stem", word="u st"),
    ("used", "triangle"): ShapeStyle(legend="synonym", hover="used, synonym", word="u sy"),
    ("used", "hexagon"): ShapeStyle(legend="similar word", hover="used, similar word", word="u sy"),
    ("letters", "polygon"): ShapeStyle(
        fill=0.3, legend="letters that match, as a share of the word", hover="letters that match", word="lt"
    ),
    ("letters", "digit"): ShapeStyle(INK, size=0.4, legend="how many letters match"),
    ("first", "polygon"): ShapeStyle(),
    ("second", "polygon"): ShapeStyle(OCHRE),
    ("both", "ring"): ShapeStyle(GREY, 0, 1.5, 0.39),
    ("shared", "polygon"): ShapeStyle(),
    ("shared", "digit"): ShapeStyle(),
    # Changes of cells, runs, errors and words between two outputs. Gains are green and losses mauve; errors that are
    # gone are gains. Swapping the outputs swaps the colours.
    ("kept", "polygon"): ShapeStyle(fill=0.10, line=1.2, legend="run in both", hover="run in both"),
    ("gained", "polygon"): ShapeStyle(GREEN, 0.10, 1.6, legend="new run", hover="new run"),
    ("lost", "polygon"): ShapeStyle(
        MAUVE, 0.06, 1.6, style="dashed", legend="run that is gone", hover="run that is gone"
    ),
    ("kept", "line"): ShapeStyle(fill=0, line=2, legend="run in both"),
    ("gained", "line"): ShapeStyle(GREEN, 0, 2, legend="new run"),
    ("lost", "line"): ShapeStyle(MAUVE, 0, 2, style="dashed", legend="run that is gone"),
    ("kept area", "polygon"): ShapeStyle(OCHRE, 0.16, 1.2, legend="neighbours in both"),
    ("new area", "polygon"): ShapeStyle(GREEN, 0.16, 1.2, legend="new neighbours"),
    ("gone area", "polygon"): ShapeStyle(MAUVE, 0.08, 1.2, style="dashed", legend="neighbours that are gone"),
    ("new pair", "line"): ShapeStyle(MAUVE, 0, 1.4, legend="new discordant pair"),
    ("gone pair", "line"): ShapeStyle(GREEN, 0, 1.4, style="dashed", legend="discordant pair that is gone"),
    **{
        (role, kind): ShapeStyle(colour, 1 if kind == "polygon" else 0, 0 if kind == "polygon" else 1.6, legend=says)
        for role, colour, says in _SHIFTS
        for kind in ("line", "polygon")
    },
    ("kept", "dot"): ShapeStyle(legend="matched in both", hover="matched in both", word="u"),
    ("gained", "triangle"): ShapeStyle(GREEN, legend="newly matched", hover="newly matched", word="u im"),
    ("lost", "cross"): ShapeStyle(MAUVE, legend="no longer matched", hover="no longer matched", word="u wo"),
    ("elsewhere", "line"): ShapeStyle(VIOLET, 0, 1.2),
    ("elsewhere", "diamond"): ShapeStyle(VIOLET, legend=_ELSEWHERE, hover="matched here now", word="u el"),
    ("elsewhere", "hollow"): ShapeStyle(VIOLET, 0, 1.6, legend=_ELSEWHERE, hover="matched here before", word="u el"),
    ("moved", "line"): ShapeStyle(VIOLET, 0, 1.2),
    ("moved", "hexagon"): ShapeStyle(VIOLET, legend=_MOVED, hover="moved to here", word="u mv"),
    ("moved", "ring"): ShapeStyle(VIOLET, 0, 1.6, legend=_MOVED, hover="moved from here", word="u mv"),
    ("new error", "polygon"): ShapeStyle(MAUVE, 0.12, 1.6, legend="new error", hover="new error: another word"),
    ("new error", "plus"): ShapeStyle(MAUVE, legend="new error", hover="new error: extra word"),
    ("new error", "minus"): ShapeStyle(MAUVE, legend="new error", hover="new error: missing word"),
    ("gone error", "polygon"): ShapeStyle(
        GREEN, 0, 1.6, style="dashed", legend="error that is gone", hover="error that is gone: another word"
    ),
    ("gone error", "plus"): ShapeStyle(
        GREEN, 0.3, 1.4, style="dashed", legend="error that is gone", hover="error that is gone: extra word"
    ),
    ("gone error", "minus"): ShapeStyle(
        GREEN, 0.3, 1.4, style="dashed", legend="error that is gone", hover="error that is gone: missing word"
    ),
    ("kept error", "polygon"): ShapeStyle(GREY, 0, 1.4, legend="error in both", hover="error in both: another word"),
    ("kept error", "plus"): ShapeStyle(GREY, size=0.19, legend="error in both", hover="error in both: extra word"),
    ("kept error", "minus"): ShapeStyle(GREY, size=0.19, legend="error in both", hover="error in both: missing word"),
    ("number", "digit"): ShapeStyle(INK, legend="number of its round or shift"),
    ("cut through", "line"): ShapeStyle(GREY, 0, 0.8, legend="row of the other output within a run"),
    ("length", "digit"): ShapeStyle(INK, size=0.5, legend="length of a run that such a row cuts"),
    ("went", "line"): ShapeStyle(GREY, 0, 1.4, legend="word that is gone", word="went"),
    ("came", "line"): ShapeStyle(GREY, 0, 1.6, style="dotted", legend="word that is new", word="came"),
    ("round", "polygon"): ShapeStyle("", hover="used"),
    ("round", "digit"): ShapeStyle(""),
    ("arrow", "line"): ShapeStyle("", 0, 2, style="dashed", legend="where a block is moved"),
    ("arrow", "polygon"): ShapeStyle(""),
    ("substituted", "cross"): ShapeStyle(MAUVE, legend="substituted word", hover="substituted", word="er es"),
    ("extra", "plus"): ShapeStyle(MAUVE, legend="extra word", hover="extra word", word="er ei"),
    ("extra", "line"): ShapeStyle(MAUVE, 0, 4),
    ("missing", "minus"): ShapeStyle(MAUVE, legend="missing word", hover="missing word", word="er ed"),
    ("missing", "line"): ShapeStyle(MAUVE, 0, 4),
    ("unused", "ring"): ShapeStyle(UNUSED, 0, 1.5, 0.2, legend="match, not used", hover="match, not used"),
    ("always", "ring"): ShapeStyle(VIOLET, 0, 1.6, 0.38, legend="on every best alignment"),
    ("always", "polygon"): ShapeStyle(VIOLET, 0, 1.6, legend="on every best alignment"),
    ("sometimes", "polygon"): ShapeStyle(VIOLET, 0.3, legend="on some best alignments"),
    # Lines that can be pointed at are at least 1.6 pixels wide.
    ("pair", "curve"): ShapeStyle(fill=0, line=1.7, legend="shared pair"),
    ("absent", "curve"): ShapeStyle(GREY, 0, 1.2, style="dotted", legend="pair that does not count"),
    ("aligned", "line"): ShapeStyle(fill=0, line=2, legend="aligned words"),
    ("aligned", "dot"): ShapeStyle(hover="aligned"),
    ("aligned stem", "dot"): ShapeStyle(hover="aligned, same stem"),
    ("aligned synonym", "dot"): ShapeStyle(hover="aligned, synonyms"),
    ("aligned similar", "dot"): ShapeStyle(hover="aligned, similar words"),
    ("aligned stem", "line"): ShapeStyle(fill=0, line=2, style="dashed", legend="same stem"),
    ("aligned synonym", "line"): ShapeStyle(fill=0, line=2, style="dotted", legend="synonyms"),
    ("aligned similar", "line"): ShapeStyle(fill=0, line=2, style="dashed", legend="similar words"),
    ("chunk", "polygon"): ShapeStyle(fill=0.14, line=0.8, legend="chunk of several words"),
    ("crossing", "cross"): ShapeStyle(
        MAUVE, legend="crossing: two words whose order is reversed", hover="order reversed"
    ),
    ("discordant", "cross"): ShapeStyle(MAUVE, legend="discordant pair: two words whose order is reversed"),
    ("meeting", "diamond"): ShapeStyle(MAUVE, legend="discordant pair: two words on the same reference word"),
    # Steps of an algorithm. The style of a line shows its meaning too, so that it does not depend on colour alone. For
    # texts, `size` is half the width that they may take, in cells.
    ("hit", "ring"): ShapeStyle(UNUSED, 0, 1.5, 0.2, legend="match", hover="match"),
    ("hit", "line"): ShapeStyle(UNUSED, 0, 1.6, legend="match", hover="match"),
    ("hit", "polygon"): ShapeStyle(UNUSED, 0.22, legend="match", hover="match"),
    ("filled", "digit"): ShapeStyle(INK, size=0.42, legend="value of the table"),
    ("filled beside", "digit"): ShapeStyle(INK, size=0.26, legend="value of the second table"),
    ("taken", "polygon"): ShapeStyle(fill=0.2, line=1.8, legend="taken", hover="taken"),
    ("taken", "dot"): ShapeStyle(legend="taken", hover="taken", word="u"),
    ("taken", "line"): ShapeStyle(fill=0, line=2, legend="taken", hover="taken"),
    ("taken stem", "diamond"): ShapeStyle(legend="taken, same stem", hover="taken, same stem", word="u st"),
    ("taken synonym", "triangle"): ShapeStyle(legend="taken, synonyms", hover="taken, synonyms", word="u sy"),
    ("taken similar", "polygon"): ShapeStyle(
        fill=0.2, line=1.8, style="dashed", legend="taken, similar words", hover="taken, similar words", word="u sy"
    ),
    ("taken stem", "line"): ShapeStyle(
        fill=0, line=2, style="dashed", legend="taken, same stem", hover="taken, same stem", word="u st"
    ),
    ("taken synonym", "line"): ShapeStyle(
        fill=0, line=2, style="dotted", legend="taken, synonyms", hover="taken, synonyms", word="u sy"
    ),
    ("taken", "curve"): ShapeStyle(fill=0, line=2, legend="taken", hover="taken"),
    ("rejected", "polygon"): ShapeStyle(MAUVE, 0, 1.8, style="dotted", legend="rejected", hover="rejected"),
    ("rejected", "line"): ShapeStyle(MAUVE, 0, 1.8, style="dotted", legend="rejected", hover="rejected"),
    ("rejected", "curve"): ShapeStyle(MAUVE, 0, 1.8, style="dotted", legend="rejected", hover="rejected"),
    ("rejected", "cross"): ShapeStyle(MAUVE, size=0.2, legend="rejected", hover="rejected", word="rj"),
    ("considered", "polygon"): ShapeStyle(OCHRE, 0.08, 2.2, style="dashed", legend="considered", hover="considered"),
    ("considered", "line"): ShapeStyle(
        OCHRE, 0, 2.2, style="dashed", legend="considered", hover="considered", word="co"
    ),
    ("considered", "curve"): ShapeStyle(OCHRE, 0, 2.2, style="dashed", legend="considered", hover="considered"),
    ("came from", "polygon"): ShapeStyle(VIOLET, 0, 1.8, style="dotted", legend="came from", hover="came from"),
    ("came from", "line"): ShapeStyle(VIOLET, 0, 2, legend="came from", hover="came from"),
    ("filled now", "polygon"): ShapeStyle(GREEN, 0.14, 2.6, legend="cell of this step", hover="cell of this step"),
    ("used up", "line"): ShapeStyle(GREY, 0, 2, legend="word that is used up", word="up"),
    # Errors that people marked, above the words and next to the rows.
    ("marked", "line"): ShapeStyle(BROWN, 0, 3, legend="error that people marked", word="mk"),
    ("marked minor", "line"): ShapeStyle(
        BROWN, 0, 3, style="dotted", legend="minor error that people marked", word="mk mn"
    ),
    # The selection, in files only; on a page the style sheet shows it.
    ("selected", "polygon"): ShapeStyle(VERMILION, 0.18, 2.2),
    ("selected", "line"): ShapeStyle(VERMILION, 0, 2.5),
    **{
        ("selected", kind): ShapeStyle(VERMILION)
        for kind in ("dot", "diamond", "triangle", "hexagon", "cross", "plus", "minus")
    },
    ("selected", "digit"): ShapeStyle(VERMILION),
    ("selected block", "polygon"): ShapeStyle(VERMILION, 0.10, 1.8),
    ("selected arrow", "line"): ShapeStyle(VERMILION, 0, 2, style="dashed"),
    ("selected arrow", "polygon"): ShapeStyle(VERMILION),
}


def colour_of(look: ShapeStyle, number: int = 0) -> str:
    """Return the colour of a look, for a shape of round `number`, 0 for none.

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
    """Return the CSS classes of a word, by what happens to it in a comparison with a reference.

    `how` is the relation to its partner, such as "stem", or its edit: "extra" or "missing".

    >>> word_classes("stem"), word_classes("extra")
    (('u', 'st'), ('er', 'ei'))
    """
    return tuple(LOOKS[_WORDS[how]].word.split())


def palette_css() -> str:
    """Return CSS with the palette: a variable for each colour, and the classes that colour rounds."""
    variables = " ".join(f"--{name}: {colour};" for name, colour in {**PALETTE, "unused": UNUSED}.items())
    rounds = "".join(f".{round_class(n)} {{ --c: {round_colour(n)} !important; }}\n" for n in range(1, len(ROUNDS) + 2))
    return f"& {{ {variables} }}\n{rounds}"


def role_colour(role: str, number: int = 0) -> str:
    """Return the colour of shapes of a role: that of its first look in the table. `number` is a round, 0 for none."""
    return next((colour_of(look, number) for (other, _), look in LOOKS.items() if other == role), BLUE)


def tint_alpha(level: int, levels: int) -> float:
    """Return the opacity of a tint of the given level, from 1 to `levels`, the strongest."""
    share = (level - 1) / max(1, levels - 1)
    return round(0.14 + 0.86 * math.pow(share, 1.3), 2)


LEVELS = 5  # how many tints can be told apart


def tint_level(count: int, total: int) -> int:
    """Return the level of the tint for a cell that `count` of `total` results use: from 1 to LEVELS.

    Only cells that nearly all or all results use have the level LEVELS.

    >>> [tint_level(count, 14) for count in (1, 2, 3, 7, 13, 14)]
    [1, 1, 2, 3, 5, 5]
    """
    return max(1, math.ceil(LEVELS * count / max(total, 1)))


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


@cache_short_texts(8192)
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


@cache_short_texts(8192)
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


score_text = types.score_text


def change_text(value: float, decimals: int = 3) -> str:
    """Format a difference of scores with its sign, a true minus; small differences keep two digits.

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
    """Format a share from 0 to 1 with two digits: `.59`, `1.0`."""
    return f"{value:.2f}".removeprefix("0") if value < 0.995 else f"{value:.1f}"


def positions_text(first: int, count: int) -> str:
    """Format the positions of `count` words as they are shown, from 1: `5–8`, or `5`.

    `first` is the position of the first word, from 0."""
    return f"{first + 1}–{first + count}" if count > 1 else str(first + 1)


def large_count_text(count: int) -> str:
    """Format a count that may have hundreds of digits; from a thousand million on it is approximated.

    >>> large_count_text(1234), large_count_text(2**120)
    ('1,234', 'about 1.3 × 10³⁶')
    """
    if count < 10**9:
        return f"{count:,}"
    # Python refuses to write numbers of more than 4,300 digits; their logarithm is available and fast.
    power = int(math.log10(count))
    if 10**power > count:
        power -= 1
    leading = count * 10 // 10**power / 10
    return f"about {leading:.1f} × 10{str(power).translate(_SUPERSCRIPTS)}"


def count_text(count: int, noun: str) -> str:
    """Format a count with its noun, in the plural if it is not 1: `1 word`, `1,200 words`."""
    return f"{count:,} {formula.plural(count, noun)}"
