"""Define segments and results for the tests of pictures and tables.

Some functions find, slowly and obviously, what a picture must show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

import metrics
from metrics.formula import CreditSum, Number, Sum, step
from metrics.types import (
    Alignment,
    Edit,
    Hit,
    Layer,
    Letters,
    Metric,
    MetricDescription,
    Neighbours,
    Relation,
    Result,
    Run,
    Score,
    Segment,
    Settings,
    Shift,
    SkipBigram,
    StatisticRole,
)
from tests.helpers.tables import every_row

HOSTILE = ("<b>", "$x$", "%{x}", "&amp;", "<script>alert(1)</script>", "a\u202eb", "\x00", "\ud800", "\"'", "=1+1")

SEGMENTS: dict[str, tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]] = {
    "one reference": (("police", "kill", "the", "gunman"), (("police", "killed", "the", "gunman"),)),
    "two references": (
        tuple("England with France discussed this crisis in London".split()),
        (
            tuple("Britain and France consulted about this crisis in London with each other".split()),
            tuple("England and France discussed the crisis in London".split()),
        ),
    ),
    "precision and recall from two references": (("a", "b", "c", "d"), (tuple("abcxyz"), ("a", "b"))),
    "repeats": (tuple("ababa"), (tuple("babaa"), tuple("aa"))),
    "a run cut by GTM's cap": (tuple("abcabcabc"), (tuple("abcab"), tuple("cabc"))),
    "one word": (("a",), (("a",),)),
    "no match": (tuple("abc"), (tuple("de"), tuple("f"))),
    "one row, many columns": (("a",), (tuple("bcadeafg"),)),
    "hostile": (HOSTILE, (HOSTILE[::-1], HOSTILE[3:])),
    "no candidate": ((), (tuple("ab"),)),
    "no reference": (tuple("ab"), ((),)),
}
SETTINGS: dict[str, list[dict[str, Any]]] = {  # used in addition to the defaults
    "rouge_n": [{"order": 2}],
    "rouge_s": [{"max_skip": 1, "unigrams": True}],
    "gtm": [{"exponent": 1.0}],
    "dcs": [{"overlap": "disjoint"}],
}


# ---------------------------------------------------------------- results made by hand, for each type of mark


def _sum_credits(stats: Any, settings: Any) -> Score:
    return Score(sum(stats.values()), {})


def _sum_of_credits_formula(result: Result) -> Any:
    layers = [
        step(layer.name, CreditSum(n, [Number(credit) for credit in layer.credits]))
        for n, layer in enumerate(result.layers)
    ]
    return (*layers, step("made", Sum(*[layer.number() for layer in layers])))


def _empty_alignment(segment: Segment, settings: Any, marks: bool) -> Alignment:
    return Alignment({"credits": 0.0}, (), {"score": 0})


#: A metric whose score is the sum of all credits. The fixture `made_metric` adds it to the catalogue.
MADE = Metric(
    "made",
    "Made",
    "Made by hand",
    MetricDescription("Sums credits."),
    "",
    "",
    True,
    "sum",
    Settings,
    _empty_alignment,
    _sum_credits,
    _sum_of_credits_formula,
    lambda name: {
        "chunks": StatisticRole("contiguity", cost=True),
        "discordant": StatisticRole("order", cost=True),
    }.get(name, StatisticRole("match")),
)


def made_result(candidate: str, references: list[str], *layers: Layer) -> Result:
    """Return a result of an invented metric "made", which scores one point for each mark in `layers`."""
    words = Segment(tuple(candidate.split()), tuple([tuple(r.split()) for r in references]))
    filled = tuple([layer._replace(credits=(1.0,) * len(layer.marks)) for layer in layers])
    total = float(sum(len(layer.marks) for layer in layers))
    return Result("made", Settings(), words, total, {}, {"credits": total}, filled, {"score": 0})


def hits_at(*pairs: tuple[int, int], k: int = 0) -> tuple[Hit, ...]:
    return tuple([Hit(i, k, j) for i, j in pairs])


def one_edit(op: Any, i: int, i_end: int, j: int, j_end: int, k: int = 0) -> tuple[Edit]:
    return (Edit(op, i, i_end, k, j, j_end),)


_CATS = "the cats sat on the large mat today", ["today the cat sat upon the big mat"]
_SHIFTED = "in London the crisis was discussed by England yesterday and France"
MADE_RESULTS = {
    "stages and chunks": made_result(
        *_CATS,
        Layer("exact", hits_at((0, 1), (2, 3), (4, 5), (6, 7), (7, 0)), ()),
        Layer("stem", hits_at((1, 2)), (), relation="stem"),
        Layer("synonym", hits_at((3, 4), (5, 6)), (), relation="synonym"),
        Layer("chunks", (Run(0, 0, 1, 7), Run(7, 0, 0, 1)), (), noun="chunk"),
    ),
    "rounds of similar words": made_result(
        *_CATS,
        Layer("not in a round", hits_at((5, 6), (6, 7), (2, 3)), (), relation="similar"),
        Layer("round 1", hits_at((0, 1), (1, 2), (2, 3)), (), number=1, path=True, relation="similar"),
        Layer("round 2", hits_at((3, 4), (4, 5)), (), number=2),
    ),
    "shifts": made_result(
        _SHIFTED,
        ["", "the crisis was debated by England and France in London"],
        Layer("shift 1", (Shift(0, 2, 9, 1, 8, (0, 1)),), (), number=1),
        Layer("shift 2", (Shift(7, 9, 6, 1, 6, (9, 10)),), (), number=2),
        Layer("substitutions", one_edit("substitution", 5, 6, 3, 4, k=1), (), relation="different"),
        Layer("insertions", one_edit("insertion", 8, 9, 8, 8, k=1), ()),
        Layer("deletions", (), ()),
        Layer("hits", one_edit("match", 2, 5, 0, 3, k=1) + one_edit("match", 6, 8, 4, 6, k=1), ()),
        Layer("moved", one_edit("match", 9, 11, 6, 8, k=1) + one_edit("match", 0, 2, 8, 10, k=1), ()),
    ),
    # "b c" moves behind "d", then "d b" moves before "a": the second block has words from different places.
    "a block of words from apart": made_result(
        "a b c d",
        ["d b a c"],
        Layer("shift 1", (Shift(1, 3, 2, 0, 1, (1, 2)),), (), number=1),
        Layer("shift 2", (Shift(1, 3, 0, 0, 0, (3, 1)),), (), number=2),
        Layer(
            "hits", one_edit("match", 3, 4, 0, 1) + one_edit("match", 1, 2, 1, 2) + one_edit("match", 0, 1, 2, 3), ()
        ),
        Layer("last", one_edit("match", 2, 3, 3, 4), ()),
    ),
    "edits of several words": made_result(
        "a b c x y d e z z",
        ["w", "a b p q d r s e"],
        Layer("match", one_edit("match", 0, 2, 0, 2, k=1) + one_edit("match", 5, 6, 4, 5, k=1), ()),
        Layer("rest", one_edit("match", 6, 7, 7, 8, k=1), ()),
        Layer("substitution", one_edit("substitution", 2, 4, 2, 4, k=1), ()),
        Layer("insertion", one_edit("insertion", 4, 5, 4, 4, k=1) + one_edit("insertion", 7, 9, 8, 8, k=1), ()),
        Layer("deletion", one_edit("deletion", 6, 6, 5, 7, k=1), ()),
    ),
    "n-grams": made_result(
        "a b c d e a b",
        ["a b c d x a b", "d e"],
        Layer("1-grams", (*[Run(i, 0, i, 1) for i in (0, 1, 2, 3, 5, 6)], Run(4, 1, 1, 1)), ()),
        Layer("2-grams", (*[Run(i, 0, i, 2) for i in (0, 1, 2)], Run(3, 1, 0, 2), Run(5, 0, 5, 2)), ()),
        Layer("3-grams", (Run(0, 0, 0, 3), Run(1, 0, 1, 3)), ()),
        Layer("4-grams", (Run(0, 0, 0, 4),), ()),
    ),
    "discordant pairs": made_result(
        "a b c d",
        ["x", "c a d b"],
        Layer("aligned words", hits_at((0, 1), (1, 3), (2, 0), (3, 2), k=1), ()),
        Layer("concordant pairs", (SkipBigram(Hit(0, 1, 1), Hit(1, 1, 3)),), (), statistics=("concordant",)),
        Layer(
            "discordant pairs",
            (SkipBigram(Hit(0, 1, 1), Hit(2, 1, 0)), SkipBigram(Hit(1, 1, 3), Hit(3, 1, 2))),
            (),
            statistics=("discordant",),
        ),
    ),
    "hostile edits": made_result(
        " ".join(HOSTILE),
        [" ".join(HOSTILE[::-1])],
        Layer("substitution", one_edit("substitution", 0, 4, 0, 4), ()),
        Layer("insertion", one_edit("insertion", 4, 10, 4, 4), ()),
        Layer("deletion", one_edit("deletion", 10, 10, 4, 10), ()),
    ),
}

CASES = [(key, name, given) for key in metrics.METRICS for given in ({}, *SETTINGS.get(key, ())) for name in SEGMENTS]
CASES += [("made", name, {}) for name in MADE_RESULTS]
every_case = every_row(("key", "name", "given"), CASES)


def result_of(key: str, name: str, given: dict[str, Any] | None = None) -> Result:
    if key == "made":
        return MADE_RESULTS[name]
    return _cached_result(key, name, tuple((given or {}).items()))


@cache
def _cached_result(key: str, name: str, given: tuple[tuple[str, Any], ...]) -> Result:
    return metrics.score(key, *SEGMENTS[name], **dict(given))


def all_hits(result: Result) -> list[Hit]:
    """Return every pair of equal words as a hit, reference by reference."""
    candidate, references = result.segment
    return [
        Hit(i, k, j)
        for k, reference in enumerate(references)
        for i, a in enumerate(candidate)
        for j, b in enumerate(reference)
        if a == b
    ]


def layers_shown(result: Result, rounds: int | None = None) -> list[Any]:
    """Return the layers that a picture of the first `rounds` rounds shows; None means all layers."""
    return [x for x in result.layers if rounds is None or x.number is None or x.number <= rounds]


def matching_letters(result: Result) -> dict[Hit, tuple[set[int], set[int]]]:
    """Return, by cell, (positions of matching letters in the candidate's word, positions in the reference's word).

    The dict is empty for results whose marks do not cover letters."""
    out: dict[Hit, tuple[set[int], set[int]]] = {}
    for layer in result.layers:
        for mark in layer.marks if layer.unit == "character" else ():
            assert isinstance(mark, Letters)
            for i, j, at, to, length in mark.pieces:
                ours, theirs = out.setdefault(Hit(i, mark.k, j), (set(), set()))
                ours |= {*range(at, at + length)}
                theirs |= {*range(to, to + length)}
    return out


def cell_relations(result: Result, rounds: int | None = None) -> dict[Hit, Relation]:
    """Return the relation of the two words of each marked cell, such as "equal", by cell.

    The first layer that marks a cell decides. Only the first `rounds` rounds count; None means all."""
    candidate, references = result.segment
    out: dict[Hit, Relation] = {}
    for layer in layers_shown(result, rounds):
        for mark in layer.marks:
            for cell in mark.cells():
                same = candidate[cell.i] == references[cell.k][cell.j]
                if layer.relation == "different" or getattr(mark, "op", "") == "substitution":
                    out.setdefault(cell, "different")
                elif layer.relation in ("stem", "synonym"):
                    out.setdefault(cell, layer.relation)
                else:
                    out.setdefault(cell, "equal" if same else "similar")
    return out


def first_rounds(result: Result, rounds: int | None = None) -> dict[Hit, int]:
    """Return the first round that marks a cell, by cell; cells of no round are left out."""
    out: dict[Hit, int] = {}
    for layer in layers_shown(result, rounds):
        for mark in layer.marks if layer.number else ():
            for cell in mark.cells():
                out.setdefault(cell, layer.number)
    return out


def used_cells(result: Result, rounds: int | None = None) -> set[Hit]:
    """Return the cells that the marks use, except those of substitutions."""
    return {cell for cell, relation in cell_relations(result, rounds).items() if relation != "different"}


def edits(result: Result, *ops: str) -> list[Edit]:
    return [m for x in result.layers for m in x.marks if isinstance(m, Edit) and m.op in ops]


def word_names(cells: Iterable[Hit]) -> set[str]:
    """Return the names of the words of some cells: "c3" is candidate word 3, "r0_5" word 5 of reference 0."""
    return {name for c in cells for name in (f"c{c.i}", f"r{c.k}_{c.j}")}


def words_of(mark: Any) -> set[str]:
    """Return the names of the words that a mark covers."""
    if isinstance(mark, Edit):
        rows, columns = range(mark.i_start, mark.i_end), range(mark.j_start, mark.j_end)
        return {f"c{i}" for i in rows} | {f"r{mark.k}_{j}" for j in columns}
    return word_names(mark.cells())


def words_by_name(result: Result) -> dict[str, str]:
    """Return the words of a result's texts by their names."""
    candidate, references = result.segment
    out = {f"c{i}": word for i, word in enumerate(candidate)}
    return out | {f"r{k}_{j}": word for k, r in enumerate(references) for j, word in enumerate(r)}


def marks_by_term(result: Result, kind: type = object) -> dict[str, Any]:
    """Return the marks of one type by the names of their terms: "1:3" is mark 3 of layer 1."""
    marks = {f"{n}:{t}": mark for n, layer in enumerate(result.layers) for t, mark in enumerate(layer.marks)}
    return {term: mark for term, mark in marks.items() if isinstance(mark, kind)}


def shapes_by_term(result: Result) -> Counter[str]:
    """Return how many shapes of a grid have the name of a term, because they stand for it and for no cell."""
    out: Counter[str] = Counter()
    for n, layer in enumerate(result.layers):
        for t, mark in enumerate(layer.marks):
            if isinstance(mark, Neighbours):
                out[f"{n}:{t}"] = 2  # two triangles
            elif isinstance(mark, Run) and layer.area:
                # A block, and the part that was cut off it.
                out[f"{n}:{t}"] = 1 + bool(layer.cut and layer.cut.t == t)
            elif isinstance(mark, Edit) and mark.op in ("insertion", "deletion"):
                out[f"{n}:{t}"] = 2  # a line and a sign
            elif isinstance(mark, Shift):
                out[f"{n}:{t}"] = 3  # a bar, a line and an arrowhead
    return out
