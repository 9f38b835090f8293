"""Draw two texts as one line: common words once, words of A alone struck out, and words of B next to them.

Every word is isolated, so that its direction does not affect other words."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Indel

from metrics.analysis.edit_shares import ALIKE
from metrics.text import graphemes

from ..compare.scores import MARKS, Verdict
from ..evidence.verdict import WORD_MOST
from ..pen.text import isolated as isolated_text
from ..pen.text import safe, visible, writing_direction
from .edit_map import EditMap, EditSpan, Words

MANY, TALL = 90, 600  # with more words than MANY the letters are smaller, with more than TALL the line scrolls
MOVE = "↕"  # in front of moved words


def merged_line_html(edit_map: EditMap, label: str, tones: Sequence[Verdict] = (), above: str = "") -> str:
    """Return the merged line as HTML.

    `label` is the HTML in front of the line, and `above` are lines above it, such as the source. `tones` are the
    effects of the rows of edits on the selected score: better, worse or the same. A common word has its names in both
    texts (`data-word="a3"`, `data-with="b4"`), and an edit has the name of its row (`data-term="edit:2"`)."""
    a, b = edit_map.sides
    out = []
    for number, span in edit_map.pieces():
        if number is None:
            out += [
                f'<span class="tk" data-word="{a}{i}" data-with="{b}{j}">{_word_html(edit_map.b[j])}</span>'
                for i, j in zip(range(span.a, span.a_end), range(span.b, span.b_end), strict=True)
            ]
        else:
            out.append(_edit_html(edit_map, number, span, tones))
    words = len(edit_map.a) + sum([len(edit.words) for edit in edit_map.edits])
    size = (" sm" if words > MANY else "") + (" tall" if words > TALL else "")
    direction = writing_direction([*edit_map.a[:40], *edit_map.b[:40]])
    words_html = " ".join(out) or '<span class="no">no words</span>'
    return (
        f'<div class="word_lines ab merged{size}">{above}<div class="ln"><div class="lb">{label}</div>'
        f'<div class="ws" dir="{direction}">{words_html}</div></div></div>'
    )


def _edit_html(edit_map: EditMap, number: int, span: EditSpan, tones: Sequence[Verdict]) -> str:
    """Return edit `number` as HTML: its words (in `span`), a sign for a move, and a sign for its effect in `tones`."""
    row = edit_map.row_of[number]
    gone_words, came = edit_map.a[span.a : span.a_end], edit_map.b[span.b : span.b_end]
    old, new = [_word_html(word) for word in gone_words], [_word_html(word) for word in came]
    if len(gone_words) == 1 == len(came) and (letters := changed_letters(gone_words[0], came[0])):
        old, new = [f"<bdi>{letters[0]}</bdi>"], [f"<bdi>{letters[1]}</bdi>"]
    inside = [f"<del>{' '.join(old)}</del>"] if old else []
    inside += [f"<ins>{' '.join(new)}</ins>"] if new else []
    tone = tones[row] if tones else "same"
    mark = (MOVE if edit_map.is_move(row) else "") + MARKS[tone]
    sign = f"<sup>{mark}</sup>" if mark else ""
    look = " ".join(["edit", tone, *(["moves"] if edit_map.is_move(row) else [])])
    # Spaces between the words, so that copied text has them too.
    return f'<span class="{look}" data-term="{edit_map.row_name(row)}">{" ".join(inside)}{sign}</span>'


def _word_html(word: str) -> str:
    return f"<bdi>{safe(word, WORD_MOST)}</bdi>"


def changed_letters(old: str, new: str) -> tuple[str, str] | None:
    """Return two words as HTML in which the letters that the other word lacks are bold.

    None where the words are too different, or where one of them is too long to be shown in full. A letter is a
    grapheme: what a reader takes for one letter, with all its marks. Capitals count as different.

    >>> changed_letters("gleich", "gleiche"), changed_letters("big", "small")
    (('gleich', 'gleich<b>e</b>'), None)
    """
    if max(len(old), len(new)) > WORD_MOST or Indel.normalized_similarity(old.casefold(), new.casefold()) < ALIKE:
        return None
    ours, theirs = graphemes(old), graphemes(new)
    out: tuple[list[str], list[str]] = ([], [])
    for step in Indel.opcodes(ours, theirs):
        parts = (ours[step.src_start : step.src_end], theirs[step.dest_start : step.dest_end])
        for side, letters in zip(out, parts, strict=True):
            if letters:
                letters_html = safe("".join(letters), WORD_MOST)
                side.append(letters_html if step.tag == "equal" else f"<b>{letters_html}</b>")
    return "".join(out[0]), "".join(out[1])


# ---------------------------------------------------------------- a row in words

PHRASE_MOST = 8  # how many words of a phrase a table shows


def phrase_html(words: Words, most: int = PHRASE_MOST) -> str:
    """Return words as HTML, in the writing direction of the first one.

    Of more than `most` words, the middle is left out."""
    words_html = [_word_html(word) for word in words]
    if len(words_html) > most:
        head = most - 2
        words_html = [*words_html[:head], f'<span class="n">… {len(words) - head - 1:,} more …</span>', words_html[-1]]
    return f'<span class="ph" dir="{writing_direction(words)}">{" ".join(words_html)}</span>'


def row_html(edit_map: EditMap, row: int, most: int = PHRASE_MOST) -> str:
    """Return a row of edits as HTML: the removed words struck out, then the inserted ones; the words of a move once.

    Of more than `most` words, the middle is left out."""
    gone_words, came = edit_map.phrases(row)
    if edit_map.is_move(row):
        return f'<span class="sign">{MOVE}</span> {phrase_html(came, most)}'
    parts = []
    if gone_words:
        parts.append(f"<del>{phrase_html(gone_words, most)}</del>")
    if came:
        parts.append(f"<ins>{phrase_html(came, most)}</ins>")
    return " ".join(parts)


def row_text(edit_map: EditMap, row: int, isolated: bool = False, most: int | None = None) -> str:
    """Return a row of edits as plain text: "gleichen → selben", "− der", "+ the old", "↕ at home".

    With `isolated`, invisible characters keep the writing direction of a word from affecting others. Of phrases of more
    than `most` words, the middle is left out."""
    gone_text, came = (_phrase_text(words, isolated, most) for words in edit_map.phrases(row))
    if edit_map.is_move(row):
        return f"{MOVE} {came}"
    return f"{gone_text} → {came}" if gone_text and came else f"− {gone_text}" if gone_text else f"+ {came}"


def _phrase_text(words: Words, isolated: bool, most: int | None) -> str:
    visible_words = [(isolated_text if isolated else visible)(word, WORD_MOST) for word in words]
    if most and len(visible_words) > most:
        visible_words = [*visible_words[: most - 2], "…", visible_words[-1]]
    return " ".join(visible_words)
