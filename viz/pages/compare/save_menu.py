"""The Save menu of the Compare page: what it shows of A and B, or in its view of changes to a text of that text and the
changed one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import streamlit as st

import metrics

from ...draw.texts import Texts
from ...frame import menus
from ...save import comparison_report
from ...save.comparison_report import Report
from ...save.sentence_page import Files
from ...state import cache, inputs, session
from ...state.cache import Problem
from ...state.inputs import SYSTEMS_LEAST, Missing
from .record import Compare


def show() -> None:
    """Save the comparison."""
    menus.save_menu("save_comparison", lambda: (_files(), ("html", "edits.csv", "json")))


def _files() -> Files | Problem | None:
    shown = session.looked(Compare)
    (before, after), key = shown.compared, shown.metric
    texts = inputs.read_systems([before, after], shown.references, shown.text, source=shown.source, marks=shown.marked)
    if isinstance(texts, Missing):
        return None
    (a, b), names = texts, (before[0], after[0])
    settings = {each: shown.settings_of(each) for each in metrics.METRICS}
    found = cache.compared(key, a.segment, b.segment, settings[key])
    if isinstance(found, Problem):
        return found
    report = _report(shown)
    return f"{key}_comparison", [
        ("Report, HTML", "html", lambda: comparison_report.page_html(a, b, names, key, settings, report)),
        ("Ledger, CSV", "csv", lambda: comparison_report.ledger_csv(a, b, names, key, settings)),
        ("Edits, CSV", "edits.csv", lambda: comparison_report.edits_csv(a, b, names, key, settings)),
        ("Result, JSON", "json", lambda: comparison_report.report_json(a, b, names, key, settings)),
        ("Difference, SVG", "svg", lambda: comparison_report.difference_svg(a, b, names, key, settings)),
    ]


def _report(shown: Compare) -> Report:
    """What the report is asked to show."""
    key, every = shown.metric, list(metrics.METRICS)
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
    if len(shown.systems) > SYSTEMS_LEAST and shown.compare != "whatif":
        texts = inputs.read_systems(
            shown.systems, shown.references, shown.text, source=shown.source, marks=shown.marked
        )
        if not isinstance(texts, Missing):
            systems = list(zip(shown.names, texts, strict=True))
    today = date.today()
    return Report(chosen, decimals or 3, f"{today.day} {today:%B %Y}", menus.saved_address(shown), systems)
