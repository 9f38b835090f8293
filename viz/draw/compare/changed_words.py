"""Draw the words of two outputs A and B, and of their references, as lines that show the fate of each word.

The fate of a word says how its match differs between A and B: kept, moved, gained, lost and so on (`Fate`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from html import escape
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias, get_args

from metrics.analysis.difference import MatchDifference, matched_words, pools_references, positions_in_one_output
from metrics.types import Relation, Result

from ..evidence import error_spans
from ..evidence.words import describe_pair
from ..pen import theme
from ..pen.marks import ResultMarks
from ..pen.text import safe, writing_direction
from ..pen.theme import LOOKS, Kind, Role
from ..texts import MarkedError, ProcessedTexts
from .differences import A_AND_B, SIDES, Names, Words

#: What became of a word. "kept": both match it, with the same reference word. "elsewhere": both match it, with other
#: reference words. "moved": each output matches another occurrence of it. "gained": only B matches it. "lost": only A
#: matches it. "unused": not matched, though the other side has the word. "nothing": the other side lacks the word.
Fate: TypeAlias = Literal["kept", "elsewhere", "moved", "gained", "lost", "unused", "nothing"]
FATES: tuple[Fate, ...] = get_args(Fate)

_LOOK_OF: dict[Fate, tuple[Role, Kind]] = {
    "kept": ("kept", "dot"),
    "elsewhere": ("elsewhere", "diamond"),
    "moved": ("moved", "hexagon"),
    "gained": ("gained", "triangle"),
    "lost": ("lost", "cross"),
}
UNMATCHED: tuple[Fate, ...] = ("unused", "nothing")
_SIGNS: dict[Fate, str] = {"elsewhere": "↔", "moved": "↕", "gained": "▲", "lost": "✕"}
_UNUSED = "h"  # the class of a word that is not matched though it occurs
_UNMATCHED_TEXT: dict[Fate, str] = {"unused": "not matched, but the word occurs", "nothing": "matches nothing"}


#: A and B.
TextPair: TypeAlias = tuple[ProcessedTexts, ProcessedTexts]


class Fates(NamedTuple):
    """The fate of each word of A and of B, by the index of its row of the word diff.

    `partners` maps the row of a moved word of A to the row of the word of B that is matched in its place."""

    a: Mapping[int, Fate]
    b: Mapping[int, Fate]
    partners: Mapping[int, int]


def word_fates(diff: MatchDifference, a: Result, b: Result) -> Fates:
    """Return the fate of every word of two outputs.

    A row whose word both outputs match is "kept" or "elsewhere". Any other matched word of A is "moved" if B matches
    another occurrence of it: the one to which the difference says its match moved, or else the next word of the same
    form that only B matches. An unmatched word is "nothing" where no reference has its form, else "unused"."""
    forms = (a.segment.candidate, b.segment.candidate)
    kept_rows = {place.row for place in diff.kept_places}
    ours = kept_rows | {place.row for place in [*diff.lost, *(old for old, _ in diff.moved)]}
    theirs = kept_rows | {place.row for place in [*diff.gained, *(new for _, new in diff.moved)]}
    common_fates: dict[int, Fate] = {n: "kept" if n in kept_rows else "elsewhere" for n in ours & theirs}
    sides: tuple[dict[int, Fate], dict[int, Fate]] = dict(common_fates), dict(common_fates)
    partners: dict[int, int] = {}

    def word_form(row: int, side: int) -> str:
        at = diff.rows[row][side]
        assert at is not None, "a cell lies in the row of a word"
        return forms[side][at]

    def pair_as_moved(one: int, other: int) -> None:
        if one not in sides[0] and other not in sides[1]:
            sides[0][one] = sides[1][other] = "moved"
            partners[one] = other

    for old, new in diff.moved:
        pair_as_moved(old.row, new.row)
    waiting: dict[str, list[int]] = {}
    for row in sorted(theirs - sides[1].keys(), reverse=True):
        waiting.setdefault(word_form(row, 1), []).append(row)
    for row in sorted(ours - sides[0].keys()):
        if waiting_rows := waiting.get(word_form(row, 0)):
            pair_as_moved(row, waiting_rows.pop())
    sides[0].update(dict.fromkeys(ours - sides[0].keys(), "lost"))
    sides[1].update(dict.fromkeys(theirs - sides[1].keys(), "gained"))
    reference_forms = {word for reference in a.segment.references for word in reference}
    for number, words in enumerate(diff.rows):
        for side, at in enumerate(words):
            if at is not None and number not in sides[side]:
                sides[side][number] = "unused" if forms[side][at] in reference_forms else "nothing"
    return Fates(*sides, partners)


def reference_fates(diff: MatchDifference, k: int, a: Result, b: Result) -> list[Fate]:
    """Return the fate of each word of reference `k`.

    A reference word is "moved" where A and B match it with different words. It is "elsewhere" where only one output
    matches it, and the other output matches the same word with another reference word."""
    if pools_references(a, b):
        return _pooled_fates(diff, k, a, b)
    cells: dict[int, set[str]] = {}
    for role, places in (("kept", diff.kept_places), ("lost", diff.lost), ("gained", diff.gained)):
        for place in places:
            if place.k == k:
                cells.setdefault(place.j, set()).add(role)
    for old, new in diff.moved:
        for place, other, role in ((old, new, "from"), (new, old, "to")):
            if place.k == k:
                stays = (other.k, other.j) == (k, place.j)
                cells.setdefault(place.j, set()).add("moved" if stays else role)
    output_forms = {*a.segment.candidate, *b.segment.candidate}
    return [_combine_roles(cells.get(j, set()), word in output_forms) for j, word in enumerate(a.segment.references[k])]


def _pooled_fates(diff: MatchDifference, k: int, a: Result, b: Result) -> list[Fate]:
    """Return the fates of the words of reference `k` for metrics that pool references, such as BLEU.

    They only count how often a word is matched, so positions are chosen here: first for the matches that both outputs
    have, then for those that only A has, then for those that only B has. Positions with a cell of that kind are
    preferred."""
    words = a.segment.references[k]
    kept_places, changed, moved = (
        {place.j for place in places if place.k == k}
        for places in (diff.kept_places, (*diff.gained, *diff.lost), chain.from_iterable(diff.moved))
    )
    ours, theirs = matched_words(a), matched_words(b)
    common_counts = ours & theirs
    ours, theirs = ours - common_counts, theirs - common_counts
    output_forms = {*a.segment.candidate, *b.segment.candidate}
    out: list[Fate] = ["unused" if word in output_forms else "nothing" for word in words]
    open_places = sorted(range(len(words)), key=lambda j: (j not in kept_places, j not in moved, j in changed, j))
    fates_of: tuple[tuple[Counter[str], Fate], ...] = ((common_counts, "kept"), (ours, "lost"), (theirs, "gained"))
    for counts, fate in fates_of:
        for j in open_places:
            if counts[words[j]]:
                counts[words[j]] -= 1
                out[j] = "moved" if fate == "kept" and j in moved and j not in kept_places else fate
        open_places = [j for j in open_places if out[j] in ("unused", "nothing")]
        open_places.sort(key=lambda j: (j not in changed, j))
    return out


def _combine_roles(roles: set[str], in_outputs: bool) -> Fate:
    if "kept" in roles:
        return "kept"
    ours, theirs = roles & {"lost", "from", "moved"}, roles & {"gained", "to", "moved"}
    if ours and theirs:
        return "moved"
    if roles & {"from", "to"}:
        return "elsewhere"
    return "lost" if ours else "gained" if theirs else "unused" if in_outputs else "nothing"


# ---------------------------------------------------------------- strips


class WordLine(NamedTuple):
    """A line of words as HTML, and the number of its words, which decides the size of the letters."""

    html: str
    words: int


def output_lines(
    texts: TextPair, both_marks: tuple[ResultMarks, ResultMarks], diff: MatchDifference, names: Names = A_AND_B
) -> list[WordLine]:
    """Return the words of A and of B as lines with labels, and the lists of errors that people marked in them.

    `texts` are A and B, `both_marks` the marks of their results, and `names` their names, for the labels."""
    html_words = output_words(texts, both_marks, diff)
    out = []
    for n, name in enumerate(map(safe, names)):
        out.append(_labelled_line(f"<b><bdi>{name}</bdi></b>", html_words[n], texts[n].candidate_words))
        if texts[n].marked:
            marked_html = error_spans.errors_list_html(texts[n], SIDES[n], f"Marked in <bdi>{name}</bdi>")
            out.append(WordLine(marked_html, 0))
    return out


def output_words(
    texts: TextPair, both_marks: tuple[ResultMarks, ResultMarks], diff: MatchDifference, moved_too: bool = False
) -> tuple[list[str], list[str]]:
    """Return the words of A and the words of B as HTML, one string for each word.

    The element of a word names its partners in the other output: the word of the same row, and the word that is
    matched in its place. A word that the other output lacks is struck out in A and bold in B. With `moved_too`, so are
    words that the other output has elsewhere, because a merged line shows them twice. `both_marks` are the marks of
    A's and of B's result."""
    results, references = (both_marks[0].result, both_marks[1].result), texts[0].reference_words
    became = word_fates(diff, *results)
    partners = _partner_names(diff, became.partners)
    unshared_words = _unpaired_words(diff) if moved_too else _unshared_words(diff, results, became)
    out: tuple[list[str], list[str]] = ([], [])
    for number, side in enumerate(SIDES):
        relations = _word_relations(both_marks[number])
        display_words = texts[number].candidate_words
        pairs = {
            cell.i: describe_pair(display_words, references, results[number], cell)
            for cell, use in sorted(both_marks[number].uses.items(), reverse=True)
            if use.relation not in ("equal", "different")
        }
        marks = error_spans.errors_by_word(texts[number].candidate, texts[number].marked)
        for row, at in enumerate([row[number] for row in diff.rows]):
            if at is None:
                continue
            fate, word = (became.a, became.b)[number][row], f"{side}{at}"
            only = at in unshared_words[number]
            extra: Role = "went" if side == "a" else "came"
            classes = [*fate_classes(fate, relations.get(at, "equal")), *([LOOKS[extra, "line"].word] if only else [])]
            bare = only and fate in ("unused", "nothing")
            sign = ("−" if side == "a" else "+") if bare else _SIGNS.get(fate, "")
            remarks = [pairs.get(at, "")]
            if word_marks := marks.get(at):
                classes += error_spans.error_classes(word_marks, marks.get(at + 1, ()))
                remarks.append(error_spans.describe_marks(word_marks))
            about = "; ".join([each for each in remarks if each])
            out[number].append(_word_html(display_words[at], word, classes, sign, partners.get(word, ()), about))
    return out


def merged_word_line(
    texts: TextPair, both_marks: tuple[ResultMarks, ResultMarks], diff: MatchDifference, label: str
) -> WordLine:
    """Return A and B merged into one line of words.

    A word that both have appears once, a word of A alone is struck out, and a word of B alone is bold. Each word is
    coloured by its fate; a word that both have and only A matches gets the look of A's word. `label` is the HTML in
    front of the line."""
    html_words = output_words(texts, both_marks, diff, moved_too=True)
    became = word_fates(diff, both_marks[0].result, both_marks[1].result)
    out = []
    for number, (a, b) in enumerate(diff.rows):
        only_a_matches = became.a.get(number) in ("lost", "moved") and became.b.get(number) in UNMATCHED
        out.append(html_words[0][a] if a is not None and (b is None or only_a_matches) else html_words[1][b or 0])
    return _labelled_line(label, out, [*texts[0].candidate_words[:40], *texts[1].candidate_words[:40]])


def _unpaired_words(diff: MatchDifference) -> tuple[set[int], set[int]]:
    """Return the positions of the words of A, and of B, that are alone in their row of the word diff."""
    a, b = ([row[n] for row in diff.rows if row[1 - n] is None] for n in (0, 1))
    return {at for at in a if at is not None}, {at for at in b if at is not None}


def _unshared_words(diff: MatchDifference, results: tuple[Result, Result], became: Fates) -> tuple[set[int], set[int]]:
    """Return the positions of the words that only A has, and that only B has.

    Words whose match merely moved are excluded."""
    gone_words, new = map(set, positions_in_one_output(diff.rows, *results))
    for side_words, side, fates_ in ((gone_words, 0, became.a), (new, 1, became.b)):
        side_words -= {diff.rows[row][side] for row, fate in fates_.items() if fate in ("moved", "elsewhere")}
    return gone_words, new


def reference_line(words: Words, label: str, diff: MatchDifference, k: int, results: tuple[Result, Result]) -> WordLine:
    """Return the words of reference `k` as a line, coloured by their fates; `label` is the HTML in front of it."""
    return _labelled_line(label, reference_words(words, diff, k, results), words)


def reference_words(words: Words, diff: MatchDifference, k: int, results: tuple[Result, Result]) -> list[str]:
    """Return the words of reference `k` as HTML, coloured by their fates, one string for each word."""
    became = reference_fates(diff, k, *results)
    return [
        _word_html(words[j], f"r{k}_{j}", fate_classes(fate, "equal"), _SIGNS.get(fate, ""))
        for j, fate in enumerate(became)
    ]


def word_lines_html(lines: Sequence[WordLine], total: int) -> str:
    """Return lines of words as one block of HTML.

    The letters are smaller where `total`, the number of words in all lines of the page, is large."""
    size = (" sm" if total > 90 else "") + (" tall" if total > 600 else "")
    return f'<div class="word_lines ab{size}">{"".join(line.html for line in lines)}</div>'


def fate_classes(fate: Fate, relation: Relation) -> list[str]:
    """Return the CSS classes of words with a fate.

    `relation` says why the word matches its partner: it is equal, or has the same stem, and so on."""
    if fate not in _LOOK_OF:
        return [_UNUSED] if fate == "unused" else []
    _, *colour = LOOKS[_LOOK_OF[fate]].word.split()
    return [*theme.word_classes(relation), *colour]


def _word_html(
    text: str, name: str, classes: Sequence[str], sign: str, partners: Sequence[str] = (), says: str = ""
) -> str:
    along = f' data-with="{" ".join(partners)}"' if partners else ""
    along += f' data-says="{safe(says, 600)}"' if says else ""
    mark = f"<sup>{sign}</sup>" if sign else ""
    look = " ".join(["tk", *classes])
    return f'<span class="{look}" data-word="{name}"{along}><bdi>{safe(text, 60)}</bdi>{mark}</span>'


EMPTY = '<span class="no">no words</span>'


def _labelled_line(label: str, html_words: Sequence[str], plain_words: Words) -> WordLine:
    direction = writing_direction(plain_words[:40])
    # Spaces between the elements, so that copied text has spaces too.
    words_html = " ".join(html_words) or EMPTY
    html = f'<div class="ln"><div class="lb">{label}</div><div class="ws" dir="{direction}">{words_html}</div></div>'
    return WordLine(html, len(html_words))


def _partner_names(diff: MatchDifference, moved: Mapping[int, int]) -> dict[str, list[str]]:
    """Return a mapping from the name of each word of A or B to the names of its partners in the other output.

    `moved` maps rows of A's moved words to rows of the words of B that are matched in their place."""
    out: dict[str, list[str]] = {}
    for ours, theirs in [*((n, n) for n in range(len(diff.rows))), *moved.items()]:
        a, b = diff.rows[ours].a, diff.rows[theirs].b
        if a is not None and b is not None:
            out.setdefault(f"a{a}", []).append(f"b{b}")
            out.setdefault(f"b{b}", []).append(f"a{a}")
    return out


def _word_relations(marks: ResultMarks) -> Mapping[int, Relation]:
    """Return why each matched word matches (equal, same stem, and so on), by position in the output."""
    return {
        cell.i: use.relation for cell, use in sorted(marks.uses.items(), reverse=True) if use.relation != "different"
    }


def describe_fate(fate: Fate) -> str:
    """Return the legend's text for words and cells with a fate."""
    return LOOKS[_LOOK_OF[fate]].legend if fate in _LOOK_OF else _UNMATCHED_TEXT[fate]


#: The fate for each text of the legend. Words and cells of one fate are hidden and shown together.
_FATES: dict[str, Fate] = {
    **{describe_fate(fate): fate for fate in FATES},
    LOOKS["unused", "ring"].legend: "unused",
}


def legend_entry(says: str, inside: str) -> str:
    """Return an entry of the legend as HTML, with the content `inside`.

    Where the text `says` belongs to a fate, the entry is a button that hides and shows words and cells of that fate."""
    if fate := _FATES.get(says):
        return f'<button type="button" aria-pressed="true" data-fate="{fate}">{inside}</button>'
    return f"<span>{inside}</span>"


def legend(
    diff: MatchDifference,
    results: tuple[Result, Result],
    existing_entries: Container[str],
    fates_of: Sequence[Fate] = UNMATCHED,
    marks: Iterable[MarkedError] = (),
) -> str:
    """Return the legend of the looks of words as HTML, without the texts that `existing_entries` has already.

    It explains the fates of `fates_of` that occur, words of one output alone, and the `marks` of errors by people."""
    became = word_fates(diff, *results)
    gone_words, new = _unshared_words(diff, results, became)
    present_fates = {*became.a.values(), *became.b.values()}
    out = [(" ".join(fate_classes(fate, "equal")), describe_fate(fate)) for fate in fates_of if fate in present_fates]
    went, came = LOOKS["went", "line"], LOOKS["came", "line"]
    out += [(went.word, went.legend)] if gone_words else []
    out += [(came.word, came.legend)] if new else []
    looks = [LOOKS[role, "line"] for role in dict.fromkeys(sorted([error_spans.role_of(mark) for mark in marks]))]
    out += [(look.word, look.legend) for look in looks]
    return "".join(
        legend_entry(says, f'<span class="tk {look}">word</span>{escape(says)}')
        for look, says in out
        if says not in existing_entries
    )
