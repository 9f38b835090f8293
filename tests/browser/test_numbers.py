"""Test in a browser that the page reads typed numbers, and calls them right or wrong, as the core does."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest

import metrics
from metrics.teach import typed
from metrics.teach.records import Question
from tests.helpers.app import ROOT
from viz.draw.learn import lesson
from viz.draw.pen import script_bundle

pytestmark = pytest.mark.alone

TEXTS = (
    *("0.375", "0,375", ".5", " 3 / 8 ", "37.5 %", "37,5%", "−0.25", "3⁄8", "3∕8", "√16/8", "2√4·3", "√(1/4)", "１.５"),
    *("sqrt(16)/8", "7", "0", "5.", "", "two", "1e5", "nan", "1/0", "0/0", "√", "√-1", "1//2", "/2", "2/", "1.2.3"),
    *("%", "--1", "1%%", "0.5^2", "(1", "()", "9" * 40, "9" * 101, "√(1/0)", "½²", "+3", "-√4", "٣", "√(2/3)/√5"),
    *("0.5/3", "3/8", "37.5%", "√14/10", "2√3", "√(2/3)/2", "-0.5", ".7", "1e3", "0.3·", "12", "0.666", "2·3/4"),
    *("√0.5·√0.5", "0.67", "0.66", "0.667", "0.6", "2/3", "0.665", "1"),
)
VALUES = (0.375, 2 / 3, 0.5, 1.25, 0.0, 1e-5, 0.6, 1)

#: Returns for each text its value, its unit, and for each of the values 1 (fits), 2 (too coarse) or 0.
READ = """([texts, values]) => texts.map((text) => {
  let number;
  try { number = readTyped(text); } catch { return null; }
  return [number.value, number.unit, values.map((v) => fits(number, v) ? 1 : coarse(number, v) ? 2 : 0)];
})"""


def core_reading(text: str) -> Any:
    try:
        number = typed.read_number(text)
    except ValueError:
        return None
    fit = [
        1 if typed.equals_or_rounds_to(number, v) else 2 if typed.is_rounded_too_far(number, v) else 0 for v in VALUES
    ]
    return [number.value, number.unit, fit]


def are_readings_equal(ours: Any, theirs: Any) -> bool:
    if ours is None or theirs is None:
        return bool(ours is theirs)
    numbers = zip(ours[:2], theirs[:2], strict=True)
    return all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) for a, b in numbers) and bool(ours[2] == theirs[2])


def test_numbers_are_read_and_judged_as_by_the_core(page_opener: Any) -> None:
    rng = random.Random(5)
    texts = [*TEXTS, *["".join(rng.choices("0123456789.,/·√()%- *", k=rng.randint(1, 9))) for _ in range(2000)]]
    page = page_opener()
    page.set_content("<main></main>")
    page.add_script_tag(content=script_bundle.bundle_modules(ROOT / "viz/draw/learn/script/quiz.js"))
    found = page.evaluate(READ, [texts, VALUES])
    different = [
        (text, core_reading(text), it)
        for text, it in zip(texts, found, strict=True)
        if not are_readings_equal(core_reading(text), it)
    ]
    assert not different, different[:5]
    # Whole verdicts on answers that are right, rounded, a slip, several slips, too coarse, wrong or empty.
    for code in ("gtm-3-2", "bleu-1-8", "bleu-3-7", "dcs-1-14", "rouge_w-3-6", "rouge_l-2-3"):
        check_verdicts(page, metrics.exercise_of(code).question)


def check_verdicts(page: Any, question: Question) -> None:
    """Check that the page's script says of typed answers to `question` what the core says.

    The answers are the numbers of the question with 1, 2, 3 and 6 decimals, and a few others."""
    page.set_content(f'<div class="lesson">{lesson.question_html(question)}</div>')
    numbers = [value.number for value in question.values]
    answers = ["", "two", "123.45", *[f"{number:.{digits}f}" for number in numbers for digits in (1, 2, 3, 6)]]
    judged = page.evaluate(
        """(answers) => {
          const quiz = Object.create(Quiz.prototype);
          quiz.ask = document.querySelector("[data-shows]");
          quiz.input = {};
          return answers.map((a) => quiz.judge(a)).map(({ how, because }) =>
            [how, because.map((part) => part.textContent ?? part).join("")]);
        }""",
        answers,
    )
    told = [[verdict.how, verdict.because] for verdict in (metrics.judge(question, answer) for answer in answers)]
    for answer, core, page_says in zip(answers, told, judged, strict=True):
        assert core == page_says, json.dumps([answer, core, page_says], ensure_ascii=False)
