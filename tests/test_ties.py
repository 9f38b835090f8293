"""Ties: every equally good alignment found by slow, obvious programs, beside those that the metrics tell of."""

import math
import random
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import pytest
from naive import all_runs

import metrics
from metrics import gtm
from metrics.types import Hit, Run

DATA = Path(__file__).parent / "data" / "ted-zh-en"
MANY = 10**6
EVERY = frozenset()


def ties_of(key, candidate, references, most=MANY, **settings):
    result = metrics.score(key, candidate, references, **settings)
    found = metrics.METRICS[key].ties(result, most)
    assert found.results[0] is result
    return found


def check(found, expected):
    """`expected` maps each alignment, as a set of cells, to its score."""
    sets = [frozenset(result.cells()) for result in found.results]
    assert found.exact
    assert set(sets) == set(expected)
    assert found.count == len(sets) == len(expected)
    always = frozenset.intersection(*sets)
    assert found.always == always
    assert found.sometimes == frozenset.union(*sets) - always
    assert [result.score for result in found.results] == pytest.approx([expected[cells] for cells in sets])
    assert found.depends == (max(expected.values()) - min(expected.values()) > 1e-9)


def rebuilt(result):
    """The score from the marks: the layers' credits summed into the statistics that they name."""
    stats = dict(result.stats)
    named = {name for layer in result.layers for name in layer.statistics}
    for name in named:
        stats[name] = math.fsum(layer.total() for layer in result.layers if name in layer.statistics)
    return metrics.METRICS[result.metric].from_stats(stats, result.settings)


def random_sentences(rng, longest, references, words=("ab", "abc", "abcd")):
    letters = rng.choice(words)
    sentences = [tuple(rng.choices(letters, k=rng.randrange(longest + 1))) for _ in range(1 + references)]
    return sentences[0], sentences[1:]


# ---------------------------------------------------------------- GTM


def every_matching(candidate, references):
    """All sets of cells that use no word twice."""
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


def runs_of(cells):
    out = []
    for i, k, j in sorted(cells):
        if Hit(i - 1, k, j - 1) not in cells:
            length = 1
            while Hit(i + length, k, j + length) in cells:
                length += 1
            out.append(Run(i, k, j, length))
    return out


def largest_matchings(candidate, references, exponent):
    """The matchings, as sets of runs, of the largest sum of powers."""
    found = {}
    for cells in every_matching(candidate, references):
        runs = runs_of(cells)
        found[frozenset(runs)] = math.fsum(run.length**exponent for run in runs)
    largest = max(found.values())
    return [runs for runs, power in found.items() if power >= largest * (1 - 1e-9)]


def greedy_matchings(candidate, references):
    """The matchings that can come of taking the longest free run, any of them, again and again."""
    runs = [Run(i, k, j, length) for k, r in enumerate(references) for length, i, j in all_runs(candidate, r)]
    open_, done, seen = [frozenset()], [], set()
    while open_:
        taken = open_.pop()
        if taken in seen:
            continue
        seen.add(taken)
        cells = [cell for run in taken for cell in run.cells()]
        rows, columns = {cell.i for cell in cells}, {(cell.k, cell.j) for cell in cells}
        free = [r for r in runs if not any(c.i in rows or (c.k, c.j) in columns for c in r.cells())]
        if free:
            longest = max(run.length for run in free)
            open_ += [taken | {run} for run in free if run.length == longest]
        else:
            done.append(taken)
    return done


def ways_to_cap(runs, cap):
    """The longest runs up to the cap, whichever comes first of those of one length: cells and lengths that count."""
    orders = [[]]
    for length in sorted({run.length for run in runs}, reverse=True):
        alike = [run for run in runs if run.length == length]
        orders = [before + list(order) for before in orders for order in permutations(alike)]
    for order in orders:
        left, cells, lengths = cap, set(), []
        for run in order:
            length = min(Fraction(run.length), left)
            left -= length
            cells.update(run.cells()[: math.ceil(length)])
            lengths.append(float(length))
        yield frozenset(cells), lengths


def gtm_expected(candidate, references, exponent, solver):
    n, m = len(candidate), Fraction(sum(map(len, references)), len(references))
    found = greedy_matchings(candidate, references)
    if solver == "exact":
        found = largest_matchings(candidate, references, exponent)
    if solver == "exact" and exponent == 1 and len(references) > 1:  # any hits up to the cap are as good
        size = min(math.ceil(min(n, m)), max(map(len, found_cells := every_matching(candidate, references))))
        score = metrics.score("gtm", candidate, references, exponent=1.0).score
        return {frozenset(cells): score for cells in found_cells if len(cells) == size}
    out = {}
    for runs in found:
        for cells, lengths in ways_to_cap(runs, Fraction(min(n, m)) if len(references) > 1 else Fraction(n)):
            size = math.fsum(length**exponent for length in lengths) ** (1 / exponent)
            p, r = (size / n if n else 0), (size / float(m) if m else 0)
            score = 2 * p * r / (p + r) if p and r else 0
            assert out.setdefault(cells, score) == pytest.approx(score)
    return out


@pytest.mark.parametrize("references", [1, 2, 3])
@pytest.mark.parametrize("solver", ["greedy", "exact"])
@pytest.mark.parametrize("exponent", [1.0, 2.0, 1.3])
def test_gtm_finds_every_matching(solver, exponent, references):
    rng = random.Random(references)
    seen = [0, 0, 0]
    for _ in range(80):
        candidate, others = random_sentences(rng, 6, references)
        if math.prod(1 + sum(r.count(word) for r in others) for word in candidate) > 20_000:
            continue
        found = ties_of("gtm", candidate, others, solver=solver, exponent=exponent)
        if not found.exact:
            seen[2] += 1
            continue
        check(found, gtm_expected(candidate, others, exponent, solver))
        seen[found.depends] += found.count > 1
        for result in found.results:
            assert rebuilt(result).score == pytest.approx(result.score)
    assert seen[0] > 20 and not seen[2]
    assert (seen[1] > 0) == (exponent > 1 and solver == "greedy"), seen
