"""Prepare the server once, before it serves the first visitor, and look after it while it runs.

Modules that are needed late are imported here. If the first visitors' threads imported them at the same time and in
different orders, they would see each other's modules half initialised, and the first visitor would wait for all of
them."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import inspect
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from pkgutil import walk_packages
from threading import Thread
from typing import Any, cast

LOOK = 5.0  # seconds between two searches for sessions whose browsers are gone
AGAIN = 4  # searches after which memory is returned; by then the work for ended sessions has stopped
#: Options of glibc's `mallopt`, each with its value: the size in bytes of blocks that are allocated separately, and the
#: number of arenas that threads share.
MMAP_THRESHOLD, LARGE = -3, 256 * 1024
ARENA_MAX, ARENAS = -8, 2
YOUNG = 20_000  # new objects after which the garbage collector inspects the youngest generation

MODULES = (
    "PIL.ImageFile",
    "joblib.externals.loky",
    "nltk.stem",
    "numpy",
    "pandas",
    "plotly.graph_objects",
    "plotly.io",
    "pyarrow",
    "regex",
    "streamlit.elements.plotly_chart",
    "streamlit.web.skills",
)
#: Modules of this package that only the scripts of the app and of its pages import.
SCRIPT_MODULES = ("components.address", "components.inputs", "frame.fields", "frame.head")


@asynccontextmanager
async def server_lifespan(app: object) -> AsyncIterator[None]:
    """Prepare the server, let it run, and stop the background task when it ends: the lifespan of the ASGI app."""
    from streamlit import runtime

    from .frame import uploads

    prepare_server()
    instance = runtime.get_instance()
    uploads.limit_session_bytes(cast(uploads.UploadStorage, instance.uploaded_file_mgr))
    forgetting = asyncio.create_task(end_lost_sessions(instance))
    try:
        yield
    finally:
        forgetting.cancel()
        with suppress(asyncio.CancelledError):
            await forgetting


async def end_lost_sessions(runtime: Any) -> None:
    """End, again and again, the sessions whose browsers have been gone for `server.disconnectedSessionTTL` seconds.

    Streamlit looks for such sessions only when another one disconnects, and until then keeps all that they hold."""
    looks_left = 0
    while True:
        await asyncio.sleep(LOOK)
        looks_left = (
            AGAIN if _end_sessions(runtime._session_mgr._session_storage._cache.expire()) else max(0, looks_left - 1)
        )
        if looks_left:
            await asyncio.to_thread(return_memory)


def _end_sessions(sessions: Sequence[tuple[str, Any]]) -> bool:
    """End the given sessions (pairs of identifier and session), and return whether there were any."""
    for _, each in sessions:
        each.session.shutdown()
    return bool(sessions)


def return_memory() -> None:
    """Give unused memory back to the operating system, as far as the C library can."""
    gc.collect()
    if trim := _libc_function("malloc_trim"):
        trim(0)


def configure_malloc() -> None:
    """Configure memory allocation by glibc so that freed memory can go back to the operating system.

    Large blocks, such as a visitor's file, are allocated separately, and small ones of all threads from the same
    arenas. Otherwise a few small blocks that stay would keep large freed areas allocated."""
    if set_option := _libc_function("mallopt"):
        set_option(MMAP_THRESHOLD, LARGE)
        set_option(ARENA_MAX, ARENAS)


def _libc_function(name: str) -> Any:
    """Return a function of the C library on Linux; None if there is no such function, or on other systems."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None


def keep_uploads_in_memory() -> None:
    """Prevent uploads from being written to temporary files.

    They do not exhaust the memory, because the server aborts uploads that are too large."""
    from starlette.formparsers import MultiPartParser

    MultiPartParser.spool_max_size = sys.maxsize


def prepare_server() -> None:
    """Import the modules that are needed late, and let every page prepare what its first visitor needs."""
    configure_malloc()
    keep_uploads_in_memory()
    from metrics.corpus import processes
    from metrics.text import languages

    # The model is needed for the first typed word. It is unpacked on another core while modules are imported.
    Thread(target=languages.load_model, name="languages", daemon=True).start()
    processes.worker_niceness()  # report a wrong environment variable before anybody waits for a score
    import viz.pages

    pages_of = viz.pages.__name__
    views = [name for _, name, _ in walk_packages(viz.pages.__path__, f"{pages_of}.") if not name.endswith(".page")]
    for name in (*MODULES, *[f"{viz.__name__}.{name}" for name in SCRIPT_MODULES], *views):
        import_module(name)
    from .components import preload
    from .state.links import pages

    preload.element_scripts()
    for page in pages.all_pages():
        if page.ready:
            page.ready()
    inspect.stack()  # Streamlit calls this at the first element; the first call locates all modules
    # All objects so far live as long as the process, so the garbage collector can ignore them. A typed word creates
    # thousands of objects that vanish without it, so it runs less often than by default.
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 10, 10)
