"""Run RIBES step by step: words are aligned by their contexts, then ranked; pairs of ranks give the score.

A word's context is the word with neighbours to its left or right, as many as make it occur only once. The score is as
Isozaki et al. (2010) describe it; the alignment follows their program."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ...teach.empty_texts import describe_wordless_texts
from ...teach.steps import (
    Decision,
    Prefix,
    Program,
    ProgramStep,
    PseudoCode,
    Rejected,
    choose_reference,
    count,
    number,
    of_reference,
    phrase,
    same_cells,
    unknown,
    unmatched_mark,
    word,
)
from ...types import Hit, Mark, Result, Segment, SkipBigram, Tokens
from ...types.work import spend

#: Reasons why a word is not aligned, or not yet.
NOT_ONCE = "does not occur exactly once in each sentence"
ALONE = "a single aligned word has no order"
#: The reason why a pair does not count.
DISCORDANT = "does not rise in the reference"


def code(settings: Any) -> PseudoCode:
    return PseudoCode(
        once="each xᵢ that occurs once in each sentence:  align it",
        absent="    not in the reference at all:  not aligned",
        grow="    else grow its context, n = 1, 2 …:  xᵢ₋ₙ … xᵢ, then xᵢ … xᵢ₊ₙ",
        found="    until it occurs once in each:  align xᵢ",
        none="    no context does:  not aligned",
        alone="one aligned word, and m > 1:  it has no order, align none",
        pairs="each pair of aligned words:  concordant if it rises in the reference",
        kendall="kendall ← concordant / pairs, that is (τ + 1) / 2",
        precision="P ← aligned / n",
        brevity="BP ← min(1, exp(1 − m/n))",
        each="value ← kendall · P^α · BP^β",
        score="RIBES ← the best value over the references",
    )


class Context(NamedTuple):
    """A context of candidate word `i`: the words from `start` up to `end` (exclusive), which include it.

    `ours` and `theirs` are the positions where the same words begin in the candidate and in the reference."""

    i: int
    start: int
    end: int
    ours: list[int]
    theirs: list[int]

    def cells(self, k: int) -> tuple[Hit, ...]:
        """Return the cells that a step draws for this context: the pairs of word `i` that the context allows.

        If the context occurs once in both texts, this is the one cell that it aligns. Otherwise these are the cells of
        word `i` with its place in each occurrence in the reference; then those of the other occurrences in the
        candidate with the first occurrence in the reference."""
        behind = self.i - self.start
        row = [Hit(self.i, k, b + behind) for b in self.theirs]
        return (*row, *[Hit(a + behind, k, b + behind) for b in self.theirs[:1] for a in self.ours if a != self.start])


def occurrence_positions(words: Tokens, sentence: Tokens) -> list[int]:
    """Return the positions in `sentence` where the sequence `words` begins.

    >>> occurrence_positions(("a",), ("a", "b", "a"))
    [0, 2]
    """
    spend(len(sentence) // 10)
    return [t for t in range(len(sentence) - len(words) + 1) if sentence[t : t + len(words)] == words]


def starts_followed_by(sentence: Tokens, starts: Sequence[int], offset: int, word: str) -> list[int]:
    """Return the positions of `starts` for which `sentence` has `word` at the position plus `offset`.

    >>> starts_followed_by(("a", "b", "a"), [0, 2], 1, "b")
    [0]
    """
    spend(1 + len(starts) // 5)
    return [at for at in starts if 0 <= at + offset < len(sentence) and sentence[at + offset] == word]


def contexts_of_word(candidate: Tokens, i: int, reference: Tokens) -> Iterator[Context]:
    """Yield the contexts of word `i` that the program tries, shortest first, until one occurs once in both sentences.

    A context grows on one side, left or right; of equally long contexts the left one comes first. A side is given up
    when its context does not occur in the reference, because no longer one can. A context is looked up only where the
    context that is one word shorter occurs.

    >>> [(one.start, one.end) for one in contexts_of_word(("a", "b", "a"), 2, ("a", "b", "a"))]
    [(2, 3), (1, 3)]
    """
    word = candidate[i : i + 1]
    word_context = Context(i, i, i + 1, occurrence_positions(word, candidate), occurrence_positions(word, reference))
    # The last context of each side, by how many words a step adds to the left and to the right.
    sides = {(1, 0): word_context, (0, 1): word_context}
    yield word_context
    if not word_context.theirs or len(word_context.ours) == len(word_context.theirs) == 1:
        return
    for _ in range(1, len(candidate)):
        for (left_step, right), last in [*sides.items()]:
            start, end = last.start - left_step, last.end + right
            if start < 0 or end > len(candidate):
                continue
            offset = -1 if left_step else end - 1 - start  # of the added word from the shorter context's start
            added = candidate[last.start + offset]
            ours, theirs = (
                [at - left_step for at in starts_followed_by(sentence, starts, offset, added)]
                for sentence, starts in ((candidate, last.ours), (reference, last.theirs))
            )
            one = sides[left_step, right] = Context(i, start, end, ours, theirs)
            yield one
            if len(ours) == len(theirs) == 1:
                return
            if not theirs:
                del sides[left_step, right]


def aligned_positions(candidate: Tokens, reference: Tokens) -> list[tuple[int, int]]:
    """Return the aligned words as pairs (candidate position, reference position), by candidate position.

    A single aligned word has no order and is left out, unless the reference has one word.

    >>> aligned_positions(("a", "b", "a", "c"), ("a", "b", "a"))
    [(0, 0), (1, 1), (2, 2)]
    """
    out = []
    for i in range(len(candidate)):
        last = [*contexts_of_word(candidate, i, reference)][-1]
        if len(last.ours) == len(last.theirs) == 1:
            out.append((i, last.theirs[0] + i - last.start))
    return out if len(out) > 1 or len(reference) == 1 else []


def brevity_penalty(n: int, m: int) -> float:
    """Return the brevity penalty for `n` candidate words and `m` reference words; 0 for an empty candidate."""
    return min(1.0, math.exp(1 - m / n)) if n else 0.0


def ribes_score(places: Sequence[int], n: int, m: int, alpha: float, beta: float) -> float:
    """Return the RIBES score of an alignment.

    `places` are the reference positions of the aligned words, in the candidate's order; `n` and `m` are the lengths of
    candidate and reference; `alpha` and `beta` are the powers of precision and brevity penalty."""
    spend(len(places) ** 2 // 20)
    pairs = [(a, b) for t, b in enumerate(places) for a in places[:t]]
    kendall = sum(a < b for a, b in pairs) / len(pairs) if pairs else len(places)
    return float(kendall * (len(places) / max(n, 1)) ** alpha * brevity_penalty(n, m) ** beta) if n else 0.0


def steps(segment: Segment, settings: Any, score: Callable[[], Result]) -> Iterator[ProgramStep]:
    """Yield the steps of RIBES's program: alignment, pairs and score with each reference, then the best one."""
    candidate, references = segment
    n, lines = len(candidate), code(settings)
    taken_marks: list[list[Mark]] = []
    values: list[float] = []
    numbers: list[dict[str, float]] = []  # the formula's numbers by reference
    for k, reference in enumerate(references):
        m, marks, of = len(reference), list[Mark](), of_reference(k, segment)
        before = max(values, default=None)  # the score so far
        known_numbers: dict[str, float] = {
            "n": n or math.nan,
            "m": m,
            "α": settings.alpha,
            "β": settings.beta,
            "aligned": 0,
        }
        known_numbers |= unknown("concordant", "discordant", "kendall", "p", "BP", "RIBES")
        for i in range(n):
            for step in _alignment_steps(i, k, candidate, reference, marks, lines):
                yield replace(step, score=before, known_values={**known_numbers, "aligned": len(step.taken_marks)})
        known_numbers["aligned"] = len(marks)
        hits = [mark for mark in marks if isinstance(mark, Hit)]
        if len(hits) == 1 < m:
            text = f"{word(candidate[hits[0].i])} is the only aligned word: it has no order, and none counts."
            marks = []
            known_numbers["aligned"] = 0
            yield ProgramStep(
                text, lines["alone"], hits, (), [Rejected(hits[0], ALONE)], score=before, known_values=known_numbers
            )
            hits = []
        for t in range(1, len(hits)):
            step = _pairs_step(hits, t, marks, reference, lines)
            rising = len(marks) - len(hits)
            known_numbers = {**known_numbers, "concordant": rising, "discordant": t * (t + 1) // 2 - rising}
            yield replace(step, score=before, known_values=known_numbers)
        concordant, pairs = len(marks) - len(hits), len(hits) * (len(hits) - 1) // 2
        kendall = concordant / pairs if pairs else float(len(hits))
        text = f"kendall{of} = {concordant}/{pairs} = {number(kendall)}."
        if not pairs:
            why = "the only word is right" if hits else "no aligned words, so no order"
            text = f"kendall{of} = {number(kendall)}: {describe_wordless_texts(segment, k) or why}."
        known_numbers = {**known_numbers, "kendall": kendall}
        yield ProgramStep(text, lines["kendall"], taken_marks=Prefix(marks), score=before, known_values=known_numbers)
        above = f"{len(hits)}/{n} = {number(len(hits) / n)}" if n else "0"
        known_numbers = {**known_numbers, "p": len(hits) / max(n, 1)}
        yield ProgramStep(
            f"P = {above}.", lines["precision"], taken_marks=Prefix(marks), score=before, known_values=known_numbers
        )
        bp = brevity_penalty(n, m)
        text = f"n = {n} is {'less than' if n < m else 'no less than'} m = {m}, so BP = {number(bp)}."
        known_numbers = {**known_numbers, "BP": bp}
        yield ProgramStep(text, lines["brevity"], taken_marks=Prefix(marks), score=before, known_values=known_numbers)
        values.append(ribes_score([hit.j for hit in hits], n, m, settings.alpha, settings.beta))
        taken_marks.append(marks)
        p = number(len(hits) / max(n, 1))
        text = f"{number(kendall)} · {p}^{settings.alpha:g} · {number(bp)}^{settings.beta:g} = {number(values[k])}."
        numbers.append({**known_numbers, "RIBES": values[k]})
        yield ProgramStep(text, lines["each"], taken_marks=Prefix(marks), score=values[k], known_values=numbers[k])
    k, text, all_marks, others, decision = choose_reference(values, taken_marks)
    result = score()
    assert same_cells(taken_marks[k], result)
    yield ProgramStep(
        text,
        lines["score"],
        all_marks,
        Prefix(taken_marks[k]),
        others,
        score=values[k],
        decision=decision,
        result=result,
        known_values=numbers[k],
    )


def _alignment_steps(
    i: int, k: int, candidate: Tokens, reference: Tokens, marks: list[Mark], lines: PseudoCode
) -> Iterator[ProgramStep]:
    """Yield the steps that try the contexts of candidate word `i`.

    If a context aligns the word, its hit is added to `marks`."""
    tried_contexts: list[Context] = []
    for one in contexts_of_word(candidate, i, reference):
        tried_contexts.append(one)
        words, cells = candidate[one.start : one.end], one.cells(k)
        name = phrase(" ".join(words), 24)
        times = f"{_times_text(len(one.ours))} in the candidate, {_times_text(len(one.theirs))} in the reference"
        if len(cells) == 1:
            marks.append(cells[0])
            if one is tried_contexts[0]:
                yield ProgramStep(f"{name} occurs once in each: aligned.", lines["once"], cells, Prefix(marks))
            else:
                text = f"{name} occurs once in each: {word(candidate[i])} is aligned."
                yield ProgramStep(text, lines["found"], cells, Prefix(marks), decision=Decision("context", cells))
            return
        rejected = [Rejected(cell, NOT_ONCE) for cell in cells if cell.i == i]
        if one is tried_contexts[0] and not one.theirs:
            yield ProgramStep(
                f"{name} is not in the reference.", lines["absent"], (unmatched_mark(i, i + 1, k),), Prefix(marks)
            )
            return
        considered = cells or (unmatched_mark(one.start, one.end, k),)
        yield ProgramStep(f"{name} occurs {times}.", lines["grow"], considered, Prefix(marks), rejected)
    rejected = [Rejected(cell, NOT_ONCE) for cell in tried_contexts[0].cells(k) if cell.i == i]
    text = f"No context of {word(candidate[i])} occurs once in each: not aligned."
    yield ProgramStep(text, lines["none"], tried_contexts[0].cells(k), Prefix(marks), rejected)


def _pairs_step(hits: Sequence[Hit], t: int, marks: list[Mark], reference: Tokens, lines: PseudoCode) -> ProgramStep:
    """Return the step that compares aligned word `t` with all aligned words before it.

    The pairs whose reference positions rise (the concordant pairs) are added to `marks`."""
    spend(t + len(hits) // 10)
    pairs = [SkipBigram(hit, hits[t]) for hit in hits[:t]]
    rising = [pair for pair in pairs if pair.first.j < pair.second.j]
    marks += rising
    rank = len({hit.j for hit in hits if hit.j <= hits[t].j})
    name = word(reference[hits[t].j])
    text = f"{name}, rank {rank}, is in the right order with {len(rising)} of {count(t, 'aligned word')} before it."
    return ProgramStep(
        text,
        lines["pairs"],
        pairs,
        Prefix(marks),
        [Rejected(pair, DISCORDANT) for pair in pairs if pair.first.j >= pair.second.j],
    )


def _times_text(many: int) -> str:
    return ("not", "once", "twice")[many] if many < 3 else f"{many} times"


PROGRAM = Program(code, steps)
