"""Tests in a browser of the Compare page: the verdict, the steps from one score to the other, and their cells."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import pytest

import metrics
from metrics.analysis import changes
from tests.helpers.browsing import (
    PAIR,
    WINDOW,
    Visit,
    address,
    boxes,
    choose_metric,
    close_menu,
    comparison,
    data_values,
    enter,
    expected_numbers,
    menu,
    overflow,
    settle,
    show_view,
    text_box,
    until,
    verdict_numbers,
)
from tests.helpers.corpora import load_lines
from viz.state.files.examples import ComparisonExample

pytestmark = pytest.mark.alone


def type_output(page: Any, index: int, text: str) -> None:
    enter(page.locator(f".st-key-system_{index} textarea"), text)
    settle(page)


def test_compare_two_outputs(visit: Visit, see: Any) -> None:
    """Check the way from the Sentence page to Compare, to a step of the ledger and to the cells of the step.

    The page's address then restores the comparison."""
    page = visit()
    page.get_by_role("link", name="Compare", exact=True).click()
    see(page.locator("[data-verdict] .num").first).to_be_visible()
    settle(page)
    assert verdict_numbers(page) == expected_numbers(PAIR.a, PAIR.b)

    page.locator(".strip [data-key=dcs]").click()
    see(page.locator(".vh b")).to_have_text(metrics.METRICS["dcs"].name)
    until(lambda: verdict_numbers(page), expected_numbers(PAIR.a, PAIR.b, "dcs"))
    see(page.locator("[data-verdict]")).to_contain_text("A is scored against reference 2 (")

    changed = PAIR.b.replace("dead", "down")
    type_output(page, 1, changed)
    until(lambda: verdict_numbers(page), expected_numbers(PAIR.a, changed, "dcs"))

    given = [line.split() for line in PAIR.references.split("\n")]
    results = [metrics.score("dcs", text.split(), given) for text in (PAIR.a, changed)]
    steps = metrics.ledger(*results)
    rows = page.locator(".ledger tr.term")
    see(rows).to_have_count(len(steps))
    for number, step in enumerate(steps):
        rows.nth(number).click()
        see(rows.nth(number)).to_have_attribute("aria-selected", "true")
        see(page.locator(".pieces.chosen")).to_have_count(1)
        count = len(changes.group_alike_pieces(step.pieces, *results))
        see(page.locator(".pieces.chosen tr")).to_have_count(count)
    settle(page)

    page.get_by_role("button", name="Swap").click()
    until(lambda: verdict_numbers(page), expected_numbers(changed, PAIR.a, "dcs"))
    settle(page)
    again = visit(page.url)
    until(lambda: verdict_numbers(again), expected_numbers(changed, PAIR.a, "dcs"))


def test_a_cell_leads_to_its_step(pair: Any, see: Any) -> None:
    """Check that a click on a cell chooses the step of the ledger that it belongs to.

    It works in the grid of the difference and in those of A and B. A hovered cell names its two words and highlights
    them. A chosen step opens the reference with most of its cells, unless a button has chosen another."""
    for summary in pair.locator(".own summary").all():
        summary.click()
    for side, role in (("d", "gained"), ("d", "elsewhere"), ("a", "used"), ("b", "used")):
        cell = pair.locator(f".bitext [data-cell^={side}].{role}:visible").last
        cell.scroll_into_view_if_needed()
        cell.hover()
        _, k, j = cell.get_attribute("data-cell").split(",")
        word = PAIR.references.split("\n")[int(k)].split()[int(j)]
        see(pair.locator(".tip")).to_contain_text(f"× {word} (")
        assert {f"r{k}_{j}"} <= data_values(pair, ".word_lines .lit", "word")
        cell.click()
        see(pair.locator(".ledger tr.term[aria-selected=true]")).to_have_count(1)
        see(pair.locator(".pieces.chosen tbody").first).to_contain_text(word)
        pair.keyboard.press("Escape")
        see(pair.locator(".ledger tr.term[aria-selected=true]")).to_have_count(0)
        settle(pair)  # the server may draw the open reference anew
    for summary in pair.locator(".own summary").all():
        summary.click()

    pair.locator(".refs [data-show='1']").click()
    see(pair.locator(".ref[data-reference='1']")).to_be_visible()
    see(pair.locator(".ref[data-reference='0']")).to_be_hidden()
    pair.locator(".folds.strips > summary").click()
    pair.locator(".word_lines [data-word=r0_1]").click()
    see(pair.locator(".ref[data-reference='0']")).to_be_visible()
    pair.locator(".refs [data-show='1']").click()
    pair.locator(".ledger tr.term").first.click()  # it has cells with both references, most with the first
    see(pair.locator(".ref[data-reference='0']")).to_be_visible()
    pair.keyboard.press("Escape")


def test_a_word_that_is_gone_belongs_to_the_step_of_the_length(visit: Visit, see: Any) -> None:
    shorter = PAIR._replace(systems=(("A", "the old cat sat"), ("B", "the cat sat")), references="the cat sat")
    page = visit(comparison(shorter), wait=".ledger tr.term")
    settle(page)
    page.locator(".ledger tr.term[data-words*='a1']").last.click()
    see(page.locator(".word_lines .chosen:visible")).to_have_attribute("data-word", "a1")


def test_what_is_unfolded_stays_so(visit: Visit, see: Any) -> None:
    """Check that what a visitor has unfolded stays open when the page is drawn anew for another width or metric."""
    page = visit(comparison(), wait=".own")
    settle(page)
    page.locator(".own summary").last.click()
    page.locator(".scheme summary").click()
    for change in (
        lambda: page.set_viewport_size({"width": 800, "height": 900}),
        lambda: page.locator(".strip [data-key=dcs]").click(),
    ):
        page.evaluate("document.querySelector('.bitext').classList.add('old')")
        change()
        see(page.locator(".bitext.old")).to_have_count(0)
        assert page.locator("details[open]").evaluate_all("all => all.map(e => e.className)") == ["scheme", "figure"]
        assert page.locator("details[open]").last.get_attribute("data-side") == "b"


def test_words_and_cells_of_a_fate_are_switched_off_and_on(pair: Any, see: Any) -> None:
    """Check the switches of the legend, such as "newly matched": each hides the words and cells of one kind of change.

    The browser alone does it. A switch stays off when another metric is drawn and after a reload, and adds no step
    to the browser's history."""
    words, cells = pair.locator(".word_lines .im").first, pair.locator(".ref:visible .gained")
    pair.locator(".folds.key > summary").click()
    switch = pair.get_by_role("button", name="newly matched")
    see(cells.first).to_be_visible()
    tint = words.evaluate("e => getComputedStyle(e).backgroundColor")
    switch.click()
    see(switch).to_have_attribute("aria-pressed", "false")
    assert words.evaluate("e => getComputedStyle(e).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert not cells.evaluate_all("all => all.filter(e => e.getClientRects().length).length")
    choose_metric(pair, see, "wer")
    see(switch).to_have_attribute("aria-pressed", "false")
    choose_metric(pair, see, "gtm")
    steps, other = pair.evaluate("history.length"), pair.get_by_role("button", name="matches nothing")
    other.click()
    until(lambda: "off=gained%2Bnothing" in address(pair), True)
    assert pair.evaluate("history.length") == steps
    pair.reload()
    see(other).to_have_attribute("aria-pressed", "false")
    see(switch).to_have_attribute("aria-pressed", "false")
    see(cells.first).to_be_hidden()
    settle(pair)
    other.click()
    switch.press("Enter")
    see(switch).to_have_attribute("aria-pressed", "true")
    until(lambda: "off=" in address(pair), False)
    see(cells.first).to_be_visible()
    assert words.evaluate("e => getComputedStyle(e).backgroundColor") == tint


def check_all_visible(page: Any, see: Any) -> None:
    def is_visible(box: dict[str, float]) -> bool:
        return box["top"] >= 0 and box["bottom"] <= 800

    settle(page)
    for selector in (".strip", "[data-verdict]", ".ledger tr.term", ".ref:not([hidden]) svg"):
        assert is_visible(boxes(page, selector)[0]), selector
    page.locator(".ledger tr.term").first.click()
    picked = boxes(page, ".ref:not([hidden]) .pick rect")
    assert picked and all(map(is_visible, picked))
    assert all(map(is_visible, boxes(page, ".ledger tr.term")[:2])), "marks of the first leave the next seen"
    assert page.evaluate("document.querySelector('.stMain').scrollTop") == 0


def test_everything_is_seen_at_once(visit: Visit, see: Any) -> None:
    """Check that 1280 × 800 pixels show the tiles, the verdict, two steps and the cells of the chosen step.

    The texts are four references of 32 words, and then two of 35. Similar rows of the grid are folded into one; a
    button shows all of them."""
    words = [f"w{n}" for n in range(32)]
    lines = [" ".join([*words[n:], *words[:n]]) for n in (0, 8, 16, 24)]
    a, b = " ".join([*words[:9], "old", *words[10:]]), " ".join([*words[:20], "new", *words[21:]])
    pair = ComparisonExample("", (("A", a), ("B", b)), "\n".join(lines), "gtm")
    page = visit(comparison(pair), wait=".frame.pair", viewport={"width": 1280, "height": 800})
    check_all_visible(page, see)
    names = ("system.MiSS", "system.Online-W", "reference.A", "reference.B")
    mine, theirs, *lines = [load_lines(name)[5] for name in names]
    typed = {"Output before": mine, "Output after": theirs, "References, one per line": "\n".join(lines)}
    for label, text in typed.items():
        enter(text_box(page, label), text)
        settle(page)
    until(lambda: page.locator("path.grid").first.get_attribute("data-folds") is not None, True)
    check_all_visible(page, see)
    rows = page.get_by_role("button", name="Show all")
    fold = page.locator(".ref:visible .fold").first.bounding_box()
    page.mouse.move(fold["x"] + 3.5 * fold["height"], fold["y"] + fold["height"] / 2)
    see(page.locator(".tip")).to_be_visible()
    rows.click()
    see(page.get_by_role("button", name="Show fewer rows")).to_be_visible()
    see(page.locator(".ref .fold")).to_have_count(0)


SEEN = """() => {
  const inside = e => { const r = e.getBoundingClientRect(); return r.width > 0 && r.top >= 0 && r.bottom <= 721; };
  const grid = [...document.querySelectorAll(".ref svg")].find(e => e.getBoundingClientRect().width);
  const cells = [...grid.querySelectorAll("[data-cell]")], words = [...document.querySelectorAll(".words .tk")];
  const scale = grid.getScreenCTM().a, texts = [...grid.querySelectorAll("text")];
  return {
    verdict: inside(document.querySelector("[data-verdict]")),
    cells: cells.filter(inside).length / cells.length,
    words: words.filter(inside).length / words.length,
    letters: Math.min(...texts.map(e => parseFloat(getComputedStyle(e).fontSize) * scale)),
  };
}"""


@pytest.mark.parametrize("count", [2, 4])
def test_the_answer_is_in_the_first_screen(visit: Visit, see: Any, count: int) -> None:
    """Check that 1280 × 720 pixels show the verdict, the line of merged words and a readable grid.

    The texts have 35 words, with `count` references."""
    names = ("system.SMU", "system.Online-W", "reference.A", "reference.B", "system.MiSS", "reference.A")
    a, b, *lines = [" ".join(" ".join(load_lines(name)).split()[:35]) for name in names]
    typed = comparison(ComparisonExample("", (("A", a), ("B", b)), "\n".join(lines[:count]), "gtm"), "gtm")
    page = visit(typed, wait=".frame.pair", viewport={"width": 1280, "height": 720})
    for key in ("gtm", "bleu", "ter"):
        choose_metric(page, see, key)
        settle(page)
        found = page.evaluate(SEEN)
        assert found["verdict"] and found["words"] >= 0.9 and found["cells"] >= 0.8 and found["letters"] >= 9, (
            key,
            found,
        )


@pytest.mark.parametrize(("width", "rows", "high"), [(1280, 1, 190), (1024, 2, 240), (768, 3, 370)])
def test_texts_and_tools_take_few_rows(pair: Any, width: int, rows: int, high: int) -> None:
    try:
        pair.set_viewport_size({"width": width, "height": 800})
        text_box(pair, "Output before").focus()  # focus unfolds the texts
        parts = ".stTextArea textarea, .st-key-pair, :is(.st-key-swap, .st-key-tools) button"
        settle(pair)
        inputs = sorted(boxes(pair, parts), key=lambda box: box["top"])
        assert len(inputs) == 8 and overflow(pair) <= 0
        ends = [0.0]
        for box_ in inputs:
            ends[-1:] = [ends[-1], box_["bottom"]] if box_["top"] >= ends[-1] else [max(ends[-1], box_["bottom"])]
        assert len(ends) - 1 == rows
        assert ends[-1] < high
    finally:
        pair.set_viewport_size(WINDOW)
        settle(pair)


def test_a_link_to_a_step_opens_as_it_was_left(visit: Visit, see: Any) -> None:
    """Check that a link to a step of the ledger restores the step and the reference that was shown.

    The details of the step are in the window. A reference opened by its button, a word or a cell stays open until
    another choice shows another one."""
    names = ("system.SMU", "system.Online-W", "reference.A", "reference.B")
    mine, theirs, *lines = [load_lines(name)[10] for name in names]
    query = comparison(ComparisonExample("", (("A", mine), ("B", theirs)), "\n".join(lines), "sia"), "sia")
    page = visit(f"{query}&step=5", wait="tr.chosen", viewport={"width": 1280, "height": 800})
    below = "document.querySelector('tr.chosen[data-of] + tr').getBoundingClientRect().bottom <= innerHeight"
    until(lambda: page.evaluate(below), True)
    seen = page.locator(".ref:visible")
    see(seen).to_have_attribute("data-reference", "1")
    page.locator(".refs [data-show='0']").click()
    until(lambda: "grid=0" in address(page), True)
    page.reload()
    see(page.locator("tr.chosen").first).to_be_visible()
    see(seen).to_have_attribute("data-reference", "0")
    page.locator("tr.term").nth(0).click()
    see(seen).to_have_attribute("data-reference", "1")
    until(lambda: ("step=0" in address(page), "grid=" in address(page)), (True, False))

    def check_restored(page: Any, reference: int, parameters: dict[str, list[str]]) -> None:
        """Check that the page shows the reference with index `reference`, and shows it again after a reload.

        `parameters` are the `step` and `grid` that the address must have, each with a list of one value."""
        seen = page.locator(".ref:visible")
        see(seen).to_have_attribute("data-reference", str(reference))
        until(lambda: {k: v for k, v in parse_qs(address(page)).items() if k in ("step", "grid")}, parameters)
        page.reload()
        see(page.locator("tr.term").first).to_be_visible()
        settle(page)
        see(seen).to_have_attribute("data-reference", str(reference))

    page.keyboard.press("Escape")
    check_restored(page, 1, {})
    page.locator(".folds.strips > summary").click()
    page.locator(".word_lines [data-word=r0_0]").click()  # a word that belongs to no step
    check_restored(page, 0, {"grid": ["0"]})
    page = visit(comparison(), wait="tr.term")
    page.locator(".refs [data-show='1']").click()
    page.locator(".ref:visible .elsewhere").first.click(force=True)  # its step has more with the first
    check_restored(page, 1, {"step": ["0"], "grid": ["1"]})


def test_a_setting_that_lifts_a_score_of_zero_is_set_by_a_click(visit: Visit, see: Any) -> None:
    page = visit(
        comparison(ComparisonExample("", (("A", "a b x y"), ("B", "b a y z")), "a c b d y e", "bleu"), "bleu"),
        wait=".offer button",
    )
    page.locator(".offer button").click()
    see(page.locator(".offer button")).to_have_text("Turn off smoothing “exp”: 0.000 and 0.000")
    until(lambda: verdict_numbers(page)[0] != "0.000", True)
    until(lambda: "bleu.smoothing=exp" in address(page), True)
    page.locator(".offer button").click()
    see(page.locator(".offer button")).to_contain_text("Use smoothing “exp”: ")
    until(lambda: verdict_numbers(page)[0], "0.000")


def test_what_if_words_and_all_systems(visit: Visit, see: Any) -> None:
    """Check that the change of a word that costs much can be tried in "What if", and the try undone.

    Then check that a third system can be added and is compared with the others."""
    page = visit(comparison(view="words"), wait=".effects tr.term")
    settle(page)
    space = "e => parseFloat(getComputedStyle(e).wordSpacing)"
    assert page.locator(".worth .ad").first.evaluate(space) == 0  # an arrow keeps its distance from its word
    page.emulate_media(media="print")  # on paper the list is complete, and nothing asks for a click
    hint, cut = page.get_by_text("Choose a word above"), "e => e.scrollHeight - e.clientHeight"
    assert hint.is_hidden() and page.locator(".effects").evaluate(cut) <= 0
    page.emulate_media(media="screen")
    assert hint.is_visible() and page.locator(".effects").evaluate(cut) > 0
    page.locator(".effects tr.term").first.click()
    see(page.get_by_role("button", name="Try it")).to_be_visible()
    until(lambda: "effect=" in address(page), True)
    page.reload()
    page.get_by_role("button", name="Try it").click()
    area = page.locator(".st-key-whatif textarea")
    see(area).to_be_visible()
    settle(page)
    tried = area.input_value()
    assert tried != PAIR.a
    until(lambda: verdict_numbers(page), expected_numbers(PAIR.a, tried))
    enter(area, "the gunman was killed")
    until(lambda: verdict_numbers(page), expected_numbers(PAIR.a, "the gunman was killed"))
    page.get_by_role("button", name="Undo").click()
    until(lambda: verdict_numbers(page), expected_numbers(PAIR.a, tried))

    show_view(page, "All systems")
    page.get_by_role("button", name="Add a system").click()
    type_output(page, 2, "police killed the gunman")
    see(page.locator(".scores thead th")).to_have_count(4)
    until(lambda: "police+killed+the+gunman" in address(page), True)
    page.get_by_text("Best system first").click()
    until(lambda: "best=1" in address(page), True)
    best = page.locator(".scores thead th").all_inner_texts()
    page.reload()
    see(page.locator(".scores thead th")).to_have_text(best)


def test_a_report_of_a_comparison(pair: Any, see: Any, tmp_path: Any) -> None:
    body = menu(pair, "Save")
    with pair.expect_download() as download:
        body.get_by_role("button", name="Report", exact=False).first.click()
    path = tmp_path / "report.html"
    download.value.save_as(path)
    text = path.read_text(encoding="utf-8")
    assert "Shapley" in text
    for number in expected_numbers(PAIR.a, PAIR.b)[:3]:
        assert number in text
    close_menu(pair)
