"""Tests of the start of the Corpus page: uploads, what is reported on them, and that nothing is written to disk."""

import asyncio
import os
import re
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from starlette.requests import Request
from streamlit import config

from metrics.corpus import processes
from metrics.text.formats import File, read
from tests.helpers.app import ROOT
from tests.helpers.corpora import FOLDER
from tests.helpers.corpus_files import line_bytes
from tests.helpers.pages import CorpusPage, State, offered_files, score_corpus, until
from viz.frame import checks, file_intake
from viz.frame.file_intake import FileIntake
from viz.pages.corpus import upload
from viz.ready import keep_uploads_in_memory

pytestmark = pytest.mark.alone  # worker processes check the texts and score them

A, B, REFERENCE = [
    (FOLDER / f"{name}.en.txt").read_text("utf-8").splitlines()
    for name in ("system.MiSS", "system.Online-W", "reference.A")
]


@contextmanager
def forbid_file_writes():
    """Forbid writing any file of more than a kilobyte while the context is active."""
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

    with (
        forbid_file_writes(),
        ThreadPoolExecutor() as pool,
    ):  # in a thread of its own, because this one may have an event loop
        assert pool.submit(asyncio.run, uploaded()).result() == size


# ---------------------------------------------------------------- file warnings


@pytest.fixture
def checks_in_process(monkeypatch):
    """Run the file checks in this process, so that no worker has to start."""
    monkeypatch.setattr(checks, "run_in_process", lambda number, do, *given, stopped: do(*given))


def slipped_files():
    return "\n".join([*B[:20], *B[21:], "the end"])


def paste_texts(**texts):
    """Return the Corpus page after `texts`, by the names of their files, were pasted and checked."""
    page = CorpusPage(corpus_way="paste", **{f"corpus_pasted_{name}": text for name, text in texts.items()})
    for name in ("corpus_uneven", "corpus_check"):
        if name in page.at.session_state:
            until(lambda name=name: page.at.session_state[name][1].ended)
    return page.set_state()


def press_and_check(page, key):
    """Return the Corpus page after the button `key` was pressed and the files were checked again."""
    page.press(key)
    until(lambda: page.at.session_state.corpus_check[1].ended)
    return page.set_state()


def warning_texts(page):
    return page.at.warning[0].value


def button_keys(page):
    return {button.key for button in page.at.button}


def test_a_repair_is_offered_made_when_asked_for_said_and_undone(checks_in_process):
    page = paste_texts(A="\n".join(A), B=slipped_files(), Reference="\n".join(REFERENCE))
    assert "B, line 21: from here on the lines fit the references 1 line after them" in page.html
    assert re.search(r"B: GTM 0\.\d{4} as it is, 0\.\d{4} with line 60 taken out and segment 21 left", page.html)
    assert "B is repaired" not in page.html and "corpus_undo_1" not in button_keys(page)
    press_and_check(page, "corpus_repair_1")
    assert "B is repaired: it is scored with line 60 taken out and segment 21 left empty." in page.html
    assert "from here on" not in page.html and "corpus_repair_1" not in button_keys(page)
    press_and_check(page, "corpus_undo_1")
    assert "B is repaired" not in page.html and "corpus_repair_1" in button_keys(page)


def test_lines_too_few_are_put_right_where_they_show_where(checks_in_process):
    page = paste_texts(A="\n".join(A), B="\n".join([*B[:20], *B[21:]]), Reference="\n".join(REFERENCE))
    assert "B has 59 lines, but A has 60; all must hold the same segments, one a line." in warning_texts(page)
    assert "B can be scored with segment 21 left empty." in page.html and "corpus_score" not in button_keys(page)
    press_and_check(page, "corpus_repair_1")
    assert not page.at.warning and "60 segments, 2 systems" in page.html and "corpus_score" in button_keys(page)
    page.press("corpus_undo_1")
    assert page.at.warning and "corpus_score" not in button_keys(page)


def test_what_looks_wrong_stands_before_the_scores_with_its_segments(checks_in_process, monkeypatch):
    texts = (
        ("a.txt", "\n".join(A)),
        ("b.txt", slipped_files()),
        ("c.txt", "\n".join(A)),
        ("ref.txt", "\n".join(REFERENCE)),
    )
    found = score_corpus(read([File(name, text.encode()) for name, text in texts]), keys=("gtm",))
    page = CorpusPage(found)
    assert "c.txt: all 60 lines are equal to those of a.txt." in page.html
    assert (page.at.session_state.corpus_a, page.at.session_state.corpus_b) == (0, 1)
    page.press("corpus_show_0")  # it is about b, which is compared already: its outputs stand beside the table
    assert (page.at.session_state.corpus_b, page.at.session_state.corpus_seen) == (1, "b")
    assert [segment for segment, *_ in page.component_data_with("rows")["rows"]] == [*range(18, 38)]
    assert found.repairs == {} and found.output_text(1, 20) == B[21]
    page.press("corpus_repair_1")
    found = page.at.session_state.corpus
    until(lambda: "gtm" in found.tables)
    for ending, make in offered_files(found, monkeypatch, metric="gtm").items():
        if ending not in ("xlsx", "csv", "tsv"):  # what is said of CSV and TSV stands in the file of notes
            text = make().decode()
            if ending in ("html", "md"):
                assert "c.txt: all 60 lines are equal to those of a.txt." in text, ending
            assert "b is repaired: it is scored with line 60 taken out and segment 21 left empty." in text
            assert "|repaired:b" in text.replace("\\textbar{}", "|")
    assert [*found.repairs] == ["b"] and found.output_text(1, 20) == "" and found.texts.systems[1][20] == ()
    assert "b is repaired" in page.html
    page.press("corpus_undo_1")
    found = page.at.session_state.corpus
    assert found.repairs == {} and found.output_text(1, 20) == B[21]
    found.stop()


def test_what_does_not_fit_together_is_said_and_can_be_corrected(checks_in_process):
    page = paste_texts(A="one", Reference="one\ntwo")
    assert "Reference has 2 lines, but A has 1; all must hold the same segments, one a line." in warning_texts(page)
    assert "A: one segment per line, 1 line, system A" in page.html and "corpus_correct" in page.at.session_state


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
    monkeypatch.setattr(FileIntake, "draw_uploader", lambda self, way: files)
    page = CorpusPage()
    assert [warning.value.replace("\\", "") for warning in page.at.warning] == [says]
    assert "ref.txt: one segment per line, 2 lines, reference ref" in page.html
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
    monkeypatch.setattr(processes, "_start_and_load_workers", begun.append)
    CorpusPage()
    until(lambda: begun)
    CorpusPage()
    assert begun == [os.cpu_count() or 1]


def test_a_warm_process_has_loaded_what_metrics_read_late():
    script = "import metrics, sys\nfrom metrics.corpus import processes\n"
    script += "processes._load_metrics([*metrics.METRICS])\nbefore = {*sys.modules}\n"
    script += "from metrics.corpus.tasks import *\nfrom metrics.types import Segment\n"
    script += "lines, references = [('the', 'dogs', 'ran', 'here')] * 4, [(('a', 'dog', 'runs'),)] * 4\n"
    script += "part = ScoringCorpus(('A',), (tuple(lines),), tuple(references))\n"
    script += "for key in metrics.METRICS:\n"
    script += "    do_task(ScoringTask(key, metrics.settings(key), 0, 4), part, lambda: False)\n"
    script += "print(sorted({*sys.modules} - before))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_page_says_which_file_to_take_out(checks_in_process):
    """Check that the page names the file to remove where it hides the Score button."""
    page = paste_texts(A="one\ntwo\nthree", B="one\ntwo", Reference="one\ntwo")
    assert "A has 3 lines, but B has 2" in warning_texts(page) and "corpus_score" not in button_keys(page)
    until(lambda: page.at.session_state.corpus_in_the_way[1].ended)
    page.set_state()
    assert [info.value for info in page.at.info] == ["Without A, the others can be scored: remove it above."]
    page = paste_texts(A="one\ntwo", B="one\ntwo", Reference="one\ntwo")
    assert not page.at.info and not page.at.warning and "corpus_score" in button_keys(page)


# ---------------------------------------------------------------- hints


PIECES = ["The o@@ ld hou@@ se was sold"] * 3
WHOLE = ["The old house was sold"] * 3


def test_pieces_are_joined_where_that_is_followed_said_signed_and_undone(checks_in_process):
    page = paste_texts(A="\n".join(PIECES), Reference="\n".join(WHOLE))
    assert re.search(r"A: words are cut into pieces, as “o@@”, .*; GTM 0\.\d{4} as it is, 1\.0000 with the", page.html)
    press_and_check(page, "corpus_follow_0")
    assert "The texts are scored with the pieces joined." in page.html and "as it is" not in page.html
    press_and_check(page, "corpus_restore_pieces")
    assert "are scored with" not in page.html and "as it is" in page.html
    press_and_check(page, "corpus_follow_0")
    page.press("corpus_score")
    found = page.at.session_state.corpus
    until(lambda: "gtm" in found.tables)
    assert found.tables["gtm"].corpus_scores()[0] == 1 and found.output_text(0, 0) == WHOLE[0]
    page.set_state()
    assert "The texts are scored with the pieces joined." in page.html


@pytest.mark.parametrize(
    ("ours", "theirs", "setting", "value"),
    [("今天下午我们去公园", "今天我们去公园散步", "tokenizer", "character"), ("cafe\u0301 x", "café x", "nfkc", True)],
)
def test_a_setting_is_taken_where_that_is_followed(checks_in_process, ours, theirs, setting, value):
    page = paste_texts(A=ours, Reference=theirs)
    assert "as it is" in page.html
    press_and_check(page, "corpus_follow_0")
    assert page.at.session_state[f"text.{setting}"] == value and "as it is" not in page.html


def test_hints_stand_before_the_scores_too(checks_in_process):
    found = score_corpus(read([File("a.txt", line_bytes(PIECES)), File("ref.txt", line_bytes(WHOLE))]), keys=("gtm",))
    page = CorpusPage(found)
    assert "words are cut into pieces" in page.html
    page.press("corpus_follow_0")
    found = page.at.session_state.corpus
    until(lambda: "gtm" in found.tables and found.check.ended)
    assert found.material.cleaned == ("pieces",) and found.tables["gtm"].corpus_scores()[0] == 1
    page.set_state()
    assert "The texts are scored with the pieces joined." in page.html
