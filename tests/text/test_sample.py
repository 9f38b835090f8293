"""Test that the files of the sample with judgements are consistent and hold what its notes say."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from metrics.text import judgements
from metrics.text.formats import read as texts
from metrics.text.judgements import sample
from metrics.text.judgements.tagged import error_weight
from tests.helpers.app import ROOT

TED = ROOT / "tests" / "data" / "ted-zh-en"
FOLDER = Path(judgements.__file__).with_name("talks")


def test_the_texts_are_those_that_the_tests_have():
    material = texts(sample().texts)
    assert len(material.systems) == 13 and material.source is not None
    for name in ("MiSS", "Online-W", "SMU"):
        assert list(material.systems[name].lines) == (TED / f"system.{name}.en.txt").read_text("utf8").splitlines()
    for name in "AB":
        own = (TED / f"reference.{name}.en.txt").read_text("utf8").splitlines()
        assert list(material.references[f"reference {name}"].lines) == own


def test_each_rating_is_minus_what_the_marked_errors_count():
    found = sample()
    judged = judgements.read(found.judgements, texts(found.texts))
    sums = np.zeros((13, 60))
    for span in judged.spans:
        sums[span.system, span.segment] -= error_weight(span.category, span.severity)
    assert np.allclose(judged.means("mqm"), sums, atol=1e-9)
    assert (~np.isnan(judged.ratings["mqm"])).sum(axis=2).max() == 1  # each output has one judge
    assert "601 of 601 marks have the text that the file gives" in judged.notices[1]


def test_the_licence_stands_beside_it():
    assert (FOLDER / "LICENSE").read_text("utf8") == (TED / "LICENSE").read_text("utf8")
    assert "Changed here" in (FOLDER / "README.md").read_text("utf8")
    assert "Apache License 2.0" in sample().statement
