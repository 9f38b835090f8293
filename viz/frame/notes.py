"""Draw the notes below the text fields: problems, texts too long for a link, and references changed on another page."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ..draw.pen import theme
from ..state import address, cache, navigation, session
from ..state.inputs import MissingText
from ..state.pages import PageState

TOO_LONG = (
    "The texts are too long for a link. They are kept in this tab, also when it is loaded again; Share has a file that "
    "holds them."
)


def show(state: PageState, scored: bool) -> None:
    """Draw the problems and notes that apply to the page.

    The note about texts too long for a link is drawn only if the texts can be `scored`."""
    for problem in st.session_state.pop("problems", []):
        st.warning(theme.markdown(problem))
    if scored and address.too_long(state):
        st.info(TOO_LONG)
    if former := navigation.former_references():
        show_offer(
            f"The references were changed on the {former[1].title} page after {session.open_page().used}.",
            "Bring the former references back",
            "references_back",
            navigation.bring_references_back,
        )


def show_missing_text(missing: MissingText) -> None:
    """Draw the reason why the texts cannot be scored."""
    (st.info if missing.is_untyped else st.warning)(theme.markdown(theme.visible(str(missing), 400)))


def show_unsupported_settings(state: PageState) -> None:
    """Draw what the settings of the chosen metric ask for and the language of the texts does not have, if anything."""
    if sentence := cache.missing_for_language(state.metric, state.settings_of(state.metric)):
        st.caption(theme.markdown(sentence))


def show_offer(says: str, button: str, key: str, do: Callable[..., None], given: tuple[object, ...] = ()) -> None:
    """Draw a sentence with a button that acts on it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"offer_{key}"):
        st.info(theme.markdown(says))
        st.button(button, key=key, on_click=do, args=given)
