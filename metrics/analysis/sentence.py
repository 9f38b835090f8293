"""Explains in one or a few sentences, made from the ledger, why B's score differs from A's.

First come the references that decide, if they are different ones for A and B. Then comes what each cause is worth, the
largest share first, and mainly through which words. The causes are those of the ledger, and the printed numbers sum to
the difference.

>>> from metrics import METRICS, score
>>> references = ["police killed the gunman".split()]
>>> outputs = "the gunman kill police".split(), "police killed the big gunman".split()
>>> a, b = (score("gtm", words, references) for words in outputs)
>>> plain_text(difference_sentence(METRICS["gtm"], a, b))
'Of +0.144, +0.114 comes from longer runs: “police killed the”; +0.030 comes from one more matched word: “killed”.'
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from ..types import (
    Letters,
    Metric,
    Neighbours,
    Result,
    SkipBigram,
    isolate_right_to_left,
    number_in_words,
    replace_unprintable,
    signed_text,
)
from . import rounding
from .changes import ChangePiece, LedgerChange, ledger, matched_positions
from .deciding_references import describe_deciding_references
from .exchange import exchange_parts, surplus_positions
from .phrases import (
    EQUAL,
    CauseGroup,
    PhraseTexts,
    QuotedWords,
    SentencePart,
    gained_and_lost_words,
    quote_main_words,
    quote_phrases,
    words_of_pieces,
)
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
        by_cause.setdefault((step.cause, _is_of_neighbours(step)), []).append(step)
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
    context = _SentenceContext(metric, a, b, texts, digits)
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
            *_group_parts(context, named_groups[0][0]),
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


def _is_of_neighbours(step: LedgerChange) -> bool:
    """Return whether the ledger step is about pairs of runs that follow each other (marks of the type Neighbours)."""
    return any(isinstance(piece.mark, Neighbours) for piece in step.pieces[:1])


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


def _lengths_cancel(metric: Metric, steps: Sequence[LedgerChange], a: Result, b: Result) -> bool:
    """Return whether a penalty cancels the effect of the candidate's length.

    Then neither score would change with the other candidate's length. SIA is such a case if both candidates are shorter
    than the reference.
    """
    if not {"length", "penalty"} <= {step.cause for step in steps}:
        return False

    def score_with_length_of(ours: Result, theirs: Result) -> float:
        """Return the score that `ours` would have with the candidate length of `theirs`."""
        lengths = {name: theirs.stats[name] for name in ours.stats if metric.role(name).kind == "candidate length"}
        return metric.from_stats({**ours.stats, **lengths}, ours.settings).score

    return all(math.isclose(score_with_length_of(x, y), x.score, abs_tol=1e-12) for x, y in ((a, b), (b, a)))


def _largest_groups(
    metric: Metric, steps: Sequence[LedgerChange], a: Result, b: Result, texts: PhraseTexts, decimals: int
) -> tuple[_Named, int, int]:
    """Return the groups of ledger steps with the largest shares, the sum of the other shares, and a number of decimals.

    Each group has its share in units of the last decimal; the sum is in the same units. Groups whose share is printed
    as 0 are not included, nor are lengths and penalties that cancel each other.
    """
    digits, units = printed_steps(steps, decimals)
    of = {id(step): unit for step, unit in zip(steps, units, strict=True)}
    group_units: _Named = []
    idle = _lengths_cancel(metric, steps, a, b)
    for group in group_by_cause(steps):
        if idle and group.cause in ("length", "penalty"):
            continue
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
    named_groups = [each for each in group_units if each[1]][:GROUPS_MOST]
    return named_groups, sum(units) - sum([unit for _, unit in named_groups]), digits


def _signed_units(units: int, digits: int) -> str:
    """Return a share, given in units of its last decimal, as text with its sign."""
    return signed_text(units / 10**digits, digits)


class _SentenceContext(NamedTuple):
    """The metric, the results and the quoted texts that a sentence is about, and the decimals of its numbers."""

    metric: Metric
    a: Result
    b: Result
    texts: PhraseTexts
    digits: int


def _equal_parts(
    context: _SentenceContext, named_groups: _Named, rest: int, has_opening: bool, names: tuple[str, str]
) -> Iterator[SentencePart]:
    """Yield the sentence parts that say why the scores are equal, and which words were exchanged.

    `named_groups` are causes that cancel each other, if any, and `rest` is the sum of the other shares. The exchanged
    words are omitted if the sentence `has_opening`, which has already named the deciding references.
    """
    metric, a, b, texts, digits = context
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


# ---------------------------------------------------------------- groups in words


def _clauses(context: _SentenceContext, named_groups: _Named, rest: int) -> Iterator[SentencePart]:
    """Yield the sentence parts that say what each group is worth, and then what the rest is worth."""
    for number, (group, units) in enumerate(named_groups):
        yield SentencePart(f"{'; ' if number else ''}{_signed_units(units, context.digits)} comes from ")
        yield from _group_parts(context, group)
    if rest:
        yield SentencePart(f"; {_signed_units(rest, context.digits)} is the rest")


def _group_parts(context: _SentenceContext, group: CauseGroup) -> Iterator[SentencePart]:
    """Yield the sentence parts that say what there is more or less of, and which words have most of it."""
    better = (group.share > 0) == context.metric.higher_is_better
    step = group.steps[0]
    if group.cause == "penalty":
        yield SentencePart(f"the {_describe_value(step, context.texts)}")
    elif group.cause == "references":
        which = "shorter" if step.after < step.before else "longer"
        yield SentencePart(f"the {which} reference")
    elif group.cause == "length":
        yield from _length_parts(context, step)
    elif group.cause == "edits" and group.pieces:
        yield from _edit_parts(group, better, context.texts)
    elif _counts_single_words(group):
        yield from _matched_word_parts(context, group, better)
    else:
        yield SentencePart(_group_phrase(context, group, better))
        yield from quote_main_words(group, better, context.texts)


def _describe_value(value: LedgerChange, texts: PhraseTexts) -> str:
    """Return the name of a value that follows from lengths, its two numbers, and the difference in length.

    The numbers have enough decimals to differ.
    """
    ends = value.before, value.after
    numbers = next(
        (pair for digits in (2, 3, 4, 6) if (pair := [_number(end, digits) for end in ends])[0] != pair[1]), ["", ""]
    )
    longer = len(texts.tokens["b"]) - len(texts.tokens["a"])
    lengths = f", {_count_change(longer, 'word', ('longer', 'shorter'))}" if longer else ""
    return f"{value.name} ({numbers[0]} → {numbers[1]}{lengths})"


def _number(value: float, digits: int) -> str:
    """Return a number with `digits` decimals, or without decimals if it is a whole number above 1."""
    return f"{value:.0f}" if value == round(value) and value > 1 else f"{value:.{digits}f}"


def _count_change(more: float, noun: str, ends: tuple[str, str]) -> str:
    """Return a phrase for `more` of something, or for fewer if `more` is negative, with the comparative after the noun.

    `ends` are the two comparatives.

    >>> _count_change(-3, "word", ("longer", "shorter")), _count_change(1, "edit", ("more", "fewer"))
    ('three words shorter', 'one edit more')
    """
    return f"{number_in_words(abs(more))} {noun}{'' if abs(more) == 1 else 's'} {ends[more < 0]}"


def _more_or_fewer(more: float, noun: str) -> str:
    """Return a phrase for `more` of something, with "more" before the noun, or "fewer" if `more` is negative.

    >>> _more_or_fewer(-3, "matched words"), _more_or_fewer(1, "matched words")
    ('three fewer matched words', 'one more matched word')
    """
    which = "more" if more > 0 else "fewer"
    return f"{number_in_words(abs(more))} {which} {singular_or_plural(abs(more), noun)}"


def singular_or_plural(count: float, plural: str) -> str:
    """Return the singular or plural of a noun, as it fits `count`; in a noun with "of", the word before "of" changes.

    >>> nouns = [(1, "matching pairs of words"), (1, "matched words"), (2, "matching n-grams")]
    >>> tuple([singular_or_plural(number, noun) for number, noun in nouns])
    ('matching pair of words', 'matched word', 'matching n-grams')
    """
    if count != 1:
        return plural
    head, of, tail = plural.partition(" of ")
    return f"{head.removesuffix('s')}{of}{tail}"


def _length_parts(context: _SentenceContext, step: LedgerChange) -> Iterator[SentencePart]:
    """Yield the sentence parts that say how many more or fewer words match nothing, and which ones.

    If unmatched words do not explain the change of length, the parts say that the text has more or fewer words to
    match, and name no word.
    """
    if step.unmatched is None:
        which = "more" if step.after > step.before else "fewer"
        yield SentencePart(f"{which} {step.unit}s to match ({step.after:.0f} instead of {step.before:.0f})")
        return
    before, after = step.unmatched
    longer = step.after - step.before
    in_all = "" if longer == after - before else f" in a text {_count_change(longer, step.unit, ('longer', 'shorter'))}"
    yield SentencePart(f"{_more_or_fewer(after - before, f'unmatched {step.unit}s')}{in_all}")
    if step.unit == "word":
        yield from _came_and_went(
            context, [_unmatched_places(result) for result in (context.a, context.b)], after > before
        )


def _unmatched_places(result: Result) -> list[int]:
    """Return the positions of the words that match nothing."""
    used = matched_positions(result)
    return [i for i in range(len(result.segment.candidate)) if i not in used]


def _came_and_went(context: _SentenceContext, places: Sequence[Sequence[int]], more: bool) -> Iterator[SentencePart]:
    """Yield sentence parts on how many words are new in B and how many are gone from A.

    The more frequent kind is quoted. `places` are the positions to compare in A and in B, and `more` says whether B has
    more of them. Words are compared regardless of their position. All are counted, so that the new ones minus the
    others are the difference.
    """
    a, b = places
    new, gone_places = surplus_positions(context.b, b, context.a, a), surplus_positions(context.a, a, context.b, b)
    side, first, second = ("b", new, gone_places) if more else ("a", gone_places, new)
    words = ["new", "no longer"] if more else ["no longer", "new"]
    if second:
        yield SentencePart(f" ({number_in_words(len(first))} {words[0]}, {number_in_words(len(second))} {words[1]})")
    yield SentencePart(": ")
    yield from quote_phrases([(side, at) for at in first], context.texts)


def _counts_single_words(group: CauseGroup) -> bool:
    """Return whether the group counts matches of single words, and not of n-grams, pairs or longer runs."""
    if group.cause != "matches" or group.moved or not group.pieces:
        return False
    marks = [piece.mark for piece in group.pieces]
    return all(len(mark.cells()) == 1 and not isinstance(mark, Letters | SkipBigram) for mark in marks)


def _matched_word_parts(context: _SentenceContext, group: CauseGroup, better: bool) -> Iterator[SentencePart]:
    """Yield the sentence parts that say how many more or fewer words match, and mainly which ones."""
    a, b = (sorted(matched_positions(result)) for result in (context.a, context.b))
    more, count = len(b) - len(a), None
    if not more or (more > 0) != better:
        yield SentencePart(_credit_phrase(group, "matched words", better))
    elif _has_two_references(group):
        yield SentencePart(f"{'more' if better else 'fewer'} matched words")
    else:
        yield SentencePart(_more_or_fewer(more, "matched words"))
        new, lost = (
            len(surplus_positions(context.b, b, context.a, a)),
            len(surplus_positions(context.a, a, context.b, b)),
        )
        count = new if more > 0 else lost
        if new and lost:
            sides = [f"{number_in_words(new)} new", f"{number_in_words(lost)} lost"]
            yield SentencePart(f" ({', '.join(sides if more > 0 else reversed(sides))})")
    yield from quote_main_words(group, better, context.texts, count)


def _credit_phrase(group: CauseGroup, noun: str, better: bool) -> str:
    """Return a phrase for matches that are worth more or less, although their number does not explain that.

    They count differently, or they are other matches. `noun` is the plural noun for the matches.
    """
    if any(piece.kind == "changed" for piece in group.pieces) or not group.pieces:
        return f"{noun} that count {'more' if better else 'less'}"
    return f"other {noun}"


def _has_two_references(group: CauseGroup) -> bool:
    """Return whether the group counts matches with two references, one for precision and one for recall."""
    return any("," in step.name for step in group.steps)


def _edit_parts(group: CauseGroup, better: bool, texts: PhraseTexts) -> Iterator[SentencePart]:
    """Yield the sentence parts that say how many edits are gone and how many are new, and of which words."""
    new, gone_spots = gained_and_lost_words(group.pieces, "b" if better else "a", texts)
    sides = [("new", "more", new), ("gone", "fewer", gone_spots)]
    if better:
        sides.reverse()
    nonempty_sides = [each for each in sides if each[2]]
    if len(nonempty_sides) < 2:
        for _, more, places in nonempty_sides:
            yield SentencePart(f"{number_in_words(len(places))} {'edit' if len(places) == 1 else 'edits'} {more}: ")
            yield from quote_phrases([place for spot in places for place in spot], texts)
        return
    for number, (fate, _, places) in enumerate(nonempty_sides):
        what = fate if number else "edit" if len(places) == 1 else "edits"
        words = [number_in_words(len(places)), *([what] if number else [fate, what] if fate == "new" else [what, fate])]
        yield SentencePart(f"{' and ' if number else ''}{' '.join(words)} (")
        yield from quote_phrases([place for spot in places for place in spot], texts)
        yield SentencePart(")")


def _group_phrase(context: _SentenceContext, group: CauseGroup, better: bool) -> str:
    """Return a phrase for what the group has more or less of, such as "longer runs"; `better`: B gains by it."""
    cause, steps, pieces = group.cause, group.steps, group.pieces
    more = math.fsum([step.after - step.before for step in steps])
    if cause == "edits":
        return _count_change(more, "edit", ("more", "fewer")) if more else "other edits"
    if cause == "gaps":
        return f"losing {'less' if better else 'more'} to gaps"
    if steps[0].cost:
        name = steps[0].name
        return _more_or_fewer(more, name) if more and (more < 0) == better else f"other {name}"
    if cause == "contiguity":
        if _is_of_neighbours(steps[0]):
            return f"{'more' if better else 'less'} credit for runs that follow each other"
        return f"{'longer' if better else 'shorter'} runs"
    if group.moved:
        return f"words that match in {'an earlier' if better else 'a later'} {group.moved}"
    is_of_pairs = any(isinstance(piece.mark, SkipBigram) for piece in pieces)
    noun = "matching pairs of words" if is_of_pairs else "matching n-grams" if pieces else "matches"
    whole = all(amount == round(amount) for step in steps for amount in (step.before, step.after))
    if not whole:  # the amounts are not counts, but for example bits of information
        more = sum(
            [sum([len(layer.marks) for layer in r.layers]) * sign for r, sign in ((context.a, -1), (context.b, 1))]
        )
    if not more or (more > 0) != better:
        return _credit_phrase(group, noun, better)
    return f"{'more' if better else 'fewer'} {noun}" if _has_two_references(group) else _more_or_fewer(more, noun)
