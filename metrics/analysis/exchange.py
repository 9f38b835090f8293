"""Describes in words what was exchanged between two outputs whose scores are equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from ..types import Result
from .deciding_references import edits_of
from .difference import matched_cells
from .phrases import PhraseTexts, SentencePart, few_phrases

#: Clearer nouns for marks whose own noun says too little in a sentence.
_NOUNS = {"skip-bigram": "pair of words in order"}


def exchange_parts(a: Result, b: Result, texts: PhraseTexts) -> Iterator[SentencePart]:
    """Yield the sentence parts on why two different outputs score the same.

    They say which words replaced which, and whether these match.
    """
    ours, theirs = (sorted({cell.i for cell in matched_cells(result)}) for result in (a, b))
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
        yield from few_phrases([("a", i) for i in lost], texts)
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
        yield from _unmatched_parts(a, b, ours, theirs, texts)


def _unmatched_parts(
    a: Result, b: Result, ours: Sequence[int], theirs: Sequence[int], texts: PhraseTexts
) -> Iterator[SentencePart]:
    """Yield which unmatched words replaced which others, where the matched words are the same."""
    unmatched_places = [
        [i for i in range(len(r.segment.candidate)) if i not in {*at}] for r, at in ((a, ours), (b, theirs))
    ]
    gone_places, came = (
        surplus(a, unmatched_places[0], b, unmatched_places[1]),
        surplus(b, unmatched_places[1], a, unmatched_places[0]),
    )
    if gone_places and came:
        yield from _clause_parts("a", gone_places, "gave way to ", "gave way to ", texts)
        yield from few_phrases([("b", i) for i in came], texts)
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
    """Yield the words at these places, followed by `one` or `several`, depending on their number."""
    yield from few_phrases([(side, place) for place in places], texts)
    yield SentencePart(f" {one if len(places) == 1 else several}")


def surplus(result: Result, at: Collection[int], other: Result, other_places: Collection[int]) -> list[int]:
    """Return the positions in `at` whose words the other candidate lacks at `other_places`, regardless of order."""
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
    """Return "word" if neither output has a word of a reference, else the noun of the marks that could match."""
    reference_words = {word for reference in a.segment.references for word in reference}
    layers = a.layers or b.layers
    if not layers or not reference_words & {*a.segment.candidate, *b.segment.candidate}:
        return "word"
    return _NOUNS.get(layers[0].noun, layers[0].noun)
