"""Test the edits that would make a given word of the candidate match."""

from __future__ import annotations

import itertools

import pytest

from metrics.analysis.edit_shares import apply_edits
from metrics.analysis.if_matched import edits_to_match, removed_and_added_positions
from tests.helpers.output_pairs import random_pairs, real_pairs


@pytest.mark.parametrize(
    ("candidate", "reference", "i", "j", "after"),
    [
        ("a x c", "a b c", 1, None, "a b c"),  # replaced
        ("a x c", "a b c", None, 1, "a b c"),
        ("a x c", "a c", 1, None, "a c"),  # taken out
        ("a c", "a b c", None, 1, "a b c"),  # put in
        ("a x y c", "a b c", 2, None, "a x c"),  # the second of two substitutes is surplus
        ("a x c", "a b d c", None, 2, "a x d c"),
        ("the cat sat quietly", "quietly the cat sat", 3, None, "quietly the cat sat"),  # moved
        ("the cat sat quietly", "quietly the cat sat", None, 0, "quietly the cat sat"),
        ("the cat sat quietly", "quietly the cat sat", 3, 0, "quietly the cat sat"),
        ("a b a", "a b a", 0, 2, "a b a"),  # an unused match of words that are already in place
        ("the a b", "a b the c", 0, 2, "a b the"),  # a misplaced word moves to where it is missing
        ("a the b the", "a the b c", 3, 1, "a the b"),  # the word replaces the word at that position
        ("a the b c", "a the b the", 1, 3, "a b the c"),  # the word leaves its own position for the other
        ("the b", "the the b", 0, 1, "the b"),  # the word is already at the target position
    ],
)
def test_the_change_a_reader_has_in_mind(candidate, reference, i, j, after):
    words = tuple(candidate.split())
    assert " ".join(apply_edits(words, edits_to_match(words, tuple(reference.split()), i, j))) == after


@pytest.mark.parametrize("pairs", [random_pairs(21, 60), real_pairs(22, 15)], ids=["random", "real"])
def test_only_words_of_that_edit_change(pairs):
    """Check the edit for each single word and each pair of equal words: it removes and adds only the words it names.

    Only words of the candidate go, and only words of the reference come."""
    for a, b, _ in pairs:
        asked = [(i, None) for i in range(len(a))] + [(None, j) for j in range(len(b))]
        asked += [(i, j) for i, j in itertools.product(range(len(a)), range(len(b))) if a[i] == b[j]][:40]
        for i, j in asked:
            changes = edits_to_match(a, b, i, j)
            gone, came = removed_and_added_positions(changes)
            assert len({*gone}) == len(gone) and len({*came}) == len(came)
            assert all(e.words == b[e.at : e.at + len(e.words)] for e in changes)
            if i is not None and j is None and changes:
                assert i in gone
            if i is None and changes:
                assert j in came
            new = apply_edits(a, changes)
            assert len(new) == len(a) - len(gone) + len(came)
