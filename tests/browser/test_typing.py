"""Tests in a browser that the Sentence page shows what the core computes from the typed texts and chosen settings."""

from __future__ import annotations

from typing import Any

import pytest

import metrics
from metrics.types import Hit
from tests.helpers.browsing import (
    FIRST,
    address,
    cell_centre,
    choose_metric,
    close_menu,
    enter,
    files_for_chooser,
    lit_words,
    menu,
    open_settings,
    score_on,
    settle,
    show_view,
    table_cells,
    text_box,
    tile,
    type_texts,
    until,
)
from viz.draw.pen.numbers import score_text
from viz.draw.pen.text import visible
from viz.frame.examples import BY_NAME

pytestmark = pytest.mark.alone


def test_type_choose_and_set(desk: Any, see: Any) -> None:
    """Check that typed texts, chosen metrics and changed settings give the scores that the core computes."""
    candidate, references = "the cat sat on a mat", "a cat sat on the mat\nthere was a cat on the mat"
    type_texts(desk, candidate, references)

    def expected_score(key: str, **settings: Any) -> str:
        given = [line.split() for line in references.split("\n")]
        return score_text(metrics.score(key, candidate.split(), given, **settings).score)

    for key in metrics.METRICS:
        until(lambda: score_on(desk, key), expected_score(key))
    choose_metric(desk, see, "gtm")
    see(desk.locator(".figure .ref:not([hidden]) text[data-word^=c]")).to_have_text(candidate.split())
    see(desk.locator(".figure svg text[data-word^=r]")).to_have_text(references.split())

    see(tile(desk, "gtm")).to_have_attribute("aria-checked", "true")
    choose_metric(desk, see, "dcs")
    for key in ("sia", "gtm"):
        desk.keyboard.press("ArrowLeft")
        desk.keyboard.press("Space")
        see(desk.locator(".vh b")).to_have_text(metrics.METRICS[key].name)
        see(tile(desk, key)).to_have_attribute("aria-checked", "true")

    open_settings(desk)
    slider = desk.get_by_role("slider", name="Exponent")
    before = float(slider.input_value())
    slider.focus()
    desk.keyboard.press("ArrowRight")
    exponent = float(slider.input_value())
    assert exponent > before
    see(desk.locator(".sig")).to_contain_text(f"exponent:{exponent}")
    until(lambda: score_on(desk, "gtm"), expected_score("gtm", exponent=exponent))
    assert expected_score("gtm", exponent=exponent) != expected_score("gtm")
    slider.focus()
    desk.keyboard.press("ArrowLeft")
    until(lambda: score_on(desk, "gtm"), expected_score("gtm"))


def test_a_click_during_scoring_counts(desk: Any, see: Any) -> None:
    """Check that a click on a tile chooses its metric although the scores on the tiles are changing at that moment."""
    for round_, key in enumerate(("rouge_l", "sia")):
        words = [f"w{round_}{n * n % 977}" for n in range(700)]
        enter(text_box(desk, "Candidate"), " ".join(words))
        enter(text_box(desk, "References, one per line"), " ".join(words[::-1]))
        desk.wait_for_timeout(100)  # the moment at which somebody clicks: the scores are on their way
        tile(desk, key).click()
        see(desk.locator(".vh b")).to_have_text(metrics.METRICS[key].name)
        settle(desk)
        until(lambda: tile(desk, key).get_attribute("aria-checked"), "true")
    type_texts(desk, "a b", "a b")


def test_views(desk: Any, see: Any) -> None:
    """Check the views "All metrics", "Two metrics" and "Error classes" of the Sentence page.

    A click on one of the small grids of "All metrics" leads back to the view of that metric."""
    type_texts(desk, FIRST.candidate, FIRST.references)
    choose_metric(desk, see, "gtm")
    show_view(desk, "All metrics")
    small = desk.locator(".multiples button")
    see(small).to_have_count(len(metrics.METRICS))
    assert small.locator("svg").evaluate_all("all => all.every(e => e.getBoundingClientRect().width > 50)")
    see(desk.locator(".divided tr").nth(1)).to_be_visible()
    until(lambda: "view=all" in address(desk), True)
    desk.mouse.move(*cell_centre(desk, Hit(5, 0, 6)))
    see(desk.locator(".tip")).to_contain_text("crisis × crisis (6 × 7, R1)")

    desk.locator("[data-open=dcs]").click()
    see(desk.locator(".vh b")).to_have_text(metrics.METRICS["dcs"].name)
    see(tile(desk, "dcs")).to_have_attribute("aria-checked", "true")

    show_view(desk, "All metrics")
    tile(desk, "ribes").click()
    see(desk.locator(".vh b")).to_have_text(metrics.METRICS["ribes"].name)
    choose_metric(desk, see, "dcs")

    show_view(desk, "Two metrics")
    see(desk.locator(".vh b")).to_have_text("dcs and ROUGE-L")
    see(desk.locator(".lg")).to_contain_text("used by both")
    desk.locator(".st-key-view").get_by_role("radio", name="Two metrics").focus()
    desk.keyboard.press("ArrowRight")
    desk.keyboard.press("Space")
    settle(desk)
    see(desk.locator(".vh b")).to_have_text("Error classes")

    type_texts(desk, "police kill the gunman", "the police killed the gunman")
    word = desk.locator(".word_lines [data-word=c1]")
    assert "same stem" in word.get_attribute("title")
    word.hover()
    until(lambda: lit_words(desk), {"c1", "r0_2"})
    see(desk.locator(".inspector .classes")).to_contain_text("Inflection")
    show_view(desk, "Metric")


def test_menus_and_examples_keep_to_their_host(desk: Any, see: Any) -> None:
    """Check that opening menus and loading examples causes no errors and no requests to other hosts.

    The fixtures' `Watch` collects such requests and the errors of the browser's console, and fails on them."""
    type_texts(desk, FIRST.candidate, FIRST.references)
    choose_metric(desk, see, "sia")
    see(open_settings(desk)).to_be_visible()
    close_menu(desk)
    for name in ("Text", "Share", "Save"):
        see(menu(desk, name)).to_be_visible()
        close_menu(desk)
    for example in ("Japanese, by characters", "Hebrew, right to left"):
        chooser = desk.get_by_role("combobox", name="Example")
        chooser.click()
        desk.keyboard.type(example)
        desk.keyboard.press("Enter")
        see(text_box(desk, "Candidate")).to_have_value(BY_NAME[example].candidate)
        see(desk.locator(".vh b")).to_have_text(metrics.METRICS[BY_NAME[example].metric].name)
        settle(desk)
        choose_metric(desk, see, "wer")  # the menu of texts, opened before, does not restore its former settings
        assert ("text.tokenizer=character" in address(desk)) == (BY_NAME[example].text.get("tokenizer") == "character")
    see(desk.get_by_test_id("stException")).to_have_count(0)


# ---------------------------------------------------------------- similar words


BITEXT = [("the home is little", "la maison est petite"), ("the house is small", "la maison est petite")] * 30
BITEXT += [
    ("the house", "la maison"),
    ("the home", "la maison"),
    ("is small", "est petite"),
    ("is little", "est petite"),
]


def open_word_similarity(page: Any, see: Any, kind: str) -> Any:
    """Choose `kind` as the similarity of words in the menu of SIA's settings, and return the menu, still open."""
    opened = menu(page, "Settings")
    opened.get_by_role("combobox", name="Similar words").click()
    page.get_by_role("option", name=kind).click()
    settle(page)
    return opened


def test_a_similarity_trained_on_a_bitext(desk: Any, see: Any) -> None:
    """Check that a similarity can be trained on two uploaded files, and that SIA then aligns similar words.

    The page shows how far the training is, and the training can be stopped."""
    type_texts(desk, "the home is little", "the house is small")
    choose_metric(desk, see, "sia")
    assert len(table_cells(desk)) == 2
    opened = open_word_similarity(desk, see, "trained")
    for patience, model, says in ((1, "1", "In use: table(ibm1(en.txt)"), (150, "3", "Training was stopped")):
        files = opened.locator("input[type=file]")
        files.nth(0).set_input_files(files_for_chooser(("en.txt", [english for english, _ in BITEXT * patience])))
        files.nth(1).set_input_files(files_for_chooser(("fr.txt", [french for _, french in BITEXT * patience])))
        opened.get_by_role("radio", name=model, exact=True).click()
        settle(desk)  # the files and the model draw the button anew
        opened.get_by_role("button", name="Train", exact=True).click()
        if patience > 1:
            see(opened.get_by_text("Training: round")).to_be_visible()
            opened.get_by_role("button", name="Stop training").click()
        see(opened.get_by_text(says)).to_be_visible()
        close_menu(desk)
        until(lambda: len(table_cells(desk)), 4)  # home ≈ house, little ≈ small
        if patience == 1:
            opened = menu(desk, "Settings")


def test_a_translation_table(desk: Any, see: Any) -> None:
    """Check that a fault in an uploaded translation table is named with its line.

    SIA uses a table without faults."""
    type_texts(desk, "the home is little", "the house is small")
    choose_metric(desk, see, "sia")
    opened = open_word_similarity(desk, see, "translation table")
    file = opened.locator("input[type=file]")
    file.set_input_files(files_for_chooser(("lex.e2f", ["home maison 0.5", "house maison"])))
    see(opened.get_by_text("line 2")).to_be_visible()
    assert len(table_cells(desk)) == 2
    file.set_input_files(files_for_chooser(("lex.e2f", ["home maison 0.5", "house maison 0.5"])))
    see(opened.get_by_text("In use: table(lex.e2f")).to_be_visible()
    until(lambda: len(table_cells(desk)), 3)
    close_menu(desk)


# ---------------------------------------------------------------- bad and hostile input


HOSTILE = (
    "<script>alert(1)</script> <b>bold</b> $x$ %{x} &amp; **md** [a](http://b) `code` <img/src=x/onerror=alert(1)> "
    "\u202eevil a\u0001b c\u0007d 👩‍👩‍👧 שלום مرحبا {{x}} \\frac{1}{2} ${7*7} "
    "javascript:alert(1) </div></style> ' \" <svg/onload=alert(1)>"
)


def test_hostile_text_is_only_text(desk: Any, see: Any) -> None:
    type_texts(desk, HOSTILE, HOSTILE)
    tokens = HOSTILE.split()
    words = [visible(w, 60) for w in tokens]
    assert "a\ufffdb" in words
    see(desk.locator(".word_lines .ln:first-child .tk bdi")).to_have_text(words)
    for key in metrics.METRICS:
        choose_metric(desk, see, key)
        for lines in (".word_lines .ln:first-child .tk bdi", ".word_lines .ln:last-child .tk bdi"):
            until(lambda: desk.locator(lines).all_text_contents(), words)
        if desk.get_by_role("radio", name="Grid").count():
            desk.get_by_role("radio", name="Grid").click()
            settle(desk)
        labels = [visible(w, 16) for w in tokens]
        for side in "cr":
            until(lambda: desk.locator(f".figure svg text[data-word^={side}]").all_text_contents(), labels)
        injected = desk.locator(".bitext").evaluate_all(
            "all => all.flatMap(e => [...e.querySelectorAll('script, img, iframe, style, a, [onerror], [onload], "
            ":is(.tk, td, text, .figure, .formula) b')]).map(e => e.outerHTML.slice(0, 200))"
        )
        assert not injected
    choose_metric(desk, see, "gtm")
    desk.mouse.move(*cell_centre(desk, Hit(1, 0, 1)))
    see(desk.locator(".tip")).to_contain_text("<b>bold</b> × <b>bold</b> (2 × 2): used")
    desk.locator(".as-text summary").click()
    see(desk.locator(".as-text pre")).to_contain_text("<script>alert(1)</script> <b>bold</b> $x$ %{x} &amp; **md**")


def test_labels_are_written_in_their_own_direction(desk: Any, see: Any) -> None:
    """Check that the label of a word is drawn in the direction of its script.

    A full stop is at the left of a Hebrew word and at the right of an English one."""
    type_texts(desk, "לירושלים שעה. London.", "בשעה. שעה. London.")
    choose_metric(desk, see, "gtm")
    ends = desk.locator(".figure svg text[data-word]").evaluate_all(
        """all => all.filter(e => e.textContent.endsWith('.')).map(e => {
            const x = n => e.getExtentOfChar(n).x;
            return [e.textContent, x(e.getNumberOfChars() - 1) > x(0)];
        })"""
    )
    assert len(ends) == 5
    assert all(last_is_right == (text == "London.") for text, last_is_right in ends)
    beside = desk.locator(".figure svg text[data-word^=c]").evaluate_all(
        "all => all.map(e => Math.round(e.getBoundingClientRect().right))"
    )
    assert max(beside) - min(beside) <= 2, "labels beside a grid end at its edge"
    assert desk.locator(".word_lines .ws").evaluate_all("all => all.map(e => e.dir)") == ["rtl", "rtl"]


def test_bad_input_gets_one_sentence(desk: Any, see: Any) -> None:
    """Check that texts that cannot be scored get one sentence that says why, and that they stay in their text areas."""
    ok = "a b c"
    cases = (
        (" ".join(["w"] * 2_001), ok, "The candidate has 2,001 words, 1 more than the 2,000 that fit."),
        (ok, "\n".join(["r"] * 17), "17 references are 1 more than the 16 that fit."),
        (" \t \n ", ok, "Paste a candidate above, or choose an example."),
        (ok, "\n \n", "Paste a reference above, or choose an example."),
        ("x" * 1_000_000, ok, "The candidate has 1,000,000 characters, 800,000 more than the 200,000 that fit."),
    )
    choose_metric(desk, see, "gtm")
    for candidate, references, says in cases:
        type_texts(desk, ok, ok)
        see(desk.locator(".terms tr.term")).to_have_count(1)
        text_box(desk, "References, one per line").fill(references)
        enter(text_box(desk, "Candidate"), candidate)
        see(desk.get_by_test_id("stAlert")).to_contain_text(says)
        see(desk.get_by_test_id("stAlert")).to_have_count(1)
        see(desk.locator(".bitext")).to_have_count(0)
        assert text_box(desk, "Candidate").input_value() == candidate
        assert text_box(desk, "References, one per line").input_value() == references
    type_texts(desk, "\u0001\u0002 \ufeff \u200b", "\u0001\u0002 x")  # unprintable characters, but words
    see(desk.locator(".word_lines [data-word=c0]")).to_have_text("\ufffd\ufffd")
    see(desk.get_by_test_id("stException")).to_have_count(0)
