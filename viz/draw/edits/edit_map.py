"""The edits between two texts as they are drawn: the words of both as they were typed, and the edits that are shown as
one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from metrics.analysis.edit_shares import EditShare, WordEdit
from metrics.types import Metric

Words: TypeAlias = Sequence[str]
#: An edit alone, or with what it is worth.
Edit: TypeAlias = WordEdit | EditShare


class EditSpan(NamedTuple):
    """Words of A and of B, half-open, that stand in each other's place; no words of one of them where the others only
    went or came."""

    a: int
    a_end: int
    b: int
    b_end: int


@dataclass(frozen=True)
class EditMap:
    """The edits that make B of A, both as the words that were typed.

    Edits are known by their numbers, and what is shown and chosen as one, an edit or both ends of a move, is a row with
    a number of its own. `sides` begin the names of A's and of B's words (`a3`, `b4`; `c3`, `r0_4`), and `name` those
    of the rows (`edit:2`).
    """

    a: tuple[str, ...]
    b: tuple[str, ...]
    edits: Sequence[Edit]
    sides: tuple[str, str] = ("a", "b")
    name: str = "edit"

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the edits of each row, in the order of the texts: of a move both, else one."""
        out: dict[tuple[str, int], list[int]] = {}
        for number, edit in enumerate(self.edits):
            out.setdefault(("alone", number) if edit.move is None else ("move", edit.move), []).append(number)
        return tuple(map(tuple, out.values()))

    @cached_property
    def row_of(self) -> tuple[int, ...]:
        """For each edit the number of its row."""
        row_by_edit = {number: row for row, numbers in enumerate(self.rows) for number in numbers}
        return tuple([row_by_edit[number] for number in range(len(self.edits))])

    def term(self, row: int) -> str:
        """The name by which scripts, links and files know a row."""
        return f"{self.name}:{row}"

    def spans(self, row: int) -> list[EditSpan]:
        """The words that the edits of a row take away and put in."""
        return [span_of(self.edits[number]) for number in self.rows[row]]

    def moves(self, row: int) -> bool:
        return self.edits[self.rows[row][0]].move is not None

    def phrases(self, row: int) -> tuple[Words, Words]:
        """The words that a row takes away and those that it puts in; of a move both are the words that move."""
        spans = self.spans(row)
        gone_words, came = (
            [word for span in spans for word in self.a[span.a : span.a_end]],
            [word for span in spans for word in self.b[span.b : span.b_end]],
        )
        return gone_words, came

    def names(self, row: int) -> list[str]:
        """The names of the words of a row."""
        a, b = self.sides
        spans = self.spans(row)
        return [f"{a}{i}" for span in spans for i in range(span.a, span.a_end)] + [
            f"{b}{j}" for span in spans for j in range(span.b, span.b_end)
        ]

    def pieces(self) -> Iterator[tuple[int | None, EditSpan]]:
        """Both texts from their beginning to their end: the number of an edit with its words, or None with words that
        both have."""
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
    return EditSpan(edit.start, edit.end, edit.at, edit.at + len(edit.words))


class Worth(NamedTuple):
    """What a metric gives for the edits: a share for each, in their order, or no shares and the reason, which is a
    sentence; "" as long as they have not been looked for."""

    metric: Metric
    shares: tuple[EditShare, ...] = ()
    problem: str = ""

    @property
    def sampled(self) -> int:
        """Of how many orders the shares are means, 0 where they are of all."""
        return self.shares[0].orders if self.shares else 0

    def share(self, edit_map: EditMap, row: int) -> float:
        """What a row is worth, of a move both edits."""
        return sum([self.shares[number].share for number in edit_map.rows[row]])

    def back(self, edit_map: EditMap, row: int) -> float:
        """B's score with this row alone taken back."""
        return self.shares[edit_map.rows[row][0]].back

    def gain(self, edit_map: EditMap, row: int) -> float:
        """By how much a row makes the score better, below 0 where it makes it worse."""
        share = self.share(edit_map, row)
        return share if self.metric.higher_is_better else -share
