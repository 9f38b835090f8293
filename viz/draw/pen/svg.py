"""A result's grids as SVG. Words are written by `theme.safe` alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

import metrics
from metrics.types import Hit, Result

from . import grid, theme, typeset
from .layout import TICK, Box, Label, grid_lines
from .legend import Key
from .marks import ResultMarks
from .picture import CAPTION, Picture, caption_lines, groups_of, numbers_of, placed_key
from .placed_shapes import Ink, PlacedShape, px
from .short_texts import remembered
from .typeset import Set

#: Pixels that a style sheet leaves a cell at least.
SMALLEST = 9


def captioned(picture: Picture, over: Sequence[str] = (), formula: Set | None = None) -> str:
    """A picture as a document of its own, with its title and its signature under it, and between them a formula where
    there is one; `over` are elements on top of its shapes.

    Every shape is one element whose class names its kind, its role and its cell (`x3_0_4`). What stands for a cell has
    `data-cell="3,0,4"`, what stands for one term `data-term="LAYER:NUMBER"`, and words have `data-word="c3"` or
    `data-word="r0_4"`.
    """
    drawn, y = body(picture, over)
    caption = caption_lines(picture)
    for n, (kind, line) in enumerate(caption):
        y += CAPTION + 4
        drawn.append(
            f'<text class="{kind}" x="8" y="{px(y)}" fill="{theme.INK}" fill-opacity=".75" '
            f'font-family="ui-monospace, monospace" font-size="{CAPTION}">{theme.safe(line, 2_000)}</text>'
        )
        if formula and kind == "score" and caption[n + 1][0] != kind:
            drawn.append(f'<g transform="translate(8 {px(y + 10)})">{typeset.svg(formula.pieces)}</g>')
            y += formula.down + 14
    return document(picture, drawn, y + 8)


def inline(picture: Picture, over: Sequence[str] = ()) -> str:
    """A picture as a part of a page, which writes the legend itself; its title is read aloud and not seen. `over` are
    elements on top of its shapes."""
    drawn, _ = body(picture, over, key=False, cut=bool(picture.window))
    size = f'width="{px(picture.width)}" height="{px(picture.height)}"'
    box = f'viewBox="0 0 {px(picture.width)} {px(picture.height)}"'
    name = f' aria-label="{theme.safe(picture.title, 200)}"' if picture.title else ""
    return f'<svg {size} {box} role="img"{name} style="{_smallest_size(picture)}">{"".join(drawn)}</svg>'


def _smallest_size(picture: Picture) -> str:
    """The size below which a style sheet makes a grid no smaller, as CSS: that with cells of `SMALLEST` pixels."""
    part = min(1.0, SMALLEST / picture.cell)
    wide, high = math.ceil(picture.width * part), math.ceil(picture.height * part)
    return f"--least-wide: {wide}px; --least-high: {high}px"


def layer(ink: Ink, says: str = "", opacity: float = 1) -> str:
    """A place for shapes of one look, which a script puts there (`element`)."""
    faint = f' opacity="{px(opacity)}"' if opacity < 1 else ""
    return f'<g class="pool"{faint}{_ink(ink)}' + (f' data-says="{escape(says)}"' if says else "") + "></g>"


def element(drawn: PlacedShape) -> str:
    """A shape as an element, whose colours are those of the group in which it stands."""
    return _shape(drawn)


def legend(picture: Picture) -> str:
    """What the shapes of a picture mean, as HTML with a sample of each."""
    return key_html(picture.key)


def key_html(keys: Iterable[Key]) -> str:
    """Entries of a legend as HTML; "" where there are none."""
    entries = "".join(f"<span>{key_inside(key)}</span>" for key in keys)
    return f'<div class="lg">{entries}</div>' if entries else ""


def key_inside(key: Key) -> str:
    """What an entry of a legend holds: a sample and what it means."""
    sample = "".join([f"<g{_ink(ink)}>{_shape(shape)}</g>" for ink, shape in key.sample_layers()])
    return (
        f'<svg width="13" height="13" viewBox="-1 -1 14 14">{sample}</svg>'
        f'<span class="{key.word.removeprefix("u ")}">{escape(key.text)}</span>'
    )


def document(picture: Picture, body: Sequence[str], height: float) -> str:
    size = f'width="{px(picture.width)}" height="{px(height)}"'
    # Colours are attributes, which a page's style sheet overrides; every program that reads SVG knows them.
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {px(picture.width)} {px(height)}" '
            "font-family=\"system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif\" role=\"img\">",
            f"<title>{theme.safe(picture.title, 200)}</title>",
            f"<desc>{theme.safe(picture.signature, 2_000)}</desc>",
            f'<rect class="paper" {size} fill="{theme.PAPER}"/>',
            *body,
            "</svg>\n",
        ]
    )


def body(picture: Picture, over: Sequence[str] = (), key: bool = True, cut: bool = False) -> tuple[list[str], float]:
    """Grid, shapes, words and legend as elements, with `over` on top of the shapes; and where they end.

    `key` false leaves the legend out. With `cut` shapes end where the cells of the first box do.
    """
    out: list[str] = []
    for box in picture.boxes:
        out += [_fold(box, picture.cell, at) for at in _folded_at(picture.folds)]
        lines = "".join(
            f"M{px(a)} {px(b)}" + (f"H{px(c)}" if b == d else f"V{px(d)}")
            for a, b, c, d in grid_lines(box, picture.cell)
        )
        place = f'{_panel(picture, box)} d="{lines}"'
        out.append(f'<path class="grid" {place} stroke="{theme.LINES}" stroke-opacity=".28" fill="none"/>')
        if picture.joined and box is not picture.boxes[0]:
            x, above = box.x - (box.border + 0.5) * picture.cell, box.border * picture.cell
            line = f"M{px(x)} {px(box.y - above)}v{px(box.rows * picture.cell + above)}"
            out.append(
                f'<path class="barrier" d="{line}" stroke="{theme.LINES}" stroke-opacity=".7" stroke-width="2"/>'
            )
    if cut:
        # An inner document ends where its frame does, and needs no name as a clipping path would.
        box, cell = picture.boxes[0], picture.cell
        left_margin, above, right, below = picture.beyond
        corner = f"{px(box.x - left_margin)} {px(box.y - above)}"
        wide, high = px(box.columns * cell + left_margin + right), px(box.rows * cell + above + below)
        place = f'x="{px(box.x - left_margin)}" y="{px(box.y - above)}" width="{wide}" height="{high}"'
        out.append(f'<svg {place} viewBox="{corner} {wide} {high}">')
    out.append("<g>")
    for group in picture.groups:
        says = f' data-says="{theme.safe(group.says, 2_000)}"' if group.says else ""
        out.append(f"<g{_opacity(group.opacity)}{_ink(group.ink)}{says}>")
        out += [_shape(d) for d in group.members]
        out.append("</g>")
    out += [*over, "</g>", *(["</svg>"] if cut else [])]
    out.append(f'<g class="words" font-size="{picture.font or TICK}" fill="{theme.INK}">')
    out += [_label(label, picture.font or TICK) for label in picture.labels]
    out.append(f'</g><g class="numbers" font-size="{TICK}" fill="{theme.INK}" fill-opacity=".65">')
    out += [_label(label, TICK) for label in numbers_of(picture)]
    out.append("</g>")
    out.append(f'<g class="words" font-size="13" fill="{theme.INK}">')
    out += [_label(label, 13) for label in picture.headings]
    placed, y = placed_key(picture, picture.height) if key else ([], picture.height)
    out.append(f'</g><g class="words" font-size="12" fill="{theme.INK}">')
    for entry, x, top in placed:
        sample = "".join([f"<g{_ink(ink)}>{_shape(shape)}</g>" for ink, shape in entry.sample_layers()])
        out.append(
            f'<g transform="translate({px(x)} {px(top)})">{sample}<text x="18" y="10.5">{escape(entry.text)}</text></g>'
        )
    out.append("</g>")
    return out, y


# ---------------------------------------------------------------- many small grids

LARGEST, LEAST, HIGHEST = 14, 3, 300  # pixels: cells, and the height that a small grid should not pass


def small(
    result: Result,
    counts: Mapping[Hit, int],
    total: int,
    unused: Iterable[Hit] = (),
    room: int = 280,
    high: int = 0,
) -> str:
    """A result's grids without words, `room` pixels across, as SVG for a page.

    Under the result's own marks each cell is tinted by how many of `total` results use it, as `counts` has it;
    `unused` are the hits of the grid. Cells have at least 3 pixels, so a long sentence needs more room: the image
    shrinks with its container. Grids of the same references have equal cells where `high` is the most candidate words
    of any of them.
    """
    marks = ResultMarks.from_result(result)
    # The signs of edits lie on the edges of the grids.
    signs = theme.LOOKS["extra", "plus"].size if marks.gaps else 0
    cell, boxes, width, height = _small_layout(result, room - math.ceil(2 * signs * LARGEST), high)
    tints: dict[int, list[str]] = {}
    for (i, k, j), count in counts.items():
        where = f"M{px(boxes[k].x + j * cell)} {px(boxes[k].y + i * cell)}"
        tints.setdefault(theme.tint(count, total), []).append(f"{where}h{cell}v{cell}h-{cell}z")
    own_shapes = [s for s in marks.shapes(unused if cell >= 6 else ()) if s.kind != "digit" or cell >= 11]
    used = theme.count_text(len(marks.covered), "cell")
    name = escape(f"{metrics.METRICS[result.metric].label} uses {used}")
    edge = math.ceil(signs * cell)
    across, down = width + 2 * edge, height + 2 * edge
    size = f'width="{across}" height="{down}" viewBox="{-edge} {-edge} {across} {down}"'
    out = [f'<svg class="small" {size} role="img" aria-label="{name}"><title>{name}</title>']
    for box in boxes:
        lines = grid_lines(box, cell) if cell >= 6 else _frame(box, cell)
        d = "".join(_path(((a, b), (c, d)), False) for a, b, c, d in lines)
        out.append(f'<path d="{d}" stroke="{theme.LINES}" stroke-opacity=".28" fill="none"/>')
    for level, squares in sorted(tints.items()):
        # Pale, so that the metric's own marks are seen over it.
        alpha = 0.5 * theme.tint_alpha(level, theme.LEVELS)
        out.append(f'<path fill="{theme.BLUE}" fill-opacity="{px(alpha)}" d="{"".join(squares)}"/>')
    for group in groups_of(own_shapes, boxes, cell):
        if group.members[0].kind == "digit":
            out += [f"<g{_ink(group.ink)}>", *[_shape(d) for d in group.members], "</g>"]
        else:
            d = "".join(_outline(drawn) for drawn in group.members)
            out.append(f'<path{_ink(group.ink)} d="{d}"/>')
    return "".join([*out, "</svg>"])


def _small_layout(result: Result, room: int, most: int) -> tuple[int, list[Box], int, int]:
    """The size of a cell, as large as fits with as many references in a row as that takes; boxes, width and height."""
    candidate, references = result.segment
    n, lengths = max(len(candidate), 1), [max(len(r), 1) for r in references]
    options: list[tuple[float, list[list[int]]]] = []  # from one reference in a row to all
    for a_row in range(1, len(lengths) + 1):
        rows = [lengths[at : at + a_row] for at in range(0, len(lengths), a_row)]
        columns, high = max(sum(row) + len(row) - 1 for row in rows), len(rows) * (max(n, most) + 1) - 1
        options.append((min(LARGEST, room / columns, HIGHEST / high), rows))
    best = max(size for size, _ in options)
    size, rows = next(option for option in reversed(options) if option[0] >= 0.7 * best)
    cell = max(LEAST, int(size))
    boxes: list[Box] = []
    for at, row in enumerate(rows):
        x = 1
        for length in row:
            boxes.append(Box(len(boxes), x, 1 + at * (n + 1) * cell, n, length))
            x += (length + 1) * cell
    width = int(max(box.x + box.columns * cell for box in boxes)) + 1
    return cell, boxes, width, int(boxes[-1].y + n * cell) + 1


def _frame(box: Box, cell: int) -> list[tuple[float, float, float, float]]:
    """The border of a panel whose cells are too small for lines between them."""
    x, y, right, bottom = box.x, box.y, box.x + box.columns * cell, box.y + box.rows * cell
    return [(x, y, right, y), (right, y, right, bottom), (right, bottom, x, bottom), (x, bottom, x, y)]


def _outline(drawn: PlacedShape) -> str:
    """A shape as a piece of a path, so that all shapes of one look are one element."""
    if len(drawn.points) > 1:
        return _path(drawn.points, drawn.kind != "line")
    ((x, y),), r = drawn.points, drawn.size
    return f"M{px(x - r)} {px(y)}a{px(r)} {px(r)} 0 1 0 {px(2 * r)} 0a{px(r)} {px(r)} 0 1 0 {px(-2 * r)} 0z"


def _panel(picture: Picture, box: Box) -> str:
    """What a script needs to know of a panel to tell which cell is under the pointer."""
    k, i, j = picture.window[:3] if picture.window else (box.k, 0, 0)
    numbers = {"k": k, "i": i, "j": j, "rows": box.rows, "columns": box.columns}
    lengths = {"x": box.x, "y": box.y, "size": picture.cell}
    side = f'data-side="{picture.side}" ' if picture.side else ""
    if picture.folds:
        side += f'data-folds="{" ".join([f"{start}-{end}" for start, end in picture.folds])}" '
    side += f'data-border="{box.border}" ' if box.border else ""
    return side + " ".join(f'data-{name}="{px(value)}"' for name, value in {**numbers, **lengths}.items())


def _folded_at(folds: Sequence[tuple[int, int]]) -> list[int]:
    """The rows, as they are drawn, that stand for several."""
    out, less = [], 0
    for start, end in folds:
        out.append(start - less)
        less += end - start - 1
    return out


def _fold(box: Box, cell: int, row: int) -> str:
    corner = f'x="{px(box.x)}" y="{px(box.y + row * cell)}"'
    size = f'width="{px(box.columns * cell)}" height="{cell}"'
    return f'<rect class="fold" {corner} {size} fill="{theme.LINES}" fill-opacity=".12"/>'


def _path(points: Iterable[tuple[float, float]], closed: bool) -> str:
    return "M" + "L".join(f"{px(x)} {px(y)}" for x, y in points) + ("z" if closed else "")


def _ink(ink: Ink) -> str:
    fill = f' fill="{ink.colour}"' if ink.fill else ' fill="none"'
    if 0 < ink.fill < 1:
        fill += f' fill-opacity="{px(ink.fill)}"'
    line = f' stroke="{ink.colour}" stroke-width="{px(ink.line)}" stroke-linejoin="round"' if ink.line else ""
    line += f' stroke-opacity="{px(ink.strength)}"' if ink.strength < 1 else ""
    line += ' stroke-dasharray="5 3"' if ink.dashed else ""
    line += f' stroke-dasharray=".1 {px(ink.gap)}" stroke-linecap="round"' if ink.dotted else ""
    return fill + line


def _opacity(opacity: float) -> str:
    return f' class="dim" opacity="{px(opacity)}"' if opacity < 1 else ""


def _shape(drawn: PlacedShape) -> str:
    x, y = drawn.points[0]
    hooks = _hooks(drawn)
    if drawn.kind == "curve":
        start, *others = [f"{px(a)} {px(b)}" for a, b in drawn.points]
        return f'<path {hooks} d="M{start}C{" ".join(others)}"/>'
    if len(drawn.points) > 1:
        tag = "polyline" if drawn.kind == "line" else "polygon"
        points = " ".join(f"{px(a)},{px(b)}" for a, b in drawn.points)
        return f'<{tag} {hooks} points="{points}"/>'
    if drawn.kind == "digit":
        where = f'x="{px(x)}" y="{px(y + drawn.size * 0.35)}" text-anchor="middle"'
        return f'<text {hooks} {where} font-size="{px(drawn.size)}">{drawn.text}</text>'
    circle = f'cx="{px(x)}" cy="{px(y)}" r="{px(drawn.size)}"'
    if drawn.sign:
        return f'<g {hooks}><circle {circle}/><path fill="{theme.PAPER}" d="{_path(drawn.sign, True)}"/></g>'
    return f"<circle {hooks} {circle}/>"


def _hooks(drawn: PlacedShape) -> str:
    """The attributes by which a style sheet and a script know a shape: classes, and what it stands for."""
    out = f'class="{drawn.name}"'
    if drawn.lead:
        out += f' data-term="{drawn.lead}"'
    elif drawn.term:
        layer, t = drawn.term
        out += f' data-term="{layer}:{t}"'
    if drawn.cell:
        i, k, j = drawn.cell
        out += f' data-cell="{drawn.side}{i},{k},{j}"'
    if drawn.words:
        out += f' data-words="{drawn.words}"'
    if drawn.says:
        out += f' data-says="{theme.safe(drawn.says, 2_000)}"'
    return out


#: Where a label's text is held, by its side: named from where reading starts, so it changes with the direction.
_ANCHORS = {
    False: {"left": "start", "right": "end", "centre": "middle"},
    True: {"left": "end", "right": "start", "centre": "middle"},
}


@remembered(8192)
def _label_text(text: str) -> tuple[str, bool]:
    """A label's text for SVG, and whether it is written from right to left."""
    return theme.safe(text, grid.LABEL), theme.direction([theme.visible(text, grid.LABEL)]) == "rtl"


def _label(label: Label, font: float) -> str:
    text, backwards = _label_text(label.text)
    unseen = " unseen" if label.unseen else ""
    attributes = f' class="{label.word}{unseen}" data-word="{label.word}"' if label.word else ""
    attributes += f' data-with="{label.along}"' if label.along else ""
    attributes += f' text-anchor="{_ANCHORS[backwards][label.side]}"' + (' direction="rtl"' if backwards else "")
    down = font * 0.35  # from the centre to the base line
    if label.turn:
        turned = f"translate({px(label.x)} {px(label.y)})rotate({-label.turn})"
        where = f'transform="{turned}" y="{px(down)}"'
    else:
        where = f'x="{px(label.x)}" y="{px(label.y + down)}"'
    return f"<text{attributes} {where}>{text}</text>"
