"""Tests in a browser of the Sentence page: terms, words and cells are highlighted and chosen together."""

from __future__ import annotations

import time
from typing import Any

import pytest

from metrics.types import Hit
from tests.helpers.browsing import (
    CANDIDATE,
    EMPTY,
    HITS,
    INTERIOR,
    REFERENCES,
    Visit,
    address,
    cell_centre,
    cells,
    choose_metric,
    chosen,
    data_values,
    expected_choice,
    framed_cells,
    lit_words,
    result,
    score_on,
    settle,
    table_cells,
    type_texts,
    unfold,
    until,
    vermilion_formula,
    word_names,
)

pytestmark = pytest.mark.alone


def test_every_hook_is_on_the_page(first: Any) -> None:
    """Check that elements carry the attributes by which the page's scripts find them: metric, term, word and cell.

    They are in the table, the formula, the lines of words and the grids."""
    terms = {"0:0", "0:1", "0:2", "0:3"}
    assert data_values(first, ".bitext", "metric") == {"gtm"}
    for selector in ("tr.term", ".formula .addend", ".figure svg [data-term]"):
        assert data_values(first, selector, "term") == terms, selector
        assert first.locator(selector).count() == len(terms), selector
    words = {f"c{i}" for i in range(8)} | {f"r{k}_{j}" for k, line in enumerate(REFERENCES) for j in range(len(line))}
    for selector in (".word_lines [data-word]", ".figure svg [data-word]"):
        assert data_values(first, selector, "word") == words, selector
    assert cells(first) == HITS
    assert table_cells(first) == {cell for mark in result("gtm").layers[0].marks for cell in mark.cells()}
    assert first.locator(".js-plotly-plot").count() == 0


def test_light(first: Any, see: Any) -> None:
    """Check what hovering highlights.

    A word highlights the words that it matches, a used cell its two words and its term, a term all of its cells. An
    empty cell highlights only its two words."""

    def check_highlight(words: set[str], cells: set[Hit], terms: set[str]) -> None:
        until(lambda: lit_words(first), words)
        until(lambda: framed_cells(first), cells)
        until(lambda: data_values(first, "tr.term.lit", "term"), terms)

    for word in ("c4", "r0_5", "r1_0", "c1"):
        partners = {h for h in HITS if word in word_names([h])}
        assert partners
        first.locator(f".word_lines [data-word={word}]").hover()
        check_highlight(word_names(partners) | {word}, partners, set())
    first.locator(".figure svg [data-word=r0_0]").hover()  # "Britain" has no partner
    check_highlight({"r0_0"}, set(), set())

    for cell, says, terms in (
        (Hit(5, 0, 6), "crisis × crisis (6 × 7, R1): used", {"0:0"}),
        (
            Hit(2, 0, 2),
            "France × France (3 × 3, R1): match, not used: "
            "the word is in the longer run at 3 × 3, R2: “France discussed”",
            set(),
        ),
        (EMPTY, "with × London (2 × 8, R2)", set()),
    ):
        x, y = cell_centre(first, cell)
        first.mouse.move(x, y)
        see(first.locator(".tip")).to_have_text(says)
        first.mouse.move(x + 3, y + 2)  # within the same cell
        see(first.locator(".tip")).to_have_text(says)
        check_highlight(word_names([cell]), {cell}, terms)

    run = set(result("gtm").layers[0].marks[0].cells())
    first.mouse.move(*cell_centre(first, INTERIOR))
    check_highlight(word_names(run), run, {"0:0"})
    see(first.locator(".tip")).to_contain_text("this crisis in London")
    for place_ in ("tr.term[data-term='0:1']", ".formula .addend[data-term='0:1'] mn >> nth=0"):
        first.mouse.move(5, 5)
        first.locator(place_).hover()
        run = set(result("gtm").layers[0].marks[1].cells())
        check_highlight(word_names(run), run, {"0:1"})
        until(lambda: vermilion_formula(first), "+22")
    first.mouse.move(5, 5)
    see(first.locator(".tip, .lit, .light")).to_have_count(0)


def test_choose_and_let_go(first: Any, see: Any) -> None:
    """Check that a click on a table row, an addend, a word, a cell or a block chooses the term that it belongs to.

    Only the chosen term is vermilion. A choice is undone by a second click, by Escape, and by a click on an empty
    cell."""
    gtm = result("gtm")

    def check_chosen_term(name: str | None, formula: str = "") -> None:
        first.mouse.move(5, 5)  # what the mouse hovers over is vermilion too
        until(lambda: chosen(first), expected_choice(gtm, name))
        until(lambda: vermilion_formula(first), formula)
        assert data_values(first, ".figure [data-term].chosen", "term") == ({name} if name else set())
        assert cells(first, ".figure [data-cell].chosen") == (expected_choice(gtm, name).framed if name else set())

    row = first.locator("tr.term").first
    addend = first.locator(".formula .addend[data-term='0:1'] mn").first
    word = first.locator(".word_lines [data-word=c4]")
    check_chosen_term(None)
    for part, name, formula in ((row, "0:0", "42"), (addend, "0:1", "22"), (word, "0:0", "42")):  # 4², 2²
        part.click()
        check_chosen_term(name, formula)
        until(lambda number=name[2:]: f"term=0%3A{number}" in address(first), True)
        part.click()
        check_chosen_term(None)
    first.mouse.click(*cell_centre(first, Hit(3, 1, 3)))  # "discussed", in the second run
    check_chosen_term("0:1", "22")
    first.mouse.click(*cell_centre(first, INTERIOR))
    check_chosen_term("0:0", "42")
    first.keyboard.press("Escape")
    check_chosen_term(None)
    for paper in (EMPTY, Hit(0, 0, 11)):
        first.mouse.click(*cell_centre(first, Hit(1, 0, 9)))
        check_chosen_term("0:2", "12")
        first.mouse.click(*cell_centre(first, paper))
        check_chosen_term(None)
    first.mouse.click(*cell_centre(first, Hit(2, 0, 2)))  # a match that is not used belongs to no term
    check_chosen_term(None)
    until(lambda: "term=" in address(first), False)


def test_choose_by_keyboard(first: Any, see: Any) -> None:
    """Check the keys of the table of terms: arrows, Home and End highlight, Enter and Space choose, Escape undoes."""
    gtm, rows = result("gtm"), first.locator("tr.term")
    first.mouse.move(5, 5)
    rows.first.focus()
    first.keyboard.press("ArrowDown")
    until(lambda: framed_cells(first), set(gtm.layers[0].marks[1].cells()))
    first.keyboard.press("Enter")
    until(lambda: chosen(first), expected_choice(gtm, "0:1"))
    until(lambda: "term=0%3A1" in address(first), True)
    settle(first)
    assert first.evaluate("document.activeElement.dataset.term") == "0:1", "focus survives the answer"
    first.keyboard.press("End")
    first.keyboard.press("Space")
    until(lambda: chosen(first), expected_choice(gtm, "0:3"))
    first.keyboard.press("Home")
    first.keyboard.press("ArrowUp")
    first.keyboard.press("Enter")
    until(lambda: chosen(first), expected_choice(gtm, "0:0"))
    first.keyboard.press("Escape")
    until(lambda: chosen(first), expected_choice(gtm, None))
    assert rows.evaluate_all("all => all.filter(e => e.tabIndex === 0).length") == 1, "one stop on the way by Tab"
    first.keyboard.press("Tab")
    until(lambda: framed_cells(first), set())


def test_matches_that_are_not_used_say_why_by_keyboard(first: Any, see: Any) -> None:
    """Check the keys for matches that the metric does not use: each shows a tip that says why.

    Tab reaches the first such match; arrows, Home and End go to the others."""
    rings = first.locator(".figure .ring.unused[data-cell]")
    count = rings.count()
    assert count > 2 and first.locator(".figure .ring.unused[tabindex='0']").count() == 1
    rings.first.focus()
    for number, key in ((0, "ArrowRight"), (1, "ArrowDown"), (2, "End"), (count - 1, "ArrowLeft"), (count - 2, "Home")):
        ring = rings.nth(number)
        see(ring).to_be_focused()
        i, k, j = map(int, ring.get_attribute("data-cell").split(","))
        said = f"{CANDIDATE[i]} × {REFERENCES[k][j]} ({i + 1} × {j + 1}, R{k + 1}): match, not used: "
        see(first.locator(".tip")).to_contain_text(said)
        label = ring.get_attribute("aria-label")
        assert label.startswith(said), "who hears the page is told which match it is"
        until(lambda: framed_cells(first), {Hit(i, k, j)})
        first.keyboard.press(key)
    see(rings.first).to_be_focused()
    first.keyboard.press("Tab")
    see(first.locator(".ring:focus")).to_have_count(0)
    see(first.locator(".tip")).to_have_count(0)


def test_a_choice_is_seen_before_the_server_hears_of_it(first: Any) -> None:
    """Check that the browser draws a chosen term before it sends the choice to the server.

    When several terms are clicked quickly, the last one stays chosen while the server's answers arrive."""
    first.evaluate(
        """() => {
            window.told = [];
            const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (data) {
                told.push([document.querySelectorAll('.chosen').length, performance.now() - window.painted]);
                send.call(this, data);
            };
            new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => {
                if (document.querySelector('.chosen')) window.painted ??= performance.now();
            }))).observe(document.querySelector('.bitext'), {subtree: true, attributes: true});
        }"""
    )
    rows = first.locator("tr.term")
    rows.nth(1).hover()
    settle(first)
    assert first.evaluate("told") == [], "light is not told"
    rows.nth(1).click()
    until(lambda: first.evaluate("told.length > 0"), True)
    marked, since = first.evaluate("told[0]")
    assert marked >= 9 and since is not None and since >= -1
    first.evaluate("for (const n of [2, 2, 0, 3, 2, 1, 0]) document.querySelectorAll('tr.term')[n].click()")
    seen = set()
    for _ in range(40):
        seen |= data_values(first, "tr.term.chosen", "term")
        first.wait_for_timeout(15)  # the chosen row is observed repeatedly while answers arrive
    settle(first)
    assert seen == {"0:0"}, "an answer that comes late undoes nothing"
    until(lambda: "term=0%3A0" in address(first), True)


LONG_WORDS = [f"w{n}" for n in range(200)]
TALL = [f"w{n}" for n in range(60)]


def measure_chosen_cells(page: Any) -> dict[str, Any]:
    """Return how the cells of the chosen term are seen: a dict with the keys `drawn`, `seen` and `top`.

    `drawn`: whether the grid has such cells. `seen`: whether all of them lie in the window and in the visible part
    of the grid. `top`: the page's scroll position in pixels."""
    return page.evaluate(
        """() => {
            const boxes = [...document.querySelectorAll('.figure .pick')].map(e => e.getBoundingClientRect());
            const drawing = document.querySelector('.figure .drawing').getBoundingClientRect();
            const main = document.querySelector('.stMain');
            return {
                drawn: boxes.length > 0,
                seen: boxes.every(b => b.top >= 60 && b.bottom <= innerHeight
                    && b.left >= drawing.left && b.right <= drawing.right),
                top: Math.round(main.scrollTop + document.scrollingElement.scrollTop),
            };
        }"""
    )


def measure_chosen_cells_when_still(page: Any) -> dict[str, Any]:
    """Wait until the page no longer scrolls, and return the result of `measure_chosen_cells`."""
    settle(page)
    before, now = None, measure_chosen_cells(page)
    while before != now:
        page.wait_for_timeout(120)  # between two looks, so that a movement shows
        before, now = now, measure_chosen_cells(page)
    return now


def test_a_chosen_term_brings_its_cells_into_view(desk: Any, see: Any) -> None:
    """Check that the page scrolls to the cells of a term chosen by its row, addend, key or word.

    It does not scroll where the cells are visible already. With reduced motion it jumps instead of gliding."""
    desk.set_viewport_size({"width": 1280, "height": 640})
    blocks = [" ".join(TALL[at : at + 10]) for at in range(0, 60, 10)]
    type_texts(desk, " ".join(TALL), " x ".join(blocks))
    choose_metric(desk, see, "gtm")
    rows = desk.locator("tr.term")
    see(rows).to_have_count(6)
    for name in ("0:0", "0:5", "0:0"):
        desk.locator(f"tr.term[data-term='{name}']").click()
        found = measure_chosen_cells_when_still(desk)
        assert found["drawn"] and found["seen"], name
    top = found["top"]
    assert top > 0, "the grid is higher than the window"
    desk.locator("tr.term[data-term='0:1']").click()
    assert measure_chosen_cells_when_still(desk) == {"drawn": True, "seen": True, "top": top}, (
        "what is seen already moves nothing"
    )
    desk.locator(".formula .addend[data-term='0:5'] mn").first.click()
    assert measure_chosen_cells_when_still(desk)["seen"]
    desk.evaluate("document.querySelector('.stMain').scrollTop = 0")
    desk.keyboard.press("Escape")
    assert not measure_chosen_cells_when_still(desk)["drawn"]
    desk.locator(".word_lines [data-word=c55]").click()
    assert measure_chosen_cells_when_still(desk)["seen"] and measure_chosen_cells(desk)["drawn"]
    desk.keyboard.press("Escape")
    desk.evaluate("document.querySelector('.stMain').scrollTop = 0")
    desk.emulate_media(reduced_motion="reduce")
    moved = desk.evaluate(
        """() => {
            document.querySelector("tr.term[data-term='0:0']").click();
            const at = document.querySelector('.stMain').scrollTop;
            return new Promise(done => setTimeout(() => done([at, document.querySelector('.stMain').scrollTop]), 300));
        }"""
    )
    assert moved[0] == moved[1] > 0, "at once"
    desk.emulate_media(reduced_motion="no-preference")


def test_beyond_130_words_the_window_moves_to_a_chosen_term(desk: Any, see: Any) -> None:
    desk.set_viewport_size({"width": 1280, "height": 640})
    other = [*LONG_WORDS[:12], "x", *LONG_WORDS[12:30], "y", *LONG_WORDS[180:]]
    type_texts(desk, " ".join(LONG_WORDS), f"{'nothing ' * 41}\n{' '.join(other)}")
    choose_metric(desk, see, "dcs")
    desk.get_by_role("radio", name="Part of the grid").click()
    see(desk.locator("tr.term")).to_have_count(5)  # three blocks, and two pairs of neighbours
    panel = desk.locator(".figure svg path.grid")

    def window_reference_and_start() -> list[int]:
        return [int(panel.get_attribute(f"data-{name}")) for name in "kij"]

    assert window_reference_and_start() == [1, 0, 0], "the reference that is used"
    desk.locator("tr.term[data-term='0:1']").click()
    found = measure_chosen_cells_when_still(desk)
    assert found["seen"] and found["drawn"] and window_reference_and_start() == [1, 0, 0]
    desk.locator("tr.term[data-term='0:2']").click()
    until(lambda: 150 < window_reference_and_start()[1] <= 180, True)
    found = measure_chosen_cells_when_still(desk)
    assert found["seen"] and found["drawn"] and window_reference_and_start()[2] <= 32
    assert data_values(desk, "tr.term.chosen", "term") == {"0:2"}
    until(lambda: "detail.candidate=" in address(desk), True)
    here = window_reference_and_start()
    desk.locator("tr.term[data-term='1:1']").click()  # no window holds both of its blocks
    measure_chosen_cells_when_still(desk)
    assert window_reference_and_start() == here
    desk.locator("tr.term[data-term='0:0']").click()
    until(lambda: window_reference_and_start(), [1, 0, 0])
    assert measure_chosen_cells_when_still(desk)["seen"]
    desk.get_by_role("radio", name="Text").click()
    see(desk.locator(".figure svg path.grid")).to_have_count(0)


def test_terms_that_share_a_cell_or_a_word_are_visited_in_turn(desk: Any, see: Any) -> None:
    type_texts(desk, "a b c d", "a b c d")
    choose_metric(desk, see, "bleu")
    shared = ["0:1", "1:0", "1:1", "2:0", "2:1", "3:0"]  # b is in two pairs, in two triples and in all four words
    see(desk.locator("tr.term")).to_have_count(10)
    for way in ("cell", "word"):
        for name in [*shared, None]:
            if way == "cell":
                desk.mouse.click(*cell_centre(desk, Hit(1, 0, 1)))
            else:
                desk.locator(".word_lines [data-word=c1]").click()
            until(lambda: data_values(desk, "tr.term.chosen", "term"), {name} - {None})


def test_the_scores_of_ties_lead_to_the_best_and_to_the_worst(desk: Any, see: Any) -> None:
    type_texts(desk, "a d a b c a", "c a c a d b c")
    choose_metric(desk, see, "gtm")
    unfold(desk, "of-ties")
    note, end = desk.locator(".ties .note"), desk.locator(".ties .end")
    see(note).to_contain_text("from 0.407 to 0.462, here 0.407")
    see(end).to_have_text("0.462")
    see(end).to_have_attribute("title", "Show one with the best score")
    before = table_cells(desk)
    end.click()
    see(note).to_contain_text("here 0.462")
    see(end).to_have_text("0.407")
    see(desk.locator(".inspector .score b")).to_have_text("0.462")
    until(lambda: table_cells(desk) != before and "tie=" in address(desk), True)
    end.focus()
    desk.keyboard.press("Enter")
    see(note).to_contain_text("here 0.407")
    until(lambda: table_cells(desk), before)


def test_smoothing_is_a_click_where_the_score_is_zero(desk: Any, see: Any) -> None:
    """Check that a BLEU of 0 offers smoothing with the score it would give, and that a second click undoes it."""
    type_texts(desk, "the old cat sat down", "the old cat lay there")
    choose_metric(desk, see, "bleu")
    offer = desk.locator(".inspector .offer button")
    assert score_on(desk, "bleu") == "0.000"
    lifted = offer.text_content().removeprefix("Use smoothing “exp”: ")
    assert float(lifted) > 0
    offer.click()
    see(offer).to_have_text("Turn off smoothing “exp”: 0.000")
    until(lambda: score_on(desk, "bleu"), lifted)
    until(lambda: "bleu.smoothing=exp" in address(desk), True)
    offer.click()
    see(offer).to_have_text(f"Use smoothing “exp”: {lifted}")
    until(lambda: score_on(desk, "bleu"), "0.000")
    type_texts(desk, "the old cat", "the old cat lay there")
    see(offer).to_contain_text("Use effective order: ")
    type_texts(desk, "a b c d", "a b c d")
    see(offer).to_have_count(0)


def test_rounds(first: Any, see: Any) -> None:
    """Check that the slider and the Play button step through SIA's rounds, and that playing stops after the last."""
    layers = result("sia").layers
    last = len(layers)
    assert last == 3
    choose_metric(first, see, "sia")
    see(first.locator(".note.round")).to_contain_text(f"Round {last} takes")
    rounds = first.locator(".st-key-rounds input")
    rounds.focus()
    first.keyboard.press("Home")
    see(first.locator(".note.round")).to_contain_text("Round 1 takes")
    until(lambda: table_cells(first), {cell for mark in layers[0].marks for cell in mark.cells()})
    until(lambda: "rounds=1" in address(first), True)
    every = {cell for layer in layers for mark in layer.marks for cell in mark.cells()}
    first.get_by_role("button", name="Play").click()
    see(first.locator(".note.round")).to_contain_text("Round 1 takes")
    see(first.get_by_role("button", name="Pause")).to_be_visible()
    see(first.locator(".note.round")).to_contain_text(f"Round {last} takes")
    see(first.get_by_role("button", name="Play")).to_be_visible()
    time.sleep(1.5)  # longer than one round, to see that it has stopped
    assert f"Round {last} takes" in first.locator(".note.round").text_content()
    until(lambda: table_cells(first), every)
    choose_metric(first, see, "gtm")


def test_ties(desk: Any, see: Any) -> None:
    """Check the buttons that lead to another alignment with the same score: the cells change, the score does not.

    The tint of the cells that all or some of these alignments have can be switched on and off."""
    type_texts(desk, "the gunman police killed", "police killed the gunman")
    choose_metric(desk, see, "rouge_l")
    unfold(desk, "of-ties")
    note = desk.locator(".ties")
    see(note).to_contain_text("number 1 is shown. The score is the same for all.")
    score, before = score_on(desk, "rouge_l"), table_cells(desk)
    desk.locator("tr.term").first.click()
    until(lambda: len(data_values(desk, "tr.term.chosen", "term")), 1)
    note.get_by_role("button", name="Next").click()
    see(note).to_contain_text("number 2 is shown")
    until(lambda: table_cells(desk).isdisjoint(before), True)
    assert score_on(desk, "rouge_l") == score
    assert len(table_cells(desk)) == len(before) == 2
    assert data_values(desk, ".chosen", "term") == set(), "a choice belongs to one alignment"
    until(lambda: "tie=1" in address(desk), True)
    tint = desk.locator(".figure :is(.always, .sometimes)").first
    see(tint).to_be_hidden()
    desk.get_by_label("Tint their cells").check()
    see(tint).to_be_visible()
    desk.locator(".ties").get_by_role("button", name="Previous").click()
    see(desk.locator(".ties")).to_contain_text("number 1 is shown")
    see(desk.locator(".figure :is(.always, .sometimes)").first).to_be_visible()
    desk.get_by_label("Tint their cells").uncheck()
    see(desk.locator(".figure :is(.always, .sometimes)").first).to_be_hidden()
    settle(desk)


def test_another_reference_is_seen_by_a_click(desk: Any, see: Any) -> None:
    """Check that a reference's tab above the grid, or a click on its folded line of words, shows its grid and words.

    The tab "All" shows the grids and words of all references."""
    type_texts(desk, "a b c", "a b c\nx c y")
    choose_metric(desk, see, "rouge_l")
    grids = [desk.locator(f".figure .ref[data-reference='{k}'] svg") for k in (0, 1)]
    words = [desk.locator(f".word_lines [data-line='{k}'] .ws") for k in (0, 1)]
    tabs = desk.locator(".figure .refs button")

    def check_visible_reference(reference: int | None) -> None:
        for k in (0, 1):
            for part in (grids[k], words[k]):
                see(part).to_be_visible(visible=reference in (k, None))
        pressed = [str(k == (2 if reference is None else reference)).lower() for k in range(3)]
        until(lambda: tabs.evaluate_all("all => all.map(e => e.ariaPressed)"), pressed)

    check_visible_reference(0)
    see(desk.locator(".word_lines .unfold >> visible=true")).to_have_text("3 words, 1 match, none used")
    desk.locator(".word_lines .unfold >> visible=true").click()
    check_visible_reference(1)

    def hover_and_list_lit_words() -> set[str]:
        # The page may still be moving what was just opened, and a mouse that rests sends no events.
        grids[1].scroll_into_view_if_needed()
        desk.mouse.move(5, 5)
        desk.mouse.move(*cell_centre(desk, Hit(2, 1, 1)))
        desk.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return lit_words(desk)

    until(hover_and_list_lit_words, {"c2", "r1_1"})
    tabs.nth(2).click()
    check_visible_reference(None)
    desk.locator("tr.term").first.click()
    check_visible_reference(None)
    tabs.nth(0).focus()
    desk.keyboard.press("Enter")
    check_visible_reference(0)
    desk.locator(".as-text summary").click()
    see(desk.locator(".as-text pre")).to_have_text("a b c (1–3 × 1–3, R1), credit 3 = 3")


def test_arcs(desk: Any, see: Any) -> None:
    """Check the picture of ROUGE-S that draws skip-bigrams as arcs.

    Choosing a skip-bigram highlights its arcs and its four words. The button "Grid" shows the grid instead, and the
    link remembers that."""
    type_texts(desk, "the gunman police killed", "police killed the gunman")
    choose_metric(desk, see, "rouge_s")
    see(desk.locator(".figure .drawing.arcs")).to_be_visible()
    until(
        lambda: data_values(desk, ".figure [data-term]", "term") >= (data_values(desk, "tr.term", "term") or {None}),
        True,
    )
    terms = data_values(desk, "tr.term", "term")
    name = sorted(terms)[0]
    desk.locator(f"tr.term[data-term='{name}']").click()
    desk.mouse.move(5, 5)
    assert data_values(desk, ".figure .chosen[data-term]", "term") == {name}
    assert len(data_values(desk, ".word_lines .chosen", "word")) == 4
    desk.get_by_role("radio", name="Grid").click()
    see(desk.locator(".figure .drawing.grid")).to_be_visible()
    settle(desk)
    until(lambda: data_values(desk, "tr.term.chosen", "term"), {name})
    until(lambda: "picture=grid" in address(desk), True)
    desk.get_by_role("radio", name="Arcs").click()
    see(desk.locator(".figure .drawing.arcs")).to_be_visible()
    settle(desk)

    type_texts(desk, " ".join(f"w{n}" for n in range(24)), " ".join(f"w{n}" for n in range(24)))
    curves = desk.locator(".figure .curve.pair")
    seen = "all => all.filter(e => getComputedStyle(e).display !== 'none').length"
    assert curves.evaluate_all(seen) == 23, "those of the first word"
    desk.locator(".word_lines [data-word=c20]").click()
    until(lambda: len(set(desk.locator(".near.curve").evaluate_all("all => all.map(e => e.dataset.term)"))), 23)
    desk.get_by_label("All arcs", exact=False).check()
    assert curves.evaluate_all(seen) == 24 * 23 / 2
    desk.get_by_label("All arcs", exact=False).uncheck()
    assert curves.evaluate_all(seen) < 50


def test_marks_that_lie_on_each_other_are_chosen_one_after_the_other(visit: Visit, see: Any) -> None:
    """Check that repeated clicks on one point choose, in turn, the word pairs of RIBES whose crosses lie there.

    With four words in reverse order, the crosses of all six pairs lie on one point."""
    page = visit("?candidate=a+b+c+d&references=d+c+b+a&metric=ribes", wait=".cross.discordant")
    settle(page)  # the verdict above the grid grows when its biggest cost is known
    pairs = [e.get_attribute("data-term") for e in page.locator(".cross.discordant").all()]
    box = page.locator(".cross.discordant").first.bounding_box()
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*at)
    see(page.locator(".tip")).to_contain_text("and 2 more: click for the next")
    row = page.locator("tr.term.chosen")
    visited: list[Any] = []
    for _ in pairs:
        page.mouse.click(*at)
        until(lambda: row.count() == 1 and row.get_attribute("data-term") not in visited[-1:], True)
        visited.append(row.get_attribute("data-term"))
    assert sorted(visited) == sorted(pairs) and len(pairs) == 6
    page.mouse.click(*at)
    see(page.locator("tr.term.chosen")).to_have_count(0)
