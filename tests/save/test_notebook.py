"""Tests of results in a notebook: its cells are run, and what they show is opened in a browser.

Jupyter is not a dependency. What it does with a result is simple and documented: it runs each cell's source and inserts
what `_repr_html_()` of its last expression returns into the page. These tests do the same with a notebook in Jupyter's
format.
"""

from __future__ import annotations

import ast
import html
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from fragments import read

import metrics
import viz
from viz.draw.pen import theme

NOTEBOOK = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Two metrics\\n", "on one sentence"]},
        {
            "cell_type": "code",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": [
                "import metrics\n",
                "import viz\n",
                "candidate = 'England with France discussed this crisis in London'.split()\n",
                "reference = 'England and France discussed the crisis in London <b>'.split()\n",
                "metrics.score('gtm', candidate, [reference])",
            ],
        },
        {
            "cell_type": "code",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": ["metrics.score('wer', candidate, [reference])"],
        },
        {
            "cell_type": "code",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": ["found = metrics.score('bleu', candidate, [reference])  # shows nothing"],
        },
    ],
}


def run_cells(notebook: dict[str, Any]) -> list[Any]:
    """Return the value of each code cell's last expression, or None for a cell that does not end in an expression."""
    names: dict[str, Any] = {"__name__": "__main__"}
    out = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            tree = ast.parse("".join(cell["source"]))
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, "<cell>", "exec"), names)
            out.append(eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if last else None)
    return out


def notebook_page(notebook: dict[str, Any]) -> str:
    """Return the outputs of a notebook as a web page like those that Jupyter exports."""
    shown = [value._repr_html_() for value in run_cells(notebook) if hasattr(value, "_repr_html_")]
    outputs = "\n".join(f'<div class="jp-OutputArea-output">{text}</div>' for text in shown)
    head = '<meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>body { margin: 20px }</style>'
    return f"<!DOCTYPE html><html><head>{head}</head><body>{outputs}</body></html>"


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("notebook") / "notebook.html"
    file.write_text(notebook_page(json.loads(json.dumps(NOTEBOOK))), encoding="utf-8")
    return file


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


# ---------------------------------------------------------------- in a browser

#: A script that returns red, green and blue of any colour in CSS notation.
PIXEL = """(colour) => {
  const context = document.createElement("canvas").getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""


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


@pytest.mark.alone
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_output_lights_its_own_terms(new_page: Callable[..., Any], page_file: Path, scheme: str) -> None:
    page = new_page(color_scheme=scheme)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(page_file.as_uri())
    first, second = page.locator(".bitext").all()
    assert [root.get_attribute("data-metric") for root in (first, second)] == ["gtm", "wer"]

    def lit_names(root: Any) -> set[str]:
        found = root.locator(".lit").evaluate_all("es => es.map(e => e.dataset.word ?? e.dataset.term ?? '')")
        return set(found)

    row = second.locator("tr[data-term]").first
    words = set((row.get_attribute("data-words") or "").split())
    row.hover()
    assert words <= lit_names(second) and len(words) == 2 and lit_names(first) == set()
    row = first.locator("tr[data-term]").first
    row.click()
    name = row.get_attribute("data-term")
    assert name and first.locator(f'.chosen[data-term="{name}"]').count() >= 1
    chosen = first.locator(".words .chosen").evaluate_all("es => es.map(e => e.dataset.word)")
    assert set(chosen) == set((row.get_attribute("data-words") or "").split()) and chosen
    assert second.locator(".chosen").count() == 0 and second.locator(".picked").count() == 0
    colour = first.locator(".word_lines .chosen").first.evaluate("e => getComputedStyle(e).borderBottomColor")
    red, green, blue = (int(theme.VERMILION[n : n + 2], 16) for n in (1, 3, 5))
    assert colour == f"rgb({red}, {green}, {blue})"

    # The ink contrasts with the page's paper in light and dark.
    ink = first.locator(".word_lines bdi").first.evaluate("e => getComputedStyle(e).color")
    paper = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    bright = sum(map(int, re.findall(r"\d+", ink)[:3])) > 380
    assert bright == paper == (scheme == "dark")
    heads = second.locator(".terms thead th").first
    background, text = heads.evaluate(
        f"e => ['backgroundColor', 'color'].map(name => ({PIXEL})(getComputedStyle(e)[name]))"
    )
    assert abs(sum(background) - sum(text)) > 380, f"{text} on {background}"

    page.keyboard.press("Escape")
    assert page.locator(".chosen").count() == 0
    assert errors == []
    page.close()


@pytest.mark.alone
def test_an_output_leaves_the_rest_of_the_notebook_alone(new_page: Callable[..., Any], page_file: Path) -> None:
    page = new_page()
    page.goto(page_file.as_uri())
    names = page.evaluate("[typeof bitext, typeof Fragment, typeof Light]")
    assert names == ["undefined"] * 3
    outside = "document.body.insertAdjacentHTML('afterbegin', '<p class=\"note sig words lit chosen\" id=o>x</p>')"
    page.evaluate(outside)
    look = page.locator("#o").evaluate(
        "e => [getComputedStyle(e).outlineStyle, getComputedStyle(e).fontFamily.includes('monospace')]"
    )
    assert look == ["none", False]
    page.close()
