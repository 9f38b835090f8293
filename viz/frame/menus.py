"""The menus: how texts are processed, the state as a link or a workspace file, the result as files."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from datetime import date
from functools import partial

import streamlit as st

import metrics
from metrics.text import TextSettings
from metrics.text.similarity import TranslationTable

from ..components import copy_button
from ..draw.pen import theme
from ..draw.texts import Texts
from ..pages.sentence import error_classes, one_metric, several_metrics, steps
from ..save import comparison_report
from ..save.comparison_report import Report
from ..state import cache, controls, inputs, link, session, similarity, slots
from ..state.cache import Problem
from ..state.examples import Example, Pair
from ..state.link import Page


def example_menu(
    examples: Mapping[str, Example] | Mapping[str, Pair], key: str, take: Callable[[], None], labelled: bool = True
) -> None:
    """The choice of an example; by the metrics that they open, in the order of the catalogue. Where it is not
    `labelled`, what it is stands in it."""
    order = list(metrics.METRICS)
    session.forget_example()
    st.selectbox(
        "Example",
        sorted(examples, key=lambda name: order.index(examples[name].metric)),
        key=key,
        index=None,
        placeholder="Choose one" if labelled else "Choose an example",
        label_visibility="visible" if labelled else "collapsed",
        format_func=lambda name: example_label(name, examples[name].metric),
        on_change=take,
        persist_state="session",
    )


def example_label(name: str, metric: str) -> str:
    """An example's name after the metric that it opens.

    >>> example_label("ROUGE, S2: police kill the gunman", "rouge_l"), example_label("English, news", "gtm")
    ('ROUGE-L · S2: police kill the gunman', 'GTM · English, news')
    """
    label = metrics.METRICS[metric].label
    return f"{label} · {re.sub(f'^({re.escape(label)}|ROUGE)[,:]? ', '', name)}"


@st.fragment
def text_menu() -> None:
    """How texts are processed. Another setting is another text for the whole page."""
    with st.popover("Text", width="stretch", on_change="rerun", key="text") as popover:
        if popover.open:  # a browser would go on telling the values of a closed one, whatever was restored since
            controls.text_settings(TextSettings, _whole_page)
    if st.session_state.pop("whole_page", False):
        st.rerun()


def _whole_page() -> None:
    st.session_state.whole_page = True


@st.fragment
def share_menu() -> None:
    with st.popover("Share", width="stretch", on_change="rerun", key="share") as popover:
        if not popover.open:
            return
        workspace = session.workspace()
        address = _address(workspace)
        if address:
            st.caption(f"The link holds {link.held(workspace)}.")
            copy_button.show(address, "Copy the link")
            with st.container(key="link"):
                st.code(address, wrap_lines=True, language=None)
        else:
            st.caption("The texts are too long for a link. Send the workspace file instead.")
        table = similarity.current()[1]
        extra = {}
        if isinstance(table, TranslationTable):
            extra["table"] = session.saved_table(table)
            st.caption("The translation table does not fit into a link; the workspace file holds it.")
        st.download_button(
            "Workspace file", link.to_json(workspace, extra), "bitext-grid.json", "application/json", on_click="ignore"
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
        workspace, problems, extra = link.from_json(uploaded.getvalue())
    except ValueError as error:
        st.session_state.problems = [str(error)]
        return
    session.restore(workspace, problems, extra.get("table"))


@st.fragment
def save_menu() -> None:
    with st.popover("Save", width="stretch", on_change="rerun", key="save") as popover:
        if not popover.open:
            return
        state = st.session_state
        candidate, references = state.get("candidate") or "", state.get("references") or ""
        texts = inputs.read(candidate, references, session.text_settings())
        if state.get("view") == "steps" and isinstance(texts, str):
            texts = inputs.one_sided(candidate, references, session.text_settings()) or texts
        if isinstance(texts, str):
            st.caption("There is nothing to save yet.")
            return
        view = {
            "all": several_metrics.all_files,
            "two": several_metrics.two_files,
            "errors": error_classes.files,
            "steps": steps.files,
        }
        files = view.get(state.get("view") or "metric", one_metric.files)(texts)
        if isinstance(files, Problem):
            st.caption(theme.markdown(str(files)))
            return
        _downloads(*files, late=_KINDS if state.get("view") == "steps" else ())


@st.fragment
def comparison_menu() -> None:
    """Save what the Compare page shows: A and B, or in its view of changes to a text that text and the changed one."""
    with st.popover("Save", width="stretch", on_change="rerun", key="save_comparison") as popover:
        if not popover.open:
            return
        (before, after), key = slots.compared(), st.session_state.get("metric") or link.FIRST_METRIC
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
        report = _report(key)
        _downloads(
            f"{key}_comparison",
            [
                ("Report, HTML", "html", lambda: comparison_report.page_html(a, b, names, key, settings, report)),
                ("Ledger, CSV", "csv", lambda: comparison_report.ledger_csv(a, b, names, key, settings)),
                ("Result, JSON", "json", lambda: comparison_report.report_json(a, b, names, key, settings)),
                ("Difference, SVG", "svg", lambda: comparison_report.difference_svg(a, b, names, key, settings)),
            ],
            late=("html",),
        )


def _report(key: str) -> Report:
    """What the report is asked to show."""
    state, every = st.session_state, list(metrics.METRICS)
    scope = st.segmented_control(
        "Metrics in the report",
        ["one", "several", "all"],
        key="report_scope",
        default="one",
        required=True,
        format_func=lambda each: metrics.METRICS[key].label if each == "one" else each.capitalize(),
        persist_state="session",
    )
    several = [key]
    if scope == "several":
        several = st.pills(
            "Which metrics",
            every,
            key="report_metrics",
            default=[key],
            selection_mode="multi",
            format_func=lambda each: metrics.METRICS[each].label,
            label_visibility="collapsed",
            persist_state="session",
        )
    chosen = every if scope == "all" else [each for each in every if each in several]
    decimals = st.segmented_control(
        "Decimals of its scores", [3, 4], key="report_decimals", default=3, required=True, persist_state="session"
    )
    systems: Sequence[tuple[str, Texts]] = ()
    if len(slots.systems()) > link.SYSTEMS_LEAST and state.get("compare_view") != "whatif":
        texts = inputs.read_systems(slots.systems(), state.get("references") or "", session.text_settings())
        if not isinstance(texts, str):
            systems = [(name, its) for (name, _), its in zip(slots.systems(), texts, strict=True)]
    today = date.today()
    return Report(chosen, decimals or 3, f"{today.day} {today:%B %Y}", _address(session.workspace()) or "", systems)


def _address(workspace: Page) -> str | None:
    """The address of the app with the link of what a page shows; None where it would be too long."""
    query = link.link(workspace)
    return (st.context.url or "").split("?")[0] + query if query else None


_KINDS = {
    "svg": "image/svg+xml",
    "html": "text/html",
    "json": "application/json",
    "csv": "text/csv",
    "tex": "application/x-tex",
    "txt": "text/plain",
    "zip": "application/zip",
}


def _downloads(
    name: str, files: Sequence[tuple[str, str, Callable[[], str | bytes]]], late: Container[str] = ()
) -> None:
    """A button for each file, given by what it is, how its name ends and how it is made; or why it cannot be made.

    Those of the `late` endings take a while and can always be made: they are made when they are asked for.
    """
    for label, ending, make in files:
        try:
            data = partial(_encoded, make, ending) if ending in late else _encoded(make, ending)
        except ValueError as error:
            st.caption(f"{label}: {error}.")
            continue
        st.download_button(
            label,
            data,
            f"{name}.{ending}",
            _KINDS[ending],
            on_click="ignore",
            width="stretch",
            type="tertiary",
        )


def _encoded(make: Callable[[], str | bytes], ending: str) -> bytes:
    """A file's bytes. A mark tells spreadsheets that the words are UTF-8."""
    data = make()
    return data if isinstance(data, bytes) else data.encode("utf-8-sig" if ending == "csv" else "utf-8", "replace")
