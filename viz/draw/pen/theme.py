"""Colours, and the look of every role that a shape, a word or a cell may have."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

# Every colour has a contrast of 3:1 to white and to the dark background. No meaning is expressed by colour alone.
BLUE = "#1B7FC2"  # used
OCHRE = "#B87300"  # dcs's neighbours; bars of metrics where lower is better
GREEN = "#009E73"  # gained, better
MAUVE = "#B5478F"  # lost, worse
VERMILION = "#D55E00"  # reserved for marks, words and terms that are selected or hovered, and for doubts
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
SELECTED = BLUE  # selected rows and pressed buttons
UNUSED = GREY  # matches that are not used, in all pictures


class Ground(NamedTuple):
    """The colours of a page or a saved page: paper, boxes on it, and text."""

    paper: str
    soft: str
    ink: str


LIGHT, DARK = Ground("#ffffff", "#f6f6f4", "#1f1e1c"), Ground("#171614", "#23211e", "#efedea")
DARK_CONTROLS = "#5AAEE6"  # the blue of Streamlit's controls on the dark ground
TIP = "#3a3936"  # behind the white words of a tip
PAPER, INK, LINES = LIGHT.paper.upper(), LIGHT.ink.upper(), "#808080"  # for pictures in files
FAINT = "rgba(128,128,128,.20)"  # grid lines
ROUNDS = (BLUE, OCHRE, GREEN, MAUVE, VIOLET, TEAL, BROWN, OLIVE)


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
Marker = Literal["dot", "diamond", "hollow", "triangle", "hexagon", "cross", "plus", "minus", "ring"]
Kind = Literal["polygon", "line", "curve", "digit", Marker]
# The meanings of shapes: in one result, in its word order and in several results.
MarkRole = Literal["block", "cut", "area", "path", "link", "used", "letters", "round", "arrow", "unused"]
ErrorRole = Literal["substituted", "extra", "missing"]
TieRole = Literal["always", "sometimes"]
AlignedRole = Literal["aligned", "aligned stem", "aligned synonym", "aligned similar"]
OrderRole = Literal["pair", "absent", "chunk", "discordant", "meeting", "crossing"]
SharedRole = Literal["first", "second", "both", "shared"]
ResultRole = Literal[MarkRole, ErrorRole, TieRole, AlignedRole, OrderRole, SharedRole]
# The meanings of shapes in a change between two outputs.
WordChangeRole = Literal["kept", "gained", "lost", "elsewhere", "moved", "went", "came"]
NewRole = Literal["new error", "new area", "new pair", "new shift"]
GoneRole = Literal["gone error", "gone area", "gone pair", "gone shift"]
KeptRole = Literal["kept error", "kept area", "kept shift"]
CutRole = Literal["number", "length", "cut through"]
ChangeRole = Literal[WordChangeRole, NewRole, GoneRole, KeptRole, CutRole]
# The meanings of shapes in a step of an algorithm, of what people marked, and of what is selected.
ExaminedRole = Literal["considered", "rejected"]
TakenRole = Literal["taken", "taken stem", "taken synonym", "taken similar"]
TableRole = Literal["filled", "filled beside", "filled now", "came from"]
StepRole = Literal["hit", ExaminedRole, TakenRole, TableRole, "used up"]
MarkedRole = Literal["marked", "marked minor"]
SelectedRole = Literal["selected", "selected block", "selected arrow"]
Role = Literal[ResultRole, ChangeRole, StepRole, MarkedRole, SelectedRole]


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

    def with_text(self, text: str) -> ShapeStyle:
        """Return the style with the same text in the legend and when a shape is pointed at."""
        return self._replace(legend=text, hover=text)


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
    ("kept", "polygon"): ShapeStyle(fill=0.10, line=1.2).with_text("run in both"),
    ("gained", "polygon"): ShapeStyle(GREEN, 0.10, 1.6).with_text("new run"),
    ("lost", "polygon"): ShapeStyle(MAUVE, 0.06, 1.6, style="dashed").with_text("run that is gone"),
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
    ("kept", "dot"): ShapeStyle(word="u").with_text("matched in both"),
    ("gained", "triangle"): ShapeStyle(GREEN, word="u im").with_text("newly matched"),
    ("lost", "cross"): ShapeStyle(MAUVE, word="u wo").with_text("no longer matched"),
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
    ("extra", "plus"): ShapeStyle(MAUVE, word="er ei").with_text("extra word"),
    ("extra", "line"): ShapeStyle(MAUVE, 0, 4),
    ("missing", "minus"): ShapeStyle(MAUVE, word="er ed").with_text("missing word"),
    ("missing", "line"): ShapeStyle(MAUVE, 0, 4),
    ("unused", "ring"): ShapeStyle(UNUSED, 0, 1.5, 0.2).with_text("match, not used"),
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
    ("hit", "ring"): ShapeStyle(UNUSED, 0, 1.5, 0.2).with_text("match"),
    ("hit", "line"): ShapeStyle(UNUSED, 0, 1.6).with_text("match"),
    ("hit", "polygon"): ShapeStyle(UNUSED, 0.22).with_text("match"),
    ("filled", "digit"): ShapeStyle(INK, size=0.42, legend="value of the table"),
    ("filled beside", "digit"): ShapeStyle(INK, size=0.26, legend="value of the second table"),
    ("taken", "polygon"): ShapeStyle(fill=0.2, line=1.8).with_text("taken"),
    ("taken", "dot"): ShapeStyle(word="u").with_text("taken"),
    ("taken", "line"): ShapeStyle(fill=0, line=2).with_text("taken"),
    ("taken stem", "diamond"): ShapeStyle(word="u st").with_text("taken, same stem"),
    ("taken synonym", "triangle"): ShapeStyle(word="u sy").with_text("taken, synonyms"),
    ("taken similar", "polygon"): ShapeStyle(fill=0.2, line=1.8, style="dashed", word="u sy").with_text(
        "taken, similar words"
    ),
    ("taken stem", "line"): ShapeStyle(fill=0, line=2, style="dashed", word="u st").with_text("taken, same stem"),
    ("taken synonym", "line"): ShapeStyle(fill=0, line=2, style="dotted", word="u sy").with_text("taken, synonyms"),
    ("taken", "curve"): ShapeStyle(fill=0, line=2).with_text("taken"),
    ("rejected", "polygon"): ShapeStyle(MAUVE, 0, 1.8, style="dotted").with_text("rejected"),
    ("rejected", "line"): ShapeStyle(MAUVE, 0, 1.8, style="dotted").with_text("rejected"),
    ("rejected", "curve"): ShapeStyle(MAUVE, 0, 1.8, style="dotted").with_text("rejected"),
    ("rejected", "cross"): ShapeStyle(MAUVE, size=0.2, word="rj").with_text("rejected"),
    ("considered", "polygon"): ShapeStyle(OCHRE, 0.08, 2.2, style="dashed").with_text("considered"),
    ("considered", "line"): ShapeStyle(OCHRE, 0, 2.2, style="dashed", word="co").with_text("considered"),
    ("considered", "curve"): ShapeStyle(OCHRE, 0, 2.2, style="dashed").with_text("considered"),
    ("came from", "polygon"): ShapeStyle(VIOLET, 0, 1.8, style="dotted").with_text("came from"),
    ("came from", "line"): ShapeStyle(VIOLET, 0, 2).with_text("came from"),
    ("filled now", "polygon"): ShapeStyle(GREEN, 0.14, 2.6).with_text("cell of this step"),
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
    """Return CSS with the palette: a variable for each colour, and the classes that colour rounds.

    `--selected` is the colour of selected rows and pressed buttons; `--vermilion` that of selected marks and words."""
    colours = {**PALETTE, "unused": UNUSED, "selected": SELECTED}
    variables = " ".join(f"--{name}: {colour};" for name, colour in colours.items())
    rounds = "".join(f".{round_class(n)} {{ --c: {round_colour(n)} !important; }}\n" for n in range(1, len(ROUNDS) + 2))
    return f"& {{ {variables} }}\n{rounds}"


def ground_css(ground: Ground) -> str:
    """Return the CSS variables that a saved page takes its ground from."""
    return f"--ink: {ground.ink}; --paper: {ground.paper}; --soft: {ground.soft};"


def role_colour(role: str) -> str:
    """Return the colour of shapes of a role: that of its first look in the table."""
    return next((colour_of(look) for (other, _), look in LOOKS.items() if other == role), BLUE)


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
