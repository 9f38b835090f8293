"""Test METEOR's matchings: most matches, then fewest chunks, then smallest sum of distances |i - j|.

Two slow programs check the fast one: one lists all matchings, the other is METEOR 1.5's beam search step by step."""

from __future__ import annotations

import random
from itertools import product

import pytest

from metrics.alignment import meteor_beam as beams
from metrics.alignment import meteor_chunks as chunks
from metrics.alignment.bitext import Reference
from metrics.alignment.meteor_beam import beam_search_matching
from metrics.alignment.meteor_cells import (
    all_nearest_matchings,
    count_chunks,
    nearest_matching,
    nearest_matching_within,
)
from metrics.alignment.meteor_chunks import MeteorPairs, max_compatible_joints
from metrics.types import TooHard
from metrics.types.work import limited
from tests.helpers.matchings import all_matchings, best_matchings, matching_cost


def make_meteor_pairs(candidate, reference, loose=None):
    return MeteorPairs(Reference(tuple(candidate)), Reference(tuple(reference)), loose)


def random_matching_problem(rng):
    """Return a random (candidate, reference, loose, allowed cells) for METEOR.

    Both texts use few distinct words. `loose` maps a word to the only cells (i, j) in which this word may match; all
    other
    equal words match everywhere."""
    words = rng.choice(["ab", "abc", "aab", "abcdef"])
    candidate, reference = (tuple(rng.choices(words, k=rng.randrange(7))) for _ in range(2))
    allowed = {(i, j) for i, a in enumerate(candidate) for j, b in enumerate(reference) if a == b}
    loose = {}
    for key in sorted({*candidate} & {*reference}):
        cells = sorted((i, j) for i, j in allowed if candidate[i] == key)
        some = frozenset(cell for cell in cells if rng.random() < 0.6)
        if rng.random() < 0.5 and some and len(some) < len(cells):
            loose[key] = some
            allowed -= {*cells} - some
    return candidate, reference, loose, allowed


@pytest.mark.parametrize("seed", range(4))
def test_the_best_of_all_matchings(seed):
    rng = random.Random(seed)
    seen_loose = 0
    for _ in range(1500):
        candidate, reference, loose, allowed = random_matching_problem(rng)
        found = make_meteor_pairs(candidate, reference, loose)
        least, best = best_matchings(len(candidate), len(reference), allowed)
        cells, certain = found.matching()
        assert cells in best and certain
        assert (-found.matches, found.chunks) == least[:2]
        assert count_chunks(cells) == found.chunks
        fixed, choices, complete = found.alternatives()
        listed = [tuple(sorted(sum(picked, fixed))) for picked in product(*choices)]
        assert complete and len(listed) == len(set(listed)) and set(listed) == set(best)
        seen_loose += bool(loose)
    assert seen_loose > 200


# Candidate, reference, number of matches, fewest chunks, smallest distance among matchings with so few chunks.
EXAMPLES = [
    ("a b c", "a b c", 3, 1, 0, "one chunk"),
    ("a b c", "c b a", 3, 3, 4, "reversed"),
    ("the cat the dog", "the dog saw the cat", 4, 2, 10, "two chunks that cross, further than matching in order"),
    ("the x the", "the", 1, 1, 0, "the nearest of two equally good words"),
    ("a b a b", "a b", 2, 1, 0, "the nearest of two equally good chunks"),
    ("a b x a b", "y a b", 2, 1, 2, "the first pair is one off, the second two"),
    ("b a b c", "a b c b", 4, 2, 6, "a longer chunk is worth a longer way"),
    ("a a a", "a a a a a", 3, 1, 0, "a run slides to where it is nearest"),
    ("x", "y", 0, 0, 0, "nothing in common"),
    ("", "a", 0, 0, 0, "empty candidate"),
    ("a", "", 0, 0, 0, "empty reference"),
    ("", "", 0, 0, 0, "both empty"),
]


@pytest.mark.parametrize(("candidate", "reference", "matches", "fewest", "distance", "why"), EXAMPLES)
def test_worked_example(candidate, reference, matches, fewest, distance, why):
    found = make_meteor_pairs(candidate.split(), reference.split())
    cells = found.matching().cells
    assert (found.matches, found.chunks) == (matches, fewest), why
    assert matching_cost(cells) == (-matches, fewest, distance), why


def test_loose_words_keep_all_their_matches():
    """Check that a loose word, which may match only in given cells, keeps its only partner.

    METEOR's search joins neighbouring matches into chunks. It must not make a joint that takes this partner away."""
    loose = {"k": frozenset({(0, 0), (0, 2), (2, 0)})}
    found = make_meteor_pairs("kbk", "kbk", loose)
    assert found.matches == 3
    assert found.matching().cells == ((0, 2), (1, 1), (2, 0)) and found.chunks == 3


@pytest.mark.parametrize("seed", range(2))
def test_nearest_matchings(seed):
    rng = random.Random(seed)
    for _ in range(400):
        rows, columns = (tuple(sorted(rng.sample(range(9), rng.randrange(5)))) for _ in range(2))
        every = {(i, j) for i in rows for j in columns}
        some = frozenset(cell for cell in sorted(every) if rng.random() < 0.6)
        for allowed, found, cells in (
            (every, nearest_matching(rows, columns), None),
            (some, nearest_matching_within(rows, columns, some), some),
        ):
            matchings = list(all_matchings(9, 9, allowed))
            least = min((-len(m), sum(abs(i - j) for i, j in m)) for m in matchings)
            best = {m for m in matchings if (-len(m), sum(abs(i - j) for i, j in m)) == least}
            assert tuple(found) in best
            listed = list(all_nearest_matchings(rows, columns, cells))
            assert len(listed) == len(best) and set(listed) == best


def test_words_of_one_kind_are_matched_in_order_and_to_the_left():
    assert nearest_matching([2, 3], [0, 1, 4, 5]) == [(2, 1), (3, 4)]
    assert nearest_matching([3], [2, 4]) == [(3, 2)]
    assert nearest_matching([2, 4], [3]) == [(2, 3)]


def random_meteor_pairs(rng, words, length):
    """Return the `MeteorPairs` of a random candidate and reference, each of `length` words drawn from `words`."""
    return make_meteor_pairs(rng.choices(words, k=length), rng.choices(words, k=length))


def test_too_many_choices_are_too_hard_and_say_so():
    with pytest.raises(TooHard, match="more than 20000 steps"):
        random_meteor_pairs(random.Random(1), "ab", 60).chunks  # noqa: B018, reading the property runs the search


@pytest.mark.parametrize("seed", range(3))
def test_the_most_joints_together(seed):
    """Check the largest number of joints that fit together, against a search through all subsets of joints.

    A joint is a pair of neighbouring matches. Joints fit together if no word gets two different partners."""
    rng = random.Random(seed)
    for _ in range(200):
        joints = rng.sample([*product(range(5), repeat=2)], rng.randrange(9))
        most = 0
        for chosen in product([False, True], repeat=len(joints)):
            cells = {
                cell for (i, j), taken in zip(joints, chosen, strict=True) if taken for cell in [(i, j), (i + 1, j + 1)]
            }
            if len({i for i, _ in cells}) == len({j for _, j in cells}) == len(cells):
                most = max(most, sum(chosen))
        assert max_compatible_joints(joints) == most


def test_few_joints_cannot_take_too_many_steps():
    """Check that trying every subset of at most `FEW` joints takes at most `STEPS` steps, so it needs no limit.

    A joint is a pair of neighbouring matches."""
    assert sum(2**count for count in range(chunks.FEW + 1)) < chunks.STEPS


def test_a_distance_that_is_not_certain_is_said(monkeypatch):
    """Check that a search that is cut short reports an uncertain distance; its matches and chunks are still right."""
    rng = random.Random(5)
    uncertain = 0
    for _ in range(60):
        candidate, reference = (rng.choices("abc", k=9) for _ in range(2))
        whole = make_meteor_pairs(candidate, reference)
        monkeypatch.setattr(chunks, "STEPS", 20_000)
        expected = whole.matching().cells
        monkeypatch.setattr(chunks, "STEPS", 25)
        monkeypatch.setattr(chunks, "FEW", 0)
        hasty = make_meteor_pairs(candidate, reference)
        try:
            fewest = hasty.chunks
        except TooHard:
            continue
        cells, certain = hasty.matching()
        assert (len(cells), count_chunks(cells)) == (len(expected), fewest)
        assert matching_cost(cells) >= matching_cost(expected)
        assert matching_cost(cells) == matching_cost(expected) or not certain
        if not certain:
            assert not hasty.alternatives().complete
        uncertain += not certain
    assert uncertain


@pytest.mark.parametrize(
    ("candidate", "reference", "fewest"),
    [("a" * 400, "a" * 400, 1), ("a" * 80, "a" * 79, 1), ("ab" * 40, "ba" * 40, 2), ("a" * 40, "a" * 80, 1)],
    ids=["400 equal", "80 and 79", "shifted by one", "half as long"],
)
def test_equal_words_are_quick(candidate, reference, fewest):
    with limited(200_000):
        found = make_meteor_pairs(candidate, reference)
        assert found.chunks == fewest
        assert count_chunks(found.matching().cells) == fewest


def test_more_alternatives_than_are_told_apart():
    """Check that nine equal words against nine equal words exceed the limit on alternatives, which are permutations."""
    candidate = ["a", "x"] * 9 + ["y"] * 40
    reference = ["z"] * 40 + ["a", "w"] * 9
    _, choices, complete = make_meteor_pairs(candidate, reference).alternatives()
    assert not complete and len(choices[0]) == chunks.MOST


# ---------------------------------------------------------------- METEOR 1.5's beam search


def meteor_beam_cells(choices, candidate_length, beam_size=40):
    """Return the cells (i, j) that METEOR 1.5's `Aligner.resolve` chooses, following its beam search step by step.

    `choices[j]` lists (weight, i) for each candidate word that reference word `j` may match. The candidate has
    `candidate_length` words. The search keeps the `beam_size` best paths."""
    covered = [sum(i == row for column in choices for _, i in column) for row in range(candidate_length)]
    matched = {j: c[0] for j, c in enumerate(choices) if len(c) == 1 and covered[c[0][1]] == 1}
    following = [{"matches": 0, "chunks": 0, "distance": 0, "end": -1, "used": set(), "cells": []}]
    for j in range(len(choices) + 1):
        paths = sorted(following, key=lambda p: (-p["matches"], p["chunks"], p["distance"]))[:beam_size]
        following = []
        for path in paths:
            if j == len(choices):
                path["chunks"] += path["end"] != -1
                following.append(path)
                continue
            if j in matched:
                weight, i = matched[j]
                path["matches"] += weight
                path["chunks"] += path["end"] not in (-1, i)
                path["end"] = i + 1
                path["distance"] += abs(j - i)
                path["cells"].append((i, j))
                following.append(path)
                continue
            for weight, i in choices[j]:
                if i not in path["used"]:
                    new = {**path, "used": path["used"] | {i}, "cells": [*path["cells"], (i, j)], "end": i + 1}
                    new["matches"] += weight
                    new["chunks"] += path["end"] not in (-1, i)
                    path["distance"] += abs(j - i)
                    following.append(new)
            path["chunks"] += path["end"] != -1
            path["end"] = -1
            following.append(path)
    best = min(following, key=lambda p: (-p["matches"], p["chunks"], p["distance"]))
    return tuple(sorted(best["cells"]))


@pytest.mark.parametrize("size", [2, 40])
def test_the_beam_search_is_that_of_meteor(monkeypatch, size):
    monkeypatch.setattr(beams, "BEAM", size)
    rng = random.Random(size)
    for _ in range(300):
        words = rng.choice(["abc", "abcdefgh", "abcdefghijklmnop"])
        candidate, reference = (rng.choices(words, k=rng.randrange(14)) for _ in range(2))
        weight = {word: rng.choice([0, 1, 1]) for word in words}
        choices = [[(weight[b], i) for i, a in enumerate(candidate) if a == b] for b in reference]
        assert beam_search_matching(choices, len(candidate)) == meteor_beam_cells(choices, len(candidate), size)


def test_a_wide_beam_finds_the_fewest_chunks(monkeypatch):
    """Check that a beam wide enough for all paths finds the most matches and the fewest chunks.

    The distance may differ, because METEOR's code adds it to the wrong path."""
    monkeypatch.setattr(beams, "BEAM", 100_000)
    rng = random.Random(3)
    for _ in range(200):
        candidate, reference = (rng.choices("abcd", k=rng.randrange(7)) for _ in range(2))
        choices = [[(1, i) for i, a in enumerate(candidate) if a == b] for b in reference]
        cells = beam_search_matching(choices, len(candidate))
        found = make_meteor_pairs(candidate, reference)
        assert (len(cells), count_chunks(cells)) == (found.matches, found.chunks)
