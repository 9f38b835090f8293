"""A chapter as one web page that needs no server and still judges the answers to its questions and exercises."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import metrics
from metrics.questions.exercises import Exercise
from viz.draw import exercise, fragment, lesson, lesson_steps
from viz.draw.chapter import Chapter
from viz.draw.lesson import Draws
from viz.save.sentence_page import PAGE, document

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
ROOM = 720  # pixels of a picture beside the text
STYLE = """
.screen[hidden] { display: none; } .learn:not(.present) .course .title { display: none; }
html.presenting header { display: none; } html.presenting main { padding: 14px 28px; max-width: none; }
.learn:not(.alive) .screen { margin-bottom: 32px; }
@media print { .screen[hidden] { display: block !important; } .screen { break-inside: avoid; margin-bottom: 24px; } }
"""


def page_html(
    chapter: Chapter,
    exercises: Sequence[Exercise],
    draws: Draws,
    names: Mapping[str, str],
    players: Mapping[int, Mapping[str, Any]],
) -> str:
    """The five screens of a chapter and some exercises; `names` are those of the screens by their kinds, and
    `players` the steps that are played, by the numbers of their screens from 0 on."""
    shown = [
        (names[screen.kind], lesson.screen_html(screen, draws, ROOM, twin=screen.pair and screen.pair[1], saved=True))
        for screen in chapter.screens
    ]
    for n, found in enumerate(exercises, 1):
        shown.append((f"Exercise {n}, level {found.level}", exercise.exercise_html(found, draws, ROOM)))
    screens = "".join(f'<section class="screen" data-name="{escape(name)}">{html}</section>' for name, html in shown)
    title = escape(chapter.title)
    main = [
        f"<header><h1>{title}</h1><p>{escape(chapter.paper)} · Bitext Grid {metrics.__version__}</p></header>",
        f'<div class="learn" data-key="{escape(chapter.key)}" data-title="{title}"><nav class="course"></nav>'
        f"{screens}</div>",
    ]
    # In the script, for the page runs no other; nothing in it can end it.
    data = json.dumps(players).replace("<", "\\u003c")
    script = f"{lesson_steps.SCRIPT}{lesson.SCRIPT}const PLAYERS = {data};\n{SCRIPT}"
    return document(title, PAGE + fragment.STYLE + lesson.STYLE + STYLE, main, script)
