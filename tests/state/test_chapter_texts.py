"""The chapters' texts are true: every number is computed, every right answer is right, every printed number is ours.

The files are read here without the page's reader, so that what they say is checked by the core alone.
"""

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

FILES = sorted((Path(__file__).parent.parent.parent / "viz" / "pages" / "learn" / "chapters").glob("*.toml"))
WORDS_MOST = 90  # of what a screen says before it is answered: more does not fit 1280 × 800
SIDE_MOST = 13  # words of an example

#: What must hold for the right choice of each question to be right: comparisons of examples' numbers.
PROOFS = {
    ("start", "question"): ["moved.recall_match == 7 and closed.recall_match == 5"],
    ("start", "question 2"): ["closed.length.candidate == 7", "2 * 2 + 3 == 7"],
    ("start", "idea"): ["short.precision == 1", "short.recall == 5 / 7"],
    ("start", "question 3"): ["pairs.recall_match == 5", "pairs.candidate_total == 6"],
    ("rouge_n", "question"): ["some.score > swapped.score", "swapped_words.score > some_words.score"],
    ("rouge_n", "idea"): ["longer.recall_match / longer.precision == 8", "longer.recall == 1"],
    ("rouge_n", "algorithm"): ["thrice.recall_match == 2 + 3", "thrice.length.candidate == 8"],
    ("rouge_n", "idea 2"): ["recall.score > balanced.score", "recall.recall == 1 and recall.precision == 6 / 9"],
    ("gtm", "question"): ["half.score > scattered.score", "half.match_power == 9", "scattered.match_power == 6"],
    ("gtm", "idea"): ["moved.match_power == 4**2 + 2**2", "moved.settings.exponent == 2"],
    ("gtm", "algorithm"): ["conflict.match_power == 3**2 + 1", "greedy.match_power < exact.match_power"],
    ("gtm", "paper"): ["figure.match_size < unigrams.match_size", "unigrams.match_size == 7"],
    ("lcs", "question"): ["moved.score == wrong.score", "moved.lcs == wrong.lcs == 5", "moved.length.reference == 7"],
    ("lcs", "idea"): ["longer.recall == 1", "longer.precision < 1", "longer.lcs == longer.length.reference"],
    ("lcs", "algorithm"): ["swapped.lcs == 2"],
    ("lcs", "idea 2"): ["together.wlcs == 16 == 4**together.settings.weight"],
    ("lcs", "idea 3"): ["letter.wlcs == 2", "optimal.wlcs == 4"],
    ("lcs", "paper"): ["apart.wlcs == together.wlcs / 4", "abs(apart.score - together.score / 2) < 1e-12"],
    ("sia", "question"): ["behind.score > inside.score", "behind.rouge_l.score == inside.rouge_l.score"],
    ("sia", "idea"): ["abs(gap.gain_1 - (2 + 1 / sqrt(2))) < 1e-12"],
    ("sia", "algorithm"): [
        "abs(rounds.score - rounds.round_1 / 2 - rounds.round_2 / 4) < 1e-12",
        "equal.score == equal.settings.decay == rounds.settings.decay == 1 / 2",
    ],
    ("sia", "paper"): [
        "abs(mt1.gain_1 - (2 + 1 / sqrt(2) + 1 / sqrt(10))) < 1e-12",
        "mt1.score > mt2.score",
        "mt1.rouge_s.score > mt2.rouge_s.score",
    ],
    ("skip_bigrams", "question"): ["near.skip2 == 14 and far.skip2 == 10", "near_l.score == far_l.score"],
    ("skip_bigrams", "idea"): ["ends.skip2 == 6", "ends.reference_total == 15"],
    ("skip_bigrams", "algorithm"): ["repeated.skip2 == 3", "repeated.candidate_total == 10"],
    ("skip_bigrams", "paper"): ["s4.score > s3.score", "s4_l.score == s3_l.score", "s2.score > s4.score"],
    ("dcs", "question"): ["wrong.score > moved.score", "moved.squares == 32", "wrong.squares + wrong.products == 37"],
    ("dcs", "idea"): ["boat.squares + boat.products == 27", "27 > 5**2", "boat.products == 3 * 3"],
    ("dcs", "algorithm"): ["overlap.score == 1", "long.score > 1", "disjoint.score < 1"],
    ("dcs", "paper"): ["figure.products == 2", "figure.squares == 6"],
    ("bleu", "question"): ["cat.score == 0", "cat.match_4 == 0", "cat.total_4 == 3"],
    ("bleu", "idea"): ["end.score > middle.score", "middle.match_4 == 3 and end.match_4 == 6", "middle.total_4 == 7"],
    ("bleu", "idea 2"): [
        "short.score == short.brevity_penalty < 1 / 2",
        "abs(short.brevity_penalty - 3 / 8) < 1 / 100",
    ],
    ("bleu", "idea 3"): ["cat.match_4 == 0 and cat.total_4 == 3", "abs(smoothed.precision_4 - 1 / 4) < 1e-12"],
    ("bleu", "algorithm"): ["cat_pairs.match_2 == 3", "cat_pairs.total_2 == 5"],
    ("nist", "question"): ["rare.score > frequent.score", "frequent.rouge_n.score == rare.rouge_n.score == 1 / 2"],
    ("nist", "idea"): ["pair.information_2 == 0", "pair.information_1 > 0"],
    ("nist", "algorithm"): ["bits.score > 1", "five.score == bits.score", "bits.brevity_penalty == 1"],
    ("nist", "idea 2"): ["abs(short.brevity_penalty - 1 / 2) < 1e-12", "short_bleu.brevity_penalty > 1 / 2"],
    ("bleu", "paper"): ["clipped.match_1 == 2", "clipped.total_1 == 7"],
    ("edits", "question"): ["wer.insertions + wer.deletions + wer.substitutions == 4", "wer.insertions == 2"],
    ("edits", "idea"): ["ter.edits == ter.shifts == 1", "ter.score < wer.score"],
    ("edits", "idea 2"): ["abs(early.score - 1 / 5) < 1e-12", "early_wer.score > early.score"],
    ("edits", "algorithm"): ["corner.insertions + corner.deletions + corner.substitutions == 2"],
    ("edits", "paper"): [
        "saudi_wer.substitutions == 5 and saudi_wer.deletions == 1 and saudi_wer.insertions == 0",
        "saudi.shifts == 1 and saudi.substitutions == 2 and saudi.deletions == 1 and saudi.insertions == 0",
        "abs(saudi.score - 31 / 100) < 1 / 200",
    ],
    ("meteor", "question"): [
        "adds.score > lacks.score",
        "abs(lacks.settings.alpha / (1 - lacks.settings.alpha) - 9) < 1e-9",
        "lacks.recall == 7 / 8",
        "adds.precision == 8 / 12",
    ],
    ("meteor", "idea"): [
        "backwards.penalty == backwards.settings.gamma == 1 / 2",
        "abs(backwards.score - 1 / 2) < 1e-12",
    ],
    ("meteor", "algorithm"): ["dog.chunks == 3", "dog.matches == 5"],
    ("meteor", "paper"): ["president.chunks == 2", "1 - president.recall > president.penalty"],
    ("ribes", "question"): ["bob.discordant == 3", "bob.concordant == 3"],
    ("ribes", "idea"): ["half.score > 3 / 4", "half.precision == 1 / 2", "half.kendall == 1"],
    ("ribes", "algorithm"): ["repeated.aligned == 5"],
    ("ribes", "paper"): [
        "swapped.score < swapped_bleu.score / 2",
        "gotten_bleu.score < swapped_bleu.score",
        "swapped.concordant + swapped.discordant == 55",
    ],
    ("references", "question"): ["copy.score == 1 == another_l.score", "abs(another.score - 3 / 4) < 1e-12"],
    ("references", "idea"): ["both.score > second.score > first.score", "best.score == second.score"],
    ("references", "algorithm"): ["cap.match_power == 17", "cap.reference_length == 5"],
    ("references", "paper"): ["figure.gain_1 > figure.gain_2 > figure.gain_3 > 0"],
    ("people", "question"): ["s4_gtm.score > s2_gtm.score", "s2_l.score > s4_l.score"],
    ("people", "idea"): ["s2_s.score > s4_s.score > s3_s.score", "s3_l.score == s4_l.score < s2_l.score"],
    ("people", "algorithm"): ["s4_gtm.score > s3_gtm.score == s2_gtm.score"],
    ("people", "paper"): ["s4_bleu.score > s2_bleu.score == s3_bleu.score", "s2_bleu.match_1 == s3_bleu.match_1 == 3"],
}


@pytest.fixture(scope="module", params=FILES, ids=lambda path: path.stem)
def chapter(request):
    """A chapter as its file has it, and the results of its examples by name."""
    body = tomllib.loads(request.param.read_text(encoding="utf-8"))
    assert body["key"] == request.param.stem
    first = {"metric": body["metrics"][0]}
    return body, {name: result_of(first | each) for name, each in body["examples"].items()}


def result_of(example):
    words = example["candidate"].split(), [text.split() for text in example["references"]]
    return metrics.score(example["metric"], *words, **example.get("settings", {}))


def value(expression, results):
    """An expression over examples, with the names that the texts use."""
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


def texts_of(screen):
    """Every text of a screen in which numbers may stand."""
    ask = screen.get("ask", {})
    several = [*screen.get("hints", []), *ask.get("choices", []), *ask.get("wrong", [])]
    one = [screen.get(n, "") for n in ("title", "text", "reveal", "erratum", "ours")]
    return [*one, ask.get("text", ""), ask.get("because", ""), *several]


def test_there_are_all_chapters_in_an_order_of_their_own():
    bodies = [tomllib.loads(path.read_text(encoding="utf-8")) for path in FILES]
    assert len({body["order"] for body in bodies}) == len(bodies)
    assert {key for key, _ in PROOFS} == {body["key"] for body in bodies}


def places(body):
    """Each screen with its place in the table of proofs: its kind, with a number from the second of its kind on."""
    kinds = [screen["kind"] for screen in body["screens"]]
    for n, screen in enumerate(body["screens"]):
        many = kinds[: n + 1].count(screen["kind"])
        yield screen["kind"] + (f" {many}" if many > 1 else ""), screen


def test_each_chapter_builds_on_chapters_before_it(chapter):
    body, _ = chapter
    before = {
        each["key"]
        for each in map(tomllib.loads, [path.read_text(encoding="utf-8") for path in FILES])
        if each["order"] < body["order"]
    }
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


def test_a_chapter_takes_twenty_five_minutes_at_most(chapter):
    body, _ = chapter
    assert "minutes" not in body  # it is reckoned
    assert chapter_files.shelf().chapters[body["key"]].minutes <= (10 if body["key"] == "start" else 25)


def test_every_number_is_computed(chapter):
    body, results = chapter
    shown = chapter_files.shelf().chapters[body["key"]].examples
    for screen in body["screens"]:
        for text in texts_of(screen):
            for expression in re.findall(r"\{([^{}]+)\}", text):
                expression = expression.partition(":")[0].strip()
                ast.parse(expression, mode="eval")
                assert math.isfinite(value(expression, results)), expression
                assert prose.value(expression, shown) == pytest.approx(value(expression, results)), expression
            typed = re.sub(r"\{[^{}]+\}|([Ss]ections?|and) \d(\.\d)+", "", text)
            for number in re.findall(r"\d+\.\d+", typed):  # only what the paper prints may be quoted
                assert number == screen.get("printed"), f"typed, not computed: {number}"


#: Words of the trade: each stands between asterisks where it is explained, in a chapter or in one that it builds on.
EXPLAINED = (
    *("candidate", "reference", "match", "grid", "precision", "recall", "n-gram", "clipping", "hit", "run", "block"),
    *("chain", "decay", "skip-bigram", "geometric mean", "smoothing", "information", "shift", "chunk", "stage"),
    *("concordant", "common words", "F-measure", "orders"),
)


def test_words_are_explained_before_they_are_used(chapter):
    bodies = {body["key"]: body for body in [tomllib.loads(path.read_text(encoding="utf-8")) for path in FILES]}

    def before(key):
        return {key}.union(*[before(each) for each in bodies[key].get("needs", [])])

    body, _ = chapter
    needed = [screen for key in sorted(before(body["key"]) - {body["key"]}) for screen in bodies[key]["screens"]]
    known = " ".join([screen["text"] for screen in needed])
    for screen in body["screens"]:
        known += f" {screen['text']} {screen['reveal']}"
        said = re.sub(r"\$[^$]*\$|\{[^{}]*\}|\*[^*]*\*", "", " ".join([screen["title"], *texts_of(screen)]))
        for word in EXPLAINED:
            if re.search(rf"(?<![\w-]){word}(e?s)?(?![\w-])", said):
                assert re.search(rf"\*{word.removesuffix('s')}(e?s)?\*", known, re.IGNORECASE), (screen["title"], word)


def test_formulas_can_be_read(chapter):
    body, _ = chapter
    for screen in body["screens"]:
        for text in texts_of(screen):
            for formula in re.findall(r"\$([^$]+)\$", re.sub(r"\{[^{}]+\}", "1", text)):
                notation.steps([formula if " = " in formula else f"x = {formula}"])


def test_the_right_answer_is_right(chapter):
    body, results = chapter
    for place, screen in places(body):
        if "ask" not in screen:
            continue
        ask = screen["ask"]
        assert 0 <= ask["right"] < len(ask["choices"]) == len(set(ask["choices"]))
        assert len(ask.get("wrong", ask["choices"])) == len(ask["choices"])
        assert not ask.get("wrong") or not ask["wrong"][ask["right"]]
        for proof in PROOFS[body["key"], place]:
            assert value(proof, results), (screen["title"], proof)


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


def test_no_metric_tells_the_last_pair_apart():
    body = tomllib.loads((FILES[0].parent / "people.toml").read_text(encoding="utf-8"))
    a, b = [body["examples"][name] for name in body["screens"][-1]["pair"]]
    for key in metrics.METRICS:
        settings = {"stages": ["exact", "stem"]} if key == "meteor" else {}
        scores = {result_of({**each, "metric": key, "settings": settings}).score for each in (a, b)}
        assert len(scores) == 1, key


def test_printed_numbers_are_ours_or_have_an_erratum(chapter):
    body, results = chapter
    screen = next((screen for screen in body["screens"] if screen["kind"] == "paper"), None)
    if screen is None:
        return
    if not re.search(r"\d", screen["printed"]) or "cs" in screen["printed"]:  # no number: the proofs speak for it
        assert (body["key"], "paper") in PROOFS
        return
    printed, ours = screen["printed"], screen.get("ours", f"{{{screen['example']}.score}}")
    number = value(ours.strip("{}").partition(":")[0], results)
    whole, _, under = printed.partition("/")
    agrees = math.isclose(number, int(whole) / int(under)) if under else round(number, _digits(printed)) == float(whole)
    assert agrees != bool(screen.get("erratum")), (printed, number)


def _digits(printed):
    return len(printed.partition(".")[2])


def test_the_chapter_in_the_readme_is_one():
    """Its first screen, followed by those of another chapter, is read by the page's own reader."""
    readme = (Path(__file__).parent.parent.parent / "README.md").read_text(encoding="utf-8")
    head = re.findall(r"```toml\n(.*?)```", readme, re.DOTALL)[0].replace("[examples.main]", "[examples.scattered]", 1)
    body = (FILES[0].parent / "gtm.toml").read_text(encoding="utf-8")
    examples, *screens = body.partition("[examples.half]")[2].split("[[screens]]")
    first = head.replace("[[screens]]", f"[examples.half]{examples}[[screens]]").replace("main", "scattered")
    found = chapter_reader.read("readme.toml", "[[screens]]".join([first, *screens[1:]]))
    assert (found.key, len(found.screens)) == ("my_chapter", 5)
    score = result_of({"candidate": "the bank will", "references": ["the bank will close on friday"], "metric": "gtm"})
    assert f"<b>{score.score:.3f}</b>; by ROUGE-L they score <b>{score.score:.3f}</b>" in found.screens[0].text
