"""Test the sentence on disagreeing metrics: the aspects of a text that one metric rates well and another badly."""

import itertools
import math
import random
from dataclasses import replace

import pytest

import metrics
from metrics.analysis import disagreement as module
from metrics.analysis.disagreement import disagreement, score_quality
from metrics.types import MeasuredAspect, Result, Segment
from tests.helpers.segments import CASES, SEGMENTS, result_of

EVERY = tuple(metrics.METRICS)
SEEING = [key for key in EVERY if metrics.METRICS[key].sights]


def results_by_metric(
    candidate: str, *references: str, metric_keys: tuple[str, ...] = EVERY, **settings: dict
) -> dict[str, Result]:
    segment = Segment(tuple(candidate.split()), tuple(tuple(line.split()) for line in references))
    return {
        key: metrics.METRICS[key].score(segment, metrics.settings(key, **settings.get(key, {}))) for key in metric_keys
    }


MOVED = "because of the rain yesterday we all stayed at home", "we all stayed at home because of the rain yesterday"
PIECES = "so we a went b to the c town d and e we saw f it", "so we went to the town and we saw it"
SHORT = "we all stayed at home", "we all stayed at home because of the rain yesterday"


@pytest.mark.parametrize(
    ("texts", "of", "says"),
    [
        (
            MOVED,
            ("per", "wer"),
            "PER 0.00 (lower is better) but WER 1.00 (lower is better): 10 of 10 words match, only 5 of 10 words can "
            "stay as they are.",
        ),
        (
            MOVED,
            ("ter", "rouge_l"),
            "TER 0.10 (lower is better) but ROUGE-L 0.50: 10 of 10 words match once 1 block is moved, only 5 of 10 "
            "words can be read in the same order.",
        ),
        (
            MOVED,
            ("meteor", "ribes"),
            "METEOR 1.00 but RIBES 0.44: 10 of 10 words match, 25 of the 45 pairs of its aligned words are in the "
            "wrong order.",
        ),
        (
            PIECES,
            ("ribes", "gtm"),
            "RIBES 0.89 but GTM 0.31: 10 of 16 words are aligned and in the right order, the 10 matched words are in 7 "
            "pieces, the longest of 2 words.",
        ),
        (
            SHORT,
            ("ribes", "bleu"),
            "RIBES 0.90 but BLEU 0.37: 5 of 5 words are aligned and in the right order, it has only 5 words, the "
            "reference 10.",
        ),
        (
            ("he just knows how to run a firm", "he knows just how to lead a firm"),
            ("per", "bleu"),
            "PER 0.12 (lower is better) but BLEU 0.00: 7 of 8 words match, no 3 words in a row match.",
        ),
        (
            ("cats sit quietly near big red houses today", "cat sits quietly near big red house today"),
            ("meteor", "bleu"),
            "METEOR 1.00 but BLEU 0.37: 8 of 8 words match, 3 of them as other forms or synonyms, only 1 of 5 4-grams "
            "matches.",
        ),
    ],
)
def test_what_is_said(texts, of, says):
    found = disagreement(metrics.METRICS, results_by_metric(*texts, metric_keys=of))
    assert found and (found.good, found.bad) == of
    assert found.says == says
    swapped = dict(reversed(results_by_metric(*texts, metric_keys=of).items()))
    assert disagreement(metrics.METRICS, swapped) == found


@pytest.mark.parametrize(
    ("texts", "of"),
    [
        (("a b c d e", "a b c d e"), EVERY),  # every metric gives its best score
        (("x y z", "a b c"), EVERY),  # every metric gives its worst score
        (("a b", "a b"), EVERY),  # BLEU is 0 because the text is too short for 4-grams, which is not a disagreement
        (("a", "a"), EVERY),
        (MOVED, ("wer", "rouge_l")),  # both metrics notice the wrong order
        (MOVED, ("per", "ter")),
        (MOVED, ("nist", "sia")),  # these metrics have no sights
        (PIECES, ("gtm", "dcs")),
        (("the cat sat on a mat", "the cat sat on the mat"), EVERY),
    ],
)
def test_where_metrics_agree_nothing_is_said(texts, of):
    assert disagreement(metrics.METRICS, results_by_metric(*texts, metric_keys=of)) is None


def test_the_references_are_named_where_each_metric_has_its_own():
    texts = "a b c d e f", "f e d c b a", "a b x y z q"
    found = disagreement(metrics.METRICS, results_by_metric(*texts, metric_keys=("per", "rouge_l")))
    assert found and found.says == (
        "PER 0.00 (lower is better) but ROUGE-L 0.33: 6 of 6 words match with reference 1, only 2 of 6 words can be "
        "read in the same order with reference 2."
    )
    same = disagreement(metrics.METRICS, results_by_metric(*MOVED, "x y z", metric_keys=("per", "wer")))
    assert same and "with reference" not in same.says


def test_the_sides_are_parts_of_the_score():
    """Check the numbers that a metric gives to its aspects, such as precision: each lies between 0 and 1.

    Those of GTM and of BLEU multiply to the score."""
    rng = random.Random(3)
    words = "the a cat cats sat sits mat on of dog".split()
    for _ in range(60):
        texts = [" ".join(rng.choices(words, k=rng.randint(1, 14))) for _ in range(rng.randint(2, 3))]
        for key, result in results_by_metric(texts[0], *texts[1:], metric_keys=tuple(SEEING)).items():
            sights = metrics.METRICS[key].sights(result)
            assert all(0 <= sight.value <= 1 and isinstance(sight, MeasuredAspect) for sight in sights), (key, texts)
            assert len({sight.of for sight in sights}) == len(sights)
            if key in ("gtm", "bleu") and len(sights) > 1 and result.score:
                assert math.prod(sight.value for sight in sights) == pytest.approx(result.score, abs=1e-9), key


@pytest.mark.parametrize(("key", "name", "given"), CASES, ids=str)
def test_every_result_has_sides(key, name, given):
    see = metrics.METRICS[key].sights if key in EVERY else None
    for sight in see(result_of(key, name, given)) if see else ():
        assert 0 <= sight.value <= 1
        assert not sight.low.endswith(".") and not sight.high.endswith(".")


@pytest.mark.parametrize("name", SEGMENTS)
def test_a_sentence_names_the_better_one_first(name):
    found = {key: result_of(key, name, {}) for key in EVERY}
    for pair in itertools.permutations(found, 2):
        said = disagreement(metrics.METRICS, {key: found[key] for key in pair})
        if said:
            labels = [metrics.METRICS[key].label for key in (said.good, said.bad)]
            assert said.says.startswith(f"{labels[0]} ") and f" but {labels[1]} " in said.says
            good, bad = (score_quality(metrics.METRICS[key], found[key]) for key in (said.good, said.bad))
            assert good - bad >= module.APART


def test_settings_change_what_is_seen():
    gtm = metrics.METRICS["gtm"].sights
    assert [sight.of for sight in gtm(results_by_metric(*PIECES, metric_keys=("gtm",))["gtm"])] == ["words", "runs"]
    plain = results_by_metric(*PIECES, metric_keys=("gtm",), gtm={"exponent": 1.0})["gtm"]
    assert [sight.of for sight in gtm(plain)] == ["words"]
    pairs = results_by_metric(*PIECES, metric_keys=("rouge_n",), rouge_n={"order": 2})["rouge_n"]
    assert [sight.of for sight in metrics.METRICS["rouge_n"].sights(pairs)] == ["runs"]


GOOD_WORDS, GOOD_ORDER = (MeasuredAspect(of, 0.9, f"{of} are good", f"{of} are bad") for of in ("words", "orders"))
BAD_WORDS, BAD_ORDER = (MeasuredAspect(of, 0.2, "", f"{of} are bad") for of in ("words", "orders"))
BAD_RUNS, SILENT = MeasuredAspect("runs", 0.3, "", "runs are bad"), MeasuredAspect("runs", 0.1)


@pytest.mark.parametrize(
    ("good", "bad", "says"),
    [
        ([GOOD_WORDS], [BAD_ORDER], "words are good, orders are bad"),
        ([GOOD_WORDS], [BAD_ORDER, BAD_RUNS], "words are good, orders are bad"),  # the lowest sight is named
        # The highest is named.
        ([GOOD_WORDS, GOOD_ORDER._replace(value=0.95)], [BAD_RUNS], "orders are good, runs are bad"),
        ([GOOD_WORDS], [BAD_WORDS], None),  # both metrics look at the same aspect and only count it differently
        ([GOOD_WORDS, BAD_ORDER], [BAD_ORDER], None),  # the first metric sees the bad order too
        ([GOOD_WORDS], [BAD_WORDS._replace(value=0.4), BAD_ORDER], None),  # the other contradicts the first
        ([GOOD_WORDS._replace(value=0.7)], [BAD_ORDER], None),
        ([GOOD_WORDS], [BAD_ORDER._replace(value=0.7)], None),
        ([GOOD_WORDS], [BAD_ORDER, SILENT], None),  # the lowest sight has no text
        ([], [BAD_ORDER], None),
        ([GOOD_WORDS], [], None),
    ],
)
def test_when_sides_explain_a_difference(good, bad, says):
    found = results_by_metric(*MOVED, metric_keys=("per", "wer"))
    seen = {"per": good, "wer": bad}
    records = {key: replace(metrics.METRICS[key], sights=lambda result: seen[result.metric]) for key in found}
    said = disagreement(records, found)
    assert (said.says.partition(": ")[2] if said else None) == (says and f"{says}.")


@pytest.mark.parametrize(("high", "low", "disagree"), [(0.9, 0.3, True), (0.69, 0.1, False), (0.9, 0.51, False)])
def test_scores_that_are_near_each_other_agree(high, low, disagree):
    found = results_by_metric(*MOVED, metric_keys=("rouge_n", "rouge_l"))
    seen = {"rouge_n": [GOOD_WORDS], "rouge_l": [BAD_ORDER]}
    records = {key: replace(metrics.METRICS[key], sights=lambda result: seen[result.metric]) for key in found}
    given = {"rouge_n": replace(found["rouge_n"], score=high), "rouge_l": replace(found["rouge_l"], score=low)}
    assert bool(disagreement(records, given)) == disagree
