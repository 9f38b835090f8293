"""What kind of error each word is: inflection, word order, missing, extra or lexical choice.

The five classes of Popović and Ney, found from three comparisons of a candidate with a reference. The shortest edit
script (WER) says which words are errors and what it does with them. The bags of words (PER) say which of these stand
elsewhere in the other sentence: they are out of order. The bags of stems say which of the rest stand there in another
form: they are inflected wrongly. What then is left is missing where the script deletes it, extra where it inserts it,
and a wrong choice of word where it substitutes it. So every error of the script gets exactly one class, and every other
word gets none.

The paper counts with bags, which do not say which of several equal words is meant. Here each word has at most one
partner, and a word that has one is no one else's: first the words that the script matches, then equal words, leftmost
with leftmost, then words of one stem, those that the script substitutes for each other before the leftmost.
The numbers are those of the bags. Where several scripts are equally short the classes depend on the one that is taken:
it is one that keeps most words in place, so that no word is called out of order that a script as short leaves where it
is. The paper does not say which; the program Hjerson takes the one that its own search meets first.

Source: Popović and Ney (2011), Towards Automatic Error Analysis of Machine Translation Output, Computational
Linguistics 37(4), section 3; both sides are reported as in Popović (2011), Hjerson: An Open Source Tool for Automatic
Error Classification of Machine Translation Output, The Prague Bulletin of Mathematical Linguistics 96.

>>> found = classes("police kill the gunman".split(), "the police killed the gunman".split())
>>> print(found.candidate[1].reason)
“kill” stands as “killed” in the reference: same stem “kill”.
>>> [(count.error.label, count.reference) for count in found.counts() if count.reference]
[('Inflection', 1), ('Missing', 1)]
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias

from ..alignment.edits import fullest_script, nearest
from ..alignment.ngrams import paired
from ..text import TextSettings, stem
from ..types import Edit, Hit, Segment, quoted


class ErrorClass(Enum):
    """One of the five, with its name for a page and one line of what it means."""

    INFLECTION = "Inflection", "The right word in the wrong form: the other sentence has the same stem."
    ORDER = "Word order", "The right word in the wrong place: the other sentence has it elsewhere."
    MISSING = "Missing", "A word of the reference with nothing in its place."
    EXTRA = "Extra", "A word of the candidate that takes no word's place."
    LEXICAL = "Lexical choice", "The wrong word: another one stands in its place."

    def __init__(self, label: str, meaning: str) -> None:
        self.label = label
        self.meaning = meaning


class ClassifiedWord(NamedTuple):
    """The class of a word, None where it is right; why; and the cell that it shares with its partner, if it has one.

    The partner of a wrong choice of word is the word in whose place it stands.
    """

    error: ErrorClass | None
    reason: str
    partner: Hit | None


class Count(NamedTuple):
    """How many words of each sentence are in a class, and what share of the sentence they are; 0 of an empty one."""

    error: ErrorClass
    candidate: int
    reference: int
    candidate_rate: float
    reference_rate: float


class ErrorClasses(NamedTuple):
    """The class of every word of the candidate and of reference `k`."""

    k: int
    candidate: tuple[ClassifiedWord, ...]
    reference: tuple[ClassifiedWord, ...]

    def counts(self) -> tuple[Count, ...]:
        """All five classes, in order, counted on both sides.

        No word of the candidate is missing and none of the reference is extra. Inflection and word order are as many
        on both sides, but make up different shares of them. A choice of word may count on one side only: the other
        word may be right elsewhere.
        """
        ours, theirs = ([word.error for word in words] for words in (self.candidate, self.reference))
        n, m = len(ours) or 1, len(theirs) or 1
        return tuple(
            [Count(e, ours.count(e), theirs.count(e), ours.count(e) / n, theirs.count(e) / m) for e in ErrorClass]
        )


def classes_in(segment: Segment, stemmer: str = "porter", language: str = "english") -> ErrorClasses:
    """The classes of a candidate beside the reference of the lowest word error rate, the first of equal ones."""
    k = nearest(segment).k
    return classes(segment.candidate, segment.references[k], stemmer, language, k)


def counted_in(segment: Segment, stemmer: str = "porter", language: str = "english") -> dict[ErrorClass, int]:
    """How many errors of each class there are, as `classes_in` finds them, without saying which words they are: for
    many segments. Missing words are counted in the reference, all others in the candidate.

    >>> reference = tuple("the police killed the gunman".split())
    >>> found = counted_in(Segment(("police", "kill", "the", "gunman"), (reference,)))
    >>> {error.label: count for error, count in found.items() if count}
    {'Inflection': 1, 'Missing': 1}
    """
    TextSettings(stemmer=stemmer, language=language)
    candidate, reference = segment.candidate, segment.references[nearest(segment).k]
    pairs = _pairs(fullest_script(candidate, reference), *_with_stems(candidate, reference, stemmer, language))
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
    """Both sentences, each with its stems, which are the words themselves where there is no stemmer."""
    stems, other_stems = (
        words if stemmer == "none" else [stem(word, stemmer, language) for word in words]
        for words in (candidate, reference)
    )
    return candidate, stems, reference, other_stems


def classes(
    candidate: Sequence[str], reference: Sequence[str], stemmer: str = "porter", language: str = "english", k: int = 0
) -> ErrorClasses:
    """The classes of a candidate and its reference, which is number `k`.

    Words are compared as they are and stems in lower case, so a capital alone makes another form. `stemmer` and
    `language` are those of `TextSettings`, ValueError for others; with "none" no word is an inflection.

    >>> [word.error and word.error.name for word in classes(["x", "y", "a"], ["a", "x", "y"]).candidate]
    [None, None, 'ORDER']
    """
    TextSettings(stemmer=stemmer, language=language)
    sides = _with_stems(candidate, reference, stemmer, language)
    _, stems, _, other_stems = sides
    pairs = _pairs(fullest_script(candidate, reference), *sides)
    ours = _words(pairs, candidate, stems, reference, ErrorClass.EXTRA)
    theirs = _words(pairs.turned(), reference, other_stems, candidate, ErrorClass.MISSING)
    return ErrorClasses(
        k,
        tuple(
            [
                ClassifiedWord(error, reason, None if j is None else Hit(i, k, j))
                for i, (error, reason, j) in enumerate(ours)
            ]
        ),
        tuple(
            [
                ClassifiedWord(error, reason, None if i is None else Hit(i, k, j))
                for j, (error, reason, i) in enumerate(theirs)
            ]
        ),
    )


#: From candidate positions to reference positions.
_Map: TypeAlias = dict[int, int]


class _Pairs(NamedTuple):
    """The words that go together, as candidate positions with reference positions.

    `replaced` are the substitutions of the script; the other three kinds are disjoint on both sides.
    """

    matched: _Map
    moved: _Map
    inflected: _Map
    replaced: _Map

    def turned(self) -> _Pairs:
        """The same from the reference's side."""
        return _Pairs(*[{j: i for i, j in pairs.items()} for pairs in self])


def _pairs(
    edits: Sequence[Edit], words: Sequence[str], stems: Sequence[str], others: Sequence[str], other_stems: Sequence[str]
) -> _Pairs:
    matched, replaced = (
        {cell.i: cell.j for edit in edits if edit.op == op for cell in edit.cells()} for op in ("match", "substitution")
    )
    moved = _leftmost(words, others, matched)
    used_columns = set(matched.values()) | set(moved.values())
    inflected = {
        i: j for i, j in replaced.items() if stems[i] == other_stems[j] and i not in moved and j not in used_columns
    }
    inflected |= _leftmost(stems, other_stems, matched | moved | inflected)
    return _Pairs(matched, moved, inflected, replaced)


def _leftmost(words: Sequence[str], others: Sequence[str], known_pairs: _Map) -> _Map:
    """Equal words among those that are not taken yet, leftmost with leftmost."""
    used = set(known_pairs.values())
    rows = [i for i in range(len(words)) if i not in known_pairs]
    columns = [j for j in range(len(others)) if j not in used]
    pairs = paired([words[i] for i in rows], [others[j] for j in columns])
    return {rows[a]: columns[b] for a, b in pairs}


def _words(
    pairs: _Pairs, words: Sequence[str], stems: Sequence[str], others: Sequence[str], unpaired: ErrorClass
) -> list[tuple[ErrorClass | None, str, int | None]]:
    """For each word of one side its class, the reason, and the position of its partner on the other side.

    `unpaired` is the class of words in whose place nothing stands, and says which side this is. The stems are the
    words themselves where there is no stemmer.
    """
    extra = unpaired is ErrorClass.EXTRA
    other_side = "reference" if extra else "candidate"
    out: list[tuple[ErrorClass | None, str, int | None]] = []
    for t, (word, its_stem) in enumerate(zip(words, stems, strict=True)):
        if t in pairs.matched:
            out.append((None, f"{_quoted(word)} matches the same word of the {other_side}.", pairs.matched[t]))
        elif t in pairs.moved:
            place = pairs.moved[t]
            out.append(
                (ErrorClass.ORDER, f"{_quoted(word)} is word {place + 1} of the {other_side}, in another place.", place)
            )
        elif t in pairs.inflected:
            place = pairs.inflected[t]
            form = f"{_quoted(word)} stands as {_quoted(others[place])} in the {other_side}"
            out.append((ErrorClass.INFLECTION, f"{form}: same stem {_quoted(its_stem)}.", place))
        else:
            what = f"{_quoted(word)} left" if stems is words else f"word left with the stem {_quoted(its_stem)}"
            none = f"the {other_side} has no {what}."
            if t in pairs.replaced:
                place = pairs.replaced[t]
                wrong, right = (word, others[place]) if extra else (others[place], word)
                out.append(
                    (
                        ErrorClass.LEXICAL,
                        f"{_quoted(wrong)} stands in the place of {_quoted(right)}; {none}",
                        place,
                    )
                )
            elif extra:
                out.append((unpaired, f"{_quoted(word)} stands in no word's place; {none}", None))
            else:
                out.append((unpaired, f"Nothing stands in the place of {_quoted(word)}; {none}", None))
    return out


def _quoted(word: str) -> str:
    return quoted(word, 100)
