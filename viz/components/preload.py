"""What a first page needs, named in the page itself.

Streamlit's page fetches the script of a kind of element when the first one of that kind arrives, then what that script
imports, then ours: turns one after the other, each begun when the one before has been read. Named in the page's head
they are read while the browser waits for the server's first answer.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from . import served

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The kinds of elements on a first page, as the files of Streamlit's scripts are called.
KINDS = ("BidiComponent", "Button", "ButtonGroup", "Html", "Selectbox", "Slider", "TextArea")
#: The scripts of ours that it needs.
OURS = ("address", "fragment", "inputs", "strip")
_IMPORTED = re.compile(r"""(?:from|import)\s*["']\./([\w.-]+\.js)["']""")
_HEAD = b"</head>"


@cache
def elements() -> tuple[str, ...]:
    """Streamlit's scripts of KINDS with all that they import, but for what its own page names; sorted. A kind whose
    file is called otherwise, as in another version, is left out: the page then fetches it when it needs it."""
    import streamlit

    static = Path(streamlit.__file__).parent / "static"
    page = (static / "index.html").read_text(encoding="utf-8")
    files = {file.name: file for file in (static / "static" / "js").glob("*.js")}
    needed_scripts: set[str] = set()
    ahead = [name for name in files if name.partition(".")[0] in KINDS]
    while ahead:
        name = ahead.pop()
        if name in needed_scripts or name not in files or f"/{name}" in page:
            continue
        needed_scripts.add(name)
        ahead += _IMPORTED.findall(files[name].read_text(encoding="utf-8"))
    return tuple(sorted(needed_scripts))


def links() -> str:
    """The elements of a page's head that name them. Addresses are relative, as those in Streamlit's page."""
    ours = sorted(f"{served.FOLDER}/{file}" for file in served.files() if file.partition(".")[0] in OURS)
    names = [*(f"static/js/{name}" for name in elements()), *ours]
    return "".join(f'<link rel="modulepreload" crossorigin href="./{name}">' for name in names)


class PreloadMiddleware:
    """Middleware that puts `links` into the head of the page, and passes on everything else as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        start_message: Message | None = None  # how the answer begins, where it is the page
        body = b""

        async def pass_on(message: Message) -> None:
            nonlocal start_message, body
            if message["type"] == "http.response.start" and message["status"] == 200:
                kind = dict(message["headers"]).get(b"content-type", b"")
                if kind.startswith(b"text/html"):
                    start_message = message
                    return
            if start_message is None or message["type"] != "http.response.body":
                await send(message)
                return
            body += message.get("body", b"")
            if message.get("more_body"):
                return
            page = body.replace(_HEAD, links().encode() + _HEAD, 1)
            # The file's own date and tag would say that a page with other links is still the same.
            replaced_headers = (b"content-length", b"etag", b"last-modified")
            headers = [
                (name, value) for name, value in start_message["headers"] if name.lower() not in replaced_headers
            ]
            headers.append((b"content-length", str(len(page)).encode()))
            await send({**start_message, "headers": headers})
            await send({"type": "http.response.body", "body": page})

        await self.app(scope, receive, pass_on)
