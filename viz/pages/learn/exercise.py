"""The last screen of a chapter: an exercise of one of its metrics, at one of three levels."""

from __future__ import annotations

from typing import Any

import streamlit as st

import metrics
from metrics.teach.exercises import LEVEL_NAMES, LEVELS, TASKS, Exercise
from metrics.teach.tiles import words

from ...draw.learn import exercise, lesson
from ...draw.learn.chapter import Chapter, Example
from ...state import codec, session
from . import lessons
from .record import Learn

#: The tasks as buttons have them.
_SHORT = {"score": "Score", "which": "Which is better", "make": "Make a sentence"}


def screen(chapter: Chapter, shown: Learn, draws: lesson.Draws, room: int, whole: int) -> tuple[str, dict[str, Any]]:
    """The markup of the exercise, and what the reader can choose; a broken code is said, and another one offered. Of
    the pixels that the `whole` screen has, a picture beside what is asked has `room`. A sentence can be typed, or made
    of words that are offered."""
    found = lessons.exercise(shown, chapter)
    key, level, task, _ = _asked(chapter, found)
    own, hall = None, shown.present
    if isinstance(found, str):
        html = lesson.notice("Exercise", found)
    elif task == "make":
        text, example, hunt = lessons.made(shown, found)
        html = exercise.made_html(found, example, hunt, draws, room, hall)
        field = {"name": "candidate", "label": "Your sentence", "value": text.strip() and text, "rows": 1}
        offered = words(metrics.sentence_task(found))
        own = {"fields": [field], "says": "", "load": shown.load, "words": offered}
    else:
        html = exercise.exercise_html(found, draws, room, whole, hall)
    keys = chapter.practised if key in chapter.practised else (*chapter.practised, key)
    levels = sorted({*chapter.exercise.levels, level})
    groups: list[dict[str, Any]] = [
        {
            "name": "level",
            "label": "Level",
            "options": [[each, str(each), LEVEL_NAMES[each]] for each in levels],
            "chosen": level,
        },
        {
            "name": "task",
            "label": "Task",
            "options": [[each, _SHORT[each], says] for each, says in TASKS.items()],
            "chosen": task,
        },
    ]
    if len(levels) == 1:
        del groups[0]
    if len(keys) > 1:
        names = [[each, metrics.METRICS[each].label, metrics.METRICS[each].name] for each in keys]
        groups.insert(0, {"name": "metric", "label": "Metric", "options": names, "chosen": key})
    acts = [] if isinstance(found, str) else [{"name": "sentence", "label": "Open this on the Sentence page"}]
    return html, {"own": own, "groups": groups, "new": "New exercise", "acts": acts}


def _asked(chapter: Chapter, found: Exercise | str) -> tuple[str, int, str, int]:
    """Metric, level, task and seed of what is shown; the chapter's where it is not known."""
    if isinstance(found, str):
        return chapter.exercise.metric, chapter.exercise.levels[0], chapter.exercise.task, 0
    return found.key, found.level, found.task, found.seed


def told(chapter: Chapter, name: str, value: object) -> None:
    """Do what the reader asks for."""
    shown = session.looked(Learn)
    found = lessons.exercise(shown, chapter)
    key, level, task, seed = _asked(chapter, found)
    if name == "new":
        lessons.new_exercise(chapter, key, level, task)
    elif name == "level" and (new := codec.number_sent(value, LEVELS[-1] + 1)):
        lessons.new_exercise(chapter, key, new, task)
    elif name == "metric" and value in [each for each, metric in metrics.METRICS.items() if metric.plans]:
        lessons.new_exercise(chapter, str(value), level, task)
    elif name == "task" and value in [*TASKS]:
        lessons.new_exercise(chapter, key, level, str(value), seed)
    elif isinstance(found, str):
        return
    elif name == "own" and isinstance(value, dict):
        lessons.make(found, str(value.get("candidate", "")))
    elif name == "pair":
        lessons.make(found, None)
    elif name == "sentence":
        session.restore(lessons.to_sentence(_example(shown, found)), [])
        st.session_state.whole_page = True


def _example(shown: Learn, found: Exercise) -> Example:
    """The sentence that is shown, as it can be opened on the Sentence page."""
    return lessons.made(shown, found)[1] if found.task == "make" else exercise.example_of(found)
