"""Test in a browser of a folder in the format of mt-metrics-eval that is chosen on the Agreement page.

What a file holds is recognised by the subfolder in which it lies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.alone

OUTPUTS = {"A": ["the cat", "a dog"], "B": ["one cat", "the dog"]}
ERROR = {"start": 0, "end": 3, "category": "Style", "severity": "minor", "is_source_error": False}
FILES = {
    "sources/cs-en.txt": "kočka\npes\n",
    "references/cs-en.refA.txt": "the cat\nthe dog\n",
    **{f"system-outputs/cs-en/{name}.txt": "\n".join(lines) + "\n" for name, lines in OUTPUTS.items()},
    "human-scores/cs-en.mqm.seg.score": "A 0\nA -1\nB -1\nB 0\n",
    "human-scores/cs-en.mqm.sys.score": "A -0.5\nB -0.5\n",
    "human-scores/cs-en.mqm.merged.seg.rating": f"A\tNone\nA\tNone\nB\t{json.dumps({'errors': [ERROR]})}\tx\nB\tNone\n",
    "human-scores/de-en.mqm.seg.score": "C 0\n",
    "metric-scores/cs-en/COMET-refA.seg.score": "A 0.5\nA 0.4\nB 0.3\nB 0.2\n",
    "README.md": "All of this was made up.\n",
    ".hidden": "x\n",
}


def test_a_folder_is_read_by_the_places_of_its_files(page_opener: Any, app_url: str, see: Any, tmp_path: Path) -> None:
    for name, text in FILES.items():
        file = tmp_path / "made-up" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    page = page_opener(locale="en-IE")
    page.goto(f"{app_url}/agreement")
    page.get_by_role("radio", name="A folder").click()
    page.wait_for_selector("input[type=file][webkitdirectory]", state="attached")
    page.set_input_files("input[type=file]", str(tmp_path / "made-up"))
    said = page.locator(".recognised")
    see(said).to_contain_text("2 segments, 2 systems, 1 reference, the source, judgements on mqm")
    see(said).to_contain_text("1 marked error")
    see(said).to_contain_text("cs-en.mqm.sys.score: scores of systems, not of segments, are left out")
    see(said).to_contain_text("higher is better for COMET-refA, as for most scores")
    see(page.get_by_role("button", name="Score", exact=True)).to_be_visible()
