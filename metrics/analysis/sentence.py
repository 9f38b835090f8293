"""Explains in one or a few sentences, made from the ledger, why B's score differs from A's.

First come the references that decide, if they are different ones for A and B. Then comes what each cause is worth, the
largest share first, and mainly through which words. The causes are those of the ledger, and the printed numbers sum to
the difference.

>>> from metrics import METRICS, score
>>> references = ["police killed the gunman".split()]
>>> outputs = "police killed a".split(), "police killed the man".split()
>>> a, b = (score("rouge_w", words, references) for words in outputs)
>>> plain_text(difference_sentence(METRICS["rouge_w"], a, b))
'Of +0.179, +0.156 comes from one more matched word: “the”; +0.023 comes from longer runs: “police killed the”.'
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from ..types import Metric, Result, isolate_right_to_left, replace_unprintable, signed_text
from . import rounding
from .cause_wording import SentenceContext, candidate_length, group_parts, is_of_neighbours
from .changes import ChangePiece, LedgerChange, ledger
from .deciding_references import describe_deciding_references
from .exchange import exchange_parts
from .phrases import EQUAL, CauseGroup, PhraseTexts, QuotedWords, SentencePart, words_of_pieces
from .rounding import rounded_to_total, units_of_last_decimal

__all__ = [
    "EQUAL",
    "CauseGroup",
    "QuotedWords",
    "SentencePart",
    "difference_sentence",
    "group_by_cause",
    "plain_text",
    "printed_steps",
]

#: The most groups of steps that are named.
GROUPS_MOST = 4


def group_by_cause(steps: Iterable[LedgerChange]) -> list[CauseGroup]:
    """Return the ledger steps grouped by cause, the largest share first.

    The credit for pairs of runs that follow each other, which has the cause of runs, forms a group of its own.
    """
    by_cause: dict[tuple[str, bool], list[LedgerChange]] = {}
    for step in steps:
        by_cause.setdefault((step.cause, is_of_neighbours(step)), []).append(step)
    return _by_share([CauseGroup(tuple(each), math.fsum([step.share for step in each])) for each in by_cause.values()])


def _by_share(cause_groups: Iterable[CauseGroup]) -> list[CauseGroup]:
    """Return the groups sorted by the absolute size of their shares, the largest first."""
    return sorted(cause_groups, key=lambda group: -abs(group.share))


def difference_sentence(
    metric: Metric,
    a: Result,
    b: Result,
    steps: Sequence[LedgerChange] | None = None,
    quoted_words: QuotedWords | None = None,
    decimals: int = 3,
    names: tuple[str, str] = ("A", "B"),
) -> tuple[SentencePart, ...]:
    """Return, as sentence parts, why B's score differs from A's: what each cause is worth, and through which words.

    `steps` is the ledger, if it is known already. The words are the tokens, or those of `quoted_words`. Causes that are
    not named are worth less than the named ones; their sum is named if it is not printed as 0, so that all numbers sum
    to the difference. If the scores are equal, the sentence says why. Numbers have `decimals` decimals, or more if a
    share would otherwise be printed as 0. `names` are the names of A and B.
    """
    steps = ledger(metric, a, b) if steps is None else steps
    texts = PhraseTexts(a, b, quoted_words, metric.because)
    change = b.score - a.score
    named_groups, rest, digits = _largest_groups(metric, steps, a, b, texts, decimals)
    context = SentenceContext(metric, a, b, texts, digits, candidate_length(metric, b) - candidate_length(metric, a))
    first = [SentencePart(f"{deciding}. ")] if (deciding := describe_deciding_references(metric, a, b, names)) else []
    if abs(change) < EQUAL:
        return (*first, *_equal_parts(context, named_groups, rest, bool(first), names), SentencePart("."))
    sentence_parts = first
    for name, result in zip(names, (a, b), strict=True):
        if metric.zero and (reason := metric.zero(result)):
            sentence_parts.append(SentencePart(f"In {name}: {_as_clause(reason)}. "))
    side = "" if metric.higher_is_better else ", which is better," if change < 0 else ", which is worse,"
    total = _signed_units(units_of_last_decimal(change, digits), digits)
    if len(named_groups) == 1 and not rest:
        sentence_parts += [
            SentencePart(f"All of {total}{side} comes from "),
            *group_parts(context, named_groups[0][0]),
        ]
    else:
        sentence_parts += [SentencePart(f"Of {total}{side or ','} "), *_clauses(context, named_groups, rest)]
    return (*sentence_parts, SentencePart("."))


def plain_text(parts: Iterable[SentencePart]) -> str:
    """Return the sentence parts as plain text, with words in quotation marks and unprintable characters as U+FFFD."""
    return "".join(
        [f"“{isolate_right_to_left(replace_unprintable(part.text))}”" if part.is_words else part.text for part in parts]
    )


# ---------------------------------------------------------------- what is named


def _split_by_round(group: CauseGroup, a: Result, b: Result, texts: PhraseTexts) -> list[CauseGroup]:
    """Return the group, divided in two if some of its words match in both outputs but in different rounds.

    The group is only divided if its metric finds matches in rounds, as SIA does.
    """
    rounds = {layer.noun for layer in (*a.layers, *b.layers) if layer.number is not None and layer.weight != 1}
    if group.cause != "matches" or len(group.steps) < 2 or not rounds:
        return [group]
    spots = words_of_pieces(group.pieces, "b", texts)
    ends = [
        {spot for piece, spot in zip(group.pieces, spots, strict=True) if piece.kind == kind}
        for kind in ("lost", "gained")
    ]
    shared_spots, at = ends[0] & ends[1], iter(spots)
    kept_steps, moved = list[LedgerChange](), list[LedgerChange]()
    for step in group.steps:
        split: tuple[list[ChangePiece], list[ChangePiece]] = [], []
        for piece in step.pieces:
            split[next(at) in shared_spots].append(piece)
        for pieces, to in zip(split, (kept_steps, moved), strict=True):
            if pieces or (to is kept_steps and not step.pieces):
                share = math.fsum([piece.share for piece in pieces]) if step.pieces else step.share
                to.append(step._replace(pieces=tuple(pieces), share=share))
    return [
        CauseGroup(tuple(steps), math.fsum([step.share for step in steps]), min(rounds) if steps is moved else "")
        for steps in (kept_steps, moved)
        if steps
    ]


#: Groups with their printed shares, in units of the last decimal.
_Named: TypeAlias = "list[tuple[CauseGroup, int]]"


def printed_steps(steps: Sequence[LedgerChange], decimals: int) -> tuple[int, list[int]]:
    """Return the number of decimals to print the steps of a ledger with, and each share in units of the last decimal.

    The shares are rounded so that they sum to the printed difference of the scores. The shares of each cause sum to the
    number that the sentence names for it.
    """
    each = group_by_cause(steps)
    total = math.fsum([step.share for step in steps])
    digits, units = rounding.printed_shares([[step.share for step in group.steps] for group in each], total, decimals)
    of = {
        id(step): unit
        for group, group_units in zip(each, units, strict=True)
        for step, unit in zip(group.steps, group_units, strict=True)
    }
    return digits, [of[id(step)] for step in steps]


def _with_joined_lengths(metric: Metric, groups: list[CauseGroup], a: Result, b: Result) -> list[CauseGroup]:
    """Return the groups, those of the candidate's length and of its penalty as one if the two cancel each other.

    Then neither score would change with the other candidate's length. SIA is such a case if both candidates are shorter
    than the reference.
    """
    lengths = [group for group in groups if group.cause in ("length", "penalty")]
    if len(lengths) < 2:
        return groups

    def score_with_length_of(ours: Result, theirs: Result) -> float:
        """Return the score that `ours` would have with the candidate length of `theirs`."""
        lengths = {name: theirs.stats[name] for name in ours.stats if metric.role(name).kind == "candidate length"}
        return metric.from_stats({**ours.stats, **lengths}, ours.settings).score

    if not all(math.isclose(score_with_length_of(x, y), x.score, abs_tol=1e-12) for x, y in ((a, b), (b, a))):
        return groups
    steps = sorted([step for group in lengths for step in group.steps], key=lambda step: step.cause)
    joined = CauseGroup(tuple(steps), math.fsum([group.share for group in lengths]))
    return _by_share([*[group for group in groups if group not in lengths], joined])


def _largest_groups(
    metric: Metric, steps: Sequence[LedgerChange], a: Result, b: Result, texts: PhraseTexts, decimals: int
) -> tuple[_Named, int, int]:
    """Return the groups of ledger steps with the largest shares, the sum of the other shares, and a number of decimals.

    Each group has its share in units of the last decimal; the sum is in the same units. Groups whose share is printed
    as 0 are not included. A length and its penalty are one group if they cancel each other. If groups are left
    for the sum, they are at least two.
    """
    digits, units = printed_steps(steps, decimals)
    of = {id(step): unit for step, unit in zip(steps, units, strict=True)}
    group_units: _Named = []
    for group in _with_joined_lengths(metric, group_by_cause(steps), a, b):
        subgroups = _split_by_round(group, a, b, texts)
        whole = sum([of[id(step)] for step in group.steps])
        shares = rounded_to_total([each.share for each in subgroups], whole, digits)
        group_units += zip(subgroups, shares, strict=True) if shares else [(group, whole)]
    total = math.fsum([step.share for step in steps])

    def sort_key(each: tuple[CauseGroup, int]) -> tuple[bool, float]:
        """Return a key that sorts larger shares first, and a penalty before them if it outweighs everything else."""
        share = each[0].share
        return each[0].cause != "penalty" or abs(share) <= abs(total - share), -abs(share)

    group_units.sort(key=sort_key)
    printed_groups = [each for each in group_units if each[1]]
    named_groups = printed_groups[: GROUPS_MOST if len(printed_groups) > GROUPS_MOST + 1 else None]
    return named_groups, sum(units) - sum([unit for _, unit in named_groups]), digits


def _signed_units(units: int, digits: int) -> str:
    """Return a share, given in units of its last decimal, as text with its sign."""
    return signed_text(units / 10**digits, digits)


def _equal_parts(
    context: SentenceContext, named_groups: _Named, rest: int, has_opening: bool, names: tuple[str, str]
) -> Iterator[SentencePart]:
    """Yield the sentence parts that say why the scores are equal, and which words were exchanged.

    `named_groups` are causes that cancel each other, if any, and `rest` is the sum of the other shares. The exchanged
    words are omitted if the sentence `has_opening`, which has already named the deciding references.
    """
    metric, a, b, texts, digits, _ = context
    if a.segment.candidate == b.segment.candidate:
        yield SentencePart(f"{names[0]} and {names[1]} are the same, word for word")
        return
    score = f"{b.score:.{digits}f}"
    reasons = [metric.zero(result) if metric.zero else "" for result in (a, b)]
    if named_groups:
        yield SentencePart(f"Both score {score}, because the changes cancel out: ")
        yield from _clauses(context, named_groups, rest)
    elif reasons[0] == reasons[1] != "":
        yield SentencePart(f"Both score {score}: {_as_clause(reasons[1])}")
    elif any(reasons):
        reason_texts = [f"{name}: {_as_clause(reason)}" for name, reason in zip(names, reasons, strict=True) if reason]
        yield SentencePart(f"Both score {score}; in {'; in '.join(reason_texts)}")
    else:
        yield SentencePart(f"Both score {score}")
        if not has_opening:
            yield SentencePart(": ")
            yield from exchange_parts(a, b, texts)


def _as_clause(text: str) -> str:
    """Return the text with a small first letter and without a full stop."""
    return (text[:1].lower() + text[1:]).removesuffix(".")


def _clauses(context: SentenceContext, named_groups: _Named, rest: int) -> Iterator[SentencePart]:
    """Yield the sentence parts that say what each group is worth, and then what the rest is worth."""
    for number, (group, units) in enumerate(named_groups):
        yield SentencePart(f"{'; ' if number else ''}{_signed_units(units, context.digits)} comes from ")
        yield from group_parts(context, group)
    if rest:
        yield SentencePart(f"; {_signed_units(rest, context.digits)} is the rest")
