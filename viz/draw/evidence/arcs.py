"""Pictures that are not grids: shared word pairs as arcs over the candidate, word order as lines that cross.

Both are a `Picture`, so that a page, a saved file and a notebook draw the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, pairwise
from typing import Literal, NamedTuple

from metrics.alignment.meteor_cells import crossings as count_crossings
from metrics.types import Hit, Layer, Relation, Result, Run, SkipBigram

from ..pen import grid, legend, marks, theme
from ..pen.layout import Label
from ..pen.legend import LegendEntry
from ..pen.picture import Picture, ShapeGroup
from ..pen.placed_shapes import Ink, PlacedShape, arch, ems, ink_of, marker
from ..pen.shapes import Shape, Term
from ..pen.theme import Kind, Role

ARCS_MOST = 700  # arcs and crossings beyond which they are only a blot
STEPS_MOST = 2_000  # of all steps: each shows its own
LINES_MOST = 130  # aligned words likewise
Words = Sequence[str]


# ---------------------------------------------------------------- which picture


def picture_kind(result: Result, most: int = ARCS_MOST) -> Literal["arcs", "crossings"] | None:
    """Which picture a result has beside its grid: crossings where it is about word order, arcs where it is made of
    pairs of words, None where it is neither or where there are more than `most`, too many to be told apart."""
    if _has_chunks(result):
        hits = [(hit.i, hit.j) for hit in result.cells()]
        return "crossings" if 1 < len(hits) <= LINES_MOST and count_crossings(hits) <= most else None
    layers = [layer for layer in result.layers if layer.marks and isinstance(layer.marks[0], SkipBigram)]
    if not 0 < sum(len(layer.marks) for layer in layers) <= most:
        return None
    return "crossings" if marks.counting(result, "order", cost=True) else "arcs"


def has_arcs(result: Result) -> bool:
    """Whether `arcs` shows a result."""
    return picture_kind(result) == "arcs"


def grid_first(result: Result) -> bool:
    """Whether the grid comes before the other picture: chunks and the stages of matches are easier to see on it, and so
    are pairs where all of their arcs would be too many."""
    return _has_chunks(result) or is_crowded(result)


def _has_chunks(result: Result) -> bool:
    return bool(_chunks(result))


def _chunks(result: Result) -> list[tuple[int, Layer]]:
    """The layers of chunks, of which a score has the fewer the better it is."""
    return marks.counting(result, "contiguity", cost=True)


def picture_of(candidate: Words, references: Sequence[Words], result: Result, width: int) -> Picture:
    """The picture that `picture_kind` names; ValueError where it names none."""
    kind = picture_kind(result)
    if not kind:
        raise ValueError(f"{result.metric} has no picture but its grid for these texts")
    return (arcs if kind == "arcs" else crossings)(candidate, references, result, width)


# ---------------------------------------------------------------- sentences in a row

FONTS = (14, 13, 12)  # pixels; tried in turn for words that stand level
TURNED = ((22.0, 13), (17.0, 11), (0.0, 10))  # sizes of slanted words by the least pixels that a word has then
UNIT_MOST, UNIT_LEAST = 84.0, 15.0  # pixels from word to word
EDGE = 8.0  # pixels left free around a picture
LEAST_WIDTH = 420  # of a picture with so much room, so that its legend need not wrap after every entry


class WordRows(NamedTuple):
    """Sentences that are equally broad: where the middle of each word is, the type size, and how far words turn."""

    places: tuple[tuple[float, ...], ...]
    font: int
    turn: int
    width: float


def rows_of(above: Words | None, below: Sequence[Words], width: float) -> WordRows:
    """Sets sentences into `width` pixels, one `above` a picture and others `below` it: level where their words fit
    beside each other, else slanted, with as much room for each word as there is, but at least UNIT_LEAST pixels, so
    that the whole may be broader."""
    sentences = [*below] if above is None else [above, *below]
    longest = max(len(sentence) for sentence in sentences)
    for font in FONTS:
        needed = max(_length(sentence, font) for sentence in sentences)
        if needed <= width - 2 * EDGE:
            length = min(width - 2 * EDGE, max(needed, UNIT_MOST * longest))
            places = tuple([_level(sentence, font, length) for sentence in sentences])
            return WordRows(places, font, 0, length + 2 * EDGE)
    unit, font, left_room, right = _slanted(above or (), below, longest, width)
    places = tuple([_even(len(sentence), left_room, unit * (longest - 1)) for sentence in sentences])
    return WordRows(places, font, 45, left_room + unit * (longest - 1) + right)


def _breadth(word: str, font: float) -> float:
    """Pixels that a word as it is written needs."""
    return ems(theme.visible(word, grid.LABEL)) * font


def _length(sentence: Words, font: int) -> float:
    """Pixels that a level sentence needs."""
    return sum([_breadth(word, font) for word in sentence]) + 0.7 * font * max(0, len(sentence) - 1)


def _level(sentence: Words, font: int, length: float) -> tuple[float, ...]:
    """The middles of words that stand level from edge to edge, with equal gaps."""
    breadths = [_breadth(word, font) for word in sentence]
    if len(sentence) == 1:
        return (EDGE + length / 2,)
    gap = (length - sum(breadths)) / max(1, len(sentence) - 1)
    out, x = [], EDGE
    for breadth in breadths:
        out.append(x + breadth / 2)
        x += breadth + gap
    return tuple(out)


def _even(count: int, start: float, length: float) -> tuple[float, ...]:
    """Places that are equally far from each other."""
    if count == 1:
        return (start + length / 2,)
    return tuple([start + length * n / (count - 1) for n in range(count)])


def _slanted(above: Words, below: Sequence[Words], longest: int, width: float) -> tuple[float, int, float, float]:
    """The room for a slanted word, its type size, and what is free at the left and at the right.

    Words above reach beyond the last one at the right, words below beyond the first one at the left.
    """
    unit = UNIT_MOST
    while True:
        font = next(size for least, size in TURNED if unit >= least)
        length = unit * (longest - 1)
        left_room = max([EDGE + font, *[room for row in below for room in _beyond(row, font, length)]])
        right = max([EDGE + font, *_beyond(above[::-1], font, length)])
        if left_room + length + right <= width or unit <= UNIT_LEAST:
            return unit, font, left_room, right
        unit = max(UNIT_LEAST, unit - 0.5)


def _beyond(sentence: Words, font: int, length: float) -> Iterator[float]:
    """How far each slanted word of an even row reaches beyond the first one, with the edge."""
    step = length / max(1, len(sentence) - 1)
    return (EDGE + _breadth(word, font) * 0.72 + font * 0.3 - n * step for n, word in enumerate(sentence))


def high_of(sentence: Words, rows: WordRows) -> float:
    """The height of a row of words."""
    if not rows.turn:
        return rows.font * 1.5
    return max([_breadth(word, rows.font) for word in sentence] or [0.0]) * 0.72 + rows.font * 0.9


def labels_of(
    sentence: Words, places: Sequence[float], rows: WordRows, y: float, name: str, up: bool = False
) -> list[Label]:
    """The words of a row whose edge towards the picture is at `y`; `up` for those above it."""
    way = -1 if up else 1
    down = y + way * rows.font * (0.45 if rows.turn else 0.75)
    side: Literal["left", "right", "centre"] = "centre" if not rows.turn else "left" if up else "right"
    return [
        Label(word, x, down, side, rows.turn, f"{name}{position}")
        for position, (word, x) in enumerate(zip(sentence, places, strict=True))
    ]


# ---------------------------------------------------------------- arcs

MANY = 100  # shared pairs from which on arcs let each other show through
HIGHEST = 230.0  # pixels of the longest arc
NEST = 3.5  # pixels between arcs of one pair that several references share


class _ArcPair(NamedTuple):
    """Two words of the candidate, the term that they are, and which of the terms of the same words that is."""

    a: int
    b: int
    term: tuple[int, int]
    repeat: int


def arcs(candidate: Words, references: Sequence[Words], result: Result, width: int) -> Picture:
    """Pairs of words as arcs over the candidate: shared pairs solid, others dotted: the reference lacks them,
    or has them as often as they count already.

    A pair that several references share has an arc for each, one under the other. Pairs that are lacking are only those
    within the window of the metric, and are left out where arcs would be too many to be told apart; of more than
    ARCS_MOST shared pairs the closest are drawn. The legend says what is left out.
    """
    all_pairs = _shared(result)
    lacking = _lacking(result, len(candidate), {(pair.a, pair.b) for pair in all_pairs})
    crowded = len(lacking) + len(all_pairs) > ARCS_MOST // 2
    shared, more = all_pairs[:ARCS_MOST], max(0, len(all_pairs) - ARCS_MOST)
    rows = rows_of(None, [candidate], width)
    (places,) = rows.places
    rise = Rise.over(places, [*shared, *([] if crowded else lacking)])
    foot = EDGE + rise.high
    drawn: list[_LookGroup] = [
        (_look("curve", "absent"), [_arc(pair, "absent", places, rise, foot) for pair in ([] if crowded else lacking)]),
        # The longest first: where arcs meet, the closer pair is on top.
        (_look("curve", "pair"), [_arc(pair, "pair", places, rise, foot) for pair in reversed(shared)]),
    ]
    says: dict[Role, str] = {"pair": f"pair shared with {_whose(result)}"} if len(references) > 1 and shared else {}
    if more:
        says["pair"] = f"{says.get('pair', 'shared pair')}, and {theme.count_text(more, 'more pair')} not drawn"
    if crowded and lacking:
        does = "does" if len(lacking) == 1 else "do"
        says["absent"] = f"{theme.count_text(len(lacking), 'pair')} that {does} not count, not drawn"
    labels = labels_of(candidate, places, rows, foot + 3, "c")
    size = (max(rows.width, min(width, LEAST_WIDTH)), foot + 3 + high_of(candidate, rows) + 8)
    return _picture(size, rows.font, labels, drawn, says)


def _whose(result: Result) -> str:
    """The references with which the pairs are shared."""
    numbers = sorted({layer.k + 1 for layer in result.layers if layer.k is not None and layer.marks})
    if len(numbers) == 1:
        return f"reference {numbers[0]}"
    return f"references {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


#: Words of a candidate from which on a page shows the arcs of one word at a time, and all of them on demand.
CROWDED = 20


def is_crowded(result: Result) -> bool:
    """Whether all arcs at once would be hard to read."""
    return has_arcs(result) and len(result.segment.candidate) >= CROWDED


def _shared(result: Result) -> list[_ArcPair]:
    """The shared pairs, the closest first."""
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


def _lacking(result: Result, words: int, shared: set[tuple[int, int]]) -> list[_ArcPair]:
    """The pairs of the candidate within the window of the metric that no reference shares."""
    window = getattr(result.settings, "max_skip", None)
    reach = words if window is None else window + 1
    return [
        _ArcPair(a, b, (-1, -1), 0)
        for a in range(words)
        for b in range(a + 1, min(words, a + reach + 1))
        if (a, b) not in shared
    ]


class Rise(NamedTuple):
    """How high arcs are: `high` pixels for the longest one, of `length` pixels."""

    high: float
    length: float

    @classmethod
    def over(cls, places: Sequence[float], pairs: Iterable[_ArcPair]) -> Rise:
        return cls.over_length(max([places[pair.b] - places[pair.a] for pair in pairs] or [1.0]))

    @classmethod
    def over_length(cls, length: float) -> Rise:
        """Where the longest arc has so many pixels."""
        return cls(min(HIGHEST, max(24.0, length / 2)), length)

    def height(self, breadth: float) -> float:
        """Short arcs are steeper than long ones, so that they stay round where the longest are flat; none of those that
        start at one word cut each other."""
        return float(self.high * (breadth / self.length) ** 0.75)


def _arc(pair: _ArcPair, role: Role, places: Sequence[float], rise: Rise, foot: float) -> PlacedShape:
    start, end = places[pair.a], places[pair.b]
    high = rise.height(end - start)
    high = max(high / 2, high - NEST * pair.repeat)
    term = pair.term if pair.term[0] >= 0 else None
    # A script shows the arcs of a word by these names.
    return PlacedShape("curve", arch(start, end, foot, high), 0, "", f"curve {role} w{pair.a} w{pair.b}", term=term)


# ---------------------------------------------------------------- crossings

_ALIGNED: dict[Relation, Role] = {
    "equal": "aligned",
    "stem": "aligned stem",
    "synonym": "aligned synonym",
    "similar": "aligned similar",
}
BAND = 8.0  # pixels that the band of a chunk reaches at most beyond its first and last word
DOT = 3.4  # radius in pixels
GAP = 8  # pixels between words and the ends of lines
MEETING = 0.85  # of the way down two lines that meet in one word, where the mark of their pair lies


class Order(NamedTuple):
    """The two rows of words that lines go between: where words are, and where the lines end."""

    above: Sequence[float]
    below: Sequence[float]
    top: float
    bottom: float

    def ends(self, hit: Hit) -> tuple[tuple[float, float], tuple[float, float]]:
        """Where the line of a hit starts at the candidate and ends at the reference."""
        return (self.above[hit.i], self.top), (self.below[hit.j], self.bottom)

    @property
    def band(self) -> float:
        """Pixels that a band reaches beyond its words, less than half of what is between the closest two."""
        gaps = [b - a for row in (self.above, self.below) for a, b in pairwise(row)]
        return min([BAND, *[0.38 * gap for gap in gaps]])

    def around(self, cells: Sequence[Hit]) -> tuple[tuple[float, float], ...]:
        """The corners of a band under the lines of a chunk, whose first and last cells are first and last here."""
        ((a, top), (a_end, bottom)), ((b, _), (b_end, _)) = self.ends(cells[0]), self.ends(cells[-1])
        side = self.band
        return ((a - side, top), (b + side, top), (b_end + side, bottom), (a_end - side, bottom))

    def crossing(self, pair: SkipBigram) -> tuple[float, float]:
        """The point in which the lines of a pair cross; between them, near the word, where they meet in one."""
        ((a, top), (a_end, bottom)), ((b, _), (b_end, _)) = (self.ends(hit) for hit in pair)
        down = MEETING if a_end == b_end else (b - a) / (b - a + a_end - b_end)
        return (a + b + down * (a_end - a + b_end - b)) / 2, top + down * (bottom - top)


def crossings(candidate: Words, references: Sequence[Words], result: Result, width: int) -> Picture:
    """The candidate's words above, the reference's below, a line for each aligned word: words in another order cross.

    Each crossing has an ✕, which stands for a discordant pair where the metric counts those; two words on one reference
    word, whose lines meet and do not cross, have a diamond. Chunks of several words lie on bands. The legend says how
    many crossings beyond ARCS_MOST are left out.
    """
    used = marks.ResultMarks.from_result(result).uses
    hits = sorted(hit for hit, use in used.items() if use.relation in _ALIGNED)
    k = hits[0].k if hits else 0
    reference = references[k]
    rows = rows_of(candidate, [reference], width)
    pairs, role, more = _crossing_pairs(result, hits)
    top = EDGE + high_of(candidate, rows) + GAP
    above, below = rows.places
    order = Order(above, below, top, top + min(240.0, 80 + 12 * max(len(candidate), len(reference))))
    word_terms = _word_terms(result)
    drawn: list[_LookGroup] = [(_look("polygon", "chunk"), [_band(order, term) for term in _long_chunks(result)])]
    for relation, name in _ALIGNED.items():
        aligned = [hit for hit in hits if used[hit].relation == relation]
        drawn.append((_look("line", name), [_thread(order, hit, word_terms) for hit in aligned]))
        drawn.append((_look("dot", name), [dot for hit in aligned for dot in _ends(order, hit, word_terms)]))
    size = max(2.6, 5 - len(pairs) / 150)
    crossed = [(pair, term) for pair, term in pairs if pair.first.j != pair.second.j]
    meeting = [(pair, term) for pair, term in pairs if pair.first.j == pair.second.j]
    for kind, of, own_pairs in ((_CROSS, role, crossed), (_DIAMOND, _MEETING, meeting)):
        drawn.append((_look(kind, of), [_knot(order, pair, kind, of, term, size) for pair, term in own_pairs]))
    says: dict[Role, str] = {role: f"words whose order is reversed, and {more:,} more not drawn"} if more else {}
    labels = labels_of(candidate, above, rows, top - GAP, "c", up=True)
    labels += labels_of(reference, below, rows, order.bottom + GAP, f"r{k}_")
    extent = (max(rows.width, min(width, LEAST_WIDTH)), order.bottom + GAP + high_of(reference, rows) + 8)
    return _picture(extent, rows.font, labels, drawn, says)


def _crossing_pairs(
    result: Result, hits: Sequence[Hit]
) -> tuple[list[tuple[SkipBigram, tuple[int, int] | None]], Role, int]:
    """The pairs of lines that cross, each with its term where the metric counts them, their role, and how many there
    are beyond ARCS_MOST."""
    if layers := marks.counting(result, "order", cost=True):
        total = sum(len(layer.marks) for _, layer in layers)
        terms = ((mark, (n, t)) for n, layer in layers for t, mark in enumerate(layer.marks))
        pairs = [(mark, term) for mark, term in islice(terms, ARCS_MOST) if isinstance(mark, SkipBigram)]
        return [*pairs], "discordant", max(0, total - ARCS_MOST)
    total = count_crossings([(hit.i, hit.j) for hit in hits])
    crossed = (SkipBigram(a, b) for a, b in combinations(hits, 2) if b.j < a.j)
    return [(pair, None) for pair in islice(crossed, ARCS_MOST)], "crossing", max(0, total - ARCS_MOST)


def _word_terms(result: Result) -> Mapping[Hit, tuple[int, int]]:
    """The terms that are one aligned word each."""
    return {
        mark: (n, t)
        for n, layer in enumerate(result.layers)
        if layer.marks and isinstance(layer.marks[0], Hit)
        for t, mark in enumerate(layer.marks)
        if isinstance(mark, Hit)
    }


def _long_chunks(result: Result) -> list[Term]:
    """The chunks of several words."""
    return [
        Term(n, t, mark)
        for n, layer in _chunks(result)
        for t, mark in enumerate(layer.marks)
        if isinstance(mark, Run) and mark.length > 1
    ]


def _band(order: Order, chunk: Term) -> PlacedShape:
    """A band under the lines of a chunk."""
    corners = order.around(chunk.mark.cells())
    return PlacedShape("polygon", corners, 0, "", "polygon chunk", term=(chunk.layer, chunk.t))


def _thread(order: Order, hit: Hit, word_terms: Mapping[Hit, tuple[int, int]]) -> PlacedShape:
    """The line of an aligned word."""
    return PlacedShape("line", order.ends(hit), 0, "", "line aligned", term=word_terms.get(hit), cell=hit)


def _ends(order: Order, hit: Hit, word_terms: Mapping[Hit, tuple[int, int]]) -> list[PlacedShape]:
    """The dots at the ends of such a line."""
    return [
        PlacedShape("dot", (end,), DOT, "", "dot aligned", term=word_terms.get(hit), cell=hit)
        for end in order.ends(hit)
    ]


_CROSS: Kind = "cross"
_DIAMOND: Kind = "diamond"
_MEETING: Role = "meeting"


def _knot(
    order: Order, pair: SkipBigram, kind: Kind, role: Role, term: tuple[int, int] | None, size: float
) -> PlacedShape:
    """The mark of a pair; one that is no term is known by its words."""
    (i, k, j), (i_end, _, j_end) = pair
    words = "" if term else f"c{i} c{i_end} r{k}_{j} r{k}_{j_end}"
    return marker(kind, (order.crossing(pair),), size, f"{kind} {role}")._replace(term=term, words=words)


# ---------------------------------------------------------------- both

_LookGroup = tuple[Shape, list[PlacedShape]]  # shapes of one look


def _look(kind: Kind, role: Role) -> Shape:
    """A shape that stands for all of its look."""
    return Shape(kind, role, 0, ())


def _clearer(ink: Ink, look: Shape, count: int) -> Ink:
    """Many arcs let each other show through, so that where they lie closer is seen."""
    return ink._replace(strength=max(0.35, min(1.0, MANY / count))) if look.role == "pair" else ink


def _picture(
    size: tuple[float, float],
    font: int,
    labels: list[Label],
    drawn: Sequence[_LookGroup],
    says: Mapping[Role, str],
) -> Picture:
    """A picture without a grid. The legend has every look that is drawn or that `says` has words for, which take the
    place of its own."""
    entries = legend.entries([look for look, members in drawn if members or look.role in says])
    key = legend.keys([LegendEntry(says.get(entry.shape.role, entry.says), entry.shape) for entry in entries])
    groups = [ShapeGroup(_clearer(ink_of(look), look, len(members)), 1, members) for look, members in drawn if members]
    return Picture("", "", *size, font, font, False, [], labels, [], groups, key)
