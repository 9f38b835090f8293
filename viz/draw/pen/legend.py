"""Make the legend of a picture: one entry for each meaning of its shapes, with a sample of the shape."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from metrics.types import Relation

from .placed_shapes import Ink, PlacedShape, arch, ink_of, marker_shape
from .shapes import MARKERS, Point, Shape, square
from .theme import LOOKS, Kind, Role

ROUNDS_NAMED = 8  # the most rounds in the legend; the digits in the cells identify the others


class LegendEntry(NamedTuple):
    """An entry of the legend: its text, and one of the shapes that it explains."""

    says: str
    shape: Shape


def legend_entries_of_shapes(drawn: Iterable[Shape]) -> list[LegendEntry]:
    """Return a legend entry for each meaning of the drawn shapes, in the order of `theme.LOOKS`."""
    looks: dict[tuple[Role, Kind], list[Shape]] = {}
    for shape in drawn:
        looks.setdefault((shape.role, shape.kind), []).append(shape)
    out = []
    for look, about in LOOKS.items():
        members, says = looks.get(look, []), about.legend
        if look == ("round", "polygon"):
            rounds = {shape.number: shape._replace(level=0) for shape in members}
            out += [LegendEntry(rounds[number].says, rounds[number]) for number in sorted(rounds)[:ROUNDS_NAMED]]
            out += [LegendEntry("similar word", shape) for shape in members if shape.level][:1]
        elif look == ("shared", "polygon"):
            out += _tint_entries(members)
        elif look == ("link", "line") and any(shape.level > 1 for shape in members):
            out.append(LegendEntry("run, thicker where more n-grams contain it", members[0]))
        elif look == ("used", "dot") and any(("used", MARKERS[other]) in looks for other in _OTHERS):
            out += [LegendEntry("same word", shape) for shape in members[:1]]
        else:
            out += [LegendEntry(says or shape.says, shape) for shape in members[:1] if says or shape.says]
    if chosen := [shape for (role, _), members in looks.items() for shape in members if role == "selected"]:
        out.append(LegendEntry(chosen[0].says or "selected term", Shape("polygon", "selected", 0, square(0, 0, 1))))
    # Similar words may be within rounds or outside, and ties may be rings or squares: keep the first entry of a text.
    return [entry for n, entry in enumerate(out) if entry.says not in [other.says for other in out[:n]]]


_OTHERS: tuple[Relation, ...] = ("stem", "synonym", "similar")


def _tint_entries(members: Iterable[Shape]) -> list[LegendEntry]:
    """Return a legend entry for each tint, which names the range of counts that have it: "used by 3 to 5".

    `members` are the tinted shapes; their `number` is the count."""
    levels: dict[int, list[Shape]] = {}
    for shape in sorted(members, key=lambda s: s.number):
        levels.setdefault(shape.level, []).append(shape)
    out = []
    for _, shapes in sorted(levels.items()):
        low, high = shapes[0].number, shapes[-1].number
        out.append(LegendEntry(f"used by {low}" if low == high else f"used by {low} to {high}", shapes[-1]))
    return out


class DrawnEntry(NamedTuple):
    """An entry of the legend as it is drawn.

    Attributes:
        ink: the colours of the sample.
        sample: the shape that is the sample.
        text: the text.
        word: the CSS classes of the text, the same as those of words with this look elsewhere on the page.
        under: shapes drawn below the sample, with their colours."""

    ink: Ink
    sample: PlacedShape
    text: str
    word: str = ""
    under: tuple[tuple[Ink, PlacedShape], ...] = ()

    def sample_layers(self) -> tuple[tuple[Ink, PlacedShape], ...]:
        """Return all shapes that make up the sample with their colours, back to front."""
        return (*self.under, (self.ink, self.sample))


def drawn_entries(legend_entries: Iterable[LegendEntry]) -> list[DrawnEntry]:
    """Convert legend entries to what is drawn; each sample is in a square of 12 pixels."""
    out, listed = [], [*legend_entries]
    for says, shape in listed:
        if shape.kind == "curve":
            points: tuple[Point, ...] = arch(0, 12, 11, 9)
        elif shape.kind == "line":
            points = ((0, 6), (12, 6))
        elif shape.role == "area":
            points = ((0, 0), (12, 12), (0, 12))
        elif shape.kind == "polygon" and shape.cell:
            points = tuple([((c - shape.cell.j) * 12, (r - shape.cell.i) * 12) for r, c in shape.points])
        elif shape.kind == "polygon":
            points = ((0, 0), (12, 0), (12, 12), (0, 12))
        else:
            points = ((6, 6),)
        size = 5.5 if shape.kind in ("plus", "minus") else 5
        # Words of hexagons look alike within rounds and outside. Words of dots look like all used words.
        similar = shape.role == "round" and shape.level
        look = LOOKS["used", "hexagon"] if similar else LOOKS[shape.role, shape.kind]
        word = look.word if (shape.role, shape.kind) != ("used", "dot") else ""
        word = "of-ties" if shape.role in ("always", "sometimes") else word
        if shape.text:
            size = 10
        sample = marker_shape(shape.kind, points, size, "key", shape.text or str(shape.number))
        out.append(DrawnEntry(ink_of(shape)._replace(strength=1), sample, says, word))
    # The sample for a cell that both results use has the marks of both.
    halves = {entry.shape.role: (key.ink, key.sample) for entry, key in zip(listed, out, strict=True)}
    under = tuple([halves[role] for role in _HALVES if role in halves])
    used_by_both = [entry.shape.role == "both" for entry in listed]
    return [key._replace(under=under) if of_two else key for key, of_two in zip(out, used_by_both, strict=True)]


_HALVES: tuple[Role, ...] = ("first", "second")
