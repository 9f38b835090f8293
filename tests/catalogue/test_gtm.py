"""Tests of GTM: worked examples, the values of the authors' program, and both solvers.

The greedy solver is checked against a slow one, the exact solver against all matchings."""

import math
import random
from fractions import Fraction
from itertools import chain

import pytest

import metrics
from metrics.alignment import gtm_matching
from metrics.alignment.gtm_matching import cap_runs, exact_matching, greedy_matching
from metrics.catalogue.gtm import score as gtm
from metrics.catalogue.gtm import textbook
from metrics.types import Run, Segment, TooHard
from tests.helpers.cases import golden_rows
from tests.helpers.corpora import load_token_lines
from tests.helpers.peers import agreed

MT1, MT2 = "life is like one nice chocolate in box", "life is of one nice chocolate in box"
REF = "life is just like a box of tasty chocolate"
S1, S2, S3 = "police killed the gunman", "police kill the gunman", "the gunman kill police"

# Candidate, reference, {exponent: F}.
EXAMPLES = [
    (MT1, REF, {1: 0.5882, 2: 0.3113, 3: 0.2616}),
    (MT2, REF, {1: 0.5882, 2: 0.3113, 3: 0.2616}),
    (S2, S1, {1: 0.75, 2: 0.5590, 3: 0.5200}),
    (S3, S1, {1: 0.75, 2: 0.5590, 3: 0.5200}),
    (S1, S1, {1: 1, 2: 1, 3: 1, 90: 1}),
    ("", S1, {1: 0, 2: 0}),
    (S1, "", {1: 0, 2: 0}),
    ("", "", {1: 0, 2: 0}),
]


def sum_of_powers(matching, exponent):
    return math.fsum(run.length**exponent for run in matching)


@pytest.mark.parametrize("solver", ["greedy", "exact"])
@pytest.mark.parametrize(("candidate", "reference", "expected"), EXAMPLES)
def test_worked_example(candidate, reference, expected, solver):
    for exponent, f in expected.items():
        result = metrics.score("gtm", candidate.split(), [reference.split()], exponent=exponent, solver=solver)
        assert result.score == pytest.approx(f, abs=5e-5)


@pytest.mark.parametrize(("exponent", "size"), [(1, 7), (2, 4.5826), (3, 4.1793)])
def test_figure_1(exponent, size):
    """Check the match size of the paper's Figure 1, whose runs have 4, 2 and 1 words: √21 ≈ 4.6 by equation 4."""
    result = metrics.score("gtm", list("efabcdyh"), [list("abcdefgh")], exponent=exponent)
    assert [run.length for run in result.layers[0].marks] == [4, 2, 1]
    assert result.parts["match_size"] == pytest.approx(size, abs=5e-5)


@pytest.mark.peer
def test_the_authors_program_on_sentences():
    for row in golden_rows("gtm_java_sentence"):
        e, expected = row["settings"]["exponent"], row["expected"]
        result = metrics.score("gtm", row["candidate"], row["references"], exponent=e)
        assert result.score == pytest.approx(expected["f"], abs=1e-9), row["id"]
        assert result.parts["precision"] == pytest.approx(expected["precision"], abs=1e-9), row["id"]
        assert result.parts["recall"] == pytest.approx(expected["recall"], abs=1e-9), row["id"]
        assert result.stats["match_power"] == pytest.approx(expected["match_pow"], abs=1e-9), row["id"]
    agreed("GTM", "GTM 1.4", "sentences: F, precision, recall, match", 4 * len(golden_rows("gtm_java_sentence")))


@pytest.mark.peer
def test_the_authors_program_on_documents():
    for row in golden_rows("gtm_java_document"):
        e = row["settings"]["exponent"]
        corpus = metrics.corpus_score("gtm", row["candidates"], row["references"], exponent=e)
        assert corpus.score == pytest.approx(row["expected"]["f"], abs=1e-9), row["id"]
    agreed("GTM", "GTM 1.4", "documents: F", len(golden_rows("gtm_java_document")))


def random_segment(rng, longest=10):
    words = rng.choice(["ab", "abc", "abcdef"])
    references = rng.choice([1, 1, 2, 3])
    sentences = [tuple(rng.choices(words, k=rng.randrange(longest))) for _ in range(1 + references)]
    return Segment(sentences[0], tuple(sentences[1:]))


@pytest.mark.parametrize("seed", range(4))
def test_greedy_is_the_slow_greedy(seed):
    rng = random.Random(seed)
    for _ in range(250):
        segment = random_segment(rng)
        assert greedy_matching(segment) == [Run(*run) for run in textbook.greedy_matching(*segment)]


@pytest.mark.parametrize("seed", range(2))
def test_cap_of_several_references(seed):
    rng = random.Random(seed)
    fractional = 0
    for _ in range(400):
        segment = random_segment(rng)
        runs = textbook.greedy_matching(*segment)
        if len(segment.references) > 1:
            lengths = [len(r) for r in segment.references]
            runs = textbook.runs_cut_to_cap(runs, min(len(segment.candidate), Fraction(sum(lengths), len(lengths))))
        marks = metrics.score("gtm", *segment).layers[0].marks
        assert [mark[:3] for mark in marks] == [run[:3] for run in runs]
        assert [mark.length for mark in marks] == pytest.approx([run[3] for run in runs])
        fractional += any(mark.length % 1 for mark in marks)
    assert fractional > 10


def test_half_a_hit_is_credited_by_its_length_and_occupies_its_cell():
    result = metrics.score("gtm", ["a", "b", "x"], [["a", "b"], ["x"]], exponent=2)
    assert result.layers[0].marks == (Run(0, 0, 0, 1.5),)
    assert result.layers[0].credits == (2.25,)
    assert len(result.cells()) == 2


def test_cap_keeps_runs_that_fit():
    runs = [Run(0, 0, 0, 3), Run(5, 0, 5, 2)]
    assert cap_runs(runs, 5) == runs
    assert cap_runs(runs, 4) == [Run(0, 0, 0, 3), Run(5, 0, 5, 1)]
    assert cap_runs(runs, 3) == runs[:1]
    assert cap_runs(runs, 0) == []


# ---------------------------------------------------------------- exact


def test_greedy_misses_what_exact_finds():
    segment = Segment(tuple("CBBCC"), (tuple("CCCBC"),))
    assert sum_of_powers(greedy_matching(segment), 2) == 6
    assert sum_of_powers(exact_matching(segment, 2), 2) == 8
    assert metrics.score("gtm", *segment, exponent=2, solver="exact").parts["match_size"] == pytest.approx(8**0.5)


def test_exact_golden():
    """Check the greedy and the exact solver on all golden rows.

    The expected sums come from a time before GTM had its limit (the cap) on the words matched in several references."""
    for row in golden_rows("gtm_exact_naive"):
        assert row["settings"]["cap"] is False
        e, segment = row["settings"]["exponent"], Segment(tuple(row["candidate"]), tuple(map(tuple, row["references"])))
        found = [sum_of_powers(matching, e) for matching in (exact_matching(segment, e), greedy_matching(segment))]
        assert found == pytest.approx([row["expected"][f"{kind}_sum"] for kind in ("exact", "greedy")]), row["id"]


@pytest.mark.parametrize("exponent", [1, 1.01, 1.2, 2, 3, 90])
def test_exact_is_the_largest_of_all_matchings(exponent):
    rng = random.Random(7)
    for _ in range(200):
        segment = random_segment(rng, 7)
        found = sum_of_powers(exact_matching(segment, exponent), exponent)
        assert found == pytest.approx(textbook.largest_matching_sum(*segment, exponent), rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_exact_is_a_matching_and_never_below_greedy(seed):
    rng = random.Random(seed)
    better = 0
    for _ in range(300):
        segment = random_segment(rng, 14)
        greedy, exact = greedy_matching(segment), exact_matching(segment, 2)
        cells = [cell for run in exact for cell in run.cells()]
        assert len({c.i for c in cells}) == len({(c.k, c.j) for c in cells}) == len(cells)
        assert all(segment.candidate[i] == segment.references[k][j] for i, k, j in cells)
        best, least = sum_of_powers(exact, 2), sum_of_powers(greedy, 2)
        assert best >= least and (exact == greedy) == (best == least), "the greedy matching wins ties"
        assert exact == exact_matching(segment, 2)
        better += exact != greedy
    assert better > 3


def test_exact_proves_real_sentences():
    texts = [load_token_lines(name) for name in ("system.SMU", "reference.A", "reference.B", "system.MiSS")]
    for start in range(0, 60, 3):
        candidate, *references = (tuple(chain.from_iterable(lines[start : start + 3])) for lines in texts)
        segment = Segment(candidate, tuple(references))
        for e in (1.2, 2):
            assert sum_of_powers(exact_matching(segment, e), e) >= sum_of_powers(greedy_matching(segment), e)


def test_the_cap_comes_after_the_search():
    """Check that the exact solver ignores the cap, which is applied to the matching that it finds.

    At e = 1.5, runs of 3 and 3 words beat runs of 4, 1 and 1. With the cap, which leaves 4 words, they score less."""
    candidate, references = list("abcdef"), [list("bcdexabc"), list("def"), []]
    greedy, exact = (
        metrics.score("gtm", candidate, references, exponent=1.5, solver=solver).parts["match_size"]
        for solver in ("greedy", "exact")
    )
    segment = Segment(tuple(candidate), tuple(map(tuple, references)))
    assert [run.length for run in exact_matching(segment, 1.5)] == [3, 3]
    assert [run.length for run in greedy_matching(segment)] == [4, 1, 1]
    assert exact < greedy


def test_exact_refuses_what_it_cannot_prove():
    rng = random.Random(1)
    candidate, reference = rng.choices("ab", k=80), rng.choices("ab", k=80)
    with pytest.raises(TooHard, match=r"conflicting runs between candidate words \d+ and \d+: .* choose the greedy"):
        metrics.score("gtm", candidate, [reference], solver="exact")
    assert metrics.score("gtm", candidate, [reference]).score > 0


def test_the_work_limit_holds_for_all_groups_together(monkeypatch):
    segment = Segment(tuple("CBBCC"), (tuple("CCCBC"),))
    monkeypatch.setattr(gtm_matching, "WORK_LIMIT", 3)
    with pytest.raises(TooHard):
        exact_matching(segment, 2)


def test_a_long_equal_sentence_needs_no_search():
    words = ("a",) * 300
    assert exact_matching(Segment(words, (words,)), 2) == [Run(0, 0, 0, 300)]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"exponent": 0.5}, "exponent must be at least 1, got 0.5"),
        ({"exponent": math.nan}, "exponent must be at least 1, got nan"),
        ({"exponent": "2"}, "exponent must be a number, got '2'"),
        ({"exponent": True}, "exponent must be a number, got True"),
        ({"solver": "best"}, "solver must be one of 'greedy', 'exact', got 'best'"),
    ],
)
def test_bad_settings(given, message):
    with pytest.raises(ValueError, match=message):
        gtm.GTMSettings(**given)


def test_formula():
    result = metrics.score("gtm", list("efabcdyh"), [list("abcdefgh")])
    size, p, r, f = metrics.METRICS["gtm"].formula(result)
    assert metrics.formula.text(size.forms[0]) == "(4² + 2² + 1²)^(1/2)"
    assert (p.value, r.value) == (result.parts["precision"], result.parts["recall"])
    assert f.value == pytest.approx(result.score, abs=1e-12)


@pytest.mark.parametrize(("candidate", "reference", "said"), [("CBBCC", "CCCBC", True), ("ABC", "ABXC", False)])
def test_a_remark_tells_where_greedy_misses_the_largest_matching(candidate, reference, said):
    result = metrics.score("gtm", list(candidate), [list(reference)])
    remark = metrics.METRICS["gtm"].remark(result)
    assert ("2.449" in remark and "2.828" in remark) if said else remark == ""
