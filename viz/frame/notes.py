"""What is said once below the inputs: problems, texts too long for a link, references that were changed on
another page."""

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
    """Say what there is to say. Where the texts cannot be `scored`, how they are kept is said once they can."""
    for problem in st.session_state.pop("problems", []):
        st.warning(theme.markdown(problem))
    if scored and address.too_long(state):
        st.info(TOO_LONG)
    if former := navigation.former_references():
        offer(
            f"The references were changed on the {former[1].title} page after {session.open_page().used}.",
            "Bring the former references back",
            "references_back",
            navigation.bring_references_back,
        )


def say(missing: MissingText) -> None:
    """What keeps texts from being scored."""
    (st.info if missing.is_untyped else st.warning)(theme.markdown(theme.visible(str(missing), 400)))


def left_out(state: PageState) -> None:
    """What the chosen metric is asked for and the language of the texts has not."""
    if sentence := cache.left_out(state.metric, state.settings_of(state.metric)):
        st.caption(theme.markdown(sentence))


def offer(says: str, button: str, key: str, do: Callable[..., None], given: tuple[object, ...] = ()) -> None:
    """A sentence, and the click that follows it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"offer_{key}"):
        st.info(theme.markdown(says))
        st.button(button, key=key, on_click=do, args=given)
