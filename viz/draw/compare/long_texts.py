"""Draw two long outputs as a whole: A, the reference and B in columns side by side.

Ribbons lead from the words of both outputs to the reference words that they are matched with, coloured by the fate
of each match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from metrics.analysis.difference import DiffPlace, MatchDifference
from metrics.text.sentences import align_sentences, join_beads, sentences
from metrics.types import Relation

from ..evidence import columns
from ..evidence.columns import Ribbon
from ..pen.marks import ResultMarks
from ..pen.text import safe
from . import changed_words, differences
from .changed_words import Fate, TextPair
from .differences import SIDES, Names


class Strand(NamedTuple):
    """A ribbon between successive words of an output and a reference, with the fate and relation of their matches."""

    ribbon: Ribbon
    fate: Fate
    relation: Relation


def draw_columns(
    texts: TextPair,
    both_marks: tuple[ResultMarks, ResultMarks],
    diff: MatchDifference,
    names: Names,
    first: int,
    labels: Sequence[str],
) -> str:
    """Return A, the references and B as columns of HTML.

    Words are coloured by the fates of their matches.

    Args:
        texts: A and B.
        both_marks: the marks of A's and of B's result.
        names: names of A and B.
        first: index of the reference that is visible at first.
        labels: labels of the references as HTML."""
    results, references = (both_marks[0].result, both_marks[1].result), texts[0].reference_words
    words = changed_words.output_words(texts, both_marks, diff)
    parts = [sentences(each.candidate_words) for each in texts]
    strands = [[*split_ribbons(marks, diff, side)] for side, marks in zip(SIDES, both_marks, strict=True)]
    heads, sides, note = [], [], ""
    for side, name, each, html_words, part in zip(SIDES, names, texts, words, parts, strict=True):
        heads.append(f'<div class="lb {side}"><b><bdi>{safe(name)}</bdi></b></div>')
        inner = columns.paragraphs(each.candidate, html_words, part) or changed_words.EMPTY
        sides.append(f'<div class="side {side}">{inner}</div>')
    for k, reference in enumerate(texts[0].references):
        of = f'data-reference="{k}"{"" if k == first else " hidden"}'
        theirs = sentences(references[k])
        reference_html = changed_words.reference_words(references[k], diff, k, results)
        heads.append(f'<div class="lb ref" {of}>{labels[k]}</div>')
        rows = _sentence_rows_attribute(texts, k, parts, theirs)
        sides.append(f'<div class="side ref" {of}{rows}>{columns.paragraphs(reference, reference_html, theirs)}</div>')
        for side, all_ in zip(SIDES, strands, strict=True):
            mine = {strand.ribbon: strand for strand in all_ if strand.ribbon.k == k}
            longest_ribbons = columns.drawn_ribbons(mine)
            groups = _ribbon_groups_svg([mine[ribbon] for ribbon in longest_ribbons])
            sides.append(f'<svg class="ribbons ref" {of} data-side="{side}" aria-hidden="true">{groups}</svg>')
            if len(longest_ribbons) < len(mine):
                note += columns.truncation_note(of, len(longest_ribbons), len(mine))
    choice = (
        columns.reference_choice([first, *(k for k in range(len(labels)) if k != first)], labels)
        if len(labels) > 1
        else ""
    )
    return f"{choice}{columns.scroll_box([*heads, *sides], ' three')}{note}"


def overview_maps_html(texts: TextPair, both_marks: tuple[ResultMarks, ResultMarks], names: Names, first: int) -> str:
    """Return small maps of the whole grids of A and of B with each reference, as HTML.

    `both_marks` are the marks of their results. At first only the maps of reference `first` are visible."""
    out = []
    for k in range(len(texts[0].references)):
        each = []
        for side, name, side_texts, marks in zip(SIDES, names, texts, both_marks, strict=True):
            if not side_texts.candidate:
                continue
            used = [cell for cell, use in marks.uses.items() if cell.k == k and use.relation != "different"]
            map_html = columns.map_html(side_texts, k, used, side, f"all matches of {safe(name, 60)}")
            each.append(f"<figure>{map_html}<figcaption><bdi>{safe(name, 60)}</bdi></figcaption></figure>")
        hidden = "" if k == first else " hidden"
        out.append(f'<div class="ref maps" data-reference="{k}"{hidden}>{"".join(each)}</div>')
    return "".join(out)


def split_ribbons(marks: ResultMarks, diff: MatchDifference, side: str) -> Iterator[Strand]:
    """Yield the ribbons between matched words of an output and the references, split where the fate changes.

    `marks` are the marks of the output's result, and `side` is "a" or "b"."""
    numbers, fates = differences.rows_by_position(diff.rows, side), fates_of_cells(diff)
    for ribbon in columns.ribbons_of(marks):
        if ribbon.use.relation == "different":
            continue  # no match
        fate_at = [
            fates.get(DiffPlace(numbers[ribbon.i + at], ribbon.k, ribbon.j + at), "kept") for at in range(ribbon.length)
        ]
        for fate, run in groupby(range(ribbon.length), fate_at.__getitem__):
            places = [*run]
            piece = ribbon._replace(i=ribbon.i + places[0], j=ribbon.j + places[0], length=len(places))
            yield Strand(piece, fate, ribbon.use.relation)


def fates_of_cells(diff: MatchDifference) -> Mapping[DiffPlace, Fate]:
    """Return the fate of each cell of the difference that is not kept: gained, lost, moved or elsewhere."""
    out: dict[DiffPlace, Fate] = {}
    for old, new in diff.moved:
        out[old] = out[new] = differences.move_kind(old, new)
    return out | dict.fromkeys(diff.lost, "lost") | dict.fromkeys(diff.gained, "gained")


def _ribbon_groups_svg(strands: Iterable[Strand]) -> str:
    """Return the ribbons as SVG groups, one for each fate and relation, because these have different looks."""
    groups: defaultdict[tuple[Fate, Relation], list[Ribbon]] = defaultdict(list)
    for strand in strands:
        groups[strand.fate, strand.relation].append(strand.ribbon)
    out = []
    for (fate, relation), ribbons in sorted(groups.items()):
        classes = " ".join([fate, *changed_words.fate_classes(fate, relation)])
        says = escape(changed_words.describe_fate(fate))
        out.append(f'<g class="{classes}" data-says="{says}" data-ribbons="{columns.ribbons_attribute(ribbons)}"></g>')
    return "".join(out)


def _sentence_rows_attribute(
    texts: TextPair, k: int, output_sentences: Sequence[Sequence[range]], reference_sentences: Sequence[range]
) -> str:
    """Return which sentences of A, reference `k` and B belong together, as an HTML attribute.

    Sentences are ranges of word positions: `output_sentences` those of A and of B, `reference_sentences` those of the
    reference. The result is "" where the sentence breaks do not agree."""
    beads = [
        align_sentences(each.segment.candidate, each.segment.references[k], sentence_ranges, reference_sentences)
        for each, sentence_ranges in zip(texts, output_sentences, strict=True)
    ]
    if beads[0] is None or beads[1] is None:
        return ""
    return f' data-rows="{" ".join([",".join(map(str, row)) for row in join_beads(beads[0], beads[1])])}"'
