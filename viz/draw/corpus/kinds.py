"""Why in a translator's words: which kinds of error a system makes less often, and which words and parts of words it
has right more often, each of which opens its segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from metrics.corpus.errors import ErrorCount
from metrics.corpus.explanations.patterns import rarer_errors
from metrics.corpus.patterns import LEVEL, Pattern

from ..pen import theme
from .patterns import probability, spelled

#: Words, and parts of words, that are shown of a side, and the letters of each.
WORDS_MOST, LETTERS = 4, 40
#: Says what opens the segments of the error or the pattern with a number, in the order in which they were found; "" for
#: nothing.
Tells = Callable[[str, int], str]

#: What stands there until they are found.
EMPTY = '<div class="kinds"><p class="finding">Counting kinds of error.</p></div>'
NO_WORDS = '<div class="kinds"><p class="finding">Looking for words.</p></div>'


def errors(error_counts: Sequence[ErrorCount], names: tuple[str, str], turned: bool, tell: Tells) -> str:
    """The kinds of error from the first of two systems to the second, to which they are `turned` where counts are those
    of the second and the first, and in a sentence which of them are fewer by more than chance."""
    rows = []
    for n, each in enumerate(error_counts):
        each = each.turned if turned else each
        sure = each.q < LEVEL
        tone = ("better" if each.for_b > each.for_a else "worse") if sure else ""
        label = _button(tell("error", n) if each.segments else "", theme.safe(each.error.label), each.error.meaning)
        count = f"{each.a:,} → {each.b:,}"
        rows.append(f'<tr><td>{label}</td><td class="num {tone}">{count}</td><td class="num">q {_q(each.q)}</td></tr>')
    sentence = theme.safe(rarer_errors(names, [each.turned if turned else each for each in error_counts]), 500)
    head = f"Errors, {theme.safe(names[0], 24)} → {theme.safe(names[1], 24)}"
    table = f'<table class="corpus_ledger"><caption>{head}</caption><tbody>{"".join(rows)}</tbody></table>'
    return f'<div class="kinds">{table}<p class="fewer">{sentence}</p></div>'


def _q(q: float) -> str:
    return probability(q) if q < 0.0001 else f"= {probability(q)}"


def words(
    word_patterns: Sequence[Pattern], parts: Sequence[Pattern], names: tuple[str, str], turned: bool, tell: Tells
) -> str:
    """The words, and the parts of words, that each system has right more often by more than chance, the most telling
    first; from the first system to the second as in `errors`."""
    paragraphs = []
    for winner in (True, False):
        name = theme.safe(names[winner], 40)
        for kind, which in (("pattern", word_patterns), ("part", parts)):
            mine = [
                (n, each)
                for n, each in enumerate(which)
                if each.q < LEVEL and (each.for_b > each.for_a) == (winner != turned)
            ]
            if not mine:
                continue
            pattern_list = ", ".join([_pattern(kind, n, each, winner == turned, tell) for n, each in mine[:WORDS_MOST]])
            more = f" and {len(mine) - WORDS_MOST} more" if len(mine) > WORDS_MOST else ""
            what = "Words" if kind == "pattern" else "Parts of words"
            paragraphs.append(f"<p>{what} that <b>{name}</b> has right more often: {pattern_list}{more}.</p>")
    if not paragraphs:
        paragraphs.append(
            "<p>No words or parts of words are right more often in one of the two by more than chance.</p>"
        )
    return f'<div class="kinds words">{"".join(paragraphs)}</div>'


def _pattern(kind: str, number: int, each: Pattern, of_a: bool, tell: Tells) -> str:
    """An n-gram and how often the one that has it more often has it right, and the other one, of how many times."""
    spelling = spelled(each, "word" if kind == "pattern" else "character")
    more, less = (each.a, each.b) if of_a else (each.b, each.a)
    q = f"q {_q(each.q)}"
    button = _button(tell(kind, number), f"“{theme.word(spelling, LETTERS)}”", "")
    return f'<span title="{q}">{button} {more:,} against {less:,} of {each.there:,}</span>'


def _button(tell: str, label: str, title: str) -> str:
    if not tell:
        return label
    title_attribute = f' title="{theme.safe(title, 200)}"' if title else ""
    return f'<button type="button" data-tell="{theme.safe(tell, 200)}"{title_attribute}>{label}</button>'
