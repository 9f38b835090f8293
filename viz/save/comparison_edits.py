"""Write the edits between two outputs: as a section of the report, as CSV, and as JSON.

All functions take the comparison of the two outputs by one metric, and the settings of all metrics by key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import metrics
from metrics.text import csv_cell
from metrics.text.tabular import rows_as_csv
from metrics.types import Settings, signature

from ..draw.compare.comparison import OutputPair
from ..draw.edits import edits_html
from ..draw.edits.edit_map import Edit, EditMap, MetricShares, span_of
from ..draw.pen.text import safe, visible
from ..state.results import edits as edits_of
from ..state.results.cache import Problem
from ..state.texts.inputs import NAME_MOST

ROWS_MOST = 40  # up to this number of edits, a report explains each


def _edits_with_worth(
    pair: OutputPair, settings: Mapping[str, Settings]
) -> tuple[EditMap, list[MetricShares]] | Problem:
    """Return the edits and what they are worth by all metrics, the metric of the pair first; or a `Problem`."""
    edit_map = edits_of.find_edit_map(pair.a, pair.b)
    if isinstance(edit_map, Problem):
        return edit_map
    if not edit_map.rows:
        return edit_map, []
    given = {key: settings.get(key) or metrics.settings(key) for key in metrics.METRICS}
    of = pair.before.metric, pair.a.segment, pair.b.segment.candidate, given
    return edit_map, edits_of.worth_of_all(*of, seconds=float("inf"))


def section_html(pair: OutputPair, settings: Mapping[str, Settings]) -> str:
    """Return the section of the report: the text with all edits, and the table of their effects; "" without edits."""
    result = _edits_with_worth(pair, settings)
    if isinstance(result, Problem):
        return f'<h2>Edits</h2><p class="note">{safe(str(result), 400)}</p>'
    edit_map, worth = result
    if not edit_map.rows:
        return ""
    rows = range(len(edit_map.rows)) if worth[0].shares and len(edit_map.rows) <= ROWS_MOST else ()
    parts = {row: edits_of.edit_effect_html(pair, edit_map, row, worth[0]) for row in rows}
    return f"<h2>Edits</h2>{edits_html.edits_html(pair, edit_map, worth, parts)}"


#: `at` is the position, from 1, of the first word of A that is removed, or of the word before which words are added;
#: `count` is the number of removed words. Edits and moves are numbered from 1.
COLUMNS = ("edit", "at", "count", "gone", "came", "move", "metric", "share", "back", "orders")


def edits_csv(pair: OutputPair, settings: Mapping[str, Settings]) -> str:
    """Return CSV with a line for each edit and metric, with the columns COLUMNS.

    Comment lines come first: the names, the signatures, and why a metric has no lines. A move has two lines with the
    same number. `share` is the mean over `orders` orders of the edits, or over all orders where that is 0. `back` is
    B's score with this edit alone undone, for a move with both of its ends."""
    text, count = pair.a.settings.signature(), len(pair.references)
    comments = [f"{side}: {visible(name, NAME_MOST)}" for side, name in zip("AB", pair.names, strict=True)]
    for key in metrics.METRICS:
        signed = signature(key, settings.get(key) or metrics.settings(key), text, count)
        comments.append(visible(signed, len(signed)))
    result = _edits_with_worth(pair, settings)
    edit_map, worth = (None, []) if isinstance(result, Problem) else result
    comments += [str(result)] if isinstance(result, Problem) else [each.problem for each in worth if each.problem]
    rows: list[Sequence[Any]] = [*[[f"# {comment}"] for comment in comments], COLUMNS]
    for number, edit in enumerate(edit_map.edits if edit_map else (), 1):
        assert edit_map is not None
        words = [csv_cell(" ".join(side_words)) for side_words in _changed_words(edit_map, edit)]
        cells = [number, edit.start + 1, edit.end - edit.start, *words, "" if edit.move is None else edit.move + 1]
        for each in worth:
            if each.shares:
                share = each.shares[number - 1]
                rows.append([*cells, each.metric.key, repr(share.share), repr(share.back), share.orders])
    return rows_as_csv(rows)


def edits_dict(pair: OutputPair, settings: Mapping[str, Settings]) -> dict[str, Any]:
    """Return the edits as a dict of JSON's types.

    Each edit has its position in A, from 0 and half-open, the words as typed that it removes and adds, and the
    number of its move. By metric it has its share, B's score with this edit alone undone, and the number of orders
    over which the share is the mean, 0 for all of them. What cannot be computed has a reason."""
    result = _edits_with_worth(pair, settings)
    if isinstance(result, Problem):
        return {"edits": [], "edits_problems": [str(result)]}
    edit_map, worth = result
    problems = [each.problem for each in worth if each.problem]
    edits = []
    for number, edit in enumerate(edit_map.edits):
        removed_words, came = _changed_words(edit_map, edit)
        worth_by_metric = {
            each.metric.key: {name: getattr(each.shares[number], name) for name in ("share", "back", "orders")}
            for each in worth
            if each.shares
        }
        places = {name: getattr(edit, name) for name in ("start", "end", "at", "move")}
        edits.append({**places, "gone": removed_words, "came": came, "worth": worth_by_metric})
    return {"edits": edits, **({"edits_problems": problems} if problems else {})}


def _changed_words(edit_map: EditMap, edit: Edit) -> tuple[list[str], list[str]]:
    """Return the words as typed that an edit removes, and those that it adds."""
    span = span_of(edit)
    return [*edit_map.a[span.a : span.a_end]], [*edit_map.b[span.b : span.b_end]]
