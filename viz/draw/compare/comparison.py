"""Draw the comparison of two outputs over the same references as one piece of HTML.

It has the words of all texts, the grid of the difference, the outputs' own grids on demand, and an inspector that
explains in steps why the score changed. Everything is made from an `OutputPair`; page and saved file show the same.
Names on the page: words of A (`a3`) and B (`b4`), rows of their difference (`d5`), words of the references (`r0_2`),
and cells, made of a row and a reference word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import NamedTuple

import metrics
from metrics.analysis.changes import LedgerChange
from metrics.analysis.deciding_references import parts_by_references, tied_references
from metrics.analysis.difference import DiffPlace, MatchDifference
from metrics.analysis.sentence import EQUAL, QuotedWords, SentencePart, difference_sentence
from metrics.types import Hit, Result

from ..evidence import error_spans
from ..evidence.drawn_result import SettingOffer
from ..evidence.figure import drawing_html, folded_reference
from ..evidence.fragment import header, root_element
from ..evidence.inspector import folded_part, offer_button, signature_html
from ..evidence.words import source_line
from ..pen import legend, picture, svg, theme
from ..pen.grid import DIRECT, Window
from ..pen.marks import ResultMarks, references_by_credit
from ..pen.numbers import change_text, score_text
from ..pen.picture import Picture
from ..pen.shapes import Shape
from ..pen.text import isolated, safe
from ..texts import ProcessedTexts
from . import changed_marks, changed_words, changes_table, differences, folding, long_texts, scores
from .changes_table import ScoreSteps
from .differences import DifferenceLayout, GridRoom, Names
from .folding import Folds
from .scores import DECIMALS


@dataclass(frozen=True)
class OutputPair:
    """Two outputs A and B over the same references, with their results by one metric and what changed between them."""

    a: ProcessedTexts
    b: ProcessedTexts
    names: Names
    before: Result
    after: Result
    difference: MatchDifference
    steps: tuple[LedgerChange, ...]
    decimals: int = DECIMALS  # of scores and shares

    @property
    def delta(self) -> float:
        """Return B's score minus A's."""
        return self.after.score - self.before.score

    @property
    def higher_is_better(self) -> bool:
        return metrics.METRICS[self.before.metric].higher_is_better

    @cached_property
    def references(self) -> tuple[tuple[str, ...], ...]:
        return self.a.reference_words

    @property
    def results(self) -> tuple[Result, Result]:
        return self.before, self.after

    @cached_property
    def marks(self) -> tuple[ResultMarks, ResultMarks]:
        """Return the `ResultMarks` of A's and of B's result."""
        return ResultMarks.from_result(self.before), ResultMarks.from_result(self.after)

    @cached_property
    def labels(self) -> list[str]:
        """Return the labels of the grid's rows: the word of each row of the word diff, with a sign."""
        return differences.row_labels(self.a.candidate_words, self.b.candidate_words, self.difference.rows)

    @property
    def is_long(self) -> bool:
        """Return whether the texts of this pair are too long for whole grids, so that only a window is drawn."""
        return max(map(len, (self.a.candidate, self.b.candidate, *self.references))) > DIRECT

    @property
    def same_words(self) -> bool:
        return self.a.segment.candidate == self.b.segment.candidate

    @cached_property
    def score_steps(self) -> ScoreSteps:
        """Return the data for the table of the steps from A's score to B's."""
        return ScoreSteps(
            self.a, self.b, *self.results, self.difference.rows, self.steps, self.higher_is_better, self.decimals
        )

    @cached_property
    def used_references(self) -> tuple[int, ...]:
        """Return the indices of the references that have a cell used by A or B, or all indices where no cell is used.

        References with the most credit in both results come first."""
        everyone = range(len(self.references))
        order = references_by_credit(self.results, everyone)
        return tuple([k for k in order if differences.count_used_cells(self.difference, k)] or everyone)


def fragment(
    pair: OutputPair,
    hits: Sequence[Sequence[Hit]],
    room: GridRoom,
    part: Window | None = None,
    offer: SettingOffer | None = None,
    all_rows: bool | None = None,
) -> str:
    """Return the whole comparison as HTML; the parameters are those of `evidence`."""
    return root_element(pair.before.metric, verdict(pair) + evidence(pair, hits, room, part, offer, all_rows=all_rows))


def evidence(
    pair: OutputPair,
    hits: Sequence[Sequence[Hit]],
    room: GridRoom,
    part: Window | None = None,
    offer: SettingOffer | None = None,
    no_grids: str = "",
    all_rows: bool | None = None,
    folds: bool = True,
) -> str:
    """Return the comparison below its verdict, as the inside of a fragment, for a page with the given `room`.

    The grid of the difference is next to the merged line and the steps. The words of all texts, the signature and
    the outputs' own grids are in parts that the reader opens.

    Args:
        hits: all matches of A's grid and of B's grid; for long texts only those in `part`.
        part: for long texts, the window of the grid of the difference that is drawn.
        offer: a setting whose change the inspector offers, or None.
        no_grids: the reason why the grids are omitted, or "".
        all_rows: whether the visitor wants all rows of the grid. False allows the grid to fold rows where there is
            little room; None, where nobody can be asked (as in a saved file), does not.
        folds: whether the words of all texts, and the legend, are closed at first."""
    if no_grids:
        figure, grids_html = f'<p class="note">{escape(no_grids)}</p>', ""
    else:
        fit, rows = layout_with_button(pair, room, part, all_rows)
        whole = overview_maps_html(pair, part) if part else ""
        figure = whole + difference_grids_html(pair, hits, fit, part, rows, folds)
        grids_html = own_grids(pair, hits, fit, part)
    strips = word_lines_html(pair, hits, part)
    if part:  # the columns of long texts need the full width
        above, merged = f'<div class="words">{strips}</div>', ""
    else:
        above, merged = "", f'<div class="words">{merged_line(pair)}</div>'
        strips = folded_part("strips", "Words of A, B and the references", strips, not folds)
    inspector_html = inspector(pair, offer, "" if part else strips)
    side = f'<div class="side">{merged}<div class="inspector">{inspector_html}</div></div>'
    below = f'<div class="own">{grids_html}</div>' if grids_html else ""
    return f'{above}<div class="frame pair beside"><div class="figure">{figure}</div>{side}</div>{below}'


# ---------------------------------------------------------------- words


def merged_line(pair: OutputPair) -> str:
    """Return A and B merged into one line, coloured by the fates of the matches."""
    a, b = (f"<bdi>{safe(name)}</bdi>" for name in pair.names)
    label = f"<b><del>{a}</del> <ins>{b}</ins></b>"
    strip = changed_words.merged_word_line((pair.a, pair.b), pair.marks, pair.difference, label)
    return changed_words.word_lines_html([strip], strip.words)


def word_lines_html(pair: OutputPair, hits: Sequence[Sequence[Hit]], part: Window | None = None) -> str:
    """Return the lines of A, of B and of the references as HTML.

    `hits` are the matches of A's and of B's grid. A reference without used cells is folded. Long texts, of whose grids
    only the window `part` is drawn, are in columns."""
    if part:
        return _text_columns(pair, part.k)
    lines = changed_words.output_lines((pair.a, pair.b), pair.marks, pair.difference, pair.names)
    used = sorted(pair.used_references)

    def reference_line(k: int) -> changed_words.WordLine:
        """Return the line of reference `k`."""
        return changed_words.reference_line(
            pair.references[k], _reference_label(pair, k), pair.difference, k, pair.results
        )

    lines += [reference_line(k) for k in used]
    total = sum(strip.words for strip in lines)
    out = [changed_words.word_lines_html([changed_words.WordLine(_source_html(pair), 0), *lines], total)]
    for k in range(len(pair.references)):
        if k not in used:
            hit_count = len({(i, j) for each in hits for i, of, j in each if of == k})
            out.append(folded_reference(k, hit_count, changed_words.word_lines_html([reference_line(k)], total)))
    return "".join(out)


def _text_columns(pair: OutputPair, first: int) -> str:
    """Return A, the references and B as columns of text; reference `first` is the visible one at first."""
    several = len(pair.references) > 1
    labels = [f"<b>Reference{f' {k + 1}' if several else ''}</b>" for k in range(len(pair.references))]
    columns = long_texts.draw_columns((pair.a, pair.b), pair.marks, pair.difference, pair.names, first, labels)
    lists = zip((pair.a, pair.b), differences.SIDES, pair.names, strict=True)
    marked_lists = [
        error_spans.errors_list_html(texts, side, f"Marked in <bdi>{safe(name)}</bdi>") for texts, side, name in lists
    ]
    above = _source_html(pair) + "".join(marked_lists)
    return (f'<div class="word_lines">{above}</div>' if above else "") + columns


def _source_html(pair: OutputPair) -> str:
    """Return the source with the errors that people marked in it for either output."""
    return source_line(replace(pair.a, marked=tuple(dict.fromkeys((*pair.a.marked, *pair.b.marked)))))


def overview_maps_html(pair: OutputPair, part: Window) -> str:
    """Return the overviews of the whole grids of A and of B; `part` is the window that is drawn in full."""
    return long_texts.overview_maps_html((pair.a, pair.b), pair.marks, pair.names, part.k)


def _reference_label(pair: OutputPair, k: int) -> str:
    """Return the label of reference `k` as HTML; where there are several, a button that opens its grid."""
    if len(pair.references) < 2:
        return "Reference"
    return f'<button type="button" data-show="{k}">Reference&nbsp;{k + 1}</button>'


# ---------------------------------------------------------------- the grids


def difference_layout(
    pair: OutputPair, room: GridRoom, part: Window | None = None, folds: bool = False
) -> DifferenceLayout:
    """Return the size of cells for the grids of all references (of long texts, for the window `part`), and folded rows.

    Only with `folds` are rows folded, where there is little `room`: first those that are alike in both outputs and
    belong to no step, then those without a match with the reference, then all that are alike."""
    labels, references = pair.labels, pair.references
    if part:
        labels = labels[part.i : part.i + part.rows]
        references = (references[part.k][part.j : part.j + part.columns],)
    if part or not folds or pair.same_words:
        return differences.layout_for_room(labels, references, room)
    return differences.folded_layout(labels, references, room, _fold_options(pair))


def _fold_options(pair: OutputPair) -> Iterator[list[Folds]]:
    """Yield lists with the folded rows for each reference; each list folds more rows than the one before."""
    diff, each = pair.difference, range(len(pair.references))
    of_steps = {place.row for step in pair.steps for place in differences.cells_of_step(step, diff.rows)}
    for around in (2, 1, 0):
        yield [folding.fold_rows(folding.unchanged_rows(diff, of_steps, around))] * len(each)
    errors = changed_marks.changed_error_rows(diff.rows, *pair.results)
    bare = [folding.unmatched_rows(diff, k, errors.get(k, ())) for k in each]
    for rows, around in ((of_steps, 2), (of_steps, 1), (of_steps, 0), ((), 1), ((), 0)):
        yield [folding.fold_rows(bare_rows | folding.unchanged_rows(diff, rows, around)) for bare_rows in bare]
    yield [folding.fold_rows(bare_rows | folding.unchanged_rows(diff), 2) for bare_rows in bare]


def difference_grids_html(
    pair: OutputPair,
    hits: Sequence[Sequence[Hit]],
    fit: DifferenceLayout,
    part: Window | None = None,
    says: str = "",
    folds: bool = True,
) -> str:
    """Return the grids of the difference, one for each reference; one grid is visible at a time.

    At first that is the reference with the most credit, or the reference of `part`.

    Args:
        hits: all matches of A's grid and of B's grid; for long texts only those in `part`.
        fit: size of the cells, and folded rows.
        part: for long texts, the window that is drawn.
        says: HTML above the grids, next to the buttons for the references.
        folds: whether the legend is closed at first."""
    order = [part.k] if part else [*range(len(pair.references))]
    first = part.k if part else pair.used_references[0]
    drawn = {k: difference_picture(pair, hits, fit, part, k) for k in order}
    buttons = "".join(
        f'<button type="button" data-show="{k}" aria-pressed="{"true" if k == first else "false"}">'
        f"{'Reference ' if n == 0 else ''}{k + 1}</button>"
        for n, k in enumerate(order)
    )
    group = f'<div class="refs" role="group" aria-label="Reference">{buttons}</div>' if len(order) > 1 else ""
    out = [f'<div class="over">{group}{says}</div>'] if group or says else []
    for k, grid_picture in drawn.items():
        hidden = "" if k == first else " hidden"
        out.append(
            f'<div class="ref" data-reference="{k}"{hidden}>{drawing_html(grid_picture, "grid", key=False)}</div>'
        )
    left_out = changed_marks.describe_omitted_pairs(pair.difference.rows, *pair.results)
    note = f'<p class="note">{left_out}</p>' if left_out else ""
    key = folded_part("key", "What the marks mean", _legend(pair, [*drawn.values()]), not folds)
    return "".join(out) + key + note


def layout_with_button(
    pair: OutputPair, room: GridRoom, part: Window | None, all_rows: bool | None
) -> tuple[DifferenceLayout, str]:
    """Return the layout of the grids, and the button that asks for all rows, or for fewer where `all_rows` are shown.

    The button is "" where no rows are folded, or could be."""
    fit = difference_layout(pair, room, part, all_rows is False)
    if not any((difference_layout(pair, room, part, True) if all_rows else fit).folds):
        return fit, ""
    says = "Show fewer rows" if all_rows else f"Show all {len(pair.difference.rows)} rows"
    return fit, f'<button type="button" data-open="rows={"folded" if all_rows else "all"}">{says}</button>'


def _legend(pair: OutputPair, drawn: Sequence[Picture]) -> str:
    """Return the legend of the cells in the grids `drawn` and of the words, each look once, as HTML."""
    entries = {key.text: key for grid_picture in drawn for key in grid_picture.key}
    order = [look.legend for look in theme.LOOKS.values()]
    keys = sorted(entries.values(), key=lambda key: order.index(key.text) if key.text in order else len(order))
    cells = "".join(changed_words.legend_entry(key.text, svg.legend_entry_html(key)) for key in keys)
    fates = changed_words.FATES if pair.is_long else changed_words.UNMATCHED
    marks = (*pair.a.marked, *pair.b.marked)
    words_said = changed_words.legend(pair.difference, pair.results, entries, fates, marks)
    return f'<div class="lg">{cells}{words_said}</div>'


def difference_picture(
    pair: OutputPair,
    hits: Sequence[Sequence[Hit]],
    fit: DifferenceLayout,
    part: Window | None = None,
    k: int | None = None,
) -> Picture:
    """Return the grid of the difference with reference `k`.

    Where `k` is None, the grids with all used references are side by side. `hits` are the matches of A's and of B's
    grid, `fit` has the size of cells and the folded rows, and of long texts only the window `part` is drawn."""
    labels, shapes = pair.labels, difference_shapes(pair, hits)
    if part:
        grid_picture = picture.lay_out_window(labels, pair.references, shapes, part, fit.cell)
    else:
        of = pair.used_references if k is None else (k,)
        mine = [shape for shape in shapes if shape.k in of]
        folds = fit.reference_folds(k)
        rows, folded = folding.folded_labels(labels, folds), folding.folded_shapes(mine, folds)
        grid_picture = picture.lay_out_picture(
            rows, pair.references, folded, fit.cell, 1, shown_references=of, headed=k is None
        )
        grid_picture = replace(
            folding.name_unfolded_rows(grid_picture, labels, folds),
            key=legend.drawn_entries(legend.legend_entries_of_shapes(mine)),
        )
    several = f" and reference {k + 1}" if k is not None and len(pair.references) > 1 else ""
    title = f"What changed between the two{several}: cells that were kept, gained, lost and moved"
    return replace(picture.rename_row_side(grid_picture, "d", _row_word_names(pair)), title=title)


def difference_shapes(pair: OutputPair, hits: Sequence[Sequence[Hit]]) -> list[Shape]:
    """Return all shapes on the grid of the difference, back to front; `hits` are the matches of A's and of B's grid."""
    diff, results, lead = pair.difference, pair.results, changes_table.steps_of_marks(pair.steps)
    return [
        *changed_marks.unmatched_word_lines(pair.steps, diff.rows, pair.references),
        *changed_marks.neighbour_triangles(diff.rows, *results, lead),
        *changed_marks.run_boxes(diff.rows, *results, lead),
        *changed_marks.run_lines(diff.rows, *results, lead),
        *changed_marks.discordant_pair_lines(diff.rows, *results, lead),
        *changed_marks.error_shapes(diff.rows, *results, lead),
        *differences.cell_shapes(diff, differences.unused_matches(diff, *hits)),
        *changed_marks.shift_arrows(diff.rows, *pair.marks, lead),
        *changed_marks.round_numbers(diff.rows, *pair.marks),
    ]


class OwnGrid(NamedTuple):
    """The grid of one output, its name and its score; `picture` is None where the output has no words."""

    name: str
    score: str
    picture: Picture | None


def own_pictures(
    pair: OutputPair, hits: Sequence[Sequence[Hit]], fit: DifferenceLayout, part: Window | None = None
) -> Iterator[OwnGrid]:
    """Yield the grid of A and the grid of B.

    `hits` are their matches, `fit` has the size of cells, and of long texts only the part of each grid is drawn that
    the window `part` of the difference shows."""
    parts = differences.output_windows(pair.difference.rows, part) if part else (None, None)
    lead = changes_table.steps_of_marks(pair.steps)
    sides = zip(differences.SIDES, pair.names, (pair.a, pair.b), pair.marks, hits, parts, strict=True)
    for at, (side, name, texts, side_marks, side_hits, window) in enumerate(sides):
        grid_picture = None
        if texts.candidate:
            shapes, rows = [*side_marks.shapes(side_hits), *error_spans.error_lines(texts)], texts.candidate_words
            if window:
                grid_picture = picture.lay_out_window(rows, pair.references, shapes, window, fit.cell)
            else:
                grid_picture = picture.lay_out_picture(
                    rows, pair.references, shapes, fit.cell, 1, shown_references=pair.used_references
                )
            terms = [shape.term for shape in shapes if shape.term]
            leads = {(term.layer, term.t): lead.get((side, term.mark), "") for term in terms}
            grid_picture = picture.rename_row_side(grid_picture, side, _partner_names(pair, at), leads)
            grid_picture = replace(grid_picture, title=f"Grid of {isolated(name)}")
        yield OwnGrid(name, score_text(side_marks.result.score, pair.decimals), grid_picture)


def own_grids(
    pair: OutputPair, hits: Sequence[Sequence[Hit]], fit: DifferenceLayout, part: Window | None = None
) -> str:
    """Return the grids of A and of B as HTML that opens on demand; one grid where both have the same words.

    The parameters are those of `own_pictures`: matches, size of cells, and for long texts the drawn window."""
    out = []
    for side, (name, score, drawn) in zip(differences.SIDES, own_pictures(pair, hits, fit, part), strict=True):
        heading = "Grid of both" if pair.same_words else f"Grid of <bdi>{safe(name)}</bdi>"
        body = drawing_html(drawn, "grid") if drawn else '<p class="note">No words, so there is no grid.</p>'
        summary = f'<summary>{heading} <span class="n">{score}</span></summary>'
        out.append(f'<details class="figure" data-side="{side}">{summary}{body}</details>')
        if pair.same_words:
            break
    return "".join(out)


def _row_word_names(pair: OutputPair) -> list[str]:
    """Return the names of the words in each row of the difference, joined by spaces."""
    return [" ".join(differences.row_word_names(row)) for row in pair.difference.rows]


def _partner_names(pair: OutputPair, side: int) -> list[str]:
    """Return, for each word of output `side` (0 for A, 1 for B), the names of the elements that belong to it.

    These are the word's row of the difference, and the other output's word in that row; names are joined by spaces."""
    out = {}
    for number, row in enumerate(pair.difference.rows):
        if (at := row[side]) is not None:
            others = [name for name in differences.row_word_names(row) if name[0] != "ab"[side]]
            out[at] = " ".join([f"d{number}", *others])
    return [out[at] for at in sorted(out)]


# ---------------------------------------------------------------- the inspector


def inspector(pair: OutputPair, offer: SettingOffer | None = None, strips: str = "") -> str:
    """Return the inspector as HTML: the deciding references, the steps from A's score to B's, `strips`, and the metric.

    `offer` is a setting whose change is offered, or None. `strips` is the HTML of the words of all texts."""
    out = []
    if not pair.same_words:
        # Otherwise the verdict's sentence has said these already.
        deciding_parts = parts_by_references(metrics.METRICS[pair.before.metric], *pair.results)
        if not deciding_parts and (message := describe_decisions(pair)):
            out.append(f'<p class="note">{message}</p>')
        if offer:
            out.append(offer_button(offer))
        if pair.steps:
            scheme = f'<summary>What a share is</summary><p class="note">{changes_table.SCHEME}</p>'
            table = f'{changes_table.steps_table_html(pair.score_steps)}<details class="scheme">{scheme}</details>'
            out.append(f'<section class="ledger">{table}</section>')
    metric = metrics.METRICS[pair.before.metric]
    about = header(metric.name, metric.about.idea) + f'<p class="sig">{signature_html(pair.b, pair.after)}</p>'
    return "".join(out) + strips + folded_part("about", "The metric and its signature", about)


def verdict(pair: OutputPair) -> str:
    """Return both scores, their difference, and one sentence on its cause, as HTML."""
    metric, change = metrics.METRICS[pair.before.metric], pair.delta
    tone = scores.verdict(change, pair.higher_is_better, pair.decimals)
    sides = zip(pair.names, (pair.before.score, pair.after.score), strict=True)
    name_scores = [(safe(name, 40), score_text(score, pair.decimals)) for name, score in sides]
    both_scores = " → ".join([f'<bdi>{name}</bdi> <span class="num">{score}</span>' for name, score in name_scores])
    by = f'<span class="num">{change_text(change, pair.decimals)}</span> {scores.MARKS[tone]} {tone}'
    by = f'<span class="{tone}">{by}</span>'
    headline = (
        f"{escape(metric.label)}: {both_scores}, {by}." if tone != "same" else f"{escape(metric.label)}: {both_scores}."
    )
    return f'<p class="verdict live" data-verdict><span><b>{headline}</b> {describe_cause(pair)}</span></p>'


def describe_cause(pair: OutputPair) -> str:
    """Return one sentence, as HTML, on why the two scores differ, or that the words are the same."""
    a, b = (f"<bdi>{safe(name)}</bdi>" for name in pair.names)
    if not (pair.a.candidate or pair.b.candidate):
        return f"Neither {a} nor {b} has words, so every score is equal."
    if pair.same_words:
        return f"{a} and {b} are the same words, so every score is equal."
    if not (pair.a.candidate and pair.b.candidate):
        return _wordless_sentence(pair, a, b)
    *parts, end = explanation_parts(pair)
    if not (parts[-1].is_words and parts[-1].text.endswith((".", "!", "?"))):
        parts.append(end)  # the quoted words do not end the sentence themselves
    return "".join(
        f"“<i><bdi>{safe(part.text, 90)}</bdi></i>”" if part.is_words else escape(part.text) for part in parts
    )


def _wordless_sentence(pair: OutputPair, a: str, b: str) -> str:
    """Return the sentence for a pair in which one output has no words; `a` and `b` are the names as HTML."""
    b_is_empty = not pair.b.candidate
    empty = f"{b if b_is_empty else a} has no words and matches nothing"
    if abs(pair.delta) < EQUAL:
        return f"{empty}; both scores are equal."
    which = "" if pair.higher_is_better else f", which is {'better' if pair.delta < 0 else 'worse'},"
    cause = f"is that the words of {a} are gone" if b_is_empty else f"comes from the words of {b}"
    return f"{empty}: all of {change_text(pair.delta, pair.decimals)}{which} {cause}."


def explanation_parts(pair: OutputPair) -> tuple[SentencePart, ...]:
    """Return the parts of the sentence on why the scores differ: quoted words, the text between, and its end."""
    sentence_words = QuotedWords(pair.a.candidate_words, pair.b.candidate_words, pair.references)
    return difference_sentence(
        metrics.METRICS[pair.before.metric], *pair.results, pair.steps, sentence_words, pair.decimals
    )


def describe_decisions(pair: OutputPair) -> str:
    """Return which reference decided for A and for B, as HTML.

    The result is "" where there is only one reference, or where the metric has no deciding reference."""
    if len(pair.references) < 2:
        return ""
    ours, theirs = pair.before.decides, pair.after.decides
    a, b = (f"<bdi>{safe(name)}</bdi>" for name in pair.names)
    messages, alike = [], dict[tuple[int | None, int | None], list[str]]()
    for part in dict.fromkeys((*ours, *theirs)):
        alike.setdefault((ours.get(part), theirs.get(part)), []).append(part)
    for (k, m), parts in alike.items():
        was, now = ("no reference" if n is None else f"reference {n + 1}" for n in (k, m))
        if parts == ["score"] and k == m:
            messages.append(f"Both are scored against {was}{_ties_html(pair)}.")
        elif parts == ["score"]:
            messages.append(f"{a} is scored against {was}, {b} against {now}.")
        else:
            part_names = " and ".join([f"the {escape(part.replace('_', ' '))}" for part in parts])
            what = "is that" if len(parts) == 1 else "are those"
            of = f"of both {what} with {was}" if k == m else f"of {a} {what} with {was}, of {b} with {now}"
            messages.append(f"T{part_names[1:]} {of}.")
    return " ".join(messages)


def _ties_html(pair: OutputPair) -> str:
    """Return which other references are as good for A or B as the deciding one, as HTML; "" where none is."""
    metric, names = metrics.METRICS[pair.before.metric], [f"<bdi>{safe(name)}</bdi>" for name in pair.names]
    tied_numbers = [
        [str(n + 1) for n in tied_references(metric, result) if n != result.decides["score"]] for result in pair.results
    ]
    if tied_numbers[0] == tied_numbers[1]:
        return f", tied with {' and '.join(tied_numbers[0])} for both" if tied_numbers[0] else ""
    phrases = [f"{' and '.join(each)} for {name}" for each, name in zip(tied_numbers, names, strict=True) if each]
    return f", tied with {', with '.join(phrases)}"


def changed_cells(diff: MatchDifference) -> list[DiffPlace]:
    """Return the cells of the difference that only one output uses, or that moved, sorted by row."""
    return sorted({*diff.gained, *diff.lost, *[place for moved in diff.moved for place in moved]})
