"""The Share and Save menus: the state as a link or a workspace file, the result as files."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from metrics.similarity import TranslationTable
from metrics.types import TooHard

from . import cache, evidence, export, inputs, ledger, session, share, similarity, svg, tikz


@st.fragment
def share_menu() -> None:
    with st.popover("Share", width="stretch", on_change="rerun", key="share") as popover:
        if not popover.open:
            return
        workspace = session.workspace()
        link = share.link(workspace)
        if link:
            base = (st.context.url or "").split("?")[0]
            st.caption("The link holds the texts and every setting.")
            st.code(base + link, wrap_lines=True, language=None)
        else:
            st.caption("The texts are too long for a link. Send the workspace file instead.")
        table = similarity.current()[1]
        extra = {}
        if isinstance(table, TranslationTable):
            extra["table"] = {"name": table.name, "lines": list(table.lines())}
            st.caption("The translation table does not fit into a link; the workspace file holds it.")
        st.download_button(
            "Workspace file", share.to_json(workspace, extra), "bitext-grid.json", "application/json", on_click="ignore"
        )
        st.file_uploader("Open a workspace file", type="json", key="workspace", on_change=_open_workspace)
        if st.session_state.pop("workspace_opened", False):
            st.rerun()  # all of the page, not this menu alone


def _open_workspace() -> None:
    uploaded = st.session_state.workspace
    if uploaded is None:
        return
    st.session_state.workspace_opened = True
    try:
        workspace, problems, extra = share.from_json(uploaded.getvalue())
    except ValueError as error:
        st.session_state.problems = [str(error)]
        return
    session.restore(workspace, problems, extra.get("table"))


@st.fragment
def save_menu() -> None:
    with st.popover("Save", width="stretch", on_change="rerun", key="save") as popover:
        if not popover.open:
            return
        workspace = session.workspace()
        texts = inputs.read(workspace.candidate, workspace.references, workspace.text)
        if isinstance(texts, str):
            st.caption("There is nothing to save yet.")
            return
        key = workspace.metric
        try:
            result = evidence.shown(cache.score(key, texts.segment, session.metric_settings(key)))
        except TooHard as error:
            st.caption(f"{error}.")
            return
        chosen, rounds = (
            evidence.chosen_term(result),
            st.session_state.get("rounds") if evidence.last_round(result) > 1 else None,
        )
        signature = evidence.signature(texts, result)
        candidate, references = texts.candidate_words, texts.reference_words
        files: list[tuple[str, str, str, Callable[[], str]]] = [
            ("Figure, SVG", "svg", "image/svg+xml", lambda: svg.svg(texts, result, chosen, rounds)),
            ("Page, HTML", "html", "text/html", lambda: export.page_html(texts, result, chosen, rounds)),
            ("Result, JSON", "json", "application/json", lambda: export.result_json(texts, result)),
            ("Ledger, CSV", "csv", "text/csv", lambda: ledger.csv_text(candidate, references, result, signature)),
            ("Figure, TikZ", "tex", "application/x-tex", lambda: tikz.tikz(texts, result, chosen, rounds)),
        ]
        for label, ending, kind, make in files:
            try:
                data = make()
            except ValueError as error:
                st.caption(f"{label}: {error}.")
                continue
            st.download_button(
                label,
                # The mark tells spreadsheets that the words are UTF-8.
                data.encode("utf-8-sig" if ending == "csv" else "utf-8", "replace"),
                f"{key}.{ending}",
                kind,
                on_click="ignore",
                width="stretch",
                type="tertiary",
            )
