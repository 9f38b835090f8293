"""The page's state in Streamlit's session: taken from a link, a file or an example, and kept in the address bar."""

from __future__ import annotations

import streamlit as st

import metrics
from metrics.text import TextSettings
from metrics.types import Settings

from . import controls, share, similarity
from .examples import EXAMPLES, Example


def start() -> None:
    """Once a session: take over the state in the link, or the first example."""
    state = st.session_state
    if "started" in state:
        return
    state.started = True
    query = {name: st.query_params[name] for name in st.query_params}
    if share.known(query):
        restore(*share.from_query(query))
    else:
        load(EXAMPLES[0])
        state.example = EXAMPLES[0].name


def restore(workspace: share.Workspace, problems: list[str], table: object = None) -> None:
    """Put a workspace into the session, before its widgets are drawn; `problems` are shown once."""
    state = st.session_state
    state.candidate, state.references = share.sendable(workspace.candidate), share.sendable(workspace.references)
    state.metric, state.view, state.other = workspace.metric, workspace.view, workspace.other
    controls.restore(workspace)
    try:
        similarity.restore(workspace.similarity, table)
    except ValueError as error:
        problems = [*problems, f"The word similarity is not used: {error}."]
    state.problems = problems


def load(example: Example) -> None:
    """Put an example into the session."""
    settings = {example.metric: example.settings} if example.settings else {}
    text = TextSettings(**example.text)
    state = st.session_state
    view, other = state.get("view") or "metric", state.get("other") or share.FIRST_OTHER
    workspace = share.Workspace(
        example.candidate, example.references, text, example.metric, settings, view=view, other=other
    )
    restore(workspace, [])


def workspace() -> share.Workspace:
    """The session as a workspace."""
    state = st.session_state
    settings = {key: share.changed(metric_settings(key)) for key in metrics.METRICS}
    return share.Workspace(
        state.get("candidate") or "",
        state.get("references") or "",
        text_settings(),
        state.get("metric") or share.FIRST_METRIC,
        {key: values for key, values in settings.items() if values},
        similarity.current()[0],
        state.get("view") or "metric",
        state.get("other") or share.FIRST_OTHER,
    )


def text_settings() -> TextSettings:
    """How texts are processed."""
    settings = controls.read("text", TextSettings)
    assert isinstance(settings, TextSettings)
    return settings


def metric_settings(key: str) -> Settings:
    """The settings of a metric."""
    return controls.read(key, metrics.METRICS[key].Settings)


def keep_in_address() -> None:
    """Keep the address bar at the page's state, so that a reload or a copied address brings it back."""
    current = workspace()
    query = share.to_query(current) if share.link(current) else {}
    if dict(st.query_params) != query:
        st.query_params.from_dict(query)
