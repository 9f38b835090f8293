"""The way into the Corpus page: what is uploaded, what is said of it, and that none of it is written to disk."""

import asyncio
import os
import re
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from conftest import ROOT, State
from corpora import FOLDER
from starlette.requests import Request
from streamlit import config
from test_corpus import Page, scored, until
from test_corpus_files import files

from metrics.corpus import processes
from metrics.text.formats import File, read
from viz.frame import checks, file_intake
from viz.frame.file_intake import FileIntake
from viz.pages.corpus import upload
from viz.ready import keep_uploads_in_memory

pytestmark = pytest.mark.alone  # worker processes look through the texts and score them

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

    with no_files(), ThreadPoolExecutor() as pool:  # in a thread of its own, as this one may have a loop
        assert pool.submit(asyncio.run, uploaded()).result() == size


# ---------------------------------------------------------------- what looks wrong


@pytest.fixture
def here(monkeypatch):
    """What looks wrong is looked for by this process, which need not be started."""
    monkeypatch.setattr(checks, "run_in_process", lambda number, do, *given, stopped: do(*given))


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


def warned(page):
    return page.at.warning[0].value


def keys(page):
    return {button.key for button in page.at.button}


def test_a_repair_is_offered_made_when_asked_for_said_and_undone(here):
    page = pasted(A="\n".join(A), B=slipped(), Reference="\n".join(REFERENCE))
    assert "B, line 21: from here on the lines fit the references 1 line after them" in page.html
    assert re.search(r"B: GTM 0\.\d{4} as it stands, 0\.\d{4} with line 60 taken out and segment 21 left", page.html)
    assert "B is repaired" not in page.html and "corpus_undo_1" not in keys(page)
    pressed(page, "corpus_repair_1")
    assert "B is repaired: it is scored with line 60 taken out and segment 21 left empty." in page.html
    assert "from here on" not in page.html and "corpus_repair_1" not in keys(page)
    pressed(page, "corpus_undo_1")
    assert "B is repaired" not in page.html and "corpus_repair_1" in keys(page)


def test_lines_too_few_are_put_right_where_they_show_where(here):
    page = pasted(A="\n".join(A), B="\n".join([*B[:20], *B[21:]]), Reference="\n".join(REFERENCE))
    assert "B has 59 lines, but A has 60; all must hold the same segments, one a line." in warned(page)
    assert "B can be scored with segment 21 left empty." in page.html and "corpus_score" not in keys(page)
    pressed(page, "corpus_repair_1")
    assert not page.at.warning and "60 segments, 2 systems" in page.html and "corpus_score" in keys(page)
    page.press("corpus_undo_1")
    assert page.at.warning and "corpus_score" not in keys(page)


def test_what_looks_wrong_stands_before_the_scores_with_its_segments(here, monkeypatch):
    texts = (("a.txt", "\n".join(A)), ("b.txt", slipped()), ("c.txt", "\n".join(A)), ("ref.txt", "\n".join(REFERENCE)))
    found = scored(read([File(name, text.encode()) for name, text in texts]), keys=("gtm",))
    page = Page(found)
    assert "c.txt: all 60 lines are equal to those of a.txt." in page.html
    page.press("corpus_show_0")
    assert [segment for segment, *_ in page.told("rows")["rows"]] == [*range(18, 38)]
    assert found.repairs == {} and found.line(1, 20) == B[21]
    page.press("corpus_repair_1")
    found = page.at.session_state.corpus
    until(lambda: "gtm" in found.tables)
    for ending, make in files(found, monkeypatch, metric="gtm").items():
        if ending != "xlsx":
            text = make().decode()
            assert "b is repaired: it is scored with line 60 taken out and segment 21 left empty." in text
            assert "|repaired:b" in text.replace("\\textbar{}", "|")
    assert [*found.repairs] == ["b"] and found.line(1, 20) == "" and found.texts.systems[1][20] == ()
    assert "b is repaired" in page.html
    page.press("corpus_undo_1")
    found = page.at.session_state.corpus
    assert found.repairs == {} and found.line(1, 20) == B[21]
    found.stop()


def test_what_does_not_fit_together_is_said_and_can_be_corrected(here):
    page = pasted(A="one", Reference="one\ntwo")
    assert "Reference has 2 lines, but A has 1; all must hold the same segments, one a line." in warned(page)
    assert "A: one segment a line, 1 line, system A" in page.html and "corpus_correct" in page.at.session_state


BAD = {
    "empty": (b"", "a.txt is empty; it must have at least one line."),
    "binary": (b"\x89PNG\r\n", "a.txt must be UTF-8, but byte 1 of line 1 is 0x89."),
    "few": (b"one\n", "a.txt has 1 line, but ref.txt has 2; all must hold the same segments, one a line."),
    "many": (
        b"one\ntwo\nthree\n",
        "a.txt has 3 lines, but ref.txt has 2; all must hold the same segments, one a line.",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_with_a_file_is_one_sentence_and_the_others_stay(case, monkeypatch):
    data, says = BAD[case]
    files = [File("a.txt", data), File("ref.txt", b"one\ntwo\n"), File("<b>\u202e$x$" + "y" * 300 + ".txt", b"1\n2\n")]
    monkeypatch.setattr(FileIntake, "chosen_files", lambda self: files)
    page = Page()
    assert [warning.value.replace("\\", "") for warning in page.at.warning] == [says]
    assert "ref.txt: one segment a line, 2 lines, reference ref" in page.html
    assert "&lt;b&gt;" in page.html and "<b>" not in page.html.replace("<b>3 ", "") and "\u202e" not in page.html


def test_two_files_of_one_name_are_two():
    files = [
        File("a.b.txt", b"one\n"),
        File("a.b.txt", b"two\n"),
        File("a.b.txt", b"one\n"),
        File("a", b""),
        File("a", b"x"),
    ]
    assert [file.name for file in file_intake.distinct_files(files)] == ["a.b.txt", "a (2).b.txt", "a", "a (2)"]


def test_chosen_files_are_there_when_the_browser_has_them_no_longer(monkeypatch):
    state = {"corpus_listed": (File("a.txt", b"one"),), "corpus_before": (File("ref.txt", b"one"),)}
    monkeypatch.setattr(file_intake.st, "session_state", State(state))
    upload.ENTRY.keep_files()
    upload.ENTRY.keep_files()
    assert [file.name for file in file_intake.st.session_state.corpus_before] == ["ref.txt", "a.txt"]


# ---------------------------------------------------------------- the processes


def test_processes_are_warm_before_there_is_anything_to_score(monkeypatch):
    monkeypatch.setattr(processes, "_warmed", {})
    begun = []
    monkeypatch.setattr(processes, "_warm", begun.append)
    Page()
    until(lambda: begun)
    Page()
    assert begun == [os.cpu_count() or 1]


def test_a_warm_process_has_loaded_what_metrics_read_late():
    script = "import metrics, sys\nfrom metrics.corpus import processes\n"
    script += "processes._load([*metrics.METRICS])\nbefore = {*sys.modules}\n"
    script += "from metrics.corpus.tasks import *\nfrom metrics.types import Segment\n"
    script += "lines, references = [('the', 'dogs', 'ran', 'here')] * 4, [(('a', 'dog', 'runs'),)] * 4\n"
    script += "part = ScoringCorpus(('A',), (tuple(lines),), tuple(references))\n"
    script += "for key in metrics.METRICS:\n"
    script += "    work_on(ScoringTask(key, metrics.settings(key), 0, 4), part, lambda: False)\n"
    script += "print(sorted({*sys.modules} - before))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_page_says_which_file_to_take_out(here):
    """Where it hides the button that scores."""
    page = pasted(A="one\ntwo\nthree", B="one\ntwo", Reference="one\ntwo")
    assert "A has 3 lines, but B has 2" in warned(page) and "corpus_score" not in keys(page)
    until(lambda: page.at.session_state.corpus_in_the_way[1].ended)
    page.state()
    assert [info.value for info in page.at.info] == ["Without A the others can be scored: take it out above."]
    page = pasted(A="one\ntwo", B="one\ntwo", Reference="one\ntwo")
    assert not page.at.info and not page.at.warning and "corpus_score" in keys(page)


# ---------------------------------------------------------------- hints


PIECES = ["The o@@ ld hou@@ se was sold"] * 3
WHOLE = ["The old house was sold"] * 3


def test_pieces_are_joined_where_that_is_followed_said_signed_and_undone(here):
    page = pasted(A="\n".join(PIECES), Reference="\n".join(WHOLE))
    assert re.search(
        r"A: words are cut into pieces, as “o@@”, .*; GTM 0\.\d{4} as it stands, 1\.0000 with the", page.html
    )
    pressed(page, "corpus_follow_0")
    assert "The texts are scored with the pieces joined." in page.html and "as it stands" not in page.html
    pressed(page, "corpus_restore_pieces")
    assert "are scored with" not in page.html and "as it stands" in page.html
    pressed(page, "corpus_follow_0")
    page.press("corpus_score")
    found = page.at.session_state.corpus
    until(lambda: "gtm" in found.tables)
    assert found.tables["gtm"].corpus_scores()[0] == 1 and found.line(0, 0) == WHOLE[0]
    page.state()
    assert "The texts are scored with the pieces joined." in page.html


@pytest.mark.parametrize(
    ("ours", "theirs", "setting", "value"),
    [("今天下午我们去公园", "今天我们去公园散步", "tokenizer", "character"), ("cafe\u0301 x", "café x", "nfkc", True)],
)
def test_a_setting_is_taken_where_that_is_followed(here, ours, theirs, setting, value):
    page = pasted(A=ours, Reference=theirs)
    assert "as it stands" in page.html
    pressed(page, "corpus_follow_0")
    assert page.at.session_state[f"text.{setting}"] == value and "as it stands" not in page.html


def test_hints_stand_before_the_scores_too(here):
    found = scored(read([File("a.txt", lines(PIECES)), File("ref.txt", lines(WHOLE))]), keys=("gtm",))
    page = Page(found)
    assert "words are cut into pieces" in page.html
    page.press("corpus_follow_0")
    found = page.at.session_state.corpus
    until(lambda: "gtm" in found.tables and found.check.ended)
    assert found.material.cleaned == ("pieces",) and found.tables["gtm"].corpus_scores()[0] == 1
    page.state()
    assert "The texts are scored with the pieces joined." in page.html


def lines(texts):
    return "".join([f"{text}\n" for text in texts]).encode()
