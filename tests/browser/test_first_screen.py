"""Tests in a browser of what the Sentence page shows without scrolling.

For sentences of 35 words that is the verdict, the words and the grid."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

import metrics
from tests.helpers.browsing import Visit, address, settle, text_box, tile, type_texts, until
from tests.helpers.corpora import load_lines

pytestmark = pytest.mark.alone

TEXTS = ("system.MiSS", "reference.A", "reference.B", "system.SMU", "system.Online-W")
REFERENCES = "References, one per line"
LOOK = """([height]) => {
    const seen = (e) => {
        const {left, right, top, bottom} = e.getBoundingClientRect();
        return right > left && bottom <= height + 1 && top >= 0;
    };
    const grid = [...document.querySelectorAll('.bitext svg')].find((e) => e.getBoundingClientRect().width > 0);
    const shows = (e) => {
        const {left, right, top, bottom} = e.getBoundingClientRect();
        return seen(e) && grid.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    };
    const marks = [...grid.querySelectorAll('[data-cell], [data-term]')];
    const words = [...document.querySelectorAll('.word_lines [data-word^=c]')];
    const sizes = [...grid.querySelectorAll('text')].map((e) => parseFloat(getComputedStyle(e).fontSize));
    const verdict = document.querySelector('[data-verdict]');
    const formula = document.querySelector('.bitext math');
    return {
        marks: marks.length, shown: marks.filter(shows).length, least: Math.min(...sizes),
        words: words.length, read: words.filter(seen).length, verdict: seen(verdict), says: verdict.innerText,
        grid: grid.getBoundingClientRect().top, formula: formula.getBoundingClientRect().top,
    };
}"""


def talk_texts(reference_count: int, first_line: int) -> dict[str, str]:
    """Return the link parameters `candidate` and `references`: texts of 35 words from a TED talk.

    `first_line` is the index of the talk's line with which the texts begin."""
    stretches = [" ".join(load_lines(name)[first_line : first_line + 6]) for name in TEXTS[: reference_count + 1]]
    candidate, *references = [" ".join(stretch.split()[:35]) for stretch in stretches]
    return {"candidate": candidate, "references": "\n".join(references)}


@pytest.mark.parametrize(("references", "line"), [(2, 0), (4, 20)])
def test_answer_words_and_grid_are_seen_at_once(visit: Visit, see: Any, references: int, line: int) -> None:
    page = visit(f"?{urlencode(talk_texts(references, line))}", viewport={"width": 1280, "height": 720})
    said = set()
    for key, metric in metrics.METRICS.items():
        tile(page, key).click()
        see(page.locator(".bitext").first).to_have_attribute("data-metric", key)
        see(page.locator("[data-verdict]")).to_contain_text(metric.label)
        settle(page)
        found = page.evaluate(LOOK, [720])
        assert found["marks"] and found["shown"] >= 0.8 * found["marks"], (key, found)
        assert found["words"] == 35 == found["read"] and found["verdict"], (key, found)
        assert found["least"] >= 9, (key, found)
        said.add(found["says"])
    assert len(said) == len(metrics.METRICS)


def test_the_words_that_cost_most_are_marked_in_the_texts(visit: Visit, see: Any) -> None:
    """Check that the Sentence page outlines exactly the words that the verdict on the chosen metric names.

    The Compare page outlines none."""
    page = visit(f"?{urlencode(talk_texts(2, 0))}")
    outlined = """() => [...document.querySelectorAll('.ws [data-word]')]
        .filter((e) => getComputedStyle(e).outlineStyle === 'dashed').map((e) => e.dataset.word)"""
    for key in ("ter", "gtm"):
        tile(page, key).click()
        see(page.locator("[data-verdict]")).to_contain_text(metrics.METRICS[key].label)
        page.wait_for_selector("[data-costly]")
        names = page.locator("[data-costly]").get_attribute("data-costly").split()
        until(lambda names=names: set(page.evaluate(outlined)), set(names))
        said = {text for word in page.locator("[data-verdict] .q").all() for text in word.inner_text().split()}
        shown = {page.locator(f".ws [data-word='{name}']").first.text_content() for name in names}
        assert names and {"".join(filter(str.isalpha, word)) for word in shown} == {
            "".join(filter(str.isalpha, word)) for word in said
        }
    page.get_by_role("link", name="Compare").first.click()
    page.wait_for_selector("h1[data-name='Compare']", state="attached")
    until(lambda: page.evaluate(outlined), [])
    settle(page)
    assert page.evaluate(outlined) == []


def test_the_answer_comes_first_on_a_phone(visit: Visit) -> None:
    page = visit(
        f"?{urlencode(talk_texts(2, 0))}", viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True
    )
    settle(page, 250)
    found = page.evaluate(LOOK, [844])
    assert found["verdict"] and found["grid"] < 600 and found["formula"] > found["grid"]
    page.get_by_label("Candidate", exact=True).focus()  # also with the texts open
    settle(page)
    found = page.evaluate(LOOK, [844])
    assert found["verdict"] and found["grid"] < 844


def test_the_grid_is_as_large_as_its_window_has_room_for(visit: Visit) -> None:
    """Check that the cells of the grid grow with the height of the window, and that all of them stay visible."""
    page = visit(f"?{urlencode(talk_texts(2, 0))}", viewport={"width": 1600, "height": 1080})
    label = page.locator(".figure text[data-word=c34] >> visible=true")
    until(lambda: 850 < label.bounding_box()["y"] < 1060, True)


# ---------------------------------------------------------------- the foldable texts


def text_area_heights(page: Any) -> list[float]:
    """Return the drawn heights of the text areas for the candidate and the references, in pixels."""
    areas = page.locator(".st-key-inputs textarea")
    return [areas.nth(n).evaluate("e => e.closest('.stElementContainer').clientHeight") for n in (0, 1)]


def are_texts_open(page: Any) -> bool:
    return min(text_area_heights(page)) > 60


def test_texts_fold_to_a_line_that_opens_them(visit: Visit, see: Any) -> None:
    page = visit(f"?{urlencode(talk_texts(2, 0))}")
    line = page.locator("[data-inputs]")
    see(line).to_contain_text("(35 words) · 2 references")
    assert not are_texts_open(page)
    see(page.get_by_label("Candidate", exact=True)).to_have_count(1)
    see(page.get_by_label(REFERENCES)).to_have_count(1)
    line.click()
    see(page.get_by_label("Candidate", exact=True)).to_be_focused()
    until(lambda: are_texts_open(page), True)
    see(line).to_be_hidden()
    page.keyboard.press("End")
    page.keyboard.type(" more")
    assert are_texts_open(page), "not under a typing hand"
    tile(page, "bleu").click()  # the tile is where it was before the texts opened
    see(page.locator(".bitext").first).to_have_attribute("data-metric", "bleu")
    until(lambda: are_texts_open(page), False)
    until(lambda: "more" in address(page), True)
    see(line).to_contain_text("(36 words)")


def test_the_keyboard_opens_and_leaves_the_texts(visit: Visit, see: Any) -> None:
    page = visit(f"?{urlencode(talk_texts(2, 0))}")
    candidate = page.get_by_label("Candidate", exact=True)
    candidate.focus()
    until(lambda: are_texts_open(page), True)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.st-key-inputs') !== null")
    page.get_by_label(REFERENCES).focus()
    until(lambda: are_texts_open(page), True)
    tile(page, "gtm").focus()
    until(lambda: are_texts_open(page), False)


def test_texts_stay_open_where_nothing_is_scored(visit: Visit, see: Any) -> None:
    page = visit(f"?{urlencode(talk_texts(2, 0))}")
    type_texts(page, "", "a b")
    see(page.locator("[data-inputs]")).to_have_count(0)
    text_box(page, REFERENCES).evaluate("e => e.blur()")
    settle(page)
    assert are_texts_open(page)


def test_the_strip_is_a_line_of_scores(visit: Visit) -> None:
    page = visit(f"?{urlencode(talk_texts(2, 0))}")
    assert page.locator(".strip").bounding_box()["height"] <= 48
    assert page.locator(".strip .tile[data-key=gtm]").get_attribute("title").startswith("precision .")
