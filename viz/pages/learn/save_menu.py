"""Draw the Save menu of the Learn page: a chapter as a web page, and a sheet of exercises."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

import metrics
from metrics.teach.exercises import LEVEL_NAMES, LEVELS, MOST_SEED, SHEET_MOST, TASKS, Exercise, with_search_settings

from ...draw.learn.chapter import EXERCISE_NUMBER, Chapter
from ...draw.learn.exercise import example_of
from ...draw.pen.script_bundle import json_text
from ...frame import menus
from ...save import chapter_page
from ...save.sheet import sheet_html
from ...state.links import link
from . import chapter_files, variants
from .record import LearnState

PLAYER_WIDTH, REFERENCE_WIDTH = 780, 350  # widths in pixels of a player in a file, and of each reference of an exercise
#: The tasks of a saved chapter's exercises, in each round.
ROUND_TASKS = (
    "score",
    "which",
    "steps",
    "searching",
    "make",
    "make",
)
FURTHER = 1  # further exercises of a kind in a file, for a reader who answers one wrong
STEPS_MOST = 1_200_000  # the most characters for the steps of all exercises of a saved chapter


def show(chapter: Chapter) -> None:
    """Draw the Save menu of `chapter`."""
    with st.popover("Save", on_change="rerun", key="save_lesson") as popover:
        if not popover.open:
            return
        state = st.session_state
        state.setdefault("sheet_seed", random.randint(1, MOST_SEED))
        _download_button("Chapter, HTML", f"{chapter.key}.html", partial(saved_chapter, chapter, state.sheet_seed))
        st.caption("One web page with exercises, also in pictures; it needs no server and judges every answer.")
        count = st.number_input("Exercises on a sheet", 1, SHEET_MOST, 6, key="sheet_count")
        levels = chapter.exercise.levels
        level = levels[0]
        if len(levels) > 1:
            says = "; ".join(map(_level_text, levels))
            level = st.segmented_control("Level", levels, key="sheet_level", default=1, required=True, help=says) or 1
        st.button("Other exercises", on_click=_change_exercise_seed, type="tertiary")
        _download_button(
            "Sheet to print, HTML", f"{chapter.key}_exercises.html", exercise_sheet_html(chapter, count, level)
        )
        st.caption("Each exercise has room for working, its link and a QR code; the key is on a page of its own.")


def _change_exercise_seed() -> None:
    """Choose another random seed for the exercises of the sheet."""
    st.session_state.sheet_seed = random.randint(1, MOST_SEED)


def _level_text(level: int) -> str:
    """Return the number and the name of a level of exercises."""
    return f"{level}: {LEVEL_NAMES[level]}"


def _download_button(label: str, name: str, text: str | Callable[[], str]) -> None:
    """Draw a button that downloads an HTML file called `name`.

    A `text` that takes long to make is a function, called when the file is asked for."""
    data = text.encode("utf-8", "replace") if isinstance(text, str) else lambda: text().encode("utf-8", "replace")
    st.download_button(label, data, name, "text/html", on_click="ignore", width="stretch")


def saved_chapter(chapter: Chapter, seed: int) -> str:
    """Return a web page of the chapter as HTML, with exercises in three rounds that `seed` determines.

    The rounds go through the levels of the chapter. Each has one exercise for the score, one for the better
    candidate, two for every step in a picture, as far as STEPS_MOST allows, and two for a sentence with a given
    score."""
    saved_screens = []
    for screen in chapter.screens:
        played = (
            chapter_files.step_player(screen.example, PLAYER_WIDTH)
            if screen.kind == "algorithm" and screen.example
            else ""
        )
        others = variants.choose_variants(chapter, screen) if screen.kind in ("idea", "blind") else []
        saved_screens.append(
            chapter_page.saved_screen(
                screen.bar_name, screen, chapter_files.drawn_example, others, _player_data_or_none(played)
            )
        )
    number, room, least = 0, STEPS_MOST, chapter.exercise.references
    levels = chapter.exercise.levels
    for n in range(len(LEVELS)):
        level, round_seed = levels[n % len(levels)], (seed - 1 + n // len(levels)) % MOST_SEED + 1
        turned = [*chapter.exercise_metrics[n % len(chapter.exercise_metrics) :], *chapter.exercise_metrics][
            : len(chapter.exercise_metrics)
        ]
        for task, exercise in zip(
            ROUND_TASKS, metrics.sheet(turned, level, len(ROUND_TASKS), round_seed, least), strict=True
        ):
            number += 1
            step_exercise = (
                with_search_settings(metrics.METRICS[exercise.key], exercise) if task == "searching" else exercise
            )
            width = min(PLAYER_WIDTH, REFERENCE_WIDTH * len(step_exercise.segment.references))
            steps = (
                None
                if task in TASKS
                else _player_data_or_none(chapter_files.step_player(example_of(step_exercise), width))
            )
            room -= len(json_text(steps)) if steps else 0
            if steps and room >= 0:
                saved_screens.append(chapter_page.steps_screen(number, step_exercise, steps))
            else:
                task_exercise = metrics.exercise_of(f"{exercise.code}-{task}") if task in TASKS else exercise
                further = _further_exercises(task_exercise, least) if task_exercise.task != "make" else []
                saved_screens.append(
                    chapter_page.exercise_screen(number, task_exercise, chapter_files.drawn_example, further)
                )
    return chapter_page.page_html(chapter, saved_screens)


def _further_exercises(exercise: Exercise, least: int) -> list[Exercise]:
    """Return FURTHER other exercises with the metric, the level and the task of `exercise`.

    Each has at least `least` references."""
    others = metrics.sheet([exercise.key], exercise.level, FURTHER + 1, exercise.seed, least)
    codes = [other.code for other in others if (other.seed, other.key) != (exercise.seed, exercise.key)]
    return [metrics.exercise_of(f"{code}-{exercise.task}") for code in codes[:FURTHER]]


def _player_data_or_none(played: dict[str, Any] | str) -> dict[str, Any] | None:
    """Return the data of a step player; None if `played` is a message that there is no player."""
    return None if isinstance(played, str) else played


def exercise_sheet_html(chapter: Chapter, count: int, level: int) -> str:
    """Return an HTML sheet of `count` exercises at one level, on the chapter's metrics in turn."""
    seed, least = st.session_state.sheet_seed, chapter.exercise.references
    exercises = metrics.sheet(chapter.exercise_metrics, level, count, seed, least)
    # The links name the chapter only if it is the app's: a link to a reader's own would have to hold its file.
    key = "" if chapter.version else chapter.key
    exercise_states = [LearnState(chapter=key, screen=EXERCISE_NUMBER, exercise=each.code) for each in exercises]
    # Without an address of this server, the query part alone still opens the exercise in any copy of the app.
    links = [menus.address_for_saved_file(each) or link.link(each) or "" for each in exercise_states]
    return sheet_html(exercises, links, f"{chapter.title}: exercises")
