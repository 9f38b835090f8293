"""The Learn page: one chapter for each family of metrics; a screen asks a question before it shows the answer."""

from __future__ import annotations

from functools import partial

import streamlit as st

from viz.components import address
from viz.draw.learn import lesson
from viz.frame import menus, notes
from viz.pages.learn import chapter as learn_chapter
from viz.pages.learn import chapter_extras, lessons, own_chapter_file, save_menu
from viz.pages.learn import chapter_list as learn_chapters
from viz.pages.learn.record import LearnState
from viz.state.visit import navigation, session

KINDS_WITH_EXTRAS = ("idea", "algorithm")  # the kinds of screens below which a chapter's optional parts are shown


def page() -> None:
    """Draw the whole page: the open chapter, or the list of chapters."""
    st.session_state.pop("whole_page", None)  # done by this run
    state = navigation.prepare_run(LearnState)
    if state is None:
        address.ask_for_texts()
        return
    # One container for all notes: Streamlit identifies the fragment below, and clicks in it, by its position.
    with st.container(key="notes"):
        notes.show(state, scored=True)
        if says := own_chapter_file.messages(state.file):
            with st.expander(own_chapter_file.messages_heading(says), expanded=True):
                st.html(lesson.faults_html(says))
        if state.chapter and lessons.chapter(state) is None:
            st.warning(f"There is no chapter with the name {state.chapter}. These are the chapters.")
        chapter = lessons.chapter(state)
        if chapter and state.screen not in chapter.numbers_of_kinds:
            st.warning(f"This chapter has no screen {state.screen}. This is its first one.")
    if chapter:
        with st.container(key="learn_tools"):
            menus.draw_menu_row(menus.share_menu, partial(save_menu.show, chapter))
    learn_view()


@st.fragment
def learn_view() -> None:
    """Draw the open screen of a chapter, or the list of chapters, and keep the address up to date."""
    if st.session_state.pop("whole_page", False):
        st.rerun()
    state = session.state_of_this_run(LearnState)
    if chapter := lessons.chapter(state):
        learn_chapter.draw(chapter, state)
        screen = chapter.screen_numbered(state.screen)
        if screen and screen.kind in KINDS_WITH_EXTRAS and not state.present:
            chapter_extras.draw(chapter)
    else:
        learn_chapters.draw(state)
    address.show(state)


page()
