"""Run PER step by step, with the bags (multisets) of words of Tillmann et al. (1997).

Each candidate word that is in the reference's bag is taken out of both bags; the words that are left are errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from ...teach.empty_texts import describe_wordless_texts
from ...teach.steps import (
    USED_UP,
    Decision,
    Prefix,
    Program,
    ProgramStep,
    PseudoCode,
    Rejected,
    all_free,
    choose_reference,
    count,
    number,
    of_reference,
    same_cells,
    unknown,
    unmatched_mark,
    word,
)
from ...types import Hit, Mark, Result, Segment, Settings
from ...types.work import spend

CODE = PseudoCode(
    bags="for each reference:  C ← words of the candidate,  R ← of the reference",
    pair="each x in C that is in R:  remove both,  common ← common + 1",
    left="each x in C that is not in R stays",
    rate="rate ← (max(n, m) − common) / max(m, 1)",
    best="keep the reference with the lowest rate, the first on ties",
    result="PER ← (S + I + D) / max(m, 1)",
)


def pair_words(candidate: Sequence[str], k: int, reference: Sequence[str]) -> Iterator[tuple[int, Hit | None]]:
    """Yield each candidate position with the hit that pairs it with a reference word; None if it has no partner.

    The partner is the leftmost equal reference word that has no partner yet.

    >>> [*pair_words("aab", 0, "ba")]
    [(0, Hit(i=0, k=0, j=1)), (1, None), (2, Hit(i=2, k=0, j=0))]
    """
    bag = dict(enumerate(reference))
    for i, x in enumerate(candidate):
        spend(len(reference) // 10)
        matches = [j for j, y in bag.items() if x == y]
        if matches:
            del bag[matches[0]]
        yield i, Hit(i, k, matches[0]) if matches else None


def steps(segment: Segment, settings: Settings, score: Callable[[], Result]) -> Iterator[ProgramStep]:
    """Yield the steps of PER's program: each reference's bag of words and error rate, then the lowest rate."""
    candidate, references = segment
    n = len(candidate)
    taken_marks: list[list[Mark]] = [[] for _ in references]
    rates: list[float] = []
    for k, reference in enumerate(references):
        m, of, common = len(reference), of_reference(k, segment), taken_marks[k]
        most = max(n, m)
        free = all_free(segment)
        text = f"{count(n, 'word')} of the candidate in one bag, {number(m)}{of or ' of the reference'} in the other."
        known_numbers = {"n": n, "m": m or math.nan, "common": 0, **unknown("PER")}
        yield ProgramStep(text, CODE["bags"], free=free, score=most / (m or 1), known_values=known_numbers)
        for i, hit in pair_words(candidate, k, reference):
            ours = word(candidate[i])
            places = tuple([Hit(i, k, j) for j, other in enumerate(reference) if other == candidate[i]])
            if hit:
                open_places = tuple([place for place in places if place.j in free.references[k]])
                common.append(hit)
                free = free.without_marks(hit)
                yield ProgramStep(
                    f"{ours} is in both bags: {count(len(common), 'word')} in common.",
                    CODE["pair"],
                    open_places,
                    Prefix(common),
                    free=free,
                    score=(most - len(common)) / (m or 1),
                    decision=Decision("which of equal words", open_places) if len(open_places) > 1 else None,
                    known_values={"common": len(common)},
                )
            else:
                rejected = [Rejected(place, USED_UP) for place in places]
                yield ProgramStep(
                    f"{ours} {_reason_unmatched(len(places))}: it stays.",
                    CODE["left"],
                    places or (unmatched_mark(i, i + 1, k),),
                    Prefix(common),
                    rejected,
                    free=free,
                    score=(most - len(common)) / (m or 1),
                )
        rates.append((most - len(common)) / (m or 1))
        text = f"The rate{of} is (max({n}, {m}) − {len(common)}) / {m or 1} = {number(rates[k])}."
        yield ProgramStep(
            text, CODE["rate"], taken_marks=Prefix(common), free=free, score=rates[k], known_values={"PER": rates[k]}
        )
    k, reason, all_marks, others, decision = choose_reference(rates, taken_marks, "has the lowest rate", min)
    if decision:
        yield ProgramStep(
            reason, CODE["best"], all_marks, Prefix(taken_marks[k]), others, score=rates[k], decision=decision
        )
    m, common = len(references[k]), taken_marks[k]
    s, i, d = min(n, m) - len(common), max(n - m, 0), max(m - n, 0)
    text = f"({s} + {i} + {d}) / {m or 1} = {number(rates[k])}"
    if why := describe_wordless_texts(segment, k):
        text += f": {why}{'' if m else ', so m counts as 1'}"
    result = score()
    assert same_cells(common, result)
    yield ProgramStep(
        f"{text}.",
        CODE["result"],
        taken_marks=Prefix(common),
        free=all_free(segment).without_marks(*common),
        score=rates[k],
        result=result,
        known_values={
            "n": n,
            "m": m or math.nan,
            "common": len(common),
            "PER": rates[k],
            "substitutions": s,
            "insertions": i,
            "deletions": d,
        },
    )


def _reason_unmatched(places: int) -> str:
    """Return why a candidate word has no partner; `places` is how often the reference has the word."""
    if not places:
        return "is not in the reference's bag"
    return (
        "is gone from the reference's bag" if places == 1 else f"is gone from the reference's bag, which had {places}"
    )


PROGRAM = Program(lambda settings: CODE, steps)
