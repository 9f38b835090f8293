"""What every edit from a candidate to a reference costs, as CSV and as JSON. Every file has the signature."""

from __future__ import annotations

import csv
import io
from typing import Any

from metrics.analysis.sentence import plain
from metrics.text import csv_cell

from ..draw.edits.cost import EditCostView, end_text
from ..draw.pen import theme
from . import sentence_page


def csv_text(cost: EditCostView) -> str:
    """A line for each edit: the words that it takes away and puts in, what it is worth to every metric, the score of
    the reference with it alone not made, by the metric that is looked at, and what is said of it. A move is one.

    A cell that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    signature = _signature(cost)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([f"# {theme.visible(signature, len(signature))}"])
    keys = [worth.metric.key for worth in cost.worth]
    writer.writerow(["edit", "reference", "gone", "came", "moves", *keys, "only it", "orders", "sentence"])
    first = cost.worth[0]
    for row in range(len(cost.edit_map.rows)):
        removed, came = (csv_cell(" ".join(words)) for words in cost.edit_map.phrases(row))
        shares = [repr(worth.share(cost.edit_map, row)) if worth.shares else "" for worth in cost.worth]
        back = repr(first.back(cost.edit_map, row)) if first.shares else ""
        sentence = csv_cell(plain(cost.explanations[row].parts)) if row in cost.explanations else ""
        moves = "yes" if cost.edit_map.moves(row) else "no"
        writer.writerow([row + 1, cost.k + 1, removed, came, moves, *shares, back, first.sampled or "all", sentence])
    return out.getvalue()


def json_text(cost: EditCostView) -> str:
    """The way and its edits; positions count from 0, of a move there are two edits with one number."""
    return sentence_page.json_text(_body(cost)) + "\n"


def _body(cost: EditCostView) -> dict[str, Any]:
    drawn, edit_map = cost.drawn, cost.edit_map
    row_of = edit_map.row_of
    return {
        "metric": drawn.result.metric,
        "signature": _signature(cost),
        "verdict": drawn.verdict.to_dict() if drawn.verdict else None,
        "candidate": list(drawn.texts.candidate_words),
        "reference": {"number": cost.k + 1, "words": list(drawn.texts.reference_words[cost.k])},
        "from": drawn.result.score,
        "to": cost.end,
        "says": end_text(cost),
        "edits": [
            {
                "start": edit.start,
                "end": edit.end,
                "at": edit.at,
                "move": edit.move,
                "gone": list(edit_map.a[edit.start : edit.end]),
                "came": list(edit_map.b[edit.at : edit.at + len(edit.words)]),
                "shares": {each.metric.key: each.shares[n].share for each in cost.worth if each.shares},
                "back": {each.metric.key: each.shares[n].back for each in cost.worth if each.shares},
                "orders": {each.metric.key: each.shares[n].orders for each in cost.worth if each.shares},
                "says": plain(cost.explanations[row_of[n]].parts) if row_of[n] in cost.explanations else "",
            }
            for n, edit in enumerate(edit_map.edits)
        ],
    }


def _signature(cost: EditCostView) -> str:
    return cost.drawn.result.signature(cost.drawn.texts.settings.signature())
