"""Two texts as one line: what both have as it stands, what only A has struck out, what B has instead beside it.

Every word is isolated, so that none takes others along in its direction.
"""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Indel

from metrics.analysis.edit_shares import ALIKE
from metrics.text import graphemes

from ..compare.scores import MARKS, Verdict
from ..evidence.verdict import WORD_MOST
from ..pen import theme
from .edit_map import EditMap, EditSpan, Words

MANY, TALL = 90, 600  # words from which on their letters are smaller, and from which on the line scrolls
MOVE = "↕"  # before words that stand elsewhere in the other text


def line(edit_map: EditMap, label: str, tones: Sequence[Verdict] = (), above: str = "") -> str:
    """The merged line under a label that is HTML already, and lines that are `above` it, such as the source; `tones`
    say what each row does to a score that is looked at.

    A word that both texts have has its names in both (`data-word="a3"`, `data-with="b4"`), and an edit that of its row
    (`data-term="edit:2"`).
    """
    a, b = edit_map.sides
    out = []
    for number, span in edit_map.pieces():
        if number is None:
            out += [
                f'<span class="tk" data-word="{a}{i}" data-with="{b}{j}">{_bdi(edit_map.b[j])}</span>'
                for i, j in zip(range(span.a, span.a_end), range(span.b, span.b_end), strict=True)
            ]
        else:
            out.append(_edit(edit_map, number, span, tones))
    words = len(edit_map.a) + sum([len(edit.words) for edit in edit_map.edits])
    size = (" sm" if words > MANY else "") + (" tall" if words > TALL else "")
    direction = theme.direction([*edit_map.a[:40], *edit_map.b[:40]])
    words_html = " ".join(out) or '<span class="no">no words</span>'
    return (
        f'<div class="word_lines ab merged{size}">{above}<div class="ln"><div class="lb">{label}</div>'
        f'<div class="ws" dir="{direction}">{words_html}</div></div></div>'
    )


def _edit(edit_map: EditMap, number: int, span: EditSpan, tones: Sequence[Verdict]) -> str:
    """An edit of the line: its words, the mark of a move, and the sign of what it does."""
    row = edit_map.row_of[number]
    gone_words, came = edit_map.a[span.a : span.a_end], edit_map.b[span.b : span.b_end]
    old, new = [_bdi(word) for word in gone_words], [_bdi(word) for word in came]
    if len(gone_words) == 1 == len(came) and (letters := changed_letters(gone_words[0], came[0])):
        old, new = [f"<bdi>{letters[0]}</bdi>"], [f"<bdi>{letters[1]}</bdi>"]
    inside = [f"<del>{' '.join(old)}</del>"] if old else []
    inside += [f"<ins>{' '.join(new)}</ins>"] if new else []
    tone = tones[row] if tones else "same"
    mark = (MOVE if edit_map.moves(row) else "") + MARKS[tone]
    sign = f"<sup>{mark}</sup>" if mark else ""
    look = " ".join(["edit", tone, *(["moves"] if edit_map.moves(row) else [])])
    # A space, so that what is copied has it too.
    return f'<span class="{look}" data-term="{edit_map.term(row)}">{" ".join(inside)}{sign}</span>'


def _bdi(word: str) -> str:
    return f"<bdi>{theme.safe(word, WORD_MOST)}</bdi>"


def changed_letters(old: str, new: str) -> tuple[str, str] | None:
    """Two words as HTML in which the letters are marked that the other one has not; None where they share so little
    that the whole word has changed, or where one of them is not shown to its end.

    A letter is what a reader takes for one, with all its marks. Capitals count.

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
                letters_html = theme.safe("".join(letters), WORD_MOST)
                side.append(letters_html if step.tag == "equal" else f"<b>{letters_html}</b>")
    return "".join(out[0]), "".join(out[1])


# ---------------------------------------------------------------- a row in words

PHRASE_MOST = 8  # words of a phrase that are shown in a table


def phrase(words: Words, most: int = PHRASE_MOST) -> str:
    """Words in a row as HTML, the middle of many left out; they stand in the direction of the first."""
    words_html = [_bdi(word) for word in words]
    if len(words_html) > most:
        head = most - 2
        words_html = [*words_html[:head], f'<span class="n">… {len(words) - head - 1:,} more …</span>', words_html[-1]]
    return f'<span class="ph" dir="{theme.direction(words)}">{" ".join(words_html)}</span>'


def change(edit_map: EditMap, row: int, most: int = PHRASE_MOST) -> str:
    """A row as HTML: what is struck out, and what is put in for it; of a move the words, once."""
    gone_words, came = edit_map.phrases(row)
    if edit_map.moves(row):
        return f'<span class="sign">{MOVE}</span> {phrase(came, most)}'
    parts = []
    if gone_words:
        parts.append(f"<del>{phrase(gone_words, most)}</del>")
    if came:
        parts.append(f"<ins>{phrase(came, most)}</ins>")
    return " ".join(parts)


def change_text(edit_map: EditMap, row: int, isolated: bool = False, most: int | None = None) -> str:
    """The same as plain text: "gleichen → selben", "− der", "+ the old", "↕ at home".

    Words can be `isolated`, so that none takes others along in its direction, and the middle of more than `most` words
    of a phrase can be left out.
    """
    gone_text, came = (_plain(words, isolated, most) for words in edit_map.phrases(row))
    if edit_map.moves(row):
        return f"{MOVE} {came}"
    return f"{gone_text} → {came}" if gone_text and came else f"− {gone_text}" if gone_text else f"+ {came}"


def _plain(words: Words, isolated: bool, most: int | None) -> str:
    visible_words = [(theme.isolated if isolated else theme.visible)(word, WORD_MOST) for word in words]
    if most and len(visible_words) > most:
        visible_words = [*visible_words[: most - 2], "…", visible_words[-1]]
    return " ".join(visible_words)
