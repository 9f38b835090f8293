"""Register components whose scripts a browser loads only once.

Streamlit sends the script of a component with each message that draws it: a click on the Corpus page would send 90 kB
of scripts next to 60 kB of content. Instead, a message has one line that imports the script. The server has the script
under a name that depends on its text, so a browser may cache it forever. If the server has no such routes, because the
script of another app draws our components, messages contain the whole script."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from ..draw.pen import script_bundle

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

FOLDER = "scripts"  # relative to the address of the app, like all pages
_KEPT = {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}

_served: dict[str, str] = {}  # the scripts by file name
_routed = False  # whether this process serves the scripts


def component(name: str, entry: Path) -> Any:
    """Return a Streamlit component called `name`, whose script is the module `entry` with everything that it imports.

    If this process serves the scripts itself, messages to the browser have one line that imports the script."""
    text = script_bundle.bundle_modules(entry)
    if not _routed:
        return st.components.v2.component(name, js=text, isolate_styles=False)
    file = f"{entry.stem}.{blake2b(text.encode(), digest_size=10).hexdigest()}.js"
    _served[file] = text
    # These must be two lines: Streamlit would take a single line for the name of a file.
    lines = (
        f'const at = new URL("{FOLDER}/{file}", document.baseURI);\nexport default (await import(at.href)).default;\n'
    )
    return st.components.v2.component(name, js=lines, isolate_styles=False)


def script_files() -> tuple[str, ...]:
    """Return the file names of the components' scripts that this server offers."""
    return tuple(_served)


def routes() -> list[Route]:
    """Return the server's routes for the components' scripts, and serve all scripts registered from now on by them."""
    from starlette.routing import Route

    global _routed
    _routed = True
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return [Route(f"{'/' if base else ''}{base}/{FOLDER}/{{file}}", _script_response)]


async def _script_response(request: Request) -> Response:
    """Return the response with the requested script, or with status 404."""
    from starlette.responses import PlainTextResponse, Response

    text = _served.get(request.path_params["file"])
    if text is None:
        return PlainTextResponse("There is no such script.", status_code=404)
    return Response(text, media_type="text/javascript; charset=utf-8", headers=_KEPT)
