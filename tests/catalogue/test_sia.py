"""Tests of SIA against its paper, golden values, and a slow program that follows the definition word for word."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics import formula
from metrics.alignment.sia_chains import best_chain, rounds, rows_before_first_round
from metrics.catalogue.sia import program as textbook
from metrics.text.similarity import similarity_for
from metrics.types import TooHard, segment
from tests.helpers.cases import golden_rows
from tests.helpers.searching import examples
from tests.helpers.tables import every_row

SCHEDULES = {"geometric": "geometric", "squaring": "squaring", "rounds0": "undecayed_first"}

REF = ["life", "is", "just", "like", "a", "box", "of", "tasty", "chocolate"]
MT1 = ["life", "is", "like", "one", "nice", "chocolate", "in", "box"]
MT2 = ["life", "is", "of", "one", "nice", "chocolate", "in", "box"]
M = ["England", "with", "France", "discussed", "this", "crisis", "in", "London"]
R1 = ["Britain", "and", "France", "consulted", "about", "this", "crisis", "in", "London", "with", "each", "other"]
R2 = ["England", "and", "France", "discussed", "the", "crisis", "in", "London"]


class PairSimilarity:
    """A similarity of words that is given as triples (word, word, similarity).

    The order of the two words does not matter; words of other pairs have a similarity of 0."""

    signature = "pairs"

    def __init__(self, pairs):
        self.ratios = {frozenset(pair[:2]): pair[2] for pair in pairs}

    def __call__(self, a, b):
        return self.ratios.get(frozenset((a, b)), 0.0)


def sia_result(candidate, references, **settings):
    return metrics.score("sia", candidate, references, **settings)


def reference_and_cells_by_round(result):
    return [(layer.marks[0].k, [(hit.i, hit.j) for hit in layer.marks]) for layer in result.layers]


# ---------------------------------------------------------------- examples


@pytest.mark.parametrize(
    ("candidate", "settings", "score"),
    [
        # Equation (1) prints 0.399, but its own terms, (1 + 1 + 1/√2 + 1/√10) / 8, sum to 0.377917.
        (MT1, {"iterative": False, "length_penalty": False}, (2 + 1 / math.sqrt(2) + 1 / math.sqrt(10)) / 8),
        (MT1, {"iterative": False, "length_penalty": False}, 0.377917),
        (MT2, {"iterative": False, "length_penalty": False}, 0.356933),  # equation (2): 0.357
        (MT1, {}, 0.171743),
        (MT2, {}, 0.162646),
    ],
)
def test_figure_1(candidate, settings, score):
    assert sia_result(candidate, [REF], **settings).score == pytest.approx(score, abs=6e-7)


def test_figure_1_prefers_box_to_chocolate():
    result = sia_result(MT1, [REF], iterative=False)
    assert [MT1[hit.i] for hit in result.layers[0].marks] == ["life", "is", "like", "box"]


def test_figure_8():
    result = sia_result(M, [R1, R2])
    assert [(hit.k, [M[h.i] for h in layer.marks]) for layer in result.layers for hit in layer.marks[:1]] == [
        (1, ["England", "France", "discussed", "crisis", "in", "London"]),
        (0, ["with"]),
        (0, ["this"]),
    ]
    assert [result.parts[f"round_{r}"] for r in (1, 2, 3)] == pytest.approx([0.625, 0.027951, 0.022822], abs=6e-7)
    assert result.score == pytest.approx(0.257872, abs=6e-7)
    assert sia_result(M, [R1, R2], schedule="squaring").score == pytest.approx(0.256731, abs=6e-7)
    assert metrics.METRICS["sia"].summary(result) == "3 rounds"


@every_row(("variant", "row"), [(row["settings"]["variant"], row) for row in golden_rows("sia_naive")])
def test_golden(variant, row):
    given, expected = row["settings"], row["expected"]
    result = sia_result(
        row["candidate"],
        row["references"],
        decay=given["alpha"],
        schedule=SCHEDULES[given["decay"]],
        iterative=given["iterative"],
        length_penalty=given["length_penalty"],
        similarity=PairSimilarity(given["similarity"]) if given["similarity"] else None,
    )
    assert result.score == pytest.approx(expected["score"], abs=1e-12)
    alignments = [(r["reference"], [tuple(cell) for cell in r["alignment"]]) for r in expected["rounds"]]
    assert reference_and_cells_by_round(result) == alignments
    assert [layer.weight for layer in result.layers] == pytest.approx([r["weight"] for r in expected["rounds"]])
    for r, wanted in enumerate(expected["rounds"], start=1):
        assert result.parts[f"round_{r}"] == pytest.approx(wanted["score"], abs=1e-12)
    if given["length_penalty"]:
        assert result.parts["length_penalty"] == pytest.approx(expected["length_penalty"])


# ---------------------------------------------------------------- a slow program


def assert_rounds_of_the_program(candidate, references, *similarity, **given):
    found = [(r.k, r.cells) for r in rounds(segment(candidate, references), *similarity, **given)]
    assert found == textbook.rounds(candidate, references, *similarity, **given), (candidate, references)


def random_cases(seed, count, longest):
    rng = random.Random(seed)
    for _ in range(count):
        letters = "abcdefgh"[: rng.choice((1, 2, 3, 5, 8))]
        words = [rng.choices(letters, k=rng.randrange(longest)) for _ in range(rng.randrange(2, 6))]
        yield rng, words[0], words[1:]


@pytest.mark.slow
@pytest.mark.parametrize(("given", "count", "longest"), [({}, 1500, 14), ({"iterative": False}, 60, 40)], ids=str)
def test_slow_program(given, count, longest):
    for _, candidate, references in random_cases(count, count, longest):
        assert_rounds_of_the_program(candidate, references, **given)


def test_candidates_that_begin_with_a_reference():
    for rng, candidate, references in random_cases(4, 400, 10):
        references = [*references, candidate[: rng.randrange(len(candidate) + 1)]]
        rng.shuffle(references)
        assert_rounds_of_the_program(candidate, references)
    result = sia_result(["a"] * 2000, [["a"] * 1999])
    assert reference_and_cells_by_round(result) == [(0, [(i, i) for i in range(1999)])]


def test_words_that_look_alike_to_rapidfuzz():
    """Check that SIA tells the empty word from the word "\\0", the letter of code 0; RapidFuzz takes them for equal."""
    rng = random.Random(5)
    for _ in range(300):
        candidate, *references = [rng.choices(["", "\0", "a", "b"], k=rng.randrange(12)) for _ in range(4)]
        assert_rounds_of_the_program(candidate, references)


def test_a_floor_spares_only_what_does_not_reach_it():
    below = 0
    for rng, candidate, references in random_cases(6, 600, 25):
        (rows,) = rows_before_first_round(segment(candidate, references[:1]))
        best = best_chain(rows)
        for floor in (best[2] * (1 - 1e-9), best[2] * rng.random(), best[2] + rng.random()):
            found = best_chain(rows, None, floor, len(references[0]))
            if best[2] >= floor:
                assert found == best
            else:
                assert found[2] < floor
                below += 1
    assert below > 100


@pytest.mark.parametrize("ratios", [(0.0, 0.3, 0.7), (0.0, 0.0, 1.0), (0.5, 1e-18, 2.5), (1e-300, 5e-324, 0.9)])
def test_slow_program_with_similarity(ratios):
    for rng, candidate, references in random_cases(3, 250, 12):
        similarity = PairSimilarity([(a, b, rng.choice(ratios)) for a in "abcdefgh" for b in "abcdefgh" if a < b])
        assert_rounds_of_the_program(candidate, references, similarity)


# ---------------------------------------------------------------- properties

SENTENCES = st.lists(st.sampled_from("abcd"), max_size=12)


@given(SENTENCES, st.lists(SENTENCES, min_size=1, max_size=4), st.booleans())
@examples(150)
def test_rounds_hold_what_they_promise(candidate, references, similar):
    similarity = PairSimilarity([("a", "b", 0.4), ("c", "d", 0.9)]) if similar else None
    result = sia_result(candidate, references, decay=0.7, similarity=similarity)
    hits = [hit for layer in result.layers for hit in layer.marks]
    assert max(Counter(hit.i for hit in hits).values(), default=1) == 1
    assert max(Counter((hit.k, hit.j) for hit in hits).values(), default=1) == 1
    totals = [math.fsum(layer.credits) for layer in result.layers]
    assert all(a >= b - 1e-12 for a, b in pairwise(totals))
    for number, layer in enumerate(result.layers, start=1):
        assert (layer.number, layer.path, layer.weight) == (number, True, 0.7**number)
        assert len({hit.k for hit in layer.marks}) == 1
        assert all(a.i < b.i and a.j < b.j for a, b in pairwise(layer.marks))
    if not similar:  # everything that can be aligned is aligned
        left = Counter(candidate) - Counter(candidate[hit.i] for hit in hits)
        for k, reference in enumerate(references):
            rest = Counter(reference) - Counter(reference[hit.j] for hit in hits if hit.k == k)
            assert not left & rest
    weighted = math.fsum(layer.total() for layer in result.layers)
    assert weighted == pytest.approx(result.stats["weighted_gain"], abs=1e-12)
    assert result.decides == {}
    back = metrics.METRICS["sia"].from_stats(result.stats, result.settings)
    assert (back.score, back.parts) == (result.score, result.parts)
    if candidate:
        assert result.score == pytest.approx(result.parts["length_penalty"] * weighted / len(candidate), abs=1e-12)


@pytest.mark.slow
@given(SENTENCES, st.lists(SENTENCES, min_size=1, max_size=4), st.sampled_from(list(SCHEDULES.values())))
@examples(100)
def test_formula_has_the_score_and_every_credit(candidate, references, schedule):
    for settings in (
        {},
        {"iterative": False},
        {"length_penalty": False},
        {"similarity": PairSimilarity([("a", "b", 0.3)])},
    ):
        result = sia_result(candidate, references, schedule=schedule, **settings)
        steps = metrics.METRICS["sia"].formula(result)
        assert steps[-1].value == pytest.approx(result.score, abs=1e-12)
        terms = [t for s in steps for form in s.forms for t in formula.credit_sums(form)]
        assert sorted({t.layer for t in terms}) == list(range(len(result.layers)))
        for t in terms:
            assert [e.value for e in t.credits] == pytest.approx(result.layers[t.layer].credits, abs=1e-12)
        assert formula.mathml(steps)


def test_formula_reads_as_in_the_paper():
    lines = formula.text(metrics.METRICS["sia"].formula(sia_result(M, [R1, R2]))).split("\n")
    assert lines[0].startswith("round 1 = 1/8·(1 + 1/2 + 1 + 1/2 + 1 + 1) = 0.625")
    assert lines[1].startswith("round 2 = 1/8·(1/√(2·10)) = 0.0279")
    assert lines[3].startswith("length penalty = 8/10 = 0.8")
    assert lines[4].startswith("SIA = 0.800·(0.5¹·0.625 + 0.5²·0.028 + 0.5³·0.023) = 0.2578")
    result = sia_result(MT1, [REF], iterative=False, length_penalty=False)
    equation_1 = formula.text(metrics.METRICS["sia"].formula(result))
    assert equation_1.startswith("round 1 = 1/8·(1 + 1 + 1/√(1·2) + 1/√(5·2)) = 0.3779")


def test_formula_of_many_rounds():
    words = [str(n) for n in range(12)]
    result = sia_result(words, [words[::-1]], decay=0.9)  # each round can align only one word
    assert len(result.layers) == 12
    steps = metrics.METRICS["sia"].formula(result)
    assert [s.name for s in steps] == [f"round {r}" for r in range(1, 7)] + ["later rounds", "length penalty", "SIA"]
    assert steps[-1].value == pytest.approx(result.score, abs=1e-12)
    assert "0.9^9" in formula.text(steps).replace("⁹", "^9")


# ---------------------------------------------------------------- edge cases


@pytest.mark.parametrize(("candidate", "references"), [([], [["a"]]), ([], [[]]), (["a"], [[]]), (["a"], [["b"], []])])
def test_nothing_to_align(candidate, references):
    result = sia_result(candidate, references, similarity=PairSimilarity([]))
    assert (result.score, result.layers, result.parts["round_1"]) == (0.0, (), 0.0)
    assert metrics.METRICS["sia"].formula(result)[-1].value == 0


def test_an_empty_reference_does_not_hide_the_others():
    result = sia_result(["a", "b"], [[], ["a", "b"]])
    assert reference_and_cells_by_round(result) == [(1, [(0, 0), (1, 1)])]
    assert result.parts["length_penalty"] == 1.0  # 2 words against an average of 1


def test_lowest_reference_wins_a_tie():
    assert reference_and_cells_by_round(sia_result(["a", "b"], [["x"], ["b"], ["b"]]))[0][0] == 1


def test_weights():
    words = ["a", "b", "c"]
    for schedule, weights in {
        "geometric": [0.5, 0.25, 0.125],
        "squaring": [0.5, 0.25, 0.0625],
        "undecayed_first": [1.0, 0.5, 0.25],
    }.items():
        assert [layer.weight for layer in sia_result(words, [words[::-1]], schedule=schedule).layers] == weights
    assert [layer.weight for layer in sia_result(words, [words[::-1]], iterative=False).layers] == [1.0]


@pytest.mark.slow
def test_squaring_survives_a_thousand_rounds():
    words = [str(n) for n in range(1100)]
    result = sia_result(words, [words[::-1]], schedule="squaring")
    assert len(result.layers) == 1100 and result.layers[-1].weight == 0.0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"decay": 0}, "decay must be greater than 0, got 0"),
        ({"decay": -1}, "got -1"),
        ({"decay": 1.5}, "decay must be at most 1, got 1.5"),
        ({"decay": math.nan}, "got nan"),
        ({"schedule": "none"}, "schedule must be one of"),
        ({"iterative": 1}, "iterative must be True or False, got 1"),
        ({"similarity": 0.5}, "similarity must be a function of two words or None, got 0.5"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(ValueError, match=message):
        sia_result(["a"], [["a"]], **settings)


@pytest.mark.parametrize("value", [-0.5, math.nan, math.inf, None, "1"])
def test_bad_similarity_values(value):
    with pytest.raises(ValueError, match="similarity must be a finite number of at least 0"):
        sia_result(["a"], [["b"]], similarity=lambda a, b: value)


def test_similarity_is_asked_once_for_each_pair_of_different_words():
    asked = Counter()

    def similarity(a, b):
        asked[frozenset((a, b))] += 1
        return 0.5

    result = sia_result(list("abcab"), [list("bacd"), list("dabc")], similarity=similarity)
    assert set(asked.values()) == {1}
    assert all(len(pair) == 2 for pair in asked)
    assert result.layers


def test_signature_names_the_similarity():
    assert "similarity:None|" in sia_result(["a"], [["a"]]).signature()
    assert "similarity:pairs|" in sia_result(["a"], [["a"]], similarity=PairSimilarity([])).signature()


def test_too_many_matches_are_refused_in_one_sentence():
    """Check that SIA refuses at once texts whose search would take hours.

    Where a reference is equal to the candidate, or the candidate begins with it, no search is needed, so it is
    scored."""
    equal = ["a"] * 700
    with pytest.raises(TooHard, match="490,000 matches with reference 2, more than the 300,000"):
        metrics.score("sia", ["b", *equal], [["c"], equal])
    assert metrics.score("sia", equal, [equal]).parts["round_1"] == 1


def test_the_steps_fill_the_tables_of_the_plain_recurrence():
    rng = random.Random(8)
    for similarity in (None, lambda a, b: 0.3 if {a, b} == {"a", "b"} else 0.0):
        for _ in range(20):
            candidate, *references = (tuple(rng.choices("abc", k=rng.randrange(7))) for _ in range(3))
            steps = [*metrics.trace("sia", candidate, references, similarity=similarity)]
            take = textbook.code(metrics.settings("sia"))["take"]
            layers = [list(layer.marks) for layer in steps[-1].result.layers]
            assert [step.considered for step in steps if step.line == take] == layers
            for table in {id(step.table.cell): step.table for step in steps if step.table}.values():
                for row, column, value, came in table.filled[1:]:
                    before = {(a, b): c for a, b, c, _ in table.filled if a < row and b < column}
                    ours, theirs = candidate[row - 1], references[table.k][column - 1]
                    s = 1 if ours == theirs else similarity(ours, theirs)
                    ways = {at: v + s / math.sqrt((row - at[0]) * (column - at[1])) for at, v in before.items()}
                    assert value == max(ways.values()) == ways[came[0]]


def test_a_similarity_that_the_language_has_not_is_left_out():
    ours, theirs = "die Fälle fallen".split(), ["der Fall fällt".split()]
    found = metrics.score("sia", ours, theirs, similarity=similarity_for("wordnet", "german"))
    plain = metrics.score("sia", ours, theirs)
    assert (found.score, found.layers) == (plain.score, plain.layers)
    sia = metrics.METRICS["sia"]
    assert sia.left_out(found.settings) == "There is no WordNet for German: only equal words align."
    assert sia.left_out(plain.settings) == ""
    assert "similarity:wordnet(left out)|" in found.signature()
    assert metrics.score("sia", ours, theirs, similarity=similarity_for("stem", "german")).score > 0
