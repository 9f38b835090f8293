"""Read the examples of the Sentence page from their file."""

from __future__ import annotations

from pathlib import Path

from ...state.examples import sentences

_FILE = Path(__file__).with_suffix(".toml")
EXAMPLES = sentences(f"sentence/{_FILE.name}", _FILE.read_text(encoding="utf-8"))
BY_NAME = {example.name: example for example in EXAMPLES}
