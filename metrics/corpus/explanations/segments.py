"""The choice of the segments that show best why systems A and B differ, and the sentences on what happened there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from ...analysis.causes import describe_cause, describe_segment_cause
from ...analysis.difference import word_diff
from ...analysis.rounding import shares_as_printed
from ...types import Metric, Segment, Tokens, TooHard, quote_text, signed_text
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
    """A segment that is picked because it shows the difference between systems A and B well.

    Attributes:
        segment: the index of the segment.
        of: why it is picked: "b" or "a" if it is worth much in favour of that system, "cause" if nearly all of its
            worth comes from one cause.
        cause: the cause that contributes most in this segment.
        worth: what the segment contributes to the difference of the corpus scores.
    """

    segment: int
    of: Literal["b", "a", "cause"]
    cause: str
    worth: float


class DisputedSegment(NamedTuple):
    """A segment that favours system B by one metric and system A by another one.

    Attributes:
        segment: the index of the segment.
        for_b: the key of the metric by which it favours B most.
        for_a: the key of the metric by which it favours A most.
        size: how strong the disagreement is: the smaller of the two worths, each divided by the root mean square of the
            worths of all segments by its metric.
    """

    segment: int
    for_b: str
    for_a: str
    size: float


def pick_segments(metric: Metric, ledger: CorpusLedger) -> list[Pick]:
    """Return the segments that show a difference best, from the ledger from system A to system B.

    They are the three segments worth most for B, the three worth most for A and, for each cause, the segment worth most
    among those where the cause makes four fifths of what changes the score. A cause gets no segment if all such
    segments are already picked. Equal segments come in their order.
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
    """Return the cause that contributes most to the worth of a segment."""
    return max(ledger.parts, key=lambda cause: abs(float(ledger.parts[cause][segment])), default="")


def disputed_segments(ledgers: Sequence[tuple[Metric, CorpusLedger]]) -> list[DisputedSegment]:
    """Return the `TORN` segments about which metrics disagree most; fewer if there are not so many.

    Each ledger goes from system A to system B by its metric.
    """
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
    """Return how much each segment favours B by a metric, divided by the root mean square over all segments."""
    worth: Array = np.asarray(ledger.worth) * metric.sign
    size = float(np.sqrt(np.mean(worth**2)))
    return worth / size if size else worth


def segment_causes_text(
    metric: Metric, ledger: CorpusLedger, segment: int, decimals: int, lengths: tuple[int, int]
) -> str:
    """Return a segment's worth and its causes as text, such as "−0.0021 = −0.0016 fewer matched words, …".

    The largest cause comes first, and the printed shares sum to the printed worth. `lengths` are the lengths of A's and
    B's outputs in words.
    """
    worth = ledger.worth[segment]
    digits = decimals
    while digits < 9 and abs(worth) < 10**-digits:
        digits += 1
    parts = sorted(((float(part[segment]), cause) for cause, part in ledger.parts.items()), key=lambda e: -abs(e[0]))
    printed = shares_as_printed([value for value, _ in parts], worth, digits)
    each = [(value, cause) for value, (_, cause) in zip(printed, parts, strict=True)]
    clauses = [
        f"{share} {_segment_cause_text(metric, ledger, cause, value, lengths)}"
        for value, cause in each
        if (share := signed_text(value, digits))[0] in "+−"
    ]
    if len(clauses) == 1:
        return f"{signed_text(worth, digits)}, {clauses[0].split(' ', 1)[1]}"
    return f"{signed_text(worth, digits)} = {', '.join(clauses)}" if clauses else signed_text(worth, digits)


def _segment_cause_text(
    metric: Metric, ledger: CorpusLedger, cause: str, share: float, lengths: tuple[int, int]
) -> str:
    """Return a cause in words, such as "longer output", for one segment, where it has this share of the worth.

    The sign of the share tells which output has more of what the cause counts. Only lengths may count both ways, so
    they are compared directly; of a reference it is only known that another one decides.
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


def differing_phrases(a: Segment, b: Segment, names: tuple[str, str] = ("A", "B")) -> str:
    """Return the phrases in which two outputs differ as text, the longest first, noting which ones a reference has.

    A phrase that both outputs have in different places is reported as such. Return "" if the outputs are too long to
    compare.
    """
    try:
        differences = sorted(_differing_words(a.candidate, b.candidate), key=lambda each: -max(map(len, each)))[
            :PHRASES
        ]
    except TooHard:
        return ""
    one_sided = [{each[side] for each in differences if not each[1 - side]} for side in (0, 1)]
    phrases = []
    for each in differences:
        if each[0] and each[0] in one_sided[1]:
            phrases.append(f"{quote_text(' '.join(each[0]), LETTERS)} is elsewhere in {names[1]}")
        elif each[1] not in one_sided[0]:
            sides = [
                f"{name} {quote_text(' '.join(side), LETTERS)}{_reference_note(side, a.references)}"
                for name, side in zip(names, each, strict=True)
                if side
            ]
            phrases.append(", ".join(sides) if len(sides) > 1 else f"only {sides[0]}")
    return "; ".join(phrases)


def _reference_note(phrase: Tokens, references: Iterable[Tokens]) -> str:
    """Return " (in a reference)" if a reference has the words in a row; otherwise ""."""
    size = len(phrase)
    is_confirmed = size <= PHRASE and any(
        line[at : at + size] == phrase
        for line in references
        for at in range(len(line) - size + 1)
        if line[at] == phrase[0]
    )
    return " (in a reference)" if is_confirmed else ""


def _differing_words(a: Tokens, b: Tokens) -> Iterator[tuple[Tokens, Tokens]]:
    """Yield the differences of two outputs in order: the words of A, and the words of B in their place."""
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
    """A picked segment with a sentence on what happened there.

    Attributes:
        segment: the index of the segment.
        of: why it is picked: "b", "a", the name of a cause, or "disagreement".
        worth: what it contributes to the difference; for "disagreement", how strong that is (`DisputedSegment.size`).
        says: what happened there, in a sentence.
        why: the clause of the sentence with the worth and its causes.
        cause: the cause that contributes most there; "" for "disagreement".
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
    """Return the segments that show the difference of systems A and B best, with what happened in each.

    `ledger` goes from A to B. `a` and `b` are the segments with the outputs of A and B, and `names` the systems' names.
    """
    out = []
    for pick in pick_segments(metric, ledger):
        ours, theirs = a[pick.segment], b[pick.segment]
        lengths = len(ours.candidate), len(theirs.candidate)
        why = segment_causes_text(metric, ledger, pick.segment, decimals, lengths)
        good = (pick.worth > 0) == metric.higher_is_better
        sentences = [
            why,
            new_run_clause(ours, theirs, names, good) if pick.cause in IN_A_ROW else "",
            differing_phrases(ours, theirs, names),
        ]
        says = f"{'. '.join(filter(None, sentences))}."
        out.append(
            SegmentStory(pick.segment, pick.cause if pick.of == "cause" else pick.of, pick.worth, says, why, pick.cause)
        )
    return out


def new_run_clause(a: Segment, b: Segment, names: tuple[str, str], for_b: bool) -> str:
    """Return a clause with the longest run of words that the better output shares with a reference and the other lacks.

    `for_b` says that B's output is the better one. Return "" if there is no such run of two words or more, or a text is
    too long.
    """
    better, worse = (b, a) if for_b else (a, b)
    if max(len(better.candidate), len(worse.candidate), *map(len, a.references)) > MOST:
        return ""
    run = longest_new_run(better.candidate, worse.candidate, a.references)
    if run is None or run.length < 2:
        return ""
    phrase = quote_text(" ".join(better.candidate[run.start : run.end]), 2 * LETTERS)
    return f"The longest run that only {names[for_b]} has is {phrase}"


def disputed_stories(
    ledgers: Sequence[tuple[Metric, CorpusLedger]],
    a: Sequence[Segment],
    b: Sequence[Segment],
    names: tuple[str, str],
    decimals: int,
) -> list[SegmentStory]:
    """Return the segments about which metrics disagree most, with what happened in each.

    `ledgers` go from system A to system B; `a` and `b` are the segments with their outputs. Each metric is explained
    from the side of the system that it favours.
    """
    of = {metric.key: (metric, ledger) for metric, ledger in ledgers}
    out = []
    for torn_segment in disputed_segments(ledgers):
        ours, theirs = a[torn_segment.segment], b[torn_segment.segment]
        lengths = len(ours.candidate), len(theirs.candidate)
        each = []
        for key, name, turned in ((torn_segment.for_b, names[1], False), (torn_segment.for_a, names[0], True)):
            metric, ledger = of[key]
            sides = (ledger.swapped, lengths[::-1]) if turned else (ledger, lengths)
            reasons = segment_causes_text(metric, sides[0], torn_segment.segment, decimals, sides[1])
            each.append(f"{metric.label} prefers {name} ({reasons})")
        sentence = f"{', '.join(each)}. {differing_phrases(ours, theirs, names)}".rstrip(" .")
        out.append(SegmentStory(torn_segment.segment, "disagreement", torn_segment.size, f"{sentence}."))
    return out
