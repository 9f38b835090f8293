"""Draw the cosine similarity of two texts as a grid: each pair of words with what it adds to the cosine."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.corpus.agreement.experiments.experiment import ExperimentGrid

from ..pen.text import label_width, safe, visible

#: Pixels of a cell, letters that are drawn of a word, and words that are drawn of each text.
CELL, LETTERS, WORDS_MOST = 19, 16, 60
_LETTER = 6.6  # pixels of a letter at the font of words
_TRACE = 0.0005  # cells below this part of the largest weight are too small to see


def weight_grid_html(weight_grid: ExperimentGrid, name: str, still: bool = False) -> str:
    """Return the grid as HTML: a square for each pair of words, larger the more the pair adds to the cosine.

    A filled square adds, and an open one takes away. `name` is the name of the grid in the event of the button that
    opens its segment. With `still`, as in a saved file, there is no button."""
    rows, columns = weight_grid.candidate[:WORDS_MOST], weight_grid.reference[:WORDS_MOST]
    left_room, above = _label_width(rows), _label_width(columns)
    wide, high = left_room + CELL * len(columns) + 8, above + CELL * len(rows) + 8
    most = max([abs(cell.weight) for cell in weight_grid.cells], default=1.0) or 1.0
    out = [_grid_lines_svg(left_room, above, len(rows), len(columns))]
    for i, word in enumerate(rows):
        place = f'x="{left_room - 6:.1f}" y="{above + CELL * (i + 0.5) + 4:.1f}" text-anchor="end"'
        out.append(f"<text {place}>{safe(word, LETTERS)}</text>")
    for j, word in enumerate(columns):
        turned = f"translate({left_room + CELL * (j + 0.5) + 4:.1f} {above - 6:.1f})rotate(-90)"
        out.append(f'<text transform="{turned}">{safe(word, LETTERS)}</text>')
    for i, j, weight in weight_grid.cells:
        if i < len(rows) and j < len(columns) and abs(weight) >= _TRACE * most:
            out.append(_pair_square_svg((left_room, above), (i, j), weight, most, weight_grid))
    whole = max(len(weight_grid.candidate), len(weight_grid.reference)) <= WORDS_MOST
    cut = "" if whole else f" The first {WORDS_MOST} words of each text are drawn."
    title, total = safe(weight_grid.title, 120), _number(weight_grid.total, 3)
    opens = "" if still or not weight_grid.opens else f'<button type="button" data-tell="opens:{name}">Open it</button>'
    size = f'width="{wide:.0f}" height="{high:.0f}" viewBox="0 0 {wide:.0f} {high:.0f}"'
    drawn = f'<svg {size} role="img" aria-label="{title}: {_describe_strongest(weight_grid)}">{"".join(out)}</svg>'
    says = f"a larger square counts more. They sum to {total}.{cut}"
    return (
        f'<figure class="weights"><figcaption><b>{title}: cosine {total}</b> {opens}</figcaption>'
        f'<div class="wide" tabindex="0" role="region" aria-label="{title}">{drawn}</div>'
        f'<p class="note"><i class="plus"></i> adds to the cosine <i class="minus"></i> takes away; {says}</p></figure>'
    )


def weight_grids_html(weight_grids: Sequence[ExperimentGrid], still: bool = False) -> str:
    """Return several grids as HTML, all but the first one folded.

    Their names in events are `g0`, `g1` and so on. With `still`, as in a saved file, they have no buttons."""
    first, *more = [weight_grid_html(each, f"g{n}", still) for n, each in enumerate(weight_grids)]
    folded = [
        f'<details class="weights-more g{n}"><summary>{safe(each.title, 120)}: cosine {_number(each.total, 3)}'
        f"</summary>{grid_html}</details>"
        for n, (each, grid_html) in enumerate(zip(weight_grids[1:], more, strict=True), 1)
    ]
    return "".join([first, *folded])


def _label_width(words: tuple[str, ...]) -> float:
    """Return the width in pixels that the labels of rows or columns need: that of the widest word, with its margin."""
    return 14 + _LETTER * max([label_width(visible(word, LETTERS)) for word in words], default=1.0)


def _number(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}".replace("-", "−")


def _describe_strongest(weight_grid: ExperimentGrid) -> str:
    """Return the five pairs of words with the largest weights, as text for screen readers."""
    strongest = sorted(weight_grid.cells, key=lambda cell: -abs(cell.weight))[:5]
    each = [
        f"{visible(weight_grid.candidate[i], LETTERS)} and {visible(weight_grid.reference[j], LETTERS)} "
        f"{_number(weight, 3)}"
        for i, j, weight in strongest
    ]
    return safe("; ".join(each) or "no word is known", 400)


def _grid_lines_svg(left_edge: float, above: float, rows: int, columns: int) -> str:
    right, foot = left_edge + CELL * columns, above + CELL * rows
    across = "".join([f"M{left_edge:.1f} {above + CELL * i:.1f}H{right:.1f}" for i in range(rows + 1)])
    up = "".join([f"M{left_edge + CELL * j:.1f} {above:.1f}V{foot:.1f}" for j in range(columns + 1)])
    return f'<path class="grid" d="{across}{up}"/>'


def _pair_square_svg(
    corner: tuple[float, float], at: tuple[int, int], weight: float, largest_weight: float, weight_grid: ExperimentGrid
) -> str:
    half = CELL * 0.46 * (abs(weight) / largest_weight) ** 0.5
    x, y = corner[0] + CELL * (at[1] + 0.5), corner[1] + CELL * (at[0] + 0.5)
    words = f"{visible(weight_grid.candidate[at[0]], 40)} × {visible(weight_grid.reference[at[1]], 40)}"
    says = safe(f"{words}: {_number(weight, 4)} of {_number(weight_grid.total, 3)}", 200)
    place = f'x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:.1f}" height="{2 * half:.1f}"'
    return f'<rect class="{"plus" if weight > 0 else "minus"}" {place}><title>{says}</title></rect>'
