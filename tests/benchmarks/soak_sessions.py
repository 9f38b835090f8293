"""Check, in three minutes, that the server frees the memory of visitors who left.

    python -m tests.benchmarks.soak_sessions

Each session uploads its own files to the Corpus page over the WebSocket, without a browser, and leaves when all have
done so. A minute later the server must use no more memory than after its first visitor, except for caches of limited
size. Exits with 1 if it uses more."""

from __future__ import annotations

import asyncio
import random
import sys
import time
import urllib.request
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from tests.benchmarks.bench_load import report
from tests.helpers.app import served
from tests.helpers.corpora import load_lines
from tests.helpers.sessions import PATIENCE, session

SESSIONS, MEGABYTES = 30, 5
MORE = 150  # most additional megabytes at the end
GONE = 75.0  # seconds until memory must be free: a minute, and some more for a busy machine


def corpus_text(number: int, size: int) -> bytes:
    """Return about `size` bytes or a little more of real lines with random numbers, other ones for every `number`."""
    rng, lines = random.Random(number), load_lines("system.MiSS")
    out, left = [], size
    while left > 0:
        out.append(f"{rng.choice(lines)} {rng.randrange(10**9)} {rng.choice(lines)}")
        left -= len(out[-1].encode()) + 1
    return "\n".join(out).encode()


@dataclass
class Visitor:
    """A session of the app without a browser, and what it knows of its page.

    Attributes:
        socket: the connection to the server.
        port: the port of the server.
        name: the session's identifier.
        pages: hashes of the pages' scripts by path.
        page: the hash of the current page's script.
        uploaders: the identifiers of the page's file uploaders.
        buttons: the labels of all buttons so far.
        errors: the messages of all exceptions so far."""

    socket: Any
    port: int
    name: str = ""
    pages: dict[str, str] = field(default_factory=dict)
    page: str = ""
    uploaders: list[str] = field(default_factory=list)
    buttons: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)

    async def run(self, files: Sequence[tuple[str, FileURLs, int]] = ()) -> None:
        """Run the page and wait until the run ends; its uploader gets `files` as (name, addresses, size in bytes)."""
        message = BackMsg()
        message.rerun_script.page_script_hash = self.page
        if files:
            state = message.rerun_script.widget_states.widgets.add()
            state.id = self.uploaders[0]
            for name, urls, size in files:
                info = state.file_uploader_state_value.uploaded_file_info.add()
                info.name, info.size, info.file_id = name, size, urls.file_id
                info.file_urls.CopyFrom(urls)
        message.rerun_script.SetInParent()
        await self.socket.send(message.SerializeToString())
        self.uploaders.clear()
        while not await self.receive_message():
            pass

    async def receive_message(self) -> bool:
        """Read the server's next message, and return whether it ends the run of the page."""
        said = ForwardMsg.FromString(await asyncio.wait_for(self.socket.recv(), PATIENCE))
        match said.WhichOneof("type"):
            case "new_session":
                self.name = said.new_session.initialize.session_id
            case "navigation":
                self.pages = {page.url_pathname: page.page_script_hash for page in said.navigation.app_pages}
            case "delta" if said.delta.WhichOneof("type") == "new_element":
                element = said.delta.new_element
                match element.WhichOneof("type"):
                    case "file_uploader":
                        self.uploaders.append(element.file_uploader.id)
                    case "button":
                        self.buttons.add(element.button.label)
                    case "exception":
                        self.errors.append(element.exception.message)
            case "file_urls_response":
                self.urls = list(said.file_urls_response.file_urls)
            case "script_finished":
                return said.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
        return False

    async def open(self, page: str) -> None:
        """Open the page with the path `page`."""
        await self.run()
        self.page = self.pages[page]
        await self.run()

    async def upload_files(self, files: dict[str, bytes]) -> None:
        """Upload files, given as contents by name, as a browser does.

        It asks the server for addresses, sends the files to them, and runs the page with the files."""
        message = BackMsg()
        message.file_urls_request.request_id = uuid.uuid4().hex
        message.file_urls_request.session_id = self.name
        message.file_urls_request.file_names.extend(files)
        self.urls: list[FileURLs] = []
        await self.socket.send(message.SerializeToString())
        while not self.urls:
            await self.receive_message()
        for (name, data), urls in zip(files.items(), self.urls, strict=True):
            await asyncio.to_thread(upload_file, self.port, urls.upload_url, name, data)
        await self.run([(name, urls, len(data)) for (name, data), urls in zip(files.items(), self.urls, strict=True)])


def upload_file(port: int, address: str, name: str, data: bytes) -> None:
    edge, token = uuid.uuid4().hex, generate_xsrf_token_string()
    head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/{address.lstrip('/')}",
        method="PUT",
        data=b"".join([head.encode(), data, f"\r\n--{edge}--\r\n".encode()]),
        headers={
            "Content-Type": f"multipart/form-data; boundary={edge}",
            "X-Xsrftoken": token,
            "Cookie": f"_streamlit_xsrf={token}",
        },
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        assert answer.status == 204


async def upload_and_wait(port: int, number: int, opening_limit: asyncio.Semaphore, opened: asyncio.Barrier) -> None:
    """Upload a corpus in a new session, and leave once all visitors have uploaded theirs.

    `number` makes the corpus differ from others; `opening_limit` bounds how many visitors open the page at once."""
    async with session(port) as socket:
        visitor = Visitor(socket, port)
        async with opening_limit:
            await visitor.open("corpus")
            half = MEGABYTES * 500_000
            await visitor.upload_files(
                {"system.txt": corpus_text(2 * number, half), "ref.txt": corpus_text(2 * number, half)}
            )
        assert not visitor.errors, visitor.errors[0]
        assert "Score" in visitor.buttons, visitor.buttons
        await opened.wait()


async def run_visitors(port: int, first: int, sessions: int) -> None:
    """Let `sessions` visitors upload a corpus at the same time, numbered from `first`."""
    opening_limit, opened = asyncio.Semaphore(2), asyncio.Barrier(sessions)
    async with asyncio.TaskGroup() as group:
        for n in range(sessions):
            group.create_task(upload_and_wait(port, first + n, opening_limit, opened))


def memory_megabytes(process: psutil.Process) -> float:
    """Return the resident memory of the server's process in megabytes."""
    return float(process.memory_info().rss / 1e6)


def main() -> int:
    with served() as (port, process):
        asyncio.run(run_visitors(port, 0, 1))
        time.sleep(GONE)
        before = memory_megabytes(process)
        asyncio.run(run_visitors(port, 1, SESSIONS))
        most, end = memory_megabytes(process), time.monotonic() + GONE
        while (now := memory_megabytes(process)) > before + MORE and time.monotonic() < end:
            time.sleep(1)
    seconds = GONE - (end - time.monotonic())
    said = f"{before:.0f} MB before, {most:.0f} with all, {now:.0f} after {seconds:.0f} s"
    return int(report(f"{SESSIONS} sessions of {MEGABYTES} MB", said, f"{MORE} MB more", now > before + MORE))


if __name__ == "__main__":
    sys.exit(main())
