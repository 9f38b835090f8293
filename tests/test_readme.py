"""What the README says is true: its program prints what it says, and what it names is there."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import metrics

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_program_prints_what_it_says():
    program = "".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))
    expected = re.findall(r"print\(.*\)\s+# (.*)", program)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(program, {})
    assert printed.getvalue().splitlines() == expected and len(expected) > 3


def test_every_metric_stands_in_the_table():
    assert re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE) == list(metrics.METRICS)


def test_pictures_and_files_exist():
    named = re.findall(r"\]\(((?!http|#)[^)]+)\)", README) + re.findall(r"`((?:metrics|viz|tests)/[\w./]+)`", README)
    assert len(named) > 5
    for path in named:
        assert (ROOT / path).exists(), path


def test_the_signature_is_one_that_the_core_writes():
    from metrics.text import TextSettings

    signature = metrics.score("gtm", ["a"], [["a"], ["b"]]).signature(TextSettings().signature())
    assert signature in README


def test_make_knows_the_commands():
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    commands = set(re.findall(r"\bmake (\w+)", README))
    assert {"app", "test", "bench", "pictures"} <= commands & set(targets)
