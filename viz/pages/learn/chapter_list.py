"""The list of chapters, and the way to one of the reader's own."""

from __future__ import annotations

import streamlit as st

from ...components import lesson as component
from ...draw.learn import lesson
from ...draw.pen import theme
from ...state import codec, session
from ...state.toml_file import FileError
from . import chapter_files, lessons, own_chapter_file
from .record import LearnState

MODEL = "gtm.toml"  # the file of a chapter that is here, for who writes one


def draw(state: LearnState) -> None:
    """All chapters, with a mark for each screen that was done in this browser; then what is wrong with a file."""
    shelf = lessons.shelf(state)
    st.html(
        '<div class="guide"><b>Learn</b> to compute these metrics by hand, a chapter in ten to twenty-five minutes: '
        "every screen asks first and shows then. Each chapter names those that it builds on.</div>"
    )
    component.chapters(lesson.chapter_cards(list(shelf.chapters.values())), _open)
    _own_chapter_menu(state)
    for fault in shelf.faults:
        st.warning(theme.markdown(theme.visible(fault, 400)))


def _open(mark: str, screen: object) -> None:
    for key, chapter in lessons.shelf(session.read_state(LearnState)).chapters.items():
        if chapter.mark == mark:
            at = codec.number_sent(screen, len(chapter.numbers) + 1) or 1
            lessons.open_chapter(key, chapter.numbers[at - 1])
            st.session_state.whole_page = True


# ---------------------------------------------------------------- a chapter of the reader's own


def _own_chapter_menu(page_state: LearnState) -> None:
    """The way to a chapter of the reader's own, and away from it."""
    state = st.session_state
    with st.container(key="own_chapter", horizontal=True):
        with st.popover("Open a chapter of your own", on_change="rerun", key="own_menu") as popover:
            if popover.open:
                # Another key after each: a file that was changed has the same name, and is to be taken again.
                key = f"own_upload_{state.setdefault('own_uploads', 0)}"
                st.file_uploader("The file of a chapter", type="toml", key=key, on_change=_take, max_upload_size=1)
                st.caption(
                    "One file in TOML: texts and examples, no code. `viz/pages/learn/chapters/README.md` says how to "
                    "write one. The address holds it, or this tab where it is too long for one, and so does a "
                    "workspace file."
                )
                model = (chapter_files.FOLDER / MODEL).read_bytes()
                st.download_button("A chapter as a model", model, MODEL, on_click="ignore")
        if page_state.file:
            st.button("Take your chapter off the list", key="own_off", on_click=_off)


def _take() -> None:
    """Take the file that was chosen."""
    state = st.session_state
    uploaded = state.get(f"own_upload_{state.own_uploads}")
    if uploaded is None:
        return
    state.own_uploads += 1
    state.whole_page = True
    try:
        lessons.open_file(own_chapter_file.read_upload(uploaded.getvalue()))
    except FileError as fault:
        state.problems = [str(fault)]


def _off() -> None:
    lessons.open_file("")
    st.session_state.whole_page = True
