"""Frames that are no messages of a page end their connection before Streamlit logs each with a traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PROTOCOL_ERROR = 1002  # RFC 6455, 7.4.1


class OnlyMessages:
    """Middleware that closes a WebSocket at the first frame that is no message of Streamlit's, and passes on everything
    else as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return

        async def receive_message() -> Message:
            frame = await receive()
            if frame["type"] != "websocket.receive" or is_message(frame.get("bytes")):
                return frame
            await send({"type": "websocket.close", "code": PROTOCOL_ERROR})
            return {"type": "websocket.disconnect", "code": PROTOCOL_ERROR}

        await self.app(scope, receive_message, send)


def is_message(data: object) -> bool:
    """Whether what a frame holds can be read as a message of a page.

    >>> is_message(b""), is_message("text"), is_message(b"no message")
    (True, False, False)
    """
    from streamlit.proto.BackMsg_pb2 import BackMsg

    if not isinstance(data, bytes):
        return False
    try:
        BackMsg.FromString(data)
    except Exception:  # whatever protobuf makes of what is none
        return False
    return True
