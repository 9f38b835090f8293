"""The segments that show best why two systems differ, and sentences on what happened in each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from ...analysis.causes import describe_cause, describe_segment_cause
from ...analysis.difference import word_diff
from ...types import Metric, Segment, Tokens, TooHard, quoted, signed
from ..ledger import CorpusLedger
from ..table import Array
from .deciding_words import IN_A_ROW, MOST, longest_new_run

#: How many segments are picked for each system.
PICKED = 3
#: How many segments are picked because metrics disagree.
TORN = 2
#: A segment is a pure case of a cause if the cause makes at least the fraction PURE of everything that moves its score,
#: and at least the fraction MUCH of the mean absolute worth of a segment.
PURE, MUCH = 0.8, 0.5
#: A worth below this is a rounding error.
ROUNDING = 1e-12
#: How many differing phrases of a segment are quoted, and how many letters of each.
PHRASES, LETTERS = 2, 60
#: The most words of a phrase that is searched in the references: a longer one is a sentence of its own.
PHRASE = 50


class Pick(NamedTuple):
    """A segment that is picked to show the difference between two systems.

    Attributes:
        segment: the index of the segment.
        of: why it is picked: it speaks for B, for A, or it is a pure case of one cause.
        cause: the cause that is worth most there.
        worth: what the segment contributes to the difference.
    """

    segment: int
    of: Literal["b", "a", "cause"]
    cause: str
    worth: float


class DisputedSegment(NamedTuple):
    """A segment that speaks for B by one metric and for A by another one.

    Attributes:
        segment: the index of the segment.
        for_b: the key of the metric by which it speaks most for B.
        for_a: the key of the metric by which it speaks most for A.
        size: the smaller of the two worths, each divided by the root mean square of the worths by its metric.
    """

    segment: int
    for_b: str
    for_a: str
    size: float


def picks(metric: Metric, ledger: CorpusLedger) -> list[Pick]:
    """Return the three segments worth most for B, those worth most for A, and the purest segment of each cause.

    For a cause it is the segment that is worth most of those where the cause makes four fifths of what moves the score.
    It is left out if there is none that is not picked yet. Equal segments come in their order.
    """
    worth = np.asarray(ledger.worth)
    good = worth if metric.higher_is_better else -worth
    out: list[Pick] = []
    for side, sign in (("b", 1), ("a", -1)):
        order = np.argsort(-sign * good, kind="stable")[:PICKED]
        out += [
            Pick(int(n), side, _largest_cause(ledger, int(n)), float(worth[n]))  # type: ignore[arg-type]
            for n in order
            if sign * good[n] > ROUNDING
        ]
    parts = {cause: part for cause, part in ledger.parts.items() if np.abs(part).sum() > ROUNDING}
    if len(parts) < 2:
        return out
    moved = sum([np.abs(part) for part in parts.values()], np.zeros(len(worth)))
    least = MUCH * float(np.abs(worth[worth != 0]).mean()) if worth.any() else 0.0
    for cause, part in parts.items():
        size = np.abs(part)
        size[(size < PURE * moved) | (size < least)] = 0.0
        size[[pick.segment for pick in out]] = 0.0
        if size.any():
            most = int(np.argmax(size))
            out.append(Pick(most, "cause", cause, float(worth[most])))
    return out


def _largest_cause(ledger: CorpusLedger, segment: int) -> str:
    """Return the cause that is worth most in a segment."""
    return max(ledger.parts, key=lambda cause: abs(float(ledger.parts[cause][segment])), default="")


def disputed_segments(ledgers: Sequence[tuple[Metric, CorpusLedger]]) -> list[DisputedSegment]:
    """Return the `TORN` segments about which metrics disagree most, or fewer where they do not disagree."""
    if len(ledgers) < 2:
        return []
    sizes = np.array([_standardised_worths(metric, ledger) for metric, ledger in ledgers])
    high, low = sizes.argmax(axis=0), sizes.argmin(axis=0)
    size = np.minimum(sizes.max(axis=0), -sizes.min(axis=0))
    order = np.argsort(-size, kind="stable")[:TORN]
    return [
        DisputedSegment(int(n), ledgers[high[n]][0].key, ledgers[low[n]][0].key, float(size[n]))
        for n in order
        if size[n] > ROUNDING
    ]


def _standardised_worths(metric: Metric, ledger: CorpusLedger) -> Array:
    """Return the worth of each segment for B, divided by the root mean square of the worths."""
    worth: Array = np.asarray(ledger.worth) * (1 if metric.higher_is_better else -1)
    size = float(np.sqrt(np.mean(worth**2)))
    return worth / size if size else worth


def causes(metric: Metric, ledger: CorpusLedger, segment: int, decimals: int, lengths: tuple[int, int]) -> str:
    """Return what a segment is worth and by which causes, the largest first.

    "−0.0021 = −0.0016 fewer matched words, …"

    `lengths` are the lengths of A's and B's outputs in words.
    """
    worth = ledger.worth[segment]
    digits = decimals
    while digits < 9 and abs(worth) < 10**-digits:
        digits += 1
    each = sorted(((float(part[segment]), cause) for cause, part in ledger.parts.items()), key=lambda e: -abs(e[0]))
    clauses = [
        f"{share} {_segment_cause(metric, ledger, cause, value, lengths)}"
        for value, cause in each
        if (share := signed(value, digits))[0] in "+−"
    ]
    if len(clauses) == 1:
        return f"{signed(worth, digits)}, {clauses[0].split(' ', 1)[1]}"
    return f"{signed(worth, digits)} = {', '.join(clauses)}" if clauses else signed(worth, digits)


def _segment_cause(metric: Metric, ledger: CorpusLedger, cause: str, share: float, lengths: tuple[int, int]) -> str:
    """Return the wording of a cause in one segment.

    The sign of a share tells which output has more of a statistic. Only lengths may count both ways, so they are
    compared directly; of a reference it is only known that another one decides.
    """
    if cause == "length":
        a, b = lengths
        return "longer output" if b > a else "shorter output" if b < a else "lengths"
    if cause == "references":
        return "another reference decides"
    if cause == "penalty":
        name = next((step.name for step in ledger.steps if step.cause == cause), "")
        return describe_cause(metric, ledger.settings, cause, name, share, 0.0)
    return describe_segment_cause(metric, ledger.settings, cause, "", share)


def words(a: Segment, b: Segment, names: tuple[str, str] = ("A", "B")) -> str:
    """Return the phrases in which two outputs differ, the longest first, with whether a reference has each phrase.

    A phrase that both outputs have in different places is reported as such. Return "" if the outputs are too long to
    compare.
    """
    try:
        differences = sorted(_differences(a.candidate, b.candidate), key=lambda each: -max(map(len, each)))[:PHRASES]
    except TooHard:
        return ""
    one_sided = [{each[side] for each in differences if not each[1 - side]} for side in (0, 1)]
    phrases = []
    for each in differences:
        if each[0] and each[0] in one_sided[1]:
            phrases.append(f"{quoted(' '.join(each[0]), LETTERS)} stands elsewhere in {names[1]}")
        elif each[1] not in one_sided[0]:
            sides = [
                f"{name} {quoted(' '.join(side), LETTERS)}{_reference_note(side, a.references)}"
                for name, side in zip(names, each, strict=True)
                if side
            ]
            phrases.append(", ".join(sides) if len(sides) > 1 else f"only {sides[0]}")
    return "; ".join(phrases)


def _reference_note(phrase: Tokens, references: Iterable[Tokens]) -> str:
    """Return " (in a reference)" if a reference has the words in a row, else ""."""
    size = len(phrase)
    is_confirmed = size <= PHRASE and any(
        line[at : at + size] == phrase
        for line in references
        for at in range(len(line) - size + 1)
        if line[at] == phrase[0]
    )
    return " (in a reference)" if is_confirmed else ""


def _differences(a: Tokens, b: Tokens) -> Iterator[tuple[Tokens, Tokens]]:
    """Yield the differences of two outputs: the words of A, and the words of B in their place."""
    ours, theirs = list[str](), list[str]()
    for i, j in [*word_diff(a, b), (len(a), len(b))]:
        if i is not None and j is not None:
            if ours or theirs:
                yield tuple(ours), tuple(theirs)
            ours, theirs = [], []
        elif i is not None:
            ours.append(a[i])
        elif j is not None:
            theirs.append(b[j])


class SegmentStory(NamedTuple):
    """A segment with the sentence on what happened there.

    Attributes:
        segment: the index of the segment.
        of: why it is picked: "b", "a", the name of a cause, or "disagreement".
        worth: what it contributes to the difference, or, for "disagreement", the size of `DisputedSegment`.
        says: what happened, in a sentence.
        why: the part of the sentence with the worth and its causes.
        cause: the cause that is worth most there; "" for "disagreement".
    """

    segment: int
    of: str
    worth: float
    says: str
    why: str = ""
    cause: str = ""


def pick_stories(
    metric: Metric,
    ledger: CorpusLedger,
    a: Sequence[Segment],
    b: Sequence[Segment],
    names: tuple[str, str],
    decimals: int,
) -> list[SegmentStory]:
    """Return what happened in each segment that is picked for a ledger from system A to system B.

    `a` and `b` are the segments of the two systems, `names` their names.
    """
    out = []
    for pick in picks(metric, ledger):
        ours, theirs = a[pick.segment], b[pick.segment]
        lengths = len(ours.candidate), len(theirs.candidate)
        why = causes(metric, ledger, pick.segment, decimals, lengths)
        good = (pick.worth > 0) == metric.higher_is_better
        sentences = [
            why,
            new_run(ours, theirs, names, good) if pick.cause in IN_A_ROW else "",
            words(ours, theirs, names),
        ]
        says = f"{'. '.join(filter(None, sentences))}."
        out.append(
            SegmentStory(pick.segment, pick.cause if pick.of == "cause" else pick.of, pick.worth, says, why, pick.cause)
        )
    return out


def new_run(a: Segment, b: Segment, names: tuple[str, str], for_b: bool) -> str:
    """Return a clause with the longest run of words that the better output shares with a reference and the other lacks.

    Return "" if there is no such run of two words or more.
    """
    better, worse = (b, a) if for_b else (a, b)
    if max(len(better.candidate), len(worse.candidate), *map(len, a.references)) > MOST:
        return ""
    run = longest_new_run(better.candidate, worse.candidate, a.references)
    if run is None or run.length < 2:
        return ""
    phrase = quoted(" ".join(better.candidate[run.start : run.end]), 2 * LETTERS)
    return f"The longest run that {names[for_b]} alone has is {phrase}"


def disputed_stories(
    ledgers: Sequence[tuple[Metric, CorpusLedger]],
    a: Sequence[Segment],
    b: Sequence[Segment],
    names: tuple[str, str],
    decimals: int,
) -> list[SegmentStory]:
    """Return what happened in the segments about which metrics disagree most.

    Each metric is explained from the side of the system for which it speaks. `ledgers` go from A to B.
    """
    of = {metric.key: (metric, ledger) for metric, ledger in ledgers}
    out = []
    for torn_segment in disputed_segments(ledgers):
        ours, theirs = a[torn_segment.segment], b[torn_segment.segment]
        lengths = len(ours.candidate), len(theirs.candidate)
        each = []
        for key, name, turned in ((torn_segment.for_b, names[1], False), (torn_segment.for_a, names[0], True)):
            metric, ledger = of[key]
            sides = (ledger.turned, lengths[::-1]) if turned else (ledger, lengths)
            reasons = causes(metric, sides[0], torn_segment.segment, decimals, sides[1])
            each.append(f"{metric.label} speaks for {name} ({reasons})")
        sentence = f"{', '.join(each)}. {words(ours, theirs, names)}".rstrip(" .")
        out.append(SegmentStory(torn_segment.segment, "disagreement", torn_segment.size, f"{sentence}."))
    return out
