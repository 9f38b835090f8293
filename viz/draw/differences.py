"""What changed between two outputs A and B, drawn: cells on the rows of a word diff, words, and the steps of the score.

Everything is made from the values of `metrics.analysis.changes`; nothing is scored or compared here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from metrics import formula
from metrics.analysis.changes import Change, Difference, Place, Row
from metrics.types import Hit, Relation, Result
from viz.draw import marks, picture, theme, words
from viz.draw.charts import Figure
from viz.draw.grid import Window
from viz.draw.marks import Shape

Words: TypeAlias = Sequence[str]
Names: TypeAlias = tuple[str, str]
A_AND_B: Names = ("A", "B")


def counts(found: Difference) -> dict[str, int]:
    """How many cells were kept, gained and lost, and how many moved, in words' order."""
    return {name: len(getattr(found, name)) for name in ("kept", "gained", "lost", "moved")}


def names_of(row: Row) -> tuple[str, ...]:
    """The names of the words of a row: `a3` is word 3 of A, `b4` word 4 of B, counted from 0."""
    return tuple([f"{side}{at}" for side, at in zip("ab", row, strict=True) if at is not None])


def places(change: Change, rows: Sequence[Row]) -> frozenset[Place]:
    """The cells of a step: those of its marks, on the rows of the difference. An extra or a missing word has none."""
    of_a = {row.a: number for number, row in enumerate(rows)}
    of_b = {row.b: number for number, row in enumerate(rows)}
    return frozenset(
        Place((of_a if piece.kind == "lost" else of_b)[i], k, j)
        for piece in change.pieces
        for i, k, j in piece.mark.cells()
    )


# ---------------------------------------------------------------- the grid


def row_labels(a_words: Words, b_words: Words, rows: Iterable[Row]) -> list[str]:
    """The words of the rows of the difference, with "+ " or "− " before those that only B or only A has.

    Where the two words of a row differ in what was not compared, as in capitals, it is B's.
    """
    return [
        f"{'+ ' if a is None else ''}{theme.visible(b_words[b])}"
        if b is not None
        else f"− {theme.visible(a_words[a or 0])}"
        for a, b in rows
    ]


def shapes(found: Difference, chosen: Collection[Place] | None = None) -> list[Shape]:
    """Everything to draw for a difference, back to front, where its rows take the place of the candidate's words.

    `chosen` are the cells of the chosen step: they are ringed and the rest steps back. A step without cells, such as a
    change of lengths, leaves the grid as it is.
    """
    lit = frozenset(chosen or ())

    def dim(*cells: Place) -> bool:
        return bool(lit) and lit.isdisjoint(cells)

    def marker(kind: theme.Kind, role: theme.Role, place: Place, says: str, *others: Place) -> Shape:
        cell = Hit(*place)
        return Shape(kind, role, place.k, (marks.centre(cell),), cell, dim=dim(place, *others), says=says)

    out = []
    for place in sorted(lit):
        square = marks.square(place.row, place.j, 1, 0.03)
        out.append(Shape("polygon", "selected", place.k, square, Hit(*place), says="cells of the chosen step"))
    for old, new in found.moved:
        if line := _between(old, new):
            out.append(Shape("line", "moved", old.k, line, dim=dim(old, new)))
    out += [marker("dot", "kept", place, _where(place, found)) for place in found.kept]
    out += [marker("cross", "lost", place, _where(place, found)) for place in found.lost]
    out += [marker("triangle", "gained", place, _where(place, found)) for place in found.gained]
    for old, new in found.moved:
        out.append(marker("hollow", "moved", old, f"{_where(old, found)}; now with {_end(new, old, found)}", new))
        out.append(marker("diamond", "moved", new, f"{_where(new, found)}; before with {_end(old, new, found)}", old))
    return out


def _between(old: Place, new: Place) -> tuple[marks.Point, marks.Point] | None:
    """The line from a cell to another, as far as it lies outside of their markers; None from panel to panel."""
    (r, c), (r2, c2) = marks.centre(Hit(*old)), marks.centre(Hit(*new))
    length = math.hypot(r2 - r, c2 - c)
    if old.k != new.k or not length:
        return None
    down, across = 0.3 * (r2 - r) / length, 0.3 * (c2 - c) / length
    return (r + down, c + across), (r2 - down, c2 - across)


def _where(place: Place, found: Difference) -> str:
    """Which word of A and of B a cell's row is, counted from 1."""
    a, b = found.rows[place.row]
    return " and ".join([f"word {at + 1} of {name}" for at, name in ((a, "A"), (b, "B")) if at is not None])


def _end(place: Place, other: Place, found: Difference) -> str:
    """The reference word of a cell from which or to which another moved, and its row where that is another."""
    row = f", as {_where(place, found)}" if place.row != other.row else ""
    return f"word {place.j + 1} of reference {place.k + 1}{row}"


class Layout(NamedTuple):
    """One size of cells, references in a row, and whether the grids of A and of B stand side by side."""

    cell: int
    columns: int
    beside: bool


GAP, BESIDE = 24, 14  # pixels between grids side by side, and of their cells at least


def layout(a_words: Words, b_words: Words, labels: Words, references: Sequence[Words], width: int) -> Layout:
    """One size of cells for the grids of A, of B and of their difference, whose row labels are `labels`.

    A and B stand side by side in `width` pixels where cells of BESIDE pixels or more have room, if need be with the
    references one below the other; else each grid is as broad as the page.
    """
    rows, columns, room_for = tuple(labels), tuple(map(tuple, references)), (*a_words, *b_words)  # fits are remembered
    longest = max(range(len(columns)), key=lambda k: len(columns[k]))
    for shown in (range(len(columns)), (longest,)):  # joined, or one below the other
        half = picture.fit(rows, columns, shown, (width - GAP) // 2, room_for)
        if half.cell >= BESIDE:
            return Layout(*half, True)
    return Layout(*picture.fit(rows, columns, range(len(columns)), width, room_for), False)


DETAIL = 40  # words a side of a window


def window(found: Difference, references: Sequence[Words], at: Place | None = None) -> Window:
    """The part of a long difference around a cell: by default the first that changed, or else the first used."""
    changed = [*found.gained, *found.lost, *(place for pair in found.moved for place in pair)]
    row, k, j = at or min(changed or found.kept, default=Place(0, 0, 0))
    n, m = len(found.rows), len(references[k])
    first, left = (max(0, min(middle - DETAIL // 2, count - DETAIL)) for middle, count in ((row, n), (j, m)))
    return Window(k, first, left, min(DETAIL, n), min(DETAIL, m))


def windows(rows: Sequence[Row], part: Window) -> tuple[Window, Window]:
    """The parts of A's and of B's grid that a window of the difference shows; one of no rows where it has no words."""

    def of(words_before: Iterable[int | None], words_inside: Iterable[int | None]) -> Window:
        before, inside = (sum(at is not None for at in each) for each in (words_before, words_inside))
        return part._replace(i=before, rows=inside)

    before, inside = rows[: part.i], rows[part.i : part.i + part.rows]
    return of([r.a for r in before], [r.a for r in inside]), of([r.b for r in before], [r.b for r in inside])


# ---------------------------------------------------------------- words

Class: TypeAlias = Literal["confirmed", "improving", "worsening"]
CLASSES: tuple[Class, ...] = ("confirmed", "improving", "worsening")
_STYLES = {"confirmed": "", "improving": "im", "worsening": "wo"}  # classes in style.css
ELSEWHERE = "↔"


class _Standing(NamedTuple):
    """What became of a word: its class, the sign beside it, and whether it is matched in its own output."""

    class_: Class
    sign: str = ""
    matched: bool = True


class _Words(NamedTuple):
    """What became of the words, by row: A's, B's, and where a word of another row of B is matched for one of A."""

    a: dict[int, _Standing]
    b: dict[int, _Standing]
    partners: dict[int, int]


def _standings(found: Difference, a_forms: Words, b_forms: Words) -> _Words:
    """What became of the words, given as they are compared. Words of no class are left out.

    A word that is matched in A has its partner in its own row, else where its match moved to, else in the next word of
    the same form that is matched in B and has no partner yet.
    """
    kept = {place.row for place in found.kept}
    ours = kept | {place.row for place in [*found.lost, *(old for old, _ in found.moved)]}
    theirs = kept | {place.row for place in [*found.gained, *(new for _, new in found.moved)]}
    stay = _Standing("confirmed", ELSEWHERE)
    a, b = ({n: _Standing("confirmed") if n in kept else stay for n in ours & theirs} for _ in range(2))
    partners: dict[int, int] = {}

    def pair(one: int, other: int) -> None:
        if one not in a and other not in b:
            a[one] = b[other] = stay
            partners[one] = other

    for old, new in found.moved:
        pair(old.row, new.row)
    waiting: dict[str, list[int]] = {}
    for number in sorted(theirs - b.keys(), reverse=True):
        waiting.setdefault(_form(number, 1, found, b_forms), []).append(number)
    for number in sorted(ours - a.keys()):
        if same := waiting.get(_form(number, 0, found, a_forms)):
            pair(number, same.pop())
    a |= {number: _Standing("worsening", "✕") for number in ours - a.keys()}
    b |= {number: _Standing("improving", "▲") for number in theirs - b.keys()}
    # A word of B that is matched nowhere: not if it only stands elsewhere than in A, where it was matched nowhere too.
    idle = Counter([a_forms[r.a] for n, r in enumerate(found.rows) if r.a is not None and r.b is None and n not in a])
    for number, row in enumerate(found.rows):
        if row.b is None or number in b:
            continue
        if row.a is None and idle[b_forms[row.b]]:
            idle[b_forms[row.b]] -= 1
        elif row.a is None or (number in a and a[number].class_ == "worsening"):
            b[number] = _Standing("worsening", "✕", False)
    return _Words(a, b, partners)


def _form(number: int, side: int, found: Difference, forms: Words) -> str:
    at = found.rows[number][side]
    assert at is not None, "a cell lies in the row of a word"
    return forms[at]


def strips(
    a_words: Words,
    b_words: Words,
    a: Result,
    b: Result,
    found: Difference,
    show: Collection[str] = CLASSES,
    names: Names = A_AND_B,
    chosen: Collection[Place] | None = None,
    part: Window | None = None,
) -> str:
    """A's and B's words as HTML, in the classes of `show`; all others are plain.

    Confirmed: matched in both, with ↔ where none of the word's cells is the same. Improving: matched in B only.
    Worsening: matched in A only, or new in B and matched nowhere, which is underlined only. The line under a word says
    whether it is equal to its partner, as in `words.strips`. Words have the names of `names_of`, and with them those of
    their partners: the word of the row in the other output, and the word that is matched there for it. `chosen` are the
    cells of the chosen step. Of a long text only the rows of `part` are shown.
    """
    standing = _standings(found, a.segment.candidate, b.segment.candidate)
    inside = range(part.i, part.i + part.rows) if part else range(len(found.rows))
    sides = [
        _Side("a", a_words, standing.a, _relations(a), _lit_rows(found, chosen or ())[0]),
        _Side("b", b_words, standing.b, _relations(b), _lit_rows(found, chosen or ())[1]),
    ]
    partners = _partners(found, standing.partners)
    lines = []
    for number, side in enumerate(sides):
        own = [(row, at) for row in inside if (at := found.rows[row][number]) is not None]
        shown = [_word(side, row, at, show, partners.get(f"{side.name}{at}", ())) for row, at in own]
        # Spaces between the elements, so that what is copied has them too.
        lines.append(_line(names[number], " ".join(shown) or _EMPTY, [side.words[at] for _, at in own]))
    total = sum(row is not None for number in inside for row in found.rows[number])
    return _box(lines, total, any(side.lit for side in sides))


class _Side(NamedTuple):
    """One output of a strip: what becomes of its words by row, how they are matched, and the rows of a chosen step."""

    name: str
    words: Words
    standing: Mapping[int, _Standing]
    relations: Mapping[int, Relation]
    lit: Collection[int]


def _word(side: _Side, row: int, at: int, show: Collection[str], partners: Sequence[str]) -> str:
    classes, sign = ["tk"], ""
    about = side.standing.get(row)
    if about and about.class_ in show:
        looks = theme.word_classes(side.relations.get(at, "equal")) if about.matched else ("ul",)
        classes += [*looks, *_STYLES[about.class_].split()]
        sign = f"<sup>{about.sign}</sup>" if about.sign else ""
    if row in side.lit:
        classes.append("chosen")
    along = f' data-with="{" ".join(partners)}"' if partners else ""
    text = theme.safe(side.words[at], 60)
    return f'<span class="{" ".join(classes)}" data-word="{side.name}{at}"{along}><bdi>{text}</bdi>{sign}</span>'


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


_EMPTY = '<span class="no">no words</span>'


def _line(name: str, shown: str, sentence: Words) -> str:
    direction = theme.direction(sentence[:40])
    return (
        f'<div class="ln"><div class="lb"><b><bdi>{theme.safe(name)}</bdi></b></div>'
        f'<div class="ws" dir="{direction}">{shown}</div></div>'
    )


def _box(lines: Iterable[str], total: int, picked: bool = False) -> str:
    size = (" sm" if total > 90 else "") + (" tall" if total > 260 else "") + (" picked" if picked else "")
    return f'<div class="bx ab{size}">{"".join(lines)}</div>'


def _relations(result: Result) -> Mapping[int, Relation]:
    """How each matched word goes together with its partner."""
    return {
        cell.i: use.relation
        for cell, use in sorted(marks.uses(result).items(), reverse=True)
        if use.relation != "different"
    }


def _lit_rows(found: Difference, chosen: Iterable[Place]) -> tuple[set[int], set[int]]:
    """The rows whose words of A and of B a chosen step is about."""
    gone = {*found.lost, *(old for old, _ in found.moved)}
    come = {*found.gained, *(new for _, new in found.moved)}
    return {p.row for p in chosen if p not in come}, {p.row for p in chosen if p not in gone}


def strip_legend(show: Collection[str] = CLASSES) -> str:
    """The legend of `strips` for the classes shown."""
    says = {
        "confirmed": f"confirmed ({ELSEWHERE} matched elsewhere)",
        "improving": "improving ▲",
        "worsening": "worsening ✕ (underlined only: matches nothing)",
    }
    colours = {"confirmed": theme.BLUE, "improving": theme.GREEN, "worsening": theme.MAUVE}
    return words.swatches(
        [
            (f"background:{theme.rgba(colours[name], 0.2)};border-bottom:2px solid {colours[name]}", says[name])
            for name in CLASSES
            if name in show
        ]
    )


def diff_strip(a_words: Words, b_words: Words, rows: Sequence[Row], part: Window | None = None) -> str:
    """The word diff as one line of HTML: A's words struck out, B's underlined with +, words of both plain."""
    shown, sentence = [], []
    for a, b in rows[part.i : part.i + part.rows] if part else rows:
        word = b_words[b] if b is not None else a_words[a or 0]
        sentence.append(word)
        text = f"<bdi>{theme.safe(word, 60)}</bdi>"
        if a is None:
            shown.append(f"<ins>+{text}</ins>")
        elif b is None:
            shown.append(f"<del>{text}</del>")
        else:
            shown.append(f"<span>{text}</span>")
    return _box([_line("Diff", f'<div class="df">{" ".join(shown) or _EMPTY}</div>', sentence)], len(shown))


def diff_legend(names: Names = A_AND_B) -> str:
    """The legend of `diff_strip`."""
    a, b = (theme.safe(name) for name in names)
    return (
        f'<div class="lg df"><span><del>word</del> only in <bdi>{a}</bdi></span>'
        f"<span><ins>+word</ins> only in <bdi>{b}</bdi></span></div>"
    )


# ---------------------------------------------------------------- the steps of the score

STEPS_MOST = 12  # rows of steps; the smallest of more are taken together
_FONT = 13  # pixels
_LETTER = _FONT * theme.LETTER
_NOTHING = 1e-12  # a span of scores below which there is nothing to see


class _Step(NamedTuple):
    """A row of the waterfall: the number of its change, −1 for several; what it is called, from what to what."""

    number: int
    name: str
    values: str
    share: float


def waterfall(
    changes: Sequence[Change],
    a_score: float,
    b_score: float,
    names: Names = A_AND_B,
    higher_is_better: bool = True,
    chosen: int | None = None,
    room: int = 640,
) -> Figure:
    """The steps from A's score to B's as bars that start where the one before ends.

    A and B are ticks, not bars, because the axis does not start at zero. A step for the better is green and one for the
    worse mauve; where lower is better its label says which. Of more than STEPS_MOST steps the smallest are one row. A
    step is clicked anywhere in its row (`clicked_step`). `chosen` is the number of a step in `changes`, framed in
    vermilion while the others step back; `room` is the figure's width in pixels.
    """
    steps = _steps(changes)
    ends = [a_score]
    for step in steps:
        ends.append(ends[-1] + step.share)
    says = [_share_text(step.share, higher_is_better) for step in steps]
    right = int(max([theme.breadth(text) for text in says] + [6]) * _LETTER) + 16
    labels, left, two_lines = _step_labels(steps, names, int(room * 0.46))
    axis = _Axis(*_scale((*ends, b_score)), max(80, room - left - right), 40 if two_lines else 28)
    picked = [n for n, step in enumerate(steps) if chosen is not None and step.number == chosen]
    if chosen is not None and not picked and 0 <= chosen < len(changes):
        picked = [len(steps) - 1]  # it is among those taken together
    data = [
        _lines([((e, n), (e, n + 1)) for n, e in enumerate(ends)], theme.GREY, 1),
        *_drawn_steps(steps, ends, higher_is_better, picked, axis.pixel),
        *_scores(a_score, b_score, ends, says),
        *_targets(steps, says, ends, axis),
    ]
    return {"data": data, "layout": _figure_layout(axis, labels, left, right)}


class _Axis(NamedTuple):
    """The axis of scores: its ends, its pixels across, and the height of a row in pixels."""

    low: float
    high: float
    across: int
    row: int

    @property
    def pixel(self) -> float:
        """The score that one pixel stands for."""
        return (self.high - self.low) / self.across


def _scale(scores: Collection[float]) -> tuple[float, float]:
    """The ends of an axis that has room for all scores, and some beside them."""
    low, high = min(scores), max(scores)
    span = high - low
    pad = span * 0.05 if span > _NOTHING else max(abs(low) * 0.02, 0.005)
    return low - pad, high + pad


def _drawn_steps(
    steps: Sequence[_Step], ends: Sequence[float], higher_is_better: bool, picked: Collection[int], pixel: float
) -> list[dict[str, Any]]:
    """The bars of the steps, and a frame around the chosen one."""
    out = []
    for colour, dimmed, members in _bars(steps, higher_is_better, picked):
        boxes = [_box_of(n, ends[n], ends[n + 1], pixel) for n in members]
        look = {"fill": "toself", "fillcolor": colour, "opacity": 0.28 if dimmed else 1.0, "name": "steps"}
        out.append(_lines(boxes, colour, 0) | look)
    if picked:
        boxes = [_box_of(n, ends[n], ends[n + 1], pixel) for n in picked]
        out.append(_lines(boxes, theme.VERMILION, 2.5) | {"name": "chosen"})
    return out


def _scores(a_score: float, b_score: float, ends: Sequence[float], says: Sequence[str]) -> list[dict[str, Any]]:
    """The ticks of A's and B's scores, and what stands beside each row."""
    last = len(ends)
    ticks = [((score, n - 0.32), (score, n + 0.32)) for score, n in ((a_score, 0), (b_score, last))]
    texts = (theme.score_text(a_score), *says, theme.score_text(b_score))
    return [
        _lines(ticks, theme.BLUE, 4) | {"name": "scores"},
        {
            "type": "scatter",
            "mode": "text",
            "name": "shares",
            "x": [a_score, *[max(ends[n : n + 2]) for n in range(last - 1)], b_score],
            "y": list(range(last + 1)),
            "text": [f"\u00a0\u00a0{text}" for text in texts],
            "textposition": "middle right",
            "textfont": {"size": _FONT},
            "hoverinfo": "skip",
            "cliponaxis": False,
        },
    ]


def _figure_layout(axis: _Axis, labels: Sequence[str], left: int, right: int) -> dict[str, Any]:
    """Where the rows and their `labels` stand, with so many pixels at the left and at the right of the bars."""
    values, texts = _ticks(axis.low, axis.high, axis.across)
    foot, plain = 30, {"zeroline": False, "fixedrange": True, "automargin": False, "ticks": ""}
    scores = {
        "range": [axis.low, axis.high],
        "tickvals": values,
        "ticktext": texts,
        "showgrid": True,
        "gridcolor": theme.FAINT,
        "tickfont": {"size": 12},
    }
    rows = {
        "range": [len(labels) - 0.5, -0.5],
        "tickvals": list(range(len(labels))),
        "ticktext": labels,
        "showgrid": False,
        "tickfont": {"size": _FONT},
    }
    return {
        "autosize": False,
        "width": left + axis.across + right,
        "height": axis.row * len(labels) + foot + 6,
        "margin": {"l": left, "r": right, "t": 6, "b": foot, "autoexpand": False},
        "hovermode": "closest",
        "hoverdistance": axis.row // 2,
        "dragmode": False,
        "showlegend": False,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "clickmode": "event+select",
        "xaxis": plain | scores,
        "yaxis": plain | rows,
    }


def _steps(changes: Sequence[Change]) -> list[_Step]:
    """The changes in their order; of too many the smallest stand together at the end."""
    order = sorted(range(len(changes)), key=lambda n: -abs(changes[n].share))
    own = sorted(order[: STEPS_MOST if len(changes) <= STEPS_MOST else STEPS_MOST - 1])
    out = [_Step(n, changes[n].name, from_to(changes[n]), changes[n].share) for n in own]
    rest = [changes[n].share for n in range(len(changes)) if n not in own]
    return [*out, _Step(-1, f"{len(rest)} more", "", math.fsum(rest))] if rest else out


def from_to(change: Change) -> str:
    """Both values with as many decimals as it takes to tell them apart."""
    for digits in (2, 3, 4, 6):
        before, after = formula.shown(change.before, digits), formula.shown(change.after, digits)
        if before != after or change.before == change.after:
            break
    return f"{before} to {after}"


def _share_text(share: float, higher_is_better: bool) -> str:
    if higher_is_better or not share:
        return theme.signed(share)
    return f"{theme.signed(share)} {'worse' if share > 0 else 'better'}"


def _step_labels(steps: Sequence[_Step], names: Names, most: int) -> tuple[list[str], int, bool]:
    """What stands at the left of each row, its width in pixels, and whether it takes two lines, as on phones."""
    letters = int((most - 12) / _LETTER)
    whole = [f"{step.name} {step.values}".rstrip() for step in steps]
    two_lines = any(theme.breadth(text) > letters for text in whole)
    lines = [[step.name, step.values] for step in steps] if two_lines else [[text] for text in whole]
    cut = [[theme.visible(line, letters) for line in each if line] for each in [names[:1], *lines, names[1:]]]
    left = int(max(theme.breadth(line) for each in cut for line in each) * _LETTER) + 12
    return ["<br>".join([theme.safe(line, letters) for line in each]) for each in cut], left, two_lines


def _bars(
    steps: Sequence[_Step], higher_is_better: bool, picked: Collection[int]
) -> Iterator[tuple[str, bool, list[int]]]:
    """The rows of each colour, those that step back apart."""
    groups: dict[tuple[str, bool], list[int]] = {}
    for n, step in enumerate(steps):
        better = (step.share > 0) == higher_is_better
        colour = theme.GREY if not step.share else theme.GREEN if better else theme.MAUVE
        groups.setdefault((colour, bool(picked) and n not in picked), []).append(n)
    for (colour, dimmed), members in groups.items():
        yield colour, dimmed, members


_Path: TypeAlias = Sequence[tuple[float, float]]


def _box_of(n: int, start: float, end: float, pixel: float) -> _Path:
    """The bar of step n, at least two pixels long."""
    short = max(0.0, 2 * pixel - abs(end - start)) / 2
    left, right, top, bottom = min(start, end) - short, max(start, end) + short, n + 0.7, n + 1.3
    return [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]


def _lines(paths: Iterable[_Path], colour: str, width: float) -> dict[str, Any]:
    """Paths of (score, row) as one trace, None between them."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for path in paths:
        xs += [*(x for x, _ in path), None]
        ys += [*(y for _, y in path), None]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": xs,
        "y": ys,
        "line": {"color": colour, "width": width},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def _targets(steps: Sequence[_Step], says: Sequence[str], ends: Sequence[float], axis: _Axis) -> list[dict[str, Any]]:
    """Clear markers along each row of a step, because bars cannot be selected reliably."""
    if not steps:
        return []
    size = axis.row - 4
    each = max(2, math.ceil(axis.across / size))
    xs = [axis.low + (axis.high - axis.low) * (n + 0.5) / each for n in range(each)]
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "name": "targets",
            "x": xs * len(steps),
            "y": [n + 1 for n in range(len(steps)) for _ in xs],
            "marker": {"symbol": "square", "size": size, "color": "rgba(0,0,0,0)", "line": {"width": 0}},
            "selected": {"marker": {"opacity": 1}},
            "unselected": {"marker": {"opacity": 1}},
            "customdata": [
                [step.number, theme.safe(step.name, 60), step.values, says[n], theme.score_text(ends[n + 1])]
                for n, step in enumerate(steps)
                for _ in xs
            ],
            "hovertemplate": "<b>%{customdata[1]}</b> %{customdata[2]}<br>%{customdata[3]}, which makes "
            "%{customdata[4]}<extra></extra>",
        }
    ]


def clicked_step(point: Mapping[str, Any]) -> int | None:
    """The number in `changes` of the step under a selected point of `waterfall`; None for those taken together."""
    data = point.get("customdata")
    if not isinstance(data, list | tuple) or len(data) != 5 or not isinstance(data[0], int | float) or data[0] < 0:
        return None
    return int(data[0])


def _ticks(low: float, high: float, across: int) -> tuple[list[float], list[str]]:
    """Round numbers on the axis of scores, at most five, and fewer where their texts need the room."""
    for most in (5, 4, 3, 2, 1):
        rough = (high - low) / most
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.999)
        digits = max(2, -math.floor(math.log10(step) + 1e-9) + (step / power == 2.5))
        first, last = math.ceil(low / step), math.floor(high / step)
        values = [n * step for n in range(first, last + 1)]
        texts = [f"{value:.{digits}f}".replace("-", "−") for value in values]
        if sum([len(text) * 7 + 16 for text in texts]) <= across:
            break
    return values, texts
