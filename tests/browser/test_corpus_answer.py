"""Tests in a browser of what the Corpus page says first, by mouse and by keyboard.

It says which system is better by how many metrics, why, and which sentences show it best. Each statement leads to
its segments and back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.helpers.browsing import score_corpus, settle
from tests.helpers.corpora import FOLDER, REFERENCE, load_lines

pytestmark = pytest.mark.alone

SPOILED = re.compile(r"\b(the|is|of)\b ")
TOP = "document.querySelector('.segment_head').getBoundingClientRect().top"
# Return whether the table shows the chosen row without scrolling.
INSIDE = """() => {
    const room = document.querySelector('.segments').getBoundingClientRect();
    const {top, bottom} = document.querySelector('.segments .row.chosen').getBoundingClientRect();
    return top >= room.top && bottom <= room.bottom + 1;
}"""
SCROLLED = "document.querySelector('.stMain').scrollTop"


@pytest.fixture(scope="module")
def page(new_page: Any, app_url: str) -> Iterator[Any]:
    """Yield the Corpus page after it has scored two systems and computed all findings.

    "Good" is a real system; "Bad" is the same output with some words missing."""
    page = new_page()
    page.set_viewport_size({"width": 1280, "height": 720})
    good = load_lines("system.MiSS")
    bad = [SPOILED.sub("", line) for line in good]
    source = (FOLDER / "source.zh.txt").read_text("utf-8").splitlines()
    named = (("Good.txt", good), ("Bad.txt", bad), ("reference.A.txt", REFERENCE), ("source.zh.txt", source))
    score_corpus(page, app_url, *named)
    page.wait_for_selector(".kinds.words")
    page.wait_for_selector("text=Looking for", state="detached")
    settle(page)
    yield page
    page.close()


@pytest.fixture
def page_at_top(page: Any) -> Any:
    """Return the Corpus page, scrolled to its top, with no filter on its segments."""
    while (chosen := page.locator("[class*=st-key-corpus_part_] button")).count():
        chosen.first.click()
        settle(page)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.evaluate(f"{SCROLLED} = 0")
    return page


def test_the_answer_is_in_the_first_screen(page_at_top: Any) -> None:
    for part in (".across", ".story .verdict", ".strip", ".corpus_ledger", ".kinds .fewer"):
        assert page_at_top.locator(part).first.evaluate("e => e.getBoundingClientRect().bottom") < 720, part
    assert page_at_top.locator(".across").inner_text().startswith("chrF and BLEU prefer Good, beyond chance.")
    assert page_at_top.locator(".story .verdict").inner_text().startswith("Good is better than Bad by ")


def test_no_tile_touches_another(page_at_top: Any) -> None:
    touching = """() => [...document.querySelectorAll('.strip .tile')].filter(tile => {
        const room = tile.getBoundingClientRect();
        return [...tile.children].some(part => {
            if (part.classList.contains('sr') || part.tagName === 'I') return false;
            const range = document.createRange();
            range.selectNodeContents(part);
            const text = range.getBoundingClientRect();
            return text.width && (text.left < room.left + 2 || text.right > room.right - 2);
        });
    }).length"""
    for width in (1280, 1366, 1920):
        page_at_top.set_viewport_size({"width": width, "height": 720})
        settle(page_at_top)
        assert page_at_top.evaluate(touching) == 0, width


def test_a_group_of_metrics_opens_and_leads_to_each_by_keyboard(page_at_top: Any, see: Any) -> None:
    camp = page_at_top.locator(".across .camp0")
    first = page_at_top.locator(".across").inner_text().split("\n")[0]
    camp.locator("summary").focus()
    page_at_top.keyboard.press("Enter")
    see(camp.get_by_role("button", name="TER")).to_be_visible()
    camp.get_by_role("button", name="TER").focus()
    page_at_top.keyboard.press("Enter")
    see(page_at_top.locator(".strip [data-key=ter]")).to_have_attribute("aria-checked", "true")
    see(page_at_top.locator(".story .verdict")).to_contain_text("TER")
    see(page_at_top.locator(".story .corpus_ledger .sum").first).to_contain_text("TER")
    see(page_at_top.locator(".segments .head").nth(2)).to_have_text("Good")
    assert page_at_top.locator(".across").inner_text().split("\n")[0] == first
    page_at_top.locator(".strip [data-key=gtm]").click()
    see(page_at_top.locator(".story .corpus_ledger .sum").first).to_contain_text("GTM")
    camp.locator("summary").click()
    settle(page_at_top)


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_a_sentence_brings_its_evidence_into_sight(page_at_top: Any, see: Any, way: str) -> None:
    card = page_at_top.locator(".cards .card").nth(4 if way == "mouse" else 1)
    number = int(card.get_attribute("data-tell").split(":")[1]) + 1
    assert card.locator("dt").all_inner_texts() == ["Source", "Bad", "Good", "Reference"]
    if way == "mouse":
        card.locator("dd").nth(1).click()
    else:
        card.get_by_role("button").focus()
        page_at_top.keyboard.press("Enter")
    see(page_at_top.locator(".segment_head h2")).to_have_text(f"Segment {number}")
    page_at_top.wait_for_function(f"{TOP} > 40 && {TOP} < 360")
    see(page_at_top.locator(f".segments .row.chosen[data-segment='{number - 1}']")).to_be_visible()


def test_a_cause_and_a_side_replace_each_other_and_begin_with_the_most_telling(page_at_top: Any, see: Any) -> None:
    order = {"Good": page_at_top.locator(".cards section").nth(0), "Bad": page_at_top.locator(".cards section").nth(1)}
    first = {
        name: int(each.locator(".card").first.get_attribute("data-tell").split(":")[1]) for name, each in order.items()
    }
    for name in ("Bad", "Good"):
        page_at_top.evaluate(f"{SCROLLED} = 0")
        page_at_top.get_by_role("button", name=f"Show those for {name}").click()
        see(page_at_top.locator(".segment_head h2")).to_have_text(f"Segment {first[name] + 1}")
        see(page_at_top.locator(f".segments .row[data-segment='{first[name]}']").first).to_be_visible()
        page_at_top.wait_for_function(f"{TOP} < 360")
        assert page_at_top.locator(".segments .row").first.get_attribute("data-segment") == str(first[name])
        see(page_at_top.locator("[class*=st-key-corpus_part_]")).to_have_count(1)
    page_at_top.evaluate(f"{SCROLLED} = 0")
    page_at_top.locator(".story .corpus_ledger button").first.click()
    see(page_at_top.locator("[class*=st-key-corpus_part_]")).to_have_text(re.compile(r"worth\.\w+ > 0"))
    see(page_at_top.locator("[class*=st-key-corpus_part_]")).to_have_count(1)


def test_words_of_a_pattern_are_lit_where_they_stand(page_at_top: Any, see: Any) -> None:
    button = page_at_top.locator(".kinds.words p", has_text="Words that Good").get_by_role("button").first
    word = button.inner_text().strip("“”").split()[0].lower()
    button.click()
    see(page_at_top.locator(".segments .row mark.sought").first).to_be_visible()
    assert word in page_at_top.locator(".segments .row mark.sought").first.inner_text().lower()
    see(page_at_top.locator(".bitext [data-word].sought").first).to_be_visible()


def test_letters_of_a_part_of_words_are_lit_where_they_stand(page_at_top: Any, see: Any) -> None:
    button = page_at_top.locator(".kinds.words p", has_text="Parts of words that Good").get_by_role("button").first
    letters = button.inner_text().strip("“”").lower()
    button.click()
    marks = page_at_top.locator(".segments .row mark.sought")
    see(marks.first).to_be_visible()
    assert {each.lower() for each in marks.all_inner_texts()} == {letters.strip("_")}
    see(page_at_top.locator(".bitext [data-word].sought").first).to_be_visible()
    for word in page_at_top.locator(".bitext .tk.sought:visible").all_inner_texts():
        assert letters in f"_{word.strip().lower()}_"


@pytest.mark.parametrize("width", [390, 768, 1024, 1280, 1920])
def test_the_text_is_the_widest_column(page_at_top: Any, see: Any, width: int) -> None:
    page_at_top.set_viewport_size({"width": width, "height": 720})
    settle(page_at_top)
    row = page_at_top.locator(".segments .row").first
    see(row).to_be_visible()
    widths = row.evaluate("row => [...row.children].map(cell => cell.getBoundingClientRect().width)")
    assert widths[-1] == max(widths) > 1.9 * sorted(widths)[-2]
    assert page_at_top.locator(".segments").evaluate("e => e.scrollWidth <= e.clientWidth + 1")
    lines_ = row.locator(".words").evaluate("e => e.clientHeight / parseFloat(getComputedStyle(e).lineHeight)")
    assert lines_ < 2.6
    # Keys reach the rows, however high they are.
    page_at_top.locator(".segments").focus()
    for key in ("End", "Home", "PageDown"):
        page_at_top.keyboard.press(key)
        settle(page_at_top)
        see(page_at_top.locator(".segments .row.chosen")).to_be_visible()
        page_at_top.wait_for_function(INSIDE)


def test_the_list_stays_beside_the_evidence(page_at_top: Any) -> None:
    page_at_top.locator(".cards .card").first.click()
    page_at_top.wait_for_function(f"{TOP} < 360")
    settle(page_at_top)
    page_at_top.evaluate(f"{SCROLLED} += 500")
    settle(page_at_top)
    room = page_at_top.locator(".segments").evaluate(
        "e => (({top, bottom}) => [top, bottom])(e.getBoundingClientRect())"
    )
    assert 40 < room[0] < 200 and room[1] <= 720


def test_the_order_and_the_way_to_a_segment_are_seen_and_used(page_at_top: Any, see: Any) -> None:
    order = page_at_top.get_by_label("Order", exact=True)
    see(order).to_have_value("Most for Good")
    order.click()
    page_at_top.keyboard.type("Longest")
    page_at_top.keyboard.press("Enter")
    see(page_at_top.locator("[aria-sort=descending]")).to_have_count(0)  # no column is sorted in this order
    see(order).to_have_value("Longest")
    size = [len(line.split()) for line in REFERENCE]
    row = page_at_top.locator(".segments .row").first
    see(row).to_have_attribute("data-segment", str(size.index(max(size))))
    page_at_top.get_by_label("Go to segment").fill("17")
    page_at_top.keyboard.press("Enter")
    see(page_at_top.locator(".segment_head h2")).to_have_text("Segment 17")
    see(page_at_top.get_by_label("Go to segment")).to_have_value("")
    page_at_top.locator("[data-sort=worth]").click()
    see(order).to_have_value("Most for Good")


def test_who_opens_a_segment_and_comes_back_finds_the_page_where_it_was(page_at_top: Any, see: Any) -> None:
    page_at_top.locator(".segment_head .marks summary").click()
    page_at_top.get_by_label("Tags", exact=True).fill("odd one")
    page_at_top.get_by_label("Tags", exact=True).press("Tab")
    see(page_at_top.locator(".segments .row .tag").first).to_have_text("odd one")
    settle(page_at_top)
    at = page_at_top.evaluate(SCROLLED)
    assert at > 300
    for opened in (lambda: page_at_top.locator(".segment_head .open").click(), make_enter_presser(page_at_top)):
        opened()
        page_at_top.wait_for_url("**/compare**")
        see(page_at_top.locator(".st-key-strip .tile").first).to_be_visible()
        page_at_top.go_back()
        page_at_top.wait_for_function(f"Math.abs({SCROLLED} - {at}) < 3")


def make_enter_presser(page: Any) -> Any:
    def press_enter() -> None:
        page.locator(".segments").evaluate("e => e.focus({preventScroll: true})")
        page.keyboard.press("Enter")

    return press_enter
