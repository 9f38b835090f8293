"""Tests that the table of word orders shows what its rows contain."""

import metrics
from metrics.analysis import word_order
from tests.helpers.fragments import read
from viz.draw.learn import order_table as drawing
from viz.draw.pen.numbers import score_text

ROWS = word_order.variant_table(metrics.METRICS)
PAGE = read(drawing.fragment(ROWS))


def test_every_row_has_its_scores_and_its_orders():
    body = [row for row in PAGE.one("div", "order").all("tr") if row.all("td")]
    assert len(body) == len(ROWS)
    said = {"same": "as the paper", "reversed": "reversed", "alike": "alike"}
    for shown, row in zip(body, ROWS, strict=True):
        cells = [cell.text for cell in shown.all("td")]
        assert shown.one("th").text == row.variant.label
        assert cells[: len(row.scores)] == [score_text(score) for score in row.scores.values()]
        assert [cell[2:] for cell in cells[len(row.scores) :]] == [said[found] for found in row.orders.values()]


def test_claims_that_do_not_hold_are_named():
    notes = [note.text for note in PAGE.all("p", "note")]
    wrong = [claim for claim in word_order.CLAIMS if not word_order.claim_holds(claim, ROWS)]
    assert len(notes) == len(wrong) == 2
    for note, claim in zip(notes, wrong, strict=True):
        assert claim.label in note
        assert all(name in note for name in claim.pair)


def test_the_summary_names_who_is_right():
    assert drawing.summary_sentence(ROWS) == "ROUGE-S, SIA and RIBES order every pair as the papers do."
    assert drawing.summary_sentence([row for row in ROWS if row.variant.label == "SIA"]).startswith("SIA orders ")
    assert drawing.summary_sentence([]).startswith("No metric")
