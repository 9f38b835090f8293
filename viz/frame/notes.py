"""What is said once below the inputs: problems, texts too long for a link, lines that may be systems, references that
were changed on the other page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from ..draw.pen import theme
from ..state import editing, inputs, session

TOO_LONG = (
    "The texts are too long for a link. They are kept in this tab, also when it is loaded again; Share has a file that "
    "holds them."
)


def show(outputs: Sequence[tuple[str, str, int | None]], scored: bool) -> None:
    """Say what there is to say; `outputs` are name, text and slot of the boxes that hold one output each, the slot None
    for the candidate. Where the texts cannot be `scored`, how they are kept is said once they can."""
    for problem in st.session_state.pop("problems", []):
        st.warning(theme.markdown(problem))
    if scored and session.too_long():
        st.info(TOO_LONG)
    _references()
    for name, text, slot in outputs:
        _lines(name, text, slot)


def _references() -> None:
    if session.former_references() is None:
        return
    where, what = (
        ("Sentence", "these outputs were compared")
        if st.session_state.page == "compare"
        else ("Compare", "this candidate was scored")
    )
    _offer(
        f"The references were changed on the {where} page after {what}.",
        "Bring the former references back",
        "references_back",
        session.bring_references_back,
    )


def _lines(name: str, text: str, slot: int | None) -> None:
    """Point out several lines in a box that holds one output."""
    if len(lines := inputs.lines(text)) < 2:
        return
    given = inputs.pasted(text)
    says = f"{name} has {len(lines)} lines, which are read as one output."
    if all(given_name for given_name, _ in given):
        take = (given, slot)
        _offer(says, "Take each line as a system", f"lines_{slot}", editing.take_as_systems, take)
    else:
        st.info(theme.markdown(says))


def _offer(says: str, button: str, key: str, do: Callable[..., None], given: tuple[object, ...] = ()) -> None:
    """A sentence, and the click that follows it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"offer_{key}"):
        st.info(theme.markdown(says))
        st.button(button, key=key, on_click=do, args=given)
