"""Draw the classes of a sentence's errors, such as missing words: each wrong word in the colour of its class."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from metrics.analysis.error_classes import ClassCount, ClassifiedWord, ErrorClass, ErrorClasses

from ..pen.numbers import count_text
from ..pen.text import safe, writing_direction
from ..texts import ProcessedTexts
from .fragment import frame
from .words import source_line

REASONS_MOST = 200  # how many reasons are listed


def letter(error: ErrorClass) -> str:
    """Return the first letter of a class's name, which marks its words, so that colour is not the only sign."""
    return error.name[0]


def fragment(texts: ProcessedTexts, error_classes: ErrorClasses, source: str = "") -> str:
    """Return the words in the colours of their error classes, the counts, and the reasons, as HTML.

    `source` is a text that is printed under the counts, on where the classes come from."""
    inspector = f'{counts_table(error_classes)}<p class="more">{escape(source)}</p>'
    return frame("errors", word_lines_html(texts, error_classes), reasons_table(texts, error_classes), inspector)


def word_lines_html(texts: ProcessedTexts, error_classes: ErrorClasses) -> str:
    """Return candidate and reference as lines of words in the colours of their error classes, as HTML.

    A word and its partner name the same cell, by which the script highlights both."""
    k = error_classes.k
    reference = texts.reference_words[k]
    label = f"Reference&nbsp;{k + 1}" if len(texts.references) > 1 else "Reference"
    total = len(error_classes.candidate) + len(error_classes.reference)
    size = (" sm" if total > 90 else "") + (" tall" if total > 260 else "")
    return (
        f'<div class="word_lines{size}">{source_line(texts)}'
        f"{_word_line_html('<b>Candidate</b>', texts.candidate_words, error_classes.candidate, 'c')}"
        f"{_word_line_html(label, reference, error_classes.reference, f'r{k}_')}</div>"
    )


def _word_line_html(label: str, display_words: Sequence[str], words: Sequence[ClassifiedWord], side: str) -> str:
    out = []
    for place, (text, word) in enumerate(zip(display_words, words, strict=True)):
        looks, mark = "tk", ""
        if word.error:
            looks, mark = f"tk u {_css_class(word.error)}", f"<sup>{letter(word.error)}</sup>"
        cell = f' data-cell="{word.partner.i},{word.partner.k},{word.partner.j}"' if word.partner else ""
        title = f' title="{safe(word.reason, 300)}"' if word.reason else ""
        hooks = f'class="{looks}" data-word="{side}{place}"{cell}{title}'
        out.append(f"<span {hooks}><bdi>{safe(text, 60)}</bdi>{mark}</span>")
    direction = writing_direction(display_words[:40])
    return f'<div class="ln"><div class="lb">{label}</div><div class="ws" dir="{direction}">{" ".join(out)}</div></div>'


def _css_class(error: ErrorClass) -> str:
    return f"error-{error.name.lower()}"


def counts_table(error_classes: ErrorClasses) -> str:
    """Return the table of the error classes with their counts and rates in candidate and reference."""
    rows = "".join(_class_row_html(count) for count in error_classes.counts())
    ours, theirs = (
        sum(1 for word in words if word.error) for words in (error_classes.candidate, error_classes.reference)
    )
    n, m = len(error_classes.candidate), len(error_classes.reference)
    total = f'<tr><td><b>All</b></td><td class="n">{ours} of {n}</td><td class="n">{theirs} of {m}</td></tr>'
    head = "<tr><th>Class</th><th>Candidate</th><th>Reference</th></tr>"
    return f'<table class="divided classes"><thead>{head}</thead><tbody>{rows}{total}</tbody></table>'


def _class_row_html(count: ClassCount) -> str:
    error = count.error
    return (
        f'<tr class="{_css_class(error)}"><td><i>{letter(error)}</i><b>{error.label}</b><br>'
        f"<span>{escape(error.meaning)}</span></td>"
        f'<td class="n">{_count_and_rate_html(count.candidate, count.candidate_rate)}</td>'
        f'<td class="n">{_count_and_rate_html(count.reference, count.reference_rate)}</td></tr>'
    )


def _count_and_rate_html(count: int, rate: float) -> str:
    if not count:
        return "0"
    bars = f'<rect width="70" height="3"/><rect width="{70 * rate:.1f}" height="3"/>'
    return f'{count}, {100 * rate:.0f} %<svg class="bar" width="70" height="3">{bars}</svg>'


def reasons_table(texts: ProcessedTexts, error_classes: ErrorClasses) -> str:
    """Return the table of every wrong word with the reason for its class, the candidate's words first."""
    rows = []
    for side, display_words, words in (
        ("C", texts.candidate_words, error_classes.candidate),
        ("R", texts.reference_words[error_classes.k], error_classes.reference),
    ):
        for position, (text, word) in enumerate(zip(display_words, words, strict=True)):
            if word.error:
                where = f"<i>{letter(word.error)}</i>{side}{position + 1}"
                rows.append(
                    f'<tr class="{_css_class(word.error)}"><td class="n">{where}</td>'
                    f"<td><bdi>{safe(text)}</bdi></td><td>{safe(word.reason, 300)}</td></tr>"
                )
    if not rows:
        return '<p class="note">No word is wrong.</p>'
    hidden_count = len(rows) - REASONS_MOST
    more = f'<p class="more">and {count_text(hidden_count, "more word")}</p>' if hidden_count > 0 else ""
    head = "<tr><th>Where</th><th>Word</th><th>Why</th></tr>"
    body = "".join(rows[:REASONS_MOST])
    return f'<table class="divided classes"><thead>{head}</thead><tbody>{body}</tbody></table>{more}'
