"""Test the ties that metrics report against slow, obvious programs that find every equally good alignment."""

import math
import pickle
import random
from fractions import Fraction
from itertools import combinations, permutations

import pytest

import metrics
from metrics.alignment import gtm_ties, matchings, sia_ties, ties
from metrics.catalogue.gtm.textbook import all_runs
from metrics.catalogue.rouge.tables import count_lcs
from metrics.types import FirstFew, Hit, Run, TooHard
from tests.helpers.corpora import load_token_lines
from tests.helpers.matchings import rising_chains

MANY = 10**6  # how many results to request; more than any test has


def compute_ties(key, candidate, references, ties_most=MANY, **settings):
    result = metrics.score(key, candidate, references, **settings)
    found = metrics.METRICS[key].ties(result, ties_most)
    assert found.results[0] is result
    return found


def assert_ties(found, score_by_cells):
    """Assert that `found` lists exactly the tied alignments in `score_by_cells`, a dict from cell sets to scores."""
    sets = [frozenset(result.cells()) for result in found.results]
    assert found.exact
    assert set(sets) == set(score_by_cells)
    assert found.count == len(sets) == len(score_by_cells)
    always = frozenset.intersection(*sets)
    assert found.always == always
    assert found.sometimes == frozenset.union(*sets) - always
    assert [result.score for result in found.results] == pytest.approx([score_by_cells[cells] for cells in sets])
    assert found.depends == (max(score_by_cells.values()) - min(score_by_cells.values()) > 1e-9)


def score_from_marks(result):
    """Return the score computed from the credits of the marks of `result`.

    Each statistic that a layer counts is replaced by the sum of the layer's credits."""
    stats = dict(result.stats)
    named = {name for layer in result.layers for name in layer.statistics}
    for name in named:
        stats[name] = math.fsum(layer.total() for layer in result.layers if name in layer.statistics)
    return metrics.METRICS[result.metric].from_stats(stats, result.settings)


def random_sentences(rng, longest, references, words=("ab", "abc", "abcd")):
    letters = rng.choice(words)
    sentences = [tuple(rng.choices(letters, k=rng.randrange(longest + 1))) for _ in range(1 + references)]
    return sentences[0], sentences[1:]


# Metric, settings, candidate, references, and the score by alignment, given as its cells (i, k, j).
EXAMPLES = [
    # The subsequence is either "the gunman" or "police killed".
    (
        ("rouge_l", {}, "the gunman police killed", ["police killed the gunman"]),
        {((0, 0, 2), (1, 0, 3)): 0.5, ((2, 0, 0), (3, 0, 1)): 0.5},
    ),
    (("rouge_l", {}, "a b", ["a b"]), {((0, 0, 0), (1, 0, 1)): 1}),
    (("rouge_l", {}, "a b", ["c"]), {(): 0}),
    (("rouge_l", {}, "", [""]), {(): 0}),
    # Precision comes from the first reference, where b is one of two equal words; recall comes from the second.
    (
        ("rouge_l", {}, "a b", ["a b b x y", "b"]),
        {((0, 0, 0), (1, 0, 1), (1, 1, 0)): 1, ((0, 0, 0), (1, 0, 2), (1, 1, 0)): 1},
    ),
    # The only a of the candidate matches either a of the reference.
    (("gtm", {}, "a", ["a a"]), {((0, 0, 0),): 2 / 3, ((0, 0, 1),): 2 / 3}),
    (("gtm", {"solver": "exact"}, "a", ["a a"]), {((0, 0, 0),): 2 / 3, ((0, 0, 1),): 2 / 3}),
    (("gtm", {}, "", ["a"]), {(): 0}),
    # A longest run "a a" starts at candidate word 0 or 1. From 0 it leaves "a b": √(4 + 4). From 1: √(4 + 1 + 1).
    (
        ("gtm", {}, "a a a b", ["a b a a"]),
        {
            ((0, 0, 2), (1, 0, 3), (2, 0, 0), (3, 0, 1)): math.sqrt(8) / 4,
            ((1, 0, 2), (2, 0, 3), (0, 0, 0), (3, 0, 1)): math.sqrt(6) / 4,
        },
    ),
    (
        ("gtm", {"solver": "exact"}, "a a a b", ["a b a a"]),
        {((0, 0, 2), (1, 0, 3), (2, 0, 0), (3, 0, 1)): math.sqrt(8) / 4},
    ),
    # With exponent 1, three equal words match three equal words in 3! ways.
    (
        ("gtm", {"solver": "exact", "exponent": 1.0}, "a a a", ["a a a"]),
        {tuple((i, 0, j) for i, j in enumerate(order)): 1 for order in permutations(range(3))},
    ),
    # Two words match, but the references have one word on average, so the cap keeps b or a.
    (("gtm", {}, "b a", ["a", "b"]), {((0, 1, 0),): 2 / 3, ((1, 0, 0),): 2 / 3}),
    # Either the first a earns 1 and then b earns 1/√2, or the second a earns 1/√2 and then b earns 1.
    (
        ("sia", {"length_penalty": False}, "a b", ["a a b"]),
        {((0, 0, 0), (1, 0, 2)): (1 + math.sqrt(0.5)) / 4, ((0, 0, 1), (1, 0, 2)): (1 + math.sqrt(0.5)) / 4},
    ),
    # Three chains earn 1 + 1/√2 in round 1; the words that they leave earn 1/√6, 1/√3 and 1/√6 in round 2.
    (
        ("sia", {}, "a a b", ["a b a"]),
        {
            ((0, 0, 0), (1, 0, 2), (2, 0, 1)): (1 + math.sqrt(1 / 2)) / 6 + math.sqrt(1 / 6) / 12,
            ((1, 0, 0), (2, 0, 1), (0, 0, 2)): (1 + math.sqrt(1 / 2)) / 6 + math.sqrt(1 / 3) / 12,
        },
    ),
    # Equal references are equally good.
    (("sia", {}, "a", ["a", "a"]), {((0, 0, 0),): 0.5, ((0, 1, 0),): 0.5}),
    (("sia", {}, "a", ["b"]), {(): 0}),
    (("wer", {}, "a a", ["a"]), {((0, 0, 0),): 1, ((1, 0, 0),): 1}),
    (("wer", {}, "", [""]), {(): 0}),
]


@pytest.mark.parametrize(
    ("key", "settings", "candidate", "references", "expected"), [(*case, says) for case, says in EXAMPLES]
)
def test_worked_example(key, settings, candidate, references, expected):
    found = compute_ties(key, candidate.split(), [reference.split() for reference in references], **settings)
    scores = {frozenset(Hit(*cell) for cell in cells): score for cells, score in expected.items()}
    if key == "sia":  # several alignments may have the same cells in different chains
        assert {frozenset(result.cells()) for result in found.results} == set(scores)
        assert {round(result.score, 9) for result in found.results} == {round(score, 9) for score in scores.values()}
    else:
        assert_ties(found, scores)
    assert found.exact


# ---------------------------------------------------------------- ROUGE-L and WER


def all_lcs_cell_sets(candidate, k, reference):
    """Return all longest common subsequences of the candidate and reference `k`, each as a set of cells."""
    hits = [Hit(i, k, j) for i, a in enumerate(candidate) for j, b in enumerate(reference) if a == b]
    chains = rising_chains(hits)
    return [frozenset(chain) for chain in chains if len(chain) == max(map(len, chains))]


@pytest.mark.parametrize("multi_reference", ["independent", "best", "best_recall", "sum", "jackknife"])
def test_rouge_l_finds_every_longest_subsequence(multi_reference):
    rng = random.Random(multi_reference)
    several = 0
    for _ in range(150):
        candidate, others = random_sentences(rng, 6, rng.choice([1, 2, 3]))
        found = compute_ties("rouge_l", candidate, others, multi_reference=multi_reference)
        result = found.results[0]
        expected = {frozenset(): result.score}
        for k in {mark.k for layer in result.layers for mark in layer.marks}:
            expected = {
                cells | own: result.score for cells in expected for own in all_lcs_cell_sets(candidate, k, others[k])
            }
        assert_ties(found, expected)
        several += found.count > 1
        for other in found.results:
            assert score_from_marks(other) == metrics.METRICS["rouge_l"].from_stats(result.stats, result.settings)
            for layer, own in zip(other.layers, result.layers, strict=True):
                assert layer._replace(marks=(), credits=()) == own._replace(marks=(), credits=())
                assert list(layer.marks) == sorted(
                    maximal_runs({cell for mark in layer.marks for cell in mark.cells()})
                )
    assert several > 50


def test_longest_subsequences_are_counted_beyond_all_lists():
    found = compute_ties("rouge_l", list("a" * 100), [list("a" * 200)], ties_most=50)
    assert found.count == math.comb(200, 100) and found.exact and not found.depends
    assert len(found.results) == 50 == len({frozenset(result.cells()) for result in found.results})
    assert not found.always and len(found.sometimes) == 100 * 101


def test_counts_agree_with_inclusion_and_exclusion():
    rng = random.Random(4)
    for _ in range(50):
        a, b = (tuple(rng.choices("abcdef", k=rng.randrange(60))) for _ in range(2))
        chosen = tuple(sorted(metrics.score("rouge_l", a, [b]).cells()))
        ways = ties.common_subsequences(a, 0, b, chosen, 3)
        assert ways.count == count_lcs(a, b)
        assert ways.first[0] == chosen and len(ways.first) == min(3, ways.count)


def test_wer_finds_every_shortest_script():
    """Check that WER's tied edit scripts are exactly the shortest edit scripts.

    A script is identified by the cells that it matches or substitutes; all other words are inserted or deleted."""
    rng = random.Random(5)
    for _ in range(150):
        candidate, (reference,) = random_sentences(rng, 5, 1)
        grid = [Hit(i, 0, j) for i in range(len(candidate)) for j in range(len(reference))]
        costs = {}
        for chain in rising_chains(grid):
            substitutions = sum(candidate[i] != reference[j] for i, _, j in chain)
            costs[frozenset(chain)] = len(candidate) + len(reference) - 2 * len(chain) + substitutions
        rate = min(costs.values()) / max(len(reference), 1)
        found = compute_ties("wer", candidate, [reference])
        assert_ties(found, {cells: rate for cells, cost in costs.items() if cost == min(costs.values())})


# ---------------------------------------------------------------- GTM


def all_matchings(candidate, references):
    """Return all matchings as tuples of cells that use no word of the candidate or of a reference twice."""
    found = [()]
    for i, word in enumerate(candidate):
        places = [(k, j) for k, r in enumerate(references) for j, other in enumerate(r) if other == word]
        found += [
            (*cells, Hit(i, *place))
            for cells in found
            for place in places
            if place not in [(cell.k, cell.j) for cell in cells]
        ]
    return found


def maximal_runs(cells):
    """Return the longest runs into which a set of cells splits."""
    out = []
    for i, k, j in sorted(cells):
        if Hit(i - 1, k, j - 1) not in cells:
            length = 1
            while Hit(i + length, k, j + length) in cells:
                length += 1
            out.append(Run(i, k, j, length))
    return out


def largest_matchings(candidate, references, exponent):
    """Return the matchings, each as a set of runs, for which the sum of run length ** `exponent` is the largest."""
    found = {}
    for cells in all_matchings(candidate, references):
        runs = maximal_runs(cells)
        found[frozenset(runs)] = math.fsum(run.length**exponent for run in runs)
    largest = max(found.values())
    return [runs for runs, power in found.items() if power >= largest * (1 - 1e-9)]


def greedy_matchings(candidate, references):
    """Return all matchings, each as a set of runs, that GTM's greedy search can end with.

    It takes one of the longest runs of unused words again and again; equally long runs are tried in every order."""
    runs = [Run(i, k, j, length) for k, r in enumerate(references) for length, i, j in all_runs(candidate, r)]
    pending, done, seen = [frozenset()], [], set()
    while pending:
        taken = pending.pop()
        if taken in seen:
            continue
        seen.add(taken)
        cells = [cell for run in taken for cell in run.cells()]
        rows, columns = {cell.i for cell in cells}, {(cell.k, cell.j) for cell in cells}
        free = [r for r in runs if not any(c.i in rows or (c.k, c.j) in columns for c in r.cells())]
        if free:
            longest = max(run.length for run in free)
            pending += [taken | {run} for run in free if run.length == longest]
        else:
            done.append(taken)
    return done


def counted_cells_by_cap_order(runs, cap):
    """Yield (counted cells, counted lengths of the runs) for each order in which `runs` may use up the cap.

    `cap` is the largest number of words that may count; the last run is cut. Longer runs come first; equally long runs
    come in every order."""
    orders = [[]]
    for length in sorted({run.length for run in runs}, reverse=True):
        equally_long = [run for run in runs if run.length == length]
        orders = [before + list(order) for before in orders for order in permutations(equally_long)]
    for order in orders:
        left, cells, lengths = cap, set(), []
        for run in order:
            length = min(Fraction(run.length), left)
            left -= length
            cells.update(run.cells()[: math.ceil(length)])
            lengths.append(float(length))
        yield frozenset(cells), lengths


def expected_gtm_scores(candidate, references, exponent, solver):
    """Return the scores of all alignments that GTM may choose, as a dict from sets of counted cells to scores.

    `solver` is "exact" (all largest matchings) or the greedy search."""
    n, m = len(candidate), Fraction(sum(map(len, references)), len(references))
    found = greedy_matchings(candidate, references)
    if solver == "exact":
        found = largest_matchings(candidate, references, exponent)
    if solver == "exact" and exponent == 1 and len(references) > 1:  # any hits up to the cap are equally good
        size = min(math.ceil(min(n, m)), max(map(len, found_cells := all_matchings(candidate, references))))
        score = metrics.score("gtm", candidate, references, exponent=1.0).score
        return {frozenset(cells): score for cells in found_cells if len(cells) == size}
    out = {}
    for runs in found:
        for cells, lengths in counted_cells_by_cap_order(
            runs, Fraction(min(n, m)) if len(references) > 1 else Fraction(n)
        ):
            size = math.fsum(length**exponent for length in lengths) ** (1 / exponent)
            p, r = (size / n if n else 0), (size / float(m) if m else 0)
            score = 2 * p * r / (p + r) if p and r else 0
            assert out.setdefault(cells, score) == pytest.approx(score)
    return out


@pytest.mark.slow
@pytest.mark.parametrize("references", [1, 2, 3])
@pytest.mark.parametrize("solver", ["greedy", "exact"])
@pytest.mark.parametrize("exponent", [1.0, 2.0, 1.3])
def test_gtm_finds_every_matching(solver, exponent, references):
    rng = random.Random(references)
    several = 0
    for _ in range(80):
        candidate, others = random_sentences(rng, 6, references)
        if math.prod(1 + sum(r.count(word) for r in others) for word in candidate) > 20_000:
            continue
        found = compute_ties("gtm", candidate, others, solver=solver, exponent=exponent)
        assert_ties(found, expected_gtm_scores(candidate, others, exponent, solver))
        several += found.count > 1
        for result in found.results:
            assert score_from_marks(result).score == pytest.approx(result.score)
    assert several > 20


# ---------------------------------------------------------------- SIA


def all_chains_with_credit(cells):
    """Return (chain, credit) for all chains through `cells` in which `i` and `j` both increase.

    `cells` maps (i, j) to the similarity of the two words. The credit is SIA's gain of the chain."""
    out = []
    for cell, ratio in sorted(cells.items()):
        first = ratio / math.sqrt((cell[0] + 1) * (cell[1] + 1))
        out += [
            ((*chain, cell), credit + ratio / math.sqrt((cell[0] - chain[-1][0]) * (cell[1] - chain[-1][1])))
            for chain, credit in out
            if chain[-1][0] < cell[0] and chain[-1][1] < cell[1]
        ]
        out.append(((cell,), first))
    return out


def round_sequences(grids, iterative):
    """Return every course of rounds that SIA may take, each as a list with one (k, chain, credit) for a round.

    `grids` has one dict of cells for each reference. A round takes any chain of the highest credit, and later rounds
    use
    the words that are left. Without `iterative` there is only one round."""
    found = [(k, chain, credit) for k, cells in enumerate(grids) for chain, credit in all_chains_with_credit(cells)]
    best = max((credit for _, _, credit in found), default=0)
    if not best:
        return [[]]
    out = []
    for k, chain, credit in found:
        if credit < best * (1 - 1e-12):
            continue
        rows, columns = {i for i, _ in chain}, {j for _, j in chain}
        rest = [
            {c: ratio for c, ratio in cells.items() if c[0] not in rows and (other != k or c[1] not in columns)}
            for other, cells in enumerate(grids)
        ]
        out += [[(k, chain, credit), *more] for more in (round_sequences(rest, iterative) if iterative else [[]])]
    return out


def expected_sia_scores(candidate, references, similarity, iterative, decay_schedule):
    """Return the scores of all tied alignments of SIA, as a dict from alignments to scores.

    An alignment is a frozenset of (k, chain of (i, j)), one for each round."""
    grids = [
        {
            (i, j): 1.0 if a == b else similarity(a, b)
            for i, a in enumerate(candidate)
            for j, b in enumerate(r)
            if a == b or (similarity and similarity(a, b))
        }
        for r in references
    ]
    n, m = len(candidate), sum(map(len, references)) / len(references)
    penalty = (1 if n > m else n / m) if n and m else 0
    out = {}
    for course in round_sequences(grids, iterative):
        weights = [0.5**r if decay_schedule == "geometric" else 0.5 ** (r - 1) for r in range(1, len(course) + 1)]
        if not iterative:
            weights = [1]
        score = penalty * sum(w * credit for w, (_, _, credit) in zip(weights, course, strict=False)) / max(n, 1)
        chains = frozenset((k, chain) for k, chain, _ in course)
        assert out.setdefault(chains, score) == pytest.approx(score)
    return out


def chain_by_round(result):
    """Return the alignment of SIA in `result`, as a frozenset of (k, chain of (i, j)), one for each round."""
    return frozenset((layer.marks[0].k, tuple((i, j) for i, _, j in layer.marks)) for layer in result.layers)


@pytest.mark.parametrize("references", [1, 2])
@pytest.mark.parametrize("similar", [None, lambda a, b: 0.5 if {a, b} == {"a", "b"} else 0.0])
@pytest.mark.parametrize("settings", [{}, {"iterative": False}, {"schedule": "undecayed_first"}])
def test_sia_finds_every_course_of_rounds(settings, similar, references):
    rng = random.Random(references)
    several = depend = 0
    for _ in range(300):
        candidate, others = random_sentences(rng, 6 if references == 1 else 5, references)
        found = compute_ties("sia", candidate, others, similarity=similar, **settings)
        expected = expected_sia_scores(
            candidate, others, similar, settings.get("iterative", True), settings.get("schedule", "geometric")
        )
        by_chains = {chain_by_round(result): result for result in found.results}
        assert found.exact and found.count == len(found.results) == len(by_chains)
        assert set(by_chains) == set(expected)
        for chains, result in by_chains.items():
            assert result.score == pytest.approx(expected[chains]) == pytest.approx(score_from_marks(result).score)
        sets = [result.cells() for result in found.results]
        assert found.always == set.intersection(*sets)
        assert found.sometimes == set.union(*sets) - found.always
        assert found.depends == (max(expected.values()) - min(expected.values()) > 1e-9)
        several += found.count > 1
        depend += found.depends
    assert several > 5


# ---------------------------------------------------------------- bounds and shared parts


def test_gtm_counts_what_it_cannot_list():
    """Check that GTM counts all 20!/10! tied alignments but builds only 50 of them.

    Ten equal words match any ten of twenty, and no two matches form a run."""
    candidate = [word for t in range(10) for word in ("a", f"x{t}")]
    reference = [word for t in range(20) for word in ("a", f"y{t}")]
    for settings in ({}, {"solver": "exact"}, {"exponent": 1.0}):
        found = compute_ties("gtm", candidate, [reference], ties_most=50, **settings)
        assert found.count == math.perm(20, 10) and found.exact and not found.depends
        assert len({frozenset(result.cells()) for result in found.results}) == 50
        assert not found.always and len(found.sometimes) == 200


def test_the_cap_can_make_the_score_of_equally_large_matchings_depend_on_the_choice():
    """Check that two matchings of equal size may get different scores, because GTM's cap cuts their runs differently.

    A run of 3 with three single hits (9 + 3) is as large as three runs of 2 (4 + 4 + 4), but the cap cuts them
    differently."""
    found = compute_ties("gtm", list("bbaaba"), [list("baaa"), list("bb")], solver="exact")
    assert found.depends and found.exact
    assert {round(result.score, 6) for result in found.results} == {0.666667, 0.496904}


BOUNDED = [
    ("rouge_l", {}, ties, "HITS_MOST", 10),
    ("gtm", {}, gtm_ties, "HITS_MOST", 10),
    ("gtm", {}, gtm_ties, "JOINTS_MOST", 1),
    ("gtm", {}, gtm_ties, "WORK", 30),
    ("gtm", {"solver": "exact"}, gtm_ties, "WORK", 30),
    ("gtm", {}, matchings, "COVERS_MOST", 1),
    ("sia", {}, sia_ties, "WORK", 130),
    ("sia", {}, sia_ties, "WORK", 1),
    ("sia", {"iterative": False}, sia_ties, "WORK", 150),
]


@pytest.mark.parametrize(("key", "settings", "module", "bound", "value"), BOUNDED)
def test_beyond_a_bound_the_count_is_a_lower_one(monkeypatch, key, settings, module, bound, value):
    rng = random.Random(6)
    fewer = 0
    for _ in range(60):
        candidate, others = random_sentences(rng, 9, rng.choice([1, 2]))
        free = compute_ties(key, candidate, others, ties_most=20, **settings)
        with monkeypatch.context() as patch:
            patch.setattr(module, bound, value)
            found = compute_ties(key, candidate, others, ties_most=20, **settings)
        if found.exact:
            assert found.count == free.count
        elif free.exact:
            assert 1 <= found.count <= free.count
            assert found.sometimes <= free.sometimes
            assert found.always | found.sometimes <= free.always | free.sometimes
            assert all(score_from_marks(result).score == pytest.approx(result.score) for result in found.results)
            fewer += found.count < free.count
        different = {tuple(layer.marks for layer in result.layers) for result in found.results}
        assert len(different) == len(found.results) == min(20, found.count)
    assert fewer > 0


@pytest.mark.parametrize("seed", range(3))
def test_maximal_sets_are_those_to_which_nothing_can_be_added(seed):
    rng = random.Random(seed)
    for _ in range(60):
        size = rng.randrange(8)
        pairs = {pair for pair in combinations(range(size), 2) if rng.random() < 0.4}
        conflicts = [sum(1 << t for t in range(size) if {(s, t), (t, s)} & pairs) for s in range(size)]
        free = [
            set(some)
            for count in range(size + 1)
            for some in combinations(range(size), count)
            if not pairs & set(combinations(some, 2))
        ]
        expected = [some for some in free if not any(some < other for other in free)]
        found = list(ties.maximal_conflict_free_sets(conflicts, ties.Work(10**6)))
        assert sorted(map(sorted, expected)) == sorted(found)


REAL = [load_token_lines(name) for name in ("system.SMU", "reference.A", "reference.B")]


@pytest.mark.parametrize("key", [key for key, metric in metrics.METRICS.items() if metric.ties])
def test_real_sentences(key):
    """Check for each metric what holds for all ties of real sentences.

    The result itself comes first, the sets of cells are consistent, and each score equals the sum over its marks."""
    for candidate, *references in list(zip(*REAL, strict=True))[:25]:
        found = compute_ties(key, candidate, references, ties_most=10)
        own = found.results[0]
        assert len(found.results) == min(10, found.count)
        assert found.exact or len(candidate) > 60
        assert not found.always & found.sometimes
        for result in found.results:
            if found.exact:
                assert found.always <= result.cells() <= found.always | found.sometimes
            assert score_from_marks(result).score == pytest.approx(result.score)
            assert found.depends or result.score == pytest.approx(own.score)
            assert (result.metric, result.settings, result.segment) == (own.metric, own.settings, own.segment)
        assert (found.count > 1) == bool(found.sometimes)


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key, metric in metrics.METRICS.items() if metric.ties])
def test_long_texts_do_not_hang(key):
    candidate, *references = [sum(sentences, ()) for sentences in REAL]
    found = compute_ties(key, candidate, references, ties_most=5)
    assert 1 <= len(found.results) <= 5


def test_the_first_few_are_made_when_they_are_looked_at():
    made = []

    def generate_letters():
        for letter in "bcde":
            made.append(letter)
            yield letter
        raise TooHard("too many to look for")

    few = FirstFew("a", 7, generate_letters())
    assert (len(few), few[0], made) == (7, "a", [])
    assert (few[2], made) == ("c", ["b", "c"])
    assert (few[1:4], few[-5], made) == (("b", "c", "d"), "c", ["b", "c", "d"])
    for _ in range(2):  # the search has ended: each access raises its error again
        with pytest.raises(TooHard, match="too many to look for"):
            few[5]
    assert few[4] == "e"
    with pytest.raises(IndexError):
        few[7]


def test_the_first_few_are_as_a_tuple():
    few = FirstFew(1, 3, iter([2, 3]))
    assert few == (1, 2, 3) == tuple(few)
    assert (hash(few), repr(few), pickle.loads(pickle.dumps(few))) == (hash((1, 2, 3)), "(1, 2, 3)", (1, 2, 3))
