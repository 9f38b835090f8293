"""Test the hits, conflicts and runs of the bitext grid."""

import random

import pytest

from metrics.alignment.bitext import (
    Reference,
    conflict,
    grid,
    hit_column_masks,
    hits,
    indexed,
    lazy_attribute,
    long_runs,
    runs,
)
from metrics.catalogue.gtm.textbook import all_runs
from metrics.types import Hit, Run, Segment


def maximal_runs(candidate, reference):
    """Return the runs of equal words that are not part of a longer run, as a list of (length, i, j)."""
    all_subruns = set(all_runs(candidate, reference))
    return [
        (length, i, j)
        for length, i, j in all_subruns
        if (length + 1, i, j) not in all_subruns and (length + 1, i - 1, j - 1) not in all_subruns
    ]


def random_sentence_triples(seed, count=300):
    """Yield `count` triples of random sentences; the words are letters, and a sentence may be empty."""
    rng = random.Random(seed)
    for _ in range(count):
        words = rng.choice(["a", "ab", "abcd"])
        yield tuple(tuple(rng.choices(words, k=rng.randrange(9))) for _ in range(3))


def test_hits_by_candidate_then_reference_then_place():
    candidate, first, second = ("a", "b", "z"), ("b", "a"), ("b", "b")
    assert hits(candidate, [first, second]) == (Hit(0, 0, 1), Hit(1, 0, 0), Hit(1, 1, 0), Hit(1, 1, 1))
    assert hits((), [first]) == hits(candidate, [()]) == ()


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (Hit(0, 0, 0), Hit(0, 0, 1), True),
        (Hit(0, 0, 0), Hit(0, 1, 5), True),  # one candidate word in two references
        (Hit(0, 0, 3), Hit(1, 0, 3), True),
        (Hit(0, 0, 3), Hit(1, 1, 3), False),  # the same position in two different references
        (Hit(0, 0, 0), Hit(1, 0, 1), False),
    ],
)
def test_conflict(a, b, expected):
    assert conflict(a, b) is conflict(b, a) is expected


@pytest.mark.parametrize("seed", range(3))
def test_long_runs_are_the_maximal_runs_of_two_and_more(seed):
    for candidate, reference, _ in random_sentence_triples(seed):
        found = long_runs(hit_column_masks(Reference(candidate), reference))
        assert sorted(found) == sorted(
            (-length, i, j) for length, i, j in maximal_runs(candidate, reference) if length > 1
        )


@pytest.mark.parametrize("seed", range(3))
def test_a_grid_has_the_rows_of_all_references_with_an_empty_column_behind_each(seed):
    for candidate, *references in random_sentence_triples(seed):
        rows, offsets, columns = grid(Segment(candidate, tuple(references)))
        assert columns == sum(map(len, references)) + len(references)
        found = {
            Hit(i, k, column - offset)
            for i, row in enumerate(rows)
            for column in range(columns)
            if row >> column & 1
            for k, offset in enumerate(offsets)
            if offset <= column < offset + len(references[k])
        }
        assert found == {*hits(candidate, references)}
        assert sum(map(int.bit_count, rows)) == len(found)


def test_hit_columns():
    assert hit_column_masks(Reference(("a", "b", "c")), ("b", "a", "b")) == [0b010, 0b001, 0b010, 0]
    assert hit_column_masks(Reference(()), ("a",)) == [0, 0]
    assert hit_column_masks(Reference(("a",)), ()) == [0]


@pytest.mark.parametrize("seed", range(3))
def test_runs_are_all_maximal_runs(seed):
    for candidate, *references in random_sentence_triples(seed):
        expected = [
            Run(i, k, j, length)
            for k, reference in enumerate(references)
            for length, i, j in maximal_runs(candidate, reference)
        ]
        assert list(runs(candidate, references)) == sorted(expected, key=lambda run: (run.k, run.i, run.j))


def test_runs_cover_every_hit_once():
    for candidate, *references in random_sentence_triples(9):
        cells = [cell for run in runs(candidate, references) for cell in run.cells()]
        assert sorted(cells) == sorted(hits(candidate, references))


def test_the_index_of_a_reference():
    index = indexed(("a", "b", "a", "b"))
    assert index is indexed(("a", "b", "a", "b"))
    assert index.positions_by_word == {"a": [0, 2], "b": [1, 3]}
    assert index.position_mask_by_word == {"a": 0b0101, "b": 0b1010}


def test_what_is_lazy_is_made_once():
    made = []

    class Lazy:
        @lazy_attribute
        def value(self):
            """A value."""
            made.append(self)
            return len(made)

    one, other = Lazy(), Lazy()
    assert not made
    assert (one.value, one.value, other.value, one.value) == (1, 1, 2, 1)
    assert made == [one, other]
    assert vars(Lazy)["value"].__doc__ == "A value."
