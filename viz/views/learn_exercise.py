"""The last screen of a chapter: an exercise of one of its metrics, at one of three levels."""

from __future__ import annotations

from typing import Any

import streamlit as st

import metrics
from metrics.questions.exercises import LEVEL_NAMES, LEVELS, Exercise
from viz.draw import exercise, lesson
from viz.draw.chapter import Chapter, Example
from viz.state import chapters, lessons, link, session


def screen(chapter: Chapter, room: int) -> tuple[str, dict[str, Any]]:
    """The markup of the exercise, and what the reader can choose; a broken code is said, and another one offered."""
    found, task, own = lessons.exercise(chapter), st.session_state.get("task") or "score", None
    if isinstance(found, str):
        html = lesson.notice("Exercise", found)
        level, key = 1, chapter.metrics[0]
    else:
        level, key = found.level, found.key
        if task == "sentence":
            html, own = _sentence(found, room)
        else:
            html = exercise.exercise_html(found, chapters.drawn, room, task)
    keys = chapter.metrics if key in chapter.metrics else (*chapter.metrics, key)
    tasks = [[name, says, says] for name, says in link.TASKS.items()]
    groups = [
        {"name": "task", "label": "Asked for", "options": tasks, "chosen": task},
        {
            "name": "level",
            "label": "Level",
            "options": [[each, str(each), LEVEL_NAMES[each]] for each in LEVELS],
            "chosen": level,
        },
    ]
    if len(keys) > 1:
        names = [[each, metrics.METRICS[each].label, metrics.METRICS[each].name] for each in keys]
        groups.insert(0, {"name": "metric", "label": "Metric", "options": names, "chosen": key})
    acts = [] if isinstance(found, str) else [{"name": "sentence", "label": "Open this on the Sentence page"}]
    return html, {"own": own, "groups": groups, "new": "New exercise", "acts": acts}


def _sentence(found: Exercise, room: int) -> tuple[str, dict[str, Any]]:
    """The screen on which a sentence is typed, and its field."""
    typed: str = st.session_state.get("twin") or ""
    example, says, right = None, "", False
    if typed.strip():
        shown = exercise.example_of(found)
        scored = lessons.scored("yours", typed, shown.references, found.key, found.settings, shown.texts.settings)
        example = scored if isinstance(scored, Example) else None
        try:
            verdict = metrics.judge_sentence(metrics.sentence_task(found), typed)
            says, right = verdict.because, verdict.how != "no"
        except ValueError as error:
            says = str(error)
    html = exercise.sentence_html(found, chapters.drawn, room, example, says, right)
    field = {"name": "candidate", "label": "Your sentence", "value": typed, "rows": 1}
    return html, {"fields": [field], "says": "", "load": st.session_state.lesson_load}


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
    elif name == "task" and value in link.TASKS:
        st.session_state.task = value
    elif name == "own" and isinstance(value, dict):
        st.session_state.twin = str(value.get("candidate", ""))
    elif name == "pair" and not isinstance(found, str):
        st.session_state.twin = " ".join(metrics.sentence_task(found).shows)
        st.session_state.lesson_load += 1
    elif name == "sentence" and not isinstance(found, str):
        session.restore(lessons.to_sentence(exercise.example_of(found)), [])
        st.session_state.whole_page = True
