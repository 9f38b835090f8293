"""Open sessions of the app without a browser, over the app's WebSocket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

PATIENCE = 120  # seconds to wait for an answer


@dataclass
class Answer:
    """The content of the page that the server sends for one run.

    Attributes:
        errors: the exceptions, each as type and message.
        html: the HTML of elements and of components.
        areas: the identifiers of the text areas by label.
        places: the paths in the page of the elements that each of Streamlit's fragments drew, by fragment.
        kept: how many of the messages a browser would cache."""

    errors: list[str] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    areas: dict[str, str] = field(default_factory=dict)
    places: dict[str, list[tuple[int, ...]]] = field(default_factory=dict)
    kept: int = 0

    def add_element(self, element: Any) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.errors.append(f"{element.exception.type}: {element.exception.message}")
        elif kind == "html":
            self.html.append(element.html.body)
        elif kind == "bidi_component":
            self.html.append(json.loads(element.bidi_component.json).get("html", ""))
        elif kind == "text_area":
            self.areas[element.text_area.label] = element.text_area.id


async def run_page(socket: Any, texts: Mapping[str, str] | None = None, query: str = "") -> Answer:
    """Run the page once, and return all that the server sends.

    `texts` maps identifiers of text areas to new values; `query` is the query of the page's address."""
    message = BackMsg()
    message.rerun_script.query_string = query
    for identifier, text in (texts or {}).items():
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.string_value = identifier, text
    message.rerun_script.SetInParent()
    await socket.send(message.SerializeToString())
    answer = Answer()
    while True:
        received = ForwardMsg.FromString(await asyncio.wait_for(socket.recv(), PATIENCE))
        kind = received.WhichOneof("type")
        answer.kept += received.metadata.cacheable or kind == "ref_hash"
        if kind == "delta" and (fragment := received.delta.fragment_id):
            answer.places.setdefault(fragment, []).append(tuple(received.metadata.delta_path))
        if kind == "delta" and received.delta.WhichOneof("type") == "new_element":
            answer.add_element(received.delta.new_element)
        elif kind == "script_finished":
            if received.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return answer
            answer = Answer()  # this run was cut short: the page, or another page, runs at once


def session(port: int) -> Any:
    """Return a connection to the app on a port of this machine, for use with `async with`."""
    return websockets.connect(
        f"ws://127.0.0.1:{port}/_stcore/stream",
        subprotocols=["streamlit"],  # type: ignore[list-item]
        origin=f"http://127.0.0.1:{port}",  # type: ignore[arg-type]
        max_size=None,
        open_timeout=PATIENCE,
    )
