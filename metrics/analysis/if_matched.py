"""The candidate as it would be if a given word of it, or of a reference, matched.

This is the change that a reader has in mind who asks why a word does not match. The edits to the reference say where
words belong (`edit_shares.word_edits`). Of the edit that contains the word, only this word is changed: it is replaced
by the reference word in its place, removed if there is none, added if it is missing, or moved if it only is elsewhere.
If a candidate word and a reference word are given together, the candidate word moves to the place of the reference
word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..types import Tokens
from .edit_shares import WordEdit, apply_edits, word_edits


def edits_to_match(candidate: Tokens, reference: Tokens, i: int | None, j: int | None) -> tuple[WordEdit, ...]:
    """Return the edits after which candidate word `i` matches, or reference word `j`, or both match each other.

    None stands for no word. If both are given, the candidate word moves to where the reference has the other one, and
    replaces whatever is there. There are no edits if both are in their places, each paired with another word, or if
    moving the word would not change the text. Then no word is wrong, and the metric has chosen not to use the match.

    >>> changes = edits_to_match(("the", "hat", "a", "tail"), ("the", "cat", "has", "a", "tail"), None, 2)
    >>> [(each.start, each.end, each.words) for each in changes]
    [(2, 2, ('has',))]
    >>> [(e.start, e.end, e.words) for e in edits_to_match(tuple("abxyz"), tuple("xyzab"), 0, None)]
    [(0, 2, ()), (5, 5, ('a', 'b'))]
    >>> [(e.start, e.end, e.words) for e in edits_to_match(tuple("atbt"), tuple("atbc"), 3, 1)]
    [(1, 2, ('t',)), (3, 4, ())]
    """
    edits = word_edits(candidate, reference)
    ours = next((edit for edit in edits if i is not None and edit.start <= i < edit.end), None)
    theirs = next((edit for edit in edits if j is not None and edit.at <= j < edit.at + len(edit.words)), None)
    if i is not None and j is not None and (ours or theirs) and not _moves_together(ours, theirs, i, j):
        place = next(each for each in _single_word_edits(theirs) if each.words and each.at == j).start if theirs else -1
        comes = WordEdit(place, place, reference[j : j + 1], j, None) if theirs else _substitution(edits, reference, j)
        changes = [WordEdit(i, i + 1, (), j, None), comes]
        changes.sort(key=lambda each: (each.start, each.end))
        return tuple(changes) if apply_edits(candidate, changes) != candidate else ()
    moves = {edit.move for edit in (ours, theirs) if edit and edit.move is not None}
    chosen_edits = [edit for edit in edits if edit.move in moves]
    if ours and i is not None and ours.move is None:
        chosen_edits += [each for each in _single_word_edits(ours) if each.start == i < each.end]
    if theirs and j is not None and theirs.move is None:
        chosen_edits += [each for each in _single_word_edits(theirs) if each.words and each.at == j]
    return tuple(sorted(chosen_edits, key=lambda each: (each.start, each.end, each.at)))


def _moves_together(ours: WordEdit | None, theirs: WordEdit | None, i: int, j: int) -> bool:
    """Return whether candidate word `i` and reference word `j` are the same word of one move.

    `ours` and `theirs` are the edits that contain the two words, None for a word that no edit contains.
    """
    if ours is None or theirs is None or ours.move is None or ours.move != theirs.move:
        return False
    return i - ours.start == j - theirs.at


def _substitution(edits: Sequence[WordEdit], reference: Tokens, j: int) -> WordEdit:
    """Return the edit that replaces the candidate word paired with reference word `j` by that reference word.

    No edit contains reference word `j`, so it is paired with an equal candidate word; `edits` are those of the word
    diff.
    """
    place = j + sum([edit.end - edit.start - len(edit.words) for edit in edits if edit.at <= j])
    return WordEdit(place, place + 1, reference[j : j + 1], j, None)


def _single_word_edits(edit: WordEdit) -> Iterator[WordEdit]:
    """Yield an edit as edits of one word each.

    Words at the same offset replace each other, the rest are added or removed.
    """
    gone_count, came = edit.end - edit.start, len(edit.words)
    for t in range(max(gone_count, came)):
        start, at = edit.start + min(t, gone_count), edit.at + min(t, came)
        yield WordEdit(start, start + (t < gone_count), edit.words[t : t + 1], at, None)


def removed_and_added_positions(changes: Iterable[WordEdit]) -> tuple[list[int], list[int]]:
    """Return the positions of the candidate's words that the edits remove, and of the reference's words that they add.

    >>> removed_and_added_positions([WordEdit(1, 2, ("b",), 0, None)])
    ([1], [0])
    """
    gone_places, came = list[int](), list[int]()
    for edit in changes:
        gone_places += range(edit.start, edit.end)
        came += range(edit.at, edit.at + len(edit.words))
    return gone_places, came
