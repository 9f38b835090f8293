"""The Learn page: a chapter for each family of metrics, which asks before it shows."""

from __future__ import annotations

from functools import partial

import streamlit as st

from viz.components import address
from viz.draw.learn import lesson
from viz.frame import menus, notes
from viz.pages.learn import beyond, lessons, own_file, save_menu
from viz.pages.learn import chapter as learn_chapter
from viz.pages.learn import chapter_list as learn_chapters
from viz.pages.learn.record import Learn
from viz.state import session, visits

BEYOND = ("idea", "algorithm")  # the kinds of screens that a chapter's further parts stand below


def page() -> None:
    """The chapter that is open, or the list of chapters."""
    st.session_state.pop("whole_page", None)  # it runs now
    shown = visits.start(Learn)
    if shown is None:
        address.ask()
        return
    # One place for all that may stand here: a fragment below it is known by its place, and so is a click in it.
    with st.container(key="notes"):
        notes.show(shown, scored=True)
        if says := own_file.says(shown.file):
            with st.expander(own_file.summary(says), expanded=True):
                st.html(lesson.faults_html(says))
        if shown.chapter and lessons.chapter(shown) is None:
            st.warning(f"There is no chapter with the name {shown.chapter}. These are the chapters that there are.")
        chapter = lessons.chapter(shown)
        if chapter and shown.screen not in chapter.numbers:
            st.warning(f"This chapter has no screen {shown.screen}. This is its first one.")
    if chapter:
        with st.container(key="learn_tools"):
            menus.tools(menus.share_menu, partial(save_menu.show, chapter))
    learn_view()


@st.fragment
def learn_view() -> None:
    """What the reader has before them, and its address."""
    if st.session_state.pop("whole_page", False):
        st.rerun()
    shown = session.this_run(Learn)
    if chapter := lessons.chapter(shown):
        learn_chapter.draw(chapter, shown)
        screen = chapter.numbered(shown.screen)
        if screen and screen.kind in BEYOND and not shown.present:
            beyond.draw(chapter)
    else:
        learn_chapters.draw(shown)
    address.show(shown)


page()
