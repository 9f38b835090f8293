"""A notebook that is run as Jupyter does it, and its page."""

from __future__ import annotations

import ast
from typing import Any


def code_cell(*lines: str) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": [*lines]}


NOTEBOOK = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Two metrics\\n", "on one sentence"]},
        code_cell(
            "import metrics\n",
            "import viz\n",
            "candidate = 'England with France discussed this crisis in London'.split()\n",
            "reference = 'England and France discussed the crisis in London <b>'.split()\n",
            "metrics.score('gtm', candidate, [reference])",
        ),
        code_cell("metrics.score('wer', candidate, [reference])"),
        code_cell("found = metrics.score('bleu', candidate, [reference])  # shows nothing"),
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
