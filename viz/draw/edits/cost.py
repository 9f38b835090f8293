"""Draw what every edit from a candidate to a reference costs.

The cost of an edit is its share of the score that the candidate lacks. The view has the words as one merged line, the
costs in sentences, the largest first, the grid in which edits highlight their cells, and a table of the edits by all
metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import metrics
from metrics.analysis.edit_sentence import EditExplanation
from metrics.types import Hit

from ..compare.scores import DECIMALS
from ..compare.scores import verdict as verdict_of
from ..evidence import inspector, verdict
from ..evidence.drawn_result import DrawnResult
from ..evidence.figure import figure
from ..evidence.fragment import frame
from ..evidence.verdict import sentence_html
from ..evidence.words import reference_labels, source_line
from ..pen.numbers import change_text, count_text, score_text
from ..texts import ProcessedTexts
from . import merged, table
from .edit_map import Edit, EditMap, MetricShares
from .edits_html import shares_note

NAME = "edit"  # prefix of the names of rows
CELLS_MOST = 400  # how many cells an edit highlights
SAYS = table.TableTexts(
    "What each edit from the candidate to the reference gives, for every metric",
    "Only error",
    "The score if this were the only error: the reference with only this edit not made",
)


def edit_map_of(texts: ProcessedTexts, k: int, edits: Sequence[Edit]) -> EditMap:
    """Return the edits from the candidate to reference `k`, with the words as typed."""
    return EditMap(texts.candidate_words, texts.reference_words[k], edits, ("c", f"r{k}_"), NAME)


@dataclass(frozen=True)
class EditCostView:
    """The edits from a candidate to one of its references, and what they cost.

    Attributes:
        drawn: the candidate's result with the choices of how it is drawn.
        k: index of the reference.
        edit_map: the edits.
        worth: what each edit adds to the score, by each metric; the metric of the result comes first.
        explanations: why edits cost what they cost, by index of the row; a row is one edit, or both ends of a move.
        end: score after all edits, that of the reference's own words, or None where it cannot be computed."""

    drawn: DrawnResult
    k: int
    edit_map: EditMap
    worth: Sequence[MetricShares]
    explanations: Mapping[int, EditExplanation]
    end: float | None


def fragment(cost: EditCostView) -> str:
    """Return the whole view of the edits' costs as HTML; without edits it has no table."""
    drawn, edit_map = cost.drawn, cost.edit_map
    several = len(drawn.texts.references) > 1
    label = f"<b>Candidate</b><br>→ {reference_labels(drawn.result)[cost.k]}"
    tones = table.row_tones(edit_map, cost.worth[0])
    line = merged.merged_line_html(edit_map, label, tones, source_line(drawn.texts))
    opened = {
        row: table.RowDetails(_row_details(cost, row), _cell_names(each.cells))
        for row, each in cost.explanations.items()
    }
    by = cost.worth[0].metric.key
    shares = table.table(edit_map, cost.worth, SAYS, opened, by)
    under = f'<p class="note">{shares_note(edit_map, cost.worth)}</p>'
    below = f'<section class="each"><h2>{_heading(cost, several)}</h2>{shares}{under}</section>' if shares else ""
    verdict_html = verdict.html(drawn.verdict) if drawn.verdict else ""
    sized = drawn.width is not None
    return frame(
        drawn.result.metric, line, figure(drawn), _inspector(cost), below, drawn.tint, sized, first=verdict_html
    )


def _heading(cost: EditCostView, several: bool) -> str:
    which = f"reference {cost.k + 1}" if several else "the reference"
    return f"What each edit to {which} would give, by every metric"


def _inspector(cost: EditCostView) -> str:
    """Return the score, the score after all edits, and the costs in sentences, as HTML."""
    drawn = cost.drawn
    signature = f'<p class="sig">{inspector.signature_html(drawn.texts, drawn.result)}</p>'
    out = [
        inspector.score_line(drawn),
        f'<p class="note way">{escape(describe_end_score(cost))}</p>',
        _cost_sentences(cost),
    ]
    return "".join([*out, signature])


def describe_end_score(cost: EditCostView) -> str:
    """Return a sentence on the score after all edits, and on why it is not the best possible score, where it is not."""
    result, several = cost.drawn.result, len(cost.drawn.texts.references) > 1
    metric = metrics.METRICS[result.metric]
    which = f"reference {cost.k + 1}" if several else "the reference"
    count = len(cost.edit_map.rows)
    if cost.end is None:
        return f"The score of {which} itself cannot be found."
    end, best = score_text(cost.end), metric.most if metric.higher_is_better else 0.0
    if not count:
        opening = f"The candidate is {which}, word for word: there is no edit"
        reached = f", and the score is {end}"
    else:
        condition = "After its one edit," if count == 1 else f"After all {count} edits,"
        opening = f"{condition} the candidate is {which}, word for word"
        reached = f", and {metric.label} is {end}"
    if best == float("inf"):
        return f"{opening}{reached}: {metric.label} has no highest score."
    if abs(cost.end - best) < 1e-9:
        return f"{opening}{reached}."
    because = (
        "the other references count as well"
        if several
        else f"{metric.label} gives these words no higher score, though all are right"
    )
    return f"{opening}{reached}, not {score_text(best)}: {because}."


def _cost_sentences(cost: EditCostView) -> str:
    """Return a sentence on the cost of each explained edit, and the number of other edits, as HTML.

    The edit that alone would improve the present score most comes first."""
    first = cost.worth[0]
    if first.problem:
        return f'<p class="note">{escape(first.problem)}</p>'
    better, now = first.metric.higher_is_better, cost.drawn.result.score
    gains = {row: round((each.score_alone - now) * (1 if better else -1), 9) for row, each in cost.explanations.items()}
    order = sorted(
        [row for row in table.ordered_rows(cost.edit_map, [first], first.metric.key) if row in gains],
        key=lambda row: -gains[row],
    )
    items = "".join(
        f'<li class="{verdict_of(cost.explanations[row].score_alone - now, better)}" '
        f'data-term="{cost.edit_map.row_name(row)}">{sentence_html(cost.explanations[row].parts)}</li>'
        for row in order
    )
    out = f'<ul class="costs">{items}</ul>' if items else ""
    remaining = len(cost.edit_map.rows) - len(order)
    if remaining and order:
        out += f'<p class="more">The table below has {count_text(remaining, "more edit")}, with smaller shares.</p>'
    if first.sampled:
        out += (
            f'<p class="note">≈ A share is the mean over {first.sampled} orders in which the edits can be made; '
            "all shares sum to the difference of the scores.</p>"
        )
    return out


def _row_details(cost: EditCostView, row: int) -> str:
    """Return the HTML that is visible while a row is selected: its sentence, and the score with only this edit made."""
    metric, each = cost.worth[0].metric, cost.explanations[row]
    now = cost.drawn.result.score
    score_change = f"{score_text(now)} → {score_text(each.score_alone)}"
    return (
        f'<p class="did">{sentence_html(each.parts)}</p>'
        f'<p class="n">If this edit alone were made: {escape(metric.label)} {score_change} '
        f"({change_text(each.score_alone - now, DECIMALS)}).</p>"
    )


def _cell_names(cells: Sequence[Hit]) -> list[str]:
    return [f"{i},{k},{j}" for i, k, j in cells[:CELLS_MOST]]
