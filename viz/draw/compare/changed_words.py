"""The words of two outputs and of their references as strips that say what became of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from html import escape
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias, get_args

from metrics.analysis.difference import MatchDifference, matched_words, pooled, words_of_one
from metrics.types import Relation, Result

from ..evidence import error_spans
from ..evidence.words import pair_said
from ..pen import theme
from ..pen.marks import ResultMarks
from ..pen.theme import LOOKS, Kind, Role
from ..texts import MarkedError, ProcessedTexts
from .differences import A_AND_B, SIDES, Names, Words

#: What became of a word: matched in both, with the same word; with another word; as a word that stands elsewhere; in B
#: alone; in A alone; not matched, though the other side has the word; and not matched, and the other side lacks it.
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
_SAID: dict[Fate, str] = {"unused": "not matched, but the word occurs", "nothing": "matches nothing"}


class Fates(NamedTuple):
    """What became of the words of A and of B, by row, and the rows of B's words that are matched for A's of others."""

    a: Mapping[int, Fate]
    b: Mapping[int, Fate]
    partners: Mapping[int, int]


def fates(diff: MatchDifference, a: Result, b: Result) -> Fates:
    """What became of every word of two outputs.

    A word that is matched in both outputs stands in one row; else its partner is where its match moved to, else the
    next word of the same form that is matched in B alone. Words that match nothing are those of a form that no
    reference has.
    """
    forms = (a.segment.candidate, b.segment.candidate)
    kept_rows = {place.row for place in diff.kept_places}
    ours = kept_rows | {place.row for place in [*diff.lost, *(old for old, _ in diff.moved)]}
    theirs = kept_rows | {place.row for place in [*diff.gained, *(new for _, new in diff.moved)]}
    common_fates: dict[int, Fate] = {n: "kept" if n in kept_rows else "elsewhere" for n in ours & theirs}
    sides: tuple[dict[int, Fate], dict[int, Fate]] = dict(common_fates), dict(common_fates)
    partners: dict[int, int] = {}

    def form(row: int, side: int) -> str:
        at = diff.rows[row][side]
        assert at is not None, "a cell lies in the row of a word"
        return forms[side][at]

    def pair(one: int, other: int) -> None:
        if one not in sides[0] and other not in sides[1]:
            sides[0][one] = sides[1][other] = "moved"
            partners[one] = other

    for old, new in diff.moved:
        pair(old.row, new.row)
    waiting: dict[str, list[int]] = {}
    for row in sorted(theirs - sides[1].keys(), reverse=True):
        waiting.setdefault(form(row, 1), []).append(row)
    for row in sorted(ours - sides[0].keys()):
        if waiting_rows := waiting.get(form(row, 0)):
            pair(row, waiting_rows.pop())
    sides[0].update(dict.fromkeys(ours - sides[0].keys(), "lost"))
    sides[1].update(dict.fromkeys(theirs - sides[1].keys(), "gained"))
    reference_forms = {word for reference in a.segment.references for word in reference}
    for number, words in enumerate(diff.rows):
        for side, at in enumerate(words):
            if at is not None and number not in sides[side]:
                sides[side][number] = "unused" if forms[side][at] in reference_forms else "nothing"
    return Fates(*sides, partners)


def reference_fates(diff: MatchDifference, k: int, a: Result, b: Result) -> list[Fate]:
    """What became of the words of reference `k`: "moved" where another word of B is matched with it than of A,
    "elsewhere" where what was or is matched with it has another partner in the other output."""
    if pooled(a, b):
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
    return [
        _reference_fate(cells.get(j, set()), word in output_forms) for j, word in enumerate(a.segment.references[k])
    ]


def _pooled_fates(diff: MatchDifference, k: int, a: Result, b: Result) -> list[Fate]:
    """As `reference_fates`, where a word is matched in each reference that has it, as often as it counts: what is
    matched in both before what is in one, each first where its cells lie."""
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


def _reference_fate(roles: set[str], occurs: bool) -> Fate:
    if "kept" in roles:
        return "kept"
    ours, theirs = roles & {"lost", "from", "moved"}, roles & {"gained", "to", "moved"}
    if ours and theirs:
        return "moved"
    if roles & {"from", "to"}:
        return "elsewhere"
    return "lost" if ours else "gained" if theirs else "unused" if occurs else "nothing"


# ---------------------------------------------------------------- strips


class Strip(NamedTuple):
    """A line of a strip as HTML, and how many words it has."""

    html: str
    words: int


def outputs(
    display_words: tuple[Words, Words],
    both_marks: tuple[ResultMarks, ResultMarks],
    diff: MatchDifference,
    names: Names = A_AND_B,
    references: Sequence[Words] | None = None,
    texts: tuple[ProcessedTexts, ProcessedTexts] | None = None,
) -> list[Strip]:
    """A's and B's words as lines, with what people marked in their `texts`; `references` are the words to quote for
    theirs, by default those that were matched."""
    html_words = output_words(display_words, both_marks, diff, references, texts)
    labels = [f"<b><bdi>{theme.safe(name)}</bdi></b>" for name in names]
    out = []
    for n, line in enumerate(zip(labels, html_words, display_words, strict=True)):
        out.append(_line(*line))
        if texts and texts[n].marked:
            label = f"Marked in <bdi>{theme.safe(names[n])}</bdi>"
            out.append(Strip(error_spans.listed(texts[n], SIDES[n], label), 0))
    return out


def output_words(
    display_words: tuple[Words, Words],
    both_marks: tuple[ResultMarks, ResultMarks],
    diff: MatchDifference,
    references: Sequence[Words] | None = None,
    texts: tuple[ProcessedTexts, ProcessedTexts] | None = None,
    moved_too: bool = False,
) -> tuple[list[str], list[str]]:
    """All words of A and all of B as HTML.

    Words have the names of `names_of`, and with them those of their partners: the word of the row in the other output,
    and the word that is matched there for it. A word that the other output lacks is struck out in A and bold in B.
    With `moved_too` so is a word that stands elsewhere in the other output, as one line of both needs it. `references`
    are the words to quote for theirs, by default those that were matched. In `texts` is what people marked.
    """
    results = both_marks[0].result, both_marks[1].result
    became = fates(diff, *results)
    partners = _partners(diff, became.partners)
    unshared_words = _single(diff) if moved_too else _unshared_words(diff, results, became)
    out: tuple[list[str], list[str]] = ([], [])
    for number, side in enumerate(SIDES):
        relations = _relations(both_marks[number])
        theirs = references or results[number].segment.references
        pairs = {
            cell.i: pair_said(display_words[number], theirs, results[number], cell)
            for cell, use in sorted(both_marks[number].uses.items(), reverse=True)
            if use.relation not in ("equal", "different")
        }
        marks = error_spans.of_words(texts[number].candidate, texts[number].marked) if texts else {}
        for row, at in enumerate([row[number] for row in diff.rows]):
            if at is None:
                continue
            fate, word = (became.a, became.b)[number][row], f"{side}{at}"
            only = at in unshared_words[number]
            extra: Role = "went" if side == "a" else "came"
            classes = [*classes_of(fate, relations.get(at, "equal")), *([LOOKS[extra, "line"].word] if only else [])]
            bare = only and fate in ("unused", "nothing")
            sign = ("−" if side == "a" else "+") if bare else _SIGNS.get(fate, "")
            remarks = [pairs.get(at, "")]
            if word_marks := marks.get(at):
                classes += error_spans.classes(word_marks, marks.get(at + 1, ()))
                remarks.append(error_spans.says(word_marks))
            about = "; ".join([each for each in remarks if each])
            out[number].append(_word(display_words[number][at], word, classes, sign, partners.get(word, ()), about))
    return out


def merged(
    display_words: tuple[Words, Words],
    both_marks: tuple[ResultMarks, ResultMarks],
    diff: MatchDifference,
    label: str,
    references: Sequence[Words] | None = None,
    texts: tuple[ProcessedTexts, ProcessedTexts] | None = None,
) -> Strip:
    """A and B as one line under a label that is HTML: a word that both have once, what only A has struck out, what only
    B has bold, each by what became of its match. Of a word that both have it is A's look where A alone matches it."""
    html_words = output_words(display_words, both_marks, diff, references, texts, moved_too=True)
    became = fates(diff, both_marks[0].result, both_marks[1].result)
    out = []
    for number, (a, b) in enumerate(diff.rows):
        only_a_matches = became.a.get(number) in ("lost", "moved") and became.b.get(number) in UNMATCHED
        out.append(html_words[0][a] if a is not None and (b is None or only_a_matches) else html_words[1][b or 0])
    return _line(label, out, [*display_words[0][:40], *display_words[1][:40]])


def _single(diff: MatchDifference) -> tuple[set[int], set[int]]:
    """The words of A and of B that stand in a row by themselves."""
    a, b = ([row[n] for row in diff.rows if row[1 - n] is None] for n in (0, 1))
    return {at for at in a if at is not None}, {at for at in b if at is not None}


def _unshared_words(diff: MatchDifference, results: tuple[Result, Result], became: Fates) -> tuple[set[int], set[int]]:
    """The words that only A has and those that only B has, but for those whose match is elsewhere in the other."""
    gone_words, new = map(set, words_of_one(diff.rows, *results))
    for side_words, side, fates_ in ((gone_words, 0, became.a), (new, 1, became.b)):
        side_words -= {diff.rows[row][side] for row, fate in fates_.items() if fate in ("moved", "elsewhere")}
    return gone_words, new


def reference(words: Words, label: str, diff: MatchDifference, k: int, results: tuple[Result, Result]) -> Strip:
    """The words of reference `k` under a label that is HTML already."""
    return _line(label, reference_words(words, diff, k, results), words)


def reference_words(words: Words, diff: MatchDifference, k: int, results: tuple[Result, Result]) -> list[str]:
    """All words of reference `k` as HTML."""
    became = reference_fates(diff, k, *results)
    return [
        _word(words[j], f"r{k}_{j}", classes_of(fate, "equal"), _SIGNS.get(fate, "")) for j, fate in enumerate(became)
    ]


def box(lines: Sequence[Strip], total: int) -> str:
    """Lines as one block; its letters are smaller where there are many words in all."""
    size = (" sm" if total > 90 else "") + (" tall" if total > 600 else "")
    return f'<div class="word_lines ab{size}">{"".join(line.html for line in lines)}</div>'


def classes_of(fate: Fate, relation: Relation) -> list[str]:
    """The classes of words that have met a fate."""
    if fate not in _LOOK_OF:
        return [_UNUSED] if fate == "unused" else []
    _, *colour = LOOKS[_LOOK_OF[fate]].word.split()
    return [*theme.word_classes(relation), *colour]


def _word(text: str, name: str, classes: Sequence[str], sign: str, partners: Sequence[str] = (), says: str = "") -> str:
    along = f' data-with="{" ".join(partners)}"' if partners else ""
    along += f' data-says="{theme.safe(says, 600)}"' if says else ""
    mark = f"<sup>{sign}</sup>" if sign else ""
    look = " ".join(["tk", *classes])
    return f'<span class="{look}" data-word="{name}"{along}><bdi>{theme.safe(text, 60)}</bdi>{mark}</span>'


EMPTY = '<span class="no">no words</span>'


def _line(label: str, words: Sequence[str], sentence: Words) -> Strip:
    direction = theme.direction(sentence[:40])
    # Spaces between the elements, so that what is copied has them too.
    words_html = " ".join(words) or EMPTY
    html = f'<div class="ln"><div class="lb">{label}</div><div class="ws" dir="{direction}">{words_html}</div></div>'
    return Strip(html, len(words))


def _partners(diff: MatchDifference, moved: Mapping[int, int]) -> dict[str, list[str]]:
    """The name of a word of A or B → the names of the words of the other that go with it.

    `moved` leads from rows of A's words to rows of the words of B that are matched for them.
    """
    out: dict[str, list[str]] = {}
    for ours, theirs in [*((n, n) for n in range(len(diff.rows))), *moved.items()]:
        a, b = diff.rows[ours].a, diff.rows[theirs].b
        if a is not None and b is not None:
            out.setdefault(f"a{a}", []).append(f"b{b}")
            out.setdefault(f"b{b}", []).append(f"a{a}")
    return out


def _relations(marks: ResultMarks) -> Mapping[int, Relation]:
    """How each matched word goes together with its partner."""
    return {
        cell.i: use.relation for cell, use in sorted(marks.uses.items(), reverse=True) if use.relation != "different"
    }


def describe_fate(fate: Fate) -> str:
    """What became of words and cells that have met a fate, as the legend says it."""
    return LOOKS[_LOOK_OF[fate]].legend if fate in _LOOK_OF else _SAID[fate]


#: What the legend says of words and of cells that have met one fate, which is switched on and off as one.
_FATES: dict[str, Fate] = {
    **{describe_fate(fate): fate for fate in FATES},
    LOOKS["unused", "ring"].legend: "unused",
}


def entry(says: str, inside: str) -> str:
    """An entry of the legend as HTML; one of words that have met a fate is a button that switches them off and on."""
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
    """What the looks of words mean, as entries of a legend in HTML, without those that are in `existing_entries`
    already. Of what words have met `fates_of` are said, and the looks of people's `marks`."""
    became = fates(diff, *results)
    gone_words, new = _unshared_words(diff, results, became)
    present_fates = {*became.a.values(), *became.b.values()}
    out = [(" ".join(classes_of(fate, "equal")), describe_fate(fate)) for fate in fates_of if fate in present_fates]
    went, came = LOOKS["went", "line"], LOOKS["came", "line"]
    out += [(went.word, went.legend)] if gone_words else []
    out += [(came.word, came.legend)] if new else []
    looks = [LOOKS[role, "line"] for role in dict.fromkeys(sorted([error_spans.role_of(mark) for mark in marks]))]
    out += [(look.word, look.legend) for look in looks]
    return "".join(
        entry(says, f'<span class="tk {look}">word</span>{escape(says)}')
        for look, says in out
        if says not in existing_entries
    )
