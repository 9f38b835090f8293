"""What is done once before the first visitor is served.

Modules that are used late are imported here. Imported by the first visitors, many at a time and each from another end,
they would see each other half made; and the first one would wait for all of them.
"""

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

LOOK = 5.0  # seconds between two looks for sessions that have left
AGAIN = 4  # looks at which memory is given back: what was still done for them ends meanwhile
#: Options of glibc's `mallopt`, by their numbers there: the bytes from which on something is large, and for how many
#: threads at once small things have places of their own.
MMAP_THRESHOLD, LARGE = -3, 256 * 1024
ARENA_MAX, ARENAS = -8, 2
YOUNG = 20_000  # things made and still there, after which the collector looks at the young ones

MODULES = (
    "joblib.externals.loky",
    "nltk.stem",
    "numpy",
    "pandas",
    "plotly.graph_objects",
    "plotly.io",
    "pyarrow",
    "regex",
    "streamlit.elements.plotly_chart",
)


@asynccontextmanager
async def ready(app: object) -> AsyncIterator[None]:
    """Around the server's life."""
    from streamlit import runtime

    from .frame import uploads

    get_ready()
    instance = runtime.get_instance()
    uploads.bound(cast(uploads.Uploads, instance.uploaded_file_mgr))
    forgetting = asyncio.create_task(forget_who_left(instance))
    try:
        yield
    finally:
        forgetting.cancel()
        with suppress(asyncio.CancelledError):
            await forgetting


async def forget_who_left(runtime: Any) -> None:
    """End the sessions whose browsers are gone for `server.disconnectedSessionTTL` seconds. Streamlit looks for them
    only when the next one leaves, and keeps till then all that they hold."""
    looks_left = 0
    while True:
        await asyncio.sleep(LOOK)
        looks_left = AGAIN if _end(runtime._session_mgr._session_storage._cache.expire()) else max(0, looks_left - 1)
        if looks_left:
            await asyncio.to_thread(give_back)


def _end(sessions: Sequence[tuple[str, Any]]) -> bool:
    """End sessions, where there are any."""
    for _, each in sessions:
        each.session.shutdown()
    return bool(sessions)


def give_back() -> None:
    """Give the system the memory that nobody needs any more, as far as the C library can."""
    gc.collect()
    if trim := _of_libc("malloc_trim"):
        trim(0)


def keep_memory_whole() -> None:
    """Have glibc take what is large, such as a visitor's file, from the system piece by piece, and what is small for
    all threads from the same places: else some of what stays keeps much of what went."""
    if set_option := _of_libc("mallopt"):
        set_option(MMAP_THRESHOLD, LARGE)
        set_option(ARENA_MAX, ARENAS)


def _of_libc(name: str) -> Any:
    """A function of the C library, None where it has none of that name."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None


def keep_uploads_in_memory() -> None:
    """Let no upload be written to a temporary file while it comes in: the server breaks off what is too large."""
    from starlette.formparsers import MultiPartParser

    MultiPartParser.spool_max_size = sys.maxsize


def get_ready() -> None:
    """Import what is imported late, and make ready what each page needs."""
    keep_memory_whole()
    keep_uploads_in_memory()
    from metrics.corpus import processes
    from metrics.text import languages

    # The first typed word asks for it. It is unpacked, on another processor, while modules are imported.
    Thread(target=languages.load_model, name="languages", daemon=True).start()
    processes.niceness()  # what the environment says wrong is said before anybody waits for a score
    import viz.pages

    pages_of = viz.pages.__name__
    views = [name for _, name, _ in walk_packages(viz.pages.__path__, f"{pages_of}.") if not name.endswith(".page")]
    for name in (*MODULES, f"{viz.__name__}.components.address", *views):
        import_module(name)
    from .components import preload
    from .state import pages

    preload.elements()
    for page in pages.listed():
        if page.ready:
            page.ready()
    inspect.stack()  # which Streamlit asks for at the first element, and which looks where all modules lie
    # What is here now stays: the collector need not look through it again. A typed word makes some thousands of things
    # that go away by themselves, so it looks at the young ones less often than it would.
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 10, 10)
