"""Tests in a browser that no typed text is lost, however fast a visitor is and however slow the server.

They type right after going back and forward, restart the server under an open page, and reload the page."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import metrics
from tests.helpers.app import end_app, free_port, start_app
from tests.helpers.browsing import Watch, address, enter, open_settings, score_on, settle, text_box, tile, until
from viz.draw.pen.numbers import score_text

pytestmark = pytest.mark.alone

REFERENCES = "References, one per line"
#: URL parameters of the texts by the labels of their fields.
SENTENCE = {"Candidate": "candidate", REFERENCES: "references"}
COMPARE = {"Output before": "system.1", "Output after": "system.2", REFERENCES: "references"}
TEXTS = ("the cat sat on the mat today", "a cat sat on a mat\nthe cat was on the mat", "the dog saw it")
LESSON = "learn?page=learn&chapter=gtm&screen=2"
#: Script that delivers the server's messages `late` milliseconds late, as from a busy server far away.
LATE = """
    window.late = 0;
    const listen = WebSocket.prototype.addEventListener;
    WebSocket.prototype.addEventListener = function (type, told, ...more) {
      const later = (event) => window.late ? setTimeout(() => told(event), window.late) : told(event);
      return listen.call(this, type, type === "message" ? later : told, ...more);
    };
"""


@pytest.fixture
def slow_page_opener(page_opener: Callable[..., Any], watch: Watch) -> Iterator[Callable[..., Any]]:
    """Yield a function that opens a page and returns it once an element that `wait_selector` finds is there.

    From then on, messages from the server reach the page `delay_ms` milliseconds late, as from a busy server."""

    def open_late(path: str = "", delay_ms: int = 400, wait_selector: str = "[data-metric]") -> Any:
        page = watch.watch_page(page_opener(viewport={"width": 1280, "height": 1000}))
        page.add_init_script(LATE)
        page.goto(f"{watch.address}/{path}")
        page.wait_for_selector(wait_selector)
        settle(page)
        page.evaluate("late => { window.late = late; }", delay_ms)
        return page

    yield open_late
    watch.assert_no_faults()


def go_in_history(page: Any, steps: int) -> None:
    page.evaluate("steps => history.go(steps)", steps)


def address_values(page: Any, name: str) -> list[str]:
    """Return the values of the parameter `name` in the page's address."""
    return parse_qs(urlsplit(address(page)).query).get(name, [])


def wait_until_fields_hold(page: Any, texts: dict[str, str], fields: dict[str, str] = SENTENCE) -> None:
    """Wait until the fields and the page's address hold `texts`, which maps labels of fields to texts.

    `fields` maps each label to the name of its parameter in the address."""
    until(lambda: {label: text_box(page, label).input_value() for label in texts}, texts)
    wanted = {fields[label]: [text] for label, text in texts.items()}

    until(lambda: {name: address_values(page, name) for name in wanted}, wanted)


@pytest.mark.parametrize(("back", "forward", "pause"), [(2, 1, 0), (1, 0, 300)])
def test_texts_are_typed_right_after_going_back(slow_page_opener: Any, back: int, forward: int, pause: int) -> None:
    page = slow_page_opener(delay_ms=0)
    for key in ("sia", "ter", "dcs"):
        tile(page, key).click()
        until(lambda: f"metric={key}" in address(page), True)
    page.evaluate("window.late = 300")
    for steps in (-back, forward) if forward else (-back,):
        go_in_history(page, steps)
        page.wait_for_timeout(700)  # this test is about timing: somebody looks for a moment before typing
    text_box(page, "Candidate").fill(TEXTS[0])
    page.wait_for_timeout(pause)  # between typing into two fields
    enter(text_box(page, REFERENCES), TEXTS[1])
    page.wait_for_timeout(900)  # a late answer could still overwrite what is typed
    wait_until_fields_hold(page, dict(zip(SENTENCE, TEXTS, strict=False)))


def test_a_setting_is_changed_right_after_a_text_and_after_going_back(slow_page_opener: Any) -> None:
    """Check texts and settings that are changed quickly, one after the other and after going back.

    A setting changed after going back counts. A text typed after going back does not bring back the setting from
    before."""
    page = slow_page_opener(delay_ms=0)
    slider = open_settings(page).locator(".stSlider input").first
    slider.focus()
    page.keyboard.press("ArrowRight")
    until(lambda: "gtm.exponent=2.1" in address(page), True)
    page.evaluate("window.late = 300")
    go_in_history(page, -1)
    page.wait_for_timeout(100)  # before the answer to going back, which comes 300 ms late
    enter(text_box(page, "Candidate"), TEXTS[0])  # the browser still has 2.1
    wait_until_fields_hold(page, {"Candidate": TEXTS[0]})
    until(lambda: (slider.input_value(), "gtm.exponent" in address(page)), ("2", False))
    text_box(page, "Candidate").fill(TEXTS[2])
    slider.focus()  # leaving the text field sends the text
    page.keyboard.press("ArrowLeft")
    until(lambda: "gtm.exponent=1.9" in address(page), True)
    wait_until_fields_hold(page, {"Candidate": TEXTS[2]})
    page.wait_for_timeout(600)  # a late answer could still overwrite it
    assert slider.input_value() == "1.9"


@pytest.mark.parametrize(("path", "fields"), [("", SENTENCE), ("compare", COMPARE)])
def test_nothing_is_lost_whatever_the_order(slow_page_opener: Any, path: str, fields: dict[str, str]) -> None:
    """Check that no text is lost in a random order of actions with random pauses between them.

    The actions are choosing a metric, going back, going forward, and filling or typing a text."""
    page, chance = slow_page_opener(path, 150), random.Random(21)
    first, wanted = page.evaluate("navigation.currentEntry.index"), dict[str, str]()
    for _ in range(14):
        done = chance.choice(["tile", "back", "forward", "fill", "keys", "fill"])
        if done == "tile":
            tile(page, chance.choice(["gtm", "sia", "ter", "dcs"])).click()
        elif done == "forward" or (done == "back" and page.evaluate("navigation.currentEntry.index") > first):
            go_in_history(page, 1 if done == "forward" else -1)
        elif done != "back":
            label, text = chance.choice([*fields]), " ".join(chance.sample("the a cat dog sat on mat red".split(), 4))
            text_box(page, label).fill("" if done == "keys" else text)
            if done == "keys":
                text_box(page, label).press_sequentially(text, delay=5)
            wanted[label] = text
        # A random pause before the next action.
        page.wait_for_timeout(chance.choice([0, 0, 50, chance.randrange(400)]))
    page.evaluate("document.activeElement.blur()")
    page.wait_for_timeout(600)  # a late answer could still overwrite it
    wait_until_fields_hold(page, wanted, fields)


def test_what_was_not_sent_outlives_the_server_and_a_reload(page_opener: Callable[..., Any]) -> None:
    """Check that text typed while the server is down survives the restart of the server and a reload.

    After the restart the text is scored although nobody touches its field, and the first click counts."""
    port = free_port()
    app = start_app(port)
    opened = {"": "[data-metric]", "compare": "[data-metric]", LESSON: ".typed textarea"}
    pages = {path: page_opener() for path in opened}
    try:
        for path, page in pages.items():
            page.goto(f"http://127.0.0.1:{port}/{path}")
            page.wait_for_selector(opened[path])
            settle(page)
        sentence, compare, lesson = pages.values()
        enter(text_box(sentence, "Candidate"), TEXTS[2])
        wait_until_fields_hold(sentence, {"Candidate": TEXTS[2]})
        texts = dict(zip(SENTENCE, TEXTS, strict=False))
        outputs = dict(zip(COMPARE, TEXTS, strict=True))
        for page, written in ((sentence, texts), (compare, outputs)):
            for label, text in written.items():
                text_box(page, label).fill(text)
        own = lesson.locator(".typed textarea").first
        own.fill(TEXTS[0])
        end_app(app)
        for page in pages.values():
            page.wait_for_selector(".stApp:not([data-test-connection-state=CONNECTED])")
        app = start_app(port)
        compare.bring_to_front()
        compare.wait_for_selector("textarea:enabled")
        tile(compare, "ter").click()
        wait_until_fields_hold(compare, outputs, COMPARE)
        until(lambda: address_values(compare, "metric"), ["ter"])
        sentence.bring_to_front()
        wait_until_fields_hold(sentence, texts)
        score = metrics.score("gtm", TEXTS[0].split(), [line.split() for line in TEXTS[1].split("\n")]).score
        until(lambda: score_on(sentence, "gtm"), score_text(score))
        lesson.bring_to_front()
        until(lambda: (own.input_value(), address_values(lesson, "candidate")), (TEXTS[0], [TEXTS[0]]))

        text_box(sentence, REFERENCES).fill(TEXTS[2])
        sentence.bring_to_front()
        sentence.reload()
        sentence.wait_for_selector("[data-metric]")
        wait_until_fields_hold(sentence, {**texts, REFERENCES: TEXTS[2]})
        lesson.bring_to_front()
        own.fill(TEXTS[2])
        lesson.reload()
        lesson.wait_for_selector(".typed textarea")
        until(lambda: (own.input_value(), address_values(lesson, "candidate")), (TEXTS[2], [TEXTS[2]]))
    finally:
        end_app(app)


def test_a_sentence_of_a_lesson_is_typed_while_an_answer_arrives(slow_page_opener: Any) -> None:
    """Check that a field of a lesson keeps what is typed while the server's answer to an earlier text arrives.

    The visitor leaves the field before the new text is sent."""
    page = slow_page_opener(LESSON, 600, ".typed textarea")
    own = page.locator(".typed textarea").first
    page.evaluate("""() => {
        const field = document.querySelector(".typed textarea");
        window.seen = new Set();
        const look = () => (window.seen.add(field.value), requestAnimationFrame(look));
        look();
    }""")
    first = own.input_value()
    own.fill(TEXTS[0])
    page.wait_for_timeout(600)  # the text is sent, and its answer is on the way
    own.fill(TEXTS[2])
    own.blur()
    until(lambda: address_values(page, "candidate"), [TEXTS[2]])
    page.wait_for_timeout(200)  # a late answer could still overwrite it
    assert own.input_value() == TEXTS[2]
    assert page.evaluate("[...window.seen]") == [first, TEXTS[0], TEXTS[2]]
