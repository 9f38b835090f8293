"""Tests of the table of all systems as a file and in a report: numbers, names and directions, and no live formula."""

from __future__ import annotations

import csv
import io
import re

from viz.draw.compare.scores import ScoreRow
from viz.save.systems_table import scores_csv, scores_html

ROWS = [
    ScoreRow("gtm", "GTM", True, (1 / 3, 0.5, 0.5)),
    ScoreRow("wer", "WER", False, (0.2, 12.5, None), "It has <b>no</b> words."),
]
NAMES = ["=cmd()", "<i>\u202ename", "x"]
SIGNATURES = {"gtm": "gtm|refs:1", "wer": "wer|refs:1"}


def test_csv():
    head, *lines = csv.reader(io.StringIO(scores_csv(ROWS, NAMES, SIGNATURES)))
    assert head == ["metric", "better", "'=cmd()", "<i>\ufffdname", "x", "signature", "problem"]
    assert lines == [
        ["GTM", "higher", repr(1 / 3), "0.5", "0.5", "gtm|refs:1", ""],
        ["WER", "lower", "0.2", "12.5", "", "wer|refs:1", "It has <b>no</b> words."],
    ]


def test_html():
    table = scores_html(ROWS, NAMES, ["wer"], 4)
    cells = [re.sub("<.*?>", "", cell) for cell in re.findall("<td.*?</td>", table)]
    assert cells == ["GTM ↑", "0.3333", "★ 0.5000", "★ 0.5000", "WER ↓", "★ 0.2000", "12.500", "–"]
    assert 'title="lower is better"' in table and 'title="It has &lt;b&gt;no&lt;/b&gt; words."' in table
    assert "<i>" not in table and "\u202e" not in table and table.count('<tr class="sel">') == 1


def test_systems_of_the_same_name_are_told_apart():
    """Check that names which become equal when cut are numbered."""
    names = ["x" * 40, "x" * 40, "y"]
    (head, *_), html = csv.reader(io.StringIO(scores_csv(ROWS, names, SIGNATURES))), scores_html(ROWS, names, [], 3)
    assert head[2:5] == ["1: " + "x" * 40, "2: " + "x" * 40, "y"]
    plain = re.sub("</?span[^>]*>", "", html)
    assert all(f"<bdi>{name}</bdi>" in plain for name in head[2:5])
    assert '<span class="whole">1:</span> xxx' in html, "a short word is not broken, a long one where it must be"
