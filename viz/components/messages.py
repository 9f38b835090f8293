"""Frames that no page of ours sends: what is no message ends its connection before Streamlit logs it with a traceback,
and what would empty a session under its pages is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PROTOCOL_ERROR = 1002  # RFC 6455, 7.4.1
#: Kinds of messages for those who write an app. The first one empties the session, whatever runs in it.
LEFT_OUT = frozenset({"clear_cache", "set_run_on_save", "debug_disconnect_websocket", "debug_shutdown_runtime"})


class OnlyMessages:
    """Middleware that closes a WebSocket at the first frame that is no message of Streamlit's, leaves out the messages
    that no page sends, and passes on everything else as it is."""

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
                kind = kind_of(frame.get("bytes"))
                if kind is None:
                    await send({"type": "websocket.close", "code": PROTOCOL_ERROR})
                    return {"type": "websocket.disconnect", "code": PROTOCOL_ERROR}
                if kind not in LEFT_OUT:
                    return frame

        await self.app(scope, receive_message, send)


def kind_of(data: object) -> str | None:
    """The kind of message that a frame holds, "" for an empty one, None where it holds none.

    >>> kind_of(b""), kind_of("text"), kind_of(b"no message")
    ('', None, None)
    """
    from streamlit.proto.BackMsg_pb2 import BackMsg

    if not isinstance(data, bytes):
        return None
    try:
        return BackMsg.FromString(data).WhichOneof("type") or ""
    except Exception:  # whatever protobuf makes of what is none
        return None
