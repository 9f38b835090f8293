"""Components of pages, whose scripts a browser fetches once.

Streamlit sends a component's script with each message that draws it: a click on the Corpus page would send 90 kB of
scripts beside 60 kB of what it shows. So a message has a line that imports the script, and the server has the script
under a name that is another for another text, which a browser may keep for ever. Where a server has no such routes, as
another script's that draws our components, a message has the script itself.
"""

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

FOLDER = "scripts"  # below the app's own address, on which all pages are
_KEPT = {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}

_served: dict[str, str] = {}  # by the names of the files
_routed = False  # whether this process serves them


def component(name: str, entry: Path) -> Any:
    """A component with the script that a module and what it imports make (`script_bundle.bundle_modules`)."""
    text = script_bundle.bundle_modules(entry)
    if not _routed:
        return st.components.v2.component(name, js=text, isolate_styles=False)
    file = f"{entry.stem}.{blake2b(text.encode(), digest_size=10).hexdigest()}.js"
    _served[file] = text
    # Of two lines: one alone would be the name of a file to Streamlit.
    lines = (
        f'const at = new URL("{FOLDER}/{file}", document.baseURI);\nexport default (await import(at.href)).default;\n'
    )
    return st.components.v2.component(name, js=lines, isolate_styles=False)


def files() -> tuple[str, ...]:
    """The names of the scripts that the server hands out."""
    return tuple(_served)


def routes() -> list[Route]:
    """The routes by which the server hands out the scripts of components that are made from now on."""
    from starlette.routing import Route

    global _routed
    _routed = True
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return [Route(f"{'/' if base else ''}{base}/{FOLDER}/{{file}}", _script)]


async def _script(request: Request) -> Response:
    from starlette.responses import PlainTextResponse, Response

    text = _served.get(request.path_params["file"])
    if text is None:
        return PlainTextResponse("There is no such script.", status_code=404)
    return Response(text, media_type="text/javascript; charset=utf-8", headers=_KEPT)
