"""What every edit from a candidate to a reference costs: the words as one line, the costs in sentences, the largest
first, the grid in which they light their cells, and the edits beside all metrics."""

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
from ..pen import theme
from ..texts import ProcessedTexts
from . import merged, table
from .edit_map import Edit, EditMap, Worth
from .edits_html import note

NAME = "edit"  # begins the names of the rows
CELLS_MOST = 400  # that an edit lights
SAYS = table.Says(
    "What each edit from the candidate to the reference gives, for every metric",
    "Only it",
    "The score of the reference with this edit alone not made: what it would cost if nothing else were wrong",
)


def edit_map_of(texts: ProcessedTexts, k: int, edits: Sequence[Edit]) -> EditMap:
    """The edits from the candidate to reference `k`, with the words that were typed."""
    return EditMap(texts.candidate_words, texts.reference_words[k], edits, ("c", f"r{k}_"), NAME)


@dataclass(frozen=True)
class EditCostView:
    """The way from a candidate to one of its references.

    `worth` is what the edits give, by the metric that is looked at first. `explanations` are the rows of which there
    is a sentence, `end` is the score at the end of the way, that of the reference's own words, None where it has none.
    """

    drawn: DrawnResult
    k: int
    edit_map: EditMap
    worth: Sequence[Worth]
    explanations: Mapping[int, EditExplanation]
    end: float | None


def fragment(cost: EditCostView) -> str:
    """The whole view. Without edits it says that there are none."""
    drawn, edit_map = cost.drawn, cost.edit_map
    several = len(drawn.texts.references) > 1
    label = f"<b>Candidate</b><br>→ {reference_labels(drawn.result)[cost.k]}"
    tones = table.tones(edit_map, cost.worth[0])
    line = merged.line(edit_map, label, tones, source_line(drawn.texts))
    opened = {row: table.Opened(_inside(cost, row), _names(each.cells)) for row, each in cost.explanations.items()}
    by = cost.worth[0].metric.key
    shares = table.table(edit_map, cost.worth, SAYS, opened, by)
    under = f'<p class="note">{note(edit_map, cost.worth)}</p>'
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
    """The score, where the way ends, and the costs in sentences."""
    drawn = cost.drawn
    signature = f'<p class="sig">{inspector.signature_html(drawn.texts, drawn.result)}</p>'
    out = [inspector.score_line(drawn), f'<p class="note way">{escape(end_text(cost))}</p>', _sentences(cost)]
    return "".join([*out, signature])


def end_text(cost: EditCostView) -> str:
    """The score at the end of the way, and why it is not the best one where it is not."""
    result, several = cost.drawn.result, len(cost.drawn.texts.references) > 1
    metric = metrics.METRICS[result.metric]
    which = f"reference {cost.k + 1}" if several else "the reference"
    count = len(cost.edit_map.rows)
    if cost.end is None:
        return f"The score of {which} itself cannot be found."
    end, best = theme.score_text(cost.end), metric.most if metric.higher_is_better else 0.0
    if not count:
        opening = f"The candidate is {which}, word for word: there is no edit"
        reached = f", and the score is {end}"
    else:
        condition = "With its one edit made" if count == 1 else f"With all {count} edits made"
        opening = f"{condition} the candidate is {which}, word for word"
        reached = f", and {metric.label} is {end}"
    if best == float("inf"):
        return f"{opening}{reached}: {metric.label} has no highest score."
    if abs(cost.end - best) < 1e-9:
        return f"{opening}{reached}."
    because = (
        "the other references count as well"
        if several
        else f"{metric.label} gives these words no more, though they are all right"
    )
    return f"{opening}{reached}, not {theme.score_text(best)}: {because}."


def _sentences(cost: EditCostView) -> str:
    """The sentences, first of the edit that costs most as the words are now, and how many edits have none."""
    first = cost.worth[0]
    if first.problem:
        return f'<p class="note">{escape(first.problem)}</p>'
    better, now = first.metric.higher_is_better, cost.drawn.result.score
    gains = {row: round((each.score_alone - now) * (1 if better else -1), 9) for row, each in cost.explanations.items()}
    order = sorted(
        [row for row in table.ordered(cost.edit_map, [first], first.metric.key) if row in gains],
        key=lambda row: -gains[row],
    )
    items = "".join(
        f'<li class="{verdict_of(cost.explanations[row].score_alone - now, better)}" '
        f'data-term="{cost.edit_map.term(row)}">{sentence_html(cost.explanations[row].parts)}</li>'
        for row in order
    )
    out = f'<ul class="costs">{items}</ul>' if items else ""
    remaining = len(cost.edit_map.rows) - len(order)
    if remaining and order:
        out += f'<p class="more">and {theme.count_text(remaining, "edit")} of smaller shares, in the table below</p>'
    if first.sampled:
        out += (
            f'<p class="note">≈ A share is the mean of {first.sampled} orders in which the edits can be made; '
            "all of them sum to the difference of the scores.</p>"
        )
    return out


def _inside(cost: EditCostView, row: int) -> str:
    """What belongs to a row that is chosen: its sentence, and the score with it alone made."""
    metric, each = cost.worth[0].metric, cost.explanations[row]
    now = cost.drawn.result.score
    score_change = f"{theme.score_text(now)} → {theme.score_text(each.score_alone)}"
    return (
        f'<p class="did">{sentence_html(each.parts)}</p>'
        f'<p class="n">If this edit alone were made: {escape(metric.label)} {score_change} '
        f"({theme.change_text(each.score_alone - now, DECIMALS)}).</p>"
    )


def _names(cells: Sequence[Hit]) -> list[str]:
    return [f"{i},{k},{j}" for i, k, j in cells[:CELLS_MOST]]
