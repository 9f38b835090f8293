"""Say which keys of the keyboard the scripts of the pages answer, and what each does.

Help draws the table, and the player gets its keys from it. Other scripts have their keys themselves; a test holds each
script and its row here against each other, so a key that is added in one place alone fails."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple


class Key(NamedTuple):
    """Keys that do the same or the opposite, and what they do.

    Attributes:
        names: the names that the browser gives the keys; letters are small.
        does: what the keys do, as a short phrase.
        action: what the script calls it, where the script gets its keys from here."""

    names: tuple[str, ...]
    does: str
    action: str = ""


class KeyGroup(NamedTuple):
    """The keys of one part of a page.

    Attributes:
        title: the part's name on the page.
        scripts: the scripts that answer the keys, as paths from the folder `viz`.
        keys: the keys, in the order in which Help lists them."""

    title: str
    scripts: tuple[str, ...]
    keys: tuple[Key, ...]


UP_DOWN = ("ArrowUp", "ArrowDown")
LEFT_RIGHT = ("ArrowLeft", "ArrowRight")
ENDS = ("Home", "End")
PAGES = ("PageUp", "PageDown")
CHOOSE = ("Enter", " ")

#: The keys by the name under which a page lists them (`Page.key_groups`).
GROUPS = {
    "strip": KeyGroup(
        "Scores in the strip",
        ("components/strip.js",),
        (
            Key((*LEFT_RIGHT, *UP_DOWN), "to the score beside"),
            Key(ENDS, "to the first or the last score"),
            Key(CHOOSE, "choose the metric"),
        ),
    ),
    "evidence": KeyGroup(
        "Grid, words and terms",
        ("draw/evidence/script/keys.js", "draw/evidence/script/fragment.js"),
        (
            Key(UP_DOWN, "to the term above or below; in the grid, to the unused match beside"),
            Key(LEFT_RIGHT, "to the unused match beside"),
            Key(ENDS, "to the first or the last one"),
            Key(CHOOSE, "choose the term, or give it up again; ask what an unused match would change"),
            Key(("Escape",), "clear the choice"),
        ),
    ),
    "player": KeyGroup(
        "Steps, also while nothing has the focus",
        ("draw/steps/script/keys.js",),
        (
            Key(("ArrowRight",), "one step forward", "on"),
            Key(("ArrowLeft",), "one step back", "back"),
            Key(("n",), "to the next decision", "decision"),
            Key(("p",), "to the decision before", "before"),
            Key(("Home",), "to the first step", "first"),
            Key(("End",), "to the last step", "last"),
            Key((" ",), "play or pause", "play"),
        ),
    ),
    "question": KeyGroup(
        "A question about a picture",
        ("draw/steps/script/pointing.js",),
        (
            Key((*LEFT_RIGHT, *UP_DOWN), "to the cell or word beside"),
            Key(ENDS, "to the first or the last word"),
            Key(CHOOSE, "answer with it"),
        ),
    ),
    "score_table": KeyGroup(
        "Table of scores",
        ("components/score_table.js",),
        (
            Key(UP_DOWN, "to the row above or below"),
            Key(ENDS, "to the first or the last row"),
            Key(CHOOSE, "choose the row"),
        ),
    ),
    "word_worth": KeyGroup(
        "Table of words and what they are worth",
        ("components/word_worth.js",),
        (
            Key(UP_DOWN, "to the row above or below"),
            Key(ENDS, "to the first or the last row"),
            Key(CHOOSE, "choose the row, or give it up again"),
            Key(("Escape",), "clear the choice"),
        ),
    ),
    "segments": KeyGroup(
        "List of segments",
        ("components/segments.js",),
        (
            Key(UP_DOWN, "choose the segment above or below"),
            Key(PAGES, "choose one a screenful away"),
            Key(ENDS, "choose the first or the last one"),
            Key(("Enter",), "open the chosen segment"),
        ),
    ),
    "points": KeyGroup(
        "Charts",
        ("components/points.js", "components/script/dots.js"),
        (
            Key((*LEFT_RIGHT, *UP_DOWN), "to the next point, or the one before"),
            Key(PAGES, "twenty points back or forward"),
            Key(ENDS, "to the first or the last point"),
            Key(CHOOSE, "choose the point’s segment, or what a bar stands for"),
        ),
    ),
    "chapter": KeyGroup(
        "A chapter, also while nothing has the focus",
        ("draw/learn/script/course.js", "draw/learn/script/stepping.js"),
        (
            Key(LEFT_RIGHT, "one screen back or on; where steps are shown, one step"),
            Key(PAGES, "the same, while steps are shown or the chapter is presented"),
            Key((" ",), "on, while the chapter is presented"),
            Key(("f",), "present the chapter, or end that"),
            Key(("Escape",), "end the presentation"),
        ),
    ),
    "sentences": KeyGroup(
        "A sentence of a chapter",
        ("components/script/sentences.js",),
        (Key(("Enter",), "score what was typed at once"),),
    ),
    "moving": KeyGroup(
        "Words that can be moved",
        ("draw/learn/script/moving.js",),
        (
            Key(LEFT_RIGHT, "to the word beside; moves the word that Enter has chosen"),
            Key(ENDS, "to the first or the last word"),
            Key(("d",), "double the word"),
            Key(("Delete", "Backspace"), "take the word out"),
            Key(("Escape",), "leave the sentence as it was"),
        ),
    ),
    "tiles": KeyGroup(
        "A sentence of tiles, in a saved chapter",
        ("draw/learn/script/tiles.js",),
        (Key(("Backspace",), "take the last tile out"),),
    ),
}

_SHOWN = {
    "ArrowLeft": "←",
    "ArrowRight": "→",
    "ArrowUp": "↑",
    "ArrowDown": "↓",
    "PageUp": "PgUp",
    "PageDown": "PgDn",
    "Escape": "Esc",
    " ": "Space",
}


def shown_name(name: str) -> str:
    """Return what a reader calls a key, given the browser's name of it.

    >>> [shown_name(name) for name in ("ArrowLeft", " ", "n", "Home")]
    ['←', 'Space', 'N', 'Home']
    """
    return _SHOWN.get(name) or (name.upper() if len(name) == 1 else name)


def keys_html(groups: Sequence[str]) -> str:
    """Return the keys of the groups named in `groups`, as HTML: a list for each group, in the given order."""
    return f'<div class="keys">{"".join(_group_html(GROUPS[name]) for name in groups)}</div>'


def _group_html(group: KeyGroup) -> str:
    rows = "".join(
        f"<dt>{' '.join(f'<kbd>{shown_name(name)}</kbd>' for name in key.names)}</dt><dd>{escape(key.does)}</dd>"
        for key in group.keys
    )
    return f"<section><h3>{escape(group.title)}</h3><dl>{rows}</dl></section>"


def keys_for_script(group: str) -> str:
    """Return the keys of a group for its script, as text: of each the action, the browser's name of it, and ours.

    >>> keys_for_script("player")[:33]
    'on|ArrowRight|→,back|ArrowLeft|←,'
    """
    return ",".join(f"{key.action}|{key.names[0]}|{shown_name(key.names[0])}" for key in GROUPS[group].keys)
