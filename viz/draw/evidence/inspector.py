"""Draw the inspector next to a figure: score, formula, terms, references, ties, rounds and signature."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import metrics
from metrics import formula
from metrics.types import Result, Shift, Ties

from ..pen.numbers import count_text, large_count_text, score_text
from ..pen.text import isolated, safe
from ..texts import ProcessedTexts
from . import charts, ledger, terms_table, words
from .drawn_result import DrawnResult, SettingOffer
from .figure import rounds_text, score_so_far

ROUNDING = 1e-12  # equal scores may differ by this much
DIGITS_MOST = 6  # most digits of scores of equally good alignments
CHOICE_MOST = 6  # how many words with different matches are named
LETTERS = 40  # letters of a formula's line that fit the width of an inspector


def inspector(drawn: DrawnResult) -> str:
    """Return the whole inspector of a result as HTML."""
    note = f"{drawn.remark} {drawn.texts.quoting_note}".strip() if "“" in drawn.remark else drawn.remark
    remark = f'<p class="note">{_with_code(note)}</p>' if note else ""
    rounds = round_text(drawn)
    note = f'<p class="note round">{escape(rounds)}</p>' if rounds else ""
    return "".join(
        [
            score_line(drawn),
            f'<div class="formula">{formula.mathml(drawn.formula, formula.TypesettingOptions(room=LETTERS))}</div>',
            remark,
            offer_button(drawn.offer) if drawn.offer else "",
            note,
            terms_table.html(drawn),
            folded_part("of-ties", _ties_heading(drawn), ties_line(drawn)),
            folded_part("of-references", "Each reference by itself", references_table(drawn)),
            charts.lengths_html(drawn.result),
            folded_part("of-signature", "Signature", f'<p class="sig">{signature_html(drawn.texts, drawn.result)}</p>'),
        ]
    )


def folded_part(name: str, says: str, inside: str, is_open: bool = False) -> str:
    """Return `inside` as an HTML part that opens under the heading `says`, or "" where there is nothing inside.

    `name` is the part's CSS class."""
    if not inside:
        return ""
    opens = " open" if is_open else ""
    return f'<details class="folds {name}"{opens}><summary>{escape(says)}</summary>{inside}</details>'


def _ties_heading(drawn: DrawnResult) -> str:
    ties = drawn.ties
    return f"{ties.count:,} equally good alignments" if ties and ties.exact else "Equally good alignments"


def offer_button(offer: SettingOffer) -> str:
    """Return the button, as HTML, that applies an offered setting."""
    button = f'<button type="button" data-open="{escape(offer.event)}">{escape(offer.says)}</button>'
    return f'<p class="offer">{button}</p>'


def score_line(drawn: DrawnResult) -> str:
    """Return the metric's name and score, and the parts of the score, as HTML."""
    result = drawn.result
    metric = metrics.METRICS[result.metric]
    parts = "".join(
        f"<div><dt>{escape(name.replace('_', ' '))}</dt><dd>{part_text(result, name)}</dd></div>"
        for name in result.parts
    )
    so_far = score_so_far(drawn)
    after = (
        f"<div><dt>after {rounds_text(drawn)}</dt><dd>{formula.format_number(so_far)}</dd></div>"
        if so_far is not None
        else ""
    )
    return (
        f'<div class="score"><p><span>{escape(metric.label)}</span> <b>{score_text(result.score)}</b></p>'
        f"<dl>{after}{parts}</dl></div>"
    )


def part_text(result: Result, name: str) -> str:
    """Return the part `name` of a score, such as precision, as text; "off" where the setting of that name is off."""
    return "off" if getattr(result.settings, name, None) is False else formula.format_number(result.parts[name])


def _with_code(text: str) -> str:
    """Return a sentence as HTML in which text in backticks is code."""
    return "".join(f"<code>{escape(part)}</code>" if n % 2 else escape(part) for n, part in enumerate(text.split("`")))


def references_table(drawn: DrawnResult) -> str:
    """Return the table of the score with each reference alone and, where credits add up, the credit of its marks.

    The result is "" for a single reference."""
    result = drawn.result
    if len(result.segment.references) < 2:
        return ""
    parts = result.contributions() if result.adds_up() else ()
    head = f"<tr><th>Reference</th><th>Score with it alone</th>{'<th>Credit used here</th>' if parts else ''}</tr>"
    return references_rows(
        words.reference_labels(result)[: len(drawn.reference_scores)], [(parts, drawn.reference_scores)], head
    )


def references_rows(labels: Sequence[str], sides: Sequence[tuple[Sequence[float], Sequence[str]]], head: str) -> str:
    """Return a table as HTML, with a row for each reference.

    `sides` has a pair for each result: the credit of each reference, and the printed score with each reference alone.
    It adds a cell for the score, and, if there are credits, one for the credit out of their sum. `labels` are the
    references' names as HTML, and `head` is the heading row."""
    rows = []
    for k, label in enumerate(labels):
        cells = [
            f"<td>{escape(scores_alone[k])}</td>"
            + (f"<td>{parts[k]:.4g} of {math.fsum(parts):.4g}</td>" if parts else "")
            for parts, scores_alone in sides
        ]
        rows.append(f"<tr><td>{label}</td>{''.join(cells)}</tr>")
    return f'<table class="rf"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>'


def signature_html(texts: ProcessedTexts, result: Result) -> str:
    """Return a result's signature as HTML, in which lines may break after each "|"."""
    text = result.signature(texts.settings.signature())
    return safe(text, 2_000).replace("|", "|<wbr>")


def ties_line(drawn: DrawnResult) -> str:
    """Return the sentence on equally good alignments as HTML, to which the page adds its controls.

    The result is "" where the shown alignment is known to be the only best one."""
    ties = drawn.ties
    if not ties or (ties.count < 2 and ties.exact):
        return ""
    says = escape(ties_text(ties, drawn.tie, drawn.texts.candidate_words))
    if ends := _score_range(ties):
        says = says.replace(
            f"from {ends[0]} to {ends[1]}",
            f"from {_score_end_html(drawn, ends[0])} to {_score_end_html(drawn, ends[1])}",
        )
    return f'<div class="ties" data-count="{len(ties.results)}" data-at="{drawn.tie}"><p class="note">{says}</p></div>'


class ScoreEnd(NamedTuple):
    """The lowest or the highest score of equally good alignments.

    Attributes:
        score: the score.
        text: the score as text.
        at: index, among the known alignments, of the first one that has the score."""

    score: float
    text: str
    at: int

    def __str__(self) -> str:
        return self.text


def _score_range(ties: Ties) -> tuple[ScoreEnd, ScoreEnd] | None:
    """Return the lowest and the highest score of the known alignments, or None where all scores are the same.

    Their texts have as many decimals as it takes to tell them apart, from 3 to DIGITS_MOST."""
    scores = [result.score for result in ties.results] if ties.depends else []
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    if high - low <= ROUNDING:
        return None
    digits = max(3, min(DIGITS_MOST, math.ceil(-math.log10(high - low))))
    least, most = (ScoreEnd(score, f"{score:.{digits}f}", scores.index(score)) for score in (low, high))
    return least, most


def _score_end_html(drawn: DrawnResult, end: ScoreEnd) -> str:
    """Return an end of the range of scores as HTML; on the page, a click on it shows an alignment with this score."""
    if abs(end.score - drawn.result.score) <= ROUNDING:
        return end.text
    metric = metrics.METRICS[drawn.result.metric]
    better = (end.score > drawn.result.score) == metric.higher_is_better
    says = f"Show one with the {'best' if better else 'worst'} score"
    return f'<span data-tie="{end.at}" title="{says}">{end.text}</span>'


def ties_text(ties: Ties, at: int, words: Sequence[str] = ()) -> str:
    """Return the text on equally good alignments: how many there are, which is shown, and how the score depends on it.

    `at` is the index of the shown one. Where the score may differ, the text names those of the candidate's `words` that
    are matched differently, and the range of scores."""
    if ties.count < 2:
        return "Other equally good alignments were not searched for: this sentence has too many possible ones."
    count = large_count_text(ties.count) if ties.exact else f"At least {large_count_text(ties.count)}"
    few = f" of the first {len(ties.results)}" if 1 < len(ties.results) < ties.count else ""
    if not ties.depends:
        means = "The score is the same for all" + ("" if ties.exact else " that were found")
    elif ends := _score_range(ties):
        digits = len(ends[0].text.partition(".")[2])
        score_range = f"from {ends[0]} to {ends[1]}, here {ties.results[at].score:.{digits}f}"
        difference_text = (
            score_range if ends[0].text != ends[1].text else f"by less than {10**-DIGITS_MOST:.{DIGITS_MOST}f}"
        )
        means = f"The score depends on the choice{_choice_phrase(ties, words)}: {difference_text}"
    else:
        means = f"The score may depend on the choice{_choice_phrase(ties, words)}"
    return (
        f"{count} alignments are equally good, and the metric could take any of them; number {at + 1}{few} is shown. "
        f"{means}."
    )


def _choice_phrase(ties: Ties, words: Sequence[str]) -> str:
    """Return a phrase with the words whose matches only some alignments use, in the order of the text; "" for none."""
    isolated_words = [
        *dict.fromkeys([isolated(words[i]) for i in sorted({cell.i for cell in ties.sometimes}) if words])
    ]
    if not isolated_words:
        return ""
    more = f" and {len(isolated_words) - CHOICE_MOST} more" if len(isolated_words) > CHOICE_MOST else ""
    return f" of what matches {', '.join([f'“{word}”' for word in isolated_words[:CHOICE_MOST]])}{more}"


def round_text(drawn: DrawnResult) -> str:
    """Return a sentence on the words that the last visible round took, or that the last visible shift moved.

    The result is "" where all rounds are visible."""
    result, rounds = drawn.result, drawn.rounds
    if rounds is None:
        return ""
    layer = next(x for x in result.layers if x.number == rounds)
    if isinstance(layer.marks[0], Shift):
        return _shift_text(drawn, layer.marks[0])
    round_words = {cell.i for mark in layer.marks for cell in mark.cells()}
    before = {c.i for c, number in drawn.marks.covered.items() if 0 < number < rounds}
    where = f" with reference {layer.marks[0].cells()[0].k + 1}" if len(drawn.texts.references) > 1 else ""
    noun = layer.name.partition(" ")[0].capitalize()
    return (
        f"{noun} {rounds} takes {count_text(len(round_words), 'word')}{where}: its credits sum to "
        f"{sum(layer.credits):.3f} and weigh {layer.weight:.4g}. "
        f"{count_text(len(before), 'candidate word')} retired before."
    )


def _shift_text(drawn: DrawnResult, shift: Shift) -> str:
    """Return the sentence on which words a shift moves, and to where."""
    display_words, result, number = drawn.texts.candidate_words, drawn.result, drawn.rounds
    order = list(range(len(display_words)))
    for layer in result.layers:
        mark = layer.marks[0] if layer.number else None
        if isinstance(mark, Shift) and mark != shift:
            order = mark.apply(order)
        elif mark == shift:
            break
    rest = [*order[: shift.start], *order[shift.end :]]
    moved = ledger.joined([display_words[i] for i in shift.rows])
    where = f"before “{isolated(display_words[rest[shift.to]])}”" if shift.to < len(rest) else "to the end"
    return f"Shift {number} moves “{moved}” {where}."
