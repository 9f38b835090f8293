"""What was exchanged between two outputs whose scores are equal, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from ..types import Result
from .deciding_references import edits_of
from .difference import matched
from .phrases import PhraseTexts, SentencePart, few

#: What marks are called in a sentence whose own noun says too little.
_NOUNS = {"skip-bigram": "pair of words in order"}


def exchanged(a: Result, b: Result, texts: PhraseTexts) -> Iterator[SentencePart]:
    """Why two outputs of other words score the same: which words took the place of which, and whether they match."""
    ours, theirs = (sorted({cell.i for cell in matched(result)}) for result in (a, b))
    if not ours and not theirs:
        yield SentencePart(f"no {_noun(a, b)} of either is matched")
        return
    edits = edits_of(a)
    if edits is not None:
        yield SentencePart(f"{edits} {'edit' if edits == 1 else 'edits'} each; ")
    lost, gained = surplus(a, ours, b, theirs), surplus(b, theirs, a, ours)
    if lost and gained and edits is None:
        yield from _clause_parts("b", gained, "counts", "count", texts)
        yield SentencePart(" as much as ")
        yield from few([("a", i) for i in lost], texts)
    elif lost or gained:
        if gained:
            yield from _clause_parts("b", gained, "matches now", "match now", texts)
        if lost:
            yield SentencePart(", " if gained else "")
            yield from _clause_parts("a", lost, "no longer", "no longer", texts)
            yield SentencePart("" if gained else " matches" if len(lost) == 1 else " match")
        if edits is None:
            yield SentencePart(", which changes nothing here")
    else:
        yield from _unmatched(a, b, ours, theirs, texts)


def _unmatched(
    a: Result, b: Result, ours: Sequence[int], theirs: Sequence[int], texts: PhraseTexts
) -> Iterator[SentencePart]:
    """Which words without a match took the place of which, where the same words match."""
    unmatched_places = [
        [i for i in range(len(r.segment.candidate)) if i not in {*at}] for r, at in ((a, ours), (b, theirs))
    ]
    gone_places, came = (
        surplus(a, unmatched_places[0], b, unmatched_places[1]),
        surplus(b, unmatched_places[1], a, unmatched_places[0]),
    )
    if gone_places and came:
        yield from _clause_parts("a", gone_places, "gave way to ", "gave way to ", texts)
        yield from few([("b", i) for i in came], texts)
        yield SentencePart(
            ", and neither is matched" if len(gone_places) == len(came) == 1 else ", and none of them is matched"
        )
    elif gone_places:
        yield from _clause_parts("a", gone_places, "is gone and matched nothing", "are gone and matched nothing", texts)
    elif came:
        yield from _clause_parts("b", came, "is new and matches nothing", "are new and match nothing", texts)
    else:
        yield SentencePart("the same words match, in another order")


def _clause_parts(
    side: str, places: Sequence[int], one: str, several: str, texts: PhraseTexts
) -> Iterator[SentencePart]:
    yield from few([(side, place) for place in places], texts)
    yield SentencePart(f" {one if len(places) == 1 else several}")


def surplus(result: Result, at: Collection[int], other: Result, other_places: Collection[int]) -> list[int]:
    """Which words at some places of a candidate the other one lacks at those of its own, wherever they stand."""
    words = result.segment.candidate
    other_counts = Counter([other.segment.candidate[i] for i in other_places])
    out = []
    for i in at:
        if other_counts[words[i]]:
            other_counts[words[i]] -= 1
        else:
            out.append(i)
    return out


def _noun(a: Result, b: Result) -> str:
    """A word, where no word of either is in any reference, else what would have to match."""
    reference_words = {word for reference in a.segment.references for word in reference}
    layers = a.layers or b.layers
    if not layers or not reference_words & {*a.segment.candidate, *b.segment.candidate}:
        return "word"
    return _NOUNS.get(layers[0].noun, layers[0].noun)
