"""Tests in a browser of the way through the Corpus page, from choosing files to opening a segment.

They use real texts, the mouse and the keyboard. Some use two visitors, a scoring job that is stopped, or a server
that dies. The server cannot write a file of more than a few kilobytes, so that uploads stay off the disk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.helpers.app import end_app, free_port, served, start_app
from tests.helpers.browsing import FILES, address, files_for_chooser, open_corpus_page, settle, tile
from tests.helpers.corpora import FOLDER, REAL, REFERENCE
from viz.frame import visitor_corpora

pytestmark = pytest.mark.alone

# Code that stops the process from writing large files, once the language model has been unpacked to one.
NOT_ON_DISK = """
import resource
most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
from metrics.text import languages
languages.recognise_language(["the cat sat on the mat"])
resource.setrlimit(resource.RLIMIT_FSIZE, (65536, most))
"""
SYSTEMS = ("system.1", "system.2", "reference")
SLOVAK = FOLDER.parent / "ted-sk-en"
# Two systems and the reference of each of two corpora.
CORPORA = {
    "ted-zh-en": [*REAL, REFERENCE],
    "ted-sk-en": [(SLOVAK / f"{name}.en.txt").read_text("utf-8").splitlines() for name in SYSTEMS],
}
NUMBERS = "[...document.querySelectorAll('.st-key-strip')].some(e => /\\d\\.\\d/.test(e.innerText))"


@pytest.fixture(scope="module")
def diskless_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a server that cannot write uploads to disk."""
    first = tmp_path_factory.mktemp("first")
    (first / "sitecustomize.py").write_text(NOT_ON_DISK)
    with served(first=first) as app:
        yield app.address


def start_scoring(page: Any) -> None:
    page.locator(".st-key-corpus_score button").click()
    page.wait_for_function(NUMBERS)


def test_large_files_are_scored_stopped_and_found_again_and_are_on_no_disk(
    page_opener: Any, see: Any, diskless_address: str
) -> None:
    page, other = page_opener(), page_opener(locale="en-GB")
    open_corpus_page(page, diskless_address)
    large = [[f"{line} {n}" for n in range(160) for line in lines] for lines in (*REAL, REFERENCE)]
    page.set_input_files(FILES, files_for_chooser(("whales.txt", large[0]), ("b.txt", large[1]), ("ref.txt", large[2])))
    see(page.locator(".recognised")).to_contain_text("9,600 segments, 2 systems, 1 reference")
    start_scoring(page)
    open_corpus_page(
        other, diskless_address
    )  # a second visitor, who neither waits for the first nor sees the first one's texts
    other.get_by_role("button", name="Score the sample corpus").click()
    other.wait_for_function(NUMBERS)
    see(other.locator(".segments .row").first).to_be_visible()
    assert "whales" not in other.content()
    see(page.locator(".stMain").get_by_role("button", name="Stop")).to_be_visible()
    page.reload()
    see(page.locator(".stMain").get_by_role("button", name="Stop")).to_be_visible()
    page.wait_for_function(NUMBERS)
    page.locator(".stMain").get_by_role("button", name="Stop").click()
    see(page.locator(".stMain").get_by_role("button", name="Stop")).to_have_count(0)
    see(page.locator(".st-key-strip")).to_contain_text("–")
    page.get_by_role("button", name="Other texts").click()  # the chosen files are still there
    see(page.locator(".recognised")).to_contain_text("9,600 segments")
    see(page.get_by_text("From before: whales.txt, b.txt, ref.txt")).to_be_visible()


def test_a_file_that_is_too_large_is_said_in_words(
    page_opener: Any, see: Any, diskless_address: str, tmp_path: Any
) -> None:
    large = tmp_path / "large.txt"
    large.write_bytes(b"a line\n" * 8_000_000)
    page = page_opener()
    open_corpus_page(page, diskless_address)
    page.set_input_files(FILES, str(large))
    chip = page.locator("[data-testid=stFileChip]")
    see(chip).to_contain_text("large.txt")
    assert "at most 50 MB" in chip.evaluate("e => getComputedStyle(e, '::after').content")
    page.set_input_files(FILES, files_for_chooser(("small.txt", ["one"])))
    see(page.locator(".recognised")).to_contain_text("small.txt")
    small = page.locator("[data-testid=stFileChip]", has_text="small.txt")
    assert small.evaluate("e => getComputedStyle(e, '::after').content") == "none"


@pytest.mark.parametrize("corpus", CORPORA)
def test_the_whole_way_by_mouse_with_lines_that_slipped(
    page_opener: Any, see: Any, diskless_address: str, corpus: str
) -> None:
    page = page_opener()
    open_corpus_page(page, diskless_address)
    before, after, reference = CORPORA[corpus]
    slipped = [*after[:20], *after[21:]]
    page.set_input_files(
        FILES, files_for_chooser(("before.txt", before), ("after.txt", slipped), ("ref.txt", reference))
    )
    see(page.get_by_text("after.txt, line 21: from here on the lines fit the references")).to_be_visible()
    page.get_by_role("button", name="Repair after").click()
    see(page.get_by_text("after is repaired: it is scored with segment 21 left empty.")).to_be_visible()
    start_scoring(page)
    see(page.locator(".story .verdict")).to_contain_text("after")
    above = "document.querySelector('.st-key-corpus_doubts').getBoundingClientRect().bottom"
    assert page.evaluate(f"{above} <= document.querySelector('.st-key-strip').getBoundingClientRect().top + 1")
    page.locator(".segments .row").nth(3).click()
    number = page.locator(".segments .row.chosen").get_attribute("data-segment")
    see(page.locator(".segment_head h2")).to_have_text(f"Segment {int(number) + 1}")
    page.locator(".segment_head .open").click()
    page.wait_for_url("**/compare**")
    page.go_back()
    see(page.locator(f".segments .row.chosen[data-segment='{number}']")).to_be_visible()


def test_the_whole_way_by_keyboard(page_opener: Any, see: Any, diskless_address: str) -> None:
    page = page_opener()
    open_corpus_page(page, diskless_address)
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText") == "Score the sample corpus":
            break
    page.keyboard.press("Enter")
    see(page.locator(".segments .row").first).to_be_visible()
    see(page.get_by_text("Looking ")).to_have_count(0)  # findings that arrive may change the order
    see(page.locator(".stMain").get_by_role("button", name="Stop")).to_have_count(0)
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.segments')"):
            break
    first = page.locator(".segments .row.chosen").get_attribute("data-segment")
    page.keyboard.press("ArrowDown")
    see(page.locator(f".segments .row.chosen:not([data-segment='{first}'])")).to_be_visible()
    number = page.locator(".segments .row.chosen").get_attribute("data-segment")
    see(page.locator(".segment_head h2")).to_have_text(f"Segment {int(number) + 1}")
    page.keyboard.press("Enter")
    page.wait_for_url("**/compare**")
    page.go_back()
    see(page.locator(f".segments .row.chosen[data-segment='{number}']")).to_be_visible()


def test_a_server_that_dies_is_said_and_notes_and_settings_are_there(page_opener: Any, see: Any) -> None:
    port = free_port()
    app = start_app(port)
    page = page_opener()
    try:
        open_corpus_page(page, f"http://127.0.0.1:{port}")
        page.get_by_role("button", name="Score the sample corpus").click()
        see(page.locator(".segments .row").first).to_be_visible()
        page.locator("[data-sort=delta]").click()
        page.locator(".segment_head .marks summary").click()
        page.locator(".segment_head textarea").fill("lost here")
        page.locator(".segment_head textarea").press("Tab")
        page.wait_for_url("**sort=delta**")
        settle(page)  # the server has received what was typed
        end_app(app)
        page.wait_for_selector(".stApp:not([data-test-connection-state=CONNECTED])")
        app = start_app(port)
        see(page.get_by_text(visitor_corpora.LOST)).to_be_visible()
        page.get_by_role("button", name="Score the sample corpus").click()
        see(page.locator(".segments .row").first).to_be_visible()
        see(page.locator(".segment_head textarea")).to_have_value("lost here")
        assert "sort=delta" in page.url
    finally:
        end_app(app)


def test_a_link_opened_elsewhere_asks_for_its_texts_and_shows_the_same(
    page_opener: Any, see: Any, diskless_address: str
) -> None:
    page, other = (
        page_opener(),
        page_opener(locale="sk-SK"),
    )  # the other's context has nothing kept
    files = files_for_chooser(("MiSS.txt", REAL[0]), ("Online-W.txt", REAL[1]), ("ref.txt", REFERENCE))
    open_corpus_page(page, diskless_address)
    page.set_input_files(FILES, files)
    start_scoring(page)
    tile(page, "ter").click()
    see(tile(page, "ter")).to_have_attribute("aria-checked", "true")
    field = page.locator(".st-key-corpus_expression input")
    field.fill("ter is more than 0.3 and length > 12")
    field.press("Enter")
    see(page.locator(".st-key-corpus_controls")).to_contain_text("of 60 segments, TER")
    page.locator(".segments .row").nth(3).click()
    number = page.locator(".segments .row").nth(3).get_attribute("data-segment")
    see(page.locator(".segment_head h2")).to_have_text(f"Segment {int(number) + 1}")
    settle(page)
    shown = shown_view(page)
    assert shown["ter"] == "true" and shown["filter"] == "ter is more than 0.3 and length > 12"
    other.goto(address(page))
    wanted = other.locator(".st-key-corpus_wanted")
    see(wanted).to_contain_text(
        "This link is of texts that are not here: the outputs of “MiSS” and “Online-W” and the reference “ref”"
    )
    see(wanted).to_contain_text("60 segments, in English")
    other.set_input_files(FILES, files_for_chooser(("MiSS.txt", REAL[0][:-1]), ("ref.txt", REFERENCE[:-1])))
    see(wanted).to_contain_text("the output of “MiSS” has 59 lines and there 60; the output of “Online-W” is missing")
    other.reload()
    see(wanted).to_contain_text("This link is of texts that are not here")
    other.set_input_files(FILES, files[::-1])
    see(wanted).to_contain_text("These are the texts of the link.")
    start_scoring(other)
    see(other.locator(".segment_head h2")).to_have_text(f"Segment {int(number) + 1}")
    see(other.locator(".st-key-corpus_controls")).to_contain_text("of 60 segments, TER")
    settle(other)
    assert shown_view(other) == shown


def shown_view(page: Any) -> dict[str, Any]:
    """Return what a link to a scored corpus has to restore, as the page shows it."""
    return {
        "ter": tile(page, "ter").get_attribute("aria-checked"),
        "filter": page.locator(".st-key-corpus_expression input").input_value(),
        "selected": page.locator(".st-key-corpus_controls .lead_line").inner_text(),
        "rows": page.locator(".segments .row").evaluate_all("rows => rows.slice(0, 4).map(e => e.dataset.segment)"),
        "segment": page.locator(".segment_head h2").inner_text(),
        "systems": page.locator(".segments .heads").inner_text(),
    }
