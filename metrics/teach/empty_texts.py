"""Describes texts that have no words."""

from __future__ import annotations

from ..types import Segment


def describe_wordless_texts(segment: Segment, k: int | None = None) -> str:
    """Return the end of a sentence that says which of the texts have no words; "" if all have some.

    It looks at the candidate and at reference `k`, or at all references if `k` is None.

    >>> describe_wordless_texts(Segment((), (("a",), ()))), describe_wordless_texts(Segment((), (("a",), ())), 1)
    ('the candidate has no words', 'the candidate and reference 2 have no words')
    """
    candidate, references = segment
    chosen = references if k is None else references[k : k + 1]
    sides = [] if candidate else ["the candidate"]
    if not any(chosen):
        several = len(references) > 1
        sides.append("the reference" if not several else "all references" if k is None else f"reference {k + 1}")
    if not sides:
        return ""
    one = len(sides) == 1 and sides[0] != "all references"
    return f"{' and '.join(sides)} {'has' if one else 'have'} no words"
