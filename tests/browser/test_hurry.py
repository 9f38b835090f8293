"""Nothing that was typed is lost: after going back and forward at once, when the server was started again under the
page, when the page is loaded again."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from browsing import Watch, address, box, settle, tile, until
from conftest import free_port, start_app

pytestmark = pytest.mark.browser

REFERENCES = "References, one per line"
#: The parameters of the texts by the labels of their fields.
SENTENCE = {"Candidate": "candidate", REFERENCES: "references"}
COMPARE = {"Output before": "system.1", "Output after": "system.2", REFERENCES: "references"}
TEXTS = ("the cat sat on the mat today", "a cat sat on a mat\nthe cat was on the mat", "the dog saw it")
#: What the server sends comes as many milliseconds late as `late` says, as from a busy server far away.
LATE = """
    window.late = 0;
    const listen = WebSocket.prototype.addEventListener;
    WebSocket.prototype.addEventListener = function (type, told, ...more) {
      const later = (event) => window.late ? setTimeout(() => told(event), window.late) : told(event);
      return listen.call(this, type, type === "message" ? later : told, ...more);
    };
"""


@pytest.fixture(scope="module")
def hurried(new_page: Callable[..., Any], watch: Watch) -> Iterator[Callable[..., Any]]:
    """Opens a page that the server's answers reach late."""
    pages = []

    def open_(path: str = "", late: int = 400) -> Any:
        page = watch.over(new_page(viewport={"width": 1280, "height": 1000}))
        page.add_init_script(LATE)
        pages.append(page)
        page.goto(f"{watch.address}/{path}")
        page.wait_for_selector("[data-metric]")
        settle(page)
        page.evaluate("late => { window.late = late; }", late)
        return page

    yield open_
    for page in pages:
        page.close()
    watch.none()


def go(page: Any, steps: int) -> None:
    page.evaluate("steps => history.go(steps)", steps)


def typed(page: Any, texts: dict[str, str], fields: dict[str, str] = SENTENCE) -> None:
    """These texts stand in their fields and in the address."""
    until(lambda: {label: box(page, label).input_value() for label in texts}, texts)
    wanted = {fields[label]: [text] for label, text in texts.items()}

    def kept() -> dict[str, list[str]]:
        query = parse_qs(urlsplit(address(page)).query)
        return {name: query.get(name, []) for name in wanted}

    until(kept, wanted)


@pytest.mark.parametrize(("back", "forward", "pause"), [(2, 1, 0), (1, 0, 300)])
def test_texts_are_typed_right_after_going_back(hurried: Any, back: int, forward: int, pause: int) -> None:
    page = hurried(late=0)
    for key in ("sia", "ter", "dcs"):
        tile(page, key).click()
        until(lambda: f"metric={key}" in address(page), True)
    page.evaluate("window.late = 300")
    for steps in (-back, forward) if forward else (-back,):
        go(page, steps)
        page.wait_for_timeout(700)
    box(page, "Candidate").fill(TEXTS[0])
    page.wait_for_timeout(pause)
    box(page, REFERENCES).fill(TEXTS[1])
    box(page, REFERENCES).press("Control+Enter")
    page.wait_for_timeout(900)
    typed(page, dict(zip(SENTENCE, TEXTS, strict=False)))


def test_a_setting_is_changed_right_after_a_text_and_after_going_back(hurried: Any) -> None:
    """The setting that is chosen counts, and what going back has brought back is not undone by what is typed."""
    page = hurried(late=0)
    slider = page.locator(".st-key-settings .stSlider input").first
    slider.focus()
    page.keyboard.press("ArrowRight")
    until(lambda: "gtm.exponent=2.1" in address(page), True)
    page.evaluate("window.late = 300")
    go(page, -1)
    page.wait_for_timeout(100)
    box(page, "Candidate").fill(TEXTS[0])
    box(page, "Candidate").press("Control+Enter")  # the browser has 2.1 still
    typed(page, {"Candidate": TEXTS[0]})
    until(lambda: (slider.input_value(), "gtm.exponent" in address(page)), ("2", False))
    box(page, "Candidate").fill(TEXTS[2])
    slider.focus()  # the text is sent
    page.keyboard.press("ArrowLeft")
    until(lambda: "gtm.exponent=1.9" in address(page), True)
    typed(page, {"Candidate": TEXTS[2]})
    page.wait_for_timeout(600)
    assert slider.input_value() == "1.9"


@pytest.mark.parametrize(("path", "fields"), [("", SENTENCE), ("compare", COMPARE)])
def test_nothing_is_lost_whatever_the_order(hurried: Any, path: str, fields: dict[str, str]) -> None:
    """Tiles, going back and forward, and typing, by key or at once, at random moments."""
    page, chance = hurried(path, 150), random.Random(21)
    first, wanted = page.evaluate("navigation.currentEntry.index"), dict[str, str]()
    for _ in range(14):
        done = chance.choice(["tile", "back", "forward", "fill", "keys", "fill"])
        if done == "tile":
            tile(page, chance.choice(["gtm", "sia", "ter", "dcs"])).click()
        elif done == "forward" or (done == "back" and page.evaluate("navigation.currentEntry.index") > first):
            go(page, 1 if done == "forward" else -1)
        elif done != "back":
            label, text = chance.choice([*fields]), " ".join(chance.sample("the a cat dog sat on mat red".split(), 4))
            box(page, label).fill("" if done == "keys" else text)
            if done == "keys":
                box(page, label).press_sequentially(text, delay=5)
            wanted[label] = text
        page.wait_for_timeout(chance.choice([0, 0, 50, chance.randrange(400)]))
    page.evaluate("document.activeElement.blur()")
    page.wait_for_timeout(600)
    typed(page, wanted, fields)


def test_what_was_not_sent_outlives_the_server_and_a_reload(new_page: Callable[..., Any]) -> None:
    """A server is started again under an open page: with the next text, what stands in all fields counts."""
    port = free_port()
    app = start_app(port)
    pages = {path: new_page() for path in ("", "compare")}
    try:
        for path, page in pages.items():
            page.goto(f"http://127.0.0.1:{port}/{path}")
            page.wait_for_selector("[data-metric]")
            settle(page)
        sentence, compare = pages.values()
        box(sentence, "Candidate").fill(TEXTS[2])
        box(sentence, "Candidate").press("Control+Enter")
        typed(sentence, {"Candidate": TEXTS[2]})
        texts = dict(zip(SENTENCE, TEXTS, strict=False))
        for label, text in texts.items():
            box(sentence, label).fill(text)
        outputs = dict(zip(COMPARE, TEXTS, strict=True))
        for label, text in outputs.items():
            box(compare, label).fill(text)
        app.terminate()
        app.wait(10)
        for page in pages.values():
            page.wait_for_selector("textarea:disabled")
        app = start_app(port)
        for page, wanted, fields in ((sentence, texts, SENTENCE), (compare, outputs, COMPARE)):
            page.bring_to_front()
            page.wait_for_selector("textarea:enabled", timeout=60_000)
            label = next(iter(wanted))
            wanted[label] += " again"
            box(page, label).fill(wanted[label])
            box(page, label).press("Control+Enter")
            typed(page, wanted, fields)
        box(sentence, REFERENCES).fill(TEXTS[2])
        sentence.reload()
        sentence.wait_for_selector("[data-metric]")
        typed(sentence, {**texts, REFERENCES: TEXTS[2]})
    finally:
        for page in pages.values():
            page.close()
        app.terminate()
        app.wait(10)
