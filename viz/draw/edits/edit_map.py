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
        """Return the indices of the edits of each row of this map, in the order of the texts.

        A move has two edits, any other row one."""
        out: dict[tuple[str, int], list[int]] = {}
        for number, edit in enumerate(self.edits):
            out.setdefault(("alone", number) if edit.move is None else ("move", edit.move), []).append(number)
        return tuple(map(tuple, out.values()))

    @cached_property
    def row_of(self) -> tuple[int, ...]:
        """Return the index of the row that each edit of this map belongs to."""
        row_by_edit = {number: row for row, numbers in enumerate(self.rows) for number in numbers}
        return tuple([row_by_edit[number] for number in range(len(self.edits))])

    def row_name(self, row: int) -> str:
        """Return the name by which scripts, links and files know a row, such as "edit:2"."""
        return f"{self.name}:{row}"

    def spans(self, row: int) -> list[EditSpan]:
        """Return the ranges of words that each edit of a row removes and inserts."""
        return [span_of(self.edits[number]) for number in self.rows[row]]

    def is_move(self, row: int) -> bool:
        """Return whether a row is a move: words removed in one place and inserted in another."""
        return self.edits[self.rows[row][0]].move is not None

    def phrases(self, row: int) -> tuple[Words, Words]:
        """Return the words that the edits of a row remove, and those that they insert.

        For a move both are the moved words."""
        spans = self.spans(row)
        gone_words, came = (
            [word for span in spans for word in self.a[span.a : span.a_end]],
            [word for span in spans for word in self.b[span.b : span.b_end]],
        )
        return gone_words, came

    def word_names(self, row: int) -> list[str]:
        """Return the names of the words that a row removes (such as `a3`) and inserts (`b4`)."""
        a, b = self.sides
        spans = self.spans(row)
        return [f"{a}{i}" for span in spans for i in range(span.a, span.a_end)] + [
            f"{b}{j}" for span in spans for j in range(span.b, span.b_end)
        ]

    def pieces(self) -> Iterator[tuple[int | None, EditSpan]]:
        """Yield both texts from beginning to end as (index of the edit, span) pairs.

        The index is None for words that both texts have."""
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
    """Return the ranges of the words that an edit removes and inserts."""
    return EditSpan(edit.start, edit.end, edit.at, edit.at + len(edit.words))


class MetricShares(NamedTuple):
    """The shares of the edits by one metric: what each edit adds to the score.

    Attributes:
        metric: the metric.
        shares: one share for each edit, in their order, or () where there are none.
        problem: sentence on why there are no shares, or "" while they are not computed yet."""

    metric: Metric
    shares: tuple[EditShare, ...] = ()
    problem: str = ""

    @property
    def sampled(self) -> int:
        """Return the number of random orders of the edits over which the shares were averaged; 0 if they are exact."""
        return self.shares[0].orders if self.shares else 0

    def share(self, edit_map: EditMap, row: int) -> float:
        """Return the share of the row's edit by this metric.

        A move is one row but two edits, a deletion and an insertion; their shares are added."""
        return sum([self.shares[number].share for number in edit_map.rows[row]])

    def score_without(self, edit_map: EditMap, row: int) -> float:
        """Return B's score by this metric with only the edits of this row undone."""
        return self.shares[edit_map.rows[row][0]].back

    def gain(self, edit_map: EditMap, row: int) -> float:
        """Return by how much a row improves the score by this metric; negative where the row makes the score worse."""
        share = self.share(edit_map, row)
        return share if self.metric.higher_is_better else -share
