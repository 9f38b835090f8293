"""Settings in: a widget built from each setting's rule. A new setting gets its control from its metadata alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

import metrics
from metrics.types import Rule, Settings

from . import share

_INLINE = 2  # settings that stand beside a metric's name; further ones are in a popover


def widget_key(owner: str, name: str) -> str:
    return f"{owner}.{name}"


def control(owner: str, name: str, rule: Rule, default: Any) -> None:
    """The widget of one setting; its value lives in the session under `widget_key`."""
    key = widget_key(owner, name)
    common: dict[str, Any] = {"key": key, "help": rule.help, "persist_state": "session"}
    st.session_state.setdefault(key, default)
    if rule.kind == "flag":
        st.toggle(rule.label, **common)
    elif rule.kind == "choice" and len(rule.options) <= 3:
        st.segmented_control(rule.label, rule.options, required=True, format_func=_spoken, **common)
    elif rule.kind == "choice":
        st.selectbox(rule.label, rule.options, format_func=_spoken, **common)
    elif rule.kind == "choices":
        st.pills(rule.label, rule.options, selection_mode="multi", format_func=_spoken, **common)
    elif rule.kind == "whole" and rule.optional:
        low, high = rule.shown or (rule.least, rule.most)
        values: list[int | None] = list(range(int(low), int(high) + 1))
        current = st.session_state[key]
        if current is not None and current not in values:  # from a link, beyond the slider's range
            values.append(current)
        st.select_slider(
            rule.label, [*values, None], format_func=lambda v: rule.none if v is None else str(v), **common
        )
    elif rule.kind in ("number", "whole"):
        low, high = rule.shown or (rule.least, rule.most)
        current = st.session_state[key]
        number: Any = int if rule.kind == "whole" else float
        low, high = min(low, current), max(high, current)
        st.slider(rule.label, number(low), number(high), step=number(rule.step), **common)


def _spoken(option: str) -> str:
    return option.replace("_", " ")


def read(owner: str, cls: type[Settings], objects: Mapping[str, Any] | None = None) -> Settings:
    """The settings as the session holds them, defaults for those whose widget has not been drawn yet."""
    values: dict[str, Any] = {}
    for name, rule in cls.rules().items():
        default = _default(cls, name)
        if rule.kind == "object":
            values[name] = (objects or {}).get(name, default)
            continue
        value = st.session_state.get(widget_key(owner, name), default)
        if rule.kind == "choices":
            value = tuple(value) or default
        if rule.kind == "number":
            value = round(float(value), 10)
        values[name] = value
    return cls(**values)


def _default(cls: type[Settings], name: str) -> Any:
    return cls.__dataclass_fields__[name].default


def metric_settings(key: str, references: int) -> None:
    """The controls of a metric in a row: the first ones beside each other, the rest in a popover."""
    cls = metrics.METRICS[key].Settings
    names = [n for n, r in cls.rules().items() if not (r.several and references < 2) and r.kind != "object"]
    inline, further = names[:_INLINE], names[_INLINE:]
    if len(further) == 1:
        inline, further = names, []
    for name in inline:
        rule = cls.rules()[name]
        with st.container(width=210 if rule.kind in ("number", "whole") else "content"):
            control(key, name, rule, _default(cls, name))
    objects = [n for n, r in cls.rules().items() if r.kind == "object"]
    if further or objects:
        with st.popover("More settings"):
            for name in further:
                control(key, name, cls.rules()[name], _default(cls, name))


def text_settings(cls: type[Settings]) -> None:
    """The controls of the text processing, one below the other."""
    for name, rule in cls.rules().items():
        control("text", name, rule, _default(cls, name))


def restore(workspace: share.Workspace) -> None:
    """Put a workspace's settings into the session, before their widgets are drawn."""
    for name in type(workspace.text).rules():
        st.session_state[widget_key("text", name)] = getattr(workspace.text, name)
    for key, metric in metrics.METRICS.items():
        for name, rule in metric.Settings.rules().items():
            if rule.kind != "object":
                given = workspace.settings.get(key, {})
                st.session_state[widget_key(key, name)] = given.get(name, _default(metric.Settings, name))
