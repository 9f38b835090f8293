"""The sentences on n-grams and errors: which of two systems has which of them more often, by more than chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...analysis.error_classes import ErrorClass
from ...formula import count_with_noun
from ...text import printable
from ...types import join_words
from ..errors import ErrorCount
from ..patterns import LEVEL, Pattern
from .significance import probability_text

#: How many character n-grams are listed for each system.
MOST = 10


def word_patterns_text(a: str, b: str, patterns: Sequence[Pattern], tried: int) -> Iterator[str]:
    """Yield lines on the word n-grams that each system has right more often than the other one.

    `tried` is the number of n-grams that were tested. If no difference is more than chance, one line says so.
    """
    if not patterns:
        grams = "1 n-gram" if tried == 1 else f"{tried} n-grams"
        yield f"{printable(a)} and {printable(b)}: of {grams}, neither has any right more often by more than chance"
    for name, those in _patterns_by_system(a, b, patterns):
        yield f"{name} has these n-grams right more often, by more than chance:"
        yield from [
            f"  {_pattern_line(each, ' '.join(map(printable, each.words)), name == printable(a))}" for each in those
        ]


def character_patterns_text(a: str, b: str, patterns: Sequence[Pattern]) -> Iterator[str]:
    """Yield lines on the character n-grams that each system has right more often; "_" is the end of a word.

    Of each system only the first `MOST` are listed.
    """
    for name, those in _patterns_by_system(a, b, patterns):
        yield f"{name} has these parts of words right more often, by more than chance (_ is the end of a word):"
        for each in those[:MOST]:
            text = printable("".join(each.words).replace(" ", "_"))
            yield f"  {_pattern_line(each, text, name == printable(a))}"
        if len(those) > MOST:
            yield f"  and {len(those) - MOST} more"


def _patterns_by_system(a: str, b: str, patterns: Sequence[Pattern]) -> Iterator[tuple[str, list[Pattern]]]:
    """Yield, for each of the two systems, its name and the patterns that it has right more often, if there are any."""
    for name, side in ((a, -1), (b, 1)):
        if those := [each for each in patterns if (each.for_b - each.for_a) * side > 0]:
            yield printable(name), those


def _pattern_line(each: Pattern, text: str, is_a: bool) -> str:
    """Return a line on a pattern: its `text`, the counts of both systems, and q.

    `is_a` says that the line is about system A, whose count then comes first.
    """
    ours, theirs = (each.a, each.b) if is_a else (each.b, each.a)
    return f"{text}  {ours} against {theirs} of {each.there} times ({probability_text(each.q, 'q')})"


def errors_text(a: str, b: str, error_counts: Sequence[ErrorCount]) -> Iterator[str]:
    """Yield a line on each class of error: both systems' numbers, which has fewer, and whether that may be chance."""
    a, b = printable(a), printable(b)
    for each in error_counts:
        if not each.a and not each.b:
            continue
        better = b if each.for_b > each.for_a else a
        chance = "may be chance" if each.q >= LEVEL else f"{better} has fewer, by more than chance"
        fewer = f"{b} has fewer in {count_with_noun(each.for_b, 'segment')}, {a} in {each.for_a}"
        q = probability_text(each.q, "q")
        yield f"{each.error.label}: {a} {each.a}, {b} {each.b} errors; {fewer}: {chance} ({q})"


#: The plural noun for the errors of each class.
ERRORS: Mapping[ErrorClass, str] = {
    ErrorClass.INFLECTION: "errors of inflection",
    ErrorClass.ORDER: "errors of word order",
    ErrorClass.MISSING: "missing words",
    ErrorClass.EXTRA: "extra words",
    ErrorClass.LEXICAL: "wrong words",
}


def error_difference_sentence(names: tuple[str, str], error_counts: Sequence[ErrorCount]) -> str:
    """Return a sentence on the classes of error in which the second system has fewer or more, by more than chance.

    "B has fewer errors of inflection (1,796 → 1,379), but more missing words (90 → 120), beyond chance." A class that
    may differ by chance is left out, and so is one with more errors in all but fewer in most segments, or the reverse.
    """
    first, second = map(printable, names)
    sides: dict[bool, list[str]] = {True: [], False: []}
    for each in error_counts:
        less = each.for_b > each.for_a
        if each.q < LEVEL and each.a != each.b and less == (each.b < each.a):
            sides[less].append(f"{ERRORS[each.error]} ({each.a:,} → {each.b:,})")
    clauses = [f"{'fewer' if less else 'more'} {join_words(those)}" for less, those in sides.items() if those]
    if not clauses:
        return f"No kind of error is rarer in {second} or in {first} by more than chance."
    return f"{second} has {', but '.join(clauses)}, beyond chance."
