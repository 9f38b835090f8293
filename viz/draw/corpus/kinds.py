"""Draw the kinds of error that one of two systems makes less often, and the n-grams that it has right more often.

The n-grams consist of words, or of letters within words ("parts of words"). Each kind of error and each n-gram opens
its segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from metrics.corpus.errors import ErrorCount
from metrics.corpus.explanations.patterns import error_difference_sentence
from metrics.corpus.explanations.why import end_sentence
from metrics.corpus.patterns import LEVEL, Pattern

from ..pen.text import bdi_word, safe
from .patterns import pattern_text, probability_html

#: How many words, and how many parts of words, are shown for a system, and the letters of each.
WORDS_MOST, LETTERS = 4, 40
#: Makes the event that opens the segments of an error or pattern, given its kind ("error", "pattern" or "part") and its
#: index in the order in which they were found; "" where nothing opens.
Tells = Callable[[str, int], str]

#: The text that is shown while the kinds of error, or the words, are being computed.
EMPTY = '<div class="kinds"><p class="finding">Counting kinds of error.</p></div>'
NO_WORDS = '<div class="kinds"><p class="finding">Looking for words.</p></div>'


def findings_html(
    errors: Sequence[ErrorCount] | str | None,
    words: Sequence[Pattern] | None,
    parts: Sequence[Pattern] | None,
    names: tuple[str, str],
    names_swapped: bool,
    tell: Tells,
) -> str:
    """Return the kinds of error, the words and the parts of words in which two systems differ, as HTML.

    None stands for what is not known yet; a message takes the place of errors that are too hard to count. The other
    parameters are those of `rarer_errors_html` and `right_words_html`."""
    if errors is None:
        return EMPTY
    if isinstance(errors, str):
        html = f'<div class="kinds"><p>{safe(end_sentence(errors), 400)}</p></div>'
    else:
        html = rarer_errors_html(errors, names, names_swapped, tell)
    if words is None or parts is None:
        return html + NO_WORDS
    return html + right_words_html(words, parts, names, names_swapped, tell)


def rarer_errors_html(
    error_counts: Sequence[ErrorCount], names: tuple[str, str], names_swapped: bool, tell: Tells
) -> str:
    """Return the table of kinds of error with both systems' counts, and a sentence on rarer errors, as HTML.

    The sentence names the kinds that a system makes less often by more than chance. `names` are the first and the
    second system. `names_swapped` is whether `error_counts` has them swapped. `tell` makes the event that opens the
    segments of a kind."""
    rows, counts = [], [each.swapped if names_swapped else each for each in error_counts]
    for n, each in enumerate(counts):
        sure = each.q < LEVEL
        tone = ("better" if each.for_b > each.for_a else "worse") if sure else ""
        label = _tell_button(tell("error", n) if each.segments else "", safe(each.error.label), each.error.meaning)
        count = f"{each.a:,} → {each.b:,}"
        rows.append(
            f'<tr><td>{label}</td><td class="num {tone}">{count}</td><td class="num">q {_q_text(each.q)}</td></tr>'
        )
    sentence = safe(error_difference_sentence(names, counts), 500)
    head = f"Errors, {safe(names[0], 24)} → {safe(names[1], 24)}"
    table = f'<table class="corpus_ledger"><caption>{head}</caption><tbody>{"".join(rows)}</tbody></table>'
    return f'<div class="kinds">{table}<p class="fewer">{sentence}</p></div>'


def _q_text(q: float) -> str:
    return probability_html(q) if q < 0.0001 else f"= {probability_html(q)}"


def right_words_html(
    word_patterns: Sequence[Pattern], parts: Sequence[Pattern], names: tuple[str, str], names_swapped: bool, tell: Tells
) -> str:
    """Return the words, and parts of words, that each system has right more often by more than chance, as HTML.

    `word_patterns` are n-grams of words and `parts` n-grams of letters, the most significant first. `names` are the
    first and the second system. `names_swapped` is whether the n-grams have them swapped. `tell` makes the event that
    opens the segments of an n-gram."""
    paragraphs = []
    for winner in (True, False):
        name = safe(names[winner], 40)
        for kind, which in (("pattern", word_patterns), ("part", parts)):
            mine = [
                (n, each)
                for n, each in enumerate(which)
                if each.q < LEVEL and (each.for_b > each.for_a) == (winner != names_swapped)
            ]
            if not mine:
                continue
            pattern_list = ", ".join(
                [_pattern_html(kind, n, each, winner == names_swapped, tell) for n, each in mine[:WORDS_MOST]]
            )
            more = f" and {len(mine) - WORDS_MOST} more" if len(mine) > WORDS_MOST else ""
            what = "Words" if kind == "pattern" else "Parts of words"
            paragraphs.append(f"<p>{what} that <b>{name}</b> has right more often: {pattern_list}{more}.</p>")
    if not paragraphs:
        paragraphs.append(
            "<p>No words or parts of words are right more often in one of the two by more than chance.</p>"
        )
    return f'<div class="kinds words">{"".join(paragraphs)}</div>'


def _pattern_html(kind: str, number: int, each: Pattern, of_a: bool, tell: Tells) -> str:
    """Return an n-gram as HTML, with how often each system has it right and how often the references have it.

    `kind` is "pattern" for words or "part" for letters, and `number` is the n-gram's index, for the event. The system
    that has it right more often comes first: A with `of_a`, else B."""
    spelling = pattern_text(each, "word" if kind == "pattern" else "character")
    more, less = (each.a, each.b) if of_a else (each.b, each.a)
    q = f"q {_q_text(each.q)}"
    button = _tell_button(tell(kind, number), f"“{bdi_word(spelling, LETTERS)}”", "")
    return f'<span title="{q}">{button} {more:,} against {less:,} of {each.there:,}</span>'


def _tell_button(tell: str, label: str, title: str) -> str:
    if not tell:
        return label
    title_attribute = f' title="{safe(title, 200)}"' if title else ""
    return f'<button type="button" data-tell="{safe(tell, 200)}"{title_attribute}>{label}</button>'
