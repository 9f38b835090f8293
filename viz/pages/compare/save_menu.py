"""Draw the Save menu of the Compare page, for A and B, or in the what-if view for a system and the what-if text."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import metrics

from ...draw.texts import ProcessedTexts
from ...frame import menus
from ...save import comparison_report
from ...save.comparison_report import ComparisonReport
from ...save.sentence_page import Files
from ...state.results import cache
from ...state.results.cache import Problem
from ...state.texts import inputs
from ...state.texts.inputs import SYSTEMS_LEAST, MissingText
from ...state.visit import session
from .record import CompareState


def show() -> None:
    """Draw the Save menu of the comparison."""
    menus.save_menu("save_comparison", lambda: (_comparison_files(), ("html", "edits.csv", "json")))


def _comparison_files() -> Files | Problem | None:
    """Return the files that the comparison can be saved as, or the problem that prevents scoring it.

    None if its texts cannot be read, for example because one is missing."""
    state = session.read_state(CompareState)
    (before, after), key = state.compared_outputs, state.metric
    texts = inputs.read_systems([before, after], state.references, state.text, source=state.source, marks=state.marked)
    if isinstance(texts, MissingText):
        return None
    (a, b), names = texts, (before[0], after[0])
    settings = {each: state.settings_of(each) for each in metrics.METRICS}
    comparison = cache.compare_segments(key, a.segment, b.segment, settings[key])
    if isinstance(comparison, Problem):
        return comparison
    report = _draw_report_options(state)
    return f"{key}_comparison", [
        ("Report, HTML", "html", lambda: comparison_report.page_html(a, b, names, key, settings, report)),
        ("Ledger, CSV", "csv", lambda: comparison_report.ledger_csv(a, b, names, key, settings)),
        ("Edits, CSV", "edits.csv", lambda: comparison_report.edits_csv(a, b, names, key, settings)),
        ("Result, JSON", "json", lambda: comparison_report.report_json(a, b, names, key, settings)),
        ("Difference, SVG", "svg", lambda: comparison_report.difference_svg(a, b, names, key, settings)),
    ]


def _draw_report_options(state: CompareState) -> ComparisonReport:
    """Draw the options of the report, and return what the visitor selected."""
    key, all_keys = state.metric, list(metrics.METRICS)
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
            all_keys,
            key="report_metrics",
            default=[key],
            selection_mode="multi",
            format_func=lambda each: metrics.METRICS[each].label,
            label_visibility="collapsed",
            persist_state="session",
        )
    chosen = all_keys if scope == "all" else [each for each in all_keys if each in several]
    decimals = st.segmented_control(
        "Decimals of its scores", [3, 4], key="report_decimals", default=3, required=True, persist_state="session"
    )
    systems: Sequence[tuple[str, ProcessedTexts]] = ()
    if len(state.systems) > SYSTEMS_LEAST and state.compare != "whatif":
        texts = inputs.read_systems(
            state.systems, state.references, state.text, source=state.source, marks=state.marked
        )
        if not isinstance(texts, MissingText):
            systems = list(zip(state.names, texts, strict=True))
    origin = menus.date_of_saved_file(), menus.address_for_saved_file(state)
    return ComparisonReport(chosen, decimals or 3, *origin, systems)
