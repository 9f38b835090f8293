"""Test that the files of judged outputs are consistent: the sample's, and those of the talk that tests have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from metrics.text import judgements
from metrics.text.formats import read as texts
from metrics.text.judgements import Sample, sample
from metrics.text.judgements.tagged import error_weight
from tests.helpers import corpora
from tests.helpers.app import ROOT
from tests.helpers.talks import FOLDER, judged_talks

BOTH = pytest.mark.parametrize("found", [sample(), judged_talks()], ids=["sample", "talk"])


def test_the_talk_is_that_of_the_other_tests() -> None:
    material = texts(judged_talks().texts)
    assert len(material.systems) == 13 and material.source is not None
    for name in ("MiSS", "Online-W", "SMU"):
        assert list(material.systems[name].lines) == corpora.load_lines(f"system.{name}")
    for name in "AB":
        assert list(material.references[f"reference {name}"].lines) == corpora.load_lines(f"reference.{name}")
    assert (FOLDER / "LICENSE").read_text("utf8") == (corpora.FOLDER / "LICENSE").read_text("utf8")
    assert "Changed here" in (FOLDER / "README.md").read_text("utf8")


@BOTH
def test_each_rating_is_minus_what_the_marked_errors_count(found: Sample) -> None:
    judged = judgements.read(found.judgements, texts(found.texts))
    ratings = judged.ratings["mqm"]
    sums = np.where(np.isnan(ratings), np.nan, 0.0)
    for span in judged.spans:
        sums[span.system, span.segment, span.judge] -= error_weight(span.category, span.severity) or 0.0
    assert np.allclose(ratings, sums, atol=1e-9, equal_nan=True)
    assert (~np.isnan(ratings)).any(axis=2).all(), "every output is judged"
    marks = len(judged.spans)
    assert f"{marks} of {marks} marks have the text that the file gives" in judged.notices[1]


def test_the_sample_is_that_of_the_corpus_page_with_more_systems() -> None:
    own = (ROOT / "viz" / "pages" / "corpus" / "sample.tsv").read_text("utf8").splitlines()
    wider = [line.split("\t") for line in sample().texts[0].data.decode().splitlines()]
    assert ["\t".join(cells[: own[0].count("\t") + 1]) for cells in wider] == own
    for cells in wider:
        before, *others = cells[own[0].count("\t") - 1 :]
        assert len(others) == len({*others}) == 5 and before not in others[1:], "systems differ"


def test_the_sample_says_that_it_is_invented() -> None:
    assert "the judgements are invented too" in sample().statement
    folder = Path(judgements.__file__).with_name("harbour")
    assert "invented" in (folder / "README.md").read_text("utf8")
