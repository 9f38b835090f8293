"""The Share and Save menus: the state as a link or a workspace file, the result as files."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

import metrics
from metrics.similarity import TranslationTable
from viz.draw import ledger, svg, theme
from viz.draw.fragment import picture_of
from viz.save import comparison_report, sentence_page, tikz
from viz.state import cache, inputs, session, share, similarity
from viz.state.cache import Problem
from viz.views import one_metric


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
        found = session.score(key, texts)
        if isinstance(found, Problem):
            st.caption(theme.markdown(str(found)))
            return
        drawn = one_metric.looked_at(texts, found)
        result, candidate, references = drawn.result, texts.candidate_words, texts.reference_words
        signature = result.signature(texts.settings.signature())
        _downloads(
            key,
            [
                ("Figure, SVG", "svg", lambda: svg.captioned(picture_of(drawn, saved=True))),
                ("Page, HTML", "html", lambda: sentence_page.page_html(drawn)),
                ("Result, JSON", "json", lambda: sentence_page.result_json(texts, result)),
                ("Ledger, CSV", "csv", lambda: ledger.csv_text(candidate, references, result, signature)),
                ("Figure, TikZ", "tex", lambda: tikz.document(picture_of(drawn, saved=True))),
            ],
        )


@st.fragment
def comparison_menu() -> None:
    """Save what the Compare page shows: A and B, or in its view of changes to a text that text and the changed one."""
    with st.popover("Save", width="stretch", on_change="rerun", key="save_comparison") as popover:
        if not popover.open:
            return
        (before, after), key = _compared(), st.session_state.get("metric") or share.FIRST_METRIC
        texts = inputs.read_systems([before, after], st.session_state.get("references") or "", session.text_settings())
        if isinstance(texts, str):
            st.caption("There is nothing to save yet.")
            return
        (a, b), names = texts, (before[0], after[0])
        settings = {each: session.metric_settings(each) for each in metrics.METRICS}
        found = cache.compared(key, a.segment, b.segment, settings[key])
        if isinstance(found, Problem):
            st.caption(theme.markdown(str(found)))
            return
        _downloads(
            f"{key}_comparison",
            [
                ("Report, HTML", "html", lambda: comparison_report.page_html(a, b, names, key, settings)),
                ("Ledger, CSV", "csv", lambda: comparison_report.ledger_csv(a, b, names, key, settings)),
                ("Result, JSON", "json", lambda: comparison_report.report_json(a, b, names, key, settings)),
                ("Difference, SVG", "svg", lambda: comparison_report.difference_svg(a, b, names, key, settings)),
            ],
        )


def _compared() -> tuple[tuple[str, str], tuple[str, str]]:
    """The names and the texts of what is compared."""
    state, systems = st.session_state, session.systems()
    if state.get("compare_view") == "whatif" and state.get("whatif_of") is not None:
        return systems[state.whatif_of], ("What if", state.get("whatif") or "")
    a, b = session.sides()
    return systems[a], systems[b]


_KINDS = {
    "svg": "image/svg+xml",
    "html": "text/html",
    "json": "application/json",
    "csv": "text/csv",
    "tex": "application/x-tex",
}


def _downloads(name: str, files: Sequence[tuple[str, str, Callable[[], str]]]) -> None:
    """A button for each file, given by what it is, how its name ends and how it is made; or why it cannot be made."""
    for label, ending, make in files:
        try:
            data = make()
        except ValueError as error:
            st.caption(f"{label}: {error}.")
            continue
        st.download_button(
            label,
            # The mark tells spreadsheets that the words are UTF-8.
            data.encode("utf-8-sig" if ending == "csv" else "utf-8", "replace"),
            f"{name}.{ending}",
            _KINDS[ending],
            on_click="ignore",
            width="stretch",
            type="tertiary",
        )
