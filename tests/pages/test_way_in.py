"""The way into the Corpus page: what is uploaded, what is said of it, and that none of it is written to disk."""

import asyncio
import re
import resource
from contextlib import contextmanager

from corpora import FOLDER
from starlette.requests import Request
from streamlit import config
from test_corpus import Page, scored, until
from test_corpus_files import files

from metrics.text.formats import File, read
from viz.ready import keep_uploads_in_memory

A, B, REFERENCE = [
    (FOLDER / f"{name}.en.txt").read_text("utf-8").splitlines()
    for name in ("system.MiSS", "system.Online-W", "reference.A")
]


@contextmanager
def no_files():
    """No file may be written that has more than a kilobyte, wherever and by whatever name."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_the_largest_upload_stays_in_memory():
    keep_uploads_in_memory()
    size = config.get_option("server.maxUploadSize") * 2**20
    head = b'--x\r\nContent-Disposition: form-data; name="a"; filename="a.txt"\r\n\r\n'
    parts = [head, *[b"a line of text\n\n" * 2**16] * (size // 2**20), b"\r\n--x--\r\n"]
    scope = {"type": "http", "method": "PUT", "headers": [(b"content-type", b"multipart/form-data; boundary=x")]}

    async def receive():
        return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

    async def uploaded():
        (upload,) = (await Request(scope, receive).form()).values()
        return len(await upload.read())

    with no_files():
        assert asyncio.run(uploaded()) == size


# ---------------------------------------------------------------- what looks wrong


def slipped():
    return "\n".join([*B[:20], *B[21:], "the end"])


def pasted(**texts):
    """The page after something was pasted and looked at."""
    page = Page(corpus_way="paste", **{f"corpus_pasted_{name}": text for name, text in texts.items()})
    for name in ("corpus_uneven", "corpus_check"):
        if name in page.at.session_state:
            until(lambda name=name: page.at.session_state[name][1].ended)
    return page.state()


def pressed(page, key):
    """A press, and what is looked at then."""
    page.press(key)
    until(lambda: page.at.session_state.corpus_check[1].ended)
    return page.state()


def keys(page):
    return {button.key for button in page.at.button}


def test_a_repair_is_offered_made_when_asked_for_said_and_undone():
    page = pasted(A="\n".join(A), B=slipped(), Reference="\n".join(REFERENCE))
    assert "B, line 21: from here on the lines fit the references 1 line after them" in page.html
    assert re.search(r"B: GTM 0\.\d{4} as it stands, 0\.\d{4} with line 60 taken out and segment 21 left", page.html)
    assert "B is repaired" not in page.html and "corpus_undo_1" not in keys(page)
    pressed(page, "corpus_repair_1")
    assert "B is repaired: it is scored with line 60 taken out and segment 21 left empty." in page.html
    assert "from here on" not in page.html and "corpus_repair_1" not in keys(page)
    pressed(page, "corpus_undo_1")
    assert "B is repaired" not in page.html and "corpus_repair_1" in keys(page)


def test_lines_too_few_are_put_right_where_they_show_where():
    page = pasted(A="\n".join(A), B="\n".join([*B[:20], *B[21:]]), Reference="\n".join(REFERENCE))
    assert "B has 59 lines, but A has 60; all must hold the same segments, one a line." in page.at.warning[0].value
    assert "B can be scored with segment 21 left empty." in page.html and "corpus_score" not in keys(page)
    pressed(page, "corpus_repair_1")
    assert not page.at.warning and "60 segments, 2 systems" in page.html and "corpus_score" in keys(page)
    page.press("corpus_undo_1")
    assert page.at.warning and "corpus_score" not in keys(page)


def test_what_looks_wrong_stands_before_the_scores_with_its_segments(monkeypatch):
    texts = (("a.txt", "\n".join(A)), ("b.txt", slipped()), ("c.txt", "\n".join(A)), ("ref.txt", "\n".join(REFERENCE)))
    found = scored(read([File(name, text.encode()) for name, text in texts]), keys=("gtm",))
    page = Page(found)
    assert "c.txt: all 60 lines are equal to those of a.txt." in page.html
    page.press("corpus_show_0")
    assert [row["segment"] for row in page.told("rows")["rows"]] == [*range(18, 38)]
    assert found.made == {} and found.line(1, 20) == B[21]
    page.press("corpus_repair_1")
    found = page.at.session_state.corpus
    until(lambda: "gtm" in found.tables)
    for ending, make in files(found, monkeypatch, metric="gtm").items():
        if ending != "xlsx":
            text = make().decode()
            assert "b is repaired: it is scored with line 60 taken out and segment 21 left empty." in text
            assert "|repaired:b" in text.replace("\\textbar{}", "|")
    assert [*found.made] == ["b"] and found.line(1, 20) == "" and found.texts.systems[1][20] == ()
    assert "b is repaired" in page.html
    page.press("corpus_undo_1")
    found = page.at.session_state.corpus
    assert found.made == {} and found.line(1, 20) == B[21]
    found.stop()
