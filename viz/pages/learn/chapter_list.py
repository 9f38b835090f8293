"""The list of chapters."""

from __future__ import annotations

import streamlit as st

from ...components import lesson as component
from ...draw.learn import lesson
from ...draw.pen import theme
from ...state import codec
from . import chapter_files, lessons


def draw() -> None:
    """All chapters, with a mark for each screen that was done in this browser; then what is wrong with a file."""
    shelf = chapter_files.shelf()
    st.html(
        '<div class="guide"><b>Learn</b> to compute these metrics by hand, a chapter in ten to twenty-five minutes: '
        "every screen asks first and shows then. Each chapter names those that it builds on.</div>"
    )
    component.chapters(lesson.chapter_cards(list(shelf.chapters.values())), _open)
    for fault in shelf.faults:
        st.warning(theme.markdown(theme.visible(fault, 400)))


def _open(key: str, screen: object) -> None:
    if chapter := chapter_files.shelf().chapters.get(key):
        at = codec.number_sent(screen, len(chapter.numbers) + 1) or 1
        lessons.open_chapter(key, chapter.numbers[at - 1])
        st.session_state.whole_page = True
