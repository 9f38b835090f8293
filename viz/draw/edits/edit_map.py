"""Define the edits between two texts as they are drawn: the words as typed, and which edits are shown as one row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from metrics.analysis.edit_shares import EditShare, WordEdit
from metrics.types import Metric

Words: TypeAlias = Sequence[str]
#: An edit, without or with its share.
Edit: TypeAlias = WordEdit | EditShare


class EditSpan(NamedTuple):
    """Words of A and of B that replace each other, as half-open ranges of positions.

    A range is empty where words were only added or only removed."""

    a: int
    a_end: int
    b: int
    b_end: int


@dataclass(frozen=True)
class EditMap:
    """The edits that turn A into B, with the words of both as typed.

    Edits are known by their indices. A row is what is shown and selected as one: a single edit, or both ends of a
    move. Rows have indices of their own. `sides` are the prefixes of the names of A's and of B's words (`a3`, `b4`;
    `c3`, `r0_4`), and `name` is the prefix of the names of rows (`edit:2`)."""

    a: tuple[str, ...]
    b: tuple[str, ...]
    edits: Sequence[Edit]
    sides: tuple[str, str] = ("a", "b")
    name: str = "edit"

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """Return the indices of the edits of each row, in the order of the texts: two for a move, else one."""
        out: dict[tuple[str, int], list[int]] = {}
        for number, edit in enumerate(self.edits):
            out.setdefault(("alone", number) if edit.move is None else ("move", edit.move), []).append(number)
        return tuple(map(tuple, out.values()))

    @cached_property
    def row_of(self) -> tuple[int, ...]:
        """Return the row of each edit."""
        row_by_edit = {number: row for row, numbers in enumerate(self.rows) for number in numbers}
        return tuple([row_by_edit[number] for number in range(len(self.edits))])

    def term(self, row: int) -> str:
        """Return the name by which scripts, links and files know a row."""
        return f"{self.name}:{row}"

    def spans(self, row: int) -> list[EditSpan]:
        """Return the words that the edits of a row remove and insert."""
        return [span_of(self.edits[number]) for number in self.rows[row]]

    def moves(self, row: int) -> bool:
        """Return whether a row is a move."""
        return self.edits[self.rows[row][0]].move is not None

    def phrases(self, row: int) -> tuple[Words, Words]:
        """Return the words that a row removes and those that it inserts; for a move both are the moved words."""
        spans = self.spans(row)
        gone_words, came = (
            [word for span in spans for word in self.a[span.a : span.a_end]],
            [word for span in spans for word in self.b[span.b : span.b_end]],
        )
        return gone_words, came

    def names(self, row: int) -> list[str]:
        """Return the names of the words of a row."""
        a, b = self.sides
        spans = self.spans(row)
        return [f"{a}{i}" for span in spans for i in range(span.a, span.a_end)] + [
            f"{b}{j}" for span in spans for j in range(span.b, span.b_end)
        ]

    def pieces(self) -> Iterator[tuple[int | None, EditSpan]]:
        """Yield both texts from beginning to end as (edit, span) pairs; the edit is None for words that both have."""
        i = j = 0
        for number, edit in enumerate(self.edits):
            span = span_of(edit)
            if span.a > i:
                yield None, EditSpan(i, span.a, j, span.b)
            yield number, span
            i, j = span.a_end, span.b_end
        if i < len(self.a):
            yield None, EditSpan(i, len(self.a), j, len(self.b))


def span_of(edit: Edit) -> EditSpan:
    """Return the words that an edit removes and inserts."""
    return EditSpan(edit.start, edit.end, edit.at, edit.at + len(edit.words))


class MetricShares(NamedTuple):
    """The shares of the edits by one metric.

    Attributes:
        metric: the metric.
        shares: one share for each edit, in their order, or () where there are none.
        problem: sentence on why there are no shares, or "" while they are not computed yet."""

    metric: Metric
    shares: tuple[EditShare, ...] = ()
    problem: str = ""

    @property
    def sampled(self) -> int:
        """Return over how many orders of the edits the shares are means, or 0 where they are exact."""
        return self.shares[0].orders if self.shares else 0

    def share(self, edit_map: EditMap, row: int) -> float:
        """Return the share of a row; for a move the sum of both edits."""
        return sum([self.shares[number].share for number in edit_map.rows[row]])

    def score_without(self, edit_map: EditMap, row: int) -> float:
        """Return B's score with only this row undone."""
        return self.shares[edit_map.rows[row][0]].back

    def gain(self, edit_map: EditMap, row: int) -> float:
        """Return by how much a row improves the score; negative where it makes it worse."""
        share = self.share(edit_map, row)
        return share if self.metric.higher_is_better else -share
