"""Why B's score is another than A's, in a sentence or a few, made from the ledger.

First stands which references decide, where that is not the same one for A and B; then what each value is worth of which
the score is made (`Metric.composition`), the largest share first; then the words.

>>> from metrics import METRICS, score
>>> references = ["police killed the gunman".split()]
>>> outputs = "the gunman kill police".split(), "police killed the big gunman".split()
>>> a, b = (score("gtm", words, references) for words in outputs)
>>> plain(sentence(METRICS["gtm"], a, b))
'Of +0.144, +0.103 is the recall (0.56 → 0.79) and +0.041 is the precision (0.56 → 0.63). By words, +0.173 is longer \
runs: “police killed the”; the length, 5 words for 4, costs −0.074 (unmatched words: one new, “big”; one gone, \
“kill”); +0.045 is more matched words: “killed”.'
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..types import Metric, Neighbours, Result, SkipBigram, in_words, isolated, signed, visible
from . import changes
from .changes import Change, Piece, ledger
from .deciding import decided
from .exchange import exchanged
from .phrases import EQUAL, Group, Part, Shown, Texts, few, mostly, paired, replaced

__all__ = ["EQUAL", "Group", "Part", "Shown", "groups", "plain", "sentence"]

#: Groups of steps that are named at the most.
GROUPS_MOST = 4


def groups(steps: Iterable[Change]) -> list[Group]:
    """The steps by cause, blocks apart from blocks that follow each other; the largest share comes first."""
    by_cause: dict[tuple[str, bool], list[Change]] = {}
    for step in steps:
        by_cause.setdefault((step.cause, _of_neighbours(step)), []).append(step)
    return _by_share([Group(tuple(each), math.fsum([step.share for step in each])) for each in by_cause.values()])


def _by_share(found: Iterable[Group]) -> list[Group]:
    return sorted(found, key=lambda group: -abs(group.share))


def sentence(
    metric: Metric,
    a: Result,
    b: Result,
    steps: Sequence[Change] | None = None,
    shown: Shown | None = None,
    decimals: int = 3,
    names: tuple[str, str] = ("A", "B"),
) -> tuple[Part, ...]:
    """The sentence in parts: what the largest groups of steps are worth, and mainly by which words.

    `steps` is the ledger, where it is there already. The words quoted are the tokens, or those of `shown`. What is left
    out is worth less than what is named. Where the scores are equal it says why. Numbers have so many `decimals`, or
    more where they would not tell that. `names` are what A and B are called.
    """
    steps = ledger(metric, a, b) if steps is None else steps
    texts = Texts(a, b, shown, metric.because)
    change = b.score - a.score
    found = [each for group in groups(steps) for each in _rounds_apart(group, a, b, texts)]
    named, digits = _named(_by_share(found), change, decimals)
    first = [Part(f"{deciding}. ")] if (deciding := decided(metric, a, b, names)) else []
    if abs(change) < EQUAL:
        return (*first, *_equal(metric, a, b, named, digits, texts, bool(first), names), Part("."))
    values = [value for value in changes.parts(metric, a, b) if abs(value.share) >= 0.5 * 10**-digits]
    side = "" if metric.higher_is_better else ", which is better," if change < 0 else ", which is worse,"
    said = first
    for name, result in zip(names, (a, b), strict=True):
        if metric.zero and (reason := metric.zero(result)):
            said.append(Part(f"In {name}: {_lower(reason)}. "))
    if len(values) > 1 and not _are_groups(values, named):
        said += [Part(f"Of {signed(change, digits)}{side or ','} "), *_values(metric, values, digits, texts)]
        penalties = [value.share for value in values if value.name in _apart(metric)]
        named, left = [group for group in named if group.cause != "penalty"], change - math.fsum(penalties)
        if len(named) == 1 and signed(named[0].share, digits) == signed(left, digits):
            rest = "the rest" if penalties else "all of it"
            said += [Part(f". By words, {rest} is "), *_whole(metric, named[0], texts)]
        elif named:
            said += [Part(". By words, "), *_clauses(metric, named, digits, texts)]
    elif len(values) == 1 and values[0].name in _apart(metric):  # what else has changed cancels
        said.append(Part(f"All of {signed(change, digits)}{side} is the {_value(values[0], texts, True)}"))
    elif len(named) == 1 and signed(named[0].share, digits) == signed(change, digits):
        said += [Part(f"All of {signed(change, digits)}{side} is "), *_whole(metric, named[0], texts)]
    else:
        said += [Part(f"Of {signed(change, digits)}{side or ','} "), *_clauses(metric, named, digits, texts)]
    return (*said, Part("."))


def plain(said: Iterable[Part]) -> str:
    """The sentence as plain text, words in quotation marks, what cannot be printed in them as U+FFFD."""
    return "".join([f"“{isolated(visible(part.text))}”" if part.is_words else part.text for part in said])


# ---------------------------------------------------------------- what is named


def _of_neighbours(step: Change) -> bool:
    return any(isinstance(piece.mark, Neighbours) for piece in step.pieces[:1])


def _rounds_apart(group: Group, a: Result, b: Result, texts: Texts) -> list[Group]:
    """The group; where matches are found in rounds, without the words that both match, but in different rounds, which
    are a group of their own."""
    rounds = {layer.noun for layer in (*a.layers, *b.layers) if layer.number is not None and layer.weight != 1}
    if group.cause != "matches" or len(group.steps) < 2 or not rounds:
        return [group]
    spots = paired(group.pieces, "b", texts)
    ends = [
        {spot for piece, spot in zip(group.pieces, spots, strict=True) if piece.kind == kind}
        for kind in ("lost", "gained")
    ]
    both, at = ends[0] & ends[1], iter(spots)
    kept, moved = list[Change](), list[Change]()
    for step in group.steps:
        split: tuple[list[Piece], list[Piece]] = [], []
        for piece in step.pieces:
            split[next(at) in both].append(piece)
        for pieces, to in zip(split, (kept, moved), strict=True):
            if pieces or (to is kept and not step.pieces):
                share = math.fsum([piece.share for piece in pieces]) if step.pieces else step.share
                to.append(step._replace(pieces=tuple(pieces), share=share))
    return [
        Group(tuple(steps), math.fsum([step.share for step in steps]), min(rounds) if steps is moved else "")
        for steps in (kept, moved)
        if steps
    ]


def _named(found: Sequence[Group], change: float, decimals: int) -> tuple[list[Group], int]:
    """The groups that do not round to 0, and the decimals with which the others are worth less than they."""
    for digits in range(decimals, 10):
        named = [group for group in found[:GROUPS_MOST] if abs(group.share) >= 0.5 * 10**-digits]
        left = math.fsum([abs(group.share) for group in found if group not in named])
        told = abs(change) < EQUAL or abs(change) >= 0.5 * 10**-digits
        if told and (left < math.fsum([abs(group.share) for group in named]) or left < EQUAL):
            break
    return named, digits


def _equal(
    metric: Metric,
    a: Result,
    b: Result,
    named: Sequence[Group],
    digits: int,
    texts: Texts,
    told: bool,
    names: tuple[str, str],
) -> Iterator[Part]:
    """Why the scores are equal; which words were exchanged unless it is `told` already against what they are scored."""
    if a.segment.candidate == b.segment.candidate:
        yield Part(f"{names[0]} and {names[1]} are the same, word for word")
        return
    score = f"{b.score:.{digits}f}"
    reasons = [metric.zero(result) if metric.zero else "" for result in (a, b)]
    if named:
        yield Part(f"Both score {score}, for the changes cancel: ")
        yield from _clauses(metric, named, digits, texts)
    elif reasons[0] == reasons[1] != "":
        yield Part(f"Both score {score}: {_lower(reasons[1])}")
    elif any(reasons):
        both = [f"{name}: {_lower(reason)}" for name, reason in zip(names, reasons, strict=True) if reason]
        yield Part(f"Both score {score}; in {'; in '.join(both)}")
    else:
        yield Part(f"Both score {score}")
        if not told:
            yield Part(": ")
            yield from exchanged(a, b, texts)


def _lower(text: str) -> str:
    return (text[:1].lower() + text[1:]).removesuffix(".")


# ---------------------------------------------------------------- values


def _apart(metric: Metric) -> Mapping[str, str]:
    return metric.composition.apart if metric.composition else {}


def _are_groups(values: Sequence[changes.Part], named: Sequence[Group]) -> bool:
    """Whether each value is what one group of steps is."""
    return len(values) == len(named) and all(
        math.isclose(value.share, group.share, abs_tol=EQUAL) for value, group in zip(values, named, strict=True)
    )


def _values(metric: Metric, values: Sequence[changes.Part], digits: int, texts: Texts) -> Iterator[Part]:
    """What each value is worth, and what it was and is."""
    *firsts, last = [
        f"{signed(value.share, digits)} is the {_value(value, texts, value.name in _apart(metric))}" for value in values
    ]
    yield Part(f"{', '.join(firsts)} and {last}")


def _value(value: changes.Part | Change, texts: Texts, is_of_lengths: bool) -> str:
    """A value by its name with its two numbers, with as many decimals as tell them apart."""
    ends = value.before, value.after
    numbers = next(
        (pair for digits in (2, 3, 4, 6) if (pair := [_number(end, digits) for end in ends])[0] != pair[1]), ["", ""]
    )
    ours, theirs = (len(texts.tokens[side]) for side in "ab")
    lengths = f", {_words(theirs)}, not {ours}" if is_of_lengths and ours != theirs else ""
    return f"{value.name} ({numbers[0]} → {numbers[1]}{lengths})"


def _number(value: float, digits: int) -> str:
    return f"{value:.0f}" if value == round(value) and value > 1 else f"{value:.{digits}f}"


# ---------------------------------------------------------------- groups in words

#: Causes that cost or give something, and are not something that there is more or less of.
_VERBS = ("length", "references")


def _words(count: float, unit: str = "word") -> str:
    return f"{count:.0f} {unit}" if count == 1 else f"{count:.0f} {unit}s"


def _better(metric: Metric, group: Group) -> bool:
    return (group.share > 0) == metric.higher_is_better


def _whole(metric: Metric, group: Group, texts: Texts) -> Iterator[Part]:
    """The one group that is all there is to tell, to stand behind "is"."""
    if group.cause in _VERBS:
        yield Part("what ")
        yield from _verbal(metric, group, "", texts)
    else:
        yield from _what(metric, group, texts)


def _clauses(metric: Metric, named: Sequence[Group], digits: int, texts: Texts) -> Iterator[Part]:
    for number, group in enumerate(named):
        if number:
            yield Part("; ")
        share = signed(group.share, digits)
        if group.cause in _VERBS:
            yield from _verbal(metric, group, f" {share}", texts)
        else:
            yield Part(f"{share} is ")
            yield from _what(metric, group, texts)


def _verbal(metric: Metric, group: Group, share: str, texts: Texts) -> Iterator[Part]:
    """Lengths: what they cost or give, and the words without a match behind it."""
    step, better = group.steps[0], _better(metric, group)
    costs = ("gives" if better else "costs") + share
    if step.cause == "references":
        which = "shorter" if step.after < step.before else "longer"
        yield Part(f"the {which} reference {costs}")
        return
    yield Part(f"the length, {_words(step.after, step.unit)} for {step.before:.0f}, {costs}")
    sides = [("b", step.came, "new"), ("a", step.gone, "gone")]
    said = [(side, places, fate) for side, places, fate in sides if places]
    if step.before > step.after:
        said.reverse()
    for number, (side, places, fate) in enumerate(said):
        yield Part(f"{'; ' if number else ' (unmatched words: '}{in_words(len(places))} {fate}, ")
        yield from few([(side, place) for place in places], texts)
    if said:
        yield Part(")")


def _what(metric: Metric, group: Group, texts: Texts) -> Iterator[Part]:
    """What there is more or less of, and the words that have most of it."""
    better = _better(metric, group)
    if group.cause == "penalty":
        yield Part(f"the {_value(group.steps[0], texts, True)}")
    elif group.cause == "edits" and group.pieces:
        yield from _edits(group, better, texts)
    else:
        yield Part(_phrase(group, better))
        yield from mostly(group, better, texts)


def _edits(group: Group, better: bool, texts: Texts) -> Iterator[Part]:
    """How many edits are gone and how many are new, and of which words."""
    new, gone = replaced(group.pieces, "b" if better else "a", texts)
    sides = [("new", "more", new), ("gone", "fewer", gone)]
    if better:
        sides.reverse()
    said = [each for each in sides if each[2]]
    if len(said) < 2:
        for _, more, places in said:
            yield Part(f"{in_words(len(places))} {'edit' if len(places) == 1 else 'edits'} {more}: ")
            yield from few([place for spot in places for place in spot], texts)
        return
    for number, (fate, _, places) in enumerate(said):
        what = fate if number else "edit" if len(places) == 1 else "edits"
        words = [in_words(len(places)), *([what] if number else [fate, what] if fate == "new" else [what, fate])]
        yield Part(f"{' and ' if number else ''}{' '.join(words)} (")
        yield from few([place for spot in places for place in spot], texts)
        yield Part(")")


def _phrase(group: Group, better: bool) -> str:
    cause, steps, pieces = group.cause, group.steps, group.pieces
    more = math.fsum([step.after - step.before for step in steps])
    if cause == "edits":
        if not more:
            return "other edits"
        return f"{in_words(abs(more))} {'edit' if abs(more) == 1 else 'edits'} {'more' if more > 0 else 'fewer'}"
    if cause == "gaps":
        return f"{'less' if better else 'more'} lost to gaps"
    if steps[0].cost:
        name = steps[0].name
        return f"{'fewer' if more < 0 else 'more'} {name}" if more and (more < 0) == better else f"other {name}"
    if cause == "contiguity":
        if _of_neighbours(steps[0]):
            return f"{'more' if better else 'less'} for runs that follow each other"
        return f"{'longer' if better else 'shorter'} runs"
    if group.moved:
        return f"words that match in {'an earlier' if better else 'a later'} {group.moved}"
    if any(isinstance(piece.mark, SkipBigram) for piece in pieces):
        noun = "matching pairs of words"
    elif pieces and all(len(piece.mark.cells()) == 1 for piece in pieces):
        noun = "matched words"
    else:
        noun = "matching n-grams" if pieces else "matches"
    balance = sum([(piece.kind == "gained") - (piece.kind == "lost") for piece in pieces]) if pieces else more
    if balance and (balance > 0) == better:
        return f"{'more' if better else 'fewer'} {noun}"
    return f"{noun} that count {'more' if better else 'less'}"
