"""Write what every edit from a candidate to a reference costs, as CSV and as JSON, with the signature."""

from __future__ import annotations

from typing import Any

from metrics.analysis.sentence import plain_text
from metrics.text import csv_cell
from metrics.text.tabular import rows_as_csv

from ..draw.edits.cost import EditCostView, describe_end_score
from ..draw.pen.text import visible
from . import sentence_page


def csv_text(cost: EditCostView) -> str:
    """Return CSV with a line for each edit from the candidate to the reference.

    A line has the words that the edit removes and adds, its share by every metric, the score of the reference
    without this edit by the selected metric, and the sentence on it. A move has one line. A text that a spreadsheet
    would take for a formula gets an apostrophe in front."""
    signature = _signature(cost)
    keys = [worth.metric.key for worth in cost.worth]
    heads = ["edit", "reference", "gone", "came", "moves", *keys, "only it", "orders", "sentence"]
    rows: list[list[Any]] = [[f"# {visible(signature, len(signature))}"], heads]
    first = cost.worth[0]
    for row in range(len(cost.edit_map.rows)):
        removed, came = (csv_cell(" ".join(words)) for words in cost.edit_map.phrases(row))
        shares = [repr(worth.share(cost.edit_map, row)) if worth.shares else "" for worth in cost.worth]
        back = repr(first.score_without(cost.edit_map, row)) if first.shares else ""
        sentence = csv_cell(plain_text(cost.explanations[row].parts)) if row in cost.explanations else ""
        moves = "yes" if cost.edit_map.is_move(row) else "no"
        rows.append([row + 1, cost.k + 1, removed, came, moves, *shares, back, first.sampled or "all", sentence])
    return rows_as_csv(rows)


def json_text(cost: EditCostView) -> str:
    """Return the result and all edits as JSON. Positions count from 0; a move is two edits with one move number."""
    drawn, edit_map = cost.drawn, cost.edit_map
    row_of = edit_map.row_of
    body = {
        "metric": drawn.result.metric,
        "signature": _signature(cost),
        "verdict": drawn.verdict.to_dict() if drawn.verdict else None,
        "candidate": list(drawn.texts.candidate_words),
        "reference": {"number": cost.k + 1, "words": list(drawn.texts.reference_words[cost.k])},
        "from": drawn.result.score,
        "to": cost.end,
        "says": describe_end_score(cost),
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
                "says": plain_text(cost.explanations[row_of[n]].parts) if row_of[n] in cost.explanations else "",
            }
            for n, edit in enumerate(edit_map.edits)
        ],
    }
    return sentence_page.json_text(body) + "\n"


def _signature(cost: EditCostView) -> str:
    """Return the signature of the score whose edits are written."""
    return cost.drawn.result.signature(cost.drawn.texts.settings.signature())
