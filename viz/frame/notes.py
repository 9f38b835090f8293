"""Draw the notes below the text fields, such as problems, or that the texts are too long for a link."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ..draw.pen.text import escape_markdown, visible
from ..state.links.pages import PageState
from ..state.results import cache
from ..state.texts.inputs import MissingText
from ..state.visit import address, navigation, session

TOO_LONG = (
    "The texts are too long for a link. They are kept in this tab, even when it is reloaded; Share offers a file that "
    "holds them."
)


def show(state: PageState, scored: bool) -> None:
    """Draw the notes of a page: problems, that its texts are too long for a link, or that its references were changed.

    `scored` says whether the texts can be scored; only then is their length mentioned. The last note says that the
    references were changed on another page, and has a button that brings the former ones back."""
    for problem in st.session_state.pop("problems", []):
        st.warning(escape_markdown(problem))
    if scored and address.should_warn_too_long(state):
        st.info(TOO_LONG)
    if former := navigation.former_references():
        show_offer(
            f"The references were changed on the {former[1].title} page after {session.open_page().used}.",
            "Restore the former references",
            "references_back",
            navigation.bring_references_back,
        )


def show_missing_text(missing: MissingText) -> None:
    """Draw the reason why the texts cannot be scored."""
    (st.info if missing.is_untyped else st.warning)(escape_markdown(visible(str(missing), 400)))


def show_unsupported_settings(state: PageState) -> None:
    """Draw a note if settings of the selected metric need what the texts' language lacks, such as a stemmer."""
    if sentence := cache.missing_for_language(state.metric, state.settings_of(state.metric)):
        st.caption(escape_markdown(sentence))


def show_offer(says: str, button: str, key: str, do: Callable[..., None], given: tuple[object, ...] = ()) -> None:
    """Draw the sentence `says` with a button that calls `do(*given)`; `button` is its label."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"offer_{key}"):
        st.info(escape_markdown(says))
        st.button(button, key=key, on_click=do, args=given)
