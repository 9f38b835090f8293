"""Tests of results in a notebook: its cells are run, and what they show is opened in a browser.

Jupyter is not a dependency. What it does with a result is simple and documented: it runs each cell's source and inserts
what `_repr_html_()` of its last expression returns into the page. These tests do the same with a notebook in Jupyter's
format.
"""

from __future__ import annotations

import html
import re
import subprocess
import sys
from typing import Any

import pytest

import metrics
import viz
from tests.helpers.app import ROOT
from tests.helpers.fragments import read
from tests.helpers.notebooks import NOTEBOOK, run_cells


def test_cells_that_end_in_a_result_show_it() -> None:
    first, second, none = run_cells(NOTEBOOK)
    assert (first.metric, second.metric, none) == ("gtm", "wer", None)
    for result in (first, second):
        text = result._repr_html_()
        style, fragment, script = re.fullmatch(
            r'(<style>.*?</style>)<div class="bitext-output">(.*)</div>(<script>.*?</script>)', text, re.DOTALL
        ).groups()  # type: ignore[union-attr]
        (root,) = read(fragment).children
        assert root.get("data-metric") == result.metric
        said = root.children[0]
        assert "verdict" in said.classes and said.text.startswith(metrics.verdict(result).text)
        assert "Biggest cost: " in said.text
        assert root.one("mn", "score").text == f"{result.score:.3f}".removesuffix(".000")
        assert len(root.all("tr", "term")) == sum(len(layer.marks) for layer in result.layers) > 2
        assert [e.one("bdi").text for e in root.all("span", "tk")][-1] == "<b>"
        assert "&lt;b&gt;" in fragment and "<b></bdi>" not in fragment
        # The output is self-contained: its only address is the SVG namespace, and its script and style are scoped.
        assert re.findall(r"https?:[^\"']*", text) == ["http://www.w3.org/2000/svg"]
        assert "url(" not in text and "@import" not in text and "src=" not in text
        assert style.startswith("<style>.bitext-output { ") and script.startswith("<script>(() => {")
        assert html.unescape(style).count("{") == style.count("}")


def test_several_references_ties_and_remarks_are_shown_too() -> None:
    result = metrics.score("rouge_l", "x a b y".split(), ["x b a y".split(), "x y".split()])
    root = read(result._repr_html_().partition("</style>")[2].rpartition("<script>")[0])  # type: ignore[attr-defined]
    assert "2 alignments are equally good" in root.one("div", "ties").text
    alone = [row.children[-1].text for row in root.one("table", "rf").one("tbody").children]
    assert alone == ["0.750", "0.667"]


@pytest.mark.slow
def test_only_viz_gives_results_a_picture() -> None:
    """Check that `metrics` alone gives results no picture and does not import `viz`, which needs no Streamlit."""
    code = (
        "import sys, metrics; r = metrics.score('gtm', ['a'], [['a']]); print(hasattr(r, '_repr_html_'), "
        "'viz' in sys.modules); import viz; print(len(r._repr_html_()) > 1000, 'streamlit' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["False", "False", "True", "False"], out.stderr


@pytest.mark.parametrize(("key", "given"), [("gtm", {"exponent": 1.0}), ("bleu", {"max_order": 2}), ("wer", {})])
def test_steps_are_those_of_the_settings(key: str, given: dict[str, Any]) -> None:
    words = "the cat sat on the mat".split(), ["the cat the mat sat on".split()]
    walk = viz.steps(key, *words, **given).walk
    walk.make_steps(1_000)
    assert [step.text for step in walk.steps] == [step.text for step in metrics.trace(key, *words, **given)]
    assert walk.trace.settings == metrics.settings(key, **given)
    if given:
        assert [step.text for step in walk.steps] != [step.text for step in metrics.trace(key, *words)]


def test_edits_are_shown_with_what_they_are_worth() -> None:
    a, b, reference = "he has equal <b> rights".split(), "he had rights".split(), "he had equal rights".split()
    shown = viz.edits("gtm", a, b, [reference], exponent=1.0)
    page = shown._repr_html_()
    found = metrics.edits("gtm", a, b, [reference], exponent=1.0)
    assert len(found) == 2 and [f'data-term="edit:{row}"' in page for row in range(3)] == [True, True, False]
    for edit in found:
        assert f'data-gain="{edit.share:.9f}" data-by="gtm"' in page
    assert all(f'data-sort="{key}"' in page for key in metrics.METRICS) and "<b> rights" not in page
    assert "There is no edit" in viz.edits("gtm", a, a, [reference])._repr_html_()
    with pytest.raises(TypeError):
        viz.edits("gtm", a, "x", [reference])
