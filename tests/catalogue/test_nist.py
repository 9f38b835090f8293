"""Tests of NIST: golden values of mteval-v13a, and a slow program that follows Doddington's paper.

Others check the information of n-grams, by which they weigh."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

import metrics
from metrics.alignment.ngrams import NgramOccurrences, ngrams
from metrics.catalogue.nist import METRIC as NIST
from metrics.catalogue.nist import program as textbook
from metrics.types import Run, segment
from metrics.types.work import limited
from tests.helpers.app import run_python
from tests.helpers.cases import LONG, golden_rows, random_segment
from tests.helpers.corpora import load_token_lines
from tests.helpers.peers import agreed

GOLDEN = golden_rows("nist_mteval")

# Candidate, references, {part: value}, source.
EXAMPLES = [
    ("a b c d e f g h", ["a b c d e f g h"], {"score": 3, "information_1": 3, "information_2": 0}, "log₂ 8 a word"),
    ("a a a a", ["a a a a"], {"score": math.log2(4 / 3) + math.log2(3 / 2) + 1}, "a a follows 3 of 4 a, a a a 2 of 3"),
    ("the cat slept", ["the cat sat"], {"score": 2 * math.log2(3) / 3, "brevity_penalty": 1}, "the page's example"),
    ("a b", ["a b c"], {"brevity_penalty": 0.5, "score": math.log2(3) / 2}, "half at two thirds of the length"),
    ("a b", ["a b", "a c c d"], {"brevity_penalty": 0.5}, "the mean length counts, 3, not the closest"),
    ("a b", ["a b", "a c"], {"information_1": (1 + 2) / 2, "information_2": 1}, "b follows a half of the time"),
    ("a a a", ["a b", "a a"], {"information_1": 2 * math.log2(4 / 3) / 3}, "clipped: 2 of 3, counted over both"),
    ("x", ["a b"], {"score": 0, "information_1": 0}, "nothing matches"),
    ("", ["a b"], {"score": 0, "brevity_penalty": 0, "information_1": 0}, "empty candidate"),
    ("a b", [""], {"score": 0, "brevity_penalty": 1, "information_1": 0}, "empty reference"),
    ("", [""], {"score": 0, "brevity_penalty": 1}, "both empty"),
    ("a", ["a"], {"score": 0}, "the only word there is says nothing"),
    # Perl takes the word 0 for false: mteval-v13a reads "0 b" as a word without one before it and gives log₂(5/1).
    ("0 b", ["0 b 0 c d"], {"information_2": 1}, "what comes before is 0, twice"),
]


def score(candidate, references, **settings):
    return metrics.score("nist", candidate.split(), [reference.split() for reference in references], **settings)


@pytest.mark.parametrize(("candidate", "references", "expected", "source"), EXAMPLES)
def test_worked_example(candidate, references, expected, source):
    result = score(candidate, references)
    found = {"score": result.score, **result.parts}
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-12), source


def test_parts_and_statistics():
    result = score("a b", ["a b", "a c c"], max_order=2)
    assert list(result.parts) == ["information_1", "information_2", "brevity_penalty"]
    counts = {"candidate_length": 2, "reference_length": 2.5, "total_1": 2, "total_2": 1}
    information = {"information_1": math.log2(5 / 2) + math.log2(5), "information_2": 1}
    assert dict(result.stats) == pytest.approx(counts | information)
    assert result.decides == {}
    assert NIST.summary(score("a b", ["a b c"])) == "BP 0.50"


@pytest.mark.peer
def test_golden():
    """Check NIST against all digits of mteval-v13a's values, of sentences, corpora and the segments of corpora."""
    assert len(GOLDEN) > 100
    settings = metrics.settings("nist")
    values = len(GOLDEN)
    for row in GOLDEN:
        if "candidate" in row:
            result = metrics.score("nist", row["candidate"], row["references"])
        else:
            result = metrics.corpus_score("nist", row["candidates"], row["references"])
            segments = [segment(c, rs) for c, rs in zip(row["candidates"], row["references"], strict=True)]
            each = [NIST.from_stats(stats, settings).score for stats in NIST.corpus(segments, settings)]
            assert each == pytest.approx(row["expected"]["nist_segments"], abs=1e-10), row["id"]
            values += len(each)
        assert result.score == pytest.approx(row["expected"]["nist"], abs=1e-10), row["id"]
    agreed("NIST", "mteval-v13a", "sentences, corpora, and sentences of corpora", values)


# ---------------------------------------------------------------- a slow program


@pytest.mark.parametrize("max_order", [1, 2, 5, 12])
def test_sentences_agree_with_the_slow_program(max_order):
    rng = random.Random(max_order)
    for _ in range(300):
        chosen = random_segment(rng)
        result = metrics.score("nist", *chosen, max_order=max_order)
        assert result.score == pytest.approx(textbook.nist_score([chosen], max_order), abs=1e-12)


@pytest.mark.parametrize("max_order", [1, 3, 5])
def test_corpora_agree_with_the_slow_program(max_order):
    rng = random.Random(max_order)
    for _ in range(100):
        segments = [random_segment(rng) for _ in range(rng.randint(1, 6))]
        candidates, references = zip(*segments, strict=True)
        result = metrics.corpus_score("nist", candidates, references, max_order=max_order)
        assert result.score == pytest.approx(textbook.nist_score(segments, max_order), abs=1e-12)


def test_a_corpus_has_other_weights_than_its_sentences():
    """Check that the weight (information) of a word depends on all references of the corpus.

    "the" occurs in both references of the corpus and weighs less there than "cat"; in its sentence alone both weigh
    the same."""
    settings, segments = metrics.settings("nist"), [segment(text, [text]) for text in (["the", "cat"], ["the", "the"])]
    first, _ = NIST.corpus(segments, settings)
    assert NIST.score(segments[0], settings).layers[0].credits == (1, 1)
    assert first["information_1"] == pytest.approx(math.log2(4 / 3) + math.log2(4))
    assert first["information_2"] == pytest.approx(math.log2(3))


@pytest.mark.parametrize("seed", range(3))
def test_the_segments_of_a_corpus_have_the_information_of_all_its_references(seed):
    """Check the weights of the matched n-grams in each segment of a corpus, order by order.

    They are computed here from the counts of n-grams in all references of the corpus."""
    rng = random.Random(seed)
    settings = metrics.settings("nist", max_order=rng.choice([1, 4, 12]))
    for _ in range(50):
        segments = [segment(*random_segment(rng)) for _ in range(rng.randint(1, 6))]
        counts = Counter()
        for _, references in segments:
            for reference in references:
                counts[()] += len(reference)
                counts.update(ngram for n in range(1, 13) for ngram in ngrams(reference, n))
        for (candidate, references), stats in zip(segments, NIST.corpus(segments, settings), strict=True):
            assert list(stats) == list(NIST.align(segment(candidate, references), settings, True).stats)
            for order, runs in enumerate(NgramOccurrences(candidate, references).runs_by_order(settings.max_order), 1):
                found = [candidate[run.i : run.i + order] for run in runs]
                information = math.fsum([math.log2(counts[ngram[:-1]] / counts[ngram]) for ngram in found])
                assert stats[f"information_{order}"] == information


def test_a_corpus_of_many_words():
    """Check a corpus with so many different words and n-grams that their numbers need 32 bits.

    Each pair of words is identified by its first word."""
    first, second = [[f"{name}{n}" for n in range(70_000)] for name in "ab"]
    both = first + second
    one, two = [*NIST.corpus([segment(both, [both]), segment(first, [both, first])], metrics.settings("nist"))]
    bits = [math.log2(350_000 / 3)] * 70_000, [math.log2(350_000 / 2)] * 70_000
    assert one["information_1"] == math.fsum(bits[0] + bits[1])
    assert two["information_1"] == math.fsum(bits[0])
    assert one["information_2"] == math.log2(3 / 2) and two["information_2"] == 0


def test_a_corpus_of_one_segment_needs_no_numpy():
    code = (
        "import sys, metrics; metrics.corpus_score('nist', [['a', 'b']], [[['a', 'c']]]); print('numpy' in sys.modules)"
    )
    assert run_python(code).split() == ["False"]


def test_an_empty_corpus_of_references():
    assert metrics.corpus_score("nist", [["a"], []], [[[]], [[], []]]).score == 0


# ---------------------------------------------------------------- marks


def test_layers_are_the_clipped_ngrams_with_their_information():
    rng = random.Random(5)
    for _ in range(300):
        candidate, references = random_segment(rng)
        result = metrics.score("nist", candidate, references, max_order=4)
        drawn = NgramOccurrences(candidate, references).runs_by_order(4)
        assert [layer.marks for layer in result.layers] == [tuple(runs) for runs in drawn]
        for order, layer in enumerate(result.layers, 1):
            assert (layer.name, layer.statistics) == (f"{order}-grams", (f"information_{order}",))
            assert layer.total() == result.stats[f"information_{order}"]
            counts = [Counter(), Counter()]
            for reference in references:
                for which, size in ((0, order - 1), (1, order)):
                    counts[which].update(ngrams(reference, size) if size else {(): len(reference)})
            for run, credit in zip(layer.marks, layer.credits, strict=True):
                ngram = candidate[run.i : run.i + order]
                assert credit == math.log2(counts[0][ngram[:-1]] / counts[1][ngram]) >= 0


def test_an_ngram_that_says_nothing_is_drawn_and_counts_nothing():
    result = score("the cat sat", ["the cat sat"])
    assert result.layers[1].marks == (Run(0, 0, 0, 2), Run(1, 0, 1, 2)) and result.layers[1].credits == (0, 0)


# Candidate, references, settings, and the steps as text, with “; ” between them and without the values at the end.
FORMULAS = [
    (
        ("the cat sat on", ["the cat sat on a cat", "the cat was on the mat"], {"max_order": 3}),
        "I_1 = (log₂(12/3) + log₂(12/3) + log₂(12/1) + log₂(12/2))/4 = 10.170/4; "
        "I_2 = (log₂(3/2) + log₂(3/1) + log₂(1/1))/3 = 2.170/3; I_3 = (log₂(2/1) + log₂(1/1))/2 = 1/2; "
        "d = log₁.₅(6/4); BP = 0.5^(d²); NIST = BP·(I_1 + I_2 + I_3)",
    ),
    (("a b", ["b a"], {}), "I_1 = (log₂(2/1) + log₂(2/1))/2 = 2/2; I_2 = 0/1 = 0/1; BP = 1; NIST = BP·(I_1 + I_2)"),
    (("", ["a"], {}), "BP = 0; NIST = BP·0"),
]


@pytest.mark.parametrize(
    ("candidate", "references", "settings", "expected"), [(*case, steps) for case, steps in FORMULAS]
)
def test_formula(candidate, references, settings, expected):
    result = score(candidate, references, **settings)
    steps = NIST.formula(result)
    lines = [f"{s.name} = " + " = ".join(metrics.formula.text(form) for form in s.forms) for s in steps]
    assert "; ".join(lines) == expected
    assert steps[-1].value == pytest.approx(result.score, abs=1e-12)


def test_what_the_page_says_is_so():
    """Check two statements about NIST that the page makes.

    The words of a single sentence all weigh the same, and most of a corpus's score comes from single words."""
    assert score("the cat sat", ["the cat sat"]).layers[0].credits == pytest.approx((1.585,) * 3, abs=1e-3)
    assert "1.585" in NIST.about.unseen
    candidates, *references = map(load_token_lines, ("system.SMU", "reference.A", "reference.B"))
    parts = metrics.corpus_score("nist", candidates, [*zip(*references, strict=True)]).parts
    information = [parts[f"information_{n}"] for n in range(1, 6)]
    assert information == sorted(information, reverse=True) and information[0] > sum(information) / 2


def test_clipping_is_told():
    assert NIST.remark(score("the the the", ["the cat"])) == "Clipped: “the” counts 1 of 3."
    assert NIST.remark(score("the cat", ["the cat"])) == ""


@pytest.mark.parametrize(
    ("max_order", "message"), [(0, "max_order must be at least 1, got 0"), (13, "max_order must be at most 12, got 13")]
)
def test_bad_settings(max_order, message):
    with pytest.raises(ValueError, match=message):
        score("a", ["a"], max_order=max_order)


@pytest.mark.parametrize(
    ("candidate", "references"),
    [(["a"] * 400, [["a"] * 400]), (["a"] * 2000, [["a"] * 2000] * 16), (LONG, [LONG] * 16)],
    ids=["400 equal words", "2000 equal words", "16 equal references"],
)
def test_long_input_takes_no_time(candidate, references):
    with limited(1_000_000):
        NIST.formula(metrics.score("nist", candidate, references))
        metrics.corpus_score("nist", [candidate] * 2, [references] * 2)
