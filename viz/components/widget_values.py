"""What a browser may send as the value of a widget.

A page sends what its widgets hold. A client that is no page may send anything: a number for a text, a choice that was
never offered, the value of a widget that is not there. Streamlit hands such a value to callbacks and pages as it is.
Here a value that its widget cannot have is left out, so that the widget keeps the one it had, and a widget that is no
longer drawn calls nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata, unpack_widget_state_value
from streamlit.runtime.state.session_state import (
    STREAMLIT_INTERNAL_KEY_PREFIX,
    Serialized,
    WStates,
    _is_stale_widget,
)

#: Where Streamlit's widgets with choices hold what can be chosen, by the names of attributes.
_CHOICES = ("formatted_option_to_option_index", "formatted_option_to_index")
#: The types of numbers: of a widget for whole ones Streamlit knows the second until the browser has sent the first.
_NUMBERS = {"int_value", "double_value"}
_EVENTS = (f"{STREAMLIT_INTERNAL_KEY_PREFIX}_", "__events")


def fits(metadata: WidgetMetadata[Any], sent: WidgetState) -> bool:
    """Whether a widget can have the value that was sent: it is of the widget's type, among its choices, within its
    range; what a component sends is an object, or a list of events, without lone surrogates and with finite numbers. A
    value that was cleared fits."""
    kind = sent.WhichOneof("value")
    if kind is None:
        return True
    if kind != metadata.value_type and {kind, metadata.value_type} != _NUMBERS:
        return False
    try:
        if kind == "json_value":
            return isinstance(_read_json(sent.json_value), dict)
        if kind == "json_trigger_value":
            events = _read_json(sent.json_trigger_value)
            return isinstance(events, list) and all(isinstance(e, dict) and isinstance(e["event"], str) for e in events)
        value = unpack_widget_state_value(sent)
        widget = getattr(metadata.deserializer, "__self__", None)
        for name in _CHOICES:
            if (choices := getattr(widget, name, None)) is not None:
                return _among(value, choices)
        if hasattr(widget, "min_value") and not _is_in_range(value, widget):
            return False
        metadata.deserializer(value)
    except Exception:  # whatever a deserializer makes of what no browser sends
        return False
    return True


def _read_json(text: str) -> object:
    """The value of JSON; ValueError where a number is not finite or a letter is half of one."""
    if "\\ud" in text.lower():
        json.dumps(json.loads(text), ensure_ascii=False).encode()
    return json.loads(text, parse_constant=_finite, parse_float=_finite)


def _finite(text: str) -> float:
    """A number; ValueError where it is not finite."""
    if not math.isfinite(number := float(text)):
        raise ValueError(text)
    return number


def _among(value: Any, choices: Collection[str]) -> bool:
    """Whether what was chosen, one text or several, can be chosen, and nothing twice."""
    chosen = [value] if isinstance(value, str) else list(value)
    return len(set(chosen)) == len(chosen) and all(text in choices for text in chosen)


def _is_in_range(value: Any, widget: Any) -> bool:
    """Whether a number, or each of several, lies between a widget's bounds."""
    numbers = [value] if isinstance(value, int | float) else list(value)
    return all(math.isfinite(n) and widget.min_value <= n <= widget.max_value for n in numbers)


def _of_component(identifier: str) -> str:
    """The identifier of the component whose events come under one of their own, which Streamlit takes for drawn in no
    run; any other identifier as it is."""
    return (
        identifier.removeprefix(_EVENTS[0]).removesuffix(_EVENTS[1]) if identifier.endswith(_EVENTS[1]) else identifier
    )


def check_what_is_sent() -> None:
    """From now on leave out, in this process, values that do not fit their widgets. Calling it again does nothing."""
    if getattr(WStates.set_widget_from_proto, "checks", False):
        return
    set_widget, set_known, register, remove_stale = (
        WStates.set_widget_from_proto,
        WStates.set_widget_metadata,
        SessionState.register_widget,
        WStates.remove_stale_widgets,
    )

    def set_what_fits(self: WStates, widget_state: WidgetState) -> None:
        known_metadata = self.widget_metadata.get(widget_state.id)
        if known_metadata is None or fits(known_metadata, widget_state):
            set_widget(self, widget_state)

    def set_known_type(self: WStates, widget_meta: WidgetMetadata[Any]) -> None:
        # Streamlit learns the type of a widget from what is sent: a value that was cleared says nothing of it.
        if widget_meta.value_type is not None or widget_meta.id not in self.widget_metadata:
            set_known(self, widget_meta)

    def register_what_fits(self: SessionState, metadata: WidgetMetadata[Any], user_key: str | None) -> Any:
        # What was sent before its widget was known, as after a reload, or for the choices of another run.
        waiting = self._new_widget_state.states.get(metadata.id)
        if isinstance(waiting, Serialized) and not fits(metadata, waiting.value):
            del self._new_widget_state.states[metadata.id]
        return register(self, metadata, user_key)

    def remove_stale_with_callbacks(
        self: WStates, active_widget_ids: frozenset[str], fragment_ids_this_run: list[str] | None
    ) -> None:
        remove_stale(self, active_widget_ids, fragment_ids_this_run)
        for identifier, metadata in self.widget_metadata.items():
            if metadata.callback is None and metadata.callbacks is None:
                continue
            drawn = self.widget_metadata.get(_of_component(identifier), metadata)
            if _is_stale_widget(drawn, active_widget_ids, fragment_ids_this_run):
                self.widget_metadata[identifier] = replace(metadata, callback=None, callbacks=None)

    set_what_fits.checks = True  # type: ignore[attr-defined]
    WStates.set_widget_from_proto = set_what_fits  # type: ignore[method-assign]
    WStates.set_widget_metadata = set_known_type  # type: ignore[method-assign]
    SessionState.register_widget = register_what_fits  # type: ignore[method-assign,assignment]
    WStates.remove_stale_widgets = remove_stale_with_callbacks  # type: ignore[method-assign]
