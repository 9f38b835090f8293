"""The last screen of a chapter: an exercise of one of its metrics, at one of three levels."""

from __future__ import annotations

from typing import Any

import streamlit as st

import metrics
from metrics.teach.exercises import LEVEL_NAMES, LEVELS, TASKS, Exercise
from metrics.teach.tiles import words

from ...draw.learn import exercise, lesson
from ...draw.learn.chapter import Chapter, ChapterExample
from ...state import codec, session
from . import lessons
from .record import LearnState

#: The tasks as buttons have them.
_SHORT = {"score": "Score", "which": "Which is better", "make": "Make a sentence"}


def screen(
    chapter: Chapter, state: LearnState, draws: lesson.Draws, room: int, whole: int
) -> tuple[str, dict[str, Any]]:
    """The markup of the exercise, and what the reader can choose; a broken code is said, and another one offered. Of
    the pixels that the `whole` screen has, a picture beside what is asked has `room`. A sentence can be typed, or made
    of words that are offered."""
    current_exercise = lessons.exercise(state, chapter)
    key, level, task, _ = _exercise_choices(chapter, current_exercise)
    own_sentence, hall = None, state.present
    if isinstance(current_exercise, str):
        html = lesson.notice("Exercise", current_exercise)
    elif task == "make":
        text, example, hunt = lessons.made_sentence(state, current_exercise)
        html = exercise.made_html(current_exercise, example, hunt, draws, room, hall)
        field = {"name": "candidate", "label": "Your sentence", "value": text.strip() and text, "rows": 1}
        offered = words(metrics.sentence_task(current_exercise))
        own_sentence = {"fields": [field], "says": "", "load": state.load, "words": offered}
    else:
        html = exercise.exercise_html(current_exercise, draws, room, whole, hall)
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
    acts = (
        [] if isinstance(current_exercise, str) else [{"name": "sentence", "label": "Open this on the Sentence page"}]
    )
    return html, {"own": own_sentence, "groups": groups, "new": "New exercise", "acts": acts}


def _exercise_choices(chapter: Chapter, current_exercise: Exercise | str) -> tuple[str, int, str, int]:
    """Metric, level, task and seed of what is shown; the chapter's where it is not known."""
    if isinstance(current_exercise, str):
        return chapter.exercise.metric, chapter.exercise.levels[0], chapter.exercise.task, 0
    return current_exercise.key, current_exercise.level, current_exercise.task, current_exercise.seed


def handle_event(chapter: Chapter, name: str, value: object) -> None:
    """Do what the reader asks for."""
    state = session.read_state(LearnState)
    current_exercise = lessons.exercise(state, chapter)
    key, level, task, seed = _exercise_choices(chapter, current_exercise)
    if name == "new":
        lessons.new_exercise(chapter, key, level, task)
    elif name == "level" and (new := codec.number_sent(value, LEVELS[-1] + 1)):
        lessons.new_exercise(chapter, key, new, task)
    elif name == "metric" and value in [each for each, metric in metrics.METRICS.items() if metric.plans]:
        lessons.new_exercise(chapter, str(value), level, task)
    elif name == "task" and value in [*TASKS]:
        lessons.new_exercise(chapter, key, level, str(value), seed)
    elif isinstance(current_exercise, str):
        return
    elif name == "own" and isinstance(value, dict):
        lessons.make(current_exercise, str(value.get("candidate", "")))
    elif name == "pair":
        lessons.make(current_exercise, None)
    elif name == "sentence":
        session.restore(lessons.to_sentence(_example(state, current_exercise)), [])
        st.session_state.whole_page = True


def _example(state: LearnState, current_exercise: Exercise) -> ChapterExample:
    """The sentence that is shown, as it can be opened on the Sentence page."""
    return (
        lessons.made_sentence(state, current_exercise)[1]
        if current_exercise.task == "make"
        else exercise.example_of(current_exercise)
    )
