"""Check the values that a browser sends for widgets.

A page sends the values of its widgets, but another client may send anything: a number for a text, a choice that was
never offered, the value of a widget that does not exist. Streamlit passes such values on to callbacks and pages
unchecked. Here, a value that is invalid for its widget is ignored, so that the widget keeps its previous value, and a
widget that is no longer drawn triggers no callbacks."""

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

#: The attributes in which Streamlit's widgets keep their choices.
_CHOICES = ("formatted_option_to_option_index", "formatted_option_to_index")
#: The types of numbers. For a widget of whole numbers, Streamlit expects the second until the browser sends the first.
_NUMBERS = {"int_value", "double_value"}
_EVENTS = (f"{STREAMLIT_INTERNAL_KEY_PREFIX}_", "__events")


def is_valid_value(metadata: WidgetMetadata[Any], sent: WidgetState) -> bool:
    """Return whether the value that a browser sent for a widget is one that the widget can have.

    `metadata` is what Streamlit knows of the widget. The value must have the widget's type and be one of its choices or
    within its range. A component must send an object or a list of events, without lone surrogates and with finite
    numbers. A cleared value is always valid."""
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
                return _are_choices(value, choices)
        if hasattr(widget, "min_value") and not _is_in_range(value, widget):
            return False
        metadata.deserializer(value)
    except Exception:  # deserializers raise many kinds of errors for invalid values
        return False
    return True


def _read_json(text: str) -> object:
    """Parse a JSON text. Raises ValueError for a number that is not finite and for half of a surrogate pair."""
    if "\\ud" in text.lower():
        json.dumps(json.loads(text), ensure_ascii=False).encode()
    return json.loads(text, parse_constant=_finite_number, parse_float=_finite_number)


def _finite_number(text: str) -> float:
    """Convert a text to a number. Raises ValueError if the number is not finite."""
    if not math.isfinite(number := float(text)):
        raise ValueError(text)
    return number


def _are_choices(value: Any, choices: Collection[str]) -> bool:
    """Return whether the value of a widget, one text or a list of different texts, consists of its choices."""
    chosen = [value] if isinstance(value, str) else list(value)
    return len(set(chosen)) == len(chosen) and all(text in choices for text in chosen)


def _is_in_range(value: Any, widget: Any) -> bool:
    """Return whether the value of a widget, one number or several, is within the widget's bounds."""
    numbers = [value] if isinstance(value, int | float) else list(value)
    return all(math.isfinite(n) and widget.min_value <= n <= widget.max_value for n in numbers)


def _component_of_events(identifier: str) -> str:
    """Return the identifier of the component to which an identifier of events belongs; other identifiers unchanged.

    The events of a component have an identifier of their own, which Streamlit takes for a widget that is no longer
    drawn."""
    return (
        identifier.removeprefix(_EVENTS[0]).removesuffix(_EVENTS[1]) if identifier.endswith(_EVENTS[1]) else identifier
    )


def check_sent_values() -> None:
    """Patch Streamlit, in this process, to ignore values that do not fit their widgets; repeated calls do nothing."""
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
        if known_metadata is None or is_valid_value(known_metadata, widget_state):
            set_widget(self, widget_state)

    def set_known_type(self: WStates, widget_meta: WidgetMetadata[Any]) -> None:
        # Streamlit learns the type of a widget from the values that are sent; a cleared value would erase it.
        if widget_meta.value_type is not None or widget_meta.id not in self.widget_metadata:
            set_known(self, widget_meta)

    def register_what_fits(self: SessionState, metadata: WidgetMetadata[Any], user_key: str | None) -> Any:
        # A value may arrive before its widget is known, as after a reload, or fit only the choices of another run.
        waiting = self._new_widget_state.states.get(metadata.id)
        if isinstance(waiting, Serialized) and not is_valid_value(metadata, waiting.value):
            del self._new_widget_state.states[metadata.id]
        return register(self, metadata, user_key)

    def remove_stale_with_callbacks(
        self: WStates, active_widget_ids: frozenset[str], fragment_ids_this_run: list[str] | None
    ) -> None:
        remove_stale(self, active_widget_ids, fragment_ids_this_run)
        for identifier, metadata in self.widget_metadata.items():
            if metadata.callback is None and metadata.callbacks is None:
                continue
            drawn = self.widget_metadata.get(_component_of_events(identifier), metadata)
            if _is_stale_widget(drawn, active_widget_ids, fragment_ids_this_run):
                self.widget_metadata[identifier] = replace(metadata, callback=None, callbacks=None)

    set_what_fits.checks = True  # type: ignore[attr-defined]
    WStates.set_widget_from_proto = set_what_fits  # type: ignore[method-assign]
    WStates.set_widget_metadata = set_known_type  # type: ignore[method-assign]
    SessionState.register_widget = register_what_fits  # type: ignore[method-assign,assignment]
    WStates.remove_stale_widgets = remove_stale_with_callbacks  # type: ignore[method-assign]
