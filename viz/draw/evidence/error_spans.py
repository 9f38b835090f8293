"""Draw errors that people marked: on words of the candidate and the source, next to the rows of a grid, and as a list.

The list is also for screen readers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from metrics.text import Token

from ..pen import grid, legend
from ..pen.layout import Label
from ..pen.picture import Picture, ShapeGroup
from ..pen.placed_shapes import PlacedShape, ink_of, text_width
from ..pen.shapes import Shape
from ..pen.text import safe, visible
from ..pen.theme import LOOKS, Role
from ..texts import MarkedError, ProcessedTexts

#: How many marks a list has; the others are still visible on the words.
LISTED = 24
#: The distance of the marks from the left edge of a grid, in cells.
BESIDE = 0.14
#: The names of minor severities in files of marked errors.
SLIGHT = ("minor", "neutral", "trivial", "no-error", "punctuation")


def role_of(mark: MarkedError) -> Role:
    """Return the role, and so the look, of an error that a person marked: minor severities have their own."""
    return "marked minor" if mark.severity.strip().lower() in SLIGHT else "marked"


def errors_by_word(tokens: Sequence[Token], marks: Iterable[MarkedError]) -> Mapping[int, tuple[MarkedError, ...]]:
    """Return the marked errors that touch each word of a candidate, by position, the severe errors first.

    Words without marked errors are omitted.

    >>> tokens = [Token("a", "a", 0, 1), Token("cat", "cat", 2, 5), Token("sat", "sat", 6, 9)]
    >>> [*errors_by_word(tokens, [MarkedError("target", 4, 7, "Accuracy", "Major")])]
    [1, 2]
    """
    target_marks = sorted([mark for mark in marks if mark.side == "target" and mark.end > mark.start], key=role_of)
    word_marks = [tuple([m for m in target_marks if token.start < m.end and m.start < token.end]) for token in tokens]
    return {n: each for n, each in enumerate(word_marks) if each}


def error_classes(marks: Sequence[MarkedError], behind: Sequence[MarkedError] = ()) -> tuple[str, ...]:
    """Return the CSS classes of a word that is part of the marked errors `marks`.

    `behind` are the marked errors of the next word. Where both words share an error, a class is added that joins their
    lines."""
    joined = ("mj",) if {*marks} & {*behind} else ()
    return (*LOOKS[role_of(marks[0]), "line"].word.split(), *joined)


def describe_marks(marks: Iterable[MarkedError]) -> str:
    """Return the description of marked errors: severity, category and judge of each, as text.

    >>> accuracy = MarkedError("target", 0, 3, "Accuracy", "Major")
    >>> describe_marks([accuracy, MarkedError("target", 0, 9, "", "Minor", "x")])
    'marked: Major, Accuracy; Minor (x)'
    """
    return f"marked: {'; '.join([_describe_mark(mark) for mark in marks])}"


def _describe_mark(mark: MarkedError) -> str:
    what = ", ".join([visible(each, 60) for each in (mark.severity, mark.category) if each.strip()])
    return (what or "an error") + (f" ({visible(mark.judge, 40)})" if mark.judge.strip() else "")


def error_lines(texts: ProcessedTexts) -> Iterator[Shape]:
    """Yield the errors that people marked as lines at the left of the grid of each reference."""
    marks_by_word = errors_by_word(texts.candidate, texts.marked)
    runs: list[tuple[Role, int, int]] = []
    for i, word_marks in marks_by_word.items():
        role = role_of(word_marks[0])
        if runs and runs[-1][0] == role and runs[-1][2] == i and {*word_marks} & {*marks_by_word[i - 1]}:
            runs[-1] = role, runs[-1][1], i + 1
        else:
            runs.append((role, i, i + 1))
    for k in range(len(texts.references)):
        for role, start, end in runs:
            yield Shape("line", role, k, ((start + 0.06, -BESIDE), (end - 0.06, -BESIDE)))


def under_words(picture: Picture, texts: ProcessedTexts) -> Picture:
    """Return a picture of rows of words with lines under the candidate's words that people marked as errors."""
    marks_by_word = errors_by_word(texts.candidate, texts.marked)
    groups: dict[Role, list[PlacedShape]] = {}
    for label in picture.labels:
        number = label.word.removeprefix("c")
        if label.word.startswith("c") and number.isdecimal() and (word_marks := marks_by_word.get(int(number))):
            groups.setdefault(role_of(word_marks[0]), []).append(_underline_shape(label, picture.font))
    if not groups:
        return picture
    looks = {role: Shape("line", role, 0, ()) for role in sorted(groups)}
    lines = [
        ShapeGroup(ink_of(looks[role]), 1, members, LOOKS[role, "line"].legend) for role, members in groups.items()
    ]
    key = legend.drawn_entries([legend.LegendEntry(LOOKS[role, "line"].legend, look) for role, look in looks.items()])
    return replace(picture, groups=[*picture.groups, *lines], key=[*picture.key, *key])


def _underline_shape(label: Label, font: float) -> PlacedShape:
    """Return a line under a word, which may be rotated; `font` is the type size in pixels."""
    breadth = text_width(visible(label.text, grid.LABEL)) * font
    first = {"left": 0.0, "right": -breadth, "centre": -breadth / 2}[label.side]
    turn, down = math.radians(label.turn), 0.62 * font
    ends = [
        (label.x + x * math.cos(turn) + down * math.sin(turn), label.y - x * math.sin(turn) + down * math.cos(turn))
        for x in (first, first + breadth)
    ]
    return PlacedShape("line", tuple(ends), 0, "", "line marked")


# ---------------------------------------------------------------- as HTML


def source_html(text: str, marks: Iterable[MarkedError], most: int) -> str:
    """Return the first `most` letters of a source as HTML, with the errors that people marked highlighted.

    Successive whitespace becomes one space."""
    source_marks = [mark for mark in marks if mark.side == "source" and mark.end > mark.start]
    letters: list[tuple[str, tuple[MarkedError, ...]]] = []
    for at, letter in enumerate(text):
        letter_marks = tuple([mark for mark in source_marks if mark.start <= at < mark.end])
        if not letter.isspace():
            letters.append((letter, letter_marks))
        elif letters and letters[-1][0] != " ":
            letters.append((" ", letter_marks))
    cut = letters[:most] if len(letters) > most else letters
    out = []
    for letter_marks, letter_group in groupby(cut, key=lambda each: each[1]):
        piece = safe("".join([letter for letter, _ in letter_group]), most + 1)
        look = " ".join(error_classes(sorted(letter_marks, key=role_of))) if letter_marks else ""
        out.append(
            f'<mark class="{look}" data-says="{safe(describe_marks(letter_marks), 600)}">{piece}</mark>'
            if letter_marks
            else piece
        )
    return "".join(out) + ("…" if len(letters) > most else "")


def errors_list_html(texts: ProcessedTexts, side: str = "c", label: str = "Marked") -> str:
    """Return the list of the errors that people marked as an HTML line with a label; "" where nothing is marked.

    `side` is the prefix of the names of the candidate's words, which an entry highlights."""
    if not texts.marked:
        return ""
    order = sorted(texts.marked, key=lambda mark: (mark.side != "target", mark.start, mark.end))
    items = "".join([_list_item_html(texts, mark, side) for mark in order[:LISTED]])
    more = f"<li>and {len(order) - LISTED} more</li>" if len(order) > LISTED else ""
    return f'<div class="ln"><div class="lb">{label}</div><ul class="ms">{items}{more}</ul></div>'


def _list_item_html(texts: ProcessedTexts, mark: MarkedError, side: str) -> str:
    touched = errors_by_word(texts.candidate, [mark])
    words = f' data-words="{" ".join([f"{side}{n}" for n in touched])}"' if touched else ""
    if mark.side == "source":
        quoted = texts.source[mark.start : mark.end]
    else:
        quoted = " ".join([texts.candidate[n].raw for n in touched])
    where = "in the source" if mark.side == "source" else "" if touched else "between words"
    what = f" “<bdi>{safe(' '.join(quoted.split()), 90)}</bdi>”" if quoted.strip() else ""
    look = LOOKS[role_of(mark), "line"].word
    return f'<li class="{look}"{words}>{safe(_describe_mark(mark), 160)}{what}{where and f" {where}"}</li>'
