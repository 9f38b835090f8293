"""RIBES as Isozaki et al. (2010) describe it and their program finds the order of words: contexts, ranks, pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ...teach.empty import wordless
from ...teach.steps import (
    Code,
    Decision,
    Prefix,
    Program,
    Rejected,
    Step,
    alone,
    chosen,
    count,
    number,
    of_reference,
    phrase,
    same_cells,
    unknown,
    word,
)
from ...types import Hit, Mark, Result, Segment, SkipBigram, Tokens
from ...types.work import spend

#: Why a word goes with no word of the reference, or not yet.
NOT_ONCE = "does not stand once in both sentences"
ALONE = "one aligned word has no order"
#: Why a pair is not counted.
DISCORDANT = "does not rise in the reference"


def code(settings: Any) -> Code:
    return Code(
        once="each xᵢ that stands once in both sentences:  align it",
        absent="    not in the reference at all:  not aligned",
        grow="    else grow its context, n = 1, 2 …:  xᵢ₋ₙ … xᵢ, then xᵢ … xᵢ₊ₙ",
        found="    until it stands once in both:  align xᵢ",
        none="    no context does:  not aligned",
        alone="one aligned word, and m > 1:  it has no order, align none",
        pairs="each pair of aligned words:  concordant if it rises in the reference",
        kendall="kendall ← concordant / pairs, that is (τ + 1) / 2",
        precision="P ← aligned / n",
        brevity="BP ← min(1, exp(1 − m/n))",
        each="value ← kendall · P^α · BP^β",
        score="RIBES ← the best value of a reference",
    )


class Context(NamedTuple):
    """Words start to end of the candidate around word i, and where they begin in both sentences."""

    i: int
    start: int
    end: int
    ours: list[int]
    theirs: list[int]

    def cells(self, k: int) -> tuple[Hit, ...]:
        """Word i with all its places in the reference, and with the first of these its other places: one cell where
        the context stands once in both."""
        behind = self.i - self.start
        row = [Hit(self.i, k, b + behind) for b in self.theirs]
        return (*row, *[Hit(a + behind, k, b + behind) for b in self.theirs[:1] for a in self.ours if a != self.start])


def places(words: Tokens, sentence: Tokens) -> list[int]:
    """Where some words begin in a sentence.

    >>> places(("a",), ("a", "b", "a"))
    [0, 2]
    """
    spend(len(sentence) // 10)
    return [t for t in range(len(sentence) - len(words) + 1) if sentence[t : t + len(words)] == words]


def going_on(sentence: Tokens, starts: Sequence[int], offset: int, word: str) -> list[int]:
    """Those of some starts in a sentence from which a word stands so many places on.

    >>> going_on(("a", "b", "a"), [0, 2], 1, "b")
    [0]
    """
    spend(1 + len(starts) // 5)
    return [at for at in starts if 0 <= at + offset < len(sentence) and sentence[at + offset] == word]


def contexts(candidate: Tokens, i: int, reference: Tokens) -> Iterator[Context]:
    """The contexts of a word, shortest first and left before right, up to the one that stands once in both sentences.

    A side ends where its context is not in the reference, since no longer one can be. A context is looked for where the
    one that is a word shorter stands.

    >>> [(one.start, one.end) for one in contexts(("a", "b", "a"), 2, ("a", "b", "a"))]
    [(2, 3), (1, 3)]
    """
    word = candidate[i : i + 1]
    alone = Context(i, i, i + 1, places(word, candidate), places(word, reference))
    sides = {(1, 0): alone, (0, 1): alone}  # by how many words more to the left and to the right: the last context
    yield alone
    if not alone.theirs or len(alone.ours) == len(alone.theirs) == 1:
        return
    for _ in range(1, len(candidate)):
        for (left, right), last in [*sides.items()]:
            start, end = last.start - left, last.end + right
            if start < 0 or end > len(candidate):
                continue
            offset = -1 if left else end - 1 - start  # from where the shorter one begins to the word that is added
            added = candidate[last.start + offset]
            ours, theirs = (
                [at - left for at in going_on(sentence, starts, offset, added)]
                for sentence, starts in ((candidate, last.ours), (reference, last.theirs))
            )
            one = sides[left, right] = Context(i, start, end, ours, theirs)
            yield one
            if len(ours) == len(theirs) == 1:
                return
            if not theirs:
                del sides[left, right]


def aligned(candidate: Tokens, reference: Tokens) -> list[tuple[int, int]]:
    """The aligned words as pairs of positions.

    >>> aligned(("a", "b", "a", "c"), ("a", "b", "a"))
    [(0, 0), (1, 1), (2, 2)]
    """
    out = []
    for i in range(len(candidate)):
        last = [*contexts(candidate, i, reference)][-1]
        if len(last.ours) == len(last.theirs) == 1:
            out.append((i, last.theirs[0] + i - last.start))
    return out if len(out) > 1 or len(reference) == 1 else []


def brevity(n: int, m: int) -> float:
    """The brevity penalty, 0 for an empty candidate."""
    return min(1.0, math.exp(1 - m / n)) if n else 0.0


def value_of(places: Sequence[int], n: int, m: int, alpha: float, beta: float) -> float:
    """RIBES of aligned words, given where they stand in the reference, in the candidate's order."""
    spend(len(places) ** 2 // 20)
    pairs = [(a, b) for t, b in enumerate(places) for a in places[:t]]
    kendall = sum(a < b for a, b in pairs) / len(pairs) if pairs else len(places)
    return float(kendall * (len(places) / max(n, 1)) ** alpha * brevity(n, m) ** beta) if n else 0.0


def steps(segment: Segment, settings: Any, score: Callable[[], Result]) -> Iterator[Step]:
    """Every reference's aligned words, pairs and value, then the choice of the best."""
    candidate, references = segment
    n, lines = len(candidate), code(settings)
    taken: list[list[Mark]] = []
    values: list[float] = []
    numbers: list[dict[str, float]] = []  # of the formula, by reference
    for k, reference in enumerate(references):
        m, marks, of = len(reference), list[Mark](), of_reference(k, segment)
        before = max(values, default=None)  # the score so far
        known: dict[str, float] = {"n": n or math.nan, "m": m, "α": settings.alpha, "β": settings.beta, "aligned": 0}
        known |= unknown("concordant", "discordant", "kendall", "p", "BP", "RIBES")
        for i in range(n):
            for step in _looked_up(i, k, candidate, reference, marks, lines):
                yield replace(step, score=before, known={**known, "aligned": len(step.taken)})
        known["aligned"] = len(marks)
        hits = [mark for mark in marks if isinstance(mark, Hit)]
        if len(hits) == 1 < m:
            text = f"{word(candidate[hits[0].i])} is the only aligned word: it has no order, and none counts."
            marks = []
            known["aligned"] = 0
            yield Step(text, lines["alone"], hits, (), [Rejected(hits[0], ALONE)], score=before, known=known)
            hits = []
        for t in range(1, len(hits)):
            step = _compared(hits, t, marks, reference, lines)
            rising = len(marks) - len(hits)
            known = {**known, "concordant": rising, "discordant": t * (t + 1) // 2 - rising}
            yield replace(step, score=before, known=known)
        concordant, pairs = len(marks) - len(hits), len(hits) * (len(hits) - 1) // 2
        kendall = concordant / pairs if pairs else float(len(hits))
        text = f"kendall{of} = {concordant}/{pairs} = {number(kendall)}."
        if not pairs:
            why = "the only word is right" if hits else "no aligned words, no order"
            text = f"kendall{of} = {number(kendall)}: {wordless(segment, k) or why}."
        known = {**known, "kendall": kendall}
        yield Step(text, lines["kendall"], taken=Prefix(marks), score=before, known=known)
        above = f"{len(hits)}/{n} = {number(len(hits) / n)}" if n else "0"
        known = {**known, "p": len(hits) / max(n, 1)}
        yield Step(f"P = {above}.", lines["precision"], taken=Prefix(marks), score=before, known=known)
        bp = brevity(n, m)
        text = f"n = {n} is {'less than' if n < m else 'no less than'} m = {m}, so BP = {number(bp)}."
        known = {**known, "BP": bp}
        yield Step(text, lines["brevity"], taken=Prefix(marks), score=before, known=known)
        values.append(value_of([hit.j for hit in hits], n, m, settings.alpha, settings.beta))
        taken.append(marks)
        p = number(len(hits) / max(n, 1))
        text = f"{number(kendall)} · {p}^{settings.alpha:g} · {number(bp)}^{settings.beta:g} = {number(values[k])}."
        numbers.append({**known, "RIBES": values[k]})
        yield Step(text, lines["each"], taken=Prefix(marks), score=values[k], known=numbers[k])
    k, text, every, others, decision = chosen(values, taken)
    result = score()
    assert same_cells(taken[k], result)
    yield Step(
        text,
        lines["score"],
        every,
        Prefix(taken[k]),
        others,
        score=values[k],
        decision=decision,
        result=result,
        known=numbers[k],
    )


def _looked_up(i: int, k: int, candidate: Tokens, reference: Tokens, marks: list[Mark], lines: Code) -> Iterator[Step]:
    """The contexts of a word, and the hit that they find, which joins the marks."""
    seen: list[Context] = []
    for one in contexts(candidate, i, reference):
        seen.append(one)
        words, cells = candidate[one.start : one.end], one.cells(k)
        name = phrase(" ".join(words), 24)
        times = f"{_times(len(one.ours))} in the candidate, {_times(len(one.theirs))} in the reference"
        if len(cells) == 1:
            marks.append(cells[0])
            if one is seen[0]:
                yield Step(f"{name} stands once in both: aligned.", lines["once"], cells, Prefix(marks))
            else:
                text = f"{name} stands once in both: {word(candidate[i])} is aligned."
                yield Step(text, lines["found"], cells, Prefix(marks), decision=Decision("context", cells))
            return
        own = [Rejected(cell, NOT_ONCE) for cell in cells if cell.i == i]
        if one is seen[0] and not one.theirs:
            yield Step(f"{name} is not in the reference.", lines["absent"], (alone(i, i + 1, k),), Prefix(marks))
            return
        looked = cells or (alone(one.start, one.end, k),)
        yield Step(f"{name} stands {times}.", lines["grow"], looked, Prefix(marks), own)
    own = [Rejected(cell, NOT_ONCE) for cell in seen[0].cells(k) if cell.i == i]
    text = f"No context of {word(candidate[i])} stands once in both: not aligned."
    yield Step(text, lines["none"], seen[0].cells(k), Prefix(marks), own)


def _compared(hits: Sequence[Hit], t: int, marks: list[Mark], reference: Tokens, lines: Code) -> Step:
    """An aligned word with all before it; the concordant pairs join the marks."""
    spend(t + len(hits) // 10)
    pairs = [SkipBigram(hit, hits[t]) for hit in hits[:t]]
    rising = [pair for pair in pairs if pair.first.j < pair.second.j]
    marks += rising
    rank = len({hit.j for hit in hits if hit.j <= hits[t].j})
    name = word(reference[hits[t].j])
    text = f"{name}, rank {rank}, rises from {len(rising)} of {count(t, 'aligned word')} before it."
    return Step(
        text,
        lines["pairs"],
        pairs,
        Prefix(marks),
        [Rejected(pair, DISCORDANT) for pair in pairs if pair.first.j >= pair.second.j],
    )


def _times(many: int) -> str:
    return ("not", "once", "twice")[many] if many < 3 else f"{many} times"


PROGRAM = Program(code, steps)
