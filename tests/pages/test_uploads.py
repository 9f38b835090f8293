"""Tests that a session's uploads are limited in total and deleted with it, and that rejected ones are reported."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from streamlit.runtime.caching.ttl_cache import TTLCache
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from metrics.text.formats import File
from tests.helpers.pages import State
from viz import ready
from viz.draw.pen import short_texts
from viz.frame import file_intake, uploads
from viz.frame.file_intake import FileIntake
from viz.state.visit import session


@pytest.fixture
def manager(monkeypatch):
    monkeypatch.setattr(uploads, "MOST", 10 * 2**20)
    made = MemoryUploadedFileManager("/upload")
    uploads.limit_session_bytes(made)
    return made


def add_upload(manager, name, size, session="one"):
    manager.add_file(session, UploadedFileRec(name, f"{name}.txt", "text/plain", b"x" * size))


def held_sizes(manager, session="one"):
    return {name: len(each.data) for name, each in manager.file_storage[session].items()}


def test_of_a_session_no_more_is_kept_than_fits(manager):
    add_upload(manager, "a", 6 * 2**20)
    add_upload(manager, "b", 5 * 2**20)
    add_upload(manager, "c", 3 * 2**20)
    assert held_sizes(manager) == {"a": 6 * 2**20, "b": 0, "c": 3 * 2**20}
    add_upload(manager, "b", 5 * 2**20, "another")
    assert held_sizes(manager, "another") == {"b": 5 * 2**20}
    add_upload(manager, "a", 2**20)  # the same file again
    add_upload(manager, "b", 5 * 2**20)
    assert held_sizes(manager) == {"a": 2**20, "b": 5 * 2**20, "c": 3 * 2**20}


def test_many_empty_files_do_not_fit_either(manager):
    most = 10 * 2**20 // uploads.LEAST
    for n in range(most + 1000):
        add_upload(manager, str(n), 0)
    assert len(held_sizes(manager)) == most + uploads.LEFT_OUT_MOST


class FakeUpload:
    def __init__(self, name, data, kind="text/plain"):
        self.name, self.data, self.type = name, data, kind

    def getvalue(self):
        return self.data


def test_what_is_left_out_is_one_sentence_and_the_others_stay(monkeypatch):
    monkeypatch.setattr(uploads, "MOST", 2**20)
    state, said = State({"x_before": (File("old.txt", b"o" * 600_000),)}), []
    monkeypatch.setattr(file_intake.st, "session_state", state)
    monkeypatch.setattr(file_intake.st, "warning", said.append)
    files = [
        FakeUpload("<b>$x$.txt", b"", uploads.LEFT_OUT),
        FakeUpload("a.txt", b"a" * 300_000),
        FakeUpload("b.txt", b"b" * 300_000),
        FakeUpload("old again.txt", b"o" * 600_000),
    ]
    monkeypatch.setattr(file_intake.st, "file_uploader", lambda *args, **more: files)
    chosen = FileIntake("x", "Files", ()).draw_uploader("files")
    assert [file.name for file in chosen] == ["old.txt", "a.txt", "old again.txt"]
    (says,) = said
    assert says.replace("\\", "") == (
        "<b>$x$.txt, b.txt are left out: the limit for all files together is 1 MB. Remove others, then add them again."
    )


def test_names_of_many_files_that_are_left_out_are_few():
    files = [FakeUpload(f"{n}.txt", b"", uploads.LEFT_OUT) for n in range(7)]
    kept, says = uploads.keep_fitting_files((), files)
    assert kept == () and says.startswith("0.txt, 1.txt, 2.txt, 3.txt, 4.txt and 2 more are left out")
    assert uploads.keep_fitting_files((), files[:1])[1].startswith("0.txt is left out")


# ---------------------------------------------------------------- what is freed when a session ends


class FakeSession:
    def __init__(self):
        self.ended = 0

    def shutdown(self):
        self.ended += 1


def test_a_session_that_has_left_is_ended_though_nobody_else_comes(monkeypatch):
    """Check that a session ends after its visitor left, even if no other visitor comes.

    The test uses Streamlit's private names for its stored sessions."""
    now, given_back = [0.0], []
    storage = MemorySessionStorage()
    storage._cache = TTLCache(128, 45, timer=lambda: now[0])
    manager = WebsocketSessionManager(storage, None, None, None)
    left, later = FakeSession(), FakeSession()
    storage._cache["left"] = SessionInfo(None, left, 1)
    now[0] = 30.0
    storage._cache["later"] = SessionInfo(None, later, 1)
    now[0] = 46.0
    monkeypatch.setattr(ready, "LOOK", 0.0)
    monkeypatch.setattr(ready, "return_memory", lambda: given_back.append(left.ended))

    async def forget():
        forgetting = asyncio.create_task(ready.end_lost_sessions(SimpleNamespace(_session_mgr=manager)))
        while not given_back:
            await asyncio.sleep(0.001)
        forgetting.cancel()

    # Run in another thread: if a browser test ran before, this thread has a running event loop.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, forget()).result()
    assert (left.ended, later.ended, {*given_back}) == (1, 0, {1})
    assert [*storage._cache] == ["later"]


def test_memory_can_be_given_back():
    ready.return_memory()


def test_long_texts_are_not_remembered():
    found = []

    @short_texts.cache_short_texts
    def find(text, more=0):
        found.append(text)
        return len(text) + more

    long = "x" * (short_texts.LONGEST + 1)
    assert [find("a"), find("a"), find("a", 1), find(long), find(long, 2)] == [1, 1, 2, len(long), len(long) + 2]
    assert found == ["a", "a", long, long]


def test_texts_of_former_loads_are_kept_as_far_as_they_fit(monkeypatch):
    texts = {"candidate": "x" * 400}
    monkeypatch.setattr(session, "LETTERS_MOST", 1_000)
    monkeypatch.setattr(session.link, "text_parameters", lambda shown: texts)
    monkeypatch.setattr(session, "read_state", lambda record: None)
    page = SimpleNamespace(name="sentence", content_key="been", record=None)
    monkeypatch.setattr(session.pages, "all_pages", lambda: [page])
    state = State({"been": True, "typed": {}, "load": 0, "loads": 0})
    monkeypatch.setattr(session.st, "session_state", state)
    for _ in range(4):
        session.keep_texts_of_load()
    assert [*state.typed] == [2, 3]
    texts["candidate"] = "x" * 2_000
    session.keep_texts_of_load()
    assert [*state.typed] == [4] and state.typed[4] == {"sentence": texts}
