"""Tests of RIBES: the paper's examples, the authors' program, NLTK where it is right, and a slow program."""

import math
import pickle
import random
from itertools import combinations

import pytest

import metrics
from metrics.catalogue.ribes import program as textbook
from metrics.formula import text
from metrics.types import Deferred, Hit, SkipBigram
from tests.helpers.cases import golden_rows, random_segment
from tests.helpers.peers import agreed


def ribes_score(candidate, *references, **given):
    return metrics.score("ribes", candidate.split(), [r.split() for r in references], **given)


def ranks_text(result):
    return metrics.METRICS["ribes"].remark(result).removeprefix("Ranks of the aligned words: ").rstrip(".")


# Candidate, reference, ranks, (kendall, precision, brevity penalty), source.
EXAMPLES = [
    (
        "he read the book because he was interested in world history",
        "he was interested in world history because he read the book",
        "7 8 9 10 6 7 1 2 3 4 5",
        (17 / 55, 1, 1),
        "the paper tells the second “he” by the word after it (21 of 55 pairs), the authors' program by the one before",
    ),
    ("Bob hit John yesterday", "John hit Bob yesterday", "3 2 1 4", (0.5, 1, 1), "Isozaki et al. (2010)"),
    (
        "the book was read by the boy",
        "the boy read the book",
        "4 5 3 1 2",
        (0.2, 5 / 7, 1),
        "Isozaki et al. (2010): each “the” is told by the word after it",
    ),
    ("a b c d", "a b c d e", "1 2 3 4", (1, 1, math.exp(1 - 5 / 4)), "a candidate that is too short"),
    ("a x b", "a b", "1 2", (1, 2 / 3, 1), "an extra word"),
    ("d c b a", "a b c d", "4 3 2 1", (0, 1, 1), "no pair keeps its order"),
    ("a b c b b", "a b b c", "1 2 4 2 3", (0.7, 1, 1), "two words with the same reference word: not concordant"),
    ("a", "a", "", (1, 1, 1), "a reference of one word has no pairs to be wrong"),
    ("x a y", "a", "", (1, 1 / 3, 1), "one word of three"),
    ("a a", "a", "", (0, 0, 1), "no context tells which a"),
    ("a x", "a b", "", (0, 0, 1), "one word alone has no order"),
]


@pytest.mark.parametrize(("candidate", "reference", "order", "parts", "source"), EXAMPLES)
def test_worked_example(candidate, reference, order, parts, source):
    result = ribes_score(candidate, reference)
    assert list(result.parts) == ["kendall", "precision", "brevity_penalty"]
    assert list(result.parts.values()) == pytest.approx(parts), source
    kendall, precision, penalty = parts
    assert result.score == pytest.approx(kendall * precision**0.25 * penalty**0.1)
    assert ranks_text(result) == order


@pytest.mark.peer
def test_the_authors_program():
    compared = 0
    rows = golden_rows("ribes")
    assert len(rows) > 100
    for row in rows:
        given = {name: row["settings"][name] for name in ("alpha", "beta")}
        result = metrics.score("ribes", row["candidate"], row["references"], **given)
        assert result.score == pytest.approx(row["expected"]["score"], abs=1e-9), row["id"]
        scores = [one["score"] for one in row["expected"]["per_reference"]]
        assert scores[result.decides["score"]] == pytest.approx(max(scores), abs=1e-9)
        for reference, expected in zip(row["references"], row["expected"]["per_reference"], strict=True):
            one = metrics.score("ribes", row["candidate"], [reference], **given)
            values = [*one.parts.values(), one.score]
            assert values == pytest.approx([expected[n] for n in ("nkt", "precision", "bp", "score")], abs=1e-9)
            compared += 4
        compared += 1
    agreed("RIBES", "the authors' program", "scores, and the parts of each reference", compared)


# ---------------------------------------------------------------- slow and obvious


def textbook_score(candidate, reference, alpha, beta):
    places = [j for _, j in textbook.aligned_positions(candidate, reference)]
    return textbook.ribes_score(places, len(candidate), len(reference), alpha, beta)


@pytest.mark.parametrize("seed", range(4))
def test_alignment_and_score_are_the_obvious_ones(seed):
    rng = random.Random(seed)
    aligned_twice = 0
    for _ in range(400):
        candidate, references = random_segment(rng)
        alpha, beta = rng.choice([(0.25, 0.1), (1, 1), (0.5, 2)])
        scores = [textbook_score(candidate, reference, alpha, beta) for reference in references]
        result = metrics.score("ribes", candidate, references, alpha=alpha, beta=beta)
        k = result.decides["score"]
        assert result.score == pytest.approx(max(scores), abs=1e-12)
        assert scores[k] == pytest.approx(max(scores), abs=1e-12)
        assert max(scores[:k], default=-1) < scores[k], "the lowest number on ties"
        words, concordant, discordant = (layer.marks for layer in result.layers)
        assert [(hit.i, hit.j) for hit in words] == textbook.aligned_positions(candidate, references[k])
        pairs = [SkipBigram(*pair) for pair in combinations(words, 2)]
        assert [*concordant] == [pair for pair in pairs if pair.first.j < pair.second.j]
        assert [*discordant] == [pair for pair in pairs if pair.first.j >= pair.second.j]
        assert all(isinstance(mark, SkipBigram) and isinstance(mark.first, Hit) for mark in (*concordant, *discordant))
        aligned_twice += len({hit.j for hit in words}) < len(words)
    assert aligned_twice > 10


def test_pairs_are_as_a_tuple_of_them_would_be():
    result = ribes_score("Bob hit John yesterday", "John hit Bob yesterday")
    hits, concordant, discordant = (layer.marks for layer in result.layers)
    pairs = tuple(SkipBigram(*pair) for pair in combinations(hits, 2) if pair[0].j >= pair[1].j)
    assert discordant == pairs and pairs == discordant and discordant != concordant and discordant != [*pairs]
    assert hash(discordant) == hash(pairs) and repr(discordant) == repr(pairs) and {discordant: 1}[pairs] == 1
    assert (len(discordant), discordant[-1], discordant[:2]) == (3, pairs[-1], pairs[:2])
    assert pickle.loads(pickle.dumps(result)) == result and type(pickle.loads(pickle.dumps(discordant))) is tuple
    assert result.to_dict()["layers"][2]["marks"] == [[[*a], [*b]] for a, b in pairs]


def test_pairs_are_made_once_and_not_before_they_are_looked_at():
    made = []
    marks = Deferred(1, lambda start, stop: made.append((start, stop)) or (Hit(0, 0, 0),)[start:stop], tuple)
    assert len(marks) == 1 and bool(marks) and not made
    assert [*marks] == [*marks] == [Hit(0, 0, 0)] and made == [(0, 1)]


def test_of_very_many_pairs_only_those_that_are_looked_at_are_made():
    made = []
    size = Deferred.KEPT_MOST + 1
    every = [Hit(n, 0, n) for n in range(size)]
    marks = Deferred(size, lambda start, stop: made.append((start, stop)) or iter(every[start:stop]), tuple)
    assert marks[5] == every[5] and marks[-1] == every[-1] and marks[3:9:2] == tuple(every[3:9:2])
    assert marks[-3:] == tuple(every[-3:]) and marks[4:1:-1] == tuple(every[4:1:-1])
    assert made[:3] == [(5, 6), (size - 1, size), (3, 9)]
    assert [*marks] == every and marks == tuple(every) and pickle.loads(pickle.dumps(marks)) == tuple(every)
    with pytest.raises(IndexError):
        marks[size]


@pytest.mark.parametrize("seed", range(4))
def test_the_cells_of_pairs_are_known_without_them(seed):
    rng = random.Random(seed)
    for _ in range(200):
        words = rng.choice(["ab", "abcd", "abcdefghij"])
        candidate, reference = (rng.choices(words, k=rng.randrange(1, 12)) for _ in range(2))
        for key, settings in (("ribes", {}), ("rouge_s", {}), ("rouge_s", {"max_skip": 1})):
            for layer in metrics.score(key, candidate, [reference], **settings).layers:
                cells = [*layer.cells()]
                assert {*cells} == {cell for mark in layer.marks for cell in mark.cells()}
                if isinstance(layer.marks, Deferred):
                    assert len(cells) == len({*cells})


@pytest.mark.parametrize(
    ("candidate", "reference"),
    [
        ("a " * 3000, "a " * 3000),
        ("a b " * 1500, "b a " * 1500),
        (" ".join(map(str, range(3000))), " ".join(map(str, [*range(3000)] * 2))),
    ],
    ids=["one word", "two words", "a reference that repeats itself"],
)
def test_contexts_that_never_tell_do_not_take_long(candidate, reference):
    """Check that texts in which no context makes a repeated word unique are aligned quickly.

    Growing every context to the end of the text would take ten million steps."""
    aligned, _, _ = ribes_score(candidate, reference).layers
    assert len(aligned.marks) < 5


# ---------------------------------------------------------------- NLTK


@pytest.mark.parametrize("seed", range(2))
def test_nltk_where_words_do_not_repeat(seed):
    """Check agreement with NLTK on texts of at least two words in which no word occurs twice.

    On other texts NLTK is wrong; `test_where_nltk_is_wrong` has examples."""
    sentence_ribes = pytest.importorskip("nltk.translate.ribes_score").sentence_ribes
    rng = random.Random(seed)
    for _ in range(300):
        words = [str(n) for n in range(20)]
        candidate = rng.sample(words, rng.randrange(2, 20))
        references = [rng.sample(words, rng.randrange(2, 20)) for _ in range(rng.choice([1, 2, 4]))]
        alpha, beta = rng.choice([0.25, 1.0]), rng.choice([0.1, 1.0])
        expected = sentence_ribes(references, candidate, alpha=alpha, beta=beta)
        result = metrics.score("ribes", candidate, references, alpha=alpha, beta=beta)
        assert result.score == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("candidate", "reference", "ours", "nltk", "why"),
    [
        ("b", "b", 1, 0, "NLTK needs two words; the authors' program gives a reference of one word a kendall of 1"),
        ("c b", "c", 0.5**0.25, 0, "the same"),
        ("a a a", "a a a", (2 / 3) ** 0.25, 0, "NLTK's context stops a word short: the whole sentence tells two words"),
        ("a b c b b", "a b b c", 0.7, 0.6, "NLTK looks to the right first; the authors' program to the left"),
    ],
)
def test_where_nltk_is_wrong(candidate, reference, ours, nltk, why):
    sentence_ribes = pytest.importorskip("nltk.translate.ribes_score").sentence_ribes
    assert ribes_score(candidate, reference).score == pytest.approx(ours), why
    assert sentence_ribes([reference.split()], candidate.split()) == pytest.approx(nltk), "NLTK has changed"


# ---------------------------------------------------------------- references, corpora, texts


@pytest.mark.parametrize(
    ("references", "decides"),
    [
        (["b a c", "a b c"], 1),
        (["a b c", "a b c"], 0),
        (["a b", "a b c", "c b a"], 1),
        (["", "x y"], 0),
        # If all words of the second were in order it could equal the first, so it has to be examined.
        (["c b a", "b a c", "a c b"], 1),
        (["x b c a y", "a b c z z z"], 1),
    ],
)
def test_the_best_reference_decides(references, decides):
    result = ribes_score("a b c", *references)
    scores = [ribes_score("a b c", reference).score for reference in references]
    assert result.decides == {"score": decides} and result.score == max(scores) == scores[decides]
    assert {cell.k for cell in result.cells()} <= {decides}


def test_powers_of_zero_leave_a_factor_out():
    parts = ribes_score("a x b c", "a b c d e f").parts
    values = [ribes_score("a x b c", "a b c d e f", alpha=a, beta=b).score for a, b in ((0, 0), (1, 0), (0, 1))]
    assert values == pytest.approx([1, parts["precision"], parts["brevity_penalty"]])
    # The penalty is too small for a float here, and 0 to the power of 0 is 1.
    result = ribes_score("a b", "a b" + " c" * 2000, beta=0)
    assert result.parts["brevity_penalty"] == 0 and result.score == 1
    assert metrics.METRICS["ribes"].formula(result)[-1].value == 1


def test_a_corpus_is_the_mean_of_its_segments():
    corpus = metrics.corpus_score("ribes", [["a", "b"], ["b", "a"]], [[["a", "b"]], [["a", "b"], ["x"]]])
    assert corpus.score == 0.5 and corpus.parts["kendall"] == 0.5


def test_formula():
    result = ribes_score("Bob hit John yesterday", "John hit Bob yesterday evening")
    assert text(metrics.METRICS["ribes"].formula(result)).splitlines() == [
        "aligned = 4 of 4 words = 4.0",
        "concordant = 3 of 6 pairs = 3.0",
        "discordant = 3 of 6 pairs = 3.0",
        "kendall = 3/(3 + 3) = 0.5",
        "p = 4/4 = 1.0",
        "BP = exp(1 − 5/4) = 0.7788007830714049",
        "RIBES = 0.500·1^0.25·0.779^0.1 = 0.4876549560141663",
    ]


def test_summary_and_remark():
    metric = metrics.METRICS["ribes"]
    result = ribes_score("Bob hit John yesterday", "John hit Bob yesterday")
    assert metric.summary(result) == "kendall 0.50"
    assert metric.remark(result) == "Ranks of the aligned words: 3 2 1 4."
    assert metric.remark(ribes_score("a b c b b", "a b b c")) == "Ranks of the aligned words: 1 2 4 2 3."
    assert metric.remark(ribes_score("a", "b")) == ""
    many = " ".join(map(str, range(31)))
    assert metric.remark(ribes_score(many, many)).endswith(" 29 30 …")


def test_what_the_page_says_of_half_the_words():
    assert ribes_score("a b x y", "a b c d").score == pytest.approx(0.841, abs=5e-4)
