"""Tests that the pages' script judges every answer as the core does, run by node where it is installed.

The browser tests cover the same code in any case."""

from __future__ import annotations

import json
import math
import random
import shutil
import subprocess
from itertools import product

import pytest

import metrics
from metrics.teach.expression import read_number as read_typed
from metrics.teach.judge import question_to_dict
from metrics.teach.records import AnswerValue, AnswerVerdict, Question
from metrics.teach.steps import number
from tests.helpers.app import ROOT
from tests.helpers.cases import TAUGHT, random_segment
from tests.helpers.fragments import read
from tests.helpers.searching import FREE
from tests.helpers.teach.asked import cases, possible_answers
from tests.helpers.teach.rules import RULES
from viz.draw.learn import lesson

STEPS, LEARN = (ROOT / "viz" / "draw" / room / "script" for room in ("steps", "learn"))
JUDGES = "([question, answers]) => answers.map((answer) => judge(question, answer))"
READS = """(text) => {
  try { const { value, unit } = readTyped(text); return [value, unit]; } catch (sentence) { return sentence; }
}"""
#: A script that judges texts typed into a field, with the verdicts of the page's markup.
PAGE = """([verdicts, texts]) => {
  const all = verdicts.map(([dataset, textContent]) => {
    return { dataset, textContent, cloneNode: () => ({ childNodes: [{ textContent }] }) };
  });
  const told = texts.map((text) => judged({ querySelectorAll: () => all }, text, true));
  return told.map(({ how, because }) => [how, because.map((part) => part.textContent ?? part).join("")]);
}"""
needs_node = pytest.mark.skipif(not shutil.which("node"), reason="there is no node to run the script")


def run_by_node(module, name, does, data):
    """Return the results of the JavaScript function `does` for each item of `data`.

    The function is given as source text, which can use `name`, imported from `module`."""
    script = f"""import {{ {name} }} from {json.dumps(module.as_uri())};
import {{ readFileSync }} from "node:fs";
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map({does})));
"""
    node = ["node", "--input-type=module", "-e", script]
    run = subprocess.run(node, input=json.dumps(data), capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


@needs_node
@pytest.mark.parametrize("key", RULES)
def test_random_answers_are_judged_alike(key):
    rng = random.Random(key)
    asked = []
    for turn in range(8):
        given = RULES[key][1][turn % len(RULES[key][1])]
        for case in cases(key, random_segment(rng, most=6, references=2), given, every=3):
            if case.question:
                tried = possible_answers(case)
                asked.append((case.question, [case.question.shows, *rng.sample(tried, min(40, len(tried)))]))
    check_judged_alike(asked)


def check_judged_alike(asked):
    """Check that the script judges every answer as the core does.

    `asked` has pairs of a question and the answers to try."""
    data = [[question_to_dict(question), tried] for question, tried in asked]
    judged = run_by_node(STEPS / "judge.js", "judge", JUDGES, data)
    for (question, tried), found in zip(asked, judged, strict=True):
        for answer, verdict in zip(tried, found, strict=True):
            core = metrics.judge(question, answer)
            assert (verdict["how"], verdict["because"]) == (core.how, core.because), (question, answer)


# ---------------------------------------------------------------- exercises


def answers_to_try(question, rng):
    """Return answers to try on `question`: the right one, those of slips typed in the usual ways, and others."""
    texts = ["", "two", "0", "1", f"{rng.random():.3f}", f"{rng.randint(0, 9)}/{rng.randint(0, 12)}", question.shows]
    for value in question.values:
        texts += [f"{value.number:.{digits}f}" for digits in (1, 2, 3, 6)]
        texts += [f"{value.number:.2f}".replace(".", ","), f"{100 * value.number:.1f} %"]
    return [*texts, *[f"{n}" for n in range(len(question.choices))], f" {len(question.choices)} ", "0 1"]


@pytest.mark.slow
@pytest.mark.hypothesis
@needs_node
def test_exercises_of_all_metrics_and_levels_are_judged_alike():
    """Check that right answers are right, slips are not, and the script agrees; on a hundred seeds in a free search."""
    rng, asked = random.Random(9), []
    for key, level, seed in product(TAUGHT, (1, 2, 3), range(1, 101 if FREE else 4)):
        for question in metrics.whole_questions(metrics.exercise(key, seed, level)):
            assert metrics.judge(question, question.shows).how == "right", (key, level, seed, question.text)
            for value in question.values[1:]:
                for digits in (2, 3, 6):
                    verdict = metrics.judge(question, f"{value.number:.{digits}f}")
                    assert verdict.how == "no", (key, level, seed, question.text, value)
            wrong = [n for n in range(len(question.choices)) if f"{n}" != question.shows]
            assert all(metrics.judge(question, f"{n}").how == "no" for n in wrong)
            asked.append((question, answers_to_try(question, rng)))
    check_judged_alike(asked)


# ---------------------------------------------------------------- typed numbers

#: Numbers at and around rounding boundaries, small and large, positive and negative.
NUMBERS = (
    *(0.375, 0.125, 0.625, 0.0625, 0.3125, 0.5, 1.25, 2.5, 0.005, 0.015, 0.045, 0.995, 0.9951, 1.005, 0.6650),
    *(2 / 3, 1 / 3, 1 / 7, 8 / 11, math.sqrt(14) / 10, math.sqrt(2), 0.0042, 0.000667, 1e-5, 3e-10, 0.0, 1.0, 7.0),
    *(100 / 3, 12.345, 1254.5, 125200.678, 1254321.5, 6e22, -0.25, -2 / 3, -0.005, -3.0, 0.07, 0.0701, 0.29, 0.57),
)


def ways_to_type(value):
    """Return texts in which a number may be typed.

    They are rounded, cut and slightly off, with comma or point, in per cent, as fractions, roots, products and powers
    of ten, and with other signs."""
    out = [repr(value), f"{value:g}", f"{value:.2e}", f"{value:.5E}", f"{value:.3g}", f"{-value:.3f}", f"+{value:.3f}"]
    for decimals in range(7):
        unit = 10.0**-decimals
        whole = math.floor(abs(value) / unit + 1e-9) if abs(value) < 1e9 else abs(value)
        for n in (whole - 1, whole, whole + 1, whole + 2):
            plain = f"{math.copysign(max(n, 0) * unit, value):.{decimals}f}"
            out += [plain, plain.replace(".", ","), f"{plain} %", plain.lstrip("0"), f"{plain}0", f"{plain}e-1"]
            out += [f"{float(plain) * 100:.{max(decimals - 2, 0)}f}%", f"{plain}/3", f"{plain}·0.50", f"√{plain}"]
        near = value + random.Random(value).uniform(-1, 1) * unit
        out += [f"{near:.{decimals + 1}f}", f"{near:.{decimals}f}", f"{value + unit / 2!r}", f"{value - unit / 2!r}"]
    for below in (3, 7, 8, 11, 10, 100):
        out += [f"{round(value * below)}/{below}", f"{round(value * below)} ÷ {below}", f"{value * below:.2f}/{below}"]
        out += [
            f"√{round((value * below) ** 2)}/{below}",
            f"√({value * value:.4f})",
            f"√({value * value:.2f}/0.7)",
            f"√(14/{below})·2",
        ]
    return [*dict.fromkeys([each.replace("-", sign) for each in out for sign in ("-", "−")])]


STRANGE = (
    *("", "  ", "9" * 100, "9" * 101, "x" * 70, "😀" * 45, "a\x00b", "1\u00a0/\u00a03", "３，５ ％"),
    *"two nan inf 1/0 0/0 √ √-1 1//2 /2 2/ 1.2.3 % --1 1%% (1 () √(1/0) ½² +3 -√4 ٣ 1,000.5 -1/-2 \u202ex".split(),
    *"1e e5 1e5 1E-5 1e999 1e9999 1e308·1e308 √(2/3)/√5 0.5/3 １.５ 3⁄8 3∕8 2√4·3 √(1/4) sqrt(16)/8 5. 5.·3".split(),
    *".5 −0,25 2*3 2×0.33 2√34/(9+8) (√34/9+√34/8)/2 34^(1/2) 34**(1/2) =3/8 ½ 2½ 2½½ ½2 1/2√3 2(3)(4) 2(3)4".split(),
    *"5² 5⁻² 5²² 5²^2 2^3^2 -2^2 (-2)^2 (-8)^(1/3) 0^-1 0^0 e e^2 e² exp(-1/4) exp(800) exp2 ln(0) ln(2)".split(),
    *"log2(8) log₂(8) log10(5) log(2) log25(3) Exp(1) 2x3 3:8 3X8 0x10 1,5² 20%+5% 20%·2 1- 1+-2".split(),
    *"+(1 1) (1)) ((1 {1} |1|".split(),
    *("37.5 %", "1e-3 %"),
    *("1 1/2", "2 3", "1 234", "1 23", "3 .5", "= = 1", "2 √ 34 / ( 9 + 8 )", "1\ufeff", "1\x1c2", "\u2212½", "K", "İ"),
    *("(" * 21 + "1" + ")" * 21, "√" * 21 + "1", "2^" * 21 + "1", "√" * 20 + "1", "9^9^9^9", "1/" * 40 + "3"),
    *("0.00 1.00 0.0 100% 99.6% 8/8 1 0 -1 3 3.00 0.999 0.001".split()),
)


def random_expression(rng, deep=4):
    """Return a random expression of the grammar for typed numbers, nested at most `deep` times.

    Signs and spaces are as people write them."""
    if deep == 0 or rng.random() < 0.15:
        kinds = [str(rng.randint(0, 99)), f"{rng.uniform(0, 9):.{rng.randint(0, 4)}f}", "½", "3¾", "2,5e-1", "0.4e2"]
        return rng.choices(kinds, (8, 6, 1, 1, 1, 1))[0]

    def subexpression():
        return random_expression(rng, deep - 1)

    ways = [
        lambda: f"{subexpression()} {rng.choice('+-−')} {subexpression()}",
        lambda: f"{subexpression()}{rng.choice('*·×/÷:x')}{subexpression()}",
        lambda: f"({rng.choice(['', '-', '+'])}{subexpression()})",
        lambda: f"√{rng.choice(['', 'sqrt('])}{subexpression()}".replace("√sqrt(", "sqrt(") + rng.choice(["", ")"]),
        lambda: f"({subexpression()}){rng.choice(['^', '**'])}{rng.choice(['', '-'])}{rng.randint(0, 3)}",
        lambda: f"{rng.randint(1, 40)}^({subexpression()})",
        lambda: f"{rng.randint(2, 9)}{rng.choice('²³⁻')}{rng.choice('¹²⁴')}",
        lambda: f"{rng.randint(1, 9)}√({subexpression()})",
        lambda: f"({subexpression()})({subexpression()})",
        lambda: f"{rng.choice(['exp', 'ln', 'log2', 'log₂', 'log10', 'e^', 'log'])}({subexpression()})",
        lambda: f"{subexpression()} %",
    ]
    return rng.choice(ways)()


def number_questions():
    """Yield questions for each of `NUMBERS`, with slips near and far, and the texts to type as answers."""
    says = AnswerVerdict("right", "Right."), *[AnswerVerdict("no", f"That is slip {n}.") for n in range(6)]
    says = *says[:5], AnswerVerdict("no", "Several mistakes give this number. That is a. Or: That is b."), says[6]
    for value in NUMBERS:
        every = (value, value + 0.004, value - 0.011, value + 0.0102, value * 1.5 + 0.02, -value - 0.3, value + 0.0123)
        for rounded in (True, False):
            for within in (0, 0.0051, 0.051 * abs(value)):
                values = tuple(
                    [AnswerValue(number, within, verdict) for number, verdict in zip(every, says, strict=True)]
                )
                otherwise = AnswerVerdict("no", "That is not the number.")
                question = Question("?", "number", "", {}, otherwise, values=values, rounded=rounded)
                yield question, [*ways_to_type(value), *STRANGE]


@pytest.mark.slow
@needs_node
def test_typed_numbers_are_judged_alike():
    asked = [*number_questions()]
    assert sum(len(tried) for _, tried in asked) > 100_000
    check_judged_alike(asked)
    told = [metrics.judge(question, answer) for question, tried in asked for answer in tried]
    parts = "Right.", "That is slip", "Two mistakes give", "Several mistakes", "Rounded too far", "lower.", "higher."
    for says in parts:
        assert sum(says in verdict.because for verdict in told) > 100, says


@pytest.mark.slow
@needs_node
def test_typed_numbers_and_calculations_are_read_alike():
    texts = [*{text for value in NUMBERS for text in ways_to_type(value)}, *STRANGE]
    rng = random.Random(5)
    texts += ["".join(rng.choices("0123456789.,/·√()%- *e^+²½=", k=rng.randint(1, 9))) for _ in range(5000)]
    texts += [random_expression(rng, rng.randint(1, 4)) for _ in range(20_000)]
    # One sign removed, inserted or replaced at random.
    texts += [
        text[:at] + rng.choice("()+^√/ 2") + text[at + rng.randint(0, 1) :] for text in texts[-8000:] for at in [2]
    ]
    found, sentences = run_by_node(STEPS / "expression.js", "readTyped", READS, texts), set()
    for text, script in zip(texts, found, strict=True):
        try:
            core = [*read_typed(text)]
        except ValueError as error:
            core = str(error)
            sentences.add(core.rpartition("”")[2].replace("exp", "ln"))
        # Powers and logarithms may differ in the last digits between libraries, and differences of them in more.
        same = pytest.approx(core, rel=1e-9, abs=1e-12) if isinstance(core, list) else core
        assert script == same, text
    for why in (
        "is not a number here",
        "divides by 0",
        "is too large",
        "root of a number below 0",
        "two numbers next to",
    ):
        assert any(why in said for said in sentences), why
    for why in ("not close", "not open", "two ways", "inside each other", "not say the base", "without a bracket"):
        assert any(why in said for said in sentences), why


@needs_node
def test_numbers_are_printed_alike():
    rng = random.Random(6)
    numbers = [*NUMBERS, *[n / 16 for n in range(400)], *[1e6 + 2500 * n for n in range(400)], 9.995e6, 1e15, 2.5e-4]
    numbers += [rng.uniform(0, 1) * 10 ** rng.randint(-6, 9) for _ in range(4000)]
    printed = run_by_node(STEPS / "wording.js", "printed", "(number) => printed(number)", numbers)
    assert printed == [*map(number, numbers)]


# ---------------------------------------------------------------- on a page


def page_verdicts(asked):
    """Return what the page says about texts typed as answers; `asked` has pairs of a question and its texts."""
    data = []
    for question, texts in asked:
        said = read(lesson.question_html(question)).one("div", "verdicts").children
        names = [{name.removeprefix("data-"): value for name, value in each.attributes.items()} for each in said]
        data.append([[*zip(names, [each.text for each in said], strict=True)], texts])
    return run_by_node(LEARN / "judged.js", "judged", PAGE, data)


#: Exercises, each with a text that fits three or more of their slips, some of which share a sentence already.
SHARED = {"bleu-1-8": "0.86", "bleu-3-7": "0.45", "dcs-1-14": "0.93", "rouge_w-3-6": "0.55", "rouge_l-2-3": "0.25"}


@needs_node
def test_a_page_says_of_a_typed_number_what_the_core_says():
    asked, shared = [], 0
    for code in [*SHARED, *[f"{key}-{level}-5" for key in TAUGHT for level in (1, 3)]]:
        question = metrics.exercise_of(code).question
        numbers = [value.number for value in question.values]
        texts = ["", "  ", "two", *[f"{number:.{digits}f}" for number in numbers for digits in (2, 3, 6)]]
        asked.append((question, [*texts, SHARED.get(code, "1/0")]))
    for (question, texts), found in zip(asked, page_verdicts(asked), strict=True):
        assert len(found) == len(texts)  # an empty text is an answer too
        for text, says in zip(texts, found, strict=True):
            core = metrics.judge(question, text)
            assert [core.how, core.because] == says, (question.text, text)
            assert says[1].count("mistakes give this number") <= 1 >= says[1].count(" Or: ")
            shared += "mistakes give" in says[1]
    assert shared >= 20
    for code, text in SHARED.items():
        said = metrics.judge(metrics.exercise_of(code).question, text).because
        assert said.startswith("Several mistakes give this number. ") and said.count(" Or: ") == 1, code


@needs_node
def test_an_empty_place_asks_for_a_number():
    question = metrics.exercise("gtm", 1).question
    assert page_verdicts([(question, ["0.9", ""])])[0][1] == ["no", metrics.judge(question, "").because]
    assert metrics.judge(question, "").because.startswith("Type a number, such as ")
