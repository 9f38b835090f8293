"""The words of two outputs and of their references as strips that say what became of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from html import escape
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias, get_args

from metrics.analysis.difference import Difference, matched_words, pooled, words_of_one
from metrics.types import Relation, Result

from ..evidence import marked
from ..evidence.words import pair_said
from ..pen import theme
from ..pen.marks import Marks
from ..pen.theme import LOOKS, Kind, Role
from ..texts import Marked, Texts
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


def fates(found: Difference, a: Result, b: Result) -> Fates:
    """What became of every word of two outputs.

    A word that is matched in both outputs stands in one row; else its partner is where its match moved to, else the
    next word of the same form that is matched in B alone. Words that match nothing are those of a form that no
    reference has.
    """
    forms = (a.segment.candidate, b.segment.candidate)
    kept = {place.row for place in found.kept}
    ours = kept | {place.row for place in [*found.lost, *(old for old, _ in found.moved)]}
    theirs = kept | {place.row for place in [*found.gained, *(new for _, new in found.moved)]}
    both: dict[int, Fate] = {n: "kept" if n in kept else "elsewhere" for n in ours & theirs}
    sides: tuple[dict[int, Fate], dict[int, Fate]] = dict(both), dict(both)
    partners: dict[int, int] = {}

    def form(row: int, side: int) -> str:
        at = found.rows[row][side]
        assert at is not None, "a cell lies in the row of a word"
        return forms[side][at]

    def pair(one: int, other: int) -> None:
        if one not in sides[0] and other not in sides[1]:
            sides[0][one] = sides[1][other] = "moved"
            partners[one] = other

    for old, new in found.moved:
        pair(old.row, new.row)
    waiting: dict[str, list[int]] = {}
    for row in sorted(theirs - sides[1].keys(), reverse=True):
        waiting.setdefault(form(row, 1), []).append(row)
    for row in sorted(ours - sides[0].keys()):
        if same := waiting.get(form(row, 0)):
            pair(row, same.pop())
    sides[0].update(dict.fromkeys(ours - sides[0].keys(), "lost"))
    sides[1].update(dict.fromkeys(theirs - sides[1].keys(), "gained"))
    known = {word for reference in a.segment.references for word in reference}
    for number, words in enumerate(found.rows):
        for side, at in enumerate(words):
            if at is not None and number not in sides[side]:
                sides[side][number] = "unused" if forms[side][at] in known else "nothing"
    return Fates(*sides, partners)


def reference_fates(found: Difference, k: int, a: Result, b: Result) -> list[Fate]:
    """What became of the words of reference `k`: "moved" where another word of B is matched with it than of A,
    "elsewhere" where what was or is matched with it has another partner in the other output."""
    if pooled(a, b):
        return _pooled_fates(found, k, a, b)
    cells: dict[int, set[str]] = {}
    for role, places in (("kept", found.kept), ("lost", found.lost), ("gained", found.gained)):
        for place in places:
            if place.k == k:
                cells.setdefault(place.j, set()).add(role)
    for old, new in found.moved:
        for place, other, role in ((old, new, "from"), (new, old, "to")):
            if place.k == k:
                stays = (other.k, other.j) == (k, place.j)
                cells.setdefault(place.j, set()).add("moved" if stays else role)
    known = {*a.segment.candidate, *b.segment.candidate}
    return [_reference_fate(cells.get(j, set()), word in known) for j, word in enumerate(a.segment.references[k])]


def _pooled_fates(found: Difference, k: int, a: Result, b: Result) -> list[Fate]:
    """As `reference_fates`, where a word is matched in each reference that has it, as often as it counts: what is
    matched in both before what is in one, each first where its cells lie."""
    words = a.segment.references[k]
    kept, changed, moved = (
        {place.j for place in places if place.k == k}
        for places in (found.kept, (*found.gained, *found.lost), chain.from_iterable(found.moved))
    )
    ours, theirs = matched_words(a), matched_words(b)
    both = ours & theirs
    ours, theirs = ours - both, theirs - both
    known = {*a.segment.candidate, *b.segment.candidate}
    out: list[Fate] = ["unused" if word in known else "nothing" for word in words]
    left = sorted(range(len(words)), key=lambda j: (j not in kept, j not in moved, j in changed, j))
    fates_of: tuple[tuple[Counter[str], Fate], ...] = ((both, "kept"), (ours, "lost"), (theirs, "gained"))
    for counts, fate in fates_of:
        for j in left:
            if counts[words[j]]:
                counts[words[j]] -= 1
                out[j] = "moved" if fate == "kept" and j in moved and j not in kept else fate
        left = [j for j in left if out[j] in ("unused", "nothing")]
        left.sort(key=lambda j: (j not in changed, j))
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
    shown: tuple[Words, Words],
    known: tuple[Marks, Marks],
    found: Difference,
    names: Names = A_AND_B,
    references: Sequence[Words] | None = None,
    texts: tuple[Texts, Texts] | None = None,
) -> list[Strip]:
    """A's and B's words as lines, with what people marked in their `texts`; `references` are the words to quote for
    theirs, by default those that were matched."""
    own = output_words(shown, known, found, references, texts)
    labels = [f"<b><bdi>{theme.safe(name)}</bdi></b>" for name in names]
    out = []
    for n, line in enumerate(zip(labels, own, shown, strict=True)):
        out.append(_line(*line))
        if texts and texts[n].marked:
            label = f"Marked in <bdi>{theme.safe(names[n])}</bdi>"
            out.append(Strip(marked.listed(texts[n], SIDES[n], label), 0))
    return out


def output_words(
    shown: tuple[Words, Words],
    known: tuple[Marks, Marks],
    found: Difference,
    references: Sequence[Words] | None = None,
    texts: tuple[Texts, Texts] | None = None,
    moved_too: bool = False,
) -> tuple[list[str], list[str]]:
    """All words of A and all of B as HTML.

    Words have the names of `names_of`, and with them those of their partners: the word of the row in the other output,
    and the word that is matched there for it. A word that the other output lacks is struck out in A and bold in B.
    With `moved_too` so is a word that stands elsewhere in the other output, as one line of both needs it. `references`
    are the words to quote for theirs, by default those that were matched. In `texts` is what people marked.
    """
    results = known[0].result, known[1].result
    became = fates(found, *results)
    partners = _partners(found, became.partners)
    alone = _single(found) if moved_too else _alone(found, results, became)
    out: tuple[list[str], list[str]] = ([], [])
    for number, side in enumerate(SIDES):
        relations = _relations(known[number])
        theirs = references or results[number].segment.references
        pairs = {
            cell.i: pair_said(shown[number], theirs, results[number], cell)
            for cell, use in sorted(known[number].uses.items(), reverse=True)
            if use.relation not in ("equal", "different")
        }
        marks = marked.of_words(texts[number].candidate, texts[number].marked) if texts else {}
        for row, at in enumerate([row[number] for row in found.rows]):
            if at is None:
                continue
            fate, word = (became.a, became.b)[number][row], f"{side}{at}"
            only = at in alone[number]
            extra: Role = "went" if side == "a" else "came"
            classes = [*classes_of(fate, relations.get(at, "equal")), *([LOOKS[extra, "line"].word] if only else [])]
            bare = only and fate in ("unused", "nothing")
            sign = ("−" if side == "a" else "+") if bare else _SIGNS.get(fate, "")
            said = [pairs.get(at, "")]
            if here := marks.get(at):
                classes += marked.classes(here, marks.get(at + 1, ()))
                said.append(marked.says(here))
            about = "; ".join([each for each in said if each])
            out[number].append(_word(shown[number][at], word, classes, sign, partners.get(word, ()), about))
    return out


def merged(
    shown: tuple[Words, Words],
    known: tuple[Marks, Marks],
    found: Difference,
    label: str,
    references: Sequence[Words] | None = None,
    texts: tuple[Texts, Texts] | None = None,
) -> Strip:
    """A and B as one line under a label that is HTML: a word that both have once, what only A has struck out, what only
    B has bold, each by what became of its match. Of a word that both have it is A's look where A alone matches it."""
    own = output_words(shown, known, found, references, texts, moved_too=True)
    became = fates(found, known[0].result, known[1].result)
    out = []
    for number, (a, b) in enumerate(found.rows):
        gone = became.a.get(number) in ("lost", "moved") and became.b.get(number) in UNMATCHED
        out.append(own[0][a] if a is not None and (b is None or gone) else own[1][b or 0])
    return _line(label, out, [*shown[0][:40], *shown[1][:40]])


def _single(found: Difference) -> tuple[set[int], set[int]]:
    """The words of A and of B that stand in a row by themselves."""
    a, b = ([row[n] for row in found.rows if row[1 - n] is None] for n in (0, 1))
    return {at for at in a if at is not None}, {at for at in b if at is not None}


def _alone(found: Difference, results: tuple[Result, Result], became: Fates) -> tuple[set[int], set[int]]:
    """The words that only A has and those that only B has, but for those whose match is elsewhere in the other."""
    gone, new = map(set, words_of_one(found.rows, *results))
    for own, side, fates_ in ((gone, 0, became.a), (new, 1, became.b)):
        own -= {found.rows[row][side] for row, fate in fates_.items() if fate in ("moved", "elsewhere")}
    return gone, new


def reference(words: Words, label: str, found: Difference, k: int, results: tuple[Result, Result]) -> Strip:
    """The words of reference `k` under a label that is HTML already."""
    return _line(label, reference_words(words, found, k, results), words)


def reference_words(words: Words, found: Difference, k: int, results: tuple[Result, Result]) -> list[str]:
    """All words of reference `k` as HTML."""
    became = reference_fates(found, k, *results)
    return [
        _word(words[j], f"r{k}_{j}", classes_of(fate, "equal"), _SIGNS.get(fate, "")) for j, fate in enumerate(became)
    ]


def box(lines: Sequence[Strip], total: int) -> str:
    """Lines as one block; its letters are smaller where there are many words in all."""
    size = (" sm" if total > 90 else "") + (" tall" if total > 600 else "")
    return f'<div class="bx ab{size}">{"".join(line.html for line in lines)}</div>'


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
    shown = " ".join(words) or EMPTY
    html = f'<div class="ln"><div class="lb">{label}</div><div class="ws" dir="{direction}">{shown}</div></div>'
    return Strip(html, len(words))


def _partners(found: Difference, moved: Mapping[int, int]) -> dict[str, list[str]]:
    """The name of a word of A or B → the names of the words of the other that go with it.

    `moved` leads from rows of A's words to rows of the words of B that are matched for them.
    """
    out: dict[str, list[str]] = {}
    for ours, theirs in [*((n, n) for n in range(len(found.rows))), *moved.items()]:
        a, b = found.rows[ours].a, found.rows[theirs].b
        if a is not None and b is not None:
            out.setdefault(f"a{a}", []).append(f"b{b}")
            out.setdefault(f"b{b}", []).append(f"a{a}")
    return out


def _relations(known: Marks) -> Mapping[int, Relation]:
    """How each matched word goes together with its partner."""
    return {
        cell.i: use.relation for cell, use in sorted(known.uses.items(), reverse=True) if use.relation != "different"
    }


def said(fate: Fate) -> str:
    """What became of words and cells that have met a fate, as the legend says it."""
    return LOOKS[_LOOK_OF[fate]].legend if fate in _LOOK_OF else _SAID[fate]


#: What the legend says of words and of cells that have met one fate, which is switched on and off as one.
_FATES: dict[str, Fate] = {
    **{said(fate): fate for fate in FATES},
    LOOKS["unused", "ring"].legend: "unused",
}


def entry(says: str, inside: str) -> str:
    """An entry of the legend as HTML; one of words that have met a fate is a button that switches them off and on."""
    if fate := _FATES.get(says):
        return f'<button type="button" aria-pressed="true" data-fate="{fate}">{inside}</button>'
    return f"<span>{inside}</span>"


def legend(
    found: Difference,
    results: tuple[Result, Result],
    there: Container[str],
    fates_of: Sequence[Fate] = UNMATCHED,
    marks: Iterable[Marked] = (),
) -> str:
    """What the looks of words mean, but for what is `there` already, as entries of a legend in HTML. Of what words have
    met `fates_of` are said, and the looks of people's `marks`."""
    became = fates(found, *results)
    gone, new = _alone(found, results, became)
    seen = {*became.a.values(), *became.b.values()}
    out = [(" ".join(classes_of(fate, "equal")), said(fate)) for fate in fates_of if fate in seen]
    went, came = LOOKS["went", "line"], LOOKS["came", "line"]
    out += [(went.word, went.legend)] if gone else []
    out += [(came.word, came.legend)] if new else []
    looks = [LOOKS[role, "line"] for role in dict.fromkeys(sorted([marked.role_of(mark) for mark in marks]))]
    out += [(look.word, look.legend) for look in looks]
    return "".join(
        entry(says, f'<span class="tk {look}">word</span>{escape(says)}') for look, says in out if says not in there
    )
