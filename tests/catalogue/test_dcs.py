"""Tests of dcs: its paper's examples, and the paper's Table 1 as a slow program.

Others check what the drawn squares and triangles claim."""

import math
import random

import pytest

import metrics
from metrics.alignment.bitext import hits
from metrics.catalogue.dcs.program import dcs_table1
from metrics.catalogue.dcs.score import (
    blocks_with_neighbours,
    disjoint_blocks,
    prepared_grids,
    published_blocks,
    squares_and_products_limit,
)
from metrics.catalogue.gtm.textbook import all_runs, disjoint_runs
from metrics.types import Neighbours, Run, Segment
from tests.helpers.cases import golden_rows
from tests.helpers.peers import agreed

# Reference, candidate, (cs0, cs1, cs2, dcs), source.
EXAMPLES = [
    ("ABCDE", "EABFD", (0.6, 0.489898, 0.282843, 0.565685), "Figure 1"),
    # The paper calls dcs "a geometric mean of cs1 and cs2", which would be 0.372 here: it is √(cs1² + cs2²).
    ("ABCDEFG", "ABCDHIK", (4 / 7, 4 / 7, 0, 4 / 7), "Lin and Och's X and Y1"),
    ("ABCDEFG", "AHBKCID", (4 / 7, 2 / 7, math.sqrt(3) / 7, math.sqrt(7) / 7), "Lin and Och's X and Y2"),
    ("ABC", "ABC", (1, 1, 0, 1), "identical strings are one block without a neighbour"),
    ("ABBBA", "ABBBBA", (8 / math.sqrt(30), math.sqrt(32 / 30), math.sqrt(16 / 30), math.sqrt(48 / 30)), "overlap"),
    ("CAB", "CAAB", (4 / math.sqrt(12), math.sqrt(8 / 12), math.sqrt(4 / 12), 1), "overlapping neighbours"),
    ("ABC", "XYZ", (0, 0, 0, 0), "nothing in common"),
    ("", "A", (0, 0, 0, 0), "empty reference"),
    ("A", "", (0, 0, 0, 0), "empty candidate"),
    ("", "", (0, 0, 0, 0), "both empty"),
]


def parts_and_score(result):
    return (*result.parts.values(), result.score)


@pytest.mark.parametrize(("reference", "candidate", "expected", "source"), EXAMPLES)
def test_worked_example(reference, candidate, expected, source):
    result = metrics.score("dcs", list(candidate), [list(reference)])
    assert list(result.parts) == ["cs0", "cs1", "cs2"]
    assert parts_and_score(result) == pytest.approx(expected, abs=1e-6), source


def test_overlap_lifts_the_score_above_one_and_disjoint_does_not():
    published = metrics.score("dcs", list("ABBBBA"), [list("ABBBA")])
    disjoint = metrics.score("dcs", list("ABBBBA"), [list("ABBBA")], overlap="disjoint")
    assert published.score == pytest.approx(1.264911)
    assert [m[:1] + m[2:] for m in published.layers[0].marks] == [(0, 0, 4), (2, 1, 4)]
    assert [m[:1] + m[2:] for m in disjoint.layers[0].marks] == [(0, 0, 4), (5, 4, 1)]
    assert disjoint.score == pytest.approx(math.sqrt((16 + 1 + 4) / 30))


def test_which_sentence_is_the_reference_matters():
    """Check that dcs is not symmetric: swapping candidate and reference changes some scores.

    Of blocks of the same length, the one that comes first in the candidate is taken."""
    rng = random.Random(2)
    pairs = [("".join(rng.choices("ab", k=6)), "".join(rng.choices("ab", k=6))) for _ in range(200)]
    forth = [metrics.score("dcs", list(a), [list(b)]).score for a, b in pairs]
    back = [metrics.score("dcs", list(b), [list(a)]).score for a, b in pairs]
    assert forth != pytest.approx(back)


@pytest.mark.peer
def test_table_1_golden():
    rows = golden_rows("dcs")
    assert len(rows) > 200
    for row in rows:
        result = metrics.score("dcs", row["candidate"], row["references"])
        swapped = metrics.score("dcs", row["references"][0], [row["candidate"]])
        for found, name in ((result, "expected"), (swapped, "expected_swapped")):
            expected = [row[name][c] for c in ("cs0", "cs1", "cs2", "dcs")]
            assert parts_and_score(found) == pytest.approx(expected), row["id"]
    agreed("dcs", "the paper's program, repaired", "cs0, cs1, cs2 and dcs, and of swapped sides", 8 * len(rows))


def random_pair(rng):
    words = rng.choice(["ab", "abc", "abcdefgh"])
    return tuple(tuple(rng.choices(words, k=rng.randrange(12))) for _ in range(2))


def first_prepared_grid(candidate, reference):
    return prepared_grids(Segment(tuple(candidate), (tuple(reference),)))[0]


@pytest.mark.parametrize("seed", range(4))
def test_published_blocks_are_those_of_table_1(seed):
    rng = random.Random(seed)
    for _ in range(400):
        candidate, reference = random_pair(rng)
        expected = dcs_table1(reference, candidate)
        blocks = published_blocks(candidate, 0, reference, first_prepared_grid(candidate, reference))
        assert [(i, j, length) for i, _, j, length in blocks] == expected.blocks
        assert published_blocks(candidate, 0, reference, None) == blocks  # where runs are not listed
        assert parts_and_score(metrics.score("dcs", candidate, [reference])) == pytest.approx(expected[:4])


def test_many_runs_are_not_listed():
    rng = random.Random(3)
    candidate, reference = (tuple(rng.choices("ab", k=400)) for _ in range(2))
    assert prepared_grids(Segment(candidate, (reference,))) == [None]
    expected = dcs_table1(reference, candidate)
    assert parts_and_score(metrics.score("dcs", candidate, [reference])) == pytest.approx(expected[:4])


@pytest.mark.parametrize("seed", range(4))
def test_disjoint_blocks_are_all_parts_of_runs_in_order(seed):
    rng = random.Random(seed)
    for _ in range(400):
        candidate, reference = random_pair(rng)
        ordered = sorted(all_runs(candidate, reference), key=lambda r: (-r[0], r[1] + r[0], r[2] + r[0]))
        blocks = disjoint_blocks(candidate, 0, reference, None)
        assert [(i, j, length) for i, _, j, length in blocks] == sorted(disjoint_runs(ordered))


@pytest.mark.parametrize("seed", range(4))
def test_squares_and_products_do_not_exceed_their_limit(seed):
    rng = random.Random(seed)
    reached = below = 0
    for _ in range(400):
        candidate, reference = random_pair(rng)
        part = first_prepared_grid(candidate, reference)
        matching = blocks_with_neighbours(published_blocks(candidate, 0, reference, part))
        found, limit = matching.squares + matching.products, squares_and_products_limit(part)
        assert found <= limit
        reached += found == limit > 0
        below += found < limit
    assert reached > 20 < below


@pytest.mark.parametrize("overlap", ["published", "disjoint"])
def test_the_reference_of_the_best_score_decides(overlap):
    rng = random.Random(1)
    for _ in range(300):
        candidate = random_pair(rng)[0]
        references = [random_pair(rng)[1] for _ in range(rng.choice([2, 3, 4]))]
        alone = [metrics.score("dcs", candidate, [reference], overlap=overlap).stats for reference in references]
        values = [(of["squares"] + of["products"]) / max(of["reference_length"], 1) for of in alone]
        result = metrics.score("dcs", candidate, references, overlap=overlap)
        best = values.index(max(values))
        assert result.decides == {"score": best}
        assert result.stats == alone[best]


def test_the_best_reference_decides_and_the_lower_number_on_ties():
    x, worse, better = list("abcd"), list("abxx"), list("abcx")
    assert metrics.score("dcs", x, [worse, better]).decides == {"score": 1}
    assert metrics.score("dcs", x, [worse, better]).stats["reference_length"] == 4
    assert metrics.score("dcs", x, [better, better, worse]).decides == {"score": 0}
    assert metrics.score("dcs", x, [[], list("zz")]).decides == {"score": 0}
    assert all(m.k == 1 for m in metrics.score("dcs", x, [worse, better]).layers[0].marks)


def test_statistics_and_layers_of_figure_1():
    result = metrics.score("dcs", list("EABFD"), [list("ABCDE")])
    lengths = {"longest_chain": 3, "candidate_length": 5, "reference_length": 5}
    assert dict(result.stats) == {"squares": 6, "products": 2, **lengths}
    blocks, neighbours = result.layers
    assert blocks.area and blocks.credits == (1, 4, 1)
    assert blocks.marks == (Run(0, 0, 4, 1), Run(1, 0, 0, 2), Run(4, 0, 3, 1))
    assert neighbours.marks == (Neighbours(Run(1, 0, 0, 2), Run(4, 0, 3, 1)),) and neighbours.credits == (2,)
    assert metrics.METRICS["dcs"].summary(result) == "3 blocks"


def test_formula_of_figure_1():
    result = metrics.score("dcs", list("EABFD"), [list("ABCDE")])
    steps = {s.name: (metrics.formula.text(s.forms[-1]), s.value) for s in metrics.METRICS["dcs"].formula(result)}
    assert {name: text for name, (text, _) in steps.items()} == {
        "A": "√(5·5)",
        "squares": "1² + 2² + 1²",
        "neighbours": "2·1",
        "cs_0": "3/A",
        "cs_1": "√6/A",
        "cs_2": "√2/A",
        "dcs": "√(6 + 2)/A",
    }
    assert [steps[f"cs_{c}"][1] for c in range(3)] == pytest.approx(list(result.parts.values()))
    assert steps["dcs"][1] == pytest.approx(result.score, abs=1e-12)


def polygon_area(corners):
    """Return the area of a polygon, from its corners (row, column) in order, by the shoelace formula."""
    following = (*corners[1:], corners[0])
    return abs(sum(r1 * c2 - r2 * c1 for (r1, c1), (r2, c2) in zip(corners, following, strict=True))) / 2


def bounding_box(corners):
    rows, columns = zip(*corners, strict=True)
    return min(rows), max(rows), min(columns), max(columns)


def are_disjoint(a, b):
    return a[1] <= b[0] or b[1] <= a[0] or a[3] <= b[2] or b[3] <= a[2]


@pytest.mark.parametrize("overlap", ["published", "disjoint"])
def test_triangles_have_the_area_of_the_product_and_cover_neither_block(overlap):
    rng = random.Random(4)
    seen = 0
    for _ in range(400):
        candidate, reference = random_pair(rng)
        result = metrics.score("dcs", candidate, [reference], overlap=overlap)
        for mark, credit in zip(result.layers[1].marks, result.layers[1].credits, strict=True):
            triangles = mark.areas()
            assert sum(polygon_area(t.corners) for t in triangles) == credit == mark.first.length * mark.second.length
            for triangle in triangles:
                right, *ends = triangle.corners
                shared = [(right[0] == end[0], right[1] == end[1]) for end in ends]
                assert sorted(shared) == [(False, True), (True, False)], "one leg is a column, one a row"
                top, bottom, left, end = bounding_box(triangle.corners)
                assert top >= 0 and left >= 0 and bottom <= len(candidate) and end <= len(reference)
                if overlap == "disjoint":
                    for block in mark:
                        square = (block.i, block.i + block.length, block.j, block.j + block.length)
                        assert are_disjoint(bounding_box(triangle.corners), square)
                seen += 1
    assert seen > 100


def test_triangles_stand_on_both_sides_of_the_diagonal():
    upper, lower = Neighbours(Run(1, 0, 0, 2), Run(4, 0, 3, 1)).areas()
    assert upper.corners == ((3, 3), (1, 3), (3, 4))
    assert lower.corners == ((4, 2), (4, 0), (5, 2))


def test_unknown_overlap():
    with pytest.raises(ValueError, match="overlap must be one of 'published', 'disjoint', got 'none'"):
        metrics.score("dcs", ["a"], [["a"]], overlap="none")


@pytest.mark.parametrize(("candidate", "reference", "said"), [("ABBBBA", "ABBBA", True), ("ABC", "ABXC", False)])
def test_a_remark_tells_where_blocks_overlap(candidate, reference, said):
    result = metrics.score("dcs", list(candidate), [list(reference)])
    assert bool(metrics.METRICS["dcs"].remark(result)) is said


def test_the_steps_fill_the_first_table_with_the_lengths_of_runs():
    rng = random.Random(6)
    for _ in range(100):
        candidate, reference = random_pair(rng)
        steps = [*metrics.trace("dcs", candidate, [reference])]
        filled = [step.table.filled for step in steps if step.table]
        lengths = {(row, column): value for row, column, value, _ in filled[-1]} if filled else {}
        for (row, column), length in lengths.items():
            assert length == lengths.get((row - 1, column - 1), 0) + 1
        assert set(lengths) == {(hit.i + 1, hit.j + 1) for hit in hits(candidate, [reference])}
