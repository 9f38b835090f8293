"""Explains in one sentence why a score is what it is: what its metric counts, and which edit costs most.

What the metric counts comes from `Metric.account`.

>>> from metrics import METRICS, edits, score
>>> ours, reference = "we had a equal right to it".split(), "we had an equal right to this".split()
>>> found = verdict(METRICS["wer"], score("wer", ours, [reference]), edits("wer", ours, reference, [reference]))
>>> found.text
'WER 0.286: 2 errors: 2 words wrong; 5 of 7 words can stay. Biggest cost: “a” for “an”, 0.143.'
>>> found.words, found.matched, found.pieces, found.longest, found.errors, round(found.cost.share, 3)
(7, 5, None, None, 2, -0.143)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..types import Account, Metric, Result, matched_words_clause, score_text
from .deciding_references import count_edits
from .difference import matched_cells
from .edit_sentence import edit_rows, fault_parts
from .edit_shares import EditShare, WordEdit, apply_edits
from .phrases import QuotedWords, SentencePart
from .sentence import plain_text

__all__ = ["DearestEdit", "ResultVerdict", "verdict"]


class DearestEdit(NamedTuple):
    """The edit that costs most, and what making it would add to the score.

    Attributes:
        edits: the edit, or the two edits of a move.
        share: its share; for a move, the sum of both shares.
        to: the index of the reference that the edits lead to, the first of equal ones; None if they lead to another
            text.
    """

    edits: tuple[EditShare, ...]
    share: float
    to: int | None = None


@dataclass(frozen=True, slots=True)
class ResultVerdict:
    """The sentence that explains a result, in parts, and its numbers.

    `statement` is the part on the result, and `costs` is the part on the edit that costs most. `words`, `matched` and
    `longest` are numbers of words, `pieces` is the number of runs, `errors` the number of errors; None where the metric
    does not count them. `cost` is the edit that costs most.
    """

    statement: tuple[SentencePart, ...]
    costs: tuple[SentencePart, ...]
    words: int
    matched: int | None
    pieces: int | None
    longest: int | None
    errors: int | None
    cost: DearestEdit | None

    @property
    def parts(self) -> tuple[SentencePart, ...]:
        """The whole sentence; parts that are words quote the texts."""
        return (*self.statement, SentencePart(" "), *self.costs) if self.costs else self.statement

    @property
    def text(self) -> str:
        """The sentence as plain text, with words in quotation marks and unprintable characters as U+FFFD."""
        return plain_text(self.parts)

    def to_dict(self) -> dict[str, Any]:
        """Return the sentence and its numbers as a dict of JSON's types."""
        numbers = {name: getattr(self, name) for name in ("words", "matched", "pieces", "longest", "errors")}
        cost = self.cost and {"share": self.cost.share, "edits": [edit._asdict() for edit in self.cost.edits]}
        return {"text": self.text, **numbers, "cost": cost}


def verdict(
    metric: Metric,
    result: Result,
    edits: Sequence[EditShare] = (),
    quoted_words: QuotedWords | None = None,
    decimals: int = 3,
    numbers: Sequence[int] = (),
) -> ResultVerdict:
    """Return the sentence that explains a result, and its numbers.

    `edits` are the edits from its candidate to one of the references, with their shares. The words are the tokens, or
    those of `quoted_words`, whose `b` is the text that the edits lead to. The costs of a move's two edits are added. An
    edit whose share prints as 0 with `decimals` decimals is not named. `numbers` are the numbers that the reader sees
    for the references, by default counted from 1.
    """
    account = _account_for_result(metric, result)
    reference_numbers = numbers or range(1, len(result.segment.references) + 1)
    _check_edits(result, edits)
    cost = _find_dearest_edit(metric, edits)
    costs: Sequence[SentencePart] = ()
    if cost:
        reached = _references_reached(result, edits)
        cost = cost._replace(to=next(iter(reached), None))
        costs = _cost_parts(result, reached, cost, quoted_words, decimals, reference_numbers)
    statement = SentencePart(
        f"{metric.label} {score_text(result.score, decimals)}{_decided_by(result, reference_numbers)}: {account.says}."
    )
    return ResultVerdict((statement,), tuple(costs), len(result.segment.candidate), *account[1:], cost)


# ---------------------------------------------------------------- the result


def _account_for_result(metric: Metric, result: Result) -> Account:
    """Return what the metric counts in a result, in words and numbers.

    A text without words gets a statement of its own.
    """
    candidate, references = result.segment
    account = metric.account(result) if metric.account else _general_account(metric, result)
    if candidate and any(references):
        return account
    errors = f": {account.errors} error{'s' * (account.errors != 1)}" if account.errors else ""
    if candidate:
        which = "the reference has" if len(references) == 1 else "the references have"
    else:
        which = "the candidate has" if any(references) else "neither text has"
    return account._replace(says=f"{which} {'any words' if which.startswith('neither') else 'no words'}{errors}")


def _general_account(metric: Metric, result: Result) -> Account:
    """Return the matched words and the errors of a result, for any metric.

    They are read from its marks, or from the named parts of the score if it has no marks.
    """
    words, worse = len(result.segment.candidate), "" if metric.higher_is_better else "; lower is better"
    if not result.layers:
        parts = [f"{name.replace('_', ' ')} {value:.2f}" for name, value in result.parts.items()]
        return Account((", ".join(parts) or f"the candidate has {words} word{'s' * (words != 1)}") + worse)
    count = len({cell.i for cell in matched_cells(result)})
    errors = None if metric.higher_is_better else count_edits(result)
    return Account(f"{matched_words_clause(count, words)}{worse}", count, errors=errors)


def _decided_by(result: Result, reference_numbers: Sequence[int]) -> str:
    """Return a phrase that names the deciding references, or "" if there is only one reference or all are used.

    `reference_numbers` are the numbers that the reader sees for the references.
    """
    if len(result.segment.references) < 2:
        return ""
    decides = {part: reference_numbers[k] for part, k in result.decides.items()}
    if "score" in decides:
        return f" against reference {decides['score']}"
    if {*decides} != {"precision", "recall"}:
        return ""
    p, r = decides["precision"], decides["recall"]
    return f" against reference {p}" if p == r else f" against references {p} (precision) and {r} (recall)"


# ---------------------------------------------------------------- the dearest edit


def _check_edits(result: Result, edits: Sequence[EditShare]) -> None:
    """Raise TypeError if an entry of `edits` is not an EditShare, and ValueError if one ends beyond the candidate."""
    if isinstance(edits, str) or not isinstance(edits, Sequence) or not all(isinstance(e, EditShare) for e in edits):
        raise TypeError("edits must be those that `edits` gives")
    end = max([edit.end for edit in edits], default=0)
    if end > (n := len(result.segment.candidate)):
        raise ValueError(f"edits must be those of the result's candidate, which has {n} words; one ends at word {end}")


def _find_dearest_edit(metric: Metric, edits: Sequence[EditShare]) -> DearestEdit | None:
    """Return the edit that would improve the score most, the first one on ties, or None if no edit would improve it.

    A move counts as one edit, unless one of its two edits alone adds more.
    """
    sign = 1 if metric.higher_is_better else -1
    each = [*edit_rows(edits), *[(edit,) for edit in edits if edit.move is not None]]
    costs = [DearestEdit(row, math.fsum([edit.share for edit in row])) for row in each]
    dearest = max(costs, key=lambda cost: sign * cost.share, default=None)
    return dearest if dearest and sign * dearest.share > 0 else None


def _cost_parts(
    result: Result,
    to: Sequence[int],
    cost: DearestEdit,
    quoted_words: QuotedWords | None,
    decimals: int,
    reference_numbers: Sequence[int],
) -> list[SentencePart]:
    """Return the sentence parts on the edit that costs most; empty if its share prints as 0.

    `to` are the indexes of the references that the edits lead to, and `reference_numbers` the numbers that the reader
    sees for all references.
    """
    row, amounts = cost.edits, [f"{abs(edit.share):.{decimals}f}" for edit in cost.edits]
    if float(f"{cost.share:.{decimals}f}") == 0:
        return []
    ours = quoted_words.a if quoted_words else result.segment.candidate
    gone_words = [word for edit in row for word in ours[edit.start : edit.end]]
    came = [w for e in row for w in (quoted_words.b[e.at : e.at + len(e.words)] if quoted_words else e.words)]
    about = "≈ " if row[0].orders else ""
    amount = f"{about}{amounts[0]}"
    if len(row) > 1:  # in the order in which a list of the edits shows them
        removal_amount, insertion_amount = (
            amount for _, amount in sorted(zip([bool(e.words) for e in row], amounts, strict=True))
        )
        where = "it is" if len(gone_words) == 1 else "they are"
        amount = f"{about}{removal_amount} where {where} now and {insertion_amount} where {where} missing"
    return [
        SentencePart(f"Biggest cost{_name_reached(result, to, reference_numbers)}: "),
        *fault_parts(row, gone_words, came),
        SentencePart(f", {amount}."),
    ]


def _references_reached(result: Result, edits: Sequence[EditShare]) -> list[int]:
    """Return the indexes of the references that equal the candidate after all edits are made."""
    candidate, references = result.segment
    text = apply_edits(candidate, [WordEdit(*edit[:5]) for edit in edits])
    return [k for k, reference in enumerate(references) if reference == text]


def _name_reached(result: Result, to: Sequence[int], reference_numbers: Sequence[int]) -> str:
    """Return a phrase that names the reference that the edits lead to, or "" if it needs no name.

    It needs none if there is one reference only, or if the references `to` that the edits lead to include all that
    decide.
    """
    if len(result.segment.references) < 2:
        return ""
    if not to or {*to} & {*result.decides.values()} == {*result.decides.values()} != set():
        return ""
    return f" against reference {reference_numbers[to[0]]}"
