"""Draw candidate and references as lines of words that show which words are used, and how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from metrics.types import Hit, Result

from ..pen import marks, theme
from ..pen.marks import touched_words
from ..pen.numbers import count_text
from ..pen.text import bdi_word, isolated, safe, writing_direction
from ..pen.theme import LOOKS
from ..texts import ProcessedTexts
from . import error_spans
from .drawn_result import DrawnResult

Words = Sequence[str]
SOURCE_MOST = 1_000  # how many characters of a source are shown
NAME_MOST = 40  # how many letters of a system's name are shown


def word_lines_html(drawn: DrawnResult, candidate: bool = True) -> str:
    """Return the candidate (with `candidate`) and its references as lines of words, as HTML.

    Tinted and underlined words are used, with another line where the two words are not equal. Dotted words match but
    are not used. Plain words match nothing. Wrong words of an edit script have their own looks. Each word is an
    escaped element with its name (`data-word="c3"`, `data-word="r0_4"`). Of a long text, only the words of its
    window are drawn."""
    look = looks(drawn)
    window, texts = drawn.window, drawn.texts
    shown_references = [window.k] if window else range(len(texts.references))
    rows, columns = (
        (range(window.i, window.i + window.rows), range(window.j, window.j + window.columns))
        if window
        else (range(len(texts.candidate)), None)
    )
    lines = [source_line(texts)] if candidate else []
    if candidate:
        lines += [
            _words_line("<b>Candidate</b>", texts.candidate_words, "c", rows, look),
            error_spans.errors_list_html(texts),
        ]
    labels, folds = reference_labels(drawn.result), candidate and len(shown_references) > 1
    for k in shown_references:
        words = texts.reference_words[k]
        line = _words_line(labels[k], words, f"r{k}_", columns or range(len(words)), look)
        lines.append(_foldable_line(line, k, drawn) if folds else line)
    total = len(rows) + (len(columns) if columns else sum(map(len, texts.references)))
    size = (" sm" if total > 90 else "") + (" tall" if total > 260 else "")
    return f'<div class="word_lines{size}">{"".join(lines)}</div>'


def candidate_words_html(drawn: DrawnResult) -> list[str]:
    """Return each word of the candidate as HTML, with a look that shows how the metric used it."""
    words = drawn.texts.candidate_words
    return _word_elements(words, "c", range(len(words)), looks(drawn))


def plain_word_lines(texts: ProcessedTexts, hits: Iterable[Hit]) -> str:
    """Return the candidate and its references as HTML lines of words without a result: words of `hits` are dotted."""
    look = add_error_looks({name: WordLook(("h",)) for hit in hits for name in _word_names(hit)}, texts)
    sides = [("<b>Candidate</b>", texts.candidate_words, "c")]
    several = len(texts.references) > 1
    for k, reference in enumerate(texts.reference_words):
        sides.append((f"Reference&nbsp;{k + 1}" if several else "Reference", reference, f"r{k}_"))
    lines = [_words_line(label, line, side, range(len(line)), look) for label, line, side in sides]
    lines.insert(1, error_spans.errors_list_html(texts))
    size = " sm" if sum(len(line) for _, line, _ in sides) > 90 else ""
    return f'<div class="word_lines{size}">{source_line(texts)}{"".join(lines)}</div>'


def output_lines(named_texts: Sequence[tuple[str, ProcessedTexts]]) -> str:
    """Return the source and one or two outputs of a segment as lines of words without a result, as HTML.

    Each output has the name of its system and shows what people marked."""
    marks = [mark for _, texts in named_texts for mark in texts.marked if mark.side == "source"]
    lines = [source_line(replace(texts, marked=tuple(dict.fromkeys(marks)))) for _, texts in named_texts[:1]]
    for side, (name, texts) in zip("ab", named_texts, strict=False):
        look = {f"{side}{word[1:]}": each for word, each in add_error_looks({}, texts).items()}
        label = f"<b>{bdi_word(name, NAME_MOST)}</b>"
        lines.append(_words_line(label, texts.candidate_words, side, range(len(texts.candidate)), look))
        lines.append(error_spans.errors_list_html(texts, side))
    size = " sm" if sum([len(texts.candidate) for _, texts in named_texts]) > 90 else ""
    return f'<div class="word_lines{size}">{"".join(lines)}</div>'


def source_line(texts: ProcessedTexts) -> str:
    """Return the source as a line above the others, as HTML, or "" where it is unknown.

    It shows people's marks, but no marks of a result."""
    words = texts.source.split()
    if not words:
        return ""
    text = error_spans.source_html(texts.source, texts.marked, SOURCE_MOST)
    direction = writing_direction(words[:40])
    return f'<div class="ln"><div class="lb">Source</div><div class="ws src" dir="{direction}">{text}</div></div>'


def reference_labels(result: Result) -> list[str]:
    """Return the references' names as HTML with their badges, such as that a reference decides the score."""
    count, badges = len(result.segment.references), marks.badges_by_reference(result)
    if count < 2:
        return ["Reference"]
    return [reference_label(k, badges.get(k, ())) for k in range(count)]


def reference_label(k: int, badges: Iterable[str]) -> str:
    """Return the name of reference `k`, one of several, with its badges, as HTML."""
    badges_html = "".join([f'<span class="bd">{badge}</span>' for badge in badges])
    return f"Reference&nbsp;{k + 1}{badges_html}"


class WordLook(NamedTuple):
    """The look of a word.

    Attributes:
        classes: CSS classes.
        number: number of the word's round, or 0.
        says: why the word matches one that is not the same, and what people marked; else "".
        letters: positions of the matched letters, for a word of which only letters match."""

    classes: tuple[str, ...]
    number: int = 0
    says: str = ""
    letters: frozenset[int] = frozenset()


def looks(drawn: DrawnResult) -> Mapping[str, WordLook]:
    """Return the looks of words that match something, are wrong, or are marked by people, keyed by the words' names."""
    result_marks, window, texts = drawn.marks, drawn.window, drawn.texts
    ours, theirs = texts.candidate_words, texts.reference_words
    out: dict[str, WordLook] = {name: WordLook(("h",)) for hit in drawn.hits for name in _word_names(hit)}
    for gap in result_marks.gaps:
        out.update((name, WordLook(theme.word_classes(gap.role))) for name in touched_words(gap.edit).names())
    # The first use of a word decides its look, so it is written last.
    for cell, use in reversed([(c, u) for c, u in result_marks.uses.items() if not window or window.holds(c)]):
        says = describe_pair(ours, theirs, drawn.result, cell)
        for name in _word_names(cell):
            out[name] = WordLook(theme.word_classes(use.relation), use.number, says)
    matched: dict[str, frozenset[int]] = {}
    for cell, (our_letters, their_letters) in result_marks.letters.items():
        for name, letters in zip(_word_names(cell), (our_letters, their_letters), strict=True):
            matched[name] = matched.get(name, frozenset()) | letters
    for name, letters in matched.items():
        if name in out:
            out[name] = WordLook((LOOKS["letters", "polygon"].word,), letters=letters)
    joins = {name for cell in result_marks.joined for name in _word_names(cell)}
    out = {name: word._replace(classes=(*word.classes, "j")) if name in joins else word for name, word in out.items()}
    return add_error_looks(out, texts)


def add_error_looks(looks: Mapping[str, WordLook], texts: ProcessedTexts) -> Mapping[str, WordLook]:
    """Return the looks of words, with the looks of errors that people marked added."""
    marks_by_word = error_spans.errors_by_word(texts.candidate, texts.marked)
    if not marks_by_word:
        return looks
    out = {**looks}
    for n, word_marks in marks_by_word.items():
        word = out.get(f"c{n}", WordLook(()))
        description = "; ".join([each for each in (word.says, error_spans.describe_marks(word_marks)) if each])
        out[f"c{n}"] = word._replace(
            classes=(*word.classes, *error_spans.error_classes(word_marks, marks_by_word.get(n + 1, ()))),
            says=description,
        )
    return out


def describe_pair(candidate: Words, references: Sequence[Words], result: Result, cell: Hit) -> str:
    """Return both words of a match and why they match, where they are not the same; else ""."""
    why = marks.match_reason(result, cell)
    if not why:
        return ""
    return f"{isolated(candidate[cell.i])} ~ {isolated(references[cell.k][cell.j])}: {why}"


def _word_names(cell: Hit) -> tuple[str, str]:
    return f"c{cell.i}", f"r{cell.k}_{cell.j}"


def _words_line(label: str, words: Words, side: str, places: Sequence[int], looks: Mapping[str, WordLook]) -> str:
    """Return a line of the words at the positions `places` of one sentence; `side` is the prefix of their names."""
    words_html = " ".join(_word_elements(words, side, places, looks))
    direction = writing_direction([words[place] for place in places[:40]])
    # Spaces between the elements, so that copied text has spaces too.
    return f'<div class="ln"><div class="lb">{label}</div><div class="ws" dir="{direction}">{words_html}</div></div>'


def _foldable_line(line: str, k: int, drawn: DrawnResult) -> str:
    """Return the line of reference `k`, which folds to a summary while the grid of another reference is visible."""
    matches = len({hit.j for hit in drawn.hits if hit.k == k})
    used = len({hit.j for hit in drawn.marks.covered if hit.k == k})
    summary = f"{count_text(len(drawn.texts.references[k]), 'word')}, {matches} match, {used or 'none'} used"
    folded = "" if k == drawn.marks.references.order[0] else " data-folded"
    button = f'<button type="button" class="unfold" data-show="{k}">{summary}</button>'
    return f"{line.removesuffix('</div>')}{button}</div>".replace(
        '<div class="ln">', f'<div class="ln" data-line="{k}"{folded}>', 1
    )


def _word_elements(words: Words, side: str, places: Sequence[int], looks: Mapping[str, WordLook]) -> list[str]:
    """Return the words at the positions `places` of one sentence as HTML; `side` is the prefix of their names."""
    out = []
    for place in places:
        name = f"{side}{place}"
        classes, number, says, letters = looks.get(name, WordLook(()))
        tip = f' data-says="{safe(says, 600)}"' if says else ""
        digit = f"<sup>{number}</sup>" if number else ""
        colour = (theme.round_class(number),) if number else ()
        out.append(
            f'<span class="{" ".join(["tk", *classes, *colour])}" data-word="{name}"{tip}>'
            f"<bdi>{_underlined_letters(words[place], letters)}</bdi>{digit}</span>"
        )
    return out


def _underlined_letters(word: str, letters: frozenset[int]) -> str:
    """Return a word as HTML with the matched letters underlined."""
    if not letters:
        return safe(word, 60)
    if len(word) > 60:  # only the beginning is visible
        word = f"{word[:59]}…"
    parts = groupby(range(len(word)), letters.__contains__)
    pieces = [(matched, "".join([word[at] for at in places])) for matched, places in parts]
    return "".join([f"<u>{safe(text, 60)}</u>" if matched else safe(text, 60) for matched, text in pieces])


def swatches(entries: Iterable[tuple[str, str]]) -> str:
    """Return a legend of words' looks as HTML, from pairs of a CSS style and an HTML text."""
    return '<div class="lg">' + "".join(f'<span><i style="{s}"></i>{t}</span>' for s, t in entries) + "</div>"
