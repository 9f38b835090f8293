"""Tests in a browser of the player, which shows the steps of a metric's program on given texts.

It is used by keys, buttons, slider and touch. Its questions are judged as the core judges them."""

import itertools
import json
import random

import pytest
from playwright.sync_api import expect as see

import metrics
from metrics.formula import notation
from metrics.teach.judge import judge, question_to_dict
from metrics.teach.records import AnswerValue, AnswerVerdict, CellSetRule, Question
from metrics.teach.steps import known_values_after
from metrics.teach.steps import number as said
from metrics.types import Hit, SkipBigram, segment
from tests.helpers.app import PHONE, ROOT
from tests.helpers.cases import TAUGHT, random_segment
from tests.helpers.fragments import texts_of
from tests.helpers.segments import all_hits
from viz.draw.evidence.fragment import STYLE
from viz.draw.pen import script_bundle
from viz.draw.pen.marks import touched_words
from viz.draw.pen.shapes import Shape
from viz.draw.steps import player, step_formula
from viz.draw.steps.steps import DrawnSteps, StepWord
from viz.pages.sentence.record import SentenceState
from viz.state.links import link

pytestmark = pytest.mark.alone

SCRIPT = script_bundle.bundle_modules(ROOT / "viz/draw/steps/script/player.js")
HEAD = '<!doctype html><meta name="viewport" content="width=device-width, initial-scale=1">'
WORDS = segment("the cat sat on the mat".split(), ["on the mat the cat sat".split()])


def build_walk(key, words=WORDS, width=700, with_questions=False, lines=None, **given):
    trace = metrics.trace(key, *words, **given)
    result = metrics.score(key, *words, **given)
    steps = metrics.ask(key, *words, every=3, **given) if with_questions else None
    return DrawnSteps(texts_of(result), trace, all_hits(result), width, steps, lines)


def load_player(page, walk, at=0):
    data = script_bundle.json_text(player.steps_data(walk, at=at))
    start = (
        f"window.told = []; window.player = play(document.querySelector('.bitext'), {data}, (...a) => told.push(a));"
    )
    page.set_content(f"{HEAD}<style>{STYLE}</style>{player.markup(walk)}<script>{SCRIPT}{start}</script>")
    return walk


#: Returns the number of visible elements and of word classes.
SHOWN = """() => {
  const out = [];
  document.querySelectorAll("g.pool").forEach((g, n) => {
    for (const e of g.children) if (!e.classList.contains("off")) out.push(n);
  });
  for (const e of document.querySelectorAll(".frame > .words [data-word]")) {
    for (const look of ["u", "st", "sy", "co", "rj", "up"]) {
      if (e.classList.contains(look)) out.push([look, e.dataset.word, ""]);
    }
  }
  return out.length;
}"""


def check_step(page, walk, number):
    """Check that the player shows step `number` of `walk`, counted from 0, and nothing of other steps."""
    step = walk.steps[number]
    parts = walk.parts(number)
    assert page.evaluate("player.at") == number
    assert page.locator(".inspector .says").text_content() == step.text
    assert page.locator(".code .now").text_content() == walk.trace.lines[step.line].strip()
    assert page.locator(".controls .count").text_content() == f"Step {number + 1} of {len(walk.steps)}"
    assert page.evaluate(SHOWN) == len(parts)
    for role in ("considered", "taken", "rejected", "filled-now", "came-from"):
        drawn = [p for p in parts if isinstance(p, Shape) and p.role == role.replace("-", " ")]
        assert page.locator(f"g.pool > .{role}:not(.off)").count() == len(drawn), role
    known = {name: said(value) for name, value in known_values_after(walk.steps[: number + 1]).items()}
    known |= {name: value.rstrip("0").rstrip(".") for name, value in known.items() if name in step_formula.SETTINGS}
    filled = page.eval_on_selector_all(".formula .filled", "all => all.map((e) => [e.dataset.known, e.textContent])")
    assert {*map(tuple, filled)} <= {*known.items()}
    values = page.eval_on_selector_all(".formula .value.filled", "all => all.map((e) => e.dataset.known)")
    defined = [one.name for one in notation.parse_definitions(metrics.METRICS[walk.trace.metric].about.formula)]
    assert {*values} == {*defined} & {*known} and page.locator(".formula math.off").count() == len(defined) - len(
        values
    )
    words = {part.name for part in parts if isinstance(part, StepWord) and part.look == "co"}
    assert set(page.eval_on_selector_all(".frame > .words .co", "all => all.map((e) => e.dataset.word)")) == words


def test_keys_buttons_and_slider_go_to_the_same_steps(page_opener):
    page = page_opener()
    walk = load_player(page, build_walk("rouge_l"), at=3)
    last = len(walk.steps) - 1
    decisions = [n for n, step in enumerate(walk.steps) if step.decision]
    check_step(page, walk, 3)
    for key, number in (
        ("ArrowRight", 4), ("ArrowRight", 5), ("ArrowLeft", 4), ("End", last), ("ArrowRight", last),
        ("p", decisions[-1]),
        ("Home", 0), ("ArrowLeft", 0), ("n", decisions[0]),
    ):  # fmt: skip
        page.keyboard.press(key)
        check_step(page, walk, number)
    page.get_by_label("Next decision").click()
    check_step(page, walk, decisions[1])
    page.get_by_label("Last step").click()
    check_step(page, walk, last)
    assert page.locator(".numbers .score").count()  # the formula with its numbers
    for name, number in (("One step back", last - 1), ("First step", 0), ("One step forward", 1)):
        page.get_by_label(name).click()
        check_step(page, walk, number)
    page.get_by_label("Step", exact=True).focus()
    page.keyboard.press("ArrowRight")
    check_step(page, walk, 2)
    page.keyboard.press("End")
    check_step(page, walk, last)
    for number in random.Random(5).sample(range(last), 6):
        page.evaluate(f"player.go({number})")
        check_step(page, walk, number)
    passed = "() => { const was = told.length; [9, 8, 7, 6].forEach(n => player.go(n)); return told.length - was; }"
    assert page.evaluate(passed) == 0  # steps that are passed quickly are not reported
    page.mouse.click(2, 2)  # a click elsewhere reports the step at once
    assert page.evaluate("told.at(-1)") == ["step", page.evaluate("player.at") + 1, "now"]
    for key, lines in (("rouge_s", "arcs"), ("ribes", "crossings")):
        page.goto("about:blank")
        check_arcs_and_lines(page, load_player(page, build_walk(key, lines=lines)))


#: Returns a point where the considered pair's curve is on top of everything else, and the names of its words.
PAIR_POINT = """() => {
  const e = document.querySelector(".pool .considered.curve:not(.off)");
  for (let part = 0.5; part < 1; part += 0.02) {
    const at = e.getPointAtLength(e.getTotalLength() * part).matrixTransform(e.getScreenCTM());
    const [x, y] = [Math.round(at.x), Math.round(at.y)];
    if (document.elementFromPoint(x, y) === e) return [x, y, e.dataset.words];
  }
}"""


#: Returns the bounding box of the considered pair's curve in the picture.
PAIR_BOX = """() => {
  const e = document.querySelector(".pool .considered.curve:not(.off)");
  const { x, y, width, height } = e.getBBox();
  const { e: right, f: down } = e.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
  return [x + right, y + down, x + right + width, y + down + height];
}"""


def check_arcs_and_lines(page, walk):
    """Check the pictures that draw skip-bigrams as arcs or lines: these follow the steps as cells do.

    A pair of words that the mouse hovers over names its words in the tip."""
    last = len(walk.steps) - 1
    for key, number in (("End", last), ("ArrowLeft", last - 1), ("Home", 0), ("ArrowRight", 1)):
        page.keyboard.press(key)
        check_step(page, walk, number)
    pairs = [n for n, step in enumerate(walk.steps) if any(isinstance(mark, SkipBigram) for mark in step.considered)]
    for number in (pairs[0], pairs[-1]):
        page.evaluate(f"player.go({number})")
        check_step(page, walk, number)
        box = page.evaluate(PAIR_BOX)
        shape = next(
            p for p in walk.parts(number) if isinstance(p, Shape) and (p.role, p.kind) == ("considered", "curve")
        )
        assert box[0] == pytest.approx(min(x for _, x in shape.points) * walk.base.cell, abs=1)
        x, y, names = page.evaluate(PAIR_POINT)
        page.mouse.move(x, y)
        ((first, second),) = [
            mark for mark in walk.steps[number].considered if touched_words(mark).names() == names.split()
        ]
        a, b, c, d = (WORDS.candidate[hit.i] for hit in (first, second, first, second))
        where = f"({first.i + 1} … {second.i + 1} × {first.j + 1} … {second.j + 1})"
        see(page.locator(".tip")).to_contain_text(f"{a} … {b} × {c} … {d} {where}: ")
        lit = set(page.eval_on_selector_all(".frame > .words .lit", "all => all.map((e) => e.dataset.word)"))
        assert lit == {f"c{first.i}", f"c{second.i}", f"r0_{first.j}", f"r0_{second.j}"}


def test_of_many_steps_the_decisions_come_first(page_opener):
    """Check that for a table with many cells the player stops only at steps that make a decision.

    The button "Every step" makes it stop at every step."""
    words = segment(
        "we saw the old man with the red hat on the hill behind the house".split(),
        ["on the hill behind the house we saw an old man with a hat that was red".split()],
    )
    walk = build_walk("rouge_l", words)
    page = page_opener()
    load_player(page, walk)
    stops = [0, *[n for n in range(len(walk.steps)) if player.is_decision(walk.steps, n)], len(walk.steps) - 1]
    assert len(walk.steps) > 200 and len(stops) < 20 and stops == sorted({*stops})
    only, every = (page.get_by_role("button", name=name) for name in ("Decisions only", "Every step"))
    count, slider = page.locator(".controls .count"), page.get_by_label("Step", exact=True)
    see(only).to_have_attribute("aria-pressed", "true")
    for number, stop in enumerate(stops, 1):
        see(count).to_have_text(f"{number} of {len(stops)} · Step {stop + 1} of {len(walk.steps)}")
        assert page.evaluate("player.at") == stop and slider.input_value() == str(number)
        page.keyboard.press("ArrowRight")
    assert page.evaluate("player.at") == stops[-1]
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("player.at") == stops[-2]
    every.click()
    see(every).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowLeft")
    check_step(page, walk, stops[-2] - 1)
    only.press("Enter")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("player.at") == stops[-2]
    slider.fill("2")
    assert page.evaluate("player.at") == stops[1]
    page = page_opener()
    load_player(page, walk, at=stops[1] - 3)  # a link leads to a step without a decision
    see(page.get_by_role("button", name="Every step")).to_have_attribute("aria-pressed", "true")
    check_step(page, walk, stops[1] - 3)
    page = page_opener()
    load_player(page, build_walk("gtm"))
    see(page.locator(".controls .only")).to_be_hidden()  # there are few steps
    see(page.locator(".controls .count")).to_contain_text("Step 1 of")


def test_playing_goes_on_by_itself_and_stops(page_opener):
    page = page_opener()
    walk = load_player(page, build_walk("gtm"))
    page.get_by_label("Pace").select_option("very quick")
    page.locator("body").press(" ")
    see(page.get_by_label("Pause")).to_be_visible()
    see(page.locator(".controls .count")).to_have_text(f"Step {len(walk.steps)} of {len(walk.steps)}")
    see(page.get_by_label("Play")).to_be_visible()
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("player.first(); player.start()")
    page.wait_for_timeout(200)  # longer than a step of the quickest pace, and none is taken
    assert page.evaluate("player.at") == 0
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate("player.start()")
    page.wait_for_function("player.at > 1")
    page.evaluate("player.stop()")


def test_fingers_step_and_what_is_touched_is_large(page_opener):
    page = page_opener(**PHONE)
    walk = load_player(page, build_walk("rouge_l", width=340))
    assert page.evaluate("document.querySelector('.controls').getBoundingClientRect().bottom <= innerHeight")
    for button in page.locator(".controls button").all():
        assert button.bounding_box()["height"] >= 44
    see(page.locator(".controls .says")).to_have_text(walk.steps[0].text)
    box = page.locator(".drawing").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * 0.8, box["y"] + 30)
    check_step(page, walk, 1)
    page.touchscreen.tap(box["x"] + box["width"] * 0.8, box["y"] + 30)
    page.touchscreen.tap(box["x"] + box["width"] * 0.2, box["y"] + 30)
    check_step(page, walk, 1)
    page.locator(".controls .on").tap()
    check_step(page, walk, 2)
    longest = max(walk.steps, key=lambda step: len(step.text))
    page.evaluate(f"player.go({walk.steps.index(longest)})")
    lines = page.evaluate(
        "() => { const e = document.querySelector('.controls .says');"
        " return e.clientHeight / parseFloat(getComputedStyle(e).lineHeight); }"
    )
    assert lines <= 2.05


def test_the_page_does_not_creep_from_step_to_step(page_opener):
    """Check that the page scrolls only when a step's cells are out of view, and then by a larger distance.

    It then brings as much around the cells into view as there is room for, so that the next steps need no scrolling."""
    page = page_opener(viewport={"width": 1280, "height": 500})
    load_player(page, build_walk("wer"))
    for near, whole, by in (
        ([200, 300], [100, 400], 0),
        ([480, 560], [200, 590], 90),  # the whole fits
        ([480, 560], [100, 2_000], 380),  # as much of it as lies below the near part
        ([480, 900], [450, 2_000], 380),
        ([50, 90], [-100, 300], -200),
        ([50, 90], [-900, 300], -410),
        ([-300, -250], [-900, 300], -750),
    ):
        assert page.evaluate(f"moved({near}, [100, 500], {whole})") == by, (near, whole)
    names = [f"w{n}" for n in range(20)]
    words = segment([*names[10:], *names[:10]], [names])
    page, walk = page_opener(viewport={"width": 1280, "height": 500}), build_walk("meteor", words)
    load_player(page, walk)
    tops = set()
    for number in range(len(walk.steps) - 1):
        page.evaluate(f"player.show({number})")
        tops.add(page.evaluate("[scrollY, document.querySelector('.drawing').scrollTop].join()"))
    assert page.evaluate("document.documentElement.scrollHeight > innerHeight + 100") and len(tops) <= 6, tops


def test_lines_of_the_formula_stay_where_they_are(page_opener):
    """Check that no line of the formula moves while the steps replace its names by numbers.

    NIST's first definition takes two lines with its names, and one with its numbers."""
    walk = build_walk("nist")
    page = page_opener(viewport={"width": 1280, "height": 800})
    load_player(page, walk)
    tops = "all => all.map((e) => Math.round(e.getBoundingClientRect().top - all[0].getBoundingClientRect().top))"
    places = {tuple(page.eval_on_selector_all(".inspector > .formula .line", tops))}
    for number in range(1, len(walk.steps) - 1):  # the last step has the whole formula instead
        page.evaluate(f"player.show({number})")
        places.add(tuple(page.eval_on_selector_all(".inspector > .formula .line", tops)))
    assert len(places) == 1 and any("information" in step.known_values for step in walk.steps)


def test_the_words_of_a_tables_cell_are_always_seen(page_opener):
    """Check that the words of a table's current cell are visible: a table that fits is wholly in view.

    If it does not fit, the words of the cell's row and column appear at the edges of the box that scrolls."""
    names = [f"w{n}" for n in range(14)]
    walk = build_walk("wer", (names, [names[::-1], ["x", *names[1:]]]), 500)
    page = page_opener(viewport={"width": 1200, "height": 700})
    load_player(page, walk)
    found = {
        s.table.cell[:2]: n for n, s in enumerate(walk.steps) if s.table.k == 1 and s.table.cell and not s.taken_marks
    }
    page.evaluate(f"player.show({found[2, 3]})")
    sides = page.evaluate(
        """() => {
        const box = document.querySelector(".drawing").getBoundingClientRect();
        const parts = document.querySelectorAll('.drawing [data-word^="r1_"], .drawing path.grid[data-k="1"]');
        const all = [...parts].map((e) => e.getBoundingClientRect());
        return [Math.min(...all.map((p) => p.top)) - box.top, box.bottom - Math.max(...all.map((p) => p.bottom))];
        }"""
    )
    assert min(sides) > -1 and page.locator(".pin:visible").count() == 0
    page.set_viewport_size({"width": 360, "height": 500})
    page.evaluate(f"player.show({found[14, 13]})")
    assert page.locator(".pin:visible").all_inner_texts() == ["w13", "w12"]
    page.locator(".drawing").evaluate("(box) => (box.scrollLeft = 0)")
    page.locator(".pin.row").wait_for(state="hidden")
    assert page.locator(".pin.column").inner_text() == "w12"
    page.locator(".drawing").evaluate(
        """(box) => {  // until the first letter of the row's name is cut
            const name = box.querySelector('text[data-word="c13"]').getBoundingClientRect();
            box.scrollLeft = name.left - box.getBoundingClientRect().left + 4;
        }"""
    )
    page.locator(".pin.row").wait_for(state="visible")
    assert page.locator(".pin.row").inner_text() == "w13"
    page.evaluate("player.show(0)")
    assert page.locator(".pin:visible").count() == 0


def test_more_steps_are_asked_for_as_one_goes(page_opener, monkeypatch):
    monkeypatch.setattr(player, "AT_ONCE", 20)
    page = page_opener()
    walk = load_player(page, build_walk("rouge_l"))
    see(page.locator(".controls .count")).to_have_text("Step 1 of 20+")
    page.keyboard.press("End")
    assert page.evaluate("told.find(([name]) => name === 'more')") == ["more", 20]
    start = 20
    while not walk.ended:
        assert page.evaluate("told.at(-1)") == ["more", start]  # until the last step is there
        see(page.locator(".controls .count")).to_have_text(f"Step {start} of {start}+ …")
        page.evaluate(f"player.add({script_bundle.json_text(player.steps_data(walk, start))})")
        start += 20
    check_step(page, walk, len(walk.steps) - 1)
    page = page_opener()
    walk = load_player(page, build_walk("rouge_l"), at=45)  # a link's step that is not loaded yet
    for start in (20, 40):
        assert page.evaluate("told.at(-1)") == ["more", start]
        page.evaluate(f"player.add({script_bundle.json_text(player.steps_data(walk, start))})")
    check_step(page, walk, 45)
    page.goto("about:blank")
    walk = load_player(page, build_walk("rouge_l"))
    page.keyboard.press("n")  # a decision that is not loaded yet
    page.evaluate(f"player.add({script_bundle.json_text(player.steps_data(walk, 20))})")
    assert page.evaluate("player.at") == next(n for n, step in enumerate(walk.steps) if step.decision)


# ---------------------------------------------------------------- questions


def test_a_question_comes_before_its_step(page_opener):
    page = page_opener()
    walk = load_player(page, build_walk("dcs", with_questions=True))
    assert min(walk.questions) == 0  # nothing is shown before the first step is asked about
    for key in ("", "Home", "ArrowLeft"):
        page.keyboard.press(key) if key else None
        assert page.locator(".ask .question").inner_text() == walk.questions[0].text and page.evaluate(SHOWN) == 0
        assert page.locator(".ask .verdict").inner_text() == ""
    page.keyboard.press("ArrowRight")  # the same as "Show me"
    see(page.locator(".ask .verdict")).to_contain_text("The answer is")
    page.keyboard.press("ArrowRight")
    check_step(page, walk, 0)
    page.goto("about:blank")
    walk = load_player(page, build_walk("gtm", with_questions=True))
    first = min(walk.questions)
    question = walk.questions[first]
    assert question.kind == "cell"
    if first:
        page.evaluate(f"player.go({first})")
    see(page.locator(".ask .question")).to_have_text(question.text)
    assert page.evaluate(SHOWN) == (len(walk.parts(first - 1)) if first else 0)
    wrong = click_cell(page, "0,0,0")  # “the” and “on”
    assert judge(question, wrong).how == "no"
    see(page.locator(".ask .verdict")).to_contain_text("Not yet.")
    see(page.locator(".ask .verdict")).to_contain_text(judge(question, wrong).because)
    click_cell(page, question.shows)
    see(page.locator(".ask .verdict")).to_contain_text("Right.")
    assert page.locator(".judged.right").count()
    page.get_by_role("button", name="Continue").click()
    check_step(page, walk, first)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")  # the question is not repeated
    check_step(page, walk, first)
    second = min(n for n in walk.questions if n > first)
    page.evaluate(f"player.go({second})")
    page.get_by_role("button", name="Show me").click()
    see(page.locator(".ask .verdict")).not_to_be_empty()
    page.get_by_role("button", name="Continue").press("Enter")
    check_step(page, walk, second)
    answered = page.evaluate("told.filter(([name]) => name === 'answered').map(([, value]) => value)")
    assert answered == [[first, "no", wrong], [first, "right", question.shows], [second, "shown", ""]]


def click_cell(page, cell):
    """Click in the middle of the grid cell named `cell`, such as "2,0,3" for i, k, j; return the name."""
    i, k, j = map(int, cell.split(","))
    panel = page.locator(f"path.grid[data-k='{k}']").first
    at = {name: float(panel.get_attribute(f"data-{name}")) for name in ("x", "y", "size")}
    svg = page.locator(".drawing > svg").bounding_box()
    page.mouse.click(svg["x"] + at["x"] + (j + 0.5) * at["size"], svg["y"] + at["y"] + (i + 0.5) * at["size"])
    return cell


def test_a_question_is_answered_by_keys_alone(page_opener):
    page = page_opener()
    walk = load_player(page, build_walk("rouge_l"))
    cells = {f"{h.i},0,{h.j}": 1.0 for h in walk.hits}
    no = AnswerVerdict("no", "No.")
    draw = Question(
        "Draw it.",
        "cells",
        "3,0,0 4,0,1 5,0,2",
        {},
        no,
        rule=CellSetRule(cells, 3),
        words=(WORDS.candidate, *WORDS.references),
    )
    page.evaluate(f"window.asking = askOn(document.querySelector('.bitext'), {json.dumps(question_to_dict(draw))})")
    page.locator(".drawing").focus()
    for keys in (
        ["ArrowDown"] * 4 + ["ArrowRight", "Enter"],
        ["ArrowDown", "ArrowRight", "Enter"],
        ["ArrowDown", "ArrowRight", "Enter"],
    ):
        for key in keys:
            page.keyboard.press(key)
    picked = page.evaluate("asking.picked")
    page.get_by_role("button", name="Check").press("Enter")
    verdict = judge(draw, " ".join(picked))
    see(page.locator(".ask .verdict")).to_contain_text(verdict.because)
    word = Question("Which word?", "word", "c2", {"c2": AnswerVerdict("right", "It is.")}, no)
    page.evaluate(f"asking.stop(); askOn(document.querySelector('.bitext'), {json.dumps(question_to_dict(word))})")
    page.locator(".frame > .words").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    see(page.locator(".ask .verdict")).to_contain_text("Right. It is.")


def questions_and_answers():
    """Yield pairs of a question, of every kind, and typed answers to it: right ones, wrong ones and unreadable ones."""
    rng = random.Random(13)
    no = AnswerVerdict("no", "No.", (Hit(0, 0, 0),))
    two_thirds = AnswerValue(2 / 3, 0.0051, AnswerVerdict("right", "Yes."))
    yield Question("?", "number", "0.667", {}, no, 3, values=(two_thirds,)), [
        "0.6667", "0.664", "0.67001", "0.6666666666666666", "666/1000",
        "2/3", "0,67", " 0.667 ", ".67", "1e-1", "−0.667", "x", "", "1/0", "2/3/1", "0.6", "+2/3", "6.7e-1", "0x1",
    ]  # fmt: skip
    says = [
        AnswerValue(3 / 8, 0.005, AnswerVerdict("right", "Yes.")),
        AnswerValue(0.6, 0.005, AnswerVerdict("no", "That is P.")),
    ]
    says += [
        AnswerValue(0.601, 0.005, AnswerVerdict("no", "Two mistakes give this number. A. Or: B.")),
        AnswerValue(-14.0, 0, no),
    ]
    yield Question("?", "number", "3/8", {}, no, values=tuple(says)), [
        "3/8", "0,375", "37.5 %", "0.37", "0.38", "0.4", "0.6", "0.60", "0.601", "60%", "√(9/64)", "√14/10", "1/0",
        "-14", "6·0.0625", "x" * 50, "9" * 41, "", "  ", "two thirds", "√(1/0)", "３/８", "1e3", "−0.5", "3 / 8",
        "+.375", "sqrt9/8", "2·√(9/64)/2", "0.75/2", "0,750/2", "1\u00a0/2", "(3/8)", "5%%", "√", "9" * 40,
    ]  # fmt: skip
    for _ in range(30):
        words = random_segment(rng, 8, 2)
        hits = [
            Hit(i, k, j)
            for k, r in enumerate(words.references)
            for i, a in enumerate(words.candidate)
            for j, b in enumerate(r)
            if a == b
        ]
        if not hits:
            continue
        names = [f"{h.i},{h.k},{h.j}" for h in hits]
        rising, power = rng.random() < 0.7, rng.choice([1.0, 1.2, 2.0])
        rule = CellSetRule(
            {n: 1.0 for n in names if rng.random() < 0.9},
            rng.choice([1, 2, 3, 4.0, 5.196]),
            rising,
            power,
            rng.choice([None, 1, 2]),
            rising and rng.random() < 0.3,
        )
        question = Question(
            "?",
            "cells",
            " ".join(rng.sample(names, min(2, len(names)))),
            {names[0]: AnswerVerdict("also", "So.")},
            no,
            rule=rule,
            words=(words.candidate, *words.references),
        )
        answers = [" ".join(rng.sample(names, rng.randint(0, min(4, len(names))))) for _ in range(12)]
        answers += [" ".join(sorted(names)), "0,0,0", "7,1,9", "c1", "0,0,0 0,0,1", question.shows]
        yield question, answers


def test_the_script_judges_as_the_core_does(page_opener):
    page = page_opener()
    page.set_content(f"<script>{SCRIPT}</script>")
    asked = [*questions_and_answers()]
    for key in TAUGHT:
        found = [q for _, q in itertools.islice(metrics.ask(key, *WORDS, every=2), 200) if q]
        assert found
        asked += [(q, [q.shows, *itertools.islice(q.verdicts, 8), "0", "1", "0,0,0", "zz"]) for q in found[:12]]
    data = [[question_to_dict(question), answers] for question, answers in asked]
    judged = page.evaluate("(data) => data.map(([q, answers]) => answers.map((a) => judge(q, a)))", data)
    kinds = set()
    for (question, answers), found in zip(asked, judged, strict=True):
        for answer, verdict in zip(answers, found, strict=True):
            core = judge(question, answer)
            assert (verdict["how"], verdict["because"]) == (core.how, core.because), (question, answer)
            cells = {f"{c.i},{c.k},{c.j}" for mark in core.marks for c in mark.cells()}
            assert {cell for mark in verdict["marks"] for cell in mark["cells"]} == cells
            kinds.add((question.kind, core.how))
    assert {how for _, how in kinds} == {"right", "also", "no"} and {"cell", "number", "cells"} <= {k for k, _ in kinds}


# ---------------------------------------------------------------- in the app


@pytest.mark.parametrize("metric", ["rouge_l"])
def test_the_view_keeps_its_step_in_the_link(visit, metric):
    shown = SentenceState(
        candidate=" ".join(WORDS.candidate),
        references=" ".join(WORDS.references[0]),
        metric=metric,
        view="steps",
        step=5,
    )
    page = visit(link.format_query(link.to_query(shown)), ".player")
    walk = build_walk(metric)
    walk.make_steps(10_000)
    count = page.locator(".player .controls .count")
    see(count).to_have_text(f"Step 5 of {len(walk.steps)}")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    see(count).to_have_text(f"Step 7 of {len(walk.steps)}")
    page.wait_for_function("new URLSearchParams(location.search).get('step') === '7'")
    page.reload()
    see(count).to_have_text(f"Step 7 of {len(walk.steps)}")
    page.get_by_role("radio", name="GTM").click()
    count = page.locator(".player[data-metric=gtm] .controls .count")
    see(count).to_contain_text("Step 1 of")
    page.keyboard.press("ArrowRight")  # after a choice by mouse the keys still go to the player
    see(count).to_contain_text("Step 2 of")
    page.get_by_role("radio", name="Metric", exact=True).click()  # the view changes at once, the step is kept
    see(count).to_have_count(0)
    page.get_by_role("radio", name="Steps", exact=True).click()
    see(count).to_contain_text("Step 2 of")
    page.keyboard.press("End")
    see(count).to_contain_text("Step 9 of 9")
    page.get_by_role("radio", name="ROUGE-L").focus()
    page.keyboard.press("Home")  # a radio button focused by keyboard keeps its keys
    see(count).to_contain_text("Step 9 of 9")
    page.get_by_role("radio", name="RIBES").click()
    see(page.locator(".player[data-metric=ribes] .drawing.lines")).to_be_visible()
    page.get_by_role("radio", name="Grid").click()
    see(page.locator(".player .drawing.grid")).to_be_visible()
    page.wait_for_function("new URLSearchParams(location.search).get('picture') === 'grid'")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("radio", name="METEOR").click()
    see(page.locator(".player[data-metric=meteor] .controls .count")).to_contain_text("Step 1 of")
    for key in ("ArrowRight", "End", "ArrowLeft"):  # to a line of the pseudo-code far below the first
        page.keyboard.press(key)
    code, *seen = page.evaluate(TOGETHER)
    assert code[0] <= seen[1][0] and seen[1][1] <= code[1]
    for (_, above), (below, _) in itertools.pairwise([(0, 60), *seen]):
        assert above <= below


#: Returns tops and bottoms of the pseudo-code, the sentence, the lit line, the formula and the player's buttons.
TOGETHER = """() => [".code", ".inspector > .says", ".code .now", ".inspector > .formula", ".controls"].map((name) => {
  const { top, bottom } = document.querySelector(`.player ${name}`).getBoundingClientRect();
  return [Math.round(top), Math.round(bottom)];
})"""
