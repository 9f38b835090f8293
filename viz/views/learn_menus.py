"""The Save menu of the Learn page: a chapter that needs no server, and a sheet of exercises."""

from __future__ import annotations

import random
from dataclasses import replace

import streamlit as st

import metrics
from metrics.questions.exercises import LEVEL_NAMES, LEVELS, MOST_SEED, SHEET_MOST
from viz.draw.chapter import SCREENS, Chapter
from viz.save import chapter_page
from viz.save.sheet import sheet_html
from viz.state import chapters, link
from viz.views.learn_chapter import NAMES

ROOM = 780  # pixels of a player's picture in a file
SAVED = 6  # exercises of a saved chapter


@st.fragment
def save_menu(chapter: Chapter) -> None:
    """What can be saved of a chapter."""
    with st.popover("Save", on_change="rerun", key="save_lesson") as popover:
        if not popover.open:
            return
        state = st.session_state
        state.setdefault("sheet_seed", random.randint(1, MOST_SEED))
        _download("Chapter, HTML", f"{chapter.key}.html", saved_chapter(chapter, state.sheet_seed))
        st.caption("One web page with exercises; it needs no server and judges every answer.")
        count = st.number_input("Exercises on a sheet", 1, SHEET_MOST, 6, key="sheet_count")
        level = st.segmented_control(
            "Level", LEVELS, key="sheet_level", default=1, required=True, help="; ".join(map(_level, LEVELS))
        )
        st.button("Other exercises", on_click=_others, type="tertiary")
        _download("Sheet to print, HTML", f"{chapter.key}_exercises.html", sheet(chapter, count, level or 1))
        st.caption("The key stands on a page of its own, and each exercise has its link.")


def _others() -> None:
    st.session_state.sheet_seed = random.randint(1, MOST_SEED)


def _level(level: int) -> str:
    return f"{level}: {LEVEL_NAMES[level]}"


def _download(label: str, name: str, text: str) -> None:
    data = text.encode("utf-8", "replace")
    st.download_button(label, data, name, "text/html", on_click="ignore", width="stretch", type="tertiary")


def saved_chapter(chapter: Chapter, seed: int) -> str:
    """A chapter with exercises of all levels: the first one of each asks for the score, others which one is better."""
    found = [
        replace(each, task="which" if number else "score")
        for level in LEVELS
        for number, each in enumerate(metrics.sheet(chapter.metrics, level, SAVED // len(LEVELS), seed))
    ]
    played = {}
    for n, screen in enumerate(chapter.screens):
        if screen.kind == "algorithm" and screen.example and (steps := chapters.played(screen.example, ROOM)):
            played[n] = steps
    return chapter_page.page_html(chapter, found, chapters.drawn, NAMES, played)


def sheet(chapter: Chapter, count: int, level: int) -> str:
    """A sheet of exercises of the chapter's metrics in turn."""
    found = metrics.sheet(chapter.metrics, level, count, st.session_state.sheet_seed)
    base = (st.context.url or "").split("?")[0]
    shown = [link.Learn(chapter=chapter.key, screen=SCREENS, exercise=each.code) for each in found]
    links = [base + (link.link(each) or "") for each in shown]
    return sheet_html(found, links, f"{chapter.title}: exercises")
