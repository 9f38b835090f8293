"""The candidate if a word of it matched, or one of a reference: the change that a reader has in mind who asks so.

The edits to the reference say where words belong (`edit_shares.word_edits`). Of the edit in which the word stands only
this word is changed: it is replaced by the word that stands in its place in the reference, a word without such a place
is taken out, one that is missing is put in, and what only stands elsewhere is moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..types import Tokens
from .edit_shares import WordEdit, word_edits


def if_matched(candidate: Tokens, reference: Tokens, i: int | None, j: int | None) -> tuple[WordEdit, ...]:
    """The changes by which candidate word i, reference word j, or the one with the other would match.

    Where the reference word has its like in its place already, the other word is asked about alone; and nothing is
    changed where that stands in its place as well: then no word is wrong, and what is not used is the metric's choice.

    >>> changes = if_matched(("the", "hat", "a", "tail"), ("the", "cat", "has", "a", "tail"), None, 2)
    >>> [(each.start, each.end, each.words) for each in changes]
    [(2, 2, ('has',))]
    >>> [(e.start, e.end, e.words) for e in if_matched(tuple("abxyz"), tuple("xyzab"), 0, None)]
    [(0, 2, ()), (5, 5, ('a', 'b'))]
    """
    edits = word_edits(candidate, reference)
    ours = next((edit for edit in edits if i is not None and edit.start <= i < edit.end), None)
    theirs = next((edit for edit in edits if j is not None and edit.at <= j < edit.at + len(edit.words)), None)
    if theirs is None:
        j = None
    moves = {edit.move for edit in (ours, theirs) if edit and edit.move is not None}
    changes = {edit for edit in edits if edit.move in moves}
    if ours and i is not None and ours.move is None:
        single = next(each for each in _words(ours) if each.start == i < each.end)
        # With another word of the reference, the word goes from where it stands, and nothing comes there.
        changes.add(single if j is None else single._replace(words=()))
    if theirs and j is not None and theirs.move is None:
        single = next(each for each in _words(theirs) if each.words and each.at == j)
        changes = {each for each in changes if not single.start <= each.start < single.end}
        changes.add(single)
    return tuple(sorted(changes, key=lambda each: (each.start, each.end, each.at)))


def _words(edit: WordEdit) -> Iterator[WordEdit]:
    """An edit word by word: each for the one that stands as far from the beginning, the rest alone."""
    gone, came = edit.end - edit.start, len(edit.words)
    for t in range(max(gone, came)):
        start, at = edit.start + min(t, gone), edit.at + min(t, came)
        yield WordEdit(start, start + (t < gone), edit.words[t : t + 1], at, None)


def gone_and_came(changes: Iterable[WordEdit]) -> tuple[list[int], list[int]]:
    """The places of the candidate's words that are taken away, and those of the reference's that are put in.

    >>> gone_and_came([WordEdit(1, 2, ("b",), 0, None)])
    ([1], [0])
    """
    gone, came = list[int](), list[int]()
    for edit in changes:
        gone += range(edit.start, edit.end)
        came += range(edit.at, edit.at + len(edit.words))
    return gone, came
