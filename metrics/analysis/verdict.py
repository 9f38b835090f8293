"""Why a score is what it is, in one sentence: what its metric counts (`Metric.account`), and the edit that costs most.

>>> from metrics import METRICS, edits, score
>>> ours, reference = "we had a equal right to it".split(), "we had an equal right to this".split()
>>> found = verdict(METRICS["wer"], score("wer", ours, [reference]), edits("wer", ours, reference, [reference]))
>>> found.text
'WER 0.286: 2 errors: 2 words wrong; 5 of 7 words can stay. Costs most: “a” for “an”, 0.143.'
>>> found.words, found.matched, found.pieces, found.longest, found.errors, round(found.cost.share, 3)
(7, 5, None, None, 2, -0.143)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..types import Account, Metric, Result, score_text, words_match
from .deciding_references import edits_of
from .difference import matched
from .edit_sentence import edit_rows, faulty
from .edit_shares import EditShare, WordEdit, edited
from .phrases import QuotedWords, SentencePart
from .sentence import plain

__all__ = ["DearestEdit", "ResultVerdict", "verdict"]


class DearestEdit(NamedTuple):
    """The edit that costs most, in two parts where words have to be moved, and what making it would give: its `share`,
    of a move the sum of both. `to` is the number of the reference that the edits lead to, from 0, the first of equal
    ones; None where they lead elsewhere."""

    edits: tuple[EditShare, ...]
    share: float
    to: int | None = None


@dataclass(frozen=True, slots=True)
class ResultVerdict:
    """The sentence in parts, the `statement` on the result and the `costs` of its dearest edit, and its numbers; see
    `metrics.verdict`."""

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
        """The sentence as plain text, words in quotation marks, what cannot be printed in them as U+FFFD."""
        return plain(self.parts)

    def to_dict(self) -> dict[str, Any]:
        """All of it in JSON's types."""
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
    """The verdict on a result. `edits` are those from its candidate to one of the references, with their shares.

    The words quoted are the tokens, or those of `quoted_words`, whose `b` is the text that the edits lead to. What
    edits of a move cost counts together. An edit that gives less than the last of the `decimals` is not told. `numbers`
    are what the references are called, from 1 on where they are left out.
    """
    account = _account(metric, result)
    reference_numbers = numbers or range(1, len(result.segment.references) + 1)
    _check(result, edits)
    cost = _dearest(metric, edits)
    costs: Sequence[SentencePart] = ()
    if cost:
        reached = _references_reached(result, edits)
        cost = cost._replace(to=next(iter(reached), None))
        costs = _costs(result, reached, cost, quoted_words, decimals, reference_numbers)
    statement = SentencePart(
        f"{metric.label} {score_text(result.score, decimals)}{_against(result, reference_numbers)}: {account.says}."
    )
    return ResultVerdict((statement,), tuple(costs), len(result.segment.candidate), *account[1:], cost)


# ---------------------------------------------------------------- the result


def _account(metric: Metric, result: Result) -> Account:
    """What the metric counts; a text without words is told by itself."""
    candidate, references = result.segment
    account = metric.account(result) if metric.account else _general(metric, result)
    if candidate and any(references):
        return account
    errors = f": {account.errors} error{'s' * (account.errors != 1)}" if account.errors else ""
    if candidate:
        which = "the reference has" if len(references) == 1 else "the references have"
    else:
        which = "the candidate has" if any(references) else "neither text has"
    return account._replace(says=f"{which} {'any word' if which.startswith('neither') else 'no words'}{errors}")


def _general(metric: Metric, result: Result) -> Account:
    """The words that match, and the errors, as the marks of any metric tell them; its parts where it has no marks."""
    words, worse = len(result.segment.candidate), "" if metric.higher_is_better else "; lower is better"
    if not result.layers:
        parts = [f"{name.replace('_', ' ')} {value:.2f}" for name, value in result.parts.items()]
        return Account((", ".join(parts) or f"the candidate has {words} word{'s' * (words != 1)}") + worse)
    count = len({cell.i for cell in matched(result)})
    errors = None if metric.higher_is_better else edits_of(result)
    return Account(f"{words_match(count, words)}{worse}", count, errors=errors)


def _against(result: Result, reference_numbers: Sequence[int]) -> str:
    """The references that decide, where there are several."""
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


def _check(result: Result, edits: Sequence[EditShare]) -> None:
    if isinstance(edits, str) or not isinstance(edits, Sequence) or not all(isinstance(e, EditShare) for e in edits):
        raise TypeError("edits must be those that `edits` gives")
    end = max([edit.end for edit in edits], default=0)
    if end > (n := len(result.segment.candidate)):
        raise ValueError(f"edits must be those of the result's candidate, which has {n} words; one ends at word {end}")


def _dearest(metric: Metric, edits: Sequence[EditShare]) -> DearestEdit | None:
    """The edit that gives most when it is made, the first of equal ones; both parts of a move, or one of them where the
    other takes from what it gives. None where no edit gives anything."""
    sign = 1 if metric.higher_is_better else -1
    each = [*edit_rows(edits), *[(edit,) for edit in edits if edit.move is not None]]
    costs = [DearestEdit(row, math.fsum([edit.share for edit in row])) for row in each]
    dearest = max(costs, key=lambda cost: sign * cost.share, default=None)
    return dearest if dearest and sign * dearest.share > 0 else None


def _costs(
    result: Result,
    to: Sequence[int],
    cost: DearestEdit,
    quoted_words: QuotedWords | None,
    decimals: int,
    reference_numbers: Sequence[int],
) -> list[SentencePart]:
    row, amounts = cost.edits, [f"{abs(edit.share):.{decimals}f}" for edit in cost.edits]
    if float(f"{cost.share:.{decimals}f}") == 0:
        return []
    ours = quoted_words.a if quoted_words else result.segment.candidate
    gone_words = [word for edit in row for word in ours[edit.start : edit.end]]
    came = [w for e in row for w in (quoted_words.b[e.at : e.at + len(e.words)] if quoted_words else e.words)]
    about = "≈ " if row[0].orders else ""
    amount = f"{about}{amounts[0]}"
    if len(row) > 1:  # as they stand in a list of the edits
        removal_amount, insertion_amount = (
            amount for _, amount in sorted(zip([bool(e.words) for e in row], amounts, strict=True))
        )
        where = "it is" if len(gone_words) == 1 else "they are"
        amount = f"{about}{removal_amount} where {where} and {insertion_amount} where {where} missing"
    return [
        SentencePart(f"Costs most{_name_reached(result, to, reference_numbers)}: "),
        *faulty(row, gone_words, came),
        SentencePart(f", {amount}."),
    ]


def _references_reached(result: Result, edits: Sequence[EditShare]) -> list[int]:
    """The numbers of the references that the edits lead to."""
    candidate, references = result.segment
    text = edited(candidate, [WordEdit(*edit[:5]) for edit in edits])
    return [k for k, reference in enumerate(references) if reference == text]


def _name_reached(result: Result, to: Sequence[int], reference_numbers: Sequence[int]) -> str:
    """The first of the references that edits lead `to`, where there are several and they are not all that decide."""
    if len(result.segment.references) < 2:
        return ""
    if not to or {*to} & {*result.decides.values()} == {*result.decides.values()} != set():
        return ""
    return f" against reference {reference_numbers[to[0]]}"
