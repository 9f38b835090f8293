"""Tests that what the chapters say is true: their numbers, their right answers, and what they quote from papers.

The files are read here without the page's reader, so that only the core checks what they say. They are the chapters
that come with the app; the reader checks chapters that teachers write."""

import ast
import math
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

import metrics
from metrics.formula import notation
from viz.draw.learn import prose
from viz.pages.learn import chapter_files, chapter_reader

FOLDER = Path(__file__).parent.parent.parent / "viz" / "pages" / "learn" / "chapters"
KEYS = "start rouge_n gtm lcs skip_bigrams sia dcs bleu nist edits meteor ribes references people".split()
BODIES = {key: tomllib.loads((FOLDER / f"{key}.toml").read_text(encoding="utf-8")) for key in KEYS}
WORDS_MOST = 90  # words that a screen says before its answer: more do not fit 1280 × 800
SIDE_MOST = 13  # words of an example


@pytest.fixture(scope="module", params=KEYS)
def chapter(request):
    """Return a chapter's file as parsed TOML, and the results of its examples by the examples' names."""
    body = BODIES[request.param]
    assert body["key"] == request.param
    first = {"metric": body["metrics"][0]}
    return body, {name: score_example(first | each) for name, each in body["examples"].items()}


def score_example(example):
    words = example["candidate"].split(), [text.split() for text in example["references"]]
    return metrics.score(example["metric"], *words, **example.get("settings", {}))


def evaluate(expression, results):
    """Return the value of an expression that a chapter's text contains, such as `main.matches / 2`.

    `results` are the results of the chapter's examples by name; an attribute is a statistic, a part, the score or a
    length."""
    names = {}
    for name, result in results.items():
        candidate, references = result.segment
        length = SimpleNamespace(candidate=len(candidate), reference=len(references[0]))
        settings = SimpleNamespace(**result.settings.to_dict())
        numbers = {**result.stats, **result.parts, "score": result.score}
        others = {
            f"other_{key}": metrics.score(key, *result.segment).score for key in metrics.METRICS if key in expression
        }
        names[name] = SimpleNamespace(**numbers, **others, length=length, settings=settings)
    expression = re.sub(r"\.(\w+)\.score\b", r".other_\1", expression)  # the same sentence by another metric
    return eval(expression, {"__builtins__": {}, "sqrt": math.sqrt, "abs": abs}, names)


def comparisons_hold(proof, results):
    """Return whether the chain of comparisons `proof` is true, by `evaluate`; equality ignores the last digits."""
    chain = ast.parse(proof, mode="eval").body
    numbers = [evaluate(ast.unparse(side), results) for side in (chain.left, *chain.comparators)]
    told = {
        ast.Eq: lambda a, b: math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12),
        ast.Lt: lambda a, b: a < b - 1e-12,
        ast.Gt: lambda a, b: a > b + 1e-12,
    }
    return all(told[type(op)](a, b) for op, a, b in zip(chain.ops, numbers, numbers[1:], strict=False))


def screen_texts(screen):
    """Return all texts of a screen that may contain numbers, including its question and its hints."""
    ask = screen.get("ask", {})
    several = [*screen.get("hints", []), *ask.get("choices", []), *ask.get("wrong", [])]
    one = [screen.get(n, "") for n in ("title", "text", "reveal", "erratum", "ours")]
    return [*one, ask.get("text", ""), ask.get("because", ""), *several]


def test_there_are_all_chapters_in_an_order_of_their_own():
    assert len({body["order"] for body in BODIES.values()}) == len(BODIES)


def test_each_chapter_builds_on_chapters_before_it(chapter):
    body, _ = chapter
    before = {key for key, each in BODIES.items() if each["order"] < body["order"]}
    assert {*body.get("needs", [])} <= before
    assert bool(body.get("needs")) == (body["key"] != "start"), "one chapter needs no other"


def test_every_screen_has_its_question_and_a_question_of_two_draws_both(chapter):
    body, _ = chapter
    assert body["screens"][0]["kind"] == "question"
    for screen in body["screens"]:
        assert ("pair" in screen) == (screen["kind"] == "blind")
        assert ("printed" in screen) == ("where" in screen) == (screen["kind"] == "paper")
        assert "ask" in screen or screen["kind"] == "blind"
        assert screen["reveal"].strip()
        assert set(screen.get("pair", [])) | ({screen["example"]} if "example" in screen else set()) <= {
            *body["examples"]
        }


def test_a_screen_fits_its_page(chapter):
    body, results = chapter
    for screen in body["screens"]:
        assert len(screen["text"].split()) <= WORDS_MOST, screen["title"]
        assert len(screen["reveal"].split()) <= WORDS_MOST / 2, screen["title"]
    for name, result in results.items():
        assert max(len(side) for side in (result.segment.candidate, *result.segment.references)) <= SIDE_MOST, name


def test_no_text_asks_to_type_a_sentence(chapter):
    """Check that no text asks the student to type or change a sentence.

    A chapter that is saved as a file lets them only choose among sentences."""
    body, _ = chapter
    for screen in body["screens"]:
        if screen["kind"] in ("idea", "blind"):
            said = " ".join([screen["text"], screen["reveal"], *screen.get("hints", [])])
            assert not re.search(r"[Cc]hange (the|this|your) |[Tt]ype ", said), screen["title"]


def test_a_chapter_takes_twenty_five_minutes_at_most(chapter):
    body, _ = chapter
    assert "minutes" not in body  # the minutes are computed
    assert chapter_files.shelf().chapters[body["key"]].minutes <= (10 if body["key"] == "start" else 25)


def test_every_number_is_computed(chapter):
    body, results = chapter
    shown = chapter_files.shelf().chapters[body["key"]].examples
    for screen in body["screens"]:
        for text in screen_texts(screen):
            for expression in re.findall(r"\{([^{}]+)\}", text):
                expression = expression.partition(":")[0].strip()
                ast.parse(expression, mode="eval")
                assert math.isfinite(evaluate(expression, results)), expression
                assert prose.expression_value(expression, shown) == pytest.approx(evaluate(expression, results)), (
                    expression
                )
            typed = re.sub(r"\{[^{}]+\}|([Ss]ections?|and) \d(\.\d)+", "", text)
            for number in re.findall(r"\d+\.\d+", typed):  # only the paper's printed number may be quoted
                assert number == screen.get("printed"), f"typed, not computed: {number}"


#: Technical terms. Each is between asterisks where it is explained, in a chapter or in one that it builds on.
EXPLAINED = (
    *("candidate", "reference", "match", "grid", "precision", "recall", "n-gram", "clipping", "hit", "run", "block"),
    *("chain", "decay", "skip-bigram", "geometric mean", "smoothing", "information", "shift", "chunk", "stage"),
    *("concordant", "common words", "F-measure", "orders"),
)


def test_words_are_explained_before_they_are_used(chapter):
    def needed_chapters(key):
        return {key}.union(*[needed_chapters(each) for each in BODIES[key].get("needs", [])])

    body, _ = chapter
    needed = sorted(needed_chapters(body["key"]) - {body["key"]})
    known = " ".join([screen["text"] for key in needed for screen in BODIES[key]["screens"]])
    for screen in body["screens"]:
        known += f" {screen['text']} {screen['reveal']}"
        said = re.sub(r"\$[^$]*\$|\{[^{}]*\}|\*[^*]*\*", "", " ".join([screen["title"], *screen_texts(screen)]))
        for word in EXPLAINED:
            if re.search(rf"(?<![\w-]){word}(e?s)?(?![\w-])", said):
                assert re.search(rf"\*{word.removesuffix('s')}(e?s)?\*", known, re.IGNORECASE), (screen["title"], word)


def test_formulas_can_be_read(chapter):
    body, _ = chapter
    for screen in body["screens"]:
        for text in screen_texts(screen):
            for formula in re.findall(r"\$([^$]+)\$", re.sub(r"\{[^{}]+\}", "1", text)):
                notation.parse_definitions([formula if " = " in formula else f"x = {formula}"])


def test_the_right_answer_is_right(chapter):
    body, results = chapter
    for screen in body["screens"]:
        if "ask" not in screen:
            continue
        ask = screen["ask"]
        assert 0 <= ask["right"] < len(ask["choices"]) == len(set(ask["choices"]))
        assert len(ask.get("wrong", ask["choices"])) == len(ask["choices"])
        assert not ask.get("wrong") or not ask["wrong"][ask["right"]]
        assert ask["holds"], screen["title"]
        for proof in ask["holds"]:
            assert comparisons_hold(proof, results), (screen["title"], proof)


def test_blind_pairs_score_exactly_alike(chapter):
    body, results = chapter
    screen = body["screens"][-1]
    if screen["kind"] != "blind":
        return
    a, b = [results[name] for name in screen["pair"]]
    assert (a.metric, a.settings, a.segment.references) == (b.metric, b.settings, b.segment.references)
    assert a.segment.candidate != b.segment.candidate
    assert a.score == b.score
    assert a.score > 0
    for other in screen["others"]:
        for words in chapter_reader.spelt_out(other["text"]):
            found = metrics.score(a.metric, words.split(), a.segment.references, **a.settings.to_dict())
            assert found.score == pytest.approx(a.score, abs=1e-12) and words.split() != [*a.segment.candidate], words


def test_no_metric_of_words_tells_the_last_pair_apart():
    body = BODIES["people"]
    a, b = [body["examples"][name] for name in body["screens"][-1]["pair"]]
    for key in metrics.METRICS:
        settings = {"stages": ["exact", "stem"]} if key == "meteor" else {}
        found = [score_example({**each, "metric": key, "settings": settings}) for each in (a, b)]
        assert (found[0].score == found[1].score) == (found[0].unit == "word"), key


def test_printed_numbers_are_ours_or_have_an_erratum(chapter):
    body, results = chapter
    screen = next((screen for screen in body["screens"] if screen["kind"] == "paper"), None)
    if screen is None:
        return
    if not re.search(r"\d", screen["printed"]) or "cs" in screen["printed"]:  # no number: the proofs check it
        assert screen["ask"]["holds"]
        return
    printed, ours = screen["printed"], screen.get("ours", f"{{{screen['example']}.score}}")
    number = evaluate(ours.strip("{}").partition(":")[0], results)
    whole, _, under = printed.partition("/")
    decimals = len(printed.partition(".")[2])
    agrees = math.isclose(number, int(whole) / int(under)) if under else round(number, decimals) == float(whole)
    assert agrees != bool(screen.get("erratum")), (printed, number)


def test_the_chapter_in_the_manual_is_one():
    """Check that the screen that the manual for teachers shows is a correct one.

    A chapter made of it and of another chapter's other screens passes the page's own reader."""
    manual = (FOLDER / "README.md").read_text(encoding="utf-8")
    head = re.findall(r"```toml\n(.*?)```", manual, re.DOTALL)[0].replace("[examples.main]", "[examples.scattered]", 1)
    body = (FOLDER / "gtm.toml").read_text(encoding="utf-8")
    examples, *screens = body.partition("[examples.half]")[2].split("[[screens]]")
    first = head.replace("[[screens]]", f"[examples.half]{examples}[[screens]]").replace("main", "scattered")
    found = chapter_reader.read("readme.toml", "[[screens]]".join([first, *screens[1:]]))
    assert (found.key, len(found.screens)) == ("my_chapter", 5)
    score = score_example(
        {"candidate": "the bank will", "references": ["the bank will close on friday"], "metric": "gtm"}
    )
    assert f"<b>{score.score:.3f}</b>; by ROUGE-L they score <b>{score.score:.3f}</b>" in found.screens[0].text
