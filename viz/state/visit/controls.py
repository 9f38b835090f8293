"""Draw a widget for each setting of a metric or of the text processing, built from the setting's rule alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import streamlit as st

import metrics
from metrics.text import TextSettings
from metrics.types import SettingRule, Settings

from . import pending_widgets, similarity


def widget_key(owner: str, name: str) -> str:
    """Return the session key of the widget for the setting `name`; `owner` is the key of a metric, or “text”."""
    return f"{owner}.{name}"


def draw_control(
    owner: str,
    name: str,
    rule: SettingRule,
    default: Any,
    on_change: Callable[[], None] | None = None,
    width: int | None = None,
) -> None:
    """Draw the widget of one setting, `width` pixels wide or, if that is None, as wide as it needs.

    `owner` is the key of a metric, or “text”. The session holds the value under `widget_key(owner, name)`."""
    key = widget_key(owner, name)
    common: dict[str, Any] = {"key": key, "help": rule.help, "persist_state": "session", "on_change": on_change}
    if width:
        common["width"] = width
    st.session_state.setdefault(key, default)
    if rule.kind == "flag":
        st.toggle(rule.label, **common)
    elif rule.kind == "choice" and len(rule.options) <= 3:
        st.segmented_control(rule.label, rule.options, required=True, format_func=_option_label, **common)
    elif rule.kind == "choice":
        st.selectbox(rule.label, rule.options, format_func=_option_label, **common)
    elif rule.kind == "choices":
        st.pills(rule.label, rule.options, selection_mode="multi", format_func=_option_label, **common)
    elif rule.kind == "whole" and rule.optional and rule.slider_range:
        low, high = rule.slider_range
        values: list[int | None] = list(range(int(low), int(high) + 1))
        current = st.session_state[key]
        if current is not None and current not in values:  # a value from a link can be outside the slider's range
            values.append(current)
        st.select_slider(
            rule.label, [*values, None], format_func=lambda v: rule.none if v is None else str(v), **common
        )
    elif rule.kind in ("number", "whole"):
        low, high = rule.slider_range or (rule.least, rule.most)
        number: Any = int if rule.kind == "whole" else float
        if rule.optional or math.isinf(high - low):  # a slider needs two ends and a value
            ends: dict[str, Any] = {
                end: number(value) for end, value in (("min_value", low), ("max_value", high)) if math.isfinite(value)
            }
            empty: Any = None if rule.optional else "min"
            st.number_input(rule.label, value=empty, step=number(rule.step), placeholder=rule.none, **ends, **common)
            return
        current = st.session_state[key]
        low, high = min(low, current), max(high, current)
        st.slider(rule.label, number(low), number(high), step=number(rule.step), **common)


def _option_label(option: str) -> str:
    """Return the label of an option: its name with spaces for underscores."""
    return option.replace("_", " ")


def changed_settings(owner: str, cls: type[Settings], state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of `owner` whose value in the session differs from the default, by name."""
    values = {}
    for name, rule in cls.rules().items():
        if rule.of_texts:
            continue
        default = _default(cls, name)
        value = state.get(widget_key(owner, name), default)
        if value is None and not rule.optional:
            value = default  # a segmented control has None for one run when the page changes
        if rule.kind == "choices":
            value = tuple(value) or default
        if rule.kind == "number" and value is not None:
            value = float(f"{value:.10g}")  # a slider's sums give values such as 0.30000000000000004
        if value != default:
            values[name] = value
    return values


def _default(cls: type[Settings], name: str) -> Any:
    """Return the default of the setting `name` of a settings class."""
    return cls.__dataclass_fields__[name].default


def draw_metric_settings(key: str, references: int, room: int) -> None:
    """Draw the controls of the metric `key`: those that fit side by side into `room` pixels, the others in a popover.

    `references` is the number of references; with only one, settings that concern several are not drawn."""
    cls = metrics.METRICS[key].Settings
    visible_rules = {n: r for n, r in cls.rules().items() if not (r.several and references < 2) and not r.of_texts}
    further: list[str] = []
    if sum(_control_width(rule) + 24 for rule in visible_rules.values()) > room:
        room -= 140  # for the popover
    for name, rule in visible_rules.items():
        width = _control_width(rule)
        if not further and width <= room:
            room -= width + 24
            draw_control(key, name, rule, _default(cls, name), width=width)
        else:
            further.append(name)
    if further:
        label = "More settings" if len(further) < len(visible_rules) else "Settings"
        with st.popover(label, on_change="rerun", key=f"more.{key}") as popover:
            # A closed menu has no widgets: the browser would go on sending their values after others were restored.
            if not (
                popover.open
                or any(visible_rules[name].kind == "object" and similarity.has_open_training() for name in further)
            ):
                return
            for name in further:
                if visible_rules[name].kind == "object":
                    similarity.draw_similarity_control()
                else:
                    draw_control(key, name, visible_rules[name], _default(cls, name))


def _control_width(rule: SettingRule) -> int:
    """Return the approximate width of a setting's control in pixels.

    For a setting that holds an object it is so large that the control is always drawn in the popover."""
    if rule.kind == "object":
        return 10_000
    if rule.kind == "flag":
        return 84 + 8 * len(rule.label)
    if rule.kind == "choice":
        return max(12 * len(rule.label), sum(28 + 8 * len(o) for o in rule.options)) if len(rule.options) <= 3 else 190
    return 200


def draw_text_settings(cls: type[Settings], on_change: Callable[[], None] | None = None) -> None:
    """Draw the controls of the text processing below each other; `on_change` is called when one was changed."""
    for name, rule in cls.rules().items():
        draw_control("text", name, rule, _default(cls, name), on_change)


def metric_widget_keys(metric: str) -> Iterator[str]:
    """Yield the session keys of the widgets for a metric's settings.

    Settings that hold an object, or that follow from the texts, have none."""
    rules = metrics.METRICS[metric].Settings.rules() if metric in metrics.METRICS else {}
    yield from (widget_key(metric, name) for name, rule in rules.items() if rule.kind != "object" and not rule.of_texts)


def rewrite_settings() -> None:
    """Write every setting that is in the session back into it, so that a change of page does not reset it.

    When another page draws the widget of a setting, Streamlit treats it as new and starts it at its default, unless
    its value was written in the same run."""
    state = st.session_state
    for owner, rules in (
        ("text", TextSettings.rules()),
        *((k, m.Settings.rules()) for k, m in metrics.METRICS.items()),
    ):
        for name in rules:
            key = widget_key(owner, name)
            if key in state:
                state[key] = state[key]


def restore_settings(text: TextSettings, settings: Mapping[str, Mapping[str, object]]) -> None:
    """Write the settings of the text processing and of all metrics into the session, before their widgets are drawn.

    Metrics that are not in `settings` get their defaults."""
    for name in TextSettings.rules():
        pending_widgets.give_value(widget_key("text", name), getattr(text, name))
    for key, metric in metrics.METRICS.items():
        for name, rule in metric.Settings.rules().items():
            if rule.kind != "object" and not rule.of_texts:
                value = settings.get(key, {}).get(name, _default(metric.Settings, name))
                pending_widgets.give_value(widget_key(key, name), value)
