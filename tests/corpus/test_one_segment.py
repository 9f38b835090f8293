"""Tests that a corpus of one segment has no confidence intervals.

Every resample of it equals the corpus, which says nothing about chance."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import metrics
import viz
from metrics.__main__ import main
from metrics.corpus.explanations.why import difference_equation
from metrics.corpus.groups import score_group
from metrics.corpus.ledger import corpus_ledger
from metrics.corpus.resampling import scores_of_resamples
from metrics.corpus.standings import compute_standings
from metrics.corpus.table import score_table
from metrics.types import Segment
from viz.draw.corpus import systems
from viz.draw.corpus.groups import SegmentGroup, differences_by_document_chart
from viz.draw.corpus.story import causes_table
from viz.frame.corpora import compare_with_others
from viz.frame.strip import corpus_tile

REFERENCE = tuple("the cat sat on the mat".split())
OURS, THEIRS = (tuple(text.split()) for text in ("the cat sat on a mat", "a cat sat there"))
TER = metrics.METRICS["ter"]


def repeated_segment_table(number):
    both = [[Segment(words, (REFERENCE,))] * number for words in (OURS, THEIRS)]
    return score_table(TER, metrics.settings("ter"), both)


@pytest.fixture
def run_command(tmp_path, capsys):
    def run(number, *argv):
        for name, words in (("ref", REFERENCE), ("A", OURS), ("B", THEIRS)):
            (tmp_path / name).write_text(f"{' '.join(words)}\n" * number, "utf-8")
        given = [f"--system={name}={tmp_path / name}" for name in "AB"]
        assert main([*given, f"--reference={tmp_path / 'ref'}", "-m", "ter", "--confidence", "--paired=A", *argv]) == 0
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_the_command_line_gives_none(run_command, form):
    found = run_command(1, "-f", form, "--why=A,B")
    assert "0.1667" in found and "±" not in found and r"\pm" not in found
    assert not re.search(r"0\.5000 to|\([−+][0-9.]+ to", found)
    assert "±" in run_command(2, "-f", form) or form == "latex"


def test_the_command_line_says_so_and_json_has_nothing(run_command):
    assert "A single segment has no interval." in run_command(1) and "A single segment" not in run_command(2)
    found = json.loads(run_command(1, "-f", "json"))
    assert set(found["systems"]["A"]["ter"]) == {"score"}
    assert [found["pairs"][0][end] for end in ("low", "high")] == [None, None]


def test_pages_and_saved_reports_have_none():
    one, two = repeated_segment_table(1), repeated_segment_table(2)
    known = compute_standings(one)
    assert known.intervals == (None, None) and None not in compute_standings(two).intervals
    rows = [systems.SystemStanding(n, *each) for n, each in enumerate(zip(*known[:4], strict=True))]
    drawn = systems.ranks_table(rows, "AB", "TER", [], (0, 1))
    assert "One segment, no interval" in drawn and " to 0." not in drawn
    for number, found in ((1, one), (2, two)):
        (pair,) = compare_with_others("AB", [found], scores_of_resamples([found]))
        tile = corpus_tile(TER, ("A", "B"), pair.scores, pair, False)
        assert ("interval" in tile.interval_text) == (tile.interval is not None) == (number > 1)
    report = viz.corpus("ter", [[OURS], [THEIRS], [OURS]], [[REFERENCE]])._repr_html_()
    assert not re.search("[0-9] ± [0-9]", report) and "one segment has no interval" in report
    assert "95 % interval" not in viz.corpus("ter", [[OURS], [THEIRS]], [[REFERENCE]]).found.verdict


def test_causes_have_none():
    found = {
        number: corpus_ledger(TER, metrics.settings("ter"), *[[Segment(each, (REFERENCE,))] * number for each in both])
        for both in [(OURS, THEIRS)]
        for number in (1, 2)
    }
    assert " to " not in difference_equation("A", "B", TER, found[1], 4) and " to " in difference_equation(
        "A", "B", TER, found[2], 4
    )
    assert not found[1].is_beyond_chance and found[2].is_beyond_chance
    assert "no interval" in causes_table(TER, found[1]) and "no interval" not in causes_table(TER, found[2])


def test_a_document_of_one_segment_is_not_certain():
    whole = repeated_segment_table(3)
    one, more = (
        SegmentGroup(name, name, len(numbers), *score_group(whole, 0, 1, np.array(numbers)))
        for name, numbers in (("one", [0]), ("more", [1, 2]))
    )
    assert not one.excludes_zero and more.excludes_zero
    drawn = differences_by_document_chart([one, more], "TER", False, ("A", "B"), "all")
    assert drawn.count(' open"') == 1
