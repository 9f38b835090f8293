"""Describes in words what was exchanged between two outputs whose scores are equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from ..types import Result
from .deciding_references import count_edits
from .difference import matched_cells
from .phrases import PhraseTexts, SentencePart, quote_phrases

#: Clearer nouns for marks whose own noun says too little in a sentence.
_NOUNS = {"skip-bigram": "pair of words in order"}


def exchange_parts(a: Result, b: Result, texts: PhraseTexts) -> Iterator[SentencePart]:
    """Yield the parts of a sentence that says why two different outputs score the same.

    They say which words replaced which, and whether these match.
    """
    ours, theirs = (sorted({cell.i for cell in matched_cells(result)}) for result in (a, b))
    if not ours and not theirs:
        yield SentencePart(_unmatched_clause(a, b))
        return
    edits = count_edits(a)
    if edits is not None:
        yield SentencePart(f"{edits} {'edit' if edits == 1 else 'edits'} each; ")
    lost, gained = surplus_positions(a, ours, b, theirs), surplus_positions(b, theirs, a, ours)
    if lost and gained and edits is None:
        yield from _clause_parts("b", gained, "counts", "count", texts)
        yield SentencePart(" as much as ")
        yield from quote_phrases([("a", i) for i in lost], texts)
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
    """Yield sentence parts on the unmatched words that replaced others, where the matched words are the same.

    `ours` and `theirs` are the positions of the matched words in A and in B.
    """
    unmatched_places = [
        [i for i in range(len(r.segment.candidate)) if i not in {*at}] for r, at in ((a, ours), (b, theirs))
    ]
    gone_places = surplus_positions(a, unmatched_places[0], b, unmatched_places[1])
    came = surplus_positions(b, unmatched_places[1], a, unmatched_places[0])
    if gone_places and came:
        yield from _clause_parts("a", gone_places, "was replaced by ", "were replaced by ", texts)
        yield from quote_phrases([("b", i) for i in came], texts)
        yield SentencePart(
            ", and neither matches" if len(gone_places) == len(came) == 1 else ", and none of them matches"
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
    """Yield the quoted words at `places` of A's or B's candidate, and a predicate.

    `side` is "a" or "b". The predicate is `one` for a single word, `several` for more.
    """
    yield from quote_phrases([(side, place) for place in places], texts)
    yield SentencePart(f" {one if len(places) == 1 else several}")


def surplus_positions(result: Result, at: Collection[int], other: Result, other_places: Collection[int]) -> list[int]:
    """Return the positions in `at` whose words do not occur as often at `other_places` of the other candidate.

    Words are compared without regard to their order; of equal words, the last ones are the surplus.
    """
    words = result.segment.candidate
    other_counts = Counter([other.segment.candidate[i] for i in other_places])
    out = []
    for i in at:
        if other_counts[words[i]]:
            other_counts[words[i]] -= 1
        else:
            out.append(i)
    return out


def _unmatched_clause(a: Result, b: Result) -> str:
    """Return a clause that nothing matches in either output.

    It names what could match, such as an n-gram. A word of the reference can be unmatched where edits are counted or
    words are aligned: then the clause says that all words are edited, or that none is aligned.
    """
    reference_words = {word for reference in a.segment.references for word in reference}
    layers = a.layers or b.layers
    if not layers or not reference_words & {*a.segment.candidate, *b.segment.candidate}:
        return "no word matches in either"
    if count_edits(a) is not None:
        return "every word of both is edited"
    noun = layers[0].noun
    return (
        "no word is aligned in either" if noun == "aligned word" else f"no {_NOUNS.get(noun, noun)} matches in either"
    )
