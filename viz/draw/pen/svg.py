"""Write pictures of grids as SVG. All words of users pass through `safe`, which escapes them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

import metrics
from metrics.types import Hit, Result

from . import grid, theme, typeset
from .layout import TICK, GridBox, Label, grid_lines
from .legend import DrawnEntry
from .marks import ResultMarks
from .numbers import count_text
from .picture import CAPTION, Picture, caption_lines, group_shapes_by_look, lay_out_legend, picture_position_labels
from .placed_shapes import Ink, PlacedShape, px
from .short_texts import cache_short_texts
from .text import safe, visible, writing_direction
from .typeset import TypesetPart

#: The smallest cell, in pixels, to which a style sheet shrinks a grid.
SMALLEST = 9


def svg_file(picture: Picture, over: Sequence[str] = (), formula: TypesetPart | None = None) -> str:
    """Write a picture as an SVG file of its own, with its title and signature below it.

    A `formula`, if given, is between the two. `over` are SVG elements to put on top of the shapes.

    Every shape is one element, whose class names its kind, its role and its cell (`x3_0_4`). A shape that represents a
    cell has `data-cell="3,0,4"`, one that represents a term `data-term="LAYER:NUMBER"`, and a word has `data-word="c3"`
    or `data-word="r0_4"`."""
    drawn, y = picture_elements(picture, over)
    caption = caption_lines(picture)
    for n, (kind, line) in enumerate(caption):
        y += CAPTION + 4
        drawn.append(
            f'<text class="{kind}" x="8" y="{px(y)}" fill="{theme.INK}" fill-opacity=".75" '
            f'font-family="ui-monospace, monospace" font-size="{CAPTION}">{safe(line, 2_000)}</text>'
        )
        if formula and kind == "score" and caption[n + 1][0] != kind:
            drawn.append(f'<g transform="translate(8 {px(y + 10)})">{typeset.pieces_svg(formula.pieces)}</g>')
            y += formula.down + 14
    return svg_document(picture, drawn, y + 8)


def svg_in_page(picture: Picture, over: Sequence[str] = ()) -> str:
    """Write a picture as an SVG element for a page, without the legend, which the page shows itself.

    The title is read by screen readers and not visible. `over` are SVG elements to put on top of the shapes."""
    drawn, _ = picture_elements(picture, over, key=False, cut=bool(picture.window))
    size = f'width="{px(picture.width)}" height="{px(picture.height)}"'
    box = f'viewBox="0 0 {px(picture.width)} {px(picture.height)}"'
    name = f' aria-label="{safe(picture.title, 200)}"' if picture.title else ""
    return f'<svg {size} {box} role="img"{name} style="{_smallest_size_css(picture)}">{"".join(drawn)}</svg>'


def _smallest_size_css(picture: Picture) -> str:
    """Return CSS variables with the size below which a style sheet does not shrink a picture.

    At that size its cells have `SMALLEST` pixels."""
    part = min(1.0, SMALLEST / picture.cell)
    wide, high = math.ceil(picture.width * part), math.ceil(picture.height * part)
    return f"--least-wide: {wide}px; --least-high: {high}px"


def empty_group(ink: Ink, says: str = "", opacity: float = 1) -> str:
    """Return an empty SVG group with the look of some shapes, into which a script puts them later.

    `says` is the text that is shown when one of them is pointed at."""
    faint = f' opacity="{px(opacity)}"' if opacity < 1 else ""
    return f'<g class="pool"{faint}{_ink_attributes(ink)}' + (f' data-says="{escape(says)}"' if says else "") + "></g>"


def legend_html(keys: Iterable[DrawnEntry]) -> str:
    """Return legend entries, such as the `key` of a picture, as HTML, each with its sample; "" if there are none."""
    entries = "".join(f"<span>{legend_entry_html(key)}</span>" for key in keys)
    return f'<div class="lg">{entries}</div>' if entries else ""


def legend_entry_html(key: DrawnEntry) -> str:
    """Return the HTML of a legend entry: a sample of the shape, and its meaning."""
    return (
        f'<svg width="13" height="13" viewBox="-1 -1 14 14">{_legend_sample(key)}</svg>'
        f'<span class="{key.word.removeprefix("u ")}">{escape(key.text)}</span>'
    )


def _legend_sample(key: DrawnEntry) -> str:
    """Return the sample of a legend entry as SVG elements."""
    return "".join([f"<g{_ink_attributes(ink)}>{shape_element(shape)}</g>" for ink, shape in key.sample_layers()])


def svg_document(picture: Picture, body: Sequence[str], height: float) -> str:
    """Wrap SVG elements into a document of the given height, with the picture's title and signature."""
    size = f'width="{px(picture.width)}" height="{px(height)}"'
    # Colours are attributes: every program that reads SVG knows them, and the style sheet of a page overrides them.
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {px(picture.width)} {px(height)}" '
            "font-family=\"system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif\" role=\"img\">",
            f"<title>{safe(picture.title, 200)}</title>",
            f"<desc>{safe(picture.signature, 2_000)}</desc>",
            f'<rect class="paper" {size} fill="{theme.PAPER}"/>',
            *body,
            "</svg>\n",
        ]
    )


def picture_elements(
    picture: Picture, over: Sequence[str] = (), key: bool = True, cut: bool = False
) -> tuple[list[str], float]:
    """Return the grid, shapes, words and legend of a picture as SVG elements, and the y coordinate where they end.

    `over` are SVG elements to put on top of the shapes. With `key` False, the legend is left out. With `cut`, shapes
    are clipped at the edge of the first grid."""
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
        says = f' data-says="{safe(group.says, 2_000)}"' if group.says else ""
        dim = f' class="dim" opacity="{px(group.opacity)}"' if group.opacity < 1 else ""
        out.append(f"<g{dim}{_ink_attributes(group.ink)}{says}>")
        out += [shape_element(d) for d in group.members]
        out.append("</g>")
    out += [*over, "</g>", *(["</svg>"] if cut else [])]
    out.append(f'<g class="words" font-size="{picture.font or TICK}" fill="{theme.INK}">')
    out += [_label_element(label, picture.font or TICK) for label in picture.labels]
    out.append(f'</g><g class="numbers" font-size="{TICK}" fill="{theme.INK}" fill-opacity=".65">')
    out += [_label_element(label, TICK) for label in picture_position_labels(picture)]
    out.append("</g>")
    out.append(f'<g class="words" font-size="13" fill="{theme.INK}">')
    out += [_label_element(label, 13) for label in picture.headings]
    placed, y = lay_out_legend(picture, picture.height) if key else ([], picture.height)
    out.append(f'</g><g class="words" font-size="12" fill="{theme.INK}">')
    for entry, x, top in placed:
        text = f'<text x="18" y="10.5">{escape(entry.text)}</text>'
        out.append(f'<g transform="translate({px(x)} {px(top)})">{_legend_sample(entry)}{text}</g>')
    out.append("</g>")
    return out, y


# ---------------------------------------------------------------- many small grids

LARGEST, LEAST, HIGHEST = 14, 3, 300  # pixels: largest and smallest cells, largest height of a grid


def small_grids_svg(
    result: Result,
    counts: Mapping[Hit, int],
    total: int,
    unused: Iterable[Hit] = (),
    room: int = 280,
    high: int = 0,
) -> str:
    """Return the grids of a result without words as an SVG element, with cells tinted by how many results use them.

    The result's own marks are on top.

    Args:
        result: the result.
        counts: how many of `total` results use each cell.
        total: the number of results.
        unused: the hits of the grid, to be drawn where nothing uses them.
        room: the width of the space in pixels. Cells have at least 3 pixels, so a long sentence needs more; the image
            then shrinks to fit its container.
        high: the largest number of candidate words among several pictures, so that all have cells of equal size."""
    marks = ResultMarks.from_result(result)
    # The signs of edits extend beyond the edges of the grids.
    signs = theme.LOOKS["extra", "plus"].size if marks.gaps else 0
    cell, boxes, width, height = _lay_out_small_grids(result, room - math.ceil(2 * signs * LARGEST), high)
    tints: dict[int, list[str]] = {}
    for (i, k, j), count in counts.items():
        where = f"M{px(boxes[k].x + j * cell)} {px(boxes[k].y + i * cell)}"
        tints.setdefault(theme.tint_level(count, total), []).append(f"{where}h{cell}v{cell}h-{cell}z")
    own_shapes = [s for s in marks.shapes(unused if cell >= 6 else ()) if s.kind != "digit" or cell >= 11]
    used = count_text(len(marks.covered), "cell")
    name = escape(f"{metrics.METRICS[result.metric].label} uses {used}")
    edge = math.ceil(signs * cell)
    across, down = width + 2 * edge, height + 2 * edge
    size = f'width="{across}" height="{down}" viewBox="{-edge} {-edge} {across} {down}"'
    out = [f'<svg class="small" {size} role="img" aria-label="{name}"><title>{name}</title>']
    for box in boxes:
        lines = grid_lines(box, cell) if cell >= 6 else _outer_lines(box, cell)
        d = "".join(_path_data(((a, b), (c, d)), False) for a, b, c, d in lines)
        out.append(f'<path d="{d}" stroke="{theme.LINES}" stroke-opacity=".28" fill="none"/>')
    for level, squares in sorted(tints.items()):
        # Tints are pale, so that the marks of the metric are visible on top.
        alpha = 0.5 * theme.tint_alpha(level, theme.LEVELS)
        out.append(f'<path fill="{theme.BLUE}" fill-opacity="{px(alpha)}" d="{"".join(squares)}"/>')
    for group in group_shapes_by_look(own_shapes, boxes, cell):
        if group.members[0].kind == "digit":
            out += [f"<g{_ink_attributes(group.ink)}>", *[shape_element(d) for d in group.members], "</g>"]
        else:
            d = "".join(_outline_path(drawn) for drawn in group.members)
            out.append(f'<path{_ink_attributes(group.ink)} d="{d}"/>')
    return "".join([*out, "</svg>"])


def _lay_out_small_grids(result: Result, room: int, most: int) -> tuple[int, list[GridBox], int, int]:
    """Return the cell size, the boxes of the grids, the width and the height of a picture without words, in pixels.

    Cells are about as large as possible in the width `room`. `most` is the largest number of candidate words among
    several pictures, so that all have cells of equal size."""
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
    boxes: list[GridBox] = []
    for at, row in enumerate(rows):
        x = 1
        for length in row:
            boxes.append(GridBox(len(boxes), x, 1 + at * (n + 1) * cell, n, length))
            x += (length + 1) * cell
    width = int(max(box.x + box.columns * cell for box in boxes)) + 1
    return cell, boxes, width, int(boxes[-1].y + n * cell) + 1


def _outer_lines(box: GridBox, cell: int) -> list[tuple[float, float, float, float]]:
    """Return the four outer lines of a grid whose cells are too small for lines between them, as x1, y1, x2, y2."""
    x, y, right, bottom = box.x, box.y, box.x + box.columns * cell, box.y + box.rows * cell
    return [(x, y, right, y), (right, y, right, bottom), (right, bottom, x, bottom), (x, bottom, x, y)]


def _outline_path(drawn: PlacedShape) -> str:
    """Return a shape's outline as SVG path data, so that all shapes of one look can be a single path element."""
    if len(drawn.points) > 1:
        return _path_data(drawn.points, drawn.kind != "line")
    ((x, y),), r = drawn.points, drawn.size
    return f"M{px(x - r)} {px(y)}a{px(r)} {px(r)} 0 1 0 {px(2 * r)} 0a{px(r)} {px(r)} 0 1 0 {px(-2 * r)} 0z"


def _panel_attributes(picture: Picture, box: GridBox) -> str:
    """Return the SVG attributes of a grid from which a script computes which cell is under the pointer."""
    k, i, j = picture.window[:3] if picture.window else (box.k, 0, 0)
    numbers = {"k": k, "i": i, "j": j, "rows": box.rows, "columns": box.columns}
    lengths = {"x": box.x, "y": box.y, "size": picture.cell}
    side = f'data-side="{picture.side}" ' if picture.side else ""
    if picture.folds:
        side += f'data-folds="{" ".join([f"{start}-{end}" for start, end in picture.folds])}" '
    side += f'data-border="{box.border}" ' if box.border else ""
    return side + " ".join(f'data-{name}="{px(value)}"' for name, value in {**numbers, **lengths}.items())


def _folded_rows(folds: Sequence[tuple[int, int]]) -> list[int]:
    """Return the rows, counted as they are drawn, that represent several rows of the text.

    `folds` has the first of these rows and the end but one for each group."""
    out, less = [], 0
    for start, end in folds:
        out.append(start - less)
        less += end - start - 1
    return out


def _fold_background(box: GridBox, cell: int, row: int) -> str:
    """Return an SVG rectangle behind a drawn row that represents several rows of the text."""
    corner = f'x="{px(box.x)}" y="{px(box.y + row * cell)}"'
    size = f'width="{px(box.columns * cell)}" height="{cell}"'
    return f'<rect class="fold" {corner} {size} fill="{theme.LINES}" fill-opacity=".12"/>'


def _path_data(points: Iterable[tuple[float, float]], closed: bool) -> str:
    """Return points joined by straight lines as SVG path data."""
    return "M" + "L".join(f"{px(x)} {px(y)}" for x, y in points) + ("z" if closed else "")


def _ink_attributes(ink: Ink) -> str:
    """Return the SVG attributes for the colour, filling and line of `ink`."""
    fill = f' fill="{ink.colour}"' if ink.fill else ' fill="none"'
    if 0 < ink.fill < 1:
        fill += f' fill-opacity="{px(ink.fill)}"'
    line = f' stroke="{ink.colour}" stroke-width="{px(ink.line)}" stroke-linejoin="round"' if ink.line else ""
    line += f' stroke-opacity="{px(ink.strength)}"' if ink.strength < 1 else ""
    line += ' stroke-dasharray="5 3"' if ink.dashed else ""
    line += f' stroke-dasharray=".1 {px(ink.gap)}" stroke-linecap="round"' if ink.dotted else ""
    return fill + line


def shape_element(drawn: PlacedShape) -> str:
    """Return a shape as an SVG element, which takes its colours from the group that contains it."""
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
    """Return the SVG attributes by which style sheets and scripts find a shape: its classes and what it represents."""
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
        out += f' data-says="{safe(drawn.says, 2_000)}"'
    return out


#: The text anchor for each side of a label, which depends on the direction of writing.
_ANCHORS = {
    False: {"left": "start", "right": "end", "centre": "middle"},
    True: {"left": "end", "right": "start", "centre": "middle"},
}


@cache_short_texts
def _label_text(text: str) -> tuple[str, bool]:
    """Return the text of a label escaped for SVG, and whether it is written from right to left."""
    return safe(text, grid.LABEL), writing_direction([visible(text, grid.LABEL)]) == "rtl"


def _label_element(label: Label, font: float) -> str:
    """Return a label as an SVG text element, with the font size `font` in pixels."""
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
