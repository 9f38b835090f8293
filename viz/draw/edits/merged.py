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
from .between import Between, Span, Words

MANY, TALL = 90, 600  # words from which on their letters are smaller, and from which on the line scrolls
MOVE = "↕"  # before words that stand elsewhere in the other text


def line(between: Between, label: str, tones: Sequence[Verdict] = (), above: str = "") -> str:
    """The merged line under a label that is HTML already, and lines that are `above` it, such as the source; `tones`
    say what each row does to a score that is looked at.

    A word that both texts have has its names in both (`data-word="a3"`, `data-with="b4"`), and an edit that of its row
    (`data-term="edit:2"`).
    """
    a, b = between.sides
    out = []
    for number, span in between.pieces():
        if number is None:
            out += [
                f'<span class="tk" data-word="{a}{i}" data-with="{b}{j}">{_bdi(between.b[j])}</span>'
                for i, j in zip(range(span.a, span.a_end), range(span.b, span.b_end), strict=True)
            ]
        else:
            out.append(_edit(between, number, span, tones))
    words = len(between.a) + sum([len(edit.words) for edit in between.edits])
    size = (" sm" if words > MANY else "") + (" tall" if words > TALL else "")
    direction = theme.direction([*between.a[:40], *between.b[:40]])
    shown = " ".join(out) or '<span class="no">no words</span>'
    return (
        f'<div class="bx ab merged{size}">{above}<div class="ln"><div class="lb">{label}</div>'
        f'<div class="ws" dir="{direction}">{shown}</div></div></div>'
    )


def _edit(between: Between, number: int, span: Span, tones: Sequence[Verdict]) -> str:
    """An edit of the line: its words, the mark of a move, and the sign of what it does."""
    row = between.row_of[number]
    gone, came = between.a[span.a : span.a_end], between.b[span.b : span.b_end]
    old, new = [_bdi(word) for word in gone], [_bdi(word) for word in came]
    if len(gone) == 1 == len(came) and (letters := changed_letters(gone[0], came[0])):
        old, new = [f"<bdi>{letters[0]}</bdi>"], [f"<bdi>{letters[1]}</bdi>"]
    inside = [f"<del>{' '.join(old)}</del>"] if old else []
    inside += [f"<ins>{' '.join(new)}</ins>"] if new else []
    tone = tones[row] if tones else "same"
    mark = (MOVE if between.moves(row) else "") + MARKS[tone]
    sign = f"<sup>{mark}</sup>" if mark else ""
    look = " ".join(["edit", tone, *(["moves"] if between.moves(row) else [])])
    # A space, so that what is copied has it too.
    return f'<span class="{look}" data-term="{between.term(row)}">{" ".join(inside)}{sign}</span>'


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
                shown = theme.safe("".join(letters), WORD_MOST)
                side.append(shown if step.tag == "equal" else f"<b>{shown}</b>")
    return "".join(out[0]), "".join(out[1])


# ---------------------------------------------------------------- a row in words

PHRASE_MOST = 8  # words of a phrase that are shown in a table


def phrase(words: Words, most: int = PHRASE_MOST) -> str:
    """Words in a row as HTML, the middle of many left out; they stand in the direction of the first."""
    shown = [_bdi(word) for word in words]
    if len(shown) > most:
        head = most - 2
        shown = [*shown[:head], f'<span class="n">… {len(words) - head - 1:,} more …</span>', shown[-1]]
    return f'<span class="ph" dir="{theme.direction(words)}">{" ".join(shown)}</span>'


def change(between: Between, row: int, most: int = PHRASE_MOST) -> str:
    """A row as HTML: what is struck out, and what is put in for it; of a move the words, once."""
    gone, came = between.phrases(row)
    if between.moves(row):
        return f'<span class="sign">{MOVE}</span> {phrase(came, most)}'
    parts = []
    if gone:
        parts.append(f"<del>{phrase(gone, most)}</del>")
    if came:
        parts.append(f"<ins>{phrase(came, most)}</ins>")
    return " ".join(parts)


def change_text(between: Between, row: int, isolated: bool = False, most: int | None = None) -> str:
    """The same as plain text: "gleichen → selben", "− der", "+ the old", "↕ at home".

    Words can be `isolated`, so that none takes others along in its direction, and the middle of more than `most` words
    of a phrase can be left out.
    """
    gone, came = (_plain(words, isolated, most) for words in between.phrases(row))
    if between.moves(row):
        return f"{MOVE} {came}"
    return f"{gone} → {came}" if gone and came else f"− {gone}" if gone else f"+ {came}"


def _plain(words: Words, isolated: bool, most: int | None) -> str:
    shown = [(theme.isolated if isolated else theme.visible)(word, WORD_MOST) for word in words]
    if most and len(shown) > most:
        shown = [*shown[: most - 2], "…", shown[-1]]
    return " ".join(shown)
