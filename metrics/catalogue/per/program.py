"""The bags of words of Tillmann et al. (1997), emptied word by word: the position-independent error rate."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from ...teach.empty import wordless
from ...teach.steps import (
    USED_UP,
    Code,
    Decision,
    Prefix,
    Program,
    Rejected,
    Step,
    all_free,
    alone,
    chosen,
    count,
    number,
    of_reference,
    same_cells,
    unknown,
    word,
)
from ...types import Hit, Mark, Result, Segment, Settings
from ...types.work import spend

CODE = Code(
    bags="for each reference:  C ← words of the candidate,  R ← of the reference",
    pair="each x in C that is in R:  remove both,  common ← common + 1",
    left="each x in C that is not in R stays",
    rate="rate ← (max(n, m) − common) / max(m, 1)",
    best="keep the reference of the lowest rate, the first on ties",
    result="PER ← (S + I + D) / max(m, 1)",
)


def pairs(candidate: Sequence[str], k: int, reference: Sequence[str]) -> Iterator[tuple[int, Hit | None]]:
    """Each candidate word with the leftmost word of the reference that is equal and still in its bag, if there is one.

    >>> [*pairs("aab", 0, "ba")]
    [(0, Hit(i=0, k=0, j=1)), (1, None), (2, Hit(i=2, k=0, j=0))]
    """
    bag = dict(enumerate(reference))
    for i, x in enumerate(candidate):
        spend(len(reference) // 10)
        found = [j for j, y in bag.items() if x == y]
        if found:
            del bag[found[0]]
        yield i, Hit(i, k, found[0]) if found else None


def steps(segment: Segment, settings: Settings, score: Callable[[], Result]) -> Iterator[Step]:
    """The bags of every reference, then the choice among their rates."""
    candidate, references = segment
    n = len(candidate)
    taken: list[list[Mark]] = [[] for _ in references]
    rates: list[float] = []
    for k, reference in enumerate(references):
        m, of, common = len(reference), of_reference(k, segment), taken[k]
        most = max(n, m)
        free = all_free(segment)
        text = f"{count(n, 'word')} of the candidate in one bag, {number(m)}{of or ' of the reference'} in the other."
        known = {"n": n, "m": m or math.nan, "common": 0, **unknown("PER")}
        yield Step(text, CODE["bags"], free=free, score=most / (m or 1), known=known)
        for i, hit in pairs(candidate, k, reference):
            ours = word(candidate[i])
            places = tuple([Hit(i, k, j) for j, other in enumerate(reference) if other == candidate[i]])
            if hit:
                open_places = tuple([place for place in places if place.j in free.references[k]])
                common.append(hit)
                free = free.without(hit)
                yield Step(
                    f"{ours} is in both bags: {count(len(common), 'word')} in common.",
                    CODE["pair"],
                    open_places,
                    Prefix(common),
                    free=free,
                    score=(most - len(common)) / (m or 1),
                    decision=Decision("which of equal words", open_places) if len(open_places) > 1 else None,
                    known={"common": len(common)},
                )
            else:
                gone = [Rejected(place, USED_UP) for place in places]
                yield Step(
                    f"{ours} {_why(len(places))}: it stays.",
                    CODE["left"],
                    places or (alone(i, i + 1, k),),
                    Prefix(common),
                    gone,
                    free=free,
                    score=(most - len(common)) / (m or 1),
                )
        rates.append((most - len(common)) / (m or 1))
        text = f"The rate{of} is (max({n}, {m}) − {len(common)}) / {m or 1} = {number(rates[k])}."
        yield Step(text, CODE["rate"], taken=Prefix(common), free=free, score=rates[k], known={"PER": rates[k]})
    k, said, every, others, decision = chosen(rates, taken, "has the lowest rate", min)
    if decision:
        yield Step(said, CODE["best"], every, Prefix(taken[k]), others, score=rates[k], decision=decision)
    m, common = len(references[k]), taken[k]
    s, i, d = min(n, m) - len(common), max(n - m, 0), max(m - n, 0)
    text = f"({s} + {i} + {d}) / {m or 1} = {number(rates[k])}"
    if why := wordless(segment, k):
        text += f": {why}{'' if m else ', which count as one'}"
    result = score()
    assert same_cells(common, result)
    yield Step(
        f"{text}.",
        CODE["result"],
        taken=Prefix(common),
        free=all_free(segment).without(*common),
        score=rates[k],
        result=result,
        known={
            "n": n,
            "m": m or math.nan,
            "common": len(common),
            "PER": rates[k],
            "substitutions": s,
            "insertions": i,
            "deletions": d,
        },
    )


def _why(places: int) -> str:
    """Why a word has no partner, given how often the reference has it."""
    if not places:
        return "is not in the reference's bag"
    return (
        "is gone from the reference's bag" if places == 1 else f"is gone from the reference's bag, which had {places}"
    )


PROGRAM = Program(lambda settings: CODE, steps)
