"""Tests of the Save menus: each file has the content that its label and its ending announce."""

import json

import pytest

from tests.helpers.pages import ComparePage, SentencePage
from viz.frame import menus

TEXTS = {"candidate": "the cat sat on a mat", "references": "a mat the cat sat\nthe cat"}
SYSTEMS = {"system.1": TEXTS["candidate"], "system.2": "a cat sat", "references": TEXTS["references"]}
BEGINS = {"SVG": "<svg", "HTML": "<!doctype html>", "JSON": "{", "CSV": "", "TikZ": "% "}
ENDS = {"SVG": ("svg", "image/svg+xml"), "HTML": ("html", "text/html"), "JSON": ("json", "application/json")} | {
    "CSV": ("csv", "text/csv"),
    "TikZ": ("tex", "application/x-tex"),
}


def offered_files(monkeypatch, make, key):
    """Return what a Save menu offers when it is open: label, data, name and type of each file.

    `make` opens the page, and `key` is the name in the session that opens the menu."""
    made, own = [], menus.st.download_button
    page = make()
    monkeypatch.setattr(menus.st, "download_button", lambda *given, **more: made.append(given) or own(*given, **more))
    page.set_state(**{key: True})
    return made


def check_files(files, labels):
    assert [label for label, *_ in files] == labels
    for label, data, name, kind in files:
        what = label.rpartition(", ")[2]
        assert (name.rpartition(".")[2], kind) == ENDS[what]
        text = (data() if callable(data) else data).decode("utf-8-sig" if what == "CSV" else "utf-8")
        assert text.lower().lstrip().startswith(BEGINS[what]), label
        if what == "JSON":
            json.loads(text)
        if what == "CSV":
            assert text.count(",") > 5


@pytest.mark.parametrize(
    ("view", "labels"),
    [
        ("metric", ["Figure, SVG", "Page, HTML", "Result, JSON", "Ledger, CSV", "Figure, TikZ"]),
        ("all", ["Figure, SVG", "Page, HTML", "Results, JSON", "Figure, TikZ"]),
        ("two", ["Figure, SVG", "Page, HTML", "Results, JSON", "Figure, TikZ"]),
        ("errors", ["Page, HTML"]),
        ("cost", ["Page, HTML", "Edits, CSV", "Edits, JSON", "Figure, SVG", "Figure, TikZ"]),
    ],
)
def test_of_a_sentence(monkeypatch, view, labels):
    check_files(offered_files(monkeypatch, lambda: SentencePage(**TEXTS, metric="rouge_l", view=view), "save"), labels)


def test_of_a_comparison(monkeypatch):
    labels = ["Report, HTML", "Ledger, CSV", "Edits, CSV", "Result, JSON", "Difference, SVG"]
    check_files(
        offered_files(monkeypatch, lambda: ComparePage(page="compare", metric="rouge_l", **SYSTEMS), "save_comparison"),
        labels,
    )
