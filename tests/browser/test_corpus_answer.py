"""Tests of the first answer of the Corpus page in a browser, by mouse and by keyboard.

The answer is the verdict across metrics, its causes and the most telling sentences; each leads to its evidence and
back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from browsing import settle
from corpora import FOLDER
from test_corpus_views import SCORED
from test_corpus_way_in import FILES, files

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
    """Yield the page once "Good" and "Bad", which lacks some of its words, are scored and all findings are computed."""
    page = new_page()
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{app_url}/corpus")
    page.wait_for_selector(FILES, state="attached")
    good = (FOLDER / "system.MiSS.en.txt").read_text("utf-8").splitlines()
    bad = [SPOILED.sub("", line) for line in good]
    named = (
        ("Good.txt", good),
        ("Bad.txt", bad),
        *[(f"{name}.txt", lines(name)) for name in ("reference.A", "source.zh")],
    )
    page.set_input_files(FILES, files(*named))
    page.locator(".st-key-corpus_score button").click()
    page.wait_for_function(SCORED)
    page.wait_for_selector(".kinds.words")
    page.wait_for_selector("text=Looking for", state="detached")
    settle(page)
    yield page
    page.close()


def lines(name: str) -> list[str]:
    return next(FOLDER.glob(f"{name}*.txt")).read_text("utf-8").splitlines()


@pytest.fixture
def top(page: Any) -> Any:
    """Return the page, scrolled to its top, without a filter."""
    while (chosen := page.locator("[class*=st-key-corpus_part_] button")).count():
        chosen.first.click()
        settle(page)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.evaluate(f"{SCROLLED} = 0")
    return page


def test_the_answer_is_in_the_first_screen(top: Any) -> None:
    for part in (".across", ".story .verdict", ".strip", ".corpus_ledger", ".kinds .fewer"):
        assert top.locator(part).first.evaluate("e => e.getBoundingClientRect().bottom") < 720, part
    assert top.locator(".across").inner_text().startswith("chrF and BLEU say Good, beyond chance.")
    assert top.locator(".story .verdict").inner_text().startswith("Good is better than Bad by ")


def test_no_tile_touches_another(top: Any) -> None:
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
        top.set_viewport_size({"width": width, "height": 720})
        settle(top)
        assert top.evaluate(touching) == 0, width


def test_a_group_of_metrics_opens_and_leads_to_each_by_keyboard(top: Any, see: Any) -> None:
    camp = top.locator(".across .camp0")
    first = top.locator(".across").inner_text().split("\n")[0]
    camp.locator("summary").focus()
    top.keyboard.press("Enter")
    see(camp.get_by_role("button", name="TER")).to_be_visible()
    camp.get_by_role("button", name="TER").focus()
    top.keyboard.press("Enter")
    see(top.locator(".strip [data-key=ter]")).to_have_attribute("aria-checked", "true")
    see(top.locator(".story .verdict")).to_contain_text("TER")
    see(top.locator(".story .corpus_ledger .sum").first).to_contain_text("TER")
    see(top.locator(".segments .head").nth(2)).to_have_text("Good")
    assert top.locator(".across").inner_text().split("\n")[0] == first
    top.locator(".strip [data-key=gtm]").click()
    see(top.locator(".story .corpus_ledger .sum").first).to_contain_text("GTM")
    camp.locator("summary").click()
    settle(top)


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_a_sentence_brings_its_evidence_into_sight(top: Any, see: Any, way: str) -> None:
    card = top.locator(".cards .card").nth(4 if way == "mouse" else 1)
    number = int(card.get_attribute("data-tell").split(":")[1]) + 1
    assert card.locator("dt").all_inner_texts() == ["Source", "Bad", "Good", "Reference"]
    if way == "mouse":
        card.locator("dd").nth(1).click()
    else:
        card.get_by_role("button").focus()
        top.keyboard.press("Enter")
    see(top.locator(".segment_head h2")).to_have_text(f"Segment {number}")
    top.wait_for_function(f"{TOP} > 40 && {TOP} < 360")
    see(top.locator(f".segments .row.chosen[data-segment='{number - 1}']")).to_be_visible()


def test_a_cause_and_a_side_replace_each_other_and_begin_with_the_most_telling(top: Any, see: Any) -> None:
    order = {"Good": top.locator(".cards section").nth(0), "Bad": top.locator(".cards section").nth(1)}
    first = {
        name: int(each.locator(".card").first.get_attribute("data-tell").split(":")[1]) for name, each in order.items()
    }
    for name in ("Bad", "Good"):
        top.evaluate(f"{SCROLLED} = 0")
        top.get_by_role("button", name=f"Show those for {name}").click()
        see(top.locator(".segment_head h2")).to_have_text(f"Segment {first[name] + 1}")
        see(top.locator(f".segments .row[data-segment='{first[name]}']").first).to_be_visible()
        top.wait_for_function(f"{TOP} < 360")
        assert top.locator(".segments .row").first.get_attribute("data-segment") == str(first[name])
        see(top.locator("[class*=st-key-corpus_part_]")).to_have_count(1)
    top.evaluate(f"{SCROLLED} = 0")
    top.locator(".story .corpus_ledger button").first.click()
    see(top.locator("[class*=st-key-corpus_part_]")).to_have_text(re.compile(r"worth\.\w+ > 0"))
    see(top.locator("[class*=st-key-corpus_part_]")).to_have_count(1)


def test_words_of_a_pattern_are_lit_where_they_stand(top: Any, see: Any) -> None:
    button = top.locator(".kinds.words p", has_text="Words that Good").get_by_role("button").first
    word = button.inner_text().strip("“”").split()[0].lower()
    button.click()
    see(top.locator(".segments .row mark.sought").first).to_be_visible()
    assert word in top.locator(".segments .row mark.sought").first.inner_text().lower()
    see(top.locator(".bitext [data-word].sought").first).to_be_visible()


def test_letters_of_a_part_of_words_are_lit_where_they_stand(top: Any, see: Any) -> None:
    button = top.locator(".kinds.words p", has_text="Parts of words that Good").get_by_role("button").first
    letters = button.inner_text().strip("“”").lower()
    button.click()
    marks = top.locator(".segments .row mark.sought")
    see(marks.first).to_be_visible()
    assert {each.lower() for each in marks.all_inner_texts()} == {letters.strip("_")}
    see(top.locator(".bitext [data-word].sought").first).to_be_visible()
    for word in top.locator(".bitext .tk.sought:visible").all_inner_texts():
        assert letters in f"_{word.strip().lower()}_"


@pytest.mark.parametrize("width", [390, 768, 1024, 1280, 1920])
def test_the_text_is_the_widest_column(top: Any, see: Any, width: int) -> None:
    top.set_viewport_size({"width": width, "height": 720})
    settle(top)
    row = top.locator(".segments .row").first
    see(row).to_be_visible()
    widths = row.evaluate("row => [...row.children].map(cell => cell.getBoundingClientRect().width)")
    assert widths[-1] == max(widths) > 1.9 * sorted(widths)[-2]
    assert top.locator(".segments").evaluate("e => e.scrollWidth <= e.clientWidth + 1")
    lines_ = row.locator(".words").evaluate("e => e.clientHeight / parseFloat(getComputedStyle(e).lineHeight)")
    assert lines_ < 2.6
    # Keys reach the rows, however high they are.
    top.locator(".segments").focus()
    for key in ("End", "Home", "PageDown"):
        top.keyboard.press(key)
        settle(top)
        see(top.locator(".segments .row.chosen")).to_be_visible()
        top.wait_for_function(INSIDE)


def test_the_list_stays_beside_the_evidence(top: Any) -> None:
    top.locator(".cards .card").first.click()
    top.wait_for_function(f"{TOP} < 360")
    settle(top)
    top.evaluate(f"{SCROLLED} += 500")
    settle(top)
    room = top.locator(".segments").evaluate("e => (({top, bottom}) => [top, bottom])(e.getBoundingClientRect())")
    assert 40 < room[0] < 200 and room[1] <= 720


def test_the_order_and_the_way_to_a_segment_are_seen_and_used(top: Any, see: Any) -> None:
    order = top.get_by_label("Order", exact=True)
    see(order).to_have_value("Most for Good")
    order.click()
    top.keyboard.type("Longest")
    top.keyboard.press("Enter")
    see(top.locator("[aria-sort=descending]")).to_have_count(0)  # no column is sorted in this order
    see(order).to_have_value("Longest")
    size = [len(line.split()) for line in lines("reference.A")]
    row = top.locator(".segments .row").first
    see(row).to_have_attribute("data-segment", str(size.index(max(size))))
    top.get_by_label("Go to segment").fill("17")
    top.keyboard.press("Enter")
    see(top.locator(".segment_head h2")).to_have_text("Segment 17")
    see(top.get_by_label("Go to segment")).to_have_value("")
    top.locator("[data-sort=worth]").click()
    see(order).to_have_value("Most for Good")


def test_who_opens_a_segment_and_comes_back_finds_the_page_where_it_was(top: Any, see: Any) -> None:
    top.locator(".segment_head .marks summary").click()
    top.get_by_label("Tags", exact=True).fill("odd one")
    top.get_by_label("Tags", exact=True).press("Tab")
    see(top.locator(".segments .row .tag").first).to_have_text("odd one")
    settle(top)
    at = top.evaluate(SCROLLED)
    assert at > 300
    for opened in (lambda: top.locator(".segment_head .open").click(), enter_presser(top)):
        opened()
        top.wait_for_url("**/compare**")
        see(top.locator(".st-key-strip .tile").first).to_be_visible()
        top.go_back()
        top.wait_for_function(f"Math.abs({SCROLLED} - {at}) < 3")


def enter_presser(page: Any) -> Any:
    def pressed() -> None:
        page.locator(".segments").evaluate("e => e.focus({preventScroll: true})")
        page.keyboard.press("Enter")

    return pressed
