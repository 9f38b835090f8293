"""Tests in a browser of a long text on the Sentence page.

Candidate and reference are columns, and ribbons join what matches. Words, ribbons, terms and the map highlight each
other."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest

import metrics
from tests.helpers.browsing import Visit, address, data_values, link, lit_words, overflow, settle, until
from tests.helpers.corpora import load_lines
from viz.pages.compare.record import CompareState
from viz.state.links.link import to_query

pytestmark = pytest.mark.alone

#: The first sentences of a talk as one paragraph: by two systems, and by their references.
CANDIDATE, OTHER_SYSTEM, REFERENCE, OTHER_REFERENCE = [
    " ".join(load_lines(name)[:14]) for name in ("system.Online-W", "system.SMU", "reference.A", "reference.B")
]
RESULT = metrics.score("gtm", CANDIDATE.split(), [REFERENCE.split()])
#: Returns whether an element of a selector lies in the window and in the box of the texts.
SEEN = """selector => {
    const box = document.querySelector('.cols').getBoundingClientRect();
    return [...document.querySelectorAll(selector)].map(e => e.getBoundingClientRect()).some(
        b => b.height && b.top >= Math.max(0, box.top) && b.bottom <= Math.min(innerHeight, box.bottom)
    );
}"""
#: Returns the middle of the visible part of a ribbon between the columns.
MIDDLE = """([i, j]) => {
    const outlines = [...document.querySelectorAll('.ribbons .ribbon')];
    const groups = [...document.querySelectorAll('.ribbons g')].flatMap(g => g.dataset.ribbons.split(' '));
    const at = groups.findIndex(g => g.startsWith(`${i},${j},`) || g === `${i},${j}`);
    const {x, y, width, height} = outlines[at].getBoundingClientRect();
    return [x + 3, y + (outlines[at].getAttribute('d').match(/V(\\S+?)C/) ? height / 2 : 0)];
}"""


def open_paragraph(visit: Visit, metric: str = "gtm", references: str = REFERENCE) -> Any:
    page = visit(link(CANDIDATE, references, metric=metric))
    page.wait_for_selector(".cols .ribbon", state="attached")
    settle(page)
    return page


def all_marks() -> list[Any]:
    return [mark for layer in RESULT.layers for mark in layer.marks]


def count_ribbons(page: Any, css_class: str) -> int:
    """Return how many ribbons between the columns have the class `css_class`."""
    return page.locator(f".cols .ribbons > .{css_class}").count()


def test_words_ribbons_terms_and_the_map_light_each_other(visit: Visit, see: Any) -> None:
    page = open_paragraph(visit)
    assert len(CANDIDATE.split()) > 200
    assert len(data_values(page, ".cols [data-word]", "word")) == len(CANDIDATE.split()) + len(REFERENCE.split())
    run = max(all_marks(), key=lambda mark: mark.length)
    words = {name for i, k, j in run.cells() for name in (f"c{i}", f"r{k}_{j}")}
    # A word highlights its partner, a ribbon and the ribbon's place on the map.
    page.locator(f".cols [data-word=c{run.i}]").hover()
    until(lambda: {f"c{run.i}", f"r0_{run.j}"} <= lit_words(page), True)
    assert count_ribbons(page, "light") and page.locator(".map .light").count()
    # A ribbon highlights all of its words.
    page.mouse.move(*page.evaluate(MIDDLE, [run.i, run.j]))
    until(lambda: lit_words(page), words)
    assert count_ribbons(page, "light") == 1
    see(page.locator(".tip")).to_contain_text(f"{run.i + 1}–{run.i + run.length} × {run.j + 1}")
    # A click on the ribbon chooses its term, which the address keeps.
    page.mouse.click(*page.evaluate(MIDDLE, [run.i, run.j]))
    until(lambda: data_values(page, ".cols .chosen", "word"), words)
    (term,) = data_values(page, "tr.term.chosen", "term")
    assert count_ribbons(page, "pick") == 1 and page.locator(".map .pick").count() == 1
    until(lambda: f"term={term.replace(':', '%3A')}" in address(page), True)
    # The keyboard goes through the terms, and each comes into view.
    page.locator("tr.term.chosen").focus()
    page.keyboard.press("End")
    last = page.evaluate("document.activeElement.dataset.term")
    page.keyboard.press("Enter")
    until(lambda: data_values(page, "tr.term.chosen", "term"), {last})
    until(lambda: page.evaluate(SEEN, ".cols .side.c .chosen"), True)
    assert page.evaluate(SEEN, ".cols .side.ref .chosen")
    page.keyboard.press("Escape")
    until(lambda: (data_values(page, ".cols .chosen", "word"), count_ribbons(page, "pick")), (set(), 0))
    # A click on the map leads to the words there.
    page.locator(".cols").evaluate("e => e.scrollTo({top: 0, behavior: 'instant'})")
    box = page.locator("svg.map .ground").bounding_box()
    at = len(CANDIDATE.split()) - 5
    page.mouse.click(box["x"] + box["width"] - 4, box["y"] + box["height"] - 4)
    until(lambda: page.evaluate(SEEN, f".cols [data-word=c{at}]"), True)
    until(lambda: "detail.candidate=" in address(page), True)


def test_a_link_leads_to_its_term_in_the_middle_of_a_paragraph(visit: Visit) -> None:
    page = visit(link(CANDIDATE, REFERENCE, metric="gtm", term="0:20"))
    until(lambda: data_values(page, "tr.term.chosen", "term"), {"0:20"})
    until(lambda: page.evaluate(SEEN, ".cols .side.c .chosen"), True)
    assert count_ribbons(page, "pick") == 1


def test_sentences_stand_beside_their_own(visit: Visit) -> None:
    page = open_paragraph(visit, "meteor")
    tops = page.evaluate(
        """() => ['c', 'ref'].map(side => [...document.querySelectorAll(`.cols .side.${side} > div`)].map(
            p => Math.round(p.getBoundingClientRect().top)))"""
    )
    assert len(tops[0]) > 8 and tops[0] == tops[1]


def test_another_reference_has_its_own_rows_and_ribbons(visit: Visit, see: Any) -> None:
    page = open_paragraph(visit, "meteor", f"{REFERENCE}\n{OTHER_REFERENCE}")
    shown = page.locator(".cols .side.ref:not([hidden])").get_attribute("data-reference")
    hidden = "1" if shown == "0" else "0"
    for k in (hidden, shown):
        page.locator(f".refs [data-show='{k}']").click()
        see(page.locator(f".cols .side.ref[data-reference='{k}']")).to_be_attached()
        until(lambda: page.locator(".cols .side.ref:not([hidden])").get_attribute("data-reference"), k)
        rows = page.evaluate(
            """() => ['.side.c', '.side.ref:not([hidden])'].map(s => document.querySelector(`.cols ${s}`)).map(
                side => [...side.children].map(row => Math.round(row.getBoundingClientRect().top)))"""
        )
        assert rows[0] == rows[1] and len(rows[0]) > 8
        assert page.locator(".cols .side.c [data-word]").count() == len(CANDIDATE.split())
        svg = page.locator(f".ribbons[data-reference='{k}']")
        assert svg.is_visible() and page.locator("svg.map").locator("visible=true").get_attribute("data-k") == k
    page.locator(f".refs [data-show='{hidden}']").click()
    page.locator("tr.term").first.click()  # METEOR uses one reference, which opens for its term
    until(lambda: page.locator(".cols .side.ref:not([hidden])").get_attribute("data-reference"), shown)
    assert count_ribbons(page, "pick") == 1


def test_two_outputs_stand_at_both_sides_of_the_reference(visit: Visit) -> None:
    systems = (("Online-W", CANDIDATE), ("SMU", OTHER_SYSTEM))
    shared = CompareState(references=REFERENCE, metric="gtm", systems=systems, compare="difference")
    page = visit(f"compare?{urlencode(to_query(shared))}", viewport={"width": 1280, "height": 1200})
    page.wait_for_selector(".cols .ribbon", state="attached")
    settle(page)
    sides = {"a": CANDIDATE, "b": OTHER_SYSTEM, "ref": REFERENCE}
    for side, text in sides.items():
        assert page.locator(f".cols .side.{side} [data-word]").count() == len(text.split())
    lefts = [page.locator(f".cols .side.{side} p").first.bounding_box()["x"] for side in ("a", "ref", "b")]
    assert lefts == sorted(lefts)
    page.locator(".cols .side.a .tk.u:not(.wo)").first.hover()
    until(lambda: {name[0] for name in lit_words(page)}, {"a", "b", "r"})
    for side in "ab":
        assert page.locator(f".ribbons[data-side={side}] > .light").count(), "from both sides"
    page.locator("tr.term").first.click()
    until(lambda: page.locator("tr.term.chosen").count(), 1)
    assert count_ribbons(page, "pick") > 1 and page.locator(".maps .map .pick").count() == count_ribbons(page, "pick")


HOSTILE = [
    "<script>window.ran=1</script> <img src=x onerror=window.ran=1> </p></div> ",
    "\u202eabc \u2067def שלום ‏عربي. ",
    "w" * 10_000 + " ",
    "我们从光中认识宇宙。 ",
    "' onclick=ran \" & &lt;b&gt; \x00 ",
]


@pytest.mark.parametrize("size", [{"width": 1280, "height": 900}, {"width": 390, "height": 800}], ids=["desk", "phone"])
def test_hostile_long_texts_stay_in_their_columns(visit: Visit, size: dict[str, int]) -> None:
    text = " ".join(HOSTILE) + "a b c d. E f g. " * 30
    page = visit(link(text[:12_000], text[:12_000]), viewport=size)
    page.wait_for_selector(".cols .ribbon", state="attached")
    assert page.evaluate("window.ran") is None and overflow(page) <= 0
    assert not page.locator(".cols img, .cols script").count()
    sides = page.evaluate(
        """() => ['.side.c p', '.side.ref p'].map(s => [...document.querySelectorAll(`.cols ${s}`)].map(
            p => p.getBoundingClientRect())).map(boxes => [Math.min(...boxes.map(b => b.left)),
            Math.max(...boxes.map(b => b.right)), Math.max(...boxes.map(b => b.width))])"""
    )
    assert sides[0][1] < sides[1][0], "no word reaches into the other column"
    inner = page.locator(".cols .inner")
    assert inner.evaluate("e => e.scrollWidth - e.clientWidth") <= 0
    shapes = page.evaluate("[...document.querySelectorAll('.ribbon')].map(e => e.getAttribute('d'))")
    assert shapes and not [d for d in shapes if not d or re.search("NaN|Infinity|null", d)]
