"""The Learn page: a chapter for each family of metrics, which asks before it shows."""

from __future__ import annotations

import streamlit as st

from viz.components import address
from viz.frame import menus, notes
from viz.pages.learn import beyond, lessons
from viz.pages.learn import chapter as learn_chapter
from viz.pages.learn import chapter_list as learn_chapters
from viz.pages.learn import menus as learn_menus
from viz.state import address as addresses
from viz.state import visits

BEYOND = (2, 3)  # the screens that a chapter's further parts stand below


def page() -> None:
    """The chapter that is open, or the list of chapters."""
    if not visits.start("learn"):
        address.ask()
        return
    # One place for all that may stand here: a fragment below it is known by its place, and so is a click in it.
    with st.container(key="notes"):
        notes.show(scored=True)
        if (key := st.session_state.get("chapter")) and lessons.chapter() is None:
            st.warning(f"There is no chapter with the name {key}. These are the chapters that there are.")
    if chapter := lessons.chapter():
        with st.container(horizontal=True, gap="small", key="learn_tools"):
            menus.share_menu()
            learn_menus.save_menu(chapter)
    view()


@st.fragment
def view() -> None:
    """What the reader has before them, and its address."""
    if st.session_state.pop("whole_page", False):
        st.rerun()
    if chapter := lessons.chapter():
        learn_chapter.draw(chapter)
        if lessons.screen() in BEYOND and not st.session_state.get("present"):
            beyond.draw(chapter.key)
    else:
        learn_chapters.draw()
    addresses.keep()
    address.show()


page()
