"""Test the search for the longest runs of a grid against a slow program that looks at every cell."""

import random

import pytest

from metrics.alignment.bitext import grid
from metrics.alignment.runs import GreedyRuns, longest_runs_from, run_starts_by_length
from metrics.catalogue.gtm.textbook import all_runs
from metrics.types import Segment


def random_segments(seed, count=150):
    rng = random.Random(seed)
    for _ in range(count):
        words = rng.choice(["a", "ab", "abcd"])
        candidate, *references = (tuple(rng.choices(words, k=rng.randrange(14))) for _ in range(rng.randint(2, 4)))
        yield Segment(candidate, tuple(references))


def all_runs_side_by_side(segment):
    """Return all runs, and all parts of runs, as a list of (length, i, column), found cell by cell.

    `column` counts through the columns of all references, which lie side by side with an empty column after each."""
    start, out = 0, []
    for reference in segment.references:
        out += [(length, i, start + j) for length, i, j in all_runs(segment.candidate, reference)]
        start += len(reference) + 1
    return out


@pytest.mark.parametrize("seed", range(3))
def test_longest(seed):
    for segment in random_segments(seed):
        rows = grid(segment).rows
        parts = all_runs_side_by_side(segment)
        if not parts:
            continue
        length, begin = longest_runs_from(rows, run_starts_by_length(rows))
        assert length == max(parts)[0]
        found = [
            (length, i, column)
            for i, row in enumerate(begin)
            for column in range(row.bit_length())
            if row >> column & 1
        ]
        assert found == sorted(part for part in parts if part[0] == length)


@pytest.mark.parametrize("seed", range(3))
def test_doubled(seed):
    for segment in random_segments(seed):
        planes = run_starts_by_length(grid(segment).rows)
        parts = all_runs_side_by_side(segment)
        for power, plane in enumerate(planes):
            found = {
                (i, column) for i, row in enumerate(plane) for column in range(row.bit_length()) if row >> column & 1
            }
            assert found == {(i, column) for length, i, column in parts if length == 2**power}
        assert not [part for part in parts if part[0] == 2 ** len(planes)]


@pytest.mark.parametrize("seed", range(6))
def test_greedy_takes_the_longest_free_run_again_and_again(seed):
    for segment in random_segments(seed):
        rows, _, columns = grid(segment)
        words = GreedyRuns(rows, columns)
        used_rows, used_columns, expected = set(), set(), []
        for length, i, column in sorted(all_runs_side_by_side(segment), reverse=True):
            across, down = range(column, column + length), range(i, i + length)
            if used_rows.isdisjoint(down) and used_columns.isdisjoint(across):
                used_rows.update(down)
                used_columns.update(across)
                expected.append((length, i, column))
        assert words.long_runs + words.take_single_cells() == expected
