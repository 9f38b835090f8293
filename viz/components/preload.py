"""Name the scripts of the first page in the page's HTML, so that the browser loads them at once.

Streamlit's page loads the script of a kind of element when the first element of that kind arrives, then what that
script imports, then our scripts, each after the one before. When they are named in the page's head, they load while the
browser waits for the server's first answer."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from . import served

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The kinds of elements on a first page, by the names of Streamlit's script files.
KINDS = ("BidiComponent", "Button", "ButtonGroup", "Html", "Selectbox", "Slider", "TextArea")
#: Our own scripts that the first page needs.
OURS = ("address", "fragment", "inputs", "strip")
_IMPORTED = re.compile(r"""(?:from|import)\s*["']\./([\w.-]+\.js)["']""")
_HEAD = b"</head>"


@cache
def element_scripts() -> tuple[str, ...]:
    """Return the file names of Streamlit's scripts that draw the elements of a first page, sorted.

    These are the scripts of the kinds of elements in KINDS and all that they import. Scripts that Streamlit's page
    names itself are left out. A kind whose file has another name, as in another version of Streamlit, is left out too:
    the page then loads it when it needs it."""
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


def preload_links() -> str:
    """Return the HTML elements `<link>` that make the browser load the scripts of the first page at once.

    Addresses are relative, as in Streamlit's page."""
    ours = sorted(f"{served.FOLDER}/{file}" for file in served.script_files() if file.partition(".")[0] in OURS)
    names = [*(f"static/js/{name}" for name in element_scripts()), *ours]
    return "".join(f'<link rel="modulepreload" crossorigin href="./{name}">' for name in names)


class PreloadMiddleware:
    """ASGI middleware that inserts the preload links into the head of the page and passes on everything else."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        start_message: Message | None = None  # the start of the response, if the response is the page
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
            page = body.replace(_HEAD, preload_links().encode() + _HEAD, 1)
            # With the file's date and tag, a cached page with other links would count as unchanged.
            replaced_headers = (b"content-length", b"etag", b"last-modified")
            headers = [
                (name, value) for name, value in start_message["headers"] if name.lower() not in replaced_headers
            ]
            headers.append((b"content-length", str(len(page)).encode()))
            await send({**start_message, "headers": headers})
            await send({"type": "http.response.body", "body": page})

        await self.app(scope, receive, pass_on)
