"""Describes in words what each cause of a difference is: what there is more or less of, and mainly at which words.

What is gained and what is lost are named separately where both are counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..types import Letters, Metric, Neighbours, Result, Shift, SkipBigram, number_in_words
from .changes import LedgerChange, matched_positions
from .exchange import surplus_positions
from .phrases import (
    EQUAL,
    PHRASES_MOST,
    CauseGroup,
    PhraseTexts,
    SentencePart,
    Word,
    counts_marks,
    gained_and_lost_words,
    join_clauses,
    phrase_clauses,
    quote_main_words,
    quote_phrases,
    quote_shared_words,
    quote_words_of_letters,
)
from .small_words import more_or_fewer, singular_or_plural


class SentenceContext(NamedTuple):
    """The metric, the results and the quoted texts that a sentence is about, and the decimals of its numbers.

    `longer` is by how many words B is longer; 0 if the metric does not count them.
    """

    metric: Metric
    a: Result
    b: Result
    texts: PhraseTexts
    digits: int
    longer: int = 0


def candidate_length(metric: Metric, result: Result) -> int:
    """Return the number of words of a candidate, or 0 if the metric does not count them."""
    counts = any(metric.role(name).kind == "candidate length" for name in result.stats)
    return len(result.segment.candidate) if counts else 0


def is_of_neighbours(step: LedgerChange) -> bool:
    """Return whether the ledger step is about pairs of runs that follow each other (marks of the type Neighbours)."""
    return any(isinstance(piece.mark, Neighbours) for piece in step.pieces[:1])


def group_parts(context: SentenceContext, group: CauseGroup) -> Iterator[SentencePart]:
    """Yield the sentence parts that say what there is more or less of, and which words have most of it."""
    better = (group.share > 0) == context.metric.higher_is_better
    step = group.steps[0]
    if group.cause == "length" and len(group.steps) > 1:
        which, penalty = "longer" if step.after > step.before else "shorter", group.steps[1].name
        yield SentencePart(f"the {which} text and its {penalty}, which nearly cancel each other")
    elif group.cause == "penalty":
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
    elif group.cause == "gaps":
        yield SentencePart(f"losing {'less' if better else 'more'} to gaps")
        elsewhere = f"{'more' if better else 'less'} elsewhere"
        yield from quote_main_words(group, better, context.texts, elsewhere, "before")
    elif group.cause == "edits":
        more = math.fsum([step.after - step.before for step in group.steps])
        yield SentencePart(_count_change(more, "edit", ("more", "fewer")) if more else "other edits")
    else:
        yield from _mark_parts(context, group, better)


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


def _length_parts(context: SentenceContext, step: LedgerChange) -> Iterator[SentencePart]:
    """Yield the sentence parts that say how many more or fewer words match nothing, and which ones.

    If the text's length changes by another number, that is said first, because it is what counts. If unmatched words do
    not explain the change of length, the parts say that the text has more or fewer words to match, and name no word.
    """
    if step.unmatched is None:
        which = "more" if step.after > step.before else "fewer"
        yield SentencePart(f"{which} {step.unit}s to match ({step.after:.0f} instead of {step.before:.0f})")
        return
    before, after = step.unmatched
    longer = step.after - step.before
    if longer != after - before:
        yield SentencePart(f"a text {_count_change(longer, step.unit, ('longer', 'shorter'))}, with ")
    if step.unit == "word":
        places = [_unmatched_places(result) for result in (context.a, context.b)]
        yield from _more_and_fewer_words(context, places, "unmatched words", after > before)
    else:
        yield SentencePart(more_or_fewer(abs(after - before), f"unmatched {step.unit}s", after > before))


def _unmatched_places(result: Result) -> list[int]:
    """Return the positions of the words that match nothing."""
    used = matched_positions(result)
    return [i for i in range(len(result.segment.candidate)) if i not in used]


def _more_and_fewer_words(
    context: SentenceContext,
    places: Sequence[Sequence[int]],
    noun: str,
    more: bool,
    remark: str = "",
    explained: bool = False,
) -> Iterator[SentencePart]:
    """Yield sentence parts on the words of which B has more and on those of which it has fewer, and quote both.

    `places` are the positions of the words in A and in B, and `noun` says what they are. The words of which there are
    `more`, or else fewer, come first, and then the `remark` on the others. Words are compared regardless of their
    position. `explained` matches of different words have a note.
    """
    a, b = places
    came, gone_places = surplus_positions(context.b, b, context.a, a), surplus_positions(context.a, a, context.b, b)
    sides = [("b", came, "more"), ("a", gone_places, "fewer")]
    (side, first, _), (other_side, second, fewer) = sides if more else reversed(sides)
    yield SentencePart(f"{more_or_fewer(len(first), noun, more)}: ")
    yield from quote_phrases([(side, at) for at in first], context.texts, explained)
    if second:
        yield SentencePart(f", but {number_in_words(len(second))} {fewer}{remark}: ")
        yield from quote_phrases([(other_side, at) for at in second], context.texts)


def _counts_single_words(group: CauseGroup) -> bool:
    """Return whether the group counts matches of single words, and not of n-grams, pairs or longer runs."""
    if group.cause != "matches" or group.moved or not group.pieces:
        return False
    marks = [piece.mark for piece in group.pieces]
    return all(len(mark.cells()) == 1 and not isinstance(mark, Letters | SkipBigram) for mark in marks)


def _matched_word_parts(context: SentenceContext, group: CauseGroup, better: bool) -> Iterator[SentencePart]:
    """Yield the sentence parts that say how many more and fewer words match, and which ones."""
    a, b = places = [sorted(matched_positions(result)) for result in (context.a, context.b)]
    came, gone_places = surplus_positions(context.b, b, context.a, a), surplus_positions(context.a, a, context.b, b)
    first, second = (came, gone_places) if better else (gone_places, came)
    if _has_two_references(group):
        yield from _summary_parts(context, group, "matched words", better)
    elif second and _comes_from_length(context, group, better):
        yield SentencePart(f"the {'longer' if context.longer > 0 else 'shorter'} text, with ")
        yield from _more_and_fewer_words(context, places, "matched words", not better, explained=True)
    elif first and len(first) == len(second) and not _credit_explains(group, better):
        sides = ("b", "a") if better else ("a", "b")
        now, before = (
            quote_phrases([(side, at) for at in each], context.texts, True)
            for side, each in zip(sides, (first, second), strict=True)
        )
        yield SentencePart(f"{number_in_words(len(first))} other {singular_or_plural(len(first), 'matched words')}: ")
        yield from now
        yield SentencePart(", instead of ")
        yield from before
    elif first:
        remark = _count_less(second) if _credit_explains(group, better) and len(second) >= len(first) else ""
        yield from _more_and_fewer_words(context, places, "matched words", better, remark, True)
    else:
        yield from _summary_parts(context, group, "matched words", better)


def _count_less(marks: Sequence[object]) -> str:
    """Return a relative clause that some marks, or the one, count less than the others."""
    return f", which {'counts' if len(marks) == 1 else 'count'} less"


def _credit_explains(group: CauseGroup, better: bool) -> bool:
    """Return whether the change of the credit of all marks together explains that the group's share is `better`."""
    return math.fsum([piece.credit for piece in group.pieces]) * (1 if better != group.steps[0].cost else -1) > EQUAL


def _comes_from_length(context: SentenceContext, group: CauseGroup, better: bool) -> bool:
    """Return whether a group's share comes from the length that its matches need, because the matches contradict it."""
    contradicts = _credit_explains(group, not better)
    return contradicts and context.longer != 0 and (context.longer < 0) == better


def _has_two_references(group: CauseGroup) -> bool:
    """Return whether the group counts matches with two references, one for precision and one for recall."""
    return any("," in step.name for step in group.steps)


def _summary_parts(context: SentenceContext, group: CauseGroup, noun: str, better: bool) -> Iterator[SentencePart]:
    """Yield the sentence parts on matches whose number explains nothing, and mainly which words match.

    With two references they are more or fewer, else they count more or less, or are others. `noun` is their noun.
    """
    more, less = ("more", "less") if better else ("less", "more")
    if _has_two_references(group):
        phrase, others = (f"more {noun}", "fewer others") if better else (f"fewer {noun}", "more others")
    elif any(piece.kind == "changed" for piece in group.pieces):
        phrase, others = f"{noun} that count {more}", f"others count {less}"
    else:
        phrase, others = f"other {noun}", ""
    yield SentencePart(phrase)
    yield from quote_main_words(group, better, context.texts, others, _prepositions(group)[1])


def _prepositions(group: CauseGroup) -> tuple[str, str]:
    """Return what stands between the matches of a group and their words: before a single word, and before phrases."""
    marks = [piece.mark for piece in group.pieces]
    if _counts_single_words(group) or not marks:
        return "", ""
    return ("with", "with words of") if isinstance(marks[0], SkipBigram) else ("at", "at")


def _mark_parts(context: SentenceContext, group: CauseGroup, better: bool) -> Iterator[SentencePart]:
    """Yield the sentence parts on matches of several words: how many more and fewer there are, and mainly where.

    Of runs that count more the longer they are, the parts say that they are longer or shorter, and mainly which ones.
    """
    step, texts = group.steps[0], context.texts
    if group.moved:
        ends = ("an earlier", "a later") if better else ("a later", "an earlier")
        yield SentencePart(f"words that match in {ends[0]} {group.moved}")
        yield from quote_main_words(group, better, texts, f"others in {ends[1]} one")
    elif is_of_neighbours(step):
        yield SentencePart(f"{'more' if better else 'less'} credit for runs that follow each other")
        yield from quote_main_words(group, better, texts, f"{'less' if better else 'more'} elsewhere")
    elif group.cause == "contiguity" and not step.cost:
        yield SentencePart(f"{'longer' if better else 'shorter'} runs")
        yield from quote_main_words(group, better, texts, f"{'shorter' if better else 'longer'} ones elsewhere")
    elif not group.pieces:
        more = math.fsum([step.after - step.before for step in group.steps])
        noun = step.name if step.cost else "matches"
        counts = more == round(more) and (more > 0) == (better != step.cost)
        yield SentencePart(more_or_fewer(abs(more), noun, more > 0) if more and counts else f"other {noun}")
    elif _has_two_references(group):
        yield from _summary_parts(context, group, _noun_of_marks(context, group), better)
    elif any(isinstance(piece.mark, Letters) for piece in group.pieces):
        yield from _letter_parts(context, group, better)
    else:
        yield from _counted_mark_parts(context, group, better)


def _counted_mark_parts(context: SentenceContext, group: CauseGroup, better: bool) -> Iterator[SentencePart]:
    """Yield the sentence parts that say how many more and fewer n-grams, pairs of words or chunks there are."""
    texts, noun = context.texts, _noun_of_marks(context, group)
    gained, lost = gained_and_lost_words(group.pieces, "b" if better else "a", texts)
    more = better != group.steps[0].cost
    if (lost if better else gained) and _comes_from_length(context, group, better):
        yield SentencePart(f"the {'longer' if context.longer > 0 else 'shorter'} text, with ")
        more = not more
    first, second = (gained, lost) if more else (lost, gained)
    if not first:
        yield from _summary_parts(context, group, noun, better)
        return
    yield SentencePart(more_or_fewer(len(first), noun, more))
    if group.cause == "contiguity":
        yield SentencePart(": ")
        yield from join_clauses(_phrases_or_number(first, texts))
    else:
        yield from quote_shared_words(first, texts, *_prepositions(group))
    if second:
        explained = more == (better != group.steps[0].cost)
        remark = _count_less(second) if explained and len(second) >= len(first) else ""
        yield SentencePart(f", but {number_in_words(len(second))} {'fewer' if more else 'more'}{remark}")


def _noun_of_marks(context: SentenceContext, group: CauseGroup) -> str:
    """Return the plural noun for the matches, or for what costs, of a group."""
    if group.steps[0].cost:
        return group.steps[0].name
    if any(isinstance(piece.mark, SkipBigram) for piece in group.pieces):
        return "matching pairs of words"
    whole = counts_marks((*context.a.layers, *context.b.layers))
    return "matching n-grams" if whole else "matching n-grams that carry information"


def _letter_parts(context: SentenceContext, group: CauseGroup, better: bool) -> Iterator[SentencePart]:
    """Yield the sentence parts that say how many more or fewer n-grams of letters match in all, and mainly where."""
    sign, noun = 1 if better else -1, "matching n-grams"
    changes = [sign * round(step.after - step.before) for step in group.steps]
    first, second = (sum([change for change in changes if change * way > 0]) for way in (1, -1))
    if first + second > 0:
        yield SentencePart(f"{more_or_fewer(first + second, noun, better)} in all")
        yield from quote_words_of_letters(group.steps, better, context.texts)
    elif first:
        steps = [step for step, change in zip(group.steps, changes, strict=True) if change > 0]
        yield SentencePart(f"{more_or_fewer(first, noun, better)} of some kinds")
        yield from quote_words_of_letters(steps, better, context.texts)
        yield SentencePart(f", but {number_in_words(-second)} {'fewer' if better else 'more'} of others")
    else:
        yield from _summary_parts(context, group, noun, better)


def _edit_parts(group: CauseGroup, better: bool, texts: PhraseTexts) -> Iterator[SentencePart]:
    """Yield the sentence parts that say how many edits are gone and how many are new, and of which words.

    A shift is one edit, whatever the number of words that it moves.
    """
    side = "b" if better else "a"
    shifts, others = (
        gained_and_lost_words([piece for piece in group.pieces if isinstance(piece.mark, Shift) == moves], side, texts)
        for moves in (True, False)
    )
    sides = [
        (fate, more, len(moved) + len(edited), _edit_clauses(moved, edited, texts))
        for fate, more, moved, edited in zip(("new", "gone"), ("more", "fewer"), shifts, others, strict=True)
    ]
    sides = [each for each in (reversed(sides) if better else sides) if each[2]]
    if not sides:
        yield SentencePart("other edits")
    if len(sides) == 1:
        ((_, more, count, clauses),) = sides
        yield SentencePart(f"{number_in_words(count)} {'edit' if count == 1 else 'edits'} {more}: ")
        yield from join_clauses(clauses)
        return
    for number, (fate, _, count, clauses) in enumerate(sides):
        what = fate if number else "edit" if count == 1 else "edits"
        words = [number_in_words(count), *([what] if number else [fate, what] if fate == "new" else [what, fate])]
        yield SentencePart(f"{' and ' if number else ''}{' '.join(words)} (")
        yield from join_clauses(clauses)
        yield SentencePart(")")


def _edit_clauses(
    shifts: Sequence[tuple[Word, ...]], others: Iterable[tuple[Word, ...]], texts: PhraseTexts
) -> list[list[SentencePart]]:
    """Return the entries of a list of edits: the words of the shifts, and the words of all other edits as phrases."""
    clauses = list(phrase_clauses([place for spot in others for place in spot], texts))
    moved = [SentencePart(texts.quoted(spot), True) for spot in shifts[:PHRASES_MOST]]
    clauses += [[SentencePart("the shift of "), part] for part in moved]
    left = len(shifts) - len(moved)
    return [*clauses, *([[SentencePart(f"{left} more {'shift' if left == 1 else 'shifts'}")]] if left else [])]


def _phrases_or_number(spots: Sequence[tuple[Word, ...]], texts: PhraseTexts) -> list[list[SentencePart]]:
    """Return the entries of a list of phrases, the longest first; if there are too many, the number of the others."""
    longest = sorted(spots, key=lambda spot: -len(spot))[:PHRASES_MOST]
    left = len(spots) - len(longest)
    named = [[SentencePart(texts.quoted(spot), True)] for spot in longest]
    return [*named, *([[SentencePart(f"{left} {'other' if left == 1 else 'others'}")]] if left else [])]
