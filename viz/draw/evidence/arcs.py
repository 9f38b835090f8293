"""Draw the pictures that are not grids: shared word pairs as arcs over the candidate, and word order as crossing lines.

Both are a `Picture`, so that a page, a saved file and a notebook draw the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, pairwise
from typing import Literal, NamedTuple

from metrics.alignment.meteor_cells import count_crossings as count_crossings
from metrics.types import Hit, Layer, Relation, Result, Run, SkipBigram, join_words

from ..pen import grid, legend, marks
from ..pen.layout import Label
from ..pen.legend import LegendEntry
from ..pen.numbers import count_text
from ..pen.picture import Picture, ShapeGroup
from ..pen.placed_shapes import Ink, PlacedShape, arch, ink_of, marker_shape, text_width
from ..pen.shapes import Shape, Term
from ..pen.text import visible
from ..pen.theme import Kind, Role

ARCS_MOST = 700  # more arcs or crossings than this could not be told apart
STEPS_MOST = 2_000  # the same limit for all steps together, as each step shows only its own arcs
LINES_MOST = 130  # the same limit for aligned words
Words = Sequence[str]


# ---------------------------------------------------------------- which picture


def picture_kind(result: Result, most: int = ARCS_MOST) -> Literal["arcs", "crossings"] | None:
    """Return which picture a result has in addition to its grid, or None.

    It is "crossings" where the score depends on word order, and "arcs" where it is made of pairs of words. None where
    it is neither, or where there are more than `most` arcs or crossings, which could not be told apart."""
    if _has_chunks(result):
        hits = [(hit.i, hit.j) for hit in result.cells()]
        return "crossings" if 1 < len(hits) <= LINES_MOST and count_crossings(hits) <= most else None
    layers = [layer for layer in result.layers if layer.marks and isinstance(layer.marks[0], SkipBigram)]
    if not 0 < sum(len(layer.marks) for layer in layers) <= most:
        return None
    return "crossings" if marks.costly_layers(result, "order") else "arcs"


def has_arcs(result: Result) -> bool:
    """Return whether a result is drawn as arcs."""
    return picture_kind(result) == "arcs"


def grid_first(result: Result) -> bool:
    """Return whether the grid is shown before the other picture.

    Chunks and stages of matches are easier to see on the grid, and so are pairs with too many arcs."""
    return _has_chunks(result) or is_crowded(result)


def _has_chunks(result: Result) -> bool:
    return bool(_chunk_layers(result))


def _chunk_layers(result: Result) -> list[tuple[int, Layer]]:
    """Return (index, layer) for each layer of chunks that a result has; such layers make the score worse."""
    return marks.costly_layers(result, "contiguity")


def picture_of(candidate: Words, references: Sequence[Words], result: Result, width: int) -> Picture:
    """Return the arcs or the crossing lines of a result, `width` pixels wide where that is enough.

    Raises ValueError where `picture_kind` says that it has neither."""
    kind = picture_kind(result)
    if not kind:
        raise ValueError(f"{result.metric} has no picture other than its grid for these texts")
    return (arcs if kind == "arcs" else crossings)(candidate, references, result, width)


# ---------------------------------------------------------------- sentences in a row

FONTS = (14, 13, 12)  # type sizes in pixels, tried in turn for level words
TURNED = ((22.0, 13), (17.0, 11), (0.0, 10))  # (least pixels for each word, type size) of slanted words
UNIT_MOST, UNIT_LEAST = 84.0, 15.0  # pixels from word to word
EDGE = 8.0  # pixels left free around a picture
LEAST_WIDTH = 420  # least width where there is room, so that the legend need not wrap after every entry


class WordRows(NamedTuple):
    """The horizontal layout of sentences that are spread over the same width.

    Attributes:
        places: for each sentence, the x coordinates of the middles of its words, in pixels.
        font: type size in pixels.
        turn: rotation of the words in degrees.
        width: width of the picture in pixels."""

    places: tuple[tuple[float, ...], ...]
    font: int
    turn: int
    width: float


def word_rows(above: Words | None, below: Sequence[Words], width: float) -> WordRows:
    """Return the layout of sentences in a picture of `width` pixels, one `above` it (None for none) and others `below`.

    Words are level where they fit side by side. Otherwise they are slanted and have as much room as there is, but at
    least UNIT_LEAST pixels each, so that the result may be wider than `width`."""
    sentences = [*below] if above is None else [above, *below]
    longest = max(len(sentence) for sentence in sentences)
    for font in FONTS:
        needed = max(_sentence_width(sentence, font) for sentence in sentences)
        if needed <= width - 2 * EDGE:
            length = min(width - 2 * EDGE, max(needed, UNIT_MOST * longest))
            places = tuple([_level_places(sentence, font, length) for sentence in sentences])
            return WordRows(places, font, 0, length + 2 * EDGE)
    unit, font, left_room, right = _slanted_layout(above or (), below, longest, width)
    places = tuple([_even_places(len(sentence), left_room, unit * (longest - 1)) for sentence in sentences])
    return WordRows(places, font, 45, left_room + unit * (longest - 1) + right)


def _word_width(word: str, font: float) -> float:
    """Return the width of a word in pixels, as it is drawn."""
    return text_width(visible(word, grid.LABEL)) * font


def _sentence_width(sentence: Words, font: int) -> float:
    """Return the width of a level sentence in pixels."""
    return sum([_word_width(word, font) for word in sentence]) + 0.7 * font * max(0, len(sentence) - 1)


def _level_places(sentence: Words, font: int, length: float) -> tuple[float, ...]:
    """Return the x coordinates of the middles of a level sentence's words.

    The words fill `length` pixels, with equal gaps between them."""
    breadths = [_word_width(word, font) for word in sentence]
    if len(sentence) == 1:
        return (EDGE + length / 2,)
    gap = (length - sum(breadths)) / max(1, len(sentence) - 1)
    out, x = [], EDGE
    for breadth in breadths:
        out.append(x + breadth / 2)
        x += breadth + gap
    return tuple(out)


def _even_places(count: int, start: float, length: float) -> tuple[float, ...]:
    """Return `count` evenly spaced coordinates from `start` over `length`."""
    if count == 1:
        return (start + length / 2,)
    return tuple([start + length * n / (count - 1) for n in range(count)])


def _slanted_layout(
    above: Words, below: Sequence[Words], longest: int, width: float
) -> tuple[float, int, float, float]:
    """Return the layout of slanted words: (pixels from word to word, type size, free pixels at the left, at the right).

    `longest` is the number of words of the longest sentence. Words above extend beyond the last one at the right, words
    below extend beyond the first one at the left."""
    unit = UNIT_MOST
    while True:
        font = next(size for least, size in TURNED if unit >= least)
        length = unit * (longest - 1)
        left_room = max([EDGE + font, *[room for row in below for room in _overhangs(row, font, length)]])
        right = max([EDGE + font, *_overhangs(above[::-1], font, length)])
        if left_room + length + right <= width or unit <= UNIT_LEAST:
            return unit, font, left_room, right
        unit = max(UNIT_LEAST, unit - 0.5)


def _overhangs(sentence: Words, font: int, length: float) -> Iterator[float]:
    """Yield how far each slanted word of an evenly spaced row extends beyond the first word, in pixels.

    `length` is the distance from the first to the last word. The free edge of the picture is included."""
    step = length / max(1, len(sentence) - 1)
    return (EDGE + _word_width(word, font) * 0.72 + font * 0.3 - n * step for n, word in enumerate(sentence))


def row_height(sentence: Words, rows: WordRows) -> float:
    """Return the height of a row of words in pixels."""
    if not rows.turn:
        return rows.font * 1.5
    return max([_word_width(word, rows.font) for word in sentence] or [0.0]) * 0.72 + rows.font * 0.9


def word_labels(
    sentence: Words, places: Sequence[float], rows: WordRows, y: float, name: str, up: bool = False
) -> list[Label]:
    """Return the labels of a row of words whose edge towards the picture is at `y`; `up` for a row above the picture.

    `name` is the prefix of the words' names."""
    way = -1 if up else 1
    down = y + way * rows.font * (0.45 if rows.turn else 0.75)
    side: Literal["left", "right", "centre"] = "centre" if not rows.turn else "left" if up else "right"
    return [
        Label(word, x, down, side, rows.turn, f"{name}{position}")
        for position, (word, x) in enumerate(zip(sentence, places, strict=True))
    ]


# ---------------------------------------------------------------- arcs

MANY = 100  # with more shared pairs than this, arcs are transparent
HIGHEST = 230.0  # greatest height of the longest arc, in pixels
NEST = 3.5  # pixels between the arcs of a pair that several references share


class _ArcPair(NamedTuple):
    """Two words of the candidate that are drawn as an arc.

    Attributes:
        a, b: positions of the words.
        term: index of the layer and of the mark in it; (-1, -1) for a pair that does not count.
        repeat: how many earlier terms have the same two words."""

    a: int
    b: int
    term: tuple[int, int]
    repeat: int


def arcs(candidate: Words, references: Sequence[Words], result: Result, width: int) -> Picture:
    """Return the pairs of words as arcs over the candidate.

    Solid arcs are pairs that a reference shares. Dotted pairs do not count: the references lack them, or have them only
    as often as they count already. A pair that several references share has an arc for each, one below the other. Pairs
    that do not count are only drawn within the window of the metric, and not at all where they would be too many; of
    more than ARCS_MOST shared pairs, the closest are drawn. The legend says what is left out."""
    all_pairs = _shared_pairs(result)
    lacking = _lacking_pairs(result, len(candidate), {(pair.a, pair.b) for pair in all_pairs})
    crowded = len(lacking) + len(all_pairs) > ARCS_MOST // 2
    shared, more = all_pairs[:ARCS_MOST], max(0, len(all_pairs) - ARCS_MOST)
    rows = word_rows(None, [candidate], width)
    (places,) = rows.places
    rise = ArcHeights.over(places, [*shared, *([] if crowded else lacking)])
    foot = EDGE + rise.high
    drawn: list[_LookGroup] = [
        (
            _shape_template("curve", "absent"),
            [_arc_shape(pair, "absent", places, rise, foot) for pair in ([] if crowded else lacking)],
        ),
        # The longest first, so that the closer pair is on top where arcs meet.
        (_shape_template("curve", "pair"), [_arc_shape(pair, "pair", places, rise, foot) for pair in reversed(shared)]),
    ]
    says: dict[Role, str] = (
        {"pair": f"pair shared with {_sharing_references(result)}"} if len(references) > 1 and shared else {}
    )
    if more:
        says["pair"] = f"{says.get('pair', 'shared pair')}, and {count_text(more, 'more pair')} not drawn"
    if crowded and lacking:
        does = "does" if len(lacking) == 1 else "do"
        says["absent"] = f"{count_text(len(lacking), 'pair')} that {does} not count, not drawn"
    labels = word_labels(candidate, places, rows, foot + 3, "c")
    size = (max(rows.width, min(width, LEAST_WIDTH)), foot + 3 + row_height(candidate, rows) + 8)
    return _gridless_picture(size, rows.font, labels, drawn, says)


def _sharing_references(result: Result) -> str:
    """Return the references that share word pairs with the candidate, as text, such as "references 1 and 3"."""
    numbers = sorted({layer.k + 1 for layer in result.layers if layer.k is not None and layer.marks})
    return f"{'reference' if len(numbers) == 1 else 'references'} {join_words(numbers)}"


#: With at least so many candidate words, a page shows the arcs of one word at a time, and all of them on demand.
CROWDED = 20


def is_crowded(result: Result) -> bool:
    """Return whether all arcs together would be hard to read."""
    return has_arcs(result) and len(result.segment.candidate) >= CROWDED


def _shared_pairs(result: Result) -> list[_ArcPair]:
    """Return the word pairs that count, the pairs of closest words first."""
    pair_terms: list[tuple[int, int, tuple[int, int]]] = []
    for n, layer in enumerate(result.layers):
        if layer.marks and isinstance(layer.marks[0], SkipBigram):
            for t, mark in enumerate(layer.marks):
                assert isinstance(mark, SkipBigram)
                pair_terms.append((mark.first.i, mark.second.i, (n, t)))
    pair_terms.sort(key=lambda pair: (pair[1] - pair[0], pair))
    terms: defaultdict[tuple[int, int], int] = defaultdict(int)
    out = []
    for a, b, term in pair_terms:
        out.append(_ArcPair(a, b, term, terms[a, b]))
        terms[a, b] += 1
    return out


def _lacking_pairs(result: Result, word_count: int, shared: set[tuple[int, int]]) -> list[_ArcPair]:
    """Return the pairs of candidate words within the metric's window (`max_skip`) that do not count.

    `word_count` is the number of candidate words, and `shared` are the pairs of positions that count."""
    window = getattr(result.settings, "max_skip", None)
    reach = word_count if window is None else window + 1
    return [
        _ArcPair(a, b, (-1, -1), 0)
        for a in range(word_count)
        for b in range(a + 1, min(word_count, a + reach + 1))
        if (a, b) not in shared
    ]


class ArcHeights(NamedTuple):
    """The rule for the height of arcs: the longest arc, `length` pixels wide, is `high` pixels high."""

    high: float
    length: float

    @classmethod
    def over(cls, places: Sequence[float], pairs: Iterable[_ArcPair]) -> ArcHeights:
        """Return the rule for the arcs of the given pairs; `places` are the x coordinates of the words."""
        return cls.over_length(max([places[pair.b] - places[pair.a] for pair in pairs] or [1.0]))

    @classmethod
    def over_length(cls, length: float) -> ArcHeights:
        """Return the rule where the longest arc is `length` pixels wide."""
        return cls(min(HIGHEST, max(24.0, length / 2)), length)

    def height(self, breadth: float) -> float:
        """Return the height in pixels of an arc that is `breadth` pixels wide.

        Short arcs are steeper than long ones, so that they are still round where the longest are flat. No two arcs
        that start at the same word cut each other."""
        return float(self.high * (breadth / self.length) ** 0.75)


def _arc_shape(pair: _ArcPair, role: Role, places: Sequence[float], rise: ArcHeights, foot: float) -> PlacedShape:
    start, end = places[pair.a], places[pair.b]
    high = rise.height(end - start)
    high = max(high / 2, high - NEST * pair.repeat)
    term = pair.term if pair.term[0] >= 0 else None
    # A script shows the arcs of a word by the class names w0, w1 and so on.
    return PlacedShape("curve", arch(start, end, foot, high), 0, "", f"curve {role} w{pair.a} w{pair.b}", term=term)


# ---------------------------------------------------------------- crossings

_ALIGNED: dict[Relation, Role] = {
    "equal": "aligned",
    "stem": "aligned stem",
    "synonym": "aligned synonym",
    "similar": "aligned similar",
}
BAND = 8.0  # pixels that the band of a chunk extends at most beyond its first and last word
DOT = 3.4  # radius in pixels
GAP = 8  # pixels between words and the ends of lines
MEETING = 0.85  # where the mark of two lines that meet in one word is, as part of the way down


class LineEnds(NamedTuple):
    """The coordinates at which the lines between candidate and reference words start and end.

    Attributes:
        above, below: x coordinates of the words of the candidate, and of the reference.
        top, bottom: y coordinates of the lines' ends at the candidate, and at the reference."""

    above: Sequence[float]
    below: Sequence[float]
    top: float
    bottom: float

    def ends(self, hit: Hit) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the two ends of the line of a hit, first at the candidate, then at the reference."""
        return (self.above[hit.i], self.top), (self.below[hit.j], self.bottom)

    @property
    def band_margin(self) -> float:
        """Return how many pixels the band under a chunk extends beyond the middles of its first and last word.

        It is less than half the distance of the closest two words, so that bands do not overlap."""
        gaps = [b - a for row in (self.above, self.below) for a, b in pairwise(row)]
        return min([BAND, *[0.38 * gap for gap in gaps]])

    def chunk_corners(self, cells: Sequence[Hit]) -> tuple[tuple[float, float], ...]:
        """Return the corners of the band under a chunk, given its cells in order."""
        ((a, top), (a_end, bottom)), ((b, _), (b_end, _)) = self.ends(cells[0]), self.ends(cells[-1])
        side = self.band_margin
        return ((a - side, top), (b + side, top), (b_end + side, bottom), (a_end - side, bottom))

    def crossing(self, pair: SkipBigram) -> tuple[float, float]:
        """Return the point where the lines of two aligned words cross.

        Where the lines meet in one reference word, it is the point between them, near the word."""
        ((a, top), (a_end, bottom)), ((b, _), (b_end, _)) = (self.ends(hit) for hit in pair)
        down = MEETING if a_end == b_end else (b - a) / (b - a + a_end - b_end)
        return (a + b + down * (a_end - a + b_end - b)) / 2, top + down * (bottom - top)


def crossings(candidate: Words, references: Sequence[Words], result: Result, width: int) -> Picture:
    """Return the picture with the candidate's words above, the reference's below, and a line for each aligned word.

    Lines of reordered words cross. Each crossing has an ✕, which is a discordant pair where the metric counts those.
    Two words on the same reference word, whose lines meet without crossing, have a diamond. Chunks of several words
    are on bands. The legend says how many crossings beyond ARCS_MOST are left out."""
    used = marks.ResultMarks.from_result(result).uses
    hits = sorted(hit for hit, use in used.items() if use.relation in _ALIGNED)
    k = hits[0].k if hits else 0
    reference = references[k]
    rows = word_rows(candidate, [reference], width)
    pairs, role, more = _crossing_pairs(result, hits)
    top = EDGE + row_height(candidate, rows) + GAP
    above, below = rows.places
    order = LineEnds(above, below, top, top + min(240.0, 80 + 12 * max(len(candidate), len(reference))))
    word_terms = _word_terms(result)
    bands = [
        PlacedShape("polygon", order.chunk_corners(mark.cells()), 0, "", "polygon chunk", term=(layer, t))
        for layer, t, mark in _long_chunks(result)
    ]
    drawn: list[_LookGroup] = [(_shape_template("polygon", "chunk"), bands)]
    for relation, name in _ALIGNED.items():
        line, dot = _shape_template("line", name), _shape_template("dot", name)
        lines, dots = list[PlacedShape](), list[PlacedShape]()
        for hit in [hit for hit in hits if used[hit].relation == relation]:
            ends, term = order.ends(hit), word_terms.get(hit)
            lines.append(PlacedShape("line", ends, 0, "", "line aligned", term=term, cell=hit))
            dots += [PlacedShape("dot", (end,), DOT, "", "dot aligned", term=term, cell=hit) for end in ends]
        drawn += [(line, lines), (dot, dots)]
    size = max(2.6, 5 - len(pairs) / 150)
    signs: tuple[tuple[Kind, Role, bool], ...] = (("cross", role, False), ("diamond", "meeting", True))
    for kind, of, meet in signs:
        own_pairs = [(pair, term) for pair, term in pairs if (pair.first.j == pair.second.j) == meet]
        members = [_pair_mark(order, pair, kind, of, term, size) for pair, term in own_pairs]
        drawn.append((_shape_template(kind, of), members))
    says: dict[Role, str] = {role: f"words whose order is reversed, and {more:,} more not drawn"} if more else {}
    labels = word_labels(candidate, above, rows, top - GAP, "c", up=True)
    labels += word_labels(reference, below, rows, order.bottom + GAP, f"r{k}_")
    extent = (max(rows.width, min(width, LEAST_WIDTH)), order.bottom + GAP + row_height(reference, rows) + 8)
    return _gridless_picture(extent, rows.font, labels, drawn, says)


def _crossing_pairs(
    result: Result, hits: Sequence[Hit]
) -> tuple[list[tuple[SkipBigram, tuple[int, int] | None]], Role, int]:
    """Return the pairs of lines that cross, the role of their marks, and how many pairs beyond ARCS_MOST are left out.

    A pair comes with its term, (index of the layer, of the mark), where the metric counts pairs, else with None."""
    if layers := marks.costly_layers(result, "order"):
        total = sum(len(layer.marks) for _, layer in layers)
        terms = ((mark, (n, t)) for n, layer in layers for t, mark in enumerate(layer.marks))
        pairs = [(mark, term) for mark, term in islice(terms, ARCS_MOST) if isinstance(mark, SkipBigram)]
        return [*pairs], "discordant", max(0, total - ARCS_MOST)
    total = count_crossings([(hit.i, hit.j) for hit in hits])
    crossed = (SkipBigram(a, b) for a, b in combinations(hits, 2) if b.j < a.j)
    return [(pair, None) for pair in islice(crossed, ARCS_MOST)], "crossing", max(0, total - ARCS_MOST)


def _word_terms(result: Result) -> Mapping[Hit, tuple[int, int]]:
    """Return the term, as (index of the layer, of the mark), of each aligned word that is a term by itself."""
    return {
        mark: (n, t)
        for n, layer in enumerate(result.layers)
        if layer.marks and isinstance(layer.marks[0], Hit)
        for t, mark in enumerate(layer.marks)
        if isinstance(mark, Hit)
    }


def _long_chunks(result: Result) -> list[Term]:
    """Return the chunks of several words, each as a term."""
    return [
        Term(n, t, mark)
        for n, layer in _chunk_layers(result)
        for t, mark in enumerate(layer.marks)
        if isinstance(mark, Run) and mark.length > 1
    ]


def _pair_mark(
    order: LineEnds, pair: SkipBigram, kind: Kind, role: Role, term: tuple[int, int] | None, size: float
) -> PlacedShape:
    """Return the sign where the lines of a pair of aligned words cross or meet, `size` pixels large.

    A pair without a `term` has the names of its words instead, so that a script can highlight it."""
    (i, k, j), (i_end, _, j_end) = pair
    words = "" if term else f"c{i} c{i_end} r{k}_{j} r{k}_{j_end}"
    return marker_shape(kind, (order.crossing(pair),), size, f"{kind} {role}")._replace(term=term, words=words)


# ---------------------------------------------------------------- both

_LookGroup = tuple[Shape, list[PlacedShape]]  # a look, and all shapes that have it


def _shape_template(kind: Kind, role: Role) -> Shape:
    """Return a shape without points, which is a template for the ink and the legend of shapes that look like it."""
    return Shape(kind, role, 0, ())


def _transparent_ink(ink: Ink, look: Shape, count: int) -> Ink:
    """Return the ink of a group of `count` shapes: the more arcs, the more transparent, so that dense places show."""
    return ink._replace(strength=max(0.35, min(1.0, MANY / count))) if look.role == "pair" else ink


def _gridless_picture(
    size: tuple[float, float],
    font: int,
    labels: list[Label],
    drawn: Sequence[_LookGroup],
    says: Mapping[Role, str],
) -> Picture:
    """Return a picture of rows of words with shapes, without a grid.

    Args:
        size: width and height in pixels.
        font: type size in pixels.
        labels: the words.
        drawn: the shapes, by look, back to front.
        says: texts of the legend that replace the usual ones, by role; such a look is in the legend even if nothing
            has it."""
    entries = legend.legend_entries_of_shapes([look for look, members in drawn if members or look.role in says])
    key = legend.drawn_entries([LegendEntry(says.get(entry.shape.role, entry.says), entry.shape) for entry in entries])
    groups = [
        ShapeGroup(_transparent_ink(ink_of(look), look, len(members)), 1, members) for look, members in drawn if members
    ]
    return Picture("", "", *size, font, font, False, [], labels, [], groups, key)
