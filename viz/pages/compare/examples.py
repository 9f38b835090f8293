"""Load the examples of the Compare page."""

from __future__ import annotations

from pathlib import Path

from ...state.examples import comparisons

_FILE = Path(__file__).with_suffix(".toml")
PAIRS = comparisons(f"compare/{_FILE.name}", _FILE.read_text(encoding="utf-8"))
PAIR_BY_NAME = {pair.name: pair for pair in PAIRS}
