"""Take the pictures of the pages: `python -m tests.pictures` writes them into viz/pictures/."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import sync_playwright

import metrics
from tests.helpers.app import FLAGS, PHONE, ROOT, chromium_program, served
from viz.frame.examples import BY_NAME, EXAMPLES, PAIRS
from viz.pages.compare.record import CompareState
from viz.pages.learn.record import LearnState
from viz.state.files.examples import ComparisonExample, SentenceExample
from viz.state.links.link import to_query

FOLDER = ROOT / "viz" / "pictures"
FIRST = EXAMPLES[0]
NEWS = BY_NAME["English, news (two references)"]
MANY = BY_NAME["English, 30 words and four references"]
BEST = {  # the example that shows most, by metric; for all others that is the first example
    "meteor": NEWS,
    "rouge_s": BY_NAME["ROUGE, S4: the gunman police killed"],
    "ribes": BY_NAME["RIBES, two halves that changed places"],
    "ter": BY_NAME["TER, a phrase that moved"],
}
HOSTILE = "<script>alert(1)</script> <b>bold</b> $x$ %{x} &amp; **bold** \u202eevil a\u0001b 👩‍👩‍👧 שלום ${7*7} end"
DARK, TALL = {"color_scheme": "dark"}, {"viewport": {"width": 1280, "height": 1500}}
LONG = " ".join(f"{MANY.candidate} {k} {NEWS.candidate}" for k in range(12))


class Picture(NamedTuple):
    """A picture to take of one of the app's pages.

    Attributes:
        name: the name of the file, without its ending.
        state: the query of the page's address.
        options: playwright's options of the browser context.
        act: does something on the page before the picture is taken.
        whole: whether the picture shows the whole page, not only the window.
        path: the path of the page in the app."""

    name: str
    state: dict[str, str]
    options: dict[str, Any] = {}
    act: Callable[[Any], None] = lambda page: None
    whole: bool = False
    path: str = ""


def sentence_query(example: SentenceExample, metric: str, **more: str) -> dict[str, str]:
    text = {f"text.{name}": str(value) for name, value in example.text.items()}
    return {"candidate": example.candidate, "references": example.references, "metric": metric, **text, **more}


def compare_query(pair: ComparisonExample, metric: str, view: str = "difference") -> dict[str, str]:
    return to_query(CompareState(references=pair.references, metric=metric, systems=pair.systems, compare=view))


def compare_pictures() -> list[Picture]:
    """Return the pictures to take of the Compare page: its metrics, views and widths."""
    first, many = PAIRS[0], max(PAIRS, key=lambda pair: len(pair.systems))
    shown = [
        ("compare_gtm_light", compare_query(first, "gtm"), TALL),
        ("compare_gtm_dark", compare_query(first, "gtm"), TALL | DARK),
        ("compare_dcs_light", compare_query(first, "dcs"), TALL),
        ("compare_ter_dark", compare_query(first, "ter"), TALL | DARK),
        ("compare_words_light", compare_query(first, "gtm", "words"), {}),
        ("compare_words_dark", compare_query(first, "sia", "words"), DARK),
        ("compare_all_light", compare_query(many, "gtm", "all"), TALL),
        ("compare_all_dark", compare_query(many, "gtm", "all"), TALL | DARK),
        ("compare_whatif_light", compare_query(first, "gtm", "whatif"), TALL),
        ("compare_phone_light", compare_query(first, "gtm"), PHONE),
    ]
    return [Picture(name, query, options, whole=options is PHONE, path="compare") for name, query, options in shown] + [
        Picture("compare_step_light", compare_query(first, "gtm"), TALL, act=choose_second_step, path="compare")
    ]


def choose_second_step(page: Any) -> None:
    page.locator(".ledger tr.term").nth(1).click()
    page.wait_for_selector(".pieces.chosen")
    page.mouse.move(5, 500)


def choose_first_row(page: Any) -> None:
    page.locator(".terms tr.term").first.click()
    page.wait_for_selector(".terms tr[aria-selected=true]")
    page.mouse.move(5, 500)


def switch_to_lines(page: Any) -> None:
    page.get_by_role("radio", name="Lines").click()


def hover_fifth_word(page: Any) -> None:
    page.locator(".word_lines [data-word=c4]").hover()


def lesson_query(chapter: str, screen: int, exercise: str = "") -> dict[str, str]:
    return to_query(LearnState(chapter=chapter, screen=screen, exercise=exercise))


def reveal_answer(page: Any) -> None:
    page.locator(".show-me").click()


def all_pictures() -> list[Picture]:
    out = [
        Picture(f"sentence_{key}_{scheme}", sentence_query(BEST.get(key, FIRST), key), {"color_scheme": scheme})
        for key in metrics.METRICS
        for scheme in ("light", "dark")
    ]
    tall = {"viewport": {"width": 1280, "height": 1250}}
    dark = tall | DARK
    out += [
        Picture(f"{view}_{scheme}", sentence_query(example, metric, view=view), tall | {"color_scheme": scheme})
        for view, example, metric in (("all", FIRST, "gtm"), ("two", FIRST, "gtm"), ("errors", MANY, "wer"))
        for scheme in ("light", "dark")
    ]
    return [
        *out,
        *compare_pictures(),
        Picture("selected_gtm_light", sentence_query(FIRST, "gtm"), act=choose_first_row),
        Picture("lines_meteor_light", sentence_query(NEWS, "meteor"), tall, act=switch_to_lines),
        Picture("selected_sia_dark", sentence_query(FIRST, "sia"), dark, act=choose_first_row),
        Picture("hover_gtm_light", sentence_query(FIRST, "gtm"), act=hover_fifth_word),
        Picture("phone_gtm_light", sentence_query(FIRST, "gtm"), PHONE, whole=True),
        Picture("phone_sia_dark", sentence_query(FIRST, "sia"), PHONE | DARK, whole=True),
        Picture("many_gtm_light", sentence_query(MANY, "gtm"), tall),
        Picture("steps_gtm_light", sentence_query(FIRST, "gtm", view="steps", step="4"), tall),
        Picture("steps_rouge_l_light", sentence_query(FIRST, "rouge_l", view="steps", step="72"), tall),
        Picture("steps_rouge_l_dark", sentence_query(FIRST, "rouge_l", view="steps", step="72"), dark),
        Picture("steps_ter_dark", sentence_query(NEWS, "ter", view="steps", step="24"), dark),
        Picture("many_dcs_dark", sentence_query(MANY, "dcs"), dark),
        Picture(
            "long_rouge_l_light", {"candidate": LONG, "references": LONG.replace("the", "a"), "metric": "rouge_l"}, tall
        ),
        Picture("hostile_gtm_light", {"candidate": HOSTILE, "references": HOSTILE, "metric": "gtm"}),
        Picture("japanese_dcs_light", sentence_query(BY_NAME["Japanese, by characters"], "dcs")),
        Picture("hebrew_rouge_l_light", sentence_query(BY_NAME["Hebrew, right to left"], "rouge_l")),
        Picture("empty_light", {"candidate": "", "references": "", "metric": "gtm"}),
        Picture("learn_light", {}, path="learn"),
        Picture("learn_gtm_light", {"page": "learn", "chapter": "gtm"}, act=reveal_answer, path="learn"),
        Picture("learn_sia_dark", lesson_query("sia", 5), DARK, path="learn"),
        Picture("learn_exercise_light", lesson_query("edits", 6, "wer-2-7"), path="learn"),
        Picture("learn_hall_light", lesson_query("lcs", 2) | {"present": "1"}, path="learn"),
        Picture("learn_phone_light", lesson_query("ribes", 1), PHONE, path="learn"),
    ]


def take_picture(browser: Any, url: str, picture: Picture) -> bytes:
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 840}, **picture.options})
    page = context.new_page()
    page.goto(f"{url}/{picture.path}?{urlencode(picture.state)}")
    page.wait_for_selector(".bitext, [data-testid=stAlert], .scores, .ab, .chapters", timeout=30_000)
    page.wait_for_timeout(1200)
    picture.act(page)
    page.wait_for_timeout(800)
    if picture.whole:  # Streamlit scrolls inside the window, so the window must be as high as the page
        high = page.locator(".stMainBlockContainer").evaluate("e => e.scrollHeight")
        page.set_viewport_size({"width": picture.options["viewport"]["width"], "height": high})
        page.wait_for_timeout(600)
    png: bytes = page.screenshot()
    context.close()
    return png


def reduce_colours(png: bytes) -> bytes:
    """Return a PNG picture with only 256 colours, which makes it a third as large.

    No shade changes by more than 6 of 255."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    out = io.BytesIO()
    image.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=4, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def main(only: list[str]) -> int:
    program = chromium_program()
    if not program:
        print("chromium-headless-shell is not installed")
        return 1
    FOLDER.mkdir(exist_ok=True)
    with served() as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        for picture in all_pictures():
            if only and not any(part in picture.name for part in only):
                continue
            file = FOLDER / f"{picture.name}.png"
            file.write_bytes(reduce_colours(take_picture(browser, app.address, picture)))
            print(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1000} kB", flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
