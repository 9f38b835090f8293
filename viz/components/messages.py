"""Refuse WebSocket frames that no page of the app sends.

A frame that is not a message closes its connection, before Streamlit logs it with a traceback. Messages that would
empty a session while it is in use are dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PROTOCOL_ERROR = 1002  # RFC 6455, 7.4.1
#: Kinds of messages that only serve developers of an app. The first one empties the session while it is in use.
LEFT_OUT = frozenset({"clear_cache", "set_run_on_save", "debug_disconnect_websocket", "debug_shutdown_runtime"})


class MessageFilter:
    """Middleware that filters the frames of WebSockets.

    It closes a connection at the first frame that is not a message of Streamlit, drops messages that no page sends, and
    passes on everything else."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return

        async def receive_message() -> Message:
            while True:
                frame = await receive()
                if frame["type"] != "websocket.receive":
                    return frame
                kind = message_kind(frame.get("bytes"))
                if kind is None:
                    await send({"type": "websocket.close", "code": PROTOCOL_ERROR})
                    return {"type": "websocket.disconnect", "code": PROTOCOL_ERROR}
                if kind not in LEFT_OUT:
                    return frame

        await self.app(scope, receive_message, send)


def message_kind(data: object) -> str | None:
    """Return the kind of Streamlit's message in a WebSocket frame; "" for an empty message, None if there is none.

    >>> message_kind(b""), message_kind("text"), message_kind(b"no message")
    ('', None, None)
    """
    from streamlit.proto.BackMsg_pb2 import BackMsg

    if not isinstance(data, bytes):
        return None
    try:
        return BackMsg.FromString(data).WhichOneof("type") or ""
    except Exception:  # protobuf raises many kinds of errors for other data
        return None
