"""The tasks of an exercise, as a student does them: by mouse, by keyboard, by typing."""

from __future__ import annotations

import re
from typing import Any

import metrics

LESSON = ".lesson"
#: Clicks on words that are offered: when the first one has just been sent the others follow, too fast to be sent, so
#: that its answer comes between them.
CHOOSE = """async (words) => {
  const after = (time) => new Promise((done) => setTimeout(done, time));
  for (const [n, word] of words.entries()) {
    [...document.querySelectorAll(".bank button")].find((choice) => choice.textContent === word).click();
    await after(n ? 250 : 360);
  }
}"""


def test_which_is_better_and_a_sentence_is_made(app_url: str, new_page: Any, see: Any) -> None:
    page = new_page()
    page.goto(f"{app_url}/?page=learn&chapter=gtm&screen=6&exercise=gtm-1-7-which")
    quiz = page.locator(".quiz")
    question = metrics.which_question(metrics.exercise("gtm", 7))
    wrong = next(f"{n}" for n in range(len(question.choices)) if f"{n}" != question.shows)
    quiz.locator(f'[data-answer="{wrong}"]').click()
    see(quiz.locator(".said")).to_contain_text("Not yet")
    see(page.locator(".side .after").first).to_be_hidden()
    quiz.locator(f'[data-answer="{question.shows}"]').focus()
    page.keyboard.press("Enter")
    see(quiz.locator(".said")).to_contain_text("from")
    see(page.locator(".side h3 .after").first).to_be_visible()

    # The same seed, another task: the link says so, and what is typed is judged by the server.
    page.locator('[data-choice="task:make"]').click()
    field, found = page.locator("textarea[data-name=candidate]"), page.locator(".found")
    see(field).to_have_value(" ".join(metrics.exercise("gtm", 7).segment.candidate))
    see(page).to_have_url(re.compile("exercise=gtm-1-7-make"))
    field.fill("nothing like it")
    see(found).to_contain_text("This scores 0, which is")
    page.locator(".show-pair").click()
    see(found).to_contain_text("Right: this scores 0.")
    see(field).to_have_value(" ".join(metrics.exercise("gtm", 7).other))
    field.fill("a " * 31)
    see(found).to_contain_text("At most 30 words fit; this sentence has 31.")

    # Words that are chosen come to what is typed, also while the server answers to those before.
    field.fill("")
    other = [*metrics.exercise("gtm", 7).other]
    page.evaluate(CHOOSE, [*other, other[0]])
    page.locator(".bank button").last.press("Enter")
    see(field).to_have_value(" ".join(other))
    see(found).to_contain_text("Right: this scores 0.")
    see(field).to_have_value(" ".join(other))
    page.close()


def test_the_answer_and_how_it_is_computed_fit_the_screen(app_url: str, new_page: Any, see: Any) -> None:
    """The longest settings and formula, which need most room, at 1280 × 800."""
    page = new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{app_url}/?page=learn&chapter=meteor&screen=6&exercise=meteor-3-1")
    said = page.locator(".folds > div")
    see(said.first).to_contain_text("Words match by")
    page.locator(".show-me").click()
    see(said.first).to_be_hidden()
    see(page.locator(".live .formula")).to_be_visible()
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("e => e.scrollHeight - e.clientHeight") == 0
    page.get_by_text("The rules").click()
    see(page.locator("details .after")).to_contain_text("Words match by")
    page.close()


def test_a_broken_link_offers_a_new_exercise(app_url: str, new_page: Any, see: Any) -> None:
    page = new_page()
    page.goto(f"{app_url}/?page=learn&chapter=gtm&screen=6&exercise=gtm-2-x9")
    see(page.locator(LESSON)).to_contain_text("Exercise “gtm-2-x9” is not known")
    page.locator('[data-choice="new"]').click()
    see(page.locator(".quiz")).to_contain_text("Compute GTM")
    field = page.locator(".quiz input")
    field.fill("two thirds")
    page.keyboard.press("Enter")
    see(page.locator(".said")).to_contain_text("no number")
    page.close()
