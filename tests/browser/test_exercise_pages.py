"""Tests in a browser of the tasks of an exercise, done as a student does them: by mouse, by keyboard, by typing."""

from __future__ import annotations

import re
from typing import Any

import pytest

import metrics
from tests.helpers.browsing import Visit, save_page, until
from viz.pages.learn import chapter_files
from viz.pages.learn.save_menu import saved_chapter

pytestmark = pytest.mark.alone

LESSON = ".lesson"
#: Clicks on the offered words. The first click is sent at once; the others follow too fast to be sent separately, so
#: that the answer to the first arrives between them.
CHOOSE = """async (words) => {
  const after = (time) => new Promise((done) => setTimeout(done, time));
  for (const [n, word] of words.entries()) {
    [...document.querySelectorAll(".bank button")].find((choice) => choice.textContent === word).click();
    await after(n ? 250 : 360);
  }
}"""


def test_which_is_better_and_a_sentence_is_made(visit: Visit, see: Any) -> None:
    page = visit("?page=learn&chapter=gtm&screen=6&exercise=gtm-1-7-which", LESSON)
    quiz = page.locator(".quiz")
    question = metrics.which_question(metrics.exercise("gtm", 7))
    wrong = next(f"{n}" for n in range(len(question.choices)) if f"{n}" != question.shows)
    quiz.locator(f'[data-answer="{wrong}"]').click()
    see(quiz.locator(".said")).to_contain_text("No. ")
    see(quiz).not_to_contain_text("Not yet")
    see(page.locator(".side .after").first).to_be_hidden()
    see(quiz.locator(f'[data-answer="{question.shows}"]')).to_be_disabled()  # only one answer is allowed
    quiz.locator(".show-me").focus()
    page.keyboard.press("Enter")
    see(quiz.locator(".said")).to_contain_text(re.compile("From [AB] to [AB]: "))
    see(page.locator(".side h3 .after").first).to_be_visible()

    # The same seed with another task: the link names the task, and the server judges what is typed.
    page.locator('[data-choice="task:make"]').click()
    field, found = page.locator("textarea[data-name=candidate]"), page.locator(".found")
    see(field).to_have_value(" ".join(metrics.exercise("gtm", 7).segment.references[0]))
    see(page).to_have_url(re.compile("exercise=gtm-1-7-make"))
    field.fill("nothing like it")
    see(found).to_contain_text("This scores 0, which is")
    page.locator(".show-pair").click()
    see(found).to_contain_text("Right: this scores exactly 0.")
    see(field).to_have_value(" ".join(metrics.exercise("gtm", 7).other))
    field.fill("a " * 31)
    see(found).to_contain_text("This sentence has 31 words, 1 more than the 30 that fit.")

    # Chosen words are added to what is typed, also while the server answers earlier choices.
    field.fill("")
    other = [*metrics.exercise("gtm", 7).other]
    page.evaluate(CHOOSE, [*other, other[0]])
    page.locator(".bank button").last.press("Enter")
    see(field).to_have_value(" ".join(other))
    see(found).to_contain_text("Right: this scores exactly 0.")
    see(field).to_have_value(" ".join(other))


#: Measures by how many pixels a page is longer than its window, the size of its smallest cell, and where its question
#: ends.
FITS = """() => {
  const page = document.querySelector("[data-testid=stMain]") ?? document.scrollingElement;
  const seen = [...document.querySelectorAll(".drawing path.grid")].filter((e) => e.checkVisibility());
  const scale = (e) => e.ownerSVGElement.getBoundingClientRect().height / e.ownerSVGElement.viewBox.baseVal.height;
  const question = [...document.querySelectorAll(".quiz, .hunt, .ask")].find((e) => e.checkVisibility());
  return {
    over: page.scrollHeight - page.clientHeight,
    cell: Math.min(...seen.map((e) => Number(e.dataset.size) * scale(e))),
    question: question?.getBoundingClientRect().bottom ?? 0,
  };
}"""


@pytest.mark.parametrize("code", ["meteor-3-1", "sia-3-3", "bleu-3-3-which", "rouge_w-3-1-make"])
def test_an_exercise_ends_with_the_window(code: str, visit: Visit, see: Any) -> None:
    """Check that an exercise fits the window without scrolling, before and after the answer.

    It also fits with its rules unfolded; these leave the question in view until it is answered. These exercises need
    the most room, because of their settings, formulas, lines and references."""
    chapter = chapter_files.chapter_of_metric(code.partition("-")[0])
    page = visit(f"?page=learn&chapter={chapter.key}&screen=6&exercise={code}", LESSON)
    page.set_viewport_size({"width": 1280, "height": 800})
    rules = page.locator(".rules > summary")
    see(rules).to_be_visible()

    def check_page_fits(least_cell_pixels: float = 16) -> float:
        until(lambda: page.evaluate(FITS)["over"], 0)  # the room above is measured once it is drawn
        found = page.evaluate(FITS)
        assert found["over"] == 0 and least_cell_pixels <= found["cell"], found
        return float(found["question"])

    check_page_fits()
    rules.click()
    assert check_page_fits() <= 800
    rules.click()
    page.locator(".show-me, .show-pair").click()
    see(page.locator(".told")).to_be_visible()
    check_page_fits(15)
    rules.click()
    check_page_fits(15)

    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{page.url}&present=1")
    see(page.locator(".part.now")).to_be_visible()
    for _ in range(page.locator(".part").count()):
        assert check_page_fits(13) <= 720
        page.keyboard.press("ArrowRight")


def test_a_saved_chapter_ends_with_the_window(page_opener: Any, tmp_path: Any) -> None:
    """Check that each screen of a chapter saved as a file fits the window without scrolling.

    The same holds for each question that the steps of an algorithm ask, before and after the answer is shown."""
    chapter = chapter_files.shelf().chapters["meteor"]
    page = page_opener(viewport={"width": 1280, "height": 800}, offline=True)
    page.goto(save_page(tmp_path, saved_chapter(chapter, 5)))
    over = page.evaluate(
        f"""() => {{
          const fits = {FITS};
          const found = [];
          const note = (name) => {{
            const {{ over, cell, question }} = fits();
            if (over > 0 || cell < 16 || question > 800) found.push([at + 1, name, over, cell, question]);
          }};
          screens.forEach((screen, n) => {{
            show(n);
            note("before");
            lessons.get(screen).quiz?.show();
            note("told");
            const player = stepping?.player;
            player?.walk.steps.forEach((step, s) => {{
              if (!step.question) return;
              player.show(Math.max(0, s - 1));
              player.go(s);
              note(`question ${{s}}`);
              player.asking?.reveal();
              note(`answer ${{s}}`);
            }});
          }});
          return found;
        }}"""
    )
    assert over == []


def test_a_broken_link_offers_a_new_exercise(visit: Visit, see: Any) -> None:
    page = visit("?page=learn&chapter=gtm&screen=6&exercise=gtm-2-x9", LESSON)
    see(page.locator(LESSON)).to_contain_text("Exercise “gtm-2-x9” is not known")
    page.locator('[data-choice="new"]').click()
    see(page.locator(".quiz")).to_contain_text("Compute GTM")
    field = page.locator(".answers input")
    field.fill("two thirds")
    page.keyboard.press("Enter")
    see(page.locator(".said")).to_contain_text("not a number")
