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
from ...draw.pen.scripts import json_text
from ...frame import menus
from ...save import chapter_page
from ...save.sheet import sheet_html
from ...state import link
from . import chapter_files, variants
from .record import Learn

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
        st.button("Other exercises", on_click=_others, type="tertiary")
        _download("Sheet to print, HTML", f"{chapter.key}_exercises.html", sheet(chapter, count, level))
        st.caption("Each exercise has room for working, its link and a QR code; the key is on a page of its own.")


def _others() -> None:
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
    shown = []
    for screen in chapter.screens:
        played = chapter_files.played(screen.example, ROOM) if screen.kind == "algorithm" and screen.example else ""
        others = variants.variants(chapter, screen) if screen.kind in ("idea", "blind") else []
        shown.append(chapter_page.screen_of(screen.called, screen, chapter_files.drawn, others, _steps(played)))
    number, room, least = 0, STEPS_MOST, chapter.exercise.references
    levels = chapter.exercise.levels
    for n in range(len(LEVELS)):
        level, again = levels[n % len(levels)], (seed - 1 + n // len(levels)) % MOST_SEED + 1
        turned = [*chapter.practised[n % len(chapter.practised) :], *chapter.practised][: len(chapter.practised)]
        for task, found in zip(SAVED, metrics.sheet(turned, level, len(SAVED), again, least), strict=True):
            number += 1
            asked = searching(metrics.METRICS[found.key], found) if task == "searching" else found
            width = min(ROOM, EACH * len(asked.segment.references))
            steps = None if task in TASKS else _steps(chapter_files.played(example_of(asked), width))
            room -= len(json_text(steps)) if steps else 0
            if steps and room >= 0:
                shown.append(chapter_page.steps_of(number, asked, steps))
            else:
                told = metrics.exercise_of(f"{found.code}-{task}") if task in TASKS else found
                further = _further(told, least) if told.task != "make" else []
                shown.append(chapter_page.exercise_of(number, told, chapter_files.drawn, further))
    return chapter_page.page_html(chapter, shown)


def _further(found: Exercise, least: int) -> list[Exercise]:
    """Other exercises of the metric, the level and the task of one."""
    others = metrics.sheet([found.key], found.level, FURTHER + 1, found.seed, least)
    codes = [other.code for other in others if (other.seed, other.key) != (found.seed, found.key)]
    return [metrics.exercise_of(f"{code}-{found.task}") for code in codes[:FURTHER]]


def _steps(played: dict[str, Any] | str) -> dict[str, Any] | None:
    """Steps that a file holds; None where there is a sentence in their place."""
    return None if isinstance(played, str) else played


def sheet(chapter: Chapter, count: int, level: int) -> str:
    """A sheet of exercises of the chapter's metrics in turn."""
    seed, least = st.session_state.sheet_seed, chapter.exercise.references
    found = metrics.sheet(chapter.practised, level, count, seed, least)
    # A link to each exercise of a chapter that is here; one of a reader's own would have to hold its file.
    key = "" if chapter.version else chapter.key
    shown = [Learn(chapter=key, screen=EXERCISE_NUMBER, exercise=each.code) for each in found]
    # Where no address leads here from elsewhere, what stands behind it still opens the exercise in any copy of the app.
    links = [menus.saved_address(each) or link.link(each) or "" for each in shown]
    return sheet_html(found, links, f"{chapter.title}: exercises")
