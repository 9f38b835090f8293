"""Nothing that was typed is lost: after going back and forward at once, when the server was started again under the
page, when the page is loaded again."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from browsing import Watch, address, box, open_settings, score_on, settle, tile, until
from conftest import end_app, free_port, start_app

import metrics
from viz.draw.pen import theme

pytestmark = pytest.mark.alone

REFERENCES = "References, one per line"
#: The parameters of the texts by the labels of their fields.
SENTENCE = {"Candidate": "candidate", REFERENCES: "references"}
COMPARE = {"Output before": "system.1", "Output after": "system.2", REFERENCES: "references"}
TEXTS = ("the cat sat on the mat today", "a cat sat on a mat\nthe cat was on the mat", "the dog saw it")
LESSON = "learn?page=learn&chapter=gtm&screen=2"
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

    def open_(path: str = "", late: int = 400, wait: str = "[data-metric]") -> Any:
        page = watch.over(new_page(viewport={"width": 1280, "height": 1000}))
        page.add_init_script(LATE)
        pages.append(page)
        page.goto(f"{watch.address}/{path}")
        page.wait_for_selector(wait)
        settle(page)
        page.evaluate("late => { window.late = late; }", late)
        return page

    yield open_
    for page in pages:
        page.close()
    watch.none()


def go(page: Any, steps: int) -> None:
    page.evaluate("steps => history.go(steps)", steps)


def held(page: Any, name: str) -> list[str]:
    """What the address holds under a name."""
    return parse_qs(urlsplit(address(page)).query).get(name, [])


def typed(page: Any, texts: dict[str, str], fields: dict[str, str] = SENTENCE) -> None:
    """These texts stand in their fields and in the address."""
    until(lambda: {label: box(page, label).input_value() for label in texts}, texts)
    wanted = {fields[label]: [text] for label, text in texts.items()}

    until(lambda: {name: held(page, name) for name in wanted}, wanted)


@pytest.mark.parametrize(("back", "forward", "pause"), [(2, 1, 0), (1, 0, 300)])
def test_texts_are_typed_right_after_going_back(hurried: Any, back: int, forward: int, pause: int) -> None:
    page = hurried(late=0)
    for key in ("sia", "ter", "dcs"):
        tile(page, key).click()
        until(lambda: f"metric={key}" in address(page), True)
    page.evaluate("window.late = 300")
    for steps in (-back, forward) if forward else (-back,):
        go(page, steps)
        page.wait_for_timeout(700)  # this test is about moments: how long somebody looks before typing
    box(page, "Candidate").fill(TEXTS[0])
    page.wait_for_timeout(pause)  # and between two fields
    box(page, REFERENCES).fill(TEXTS[1])
    box(page, REFERENCES).press("Control+Enter")
    page.wait_for_timeout(900)  # what comes late could still write over what is typed
    typed(page, dict(zip(SENTENCE, TEXTS, strict=False)))


def test_a_setting_is_changed_right_after_a_text_and_after_going_back(hurried: Any) -> None:
    """The setting that is chosen counts, and what going back has brought back is not undone by what is typed."""
    page = hurried(late=0)
    slider = open_settings(page).locator(".stSlider input").first
    slider.focus()
    page.keyboard.press("ArrowRight")
    until(lambda: "gtm.exponent=2.1" in address(page), True)
    page.evaluate("window.late = 300")
    go(page, -1)
    page.wait_for_timeout(100)  # before the answer to going back, which is 300 late
    box(page, "Candidate").fill(TEXTS[0])
    box(page, "Candidate").press("Control+Enter")  # the browser has 2.1 still
    typed(page, {"Candidate": TEXTS[0]})
    until(lambda: (slider.input_value(), "gtm.exponent" in address(page)), ("2", False))
    box(page, "Candidate").fill(TEXTS[2])
    slider.focus()  # the text is sent
    page.keyboard.press("ArrowLeft")
    until(lambda: "gtm.exponent=1.9" in address(page), True)
    typed(page, {"Candidate": TEXTS[2]})
    page.wait_for_timeout(600)  # what comes late could still write over it
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
        # moments at which somebody does the next thing
        page.wait_for_timeout(chance.choice([0, 0, 50, chance.randrange(400)]))
    page.evaluate("document.activeElement.blur()")
    page.wait_for_timeout(600)  # what comes late could still write over it
    typed(page, wanted, fields)


def test_what_was_not_sent_outlives_the_server_and_a_reload(new_page: Callable[..., Any]) -> None:
    """A server is started again under open pages, in whose fields somebody types: what stands there counts, without
    being touched, and the first click too."""
    port = free_port()
    app = start_app(port)
    opened = {"": "[data-metric]", "compare": "[data-metric]", LESSON: ".typed textarea"}
    pages = {path: new_page() for path in opened}
    try:
        for path, page in pages.items():
            page.goto(f"http://127.0.0.1:{port}/{path}")
            page.wait_for_selector(opened[path])
            settle(page)
        sentence, compare, lesson = pages.values()
        box(sentence, "Candidate").fill(TEXTS[2])
        box(sentence, "Candidate").press("Control+Enter")
        typed(sentence, {"Candidate": TEXTS[2]})
        texts = dict(zip(SENTENCE, TEXTS, strict=False))
        outputs = dict(zip(COMPARE, TEXTS, strict=True))
        for page, written in ((sentence, texts), (compare, outputs)):
            for label, text in written.items():
                box(page, label).fill(text)
        own = lesson.locator(".typed textarea").first
        own.fill(TEXTS[0])
        end_app(app)
        for page in pages.values():
            page.wait_for_selector(".stApp:not([data-test-connection-state=CONNECTED])")
        app = start_app(port)
        compare.bring_to_front()
        compare.wait_for_selector("textarea:enabled")
        tile(compare, "ter").click()
        typed(compare, outputs, COMPARE)
        until(lambda: held(compare, "metric"), ["ter"])
        sentence.bring_to_front()
        typed(sentence, texts)
        score = metrics.score("gtm", TEXTS[0].split(), [line.split() for line in TEXTS[1].split("\n")]).score
        until(lambda: score_on(sentence, "gtm"), theme.score_text(score))
        lesson.bring_to_front()
        until(lambda: (own.input_value(), held(lesson, "candidate")), (TEXTS[0], [TEXTS[0]]))

        box(sentence, REFERENCES).fill(TEXTS[2])
        sentence.bring_to_front()
        sentence.reload()
        sentence.wait_for_selector("[data-metric]")
        typed(sentence, {**texts, REFERENCES: TEXTS[2]})
        lesson.bring_to_front()
        own.fill(TEXTS[2])
        lesson.reload()
        lesson.wait_for_selector(".typed textarea")
        until(lambda: (own.input_value(), held(lesson, "candidate")), (TEXTS[2], [TEXTS[2]]))
    finally:
        for page in pages.values():
            page.close()
        end_app(app)


def test_a_sentence_of_a_lesson_is_typed_while_an_answer_arrives(hurried: Any) -> None:
    """A field is left before it is sent, and the answer to what was typed before does not write over it."""
    page = hurried(LESSON, 600, ".typed textarea")
    own = page.locator(".typed textarea").first
    page.evaluate("""() => {
        const field = document.querySelector(".typed textarea");
        window.seen = new Set();
        const look = () => (window.seen.add(field.value), requestAnimationFrame(look));
        look();
    }""")
    first = own.input_value()
    own.fill(TEXTS[0])
    page.wait_for_timeout(600)  # it is sent, and its answer is on the way
    own.fill(TEXTS[2])
    own.blur()
    until(lambda: held(page, "candidate"), [TEXTS[2]])
    page.wait_for_timeout(200)  # what comes late could still write over it
    assert own.input_value() == TEXTS[2]
    assert page.evaluate("[...window.seen]") == [first, TEXTS[0], TEXTS[2]]
