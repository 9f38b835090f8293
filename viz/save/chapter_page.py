"""Write a chapter as one web page that needs no server and still checks the reader's answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import metrics
from metrics.teach.exercises import Exercise

from ..draw.evidence import fragment
from ..draw.learn import exercise, lesson
from ..draw.learn.chapter import Chapter, ChapterExample, Screen
from ..draw.learn.lesson import Draws
from ..draw.pen import script_bundle
from .sentence_page import PAGE, document

SCRIPT = script_bundle.bundle_modules(Path(__file__).with_suffix(".js"))
PICTURE_WIDTH, SCREEN_WIDTH = 720, 1200  # widths in pixels: of a picture next to the text, and of a whole screen
STYLE = """
.screen[hidden] { display: none; } .learn:not(.present) .course .title { display: none; }
html.presenting header { display: none; } html.presenting main { padding: 14px 28px; max-width: none; }
.learn:not(.alive) .screen { margin-bottom: 32px; } .screen .stepping { margin-top: 14px; }
.screen .choices .group { gap: 6px; } .played .from-steps { display: none; }
@media (min-width: 900px) { /* a screen of the chapter is one of the window */
  main { padding: 8px 24px 2px; }
  header { display: flex; align-items: baseline; gap: 4px 24px; padding-bottom: 6px; margin-bottom: 10px; }
  .learn .course, .learn .choices { margin-bottom: 8px; padding-bottom: 6px; }
  .played .lesson { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 24px; }
  .played .lesson > * { margin: 0 !important; } .screen .stepping { margin-top: 8px; }
  .stepping .ask { flex-direction: row; flex-wrap: wrap; } .stepping .ask > p { flex: 1 1 100%; }
}
@media (min-width: 1000px) and (min-height: 640px) {
  .learn:not(.present) .stepping .player > .frame { height: calc(100vh - var(--above, 170px) - 70px); }
  .stepping .player > .frame { grid-template-rows: auto minmax(0, 1fr); }
  .stepping .player .inspector { top: 0; max-height: 100%; gap: 8px; } .played .sig { display: none; }
  .learn:not(.present) .screen .stepping .player:not(.asks) .code {
    max-height: clamp(4.5em, 100vh - var(--above, 170px) - 330px - var(--formula, 220px), 30em);
  }
  .stepping .player .figure { display: flex; flex-direction: column; height: 100%; }
  .stepping .player .figure > * { flex: none; }
  .stepping .player .figure > .drawing { flex: 0 1 auto; max-height: none; }
  .stepping .player .drawing > svg { max-height: 100%; width: auto; max-width: 100%; }
}
@media print { .screen[hidden] { display: block !important; } .screen { break-inside: avoid; margin-bottom: 24px; } }
"""


class SavedScreen(NamedTuple):
    """A screen of a chapter or an exercise in the saved page.

    Attributes:
        name: its name in the bar at the top.
        html: its HTML.
        steps: the data of its step player; None if it has none.
        played: whether the step player starts at once.
        label: the label of the menu of other sentences.
        choices: the other sentences, each with the HTML of the screen that shows it.
        pair: the index in `choices` of the sentence that the reader looks for; None if there is no such task.
        further: the HTML of further exercises of the same kind, for a reader who answers one wrong."""

    name: str
    html: str
    steps: Mapping[str, Any] | None = None
    played: bool = False
    label: str = ""
    choices: Sequence[tuple[str, str]] = ()
    pair: int | None = None
    further: Sequence[str] = ()


def saved_screen(
    name: str, screen: Screen, draws: Draws, others: Sequence[ChapterExample], steps: Mapping[str, Any] | None
) -> SavedScreen:
    """Return a screen of a chapter, with a menu of the sentences in `others` if there are any.

    The first of `others` is the screen's own sentence. `draws` prepares an example for drawing, and `steps` are the
    data of a step player. The reader cannot move words, because a file cannot hold the score of every arrangement."""
    pair = screen.pair

    def html(other: ChapterExample) -> str:
        reader_example = None if other is others[0] else other
        typed, twin = (None, other) if pair else (reader_example, None)
        return lesson.screen_html(screen, draws, PICTURE_WIDTH, typed, twin, movable=False)

    choices = [(other.candidate, html(other)) for other in others]
    pair_number = next((n for n, other in enumerate(others) if pair and other.candidate == pair[1].candidate), None)
    label = "The second candidate" if pair else "Candidate"
    first = choices[0][1] if choices else lesson.screen_html(screen, draws, PICTURE_WIDTH, movable=False)
    return SavedScreen(name, first, steps, False, label, choices, pair_number)


def exercise_screen(
    number: int, given_exercise: Exercise, draws: Draws, further: Sequence[Exercise] = ()
) -> SavedScreen:
    """Return exercise number `number`, with the exercises in `further` for a reader who answers it wrong.

    It asks for the score, for the better one of two candidates, or for a sentence. `draws` prepares an example for
    drawing."""
    first, *others = (
        exercise.exercise_html(each, draws, PICTURE_WIDTH, SCREEN_WIDTH) for each in (given_exercise, *further)
    )
    return SavedScreen(f"Exercise {number}, level {given_exercise.level}", first, further=others)


def steps_screen(number: int, given_exercise: Exercise, steps: Mapping[str, Any]) -> SavedScreen:
    """Return exercise number `number`, which asks for every step of an algorithm before it shows the step."""
    return SavedScreen(
        f"Exercise {number}, level {given_exercise.level}", exercise.steps_html(given_exercise), steps, True
    )


def page_html(chapter: Chapter, saved_screens: Sequence[SavedScreen]) -> str:
    """Return the HTML of the whole page, which shows the screens of a chapter and the exercises one at a time."""
    title = escape(chapter.title)
    screens = "".join(
        f'<section class="screen{" played" if each.played else ""}"{" data-played=1" if each.played else ""} '
        f'data-name="{escape(each.name)}">{each.html}</section>'
        for each in saved_screens
    )
    key = (
        f"{escape(chapter.key)}-{crc32(screens.encode()):08x}"  # so that each file keeps its own answers in the browser
    )
    made_of = " · ".join(filter(None, (chapter.paper, f"Bitext Grid {metrics.__version__}")))
    main = [
        f"<header><h1>{title}</h1><p>{escape(made_of)}</p></header>",
        f'<div class="learn" data-key="{key}" data-title="{title}"><nav class="course"></nav>{screens}</div>',
    ]
    # The data are part of the one script that the page runs; they are escaped so that they cannot end it.
    players = {n: each.steps for n, each in enumerate(saved_screens) if each.steps}
    others = {
        n: {"label": each.label, "choices": each.choices, "pair": each.pair}
        for n, each in enumerate(saved_screens)
        if each.choices
    }
    further = {n: each.further for n, each in enumerate(saved_screens) if each.further}
    script = SCRIPT + script_bundle.script_call("chapterPage", players, others, further)
    return document(title, PAGE + fragment.STYLE + lesson.STYLE + STYLE, main, script)
