"""The last screen of a chapter: an exercise of one of its metrics, at one of three levels."""

from __future__ import annotations

from typing import Any

import streamlit as st

import metrics
from metrics.questions.exercises import LEVEL_NAMES, LEVELS
from viz.draw import exercise, lesson
from viz.draw.chapter import Chapter
from viz.state import chapters, lessons, session


def screen(chapter: Chapter, room: int) -> tuple[str, dict[str, Any]]:
    """The markup of the exercise, and what the reader can choose; a broken code is said, and another one offered."""
    found = lessons.exercise(chapter)
    if isinstance(found, str):
        html = lesson.notice("Exercise", found)
        level, key = 1, chapter.metrics[0]
    else:
        html = exercise.exercise_html(found, chapters.drawn, room)
        level, key = found.level, found.key
    keys = chapter.metrics if key in chapter.metrics else (*chapter.metrics, key)
    groups = [
        {
            "name": "level",
            "label": "Level",
            "options": [[each, str(each), LEVEL_NAMES[each]] for each in LEVELS],
            "chosen": level,
        }
    ]
    if len(keys) > 1:
        names = [[each, metrics.METRICS[each].label, metrics.METRICS[each].name] for each in keys]
        groups.insert(0, {"name": "metric", "label": "Metric", "options": names, "chosen": key})
    acts = [] if isinstance(found, str) else [{"name": "sentence", "label": "Open this on the Sentence page"}]
    return html, {"own": None, "groups": groups, "new": "New exercise", "acts": acts}


def told(chapter: Chapter, name: str, value: object) -> None:
    """Do what the reader asks for."""
    found = lessons.exercise(chapter)
    key, level = (chapter.metrics[0], 1) if isinstance(found, str) else (found.key, found.level)
    if name == "new":
        lessons.new_exercise(key, level)
    elif name == "level" and value in LEVELS and isinstance(value, int | float):
        lessons.new_exercise(key, int(value))
    elif name == "metric" and value in metrics.METRICS:
        lessons.new_exercise(str(value), level)
    elif name == "sentence" and not isinstance(found, str):
        session.restore(lessons.to_sentence(exercise.example_of(found)), [])
        st.session_state.whole_page = True
