"""The kind of error that each word is: inflection, word order, missing, extra or lexical choice.

These are the five classes of Popović and Ney. They follow from three comparisons of a candidate with a reference. The
shortest edit script (WER) says which words are errors and how each is edited. The bags of words (PER) say which of them
occur elsewhere in the other sentence: their word order is wrong. The bags of stems say which of the rest occur there in
another form: their inflection is wrong. Any other word is missing if the script deletes it, extra if the script inserts
it, and a wrong lexical choice if the script substitutes it. So every error of the script gets exactly one class, and
every other word gets none.

The paper counts with bags, which do not say which of several equal words is meant. Here each word has at most one
partner, and no two words share one. First come the words that the script matches, then equal words, leftmost with
leftmost, then words of one stem: those that the script substitutes for each other, then leftmost with leftmost. The
numbers are those of the bags.

If several scripts are equally short, the classes depend on the one that is used. Here it is one that keeps the most
words in place, so that no word counts as out of order that an equally short script leaves in place. The paper does not
specify this; the program Hjerson uses the script that its own search finds first.

Source: Popović and Ney (2011), Towards Automatic Error Analysis of Machine Translation Output, Computational
Linguistics 37(4), section 3; both sides are reported as in Popović (2011), Hjerson: An Open Source Tool for Automatic
Error Classification of Machine Translation Output, The Prague Bulletin of Mathematical Linguistics 96.

>>> found = classify_words("police kill the gunman".split(), "the police killed the gunman".split())
>>> print(found.candidate[1].reason)
“kill” is “killed” in the reference: same stem “kill”.
>>> [(count.error.label, count.reference) for count in found.counts() if count.reference]
[('Inflection', 1), ('Missing', 1)]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias

from ..alignment.edits import most_matching_script, nearest_reference
from ..alignment.ngrams import leftmost_pairs
from ..text import TextSettings, stem
from ..types import Edit, Hit, Segment, quote_text


class ErrorClass(Enum):
    """A class of errors, with its label on a page and a line that says what it means."""

    INFLECTION = "Inflection", "The right word in the wrong form: the other sentence has the same stem."
    ORDER = "Word order", "The right word in the wrong place: the other sentence has it elsewhere."
    MISSING = "Missing", "A word of the reference without a counterpart in the candidate."
    EXTRA = "Extra", "A word of the candidate without a counterpart in the reference."
    LEXICAL = "Lexical choice", "The wrong word: candidate and reference have different words here."

    def __init__(self, label: str, meaning: str) -> None:
        self.label = label
        self.meaning = meaning


class ClassifiedWord(NamedTuple):
    """The error class of a word, or None if the word is right; the reason for it; and the cell shared with its partner.

    The partner is the word of the other sentence with which it is paired; of a wrong lexical choice, the word in whose
    place it is. The cell is None without a partner.
    """

    error: ErrorClass | None
    reason: str
    partner: Hit | None


class ClassCount(NamedTuple):
    """The number of words of one error class in the candidate and in the reference, and their share of all words there.

    The share of an empty sentence is 0.
    """

    error: ErrorClass
    candidate: int
    reference: int
    candidate_rate: float
    reference_rate: float


class ErrorClasses(NamedTuple):
    """The error class of every word of the candidate and of reference `k`."""

    k: int
    candidate: tuple[ClassifiedWord, ...]
    reference: tuple[ClassifiedWord, ...]

    def counts(self) -> tuple[ClassCount, ...]:
        """Return the counts of all five error classes, in order, for candidate and reference.

        No word of the candidate is missing, and no word of the reference is extra. Inflection and word order have equal
        counts on both sides, but different shares. A lexical choice may count on one side only, because the other word
        may be right elsewhere.
        """
        ours, theirs = ([word.error for word in words] for words in (self.candidate, self.reference))
        n, m = len(ours) or 1, len(theirs) or 1
        return tuple(
            [ClassCount(e, ours.count(e), theirs.count(e), ours.count(e) / n, theirs.count(e) / m) for e in ErrorClass]
        )


def classify_segment(segment: Segment, stemmer: str = "porter", language: str = "english") -> ErrorClasses:
    """Return the error classes of a candidate's words, against the reference with the lowest word error rate.

    On ties the first such reference is used. `stemmer` and `language` choose the stems that inflections share.
    """
    k = nearest_reference(segment).k
    return classify_words(segment.candidate, segment.references[k], stemmer, language, k)


def count_classes(segment: Segment, stemmer: str = "porter", language: str = "english") -> dict[ErrorClass, int]:
    """Return how many errors of each class `classify_segment` finds, by class.

    This function is faster, for many segments.

    Missing words are counted in the reference, all others in the candidate.

    >>> reference = tuple("the police killed the gunman".split())
    >>> found = count_classes(Segment(("police", "kill", "the", "gunman"), (reference,)))
    >>> {error.label: count for error, count in found.items() if count}
    {'Inflection': 1, 'Missing': 1}
    """
    TextSettings(stemmer=stemmer, language=language)
    candidate, reference = segment.candidate, segment.references[nearest_reference(segment).k]
    pairs = _find_pairs(
        most_matching_script(candidate, reference), *_with_stems(candidate, reference, stemmer, language)
    )
    rows, columns = ({*side(pairs.moved), *side(pairs.inflected)} for side in (dict.keys, dict.values))
    paired_count = len(pairs.matched) + len(pairs.moved) + len(pairs.inflected)
    lexical = len(pairs.replaced.keys() - rows)
    return {
        ErrorClass.INFLECTION: len(pairs.inflected),
        ErrorClass.ORDER: len(pairs.moved),
        ErrorClass.MISSING: len(reference) - paired_count - len({*pairs.replaced.values()} - columns),
        ErrorClass.EXTRA: len(candidate) - paired_count - lexical,
        ErrorClass.LEXICAL: lexical,
    }


def _with_stems(
    candidate: Sequence[str], reference: Sequence[str], stemmer: str, language: str
) -> tuple[Sequence[str], Sequence[str], Sequence[str], Sequence[str]]:
    """Return the candidate, its stems, the reference and its stems.

    Without a stemmer, the stems are the words themselves.
    """
    stems, other_stems = (
        words if stemmer == "none" else [stem(word, stemmer, language) for word in words]
        for words in (candidate, reference)
    )
    return candidate, stems, reference, other_stems


def classify_words(
    candidate: Sequence[str], reference: Sequence[str], stemmer: str = "porter", language: str = "english", k: int = 0
) -> ErrorClasses:
    """Return the error classes of the words of a candidate and of its reference, whose index is `k`.

    Words are compared exactly and stems in lower case, so a capital letter alone makes another form. `stemmer` and
    `language` are those of `TextSettings`, which raises ValueError for unknown ones. With the stemmer "none" no word is
    an inflection.

    >>> [word.error and word.error.name for word in classify_words(["x", "y", "a"], ["a", "x", "y"]).candidate]
    [None, None, 'ORDER']
    """
    TextSettings(stemmer=stemmer, language=language)
    sides = _with_stems(candidate, reference, stemmer, language)
    _, stems, _, other_stems = sides
    pairs = _find_pairs(most_matching_script(candidate, reference), *sides)
    ours = _classify_side(pairs, candidate, stems, reference, ErrorClass.EXTRA, lambda i, j: Hit(i, k, j))
    theirs = _classify_side(
        pairs.swapped(), reference, other_stems, candidate, ErrorClass.MISSING, lambda j, i: Hit(i, k, j)
    )
    return ErrorClasses(k, ours, theirs)


#: A mapping from candidate positions to reference positions.
_PositionMap: TypeAlias = dict[int, int]


class _WordPairs(NamedTuple):
    """The pairs of a candidate word and a reference word, as mappings from candidate positions to reference positions.

    `matched` are words that the edit script matches, `moved` equal words in another place, `inflected` words of one
    stem, and `replaced` the substitutions of the script. No word is in two of the first three mappings.
    """

    matched: _PositionMap
    moved: _PositionMap
    inflected: _PositionMap
    replaced: _PositionMap

    def swapped(self) -> _WordPairs:
        """Return the same pairs, mapped from reference positions to candidate positions."""
        return _WordPairs(*[{j: i for i, j in pairs.items()} for pairs in self])


def _find_pairs(
    edits: Sequence[Edit], words: Sequence[str], stems: Sequence[str], others: Sequence[str], other_stems: Sequence[str]
) -> _WordPairs:
    """Return the pairs of words that the edit script gives, and the pairs of equal words and of equal stems elsewhere.

    `words` and `stems` are those of the candidate, `others` and `other_stems` those of the reference.
    """
    matched, replaced = (
        {cell.i: cell.j for edit in edits if edit.op == op for cell in edit.cells()} for op in ("match", "substitution")
    )
    moved = _pair_leftmost(words, others, matched)
    used_columns = set(matched.values()) | set(moved.values())
    inflected = {
        i: j for i, j in replaced.items() if stems[i] == other_stems[j] and i not in moved and j not in used_columns
    }
    inflected |= _pair_leftmost(stems, other_stems, matched | moved | inflected)
    return _WordPairs(matched, moved, inflected, replaced)


def _pair_leftmost(words: Sequence[str], others: Sequence[str], known_pairs: _PositionMap) -> _PositionMap:
    """Return further pairs of equal words, leftmost with leftmost, as positions in `words` and in `others`.

    Words that are in `known_pairs` already are not paired again.
    """
    used = set(known_pairs.values())
    rows = [i for i in range(len(words)) if i not in known_pairs]
    columns = [j for j in range(len(others)) if j not in used]
    pairs = leftmost_pairs([words[i] for i in rows], [others[j] for j in columns])
    return {rows[a]: columns[b] for a, b in pairs}


def _classify_side(
    pairs: _WordPairs,
    words: Sequence[str],
    stems: Sequence[str],
    others: Sequence[str],
    unpaired: ErrorClass,
    cell: Callable[[int, int], Hit],
) -> tuple[ClassifiedWord, ...]:
    """Return the error class of each word of one sentence, with the reason and the cell shared with its partner.

    `pairs` are mapped from this sentence to the other one, and `others` are the words of the other one. `unpaired` is
    the class of words that take no word's place: EXTRA for the candidate, MISSING for the reference. `cell` makes a
    cell from a position here and one in the other sentence. Without a stemmer, the stems are the words themselves.
    """
    extra = unpaired is ErrorClass.EXTRA
    other_side = "reference" if extra else "candidate"
    out = []
    for t, (word, its_stem) in enumerate(zip(words, stems, strict=True)):
        name, place = _quoted(word), next((paired[t] for paired in pairs if t in paired), None)
        error: ErrorClass | None = None
        if t in pairs.matched:
            reason = f"{name} matches the same word of the {other_side}."
        elif t in pairs.moved:
            error = ErrorClass.ORDER
            reason = f"{name} is word {pairs.moved[t] + 1} of the {other_side}, in another place."
        elif t in pairs.inflected:
            form = f"{name} is {_quoted(others[pairs.inflected[t]])} in the {other_side}"
            error, reason = ErrorClass.INFLECTION, f"{form}: same stem {_quoted(its_stem)}."
        else:
            what = f"{name} left" if stems is words else f"word left with the stem {_quoted(its_stem)}"
            if t in pairs.replaced:
                other = _quoted(others[pairs.replaced[t]])
                error, reason = ErrorClass.LEXICAL, f"{name} replaces {other}" if extra else f"{other} replaces {name}"
            else:
                error, reason = unpaired, f"{name} replaces no word" if extra else f"Nothing replaces {name}"
            reason += f"; the {other_side} has no {what}."
        out.append(ClassifiedWord(error, reason, None if place is None else cell(t, place)))
    return tuple(out)


def _quoted(word: str) -> str:
    """Return the word in quotation marks, shortened if it is very long."""
    return quote_text(word, 100)
