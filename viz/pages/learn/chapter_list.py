"""Draw the list of chapters, and the menu that opens a chapter of the reader's own."""

from __future__ import annotations

import streamlit as st

from ...components import lesson as component
from ...draw.learn import lesson
from ...draw.pen.text import escape_markdown, visible
from ...state.files.toml_file import FileError
from ...state.links import codec
from ...state.visit import session
from . import chapter_files, lessons, own_chapter_file
from .record import LearnState

MODEL = "gtm.toml"  # the chapter file that is offered as a model


def draw(state: LearnState) -> None:
    """Draw the list of all chapters, with a tick for each screen done in this browser, and mistakes in their files."""
    shelf = lessons.shelf(state)
    st.html(
        '<div class="guide"><b>Learn</b> to compute these metrics by hand, a chapter in ten to twenty-five minutes: '
        "every screen asks a question, then shows the answer. Each chapter names those that it builds on.</div>"
    )
    component.chapters(lesson.chapter_cards(list(shelf.chapters.values())), _open_at_screen)
    _own_chapter_menu(state)
    for fault in shelf.faults:
        st.warning(escape_markdown(visible(fault, 400)))


def _open_at_screen(mark: str, screen: object) -> None:
    """Open the chapter with the given mark at a screen, counted from 1; both come from the browser.

    The mark is the chapter's key, with the version of a reader's own file."""
    for key, chapter in lessons.shelf(session.read_state(LearnState)).chapters.items():
        if chapter.storage_name == mark:
            at = codec.parse_sent_number(screen, len(chapter.numbers_of_kinds) + 1) or 1
            lessons.open_chapter(key, chapter.numbers_of_kinds[at - 1])
            st.session_state.whole_page = True


# ---------------------------------------------------------------- a chapter of the reader's own


def _own_chapter_menu(page_state: LearnState) -> None:
    """Draw the menu that opens a chapter of the reader's own, and the button that removes it."""
    state = st.session_state
    with st.container(key="own_chapter", horizontal=True):
        with st.popover("Open a chapter of your own", on_change="rerun", key="own_menu") as popover:
            if popover.open:
                # A new key after each upload, so that a changed file of the same name is uploaded again.
                key = f"own_upload_{state.setdefault('own_uploads', 0)}"
                st.file_uploader(
                    "The file of a chapter", type="toml", key=key, on_change=_take_upload, max_upload_size=1
                )
                st.caption(
                    "One file in TOML: texts and examples, no code. `viz/pages/learn/chapters/README.md` says how to "
                    "write one. The link holds it, or this tab if it is too long for a link; so does a "
                    "workspace file."
                )
                model = (chapter_files.FOLDER / MODEL).read_bytes()
                st.download_button("An example chapter", model, MODEL, on_click="ignore")
        if page_state.file:
            st.button("Take your chapter off the list", key="own_off", on_click=_remove_own_chapter)


def _take_upload() -> None:
    """Open the chapter file that was uploaded, or keep a message on what is wrong with it."""
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


def _remove_own_chapter() -> None:
    """Remove the reader's own chapter from the list."""
    lessons.open_file("")
    st.session_state.whole_page = True
