"""The Save menu of the Learn page: a chapter that needs no server, and a sheet of exercises."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

import metrics
from metrics.teach.exercises import LEVEL_NAMES, LEVELS, MOST_SEED, SHEET_MOST, TASKS, Exercise, searching

from ...draw.learn.chapter import EXERCISE_NUMBER, Chapter
from ...draw.learn.exercise import example_of
from ...draw.pen.script_bundle import json_text
from ...frame import menus
from ...save import chapter_page
from ...save.sheet import sheet_html
from ...state import link
from . import chapter_files, variants
from .record import LearnState

ROOM, EACH = 780, 350  # pixels of a player's picture in a file, and of one reference's in an exercise
SAVED = (
    "score",
    "which",
    "steps",
    "searching",
    "make",
    "make",
)  # what the exercises of a saved chapter ask for, at each level
FURTHER = 1  # exercises of the kind in a file for who has answered one wrong
STEPS_MOST = 1_200_000  # characters of all steps of a saved chapter's exercises


def show(chapter: Chapter) -> None:
    """What can be saved of a chapter."""
    with st.popover("Save", on_change="rerun", key="save_lesson") as popover:
        if not popover.open:
            return
        state = st.session_state
        state.setdefault("sheet_seed", random.randint(1, MOST_SEED))
        _download("Chapter, HTML", f"{chapter.key}.html", partial(saved_chapter, chapter, state.sheet_seed))
        st.caption("One web page with exercises, also in pictures; it needs no server and judges every answer.")
        count = st.number_input("Exercises on a sheet", 1, SHEET_MOST, 6, key="sheet_count")
        levels = chapter.exercise.levels
        level = levels[0]
        if len(levels) > 1:
            says = "; ".join(map(_level, levels))
            level = st.segmented_control("Level", levels, key="sheet_level", default=1, required=True, help=says) or 1
        st.button("Other exercises", on_click=_change_seed, type="tertiary")
        _download("Sheet to print, HTML", f"{chapter.key}_exercises.html", sheet(chapter, count, level))
        st.caption("Each exercise has room for working, its link and a QR code; the key is on a page of its own.")


def _change_seed() -> None:
    st.session_state.sheet_seed = random.randint(1, MOST_SEED)


def _level(level: int) -> str:
    return f"{level}: {LEVEL_NAMES[level]}"


def _download(label: str, name: str, text: str | Callable[[], str]) -> None:
    """A button for a file; one that takes a while is made when it is asked for."""
    data = text.encode("utf-8", "replace") if isinstance(text, str) else lambda: text().encode("utf-8", "replace")
    st.download_button(label, data, name, "text/html", on_click="ignore", width="stretch")


def saved_chapter(chapter: Chapter, seed: int) -> str:
    """A chapter with exercises in three rounds, one of each level where the chapter has all. In each round one asks
    for the score, one which candidate is better, two for every step, in a picture, as long as there is room in the
    file, and two for a sentence that scores so much."""
    saved_screens = []
    for screen in chapter.screens:
        played = chapter_files.played(screen.example, ROOM) if screen.kind == "algorithm" and screen.example else ""
        others = variants.variants(chapter, screen) if screen.kind in ("idea", "blind") else []
        saved_screens.append(
            chapter_page.screen_of(screen.bar_name, screen, chapter_files.drawn_example, others, _steps(played))
        )
    number, room, least = 0, STEPS_MOST, chapter.exercise.references
    levels = chapter.exercise.levels
    for n in range(len(LEVELS)):
        level, round_seed = levels[n % len(levels)], (seed - 1 + n // len(levels)) % MOST_SEED + 1
        turned = [*chapter.practised[n % len(chapter.practised) :], *chapter.practised][: len(chapter.practised)]
        for task, exercise in zip(SAVED, metrics.sheet(turned, level, len(SAVED), round_seed, least), strict=True):
            number += 1
            step_exercise = searching(metrics.METRICS[exercise.key], exercise) if task == "searching" else exercise
            width = min(ROOM, EACH * len(step_exercise.segment.references))
            steps = None if task in TASKS else _steps(chapter_files.played(example_of(step_exercise), width))
            room -= len(json_text(steps)) if steps else 0
            if steps and room >= 0:
                saved_screens.append(chapter_page.steps_of(number, step_exercise, steps))
            else:
                task_exercise = metrics.exercise_of(f"{exercise.code}-{task}") if task in TASKS else exercise
                further = _further(task_exercise, least) if task_exercise.task != "make" else []
                saved_screens.append(
                    chapter_page.exercise_of(number, task_exercise, chapter_files.drawn_example, further)
                )
    return chapter_page.page_html(chapter, saved_screens)


def _further(exercise: Exercise, least: int) -> list[Exercise]:
    """Other exercises of the metric, the level and the task of one."""
    others = metrics.sheet([exercise.key], exercise.level, FURTHER + 1, exercise.seed, least)
    codes = [other.code for other in others if (other.seed, other.key) != (exercise.seed, exercise.key)]
    return [metrics.exercise_of(f"{code}-{exercise.task}") for code in codes[:FURTHER]]


def _steps(played: dict[str, Any] | str) -> dict[str, Any] | None:
    """Steps that a file holds; None where there is a sentence in their place."""
    return None if isinstance(played, str) else played


def sheet(chapter: Chapter, count: int, level: int) -> str:
    """A sheet of exercises of the chapter's metrics in turn."""
    seed, least = st.session_state.sheet_seed, chapter.exercise.references
    exercises = metrics.sheet(chapter.practised, level, count, seed, least)
    # A link to each exercise of a chapter that is here; one of a reader's own would have to hold its file.
    key = "" if chapter.version else chapter.key
    exercise_states = [LearnState(chapter=key, screen=EXERCISE_NUMBER, exercise=each.code) for each in exercises]
    # Where no address leads here from elsewhere, what stands behind it still opens the exercise in any copy of the app.
    links = [menus.saved_address(each) or link.link(each) or "" for each in exercise_states]
    return sheet_html(exercises, links, f"{chapter.title}: exercises")
