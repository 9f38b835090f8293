"""Write the grids of a result as SVG. All words of users pass through `theme.safe`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

import metrics
from metrics.types import Hit, Result

from . import grid, theme, typeset
from .layout import TICK, Box, Label, grid_lines
from .legend import DrawnEntry
from .marks import ResultMarks
from .picture import CAPTION, Picture, caption_lines, groups_of, placed_key, position_labels_of
from .placed_shapes import Ink, PlacedShape, px
from .short_texts import cache_short_texts
from .typeset import TypesetPart

#: The smallest cell, in pixels, to which a style sheet shrinks a grid.
SMALLEST = 9


def svg_file(picture: Picture, over: Sequence[str] = (), formula: TypesetPart | None = None) -> str:
    """Return a picture as a separate document, with its title and signature below it.

    A `formula`, if given, is between the two. `over` are elements on top of the shapes.

    Every shape is one element, whose class names its kind, its role and its cell (`x3_0_4`). A shape that represents a
    cell has `data-cell="3,0,4"`, one that represents a term `data-term="LAYER:NUMBER"`, and a word has `data-word="c3"`
    or `data-word="r0_4"`."""
    drawn, y = picture_elements(picture, over)
    caption = caption_lines(picture)
    for n, (kind, line) in enumerate(caption):
        y += CAPTION + 4
        drawn.append(
            f'<text class="{kind}" x="8" y="{px(y)}" fill="{theme.INK}" fill-opacity=".75" '
            f'font-family="ui-monospace, monospace" font-size="{CAPTION}">{theme.safe(line, 2_000)}</text>'
        )
        if formula and kind == "score" and caption[n + 1][0] != kind:
            drawn.append(f'<g transform="translate(8 {px(y + 10)})">{typeset.pieces_svg(formula.pieces)}</g>')
            y += formula.down + 14
    return document(picture, drawn, y + 8)


def svg_in_page(picture: Picture, over: Sequence[str] = ()) -> str:
    """Return a picture as a part of a page, which writes the legend itself.

    The title is read by screen readers and not visible. `over` are elements on top of the shapes."""
    drawn, _ = picture_elements(picture, over, key=False, cut=bool(picture.window))
    size = f'width="{px(picture.width)}" height="{px(picture.height)}"'
    box = f'viewBox="0 0 {px(picture.width)} {px(picture.height)}"'
    name = f' aria-label="{theme.safe(picture.title, 200)}"' if picture.title else ""
    return f'<svg {size} {box} role="img"{name} style="{_smallest_size(picture)}">{"".join(drawn)}</svg>'


def _smallest_size(picture: Picture) -> str:
    """Return CSS variables for the smallest size of a picture, with cells of `SMALLEST` pixels.

    A style sheet does not shrink the grid below it."""
    part = min(1.0, SMALLEST / picture.cell)
    wide, high = math.ceil(picture.width * part), math.ceil(picture.height * part)
    return f"--least-wide: {wide}px; --least-high: {high}px"


def empty_group(ink: Ink, says: str = "", opacity: float = 1) -> str:
    """Return an empty group for shapes of one look, which a script inserts later; see `shape_element`."""
    faint = f' opacity="{px(opacity)}"' if opacity < 1 else ""
    return f'<g class="pool"{faint}{_ink_attributes(ink)}' + (f' data-says="{escape(says)}"' if says else "") + "></g>"


def shape_element(drawn: PlacedShape) -> str:
    """Return a shape as an element, which has the colours of the group that contains it."""
    return _shape_tag(drawn)


def legend_html(picture: Picture) -> str:
    """Return the legend of a picture as HTML, with a sample for each meaning."""
    return key_html(picture.key)


def key_html(keys: Iterable[DrawnEntry]) -> str:
    """Return entries of a legend as HTML; "" if there are none."""
    entries = "".join(f"<span>{key_inside(key)}</span>" for key in keys)
    return f'<div class="lg">{entries}</div>' if entries else ""


def key_inside(key: DrawnEntry) -> str:
    """Return the HTML inside an entry of a legend: a sample and its meaning."""
    sample = "".join([f"<g{_ink_attributes(ink)}>{_shape_tag(shape)}</g>" for ink, shape in key.sample_layers()])
    return (
        f'<svg width="13" height="13" viewBox="-1 -1 14 14">{sample}</svg>'
        f'<span class="{key.word.removeprefix("u ")}">{escape(key.text)}</span>'
    )


def document(picture: Picture, body: Sequence[str], height: float) -> str:
    """Return elements as an SVG document of the given height, with the picture's title and signature."""
    size = f'width="{px(picture.width)}" height="{px(height)}"'
    # Colours are attributes: every program that reads SVG knows them, and the style sheet of a page overrides them.
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


def picture_elements(
    picture: Picture, over: Sequence[str] = (), key: bool = True, cut: bool = False
) -> tuple[list[str], float]:
    """Return the grid, shapes, words and legend as elements, and the y coordinate where they end.

    `over` are elements on top of the shapes. With `key` False, the legend is left out. With `cut`, shapes are clipped
    at the cells of the first box."""
    out: list[str] = []
    for box in picture.boxes:
        out += [_fold_background(box, picture.cell, at) for at in _folded_rows(picture.folds)]
        lines = "".join(
            f"M{px(a)} {px(b)}" + (f"H{px(c)}" if b == d else f"V{px(d)}")
            for a, b, c, d in grid_lines(box, picture.cell)
        )
        place = f'{_panel_attributes(picture, box)} d="{lines}"'
        out.append(f'<path class="grid" {place} stroke="{theme.LINES}" stroke-opacity=".28" fill="none"/>')
        if picture.joined and box is not picture.boxes[0]:
            x, above = box.x - (box.border + 0.5) * picture.cell, box.border * picture.cell
            line = f"M{px(x)} {px(box.y - above)}v{px(box.rows * picture.cell + above)}"
            out.append(
                f'<path class="barrier" d="{line}" stroke="{theme.LINES}" stroke-opacity=".7" stroke-width="2"/>'
            )
    if cut:
        # An inner document is clipped at its frame, and needs no id, as a clipping path would.
        box, cell = picture.boxes[0], picture.cell
        left_margin, above, right, below = picture.beyond
        corner = f"{px(box.x - left_margin)} {px(box.y - above)}"
        wide, high = px(box.columns * cell + left_margin + right), px(box.rows * cell + above + below)
        place = f'x="{px(box.x - left_margin)}" y="{px(box.y - above)}" width="{wide}" height="{high}"'
        out.append(f'<svg {place} viewBox="{corner} {wide} {high}">')
    out.append("<g>")
    for group in picture.groups:
        says = f' data-says="{theme.safe(group.says, 2_000)}"' if group.says else ""
        out.append(f"<g{_dim_attributes(group.opacity)}{_ink_attributes(group.ink)}{says}>")
        out += [_shape_tag(d) for d in group.members]
        out.append("</g>")
    out += [*over, "</g>", *(["</svg>"] if cut else [])]
    out.append(f'<g class="words" font-size="{picture.font or TICK}" fill="{theme.INK}">')
    out += [_label_element(label, picture.font or TICK) for label in picture.labels]
    out.append(f'</g><g class="numbers" font-size="{TICK}" fill="{theme.INK}" fill-opacity=".65">')
    out += [_label_element(label, TICK) for label in position_labels_of(picture)]
    out.append("</g>")
    out.append(f'<g class="words" font-size="13" fill="{theme.INK}">')
    out += [_label_element(label, 13) for label in picture.headings]
    placed, y = placed_key(picture, picture.height) if key else ([], picture.height)
    out.append(f'</g><g class="words" font-size="12" fill="{theme.INK}">')
    for entry, x, top in placed:
        sample = "".join([f"<g{_ink_attributes(ink)}>{_shape_tag(shape)}</g>" for ink, shape in entry.sample_layers()])
        out.append(
            f'<g transform="translate({px(x)} {px(top)})">{sample}<text x="18" y="10.5">{escape(entry.text)}</text></g>'
        )
    out.append("</g>")
    return out, y


# ---------------------------------------------------------------- many small grids

LARGEST, LEAST, HIGHEST = 14, 3, 300  # pixels: largest and smallest cells, largest height of a grid


def small_grids(
    result: Result,
    counts: Mapping[Hit, int],
    total: int,
    unused: Iterable[Hit] = (),
    room: int = 280,
    high: int = 0,
) -> str:
    """Return the grids of a result without words, `room` pixels wide, as SVG for a page.

    Each cell is tinted by how many of `total` results use it, given in `counts`, and has the result's own marks on top.
    `unused` are the hits of the grid. Cells have at least 3 pixels, so a long sentence needs more space; the image
    shrinks to fit its container. If several grids of the same references pass as `high` the largest number of candidate
    words of any of them, their cells have equal size."""
    marks = ResultMarks.from_result(result)
    # The signs of edits extend beyond the edges of the grids.
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
        lines = grid_lines(box, cell) if cell >= 6 else _frame_lines(box, cell)
        d = "".join(_path_data(((a, b), (c, d)), False) for a, b, c, d in lines)
        out.append(f'<path d="{d}" stroke="{theme.LINES}" stroke-opacity=".28" fill="none"/>')
    for level, squares in sorted(tints.items()):
        # Tints are pale, so that the marks of the metric are visible on top.
        alpha = 0.5 * theme.tint_alpha(level, theme.LEVELS)
        out.append(f'<path fill="{theme.BLUE}" fill-opacity="{px(alpha)}" d="{"".join(squares)}"/>')
    for group in groups_of(own_shapes, boxes, cell):
        if group.members[0].kind == "digit":
            out += [f"<g{_ink_attributes(group.ink)}>", *[_shape_tag(d) for d in group.members], "</g>"]
        else:
            d = "".join(_outline_path(drawn) for drawn in group.members)
            out.append(f'<path{_ink_attributes(group.ink)} d="{d}"/>')
    return "".join([*out, "</svg>"])


def _small_layout(result: Result, room: int, most: int) -> tuple[int, list[Box], int, int]:
    """Return the size of a cell, the boxes, the width and the height of a small picture.

    Cells are about as large as possible. `most` is the largest number of candidate words of several grids."""
    candidate, references = result.segment
    n, lengths = max(len(candidate), 1), [max(len(r), 1) for r in references]
    options: list[tuple[float, list[list[int]]]] = []  # with one reference per row, two, and so on
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


def _frame_lines(box: Box, cell: int) -> list[tuple[float, float, float, float]]:
    """Return the border lines of a panel whose cells are too small for lines between them."""
    x, y, right, bottom = box.x, box.y, box.x + box.columns * cell, box.y + box.rows * cell
    return [(x, y, right, y), (right, y, right, bottom), (right, bottom, x, bottom), (x, bottom, x, y)]


def _outline_path(drawn: PlacedShape) -> str:
    """Return a shape as part of a path, so that all shapes of one look are a single element."""
    if len(drawn.points) > 1:
        return _path_data(drawn.points, drawn.kind != "line")
    ((x, y),), r = drawn.points, drawn.size
    return f"M{px(x - r)} {px(y)}a{px(r)} {px(r)} 0 1 0 {px(2 * r)} 0a{px(r)} {px(r)} 0 1 0 {px(-2 * r)} 0z"


def _panel_attributes(picture: Picture, box: Box) -> str:
    """Return the attributes from which a script tells which cell of a panel is under the pointer."""
    k, i, j = picture.window[:3] if picture.window else (box.k, 0, 0)
    numbers = {"k": k, "i": i, "j": j, "rows": box.rows, "columns": box.columns}
    lengths = {"x": box.x, "y": box.y, "size": picture.cell}
    side = f'data-side="{picture.side}" ' if picture.side else ""
    if picture.folds:
        side += f'data-folds="{" ".join([f"{start}-{end}" for start, end in picture.folds])}" '
    side += f'data-border="{box.border}" ' if box.border else ""
    return side + " ".join(f'data-{name}="{px(value)}"' for name, value in {**numbers, **lengths}.items())


def _folded_rows(folds: Sequence[tuple[int, int]]) -> list[int]:
    """Return the rows, as drawn, that represent several rows."""
    out, less = [], 0
    for start, end in folds:
        out.append(start - less)
        less += end - start - 1
    return out


def _fold_background(box: Box, cell: int, row: int) -> str:
    """Return the background of a row that represents several rows."""
    corner = f'x="{px(box.x)}" y="{px(box.y + row * cell)}"'
    size = f'width="{px(box.columns * cell)}" height="{cell}"'
    return f'<rect class="fold" {corner} {size} fill="{theme.LINES}" fill-opacity=".12"/>'


def _path_data(points: Iterable[tuple[float, float]], closed: bool) -> str:
    """Return points as the data of a path."""
    return "M" + "L".join(f"{px(x)} {px(y)}" for x, y in points) + ("z" if closed else "")


def _ink_attributes(ink: Ink) -> str:
    """Return colours as attributes."""
    fill = f' fill="{ink.colour}"' if ink.fill else ' fill="none"'
    if 0 < ink.fill < 1:
        fill += f' fill-opacity="{px(ink.fill)}"'
    line = f' stroke="{ink.colour}" stroke-width="{px(ink.line)}" stroke-linejoin="round"' if ink.line else ""
    line += f' stroke-opacity="{px(ink.strength)}"' if ink.strength < 1 else ""
    line += ' stroke-dasharray="5 3"' if ink.dashed else ""
    line += f' stroke-dasharray=".1 {px(ink.gap)}" stroke-linecap="round"' if ink.dotted else ""
    return fill + line


def _dim_attributes(opacity: float) -> str:
    """Return the attributes of a dimmed group, "" if it is not dimmed."""
    return f' class="dim" opacity="{px(opacity)}"' if opacity < 1 else ""


def _shape_tag(drawn: PlacedShape) -> str:
    """Return a shape as an element."""
    x, y = drawn.points[0]
    hooks = _hook_attributes(drawn)
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
        return f'<g {hooks}><circle {circle}/><path fill="{theme.PAPER}" d="{_path_data(drawn.sign, True)}"/></g>'
    return f"<circle {hooks} {circle}/>"


def _hook_attributes(drawn: PlacedShape) -> str:
    """Return the attributes by which style sheets and scripts find a shape: its classes and what it represents."""
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


#: The text anchor for each side of a label, which depends on the direction of writing.
_ANCHORS = {
    False: {"left": "start", "right": "end", "centre": "middle"},
    True: {"left": "end", "right": "start", "centre": "middle"},
}


@cache_short_texts(8192)
def _label_text(text: str) -> tuple[str, bool]:
    """Return the text of a label for SVG, and whether it is written from right to left."""
    return theme.safe(text, grid.LABEL), theme.direction([theme.visible(text, grid.LABEL)]) == "rtl"


def _label_element(label: Label, font: float) -> str:
    """Return a label as a text element."""
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
