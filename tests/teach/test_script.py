"""The script of pages judges every answer as the core does: by node where there is one; browser tests do so anyway."""

from __future__ import annotations

import json
import random
import shutil
import subprocess

import pytest
from asked import answers, cases
from cases import random_segment
from conftest import ROOT
from fragments import read
from test_asked import RULES

import metrics
from metrics.teach.judge import to_dict
from viz.draw.learn import lesson

JUDGE, LESSON = (ROOT / "viz" / "draw" / name for name in ("steps/judge.js", "learn/lesson.js"))
RUN = """
const data = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(data.map(([question, answers]) => answers.map((answer) => judge(question, answer)))));
"""
#: What a page judges of the text in its place for a number, from the verdicts of its markup.
PAGE = """
const data = JSON.parse(require("fs").readFileSync(0, "utf8"));
const made = () => ({ append() {}, addEventListener(type, does) { this[type] = does; } });
globalThis.document = { createElement: made };
console.log(JSON.stringify(data.map(([verdicts, texts]) => {
  const page = Object.create(Lesson.prototype);
  const all = verdicts.map(([dataset, textContent]) => {
    return { dataset, textContent, cloneNode: () => ({ childNodes: [{ textContent }] }) };
  });
  let form;
  page.ask = { querySelectorAll: () => all, querySelector: () => ({ append: (it) => (form = it) }) };
  page.field();
  const told = [];
  page.answer = (given) => told.push(page.judge(given));
  for (const text of texts) {
    page.input.value = text;
    form.submit({ preventDefault() {} });
  }
  return told.map(({ how, because }) => [how, because.map((part) => part.textContent ?? part).join("")]);
})));
"""
needs_node = pytest.mark.skipif(not shutil.which("node"), reason="there is no node to run the script")


@needs_node
@pytest.mark.parametrize("key", RULES)
def test_random_answers_are_judged_alike(key):
    rng = random.Random(key)
    asked = []
    for turn in range(8):
        given = RULES[key][1][turn % len(RULES[key][1])]
        for case in cases(key, random_segment(rng, most=6, references=2), given, every=3):
            if case.question:
                tried = answers(case)
                asked.append((case.question, [case.question.shows, *rng.sample(tried, min(40, len(tried)))]))
    data = json.dumps([[to_dict(question), tried] for question, tried in asked])
    script = JUDGE.read_text(encoding="utf-8") + RUN
    run = subprocess.run(["node", "-e", script], input=data, capture_output=True, text=True, check=True)
    for (question, tried), found in zip(asked, json.loads(run.stdout), strict=True):
        for answer, verdict in zip(tried, found, strict=True):
            core = metrics.judge(question, answer)
            assert (verdict["how"], verdict["because"]) == (core.how, core.because), (question.text, answer)


def on_page(asked):
    """What the page says of texts that are typed for questions."""
    data = []
    for question, texts in asked:
        said = read(lesson.question_html(question)).one("div", "verdicts").children
        names = [{name.removeprefix("data-"): value for name, value in each.attributes.items()} for each in said]
        data.append([[*zip(names, [each.text for each in said], strict=True)], texts])
    script = JUDGE.read_text(encoding="utf-8") + LESSON.read_text(encoding="utf-8") + PAGE
    run = subprocess.run(["node", "-e", script], input=json.dumps(data), capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


#: Exercises, and a text that stands for three or more of their slips, of which some are told together already.
SHARED = {"bleu-1-8": "0.86", "bleu-3-7": "0.45", "dcs-1-14": "0.93", "rouge_w-3-6": "0.55", "rouge_l-2-3": "0.25"}


@needs_node
def test_a_page_says_of_a_typed_number_what_the_core_says():
    asked, shared = [], 0
    for code in [*SHARED, *[f"{key}-{level}-5" for key in metrics.METRICS for level in (1, 3)]]:
        question = metrics.exercise_of(code).question
        numbers = [value.number for value in question.values]
        texts = ["", "  ", "two", *[f"{number:.{digits}f}" for number in numbers for digits in (2, 3, 6)]]
        asked.append((question, [*texts, SHARED.get(code, "1/0")]))
    for (question, texts), found in zip(asked, on_page(asked), strict=True):
        assert len(found) == len(texts)  # an empty place is an answer too
        for text, says in zip(texts, found, strict=True):
            core = metrics.judge(question, text)
            assert [core.how, core.because] == says, (question.text, text)
            assert says[1].count("slips give this number") <= 1 >= says[1].count(" Or: ")
            shared += "slips give" in says[1]
    assert shared >= 20
    for code, text in SHARED.items():
        said = metrics.judge(metrics.exercise_of(code).question, text).because
        assert said.startswith("Several slips give this number. ") and said.count(" Or: ") == 1, code


@needs_node
def test_an_empty_place_asks_for_a_number():
    question = metrics.exercise("gtm", 1).question
    assert on_page([(question, ["0.9", ""])])[0][1] == ["no", metrics.judge(question, "").because]
    assert metrics.judge(question, "").because.startswith("Type a number, such as ")
