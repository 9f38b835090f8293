"""Tests in a browser of the Learn page: a chapter by keyboard, by touch, in a lecture hall, and saved as a file."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import expect as see

import metrics
from metrics.teach.tiles import tile_sequences
from tests.helpers.app import PHONE
from tests.helpers.browsing import Watch, address, boxes, save_page, settle
from viz.pages.learn import chapter_files, save_menu
from viz.pages.learn.save_menu import saved_chapter

pytestmark = pytest.mark.alone
#: Scrolls the named cell of the picture into view and returns the coordinates of its middle.
CENTRE = """(name) => {
  const [i, k, j] = name.split(",").map(Number);
  const p = stepping.player.asking.marks.panels.find((panel) => panel.k === k);
  const middle = new DOMPoint(p.x + (j + 0.5) * p.size, p.y + (i + 0.5) * p.size);
  const at = () => middle.matrixTransform(p.svg.getScreenCTM());
  scrollBy(0, at().y - 200);
  return [at().x, at().y];
}"""


def wait_for_screen(page, number, screen_count=6):
    page.wait_for_selector(f".course .where:has-text('{number} of {screen_count}')")
    page.wait_for_selector(".lesson")


def elements_with_small_text(page):
    """Return the beginnings of the lesson's HTML elements whose text is below 20 px, except labels of pictures."""
    return page.evaluate(
        """() => [...document.querySelectorAll('.learn *')].filter((e) => !e.closest('svg, .sr') && e.offsetParent &&
          [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) &&
          parseFloat(getComputedStyle(e).fontSize) < 20 && e.getBoundingClientRect().width > 2)
          .map((e) => e.outerHTML.slice(0, 80))"""
    )


def test_a_chapter_by_keyboard_from_the_list_to_the_exercise(visit):
    page = visit("learn", ".chapter")
    page.locator(".chapter:has(> b:text('Hits and GTM'))").press("Enter")
    wait_for_screen(page, 1)
    assert page.locator(".before:visible").count() == 2 and not page.locator(".after:visible").count()
    page.locator("[data-answer='0']").press("Enter")
    page.wait_for_selector(".said:has-text('Not yet.')")
    assert not page.locator(".after:visible").count(), "a wrong answer costs nothing and shows nothing"
    page.locator("[data-answer='1']").press("Enter")
    page.wait_for_selector(".said:has-text('Right.')")
    assert page.locator("div.after:visible").count() == 2, "also the winner is drawn"
    assert page.locator(".dots .done").count() == 1
    page.keyboard.press("ArrowRight")
    wait_for_screen(page, 2)
    page.fill(".typed textarea >> nth=0", "the bank will close on friday")
    page.wait_for_selector(".numbers .score b:has-text('1.000')")
    page.locator("[data-name='candidate']").press("ArrowRight")
    wait_for_screen(page, 2)  # the key moves the cursor in the field
    page.locator(".to-on").press("Enter")
    wait_for_screen(page, 3)
    assert not page.locator(".quiz, .score").count()  # the steps ask about the sentence that was typed
    page.get_by_role("button", name="The chapter’s sentence again").press("Enter")
    page.locator(".show-me").press("Enter")
    page.locator(".to-steps").press("Enter")
    page.wait_for_selector(".player")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".player .question")  # the question comes before the step it asks about
    page.keyboard.press("ArrowRight")
    page.locator(".player .last").press("Enter")
    page.locator(".dots [aria-current]").press("ArrowRight")  # the next screen follows the last step
    wait_for_screen(page, 4)
    page.keyboard.press("ArrowRight")
    wait_for_screen(page, 5)
    page.locator(".show-pair").press("Enter")
    page.wait_for_selector(".found[data-how='right']")
    page.go_back()
    wait_for_screen(page, 4)
    settle(page)  # of two navigations at once Streamlit takes only the first
    page.go_forward()
    wait_for_screen(page, 5)
    settle(page)  # a key pressed before the server has answered may be lost
    page.keyboard.press("ArrowRight")
    wait_for_screen(page, 6)
    page.fill(".answers input", metrics.exercise("gtm", 1, 1).question.shows)
    page.keyboard.press("Enter")
    page.wait_for_selector(".lesson.told")
    page.reload()
    wait_for_screen(page, 6)
    assert page.locator(".dots .done").count() == 4  # the screens that were answered


def test_the_bar_leads_back_and_to_any_screen(visit):
    page = visit("learn?page=learn&chapter=gtm&screen=3", ".course .where")
    wait_for_screen(page, 3)
    page.click(".to-back")
    wait_for_screen(page, 2)
    page.click(".to-back")
    wait_for_screen(page, 1)
    assert page.locator(".to-back").is_disabled()
    page.locator(".dots button").nth(4).click()
    wait_for_screen(page, 5)
    page.locator(".to-back").press("Enter")
    wait_for_screen(page, 4)


def test_back_while_an_answer_is_on_its_way_leaves_a_way_forward(visit):
    """Check that a visitor can go forward again after going back while the server still answers.

    The server's messages about the screen that the browser has left must add no entry to the browser's history."""
    page = visit("learn?page=learn&chapter=gtm&screen=4", ".course .where")
    wait_for_screen(page, 4)
    page.keyboard.press("ArrowRight")
    wait_for_screen(page, 5)
    settle(page)
    page.evaluate("""() => {
        const seen = new MutationObserver(() => {
            if (!document.querySelector(".found[data-how=right]")) return;
            seen.disconnect();
            history.back();
        });
        seen.observe(document.body, { childList: true, subtree: true });
    }""")
    page.locator(".show-pair").press("Enter")
    wait_for_screen(page, 4)
    settle(page)
    page.go_forward()
    wait_for_screen(page, 5)


def test_before_a_lecture_hall_all_text_is_large(visit, app_url):
    page = visit("?page=learn&chapter=lcs&screen=2", ".lesson")
    page.set_viewport_size({"width": 1280, "height": 720})
    wait_for_screen(page, 2, len(chapter_files.shelf().chapters["lcs"].numbers_of_kinds))
    page.keyboard.press("f")
    page.wait_for_selector("html.presenting .learn.present")
    assert not page.locator(".stAppHeader").is_visible()
    seen = []
    for _ in range(12):  # through the whole idea and into the steps
        assert page.locator(".lesson .part.now:visible, .player").count() == 1
        assert elements_with_small_text(page) == []
        seen.append(page.locator(".course .where").inner_text())
        if page.locator(".player").count():
            break
        page.keyboard.press("ArrowRight")
        settle(page)
    assert page.locator(".player").count() and len({text[0] for text in seen}) == 2
    page.keyboard.press("Escape")
    page.wait_for_selector(".learn:not(.present)")
    page.wait_for_function("!location.search.includes('present')")  # the server writes the address
    for chapter, lines in (("skip_bigrams", 2), ("gtm", 0)):  # arcs do not name reference words, a grid names all
        page.goto(f"{app_url}/?page=learn&chapter={chapter}&screen=5&present=1")
        wait_for_screen(page, 5)
        assert page.locator(".side").first.locator(".word_lines > .ln:visible").count() == lines


def test_a_chapter_by_mouse_with_an_answer_on_the_grid(visit, app_url):
    """Check a whole chapter by mouse: "Show me", the steps, an answer drawn on the grid, and the exercise.

    In the exercise a common mistake (a slip) is named; then another exercise of the kind is solved."""
    page = visit("?candidate=a+c+b&references=a+b&metric=gtm&gtm.exponent=1.5")
    page.click("[data-open='learn']")  # the sentence and its settings go along
    wait_for_screen(page, 2)
    assert page.input_value(".typed textarea >> nth=0") == "a c b" and "gtm.exponent=1.5" in page.url
    page.goto(f"{app_url}/?page=learn&chapter=sia")
    *screens, blind = chapter_files.shelf().chapters["sia"].screens
    many = len(screens) + 2
    for number, screen in enumerate(screens, 1):
        wait_for_screen(page, number, many)
        page.click(".show-me")
        page.wait_for_selector(".lesson.told")
        if screen.kind == "algorithm":
            page.click(".to-steps")
            page.wait_for_selector(".player")
            page.click(".player .decision")
            page.wait_for_selector(".player .question")
            page.get_by_role("button", name="Show me").click()
            page.wait_for_selector(".ask .verdict:not(:empty)")
            page.click(".from-steps")
            page.wait_for_selector(".lesson")
        page.click(".to-on")
    wait_for_screen(page, many - 1, many)
    assert blind.pair
    page.click(".show-pair")
    page.wait_for_selector(".found[data-how='right']")
    page.click(".to-on")
    wait_for_screen(page, many, many)
    found = metrics.exercise("sia", 1, 1)
    slip = next(v for v in found.question.values if v.verdict.how == "no")
    page.fill(".answers input", f"{slip.number:.6f}")
    page.click(".answers form button")
    page.wait_for_selector(f".said:has-text({json.dumps(slip.verdict.because[:30])})")
    page.get_by_role("button", name="Another of this kind").click()  # a second try costs points
    page.wait_for_function("/exercise=sia-1-(?!1(&|$))/.test(location.search)")
    code = parse_qs(urlsplit(address(page)).query)["exercise"][0]
    page.wait_for_selector(".answers input:enabled")
    page.fill(".answers input", f"{metrics.exercise_of(code).score:.6f}")
    page.click(".answers form button")
    page.wait_for_selector(".said:has-text('Right: SIA')")


def test_a_chapter_by_touch(visit):
    page = visit("?page=learn&chapter=ribes", ".lesson", **PHONE)
    for number in range(1, 5):
        wait_for_screen(page, number)
        settle(page)  # the page is drawn anew for the room that the browser has
        text, figure, quiz = [boxes(page, f".lesson {name}")[0]["y"] for name in (".text", ".figure", ".quiz")]
        assert text < figure < quiz  # the explanation, the picture, and the question about it
        page.tap(".show-me")
        page.wait_for_selector(".lesson.told")
        if number == 3:
            page.tap(".to-steps")
            page.tap(".player .buttons button:has-text('Show me')")  # the first step is asked about too
            page.tap(".player button:has-text('Continue')")
            page.tap(".player .on")
            page.wait_for_selector(".player .question:has-text('aligned')")
            page.tap(".player .frame > .words [data-word='r0_0']")
            page.wait_for_selector(".verdict:has-text('Not yet.')")
            page.tap(".player .frame > .words [data-word='r0_3']")
            page.wait_for_selector(".verdict:has-text('Right.')")
            page.tap(".from-steps")
        page.tap(".to-on")
    wait_for_screen(page, 5)
    page.tap(".show-pair")
    page.wait_for_selector(".found[data-how='right']")
    page.tap(".dots li:nth-child(6) button")
    wait_for_screen(page, 6)
    page.tap(".choices button:has-text('3')")
    page.wait_for_function("location.search.includes('ribes-3-')")  # the third level is there
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    page.fill(".answers input", "12")
    page.tap(".answers form button")
    page.wait_for_selector(".said:has-text('No.')")
    page.tap(".show-me")
    page.wait_for_selector(".lesson.told")
    page.tap(".to-list")
    page.wait_for_selector(".chapters .marks .done")


#: A candidate of 36 words, and two references.
LONG = (
    "I want you to take a moment to consider the very simple fact that so far, most of what we know about the universe "
    "has come from light that was sent from it to us",
    "I want to ask you all to consider for a second the very simple fact that, by far, most of what we know about it "
    "comes to us from light that it has sent\nI would like you to take a second and think of the simple fact that "
    "nearly all that we know of the universe has come to us from light",
)


@pytest.mark.parametrize("size", [PHONE, {"viewport": {"width": 1280, "height": 520}}], ids=["phone", "low"])
def test_cells_are_never_too_small_to_be_seen(visit, size):
    """Check that cells keep a size of 9 pixels where there is no room for the whole grid.

    The grid then scrolls by itself, on a screen of a chapter and in its steps, and nothing is cut off."""
    own = urlencode({"page": "learn", "chapter": "gtm", "screen": 3, "candidate": LONG[0], "references": LONG[1]})
    page = visit(f"?{own}", ".lesson .drawing svg", **size)
    settle(page)
    cell = """(svg) => {
      const grid = svg.querySelector("path.grid");
      return Number(grid.dataset.size) * svg.getScreenCTM().a;
    }"""
    reached = """(box) => [box.scrollWidth + 1 >= box.firstElementChild.clientWidth, getComputedStyle(box).overflowY,
      box.scrollHeight + 1 >= box.firstElementChild.clientHeight, document.documentElement.scrollWidth <= innerWidth]"""
    for way in ("", ".to-steps"):
        if way:
            page.click(way)
            page.wait_for_selector(".player .drawing svg")
        drawing = page.locator(".drawing:visible:has(> svg)").first
        assert drawing.locator("> svg").evaluate(cell) >= 8.999
        assert drawing.evaluate(reached) == [True, "auto", True, True]
    page.locator(".controls .on").click()
    place = ".controls" if size is PHONE else ".inspector"
    see(page.locator(f".player {place} .so-far")).to_be_in_viewport()  # the score beside the steps


def test_a_saved_chapter_judges_from_a_file(page_opener, tmp_path):
    """Check that a chapter saved as a file says whether answers are right, without a network.

    The answers are other sentences, a number from a common mistake (a slip), cells drawn by mouse, keyboard and
    touch, and a sentence built of tiles."""
    chapter = chapter_files.shelf().chapters["lcs"]
    last = len(chapter.screens)
    watch = Watch(save_page(tmp_path, saved_chapter(chapter, 5)))
    page = watch.watch_page(page_opener(offline=True, **PHONE))
    page.goto(watch.address)
    now = ".screen:not([hidden]) "
    page.tap(now + ".show-me")
    page.tap(".to-on")
    candidate = page.locator(now + ".choices button").nth(1)
    candidate.tap()
    assert candidate.get_attribute("aria-pressed") == "true" and page.locator(now + ".after .score b").is_visible()
    words = page.locator(now + ".after > .word_lines [data-word^='c']").all_text_contents()
    assert words == candidate.inner_text().split()
    page.keyboard.press("ArrowRight")
    page.tap(now + ".show-me")
    page.tap(now + ".to-steps")
    page.wait_for_selector(now + ".player")
    page.tap(f".dots li:nth-child({last}) button")
    page.locator(now + ".show-pair").press("Enter")
    assert page.locator(now + ".found").get_attribute("data-how") == "right"
    page.tap(f".dots li:nth-child({last + 1}) button")
    first = metrics.sheet(chapter.metrics, 1, 6, 5, chapter.exercise.references)[0]
    (another,) = save_menu._further_exercises(first, chapter.exercise.references)
    slip = next(value for value in first.question.values if value.verdict.how == "no")

    def check_answer(given: str, says: str) -> None:
        page.fill(now + ".answers input", given)
        page.keyboard.press("Enter")
        assert says in page.locator(now + ".said").inner_text()

    check_answer("x", "not a number")  # an answer that cannot be read costs no try
    check_answer(f"{slip.number:.4f}", slip.verdict.because[:20])
    page.get_by_role("button", name="Another of this kind").tap()
    check_answer(another.question.shows, "Right")
    assert page.locator(now + ".figure .after").is_visible()
    page.tap(f".dots li:nth-child({last + 3}) button")  # an exercise with steps, up to its drawing
    found = metrics.sheet(chapter.metrics, 1, 4, 5)[2]
    step, draw = next((s, q) for s, (_, q) in enumerate(metrics.ask(found.key, *found.segment)) if q and q.rule)
    page.evaluate(f"stepping.player.show({step - 1}); stepping.player.go({step})")
    for name in draw.shows.split():
        at = page.evaluate(CENTRE, name)
        page.touchscreen.tap(*at)
    page.get_by_role("button", name="Check").tap()
    assert page.locator(now + ".verdict").inner_text().startswith("Right.")
    page.get_by_role("button", name="Continue").press("Enter")
    for _ in range(3):  # to the last question, to its answer, and past it
        page.locator(now + ".player .last").press("Enter")
    page.wait_for_selector(f".dots li:nth-child({last + 3}) .done")

    page.tap(f".dots li:nth-child({last + 5}) button")  # a sentence is built
    task = metrics.sentence_task(metrics.sheet(chapter.metrics, 1, 6, 5)[4])
    laid = metrics.sentence_tiles(task)
    found, pool = page.locator(now + ".found"), page.locator(now + ".pool [data-tile]")
    sentence = page.locator(now + ".laid")
    every = [*tile_sequences(len(laid.tiles))]
    number = "(every) => every.map((sentence) => numberOf(sentence, %d))"
    assert page.evaluate(number % len(laid.tiles), every) == [*range(len(every))], "page and core count in one order"
    for n in laid.shows[::-1]:
        pool.nth(n).tap()
    assert sentence.inner_text().split() == [*laid.words_of_sentence(laid.shows[::-1])]
    verdict = metrics.judge_sentence(task, " ".join(laid.words_of_sentence(laid.shows[::-1])))
    assert verdict.how == "no" and found.inner_text() == verdict.because.partition(":")[0] + "."
    for _ in laid.shows:
        sentence.locator("button").first.tap()  # a tap takes the tile out again
    assert found.get_attribute("data-how") == "" and not page.locator(now + ".figure [data-cell]").count()
    for n in laid.shows:
        pool.nth(n).press("Enter")
        pool.nth(n).press("Enter")  # each tile is used once
        names = page.locator(now + ".figure svg [data-word^=c]:visible")
        rows = names.evaluate_all("es => es.map((e) => [e.getBoundingClientRect().y, e.textContent])")
        assert [word for _, word in sorted(rows)] == sentence.inner_text().split(), (
            "the picture has the words in their order"
        )
    assert found.inner_text() == metrics.judge_sentence(task, " ".join(task.shows)).because
    assert page.locator(now + ".lesson.told .live").is_visible()
    page.keyboard.press("Backspace")
    assert found.get_attribute("data-how") == "no" and not page.locator(now + ".lesson.told").count()
    page.tap(now + ".show-pair")
    assert sentence.inner_text().split() == [*task.shows] and found.get_attribute("data-how") == "right"
    page.wait_for_selector(f".dots li:nth-child({last + 5}) .done")
    watch.assert_no_faults()
